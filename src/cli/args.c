/* SPDX-License-Identifier: Apache-2.0 */
/* args: the command line. `--flag=value` and `--flag value` are the same. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"

/* In parts: C11 compilers need not take longer strings than 4095 bytes. */
static const char help[] =
    "Usage: spirv-bind [options] INPUT... (-o FILE | --out-dir DIR | --check | --dry-run | --doctor)\n"
    "\n"
    "Gives every resource of SPIR-V modules a descriptor set and binding, turns dereferences of\n"
    "DescriptorHandles into accesses to descriptor heaps, completes NonUniform, and validates the\n"
    "result. Several inputs are one program, with one pipeline layout. - is stdin or stdout.\n"
    "\n"
    "Output:\n"
    "  -o FILE                  write the one module to FILE\n"
    "  --out-dir=DIR            write each module to DIR under its own file name\n"
    "  --layout-json=FILE       write the layout as JSON\n"
    "  --explain                list every access to a resource in the layout JSON\n"
    "  --explain=GLOB           say on stdout which rule placed the resources of that name, and why\n"
    "                           each access to them differs between invocations, or does not\n"
    "  --print-layout           print the layout as a table on stdout\n"
    "  --diff                   print what moves, old -> new, for each module\n"
    "  --check-compatible=JSON  say which sets stay pipeline-layout compatible with an older layout;\n"
    "                           exit 3 and write nothing if not all do\n"
    "  --doctor                 write nothing; say of every place that is claimed twice what it is\n"
    "  --check                  write nothing; exit 3 if a module is not in its final form\n"
    "  --dry-run                do everything but write files; with -v tell what would be written\n"
    "Layout:\n"
    "  --rules=RULES            slang: Slang's rules for Vulkan (the default); hlsl: registers\n"
    "  --rebind=WHAT            missing (default), conflicts, all, or all,sets\n"
    "  --order=WHICH            source (default), module or name\n"
    "  --auto-binding=N         a Binding of N counts as missing\n"
    "  --auto-set=N             a DescriptorSet of N counts as missing\n"
    "  --default-set=N          set of resources that name none (0)\n"
    "  --allow-overlap          different resources fixed at one place are a warning\n"
    "  --no-merge               equal names in different modules stay different resources\n"
    "  --import=FILE            a module whose resources come after those of all inputs\n"
    "  --shift=CLASS[:SPACE]=N  add N to the numbers of class b, t, s or u (in one space); repeatable\n"
    "  --auto-shift             the smallest shifts that keep the classes of a set apart\n"
    "  --unused=WHAT            what no entry point reaches: count (default of slang), last, or\n"
    "                           remove (default of hlsl)\n"
    "  --keep-unused            --unused=last\n"
    "  --bind=GLOB=SET.BINDING  put the resource there; repeatable\n"
    "  --parameter-block=GLOB[=SET]  what fits takes a set of its own; repeatable\n"
    "  --profile=NAME|FILE      dx12-shifts, one-set, set-per-kind, sdl3gpu, dxc, dxc-flattened, llvm,\n"
    "                           or a policy file; repeatable\n"
    "  --lock=FILE              numbers in FILE do not move\n"
    "  --locked                 exit 3 if FILE would change\n"
    "  --update-lock            write FILE\n"
    "";

