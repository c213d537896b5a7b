/* SPDX-License-Identifier: Apache-2.0 */
/* programs: the jobs of a manifest: the options of each program, and where its files go. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "cli/args/args.h"
#include "cli/verbs/verbs.h"
#include "cli/workspace/manifest.h"

/* Selecting programs */

/* The same on every machine, and independent of the other programs. */
static unsigned part_of(const char *name, unsigned parts)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211u;
	return (unsigned)(hash >> 16) % parts + 1;
}

static bool is_wanted(const struct arguments *a, const struct manifest_program *p)
{
	return (!a->run.shards || part_of(p->name, a->run.shards) == a->run.shard) &&
	       (!a->run.programs || spb_glob(a->run.programs, p->name));
}

/* Paths */

static char *join_paths(const char *folder, const char *path)
{
	size_t length = strlen(folder) + strlen(path) + 2;
	char *joined = malloc(length);
	const char *slash = !*folder || folder[strlen(folder) - 1] == '/' ? "" : "/";

	if (joined && os_is_absolute(path))
		snprintf(joined, length, "%s", path);
	else if (joined)
		snprintf(joined, length, "%s%s%s", folder, slash, path);
	return joined;
}

/* Removes "." and "a/.." lexically, in place. */
static void simplify(char *path)
{
	char *to = path + (*path == '/'), *least = to, *end = path + strlen(path);

	for (char *from = to; from < end;) { /* `to` may overwrite the end, but nothing beyond it */
		size_t length = strcspn(from, "/"), next = length + (from[length] == '/');
		bool up = length == 2 && !memcmp(from, "..", 2);
		if (up && to > least) {
			for (to--; to > least && to[-1] != '/'; to--)
				continue;
		} else if (length && !(length == 1 && *from == '.')) {
			memmove(to, from, length);
			to += length;
			if (up)
				least = to + 1;
			*to++ = '/';
		}
		from += next;
	}
	if (to > path + 1 && to[-1] == '/')
		to--;
	*to = '\0';
}

/* Below a folder. */
static char *module_path(const struct program_options *options, const char *folder, const char *name, const char *input)
{
	char *path = join_paths(folder, name), *named = path ? cli_module_name(options, input, path) : NULL;

	free(path);
	return named;
}

struct maker {
	const struct manifest *m;
	struct program_list *list;
	struct arguments *run;
	struct word_list words;     /* of the command line */
	struct arguments *standard; /* for programs without separate options; NULL: not made yet */
};

/* Where the module goes, below `below`, the folder of --out-dir, or NULL. NULL: nowhere, or *status is not EXIT_DONE.
 */
static char *output_below(const struct maker *x, const struct manifest_program *p,
			  const struct program_options *options, const char *below, size_t i, int *status)
{
	const struct manifest *m = x->m;
	const char *output = i < p->outputs.count ? p->outputs.items[i] : NULL;
	char *input = strdup(p->inputs.items[i]), *folder = strdup(m->folder), *path = NULL;

	*status = input && folder ? EXIT_DONE : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	if (*status == EXIT_DONE && output) {
		path = join_paths(below ? below : m->folder, output);
	} else if (*status == EXIT_DONE && below) {
		simplify(input);
		simplify(folder);
		size_t length = strlen(folder);
		bool inside = !length || (!strncmp(input, folder, length) && input[length] == '/');
		const char *rest = !inside ? "" : length ? input + length + 1 : input;
		if (!inside || !strncmp(rest, "../", 3) || *rest == '/')
			*status = ws_refuse_line(p->file, p->line,
						 WORDS(p->inputs.items[i],
						       " is not in the folder of the manifest" MSG_REMEDY
						       "It has no place below --out-dir: give -o FILE behind it."));
		else
			path = module_path(options, below, rest, p->inputs.items[i]);
	} else if (*status == EXIT_DONE) {
		*status = ws_refuse_line(p->file, p->line,
					 WORDS("there is no output for ", p->inputs.items[i],
					       MSG_REMEDY "Give -o FILE behind it, or --out-dir=DIR."));
	}
	if (path)
		simplify(path);
	else if (*status == EXIT_DONE && (output || below))
		*status = msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	free(input);
	free(folder);
	return path;
}

