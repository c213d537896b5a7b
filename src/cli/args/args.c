/* SPDX-License-Identifier: Apache-2.0 */
/* args: the command line, read by the table of option_table.c. `--option=value` and `--option value` are the same. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/args.h"
#include "cli/verbs/verbs.h"
#include "lib/options/option_words.h"

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
		arg_refuse_value(a, o, "a number from 0 to 4294967295", text);
		return false;
	}
	*number = (uint32_t)n;
	return true;
}

/* Keeps options that affect the result. */
static void keep_words(struct arguments *a, const struct option *o, const char *value)
{
	struct program_options *p = &a->program;
	size_t name = strlen(o->name) + 1, size = value ? strlen(value) + 1 : 0;
	char *more = o->is_neutral ? NULL : realloc(p->given.bytes, p->given.size + name + size + 1);

	if (!more && !o->is_neutral)
		cli_no_memory(a);
	if (!more)
		return;
	memcpy(more + p->given.size, o->name, name);
	if (value)
		memcpy(more + p->given.size + name, value, size);
	p->given.bytes = more;
	p->given.size += name + size;
	more[p->given.size++] = '\n';
}

static void read_library_option(struct arguments *a, const struct option *o, const char *value)
{
	struct spb_option_reader r = arg_option_reader(a);

	if (spb_option_read(&r, arg_library_option(o), value)) {
		if (value && !strcmp(value, "lint") && !strcmp(o->name, "--nonuniform")) /* a verb here */
			arg_refuse_choice(a, o, value);
		return;
	}
	if (r.no_memory)
		cli_no_memory(a);
	else
		arg_refuse_value(a, o, r.expected, value);
}

static void print_help(struct arguments *a, const char *value)
{
	if (!value) {
		arg_put_overview(stdout, verb_of(&a->program));
	} else if (!arg_put_topic(stdout, value, verb_of(&a->program)) &&
		   !arg_put_generated(stdout, value, verb_of(&a->program))) {
		const char *words[3 + 2 * GROUPS + 2] = {"no option or group is called \"", value,
							 "\"" MSG_REMEDY "The groups are "};
		const char **word = words + 3;
		for (size_t i = 0; i < GROUPS; i++) {
			*word++ = i ? ", " : "";
			*word++ = arg_groups[i].key;
		}
		*word = ".";
		cli_usage(a, words);
		return;
	}
	cli_end_print(a);
}

static void read_value(struct arguments *a, const struct option *o, const char *value)
{
	uint32_t number;

	if (!*value) {
		cli_usage(a, WORDS(o->name, ": empty value" MSG_REMEDY "Leave the option out."));
		return;
	}
	keep_words(a, o, value);
	switch (o->kind) {
	case NUMBER:
		if (read_number(a, o, value, &number))
			store(a, o->field, number);
		break;
	case CHOICE:
		if (arg_read_choice(a, o, value, &number))
			store(a, o->field, number);
		break;
	case TEXT:
		memcpy((char *)a + o->field.offset, &value, sizeof value);
		break;
	case CALL:
		o->read(a, o, value);
		break;
	case HELP:
		print_help(a, value);
		break;
	case LIBRARY:
		read_library_option(a, o, value);
		break;
	case SWITCH:
		break;
	}
}

static void read_without_value(struct arguments *a, const struct option *o)
{
	keep_words(a, o, NULL);
	if (o->kind == CALL) {
		o->read(a, o, NULL);
	} else if (o->kind == HELP) {
		print_help(a, NULL);
	} else if (o->kind == LIBRARY) {
		read_library_option(a, o, NULL);
	} else if (o->kind == TEXT) { /* if there is a value, it is a file */
		const char *printed = "-";
		memcpy((char *)a + o->field.offset, &printed, sizeof printed);
	} else {
		store(a, o->field, o->set ? o->set : true);
	}
}

/* The most similar option name, or NULL. */
static const char *guess(const struct arguments *a, const char *name)
{
	size_t length = strlen(name), nearest = length < 8 ? 2 : 3;
	const char *found = NULL;

	for (const struct option *o = NULL; (o = arg_next_option(o, a->program.verb));) {
		if (strlen(o->name) > 2 && spb_is_nearer(name, o->name, &nearest))
			found = o->name;
	}
	for (const struct option *o = NULL; !found && length > 4 && (o = arg_next_option(o, a->program.verb));) {
		if (!strncmp(name, o->name, length))
			found = o->name;
	}
	return found;
}

