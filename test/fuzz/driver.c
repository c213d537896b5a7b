/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the fixtures through the fuzz target without libFuzzer, whole, cut off at many places, and with single
 * words changed to values that tend to hurt. The same on every run.
 *
 *     fuzz_parse [COUNT] FOLDER|FILE.spvasm ...     COUNT: changed ones of each fixture that follows; 250 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <spirv-tools/libspirv.h>

#include "spirv-bind/spirv_bind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned runs, files, newer, most = 250;
static uint64_t seed;

static void try_words(const uint32_t *words, size_t count)
{
	LLVMFuzzerTestOneInput((const uint8_t *)words, count * 4);
	runs++;
}

static void mutate(const uint32_t *words, size_t count)
{
	static const uint32_t values[] = {0,          1,          2,          5,          0x7FFFFFFF,
					  0xFFFFFFFF, 0x00010000, 0xFFFF0000, 0x0004003B, 0x00020014};
	uint32_t *copy = malloc(count * 4);
	uint64_t random = 88172645463325252u + seed * 0x9E3779B97F4A7C15u;

	try_words(words, count);
	for (size_t n = 0; n < count; n += 1 + count / 60)
		try_words(words, n);
	for (unsigned n = 0; n < most; n++) {
		memcpy(copy, words, count * 4);
		for (unsigned k = 0; k <= n % 3; k++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			size_t at = (size_t)(random >> 16) % count;
			unsigned how = (unsigned)(random & 15);
			if (how < 10)
				copy[at] = values[how];
			else if (how < 13)
				copy[at] = copy[(size_t)(random >> 40) % count];
			else
				copy[at] ^= 1u << (random >> 11 & 31);
		}
		try_words(copy, count);
	}
	free(copy);
}

static void read_fixture(const char *path)
{
	FILE *f = fopen(path, "rb");
	static char text[1 << 20];
	size_t length = f ? fread(text, 1, sizeof text, f) : 0;
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_binary binary = NULL;

	if (f)
		fclose(f);
	if (spvTextToBinary(context, text, length, &binary, NULL) != SPV_SUCCESS) {
		if (strstr(text, "DescriptorHeapEXT")) { /* which SPIRV-Tools knows from 2026.1 on */
			spvContextDestroy(context);
			newer++;
			return;
		}
		fprintf(stderr, "%s cannot be assembled\n", path);
		exit(1);
	}
	mutate(binary->code, binary->wordCount);
	files++;
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void walk(const char *folder)
{
	struct dirent **names;
	int count = scandir(folder, &names, NULL, by_name);

	for (int i = 0; i < count; i++) {
		char path[4096];
		struct stat st;
		const char *name = names[i]->d_name, *dot = strrchr(name, '.');
		snprintf(path, sizeof path, "%s/%s", folder, name);
		if (name[0] != '.' && !stat(path, &st)) {
			if (S_ISDIR(st.st_mode))
				walk(path);
			else if (dot && !strcmp(dot, ".spvasm") && !strstr(name, ".expect."))
				read_fixture(path);
		}
		free(names[i]);
	}
	free(names);
}

int main(int argc, char **argv)
{
	const char *other = getenv("SPB_FUZZ_SEED"); /* a number, for other mutations than those of the suite */

	seed = other ? strtoull(other, NULL, 10) : 0;
	for (int i = 1; i < argc; i++) {
		const char *dot = strrchr(argv[i], '.');
		if (argv[i][0] >= '0' && argv[i][0] <= '9')
			most = (unsigned)strtoul(argv[i], NULL, 10);
		else if (dot && !strcmp(dot, ".spvasm"))
			read_fixture(argv[i]);
		else
			walk(argv[i]);
	}
	printf("%u runs over %u fixtures; %u need a newer SPIRV-Tools\n", runs, files, newer);
	return files ? 0 : 1;
}
