/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SPB_FUZZ_IN_FOLDER_H
#define SPB_FUZZ_IN_FOLDER_H

#include "cli/messages/messages.h"

#include "fuzz.h"

/* in_folder.c */

void put_file(const char *path, const void *bytes, size_t size);

/* Between the two, messages are recorded. */
void begin_listening(struct record *r);
bool has_said_something(struct record *r);

#endif
