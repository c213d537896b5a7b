#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The preprocessor of src/analysis/source against glslang's own, `glslangValidator -E`: the same tokens and the same
declarations, for every source of the repository and for random texts full of directives and macros. Damaged texts are
read, too, and may only be refused.

    source_text.py --driver build/release/test/source_driver [--texts 300] [--seed 1]
    source_text.py --driver build/release/test/source_driver --readings       forms that no compiler here is asked about
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import running
from source import readings
from source.driver import GLSLANG, MODELS, Driver

END = "SPB_END_OF_TEXT"
FOLDERS = ("include", "spirv-fixtures", "test/vulkan")
HEADERS = os.path.join(running.ROOT, "include", "glsl")
DIRECTIVE = re.compile(rb"^[ \t]*#[^\n]*$", re.M)
OPAQUE = 0  # an unknown generator


def preprocessed(files, hlsl, folders=()):
    """glslang's output for each file, (path, text); None if it is refused."""
    for i, (path, text) in enumerate(files):
        running.write(path, "%s\n%s%d\n" % (text, END, i))
    command = ["glslangValidator", "-E", "-DVULKAN=100", "-I" + HEADERS, *("-I" + f for f in folders)]
    done = subprocess.run(command + (["-D"] if hlsl else []) + [path for path, _ in files], capture_output=True,
                          check=False)
    pieces = re.split((END + r"(\d+)").encode(), done.stdout)
    found = {int(number): DIRECTIVE.sub(b"", text) for text, number in zip(pieces[::2], pieces[1::2])}
    refused = {i for i, (path, _) in enumerate(files) if b"ERROR: %s:" % path.encode() in done.stderr + done.stdout}
    return [None if i in refused else found.get(i) for i in range(len(files))]


def compare(driver, files, expected, stage, hlsl):
    """Both readings of one text. Returns the number of declarations."""
    more = {"language": "hlsl" if hlsl else "glsl", "stage": stage}
    name = files[0][0]

    def ask(what, texts, **rest):
        lines, failure = driver.ask(what, texts, **more, **rest)
        assert not failure, "%s: %s\n%s" % (name, failure, texts[0][1].decode()[:4000])
        return lines

    mine, theirs = ask("tokens", files, defines=["VULKAN=100"]), ask("tokens", [(name, expected)], generator=OPAQUE)
    if mine != theirs:
        at = next((i for i, (a, b) in enumerate(zip(mine, theirs)) if a != b), min(len(mine), len(theirs)))
        raise AssertionError("%s: token %d\nhere    %s\nglslang %s\n%s" % (
            name, at, " ".join(mine[max(at - 5, 0):at + 9]), " ".join(theirs[max(at - 5, 0):at + 9]),
            files[0][1].decode()[:4000]))
    mine, theirs = (
        [re.sub(r" [^ ]+:\d+", "", line) for line in lines]
        for lines in (ask("declarations", files, defines=["VULKAN=100"]),
                      ask("declarations", [(name, expected)], generator=OPAQUE)))
    assert mine == theirs, "%s: %s\n%s" % (name, mine, theirs)
    return len(mine)


# the sources of the repository

def stage_of(name):
    return next((p for p in reversed(os.path.basename(name).split(".")) if p in MODELS), "frag")


def sources(hlsl):
    for top in FOLDERS:
        for folder, _, names in sorted(os.walk(os.path.join(running.ROOT, top))):
            for name in sorted(names):
                if name.endswith(".hlsl") if hlsl else name.rsplit(".", 1)[-1] in MODELS:
                    yield os.path.join(folder, name)


def included(path, text):
    """The files that a text includes, and those that they include."""
    files = {}
    for name in re.findall(r'^\s*#\s*include\s+["<]([^">]+)', text, re.M):
        for folder in (os.path.dirname(path), HEADERS):
            full = os.path.join(folder, name)
            if os.path.exists(full):
                files[full] = running.read(full)
                files.update(included(full, running.read_text(full)))
                break
    return files


