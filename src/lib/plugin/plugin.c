/* SPDX-License-Identifier: Apache-2.0 */
/* plugin: the table of include/spirv-bind/plugin.h, on top of the public functions. It adds files of the host, and the
 * key.
 *
 * Files are read once, by the first call of key() or run(): until then, options come in any order. The host's memory is
 * copied and released immediately, or by guard(), if there was no memory for the copy. */
#include "lib/options/option.h"
#include "lib/plugin/job.h"

struct call {
	struct spb_job *job;
	const char *name, *value;
	const void *bytes;
	size_t size;
	uint32_t flags;
	struct spb_former_options former; /* once it has begun to set an option */
	bool begun;
};

static void complain(struct spb_job *job, const char *file, const char *text)
{
	const spb_message message = {.severity = SPB_SEVERITY_ERROR, .module = file, .pass = "plug-in", .text = text};

	spb_deliver(job->context, &message);
}

static noreturn void fail(struct spb_job *job, const char *file, const char *text)
{
	complain(job, file, text);
	spb_throw(job->context, SPB_ERROR_INVALID_ARGUMENT);
}

static spb_status guard(void (*run)(void *), struct call *call)
{
	struct spb_job *job = call->job;

	spb_arena_reset(&job->context->scratch);
	spb_status status = spb_guard(job->context, run, call);
	job->context->busy = true;
	if (job->lent)
		job->host.release(job->host.user, job->lent, job->lent_size);
	job->context->busy = false;
	job->lent = NULL;
	return status;
}

static bool is_busy(const struct spb_job *job)
{
	return spb_is_busy(job->context);
}

static spb_status create(const spb_plugin_host *host, struct spb_job **job)
{
	spb_plugin_host known = {0};
	spb_context *context = NULL;

	if (!host || !job || host->struct_size < sizeof known.struct_size || host->struct_size > 4096)
		return SPB_ERROR_INVALID_ARGUMENT;
	memcpy(&known, host, host->struct_size < sizeof known ? host->struct_size : sizeof known);
	*job = NULL;
	if (known.read && !known.release)
		return SPB_ERROR_INVALID_ARGUMENT;
	spb_status status = spb_context_create(known.allocator, &(spb_callbacks){known.message, known.user}, &context);
	if (status == SPB_OK && known.limits)
		status = spb_context_limit(context, known.limits);
	if (status != SPB_OK) {
		spb_context_destroy(context);
		return status;
	}
	struct spb_job *j = context->allocator.resize(context->allocator.user, NULL, 0, sizeof *j);
	if (!j) {
		status = spb_no_memory(context);
		spb_context_destroy(context);
		return status;
	}
	*j = (struct spb_job){.context = context, .host = known, .keep = {.context = context}};
	j->words.arena = &j->keep;
	spb_options_init(&j->options, sizeof j->options);
	*job = j;
	return SPB_OK;
}

static void destroy(struct spb_job *job)
{
	if (!job || is_busy(job))
		return;
	struct spb_context *c = job->context;
	spb_program_destroy(job->program);
	c->busy = true; /* the allocator may */
	spb_arena_release(&job->keep);
	c->allocator.resize(c->allocator.user, job, sizeof *job, 0);
	c->busy = false;
	spb_context_destroy(c);
}

/* Options and modules */

static void *allocate(void *keep, size_t size)
{
	return spb_alloc(keep, size);
}

/* Its name is kept until files are read. */
static void set_file(struct spb_job *job, const struct spb_option *o, const char *path)
{
	struct spb_option_reader r = {.options = &job->options, .allocate = allocate, .user = &job->keep};

	if (!strcmp(o->name, "profile"))
		spb_option_add_policy(&r, path, NULL);
	else if (!strcmp(o->name, "resolver"))
		SPB_PUSH(&job->keep, &job->resolvers, spb_copy_text(&job->keep, path, strlen(path)));
	else
		job->lock = spb_copy_text(&job->keep, path, strlen(path));
}

