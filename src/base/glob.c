/* SPDX-License-Identifier: Apache-2.0 */
/* glob: on a mismatch, only the last * is retried, so the time is bounded by the product of the lengths. */
#include "base/glob.h"

#include <stddef.h>

bool spb_glob(const char *pattern, const char *text)
{
	const char *star = NULL, *retry = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
