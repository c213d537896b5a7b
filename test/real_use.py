# SPDX-License-Identifier: Apache-2.0
"""Faults found in real use of the command, each with the smallest module that shows it."""
import json
import os
import subprocess

import running
from running import bind, run, says

HEAD = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
"""
BODY = """%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%block = OpTypeStruct %uint
%pblock = OpTypePointer StorageBuffer %block
%puint = OpTypePointer StorageBuffer %uint
%a = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%entry = OpLabel
%p = OpAccessChain %puint %a %u0
OpStore %p %u0
OpReturn
OpFunctionEnd
"""
NOTES = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"


def write(path, data):
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def read(path):
    with open(path, "rb") as f:
        return f.read()


def assembly(name, text, env="spv1.3"):
    write(name + ".spvasm", text)
    run("spirv-as", "--target-env", env, name + ".spvasm", "-o", name)
    return name


def glsl(name, text):
    write(name, text)
    run("glslangValidator", "-V", "--quiet", name, "-o", name + ".spv")
    return name + ".spv"


def named(name):
    """A module whose only buffer, without a binding, has this name, with underscores after it."""
    text = HEAD + "OpName %a \"PLACEHOLDER\"\n" + NOTES + BODY
    data = read(assembly("named.spv", text))
    name = name.encode() if isinstance(name, str) else name
    assert len(name) <= 11
    write("named.spv", data.replace(b"PLACEHOLDER\0", name.ljust(11, b"_") + b"\0"))
    return "named.spv"


HARMFUL = {"C0": b"a\x1b[2Jb", "C1": b"a\xc2\x9b2Jb", "bidi": "a\u202eb".encode(), "isolate": "a\u2066b".encode(),
           "line": "a\u2028b".encode(), "no UTF-8": b"a\x9b2Jb", "too long": b"a\xc0\x9bb", "DEL": b"a\x7fb"}


def test_names_cannot_control_a_terminal_or_change_a_page():
    for what, name in HARMFUL.items():
        module = named(name)
        for args in (["layout"], ["check"], ["explain"],
                     ["layout", "--place=*=0.4294967295", "--place=*=0.3", "--diagnostics=github"]):
            done = subprocess.run([running.BIND, *args, module], capture_output=True)
            shown = (done.stdout + done.stderr).decode("utf-8")  # is it UTF-8 at all?
            assert name[1:-1].decode(errors="replace") not in shown and "a?" in shown, (what, args, shown)
            assert all(c == "\n" or (c >= " " and not 0x7F <= ord(c) < 0xA0) for c in shown), (what, args, shown)
    shown = bind("layout", named("größe")).stdout
    assert "größe" in shown, shown  # letters stay


def test_a_lock_can_hold_any_name():
    for what, name in dict(HARMFUL, newline=b"a\nb", both=b"a\n\"\\x0a").items():
        module = named(name)
        bind(module, "--lock=l", "--update-lock", "-o", "o.spv")
        text = read("l")
        assert all(c == 10 or 32 <= c < 127 for c in text), (what, text)
        assert text.count(b"resource") == 1 and len(text.splitlines()) == 4, (what, text)
        bind(module, "--lock=l", "--locked", "-o", "o.spv")
        os.unlink("l")


def test_lost_json_messages_are_an_error():
    write("text.spv", "this is not a module")
    for form in ("json", "sarif", "github"):
        with open("/dev/full", "w") as full:
            done = subprocess.run([running.BIND, named("a"), "-o", "o.spv", "--diagnostics=" + form,
                                   "--validate=none"], stderr=full)
            lost = subprocess.run([running.BIND, "text.spv", "-o", "o.spv", "--diagnostics=" + form], stderr=full)
        assert lost.returncode == 4, (form, lost)
        assert done.returncode == (4 if form == "sarif" else 0), (form, done)  # the others have nothing to say


def test_prune_keeps_shader_when_it_removes_what_implied_it():
    text = HEAD.replace("OpCapability Shader",
                        "OpCapability ShaderNonUniform\nOpExtension \"SPV_EXT_descriptor_indexing\"")
    module = assembly("implied.spv", text + NOTES + "OpDecorate %a DescriptorSet 0\nOpDecorate %a Binding 0\n" + BODY)
    bind("--prune", module, "-o", "o.spv")
    run("spirv-val", "--target-env", "vulkan1.1", "o.spv")
    dis = subprocess.run(["spirv-dis", "o.spv"], capture_output=True, text=True, check=True).stdout
    assert "OpCapability Shader\n" in dis and "NonUniform" not in dis, dis
    bind("check", "--prune", "o.spv")


def test_fixed_resources_are_kept_even_if_unused():
    module = glsl("ul.comp", """#version 450
