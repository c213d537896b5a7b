# SPDX-License-Identifier: Apache-2.0
"""--heap-model=descriptor-heap.

    descriptor_heap.py commands --bind B             options, messages and the layout JSON
    descriptor_heap.py sid --bind B --cc CC          with the tools of Debian sid (scripts/sid_root.sh), which know
    the extension:
                                                     every handle there is, judged by its spirv-val; shaders, run on its
                                                     lavapipe with its validation layer
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

import fixtures
import spirv_text
from fixtures import ENV
from running import HANGS, ROOT, Failure, glslang, read, run_bytes as run, run_cases, summary, write

HEAP = "--heap-model=descriptor-heap"
SHADERS = os.path.join(ROOT, "test", "vulkan", "heap")
LANES, COUNT = 8, 8


def expect(condition, what):
    if not condition:
        raise Failure(what)


def fixture(tmp, name):
    path = os.path.join(fixtures.FIXTURES, name + ".spvasm")
    out = os.path.join(tmp, "in.spv")
    fixtures.assemble(path, fixtures.header(path)["version"], out)
    return out


# commands

def refuses_what_means_nothing(args, tmp):
    for options, words in (
            ([HEAP, "--heap-set=3"], "have no sets and bindings"),
            ([HEAP, "--heap=texture=1.2"], "have no sets and bindings"),
            (["--heap-stride=64"], "Add --heap-model=descriptor-heap."),
            (["--heap-stride=,32", HEAP], "--heap-stride: expected"),
            (["--heap-stride=size,unified", HEAP], "--heap-stride: expected"),
            (["--heap-stride=0", HEAP], "--heap-stride: expected"),
            (["--heap-stride=6", HEAP], "--heap-stride: expected"),
            (["--heap-stride=65540", HEAP], "--heap-stride: expected"),
            (["--heap-stride=64,", HEAP], "--heap-stride: expected"),
            (["--heap-stride=64,32,16", HEAP], "--heap-stride: expected")):
        done = run(args.bind, "layout", *options, fixture(tmp, "descriptor-heap/combined"), expect=2)
        expect(words in done.stderr.decode(), "%s: %s" % (options, done.stderr.decode()))


def says_what_cannot_judge_it(args, tmp):
    source, out = fixture(tmp, "descriptor-heap/combined"), tmp + "/out.spv"
    done = run(args.bind, HEAP, source, "-o", out, expect=None)
    if done.returncode == 0:
        return # SPIRV-Tools is new enough
    text = done.stderr.decode()
    expect(done.returncode == 1 and "SPB6003" in text and "SPV_EXT_descriptor_heap" in text, text)
    expect(not os.path.exists(out), "it was written, unjudged")
    done = run(args.bind, HEAP, "--allow-unvalidated", source, "-o", out)
    expect(b"SPB6003" in done.stderr and b"warning" in done.stderr, done.stderr.decode())
    expect(not run(args.bind, HEAP, "--validate=none", source, "-o", out).stderr,
           "a message although nothing is judged")


def layout_of(args, options, source):
    return json.loads(run(args.bind, "layout", "-q", HEAP, *options, source, "--layout-json").stdout)


def tells_what_the_heaps_hold(args, tmp):
    source = fixture(tmp, "descriptor-heap/combined")
    for options, strides in (([], ["size", "size"]), (["--heap-stride=unified"], ["size", "unified"]),
                             (["--heap-stride=unified,32"], [32, "unified"]), (["--heap-stride=64,32"], [32, 64]),
                             (["--heap-stride=64"], ["size", 64]), (["--heap-stride=size,32"], [32, "size"])):
        layout = layout_of(args, options, source)
        heaps = layout["heaps"]
        expect([h["stride"] for h in heaps] == strides, "%s: %s" % (options, heaps))
        expect([(h["model"], h["kind"], h["heap"]) for h in heaps] ==
               [("descriptor-heap", "sampler", "sampler"), ("descriptor-heap", "texture", "resource")], str(heaps))
        expect(not layout["sets"], "heaps are among the sets: %s" % layout["sets"])
    features = layout["modules"][0]["requires"]["vulkanFeatures"]
    expect(features == ["shaderUntypedPointers", "descriptorHeap"], str(features))


def bound_resources_have_their_places(args, tmp):
    layout = layout_of(args, [], fixture(tmp, "descriptor-heap/beside-bound"))
    expect([(s["set"], [b["binding"] for b in s["bindings"]]) for s in layout["sets"]] == [(0, [0])],
           str(layout["sets"]))
    expect("shaderSampledImageArrayNonUniformIndexing" in layout["modules"][0]["requires"]["vulkanFeatures"],
           "not marked")


def lists_the_accesses(args, tmp):
    path = fixture(tmp, "lower-builtin-heaps/remade")
    layout = json.loads(run(args.bind, "-q", "--validate=none", "--accesses", path, "-o", tmp + "/kept.spv",
                            "--layout-json=-").stdout.decode().split("\n\n")[-1])
    accesses = layout["heapAccesses"]
    expect(sorted((a["heap"], a["descriptorType"].removeprefix("VK_DESCRIPTOR_TYPE_"), a["index"]) for a in accesses) ==
           [("resource", "SAMPLED_IMAGE", None), ("resource", "STORAGE_BUFFER", None),
            ("resource", "STORAGE_IMAGE", None), ("sampler", "SAMPLER", None), ("sampler", "SAMPLER", None)],
           str(accesses))
    text = fixtures.disassemble(tmp + "/kept.spv")
    for a in accesses: # the index is that of a chain into this heap
        expect(re.search(r"OpUntypedAccessChainKHR %%\d+ %%\d+ %%\d+ %%%d\b" % a["indexId"], text), str(a) + text)


def mapped_ones_share_places(args, tmp):
    """Set and binding are identifiers only: what resourceMask can tell apart may have the same."""
    glslang(os.path.join(SHADERS, "mapped.comp"), tmp + "/mapped.spv", "--target-env", "vulkan1.2")
    text = "StructuredBuffer<uint> t : register(t0); RWStructuredBuffer<uint> u : register(u0);\n" \
           "[numthreads(1, 1, 1)] void main() { u[0] = t[1]; }\n"
    write(tmp + "/mapped.hlsl", text.encode())
    glslang(tmp + "/mapped.hlsl", tmp + "/registers.spv", "-D", "-S", "comp", "-e", "main", "--target-env", "vulkan1.1")
    both = [["READ_ONLY_STORAGE_BUFFER", "READ_WRITE_STORAGE_BUFFER"], ["READ_ONLY_IMAGE", "READ_WRITE_IMAGE"]]
    for module, masks in (("mapped", [both[0], ["SAMPLED_IMAGE"], ["SAMPLER"], both[1], ["UNIFORM_BUFFER"], both[0],
                                      ["SAMPLED_IMAGE"], ["COMBINED_SAMPLED_IMAGE"]]),
                          ("registers", [["READ_WRITE_STORAGE_BUFFER"], ["READ_ONLY_STORAGE_BUFFER"]])):
        source = "%s/%s.spv" % (tmp, module)
        refused = run(args.bind, source, "-o", tmp + "/out.spv", expect=None)
        expect((b"SPB4001" if module == "mapped" else b"SPB4016") in refused.stderr, refused.stderr)
        done = run(args.bind, HEAP, "--allow-unvalidated", source, "-o", tmp + "/out.spv", "--layout-json", tmp + "/j")
        expect(not done.stderr, done.stderr)
        bound = fixtures.disassemble(tmp + "/out.spv")
        expect([line for line in bound.splitlines() if line not in fixtures.disassemble(source)] ==
               ['               OpModuleProcessed "spirv-bind: mapped by resourceMask"'], bound)
        for options in ([], [HEAP]): # what has been said once
            run(args.bind, "check", "-q", "--allow-unvalidated", *options, tmp + "/out.spv")
        run(args.bind, "-q", "--heap-model=typed", "--rebind=conflicts", tmp + "/out.spv", "-o", tmp + "/again.spv")
        expect("mapped by" not in fixtures.disassemble(tmp + "/again.spv"), "it is not mapped any more")
        with open(tmp + "/j") as f:
            found = [[re.sub("VK_SPIRV_RESOURCE_TYPE_|_BIT_EXT", "", word) for word in b["resourceMask"]]
                     for s in json.load(f)["sets"] for b in s["bindings"]]
        expect(sorted(found) == sorted(masks), found)
    said = run(args.bind, "layout", "-q", HEAP, "-S", "comp", tmp + "/mapped.hlsl").stdout.decode().splitlines()[1:]
    expect([line.split()[:2] for line in said] == [["0", "0"]] * 2, said) # HLSL's rules have nothing to part
    run(args.bind, "-q", "--policy=descriptor -> type=mapped", tmp + "/mapped.spv", "-o", tmp + "/out.spv",
        "--layout-json", tmp + "/j")
    expect(b"resourceMask" in read(tmp + "/j"), "the policy says that there are mappings")


def heaps_stay_beside_what_a_resolver_chooses(args, tmp):
    """The resolver returns descriptors, which flow, so the module's heap is an array in between."""
    resolver = os.path.join(fixtures.FIXTURES, "resolvers", "page-table.spvasm")
    layout = json.loads(run(args.bind, "-q", "--validate=none", "--resolver=" + resolver,
                            fixture(tmp, "lower-builtin-heaps/two-dialects"), "-o", tmp + "/kept.spv",
                            "--layout-json=-").stdout)
    expect([h.get("model", "array") for h in layout["heaps"]] == ["descriptor-heap", "array"], str(layout["heaps"]))
    text = fixtures.disassemble(tmp + "/kept.spv")
    expect(text.count("= OpUntypedAccessChainKHR ") == 1 and text.count("= OpUntypedVariableKHR ") == 1, text)


