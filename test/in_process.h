/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SPB_TEST_IN_PROCESS_H
#define SPB_TEST_IN_PROCESS_H

#include <stddef.h>
#include <stdint.h>

enum { ELSEWHERE = 125 }; /* a status: start the program itself */

/* in_process.c */
void stop(const char *what, const char *path);
char *contents(const char *path, size_t *size); /* with a 0 at the end */
void write_words(const char *path, const uint32_t *words, size_t count);

/* in_process_glslang.c */
int compile_glsl_here(int count, char **given);

#endif
