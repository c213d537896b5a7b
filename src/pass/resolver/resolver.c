/* SPDX-License-Identifier: Apache-2.0 */
/* resolver: finds the functions that map handles to descriptors, in a resolver or in the module itself.
 *
 *     OpDecorate %f LinkageAttributes "getDescriptorIndexFromHandle" Export
 *     OpName %f "getDescriptorIndexFromHandle(vu2;"                 (glslang's mangling: GLSL cannot export)
 *     %f = OpFunction %uint None %type                              %type = OpTypeFunction %uint %v2uint
 *
 * Parameters may be pointers to Function variables, as glslang passes them.
 *
 * Refused: a resolver that defines none of them (SPB_E_RESOLVER_NONE), a wrong signature (SPB_E_RESOLVER_SIGNATURE),
 * two functions for the same type (SPB_E_RESOLVER_TWICE), recursion (SPB_E_RESOLVER_RECURSION), a call of a function
 * without a body (SPB_E_RESOLVER_IMPORT). */
#include "pass/resolver/resolver.h"

static bool begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

/* Does an OpName or linkage name denote a known function? glslang appends the parameter types to the name. */
static bool is_name_of(const char *name, const char *function)
{
	size_t length = strlen(function);

	return begins_with(name, function) && (!name[length] || name[length] == '(');
}

static bool is_opaque(const struct spb_module *m, uint32_t type)
{
	return spb_op_is(spb_def_op(m, type), SPB_OP_OPAQUE);
}

static bool is_uint(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypeInt && m->words[at + 2] == 32 && !m->words[at + 3];
}

static bool is_uint2(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypeVector && m->words[at + 3] == 2 && is_uint(m, m->words[at + 2]);
}

uint32_t spb_parameter_value(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] == SpvStorageClassFunction ? m->words[at + 3]
												: type;
}

/* OpTypeFunction of a function with a body, checked against its parameters; 0 if it is not one. */
static spb_at function_type(const struct spb_module *m, uint32_t id)
{
	spb_at def = m->def[id], type = m->def[m->words[def + 4]], at = spb_next_parameter(m, def);

	if (spb_op(m, type) != SpvOpTypeFunction || m->words[type + 2] != m->words[def + 1])
		return 0;
	for (uint32_t i = 3; i < spb_length(m, type); i++, at = spb_next_parameter(m, at)) {
		if (spb_op(m, at) != SpvOpFunctionParameter || m->words[at + 1] != m->words[type + i])
			return 0;
	}
	return spb_op(m, at) == SpvOpLabel ? type : 0;
}

static void check_index(const struct spb_module *m, uint32_t id, bool *takes_kind)
{
	spb_at type = function_type(m, id);
	uint32_t count = type ? spb_length(m, type) - 3 : 0;
	bool fits = (count == 1 || count == 2) && is_uint(m, m->words[type + 2]) &&
		    is_uint2(m, spb_parameter_value(m, m->words[type + 3])) &&
		    (count == 1 || is_uint(m, spb_parameter_value(m, m->words[type + 4])));

	*takes_kind = count == 2;
	if (!fits)
		spb_fail(
		    m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_SIGNATURE, m->def[id],
		    "%s does not have the signature of " SPB_RESOLVER_INDEX SPB_REMEDY
		    "It is uint (uint2 handle) or uint (uint2 handle, uint kind): change the signature or the name.",
		    spb_label(&m->context->scratch, m, id));
}

static void check_address(const struct spb_module *m, uint32_t id)
{
	spb_at type = function_type(m, id);

	if (!type || spb_length(m, type) != 4 || !is_uint2(m, m->words[type + 2]) ||
	    !is_uint2(m, spb_parameter_value(m, m->words[type + 3])))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_SIGNATURE, m->def[id],
			 "%s does not have the signature of " SPB_RESOLVER_ADDRESS SPB_REMEDY
			 "It is uint2 (uint2 handle), low word first: change the signature or the name.",
			 spb_label(&m->context->scratch, m, id));
}

static void check_whole(const struct spb_module *m, uint32_t id)
{
	spb_at type = function_type(m, id);

	if (!type || spb_length(m, type) != 4 || !is_opaque(m, m->words[type + 2]) ||
	    !is_uint2(m, spb_parameter_value(m, m->words[type + 3])))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_SIGNATURE, m->def[id],
			 "%s does not have the signature of " SPB_RESOLVER_WHOLE SPB_REMEDY
			 "It takes a uint2 and returns an image, a sampler, a sampled image or an acceleration "
			 "structure; for buffers, define " SPB_RESOLVER_INDEX ".",
			 spb_label(&m->context->scratch, m, id));
}

