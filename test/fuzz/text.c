/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a policy, a lock file, or the source text of the module: a clear refusal or a layout, no crash, no hang,
 * nothing left. The first byte says which: 1 lock, 2 HLSL rules, 4 source text, 8 of HLSL, 16 not by glslang. Without
 * libFuzzer it makes its own texts of a few good ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv-bind/spirv_bind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OP(code, length) ((uint32_t)(length) << 16 | (code))

/* Three textures, "a" open, "b" at 0.3, "bc" in set 1; a sampler "s". */
static const uint32_t words[] = {
    0x07230203,
    0x00010300,
    0,
    12,
    0,
    OP(17, 2),
    1,
    OP(14, 3),
    0,
    1,
    OP(5, 3),
    1,
    'a',
    OP(5, 3),
    2,
    'b',
    OP(5, 3),
    3,
    'b' | 'c' << 8,
    OP(5, 3),
    4,
    's',
    OP(71, 4),
    2,
    34,
    0,
    OP(71, 4),
    2,
    33,
    3,
    OP(71, 4),
    3,
    34,
    1,
    OP(22, 3),
    5,
    32,
    OP(25, 9),
    6,
    5,
    1,
    0,
    0,
    0,
    1,
    0,
    OP(32, 4),
    7,
    0,
    6,
    OP(26, 2),
    8,
    OP(32, 4),
    9,
    0,
    8,
    OP(59, 4),
    7,
    1,
    0,
    OP(59, 4),
    7,
    2,
    0,
    OP(59, 4),
    7,
    3,
    0,
    OP(59, 4),
    9,
    4,
    0,
};

static void heard(void *user, const spb_message *message)
{
	size_t *errors = user;

	if (message->severity != SPB_SEVERITY_ERROR)
		return;
	++*errors;
	if (!*message->text || !*message->module)
		abort();
}

/* The module with OpString and OpSource before its names. Returns its length in words. */
static size_t with_source(uint32_t *to, unsigned how, const char *text)
{
	enum { HEAD = 5 + 2 + 3, FILE_ID = 10 };
	size_t length = strlen(text) / 4 + 1;
	const uint32_t head[] = {OP(7, 3), FILE_ID, 'f', OP(3, 4 + length), how & 8 ? 5 : 2, 450, FILE_ID};

	memcpy(to, words, HEAD * sizeof *to);
	to[2] = how & 16 ? 0 : 8u << 16;
	memcpy(to + HEAD, head, sizeof head);
	memset(to + HEAD + 7, 0, length * sizeof *to);
	memcpy(to + HEAD + 7, text, strlen(text));
	memcpy(to + HEAD + 7 + length, words + HEAD, sizeof words - HEAD * sizeof *words);
	return HEAD + 7 + length + sizeof words / sizeof *words - HEAD;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t errors = 0;
	const spb_callbacks callbacks = {heard, &errors};
	char *text = malloc(size + 1);
	const spb_policy policy = {"fuzz.policy", text};
	spb_context *context;
	spb_program *program = NULL;
	spb_options options;
	unsigned how = size ? data[0] : 0;
	bool source = how & 4 && size < 200000, lock = how & 1 && !source;
	uint32_t *module = malloc(sizeof words + size + 100);
	size_t count = sizeof words / sizeof *words;

	memcpy(text, size ? (const char *)data + 1 : "", size ? size - 1 : 0);
	text[size ? size - 1 : 0] = '\0';
	spb_options_init(&options, sizeof options);
	options.validation.which = SPB_VALIDATE_NONE;
	options.layout.rules = how & 2 ? SPB_RULES_HLSL : SPB_RULES_DEFAULT;
	options.layout.unused = SPB_UNUSED_COUNT;
	options.layout.lock = lock ? text : NULL;
	options.layout.policies = &policy;
	options.layout.policy_count = !lock && !source;
	memcpy(module, words, sizeof words);
	if (source)
		count = with_source(module, how, text);
	if (spb_context_create(NULL, &callbacks, &context) != SPB_OK)
		abort();
	spb_status status = spb_program_create(context, &options, &program);
	if (status == SPB_OK)
		status = spb_program_add(program, "m", module, count, 0);
	if (status == SPB_OK)
		status = spb_program_bind(program);
	if (status == SPB_ERROR_INTERNAL || status == SPB_ERROR_INVALID_SPIRV || (status != SPB_OK && !errors))
		abort();
	if (status == SPB_OK && (!spb_program_text(program, SPB_TEXT_LOCK, NULL, NULL) ||
				 !spb_program_text(program, SPB_TEXT_LAYOUT_JSON, NULL, NULL)))
		abort();
	spb_program_destroy(program);
	spb_context_destroy(context);
	free(module);
	free(text);
	return 0;
}

