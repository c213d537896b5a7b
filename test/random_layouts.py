# SPDX-License-Identifier: Apache-2.0
"""Random programs against a naive model of the rules, which tries registers and bindings one at a time.

    random_layouts.py --bind B [--count N] [--seed S]
"""
import argparse
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import Module, read_places  # noqa: E402
from running import run, write  # noqa: E402

UMAX = 4294967295
CLASS = {"t": "t", "comb": "t", "rossbo": "t", "utexbuf": "t", "s": "s", "u": "u", "ssbo": "u", "img": "u", "b": "b"}


# Vulkan, "Shader Resource and Descriptor Type Correspondence": what can serve as each
TYPES = {"t": {"texture", "combined"}, "s": {"sampler", "combined"}, "comb": {"combined"}, "rossbo": {"ssbo"},
         "ssbo": {"ssbo"}, "utexbuf": {"utexbuf"}, "u": {"stexbuf"}, "img": {"image"}, "b": {"ubo"}}

stopped = {"locked": 0, "policied": 0}  # refused with a lock or a policy, beyond the model


class Refused(Exception):
    pass


class Group:
    """Views of one descriptor."""

    def __init__(self, r):
        self.types, self.members, self.open = TYPES[r.kind], [r], False

    def meets(self, r):
        """Whether a module has both: nothing says that authors chose one number for two names in two modules."""
        return any(m.modules & r.modules for m in self.members)

    def used(self):
        return any(m.used for m in self.members)

    def count(self):
        return 0 if any(not m.count for m in self.members) else max(m.count for m in self.members)


def is_alone(r):
    return not r.run or len(r.run.members) == 1


def find_groups(resources, space, conflicts):
    """Groups the resources fixed at one binding; each joins the first group that one type can serve."""
    places = {}
    for r in resources:
        here = places.setdefault((space(r), r.register) if r.register is not None and is_alone(r) else r, [])
        joined = next((g for g in here if g.types & TYPES[r.kind] and (g.meets(r) or not conflicts)), None)
        if joined:
            joined.types &= TYPES[r.kind]
            joined.members.append(r)
        else:
            here.append(joined := Group(r))
        r.group = joined


class Resource:
    def __init__(self, name, kind, count, space, register, used, run=None):
        self.name, self.kind, self.count, self.used = name, kind, count, used
        self.space, self.register = space, register
        self.cls, self.number = CLASS[kind], None
        self.run = run  # the Struct that it is a member of
        self.modules = set()


class Struct:
    """A struct of descriptors: its members are numbered together, or by class from its register."""

    def __init__(self, name, members, space, register, used):
        self.name, self.members, self.space, self.register = name, members, space, register
        for m in members:
            m.run, m.space, m.used = self, space, used

    def text(self):
        inner = " ".join("%s:%s%s" % (m.name.split("_")[1], m.kind, "" if m.count == 1 else "[%d]" % m.count)
                         for m in self.members)
        return "%s:{%s}%s%s" % (self.name, inner, at_text(self), "" if self.members[0].used else "!")


def at_text(r):
    if r.space is None and r.register is None:
        return ""
    return "@%s%s" % ("" if r.register is None else r.register, "" if r.space is None else ",%d" % r.space)


def text_of(r):
    if isinstance(r, Struct):
        return r.text()
    dims = "" if r.count == 1 else "[%s]" % (r.count or "")
    return "%s:%s%s%s%s" % (r.name, r.kind, dims, at_text(r), "" if r.used else "!")


def overlaps(a, b):
    return a[0] < b[1] and b[0] < a[1]


