# SPDX-License-Identifier: Apache-2.0
"""Numbers in the tests of other compilers: DXC, LLVM, Slang, glslang and shaderc, under the profile or rules for each
of them. The rows of conformance/published.tsv are

    id  source  stage  options  declarations  published  ours  why

source is the test that publishes the numbers; declarations are written as in module_text.py. published are places
(name=set.binding; -: none) or registers (name=t5..8/1), or an error. Where we differ on purpose, ours has our numbers,
and why the reason. In the options, policy= is a policy in which _ stands for a blank and ; for the end of a line.

Then come random programs under --profile=glslang and dxc-auto-shift: against a model that looks for each number by
trying all, and against glslang itself.

    published.py --bind B [--count N] [--only WORD]
"""
import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from module_text import Item, Module, read_places, split  # noqa: E402
import running  # noqa: E402
from running import HERE, Failure, bind_bytes, run, run_bytes, summary, write  # noqa: E402

HEADER = "id source stage options declarations published ours why".split()
GLSL = {"t": "texture2D", "tex1": "texture1D", "s": "sampler", "img": "image2D", "stexbuf": "imageBuffer",
        "u": "imageBuffer", "utexbuf": "textureBuffer", "comb": "sampler2D"}
GLSLANG_KIND = {"texture,combined,utexbuf,input-attachment": "texture", "image,stexbuf": "image", "sampler": "sampler",
                "ubo": "UBO", "ssbo": "ssbo"}
SUFFIX = {"Vertex": "vert", "Fragment": "frag", "GLCompute": "comp"}
STAGE = {"Vertex": "vertex", "Fragment": "fragment", "GLCompute": "compute"}


def rows():
    with open(os.path.join(HERE, "conformance", "published.tsv")) as f:
        lines = [l.rstrip("\n").split("\t") for l in f]
    if lines[0] != HEADER:
        raise Failure("the header is %s" % lines[0])
    for line in lines[1:]:
        row = dict(zip(HEADER, line))
        if len(line) != len(HEADER) or bool(row["ours"]) != bool(row["why"]):
            raise Failure("a row has all fields, and a reason where we differ: %s" % line)
        yield row


class Bound:
    """Modules of declarations, bound in one process; each module and each run once."""

    def __init__(self, tmp):
        self.tmp, self.modules, self.results = tmp, {}, {}
        self.compared = 0  # random programs

    def module(self, declarations, stage):
        key = declarations, stage
        if key not in self.modules:
            path = os.path.join(self.tmp, "m%d" % len(self.modules))
            write(path + ".spvasm", Module(declarations, stage=stage).text())
            run_bytes("spirv-as", "--preserve-numeric-ids", "--target-env", "spv1.3", path + ".spvasm", "-o",
                      path + ".spv")
            self.modules[key] = path + ".spv"
        return self.modules[key]

    def options(self, text):
        for option in text.split():
            if option.startswith("policy="):
                policy = option[len("policy="):].replace("_", " ").replace(";", "\n")
                path = os.path.join(self.tmp, "policy%d" % (hash(policy) % 10**9))
                option = "--profile=" + write(path, policy + "\n")
            yield option

    def bind(self, declarations, stage, options):
        """(exit status, message, places, registers): the modules are read, and bound again."""
        key = declarations, stage, options
        if key not in self.results:
            out, path = os.path.join(self.tmp, "out.spv"), self.module(declarations, stage)
            options = [*self.options(options), "--order=module", "-q"]
            done = bind_bytes(*options, path, "-o", out, "--layout-json=" + out + ".json", expect=None)
            places, numbers = {}, {}
            if not done.returncode:
                places, numbers = read_places(out), registers(out + ".json")
                bind_bytes("check", *options, out)
                run("spirv-val", "--target-env", "vulkan1.2", out)
            self.results[key] = done.returncode, done.stderr.decode(), places, numbers
        return self.results[key]


