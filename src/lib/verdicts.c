/* SPDX-License-Identifier: Apache-2.0 */
/* verdicts: modules that SPIRV-Tools has accepted.
 *
 * Programs of one context often have a module in common, and then its outputs are mostly equal, too. A verdict follows
 * from the words, the environment and the options; the version of SPIRV-Tools does not change within a process. The
 * words are kept and compared, so that nothing rests on a hash. Only acceptance is kept, which needs no text. Memory is
 * bounded: large modules are not kept, the newest module takes the slot of an older one, and when there are too many
 * words, all are forgotten. */
#include "lib/lib.h"

enum {
	SLOTS = 512,
	MOST = 1 << 18,    /* words of all modules */
	LARGEST = MOST / 4 /* words of one */
};

struct accepted {
	uint32_t *words; /* NULL: the slot is free */
	size_t count;
	uint64_t hash;
	uint32_t environment, flags;
	enum spb_verdict_kind kind;
};

struct spb_verdicts {
	struct accepted slots[SLOTS];
	size_t kept; /* words */
};

static uint64_t hash_of(const struct spb_question *q)
{
	return spb_hash_bytes(spb_hash_mix(q->environment, q->flags), q->words, q->count * sizeof *q->words);
}

static bool is_same(const struct accepted *a, const struct spb_question *q)
{
	return a->words && a->environment == q->environment && a->flags == q->flags && a->count == q->count &&
	       !memcmp(a->words, q->words, q->count * sizeof *q->words);
}

enum spb_verdict_kind spb_known_verdict(const struct spb_context *c, struct spb_question *q)
{
	const struct accepted *a;

	if (q->count > LARGEST)
		return SPB_VERDICT_NONE;
	q->hash = hash_of(q);
	if (!c->verdicts)
		return SPB_VERDICT_NONE;
	a = &c->verdicts->slots[q->hash % SLOTS];
	return a->hash == q->hash && is_same(a, q) ? a->kind : SPB_VERDICT_NONE;
}

static void forget(struct spb_context *c, struct accepted *a)
{
	if (!a->words)
		return;
	c->verdicts->kept -= a->count;
	c->allocator.resize(c->allocator.user, a->words, a->count * sizeof *a->words, 0);
	a->words = NULL;
}

static void forget_all(struct spb_context *c)
{
	for (size_t i = 0; i < SLOTS; i++)
		forget(c, &c->verdicts->slots[i]);
}

static bool has_table(struct spb_context *c)
{
	if (!c->verdicts && (c->verdicts = c->allocator.resize(c->allocator.user, NULL, 0, sizeof *c->verdicts)))
		memset(c->verdicts, 0, sizeof *c->verdicts);
	return c->verdicts != NULL;
}

/* Without memory for it, the module will be validated again. */
void spb_keep_verdict(struct spb_context *c, const struct spb_question *q, enum spb_verdict_kind kind)
{
	if (!spb_is_accepted(kind) || q->count > LARGEST || !has_table(c))
		return;
	struct accepted *a = &c->verdicts->slots[q->hash % SLOTS];
	if (c->verdicts->kept + q->count > MOST)
		forget_all(c);
	forget(c, a);
	*a = (struct accepted){
	    .count = q->count, .hash = q->hash, .environment = q->environment, .flags = q->flags, .kind = kind};
	a->words = c->allocator.resize(c->allocator.user, NULL, 0, q->count * sizeof *q->words);
	if (!a->words)
		return;
	memcpy(a->words, q->words, q->count * sizeof *q->words);
	c->verdicts->kept += q->count;
}

void spb_forget_verdicts(struct spb_context *c)
{
	if (!c->verdicts)
		return;
	forget_all(c);
	c->allocator.resize(c->allocator.user, c->verdicts, sizeof *c->verdicts, 0);
	c->verdicts = NULL;
}
