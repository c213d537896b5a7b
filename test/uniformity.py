# SPDX-License-Identifier: Apache-2.0
"""The verdict of the analysis on each access in spirv-fixtures/uniformity, against the comment on its line.

    uniformity.py --bind B [--only WORD]

A line of a shader that accesses elements of an array ends with a comment of verdicts, one for each access in the
order of instructions: the scopes in which the index is uniform, `group subgroup`, `group` or `subgroup`, otherwise
`divergent`, or `unknown` where it may be uniform; the reason follows a colon. In .spvasm the comment is on the line of
the OpAccessChain, after `;;`. A line `// spirv-bind:` has options. Every shader is tested unoptimised, and after
optimisations that keep its lines.
"""
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import FIXTURES, bind, glslang, read, run, spirv_as, write  # noqa: E402

SHADERS = sorted(path for path in glob.glob(os.path.join(FIXTURES, "uniformity", "*.*")) if ".expect." not in path)
STAGES = os.path.join(FIXTURES, "uniformity", "stages")
OPTIMISED = [[], ["--eliminate-local-multi-store"],
             ["--inline-entry-points-exhaustive", "--eliminate-dead-functions", "--scalar-replacement=100",
              "--eliminate-local-multi-store", "--ccp"], ["--merge-return"]]


UNKNOWN = {"unknown"}


def test_there_are_shaders():
    assert len(SHADERS) >= 18, SHADERS


def verdicts(text):
    words, found = re.sub(r":.*", "", text).split(), []
    while words:
        assert words[0] in ("group", "subgroup", "divergent", "unknown"), text
        if words[:2] == ["group", "subgroup"]:
            found.append(frozenset(words[:2]))
            words = words[2:]
        else:
            found.append(frozenset(words[:1]) - {"divergent"})
            words = words[1:]
    return found


def wanted(path):
    """line, or position in the order of chains -> verdicts"""
    mark = ";;" if path.endswith(".spvasm") else "//"
    lines = {}
    with open(path) as f:
        for number, line in enumerate(f, 1):
            found = re.search(re.escape(mark) + r" ((group|subgroup|divergent|unknown)\b.*)", line)
            if found:
                lines[number] = verdicts(found[1])
    if mark == ";;":
        return dict(enumerate(v for v in lines.values()))
    return lines


def said(module, *options):
    """Like wanted(), for all accesses by a non-constant index."""
    j = json.loads(bind("layout", "-q", "--auto-binding=65534", "--accesses", "--layout-json", *options,
                        module).stdout)
    lines, chains = {}, {}
    for a in j["accesses"]:
        if a["index"] is not None or "indexId" not in a or a["op"] in ("OpSelect", "OpPhi"):
            continue
        assert a["nonUniform"] == ("group" not in a["uniform"]), a
        verdict = frozenset(a["uniform"]) or (frozenset() if a["certain"] else frozenset(["unknown"]))
        assert a["why"] or verdict, a
        lines.setdefault(a.get("line"), []).append(verdict)
        chains[len(chains)] = [verdict]
    return chains if module.endswith(".asm.spv") else lines


def options(path):
    found = re.search(r"(?m)^// spirv-bind: (.*)", open(path).read())
    return found[1].split() if found else []


def compile(path):
    if path.endswith(".spvasm"):
        return spirv_as(read(path), "m.asm.spv", "spv1.4")
    return glslang(path, "m.spv", "-g", "--target-env", "vulkan1.3")


def check(path):
    module, want = compile(path), wanted(path)
    assert want, path + " says nothing"
    got = said(module, *options(path))
    for place in sorted(set(want) | set(got), key=lambda x: x or 0):
        assert want.get(place) == got.get(place), "%s:%s: %s, not %s" % (
            os.path.basename(path), place, [sorted(v) for v in got.get(place, [])],
            [sorted(v) for v in want.get(place, [])])
    return module, want


def check_optimised(path):
    """Inlining distinguishes callers, and dead stores are removed: nothing may become less uniform, and divergent
    indices stay divergent."""
    module, want = check(path)
    if path.endswith(".spvasm") or "handles" in path:
        return
    for passes in OPTIMISED[1:]:
        run("spirv-opt", "--target-env=vulkan1.3", *passes, module, "-o", "o.spv")
        lines = {line: got for line, got in said("o.spv", *options(path)).items() if line in want}
        assert lines, "%s after %s: no access is left" % (os.path.basename(path), passes)
        for line, got in lines.items():
            if "--inline-entry-points-exhaustive" in passes:
                for verdict in got:
                    assert any(w - UNKNOWN <= verdict - UNKNOWN
                               for w in want[line]), "%s:%s inlined: %s, less than %s" % (
                        os.path.basename(path), line, got, want[line])
            else:
                assert set(got) == set(want[line]), "%s:%s after %s: %s, not %s" % (os.path.basename(path), line,
                                                                                    passes, got, want[line])