def allocate(resources, lane, length, conflicts, runs=False, within=False):
    """Numbers by lane(r): fixed ones first, in order; then the open ones, the first range that fits. Sets r.number.
    within: authors may give a number within another one's array."""
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
        if r.group.open:
            todo.append(r)
            continue
        hit = [(s, o) for s, o in ranges if (s[0] == span[0] if within else overlaps(s, span))]
        if hit:
            legal = all(s[0] == span[0]
                        and (o.group is r.group or o.group.meets(r) or not conflicts
                             or not o.group.types & r.group.types)
                        and (o.group is r.group
                             or (is_alone(r) and is_alone(o) and not (o.group.used() and r.group.used())))
                        for s, o in hit)
            if conflicts and not legal:
                todo.append(r)
                r.group.open = True
                continue
            if not legal:
                raise Refused("overlap")
        ranges.append((span, r))
        r.number = r.register
    for r in sorted(todo, key=resources.index):
        if r.number is not None:
            continue  # with the head of its run
        if r is not r.group.members[0]:
            r.number = r.group.members[0].number
            continue
        ranges = taken.setdefault(lane(r), [])
        together = [m for m in todo if m is r or (runs and r.run and m.run is r.run and lane(m) == lane(r))]
        n = sum(length(m) for m in together)
        if not n:
            at = max([s[1] for s, _ in ranges], default=0)
            if at > UMAX:
                raise Refused("unbounded")
            span = (at, UMAX + 1)
        else:
            candidates = sorted([0] + [s[1] for s, _ in ranges])
            at = next((c for c in candidates if c + n <= UMAX + 1 and not any(overlaps((c, c + n), s) for s,
                                                                              _ in ranges)), None)
            if at is None:
                raise Refused("no room")
            span = (at, at + n)
        ranges.append((span, r))
        at = span[0]
        for m in together:
            m.number = at
            at += length(m)


def members_of(resources):
    return [m for r in resources for m in (r.members if isinstance(r, Struct) else [r])]


def forget_sentinels(resources, rules):
    """4294967294 means "assign one" where numbers are not registers."""
    for r in resources:
        if r.register == UMAX - 1 and rules != "hlsl":
            r.register = None


def model(resources, rules, conflicts):
    space = lambda r: r.space or 0  # noqa: E731
    resources = members_of(resources)
    for r in resources:
        r.number, r.group = None, None
        if not r.run or r.run.register is None:
            continue
        before = r.run.members[:r.run.members.index(r)]
        if rules == "hlsl":
            r.register = r.run.register + sum(m.count for m in before if m.cls == r.cls)
        else:
            r.register = r.run.register + len(before)
    if rules == "hlsl":
        live = [r for r in resources if r.used]
        find_groups(live, lambda r: (space(r), r.cls), conflicts)
        allocate(live, lambda r: (space(r), r.cls), lambda r: r.group.count(), conflicts)
        bindings = {}
        gone = [r for r in resources if not r.used and r.register is not None]
        for r in gone:  # their registers are free, but still affect shifts
            r.number = r.register
        for s in {space(r) for r in live}:
            here = [r for r in live + gone if space(r) == s]
            collide = any(a.number == b.number and a.cls != b.cls for a in here for b in here)
            taken = set()
            for c in "btsu":
                own = [r.number for r in here if r.cls == c]
                shift = 0
                while collide and any(n + shift in taken for n in own):
                    shift += 1
                taken |= {n + shift for n in own}
                for r in live:
                    if r.cls == c and space(r) == s:
                        if r.number + shift > UMAX:
                            raise Refused("shift")
                        bindings[r.name] = (s, r.number + shift)
        return bindings
    live = [r for r in resources if r.used] if rules == "llvm" else resources
    find_groups(live, space, conflicts)
    with_structs = rules == "dxc" and any(r.run for r in resources)  # DXC then counts each element, and sees no overlap
    each = (lambda r: r.group.count() or 1) if with_structs or rules == "dxc-flattened" else (lambda r: 1)
    allocate(live, space, each, conflicts, runs=rules != "llvm", within=with_structs)
    return {r.name: (space(r), r.number) for r in live}


def generate(rng, structs):
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
        used = rng.random() < 0.8
        if structs and rng.random() < 0.2 and register is not None and register < 100 or structs and rng.random() < 0.1:
            members = [Resource("r%d_m%d" % (i, k), rng.choice("tsu"), rng.choice([1, 1, 3]), None, None, used)
                       for k in range(rng.randint(1, 4))]
            resources.append(Struct("r%d" % i, members, space, register if register is None or register < 100 else None,
                                    used))
        else:
            resources.append(Resource("r%d" % i, kind, count, space, register, used))
    return resources


