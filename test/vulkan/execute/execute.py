# SPDX-License-Identifier: Apache-2.0
"""Compute shaders of real programs and of the fixtures leave the same memory before and after their bindings change.

    execute.py --bind B --execute VULKAN_EXECUTE --icd ICD [--every N]   a sample, as the suite runs it
    execute.py ... --all [--update]     everything; with --update, writes conformance/executed.tsv
    execute.py ... --swapped            swaps two bindings of each layout, which has to be noticed
    execute.py ... --only TEXT          programs whose names contain this, whatever the table says
    execute.py ... --random N           compute shaders of random_declarations.py among N programs, and nothing else

The original runs with the layout that SPIRV-Cross reflects, on memory filled by a pattern; each bound module runs with
the layout of its JSON, on the same memory for the variables that the JSON lists. VARIANTS lists the variants. Programs
that crash or hang a driver unbound, or whose results are not reproducible, are left out; conformance/executed.tsv lists
them, and nothing else may be left out. A line there with the pattern `*` is manual: the behaviour of such a program is
undefined, and it is not run. Programs that use device addresses are not tried.
"""
import argparse
import array
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
import corpora  # noqa: E402
import fixtures  # noqa: E402
import random_declarations  # noqa: E402
import running  # noqa: E402
from running import glslang  # noqa: E402

TABLE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "conformance", "executed.tsv")
ALWAYS = "glsl/pairs/pairs.comp"  # textures and samplers at one binding; always in the sample
SLOW = ["headless.comp"]  # they loop for seconds; not in the sample
SHUFFLED = """place kind=ssbo -> set=0 order=3
place kind=image,stexbuf -> set=0 order=1
place kind=ubo -> set=3
place kind=sampler -> set=1 order=2
place -> set=1 order=1
"""
# name: options and whether the variant is about combined image-samplers; "merge" names its pairs itself
VARIANTS = {
    "default": [],
    "rebind-all": ["--rebind=all"],
    "shuffled": ["--rebind=all,sets", "--order=name", "--profile={policy}"],
    "split-shared": ["--rebind=all", "--policy=option shared=apart"],
    "split-both": ["--rebind=all", "--policy=option shared=apart", "--split-combined"],
    "split-combined": ["--rebind=all", "--split-combined"],
    "merge-combined": ["--rebind=all"],
}


class Program:
    def __init__(self, name, path, flags):
        self.name, self.path, self.flags, self.entries, self.bound = name, path, flags, [], []


def load(path):
    with open(path, "rb") as f:
        return f.read()


def is_compute(path):
    """Shaders that use device addresses are left out, since the memory has no valid ones."""
    words = array.array("I", load(path))
    at, found = 5, False
    while at < len(words) and words[at] & 0xFFFF != 54:  # up to the first function
        if words[at] & 0xFFFF == 17 and words[at + 1] == 5347:  # PhysicalStorageBufferAddresses
            return False
        found |= words[at] & 0xFFFF == 15 and words[at + 1] == 5
        at += words[at] >> 16 or 1
    return found


def views_of(layout):
    for s in layout["sets"]:
        for b in s["bindings"]:
            for view in b["views"]:
                yield s["set"], b, view


def sources(view, before, origins):
    """The variables of the original with the memory and the sampler of a view. `before`: those of the module before
    binding, by id and by name: (image ids, sampler ids); `origins`: the kinds of variables before they were split."""
    path = view.get("path")
    base = view["name"][:-len(path) - 1] if path and view["name"].endswith("." + path) else None
    pair = before.get("pairs", {}).get(view["name"])
    if pair and view["type"]["kind"] == "combined":  # merged, and has kept its name
        image, sampler = before["names"][view["name"]][0], before["names"][pair][1]
    elif view["id"] in before["ids"] and not (base in before["names"] and path in before["names"]):
        image, sampler = before["ids"][view["id"]]
    elif base in before["names"] and path in before["names"]:  # merged
        image, sampler = before["names"][base][0], before["names"][path][1]
    elif base in before["names"]:  # split
        image, sampler = before["names"][base]
    elif view.get("origin") in origins:  # split, and the module has no names
        image, sampler = origins[view["origin"]]
    else:
        image, sampler = [view["id"]], [view["id"]]
    kind = view["type"]["kind"]
    return ([] if kind == "sampler" else image), (sampler if kind in ("sampler", "combined") else [])


