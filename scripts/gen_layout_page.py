#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/lib/layout_page.inc, the page of src/lib/layout_page.html as lines of C, for layout_page.c.

    gen_layout_page.py [--check]

--check writes nothing, and exits with 1 if the file is not up to date."""
import os
import sys

LIB = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "lib")
COLUMNS = 110


def quoted(line):
    """A line as string literals that fit into the columns of the project."""
    escaped, parts = line.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("??", "?\\?"), []
    while len(escaped) > COLUMNS:
        cut = COLUMNS
        while escaped[cut - 1] == "\\":
            cut -= 1
        parts, escaped = parts + [escaped[:cut]], escaped[cut:]
    return "\n".join('    "%s"' % part for part in parts + [escaped + "\\n"])


def main():
    with open(os.path.join(LIB, "layout_page.html")) as f:
        lines = f.read().splitlines()
    text = "/* Made of layout_page.html by scripts/gen_layout_page.py. */\n"
    text += "".join(quoted(line) + ",\n" for line in lines)
    path = os.path.join(LIB, "layout_page.inc")
    with open(path) as f:
        old = f.read()
    if text == old:
        return 0
    if "--check" in sys.argv[1:]:
        print("src/lib/layout_page.inc is out of date; run scripts/gen_layout_page.py")
        return 1
    with open(path, "w") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
