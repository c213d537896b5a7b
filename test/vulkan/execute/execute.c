/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_execute ICD < JOBS: each line is a compute shader and its bound variants, separated by tabs:
 *
 *     ID ENTRY MODULE {VARIANT MODULE BINDINGS}...
 *     BINDINGS     SET.BINDING:TYPE:COUNT:IDS:IDS, separated by spaces; COUNT 0 is a runtime array.
 IDS are the variables of the original with the memory, and with the sampler; the first one that it uses is taken.
 *
 * Prints lines `ID VARIANT PATTERN RESULT`. For the variant `original`, the result is `wrote`, `idle` (no memory has
 * changed), or `two runs differ`; for the others `same` or how they differ. A driver may crash or hang on a module:
 * jobs run in a child process with a limit of processor time, and another child continues. `left out: WHY`: nothing was
 * run. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "execute.h"

enum { CPU_SECONDS = 10, WALL_SECONDS = 600, MOST_VARIANTS = 8 };

struct phase { /* the next action of the child */
	uint32_t job, pattern;
	char variant[64];
};

static int report = -1;
static struct phase phase;
static timer_t timer;

static void begin(const char *variant, uint32_t pattern)
{
	struct itimerspec limit = {.it_value.tv_sec = CPU_SECONDS};

	snprintf(phase.variant, sizeof phase.variant, "%s", variant);
	phase.pattern = pattern;
	if (write(report, &phase, sizeof phase) != (ssize_t)sizeof phase)
		_exit(3);
	if (timer_settime(timer, 0, &limit, NULL))
		_exit(3);
	alarm(WALL_SECONDS);
}

static void say(const char *id, const char *variant, const char *pattern, const char *result)
{
	printf("\n%s\t%s\t%s\t%s\n", id, variant, pattern, result);
	fflush(stdout);
}

static uint32_t value_of(const char *name)
{
	for (const struct named *n = descriptor_names; n->name; n++) {
		if (!strcmp(n->name, name))
			return n->value;
	}
	die("no descriptor type %s", name);
}

static const struct resource *first_used(const struct original *o, char *ids)
{
	const struct resource *found = NULL;

	for (char *at = ids, *end; !found && *at; at = *end == ',' ? end + 1 : end) {
		uint32_t id = (uint32_t)strtoul(at, &end, 10);
		if (end == at)
			break;
		found = original_find(o, id);
	}
	return found;
}

static void read_bindings(struct pipeline *p, const struct original *o, char *text)
{
	char *more = NULL;

	for (char *word = strtok_r(text, " ", &more); word; word = strtok_r(NULL, " ", &more)) {
		struct descriptor *d = &p->items[p->count];
		char type[64], images[256], samplers[256];
		if (p->count++ == MOST_RESOURCES || sscanf(word, "%u.%u:%63[^:]:%u:%255[^:]:%255s", &d->set,
							   &d->binding, type, &d->count, images, samplers) != 6)
			die("too many bindings, or malformed ones: %s", word);
		d->type = (VkDescriptorType)value_of(type);
		d->runtime = !d->count;
		d->image = first_used(o, images);
		d->sampler = first_used(o, samplers);
	}
}

static void bind_original(struct pipeline *p, const struct original *o)
{
	snprintf(p->name, sizeof p->name, "original");
	for (uint32_t i = 0; i < o->count; i++) {
		const struct binding *b = &o->items[i].at;
		bool image = b->descriptor != VK_DESCRIPTOR_TYPE_SAMPLER,
		     sampler = !image || b->descriptor == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
		p->items[p->count++] = (struct descriptor){.set = b->set,
							   .binding = b->binding,
							   .count = b->count,
							   .runtime = b->runtime,
							   .type = b->descriptor,
							   .image = image ? &o->items[i] : NULL,
							   .sampler = sampler ? &o->items[i] : NULL};
	}
}