struct search {
	const struct spb_module *m;
	struct spb_arena *arena;
	uint32_t *seen; /* bits over ids */
	struct spb_known_functions known;
};

static void twice(const struct search *s, uint32_t a, uint32_t b)
{
	struct spb_arena *scratch = &s->m->context->scratch;

	spb_fail(s->m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_TWICE, s->m->def[b],
		 "%s and %s both dereference handles to the same type" SPB_REMEDY "Rename one of them.",
		 spb_label(scratch, s->m, a), spb_label(scratch, s->m, b));
}

static void add_whole(struct search *s, uint32_t id)
{
	check_whole(s->m, id);
	SPB_PUSH(s->arena, &s->known.whole, id);
}

static void see(struct search *s, uint32_t id, const char *name, bool exported)
{
	const struct spb_module *m = s->m;
	bool kind;

	if (spb_def_op(m, id) != SpvOpFunction || spb_bit(s->seen, id) ||
	    !spb_has_body(spb_function_around(m, m->def[id])))
		return;
	if (is_name_of(name, SPB_RESOLVER_ADDRESS)) {
		check_address(m, id);
		if (s->known.address)
			twice(s, s->known.address, id);
		s->known.address = id;
		spb_set_bit(s->seen, id);
	} else if (is_name_of(name, SPB_RESOLVER_INDEX)) {
		check_index(m, id, &kind);
		if (s->known.index)
			twice(s, s->known.index, id);
		s->known.index = id;
		s->known.takes_kind = kind;
		spb_set_bit(s->seen, id);
	} else if (begins_with(name, SPB_RESOLVER_WHOLE) && (exported || is_opaque(m, m->words[m->def[id] + 1]))) {
		add_whole(s, id);
		spb_set_bit(s->seen, id);
	}
}

/* If several functions of a module return the same type, it is unclear which one is meant. */
static void check_types(const struct search *s)
{
	const struct spb_module *m = s->m;
	uint32_t *of_type;

	if (s->known.whole.count < 2)
		return;
	of_type = spb_alloc_zeroed(&m->context->scratch, m->bound, sizeof *of_type);
	for (size_t i = 0; i < s->known.whole.count; i++) {
		uint32_t id = s->known.whole.items[i], type = m->words[m->def[id] + 1];
		if (of_type[type])
			twice(s, of_type[type], id);
		of_type[type] = id;
	}
}

enum { UNSEEN, OPEN, DONE };

struct walk { /* depth-first search over calls */
	const struct spb_module *m;
	struct spb_calls calls;
	uint8_t *state; /* of each function */
	uint32_t *next; /* of each function: its next call */
	uint32_t *stack, depth;
};

static void enter(struct walk *w, uint32_t f)
{
	w->state[f] = OPEN;
	w->next[f] = w->calls.first[f];
	w->stack[w->depth++] = f;
}

static void check_callee(const struct walk *w, uint32_t root, uint32_t callee)
{
	const struct spb_module *m = w->m;
	spb_at at = m->function[callee].at;
	struct spb_arena *scratch = &m->context->scratch;

	if (!spb_has_body(&m->function[callee]))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_IMPORT, at,
			 "%s calls %s, which has no body in this module" SPB_REMEDY
			 "A resolver can import only functions whose names begin with " SPB_RESOLVER_DEFAULT ".",
			 spb_label(scratch, m, root), spb_label(scratch, m, m->words[at + 2]));
	if (w->state[callee] == OPEN)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_RECURSION, at,
			 "%s calls itself, directly or through another function" SPB_REMEDY
			 "To dereference a handle without the resolver, call " SPB_RESOLVER_DEFAULT ".",
			 spb_label(scratch, m, m->words[at + 2]));
}

/* Refuses a known function that calls itself, or a function without a body. */
static void check_calls(struct walk *w, uint32_t id)
{
	if (w->state[w->calls.function_of[id] - 1] != UNSEEN)
		return;
	enter(w, w->calls.function_of[id] - 1);
	while (w->depth) {
		uint32_t f = w->stack[w->depth - 1];
		if (w->next[f] == w->calls.first[f + 1]) {
			w->state[f] = DONE;
			w->depth--;
			continue;
		}
		uint32_t callee = w->calls.callees.items[w->next[f]++];
		check_callee(w, id, callee);
		if (w->state[callee] == UNSEEN)
			enter(w, callee);
	}
}

