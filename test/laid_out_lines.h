/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of policies and locks: names, values, built-in profiles, where they let numbers begin, and what a workspace is
 * told of all that. After laid_out.h. */
#ifndef SPB_TEST_LAID_OUT_LINES_H
#define SPB_TEST_LAID_OUT_LINES_H

/* Names come back as they were, whatever their bytes; what has none; lines of version 2, and what is no lock. */
TABLE(names_in_locks,
      {"lock update", "", "removed \"a\\x01b\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a\\x01b\" set=0 binding=4\n"},
      {"lock update", "", "removed \"a\\x0fb\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a\\x0fb\" set=0 binding=4\n"},
      {"lock update", "", "removed \"a\\x10b\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a\\x10b\" set=0 binding=4\n"},
      {"lock update", "", "removed \"a\\x1fb\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a\\x1fb\" set=0 binding=4\n"},
      {"lock update", "", "removed \"a\\x20b\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a b\" set=0 binding=4\n"},
      {"lock update", "", "removed \"a\\x7eb\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a~b\" set=0 binding=4\n"},
      {"lock update", "", "removed \"a\\x7fb\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a\\x7fb\" set=0 binding=4\n"},
      {"lock update", "", "removed \"\\x80\\xff\\xa9\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"\\x80\\xff\\xa9\" set=0 binding=4\n"},
      {"lock update", "", "removed \"\\\"\\\\\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nremoved \"\\\"\\\\\" set=0 binding=4\nresource a set=0 binding=0 kind=texture\n"},
      {"lock update", "", "removed \"AZaz09_.$@:[]\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nremoved AZaz09_.$@:[] set=0 binding=4\nresource a set=0 binding=0 kind=texture\n"},
      {"lock update", "", "removed \"a*\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a*\" set=0 binding=4\n"},
      {"lock update", "", "removed a-b set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a-b\" set=0 binding=4\n"},
      {"lock update", "", "removed \"\\xg0\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nremoved \"\\\\xg0\" set=0 binding=4\nresource a set=0 binding=0 kind=texture\n"},
      {"lock update", "", "removed \"\\x0\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nremoved \"\\\\x0\" set=0 binding=4\nresource a set=0 binding=0 kind=texture\n"},
      {"lock update", "", "removed \"\\x00\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nremoved \"\\\\x00\" set=0 binding=4\nresource a set=0 binding=0 kind=texture\n"},
      {"lock update", "", "removed \"\\x6A\\x6a\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nremoved \"\\\\x6Aj\" set=0 binding=4\nresource a set=0 binding=0 kind=texture\n"},
      {"lock update", "", "removed \"a\\b\\y61\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved \"a\\\\b\\\\y61\" set=0 binding=4\n"},
      {"lock update", "", "removed \"a\\x62\\x63d\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nremoved abcd set=0 binding=4\n"},
      {"lock update", "", "removed \"\\x5c\\x22\" set=0 binding=4", "a:t",
       "a 0.0\nlock version=1\nremoved \"\\\\\\\"\" set=0 binding=4\nresource a set=0 binding=0 kind=texture\n"},
      {"lock update", "", "", "^1:t a:t",
       " 0.0; a 0.1\nlock version=1\nresource a set=0 binding=1 kind=texture\n\n. m0: %2 has no OpName, so the lock "
       "file cannot keep its binding; strip names after binding rather than before\n"},
      {"lock update", "", "", "^1:t ^2:s a:t",
       " 0.0;  0.1; a 0.2\nlock version=1\nresource a set=0 binding=2 kind=texture\n\n. m0: %2 and others, 2 resources "
       "in all, have no OpName, so the lock file cannot keep their bindings; strip names after binding rather than "
       "before\n"},
      {"lock update remove", "", "", "^1:t! a:t",
       "a 0.0;  removed\nlock version=1\nresource a set=0 binding=0 kind=texture\n"},
      {"lock", "", "", "^1:t a:t",
       " 0.0; a 0.1\nlock version=1\nresource a set=0 binding=1 kind=texture\n\n. m0: %2 has no OpName, so the lock "
       "file cannot keep its binding; strip names after binding rather than before\n. m0: %3 \"a\" is not in the lock "
       "file; record it with --update-lock\n"},
      {"lock update", "", "resource a set=0 binding=1\nresource a set=0 binding=2\nresource b set=0 binding=3", "a:t",
       "! lock:3: \"a\" is already locked by line 2; delete one of the two lines\n"},
      {"lock update hlsl", "", "shift class=u set=0 by=6\nshift class=t set=0 by=4\nshift class=b set=0 by=9",
       "a:t b:u c:b",
       "a 0.4 (t0); b 0.6 (u0); c 0.9 (b0)\nlock version=1\nshift class=b set=0 by=9\nshift class=t set=0 by=4\nshift "
       "class=u set=0 by=6\nresource a set=0 binding=4 kind=texture\nresource b set=0 binding=6 kind=ssbo\nresource c "
       "set=0 binding=9 kind=ubo\n"},
      {"lock update", "", "lock version=2\nresource a set=0 binding=1", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with --update-lock\n"},
      {"lock update", "", "lock version=2\nresource a program=p set=0 binding=1", "a:t",
       "! lock:1: the lock file belongs to the programs of a manifest; bind this one with --manifest=FILE, and alone "
       "with --programs=NAME\n"},
      {"lock update", "", "lock version=2\nrename a -> b", "a:t",
       "! lock:1: the lock file belongs to the programs of a manifest; bind this one with --manifest=FILE, and alone "
       "with --programs=NAME\n"},
      {"lock update", "", "lock version=2\nrename a b", "a:t", "! lock:2: expected rename OLD -> NEW\n"},
      {"lock update", "", "lock version=2\nrename a ->", "a:t", "! lock:2: expected rename OLD -> NEW\n"},
      {"lock update", "", "lock version=2\nrename \"\" -> b", "a:t", "! lock:2: expected rename OLD -> NEW\n"},
      {"lock update", "", "lock version=2\nrename program=p -> q program=r", "a:t",
       "! lock:2: unknown key \"program\"; possible keys are program, of a resource\n"},
      {"lock update", "", "lock version=2\nrename a -> b scope=p", "a:t",
       "! lock:2: unknown key \"scope\"; possible keys are program, of a resource\n"},
      {"lock update", "", "lock version=2\nrename program=p -> q\nrename a -> b program=p", "a:t",
       "! lock:1: the lock file belongs to the programs of a manifest; bind this one with --manifest=FILE, and alone "
       "with --programs=NAME\n"},
      {"lock update", "", "lock version=2\nresource a program=p set=0 binding=1 odd=2", "a:t",
       "! lock:2: unknown key \"odd\"; possible keys are program, set, binding, ordinal, kind, count, type, samplers "
       "and flags\n"},
      {"lock update", "", "lock version=2\npush set=1 odd=2", "a:t",
       "! lock:2: unknown key \"odd\"; possible keys are program and set\n"},
      {"lock update", "", "lock version=2\nshift class=t set=1 odd=2", "a:t",
       "! lock:2: unknown key \"odd\"; possible keys are class, program, set and by\n"},
      {"lock update", "", "===", "a:t",
       "! lock:2: no line begins with \"===\"; expected resource, removed, heap, shift, push, share or rename\n"},
      {"lock update", "", ">>>", "a:t",
       "! lock:2: no line begins with \">>>\"; expected resource, removed, heap, shift, push, share or rename\n"},
      {"lock update", "", "=====", "a:t",
       "! lock:2: unresolved merge conflict: keep the lines of both sides, and delete the markers\n"},
      {"lock update", "", "\nresource a set=0 binding=1", "a:t",
       "! lock:2: this is not a lock file of spirv-bind: its first line must be \"lock version=1\" or \"lock "
       "version=2\"\n"},
      {"lock update", "", "\n# a remark\nlock version=1\nresource a set=0 binding=1 # b", "a:t",
       "a 0.1\nlock version=1\nresource a set=0 binding=1 kind=texture\n"},
      {"lock update", "push set=0", "", "a:t",
       "a 0.0\nlock version=1\npush set=0\nresource a set=0 binding=0 kind=texture\n"},
      {"lock update", "", "heap heap_texture_a ordinal=0 set=1 binding=2",
       "heap_texture_a:t[]@2,1 ResourceDescriptorHeap:t[]@3,1 ResourceDescriptorHeap^2:i[]@3,1",
       "heap_texture_a 1.2; ResourceDescriptorHeap 1.3; ResourceDescriptorHeap 1.3\nlock version=1\nheap "
       "ResourceDescriptorHeap ordinal=2 set=1 binding=3 kind=texture count=0\nheap ResourceDescriptorHeap ordinal=3 "
       "set=1 binding=3 kind=image count=0\nheap heap_texture_a set=1 binding=2 kind=texture count=0\n"})

/* Numbers and ranges up to their ends, and what is wrong with them; built-in profiles. */
TABLE(
    values_of_lines,
    {"", "place =1 -> set=1", NULL, "a:t",
     "! policy:1: unknown key \"\"; possible keys are name, kind, class, stage, access, set and register before ->\n"},
    {"", "place name= -> set=1", NULL, "a:t", "! policy:1: name= has no value\n"},
    {"", "place -> set=4294967296", NULL, "a:t", "! policy:1: set=4294967296 exceeds 4294967295\n"},
    {"", "place -> set=4294967295", NULL, "a:t", "a 4294967295.0"},
    {"", "place -> set=", NULL, "a:t", "! policy:1: set= has no value\n"},
    {"", "place -> set=1x", NULL, "a:t", "! policy:1: set= takes a number, but got \"1x\"\n"},
    {"", "place -> set=-1", NULL, "a:t", "! policy:1: set= takes a number from 0 to 4294967295, but got \"-1\"\n"},
    {"", "place averyveryverylongkeyindeedthatnobodywouldwrite=1 -> set=1", NULL, "a:t",
     "! policy:1: expected a key before =, got \"averyveryverylongkeyindeedthatnobodywouldwrite\"\n"},
    {"", "reserve set=0 range=5..3", NULL, "a:t", "! policy:1: range=5..3 ends before it begins\n"},
    {"", "reserve set=0 range=5..x", NULL, "a:t",
     "! policy:1: range= takes a number from 0 to 4294967295, but got \"x\"\n"},
    {"", "reserve set=0 range=5..7x", NULL, "a:t",
     "! policy:1: range= takes a range such as 4..7, but got \"5..7x\"\n"},
    {"", "reserve set=0 range=5.7", NULL, "a:t", "! policy:1: range= takes a range such as 4..7, but got \"5.7\"\n"},
    {"", "reserve set=0 range=5.", NULL, "a:t", "! policy:1: range= takes a range such as 4..7, but got \"5.\"\n"},
    {"", "reserve set=0 range=0..0", NULL, "a:t b:t", "a 0.1; b 0.2"},
    {"", "reserve set=0 range=..5", NULL, "a:t",
     "! policy:1: range= takes a number from 0 to 4294967295, but got \"..5\"\n"},
    {"", "reserve set=0 range=1..", NULL, "a:t", "a 0.0"},
    {"", "place name=\"a\" -> set=1 # all", NULL, "a:t", "a 1.0"},
    {"", "place name=\"a -> set=1", NULL, "a:t", "! policy:1: the closing quotation mark is missing\n"},
    {"", "\t place\tname=a\t->\tset=1\t", NULL, "a:t", "a 1.0"},
    {"", "# nothing\n\n  \nplace -> set=1", NULL, "a:t", "a 1.0"},
    {"", "place name=\"\\x61\" -> set=1", NULL, "a:t", "a 1.0"},
    {"", "place -> order=1..2", NULL, "a:t", "! policy:1: order= takes a number, but got \"1..2\"\n"},
    {"", "@odd", NULL, "a:t",
     "! odd: unknown profile; the built-in ones are dx12-shifts, one-set, set-per-kind, sdl3gpu, dxc, dxc-flattened, "
     "dxc-auto-shift, glslang, llvm\n"},
    {"", "@", NULL, "a:t",
     "! : unknown profile; the built-in ones are dx12-shifts, one-set, set-per-kind, sdl3gpu, dxc, dxc-flattened, "
     "dxc-auto-shift, glslang, llvm\n"},
    {"", "@dxc", NULL, "a:t[2]@,1 b:b", "b 0.0; a 1.0"}, {"", "@dxc-flattened", NULL, "a:t[2] b:b", "a 0.0; b 0.2"},
    {"", "@one-set", NULL, "a:t@3,2 b:b@0,1", "a 0.0; b 0.1"},
    {"", "@set-per-kind", NULL, "a:t b:b c:s d:i e:c f:u", "b 0.0; a 1.0; e 1.1; c 2.0; d 3.0; f 3.1"},
    {"", "@dx12-shifts", NULL, "a:t b:b c:s d:i", "a 0.0; c 0.128 (s0); b 0.256 (b0); d 0.384 (u0)"},
    {"", "@sdl3gpu", NULL, "a:t",
     "! m0: %2 \"a\" (texture) is refused by sdl3gpu:2: SDL_GPU binds combined image-samplers only; use "
     "--merge-combined\n"},
    {"", "@sdl3gpu", NULL, "Fragment a:c b:b c:r d:o", "a 2.0; c 2.1; d 2.2; b 3.0"},
    {"", "@sdl3gpu", NULL, "Fragment d:u",
     "! m0: %3 \"d\" (ssbo) is refused by sdl3gpu:4: SDL_GPU shaders read storage only; declare it readonly, or write "
     "it from a compute shader\n"},
    {"", "@llvm", NULL, "a:{x:t y:s} b:b!", "a.x 0.0; a.y 0.1; b removed"},
    {"", "@glslang", NULL, "a:t! b:b", "b 0.0; a 0.1"}, {"", "@dxc-auto-shift", NULL, "a:t b:b", "a 0.0; b 0.1"})

/* Ranges and reservations, with shifts and without, and what is in the way. */
TABLE(where_numbers_are_looked_for,
      {"hlsl", "place name=b -> range=5..9\nshift class=t by=3", NULL, "a:t b:t c:t",
       "a 0.3 (t0); c 0.4 (t1); b 0.5 (t2)"},
      {"hlsl", "place name=b -> range=3..9\nshift class=t by=3", NULL, "b:t", "b 0.3 (t0)"},
      {"hlsl", "place name=b -> range=0..3\nshift class=t by=3", NULL, "b:t", "b 0.3 (t0)"},
      {"hlsl", "place name=b -> range=0..2\nshift class=t by=3", NULL, "b:t",
       "! m0: %2 \"b\" could not be allocated: it needs 1 free bindings within 0..2 of set 0, as required by policy:1; "
       "widen the range\n"},
      {"hlsl", "reserve set=0 range=1..5\nshift class=t by=3", NULL, "a:t b:t", "a 0.6 (t3); b 0.7 (t4)"},
      {"hlsl", "reserve set=0 range=3..5\nshift class=t by=3", NULL, "a:t b:t", "a 0.6 (t3); b 0.7 (t4)"},
      {"hlsl", "reserve set=0 range=0..2\nshift class=t by=3", NULL, "a:t b:t", "a 0.3 (t0); b 0.4 (t1)"},
      {"", "place name=? -> range=5..9\nplace name=bb -> range=5..8", NULL, "a:t bb:t b:t", "a 0.5; bb 0.6; b 0.7"},
      {"", "place name=? -> range=5..9\nplace name=bb -> range=4..9", NULL, "a:t bb:t b:t", "bb 0.4; a 0.5; b 0.6"},
      {"", "place name=a -> range=5..9\nplace name=b -> range=5..9 set=1", NULL, "a:t b:t c:t@,1",
       "a 0.5; c 1.0; b 1.5"},
      {"", "place name=b -> range=5..6 order=1\nplace -> range=5..6", NULL, "b:t a:t", "a 0.5; b 0.6"},
      {"hlsl", "", NULL, "a:t b:t c:t d:t e:t f:t g:t h:t[3] i:t j:t[] k:t",
       "! m0: %12 \"k\" could not be allocated: it needs 1 free register of class t in space 0; in the way: %2 \"a\" "
       "t0, %3 \"b\" t1, %4 \"c\" t2, %5 \"d\" t3, %6 \"e\" t4, %7 \"f\" t5, %8 \"g\" t6, %9 \"h\" t7..9; declare it "
       "before unbounded arrays, give those a size, or use another space\n"},
      {"hlsl", "", NULL, "h:t[3] a:t j:t[] k:t",
       "! m0: %5 \"k\" could not be allocated: it needs 1 free register of class t in space 0; in the way: %2 \"h\" "
       "t0..2, %3 \"a\" t3, %4 \"j\" t4..; declare it before unbounded arrays, give those a size, or use another "
       "space\n"},
      {"", "option shift=base\nshift class=t by=5\nplace name=b -> range=2..3", NULL, "a:t b:t c:t",
       "b 0.2; a 0.5; c 0.6"},
      {"hlsl", "", NULL, "a:t[2] b:t[] c:t",
       "! m0: %4 \"c\" could not be allocated: it needs 1 free register of class t in space 0; in the way: %2 \"a\" "
       "t0..1, %3 \"b\" t2..; declare it before unbounded arrays, give those a size, or use another space\n"},
      {"hlsl", "", NULL, "a:{x:t y:s[2] z:t[2]} b:t c:s", "a.x 0.0; a.z 0.1; b 0.3; a.y 0.4 (s0); c 0.6 (s2)"},
      {"", "option structs=together", NULL, "a:{x:t y:s} c:{x:t y:s z:t} b:t@2",
       "a.x 0.0; a.y 0.1; b 0.2; c.x 0.3; c.y 0.4; c.z 0.5"},
      {"", "", "resource z set=0 binding=1", "a:t b:t",
       "a 0.0; b 0.2\n. m0: %2 \"a\" and others, 2 resources in all, are not in the lock file; record them with "
       "--update-lock\n"},
      {"", "option arrays=each", "removed z set=0 binding=1", "a:t[2] b:t",
       "b 0.0; a 0.2\n. m0: %2 \"a\" and others, 2 resources in all, are not in the lock file; record them with "
       "--update-lock\n"})

/* What a workspace is told of ranges, blocks, structs, heaps and what has no name. */
TABLE(facts_of_lines,
      {"facts", "place name=b -> binding=9\nplace name=a -> range=4..7", NULL, "a:t b:b c:s",
       "resource c set=0 binding=0 place=open kind=sampler stages=compute\nresource a set=0 binding=4 place=open "
       "kind=texture stages=compute range=4..7\nresource b set=0 binding=9 place=fixed kind=ubo stages=compute\nmember "
       "\"\" type=float4 offset=0\n"},
      {"facts", "place name=c -> range=1..2\nplace name=a -> range=4..7", NULL, "a:t b:b c:s",
       "resource b set=0 binding=0 place=open kind=ubo stages=compute\nmember \"\" type=float4 offset=0\nresource c "
       "set=0 binding=1 place=open kind=sampler stages=compute range=1..2\nresource a set=0 binding=4 place=open "
       "kind=texture stages=compute range=4..7\n"},
      {"facts", "reserve set=9\nblock name=n*\nblock name=m* -> set=5", NULL, "a:t m1:t n2:b n3:t",
       "reserve set=9 range=0..4294967295\nresource a set=0 binding=0 place=open kind=texture stages=compute\nresource "
       "n2 set=1 binding=0 place=open kind=ubo stages=compute alone=policy:2\nmember \"\" type=float4 "
       "offset=0\nresource n3 set=1 binding=1 place=open kind=texture stages=compute alone=policy:2\nresource m1 set=5 "
       "binding=0 place=open kind=texture stages=compute\n"},
      {"facts all-sets", "option arrays=each", NULL, "heap_texture_a:t[]@2,1 b:t[3] c:t",
       "resource b set=0 binding=0 place=open kind=texture count=3 stages=compute length=3\nresource c set=0 binding=3 "
       "place=open kind=texture stages=compute\nheap heap_texture_a set=1 binding=2 place=open kind=texture count=0 "
       "stages=compute alone=heaps\n"},
      {"facts hlsl", "place name=b -> range=5..9\nshift class=t by=3", NULL, "a:t b:t c:t",
       "shift class=t set=0 by=3\nresource a set=0 binding=3 place=open kind=texture stages=compute from=3\nresource c "
       "set=0 binding=4 place=open kind=texture stages=compute from=3\nresource b set=0 binding=5 place=open "
       "kind=texture stages=compute from=3 range=5..9\n"},
      {"facts", "option shift=base\nshift class=t by=5\nplace name=b -> range=2..3", NULL, "a:t b:t c:t",
       "resource b set=0 binding=2 place=open kind=texture stages=compute range=2..3\nresource a set=0 binding=5 "
       "place=open kind=texture stages=compute from=5\nresource c set=0 binding=6 place=open kind=texture "
       "stages=compute from=5\n"},
      {"facts", "option structs=together", NULL, "x:t a:{x:t y:s z:t} c:{x:t y:s}",
       "resource x set=0 binding=0 place=open kind=texture stages=compute\nresource a.x set=0 binding=1 place=open "
       "kind=texture stages=compute\nresource a.y set=0 binding=2 place=open kind=sampler stages=compute lead=1 "
       "offset=1\nresource a.z set=0 binding=3 place=open kind=texture stages=compute lead=1 offset=2\nresource c.x "
       "set=0 binding=4 place=open kind=texture stages=compute\nresource c.y set=0 binding=5 place=open kind=sampler "
       "stages=compute lead=4 offset=1\n"},
      {"facts", "option arrays=each", NULL, "a:{x:t[2] y:s z:t[3]} b:t",
       "resource a.x set=0 binding=0 place=open kind=texture count=2 stages=compute length=2\nresource a.y set=0 "
       "binding=2 place=open kind=sampler stages=compute lead=0 offset=2\nresource a.z set=0 binding=3 place=open "
       "kind=texture count=3 stages=compute length=3 lead=0 offset=3\nresource b set=0 binding=6 place=open "
       "kind=texture stages=compute\n"},
      {"facts", "place name=a.x -> set=1", NULL, "a:{x:t y:s z:t w:s} b:t",
       "resource a.y set=0 binding=0 place=open kind=sampler stages=compute\nresource a.z set=0 binding=1 place=open "
       "kind=texture stages=compute lead=0 offset=1\nresource a.w set=0 binding=2 place=open kind=sampler "
       "stages=compute lead=0 offset=2\nresource b set=0 binding=3 place=open kind=texture stages=compute\nresource "
       "a.x set=1 binding=0 place=open kind=texture stages=compute\n"},
      {"facts hlsl", "", NULL, "a:{x:t y:s z:t}@3 b:t c:s@4",
       "shift class=t set=0 by=0\nshift class=s set=0 by=2\nresource b set=0 binding=0 place=open kind=texture "
       "stages=compute class=t number=0\nresource a.x set=0 binding=3 place=fixed kind=texture stages=compute class=t "
       "number=3\nresource a.z set=0 binding=4 place=fixed kind=texture stages=compute class=t number=4\nresource a.y "
       "set=0 binding=5 place=fixed kind=sampler stages=compute class=s number=3 shift=1\nresource c set=0 binding=6 "
       "place=fixed kind=sampler stages=compute class=s number=4 shift=1\n"},
      {"facts", "", NULL, "Vertex a:t@0 b:t@0 | Fragment a:t@0 c:b",
       "resource a set=0 binding=0 place=fixed kind=texture stages=vertex,fragment\nresource b set=0 binding=0 "
       "place=fixed kind=texture stages=vertex\nresource c set=0 binding=1 place=open kind=ubo stages=fragment\nmember "
       "\"\" type=float4 offset=0\n"},
      {"facts mutable all-sets", "", NULL, "heap_texture_a:t[]@2,1 heap_image_b:i[]@2,1 b:t",
       "resource b set=0 binding=0 place=open kind=texture stages=compute\nheap heap_texture_a set=1 binding=2 "
       "place=open kind=texture count=0 stages=compute descriptor=1000351000 types=12 alone=heaps\nheap heap_image_b "
       "set=1 binding=2 place=open kind=image count=0 stages=compute descriptor=1000351000 types=12 alone=heaps\n"},
      {"facts last", "", NULL, "a:t! b:t",
       "resource b set=0 binding=0 place=open kind=texture stages=compute\nresource a set=0 binding=1 place=open "
       "kind=texture\n"},
      {"facts", "", NULL, "^1:t a:t",
       "resource \"\" set=0 binding=0 place=open kind=texture stages=compute\nresource a set=0 binding=1 place=open "
       "kind=texture stages=compute\n"},
      {"facts no-merge", "", NULL, "Vertex a:t | Fragment a:t",
       "resource a set=0 binding=0 place=open kind=texture stages=vertex\nresource a ordinal=1 set=0 binding=1 "
       "place=open kind=texture stages=fragment\n"},
      {"facts", "option counters=last", NULL, "v:u counter.var.v:u a:t",
       "resource v set=0 binding=0 place=open kind=ssbo stages=compute\nmember \"\" type=float4 offset=0\nresource "
       "counter.var.v set=0 binding=1 place=open kind=ssbo stages=compute\nmember \"\" type=float4 offset=0\nresource "
       "a set=0 binding=2 place=open kind=texture stages=compute\n"})

#endif
