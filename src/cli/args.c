/* SPDX-License-Identifier: Apache-2.0 */
/* args: the command line, read by the table of option_table.c. `--option=value` and `--option value` are the same. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"

void usage(struct arguments *a, const char *const *words)
{
	say(SPB_SEVERITY_ERROR, words);
	a->done = EXIT_USAGE + 1;
}

void no_memory(struct arguments *a)
{
	say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	a->done = EXIT_IO + 1;
}

/* Reading one option */

static void store(struct arguments *a, struct field field, uint32_t value)
{
	char *at = (char *)a + field.offset;

	if (field.size == sizeof(bool))
		*(bool *)at = value != 0;
	else if (field.size == sizeof value)
		memcpy(at, &value, sizeof value); /* a uint32_t or an enum */
}

static bool read_number(struct arguments *a, const struct option *o, const char *text, uint32_t *number)
{
	bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	errno = 0;
	unsigned long long n = strtoull(text, &end, hexadecimal ? 16 : 10);
	if (text[0] < '0' || *end || errno || n > UINT32_MAX) { /* no sign, and no space */
		refuse_value(a, o, "a number from 0 to 4294967295", text);
		return false;
	}
	*number = (uint32_t)n;
	return true;
}

void refuse_value(struct arguments *a, const struct option *o, const char *expected, const char *value)
{
	usage(a, WORDS(o->name, ": expected ", expected, "; got \"", value, "\""));
}

void refuse_choice(struct arguments *a, const struct option *o, const char *value)
{
	char list[512] = "";
	const char *word;

	for (uint32_t i = 0; (word = option_word(o, i)) != NULL; i++) {
		append(list, sizeof list, !i ? "" : option_word(o, i + 1) || takes_file(o) ? ", " : " or ");
		append(list, sizeof list, word);
	}
	if (takes_file(o))
		append(list, sizeof list, " or the name of a file");
	refuse_value(a, o, list, value);
}

bool read_choice(struct arguments *a, const struct option *o, const char *word, uint32_t *value)
{
	for (const struct choice *c = o->choices; c->word; c++) {
		if (!strcmp(c->word, word)) {
			*value = c->value;
			return true;
		}
	}
	refuse_choice(a, o, word);
	return false;
}

/* Keeps what the result follows from. */
static void keep_words(struct arguments *a, const struct option *o, const char *value)
{
	size_t name = strlen(o->name) + 1, size = value ? strlen(value) + 1 : 0;
	char *more = o->is_neutral ? NULL : realloc(a->words.bytes, a->words.size + name + size + 1);

	if (!more && !o->is_neutral)
		no_memory(a);
	if (!more)
		return;
	memcpy(more + a->words.size, o->name, name);
	if (value)
		memcpy(more + a->words.size + name, value, size);
	a->words.bytes = more;
	a->words.size += name + size;
	more[a->words.size++] = '\n';
}

/* Memory that lasts as long as the arguments; NULL: there is none. */
static void *keep(void *arguments, size_t size)
{
	struct arguments *a = arguments;
	void **blocks = realloc(a->blocks, (a->block_count + 1) * sizeof *blocks),
	     *block = blocks ? malloc(size) : NULL;

	if (blocks)
		a->blocks = blocks;
	if (block)
		a->blocks[a->block_count++] = block;
	return block;
}

struct spb_option_reader option_reader(struct arguments *a)
{
	return (struct spb_option_reader){.options = &a->options, .allocate = keep, .user = a};
}

static void read_library_option(struct arguments *a, const struct option *o, const char *value)
{
	struct spb_option_reader r = option_reader(a);

	if (spb_option_read(&r, library_option(o), value))
		return;
	if (r.no_memory)
		no_memory(a);
	else
		refuse_value(a, o, r.expected, value);
}

static void read_value(struct arguments *a, const struct option *o, const char *value)
{
	uint32_t number;

	if (!*value) {
		usage(a, WORDS(o->name, ": empty value"));
		return;
	}
	keep_words(a, o, value);
	store(a, o->given, 1);
	switch (o->kind) {
	case NUMBER:
		if (read_number(a, o, value, &number))
			store(a, o->field, number);
		break;
	case CHOICE:
		if (read_choice(a, o, value, &number))
			store(a, o->field, number);
		break;
	case TEXT:
		memcpy((char *)a + o->field.offset, &value, sizeof value);
		break;
	case CALL:
		o->read(a, o, value);
		break;
	case LIBRARY:
		read_library_option(a, o, value);
		break;
	case SWITCH:
	case PLANNED:
		break;
	}
}