COMMANDS = [refuses_what_means_nothing, says_what_cannot_judge_it, tells_what_the_heaps_hold,
            bound_resources_have_their_places, mapped_ones_share_places, lists_the_accesses,
            heaps_stay_beside_what_a_resolver_chooses]


# sid: judged

def judge(args, path, expect=0):
    return run(*fixtures.newer("spirv-val"), "--target-env", ENV[fixtures.version_of(path)], path, expect=expect)


def what_it_says(done):
    """The violated rule, without line and ids."""
    return re.sub(r"line \d+|\d+\[[^\]]*\]", "", done.stderr.decode().split("\n")[0])


def program_is_valid(args, options, source, tmp):
    """Stock glslang writes modules that newer validators refuse (arrays with strides in Function variables, lengths
    through device addresses): the heaps do not change that."""
    typed = tmp + "/program-typed.spv"
    run(args.bind, "-q", "--validate=none", *options, source, "-o", typed)
    before = judge(args, typed, expect=None)
    if before.returncode == 0:
        bind_and_judge(args, options, source, tmp)
        return
    out = tmp + "/program-heap.spv"
    run(args.bind, "-q", "--validate=none", HEAP, *options, source, "-o", out)
    after = judge(args, out, expect=None)
    expect(what_it_says(before) and what_it_says(after) == what_it_says(before), after.stderr.decode())


