/* SPDX-License-Identifier: Apache-2.0 */
/* What the targets have in common (program.c). A target is given any bytes, and stops the process if what is promised
 * does not hold; libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer see the rest. */
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

/* In a block of its own, so that a read behind it is noticed. Free with free(). */
char *copy_text(const uint8_t *data, size_t size);

/* The caller's memory: what is out, the most that was, and which allocation fails, from 0 on; -1: none. */
struct meter {
	size_t now, most;
	long count, failing;
};

void *metered_resize(void *user, void *p, size_t old_size, size_t new_size);

/* A callback for messages, of which each must say something. */
void has_text(void *user, const spb_message *message);

/* Makes a call again if memory has run out, which it does once. */
#define UNTIL_THERE_IS_MEMORY(status, call)                                                                            \
	do                                                                                                             \
		(status) = (call);                                                                                     \
	while ((status) == SPB_ERROR_OUT_OF_MEMORY)

/* Numbers that follow from the input. */
uint32_t next_number(uint64_t *state, uint32_t below);
uint64_t number_of(const uint8_t *data, size_t size);

spb_status set_option(spb_program *program, const char *setting); /* NAME or NAME=VALUE */

/* A program of one module. */
struct attempt {
	const spb_options *options;
	const char *const *settings; /* for set_option(), ended by NULL; or NULL */
	const uint32_t *words;
	size_t count;
	size_t more; /* ids and words that options have */
};

/* The bound in the header, in either byte order, as far as SPIR-V allows it. */
uint32_t bound_of(const uint32_t *words, size_t count);

/* Binds it, asks for all results, and does so again: with the same input, with memory that ends at one allocation, or
 * with the output as the input; `number` says which, and where memory ends. The status is that of the first time. */
spb_status try_program(const struct attempt *attempt, uint64_t number);

#endif