/* Keeps the output of the original; false if a second run differs. */
static bool keep(struct maker *v, const struct pipeline *p, struct original *o, uint32_t pattern, bool *wrote)
{
	bool stable = true;

	*wrote = false;
	original_fill(o, pattern);
	for (uint32_t i = 0; i < o->count; i++)
		original_copy(&o->items[i], o->items[i].before);
	dispatch_run(v, p, o, pattern);
	for (uint32_t i = 0; i < o->count; i++) {
		size_t size = original_words(&o->items[i]) * 4;
		uint32_t *after = zeroed(size + 4, 1);
		original_copy(&o->items[i], after);
		*wrote |= memcmp(after, o->items[i].before, size) != 0;
		memcpy(o->items[i].before, after, size);
		free(after);
	}
	dispatch_run(v, p, o, pattern);
	for (uint32_t i = 0; i < o->count && stable; i++) {
		size_t size = original_words(&o->items[i]) * 4;
		uint32_t *after = zeroed(size + 4, 1);
		original_copy(&o->items[i], after);
		stable = !memcmp(after, o->items[i].before, size);
		free(after);
	}
	return stable;
}

static void compare(const char *id, const char *variant, const char *pattern, const struct original *o)
{
	char text[160] = "same";

	for (uint32_t i = 0; i < o->count; i++) {
		const struct resource *r = &o->items[i];
		size_t count = original_words(r);
		uint32_t *after = zeroed(count + 1, 4);
		original_copy(r, after);
		for (size_t k = 0; k < count; k++) {
			if (after[k] == r->before[k])
				continue;
			snprintf(text, sizeof text, "differs: word %zu of what is at %u.%u is 0x%08X, not 0x%08X", k,
				 r->at.set, r->at.binding, after[k], r->before[k]);
			break;
		}
		free(after);
	}
	say(id, variant, pattern, text);
}

static void run_patterns(struct maker *v, const char *id, struct pipeline *pipelines, uint32_t count,
			 struct original *o, uint32_t first)
{
	static const char *const names[PATTERNS] = {"numbers", "floats"};

	for (uint32_t pattern = first; pattern < (o->arrays ? 1 : PATTERNS); pattern++) {
		bool wrote;
		begin("original", pattern);
		if (!keep(v, &pipelines[0], o, pattern, &wrote)) {
			say(id, "original", names[pattern], "two runs differ");
			continue;
		}
		say(id, "original", names[pattern], wrote ? "wrote" : "idle");
		for (uint32_t i = 1; i < count; i++) {
			begin(pipelines[i].name, pattern);
			dispatch_run(v, &pipelines[i], o, pattern);
			compare(id, pipelines[i].name, names[pattern], o);
		}
	}
}

static uint32_t make_variants(struct maker *v, char **fields, uint32_t count, struct pipeline *pipelines,
			      const struct original *o)
{
	uint32_t made = 1;

	for (uint32_t i = 3; i + 2 < count && made < MOST_VARIANTS; i += 3) {
		struct pipeline *p = &pipelines[made];
		struct program program = program_read(fields[i + 1]);
		snprintf(p->name, sizeof p->name, "%s", fields[i]);
		begin(p->name, PATTERNS);
		read_bindings(p, o, fields[i + 2]);
		const char *unmade = dispatch_make(v, p, o, &program);
		free(program.words);
		if (unmade)
			say(fields[0], p->name, "-", unmade);
		else
			made++;
		if (unmade)
			*p = (struct pipeline){.count = 0};
	}
	return made;
}