def bind_and_judge(args, options, source, tmp):
    """Valid, final, and the same in text and words."""
    out, again = tmp + "/heap.spv", tmp + "/heap-again.spv"
    options = ["-q", "--validate=none", HEAP, *options]
    run(args.bind, *options, source, "-o", out)
    judge(args, out)
    run(args.bind, *options, out, "-o", again)
    expect(read(again) == read(out), "bind(bind(x)) differs from bind(x)")
    theirs = run(*fixtures.newer("spirv-dis"), "--raw-id", "--no-header", out).stdout.decode()
    if "NonSemantic.DebugPrintf" not in theirs: # whose names only newer tools know
        expect(spirv_text.disassemble(read(out)) == theirs, "test/spirv_text.py writes it otherwise than spirv-dis")
    return theirs


def cannot_be_here(options):
    return any(o.startswith(("--heap=", "--heap-set", "--heap-model=", "--heap-preset")) for o in options)


def is_refused(args, options, source, tmp):
    """Only for reasons that cannot occur here: what --combined=split cannot follow, since nothing here is combined."""
    typed = ["-q", "--validate=none", *options, source, "-o", tmp + "/typed.spv"]
    done = run(args.bind, HEAP, *typed, expect=None)
    if done.returncode == 0:
        return False
    why = re.search(r"\[(SPB\d+)\]", done.stderr.decode())
    expect(why, done.stderr.decode())
    expect(why[0].encode() in run(args.bind, "--combined=split", *typed, expect=1).stderr, done.stderr.decode())
    return True


REFUSED = set() # fixtures that are known not to be expressible with built-in heaps
REFUSED_RIGHTLY = {"lower-handles/flow-select-bound.spvasm"}
STRIDES_OF_ITS_OWN = {"descriptor-heap/kept-lines.spvasm"} # for one kind only, so not for all


def no_other_fixture_is_refused():
    expect(REFUSED == REFUSED_RIGHTLY, "refused are %s, expected %s" % (sorted(REFUSED), sorted(REFUSED_RIGHTLY)))


def golden_output_is_valid(args, kind, path, tmp):
    """Golden outputs that fixtures.py can only judge with these tools."""
    fields = fixtures.header(path)
    fixtures.assemble(path, fields["version"], tmp + "/golden.spv")
    run(args.bind, "-q", *fixtures.options_of(fields), tmp + "/golden.spv", "-o", tmp + "/golden-out.spv")
    judge(args, tmp + "/golden-out.spv")


def needs_newer_tools(path):
    text = read(path[:-len(".spvasm")] + ".expect.spvasm")
    return b"OpCapability DescriptorHeapEXT" in text or b"OpCapability UntypedPointersKHR" in text


def fixture_is_valid(args, options, source, tmp, name):
    if is_refused(args, options, source, tmp):
        REFUSED.add(name)
        return
    for turn, strides in enumerate(([], ["--heap-stride=unified"])):
        if strides and name in STRIDES_OF_ITS_OWN:
            done = run(args.bind, "layout", HEAP, *options, *strides, source, expect=1)
            expect(b"[SPB3204]" in done.stderr, done.stderr.decode())
        elif args.all or zlib.crc32(name.encode()) % 2 == turn:
            bind_and_judge(args, [*options, *strides], source, tmp)