/* o: an option of other verbs; NULL: of none. */
static void refuse_option(struct arguments *a, const char *name, const struct option *o)
{
	const char *verb = verb_of(&a->program)->name, *meant = o ? NULL : guess(a, name);

	if (o)
		cli_usage(a, WORDS(verb, " takes no ", o->name, MSG_REMEDY "See spirv-bind ", verb, " --help."));
	else if (verb_is_word(name + strspn(name, "-")) && !(meant && !strcmp(meant + 1, name))) /* -lock is --lock */
		cli_usage(a, WORDS("unknown option ", name, MSG_REMEDY "Did you mean the verb, as in spirv-bind ",
				   name + strspn(name, "-"), "?"));
	else if (meant)
		cli_usage(a, WORDS("unknown option ", name, MSG_REMEDY "Did you mean ", meant, "? See --help."));
	else
		cli_usage(a, WORDS("unknown option ", name, MSG_REMEDY "See --help."));
}

/* The long option that a word with one dash is or begins, as -out does: not the value "ut" of -o. NULL: none. */
static const char *find_long_option(const struct arguments *a, const char *word)
{
	const size_t length = strlen(word);

	for (const struct option *o = NULL; length >= 4 && (o = arg_next_option(o, a->program.verb));) {
		if (o->name[1] == '-' && !strncmp(o->name + 1, word, length))
			return o->name;
	}
	return NULL;
}

/* One option at argv[i]; returns how many words it took. from_manifest: options of other verbs are skipped. */
static int read_option(struct arguments *a, int argc, char **argv, int i, bool from_manifest)
{
	char *name = argv[i], *equals = name[1] == '-' ? strchr(name, '=') : NULL;

	if (equals)
		*equals = '\0';
	const struct option *o = arg_find_option(name);
	const struct option *letter = name[1] != '-' ? arg_find_option((char[]){name[0], name[1], '\0'}) : NULL;
	bool glued = !o && letter && letter->is_glued;
	o = glued ? letter : o;
	bool taken = o && (o->verbs & a->program.verb);
	const char *value = glued ? name + 2 : equals ? equals + 1 : NULL;
	bool is_next = o && o->value && !(arg_optional_verbs(o) & a->program.verb) && !value;

	const char *meant = glued ? find_long_option(a, name) : NULL;

	if (meant)
		cli_usage(a, WORDS("unknown option ", name, MSG_REMEDY "Did you mean ", meant, "? See --help."));
	else if (!o || (!taken && !from_manifest))
		refuse_option(a, name, o);
	else if (equals && !o->value && o->kind != LIBRARY) /* whose flags take 1 and 0, too */
		cli_usage(a, WORDS(name, " takes no value" MSG_REMEDY "Leave out \"=", equals + 1, "\"."));
	else if (is_next && i + 1 == argc)
		cli_usage(a, WORDS(name, " needs a value" MSG_REMEDY "Write ", name, name[1] == '-' ? "=" : " ",
				   o->value, "."));
	else if (taken && (value || is_next))
		read_value(a, o, value ? value : argv[i + 1]);
	else if (taken)
		read_without_value(a, o);
	if (equals) /* the words may be read again, for the programs of a manifest */
		*equals = '=';
	return is_next ? 2 : 1;
}

/* Imported modules come after all others. */
static void append_imports(struct arguments *a)
{
	struct program_options *p = &a->program;
	bool any = p->input_count || p->import_count;

	if (!any && p->verb != VERB_BIND)
		cli_usage(a, WORDS(verb_of(p)->name, " has no input" MSG_REMEDY "Name a file, or - for stdin."));
	else if (!any && os_is_terminal(STDIN_FILENO))
		cli_usage(a, WORDS("there is no input" MSG_REMEDY "Name a file, or - to type into the terminal."));
	if (!any)
		p->inputs[p->input_count++] = "-";
	for (size_t i = 0; i < p->import_count; i++)
		p->inputs[p->input_count++] = p->imports[i];
}

static bool allocate(struct arguments *a, size_t count)
{
	struct program_options *p = &a->program;

	p->inputs = calloc(count, sizeof *p->inputs);
	p->modules.files = calloc(count, sizeof *p->modules.files);
	p->sources.include_paths = calloc(count, sizeof *p->sources.include_paths);
	p->sources.macros = calloc(count, sizeof *p->sources.macros);
	p->sources.parts = calloc(count, sizeof *p->sources.parts);
	p->imports = calloc(count, sizeof *p->imports);
	return p->inputs && p->modules.files && p->sources.include_paths && p->sources.macros && p->sources.parts &&
	       p->imports && cli_allocate_resolvers(&p->resolvers, count);
}

void arg_free_arguments(struct arguments *a)
{
	struct program_options *p = &a->program;

	free(p->given.bytes);
	free(p->given.record);
	free(p->inputs);
	free(p->modules.files);
	free(p->sources.include_paths);
	free(p->sources.macros);
	free(p->sources.parts);
	free(p->imports);
	cli_free_resolvers(&p->resolvers);
	for (int i = 0; i < LAYOUT_FILES; i++)
		free(p->layout.made[i]);
	free(p->lint.baseline_text);
	for (size_t i = 0; i < p->block_count; i++)
		free(p->blocks[i]);
	free(p->blocks);
}

