/* SPDX-License-Identifier: Apache-2.0 */
/* args: what the files that read the command line share. Each function that finds something wrong says so on stderr
 * and sets a->done. */
#ifndef SPB_ARGS_H
#define SPB_ARGS_H

#include "cli/option_table.h"

/* args.c */

/* Ends with exit status 2. `words` are those of WORDS(...). */
void arg_usage(struct arguments *a, const char *const *words);
void arg_no_memory(struct arguments *a);
/* "--option: expected ...; got ..."; the second one lists the choices. */
void arg_refuse_value(struct arguments *a, const struct option *o, const char *expected, const char *value);
void arg_refuse_choice(struct arguments *a, const struct option *o, const char *value);
bool arg_read_choice(struct arguments *a, const struct option *o, const char *word, uint32_t *value);

/* Reads options of the library into a->options. */
struct spb_option_reader arg_option_reader(struct arguments *a);

/* The number of letters to insert, delete, replace or swap with the next one to turn one into the other; 40 if one is
 * too long. */
size_t arg_distance(const char *a, const char *b);

/* args/args_files.c */

void arg_check_files(struct arguments *a);        /* once all are read */
void arg_check_module_files(struct arguments *a); /* is there one for each module? */

struct word_list {
	char **words;
	int count;
};

/* The arguments of one program of a manifest: the words of the command line, of all programs, and its own. `run`: the
 * arguments of the command line. */
void arg_read_program_arguments(struct arguments *a, const struct arguments *run, struct word_list lists[3]);

/* workspace/programs.c */
void ws_read_shard(struct arguments *a, const struct option *o, const char *value);
void ws_check_manifest_options(struct arguments *a);

/* What the rows of kind CALL name. */
void arg_add_output(struct arguments *a, const struct option *o, const char *value);
void arg_add_include_path(struct arguments *a, const struct option *o, const char *value);
void arg_add_macro(struct arguments *a, const struct option *o, const char *value);
void arg_add_import(struct arguments *a, const struct option *o, const char *value);
void arg_print_help(struct arguments *a, const struct option *o, const char *value);
void cli_check_depfile(struct arguments *a); /* depfile.c; once all are read */
void arg_end_print(struct arguments *a);     /* nothing else is left to do */

/* args/version.c */

void arg_print_version(struct arguments *a, const struct option *o, const char *value);
void arg_check_environment(struct arguments *a); /* once all are read */

/* args/record_options.c */

void arg_record_options(struct arguments *a); /* once all are read */

void cli_read_against(struct arguments *a, const struct option *o, const char *value); /* compatible.c */

/* args/args_handles.c */

void arg_add_resolver(struct arguments *a, const struct option *o, const char *value);
void arg_check_handle_options(struct arguments *a); /* once all are read */

/* args/args_lint.c */

void arg_read_diagnostics(struct arguments *a, const struct option *o, const char *value);
void arg_check_lint_options(struct arguments *a); /* once all are read */

/* args/args_policies.c */

void arg_add_profile(struct arguments *a, const struct option *o, const char *value);

/* jobs/args_batch.c */

void job_read_threads(struct arguments *a, const struct option *o, const char *value);
void job_check_batch_options(struct arguments *a); /* once all are read */

#endif
