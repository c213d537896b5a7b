# SPDX-License-Identifier: Apache-2.0
"""Random programs of views, entry points and stages, against Vulkan's rule written down naively, and against Vulkan.

    random_descriptors.py --bind B [--count N] [--seed S] [--self-test]
                          [--pipelines VULKAN_PIPELINES --icd ICD]

The rule is "DescriptorSet and Binding Assignment" of the Vulkan specification: several variables may have one set and
binding, as long as those that the entry point statically uses fit the type in the descriptor set layout. Its example:

    "A noteworthy example of using multiple statically-used shader variables sharing the same descriptor set and binding
    values is a descriptor of type VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER that has multiple corresponding shader
    variables in the UniformConstant storage class, where some could be OpTypeImage, some could be OpTypeSampler
    (Sampled=1), and some could be OpTypeSampledImage."

A pipeline has at most one entry point of each graphics stage, a compute pipeline has one in all, and a ray tracing
pipeline may have all of its. TYPES lists what fits. Refusals, the layout JSON and the modules are checked variable by
variable. With a driver, the pipelines of each program are created twice with the validation layer: unbound, with the
layout that SPIRV-Cross sees, and bound, with the layout of the JSON. --self-test damages layouts and modules, and every
damage has to be noticed.
"""
import argparse
import collections
import copy
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402

# "Shader Resource and Descriptor Type Correspondence"
TYPES = {
    "texture": {"SAMPLED_IMAGE", "COMBINED_IMAGE_SAMPLER"},
    "sampler": {"SAMPLER", "COMBINED_IMAGE_SAMPLER"},
    "combined": {"COMBINED_IMAGE_SAMPLER"},
    "image": {"STORAGE_IMAGE"},
    "utexbuf": {"UNIFORM_TEXEL_BUFFER"},
    "stexbuf": {"STORAGE_TEXEL_BUFFER"},
    "ubo": {"UNIFORM_BUFFER"},
    "ssbo": {"STORAGE_BUFFER"},
}
PREFIX = "VK_DESCRIPTOR_TYPE_"
STAGES = {"GLCompute": "VK_SHADER_STAGE_COMPUTE_BIT", "Vertex": "VK_SHADER_STAGE_VERTEX_BIT",
          "Fragment": "VK_SHADER_STAGE_FRAGMENT_BIT", "RayGenerationKHR": "VK_SHADER_STAGE_RAYGEN_BIT_KHR",
          "MissKHR": "VK_SHADER_STAGE_MISS_BIT_KHR"}
FAMILIES = [["GLCompute"], ["Vertex", "Fragment"], ["RayGenerationKHR", "MissKHR"]]
CLASS = {"ubo": "Uniform", "ssbo": "StorageBuffer"}


class Variable:
    def __init__(self, rng, number, module):
        self.number, self.module = number, module
        self.kind = rng.choice(["texture", "texture", "sampler", "sampler", "combined", "image", "utexbuf", "stexbuf",
                                "ubo", "ubo", "ssbo", "ssbo"])
        self.count = rng.choice([None, None, None, None, 1, 2, 3])  # None: not an array
        self.words = rng.randint(1, 3)  # of a block
        self.set, self.binding = rng.randint(0, 1), rng.randint(0, 3)
        self.name = "v%d" % number
        self.id = 100 + 10 * number

    def length(self):
        return self.count or 1


class Entry:
    def __init__(self, rng, number, module, stage, variables):
        self.number, self.module, self.stage, self.name = number, module, stage, "main%d" % number
        some = rng.random()
        self.uses = [v for v in variables if rng.random() < some]
        self.by_call = [v for v in self.uses if rng.random() < 0.3]  # in a function that it calls


