/* SPDX-License-Identifier: Apache-2.0 */
/* option: the options that affect the results of a program, by their names on the command line. A row of the table
 * says which field of spb_options an option sets and how its value is read. spb_program_set, the plug-in, the command
 * line and the lines of manifests all read values here, so a value means the same everywhere.
 *
 * The command is compiled with this file, too, because it checks options against each other before it creates a
 * program. It depends only on the public header. */
#ifndef SPB_OPTION_H
#define SPB_OPTION_H

#include "spirv-bind/spirv_bind.h"

enum spb_option_kind {
	SPB_OPTION_FLAG,   /* no value or 1: true; 0: false */
	SPB_OPTION_BITS,   /* the same for the bits of `set`, which are added to the field or removed from it */
	SPB_OPTION_NUMBER, /* a uint32_t, decimal or hexadecimal */
	SPB_OPTION_CHOICE, /* one of `choices` */
	SPB_OPTION_TEXT,   /* any text */
	SPB_OPTION_PARTS,  /* `read` parses the value */
	SPB_OPTION_FILE    /* a file, which the caller reads: not an option of spb_program_set */
};

/* Heaps as another compiler arranges them: words of heap-model, in addition to those of spb_heap_model. */
enum { SPB_HEAPS_OF_SLANG = 100, SPB_HEAPS_OF_DXC };

struct spb_choice {
	const char *word; /* NULL ends a list */
	uint32_t value;
};

struct spb_option_reader;

struct spb_option {
	const char *name; /* without dashes */
	enum spb_option_kind kind;
	bool is_optional; /* the value may be left out: it is then `set` */
	bool is_repeated; /* each value adds to those before it */
	uint32_t set;
	size_t field;                     /* in spb_options */
	size_t given;                     /* becomes true with any value; 0: there is no such field */
	const struct spb_choice *choices; /* or NULL */
	spb_name_kind names;              /* further words that a value is, or begins with; 0: none */
	bool (*read)(struct spb_option_reader *r, const struct spb_option *o, const char *value);
	const char *expected; /* what a value is, for messages; NULL: one of the words */
};

/* Where the options go, and the memory of what they point to. */
struct spb_option_reader {
	spb_options *options;                       /* its lists must have been made here, or with spb_option_room */
	void *(*allocate)(void *user, size_t size); /* lasts as long as the options; NULL: there is no memory */
	void *user;
	bool no_memory;
	char expected[1024]; /* what was expected instead of a value that was refused */
};

/* The row `index`; NULL past the last. */
const struct spb_option *spb_option_row(uint32_t index);
const struct spb_option *spb_option_find(const char *name); /* NULL: there is none */

/* Whether the value names a file, which the caller has to read; spb_option_read does not accept it. */
bool spb_option_is_file(const struct spb_option *o, const char *value);

/* Reads a value, NULL for none, which is never "". False: r->expected says what it should be, or r->no_memory. */
bool spb_option_read(struct spb_option_reader *r, const struct spb_option *o, const char *value);

/* Inserts a policy by precedence: rules given as options come before profiles and files, since the first line that
 * matches a resource wins; shift and option lines come after them, since the last of those wins. name: that of a
 * profile or of a file, or "--OPTION=VALUE". Keeps copies. False: r->no_memory. */
bool spb_option_add_policy(struct spb_option_reader *r, const char *name, const char *text);

/* The capacity that a list of this many options needs so that one more can be added. */
uint32_t spb_option_room(uint32_t count);

/* Whether a field of the options may have this value: */
bool spb_is_pair(const char *text);    /* combined.merge */
bool spb_is_pass(const char *text);    /* debug.dump_after */
bool spb_are_passes(const char *text); /* debug.only */
bool spb_are_rules(const char *text);  /* uniformity.lint */
bool spb_are_host_features(const char *text);

#endif
