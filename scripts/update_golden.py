#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites the .expect.spvasm and .expect.txt files of spirv-fixtures with the outputs and messages of the given
spirv-bind. They are not changed in any other way.

    scripts/update_golden.py build/release/spirv-bind [PATH…]

PATH is a fixture or a folder of fixtures, such as spirv-fixtures/waterfall; without one, all are written. Review every
change before committing it: a golden file that nobody has read proves nothing."""
import os
import subprocess
import sys

if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
here = os.path.dirname(os.path.abspath(__file__))
done = subprocess.run(["/usr/bin/python3", os.path.join(here, "..", "test", "fixtures.py"), "golden", "--update",
                       "--bind", sys.argv[1], "--only", *sys.argv[2:]])
print("Read the changes (git diff spirv-fixtures) before you commit them.")
sys.exit(done.returncode)
