/* SPDX-License-Identifier: Apache-2.0 */
/* declarations: finds where a shader's source text declares its global variables and blocks. */
#ifndef SPB_DECLARATIONS_H
#define SPB_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

struct spb_text { /* pieces that together form one text; they may be split at any byte */
	const char *bytes;
	size_t length;
};

struct spb_name { /* N::t and N.t are found as t; a name that does not end in an identifier is never found */
	const char *bytes;
	size_t length;
};

/* uint32_t entries of scratch that spb_find_declarations needs for `count` names. */
size_t spb_declarations_table_size(size_t count);

/* Set in order[i] if the declaration has : register(...) or [[vk::binding(...)]]. */
#define SPB_DECLARED_PLACE (UINT64_C(1) << 62)

/* Finds the first declaration at global scope of each of `count` names: order[i] is its byte offset over all pieces
 * plus one (and SPB_DECLARED_PLACE), or 0 if there is none. Names may repeat or be empty (never found). Returns how
 * many were found. Takes time linear in the text and the names, allocates nothing, and accepts any bytes. */
size_t spb_find_declarations(const struct spb_text *pieces, size_t piece_count, const struct spb_name *names,
			     size_t count, uint64_t *order, uint32_t *table);

#endif
