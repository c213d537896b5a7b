/* SPDX-License-Identifier: Apache-2.0 */
/* sources: inputs that are not modules yet, recognised by their suffix or by -S. They are compiled first, by as many
 * compilers at a time as there are threads; reading such a file afterwards gives its module, or repeats the messages of
 * the compiler.
 *
 *     lit.frag, lit.frag.glsl, lit.fs      GLSL      by glslangValidator or glslc, like resolvers
 *     lit.frag.hlsl, lit.ps.hlsl           HLSL      the same
 *     -S frag lit.hlsl                     HLSL      the same
 *     lit.frag.spvasm                      assembly  by the assembler of SPIRV-Tools
 *
 * A file with such a name that contains SPIR-V is a module. Sources become SPIR-V of the version of --target-env, or
 * 1.0, with debug lines, which tell the order of declarations. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/resolvers.h"

struct source {
	struct resolver_file file;
	const struct program_options *options; /* of its program: -I, -D and --target-env distinguish sources */
	int status;                            /* EXIT_* */
	char *said;                            /* messages of the compiler */
	size_t said_size;
	bool done;
};

static struct {
	struct source *items; /* by path and options */
	size_t count;         /* 0 until all are made */
} made;

const char *cli_stage_of_extension(const char *extension, size_t length)
{
	/* glslang's extensions, then those of other tools */
	static const char *const stages[][4] = {{"vert", "vs"},
						{"tesc", "tcs", "hs"},
						{"tese", "tes", "ds"},
						{"geom", "gs"},
						{"frag", "fs", "ps"},
						{"comp", "cs"},
						{"task", "as"},
						{"mesh", "ms"},
						{"rgen"},
						{"rint"},
						{"rahit"},
						{"rchit"},
						{"rmiss"},
						{"rcall"}};

	for (size_t i = 0; i < SPB_COUNT(stages); i++) {
		for (size_t k = 0; stages[i][k]; k++) {
			if (strlen(stages[i][k]) == length && !memcmp(stages[i][k], extension, length))
				return stages[i][0];
		}
	}
	return NULL;
}

const char *cli_stage_in_name(const char *path, bool *hlsl)
{
	size_t length = cli_without(path, strlen(path), ".hlsl"), dot;

	*hlsl = cli_ends_in(path, ".hlsl");
	if (!*hlsl)
		length = cli_without(path, length, ".glsl");
	for (dot = length; dot && path[dot - 1] != '.' && path[dot - 1] != '/'; dot--)
		continue;
	return dot > 1 && path[dot - 1] == '.' ? cli_stage_of_extension(path + dot, length - dot) : NULL;
}

static bool is_assembly(const char *path)
{
	return cli_ends_in(path, ".spvasm");
}

static int by_address(const void *a, const void *b)
{
	const struct source_part *x = a, *y = b;

	return ((uintptr_t)x->input > (uintptr_t)y->input) - ((uintptr_t)x->input < (uintptr_t)y->input);
}

/* -S and -e after all inputs apply to those without any before them. */
void cli_sort_parts(struct program_options *p)
{
	struct source_options *o = &p->sources;
	const struct source_part behind = o->last.input ? (struct source_part){0} : o->last;

	for (size_t i = 0; i < o->part_count; i++) {
		o->parts[i].stage = o->parts[i].stage ? o->parts[i].stage : behind.stage;
		o->parts[i].entry = o->parts[i].entry ? o->parts[i].entry : behind.entry;
	}
	if (o->part_count)
		qsort(o->parts, o->part_count, sizeof *o->parts, by_address);
}

struct source_part cli_part_of(const struct program_options *p, const char *input)
{
	const struct source_options *o = &p->sources;
	const struct source_part key = {.input = input}, *found = NULL;

	if (o->part_count)
		found = bsearch(&key, o->parts, o->part_count, sizeof key, by_address);
	return found ? *found : o->last;
}

/* From its name or -S. NULL: it is not a shader. */
static const char *stage_of(const struct program_options *p, const char *input, bool *hlsl)
{
	const char *stage = cli_stage_in_name(input, hlsl);

	return stage || is_assembly(input) || !strcmp(input, "-") ? stage : cli_part_of(p, input).stage;
}

/* Whatever its name is. A pipe must not be read twice. */
static bool has_module(const char *path)
{
	uint32_t magic = 0;
	struct os_status st;
	FILE *file = os_look_through(path, &st) && st.kind == OS_FILE ? os_open_stream(path, "rb") : NULL;
	bool whole = file && fread(&magic, sizeof magic, 1, file) == 1;

	if (file)
		fclose(file);
	return whole && (magic == 0x07230203 || magic == 0x03022307);
}

