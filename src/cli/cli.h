/* SPDX-License-Identifier: Apache-2.0 */
/* cli: the command. Uses the public API only; the one place that touches files and stdio. */
#ifndef SPB_CLI_H
#define SPB_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "spirv-bind/spirv_bind.h"

enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_DIFFERENT = 3, EXIT_IO = 4 };

/* args.c */

struct policy_argument {
	const char *option; /* that gave it                    */
	const char *file;   /* of --profile                    */
	char *name, *text;  /* NULL name: file; NULL text: a built-in profile */
};

struct arguments {
	spb_options options;
	const char **inputs; /* "-": stdin */
	size_t input_count;
	const char **pairs;   /* what options.merge_combined points to */
	const char **imports; /* behind the inputs, once read */
	size_t import_count;
	struct policy_argument *policies;
	size_t policy_count;
	spb_policy *ordered; /* what options.policies points to */
	const char *lock;
	char *lock_text;
	const char *explain_glob;
	const char *compatible; /* an older layout JSON */
	char *compatible_text;
	const char *output; /* -o; "-": stdout */
	const char *out_dir;
	const char *layout_json; /* "-": stdout */
	bool print_layout, check, dry_run, quiet, verbose, diff, locked;
	int done; /* EXIT_* + 1 when there is nothing more to do */
};

/* Reads the command line; says on stderr what is wrong with it. */
void read_arguments(struct arguments *a, int argc, char **argv);

void free_arguments(struct arguments *a);

/* What a file is called in another directory. NULL: no memory. Free with free(). */
char *path_in(const char *directory, const char *path);

/* policy.c */

/* --bind, --parameter-block or --shift; false: the value is wrong. */
bool add_policy(struct arguments *a, const char *option, const char *value);
bool add_profile(struct arguments *a, const char *value); /* false: said why on stderr */
void order_policies(struct arguments *a);
void free_policies(struct arguments *a);
/* NULL: said why on stderr. Free with free(). */
char *read_text_file(const char *path);

/* file.c */

/* The whole of a file or of stdin ("-"). NULL: said why on stderr. Free with free(). */
unsigned char *read_file(const char *path, size_t *size);

struct output {
	const char *path; /* as the user wrote it; "-": stdout */
	const void *bytes;
	size_t size;
	char *target;    /* path with symbolic links resolved */
	char *temporary; /* written, not renamed yet          */
	char *backup;    /* what stood at target              */
	bool changed;    /* is not at target yet              */
};

/* Writes all or none. false: said why on stderr, and every target is as it was.
 * dry_run: only finds out what would change; stdout is written all the same. */
bool write_outputs(struct output *outputs, size_t count, bool dry_run);

/* Whether writing to a would overwrite b, through symbolic links and "..", be they there yet or not. */
bool is_same_file(const char *a, const char *b);

/* compatible.c */

/* Says on stdout which sets of the layout JSON stay compatible. EXIT_* */
int check_compatible(const char *path, const char *old_text, const char *new_text);

/* report.c */

struct reporter {
	FILE *to;
	bool quiet;
	unsigned errors, warnings;
};

/* Text from outside; control characters as '?', so that no file or variable name can fake a message. */
void put_text(FILE *to, const char *text);

void report_message(void *reporter, const spb_message *message);

/* show.c */
void print_layout(const spb_program *program);
int print_diff(const struct arguments *a, const spb_program *program); /* EXIT_* */
void print_explanation(const struct arguments *a, spb_program *program);
void print_lock_difference(const char *old, const char *new); /* on stderr */

#endif
