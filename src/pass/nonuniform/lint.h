/* SPDX-License-Identifier: Apache-2.0 */
/* lint: what the lint checks. A rule asks the analysis and reports findings. Whether a finding counts, and
 * how severe it is, is decided in one place.
 *
 *   lint.c              the order of asking, solving and reporting
 *   lint_rules.c        the rules and their severities
 *   lint_allowed.c      comments that allow findings
 *   lint_finding.c      turns a finding into a message: names of the input, fingerprint, baseline, suppression
 *   lint_nonuniform.c   rule nonuniform: accesses to elements of descriptor arrays
 *   lint_control.c      rules derivatives, implicit-lod, barriers and subgroup: instructions that all invocations must
 *                       execute together
 *   lint_lod.c          rule implicit-lod: samples of a descriptor that differs within the quad
 *   lint_operands.c     rule operands: operands that have to be the same in all invocations
 *   lint_comments.c     rule comments, which checks comments that allow findings
 *   assertions.c        rule assertions: values that the author asserts to be uniform; also for the pass
 *                       check-assertions */
#ifndef SPB_LINT_H
#define SPB_LINT_H

#include "analysis/source/source.h"
#include "pass/nonuniform/accesses.h"

/* ORDER rules: lint_rules.c */
enum spb_lint_rule {
	SPB_RULE_NONUNIFORM,
	SPB_RULE_DERIVATIVES,
	SPB_RULE_IMPLICIT_LOD,
	SPB_RULE_BARRIERS,
	SPB_RULE_SUBGROUP,
	SPB_RULE_OPERANDS,
	SPB_RULE_ASSERTIONS,
	SPB_RULE_COMMENTS,
	SPB_RULE_COUNT
};

/* Of cooperative matrices: newer than some versions of spirv.h. */
enum {
	SPB_OP_MATRIX_TYPE_KHR = 4456,
	SPB_OP_MATRIX_LOAD_KHR = 4457,
	SPB_OP_MATRIX_STORE_KHR = 4458,
	SPB_OP_MATRIX_MUL_ADD_KHR = 4459,
	SPB_OP_MATRIX_CONVERT_USE = 5293, /* of SPV_NV_cooperative_matrix2, like those that follow */
	SPB_OP_MATRIX_REDUCE = 5366,
	SPB_OP_MATRIX_LOAD_TENSOR = 5367,
	SPB_OP_MATRIX_STORE_TENSOR = 5368,
	SPB_OP_MATRIX_PER_ELEMENT = 5369,
	SPB_OP_MATRIX_TRANSPOSE = 5390
};

enum { SPB_LINT_OFF = 3 }; /* in addition to the values of spb_severity */

struct spb_lint_question {
	spb_at at;
	uint32_t word; /* of the operand; 0: about control flow */
	uint32_t question;
	uint16_t demand; /* number of a row in the rule's table */
	uint8_t leaf;    /* 1: the sampler of a sampled image */
	uint8_t scope;   /* SPB_UNIFORM_*: being uniform in one of these suffices */
};

struct spb_held { /* a finding to be reported, which stands for all with its cause */
	spb_message message;
	spb_message_note *notes; /* those of the message, and room for one more */
	spb_at at;
	uint64_t cause;
	uint32_t more; /* others of the same cause */
};

struct spb_findings {                      /* lint_finding.c */
	struct spb_location_table *places; /* NULL until first needed: spb_lint_places */
	uint32_t shown, hidden;            /* findings reported, and those past the limit */
	SPB_LIST(struct spb_held) held;
	SPB_LIST(uint32_t) causes; /* held findings with which others may be counted; as many as are shown */
	struct {                   /* hash table: each fingerprint so far, and its number of findings */
		uint64_t *key;
		uint32_t *times;
		uint32_t count, size;
	} seen;
	SPB_LIST(uint64_t) baseline; /* sorted, if has_baseline */
	bool has_baseline;
};