static void read_without_value(struct arguments *a, const struct option *o)
{
	keep_words(a, o, NULL);
	store(a, o->given, true);
	if (o->kind == CALL) {
		o->read(a, o, NULL);
	} else if (o->kind == LIBRARY) {
		read_library_option(a, o, NULL);
	} else if (o->kind != TEXT) {
		store(a, o->field, o->set ? o->set : true);
	}
}

/* The number of letters to insert, delete, replace or swap with the next one to turn a into b; MAX if one is too long.
 */
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
static const char *guess(const char *name)
{
	size_t length = strlen(name), nearest = length < 8 ? 1 : 2;
	const char *found = NULL;

	for (size_t i = 0; i < option_count; i++) {
		size_t far = distance(name, options[i].name);
		if (options[i].kind == PLANNED || strlen(options[i].name) <= 2)
			continue;
		if (far < nearest || (far == nearest && !found)) {
			nearest = far;
			found = options[i].name;
		}
	}
	for (size_t i = 0; !found && length > 4 && i < option_count; i++) {
		if (options[i].kind != PLANNED && !strncmp(name, options[i].name, length))
			found = options[i].name;
	}
	return found;
}

static void refuse_option(struct arguments *a, const char *name)
{
	const char *meant = guess(name);

	if (meant)
		usage(a, WORDS("unknown option ", name, "; did you mean ", meant, "? (see --help)"));
	else
		usage(a, WORDS("unknown option ", name, " (see --help)"));
}

/* One option at argv[i]; returns how many words it took. */
static int read_option(struct arguments *a, int argc, char **argv, int i)
{
	char *name = argv[i], *equals = name[1] == '-' ? strchr(name, '=') : NULL;
	const struct option *o;

	if (equals)
		*equals = '\0';
	const struct option *letter = name[1] != '-' ? find_option((char[]){name[0], name[1], '\0'}) : NULL;
	o = find_option(name);
	if (!o && letter && letter->is_glued) {
		read_value(a, letter, name + 2);
		return 1;
	}
	if (!o) {
		refuse_option(a, name);
	} else if (o->kind == PLANNED) {
		usage(a, WORDS(name, " is not implemented"));
	} else if (equals && !o->value && o->kind != LIBRARY) { /* whose flags take 1 and 0, too */
		usage(a, WORDS(name, " takes no value"));
	} else if (equals) {
		read_value(a, o, equals + 1);
	} else if (!o->value || is_optional(o)) {
		read_without_value(a, o);
	} else if (i + 1 == argc) {
		usage(a, WORDS(name, " needs a value: ", name, name[1] == '-' ? "=" : " ", o->value));
	} else {
		read_value(a, o, argv[i + 1]);
		return 2;
	}
	if (equals) /* the words may be read again, for the programs of a manifest */
		*equals = '=';
	return 1;
}

/* Options whose value needs more than a field */

void add_output(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->outputs[a->output_count++] = value;
	a->output = a->outputs[0];
}

void add_include_path(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->include_paths[a->include_path_count++] = value;
}

void add_macro(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->macros[a->macro_count++] = value;
}

void add_import(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->imports[a->import_count++] = value;
}

void end_print(struct arguments *a)
{
	a->done = EXIT_DONE + 1;
	fflush(stdout);
	if (ferror(stdout)) {
		say(SPB_SEVERITY_ERROR, WORDS("cannot write to stdout: ", strerror(errno)));
		a->done = EXIT_IO + 1;
	}
}

void print_help(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	if (!value) {
		put_overview(stdout);
	} else if (!put_topic(stdout, value) && !put_generated(stdout, value)) {
		const char *words[3 + 2 * GROUPS + 1] = {"no option or group is called \"", value,
							 "\"; the groups are "};
		const char **word = words + 3;
		for (size_t i = 0; i < GROUPS; i++) {
			*word++ = i ? ", " : "";
			*word++ = groups[i].key;
		}
		usage(a, words);
		return;
	}
	end_print(a);
}

