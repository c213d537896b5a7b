#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the page of src/lib/layout_page.html into src/lib/layout_page.c, as lines of C between two comments.

    gen_layout_page.py [--check]

--check writes nothing, and exits with 1 if the file is not up to date."""
import os
import sys

LIB = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "lib")
COLUMNS = 110
BEGIN = "    /* layout_page.html, by scripts/gen_layout_page.py */\n"
END = "    /* end */\n"


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
    path = os.path.join(LIB, "layout_page.c")
    with open(path) as f:
        old = f.read()
    head, _, rest = old.partition(BEGIN)
    text = head + BEGIN + "".join(quoted(line) + ",\n" for line in lines) + END + rest.partition(END)[2]
    if text == old:
        return 0
    if "--check" in sys.argv[1:]:
        print("src/lib/layout_page.c is out of date; run scripts/gen_layout_page.py")
        return 1
    with open(path, "w") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
