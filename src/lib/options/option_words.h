/* SPDX-License-Identifier: Apache-2.0 */
/* option_words: values of options that are lines of the policy language, and words that resemble one another. */
#ifndef SPB_OPTION_WORDS_H
#define SPB_OPTION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The line of the policy language for a value of --place, --policy or --shift, in 64 bytes and twice those of the
 * value. False: the value has another form. */
bool spb_policy_line(const char *option, const char *value, char *line);

/* For the search for what was meant: is the other word nearer, by letters to insert, delete, replace or swap with the
 * next one, than *nearest? Then that becomes the distance. */
bool spb_is_nearer(const char *word, const char *other, size_t *nearest);

#endif
