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
	     "! theirs: set 0 has no binding left behind 4294967295, which both sides have given to different "
	     "resources; "
	     "move one of them\n"},
	    {"", "x@* 0.4294967294", "y@* 0.4294967294",
	     "x@* 0.4294967294; y@* 0.4294967295\n? theirs:2: \"y\" has set 0, binding 4294967294 here, where our side "
	     "has \"x\"; it gets binding 4294967295: bind the modules of this side again\n"},
	    {"", "x@* 0.4294967293", "y@* 0.4294967293; z@* 0.4294967294",
	     "x@* 0.4294967293; y@* 0.4294967295; z@* 0.4294967294\n? theirs:2: \"y\" has set 0, binding 4294967293 "
	     "here, where our side has \"x\"; it gets binding 4294967295: bind the modules of this side again\n"},
	    {"", "x@* 0.4294967293; z@* 0.4294967295", "y@* 0.4294967293; w@* 0.4294967294; v@* 0.4294967295",
	     "! theirs: set 0 has no binding left behind 4294967293, which both sides have given to different "
	     "resources; "
	     "move one of them\n"},
	    {"", "x@* 0.4294967294; z@* 0.4294967295", "y@* 0.4294967294",
	     "! theirs: set 0 has no binding left behind 4294967294, which both sides have given to different "
	     "resources; "
	     "move one of them\n"},
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

/* What a lock says is read and written: merged with an empty one, it is as it was, with the new names. */
static void locks_are_read_and_written(void **state)
{
#define AT  " program=* set=0 binding=1"
#define AT2 " program=* set=0 binding=2"
	static const struct {
		const char *lines, *written; /* NULL: as they are */
	} rows[] = {
	    {"rename x -> y\nresource x" AT "\n", "resource y" AT "\n"},
	    {"resource x" AT "\nrename x -> y\n", "resource y" AT "\n"},
	    {"rename x -> y program=a\nresource x" AT "\nresource x program=a set=0 binding=1\n",
	     "resource x" AT "\nresource y program=a set=0 binding=1\n"},
	    {"rename x -> y\nrename x -> z program=a\nresource x" AT "\nresource x program=a set=0 binding=1\n",
	     "resource y" AT "\nresource z program=a set=0 binding=1\n"},
	    {"rename x -> y\nrename y -> z\nresource x" AT "\nresource y" AT2 "\n",
	     "resource y" AT "\nresource z" AT2 "\n"},
	    {"rename b -> z\nrename a -> y\nrename c -> x\nresource a" AT "\nresource b" AT2 "\nresource c" AT
	     "\nresource d" AT2 "\n",
	     "resource d" AT2 "\nresource x" AT "\nresource y" AT "\nresource z" AT2 "\n"},
	    {"rename program=a -> b\nresource a program=a set=0 binding=1\nresource b program=c set=0 binding=1\n",
	     "resource a program=b set=0 binding=1\nresource b program=c set=0 binding=1\n"},
	    {"rename program=a -> b\nrename x -> y program=a\nrename x -> z program=b\nresource x program=a set=0 "
	     "binding=1\n",
	     "resource y program=b set=0 binding=1\n"},
	    {"rename program=x -> y\nrename x -> z\nresource x" AT "\n", "resource z" AT "\n"},
	    /* names */
	    {"resource azAZ09_.$@:[] program=azAZ09_.$@:[]*?-/ set=0 binding=1\n", NULL},
	    {"resource \"\\x01\\x0f\\x10\\x1f ~\\x7f\\x80\\xff\" program=\" \" set=0 binding=1\n", NULL},
	    {"resource \"a-b\"" AT "\nresource \"a/b\"" AT2 "\nresource \"a`b\"" AT2
	     "\nresource \"a{b\" program=* set=1 binding=0\n",
	     NULL},
	    {"resource \"\\\"\\\\\"" AT "\n", NULL},
	    {"resource \"x\\y\\x4\\xg1\\x61\"" AT "\n", "resource \"x\\\\y\\\\x4\\\\xg1a\"" AT "\n"},
	    /* what is said beyond places */
	    {"resource x" AT " kind=ubo count=3 type=dynamic\nresource y" AT2
	     " kind=sampler samplers=immutable flags=none\n",
	     NULL},
	    {"resource x" AT " flags=a,b type=c\t kind=as # and nothing else\r\n",
	     "resource x" AT " flags=a,b type=c kind=as\n"},
	    {"resource x ordinal=7" AT "\nremoved x" AT2 " kind=ubo\n",
	     "removed x" AT2 "\nresource x ordinal=7" AT "\n"},
	};
	static const struct {
		const char *lines, *said;
	} wrong[] = {
	    {"rename x y", "! lock:2: expected rename OLD -> NEW\n"},
	    {"rename x ->", "! lock:2: expected rename OLD -> NEW\n"},
	    {"rename program= -> y", "! lock:2: expected rename OLD -> NEW\n"},
	    {"rename x -> y set=1", "! lock:2: unknown key \"set\"; possible keys are program, of a resource\n"},
	    {"rename program=x -> y program=z",
	     "! lock:2: unknown key \"program\"; possible keys are program, of a resource\n"},
	    {"resource x set=0 binding=1",
	     "! lock:2: the line is truncated; restore it from version control, or create it again "
	     "with --update-lock\n"},
	    {"resource x odd=1", "! lock:2: unknown key \"odd\"; possible keys are program, set, binding, ordinal, "
				 "kind, count, type, samplers and "
				 "flags\n"},
	    {"shift odd=1", "! lock:2: unknown key \"odd\"; possible keys are class, program, set and by\n"},
	    {"push odd=1", "! lock:2: unknown key \"odd\"; possible keys are program and set\n"},
	    {"\nresource x" AT "\nresource x program=a set=0 binding=1\n\nresource x" AT2 "\n",
	     "! lock:6: \"x\" is already locked by line 3; delete one of the two lines\n"},
	};
	static struct workspace s;
	static struct text lock;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		clear(&lock);
		put(&lock, V2 "%s", rows[i].lines);
		begin(&s, lock.items, "", "");
		assert_int_equal(spb_workspace_merge_lock(s.w, "", V2, NULL), SPB_OK);
		expect(strstr(spb_workspace_lock(s.w, NULL), V2) + strlen(V2),
		       rows[i].written ? rows[i].written : rows[i].lines, rows[i].lines);
		end(&s);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const spb_callbacks callbacks = {.user = &s.said, .message = keep_message};
		clear(&lock), clear(&s.said);
		put(&lock, V2 "%s", wrong[i].lines);
		assert_int_equal(spb_context_create(NULL, &callbacks, &s.context), SPB_OK);
		assert_int_equal(spb_workspace_create(s.context, lock.items, NULL, &s.w), SPB_ERROR_INVALID_ARGUMENT);
		expect(s.said.items, wrong[i].said, wrong[i].lines);
		end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(locks_are_merged),
	    cmocka_unit_test(locks_are_read_and_written),
	    cmocka_unit_test(locks_of_other_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
