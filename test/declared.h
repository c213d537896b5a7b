/* SPDX-License-Identifier: Apache-2.0 */
/* Modules from declarations in short: `albedo:t[4]@3,1` is a variable of an array of four textures with Binding 3 and
 * DescriptorSet 1. After cmocka.h and libspirv.h. */
#ifndef SPB_TEST_DECLARED_H
#define SPB_TEST_DECLARED_H

#include "texts.h"

/* name^2 is another variable called name, and ^1 one without a name.
 *
 * name:kind[dims]@binding,set     [] unsized; no @: neither; @,set: that alone; ! at the end: nothing uses it
 * name:{a:t b:s[2]}@binding,set   a struct of descriptors
 *
 * kinds: b uniform block, u storage block, o the same, not written, t texture, s sampler, c both combined,
 *        i storage image, r the same, not written, x uniform and w storage texel buffer, n input attachment
 *
 * Behind a kind: +4, where the vector of a block is in it, then lengths, then ~, which is Aliased.
 *
 * / and /Stage begin another entry point, which uses what comes then; ?name is listed in its interface, and =name:kind
 * used by it, too, though declared before. With a ? the version is 1.4, and interfaces list what is used, too.
 *
 * <text> is a remark of the module. name:kind#line.column has this place in debug information; with a dot behind it, in
 * another file. */

