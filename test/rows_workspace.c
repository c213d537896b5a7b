/* SPDX-License-Identifier: Apache-2.0 */
/* rows/workspace: numbers that many programs share, and merged locks. Programs are given by their facts, without
 * modules.
 *
 *     show        what is printed instead of the lock: `differs`, the programs that the lock does not fit; `program`,
 *                 the lock of program a before and after; `part`, the lines of the lock that the programs need;
 *                 `bindings`, those of the shared sets
 *     shares      sets, and the programs that share each: `0; 1 m*`
 *     programs    `~ a b<a -c`: ~: there are other programs; b is a variant of a; c is left out
 *     facts       `a: x 0.1 #2; y 0.2! texture count=3; +m float4 0 #5; shift class=t set=0 by=4; b: ^h 1.0`: x of a, a
 *                 uniform buffer of type 2 at set 0, binding 1, is open; y is fixed (= would be locked) and has a
 *                 member m; h is a heap
 *     lock        in lines, or in short as `share 0 programs=m*; x@* 0.1; shift class=t@* 0 by=4; removed y@a 0.2`
 *     base        with `base` and `theirs`, `lock` is merged with `theirs`
 *     theirs
 *     decided     the lock, in the form of `lock`; messages */
#include "rows.h"
#include "spirv-bind/workspace.h"

enum part { OPTIONS, SHOW, SHARES, PROGRAMS, FACTS, LOCK, BASE, THEIRS, DECIDED };

static const char *const part_names[] = {"options", "show", "shares", "programs", "facts",
					 "lock",    "base", "theirs", "decided",  NULL};

enum { WORD = 200 };

/* The word at *at, up to a blank, a semicolon or the end of the line. */
static const char *take(const char **at, char *word)
{
	*at += strspn(*at, " ");
	const size_t length = strcspn(*at, " ;\n");

	snprintf(word, WORD, "%.*s", (int)length, *at);
	*at += length;
	return word;
}

/* what is short */

static void put_type(struct text *t, const char *key, char digit)
{
	put(t, " %s=", key);
	for (int i = 0; i < 16; i++)
		put(t, "%c", digit);
}

static void put_member(struct text *t, const char *name, const char **at)
{
	char word[200];

	put(t, "member %s type=%s", name, take(at, word));
	put(t, " offset=%s", take(at, word));
	put_type(t, "hash", take(at, word)[1]);
}

