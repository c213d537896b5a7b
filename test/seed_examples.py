#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of the documents with the rules, compiled by stock glslang with -g: the HLSL proposals 0024 (implicit
binding) and 0028 (arrays of resources), and Slang's "Parameter Layout Rules". Each case names its example and gives the
numbers of the document.

Not expressible by glslang 12, and so not here:
    0024, 2.3                       an error of DXC about a dynamic index, which Vulkan allows
    0024, 5.1                       glslang 12 does not read register(space1)
    0028, F[4][] and local arrays without a size: glslang makes one element of them
    0028, local copies of arrays    glslang 12 writes id 0 for a parameter that is assigned
    0028, K beyond its size         glslang accepts no array as argument for a parameter without a size
    Slang, "Generics"               HLSL and GLSL have none
    Slang, byte offsets, D3D registers and alignment: not numbers of descriptors
"""
import json
import os

import running
from running import bind, write

HEAD = "[numthreads(4, 1, 1)] void main(uint3 gi : SV_GroupID) "


def compiled(name, text, *flags):
    if name.endswith(".hlsl"):
        flags = ("-D", "-e", "main", "-S", "comp", *flags)
    write(name, text)
    return running.glslang(name, name + ".spv", "-g", *flags)


def numbers(*args):
    """name: register or binding, with the last one of a range, and /space unless it is 0."""
    done = bind("layout", "-q", *args, "--layout-json")
    result = {}
    for s in json.loads(done.stdout)["sets"]:
        for b in s["bindings"]:
            first, last = b.get("range") or (b["binding"], b["binding"])
            text = "%s%s" % (b["class"], first) + ("" if last == first else ".." if last is None else "..%d" % last)
            result[b["name"]] = text + ("/%d" % s["set"] if s["set"] else "")
    return result


def expect(declarations, body, expected):
    """HLSL rules. expected: "A=u0 B=u1..4 C=t3/1"."""
    module = compiled("example.hlsl", declarations + HEAD + "{ " + body + " }\n")
    got = numbers("--rules=hlsl", module)
    assert got == dict(e.split("=") for e in expected.split()), "%s\n%s, not %s" % (declarations, got, expected)


def expect_error(declarations, body, *words):
    module = compiled("example.hlsl", declarations + HEAD + "{ " + body + " }\n")
    said = bind("layout", "--rules=hlsl", module, expect=1).stderr
    assert all(w in said for w in words), said


def indexes(declarations, body, *more):
    """name: the range of each access and its index, from the beginning of the register space."""
    module = compiled("example.hlsl", declarations + HEAD + "{ " + body + " }\n")
    done = bind("layout", "-q", "--rules=hlsl", *more, module, "--accesses", "--layout-json")
    return {(a["name"], a["range"][0], a["range"][1], a["range"][0] + a["index"])
            for a in json.loads(done.stdout)["accesses"]}


# 0024, implicit resource binding

BUFFERS = "RWBuffer<float> "


def test_0024_1_1_in_order_of_declaration():
    text = BUFFERS + "A : register(u0); RWBuffer<float> B; RWBuffer<float> C : register(u2); RWBuffer<float> D;"
    expect(text, "A[0] = D[0] + B[0];", "A=u0 B=u1 D=u2")
    expect(text, "A[0] = D[0] + B[0] + C[0];", "A=u0 B=u1 C=u2 D=u3")


def test_0024_1_2_members_of_a_struct_too():
    expect("RWBuffer<float> A : register(u0); RWBuffer<float> C: register(u2);\n"
           "struct S { RWBuffer<float> B; RWBuffer<float> D; }; S s;", "A[0] = s.D[0] + s.B[0];",
           "A=u0 s.B=u1 s.D=u2")


def test_0024_2_1_the_first_range_that_fits():
    expect("RWBuffer<float> A : register(u2); RWBuffer<float> B[4]; RWBuffer<float> C[2];\n"
           "RWBuffer<float> D[50] : register(u6); RWBuffer<float> E[2];", "A[0] = E[2 - 1][0] + C[1][0] + B[1][0];",
           "A=u2 B=u3..6 C=u0..1 E=u7..8")


def test_0024_2_2_arrays_in_structs_are_arrays():
    expect("struct S { RWBuffer<float> B[4]; RWBuffer<float> C[2]; RWBuffer<float> E[3]; };\n"
           "RWBuffer<float> A : register(u2); S s;", "A[0] = s.E[2][0] + s.C[1][0] + s.B[3][0] + s.E[1][0];",
           "A=u2 s.B=u3..6 s.C=u0..1 s.E=u7..9")


def test_0024_2_3_dynamic_indexes_of_both():
    expect("RWBuffer<float> A[10]; struct S { RWBuffer<float> B[10]; }; S s;",
           "for (int i = 0; i < 5; i++) { A[i][0] = 1.0; s.B[i][0] = 1.0; }", "A=u0..9 s.B=u10..19")


def test_0024_1_2_the_last_register():
    expect("RWBuffer<float> A : register(u4294967295); RWBuffer<float> B : register(u4294967295, space4294967295);"
           "RWBuffer<float> C;", "A[0] = B[0] + C[0];", "A=u4294967295 B=u4294967295/4294967295 C=u0")


def test_0024_3_1_unbounded_arrays_come_after_the_highest_register():
    expect("RWBuffer<float> A : register(u1); RWBuffer<float> B[]; RWBuffer<float> C : register(u5);\n"
           "RWBuffer<float> D[3];", "A[0] = D[2][0] + C[0] + B[10][0];", "A=u1 B=u6.. C=u5 D=u2..4")


def test_0024_3_2_what_does_not_fit_before_them_is_an_error():
    expect_error("RWBuffer<float> A : register(u1); RWBuffer<float> B[]; RWBuffer<float> C : register(u5);\n"
                 "RWBuffer<float> D[4];", "A[0] = D[2][0] + C[0] + B[10][0];", "SPB4007", "D")


def test_0024_3_3_declared_before_it_fits():
    expect("RWBuffer<float> A : register(u1); RWBuffer<float> D[4]; RWBuffer<float> B[];\n"
           "RWBuffer<float> C : register(u5);", "A[0] = D[2][0] + C[0] + B[10][0];", "A=u1 B=u10.. C=u5 D=u6..9")


def test_0024_3_4_two_unbounded_arrays_in_one_space():
    expect_error("RWBuffer<float> C[]; RWBuffer<float> D[];", "D[10][0] = C[20][2];", "SPB4007", "D")


def test_0024_4_1_other_spaces_do_not_matter():
    expect("RWBuffer<float> A : register(u0, space1); RWBuffer<float> B[10];\n"
           "RWBuffer<float> C[5][4] : register(u10, space5); RWBuffer<float> D;",
           "A[0] = D[0] + C[3][3][0] + B[5][0];", "A=u0/1 B=u0..9 C=u10..29/5 D=u10")


def test_0024_6_1_unused_registers_are_free():
    text = ("struct S { RWBuffer<float> D; };\nRWBuffer<float> A; RWBuffer<float> B[10] : register(u0);\n"
            "RWBuffer<float> C : register(u2); S s : register(u5); RWBuffer<float> E[5];\n"
            "void foo() { B[2][0] = 1.0; }\n")
    expect(text, "if (false) C[0] = 1.0; A[0] = E[2][gi.x];", "A=u0 E=u1..5")
    # Code that only an optimiser finds unreachable counts as used here; DXC's answer needs spirv-opt -O first.
    expect_error(text, "foo(); C[0] = 1.0; A[0] = E[2][gi.x];", "C", "B")


def test_0024_6_1_what_only_an_optimizer_sees_is_left_to_one():
    """The example itself: a loop that ends before 6, and a condition that i never meets."""
    text = ("struct S { RWBuffer<float> D; };\nRWBuffer<float> A; RWBuffer<float> B[10] : register(u0);\n"
            "RWBuffer<float> C : register(u2); S s : register(u5); RWBuffer<float> E[5];\n"
            "void foo() { B[2][0] = 1.0; }\nbool bar(int i) { return i > 10; }\n")
    body = ("if (false) { C[0] = 1.0; } [unroll] for (int i = 0; i < 5; i++) { if (i > 6) s.D[0] = 1.0; "
            "if (bar(i)) foo(); if (bar(gi.x)) A[0] = E[2][i]; }")
    expect_error(text, body, "s.D", "B")
    running.run("spirv-opt", "-O", "example.hlsl.spv", "-o", "optimized.spv")
    assert numbers("--rules=hlsl", "optimized.spv") == {"A": "u0", "E": "u1..5"}


# 0028, arrays of resources

def test_0028_one_dimension():
    assert indexes("RWBuffer<float> A[4] : register(u10); RWBuffer<float> Out;", "Out[0] = A[2][0];") == {
        ("A", 10, 13, 12), ("Out", 0, 0, 0)}


def test_0028_several_dimensions():
    assert indexes("RWBuffer<float> B[4][4] : register(u2); RWBuffer<float> C[2][2][5] : register(u10, space1);\n"
                   "RWBuffer<float> Out;", "Out[0] = C[1][0][3][0] + B[3][3][0];") == {
        ("B", 2, 17, 17), ("C", 10, 29, 23), ("Out", 0, 0, 0)}


def test_0028_without_a_size():
    assert indexes("RWBuffer<float> D[] : register(u5); RWBuffer<float> Out : register(u0, space1);",
                   "Out[0] = D[100][0];") == {("D", 5, None, 105), ("Out", 0, 0, 0)}


def test_0028_without_a_first_size():
    assert indexes("RWBuffer<float> E[][4] : register(u5); RWBuffer<float> Out : register(u0, space1);",
                   "Out[0] = E[100][3][0];") == {("E", 5, None, 408), ("Out", 0, 0, 0)}


def test_0028_arrays_in_structs():
    expect("struct S { int a; RWBuffer<float> P[5]; }; S s : register(u10); cbuffer CB { S s_array[4]; };\n"
           "RWBuffer<float> Out;", "Out[0] = s.P[2][0] + s_array[1].P[4][0];",
           "s.P=u10..14 CB.s_array.P=u15..34 Out=u0")


def test_0028_a_local_array_of_which_one_element_is_never_assigned():
    expect_error("RWBuffer<float> Buf; RWBuffer<float> Out;\n"
                 "float foo() {\n\tRWBuffer<float> LocalArray[3];\n\tLocalArray[2] = Buf;\n"
                 "\treturn LocalArray[2][0] + LocalArray[0][0];\n}\n", "Out[0] = foo();",
                 "example.hlsl:5:1: error: ", "SPB2003", "that no path assigns")


def test_0028_a_part_of_an_array_as_argument():
    assert indexes("RWBuffer<float> N[10][5] : register(u0); RWBuffer<float> Out;\n"
                   "float foo(RWBuffer<float> P[5]) { return P[3][0]; }\n", "Out[0] = foo(N[7]);") == {
        ("N", 0, 49, 38), ("Out", 50, 50, 50)}


def test_0028_whole_arrays_as_arguments():
    assert indexes("RWBuffer<float> K[3] : register(u0); RWBuffer<float> L[2][2] : register(u10);\n"
                   "RWBuffer<float> Out;\n"
                   "float foo(RWBuffer<float> LK[3], RWBuffer<float> LL[2][2]) { return LK[2][0] + LL[1][1][0]; }\n",
                   "Out[0] = foo(K, L);") == {("K", 0, 2, 2), ("L", 10, 13, 13), ("Out", 3, 3, 3)}


def test_0028_indexing_in_codegen():
    assert indexes("RWBuffer<float> A[4] : register(u10); RWStructuredBuffer<float> Out;", "Out[0] = A[2][1];") >= {
        ("A", 10, 13, 12)}


# Slang, parameter layout rules: bindings of Vulkan

GLSL = "#version 460\n#extension GL_EXT_nonuniform_qualifier : enable\n#define AUTO layout(binding = 65534)\n" \
       "layout(location = 0) out vec4 o;\n"


def frag(name, declarations, body):
    return compiled(name, GLSL + declarations + "\nvoid main() { o = vec4(0); " + body + " }\n")


def places(*args):
    done = bind("layout", "-q", "--auto-binding=65534", *args, "--layout-json")
    return {b["name"]: (s["set"], b["binding"]) for s in json.loads(done.stdout)["sets"] for b in s["bindings"]}


TEXTURES = "AUTO uniform sampler2D a; AUTO uniform sampler2D b[8]; AUTO uniform sampler2D c; " \
           "AUTO uniform F { vec4 f; };"


def test_slang_guarantee_bodies_cannot_change_the_layout():
    expected = {"a": (0, 0), "b": (0, 1), "c": (0, 2), "F": (0, 3)}
    for body in ("", "o = f;", "o = texture(c, f.xy) + texture(b[2], f.zw);", "o = texture(a, vec2(0)) + f;"):
        assert places(frag("a.frag", TEXTURES, body)) == expected, body


def test_slang_guarantee_contiguous_from_zero():
    text = TEXTURES.replace("AUTO", "layout(binding = 65534, set = 2)")
    assert sorted(places(frag("a.frag", text, "o = f;")).values()) == [(2, 0), (2, 1), (2, 2), (2, 3)]


def test_slang_guarantee_an_unused_parameter_stays():
    assert places(frag("a.frag", TEXTURES, "o = texture(c, vec2(0));"))["c"] == (0, 2)


def test_slang_ordering_translation_units_in_their_order():
    one, two = frag("a.frag", "AUTO uniform sampler2D z;", "o = texture(z, vec2(0));"), compiled(
        "b.vert", "#version 460\n#define AUTO layout(binding = 65534)\nAUTO uniform sampler2D y; "
        "AUTO uniform sampler2D z;"
        "void main() { gl_Position = texture(y, vec2(0)) + texture(z, vec2(0)); }\n")
    assert places(one, two) == {"z": (0, 0), "y": (0, 1)}
    assert places(two, one) == {"y": (0, 0), "z": (0, 1)}


def test_slang_ordering_source_files_as_they_are_included():
    write("light.glsl", "AUTO uniform sampler2D light;\n")
    text = '#extension GL_GOOGLE_include_directive : enable\nAUTO uniform sampler2D z;\n#include "light.glsl"\n' \
           "AUTO uniform sampler2D a;\n"
    assert places(frag("a.frag", text, "o = texture(a, vec2(0)) + texture(light, vec2(0)) + texture(z, vec2(0));")) == {
        "z": (0, 0), "light": (0, 1), "a": (0, 2)}


def test_slang_ordering_of_the_preprocessed_file():
    text = ("#define TEXTURE(n) AUTO uniform sampler2D tex_##n;\n#if 0\nTEXTURE(b)\n#endif\nTEXTURE(c) TEXTURE(b)\n"
            "#ifdef FIRST\nTEXTURE(d)\n#endif\nTEXTURE(a)\n#ifndef FIRST\nTEXTURE(d)\n#endif\n")
    body = "o = texture(tex_a, vec2(0)) + texture(tex_b, vec2(0)) + texture(tex_d, vec2(0)) + texture(tex_c, vec2(0));"
    write("p.frag", GLSL + text + "void main() { " + body + " }\n")
    plain = running.glslang("p.frag", "p.spv", "-g")
    assert places(plain) == {"tex_c": (0, 0), "tex_b": (0, 1), "tex_a": (0, 2), "tex_d": (0, 3)}
    first = running.glslang("p.frag", "q.spv", "-g", "-DFIRST")
    assert places(first) == {"tex_c": (0, 0), "tex_b": (0, 1), "tex_d": (0, 2), "tex_a": (0, 3)}


def test_slang_collapsing_mismatch_of_type_is_an_error():
    one = frag("a.frag", "AUTO uniform sampler2D t;", "o = texture(t, vec2(0));")
    two = frag("b.frag", "AUTO uniform samplerCube t;", "o = texture(t, vec3(0));")
    assert "SPB4002" in bind("layout", "--auto-binding=65534", one, two, expect=1).stderr


def test_slang_collapsing_conflict_of_explicit_bindings_is_an_error():
    one = frag("a.frag", "layout(binding = 1) uniform sampler2D t; AUTO uniform sampler2D u;",
               "o = texture(t, vec2(0)) + texture(u, vec2(0));")
    two = frag("b.frag", "layout(binding = 2) uniform sampler2D t;", "o = texture(t, vec2(0));")
    assert "SPB4003" in bind("layout", "--auto-binding=65534", one, two, expect=None).stderr


def test_slang_arrays_take_one_binding_sized_or_not():
    text = "AUTO uniform texture2D a[8]; AUTO uniform texture2D b[]; AUTO uniform sampler s;"
    assert places(frag("a.frag", text, "int i = int(gl_FragCoord.x); o = texture(sampler2D(b[i], s), vec2(0)) + "
                       "texture(sampler2D(a[1], s), vec2(0));")) == {"a": (0, 0), "b": (0, 1), "s": (0, 2)}


def test_slang_a_constant_buffer_takes_one_binding():
    text = "AUTO uniform A { float x[64]; }; AUTO uniform B { mat4 m; vec4 v; }; AUTO uniform sampler2D t;"
    assert places(frag("a.frag", text, "o = texture(t, v.xy) * x[2];")) == {"A": (0, 0), "B": (0, 1), "t": (0, 2)}


def test_slang_parameter_blocks_take_a_set():
    text = "AUTO uniform Global { vec4 g; }; AUTO uniform Block { vec4 v; }; AUTO uniform sampler2D block_t;"
    module = frag("a.frag", text, "o = texture(block_t, v.xy) + g;")
    assert places("--policy=block name=*lock*", module) == {"Global": (0, 0), "Block": (1, 0), "block_t": (1, 1)}


def test_slang_explicit_bindings_are_reserved_first():
    text = "AUTO uniform sampler2D a; AUTO uniform sampler2D b; layout(binding = 1) uniform sampler2D c;"
    assert places(frag("a.frag", text, "o = texture(a, vec2(0)) + texture(b, vec2(0)) + texture(c, vec2(0));")) == {
        "a": (0, 0), "b": (0, 2), "c": (0, 1)}


def test_slang_overlapping_explicit_bindings_are_an_error():
    text = "layout(binding = 1) uniform sampler2D a; layout(binding = 1) uniform B { vec4 v; };"
    assert "SPB4001" in bind("layout", frag("a.frag", text, "o = texture(a, v.xy);"), expect=1).stderr


def test_slang_splitting_of_arrays():
    text = "struct Pair { texture2D a; texture2D b; }; uniform Pair gPairs[8]; AUTO uniform sampler s;"
    assert places(frag("a.frag", text, "o = texture(sampler2D(gPairs[3].b, s), vec2(0)) + "
                       "texture(sampler2D(gPairs[1].a, s), vec2(0));")) == {
        "gPairs.a": (0, 0), "gPairs.b": (0, 1), "s": (0, 2)}


def test_slang_splitting_keeps_plain_data_aside():
    text = "struct LightInfo { float3 pos; RWBuffer<float> shadow; };\nRWBuffer<float> Out;\n" \
           "cbuffer C { LightInfo gLight; }\n"
    module = compiled("light.hlsl", text + HEAD + "{ Out[0] = gLight.shadow[0] + gLight.pos.x; }\n")
    assert places("--rebind=all", module) == {"Out": (0, 0), "C": (0, 1), "C.gLight.shadow": (0, 2)}


if __name__ == "__main__":
    running.main(globals())