def origins_of(layout, before):
    """The original kind of split variables, by the id that one part keeps."""
    return {view["origin"]: before["ids"][view["id"]]
            for _, _, view in views_of(layout) if "origin" in view and view["id"] in before["ids"]}


def known(layout, before):
    """`before` for binding the output of this layout again."""
    found, origins = {"ids": {}, "names": {}}, origins_of(layout, before)
    for _, _, view in views_of(layout):
        found["ids"][view["id"]] = found["names"][view["name"]] = sources(view, before, origins)
        found["names"][view["name"].replace(".", "_")] = found["names"][view["name"]]
    return found


def bindings_text(layout, before):
    items, origins = [], origins_of(layout, before)
    for s in layout["sets"]:
        for b in s["bindings"]:
            images, samplers = [], []
            for view in b["views"]:
                image, sampler = sources(view, before, origins)
                images += image
                samplers += sampler
            items.append([s["set"], b["binding"], b["descriptorType"], b["count"] or 0, images, samplers])
    return items


def written(items):
    return " ".join("%d.%d:%s:%d:%s:%s" % (s, b, t, n, ",".join(map(str, images)) or "-",
                                           ",".join(map(str, samplers)) or "-")
                    for s, b, t, n, images, samplers in items) or " "


def bind(args, program, options, source, out):
    """The layout, or None if it is refused, which corpora.py tests."""
    done = running.run(args.bind, "-q", "--validate=none", *program.flags, *options, source, "-o", out,
                       "--layout-json", out + ".json", expect=None, timeout=600)
    if done.returncode:
        return None
    with open(out + ".json") as f:
        return json.load(f)


def pairs(layout):
    """Every texture with every sampler."""
    kinds = collections.defaultdict(list)
    for _, _, view in views_of(layout):
        if view["name"].isidentifier():
            kinds[view["type"]["kind"]].append(view["name"])
    return [(t, s) for t in kinds["texture"] for s in kinds["sampler"]]


def variants_of(args, program, folder):
    """(variant, module, bindings) of each way to bind it."""
    nothing = {"ids": {}, "names": {}}
    plain = bind(args, program, [], program.path, os.path.join(folder, "default.spv"))
    if not plain:
        return
    program.entries = [e["name"] for e in plain["modules"][0]["entryPoints"]
                       if e["stage"] == "VK_SHADER_STAGE_COMPUTE_BIT"]
    combined = any(view["type"]["kind"] == "combined" for _, _, view in views_of(plain))
    shared = any(len(b["views"]) > 1 for s in plain["sets"] for b in s["bindings"])
    before, policy = known(plain, nothing), os.path.join(folder, "policy")
    with open(policy, "w") as f:
        f.write(SHUFFLED)
    if load(os.path.join(folder, "default.spv")) != load(program.path):
        yield "default", os.path.join(folder, "default.spv"), bindings_text(plain, before)
    for name, options in VARIANTS.items():
        options = [o.format(policy=policy) for o in options]
        source, base, out = program.path, before, os.path.join(folder, name + ".spv")
        if name == "default" or name == "split-combined" and not combined:
            continue
        if name in ("split-shared", "split-both") and not shared:
            continue
        if name == "merge-combined":
            what = plain
            if combined:  # merges what --split-combined has split
                source = os.path.join(folder, "split-combined.spv")
                what = bind(args, program, VARIANTS["split-combined"], program.path, source)
                base = known(what, before) if what else None
            chosen = pairs(what) if what else []
            if not chosen or len(chosen) > 24:
                continue
            options = options + ["--merge-combined=%s:%s" % pair for pair in chosen]
            base = {**base, "pairs": dict(chosen) if len({s for _, s in chosen}) == 1 else {}}
        layout = bind(args, program, options, source, out)
        if layout:
            yield name, out, bindings_text(layout, base)


def is_valid(path):
    return not running.run("spirv-val", "--target-env", "vulkan1.3", path, expect=None).returncode


