#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs in GLSL and HLSL, with structs, conditions, includes and macros, whose order of declaration the
generator knows. Stock glslang compiles them, bodies use the resources in a random order, and spirv-bind has to number
them as they are declared, or report that it cannot.

    random_sources.py --bind build/release/spirv-bind [--count 60] [--seed 1] [--keep DIR]
"""
import argparse
import json
import os
import random
import sys
import tempfile

import running


class Program:
    def __init__(self, rng, hlsl):
        self.rng, self.hlsl = rng, hlsl
        self.macros = {}   # name: value, now
        self.options = []  # -D
        self.files = {}    # name: text
        self.count = self.sizes = 0
        self.order = []  # names in the module, as declared
        self.uses = {}   # name: expression that reads it
        self.structs = []  # name, [(path, size, expression)]
        self.functions = set()
        names = ["%s%d" % (w, i) for w in ("tex", "map", "Block", "data", "list", "smooth") for i in range(8)]
        rng.shuffle(names)
        self.names = names
        for i in range(rng.randrange(3)):
            value = rng.choice(("", "1", "2", "7"))
            self.macros["OPT%d" % i] = value
            self.options.append("-DOPT%d%s" % (i, "=" + value if value else ""))

    # declarations

    def name(self):
        return self.names.pop()

    def read_texture(self, expression):
        if self.hlsl:
            return expression + ".Load(0)"
        return "texture(sampler2D(%s, smp), vec2(0))" % expression

    def declared(self, name, expression):
        self.order.append(name)
        self.uses[name] = expression

    def size(self):
        """Text of an array size and an index in it; ("", None): no array."""
        if self.rng.random() < 0.7:
            return "", None
        n = self.rng.randrange(2, 5)
        texts = ["%d" % n, "%d + 1" % (n - 1), "(%d * 2 - %d)" % (n, n)]
        texts += [m for m, v in self.macros.items() if v == str(n)]
        return "[%s]" % self.rng.choice(texts), self.rng.randrange(n)

    def texture(self):
        r = self.rng
        items = []
        for _ in range(r.choice((1, 1, 2, 3))):
            name, (size, index) = self.name(), self.size()
            items.append(name + size)
            self.declared(name, self.read_texture(name if index is None else "%s[%d]" % (name, index)))
        if self.hlsl:
            return "%s %s;" % (r.choice(("Texture2D", "Texture2D<float4>", "uniform Texture2D")), ", ".join(items))
        return "layout(AUTO) uniform %stexture2D %s;" % (r.choice(("", "highp ")), ", ".join(items))

    def made_by_macro(self):
        lines = []
        if "MAKE" not in self.functions:
            self.functions.add("MAKE")
            lines.append("#define MAKE(n) Texture2D made_##n;" if self.hlsl
                         else "#define MAKE(n) layout(AUTO) uniform texture2D made_##n;")
        names = [self.name() for _ in range(self.rng.randrange(1, 3))]
        for n in names:
            self.declared("made_" + n, self.read_texture("made_" + n))
        return "\n".join(lines + [" ".join("MAKE(%s)" % n for n in names)])

    def block(self):
        name = self.name()
        member = "m" + name
        instance = self.rng.choice(("", "i" + name))
        if self.hlsl:
            self.declared(name, member)
            return self.rng.choice(("cbuffer %s { float4 %s; }", "cbuffer %s { float4 %s; };",
                                    "tbuffer %s { float4 %s; }")) % (name, member)
        kind = self.rng.choice(("uniform", "readonly buffer", "buffer"))
        self.declared(name, (instance + "." if instance else "") + member)
        return "layout(AUTO) %s %s { vec4 %s; } %s;" % (kind, name, member, instance)

    def struct(self):
        """A type: members are textures, arrays of them, or earlier structs."""
        r = self.rng
        name, members, leaves = "S%d" % len(self.structs), [], []
        for i in range(r.randrange(1, 4)):
            member = "m%d" % i
            if self.structs and r.random() < 0.3:
                inner, inner_leaves = r.choice(self.structs)
                members.append("%s %s;" % (inner, member))
                leaves += [("." + member + path, expression and "." + member + expression)
                           for path, expression in inner_leaves]
            else:
                size = "[%d]" % r.randrange(2, 4) if r.random() < 0.2 else ""
                members.append("%s %s%s;" % ("Texture2D" if self.hlsl else "texture2D", member, size))
                leaves.append(("." + member, "." + member + ("[1]" if size else "")))
        self.structs.append((name, leaves))
        return "struct %s { %s };" % (name, " ".join(members))

    def structured(self):
        if not self.structs:
            return self.struct()
        struct, leaves = self.rng.choice(self.structs)
        name = self.name()
        size = self.rng.choice((0, 0, 2))
        elements = ["[%d]" % i for i in range(size)] or [""]
        if self.hlsl:
            for element in elements:
                for path, expression in leaves:
                    self.declared(name + element + path, self.read_texture(name + element + expression))
            return "%s %s%s;" % (struct, name, "[%d]" % size if size else "")
        for path, expression in leaves:
            self.declared(name + path, self.read_texture(name + elements[-1] + expression))
        return "uniform %s %s%s;" % (struct, name, "[%d]" % size if size else "")

    # what surrounds them

    def decoy(self):
        """Inactive text, with names that are declared elsewhere."""
        used = [n for n in self.order if "." not in n and "[" not in n] + self.names[-4:]
        self.rng.shuffle(used)
        kind = "Texture2D %s;" if self.hlsl else "layout(AUTO) uniform texture2D %s;"
        return "\n".join(kind % n for n in used[:3])

    def condition(self):
        r = self.rng
        known = sorted(self.macros)
        kind = r.randrange(6)
        name = r.choice(known + ["NEVER"]) if known else "NEVER"
        if kind == 0:
            return "#ifdef " + name, name in self.macros
        if kind == 1:
            return "#ifndef " + name, name not in self.macros
        if kind == 2:
            return "#if defined(%s) && !defined NEVER" % name, name in self.macros
        numbers = [n for n in known if self.macros[n]]
        if kind == 3 and numbers:
            n = r.choice(numbers)
            limit = r.randrange(8)
            return "#if %s * 2 > %d + 1" % (n, limit), int(self.macros[n]) * 2 > limit + 1
        value = r.randrange(3)
        return "#if %d - 1 // %s" % (value, name), value != 1

    def conditional(self, depth):
        text, holds = self.condition()
        lines = [text]
        lines.append(self.items(depth + 1) if holds else self.decoy())
        if self.rng.random() < 0.4:
            text, second = self.condition()
            if text.startswith("#if "):
                lines.append("#el" + text[1:])
                lines.append(self.items(depth + 1) if second and not holds else self.decoy())
                holds |= second
        if self.rng.random() < 0.6:
            lines += ["#else", self.decoy() if holds else self.items(depth + 1)]
        return "\n".join(lines + ["#endif"])

    def include(self, depth):
        name = "inc%d.h" % len(self.files)
        self.files[name] = ""
        guard = "GUARD_%d" % len(self.files)
        self.macros[guard] = ""
        self.files[name] = "#ifndef %s\n#define %s\n%s\n#endif\n" % (guard, guard, self.items(depth + 1))
        return "\n".join(['#include "%s"' % name] * self.rng.choice((1, 1, 2)))

    def define(self):
        r = self.rng
        name = "M%d" % r.randrange(4)
        if name in self.macros and r.random() < 0.5:
            del self.macros[name]
            return "#undef " + name
        value = r.choice(("2", "3", "4", ""))
        self.macros[name] = value
        return "#undef %s\n#define %s %s" % (name, name, value)

    def noise(self):
        name = self.rng.choice(self.names[-6:])
        self.count += 1
        if self.hlsl:
            return self.rng.choice(("// Texture2D %s;" % name, "/* Texture2D\n%s; */" % name,
                                    "static float %s_%d;" % (name, self.count),
                                    "float f%d(float %s) { float z = %s; return z; }" % (self.count, name, name),
                                    "struct Z%d { float4 %s; };" % (self.count, name)))
        return self.rng.choice(("// uniform texture2D %s;" % name, "/* uniform texture2D\n%s; */" % name,
                                "float f%d(float %s) { float z = %s; return z; }" % (self.count, name, name),
                                "struct Z%d { vec4 %s; };" % (self.count, name), "#line %d" % (self.count * 10)))

    def items(self, depth=0):
        r, lines = self.rng, []
        for _ in range(r.randrange(1, 5)):
            if len(self.names) < 12:
                break
            makers = [self.texture, self.texture, self.made_by_macro, self.block, self.structured, self.struct,
                      self.define, self.noise]
            if depth < 3:
                makers += 2 * [lambda: self.conditional(depth), lambda: self.include(depth)]
            lines.append(r.choice(makers)())
        return "\n".join(lines)

    def text(self):
        top = "\n".join(self.items() for _ in range(3))
        used = [n for n in self.order if self.rng.random() < 0.85] or self.order[:1]
        self.used = list(used)
        self.rng.shuffle(used)
        body = "\n".join("\to += %s;" % self.uses[n] for n in used)
        if self.hlsl:
            return "%s\nfloat4 main() : SV_Target\n{\n\tfloat4 o = 0;\n%s\n\treturn o;\n}\n" % (top, body)
        return ("#version 460\n#extension GL_GOOGLE_include_directive : enable\n#define AUTO binding = 65534\n"
                "layout(location = 0) out vec4 o;\nlayout(AUTO) uniform sampler smp;\n%s\n"
                "void main()\n{\n\to = vec4(0);\n%s\n}\n" % (top, body))


def check(program, folder):
    """Returns how many resources the module has."""
    text = program.text()
    for name, content in program.files.items():
        running.write(os.path.join(folder, name), content)
    source = running.write(os.path.join(folder, "main.frag" + ".hlsl" * program.hlsl), text)
    module = os.path.join(folder, "main.spv")
    flags = ["-D", "-e", "main", "-S", "frag"] if program.hlsl else []
    newer = ["--target-env", "vulkan1.1"] if program.rng.random() < 0.3 else []
    done = running.run("glslangValidator", "-V", "--quiet", "-g", *flags, *newer, *program.options, source, "-o",
                       module, expect=None)
    if done.returncode == -11 and program.hlsl:
        return 0 # glslang 12 crashes on some unused structs of HLSL
    assert not done.returncode, done.stdout
    how = ["--rebind=all"] if program.hlsl else ["--auto-binding=65534"]
    done = running.bind("layout", "-q", *how, "--order=source-strict", "--layout-json", module)
    got = [b["name"] for s in json.loads(done.stdout)["sets"] for b in s["bindings"]]
    # A struct in GLSL is one resource, so its unused members exist, too.
    whole = {n.split(".")[0].split("[")[0] for n in program.used} if not program.hlsl else set()
    expected = [n for n in program.order
                if n in program.used or ("." in n and n.split(".")[0].split("[")[0] in whole)]
    got = [n for n in got if n != "smp"]
    missing = [n for n in got if n not in program.order]
    if missing or [n for n in expected if n in got] != [n for n in got if n in expected] or \
            not set(program.used) <= set(got):
        raise running.Failure("declared %s\nnumbered %s" % (" ".join(expected), " ".join(got)))
    order = {n: i for i, n in enumerate(program.order)}
    if sorted(got, key=order.get) != got:
        raise running.Failure("declared %s\nnumbered %s" % (" ".join(program.order), " ".join(got)))
    return len(got)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=25, help="programs of each language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the program that fails")
    args = parser.parse_args()
    running.BIND = args.bind
    total = 0
    for i in range(2 * args.count):
        with tempfile.TemporaryDirectory() as folder:
            folder = args.keep or folder
            try:
                total += check(Program(random.Random("%d %d" % (args.seed, i)), i % 2 == 1), folder)
            except running.Failure as e:
                print("program %d of seed %d: %s" % (i, args.seed, e))
                return 1
    print("%d programs, %d resources in the order of their source" % (2 * args.count, total))
    return 0 if total > 4 * args.count else 1


if __name__ == "__main__":
    sys.exit(main())
