/* SPDX-License-Identifier: Apache-2.0 */
/* main: vulkan_run, one line of output per case (see usage). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

enum { PASS = 0, FAIL = 1, USAGE = 2, SECONDS = 90 };
enum expect { RIGHT, WRONG_STRIPPED, WRONG_KEPT, WRONG_DERIVED };

enum { MAX_CONSTANTS = 8 };

struct job {
	const struct test_case *test;
	const char *spirv, *layout;
	const char *before_spirv, *before_layout;
	struct program companions[MAX_COMPANIONS];
	uint32_t companion_count, vertices;
	uint32_t constants[MAX_CONSTANTS], constant_count;
	bool points;
};

struct arguments {
	const char *icd;
	bool strip, break_loops, break_gradients, none_broken;
	enum expect expect;
	struct job *jobs;
	size_t job_count;
};

static void usage(void)
{
	fputs("Usage: vulkan_run --icd FILE [--strip-nonuniform | --break-waterfall | --break-gradients]\n"
	      "       [--none-broken] "
	      "[--expect-fail=stripped|kept|gradients] JOB...\n"
	      "       vulkan_run --list\n"
	      "JOB:   --case NAME --spirv FILE --layout FILE [--before FILE --before-layout FILE]\n"
	      "       [--with FILE]... [--vertices N | --points N] [--constant ID=N]\n"
	      "\n"
	      "  --strip-nonuniform      take all NonUniform decorations out of the SPIR-V first\n"
	      "  --break-waterfall       make all accesses of a loop at once, each by its own index\n"
	      "  --break-gradients       negate instead of taking derivatives\n"
	      "  --none-broken           what the case knows to be wrong on this driver must be right, too\n"
	      "  --expect-fail=WHICH     pass if what the case says of this driver comes out wrong\n"
	      "  --with                  a shader of another stage, without descriptors\n"
	      "  --before, --before-layout  also run this, and compare all storage buffers\n"
	      "Exit status: 0 all passed; 1 some failed.\n",
	      stderr);
	exit(USAGE);
}

static const struct test_case *find_case(const char *name)
{
	for (size_t i = 0; i < test_case_count; i++) {
		if (!strcmp(test_cases[i].name, name))
			return &test_cases[i];
	}
	die("there is no case %s", name);
}

static void list_cases(void)
{
	for (size_t i = 0; i < test_case_count; i++) {
		const struct test_case *t = &test_cases[i];
		for (const struct column *c = t->columns; c->name; c++)
			printf("%s %s%s%s%s%s\n", t->name, c->name, c->stripped & LAVAPIPE ? " stripped:lavapipe" : "",
			       c->stripped & SWIFTSHADER ? " stripped:swiftshader" : "",
			       c->kept & LAVAPIPE ? " kept:lavapipe" : "",
			       c->kept & SWIFTSHADER ? " kept:swiftshader" : "");
	}
	exit(PASS);
}

/* ID=VALUE; ids below that are not given are 0. */
static void read_constant(struct job *job, const char *text)
{
	char *end;
	const unsigned long id = strtoul(text, &end, 10);

	if (*end != '=' || id >= MAX_CONSTANTS)
		usage();
	job->constants[id] = (uint32_t)strtoul(end + 1, NULL, 10);
	if (job->constant_count <= id)
		job->constant_count = (uint32_t)id + 1;
}

static void read_job_option(struct arguments *a, const char *option, const char *value)
{
	struct job *job = &a->jobs[a->job_count - 1];

	if (!a->job_count)
		usage();
	if (!strcmp(option, "--spirv"))
		job->spirv = value;
	else if (!strcmp(option, "--layout"))
		job->layout = value;
	else if (!strcmp(option, "--before"))
		job->before_spirv = value;
	else if (!strcmp(option, "--before-layout"))
		job->before_layout = value;
	else if (!strcmp(option, "--with") && job->companion_count < MAX_COMPANIONS)
		job->companions[job->companion_count++] = program_read(value);
	else if (!strcmp(option, "--vertices") || !strcmp(option, "--points"))
		job->vertices = (uint32_t)strtoul(value, NULL, 10);
	else if (!strcmp(option, "--constant"))
		read_constant(job, value);
	else
		usage();
	job->points |= !strcmp(option, "--points");
}

static struct arguments read_arguments(int argc, char **argv)
{
	struct arguments a = {.jobs = zeroed((size_t)argc, sizeof *a.jobs)};

