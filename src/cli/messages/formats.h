/* SPDX-License-Identifier: Apache-2.0 */
/* formats: messages in machine-readable formats, and the JSON values that these need. */
#ifndef SPB_FORMATS_H
#define SPB_FORMATS_H

#include <jansson.h>

#include "cli/messages/messages.h"
#include "cli/os/os.h"

/* escape.c */

/* The bytes of the character at *text, stepping over it; "?" for a harmful one. */
void msg_put_character(FILE *to, const char **text);

/* record.c: calls that a thread records */

enum call { CALL_MESSAGE, CALL_ERROR, CALL_SAY };

void msg_record_message(const spb_message *m);
void msg_record_error(const char *file, uint32_t code, const char *check, const char *text, const char *more);
void msg_record_say(spb_severity severity, const char *const *words);

/* formats.c */

void msg_put_json(FILE *to, const spb_message *message);
void msg_put_github(FILE *to, const spb_message *message);

extern const char *const msg_severity_words[3];

void msg_begin_values(void);
bool msg_values_are_whole(void);     /* none has been left out for lack of memory */
void *msg_value_memory(size_t size); /* for building a value; free() */

/* NULL: left out, or out of memory. */
json_t *msg_text_value(const char *text);                           /* invalid UTF-8 as '?' */
json_t *msg_known_value(const char *text);                          /* NULL for "" */
json_t *msg_number_value(uint64_t n);                               /* NULL for 0 */
json_t *msg_code_value(const spb_message *m);                       /* "SPB5006" */
void msg_set_value(json_t *object, const char *key, json_t *value); /* steals the value; nothing for NULL */

struct msg_place {
	const char *file;                  /* the source if it is known and exists, otherwise the module */
	uint32_t line, column, end_column; /* 0: unknown */
	uint32_t word;                     /* of the module, where that is the file */
	bool is_gone;                      /* there is a source, but not here */
};

struct msg_place msg_place_of(const spb_message *m);
struct msg_place msg_place_of_note(const spb_message *m, const spb_message_note *note);

/* sarif.c */

struct sarif {
	json_t *rules, *results, *notifications;
	char folder[4096]; /* where the command runs; "": unknown */
	bool has_baseline;
	bool is_lint;
	bool failed; /* an error that is not about a module */
};

void msg_begin_sarif(struct sarif *s, bool has_baseline, bool is_lint);
void msg_add_sarif(struct sarif *s, const spb_message *message);
void msg_end_sarif(struct sarif *s, FILE *to, int status); /* writes the log */

#endif
