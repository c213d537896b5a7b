/* SPDX-License-Identifier: Apache-2.0 */
/* messages: the command's messages, in the selected format and destination; and records of them. */
#ifndef SPB_MESSAGES_H
#define SPB_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "spirv-bind/spirv_bind.h"

#define SPB_COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_DIFFERENT = 3, EXIT_IO = 4 };

enum diagnostics { DIAGNOSTICS_TEXT, DIAGNOSTICS_JSON, DIAGNOSTICS_SARIF, DIAGNOSTICS_GITHUB };
enum color_mode { COLOR_AUTO, COLOR_NEVER, COLOR_ALWAYS };

/* -q, --diagnostics, --color; and facts about the run for SARIF */
struct msg_options {
	bool quiet;
	enum color_mode color;
	enum diagnostics diagnostics;
	const char *diagnostics_file; /* NULL: messages go to stderr */
	bool has_baseline;            /* findings are new or known */
	bool is_lint;
};

/* A line of a file that says what to do: of a manifest, or of a response file. */
struct msg_line {
	const char *file; /* NULL: there is none, as for the words of the command line */
	unsigned line;
};

/* report.c: the destination and the format of messages are the same for the whole command. */

/* Before this call and after msg_end(), messages are plain text. False after reporting that the file
 * cannot be written. */
bool msg_begin(const struct msg_options *o);
int msg_end(int status); /* the status: EXIT_IO if machine-readable messages were lost */

/* Prints untrusted text with control characters as '?', so that no file or variable name can fake a message. */
void msg_put_text(FILE *to, const char *text);
void msg_put_escaped(FILE *to, const char *text, const char *special); /* these as %XX */

void msg_report(void *unused, const spb_message *message);

/* In a text, between what is wrong and what to do, as SPB_REMEDY of the library: "no output" MSG_REMEDY "Give -o FILE."
 */
#define MSG_REMEDY "\036"
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL}) /* which make a text */

/* Reports an error in a file that the command itself has found. code: 0: none; `check`: the option that found it, or
 * ""; `more`: further lines, or "". */
void msg_report_error(const char *file, uint32_t code, const char *check, const char *text, const char *more);

/* Reports an error in a line of a file other than a module; 0: in all of it. */
void msg_report_line(const char *file, unsigned line, const char *check, const char *const *words);

/* A compiler's message about a source. line: 0: about all of it; column: 0: unknown */
void msg_report_compiled(spb_severity severity, const char *file, uint32_t line, uint32_t column, const char *text);

/* Messages of the command that are not about a module. A note says what has been done; an error has the place of the
 * line that this thread is following. */
void msg_say(spb_severity severity, const char *const *words);
struct msg_line msg_follow(struct msg_line line); /* from now on; returns the one before */
int msg_out_of_memory(void);                      /* reports it; EXIT_IO */
int msg_flush(void); /* EXIT_*, after reporting that stdout cannot be written; does nothing while recording */

/* record.c: keeps the messages and output of a recording thread for msg_replay(). */

struct record {
	char *bytes; /* the messages */
	size_t size, capacity;
	char *printed; /* on msg_out() */
	size_t printed_size;
	FILE *out;
	bool incomplete; /* memory ran out */
};

bool msg_open_record(struct record *r); /* false: no memory */
void msg_close_record(struct record *r);
void msg_begin_recording(struct record *r); /* of this thread; discards earlier contents */
bool msg_end_recording(struct record *r);   /* false: memory ran out */
bool msg_is_recording(void);                /* this thread */
struct record *msg_current_record(void);    /* of this thread; NULL: it does not record */
FILE *msg_out(void);                        /* the standard output, or its record */
void msg_add_to_record(struct record *r, const void *bytes, size_t size); /* part of another record */

/* replay.c */
bool msg_is_record(const char *bytes, size_t size); /* one that can be replayed */
bool msg_replay(const char *bytes, size_t size);    /* repeats its messages; false: it is damaged, or no memory */

/* status.c */
int msg_exit_of(spb_status status);         /* EXIT_*, after reporting errors that are not about a module */
int msg_exit_of_options(spb_status status); /* likewise, of a call that reads options, policies or a lock */
int msg_more_severe(int a, int b);          /* the more severe of two EXIT_* */

/* sarif.c */

/* The key of fingerprints in a log, which --baseline reads and sarif.c writes. */
#define SARIF_FINGERPRINT "spirvBindFinding/v1"

#endif