static void run_job(struct maker *v, char *line, uint32_t first_pattern)
{
	static struct original o;
	static struct pipeline pipelines[MOST_VARIANTS];
	char *fields[3 + 3 * MOST_VARIANTS];
	uint32_t count = 0, made = 0;

	for (char *more, *f = strtok_r(line, "\t\n", &more); f && count < 3 + 3 * MOST_VARIANTS;
	     f = strtok_r(NULL, "\t\n", &more))
		fields[count++] = f;
	if (count < 3)
		die("a job is ID, ENTRY, MODULE and variants");
	now_running = fields[0];
	memset(&o, 0, sizeof o);
	memset(pipelines, 0, sizeof pipelines);
	begin("original", PATTERNS);
	struct program program = program_read(fields[2]);
	const char *unmade = original_read(&o, &program, fields[1]);
	if (!unmade) {
		original_make(v, &o);
		bind_original(&pipelines[0], &o);
		unmade = dispatch_make(v, &pipelines[0], &o, &program);
	}
	free(program.words);
	if (unmade) {
		say(fields[0], "original", "-", unmade);
		original_free(v, &o);
		return;
	}
	made = make_variants(v, fields, count, pipelines, &o);
	run_patterns(v, fields[0], pipelines, made, &o, first_pattern);
	for (uint32_t i = 0; i < made; i++)
		dispatch_free(v, &pipelines[i]);
	original_free(v, &o);
}

static char **read_jobs(uint32_t *count)
{
	char **jobs = NULL, *line = NULL;
	size_t room = 0;

	for (*count = 0; getline(&line, &room, stdin) > 0; ++*count) {
		char **more = realloc(jobs, (*count + 1) * sizeof *jobs);
		if (!more)
			die("out of memory");
		jobs = more;
		jobs[*count] = strdup(line);
	}
	free(line);
	return jobs;
}

static _Noreturn void run_child(const char *icd, char **jobs, uint32_t count, struct phase from)
{
	static struct maker v;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGXCPU};

	phase = from;
	if (!getenv("LP_NUM_THREADS"))
		setenv("LP_NUM_THREADS", "1", 1); /* one order of work groups */
	if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer))
		die("timer_create");
	v.device.unvalidated = !getenv("SPB_EXECUTE_LAYER");
	device_choose(&v.device, icd);
	open_device(&v, true);
	vkGetDeviceQueue(v.device.device, 0, 0, &v.device.queue);
	for (; phase.job < count; phase.job++) {
		run_job(&v, jobs[phase.job], from.pattern);
		from.pattern = 0;
	}
	fflush(stdout);
	_exit(0);
}

/* Runs jobs from `from` on; returns where the child died, or with job == count. */
static struct phase run_in_child(const char *icd, char **jobs, uint32_t count, struct phase from, int *status)
{
	int ends[2];
	struct phase at = from, next;

	fflush(stdout);
	if (pipe(ends))
		die("pipe");
	pid_t child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		close(ends[0]);
		report = ends[1];
		run_child(icd, jobs, count, from);
	}
	close(ends[1]);
	at.variant[0] = 0;
	while (read(ends[0], &next, sizeof next) == (ssize_t)sizeof next)
		at = next;
	close(ends[0]);
	waitpid(child, status, 0);
	if (WIFEXITED(*status) && !WEXITSTATUS(*status))
		at.job = count;
	else if (!at.variant[0])
		die("no device could be opened");
	return at;
}

int main(int argc, char **argv)
{
	uint32_t count;
	struct phase at = {.job = 0};
	static const char *const names[PATTERNS + 1] = {"numbers", "floats", "-"};

	if (argc != 2) {
		fputs("usage: vulkan_execute ICD < JOBS\n", stderr);
		return 2;
	}
	char **jobs = read_jobs(&count);
	while (at.job < count) {
		int status;
		char id[1024];
		at = run_in_child(argv[1], jobs, count, at, &status);
		if (at.job == count)
			break;
		snprintf(id, sizeof id, "%.*s", (int)strcspn(jobs[at.job], "\t"), jobs[at.job]);
		bool slow = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM);
		say(id, at.variant, names[at.pattern],
		    slow                  ? "hangs"
		    : WIFSIGNALED(status) ? "crashes"
					  : "left out: it cannot be set up");
		if (++at.pattern >= PATTERNS) {
			at.job++;
			at.pattern = 0;
		}
	}
	return 0;
}
