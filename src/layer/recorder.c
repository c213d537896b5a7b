/* SPDX-License-Identifier: Apache-2.0 */
/* recorder: a folder from which spirv-bind repeats what the layer does, without the application:
 *
 *     programs.manifest                 includes all programs
 *     0123456789abcdef.program          one: its modules, entry points and specialization values
 *     modules/0123456789abcdef.spv
 *     layouts/0123456789abcdef.json     pipeline layouts
 *     names/0123456789abcdef            what the application calls a pipeline or shader object of the program
 *
 * Files are named by what they contain, and renamed to that when they are complete. So a record is whole whenever the
 * application is killed, and several processes may write one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layer/layer.h"

struct layer_record {
	char *folder;
	atomic_uint next_file;  /* for names of files that are being written */
	atomic_bool has_failed; /* which was reported */
};

static void fail(struct layer_record *r)
{
	if (!atomic_exchange(&r->has_failed, true))
		layer_complain("the record is incomplete, since its folder cannot be written: ", r->folder);
}

static char *path_of(const struct layer_record *r, const char *folder, const char *name, const char *suffix)
{
	struct layer_text t = {0};

	layer_add(&t, "%r%r%r%r", r->folder, folder, name, suffix);
	if (!t.lost)
		return t.data;
	free(t.data);
	return NULL;
}

static bool write_file(const char *path, const void *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool done = fd >= 0 && layer_write(fd, data, size);

	return fd >= 0 && close(fd) == 0 && done;
}

/* Unless it is there. */
static void keep_file(struct layer_record *r, const char *folder, const char *name, const void *data, size_t size)
{
	char suffix[48], *path = path_of(r, folder, name, ""), *temporary;

	snprintf(suffix, sizeof suffix, ".%ld.%u.tmp", (long)getpid(), atomic_fetch_add(&r->next_file, 1));
	temporary = path_of(r, folder, name, suffix);
	if (path && temporary && access(path, F_OK) != 0 &&
	    (!write_file(temporary, data, size) || rename(temporary, path) != 0)) {
		unlink(temporary);
		fail(r);
	}
	free(path);
	free(temporary);
}

static void keep_text(struct layer_record *r, const char *folder, uint64_t name, const char *suffix,
		      struct layer_text *t)
{
	struct layer_text file = {0};

	layer_add(&file, "%x%s", name, suffix);
	if (!file.lost && !t->lost)
		keep_file(r, folder, file.data, t->data, t->length);
	free(file.data);
	free(t->data);
}

struct layer_record *layer_record_open(const char *folder)
{
	static const char manifest[] = "include *.program\n";
	static const char *const folders[] = {"/modules", "/layouts", "/names"};
	struct layer_record *r = calloc(1, sizeof *r);

	if (!r)
		return NULL;
	mkdir(folder, 0777);
	r->folder = realpath(folder, NULL); /* the application may change its own */
	if (!r->folder) {
		layer_complain("the folder of the record cannot be made: ", folder);
		layer_record_close(r);
		return NULL;
	}
	for (size_t i = 0; i < LAYER_COUNT(folders); i++) {
		char *path = path_of(r, folders[i], "", "");
		if (path && mkdir(path, 0777) != 0 && errno != EEXIST)
			fail(r);
		free(path);
	}
	keep_file(r, "/", "programs.manifest", manifest, sizeof manifest - 1);
	return r;
}

void layer_record_close(struct layer_record *r)
{
	if (r)
		free(r->folder);
	free(r);
}

static void record_layout(struct layer_record *r, const struct layer_layout *l)
{
	struct layer_text t = {0};

	layer_add(&t, "{\"sets\":[");
	for (uint32_t k = 0; k < l->set_count; k++) {
		const struct layer_set *s = l->sets[k];
		layer_add(&t, "%s\n {\"set\":%u,\"flags\":%u,\"bindings\":[", k ? "," : "", k, s ? s->flags : 0);
		for (uint32_t n = 0; s && n < s->count; n++) {
			const struct layer_binding *b = &s->bindings[n];
			layer_add(&t, "%s\n  {\"binding\":%u,\"descriptorType\":%u,\"descriptorCount\":%u,",
				  n ? "," : "", b->binding, b->type, b->count);
			layer_add(&t, "\"stageFlags\":%u,\"bindingFlags\":%u}", b->stages, b->flags);
		}
		layer_add(&t, "]}");
	}
	layer_add(&t, "],\n\"pushConstants\":[");
	for (uint32_t k = 0; k < l->push_count; k++)
		layer_add(&t, "%s{\"stageFlags\":%u,\"offset\":%u,\"size\":%u}", k ? "," : "", l->push[k].stageFlags,
			  l->push[k].offset, l->push[k].size);
	layer_add(&t, "]}\n");
	keep_text(r, "/layouts/", l->hash, ".json", &t);
}

/* Others need quotes, or have what a manifest cannot say; then all entry points are meant. */
static bool are_plain(const struct layer_program *p)
{
	for (size_t k = 0; k < p->count; k++) {
		const char *s = p->stages[k]->entry;
		if (!*s || s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:")])
			return false;
	}
	return true;
}

void layer_record_program(struct layer_record *r, const struct layer_program *p)
{
	const struct layer_layout *l = p->stages[0]->layout;
	struct layer_text t = {0};

	layer_add(&t, "# %s", p->kind);
	for (size_t k = 0; k < p->count; k++)
		layer_add(&t, *layer_label(p->stages[k]) ? ", %s" : "", layer_label(p->stages[k]));
	if (l) {
		layer_add(&t, "\n# layouts/%x.json", l->hash);
		record_layout(r, l);
	}
	layer_add(&t, "\nprogram %x:", p->key);
	for (size_t k = 0; k < p->module_count; k++) {
		const struct layer_module *m = p->modules[k];
		keep_file(r, "/modules/", m->name, m->words, m->word_count * 4);
		layer_add(&t, " modules/%s", m->name);
	}
	for (size_t k = 0; are_plain(p) && k < p->count; k++) {
		size_t first = 0;
		while (strcmp(p->stages[first]->entry, p->stages[k]->entry) != 0)
			first++;
		layer_add(&t, first == k ? " -e %s" : "", p->stages[k]->entry);
	}
	for (uint32_t k = 0; k < p->value_count; k++)
		layer_add(&t, " --spec=%u=%l", p->values[k].id, p->values[k].value);
	layer_add(&t, "\n");
	keep_text(r, "/", p->key, ".program", &t);
}

void layer_record_name(struct layer_record *r, const struct layer_program *p, const char *name)
{
	struct layer_text t = {0};

	layer_add(&t, "%s\n", name);
	keep_text(r, "/names/", p->key, "", &t);
}