bool cli_is_shader(const struct program_options *p, const char *path)
{
	bool hlsl;

	return stage_of(p, path, &hlsl) && !has_module(path);
}

bool cli_is_source(const struct program_options *p, const char *path)
{
	return is_assembly(path) ? !has_module(path) : cli_is_shader(p, path);
}

/* lit.frag becomes lit.frag.spv, lit.frag.spvasm as well, and lit.hlsl with -S frag lit.hlsl.frag.spv; with --words,
 * all of them end in .inc, and so do modules. */
char *cli_module_name(const struct program_options *p, const char *input, const char *name)
{
	bool hlsl;
	const bool source = cli_is_source(p, input), assembly = source && is_assembly(input);
	const bool says_stage = !source || assembly || cli_stage_in_name(input, &hlsl);
	const char *stage = says_stage ? "" : cli_part_of(p, input).stage;
	const char *end = p->modules.words != WORDS_BINARY ? ".inc" : source ? ".spv" : "";
	size_t kept = strlen(name) - (assembly ? strlen(".spvasm") : 0);
	if (!source && *end)
		kept = cli_without(name, kept, ".spv");
	const size_t size = kept + strlen(stage) + sizeof "..spv";
	char *own = malloc(size);

	if (own)
		snprintf(own, size, "%.*s%s%s%s", (int)kept, name, *stage ? "." : "", stage, end);
	return own;
}

int cli_by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *cli_path_below(const char *folder, const char *path)
{
	const char *const rest = cli_name_below(folder, path);

	for (const char *part = rest; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
			return NULL;
	}
	return rest;
}

char *cli_path_in(const struct program_options *p, const char *path)
{
	char *own = cli_module_name(p, path, path), *name = NULL;
	const char *below = own && p->modules.base ? cli_path_below(p->modules.base, own) : NULL;
	const char *base = below ? below : own ? cli_base_of(own) : "";
	size_t length = strlen(p->modules.folder) + strlen(base) + sizeof "/";

	if (own && (name = malloc(length)))
		snprintf(name, length, "%s/%s", p->modules.folder, base);
	free(own);
	return name;
}

static int compare_words(const char *const *x, size_t x_count, const char *const *y, size_t y_count)
{
	int order = (x_count > y_count) - (x_count < y_count);

	for (size_t i = 0; i < x_count && !order; i++)
		order = strcmp(x[i], y[i]);
	return order;
}

/* NULL comes first. */
static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int by_path(const void *a, const void *b)
{
	const struct source *x = a, *y = b;
	const struct source_options *o = &x->options->sources, *p = &y->options->sources;
	spb_env o_env = x->options->library.validation.env, p_env = y->options->library.validation.env;
	const struct source_part a_part = cli_part_of(x->options, x->file.path),
				 b_part = cli_part_of(y->options, y->file.path);
	int order = strcmp(x->file.path, y->file.path);

	if (!order)
		order = (o_env > p_env) - (o_env < p_env);
	if (!order)
		order = compare_texts(a_part.stage, b_part.stage);
	if (!order)
		order = compare_texts(a_part.entry, b_part.entry);
	if (!order)
		order = compare_words(o->macros, o->macro_count, p->macros, p->macro_count);
	return order ? order
		     : compare_words(o->include_paths, o->include_path_count, p->include_paths, p->include_path_count);
}

static const struct source *find(const struct program_options *p, const char *path)
{
	struct source key = {.file.path = path, .options = p};

	return made.count ? bsearch(&key, made.items, made.count, sizeof key, by_path) : NULL;
}

const void *cli_find_made(const struct program_options *p, const char *path, size_t *size)
{
	const struct source *s = find(p, path);

	if (!s || s->status != EXIT_DONE)
		return NULL;
	*size = s->file.word_count[0] * sizeof(uint32_t);
	return s->file.words[0];
}

unsigned char *cli_read_input(const struct program_options *p, const char *path, size_t *size)
{
	const void *words = cli_find_made(p, path, size);

	if (!words)
		return cli_read_file(path, size);
	cli_note_read(path, strlen(path));
	unsigned char *copy = malloc(*size + 1);
	if (copy)
		memcpy(copy, words, *size);
	else
		msg_say(SPB_SEVERITY_ERROR, WORDS("cannot read ", path, ": ", strerror(errno)));
	return copy;
}

bool cli_is_refused_source(const struct program_options *p, const char *path, int *status)
{
	const struct source *s = find(p, path);

	if (!s)
		return false;
	msg_replay(s->said, s->said_size);
	*status = s->status;
	return s->status != EXIT_DONE;
}

