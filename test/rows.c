/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests in test/rows. A row is an input and the right answer:
 *
 *     = case One number for each resource, in order
 *     = options unused=last
 *     = module a:texture b:ubo c:sampler!
 *     = layout a 0.0; b 0.1; c 0.2
 *
 * A part follows its name, on the same line or on the lines below. Each folder has its own parts, which the head of its
 * rows_*.c explains; the last one is the right answer. A part after it begins another row of the same case.
 *
 * Parts before the first case of a file, and in the file `prelude` of the folder, belong to every row. A row's own part
 * replaces such a part, except that its options are added, and that `= always PART` is always prepended.
 *
 * A line that begins with # is a comment. A \ at the beginning of a line is removed: \# is not a comment, and \ alone
 * is an empty line.
 *
 * A message is `! SPB4003 m0 "b" with m1 "b": some words`: ! an error, ? a warning, . a note; code, module and line,
 * name, other places. The words, which are optional, have to occur in its text.
 *
 *     rows              runs all files
 *     rows FILE...      runs these */
#include <dirent.h>

#include <spirv-tools/libspirv.h>

#include "caught.h"
#include "rows.h"

static const struct rows_kind *const kinds[] = {
    &rows_of_conditions, &rows_of_constants, &rows_of_layout,     &rows_of_loops, &rows_of_merging,  &rows_of_passes,
    &rows_of_places,     &rows_of_resolvers, &rows_of_uniformity, &rows_of_usage, &rows_of_workspace};

static unsigned rows, wrong_rows;
static bool is_wrong; /* the current row */

/* texts */

static void reserve(struct text *t, size_t more)
{
	if (t->count + more < t->room)
		return;
	t->room = 2 * (t->count + more) + 200;
	t->items = realloc(t->items, t->room);
	if (!t->items)
		abort();
}

void clear(struct text *t)
{
	reserve(t, 1);
	t->count = 0;
	t->items[0] = '\0';
}

void put(struct text *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	const size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	reserve(t, length + 1);
	va_start(arguments, format);
	vsnprintf(t->items + t->count, length + 1, format, arguments);
	va_end(arguments);
	t->count += length;
}

int length_of_line(const char *at)
{
	return (int)strcspn(at, "\n");
}

const char *next_line(const char *at)
{
	at += length_of_line(at);
	return at + (*at == '\n');
}

bool next_word(const char **at, char *word, size_t size)
{
	*at += strspn(*at, " \n");
	const bool quoted = **at == '\'';
	*at += quoted;
	const size_t length = strcspn(*at, quoted ? "'" : " \n");

	snprintf(word, size, "%.*s", (int)length, *at);
	*at += length + quoted;
	return length > 0;
}

/* failures */

void wrong(const struct row *row, const char *format, ...)
{
	va_list arguments;

	if (!is_wrong)
		fprintf(stderr, "%s:%u: %s\n", row->file, row->line, row->title);
	is_wrong = true;
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

void unreadable(const struct row *row, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s:%u: ", row->file, row->line);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(2);
}

static bool contains(const char *line, size_t length, const char *words, size_t count)
{
	for (size_t i = 0; i + count <= length; i++) {
		if (!memcmp(line + i, words, count))
			return true;
	}
	return false;
}

/* For a message, `! SPB4003 m0 "b": some words`, the location must be equal, and the words must occur in the text. */
static bool is_right_line(const char *wanted, const char *got)
{
	const size_t length = (size_t)length_of_line(wanted), other = (size_t)length_of_line(got);
	size_t place = 0;

	if (!*wanted || !strchr("!?.", *wanted))
		return length == other && !memcmp(wanted, got, length);
	while (place < length && (wanted[place] != ':' || wanted[place + 1] != ' '))
		place++;
	if (place >= other || memcmp(wanted, got, place) != 0 || got[place] != ':')
		return false;
	return place == length || contains(got + place, other - place, wanted + place + 2, length - place - 2);
}

static bool is_right(const char *wanted, const char *got)
{
	while (*wanted && *got && is_right_line(wanted, got)) {
		wanted = next_line(wanted);
		got = next_line(got);
	}
	return !*wanted && !*got;
}

/* modules */

void put_message(struct text *to, const spb_message *message)
{
	put(to, "%c SPB%u %s", "!?."[message->severity], message -> code, message -> module);
	if (message->line)
		put(to, ":%u", message->line);
	if (*message->name)
		put(to, " \"%s\"", message->name);
	for (uint32_t i = 0; i < message->note_count; i++)
		put(to, " with %s \"%s\"", message->notes[i].module, message->notes[i].name);
	put(to, ": ");
	put_message_text(to, message->text);
	put(to, "\n");
}

void put_message_text(struct text *to, const char *text)
{
	for (const char *at = text; *at; at++) {
		const size_t digits = *at == '%' ? strspn(at + 1, "0123456789") : 0;
		if (*at == '%' && at[digits + 1] == ' ' && at[digits + 2] == '"')
			at += digits + 2;
		put(to, "%c", *at);
	}
}

void put_names(struct text *to, const char *text)
{
	for (const char *at = text; *at; at = next_line(at)) {
		const int length = (int)strcspn(at, " \n");
		if (*at == '%' && !strncmp(at + length, " = ", 3))
			put(to, "OpName %.*s \"%.*s\"\n", length, at, length - 1, at + 1);
	}
}

struct words assembled(const struct row *row, const char *text, uint32_t version)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_binary binary = NULL;
	spv_diagnostic diagnostic = NULL;

	if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) != SPV_SUCCESS) {
		for (size_t i = 0; i < diagnostic->position.line; i++)
			text = next_line(text);
		unreadable(row, "%s: %.*s", diagnostic->error, length_of_line(text), text);
	}
	struct words words = {malloc(binary->wordCount * sizeof *words.items), binary->wordCount};
	if (!words.items)
		abort();
	memcpy(words.items, binary->code, words.count * sizeof *words.items);
	if (version)
		words.items[1] = version;
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return words;
}