class Program:
    """Modules with variables and entry points; `pipelines`: the sets of entry points that may be in one."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.stages = rng.choice(FAMILIES)
        self.variables, self.entries, numbers = [], [], itertools.count()
        self.modules = rng.randint(1, len(self.stages))
        for module in range(self.modules):
            own = [Variable(rng, next(numbers), module) for _ in range(rng.randint(1, 5))]
            self.variables += own
            stages = self.stages if self.modules == 1 else [self.stages[module]]
            for stage in stages:
                for _ in range(rng.choice([1, 1, 2])):
                    self.entries.append(Entry(rng, len(self.entries), module, stage, own))
        by_stage = [[e for e in self.entries if e.stage == stage] for stage in self.stages]
        if "MissKHR" in self.stages:
            self.pipelines = [tuple(self.entries)]
        else:
            self.pipelines = list(itertools.product(*by_stage))

    def text(self):
        return "; ".join(["%s%s %s.%s" % (v.kind, "" if v.count is None else "[%d]" % v.count, v.set, v.binding) +
                          " (%s, module %d)" % (v.name, v.module) for v in self.variables] +
                         ["%s %s uses %s" % (e.stage, e.name, [v.name for v in e.uses]) for e in self.entries])


TYPES_TEXT = """%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%texture = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampler = OpTypeSampler
%combined = OpTypeSampledImage %texture
%image = OpTypeImage %float 2D 0 0 0 2 R32f
%utexbuf = OpTypeImage %float Buffer 0 0 0 1 Unknown
%stexbuf = OpTypeImage %float Buffer 0 0 0 2 R32f
"""


def assembly(program, module):
    rays = "MissKHR" in program.stages
    head = ["OpCapability Shader", "OpCapability SampledBuffer", "OpCapability ImageBuffer"]
    head += ["OpCapability RayTracingKHR", 'OpExtension "SPV_KHR_ray_tracing"'] if rays else []
    head += ['OpExtension "SPV_KHR_storage_buffer_storage_class"', "OpMemoryModel Logical GLSL450"]
    names, notes, types, bodies = [], [], [TYPES_TEXT], []
    entries = [e for e in program.entries if e.module == module]
    for e in entries:
        listed = "".join(" %%%d" % v.id for v in e.uses) if rays else ""  # as SPIR-V 1.4 wants it
        head.append('OpEntryPoint %s %%e%d "%s"%s' % (e.stage, e.number, e.name, listed))
    for e in entries:
        if e.stage == "GLCompute":
            head.append("OpExecutionMode %%e%d LocalSize 1 1 1" % e.number)
        if e.stage == "Fragment":
            head.append("OpExecutionMode %%e%d OriginUpperLeft" % e.number)
    for v in (v for v in program.variables if v.module == module):
        names.append('OpName %%%d "%s"' % (v.id, v.name))
        notes += ["OpDecorate %%%d DescriptorSet %d" % (v.id, v.set), "OpDecorate %%%d Binding %d" % (v.id, v.binding)]
        base = "%" + v.kind
        if v.kind in CLASS:
            base = "%%block%d" % v.number
            names.append('OpName %s "Block%d"' % (base, v.number))
            notes += ["OpDecorate %s Block" % base]
            notes += ["OpMemberDecorate %s %d Offset %d" % (base, i, 4 * i) for i in range(v.words)]
            types.append("%s = OpTypeStruct%s" % (base, " %float" * v.words))
        storage, whole = CLASS.get(v.kind, "UniformConstant"), base
        if v.count is not None:
            whole = "%%array%d" % v.number
            types.append("%s = OpTypeArray %s %%c%d" % (whole, base, v.count))
        types += ["%%p%d = OpTypePointer %s %s" % (v.number, storage, whole),
                  "%%%d = OpVariable %%p%d %s" % (v.id, v.number, storage),
                  "%%q%d = OpTypePointer %s %s" % (v.number, storage, "%float" if v.kind in CLASS else base)]
    fresh = itertools.count(10000)
    for e in entries:
        for function, uses in (("e", [v for v in e.uses if v not in e.by_call]), ("f", e.by_call)):
            bodies += ["%%%s%d = OpFunction %%void None %%fn" % (function, e.number), "%%%d = OpLabel" % next(fresh)]
            if function == "e":
                bodies.append("%%%d = OpFunctionCall %%void %%f%d" % (next(fresh), e.number))
            for v in uses:
                chain = (" %zero" if v.count is not None else "") + (" %zero" if v.kind in CLASS else "")
                pointer = "%%%d" % v.id
                if chain:
                    pointer = "%%%d" % next(fresh)
                    bodies.append("%s = OpAccessChain %%q%d %%%d%s" % (pointer, v.number, v.id, chain))
                bodies.append("%%%d = OpLoad %s %s" % (next(fresh), "%float" if v.kind in CLASS else "%" + v.kind,
                                                       pointer))
            bodies += ["OpReturn", "OpFunctionEnd"]
    # types other than aggregates and pointers may not be declared twice, so each is written once
    return "\n".join(head + names + notes + once(types) + bodies) + "\n"


def once(lines):
    """Types that are equal become one: of two ids the first is kept, and the second is replaced."""
    known, replaced, out = {}, {}, []
    for line in "\n".join(lines).splitlines():
        left, equals, right = line.partition(" = ")
        words = [replaced.get(w, w) for w in right.split()]
        key = " ".join(words)
        if key.startswith("OpTypePointer"):
            if key in known:
                replaced[left] = known[key]
                continue
            known[key] = left
        out.append(left + equals + key if equals else line)
    POINTERS.clear()
    POINTERS.update(replaced)
    return out


POINTERS = {}


def written(program, module):
    text = assembly(program, module)
    return "\n".join(" ".join(POINTERS.get(w, w) for w in line.split(" ")) for line in text.splitlines()) + "\n"


# The rule

def conflicts(program):
    """Variables at one binding that no descriptor type serves, in pipelines that are certain: those of one entry point,
    and of the only entry points of their stages. Then in possible pipelines. Each None, or the variables."""
    number = collections.Counter(e.stage for e in program.entries)
    sure = [[e] for e in program.entries] + [[e for e in program.entries if number[e.stage] == 1]]
    return tuple(next((here for pipeline in some for here in places_used(pipeline).values()
                       if not set.intersection(*(TYPES[v.kind] for v in here))), None)
                 for some in (sure, program.pipelines))


def places_used(pipeline):
    places = collections.defaultdict(list)
    for entry in pipeline:
        for v in entry.uses:
            places[v.set, v.binding].append(v)
    return places


def places_of(path):
    words = memoryview(running.read(path)).cast("I")
    sets, bindings, at = {}, {}, 5
    while at < len(words):
        op, length = words[at] & 0xFFFF, words[at] >> 16
        if op == 71 and words[at + 2] in (33, 34):
            (bindings if words[at + 2] == 33 else sets)[words[at + 1]] = words[at + 3]
        at += length
    return {id: (sets.get(id), bindings[id]) for id in bindings}


def faults_of(program, layout, places, rebound):
    """All ways in which a layout and the bindings in the modules break the rule, or separate shared descriptors."""
    faults, listed = [], {}
    for s in layout["sets"]:
        for b in s["bindings"]:
            for view in b["views"]:
                key = (int(view["module"].split(".")[0]), view["id"])
                if key in listed:
                    faults.append("%s is listed twice" % view["name"])
                listed[key] = (s["set"], b["binding"], b, view)
    for v in program.variables:
        using = {STAGES[e.stage] for e in program.entries if v in e.uses}
        found = listed.get((v.module, v.id))
        if not found:
            faults.append("%s is not in the layout" % v.name)
            continue
        place, b, view = found[:2], found[2], found[3]
        if places[v.module].get(v.id) != place:
            faults.append("%s is at %s in the module and at %s in the layout" % (v.name, places[v.module].get(v.id),
                                                                               place))
        if not rebound and place != (v.set, v.binding):
            faults.append("%s has moved to %s" % (v.name, place))
        if set(view["stages"]) != using or not using <= set(b["stages"]):
            faults.append("%s is used by %s, not %s" % (v.name, sorted(using), view["stages"]))
        if using and b["descriptorType"][len(PREFIX):] not in TYPES[v.kind]:
            faults.append("%s is a %s, not a %s" % (v.name, v.kind, b["descriptorType"]))
        if using and b["count"] < v.length():
            faults.append("%s has %d descriptors, not %d" % (v.name, v.length(), b["count"]))
    if not faults:
        faults += together(program, listed, rebound)
    return faults


def strangers(program):
    """Whether modules give one number to two names, as views of one descriptor, without a text that shows the
    intention."""
    return any((a.set, a.binding) == (b.set, b.binding) and a.module != b.module and TYPES[a.kind] & TYPES[b.kind]
               for a, b in itertools.combinations(program.variables, 2))


def together(program, listed, rebound):
    """Within one pipeline: one binding before is one descriptor after, and two bindings are two. Resources of different
    modules with one number are separated once they move. A merely possible pipeline with two descriptors at one binding
    is not intended."""
    faults = []
    for pipeline in program.pipelines + [(e,) for e in program.entries]:
        if any(not set.intersection(*(TYPES[v.kind] for v in here)) for here in places_used(pipeline).values()):
            continue
        used = [v for e in pipeline for v in e.uses]
        for a, b in itertools.combinations(used, 2):
            before = (a.set, a.binding) == (b.set, b.binding) and (a.module == b.module or not rebound)
            x, y = listed[a.module, a.id], listed[b.module, b.id]
            if before != (x[:2] == y[:2]) or before != (x[2] is y[2]):
                faults.append("%s and %s, %s before, are at %s and %s" % (a.name, b.name,
                                                                          "together" if before else "apart", x[:2],
                                                                          y[:2]))
    return faults


# The programs

class Bound:
    def __init__(self, said, paths=(), layout_path=None, layout=None, places=()):
        self.said, self.paths, self.layout_path, self.layout, self.places = said, paths, layout_path, layout, places


def bind(folder, paths, options):
    """A Bound; without a layout if it is refused."""
    out = os.path.join(folder, "out" + "".join(options))
    os.makedirs(out)
    done = running.bind("--order=module", *options, "--out-dir", out, "--layout-json",
                    out + "/layout.json", *paths, expect=None)
    if done.returncode:
        return Bound(done.stderr)
    paths = [os.path.join(out, os.path.basename(path)) for path in paths]
    layout = json.loads(running.read_text(out + "/layout.json"))
    return Bound(done.stderr, paths, out + "/layout.json", layout, [places_of(path) for path in paths])


def damages(bound):
    """(what, layout, places) of each way to spoil a result."""
    used = [(s, b) for s, group in enumerate(bound.layout["sets"]) for b, x in enumerate(group["bindings"])
            if x["stages"]]
    for s, b in used:
        for what in ("type", "binding", "stage", "count", "view"):
            layout = copy.deepcopy(bound.layout)
            binding = layout["sets"][s]["bindings"][b]
            if what == "type":
                kind = PREFIX + ("INPUT_ATTACHMENT" if "STORAGE_IMAGE" in binding["descriptorType"] else
                                 "STORAGE_IMAGE")
                binding["descriptorType"] = kind
            elif what == "binding":
                binding["binding"] += 1
            elif what == "stage":
                binding["stages"].pop()
            elif what == "count":
                binding["count"] = 0
            else:
                binding["views"] = [v for v in binding["views"] if not v["stages"]]
            yield what, layout, bound.places
    for module, places in enumerate(bound.places):
        for id, (place, number) in places.items():
            moved = copy.deepcopy(bound.places)
            moved[module][id] = (place, number + 1)
            yield "module", bound.layout, moved


def pipelines(args, jobs):
    """{id: result} of Vulkan for the jobs; `left out` and crashes are not verdicts."""
    text = "".join("\t".join((name, layout, *paths)) + "\n" for name, layout, paths in jobs)
    done = subprocess.run([args.pipelines, args.icd], input=text, capture_output=True, text=True, errors="replace")
    if done.returncode:
        print(done.stdout[-1000:], done.stderr[-1000:])
        sys.exit(1)
    return dict(line.split("\t", 1) for line in done.stdout.splitlines() if "\t" in line)


def is_simple(program, layout):
    """The runner makes one layout of a program and one pipeline of its graphics stages: no two descriptors at a
    place, no two entry points of a graphics stage."""
    places = [(s["set"], b["binding"]) for s in layout["sets"] for b in s["bindings"] if b["stages"]]
    graphics = "Vertex" in program.stages
    return len(places) == len(set(places)) and not (graphics and len(program.pipelines) > 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--pipelines")
    parser.add_argument("--icd")
    args = parser.parse_args()
    tally, wrong, jobs, expected = collections.Counter(), [], [], {}
    with tempfile.TemporaryDirectory() as tmp:
        running.BIND = os.path.abspath(args.bind)
        for seed in range(args.seed, args.seed + args.count):
            wrong += one(args, tmp, seed, tally, jobs, expected)
        if args.pipelines:
            for name, result in pipelines(args, jobs).items():
                if name not in expected:
                    continue
                tally["pipelines " + result.split(":")[0]] += 1
                if result in ("ok", "refused") and result != expected[name]:
                    wrong.append("%s: Vulkan says %s, not %s" % (name, result, expected[name]))
    for line in wrong[:20]:
        print("FAILED " + line)
    print(", ".join("%d %s" % (n, what) for what, n in sorted(tally.items())))
    print("%d passed, %d failed" % (args.count - len(wrong), len(wrong)))
    few = tally["refused"] * 20 < args.count or tally["bound"] * 4 < args.count
    if few:
        print("too few are refused, or too few are bound")
    return 1 if wrong or few or args.pipelines and not tally["pipelines ok"] else 0


def one(args, tmp, seed, tally, jobs, expected):
    program, folder, paths, wrong = Program(seed), os.path.join(tmp, str(seed)), [], []
    os.mkdir(folder)
    for module in range(program.modules):
        paths.append(os.path.join(folder, "%d.spv" % module))
        source = running.write(paths[-1][:-4] + ".spvasm", written(program, module))
        version = "spv1.4" if "MissKHR" in program.stages else "spv1.3"
        running.run("spirv-as", "--preserve-numeric-ids", "--target-env", version, source, "-o", paths[-1])
        running.run("spirv-val", "--target-env", "vulkan1.2", paths[-1])
    clash, doubt = conflicts(program)
    title = "seed %d: %s" % (seed, program.text())
    for options in ([], ["--rebind=all"]):
        bound = bind(folder, paths, options)
        if not bound.layout:
            if not clash or options or "SPB4001" not in bound.said:
                wrong.append("%s is refused: %s" % (title, bound.said))
            tally["refused"] += not options
            continue
        if clash and not options:
            wrong.append("%s: %s are at one place, and it is not refused" % (title, [v.name for v in clash]))
            continue
        tally["bound"] += not options
        tally["doubtful"] += bool(doubt) and not options
        if not options and (bool(doubt) or strangers(program)) != bool(re.search(r"warning: .*\[SPB4", bound.said)):
            wrong.append("%s: %s at one place, but it says: %s" % (title, doubt and [v.name for v in doubt],
                                                                   bound.said))
        if args.self_test:
            for what, layout, places in damages(bound):
                tally["damages"] += 1
                if not faults_of(program, layout, places, bool(options)):
                    wrong.append("%s: a damage (%s) is not noticed" % (title, what))
            continue
        faults = [] if clash else faults_of(program, bound.layout, bound.places, bool(options))
        wrong += ["%s %s: %s" % (title, options, fault) for fault in faults]
        if is_simple(program, bound.layout) and not doubt:
            name = "%d%s" % (seed, "".join(options))
            jobs.append((name, bound.layout_path, bound.paths))
            expected[name] = "ok"
    if len(program.pipelines) == 1 and not args.self_test:
        jobs.append(("plain %d" % seed, "-", paths))
        expected["plain %d" % seed] = "refused" if clash or doubt else "ok"
    return wrong


if __name__ == "__main__":
    sys.exit(main())
