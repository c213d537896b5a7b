# SPDX-License-Identifier: Apache-2.0
"""Readings of texts that are not compared with a compiler: forms that glslang refuses, those of DXC or Slang, and
borderline cases. A row of each table is a text and its reading, derived by hand from the languages."""
from source.driver import GLSLANG

DXC = 14

# Conditions: True, False, None: not understood. The preprocessor of glslang has 32 bits, that of DXC 64.
EVERYWHERE = [
    ("1", True), ("0", False), ("00", False), ("0x0", False), ("010 == 8", True), ("0x1F == 31", True),
    ("0XaBcDeF == 11259375", True), ("0xg", None), ("0x", None), ("08", None), ("09 == 9", None), ("1f", None),
    ("07 == 7", True), ("9u == 9", True), ("9UL == 9lu", True), ("9uu == 9", True), ("9x", None), ("1.5", None),
    ("'a'", None), ('"a"', None), ("", None), ("1 2", None), ("1 +", None), ("* 1", None), ("(1", None), ("1)", None),
    ("()", None), ("(1))", None), ("1 = 1", None), ("1, 1", None), ("1 ? 2", None), ("1 ? 2 :", None),
    ("? 1 : 2", None),
    # each level binds tighter than the previous one
    ("1 || 0 && 0", True), ("(1 || 0) && 0", False), ("1 && 0 | 1", True), ("2 | 1 ^ 1", True), ("1 ^ 1 & 0", True),
    ("(1 ^ 1) & 1", False), ("3 & 1 == 1", True), ("4 & 4 == 4", False), ("1 == 2 < 3", True), ("2 == 1 < 3", False),
    ("1 < 2 << 1", True), ("3 < 1 << 1", False), ("1 << 1 + 1 == 4", True), ("1 + 2 * 3 == 7", True),
    ("(1 + 2) * 3 == 9", True), ("1 ? 0 : 1", False), ("0 ? 0 : 1", True), ("1 ? 1 ? 0 : 1 : 1", False),
    ("0 ? 1 : 0 ? 1 : 0", False), ("0 || 1 ? 1 : 0", True),
    # from the left
    ("7 - 3 - 2 == 2", True), ("7 - 3 + 2 == 6", True), ("16 / 4 / 2 == 2", True), ("16 / 4 * 2 == 8", True),
    ("7 % 4 % 2 == 1", True), ("256 >> 2 >> 3 == 8", True), ("3 > 2 > 1", False), ("3 > 2 > 0", True),
    ("1 == 1 == 1", True), ("2 == 2 == 2", False), ("2 != 2 != 2", True),
    # both sides of each comparison
    ("1 < 2", True), ("2 < 2", False), ("3 < 2", False), ("1 <= 2", True), ("2 <= 2", True), ("3 <= 2", False),
    ("1 > 2", False), ("2 > 2", False), ("3 > 2", True), ("1 >= 2", False), ("2 >= 2", True), ("3 >= 2", True),
    ("2 == 2", True), ("2 == 3", False), ("2 != 2", False), ("2 != 3", True), ("-1 < 0", True), ("-1 > 0", False),
    ("0 || 0", False), ("0 || 2", True), ("2 || 0", True), ("0 && 0", False), ("0 && 2", False), ("2 && 0", False),
    ("2 && 1", True), ("(2 && 1) == 1", True), ("(0 || 2) == 1", True), ("(6 & 3) == 2", True), ("(6 | 3) == 7", True),
    ("(6 ^ 3) == 5", True), ("5 - 7 == -2", True), ("7 % 4 == 3", True), ("-7 / 2 == -3", True), ("-7 % 2 == -1", True),
    ("-8 >> 1 == -4", True), ("-1 >> 5 == -1", True),
    # signs
    ("-1 == 0 - 1", True), ("+3 == 3", True), ("!0", True), ("!3", False), ("!!3 == 1", True), ("~0 == -1", True),
    ("-~3 == 4", True), ("~-3 == 2", True), ("!-1", False), ("-!0 == -1", True), ("- - 3 == 3", True), ("~", None),
    # unevaluated operands may divide by zero
    ("1 / 0", None), ("1 % 0", None), ("0 && 1 / 0", False), ("1 || 1 % 0", True), ("1 && 1 / 0", None),
    ("0 || 1 / 0", None), ("1 || (0 && 1 / 0) || 1 / 0", True), ("0 && 1 / 0 || 1 / 0", None), ("5 / -1 == -5", True),
    ("5 % -1 == 0", True), ("(0 && 1) + 1 / 0", None),
    # words are 0, and `defined` is evaluated before macros are replaced
    ("UNKNOWN", False), ("UNKNOWN == 0", True), ("true", True), ("false", False), ("defined ONE", True),
    ("defined(ONE)", True), ("defined ( ONE ) && ONE == 1", True), ("defined NO || defined(NO)", False),
    ("!defined NO", True), ("defined", None), ("defined(", None), ("defined(ONE", None), ("defined 1", None),
    ("defined(1)", None), ("defined()", None), ("defined(ONE, ONE)", None), ("defined __LINE__", True),
    ("defined __FILE__", True), ("defined(defined)", False), ("ONE + ONE == 2", True), ("TWICE(ONE + 1) == 4", True),
    ("TWICE", False), ("NOTHING 1", True), ("NOTHING", None), ("__LINE__ == 5", True), ("__FILE__ == 0", True),
    ("int(3)", None), ("INDIRECT", None), ("(" * 199 + "1" + ")" * 199, True), ("(" * 200 + "1" + ")" * 200, None),
]
NARROW = [("0x7fffffff + 1 < 0", True), ("0x80000000 < 0", True), ("4294967296 == 0", True), ("1 << 32 == 1", True),
          ("1 << 31 < 0", True), ("-0x7fffffff - 1 == 0x80000000", True), ("65536 * 65536 == 0", True),
          ("(-2147483647 - 1) / -1 < 0", True), ("-0x80000000 < 0", True)]
