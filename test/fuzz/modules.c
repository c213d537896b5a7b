/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a module, with some options: the low half of the third word of the header, the version of the generator,
 * selects them; 0: none. seeds.py gives the fixtures their own, and reads `settings` for that. */
#include "fuzz.h"

static const char *const settings[] = {
    "mode=check",
    "mode=lint",
    "mode=collect",
    "rules=slang",
    "rules=hlsl",
    "rebind=conflicts",
    "rebind=all",
    "rebind=all,sets",
    "order=module",
    "order=name",
    "auto-binding=0",
    "policy=option auto-set=0",
    "policy=option default-set=2",
    "place=*=3.1",
    "policy=block name=*",
    "policy=block name=*a* -> set=5",
    "policy=place kind=texture -> range=2..5",
    "policy=reserve set=0 range=0..1",
    "policy=place set=1 -> set=0 binding=auto",
    "policy=descriptor kind=ubo,ssbo -> type=dynamic",
    "policy=shift class=t by=16",
    "policy=option shift=auto",
    "unused=count",
    "unused=last",
    "unused=remove",
    "policy=option unsized=keep",
    "allow-overlap",
    "policy=option shared=apart",
    "entry=main",
    "spec=0=3",
    "spec=1=0",
    "doctor",
    "policy=option structs=apart arrays=each",
    "policy=option fixed=registers shift=base",
    "policy=option heaps=default-set counters=last sets=first",
    "heap-model=mutable",
    "heap-model=descriptor-heap",
    "heap-model=slang",
    "heap-model=dxc",
    "heap-model=typed",
    "heap-set=4",
    "heap=texture=1.7",
    "heap-size=64",
    "heap-stride=unified",
    "heap=texture=1.2",
    "heap=as=address",
    "heap-size=16",
    "heap-size=4:3",
    "heap-stride=64,32",
    "combined=split",
    "merge-combined=tex:own",
    "merge-combined=tex:two",
    "merge-combined=T:S",
    "merge-combined=U:V",
    "bounds-check=clamp",
    "bounds-check=null",
    "instrument-handles=7.0",
    "lower-buffer-references",
    "lower-buffer-references=*a*",
    "split-combined",
    "nonuniform=explicit",
    "nonuniform=all",
    "nonuniform=keep",
    "prune",
    "uniform-scope=group",
    "uniform-scope=group-or-subgroup",
    "waterfall",
    "waterfall=lengths",
    "waterfall=drivers",
    "waterfall=ssbo,image",
    "host-features=none",
    "host-features=vulkan1.4,VK_SUBGROUP_FEATURE_BALLOT_BIT",
    "host-features=roadmap2024,mutableDescriptorType",
    "distrust-uniform",
    "assume-aliased-references",
    "ycbcr=*",
    "check-assertions=warn",
    "check-assertions=runtime",
    "check-assertions=off",
    "suppress=barriers,*@*:7,SPB5006@main",
    "accesses",
    "strip-debug",
};

/* Validation is the most expensive option. */
static const char *validation(uint64_t *number)
{
	return next_number(number, 3) ? "validate=none" : "validate=both";
}

/* Checks that each of them is valid. */
static void check_settings(void)
{
	spb_context *context;
	spb_program *program;

	MUST(spb_context_create(NULL, NULL, &context) == SPB_OK);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		MUST(spb_program_create(context, NULL, &program) == SPB_OK);
		must(set_option(program, settings[i]) == SPB_OK, settings[i], __FILE__, __LINE__);
		spb_program_destroy(program);
	}
	spb_context_destroy(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MOST = 5 };
	static bool checked;
	const char *chosen[MOST + 2] = {NULL};
	struct attempt attempt = {.settings = chosen, .count = size / 4};
	uint32_t *words = malloc(size / 4 * 4 + 4);
	uint64_t number = number_of(data, size), choice;
	uint32_t count = 0;

	if (!checked)
		check_settings();
	checked = true;
	if (attempt.count)
		memcpy(words, data, attempt.count * 4);
	attempt.words = words;
	choice = attempt.count > 2 ? (words[2] & 0xFFFF) * 0x9E3779B97F4A7C15u : 0;
	chosen[count++] = validation(&number);
	for (uint32_t n = choice ? 1 + next_number(&choice, MOST) : 0; n--;) {
		chosen[count] = settings[next_number(&choice, sizeof settings / sizeof *settings)];
		attempt.loses_names |= !strcmp(chosen[count++], "strip-debug");
	}
	try_program(&attempt, number);
	free(words);
	return 0;
}
