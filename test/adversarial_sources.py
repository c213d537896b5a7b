#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Texts whose order of declaration is easily misread: conditions, includes, macros, and declarations of every form.
Each is compiled by stock glslang, and used in an order of its own, so that the order of OpVariable is another one.
Where the text proves nothing, that has to be said, with the line."""
import json

import running
from running import bind, write

GLSL = "#version 460\n#extension GL_GOOGLE_include_directive : enable\n#define AUTO binding = 65534\n" \
       "layout(location = 0) out vec4 o;\nlayout(AUTO) uniform sampler smp;\n"


def use(names):
    return "".join("o += texture(sampler2D(%s, smp), vec2(0)); " % n for n in names)


def order_of(*args):
    """The names, sorted by set and binding."""
    done = bind("-q", *args, "--dry-run", "--layout-json=-", "--order=source-strict")
    return [b["name"] for s in json.loads(done.stdout)["sets"] for b in s["bindings"]]


def glsl(declarations, expected, *flags, body=None, more=()):
    """expected: the names in the order of the text, which the body uses from the last to the first."""
    text = GLSL + declarations + "\nvoid main() { o = vec4(0); %s }\n" % (body or use(reversed(expected.split())))
    write("text.frag", text)
    module = running.glslang("text.frag", "text.spv", "-g", *flags)
    got = order_of("--auto-binding=65534", *more, module)
    assert got == ["smp"] + expected.split(), "%s\n%s" % (declarations, got)
    # The remarks are instructions from SPIR-V 1.1 on, and comments before.
    newer = running.glslang("text.frag", "newer.spv", "-g", "--target-env", "vulkan1.2", *flags)
    assert order_of("--auto-binding=65534", *more, newer) == got


def hlsl(declarations, expected, body, *flags):
    write("text.hlsl", declarations + "\nfloat4 main() : SV_Target { return %s; }\n" % body)
    module = running.glslang("text.hlsl", "text.spv", "-g", "-D", "-e", "main", "-S", "frag", *flags)
    got = order_of("--rebind=all", module)
    assert got == expected.split(), "%s\n%s" % (declarations, got)


def loads(names):
    return " + ".join(n + ".Load(0)" for n in names.split())


T = "layout(AUTO) uniform texture2D "


# conditions

def test_a_group_that_is_not_active():
    glsl("#if 0\n%sb;\n#endif\n%sc;\n%sb;" % (T, T, T), "c b")


def test_a_group_in_a_group_that_is_not_active():
    glsl("#if 0\n#if 1\n%sb;\n#else\n%sa;\n#endif\n#elif 1\n%sc;\n#else\n%sa;\n#endif\n%sb; %sa;" % (6 * (T,)), "c b a")


def test_expressions():
    glsl("#define N 3\n#define TWICE(x) ((x) * 2)\n#if TWICE(N) == 6 && !defined(M) && (N << 2 | 1) == 13 && -N < ~1\n"
         "%sb;\n#endif\n%sa;\n#if N / 2 != 1 || N %% 2 != 1 || defined M\n%sc;\n#else\n%sd;\n#endif\n"
         "%sc;" % (5 * (T,)), "b a d c")


def test_permutations_of_one_text():
    text = "".join("#ifdef F%d\n%st%d;\n#endif\n" % (i, T, i) for i in (2, 0, 3, 1))
    for mask in (1, 6, 11, 15):
        names = [i for i in (2, 0, 3, 1) if mask >> i & 1]
        glsl(text, " ".join("t%d" % i for i in names), *("-DF%d" % i for i in names))


def test_a_definition_without_a_value_is_empty():
    glsl("#if FLAG + 1 == 1\n%sb; %sa;\n#else\n%sa; %sb;\n#endif" % (4 * (T,)), "b a", "-DFLAG")
    glsl("#if FLAG + 1 == 1\n%sb; %sa;\n#else\n%sa; %sb;\n#endif" % (4 * (T,)), "a b", "-DFLAG=1")


def test_a_definition_with_parameters_and_one_that_is_taken_back():
    glsl("TEX(b) TEX(a)\n#ifdef GONE\n%sc;\n#endif\n%sd; %sc;" % (3 * (T,)), "b a d c",
         "-DTEX(n)=layout(binding=65534) uniform texture2D n;", "-DGONE", "-UGONE")


def test_predefined_macros():
    glsl("#if VULKAN >= 100 && __VERSION__ == 460 && defined(GL_core_profile) && defined(GL_EXT_nonuniform_qualifier)\n"
         "#ifndef GL_ES\n%sb;\n#endif\n#endif\n#ifdef GL_FRAGMENT_SHADER\n%sc;\n#endif\n#ifdef GL_VERTEX_SHADER\n%sz;\n"
         "#endif\n%sa; %sz;" % (5 * (T,)), "b c a z")


def test_lines_and_continuations():
    glsl("#define LONG(n) \\\n  layout(AUTO) uniform \\\n  texture2D n;\nLONG(b) LO\\\nNG(a)\n// no \\\n%sc;\n"
         "/* #if 0 */ %sd;\n#line 50\n#if __LINE__ == 50\n%sc;\n#endif" % (3 * (T,)), "b a d c")


# macros

def test_a_declaration_made_by_a_macro():
    glsl("#define TEX(n) layout(AUTO) uniform texture2D tex_##n;\nTEX(b) TEX(a) TEX(c)", "tex_b tex_a tex_c")


def test_a_list_of_macros():
    glsl("#define LIST(X) X(c, 1) X(a, 2) \\\n X(b, 3)\n#define DECLARE(n, i) layout(AUTO) uniform texture2D n##i;\n"
         "LIST(DECLARE)\n#undef DECLARE\n#define DECLARE(n, i) + 0", "c1 a2 b3")


def test_a_macro_that_renames():
    glsl("#define first second\n%sfirst;\n#undef first\n%sfirst;" % (T, T), "second first")


def test_a_macro_that_is_defined_again():
    glsl("#define T(n) layout(AUTO) uniform texture2D n\n#define PAIR(x, y) T(x); T(y);\nPAIR(b, a)\n#undef T\n"
         "#define T(n) layout(AUTO) uniform texture2D z##n\nPAIR(b, a)", "b a zb za")


def test_a_macro_of_itself():
    glsl("#define a a\n#define b c\n#define c b\n%sb; %sa; %sc;" % (3 * (T,)), "b a c")


# includes

def test_includes_are_read_where_they_stand():
    write("common.glsl", "#ifndef COMMON\n#define COMMON\n%sinner;\n#define AFTER\n#endif\n" % T)
    write("outer.glsl", '#include "common.glsl"\n%souter;\n' % T)
    glsl('%szeta;\n#include "outer.glsl"\n#include "common.glsl"\n#ifdef AFTER\n%slast;\n#endif\n%salpha;' % (3 * (T,)),
         "zeta inner outer last alpha")


def test_a_text_that_is_included_twice():
    write("one.glsl", "layout(AUTO) uniform texture2D NAME;\n#undef NAME\n")
    glsl('#define NAME b\n#include "one.glsl"\n#define NAME a\n#include "one.glsl"\n', "b a")


def test_an_include_that_no_condition_reaches():
    write("two.glsl", "%sb; %sa;\n" % (T, T))
    glsl('#ifdef NO\n#include "two.glsl"\n#else\n%sa; %sb;\n#endif' % (T, T), "a b")


def test_line_directives_move_messages_only():
    glsl('#line 100\n%sb;\n#line 3\n%sa;' % (T, T), "b a")


# forms of GLSL

def test_blocks_by_their_types():
    glsl("layout(AUTO) uniform Zeta { vec4 z; } alpha; layout(AUTO) readonly buffer Beta { vec4 b[]; };\n"
         "layout(AUTO) uniform Alpha { vec4 a; } beta[2];", "Zeta Beta Alpha", body="o = beta[1].a + b[0] + alpha.z;")


def test_several_names_sizes_and_constants():
    glsl("const int N = 2; const uint M = N + 1u;\n%sc[N], a, b[M * N]; layout(AUTO) uniform highp texture2D d[N + 3];"
         % T,
         "c a b d",
         body="o += texture(sampler2D(d[4], smp), vec2(0)) + texture(sampler2D(b[5], smp), vec2(0)) + "
              "texture(sampler2D(a, smp), vec2(0)) + texture(sampler2D(c[1], smp), vec2(0));")


def test_structs_of_resources():
    glsl("struct Pair { texture2D x, y[2]; }; uniform struct Own { texture2D z; } two; uniform Pair one, more[2];\n%sa;"
         % T, "two.z one.x one.y more.x more.y a",
         body="o = texture(sampler2D(a, smp), vec2(0)) + texture(sampler2D(more[1].y[1], smp), vec2(0)) + texture("
              "sampler2D(more[0].x, smp), vec2(0)) + texture(sampler2D(one.y[0], smp), vec2(0)) + texture(sampler2D("
              "one.x, smp), vec2(0)) + texture(sampler2D(two.z, smp), vec2(0));")


def test_what_only_looks_like_a_declaration():
    glsl("vec4 f(texture2D a, int b) { int c = b; { float d; } return vec4(c); }\nvec4 g(texture2D a);\n"
         "%sd; layout(location = 0) in vec4 unusual; struct Q { vec4 b; };\nprecision highp float; %sc; %sb; %sa;" %
         (4 * (T,)), "d c b a")


# forms of HLSL

def test_hlsl_conditions():
    hlsl("#if 0\nTexture2D tb : register(t7);\n#endif\nTexture2D tb; Texture2D ta;", "tb ta", loads("ta tb"))


def test_hlsl_struct_members():
    hlsl("struct I { Texture2D b; Texture2D a; }; struct S { I in2; Texture2D z; I in1; }; S s; Texture2D t; S r[2];",
         "s.in2.b s.in2.a s.z s.in1.a t r[0].z r[1].in2.a",
         loads("r[1].in2.a r[0].z t s.in1.a s.z s.in2.a s.in2.b"))


def test_hlsl_bases_typedefs_namespaces():
    hlsl("typedef Texture2D<float4> TT; struct D { TT bt; TT dt; };\n"
         "namespace N { TT z; namespace M { TT y; } } D d; namespace K { TT a[3]; }", "N::z N::M::y d.bt d.dt K::a",
         loads("K::a[1] d.dt d.bt N::M::y N::z"))


def test_hlsl_equal_names_in_namespaces():
    hlsl("typedef Texture2D<float4> T; namespace K { T t; } namespace N { T t; namespace K { T t; } }",
         "K::t N::t N::K::t", loads("N::K::t N::t K::t"))


def test_hlsl_buffers():
    hlsl("struct T { float4 v; }; StructuredBuffer<T> z; cbuffer C : register(b1) { float4 c : packoffset(c0); }\n"
         "ConstantBuffer<T> b; RWByteAddressBuffer y; tbuffer TB { float4 tb; }; Buffer<float4> a[2] : register(t3);",
         "z C b y TB a", "a[1].Load(0) + tb + y.Load(0) + b.v + c + z[0].v")


def test_hlsl_static_and_unused():
    hlsl("static Texture2D hidden; Texture2D unused; Texture2D b : register(t4, space2) : register(s1), c[2][3];\n"
         "SamplerState s { Filter = MIN_MAG_MIP_LINEAR; }; Texture2D a = 0;".replace(" = 0", ""), "c a b",
         loads("a b c[1][2]"))


# what proves nothing is said

def test_a_macro_that_is_not_recorded():
    write("text.frag", GLSL + "#ifdef D\n%sa; %sb;\n#else\n%sb; %sa;\n#endif\nvoid main() { o = vec4(0); %s }\n" %
          (*(4 * (T,)), use("ba")))
    running.run("glslc", "-g", "text.frag", "-o", "text.spv")
    said = bind("--auto-binding=65534", "text.spv", "--dry-run").stderr
    assert "text.frag:6: warning: [SPB2201]" in said and "does not record" in said and " -g" not in said, said
    said = bind("--auto-binding=65534", "text.spv", "--dry-run", "--order=source-strict", expect=1).stderr
    assert "SPB2202" in said and " -g" not in said, said


def test_an_include_that_the_module_lacks():
    write("hidden.glsl", "%sa;\n" % T)
    write("text.frag", GLSL + '#include "hidden.glsl"\n%sb;\nvoid main() { o = vec4(0); %s }\n' % (T, use("ba")))
    module = running.glslang("text.frag", "text.spv", "-gVS")
    said = bind("--auto-binding=65534", module, "--dry-run").stderr
    assert "SPB2201" in said and '"a"' in said, said


def test_a_text_of_another_program():
    write("text.frag", GLSL + "%sb; %sa;\nvoid main() { o = vec4(0); %s }\n" % (T, T, use("ab")))
    module = running.glslang("text.frag", "text.spv", "-g")
    for old, new, word in ((b"texture2D b", b"texture2D c", "declare"), (b"texture2D b", b"image2D   b", "kind"),
                           (b"2D b;", b"2D\tb ", "declare"), (b"#define AUTO", b"#error  AUTO", "#error")):
        words = running.read(module)
        assert old in words
        write("edited.spv", words.replace(old, new, 1))
        said = bind("--auto-binding=65534", "edited.spv", "--dry-run").stderr
        assert "SPB2201" in said and word in said, said


if __name__ == "__main__":
    running.main(globals())
