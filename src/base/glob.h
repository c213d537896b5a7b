/* SPDX-License-Identifier: Apache-2.0 */
/* glob: patterns with * (any run of bytes) and ? (any byte), for the library and the command. */
#ifndef SPB_GLOB_H
#define SPB_GLOB_H

#include <stdbool.h>

bool spb_glob(const char *pattern, const char *text);

#endif