void check_valid(const struct row *row, const struct words *words)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	spv_diagnostic diagnostic = NULL;

	if (spvValidateBinary(context, words->items, words->count, &diagnostic) != SPV_SUCCESS)
		wrong(row, "what comes is not valid: %s", diagnostic->error);
	spvDiagnosticDestroy(diagnostic);
	spvContextDestroy(context);
}

void put_disassembled(struct text *to, const uint32_t *words, size_t count)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_text text = NULL;

	spvBinaryToText(context, words, count,
			SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES, &text, NULL);
	put(to, "%s", text ? text->str : "no module\n");
	spvTextDestroy(text);
	spvContextDestroy(context);
}

struct parsing {
	struct spb_module *module;
	struct words words;
};

static void parse(void *argument)
{
	struct parsing *p = argument;

	spb_module_parse(p->module, "m", p->words.items, p->words.count);
	spb_module_need_index(p->module);
}

static void keep_text(void *user, const spb_message *message)
{
	struct text *t = user;

	clear(t);
	put(t, "%s", message->text);
}

void begin_module(const struct row *row, struct spb_module *m, struct words words)
{
	static struct text said;
	const spb_callbacks callbacks = {.user = &said, .message = keep_text};
	struct parsing p = {m, words};

	*m = (struct spb_module){0};
	if (spb_context_create(NULL, &callbacks, &m->context) != SPB_OK || throws(m->context, parse, &p))
		unreadable(row, "%s", said.items);
}

void end_module(struct spb_module *m, struct words words)
{
	spb_context *context = m->context;

	spb_module_release(m);
	spb_context_destroy(context);
	free(words.items);
}

bool throws(spb_context *context, void (*run)(void *), void *argument)
{
	return caught(context, run, argument);
}

/* files */

struct reading {
	const struct rows_kind *kind;
	struct row row;
	struct text always[MOST_PARTS], usual[MOST_PARTS]; /* of the file */
	bool has[MOST_PARTS];                              /* parts of the row itself */
	bool in_case, complete;
	unsigned rows;   /* of the case */
	struct text *to; /* the current part */
};

static unsigned part_named(const struct reading *r, const char *name, size_t length)
{
	unsigned part = 0;

	while (r->kind->parts[part] &&
	       (strlen(r->kind->parts[part]) != length || memcmp(name, r->kind->parts[part], length) != 0))
		part++;
	if (!r->kind->parts[part])
		unreadable(&r->row, "no part is called %.*s", (int)length, name);
	return part;
}

static void begin_row(struct reading *r)
{
	for (unsigned part = 0; r->kind->parts[part]; part++) {
		clear(&r->row.parts[part]);
		r->has[part] = false;
	}
	r->complete = false;
}

/* Completes the parts of the row by those of the file, runs it, and compares the result. */
static void end_row(struct reading *r)
{
	static struct text got, whole;

	if (!r->in_case || (r->kind->right && !r->complete))
		return;
	for (unsigned part = 0; r->kind->parts[part]; part++) {
		const struct text *usual = r->has[part] && part ? NULL : &r->usual[part];
		clear(&whole);
		put(&whole, "%s%s%s", r->always[part].items, usual ? usual->items : "", r->row.parts[part].items);
		const struct text keep = r->row.parts[part];
		r->row.parts[part] = whole;
		whole = keep;
	}
	clear(&got);
	is_wrong = false;
	r->kind->answer(&r->row, &got);
	if (r->kind->right) {
		const char *wanted = r->row.parts[part_named(r, r->kind->right, strlen(r->kind->right))].items;
		if (!is_right(wanted, got.items))
			wrong(&r->row, "wanted:\n%sgot:\n%s", wanted, got.items);
	}
	rows++;
	r->rows++;
	wrong_rows += is_wrong;
	begin_row(r);
}

