/* SPDX-License-Identifier: Apache-2.0 */
/* base: memory, text and errors. Knows nothing about SPIR-V.
 *
 * Errors leave by spb_throw, which ends the current public call with a status, by longjmp to the only setjmp of that
 * call (spb_guard in src/lib). This is safe because
 *   - the setjmp comes before anything can fail, in a function that does nothing else;
 *   - all memory belongs to arenas of the context or the program, which outlive the call;
 *   - the longjmp crosses no frame of another language: only src/lib/validation/validate.c calls SPIRV-Tools, and it
 *     returns a status; the user's callbacks are leaf calls. */
#ifndef SPB_BASE_H
#define SPB_BASE_H

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <string.h>

#include "base/codes.h"
#include "base/glob.h"
#include "spirv-bind/spirv_bind.h"

#define SPB_COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct spb_context; /* below */

/* arena.c: memory that lives as long as its arena. Nothing is freed individually; only growing lists move. */

struct spb_chunk;

struct spb_arena {
	struct spb_context *context; /* owner of the allocator and of the error exit */
	struct spb_chunk *head;      /* newest first */
	uint32_t next;               /* bytes of the next chunk; 0: CHUNK_BYTES */
};

#define SPB_SMALL_ARENA 1024      /* `next` of a new arena, of which there may be thousands */
#define SPB_LARGE_ARENA (1 << 20) /* for arenas whose chunks go straight to and from the OS */

void *spb_alloc(struct spb_arena *arena, size_t size);                     /* aligned for any type */
void *spb_alloc_array(struct spb_arena *arena, size_t count, size_t size); /* checks the product for overflow */
void *spb_alloc_zeroed(struct spb_arena *arena, size_t count, size_t size);
char *spb_copy_text(struct spb_arena *arena, const char *text, size_t length); /* NUL-terminated copy */
void spb_arena_reset(struct spb_arena *arena);   /* discards the contents, but keeps one small chunk for reuse */
void spb_arena_release(struct spb_arena *arena); /* returns all chunks to the allocator or the context */
void spb_drop_kept(struct spb_context *c);       /* returns the chunks that the context kept to the allocator */

/* For temporary memory of a function: a rewind discards what has been allocated since the mark. A list from before
 * the mark must not have grown since. */
struct spb_mark {
	struct spb_chunk *head, *next;
	size_t used;
};

struct spb_mark spb_arena_mark(const struct spb_arena *arena);
void spb_arena_rewind(struct spb_arena *arena, struct spb_mark mark);

static inline uint64_t spb_smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t spb_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A growing list of T. All zero means empty; its memory comes from the arena passed to spb_reserve. */
#define SPB_LIST(T)                                                                                                    \
	struct {                                                                                                       \
		T *items;                                                                                              \
		size_t count, capacity;                                                                                \
	}

/* Makes room for `more` elements of a list: returns `items` or a larger copy, and updates *capacity. */
void *spb_reserve(struct spb_arena *arena, void *items, size_t count, size_t more, size_t *capacity, size_t size);

/* Appends VALUE to a list {items, count, capacity}. VALUE may throw, so the count is increased after it. */
#define SPB_PUSH(arena, list, value)                                                                                   \
	((list)->items = (list)->count < (list)->capacity ? (list)->items                                              \
							  : spb_reserve((arena), (list)->items, (list)->count, 1,      \
									&(list)->capacity, sizeof *(list)->items),     \
	 (list)->items[(list)->count] = (value), (list)->count++)

/* Makes an empty list with room for exactly N elements. */
#define SPB_SIZE(arena, list, n)                                                                                       \
	((list)->items = spb_alloc_array((arena), (n), sizeof *(list)->items), (list)->count = 0,                      \
	 (list)->capacity = (n))

/* text.c: growing text, and tests on text */

const char *spb_base_name(const char *path); /* after the last / or \ */

struct spb_text_buffer {
	struct spb_arena *arena;
	char *items; /* not NUL-terminated before spb_text_end */
	size_t count, capacity;
};

void spb_text_grow(struct spb_text_buffer *text, size_t length); /* the slow path of spb_text_room */

/* Room for `length` more bytes and a NUL. The caller writes them and adds to text->count. */
static inline char *spb_text_room(struct spb_text_buffer *text, size_t length)
{
	if (text->capacity - text->count <= length)
		spb_text_grow(text, length);
	return text->items + text->count;
}

static inline void spb_text_byte(struct spb_text_buffer *text, char byte)
{
	*spb_text_room(text, 1) = byte;
	text->count++;
}

