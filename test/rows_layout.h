/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by rows_layout.c and rows_declared.c. */
#ifndef SPB_TEST_ROWS_LAYOUT_H
#define SPB_TEST_ROWS_LAYOUT_H

#include "rows.h"

/* A module that uses all of these declarations in order, with a source text unless it is "". */
struct words declared(const struct row *row, const char *stage, const char *declarations, const char *source);

#endif
