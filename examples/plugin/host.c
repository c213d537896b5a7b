/* SPDX-License-Identifier: Apache-2.0 */
/* A host that loads spirv-bind at run time, without linking it. Prints the cache key of the results and the files that
 * they depend on.
 *
 *     host LIBRARY OUT.spv IN.spv [OPTION=VALUE]... */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-bind/plugin.h>

static void print_message(void *user, const spb_message *message)
{
	(void)user;
	fprintf(stderr, "%s%s%s\n", message->module, *message->module ? ": " : "", message->text);
}

/* This host reads files from the file system; an asset pipeline would read its own storage. */
static bool read_file(void *user, const char *path, const void **bytes, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *buffer = NULL;
	size_t count = 0, more = 1;

	(void)user;
	while (file && more) {
		char *larger = realloc(buffer, count + 65536);
		if (!larger)
			break;
		buffer = larger;
		more = fread(buffer + count, 1, 65536, file);
		count += more;
	}
	if (file)
		fclose(file);
	*bytes = buffer;
	*size = count;
	return file && buffer;
}

static void release_file(void *user, const void *bytes, size_t size)
{
	(void)user, (void)size;
	free((void *)bytes);
}

static const spb_plugin *load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "spb_plugin_get") : NULL;
	spb_plugin_get_fn get;

	if (!symbol) {
		fprintf(stderr, "%s\n", dlerror());
		return NULL;
	}
	memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from void * to a function */
	return get(SPB_PLUGIN_VERSION);
}

static bool set_options(const spb_plugin *p, spb_job *job, char **options)
{
	for (; *options; options++) {
		char *equals = strchr(*options, '=');
		if (equals)
			*equals = '\0';
		if (p->set(job, *options, equals ? equals + 1 : NULL) != SPB_OK)
			return false;
	}
	return true;
}

static bool write_module(const spb_plugin *p, const spb_job *job, const char *path)
{
	size_t count;
	const uint32_t *words = p->module(job, 0, &count);
	FILE *file = words ? fopen(path, "wb") : NULL;
	size_t written = file ? fwrite(words, sizeof *words, count, file) : 0;

	return file && !fclose(file) && written == count;
}

int main(int argc, char **argv)
{
	const spb_plugin_host host = {
	    .struct_size = sizeof host, .read = read_file, .release = release_file, .message = print_message};
	const spb_plugin *p = argc > 3 ? load(argv[1]) : NULL;
	const char *name, *key;
	spb_job *job;

	if (!p || p->create(&host, &job) != SPB_OK)
		return 2;
	bool done = set_options(p, job, argv + 4) && p->add_file(job, argv[3], 0) == SPB_OK && (key = p->key(job)) &&
		    printf("%s\n", key) && p->run(job) == SPB_OK && write_module(p, job, argv[2]);
	for (uint32_t i = 0; (name = p->name(SPB_NAME_TOOL, i)); i++)
		printf("%s%s", name, p->name(SPB_NAME_TOOL, i + 1) ? " " : "\n");
	for (uint32_t i = 0; (name = p->dependency(job, i)); i++)
		printf("%s\n", name);
	p->destroy(job);
	return done ? 0 : 1;
}