def check_sources(driver, tmp, hlsl):
    paths = list(sources(hlsl))
    texts = [running.read_text(p) for p in paths]
    own = [(os.path.join(tmp, "%d.%s%s" % (i, stage_of(p), ".hlsl" * hlsl)), t)
           for i, (p, t) in enumerate(zip(paths, texts))]
    folders = sorted({os.path.dirname(p) for p, t in zip(paths, texts) if "#include" in t})
    count = 0
    for path, text, expected in zip(paths, texts, preprocessed(own, hlsl, folders)):
        files = [(path, text.encode()), *included(path, text).items()]
        count += compare(driver, files, expected, stage_of(path), hlsl)
    return len(paths), count


# included files, and which file of the module is meant

DXC = 14
INCLUDES = (  # the main file first, then what is read
    ("as it is named, where it is not beside", [("dir/t", '#include "a"\nend'), ("./a", "one"), ("x/a", "two")],
     "one end"),
    ("beside, before as it is named", [("dir/t", '#include "a"\nend'), ("a", "one"), ("dir/a", "two")], "two end"),
    ("beside one that includes", [("dir/t", '#include "x/b"\nend'), ("dir/x/b", '#include "a"\n'), ("dir/a", "one")],
     "one end"),
    ("a line of it", [("t", '\n#include "a"\n__LINE__'), ("a", "__LINE__\n__LINE__")], "1 2 3"),
    ("in angle brackets", [("t", '#include <x/a>\nend'), ("x/a", "one")], "one end"),
    ("by a macro", [("t", '#define A <x/a>\n#define B "x/a"\n#include A\n#include B\nend'), ("x/a", "one")],
     "one one end"),
    ("from the root", [("dir/t", '#include "/x/a"\n#include "x/a"\nend'), ("x/a", "one"), ("/x/a", "two")],
     "two one end"),
    ("above", [("dir/t", '#include "../../x/./a"\nend'), ("../x/a", "one")], "one end"),
    # as recorded by compilers on Windows
    ("beside, with backslashes", [(r"c:\dir\t", '#include "x/a"\nend'), (r"c:\dir\x\a", "one"), (r"c:\x\a", "two")],
     "one end"),
    ("above, with both", [(r"c:\dir\t", '#include "..\\x\\a"\nend'), (r"c:\dir/..\x\a", "one")], "one end"),
    ("by its end, with backslashes", [(r".\t", '#include "x/a"\nend'), (r"d:\sdk\x\a", "one")], "one end"),
    ("as it is named, with backslashes", [(r".\dir\t", '#include "a"\nend'), (r".\a", "one"), ("x/a", "two")],
     "one end"),
    ("by the end of its name", [("t", '#include "x/a"\nend'), ("/usr/x/a", "one")], "one end"))
PRAGMAS = [("t", '#include "a"\n#include "a"\n#include "b"\n#include "b"\n'), ("a", "#pragma once\none"),
           ("b", "#pragma pack\ntwo")]


def check_files(driver):
    for name, files, expected in INCLUDES:
        read, failure = driver.tokens([(path, text.encode() + b"\n") for path, text in files])
        assert not failure and " ".join(read) == expected, (name, read, failure)
    _, failure = driver.tokens([("t", b'#include "a"\n'), ("/x/a", b"one\n"), ("/y/a", b"two\n")])
    assert failure, "either of two files was meant"
    for files, expected in (([("t", '#include "a"\nsampler'), ("a", "uniform"), ("b", "uniform texture2D u;")], "u"),
                            ([("t", '#include "a"\n'), ("a", "uniform sampler s;")], "s"),
                            ([("t", ""), ("a", "uniform sampler s;"), ("b", "uniform sampler r;")], "s r")):
        read, failure = driver.declarations([(path, text.encode() + b"\n") for path, text in files])
        assert not failure and [line.split(" ")[0] for line in read] == expected.split(), (files, read, failure)
        assert not any("again" in line for line in read), (files, read)
    files = [(path, text.encode() + b"\n") for path, text in PRAGMAS]
    for generator, expected in (DXC, "one two two"), (GLSLANG, "one one two two"):  # glslang ignores #pragma once
        read, failure = driver.tokens(files, language="hlsl", generator=generator)
        assert not failure and " ".join(read) == expected, (generator, read, failure)


# random texts

