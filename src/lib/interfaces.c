/* SPDX-License-Identifier: Apache-2.0 */
/* interfaces: what the host sets for each module besides descriptors: entry points with their workgroup sizes,
 * specialization constants, and vertex inputs, as the lists of host.h. */
#include "lib/lib.h"

/* Scalars and vectors */

static bool scalar_of(const struct spb_module *m, uint32_t type, spb_constant_type *of, uint32_t *size)
{
	const spb_at at = m->def[type];

	switch (spb_op(m, at)) {
	case SpvOpTypeBool:
		*of = SPB_CONSTANT_BOOL;
		*size = 4;
		return true;
	case SpvOpTypeInt:
		*of = m->words[at + 3] ? SPB_CONSTANT_INT : SPB_CONSTANT_UINT;
		*size = m->words[at + 2] / 8;
		break;
	case SpvOpTypeFloat:
		*of = SPB_CONSTANT_FLOAT;
		*size = m->words[at + 2] / 8;
		break;
	default:
		return false;
	}
	return *size == 1 || *size == 2 || *size == 4 || *size == 8;
}

/* Numbers of VkFormat are regular: those of one width begin with one component, unsigned. */
static uint32_t format_of(spb_constant_type type, uint32_t size, uint32_t components)
{
	const uint32_t n = components - 1, k = type == SPB_CONSTANT_FLOAT ? 2 : type == SPB_CONSTANT_INT;

	switch (size) {
	case 1: /* VK_FORMAT_R8_UINT; B8G8R8 is between three and four components */
		return (n == 3 ? 41 : 13 + 7 * n) + k;
	case 2: /* VK_FORMAT_R16_UINT */
		return 74 + 7 * n + k;
	case 4: /* VK_FORMAT_R32_UINT */
		return 98 + 3 * n + k;
	default: /* VK_FORMAT_R64_UINT */
		return 110 + 3 * n + k;
	}
}

/* Entry points */

/* The constant decorated WorkgroupSize, which takes precedence over execution modes; 0: there is none. */
static spb_at size_by_builtin(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) != SpvOpDecorate || w[2] != SpvDecorationBuiltIn || w[3] != SpvBuiltInWorkgroupSize)
			continue;
		const spb_at constant = m->def[w[1]];
		const uint32_t op = spb_op(m, constant);
		if ((op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite) && spb_length(m, constant) == 6)
			return constant;
	}
	return 0;
}

/* Of one module */
struct workgroups {
	const struct spb_module *m;
	spb_at constant;          /* the size of all of them; 0: each has its own */
	spb_at *mode;             /* [bound] by the function of an entry point: its execution mode, or 0 */
	struct spb_folded folded; /* m is NULL until they are needed */
};

static bool has_workgroups(uint32_t stage)
{
	enum { COMPUTE = 0x20, TASK = 0x40, MESH = 0x80 };

	return stage == COMPUTE || stage == TASK || stage == MESH;
}

static bool is_local_size(const struct spb_module *m, spb_at at)
{
	const uint32_t op = spb_op(m, at), mode = m->words[at + 2];

	return spb_length(m, at) == 6 && ((op == SpvOpExecutionModeId && mode == SpvExecutionModeLocalSizeId) ||
					  (op == SpvOpExecutionMode && mode == SpvExecutionModeLocalSize));
}

static struct workgroups find_workgroups(const struct spb_module *m)
{
	struct workgroups g = {.m = m, .constant = size_by_builtin(m)};

	if (g.constant)
		return g;
	g.mode = spb_alloc_zeroed(&m->context->scratch, m->bound, sizeof *g.mode);
	for (spb_at at = m->section[SPB_SECTION_EXECUTION_MODE]; at < m->section[SPB_SECTION_SOURCE];
	     at = spb_next(m, at)) {
		if (is_local_size(m, at))
			g.mode[m->words[at + 1]] = at;
	}
	return g;
}