static int make(const struct program_options *p, struct resolver_file *r, const struct source_store *store)
{
	struct shader shader = {.options = &p->sources,
				.entry = cli_part_of(p, r->path).entry,
				.env = p->library.validation.env,
				.version = cli_version_of_env(p->library.validation.env),
				.store = store};

	if (is_assembly(r->path))
		return cli_assemble_file(r, p->library.validation.env);
	shader.stage = stage_of(p, r->path, &shader.hlsl);
	return cli_compile_shader(r, &shader, COMPILER_SECONDS);
}

/* The sources that threads take. */
struct making {
	struct source *items;
	size_t count, next;
	unsigned threads;
	const struct source_store *store;
	pthread_mutex_t lock; /* of next */
};

static struct source *take_source(struct making *m)
{
	struct source *s = NULL;

	pthread_mutex_lock(&m->lock);
	if (m->next < m->count && !os_stop_signal())
		s = &m->items[m->next++];
	pthread_mutex_unlock(&m->lock);
	return s;
}

static void *make_in_thread(void *argument)
{
	struct making *m = argument;
	struct record record;

	if (!msg_open_record(&record))
		return NULL;
	for (struct source *s; (s = take_source(m));) {
		msg_begin_recording(&record);
		s->status = make(s->options, &s->file, m->store);
		bool whole = msg_end_recording(&record);
		s->said = record.size ? malloc(record.size) : NULL;
		s->said_size = s->said ? record.size : 0;
		if (s->said)
			memcpy(s->said, record.bytes, record.size);
		s->done = whole && (s->said || !record.size);
	}
	msg_close_record(&record);
	return NULL;
}

unsigned cli_threads(unsigned asked)
{
	long cores = os_cores();

	return asked ? asked : cores > 0 ? (unsigned)cores : 1;
}

/* This thread works as well, also in place of any that could not be started. */
static void make_all(struct making *m)
{
	size_t most = m->threads < m->count ? m->threads : m->count, started = 0;
	pthread_t *threads = calloc(most + 1, sizeof *threads);
	pthread_mutex_init(&m->lock, NULL);
	os_defer_signals(true);
	while (threads && started + 1 < most && !pthread_create(&threads[started], NULL, make_in_thread, m))
		started++;
	make_in_thread(m);
	while (started)
		pthread_join(threads[--started], NULL);
	os_heed_signals();
	pthread_mutex_destroy(&m->lock);
	free(threads);
}

/* The sources among the inputs, each once. */
static size_t list_sources(struct source *to, const struct source_inputs *lists, size_t count)
{
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < lists[i].count; k++) {
			struct resolver_file file = {.path = lists[i].inputs[k], .is_input = true};
			if (cli_is_source(lists[i].options, file.path))
				to[found++] = (struct source){.file = file, .options = lists[i].options};
		}
	}
	qsort(to, found, sizeof *to, by_path);
	for (size_t i = 0; i < found; i++) {
		if (!kept || by_path(&to[kept - 1], &to[i]))
			to[kept++] = to[i];
	}
	return kept;
}

int cli_make_sources(const struct source_inputs *lists, size_t count, unsigned threads,
		     const struct source_store *store)
{
	struct making m = {.threads = threads, .store = store};
	size_t room = 1;

	for (size_t i = 0; i < count; i++)
		room += lists[i].count;
	m.items = calloc(room, sizeof *m.items);
	if (!m.items)
		return msg_out_of_memory();
	m.count = list_sources(m.items, lists, count);
	if (m.count)
		make_all(&m);
	made.items = m.items;
	made.count = m.count;
	for (size_t i = 0; i < m.count; i++) {
		if (!m.items[i].done)
			return msg_out_of_memory();
	}
	return EXIT_DONE;
}

bool cli_has_shaders(const struct program_options *p, const char *const *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (cli_is_shader(p, inputs[i]))
			return true;
	}
	return false;
}

static bool has_refused(void)
{
	for (size_t i = 0; i < made.count; i++) {
		if (made.items[i].status != EXIT_DONE)
			return true;
	}
	return false;
}

int cli_make_own_sources(const struct program_options *p, const struct run_options *run,
			 const struct source_store *store)
{
	int status = cli_make_sources(&(struct source_inputs){p, p->inputs, p->input_count}, 1,
				      cli_threads(run->threads), store),
	    other;

	for (size_t i = 0; i < p->input_count && !run->each && has_refused(); i++) {
		if (cli_is_refused_source(p, p->inputs[i], &other) && status != EXIT_IO)
			status = other;
	}
	return status;
}

void cli_forget_sources(void)
{
	for (size_t i = 0; i < made.count; i++) {
		free(made.items[i].file.words[0]);
		free(made.items[i].said);
	}
	free(made.items);
	memset(&made, 0, sizeof made);
}
