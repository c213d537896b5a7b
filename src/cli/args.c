/* SPDX-License-Identifier: Apache-2.0 */
/* args: the command line. `--flag=value` and `--flag value` are the same. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const char help[] =
    "Usage: spirv-bind [options] INPUT... (-o FILE | --out-dir DIR | --check | --dry-run)\n"
    "\n"
    "Gives every resource of SPIR-V modules a descriptor set and binding, turns dereferences of\n"
    "DescriptorHandles into accesses to descriptor heaps, completes NonUniform, and validates the\n"
    "result. Several inputs are one program, with one pipeline layout. - is stdin or stdout.\n"
    "\n"
    "Output:\n"
    "  -o FILE                  write the one module to FILE\n"
    "  --out-dir=DIR            write each module to DIR under its own file name\n"
    "  --layout-json=FILE       write the layout as JSON\n"
    "  --print-layout           print the layout as a table on stdout\n"
    "  --check                  write nothing; exit 3 if a module is not in its final form\n"
    "  --dry-run                do everything but write modules\n"
    "Layout:\n"
    "  --rules=slang            Slang's rules for Vulkan (the default)\n"
    "  --rebind=WHAT            missing (default), conflicts, all, or all,sets\n"
    "  --order=WHICH            source (default), module or name\n"
    "  --auto-binding=N         a Binding of N counts as missing\n"
    "  --auto-set=N             a DescriptorSet of N counts as missing\n"
    "  --default-set=N          set of resources that name none (0)\n"
    "  --heap-set=N             lowest set for heaps (0)\n"
    "  --allow-overlap          different resources fixed at one place are a warning\n"
    "  --no-merge               equal names in different modules stay different resources\n"
    "Uniformity:\n"
    "  --nonuniform=MODE        explicit (default): complete the author's marks; keep: leave them\n"
    "Validation:\n"
    "  --target-env=ENV         vulkan1.0, vulkan1.1, vulkan1.1spv1.4, vulkan1.2 or vulkan1.3\n"
    "                           (default: by the SPIR-V version of each module)\n"
    "  --validate=WHICH         output (default), both or none\n"
    "  --allow-unvalidated      modules too new for SPIRV-Tools pass, with a warning\n"
    "  --relax-block-layout, --uniform-buffer-standard-layout, --scalar-block-layout,\n"
    "  --workgroup-scalar-block-layout, --allow-localsizeid   as spirv-val\n"
    "Other:\n"
    "  -q  no notes and warnings      -v  say what is written\n"
    "  --version                      -h, --help\n"
    "\n"
    "Exit status: 0 done; 1 a module was refused; 2 wrong usage; 3 --check found a difference;\n"
    "4 input, output or memory failure. On anything but 0 no output file has been touched.\n";

static void usage(struct arguments *a, const char *what, const char *word)
{
	fprintf(stderr, "spirv-bind: %s%s (--help tells more)\n", what, word);
	a->done = EXIT_USAGE + 1;
}

static bool read_number(struct arguments *a, const char *option, const char *value, uint32_t *number)
{
	char *end;

	errno = 0;
	unsigned long long n = strtoull(value, &end, 0);
	if (value[0] < '0' || value[0] > '9' || *end || errno || n > UINT32_MAX) {
		fprintf(stderr, "spirv-bind: %s takes a number from 0 to 4294967295, not '%s'\n", option, value);
		a->done = EXIT_USAGE + 1;
		return false;
	}
	*number = (uint32_t)n;
	return true;
}

struct choice {
	const char *option, *word;
	int value;
};

static const struct choice choices[] = {
    {"--rules", "slang", 0},
    {"--rebind", "missing", SPB_REBIND_MISSING},
    {"--rebind", "conflicts", SPB_REBIND_CONFLICTS},
    {"--rebind", "all", SPB_REBIND_ALL},
    {"--rebind", "all,sets", SPB_REBIND_ALL_SETS},
    {"--order", "source", SPB_ORDER_SOURCE},
    {"--order", "module", SPB_ORDER_MODULE},
    {"--order", "name", SPB_ORDER_NAME},
    {"--nonuniform", "explicit", SPB_NONUNIFORM_EXPLICIT},
    {"--nonuniform", "keep", SPB_NONUNIFORM_KEEP},
    {"--validate", "output", SPB_VALIDATE_OUTPUT},
    {"--validate", "both", SPB_VALIDATE_BOTH},
    {"--validate", "none", SPB_VALIDATE_NONE},
    {"--target-env", "vulkan1.0", SPB_ENV_VULKAN_1_0},
    {"--target-env", "vulkan1.1", SPB_ENV_VULKAN_1_1},
    {"--target-env", "vulkan1.1spv1.4", SPB_ENV_VULKAN_1_1_SPIRV_1_4},
    {"--target-env", "vulkan1.2", SPB_ENV_VULKAN_1_2},
    {"--target-env", "vulkan1.3", SPB_ENV_VULKAN_1_3},
};

static bool read_choice(struct arguments *a, const char *option, const char *value, int *chosen)
{
	const char *separator = "";

	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		if (!strcmp(choices[i].option, option) && !strcmp(choices[i].word, value)) {
			*chosen = choices[i].value;
			return true;
		}
	}
	fprintf(stderr, "spirv-bind: %s takes ", option);
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		if (!strcmp(choices[i].option, option)) {
			fprintf(stderr, "%s%s", separator, choices[i].word);
			separator = ", ";
		}
	}
	fprintf(stderr, "; not '%s'\n", value);
	a->done = EXIT_USAGE + 1;
	return false;
}

/* Options without a value. */
static bool read_switch(struct arguments *a, const char *option)
{
	static const struct {
		const char *option;
		uint32_t flag;
	} validator[] = {
	    {"--relax-block-layout", SPB_VALIDATOR_RELAX_BLOCK_LAYOUT},
	    {"--uniform-buffer-standard-layout", SPB_VALIDATOR_UNIFORM_BUFFER_STANDARD_LAYOUT},
	    {"--scalar-block-layout", SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT},
	    {"--workgroup-scalar-block-layout", SPB_VALIDATOR_WORKGROUP_SCALAR_BLOCK_LAYOUT},
	    {"--allow-localsizeid", SPB_VALIDATOR_ALLOW_LOCALSIZEID},
	};

	for (size_t i = 0; i < sizeof validator / sizeof validator[0]; i++) {
		if (!strcmp(option, validator[i].option)) {
			a->options.validator_flags |= validator[i].flag;
			return true;
		}
	}
	if (!strcmp(option, "--allow-overlap"))
		a->options.allow_overlap = 1;
	else if (!strcmp(option, "--no-merge"))
		a->options.no_merge = 1;
	else if (!strcmp(option, "--allow-unvalidated"))
		a->options.allow_unvalidated = 1;
	else if (!strcmp(option, "--print-layout"))
		a->print_layout = true;
	else if (!strcmp(option, "--check"))
		a->check = true;
	else if (!strcmp(option, "--dry-run"))
		a->dry_run = true;
	else if (!strcmp(option, "-q"))
		a->quiet = true;
	else if (!strcmp(option, "-v"))
		a->verbose = true;
	else
		return false;
	return true;
}