WIDE = [("0x7fffffff + 1 > 0", True), ("0x80000000 > 0", True), ("4294967296 != 0", True), ("1 << 32 > 1", True),
        ("1 << 63 < 0", True), ("1 << 64 == 1", True), ("0x7fffffffffffffff + 1 < 0", True),
        ("4294967296 * 4294967296 == 0", True), ("-0x80000000 == 0 - 0x80000000", True)]
BEFORE = "#define ONE 1\n#define TWICE(x) ((x) * 2)\n#define NOTHING\n#define INDIRECT defined ONE\n"


def check_conditions(driver):
    for language, generator, rows in (("glsl", GLSLANG, NARROW), ("hlsl", GLSLANG, NARROW), ("hlsl", DXC, WIDE)):
        for condition, holds in EVERYWHERE + rows:
            text = "%s#if %s\nyes\n#else\nno\n#endif\n" % (BEFORE, condition)
            read, failure = driver.tokens([("t", text.encode())], language=language, generator=generator)
            expected = (["yes" if holds else "no"], None)
            if holds is None:
                expected = [], "t:5 a condition is not understood"
            assert (read, failure) == expected, (language, generator, condition, read, failure)


# Sizes of arrays are constant expressions; "?" is unknown.
SIZES = [("3", "3"), ("N", "3"), ("N + 1", "4"), ("2 * (N - 1)", "4"), ("int(3)", "3"), ("uint(N) + 1u", "4"), ("", ""),
         ("0", "?"), ("-1", "?"), ("1 - 1", "?"), ("UNKNOWN", "?"), ("V", "?"), ("N ? 5 : 6", "5"), ("f(3)", "?"),
         ("true ? 2 : 1", "2"), ("false ? 2 : 1", "1"), ("C", "4"), ("D", "7"), ("0x10", "16"), ("1 / 0", "?"),
         ("+".join(["1"] * 32), "32"), ("+".join(["1"] * 32) + "+1", "?"), ("4294967297", "1"), ("defined", "?"),
         ("max(1, 2)", "?"), ("float(3)", "?"), ("int", "?"), ("E", "?"), ("A[1]", "?")]


def check_sizes(driver):
    for language, kind in (("glsl", "uniform texture2D t"), ("hlsl", "Texture2D t")):
        for size, expected in SIZES:
            text = "const int N = 3, C = N + 1, E = f(1, 2);\nint V = 3;\nconst uint D = (C + 3), U;\n%s[%s];\n" % (
                kind, size)
            read, failure = driver.declarations([("t", text.encode())], language=language)
            assert not failure and read[-1:] == ["t texture [%s] t:4" % expected], (language, size, read, failure)


# Types: their descriptors.
GLSL_TYPES = {
    "sampler": "sampler samplerShadow",
    "data": "bool int uint float double vec4 dmat2x3 f16vec2 u64vec4 int8_t float16_t mat3",
    "unknown": "samplerExternalOES vec material vecs internal u8 imag isample uimag Sampler2D i u64 xsampler2D "
               "i6image2D",
    "utexbuf": "samplerBuffer isamplerBuffer usamplerBuffer textureBuffer itextureBuffer utextureBuffer "
               "f16textureBuffer", "stexbuf": "imageBuffer iimageBuffer uimageBuffer i64imageBuffer u64imageBuffer",
    "combined": "sampler2D isampler2D usampler3D samplerCubeArrayShadow f16sampler1D samplerBuffers sampler2DRect",
    "texture": "texture2D itexture2D utextureCube texture2DMSArray f16texture3D textureBuffers",
    "image": "image2D iimage2D uimageCube i64image1D u64image2DArray f16image2D imageBuffers image2DMS",
    "input-attachment": "subpassInput isubpassInput usubpassInputMS f16subpassInput",
    "as": "accelerationStructureEXT accelerationStructureNV"}
HLSL_TYPES = {
    "sampler": "SamplerState SamplerComparisonState sampler",
    "texture": "Texture1D Texture2D Texture2DMSArray TextureCubeArray Texture3D",
    "image": "RWTexture1D RWTexture2DArray RasterizerOrderedTexture2D RWTexture3D",
    "utexbuf": "Buffer", "stexbuf": "RWBuffer RasterizerOrderedBuffer", "ubo": "ConstantBuffer",
    "ssbo": "TextureBuffer StructuredBuffer ByteAddressBuffer RWStructuredBuffer RWByteAddressBuffer "
            "AppendStructuredBuffer ConsumeStructuredBuffer RasterizerOrderedStructuredBuffer "
            "RasterizerOrderedByteAddressBuffer",
    "input-attachment": "SubpassInput SubpassInputMS", "as": "RaytracingAccelerationStructure",
    "data": "bool int3 uint uint64_t dword half4 float4x4 double min16float min10float vector matrix",
    "unknown": "Sampler SamplerStates Buffers RWBuffers vectors matrixx Foo texture2D RWStructuredBufferX "
               "ConstantBuffers"}