	for (int i = 1; i < argc; i++) {
		const char *option = argv[i];
		if (!strcmp(option, "--list"))
			list_cases();
		if (!strcmp(option, "--strip-nonuniform")) {
			a.strip = true;
		} else if (!strcmp(option, "--break-waterfall")) {
			a.break_loops = true;
		} else if (!strcmp(option, "--break-gradients")) {
			a.break_gradients = true;
		} else if (!strcmp(option, "--none-broken")) {
			a.none_broken = true;
		} else if (!strcmp(option, "--expect-fail=stripped")) {
			a.expect = WRONG_STRIPPED;
		} else if (!strcmp(option, "--expect-fail=kept")) {
			a.expect = WRONG_KEPT;
		} else if (!strcmp(option, "--expect-fail=gradients")) {
			a.expect = WRONG_DERIVED;
		} else if (++i == argc) {
			usage();
		} else if (!strcmp(option, "--icd")) {
			a.icd = argv[i];
		} else if (!strcmp(option, "--case")) {
			a.jobs[a.job_count++].test = find_case(argv[i]);
		} else {
			read_job_option(&a, option, argv[i]);
		}
	}
	for (size_t i = 0; i < a.job_count; i++) {
		if (!a.jobs[i].spirv || !a.jobs[i].layout || !a.jobs[i].before_spirv != !a.jobs[i].before_layout)
			usage();
	}
	if (!a.icd || !a.job_count)
		usage();
	return a;
}

/* The results of a run. */
struct results {
	const struct test_case *test;
	uint32_t values[MAX_COLUMNS][LANES];
	char **names; /* of the storage buffers; contents[i] has sizes[i] bytes */
	void **contents;
	size_t *sizes, count;
};

static void fill(struct run *r)
{
	case_fill(r, ((struct results *)r->user)->test);
}

static void keep_buffer(struct results *s, const char *of, uint32_t k, const struct element *e)
{
	char *name = zeroed(strlen(of) + 16, 1);
	size_t size = (size_t)e->size;

	sprintf(name, "%s[%u]", of, k);
	s->names[s->count] = name;
	s->sizes[s->count] = size;
	s->contents[s->count] = memcpy(zeroed(size, 1), e->words, size);
	s->count++;
}

static void read_back(struct run *r)
{
	struct results *s = r->user;
	size_t most = 1;

	for (uint32_t i = 0; s->test->columns[i].name; i++) {
		for (uint32_t lane = 0; lane < LANES; lane++)
			s->values[i][lane] = case_result(r, &s->test->columns[i], i, lane);
	}
	for (uint32_t i = 0; i < r->layout->binding_count; i++)
		most += r->layout->bindings[i].filled;
	s->names = zeroed(most, sizeof *s->names);
	s->contents = zeroed(most, sizeof *s->contents);
	s->sizes = zeroed(most, sizeof *s->sizes);
	for (uint32_t i = 0; i < r->layout->binding_count; i++) {
		const struct binding *b = &r->layout->bindings[i];
		for (uint32_t k = 0; b->descriptor == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER && k < b->filled; k++)
			keep_buffer(s, b->name, k, &b->elements[k]);
	}
	if (r->target)
		keep_buffer(s, "target", 0, r->target);
}

static void forget_results(struct results *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->names[i]);
		free(s->contents[i]);
	}
	free(s->names);
	free(s->contents);
	free(s->sizes);
}

static struct results execute(struct device *d, const struct job *job, const char *spirv, const char *layout,
			      const struct arguments *a)
{
	struct results s = {.test = job->test};
	struct program program = program_read(spirv);
	struct run r = {.device = d,
			.layout = layout_read(layout),
			.program = &program,
			.companions = job->companions,
			.companion_count = job->companion_count,
			.vertices = job->vertices,
			.points = job->points,
			.constants = job->constants,
			.constant_count = job->constant_count,
			.fill = fill,
			.read = read_back};

	if (a->strip)
		program_strip_nonuniform(&program);
	if (a->break_loops)
		program_break_waterfall(&program);
	if (a->break_gradients)
		program_break_gradients(&program);
	r.user = &s;
	run_once(&r);
	layout_free(r.layout);
	free(program.words);
	return s;
}

static uint32_t expected(const struct column *c, uint32_t lane)
{
	return c->a + c->b * pick(lane) + c->c * lane;
}

static bool is_right(const struct results *s, uint32_t column)
{
	for (uint32_t lane = 0; lane < LANES; lane++) {
		if (s->values[column][lane] != expected(&s->test->columns[column], lane))
			return false;
	}
	return true;
}

static void print_wrong(const struct results *s, uint32_t column)
{
	const struct column *c = &s->test->columns[column];

	printf("%s: %s:", now_running, c->name);
	for (uint32_t lane = 0; lane < LANES; lane++)
		printf(" %u", s->values[column][lane]);
	printf(" instead of");
	for (uint32_t lane = 0; lane < LANES; lane++)
		printf(" %u", expected(c, lane));
	printf("\n");
}

static bool all_right(const struct device *d, const struct results *s, bool none_broken)
{
	bool right = true;

	for (uint32_t i = 0; s->test->columns[i].name; i++) {
		if ((none_broken || !(s->test->columns[i].broken & d->driver)) && !is_right(s, i)) {
			print_wrong(s, i);
			right = false;
		}
	}
	return right;
}

