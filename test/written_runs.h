/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of unit_written.c: what is there, which outputs are written, what happens meanwhile; then all calls from
 * there on, what is there afterwards, and what is said. */
#ifndef TEST_WRITTEN_RUNS_H
#define TEST_WRITTEN_RUNS_H

/* clang-format off */
/* A folder, with its slash, or "", and the name of an output in it. SWEPT: nothing was left of an earlier run. */
#define TEMPORARY(d, a) d "." a ".0.tmp"
#define LEFT_1(d, a, n) "look(" d "." a "." n ".tmp)! look(" d "." a "." n ".old)! "
#define SWEPT(d, a) LEFT_1(d, a, "0") SWEPT_3(d, a)
#define SWEPT_3(d, a) LEFT_1(d, a, "1") LEFT_1(d, a, "2") LEFT_1(d, a, "3")
#define MADE(d, a, mode)                                                                                              \
	"open(" TEMPORARY(d, a) ",wn," mode ") lock(" TEMPORARY(d, a) ",x) status(" TEMPORARY(d, a) ") look("         \
	TEMPORARY(d, a) ") "
#define TAKEN(d, a, mode) MADE(d, a, mode) "look(" d "." a ".0.old)! "
#define FREED(d, a) /* of the temporary file that another run has left */                                             \
	"look(" TEMPORARY(d, a) ") open(" TEMPORARY(d, a) ",wlt) lock(" TEMPORARY(d, a) ",x) status("                 \
	TEMPORARY(d, a) ") look(" TEMPORARY(d, a) ") remove(" TEMPORARY(d, a) ") close(" TEMPORARY(d, a) ") "
#define FILLED(d, a) "write(" TEMPORARY(d, a) ") sync(" TEMPORARY(d, a) ") "
#define FILLED_AS(d, a, mode)                                                                                         \
	"write(" TEMPORARY(d, a) ") mode(" TEMPORARY(d, a) "," mode ") sync(" TEMPORARY(d, a) ") "
#define KEPT(d, a) "link(" d a "," d "." a ".0.old) open(" d "." a ".0.old,lt) lock(" d "." a ".0.old,s) "
#define PLACED(d, a) "rename(" TEMPORARY(d, a) "," d a ") "
#define DROPPED(d, a) "remove(" TEMPORARY(d, a) ") close(" TEMPORARY(d, a) ") "
#define COMPARED(a) "look(" a ") open(" a ",t) read(" a ") close(" a ") "

static const struct run kinds[] = {
	{"", "a", {{0}}, "look(a)! " SWEPT("", "a") TAKEN("", "a", "666") FILLED("", "a") PLACED("", "a")
	 "close(.a.0.tmp) ", "a=new", ""},
	{"a=old", "a", {{0}}, COMPARED("a") SWEPT("", "a") TAKEN("", "a", "644") FILLED_AS("", "a", "644")
	 PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"a=new", "a", {{0}}, COMPARED("a") SWEPT("", "a"), "a=new", ""},
	{"a=longer", "a", {{0}}, "look(a) " SWEPT("", "a") TAKEN("", "a", "644") FILLED_AS("", "a", "644")
	 PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"a:600=old", "a", {{0}}, COMPARED("a") SWEPT("", "a") TAKEN("", "a", "600") FILLED_AS("", "a", "600")
	 PLACED("", "a") "close(.a.0.tmp) ", "a:600=new", ""},
	{"a:444=old", "a", {{0}}, COMPARED("a") SWEPT("", "a") TAKEN("", "a", "644") FILLED_AS("", "a", "644")
	 PLACED("", "a") "mode(.a.0.tmp,444) close(.a.0.tmp) ", "a:444=new", ""},
	{"a>b b=old", "a", {{0}}, "look(a) real(a) through(b) open(b,t) read(b) close(b) " SWEPT("", "b")
	 TAKEN("", "b", "644") FILLED_AS("", "b", "644") PLACED("", "b") "close(.b.0.tmp) ", "a>b b=new", ""},
	{"a>b", "a", {{0}}, "look(a) real(a)! real(.) through(b)! " SWEPT("", "b") TAKEN("", "b", "666")
	 FILLED("", "b") PLACED("", "b") "close(.b.0.tmp) ", "a>b b=new", ""},
	{"a>b b=new", "a", {{0}}, "look(a) real(a) through(b) open(b,t) read(b) close(b) " SWEPT("", "b"), "a>b b=new",
	 ""},
	{"a>b b>d/c d/", "a", {{0}}, "look(a) real(a)! real(d/.) through(d/c)! " SWEPT("d/", "c")
	 TAKEN("d/", "c", "666") FILLED("d/", "c") PLACED("d/", "c") "close(d/.c.0.tmp) ", "a>b b>d/c d/ d/c=new", ""},
	{"a/", "a", {{0}}, "look(a) " SWEPT("", "a"), "a/", "spirv-bind: cannot write a: Is a directory\n"},
	{"a>b b/", "a", {{0}}, "look(a) real(a) through(b) " SWEPT("", "b"), "a>b b/",
	 "spirv-bind: cannot write a: Is a directory\n"},
	{"a>/dev/null", "a", {{0}}, "look(a) real(a) through(/dev/null) open(a,w) write(a) close(a) ", "a>/dev/null",
	 ""},
	{"a>/dev/full", "a", {{0}}, "look(a) real(a) through(/dev/full) open(a,w) write(a)! close(a) ", "a>/dev/full",
	 "spirv-bind: cannot write a: No space left on device\n"},
	{"", "d/a", {{0}}, "look(d/a)! " SWEPT("d/", "a") "open(d/.a.0.tmp,wn,666)! ", "",
	 "spirv-bind: cannot write d/a: No such file or directory\n"},
	{"d/ d/a=old", "d/a", {{0}}, COMPARED("d/a") SWEPT("d/", "a") TAKEN("d/", "a", "644")
	 FILLED_AS("d/", "a", "644") PLACED("d/", "a") "close(d/.a.0.tmp) ", "d/ d/a=new", ""},
	{"d/", "d/a d/b", {{0}}, "look(d/a)! look(d/b)! list(d/.) " TAKEN("d/", "a", "666") FILLED("d/", "a")
	 TAKEN("d/", "b", "666") FILLED("d/", "b") "link(d/a,d/.a.0.old)! " PLACED("d/", "a") "link(d/b,d/.b.0.old)! "
	 PLACED("d/", "b") "close(d/.a.0.tmp) close(d/.b.0.tmp) ", "d/ d/a=new d/b=new", ""},
	{"", "a b", {{0}}, "look(a)! look(b)! list(.) " TAKEN("", "a", "666") FILLED("", "a") TAKEN("", "b", "666")
	 FILLED("", "b") "link(a,.a.0.old)! " PLACED("", "a") "link(b,.b.0.old)! " PLACED("", "b")
	 "close(.a.0.tmp) close(.b.0.tmp) ", "a=new b=new", ""},
	{"a=old b=old", "a b", {{0}}, COMPARED("a") COMPARED("b") "list(.) " TAKEN("", "a", "644")
	 FILLED_AS("", "a", "644") TAKEN("", "b", "644") FILLED_AS("", "b", "644") KEPT("", "a") PLACED("", "a")
	 KEPT("", "b") PLACED("", "b")
	 "remove(.a.0.old) close(.a.0.tmp) close(.a.0.old) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ",
	 "a=new b=new", ""},
	{"a=old b=new", "a b", {{0}}, COMPARED("a") COMPARED("b") "list(.) " TAKEN("", "a", "644")
	 FILLED_AS("", "a", "644") PLACED("", "a") "close(.a.0.tmp) ", "a=new b=new", ""},
	{"a=new b=new", "a b", {{0}}, COMPARED("a") COMPARED("b") "list(.) ", "a=new b=new", ""},
	{"a=old", "a b", {{0}}, COMPARED("a") "look(b)! list(.) " TAKEN("", "a", "644") FILLED_AS("", "a", "644")
	 TAKEN("", "b", "666") FILLED("", "b") KEPT("", "a") PLACED("", "a") "link(b,.b.0.old)! " PLACED("", "b")
	 "remove(.a.0.old) close(.a.0.tmp) close(.a.0.old) close(.b.0.tmp) ", "a=new b=new", ""},
	{"b:444=old", "a b", {{0}}, "look(a)! " COMPARED("b") "list(.) " TAKEN("", "a", "666") FILLED("", "a")
	 TAKEN("", "b", "644") FILLED_AS("", "b", "644") "link(a,.a.0.old)! " PLACED("", "a") KEPT("", "b")
	 PLACED("", "b") "mode(.b.0.tmp,444) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ",
	 "a=new b:444=new", ""},
	{"a=old b>/dev/null", "a b", {{0}}, COMPARED("a") "look(b) real(b) through(/dev/null) " SWEPT("", "a")
	 TAKEN("", "a", "644") FILLED_AS("", "a", "644") "open(b,w) write(b) close(b) " PLACED("", "a")
	 "close(.a.0.tmp) ", "a=new b>/dev/null", ""},
	{"a>/dev/full b=old", "a b", {{0}}, "look(a) real(a) through(/dev/full) " COMPARED("b") SWEPT("", "b")
	 TAKEN("", "b", "644") FILLED_AS("", "b", "644") "open(a,w) write(a)! close(a) " DROPPED("", "b"),
	 "a>/dev/full b=old", "spirv-bind: cannot write a: No space left on device\n"},
};