def check_types(driver):
    for language, types in (("glsl", GLSL_TYPES), ("hlsl", HLSL_TYPES)):
        text, expected = "", []
        for kind, names in types.items():
            for name in names.split():
                expected.append("t%d %s - t:%d" % (len(expected), kind, len(expected) + 1))
                text += "%s%s t%d;\n" % ("uniform " * (language == "glsl"), name, len(expected) - 1)
        read, failure = driver.declarations([("t", text.encode())], language=language)
        assert not failure and read == expected, [x for x in zip(read, expected) if x[0] != x[1]]


# Tokens, one by one, or why the text cannot be read.
TOKENS = [
    # words, numbers, marks
    ("a_1 .5 1.5e3 5. 0x1Fu a.b .x", "a_1 .5 1.5e3 5. 0x1Fu a . b . x"), ("\u00e9t\u00e9 x", "\u00e9t\u00e9 x"),
    ("a&&b||c==d!=e<=f>=g<<h>>i##j::k", "a && b || c == d != e <= f >= g << h >> i ## j :: k"),
    ("a& &b |x| = = ! = < = > > : :", "a & & b | x | = = ! = < = > > : :"), ("+=->", "+ = - >"),
    # splices, newlines, comments
    ("o\\\nne t\\\r\nwo &\\\n& 1\\\n2", "one two && 12"), ("a\\ \nb", "a \\ b"), ("a\\", "a \\"),
    ("a /* b \n c */ d // e \\\n f\ng", "a d g"), ("a/\\\n/ b\nc /\\\n* d *\\\n/ e", "a c e"), ("a /* b", "a"),
    ("a /*/ b */ c", "a c"), ("a /\\\n*/ b */ c", "a c"), ("/* a\n b\r\n c */ __LINE__", "3"),
    ("/* a \\\n b */ __LINE__", "2"), ("// a \\\n b\n__LINE__", "3"), ("aAzZ09_Z \u0080b Z", "aAzZ09_Z \u0080b Z"),
    ("a / b * c", "a / b * c"), ("a // b", "a"), ("a /**/ b /***/ c", "a b c"),
    ("\ufeffa\tb\vc\fd", "a b c d"), ("#define X \\\n 1\nX", "1"), ("#define X 1\r\nX\r\n", "1"),
    ("#define X 1\rX\r", "1"), ("# define X 1\n  #  undef X\nX", "X"), ("/* a */ #define X 1\nX", "1"),
    ("a #define X 1\nX", "a # define X 1 X"), ("#\na", "a"), ("#unknown x\na", "a"),
    ("__LINE__\n__LINE__ \\\n __LINE__\n__LINE__", "1 2 3 4"), ("\r\n\n\n\r__LINE__", "4"), ("__FILE__", "0"),
    # strings
    ('"a b" x', '"a b" x'), ('"a \\" b" x', '"a \\" b" x'), ("'a' x", '"a" x'), ("\"a'b\" 'c\"d'", '"a\'b" "c"d"'),
    ('"open\nx', '"open" x'), ("it's\nx", 'it "s" x'), ('"\\\\" x', '"\\\\" x'), ('"a\\\nb" x', '"ab" x'),
    # what is defined
    ("#define X\n[X]", "[ ]"), ("#define X (a)\nX", "( a )"), ("#define X(a) a\nX (1) X", "1 X"),
    ("#define X() y\nX() X( )", "y y"), ("#define X(a) [a]\nX()", "[ ]"), ("#define X(a) [a]\nX\n(1)", "[ 1 ]"),
    ("#define X(a, b) b a\nX((1, 2), [3)", "[ 3 ( 1 , 2 )"), ("#define X(a) a a\nX(X(1))", "1 1 1 1"),
    ("#define X X Y\n#define Y X\nX", "X X"), ("#define F(a) a\nF(F)(1)", "F ( 1 )"), ("#define X 1\n#undef X\nX", "X"),
    ("#undef X\n#define X 1\n#define X 2\nX", "2"), ("#define X(a) 1\n#undef X\nX(2)", "X ( 2 )"),
    ("#define X(x) x, __LINE__\n\nX(\na)", "a , 3"),
    ("#define P(a, b) a##b\nP(x, y) P(x, 1) P(1, 2) P(, y) P(x, ) [P(,)]", "xy x1 12 y x [ ]"),
    ("#define P(a, b) a ## _ ## b\nP(x, y)", "x_y"), ("#define P(a, b) a##b c\nP(+, -) P(<, <)", "+ - c << c"),
    ("#define P(a, b) a##b\nP(/, /) x P(/, *) y", "/ / x / * y"),
    ("#define S(a, b) #a ## #b z\nS(x, y) w", '"" "" z w'),
    ("#define P x ## y\nP", "xy"), ("#define P(a) [a ## a]\nP(x y)", "[ x yx y ]"), ("#define P ## x\nP", "x"),
    ("#define P x ##\nP", "x"), ("#define S(a) #a a\nS(1 + 1)", '"" 1 + 1'), ("#define S # a\nS", "# a"),
    ("#define S(a) # b\nS(1)", "# b"), ("#define S(a) a #\nS(1)", "1 #"),
    ("#define X(a) 1\nX + X\nX(2) X", "X + X 1 X"),
    ("#define P(a, b, c) a##b##c\nP(x,,z) P(,,z) P(x,,) P(,y,) [P(,,)]", "xz z x y [ ]"),
    ("#define X [X]\n#define F(a) a\nF(X) F(F(X))", "[ X ] [ X ]"), ("#define H # define X 1\nH\nX", "# define X 1 X"),
    ("#define V(...) f(__VA_ARGS__)\nV(1, 2) V() V(3)", "f ( 1 , 2 ) f ( ) f ( 3 )"),
    ("#define V(a, ...) a [__VA_ARGS__]\nV(1, 2, 3) V(1)", "1 [ 2 , 3 ] 1 [ ]"),
    # what is not
    ("#define", "=:0 #define without a name"), ("#define 1 2", "=t:1 #define without a name"),
    ("#define X(1) a", "=t:1 the parameters of a macro are not understood"),
    ("#define X(a", "=t:1 the parameters of a macro have no end"),
    ("\n#define X(a) a\nX(1, 2)", "=t:3 a macro is called with another number of arguments than it has parameters"),
    ("#define X(a, b) a\nX(1)", "=t:2 a macro is called with another number of arguments than it has parameters"),
    ("#define X() a\nX(1)", "=t:2 a macro is called with another number of arguments than it has parameters"),
    ("#define V(a, b, ...) a\nV(1)", "=t:2 a macro is called with another number of arguments than it has parameters"),
    ("#define X(a) a\nX(1\nX(2)", "=t:2 the arguments of a macro have no end"), ("#undef\na", "a"),
    ("#undef 1\na", "a"),
    # conditions
    ("#ifdef X\na\n#else\nb\n#endif", "b"), ("#ifndef X\na\n#else\nb\n#endif", "a"),
    ("#define X\n#ifdef X\na\n#endif\n#ifndef X\nb\n#endif\nc", "a c"),
    ("#if 0\na\n#elif 0\nb\n#elif 1\nc\n#elif 1\nd\n#else\ne\n#endif\nf", "c f"),
    ("#if 0\na\n#elif 0\nb\n#else\nc\n#endif", "c"), ("#if 1\na\n#elif 1 / 0\nb\n#else\nc\n#endif", "a"),
    ("#if 0\n#if 1\na\n#elif 1 / 0\nb\n#else\nc\n#endif\nd\n#endif\ne", "e"), ("#if 0\n#if ?\n#endif\n#endif\na", "a"),
    ("#if 0\n#define X 1\n#error\n#undef Y\n#include\n#line 9\n#endif\nX __LINE__", "X 8"),
    ("#if 1\n#if 0\na\n#endif\nb\n#else\nc\n#endif", "b"), ("#if 0\n#ifdef A\n#else\na\n#endif\n#else\nb\n#endif", "b"),
    ("#if 0\nit's\n\"open\n#endif\na", "a"), ("#endif", "=t:1 #endif without #if"),
    ("#else\n#endif", "=t:1 #else without #if"), ("\n#elif 1\n#endif", "=t:2 #elif without #if"),
    ("a\n#if 1\n\n", "=t:2 a condition has no #endif"),
    ("#if 1\n#else\n#else\n#endif", "=t:3 a condition goes on behind its #else"),
    ("#if 1\n#else\n#elif 1\n#endif", "=t:3 a condition goes on behind its #else"),
    ("#if 0\n#elif ?\n#endif", "=t:2 a condition is not understood"),
    ("#ifdef\n#endif", "=t:1 a condition is not understood"),
    ("#ifndef 1\n#endif", "=t:1 a condition is not understood"),
    ("a\n#error x\nb", "=t:2 its conditions lead to an #error"), ("#pragma x\n#extension y\n#version 450\na", "a"),
    # places
    ("#line 7\n__LINE__\n#line 3 \"u\"\n__LINE__", "7 3"), ("#line x\n__LINE__", "2"), ("#line\n__LINE__", "2"),
    ("#line 4294967294\n__LINE__", "4294967294"), ("#line 4294967295\n__LINE__", "2"),
    ("#define N 5\n#line N\n__LINE__", "5"), ("#line 9 x\n#error", "=t:9 its conditions lead to an #error"),
    ('#line 9 "u"\n#error', "=u:9 its conditions lead to an #error"),
    ('#line 9 "u"\n#line 4 "u"\n#error', "=u:4 its conditions lead to an #error"),
    ('#line 9 "u"\n#line 4 "v"\n#line 3\n#error', "=v:3 its conditions lead to an #error"),
    # files
    ("#include\na", "=t:1 an #include is not understood"), ("#include x\na", "=t:1 an #include is not understood"),
    ("#include <a\n/b>\nx", "/ b > x"), ('#include ""\na', "=t:1 an #include is not understood"),
    ('#define A "missing"\n#include A\na', "a"), ('#define A <missing>\n#include A\na', "a"),
    ("#include 1\na", "=t:1 an #include is not understood"),
]
GLSL_TOKENS = [
    ("__VERSION__", "__VERSION__"), ("#version 450\n__VERSION__ VULKAN GL_core_profile", "450 VULKAN 1"),
    ("#version 310 es\nGL_ES __VERSION__ GL_core_profile", "1 310 GL_core_profile"), ("#version 100\nGL_ES", "1"),
    ("#version 450 compatibility\nGL_compatibility_profile GL_ES GL_core_profile", "1 GL_ES 1"),
    ("#version 450 core\nGL_core_profile", "1"), ("// c\n# version 330 core // d\n__VERSION__", "330"),
    ("int a;\n#version 450\n__VERSION__", "int a ; __VERSION__"),
    ("#define A\n#version 450\n__VERSION__", "__VERSION__"), ("#version 9999\n__VERSION__", "9999"),
    ("#version 10000\n__VERSION__", "__VERSION__"), ("#version x\n__VERSION__", "__VERSION__"),
    ("#version 150\n#line 7\n__LINE__", "8"), ("#version 329\n#line 7\n__LINE__", "8"),
    ("#version 330\n#line 7\n__LINE__", "7"), ("#version 300 es\n#line 7\n__LINE__", "7"),
]
# glslang expands operands of ## in HLSL
HLSL_TOKENS = [("__VERSION__ VULKAN GL_ES", "500 VULKAN GL_ES"), ("#define A 1\n#define P(x) x##y\nP(A)", "1y"),
               ("#define A 1\n#define P(x) y##x x\nP(A)", "y1 1"), ("#line 7\n__LINE__", "7")]
