/* SPDX-License-Identifier: Apache-2.0 */
/* farm_verb: the phases of a build on many machines. Parts of a manifest are collected, the numbers of all are decided
 * once, and each part is bound separately with that lock. */
#include "cli/verbs/verbs.h"

static void want_decide(struct program_options *p)
{
	p->library.layout.update_lock = p->lock.file && !p->lock.locked;
}

const struct verb verb_collect = {
    .bit = VERB_COLLECT,
    .name = "collect",
    .words = "-m MANIFEST -o FACTS",
    .summary = "write what the numbers of shared sets depend on",
    .text = "Binds nothing and writes to FACTS what the numbers of shared sets and families depend on, for decide.",
    .is_of_manifest = true,
    .makes_file = true,
};

const struct verb verb_decide = {
    .bit = VERB_DECIDE,
    .name = "decide",
    .words = "-m MANIFEST --lock=FILE FACTS...",
    .summary = "decide the numbers of all programs from what was collected",
    .text =
	"Binds nothing. The inputs are files that collect wrote, of all programs of the manifest; their numbers are "
	"decided and written to the lock file, which with --locked must have them already. With that lock and "
	"--locked, every part of the manifest can be bound on its own.",
    .is_of_manifest = true,
    .want = want_decide,
};
