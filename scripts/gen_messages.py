#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/messages.md: every code of src/base/codes.inc with its cause, its remedy and a message as it comes; and
src/cli/verbs/examples.inc, these messages for `spirv-bind explain`.

    scripts/gen_messages.py [--bind build/release/spirv-bind]           write the page
    scripts/gen_messages.py --check [--bind build/release/spirv-bind]   fail if the page is not up to date

The example of a code is a fixture: the first one of spirv-fixtures/messages that says `message: CODE words`, or else of
spirv-fixtures/invalid that says `error: CODE words`. A code without an example, or whose example no longer produces the
message, is an error; so is an SPB number in the sources that is not in the table. Fixtures in messages/ are assembly or
GLSL. They begin with lines of the form `; key: value` (`// key: value` in GLSL, after #version):

    why          what it shows
    message      the code, and words that the message has to contain
    spirv-bind   options; files they name are in the same folder
    version      of SPIR-V (assembly)
    glslang      options of glslangValidator (GLSL)
    with         a second module of the program
    edit         damage done to the binary, separated by semicolons: `word N = V`; `cut N` (keep N words);
                 `before OP = V V` (insert words before the first instruction with that opcode; `new` is a new id);
                 `strip` (names and lines)
    keep         why it keeps types or constants that nothing uses, as in test/fixtures.py
"""
import argparse
import os
import re
import shlex
import shutil
import struct
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test"))
import running
import spirv_text
from running import Failure
FIXTURES = os.path.join(ROOT, "spirv-fixtures")
PAGE = os.path.join(ROOT, "docs", "messages.md")
EXPLAINED = os.path.join(ROOT, "src", "cli", "verbs", "examples.inc")
# No fixture can produce these, for the reason given.
NO_EXAMPLE = {
    1005: "No example: it takes a module of several gigabytes.",
    1016: "No example: the command sets no limits.",
    3006: "No example: only a bug in spirv-bind produces it.",
    4030: "No example: it takes several programs. docs/workspaces.md says more.",
    4031: "No example: it takes several programs. docs/workspaces.md says more.",
    4032: "No example: it takes several programs. docs/workspaces.md says more.",
    4033: "No example: it takes several programs. docs/workspaces.md says more.",
    4038: "No example: it takes several programs. docs/workspaces.md says more.",
    4034: "No example: lock merge says it, of three files.",
    9001: "No example: only a bug in spirv-bind produces it.",
}
GROUPS = (
    (1000, "The module cannot be read"),
    (2000, "Shapes of resources"),
    (2100, "Combined image-samplers"),
    (2200, "Source text"),
    (3000, "Descriptor handles"),
    (3100, "Resolvers"),
    (3200, "Descriptor heaps"),
    (4000, "Bindings"),
    (5000, "Uniformity"),
    (5100, "Waterfall loops"),
    (6000, "Validation"),
    (9000, "Internal errors"),
)
HEAD = """/* SPDX-License-Identifier: Apache-2.0 */
/* Written by scripts/gen_messages.py. Do not edit. An example of each code, for `spirv-bind explain`. */
"""
INTRODUCTION = """<!-- Written by scripts/gen_messages.py from src/base/codes.inc and the fixtures. Do not edit. -->
# Messages

A message is one line with the place and what is wrong, and notes: other places, the way to the cause, and at last \
what to do. Editors that read the output of compilers open the places.

```
lit.frag:12:9: error: the index of "maps" differs between invocations, but is not marked nonuniformEXT [SPB5001]
lit.frag:7:1: note: "material" is an input of each invocation
lit.frag:12:9: note: Write nonuniformEXT(...) around it, or bind the module, which marks the access.
```

The place is in the source if the module has debug lines or the source text, and the file is there; otherwise it is \
the module, and a note has the instruction and its offset in words. Errors in the words of a manifest or a response \
file have their line; those in the command line itself have no place to open, and begin with `spirv-bind:`. Codes \
never change their meaning; `spirv-bind explain SPB5001` prints what is here. `--diagnostics=json` prints one JSON \
object per line instead, `sarif` a SARIF 2.1.0 log, and `github` annotations for a workflow, each with the same \
places.

| exit status | |
|---|---|
| 0 | done |
| 1 | a module was refused |
| 2 | wrong usage |
| 3 | `check`, `lint`, `lock check` or `--locked` found something |
| 4 | input, output or memory failure |

The examples below are printed by fixtures of this repository.

"""


def codes():
    """[(name, number, cause, remedy), ...] of src/base/codes.inc"""
    with open(os.path.join(ROOT, "src", "base", "codes.inc")) as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    found = []
    for entry in re.findall(r"SPB_CODE\((.*?)\)\n(?=\n|SPB_CODE|\Z)", text, re.S):
        name, number, rest = re.fullmatch(r"(\w+), (\d+),\s*(.*)", entry, re.S).groups()
        strings = [""]
        for piece in re.findall(r'"((?:\\.|[^"\\])*)"|(,)', rest):
            if piece[1]:
                strings.append("")
            strings[-1] += piece[0].replace('\\"', '"')
        if len(strings) != 2 or not all(s.endswith(".") or s.endswith('".') for s in strings):
            sys.exit("codes.inc: %s needs a cause and a remedy, each a sentence" % name)
        found.append((name, int(number), *strings))
    if len(found) != text.count("SPB_CODE("):
        sys.exit("codes.inc has entries that cannot be read")
    return found


def header(path):
    fields = {}
    with open(path) as f:
        for line in f:
            found = re.match(r"(?:;|//) ([\w-]+): ?(.*)", line)
            if found:
                fields[found[1]] = found[2].strip()
            elif not line.startswith("#version"):
                break
    return fields


def examples():
    """code -> (path, words in the message)"""
    found = {}
    for folder, key in (("messages", "message"), ("invalid", "error")):
        for name in sorted(os.listdir(os.path.join(FIXTURES, folder))):
            path = os.path.join(FIXTURES, folder, name)
            if name.rpartition(".")[2] not in ("spvasm", "frag", "comp", "hlsl"):
                continue
            code, _, words = header(path).get(key, "").partition(" ")
            if code:
                found.setdefault(int(code[3:]), (path, words))
    return found


def run(*command, cwd=None):
    running.run(*command, cwd=cwd)


def edited(data, edits):
    words = list(struct.unpack("<%dI" % (len(data) // 4), data))
    for edit in filter(None, edits.split("; ")):
        verb, *rest = edit.split()
        if verb == "cut":
            words = words[:int(rest[0])]
        elif verb == "word":
            words[int(rest[0])] = int(rest[2], 0)
        elif verb == "before":
            at = 5
            while words[at] & 0xFFFF != int(rest[0]):
                at += words[at] >> 16
            for i, word in enumerate(rest[2:]):
                words.insert(at + i, words[3] if word == "new" else int(word, 0))
            words[3] += rest.count("new")
        elif verb != "strip":
            raise Failure("no such edit: " + edit)
    return struct.pack("<%dI" % len(words), *words)


def build(path, out):
    fields = header(path)
    if path.endswith(".spvasm"):
        with open(path, encoding="utf-8") as source, open(out + "asm", "w", encoding="utf-8") as text:
            text.write(spirv_text.for_older_assembler(source.read()))
        run("spirv-as", "--preserve-numeric-ids", "--target-env", "spv" + fields["version"], out + "asm", "-o", out)
        with open(out, "rb") as older:
            data = spirv_text.with_newer(older.read())
        with open(out, "wb") as module:
            module.write(data)
    else:
        # glslang records paths in the module: relative ones keep the word offsets the same everywhere.
        folder = os.path.dirname(path)
        header_folder = os.path.relpath(os.path.join(ROOT, "include", "glsl"), folder)
        run("glslangValidator", "-V", "--quiet", *fields["glslang"].split(), "-I" + header_folder,
            os.path.basename(path), "-o", os.path.abspath(out), cwd=folder)
    edits = fields.get("edit", "")
    if edits == "strip":
        run("spirv-opt", "--strip-debug", out, "-o", out)
    with open(out, "rb") as f:
        data = f.read()
    with open(out, "wb") as f:
        f.write(edited(data, edits))


def module_name(path):
    return re.sub(r"\.spvasm$", "", os.path.basename(path)) + ".spv"


def message(bind, path, code, words, tmp):
    """A command line and its output."""
    fields = header(path)
    options = shlex.split(fields["spirv-bind"])
    for folder in ("resolvers", "messages"):
        for name in os.listdir(os.path.join(FIXTURES, folder)):
            if any(o.endswith("=" + name) for o in options):
                source = os.path.join(FIXTURES, folder, name)
                if header(source).get("edit"):
                    build(source, os.path.join(tmp, name))
                else:
                    shutil.copy(source, tmp)
    modules = [path] + [os.path.join(os.path.dirname(path), name) for name in fields.get("with", "").split()]
    for module in modules:
        build(module, os.path.join(tmp, module_name(module)))
        if not module.endswith(".spvasm"):
            shutil.copy(module, tmp)  # where messages point
    output = ["-o", "bound.spv"] if len(modules) == 1 else ["--out-dir=bound"]
    if options[:1] in (["check"], ["lint"]):
        output = []
    command = [*options, *map(module_name, modules), *output]
    done = running.run(bind, *command, cwd=tmp, expect=None)
    # A message, and its notes.
    blocks = re.split(r"\n(?=[^\n]* \[SPB\d+\]$)", (done.stderr + done.stdout).strip("\n"), flags=re.M)
    blocks = [b for b in blocks if "[SPB%d]" % code in b.partition("\n")[0] and words in b]
    if not blocks:
        raise Failure("%s does not provoke SPB%d%s, but:\n%s" % (
            os.path.relpath(path, ROOT), code, words and " with the words " + words, done.stderr + done.stdout))
    typed = [re.sub(r"^'(--[a-z-]+=)", r"\1'", shlex.quote(word)) for word in command]
    return "spirv-bind " + " ".join(typed), blocks[0].replace(os.path.dirname(path) + os.sep, "")


def unknown_numbers(known):
    """Codes in sources and documents that are not in the table."""
    for folder in ("src", "include", "docs", "test", "scripts", "spirv-fixtures"):
        for base, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.rpartition(".")[2] in ("c", "h", "md", "py", "spvasm", "1", "frag", "comp"):
                    with open(os.path.join(base, name), errors="replace") as f:
                        for number in re.findall(r"\bSPB(\d{4})\b", f.read()):
                            if int(number) not in known:
                                yield "SPB%s in %s" % (number, os.path.relpath(os.path.join(base, name), ROOT))


def quoted(text):
    """As literals in C, a line each."""
    return "\n".join('     "%s\\n"' % line.replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines())


def page(bind):
    """The page, and the examples for `spirv-bind explain`."""
    table, found, out, explained = codes(), examples(), [INTRODUCTION], [HEAD]
    faults = list(unknown_numbers({number for _, number, _, _ in table}))
    faults += ["SPB%d has no example in spirv-fixtures" % n for _, n, _, _ in table
               if n not in found and n not in NO_EXAMPLE]
    faults += ["SPB%d has an example: drop it from NO_EXAMPLE" % n for n in found if n in NO_EXAMPLE]
    faults += ["SPB%d is twice in codes.inc" % n for n in {n for _, n, _, _ in table}
               if [r[1] for r in table].count(n) > 1]
    if faults:
        sys.exit("\n".join(faults))
    groups = list(GROUPS)
    for _, number, cause, remedy in sorted(table, key=lambda row: row[1]):
        if groups and number >= groups[0][0]:
            out.append("## %s\n\n" % groups.pop(0)[1])
        out.append("### SPB%d\n\n%s\n\n*What to do:* %s\n\n" % (number, cause, remedy))
        if number in NO_EXAMPLE:
            out.append(NO_EXAMPLE[number] + "\n\n")
            continue
        path, words = found[number]
        with tempfile.TemporaryDirectory() as tmp:
            try:
                command, text = message(bind, path, number, words, tmp)
            except Failure as e:
                faults.append(str(e))
                continue
        explained.append("    {%d,\n%s},\n" % (number, quoted("$ %s\n%s" % (command, text))))
        out.append("[Example](%s):\n\n```\n$ %s\n%s\n```\n\n" % (os.path.relpath(path, os.path.dirname(PAGE)), command,
                                                                 text))
    if faults:
        sys.exit("\n".join(faults))
    return "".join(out).rstrip("\n") + "\n", "".join(explained)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", default=os.path.join(ROOT, "build", "release", "spirv-bind"))
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    texts = dict(zip((PAGE, EXPLAINED), page(running.BIND)))
    for path, text in texts.items():
        if not args.check:
            with open(path, "w") as f:
                f.write(text)
            continue
        with open(path) as f:
            if f.read() != text:
                sys.exit("%s is stale: run scripts/gen_messages.py, and read what it changed" %
                         os.path.relpath(path, ROOT))
    print("%d codes" % texts[PAGE].count("\n### SPB"))


if __name__ == "__main__":
    main()
