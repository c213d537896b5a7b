/* SPDX-License-Identifier: Apache-2.0 */
/* wrong_usage: how reading the command line ends early. */
#include <string.h>

#include "cli/cli.h"

void cli_usage(struct arguments *a, const char *const *words)
{
	msg_say(SPB_SEVERITY_ERROR, words);
	a->done = EXIT_USAGE + 1;
}

void cli_no_memory(struct arguments *a)
{
	a->done = msg_out_of_memory() + 1;
}

void cli_end_print(struct arguments *a)
{
	a->done = msg_flush() + 1;
}

size_t cli_distance(const char *a, const char *b)
{
	enum { MAX = 40 };
	size_t d[MAX + 1][MAX + 1], m = strlen(a), n = strlen(b);

	if (m > MAX || n > MAX)
		return MAX;
	for (size_t i = 0; i <= m; i++) {
		for (size_t j = 0; j <= n; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
			best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[m][n];
}