static void put_fact(struct text *t, const char *name, const char **at)
{
	char word[200], kind[200] = "ubo", type = '1', last;

	take(at, word);
	last = word[strlen(word) - 1];
	put(t, "%s %s set=%u", *name == '^' ? "heap" : "resource", name + (*name == '^'), (unsigned)atoi(word));
	put(t, " binding=%.*s", (int)strspn(strchr(word, '.') + 1, "0123456789"), strchr(word, '.') + 1);
	put(t, " place=%s", last == '!' ? "fixed" : last == '=' ? "locked" : "open");
	while (*take(at, word)) {
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

static void expand_facts(struct text *t, const char *at)
{
	char word[200];

	put(t, "collected version=1\n");
	while (*at && *at != '\n') {
		take(&at, word);
		if (word[strlen(word) - 1] == ':') {
			put(t, "program %.*s\n", (int)strlen(word) - 1, word);
			continue;
		}
		if (!strcmp(word, "shift") || !strcmp(word, "reserve"))
			for (put(t, "%s", word); *take(&at, word);)
				put(t, " %s", word);
		else if (*word == '+')
			put_member(t, word + 1, &at);
		else if (*word)
			put_fact(t, word, &at);
		put(t, "\n");
		at += strspn(at, " ;");
	}
}

static void expand_lock(struct text *t, const char *at)
{
	static const char *const verbs[] = {"removed ", "heap ", "shift ", "push@", "share "};

	put(t, "lock version=2\n");
	for (; *at && *at != '\n'; at += strspn(at, "; ")) {
		bool resource = true;
		for (size_t i = 0; i < SPB_COUNT(verbs); i++)
			resource &= strncmp(at, verbs[i], strlen(verbs[i])) != 0;
		put(t, resource ? "resource " : "");
		for (char before = 0; *at && *at != ';' && *at != '\n'; before = *at++) {
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
}

/* And back, without what every line would have. */
static void put_short(struct text *t, const char *lock, bool shares)
{
	static const char *const shorter[][2] = {
	    {"resource ", ""}, {" program=", "@"}, {" set=", " "}, {" binding=", "."}, {" kind=ubo", ""}};

	lock = strstr(lock, "lock version=");
	bool first = true;
	for (lock += strcspn(lock, "\n"); *lock;) {
		size_t length = 0;
		if (!shares && !strncmp(lock, "\nshare", 6)) {
			lock += 1 + strcspn(lock + 1, "\n");
			continue;
		}
		if (*lock == '\n') {
			if (*++lock)
				put(t, first ? "" : "; ");
			first = false;
			continue;
		}
		for (size_t i = 0; i < SPB_COUNT(shorter) && !length; i++) {
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

/* one row */

struct workspace {
	const struct row *row;
	spb_context *context;
	spb_workspace *w;
	struct text *got;
};

static void hear(void *user, const spb_message *message)
{
	put_message(user, message);
}

static bool is_short(const char *lock)
{
	return strncmp(lock, "lock ", 5) != 0;
}

/* NULL: there is none. */
static const char *lock_of(const struct row *row, unsigned part, struct text *to)
{
	const char *lock = row->parts[part].items;

	clear(to);
	if (is_short(lock))
		expand_lock(to, lock);
	return !*lock ? NULL : is_short(lock) ? to->items : lock;
}

static void add_programs(struct workspace *s)
{
	char word[WORD], pattern[WORD];
	const struct text *parts = s->row->parts;

	for (const char *at = parts[SHARES].items; *at; at += strspn(at, " ;\n")) {
		take(&at, word);
		take(&at, pattern);
		spb_workspace_share(s->w, strcmp(word, "heaps") != 0 ? (uint32_t)atoi(word) : SPB_SHARE_HEAPS,
				    *pattern ? pattern : NULL);
	}
	for (const char *at = parts[PROGRAMS].items; *take(&at, word);) {
		char *family = strchr(word, '<');
		if (family)
			*family++ = '\0';
		if (strcmp(word, "~") != 0)
			spb_workspace_add_program(s->w, word + (*word == '-'), family);
	}
	for (const char *at = parts[PROGRAMS].items; *take(&at, word);) {
		word[strcspn(word, "<")] = '\0';
		if (*word == '-')
			spb_workspace_leave_out(s->w, word + 1);
	}
}

static void decide(struct workspace *s)
{
	static struct text facts;

	clear(&facts);
	expand_facts(&facts, s->row->parts[FACTS].items);
	if (spb_workspace_add_facts(s->w, NULL, facts.items, "facts") == SPB_OK)
		spb_workspace_decide(s->w);
}

static void put_lock(struct workspace *s, const char *lock, bool shares)
{
	if (!lock)
		return;
	if (*s->row->parts[LOCK].items && !is_short(s->row->parts[LOCK].items))
		put(s->got, "%s", strstr(lock, "lock version="));
	else
		put_short(s->got, lock, shares);
	if (s->got->count && s->got->items[s->got->count - 1] != '\n')
		put(s->got, "\n");
}

static void put_differing(struct workspace *s)
{
	char word[WORD];

	for (const char *at = s->row->parts[PROGRAMS].items; *take(&at, word);) {
		spb_workspace_verdict verdict = spb_workspace_judge(s->w, word);
		put(s->got,
		    verdict == SPB_WORKSPACE_MOVED     ? "%s moved\n"
		    : verdict == SPB_WORKSPACE_DIFFERS ? "%s differs\n"
						       : "",
		    word);
	}
}

/* The shared sets' bindings in the layout, without blanks and quotation marks. */
static void put_bindings(struct workspace *s)
{
	const char *from = strstr(spb_workspace_text(s->w, SPB_WORKSPACE_LAYOUT_JSON, NULL, NULL), "bindings");
	const char *to = strstr(from, "\n      ]");

	for (from = strchr(from, '{'); from < to; from++) {
		if (!strchr(" \n\"", *from))
			put(s->got, "%c", *from);
	}
	put(s->got, "\n");
}

/* The lines of a lock behind its version. */
static const char *behind_head(const char *lock)
{
	while (*lock == '#')
		lock = next_line(lock);
	return next_line(lock);
}

static void answer_workspace(struct workspace *s)
{
	static struct text base, theirs;
	const char *show = s->row->parts[SHOW].items, *other = lock_of(s->row, THEIRS, &theirs);

	if (other) {
		const char *root = lock_of(s->row, BASE, &base);
		if (spb_workspace_merge_lock(s->w, root ? root : "", other, NULL) == SPB_OK)
			put_lock(s, spb_workspace_text(s->w, SPB_WORKSPACE_LOCK, NULL, NULL), true);
		return;
	}
	if (!strncmp(show, "part", 4)) {
		put_lock(s, spb_workspace_text(s->w, SPB_WORKSPACE_PART_OF_LOCK, NULL, NULL), true);
		return;
	}
	const bool of_program = !strncmp(show, "program", 7);
	if (of_program)
		put(s->got, "before\n%s", behind_head(spb_workspace_text(s->w, SPB_WORKSPACE_PROGRAM_LOCK, "a", NULL)));
	decide(s);
	if (of_program)
		put(s->got, "behind\n%s", behind_head(spb_workspace_text(s->w, SPB_WORKSPACE_PROGRAM_LOCK, "a", NULL)));
	else if (!strncmp(show, "differs", 7))
		put_differing(s);
	else if (!strncmp(show, "bindings", 8))
		put_bindings(s);
	else
		put_lock(s, spb_workspace_text(s->w, SPB_WORKSPACE_LOCK, NULL, NULL), false);
}

static void answer(const struct row *row, struct text *got)
{
	static struct text lock, said;
	const spb_callbacks callbacks = {.user = &said, .message = hear};
	struct workspace s = {.row = row, .got = got};

	clear(&said);
	if (spb_context_create(NULL, &callbacks, &s.context) != SPB_OK)
		unreadable(row, "no memory");
	const bool partial = strchr(row->parts[PROGRAMS].items, '~') != NULL;
	if (spb_workspace_create(s.context, lock_of(row, LOCK, &lock), "lock", partial, &s.w) == SPB_OK) {
		add_programs(&s);
		answer_workspace(&s);
		spb_workspace_destroy(s.w);
	}
	spb_context_destroy(s.context);
	put(got, "%s", said.items);
}

const struct rows_kind rows_of_workspace = {"workspace", part_names, "decided", answer};
