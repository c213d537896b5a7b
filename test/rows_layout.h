/* SPDX-License-Identifier: Apache-2.0 */
/* What rows_layout.c and rows_declared.c share. */
#ifndef SPB_TEST_ROWS_LAYOUT_H
#define SPB_TEST_ROWS_LAYOUT_H

#include "rows.h"

/* A module with these declarations, all of which are used in their order, and, unless it is "", a source text. */
struct words declared(const struct row *row, const char *stage, const char *declarations, const char *source);

#endif
