# SPDX-License-Identifier: Apache-2.0
"""Random programs against a naive model of the rules: registers and bindings, one at a time, by looking at everything.

    random_layouts.py --bind B [--count N] [--seed S]
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from module_text import KINDS, Module, read_places  # noqa: E402

UMAX = 4294967295
CLASS = {"t": "t", "comb": "t", "rossbo": "t", "utexbuf": "t", "s": "s", "u": "u", "ssbo": "u", "img": "u", "b": "b"}


class Refused(Exception):
    pass


class Resource:
    def __init__(self, name, kind, count, space, register, used):
        self.name, self.kind, self.count, self.space, self.register, self.used = name, kind, count, space, register, used
        self.cls, self.place, self.number = CLASS[kind], None, None

    def text(self):
        dims = "" if self.count == 1 else "[%s]" % (self.count or "")
        at = "" if self.space is None and self.register is None else "@%s%s" % (
            "" if self.register is None else self.register, "" if self.space is None else ",%d" % self.space)
        return "%s:%s%s%s%s" % (self.name, self.kind, dims, at, "" if self.used else "!")


def overlaps(a, b):
    return a[0] < b[1] and b[0] < a[1]


def allocate(resources, lane, length, conflicts):
    """Numbers by lane(r): fixed ones first, in order; then the open ones, the first range that fits. Sets r.number."""
    taken = {}
    todo = []
    for r in resources:
        if r.register is None:
            todo.append(r)
            continue
        n = length(r)
        span = (r.register, r.register + n if n else UMAX + 1)
        if span[1] > UMAX + 1:
            raise Refused("last register")
        ranges = taken.setdefault(lane(r), [])
        hit = [(s, o) for s, o in ranges if overlaps(s, span)]
        if hit:
            legal = all(o.kind == r.kind and not o.count and not r.count and s == span for s, o in hit)
            if conflicts and not legal:
                todo.append(r)
                continue
            if not legal:
                raise Refused("overlap")
        ranges.append((span, r))
        r.number = r.register
    for r in sorted(todo, key=resources.index):
        ranges = taken.setdefault(lane(r), [])
        n = length(r)
        if not n:
            at = max([s[1] for s, _ in ranges], default=0)
            if at > UMAX:
                raise Refused("unbounded")
            span = (at, UMAX + 1)
        else:
            candidates = sorted([0] + [s[1] for s, _ in ranges])
            at = next((c for c in candidates if c + n <= UMAX + 1 and not any(overlaps((c, c + n), s) for s, _ in ranges)), None)
            if at is None:
                raise Refused("no room")
            span = (at, at + n)
        ranges.append((span, r))
        r.number = span[0]


def model(resources, rules, conflicts):
    space = lambda r: r.space or 0  # noqa: E731
    if rules == "hlsl":
        live = [r for r in resources if r.used]
        allocate(live, lambda r: (space(r), r.cls), lambda r: r.count, conflicts)
        bindings = {}
        for s in {space(r) for r in live}:
            here = [r for r in live if space(r) == s]
            collide = any(a.number == b.number and a.cls != b.cls for a in here for b in here)
            top = 0
            for c in "btsu":
                own = [r.number for r in here if r.cls == c]
                if not own:
                    continue
                shift = max(0, top - min(own)) if collide else 0
                top = max(top, max(own) + shift + 1)
                for r in here:
                    if r.cls == c:
                        if r.number + shift > UMAX:
                            raise Refused("shift")
                        bindings[r.name] = (s, r.number + shift)
        return bindings
    live = [r for r in resources if r.used] if rules == "llvm" else resources
    each = (lambda r: r.count or 1) if rules == "dxc-flattened" else (lambda r: 1)
    allocate(live, space, each, conflicts)
    return {r.name: (space(r), r.number) for r in live}


def generate(rng, rules):
    resources = []
    far = rng.random() < 0.15
    for i in range(rng.randint(1, 14)):
        kind = rng.choice(list(CLASS))
        count = rng.choice([1, 1, 1, 2, 3, 5]) if rng.random() < 0.93 else 0
        space = rng.choice([None, None, None, 0, 1])
        fixed = rng.random() < 0.45
        register = rng.randint(0, 20) if fixed else None
        if fixed and far and rng.random() < 0.3:
            register = UMAX - rng.randint(0, 6)
        resources.append(Resource("r%d" % i, kind, count, space, register, rng.random() < 0.8))
    return resources


OPTIONS = {"slang": [], "hlsl": ["--rules=hlsl"], "dxc": ["--profile=dxc"], "dxc-flattened": ["--profile=dxc-flattened"],
           "llvm": ["--profile=llvm"]}


def one(bind, seed, tmp):
    rng = random.Random(seed)
    rules = rng.choice(list(OPTIONS))
    conflicts = rng.random() < 0.5
    resources = generate(rng, rules)
    declarations = " ".join(r.text() for r in resources)
    path, out = tmp + "/m.spv", tmp + "/o.spv"
    Module(declarations).write(path)
    options = OPTIONS[rules] + (["--rebind=conflicts"] if conflicts else [])
    done = subprocess.run([bind, "--order=module", "-q", *options, path, "-o", out], capture_output=True, text=True)
    try:
        want = model(resources, rules, conflicts)
    except Refused as e:
        if done.returncode != 1:
            return "%s %s: should be refused (%s), exit %d" % (options, declarations, e, done.returncode)
        return "refused"
    if done.returncode:
        return "%s %s: should be %s\n%s" % (options, declarations, want, done.stderr)
    got = read_places(out)
    if got != want:
        return "%s %s:\nshould be %s\nis        %s" % (options, declarations, want, got)
    again = subprocess.run([bind, "--order=module", "-q", *options, "--check", out], capture_output=True, text=True)
    if again.returncode:
        return "%s %s: bind(bind(x)) differs\n%s" % (options, declarations, again.stderr)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong = refused = 0
    with tempfile.TemporaryDirectory() as tmp:
        for seed in range(args.seed, args.seed + args.count):
            said = one(os.path.abspath(args.bind), seed, tmp)
            if said == "refused":
                refused += 1
            elif said:
                wrong += 1
                print("FAILED seed %d: %s" % (seed, said))
    print("%d programs, %d rightly refused, %d wrong" % (args.count, refused, wrong))
    sys.exit(1 if wrong or refused == args.count else 0)


if __name__ == "__main__":
    main()