static bool takes_value(const char *option)
{
	static const char *const others[] = {"-o",         "--out-dir",     "--layout-json", "--auto-binding",
					     "--auto-set", "--default-set", "--heap-set"};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		if (!strcmp(option, others[i]))
			return true;
	}
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		if (!strcmp(option, choices[i].option))
			return true;
	}
	return false;
}

static void read_value(struct arguments *a, const char *option, const char *value)
{
	spb_options *o = &a->options;
	int chosen;

	if (!strcmp(option, "-o")) {
		a->output = value;
	} else if (!strcmp(option, "--out-dir")) {
		a->out_dir = value;
	} else if (!strcmp(option, "--layout-json")) {
		a->layout_json = value;
	} else if (!strcmp(option, "--auto-binding")) {
		o->has_auto_binding = read_number(a, option, value, &o->auto_binding);
	} else if (!strcmp(option, "--auto-set")) {
		o->has_auto_set = read_number(a, option, value, &o->auto_set);
	} else if (!strcmp(option, "--default-set")) {
		read_number(a, option, value, &o->default_set);
	} else if (!strcmp(option, "--heap-set")) {
		o->has_heap_set = read_number(a, option, value, &o->heap_set);
	} else if (read_choice(a, option, value, &chosen)) {
		if (!strcmp(option, "--rebind"))
			o->rebind = (spb_rebind)chosen;
		else if (!strcmp(option, "--order"))
			o->order = (spb_order)chosen;
		else if (!strcmp(option, "--nonuniform"))
			o->nonuniform = (spb_nonuniform)chosen;
		else if (!strcmp(option, "--validate"))
			o->validate = (spb_validate)chosen;
		else if (!strcmp(option, "--target-env"))
			o->target_env = (spb_env)chosen;
	}
}

