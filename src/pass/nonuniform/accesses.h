/* SPDX-License-Identifier: Apache-2.0 */
/* The accesses to descriptors that an index selects, and what the analysis says of each: for decorate-nonuniform and
 * its lint. */
#ifndef SPB_ACCESSES_H
#define SPB_ACCESSES_H

#include "analysis/uniformity/uniformity.h"
#include "pass/nonuniform/nonuniform.h"

struct spb_asked {
	spb_at at;
	uint32_t question;
};

struct spb_judged {
	const struct spb_module *m;
	struct spb_calls calls;
	struct spb_paths paths;
	struct spb_uniformity *uniformity;         /* NULL: nobody asked, all differ */
	uint32_t *question[2];                     /* [accesses] of the image, buffer …; of the sampler */
	uint32_t *index_question;                  /* [chains] */
	uint32_t *marked;                          /* bits over ids: NonUniform */
	const uint32_t *builtin;                   /* bits over ids: heaps that will be built-in ones; NULL: none */
	uint8_t scope;                             /* one of these scopes must agree */
	SPB_LIST(struct spb_asked) push_constants; /* for lint: indices of arrays in them */
};

/* ask: false: all accesses differ. */
struct spb_judged spb_judge_accesses(struct spb_unit *u, bool ask, struct spb_uniformity_wishes wishes);
bool spb_is_sampled_image(const struct spb_module *m, uint32_t id);
/* Whether access number i needs a mark for its image or buffer (leaf 0), or its sampler (1). */
bool spb_access_differs(const struct spb_judged *j, size_t i, uint32_t leaf);
bool spb_value_differs(const struct spb_judged *j, uint32_t id, uint32_t leaf);
bool spb_bits_differ(const struct spb_judged *j, uint8_t uniform);

/* accesses that no mark repairs: reported by lint. NULL: none such */
const char *spb_no_remedy(const struct spb_module *m, spb_at at);

/* Keeps why chain number `chain` differs or not, for the layout JSON and --explain. `question`: of what differs. */
void spb_keep_reason(struct spb_unit *u, struct spb_judged *j, const struct spb_place_table *places, size_t chain,
		     uint32_t question);

/* Why it differs, or what it is made of if it does not; returns how many of `most`. */
uint32_t spb_tell_why(struct spb_unit *u, struct spb_judged *j, const struct spb_place_table *places, uint32_t question,
		      struct spb_why *whys, uint32_t most);

/* lint_nonuniform.c */
void spb_ask_push_constants(struct spb_judged *j, struct spb_arena *arena);
void spb_lint_accesses(struct spb_unit *u, struct spb_judged *j);

#endif
