#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs whose numbers follow from their declarations, whatever the bodies of their functions use.

    bodies.py --bind B [--count N] [--seed N]

Each program declares resources in a header that its stages share. It is compiled several times, with bodies that use
different resources, optimised or not, and bound in parts and as a whole: every remaining resource has the number that
counting the declarations gives.
"""
import argparse
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from identity import layout_of  # noqa: E402
from random_declarations import first_free  # noqa: E402
from running import glslang, run, write  # noqa: E402

# A declaration of %s, its use, and the suffixes of the names that it counts for
HLSL = [
    ("Texture2D %s;", "%s[uint2(1, 2)]", [""]),
    ("Texture2D %s[3];", "%s[1][uint2(1, 2)]", [""]),
    ("Texture2D<float> %s;", "%s.SampleLevel(plain, 0, 0) + %s.SampleCmpLevelZero(compare, 0, 0)", [""]),
    ("Buffer<float4> %s;", "%s[1]", [""]),
    ("RWBuffer<float4> %s;", "%s[1]", [""]),
    ("StructuredBuffer<float4> %s;", "%s[1]", [""]),
    ("RWStructuredBuffer<float4> %s;", "%s[%s.IncrementCounter()]", [""]),
    ("AppendStructuredBuffer<float4> %s;", "%s.Append(total)", ["", "@count"]),
    ("ConsumeStructuredBuffer<float4> %s;", "%s.Consume()", ["", "@count"]),
    ("cbuffer %s { float4 m_%s; };", "m_%s", [""]),
    ("struct T_%s { Texture2D a; RWBuffer<float4> b, c; }; T_%s %s;", "%s.a[uint2(1, 2)] + %s.c[2]",
     [".a", ".b", ".c"]),
    ("struct T_%s { Texture2D a[2]; AppendStructuredBuffer<float4> b; }; T_%s %s;", "%s.a[1][uint2(1, 2)]",
     [".a", ".b", ".b@count"]),
    ("struct T_%s { Buffer<float4> a; Buffer<float4> b; }; T_%s %s[2];", "%s[1].a[0] + %s[0].b[0]",
     ["[0].a", "[0].b", "[1].a", "[1].b"]),
    ("float4 %s;", "%s", []),
]
GLSL = [
    ("layout(binding = 65534) uniform texture2D %s;", "texelFetch(%s, ivec2(1), 0)", [""]),
    ("layout(binding = 65534) uniform sampler2D %s[2];", "texture(%s[1], vec2(0))", [""]),
    ("layout(binding = 65534) uniform U_%s { vec4 m_%s; };", "m_%s", ["U_"]),
    ("layout(binding = 65534) buffer B_%s { vec4 m_%s[]; } %s;", "%s.m_%s[1]", ["B_"]),
    ("layout(binding = 65534, rgba8) uniform image2D %s;", "imageLoad(%s, ivec2(1))", [""]),
    ("layout(binding = 65534) uniform samplerBuffer %s;", "texelFetch(%s, 2)", [""]),
]
MAY_BE_FIXED = [HLSL[0][0], HLSL[3][0], HLSL[4][0], GLSL[0][0], GLSL[4][0]]
FIRST = {True: ["SamplerState plain;", "SamplerComparisonState compare;"], False: []}


SAMPLERLESS = "#extension GL_EXT_samplerless_texture_functions : enable"


class Program:
    def __init__(self, r, hlsl):
        self.r, self.hlsl, self.uses, self.counted = r, hlsl, [], [["plain"], ["compare"]] if hlsl else []
        self.text, loose, last = list(FIRST[hlsl]), False, []
        self.fixed, free = {}, r.sample(range(30), 12)
        for i in range(r.randrange(2, 12)):
            form, use, parts = r.choice(HLSL if hlsl else GLSL)
            name = "r%d" % i
            if form in MAY_BE_FIXED and r.random() < 0.3:
                self.fixed[name] = free.pop()
                place = " : register(%s%d);" % ("u" if "RW" in form else "t", self.fixed[name])
                form = form.replace(";", place) if hlsl else form.replace("65534", str(self.fixed[name]))
            self.text.append(form.replace("%s", name))
            self.uses.append(use.replace("%s", name))
            if not parts and not loose:  # the first loose uniform declares the block of all
                self.counted.append(["$Global"])
            loose |= not parts
            names = [part + name if part.endswith("_") else name + part for part in parts]
            self.counted += [names] if form.startswith("struct") else [[one] for one in names]
            last += [[name + "@count"]] * form.startswith("RWStructured")
        self.asked = [names[0] for names in last]  # exists if a function uses it
        self.counted += last

    def module(self, stage, name):
        """A module of a stage, whose body uses some of the resources, in any order."""
        used = self.r.sample(self.uses, self.r.randrange(len(self.uses) + 1))
        code = "".join(" %s;" % (use if ".Append(" in use else "total += " + use) for use in used)
        if self.hlsl:
            result = {"vert": "SV_Position", "frag": "SV_Target"}[stage]
            body = "float4 main() : %s { float4 total = 0;%s return total; }" % (result, code)
            text = "\n".join(self.text + [body]) + "\n"
            module = glslang(write(name + ".hlsl", text), name + ".spv", "-g", "-D", "-e", "main", "-S", stage)
        else:
            out = {"vert": [], "frag": ["layout(location = 0) out vec4 colour;"]}[stage]
            target = {"vert": "gl_Position", "frag": "colour"}[stage]
            body = "void main() { vec4 total = vec4(0);%s %s = total; }" % (code, target)
            text = "\n".join(["#version 460", SAMPLERLESS] + out + self.text + [body]) + "\n"
            module = glslang(write(name + "." + stage, text), name + ".spv", "-g")
        if self.r.random() < 0.5:
            run("spirv-opt", "-O", module, "-o", module)
        return module

    def expect(self, *modules):
        """Every resource has its number: the explicit one, or the first free one, in the order of the text."""
        for rules in ("--rules=slang", "--rebind=all"):
            places, _, said = layout_of(rules, *modules)
            fixed = self.fixed if rules == "--rules=slang" else {}
            taken, wanted = set(fixed.values()), {name: (0, number) for name, number in fixed.items()}
            for names in self.counted:  # those of a struct in a row
                if names[0] in fixed or (names[0] in self.asked and names[0] not in places):
                    continue
                first = first_free(taken, len(names))
                wanted.update((name, (0, first + i)) for i, name in enumerate(names))
                taken.update(range(first, first + len(names)))
            wrong = {name: (place, wanted.get(name)) for name, place in places.items() if wanted.get(name) != place}
            assert not wrong, (rules, modules, wrong, self.text, said)


def test(seed):
    r = random.Random(seed)
    program = Program(r, seed % 2 == 0)
    modules = [program.module(stage, "m%d" % i) for i, stage in enumerate(["vert", "frag", "vert", "frag"])]
    for one in modules:
        program.expect(one)
    program.expect(modules[0], modules[1])
    program.expect(modules[1], modules[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(args.seed, args.seed + args.count):
            test(seed)
        os.chdir("/")
    print("%d programs, each with the numbers of its declarations" % args.count)


if __name__ == "__main__":
    main()
