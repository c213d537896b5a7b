/* SPDX-License-Identifier: Apache-2.0 */
/* args: the command line. args.c reads it by the table of option_table.c, whose rows name the fields of struct
 * arguments or a function of args_*.c; then the checks of args_*.c compare options with one another. A function that
 * finds an error reports it on stderr and sets a->done. */
#ifndef SPB_ARGS_H
#define SPB_ARGS_H

#include "cli/args/option_table.h"

/* args.c */

/* Reads the command line, and reports usage errors on stderr. lines: of the words, as arg_expand_responses() gives
 * them; or NULL. */
void arg_read_arguments(struct arguments *a, int argc, char **argv, const struct msg_line *lines);
void arg_free_arguments(struct arguments *a);

struct word_list {
	char **words;
	int count;
	const struct msg_line *lines; /* of each; NULL: errors are about the line that is being followed */
};

/* The arguments of one program of a manifest: the words of the command line, those for all programs, and its own.
 * `run`: the arguments of the command line. */
void arg_read_program_arguments(struct arguments *a, const struct arguments *run, struct word_list lists[3]);

/* response.c */

struct word_array {
	char **items; /* ends in NULL */
	size_t count;
	struct msg_line *lines; /* parallel to the items */
	char **files;           /* their names */
	size_t file_count;
};

/* Replaces @FILE by the words of FILE. EXIT_*, after reporting an error. The new argv belongs to `to`. */
int arg_expand_responses(struct word_array *to, int *argc, char ***argv);
void arg_free_words(struct word_array *w);

/* args_values.c */

/* "--option: expected ...; got ..."; the second one lists the choices. */
void arg_refuse_value(struct arguments *a, const struct option *o, const char *expected, const char *value);
void arg_refuse_choice(struct arguments *a, const struct option *o, const char *value);
bool arg_read_choice(struct arguments *a, const struct option *o, const char *word, uint32_t *value);
/* Reads options of the library into a->program.library. */
struct spb_option_reader arg_option_reader(struct arguments *a);

/* The functions that rows of kind CALL name. */
void arg_add_output(struct arguments *a, const struct option *o, const char *value);
void arg_add_import(struct arguments *a, const struct option *o, const char *value);
void arg_read_against(struct arguments *a, const struct option *o, const char *value);
void arg_read_threads(struct arguments *a, const struct option *o, const char *value);
void arg_read_shard(struct arguments *a, const struct option *o, const char *value);

/* args_sources.c */
void arg_add_include_path(struct arguments *a, const struct option *o, const char *value);
void arg_add_macro(struct arguments *a, const struct option *o, const char *value);
void arg_read_stage(struct arguments *a, const struct option *o, const char *value);
void arg_read_entry(struct arguments *a, const struct option *o, const char *value);
/* Notes which -S and -e an input has. Returns it. */
const char *arg_name_input(struct arguments *a, const char *input);
void arg_check_sources(struct arguments *a);

/* args_policies.c */
void arg_add_profile(struct arguments *a, const struct option *o, const char *value);

/* args_handles.c */
void arg_add_resolver(struct arguments *a, const struct option *o, const char *value);
void arg_check_handle_options(struct arguments *a); /* after all options have been read, like the others below */

/* args_lint.c */
void arg_read_diagnostics(struct arguments *a, const struct option *o, const char *value);
void arg_read_lint(struct arguments *a, const struct option *o, const char *value);
void arg_check_lint_options(struct arguments *a);
int arg_read_baseline(struct arguments *a); /* EXIT_* */

/* version.c */
void arg_print_version(struct arguments *a, const struct option *o, const char *value);
void arg_check_environment(struct arguments *a);

/* args_files.c */
void arg_check_files(struct arguments *a);
void arg_check_locked(struct arguments *a);
void arg_check_depfile(struct arguments *a);
bool arg_is_stdout(const char *path);

/* args_batch.c */
void arg_check_batch_options(struct arguments *a);

/* args_manifest.c */
void arg_check_manifest_options(struct arguments *a);

/* record_options.c */
void arg_record_options(struct arguments *a);

/* each.c */

struct each_program {
	char *name;
	const char **inputs;
	size_t input_count;
};

struct each_programs {
	struct each_program *items;
	size_t count;
	const char **inputs; /* of all programs, consecutively */
	size_t input_count;
};

/* The programs that --each makes of the inputs. false: no memory. Free in either case. */
bool arg_list_programs(struct each_programs *b, const struct arguments *a);
void arg_free_programs(struct each_programs *b);
/* The path with the name in place of %, without its folder. NULL: no memory. Free with free(). */
char *arg_expand_pattern(const char *pattern, const char *name);

#endif