def uses_handles(source):
    text = read(os.path.join(fixtures.FIXTURES, "glsl", source))
    return b"descriptor_handle.glsl" in text or b"materials.glsl" in text


def judged_cases(args, tmp):
    for kind in ("lower-handles", "lower-buffer-handles", "carry-handles", "merge-resolver", "normalize-handles",
                 "descriptor-heap"):
        for _, path in fixtures.fixtures(kind):
            fields = fixtures.header(path)
            options = [o for o in fixtures.options_of(fields) if o not in (HEAP, "--allow-unvalidated")]
            if cannot_be_here(options) or any(o.startswith("--heap-stride") for o in options):
                continue
            source = os.path.join(tmp, "judged-%s-%s.spv" % (kind, os.path.basename(path)[:-7]))
            fixtures.assemble(path, fields["version"], source)
            name = "%s/%s" % (kind, os.path.basename(path))
            yield name, lambda o=options, s=source, n=name: fixture_is_valid(args, o, s, tmp, n)
    yield "no_other_fixture_is_refused", no_other_fixture_is_refused
    for kind, path in fixtures.fixtures():
        if kind != "invalid" and needs_newer_tools(path):
            yield "golden " + path, lambda k=kind, p=path: golden_output_is_valid(args, k, p, tmp)
    for source in sorted({source for source, _ in fixtures.programs() if uses_handles(source)}):
        for env in ("vulkan1.1", "vulkan1.3"):
            out = os.path.join(tmp, source.replace("/", "-") + env + ".spv")
            if env == "vulkan1.1" and source.startswith("rayquery"): # SPIR-V 1.4
                continue
            glslang(os.path.join(fixtures.FIXTURES, "glsl", source), out, "-g", "--target-env", env)
            yield "glsl/%s %s" % (source, env), lambda s=out: program_is_valid(args, ["--auto-binding=65534"], s, tmp)


def matrix_cases(args, tmp):
    """Some modules of test/handles/matrix.py: each run combines kinds, flows, dialects and versions differently."""
    sys.path.insert(0, os.path.join(ROOT, "test", "handles"))
    import matrix
    options = {"a": "--heap=as=address", "b": "--lower-buffer-references"}
    # spirv-val 2026.4 wants four coordinates for an untyped texel pointer into a cube array; the extension says three
    fit = [c for c in matrix.cases(False) if "CubeArray" not in c.kind.name or "atomic" not in c.kind.name]
    for case in fit[::171]:
        yield case, ["--auto-binding=65534"] + [options[f] for f in case.kind.flags if f in options]


def matrix_case_is_valid(args, case, options, tmp):
    write(tmp + "/matrix.spvasm", case.build().encode())
    fixtures.assemble(tmp + "/matrix.spvasm", "1.%d" % case.version, tmp + "/matrix.spv")
    bind_and_judge(args, options, tmp + "/matrix.spv", tmp)


AUTHORS_OWN = """
               OpCapability Shader
               OpCapability UntypedPointersKHR
               OpCapability DescriptorHeapEXT
               OpExtension "SPV_KHR_untyped_pointers"
               OpExtension "SPV_EXT_descriptor_heap"
       %set = OpExtInstImport "NonSemantic.DescriptorHandle"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %push %theirs
               OpExecutionMode %main LocalSize 8 1 1
               OpDecorate %theirs BuiltIn ResourceHeapEXT
               OpDecorateId %array ArrayStrideIdEXT %size
               OpMemberDecorate %Push 0 Offset 0
               OpDecorate %Push Block
       %void = OpTypeVoid
     %fnvoid = OpTypeFunction %void
      %float = OpTypeFloat 32
       %uint = OpTypeInt 32 0
    %v4float = OpTypeVector %float 4
     %v2uint = OpTypeVector %uint 2
         %u0 = OpConstant %uint 0
         %xy = OpConstantComposite %v2uint %u0 %u0
       %Push = OpTypeStruct %v2uint
      %ppush = OpTypePointer PushConstant %Push
       %push = OpVariable %ppush PushConstant
    %phandle = OpTypePointer PushConstant %v2uint
        %tex = OpTypeImage %float 2D 0 0 0 1 Unknown
    %pointer = OpTypeUntypedPointerKHR UniformConstant
     %theirs = OpUntypedVariableKHR %pointer UniformConstant
       %size = OpConstantSizeOfEXT %uint %tex
      %array = OpTypeRuntimeArray %tex
       %main = OpFunction %void None %fnvoid
      %entry = OpLabel
         %p0 = OpAccessChain %phandle %push %u0
          %h = OpLoad %v2uint %p0
          %t = OpExtInst %tex %set 1 %h
          %x = OpImageFetch %v4float %t %xy
          %c = OpUntypedAccessChainKHR %pointer %array %theirs %u0
          %l = OpLoad %tex %c
          %y = OpImageFetch %v4float %l %xy
               OpReturn
               OpFunctionEnd
"""


