/* SPDX-License-Identifier: Apache-2.0 */
/* The order and the registers that the source text in a module gives its resources: each row of a table has a text,
 * what the module declares, and where it goes, or why the text proves nothing, by hand from docs/bindings.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "laid_out.h"
#include "laid_out_texts.h"

/* Resources are numbered as the text declares them; what the text does not say, it does not prove. */
TABLE(the_order_of_the_source,
      {"source", "", NULL, "(HLSL 600)Texture2D b, a; SamplerState s;(end) a:t s:s b:t", "b 0.0; a 0.1; s 0.2"},
      {"source", "", NULL, "(GLSL 460)uniform texture2D b, a;\nuniform B { vec4 x; } c;(end) c:b a:t b:t",
       "c 0.0; a 0.1; b 0.2\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"c\"; they are numbered in the order of OpVariable, which changes with function bodies; "
       "pass --order=name or --order=module\n"},
      {"source", "", NULL, "(7: ESSL 310)uniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)Texture2D b;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"a\"; they are numbered in the order of OpVariable, which changes with function bodies; "
       "pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)\nTexture2D b; Texture2D b; Texture2D a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:2: the source text in the module does not tell the order of its resources, since it declares "
       "\"b\" twice; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)\nSamplerState a; Texture2D b;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:2: the source text in the module does not tell the order of its resources, since \"a\" is "
       "declared there as another kind of resource; they are numbered in the order of OpVariable, which "
       "changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D a[3], b;(end) a:t[4] b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since \"a\" is "
       "declared there with another array size; they are numbered in the order of OpVariable, which changes "
       "with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D a[3], b[], c[2][3], d[N];(end) d:t[9] c:t[6] b:t[5] a:t[3]",
       "a 0.0; b 0.1; c 0.2; d 0.3\n"
       ". m0: %5 \"b\" is declared without a size (t:1), so its array of 5 becomes a runtime array, which "
       "needs runtimeDescriptorArray; --keep-array-sizes leaves it\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D c[2][3];(end) c:t[2][3]", "c 0.0"},
      {"source", "", NULL,
       "(HLSL 600)typedef Own<float> K; groupshared Own<float> x[4]; static Own<float> y; const Own<float> d; uniform "
       "Own<Texture2D> c; Texture2D b, a;(end) a:t b:t c:t d:t",
       "d 0.0; c 0.1; b 0.2; a 0.3"},
      {"source", "", NULL, "(14: HLSL 600)#if 0 || X\nTexture2D a;\n#endif\nTexture2D b; Texture2D a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since whether a declaration of "
       "\"a\" counts depends on a macro that the module does not record; they are numbered in the order of OpVariable, "
       "which changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#if X == 0x1F\nTexture2D a;\n#endif\nTexture2D b; Texture2D a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since whether a declaration of "
       "\"a\" counts depends on a macro that the module does not record; they are numbered in the order of OpVariable, "
       "which changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D a[0xfu], b[0XAF], c[0x0a1L];(end) c:t[161] b:t[175] a:t[15]",
       "a 0.0; b 0.1; c 0.2"},
      {"source", "", NULL, "(HLSL 600)Texture2D b[1], a;(end) a:t b:t[4]",
       "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since \"b\" is "
       "declared there with another array size; they are numbered in the order of OpVariable, which changes with "
       "function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D b[0], a;(end) a:t b:t[4]", "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)Texture2D b[1-2], a;(end) a:t b:t[4]", "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)struct S { template<typename T> T f(T t) { return t; } template<int N> float g() { return N; } "
       "Texture2D x; }; S s; Texture2D a;(end) a:t s.x:t",
       "s.x 0.0; a 0.1"},
      {"source", "", NULL,
       "(GLSL 460)readonly buffer r { vec4 x; } q; uniform texture2D b; buffer w { vec4 x; } p; uniform u { vec4 x; } "
       "n;(end) u:b b:t w:u r:o",
       "r 0.0; b 0.1; w 0.2; u 0.3"},
      {"source", "", NULL, "(GLSL 460)in vec4 b; out vec4 a; uniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(GLSL 460)const int a = 2, b = 3; uniform texture2D c[a], d[b];(end) d:t[3] c:t[2]",
       "c 0.0; d 0.1"},
      {"source", "", NULL, "(GLSL 460)const int a = 2, b = 3; uniform texture2D c[a], d[b];(end) d:t[2] c:t[2]",
       "d 0.0; c 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since \"d\" is "
       "declared there with another array size; they are numbered in the order of OpVariable, which changes with "
       "function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)\n\n#ifdef X\nTexture2D a;\n#endif\nTexture2D b; Texture2D a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:3: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"a\" counts depends on a macro that the module does not record; they are numbered "
       "in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL, "(8: HLSL 500)#ifdef X\nTexture2D a;\n#endif\nTexture2D b; Texture2D a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)#error x(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since its "
       "conditions lead to an #error; they are numbered in the order of OpVariable, which changes with "
       "function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D b; Texture2D a; Texture2D c;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)Texture2D b, a;(end) a:t", "a 0.0"},
      {"source", "", NULL, "(HLSL 600)(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"a\"; they are numbered in the order of OpVariable, which changes with function bodies; "
       "pass --order=name or --order=module\n"},
      {"strict", "", NULL, "(HLSL 600)Texture2D b;(end) a:t b:t",
       "! m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"a\"\n"},
      {"source", "", NULL, "(HLSL 600)namespace N { Texture2D t; } Texture2D a;(end) a:t N::t:t", "N::t 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)namespace N { Texture2D t; } Texture2D a;(end) a:t N.t:t", "N.t 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)N::Own<Texture2D> c; ::N::Own<float> d; N::M::Own<float> e[2]; Texture2D b, a;(end) a:t b:t e:t[2] "
       "d:t c:t",
       "c 0.0; d 0.1; e 0.2; b 0.3; a 0.4"},
      {"source", "", NULL,
       "(HLSL 600)namespace N { Texture2D t; } namespace M { Texture2D t; } Texture2D a;(end) a:t K.t:t",
       "a 0.0; K.t 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"K.t\"; they are numbered in the order of OpVariable, which changes with function bodies; "
       "pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)namespace N { Texture2D t; } Texture2D a;(end) a:t Nt:t",
       "a 0.0; Nt 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"Nt\"; they are numbered in the order of OpVariable, which changes with function bodies; "
       "pass --order=name or --order=module\n"},
      {"source", "", NULL,
       "(HLSL 600)struct I { Texture2D x; SamplerState y[2]; }; struct S { I i[3]; Texture2D z; }; Texture2D a; S "
       "s[2]; Texture2D b;(end) b:t s[1].z:t s[0].i[2].x:t s[0].i[0].y:s[2] a:t s[1].i[1].y:s[2]",
       "a 0.0; s[0].i[0].y 0.1; s[0].i[2].x 0.2; s[1].i[1].y 0.3; s[1].z 0.4; b 0.5"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[2]; Texture2D a;(end) a:t s[2].x:t",
       "a 0.0; s[2].x 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"s[2].x\"; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[2]; Texture2D a;(end) a:t s[1].y:t",
       "a 0.0; s[1].y 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"s[1].y\"; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s; Texture2D a;(end) a:t s[0].x:t",
       "a 0.0; s[0].x 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"s[0].x\"; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[2]; Texture2D a;(end) a:t s.x:t",
       "a 0.0; s.x 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"s.x\"; they are numbered in the order of OpVariable, which changes with function bodies; "
       "pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[2]; Texture2D a;(end) a:t s[1x].x:t",
       "a 0.0; s[1x].x 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"s[1x].x\"; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[2]; Texture2D a;(end) a:t s[1].x.y:t",
       "a 0.0; s[1].x.y 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"s[1].x.y\"; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D t[4], a;(end) a:t t[3]:t t[1]:t", "t[1] 0.0; t[3] 0.1; a 0.2"},
      {"source", "", NULL, "(HLSL 600)Texture2D t[4], a;(end) a:t t[4]:t",
       "a 0.0; t[4] 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"t[4]\"; they are numbered in the order of OpVariable, which changes with function bodies; "
       "pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D t[2][3], a;(end) a:t t[1]:t[3] t[0][2]:t",
       "t[0][2] 0.0; t[1] 0.1; a 0.2"},
      {"source", "", NULL, "(HLSL 600)cbuffer C { float4 x; } Texture2D a;(end) a:t type.C:b", "type.C 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)cbuffer C { float4 x; } Texture2D a;(end) a:t type.D:b",
       "a 0.0; type.D 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"type.D\"; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)float4 x; Texture2D a;(end) a:t $Global:b", "$Global 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)float4 x; Texture2D a;(end) a:t $Globals:b type.$Globals:b",
       "$Globals 0.0; type.$Globals 0.1; a 0.2"},
      {"source", "", NULL, "(GLSL 460)uniform float x; uniform texture2D a;(end) a:t gl_DefaultUniformBlock:b",
       "gl_DefaultUniformBlock 0.0; a 0.1"},
      {"source", "", NULL, "(GLSL 460)uniform atomic_uint n; uniform texture2D a;(end) a:t gl_AtomicCounterBlock_0:u",
       "gl_AtomicCounterBlock_0 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)RWStructuredBuffer<int> r; Texture2D a; AppendStructuredBuffer<int> p;(end) a:t counter.var.p:u p:u "
       "counter.var.r:u r:u",
       "r 0.0; counter.var.r 0.1; a 0.2; p 0.3; counter.var.p 0.4"},
      {"source", "", NULL, "(HLSL 600)TextureBuffer<X> r; Texture2D a;(end) a:t r:b", "r 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)RWStructuredBuffer<X> r; Texture2D a;(end) a:t r:b",
       "a 0.0; r 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since \"r\" is "
       "declared there as another kind of resource; they are numbered in the order of OpVariable, which "
       "changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)StructuredBuffer<X> r; Texture2D a;(end) a:t r:b", "r 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)ConstantBuffer<X> r; Texture2D a;(end) a:t r:u", "r 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)Texture2D a; SamplerState s;(end) s:c a:c", "a 0.0; s 0.1"},
      {"source", "", NULL, "(HLSL 600)Foo f; Texture2D a;(end) a:t f:s", "f 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)RWTexture2D f; Texture2D a;(end) a:t f:t",
       "a 0.0; f 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since \"f\" is "
       "declared there as another kind of resource; they are numbered in the order of OpVariable, which "
       "changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D b, a;(end) a:t heap_texture_x:t[] b:t",
       "a 0.0; heap_texture_x 0.1; b 0.2\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"heap_texture_x\"; they are numbered in the order of OpVariable, which changes with "
       "function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL,
       "(HLSL 600)struct S { Texture2D x; SamplerState y; }; S s; Texture2D a;(end) a:t s:{x:t y:s}",
       "s.x 0.0; s.y 0.1; a 0.2"},
      {"source", "", NULL,
       "(HLSL 600)Texture2D b; struct S { Texture2D x; SamplerState y; }; S s; Texture2D a;(end) a:t s:{x:t y:s} b:t",
       "b 0.0; s.x 0.1; s.y 0.2; a 0.3"},
      {"source", "", NULL,
       "(HLSL 600)struct S { Texture2D aZ09z_A; SamplerState zA9; }; S s[11]; Texture2D a;(end) a:t s[10].zA9:s "
       "s[9].aZ09z_A:t s[10].aZ09z_A:t",
       "s[9].aZ09z_A 0.0; s[10].aZ09z_A 0.1; s[10].zA9 0.2; a 0.3"},
      {"source", "", NULL,
       "(HLSL 600)namespace N { Texture2D tZ0; } namespace N2 { Texture2D u; } Texture2D a;(end) a:t N::tZ0:t Q::u:t",
       "N::tZ0 0.0; Q::u 0.1; a 0.2"},
      {"source", "", NULL,
       "(14: HLSL 600)#ifdef X\nTexture2D x;\n#endif\nstruct S { Texture2D x; }; S s; Texture2D a;(end) a:t s.x:t",
       "a 0.0; s.x 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"s.x\" counts depends on a macro that the module does not record; they are numbered "
       "in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#ifdef X\n#define Y a\n#endif\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"a\" counts depends on a macro that the module does not record; they are numbered "
       "in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef GL_NEW\nuniform texture2D b;\n#endif\nuniform texture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"b\" counts depends on a macro that the module does not record; they are numbered "
       "in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef __NEW\nuniform texture2D b;\n#endif\nuniform texture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"b\" counts depends on a macro that the module does not record; they are numbered "
       "in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef GL_\nuniform texture2D b;\n#endif\nuniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef __N\nuniform texture2D b;\n#endif\nuniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef GL_ES\nuniform texture2D b;\n#endif\nuniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef GL_X\nuniform texture2D b;\n#endif\nuniform texture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"b\" counts depends on a macro that the module does not record; they are numbered "
       "in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#if X\n#elif 1\nTexture2D b;\n#endif\nTexture2D a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(14: HLSL 600)#if 1\nTexture2D b;\n#elif X\nTexture2D a;\n#else\n#endif\nTexture2D a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#if 0\n#elif X\n#else\nTexture2D b;\n#endif\nTexture2D a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#if X\n#if 0\nTexture2D a;\n#endif\n#endif\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:2: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"a\" counts depends on a macro that the module does not record; they are numbered "
       "in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#if 0\n#ifdef X\nTexture2D a;\n#endif\n#endif\nTexture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#include <x>\n#ifdef Y\nuniform texture2D a;\n#endif\nuniform texture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:2: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"a\" counts depends on a macro that the module does not record; they are numbered "
       "in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL, "(HLSL 600)ConstantBuffer<X> c; Texture2D a;(end) a:t c:t",
       "a 0.0; c 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since \"c\" is "
       "declared there as another kind of resource; they are numbered in the order of OpVariable, which "
       "changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D c, a;(end) a:t c:b",
       "a 0.0; c 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since \"c\" is "
       "declared there as another kind of resource; they are numbered in the order of OpVariable, which "
       "changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)SamplerState c; Texture2D a;(end) a:t c:b",
       "a 0.0; c 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since \"c\" is "
       "declared there as another kind of resource; they are numbered in the order of OpVariable, which "
       "changes with function bodies; pass --order=name or --order=module\n"})