def read_line(path, number):
    with open(path) as f:
        return f.read().split("\n")[number - 1]


def check_program(stem, *passes):
    """Every stage of a program against its lines, in either order of the modules; a stage alone inherits nothing."""
    paths = sorted(glob.glob(os.path.join(STAGES, stem + ".*")))
    modules = [glslang(path, os.path.basename(path) + ".spv", "-g", "--target-env", "vulkan1.3") for path in paths]
    for module in modules if passes else []:
        run("spirv-opt", "--target-env=vulkan1.3", *passes, module, "-o", module)
    uniform = 0
    for order in (modules, modules[::-1]):
        layout = json.loads(bind("layout", "-q", "--accesses", "--layout-json", *order).stdout)
        for path, module in zip(paths, modules):
            got = {}
            for a in layout["accesses"]:
                if a["module"] == module and "indexId" in a:
                    got.setdefault(a["line"], []).append(frozenset(a["uniform"]))
            want = wanted(path)
            assert set(got) == set(want), module
            for line, verdicts_ in got.items():
                inlined = "--inline-entry-points-exhaustive" in passes and "called" in read_line(path, line)
                assert verdicts_ == want[line] or inlined, "%s:%d: %s" % (module, line, verdicts_)
            uniform += sum(len(v) for verdict in got.values() for v in verdict)
    for module in modules:
        assert not [a for a in json.loads(bind("layout", "-q", "--accesses", "--layout-json",
                                               module).stdout)["accesses"] if a.get("uniform") and "indexId" in a]
    return uniform


def test_inputs_from_the_previous_stage():
    for passes in OPTIMISED:
        assert check_program("material", *passes) >= 18
        assert check_program("shaped", *passes) >= 2
        assert check_program("emitted", *passes) >= 4
        assert check_program("wide", *passes) >= 8
        assert check_program("sized", *passes) >= 2
        assert check_program("placed", *passes) >= 7
        assert check_program("split", *passes) >= 8


EMITS = """#version 460
layout(triangles) in;
layout(triangle_strip, max_vertices = 8) out;
layout(push_constant) uniform Push { uint same, other; };
layout(location = 0) flat out uvec2 handed;
layout(location = 1) flat out uint list[2];
void emit() { handed = uvec2(same); list[0] = same; list[1] = same; EmitVertex(); }
void main() { gl_Position = gl_in[0].gl_Position; %s }
"""
RECEIVES = """#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) flat in uvec2 handed;
layout(location = 1) flat in uint list[2];
layout(location = 0) out uint color;
void main() { color = b[handed.x].v + b[handed.y].v + b[list[1]].v; }
"""
BEFORE = "#version 460\nvoid main() { gl_Position = vec4(gl_VertexIndex); }\n"


def test_outputs_of_each_vertex_that_is_emitted():
    """Uniform in the draw are outputs whose components are all stored before each vertex, always with one value; never
    elements of arrays, which are not distinguished."""
    both, store, lists = "handed = uvec2(same, other);", "handed = uvec2(same);", "list[0] = same; list[1] = same;"
    cases = ((both + lists + "EmitVertex();", "xy"), (both + "EmitVertex();", "xy"), (both + lists, ""),
             (both + lists + "EmitVertex(); EmitVertex();", ""), (both + lists + "if (same > 3u) EmitVertex();", ""),
             ("emit();", ""), (store + lists + "emit();", ""), (store + lists + "EmitVertex(); emit();", ""),
             (both + lists + "EmitVertex();" + both + "EmitVertex();", "xy"),
             (both + "EmitVertex(); handed = uvec2(same, 3u); EmitVertex();", ""),
             ("handed.x = same; handed.y = gl_PrimitiveIDIn; EmitVertex();", "x"),
             ("handed.x = same; EmitVertex(); handed.x = other; EmitVertex();", ""),
             ("handed.y = same; EmitVertex(); handed.y = same; EmitVertex();", "y"),
             ("list[same & 1u] = same; EmitVertex();", ""),
             ("handed.x = %s; EmitVertex();" % ("~" * 5 + "same"), "x"),
             ("handed.x = %s; EmitVertex();" % ("~" * 12 + "same"), ""),
             ("uvec2 u; handed = u; EmitVertex();", ""))
    modules = [glslang(write("x.vert", BEFORE), "v.spv"), glslang(write("x.frag", RECEIVES), "f.spv")]
    for body, same in cases:
        glslang(write("x.geom", EMITS % body), "g.spv")
        layout = json.loads(bind("layout", "-q", "--accesses", "--layout-json", *modules, "g.spv").stdout)
        got = "".join(name for name, a in zip("xyl", layout["accesses"]) if "group" in a["uniform"])
        assert got == same and len(layout["accesses"]) == 3, (body, got)


