#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Texts whose order of declarations is easily misread: conditions, includes, macros, and declarations of every form.
Each is compiled by stock glslang, and uses its resources in another order, so that the order of OpVariable differs.
Where the text proves nothing, a message has to say so, with the line."""
import json
import re

import running
from module_text import Module
from running import bind, write

GLSL = "#version 460\n#extension GL_GOOGLE_include_directive : enable\n#define AUTO binding = 65534\n" \
       "layout(location = 0) out vec4 o;\nlayout(AUTO) uniform sampler smp;\n"


def use(names):
    return "".join("o += texture(sampler2D(%s, smp), vec2(0)); " % n for n in names)


def order_of(*args):
    """The names, sorted by set and binding."""
    done = bind("layout", "-q", *args, "--layout-json", "--order=source-strict")
    return [b["name"] for s in json.loads(done.stdout)["sets"] for b in s["bindings"]]


def glsl(declarations, expected, *flags, body=None, more=()):
    """expected: the names in the order of the text, which the body uses from the last to the first."""
    text = GLSL + declarations + "\nvoid main() { o = vec4(0); %s }\n" % (body or use(reversed(expected.split())))
    write("text.frag", text)
    module = running.glslang("text.frag", "text.spv", "-g", *flags)
    got = order_of("--auto-binding=65534", *more, module)
    assert got == ["smp"] + expected.split(), "%s\n%s" % (declarations, got)
    # The remarks are instructions from SPIR-V 1.1 on, and comments in 1.0.
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


def test_a_definition_with_parameters_and_an_undefined_one():
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


def test_a_recursive_macro():
    glsl("#define a a\n#define b c\n#define c b\n%sb; %sa; %sc;" % (3 * (T,)), "b a c")


# includes

def test_includes_are_read_in_place():
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


def test_text_that_only_looks_like_a_declaration():
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


# texts that prove nothing

def test_a_macro_that_is_not_recorded():
    write("text.frag", GLSL + "#ifdef D\n%sa; %sb;\n#else\n%sb; %sa;\n#endif\nvoid main() { o = vec4(0); %s }\n" %
          (*(4 * (T,)), use("ba")))
    running.run("glslc", "-g", "text.frag", "-o", "text.spv")
    said = bind("layout", "--auto-binding=65534", "text.spv").stderr
    assert "text.frag:6:1: warning: " in said and "SPB2201" in said and "does not record" in said, said
    assert " -g" not in said, said
    said = bind("layout", "--auto-binding=65534", "text.spv", "--order=source-strict", expect=1).stderr
    assert "SPB2202" in said and " -g" not in said, said


def test_a_file_that_only_a_macro_of_the_command_line_includes():
    """Where it belongs is not known without that macro. A file that declares nothing moves nothing."""
    write("early.glsl", "%sa;\n" % T), write("plain.glsl", "vec4 half_of(vec4 v) { return v * 0.5; }\n")
    for header, doubtful in (("early.glsl", True), ("plain.glsl", False)):
        write("text.frag", GLSL + "#ifdef D\n#include \"%s\"\n#endif\n%sb; %sc;\nvoid main() { o = vec4(0); %s }\n" %
              (header, T, T, use("cba" if doubtful else "cb")))
        running.run("glslc", "-g", "-DD", "text.frag", "-o", "text.spv")
        for more in ([], ["-DD"]):
            done = bind("layout", "--auto-binding=65534", *more, "text.spv")
            warns = doubtful and not more
            told = "SPB2201" in done.stderr and "early.glsl is included only with macros" in done.stderr
            assert told == warns, done
            names = [line.split()[-1] for line in done.stdout.splitlines()[1:]]
            assert warns or names == ["smp", *("abc" if doubtful else "bc")], (header, more, names)
            assert warns or not done.stderr, done.stderr


def test_an_include_that_the_module_lacks():
    write("hidden.glsl", "%sa;\n" % T)
    write("text.frag", GLSL + '#include "hidden.glsl"\n%sb;\nvoid main() { o = vec4(0); %s }\n' % (T, use("ba")))
    module = running.glslang("text.frag", "text.spv", "-gVS")
    said = bind("layout", "--auto-binding=65534", module).stderr
    assert "SPB2201" in said and '"a"' in said, said


def test_a_text_of_another_program():
    write("text.frag", GLSL + "%sb; %sa;\nvoid main() { o = vec4(0); %s }\n" % (T, T, use("ab")))
    module = running.glslang("text.frag", "text.spv", "-g")
    for old, new, word in ((b"texture2D b", b"texture2D c", "declare"), (b"texture2D b", b"image2D   b", "kind"),
                           (b"2D b;", b"2D\tb ", "declare"), (b"#define AUTO", b"#error  AUTO", "#error")):
        words = running.read(module)
        assert old in words
        write("edited.spv", words.replace(old, new, 1))
        said = bind("layout", "--auto-binding=65534", "edited.spv").stderr
        assert "SPB2201" in said and word in said, said


# modules and texts that no installed compiler makes

def says(declarations, text, named=(), language="HLSL 600", more=()):
    """Names in the order of the text; or why it proves nothing. named: names that Module cannot write."""
    module = Module(declarations, stage="Fragment").text()
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    source = '%%file = OpString "t.hlsl"\nOpSource %s %%file "%s"\n' % (language, quoted)
    module = module.replace("OpName", source + "OpName", 1)
    for old, new in dict(named).items():
        module = module.replace('"%s"' % old, '"%s"' % new)
    running.spirv_as(module, "m.spv")
    done = bind("layout", "-q", "m.spv", "--layout-json", "--order=source-strict", "--rebind=all",
                *more, expect=None)
    if done.returncode:
        assert "SPB2202" in done.stderr, done.stderr
        return re.search(r"since (.*?) \[SPB2202\]$", done.stderr, re.M)[1]
    return " ".join(b["name"] for s in json.loads(done.stdout)["sets"] for b in s["bindings"])


STRUCT = "struct S { Texture2D x[2]; SamplerState y; }; "
NAMES = [  # declarations, other names, the text, and what follows: the order, or the name that it does not declare
    ("a:t b:t", {}, "Texture2D b; Texture2D a;", "b a"), ("a:t b:t", {}, "Texture2D b; Texture2D c;", '"a"'),
    ("a:t b:t", {"a": "N::a", "b": "N::M::b"}, "namespace N { namespace M { Texture2D b; } Texture2D a; }",
     "N::M::b N::a"),
    # the end of a name is enough if it is the only one
    ("a:t b:t", {"a": "K::a"}, "Texture2D b; namespace N { namespace K { Texture2D a; } }", "b K::a"),
    ("a:t b:t", {"a": "K.a"}, "Texture2D b; namespace N { Texture2D a; }", "b K.a"),
    ("a:t b:t", {"a": "K::a"}, "Texture2D b; namespace N { Texture2D a; } namespace M { Texture2D a; }", '"K::a"'),
    ("a:t b:t", {"a": "K-a"}, "Texture2D b; namespace N { Texture2D a; }", '"K-a"'),
    ("a:t b:t", {"a": "K::"}, "Texture2D b; namespace N { Texture2D a; }", '"K::"'),
    # buffers by their types
    ("a:b b:t", {"a": "type.Frame"}, "Texture2D b; cbuffer Frame { float4 x; }", "b type.Frame"),
    ("a:b b:t", {"a": "type.Frame"}, "cbuffer Frame { float4 x; } Texture2D b;", "type.Frame b"),
    ("a:b b:t", {"a": "type.Frame"}, "cbuffer Other { float4 x; } Texture2D b;", '"type.Frame"'),
    ("a:b b:t c:t", {"a": "$Global"}, "Texture2D c; Texture2D b;", "$Global c b"),
    ("a:b b:t c:t", {"a": "$Globals"}, "Texture2D c; Texture2D b;", "$Globals c b"),
    ("a:b b:t c:t", {"a": "type.$Globals"}, "Texture2D c; Texture2D b;", "type.$Globals c b"),
    ("a:b b:t c:t", {"a": "gl_DefaultUniformBlock"}, "Texture2D c; Texture2D b;", "gl_DefaultUniformBlock c b"),
    ("a:b b:t c:t", {"a": "$Local"}, "Texture2D c; Texture2D b;", '"$Local"'),
    # members, by the elements of their structs, and elements
    ("a:t b:t c:t[2] d:s", {"c": "s[1].x", "d": "s[0].y"}, "Texture2D b; " + STRUCT + "S s[2]; Texture2D a;",
     "b s[0].y s[1].x a"),
    ("a:t c:t[2] d:s", {"c": "s[1].x", "d": "s[1].y"}, STRUCT + "S s[2]; Texture2D a;", "s[1].x s[1].y a"),
    ("a:t c:s d:s", {"c": "s[1][2].y", "d": "s[1][0].y"}, STRUCT + "Texture2D a; S s[2][3];", "a s[1][0].y s[1][2].y"),
    ("a:t c:s d:s", {"c": "s[1][0].y", "d": "s[0][2].y"}, STRUCT + "Texture2D a; S s[2][3];", "a s[0][2].y s[1][0].y"),
    ("a:t c:s d:s", {"c": "q.i.y", "d": "q.h.y"}, STRUCT + "struct Q { S h; S i; }; Texture2D a; Q q;",
     "a q.h.y q.i.y"),
    ("a:t c:s d:s", {"c": "s[9].y", "d": "s[8].y"}, STRUCT + "Texture2D a; S s[];", "a s[8].y s[9].y"),
    ("a:t b:t c:t", {"a": "t[2]", "b": "t[0]", "c": "t[1]"}, "Texture2D t[3];", "t[0] t[1] t[2]"),
    ("a:t b:t c:t", {"a": "t[1][0]", "b": "t[0][2]", "c": "t[0][1]"}, "Texture2D t[2][3];", "t[0][1] t[0][2] t[1][0]"),
    ("a:t[3] b:t[3]", {"a": "t[1]", "b": "t[0]"}, "Texture2D t[2][3];", "t[0] t[1]"),
    ("a:t b:s c:t", {"a": "s.x[1]", "b": "s.y", "c": "s.x[0]"}, STRUCT + "S s;", "s.x[0] s.x[1] s.y"),
    ("a:t c:s", {"c": "s[2].y"}, STRUCT + "Texture2D a; S s[2];", '"s[2].y"'),
    ("a:t c:t", {"c": "t[2]"}, "Texture2D a, t[2];", '"t[2]"'),
    ("a:t c:s", {"c": "s[1].z"}, STRUCT + "Texture2D a; S s[2];", '"s[1].z"'),
    ("a:t c:s", {"c": "s.y"}, STRUCT + "Texture2D a; S s[2];", '"s.y"'),
    ("a:t c:s", {"c": "s[1]y"}, STRUCT + "Texture2D a; S s[2];", '"s[1]y"'),
    ("a:t c:s", {"c": "s[1"}, STRUCT + "Texture2D a; S s[2];", '"s[1"'),
    ("a:t c:s", {"c": "s[1]."}, STRUCT + "Texture2D a; S s[2];", '"s[1]."'),
    ("a:t c:s", {"c": "s[1].y[0]"}, STRUCT + "Texture2D a; S s[2];", '"s[1].y[0]"'),
    ("a:t c:s", {"c": "s[x].y"}, STRUCT + "Texture2D a; S s[2];", '"s[x].y"'),
    ("a:t c:s", {"c": "a.y"}, STRUCT + "Texture2D a; S s[2];", '"a.y"'),
    ("a:t c:s", {"c": "s[N].y"}, STRUCT + "Texture2D a; S s[N];", '"s[N].y"'),
    ("a:t c:s", {"c": "s[0].y"}, STRUCT + "Texture2D a; S s[N];", '"s[0].y"'),
    ("a:t c:t", {"c": "t[1099511627776]"}, "Texture2D a, t[];", '"t[1099511627776]"'),
    # the counter of a buffer is declared where that is
    ("a:rw b:t c:rw", {"c": "counter.var.a"}, "Texture2D b; RWStructuredBuffer<float4> a;", "b a counter.var.a"),
    ("a:rw b:t c:rw", {"c": "a@count"}, "Texture2D b; RWStructuredBuffer<float4> a;", "b a a@count"),
]


def test_names_as_compilers_make_them():
    for declarations, named, text, expected in NAMES:
        got = says(declarations, text, named)
        assert got in (expected, "it does not declare " + expected), (declarations, named, text, got)


# Kinds in the module, and those that the text may declare: either kind of buffer, and an image with its sampler
MODULE_KINDS = "t s comb b ssbo u utexbuf img as".split()
TEXT_KINDS = {
    "Texture2D<float4>": "t comb", "SamplerState": "s comb", "ConstantBuffer<X>": "b ssbo",
    "StructuredBuffer<X>": "b ssbo", "RWStructuredBuffer<X>": "ssbo", "RWBuffer<float>": "u",
    "Buffer<float4>": "utexbuf", "RWTexture2D<float4>": "img", "RaytracingAccelerationStructure": "as",
    "Unknown": " ".join(MODULE_KINDS)}


def test_kinds_agree_or_the_text_proves_nothing():
    for kind in MODULE_KINDS:
        for name, kinds in TEXT_KINDS.items():
            got = says("a:%s b:t" % kind, "Texture2D b;\n%s a;" % name)
            expected = "b a" if kind in kinds.split() else '"a" is declared there as another kind of resource'
            assert got == expected, (kind, name, got)


SIZES = [  # of the module, of the text, and whether they agree: glslang makes one array of two
    ("[2]", "[2]", True), ("[2]", "[3]", False), ("[3]", "[2]", False), ("", "[1]", True), ("", "", True),
    ("", "[2]", False), ("[2]", "", False), ("[6]", "[2][3]", True), ("[2]", "[2][3]", True), ("[3]", "[2][3]", False),
    ("[7]", "[]", True), ("[7]", "[N]", True), ("[2][3]", "[2][3]", True), ("[2][3]", "[6]", True)]


def test_sizes_agree_or_the_text_proves_nothing():
    for size, text, agrees in SIZES:
        for name in "Texture2D", "Unknown":
            got = says("a:t%s b:t" % size, "Texture2D b;\n%s a%s;" % (name, text))
            agrees = agrees or name == "Unknown"
            expected = "b a" if agrees else '"a" is declared there with another array size'
            assert got == expected, (size, text, name, got)


HIDDEN = 'whether a declaration of "a" counts depends on the macro D, which the module does not record'


def test_conditions_on_an_unknown_macro():
    """The macro may have been defined when the text was compiled. Declarations that do not depend on it prove whether
    it was."""
    one, both = "Texture2D a;\n", "Texture2D b, a;\n"
    for text, expected in (
            ("#ifdef D\n" + one + "#endif\n" + both, HIDDEN),
            ("#ifndef D\n" + both + "#else\n" + one + "#endif", HIDDEN),
            ("#if D\n#if 1\n" + one + "#endif\n#endif\n" + both, HIDDEN),
            ("#if 0 && D\n" + one + "#endif\n" + both, HIDDEN), ("#if 0\n" + one + "#endif\n" + both, "b a"),
            ("#define D 0\n#if D\n" + one + "#endif\n" + both, "b a"),
            ("#if 1\n" + both + "#elif D\n" + one + "#endif\n", "b a"),
            ("#if 0\n#elif D\n" + one + "#endif\n" + both, HIDDEN), ("#if D\n#else\n" + both + "#endif\n", "b a"),
            ("#if D\n#endif\n#if 0\n" + one + "#endif\n" + both, "b a"),
            ("#if D\n#define a b\n#endif\n" + both, HIDDEN),
            ("#if 0\n#if D\n" + one + "#endif\n#endif\n" + both, "b a"),
            ("#if D\n#elif 1\n" + both + "#elif 0\n" + one + "#endif", HIDDEN),
            (both + "\n" + one, 'it declares "a" twice'), ("\n#error", "its conditions lead to an #error")):
        got = says("a:t b:t", text)
        assert got == expected, (text, got)
    for name, text in (("s.x", "#ifdef D\nTexture2D x;\n#endif\nstruct S { Texture2D x; }; S s; Texture2D b;"),
                       ("s.x", "#ifdef D\nTexture2D s;\n#endif\nstruct S { Texture2D x; }; S s; Texture2D b;"),
                       ("t[1]", "#ifdef D\nTexture2D t;\n#endif\nTexture2D t[2], b;"),
                       ("K::x", "#ifdef D\nTexture2D x;\n#endif\nnamespace N { Texture2D x; } Texture2D b;")):
        assert says("a:t b:t", text, {"a": name}) == HIDDEN.replace('"a"', '"%s"' % name), text


def debug_lines(declarations, *lines, more=()):
    """The order, or None, of a module that has no text, but says where its globals are declared: (name, file, line,
    column)."""
    module = Module(declarations, stage="Fragment")
    module.extensions.add('"SPV_KHR_non_semantic_info"')
    module.imports.append('%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"')
    files = sorted({file for _, file, _, _ in lines})
    module.source += ['%%%s_name = OpString "%s"' % (f, f) for f in files]
    module.globals += ["%%%s = OpExtInst %%void %%debug DebugSource %%%s_name" % (f, f) for f in files]
    for name, file, line, column in lines:
        module.globals.append("%%d_%s = OpExtInst %%void %%debug DebugGlobalVariable %%%s_name %%void %%%s %s %s %%%s "
                              "%%%s_name %%v_%s %s" % (name, file, file, module.constant(line), module.constant(column),
                                                       file, file, name, module.constant(0)))
    running.spirv_as(module.text(), "m.spv")
    done = bind("layout", "-q", "m.spv", "--layout-json", "--order=source-strict", "--rebind=all",
                *more, expect=None)
    if done.returncode:
        assert "SPB2202" in done.stderr, done.stderr
        return None
    return " ".join(b["name"] for s in json.loads(done.stdout)["sets"] for b in s["bindings"])


def test_lines_of_debug_information_where_there_is_no_text():
    """Only if they distinguish all resources, in one file."""
    a, b, c = ("a", "f", 3, 1), ("b", "f", 2, 9), ("c", "f", 2, 7)
    assert debug_lines("a:t b:t c:t", a, b, c) == "c b a" and debug_lines("a:t b:t c:t", c, b, a) == "c b a"
    assert debug_lines("a:t b:t c:t", a, b, ("c", "f", 4, 0)) == "b a c"
    assert debug_lines("a:t b:t c:t", a, b, ("c", "f", 2, 9)) is None
    assert debug_lines("a:t b:t c:t", a, b, ("c", "g", 4, 1)) is None
    assert debug_lines("a:t b:t c:t", a, b) is None and debug_lines("a:t b:t") is None
    assert debug_lines("a:t b:t", a, ("b", "f", 0, 0)) is None
    # the members of a struct stay together, in their order
    assert debug_lines("a:t b:{x:t y:s} c:t", a, b, c) == "c b.x b.y a"
    assert debug_lines("a:t b:{x:t y:s} c:t", ("a", "f", 1, 1), b, c) == "a c b.x b.y"
    assert debug_lines("a:t b:{x:t y:s} c:{z:t}", a, b, ("c", "f", 2, 9)) is None
    # a counter has no line, and is put where its buffer is
    assert debug_lines("a:t b:rw c:rw~b", a, b) == "b a c", debug_lines("a:t b:rw c:rw~b", a, b)


if __name__ == "__main__":
    running.main(globals())
