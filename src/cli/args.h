/* SPDX-License-Identifier: Apache-2.0 */
/* args: what the files that read the command line share. */
#ifndef SPB_ARGS_H
#define SPB_ARGS_H

#include "cli/cli.h"

#define SPB_COUNT(array) (sizeof(array) / sizeof(array)[0])

/* args.c: each says on stderr what is wrong, and sets a->done */

void usage(struct arguments *a, const char *what, const char *word);
bool read_number(struct arguments *a, const char *option, const char *value, uint32_t *number);

struct choice { /* a word that an option takes, and what it means */
	const char *option, *word;
	int value;
};

bool read_choice(struct arguments *a, const struct choice *choices_of, size_t count, const char *option,
		 const char *value, int *chosen);

/* args_handles.c */

extern const char handles_help[];

/* Options about DescriptorHandles and their heaps. false: it is none of them. */
bool read_handle_value(struct arguments *a, const char *option, const char *value);
void check_handle_options(struct arguments *a); /* once all are read */

#endif