def bindings(path):
    """Set, binding and the whole entry of each resource in a layout."""
    with open(path) as f:
        layout = json.load(f)
    return [((s["set"], b["binding"]), b) for s in layout["sets"] for b in s["bindings"]]


def registers(path):
    return {b["name"]: (b["class"] + str(b["register"]), b["range"][1], b["space"])
            for _, b in bindings(path) if "register" in b}


def expect(bound, row):
    status, message, places, numbers = bound.bind(row["declarations"], row["stage"], row["options"])
    wanted = row["ours"] or row["published"]
    if wanted.startswith("error"):
        missing = [w for w in wanted.split()[1:] if w not in message]
        if status != 1 or missing:
            raise Failure("%s should be said: exit %d, %s" % (wanted, status, message))
        return
    if status:
        raise Failure(message)
    for word in wanted.split():
        name, at = word.split("=")
        place = re.fullmatch(r"(\d+)\.(\d+)", at)
        register = re.fullmatch(r"([btsu]\d+)(\.\.(\d*))?(?:/(\d+))?", at)
        if place:
            if places.get(name.replace("..", ".")) != (int(place[1]), int(place[2])):
                raise Failure("%s should be at %s: %s" % (name, at, places))
            continue
        first, rest, last, space = register.groups()
        got = numbers.get(name)
        if not got or got[0] != first or got[2] != int(space or 0) or (
                rest and got[1] != (int(last) if last else None)):
            raise Failure("%s should have %s: %s" % (name, at, numbers))


# Random programs

def random_items(rng, kinds):
    items = []
    for i in range(rng.randint(2, 14)):
        kind = rng.choice(kinds)
        dims = "[%d]" % rng.choice([2, 3, 7]) if kind in ("t", "s", "img", "comb") and rng.random() < 0.3 else ""
        at = rng.choice(["", "", "", "@%d" % (3 * i + rng.randint(0, 2)), "@,%d" % rng.randint(0, 1)])
        items.append(Item("r%d:%s%s%s%s" % (i, kind, dims, at, "" if rng.random() < 0.85 else "!")))
        items[-1].text = "r%d:%s%s%s%s" % (i, kind, dims, at, "" if items[-1].used else "!")
    return items


KIND = {"t": "texture", "s": "sampler", "img": "image", "stexbuf": "stexbuf", "utexbuf": "utexbuf", "comb": "combined",
        "b": "ubo", "ssbo": "ssbo", "rossbo": "ssbo"}
CLASS = {"t": "t", "s": "s", "img": "u", "stexbuf": "u", "utexbuf": "t", "comb": "t", "b": "b", "ssbo": "u",
         "rossbo": "t"}


def shift_of(item, shifts, stage):
    """The last one that fits; one that names the set takes precedence."""
    found = 0, False
    for what, at_stage, space, by in shifts:
        fits = CLASS[item.kind] == what if len(what) == 1 else KIND[item.kind] in what.split(",")
        if fits and at_stage in (None, stage) and space in (None, item.space or 0) and \
                (space is not None or not found[1]):
            found = by, space is not None
    return found[0]


def model(items, shifts, stage, each):
    """Each number by trying one after the other. None: two are fixed at one binding."""
    taken, places = set(), {}
    length = lambda i: (i.dims[0] if each and i.dims else 1)  # noqa: E731
    fixed = [i for i in items if i.register is not None]
    for i in fixed:
        at = i.register + shift_of(i, shifts, stage)
        mine = {(i.space or 0, at + n) for n in range(length(i))}
        if mine & taken:
            return None
        taken |= mine
        places[i.name] = (i.space or 0, at)
    rest = [i for i in items if i.register is None]
    if not each:  # glslang: those with a set first, unused ones last
        rest.sort(key=lambda i: (not i.used, i.space is None))
    for i in rest:
        at = shift_of(i, shifts, stage)
        while any((i.space or 0, at + n) in taken for n in range(length(i))):
            at += 1
        taken |= {(i.space or 0, at + n) for n in range(length(i))}
        places[i.name] = (i.space or 0, at)
    return places