static const char more_help[] =
    "Combined image-samplers:\n"
    "  --split-combined         each becomes a texture and a sampler, NAME and NAME.sampler\n"
    "  --merge-combined=TEX:SMP a texture and a sampler used together become one; may be repeated\n"
    "Uniformity:\n"
    "  --nonuniform=MODE        auto (default): mark every access that may differ between invocations;\n"
    "                           explicit: complete the author's marks; all: mark whatever is no\n"
    "                           constant; keep: leave them; lint: write nothing, and tell which\n"
    "                           accesses differ and are not marked (exit 1)\n"
    "  --prune                  take off marks that no access needs, and then capabilities\n"
    "  --uniform-scope=SCOPE    group (default): an index must be the same in the workgroup or draw to\n"
    "                           need no mark; group-or-subgroup: or in the subgroup (Vulkan 1.3.294)\n"
    "  --no-dynamic-caps        add no *ArrayDynamicIndexing capabilities\n"
    "  --distrust-uniform       the decorations Uniform and UniformId prove nothing\n"
    "  --ycbcr=GLOB             for lint: combined image-samplers with a Y'CbCr conversion\n"
    "  --waterfall              put accesses by an index that differs into loops, for devices without\n"
    "                           non-uniform indexing; implies --uniform-scope=group-or-subgroup\n"
    "  --waterfall=lengths      only OpArrayLength, which no mark repairs\n"
    "Validation:\n"
    "  --target-env=ENV         vulkan1.0, vulkan1.1, vulkan1.1spv1.4, vulkan1.2 or vulkan1.3\n"
    "                           (default: by the SPIR-V version of each module)\n"
    "  --validate=WHICH         output (default), both or none\n"
    "  --allow-unvalidated      modules too new for SPIRV-Tools pass, with a warning\n"
    "  --relax-block-layout, --uniform-buffer-standard-layout, --scalar-block-layout,\n"
    "  --workgroup-scalar-block-layout, --allow-localsizeid   as spirv-val\n"
    "Other:\n"
    "  --diagnostics=FORM       messages as text (default), json, sarif or github\n"
    "  -q                       no notes and warnings\n"
    "  -v                       say on stderr what is written\n"
    "  --version\n"
    "  -h, --help\n"
    "  --                       all that follows are inputs\n"
    "\n"
    "Exit status: 0 done; 1 a module was refused; 2 wrong usage; 3 --check found a difference;\n"
    "4 input, output or memory failure. On anything but 0 no output file has been touched.\n";

void usage(struct arguments *a, const char *what, const char *word)
{
	fprintf(stderr, "spirv-bind: %s", what);
	put_text(stderr, word);
	fputs(" (--help tells more)\n", stderr);
	a->done = EXIT_USAGE + 1;
}

bool read_number(struct arguments *a, const char *option, const char *value, uint32_t *number)
{
	char *end;

	errno = 0;
	unsigned long long n = strtoull(value, &end, value[0] == '0' && (value[1] == 'x' || value[1] == 'X') ? 16 : 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno || n > UINT32_MAX) {
		fprintf(stderr, "spirv-bind: %s takes a number from 0 to 4294967295, not '", option);
		put_text(stderr, value);
		fputs("'\n", stderr);
		a->done = EXIT_USAGE + 1;
		return false;
	}
	*number = (uint32_t)n;
	return true;
}

static const struct choice choices[] = {
    {"--rules", "slang", SPB_RULES_SLANG},
    {"--rules", "hlsl", SPB_RULES_HLSL},
    {"--unused", "count", SPB_UNUSED_COUNT},
    {"--unused", "last", SPB_UNUSED_LAST},
    {"--unused", "remove", SPB_UNUSED_REMOVE},
    {"--rebind", "missing", SPB_REBIND_MISSING},
    {"--rebind", "conflicts", SPB_REBIND_CONFLICTS},
    {"--rebind", "all", SPB_REBIND_ALL},
    {"--rebind", "all,sets", SPB_REBIND_ALL_SETS},
    {"--order", "source", SPB_ORDER_SOURCE},
    {"--order", "module", SPB_ORDER_MODULE},
    {"--order", "name", SPB_ORDER_NAME},
    {"--nonuniform", "auto", SPB_NONUNIFORM_AUTO},
    {"--nonuniform", "explicit", SPB_NONUNIFORM_EXPLICIT},
    {"--nonuniform", "all", SPB_NONUNIFORM_ALL},
    {"--nonuniform", "keep", SPB_NONUNIFORM_KEEP},
    {"--nonuniform", "lint", SPB_NONUNIFORM_LINT},
    {"--uniform-scope", "group", SPB_UNIFORM_SCOPE_GROUP},
    {"--uniform-scope", "group-or-subgroup", SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP},
    {"--waterfall", "all", SPB_WATERFALL_ALL},
    {"--waterfall", "lengths", SPB_WATERFALL_LENGTHS},
    {"--validate", "output", SPB_VALIDATE_OUTPUT},
    {"--validate", "both", SPB_VALIDATE_BOTH},
    {"--validate", "none", SPB_VALIDATE_NONE},
    {"--target-env", "vulkan1.0", SPB_ENV_VULKAN_1_0},
    {"--target-env", "vulkan1.1", SPB_ENV_VULKAN_1_1},
    {"--target-env", "vulkan1.1spv1.4", SPB_ENV_VULKAN_1_1_SPIRV_1_4},
    {"--target-env", "vulkan1.2", SPB_ENV_VULKAN_1_2},
    {"--target-env", "vulkan1.3", SPB_ENV_VULKAN_1_3},
    {"--diagnostics", "text", DIAGNOSTICS_TEXT},
    {"--diagnostics", "json", DIAGNOSTICS_JSON},
    {"--diagnostics", "sarif", DIAGNOSTICS_SARIF},
    {"--diagnostics", "github", DIAGNOSTICS_GITHUB},
};