ALIKE = """#version 460
layout(push_constant) uniform Push { uint same, other; };
layout(location = 0) flat out uvec2 handed;
layout(location = 1) flat out uint list[2];
void main() { gl_Position = vec4(0); handed = uvec2(%s, %s); list[0] = same; list[1] = same; }
"""


def test_all_possible_previous_stages_have_to_agree():
    """Each of several vertex shaders has to write one value for the whole draw; one that does not write it belongs to
    another program. Elements of arrays are not distinguished."""
    parts = {"a": ("same", "other"), "b": ("same", "gl_VertexIndex"), "c": ("gl_VertexIndex", "same")}
    for name, values in parts.items():
        glslang(write(name + ".vert", ALIKE % values), name + ".spv")
    glslang(write("e.vert", BEFORE), "e.spv")
    glslang(write("x.frag", RECEIVES), "f.spv")
    for before, same in (("a", "xy"), ("b", "x"), ("c", "y"), ("e", ""), ("ab", "x"), ("ba", "x"), ("bc", ""),
                         ("ae", "xy"), ("ea", "xy"), ("abc", "")):
        layout = json.loads(bind("layout", "-q", "--accesses", "--layout-json", *(b + ".spv" for b in before),
                                 "f.spv").stdout)
        got = "".join(name for name, a in zip("xyl", layout["accesses"]) if "group" in a["uniform"])
        assert got == same and len(layout["accesses"]) == 3, (before, got)


def test_the_previous_stage_is_named():
    paths = [os.path.join(STAGES, name) for name in ("shaped.vert", "shaped.geom")]
    modules = [glslang(path, os.path.basename(path) + ".spv", "-g") for path in paths]
    line = [n for n, text in enumerate(open(paths[0]), 1) if "material = same" in text][0]
    said = bind("explain", "-q", "--name=B", *modules).stdout
    assert "\"material\" has one value for the whole draw, as shaped.vert.spv writes it in " in said, said
    assert "shaped.vert:%d" % line in said, said


def tells(suffix, text, *options, flags=()):
    """Whether the index that is read from a buffer is uniform, in the only such access."""
    glslang(write("x" + suffix, text), "x.spv", *flags)
    accesses = json.loads(bind("layout", "-q", "--accesses", "--layout-json", *options, "x.spv").stdout)["accesses"]
    found = [a["uniform"] for a in accesses if "indexId" in a and a["name"] == "t"]
    assert len(found) == 1, accesses
    return "group" in found[0]


GLSL = """#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 9) uniform sampler2D t[4];
layout(binding = %s) readonly buffer M { uint index; } m%s;
layout(binding = %s) buffer O { uint o; } o%s;
void main() { o%s.o = gl_LocalInvocationIndex + uint(textureLod(t[m%s.index], vec2(0), 0.0).x); }
"""


def test_places_that_the_layout_distinguishes():
    plain = GLSL % (65534, "", 65534, "", "", "")
    assert tells(".comp", plain, "--auto-binding=65534")
    for option in ("--rebind=all", "--rebind=conflicts", "--allow-overlap"): # one buffer, wherever it goes
        assert not tells(".comp", plain, option), option
    assert tells(".comp", plain, "--rebind=all", "--policy=option shared=apart")
    arrays = ("[]", "[]", "[gl_WorkGroupID.x]", "[gl_WorkGroupID.x]")
    assert not tells(".comp", GLSL % (1, arrays[0], 1, arrays[1], *arrays[2:]))
    assert tells(".comp", GLSL % (1, arrays[0], 2, arrays[1], *arrays[2:]))
    apart = GLSL % (65534, arrays[0], 65534, arrays[1], *arrays[2:])
    assert tells(".comp", apart, "--auto-binding=65534")
    together = ("--auto-binding=65534", "--place=M=0.7", "--place=O=0.7")
    assert not tells(".comp", apart, *together)
    bind(*together, "x.spv", "--lock=l", "--update-lock", "-o", "o.spv")
    assert not tells(".comp", apart, "--auto-binding=65534", "--lock=l")


def test_registers_of_different_classes():
    for t, u in ((": register(t0)", ": register(u0)"), ("", "")):
        text = ("Texture2D<float4> t[4] : register(t1); StructuredBuffer<uint> m %s; RWStructuredBuffer<uint> o %s;\n"
                "[numthreads(64, 1, 1)] void main(uint lane : SV_GroupIndex)\n"
                "{ o[lane] = lane + (uint)t[m[0]].Load(int3(0, 0, 0)).x; }\n" % (t, u))
        assert tells(".hlsl", text, "--rules=hlsl", flags=("-D", "-g", "-S", "comp", "-e", "main"))


