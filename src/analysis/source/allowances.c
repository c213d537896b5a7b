/* SPDX-License-Identifier: Apache-2.0 */
/* allowances: comments in the source text that suppress findings of the lint.
 *
 *     color = texture(maps[i], uv);  // spirv-bind: allow SPB5001, derivatives: the host sorts by material
 *
 *     // spirv-bind: allow SPB5001
 *     // All draws of this pass have one material.
 *     color = texture(maps[i], uv);
 *
 * A comment after code applies to its own line, any other comment to the next line with code. The text is not
 * preprocessed: code that was not compiled has no findings anyway. #line is obeyed, because the line numbers in the
 * module come from the compiler. */
#include "analysis/source/source.h"
#include "analysis/source/text.h"

static const char key[] = "spirv-bind:", verb[] = "allow";

struct scan {
	struct spb_reader r;
	struct spb_lexer c;
	struct spb_comments comments;
	struct spb_allowances found;
	size_t pending;     /* the first comment that still waits for a line with code */
	uint32_t code_line; /* of the last token that is code */
	uint16_t code_file;
	bool is_main;
};

static bool is_blank(char b)
{
	return (unsigned char)b <= ' ';
}

static bool begins(const char *p, const char *end, const char *word)
{
	return (size_t)(end - p) >= strlen(word) && !memcmp(p, word, strlen(word));
}

static bool is_code(const char *p, const char *end)
{
	return end - p > 3 && begins(p, end, "SPB") && p[3] >= '0' && p[3] <= '9';
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/* The text after "spirv-bind: allow"; NULL: the comment is not for us. */
static const char *find_list(const char *p, const char *end)
{
	while (p < end && (is_blank(*p) || strchr("/*!<", *p)))
		p++;
	if (!begins(p, end, key))
		return NULL;
	p = skip_blanks(p + strlen(key), end);
	if (!begins(p, end, verb))
		return NULL;
	p += strlen(verb);
	return p == end || is_blank(*p) || *p == ':' || *p == ',' ? p : NULL;
}

/* The rest of the comment, joined into one line. */
static const char *read_reason(struct spb_arena *arena, const char *p, const char *end)
{
	char *text;

	while (p < end && (is_blank(*p) || *p == ':' || *p == '-'))
		p++;
	while (end > p && is_blank(end[-1]))
		end--;
	text = spb_copy_text(arena, p, (size_t)(end - p));
	for (char *b = text; *b; b++)
		*b = is_blank(*b) ? ' ' : *b;
	return text;
}

/* The rules are separated by commas; codes may also be separated by blanks. Then comes the reason. */
static void read_list(struct scan *s, const struct spb_comment *comment, const char *p, const char *end)
{
	bool own_line = comment->line != s->code_line || comment->file != s->code_file;
	struct spb_allowance a = {.line = comment->line, .is_main = s->is_main};
	size_t first = s->found.count;

	a.file = a.comment_file = s->r.names.items[comment->file];
	a.code_line = own_line ? 0 : comment->line;
	for (bool more = true; more;) {
		const char *begin = p = skip_blanks(p, end);
		while (p < end && !is_blank(*p) && *p != ',' && *p != ':')
			p++;
		a.rule = spb_copy_text(s->r.arena, begin, (size_t)(p - begin));
		SPB_PUSH(s->r.arena, &s->found, a);
		begin = skip_blanks(p, end);
		more = *a.rule && ((begin < end && *begin == ',') || is_code(begin, end));
		p = begin + (begin < end && *begin == ',');
	}
	a.reason = read_reason(s->r.arena, p, end);
	for (size_t i = first; i < s->found.count; i++)
		s->found.items[i].reason = a.reason;
}

static void read_comments(struct scan *s)
{
	for (size_t i = 0; i < s->comments.count; i++) {
		struct spb_comment comment = s->comments.items[i];
		const char *end = comment.end, *list;
		if (end - comment.begin >= 4 && comment.begin[1] == '*' && begins(end - 2, end, "*/"))
			end -= 2;
		list = find_list(comment.begin, end);
		if (list)
			read_list(s, &comment, list, end);
	}
	s->comments.count = 0;
}

/* A line with code: the pending comments apply to it. */
static void see_code(struct scan *s, const struct spb_token *t)
{
	for (; s->pending < s->found.count; s->pending++) {
		struct spb_allowance *a = &s->found.items[s->pending];
		if (a->code_line)
			continue;
		a->code_line = t->line;
		a->file = s->r.names.items[t->file];
	}
	s->code_line = t->line;
	s->code_file = t->file;
}

/* Reads #version and #line, from after the # to the end of the line. Before GLSL 3.30, the line after #line 3 is line
 * 4. */
static void obey(struct scan *s)
{
	struct spb_token name, number, file;
	struct spb_token t;
	uint64_t n = 0;
	bool has_number;

	s->c.directive = true;
	name = t = spb_lex(&s->r, &s->c);
	number = t = t.kind == SPB_TOKEN_WORD ? spb_lex(&s->r, &s->c) : t;
	has_number = number.kind == SPB_TOKEN_NUMBER && spb_read_integer(&number, &n) && n < UINT32_MAX;
	file = t = has_number ? spb_lex(&s->r, &s->c) : t;
	while (t.kind != SPB_TOKEN_LINE && t.kind != SPB_TOKEN_END)
		t = spb_lex(&s->r, &s->c);
	s->c.directive = false;
	if (!has_number)
		return;
	if (name.word == SPB_WORD_version) {
		s->r.version = (uint32_t)n;
		s->r.es = n == 100 || (file.length == 2 && !memcmp(file.bytes, "es", 2));
	} else if (name.word == SPB_WORD_line) {
		s->c.line = (uint32_t)n + (s->r.version && s->r.version < 330 && !s->r.es);
		if (file.kind == SPB_TOKEN_STRING)
			s->c.file = spb_file_name(&s->r, spb_copy_text(s->r.arena, file.bytes, file.length));
	}
}

static void read_file(struct scan *s, const struct spb_file *file)
{
	struct spb_token t;

	s->c = (struct spb_lexer){.at = file->bytes,
				  .end = file->bytes + file->length,
				  .line = 1,
				  .file = spb_file_name(&s->r, file->name),
				  .fresh = true,
				  .comments = &s->comments};
	s->code_line = 0;
	do {
		t = spb_lex(&s->r, &s->c);
		read_comments(s);
		if (t.first && spb_is_mark(&t, '#'))
			obey(s);
		else if (t.kind != SPB_TOKEN_END)
			see_code(s, &t);
	} while (t.kind != SPB_TOKEN_END);
	s->pending = s->found.count; /* comments after the last line with code apply to no line */
}

struct spb_allowances spb_read_allowances(const struct spb_module *m, struct spb_arena *arena)
{
	struct spb_files files = spb_collect_files(m, arena);
	struct scan s = {.comments = {.arena = arena}};

	for (size_t i = 0; i < files.count; i++) {
		if (!strstr(files.items[i].bytes, key))
			continue;
		if (!s.r.arena)
			spb_reader_begin(&s.r, arena, 0);
		s.is_main = i == 0;
		read_file(&s, &files.items[i]);
	}
	return s.found;
}
