/* SPDX-License-Identifier: Apache-2.0 */
/* Locks that were one, and are merged again, line by line: each row has what they come from, both, and what becomes of
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_locks.h"

static void locks_are_merged(void **state)
{
	static const struct {
		const char *base, *ours, *theirs, *merged;
	} rows[] = {
	    {"", "", "", ""},
	    {"x@* 0.0", "x@* 0.0", "x@* 0.0", "x@* 0.0"},
	    /* what one side has done */
	    {"x@* 0.0", "x@* 0.0", "x@* 0.1", "x@* 0.1"},
	    {"x@* 0.0", "x@* 0.1", "x@* 0.0", "x@* 0.1"},
	    {"x@* 0.0", "x@* 0.0", "x@* 1.0", "x@* 1.0"},
	    {"x@* 0.0 kind=as", "x@* 0.0 kind=as", "x@* 0.0 kind=ubo", "x@* 0.0"},
	    {"x@* 0.0 kind=as", "x@* 0.0 kind=ubo", "x@* 0.0 kind=as", "x@* 0.0"},
	    {"x@* 0.0", "x@* 0.0", "removed x@* 0.0", "removed x@* 0.0"},
	    {"x@* 0.0", "removed x@* 0.0", "x@* 0.0", "removed x@* 0.0"},
	    {"x@* 0.0; y@* 0.1", "x@* 0.0; y@* 0.1", "y@* 0.1", "y@* 0.1"},
	    {"x@* 0.0; y@* 0.1", "x@* 0.0", "x@* 0.0; y@* 0.1", "x@* 0.0"},
	    {"x@* 0.0", "x@* 0.0; y@* 0.1", "x@* 0.0", "x@* 0.0; y@* 0.1"},
	    {"x@* 0.0", "x@* 0.0", "x@* 0.0; y@* 0.1", "x@* 0.0; y@* 0.1"},
	    {"", "x@* 0.0", "x@* 0.0", "x@* 0.0"},
	    {"",
	     "x@a 0.0; x@* 0.1; heap x@* 0.2; x ordinal=1@* 0.3; shift class=t@* 0 by=1; push@* 0; shift class=s@* 0 "
	     "by=2",
	     "y@b 0.0; push@* 1; shift class=t@* 1 by=3; push@* 0; shift class=t@* 0 by=1",
	     "shift class=t@* 0 by=1; shift class=s@* 0 by=2; shift class=t@* 1 by=3; push@* 0; push@* 1; x@* 0.1; "
	     "heap x@* 0.2; "
	     "x ordinal=1@* 0.3; x@a 0.0; y@b 0.0"},
	    /* what both have done */
	    {"x@* 0.0", "x@* 0.1", "x@* 0.1", "x@* 0.1"},
	    {"x@* 0.0", "x@* 0.1", "x@* 0.2",
	     "x@* 0.1\n? theirs:2: \"x\" has set 0, binding 2 here, but set 0, binding 1 on our side, which it keeps; "
	     "bind the "
	     "modules of this side again\n"},
	    {"x@* 0.0 kind=as", "x@* 0.0 kind=ubo", "x@* 0.0 kind=sampler", "x@* 0.0"},
	    {"x@* 0.0", "x@* 0.1", "", "x@* 0.1"},
	    {"x@* 0.0", "", "x@* 0.1", "x@* 0.1"},
	    {"x@* 0.0", "removed x@* 0.0", "", "removed x@* 0.0"},
	    {"x@* 0.0", "", "removed x@* 0.0", "removed x@* 0.0"},
	    {"x@* 0.0 kind=ubo", "removed x@* 0.0", "x@* 0.0 kind=as", "x@* 0.0 kind=as"},
	    {"x@* 0.0 kind=ubo", "x@* 0.0 kind=as", "removed x@* 0.0", "x@* 0.0 kind=as"},
	    {"x@* 0.0", "removed x@* 0.0", "x@* 0.3",
	     "x@* 0.3\n? theirs:2: \"x\" has set 0, binding 3 here, but set 0, binding 0 on our side, which it keeps; "
	     "bind the "
	     "modules of this side again\n"},
	    /* what both have added at one place */
	    {"", "x@* 0.0", "y@* 0.0",
	     "x@* 0.0; y@* 0.1\n? theirs:2: \"y\" has set 0, binding 0 here, where our side has \"x\"; it gets binding "
	     "1: bind "
	     "the modules of this side again\n"},
	    {"", "y@* 0.0", "x@* 0.0",
	     "x@* 0.1; y@* 0.0\n? theirs:2: \"x\" has set 0, binding 0 here, where our side has \"y\"; it gets binding "
	     "1: bind "
	     "the modules of this side again\n"},
	    {"", "x@* 0.0; z@* 0.1", "y@* 0.0; w@* 0.1",
	     "w@* 0.3; x@* 0.0; y@* 0.2; z@* 0.1\n? theirs:2: \"y\" has set 0, binding 0 here, where our side has "
	     "\"x\"; it gets "
	     "binding 2: bind the modules of this side again\n? theirs:3: \"w\" has set 0, binding 1 here, where our "
	     "side has "
	     "\"z\"; it gets binding 3: bind the modules of this side again\n"},
	    {"", "x@* 0.0; z@* 0.2", "y@* 0.0",
	     "x@* 0.0; y@* 0.1; z@* 0.2\n? theirs:2: \"y\" has set 0, binding 0 here, where our side has \"x\"; it "
	     "gets binding "
	     "1: bind the modules of this side again\n"},
	    {"", "x@* 0.5; z@* 0.0", "y@* 0.5; w@* 0.6",
	     "w@* 0.6; x@* 0.5; y@* 0.7; z@* 0.0\n? theirs:2: \"y\" has set 0, binding 5 here, where our side has "
	     "\"x\"; it gets "
	     "binding 7: bind the modules of this side again\n"},
	    {"", "x@* 0.0", "y@* 0.0; z@* 0.0",
	     "x@* 0.0; y@* 0.1; z@* 0.1\n? theirs:2: \"y\" has set 0, binding 0 here, where our side has \"x\"; it "
	     "gets binding "
	     "1: bind the modules of this side again\n? theirs:3: \"z\" has set 0, binding 0 here, where our side has "
	     "\"x\"; it "
	     "gets binding 1: bind the modules of this side again\n"},
	    {"", "x@* 0.0; y@* 0.0", "y@* 0.0; z@* 0.0",
	     "x@* 0.0; y@* 0.0; z@* 0.1\n? theirs:3: \"z\" has set 0, binding 0 here, where our side has \"x\"; it "
	     "gets binding "
	     "1: bind the modules of this side again\n"},
	    {"x@* 0.0", "x@* 0.0", "x@* 0.0; y@* 0.0", "x@* 0.0; y@* 0.0"},
	    {"x@* 0.0", "x@* 0.0; y@* 0.0", "x@* 0.0", "x@* 0.0; y@* 0.0"},
	    {"", "x@* 0.0", "removed y@* 0.0",
	     "x@* 0.0; removed y@* 0.1\n? theirs:2: \"y\" has set 0, binding 0 here, where our side has \"x\"; it gets "
	     "binding "
	     "1: bind the modules of this side again\n"},
	    /* elsewhere is no such place */
	    {"", "x@* 0.0", "y@* 1.0", "x@* 0.0; y@* 1.0"},
	    {"", "x@* 0.0", "y@a 0.0", "x@* 0.0; y@a 0.0"},
	    {"", "x@* 0.0", "heap y@* 0.0", "x@* 0.0; heap y@* 0.0"},
	    {"", "shift class=t@* 0 by=0", "x@* 0.0", "shift class=t@* 0 by=0; x@* 0.0"},
	    {"", "push@* 0", "x@* 0.0", "push@* 0; x@* 0.0"},
	    {"", "x@* 0.4294967293", "y@* 0.4294967293",
	     "x@* 0.4294967293; y@* 0.4294967294\n? theirs:2: \"y\" has set 0, binding 4294967293 here, where our side "
	     "has \"x\"; "
	     "it gets binding 4294967294: bind the modules of this side again\n"},
	    {"", "x@* 0.4294967295", "y@* 0.4294967295",
	     "! theirs: set 0 has no binding left for what both sides have at binding 4294967295; move one of them\n"},
	    /* each set by itself, whatever the order of lines */
	    {"", "x@* 1.0; z@* 0.1", "y@* 0.1; w@* 1.0",
	     "w@* 1.1; x@* 1.0; y@* 0.2; z@* 0.1\n? theirs:2: \"y\" has set 0, binding 1 here, where our side has "
	     "\"z\"; it gets "
	     "binding 2: bind the modules of this side again\n? theirs:3: \"w\" has set 1, binding 0 here, where our "
	     "side has "
	     "\"x\"; it gets binding 1: bind the modules of this side again\n"},
	    {"", "x@* 0.5; u@* 1.0", "y@* 0.5; v@* 1.0",
	     "u@* 1.0; v@* 1.1; x@* 0.5; y@* 0.6\n? theirs:2: \"y\" has set 0, binding 5 here, where our side has "
	     "\"x\"; it gets "
	     "binding 6: bind the modules of this side again\n? theirs:3: \"v\" has set 1, binding 0 here, where our "
	     "side has "
	     "\"u\"; it gets binding 1: bind the modules of this side again\n"},
	    {"", "x@b 0.5; u@a 0.0", "y@a 0.0; v@b 0.5",
	     "u@a 0.0; y@a 0.1; v@b 0.6; x@b 0.5\n? theirs:2: \"y\" has set 0, binding 0 here, where our side has "
	     "\"u\"; it gets "
	     "binding 1: bind the modules of this side again\n? theirs:3: \"v\" has set 0, binding 5 here, where our "
	     "side has "
	     "\"x\"; it gets binding 6: bind the modules of this side again\n"},
	    {"x@* 0.0; a@* 0.7; z@* 0.3", "z@* 0.3; x@* 0.0; a@* 0.7", "a@* 0.7; z@* 0.3; x@* 0.9",
	     "a@* 0.7; x@* 0.9; z@* 0.3"},
	    /* shared sets */
	    {"", "share 0; share 1 programs=a*", "share 1 programs=b*; share 0; share 2; share 1 programs=a*",
	     "share 0; share 1 programs=a*; share 1 programs=b*; share 2"},
	};
	static struct workspace s;
	static struct text base, ours, theirs, got;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		begin(&s, expand_lock(&ours, rows[i].ours), "", "");
		const spb_status status =
		    spb_workspace_merge_lock(s.w, *rows[i].base ? expand_lock(&base, rows[i].base) : "",
					     expand_lock(&theirs, rows[i].theirs), NULL);
		assert_int_equal(status, strchr(s.said.items, '!') ? SPB_ERROR_CONFLICT : SPB_OK);
		got = (struct text){.count = 0};
		if (status == SPB_OK)
			put_short(&got, spb_workspace_lock(s.w, NULL), true);
		put(&got, status == SPB_OK && s.said.count ? "\n%s" : "%s", s.said.items);
		expect(got.items, rows[i].merged, rows[i].ours);
		end(&s);
	}
}