DXC_TOKENS = [("__VERSION__", "__VERSION__"), ("#define A 1\n#define P(x) x##y x##_ x\nP(A)", "Ay A_ 1"),
              ("#define A 1\n#define P(x) y##x x\nP(A)", "yA 1")]
# Macros defined before the first line.
DEFINES = [("X=3", "X", "3"), ("X", "[X]", "[ ]"), ("X=", "[X]", "[ ]"), ("X=a=b", "X", "a = b"), ("X=1 2", "X", "1 2"),
           ("F(a)=a a", "F(2)", "2 2"), ("F(a,b)=a##b", "F(x, y)", "xy"), ("F()=1", "F() F", "1 F"),
           ("F(1)=a", "a", "=:1 the parameters of a macro are not understood"),
           ("1=2", "a", "=:1 #define without a name"),
           ("F(a=1", "a", "=:1 the parameters of a macro are not understood"),
           ("F(a", "a", "=:1 the parameters of a macro have no end")]
GLSL_MACROS = [("#version 450\n#define A 1\n#define P(x) x##y\nP(A)", "Ay")]


def check_tokens(driver):
    for language, generator, rows in (("glsl", GLSLANG, TOKENS + GLSL_TOKENS + GLSL_MACROS),
                                      ("hlsl", GLSLANG, TOKENS + HLSL_TOKENS), ("hlsl", DXC, TOKENS + DXC_TOKENS)):
        for text, expected in rows:
            read, failure = driver.tokens([("t", text.encode())], language=language, generator=generator)
            got = "=" + failure if failure else " ".join(read)
            assert got == expected, (language, generator, text, got)


