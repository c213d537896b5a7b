/* SPDX-License-Identifier: Apache-2.0 */
/* args_values: options whose values need more than a field. Those that need a file of their own are in args_*.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"

/* Refusing values */

void arg_refuse_value(struct arguments *a, const struct option *o, const char *expected, const char *value)
{
	cli_usage(a, WORDS(o->name, ": expected ", expected, "; got \"", value, "\""));
}

void arg_refuse_choice(struct arguments *a, const struct option *o, const char *value)
{
	char list[512] = "";
	const char *word;

	for (uint32_t i = 0; (word = arg_option_word(o, i)) != NULL; i++) {
		arg_append(list, sizeof list, !i ? "" : arg_option_word(o, i + 1) || arg_takes_file(o) ? ", " : " or ");
		arg_append(list, sizeof list, word);
	}
	if (arg_takes_file(o))
		arg_append(list, sizeof list, " or the name of a file");
	arg_refuse_value(a, o, list, value);
}

bool arg_read_choice(struct arguments *a, const struct option *o, const char *word, uint32_t *value)
{
	for (const struct choice *c = o->choices; c->word; c++) {
		if (!strcmp(c->word, word)) {
			*value = c->value;
			return true;
		}
	}
	arg_refuse_choice(a, o, word);
	return false;
}

/* Memory that lives as long as the arguments; NULL: out of memory. */
static void *keep(void *arguments, size_t size)
{
	struct arguments *a = arguments;
	void **blocks = realloc(a->program.blocks, (a->program.block_count + 1) * sizeof *blocks),
	     *block = blocks ? malloc(size) : NULL;

	if (blocks)
		a->program.blocks = blocks;
	if (block)
		a->program.blocks[a->program.block_count++] = block;
	return block;
}

struct spb_option_reader arg_option_reader(struct arguments *a)
{
	return (struct spb_option_reader){.options = &a->program.library, .allocate = keep, .user = a};
}

/* One function for each option */

void arg_add_output(struct arguments *a, const struct option *o, const char *value)
{
	struct program_options *p = &a->program;

	(void)o;
	p->modules.files[p->modules.count++] = value;
	p->modules.first = p->modules.files[0];
}

void arg_read_against(struct arguments *a, const struct option *o, const char *value)
{
	const char *at = cli_asked_sets(value);
	char *end;

	a->program.layout.against = value;
	for (; at; at = *end ? end + 1 : NULL) {
		errno = 0;
		unsigned long set = strtoul(at, &end, 10);
		if (end == at || errno || set > UINT32_MAX) {
			arg_refuse_value(a, o, "FILE or FILE:SET,..., as in layout.json:0,1", value);
			return;
		}
	}
}

/* A number that follows directly, as in -j8. */
void arg_read_threads(struct arguments *a, const struct option *o, const char *value)
{
	enum { MOST = 1024 };
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (value[0] < '0' || *end || !n || n > MOST) /* no sign, and no space */
		arg_refuse_value(a, o, "a number from 1 to 1024", value);
	else
		a->run.threads = (unsigned)n;
}

void arg_read_shard(struct arguments *a, const struct option *o, const char *value)
{
	enum { MOST = 1000000 };
	char *slash, *end;
	unsigned long k = strtoul(value, &slash, 10), n = strtoul(*slash ? slash + 1 : slash, &end, 10);

	if (value[0] < '0' || *slash != '/' || slash[1] < '0' || *end || !k || k > n ||
	    n > MOST) { /* no sign, no space */
		arg_refuse_value(a, o, "K/N, the number of a part and how many there are, as in 2/8", value);
		return;
	}
	a->run.shard = (unsigned)k;
	a->run.shards = (unsigned)n;
}
