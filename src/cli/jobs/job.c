/* SPDX-License-Identifier: Apache-2.0 */
/* job: binds one program, from input files to output files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/args.h"
#include "cli/jobs/jobs.h"
#include "cli/verbs/verbs.h"

/* Findings of lint and check are not refusals. */
static int exit_of_bind(const struct program_options *p, spb_status status)
{
	bool found = (p->verb == VERB_LINT && status == SPB_ERROR_NONUNIFORM) ||
		     (p->verb == VERB_CHECK && status == SPB_ERROR_CONFLICT);

	return found ? EXIT_DIFFERENT : msg_exit_of_options(status);
}

/* Such as GLSL or SPIR-V assembly. */
static bool is_text(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size && i < 4096; i++) {
		if (bytes[i] == 0x7F || (bytes[i] < 0x20 && !strchr("\t\n\v\f\r", bytes[i])) || !bytes[i])
			return false;
	}
	return size > 0;
}

/* A running job. */
struct work {
	const struct job *job;
	const struct worker *worker;
	struct program_options p;   /* of this job: its inputs, its files, its part of the lock */
	struct staged_files *files; /* what it has written to the stage */
	spb_program *program;
	struct loaded *modules; /* as read, if there is a cache; NULL: read one at a time */
	struct key key;         /* in the cache */
};

static int add_input(const struct work *w, spb_program *to, size_t number)
{
	const struct program_options *p = &w->p;
	const struct loaded *read = w->modules ? &w->modules[number] : NULL;
	const char *path = p->inputs[number];
	bool import = number >= p->input_count - p->import_count;
	int status = EXIT_IO;

	if (to == w->program && cli_is_refused_source(p, path, &status))
		return status;
	size_t size = read ? read->size : 0;
	unsigned char *bytes = read ? read->bytes : cli_read_input(p, path, &size);
	const char *name = strcmp(path, "-") ? path : "<stdin>";

	if (!bytes)
		return EXIT_IO;
	if (is_text(bytes, size) || size % 4) {
		msg_report_error(
		    name, 1001, "",
		    is_text(bytes, size)
			? "this is text, and neither its name nor -S says what shader it is" MSG_REMEDY
			  "If it is GLSL or HLSL, give its stage with -S or in the name, as in lit.frag.hlsl."
			: "the size is not a multiple of 4 bytes" MSG_REMEDY "The file is truncated: make it again.",
		    "");
		status = EXIT_REFUSED;
	} else {
		const uint32_t *words = (const uint32_t *)(const void *)bytes;
		const uint32_t compiled = cli_find_made(p, path, &(size_t){0}) ? SPB_ADD_COMPILED : 0;
		status =
		    msg_exit_of(spb_program_add(to, name, words, size / 4, compiled | (import ? SPB_ADD_IMPORT : 0)));
	}
	if (!read)
		free(bytes);
	return status;
}

/* The outputs of a program, in the order in which they are put in place: the lock first, so that the run after one
 * that was killed in between assigns the same numbers. */
struct outputs {
	struct output *items;
	size_t count;
	bool locks;     /* the first one is the lock */
	size_t modules; /* where they end; behind them are the forms of the layout */
	size_t *what;   /* index of the module; then the form of the layout */
	char **made;    /* paths of modules */
	char **texts;   /* of modules with --words; NULL: they are binary */
};

static void add_output(struct outputs *all, const char *path, size_t what, bool renewed)
{
	all->what[all->count] = what;
	all->items[all->count++] = (struct output){.path = path, .renewed = renewed};
}

/* Lists the outputs without their contents. */
static bool name_outputs(const struct work *w, struct outputs *all)
{
	const struct program_options *p = &w->p;
	const struct job *job = w->job;
	bool writes = verb_of(p)->writes_modules && (p->modules.folder || job->outputs || p->modules.first);

	*all = (struct outputs){.items = calloc(p->input_count + LAYOUT_FILES + 3, sizeof *all->items)};
	all->made = calloc(p->input_count + 1, sizeof *all->made);
	all->what = calloc(p->input_count + LAYOUT_FILES + 1, sizeof *all->what);
	all->texts = calloc(p->input_count + 1, sizeof *all->texts);
	if (!all->items || !all->made || !all->what || !all->texts)
		return false;
	all->locks = p->library.layout.update_lock && !job->exchange;
	if (all->locks)
		add_output(all, p->lock.file, 0, false);
	for (size_t i = 0; i < p->input_count && writes; i++) {
		const char *path = job->outputs ? job->outputs[i] : p->modules.first ? p->modules.files[i] : NULL;
		if (!path && job->outputs)
			continue;
		if (!path && !(path = all->made[i] = cli_path_in(p, p->inputs[i])))
			return false;
		add_output(all, path, i, p->renews);
	}
	all->modules = all->count;
	for (int i = 0; i < LAYOUT_FILES && verb_of(p)->writes_layouts; i++) {
		if (p->layout.files[i])
			add_output(all, p->layout.files[i], (size_t)i, p->renews);
	}
	return true;
}