def uses_the_heap_that_is_there(args, tmp):
    """Accesses by GL_EXT_descriptor_heap in the source keep working; there is one variable for the heap."""
    write(tmp + "/own.spvasm", AUTHORS_OWN.encode())
    run(*fixtures.newer("spirv-as"), "--preserve-numeric-ids", "--target-env", "spv1.6", tmp + "/own.spvasm", "-o",
        tmp + "/own.spv")
    text = bind_and_judge(args, [], tmp + "/own.spv", tmp)
    expect(len(re.findall("OpUntypedVariableKHR", text)) == 1 and len(re.findall("OpTypeUntypedPointerKHR", text)) == 1,
           text)
    expect(len(re.findall("BuiltIn ResourceHeapEXT", text)) == 1, text)


# sid: executed

def pick(lane):
    return (lane * 5 + 3) % COUNT


# values of a lane, by the number n of the resource that its handle names: test/vulkan/heap/heap_run.c has their
# contents
EXPECTED = {
    "textures": lambda i, n: [200 + n, 200 + n, 4 + n, n % 2, 200 + n, (7 - n) % 2, 1000 * (n + 1) + 3, 16 + n, 205],
    "images": lambda i, n: [300 + n, 5000 + i, 4 + n, 2000 * (n + 1) + 3, 6000 + i, 16 + n],
    "atomics": lambda i, n: [300 + n, 307 + n, 2000 * (n + 1) + 3, 2000 * (n + 1) + 3, 5],
    "rays": lambda i, n: [10 + n],
    "buffers": lambda i, n: [3000 * (n + 1) + 2, 3000 * (n + 1) + 5 + 4 * (i & 3), 4000 * (n + 1),
                             4000 * (n + 1) + 6 + i, 4000 * (n + 1) + 8,
                             4000 * (n + 1) + 15, 70 + i, 4000 * (n + 1) + 3, 4000 * (n + 1 if i % 2 == 0 else 1)],
    "lengths": lambda i, n: [15 + n, 4000 * (n + 1) + 2, 22],
    "dxc": lambda i, n: [200 + n, n % 2, 300 + n, 3000 * (n + 1) + 2, 4000 * (n + 1) + 3, i, 10 + n],
    "slang": lambda i, n: [200 + n, n % 2, 300 + n, 3000 * (n + 1) + 2, 4000 * (n + 1) + 3, i, 10 + n],
    "glslang-buffers": lambda i, n: [3000 * (n + 1) + 2, 3000 * (n + 1) + 5 + 4 * (i & 3), 4000 * (n + 1),
                                     4000 * (n + 1) + 6 + i, 4000 * (n + 1) + 8, 4000 * (n + 1) + 15, 70 + i,
                                     4000 * (n + 1) + 3, 4000 * (n + 1), 4000 * (n + 1) + 6,
                                     4000 * (n + 1 if i % 2 == 0 else 1)],
    "glslang-functions": lambda i, n: [204 + 2 * n, n % 2, 1000 * (n + 1) + 3, 1003],
    "glslang-images": lambda i, n: [300 + n, 5000 + i, 4 + n, 300 + n, 307 + n, 2000 * (n + 1) + 3,
                                    2000 * (n + 1) + 3, 5, 16 + n],
    "glslang-lengths": lambda i, n: [22, 4000 * (n + 1) + 2],
    "glslang-offsets": lambda i, n: [200 + n, 200 + n, 202, 200 + n, 4003, 200, 200 + (n + 1) % 8, n % 2],
    "glslang-rays": lambda i, n: [10 + n],
    "glslang-structs": lambda i, n: [200 + n, 300 + n, 1000 * (n + 1) + 3, 2000 * (n + 1) + 3, n % 2, 206],
    "glslang-textures": lambda i, n: [200 + n, 200 + n, 4 + n, n % 2, 1000 * (n + 1) + 3, 16 + n, 205],
}
# Programs of test/vulkan/random_values.py, with the resources of heap_run.c.
RANDOM = """layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { DescriptorHandle handles[]; };
#define PUT(at, what) result.value[(at) % 8u * 16u + (at) / 8u] = what
#define C (result.value[127] & 7u)
#define SCALE 1.0
#define WORD(n, j) (4000u * (n + 1u) + j)
uint numbers(uint e) { return handles[e].x; }
DescriptorHandle of_texture(uint n) { return handles[n]; }
DescriptorHandle of_buffer(uint n) { return handles[40u + n]; }
DescriptorHandle of_pair(uint n) { return handles[64u + n]; }
"""


def write_random(seed, path):
    sys.path.insert(0, os.path.join(ROOT, "test", "vulkan"))
    import random_values
    write(path, random_values.Program(seed, random_values.Glsl(RANDOM, bound=False)).text)