static void size_of_id(struct workgroups *g, uint32_t id, uint32_t *size, uint32_t *spec_id)
{
	const struct spb_module *m = g->m;
	const uint32_t spec = spb_decoration(m, id, SpvDecorationSpecId);
	uint64_t value = 0;

	if (!spb_constant_value(m, id, &value)) {
		if (!g->folded.m)
			g->folded = spb_fold_constants(m, &m->context->scratch);
		(void)spb_folded_value(&g->folded, id, &value);
	}
	*size = (uint32_t)value;
	*spec_id = spec ? m->words[spec] : UINT32_MAX;
}

static void set_workgroup_size(struct workgroups *g, uint32_t function, spb_entry_point *e)
{
	const spb_at at = g->constant ? g->constant : g->mode[function];

	for (uint32_t i = 0; i < 3 && at; i++) {
		const uint32_t word = g->m->words[at + 3 + i];
		if (spb_op(g->m, at) == SpvOpExecutionMode)
			e->workgroup_size[i] = word;
		else
			size_of_id(g, word, &e->workgroup_size[i], &e->workgroup_size_ids[i]);
	}
}

static void list_entry_points(struct spb_program *p, uint32_t module)
{
	const struct spb_module *m = &p->slots.items[module]->unit.m;
	struct workgroups g = find_workgroups(m);

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (!spb_is_wanted_entry_point(&p->options, m, at))
			continue;
		spb_entry_point e = {module,
				     spb_stage_flags(spb_stage_bit(m->words[at + 1])),
				     spb_string(m, at + 3),
				     {0},
				     {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
		if (has_workgroups(e.stage))
			set_workgroup_size(&g, m->words[at + 2], &e);
		SPB_PUSH(&p->keep, &p->results.entry_points, e);
	}
}

/* Specialization constants */

static int by_spec_id(const void *a, const void *b)
{
	return spb_compare(((const spb_specialization_constant *)a)->id, ((const spb_specialization_constant *)b)->id);
}

static void list_constants(struct spb_program *p, uint32_t module)
{
	const struct spb_module *m = &p->slots.items[module]->unit.m;
	const size_t first = p->results.constants.count;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationSpecId)
			continue;
		const spb_at constant = m->def[m->words[at + 1]];
		const uint32_t *w = m->words + constant, op = spb_op(m, constant);
		spb_specialization_constant c = {module, m->words[at + 3], "", SPB_CONSTANT_BOOL, 0, 0};
		if (op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse)
			c.value = op == SpvOpSpecConstantTrue;
		else if (op == SpvOpSpecConstant)
			c.value = w[3] | (spb_length(m, constant) > 4 ? (uint64_t)w[4] << 32 : 0);
		else
			continue;
		if (!scalar_of(m, w[1], &c.type, &c.size))
			continue;
		c.value &= UINT64_MAX >> (64 - 8 * c.size);
		c.name = spb_id_name(m, w[2]);
		SPB_PUSH(&p->keep, &p->results.constants, c);
	}
	if (p->results.constants.count == first)
		return;
	spb_sort(&p->context->scratch, p->results.constants.items + first, p->results.constants.count - first,
		 sizeof *p->results.constants.items, by_spec_id);
	/* two constants with one SpecId are one for the host */
	size_t end = first;
	for (size_t i = first; i < p->results.constants.count; i++) {
		if (i == first || p->results.constants.items[i].id != p->results.constants.items[end - 1].id)
			p->results.constants.items[end++] = p->results.constants.items[i];
	}
	p->results.constants.count = end;
}

/* Vertex inputs */

enum { MOST_LOCATIONS = 64 }; /* of one variable; devices have 16 to 64 in all */