#ifndef SPB_LIBFUZZER
static uint64_t next(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	return *random ^= *random << 17;
}

int main(int argc, char **argv)
{
	unsigned long texts = argc > 1 ? strtoul(argv[1], NULL, 10) : 30000;
	static const char *const seeds[] = {
	    "\0place name=b* kind=texture class=t stage=compute access=read set=1 register=0..9 -> set=2 range=4..7 "
	    "order=3\n",
	    "\2place name=\"a\" -> set=4294967295 binding=4294967295\nreserve set=0 range=0..\nplace -> binding=auto\n",
	    "\0block name=b -> set=3 # comment\nshift class=t,s set=0 by=12\noption rules=hlsl unused=last "
	    "shift=auto\n",
	    "\0refuse kind=sampler,ssbo -> say=\"no \\\" of them\"\noption fixed=registers arrays=each structs=apart "
	    "merge=no\n",
	    "\0descriptor name=b kind=ubo,ssbo set=0 binding=0..7 -> type=dynamic "
	    "flags=partially-bound,variable-count\n"
	    "descriptor -> type=inline-uniform-block samplers=immutable\npush set=2\n",
	    "\1lock version=1\npush set=0\nresource a set=0 binding=1 kind=ubo type=dynamic samplers=immutable "
	    "flags=none\n",
	    "\1lock version=1\nresource a set=0 binding=1 kind=texture count=4\nremoved \"x y\" ordinal=2 set=0 "
	    "binding=0\n",
	    "\4#version 450\n#define T(n) uniform texture2D n##_;\n#if 0 || defined(X)\nT(a)\n#elif __LINE__ > 3\n"
	    "uniform texture2D a, b[3];\n#else\n#endif\nT(b) struct S { sampler s; }; uniform S s[2];",
	    "\4#define F(x, y) G(y x) F(x ## y, y)\n#define G(z) z z F\nuniform F(a, b) texture2D a; F(F(a, G(b)), (c, "
	    "d))\n"
	    "#line 3 \"f\"\n#include \"f\"\n#undef F\nconst int N = 4 * (2 + 1); buffer B { int x; } b[N];",
	    "\xctypedef Texture2D T[2]; struct S { T a; SamplerState s; }; namespace N { S b : register(t3) : "
	    "register(s1, space2); }\nTexture2D a : register(t4294967295); cbuffer b { float4 v; S bc[3]; }",
	    "\x1cTexture2D<float4> a[], b; template<typename T> struct X : Y { T t; };\n#ifdef Q\nTexture2D "
	    "bc;\n#endif\n"
	    "[[vk::binding(1, 2)]] SamplerState s { Filter = 3; }; float4 main(Texture2D bc : SV_X) { return 0; }",
	    "\3lock version=1\nshift class=s set=0 by=7\nheap h set=5 binding=2\nresource s set=0 binding=4294967295\n",
	};
	uint64_t random = 88172645463325252u;
	char text[1024];

	for (unsigned long round = 0; round < texts; round++) {
		const char *seed = seeds[next(&random) % (sizeof seeds / sizeof *seeds)];
		size_t length = 1 + strlen(seed + 1);
		memcpy(text, seed, length);
		for (unsigned n = (unsigned)(next(&random) % 4); n--;) {
			size_t at = 1 + next(&random) % (length - 1), from = 1 + next(&random) % (length - 1);
			switch (next(&random) % 4) {
			case 0:
				text[at] = (char)next(&random);
				break;
			case 1:
				memmove(text + at, text + at + 1, length - at - 1);
				length -= length > 2;
				break;
			case 2:
				text[at] = text[from];
				break;
			default:
				if (length + 8 < sizeof text && from + 8 < length) {
					memmove(text + at + 8, text + at, length - at);
					memmove(text + at, text + 1, 8);
					length += 8;
				}
				break;
			}
		}
		LLVMFuzzerTestOneInput((const uint8_t *)text, length);
	}
	printf("%lu texts\n", texts);
	return texts ? 0 : 1;
}
#endif