def fixture(args, scratch, name, options, make):
    """A fixture bound by its own options first, since many are incomplete, or lack decorations that drivers need."""
    source = os.path.join(scratch, "fixture-%s.spv" % re.sub(r"\W", "-", name))
    make(source)
    done = running.run(args.bind, "-q", *options, source, "-o", source + ".bound", expect=None)
    if done.returncode or not is_compute(source + ".bound") or not is_valid(source + ".bound"):
        return None  # only newer tools know it
    return Program("fixture " + name, source + ".bound", [])


def two_lanes(path):
    """Fixtures of eight invocations index small arrays by lane. With two, few indices are out of bounds, where
    behaviour is undefined, before binding, after it, or in only one of them."""
    words = fixtures.words_of(path)
    for at in fixtures.instructions(words):
        if words[at] & 0xFFFF == 16 and words[at + 2] == 17 and words[at + 3:at + 6] == [8, 1, 1]:  # LocalSize
            words[at + 3] = 2
    fixtures.write(path, fixtures.bytes_of(words))


def programs(args, scratch):
    """[(name, function that makes the Program)] of the compute shaders of the corpora, then of the fixtures."""
    found = []
    if args.corpora:
        corpus = corpora.Corpus(args.corpora)
        found += [(name, lambda name=name: Program(name, corpus.path(name), corpus.flags[name]))
                  for name in sorted(corpus.flags) if is_compute(corpus.path(name))]

    def assembled(kind, path, version, out):
        fixtures.assemble(path, version, out)
        if kind != "waterfall":
            two_lanes(out)
    for kind, path in fixtures.fixtures():
        if kind not in ("invalid", "uniformity") and b"OpEntryPoint GLCompute" in load(path):
            fields = fixtures.header(path)
            name = os.path.relpath(path, fixtures.FIXTURES)
            found.append(("fixture " + name, lambda name=name, path=path, fields=fields, kind=kind: fixture(
                args, scratch, name, fixtures.options_of(fields),
                lambda out: assembled(kind, path, fields["version"], out))))
    for source, flags in fixtures.programs():
        if source.endswith(".comp") and "uniformity" not in source:  # which indexes arrays by lane, out of bounds
            found.append(("fixture glsl/" + source, lambda source=source, flags=flags: fixture(
                args, scratch, "glsl/" + source, ["--auto-binding=65534"],
                lambda out: glslang(os.path.join(fixtures.FIXTURES, "glsl", source), out, *flags))))
    return found


def random_program(seed, scratch):
    """With numbers, each different. Without structs, counters and loose uniforms, which glslang does not number. None:
    glslang makes two variables of a texture, with two numbers."""
    program = random_declarations.Program(random.Random(seed), [["comp"]], random_declarations.RUNS + "akel")
    program.places = "vk"
    for number, d in enumerate(program.pool):
        d.number, d.set = number, d.set or 0
    folder = os.path.join(scratch, "random%d" % seed)
    os.mkdir(folder)
    module = random_declarations.compile_program(program, "amb", folder)[0]
    places = random_declarations.read_places(module)
    twice = any(name and isinstance(place, list) for name, place in places.items())
    return None if twice else Program("random %d" % seed, module, [])


def swap(items):
    """Swaps two bindings with the same type and count, but different memory; None: there are none."""
    for i, a in enumerate(items):
        for b in items[i + 1:]:
            if a[2:4] == b[2:4] and a[4:] != b[4:]:
                a[4:], b[4:] = b[4:], a[4:]
                return items
    return None


def jobs_of(args, chosen, scratch):
    """Lines for the runner."""
    for i, program in enumerate(chosen):
        folder = os.path.join(scratch, "p%d" % i)
        os.mkdir(folder)
        found = []
        for variant, module, items in variants_of(args, program, folder):
            if args.swapped:
                items = swap(items)
            if items is not None:
                found += [variant, module, written(items)]
        if not program.entries:
            continue
        for entry in program.entries if found else []:
            yield "\t".join(["%s#%s" % (program.name, entry), entry, program.path, *found]) + "\n"


def read_table():
    rows = {}
    if os.path.exists(TABLE):
        with open(TABLE) as f:
            for line in f:
                if line.strip() and not line.startswith("#"):
                    driver, name, pattern, reason = line.rstrip("\n").split("\t")
                    rows[driver, name, pattern] = reason
    return rows


