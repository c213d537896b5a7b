/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_pipelines ICD < JOBS: each line `ID LAYOUT MODULE...`, separated by tabs. LAYOUT is a layout JSON, or `-` for
 * the layout that SPIRV-Cross reflects from the modules. Prints `ID ok`, `ID refused`, `ID left out: why` or `ID
 * crashed` for each, after the messages of the validation layer about it.
 *
 * A driver may crash on a module: jobs run in a child process, and another child continues with the next job. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipelines.h"

enum { SECONDS = 300 }; /* a guard against hangs */

static const char *try_job(struct maker *v, char **paths, uint32_t count, const char *json)
{
	static struct module modules[MOST_MODULES];
	static struct slots slots;
	VkDescriptorSetLayout sets[MOST_SETS] = {0};
	const char *left_out = NULL;

	memset(modules, 0, sizeof modules);
	memset(&slots, 0, sizeof slots);
	for (uint32_t i = 0; i < count && !left_out; i++)
		left_out = reflect(&modules[i], paths[i], strcmp(json, "-") ? NULL : &slots);
	if (strcmp(json, "-") != 0)
		slots_read(&slots, json);
	left_out = left_out ? left_out : slots.unmade;
	if (!left_out) {
		VkPipelineLayout layout = slots_make(v, &slots, sets);
		left_out = slots.unmade;
		if (!left_out && !v->device.complaints)
			left_out = make_pipelines(v, modules, count, layout);
	}
	for (uint32_t i = 0; i < count; i++)
		free(modules[i].program.words);
	return left_out; /* Vulkan objects end with the process */
}

static void run_job(struct maker *v, char *line)
{
	char *fields[2 + MOST_MODULES];
	uint32_t count = 0;

	for (char *field = strtok(line, "\t\n"); field && count < 2 + MOST_MODULES; field = strtok(NULL, "\t\n"))
		fields[count++] = field;
	if (count < 3)
		die("a job is ID, LAYOUT and modules");
	now_running = fields[0];
	v->device.complaints = 0;
	alarm(SECONDS);
	const char *left_out = try_job(v, fields + 2, count - 2, fields[1]);
	if (v->device.complaints)
		printf("\n%s\trefused\n", fields[0]);
	else if (left_out)
		printf("\n%s\tleft out: %s\n", fields[0], left_out);
	else
		printf("\n%s\tok\n", fields[0]);
	fflush(stdout);
}

static char **read_jobs(size_t *count)
{
	static char line[1 << 16];
	char **jobs = NULL;

	for (*count = 0; fgets(line, sizeof line, stdin); ++*count) {
		char **more = realloc(jobs, (*count + 1) * sizeof *jobs);
		char *copy = more ? malloc(strlen(line) + 1) : NULL;
		if (!copy)
			die("out of memory");
		jobs = more;
		jobs[*count] = strcpy(copy, line);
	}
	return jobs;
}

/* Runs jobs from `next` on; returns the number of the one that killed the child, or count. */
static size_t run_in_child(const char *icd, char **jobs, size_t next, size_t count)
{
	int report[2], status;
	size_t at = next;

	fflush(stdout);
	if (pipe(report))
		die("pipe");
	pid_t child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		static struct maker v;
		close(report[0]);
		device_choose(&v.device, icd);
		open_device(&v, false);
		for (; at < count; at++) {
			run_job(&v, jobs[at]);
			if (write(report[1], "", 1) != 1)
				_exit(3);
		}
		fflush(stdout);
		_exit(0);
	}
	close(report[1]);
	for (char byte; read(report[0], &byte, 1) == 1;)
		at++;
	close(report[0]);
	waitpid(child, &status, 0);
	if (at == next && WIFEXITED(status) && WEXITSTATUS(status) && at < count)
		die("no device could be opened, or the first job was malformed");
	return at;
}

int main(int argc, char **argv)
{
	size_t count;

	if (argc != 2) {
		fputs("usage: vulkan_pipelines ICD < JOBS\n", stderr);
		return 2;
	}
	char **jobs = read_jobs(&count);
	for (size_t next = 0; next < count; next++) {
		next = run_in_child(argv[1], jobs, next, count);
		if (next < count)
			printf("\n%.*s\tcrashed\n", (int)strcspn(jobs[next], "\t"), jobs[next]);
	}
	return 0;
}
