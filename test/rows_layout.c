/* SPDX-License-Identifier: Apache-2.0 */
/* rows/layout: the set and binding of every resource of a program.
 *
 *     options    of the plug-in, besides doctor, entry=NAME and heaps-in-default-set
 *     show       printed in addition to bindings: why, descriptors, remarks (of the first module), lock; or only facts
 *     policy     lines; or `@NAME`, a built-in profile, or a line that is their name, with a - in front, and lines
 *     lock       its lines; `lock version=1` comes first unless one of the first two lines says what it is
 *     module     in each line `[STAGE] DECLARATIONS`, a module of a compute or another shader: see rows_declared.c
 *     source     the source text that the first module carries
 *     layout     `NAME SET.BINDING; ...`, for each variable, with its register if that is another number; what is
 *                asked for with `show`; and messages: `!` errors, `?` warnings, `.` notes, with code and place, and the
 *                text where that is the point */
#include "lib/plugin/job.h"
#include "rows_layout.h"
#include "spirv-bind/workspace.h"

enum part { OPTIONS, SHOW, POLICY, LOCK, MODULE, SOURCE, LAYOUT };

static const char *const part_names[] = {"options", "show", "policy", "lock", "module", "source", "layout", NULL};

static bool shows(const struct row *row, const char *what)
{
	return strstr(row->parts[SHOW].items, what) != NULL;
}

static void put_resources(struct text *t, spb_program *p, bool why)
{
	const spb_resource *list;
	const size_t count = spb_program_resources(p, sizeof *list, &list);

	for (size_t i = 0; i < count; i++) {
		const spb_resource *r = &list[i];
		put(t, "%s%s ", !i ? "" : why ? "\n" : "; ", *r->name ? r->name : "\"\"");
		if (r->reserved)
			put(t, "%u.%u reserved", r->set, r->binding);
		else if (r->removed)
			put(t, "removed");
		else
			put(t, "%u.%u", r->set, r->binding);
		if (!r->removed && r->has_register && r->register_number != r->binding)
			put(t, " (%c%u)", r->register_class, r->register_number);
		if (why)
			put(t, ": %s%s%s", r->fixed ? "fixed, " : "", r->heap ? "heap, " : "", r->why);
	}
	put(t, "%s", count ? "\n" : "");
}

static void put_stages(struct text *t, uint32_t stages)
{
	static const char *const names[] = {
	    "vertex", "tessellation-control", "tessellation-evaluation", "geometry", "fragment", "compute"};

	put(t, stages ? "," : ", unused");
	for (size_t i = 0; i < SPB_COUNT(names); i++) {
		if (stages >> i & 1)
			put(t, " %s", names[i]);
	}
}

/* Each descriptor with the contents of its set layout. */
static void put_descriptors(struct text *t, spb_program *p)
{
	const spb_descriptor_binding *list;
	const size_t count = spb_program_descriptors(p, sizeof *list, &list);

	for (size_t i = 0; i < count; i++) {
		const spb_descriptor_binding *d = &list[i];
		put(t, "%u.%u %s: %s", d->set, d->binding, d->name, spb_descriptor_type_name(d->descriptor_type));
		if (d->count != 1)
			put(t, d->count ? "[%u]" : "[]", d->count);
		put_stages(t, d->stages);
		for (uint32_t bit = 0; bit < 32; bit++) {
			if (d->flags >> bit & 1)
				put(t, ", %s", spb_name(SPB_NAME_DESCRIPTOR_FLAG, bit));
		}
		if (d->set_flags)
			put(t, ", set flags %u", d->set_flags);
		if (d->immutable_samplers)
			put(t, ", immutable samplers");
		if (d->resource_count > 1)
			put(t, ", %u views", d->resource_count);
		put(t, "\n");
	}
}

/* The remarks in the output of the first module. */
static void put_remarks(struct text *t, spb_program *p)
{
	enum { HEADER = 5, OP_MODULE_PROCESSED = 330 };
	size_t count;
	const uint32_t *words = spb_program_words(p, 0, SPB_WORDS_OUTPUT, &count);

	for (size_t at = HEADER; at < count; at += words[at] >> 16) {
		if ((words[at] & 0xFFFF) == OP_MODULE_PROCESSED)
			put(t, "<%s>\n", (const char *)&words[at + 1]);
	}
}

/* The facts of the program for a workspace, without hashes of types. */
static void put_facts(struct text *t, spb_program *p)
{
	enum { HASH = 16 };

	for (const char *facts = spb_program_text(p, SPB_TEXT_FACTS, NULL, NULL); *facts; facts++) {
		const size_t key = !strncmp(facts, " type=", 6) || !strncmp(facts, " hash=", 6) ? 6 : 0;
		if (key && strspn(facts + key, "0123456789abcdef") == HASH)
			facts += key + HASH;
		put(t, "%c", *facts);
	}
}

static void keep_message(void *user, const spb_message *message)
{
	put_message(user, message);
}

/* one row */

struct layout {
	const struct row *row;
	spb_context *context;
	spb_program *program;
	spb_options *options;
	spb_policy policy;
	struct text policy_name, lock;
	struct text said;
	char entry[200];
	const char *entries[1];
};

