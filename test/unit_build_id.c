/* SPDX-License-Identifier: Apache-2.0 */
/* The build id of the program and of the libraries that results depend on: the notes in which it is found. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/os/os.h"

#if defined(__linux__)
#include <elf.h>
#include <link.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { NOTE = PT_NOTE, LOADED = PT_LOAD, BUILD_ID = NT_GNU_BUILD_ID, OTHER = NT_GNU_ABI_TAG, MOST = 64, BEHIND = 20 };

/* A note: the length of its name, the name, and contents of `size` bytes, counting from `first`. */
struct made_note {
	uint32_t type, name_size;
	const char *name;
	uint32_t size;
	unsigned char first;
};
struct made {
	const char *name;      /* of the object */
	uint32_t segment_type; /* type of the first of two segments with these notes; the second is always PT_NOTE */
	struct made_note notes[3];
	uint32_t split;       /* how many of them are in the first segment */
	uint32_t less, extra; /* bytes missing at the end of the first segment, and extra ones after it */
};

static const struct made *made;
static size_t made_count;

static uint32_t *put_note(uint32_t *to, const struct made_note *n)
{
	uint32_t words = (n->size + 3) / 4, name_words = (n->name_size + 3) / 4;

	to[0] = n->name_size;
	to[1] = n->size;
	to[2] = n->type;
	memset(to + 3, 0, 4 * (words + name_words));
	memcpy(to + 3, n->name, strlen(n->name));
	for (uint32_t i = 0; i < n->size; i++)
		((unsigned char *)(to + 3 + name_words))[i] = (unsigned char)(n->first + i);
	return to + 3 + name_words + words;
}

typedef int see(struct dl_phdr_info *object, size_t size, void *user);

/* The linker redirects the command's call here. */
int __wrap_dl_iterate_phdr(see *function, void *user);
int __wrap_dl_iterate_phdr(see *function, void *user)
{
	static uint32_t words[4 * MOST];

	for (size_t i = 0; i < made_count; i++) {
		uint32_t *end = words, *middle = words;
		for (uint32_t k = 0; k < COUNT(made[i].notes) && made[i].notes[k].name; k++) {
			end = put_note(end, &made[i].notes[k]);
			if (k + 1 == made[i].split)
				middle = end;
		}
		const struct made_note behind = {BUILD_ID, 4, "GNU", 1, 0x99};
		put_note(end, &behind);
		const size_t first = (size_t)((char *)middle - (char *)words),
			     all = (size_t)((char *)end - (char *)words);
		const ElfW(Phdr) segments[] = {
		    {.p_type = made[i].segment_type, .p_vaddr = 100, .p_memsz = first - made[i].less + made[i].extra},
		    {.p_type = NOTE, .p_vaddr = 100 + first, .p_memsz = all - first},
		    {.p_type = NOTE, .p_vaddr = 100 + all, .p_memsz = BEHIND}}; /* outside of the object */
		struct dl_phdr_info o = {.dlpi_addr = (uintptr_t)words - 100,
					 .dlpi_name = made[i].name,
					 .dlpi_phdr = segments,
					 .dlpi_phnum = 2};
		if (function(&o, sizeof o, user))
			return 1;
	}
	return 0;
}

/* Each byte in hexadecimal. */
static void assert_id(const struct made *objects, size_t count, size_t room, const char *wanted)
{
	unsigned char id[MOST];
	char found[2 * MOST + 1] = "";

	memset(id, 0xEE, sizeof id);
	made = objects;
	made_count = count;
	size_t size = os_build_id(id, room);
	assert_true(size <= room);
	for (size_t i = 0; i < size; i++)
		sprintf(found + 2 * i, "%02x", id[i]);
	assert_string_equal(found, wanted);
	for (size_t i = room; i < sizeof id; i++)
		assert_int_equal(id[i], 0xEE);
}