def test_the_end_of_a_long_chain_is_reported():
    """However many steps there are, the reason for each access has the original cause."""
    for steps in (3, 700):
        text = """#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 9) uniform sampler2D t[4];
layout(binding = 1) buffer O { float o; };
layout(push_constant) uniform Push { uint same; };
void main() {
    uint x = gl_LocalInvocationIndex;
%s    o = textureLod(t[x], vec2(0), 0.0).x;
    o += textureLod(t[x + same], vec2(0), 0.0).x;
}
""" % (steps * "    x = x * 3u + same;\n")
        glslang(write("x.comp", text), "x.spv")
        layout = json.loads(bind("layout", "-q", "--accesses", "--layout-json", "x.spv").stdout)
        reasons = [[r["text"] for r in a["why"]] for a in layout["accesses"] if "indexId" in a and a["name"] == "t"]
        assert len(reasons) == 2 and all("LocalInvocationIndex" in r[-1] for r in reasons), (steps, reasons)


PASSED = """#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 9) uniform sampler2D t[4];
layout(binding = 8) uniform sampler2D u[4];
layout(binding = 1) buffer O { float o; };
layout(push_constant) uniform Push { uint same; };
struct Many { uint %(members)s; };
Many pass(Many m, uint %(parameters)s) { m.m1 += %(sum)s; return m; }
void main() {
    uint lane = gl_LocalInvocationIndex;
    Many m = Many(%(values)s);
    m = pass(m, %(arguments)s);
    o = %(all)stextureLod(t[m.%(read)s], vec2(0), 0.0).x;
}
"""


def test_calls_with_many_arguments_and_results():
    """Even if they are too many to follow each to each, exactly the divergent values are found."""
    for count, cases in ((3, ((None, 0, True), (0, 0, False), (2, 2, False), (2, 0, True))),
                         (60, ((None, 0, True), (0, 0, False), (59, 59, False)))):
        others = range(count + 10)
        for differs, read, uniform in cases:
            text = PASSED % {"members": ", ".join("m%d" % i for i in range(count)), "read": "m%d" % read,
                             "parameters": ", uint ".join("p%d" % i for i in others),
                             "sum": " + ".join("p%d" % i for i in others),
                             "arguments": ", ".join("same" for _ in others),
                             "values": ", ".join("lane" if i == differs else "same" for i in range(count)),
                             "all": "".join("textureLod(u[m.m%d], vec2(0), 0.0).x + " % i for i in range(count))}
            assert tells(".comp", text) == uniform, (count, differs, read)


ENTRY = """%%m%(i)d = OpFunction %%void None %%fn
%%b%(i)d = OpLabel
%%x%(i)d = OpLoad %%uint3 %%%(input)s
%%y%(i)d = OpCompositeExtract %%uint %%x%(i)d 0
%%c%(i)d = OpAccessChain %%puint %%t %%y%(i)d %%zero
%%v%(i)d = OpLoad %%uint %%c%(i)d
OpReturn
OpFunctionEnd
"""


def test_a_module_with_many_entry_points():
    """Each gets the same verdict as alone."""
    for count in (2, 8, 9, 40):
        inputs = ["group" if i % 3 else "local" for i in range(count)]
        text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
        text += "".join('OpEntryPoint GLCompute %%m%d "m%d" %%t %%%s\n' % (i, i, x) for i, x in enumerate(inputs))
        text += "".join("OpExecutionMode %%m%d LocalSize 64 1 1\n" % i for i in range(count))
        text += ('OpName %t "t"\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\nOpDecorate %block Block\n'
                 "OpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 0 NonWritable\n"
                 "OpDecorate %group BuiltIn WorkgroupId\nOpDecorate %local BuiltIn LocalInvocationId\n"
                 "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
                 "%uint3 = OpTypeVector %uint 3\n%zero = OpConstant %uint 0\n%four = OpConstant %uint 4\n"
                 "%block = OpTypeStruct %uint\n%blocks = OpTypeArray %block %four\n"
                 "%pblocks = OpTypePointer StorageBuffer %blocks\n%puint = OpTypePointer StorageBuffer %uint\n"
                 "%pin = OpTypePointer Input %uint3\n%t = OpVariable %pblocks StorageBuffer\n"
                 "%group = OpVariable %pin Input\n%local = OpVariable %pin Input\n")
        text += "".join(ENTRY % {"i": i, "input": x} for i, x in enumerate(inputs))
        layout = json.loads(bind("layout", "-q", "--accesses", "--layout-json",
                                 spirv_as(text, "m.spv", "spv1.4")).stdout)
        found = [a["uniform"] for a in layout["accesses"] if "indexId" in a]
        assert found == [["group", "subgroup"] if x == "group" else [] for x in inputs], (count, found)


for fixture in SHADERS:
    name = re.sub(r"\W", "_", os.path.basename(fixture))
    globals()["test_" + name] = lambda path=fixture: check_optimised(path)


if __name__ == "__main__":
    running.main(globals())
