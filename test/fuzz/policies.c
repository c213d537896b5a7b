/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a policy. An odd first byte: with the rules of HLSL. */
#include "fuzz.h"
#include "small.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_text(data + (size != 0), size - (size != 0));
	const spb_policy policy = {"fuzz.policy", text};
	spb_options options;
	const struct attempt attempt = {.options = &options, .words = small_module, .count = SMALL_COUNT};

	spb_options_init(&options, sizeof options);
	options.validation.which = SPB_VALIDATE_NONE;
	options.layout.rules = size && data[0] & 1 ? SPB_RULES_HLSL : SPB_RULES_DEFAULT;
	options.layout.unused = SPB_UNUSED_COUNT;
	options.layout.policies = &policy;
	options.layout.policy_count = 1;
	try_program(&attempt, number_of(data, size));
	free(text);
	return 0;
}