/* The options that the plug-in does not have. */
static bool set_here(struct layout *l, const char *word)
{
	if (!strcmp(word, "doctor")) {
		l->options->layout.doctor = 1;
	} else if (!strcmp(word, "heaps-in-default-set")) {
		l->options->heaps.in_default_set = 1;
	} else if (!strncmp(word, "entry=", 6)) {
		snprintf(l->entry, sizeof l->entry, "%s", word + 6);
		l->entries[0] = l->entry;
		l->options->layout.entries = l->entries;
		l->options->layout.entry_count = 1;
	} else {
		return false;
	}
	return true;
}

static void set_options(struct layout *l, const spb_plugin *plugin, spb_job *job)
{
	const char *words = l->row->parts[OPTIONS].items;
	char word[200];

	while (next_word(&words, word, sizeof word)) {
		char *value = strchr(word, '=');
		if (set_here(l, word))
			continue;
		if (value)
			*value++ = '\0';
		if (plugin->set(job, word, value) != SPB_OK)
			unreadable(l->row, "no option: %s", word);
	}
}

static void set_policy(struct layout *l)
{
	const char *lines = l->row->parts[POLICY].items;
	const bool is_profile = *lines == '@', is_named = is_profile || *lines == '-';

	if (!*lines)
		return;
	clear(&l->policy_name);
	put(&l->policy_name, "%.*s", is_named ? length_of_line(lines) - is_profile : 6,
	    is_named ? lines + is_profile : "policy");
	l->policy = (spb_policy){.name = l->policy_name.items, .text = is_profile ? NULL : lines};
	if (is_named && !is_profile)
		l->policy.text = next_line(lines);
	l->options->layout.policies = &l->policy;
	l->options->layout.policy_count = 1;
}

static void set_lock(struct layout *l)
{
	const char *lines = l->row->parts[LOCK].items;
	const bool has_head = !strncmp(lines, "lock ", 5) || *lines == '\n';

	if (!*lines)
		return;
	clear(&l->lock);
	put(&l->lock, "%s%s", has_head ? "" : "lock version=1\n", lines);
	l->options->layout.lock = l->lock.items;
}

/* Takes the name of a stage before the declarations; *at is advanced to them. */
static void take_stage(const char **at, char *stage, size_t size)
{
	const size_t length = strcspn(*at, " \n");

	snprintf(stage, size, "GLCompute");
	if (strchr("(/=?<", **at) || strcspn(*at, ":") < length || (*at)[length] != ' ')
		return;
	snprintf(stage, size, "%.*s", (int)length, *at);
	*at += length + 1;
}

static void add_modules(struct layout *l)
{
	const char *source = l->row->parts[SOURCE].items;
	static struct text declarations;
	char name[] = "m0", stage[30];

	for (const char *at = l->row->parts[MODULE].items; *at; at = next_line(at), name[1]++) {
		const char *line = at;
		take_stage(&line, stage, sizeof stage);
		clear(&declarations);
		put(&declarations, "%.*s", length_of_line(line), line);
		struct words words = declared(l->row, stage, declarations.items, source);
		if (spb_program_add(l->program, name, words.items, words.count, 0) != SPB_OK)
			unreadable(l->row, "%s", l->said.items);
		free(words.items);
		source = "";
	}
}

static void put_shown(struct text *got, const struct layout *l)
{
	const struct row *row = l->row;

	if (shows(row, "facts"))
		put_facts(got, l->program);
	else
		put_resources(got, l->program, shows(row, "why"));
	if (shows(row, "descriptors"))
		put_descriptors(got, l->program);
	if (shows(row, "remarks"))
		put_remarks(got, l->program);
	if (shows(row, "lock"))
		put(got, "%s", strstr(spb_program_text(l->program, SPB_TEXT_LOCK, NULL, NULL), "lock version="));
}

static void bind_program(struct layout *l, struct text *got)
{
	l->options->mode = shows(l->row, "facts") ? SPB_MODE_COLLECT : SPB_MODE_BIND;
	if (spb_program_create(l->context, l->options, &l->program) != SPB_OK)
		return;
	add_modules(l);
	if (spb_program_bind(l->program) == SPB_OK)
		put_shown(got, l);
	spb_program_destroy(l->program);
}

static void answer(const struct row *row, struct text *got)
{
	static struct layout l; /* static, to keep its texts */
	const spb_plugin_host host = {.struct_size = sizeof host};
	const spb_plugin *plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	const spb_callbacks callbacks = {.user = &l.said, .message = keep_message};
	spb_job *job;

	l.row = row;
	clear(&l.said);
	if (plugin->create(&host, &job) != SPB_OK || spb_context_create(NULL, &callbacks, &l.context) != SPB_OK)
		unreadable(row, "no memory");
	l.options = &job->options;
	set_options(&l, plugin, job);
	set_policy(&l);
	set_lock(&l);
	bind_program(&l, got);
	put(got, "%s", l.said.items);
	spb_context_destroy(l.context);
	plugin->destroy(job);
}

const struct rows_kind rows_of_layout = {"layout", part_names, "layout", answer};