def random_shifts(rng, kinds):
    return [(rng.choice(kinds), rng.choice([None, None, "fragment", "vertex"]), rng.choice([None, None, None, 0, 1]),
             rng.randint(0, 12)) for _ in range(rng.randint(0, 5))]


def option_of(shift):
    what, stage, space, by = shift
    return "--shift=%s%s%s=%d" % (what, "" if space is None else ":%d" % space, "@" + stage if stage else "", by)


def random_program(bound, seed):
    rng = random.Random(seed)
    stage, each = rng.choice(["Vertex", "Fragment"]), rng.random() < 0.5
    items = random_items(rng, list(KIND))
    shifts = random_shifts(rng, list("btsu") if each else list("btsu") + list(GLSLANG_KIND) + ["texture"])
    profile = "policy=option_fixed=registers_shift=base_arrays=each" if each else "--profile=glslang"
    options = " ".join([profile, *map(option_of, shifts)])
    wanted = model(items, shifts, STAGE[stage], each)
    status, message, places, _ = bound.bind(" ".join(i.text for i in items), stage, options)
    if wanted is None:
        return  # shared or refused, which other tests cover
    if status or places != wanted:
        raise Failure("%s %s\n%s\nshould be %s\nis        %s %s" % (
            stage, options, " ".join(i.text for i in items), wanted, places, message))
    bound.compared += 1


# glslang itself

def declaration(item, layout):
    dims = "".join("[%d]" % d for d in item.dims)
    if item.kind in ("b", "ssbo", "rossbo"):
        word = "uniform" if item.kind == "b" else "buffer"
        return "layout(%s) %s %s { vec4 member_%s; };" % (", ".join(layout + ["std140"]), word, item.name, item.name)
    formats = ["r32f"] if GLSL[item.kind].startswith("image") else []
    words = "layout(%s) " % ", ".join(layout + formats) if layout + formats else ""
    return "%suniform %s %s%s;" % (words, GLSL[item.kind], item.name, dims)


USES = {"t": "vec4(textureSize(sampler2D(%s, any_sampler), 0).xyxy)",
        "s": "texture(sampler2D(any_texture, %s), vec2(0))",
        "tex1": "vec4(textureSize(sampler1D(%s, any_sampler), 0))", "img": "imageLoad(%s, ivec2(0))",
        "stexbuf": "imageLoad(%s, 0)", "u": "imageLoad(%s, 0)", "utexbuf": "texelFetch(%s, 0)",
        "comb": "texture(%s, vec2(0))"}


def use(item):
    if item.kind not in USES:
        return "member_" + item.name
    return USES[item.kind] % (item.name + "[0]" * len(item.dims))


def shader(items, stage, auto):
    """auto: unassigned numbers are written as 65534 and 7, since there is no other way to leave them open."""
    lines = ["#version 460", "layout(set = 9, binding = 0) uniform sampler any_sampler;",
             "layout(set = 9, binding = 1) uniform texture2D any_texture;"]
    for i in items:
        layout = ["set = %d" % i.space] if i.space is not None else ["set = 7"] if auto and i.register is None else []
        layout += ["binding = %d" % i.register] if i.register is not None else ["binding = 65534"] if auto else []
        lines.append(declaration(i, layout))
    out = "gl_Position" if stage == "Vertex" else "color"
    if stage == "Fragment":
        lines.append("layout(location = 0) out vec4 color;")
    uses = " + ".join(["vec4(0)"] + [use(i) for i in reversed(items) if i.used])
    return "\n".join(lines + ["void main() { %s = %s; }" % (out, uses)]) + "\n"


