/* SPDX-License-Identifier: Apache-2.0 */
/* workspaces: the public functions about many programs that share sets and one lock. */
#include "lib/lib.h"
#include "lib/report/report.h"

struct call { /* the arguments of a public function */
	struct spb_workspace *w;
	const char *name, *text, *file;
	uint32_t set;
	spb_workspace_text_kind kind;
	const char *result;
	size_t length;
};

static const char *copy_or_null(struct spb_arena *keep, const char *text)
{
	return text ? spb_copy_text(keep, text, strlen(text)) : NULL;
}

static bool is_busy(const struct spb_workspace *w)
{
	return spb_is_busy(w->plan.c);
}

static spb_status guard(void (*run)(void *), struct call *call)
{
	struct spb_context *c = call->w->plan.c;

	c->pass = "workspace";
	spb_arena_reset(&c->scratch);
	return spb_guard(c, run, call);
}

static void begin(void *argument)
{
	struct call *call = argument;
	struct spb_workspace_plan *plan = &call->w->plan;

	const char *name = call->name ? call->name : "lock";

	plan->lock_file = spb_copy_text(plan->keep, name, strlen(name));
	if (call->text)
		spb_lock_read(&plan->lock, plan->c, plan->lock_file, call->text, plan->keep, &plan->names);
	spb_sort_lock(plan);
}

spb_status spb_workspace_create(spb_context *c, const char *lock, const char *lock_name, bool partial,
				spb_workspace **workspace)
{
	if (!c || !workspace || spb_is_busy(c))
		return SPB_ERROR_INVALID_ARGUMENT;
	*workspace = NULL;
	struct spb_workspace *w = c->allocator.resize(c->allocator.user, NULL, 0, sizeof *w);
	if (!w)
		return spb_no_memory(c);
	*w = (struct spb_workspace){
	    .keep = {.context = c}, .given = {.context = c}, .plan = {.c = c, .partial = partial}};
	w->plan.keep = &w->keep;
	spb_status status = guard(begin, &(struct call){.w = w, .name = lock_name, .text = lock});
	if (status == SPB_OK)
		*workspace = w;
	else
		spb_workspace_destroy(w);
	return status;
}

void spb_workspace_destroy(spb_workspace *w)
{
	struct spb_context *c = w ? w->plan.c : NULL;

	if (!w || spb_is_busy(c))
		return;
	c->busy = true; /* the allocator may */
	spb_arena_release(&w->given);
	spb_arena_release(&w->keep);
	c->allocator.resize(c->allocator.user, w, sizeof *w, 0);
	c->busy = false;
}

static void share(void *argument)
{
	struct call *call = argument;
	struct spb_workspace_plan *plan = &call->w->plan;

	SPB_PUSH(plan->keep, &plan->shares,
		 ((struct spb_share){call->set, copy_or_null(plan->keep, call->name ? call->name : "*")}));
}

spb_status spb_workspace_share(spb_workspace *w, uint32_t set, const char *programs)
{
	if (!w || is_busy(w) || w->plan.programs.count || (programs && !*programs))
		return SPB_ERROR_INVALID_ARGUMENT;
	return guard(share, &(struct call){.w = w, .name = programs, .set = set});
}

static void add_program(void *argument)
{
	struct call *call = argument;

	spb_add_workspace_program(&call->w->plan, call->name, call->text);
}

spb_status spb_workspace_add_program(spb_workspace *w, const char *name, const char *variant_of)
{
	if (!w || is_busy(w) || !name || !*name || (variant_of && !*variant_of) || w->begun ||
	    spb_find_workspace_program(&w->plan, name))
		return SPB_ERROR_INVALID_ARGUMENT;
	return guard(add_program, &(struct call){.w = w, .name = name, .text = variant_of});
}