static void locks_of_other_versions(void **state)
{
	static const struct {
		const char *base, *ours, *theirs, *merged;
	} rows[] = {
	    {"", "lock version=1\nresource x set=0 binding=0 kind=ubo\n",
	     "lock version=1\nresource y set=0 binding=0 kind=ubo\n",
	     "lock version=1\nresource x set=0 binding=0 kind=ubo\nresource y set=0 binding=1 kind=ubo\n"},
	    /* both sides have become a workspace, so that the base says nothing of them */
	    {"lock version=1\nresource x set=0 binding=0 kind=ubo\n",
	     V2 "resource x program=* set=0 binding=0 kind=ubo\n", V2,
	     V2 "resource x program=* set=0 binding=0 kind=ubo\n"},
	    {"lock version=1\nresource x set=0 binding=0\n", V2, "lock version=1\nresource x set=0 binding=0\n", NULL},
	    {"", "lock version=1\n", V2, NULL},
	};
	static struct workspace s;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		begin(&s, rows[i].ours, "", "");
		const spb_status status = spb_workspace_merge_lock(s.w, rows[i].base, rows[i].theirs, "their lock");
		assert_int_equal(status, rows[i].merged ? SPB_OK : SPB_ERROR_CONFLICT);
		if (rows[i].merged)
			expect(strstr(spb_workspace_lock(s.w, NULL), "lock version="), rows[i].merged, rows[i].ours);
		expect(
		    s.said.items,
		    rows[i].merged
			? rows[i].base[0] ? ""
					  : "? their lock:2: \"y\" has set 0, binding 0 here, where our side has "
					    "\"x\"; it gets binding 1: bind the modules of this side again\n"
			: "! their lock: one of the locks is of one program and the other of many; bind with the one, "
			  "and merge the manifests\n",
		    rows[i].ours);
		end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(locks_are_merged),
	    cmocka_unit_test(locks_of_other_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
