#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Removes the types and constants that nothing in a fixture uses, with their names and decorations.

    scripts/trim_fixtures.py [--check] [PATH…]

PATH is a fixture or a folder of fixtures; without one, all of spirv-fixtures is checked. --check changes nothing: it
lists what could be removed and exits with 1 if there is anything. After a run without it, update the golden files with
scripts/update_golden.py and review the changes.

A type or a constant is used if a variable, a function, an entry point or anything else that always stays refers to it,
directly or through other types and constants. Names and decorations are not uses, except those by which something
outside the module finds an id: BuiltIn, SpecId and LinkageAttributes.

These fixtures are not changed:

    - spirv-fixtures/slang and dxc, and those that say `; compiler:`, because they are meant to be exactly what a
      compiler writes;
    - those that say `; edit:` (spirv-fixtures/messages), because the edit counts words;
    - those that say `; keep: REASON`. With `; keep: %a %b REASON`, only these ids stay. A keep without a reason is an
      error, as is one whose ids would stay anyway.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(ROOT, "spirv-fixtures")
COMPILED = tuple(os.path.join(FIXTURES, folder) + os.sep for folder in ("slang", "dxc"))

HEADER = re.compile(r"; ([\w-]+): ?(.*)")
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|;.*')  # a string may span lines
INSTRUCTION = re.compile(r"\s*(?:(%\w+)\s*=\s*)?(Op\w+)(.*)")
ID = re.compile(r"%\w+")
DEFINES = re.compile(r"Op(Type|Constant|SpecConstant|Undef)")
DESCRIBES = re.compile(r"Op(Name|MemberName|Decorate|MemberDecorate|TypeForwardPointer)")  # its first operand
MAKES_VISIBLE = re.compile(r"OpDecorate\w*\s+%\w+\s+(BuiltIn|SpecId|LinkageAttributes)\b")


def header(lines):
    fields = {}
    for line in lines:
        found = HEADER.match(line)
        if not found:
            break
        fields[found[1]] = found[2]
    return fields


def blank(found):
    return '""' + '\n""' * found[0].count("\n") if found[0].startswith('"') else ""


class Uses:
    """The references in one module. `unused`: the types and constants that can be removed."""

    def __init__(self, lines):
        self.defined = set()  # types and constants
        self.lines = {}  # of an id's definition, names and decorations
        self.operands = {}  # likewise
        roots, id_before, in_function = [], None, False
        for number, text in enumerate(STRING_OR_COMMENT.sub(blank, "".join(lines)).split("\n")):
            if not text or text.isspace():
                continue
            found = INSTRUCTION.match(text)
            result, op, rest = found.groups() if found else (None, "", text)
            ids = ID.findall(rest)
            in_function = in_function or op == "OpFunction"
            if result and DEFINES.match(op) and not in_function:
                self.defined.add(result)
                about = result
            elif op and ids and DESCRIBES.match(op):
                about = ids.pop(0)
                if MAKES_VISIBLE.match(text.lstrip()):
                    roots.append(about)
            else:  # a line without an opcode continues the line before
                about = None if op else id_before
            id_before = about
            if about:
                self.lines.setdefault(about, []).append(number)
                self.operands.setdefault(about, []).extend(ids)
            else:
                roots += ids
        roots += self.lines.keys() - self.defined  # targets of decorations of variables and functions
        self.unused = self.defined - self.reached(roots)

    def reached(self, ids):
        ids, seen = list(ids), set()
        while ids:
            one = ids.pop()
            if one not in seen:
                seen.add(one)
                ids += self.operands.get(one, ())
        return seen


def removable(lines):
    """The ids that can be removed, each with its line numbers; and an error in `; keep:`, or None."""
    fields = header(lines)
    if "compiler" in fields or "edit" in fields:
        return {}, None
    uses = Uses(lines)
    gone = uses.unused
    if "keep" in fields:
        kept = ID.findall(fields["keep"])
        if not ID.sub("", fields["keep"]).strip():
            return {}, "`; keep:` gives no reason"
        needless = [one for one in kept if one not in gone]
        if needless or not gone:
            return {}, "`; keep:` is needless, nothing would remove %s" % (" or ".join(needless) or "anything")
        gone = gone - uses.reached(kept) if kept else set()
    return {one: uses.lines[one] for one in gone}, None


def fixtures(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        elif not os.path.isdir(path):
            sys.exit("%s: no such file or folder" % path)
        for base, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith(".spvasm") and not name.endswith(".expect.spvasm"):
                    yield os.path.join(base, name)


def main():
    args = sys.argv[1:]
    check = "--check" in args
    paths = [a for a in args if a != "--check"]
    if any(p.startswith("-") for p in paths):
        sys.exit(__doc__)
    looked_at, found, wrong = 0, 0, False
    for path in fixtures(paths or [FIXTURES]):
        if os.path.abspath(path).startswith(COMPILED):
            continue
        looked_at += 1
        with open(path, encoding="utf-8") as f:
            lines = f.readlines()
        gone, fault = removable(lines)
        name = os.path.relpath(path)
        if fault:
            print("%s: %s" % (name, fault))
            wrong = True
        numbers = {number for places in gone.values() for number in places}
        found += len(numbers)
        if check:
            for number in sorted(numbers):
                print("%s:%d: nothing uses this: %s" % (name, number + 1, lines[number].strip()))
        elif numbers:
            with open(path, "w", encoding="utf-8") as f:
                f.writelines(line for number, line in enumerate(lines) if number not in numbers)
            print("%s: %d lines removed" % (name, len(numbers)))
    print("%d fixtures, %d unused lines%s" % (looked_at, found, "" if check else " removed"))
    return 1 if wrong or (check and found) or not looked_at else 0


if __name__ == "__main__":
    sys.exit(main())
