/* SPDX-License-Identifier: Apache-2.0 */
/* values: JSON values as the formats for programs need them. NULL stands for what is left out, or for no memory. */
#ifndef SPB_CLI_VALUES_H
#define SPB_CLI_VALUES_H

#include <jansson.h>

#include "cli/cli.h"

extern const char *const severity_words[3];

void begin_values(void);
bool values_are_whole(void);     /* none has been left out for lack of memory since */
void *value_memory(size_t size); /* for what a value is made of; free() */

json_t *text_value(const char *text);                           /* bytes that are no UTF-8 as '?' */
json_t *known_value(const char *text);                          /* NULL for "" */
json_t *number_value(uint64_t n);                               /* NULL for 0 */
json_t *code_value(const spb_message *m);                       /* "SPB5006" */
void set_value(json_t *object, const char *key, json_t *value); /* steals the value; nothing for NULL */
bool has_source(const spb_message *m);                          /* the source place is known */

#endif