def names_and_places(bound, path, *options):
    """Of all used resources; blocks by the names of their types."""
    layout = os.path.join(bound.tmp, "layout.json")
    bind_bytes(*options, "-q", path, "-o", layout + ".spv", "--layout-json=" + layout)
    return {b["name"]: at for at, b in bindings(layout) if b["used"]}


def ask_glslang(bound, items, stage, shifts):
    """Its numbers, and ours for the same shader without numbers."""
    path = os.path.join(bound.tmp, "peer." + SUFFIX[stage])
    stages = {v: SUFFIX[k] for k, v in STAGE.items()}
    flags = []
    for what, at_stage, space, by in shifts:
        flags += ["--shift-%s-binding" % GLSLANG_KIND[what], *([stages[at_stage]] if at_stage else []), str(by)]
        flags += [] if space is None else [str(space)]
    write(path, shader(items, stage, False))
    # without -g: source text would show that nobody wrote these numbers
    run("glslangValidator", "-V", "--quiet", "--auto-map-bindings", *flags, path, "-o", path + ".spv")
    theirs = names_and_places(bound, path + ".spv", "--unused=remove", "--allow-overlap")
    write(path, shader(items, stage, True))
    run("glslangValidator", "-V", "-g", "--quiet", path, "-o", path + ".spv")
    ours = names_and_places(bound, path + ".spv", "--profile=glslang", "--auto-binding=65534",
                            "--policy=option auto-set=7", *map(option_of, shifts))
    if ours != theirs:
        raise Failure("%s\nglslang says %s\nwe say       %s" % (shader(items, stage, False), theirs, ours))
    return theirs


def published_by_glslang(bound, row):
    """The shader of a row, compiled by the installed glslang: does it still give the published numbers?"""
    shifts = []
    for option in row["options"].split()[1:]:
        what, stage, by = re.fullmatch(r"--shift=([\w,-]+)(?:@(\w+))?=(\d+)", option).groups()
        shifts.append((what, stage, None, int(by)))
    places = ask_glslang(bound, [Item(t) for t in split(row["declarations"])], row["stage"], shifts)
    for word in row["published"].split():
        name, at = word.split("=")
        if "%d.%d" % places[name] != at:
            raise Failure("glslang puts %s at %s, published is %s" % (name, places[name], at))


def random_shader(bound, seed):
    rng = random.Random(seed)
    stage = rng.choice(["Vertex", "Fragment"])
    items = random_items(rng, [k for k in GLSL if k != "u"] + ["b", "ssbo"])
    shifts = random_shifts(rng, list(GLSLANG_KIND))
    # for glslang, a shift with a set only applies if there is another one for this kind and stage; and the last stage
    # wins
    shifts = [s for s in shifts if s[2] is None]
    if model([i for i in items if i.kind != "tex1"], shifts, STAGE[stage], False) is not None:
        ask_glslang(bound, items, stage, shifts)


def cases(bound, count):
    for row in rows():
        yield row["id"], lambda r=row: expect(bound, r)
        if row["source"].startswith("shaderc") and row["options"].startswith("--profile=glslang") and \
                not re.search(r"--shift=[btsu][=@]", row["options"]) and "rossbo" not in row["declarations"]:
            yield row["id"] + " by glslang", lambda r=row: published_by_glslang(bound, r)
    for seed in range(count):
        yield "random program %d" % seed, lambda s=seed: random_program(bound, s)
    for seed in range(count // 10):
        yield "random shader %d" % seed, lambda s=seed: random_shader(bound, s)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    tmp = tempfile.mkdtemp()
    running.BIND, bound = os.path.abspath(args.bind), Bound(tmp)
    passed, failed = running.run_cases(cases(bound, args.count), args.only)
    if not args.only and 2 * bound.compared < args.count:
        failed += 1
        print("FAILED: only %d of %d random programs have numbers to compare" % (bound.compared, args.count))
    shutil.rmtree(tmp)
    summary(passed, failed)


if __name__ == "__main__":
    main()