void spb_text_add(struct spb_text_buffer *text, const char *bytes, size_t length);
void spb_text_put(struct spb_text_buffer *text, const char *string);
void spb_text_number(struct spb_text_buffer *text, uint64_t number);
/* The shortest decimal that is read as this number, such as 2.2, or as this one of `single` precision. False: it would
 * be longer than 19 digits. */
bool spb_text_real(struct spb_text_buffer *text, double value, bool single);
/* %s %u %c %x %% only, and %r: a text of ours that may end in SPB_REMEDY and what follows it. */
void spb_text_format(struct spb_text_buffer *text, const char *format, ...);
void spb_text_vformat(struct spb_text_buffer *text, const char *format, va_list arguments);
const char *spb_text_end(struct spb_text_buffer *text); /* NUL-terminates and returns it */

/* hash.c */

uint64_t spb_hash_bytes(uint64_t seed, const void *bytes, size_t length);
uint64_t spb_hash_mix(uint64_t a, uint64_t b);

/* once.c: interned texts without NUL bytes */

struct spb_names { /* empty if all zero */
	const char **slot;
	size_t count, mask;
};

const char *spb_keep_name(struct spb_names *names, struct spb_arena *arena, const char *text, size_t length);

/* sort.c: stable sorts with scratch memory from the arena */

/* For comparison functions: negative if a is smaller, 0 if equal. */
static inline int spb_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

void spb_sort_many(struct spb_arena *arena, void *items, size_t count, size_t size,
		   int (*compare)(const void *, const void *));
void spb_sort_many_by_words(struct spb_arena *arena, void *items, size_t count, size_t size, unsigned words);

static inline void spb_sort(struct spb_arena *arena, void *items, size_t count, size_t size,
			    int (*compare)(const void *, const void *))
{
	if (count > 1) /* most lists of a program have at most one item */
		spb_sort_many(arena, items, count, size, compare);
}

/* Sorts by the first `words` words of each item, as uint32_t, most significant first, in linear time. */
static inline void spb_sort_by_words(struct spb_arena *arena, void *items, size_t count, size_t size, unsigned words)
{
	if (count > 1)
		spb_sort_many_by_words(arena, items, count, size, words);
}

/* In sorted items, the index of the first one that is not less than `wanted`; count if all are less. */
size_t spb_lower_bound(const void *items, size_t count, size_t size, const void *wanted,
		       int (*compare)(const void *, const void *));

/* context.c */

struct spb_context {
	spb_allocator allocator; /* the caller's, counted */
	/* Returns zeroed memory, counted; NULL if the allocator is not known to do so */
	void *(*new_zeroed)(struct spb_context *c, size_t size);
	spb_allocator given; /* by the caller */
	spb_limits limits;
	uint64_t held;     /* bytes, against limits.memory */
	bool is_full;      /* a request has failed for that */
	uint32_t findings; /* of this call, against limits.findings */
	spb_callbacks callbacks;
	struct spb_arena scratch; /* reset before each pass, and before its changes are applied */
	struct spb_arena edits;   /* the changes that a pass records */
	struct spb_arena drafts;  /* intermediate results of an analysis; reset together with scratch */
	struct spb_chunk *kept;   /* chunks of released arenas, for the next program: chunk.c */
	uint32_t kept_count;
	jmp_buf *escape;   /* of the current public call */
	bool busy;         /* a call is in progress, or a callback runs, outside of that */
	spb_status status; /* what the call will return */
	const char *pass;  /* the current pass, for messages */
};

/* Whether a call is in progress, so that another one comes from a callback. */
static inline bool spb_is_busy(const struct spb_context *c)
{
	return c->escape || c->busy;
}

/* Can the call be repeated with more memory, or with other limits? */
static inline bool spb_is_starved(spb_status status)
{
	return status == SPB_ERROR_OUT_OF_MEMORY || status == SPB_ERROR_LIMIT;
}

/* counted.c: the counting allocator. context: a struct spb_context. NULL: there is no memory, or the limit forbids it.
 */
void *spb_resize(void *context, void *p, size_t old_size, size_t new_size);
/* Does the limit allow so many more bytes? */
bool spb_may_hold(struct spb_context *c, uint64_t more);

/* throw.c: ends the current public call. */
noreturn void spb_throw(struct spb_context *c, spb_status status);

/* In the text of a message, between what is wrong and what to do: "the array has no size" SPB_REMEDY "Give it one." */
#define SPB_REMEDY "\036"

/* Hands a message to the user. Texts other than `module`, `pass` and `text` may be NULL; struct_size is set here. A
 * message without a remedy of its own has that of its code. */
void spb_deliver(struct spb_context *c, const spb_message *message);
/* The same, with this text. */
void spb_vdeliver(struct spb_context *c, spb_message message, const char *format, va_list arguments);

#endif
