/* SPDX-License-Identifier: Apache-2.0 */
/* classes: the HLSL register class of a resource, and what else its decorations say, such as whether a shader may write
 * to it.
 *
 *     b   uniform buffers
 *     t   read-only resources: sampled images, uniform texel buffers, acceleration structures, storage buffers whose
 *         members are all NonWritable; combined image-samplers, input attachments
 *     s   samplers
 *     u   storage images, storage texel buffers, all other storage buffers */
#include "analysis/resources/resources.h"

/* Counts the members that are NonWritable in one walk over the decorations. */
bool spb_has_on_all_members(const struct spb_module *m, uint32_t type, uint32_t decoration)
{
	uint32_t members = spb_length(m, m->def[type]) - 2, decorated = 0, last = UINT32_MAX;

	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpMemberDecorate && m->words[at + 3] == decoration &&
		    m->words[at + 2] != last) {
			last = m->words[at + 2];
			decorated++;
		}
	}
	return members && decorated >= members;
}

enum spb_class spb_class_of(enum spb_descriptor kind, bool writable)
{
	return spb_descriptor_info(kind)->class[writable];
}

const char *spb_class_name(uint32_t class)
{
	static const char *const names[] = {"b", "t", "s", "u"};

	return names[class];
}

char spb_class_letter(enum spb_class class)
{
	return *spb_class_name(class);
}