static void set_option(void *argument)
{
	struct call *call = argument;
	struct spb_job *job = call->job;
	const struct spb_option *o = spb_need_option(job->context, call->name);
	const char *value = call->value ? call->value : "1";

	call->former = spb_note_options(job->context, &job->options);
	call->begun = true;
	spb_set_option(job->context, &job->options, &job->keep, o, call->value);
	if (call->value && spb_option_is_file(o, value)) {
		set_file(job, o, value);
		value = spb_base_name(value); /* results do not depend on folders */
	}
	spb_text_format(&job->words, "%s=%s\n", o->name, value);
}

static bool is_late(struct spb_job *job)
{
	if (job->prepared)
		complain(job, "", "nothing can be set or added after key() or run()");
	return job->prepared;
}

static spb_status set(struct spb_job *job, const char *name, const char *value)
{
	if (!job || !name || is_busy(job) || is_late(job))
		return SPB_ERROR_INVALID_ARGUMENT;
	struct call call = {.job = job, .name = name, .value = value};
	const size_t resolvers = job->resolvers.count, words = job->words.count;
	const char *lock = job->lock;
	spb_status status = guard(set_option, &call);
	if (status != SPB_OK && call.begun) {
		spb_restore_options(&job->options, &call.former);
		job->resolvers.count = resolvers;
		job->words.count = words;
		job->lock = lock;
	}
	return status;
}

static void add_module(void *argument)
{
	struct call *call = argument;
	struct spb_arena *keep = &call->job->keep;
	struct spb_job_module m = {.size = call->size, .flags = call->flags};

	m.name = spb_copy_text(keep, call->name, strlen(call->name));
	if (call->bytes) {
		void *bytes = spb_alloc(keep, call->size);
		memcpy(bytes, call->bytes, call->size);
		m.bytes = bytes;
	}
	SPB_PUSH(keep, &call->job->modules, m);
}

static spb_status add(struct spb_job *job, const char *name, const uint32_t *words, size_t count, uint32_t flags)
{
	if (!job || !name || !words || count > SIZE_MAX / sizeof *words || is_busy(job) || is_late(job))
		return SPB_ERROR_INVALID_ARGUMENT;
	return guard(
	    add_module,
	    &(struct call){.job = job, .name = name, .bytes = words, .size = count * sizeof *words, .flags = flags});
}

static spb_status add_file(struct spb_job *job, const char *path, uint32_t flags)
{
	if (!job || !path || is_busy(job) || is_late(job))
		return SPB_ERROR_INVALID_ARGUMENT;
	return guard(add_module, &(struct call){.job = job, .name = path, .flags = flags});
}

/* Files */

/* A copy of the host's memory, with a 0 at the end. */
static unsigned char *take(struct spb_job *job, size_t size)
{
	job->lent_size = size;
	unsigned char *bytes = spb_alloc(&job->keep, size + 1);
	if (size)
		memcpy(bytes, job->lent, size);
	bytes[size] = '\0';
	job->host.release(job->host.user, job->lent, size);
	job->lent = NULL;
	return bytes;
}

static const struct spb_job_file *ask(struct spb_job *job, const char *path)
{
	for (size_t i = 0; i < job->files.count; i++) {
		if (!strcmp(job->files.items[i].path, path))
			return &job->files.items[i];
	}
	struct spb_job_file file = {.path = path};
	if (job->host.read && job->host.read(job->host.user, path, &job->lent, &file.size))
		file.bytes = take(job, file.size);
	SPB_PUSH(&job->keep, &job->files, file);
	return &job->files.items[job->files.count - 1];
}

static const struct spb_job_file *need(struct spb_job *job, const char *path)
{
	const struct spb_job_file *file = ask(job, path);

	if (!file->bytes)
		fail(job, path, job->host.read ? "the host has no such file" : "the host reads no files");
	return file;
}

static bool is_spirv(const struct spb_job_file *file)
{
	uint32_t magic = 0;

	if (file->size >= sizeof magic)
		memcpy(&magic, file->bytes, sizeof magic);
	return magic == SpvMagicNumber || magic == 0x03022307; /* in the other byte order */
}