static void check_all_calls(const struct spb_module *m, const struct spb_known_functions *known)
{
	struct spb_arena *scratch = &m->context->scratch;
	struct walk w = {.m = m};

	if (!known->index && !known->address && !known->whole.count)
		return;
	w.calls = spb_find_calls(m, scratch);
	w.state = spb_alloc_zeroed(scratch, m->function_count, sizeof *w.state);
	w.next = spb_alloc_array(scratch, m->function_count, sizeof *w.next);
	w.stack = spb_alloc_array(scratch, m->function_count, sizeof *w.stack);
	if (known->index)
		check_calls(&w, known->index);
	if (known->address)
		check_calls(&w, known->address);
	for (size_t i = 0; i < known->whole.count; i++)
		check_calls(&w, known->whole.items[i]);
}

struct spb_known_functions spb_find_known_functions(const struct spb_module *m, struct spb_arena *arena)
{
	struct search s = {.m = m, .arena = arena};

	s.seen = spb_bits(&m->context->scratch, m->bound);
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationLinkageAttributes &&
		    m->words[spb_next(m, at) - 1] == SpvLinkageTypeExport)
			see(&s, m->words[at + 1], spb_string(m, at + 3), true);
	}
	for (spb_at at = m->section[SPB_SECTION_NAME]; at < m->section[SPB_SECTION_PROCESSED]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpName)
			see(&s, m->words[at + 1], spb_string(m, at + 2), false);
	}
	check_types(&s);
	check_all_calls(m, &s.known);
	return s.known;
}

/* The names of the first functions that it defines instead. */
static const char *functions_of(const struct spb_module *m)
{
	struct spb_text_buffer text = {.arena = &m->context->scratch};
	uint32_t shown = 0;

	for (uint32_t f = 0; f < m->function_count && shown < 4; f++) {
		uint32_t id = m->words[m->function[f].at + 2];
		if (spb_has_body(&m->function[f]))
			spb_text_format(&text, shown++ ? ", %s" : "%s", spb_label(text.arena, m, id));
	}
	return shown ? spb_text_end(&text) : "none";
}

void spb_resolver_parse(struct spb_resolver_module *r, const char *name, const uint32_t *words, size_t count)
{
	struct spb_module *m = &r->unit.m;

	m->context->pass = "resolver";
	spb_module_parse(m, name, words, count);
	if (m->has_unknown_ops)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_UNKNOWN_OPS, 0,
			 "the resolver contains opcodes that the grammar of SPIR-V %s does not define, so it cannot be "
			 "merged" SPB_REMEDY "Use a newer release of spirv-bind.",
			 spb_grammar_version());
	m->context->pass = NULL;
}

void spb_resolver_find_functions(struct spb_resolver_module *r)
{
	struct spb_module *m = &r->unit.m;
	struct spb_context *c = m->context;

	c->pass = "resolver";
	spb_arena_reset(&c->scratch);
	spb_module_need_uses(m);
	r->known = spb_find_known_functions(m, &m->keep);
	if (!r->known.index && !r->known.address && !r->known.whole.count)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_NONE, 0,
			 "the resolver defines neither " SPB_RESOLVER_INDEX
			 " nor a function whose name begins with " SPB_RESOLVER_WHOLE SPB_REMEDY
			 "Give it the name as OpName, or export it; its functions are: %s.",
			 functions_of(m));
	c->pass = NULL;
}

uint32_t *spb_find_resolver_functions(const struct spb_unit *u, const struct spb_calls *calls)
{
	struct spb_arena *scratch = &u->m.context->scratch;
	uint32_t *bits = spb_bits(scratch, calls->function_count),
		 *list = spb_alloc_array(scratch, calls->function_count, sizeof *list);

	for (size_t i = 0; i < u->resolver.whole_functions.count; i++)
		spb_add_reached(calls, u->resolver.whole_functions.items[i], bits, list);
	if (u->resolver.index_function)
		spb_add_reached(calls, u->resolver.index_function, bits, list);
	return bits;
}

/* Fails if `m` and an earlier module define a function that may exist only once. */
static void check_only(const struct spb_module **first, const struct spb_module *m, uint32_t id, const char *function)
{
	if (id && *first) {
		m->context->pass = "resolver";
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_TWICE, m->def[id],
			 "both %s and %s define %s" SPB_REMEDY "Remove one of them.", (*first)->name, m->name,
			 function);
	}
	if (id)
		*first = m;
}

void spb_check_resolvers(const struct spb_resolver_module *resolvers, size_t count)
{
	const struct spb_module *index = NULL, *address = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct spb_module *m = &resolvers[i].unit.m;
		check_only(&index, m, resolvers[i].known.index, SPB_RESOLVER_INDEX);
		check_only(&address, m, resolvers[i].known.address, SPB_RESOLVER_ADDRESS);
	}
}
