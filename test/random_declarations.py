# SPDX-License-Identifier: Apache-2.0
"""Random programs of one to four stages in GLSL and HLSL, against a naive model of what the seeds say: the numbers of a
program follow from its declarations, whatever compilers make of the bodies.

    random_declarations.py --bind B [--count N] [--seed N]

Each program is compiled in several forms: with bodies, with empty ones, optimized by spirv-opt, and, in GLSL, with a
sentinel in place of numbers or numbered by glslang's --auto-map-bindings. All have to get the numbers of the model.
What is bound has to stay as it is when it is bound again, together and each stage alone.

    rules slang   declarations in the order of modules and of the text, one binding for each, also for an array; of one
                  name in several modules the first; each gets the first number of its set that no author took
    rules hlsl    the same with those that are used, by class and space; an array takes a register for each element;
                  then the smallest shifts that keep classes apart, in the order b, t, s, u
"""
import argparse
import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import read_places  # noqa: E402
from running import glslang, run, write  # noqa: E402

STAGES = ["vert", "tesc", "tese", "frag"]
HEADS = {"vert": "", "tesc": "layout(vertices = 3) out;\n", "tese": "layout(triangles) in;\n", "frag": "", "comp": ""}
GLSL = {  # kind -> declaration, use
    "t": ("uniform texture2D {n}{a};", "x += vec4(textureSize({n}{i}, 0), 0, 0);"),
    "s": ("uniform sampler {n}{a};", "x += vec4(textureSize(sampler2D(any_map, {n}{i}), 0), 0, 0);"),
    "c": ("uniform sampler2D {n}{a};", "x += textureLod({n}{i}, vec2(0), 0);"),
    "i": ("uniform readonly image2D {n}{a};", "x += imageLoad({n}{i}, ivec2(0));"),
    "b": ("uniform {n} {{ vec4 v; }} {n}_of{a};", "x += {n}_of{i}.v;"),
    "u": ("buffer {n} {{ vec4 v; }} {n}_of{a};", "x += {n}_of{i}.v;"),
}
HLSL = {  # kind -> declaration, use, class
    "t": ("Texture2D {n}{a}{r};", "x += {n}{i}.Load(int3(0, 0, 0));", "t"),
    "s": ("SamplerState {n}{a}{r};", "x += any_map.SampleLevel({n}{i}, float2(0, 0), 0);", "s"),
    "b": ("cbuffer {n}{r} {{ float4 {n}_v; }};", "x += {n}_v;", "b"),
    "i": ("RWTexture2D<float4> {n}{a}{r};", "x += {n}{i}[uint2(0, 0)];", "u"),
    "o": ("StructuredBuffer<float4> {n}{a}{r};", "x += {n}{i}[0];", "t"),
    "u": ("RWStructuredBuffer<float4> {n}{a}{r};", "x += {n}{i}[0];", "u"),
}


class Declared:
    def __init__(self, rng, name, language):
        self.name, self.kind = name, rng.choice("tscibu" if language == "glsl" else "tsbiou")
        self.count = rng.randint(2, 4) if self.kind in "ts" and rng.random() < 0.25 else 1
        self.set = rng.choice([None, None, None, 0, 1])
        self.number = None