/* DXC and glslang lose what HLSL says of registers; the text has it. */
TABLE(registers_of_the_source,
      {"hlsl", "", NULL,
       "(14: HLSL 600)Texture2D a : register(t3), b : register(t1, space2); SamplerState s : register(s4);(end) a:t@0 "
       "b:t@1 s:s@2",
       "a 0.0; b 0.1; s 0.2"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a : register(t3), b; SamplerState s;(end) a:t@0 b:t@0 s:s@0",
       "a 0.0; b 0.1; s 0.2 (s0)"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a : register(t0), b; SamplerState s;(end) a:t@0 b:t@0 s:s@0",
       "a 0.0; b 0.1; s 0.2 (s0)"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a, b;(end) a:t@0 b:t@0", "a 0.0; b 0.1"},
      {"", "", NULL, "(8: HLSL 500)Texture2D a, b;(end) a:t@0 b:t@0", "a 0.0; b 0.1"},
      {"", "", NULL, "(7: HLSL 500)Texture2D a, b;(end) a:t@0 b:t@0", "a 0.0; b 0.1"},
      {"hlsl", "", NULL, "(8: HLSL 500)[[vk::binding(0)]] Texture2D a; Texture2D b;(end) a:t@0 b:t@0", "a 0.0; b 0.1"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D c;(end) a:t@0 b:t@0 c:t@1",
       "a 0.0; c 0.1; b 0.2\n"
       ". m0: the source text in the module does not tell register 0 from no register, since it does not "
       "declare \"a\", so resources that collide at 0 count as unregistered\n"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D c;(end) a:t@0 b:s@0 c:t@0,1", "a 0.0; b 0.1 (s0); c 1.0"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D c;(end) a:t[2]@0 b:t@1 c:s@0",
       "c 0.0; b 0.1; a 0.2\n"
       ". m0: the source text in the module does not tell register 0 from no register, since it does not "
       "declare \"a\", so resources that collide at 0 count as unregistered\n"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D c;(end) a:t[]@0 b:t@3 c:s@0",
       "c 0.0; b 0.3; a 0.4\n"
       ". m0: the source text in the module does not tell register 0 from no register, since it does not "
       "declare \"a\", so resources that collide at 0 count as unregistered\n"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D c;(end) a:t[2]@0 b:t@2", "a 0.0; b 0.2"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D c;(end) a:t[2]@0 b:t@1,1", "a 0.0; b 1.1"},
      {"hlsl", "", NULL,
       "(14: HLSL 600)struct S { Texture2D x[2]; Texture2D y; }; S s : register(t5);(end) s.y:t@0 s.x:t[2]@0",
       "s.y 0.0; s.x 0.0"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D t[4] : register(t5);(end) t[3]:t@0 t[1]:t@0", "t[1] 0.6; t[3] 0.8"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D t[4] : register(t5);(end) t[]:t@1 t[0]:t@2", "t[] 0.1; t[0] 0.2"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D t[] : register(t5);(end) t:t[2]@0",
       "t 0.0\n"
       ". m0: %3 \"t\" is declared without a size (t:1), so its array of 2 becomes a runtime array, which "
       "needs runtimeDescriptorArray; --keep-array-sizes leaves it\n"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D t : register(t4294967295); Texture2D u;(end) t:t@0 u:t@0",
       "u 0.0; t 0.4294967295"},
      {"hlsl", "", NULL, "(14: HLSL 600)Texture2D a : register(space3), b : register(t2);(end) a:t@0 b:t@0",
       "a 0.0; b 0.0"},
      {"hlsl", "", NULL, "(GLSL 460)uniform texture2D a;(end) a:t@0", "a 0.0"},
      {"hlsl", "", NULL,
       "(8: HLSL 500)struct S { Texture2D t[2]; RWBuffer<float> u; Texture2D v; }; S s[3] : register(t4) : "
       "register(u7);(end) s[2].v:t@0 s[1].t[1]:t@0 s[1].u:w@0 s[0].v:t@0",
       "s[0].v 0.6; s[1].t[1] 0.8; s[2].v 0.12; s[1].u 0.13 (u8)"},
      {"hlsl", "", NULL,
       "(8: HLSL 500)Texture2D a : register(t1, space2), b : register(t0, space4294967295);(end) a:t@1 b:t@0",
       "b 0.0; a 0.1"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a[2][3] : register(t4);(end) a[1]:t[3]@0 a[0][1]:t@0",
       "a[0][1] 0.5; a[1] 0.7"},
      {"hlsl", "", NULL,
       "(8: HLSL 500)struct S { Texture2D x; }; [[vk::binding(0)]] S s; Texture2D t;(end) s.x:t@0 t:t@0",
       "s.x 0.0; t 0.1"})

/* The text is in pieces, and in several files, of which the first is the main one; in OpSource, or in debug
 * information. */
TABLE(
    texts_of_modules, {"source", "", NULL, "(HLSL 600)Texture2D b; Textu(more)re2D a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "(HLSL 600)Texture2D b; Textu(more)re2D a(more), c;(end) a:t c:t b:t", "b 0.0; a 0.1; c 0.2"},
    {"source", "", NULL, "(*HLSL 600)Texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "(*HLSL 600)Texture2D b; Textu(more)re2D a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "(*HLSL 600)Texture2D b; Textu(more)re2D a(more), c;(end) a:t c:t b:t", "b 0.0; a 0.1; c 0.2"},
    {"source", "", NULL, "(14: HLSL 600)#include \"u\"\nTexture2D a;(file u)Texture2D b;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)Texture2D a;(file u)Texture2D b;(end) b:t a:t", "a 0.0; b 0.1"},
    {"source", "", NULL,
     "(14: HLSL 600)#include \"u\"\nTexture2D a;(file v)Texture2D c;(file u)Tex(more)ture2D b;(end) c:t a:t b:t",
     "b 0.0; a 0.1; c 0.2"},
    {"source", "", NULL,
     "(14: *HLSL 600)#include \"u\"\nTexture2D a;(file v)Texture2D c;(file u)Tex(more)ture2D b;(end) c:t a:t b:t",
     "b 0.0; a 0.1; c 0.2"},
    {"source", "", NULL,
     "(14: *HLSL 600)#include \"u\"\nTexture2D a;(file u)Texture2D b;\nSamplerState b;(end) a:t b:t",
     "a 0.0; b 0.1\n"
     "? m0:1: the source text in the module does not tell the order of its resources, since it declares \"b\" twice; "
     "they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name or "
     "--order=module\n"},
    {"source", "", NULL, "(8: *GLSL 460)uniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "a:t b:t",
     "a 0.0; b 0.1\n"
     ". m0: the module contains no source text, so its resources are numbered in the order of OpVariable, which "
     "changes with function bodies; compile with -g, or pass --order=name or --order=module\n"})

/* What an earlier run split off is where the whole was declared. */
TABLE(parts_of_earlier_runs,
      {"source all", "", NULL,
       "(HLSL 600)struct S { Texture2D a, b; }; S p; Texture2D c;(end) <spirv-bind: part p_a of p> <spirv-bind: part "
       "p_b of p> c:t p_a:t p_b:t",
       "p_a 0.0; p_b 0.1; c 0.2"},
      {"source all", "", NULL,
       "(HLSL 600)struct S { Texture2D a, b; }; S p; Texture2D c; S q;(end) <spirv-bind: part q_b of q> <spirv-bind: "
       "part p_b of p> <spirv-bind: part p_a of p> <spirv-bind: part q_a of q> c:t p_a:t p_b:t q_a:t q_b:t",
       "p_a 0.0; p_b 0.1; c 0.2; q_a 0.3; q_b 0.4"},
      {"source all", "", NULL,
       "(HLSL 600)struct S { Texture2D a, b; }; S p; Texture2D c;(end) <spirv-bind: part p_a of> <spirv-bind: part "
       "p_b> c:t p_a:t p_b:t",
       "c 0.0; p_a 0.1; p_b 0.2\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not declare "
       "\"p_a\"; they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name "
       "or --order=module\n"},
      {"source all", "", NULL, "(HLSL 600)Texture2D p_a, c;(end) <spirv-bind: part p_b of p> c:t p_a:t",
       "p_a 0.0; c 0.1"},
      {"by-name all", "", NULL,
       "<spirv-bind: part p_a of p> <spirv-bind: part p_b of p> <spirv-bind: part a_z of z> pq:t p_b:t p_a:t a_z:t q:t",
       "p_b 0.0; p_a 0.1; pq 0.2; q 0.3; a_z 0.4"},
      {"all", "", NULL, "<spirv-bind: part p_a of p> <spirv-bind: part p_b of p> c:t p_a:t p_b:t",
       "c 0.0; p_a 0.1; p_b 0.2"})

/* HLSL: what a declaration is. */
TABLE(declarations_of_hlsl, {"source", "", NULL, "(HLSL 600)struct S; Texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)struct S { int x; }; struct S s; Texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)struct B { Texture2D x; }; struct S : B { Texture2D y; }; Texture2D b; S s;(end) s.y:t s.x:t b:t",
       "b 0.0; s.x 0.1; s.y 0.2"},
      {"source", "", NULL,
       "(HLSL 600)struct B { Texture2D x; }; struct C { Texture2D z; }; struct S : B, C { Texture2D y; }; Texture2D b; "
       "S s;(end) s.y:t s.z:t s.x:t b:t",
       "b 0.0; s.x 0.1; s.z 0.2; s.y 0.3"},
      {"source", "", NULL, "(HLSL 600)template<typename T> struct S { Texture2D y; }; Texture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)struct { Texture2D x; } s; Texture2D b;(end) b:t s.x:t", "s.x 0.0; b 0.1"},
      {"source", "", NULL, "(HLSL 600)Texture2D a; struct S(end) a:t", "a 0.0"})

/* What the compiler was told, in remarks of the module or of its text; and what it has defined itself. */
TABLE(commands_of_compilers,
      {"source", "", NULL, "(8: GLSL 460)uniform texture2D X;\nuniform texture2D a;(end) <define-macro X=b> a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: GLSL 460)uniform texture2D X;\nuniform texture2D a;(end) <define-macro Y=b> a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not declare \"b\"; "
       "they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL,
       "(8: GLSL 460)uniform texture2D X;\nuniform texture2D a;(end) <define-macro X=b> <undef-macro X> a:t X:t",
       "X 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef X\nuniform texture2D b, a;\n#else\nuniform texture2D a, b;\n#endif(end) <define-macro X> "
       "b:t a:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef X\nuniform texture2D b, a;\n#else\nuniform texture2D a, b;\n#endif(end) b:t a:t",
       "a 0.0; b 0.1"},
      {"source", "", NULL, "(8: GLSL 460)#if VULKAN == 100\nuniform texture2D b, a;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#if VULKAN == 100\nuniform texture2D b, a;\n#endif(end) <client vulkan100> a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#if GL_SPIRV == 100\nuniform texture2D b, a;\n#endif(end) <client opengl100> a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef VULKAN\nuniform texture2D a;\n#endif\nuniform texture2D b, a;(end) <client opengl100> a:t "
       "b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)#ifdef GL_SPIRV\nuniform texture2D a;\n#endif\nuniform texture2D b, a;(end) <client vulkan100> "
       "a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since whether a declaration of "
       "\"a\" counts depends on a macro that the module does not record; they are numbered in the order of OpVariable, "
       "which changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL,
       "(8: GLSL 460)// OpModuleProcessed define-macro X=b\n#line 1\nuniform texture2D X, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)// OpModuleProcessed define-macro X=c\n// OpModuleProcessed define-macro Y=b\n#line 1\nuniform "
       "texture2D Y, X, a;(end) a:t b:t c:t",
       "b 0.0; c 0.1; a 0.2"},
      {"source", "", NULL,
       "(8: GLSL 460)// OpModuleProcessed define-macro X=c\n// OpModuleProcessed undef-macro X\n#line 1\nuniform "
       "texture2D X, a;(end) a:t X:t",
       "X 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 460)// OpModuleProcessed client opengl100\n#line 1\n#ifdef VULKAN\nuniform texture2D "
       "a;\n#endif\nuniform texture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: GLSL 460)// OpModuleProcessed define-macro X=b(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not declare \"a\"; "
       "they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL,
       "(8: GLSL 460)// OpModuleProcessed define-macro X=b\n#line 1\nuniform texture2D b;\nuniform texture2D b, "
       "a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:1: the source text in the module does not tell the order of its resources, since it declares \"b\" twice; "
       "they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL,
       "(8: GLSL 460)// OpModuleProcessed define-macro X=b\nuniform texture2D b;\nuniform texture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0:2: the source text in the module does not tell the order of its resources, since it declares \"b\" twice; "
       "they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL, "(8: GLSL 460)#if __VERSION__ == 460\nuniform texture2D b, a;\n#endif(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not declare \"a\"; "
       "they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL,
       "(8: GLSL 460)#version 460\n#if __VERSION__ == 460\nuniform texture2D b, a;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: ESSL 310)#version 310 es\n#ifdef GL_ES\nuniform texture2D b, a;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 450)#version 450\n#ifdef GL_ES\nuniform texture2D a;\n#endif\nuniform texture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: GLSL 100)#version 100\n#ifdef GL_ES\nuniform texture2D b, a;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 450)#version 450 compatibility\n#if GL_compatibility_profile == 1\nuniform texture2D b, "
       "a;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: GLSL 450)#version 450 core\n#ifdef GL_compatibility_profile\nuniform texture2D a;\n#endif\nuniform "
       "texture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: Unknown 0)#version 450\nuniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: Unknown 0)Texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: HLSL 500)#if __VERSION__ == 500\nTexture2D b, a;\n#endif(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: HLSL 500)#version 450 es\n#if __VERSION__ == 500\nTexture2D b, a;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"})

/* What the preprocessor makes of a text: names of files, numbers, arguments. */
TABLE(
    preprocessed_texts,
    {"source", "", NULL, "(14: HLSL 600)#include \"./d/../u\"\nTexture2D a;(file u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#include \"de/../u\"\nTexture2D a;(file u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#include \"..e/../u\"\nTexture2D a;(file u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#include \"d//e/./u\"\nTexture2D a;(file d/e/u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#include \"u\"\nTexture2D a;(file ./u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#include \"d/e/../../u\"\nTexture2D a;(file u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#include \"d/../../u\"\nTexture2D a;(file ../u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#include \"../../u\"\nTexture2D a;(file ../../u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#include \"/d/../u\"\nTexture2D a;(file /u)Texture2D b;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL,
     "(14: HLSL 600)#include \"d/u\"\nTexture2D a;(file d/u)#include \"v\"\nTexture2D c;(file d/v)Texture2D b;(end) "
     "a:t b:t c:t",
     "b 0.0; c 0.1; a 0.2"},
    {"source", "", NULL,
     "(8: GLSL 460)#if (12|3) == 15 && (12 ^ 10) == 6 && (12 & 10) == 8 && 7 - 2 == 5 && 7 + 2 == 9 && 7 * 2 == "
     "14\nuniform texture2D b, a;\n#endif(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL,
     "(8: GLSL 460)#if 7 / 2 == 3 && 7 % 2 == 1 && 3 < 4 && 4 > 3 && 4 <= 4 && 4 >= 4 && 1 << 4 == 16 && 16 >> 2 == 4 "
     "&& ~0 == -1 && !0\nuniform texture2D b, a;\n#endif(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL,
     "(8: GLSL 460)#if 4 < 4||4 > 4||4 <= 3||3 >= 4||4 != 4||3 == 4||!1||(2 && 0)\nuniform texture2D "
     "a;\n#endif\nuniform texture2D b, a;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#define F(x, ...) __VA_ARGS__\nTexture2D F(q, b, a);(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(14: HLSL 600)#define F(x, y) y x\nF(b, Texture2D); Texture2D a;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(8: GLSL 460)uniform texture2D X;\nuniform texture2D a;(end) <define-macro X=b\nc> a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(HLSL 600){ Texture2D a; } Texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "(HLSL 600)void f(Texture2D a) { Texture2D b; } Texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"})

/* Where the text proves nothing, it has no place of anything either. */
TABLE(what_a_text_does_not_prove,
      {"source", "", NULL, "(HLSL 600)Texture2D b;(end) b:t@0 a:b@0",
       "! m0: %5 \"a\" (ubo; set 0, binding 0; compute) overlaps with %3 \"b\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; use "
       "--rules=hlsl, under which they are registers of different classes\n"
       ". m0: conflicts with: %3 \"b\"\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D b; ConstantBuffer<X> a;(end) b:t@0 a:b@0", "b 0.0; a 0.1"},
      {"source", "", NULL, "(13: HLSL 500)#if __VERSION__ == 500\nTexture2D b, a;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(8: HLSL 500)#version 310 es\n#ifdef GL_ES\nTexture2D a;\n#endif\nTexture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "a:t#3.5 b:t#2.4294967295", "b 0.0; a 0.1"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a : register(t3);(end) <spirv-bind: registers shifted t:0=1> a:t@3",
       "a 0.2"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a : register(t3);(end) a:t@3", "a 0.3"},
      {"hlsl", "", NULL, "<spirv-bind: registers shifted t:0=42949672950> a:t@4294967295", "a 0.4294967295"})

/* glslang: the lines of variables, where it has no text. All in one file, and all different. */
TABLE(lines_of_debug_information,
      {"source", "", NULL, "(8: *HLSL 500)(end) a:t b:t",
       "a 0.0; b 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not declare \"a\"; "
       "they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"},
      {"source", "", NULL, "a:t#3.5 b:t#2.7", "b 0.0; a 0.1"}, {"source", "", NULL, "a:t#2.7 b:t#2.5", "b 0.0; a 0.1"},
      {"source", "", NULL, "a:t#2.5 b:t#2.7", "a 0.0; b 0.1"},
      {"source", "", NULL, "a:t#2.7 b:t#2.7",
       "a 0.0; b 0.1\n"
       ". m0: the module contains no source text, so its resources are numbered in the order of OpVariable, which "
       "changes with function bodies; compile with -gVS instead of -gV, or pass --order=name or --order=module\n"},
      {"source", "", NULL, "a:t#3.5 b:t",
       "a 0.0; b 0.1\n"
       ". m0: the module contains no source text, so its resources are numbered in the order of OpVariable, which "
       "changes with function bodies; compile with -gVS instead of -gV, or pass --order=name or --order=module\n"},
      {"source", "", NULL, "a:t#3.5 b:t#2.7.",
       "a 0.0; b 0.1\n"
       ". m0: the module contains no source text, so its resources are numbered in the order of OpVariable, which "
       "changes with function bodies; compile with -gVS instead of -gV, or pass --order=name or --order=module\n"},
      {"source", "", NULL, "a:t#3.5. b:t#2.7.", "b 0.0; a 0.1"},
      {"source", "", NULL, "c:t#300.1 a:t#3.5 b:t#2.7 d:t#70000.1", "b 0.0; a 0.1; c 0.2; d 0.3"},
      {"strict", "", NULL, "a:t#3.5 b:t",
       "! m0: the module contains no source text, so the order of its resources is not known; compile with -gVS "
       "instead of -gV\n"},
      {"source", "", NULL, "s:{x:t y:t}#9.1 b:t#2.7", "b 0.0; s.x 0.1; s.y 0.2"},
      {"source", "", NULL, "b:t#12.7 s:{x:t y:t}#9.1 c:t#8.1", "c 0.0; s.x 0.1; s.y 0.2; b 0.3"},
      {"source", "", NULL, "b:t#12.7 heap_texture_x:t[]#1.1 c:t#8.1", "heap_texture_x 0.0; c 0.1; b 0.2"},
      {"source", "", NULL, "b:t#12.7 heap_texture_x:t[] heap_sampler:s[] c:t#8.1",
       "b 0.0; heap_texture_x 0.1; heap_sampler 0.2; c 0.3\n"
       ". m0: the module contains no source text, so its resources are numbered in the order of OpVariable, which "
       "changes with function bodies; compile with -gVS instead of -gV, or pass --order=name or --order=module\n"},
      {"by-name", "", NULL, "b:t#12.7 a:t#13.1", "a 0.0; b 0.1"},
      {"source", "", NULL, "(GLSL 460)uniform texture2D a, b;(end) b:t#3.1 a:t#4.1", "a 0.0; b 0.1"},
      {"source", "", NULL, "(GLSL 460)uniform texture2D a;(end) a:t#5.1 b:t#4.1", "b 0.0; a 0.1"},
      {"source", "", NULL, "(8: GLSL 460)uniform texture2D a;(end) a:t#5.1 b:t#4.1",
       "a 0.0; b 0.1\n"
       "? m0: the source text in the module does not tell the order of its resources, since it does not declare \"b\"; "
       "they are numbered in the order of OpVariable, which changes with function bodies; pass --order=name or "
       "--order=module\n"})

/* GLSL: what a declaration is. */
TABLE(
    declarations_of_glsl,
    {"source", "", NULL,
     "(GLSL 460)struct S { texture2D x; } ; uniform struct T { texture2D y; } t; uniform S s;(end) s.x:t t.y:t",
     "t.y 0.0; s.x 0.1"},
    {"source", "", NULL,
     "(GLSL 460)layout(set = 0) readonly uniform image2D b; const uniform texture2D a;(end) a:t b:i", "b 0.0; a 0.1"},
    {"source", "", NULL,
     "(GLSL 460)void f(in texture2D a, out int b) { int a, b; } uniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)void f(texture2D a); uniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)} uniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)uniform texture2D[2] b, a;(end) a:t[2] b:t[2]", "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)uniform texture2D[2] b[3], a;(end) a:t[2] b:t[3][2]", "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)uniform texture2D b[2], a;(end) a:t b:t[2]", "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)uniform texture2D b[2], a;(end) a:t[2] b:t[2]",
     "a 0.0; b 0.1\n"
     "? m0:1: the source text in the module does not tell the order of its resources, since \"a\" is declared there "
     "with another array size; they are numbered in the order of OpVariable, which changes with function bodies; pass "
     "--order=name or --order=module\n"},
    {"source", "", NULL, "(GLSL 460)const int N = 3; uniform texture2D b[N], a;(end) a:t b:t[3]", "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)const int N = 3; uniform texture2D b[N], a;(end) a:t b:t[4]",
     "a 0.0; b 0.1\n"
     "? m0:1: the source text in the module does not tell the order of its resources, since \"b\" is declared there "
     "with another array size; they are numbered in the order of OpVariable, which changes with function bodies; pass "
     "--order=name or --order=module\n"},
    {"source", "", NULL, "(GLSL 460)const int M = 1, N = M + 2; uniform texture2D b[N], a;(end) a:t b:t[4]",
     "a 0.0; b 0.1\n"
     "? m0:1: the source text in the module does not tell the order of its resources, since \"b\" is declared there "
     "with another array size; they are numbered in the order of OpVariable, which changes with function bodies; pass "
     "--order=name or --order=module\n"},
    {"source", "", NULL, "(GLSL 460)int N = 3; uniform texture2D b[N], a;(end) a:t b:t[4]", "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)layout(push_constant) uniform a { int x; }; uniform texture2D b, a;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)layout(buffer_reference) buffer a { int x; }; uniform texture2D b, a;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)layout(shaderRecordEXT) buffer a { int x; }; uniform texture2D b, a;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)layout(shaderRecordNV) buffer a { int x; }; uniform texture2D b, a;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)layout(local_size_x = (1 + 2) * 3) in; uniform texture2D b, a;(end) a:t b:t",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(GLSL 460)in vec4 a; out vec4 c; uniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
    {"source", "", NULL,
     "(GLSL 460)buffer b { int x; } y; uniform c { int x; } z[2]; uniform texture2D a;(end) a:t c:b[2] b:u",
     "b 0.0; c 0.1; a 0.2"},
    {"source", "", NULL, "(GLSL 460)buffer b { int x; } y; uniform c { int x; }; uniform texture2D a;(end) a:t c:u b:u",
     "b 0.0; c 0.1; a 0.2"},
    {"source", "", NULL, "(GLSL 460)buffer b { int x; } y; uniform texture2D a;(end) a:t b:b", "b 0.0; a 0.1"},
    {"source", "", NULL,
     "(GLSL 460)layout(binding = 3) uniform atomic_uint n, m; uniform texture2D a;(end) a:t gl_AtomicCounterBlock_3:u",
     "gl_AtomicCounterBlock_3 0.0; a 0.1"},
    {"source", "", NULL,
     "(GLSL 460)uniform texture2D a; uniform atomic_uint n; uniform texture2D b; uniform atomic_uint m;(end) "
     "gl_AtomicCounterBlock_3:u b:t a:t",
     "a 0.0; gl_AtomicCounterBlock_3 0.1; b 0.2"},
    {"source", "", NULL,
     "(GLSL 460)struct S { texture2D x, y[2]; float[3] z; sampler s; }; uniform texture2D b; uniform S s;(end) s.s:s "
     "s.y:t[2] s.x:t b:t",
     "b 0.0; s.x 0.1; s.y 0.2; s.s 0.3"},
    {"source", "", NULL,
     "(GLSL 460)struct S { texture2D x, y[2]; float[3] z; sampler s; }; uniform texture2D b; uniform S s;(end) s.y:t "
     "s.x:t b:t",
     "s.y 0.0; s.x 0.1; b 0.2\n"
     "? m0:1: the source text in the module does not tell the order of its resources, since \"s.y\" is declared there "
     "with another array size; they are numbered in the order of OpVariable, which changes with function bodies; pass "
     "--order=name or --order=module\n"},
    {"source", "", NULL,
     "(GLSL 460)struct S { texture2D[2] x; struct { sampler s[3]; } i; }; uniform texture2D b; uniform S s;(end) "
     "s.i.s:s[3] s.x:t[2] b:t",
     "b 0.0; s.x 0.1; s.i.s 0.2"},
    {"source", "", NULL,
     "(GLSL 460)struct S { texture2D[2] x; struct { sampler s[3]; } i; }; uniform texture2D b; uniform S s[2];(end) "
     "s[1].i.s:s[3] s[0].x:t[2] b:t",
     "b 0.0; s[0].x 0.1; s[1].i.s 0.2"},
    {"source", "", NULL,
     "(GLSL 460)uniform struct { texture2D x; } s, u[2]; uniform texture2D b;(end) b:t u[1].x:t s.x:t",
     "s.x 0.0; u[1].x 0.1; b 0.2"})

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_order_of_the_source),
	    cmocka_unit_test(registers_of_the_source),
	    cmocka_unit_test(texts_of_modules),
	    cmocka_unit_test(parts_of_earlier_runs),
	    cmocka_unit_test(declarations_of_hlsl),
	    cmocka_unit_test(commands_of_compilers),
	    cmocka_unit_test(preprocessed_texts),
	    cmocka_unit_test(what_a_text_does_not_prove),
	    cmocka_unit_test(lines_of_debug_information),
	    cmocka_unit_test(declarations_of_glsl),
	    cmocka_unit_test(registers_that_the_text_has_not),
	    cmocka_unit_test(conditions_are_computed),
	    cmocka_unit_test(lengths_are_computed),
	    cmocka_unit_test(statements_of_glsl),
	    cmocka_unit_test(paths_of_names),
	    cmocka_unit_test(files_of_texts),
	    cmocka_unit_test(statements_of_hlsl),
	    cmocka_unit_test(registers_that_are_written),
	    cmocka_unit_test(structs_are_nested),
	    cmocka_unit_test(lines_of_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