static bool begin_arguments(struct arguments *a, size_t count)
{
	*a = (struct arguments){.program.verb = VERB_BIND};
	spb_options_init(&a->program.library, sizeof a->program.library);
	if (allocate(a, count))
		return true;
	cli_no_memory(a);
	return false;
}

/* The first word after the verb pass. */
static void read_passes(struct arguments *a, const char *value)
{
	struct spb_option_reader r = arg_option_reader(a);

	if (!spb_option_read(&r, spb_option_find("only"), value))
		arg_refuse_value(a, arg_find_option("--dump-after"), r.expected, value);
}

/* from_manifest: options of other verbs are skipped. */
static void read_words(struct arguments *a, struct word_list list, bool from_manifest)
{
	struct program_options *p = &a->program;
	char **argv = list.words;
	bool only_inputs = false;

	for (int i = 0; i < list.count && !a->done;) {
		const struct msg_line before = list.lines ? msg_follow(list.lines[i]) : (struct msg_line){0};
		if (!only_inputs && !strcmp(argv[i], "--")) {
			only_inputs = true;
			i++;
		} else if (!only_inputs && argv[i][0] == '-' && argv[i][1]) {
			i += read_option(a, list.count, argv, i, from_manifest);
		} else if (p->verb == VERB_PASS && !p->library.debug.only && !from_manifest) {
			read_passes(a, argv[i++]);
		} else {
			p->inputs[p->input_count++] = arg_name_input(a, argv[i++]);
		}
		if (list.lines)
			msg_follow(before);
	}
	if (!a->done)
		cli_sort_parts(p);
}

/* The checks of one program, after all words have been read. */
static void check_program_options(struct arguments *a)
{
	arg_check_lint_options(a);
	if (!a->done)
		arg_check_sources(a);
	if (!a->done)
		arg_check_handle_options(a);
	if (!a->done)
		arg_check_environment(a);
	if (!a->done && a->program.given.is_recorded)
		arg_record_options(a);
}

void arg_read_arguments(struct arguments *a, int argc, char **argv, const struct msg_line *lines)
{
	if (!begin_arguments(a, (size_t)argc + 1))
		return;
	int words = 1 + verb_read(a, argc - 1, argv + 1);
	if (!a->done)
		read_words(a, (struct word_list){argv + words, argc - words, lines ? lines + words : NULL}, false);
	if (!a->done && words == 1) /* there is none in front */
		verb_check_inputs(a);
	if (a->done)
		return;
	const struct verb *verb = verb_of(&a->program);
	if (verb->want)
		verb->want(&a->program);
	if (verb->check)
		verb->check(a);
	if (a->program.verb == VERB_LOCK_MERGE || a->done)
		return;
	/* For Make, a target that is older than what it was made from has to be made again. Is it not the stamp? */
	a->program.renews = !a->run.stamp && getenv("MAKELEVEL");
	if (a->run.manifest) {
		arg_check_manifest_options(a);
		if (!a->done)
			arg_check_depfile(a);
		return;
	}
	append_imports(a);
	if (!a->done && (a->run.shards || a->run.programs))
		cli_usage(a, WORDS("--programs and --shard are about the programs of a manifest" MSG_REMEDY
				   "Add -m MANIFEST."));
	if (!a->done)
		arg_check_files(a);
	if (!a->done)
		check_program_options(a);
}

void arg_read_program_arguments(struct arguments *a, const struct arguments *run, struct word_list lists[3])
{
	struct program_options *p = &a->program;
	size_t count = 1;

	for (int i = 0; i < 3; i++)
		count += (size_t)lists[i].count;
	if (!begin_arguments(a, count))
		return;
	p->verb = run->program.verb;
	for (int i = 0; i < 3 && !a->done; i++) {
		int verb = i ? 0 : verb_read(a, lists[i].count, lists[i].words);
		lists[i].words += verb;
		lists[i].count -= verb;
		read_words(a, lists[i], i > 0);
		if (!i) { /* options of the whole run */
			p->lock.file = p->layout.against = NULL;
			memset(p->layout.files, 0, sizeof p->layout.files);
			p->input_count = p->sources.part_count = 0;
			p->lock.locked = false;
			p->library.layout.update_lock = 0;
		}
	}
	if (a->done)
		return;
	if (verb_of(p)->want)
		verb_of(p)->want(p);
	p->lock.locked = false; /* the lock is compared as a whole */
	p->layout.prints_table = run->program.layout.prints_table;
	p->renews = run->program.renews;
	p->import_count = 0;
	check_program_options(a);
	p->input_count = 0; /* jobs have them */
}
