/* SPDX-License-Identifier: Apache-2.0 */
/* Modules from a short notation of declarations: `albedo:texture[4]@3,1` is an array of four textures with Binding 3
 * and DescriptorSet 1.
 *
 *     name:kind[dims]@binding,set             [] unsized; no @: neither; @,set: only a set; ! at the end: unused
 *     name:{a:texture b:ubo[2]}@binding,set   a struct of descriptors
 *
 * Kinds are those of the table below. name^2 is another variable called name, and ^1 an unnamed one.
 *
 * After a kind: +4, the offset of the vector in a block, then lengths, then ~, which is Aliased.
 *
 * / and /Stage begin another entry point, which uses the following declarations; ?name is listed in its interface, and
 * =name:kind is an earlier declaration that it uses, too. With a ? the version is 1.4, and interfaces also list what is
 * used.
 *
 * <text> is a remark of the module. name:kind#line.column has this location in debug information; with a dot after it,
 * in another file. */
#include "rows_layout.h"

struct declaring {
	const struct row *row;
	struct text names, notes, types, body;
	struct text languages, remarks, entries, modes, functions,
	    interface; /* interface: of the current entry point */
	char stage[50];
	unsigned entry_points, sources;
	bool debug; /* NonSemantic.Shader.DebugInfo.100 */
	bool listed;
	bool attachments; /* some variable is an input attachment */
	char name[60];    /* of the current one */
};

static const struct {
	const char *word;
	char letter; /* of the type */
} kind_words[] = {
    {"ubo", 'b'},
    {"ssbo", 'u'},
    {"readonly-ssbo", 'o'},
    {"texture", 't'},
    {"sampler", 's'},
    {"combined", 'c'},
    {"image", 'i'},
    {"readonly-image", 'r'},
    {"texel-buffer", 'x'},
    {"storage-texel-buffer", 'w'},
    {"input-attachment", 'n'},
};

/* The letter of the kind whose word is at `at`; *end is set to its end. 0: there is none. */
static char letter_of(const char *at, const char **end)
{
	for (size_t i = 0; i < SPB_COUNT(kind_words); i++) {
		const size_t length = strlen(kind_words[i].word);
		if (!strncmp(at, kind_words[i].word, length) && (!at[length] || strchr("[@!#+~ }", at[length]))) {
			*end = at + length;
			return kind_words[i].letter;
		}
	}
	return 0;
}

static char kind_at(const struct declaring *d, const char *at, const char **end)
{
	const char letter = letter_of(at, end);

	if (!letter)
		unreadable(d->row, "no kind of resource: %.*s", length_of_line(at), at);
	return letter;
}

/* The length of the name before a colon and a kind: names may contain colons, too. */
static size_t length_of_name(const struct declaring *d, const char *at)
{
	size_t length = 0;

	while (at[length] && at[length] != '\n') {
		if (at[length] == ':' && (at[length + 1] == '{' || letter_of(at + length + 1, &(const char *){NULL})))
			return length;
		length++;
	}
	unreadable(d->row, "no declaration: %.*s", length_of_line(at), at);
}

static bool is_block(char kind)
{
	return strchr("buo", kind) != NULL;
}

static const char *storage_of(char kind)
{
	return kind == 'b' ? "Uniform" : is_block(kind) ? "StorageBuffer" : "UniformConstant";
}

/* The name of what is being declared. */
static void put_name(struct declaring *d, const char *prefix, const char *id)
{
	put(&d->names, "OpName %%%s_%s \"%s\"\n", prefix, id, d->name);
}

/* The letter of the type of its value. */
static char loaded(char kind)
{
	return is_block(kind) ? 'v' : kind == 'r' ? 'i' : kind;
}

/* Lists it once in the interface of the current entry point. */
static void list(struct declaring *d, const char *name)
{
	char variable[60];

	snprintf(variable, sizeof variable, " %%g_%s ", name);
	if (!strstr(d->interface.items, variable))
		put(&d->interface, "%s", variable);
}

/* An access with `depth` indices into the variable, and then that of a member. */
static void use(struct declaring *d, const char *id, const char *name, char kind, unsigned depth, int member)
{
	const bool steps = depth || member >= 0 || is_block(kind);

	list(d, name);
	if (steps) {
		put(&d->body, "%%a_%s = OpAccessChain %%p_%s_%c %%g_%s", id, storage_of(kind), loaded(kind), name);
		if (member >= 0)
			put(&d->body, " %%n%d", member);
		for (unsigned i = 0; i < depth + is_block(kind); i++)
			put(&d->body, " %%n0");
		put(&d->body, "\n");
	}
	put(&d->body, "%%l_%s = OpLoad %%%c %%%s%s\n", id, loaded(kind), steps ? "a_" : "g_", steps ? id : name);
}

