# SPDX-License-Identifier: Apache-2.0
"""Random programs of one to four stages in GLSL, in HLSL, or in both, against a naive model of what the seeds say: the
numbers of a program follow from its declarations, whatever compilers make of the bodies.

    random_declarations.py --bind B [--count N] [--seed N]

Each program is compiled in several forms: with bodies, with empty ones, with others, optimized by spirv-opt, by the
command itself, each stage by itself, all stages linked into one module by spirv-link, and, in GLSL, with one of two
sentinels in place of numbers, by glslc, optimized or not, or numbered by glslang's --auto-map-bindings, also with
relaxed rules. All have to get the numbers of the model. Without a source text, whose order nobody knows, each name has
to be one resource, and no two have one number. What is bound has to stay as it is when it is bound again, together and
each stage alone, also after spirv-opt, and programs in one manifest have to be bound as each is alone. Each tenth
program is edited thirty times under a lock: bodies, and declarations, which come, go, and change names, types and sets.

    rules slang   declarations in the order of modules and of the text, one binding for each resource, also for an
                  array; those of a struct in a row; of one name in several modules the first; each gets the first
                  number of its set that no author took. Counters that only exist if a body asks come last
    both          one name to which authors gave two numbers is two resources, and two names in two modules to which
                  they gave one number are one
    rules hlsl    resources that are used, by class and space; an array takes a register for each element, and a counter
                  follows its buffer; then the smallest shifts that keep classes apart, in the order b, t, s, u
"""
import argparse
import copy
import glob
import json
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import read_places  # noqa: E402
from running import glslang, run, write  # noqa: E402