static void free_outputs(const struct program_options *p, struct outputs *all)
{
	for (size_t i = 0; all->made && i < p->input_count; i++)
		free(all->made[i]);
	for (size_t i = 0; all->texts && i < p->input_count; i++)
		free(all->texts[i]);
	free(all->texts);
	free(all->made);
	free(all->what);
	free(all->items);
}

/* The words of a module as numbers of C, in the byte order of the host. NULL: no memory. Free with free(). */
static char *words_as_text(const uint32_t *words, size_t count, bool braces, size_t *size)
{
	enum { BYTES = sizeof "0x07230203," - 1, IN_LINE = 8 };
	char *text = malloc(count * (BYTES + 1) + sizeof "{\n}\n"), *to = text;
	const bool swapped = count && words[0] == 0x03022307;

	if (!text)
		return NULL;
	if (braces)
		*to++ = '{', *to++ = '\n';
	for (size_t i = 0; i < count; i++) {
		const uint32_t w =
		    swapped ? words[i] >> 24 | (words[i] >> 8 & 0xFF00) | (words[i] & 0xFF00) << 8 | words[i] << 24
			    : words[i];
		*to++ = '0', *to++ = 'x';
		for (int shift = 28; shift >= 0; shift -= 4)
			*to++ = "0123456789abcdef"[w >> shift & 15];
		*to++ = ',';
		*to++ = (i + 1) % IN_LINE && i + 1 < count ? ' ' : '\n';
	}
	if (braces)
		*to++ = '}', *to++ = '\n';
	*size = (size_t)(to - text);
	return text;
}

static bool fill_outputs(const struct work *w, const struct outputs *all)
{
	if (all->locks)
		all->items[0].bytes = spb_program_text(w->program, SPB_TEXT_LOCK, NULL, &all->items[0].size);
	for (size_t i = all->locks; i < all->modules; i++) {
		struct output *o = &all->items[i];
		size_t words;
		o->bytes = spb_program_words(w->program, all->what[i], SPB_WORDS_OUTPUT, &words);
		o->size = words * sizeof(uint32_t);
		if (w->p.modules.words != WORDS_BINARY && o->bytes)
			o->bytes = all->texts[i - all->locks] =
			    words_as_text(o->bytes, words, w->p.modules.words == WORDS_C, &o->size);
	}
	for (size_t i = all->modules; i < all->count; i++)
		cli_make_layout_file(&w->p.layout, (enum layout_file)all->what[i], w->program, &all->items[i]);
	for (size_t i = 0; i < all->count; i++) {
		if (!all->items[i].bytes)
			return false;
	}
	return true;
}

static int read_lock(struct work *w)
{
	const struct exchange *exchange = w->job->exchange;
	struct program_options *p = &w->p;

	if (exchange) {
		p->lock.text = exchange->lock_of(exchange->user, w->job);
		p->library.layout.lock = p->lock.text;
		p->library.layout.update_lock = true;
		return p->lock.text ? EXIT_DONE : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	}
	if (!cli_read_lock(p, &p->lock.text))
		return EXIT_IO;
	p->library.layout.lock = p->lock.text;
	p->library.layout.lock_name = p->lock.text ? p->lock.file : NULL;
	return EXIT_DONE;
}

/* Read before anything is written: the new layout may go to the same file. */
static int read_older(struct program_options *p)
{
	if (p->layout.against)
		p->layout.against_text = cli_read_older_layout(p);
	return !p->layout.against || p->layout.against_text ? EXIT_DONE : EXIT_IO;
}

static void put_count(char *text, size_t size, size_t count, const char *one, const char *many)
{
	const size_t length = strlen(text);

	if (count)
		snprintf(text + length, size - length, "%s%zu %s", length ? ", " : "", count, count == 1 ? one : many);
}

