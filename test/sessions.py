#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sessions in which two builds of the command differ, and in what: as outputs.py, for the work around modules.

    sessions.py --bind NEW --against OLD [--every N]

A session is a folder in which some commands run one after the other: generations of a lock, manifests, older layouts,
caches, policies, logs as baselines, wrong options, and the same files with a damage. Compared is all that its runs
say, return and leave in files. All of it is made from numbers that the session's name gives, so a new session changes
no other."""
import functools
import os
import random
import re
import shutil
import sys
import zlib

import fixtures
import outputs
import running
import session_texts
from running import read, write
from session_texts import (NAMES, ODD, STAGES, damaged, damaged_json, edited, lock_lines, lock_text, made, manifest,
                           module, policy, policy_line, program, source_text, with_source)

HASHED = re.compile(r"[0-9a-f]{16,}")  # names in a cache, which follow from the executable
LASTING = ["--validate=none", "--order=module"]


class Session:
    """files: name -> contents; steps: lists of words, or functions of the folder. Made by functions session_… of a
    chance; a mode for each session of a line."""

    def __init__(self, name, make, numbers):
        self.name, self.make, self.modes = name, make, ["%d" % i for i in numbers]

    def runs(self, mode, folder):
        files, steps = self.make(random.Random("%s %s" % (self.name, mode)))
        folder = os.path.join(folder, "session")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name, data in files.items():
            put(folder, name, data)
        before = contents(folder)
        for step in steps:
            if callable(step):
                step(folder)
                before = contents(folder)
                continue
            done = running.bind_bytes(*step, expect=None, cwd=folder, stdin=b"")
            after = contents(folder)
            parts = {"status": b"%d" % done.returncode, "stdout": done.stdout, "messages": done.stderr,
                     "names": "\n".join(sorted(after)).encode()}
            parts.update((name, data) for name, data in sorted(after.items()) if before.get(name) != data)
            before = after
            yield parts


def put(folder, name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write(path, data)


def contents(folder, short="", found=None):
    """path -> contents. Of a cache, how many entries it has."""
    found = {} if found is None else found
    with os.scandir(folder) as entries:
        for entry in entries:
            name = short + entry.name
            if entry.is_dir():
                found[name + "/"] = b""
                contents(entry.path, name + "/", found)
            elif HASHED.search(name):
                name = HASHED.sub("HASH", name)
                found[name] = b"%d" % (int(found.get(name, 0)) + 1)
            else:
                found[name] = read(entry.path)
    return found


FIXTURES = {}  # path -> options and files


def chosen_fixtures(folders, every):
    """Paths. Whether one is among them follows from its name, so a new one is a new line."""
    paths = (path for _, path in fixtures.fixtures() if os.path.basename(os.path.dirname(path)) in folders)
    return sorted(path for path in paths if zlib.crc32(os.path.basename(path).encode()) % every == 0)


def fixture(path):
    """(options, files): in.spv, and resolvers that options name."""
    if path not in FIXTURES:
        fields, files, words = fixtures.header(path), {}, []
        fixtures.assemble(path, fields["version"], made())
        files["in.spv"] = read(made())
        for word in fixtures.options_of(fields):
            name, _, value = word.partition("=")
            if os.path.isabs(value):
                files[os.path.basename(value)], word = read(value), name + "=" + os.path.basename(value)
            words.append(word)
        FIXTURES[path] = words, files
    return FIXTURES[path]


def damage(chance, *names):
    """A step that damages one of the files, if it is there."""
    name, seed = chance.choice(names), chance.random()
    how = damaged_json if re.search("json|sarif", name) and chance.random() < 0.7 else damaged

    def step(folder):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            text = how(random.Random(seed), read(path).decode(errors="surrogateescape"))
            write(path, text.encode(errors="surrogateescape"))
    return step


def copied(name, to):
    def step(folder):
        if os.path.exists(os.path.join(folder, name)):
            shutil.copy(os.path.join(folder, name), os.path.join(folder, to))
    return step


def replaced(files):
    def step(folder):
        for name, data in files.items():
            put(folder, name, data)
    return step


# Options

VALUES = ["", "0", "1", "-1", "007", "0x10", "4294967295", "4294967296", "65536", "99999999999999999999", "x", "a=b",
          "a=1.2", "a=1", "1.2", "1.", ".2", "a:b", "a,b", "b=1", "t=5", "t:1=5", "t@fragment=2", "t:=1", "*=1", "*",
          "a:", ":b", "=", "=1", "1.2.3", "ubo=7.4", "ubo=7", "as=address", "counter=off", "all,all", "all=note",
          "nonuniform=error,barriers=off", "SPB5001@x", "*@m.spv:3", "place -> set=1", "plce", "3=2.5", "3=true", "0=1",
          "1/2", "0/2", "3/2", "missing.file", "in.spv", "folder", "32,16", "32,", "texture", "main", "albedo=2.3",
          "alb*=1.1", "albedo:linear", "json", "sarif:log", "github:", "-", "out/x"]
EXAMPLES = {  # of options whose values are no words of the table; what a random command line draws from
    "--auto-binding": ["65534", "0"], "--auto-set": ["0", "1"], "--default-set": ["0", "2"],
    "--bind": ["albedo=1.3", "l*=0.7", "camera=2.0"], "--parameter-block": ["camera", "l*=2"],
    "--policy": ["place kind=texture -> set=1", "reserve set=0 range=0..1", "push set=2", "block name=l*",
                 "place class=s -> order=0", "descriptor kind=ubo -> type=dynamic", "shift class=t by=8",
                 "option unused=last", 'refuse kind=image -> say="no images"'],
    "--shift": ["t=16", "b:0=32", "u@compute=8", "texture=5", "s=100"], "--entry": ["main"], "--spec": ["0=1"],
    "--heap": ["texture=5.0", "ubo=6.1", "as=address"], "--heap-set": ["0", "3"], "--heap-size": ["1", "64"],
    "--heap-stride": ["32", "64,16"], "--instrument-handles": ["9.0", "0.0"], "--ycbcr": ["albedo", "*"],
    "--merge-combined": ["albedo:linear", "*:clamped"], "--lint": ["all", "barriers=warning,nonuniform", "all=note"],
    "--suppress": ["*@albedo", "SPB5001", "nonuniform@in.spv"], "--explain": ["*", "a*", ""],
    "--lower-buffer-references": ["", "lights"], "--layout-json": ["layout.json"],
    "--layout-header": ["layout.h"], "--layout-glsl": ["layout.glsl"], "--report": ["page.html"],
    "--depfile": ["deps.d"], "--stamp": ["stamp"], "--lock": ["game.lock"], "--cache": ["cache"],
    "--diff-against": ["old.json"], "--check-compatible": ["old.json", "old.json:0", "old.json:1,0", "old.json:7"],
    "--diagnostics": ["json", "github", "sarif", "text", "sarif:log.sarif", "json:log.json"],
    "--baseline": ["known.sarif"], "--import": ["other.spv"], "--out-dir": ["out"], "-o": ["out.spv"], "-j": ["1", "3"],
    "--resolver": ["missing.spv"], "--resolver-timeout": ["9"], "-I": ["."], "-D": ["X=1"],
    "--profile": ["one-set", "set-per-kind", "sdl3gpu", "dxc", "glslang", "llvm", "dx12-shifts", "p.policy"],
    "--only": ["assign-bindings", "decorate-nonuniform,assign-bindings"], "--dump-after": ["assign-bindings"],
    "--manifest": ["game.manifest"], "--programs": ["a*"], "--shard": ["1/2"], "--collect": ["facts"],
    "--heap-preset": ["slang", "dxc"], "--lint=": [],
}
NOT_DRAWN = {"--help", "--version", "--progress", "--manifest", "--programs", "--shard", "--collect",
             "--merge-collected", "--merge-lock", "--resolver", "-I", "-D", "--dump-after", "--only"}
OPTIONS = []


def options():
    """(name, whether it takes a value, whether it may do without, its words)"""
    if not OPTIONS:
        for line in running.bind("--help=table").stdout.splitlines():
            name, _, value, optional, words, group = line.split("\t")
            if group != "planned" and name not in ("--help", "--version"):
                OPTIONS.append((name, bool(value), bool(optional), words.split()))
    return OPTIONS


def some(chance, rows, count):
    """As chance.sample, but a new row changes few of the samples."""
    salt = chance.random()
    return sorted(rows, key=lambda row: zlib.crc32(("%r %s" % (salt, row[0])).encode()))[:count]


def random_options(chance, least, most):
    words = []
    for name, takes, optional, choices in some(chance, options(), chance.randrange(least, most + 1)):
        examples = EXAMPLES.get(name, []) or [c for c in choices if c[-1] != "="]
        if name in NOT_DRAWN or takes and not examples and not optional:
            continue
        value = chance.choice(examples or [""]) if takes else ""
        joined = name + value if name[1] != "-" else name + "=" + value
        words.append(joined if value else name)
    return words


def session_option(option, chance):
    """One option with each value, on a program it may do something to."""
    name, takes, _, choices = option
    declarations = ["albedo:t", "linear:s", "camera:b@65534", "lights:ssbo@,1", "bones:comb[2]", "history:img!"]
    files = {"in.spv": module(declarations, "Fragment", handles=("tex", "smp")), "folder/x": "",
             "out/keep": ""}
    numbers = [v for v in VALUES if chance.random() < (0.15 if choices else 0.05 if not takes else 0.4)]
    near = [w for c in choices for w in (c, c[:-1], c + "x", c.upper(), c + "," + c)]
    steps = [["in.spv", "--dry-run", "--print-layout", *LASTING, name]]
    steps += [["in.spv", name, "-o", "out.spv", *LASTING], ["in.spv", "--dry-run", name, name, *LASTING]]
    for value in near + numbers + EXAMPLES.get(name, []):
        word = name + value if name[1] != "-" else name + "=" + value
        ends = [["--dry-run", "--print-layout"], ["-o", "out.spv"], ["--dry-run", "--diff"], ["--check"]]
        steps.append(["in.spv", *chance.choice(ends), *LASTING, word])
    if takes:
        value = chance.choice(near + VALUES)
        steps.append(["in.spv", "--dry-run", *LASTING, name, value])
    steps.append(["in.spv", "--dry-run", *LASTING, name[:-1]])
    steps.append(["in.spv", "--dry-run", *LASTING, "--no" + name[1:]])
    return files, steps


def session_words(chance):
    """Random command lines."""
    first, second = program(chance), program(chance)
    files = {"in.spv": module(first, chance.choice(STAGES)), "other.spv": module(second, chance.choice(STAGES)),
             "third.spv": module(edited(chance, first), "Vertex", handles=chance.choice([(), ("tex", "smp")])),
             "p.policy": policy(chance)}
    steps = [["in.spv", "other.spv", "--out-dir=old", "--layout-json=old.json", "--rebind=all", *LASTING],
             ["in.spv", "-o", "old/in.spv", "--lock=game.lock", "--update-lock", "--rebind=all", *LASTING],
             ["in.spv", "--nonuniform=lint", "--diagnostics=sarif:known.sarif"]]
    for _ in range(6):
        inputs = chance.choice([["in.spv"], ["in.spv", "other.spv"], ["third.spv"],
                                ["in.spv", "other.spv", "third.spv"]])
        where = chance.choice([["--out-dir=out"], ["--dry-run"], ["--check"], ["-o", "out.spv"], ["--out-dir=out"],
                               ["--doctor"], ["--out-dir=out", "--batch"], ["--out-dir=out", "--batch=stem"]])
        valid = chance.choice([[], ["--validate=none"], ["--validate=none"]])
        steps.append(inputs + where + random_options(chance, 1, 6) + valid)
    return files, steps


def session_together(chance):
    """Options that exclude each other, need each other, or name one file twice; each alone is right."""
    resolver = os.path.join(running.FIXTURES, "resolvers", "table.spvasm")
    first = module(program(chance), "Fragment", (), ("tex", "smp"))
    files = {"in.spv": first, "dir/other.spv": module(program(chance)), "r.spvasm": running.read_text(resolver),
             "known.sarif": '{"version": "2.1.0", "runs": []}', "p.policy": "place kind=texture -> set=1\n",
             "game.manifest": "program a: in.spv\nprogram b: dir/other.spv\n", "dir/in.spv": first}
    out = ["in.spv", "-o", "out.spv", *LASTING]
    names = ["--layout-json", "--layout-header", "--layout-glsl", "--report", "--depfile", "--stamp",
             "--lock"]
    steps = []
    for i, a in enumerate(names):  # one file, once an output, and once of two options
        steps += [out + [a + "=x", names[i - 1] + "=./x"], out + [a + "=out.spv"], out + [a + "=in.spv"],
                  out + [a + "=p.policy", "--profile=p.policy"], out + [a + "=r.spvasm", "--resolver=r.spvasm"],
                  out + [a + "=-"], out + [a + "=-", names[i - 1] + "=-"], out[:1] + ["-o", "-", a + "=-"],
                  out + ["--diagnostics=json:x", a + "=x"]]
    steps += [out + [a + "=x.1.json", "dir/other.spv", "--out-dir=new", "--reflect=x.json"] for a in names]
    steps += [out + [a + "=x", b + "=x", "--update-lock"] for a, b in zip(names, names[3:])]
    prints = ["--print-layout", "--diff", "--explain", "--check-compatible=l.json", "--doctor", "--layout-json=-",
              "--report=-", "--dump-after=assign-bindings"]
    for a in prints:
        steps += [["in.spv", "-o", "-", a], ["in.spv", "--dry-run", a, chance.choice(prints)],
                  ["in.spv", "--check", a, chance.choice(prints)], ["in.spv", "dir/other.spv", "--dry-run", a]]
    modes = ["-oout.spv", "--out-dir=new", "--check", "--dry-run", "--doctor", "--nonuniform=lint", "--batch",
             "--import=dir/other.spv", "--lock=x", "--update-lock", "--locked", "--record-options"]
    steps += [["in.spv", "--validate=none", a, b] for i, a in enumerate(modes) for b in modes[i:]]
    steps += [["--out-dir=new"], ["-", "--out-dir=new"], ["-", "--batch", "--check"], ["in.spv", "dir/in.spv"],
              ["in.spv", "dir/in.spv", "--out-dir=new"], ["in.spv", "./in.spv", "--check"], ["--check"]]
    for a in ("--heap=ubo=5.0", "--heap-set=3", "--heap-stride=64", "--heap-stride=64,16", "--heap-stride=unified,32",
              "--heap-stride=65536", "--heap-stride=65540", "--heap-stride=6,4", "--bounds-check=clamp",
              "--heap-size=4"):
        steps += [out + [a], out + [a, "--heap-model=descriptor-heap"], out + [a, "--bounds-check=clamp"]]
    steps += [out + ["--resolver=-"], out + ["--resolver=r.spvasm", "-o", "r.spvasm"],
              out[:1] + ["-o", "-", "--resolver=r.spvasm", *LASTING], out + ["--lint=all"], out + ["--suppress=*"],
              out + ["--baseline=known.sarif"], ["in.spv", "--nonuniform=lint", "--baseline=known.sarif",
                                                 "--diagnostics=sarif:known.sarif"]]
    batch = ["in.spv", "dir/other.spv", "--batch", *LASTING]
    for a in ("--layout-json=l", "--layout-json=%", "--layout-json=dir/%.spv", "--layout-json=new/%.spv",
              "--report=%", "--layout-header=l/%.h", "--layout-glsl=l",
              "--check-compatible=l.json", "--cache=cache", "--dump-after=assign-bindings", "--stamp=s",
              "--depfile=d"):
        steps += [batch + ["--out-dir=new", a], batch + ["--check", a], out + [a],
                  batch + ["--out-dir=new", a, "--cache=cache"]]
    game = ["--manifest=game.manifest", "--validate=none", "-j1"]
    ways = ["--out-dir=new", "--check", "--dry-run", "--collect=facts", "--part-lock=part", "--merge-collected",
            "--lock=x", "--update-lock", "--locked", "--nonuniform=lint", "--shard=1/2", "--programs=a",
            "--check-compatible=l.json", "--layout-json=l.json", "--layout-json=-", "--report=-", "--layout-header=l.h",
            "--doctor", "--print-layout", "--batch", "-oout.spv", "--stamp=s", "--depfile=d"]
    steps += [game + [a, b] for i, a in enumerate(ways) for b in ways[:i:1 + (i > 11)]]
    steps += [game + ["--lock=x", a, b] for a in ways[:6] for b in ways[7:14]]
    steps += [["--manifest=game.manifest", "in.spv"], ["in.spv", "--merge-lock"], ["--shard=1/2", "in.spv", "--check"]]
    return files, steps


def session_help(chance):
    """Each topic. --version names what is installed here, and is asked by others."""
    topics = [name for name, *_ in options()] + [row[0].strip("-") for row in options()[::7]]
    topics += "output batch reports layout locks handles samplers uniformity validation general debug".split()
    return {}, [["--help=" + topic] for topic in topics + ["all", "nothing", "reprots"]] + [["--help"], ["-h"]]


def session_response(chance):
    """@FILE, nested, quoted and damaged."""
    words = ["--print-layout", "--bind=albedo=1.2", "'--policy=place name=\"l*\" -> set=3'",
             "--policy=place\\ kind=sampler\\ -\\>\\ order=0", '"--explain=a*"', "--validate=none"]
    chosen = chance.sample(words, chance.randrange(2, len(words) + 1))
    text = chance.choice([" ", "\n", "\t\n "]).join(["in.spv", "--dry-run"] + chosen)
    files = {"in.spv": module(program(chance, 2)), "words": text, "nested": "@words --order=name\n",
             "self": "@self", "twice": "@words @words", "quoted": "'@words' \"@words\""}
    steps = [["@" + name] for name in files if name != "in.spv"]
    steps += [["in.spv", "@words", "--diff"], ["@missing"], ["@"], ["--", "@words"], ["@words", "--", "@words"],
              ["in.spv", "-o", "@words", "--validate=none"]]
    for _ in range(8):
        steps += [damage(chance, "words", "words", "nested"), ["@" + chance.choice(["words", "nested"])],
                  replaced({"words": text})]
    return files, steps


# Policies


def session_policy(chance):
    declarations = program(chance, 3, 8)
    files = {"in.spv": module(declarations, chance.choice(STAGES)), "dir/p.policy": policy(chance),
             "q.policy": policy(chance)}
    run = ["in.spv", "--print-layout", "--explain=*", "--layout-json=l.json", "-o", "out.spv", *LASTING]
    steps = [run + ["--profile=q.policy"], run + ["--profile=dir/p.policy"],
             run + ["--profile=q.policy", "--profile=dir/p.policy", "--rebind=all,sets"],
             run + ["--policy=" + policy_line(chance), "--policy=" + policy_line(chance)],
             ["out.spv", "--check", "--profile=q.policy", *LASTING],
             run + ["--profile=q.policy", "--lock=x.lock", "--update-lock"],
             run + ["--profile=dir/p.policy", "--lock=x.lock", "--locked"],
             run + ["--rules=hlsl", "--auto-shift"], run + ["--rules=hlsl", "--policy=option shift=auto"],
             run + ["--rules=hlsl", "--shift=t=6", "--shift=b:0=4", "--shift=s@fragment=2", "--rebind=conflicts"],
             ["out.spv", "--check", "--rules=hlsl", "--shift=t=6", "--shift=b:0=4", "--diff", *LASTING]]
    for _ in range(4):
        steps += [damage(chance, "dir/p.policy"), run + ["--profile=dir/p.policy"]]
    return files, steps


# Locks

def session_lock(chance):
    """Generations of one program, whose lock is renamed in, damaged, and used by others."""
    declarations = program(chance, 2)
    renamed = [(chance.choice(NAMES), chance.choice(ODD[:12]))] if chance.random() < 0.4 else []
    more = random_options(chance, 0, 1) if chance.random() < 0.3 else []
    handles = chance.choice([(), (), (), ("tex", "smp"), ("img",)])
    files, steps = {"in.spv": module(declarations, "Fragment", renamed, handles)}, []
    run = ["in.spv", "-o", "out.spv", "--lock=game.lock", *LASTING, *more]
    for generation in range(4):
        steps += [run + ["--locked", "--diff"], run + ["--update-lock", "--explain=*", "-v"]]
        declarations = edited(chance, declarations)
        made = {"in.spv": module(declarations, "Fragment", renamed, handles)}
        steps.append(replaced(made))
        if chance.random() < 0.4:
            steps.append(appended("game.lock", chance.choice(
                ["rename %s -> %s\n" % tuple(chance.sample(NAMES, 2)), "resource queue set=0 binding=1 kind=ssbo\n",
                 "removed history set=0 binding=0 kind=texture\n", "shift class=t set=0 by=4\n", "push set=1\n",
                 "resource camera set=0 binding=0 kind=ubo count=3\n",
                 "heap heap_sampler set=4 binding=0 kind=sampler\n", "=======\n", ">>>>>>> theirs\n",
                 "<<<<<<< ours\n"])))
    steps += [["in.spv", "--lock=game.lock", "--dry-run", "--print-layout", *LASTING]]
    for _ in range(5):
        steps += [copied("game.lock", "bad.lock"), damage(chance, "bad.lock"),
                  ["in.spv", "--lock=bad.lock", "--update-lock", "--out-dir=bad", *LASTING]]
    return files, steps


def appended(name, text):
    def step(folder):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            write(path, read(path) + text.encode())
    return step


def session_merge(chance):
    version = chance.choice([1, 2, 2])
    base = lock_lines(chance, version, chance.randrange(0, 7))
    sides = []
    for _ in range(2):
        lines = [re.sub(r"binding=\d", "binding=%d" % chance.randrange(9), line) if chance.random() < 0.1 else line
                 for line in base if chance.random() < 0.8]
        sides.append(lock_lines(chance, version, chance.randrange(0, 4), lines))
    files = {"base": lock_text(base, version), "ours": lock_text(sides[0], version),
             "theirs": lock_text(sides[1], chance.choice([version, version, version, 3 - version])), "empty": ""}
    merge = ["--merge-lock", "base", "ours", "theirs"]
    steps = [copied("ours", "kept"), merge, merge, copied("kept", "ours"), ["--merge-lock", "empty", "ours", "theirs"],
             ["--merge-lock", "base", "ours"], ["--merge-lock", "base", "missing", "theirs"]]
    for _ in range(4):
        steps += [copied("kept", "ours"), damage(chance, "base", "ours", "theirs"), merge]
    return files, steps


# Manifests


def session_manifest(chance):
    count = chance.randrange(2, 5)
    text, files = manifest(chance, count)
    files["game.manifest"] = text
    run = ["--manifest=game.manifest", "-j1", "--lock=game.lock"]
    out = ["--out-dir=out", "--layout-json=shared.json"]
    steps = [run + out + ["--update-lock", "-v"], run + out + ["--locked", "-v"],
             *[run + ["--out-dir=out", "--locked", "--cache=cache", "-v"]] * chance.choice([0, 0, 0, 2]),
             run + ["--locked", "--check"], copied("shared.json", "old.json"),
             run + ["--out-dir=some", "--update-lock", "-v",
                    "--programs=" + chance.choice(["m.*", "sky", "nobody", "*"])],
             run + ["--out-dir=out", "--depfile=deps.d", "--stamp=stamp"],
             ["--manifest=game.manifest", "--shard=1/2", "--collect=part1"],
             ["--manifest=game.manifest", "--shard=2/2", "--collect=part2", "-j1"],
             ["--manifest=game.manifest", "--merge-collected", "part2", "part1", "--lock=parts.lock", "--update-lock"],
             ["--manifest=game.manifest", "--merge-collected", "part1", "--lock=game.lock", "--locked"],
             damage(chance, "part1"),
             ["--manifest=game.manifest", "--merge-collected", "part2", "part1", "--lock=bad.lock", "--update-lock"]]
    changed = manifest(chance, count)[1]
    changed = {name: data for name, data in changed.items() if name in files and chance.random() < 0.6}
    steps += [replaced(changed), run + out + ["--locked"], run + out + ["--update-lock", "--check-compatible=old.json"],
              run + out + ["--update-lock", "--check-compatible=old.json:0"],
              run + ["--dry-run", "--print-layout"]]
    for _ in range(3):
        steps += [appended("game.lock", chance.choice(
            ["rename albedo -> shadow\n", "rename program=sky -> hud\n", "rename camera -> lights program=sky\n",
             "resource queue program=* set=0 binding=9 kind=ssbo\n",
             "removed queue program=sky set=1 binding=0 kind=ubo\n"])),
            run + out + ["--update-lock", "-q"]]
    return files, steps


def session_damaged_manifest(chance):
    text, files = manifest(chance, 3)
    files["game.manifest"] = text
    run = ["--manifest=game.manifest", "-j1"]
    steps = [run + ["--out-dir=out", "--lock=game.lock", "--update-lock"]]
    for _ in range(7):
        steps += [replaced({"game.manifest": text}), damage(chance, "game.manifest"),
                  run + ["--out-dir=out", "--lock=game.lock", chance.choice(["--locked", "--update-lock"])]]
    steps.append(replaced({"game.manifest": text}))
    for _ in range(4):
        steps += [damage(chance, "game.lock"), run + ["--out-dir=out", "--lock=game.lock", "--update-lock"]]
    for _ in range(6):
        steps.append(run + ["--dry-run"] + random_options(chance, 1, 3))
    return files, steps


# Source texts, which tell the order of declarations


def session_source(chance):
    hlsl = chance.random() < 0.7
    declarations = [re.sub("@.*", "", d) for d in program(chance, 4, 8)]
    text, steps = source_text(chance, declarations, hlsl), []
    run = ["in.spv", "--print-layout", "--explain=*", "--layout-json=l.json", "-o", "out.spv", "--validate=none"]
    for i in range(7):
        changed = damaged(chance, text) if i > 1 else text if i else source_text(chance, declarations, hlsl)
        changed = changed.encode(errors="ignore").replace(b"\0", b"").decode()
        steps += [replaced({"in.spv": with_source(chance, declarations, changed, hlsl)}),
                  run + chance.choice([[], ["--rules=hlsl"], ["--order=source-strict"], ["--auto-binding=2"]])]
    return {}, steps


# Layouts: compared, shown, written for others

def session_compatible(chance):
    declarations, policies = program(chance, 3, 8), policy(chance)
    files = {"in.spv": module(declarations, "Fragment"), "p.policy": policies}
    steps = [["in.spv", "-o", "out.spv", "--layout-json=old.json", *LASTING, "--rebind=all"]]
    for _ in range(5):
        declarations = edited(chance, declarations)
        steps += [replaced({"in.spv": module(declarations, chance.choice(["Fragment", "Fragment", "Vertex"]))})]
        more = chance.choice([[], [], ["--profile=p.policy"], ["--rebind=all"], ["--nonuniform=all"]])
        check = "--check-compatible=old.json" + chance.choice(["", "", ":0", ":1", ":0,1", ":2,9"])
        steps.append(["in.spv", "-o", "out.spv", check, "--rebind=all", *more, *LASTING])
        steps.append(["in.spv", "-o", "out.spv", "--report=page.html", "--diff-against=old.json", "--rebind=all", *more,
                      *LASTING])
    for _ in range(5):
        steps += [copied("old.json", "bad.json"), damage(chance, "bad.json"),
                  ["in.spv", "--dry-run", "--check-compatible=bad.json", "--rebind=all", *LASTING]]
    return files, steps


def session_shown(chance):
    """Layouts as JSON, header, macros, table, page and explanation, with names that nobody likes."""
    declarations = program(chance, 4, 9)
    renamed = [(name, chance.choice(ODD)) for name in chance.sample(NAMES, 4)]
    renamed += [("main", chance.choice(["main", "other", "a b"]))]
    handles = chance.choice([(), (), ("tex", "cube", "smp"), ("img",)])
    files = {"in.spv": module(declarations, chance.choice(STAGES), renamed, handles),
             "old.spv": module(edited(chance, declarations), "Fragment", renamed)}
    writes = ["--layout-json=l.json", "--layout-header=l.h", "--layout-glsl=l.glsl", "--report=p.html",
              "--print-layout", "--explain", "--diff", "--explain=" + chance.choice(["a*", "*", "?", "l*"]),
              "--record-options", "-v", "--strip-debug"]
    steps = [["old.spv", "--out-dir=old", "--layout-json=old.json", "--rebind=all", *LASTING]]
    for _ in range(5):
        chosen = chance.sample(writes, 4) + random_options(chance, 0, 1)
        steps.append(["in.spv", "-o", "out.spv", *chosen, *LASTING])
    steps += [["out.spv", "in.spv", "--out-dir=both", *chance.sample(writes, 5), *LASTING, "--rebind=all"],
              ["in.spv", "-o", "out.spv", "--report=p.html", "--diff-against=old.json", *LASTING],
              ["in.spv", "--dry-run", "--layout-json=-", *LASTING], ["in.spv", "-o", "-", "--record-options", *LASTING],
              ["in.spv", "--doctor", *LASTING]]
    return files, steps


def session_names(chance):
    """All names that nobody likes, wherever a name is written."""
    found = sorted(set(ODD), key=lambda name: (zlib.crc32(name.encode(errors="surrogateescape")), name))
    first = chance.choice(range(0, len(found), 3))
    names = [(name, found[(first + i) % len(found)]) for i, name in enumerate(NAMES)]
    kinds = [chance.choice(["t", "b", "ssbo", "comb[2]", "img", "s"]) for _ in NAMES]
    files = {"in.spv": module(["%s:%s" % pair for pair in zip(NAMES, kinds)], "Fragment", names)}
    run = ["in.spv", "--out-dir=out", *LASTING]
    steps = [run + ["--layout-json=l.json", "--layout-header=l.h", "--layout-glsl=l.glsl", "--report=p.html",
                    "--print-layout", "--explain", "--diff", "--lock=x.lock", "--update-lock"],
             run + ["--lock=x.lock", "--locked", "--explain=*", "--check-compatible=l.json"],
             ["out/in.spv", "--rebind=all", "--order=name", "--dry-run", "--report=-"],
             ["in.spv", "--doctor", "--auto-set=0", *LASTING]]
    for form in LOGS[4:]:
        steps.append(run + ["--policy=refuse kind=ubo,texture,ssbo -> say=\"no\"", "--diagnostics=" + form])
        steps.append(run + ["--bind=*=0.3", "--diagnostics=" + form])
    return files, steps


# Messages

LOGS = ["sarif:log.sarif", "json:log.json", "github:log.txt", "text:log.txt", "sarif", "json", "github", "text"]


def session_messages(path, chance):
    """What is said of a refused module, in each form."""
    options, files = fixture(path)
    files = {**files, "dir/in.spv": files["in.spv"], "p.policy": damaged(chance, policy(chance))}
    steps = []
    for form in LOGS:
        steps.append(["dir/in.spv", "--dry-run", "--validate=none", *options, "--diagnostics=" + form])
    steps += [["dir/in.spv", "--dry-run", *options, "--color=always"], ["dir/in.spv", "--dry-run", *options, "-q"],
              ["dir/in.spv", "--dry-run", *options, "-v", "--profile=p.policy", "--diagnostics=" + chance.choice(LOGS)],
              ["dir/in.spv", "missing.spv", "--dry-run", "--diagnostics=" + chance.choice(LOGS)],
              ["dir/in.spv", "--out-dir=out", "--batch", *options, "--diagnostics=" + chance.choice(LOGS)]]
    return files, steps


def session_lint(path, chance):
    """Logs as baselines, rules, severities and what is suppressed."""
    _, files = fixture(path)
    _, other = fixture(os.path.join(running.FIXTURES, "decorate-nonuniform", "auto-every-operand.spvasm"))
    files = {"in.spv": files["in.spv"], "other.spv": other["in.spv"]}
    lint = ["in.spv", "--nonuniform=lint", "--validate=none"]
    rules = "all nonuniform derivatives barriers subgroup operands assertions".split()
    steps = [lint + ["--diagnostics=sarif:known.sarif", "--distrust-uniform"], lint + ["--baseline=known.sarif"],
             lint + ["--baseline=known.sarif", "--diagnostics=sarif:new.sarif", "--distrust-uniform", "-v"],
             ["other.spv"] + lint + ["--baseline=known.sarif", "--diagnostics=json"]]
    for _ in range(5):
        rule = ",".join(r + chance.choice(["", "=note", "=warning", "=error", "=off"]) for r in chance.sample(rules, 2))
        where = ",".join(chance.choice(rules + ["*", "SPB5001", "SPB9", "none"]) +
                         chance.choice(["", "@in.spv", "@main", "@*:5", "@m*", "@x:1"]) for _ in range(2))
        steps.append(lint + ["--lint=" + rule, "--suppress=" + where, "--diagnostics=" + chance.choice(LOGS)])
    for _ in range(4):
        steps += [copied("known.sarif", "bad.sarif"), damage(chance, "bad.sarif"), lint + ["--baseline=bad.sarif"]]
    return files, steps


# Files: batches, caches, dependencies

def session_batch(chance):
    first = program(chance, 2)
    files = {"a.vert.spv": module(first, "Vertex"), "a.frag.spv": module(edited(chance, first), "Fragment"),
             "dir/b.frag.spv": module(program(chance), "Fragment"), "c.comp.spv": module(program(chance)),
             "bad.spv": chance.choice([b"", b"\x03\x02#\x07", module(first)[:-4], b"GLSL text"])}
    names = chance.sample(list(files)[:chance.choice([4, 4, 5])], chance.randrange(2, 5))
    run = names + ["--batch" + chance.choice(["", "=stem", "=inputs"]), "--out-dir=out", "-j1", *LASTING]
    more = random_options(chance, 0, 2)
    steps = [run + more, *[run + ["--cache=cache", "-v"] + more] * chance.choice([0, 0, 0, 2]), run + ["--fail-fast"],
             names + ["--batch", "--check", *LASTING], run + ["--print-layout", "--layout-json=l/%.json", "-j3"],
             run + ["--layout-json=%.json", "--depfile=d", "--stamp=s"], run + ["--check-compatible=%.json"],
             run + ["--layout-header=%.h", "--report=%.html", "--layout-glsl=x.glsl"],
             run + ["--diagnostics=" + chance.choice(LOGS)], names + ["--batch=stem", "--nonuniform=lint"],
             names + ["--batch", "--doctor"],
             names + ["--out-dir=out", *LASTING], names + ["-o", "x.spv", *LASTING],
             names + sum([["-o", "x%d" % i] for i in range(len(names))], []) + LASTING]
    return files, steps


def session_depfile(chance):
    folder = chance.choice(["", "a b/", "a$b/", "a#b/", "a:b/", "\u00e9/", "a\\b/", "deep/er/"])
    declarations = program(chance)
    files = {folder + "in.spv": module(declarations), folder + "p.policy": "place -> set=1\n",
             "other file.spv": module(program(chance), "Fragment"),
             folder + "w": "--profile='%sp.policy'\n" % folder.replace("\\", "\\\\")}
    inputs = [folder + "in.spv"] + ["other file.spv"] * (chance.random() < 0.5)
    ends = [["--depfile=d", "--out-dir=out"],
            ["--depfile=d", "--stamp=s", "--out-dir=out", "--lock=l", "--update-lock"],
            ["--depfile=-", "--out-dir=out"], ["--depfile=d", "--dry-run"], ["--depfile=d", "--stamp=s", "--check"],
            ["--depfile=dir/d", "--out-dir=out", "@" + folder + "w"], ["--depfile=d", "--stamp=d", "--out-dir=out"],
            ["--depfile=" + folder + "in.spv", "--out-dir=out"], ["--stamp=s", "--dry-run"],
            ["--depfile=d", "-o", folder + "o.spv", "--layout-json=l.json", "--layout-header=l.h", "--report=r.html",
             "--profile=" + folder + "p.policy", "--lock=l", "--stamp=s"]]
    return files, [inputs + end + LASTING for end in ends]


def session_resolver(chance):
    """Resolvers in SPIR-V, whole, damaged, and of other kinds."""
    folder = os.path.join(running.FIXTURES, "resolvers")
    names = sorted(n for n in os.listdir(folder) if n.endswith(".spvasm"))
    text = running.read_text(os.path.join(folder, chance.choice(names)))
    running.run_bytes("spirv-as", "--target-env", "spv1.6", "-", "-o", made(), stdin=text.encode())
    binary = read(made())
    files = {"in.spv": module(program(chance, 1, 3), "Fragment", (), ("tex", "cube", "smp")), "r.spvasm": text,
             "other.spv": module(program(chance)), "r.spv": binary}
    run = ["in.spv", "-o", "out.spv", "--layout-json=l.json", *LASTING]
    steps = [run + ["--resolver=r.spvasm"], run + ["--resolver=r.spvasm", "--combined=split", "--heap-model=mutable"],
             run + ["--resolver=r.spv"], run + ["--resolver=other.spv"], run + ["--resolver=missing.spvasm"],
             run + ["--resolver=in.spv"]]
    steps += [damage(chance, "r.spvasm"), run + ["--resolver=r.spvasm"]]
    for _ in range(6):
        steps += [replaced({"r.spv": outputs.damaged(binary, chance)}), run + ["--resolver=r.spv"]]
    return files, steps


KINDS = {name[len("session_"):].replace("_", "-"): f for name, f in list(globals().items())
         if name.startswith("session_")}
COUNTS = {"words": 60, "policy": 40, "lock": 40, "merge": 40, "manifest": 40, "damaged-manifest": 30, "compatible": 30,
          "shown": 40, "names": 15, "source": 40, "batch": 30, "depfile": 20, "resolver": 20, "response": 20}
PER_LINE = 5
FIXED = [("messages", session_messages, ["invalid", "check-assertions", "decorate-nonuniform"], 6),
         ("lint", session_lint, ["decorate-nonuniform", "check-assertions", "uniformity"], 2)]


def sessions(corpora, scratch):
    session_texts.SCRATCH = scratch
    for option in options():
        yield Session("option/" + option[0], functools.partial(session_option, option), [0])
    yield Session("help", session_help, [0])
    yield Session("together", session_together, [0])
    for kind, make, folders, every in FIXED:
        for path in chosen_fixtures(folders, every):
            name = "%s/%s" % (kind, os.path.relpath(path, running.FIXTURES))
            yield Session(name, functools.partial(make, path), [0])
    for kind, count in COUNTS.items():
        for first in range(0, count, PER_LINE):
            yield Session("%s/%d" % (kind, first), KINDS[kind], range(first, first + PER_LINE))


if __name__ == "__main__":
    sys.exit(outputs.main(sessions))
