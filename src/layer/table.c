/* SPDX-License-Identifier: Apache-2.0 */
/* table: hash tables with open addressing, in parts that each have a lock. */
#include <stdlib.h>

#include "layer/layer.h"

static struct layer_shard *shard_of(struct layer_table *t, uint64_t *hash, uint64_t key)
{
	*hash = layer_hash(0, &key, sizeof key);
	return &t->shards[*hash >> 59];
}

_Static_assert(LAYER_SHARDS == 1 << (64 - 59), "the upper bits of the hash choose the part, the lower ones the slot");

/* The slot of the key, or the free one where it would be. There is always a free one. */
static struct layer_slot *find(const struct layer_shard *s, uint64_t hash, uint64_t key)
{
	size_t i = hash & (s->capacity - 1);

	while (s->slots[i].value && s->slots[i].key != key)
		i = (i + 1) & (s->capacity - 1);
	return &s->slots[i];
}

static bool grow(struct layer_shard *s)
{
	struct layer_shard larger = {.capacity = s->capacity ? 2 * s->capacity : 8};

	if (4 * (s->count + 1) <= 3 * s->capacity)
		return true;
	larger.slots = calloc(larger.capacity, sizeof *larger.slots);
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < s->capacity; i++) {
		const struct layer_slot *old = &s->slots[i];
		if (old->value)
			*find(&larger, layer_hash(0, &old->key, sizeof old->key), old->key) = *old;
	}
	free(s->slots);
	s->slots = larger.slots;
	s->capacity = larger.capacity;
	return true;
}

void layer_table_init(struct layer_table *t)
{
	for (size_t i = 0; i < LAYER_SHARDS; i++) {
		t->shards[i] = (struct layer_shard){0};
		pthread_mutex_init(&t->shards[i].lock, NULL);
	}
}

void layer_table_clear(struct layer_table *t, void (*release)(void *value))
{
	for (size_t i = 0; i < LAYER_SHARDS; i++) {
		struct layer_shard *s = &t->shards[i];
		for (size_t k = 0; release && k < s->capacity; k++) {
			if (s->slots[k].value)
				release(s->slots[k].value);
		}
		free(s->slots);
		pthread_mutex_destroy(&s->lock);
	}
}

void *layer_table_get(struct layer_table *t, uint64_t key)
{
	uint64_t hash;
	struct layer_shard *s = shard_of(t, &hash, key);
	void *value;

	pthread_mutex_lock(&s->lock);
	value = s->capacity ? find(s, hash, key)->value : NULL;
	pthread_mutex_unlock(&s->lock);
	return value;
}

bool layer_table_put(struct layer_table *t, uint64_t key, void *value, void **old)
{
	uint64_t hash;
	struct layer_shard *s = shard_of(t, &hash, key);
	struct layer_slot *slot;
	bool done;

	*old = NULL;
	pthread_mutex_lock(&s->lock);
	done = grow(s);
	if (done) {
		slot = find(s, hash, key);
		*old = slot->value;
		s->count += !slot->value;
		*slot = (struct layer_slot){key, value};
	}
	pthread_mutex_unlock(&s->lock);
	return done;
}

void *layer_table_take(struct layer_table *t, uint64_t key)
{
	uint64_t hash;
	struct layer_shard *s = shard_of(t, &hash, key);
	void *value = NULL;

	pthread_mutex_lock(&s->lock);
	if (s->capacity) {
		struct layer_slot *free_slot = find(s, hash, key);
		value = free_slot->value;
		s->count -= value != NULL;
		free_slot->value = NULL;
		/* What follows without a gap might be found no longer. */
		for (size_t i = (size_t)(free_slot - s->slots); value;) {
			struct layer_slot moved;
			i = (i + 1) & (s->capacity - 1);
			moved = s->slots[i];
			if (!moved.value)
				break;
			s->slots[i].value = NULL;
			*find(s, layer_hash(0, &moved.key, sizeof moved.key), moved.key) = moved;
		}
	}
	pthread_mutex_unlock(&s->lock);
	return value;
}

bool layer_table_add(struct layer_table *t, uint64_t key)
{
	void *old;

	return layer_table_put(t, key, t, &old) && !old;
}