/* The numbers that the author did not give. */
static size_t count_assigned(spb_program *program, size_t module)
{
	const spb_resource *all;
	const size_t count = spb_program_resources(program, sizeof *all, &all);
	size_t assigned = 0;

	for (size_t i = 0; i < count; i++) {
		const spb_resource *r = &all[i];
		const bool counted = r->had_set && r->had_binding && strcmp(r->chosen_by, "nobody") != 0 &&
				     strcmp(r->chosen_by, "compiler") != 0;
		assigned += r->module == module && r->input_id && !r->removed && !r->reserved &&
			    (!counted || r->old_set != r->set || r->old_binding != r->binding);
	}
	return assigned;
}

/* lit.frag.spv: 3 bindings assigned, 2 accesses marked; and the features that the host has to enable for that. */
static void say_what_changed(const struct work *w, const struct output *o, size_t module)
{
	char counts[128] = "";
	const spb_module_info *all;

	if (module >= spb_program_modules(w->program, sizeof *all, &all) || !all[module].changed)
		return;
	const spb_module_info *m = &all[module];
	put_count(counts, sizeof counts, count_assigned(w->program, module), "binding assigned", "bindings assigned");
	put_count(counts, sizeof counts, m->accesses_marked, "access marked", "accesses marked");
	put_count(counts, sizeof counts, m->accesses_looped, "access put into a loop", "accesses put into loops");
	if (*counts)
		msg_say(SPB_SEVERITY_NOTE, WORDS(o->path, ": ", counts));
	for (uint32_t i = 0; i < m->added_count && !w->p.library.uniformity.host_features; i++) {
		const spb_added_capability *c = &m->added[i];
		if (*c->feature)
			msg_say(SPB_SEVERITY_NOTE,
				WORDS(o->path, ": enable ", c->feature, ": the capability ", c->name, " was added"));
	}
}

/* For -v, and for one program on a terminal. Of many programs only the files are listed: a cached program has been
 * bound in another run. */
static void say_what_was_done(const struct work *w, const struct outputs *all)
{
	const struct program_options *p = &w->p;

	for (size_t i = 0; i < all->count; i++) {
		const struct output *o = &all->items[i];
		const char *what = o->changed ? "wrote " : "unchanged: ";
		if (p->verbose)
			msg_say(SPB_SEVERITY_NOTE, WORDS(what, o->path));
		if (o->changed && !w->worker->stage && i >= all->locks && i < all->modules)
			say_what_changed(w, o, all->what[i]);
	}
	for (size_t i = 0; i < p->input_count && p->verb == VERB_CHECK && p->verbose;
	     i++) /* others have been reported */
		msg_say(SPB_SEVERITY_NOTE, WORDS("in its final form: ", p->inputs[i]));
}

/* Writes the outputs, and for a single program the depfile and the stamp. On failure, removes the directory that was
 * created for them. */
static int write_all_outputs(const struct work *w, const struct outputs *all)
{
	const struct program_options *p = &w->p;
	unsigned made = 0;

	if (w->worker->stage)
		return cli_stage_outputs(w->worker->stage, all->items, all->count, w->files) ? EXIT_DONE : EXIT_IO;
	if (p->modules.folder && !cli_make_path(p->modules.folder, &made)) {
		msg_say(SPB_SEVERITY_ERROR,
			WORDS("cannot create the directory ", p->modules.folder, ": ", strerror(errno)));
		return EXIT_IO;
	}
	size_t count = all->count;
	char *text = NULL;
	bool done = !w->job->run || cli_add_depfile(w->job->run, all->items, &count, &text);
	done = done && cli_write_outputs(p->modules.folder, all->items, count);
	free(text);
	if (done)
		return EXIT_DONE;
	if (made)
		cli_remove_path(p->modules.folder, made);
	return EXIT_IO;
}

/* Marks the beginning of the messages and output that a cached program repeats. */
static void begin_entry(struct entry *e, const struct outputs *all)
{
	struct record *r = msg_current_record();

	*e = (struct entry){.outputs = all ? all->items : NULL, .output_count = all ? all->count : 0};
	os_flush_text(r->out);
	e->said_size = r->size;
	e->printed_size = r->printed_size;
}

static void end_entry(const struct work *w, struct entry *e)
{
	struct record *r = msg_current_record();

	e->said = r->bytes;
	e->printed = r->printed;
	if (!r->incomplete && !ferror(r->out))
		job_keep_entry(w->worker->cache, &w->key, w->modules, w->p.input_count, e);
}