static void end_case(struct reading *r)
{
	bool begun = false;

	end_row(r);
	for (unsigned i = 0; r->kind->parts[i]; i++)
		begun |= r->has[i];
	if (r->in_case && (begun || !r->rows))
		unreadable(&r->row, "this row does not say what is right");
	r->rows = 0;
}

static void begin_part(struct reading *r, const char *at, unsigned line)
{
	const bool always = !strncmp(at, "always ", 7);
	const char *name = always ? at + 7 : at;
	const size_t length = strcspn(name, " \n");

	if (r->complete)
		end_row(r);
	const unsigned part = part_named(r, name, length);
	if (!r->in_case) {
		r->to = always ? &r->always[part] : &r->usual[part];
		if (!always && part)
			clear(r->to);
	} else {
		bool first = true;
		for (unsigned i = 0; r->kind->parts[i]; i++)
			first &= !r->has[i];
		if (first)
			r->row.line = line;
		r->has[part] = true;
		r->to = &r->row.parts[part];
		r->complete = r->kind->right && !strcmp(r->kind->parts[part], r->kind->right);
	}
	name += length + strspn(name + length, " ");
	if (*name != '\n' && *name)
		put(r->to, "%.*s\n", length_of_line(name), name);
}

static void begin_case(struct reading *r, const char *title, unsigned line)
{
	end_case(r);
	r->row.line = line;
	snprintf(r->row.title, sizeof r->row.title, "%.*s", length_of_line(title), title);
	r->in_case = true;
	r->to = NULL;
	begin_row(r);
}

static void read_text(struct reading *r, const char *text)
{
	unsigned line = 1;

	for (const char *at = text; *at; at = next_line(at), line++) {
		if (!strncmp(at, "= case ", 7))
			begin_case(r, at + 7, line);
		else if (!strncmp(at, "= ", 2))
			begin_part(r, at + 2, line);
		else if (*at == '#' || *at == '\n')
			continue;
		else if (!r->to)
			r->row.line = line, unreadable(&r->row, "of no part: %.*s", length_of_line(at), at);
		else
			put(r->to, "%.*s\n", length_of_line(at) - (*at == '\\'), at + (*at == '\\'));
	}
	end_case(r);
}

/* NULL: there is no such file. */
static char *contents_of(const char *path)
{
	FILE *f = fopen(path, "rb");
	static struct text text;
	char line[4000];

	if (!f)
		return NULL;
	clear(&text);
	while (fgets(line, sizeof line, f))
		put(&text, "%s", line);
	fclose(f);
	return text.items;
}

static void read_file(const char *path)
{
	static struct reading r;
	char prelude[1000];
	const char *name = strrchr(path, '/');

	r.row.file = path;
	r.row.line = 1;
	r.kind = NULL;
	for (size_t i = 0; i < SPB_COUNT(kinds); i++) {
		const size_t length = strlen(kinds[i]->folder);
		if (name && (size_t)(name - path) > length && name[-(int)length - 1] == '/' &&
		    !memcmp(name - length, kinds[i]->folder, length))
			r.kind = kinds[i];
	}
	if (!r.kind)
		unreadable(&r.row, "no rows are in this folder");
	for (unsigned part = 0; r.kind->parts[part]; part++) {
		clear(&r.always[part]);
		clear(&r.usual[part]);
	}
	r.in_case = false;
	r.rows = 0;
	r.to = NULL;
	begin_row(&r);
	snprintf(prelude, sizeof prelude, "%.*s/prelude", (int)(name - path), path);
	const char *text = contents_of(prelude);
	if (text)
		read_text(&r, text);
	text = contents_of(path);
	const unsigned before = rows;
	if (text)
		read_text(&r, text);
	if (rows == before)
		unreadable(&r.row, "no rows");
}

static int is_rows(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".rows");
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		read_file(argv[i]);
	for (size_t i = 0; i < SPB_COUNT(kinds) && argc == 1; i++) {
		char folder[600], path[1000];
		struct dirent **names;
		snprintf(folder, sizeof folder, SPB_ROWS "/%s", kinds[i]->folder);
		const int count = scandir(folder, &names, is_rows, alphasort);
		for (int n = 0; n < count; n++) {
			snprintf(path, sizeof path, "%s/%s", folder, names[n]->d_name);
			read_file(path);
			free(names[n]);
		}
		if (count <= 0)
			return fprintf(stderr, "%s: no rows\n", folder), 2;
		free(names);
	}
	printf("%u rows, %u wrong\n", rows, wrong_rows);
	return wrong_rows ? 1 : 0;
}