OPTIONS = {"slang": [], "hlsl": ["--rules=hlsl"], "dxc": ["--profile=dxc"],
           "dxc-flattened": ["--profile=dxc-flattened"], "llvm": ["--profile=llvm"]}


def places_of(bind, options, modules, out):
    """Bindings in all modules, or None and the message."""
    done = run(bind, "--order=module", "-q", *options, *modules, "--out-dir", out, expect=None)
    if done.returncode == 1:
        return None, done.stderr
    if done.returncode:
        raise AssertionError("exit %d\n%s" % (done.returncode, done.stderr))
    places = {}
    for m in modules:
        for name, at in read_places(os.path.join(out, os.path.basename(m))).items():
            if places.setdefault(name, at) != at:
                raise AssertionError("%s differs between modules: %s, %s" % (name, places[name], at))
    return places, ""


def write_modules(rng, resources, tmp):
    """One module, or two that share some resources; the order of the program is that of the first one, then new
    ones."""
    for r in members_of(resources):
        r.modules = {"/a.spv"}
    if rng.random() < 0.5:
        Module(" ".join(text_of(r) for r in resources)).write(tmp + "/a.spv")
        return [tmp + "/a.spv"], resources
    first = [r for r in resources if rng.random() < 0.6]
    second = [r for r in resources if r not in first or rng.random() < 0.4]
    rng.shuffle(second)
    for path, list_ in (("/a.spv", first), ("/b.spv", second)):
        Module(" ".join(text_of(r) for r in list_)).write(tmp + path)
    for r in members_of(resources):
        owner = r.run or r
        r.modules = {path for path, list_ in (("/a.spv", first), ("/b.spv", second)) if owner in list_}
    return [tmp + "/a.spv", tmp + "/b.spv"], first + [r for r in second if r not in first]


def one(bind, seed, tmp):
    rng = random.Random(seed)
    rules = rng.choice(list(OPTIONS))
    conflicts = rng.random() < 0.4
    options = OPTIONS[rules] + (["--rebind=conflicts"] if conflicts else [])
    modules, resources = write_modules(rng, generate(rng, not conflicts), tmp)
    title = "%s %s: %s" % (len(modules), options, " ".join(text_of(r) for r in resources))
    forget_sentinels(resources, rules)
    out = tmp + "/out"
    got, message = places_of(bind, options, modules, out)
    try:
        want = model(resources, rules, conflicts)
    except Refused as e:
        return "refused" if got is None else "%s: should be refused (%s), is %s" % (title, e, got)
    if got != want:
        return "%s:\nshould be %s\nis        %s %s" % (title, want, got, message)
    again = run(bind, "check", "--order=module", "-q", *options, *(m.replace(tmp, out) for m in modules), expect=None)
    if again.returncode:
        return "%s: bind(bind(x)) differs\n%s" % (title, again.stderr)
    return locked(bind, rng, options, modules, tmp, title) or policied(bind, rng, rules, options, tmp)


def locked(bind, rng, options, modules, tmp, title):
    """With a lock, unassigned resources never move, except into a set that the source now names; and no two collide."""
    lock = ["--lock=" + tmp + "/lock", "--update-lock"]
    if os.path.exists(tmp + "/lock"):
        os.remove(tmp + "/lock")
    known = {}
    for _ in range(3):
        resources = [r for r in generate(rng, True) if r.register is None and rng.random() < 0.8]
        rng.shuffle(resources)
        modules, resources = write_modules(rng, resources, tmp)
        got, message = places_of(bind, options + lock, modules, tmp + "/out")
        if got is None:
            if "SPB4007" in message or "SPB4001" in message or "SPB4012" in message:
                stopped["locked"] += 1  # unbounded arrays in the way, classes that meet: said, not done
                return None
            return "%s: %s" % (title, message)
        chosen = {r.name: r.space for r in resources if r.space}
        for name, at in got.items():
            old = known.get(name, at)
            if old != at and old[0] == chosen.get(re.split("[._]", name)[0], old[0]):
                return "%s: %s moved from %s to %s" % (title, name, known[name], at)
        if len(set(got.values())) != len(got):
            return "%s: two at one place: %s" % (title, got)
        known.update(got)
    return None