struct spb_lint {
	struct spb_unit *u;
	struct spb_judged *j;
	const struct spb_module *m;
	struct spb_arena *arena;
	uint8_t severity[SPB_RULE_COUNT]; /* of a finding that is known to differ: spb_severity, or SPB_LINT_OFF */
	struct spb_findings findings;
	struct spb_allowed *allowed; /* allowances by comments, sorted by file and line; lint_allowed.c */
	size_t allowed_count;
	uint32_t *runs; /* bits over functions that an entry point calls; NULL: any may run */
	SPB_LIST(struct spb_lint_question) control, quad, lod, operands, push_constants;
	struct spb_uniformity *quads; /* for fragments of a quad and a primitive; NULL: not needed */
	uint8_t derivative_group;     /* SPB_UNIFORM_SUBGROUP: the quad; SPB_UNIFORM_GROUP: the primitive */
};

struct spb_found {
	enum spb_lint_rule rule;
	uint32_t code;
	bool certain;     /* known to differ; otherwise only not known to be uniform */
	bool lost;        /* the author has decorated it: at most a warning */
	spb_at at;        /* 0: the finding is about `line` of `file`, not about an instruction */
	const char *file; /* if at is 0 */
	uint32_t line;
	const char *text;
	const char *subject; /* name of the resource or value; "" */
	const struct spb_why *why;
	uint32_t why_count;
};

/* lint_rules.c */

bool spb_read_lint(const char *text, uint8_t *severity); /* [SPB_RULE_COUNT] */
/* The number of a message code that is written as "SPB5001"; 0 if it is not one. */
uint32_t spb_code_number(const char *text);

/* lint_allowed.c */

struct spb_allowed {
	struct spb_allowance a;
	uint32_t rule; /* enum spb_lint_rule; SPB_RULE_COUNT: it names none */
	uint32_t code; /* 0: all of the rule */
	bool used;     /* a finding has been suppressed */
	bool has_code; /* an instruction of the module comes from the line */
};

void spb_read_comments(struct spb_lint *l);
/* The next one for the line that names a rule; `after` NULL: the first. NULL: none. */
struct spb_allowed *spb_next_allowed(struct spb_lint *l, const struct spb_allowance *line, struct spb_allowed *after);
/* Why a comment allows the finding; NULL if none does. The comment then counts as used. */
const char *spb_allowed_because(struct spb_lint *l, const struct spb_found *f, const spb_message *message);

/* lint_finding.c */

const struct spb_location_table *spb_lint_places(struct spb_lint *l); /* created for the first finding */
void spb_find(struct spb_lint *l, const struct spb_found *f);
void spb_tell_findings(struct spb_lint *l); /* after all rules */

/* lint_comments.c */
void spb_lint_comments(struct spb_lint *l); /* after all other rules */

/* lint_nonuniform.c */
void spb_ask_push_constants(struct spb_lint *l, spb_at at);
void spb_lint_nonuniform(struct spb_lint *l, struct spb_uniformity_settings settings);

/* lint_control.c */
void spb_ask_control(struct spb_lint *l, spb_at at);
void spb_ask_quads(struct spb_lint *l, struct spb_uniformity_settings settings); /* also solves it */
void spb_lint_control(struct spb_lint *l);
bool spb_has_stage(const struct spb_module *m, uint32_t model);
uint8_t spb_demanded_scope(const struct spb_module *m, uint32_t scope); /* by the id of a scope; 0: no requirement */

/* lint_lod.c */
void spb_ask_lod(struct spb_lint *l, spb_at at);
void spb_lint_lod(struct spb_lint *l);

/* lint_operands.c */
void spb_ask_operands(struct spb_lint *l, spb_at at);
void spb_lint_operands(struct spb_lint *l);

/* assertions.c */
void spb_lint_assertions(struct spb_lint *l, struct spb_uniformity_settings settings);

/* lint.c */
void spb_lint(struct spb_unit *u, struct spb_uniformity_settings settings);

#endif