static int deliver(const struct work *w)
{
	const struct program_options *p = &w->p;
	struct outputs all;
	struct entry e;
	int status = name_outputs(w, &all) && fill_outputs(w, &all) ? EXIT_DONE : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);

	if (w->modules)
		begin_entry(&e, &all);
	if (status == EXIT_DONE)
		status = write_all_outputs(w, &all);
	if (status == EXIT_DONE && w->modules)
		end_entry(w, &e);
	if (status == EXIT_DONE && (p->verbose || (!w->worker->stage && os_is_terminal(STDERR_FILENO))))
		say_what_was_done(w, &all);
	free_outputs(p, &all);
	return status;
}

/* Ends a program without outputs. */
static int end_without_outputs(const struct work *w, int status)
{
	struct entry e;

	if (w->modules && status == EXIT_DONE) {
		begin_entry(&e, NULL);
		end_entry(w, &e);
	}
	return status;
}

/* Messages are not cached, because binding the program repeats them. */
static void keep_facts(const struct work *w, const char *facts, size_t size)
{
	struct output o = {.bytes = facts, .size = size};

	job_keep_entry(w->worker->cache, &w->key, w->modules, w->p.input_count,
		       &(struct entry){.outputs = &o, .output_count = 1});
}

/* Collects facts for the numbers that the program shares with others. */
static int collect(const struct work *w)
{
	size_t size;
	const struct exchange *exchange = w->job->exchange;
	int status = msg_exit_of_options(spb_program_bind(w->program));
	const char *facts = status == EXIT_DONE ? spb_program_text(w->program, SPB_TEXT_FACTS, NULL, &size) : NULL;

	if (status == EXIT_DONE && !facts)
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	if (facts && w->modules)
		keep_facts(w, facts, size);
	return facts ? exchange->take_facts(exchange->user, w->job, facts) : status;
}

static int add_inputs(const struct work *w, spb_program *to)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < w->p.input_count && status == EXIT_DONE; i++)
		status = add_input(w, to, i);
	return status;
}

/* --lint of bind and check: the inputs once more, as the verb lint has them. */
static int lint(const struct work *w)
{
	spb_options options = w->p.library;
	spb_program *program;

	options.mode = SPB_MODE_LINT;
	int status = msg_exit_of_options(spb_program_create(w->worker->context, &options, &program));
	if (status == EXIT_DONE)
		status = add_inputs(w, program);
	if (status == EXIT_DONE) {
		const spb_status found = spb_program_bind(program);
		status = found == SPB_ERROR_NONUNIFORM ? EXIT_DIFFERENT : msg_exit_of_options(found);
	}
	spb_program_destroy(program);
	return status;
}

static int run(const struct work *w)
{
	const struct program_options *p = &w->p;
	int status = add_inputs(w, w->program), linted = EXIT_DONE;

	if (job_gives_facts(w->job))
		return status == EXIT_DONE ? collect(w) : status;
	if (status == EXIT_DONE && p->lint.asked && p->verb != VERB_LINT)
		linted = lint(w);
	if (linted != EXIT_DONE && (linted != EXIT_DIFFERENT || p->verb == VERB_BIND))
		return linted;
	const spb_status bound = status == EXIT_DONE ? spb_program_bind(w->program) : SPB_OK;
	if (bound != SPB_OK)
		status = exit_of_bind(p, bound);
	if (p->library.debug.dump_after && cli_write_dumps(p, w->program) == EXIT_IO)
		status = EXIT_IO;
	if (p->verb == VERB_LINT)
		return end_without_outputs(w, status);
	if ((status == EXIT_DONE || bound == SPB_ERROR_NOT_FINAL) && verb_of(p)->report)
		status = msg_more_severe(status, verb_of(p)->report(p, w->job->name, w->program));
	status = msg_more_severe(status, linted);
	if (status == EXIT_DONE)
		status = deliver(w);
	return status;
}

/* The cache */

static void unload_modules(struct work *w)
{
	for (size_t i = 0; w->modules && i < w->p.input_count; i++)
		free(w->modules[i].bytes);
	free(w->modules);
	w->modules = NULL;
}

/* Reads all modules. A module that cannot be read is reported later, when it is added. */
static void load_modules(struct work *w)
{
	const struct program_options *p = &w->p;
	struct record *r = msg_current_record();
	size_t said = r->size, i = 0;

	w->modules = calloc(p->input_count, sizeof *w->modules);
	while (w->modules && i < p->input_count &&
	       (w->modules[i].bytes = cli_read_input(p, p->inputs[i], &w->modules[i].size)))
		i++;
	if (i == p->input_count)
		return;
	r->size = said;
	unload_modules(w);
}

