# SPDX-License-Identifier: Apache-2.0
"""examples/bazel: a manifest whose parts are collected, decided and bound as actions of Bazel, in its sandbox.

Programs are made, and bound in a single run, which is what the build has to give byte for byte. A process is killed in
the middle; the next build completes. Then: nothing is to do; everything is in the cache; one shader is edited, and only
what depends on it is made again.

    build_farm.py --bind B [--count 20000 --parts 25] [-j N]

Bazel is Debian's bazel-bootstrap; without it, exit 77.
"""
import argparse
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from module_text import Module  # noqa: E402
from running import ROOT, read, read_text, run, write  # noqa: E402

MNEMONICS = ("SpirvCollect", "SpirvDecide", "SpirvPartLock", "SpirvBind")
OPTIONS, SHARE = ["--auto-binding=65534", "--order=module"], ["set=0", "set=1 programs=material*"]


def templates(rng):
    """Modules in which only names are to be replaced: [(stage, bytes)]. Assembling is what takes time."""
    made = []
    for n in range(24):
        shared = ["frame:b"] + rng.sample(["lights:ssbo", "shadow:t", "linear:s", "noise:t[2]"], 2)
        shared += ["material:b@,1"] + rng.sample(["albedo:t@,1", "normal:t@,1", "wrap:s@,1"], 2)
        shared += ["own_%s:%s@,2" % (letter * 5, kind) for letter, kind in (("N", "b"), ("M", "t"))[:1 + n % 2]]
        rng.shuffle(shared)
        stage = ("Vertex", "Fragment")[n & 1]
        Module(" ".join(shared), stage=stage).write("template.spv")
        made.append((stage, read("template.spv")))
    os.remove("template.spv")
    return made