def check_defines(driver):
    for define, text, expected in DEFINES:
        read, failure = driver.tokens([("t", text.encode())], defines=[define])
        got = "=" + failure if failure else " ".join(read)
        assert got == expected, (define, text, got)


# Declarations: NAME KIND SIZES LINE, registers and spaces of the classes that have any.
GLSL_DECLARATIONS = [
    ("uniform texture2D a, b[2], c[2][3];", "a texture - 1|b texture [2] 1|c texture [2][3] 1"),
    ("uniform texture2D[2] a, b[3];", "a texture [2] 1|b texture [3][2] 1"),
    ("uniform texture2D\n[2][4] a;", "a texture [2][4] 2"), ("uniform texture2D a[];", "a texture [] 1"),
    ("layout(set = 0, binding = 1) uniform texture2D a;\nlayout(set = 0) uniform sampler b;",
     "a texture - 1 place|b sampler - 2"),
    ("layout(binding = (1 + 2)) uniform image2D a; uniform image2D b;", "a image - 1 place|b image - 1"),
    ("layout uniform image2D a;", "a image - 1"), ("readonly highp restrict uniform image2D a;", "a image - 1"),
    ("uniform readonly image2D a;", "a image - 1"),
    ("uniform B { vec4 a; } b; uniform C { vec4 a; };", "B ubo - 1|C ubo - 1"),
    ("buffer B { vec4 a[]; } b[2][3];\nreadonly buffer C { uint n; };", "B ssbo [2][3] 1|C ssbo - 2"),
    ("layout(std430, binding = 2) buffer B { layout(offset = 16) vec4 a; } b;", "B ssbo - 1 place"),
    ("layout(push_constant) uniform P { vec4 a; } p; uniform texture2D t;", "t texture - 1"),
    ("layout(buffer_reference) buffer R { uint a; }; layout(shaderRecordEXT) buffer S { uint a; };", ""),
    ("layout(shaderRecordNV) buffer S { uint a; } s; buffer R { uint a; };", "R ssbo - 1"),
    ("layout(buffer_reference) buffer R; layout(buffer_reference, std430) buffer R { R next; };", ""),
    ("in vec4 a; out vec4 b; in B { vec4 c; } d; vec4 e = vec4(1); const int f = 2;", ""),
    ("layout(local_size_x = 8) in; layout(early_fragment_tests) in; uniform texture2D a;", "a texture - 1"),
    ("precision highp float; precise vec4 p; uniform texture2D a;", "a texture - 1"),
    ("uniform float loose; uniform vec4 many[3];", "loose data - 1|many data [3] 1"),
    ("struct S { texture2D a; sampler b[2]; }; uniform S s, r[2];", "s struct:3t1s2 - 1|r struct:3t1s2 [2] 1"),
    ("struct S { texture2D a; } const x = 1; uniform S s;", "s struct:1t1 - 1"),
    ("uniform struct S { texture2D a; } s; uniform S r;", "s struct:1t1 - 1|r struct:1t1 - 1"),
    ("uniform struct { texture2D a; } s[2], r;", "s struct:1t1 [2] 1|r struct:1t1 - 1"),
    ("struct S { struct T { texture2D a, b; } t[2]; T u; float[3] v, w; }; uniform S s;", "s struct:8t6 - 1"),
    ("struct S; uniform S s;", "s unknown - 1"), ("uniform struct S s;", "s unknown - 1"),
    ("vec4 f(texture2D a) { uniform texture2D b; { } return vec4(1); } uniform texture2D c;", "c texture - 1"),
    ("vec4 f(texture2D a); uniform texture2D c;", "c texture - 1"),
    ("void f() {}\n;;uniform texture2D c;", "c texture - 2"),
    ("uniform atomic_uint a, b; uniform atomic_uint c; uniform texture2D t;",
     "gl_AtomicCounterBlock ssbo - 1|t texture - 1"),
    ("layout(binding = 1, offset = 4) uniform atomic_uint a[2];", "gl_AtomicCounterBlock ssbo - 1 place"),
    ("const int n = 2, m = n * 2; uniform texture2D a[m], b[n];", "a texture [4] 1|b texture [2] 1"),
    ("int n = 2; uniform texture2D a[n];", "a texture [?] 1"),
    ("uniform texture2D a; uniform sampler a;", "a texture - 1 again"), ("} uniform texture2D a;", "a texture - 1"),
    ("uniform texture2D a", ""), ("uniform texture2D a = b, c;", "a texture - 1|c texture - 1"),
    ("uniform B { vec4 a; ", "B ubo - 1"), ("uniform texture2D a[2", "a texture [2] 1"), ("layout(binding = 1", ""),
    ("uniform", ""), ("uniform texture2D", ""), ("subroutine(x) vec4 f() { } uniform texture2D c;", "c texture - 1"),
    ("layout(constant_id = 1) const int n = 4; uniform texture2D a[n];", "a texture [4] 1"),
    ("%sfloat x;%s;\nuniform texture2D t;" % ("struct A { " * 100, "} a; " * 99 + "}"), "t texture - 2"),
    ("%sfloat x;%s;\nuniform texture2D t;" % ("struct A { " * 101, "} a; " * 100 + "}"),
     "=t:1 structs are nested too deeply"),
]
HLSL_DECLARATIONS = [
    ("Texture2D a, b[2], c[2][3];", "a texture - 1|b texture [2] 1|c texture [2][3] 1"),
    ("Texture2D<float4> a; Texture2D<vector<float, 4> > b; Buffer<float4>c;",
     "a texture - 1|b texture - 1|c utexbuf - 1"),
    ("Texture2D<vector<float, 4>> b; StructuredBuffer<N::S> c;", "b texture - 1|c ssbo - 1"),
    ("Texture2D a[];\nTexture2D b[] : register(t1);", "a texture [] 1|b texture [] 2 t1"),
    ("Texture2D a : register(t3), b : register(t4, space2), c;",
     "a texture - 1 t3|b texture - 1 t4 tspace2|c texture - 1"),
    ("Texture2D a : register(T3); RWBuffer<float> b : register(U4); SamplerState c : register(S5);",
     "a texture - 1 t3|b stexbuf - 1 u4|c sampler - 1 s5"),
    ("Texture2D a : register(space3);", "a texture - 1 bspace3 tspace3 sspace3 uspace3"),
    ("Texture2D a : register(t1) : register(space3);", "a texture - 1 bspace3 t1 sspace3 uspace3"),
    ("Texture2D a : register(t1) : register(t2) : register(s3, space4);", "a texture - 1 t1 s3 sspace4"),
    ("Texture2D a : register(ps_5_0, t2);", "a texture - 1 t2"), ("Texture2D a : register(x2);", "a texture - 1"),
    ("Texture2D a : register(t4294967295, space4294967295);", "a texture - 1 t4294967295 tspace4294967295"),
    ("Texture2D a : register(t4294967296);", "a texture - 1"),
    ("Texture2D a : register(t00000000001);", "a texture - 1"),
    ("Texture2D a : register(t0000000001);", "a texture - 1 t1"), ("Texture2D a : register(t);", "a texture - 1"),
    ("Texture2D a : register(t1x);", "a texture - 1"), ("Texture2D a : register(space);", "a texture - 1"),
    ("Texture2D a : register(t1[2]);", "a texture - 1 t1"), ("Texture2D a : register t1;", "a texture - 1"),
    ("Texture2D a : SEMANTIC : register(t1) : TWO;", "a texture - 1 t1"),
    ("Texture2D a : register(t1", "a texture - 1 t1"),
    ("Texture2D a <string s = \"x\";>; Texture2D b;", "a texture - 1|b texture - 1"),
    ("SamplerState s { Filter = X; }; Texture2D b;", "s sampler - 1|b texture - 1"),
    ("SamplerState s = { X, Y }, t; Texture2D b;", "s sampler - 1|t sampler - 1|b texture - 1"),
    ("sampler2D s = sampler_state { Texture = <t>; }; Texture2D b;", "s unknown - 1|b texture - 1"),
    ("[[vk::binding(2, 1)]] Texture2D a, b; Texture2D c;", "a texture - 1 place|b texture - 1 place|c texture - 1"),
    ("[[vk::image_format(\"r32f\")]] [[vk::binding(2)]]\nRWBuffer<float> a;", "a stexbuf - 2 place"),
    ("[[vk::push_constant]] Texture2D a;", "a texture - 1"),
    ("[numthreads(8, 8, 1)] void main() { Texture2D a; } Texture2D b;", "b texture - 1"),
    ("static Texture2D a; groupshared float4 b; Texture2D c; const float d = 1; uniform Texture2D e;",
     "c texture - 1|d data - 1|e texture - 1"),
    ("static const uint N = 2 + 1; Texture2D a[N]; const int M = 4; Texture2D b[M * 2]; uint V = 3; Texture2D c[V];",
     "a texture [3] 1|M data - 1|b texture [8] 1|V data - 1|c texture [?] 1"),
    ("cbuffer A { float4 x; } cbuffer B : register(b2, space1) { float4 y; };\ntbuffer C : register(t3) { float4 z; }",
     "A ubo - 1|B ubo - 1 b2 bspace1|C ssbo - 2 t3"),
    ("cbuffer A : register(b1) : register(space2) { float x; }", "A ubo - 1 b1 tspace2 sspace2 uspace2"),
    ("[[vk::binding(1)]] cbuffer A { struct S { Texture2D t; } s; } S t;", "A ubo - 1 place|t struct:1t1 - 1"),
    ("cbuffer A; Texture2D b;", "A ubo - 1|b texture - 1"), ("cbuffer { float a; } Texture2D b;", "b texture - 1"),
    ("ConstantBuffer<S> a : register(b1); TextureBuffer<S> b;", "a ubo - 1 b1|b ssbo - 1"),
    ("namespace N { Texture2D a; namespace M { Texture2D b; } Texture2D c; } Texture2D d;",
     "N::a texture - 1|N::M::b texture - 1|N::c texture - 1|d texture - 1"),
    ("namespace N::M { Texture2D a; } namespace N.K { Texture2D b; cbuffer C { float x; } }",
     "N::M::a texture - 1|N::K::b texture - 1|N::K::C ubo - 1"),
    ("namespace { Texture2D a; } namespace A = B; Texture2D c;", "a texture - 1|c texture - 1"),
    ("} Texture2D a; namespace N { Texture2D b;", "a texture - 1|N::b texture - 1"),
    ("typedef Texture2D T; T a; typedef Texture2D U[2], V; U b[3]; V c;",
     "a texture - 1|b texture [3][2] 1|c texture - 1"),
    ("typedef struct { Texture2D a; } S; S s; typedef struct Q { float a; } R; Q q; R r;",
     "s struct:1t1 - 1|q struct:1 - 1|r struct:1 - 1"),
    ("namespace N { typedef Texture2D T; } namespace M { typedef SamplerState T; } N::T a;", "a unknown - 1"),
    ("using T = Texture2D; import x; Texture2D a;", "a texture - 1"),
    ("template<typename T> struct P { T a; }; P<float> p; template<int N> float f() { return 1; } Texture2D a;",
     "p struct:1 - 1|a texture - 1"),
    ("struct S { Texture2D a[2], b; float c; static Texture2D d; void f() { } float4 g(int x); };\nS s, r[2];",
     "s struct:4t3 - 2|r struct:4t3 [2] 2"),
    ("class S { Texture2D a; }; interface I { void f(); }; union U { int a; }; S s; U u;",
     "s struct:1t1 - 1|u struct:1 - 1"),
    ("struct B { Texture2D a; }; struct S : B { Texture2D b; }; interface I { }; struct Q : S, I { };\nS s; Q q;",
     "s struct:2t2 - 2|q struct:2t2 - 2"),
    ("struct Q { RWBuffer<float> u[4]; SamplerState s[2][3]; ConstantBuffer<X> b; Texture2D t[]; };\n"
     "struct P { Q q[5], r; }; P p;", "p struct:72b6t6s36u24 - 2"),
    ("struct S : Unknown { Texture2D a; }; S s;", "Unknown unknown - 1|s unknown - 1"),
    ("struct S; struct S s; struct T { float a; }; struct T t;", "s unknown - 1|t struct:1 - 1"),
    ("struct { Texture2D a; } s : register(t1); struct S { float a; } t[2], u;",
     "s struct:1t1 - 1 t1|t struct:1 [2] 1|u struct:1 - 1"),
    ("struct S<T> { T a; }; S<float> s;", "s struct:1 - 1"),
    ("enum E { A, B = 2 }; enum class F : uint { C } f; E e; Texture2D a;", "f data - 1|e unknown - 1|a texture - 1"),
    ("struct S { float operator+(S x) { return 1; } float operator()(int i) { return 1; } float operator[](int i); "
     "Texture2D a; }; S s;", "s struct:1t1 - 1"),
    ("float4 f(Texture2D a : register(t1)) : SV_Target { Texture2D b; return (float4)0; } Texture2D c;",
     "c texture - 1"),
    ("float f(float x); Texture2D c;", "c texture - 1"), ("float f(float x)", ""),
    ("void N::f() { } Texture2D c;", "c texture - 1"),
    ("N::T a; N::Texture2D b; ::Texture2D c;", "a unknown - 1|b texture - 1|c texture - 1"),
    ("struct x { Texture2D t; };\n#define F(y, x) x\nx s;", "s struct:1t1 - 3"),
    ("Texture2D a; SamplerState a;", "a texture - 1 again"),
    ("namespace N { Texture2D a; } namespace N { Texture2D a; }", "N::a texture - 1 again"),
    ("Texture2D a, ; Texture2D b; Texture2D c", "a texture - 1|b texture - 1"),
    ("Texture2D a, 1, b;", "a texture - 1|b texture - 1"), (";;; { Texture2D a; } Texture2D b;", "b texture - 1"),
    ("Texture2D", ""), ("Texture2D;", ""), ("a;", ""), ("= 1; Texture2D a;", "a texture - 1"),
    ("Texture2D a : packoffset(c0) = 3 (4) [5] { ; } ; Texture2D b;", "a texture - 1|b texture - 1"),
    ("globallycoherent RWBuffer<float> a; row_major matrix<float, 4, 4> b; typedef Texture2D T; volatile T<float> c;",
     "a stexbuf - 1|b data - 1|c texture - 1"),
    ("texture2D a <string s = 1;>; matrix_of_ours x <int i = 1;>; column_major float4x4 m <int i = 1;>;",
     "a unknown - 1|x unknown - 1|m data - 1"),
    ("extern Texture2D a; shared Texture2D b; row_major float4x4 c; globallycoherent RWBuffer<float> d;",
     "a texture - 1|b texture - 1|c data - 1|d stexbuf - 1"),
    ("%sfloat x;%s;\nTexture2D t;" % ("struct A { " * 100, "} a; " * 99 + "}"), "t texture - 2"),
    ("%sfloat x;%s;\nTexture2D t;" % ("struct A { " * 101, "} a; " * 100 + "}"), "=t:1 structs are nested too deeply"),
]