/* No program can be added after this. */
static void begin_programs(struct spb_workspace *w)
{
	struct spb_workspace_plan *plan = &w->plan;

	if (w->begun)
		return;
	if (!plan->shares.count) {
		SPB_SIZE(plan->keep, &plan->shares, plan->lock.shares.count);
		for (size_t i = 0; i < plan->lock.shares.count; i++)
			plan->shares.items[plan->shares.count++] =
			    (struct spb_share){plan->lock.shares.items[i].set, plan->lock.shares.items[i].programs};
	}
	spb_find_scopes(plan);
	w->begun = true;
}

static void add_facts(void *argument)
{
	struct call *call = argument;
	struct spb_workspace_plan *plan = &call->w->plan;

	begin_programs(call->w);
	if (call->name)
		spb_set_facts(plan, spb_find_workspace_program(plan, call->name), call->text);
	else
		spb_read_collected(plan, copy_or_null(&call->w->keep, call->file ? call->file : "collected"),
				   call->text);
}

spb_status spb_workspace_add_facts(spb_workspace *w, const char *program, const char *facts, const char *name)
{
	const struct spb_workspace_program *p =
	    w && program && !is_busy(w) ? spb_find_workspace_program(&w->plan, program) : NULL;

	if (!w || is_busy(w) || !facts || w->decided || (program && (!p || p->collected || p->left_out)))
		return SPB_ERROR_INVALID_ARGUMENT;
	spb_status status = guard(add_facts, &(struct call){.w = w, .name = program, .text = facts, .file = name});
	if (status != SPB_OK && !program)
		spb_forget_collected(&w->plan);
	return status;
}

spb_status spb_workspace_leave_out(spb_workspace *w, const char *program)
{
	struct spb_workspace_program *p =
	    w && program && !is_busy(w) ? spb_find_workspace_program(&w->plan, program) : NULL;

	if (!p || w->tried)
		return SPB_ERROR_INVALID_ARGUMENT;
	spb_leave_out_program(&w->plan, p);
	return SPB_OK;
}

static void decide(void *argument)
{
	struct spb_workspace *w = ((struct call *)argument)->w;
	struct spb_workspace_plan *plan = &w->plan;

	begin_programs(w);
	spb_find_scopes(plan); /* without programs that are left out, and again after a call that ran out of memory */
	for (size_t i = 0; i < plan->programs.count; i++) {
		if (!plan->programs.items[i].collected && !plan->programs.items[i].left_out)
			spb_workspace_fail(plan, SPB_ERROR_CONFLICT, SPB_E_WORKSPACE, plan->programs.items[i].name,
					   "nothing has been collected for this program" SPB_REMEDY
					   "Collect all programs of the workspace before its numbers are decided.");
	}
	spb_decide_numbers(plan);
	w->lock = spb_workspace_lock_text(plan, &w->lock_length);
}

spb_status spb_workspace_decide(spb_workspace *w)
{
	if (!w || is_busy(w) || w->tried)
		return SPB_ERROR_INVALID_ARGUMENT;
	spb_status status = guard(decide, &(struct call){.w = w});
	w->tried = !spb_is_starved(status);
	w->decided = status == SPB_OK;
	return status == SPB_OK && w->plan.refused ? SPB_ERROR_CONFLICT : status;
}

spb_workspace_verdict spb_workspace_judge(const spb_workspace *w, const char *program)
{
	const struct spb_workspace_program *p =
	    w && program && !is_busy(w) ? spb_find_workspace_program(&w->plan, program) : NULL;

	if (!p || p->left_out)
		return SPB_WORKSPACE_LEFT_OUT;
	if (w->decided && p->moved)
		return SPB_WORKSPACE_MOVED;
	return w->decided && p->differs ? SPB_WORKSPACE_DIFFERS : SPB_WORKSPACE_UNCHANGED;
}

struct merge_call {
	struct call call; /* the first member, so that it can be passed as one */
	const char *base;
};

