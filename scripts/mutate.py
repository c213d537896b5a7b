#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes one place of src at a time, and asks which tests notice.

    scripts/mutate.py [--seed N] [--count N] [--least N] [--jobs N] [--tests REGEX] [--minutes N] [--room ROOM]
                      [--probe FOLDER]
    scripts/mutate.py --self-test [--cc CC]

All changes (mutants) of a run are in one release build, of a copy of the tree in build/mutation: each changed place
asks a switch, which the environment variable SPB_MUTATION sets when a process starts. So there is one build instead of
one for each mutant, and the same build tells which mutants a test reaches at all (SPB_MUTATION_REACH): no test is run
for a mutant that it does not reach.

The sample is drawn room by room (a room is a folder of src), in proportion to its size, but at least a few of each;
--least says how many. A room's score says little if it is that of a few: of eight, one survivor is 12 %.
Every mutant is tried on the unit tests that reach it, then on the lines of test/outputs.py and test/sessions.py that
do, on the golden fixtures, and on the properties of some of them, then on each function of the other tests that
reaches it, cheap ones first, until one fails; then on the slow tests, and on those that run shaders. What survives is
printed with file, line and change. A survivor that changes nothing that anybody could see goes into
scripts/mutate_equivalent.txt, with the reason; it is not counted. To tell those apart, --probe compares what the
command writes with and without a survivor, for real modules; that is no test.

What has no switch: constants outside functions (tables, enumerators), labels of cases, the headers, and what is for
other systems, which is not in this build: scripts/test.sh platforms runs that."""
import argparse
import collections
import json
import multiprocessing
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OTHER_BUILD = ("_windows.c", "_none.c")  # what is not in this build, so that no test of it could notice anything
EMPTY_LOOP = re.compile(r"(for|while) \(.*\) continue;$")  # whose body is as empty without it
EQUIVALENT = os.path.join(ROOT, "scripts", "mutate_equivalent.txt")

# In front of the first line of a file with switches, which is built with the flags of all others (so that a compiler's
# cache knows those).
IGNORED = """pragmas unknown-warning-option address aggressive-loop-optimizations array-bounds bool-compare
    bool-operation conversion dangling-pointer div-by-zero empty-body enum-conversion float-conversion format-overflow
    format-truncation free-nonheap-object implicit-fallthrough infinite-recursion int-in-bool-context
    logical-not-parentheses maybe-uninitialized misleading-indentation nonnull overflow parentheses restrict return-type
    shift-count-negative shift-count-overflow shift-overflow sign-compare sign-conversion stringop-overflow
    stringop-overread stringop-truncation switch-unreachable tautological-compare type-limits uninitialized
    unused-but-set-variable unused-function unused-label unused-value unused-variable use-after-free""".split()
REFUSED = "vla int-conversion incompatible-pointer-types".split()
PROLOGUE = "".join(
    '_Pragma("GCC diagnostic %s \\"-W%s\\"") ' % (what, name)
    for what, names in (("ignored", IGNORED), ("error", REFUSED)) for name in names) + "int spb_mutant(int number); "

RUNTIME = r"""/* Which mutant is switched on, and which ones were asked for, noted at once: a process may end anyhow. */
#define _GNU_SOURCE /* syscall */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int spb_mutant(int number);

static int chosen = -1;
static char reached[MUTANTS + 1], notes[4000];

static void tell(int number)
{
	char path[4096], line[16];
	int saved = errno, length = snprintf(line, sizeof line, "%d\n", number);

	snprintf(path, sizeof path, "%s/%ld", notes, (long)getpid());
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (fd >= 0 && write(fd, line, (size_t)length) == length)
		syscall(SYS_close, fd); /* a test may have a close() of its own, and count its calls */
	errno = saved;
}

static void start(void)
{
	const char *number = getenv("SPB_MUTATION"), *seconds = getenv("SPB_MUTATION_SECONDS");
	struct rlimit limit;

	chosen = number ? atoi(number) : 0;
	if (chosen && seconds) { /* a mutant may loop for ever, or take all memory */
		limit.rlim_cur = limit.rlim_max = (rlim_t)atoi(seconds);
		setrlimit(RLIMIT_CPU, &limit);
#ifndef __SANITIZE_ADDRESS__ /* which reserves much more than it uses */
		limit.rlim_cur = limit.rlim_max = (rlim_t)4 << 30;
		setrlimit(RLIMIT_AS, &limit);
#endif
	}
	if (getenv("SPB_MUTATION_REACH"))
		snprintf(notes, sizeof notes, "%s", getenv("SPB_MUTATION_REACH"));
}