# lavapipe takes lengths from the first lane, decorated or not
OPTIONS = {"lengths": ["--waterfall=lengths"]}


def start(args, runs):
    """One process of heap_run.c for modules with their strides: making a device with the layer takes much longer than
    running a shader on it."""
    env = dict(os.environ, VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation", NODEVICE_SELECT="1")
    words = [word for module, strides in runs for word in (module, *strides)]
    return subprocess.run([args.sid, args.runner, *words], capture_output=True, env=env, timeout=HANGS)


def result_of(block):
    """The rows, and the messages of the layer."""
    lines = block.splitlines()
    numbers = [line for line in lines if re.fullmatch(r"[0-9 ]+", line)]
    expect(len(numbers) == LANES, block)
    return [[int(word) for word in line.split()] for line in numbers], "\n".join(l for l in lines if l not in numbers)


def execute(args, module, strides, crash_is_fine=False):
    done = start(args, [(module, strides)])
    text = done.stdout.decode()
    if crash_is_fine and done.returncode < 0:
        return None, "it crashed"
    if done.returncode:
        raise Failure("exit %d\n%s%s" % (done.returncode, text, done.stderr.decode()))
    return result_of(text.removesuffix("-\n"))


def execute_all(args, runs):
    """The output of each run; if not all of them finished, each is run alone, to find the failing one."""
    done = start(args, runs) if runs else None
    blocks = done.stdout.decode().split("-\n")[:-1] if done else []
    return blocks if done and done.returncode == 0 and len(blocks) == len(runs) else []


# The conversions of a module to descriptor heaps.
WAYS = {"from arrays": ["typed"], "from a mutable array": ["mutable"],
        "there and back": ["descriptor-heap", "typed"], "there and back twice": ["typed", "descriptor-heap", "mutable"]}


def bound_shader(args, name, env, options, tmp, way=()):
    source, out = "%s/shader-%s-%s.spv" % (tmp, name, env), tmp + "/shader-bound.spv"
    if not os.path.exists(source): # once for all strides
        text = os.path.join(SHADERS, name + ".comp")
        if name.startswith("random-"):
            text = tmp + "/random.comp"
            write_random(int(name.removeprefix("random-")), text)
        glslang(text, source, "--target-env", env, "-g")
    for i, model in enumerate(way):
        step = "%s/shader-step-%d.spv" % (tmp, i)
        run(args.bind, "-q", "--validate=none", "--combined=split", "--heap-model=" + model, source, "-o", step)
        judge(args, step)
        expect(("OpUntypedVariableKHR" in fixtures.disassemble(step)) == (model == "descriptor-heap"),
               "heaps of another kind than " + model)
        source = step
    run(args.bind, "-q", "--validate=none", HEAP, *options, source, "-o", out)
    judge(args, out)
    return out


def bind_shader(args, name, env, stride, tmp, way, ready):
    options = ["--heap-stride=" + ",".join(stride), *OPTIONS.get(name, [])]
    module = "%s/ready-%d.spv" % (tmp, len(ready))
    os.replace(bound_shader(args, name, env, options, tmp, way), module)
    ready.append((name, env, stride, way, module))


def shader_is_right(args, name, module, stride, block):
    rows, said = result_of(block) if block else execute(args, module, stride)
    expect(not said, said)
    for lane, row in enumerate(rows):
        wanted = EXPECTED[name](lane, pick(lane))
        expect(row[:len(wanted)] == wanted, "lane %d: %s, expected %s" % (lane, row[:len(wanted)], wanted))


# Heaps of other compilers, with their strides: unchanged, with other strides, and converted to arrays and back. Those
# of DXC and Slang are hand-written modules in their style, those of glslang 16 are compiled from
# GL_EXT_descriptor_heap.
FOREIGN = {"dxc": ["unified", "size"], "slang": ["unified", "size"], "glslang-buffers": ["size", "size"],
           "glslang-functions": ["size", "size"], "glslang-images": ["size", "size"],
           "glslang-lengths": ["size", "size"], "glslang-offsets": ["128", "64"], "glslang-rays": ["size", "size"],
           "glslang-structs": ["size", "size"], "glslang-textures": ["size", "size"]}
# Slang reads addresses that its host writes, which heap_run.c does not do.
ADDRESSES = {"slang"}
# The compiler's output is invalid, and bound with its own heaps.
REPAIRED = {"glslang-functions"}
FOREIGN_WAYS = {"as it is": None, "other strides": [], "typed": ["typed"], "mutable": ["mutable"],
                "there and back": ["typed", "descriptor-heap", "mutable"]}


def make_foreign(name, out):
    source = os.path.join(SHADERS, name)
    if os.path.exists(source + ".spvasm"):
        run(*fixtures.newer("spirv-as"), "--target-env", "spv1.6", source + ".spvasm", "-o", out)
        return
    glslang = fixtures.newer("glslangValidator")
    run(*glslang, "-V", "-g", "--quiet", "--target-env", "vulkan1.3", source + ".comp", "-o", out)


def as_stride(word):
    return int(word) if word.isdigit() else word


def foreign_module(args, name, way, tmp):
    """The strides and the module."""
    source = "%s/%s.spv" % (tmp, name)
    if not os.path.exists(source): # once for all ways
        make_foreign(name, source)
        judge(args, source, expect=1 if name in REPAIRED else 0)
    bind = [args.bind, "-q", "--validate=none"]
    if way is None:
        layout = json.loads(run(*bind, source, "-o", tmp + "/kept.spv", "--layout-json=-").stdout)
        judge(args, tmp + "/kept.spv")
        expect((read(tmp + "/kept.spv") == read(source)) == (name not in REPAIRED), "what needs nothing was changed")
        strides = {h["kind"]: h["stride"] for h in layout["heaps"]}
        wanted = dict.fromkeys(strides, as_stride(FOREIGN[name][0]))
        wanted.update((kind, as_stride(FOREIGN[name][1])) for kind in strides if kind == "sampler")
        wanted.update((kind, 8) for kind in strides if kind == "as" and name in ADDRESSES)
        expect(strides and strides == wanted, "the strides are %s, expected %s" % (strides, wanted))
        return FOREIGN[name], tmp + "/kept.spv"
    for i, model in enumerate(way):
        step = "%s/foreign-%d.spv" % (tmp, i)
        run(*bind, "--heap-model=" + model, source, "-o", step)
        judge(args, step)
        text = fixtures.disassemble(step)
        expect(("OpUntypedVariableKHR" in text) == (model == "descriptor-heap"), "heaps of another kind than " + model)
        source = step
    run(*bind, HEAP, "--heap-stride=160,96", source, "-o", tmp + "/foreign.spv")
    judge(args, tmp + "/foreign.spv")
    return ["160", "96"], tmp + "/foreign.spv"


def needs_more(module):
    """glslang declares capabilities that the heaps do not need, and that the device is not created with."""
    return re.search("ArrayDynamicIndexing|OpCapability Int8", fixtures.disassemble(module))


def bind_foreign(args, name, way, tmp, ready):
    strides, module = foreign_module(args, name, way, tmp)
    if way is None and (name in ADDRESSES or needs_more(module)):
        return
    write("%s/ready-%d.spv" % (tmp, len(ready)), read(module))
    ready.append((name, "foreign", strides, way, "%s/ready-%d.spv" % (tmp, len(ready))))


def a_mistake_would_be_seen(args, tmp):
    """Descriptors with other strides than the module expects: images, then samplers."""
    out = bound_shader(args, "textures", "vulkan1.3", ["--heap-stride=256,128"], tmp)
    for strides, columns in ((["128", "128"], (0, 1, 2, 4, 6, 7)), (["256", "64"], (3, 5))):
        rows, _ = execute(args, out, strides, crash_is_fine=True) # bytes that are not a descriptor may be anything
        wrong = rows is None or [c for c in columns
                                 if any(rows[i][c] != EXPECTED["textures"](i, pick(i))[c] for i in range(LANES))]
        expect(wrong, "strides of %s do what those of 256,128 do" % strides)


def the_layer_is_heard(args, tmp):
    """A capability that the device was not created with."""
    out = bound_shader(args, "textures", "vulkan1.3", [], tmp)
    words = list(spirv_text.words_of(read(out)))
    words[5:5] = [2 << 16 | 17, 5307] # OpCapability SampledImageArrayNonUniformIndexing
    write(out, b"".join(w.to_bytes(4, "little") for w in words))
    _, said = execute(args, out, ["size", "size"])
    expect("SampledImageArrayNonUniformIndexing" in said, "nothing said:\n" + said)


def mapped_ones_are_found(args, tmp):
    """Shaders with sets and bindings read what the mappings of the layout header say, which compile as C and C++."""
    module, header = tmp + "/mapped.spv", tmp + "/mapped.h"
    glslang(os.path.join(SHADERS, "mapped.comp"), tmp + "/source.spv", "--target-env", "vulkan1.2")
    run(args.bind, "-q", HEAP, "--allow-unvalidated", tmp + "/source.spv", "-o", module, "--layout-header", header)
    include = os.path.join(os.path.dirname(args.sid), "usr/include")
    write(tmp + "/mapped.manifest", b"options --heap-model=descriptor-heap --allow-unvalidated\n"
          b"share set=0\nshare set=1\nprogram a: source.spv\n")
    run(args.bind, "-q", "-m", tmp + "/mapped.manifest", "--out-dir", tmp + "/out", "--layout-header", tmp + "/all.h")
    rows = [sorted(re.findall(prefix + r"(\w+_set, .*)\}", read(path).decode().replace(" " + prefix, " ")))
            for prefix, path in (("mapped_", header), ("all_", tmp + "/all.h"))]
    expect(rows[0] and rows[0] == rows[1], "what programs share is mapped otherwise: %s" % rows)
    write(tmp + "/header.c", b"#define mapped_mappings\n#define mapped_tables\n#include \"mapped.h\"\n"
          b"#define all_mappings\n#define all_tables\n#include \"all.h\"\n")
    for language in (["-std=c99"], ["-x", "c++", "-std=c++11"]):
        run(args.cc, *language, "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wconversion", "-Wundef",
            "-Wno-unused-variable", "-Wno-unused-const-variable", "-isystem", include,
            "-fsyntax-only", tmp + "/header.c")
    runner, args.runner = args.runner, tmp + "/mapped_run"
    run(args.cc, "-std=c11", "-O1", "-isystem", include, '-DMAPPED="%s"' % header,
        os.path.join(SHADERS, "heap_run.c"), "-o", args.runner, "-ldl")
    rows, said = execute(args, module, ["size", "size"])
    args.runner = runner
    expect(not said, said)
    # Textures 0 to 4 and samplers 0 and 1, in the order of the layout
    expect(all(row[:7] == [200, 0, 300, 3005, 4003, 203 + 5, 204 + 1] for row in rows), rows)


def shaders():
    """Each shader with each version and each stride, and each version with each stride in two shaders; then each shader
    with each conversion, with one version and stride."""
    strides = (["size", "size"], ["unified", "size"], ["128", "64"])
    versions = ("vulkan1.1", "vulkan1.2", "vulkan1.3")
    for i, name in enumerate(sorted(set(EXPECTED) - set(FOREIGN))):
        for k, env in enumerate(versions):
            yield name, env, strides[(i + k) % 3], ()
        for k, way in enumerate(sorted(WAYS)):
            yield name, versions[(i + k) % 3], ["128", "64"], WAYS[way]


def executed_cases(args, tmp):
    ready = []
    for name, env, stride, way in shaders():
        yield "bind %s %s %s %s" % (name, env, stride, way), lambda n=name, e=env, s=stride, w=way: bind_shader(
            args, n, e, s, tmp, w, ready)
    for name in FOREIGN:
        for title, way in FOREIGN_WAYS.items():
            yield "bind %s %s" % (name, title), lambda n=name, w=way: bind_foreign(args, n, w, tmp, ready)
    blocks = execute_all(args, [(module, stride) for _, _, stride, _, module in ready])
    for i, (name, env, stride, way, module) in enumerate(ready):
        yield "run %s %s %s %s" % (name, env, stride, way), lambda n=name, m=module, s=stride, b=blocks[i:i + 1]: (
            shader_is_right(args, n, m, s, b[0] if b else None))
    yield "run a_mistake_would_be_seen", lambda: a_mistake_would_be_seen(args, tmp)
    yield "run mapped_ones_are_found", lambda: mapped_ones_are_found(args, tmp)
    yield "run the_layer_is_heard", lambda: the_layer_is_heard(args, tmp)
    missing = [os.path.basename(p) for p in glob.glob(SHADERS + "/*.comp") + glob.glob(SHADERS + "/*.spvasm")
               if os.path.basename(p).split(".")[0] not in (*EXPECTED, "mapped")]
    if missing:
        yield "run", lambda: expect(False, "nothing is expected of %s" % missing)


def cases(args, tmp):
    if args.what == "commands":
        for check in COMMANDS:
            yield check.__name__, lambda c=check: c(args, tmp)
        return
    yield from judged_cases(args, tmp)
    for case, options in matrix_cases(args, tmp):
        yield case.name, lambda c=case, o=options: matrix_case_is_valid(args, c, o, tmp)
    yield "uses_the_heap_that_is_there", lambda: uses_the_heap_that_is_there(args, tmp)
    args.runner = os.path.join(tmp, "heap_run")
    run(args.cc, "-std=c11", "-O1", "-isystem", os.path.join(os.path.dirname(args.sid), "usr/include"),
        os.path.join(SHADERS, "heap_run.c"), "-o", args.runner, "-ldl")
    yield from executed_cases(args, tmp)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["commands", "sid"])
    parser.add_argument("--bind", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--all", action="store_true", help="sid: each fixture with both strides; else in turn")
    parser.add_argument("--random", default="1-2", help="sid: the first and last seed of random programs")
    args = parser.parse_args()
    first, last = map(int, args.random.split("-"))
    EXPECTED.update(("random-%d" % seed, lambda i, n: [1, 1]) for seed in range(first, last + 1))
    args.sid = fixtures.newer_tools()
    with tempfile.TemporaryDirectory() as tmp:
        summary(*run_cases(cases(args, tmp)))


if __name__ == "__main__":
    main()