# kind -> declaration, use. {n}: name, {a}: [3] or nothing, {i}: [0] or nothing, {r}: register, {id}: a number; {k} and
# {w} differ from name to name, since spirv-link makes one type of blocks with equal members: those of HLSL and GLSL are
# told apart by their instances
GLSL = {
    "t": ("uniform texture2D {n}{a};", "texelFetch({n}{i}, ivec2(0), 0)"),
    "s": ("uniform sampler {n}{a};", "textureLod(sampler2D(any_map, {n}{i}), vec2(0), 0)"),
    "c": ("uniform sampler2D {n}{a};", "textureLod({n}{i}, vec2(0), 0)"),
    "i": ("uniform readonly image2D {n}{a};", "imageLoad({n}{i}, ivec2(0))"),
    "b": ("uniform {n} {{ vec4 {n}_v[{k}]; }};", "{n}_v[0]"),
    "u": ("buffer {n} {{ vec4 {w}v[]; }} {n}_of;", "{n}_of.v[0]"),
    "o": ("readonly buffer {n} {{ vec4 {w}v[]; }} {n}_of;", "{n}_of.v[0]"),
    "P": ("struct T_{n} {{ sampler2D a; texture2D b[2]; }}; uniform T_{n} {n}{a};",
          "textureLod({n}{i}.a, vec2(0), 0) + texelFetch({n}{i}.b[1], ivec2(0), 0)"),
    "B": ("uniform {n} {{ vec4 {n}_v[{k}]; }} {n}_of[2];", "{n}_of[1].{n}_v[0]"),
    "U": ("buffer {n} {{ vec4 {w}v[]; }} {n}_of[3];", "{n}_of[2].v[0]"),
    "z": ("layout(constant_id = {id}) const int {n}_size = 3; uniform texture2D {n}[{n}_size];",
          "texelFetch({n}[1], ivec2(0), 0)"),
    "m": ("uniform texture2D {n}[2][3];", "texelFetch({n}[1][2], ivec2(0), 0)"),
    "r": ("uniform texture2D {n}[];", "texelFetch({n}[1], ivec2(0), 0)"),
    "f": ("uniform samplerBuffer {n}{a};", "texelFetch({n}{i}, 0)"),
    "p": ("uniform subpassInput {n};", "subpassLoad({n})"),
    "D": ("uniform texture2D {n}, {n}_two;", "texelFetch({n}_two, ivec2(0), 0)"),
    "l": ("uniform vec4 {n}[{k}];", "{n}[0]"),
    "V": ("struct T_{n} {{ vec4 pos; sampler2D a, b; }}; uniform T_{n} {n};",
          "textureLod({n}.b, vec2(0), 0) + {n}.pos"),
}
RELAXED = "lV"  # only with glslang -R
HLSL = {
    "t": ("Texture2D {n}{a}{r};", "{n}{i}.Load(int3(0, 0, 0))"),
    "s": ("SamplerState {n}{a}{r};", "any_map.SampleLevel({n}{i}, float2(0, 0), 0)"),
    "q": ("SamplerComparisonState {n}{r};", "any_map.SampleCmpLevelZero({n}, 0, 0)"),
    "b": ("cbuffer {n}{r} {{ float4 {n}_v[{k}]; }};", "{n}_v[0]"),
    "i": ("RWTexture2D<float4> {n}{a}{r};", "{n}{i}[uint2(0, 0)]"),
    "o": ("StructuredBuffer<float4> {n}{a}{r};", "{n}{i}[0]"),
    "u": ("RWStructuredBuffer<float4> {n}{a}{r};", "{n}{i}[0]"),
    "x": ("Buffer<float4> {n}{a}{r};", "{n}{i}[0]"),
    "d": ("Texture2D<float> {n}{r};", ["{n}.SampleLevel(plain, 0, 0)", "{n}.SampleCmpLevelZero(compare, 0, 0)",
                                       "{n}.SampleLevel(plain, 0, 0) + {n}.SampleCmpLevelZero(compare, 0, 0)"]),
    "k": ("RWStructuredBuffer<float4> {n}{r};", "{n}[{n}.IncrementCounter()]"),
    "a": ("AppendStructuredBuffer<float4> {n}{r};", ".Append"),
    "e": ("ConsumeStructuredBuffer<float4> {n}{r};", "{n}.Consume()"),
    "S": ("struct T_{n} {{ Texture2D a; RWBuffer<float4> b, c; }}; T_{n} {n};", "{n}.a[uint2(1, 2)] + {n}.c[2]"),
    "E": ("struct T_{n} {{ Buffer<float4> a, b; }}; T_{n} {n}[2];", "{n}[1].a[0] + {n}[0].b[0]"),
    "L": ("struct T_{n} {{ Texture2D a[2]; AppendStructuredBuffer<float4> b; }}; T_{n} {n};", "{n}.a[1][uint2(1, 2)]"),
    "l": ("float4 {n}[{k}];", "{n}[0]"),
    "m": ("Texture2D {n}[2][3]{r};", "{n}[1][2].Load(int3(0, 0, 0))"),
    "C": ("struct T_{n} {{ float4 {n}_v[{k}]; }}; ConstantBuffer<T_{n}> {n}{a}{r};", "{n}{i}.{n}_v[0]"),
    "T": ("tbuffer {n}{r} {{ float4 {n}_v[{k}]; }};", "{n}_v[0]"),
    "y": ("ByteAddressBuffer {n}{r};", "{n}.Load(0)"),
    "R": ("RWByteAddressBuffer {n}{r};", "{n}.Load(0)"),
    "N": ("namespace N {{ Texture2D {n}{r}; }}", "N::{n}.Load(int3(0, 0, 0))"),
    "G": ("cbuffer {n} {{ float4 {n}_v[{k}]; Texture2D {n}_t; RWBuffer<float4> {n}_u; }};",
          "{n}_v[0] + {n}_u[1]"),
    "I": ("struct T_{n} {{ float3 pos; Texture2D map, other; }}; T_{n} {n};",
          "{n}.map.Load(int3(0, 0, 0)) + {n}.pos.x"),
}
# kind -> resources: suffix, or the name with {n}, class, how many descriptors, whether the use above uses it
RESOURCES = {
    "D": [("", "t", 1, False), ("_two", "t", 1, True)],
    "m": [("", "t", 6, True)],
    "V": [(".a", "t", 1, False), (".b", "t", 1, True)],
    "N": [("N::{n}", "t", 1, True)],
    "G": [("", "b", 1, True), (".{n}_t", "t", 1, False), (".{n}_u", "u", 1, True)],
    "I": [(".map", "t", 1, True), (".other", "t", 1, False), ("", "b", 1, True)],
    "S": [(".a", "t", 1, True), (".b", "u", 1, False), (".c", "u", 1, True)],
    "E": [("[0].a", "t", 1, False), ("[0].b", "t", 1, True), ("[1].a", "t", 1, True), ("[1].b", "t", 1, False)],
    "L": [(".a", "t", 2, True), (".b", "u", 1, False), (".b@count", "u", 1, False)],
    "P": [(".a", "t", 1, True), (".b", "t", 2, True)],
    "a": [("", "u", 1, True), ("@count", "u", 1, True)],
    "e": [("", "u", 1, True), ("@count", "u", 1, True)],
    "k": [("", "u", 1, True), ("@count", "u", 1, True)],
}
CLASS = {"t": "t", "s": "s", "c": "t", "i": "u", "b": "b", "u": "u", "o": "t", "x": "t", "d": "t", "q": "s", "B": "b",
         "U": "u", "z": "t", "r": "t", "f": "t", "p": "t", "C": "b", "T": "t", "y": "t", "R": "u"}