class Writer:
    """A text of directives, macros and declarations. The two readers decide its meaning."""

    def __init__(self, rng, hlsl):
        self.rng, self.hlsl, self.lines, self.depth, self.n = rng, hlsl, [], 0, 0
        self.objects, self.functions = {}, {}

    def number(self):
        return str(self.rng.choice((0, 1, 2, 3, 7, 100, "0x1F", "017", "4u")))

    def condition(self, depth=0):
        r = self.rng
        kind = r.randrange(9 if depth < 4 else 3)
        if kind == 0 or not self.objects:
            return self.number()
        if kind == 1:
            return "defined(%s)" % r.choice("ABCDEFGH")
        if kind == 2:
            return "defined %s" % r.choice("ABCDEFGH")
        if kind == 3:
            return r.choice(("!", "-", "~", "+")) + "(" + self.condition(depth + 1) + ")"
        if kind == 4 and self.numeric():
            return r.choice(self.numeric())
        operator = r.choice(("||", "&&", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "&", "|", "^", "<<"))
        return "(%s) %s %s" % (self.condition(depth + 1), operator, self.condition(depth + 1))

    def numeric(self):
        return [name for name, numeric in self.objects.items() if numeric]

    def define(self):
        r = self.rng
        name = r.choice("ABCDEFGH")
        if r.random() < 0.35:
            name = r.choice(("F", "G", "CAT", "DECL")) + str(r.randrange(3))
            self.undefine(name)
            count = r.randrange(1, 4)
            names = ["x", "y", "z"][:count]
            body = r.choice(("%s", "%s tex_##%s", "%s##_t", "(%s)", "a_##%s b %s", "%s , %s", "F0 %s", "A %s"))
            text = body.replace("%s", names[0], 1).replace("%s", names[-1])
            self.functions[name] = count, "##" in text
            return "#define %s(%s) %s" % (name, ", ".join(names), text)
        self.undefine(name)
        numeric = r.random() < 0.7
        self.objects[name] = numeric
        value = self.number() if numeric else r.choice(("", "uniform", "B", "C D", "F0", name, "x y z"))
        return "#define %s %s" % (name, value)

    def undefine(self, name):
        self.lines.append("#undef " + name)
        self.objects.pop(name, None)
        self.functions.pop(name, None)

    def words(self):
        r = self.rng
        result = []
        for _ in range(r.randrange(1, 5)):
            kind = r.randrange(4)
            if kind == 0 and self.functions:
                name = r.choice(sorted(self.functions))
                count, pastes = self.functions[name]
                choices = ("p", "A", "B", "w", "x_1") + (() if pastes else ("q r", "(s, t)", "1", ""))
                arguments = [r.choice(choices) for _ in range(count)]
                gap = r.choice(("", " ", "\n"))
                result.append(name + gap + "(" + ", ".join(arguments) + ")")
            elif kind == 1:
                result.append(r.choice("ABCDEFGH"))
            else:
                result.append(r.choice(("plain", "1.5e3", "/* note */", "+", "__LINE__", "F0", "a.b", "x_1")))
        return " ".join(result)

    def declaration(self):
        self.n += 1
        r = self.rng
        if self.hlsl:
            return r.choice(("Texture2D t%d;", "RWBuffer<float> t%d : register(u3);", "cbuffer t%d { float4 v%d; }",
                             "static Texture2D t%d;", "SamplerState t%d[2];")).replace("%d", str(self.n))
        return r.choice(("uniform sampler2D t%d;", "uniform texture2D t%d[3], u%d;", "buffer t%d { vec4 v; } i%d[2];",
                         "layout(binding = 1) uniform t%d { vec4 w; };", "vec4 f%d(vec4 a) { return a; }",
                         "uniform sampler t%d; \\\n uniform sampler v%d;")).replace("%d", str(self.n))

    def group(self):
        r = self.rng
        known = dict(self.objects), dict(self.functions)
        for _ in range(r.randrange(1, 6)):
            kind = r.randrange(8)
            if kind < 2:
                self.lines.append(self.declaration())
            elif kind < 4:
                self.lines.append(self.define())
            elif kind == 4 and self.depth < 4:
                self.conditional()
            elif kind == 5:
                self.lines.append(self.words() + " ;")
            elif kind == 6 and self.objects:
                self.undefine(r.choice(sorted(self.objects)))
            else:
                self.lines.append(r.choice(("// it's a line", "/* two\n lines */", "", "#pragma unknown", "  ")))
        return known

    def conditional(self):
        r = self.rng
        self.depth += 1
        start = r.choice(("#if %s" % self.condition(), "#ifdef A", "#ifndef B", "# if defined(C)",
                          "#if %s // note" % self.condition()))
        self.lines.append(start)
        # Macros defined in a group are not known to be defined after it.
        for turn in (None, *["#elif " + self.condition() for _ in range(r.randrange(3))], "#else"):
            if turn == "#else" and r.random() < 0.4:
                break
            if turn:
                self.lines.append(turn)
            self.objects, self.functions = {}, {}
            self.group()
            self.lines += ["#undef " + n for n in "ABCDEFGH" if r.random() < 0.1]
        self.lines.append("#endif")
        self.lines += ["#undef " + n for n in [*"ABCDEFGH"]]
        self.lines += ["#undef %s%d" % (n, i) for n in ("F", "G", "CAT", "DECL") for i in range(3)]
        self.objects, self.functions = {}, {}
        self.depth -= 1