static const struct run leftovers[] = {
	{".a.0.tmp=half", "a", {{0}}, "look(a)! look(.a.0.tmp) open(.a.0.tmp,wn,600)! " FREED("", "a")
	 TAKEN("", "a", "600") DROPPED("", "a") SWEPT_3("", "a") TAKEN("", "a", "666") FILLED("", "a") PLACED("", "a")
	 "close(.a.0.tmp) ", "a=new", ""},
	{".a.0.old=half", "a", {{0}}, "look(a)! look(.a.0.tmp)! look(.a.0.old) " MADE("", "a", "600")
	 "look(.a.0.old) open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) "
	 "remove(.a.0.old) close(.a.0.old) " DROPPED("", "a") SWEPT_3("", "a") TAKEN("", "a", "666") FILLED("", "a")
	 PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"a=old .a.0.tmp=half .a.0.old=half", "a", {{0}}, COMPARED("a") "look(.a.0.tmp) open(.a.0.tmp,wn,600)! "
	 FREED("", "a") MADE("", "a", "600")
	 "look(.a.0.old) open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) "
	 "remove(.a.0.old) close(.a.0.old) " DROPPED("", "a") SWEPT_3("", "a") TAKEN("", "a", "644")
	 FILLED_AS("", "a", "644") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{".a.1.tmp=half", "a", {{0}},
	 "look(a)! look(.a.0.tmp)! look(.a.0.old)! look(.a.1.tmp) open(.a.1.tmp,wn,600)! look(.a.1.tmp) "
	 "open(.a.1.tmp,wlt) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) remove(.a.1.tmp) "
	 "close(.a.1.tmp) open(.a.1.tmp,wn,600) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) "
	 "look(.a.1.old)! remove(.a.1.tmp) close(.a.1.tmp) look(.a.2.tmp)! look(.a.2.old)! "
	 "look(.a.3.tmp)! look(.a.3.old)! " TAKEN("", "a", "666") FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ",
	 "a=new", ""},
	{"a=new .a.3.old=x .a.4.tmp=x .a.5.old=x .a.7.tmp=x", "a", {{0}}, COMPARED("a")
	 "look(.a.0.tmp)! look(.a.0.old)! look(.a.1.tmp)! look(.a.1.old)! look(.a.2.tmp)! look(.a.2.old)! "
	 "look(.a.3.tmp)! look(.a.3.old) open(.a.3.tmp,wn,600) lock(.a.3.tmp,x) status(.a.3.tmp) "
	 "look(.a.3.tmp) look(.a.3.old) open(.a.3.old,lt) free(.a.3.old) status(.a.3.old) look(.a.3.old) "
	 "remove(.a.3.old) close(.a.3.old) remove(.a.3.tmp) close(.a.3.tmp) look(.a.4.tmp) "
	 "open(.a.4.tmp,wn,600)! look(.a.4.tmp) open(.a.4.tmp,wlt) lock(.a.4.tmp,x) status(.a.4.tmp) "
	 "look(.a.4.tmp) remove(.a.4.tmp) close(.a.4.tmp) open(.a.4.tmp,wn,600) lock(.a.4.tmp,x) "
	 "status(.a.4.tmp) look(.a.4.tmp) look(.a.4.old)! remove(.a.4.tmp) close(.a.4.tmp) "
	 "look(.a.5.tmp)! look(.a.5.old) open(.a.5.tmp,wn,600) lock(.a.5.tmp,x) status(.a.5.tmp) "
	 "look(.a.5.tmp) look(.a.5.old) open(.a.5.old,lt) free(.a.5.old) status(.a.5.old) look(.a.5.old) "
	 "remove(.a.5.old) close(.a.5.old) remove(.a.5.tmp) close(.a.5.tmp) look(.a.6.tmp)! " "look(.a.6.old)! ",
	 ".a.7.tmp=x a=new", ""},
	{"a=new .a.4.tmp=x", "a", {{0}}, COMPARED("a") SWEPT("", "a"), ".a.4.tmp=x a=new", ""},
	{".x.tmp=1", "a b", {{0}}, "look(a)! look(b)! list(.) " SWEPT("", "a") SWEPT("", "b") TAKEN("", "a", "666")
	 FILLED("", "a") TAKEN("", "b", "666") FILLED("", "b") "link(a,.a.0.old)! " PLACED("", "a")
	 "link(b,.b.0.old)! " PLACED("", "b") "close(.a.0.tmp) close(.b.0.tmp) ", ".x.tmp=1 a=new b=new", ""},
	{".x.old=1", "a b", {{0}}, "look(a)! look(b)! list(.) " SWEPT("", "a") SWEPT("", "b") TAKEN("", "a", "666")
	 FILLED("", "a") TAKEN("", "b", "666") FILLED("", "b") "link(a,.a.0.old)! " PLACED("", "a")
	 "link(b,.b.0.old)! " PLACED("", "b") "close(.a.0.tmp) close(.b.0.tmp) ", ".x.old=1 a=new b=new", ""},
	{"x.tmp=1 .x=1", "a b", {{0}}, "look(a)! look(b)! list(.) " TAKEN("", "a", "666") FILLED("", "a")
	 TAKEN("", "b", "666") FILLED("", "b") "link(a,.a.0.old)! " PLACED("", "a") "link(b,.b.0.old)! "
	 PLACED("", "b") "close(.a.0.tmp) close(.b.0.tmp) ", ".x=1 a=new b=new x.tmp=1", ""},
	{".x.tm=1 .tmp.x=1 y.old=1", "a b", {{0}}, "look(a)! look(b)! list(.) " TAKEN("", "a", "666") FILLED("", "a")
	 TAKEN("", "b", "666") FILLED("", "b") "link(a,.a.0.old)! " PLACED("", "a") "link(b,.b.0.old)! "
	 PLACED("", "b") "close(.a.0.tmp) close(.b.0.tmp) ", ".tmp.x=1 .x.tm=1 a=new b=new y.old=1", ""},
	{"d/ d/.x.tmp=1", "a b d/c d/e", {{0}}, "look(a)! look(b)! look(d/c)! look(d/e)! list(.) list(d/.) "
	 SWEPT("d/", "c") SWEPT("d/", "e") TAKEN("", "a", "666") FILLED("", "a") TAKEN("", "b", "666") FILLED("", "b")
	 TAKEN("d/", "c", "666") FILLED("d/", "c") TAKEN("d/", "e", "666") FILLED("d/", "e") "link(a,.a.0.old)! "
	 PLACED("", "a") "link(b,.b.0.old)! " PLACED("", "b") "link(d/c,d/.c.0.old)! " PLACED("d/", "c")
	 "link(d/e,d/.e.0.old)! " PLACED("d/", "e")
	 "close(.a.0.tmp) close(.b.0.tmp) close(d/.c.0.tmp) close(d/.e.0.tmp) ",
	 "a=new b=new d/ d/.x.tmp=1 d/c=new d/e=new", ""},
	{"d/ .x.tmp=1", "d/c d/e a b", {{0}}, "look(d/c)! look(d/e)! look(a)! look(b)! list(d/.) list(.) "
	 SWEPT("", "a") SWEPT("", "b") TAKEN("d/", "c", "666") FILLED("d/", "c") TAKEN("d/", "e", "666")
	 FILLED("d/", "e") TAKEN("", "a", "666") FILLED("", "a") TAKEN("", "b", "666") FILLED("", "b")
	 "link(d/c,d/.c.0.old)! " PLACED("d/", "c") "link(d/e,d/.e.0.old)! " PLACED("d/", "e") "link(a,.a.0.old)! "
	 PLACED("", "a") "link(b,.b.0.old)! " PLACED("", "b")
	 "close(d/.c.0.tmp) close(d/.e.0.tmp) close(.a.0.tmp) close(.b.0.tmp) ",
	 ".x.tmp=1 a=new b=new d/ d/c=new d/e=new", ""},
	{"d/ d/.x.tmp=1", "d/a b d/c", {{0}}, "look(d/a)! look(b)! look(d/c)! " SWEPT("d/", "a") SWEPT("", "b")
	 SWEPT("d/", "c") TAKEN("d/", "a", "666") FILLED("d/", "a") TAKEN("", "b", "666") FILLED("", "b")
	 TAKEN("d/", "c", "666") FILLED("d/", "c") "link(d/a,d/.a.0.old)! " PLACED("d/", "a") "link(b,.b.0.old)! "
	 PLACED("", "b") "link(d/c,d/.c.0.old)! " PLACED("d/", "c")
	 "close(d/.a.0.tmp) close(.b.0.tmp) close(d/.c.0.tmp) ", "b=new d/ d/.x.tmp=1 d/a=new d/c=new", ""},
	{"b>/dev/null .x.tmp=1", "a b c", {{0}}, "look(a)! look(b) real(b) through(/dev/null) look(c)! " SWEPT("", "a")
	 SWEPT("", "c") TAKEN("", "a", "666") FILLED("", "a") TAKEN("", "c", "666") FILLED("", "c")
	 "open(b,w) write(b) close(b) link(a,.a.0.old)! " PLACED("", "a") "link(c,.c.0.old)! " PLACED("", "c")
	 "close(.a.0.tmp) close(.c.0.tmp) ", ".x.tmp=1 a=new b>/dev/null c=new", ""},
	{"d/ d/.a.0.tmp=half d/.a.0.old=half", "d/a", {{0}}, "look(d/a)! look(d/.a.0.tmp) open(d/.a.0.tmp,wn,600)! "
	 FREED("d/", "a") MADE("d/", "a", "600")
	 "look(d/.a.0.old) open(d/.a.0.old,lt) free(d/.a.0.old) status(d/.a.0.old) look(d/.a.0.old) "
	 "remove(d/.a.0.old) close(d/.a.0.old) " DROPPED("d/", "a") SWEPT_3("d/", "a") TAKEN("d/", "a", "666")
	 FILLED("d/", "a") PLACED("d/", "a") "close(d/.a.0.tmp) ", "d/ d/a=new", ""},
};

static const struct run others[] = {
	{".a.0.tmp:444=x", "a", {{0}}, "look(a)! look(.a.0.tmp) open(.a.0.tmp,wn,600)! look(.a.0.tmp) "
	 SWEPT_3("", "a")
	 "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp:444=x a=new", ""},
	{".a.0.tmp/", "a", {{0}}, "look(a)! look(.a.0.tmp) open(.a.0.tmp,wn,600)! look(.a.0.tmp) " SWEPT_3("", "a")
	 "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp/ a=new", ""},
	{".a.0.tmp|", "a", {{0}}, "look(a)! look(.a.0.tmp) open(.a.0.tmp,wn,600)! look(.a.0.tmp) " SWEPT_3("", "a")
	 "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp| a=new", ""},
	{"b=x .a.0.tmp>b", "a", {{0}}, "look(a)! look(.a.0.tmp) open(.a.0.tmp,wn,600)! look(.a.0.tmp) "
	 SWEPT_3("", "a")
	 "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp>b a=new b=x", ""},
	{"b=x .a.0.tmp+b", "a", {{0}}, "look(a)! look(.a.0.tmp) open(.a.0.tmp,wn,600)! look(.a.0.tmp) "
	 SWEPT_3("", "a")
	 "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp=x a=new b=x", ""},
	{".a.0.old/", "a", {{0}}, "look(a)! look(.a.0.tmp)! look(.a.0.old) " MADE("", "a", "600") "look(.a.0.old) "
	 DROPPED("", "a") SWEPT_3("", "a") MADE("", "a", "666") "look(.a.0.old) " DROPPED("", "a")
	 "open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! "
	 "write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.old/ a=new", ""},
	{"b=x .a.0.old>b", "a", {{0}}, "look(a)! look(.a.0.tmp)! look(.a.0.old) " MADE("", "a", "600")
	 "look(.a.0.old) " DROPPED("", "a") SWEPT_3("", "a") MADE("", "a", "666") "look(.a.0.old) " DROPPED("", "a")
	 "open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! "
	 "write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.old>b a=new b=x", ""},
	{".a.0.old|", "a", {{0}}, "look(a)! look(.a.0.tmp)! look(.a.0.old) " MADE("", "a", "600") "look(.a.0.old) "
	 DROPPED("", "a") SWEPT_3("", "a") MADE("", "a", "666") "look(.a.0.old) " DROPPED("", "a")
	 "open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! "
	 "write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.old| a=new", ""},
	{"b=x .a.0.old+b", "a", {{0}}, "look(a)! look(.a.0.tmp)! look(.a.0.old) " MADE("", "a", "600")
	 "look(.a.0.old) open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) "
	 "remove(.a.0.old) close(.a.0.old) " DROPPED("", "a") SWEPT_3("", "a") TAKEN("", "a", "666") FILLED("", "a")
	 PLACED("", "a") "close(.a.0.tmp) ", "a=new b=x", ""},
	{".a.0.old:444=x", "a", {{0}}, "look(a)! look(.a.0.tmp)! look(.a.0.old) " MADE("", "a", "600")
	 "look(.a.0.old) open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) "
	 "remove(.a.0.old) close(.a.0.old) " DROPPED("", "a") SWEPT_3("", "a") TAKEN("", "a", "666") FILLED("", "a")
	 PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"b=x .a.0.tmp=half", "a", {{"open", 2, 0, ".a.0.tmp>b", 0}}, "open(.a.0.tmp,wlt)! " SWEPT_3("", "a")
	 "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp>b a=new b=x", ""},
	{"b=x .a.0.tmp=half", "a", {{"open", 2, 0, ".a.0.tmp|", 0}}, "open(.a.0.tmp,wlt)! " SWEPT_3("", "a")
	 "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp| a=new b=x", ""},
	{".a.0.tmp=half", "a", {{"open", 2, 0, ".a.0.tmp~", 0}}, "open(.a.0.tmp,wlt)! " SWEPT_3("", "a")
	 TAKEN("", "a", "666") FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{".a.0.tmp=half", "a", {{"lock", 1, EAGAIN, NULL, 0}}, "lock(.a.0.tmp,x)! close(.a.0.tmp) " SWEPT_3("", "a")
	 "open(.a.0.tmp,wn,666)! " FREED("", "a") TAKEN("", "a", "666") FILLED("", "a") PLACED("", "a")
	 "close(.a.0.tmp) ", "a=new", ""},
	{".a.0.tmp=half", "a", {{"lock", 1, 0, ".a.0.tmp=other", 0}},
	 "lock(.a.0.tmp,x) status(.a.0.tmp) look(.a.0.tmp) close(.a.0.tmp) " SWEPT_3("", "a") "open(.a.0.tmp,wn,666)! "
	 FREED("", "a") TAKEN("", "a", "666") FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{".a.0.tmp=half", "a", {{"lock", 1, 0, ".a.0.tmp~", 0}},
	 "lock(.a.0.tmp,x) status(.a.0.tmp) look(.a.0.tmp)! close(.a.0.tmp) " SWEPT_3("", "a") TAKEN("", "a", "666")
	 FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{".a.0.tmp=half", "a", {{"remove", 1, EACCES, NULL, ALWAYS}}, "remove(.a.0.tmp)! close(.a.0.tmp) "
	 SWEPT_3("", "a") "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.0.tmp,wlt) lock(.a.0.tmp,x) status(.a.0.tmp) "
	 "look(.a.0.tmp) remove(.a.0.tmp)! close(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) "
	 "status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) "
	 "rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.tmp=half a=new", ""},
	{".a.0.tmp=half", "a", {{"remove", 1, 0, ".a.0.tmp~", 0}}, "remove(.a.0.tmp)! close(.a.0.tmp) "
	 SWEPT_3("", "a") TAKEN("", "a", "666") FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{".a.0.old=half", "a", {{"free", 1, EACCES, NULL, 0}}, "free(.a.0.old)! close(.a.0.old) " DROPPED("", "a")
	 SWEPT_3("", "a") MADE("", "a", "666")
	 "look(.a.0.old) open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) "
	 "remove(.a.0.old) close(.a.0.old) " FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{".a.0.old=half", "a", {{"free", 1, 0, ".a.0.old=other", 0}},
	 "free(.a.0.old) status(.a.0.old) look(.a.0.old) close(.a.0.old) " DROPPED("", "a") SWEPT_3("", "a")
	 MADE("", "a", "666") "look(.a.0.old) open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) "
	 "remove(.a.0.old) close(.a.0.old) " FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"b=x .a.0.old=half", "a", {{"open", 2, 0, ".a.0.old>b", 0}}, "open(.a.0.old,lt)! " DROPPED("", "a")
	 SWEPT_3("", "a") MADE("", "a", "666") "look(.a.0.old) " DROPPED("", "a")
	 "open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! "
	 "write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.old>b a=new b=x", ""},
	{"b=x .a.0.old=half", "a", {{"open", 2, 0, ".a.0.old|", 0}},
	 "open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) remove(.a.0.old) close(.a.0.old) "
	 DROPPED("", "a") SWEPT_3("", "a") TAKEN("", "a", "666") FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ",
	 "a=new b=x", ""},
	{".a.0.old=half", "a", {{"open", 2, EACCES, NULL, 0}}, "open(.a.0.old,lt)! " DROPPED("", "a") SWEPT_3("", "a")
	 MADE("", "a", "666") "look(.a.0.old) open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) "
	 "remove(.a.0.old) close(.a.0.old) " FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{".a.0.old=half", "a", {{"open", 2, EACCES, NULL, 0}, {"open", 4, EACCES, NULL, 0}}, "open(.a.0.old,lt)! "
	 DROPPED("", "a") SWEPT_3("", "a") MADE("", "a", "666") "look(.a.0.old) open(.a.0.old,lt)! " DROPPED("", "a")
	 "open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! "
	 "write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.old=half a=new", ""},
	{".a.0.old=half", "a", {{"remove", 1, EACCES, NULL, 0}}, "remove(.a.0.old)! close(.a.0.old) " DROPPED("", "a")
	 SWEPT_3("", "a") MADE("", "a", "666")
	 "look(.a.0.old) open(.a.0.old,lt) free(.a.0.old) status(.a.0.old) look(.a.0.old) "
	 "remove(.a.0.old) close(.a.0.old) " FILLED("", "a") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"", "a", {{"lock", 1, EAGAIN, NULL, 0}},
	 "lock(.a.0.tmp,x)! close(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp= a=new", ""},
	{"", "a", {{"lock", 1, EACCES, NULL, 0}},
	 "lock(.a.0.tmp,x)! close(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp= a=new", ""},
	{"", "a", {{"lock", 1, ENOLCK, NULL, 0}}, "lock(.a.0.tmp,x)! " DROPPED("", "a")
	 "open(.a.7-0.tmp,wn,666) write(.a.7-0.tmp) sync(.a.7-0.tmp) close(.a.7-0.tmp) rename(.a.7-0.tmp,a) ", "a=new",
	 ""},
	{"", "a", {{"lock", 1, ENOLCK, NULL, 0}, {"open", 2, EEXIST, NULL, 0}}, "lock(.a.0.tmp,x)! " DROPPED("", "a")
	 "open(.a.7-0.tmp,wn,666)! open(.a.7-1.tmp,wn,666) write(.a.7-1.tmp) sync(.a.7-1.tmp) "
	 "close(.a.7-1.tmp) rename(.a.7-1.tmp,a) ", "a=new", ""},
	{"", "a", {{"status", 1, EIO, NULL, 0}},
	 "status(.a.0.tmp)! close(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) "
	 "look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) " "close(.a.1.tmp) ",
	 ".a.0.tmp= a=new", ""},
	{"", "a", {{"status", 1, 0, ".a.0.tmp~", 0}},
	 "status(.a.0.tmp) look(.a.0.tmp)! close(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) "
	 "status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) "
	 "rename(.a.1.tmp,a) close(.a.1.tmp) ", "a=new", ""},
	{"", "a", {{"status", 1, 0, ".a.0.tmp=other", 0}},
	 "status(.a.0.tmp) look(.a.0.tmp) close(.a.0.tmp) open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) "
	 "status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! write(.a.1.tmp) sync(.a.1.tmp) "
	 "rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.tmp=other a=new", ""},
	{"", "a", {{"open", 1, 0, ".a.0.tmp=other", 0}, {"lock", 1, EAGAIN, NULL, 0}},
	 "open(.a.0.tmp,wn,666)! look(.a.0.tmp) open(.a.0.tmp,wlt) lock(.a.0.tmp,x)! close(.a.0.tmp) "
	 "open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! "
	 "write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.tmp=other a=new", ""},
	{"", "a", {{"look", 10, 0, ".a.0.old/", 0}}, "look(.a.0.tmp) look(.a.0.old) " DROPPED("", "a")
	 "open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! "
	 "write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) close(.a.1.tmp) ", ".a.0.old/ a=new", ""},
	{"", "a", {{"look", 11, EACCES, NULL, 0}}, "look(.a.0.old)! " DROPPED("", "a")
	 "open(.a.1.tmp,wn,666) lock(.a.1.tmp,x) status(.a.1.tmp) look(.a.1.tmp) look(.a.1.old)! "
	 "write(.a.1.tmp) sync(.a.1.tmp) rename(.a.1.tmp,a) close(.a.1.tmp) ", "a=new", ""},
};

static const struct run failures[] = {
	{"a=old", "a", {{"look", 1, EACCES, NULL, 0}}, "look(a)! " SWEPT("", "a") TAKEN("", "a", "666") FILLED("", "a")
	 PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"a=old", "a", {{"open", 1, EACCES, NULL, 0}}, "open(a,t)! " SWEPT("", "a") TAKEN("", "a", "644")
	 FILLED_AS("", "a", "644") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"a=new", "a", {{"open", 1, EACCES, NULL, 0}}, "open(a,t)! " SWEPT("", "a") TAKEN("", "a", "644")
	 FILLED_AS("", "a", "644") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"a=new", "a", {{"read", 1, EINTR, NULL, 0}}, "read(a)! read(a) close(a) " SWEPT("", "a"), "a=new", ""},
	{"a=new", "a", {{"read", 1, EIO, NULL, 0}}, "read(a)! close(a) " SWEPT("", "a") TAKEN("", "a", "644")
	 FILLED_AS("", "a", "644") PLACED("", "a") "close(.a.0.tmp) ", "a=new", ""},
	{"a=old", "a", {{"open", 2, EACCES, NULL, 0}}, "open(.a.0.tmp,wn,644)! ", "a=old",
	 "spirv-bind: cannot write a: Permission denied\n"},
	{"a=old", "a", {{"open", 2, EROFS, NULL, 0}}, "open(.a.0.tmp,wn,644)! ", "a=old",
	 "spirv-bind: cannot write a: Read-only file system\n"},
	{"a=old", "a", {{"write", 1, EINTR, NULL, 0}}, "write(.a.0.tmp)! " FILLED_AS("", "a", "644") PLACED("", "a")
	 "close(.a.0.tmp) ", "a=new", ""},
	{"a=old", "a", {{"write", 1, EINTR, NULL, 0}, {"write", 2, NOTHING, NULL, 0}},
	 "write(.a.0.tmp)! write(.a.0.tmp) " DROPPED("", "a"), "a=old",
	 "spirv-bind: cannot write a: Interrupted system call\n"},
	{"a=new", "a", {{"read", 1, EINTR, NULL, 0}, {"read", 2, NOTHING, NULL, 0}}, "read(a)! read(a) close(a) "
	 SWEPT("", "a") TAKEN("", "a", "644") FILLED_AS("", "a", "644") PLACED("", "a") "close(.a.0.tmp) ", "a=new",
	 ""},
	{"a=old", "a", {{"write", 1, ENOSPC, NULL, 0}}, "write(.a.0.tmp)! " DROPPED("", "a"), "a=old",
	 "spirv-bind: cannot write a: No space left on device\n"},
	{"a=old", "a", {{"mode", 1, EPERM, NULL, 0}}, "mode(.a.0.tmp,644)! " DROPPED("", "a"), "a=old",
	 "spirv-bind: cannot write a: Operation not permitted\n"},
	{"a=old", "a", {{"sync", 1, EIO, NULL, 0}}, "sync(.a.0.tmp)! " DROPPED("", "a"), "a=old",
	 "spirv-bind: cannot write a: Input/output error\n"},
	{"", "a", {{"write", 1, ENOSPC, NULL, 0}}, "write(.a.0.tmp)! " DROPPED("", "a"), "",
	 "spirv-bind: cannot write a: No space left on device\n"},
	{"a=old", "a", {{"rename", 1, EACCES, NULL, 0}}, "rename(.a.0.tmp,a)! " DROPPED("", "a"), "a=old",
	 "spirv-bind: cannot write a: Permission denied\n"},
	{"a=old", "a", {{"rename", 1, EACCES, NULL, 0}, {"remove", 1, EACCES, NULL, 0}},
	 "rename(.a.0.tmp,a)! remove(.a.0.tmp)! close(.a.0.tmp) ", ".a.0.tmp=new a=old",
	 "spirv-bind: cannot write a: Permission denied\n"},
	{"a=old b=old", "a b", {{"open", 5, EACCES, NULL, 0}}, "open(.a.0.old,lt)! " PLACED("", "a") KEPT("", "b")
	 PLACED("", "b") "remove(.a.0.old) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ",
	 "a=new b=new", ""},
	{"a=old b=old", "a b", {{"write", 2, ENOSPC, NULL, 0}}, "write(.b.0.tmp)! " DROPPED("", "a") DROPPED("", "b"),
	 "a=old b=old", "spirv-bind: cannot write b: No space left on device\n"},
	{"a=old b=old", "a b", {{"rename", 1, EACCES, NULL, 0}},
	 "rename(.a.0.tmp,a)! remove(.a.0.tmp) remove(.a.0.old) close(.a.0.tmp) close(.a.0.old) " DROPPED("", "b"),
	 "a=old b=old", "spirv-bind: cannot write a: Permission denied\n"},
	{"a=old b=old", "a b", {{"rename", 2, EACCES, NULL, 0}},
	 "rename(.b.0.tmp,b)! rename(.a.0.old,a) close(.a.0.tmp) close(.a.0.old) remove(.b.0.tmp) "
	 "remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=old b=old",
	 "spirv-bind: cannot write b: Permission denied\n"},
	{"b=old", "a b", {{"rename", 2, EACCES, NULL, 0}},
	 "rename(.b.0.tmp,b)! remove(a) close(.a.0.tmp) remove(.b.0.tmp) remove(.b.0.old) close(.b.0.tmp) "
	 "close(.b.0.old) ", "b=old", "spirv-bind: cannot write b: Permission denied\n"},
	{"a=old", "a b", {{"rename", 2, EACCES, NULL, 0}},
	 "rename(.b.0.tmp,b)! rename(.a.0.old,a) close(.a.0.tmp) close(.a.0.old) " DROPPED("", "b"), "a=old",
	 "spirv-bind: cannot write b: Permission denied\n"},
	{"a=old b=old c=new", "a c b", {{"rename", 2, EACCES, NULL, 0}},
	 "rename(.b.0.tmp,b)! rename(.a.0.old,a) close(.a.0.tmp) close(.a.0.old) remove(.b.0.tmp) "
	 "remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=old b=old c=new",
	 "spirv-bind: cannot write b: Permission denied\n"},
	{"a=old b=old c>/dev/null", "a c b", {{"rename", 2, EACCES, NULL, 0}},
	 "rename(.b.0.tmp,b)! rename(.a.0.old,a) close(.a.0.tmp) close(.a.0.old) remove(.b.0.tmp) "
	 "remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=old b=old c>/dev/null",
	 "spirv-bind: cannot write b: Permission denied\n"},
	{"a=old b=old", "a b", {{"rename", 2, EACCES, NULL, 0}, {"rename", 3, EIO, NULL, 0}},
	 "rename(.b.0.tmp,b)! rename(.a.0.old,a)! close(.a.0.tmp) close(.a.0.old) remove(.b.0.tmp) "
	 "remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", ".a.0.old=old a=new b=old",
	 "spirv-bind: cannot write b: Permission denied\n"
	 "spirv-bind: cannot put back a: Input/output error\n"
	 "spirv-bind: the old file is kept as .a.0.old until the next run that writes a\n"},
	{"a>e b=old e=old", "a b", {{"rename", 2, EACCES, NULL, 0}, {"rename", 3, EIO, NULL, 0}},
	 "rename(.b.0.tmp,b)! rename(.e.0.old,e)! close(.e.0.tmp) close(.e.0.old) remove(.b.0.tmp) "
	 "remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", ".e.0.old=old a>e b=old e=new",
	 "spirv-bind: cannot write b: Permission denied\n"
	 "spirv-bind: cannot put back e: Input/output error\n"
	 "spirv-bind: the old file is kept as .e.0.old until the next run that writes a\n"},
	{"a=old b=old", "a b", {{"link", 1, EACCES, NULL, 0}, {"through", 1, EACCES, NULL, 0}},
	 "link(a,.a.0.old)! through(a)! " DROPPED("", "a") DROPPED("", "b"), "a=old b=old",
	 "spirv-bind: cannot keep a: Permission denied\n"},
	{"a=old b=old", "a b", {{"link", 1, 0, "a~", 0}}, "link(a,.a.0.old)! " PLACED("", "a") KEPT("", "b")
	 PLACED("", "b") "close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=new b=new", ""},
	{"a=old b=old", "a b", {{"link", 1, EPERM, NULL, 0}, {"through", 1, ENOENT, NULL, 0}},
	 "link(a,.a.0.old)! through(a)! " PLACED("", "a") KEPT("", "b") PLACED("", "b")
	 "close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=new b=new", ""},
	{"a=old b=old", "a b", {{"link", 1, EEXIST, NULL, 0}}, "link(a,.a.0.old)! link(a,.a.7-1.old) " PLACED("", "a")
	 KEPT("", "b") PLACED("", "b")
	 "remove(.a.7-1.old) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=new b=new", ""},
	{"a=old b=old", "a b", {{"link", 1, EEXIST, NULL, 0}, {"rename", 2, EACCES, NULL, 0}},
	 "link(a,.a.0.old)! link(a,.a.7-1.old) " PLACED("", "a") KEPT("", "b")
	 "rename(.b.0.tmp,b)! rename(.a.7-1.old,a) close(.a.0.tmp) remove(.b.0.tmp) remove(.b.0.old) "
	 "close(.b.0.tmp) close(.b.0.old) ", "a=old b=old", "spirv-bind: cannot write b: Permission denied\n"},
	{"a=old b=old", "a b", {{"link", 1, 0, ".a.0.old=other", 0}}, "link(a,.a.0.old)! link(a,.a.7-1.old) "
	 PLACED("", "a") KEPT("", "b") PLACED("", "b")
	 "remove(.a.7-1.old) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ",
	 ".a.0.old=other a=new b=new", ""},
	{"a=old b=old", "a b", {{"link", 2, 0, ".b.0.old=other .b.7-1.old=other", 0}},
	 "link(b,.b.0.old)! link(b,.b.7-1.old)! link(b,.b.7-2.old) " PLACED("", "b")
	 "remove(.a.0.old) close(.a.0.tmp) close(.a.0.old) remove(.b.7-2.old) close(.b.0.tmp) ",
	 ".b.0.old=other .b.7-1.old=other a=new b=new", ""},
	{"a=old b=old", "a b", {{"open", 5, 0, ".a.0.old>b", 0}}, "open(.a.0.old,lt)! " PLACED("", "a") KEPT("", "b")
	 PLACED("", "b") "remove(.a.0.old) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ",
	 "a=new b=new", ""},
	{"a=old b=old", "a b", {{"open", 5, 0, ".a.0.old|", 0}}, "open(.a.0.old,lt) lock(.a.0.old,s) " PLACED("", "a")
	 KEPT("", "b") PLACED("", "b")
	 "remove(.a.0.old) close(.a.0.tmp) close(.a.0.old) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ",
	 "a=new b=new", ""},
	{"a=old b=old", "a b", {{"lock", 3, EAGAIN, NULL, 0}}, "lock(.a.0.old,s)! close(.a.0.old) " PLACED("", "a")
	 KEPT("", "b") PLACED("", "b")
	 "remove(.a.0.old) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=new b=new", ""},
	{"a=old b:444=old", "a b", {{"link", 1, EPERM, NULL, ALWAYS}},
	 "link(a,.a.0.old)! through(a) open(a) status(a) read(a) close(a) open(.a.0.old,wn,644) "
	 "lock(.a.0.old,x) write(.a.0.old) mode(.a.0.old,644) sync(.a.0.old) " PLACED("", "a")
	 "link(b,.b.0.old)! through(b) open(b) status(b) read(b) close(b) open(.b.0.old,wn,444) "
	 "lock(.b.0.old,x) write(.b.0.old) mode(.b.0.old,444) sync(.b.0.old) " PLACED("", "b")
	 "mode(.b.0.tmp,444) remove(.a.0.old) close(.a.0.tmp) close(.a.0.old) remove(.b.0.old) "
	 "close(.b.0.tmp) close(.b.0.old) ", "a=new b:444=new", ""},
	{"a=old b:444=old", "a b", {{"link", 1, EPERM, NULL, ALWAYS}, {"rename", 2, EACCES, NULL, 0}},
	 "link(a,.a.0.old)! through(a) open(a) status(a) read(a) close(a) open(.a.0.old,wn,644) "
	 "lock(.a.0.old,x) write(.a.0.old) mode(.a.0.old,644) sync(.a.0.old) " PLACED("", "a")
	 "link(b,.b.0.old)! through(b) open(b) status(b) read(b) close(b) open(.b.0.old,wn,444) "
	 "lock(.b.0.old,x) write(.b.0.old) mode(.b.0.old,444) sync(.b.0.old) rename(.b.0.tmp,b)! "
	 "rename(.a.0.old,a) close(.a.0.tmp) close(.a.0.old) remove(.b.0.tmp) remove(.b.0.old) "
	 "close(.b.0.tmp) close(.b.0.old) ", "a=old b:444=old", "spirv-bind: cannot write b: Permission denied\n"},
	{"a=old b=old", "a b", {{"link", 1, EPERM, NULL, ALWAYS}, {"read", 3, EIO, NULL, 0}},
	 "link(a,.a.0.old)! through(a) open(a) status(a) read(a)! close(a) " DROPPED("", "a") DROPPED("", "b"),
	 "a=old b=old", "spirv-bind: cannot read a: Input/output error\n"},
	{"a=old b=old", "a b", {{"link", 1, EPERM, NULL, ALWAYS}, {"open", 6, EACCES, NULL, 0}},
	 "link(a,.a.0.old)! through(a) open(a) status(a) read(a) close(a) open(.a.0.old,wn,644)! "
	 "open(.a.7-0.old,wn,644) write(.a.7-0.old) mode(.a.7-0.old,644) sync(.a.7-0.old) " "close(.a.7-0.old) "
	 PLACED("", "a") "link(b,.b.0.old)! through(b) open(b) status(b) read(b) close(b) open(.b.0.old,wn,644) "
	 "lock(.b.0.old,x) write(.b.0.old) mode(.b.0.old,644) sync(.b.0.old) " PLACED("", "b")
	 "remove(.a.7-0.old) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=new b=new", ""},
	{"a=old b=old", "a b", {{"link", 1, EPERM, NULL, ALWAYS}, {"open", 6, EEXIST, NULL, 0}},
	 "link(a,.a.0.old)! through(a) open(a) status(a) read(a) close(a) open(.a.0.old,wn,644)! "
	 "open(.a.7-0.old,wn,644) write(.a.7-0.old) mode(.a.7-0.old,644) sync(.a.7-0.old) " "close(.a.7-0.old) "
	 PLACED("", "a") "link(b,.b.0.old)! through(b) open(b) status(b) read(b) close(b) open(.b.0.old,wn,644) "
	 "lock(.b.0.old,x) write(.b.0.old) mode(.b.0.old,644) sync(.b.0.old) " PLACED("", "b")
	 "remove(.a.7-0.old) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=new b=new", ""},
	{"a=old b=old", "a b", {{"link", 1, EPERM, NULL, ALWAYS}, {"lock", 3, EAGAIN, NULL, 0}},
	 "link(a,.a.0.old)! through(a) open(a) status(a) read(a) close(a) open(.a.0.old,wn,644) "
	 "lock(.a.0.old,x)! write(.a.0.old) mode(.a.0.old,644) sync(.a.0.old) close(.a.0.old) " PLACED("", "a")
	 "link(b,.b.0.old)! through(b) open(b) status(b) read(b) close(b) open(.b.0.old,wn,644) "
	 "lock(.b.0.old,x) write(.b.0.old) mode(.b.0.old,644) sync(.b.0.old) " PLACED("", "b")
	 "remove(.a.0.old) close(.a.0.tmp) remove(.b.0.old) close(.b.0.tmp) close(.b.0.old) ", "a=new b=new", ""},
	{"a=old b=old", "a b", {{"link", 1, EPERM, NULL, ALWAYS}, {"write", 3, ENOSPC, NULL, 0}},
	 "link(a,.a.0.old)! through(a) open(a) status(a) read(a) close(a) open(.a.0.old,wn,644) "
	 "lock(.a.0.old,x) write(.a.0.old)! remove(.a.0.tmp) remove(.a.0.old) close(.a.0.tmp) " "close(.a.0.old) "
	 DROPPED("", "b"), "a=old b=old", "spirv-bind: cannot keep a: No space left on device\n"},
	{"a=old b=old", "a b", {{"link", 1, EPERM, NULL, ALWAYS}, {"mode", 3, EPERM, NULL, 0}},
	 "link(a,.a.0.old)! through(a) open(a) status(a) read(a) close(a) open(.a.0.old,wn,644) "
	 "lock(.a.0.old,x) write(.a.0.old) mode(.a.0.old,644)! remove(.a.0.tmp) remove(.a.0.old) "
	 "close(.a.0.tmp) close(.a.0.old) " DROPPED("", "b"), "a=old b=old",
	 "spirv-bind: cannot keep a: Operation not permitted\n"},
	{"a>/dev/null", "a", {{"open", 1, EACCES, NULL, 0}}, "open(a,w)! ", "a>/dev/null",
	 "spirv-bind: cannot write a: Permission denied\n"},
	{"a>/dev/null", "a", {{"close", 1, EIO, NULL, 0}}, "close(a)! ", "a>/dev/null",
	 "spirv-bind: cannot write a: Input/output error\n"},
	{"a>/dev/null", "a", {{"write", 1, EIO, NULL, 0}}, "write(a)! close(a) ", "a>/dev/null",
	 "spirv-bind: cannot write a: Input/output error\n"},
	{"a>b b=old", "a", {{"real", 1, ENOMEM, NULL, 0}}, "real(a)! real(.) through(b) open(b,t) read(b) close(b) "
	 SWEPT("", "b") TAKEN("", "b", "644") FILLED_AS("", "b", "644") PLACED("", "b") "close(.b.0.tmp) ",
	 "a>b b=new", ""},
};

/* clang-format on */

#endif
