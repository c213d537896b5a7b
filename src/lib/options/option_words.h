/* SPDX-License-Identifier: Apache-2.0 */
/* option_words: values of options that are lines of the policy language, and words that resemble one another. */
#ifndef SPB_OPTION_WORDS_H
#define SPB_OPTION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The line of the policy language for a value of --place, --policy or --shift, in 64 bytes and twice those of the
 * value. False: the value has another form. */
bool spb_policy_line(const char *option, const char *value, char *line);

/* The number of letters to insert, delete, replace or swap with the next one to turn one into the other; 64 if one is
 * too long. */
size_t spb_word_distance(const char *a, const char *b);

#endif