bool read_choice(struct arguments *a, const struct choice *choices_of, size_t count, const char *option,
		 const char *value, int *chosen)
{
	const char *separator = "";

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(choices_of[i].option, option) && !strcmp(choices_of[i].word, value)) {
			*chosen = choices_of[i].value;
			return true;
		}
	}
	fprintf(stderr, "spirv-bind: %s takes ", option);
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(choices_of[i].option, option)) {
			fprintf(stderr, "%s%s", separator, choices_of[i].word);
			separator = ", ";
		}
	}
	fputs("; not '", stderr);
	put_text(stderr, value);
	fputs("'\n", stderr);
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

	for (size_t i = 0; i < SPB_COUNT(validator); i++) {
		if (!strcmp(option, validator[i].option)) {
			a->options.validation.flags |= validator[i].flag;
			return true;
		}
	}
	if (!strcmp(option, "--allow-overlap"))
		a->options.layout.allow_overlap = 1;
	else if (!strcmp(option, "--no-merge"))
		a->options.layout.no_merge = 1;
	else if (!strcmp(option, "--explain"))
		a->options.explain = 1;
	else if (!strcmp(option, "--lower-buffer-references"))
		a->options.handles.lower_buffer_references = 1;
	else if (!strcmp(option, "--auto-shift"))
		a->options.layout.auto_shift = 1;
	else if (!strcmp(option, "--keep-unused"))
		a->options.layout.unused = SPB_UNUSED_LAST;
	else if (!strcmp(option, "--doctor"))
		a->options.layout.doctor = 1;
	else if (!strcmp(option, "--diff"))
		a->diff = true;
	else if (!strcmp(option, "--locked"))
		a->locked = true;
	else if (!strcmp(option, "--update-lock"))
		a->options.layout.update_lock = 1;
	else if (!strcmp(option, "--split-combined"))
		a->options.combined.split = 1;
	else if (!strcmp(option, "--prune"))
		a->options.uniformity.prune = 1;
	else if (!strcmp(option, "--no-dynamic-caps"))
		a->options.uniformity.no_dynamic_caps = 1;
	else if (!strcmp(option, "--distrust-uniform"))
		a->options.uniformity.distrust_uniform = 1;
	else if (!strcmp(option, "--waterfall"))
		a->options.uniformity.waterfall = SPB_WATERFALL_ALL;
	else if (!strcmp(option, "--allow-unvalidated"))
		a->options.validation.allow_unvalidated = 1;
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

enum { NONE, VALUE, MAYBE }; /* MAYBE: behind = only */

static const struct known {
	const char *name;
	int value; /* whether it takes one */
} known[] = {
    {"-o", VALUE},
    {"--out-dir", VALUE},
    {"--layout-json", VALUE},
    {"--print-layout", NONE},
    {"--check", NONE},
    {"--dry-run", NONE},
    {"--rules", VALUE},
    {"--rebind", VALUE},
    {"--order", VALUE},
    {"--auto-binding", VALUE},
    {"--auto-set", VALUE},
    {"--default-set", VALUE},
    {"--heap-set", VALUE},
    {"--heap", VALUE},
    {"--heap-size", VALUE},
    {"--heap-model", VALUE},
    {"--heap-preset", VALUE},
    {"--heap-stride", VALUE},
    {"--combined", VALUE},
    {"--lower-buffer-references", MAYBE},
    {"--bounds-check", VALUE},
    {"--resolver", VALUE},
    {"--allow-overlap", NONE},
    {"--no-merge", NONE},
    {"--import", VALUE},
    {"--shift", VALUE},
    {"--auto-shift", NONE},
    {"--unused", VALUE},
    {"--keep-unused", NONE},
    {"--bind", VALUE},
    {"--parameter-block", VALUE},
    {"--profile", VALUE},
    {"--lock", VALUE},
    {"--locked", NONE},
    {"--update-lock", NONE},
    {"--diff", NONE},
    {"--check-compatible", VALUE},
    {"--doctor", NONE},
    {"--explain", MAYBE},
    {"--split-combined", NONE},
    {"--merge-combined", VALUE},
    {"--nonuniform", VALUE},
    {"--uniform-scope", VALUE},
    {"--prune", NONE},
    {"--no-dynamic-caps", NONE},
    {"--distrust-uniform", NONE},
    {"--ycbcr", VALUE},
    {"--waterfall", MAYBE},
    {"--target-env", VALUE},
    {"--validate", VALUE},
    {"--allow-unvalidated", NONE},
    {"--relax-block-layout", NONE},
    {"--uniform-buffer-standard-layout", NONE},
    {"--scalar-block-layout", NONE},
    {"--workgroup-scalar-block-layout", NONE},
    {"--allow-localsizeid", NONE},
    {"--diagnostics", VALUE},
    {"-q", NONE},
    {"-v", NONE},
    {"--version", NONE},
    {"-h", NONE},
    {"--help", NONE},
};