NUMBERED = "tsqcibuoxdkaeBUzmrfpCTyRN"  # whose author may write a number
RUNS = "SELPVGI"  # numbered in a row
HEADS = {"vert": "", "tesc": "layout(vertices = 3) out;", "tese": "layout(triangles) in;",
         "frag": "layout(location = 0) out vec4 color;",
         "comp": "layout(set = 2, binding = 0) buffer zz { vec4 zz_v; };"}
ENDS = {"vert": "gl_Position = x;", "tesc": "gl_out[gl_InvocationID].gl_Position = x;", "tese": "gl_Position = x;",
        "frag": "color = x;", "comp": "zz_v = x;"}
HLSL_HEADS = {"vert": ("float4 main() : SV_Position", "return x;"), "frag": ("float4 main() : SV_Target", "return x;"),
              "comp": ("RWStructuredBuffer<float4> zz : register(u0, space2);\n[numthreads(1, 1, 1)] void main()",
                       "zz[0] = x;")}
PIPELINES = [["comp"], ["frag"], ["vert", "frag"], ["vert", "frag"], ["vert", "tesc", "tese", "frag"]]
STAGES = {"vert": "VK_SHADER_STAGE_VERTEX_BIT", "tesc": "VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT",
          "tese": "VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", "frag": "VK_SHADER_STAGE_FRAGMENT_BIT",
          "comp": "VK_SHADER_STAGE_COMPUTE_BIT"}


class Declared:
    def __init__(self, name, kind, count=1):
        self.name, self.kind, self.count = name, kind, count
        self.set = self.number = None  # that the author wrote
        self.length = int(name[1:]) if name[1:].isdigit() else 1
        self.same = name  # the same resource as what has this, too

    def resources(self, name=None):
        """Name, class, number of descriptors, and whether a use of the declaration uses it."""
        name = name or self.same
        return [(suffix.format(n=name) if suffix.startswith("N::") else name + suffix.format(n=self.name), letter,
                 n * self.count, used)
                for suffix, letter, n, used in RESOURCES.get(self.kind) or [("", CLASS[self.kind], 1, True)]]

    def called(self, name, number, same):
        """The same declaration in another stage, by another name or with another number."""
        other = copy.copy(self)
        other.name, other.number, other.same = name, number, same
        if self.kind in "bCT":  # spirv-link makes one type of blocks with equal members, and one name
            other.length = int(name[1:])
        return other


class Stage:
    """A module: its stage and language, what it declares in the order of the text, and the names that its body uses."""

    def __init__(self, stage, language, declared):
        self.stage, self.language, self.declared, self.uses, self.samples = stage, language, declared, set(), 0

    def choose_uses(self, rng):
        self.uses = {d.name for d in self.declared if rng.random() < 0.6}
        self.samples = rng.randrange(3)  # which kinds of samplers a texture is used with
        needs = {"d": [["plain"], ["compare"], ["plain", "compare"]][self.samples], "s": ["any_map"], "q": ["any_map"]}
        for d in sorted(self.declared, key=lambda d: d.kind):  # "d" first
            self.uses |= {name for name in needs.get(d.kind, []) if d.name in self.uses}


def kinds_of(language, relaxed):
    return set(HLSL) if language == "hlsl" else set(GLSL) - (set() if relaxed else set(RELAXED))


