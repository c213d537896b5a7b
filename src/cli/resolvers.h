/* SPDX-License-Identifier: Apache-2.0 */
/* resolvers: what the files that read --resolver share. */
#ifndef SPB_RESOLVERS_H
#define SPB_RESOLVERS_H

#include "cli/cli.h"

/* resolvers.c; int: EXIT_* */
int out_of_memory(void);
int take_words(struct resolver_file *r, const void *bytes, size_t size);
/* `more`: lines that say it in detail, or "" */
int refuse_resolver(const struct resolver_file *r, const char *what, char *more);

/* compile_glsl.c; version: N of SPIR-V 1.N */
int compile_glsl(struct resolver_file *r, const char *text, uint32_t version);

#endif