/* Of the versions to come. */
static const char *const later[] = {
    "--split-structs",
    "--flatten-arrays",
    "--layout-header",
    "--layout-glsl",
    "--reflect",
    "--depfile",
    "--stamp",
    "--strip-debug",
    "--batch",
    "--manifest",
    "--progress",
    "--record-options",
    "-j",
};

/* How many letters to insert, drop, change or swap with the next to make b of a; too long: many. */
static size_t distance(const char *a, const char *b)
{
	enum { MAX = 40 };
	size_t d[MAX + 1][MAX + 1], m = strlen(a), n = strlen(b);

	if (m > MAX || n > MAX)
		return MAX;
	for (size_t i = 0; i <= m; i++) {
		for (size_t j = 0; j <= n; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
			best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[m][n];
}

/* The option that was meant, or NULL. */
static const char *guess(const char *option)
{
	size_t length = strlen(option), nearest = length < 8 ? 1 : 2;
	const char *found = NULL;

	for (size_t i = 0; i < SPB_COUNT(known); i++) {
		size_t far = distance(option, known[i].name);
		if (strlen(known[i].name) > 2 && (far < nearest || (far == nearest && !found))) {
			nearest = far;
			found = known[i].name;
		}
	}
	for (size_t i = 0; !found && length > 4 && i < SPB_COUNT(known); i++) {
		if (!strncmp(option, known[i].name, length))
			found = known[i].name;
	}
	return found;
}

static void refuse_option(struct arguments *a, const char *option)
{
	const char *meant = guess(option);

	for (size_t i = 0; i < SPB_COUNT(later); i++) {
		if (!strcmp(option, later[i])) {
			usage(a, "not in this version: ", option);
			return;
		}
	}
	fputs("spirv-bind: no option: ", stderr);
	put_text(stderr, option);
	if (meant)
		fprintf(stderr, "; is it %s?", meant);
	fputs(" (--help tells more)\n", stderr);
	a->done = EXIT_USAGE + 1;
}

/* --merge-combined=TEX:SMP */
static void add_pair(struct arguments *a, const char *value)
{
	const char *colon = strchr(value, ':');

	if (!colon || colon == value || !colon[1] || strchr(colon + 1, ':')) {
		usage(a, "--merge-combined takes the names of a texture and a sampler, TEX:SMP; not ", value);
		return;
	}
	a->pairs[a->options.combined.merge_count++] = value;
	a->options.combined.merge = a->pairs;
}

static void read_value(struct arguments *a, const char *option, const char *value)
{
	spb_options *o = &a->options;
	int chosen;

	if (!*value) {
		usage(a, "the value is empty of ", option);
	} else if (!strcmp(option, "-o")) {
		a->output = value;
	} else if (!strcmp(option, "--out-dir")) {
		a->out_dir = value;
	} else if (!strcmp(option, "--layout-json")) {
		a->layout_json = value;
	} else if (!strcmp(option, "--merge-combined")) {
		add_pair(a, value);
	} else if (!strcmp(option, "--import")) {
		a->imports[a->import_count++] = value;
	} else if (!strcmp(option, "--explain")) {
		a->explain_glob = value;
		o->explain = 1;
	} else if (!strcmp(option, "--ycbcr")) {
		o->uniformity.ycbcr = value;
	} else if (!strcmp(option, "--check-compatible")) {
		a->compatible = value;
	} else if (!strcmp(option, "--lock")) {
		a->lock = value;
	} else if (!strcmp(option, "--profile")) {
		add_profile(a, value);
	} else if (!strcmp(option, "--bind")) {
		if (!add_policy(a, option, value))
			usage(a, "--bind takes GLOB=SET.BINDING, not ", value);
	} else if (!strcmp(option, "--parameter-block")) {
		if (!add_policy(a, option, value))
			usage(a, "--parameter-block takes GLOB or GLOB=SET, not ", value);
	} else if (!strcmp(option, "--shift")) {
		if (!add_policy(a, option, value))
			usage(a, "--shift takes CLASS=N or CLASS:SPACE=N, CLASS being b, t, s or u; not ", value);
	} else if (!strcmp(option, "--auto-binding")) {
		o->layout.has_auto_binding = read_number(a, option, value, &o->layout.auto_binding);
	} else if (!strcmp(option, "--auto-set")) {
		o->layout.has_auto_set = read_number(a, option, value, &o->layout.auto_set);
	} else if (!strcmp(option, "--default-set")) {
		read_number(a, option, value, &o->layout.default_set);
	} else if (read_handle_value(a, option, value)) {
		return;
	} else if (read_choice(a, choices, SPB_COUNT(choices), option, value, &chosen)) {
		if (!strcmp(option, "--rebind"))
			o->layout.rebind = (spb_rebind)chosen;
		else if (!strcmp(option, "--order"))
			o->layout.order = (spb_order)chosen;
		else if (!strcmp(option, "--nonuniform"))
			o->uniformity.mode = (spb_nonuniform)chosen;
		else if (!strcmp(option, "--uniform-scope"))
			o->uniformity.scope = (spb_uniform_scope)chosen;
		else if (!strcmp(option, "--waterfall"))
			o->uniformity.waterfall = (spb_waterfall)chosen;
		else if (!strcmp(option, "--validate"))
			o->validation.which = (spb_validate)chosen;
		else if (!strcmp(option, "--target-env"))
			o->validation.env = (spb_env)chosen;
		else if (!strcmp(option, "--rules"))
			o->layout.rules = (spb_rules)chosen;
		else if (!strcmp(option, "--unused"))
			o->layout.unused = (spb_unused)chosen;
		else if (!strcmp(option, "--diagnostics"))
			a->diagnostics = (enum diagnostics)chosen;
	}
}

static void tell(struct arguments *a, bool version)
{
	if (version)
		printf("spirv-bind %u.%u.%u\n", spb_version() >> 16, spb_version() >> 8 & 0xFF, spb_version() & 0xFF);
	else
		printf("%s%s%s", help, handles_help, more_help);
	a->done = EXIT_DONE + 1;
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "spirv-bind: cannot write to stdout: %s\n", strerror(errno));
		a->done = EXIT_IO + 1;
	}
}

