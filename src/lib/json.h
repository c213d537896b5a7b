/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SPB_JSON_H
#define SPB_JSON_H

#include "base/base.h"

struct spb_json {
	struct spb_text_buffer text;
	unsigned depth;
	bool first;
};

void spb_json_line(struct spb_json *j);
void spb_json_comma(struct spb_json *j);
void spb_json_string(struct spb_json *j, const char *s);
void spb_json_key(struct spb_json *j, const char *name);
void spb_json_open(struct spb_json *j, const char *bracket);
void spb_json_close(struct spb_json *j, const char *bracket, bool own_line);
void spb_json_number_key(struct spb_json *j, const char *name, uint32_t value);
void spb_json_string_key(struct spb_json *j, const char *name, const char *value);
void spb_json_bool_key(struct spb_json *j, const char *name, bool value);
void spb_json_count_key(struct spb_json *j, uint32_t count);
void spb_json_numbers_key(struct spb_json *j, const char *name, const uint32_t *values, size_t count);
void spb_json_name_list(struct spb_json *j, const char *name, const char *const *names, size_t count);

#endif