/* Adds the type of `kind` with the lengths in brackets at *at; `type` becomes its id. Returns how many there are. */
static unsigned add_type(struct declaring *d, const char *name, char kind, const char **at, char *type)
{
	unsigned lengths[4], count = 0;

	if (is_block(kind)) {
		snprintf(type, 100, "b_%.60s", name);
		put(&d->types, "%%b_%s = OpTypeStruct %%v\n", name);
		put_name(d, "b", name);
		char *end = (char *)*at;
		const unsigned long offset = **at == '+' ? strtoul(*at + 1, &end, 10) : 0;
		*at = end;
		put(&d->notes, "OpDecorate %%b_%s Block\nOpMemberDecorate %%b_%s 0 Offset %lu\n", name, name, offset);
		if (kind == 'o')
			put(&d->notes, "OpMemberDecorate %%b_%s 0 NonWritable\n", name);
	} else {
		snprintf(type, 100, "%c", loaded(kind));
	}
	for (; **at == '['; *at += strcspn(*at, "]") + 1)
		lengths[count++] = (unsigned)strtoul(*at + 1, NULL, 10);
	for (unsigned i = count; i--;) {
		if (lengths[i])
			put(&d->types, "%%n_%s_%u = OpConstant %%uint %u\n%%t_%s_%u = OpTypeArray %%%s %%n_%s_%u\n",
			    name, i, lengths[i], name, i, type, name, i);
		else
			put(&d->types, "%%t_%s_%u = OpTypeRuntimeArray %%%s\n", name, i, type);
		snprintf(type, 100, "t_%.60s_%u", name, i);
	}
	return count;
}

/* The members of name:{a:t b:s}. */
static void add_struct(struct declaring *d, const char *name, const char **at, char *type, bool used)
{
	char members[10][100], id[100], member[50];
	unsigned count = 0;

	for (++*at; **at != '}'; *at += **at == ' ', count++) {
		const size_t length = strcspn(*at, ":");
		snprintf(member, sizeof member, "%.*s", (int)length, *at);
		const char kind = kind_at(d, *at + length + 1, at);
		snprintf(id, sizeof id, "%.40s_%.40s", name, member);
		const unsigned depth = add_type(d, id, kind, at, members[count]);
		put(&d->names, "OpMemberName %%s_%s %u \"%s\"\n", name, count, member);
		if (used)
			use(d, id, name, kind, depth, (int)count);
	}
	++*at;
	put(&d->types, "%%s_%s = OpTypeStruct", name);
	for (unsigned i = 0; i < count; i++)
		put(&d->types, " %%%s", members[i]);
	put(&d->types, "\n");
	snprintf(type, 100, "s_%.60s", name);
}

static void declare(struct declaring *d, const char **at)
{
	char name[50], type[100];
	const size_t length = length_of_name(d, *at);
	const size_t plain = strcspn(*at, "^") < length ? strcspn(*at, "^") : length;
	unsigned depth = 0;

	snprintf(d->name, sizeof d->name, "%.*s", (int)plain, *at);
	snprintf(name, sizeof name, "%.*s", (int)length, *at);
	for (char *c = name; *c; c++) /* what an id can have */
		*c = strchr(":.[]^$", *c) ? '_' : *c;
	*at += length + 1;
	/* a struct has blanks */
	const bool is_struct = **at == '{';
	const char *end = is_struct ? strchr(*at, '}') : *at;
	const bool used = end[strcspn(end, " !")] != '!';
	const char kind = is_struct ? '{' : kind_at(d, *at, at);
	if (is_struct) {
		add_struct(d, name, at, type, used);
	} else {
		depth = add_type(d, name, kind, at, type);
		if (used)
			use(d, name, name, kind, depth, -1);
	}
	put(&d->types, "%%q_%s = OpTypePointer %s %%%s\n%%g_%s = OpVariable %%q_%s %s\n", name, storage_of(kind), type,
	    name, name, storage_of(kind));
	put_name(d, "g", name);
	if (kind == 'r')
		put(&d->notes, "OpDecorate %%g_%s NonWritable\n", name);
	if (**at == '~')
		put(&d->notes, "OpDecorate %%g_%s Aliased\n", name), ++*at;
	if (kind == 'n')
		put(&d->notes, "OpDecorate %%g_%s InputAttachmentIndex 0\n", name);
	if (**at == '@' && (*at)[1] != ',')
		put(&d->notes, "OpDecorate %%g_%s Binding %lu\n", name, strtoul(*at + 1, NULL, 10));
	if (**at == '@') {
		const char *set = *at + 1 + strspn(*at + 1, "0123456789");
		put(&d->notes, "OpDecorate %%g_%s DescriptorSet %lu\n", name,
		    *set == ',' ? strtoul(set + 1, NULL, 10) : 0);
	}
	const char *line = *at + strcspn(*at, " #");
	if (*line == '#') {
		char *rest;
		const unsigned long number = strtoul(line + 1, &rest, 10), column = strtoul(rest + 1, &rest, 10);
		put(&d->types,
		    "%%line_%s = OpConstant %%uint %lu\n%%column_%s = OpConstant %%uint %lu\n"
		    "%%debug_%s = OpExtInst %%void %%debug DebugGlobalVariable %%places %%nothing %%in%s %%line_%s "
		    "%%column_%s %%nothing %%places %%g_%s %%n0\n",
		    name, number, name, column, name, *rest == '.' ? "_other" : "", name, name, name);
	}
	*at += strcspn(*at, " ");
	*at += strspn(*at, " ");
}

