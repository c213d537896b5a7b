/* SPDX-License-Identifier: Apache-2.0 */
/* sources: inputs that are not modules yet, recognised by their suffix. They are compiled first, by as many compilers
 * at a time as there are threads; reading such a file afterwards gives its module, or repeats the messages of the
 * compiler.
 *
 *     lit.frag, lit.frag.glsl     GLSL      by glslangValidator or glslc, as resolvers are
 *     lit.frag.hlsl               HLSL      the same
 *     lit.frag.spvasm             assembly  by the assembler of SPIRV-Tools
 *
 * A file of such a name that has SPIR-V in it is a module.
 * They are SPIR-V of the version of --target-env, or 1.0, and have debug lines, which tell the order of declaration. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/resolvers.h"

struct source {
	struct resolver_file file;
	const struct program_options
	    *options; /* of its program: what -I, -D and --target-env say is part of what it is */
	int status;   /* EXIT_* */
	char *said;   /* while it was made */
	size_t said_size;
	bool done;
};

static struct {
	struct source *items; /* by path and options */
	size_t count;         /* 0 until all are made */
} made;

static const struct {
	const char *suffix, *stage;
} stages[] = {
    {".vert", "vert"},   {".tesc", "tesc"},   {".tese", "tese"},   {".geom", "geom"},   {".frag", "frag"},
    {".comp", "comp"},   {".task", "task"},   {".mesh", "mesh"},   {".rgen", "rgen"},   {".rint", "rint"},
    {".rahit", "rahit"}, {".rchit", "rchit"}, {".rmiss", "rmiss"}, {".rcall", "rcall"},
};

static bool ends_with(const char *text, size_t length, const char *end)
{
	size_t tail = strlen(end);

	return length > tail && !memcmp(text + length - tail, end, tail);
}

/* The stage in the name. NULL: none, so this is not a shader. */
static const char *stage_of(const char *path, bool *hlsl)
{
	size_t length = strlen(path);

	*hlsl = ends_with(path, length, ".hlsl");
	if (*hlsl || ends_with(path, length, ".glsl"))
		length -= strlen(".glsl");
	for (size_t i = 0; i < SPB_COUNT(stages); i++) {
		if (ends_with(path, length, stages[i].suffix))
			return stages[i].stage;
	}
	return NULL;
}

static bool is_assembly(const char *path)
{
	return ends_with(path, strlen(path), ".spvasm");
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

bool cli_is_source(const char *path)
{
	bool hlsl;

	return (is_assembly(path) || stage_of(path, &hlsl)) && !has_module(path);
}

/* lit.frag becomes lit.frag.spv, lit.frag.spvasm as well. */
size_t cli_module_name_length(const char *name)
{
	return strlen(name) - (is_assembly(name) ? strlen(".spvasm") : 0);
}

char *cli_path_in(const char *directory, const char *path)
{
	const char *base = cli_base_of(path);
	bool source = cli_is_source(path);
	size_t kept = source ? cli_module_name_length(base) : strlen(base);
	size_t length = strlen(directory) + kept + sizeof "/.spv";
	char *name = malloc(length);

	if (name)
		snprintf(name, length, "%s/%.*s%s", directory, (int)kept, base, source ? ".spv" : "");
	return name;
}

static int compare_words(const char *const *x, size_t x_count, const char *const *y, size_t y_count)
{
	int order = (x_count > y_count) - (x_count < y_count);

	for (size_t i = 0; i < x_count && !order; i++)
		order = strcmp(x[i], y[i]);
	return order;
}

static int by_path(const void *a, const void *b)
{
	const struct source *x = a, *y = b;
	const struct source_options *o = &x->options->sources, *p = &y->options->sources;
	spb_env o_env = x->options->library.validation.env, p_env = y->options->library.validation.env;
	int order = strcmp(x->file.path, y->file.path);

	if (!order)
		order = (o_env > p_env) - (o_env < p_env);
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

	if (!s || s->status == EXIT_DONE)
		return false;
	msg_replay(s->said, s->said_size);
	*status = s->status;
	return true;
}

static int make(const struct program_options *p, struct resolver_file *r, const struct source_store *store)
{
	struct shader shader = {.include_paths = p->sources.include_paths,
				.include_path_count = p->sources.include_path_count,
				.macros = p->sources.macros,
				.macro_count = p->sources.macro_count,
				.env = p->library.validation.env,
				.store = store};

	if (is_assembly(r->path))
		return cli_assemble_file(r, p->library.validation.env);
	shader.stage = stage_of(r->path, &shader.hlsl);
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

/* Those of the inputs, each once. */
static size_t list_sources(struct source *to, const struct source_inputs *lists, size_t count)
{
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < lists[i].count; k++) {
			struct resolver_file file = {.path = lists[i].inputs[k], .is_input = true};
			if (cli_is_source(file.path))
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

bool cli_has_sources(const char *const *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (cli_is_source(inputs[i]) && !is_assembly(inputs[i]))
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

	for (size_t i = 0; i < p->input_count && !run->each; i++) {
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
