/* SPDX-License-Identifier: Apache-2.0 */
/* c_names: identifiers of C, made of the names of a module, where they may be anything. */
#include "lib/header/header.h"

bool spb_c_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool spb_c_is_identifier(const char *text)
{
	static const char allowed[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return text && strspn(text, allowed + 10) && !text[strspn(text, allowed)];
}

enum { LONGEST_NAME = 128 }; /* glslang's limit for a token is 1024 */

/* Adjacent underscores become one, since C++ reserves names with two. */
const char *spb_c_identifier(struct spb_arena *arena, const char *name)
{
	struct spb_text_buffer text = {.arena = arena};

	for (const char *c = name; *c && text.count < LONGEST_NAME; c++) {
		if (spb_c_is_word(*c))
			spb_text_byte(&text, *c);
		else if (text.count && text.items[text.count - 1] != '_')
			spb_text_byte(&text, '_');
	}
	while (text.count && text.items[text.count - 1] == '_')
		text.count--;
	return spb_text_end(&text);
}

bool spb_looks_numbered(const char *name)
{
	const char *end = strrchr(name, '_');

	return end && end[1] == 'x' && end[2] && !end[2 + strspn(end + 2, "0123456789")];
}

struct named {
	const char *name;
	uint32_t index;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strcmp(x->name, y->name); /* those of one name get their numbers */
}

void spb_c_distinct(struct spb_arena *arena, const char **names, size_t count)
{
	struct named *sorted = spb_alloc_array(arena, count, sizeof *sorted);

	for (uint32_t i = 0; i < count; i++)
		sorted[i] = (struct named){names[i], i};
	spb_sort(arena, sorted, count, sizeof *sorted, by_name);
	for (size_t i = 0; i < count; i++) {
		bool shared = (i && !strcmp(sorted[i - 1].name, sorted[i].name)) ||
			      (i + 1 < count && !strcmp(sorted[i + 1].name, sorted[i].name));
		struct spb_text_buffer text = {.arena = arena};
		if (!shared && !spb_looks_numbered(sorted[i].name) && strlen(sorted[i].name) < LONGEST_NAME - 1)
			continue;
		if (!*sorted[i].name)
			continue; /* the caller names it */
		spb_text_format(&text, "%s_x%u", sorted[i].name, sorted[i].index);
		names[sorted[i].index] = spb_text_end(&text);
	}
}

/* Words of C and C++ that a shader may use as a name, and macros of Windows' and GNU's headers. */
static bool is_taken(const char *name)
{
	static const char words[] =
	    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t "
	    "class "
	    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue "
	    "decltype "
	    "default delete do double dynamic_cast else enum explicit export extern false far float for friend goto if "
	    "inline int linux long mutable namespace near new noexcept not not_eq nullptr operator or or_eq private "
	    "protected public register reinterpret_cast requires restrict return short signed sizeof static "
	    "static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename "
	    "typeof union unix unsigned using virtual void volatile wchar_t while xor xor_eq ";
	const size_t length = strlen(name);

	for (const char *at = strstr(words, name); at; at = strstr(at + 1, name)) {
		if (at > words && at[-1] == ' ' && at[length] == ' ')
			return true;
	}
	return false;
}

/* Identifiers never end in an underscore, so one at the end makes another name of a word that is taken. */
void spb_c_members(struct spb_arena *arena, const char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		names[i] = spb_c_identifier(arena, names[i]);
	spb_c_distinct(arena, names, count);
	for (uint32_t i = 0; i < count; i++) {
		struct spb_text_buffer text = {.arena = arena};
		const bool begins = !(*names[i] >= '0' && *names[i] <= '9');
		if (*names[i] && begins && !is_taken(names[i]))
			continue;
		if (!*names[i])
			spb_text_format(&text, "member_%u_", i);
		else
			spb_text_format(&text, begins ? "%s_" : "_%s", names[i]);
		names[i] = spb_text_end(&text);
	}
}