static bool reuse_facts(const struct work *w, int *status)
{
	const struct exchange *exchange = w->job->exchange;
	struct output o = {0};
	struct entry e = {.outputs = &o, .output_count = 1};
	bool found = job_find_entry(w->worker->cache, &w->key, w->modules, w->p.input_count, &e);
	char *facts = found ? malloc(o.size + 1) : NULL;

	if (facts) {
		memcpy(facts, o.bytes, o.size);
		facts[o.size] = '\0';
	}
	if (found)
		*status =
		    facts ? exchange->take_facts(exchange->user, w->job, facts) : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	free(facts);
	free(e.file);
	return found;
}

/* If the program is in the cache, reports and writes what binding would. */
static bool reuse(const struct work *w, int *status)
{
	const bool no_outputs = w->p.verb == VERB_LINT;
	struct outputs all = {0};
	bool named = no_outputs || name_outputs(w, &all);
	struct entry e = {.outputs = all.items, .output_count = all.count};
	bool found = named && job_find_entry(w->worker->cache, &w->key, w->modules, w->p.input_count, &e) &&
		     msg_is_record(e.said, e.said_size);

	if (found) {
		msg_add_to_record(msg_current_record(), e.said, e.said_size);
		if (e.printed_size)
			fwrite(e.printed, 1, e.printed_size, msg_out());
		*status = no_outputs ? EXIT_DONE : write_all_outputs(w, &all);
		if (*status == EXIT_DONE && w->p.verbose && !no_outputs)
			say_what_was_done(w, &all);
	}
	free(e.file);
	free_outputs(&w->p, &all);
	return found;
}

/* Replaces a pattern by the file of this program. */
static int name_file(const char **file, const struct job *job, char **made)
{
	*made = *file && job->name ? arg_expand_pattern(*file, job->name) : NULL;
	if (!*made)
		return *file && job->name ? msg_exit_of(SPB_ERROR_OUT_OF_MEMORY) : EXIT_DONE;
	*file = *made;
	return EXIT_DONE;
}

static int bind(struct work *w)
{
	w->p.library.layout.macros = w->p.sources.macros;
	w->p.library.layout.macro_count = (uint32_t)w->p.sources.macro_count;
	int status = msg_exit_of_options(spb_program_create(w->worker->context, &w->p.library, &w->program));

	if (status == EXIT_DONE)
		status = run(w);
	spb_program_destroy(w->program);
	return status;
}

static int bind_or_reuse(struct work *w)
{
	int status = EXIT_DONE;
	bool found = false;

	if (w->worker->cache && !w->p.library.debug.dump_after)
		load_modules(w);
	if (w->modules) {
		job_make_key(w->worker->cache, &w->p, w->job, w->modules, &w->key);
		found = job_gives_facts(w->job) ? reuse_facts(w, &status) : reuse(w, &status);
	}
	if (!found)
		status = bind(w);
	unload_modules(w);
	return status;
}

int job_run(const struct job *job, const struct worker *worker, struct staged_files *files)
{
	struct work w = {.job = job, .worker = worker, .p = *job->options, .files = files};
	char *layout[LAYOUT_FILES], *against;
	int status = EXIT_DONE;

	*files = (struct staged_files){0};
	if (job->skipped)
		return EXIT_DONE;
	w.p.inputs = job->inputs;
	w.p.input_count = job->input_count;
	cli_use_resolvers(&w.p);
	if (job_gives_facts(job))
		w.p.library.mode = SPB_MODE_COLLECT;
	for (int i = 0; i < LAYOUT_FILES; i++) {
		if (name_file(&w.p.layout.files[i], job, &layout[i]) != EXIT_DONE)
			status = EXIT_IO;
	}
	if (name_file(&w.p.layout.against, job, &against) != EXIT_DONE)
		status = EXIT_IO;
	if (status == EXIT_DONE)
		status = read_lock(&w);
	if (status == EXIT_DONE)
		status = read_older(&w.p);
	if (status == EXIT_DONE)
		status = bind_or_reuse(&w);
	free(w.p.lock.text);
	free(w.p.layout.against_text);
	for (int i = 0; i < LAYOUT_FILES; i++)
		free(layout[i]);
	free(against);
	return status;
}