class Program:
    """Modules that share `plain`, `compare` and `any_map`. places: how authors write numbers in HLSL."""

    def __init__(self, rng, pipelines=PIPELINES, without="", parts=True):
        self.rng, self.made, self.without = rng, 0, without
        self.rules = rng.choice(["slang", "slang", "hlsl"])
        languages = ["hlsl"] if self.rules == "hlsl" else rng.choice([["glsl"], ["hlsl"], ["glsl", "hlsl"]])
        self.places = "register" if self.rules == "hlsl" else rng.choice(["register", "vk"])
        pipeline = rng.choice([p for p in pipelines if languages[0] == "glsl" or "tesc" not in p])
        self.languages = ["glsl" if "tes" in s else rng.choice(languages) for s in pipeline]
        self.relaxed = set(self.languages) == {"glsl"} and rng.random() < 0.25
        self.common = [Declared("any_map", "t"), Declared("plain", "s"), Declared("compare", "q")]
        self.pool = self.common + [self.new() for _ in range(rng.randint(1, 9))]
        if rng.random() < 0.4:
            self.number()
        self.stages = [Stage(stage, language, []) for stage, language in zip(pipeline, self.languages)]
        for stage in self.stages:
            stage.declared = self.some_for(stage)
        if parts and len(self.stages) > 1:
            self.part_and_share()
        self.change_bodies()

    def new(self):
        """A declaration of a kind that one of the languages has."""
        language = self.rng.choice(self.languages)
        self.made += 1
        kinds = sorted(kinds_of(language, self.relaxed) - set(self.without))
        d = Declared("n%d" % self.made, self.rng.choice(kinds))
        if d.kind in "tsPfC" and self.rng.random() < 0.25:
            d.count = self.rng.randint(2, 4)
        if set(self.languages) == {"glsl"} and d.kind in NUMBERED + "PD":  # glslang does not read register(space1)
            d.set = self.rng.choice([None, None, None, 0, 1])
        return d

    def number(self):
        """Numbers that authors wrote: each is far from the others, since an array takes a register for each element."""
        for at, d in enumerate(self.rng.sample(self.pool, len(self.pool) // 2)):
            if d.kind in NUMBERED:
                d.number = (10 if self.rules == "hlsl" else 2) * at + self.rng.randint(0, 1)
                d.set = self.rng.choice([None, None, 0, 1])

    def part_and_share(self):
        """Numbers of authors that do not follow the names, in one of the stages."""
        first, second = self.rng.sample(self.stages, 2)
        for d in [d for d in first.declared if d.number is not None and d not in self.common]:
            other = self.rng.choice(["", "", "two places", "two names"])
            if d in second.declared and other == "two places":
                second.declared[second.declared.index(d)] = d.called(d.name, d.number + 200, d.name + " elsewhere")
            elif d not in second.declared and other and self.can_be_in(d, second) and d.kind not in "kae":
                self.made += 1
                second.declared.append(d.called("n%d" % self.made, d.number, d.name))

    def can_be_in(self, d, stage):
        return d.kind in kinds_of(stage.language, self.relaxed) and (d.kind != "p" or stage.stage == "frag")

    def some_for(self, stage):
        """Some of the pool, shuffled. What a body may need is always there."""
        some = [d for d in self.pool if self.can_be_in(d, stage) and (d in self.common or self.rng.random() < 0.6)]
        self.rng.shuffle(some)
        return some

    def change_bodies(self):
        for stage in self.stages:
            stage.choose_uses(self.rng)


# Texts

def glsl_text(stage, sentinel, also_hlsl=False):
    """`sentinel`: the number of what has none; None: it has none."""
    lines = ["#version 460", "#extension GL_EXT_samplerless_texture_functions : enable",
             "#extension GL_EXT_nonuniform_qualifier : enable", HEADS[stage.stage]]
    for d in stage.declared:
        places = ["set = %d" % d.set] if d.set is not None else []
        places += ["binding = %d" % d.number] if d.number is not None else []
        places += ["binding = %d" % sentinel] if d.number is None and sentinel and d.kind not in "PlV" else []
        places += ["rgba32f"] if d.kind == "i" else ["input_attachment_index = %d" % d.length] if d.kind == "p" else []
        text = GLSL[d.kind][0].format(n=d.name, a="[%d]" % d.count if d.count > 1 else "", k=d.length, id=d.length,
                                      w="" if also_hlsl else "%s_w[%d], " % (d.name, d.length))
        at = text.rfind("; uniform ") + 2 if "; uniform " in text else 0
        lines.append(text[:at] + ("layout(%s) " % ", ".join(places) if places else "") + text[at:])
    lines.append("void main()\n{\n\tvec4 x = vec4(0);")
    lines += ["\tx += %s;" % GLSL[d.kind][1].format(n=d.name, i="[0]" if d.count > 1 else "")
              for d in stage.declared if d.name in stage.uses]
    return "\n".join(lines) + "\n\t%s\n}\n" % ENDS[stage.stage]


def hlsl_text(stage, places):
    lines = []
    for d in stage.declared:
        attribute = register = ""
        if d.number is not None and places == "vk":
            attribute = "[[vk::binding(%d%s)]] " % (d.number, ", %d" % d.set if d.set is not None else "")
        elif d.number is not None:
            register = " : register(%s%d%s)" % (d.resources()[0][1], d.number,
                                                ", space%d" % d.set if d.set is not None else "")
        text = HLSL[d.kind][0].format(n=d.name, k=d.length, r=register, a="[%d]" % d.count if d.count > 1 else "")
        at = text.find("{ ") + 2 if d.kind == "N" else text.rfind("; ") + 2 if d.kind == "C" else 0
        lines.append(text[:at] + attribute + text[at:])
    head, end = HLSL_HEADS[stage.stage]
    lines.append(head + "\n{\n\tfloat4 x = 0;")
    for d in stage.declared:
        use = HLSL[d.kind][1] if d.kind != "d" else HLSL["d"][1][stage.samples]
        use = use.format(n=d.name, i="[0]" if d.count > 1 else "")
        if d.name in stage.uses:
            lines.append("\t%s.Append(x);" % d.name if use == ".Append" else "\tx += %s;" % use)
    return "\n".join(lines) + "\n\t%s\n}\n" % end


# The model

def loose_of(stage):
    return tuple(d.name for d in stage.declared if d.kind in RELAXED)


def block_of(stage):
    """The block of loose uniforms: one for each different content."""
    return "$Global of " + " ".join(loose_of(stage))


def merged(program):
    """The declarations of the program, in order: of one name, the first. The first loose uniform of a stage declares
    the block of all."""
    all_of = {}
    for stage in program.stages:
        for d in stage.declared:
            if d.kind in RELAXED and block_of(stage) not in all_of:
                all_of[block_of(stage)] = Declared(block_of(stage), "b")
            if d.kind != "l":
                all_of.setdefault(d.same, d)
    return list(all_of.values())


def used_resources(program):
    used = set()
    for stage in program.stages:
        for d in stage.declared:
            if d.name in stage.uses:
                used |= {block_of(stage)} if d.kind == "l" else {name for name, _, _, uses in d.resources() if uses}
    return used


def first_free(taken, length):
    at = 0
    while any(at + k in taken for k in range(length)):
        at += 1
    return at


def slang_model(program, numbers=True):
    resources, taken, places = merged(program), {}, {}
    used = used_resources(program)
    fixed = {d.same: d.number for d in resources if numbers and d.number is not None}
    for d in resources:
        taken.setdefault(d.set or 0, set())
        if d.same in fixed:
            taken[d.set or 0].add(d.number)
    runs = []  # in order: set, names in a row
    for d in resources:
        names = [name for name, _, _, _ in d.resources()]
        if d.same in fixed:
            places[names[0]] = (d.set or 0, d.number)
            names = names[1:]
        if d.kind == "k":
            names = [n for n in names if n != d.same + "@count"]
        runs += [(d.set or 0, names)] if d.kind in RUNS else [(d.set or 0, [n]) for n in names]
    runs += [(d.set or 0, [d.same + "@count"]) for d in resources if d.kind == "k" and d.same in used]
    for at_set, names in runs:
        first = first_free(taken[at_set], len(names))
        taken[at_set].update(range(first, first + len(names)))
        places.update((name, (at_set, first + i)) for i, name in enumerate(names))
    return places


def hlsl_model(program):
    declared, used = merged(program), used_resources(program)
    lane, size, written = {}, {}, {}  # of each resource: space and class, descriptors, the register that is written
    for d in declared:
        for i, (name, letter, count, _) in enumerate(d.resources()):
            lane[name], size[name] = (d.set or 0, letter), count
            written[name] = d.number if i == 0 else None
    taken, registers, all_of = {l: set() for l in lane.values()}, {}, {l: set() for l in lane.values()}
    for name in used:
        if written[name] is not None:
            taken[lane[name]].update(range(written[name], written[name] + size[name]))
    for name in lane:
        if name in used:
            here = taken[lane[name]]
            at = written[name] if written[name] is not None else first_free(here, size[name])
            here.update(range(at, at + size[name]))
            registers[name] = at
        if name in used or written[name] is not None:  # registers of what is unused decide about shifts, too
            all_of[lane[name]].add(registers.get(name, written[name]))
    shift = {}
    for space in {s for s, _ in all_of}:
        bindings = set()
        for letter in "btsu":
            mine, by = all_of.get((space, letter), set()), 0
            while any(n + by in bindings for n in mine):
                by += 1
            bindings |= {n + by for n in mine}
            shift[space, letter] = by
    return {n: (lane[n][0], at + shift[lane[n]]) for n, at in registers.items()}


# Comparison

def layout_json(modules, options, out):
    text = running.bind(*options, *modules, "--out-dir", out, "--layout-json=" + out + ".json", "-q").stderr
    return json.loads(running.read_text(out + ".json")), text


def names_of(program, view):
    """What the model may call the resource of a view."""
    stages = [p for p in program.stages if p.stage in view["module"].split(".")] or [
        p for p in program.stages if STAGES[p.stage] in (view["stages"] or [STAGES[p.stage]])]
    if view["name"].startswith(("$Global", "gl_DefaultUniformBlock")):
        return [block_of(p) for p in stages]
    return [same for p in stages for d in p.declared if d.kind != "l"
            for (name, *_), (same, *_) in zip(d.resources(d.name), d.resources()) if name == view["name"]]


def views_of(layout):
    return [((s["set"], b["binding"]), v) for s in layout["sets"] for b in s["bindings"] for v in b["views"]
            if v["name"] != "zz"]


def compare(program, layout, wanted):
    """Each variable that a module still has is where the model has it."""
    wrong = {}
    for at, v in views_of(layout):
        names = names_of(program, v)
        if at not in [wanted.get(name) for name in names]:
            wrong[v["module"], v["name"]] = (at, [wanted.get(name) for name in names])
    return wrong


def compare_names(program, layout, numbers):
    """Without a text: each name is one resource, and no two have one number, unless authors chose otherwise and numbers
    count."""
    used = {d.same for stage in program.stages for d in stage.declared if d.name in stage.uses}
    fixed = {d.same: (d.set or 0, d.number) for stage in program.stages for d in stage.declared
             if d.number or (d.number == 0 and d.same in used)}  # glslang gives 0 to what is unused
    places, wrong = {}, {}
    for at, v in views_of(layout):
        name = names_of(program, v)[0]
        if not numbers and v["name"] in [d.name for stage in program.stages for d in stage.declared]:
            name = (v["name"], name.endswith(" elsewhere"))
        if places.setdefault(name, at) != at or (numbers and fixed.get(name, at) != at):
            wrong[v["module"], v["name"]] = (at, places[name], fixed.get(name))
    for name, at in places.items():
        others = [n for n, other in places.items() if other == at and n != name and (numbers or n[0] != name[0])]
        if others:
            wrong[name] = (at, others)
    return wrong


def check_again(modules, options, out):
    """What is bound stays as it is, and each stage keeps its numbers without the others."""
    bound = [os.path.join(out, os.path.basename(m).removesuffix(".spv") + ".spv") for m in modules]
    running.bind(*options, *bound, "--out-dir", out + "2", "-q")
    for b in bound:
        if running.read(b) != running.read(os.path.join(out + "2", os.path.basename(b))):
            return "bound again, %s differs" % os.path.basename(b)
    for b in bound:  # with --rebind=all it would get others
        if len(bound) == 1 or "--rebind=all" in options:
            run("spirv-opt", "-O", b, "-o", b)
        running.bind(options[0], b, "-o", out + ".spv", "-q")
        if read_places(b) != read_places(out + ".spv"):
            return "bound again alone, %s differs: %s" % (os.path.basename(b), {
                n: (at, read_places(out + ".spv").get(n)) for n, at in read_places(b).items()
                if read_places(out + ".spv").get(n) != at})
    return None


SENTINELS = {"sentinel 999": 999}
UNNUMBERED = ("amb", "glslc", "glslc -O", "amb without a text")  # in place of a sentinel, a tool numbers, or nobody


def compile_text(path, text, out, command, kept={}):
    """Many forms have the same texts, of which those of the latest programs are kept."""
    key = (os.path.basename(write(path, text)), text, *command)
    if key not in kept:
        if len(kept) > 100:
            kept.clear()
        run(*command, path, "-o", out)
        kept[key] = running.read(out)
    return write(out, kept[key])


def command_of(program, stage, form):
    is_hlsl = stage.language == "hlsl"
    if form.startswith("glslc") and not is_hlsl:
        return ["glslc", "-g", "-fauto-bind-uniforms", "-fshader-stage=" + stage.stage] + ["-O"] * form.endswith("-O")
    flags = [] if form.endswith("without a text") else ["-g"]
    flags += ["--auto-map-bindings"] if program.relaxed or (form.startswith("amb") and not is_hlsl) else []
    flags += ["-R", "--auto-map-locations"] if program.relaxed else []
    return ["glslangValidator", "-V", "--quiet", "-S", stage.stage, *flags] + (["-D", "-e", "main"] if is_hlsl else [])


def compile_program(program, form, tmp):
    modules = []
    for stage in program.stages:
        is_hlsl = stage.language == "hlsl"
        path = os.path.join(tmp, "a." + stage.stage + ".hlsl" * is_hlsl)
        sentinel = None if form == "sources" or form in UNNUMBERED else SENTINELS.get(form, 65534)
        text = hlsl_text(stage, program.places) if is_hlsl else glsl_text(stage, sentinel, "hlsl" in program.languages)
        if form == "sources":  # the command compiles them itself
            modules.append(write(path, text))
            continue
        module = compile_text(path, text, os.path.join(tmp, "a.%s.spv" % stage.stage), command_of(program, stage, form))
        if form.startswith("optimized"):
            run("spirv-opt", "-O", module, "-o", module)
        modules.append(module)
    if form == "linked":
        run("spirv-link", *modules, "-o", os.path.join(tmp, "linked.spv"))
        modules = [os.path.join(tmp, "linked.spv")]
    return modules


def check_form(program, form, tmp):
    """What is wrong with the numbers of a form; None: nothing."""
    if form == "other bodies":
        program.change_bodies()
    if form == "emptied":
        for stage in program.stages:
            stage.uses = set()
    if form == "alone":
        whole = program.stages
        said = None
        for stage in whole if len(whole) > 1 else []:
            program.stages = [stage]
            said = said or check_form(program, "plain", tmp)
        program.stages = whole
        return said
    modules = compile_program(program, form, tmp)
    options = ["--rules=" + program.rules] + ["--rebind=all"] * (form == "all" or form == "amb without a text")
    options += ["--auto-binding=%d" % SENTINELS[form]] if form in SENTINELS else []
    out = os.path.join(tmp, "out")
    layout, said = layout_json(modules, options, out)
    if form.endswith("without a text"):
        wrong = compare_names(program, layout, form != "amb without a text")
    else:
        wrong = compare(program, layout, hlsl_model(program) if program.rules == "hlsl" else
                        slang_model(program, form != "all"))
    if wrong:
        texts = [running.read_text(os.path.join(tmp, "a." + stage.stage + ".hlsl" * (stage.language == "hlsl")))
                 for stage in program.stages]
        return "is, should be: %s\n%s%s" % (wrong, said, "".join(texts))
    return check_again(modules, options, out)


# Many programs, and many versions of one

def keep(program, name, tmp):
    """Lines of a manifest for the program as it is, whose outputs have to be those of the program alone."""
    folder = os.path.join(tmp, name)
    os.mkdir(folder)
    modules = compile_program(program, "plain", folder)
    running.bind("--rules=" + program.rules, *modules, "--out-dir", os.path.join(folder, "alone"), "-q")
    return "program %s: %s --rules=%s\n" % (name, " ".join("%s -o %s.bound" % (m, m) for m in modules), program.rules)


def check_manifest(lines, tmp):
    running.bind("-m", write(os.path.join(tmp, "game.manifest"), "".join(lines)), "-q")
    found = sorted(glob.glob(os.path.join(tmp, "*", "*.bound")))
    differ = [m for m in found if running.read(m) != running.read(os.path.join(
        os.path.dirname(m), "alone", os.path.basename(m).removesuffix(".bound")))]
    return None if found and not differ else "in a manifest, these differ: %s" % differ


def classes_of(kind):
    return {letter for _, letter, _, _ in Declared("n1", kind).resources()}


def rename(program, d, lock):
    """As the documentation asks: with a line in the lock for each resource. Returns what finds the old name."""
    program.made += 1
    old, d.name = re.compile(d.name + r"(?!\d)"), "n%d" % program.made
    for stage in program.stages:
        stage.uses = {old.sub(d.name, name) for name in stage.uses}
    d.same = d.name
    lines = running.read_text(lock)
    write(lock, lines + "".join("rename %s -> %s\n" % (name, old.sub(d.name, name)) for name in re.findall(
        r"^(?:resource|removed) (\S+) ", lines, re.M) if old.search(name)))
    return old


def edit(program, removed, known, lock):
    """known: name -> place."""
    rng, stage = program.rng, program.rng.choice(program.stages)
    kind = rng.choice(["bodies", "shuffle", "add", "add", "remove", "return", "stage", "rename", "type", "set"])
    own = [d for d in program.pool if d not in program.common]
    if kind == "bodies":
        program.change_bodies()
    elif kind == "shuffle":
        rng.shuffle(stage.declared)
    elif kind == "remove":
        gone = rng.choice(own or [None])
        removed += [gone] if gone else []
        program.pool = [d for d in program.pool if d is not gone]
        for each in program.stages:
            each.declared = [d for d in each.declared if d is not gone]
    elif kind == "rename" and own:
        d = rng.choice(own)
        old = rename(program, d, lock)
        for name in [name for name in known if old.search(name)]:
            known[old.sub(d.name, name)] = known.pop(name)
    elif kind == "type" and own:
        d = rng.choice(own)
        kinds = set.intersection(*[kinds_of(language, False) for language in program.languages])
        kinds -= set("pmL" + RELAXED)  # L: n.a would take more registers
        if program.rules == "hlsl":  # those of another class may lie in an array that has gone
            kinds = {kind for kind in kinds if classes_of(kind) == classes_of(d.kind)} | {d.kind}
        d.kind = rng.choice(sorted(kinds))
    elif kind == "set" and own and set(program.languages) == {"glsl"}:
        d = rng.choice(own)
        d.set = rng.choice([0, 1])
        for name in [name for name, *_ in d.resources() if name in known and known[name][0] != d.set]:
            del known[name]
    else:  # a new one, one that was there before, or one of another stage
        d = program.new() if kind == "add" else rng.choice(removed if kind == "return" and removed else program.pool)
        while d.kind in RELAXED:  # its block gets another content, and with it another name
            d = program.new()
        program.pool += [d] if d not in program.pool else []
        if d in removed:
            removed.remove(d)
        if program.can_be_in(d, stage) and d not in stage.declared:
            stage.declared.insert(rng.randrange(len(stage.declared) + 1), d)
    return kind


def check_lock(seed, tmp, edits=30):
    """What has a number keeps it, whatever else comes and goes; numbers of what has gone are not given away."""
    program = Program(random.Random(seed), parts=False)
    program.pool = [d for d in program.pool if d.kind not in RELAXED]
    for d in program.pool:
        d.number = None
        d.set = None if "hlsl" in program.languages else d.set  # which HLSL writes with a number only
    for stage in program.stages:
        stage.declared = [d for d in stage.declared if d.kind not in RELAXED]
    lock, known, removed, out = os.path.join(tmp, "l.lock"), {}, [], os.path.join(tmp, "locked")
    options = ["--rules=" + program.rules, "--lock=" + lock]
    if os.path.exists(lock):
        os.remove(lock)
    for step in range(edits):
        kind = edit(program, removed, known, lock) if step else "start"
        modules = compile_program(program, "plain", tmp)
        before = running.read(lock) if step else b""
        done = running.bind("lock", "check", *options, *modules, "-q", expect=None) if step else None
        layout, said = layout_json(modules, options + ["--update-lock"], out)
        if done and (done.returncode != 0) != (running.read(lock) != before):
            return "edit %d (%s): lock check ends with %d: %s" % (step, kind, done.returncode, done.stderr)
        places = {v["name"]: (s["set"], b["binding"]) for s in layout["sets"] for b in s["bindings"]
                  for v in b["views"]}
        moved = {n: (known[n], at) for n, at in places.items() if known.get(n, at) != at}
        taken = [n for n, at in places.items() if any(at == other and n != m for m, other in known.items())]
        moved.update({n: d.set for d in program.pool if d.set is not None for n, *_ in d.resources()
                      if n in places and places[n][0] != d.set})
        if moved or taken or len(set(places.values())) != len(places):
            return "edit %d (%s): moved %s, taken %s: %s\n%s" % (step, kind, moved, taken, places, said)
        known.update(places)
        before = running.read(lock)
        running.bind(*options, "--locked", *modules, "--out-dir", out, "-q")
        if running.read(lock) != before:
            return "edit %d (%s): --locked has changed the lock" % (step, kind)
    return None


def one(seed, tmp, count):
    program = Program(random.Random(seed))
    forms = ["plain", "optimized", "alone", "other bodies"] + ["sources"] * (not program.relaxed)
    if program.rules == "slang":
        forms += ["all"]
    if "glsl" in program.languages:
        forms += ["amb", "sentinel 999"] + ["glslc"] * (not program.relaxed)
        if not program.relaxed and not any(d.kind in "mP" for stage in program.stages for d in stage.declared):
            forms.append("glslc -O")  # which validates before it optimizes, and Vulkan has neither
    if set(program.languages) == {"glsl"}:
        forms += ["amb without a text"]
        if not program.relaxed:  # whose numbers, glslang's own, would be kept
            forms += ["without a text", "optimized without a text"]
    if len(program.stages) > 1:
        forms.insert(2, "linked")
    if program.rules == "slang":
        forms += ["emptied"]
    kind = "%s, rules %s" % (" and ".join(sorted(set(program.languages))), program.rules)
    for form in forms:
        said = check_form(program, form, tmp)
        if said:
            return "%s, %s: %s" % (kind, form, said)
        count[kind, form] = count.get((kind, form), 0) + 1
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=3000 if os.environ.get("SPB_TEST_ALL") else 12)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    failed, count, lines = 0, {}, []
    with tempfile.TemporaryDirectory() as tmp:
        def attempt(what, check, *given):
            try:
                said = check(*given)
            except running.Failure as failure:
                said = str(failure)
            if said:
                print("FAILED %s: %s\n" % (what, said), flush=True)
            return bool(said)

        for seed in range(args.seed, args.seed + args.count):
            failed += attempt("seed %d" % seed, one, seed, tmp, count)
            lines.append(keep(Program(random.Random(seed)), "p%d" % seed, tmp))
            if seed % 10 == 0:
                failed += attempt("seed %d, under a lock" % seed, check_lock, seed, tmp)
        failed += attempt("manifest", check_manifest, lines, tmp)
    for (kind, form), n in sorted(count.items()):
        print("%5d %s, %s" % (n, kind, form))
    print("%d programs, %d wrong" % (args.count, failed))
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
