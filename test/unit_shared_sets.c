/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers that many programs have in common, without any program: what is known of each is a text, and so are the
 * locks that come out. Each row of a table is such a workspace, in a short form, and what becomes of it, by hand from
 * docs/workspaces.md and the rules at the heads of the files of src/analysis/workspace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_locks.h"

/* Numbers */

struct row {
	const char *shares, *programs, *lock, *facts;
	const char *result; /* the lock; messages */
};

static const struct row numbers[] = {
    /* in the order of programs, and in each of lines; a name has one number in all */
    {"0", "a b", NULL, "a: x 0.0; b: y 0.0", "x@* 0.0; y@* 0.1"},
    {"0", "b a", NULL, "a: x 0.0; b: y 0.0", "x@* 0.1; y@* 0.0"},
    {"0", "a b", NULL, "a: x 0.0; y 0.1; b: y 0.0; z 0.1", "x@* 0.0; y@* 0.1; z@* 0.2"},
    {"0", "a b", NULL, "a: y 0.0; x 0.1; b: z 0.0", "x@* 0.1; y@* 0.0; z@* 0.2"},
    {"0", "a b", NULL, "a: x 0.0; x 0.1 ordinal=1; b: x 0.0 ordinal=1", "x@* 0.0; x ordinal=1@* 0.1"},
    {"0", "a b", NULL, "a: ^x 0.5; b: x 0.0; ^x 0.5", "x@* 0.0; heap x@* 0.5"},
    {"0", "a b", NULL, "a: \"\" 0.0; x 0.1; b: \"\" 0.0; y 0.1", "x@* 0.1; y@* 0.3"},
    {"0; 1", "a b", NULL, "a: x 0.0; y 1.0; b: z 1.0; w 0.0", "w@* 0.1; x@* 0.0; y@* 1.0; z@* 1.1"},
    /* a number that a program fixes */
    {"0", "a b", NULL, "a: x 0.0; b: y 0.0!", "x@* 0.1; y@* 0.0"},
    {"0", "a b", NULL, "a: x 0.0; b: x 0.3!", "x@* 0.3"},
    {"0", "a b", NULL, "a: x 0.0; b: x 0.3=; y 0.0", "x@* 0.3; y@* 0.0"},
    {"0", "a b", NULL, "a: x 0.3!; b: x 0.0", "x@* 0.3"},
    {"0", "a b", NULL, "a: x 0.3!; b: x 0.3!", "x@* 0.3"},
    {"0", "a b", NULL, "a: x 0.1!; b: x 0.2!; y 0.0",
     "x@* 0.1\n! b: \"x\" is fixed at set 0, binding 2 here, but at set 0, binding 1 in program a; as one descriptor "
     "of "
     "both programs it has one place: correct one, or leave it unassigned\n"},
    {"0; 1", "a b", NULL, "a: x 0.1!; b: x 1.1!",
     "x@* 0.1\n! b: \"x\" is fixed at set 1, binding 1 here, but at set 0, binding 1 in program a; as one descriptor "
     "of "
     "both programs it has one place: correct one, or leave it unassigned\n"},
    {"0", "a b", NULL, "a: x 0.1! class=t number=1; b: x 0.5! class=t number=1", "shift class=t@* 0 by=0; x@* 0.1"},
    /* different names that programs fix at one place are one descriptor, if it has one type */
    {"0", "a b", NULL, "a: x 0.0!; b: y 0.0!", "x@* 0.0; y@* 0.0"},
    {"0", "a b", NULL, "a: x 0.0!; b: y 0.0! texture",
     "x@* 0.0\n! b: \"y\" (sampled image) has set 0, binding 0 here, where program a has \"x\" (uniform buffer); "
     "programs "
     "that share a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    {"0", "a b", NULL, "a: x 0.0!; y 0.0! texture; b: z 0.1! texture",
     "x@* 0.0; y@* 0.0 kind=texture; z@* 0.1 kind=texture"},
    {"0", "a b", NULL, "a: ^x 0.0!; b: ^y 0.0! texture", "heap x@* 0.0; heap y@* 0.0 kind=texture"},
    {"0", "a b", NULL, "a: x 0.0!; b: x 0.0; y 0.0! texture lead=0 offset=0", "x@* 0.0; y@* 0.0 kind=texture"},
    {"1", "a b", NULL, "a: x 0.0!; b: y 0.0! texture; x 0.0!", "x@a 0.0; x@b 0.0; y@b 0.0 kind=texture"},
    /* runs of numbers */
    {"0", "a", NULL, "a: x 0.0 length=3; y 0.0", "x@* 0.0; y@* 0.3"},
    {"0", "a", NULL, "a: x 0.0!; y 0.0 length=2; z 0.2!; u 0.0", "u@* 0.1; x@* 0.0; y@* 0.3; z@* 0.2"},
    {"0", "a", NULL, "a: y 0.0; x 0.0 length=0", "x@* 0.1; y@* 0.0"},
    {"0", "a", NULL, "a: x 0.7!; y 0.0 length=0; z 0.0", "x@* 0.7; y@* 0.8; z@* 0.0"},
    {"0", "a", NULL, "a: x 0.0 length=0; y 0.0",
     "! a: \"y\" could not be allocated: set 0 of the programs that share it (*) has no 1 consecutive free bindings; "
     "use "
     "another set\n"},
    {"0", "a", NULL, "a: x 0.2! length=0; y 0.0 length=2", "x@* 0.2; y@* 0.0"},
    {"0", "a", NULL, "a: x 0.2! length=0; y 0.0 length=3",
     "! a: \"y\" could not be allocated: set 0 of the programs that share it (*) has no 3 consecutive free bindings; "
     "use "
     "another set\n"},
    {"0", "a", NULL, "a: x 0.4294967295! length=5; y 0.0 length=4294967295", "x@* 0.4294967295; y@* 0.0"},
    {"0", "a", NULL, "a: x 0.4294967295!; y 0.0 length=0",
     "! a: \"y\" could not be allocated: set 0 of the programs that share it (*) has no 0 consecutive free bindings; "
     "use "
     "another set\n"},
    /* what policies say: numbers from which on to search, ranges, reserved ones */
    {"0", "a", NULL, "a: x 0.4 from=4; y 0.0", "x@* 0.4; y@* 0.0"},
    {"0", "a", NULL, "a: x 0.4 from=4; y 0.2 from=2 length=3; z 0.2 from=2 length=2; u 0.0 length=3; v 0.0",
     "u@* 0.8; v@* 0.0; x@* 0.4; y@* 0.5; z@* 0.2"},
    {"0", "a", NULL, "a: x 0.4 from=4; y 0.4 from=4; z 0.1 from=1 length=4", "x@* 0.4; y@* 0.5; z@* 0.6"},
    {"0", "a", NULL, "a: z 0.0; x 0.0 range=0..0; y 0.5 range=5..6; u 0.5 range=5..6",
     "u@* 0.6; x@* 0.0; y@* 0.5; z@* 0.1"},
    {"0", "a", NULL, "a: x 0.5 range=5..6; y 0.5 range=5..6; z 0.5 range=5..6",
     "! a: \"z\" could not be allocated: set 0 of the programs that share it (*) has no 1 consecutive free bindings; "
     "use "
     "another set\n"},
    {"0", "a", NULL, "a: x 0.5 range=5..6 length=2; y 0.0 length=6", "x@* 0.5; y@* 0.7"},
    {"0", "a", NULL, "a: x 0.5 range=5..5 length=2",
     "! a: \"x\" could not be allocated: set 0 of the programs that share it (*) has no 2 consecutive free bindings; "
     "use "
     "another set\n"},
    {"0", "a", NULL,
     "a: u 0.3! length=2; v 0.6!; x 0.5 range=5..9; y 0.5 range=5..9 length=2; z 0.5 range=5..9 length=1",
     "u@* 0.3; v@* 0.6; x@* 0.5; y@* 0.7; z@* 0.9"},
    {"0; 1", "a", NULL, "a: u 1.5!; x 0.5 range=5..5", "u@* 1.5; x@* 0.5"},
    {"0", "a", NULL, "a: reserve set=0 range=0..1; x 0.0; y 0.0", "x@* 0.2; y@* 0.3"},
    {"0", "a b", NULL, "a: x 0.0; y 0.0; b: reserve set=0 range=1..1", "x@* 0.0; y@* 0.2"},
    {"0; 1", "a", NULL, "a: reserve set=1 range=0..1; x 0.0; y 1.0", "x@* 0.0; y@* 1.2"},
    {"0", "a", NULL, "a: reserve set=0 range=0..4294967294; x 0.0", "x@* 0.4294967295"},
    {"0", "a", NULL, "a: reserve set=0 range=1..4294967295; x 0.0; y 0.0",
     "! a: \"y\" could not be allocated: set 0 of the programs that share it (*) has no 1 consecutive free bindings; "
     "use "
     "another set\n"},
    /* what goes along with another one */
    {"0", "a b", NULL, "a: x 0.0; y 0.2 lead=0 offset=2; b: z 0.0", "x@* 0.0; y@* 0.2; z@* 0.3"},
    {"0", "a", NULL, "a: x 0.0 length=4; y 0.2 lead=0 offset=2; z 0.4 lead=0 offset=4 length=3; u 0.0",
     "u@* 0.7; x@* 0.0; y@* 0.2; z@* 0.4"},
    {"0", "a", NULL, "a: u 0.0!; x 0.0; y 0.0 lead=1 offset=0 texture; z 0.0",
     "u@* 0.0; x@* 0.1; y@* 0.1 kind=texture; z@* 0.2"},
    {"0", "a", NULL, "a: x 0.7!; y 0.2 lead=0 offset=2; z 0.0 lead=0 offset=0 texture",
     "x@* 0.7; y@* 0.0; z@* 0.7 kind=texture"},
    {"0", "a", NULL, "a: x 0.0; y 0.2 lead=0 offset=4294967294", "x@* 0.0; y@* 0.4294967294"},
    {"0", "a", NULL, "a: x 0.0; y 0.2 lead=0 offset=4294967295", "x@* 0.0; y@* 0.4294967295"},
    {"0", "a b", NULL, "a: u 0.0; x 0.0; y 0.2 lead=1 offset=1; b: u 0.1; y 0.2 lead=0 offset=1",
     "u@* 0.0; x@* 0.1; y@* 0.2"},
    /* registers: classes by themselves, and the smallest shifts that keep them apart */
    {"0", "a", NULL, "a: x 0.0 class=t number=0; y 0.0 class=b number=0",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=1; x@* 0.1; y@* 0.0"},
    {"0", "a", NULL, "a: x 0.0 class=t number=0; y 0.0 class=t number=1; z 0.0 class=s number=0",
     "shift class=t@* 0 by=0; shift class=s@* 0 by=2; x@* 0.0; y@* 0.1; z@* 0.2"},
    {"0", "a", NULL, "a: x 0.0! class=t number=0; y 0.1! class=b number=1",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=0; x@* 0.0; y@* 0.1"},
    {"0", "a", NULL, "a: x 0.0! class=t number=0; y 0.1! class=b number=1 shift=1",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=2; x@* 0.2; y@* 0.1"},
    {"0", "a", NULL,
     "a: x 0.9! class=t number=9 shift=1; y 0.1! class=b number=1; z 0.4! class=u number=4; "
     "w 0.6! class=u number=6",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=0; shift class=u@* 0 by=6; w@* 0.12; x@* 0.9; y@* 0.1; z@* 0.10"},
    {"0", "a b", NULL, "a: x 0.0 class=t number=0; b: x 0.0 class=u number=0; y 0.0 class=t number=0",
     "shift class=t@* 0 by=0; shift class=u@* 0 by=1; x@* 0.1; y@* 0.0"},
    {"0", "a b", NULL, "a: x 0.0 class=u number=0; b: x 0.0 class=t number=0", "shift class=u@* 0 by=0; x@* 0.0"},
    {"0", "a b", NULL, "a: x 0.0 class=s number=0; b: x 0.0 class=u number=0", "shift class=s@* 0 by=0; x@* 0.0"},
    {"0", "a", NULL, "a: z 0.1!; x 0.0! class=t number=0 shift=1; y 0.1! class=t number=1",
     "shift class=t@* 0 by=2; x@* 0.2; y@* 0.3; z@* 0.1"},
    {"0", "a", NULL, "a: z 0.1!; y 0.2! class=t number=2 shift=1; x 0.0! class=b number=0",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=0; x@* 0.0; y@* 0.2; z@* 0.1"},
    {"0", "a", NULL, "a: z 0.1!; x 0.1! class=t number=1", "shift class=t@* 0 by=0; x@* 0.1; z@* 0.1"},
    {"0; 1", "a", NULL, "a: x 0.0 class=t number=0; y 1.0 class=b number=0; z 1.0 class=t number=0",
     "shift class=t@* 0 by=0; shift class=b@* 1 by=0; shift class=t@* 1 by=1; x@* 0.0; y@* 1.0; z@* 1.1"},
    {"0", "a b", NULL, "a: x 0.0 class=t number=0; b: y 0.0", "shift class=t@* 0 by=0; x@* 0.0; y@* 0.1"},
    {"0", "a", NULL, "a: x 0.0 class=t number=0 length=0; y 0.0 class=b number=0",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=1; x@* 0.1; y@* 0.0"},
    {"0", "a", NULL, "a: shift class=t set=0 by=7; x 0.0 class=t number=0", "shift class=t@* 0 by=0; x@* 0.0"},
    {"1", "a", NULL, "a: shift class=t set=0 by=7; x 0.7 class=t number=0", "shift class=t@a 0 by=7; x@a 0.7"},
    {"0", "a", V2 "shift class=t program=* set=0 by=10\n",
     "a: z 0.12!; x 0.0 class=t number=0; y 0.0 class=t number=1; u 0.0 class=t number=2; v 0.0 class=b number=0",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=10; u@* 0.13; v@* 0.0; x@* 0.10; y@* 0.11; z@* 0.12"},
    {"0", "a", V2 "shift class=t program=* set=0 by=10\n", "a: z 0.10!; x 0.0 class=t number=0",
     "shift class=t@* 0 by=10; x@* 0.11; z@* 0.10"},
    {"0", "a", V2 "shift class=t program=* set=0 by=10\n", "a: z 0.9!; x 0.0 class=t number=0",
     "shift class=t@* 0 by=10; x@* 0.10; z@* 0.9"},
    {"0", "a", V2 "shift class=t program=* set=0 by=4294967295\n", "a: x 0.0! class=t number=0",
     "shift class=t@* 0 by=4294967295; x@* 0.4294967295"},
    {"0", "a", V2 "shift class=t program=* set=0 by=4294967295\n", "a: x 0.0! class=t number=1",
     "! a: \"x\" could not be allocated: set 0 of the programs that share it (*) has no 1 consecutive free bindings; "
     "use "
     "another set\n"},
    /* a program that declares a resource otherwise is left out */
    {"0", "a b c", NULL, "a: x 0.0; b: y 0.0; x 0.0 texture; c: z 0.0",
     "x@* 0.0; z@* 0.1\n! b: \"x\" is a sampled image here, but a uniform buffer in program a; it is one descriptor of "
     "all "
     "programs that share set 0 (*): make the declarations equal, rename one, or do not share the set\n"},
    {"0", "a b", NULL, "a: x 0.0; b: x 0.0 descriptor=8",
     "x@* 0.0\n! b: \"x\" is a dynamic uniform buffer here, but a uniform buffer in program a; it is one descriptor of "
     "all programs that share set 0 (*): make the declarations equal, rename one, or do not share the set\n"},
    {"0", "a b", NULL, "a: x 0.0 sampler; b: x 0.0 sampler immutable=1",
     "x@* 0.0 kind=sampler\n! b: \"x\" has immutable samplers here, but not in program a; it is one descriptor of all "
     "programs that share set 0 (*): make the declarations equal, rename one, or do not share the set\n"},
    {"0", "a b", NULL, "a: x 0.0 sampler immutable=1; b: x 0.0 sampler",
     "x@* 0.0 kind=sampler samplers=immutable\n! b: \"x\" has ordinary samplers here, but not in program a; it is one "
     "descriptor of all programs that share set 0 (*): make the declarations equal, rename one, or do not share the "
     "set\n"},
    {"0", "a b", NULL, "a: x 0.0 #1; +m float 0 #a; b: x 0.0 #2",
     "x@* 0.0\n! b: \"x\" has another type here than in program a; it is one descriptor of all programs that share set "
     "0 "
     "(*): make the declarations equal, rename one, or do not share the set\n"},
    {"0", "a b", NULL, "a: x 0.0 #1; b: x 0.0 #2; +m float 0 #a",
     "x@* 0.0\n! b: \"x\" has another type here than in program a; it is one descriptor of all programs that share set "
     "0 "
     "(*): make the declarations equal, rename one, or do not share the set\n"},
    {"0", "a b c", NULL, "a: x 0.0 #1; +m float 0 #a; b: x 0.0 #2; +m float 0 #a; +n float 4 #b; c: x 0.0 #1",
     "x@* 0.0"},
    {"0", "a b", NULL, "a: x 0.0 #1; +m float 0 #a; +n float 4 #b; b: x 0.0 #2; +m float 0 #a", "x@* 0.0"},
    {"0", "a b", NULL, "a: x 0.0 #1; +m float 0 #a; +n float 4 #b; b: x 0.0 #2; +m float 0 #a; +n float 4 #c",
     "x@* 0.0\n! b: \"x\" has a member 1 \"n\" (float) with other contents or strides than in program a; it is one "
     "descriptor of all programs that share set 0 (*): make the declarations equal, rename one, or do not share the "
     "set\n"},
    {"0", "a b", NULL, "a: x 0.0 #1; +m float 0 #a; b: x 0.0 #2; +m float 4 #c",
     "x@* 0.0\n! b: \"x\" has a member 0 \"m\" (float) at offset 4 here, but \"m\" (float) at offset 0 in program a; "
     "it is "
     "one descriptor of all programs that share set 0 (*): make the declarations equal, rename one, or do not share "
     "the "
     "set\n"},
    {"0", "a b", NULL, "a: x 0.0 #1; +m float 0 #a; b: x 0.0 #2; +n float 0 #c",
     "x@* 0.0\n! b: \"x\" has a member 0 \"n\" (float) at offset 0 here, but \"m\" (float) at offset 0 in program a; "
     "it is "
     "one descriptor of all programs that share set 0 (*): make the declarations equal, rename one, or do not share "
     "the "
     "set\n"},
    {"0", "a b", NULL, "a: x 0.0 #1; +m float 0 #a; b: x 0.0 #2; +m int 0 #c",
     "x@* 0.0\n! b: \"x\" has a member 0 \"m\" (int) at offset 0 here, but \"m\" (float) at offset 0 in program a; it "
     "is "
     "one descriptor of all programs that share set 0 (*): make the declarations equal, rename one, or do not share "
     "the "
     "set\n"},
    {"0", "a b", NULL, "a: ^x 0.0 #1; b: ^x 0.0 #2", "heap x@* 0.0"},
    {"1", "a b", NULL, "a: x 0.0 #1; b: x 0.0 #2", "x@a 0.0; x@b 0.0"},
    {"0", "a b", NULL, "a: \"\" 0.0 #1; b: \"\" 0.0 texture", ""},
    {"0", "a b", NULL, "a: x 0.1! class=t number=1; b: x 0.1! class=t number=2",
     "shift class=t@* 0 by=0; x@* 0.1\n! b: \"x\" is fixed at set 0, binding 1 here, but at set 0, binding 1 in "
     "program "
     "a; as one descriptor of both programs it has one place: correct one, or leave it unassigned\n"},
    {"0", "a b", NULL, "a: x 0.1! class=t number=1; b: x 0.1! class=b number=1",
     "shift class=t@* 0 by=0; x@* 0.1\n! b: \"x\" is fixed at set 0, binding 1 here, but at set 0, binding 1 in "
     "program "
     "a; as one descriptor of both programs it has one place: correct one, or leave it unassigned\n"},
    {"0", "a b", NULL, "a: x 0.1! class=t number=1; b: x 0.1!", "shift class=t@* 0 by=0; x@* 0.1"},
    {"0", "a b", NULL, "a: x 0.1!; b: x 0.2! class=t number=1",
     "x@* 0.1\n! b: \"x\" is fixed at set 0, binding 2 here, but at set 0, binding 1 in program a; as one descriptor "
     "of "
     "both programs it has one place: correct one, or leave it unassigned\n"},
    {"0", "a b c", NULL, "a: x 0.0; b: x 0.2!; c: x 0.3!",
     "x@* 0.2\n! c: \"x\" is fixed at set 0, binding 3 here, but at set 0, binding 2 in program b; as one descriptor "
     "of "
     "both programs it has one place: correct one, or leave it unassigned\n"},
    {"0", "a b c", NULL, "a: x 0.0; b: z 0.0!; x 0.0 texture; c: y 0.0; w 0.1",
     "w@* 0.2; x@* 0.0; y@* 0.1\n! b: \"x\" is a sampled image here, but a uniform buffer in program a; it is one "
     "descriptor of all programs that share set 0 (*): make the declarations equal, rename one, or do not share the "
     "set\n"},
    {"0", "a b c", NULL, "a: x 0.0!; b: y 0.0! texture; c: z 0.0!",
     "x@* 0.0; z@* 0.0\n! b: \"y\" (sampled image) has set 0, binding 0 here, where program a has \"x\" (uniform "
     "buffer); "
     "programs that share a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    /* two that are open cannot have one place, whoever says so */
    {"0", "a b", V2 "resource x program=* set=0 binding=5\nresource y program=* set=0 binding=5\n",
     "a: x 0.0; b: y 0.0",
     "! b: \"y\" (uniform buffer) has set 0, binding 5 here, where program a has \"x\" (uniform buffer); programs that "
     "share a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    {"0", "a b", V2 "resource y program=* set=0 binding=5\n", "a: x 0.5!; b: y 0.0",
     "! a: \"x\" (uniform buffer) has set 0, binding 5 here, where program b has \"y\" (uniform buffer); programs that "
     "share a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    {"0", "a b", V2 "resource y program=* set=0 binding=5\n", "a: y 0.0; b: x 0.5!",
     "! b: \"x\" (uniform buffer) has set 0, binding 5 here, where program a has \"y\" (uniform buffer); programs that "
     "share a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    {"0; 1", "a b", V2 "resource y program=* set=1 binding=5\n", "a: x 0.5!; b: y 0.0", "x@* 0.5; y@* 1.5"},
    /* the lock */
    {"0", "a", V2 "resource x program=* set=0 binding=5\n", "a: x 0.0; y 0.1", "x@* 0.5; y@* 0.0"},
    {"0", "a", V2 "resource x program=* set=0 binding=5\n", "a: x 0.2!", "x@* 0.2"},
    {"0", "a", "lock version=1\nresource x set=0 binding=5\nresource z set=0 binding=0\nresource y set=0 binding=1\n",
     "a: x 0.0; y 0.0; u 0.0", "u@* 0.2; x@* 0.5; y@* 0.1; removed z@* 0.0"},
    {"0", "a", "lock version=1\nresource x set=0 binding=5\nshift class=t set=0 by=4\npush set=0\n",
     "a: y 0.0; z 0.0 class=t number=0", "shift class=t@* 0 by=0; removed x@* 0.5; y@* 0.1; z@* 0.0"},
    {"0", "a", V2 "removed z program=* set=0 binding=0\nresource y program=* set=0 binding=1 kind=ubo count=4\n",
     "a: x 0.0", "x@* 0.2; removed y@* 0.1; removed z@* 0.0"},
    {"0", "a", V2 "removed z program=* set=0 binding=0\n", "a: x 0.0; z 0.1", "x@* 0.1; z@* 0.0"},
    {"0", "a", V2 "heap z program=* set=0 binding=0\n", "a: x 0.0", "x@* 0.1; heap z@* 0.0"},
    {"0", "a", V2 "shift class=t program=* set=0 by=0\npush program=* set=0\n", "a: x 0.0",
     "shift class=t@* 0 by=0; x@* 0.0"},
    {"0", "a", V2 "resource z program=b set=0 binding=0\n", "a: x 0.0", "x@* 0.0; removed z@b 0.0"},
    {"0", "a", V2 "resource z program=a set=0 binding=0\n", "a: x 0.0", "x@* 0.0; removed z@a 0.0"},
    {"0", "~ a",
     V2 "resource z program=b set=0 binding=0\nresource y program=* set=0 binding=0 kind=ubo\n"
	"shift class=t program=b set=3 by=1\npush program=b set=3\nshift class=s program=* set=3 by=1\n"
	"push program=* set=3\nresource u program=a set=1 binding=0\nshift class=b program=a set=1 by=5\n",
     "a: x 0.0",
     "shift class=s@* 3 by=1; x@* 0.1; y@* 0.0; removed u@a 1.0; shift class=t@b 3 by=1; push@b 3; z@b 0.0"},
    {"0", "a", V2 "resource z program=b set=0 binding=0\nshift class=t program=b set=3 by=1\npush program=b set=3\n",
     "a: x 0.0", "x@* 0.0; removed z@b 0.0"},
    {"0", "a -b", V2 "resource z program=b set=0 binding=0\nresource y program=* set=0 binding=0\n", "a: x 0.0",
     "x@* 0.1; y@* 0.0; z@b 0.0"},
    {"", "~ a<a", V2 "resource y program=a set=0 binding=0\n", "a: x 0.0", "x@a 0.1; y@a 0.0"},
    {"0", "a", NULL, "a: x 0.0 set-flags=1", "push@* 0; x@* 0.0"},
    {"0", "a", NULL, "a: x 0.0 set-flags=1; y 0.1 set-flags=1", "push@* 0; x@* 0.0; y@* 0.1"},
    {"0", "a b", NULL, "a: x 0.0; b: x 0.0 set-flags=1", "push@* 0; x@* 0.0"},
    {"0", "a", NULL, "a: x 0.0 set-flags=2", "x@* 0.0"},
    {"1", "a", NULL, "a: z 0.0 set-flags=1; \"\" 2.0 set-flags=1", "push@a 0; push@a 2; z@a 0.0"},
    /* what is said beyond places is what all programs together say */
    {"0", "a b", NULL, "a: x 0.0 count=2; b: x 0.0 count=3", "x@* 0.0 count=3"},
    {"0", "a b", NULL, "a: x 0.0 count=3; b: x 0.0 count=2", "x@* 0.0 count=3"},
    {"0", "a b", NULL, "a: x 0.0 count=0; b: x 0.0 count=2 flags=0", "x@* 0.0 count=0"},
    {"0", "a b", NULL, "a: x 0.0 count=2; b: x 0.0 count=0", "x@* 0.0 count=0"},
    {"0", "a b", NULL, "a: x 0.0 flags=1; b: x 0.0 flags=2",
     "x@* 0.0 flags=update-after-bind,update-unused-while-pending"},
    /* the program that is left out is one of others, whose lines stay as they are */
    {"0", "a b", V2 "resource y program=* set=0 binding=9\n", "a: x 0.0; b: x 0.0 texture",
     "x@* 0.0; y@* 0.9\n! b: \"x\" is a sampled image here, but a uniform buffer in program a; it is one descriptor of "
     "all "
     "programs that share set 0 (*): make the declarations equal, rename one, or do not share the set\n"},
    {"0", "a b", NULL, "a: ^x 0.0!; b: y 0.0! texture",
     "heap x@* 0.0\n! b: \"y\" (sampled image) has set 0, binding 0 here, where program a has \"x\" (uniform buffer); "
     "programs that share a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    {"0", "a b", NULL, "a: x 0.0! texture; b: ^y 0.0!",
     "x@* 0.0 kind=texture\n! b: \"y\" (uniform buffer) has set 0, binding 0 here, where program a has \"x\" (sampled "
     "image); programs that share a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    {"0; 1", "a b", NULL, "a: x 0.0! texture; b: y 1.0!", "x@* 0.0 kind=texture; y@* 1.0"},
    {"0; 1", "a b", NULL, "a: x 0.0; b: x 1.3!", "x@* 1.3"},
    {"0", "a b", NULL, "a: x 0.0; b: x 0.3! class=t number=3; y 0.0 class=t number=0",
     "shift class=t@* 0 by=0; x@* 0.3; y@* 0.0"},
    {"0", "a b", NULL, "a: x 0.0 class=s number=0; b: x 0.2! class=t number=2; y 0.0 class=s number=0",
     "shift class=t@* 0 by=0; shift class=s@* 0 by=0; x@* 0.2; y@* 0.0"},
    {"0", "a", NULL, "a: x 0.0! class=t number=0; y 0.0 class=t number=0", "shift class=t@* 0 by=0; x@* 0.0; y@* 0.1"},
    {"0", "a", NULL, "a: z 0.1!; x 0.1! class=t number=1 shift=1", "shift class=t@* 0 by=1; x@* 0.2; z@* 0.1"},
    {"0", "a", NULL, "a: z 0.1!; x 0.2! class=t number=2 shift=1", "shift class=t@* 0 by=0; x@* 0.2; z@* 0.1"},
    {"0", "a b", V2 "resource x program=* set=0 binding=5\nresource z program=* set=0 binding=5\n",
     "a: x 0.0; y 0.0; b: z 0.0",
     "! b: \"z\" (uniform buffer) has set 0, binding 5 here, where program a has \"x\" (uniform buffer); programs that "
     "share a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    {"", "a", "lock version=1\nresource x set=0 binding=5\n", "a: x 0.5!", "x@a 0.5"},
    {"", "~ a", "lock version=1\nresource z set=0 binding=0\n", "a: x 1.0!", "z@* 0.0; x@a 1.0"},
    {"0", "~ a", "lock version=1\nresource z set=0 binding=0\n", "a: x 1.0!", "z@* 0.0; x@a 1.0"},
    {"", "a -b<a", NULL, "a: x 0.5", "x@a 0.0"},
    {"", "~ a", V2 "resource y program=a set=0 binding=0\n", "a: x 0.5", "x@a 0.5; removed y@a 0.0"},
    {"0", "a", NULL, "a: x 0.4 from=4", "x@* 0.4"},
    {"0", "a", NULL,
     "a: x 0.0 class=b number=0; y 0.0 class=t number=0; z 0.0 class=s number=0; u 0.0 class=u number=0",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=1; shift class=s@* 0 by=2; shift class=u@* 0 by=3; u@* 0.3; x@* "
     "0.0; "
     "y@* 0.1; z@* 0.2"},
    {"0", "a", NULL, "a: z 0.1!; x 0.0 class=b number=0; y 0.0 class=t number=0",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=2; x@* 0.0; y@* 0.2; z@* 0.1"},
    {"0", "a", NULL,
     "a: z 0.4!; x 0.0 class=b number=0; x2 0.1 class=b number=1; y 0.0 class=t number=0; "
     "y2 0.1 class=t number=1",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=2; x@* 0.0; x2@* 0.1; y@* 0.2; y2@* 0.3; z@* 0.4"},
    {"0", "a", V2 "shift class=b program=* set=0 by=10\nshift class=u program=* set=0 by=20\n",
     "a: z 0.10!; z2 0.20!; x 0.0 class=b number=0; y 0.0 class=u number=0",
     "shift class=b@* 0 by=10; shift class=u@* 0 by=20; x@* 0.11; y@* 0.21; z@* 0.10; z2@* 0.20"},
    {"0", "b a", NULL,
     "b: z 0.0 class=t number=0; a: x 0.0 class=t number=0; y 0.0 texture class=t number=0 lead=0 offset=0",
     "shift class=t@* 0 by=0; x@* 0.1; y@* 0.1 kind=texture; z@* 0.0"},
    {"0; 1", "a", V2 "resource x program=* set=1 binding=5\n", "a: x 0.0; y 0.0 texture lead=0 offset=0",
     "x@* 1.5; y@* 1.5 kind=texture"},
    {"0", "a b", NULL, "a: ^h 0.0; b: x 0.0!",
     "! b: \"x\" (uniform buffer) has set 0, binding 0 here, where program a has \"h\" (uniform buffer); programs that "
     "share "
     "a set (*) have one descriptor there: correct one, or leave it unassigned\n"},
    {"0", "a b", NULL, "a: x 0.0!; b: y 0.0 texture", "x@* 0.0; y@* 0.1 kind=texture"},
    {"0", "a b", NULL, "a: x 0.0! class=b number=0; b: y 0.0! texture class=t number=0",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=1; x@* 0.0; y@* 0.1 kind=texture"},
    {"0", "a b", NULL, "a: x 0.0; b: x 0.3! class=t number=3; y 0.3! class=b number=3",
     "shift class=b@* 0 by=0; shift class=t@* 0 by=1; x@* 0.4; y@* 0.3"},
    {"0", "a b", NULL, "a: x 0.0! texture class=t number=0; w 0.0! class=b number=0; b: y 0.0!",
     "shift class=b@* 0 by=1; shift class=t@* 0 by=2; w@* 0.1; x@* 0.2 kind=texture; y@* 0.0"},
    /* sets of their own, in families */
    {"0", "a b<a", NULL, "a: x 0.0; p 1.0 alone=m; q 1.1 alone=m; b: y 1.0", "x@* 0.0; p@a 2.0; q@a 2.1; y@a 1.0"},
    {"0", "a b<a", NULL, "a: p 1.0 alone=m; q 2.0 alone=n; b: r 1.0 alone=n; s 2.0 alone=k",
     "p@a 1.0; q@a 2.0; r@a 2.1; s@a 3.0"},
    {"0", "a b<a", V2 "resource q program=a set=1 binding=3 kind=ubo\n",
     "a: p 1.0 alone=m; q 2.0 alone=n; r 2.1 alone=n; b:", "p@a 2.0; q@a 1.3; r@a 1.0"},
    {"0", "a b<a", NULL, "a: p 1.4! alone=m; b: q 1.0 alone=n", "p@a 1.4; q@a 2.0"},
    {"0", "a b<a", NULL, "a: ^h 1.2 alone=heaps; ^g 1.1 texture alone=heaps; b: y 1.0",
     "heap g@a 2.1 kind=texture; heap h@a 2.2; y@a 1.0"},
    /* scopes */
    {"0 m*", "m1 a m2", NULL, "m1: x 0.0; a: x 0.5; y 0.6; m2: y 0.0", "x@a 0.5; y@a 0.6; x@m* 0.0; y@m* 0.1"},
    {"0; 0 m*", "m1 a", NULL, "m1: x 0.5; y 1.5; a: y 0.5; z 1.5", "x@* 0.0; y@* 0.1; z@a 1.5; y@m1 1.5"},
    {"0 m*; 1 m*", "m1 m2", NULL, "m1: x 0.0; y 1.0; m2: z 0.0; u 1.0", "u@m* 1.1; x@m* 0.0; y@m* 1.0; z@m* 0.1"},
    {"", "a b", NULL, "a: x 0.5; b: x 0.6", "x@a 0.5; x@b 0.6"},
    {"", "a b<a c<b", NULL, "a: x 0.0; b: y 0.0; c: z 0.0", "x@a 0.0; y@a 0.1; z@a 0.2"},
    {"", "c<b b<a a", NULL, "a: x 0.0; b: y 0.0; c: z 0.0", "x@a 0.2; y@a 0.1; z@a 0.0"},
    {"", "b<a c<a d", NULL, "b: x 0.0; c: y 0.0; d: z 0.0", "x@a 0.0; y@a 0.1; z@d 0.0"},
    {"", "a<a b", NULL, "a: x 0.5; b: y 0.5", "x@a 0.0; y@b 0.5"},
    {"", "a<b b<z", NULL, "a: x 0.5; b: y 0.5", "x@z 0.0; y@z 0.1"},
};

/* The lock of all says of each resource of a program what the lock of that program says. */
static void expect_agreement(struct workspace *s, const char *lock, const char *programs)
{
	char word[200], line[400];

	while (*word_of(&programs, word)) {
		const char *name = word + (*word == '-');
		word[strcspn(word, "<")] = 0;
		const char *own = spb_workspace_program_lock(s->w, name, NULL);
		assert_true(!strcmp(word, "~") || spb_workspace_leaves_out(s->w, name) == !own);
		while (own && (own = strstr(own, "\nresource "))) {
			const char *found = lock, *place = strstr(++own, " set=");
			snprintf(line, sizeof line, "\n%.*s program=", (int)(place - own), own);
			const size_t length = strcspn(place, "\n");
			do {
				found = strstr(found + 1, line);
				assert_non_null(found);
			} while (strncmp(strstr(found, " set="), place, length) != 0 ||
				 strchr(" \n", strstr(found, " set=")[length]) == NULL);
		}
	}
}

static void resources_get_numbers(void **state)
{
	static struct workspace s;

	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const struct row *r = &numbers[i];
		struct text got = {.count = 0};
		begin(&s, r->lock, r->shares, r->programs);
		const spb_status status = decide(&s, r->facts);
		const char *lock = spb_workspace_lock(s.w, NULL);
		assert_int_equal(status, s.said.count ? SPB_ERROR_CONFLICT : SPB_OK);
		if (lock) {
			assert_non_null(strstr(lock, V2));
			put_short(&got, lock, false);
			expect_agreement(&s, lock, r->programs);
		}
		put(&got, lock && s.said.count ? "\n%s" : "%s", s.said.items);
		expect(got.items, r->result, r->facts);
		end(&s);
	}
}

static void variants_do_not_go_round(void **state)
{
	static const char *const rows[] = {"a<b b<a", "a<b b<c c<a", "c<a a<b b<a", "b<c c<b a<b d<d"};
	static struct workspace s;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		begin(&s, NULL, "", rows[i]);
		assert_null(spb_workspace_program_lock(s.w, "a", NULL));
		assert_int_equal(strcspn(s.said.items, "abc"), 2); /* ! a: */
		assert_string_equal(s.said.items + 3, ": is a variant of a variant of itself; correct variant-of\n");
		assert_null(spb_workspace_lock(s.w, NULL));
		end(&s);
	}
}

/* Tables of names grow, and their order does not change anything. */
static void there_may_be_many(void **state)
{
	enum { PROGRAMS = 150, EACH = 9 };
	static struct workspace s;
	static struct text programs, facts;
	char line[100];

	(void)state;
	programs.count = facts.count = 0;
	for (unsigned i = PROGRAMS; i--;) {
		put(&programs, "p%u ", i);
		put(&facts, "p%u: x 0.0; ", i);
		for (unsigned k = 0; k < EACH; k++)
			put(&facts, "r%u_%u 0.0; ", i / 2, k); /* which two programs have */
	}
	begin(&s, NULL, "0", programs.items);
	assert_int_equal(decide(&s, facts.items), SPB_OK);
	const char *lock = spb_workspace_lock(s.w, NULL);
	for (unsigned i = 0; i < PROGRAMS; i++) {
		for (unsigned k = 0; k < EACH; k++) {
			snprintf(line, sizeof line, "\nresource r%u_%u program=* set=0 binding=%u kind=ubo\n", i / 2, k,
				 1 + (PROGRAMS - 1 - i) / 2 * EACH + k);
			assert_non_null(strstr(lock, line));
		}
	}
	expect_agreement(&s, lock, programs.items);
	end(&s);
}

/* The lock that was read */

/* Which programs have to be bound anew. */
static void programs_differ_from_the_lock(void **state)
{
	static const struct {
		const char *shares, *programs, *lock, *facts, *differ;
	} rows[] = {
	    {"0", "a b", "x@* 0.0 kind=ubo; y@b 1.0 kind=ubo", "a: x 0.0; b: x 0.0; y 1.0!", ""},
	    {"0", "a b", "x@* 0.0 kind=ubo", "a: x 0.0; b: x 0.0; y 1.0!", "b"},
	    {"0", "a b", "x@* 0.1 kind=ubo; y@b 1.0 kind=ubo", "a: x 0.0!; b: y 1.0!", "a"},
	    {"0; 1", "a b", "x@* 1.0 kind=ubo; y@b 2.0 kind=ubo", "a: x 0.0!; b: y 2.0", "a"},
	    {"0", "a b", "x@* 0.0 kind=ubo count=2", "a: x 0.0; b: x 0.0", "ab"},
	    {"0", "a b", "removed x@* 0.0", "a: x 0.0; b: y 1.0", "ab"},
	    {"", "a b", "x@a 0.0 kind=ubo; x@b 0.1 kind=ubo", "a: x 0.0; b: x 0.0", "b"},
	    {"0", "a b", "x@* 0.0 kind=ubo; z@* 0.1 kind=ubo", "a: x 0.0; b: x 0.0", ""},
	    {"0", "a b", "x@* 0.0 kind=ubo", "a: \"\" 0.5!; x 0.0; b:", ""},
	};
	static struct workspace s;
	static struct text lock;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char differ[9];
		begin(&s, expand_lock(&lock, rows[i].lock), rows[i].shares, rows[i].programs);
		assert_false(spb_workspace_differs(s.w, "a"));
		assert_int_equal(decide(&s, rows[i].facts), SPB_OK);
		snprintf(differ, sizeof differ, "%s%s", spb_workspace_differs(s.w, "a") ? "a" : "",
			 spb_workspace_differs(s.w, "b") ? "b" : "");
		expect(differ, rows[i].differ, rows[i].lock);
		end(&s);
	}
	begin(&s, "lock version=1\nresource x set=0 binding=0 kind=ubo\n", "0", "a"); /* of which nothing is kept */
	assert_int_equal(decide(&s, "a: x 0.0"), SPB_OK);
	assert_true(spb_workspace_differs(s.w, "a"));
	end(&s);
}

/* The lock of a program by itself: with which it is collected, and with which it is bound. */
static void each_program_has_its_part_of_the_lock(void **state)
{
	static const struct {
		const char *shares, *programs, *lock, *facts, *before, *after;
	} rows[] = {
	    /* of its own, what it does not share */
	    {"0", "a b",
	     V2 "resource x program=* set=0 binding=3 kind=ubo\nresource y program=a set=1 binding=4 kind=ubo\n"
		"resource z program=b set=1 binding=5 kind=ubo\nremoved u program=a set=1 binding=6\n"
		"push program=a set=1\nshift class=t program=a set=1 by=2\nheap h program=a set=2 binding=1 kind=ubo\n",
	     "a: x 0.0; y 1.4=; b: x 0.0",
	     "share set=0\nresource y set=1 binding=4 kind=ubo\nremoved u set=1 binding=6\nshift class=t set=1 by=2\n"
	     "heap h set=2 binding=1 kind=ubo\n",
	     "resource x set=0 binding=3\nresource y set=1 binding=4\n"},
	    /* a line of version 1 is about each program, unless it is shared */
	    {"0", "a", "lock version=1\nresource x set=0 binding=3 kind=ubo\nresource y set=1 binding=4 kind=ubo\n",
	     "a: x 0.0; y 1.4=", "share set=0\nresource y set=1 binding=4 kind=ubo\n",
	     "resource x set=0 binding=3\nresource y set=1 binding=4\n"},
	    {"0 b; 1; 2 *; 3 a*", "a b", NULL,
	     "a: x 1.0; y 4.1 ordinal=2; b:", "share set=1\nshare set=2\nshare set=3\n",
	     "resource x set=1 binding=0\nresource y ordinal=2 set=4 binding=1\n"},
	    /* of a family, nothing is its own */
	    {"0", "a b<a", V2 "resource y program=a set=1 binding=4 kind=ubo\n", "a: y 1.0; b:", "share set=0\n",
	     "resource y set=1 binding=4\n"},
	    /* names are as they are, heaps and ordinals, too; what has none is not there */
	    {"0", "a", NULL, "a: x 0.0; x 0.0 ordinal=1; ^h 0.7; \"\" 0.0; \"o-p\" 0.0; y 1.5", "share set=0\n",
	     "resource x set=0 binding=0\nresource x ordinal=1 set=0 binding=1\nheap h set=0 binding=7\n"
	     "resource \"o-p\" set=0 binding=3\nresource y set=1 binding=5\n"},
	    /* shifts of the scopes that it has something in, where they are of its sets */
	    {"0", "a b", NULL,
	     "a: shift class=t set=1 by=4; shift class=s set=2 by=6; x 0.0 class=t number=0; y 1.5!; b: z 0.0 class=b "
	     "number=0;"
	     "shift class=u set=1 by=9",
	     "share set=0\n",
	     "resource x set=0 binding=1\nresource y set=1 binding=5\nshift class=b set=0 by=0\n"
	     "shift class=t set=0 by=1\nshift class=t set=1 by=4\nshift class=s set=2 by=6\n"},
	    {"0 a", "a b<b", NULL, "a: x 0.0 class=t number=0; b: y 0.0 class=b number=0", "share set=0\n",
	     "resource x set=0 binding=0\nshift class=t set=0 by=0\n"},
	    {"0 a*; 1 b*", "a b<a", NULL, "a: x 0.0 class=t number=0; y 1.0 class=s number=0; z 1.0; b: y 1.0",
	     "share set=0\n",
	     "resource x set=0 binding=0\nresource y set=1 binding=0\nresource z set=1 binding=1\nshift class=t set=0 "
	     "by=0\n"
	     "shift class=s set=1 by=0\n"},
	};
	static struct workspace s;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		static const char head[] = "lock version=1\n";
		size_t length;
		begin(&s, rows[i].lock, rows[i].shares, rows[i].programs);
		const char *lock = spb_workspace_program_lock(s.w, "a", &length);
		assert_int_equal(length, strlen(lock));
		assert_memory_equal(lock, head, strlen(head));
		expect(lock + strlen(head), rows[i].before, rows[i].facts);
		assert_int_equal(decide(&s, rows[i].facts), SPB_OK);
		lock = spb_workspace_program_lock(s.w, "a", &length);
		assert_int_equal(length, strlen(lock));
		assert_memory_equal(lock, head, strlen(head));
		expect(lock + strlen(head), rows[i].after, rows[i].facts);
		end(&s);
	}
}

/* The lines that some programs depend on. */
static void the_part_of_the_lock(void **state)
{
	static const struct {
		const char *shares, *programs, *lock, *part;
	} rows[] = {
	    {"", "a", "share 0; x@* 0.0; y@a 1.0; z@b 1.0; shift class=t@* 0 by=2; push@b 1",
	     "share 0; shift class=t@* 0 by=2; x@* 0.0; y@a 1.0"},
	    {"", "b a", "y@a 1.0; z@b 1.0; u@c 1.0", "y@a 1.0; z@b 1.0"},
	    {"", "b<a", "y@a 1.0; z@b 1.0; u@c 1.0", "y@a 1.0"},
	    {"", "a1", "share 0 programs=a*; share 1 programs=b*; x@a* 0.0; y@b* 1.0; z@a* 0.1; u@* 2.0",
	     "share 0 programs=a*; share 1 programs=b*; x@a* 0.0; z@a* 0.1"},
	    {"0 a*; 1 b*", "a1 b1", "x@a* 0.0; y@b* 1.0", "x@a* 0.0; y@b* 1.0"},
	    {"", "z", "share 0 programs=a*; x@a* 0.0", "share 0 programs=a*"},
	    {"", "", "x@a 0.0", ""},
	};
	static struct workspace s;
	static struct text lock, part;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t length;
		begin(&s, expand_lock(&lock, rows[i].lock), rows[i].shares, rows[i].programs);
		const char *text = spb_workspace_part_of_lock(s.w, &length);
		assert_int_equal(length, strlen(text));
		part = (struct text){.count = 0};
		put_short(&part, text, true);
		expect(part.items, rows[i].part, rows[i].lock);
		end(&s);
	}
	begin(&s, "lock version=1\nresource x set=0 binding=0\nresource y set=1 binding=0\n", "", "a");
	assert_non_null(
	    strstr(spb_workspace_part_of_lock(s.w, NULL), "resource x set=0 binding=0\nresource y set=1 binding=0\n"));
	end(&s);
	begin(&s, NULL, "", "a");
	assert_null(spb_workspace_part_of_lock(s.w, NULL));
	end(&s);
}

/* To the letter. */
static void a_lock_has_a_head(void **state)
{
	static struct workspace s;
	size_t length;

	(void)state;
	begin(&s, "lock version=1\nshare set=5\nresource x set=0 binding=2 kind=ubo\n", "1; 0 a*", "a b");
	assert_int_equal(decide(&s, "a: x 0.2! count=3; y 1.0; b: y 1.0; \"z-\" 2.7!"), SPB_OK);
	expect(spb_workspace_lock(s.w, &length),
	       "# Numbers that do not move; spirv-bind --update-lock writes this file. When git merges it,\n"
	       "# keep the lines of both sides.\nlock version=2\nshare set=1\nshare set=0 programs=a*\n"
	       "resource y program=* set=1 binding=0 kind=ubo\nresource x program=a* set=0 binding=2 kind=ubo count=3\n"
	       "resource \"z-\" program=b set=2 binding=7 kind=ubo\n",
	       "a lock");
	assert_int_equal(length, strlen(spb_workspace_lock(s.w, NULL)));
	end(&s);
}

/* The descriptors of the shared sets have what each program says of them. */
static void descriptors_are_those_of_all_programs(void **state)
{
	static const struct {
		const char *facts, *bindings; /* without blanks and quotation marks */
	} rows[] = {
	    {"a: x 0.0!; b: y 1.0!",
	     "{binding:0,count:1,descriptorType:VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,stages:[],name:x,nonUniform:"
	     "false,flags:[],programs:[a]}"},
	    {"a: x 0.0! stages=vertex count=2; b: x 0.0! stages=fragment non-uniform=1 count=3 flags=1",
	     "{binding:0,count:3,descriptorType:VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,stages:[VK_SHADER_STAGE_VERT"
	     "EX_BIT,VK_SHADER_STAGE_FRAGMENT_BIT],name:x,nonUniform:true,flags:[VK_DESCRIPTOR_BINDING_UPDATE_"
	     "AFTER_BIND_BIT],programs:[a,b]}"},
	    {"a: x 0.0! stages=vertex non-uniform=1 count=3 flags=1; b: x 0.0! stages=fragment count=2",
	     "{binding:0,count:3,descriptorType:VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,stages:[VK_SHADER_STAGE_VERT"
	     "EX_BIT,VK_SHADER_STAGE_FRAGMENT_BIT],name:x,nonUniform:true,flags:[VK_DESCRIPTOR_BINDING_UPDATE_"
	     "AFTER_BIND_BIT],programs:[a,b]}"},
	    {"a: x 0.0! descriptors=3; b: x 0.0! descriptors=0",
	     "{binding:0,count:null,descriptorType:VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,stages:[],name:x,nonUnifo"
	     "rm:false,flags:[VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT],programs:[a,b]}"},
	    {"a: x 0.0! descriptors=0; b: x 0.0! descriptors=3",
	     "{binding:0,count:null,descriptorType:VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,stages:[],name:x,nonUnifo"
	     "rm:false,flags:[VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT],programs:[a,b]}"},
	    {"a: x 0.0! descriptor=1000351000 types=1; b: x 0.0! descriptor=1000351000 types=4",
	     "{binding:0,count:1,descriptorType:VK_DESCRIPTOR_TYPE_MUTABLE_EXT,mutableTypes:[VK_DESCRIPTOR_TYP"
	     "E_SAMPLER,VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE],stages:[],name:x,nonUniform:false,flags:[],programs:"
	     "[a,b]}"},
	};
	static struct workspace s;
	static struct text got;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		begin(&s, NULL, "0", "a b");
		assert_int_equal(decide(&s, rows[i].facts), SPB_OK);
		const char *from = strstr(spb_workspace_layout_json(s.w, NULL), "bindings");
		got = (struct text){.count = 0};
		const char *to = strstr(from, "\n      ]");
		for (from = strchr(from, '{'); from < to; from++) {
			if (!strchr(" \n\"", *from))
				put(&got, "%c", *from);
		}
		expect(got.items, rows[i].bindings, rows[i].facts);
		end(&s);
	}
}

/* Of one program, of all that have some, and of those that stay. */
static void collected_facts_are_sorted(void **state)
{
	static struct workspace s;
	static const char facts[] = "resource x set=0 binding=0 place=open kind=ubo type=1111111111111111\n";
	static struct text both;

	(void)state;
	begin(&s, NULL, "0", "");
	assert_false(spb_workspace_leaves_out(s.w, "a"));
	end(&s);
	begin(&s, NULL, "0", "b a c");
	assert_int_equal(spb_workspace_set_facts(s.w, "b", facts), SPB_OK);
	both.count = 0;
	put(&both, "%sprogram c\n%s", facts, facts);
	assert_int_equal(spb_workspace_set_facts(s.w, "a", both.items), SPB_ERROR_INVALID_ARGUMENT);
	expect(s.said.items, "! a:2: these are the facts of one program, which need no line that names it\n", "a");
	assert_int_equal(spb_workspace_set_facts(s.w, "a", facts), SPB_OK);
	assert_int_equal(
	    spb_workspace_set_facts(s.w, "c", "resource x set=0 binding=1 place=open kind=as type=1111111111111111\n"),
	    SPB_OK);
	both.count = 0;
	put(&both, "collected version=1\nprogram a\n%sprogram b\n%s", facts, facts);
	const char *text = spb_workspace_collected(s.w, NULL);
	assert_memory_equal(text, both.items, both.count);
	assert_memory_equal(text + both.count, "program c\nresource x ", 21);
	assert_int_equal(spb_workspace_decide(s.w), SPB_ERROR_CONFLICT);
	expect(spb_workspace_collected(s.w, NULL), both.items, "without the program that is left out");
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(resources_get_numbers),
	    cmocka_unit_test(variants_do_not_go_round),
	    cmocka_unit_test(there_may_be_many),
	    cmocka_unit_test(programs_differ_from_the_lock),
	    cmocka_unit_test(each_program_has_its_part_of_the_lock),
	    cmocka_unit_test(the_part_of_the_lock),
	    cmocka_unit_test(a_lock_has_a_head),
	    cmocka_unit_test(descriptors_are_those_of_all_programs),
	    cmocka_unit_test(collected_facts_are_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
