#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds and dictionaries of the fuzz targets, from the fixtures and test/rows:

    seeds.py --bind BIND FOLDER     FOLDER/TARGET/… and FOLDER/TARGET.dict

A dictionary has the most frequent words in the seeds of its target; for modules, the first words of instructions.
spirv-as assembles the fixtures; those that it does not know are left out."""
import argparse
import collections
import functools
import glob
import os
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import fixtures as of_tests  # noqa: E402
from fixtures import header  # noqa: E402
from running import FIXTURES, ROOT, read  # noqa: E402

DICTIONARY = 300  # words
MASK = (1 << 64) - 1


def assembled(path, to):
    version = header(path).get("version", "1.0")
    done = subprocess.run(["spirv-as", "--preserve-numeric-ids", "--target-env", "spv" + version, path, "-o", to],
                          stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def fixtures():
    return [p for p in sorted(glob.glob(FIXTURES + "/**/*.spvasm", recursive=True)) if ".expect." not in p]


def modules(tmp):
    def one(job):
        to = os.path.join(tmp, "%d.spv" % job[0])
        return (job[1], to) if assembled(job[1], to) else None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [found for found in pool.map(one, enumerate(fixtures())) if found]


def next_number(state, below):
    """As in program.c: the next state, and a number."""
    state = (state ^ state << 13) & MASK
    state ^= state >> 7
    state = (state ^ state << 17) & MASK
    return state, (state >> 11) % below


@functools.cache
def selections():
    """Options to the number that selects them (modules.c)."""
    settings = re.findall(r'^    "(.*)",$', read(ROOT + "/test/fuzz/modules.c").decode(), re.M)
    found = {}
    for number in range(1, 1 << 16):
        state, count = next_number(number * 0x9E3779B97F4A7C15 & MASK, 5)
        chosen = set()
        for _ in range(1 + count):
            state, which = next_number(state, len(settings))
            chosen.add(settings[which])
        found.setdefault(frozenset(chosen), number)
    return settings, found


def with_options(path, module):
    """The low half of the third word of the header selects options: those of the fixture, if there is a number for
    them."""
    settings, numbers = selections()
    options = {option.lstrip("-") for option in options_of(path)}.intersection(settings)
    return module[:8] + struct.pack("<H", numbers.get(frozenset(options), 0)) + module[10:]


def rows(part):
    """The contents of the parts with that name, in all rows."""
    for path in sorted(glob.glob(ROOT + "/test/rows/layout/*.rows")):
        for found in re.finditer(r"^= %s ?((?:.*\n)(?:(?!= ).*\n)*)" % part, read(path).decode(), re.M):
            yield re.sub(r"^\\", "", found[1].strip() + "\n", flags=re.M)


def sources():
    for text in rows("source"):
        first, _, rest = text.partition("\n")
        yield bytes([("HLSL" in first) | 2 * ("glslang" not in first) | 4 * ("HLSL" in first)]) + rest.encode()
    for suffix in "comp frag vert glsl hlsl rgen geom mesh".split():
        for path in sorted(glob.glob("%s/**/*.%s" % (FIXTURES, suffix), recursive=True)):
            yield bytes([5 if suffix == "hlsl" else 0]) + read(path)


def policies():
    for text in rows("policy"):
        yield b"\0" + text.encode()
        yield b"\1" + text.encode()


def locks():
    for text in rows("lock"):
        yield ("" if text.startswith("lock version") else "lock version=1\n").encode() + text.encode()
    yield (b"lock version=2\nshare set=0\nresource Camera program=* set=0 binding=6 kind=ubo\n"
           b"resource w program=water set=1 binding=0 kind=combined count=3\nremoved x program=* set=0 binding=7\n")


MANIFESTS = [
    "options --auto-binding=65534 # of all\nshare set=0\nshare set=1 programs=w*\n"
    "program w: a.spv \"b c.spv\" -o x.spv\n"
    "program w.calm: a.spv variant-of=w --rules=hlsl --prune=0 --layout-json=layouts/%.json\n",
    "include good\nprogram p: x.spv --entry=main --resolver=r.spv --policy='push set=2'\n",
    "include m\n", "program p: p.comp -Dx=1 -Iinclude --heap=texture=1.2 --spec=4=1\n",
    "options --profile=good --place=a=1.2 --shift=t=4\r\nprogram p: a.spv\r\nprogram q: a.spv variant-of=p\r\n",
]
DEPFILES = ["a.spv: a.comp include/light.glsl \\\n /tmp/compiled/x.h b\\ c.h d\\#e $$f\r\n",
            "a.spv: c:\\x\\y.h c\\:z\n",
            "a: b\n\nb:\n"]


def options_of(path):
    fields = header(path)
    return of_tests.options_of(fields) if "spirv-bind" in fields else []


def options():
    """A command line for each fixture that has options."""
    for path in fixtures():
        words = header(path).get("spirv-bind")
        if words:
            yield (words + " in.spv -o out.spv\n").encode()
    yield b"-q 'a b' \"c\\\"d\" @r \\@x -- @y\n--baseline=r --layout-json=- -Dx -I y -j4 --each --cache=c"


def written(bind, binaries, tmp, verb, option):
    """The file that the command writes for an option."""
    to = os.path.join(tmp, "written")
    for path, binary in binaries:
        done = subprocess.run([bind, verb, "-q", *options_of(path), binary, option + to], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
        if done.returncode in (0, 1) and os.path.exists(to):
            yield read(to)
            os.remove(to)


def facts(bind, binaries, tmp):
    manifest, to = os.path.join(tmp, "manifest"), os.path.join(tmp, "facts")
    for _, binary in binaries:
        with open(manifest, "w", encoding="utf-8") as f:
            f.write("share set=0\nprogram p: %s\nprogram q: %s\n" % (binary, binary))
        if not subprocess.run([bind, "collect", "-q", "-m", manifest, "-o", to], stderr=subprocess.DEVNULL,
                              check=False).returncode:
            text = read(to)
            of_first = text.split(b"\nprogram ")[0].split(b"\n", 2)
            yield text
            yield of_first[0] + b"\n" + of_first[-1] + b"\n"


def entries(bind, binaries, tmp):
    """Entries for cache_entries.c, with the messages that real ones have."""
    cache = os.path.join(tmp, "cache")
    for path, binary in binaries:
        subprocess.run([bind, "--cache=" + cache, "--each", *options_of(path), binary,
                        "--out-dir=" + os.path.join(tmp, "out")], stderr=subprocess.DEVNULL, check=False)
    for name in sorted(glob.glob(cache + "/*")):
        entry = read(name)[32:]
        said, printed = struct.unpack_from("<2I", entry)
        outputs = struct.pack("<6I", 4, 0, 8, 2, 0, 0)
        yield struct.pack("<4I", said, printed, 2, 3) + entry[16:16 + said + printed] + outputs + b"abcd"


def words_of(target, seed):
    if target not in ("modules", "resolvers"):
        return set(re.findall(rb"[\w.#@/<>\[\]{}=-]{2,24}", seed))
    found, at = set(), 20
    while at + 4 <= len(seed):
        found.add(seed[at:at + 4])
        at += 4 * max(struct.unpack_from("<I", seed, at)[0] >> 16, 1)
    return found


def write(folder, target, seeds):
    count = collections.Counter()
    os.makedirs(os.path.join(folder, target), exist_ok=True)
    for i, seed in enumerate(sorted(seeds)):
        count.update(words_of(target, seed))
        with open(os.path.join(folder, target, "%04d" % i), "wb") as f:
            f.write(seed)
    with open(os.path.join(folder, target + ".dict"), "w", encoding="ascii") as f:
        for word, _ in sorted(count.items(), key=lambda item: (-item[1], item[0]))[:DICTIONARY]:
            f.write('"%s"\n' % "".join("\\x%02X" % byte for byte in word))
    if not seeds:
        sys.exit("seeds.py: no seeds for " + target)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("folder")
    args = parser.parse_args()
    bind = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as tmp:
        binaries = modules(tmp)
        some = binaries[::7]
        of_resolvers = [b for p, b in binaries if "/resolvers/" in p or "/merge-resolver/" in p]
        write(args.folder, "modules", {with_options(p, read(b)) for p, b in binaries})
        write(args.folder, "resolvers", {read(b) for b in of_resolvers})
        write(args.folder, "sources", set(sources()))
        write(args.folder, "policies", set(policies()))
        write(args.folder, "locks", set(locks()))
        write(args.folder, "facts", set(facts(bind, some, tmp)))
        write(args.folder, "manifests", {text.encode() for text in MANIFESTS})
        write(args.folder, "responses", set(options()))
        write(args.folder, "layouts", set(written(bind, some, tmp, "layout", "--layout-json=")))
        write(args.folder, "baselines", set(written(bind, some, tmp, "lint", "--diagnostics=sarif:")))
        write(args.folder, "depfiles", {text.encode() for text in DEPFILES})
        write(args.folder, "cache_entries", set(entries(bind, some, tmp)))


if __name__ == "__main__":
    main()
