#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of src/lib/report, their style and their script into pages.c there, as lines of C between two
comments.

    gen_layout_page.py [--check]

--check writes nothing, and exits with 1 if the file is not up to date."""
import os
import sys

REPORT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "lib", "report")
PARTS = ["layout_page.html", "workspace_page.html", "report.css", "report.js"]
COLUMNS = 110
BEGIN = "    /* begin, by scripts/gen_layout_page.py */\n"
END = "    /* end */\n"


def quoted(line):
    """A line as string literals within the column limit."""
    escaped, parts = line.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("??", "?\\?"), []
    while len(escaped) > COLUMNS:
        cut = COLUMNS
        while escaped[cut - 1] == "\\":
            cut -= 1
        parts, escaped = parts + [escaped[:cut]], escaped[cut:]
    return "\n".join('    "%s"' % part for part in parts + [escaped + "\\n"])


def array(name):
    with open(os.path.join(REPORT, name)) as f:
        lines = f.read().splitlines()
    return "static const char *const %s[] = {\n%s,\n};\n" % (name.replace(".", "_"), ",\n".join(map(quoted, lines)))


def main():
    path = os.path.join(REPORT, "pages.c")
    with open(path) as f:
        old = f.read()
    head, _, rest = old.partition(BEGIN)
    text = head + BEGIN + "".join(map(array, PARTS)) + END + rest.partition(END)[2]
    if text == old:
        return 0
    if "--check" in sys.argv[1:]:
        print("src/lib/report/pages.c is out of date; run scripts/gen_layout_page.py")
        return 1
    with open(path, "w") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