def generate(rng, language):
    """Stages, each a list of declarations and of those that its body uses. `any_map` is in all of them."""
    pool = [Declared(rng, "n%d" % i, language) for i in range(rng.randint(1, 9))]
    common = Declared(rng, "any_map", language)
    common.kind, common.count, common.set = "t", 1, None
    pool.append(common)
    if rng.random() < 0.4:  # numbers that the author wrote, each once
        for number, d in enumerate(rng.sample(pool, len(pool) // 2)):
            d.number = 2 * number + rng.randint(0, 1)
    stages = rng.choice([["comp"], ["frag"], ["vert", "frag"], ["vert", "frag"], STAGES])
    program = []
    for stage in stages:
        mine = [d for d in pool if d is common or rng.random() < 0.6]
        rng.shuffle(mine)
        program.append((stage, mine, {d.name for d in mine if rng.random() < 0.6}))
    return program


def glsl_text(stage, declared, used, sentinel):
    lines = ["#version 460", "#extension GL_EXT_shader_image_load_formatted : enable",
             "#extension GL_EXT_samplerless_texture_functions : enable", HEADS[stage]]
    for d in declared:
        places = ["set = %d" % d.set] if d.set is not None else []
        places += ["binding = %d" % d.number] if d.number is not None else ["binding = 65534"] if sentinel else []
        lines.append(("layout(%s) " % ", ".join(places) if places else "") +
                     GLSL[d.kind][0].format(n=d.name, a="[%d]" % d.count if d.count > 1 else ""))
    lines.append("void main()\n{\n\tvec4 x = vec4(0);")
    lines += ["\t" + GLSL[d.kind][1].format(n=d.name, i="[0]" if d.count > 1 else "")
              for d in declared if d.name in used]
    return "\n".join(lines) + "\n}\n"


def hlsl_text(stage, declared, used):
    lines = []
    for d in declared:
        letter = HLSL[d.kind][2]
        register = ["%s%d" % (letter, d.number)] if d.number is not None else []
        register += ["space%d" % d.set] if d.set is not None else []
        lines.append(HLSL[d.kind][0].format(n=d.name, a="[%d]" % d.count if d.count > 1 else "",
                                            r=" : register(%s)" % ", ".join(register) if register else ""))
    heads = {"vert": ("float4 main() : SV_Position", "return x;"), "frag": ("float4 main() : SV_Target", "return x;"),
             "comp": ("RWStructuredBuffer<float4> zz : register(u0, space9);\n[numthreads(1, 1, 1)] void main()",
                      "zz[0] = x;")}
    head, end = heads[stage]
    lines.append(head + "\n{\n\tfloat4 x = 0;")
    lines += ["\t" + HLSL[d.kind][1].format(n=d.name, i="[0]" if d.count > 1 else "")
              for d in declared if d.name in used]
    return "\n".join(lines) + "\n\t%s\n}\n" % end


def merged(program):
    """The declarations of the program: of one name, the first."""
    all_of = {}
    for _, declared, _ in program:
        for d in declared:
            all_of.setdefault(d.name, d)
    return list(all_of.values())


def first_free(taken, length):
    at = 0
    while any(at + k in taken for k in range(length)):
        at += 1
    return at


def slang_model(program):
    resources, taken = merged(program), {}
    for d in resources:
        if d.number is not None:
            taken.setdefault(d.set or 0, set()).add(d.number)
    places = {}
    for d in resources:
        here = taken.setdefault(d.set or 0, set())
        at = d.number if d.number is not None else first_free(here, 1)
        here.add(at)
        places[d.name] = (d.set or 0, at)
    return places


def hlsl_model(program, used):
    resources, taken, registers, all_of = merged(program), {}, {}, {}
    lane = {d.name: (d.set or 0, HLSL[d.kind][2]) for d in resources}
    for d in resources:
        if d.number is not None and d.name in used:
            taken.setdefault(lane[d.name], set()).update(range(d.number, d.number + d.count))
    for d in resources:
        if d.name in used:
            here = taken.setdefault(lane[d.name], set())
            at = d.number if d.number is not None else first_free(here, d.count)
            here.update(range(at, at + d.count))
            registers[d.name] = at
        if d.name in used or d.number is not None:  # registers of what is unused decide about shifts, too
            all_of.setdefault(lane[d.name], set()).add(registers.get(d.name, d.number))
    shift = {}
    for space in {s for s, _ in all_of}:
        taken = set()
        for letter in "btsu":
            mine, by = all_of.get((space, letter), set()), 0
            while any(n + by in taken for n in mine):
                by += 1
            taken |= {n + by for n in mine}
            shift[space, letter] = by
    return {n: (lane[n][0], at + shift[lane[n]]) for n, at in registers.items()}


def places_of(modules, options, out):
    text = running.bind(*options, *modules, "--out-dir", out, "--layout-json=" + out + ".json", "-q").stderr
    layout = json.loads(running.read_text(out + ".json"))
    found = {v["name"]: (s["set"], b["binding"]) for s in layout["sets"] for b in s["bindings"] for v in b["views"]}
    found.pop("zz", None)
    return found, text


def check_again(modules, options, out):
    """What is bound stays as it is, and each stage keeps its numbers without the others."""
    bound = [os.path.join(out, os.path.basename(m)) for m in modules]
    running.bind(*options, *bound, "--out-dir", out + "2", "-q")
    for b in bound:
        if running.read(b) != running.read(os.path.join(out + "2", os.path.basename(b))):
            return "bound again, %s differs" % os.path.basename(b)
    for b in bound:
        running.bind(*options, b, "-o", out + ".spv", "-q")
        if read_places(b) != read_places(out + ".spv"):
            return "bound again alone, %s differs" % os.path.basename(b)
    return None


def compile_program(program, language, form, tmp):
    modules = []
    for stage, declared, used in program:
        used = set() if form == "emptied" else used
        path = os.path.join(tmp, "a." + stage)
        write(path, glsl_text(stage, declared, used, form != "amb") if language == "glsl" else
              hlsl_text(stage, declared, used))
        flags = ["-g"] + (["--auto-map-bindings"] if form == "amb" else []) + (
            ["-D", "-e", "main"] if language == "hlsl" else [])
        module = glslang(path, path + ".spv", "-S", stage, *flags)
        if form == "optimized":
            run("spirv-opt", "-O", module, "-o", module)
        modules.append(module)
    return modules


def one(seed, tmp, count):
    rng = random.Random(seed)
    language, rules = rng.choice([("glsl", "slang"), ("hlsl", "slang"), ("hlsl", "hlsl")])
    program = generate(rng, language)
    if language == "hlsl":
        program = [p for p in program if p[0] not in ("tesc", "tese")]
    if (language, rules) == ("hlsl", "slang"):  # registers of several classes at one number are no bindings
        for d in merged(program):
            d.number = None
    for d in merged(program) if language == "hlsl" else []:
        if d.number is None:
            d.set = None  # glslang does not read register(space1)
        else:
            d.number *= 10  # apart from arrays
    used = {n for _, declared, uses in program for n in uses}
    if any(d.kind == "s" and d.name in used for d in merged(program)):
        used |= {"any_map"}
        program = [(s, all_of, uses | {"any_map"} if any(d.kind == "s" and d.name in uses for d in all_of) else uses)
                   for s, all_of, uses in program]
    wanted = slang_model(program) if rules == "slang" else hlsl_model(program, used)
    forms = ["plain", "optimized"] + ([] if rules == "hlsl" else ["emptied"]) + (["amb"] if language == "glsl" else [])
    for form in forms:
        options = ["--rules=" + rules]
        modules = compile_program(program, language, form, tmp)
        got, text = places_of(modules, options, os.path.join(tmp, "out"))
        wrong = {n: (at, wanted.get(n)) for n, at in got.items() if at != wanted.get(n)}
        if wrong:
            return "%s, rules %s, %s: is, should be: %s\n%s%s" % (language, rules, form, wrong, text, "".join(
                running.read_text(m[:-4]) for m in modules))
        again = check_again(modules, options, os.path.join(tmp, "out"))
        if again:
            return "%s, rules %s, %s: %s" % (language, rules, form, again)
        count[language, rules, form] = count.get((language, rules, form), 0) + 1
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=3000 if os.environ.get("SPB_TEST_ALL") else 24)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    failed, count = 0, {}
    with tempfile.TemporaryDirectory() as tmp:
        for seed in range(args.seed, args.seed + args.count):
            try:
                said = one(seed, tmp, count)
            except running.Failure as failure:
                said = str(failure)
            if said:
                failed += 1
                print("FAILED seed %d: %s\n" % (seed, said))
    for (language, rules, form), n in sorted(count.items()):
        print("%5d %s, rules %s, %s" % (n, language, rules, form))
    print("%d programs, %d wrong" % (args.count, failed))
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