layout(local_size_x = 1) in;
layout(binding = 5) uniform texture2D zeta;
layout(binding = 9) uniform sampler s;
layout(binding = 3) buffer D { vec4 d; };
vec4 dead() { return textureLod(sampler2D(zeta, s), vec2(0), 0); }
void main() { d = vec4(1); }
""")
    for options in (["--unused=last"], ["--unused=last", "--order=name"]):
        bind(module, *options, "-o", "o.spv")
        assert read("o.spv") == read(module), options


def test_an_index_in_a_loop_keeps_its_capability():
    module = glsl("loop.frag", """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform sampler2D t[8];
layout(location = 0) flat in int i;
layout(location = 0) out vec4 o;
void main() { o = texture(t[nonuniformEXT(i)], vec2(0)); }
""")
    options = ["--nonuniform=explicit", "--prune", "--waterfall", "-q", "--target-env=vulkan1.1"]
    bind(module, *options, "-o", "a.spv")
    bind("a.spv", *options, "-o", "b.spv")
    dis = subprocess.run(["spirv-dis", "b.spv"], capture_output=True, text=True, check=True).stdout
    assert read("a.spv") == read("b.spv") and "SampledImageArrayDynamicIndexing" in dis, dis


PLAIN = """#version 450
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main() { o = texture(tex, vec2(0)); }
"""
RESOLVER = """#version 450
uint getDescriptorIndexFromHandle(uvec2 handle) { return handle.x; }
layout(local_size_x = 1) in;
void main() { getDescriptorIndexFromHandle(uvec2(1)); }
"""
REFERENCES = """#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer Numbers { uint n; };
layout(push_constant) uniform P { uint64_t a, b; uvec2 h; };
void main() { %s }
"""
HANDLES = """#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(push_constant) uniform Push { DescriptorHandle h; };
layout(location = 0) out vec4 o;
void main() { o = texelFetch(handle_texture2D(h), ivec2(0), 0); }
"""


def warnings(*args):
    """(code, text) of each warning; the exit status is 0."""
    lines = [json.loads(x) for x in bind(*args, "--diagnostics=json").stderr.splitlines()]
    return [(m.get("code"), m["text"]) for m in lines if m["severity"] == "warning"]


def test_an_option_without_matches_is_reported():
    module = glsl("plain.frag", PLAIN)
    glsl("own.comp", RESOLVER)
    for code, word, options in [
            ("SPB4017", "--place=no*=0.1", ["--place=no*=0.1"]),
            ("SPB4017", "--policy=block name=no*", ["--policy=block name=no*"]),
            ("SPB4017", "--shift=u=4", ["--shift=u=4"]),
            ("SPB4017", "--shift=t:2=4", ["--shift=t:2=4"]),
            ("SPB4017", "=Nothing", ["--lower-buffer-references=Nothing"]),
            ("SPB3007", "--lower-buffer-references", ["--lower-buffer-references"]),
            ("SPB3007", "--resolver=own.comp.spv", ["--resolver=own.comp.spv"]),
            ("SPB3007", ": --heap", ["--heap=texture=1.2"]),
            ("SPB3007", ": --heap-set, --heap-size, --bounds-check, --combined=split",
             ["--heap-set=2", "--heap-size=4", "--bounds-check=clamp", "--combined=split"]),
            ("SPB3007", ": --heap-stride", ["--heap-model=descriptor-heap", "--heap-stride=64"])]:
        found = warnings("layout", module, *options)
        assert len(found) == 1 and found[0][0] == code and word in found[0][1], (options, found)
    found = warnings("lint", module, "--ycbcr=no*")
    assert len(found) == 1 and found[0][0] == "SPB4017", found
    assert "SPB4017" not in bind("explain", module, "--name=tex", "--place=tex=0.0").stderr


def test_options_with_matches_are_not_reported():
    module = glsl("plain.frag", PLAIN)
    write("shared.policy", "place name=no* -> set=1\nshift class=u by=4\n")
    for options in (["--place=t*=0.0"], ["--shift=t=0"], ["--profile=shared.policy"], ["--heap-model=dxc"],
                    ["--heap-model=mutable"], ["--combined=native"], ["--bounds-check=off"],
                    ["--rules=hlsl", "--shift=u=4"], ["--heap-model=descriptor-heap"]):
        assert warnings("layout", module, *options) == [], options
    assert warnings("lint", module, "--ycbcr=t*") == []
    write("handles.frag", HANDLES)
    running.glslang("handles.frag", "handles.spv", "--target-env", "vulkan1.1")
    glsl("own.comp", RESOLVER)
    options = ["--heap-size=4", "--heap-set=2", "--heap=texture=3.2", "--bounds-check=clamp", "--combined=split",
               "--resolver=own.comp.spv"]
    assert warnings("handles.spv", "-o", "bound.spv", *options) == []
    assert warnings("check", "bound.spv", *options) == []  # the heap is there already
    # the other program of one command has the handles
    assert warnings("layout", "handles.spv", module, *options) == []


def test_existing_heap_strides_change_if_others_are_requested():
    write("handles.frag", HANDLES)
    running.glslang("handles.frag", "handles.spv", "--target-env", "vulkan1.1")
    model = ["--heap-model=descriptor-heap", "--validate=none"]
    assert warnings("handles.spv", "-o", "bound.spv", "--heap-stride=64", *model) == []
    assert warnings("bound.spv", "-o", "again.spv", "--heap-stride=64", *model) == []
    assert read("again.spv") == read("bound.spv")
    assert warnings("bound.spv", "-o", "wide.spv", "--heap-stride=128", "--layout-json=wide.json", *model) == []
    assert {h["stride"] for h in json.loads(running.read_text("wide.json"))["heaps"]} == {128}
    found = warnings("bound.spv", "-o", "again.spv", "--heap-size=8", *model)
    assert len(found) == 1 and found[0][0] == "SPB3007" and "already" in found[0][1], found
    assert read("again.spv") == read("bound.spv")


def test_a_reference_made_from_a_number_is_reported_with_its_location():
    both = "Numbers(a).n = 1; Numbers(b).n = 2;"
    module = glsl("address.comp", REFERENCES % both)
    found = warnings("layout", module, "--lower-buffer-references")
    assert len(found) == 1 and found[0][0] == "SPB3008" and "as 1 more are" in found[0][1], found
    text = bind("layout", module, "--lower-buffer-references").stderr
    assert "OpConvertUToPtr" in text, text
    found = warnings("layout", module, "--lower-buffer-references=Num*,None")
    assert [c for c, _ in found] == ["SPB3008", "SPB4017"] and "=None " in found[1][1], found
    module = glsl("mixed.comp", REFERENCES % (both + "Numbers(h).n = 3;"))  # legal together: a note
    assert warnings("layout", module, "--lower-buffer-references") == []
    assert says(bind("layout", module, "--lower-buffer-references").stderr, "note SPB3008")
    module = glsl("handle.comp", REFERENCES % "Numbers(h).n = 3;")
    assert "SPB" not in bind("layout", module, "--lower-buffer-references").stderr.replace("SPB4005", "")


running.main(globals())