/* Appends the locations of a variable of this type. `component`: where it begins within each location. */
static void add_locations(struct spb_program *p, const struct spb_module *m, spb_vertex_input next, uint32_t type,
			  uint32_t component)
{
	uint64_t locations = 1, length;
	uint32_t components = 1, bytes;

	for (; spb_def_op(m, type) == SpvOpTypeArray; type = m->words[m->def[type] + 2]) {
		if (!spb_constant_value(m, m->words[m->def[type] + 3], &length))
			return;
		locations = spb_smaller(locations * spb_smaller(length, MOST_LOCATIONS), MOST_LOCATIONS);
	}
	if (spb_def_op(m, type) == SpvOpTypeMatrix) {
		locations = spb_smaller(locations * m->words[m->def[type] + 3], MOST_LOCATIONS);
		type = m->words[m->def[type] + 2];
	}
	if (spb_def_op(m, type) == SpvOpTypeVector) {
		components = m->words[m->def[type] + 3];
		type = m->words[m->def[type] + 2];
	}
	if (!scalar_of(m, type, &next.type, &bytes) || !components || components > 4)
		return;
	/* Vulkan, "Location Assignment": Component counts words of four bytes */
	components += component * 4 / (bytes < 4 ? 4 : bytes);
	next.components = components > 4 ? 4 : components;
	next.format = format_of(next.type, bytes, next.components);
	next.size = next.components * bytes;
	for (; next.element < locations; next.element++) {
		SPB_PUSH(&p->keep, &p->results.vertex_inputs, next);
		next.location += bytes == 8 && next.components > 2 ? 2u : 1u;
	}
}

static int by_location(const void *a, const void *b)
{
	const spb_vertex_input *x = a, *y = b;
	const int order = spb_compare(x->location, y->location);

	return order ? order : spb_compare(y->components, x->components);
}

/* Bits over ids: the variables in the interfaces of the selected vertex shaders; NULL: there are none. */
static uint32_t *find_vertex_interface(struct spb_program *p, const struct spb_module *m)
{
	uint32_t *listed = NULL;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (m->words[at + 1] != SpvExecutionModelVertex || !spb_is_wanted_entry_point(&p->options, m, at))
			continue;
		listed = listed ? listed : spb_bits(&p->context->scratch, m->bound);
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				spb_set_bit(listed, m->words[o.word]);
		}
	}
	return listed;
}

static void list_vertex_inputs(struct spb_program *p, uint32_t module)
{
	const struct spb_module *m = &p->slots.items[module]->unit.m;
	const uint32_t *listed = find_vertex_interface(p, m);
	const size_t first = p->results.vertex_inputs.count;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION] && listed;
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpVariable || m->words[at + 3] != SpvStorageClassInput ||
		    !spb_bit(listed, m->words[at + 2]))
			continue;
		const spb_at pointer = m->def[m->words[at + 1]];
		const uint32_t id = m->words[at + 2], location = spb_decoration(m, id, SpvDecorationLocation),
			       component = spb_decoration(m, id, SpvDecorationComponent);
		if (!location || spb_op(m, pointer) != SpvOpTypePointer)
			continue;
		spb_vertex_input next = {.module = module, .location = m->words[location], .name = spb_id_name(m, id)};
		add_locations(p, m, next, m->words[pointer + 3], component ? m->words[component] & 3 : 0);
	}
	/* inputs that share a location have one attribute, with the components of all */
	if (p->results.vertex_inputs.count == first)
		return;
	spb_vertex_input *items = p->results.vertex_inputs.items;
	spb_sort(&p->context->scratch, items + first, p->results.vertex_inputs.count - first, sizeof *items,
		 by_location);
	size_t end = first;
	for (size_t i = first; i < p->results.vertex_inputs.count; i++) {
		if (i == first || items[i].location != items[end - 1].location)
			items[end++] = items[i];
	}
	p->results.vertex_inputs.count = end;
}

void spb_list_interfaces(struct spb_program *p)
{
	if (p->results.interfaces_listed)
		return;
	/* of a call that ran out of memory */
	p->results.entry_points.count = p->results.constants.count = p->results.vertex_inputs.count = 0;
	for (size_t i = 0; i < p->slots.count; i++) {
		spb_module_need_index(&p->slots.items[i]->unit.m);
		list_entry_points(p, (uint32_t)i);
		list_constants(p, (uint32_t)i);
		list_vertex_inputs(p, (uint32_t)i);
	}
	spb_list_all_features(p);
	p->results.interfaces_listed = true;
}
