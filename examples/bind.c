/* SPDX-License-Identifier: Apache-2.0 */
/* The library in one file: binds a module and prints the set and binding of each of its descriptors.
 *
 *     bind IN.spv OUT.spv */
#include <stdio.h>
#include <stdlib.h>

#include <spirv-bind/spirv_bind.h>

static void print_message(void *user, const spb_message *message)
{
	(void)user;
	fprintf(stderr, "%s: %s\n", message->module, message->text);
}

static uint32_t *read_words(const char *path, size_t *count)
{
	FILE *file = fopen(path, "rb");
	uint32_t *words = NULL;
	long size = -1;

	if (file && !fseek(file, 0, SEEK_END) && (size = ftell(file)) > 0 && !fseek(file, 0, SEEK_SET))
		words = (uint32_t *)malloc((size_t)size); /* the cast is for C++ */
	*count = words ? fread(words, sizeof *words, (size_t)size / sizeof *words, file) : 0;
	if (file)
		fclose(file);
	return words;
}

static int write_words(const char *path, const uint32_t *words, size_t count)
{
	FILE *file = fopen(path, "wb");
	size_t written = file ? fwrite(words, sizeof *words, count, file) : 0;

	return !file || fclose(file) || written != count;
}

static int print_descriptors(spb_program *program)
{
	const spb_descriptor_binding *descriptors;
	size_t count = spb_program_descriptors(program, sizeof *descriptors, &descriptors);

	for (size_t i = 0; i < count; i++)
		printf("%u.%u %s: %s\n", (unsigned)descriptors[i].set, (unsigned)descriptors[i].binding,
		       descriptors[i].name, spb_name(SPB_NAME_DESCRIPTOR_TYPE, descriptors[i].descriptor_type));
	return 0;
}

int main(int argc, char **argv)
{
	const spb_callbacks callbacks = {print_message, NULL};
	spb_context *context = NULL;
	spb_program *program = NULL;
	spb_options options;
	size_t count = 0;
	uint32_t *words = argc == 3 ? read_words(argv[1], &count) : NULL;
	int status = 1;

	spb_options_init(&options, sizeof options);
	if (words && spb_context_create(NULL, &callbacks, &context) == SPB_OK &&
	    spb_program_create(context, &options, &program) == SPB_OK &&
	    spb_program_add(program, argv[1], words, count, 0) == SPB_OK && spb_program_bind(program) == SPB_OK) {
		const uint32_t *bound = spb_program_words(program, 0, SPB_WORDS_OUTPUT, &count);
		status = write_words(argv[2], bound, count) || print_descriptors(program);
	}
	spb_program_destroy(program);
	spb_context_destroy(context);
	free(words);
	return status;
}