def random_policy(rng):
    lines = []
    for _ in range(rng.randint(1, 5)):
        conditions = rng.choice(["name=r%d" % rng.randint(0, 13), "name=r1*",
                                 "kind=" + rng.choice(["texture", "sampler,ubo", "ssbo"]),
                                 "class=" + rng.choice("btsu"), "set=%d" % rng.randint(0, 1),
                                 "register=0..%d" % rng.randint(0, 9), "access=read", ""])
        action = rng.choice(["set=%d" % rng.randint(0, 3), "binding=auto", "set=%d binding=auto" % rng.randint(0, 3),
                             "range=30..60", "order=%d" % rng.randint(0, 3)])
        lines.append("place %s -> %s" % (conditions, action))
    if rng.random() < 0.3:
        lines.append("reserve set=%d range=0..%d" % (rng.randint(0, 1), rng.randint(0, 5)))
    if rng.random() < 0.3:
        lines.append("block name=r%d*" % rng.randint(0, 9))
    return "\n".join(lines) + "\n"


def policied(bind, rng, rules, options, tmp):
    """Under any policy: no collisions, a second run changes nothing, and ranges are respected."""
    resources = generate(rng, True)
    policy = random_policy(rng)
    write(tmp + "/policy", policy)
    modules, resources = write_modules(rng, resources, tmp)
    title = "%s %s\n%s" % (options, " ".join(text_of(r) for r in resources), policy)
    forget_sentinels(resources, rules)
    options = ["--profile=" + tmp + "/policy"] + options
    got, message = places_of(bind, options, modules, tmp + "/out")
    if got is None:
        known = any(code in message for code in ("SPB4001", "SPB4007", "SPB4013", "SPB4014", "SPB4019"))
        stopped["policied"] += known
        return None if known else "%s: %s" % (title, message)
    seen = {}
    for r in members_of(resources):
        at = got.get(r.name)
        if at is None:
            continue  # unused
        other = seen.get(at)
        register = lambda x: x.run.register if x.run and is_alone(x) else x.register  # noqa: E731
        shared = other and register(r) is not None and register(other) == register(r) and (r.space or 0) == (other.space
                                                                                                             or 0) and (
            TYPES[r.kind] & TYPES[other.kind] or not (r.used and other.used))
        if other and not shared and not (r.count == 0 and other.count == 0 and other.kind == r.kind):
            return "%s: %s and %s are both at %s" % (title, r.name, seen[at].name, at)
        seen[at] = r
    bound = [m.replace(tmp, tmp + "/out") for m in modules]
    again = run(bind, "check", "--order=module", "-q", *options, *bound, expect=None)
    return "%s: bind(bind(x)) differs\n%s" % (title, again.stderr) if again.returncode else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    wrong = refused = 0
    with tempfile.TemporaryDirectory() as tmp:
        for seed in range(args.seed, args.seed + args.count):
            said = one(running.BIND, seed, tmp)
            if said == "refused":
                refused += 1
            elif said:
                wrong += 1
                print("FAILED seed %d: %s" % (seed, said))
    print("%d programs, %d rightly refused, %d wrong; refused with a lock: %d, with a policy: %d" % (
        args.count, refused, wrong, stopped["locked"], stopped["policied"]))
    # A command that wrongly refuses programs must fail: at most as many refusals as have been reviewed.
    few = refused * 4 <= args.count and all(n * 5 <= args.count for n in stopped.values())
    if (args.seed, args.count) == (1, 120):
        few = refused == 18 and stopped["locked"] <= 13 and stopped["policied"] <= 13
    sys.exit(1 if wrong or not few else 0)


if __name__ == "__main__":
    main()