static void merge_lock(void *argument)
{
	struct merge_call *merge = argument;
	struct spb_workspace *w = merge->call.w;

	w->lock = spb_merge_locks(&w->plan, merge->base, merge->call.text, copy_or_null(&w->keep, merge->call.name),
				  &w->lock_length);
}

spb_status spb_workspace_merge_lock(spb_workspace *w, const char *base, const char *theirs, const char *name)
{
	if (!w || is_busy(w) || w->tried || w->plan.programs.count || !base || !theirs || !w->plan.lock.version)
		return SPB_ERROR_INVALID_ARGUMENT;
	struct merge_call merge = {.call = {.w = w, .name = name ? name : "theirs", .text = theirs}, .base = base};
	spb_status status = guard(merge_lock, &merge.call);
	w->tried = !spb_is_starved(status);
	w->decided = status == SPB_OK;
	return status;
}

/* Texts */

static const char *write_program_lock(struct call *call)
{
	struct spb_workspace_plan *plan = &call->w->plan;
	const struct spb_workspace_program *p = call->text ? spb_find_workspace_program(plan, call->text) : NULL;
	struct spb_arena *given = &call->w->given;

	if (!p || p->left_out)
		return NULL;
	begin_programs(call->w);
	spb_arena_reset(given);
	const uint32_t program = (uint32_t)(p - plan->programs.items);
	return call->w->decided ? spb_lock_of(plan, program, given, &call->length)
				: spb_lock_before(plan, program, given, &call->length);
}

static const char *write_part(struct call *call)
{
	struct spb_workspace_plan *plan = &call->w->plan;

	if (!plan->lock.version || call->w->tried)
		return NULL;
	begin_programs(call->w);
	return spb_lock_part(plan, &call->length);
}

static const char *write_report(struct call *call)
{
	struct spb_text_buffer text = {.arena = &call->w->keep};

	spb_put_page(&text, SPB_PAGE_WORKSPACE, spb_write_workspace_matrix(call->w, &call->length),
		     call->text ? call->text : "");
	call->length = text.count;
	return spb_text_end(&text);
}

static void write_text(void *argument)
{
	struct call *call = argument;

	switch (call->kind) {
	case SPB_WORKSPACE_LOCK:
		call->result = call->w->lock;
		call->length = call->w->lock_length;
		break;
	case SPB_WORKSPACE_PROGRAM_LOCK:
		call->result = write_program_lock(call);
		break;
	case SPB_WORKSPACE_PART_OF_LOCK:
		call->result = write_part(call);
		break;
	case SPB_WORKSPACE_FACTS:
		call->result = spb_collected_text(&call->w->plan, &call->length);
		break;
	case SPB_WORKSPACE_LAYOUT_JSON:
		call->result = spb_write_workspace_json(call->w, &call->length);
		break;
	case SPB_WORKSPACE_REPORT:
		call->result = write_report(call);
		break;
	case SPB_WORKSPACE_LAYOUT_HEADER:
		call->result = spb_write_workspace_header(call->w, call->text, &call->length);
		break;
	}
}

static bool needs_decision(spb_workspace_text_kind kind)
{
	return kind == SPB_WORKSPACE_LOCK || kind == SPB_WORKSPACE_LAYOUT_JSON || kind == SPB_WORKSPACE_REPORT ||
	       kind == SPB_WORKSPACE_LAYOUT_HEADER;
}

const char *spb_workspace_text(spb_workspace *w, spb_workspace_text_kind kind, const char *argument, size_t *length)
{
	struct call call = {.w = w, .kind = kind, .text = argument};

	if (length)
		*length = 0;
	if (!w || is_busy(w) || (needs_decision(kind) && !w->decided) ||
	    (kind == SPB_WORKSPACE_LAYOUT_HEADER && !spb_c_is_identifier(argument)) ||
	    guard(write_text, &call) != SPB_OK)
		return NULL;
	if (length)
		*length = call.length;
	return call.result;
}
