/* SPDX-License-Identifier: Apache-2.0 */
/* devices: instances and devices are found by what their dispatchable handles begin with, in lists whose elements are
 * reused, and freed with the last instance only, so that readers need no lock. */
#include <stdlib.h>

#include "layer/layer.h"

static _Atomic(struct layer_instance *) instances;
static _Atomic(struct layer_device *) devices;

const void *layer_chained(const void *chain, VkStructureType type)
{
	const VkBaseInStructure *s = chain;

	while (s && s->sType != type)
		s = s->pNext;
	return s;
}

void *layer_key_of(const void *dispatchable)
{
	return *(void *const *)dispatchable;
}

struct layer_instance *layer_instance_of(const void *dispatchable)
{
	struct layer_instance *i = atomic_load(&instances);

	while (i && atomic_load(&i->key) != layer_key_of(dispatchable))
		i = i->next;
	return i;
}

struct layer_device *layer_device_of(VkDevice handle)
{
	struct layer_device *d = atomic_load(&devices);

	while (d && atomic_load(&d->key) != layer_key_of(handle))
		d = d->next;
	return d;
}

struct layer_instance *layer_make_instance(void)
{
	struct layer_instance *i = atomic_load(&instances);

	while (i && atomic_load(&i->key))
		i = i->next;
	if (!i && (i = calloc(1, sizeof *i)) != NULL) {
		i->next = atomic_load(&instances);
		atomic_store(&instances, i);
	}
	return i;
}

struct layer_device *layer_make_device(void)
{
	struct layer_device *d = atomic_load(&devices);

	while (d && atomic_load(&d->key))
		d = d->next;
	if (!d && (d = calloc(1, sizeof *d)) != NULL) {
		d->next = atomic_load(&devices);
		atomic_store(&devices, d);
	}
	return d;
}

/* The loader unloads the layer with the last instance. */
bool layer_free_devices(void)
{
	for (struct layer_instance *i = atomic_load(&instances); i; i = i->next) {
		if (atomic_load(&i->key))
			return false;
	}
	for (struct layer_device *d = atomic_exchange(&devices, NULL), *next; d; d = next) {
		next = d->next;
		free(d);
	}
	for (struct layer_instance *i = atomic_exchange(&instances, NULL), *next; i; i = next) {
		next = i->next;
		free(i);
	}
	return true;
}