/* Has the host compile a file. The files that its compiler has read are read, too, so that they count for the key. */
static void compile(struct spb_job *job, const struct spb_job_file *file, bool is_resolver)
{
	size_t number = (size_t)(file - job->files.items);
	spb_plugin_compiled made = {.words = NULL};

	if (!job->host.compile(job->host.user, file->path, file->bytes, file->size, is_resolver, &made))
		fail(job, file->path, "the host cannot compile it");
	job->lent = made.words;
	job->lent_size = made.size;
	if (!made.words || !made.size)
		fail(job, file->path, "the host has compiled it to nothing");
	const void *words = take(job, made.size);
	for (uint32_t i = 0; i < made.file_count; i++)
		ask(job, spb_copy_text(&job->keep, made.files[i], strlen(made.files[i])));
	job->files.items[number].words = words; /* reading may have moved the list */
	job->files.items[number].words_size = made.size;
}

static struct spb_job_words need_words(struct spb_job *job, const char *path, bool is_resolver)
{
	const struct spb_job_file *file = need(job, path);
	size_t number = (size_t)(file - job->files.items);

	if (job->host.compile && !is_spirv(file) && !file->words)
		compile(job, file, is_resolver);
	file = &job->files.items[number];
	struct spb_job_words w = {file->words ? file->words : file->bytes, file->words ? file->words_size : file->size};
	if (!w.size || w.size % sizeof(uint32_t))
		fail(job, path,
		     job->host.compile ? "this is not SPIR-V" : "this is not SPIR-V; the host compiles nothing");
	return w;
}

/* A 0 byte becomes '?', which makes its line malformed. */
static const char *need_text(struct spb_job *job, const char *path)
{
	const struct spb_job_file *file = need(job, path);

	for (size_t i = 0; i < file->size; i++) {
		if (!file->bytes[i])
			file->bytes[i] = '?';
	}
	return (const char *)file->bytes;
}

static void read_profiles(struct spb_job *job)
{
	const struct spb_option *o = spb_option_find("profile");
	spb_layout_options *layout = &job->options.layout;
	spb_policy *policies = spb_alloc_array(&job->keep, layout->policy_count, sizeof *policies);

	for (uint32_t i = 0; i < layout->policy_count; i++) {
		policies[i] = layout->policies[i];
		if (!policies[i].text && spb_option_is_file(o, policies[i].name))
			policies[i].text = need_text(job, policies[i].name);
	}
	layout->policies = policies;
}

static void read_resolvers(struct spb_job *job)
{
	size_t count = job->resolvers.count;
	spb_resolver *resolvers = spb_alloc_array(&job->keep, count, sizeof *resolvers);

	for (size_t i = 0; i < count; i++) {
		const char *path = job->resolvers.items[i];
		struct spb_job_words w = need_words(job, path, true);
		resolvers[i] = (spb_resolver){path, w.bytes, w.size / sizeof(uint32_t)};
	}
	job->options.handles.resolvers = resolvers;
	job->options.handles.resolver_count = (uint32_t)count;
}

static void read_lock(struct spb_job *job)
{
	if (job->lock && (!job->options.layout.update_lock || ask(job, job->lock)->bytes))
		job->options.layout.lock = need_text(job, job->lock);
	job->options.layout.lock_name = job->lock;
}

/* The key */

static void add_part(struct spb_blake2 *b, const void *bytes, size_t size)
{
	const uint64_t length = size;

	spb_blake2_add(b, &length, sizeof length); /* so that different parts cannot concatenate to the same bytes */
	spb_blake2_add(b, bytes, size);
}

static void add_text(struct spb_blake2 *b, const char *text)
{
	add_part(b, text, strlen(text));
}

