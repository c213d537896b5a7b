/* SPDX-License-Identifier: Apache-2.0 */
/* Workspaces and locks in a short form, for tables. After cmocka.h. */
#ifndef SPB_TEST_SHORT_LOCKS_H
#define SPB_TEST_SHORT_LOCKS_H

#include "texts.h"

/* Facts in short: `a: x 0.1 #2; y 0.2! texture count=3; +m float4 0 #5; shift class=t set=0 by=4; b: ^h 1.0`
 *
 * x, a ubo of type 2 at set 0, binding 1, is open, y is fixed (= would be locked) and has a member m; h is a heap. */

static inline void put_type(struct text *t, const char *key, char digit)
{
	put(t, " %s=", key);
	for (int i = 0; i < 16; i++)
		put(t, "%c", digit);
}

static inline void put_member(struct text *t, const char *name, const char **at)
{
	char word[200];

	put(t, "member %s type=%s", name, word_of(at, word));
	put(t, " offset=%s", word_of(at, word));
	put_type(t, "hash", word_of(at, word)[1]);
}

static inline void put_fact(struct text *t, const char *name, const char **at)
{
	char word[200], kind[200] = "ubo", type = '1', last;

	word_of(at, word);
	last = word[strlen(word) - 1];
	put(t, "%s %s set=%u", *name == '^' ? "heap" : "resource", name + (*name == '^'), (unsigned)atoi(word));
	put(t, " binding=%.*s", (int)strspn(strchr(word, '.') + 1, "0123456789"), strchr(word, '.') + 1);
	put(t, " place=%s", last == '!' ? "fixed" : last == '=' ? "locked" : "open");
	while (*word_of(at, word)) {
		if (*word == '#')
			type = word[1];
		else if (strchr(word, '='))
			put(t, " %s", word);
		else
			strcpy(kind, word);
	}
	put(t, " kind=%s", kind);
	put_type(t, "type", type);
}

static inline void expand_facts(struct text *t, const char *at)
{
	char word[200];

	put(t, "collected version=1\n");
	while (*at) {
		word_of(&at, word);
		if (word[strlen(word) - 1] == ':') {
			put(t, "program %.*s\n", (int)strlen(word) - 1, word);
			continue;
		}
		if (!strcmp(word, "shift") || !strcmp(word, "reserve"))
			for (put(t, "%s", word); *word_of(&at, word);)
				put(t, " %s", word);
		else if (*word == '+')
			put_member(t, word + 1, &at);
		else if (*word)
			put_fact(t, word, &at);
		put(t, "\n");
		at += strspn(at, " ;");
	}
}

/* A lock of version 2 in short: `share 0 programs=m*; x@* 0.1; shift class=t@* 0 by=4; removed y@a 0.2` */
static inline const char *expand_lock(struct text *t, const char *at)
{
	static const char *const verbs[] = {"removed ", "heap ", "shift ", "push@", "share "};

	t->count = 0;
	put(t, "lock version=2\n");
	for (; *at; at += strspn(at, "; ")) {
		bool resource = true;
		for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
			resource &= strncmp(at, verbs[i], strlen(verbs[i])) != 0;
		put(t, resource ? "resource " : "");
		for (char before = 0; *at && *at != ';'; before = *at++) {
			if (before == ' ' && *at >= '0' && *at <= '9')
				put(t, "set=");
			if (*at == '@')
				put(t, " program=");
			else if (*at == '.')
				put(t, " binding=");
			else
				put(t, "%c", *at);
		}
		put(t, "\n");
	}
	return t->items;
}

/* And back, without what every line would have. */
static inline void put_short(struct text *t, const char *lock, bool shares)
{
	static const char *const shorter[][2] = {
	    {"resource ", ""}, {" program=", "@"}, {" set=", " "}, {" binding=", "."}, {" kind=ubo", ""}};

	lock = strstr(lock, "lock version=");
	assert_non_null(lock);
	for (lock += strcspn(lock, "\n"); *lock;) {
		size_t length = 0;
		if (!shares && !strncmp(lock, "\nshare", 6)) {
			lock += 1 + strcspn(lock + 1, "\n");
			continue;
		}
		if (*lock == '\n') {
			if (*++lock)
				put(t, t->count ? "; " : "");
			continue;
		}
		for (size_t i = 0; i < sizeof shorter / sizeof *shorter && !length; i++) {
			if (strncmp(lock, shorter[i][0], strlen(shorter[i][0])) != 0)
				continue;
			length = strlen(shorter[i][0]);
			put(t, "%s", shorter[i][1]);
		}
		if (!length)
			put(t, "%c", *lock);
		lock += length ? length : 1;
	}
}

struct workspace {
	spb_context *context;
	spb_workspace *w;
	struct text said;
};

/* shares: `0; 1 m*`. programs: `~ a b<a -c`: other programs than these exist, b is a variant, c is left out. */
static inline void begin(struct workspace *s, const char *lock, const char *shares, const char *programs)
{
	const spb_callbacks callbacks = {.user = &s->said, .message = keep_message};
	char word[200], pattern[200];

	s->said.count = 0;
	s->said.items[0] = 0;
	assert_int_equal(spb_context_create(NULL, &callbacks, &s->context), SPB_OK);
	assert_int_equal(spb_workspace_create(s->context, lock, "lock", &s->w), SPB_OK);
	for (const char *at = shares; *at; at += strspn(at, " ;")) {
		word_of(&at, word);
		word_of(&at, pattern);
		assert_int_equal(spb_workspace_share(s->w, (uint32_t)atoi(word), *pattern ? pattern : NULL), SPB_OK);
	}
	for (const char *at = programs; *word_of(&at, word);) {
		char *family = strchr(word, '<');
		if (!strcmp(word, "~")) {
			assert_int_equal(spb_workspace_set_partial(s->w), SPB_OK);
			continue;
		}
		if (family)
			*family++ = 0;
		assert_int_equal(spb_workspace_add_program(s->w, word + (*word == '-'), family), SPB_OK);
	}
	for (const char *at = programs; *word_of(&at, word);) {
		word[strcspn(word, "<")] = 0;
		if (*word == '-')
			assert_int_equal(spb_workspace_leave_out(s->w, word + 1), SPB_OK);
	}
}

static inline void end(struct workspace *s)
{
	spb_workspace_destroy(s->w);
	spb_context_destroy(s->context);
}

static inline spb_status decide(struct workspace *s, const char *facts)
{
	struct text text = {.count = 0};

	expand_facts(&text, facts);
	if (spb_workspace_read_collected(s->w, "facts", text.items) != SPB_OK)
		fail_msg("%s\n%s", facts, s->said.items);
	return spb_workspace_decide(s->w);
}

#define V2 "lock version=2\n"

#endif