/* Ends the entry point that uses the declarations since the last one. */
static void end_entry_point(struct declaring *d)
{
	static const char *const modes[][2] = {{"GLCompute", "LocalSize 1 1 1"}, {"Fragment", "OriginUpperLeft"}};
	const unsigned n = d->entry_points++;
	char name[20] = "main";

	if (n)
		snprintf(name, sizeof name, "main%u", n + 1);
	put(&d->entries, "OpEntryPoint %s %%%s \"%s\"%s\n", d->stage, name, name, d->listed ? d->interface.items : "");
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		if (!strcmp(d->stage, modes[i][0]))
			put(&d->modes, "OpExecutionMode %%%s %s\n", name, modes[i][1]);
	}
	put(&d->functions, "%%%s = OpFunction %%void None %%function\n%%label%u = OpLabel\n%sOpReturn\nOpFunctionEnd\n",
	    name, n, d->body.items);
	clear(&d->body), clear(&d->interface);
}

/* `/Fragment`, `=a:t`, `?a`, or a remark; false: none of these. */
static bool declare_entry_point(struct declaring *d, const char **at)
{
	const char what = **at;
	char word[50], id[100];

	if (!strchr("/=?<", what))
		return false;
	++*at;
	if (what == '<') {
		const size_t end = strcspn(*at, ">");
		put(&d->remarks, "OpModuleProcessed \"%.*s\"\n", (int)end, *at);
		*at += end + 1 + strspn(*at + end + 1, " ");
		return true;
	}
	const size_t length = strcspn(*at, " :");
	snprintf(word, sizeof word, "%.*s", (int)length, *at);
	*at += length;
	if (what == '/') {
		end_entry_point(d);
		if (*word)
			snprintf(d->stage, sizeof d->stage, "%s", word);
	} else if (what == '=') {
		snprintf(id, sizeof id, "%s_%u", word, d->entry_points);
		use(d, id, word, kind_at(d, *at + 1, at), 0, -1);
	} else {
		list(d, word);
	}
	*at += strspn(*at, " ");
	return true;
}

/* The next character of a source text, possibly escaped. Returns the position after it. */
static const char *put_character(struct text *to, const char *at)
{
	static const struct {
		const char *written, *meant;
	} special[] = {{"<CR>", "\r"}, {"<VT>", "\v"}, {"<FF>", "\f"}, {"<BOM>", "\xEF\xBB\xBF"}};

	for (size_t i = 0; i < SPB_COUNT(special); i++) {
		if (!strncmp(at, special[i].written, strlen(special[i].written))) {
			put(to, "%s", special[i].meant);
			return at + strlen(special[i].written);
		}
	}
	put(to, strchr("\"\\", *at) ? "\\%c" : "%c", *at);
	return at + 1;
}

/* One piece of a source text, up to `end`. */
static void put_source(struct declaring *d, const char *language, const char *file, const char *text, const char *end)
{
	const unsigned n = d->sources++;
	struct text *to = &d->names;

	if (d->debug)
		put(to, "%%text%u = OpString \"", n);
	else if (*file)
		put(to, "%%file%u = OpString \"%s\"\nOpSource %s %%file%u \"", n, file, language, n);
	else
		put(to, "OpSourceContinued \"");
	while (text < end)
		text = put_character(to, text);
	put(to, "\"\n");
	if (d->debug && *file) {
		put(to, "%%file%u = OpString \"%s\"\n", n, file);
		put(&d->types, "%%source%u = OpExtInst %%void %%debug DebugSource %%file%u %%text%u\n", n, n, n);
	} else if (d->debug) {
		put(&d->types, "%%source%u = OpExtInst %%void %%debug DebugSourceContinued %%text%u\n", n, n);
	}
}

/* The part `source`, whose first line is its language, who made it and `in debug information`, like `HLSL 600 by dxc`;
 * the file is t. (more) in it begins another piece, (file x) another file. Returns the generator of the module. */
