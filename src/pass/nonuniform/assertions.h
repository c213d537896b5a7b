/* SPDX-License-Identifier: Apache-2.0 */
/* assertions: what assertions.c finds, and assertion_checks.c turns into checks at run time. */
#ifndef SPB_ASSERTIONS_H
#define SPB_ASSERTIONS_H

#include "pass/nonuniform/lint.h"

/* The extended instructions: 1: the operand is the same in all invocations of the workgroup that execute it together
 * (outside workgroups, of the draw or launch); 2: of the subgroup. */
#define SPB_ASSERT_SET "NonSemantic.AssertUniform"

enum { SPB_ASSERT_WORKGROUP = 1, SPB_ASSERT_SUBGROUP = 2 };

struct spb_assertion {
	spb_at at;
	uint32_t value;    /* id */
	uint8_t scope;     /* SPB_UNIFORM_* */
	uint32_t question; /* about the value */
	uint32_t together; /* about control flow: do all invocations of the workgroup get here together? */
	bool proven;
};

struct spb_assertions {
	struct spb_lint lint; /* the module, its locations, and how to report */
	SPB_LIST(struct spb_assertion) items;
	uint32_t import;
};

/* assertion_checks.c: a counter for each assertion that is not proven. */
void spb_check_at_run_time(struct spb_assertions *a);

#endif
