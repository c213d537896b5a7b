/* SPDX-License-Identifier: Apache-2.0 */
/* allocate: turns the unassigned parameters of a program into claims for number.c, and writes back the numbers.
 *
 * Under Slang's rules, each resource takes one number, and the members of a struct stay together. Under HLSL's rules,
 * each descriptor takes a register, and an unsized array takes all registers after the last one reserved or allocated
 * so far. */
#include "analysis/layout/plan.h"

/* The index of a parameter among the members of its struct, which are adjacent, and how many there are. */
struct member {
	uint32_t index, count;
};

static struct member member_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_extra *extra = p->variable->extra;
	const struct spb_draft *d = spb_draft(s, p);

	return extra->pieces > 1 ? (struct member){extra->piece, extra->pieces} : (struct member){d->leaf, d->leaves};
}

/* Whether q is numbered in one run with other members of its struct, i.e. no policy puts it elsewhere. */
static bool is_joined(const struct spb_plan *s, const struct spb_parameter *q)
{
	const struct member member = member_of(s, q);

	return member.count > 1 && !s->hlsl && s->policies->structs != SPB_PARTS_APART && !q->has_range &&
	       q->place == SPB_PLACE_OPEN && q->set == (q - member.index)->set && !spb_follows(s, q);
}

/* The end of the parameters that may be numbered together with p. */
static const struct spb_parameter *run_end(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct member member = member_of(s, p);

	return is_joined(s, p) ? p - member.index + member.count : p + 1;
}

/* Whether q is numbered with p, the head of its run in the lane. */
static bool goes_along(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_parameter *q)
{
	return p == q || (is_joined(s, q) && spb_lane_of(s, p) == spb_lane_of(s, q));
}

/* The next parameter that is numbered with p; NULL: none. */
static const struct spb_parameter *next_along(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_parameter *q = p + 1, *end = run_end(s, p);

	while (q < end && !goes_along(s, p, q))
		q++;
	return q < end ? q : NULL;
}

/* Whether p is the data of a cbuffer, and numbered after the resources in it. The data comes first among the parts. */
static bool is_behind(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_extra *extra = p->variable->extra;

	return s->policies->structs == SPB_PARTS_DATA_LAST && extra->pieces > 1 && !*extra->path && is_joined(s, p) &&
	       next_along(s, p);
}

const struct spb_parameter *spb_run_head(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_parameter *q = p;

	if (is_joined(s, p))
		q -= member_of(s, p).index;
	while (!goes_along(s, p, q) || is_behind(s, q))
		q++;
	return q;
}

/* For the message: the first parameters that already have a number in the lane of `p`, and how many more there are. */
static uint32_t list_in_the_way(const struct spb_plan *s, const struct spb_parameter *p, spb_message_note *notes,
				uint32_t most)
{
	uint32_t count = 0, lane = spb_lane_of(s, p);

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *q = spb_plan_parameter(s, i);
		bool placed = q->place == SPB_PLACE_FIXED || q->place == SPB_PLACE_BOUND || q->allocated;
		if (!placed || q->variable->heap || q->set != p->set || spb_lane_of(s, q) != lane)
			continue;
		if (count++ < most)
			notes[count - 1] = spb_note_of(s, q, spb_place_text(s, q));
	}
	if (count <= most)
		return count;
	notes[most] = spb_note(spb_module_of(s, p), p->variable->at, "%u more are in the way", count - most);
	return most + 1;
}

const char *spb_no_room_text(const char *name, uint64_t length, uint32_t set, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};

	if (length)
		spb_text_format(&text, "%s finds no %u free bindings in a row in set %u", name, (unsigned)length, set);
	else
		spb_text_format(&text, "%s is unbounded, and no binding is left after the last one in set %u", name,
				set);
	return spb_text_end(&text);
}

static noreturn void no_room(struct spb_plan *s, const struct spb_parameter *p, uint64_t length)
{
	enum { MOST_NOTES = 8 };
	spb_message_note notes[MOST_NOTES + 1];
	struct spb_text_buffer text = {.arena = &s->c->scratch};
	const char *label = spb_parameter_label(s, p);

	if (p->has_range)
		spb_text_format(&text,
				"%s finds no %u free bindings in a row within %u..%u of set %u, which %s asks "
				"for" SPB_REMEDY "Widen the range.",
				label, (unsigned)length, spb_range_of(s, p)->first, spb_range_of(s, p)->last, p->set,
				p->why);
	else if (!s->hlsl)
		spb_text_format(&text, "%s" SPB_REMEDY "Use another set.",
				spb_no_room_text(label, length, p->set, &s->c->scratch));
	else if (!length)
		spb_text_format(&text,
				"%s is unbounded, and no register of class %c is left after the last one in "
				"space%u" SPB_REMEDY "Use a separate space.",
				label, spb_class_letter(p->class), p->set);
	else
		spb_text_format(&text,
				"%s finds no %u free registers of class %c in a row in space%u" SPB_REMEDY
				"Declare it before unbounded arrays, give those a size, or use another space.",
				label, (unsigned)length, spb_class_letter(p->class), p->set);
	spb_report_message(spb_module_of(s, p),
			   (spb_message){.severity = SPB_SEVERITY_ERROR,
					 .code = SPB_E_NO_ROOM,
					 .text = spb_text_end(&text),
					 .notes = notes,
					 .note_count = s->hlsl ? list_in_the_way(s, p, notes, MOST_NOTES) : 0},
			   p->variable->at);
	spb_throw(s->c, SPB_ERROR_CONFLICT);
}