def check_declarations(driver):
    for language, rows in ("glsl", GLSL_DECLARATIONS), ("hlsl", HLSL_DECLARATIONS):
        for text, expected in rows:
            read, failure = driver.declarations([("t", text.encode())], language=language)
            got = "=" + failure if failure else "|".join(line.replace(" t:", " ") for line in read)
            assert got == expected, (language, text, got)


def check_limits(driver):
    """Nesting beyond the limit is refused, and up to the limit it is read."""
    def failure(text, *more):
        files = [("t", text), *more]
        return driver.tokens([(name, text.encode() + b"\n") for name, text in files])[1]

    for i, said in (64, None), (65, ":0 files include each other without end"):
        chain = [("a%d" % k, '#include "a%d"' % (k + 1)) for k in range(1, i)] + [("a%d" % i, "last")]
        assert failure('#include "a1"', *chain) == said, i
    twice = "#define D0 x\n" + "".join("#define D%d D%d D%d\n" % (k, k - 1, k - 1) for k in range(1, 31))
    for text, line in (twice + "D30", 32), ("#define F(a) a a\n" + "F(" * 30 + "x" + ")" * 30, 2):
        assert failure(text) == "t:%d its macros and includes expand to too much text" % line, failure(text)
    assert failure(twice + "D10") is None
    assert failure('#include "t"') == ":0 files include each other without end"
    for i, said in (4096, None), (4097, "t:4097 conditions are nested too deeply"):
        assert failure("#if 1\n" * i + "x\n" + "#endif\n" * i) == said, i
    for i, said in (1000, None), (1001, "t:1 the parameters of a macro are not understood"):
        names = ",".join("p%d" % k for k in range(i))
        assert failure("#define F(%s) p0\nF(%s)" % (names, names)) == said, i
    for i, said in (100, None), (101, "t:2 arguments of macros are nested too deeply"):
        assert failure("#define F(x) x\n" + "F(" * i + "1" + ")" * i) == said, i


def check(driver):
    check_conditions(driver)
    check_sizes(driver)
    check_types(driver)
    check_tokens(driver)
    check_defines(driver)
    check_declarations(driver)
    check_limits(driver)
