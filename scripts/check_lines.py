#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No line of Python, C, C++, shell or CMake is longer than 120 columns, where a tab counts as 8. Generated files are
left out."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST = 120
KINDS = ("*.py", "*.c", "*.h", "*.cpp", "*.sh", "*CMakeLists.txt")


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *KINDS], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout.split("\n")
    files, wrong = 0, []
    for name in sorted(set(filter(None, listed))):
        path = os.path.join(ROOT, name)
        if not os.path.exists(path):
            continue  # deleted, but still in the index
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")
        if any("gen_grammar.py; do not edit" in line for line in lines[:3]):
            continue
        files += 1
        wrong += ["%s:%d has %d columns" % (name, number, len(line.expandtabs(8)))
                  for number, line in enumerate(lines, 1) if len(line.expandtabs(8)) > MOST]
    print("\n".join(wrong + ["%d files, %d lines of more than %d columns" % (files, len(wrong), MOST)]))
    return 1 if wrong or files < 100 else 0


sys.exit(main())