/* % in --out-dir is the name of the program. */
static char *output_of(const struct maker *x, const struct manifest_program *p, const struct program_options *options,
		       size_t i, int *status)
{
	const char *pattern = x->run->program.modules.folder;
	char *below = pattern ? arg_expand_pattern(pattern, p->name) : NULL, *path = NULL;

	if (pattern && !below)
		*status = msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	else
		path = output_below(x, p, options, below, i, status);
	free(below);
	return path;
}

/* Jobs */

static void read_all(struct maker *x, const struct manifest_program *p, struct arguments *a, int *status)
{
	struct word_list lists[3] = {x->words,
				     {x->m->options.items, (int)x->m->options.count, x->m->option_lines},
				     {p->words.items, (int)p->words.count, NULL}};
	const struct msg_line before = msg_follow((struct msg_line){p->file, p->line});

	arg_read_program_arguments(a, x->run, lists);
	*status = a->done ? a->done - 1 : arg_read_baseline(a);
	msg_follow(before);
	for (int i = 0; i < LAYOUT_FILES && *status == EXIT_DONE; i++) {
		const char *of_run = x->run->program.layout.files[i];
		if (!a->program.layout.files[i]) {
			if (of_run && (i == LAYOUT_HEADER || i == LAYOUT_GLSL) && strchr(of_run, '%'))
				a->program.layout.files[i] = of_run;
			continue;
		}
		a->program.layout.made[i] =
		    join_paths(x->run->program.modules.folder ? x->run->program.modules.folder : x->m->folder,
			       a->program.layout.files[i]);
		a->program.layout.files[i] = a->program.layout.made[i];
		*status = a->program.layout.files[i] ? EXIT_DONE : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	}
	a->program.modules.folder = NULL; /* each output has its path */
}

/* NULL: *status says why. */
static struct arguments *make_arguments(struct maker *x, const struct manifest_program *p, int *status)
{
	struct arguments *a;

	if (!p->options.count && x->standard)
		return x->standard;
	a = calloc(1, sizeof *a);
	if (!a) {
		*status = msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
		return NULL;
	}
	x->list->arguments[x->list->argument_count++] = a;
	read_all(x, p, a, status);
	if (!p->options.count)
		x->standard = a;
	return a;
}

static int make_job(struct maker *x, const struct manifest_program *p, struct job *job)
{
	char **outputs = calloc(p->inputs.count, sizeof *outputs);
	int status = outputs ? EXIT_DONE : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);

	*job = (struct job){.name = p->name,
			    .line = {p->file, p->line},
			    .inputs = (const char **)p->inputs.items,
			    .input_count = p->inputs.count,
			    .outputs = outputs};
	if (status == EXIT_DONE) {
		struct arguments *a = make_arguments(x, p, &status);
		job->options = a ? &a->program : NULL;
	}
	for (size_t i = 0; i < p->inputs.count && status == EXIT_DONE; i++) {
		if (verb_of(&x->run->program)->writes_modules)
			outputs[i] = output_of(x, p, job->options, i, &status);
	}
	return status;
}

/* Files that two programs would write */

struct target {
	char **path; /* of the output */
	const struct manifest_program *program;
	const char *input; /* NULL: it is a layout */
};

static int by_path(const void *a, const void *b)
{
	const struct target *x = a, *y = b;
	int order = strcmp(*x->path, *y->path);

	return order ? order : (x->program > y->program) - (x->program < y->program);
}

static const char *family_of(const struct manifest_program *p)
{
	return p->family ? p->family : p->name;
}

/* Variants with the same options get the same numbers, so a module that several of them have is one file. */
static bool is_same_module(const struct target *a, const struct target *b)
{
	const struct words *x = &a->program->options, *y = &b->program->options;

	if (!a->input || !b->input || strcmp(a->input, b->input) != 0 ||
	    strcmp(family_of(a->program), family_of(b->program)) != 0 || x->count != y->count)
		return false;
	for (size_t i = 0; i < x->count; i++) {
		if (strcmp(x->items[i], y->items[i]) != 0)
			return false;
	}
	return true;
}

static int refuse_target(const struct target *a, const struct target *b)
{
	return ws_refuse_line(
	    b->program->file, b->program->line,
	    WORDS("programs ", a->program->name, " and ", b->program->name, " would both write ", *b->path,
		  b->input ? MSG_REMEDY "Put a % into --out-dir, for a folder of each program, or make "
					"them variants with the same options."
			   : MSG_REMEDY "Put a % into its name, for the name of the program."));
}