int spb_mutant(int number)
{
	if (chosen < 0)
		start();
	if (!reached[number] && *notes)
		tell(number);
	reached[number] = 1;
	return chosen == number;
}
"""

# Places to change. No parser: the tokens of what clang-format has formatted, and the precedence of operators.

TOKEN = re.compile(r"""(?P<skip>\s+|/\*.*?\*/|//[^\n]*|^\#(?:\\\n|[^\n])*)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')
    |(?P<number>\d[\w.]*)|(?P<name>[A-Za-z_]\w*)
    |(?P<op>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""", re.S | re.M | re.X)
PRECEDENCE = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8,
              ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-",
         "-": "+"}
KIND = {"<": "bound", "<=": "bound", ">": "bound", ">=": "bound", "==": "equality", "!=": "equality", "&&": "logic",
        "||": "logic", "+": "sum", "-": "sum"}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
STOPS = ASSIGN | {";", ",", "?", ":"}
KEYWORDS = {"return", "case", "else", "if", "for", "while", "do", "switch", "goto", "default", "sizeof", "const",
            "struct", "static", "enum", "union", "break", "continue", "unsigned", "int", "char", "bool"}
NEVER = {"assert", "static_assert", "_Static_assert", "va_start", "va_end", "va_copy", "ASAN_POISON_MEMORY_REGION",
         "ASAN_UNPOISON_MEMORY_REGION"}
NOT_SHIPPED = re.compile(r"^#ifndef NDEBUG\n.*?^#endif", re.S | re.M)
OTHER_SYSTEMS = re.compile(r"(?<=^#else\n)(?:(?!#endif).*\n)+(?=^#endif)", re.M)
LINUX = re.compile(r"^#if(?:def __linux__| defined\(__linux__\))\n(?:(?!#endif).*\n)+^#endif", re.M)
WEIGHT = {"negation": 2, "bound": 3, "equality": 2, "logic": 3, "sum": 2, "number": 3, "call removed": 3,
          "assignment removed": 3, "jump removed": 3, "result": 2, "flag dropped": 2}


class Token:
    def __init__(self, kind, text, at):
        self.kind, self.text, self.at, self.end, self.partner = kind, text, at, at + len(text), None


class Source:
    def __init__(self, text):
        self.text = text
        shipped = NOT_SHIPPED.sub(lambda m: " " * len(m[0]), text)
        shipped = LINUX.sub(lambda m: OTHER_SYSTEMS.sub(lambda e: " " * len(e[0]), m[0]), shipped)
        self.tokens = [Token(m.lastgroup, m[0], m.start()) for m in TOKEN.finditer(shipped) if m.lastgroup != "skip"]
        opened = []
        for i, token in enumerate(self.tokens):
            if token.kind == "op" and token.text in "([{":
                opened.append(i)
            elif token.kind == "op" and token.text in ")]}" and opened:
                token.partner = opened.pop()
                self.tokens[token.partner].partner = i

    def between(self, first, last):
        return self.text[self.tokens[first].at:self.tokens[last].end]

    def is_binary(self, i):
        before = self.tokens[i - 1]
        return before.text in (")", "]") or before.kind in ("number", "text") or (
            before.kind == "name" and before.text not in KEYWORDS)

    def stops(self, i, least):
        token = self.tokens[i]
        if token.text in STOPS or token.text in ("return", "case", "else"):
            return True
        return token.text in PRECEDENCE and self.is_binary(i) and PRECEDENCE[token.text] < least

    def operands(self, i):
        """The first and the last token of what the binary operator number i computes."""
        level = PRECEDENCE[self.tokens[i].text]
        first, last = i - 1, i + 1
        while not self.stops(first, level) and self.tokens[first].text not in ("(", "[", "{", ";"):
            closes = self.tokens[first].text in (")", "]", "}")
            first = (self.tokens[first].partner if closes else first) - 1
        while not self.stops(last, level + 1) and self.tokens[last].text not in (")", "]", "}"):
            opens = self.tokens[last].text in ("(", "[", "{")
            last = (self.tokens[last].partner if opens else last) + 1
        return first + 1, last - 1

    def bodies(self):
        """First and last token of each function, and whether it returns bool. Its braces are in the first column."""
        for i, token in enumerate(self.tokens):
            if token.text == "{" and (token.at == 0 or self.text[token.at - 1] == "\n") and token.partner:
                head = i - 1
                while head >= 0 and self.tokens[head].text not in (";", "}"):
                    head -= 1
                words = [t.text for t in self.tokens[head + 1:i]][:5]
                name = words.index("(") if "(" in words else len(words)
                yield i + 1, token.partner, "bool" in words[:name] and "*" not in words[:name]


def sites(source):
    """(kind, first character, end, text with # for the number of the mutant, what was, what is)"""
    for first, end, is_bool in source.bodies():
        i = first
        while i < end:
            if source.tokens[i].text in ("static", "case") or (source.tokens[i].text in NEVER):
                while source.tokens[i].text not in (";", ":"):  # constants, whose value no switch can be
                    i += 1
            yield from sites_at(source, i, is_bool)
            i += 1


def choice(kind, source, first, last, new):
    old = source.between(first, last)
    return (kind, source.tokens[first].at, source.tokens[last].end,
            "(spb_mutant(#) ? (%s) : (%s))" % (new, old), old, new)


def sites_at(source, i, is_bool):
    token, tokens = source.tokens[i], source.tokens
    if token.text == "if" and tokens[i + 1].partner:
        first, last = i + 2, tokens[i + 1].partner - 1
        yield choice("negation", source, first, last, "!(%s)" % source.between(first, last))
    elif token.text in OTHER and source.is_binary(i):
        first, last = source.operands(i)
        new = source.text[tokens[first].at:token.at] + OTHER[token.text] + source.text[token.end:tokens[last].end]
        yield choice(KIND[token.text], source, first, last, new)
    elif token.text == "|" and source.is_binary(i):
        first, last = source.operands(i)
        yield choice("flag dropped", source, first, last, source.between(first, i - 1))
        yield choice("flag dropped", source, first, last, source.between(i + 1, last))
    elif token.kind == "number":
        found = re.fullmatch(r"(\d+)(u?)", token.text)
        if found and not (tokens[i - 1].text == "{" and tokens[i + 1].text == "}"):
            for step in (1, -1) if int(found[1]) else (1,):
                yield choice("number", source, i, i, "%d%s" % (int(found[1]) + step, found[2]))
    elif token.text == "return" and tokens[i + 1].text in ("true", "false", "0", "1") and tokens[i + 2].text == ";":
        new = {"true": "false", "false": "true", "0": "1", "1": "0"}[tokens[i + 1].text]
        yield choice("result", source, i + 1, i + 1, new)
    elif token.text == "return" and is_bool:
        last = i + 1
        while tokens[last + 1].text != ";":
            last = tokens[last + 1].partner if tokens[last + 1].text in ("(", "{", "[") else last + 1
        yield choice("result", source, i + 1, last, "!(%s)" % source.between(i + 1, last))
    elif tokens[i - 1].text in (";", "{", "}", ")", "else", ":"):
        yield from statement(source, i)


def statement(source, i):
    """A call, an assignment or a jump, without which the function is still one of C."""
    tokens = source.tokens
    last, assigns = i, None
    while tokens[last].text not in (";", "}", ")", "]"):
        if tokens[last].text in ASSIGN | {"++", "--"} and assigns is None:
            assigns = last
        last = (tokens[last].partner if tokens[last].text in ("(", "[", "{") else last) + 1
    words = [t.text for t in tokens[i:last]]
    if not words or tokens[last].text != ";" or (tokens[i].kind != "name" and words[0] not in ("*", "(", "++", "--")):
        return
    kind = None
    if words in (["continue"], ["break"]):
        kind = None if ends_switch(tokens, last + 1) else "jump removed"
    elif set(words[:1]) & (KEYWORDS | NEVER):
        return
    elif words[0] == "free":
        return  # the process ends; the debug build's LeakSanitizer sees it
    elif tokens[i].kind == "name" and words[1:2] == ["("] and tokens[i + 1].partner == last - 1:
        kind = "call removed"
    elif assigns is not None and not is_declaration(tokens[i:assigns]):
        kind = "assignment removed"
    if kind:
        text = source.between(i, last)
        yield kind, tokens[i].at, tokens[last].end, "{ if (!spb_mutant(#)) %s }" % text, text, "nothing"


def ends_switch(tokens, i):
    """A break there changes nothing, nor one in front of `default: break;`."""
    if [t.text for t in tokens[i:i + 3]] == ["default", ":", "break"]:
        return True
    if tokens[i].text != "}":
        return False
    head = tokens[i].partner - 1
    return tokens[head].text == ")" and tokens[tokens[head].partner - 1].text == "switch"


def is_declaration(left):
    """x y = …, x *y = …: no expression has two names side by side, or a product on the left."""
    names = [t.kind == "name" for t in left]
    return any(a and b for a, b in zip(names, names[1:])) or any(
        t.text == "*" and k and names[k - 1] for k, t in enumerate(left))


class Mutant:
    def __init__(self, path, text, site):
        self.kind, self.at, self.end, self.new, was, becomes = site
        self.path, self.line, self.number = path, text.count("\n", 0, self.at) + 1, 0
        self.change = " -> ".join(re.sub(r"\s+", " ", side) for side in (was, becomes))
        self.room = "/".join(os.path.dirname(path).split("/")[1:])
        lines = [" ".join(line.split()) for line in text.split("\n")[self.line - 2:self.line]]
        self.where = " ".join(lines if lines[-1] == self.change.split(" -> ")[0] else lines[1:])

    def named(self, names):
        """Is it, or are all that change the same in the file, among equivalents()?"""
        return (self.path, self.change) in names or (self.path, "%s in %s" % (self.change, self.where)) in names

    def __str__(self):
        return "%s:%d: %s: %s" % (self.path, self.line, self.kind, self.change)


def mutants_of(path, text):
    return [Mutant(path, text, site) for site in sites(Source(text))]


def equivalents():
    """{(file, change)} of those that were looked at: FILE: OLD -> NEW [in LINE], then indented lines with the reason.
    LINE is that of the source; for a statement alone on its line, with the one before it."""
    found = set()
    if os.path.exists(EQUIVALENT):
        for line in open(EQUIVALENT):
            if line.startswith("src/"):
                found.add(tuple(line.rstrip("\n").split(": ", 1)))
    return found


def gone():
    """What equivalents() names and the sources do not have any more."""
    names, found = equivalents(), set()
    for path in {path for path, _ in names if os.path.exists(os.path.join(ROOT, path))}:
        for m in mutants_of(path, open(os.path.join(ROOT, path)).read()):
            found |= {(path, m.change), (path, "%s in %s" % (m.change, m.where))}
    return sorted("%s: %s" % name for name in names - found)


def draw(rooms, count, seed, besides, fewest=1):
    """{room: mutants}: at least half of an equal share for each room, the rest by size; none overlaps another.
    `fewest` of each room, even if there are more than `count` then."""
    chance, drawn = random.Random(seed), {}
    total = sum(len(all_) for all_ in rooms.values())
    least = max(1, count // (2 * len(rooms)))
    for room in sorted(rooms):
        share = max(fewest, least + round(count * len(rooms[room]) / total / 2))
        kinds, taken = {}, []
        for mutant in rooms[room]:
            kinds.setdefault(mutant.kind, []).append(mutant)
        while kinds and len(taken) < share:
            kind = chance.choices(sorted(kinds), [WEIGHT[k] for k in sorted(kinds)])[0]
            m = kinds[kind].pop(chance.randrange(len(kinds[kind])))
            if not kinds[kind]:
                del kinds[kind]
            clear = all(m.path != o.path or m.end <= o.at or o.end <= m.at for o in taken)
            if clear and not m.named(besides) and not EMPTY_LOOP.match(m.where):
                taken.append(m)
        drawn[room] = taken
    return drawn


def with_switches(text, mutants):
    """The file with all its mutants. The lines keep their numbers: compilers tell us what they do not accept."""
    for m in sorted(mutants, key=lambda m: -m.at):
        text = text[:m.at] + m.new.replace("spb_mutant(#)", "spb_mutant(%d)" % m.number) + text[m.end:]
    return PROLOGUE + text if mutants else text


def write(path, text):
    """Only if it differs: what did not change is not built again."""
    data = text if isinstance(text, bytes) else text.encode()
    if os.path.exists(path) and open(path, "rb").read() == data:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


# The build

def copy_tree(tree):
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"], check=True,
                           stdout=subprocess.PIPE).stdout.decode().split("\0")
    for name in filter(None, names):
        path = os.path.join(ROOT, name)
        if os.path.isfile(path) and not name.startswith("build/"):
            if not re.match(r"src/.*\.c$", name):  # those are written with their switches, once
                write(os.path.join(tree, name), open(path, "rb").read())
                os.chmod(os.path.join(tree, name), os.stat(path).st_mode)
    shared = os.path.join(os.path.dirname(ROOT), "shared")
    beside = os.path.join(os.path.dirname(tree), "shared")
    if os.path.isdir(shared) and not os.path.lexists(beside):
        os.symlink(shared, beside)


PRESETS = {"release": ["-DCMAKE_BUILD_TYPE=Release", "-DSPB_BUILD_TESTS=ON"],
           "debug": ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 -g", "-DSPB_SANITIZE=ON"]}


def build(tree, texts, mutants, preset, jobs):
    """Builds; drops the mutants that the compiler refuses. Returns those that are left."""
    folder = os.path.join(tree, "build", preset)
    write(os.path.join(tree, "src", "base", "mutation.c"), RUNTIME.replace("MUTANTS", str(len(mutants))))
    for attempt in range(12):
        for path in texts:
            write(os.path.join(tree, path), with_switches(texts[path], [m for m in mutants if m.path == path]))
        if not attempt:
            drivers = cached_drivers()
            subprocess.run(["cmake", "-G", "Ninja", "-S", tree, "-B", folder, "-DSPB_WERROR=ON", *PRESETS[preset],
                            *drivers], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(["cmake", "--build", folder, "-j%d" % jobs, "--", "-k", "0"], encoding="utf-8",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if not done.returncode:
            return folder, mutants
        wrong = {(os.path.relpath(os.path.join(folder, f), tree), int(line)) for f, line in re.findall(
            r"^(\S+?):(\d+):\d+: (?:fatal )?error:", done.stdout, re.M)}
        refused = [m for place in wrong for m in blamed(mutants, *place)]
        if not refused:
            raise SystemExit(done.stdout[-4000:])
        print("%d are no C" % len(refused), flush=True)
        mutants = [m for m in mutants if m not in refused]
    raise SystemExit("the mutants do not compile")


def blamed(mutants, path, line):
    """The mutants of that line; else the last one before it: a function without its end is refused at its brace."""
    here = [m for m in mutants if path == m.path and m.line <= line]
    return [m for m in here if line <= m.line + m.new.count("\n")] or sorted(here, key=lambda m: m.line)[-1:]


def cached_drivers():
    cache = os.path.join(ROOT, "build", "release", "CMakeCache.txt")
    text = open(cache).read() if os.path.exists(cache) else ""
    return ["-D%s=%s" % found for found in re.findall(r"^(SPB_\w+_ICD|CMAKE_C_COMPILER):\w+=(.+)$", text, re.M)]


def sources(root):
    for base, folders, names in os.walk(os.path.join(root, "src")):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".c") and not name.endswith(OTHER_BUILD):
                yield os.path.relpath(os.path.join(base, name), root)


# Tests. Each knows which mutants it reaches.

def reached(folder):
    found = set()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name)) as f:
            found.update(int(line) for line in f)
    return found


TAKES_LONG = 3  # seconds of processor time
NO_MUTANT = 1000000


class Case:
    """A test as ctest would run it, or one function of it: what has a `main(globals())` lists its functions."""

    def __init__(self, row, function=None):
        self.name = row["name"] + (" " + function if function else "")
        self.command = row["command"] + (["--only", function] if function else [])
        properties = {p["name"]: p["value"] for p in row.get("properties", [])}
        self.labels, self.folder = properties.get("LABELS", []), properties["WORKING_DIRECTORY"]
        self.environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        self.reaches, self.seconds, self.cost, self.kills = set(), 0, 0, 0

    def run(self, seconds, **environment):
        """The exit status; None: it hung."""
        process = subprocess.Popen(self.command, cwd=self.folder, start_new_session=True, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                   env={**os.environ, **self.environment, **environment})
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None

    def measure(self):
        """Without a mutant. It is of no use if it does not pass, or reaches none."""
        with tempfile.TemporaryDirectory() as folder:
            began, used = time.time(), processor_time()
            status = self.run(1500, SPB_MUTATION="0", SPB_MUTATION_REACH=folder)
            self.seconds, self.cost = time.time() - began, processor_time() - used
            self.reaches = reached(folder) if status == 0 else set()
        return self

    def notices(self, number):
        """What takes long may be about time, and switches take some: does it pass with one that changes nothing?"""
        return not self.passes(number) and (self.cost < TAKES_LONG or self.passes(NO_MUTANT))

    def passes(self, number):
        return self.run(60 + 10 * self.seconds, SPB_MUTATION=str(number),
                        SPB_MUTATION_SECONDS=str(int(10 + 10 * self.cost))) == 0


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Ended(Exception):
    """The process in which the command ran did."""


class Within:
    """What runs the command within one process (test/in_process.c), which is another one for each mutant."""

    def begin(self, number, seconds=60):
        def ended(why):
            raise Ended(why)

        self.running.PROCESSES.clear()
        self.running.give_up = ended
        os.environ.update(SPB_BIND_IN_PROCESS="1", SPB_MUTATION=str(number), SPB_MUTATION_SECONDS=str(seconds))

    def finish(self):
        for process in self.running.PROCESSES.values():
            process.end()
        self.running.PROCESSES.clear()


class Golden(Within):
    """The golden fixtures, and some of their properties: only those that reach a mutant."""

    def __init__(self, tree, folder):
        os.environ["SPB_IN_PROCESS"] = os.path.join(folder, "test", "in_process")
        sys.path.insert(0, os.path.join(tree, "test"))
        import fixtures
        import running
        self.module, self.running = fixtures, running
        running.BIND = os.path.join(folder, "spirv-bind")
        running.HANGS = 300
        self.args = argparse.Namespace(bind=running.BIND, only=[], update=False)
        self.reaches = {}  # of each fixture

    def measure(self, fixture):
        """What a fixture reaches; nothing, if it fails."""
        self.begin(0)
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as tmp:
            os.environ["SPB_MUTATION_REACH"] = folder
            try:
                self.module.golden_case(self.args, tmp, *fixture)
                self.finish()
            except Exception:
                print("%s fails without a mutant, and is left out" % fixture[1], flush=True)
            del os.environ["SPB_MUTATION_REACH"]
            return fixture, reached(folder)

    def who_kills(self, number, properties):
        """The first fixture that notices. Those that reach few mutants first: they are about less."""
        self.begin(number)
        reaching = [f for f in self.reaches if number in self.reaches[f]]
        reaching.sort(key=lambda f: (len(self.reaches[f]), f))
        with tempfile.TemporaryDirectory() as tmp:
            for kind, path in reaching:
                try:
                    self.module.golden_case(self.args, tmp, kind, path)
                except Exception:
                    return "golden " + os.path.basename(path)
            for kind, path in [f for f in reaching if f[0] != "invalid"][:properties]:
                name = self.property_that_fails(path, tmp)
                if name:
                    self.begin(0)  # does it hold without the mutant?
                    if not self.property_that_fails(path, tmp):
                        return "properties " + name
                    self.begin(number)
        return None

    def property_that_fails(self, path, tmp):
        fields = self.module.header(path)
        self.module.assemble(path, fields["version"], tmp + "/property.spv")
        for check in self.module.PROPERTIES:
            try:
                check(self.args, self.module.options_of(fields), tmp + "/property.spv", tmp)
            except Exception:
                return check.__name__
        return None


GOLDEN = None  # of the processes of the pool


def by_golden(task):
    number, properties = task
    return number, GOLDEN.who_kills(number, properties)


class Outputs(Within):
    """The lines of test/conformance/outputs.tsv and sessions.tsv, all within one process."""

    def __init__(self, running):
        import outputs
        import sessions
        self.running, self.known = running, {**outputs.read_table(), **outputs.read_table(sessions.TABLE)}
        self.scratch = tempfile.TemporaryDirectory()  # of the sessions, as long as they are asked
        with tempfile.TemporaryDirectory() as tmp:
            os.environ["SPB_MUTATION"] = "0"
            os.environ["SPB_BIND_IN_PROCESS"] = "1"
            self.lines = list(outputs.modules(outputs.CORPORA, tmp))
            self.lines += sessions.sessions(outputs.CORPORA, self.scratch.name)
        self.reaches = {}  # of each line

    def differs(self, line, tmp):
        """The mode whose answer is not that of the table; the process may have ended in it."""
        for mode in line.modes:
            try:
                if line.hash(mode, tmp) != self.known.get(line.name, {}).get(mode):
                    return mode
            except Ended:
                return mode
        return None

    def measure(self, line):
        """What a line reaches; nothing, if its answers are not those of the table."""
        self.begin(0)
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as tmp:
            os.environ["SPB_MUTATION_REACH"] = folder
            wrong = self.differs(line, tmp)
            self.finish()
            del os.environ["SPB_MUTATION_REACH"]
            return line.name, set() if wrong else reached(folder)

    def who_kills(self, number):
        reaching = sorted((l for l in self.lines if number in self.reaches[l.name]),
                          key=lambda l: (len(self.reaches[l.name]), l.name))
        self.begin(number)
        with tempfile.TemporaryDirectory() as tmp:
            for line in reaching:
                mode = self.differs(line, tmp)
                if mode:
                    return "%s %s %s" % (line.table, line.name, mode)
        self.finish()
        return None


OUTPUTS = None  # of the processes of the pool


def by_outputs(number):
    return number, OUTPUTS.who_kills(number)


def measured_output(line):
    return OUTPUTS.measure(line)


def measured_golden(fixture):
    return GOLDEN.measure(fixture)


CASES = []  # of the processes of the pool, and of this one


def measured(case):
    return case.measure()


def by_cases(task):
    """The first of some cases that notices. What is cheap comes first, and what is about less."""
    number, first, last, until = task
    reaching = [c for c in CASES if number in c.reaches]
    for case in sorted(reaching, key=lambda c: c.cost * len(c.reaches))[first:last]:
        if time.time() > until:
            break
        if case.notices(number):
            return number, case.name
    return number, None


ROUNDS = [(0, 10), (10, 30), (30, 100), (100, None)]
HEAVY = ["fuzz", "slow", "vulkan"]
SKIPPED = 77  # the exit status where what a test needs is missing
ASKED_OTHERWISE = ("golden", "outputs", "sessions", "properties", "mutate", "memcheck")


def registered(folder, pattern):
    """The tests, from those that take seconds to those that run shaders."""
    rows = json.loads(subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], check=True,
                                     stdout=subprocess.PIPE).stdout)["tests"]
    for row in rows:
        whole = Case(row)
        if row["name"] in ASKED_OTHERWISE or "memory" in whole.labels or not re.search(pattern, row["name"]):
            continue
        script = "".join(w for w in whole.command[1:2] if w.endswith(".py"))
        if script and "main(globals())" in open(script).read():
            names = subprocess.run(whole.command + ["--list"], stdout=subprocess.PIPE, encoding="utf-8")
            if names.returncode != SKIPPED:
                names.check_returncode()
                yield from (Case(row, name) for name in names.stdout.split())
        else:
            yield whole


def try_all(args, tree, folder, mutants, until):
    """{number: who killed it}, the tests that were asked, and the mutants that any reaches."""
    global GOLDEN, OUTPUTS
    killed, asked, seen, fork = {}, [], set(), multiprocessing.get_context("fork")

    def note(answers):
        for number, by in answers:
            if by:
                killed[number] = by
                print("%4d by %s" % (number, by), flush=True)

    def left():
        return [m.number for m in mutants if m.number not in killed and m.number in seen]

    def ask(cases):
        """Of some cases, those that reach a mutant."""
        global CASES
        nonlocal seen
        with fork.Pool(args.jobs) as pool:
            CASES = pool.map(measured, cases, 1)
        asked.extend(CASES)
        seen = seen.union(*(c.reaches for c in CASES))
        print("%d more tests reach %d" % (len(CASES), len(seen)), flush=True)
        for first, last in ROUNDS:  # where the time is short, each mutant has its turn
            with fork.Pool(args.jobs) as pool:
                note(pool.imap_unordered(by_cases, [(n, first, last, until) for n in left()], 1))
            print("%d left" % (len(mutants) - len(killed)), flush=True)

    every = list(registered(folder, args.tests))
    units = [c for c in every if "unit" in c.labels]
    ask(units)
    GOLDEN = Golden(tree, folder)
    OUTPUTS = Outputs(GOLDEN.running)
    with fork.Pool(args.jobs) as pool:
        OUTPUTS.reaches = dict(pool.map(measured_output, OUTPUTS.lines, 8))
    seen = seen.union(*OUTPUTS.reaches.values())
    left_out = sum(not r for r in OUTPUTS.reaches.values())
    print("outputs reach %d of %d mutants; %d lines are left out" % (len(seen), len(mutants), left_out), flush=True)
    with fork.Pool(args.jobs) as pool:
        note(pool.imap_unordered(by_outputs, left(), 1))
        GOLDEN.reaches = dict(pool.map(measured_golden, list(GOLDEN.module.fixtures()), 8))
    seen = seen.union(*GOLDEN.reaches.values())
    print("golden fixtures reach %d; %d left" % (len(seen), len(mutants) - len(killed)), flush=True)
    with fork.Pool(args.jobs) as pool:
        note(pool.imap_unordered(by_golden, [(n, args.properties) for n in left()], 1))
    print("%d left" % (len(mutants) - len(killed)), flush=True)
    del os.environ["SPB_MUTATION"]
    for stage in range(1 + len(HEAVY)):  # measured only where something is left for them
        if time.time() > until or len(killed) == len(mutants):
            break
        ask([c for c in every if c not in units and stage == max(
            [1 + HEAVY.index(l) for l in c.labels if l in HEAVY], default=0)])
    return killed, asked, seen


def report(mutants, killed, asked, seen):
    print("\nwithout effect here (not passed, or nothing reached): %s" % " ".join(
        c.name for c in asked if not c.reaches))
    first = collections.Counter(by.split()[0] for by in killed.values())
    print("\nnoticed first by: %s" % ", ".join("%s %d" % pair for pair in first.most_common()))
    print("\nnever the first, though asked: %s" % " ".join(sorted({c.name.split()[0] for c in asked} - set(first))))
    print("\n%-24s killed of" % "room")
    for room in sorted({m.room for m in mutants}):
        here = [m for m in mutants if m.room == room]
        print("%-24s %6d %2d" % (room, sum(m.number in killed for m in here), len(here)))
    print("%-24s %6d %2d  %.1f %%" % ("all", len(killed), len(mutants), 100 * len(killed) / len(mutants)))
    print("\nsurvivors:")
    for m in mutants:
        if m.number not in killed:
            print("%4d %s%s" % (m.number, m, "" if m.number in seen else " (not reached)"))


# Survivors: does what the command writes differ anywhere?

PROBES = [[], ["--rebind=all", "--rules=hlsl"], ["--rebind=all,sets", "--order=name", "--waterfall"],
          ["--split-combined", "--prune"], ["--nonuniform=lint", "--distrust-uniform"]]


class Probe:
    """One run of the command: a module, with options."""

    def __init__(self, command, path, options):
        self.command, self.path, self.options, self.reaches, self.outcome = command, path, options, set(), None

    def run(self, **environment):
        with tempfile.TemporaryDirectory() as tmp:
            done = subprocess.run([self.command, "--validate=none", *self.options, self.path, "--explain=*",
                                   "--layout-json=layout.json", "-o", "out.spv"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env={**os.environ, **environment}, cwd=tmp)
            written = [open(os.path.join(tmp, name), "rb").read() for name in sorted(os.listdir(tmp))]
            return done.returncode, done.stdout, done.stderr, written

    def measure(self):
        with tempfile.TemporaryDirectory() as folder:
            self.outcome = self.run(SPB_MUTATION="0", SPB_MUTATION_REACH=folder)
            self.reaches = reached(folder)
        return self


MOST_PROBES = 300  # of each mutant


def probe(number):
    """Where a mutant changes what the command says or writes; None: nowhere."""
    reaching = [p for p in CASES if number in p.reaches]
    random.Random(number).shuffle(reaching)
    for p in reaching[:MOST_PROBES]:
        outcome = p.run(SPB_MUTATION=str(number), SPB_MUTATION_SECONDS="20")
        if outcome != p.outcome:
            return number, "%s %s, exit status %d and %d" % (p.path, " ".join(p.options), p.outcome[0], outcome[0])
    return number, None


def probe_all(args, folder, mutants):
    global CASES
    files = sorted(os.path.join(base, name) for base, _, names in os.walk(args.probe) for name in names
                   if name.endswith(".spv"))[::args.probe_every]
    CASES = [Probe(os.path.join(folder, "spirv-bind"), path, options) for path in files for options in PROBES]
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        CASES = pool.map(measured, CASES, 8)
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        for number, where in pool.imap_unordered(probe, [m.number for m in mutants]):
            print("%4d differs %s" % (number, where or "nowhere"), flush=True)


# The test of this script

SAMPLE = r"""/* */
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>
/* if (a < b) return 0; is no code */
static const int table[] = {1, 2};
static int calls;

static void count(void)
{
	calls++;
}

static void forget(void)
{
	calls = 0;
}

int sum_below(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		if (i == '#' - 32) /* 3; and no place for the number of a mutant */
			continue;
		sum += i;
	}
	count();
	return sum - table[0];
}

bool both(bool a, bool b)
{
	switch (a) {
	case 1:
		break; /* last */
	}
	return a && b;
}

int flags(int x)
{
	if (x)
		return 4 | 2;
	else
		return 0;
}

bool is_text(void)
{
	return "#"[0] == 35;
}

int main(void)
{
	if (!fork()) { /* what is reached is known however a process ends */
		forget();
		_exit(0);
	}
	wait(0);
	return !(sum_below(6) == 11 && both(true, true) && !both(true, false) && flags(1) == 6 && is_text());
}
"""
NOTICED = {"i < n -> i <= n", "i == '#' - 32 -> i != '#' - 32", "continue; -> nothing",
           "sum += i; -> nothing", "32 -> 33",
           "a && b -> a || b", "a && b -> !(a && b)", "4 | 2 -> 4", "4 | 2 -> 2", "x -> !(x)",
           "sum - table[0] -> sum + table[0]", '"#"[0] == 35 -> "#"[0] != 35'}
UNNOTICED = {"count(); -> nothing", "calls++; -> nothing", "calls = 0; -> nothing", "0 -> 1"}


def self_test(cc):
    """Makes each mutant of a small program, whose main is its test."""
    source = Source(SAMPLE)
    everything = [Mutant("sample.c", SAMPLE, site) for site in sites(source)]
    before_main = SAMPLE[:SAMPLE.index("int main")].count("\n")
    everything = [m for m in everything if m.line <= before_main]
    silent = [k for k, line in enumerate(SAMPLE.split("\n"), 1) if k <= 7 or "last" in line]
    wrong = [m.change for m in everything if m.line in silent] + sorted((NOTICED | UNNOTICED) -
                                                                  {m.change for m in everything})
    killed, alive = set(), set()
    with tempfile.TemporaryDirectory() as tmp:
        rounds = 0
        while everything:
            rounds += 1
            chosen = list(draw({"": everything}, len(everything), rounds, set()).values())[0]
            everything = [m for m in everything if m not in chosen]
            for number, m in enumerate(chosen, 1):
                m.number = number
            write(tmp + "/sample.c", with_switches(SAMPLE, chosen))
            write(tmp + "/mutation.c", RUNTIME.replace("MUTANTS", str(len(chosen))))
            subprocess.run([cc, "-std=c11", tmp + "/sample.c", tmp + "/mutation.c",
                            "-o", tmp + "/sample"], check=True)
            os.makedirs(tmp + "/reach%d" % rounds)
            subprocess.run([tmp + "/sample"], check=True, env={"SPB_MUTATION_REACH": tmp + "/reach%d" % rounds})
            seen = reached(tmp + "/reach%d" % rounds)
            for m in chosen:
                done = subprocess.run([tmp + "/sample"], env={"SPB_MUTATION": str(m.number),
                                                              "SPB_MUTATION_SECONDS": "2"})
                (killed if done.returncode else alive).add(m.change)
                if (m.number in seen) == (SAMPLE.split("\n")[m.line - 1] == "\t\treturn 0;"):
                    wrong.append("reached, or not: %s" % m)
    wrong += ["not noticed: " + c for c in sorted(NOTICED - killed)]
    wrong += ["noticed: " + c for c in sorted(UNNOTICED - alive)]
    wrong += ["%s has what is not there: %s" % (os.path.basename(EQUIVALENT), name) for name in gone()]
    print("\n".join(wrong) or "%d changes noticed, %d not, in %d builds" % (len(killed), len(alive), rounds))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--least", type=int, default=1, metavar="N", help="of each room")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tests", default="", help="of ctest: only those whose names match")
    parser.add_argument("--properties", type=int, default=3, help="on how many fixtures they are tried")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no further test after them")
    parser.add_argument("--sanitized-minutes", type=float, default=0,
                        help="try the survivors on a build with sanitizers, too, and start no further test after them")
    parser.add_argument("--room", help="only this one, as in analysis/layout, or these, with commas")
    parser.add_argument("--probe", metavar="FOLDER", help="with survivors: do they change what is made of its modules?")
    parser.add_argument("--probe-every", type=int, default=40, metavar="N", help="of each Nth of them")
    parser.add_argument("--list", action="store_true", help="print the sample, and build nothing")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--cc", default="cc")
    args = parser.parse_args()
    if args.self_test:
        return self_test(args.cc)
    rooms, texts = {}, {path: open(os.path.join(ROOT, path)).read() for path in sources(ROOT)}
    for path, text in texts.items():
        for m in mutants_of(path, text):
            if not args.room or m.room in args.room.split(","):
                rooms.setdefault(m.room, []).append(m)
    drawn = draw(rooms, args.count, args.seed, equivalents(), args.least)
    mutants = [m for taken in drawn.values() for m in taken]
    for number, m in enumerate(mutants, 1):
        m.number = number
        if args.list:
            print("%4d %s" % (number, m))
    print("%d places, %d drawn with seed %d" % (sum(map(len, rooms.values())), len(mutants), args.seed), flush=True)
    if args.list:
        return 0
    tree = os.path.join(ROOT, "build", "mutation", "tree")
    copy_tree(tree)
    folder, mutants = build(tree, texts, mutants, "release", args.jobs)
    killed, asked, seen = try_all(args, tree, folder, mutants, time.time() + 60 * args.minutes)
    if args.sanitized_minutes:
        left = [m for m in mutants if m.number not in killed]
        print("%d survive what is shipped; with sanitizers:" % len(left), flush=True)
        args.tests = "(%s)(?!.*vulkan)" % args.tests
        checked, _ = build(tree, texts, mutants, "debug", args.jobs)
        more, also_asked, also_seen = try_all(args, tree, checked, left, time.time() + 60 * args.sanitized_minutes)
        killed.update(more)
        asked, seen = asked + also_asked, seen | also_seen
    report(mutants, killed, asked, seen)
    if args.probe:
        probe_all(args, folder, [m for m in mutants if m.number not in killed])
    return 0


if __name__ == "__main__":
    sys.exit(main())
