/* SPDX-License-Identifier: Apache-2.0 */
/* build_id: the build id of this program, a hash of its contents that the linker has put into a note (ld --build-id).
 * Reading it takes no time, while the hash of an executable of some megabytes takes as long as that of a thousand
 * modules. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include <stdint.h>
#include <string.h>

#include "cli/os/os.h"

#if defined(__linux__)
#include <elf.h>
#include <link.h>

struct search {
	unsigned char *id;
	size_t room;
	size_t size;  /* of the id */
	bool missing; /* a part of the program has none, or there is no room for all */
};

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* Adds the ids in the notes. Both name and contents of a note are padded to words. */
static bool read_notes(struct search *s, const unsigned char *at, size_t size)
{
	ElfW(Nhdr) h;

	while (size >= sizeof h) {
		memcpy(&h, at, sizeof h);
		size_t name = padded(h.n_namesz), whole = sizeof h + name + padded(h.n_descsz);
		if (whole > size)
			break;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 && !memcmp(at + sizeof h, "GNU", 4)) {
			if (h.n_descsz > s->room - s->size)
				return false;
			memcpy(s->id + s->size, at + sizeof h + name, h.n_descsz);
			s->size += h.n_descsz;
			return true;
		}
		at += whole;
		size -= whole;
	}
	return false;
}

/* Reads the program itself, and our library and SPIRV-Tools if they are shared libraries. */
static int read_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct search *s = user;
	bool found = false;

	(void)size;
	if (object->dlpi_name && *object->dlpi_name && !strstr(object->dlpi_name, "SPIRV-Tools") &&
	    !strstr(object->dlpi_name, "libspirv-bind"))
		return 0;
	for (int i = 0; i < object->dlpi_phnum && !found; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		const void *notes = (const void *)(uintptr_t)(object->dlpi_addr + p->p_vaddr);
		found = p->p_type == PT_NOTE && read_notes(s, notes, p->p_memsz);
	}
	s->missing |= !found;
	return 0;
}

size_t os_build_id(unsigned char *id, size_t room)
{
	struct search s = {.id = id, .room = room};

	dl_iterate_phdr(read_object, &s);
	return s.missing ? 0 : s.size;
}
#else
size_t os_build_id(unsigned char *id, size_t room)
{
	(void)id;
	(void)room;
	return 0;
}
#endif