static int check_targets(struct target *targets, size_t count)
{
	qsort(targets, count, sizeof *targets, by_path);
	for (size_t i = 1, first = 0; i < count; i++) {
		if (strcmp(*targets[i].path, *targets[first].path) != 0)
			first = i;
		else if (!is_same_module(&targets[first], &targets[i]))
			return refuse_target(&targets[first], &targets[i]);
	}
	for (size_t i = count; i > 1; i--) { /* the first writes it */
		if (strcmp(*targets[i - 2].path, *targets[i - 1].path) != 0)
			continue;
		free(*targets[i - 1].path);
		*targets[i - 1].path = NULL;
	}
	return EXIT_DONE;
}

static int check_outputs(struct program_list *b)
{
	size_t room = 1, count = 0, layout_count = 0;

	for (size_t i = 0; i < b->count; i++)
		room += b->jobs[i].input_count + LAYOUT_FILES;
	struct target *targets = calloc(room, sizeof *targets);
	char **layouts = calloc(room, sizeof *layouts);
	int status = targets && layouts ? EXIT_DONE : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	for (size_t i = 0; i < b->count && status == EXIT_DONE; i++) {
		const struct job *job = &b->jobs[i];
		for (size_t k = 0; k < job->input_count; k++) {
			char **path = &job->outputs[k];
			if (*path)
				targets[count++] = (struct target){path, b->programs[i], job->inputs[k]};
		}
		for (int k = 0; k < LAYOUT_FILES && status == EXIT_DONE; k++) {
			const char *pattern = job->options->layout.files[k];
			char **path = &layouts[layout_count];
			if (!pattern || !strcmp(pattern, "-"))
				continue;
			*path = arg_expand_pattern(pattern, job->name);
			if (*path)
				targets[count++] = (struct target){path, b->programs[i], NULL};
			status = *path ? EXIT_DONE : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
			layout_count++;
		}
	}
	if (status == EXIT_DONE)
		status = check_targets(targets, count);
	for (size_t i = 0; i < layout_count; i++)
		free(layouts[i]);
	free(layouts);
	free(targets);
	return status;
}

/* Files of the whole run, which must not be those of a program, or two of them one */

static bool is_same(const char *a, const char *b)
{
	return b && !strcmp(cli_base_of(a), cli_base_of(b)) && cli_is_same_file(a, b);
}

static bool is_of_programs(const struct program_list *b, const char *path)
{
	for (size_t i = 0; i < b->count; i++) {
		const struct job *job = &b->jobs[i];
		for (size_t k = 0; k < job->input_count; k++) {
			if (is_same(path, job->inputs[k]) || is_same(path, job->outputs[k]))
				return true;
		}
	}
	return false;
}

static bool is_read(const struct manifest *m, const struct arguments *a, const char *path)
{
	for (size_t i = 0; i < m->files.count; i++) {
		if (is_same(path, m->files.items[i]))
			return true;
	}
	for (size_t i = 0; i < a->program.input_count; i++) { /* of decide */
		if (is_same(path, a->program.inputs[i]))
			return true;
	}
	return false;
}

static int check_run_files(const struct manifest *m, const struct arguments *a, const struct program_list *b)
{
	const struct program_options *p = &a->program;
	const char *files[] = {p->lock.file,
			       p->layout.files[LAYOUT_JSON],
			       p->layout.files[LAYOUT_HEADER],
			       p->layout.files[LAYOUT_REPORT],
			       p->modules.first,
			       a->run.depfile,
			       a->run.stamp,
			       a->messages.diagnostics_file};

	for (size_t i = 0; i < SPB_COUNT(files); i++) {
		bool taken = files[i] && (is_read(m, a, files[i]) || is_of_programs(b, files[i]));
		for (size_t k = 0; k < i && files[i]; k++)
			taken |= files[k] && is_same(files[i], files[k]);
		if (!taken)
			continue;
		msg_say(SPB_SEVERITY_ERROR,
			WORDS("the file ", files[i],
			      " has another use in this run" MSG_REMEDY "Give one of them another name."));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/* Resolvers in text are compiled once for each version of SPIR-V that programs need, before any thread begins. */
static int prepare_resolvers(const struct program_list *b)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < b->count && status == EXIT_DONE; i++) {
		const struct job *job = &b->jobs[i];
		struct program_options *p = job->options;
		uint32_t version =
		    cli_has_text_resolver(p) ? 1u << cli_version_for(p, job->inputs, job->input_count) : 1;
		const struct msg_line before = msg_follow(job->line);
		if (p->resolvers.count && !(p->resolvers.versions & version))
			status = cli_read_resolvers(p, version);
		msg_follow(before);
	}
	return status;
}

