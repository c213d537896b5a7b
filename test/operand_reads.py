#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every read of a word of a module stays within an instruction:

    operand_reads.py --bind B [--times N] [--seed N]     N changes of each fixture; another seed each time

A copy of src is rewritten: `m->words[at + 2 + i]` checks that the instruction of `at` has that word, and where
`const uint32_t *w = m->words + at`, w points to a copy of the instruction alone, which AddressSanitizer guards. That
build tries the fixtures with operands of wrong kinds and instructions that are cut (operands.c), which no validator has
seen. Each place in the source that reads another instruction is printed; the exit status is 1 if there is one."""
import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import fixtures
import running

CHECKS = r"""
size_t spb_checked(const uint32_t *words, size_t count, size_t from, size_t to, const char *place);
const uint32_t *spb_copied(const uint32_t *words, size_t at);
#define SPB_TEXT(x) #x
#define SPB_PLACE(file, line) file ":" SPB_TEXT(line)
#define SPB_CHECKED(m, from, more) \
	spb_checked((m)->words, (m)->count, from, (from) + (more), SPB_PLACE(__FILE__, __LINE__))
"""
CHECKING = r"""
#include <stdio.h>
#include <stdlib.h>
size_t spb_checked(const uint32_t *words, size_t count, size_t from, size_t to, const char *place)
{
	static uint32_t *starts; /* of each word: where its instruction begins */
	static const uint32_t *known;
	static size_t known_count;

	if (to < 5)
		return to;
	for (int again = 0; again < 2; again++) { /* what was known may be of an earlier module */
		const size_t at = from < known_count && words == known ? starts[from] : count;
		if (count == known_count && at && at < count && to >= at && to < at + (words[at] >> 16))
			return to;
		known = words;
		known_count = count;
		starts = realloc(starts, (count + 1) * sizeof *starts);
		memset(starts, 0, (count + 1) * sizeof *starts);
		for (size_t i = 5; i < count && words[i] >> 16; i += words[i] >> 16) {
			for (size_t k = i; k < i + (words[i] >> 16) && k < count; k++)
				starts[k] = (uint32_t)i;
		}
	}
	fprintf(stderr, "BEYOND %s\n", place);
	return to;
}

const uint32_t *spb_copied(const uint32_t *words, size_t at)
{
	static uint32_t *copies[1 << 16];
	static unsigned next;
	const size_t size = (words[at] >> 16) * sizeof *words;
	uint32_t *copy = malloc(size + !size);

	memcpy(copy, words + at, size);
	free(copies[next & 0xFFFF]); /* nobody still looks at it */
	return copies[next++ & 0xFFFF] = copy;
}
"""
READ = re.compile(r"\b((?:\w+(?:->|\.))*\w+)->words\[")
POINTER = re.compile(r"(?<!for \()(const uint32_t \*(?:const )?\w+|, \*\w+) = ((?:\w+(?:->|\.))*words) \+ "
                     r"(at|note|way\.at|r->at|m->def\[(?:type|w\[2\])\])\b")


def end_of_index(text, i):
    depth = 1
    while depth:
        depth += {"[": 1, "]": -1}.get(text[i], 0)
        i += 1
    return i - 1


def first_summand(index):
    """`at`, of `at + 2 + i`; an index with side effects or alternatives is left alone."""
    depth = 0
    for i, c in enumerate(index):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if not depth and index.startswith(" + ", i):
            return None if "++" in index or "?" in index[:i] else (index[:i], index[i + 3:])
    return None


def rewritten(text):
    parts, i = [], 0
    for read in READ.finditer(text):
        if read.start() < i:
            continue
        end = end_of_index(text, read.end())
        sum = first_summand(text[read.end():end])
        if sum:
            parts.append("%sSPB_CHECKED(%s, %s, %s)" % (text[i:read.end()], read[1], *sum))
            i = end
    return POINTER.sub(r"\1 = spb_copied(\2, \3)", "".join(parts) + text[i:]), len(parts)


def rewrite(folder):
    count = 0
    for path in glob.glob(os.path.join(folder, "src/**/*.[ch]"), recursive=True):
        with open(path) as f:
            text, n = rewritten(f.read())
        count += n
        text = text.replace("typedef uint32_t spb_at;", CHECKS + "typedef uint32_t spb_at;")
        with open(path, "w") as f:
            f.write(text + (CHECKING if path.endswith("src/ir/module.c") else ""))
    return count


def build(folder):
    flags = "-std=c11 -O1 -g -fsanitize=address -DSPB_STATIC -Isrc -Iinclude".split()
    sources = [f for f in glob.glob("src/**/*.c", root_dir=folder, recursive=True)
               if not f.startswith(("src/cli/", "src/layer/"))]
    compiler = os.environ.get("CC", "cc")

    def compiled(source):
        out = source.replace("/", "-") + ".o"
        subprocess.run([compiler, *flags, "-c", source, "-o", out], cwd=folder, check=True)
        return out
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, sources + ["operands.c"]))
    subprocess.run(["c++", "-fsanitize=address", *objects, "-lSPIRV-Tools", "-lpthread", "-lm", "-o", "operands"],
                   cwd=folder, check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--times", default="3")
    parser.add_argument("--seed", default=str(int(time.time())))
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as folder:
        for name in "src", "include":
            shutil.copytree(os.path.join(running.ROOT, name), os.path.join(folder, name))
        shutil.copy(os.path.join(running.ROOT, "test/operands.c"), folder)
        reads = rewrite(folder)
        build(folder)
        modules = []
        for kind, path in fixtures.fixtures():
            fields = fixtures.header(path)
            if kind != "invalid" and not fields.get("compiler"):
                modules.append(os.path.join(folder, "m%d.spv" % len(modules)))
                fixtures.assemble(path, fields["version"], modules[-1])
        done = subprocess.run([os.path.join(folder, "operands"), args.seed, args.times, *modules], cwd=folder,
                              env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"), text=True, capture_output=True)
    beyond = sorted(set(line for line in done.stderr.splitlines() if line.startswith("BEYOND ")))
    print("seed %s: %d reads are checked; %s" % (args.seed, reads, done.stdout.strip()))
    print("\n".join(beyond))
    if done.returncode:
        print(done.stderr[-4000:])
    sys.exit(bool(beyond or done.returncode))


if __name__ == "__main__":
    main()