def random_text(rng, hlsl):
    w = Writer(rng, hlsl)
    for _ in range(6):
        w.group()
    return ("" if hlsl else "#version 450\n") + "\n".join(w.lines) + "\n"


def check_random(driver, tmp, hlsl, count, seed):
    texts = [random_text(random.Random("%d %d" % (seed, i)), hlsl) for i in range(count)]
    names = [os.path.join(tmp, "random%d.frag%s" % (i, ".hlsl" * hlsl)) for i in range(count)]
    declared = accepted = 0
    for name, text, expected in zip(names, texts, preprocessed(list(zip(names, texts)), hlsl)):
        if expected is None:
            driver.declarations([(name, text.encode())], language="hlsl" if hlsl else "glsl")
            continue
        declared += compare(driver, [(name, text.encode())], expected, "frag", hlsl)
        accepted += 1
    return accepted, declared


def check_damaged(driver, count, seed):
    """Bytes are cut, copied and changed. The driver must survive."""
    rng = random.Random(seed)
    kept = refused = 0
    for i in range(count):
        hlsl = i % 2 == 1
        text = bytearray(random_text(rng, hlsl).encode())
        for _ in range(rng.randrange(1, 12)):
            at, length = rng.randrange(len(text)), rng.randrange(1, 40)
            if rng.random() < 0.3:
                del text[at:at + length]
            elif rng.random() < 0.5:
                text[at:at] = text[rng.randrange(len(text)):][:length]
            else:
                text[at:at + 1] = bytes(rng.choices(b"(){}[]<>;,#\\\"'/*\n\0\xff:=", k=rng.randrange(1, 4)))
            text = text or bytearray(b"#")
        _, failure = driver.declarations([("damaged", bytes(text))], language="hlsl" if hlsl else "glsl")
        refused += failure is not None
        kept += failure is None
    return kept, refused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True)
    parser.add_argument("--texts", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readings", action="store_true")
    args = parser.parse_args()
    driver = Driver(args.driver)
    if args.readings:
        check_files(driver)
        readings.check(driver)
        driver.end()
        return
    with tempfile.TemporaryDirectory() as tmp:
        for hlsl in (False, True):
            language = "HLSL" if hlsl else "GLSL"
            files, declared = check_sources(driver, tmp, hlsl)
            print("%s: %d sources, %d declarations" % (language, files, declared))
            assert files >= (3 if hlsl else 100) and declared > files
            accepted, declared = check_random(driver, tmp, hlsl, args.texts, args.seed)
            print("%s: of %d random texts glslang accepts %d, %d declarations" %
                  (language, args.texts, accepted, declared))
            assert accepted > args.texts / 3 and declared > accepted
    kept, refused = check_damaged(driver, 4 * args.texts, args.seed)
    print("%d damaged texts were read, %d refused" % (kept, refused))
    assert kept and refused
    driver.end()


if __name__ == "__main__":
    sys.exit(main())
