/* SPDX-License-Identifier: Apache-2.0 */
/* accesses: accesses to descriptors that an index selects, and the verdict of the analysis on each; for
 * decorate-nonuniform and its lint. */
#ifndef SPB_ACCESSES_H
#define SPB_ACCESSES_H

#include "analysis/uniformity/uniformity.h"
#include "pass/nonuniform/nonuniform.h"

struct spb_judged {
	const struct spb_module *m;
	struct spb_calls calls;
	struct spb_paths paths;
	struct spb_uniformity *uniformity; /* NULL: not analysed, so all accesses differ */
	uint32_t *question[2];             /* [accesses] question about the image, buffer, ...; about the sampler */
	uint32_t *index_question;          /* [chains] questions for explain */
	uint32_t *marked;                  /* bits over ids: decorated NonUniform */
	const uint32_t *builtin;           /* bits over ids: heaps that will become built-in heaps; NULL: none */
	uint8_t scope;                     /* an access must be uniform in one of these scopes */
};

/* The settings that follow from the options: neither marks_only nor heed_marks. */
struct spb_uniformity_settings spb_uniformity_settings_of(struct spb_unit *u);
/* ask: run the analysis; otherwise all accesses count as differing. */
struct spb_judged spb_judge_accesses(struct spb_unit *u, bool ask, struct spb_uniformity_settings settings);
/* Asks about each access, and leaves further questions and the solving to the caller. */
struct spb_judged spb_begin_judging(struct spb_unit *u, struct spb_uniformity_settings settings);
bool spb_is_sampled_image(const struct spb_module *m, uint32_t id);
/* Does access number i need NonUniform for its image or buffer (leaf 0), or for its sampler (leaf 1)? */
bool spb_access_differs(const struct spb_judged *j, size_t i, uint32_t leaf);
bool spb_value_differs(const struct spb_judged *j, uint32_t id, uint32_t leaf);
bool spb_bits_differ(const struct spb_judged *j, uint8_t uniform);

/* why NonUniform does not help an access like this; NULL if it does */
const char *spb_no_remedy(const struct spb_module *m, spb_at at);

/* Records why the descriptor that an id selects, an access chain or a choice of pointers, differs or not, for the
 * layout JSON and explain. `question`: about the value that differs; by_author: the input decorates it. */
void spb_keep_reason(struct spb_unit *u, struct spb_judged *j, const struct spb_location_table *places, uint32_t id,
		     uint32_t question, bool by_author);

/* Explains why a value differs in the scope, or, if it does not, what it is computed from; returns the number of
 * steps, at most `most`. `subject`: what the question was about, as in "the index". */
uint32_t spb_tell_why(struct spb_unit *u, struct spb_uniformity *uniformity, const struct spb_location_table *places,
		      uint32_t question, uint8_t scope, const char *subject, struct spb_why *whys, uint32_t most);

/* The label of an id in the input: %12 "name"; "name" if a pass created the id; or `otherwise` if it
 * has no name. */
const char *spb_input_label(const struct spb_unit *u, struct spb_arena *arena, uint32_t id, const char *otherwise);

#endif