/* Whether the options make sense together */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *path_in(const char *directory, const char *path)
{
	const char *base = base_name(path);
	bool source = is_source(path);
	size_t kept = source ? module_name_length(base) : strlen(base);
	size_t length = strlen(directory) + kept + sizeof "/.spv";
	char *name = malloc(length);

	if (name)
		snprintf(name, length, "%s/%.*s%s", directory, (int)kept, base, source ? ".spv" : "");
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

/* Two inputs must not be written to the same file, nor the same file be given twice. */
static void check_names(struct arguments *a)
{
	const char **names = malloc(a->input_count * sizeof *names);

	if (!names) {
		no_memory(a);
		return;
	}
	for (size_t i = 0; i < a->input_count; i++)
		names[i] = a->out_dir ? base_name(a->inputs[i]) : a->inputs[i];
	qsort(names, a->input_count, sizeof *names, by_string);
	for (size_t i = 1; i < a->input_count && !a->done; i++) {
		if (!strcmp(names[i - 1], names[i]))
			usage(a, a->out_dir ? WORDS("two inputs would be written to the same file name, ", names[i])
					    : WORDS("the same input is given twice: ", names[i]));
	}
	for (size_t i = 0; i < a->output_count && !a->done; i++) {
		for (size_t k = 0; k < a->input_count && !a->done; k++) {
			if (is_source(a->inputs[k]) && is_same_file(a->outputs[i], a->inputs[k]))
				usage(a, WORDS("-o would overwrite the source text ", a->inputs[k]));
		}
	}
	free(names);
}

/* Of several -o: no module may be written over another one, or over the input of another one. */
static void check_outputs(struct arguments *a)
{
	for (size_t i = 0; i < a->output_count && a->output_count > 1 && !a->done; i++) {
		const char *path = a->outputs[i];
		char *resolved = resolve_path(path);
		if (!resolved)
			no_memory(a);
		if (is_stdout(path))
			usage(a, WORDS("several -o: one of them is stdout, which takes a single module"));
		for (size_t k = 0; k < a->output_count && !a->done; k++) {
			if (k < i && leads_to(a->outputs[k], resolved) && strcmp(path, "/dev/null") != 0)
				usage(a, WORDS("two modules would be written to the same file: ", path));
			else if (k != i && strcmp(a->inputs[k], "-") != 0 && leads_to(a->inputs[k], resolved))
				usage(a, WORDS("-o ", path,
					       " would overwrite an input that has another -o; are they in the "
					       "order of the inputs?"));
		}
		free(resolved);
	}
}

/* No other output may overwrite an input or a module, and no module may overwrite it. `what`: "the layout", say. */
static void check_side_output(struct arguments *a, const char *what, const char *side)
{
	if (is_stdout(side))
		return;
	char *resolved = resolve_path(side);
	if (!resolved) {
		no_memory(a);
		return;
	}
	for (size_t i = 0; i < a->output_count && !a->done; i++) {
		if (leads_to(a->outputs[i], resolved) && strcmp(a->outputs[i], "/dev/null") != 0)
			usage(a, WORDS("the module and ", what, " would be written to the same file: ", a->outputs[i]));
	}
	for (size_t i = 0; i < a->input_count && !a->done; i++) {
		const char *input = a->inputs[i];
		char *path = a->out_dir ? path_in(a->out_dir, input) : NULL;
		if (strcmp(input, "-") != 0 && leads_to(input, resolved))
			usage(a, WORDS(what, " would overwrite the input ", input));
		else if (path && leads_to(path, resolved))
			usage(a, WORDS("a module and ", what, " would be written to the same file: ", path));
		free(path);
	}
	free(resolved);
}

static void check_side_outputs(struct arguments *a)
{
	for (int i = 0; i < LAYOUT_FILES && !a->batch; i++) {
		if (a->layout[i] && !a->done)
			check_side_output(a, "the layout", a->layout[i]);
		for (int k = 0; k < i && a->layout[i] && !a->done; k++) {
			if (a->layout[k] && is_same_file(a->layout[k], a->layout[i]))
				usage(a, WORDS("two forms of the layout would be written to the same file: ",
					       a->layout[i]));
		}
	}
	if (a->lock && !a->done)
		check_side_output(a, "the lock file", a->lock);
	if (a->depfile && !a->done)
		check_side_output(a, "the file of --depfile", a->depfile);
	if (a->stamp && !a->done)
		check_side_output(a, "the file of --stamp", a->stamp);
	if (a->diagnostics_file && !a->done)
		check_side_output(a, "the messages", a->diagnostics_file);
	for (int i = 0; i < LAYOUT_FILES && a->lock; i++) {
		if (a->layout[i] && !a->done && is_same_file(a->lock, a->layout[i]))
			usage(a, WORDS("the layout and the lock file would be written to the same file: ", a->lock));
	}
}

/* Dumps must not overwrite a module either. */
static void check_dumps(struct arguments *a)
{
	if (!a->options.debug.dump_after)
		return;
	if (!dumps_to_files(a) && (a->input_count > 1 || is_stdout(a->output)))
		usage(a, WORDS("--dump-after writes beside the outputs; give -o FILE or --out-dir=DIR"));
	for (size_t i = 0; i < a->input_count && dumps_to_files(a) && !a->done; i++) {
		char *path = dump_path(a, i);
		if (path)
			check_side_output(a, "the dump", path);
		free(path);
	}
}

/* The standard output takes one thing: a module, the layout as JSON, a dump, or reports. */
static void check_stdout(struct arguments *a)
{
	bool prints = a->print_layout || a->diff || a->explain_glob || a->compatible || a->options.layout.doctor;
	bool dumps = a->options.debug.dump_after && !dumps_to_files(a);
	int layouts = 0;
	const char *option = NULL;

	for (int i = 0; i < LAYOUT_FILES; i++) {
		if (is_stdout(a->layout[i])) {
			layouts++;
			option = layout_option((enum layout_file)i);
		}
	}

	if (is_stdout(a->output) && (layouts || prints))
		usage(a, WORDS("the module goes to stdout, so the layout cannot be printed there; use -o FILE"));
	else if (prints && layouts)
		usage(a, WORDS(option, "=- and a printed report cannot both go to stdout"));
	else if (layouts > 1)
		usage(a, WORDS("only one form of the layout can go to stdout"));
	else if (dumps && (prints || layouts))
		usage(a, WORDS("stdout is taken by the dump of --dump-after; give -o FILE or --out-dir=DIR"));
}

static void check_lock(struct arguments *a)
{
	if (is_stdout(a->lock))
		usage(a, WORDS("--lock needs a file, not stdin or stdout"));
	else if ((a->locked || a->options.layout.update_lock) && !a->lock)
		usage(a, WORDS("--locked and --update-lock need --lock=FILE"));
	else if (a->locked && a->options.layout.update_lock)
		usage(a, WORDS("--locked and --update-lock exclude each other"));
}

/* Alone, --explain prints everything, unless the layout JSON or the report takes it or the module goes where it would
 * be printed. */
static void complete_explain(struct arguments *a)
{
	bool taken = a->layout[LAYOUT_JSON] || a->layout[LAYOUT_REPORT] || is_stdout(a->output);

	if (a->options.explain && !a->explain_glob && !taken)
		a->explain_glob = "*";
	if (a->layout[LAYOUT_REPORT])
		a->options.explain = 1;
}

/* Options that write or print a result, which is what neither --doctor nor the lint makes. */
static bool wants_result(const struct arguments *a)
{
	return first_layout_file(a) || a->print_layout || a->diff || a->explain_glob || a->compatible;
}

static void check_together(struct arguments *a)
{
	int modes = (a->output != NULL) + (a->out_dir != NULL) + a->check;
	bool lint = a->options.mode == SPB_MODE_LINT;

	if (a->options.layout.doctor && modes)
		usage(a, WORDS("--doctor writes nothing and excludes -o, --out-dir and --check"));
	else if (a->options.layout.doctor && !lint && (wants_result(a) || a->options.layout.update_lock))
		usage(a, WORDS("--doctor binds and writes nothing; remove the options that write or print a result"));
	else if (lint && (modes || a->options.layout.doctor || a->lock || wants_result(a)))
		usage(
		    a,
		    WORDS(
			"--nonuniform=lint binds and writes nothing; remove the options that write or print a result"));
	else if (modes + a->dry_run + (int)a->options.layout.doctor + lint == 0)
		usage(a, WORDS("no output: give -o FILE or --out-dir=DIR, or --check or --dry-run"));
	else if (modes > 1 || (a->check && a->dry_run))
		usage(a, WORDS("-o, --out-dir and --check exclude each other, and so do --check and --dry-run"));
	else if (a->output && a->input_count != a->output_count && !a->batch)
		usage(a, WORDS(a->output_count > 1 ? "several -o: there has to be one for each input, in the same order"
						   : "-o takes a single input; give one for each, or --out-dir"));
	if (!a->done)
		check_batch_options(a);
	if (!a->done)
		check_lint_options(a);
	if (!a->done)
		check_stdout(a);
	if (!a->done)
		check_lock(a);
	if (!a->done)
		check_names(a);
	if (!a->done)
		check_outputs(a);
	for (size_t i = 0; i < a->input_count && !a->done; i++) {
		if (a->out_dir && !strcmp(a->inputs[i], "-"))
			usage(a, WORDS("--out-dir needs file names, and stdin has none; use -o"));
	}
	if (!a->done)
		check_side_outputs(a);
	if (!a->done)
		check_depfile(a);
	if (!a->done)
		check_dumps(a);
	if (!a->done)
		check_handle_options(a);
	if (!a->done)
		check_environment(a);
	if (!a->done && a->record_options)
		record_options(a);
}

/* Imported modules come after all others. */
static void append_imports(struct arguments *a)
{
	if (!a->input_count && !a->import_count && os_is_terminal(STDIN_FILENO))
		usage(a, WORDS("no input: name a file, or - to type into the terminal"));
	if (!a->input_count && !a->import_count)
		a->inputs[a->input_count++] = "-";
	for (size_t i = 0; i < a->import_count; i++)
		a->inputs[a->input_count++] = a->imports[i];
}

static bool allocate(struct arguments *a, size_t count)
{
	a->inputs = calloc(count, sizeof *a->inputs);
	a->outputs = calloc(count, sizeof *a->outputs);
	a->include_paths = calloc(count, sizeof *a->include_paths);
	a->macros = calloc(count, sizeof *a->macros);
	a->imports = calloc(count, sizeof *a->imports);
	return a->inputs && a->outputs && a->include_paths && a->macros && a->imports && allocate_resolvers(a, count);
}

void free_arguments(struct arguments *a)
{
	free(a->words.bytes);
	free(a->record);
	free(a->inputs);
	free(a->outputs);
	free(a->include_paths);
	free(a->macros);
	free(a->imports);
	free_resolvers(a);
	for (int i = 0; i < LAYOUT_FILES; i++)
		free(a->layout_paths[i]);
	free(a->baseline_text);
	for (size_t i = 0; i < a->block_count; i++)
		free(a->blocks[i]);
	free(a->blocks);
}

static bool begin_arguments(struct arguments *a, size_t count)
{
	*a = (struct arguments){0};
	spb_options_init(&a->options, sizeof a->options);
	a->resolver_timeout = 60;
	if (allocate(a, count))
		return true;
	no_memory(a);
	return false;
}

static void read_words(struct arguments *a, int argc, char **argv)
{
	bool only_inputs = false;

	for (int i = 0; i < argc && !a->done;) {
		if (!only_inputs && !strcmp(argv[i], "--")) {
			only_inputs = true;
			i++;
		} else if (!only_inputs && argv[i][0] == '-' && argv[i][1]) {
			i += read_option(a, argc, argv, i);
		} else {
			a->inputs[a->input_count++] = argv[i++];
		}
	}
}

void read_arguments(struct arguments *a, int argc, char **argv)
{
	if (!begin_arguments(a, (size_t)argc + 1))
		return;
	read_words(a, argc - 1, argv + 1);
	if (a->done)
		return;
	if (a->manifest || a->merge_lock) {
		check_manifest_options(a);
		if (!a->done)
			check_depfile(a);
		return;
	}
	append_imports(a);
	complete_explain(a);
	check_together(a);
	if (!a->done && (a->collect || a->merge_collected || a->part_lock || a->shards || a->programs))
		usage(
		    a,
		    WORDS("--programs, --shard, --collect, --merge-collected and --part-lock are about the programs of "
			  "--manifest=FILE"));
}

void read_program_arguments(struct arguments *a, const struct arguments *run, struct word_list lists[3])
{
	size_t count = 1;

	for (int i = 0; i < 3; i++)
		count += (size_t)lists[i].count;
	if (!begin_arguments(a, count))
		return;
	for (int i = 0; i < 3 && !a->done; i++) {
		read_words(a, lists[i].count, lists[i].words);
		if (!i) { /* what the command line says of the whole run */
			a->lock = a->compatible = NULL;
			if (run->layout[LAYOUT_REPORT])
				a->diff_against = NULL;
			memset(a->layout, 0, sizeof a->layout);
			a->input_count = 0;
		}
	}
	if (a->done)
		return;
	a->locked = false;
	a->options.layout.update_lock = 0;
	a->check = run->check;
	a->import_count = 0;
	complete_explain(a);
	check_lint_options(a);
	if (!a->done)
		check_handle_options(a);
	if (!a->done)
		check_environment(a);
	if (!a->done && a->record_options)
		record_options(a);
}
