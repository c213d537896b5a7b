/* SPDX-License-Identifier: Apache-2.0 */
/* ahead: the files of some programs, read before these are bound, and written when all of them have been.
 *
 * SPIRV-Tools is some hundred KB of code, and so is what the system does for a file. By turns, they push each other out
 * of the caches: a thread that binds sixteen small programs between reading and writing takes a tenth less time than
 * with one (and less again if it validates them after it has bound them: later.c). Nothing depends on it: what could
 * not be read or kept is read or written when it is the program's turn, and says then what there is to say. */
#include <stdlib.h>
#include <string.h>

#include "cli/jobs/jobs.h"

size_t read_ahead(const struct job *job, struct loaded **inputs)
{
	size_t bytes = 0;
	int status;

	*inputs = job->skipped ? NULL : calloc(job->input_count + 1, sizeof **inputs);
	for (size_t i = 0; *inputs && i < job->input_count && bytes < MOST_AHEAD; i++) {
		struct loaded *l = &(*inputs)[i];
		if (is_refused_source(job->arguments, job->inputs[i], &status))
			break;
		l->bytes = read_input(job->arguments, job->inputs[i], &l->size);
		if (!l->bytes)
			break;
		bytes += l->size;
	}
	return bytes;
}

void free_inputs(const struct job *job, struct loaded *inputs)
{
	for (size_t i = 0; inputs && i < job->input_count; i++)
		free(inputs[i].bytes);
	free(inputs);
}

/* One block: the outputs, the bytes of each, of which modules are the first ones and so begin where words may, and the
 * paths. */
bool defer_outputs(struct deferred *d, const struct output *outputs, size_t count)
{
	size_t most = MOST_AHEAD, size = count * sizeof *outputs;

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(outputs[i].path, "-") || outputs[i].size > most) /* what is printed has its turn */
			return false;
		most -= outputs[i].size;
		size += outputs[i].size + strlen(outputs[i].path) + 1;
	}
	d->items = malloc(size + 1);
	if (!d->items)
		return false;
	char *p = (char *)(d->items + count);
	for (size_t i = 0; i < count; i++) {
		d->items[i] = (struct output){.bytes = p, .size = outputs[i].size};
		memcpy(p, outputs[i].bytes, outputs[i].size);
		p += outputs[i].size;
	}
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(outputs[i].path) + 1;
		d->items[i].path = p;
		memcpy(p, outputs[i].path, length);
		p += length;
	}
	d->count = count;
	return true;
}

void forget_deferred(struct deferred *d)
{
	free(d->items);
	*d = (struct deferred){0};
}