/* One option at argv[i]; returns how many words it took. */
static int read_option(struct arguments *a, int argc, char **argv, int i)
{
	char *option = argv[i], *equals = option[1] == '-' ? strchr(option, '=') : NULL;
	const struct known *k = NULL;

	if (equals)
		*equals = '\0';
	for (size_t n = 0; n < SPB_COUNT(known) && !k; n++) {
		if (!strcmp(option, known[n].name))
			k = &known[n];
	}
	if (!k) {
		refuse_option(a, option);
	} else if (k->value && equals) {
		read_value(a, option, equals + 1);
	} else if (k->value == VALUE && i + 1 == argc) {
		usage(a, "a value is missing after ", option);
	} else if (k->value == VALUE) {
		read_value(a, option, argv[i + 1]);
		return 2;
	} else if (equals) {
		usage(a, "no value is taken by ", option);
	} else if (!read_switch(a, option)) {
		tell(a, !strcmp(option, "--version"));
	}
	return 1;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *path_in(const char *directory, const char *path)
{
	const char *base = base_name(path);
	size_t length = strlen(directory) + strlen(base) + 2;
	char *name = malloc(length);

	if (name)
		snprintf(name, length, "%s/%s", directory, base);
	return name;
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
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
		fputs("spirv-bind: out of memory\n", stderr);
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

/* What is written beside the modules must not be written over one, nor one over it. `what` is "the layout". */
static void check_side_output(struct arguments *a, const char *what, const char *side)
{
	char text[96];

	if (is_stdout(side))
		return;
	if (a->output && is_same_file(side, a->output) && strcmp(a->output, "/dev/null") != 0) {
		snprintf(text, sizeof text, "the module and %s would be written to one file: ", what);
		usage(a, text, a->output);
	}
	for (size_t i = 0; i < a->input_count && !a->done; i++) {
		const char *input = a->inputs[i];
		char *path = a->out_dir ? path_in(a->out_dir, input) : NULL;
		if (strcmp(input, "-") != 0 && is_same_file(side, input)) {
			snprintf(text, sizeof text, "%s would be written over the input ", what);
			usage(a, text, input);
		} else if (path && is_same_file(side, path)) {
			snprintf(text, sizeof text, "a module and %s would be written to one file: ", what);
			usage(a, text, path);
		}
		free(path);
	}
}

static void check_side_outputs(struct arguments *a)
{
	if (a->layout_json)
		check_side_output(a, "the layout", a->layout_json);
	if (a->lock && !a->done)
		check_side_output(a, "the lock file", a->lock);
	if (a->lock && a->layout_json && !a->done && is_same_file(a->lock, a->layout_json))
		usage(a, "the layout and the lock file would be written to one file: ", a->lock);
}

/* The module, the layout as JSON, or what is printed for people. */
static void check_stdout(struct arguments *a)
{
	bool prints = a->print_layout || a->diff || a->explain_glob || a->compatible || a->options.layout.doctor;

	if (is_stdout(a->output) && (is_stdout(a->layout_json) || prints))
		usage(a, "stdout can take the module or what is printed of the layout, not both", "");
	else if (prints && is_stdout(a->layout_json))
		usage(a, "stdout can take the layout as JSON or what is printed of it, not both", "");
}

static void check_lock(struct arguments *a)
{
	if (is_stdout(a->lock))
		usage(a, "a lock file is read and written: it cannot be ", "-");
	else if ((a->locked || a->options.layout.update_lock) && !a->lock)
		usage(a, "--locked and --update-lock need --lock=FILE", "");
	else if (a->locked && a->options.layout.update_lock)
		usage(a, "--locked allows no change, --update-lock makes it: give one of them", "");
}

static void check_together(struct arguments *a)
{
	int modes = (a->output != NULL) + (a->out_dir != NULL) + a->check;
	bool lint = a->options.uniformity.mode == SPB_NONUNIFORM_LINT;

	if (a->options.layout.doctor && modes)
		usage(a, "--doctor writes nothing; give no -o, --out-dir and --check with it", "");
	else if (lint && (modes || a->options.layout.doctor || a->layout_json || a->lock || a->print_layout ||
			  a->diff || a->explain_glob || a->compatible))
		usage(a, "--nonuniform=lint binds and writes nothing; give nothing with it that needs a result", "");
	else if (modes + a->dry_run + (int)a->options.layout.doctor + lint == 0)
		usage(a, "say where to write: -o FILE, --out-dir DIR, or --check or --dry-run", "");
	else if (modes > 1 || (a->check && a->dry_run))
		usage(a, "of -o, --out-dir and --check only one can be given, and --check with no --dry-run", "");
	else if (a->output && a->input_count > 1)
		usage(a, "-o takes one input; several are written with --out-dir", "");
	if (!a->done)
		check_stdout(a);
	if (!a->done)
		check_lock(a);
	if (!a->done)
		check_names(a);
	for (size_t i = 0; i < a->input_count && !a->done; i++) {
		if (a->out_dir && !strcmp(a->inputs[i], "-"))
			usage(a, "stdin has no file name to be written under; use -o", "");
	}
	if (!a->done)
		check_side_outputs(a);
	if (!a->done)
		check_handle_options(a);
}

/* Imported modules come after all others. */
static void append_imports(struct arguments *a)
{
	if (!a->input_count && !a->import_count)
		a->inputs[a->input_count++] = "-";
	for (size_t i = 0; i < a->import_count; i++)
		a->inputs[a->input_count++] = a->imports[i];
}

static bool allocate(struct arguments *a, size_t count)
{
	a->inputs = calloc(count, sizeof *a->inputs);
	a->imports = calloc(count, sizeof *a->imports);
	a->pairs = calloc(count, sizeof *a->pairs);
	a->heaps = calloc(count, sizeof *a->heaps);
	a->policies = calloc(count, sizeof *a->policies);
	a->ordered = calloc(count, sizeof *a->ordered);
	return a->inputs && a->imports && a->pairs && a->heaps && a->policies && a->ordered &&
	       allocate_resolvers(a, count);
}

void free_arguments(struct arguments *a)
{
	free(a->inputs);
	free(a->imports);
	free(a->pairs);
	free(a->heaps);
	free_resolvers(a);
	free(a->lock_text);
	free(a->compatible_text);
	free_policies(a);
}

void read_arguments(struct arguments *a, int argc, char **argv)
{
	bool only_inputs = false;

	*a = (struct arguments){0};
	spb_options_init(&a->options, sizeof a->options);
	if (!allocate(a, (size_t)argc + 1)) {
		fputs("spirv-bind: out of memory\n", stderr);
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
	append_imports(a);
	order_policies(a);
	check_together(a);
}