static unsigned declare_source(struct declaring *d, const char *source)
{
	static const struct {
		const char *name;
		unsigned number;
	} generators[] = {{"spirv-as", 7}, {"glslang", 8}, {"shaderc", 13}, {"dxc", 14}};
	unsigned generator = 0;
	char language[30], version[30], word[30], file[30] = "t";
	const char *at = source;

	next_word(&at, language, sizeof language);
	next_word(&at, version, sizeof version);
	while (*at == ' ' && next_word(&at, word, sizeof word)) {
		for (size_t i = 0; i < SPB_COUNT(generators); i++)
			generator = !strcmp(word, generators[i].name) ? generators[i].number : generator;
		d->debug |= !strcmp(word, "debug");
	}
	snprintf(word, sizeof word, "%.14s %.14s", language, version);
	if (d->debug)
		put(&d->languages, "OpSource %s\n", word);
	const char *text = next_line(source), *last = text + strlen(text) - 1; /* without the end of the last line */
	for (bool goes_on = true; goes_on;) {
		const char *more = strstr(text, "(more)"), *next = strstr(text, "(file ");
		const bool is_more = more && (!next || more < next), is_next = next && !is_more;
		put_source(d, word, file, text, is_more ? more : is_next ? next : last);
		*file = '\0';
		if (is_next)
			snprintf(file, sizeof file, "%.*s", (int)strcspn(next + 6, ")"), next + 6);
		text = is_more ? more + 6 : is_next ? strchr(next, ')') + 1 : text;
		goes_on = is_more || is_next;
	}
	return generator;
}

struct words declared(const struct row *row, const char *stage, const char *declarations, const char *source)
{
	static struct declaring d;
	static struct text all;
	struct text *const texts[] = {&d.names,   &d.notes, &d.types,     &d.body,      &all,        &d.remarks,
				      &d.entries, &d.modes, &d.functions, &d.interface, &d.languages};

	for (size_t i = 0; i < SPB_COUNT(texts); i++)
		clear(texts[i]);
	snprintf(d.stage, sizeof d.stage, "%s", stage);
	d.row = row;
	d.entry_points = d.sources = 0;
	d.debug = false;
	const unsigned generator = *source ? declare_source(&d, source) : 0;
	d.listed = strchr(declarations, '?') != NULL;
	d.debug |= strchr(declarations, '#') != NULL;
	d.attachments = strstr(declarations, ":input-attachment") != NULL;
	while (*declarations) {
		if (!declare_entry_point(&d, &declarations))
			declare(&d, &declarations);
	}
	end_entry_point(&d);
	put(&all,
	    "OpCapability Shader\nOpCapability RuntimeDescriptorArray\nOpCapability ImageBuffer\n"
	    "OpCapability SampledBuffer\n%sOpExtension \"SPV_EXT_descriptor_indexing\"\n%sOpMemoryModel Logical "
	    "GLSL450\n",
	    d.attachments ? "OpCapability InputAttachment\n" : "",
	    d.debug ? "OpExtension \"SPV_KHR_non_semantic_info\"\n"
		      "%debug = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n"
		    : "");
	put(&all, "%s%s%s%s", d.entries.items, d.modes.items, d.languages.items,
	    d.debug ? "%places = OpString \"places\"\n" : "");
	put(&all, "%s%s%s%s", d.names.items, d.remarks.items, d.notes.items,
	    "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%f = OpTypeFloat 32\n"
	    "%v = OpTypeVector %f 4\n%t = OpTypeImage %f 2D 0 0 0 1 Unknown\n%s = OpTypeSampler\n%c = "
	    "OpTypeSampledImage %t\n"
	    "%i = OpTypeImage %f 2D 0 0 0 2 R32f\n%x = OpTypeImage %f Buffer 0 0 0 1 Unknown\n"
	    "%w = OpTypeImage %f Buffer 0 0 0 2 R32f\n");
	for (int i = 0; i < 10; i++)
		put(&all, "%%n%d = OpConstant %%uint %d\n", i, i);
	if (d.debug)
		put(&all, "%%nothing = OpExtInst %%void %%debug DebugInfoNone\n"
			  "%%in = OpExtInst %%void %%debug DebugSource %%places\n"
			  "%%in_other = OpExtInst %%void %%debug DebugSource %%places\n");
	if (d.attachments)
		put(&all, "%%n = OpTypeImage %%f SubpassData 0 0 0 2 Unknown\n");
	for (const char *k = d.attachments ? "tscixwn" : "tscixw"; *k; k++)
		put(&all, "%%p_UniformConstant_%c = OpTypePointer UniformConstant %%%c\n", *k, *k);
	put(&all,
	    "%%p_Uniform_v = OpTypePointer Uniform %%v\n%%p_StorageBuffer_v = OpTypePointer StorageBuffer %%v\n%s%s",
	    d.types.items, d.functions.items);

	struct words words = assembled(row, all.items, d.listed ? 0x10400 : 0x10300);
	words.items[2] = generator << 16;
	return words;
}