static void the_id_is_that_of_the_build_id_note(void **state)
{
	static const struct {
		struct made object;
		const char *wanted;
	} rows[] = {
	    {{"", NOTE, {{BUILD_ID, 4, "GNU", 4, 0x10}}, 1, 0, 0}, "10111213"},
	    {{"", NOTE, {{BUILD_ID, 4, "GNU", 3, 0x10}}, 1, 0, 0}, "101112"},
	    {{"", NOTE, {{BUILD_ID, 4, "GNU", 5, 0x10}}, 1, 0, 0}, "1011121314"},
	    {{NULL, NOTE, {{BUILD_ID, 4, "GNU", 4, 0x10}}, 1, 0, 0}, "10111213"},
	    /* after others, in the same segment or in the next one */
	    {{"", NOTE, {{OTHER, 4, "GNU", 5, 1}, {BUILD_ID, 4, "GNU", 2, 0x20}}, 2, 0, 0}, "2021"},
	    {{"", NOTE, {{OTHER, 4, "GNU", 4, 1}, {BUILD_ID, 4, "GNU", 2, 0x20}}, 1, 0, 0}, "2021"},
	    {{"", NOTE, {{OTHER, 4, "GNU", 4, 1}, {OTHER, 7, "spirv", 0, 1}, {BUILD_ID, 4, "GNU", 2, 0x30}}, 3, 0, 0},
	     "3031"},
	    {{"", NOTE, {{BUILD_ID, 4, "GNX", 4, 1}, {BUILD_ID, 4, "GNU", 2, 0x20}}, 2, 0, 0}, "2021"},
	    {{"", NOTE, {{BUILD_ID, 4, "GNUX", 4, 1}, {BUILD_ID, 4, "GNU", 2, 0x20}}, 2, 0, 0}, "2021"},
	    {{"", NOTE, {{BUILD_ID, 5, "GNU", 4, 1}, {BUILD_ID, 4, "GNU", 2, 0x20}}, 2, 0, 0}, "2021"},
	    {{"", NOTE, {{BUILD_ID, 8, "GNU", 4, 1}, {BUILD_ID, 4, "GNU", 2, 0x20}}, 2, 0, 0}, "2021"},
	    /* the first of two wins */
	    {{"", NOTE, {{BUILD_ID, 4, "GNU", 1, 0x10}, {BUILD_ID, 4, "GNU", 1, 0x20}}, 2, 0, 0}, "10"},
	    {{"", NOTE, {{BUILD_ID, 4, "GNU", 1, 0x10}, {BUILD_ID, 4, "GNU", 1, 0x20}}, 1, 0, 0}, "10"},
	    /* segments other than notes */
	    {{"", LOADED, {{BUILD_ID, 4, "GNU", 1, 0x10}, {BUILD_ID, 4, "GNU", 1, 0x20}}, 1, 0, 0}, "20"},
	    {{"", LOADED, {{BUILD_ID, 4, "GNU", 1, 0x10}}, 1, 0, 0}, ""},
	    /* notes that are cut off: no header is read in part, and no contents */
	    {{"", NOTE, {{BUILD_ID, 4, "GNU", 4, 0x10}}, 1, 1, 0}, ""},
	    {{"", NOTE, {{BUILD_ID, 4, "GNU", 4, 0x10}}, 1, 12, 0}, ""},
	    {{"", NOTE, {{OTHER, 4, "GNU", 4, 1}, {BUILD_ID, 4, "GNU", 4, 0x20}}, 2, 1, 0}, ""},
	    {{"", NOTE, {{OTHER, 4, "GNU", 4, 1}, {BUILD_ID, 0, "", 0, 0x20}}, 2, 1, 0}, ""},
	    {{"", NOTE, {{OTHER, 4, "GNU", 4, 1}}, 1, 0, 11}, ""},
	    {{"", NOTE, {{OTHER, 4, "GNU", 4, 1}}, 1, 0, 0}, ""},
	    {{"", NOTE, {{BUILD_ID, 4, "GNU", 0, 1}}, 1, 0, 0}, ""},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_id(&rows[i].object, 1, MOST, rows[i].wanted);
}

#define HAS(name, first)                                                                                               \
	{                                                                                                              \
		name, NOTE, {{BUILD_ID, 4, "GNU", 3, first}}, 1, 0, 0                                                  \
	}
#define HAS_NONE(name)                                                                                                 \
	{                                                                                                              \
		name, NOTE, {{OTHER, 4, "GNU", 3, 1}}, 1, 0, 0                                                         \
	}

static void the_program_and_its_libraries_need_a_build_id(void **state)
{
	static const struct made objects[] = {HAS("", 0x10),
					      HAS_NONE("linux-vdso.so.1"),
					      HAS("/lib/libc.so.6", 0x20),
					      HAS("/lib/libSPIRV-Tools.so", 0x30),
					      HAS("libspirv-bind.so.1", 0x40),
					      HAS_NONE("/lib/libm.so.6")},
				 without_tools[] = {HAS("", 0x10), HAS_NONE("/lib/libSPIRV-Tools.so")},
				 without_ours[] = {HAS("", 0x10), HAS_NONE("/lib/libspirv-bind.so"),
						   HAS("/lib/libSPIRV-Tools.so", 0x30)},
				 without_own[] = {HAS_NONE(""), HAS("libspirv-bind.so", 0x40)};

	(void)state;
	assert_id(objects, COUNT(objects), MOST, "101112303132404142");
	assert_id(objects, COUNT(objects), 9, "101112303132404142");
	for (size_t room = 0; room < 9; room++) /* a part of it would not identify the program */
		assert_id(objects, COUNT(objects), room, "");
	assert_id(without_tools, COUNT(without_tools), MOST, "");
	assert_id(without_ours, COUNT(without_ours), MOST, "");
	assert_id(without_own, COUNT(without_own), MOST, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_id_is_that_of_the_build_id_note),
	    cmocka_unit_test(the_program_and_its_libraries_need_a_build_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	return 0;
}
#endif