def write_table(rows):
    with open(TABLE, "w") as f:
        f.write("# Compute shaders that cannot be compared: unbound, they crash or hang the driver, differ between two "
                "runs, or need more\n# than the device or vulkan_execute has. "
                "Written by test/vulkan/execute/execute.py --all --update.\n")
        for key, reason in sorted(rows.items()):
            f.write("\t".join((*key, reason)) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--execute", required=True)
    parser.add_argument("--icd", required=True)
    corpora.add_argument(parser, required=False)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--swapped", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    driver = "swiftshader" if "swiftshader" in os.path.basename(args.icd) else "lavapipe"
    table = read_table()
    known_bad = {name.split("#")[0] for d, name, _ in table if d == driver}
    with tempfile.TemporaryDirectory() as scratch:
        undefined = {name for d, name, pattern in table if d == driver and pattern == "*"}
        chosen = [(name, make) for name, make in programs(args, scratch) if args.only in name and name not in undefined]
        if not args.all and not args.only:
            known_bad |= {name for name, _ in chosen if any(slow in name for slow in SLOW)}
            known_bad |= {name for name, _ in chosen if ALWAYS in name}
            some = [(name, make) for name, make in chosen if name not in known_bad][args.every // 2::args.every]
            chosen = some + [(name, make) for name, make in chosen if ALWAYS in name]
        if args.random:
            chosen = [(seed, lambda seed=seed: random_program(seed, scratch)) for seed in range(args.random)]
        chosen = [p for p in (make() for _, make in chosen) if p]
        lines = list(jobs_of(args, chosen, scratch))
        done = subprocess.run([args.execute, args.icd], input="".join(lines), capture_output=True, text=True,
                              errors="replace")
        if done.returncode:
            print(done.stdout[-2000:], done.stderr[-2000:])
            return done.returncode
    return judge(args, driver, table, done.stdout, len(lines))


def judge(args, driver, table, said, count):
    plain, left, wrong, ran, results = collections.Counter(), {}, [], collections.Counter(), collections.Counter()
    wrote, noticed, compared = set(), set(), set()
    for line in said.splitlines():
        fields = line.split("\t")
        if len(fields) != 4:
            continue
        name, variant, pattern, result = fields
        if args.verbose:
            print(line)
        if variant == "original":
            plain[result.split(":")[0]] += 1
            if result == "wrote":
                wrote.add(name)
            if result not in ("wrote", "idle"):
                left[driver, name, pattern] = result
            continue
        compared.add(name)
        if result.startswith("left out"):
            left[driver, name, pattern] = variant + ": " + result
            continue
        ran[variant] += 1
        results["same" if result == "same" else "differs"] += 1
        if result != "same":
            noticed.add(name)
            wrong.append(line)
    print("%d jobs; originals: %s; %d programs wrote" % (count, dict(plain), len(wrote)))
    print("runs of variants: %s; %s" % (dict(ran), dict(results)))
    if args.swapped:
        quiet = sorted((compared & wrote) - noticed)
        print("%d programs with swapped bindings, %d noticed" % (len(compared & wrote), len(noticed)))
        for name in quiet if args.verbose else []:
            print("not noticed: " + name)
        return 0 if len(noticed) * 2 > len(compared & wrote) and noticed else 1
    for line in wrong:
        print("DIFFERENT " + line)
    fresh = {key: why for key, why in left.items() if table.get(key) != why}
    gone = {key for key in table if key[0] == driver and key[2] != "*" and key not in left} if args.all else set()
    if args.update and args.all:
        write_table({**{k: v for k, v in table.items() if k[0] != driver or k[2] == "*"}, **left})
    elif not args.only:
        for key, why in sorted(fresh.items()):
            print("left out, and not in the table: %s" % "\t".join((*key, why)))
        for key in sorted(gone):  # a crash may depend on the memory after a buffer
            print("in the table, and not left out: %s" % "\t".join(key))
        wrong += [key for key in fresh if not key[1].startswith("fixture ")]  # fixtures are not meant to be executed
    print("%d passed, %d failed" % (sum(ran.values()) - len(wrong), len(wrong)))
    return 1 if wrong or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