/* Columns that a driver is known to get wrong must be wrong: otherwise a missing decoration would go unnoticed. */
static bool wrong_as_known(const struct device *d, const struct results *s, enum expect expect)
{
	bool as_known = true;

	printf("%s: wrong:", now_running);
	for (uint32_t i = 0; s->test->columns[i].name; i++) {
		if (!is_right(s, i))
			printf(" %s", s->test->columns[i].name);
	}
	printf("\n");
	for (uint32_t i = 0; s->test->columns[i].name; i++) {
		const struct column *c = &s->test->columns[i];
		unsigned drivers = expect == WRONG_STRIPPED  ? c->stripped
				   : expect == WRONG_KEPT    ? c->kept
				   : c->stripped & GRADIENTS ? d->driver
							     : 0;
		if ((drivers & d->driver) && is_right(s, i)) {
			printf("%s: %s is right all the same\n", now_running, c->name);
			as_known = false;
		}
	}
	return as_known;
}

static void print_difference(const struct results *before, size_t i, const struct results *after, size_t k)
{
	const uint32_t *a = before->contents[i], *b = k < after->count ? after->contents[k] : NULL;

	printf("%s: %s differs before and after\n", now_running, before->names[i]);
	for (size_t w = 0; b && w < before->sizes[i] / 4 && w < after->sizes[k] / 4; w++) {
		if (a[w] != b[w])
			printf("%s:     word %zu: %u, then %u\n", now_running, w, a[w], b[w]);
	}
}

static bool same_buffers(const struct results *before, const struct results *after)
{
	bool same = before->count == after->count;

	for (size_t i = 0; i < before->count; i++) {
		size_t k = 0;
		while (k < after->count && strcmp(before->names[i], after->names[k]) != 0)
			k++;
		if (k == after->count || before->sizes[i] != after->sizes[k] ||
		    memcmp(before->contents[i], after->contents[k], before->sizes[i]) != 0) {
			print_difference(before, i, after, k);
			same = false;
		}
	}
	return same;
}

static bool run_job(struct device *d, const struct arguments *a, const struct job *job)
{
	struct results after = execute(d, job, job->spirv, job->layout, a);
	bool good = a->expect ? wrong_as_known(d, &after, a->expect) : all_right(d, &after, a->none_broken);

	if (job->before_spirv && a->expect == RIGHT) {
		struct results before = execute(d, job, job->before_spirv, job->before_layout, a);
		good &= same_buffers(&before, &after);
		forget_results(&before);
	}
	forget_results(&after);
	return good;
}

/* A driver that crashes: reports in which case. */
static void on_crash(int signal_number)
{
	static const char text[] = ": FAIL: crashed\n";

	(void)signal_number;
	if (write(STDOUT_FILENO, now_running, strlen(now_running)) < 0 ||
	    write(STDOUT_FILENO, text, sizeof text - 1) < 0)
		_exit(FAIL);
	_exit(FAIL);
}

/* A shader that does not end. */
static void on_alarm(int signal_number)
{
	static const char text[] = ": FAIL: no end\n";

	(void)signal_number;
	if (write(STDOUT_FILENO, now_running, strlen(now_running)) < 0 ||
	    write(STDOUT_FILENO, text, sizeof text - 1) < 0)
		_exit(FAIL);
	_exit(FAIL);
}

int main(int argc, char **argv)
{
	struct arguments a = read_arguments(argc, argv);
	struct device d = {0};
	int status = PASS;

	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGALRM, on_alarm);
	signal(SIGSEGV, on_crash);
	signal(SIGILL, on_crash);
	signal(SIGBUS, on_crash);
	signal(SIGABRT, on_crash);
	device_choose(&d, a.icd);
	if (d.complaints)
		status = FAIL;
	for (size_t i = 0; i < a.job_count; i++) {
		char title[512];
		snprintf(title, sizeof title, "%s %s (%s)", d.driver_name, a.jobs[i].test->name, a.jobs[i].spirv);
		now_running = title;
		d.complaints = 0;
		alarm(SECONDS);
		bool good = run_job(&d, &a, &a.jobs[i]) && !d.complaints;
		printf("%s: %s\n", title, good ? "pass" : "FAIL");
		if (!good)
			status = FAIL;
		alarm(0);
		now_running = "vulkan_run";
	}
	d.complaints = 0;
	device_forget(&d);
	if (d.complaints)
		status = FAIL;
	for (size_t i = 0; i < a.job_count; i++) {
		for (uint32_t k = 0; k < a.jobs[i].companion_count; k++)
			free(a.jobs[i].companions[k].words);
	}
	free(a.jobs);
	return status;
}
