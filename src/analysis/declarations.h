/*
 * declarations.h - the order in which an author declared the resources of a shader.
 *
 * A compiler is free to emit the variables of a module in whatever order suits it; only the source text that a
 * module carries (OpSource of a debug build, GLSL or HLSL) still knows the order that was written. This reads
 * that text just closely enough to say where each name is first declared at global scope. It is not a parser
 * of either language: text it cannot make sense of merely yields fewer names, never an error.
 */
#ifndef SPB_ANALYSIS_DECLARATIONS_H
#define SPB_ANALYSIS_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

/* One piece of a text: all pieces together form one text, and may be cut at any byte, even inside a token. */
struct spb_text {
	const char *bytes;
	size_t length;
};

/* A name to look for. One with a `::` or `.` in it is also found by its last part. */
struct spb_name {
	const char *bytes;
	size_t length;
};

/* How many uint32_t of scratch spb_find_declarations() needs for `count` names; 0 when that is too many. */
size_t spb_declarations_table_size(size_t count);

/*
 * For each of `count` names the first declaration at global scope: order[i] is its byte offset over the joined
 * pieces plus one, or 0 when it is not declared. Names may repeat (all get the same answer) or be empty (0);
 * names over 256 bytes are not found. Returns how many of the names were found.
 */
size_t spb_find_declarations(const struct spb_text *pieces, size_t piece_count, const struct spb_name *names,
                             size_t count, uint64_t *order, uint32_t *table);

#endif
