/* SPDX-License-Identifier: Apache-2.0 */
/* version: identifies the build. Builds of one version may differ, and so may their results; the hash of the executable
 * distinguishes them, and the rest is for humans. Where SPIRV-Tools is a shared library, it is not in the executable,
 * but its version is named, too. */
#include <stdio.h>

#include "cli/args/args.h"
#include "base/blake2.h"

static bool print_json(void)
{
	unsigned char digest[DIGEST];

	if (!cli_hash_file(os_executable(), digest))
		return false;
	printf("{\"name\": \"spirv-bind\", \"version\": \"%u.%u.%u\", ", spb_version() >> 16, spb_version() >> 8 & 0xFF,
	       spb_version() & 0xFF);
	printf("\"spirvTools\": \"%s\", \"spirvGrammar\": \"%s\", \"executable\": \"", spb_name(SPB_NAME_TOOL, 1),
	       spb_name(SPB_NAME_TOOL, 2));
	for (unsigned i = 0; i < DIGEST; i++)
		printf("%02x", digest[i]);
	puts("\"}");
	return true;
}

void arg_print_version(struct arguments *a, const struct option *o, const char *value)
{
	uint32_t format = VERSION_TEXT;

	if (value && !arg_read_choice(a, o, value, &format))
		return;
	if (format == VERSION_JSON && !print_json()) {
		a->done = EXIT_IO + 1;
		return;
	}
	if (format == VERSION_TEXT)
		printf("spirv-bind %u.%u.%u\nSPIRV-Tools %s\nSPIR-V grammar %s\n", spb_version() >> 16,
		       spb_version() >> 8 & 0xFF, spb_version() & 0xFF, spb_name(SPB_NAME_TOOL, 1),
		       spb_name(SPB_NAME_TOOL, 2));
	cli_end_print(a);
}

void arg_check_environment(struct arguments *a)
{
	const struct program_options *p = &a->program;

	if (spb_name(SPB_NAME_ENVIRONMENT, p->library.validation.env) ||
	    p->library.validation.which == SPB_VALIDATE_NONE)
		return;
#ifdef SPB_NO_SPIRV_TOOLS
	cli_usage(a, WORDS("this spirv-bind was built without SPIRV-Tools and cannot validate" MSG_REMEDY
			   "Add --validate=none."));
#else
	const struct spb_choice *c = spb_option_find("target-env")->choices;

	while (c->value != p->library.validation.env)
		c++;
	cli_usage(a,
		  WORDS("--target-env: the built-in SPIRV-Tools ", spb_name(SPB_NAME_TOOL, 1), " does not know ",
			c->word, MSG_REMEDY "Choose an older one, or build spirv-bind with -DSPB_SPIRV_TOOLS=newest."));
#endif
}
