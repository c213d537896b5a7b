/* SPDX-License-Identifier: Apache-2.0 */
/* given: a module as it was given, once it has been rewritten.
 *
 * A program of many modules must not keep each of them twice. Nearly all words of the input are in the output, and
 * `run` says where, so only those that are not need be kept: messages and the validator get the others from there.
 *
 *     given   [ run 0 ][ lost ][ run 1 ]
 *     words   [ run 0 ][ made by passes ][ run 1 ] */
#include "ir/ir.h"

struct gap { /* words of the input that are in no run */
	uint32_t at, count;
};

static struct gap gap_before(const struct spb_module *m, uint32_t run)
{
	const uint32_t at = run ? m->run[run - 1].was + m->run[run - 1].count : 0;

	return (struct gap){at, (run < m->run_count ? m->run[run].was : m->given_count) - at};
}

/* Are the runs in the order of the input, as they are where nothing has been moved? */
static bool is_in_order(const struct spb_module *m)
{
	for (uint32_t i = 1; i < m->run_count; i++) {
		if (m->run[i].was < m->run[i - 1].was + m->run[i - 1].count)
			return false;
	}
	return true;
}

bool spb_module_drop_given(struct spb_module *m)
{
	uint32_t kept = 0, count = m->given_count;

	if (!m->run || !m->given || !is_in_order(m))
		return false;
	for (uint32_t i = 0; i < m->run_count; i++)
		count -= m->run[i].count;
	if (count > m->given_count / 2)
		return false;
	m->lost = spb_alloc_array(m->shared_keep ? m->shared_keep : &m->keep, count, sizeof *m->lost);
	for (uint32_t i = 0; i <= m->run_count; i++) {
		const struct gap gap = gap_before(m, i);
		memcpy(m->lost + kept, m->given + gap.at, gap.count * sizeof *m->lost);
		kept += gap.count;
	}
	m->given = NULL;
	spb_arena_release(&m->input);
	return true;
}

void spb_module_need_given(struct spb_module *m)
{
	uint32_t taken = 0;

	if (m->given)
		return;
	uint32_t *words = spb_alloc_array(&m->input, m->given_count, sizeof *words);
	for (uint32_t i = 0; i <= m->run_count; i++) {
		const struct gap gap = gap_before(m, i);
		memcpy(words + gap.at, m->lost + taken, gap.count * sizeof *words);
		taken += gap.count;
		if (i < m->run_count)
			memcpy(words + m->run[i].was, m->words + m->run[i].now, m->run[i].count * sizeof *words);
	}
	m->given = words;
}

const char *spb_outlive_given(struct spb_module *m, const char *text)
{
	const uintptr_t at = (uintptr_t)text - (uintptr_t)m->given;
	const uint32_t word = (uint32_t)(at / sizeof *m->given);
	uint32_t low = 0, high = m->run_count;

	if (at >= m->given_count * sizeof *m->given)
		return text;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (m->run[middle].was + m->run[middle].count <= word)
			low = middle + 1;
		else
			high = middle;
	}
	const uint32_t length = (uint32_t)strlen(text);
	if (low == m->run_count || word < m->run[low].was || word + length / 4 >= m->run[low].was + m->run[low].count)
		return spb_copy_text(&m->keep, text, length);
	return (const char *)(m->text + m->run[low].now + (word - m->run[low].was));
}
