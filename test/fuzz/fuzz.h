/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the targets (program.c). A target gets any bytes, and aborts if a guarantee is violated; libFuzzer,
 * AddressSanitizer and UndefinedBehaviorSanitizer detect the rest. */
#ifndef SPB_FUZZ_H
#define SPB_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv-bind/spirv_bind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) must((condition) != 0, #condition, __FILE__, __LINE__)
void must(bool holds, const char *condition, const char *file, int line);

/* In a separate block, so that reads past its end are detected. Free with free(). */
char *copy_text(const uint8_t *data, size_t size);

/* The caller's memory: bytes in use, their maximum, and the index of the allocation that fails; -1: none. */
struct meter {
	size_t now, most;
	long count, failing;
};

void *metered_resize(void *user, void *p, size_t old_size, size_t new_size);

/* A callback that checks that messages have a text. */
void has_text(void *user, const spb_message *message);

/* Repeats a call that has run out of memory, which happens once. */
#define UNTIL_THERE_IS_MEMORY(status, call)                                                                            \
	do                                                                                                             \
		(status) = (call);                                                                                     \
	while ((status) == SPB_ERROR_OUT_OF_MEMORY)

/* Numbers derived from the input. */
uint32_t next_number(uint64_t *state, uint32_t below);
uint64_t number_of(const uint8_t *data, size_t size);

spb_status set_option(spb_program *program, const char *setting); /* NAME or NAME=VALUE */

/* A program of one module. */
struct attempt {
	const spb_options *options;
	const char *const *settings; /* for set_option(), ended by NULL; or NULL */
	const uint32_t *words;
	size_t count;
	size_t more;      /* ids and words in the options */
	bool loses_names; /* so pairs and heaps are not found again in the output */
};

/* The bound in the header, in either byte order, as far as SPIR-V allows it. */
uint32_t bound_of(const uint32_t *words, size_t count);

/* Binds it, gets all results, and does so again: with the same input, with one failing allocation, or with the output
 * as the input; `number` selects which, and the allocation. Returns the first status. */
spb_status try_program(const struct attempt *attempt, uint64_t number);

#endif