def make_programs(count):
    """Modules in folders of a hundred; some programs are variants of the one before. {name: words of its line}"""
    rng, programs = random.Random(20000), {}
    made = templates(rng)
    for p in range(count):
        folder, name = "shaders/%d" % (p // 100), ("material%d" if p % 2 else "effect%d") % p
        os.makedirs(folder, exist_ok=True)
        words = []
        for extension, stage in (("vert", "Vertex"), ("frag", "Fragment")):
            data = rng.choice([d for s, d in made if s == stage])
            kind = extension[0].encode()
            words.append("%s/p%d.%s.spv" % (folder, p, extension))
            write(words[-1], data.replace(b"own_NNNNN", b"own%s%05d" % (kind, p)).replace(b"own_MMMMM", b"tex%s%05d" % (
                kind, p)))
        programs[name] = words + (["variant-of=" + list(programs)[-1]] if p % 10 == 7 else [])
    return programs


def make_workspace(args, programs):
    for name in ("spirv_bind.bzl", "part_lock.awk", "BUILD.bazel", "WORKSPACE"):
        shutil.copy(os.path.join(ROOT, "examples/bazel", name), name)
    os.mkdir("bin")
    shutil.copy(args.bind, "bin/spirv-bind")
    build = read_text("BUILD.bazel")
    assert "parts = 2" in build
    write("BUILD.bazel", build.replace("parts = 2", "parts = %d" % args.parts))
    write("programs.bzl", "OPTIONS = %r\nSHARE = %r\nPROGRAMS = %r\n" % (OPTIONS, SHARE, programs))
    write("game.manifest", "options %s\n%s%s" % (
        " ".join(OPTIONS), "".join("share %s\n" % s for s in SHARE),
        "".join("program %s: %s\n" % (name, " ".join(words)) for name, words in programs.items())))


def single_run(args):
    """What the build has to make: {path: bytes}, and the lock."""
    shutil.rmtree("single", ignore_errors=True)
    shutil.copy("game.lock", "single.lock")
    begun = time.time()
    run(args.bind, "--manifest=game.manifest", "--out-dir=single", "--lock=single.lock", "--update-lock", "-q",
        "--layout-json=single.json", "-j%d" % args.j)
    return contents("single"), time.time() - begun


def contents(folder):
    found = {}
    for at, _, names in os.walk(folder):
        found.update((os.path.relpath(os.path.join(at, n), folder), read(os.path.join(at, n))) for n in names)
    return found


class Bazel:
    def __init__(self, args):
        self.root, self.log, self.args = os.path.join(os.path.dirname(os.getcwd()), "root"), "log.json", args

    def command(self):
        return ["bazel", "--output_user_root=" + self.root, "--batch", "build", "//:game", "--disk_cache=../cache",
                "--jobs=%d" % self.args.j, "--execution_log_json_file=" + self.log, "--color=no", "--curses=no",
                "--spawn_strategy=linux-sandbox,processwrapper-sandbox", "--output_groups=+lock"]

    def build(self, expect=0):
        """{mnemonic: how many were executed}, how many came from the cache, and seconds."""
        begun = time.time()
        run(*self.command(), expect=expect)
        counts, hits = dict.fromkeys(MNEMONICS, 0), 0
        for spawn in re.split(r"(?m)^}", read_text(self.log)):
            mnemonic = re.search(r'"mnemonic": "(\w+)"', spawn)
            if not mnemonic or mnemonic.group(1) not in counts:
                continue
            if re.search(r'"(runner)": "[^"]*cache', spawn) or '"remoteCacheHit": true' in spawn:
                hits += 1
            else:
                counts[mnemonic.group(1)] += 1
        return counts, hits, time.time() - begun

    def build_and_kill(self):
        """Kills a process of spirv-bind in the middle or, of a small build, Bazel itself. Which of them."""
        with open("first.log", "w") as log:
            process = subprocess.Popen(self.command(), stdout=log, stderr=log, start_new_session=True)
        while process.poll() is None:
            worker = self.worker()
            if worker:
                os.kill(worker, signal.SIGKILL)
                assert process.wait(timeout=900), "the build has not noticed"
                return "a worker"
            if self.args.count < 5000 and glob.glob(self.root + "/*/execroot/*/bazel-out/*/bin/game.*.collected"):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return "Bazel"
        raise AssertionError("nobody was killed: " + read_text("first.log"))

    def worker(self):
        """A process that binds for this build, and that has begun to write."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if (os.readlink("/proc/%s/cwd" % pid).startswith(self.root) and
                        os.path.basename(os.readlink("/proc/%s/exe" % pid)) == "spirv-bind"):
                    return int(pid)
            except OSError:
                continue
        return None


def check_same(args, want):
    found = {}
    for k in range(args.parts):
        found.update(contents("bazel-bin/game.%d" % k))
    assert found.keys() == want.keys(), sorted(found.keys() ^ want.keys())[:5]
    different = [name for name in want if found[name] != want[name]]
    assert not different, different[:5]
    assert read("bazel-bin/game.lock") == read("single.lock"), "the lock differs"
    assert read("bazel-bin/game.shared.json") == read("single.json"), "the layout of shared sets differs"


def check(args):
    programs = make_programs(args.count)
    make_workspace(args, programs)
    write("game.lock", "lock version=2\n")
    # The lock that is checked in knows all programs but the last ten.
    run(args.bind, "--manifest=game.manifest", "--lock=game.lock", "--update-lock", "--dry-run", "-q")
    want, seconds = single_run(args)
    say = ["%d programs: one run %.1f s" % (args.count, seconds)]
    bazel = Bazel(args)
    victim = bazel.build_and_kill()
    assert args.count < 5000 or victim == "a worker", victim
    counts, hits, seconds = bazel.build()
    check_same(args, want)
    say.append("killed: %s; then %s, %d from the cache, %.1f s" % (victim, counts, hits, seconds))
    if args.count >= 5000:
        counts, hits, seconds = bazel.build()
        assert not sum(counts.values()) and not hits, (counts, hits)
        say.append("again: nothing, %.1f s" % seconds)
    bazel.root += "2"
    counts, hits, seconds = bazel.build()
    assert not sum(counts.values()) and hits == 3 * args.parts + 1, (counts, hits)
    check_same(args, want)
    say.append("elsewhere: %d from the cache, %.1f s" % (hits, seconds))
    # an edit: a program's own resource has another name
    path = "shaders/0/p3.vert.spv"
    data = read(path)
    assert b"ownv00003" in data
    write(path, data.replace(b"ownv00003", b"ownv_new3"))
    want, _ = single_run(args)
    counts, hits, seconds = bazel.build()
    check_same(args, want)
    assert (counts["SpirvCollect"], counts["SpirvDecide"], counts["SpirvBind"]) == (1, 1, 1), counts
    say.append("one shader edited: %s, %.1f s" % (counts, seconds))
    # that a difference would be seen
    want[path] = want[path][:-4] + b"oops"
    try:
        check_same(args, want)
    except AssertionError:
        print("\n".join(say))
        return
    raise AssertionError("a difference is not seen")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--parts", type=int, default=3)
    parser.add_argument("-j", type=int, default=2)
    args = parser.parse_args()
    if not shutil.which("bazel"):
        print("SKIPPED: bazel (Debian's bazel-bootstrap) is not installed")
        sys.exit(77)
    args.bind = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as tmp:
        os.mkdir(os.path.join(tmp, "work"))
        os.chdir(os.path.join(tmp, "work"))
        try:
            check(args)
        finally:
            os.chdir("/")
            run("chmod", "-R", "u+w", tmp)  # what Bazel has made is read-only


if __name__ == "__main__":
    main()