struct declaring {
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

static inline bool is_block(char kind)
{
	return strchr("buo", kind) != NULL;
}

static inline const char *storage_of(char kind)
{
	return kind == 'b' ? "Uniform" : is_block(kind) ? "StorageBuffer" : "UniformConstant";
}

/* The name of what is being declared. */
static inline void put_name(struct declaring *d, const char *prefix, const char *id)
{
	put(&d->names, "OpName %%%s_%s \"%s\"\n", prefix, id, d->name);
}

/* The letter of its type. */
static inline char loaded(char kind)
{
	return is_block(kind) ? 'v' : kind == 'r' ? 'i' : kind;
}

/* In the interface of the current entry point, once. */
static inline void list(struct declaring *d, const char *name)
{
	char variable[60];

	snprintf(variable, sizeof variable, " %%g_%s ", name);
	if (!strstr(d->interface.items, variable))
		put(&d->interface, "%s", variable);
}

/* An access to what is behind `depth` indices of the variable, and behind that of a member. */
static inline void use(struct declaring *d, const char *id, const char *name, char kind, unsigned depth, int member)
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
static inline unsigned add_type(struct declaring *d, const char *name, char kind, const char **at, char *type)
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
static inline void add_struct(struct declaring *d, const char *name, const char **at, char *type, bool used)
{
	char members[10][100], id[100], member[50];
	unsigned count = 0;

	for (++*at; **at != '}'; *at += **at == ' ', count++) {
		size_t length = strcspn(*at, ":");
		snprintf(member, sizeof member, "%.*s", (int)length, *at);
		const char kind = (*at)[length + 1];
		*at += length + 2;
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

/* Does a kind begin here? Names may have colons, too. */
static inline bool is_kind(const char *at)
{
	assert_true(*at);
	return at[0] == ':' && (at[1] == '{' || (at[1] && strchr("[@!#+~ ", at[2])));
}

static inline void declare(struct declaring *d, const char **at)
{
	char name[50], type[100];
	size_t length = 0;
	while (!is_kind(*at + length))
		length++;
	const char kind = (*at)[length + 1];
	const size_t plain = strcspn(*at, "^") < length ? strcspn(*at, "^") : length;
	unsigned depth = 0;

	snprintf(d->name, sizeof d->name, "%.*s", (int)plain, *at);
	snprintf(name, sizeof name, "%.*s", (int)length, *at);
	for (char *c = name; *c; c++) /* what an id can have */
		*c = strchr(":.[]^$", *c) ? '_' : *c;
	*at += length + 1;
	/* a struct has blanks */
	const char *end = kind == '{' ? strchr(*at, '}') : *at;
	const bool used = end[strcspn(end, " !")] != '!';
	if (kind == '{') {
		add_struct(d, name, at, type, used);
	} else {
		++*at;
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

/* The entry point that uses what has been declared since the last one. */
static inline void end_entry_point(struct declaring *d)
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

/* `/Fragment`, `=a:t`, `?a`, and a remark; false: it is none of them. */
static inline bool declare_entry_point(struct declaring *d, const char **at)
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
		use(d, id, word, (*at)[1], 0, -1);
		*at += 2;
	} else {
		list(d, word);
	}
	*at += strspn(*at, " ");
	return true;
}

/* One piece of a source text, up to `end`. */
static inline void put_source(struct declaring *d, const char *language, const char *file, const char *text,
			      const char *end)
{
	const unsigned n = d->sources++;
	struct text *to = &d->names;

	if (d->debug)
		put(to, "%%text%u = OpString \"", n);
	else if (*file)
		put(to, "%%file%u = OpString \"%s\"\nOpSource %s %%file%u \"", n, file, language, n);
	else
		put(to, "OpSourceContinued \"");
	for (; text < end; text++)
		put(to, strchr("\"\\", *text) ? "\\%c" : "%c", *text);
	put(to, "\"\n");
	if (d->debug && *file) {
		put(to, "%%file%u = OpString \"%s\"\n", n, file);
		put(&d->types, "%%source%u = OpExtInst %%void %%debug DebugSource %%file%u %%text%u\n", n, n, n);
	} else if (d->debug) {
		put(&d->types, "%%source%u = OpExtInst %%void %%debug DebugSourceContinued %%text%u\n", n, n);
	}
}

/* `(HLSL 600)Texture2D a;(end)`: the module has this source, its file is t; (8: HLSL 600) says who made it. (more)
 * begins another piece of it, (file x) another file; with (*HLSL 600) they are in debug information. */
static inline unsigned declare_source(struct declaring *d, const char **at)
{
	unsigned generator = 0;
	char language[30], file[30] = "t";

	if (**at != '(')
		return 0;
	if ((*at)[1] <= '9' && (*at)[1] >= '0') {
		generator = (unsigned)strtoul(*at + 1, NULL, 10);
		*at = strchr(*at, ':') + 1;
	}
	d->debug |= (*at)[1] == '*';
	snprintf(language, sizeof language, "%.*s", (int)strcspn(*at + 1 + d->debug, ")"), *at + 1 + d->debug);
	if (d->debug)
		put(&d->languages, "OpSource %s\n", language);
	*at = strchr(*at, ')') + 1;
	for (const char *text = *at;; text = *at) {
		const char *end = strstr(text, "(end)"), *more = strstr(text, "(more)"), *next = strstr(text, "(file ");
		const bool is_more = more && more < end && (!next || more < next),
			   is_next = next && next < end && !is_more;
		put_source(d, language, file, text, is_more ? more : is_next ? next : end);
		*file = '\0';
		*at = is_more ? more + 6 : is_next ? strchr(next, ')') + 1 : end + 5;
		if (is_next)
			snprintf(file, sizeof file, "%.*s", (int)strcspn(next + 6, ")"), next + 6);
		if (!is_more && !is_next)
			break;
	}
	*at += strspn(*at, " ");
	return generator;
}

/* The words of a module with these declarations, all of which are used in their order; in memory of malloc. */
static inline uint32_t *declared(const char *stage, const char *declarations, size_t *count)
{
	static struct declaring d;
	static struct text all;

	clear(&d.names), clear(&d.notes), clear(&d.types), clear(&d.body), clear(&all);
	clear(&d.remarks), clear(&d.entries), clear(&d.modes), clear(&d.functions), clear(&d.interface);
	snprintf(d.stage, sizeof d.stage, "%s", stage);
	d.entry_points = d.sources = 0;
	d.debug = false;
	clear(&d.languages);
	const unsigned generator = declare_source(&d, &declarations);
	d.listed = strchr(declarations, '?') != NULL;
	d.debug |= strchr(declarations, '#') != NULL;
	d.attachments = strstr(declarations, ":n") != NULL;
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

	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	spv_binary binary = NULL;
	spv_diagnostic wrong = NULL;
	if (spvTextToBinary(context, all.items, all.count, &binary, &wrong) != SPV_SUCCESS)
		fail_msg("%s\n%s", wrong->error, all.items);
	uint32_t *words = malloc(binary->wordCount * sizeof *words);
	memcpy(words, binary->code, binary->wordCount * sizeof *words);
	words[1] = d.listed ? 0x10400 : words[1];
	words[2] = generator << 16;
	*count = binary->wordCount;
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return words;
}

#endif