/* A source that several programs list, with the same options, is compiled once. */
static int prepare_sources(const struct arguments *a, const struct program_list *b, struct cache *cache)
{
	struct compiled_cache compiled;
	bool any = false;
	struct source_inputs *lists = calloc(b->count + 1, sizeof *lists);

	if (!lists)
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	for (size_t i = 0; i < b->count; i++) {
		any |= cache && cli_has_shaders(b->jobs[i].options, b->jobs[i].inputs, b->jobs[i].input_count);
		lists[i] = (struct source_inputs){b->jobs[i].options, b->jobs[i].inputs, b->jobs[i].input_count};
	}
	int status = cli_make_sources(lists, b->count, cli_threads(a->run.threads),
				      job_begin_compiled_cache(&compiled, cache, any));
	free(lists);
	return status;
}

int ws_make_jobs(const struct manifest *m, struct arguments *a, int argc, char **argv, struct program_list *b)
{
	struct maker x = {m, b, a, {argv + 1, argc - 1, NULL}, NULL};
	size_t room = m->program_count;
	int status = EXIT_DONE;

	*b = (struct program_list){.jobs = calloc(room, sizeof *b->jobs)};
	b->programs = calloc(room, sizeof *b->programs);
	b->arguments = calloc(room, sizeof *b->arguments);
	if (!b->jobs || !b->programs || !b->arguments)
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	for (size_t i = 0; i < m->program_count && status == EXIT_DONE; i++) {
		if (!is_wanted(a, &m->programs[i]))
			continue;
		b->programs[b->count] = &m->programs[i];
		status = make_job(&x, &m->programs[i], &b->jobs[b->count++]);
	}
	if (status == EXIT_DONE)
		status = check_run_files(m, a, b);
	return status == EXIT_DONE ? check_outputs(b) : status;
}

int ws_prepare_jobs(const struct arguments *a, struct cache *cache, const struct program_list *b)
{
	int status = EXIT_DONE;

	if (!(a->program.verb & (VERB_DECIDE | VERB_LOCK_PART))) /* these read no modules */
		status = prepare_sources(a, b, cache);
	return status == EXIT_DONE ? prepare_resolvers(b) : status;
}

void ws_free_jobs(struct program_list *b)
{
	for (size_t i = 0; i < b->count; i++) {
		struct job *job = &b->jobs[i];
		for (size_t k = 0; k < job->input_count && job->outputs; k++)
			free(job->outputs[k]);
		free(job->outputs);
	}
	for (size_t i = 0; i < b->argument_count; i++) {
		arg_free_arguments(b->arguments[i]);
		free(b->arguments[i]);
	}
	free(b->arguments);
	free(b->programs);
	free(b->jobs);
}

/* Folders */

static int make_folder(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		bool failed = !os_make_folder(OS_HERE, path, 0777) && errno != EEXIST;
		if (failed)
			msg_say(SPB_SEVERITY_ERROR, WORDS("cannot create the directory ", path, ": ", strerror(errno)));
		*slash = '/';
		if (failed)
			return EXIT_IO;
	}
	return EXIT_DONE;
}

static int make_layout_folder(const struct job *job, const char *pattern)
{
	char *path = pattern ? arg_expand_pattern(pattern, job->name) : NULL;
	int status = path ? make_folder(path) : pattern ? msg_exit_of(SPB_ERROR_OUT_OF_MEMORY) : EXIT_DONE;

	free(path);
	return status;
}

int ws_make_folders(const struct program_list *b)
{
	const char *last = "";
	int status = EXIT_DONE;

	for (size_t i = 0; i < b->count && status == EXIT_DONE; i++) {
		const struct job *job = &b->jobs[i];
		const struct msg_line before = msg_follow(job->line);
		for (size_t k = 0; k < job->input_count && status == EXIT_DONE; k++) {
			char *path = job->outputs[k], *slash = path ? strrchr(path, '/') : NULL;
			if (!slash || !strncmp(last, path, (size_t)(slash - path) + 1))
				continue; /* the previous one is in this folder, or below */
			last = path;
			status = make_folder(path);
		}
		for (int k = 0; k < LAYOUT_FILES && status == EXIT_DONE; k++)
			status = make_layout_folder(job, job->options->layout.files[k]);
		msg_follow(before);
	}
	return status;
}