static void make_key(struct spb_job *job)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char digest[DIGEST];
	struct spb_blake2 b;

	spb_blake2_begin(&b);
	for (uint32_t i = 0; spb_name(SPB_NAME_TOOL, i); i++)
		add_text(&b, spb_name(SPB_NAME_TOOL, i));
	add_part(&b, job->words.items, job->words.count);
	for (size_t i = 0; i < job->files.count; i++) {
		const struct spb_job_file *file = &job->files.items[i];
		add_text(&b, spb_base_name(file->path));
		add_text(&b, file->bytes ? "found" : "missing"); /* an empty file differs from a missing one */
		add_part(&b, file->bytes, file->bytes ? file->size : 0);
		if (file->words)
			add_part(&b, file->words, file->words_size);
	}
	for (size_t i = 0; i < job->modules.count; i++) {
		const struct spb_job_module *m = &job->modules.items[i];
		add_text(&b, m->flags & SPB_ADD_IMPORT ? "import" : "module");
		add_text(&b, spb_base_name(m->name));
		add_part(&b, m->bytes, m->size);
	}
	spb_blake2_end(&b, digest);
	for (size_t i = 0; i < DIGEST; i++) {
		job->key[2 * i] = digits[digest[i] >> 4];
		job->key[2 * i + 1] = digits[digest[i] & 15];
	}
}

static void prepare(void *argument)
{
	struct call *call = argument;
	struct spb_job *job = call->job;

	read_profiles(job);
	read_lock(job);
	read_resolvers(job);
	for (size_t i = 0; i < job->modules.count; i++) {
		struct spb_job_module *m = &job->modules.items[i];
		if (m->bytes)
			continue;
		struct spb_job_words w = need_words(job, m->name, false);
		m->bytes = w.bytes;
		m->size = w.size;
	}
	make_key(job);
	job->ready = true;
}

static spb_status make_ready(struct spb_job *job)
{
	if (job->prepared)
		return job->ready ? SPB_OK : SPB_ERROR_INVALID_ARGUMENT;
	spb_status status = guard(prepare, &(struct call){.job = job});
	job->prepared = !spb_is_starved(status);
	return status;
}

static const char *key(struct spb_job *job)
{
	return job && !is_busy(job) && make_ready(job) == SPB_OK ? job->key : NULL;
}

static spb_status bind(struct spb_job *job)
{
	spb_status status = spb_program_create(job->context, &job->options, &job->program);
	if (status == SPB_ERROR_INVALID_ARGUMENT)
		complain(job, "", "the options cannot be used together, or a policy is malformed");
	for (size_t i = 0; i < job->modules.count && status == SPB_OK; i++) {
		const struct spb_job_module *m = &job->modules.items[i];
		status = spb_program_add(job->program, m->name, m->bytes, m->size / sizeof(uint32_t), m->flags);
	}
	return status == SPB_OK ? spb_program_bind(job->program) : status;
}

static spb_status run(struct spb_job *job)
{
	if (!job || is_busy(job))
		return SPB_ERROR_INVALID_ARGUMENT;
	if (job->program) {
		complain(job, "", "a job is bound once; create another one");
		return SPB_ERROR_INVALID_ARGUMENT;
	}
	spb_status status = make_ready(job);
	if (status == SPB_OK)
		status = bind(job);
	if (spb_is_starved(status)) { /* it may be called again */
		spb_program_destroy(job->program);
		job->program = NULL;
	}
	return status;
}

static const char *dependency(const struct spb_job *job, uint32_t index)
{
	return job && index < job->files.count ? job->files.items[index].path : NULL;
}

/* Results */

static const uint32_t *module(const struct spb_job *job, size_t index, size_t *word_count)
{
	return spb_program_words(job ? job->program : NULL, index, SPB_WORDS_OUTPUT, word_count);
}

static const char *text(struct spb_job *job, spb_text_kind kind, const char *argument, size_t *length)
{
	return spb_program_text(job ? job->program : NULL, kind, argument, length);
}

static spb_program *program(struct spb_job *job)
{
	return job ? job->program : NULL;
}

const spb_plugin *spb_plugin_get(uint32_t version)
{
	static const spb_plugin table = {.struct_size = sizeof table,
					 .version = SPB_PLUGIN_VERSION,
					 .name = spb_name,
					 .create = create,
					 .destroy = destroy,
					 .set = set,
					 .add = add,
					 .add_file = add_file,
					 .key = key,
					 .run = run,
					 .dependency = dependency,
					 .module = module,
					 .text = text,
					 .program = program};

	return version == SPB_PLUGIN_VERSION ? &table : NULL;
}