/* The lowest number it may have. */
static uint32_t base_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return s->base && !p->has_range ? spb_own_shift(s, p) : 0;
}

static uint32_t length_of_run(struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_parameter *begin = is_joined(s, p) ? p - member_of(s, p).index : p, *end = run_end(s, p);
	uint64_t length = 0;

	for (const struct spb_parameter *q = begin; q < end; q++)
		length += goes_along(s, p, q) ? spb_length_of(s, q) : 0;
	if (length > UINT32_MAX)
		no_room(s, p, length);
	return (uint32_t)length;
}

static void claim(struct spb_plan *s, struct spb_numbering *n, uint32_t i, uint32_t lane)
{
	const struct spb_parameter *p = spb_plan_parameter(s, i);
	struct spb_draft *d = spb_plan_draft(s, i);
	struct spb_claim c = {.set = p->set,
			      .lane = lane,
			      .order = d->order,
			      .imported = d->imported,
			      .at = d->at,
			      .owner = i,
			      .length = length_of_run(s, p),
			      .first = base_of(s, p),
			      .last = UINT32_MAX};

	if (p->has_range)
		spb_claim_bindings(&s->lanes, &c, spb_range_of(s, p)->first, spb_range_of(s, p)->last);
	else
		d->from = c.first;
	SPB_PUSH(&s->c->scratch, p->has_range ? &n->ranged : &n->open, c);
}

/* Whether two adjacent parameters are members of one struct. */
static bool is_one_struct(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_parameter *next)
{
	return member_of(s, p).index + 1 == member_of(s, next).index;
}

static void list_claims(struct spb_plan *s, struct spb_numbering *n)
{
	uint32_t *seen = spb_bits(&s->c->scratch, s->lanes.end); /* bits: lanes in which the current run has a claim */

	SPB_SIZE(&s->c->scratch, &n->open, s->layout->parameters.count);
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		const uint32_t lane = spb_lane_of(s, p);
		const bool joined = is_joined(s, p);
		if (member_of(s, p).count > 1 && (!i || !is_one_struct(s, p - 1, p)))
			memset(seen, 0, (s->lanes.end / 32 + 1) * sizeof *seen);
		if (p->place != SPB_PLACE_OPEN || p->variable->heap || spb_follows(s, p) ||
		    (joined && spb_bit(seen, lane)) || is_behind(s, p))
			continue;
		if (joined)
			spb_set_bit(seen, lane);
		claim(s, n, i, lane);
	}
}

/* Bindings of removed resources in the lock file stay taken. Bindings that a policy reserves are only for parameters
 * whose own policy gives a range. */
static void keep_off(struct spb_plan *s, struct spb_numbering *n)
{
	struct spb_arena *scratch = &s->c->scratch;

	for (size_t i = 0; i < s->policies->lines.count; i++) {
		const struct spb_policy_line *line = &s->policies->lines.items[i];
		if (line->verb == SPB_POLICY_RESERVE)
			spb_reserve_bindings(scratch, &s->lanes, &n->reserved, line->set, line->first, line->last);
	}
	for (size_t i = 0; i < s->lock.entries.count; i++) {
		const struct spb_lock_entry *e = &s->lock.entries.items[i];
		if (e->seen || e->shift || e->push)
			continue;
		spb_take_binding(scratch, &s->lanes, &n->taken,
				 &(struct spb_range){
				     .set = e->set, .lane = SPB_NO_LANE, .first = e->binding, .owner = SPB_NO_OWNER});
		if (s->hlsl)
			spb_take_array(scratch, &s->lanes, &n->taken, e->set, e->binding, e->count);
	}
}

static void put_numbers(struct spb_plan *s, const struct spb_claims *claims)
{
	for (size_t i = 0; i < claims->count && claims->items[i].served; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, claims->items[i].owner);
		p->number = claims->items[i].number;
		p->allocated = true;
	}
}

/* Numbers each member directly after the previous one in its lane; the first one made the claim for the run. */
static void number_members(struct spb_plan *s)
{
	uint32_t *next = spb_alloc_zeroed(&s->c->scratch, s->lanes.end, sizeof *next);

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		if (!is_joined(s, p))
			continue;
		uint32_t *number = &next[spb_lane_of(s, p)];
		const struct spb_parameter *head = is_behind(s, p) ? next_along(s, p) : NULL;
		if (head)
			p->number = head->number + length_of_run(s, head) - (uint32_t)spb_length_of(s, p);
		else if (!p->allocated)
			p->number = *number;
		p->allocated = true;
		if (head)
			continue;
		*number = p->number + (uint32_t)spb_length_of(s, p);
	}
}

void spb_allocate(struct spb_plan *s)
{
	struct spb_arena *scratch = &s->c->scratch;
	const struct spb_mark mark = spb_arena_mark(scratch);
	struct spb_numbering n = {.taken = spb_reserve_numbers(s), .lanes = &s->lanes};

	list_claims(s, &n);
	keep_off(s, &n);
	spb_reserve_dropped(s, &n);
	const struct spb_claim *refused = spb_number_claims(scratch, &n);
	put_numbers(s, &n.ranged);
	put_numbers(s, &n.open);
	if (refused)
		no_room(s, spb_plan_parameter(s, refused->owner), refused->length);
	number_members(s);
	spb_arena_rewind(scratch, mark);
}
