/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_log: runs many compute shaders that share one layout, and appends the contents of the block Log after each to
 * a file.
 *
 *     vulkan_log ICD LAYOUT.json OUT [--block NAME] [--fill NAME FILE]... [--vertices N | --points N]
 * [COMPANION.spv]... < jobs
 *
 * With --block, it is the block NAME instead. With --fill, the block NAME begins with the bytes of FILE. A job is a
 * line "MODULE.spv GROUPS X". Companions are the other stages of a pipeline that draws; a job may have one of its own:
 * "MODULE.spv GROUPS X COMPANION.spv".
 *
 * Contents are those of run.h, the same before each job, except that Log is 0; word j of the push constants is 5 j + 3.
 * Specialization constant 0 is 6, and 1 is X. OUT has one Log for each finished job, in order, which shows in which one
 * a driver crashed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../run.h"

enum { MAX_FILLED = 4 };
enum { SECONDS = 90 }; /* ends a program that does not terminate; generous for busy machines */

struct logging {
	FILE *out;
	struct element *log;
	const char *block; /* its name */
	struct {
		const char *block, *file;
	} filled[MAX_FILLED];
	uint32_t filled_count;
	void **before; /* contents of the first element of each binding, if shaders may write it */
};

static bool is_written(const struct binding *b)
{
	return b->descriptor == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER && b->count == 1;
}

static void fill(struct run *r)
{
	struct logging *l = r->user;

	for (uint32_t i = 0; i < r->layout->binding_count; i++) {
		struct binding *b = &r->layout->bindings[i];
		struct element *e = &b->elements[0];
		if (!is_written(b))
			continue;
		if (!l->before[i])
			l->before[i] = memcpy(zeroed((size_t)e->size, 1), e->words, (size_t)e->size);
		memcpy(e->words, l->before[i], (size_t)e->size);
	}
	for (uint32_t i = 0; i < l->filled_count; i++) {
		struct element *e = &layout_find(r->layout, l->filled[i].block)->elements[0];
		FILE *file = fopen(l->filled[i].file, "rb");
		if (!file || !fread(e->words, 1, (size_t)e->size, file))
			die("cannot read %s", l->filled[i].file);
		fclose(file);
	}
	l->log = &layout_find(r->layout, l->block)->elements[0];
	memset(l->log->words, 0, (size_t)l->log->size);
}

static void keep(struct run *r)
{
	struct logging *l = r->user;

	if (fwrite(l->log->words, (size_t)l->log->size, 1, l->out) != 1 || fflush(l->out) != 0)
		die("cannot write the log");
}

/* If a driver crashes, or a shader does not terminate, the log is too short. */
static void on_crash(int signal_number)
{
	const char *text = signal_number == SIGALRM ? "no end\n" : "crashed\n";

	_exit(write(STDERR_FILENO, text, strlen(text)) < 0 ? 4 : 3);
}

static void read_companions(struct run *r, struct logging *l, char **arguments)
{
	static struct program companions[MAX_COMPANIONS];

	r->companions = companions;
	for (; *arguments; arguments++) {
		if (!strcmp(*arguments, "--fill") && arguments[1] && arguments[2] && l->filled_count < MAX_FILLED) {
			l->filled[l->filled_count].block = *++arguments;
			l->filled[l->filled_count++].file = *++arguments;
			continue;
		}
		if (!strcmp(*arguments, "--vertices") || !strcmp(*arguments, "--points")) {
			r->points = !strcmp(*arguments, "--points");
			r->vertices = arguments[1] ? (uint32_t)strtoul(*++arguments, NULL, 10) : 0;
		} else if (r->companion_count < MAX_COMPANIONS) {
			companions[r->companion_count++] = program_read(*arguments);
		} else {
			die("too many companions");
		}
	}
}

int main(int argc, char **argv)
{
	struct device d = {.complaints = 0};
	struct logging l = {.block = "Log"};
	uint32_t constants[2] = {6, 0};
	struct run r = {
	    .device = &d, .fill = fill, .read = keep, .user = &l, .constants = constants, .constant_count = 2};
	char line[2048], path[1024], other[1024];
	unsigned complaints = 0;

	if (argc < 4) {
		fputs("usage: vulkan_log ICD LAYOUT.json OUT [--block NAME] [--vertices N | --points N] [COMPANION]... "
		      "< JOBS\n",
		      stderr);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGSEGV, on_crash);
	signal(SIGILL, on_crash);
	signal(SIGBUS, on_crash);
	signal(SIGABRT, on_crash);
	signal(SIGFPE, on_crash);
	signal(SIGALRM, on_crash);
	device_choose(&d, argv[1]);
	r.layout = layout_read(argv[2]);
	l.before = zeroed(r.layout->binding_count, sizeof *l.before);
	l.out = fopen(argv[3], "ab");
	if (!l.out)
		die("cannot open %s", argv[3]);
	for (uint32_t i = 0; i < sizeof r.push / sizeof r.push[0]; i++)
		r.push[i] = 5 * i + 3;
	if (argc > 5 && !strcmp(argv[4], "--block"))
		l.block = argv[5];
	read_companions(&r, &l, argv + (strcmp(l.block, "Log") ? 6 : 4));
	run_open(&r);
	int words;
	while (fgets(line, sizeof line, stdin) &&
	       (words = sscanf(line, "%1023s %u %u %1023s", path, &r.groups, &constants[1], other)) >= 3) {
		struct program program = program_read(path), companion = {0};
		now_running = path;
		r.program = &program;
		if (words == 4) {
			companion = program_read(other);
			r.companions = &companion;
			r.companion_count = 1;
		}
		alarm(SECONDS);
		run_program(&r);
		alarm(0);
		free(program.words);
		free(companion.words);
		complaints += d.complaints;
		d.complaints = 0;
	}
	run_close(&r);
	device_forget(&d);
	fclose(l.out);
	return complaints != 0;
}
