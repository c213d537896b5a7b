/* SPDX-License-Identifier: Apache-2.0 */
/* nonuniform: finds the accesses to descriptors that differ between invocations, and decorates or reports them;
 * waterfall puts them into loops. This header is for other rooms; the files of this room share accesses.h. */
#ifndef SPB_NONUNIFORM_H
#define SPB_NONUNIFORM_H

#include "pass/pass.h"

bool spb_pass_check_assertions(struct spb_unit *u);
/* False: decorate-nonuniform has nothing to do. */
bool spb_may_have_choices(const struct spb_unit *u);
bool spb_pass_decorate_nonuniform(struct spb_unit *u);
/* After all others: what it left undeclared, if another pass has changed the module. */
bool spb_pass_declare_dynamic_indexing(struct spb_unit *u);

/* lint_rules.c */
/* Names of rules, and of the severities that a rule may have, for spb_name. */
const char *spb_lint_rule_name(uint32_t index);
const char *spb_severity_name(uint32_t index);

/* The kind of descriptor that a value names; OTHER if unknown. */
enum spb_descriptor spb_kind_named(const struct spb_module *m, uint32_t id);
/* Do accesses to this kind of descriptor that differ go into loops? Otherwise they are decorated. Only this function
 * decides. */
bool spb_goes_into_loop(const struct spb_unit *u, enum spb_descriptor kind);
/* Do they, because --host-features has no non-uniform indexing of this kind? */
bool spb_host_needs_loop(const struct spb_unit *u, enum spb_descriptor kind);
bool spb_may_loop(const struct spb_unit *u); /* does any kind? */

/* OpModuleProcessed text that waterfall adds: the loops rely on indexes that are uniform in the subgroup. */
#define SPB_WATERFALL_REMARK "spirv-bind: descriptors in turns of the subgroup"

#endif
