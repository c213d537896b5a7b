/* SPDX-License-Identifier: Apache-2.0 */
/* program_set: options by name, one at a time, for programs and for jobs of the plug-in. */
#include "lib/lib.h"
#include "lib/options/option.h"

static noreturn void refuse_text(struct spb_context *c, const char *name, const char *what)
{
	struct spb_text_buffer text = {.arena = &c->scratch};

	spb_text_format(&text, "%s%s", name, what);
	spb_refuse_option(c, spb_text_end(&text));
}

static noreturn void refuse(struct spb_context *c, const char *name, const char *expected, const char *value)
{
	struct spb_text_buffer text = {.arena = &c->scratch};

	spb_text_format(&text, "%s: expected %s; got \"%s\"", name, expected, value);
	spb_refuse_option(c, spb_text_end(&text));
}

static void *allocate(void *keep, size_t size)
{
	return spb_alloc(keep, size);
}

const struct spb_option *spb_need_option(struct spb_context *c, const char *name)
{
	const struct spb_option *o = spb_option_find(strncmp(name, "--", 2) ? name : name + 2);

	if (!o)
		refuse_text(c, "unknown option ", name);
	return o;
}

void spb_set_option(struct spb_context *c, spb_options *options, struct spb_arena *keep, const struct spb_option *o,
		    const char *value)
{
	struct spb_option_reader r = {.options = options, .allocate = allocate, .user = keep};

	if (value && !*value)
		refuse_text(c, o->name, ": empty value");
	if (!spb_option_is_file(o, value ? value : "") && !spb_option_read(&r, o, value))
		refuse(c, o->name, r.expected, value ? value : "");
}

struct spb_former_options spb_note_options(struct spb_context *c, const spb_options *options)
{
	const size_t count = options->layout.policy_count;
	struct spb_former_options former = {*options, spb_alloc_array(&c->scratch, count, sizeof *former.policies)};

	if (count)
		memcpy(former.policies, options->layout.policies, count * sizeof *former.policies);
	return former;
}

void spb_restore_options(spb_options *options, const struct spb_former_options *former)
{
	const spb_layout_options *layout = &former->options.layout;

	*options = former->options;
	if (layout->policy_count)
		memcpy((void *)layout->policies, former->policies, layout->policy_count * sizeof *former->policies);
}

struct setting {
	struct spb_program *p;
	const char *name, *value;
	struct spb_former_options former;
	bool begun;
};

static void set(void *argument)
{
	struct setting *s = argument;
	struct spb_program *p = s->p;
	const spb_policy *policies = p->options.layout.policies;
	const uint32_t policy_count = p->options.layout.policy_count;

	spb_arena_reset(&p->context->scratch);
	if (p->settled)
		spb_refuse_option(p->context, "options are set before the first module is added");
	const struct spb_option *o = spb_need_option(p->context, s->name);
	if (s->value && spb_option_is_file(o, s->value))
		refuse(p->context, o->name, "a field of spb_options, since the library reads no files", s->value);
	s->former = spb_note_options(p->context, &p->options);
	s->begun = true;
	spb_set_option(p->context, &p->options, &p->keep, o, s->value);
	if (p->options.layout.policies != policies || p->options.layout.policy_count != policy_count)
		spb_read_policies(p);
}

spb_status spb_program_set(spb_program *p, const char *name, const char *value)
{
	if (!p || !name || spb_is_busy(p->context))
		return SPB_ERROR_INVALID_ARGUMENT;
	const struct spb_policies policies = p->policies;
	struct setting s = {.p = p, .name = name, .value = value};
	spb_status status = spb_guard(p->context, set, &s);
	if (status != SPB_OK && s.begun) {
		spb_restore_options(&p->options, &s.former);
		p->policies = policies;
	}
	return status;
}