/* One option at argv[i]; returns how many words it took. */
static int read_option(struct arguments *a, int argc, char **argv, int i)
{
	char *option = argv[i], *equals = option[1] == '-' ? strchr(option, '=') : NULL;

	if (!strcmp(option, "-h") || !strcmp(option, "--help") || !strcmp(option, "--version")) {
		if (option[2] == 'v')
			printf("spirv-bind %u.%u.%u\n", spb_version() >> 16, spb_version() >> 8 & 0xFF,
			       spb_version() & 0xFF);
		else
			fputs(help, stdout);
		a->done = (fflush(stdout) ? EXIT_IO : EXIT_DONE) + 1;
		return 1;
	}
	if (!equals && read_switch(a, option))
		return 1;
	if (equals)
		*equals = '\0';
	if (!takes_value(option)) {
		usage(a, "no option of this version: ", option);
		return 1;
	}
	if (equals) {
		read_value(a, option, equals + 1);
		return 1;
	}
	if (i + 1 == argc) {
		usage(a, "a value is missing after ", option);
		return 1;
	}
	read_value(a, option, argv[i + 1]);
	return 2;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Two inputs that would be written to one file, or one file given twice. */
static void check_names(struct arguments *a)
{
	const char **names = malloc(a->input_count * sizeof *names);

	if (!names) {
		a->done = EXIT_IO + 1;
		return;
	}
	for (size_t i = 0; i < a->input_count; i++)
		names[i] = a->out_dir ? base_name(a->inputs[i]) : a->inputs[i];
	qsort(names, a->input_count, sizeof *names, by_string);
	for (size_t i = 1; i < a->input_count && !a->done; i++) {
		if (!strcmp(names[i - 1], names[i]))
			usage(a,
			      a->out_dir ? "two inputs would be written under the name " : "an input is given twice: ",
			      names[i]);
	}
	free(names);
}

static void check_together(struct arguments *a)
{
	int modes = (a->output != NULL) + (a->out_dir != NULL) + a->check + a->dry_run;

	if (modes == 0)
		usage(a, "say where to write: -o FILE, --out-dir DIR, or --check or --dry-run", "");
	else if (modes > 1)
		usage(a, "only one of -o, --out-dir, --check and --dry-run can be given", "");
	else if (a->output && a->input_count > 1)
		usage(a, "-o takes one input; several are written with --out-dir", "");
	else if (a->output && !strcmp(a->output, "-") &&
		 ((a->layout_json && !strcmp(a->layout_json, "-")) || a->print_layout))
		usage(a, "stdout can take the module or the layout, not both", "");
	else
		check_names(a);
	for (size_t i = 0; i < a->input_count && !a->done; i++) {
		if (a->out_dir && !strcmp(a->inputs[i], "-"))
			usage(a, "stdin has no file name to be written under; use -o", "");
	}
}

void read_arguments(struct arguments *a, int argc, char **argv)
{
	bool only_inputs = false;

	*a = (struct arguments){0};
	spb_options_init(&a->options, sizeof a->options);
	a->inputs = calloc((size_t)argc + 1, sizeof *a->inputs);
	if (!a->inputs) {
		a->done = EXIT_IO + 1;
		return;
	}
	for (int i = 1; i < argc && !a->done;) {
		if (!only_inputs && !strcmp(argv[i], "--")) {
			only_inputs = true;
			i++;
		} else if (!only_inputs && argv[i][0] == '-' && argv[i][1]) {
			i += read_option(a, argc, argv, i);
		} else {
			a->inputs[a->input_count++] = argv[i++];
		}
	}
	if (a->done)
		return;
	if (!a->input_count)
		a->inputs[a->input_count++] = "-";
	check_together(a);
}
