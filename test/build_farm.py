# SPDX-License-Identifier: Apache-2.0
"""examples/bazel and examples/reapi: a manifest whose parts are collected, decided and bound as actions, of Bazel in
its sandbox, or of a server of the Remote Execution API (BuildBox), from which its client fetches the outputs.

Programs are generated, and bound in a single run, whose outputs the build has to reproduce byte for byte. A process is
killed in the middle; the next build completes. Then: nothing to do; everything from the cache; after an edit of one
shader, only its dependents are rebuilt.

    build_farm.py bazel|reapi --bind B [--count 20000 --parts 25] [-j N]

Bazel is Debian's bazel-bootstrap. BuildBox is in the path, or in a root made by
SPB_SID_ROOT=~/.cache/spirv-bind/buildbox SPB_SID_MORE=buildbox,libre2-11 scripts/sid_root.sh. Without them, exit 77.
"""
import argparse
import glob
import os
import random
import re
import shutil
import signal
import socket
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
    """Modules in which only names are replaced, since assembling takes time: [(stage, bytes)]."""
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
    """Modules in folders of a hundred; some programs are variants of the previous one. {name: words of its line}"""
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
    for name in ("spirv_bind.bzl", "BUILD.bazel", "WORKSPACE"):
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
    """The expected outputs: {path: bytes}, and the lock."""
    shutil.rmtree("single", ignore_errors=True)
    shutil.copy("game.lock", "single.lock")
    begun = time.time()
    run(args.bind, "-m", "game.manifest", "--out-dir=single", "--lock=single.lock", "--update-lock", "-q",
        "--layout-json=single.json", "-j%d" % args.j)
    return contents("single"), time.time() - begun


def contents(folder):
    found = {}
    for at, _, names in os.walk(folder):
        found.update((os.path.relpath(os.path.join(at, n), folder), read(os.path.join(at, n))) for n in names)
    return found


def find_worker(folder):
    """A process that binds below this folder, where the build system runs actions."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if (os.readlink("/proc/%s/cwd" % pid).startswith(folder) and
                    os.path.basename(os.readlink("/proc/%s/exe" % pid)) == "spirv-bind"):
                return int(pid)
        except OSError:
            continue
    return None


class Bazel:
    cached_actions = 3  # of a part

    def __init__(self, args):
        self.root, self.log, self.args = os.path.join(os.path.dirname(os.getcwd()), "root"), "log.json", args

    def close(self):
        pass

    def results(self):
        """Folders of modules, the lock, and the layout of the shared sets."""
        return ["bazel-bin/game.%d" % k for k in range(self.args.parts)], "bazel-bin/game.lock", (
            "bazel-bin/game.shared.json")

    def forget(self):
        """Leaves only the cache for the next build."""
        self.root += "2"

    def command(self):
        return ["bazel", "--output_user_root=" + self.root, "--batch", "build", "//:game", "--disk_cache=../cache",
                "--jobs=%d" % self.args.j, "--execution_log_json_file=" + self.log, "--color=no", "--curses=no",
                "--spawn_strategy=linux-sandbox,processwrapper-sandbox", "--output_groups=+lock"]

    def build(self, expect=0):
        """The number of actions executed, and taken from the cache, and seconds."""
        begun = time.time()
        run(*self.command(), expect=expect)
        executed = hits = 0
        for spawn in re.split(r"(?m)^}", read_text(self.log)):
            mnemonic = re.search(r'"mnemonic": "(\w+)"', spawn)
            if not mnemonic or mnemonic.group(1) not in MNEMONICS:
                continue
            if re.search(r'"(runner)": "[^"]*cache', spawn) or '"remoteCacheHit": true' in spawn:
                hits += 1
            elif mnemonic.group(1) != "SpirvPartLock":
                executed += 1
        return executed, hits, time.time() - begun

    def build_and_kill(self):
        """Kills a process of spirv-bind in the middle or, in a small build, Bazel itself. Returns which."""
        with open("first.log", "w") as log:
            process = subprocess.Popen(self.command(), stdout=log, stderr=log, start_new_session=True)
        while process.poll() is None:
            worker = find_worker(self.root)
            if worker:
                os.kill(worker, signal.SIGKILL)
                assert process.wait(timeout=900), "the build has not noticed"
                return "a worker"
            if self.args.count < 5000 and glob.glob(self.root + "/*/execroot/*/bazel-out/*/bin/game.*.collected"):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return "Bazel"
        raise AssertionError("no process was killed: " + read_text("first.log"))


class Reapi:
    cached_actions = 2

    def __init__(self, args):
        self.args, self.cas = args, os.path.join(os.path.dirname(os.getcwd()), "casd")
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        runner = os.path.abspath("../runner")
        write(runner, '#!/bin/sh\nexec %s "$@"\n' % " ".join(buildbox("buildbox-run-hosttools")))
        os.chmod(runner, 0o755)
        self.server = subprocess.Popen([*buildbox("buildbox-casd"), "--bind=127.0.0.1:%d" % self.port,
                                        "--buildbox-run=" + runner, "--jobs=%d" % args.j, self.cas],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while socket.socket().connect_ex(("127.0.0.1", self.port)):
            assert self.server.poll() is None, "buildbox-casd does not run"
            time.sleep(0.05)

    def close(self):
        self.server.kill()
        self.server.wait()

    def results(self):
        return ["bound"], "farm.lock", "farm.json"

    def forget(self):
        pass

    def command(self):
        shutil.rmtree("bound", ignore_errors=True)
        shutil.copy("game.lock", "farm.lock")
        return [sys.executable, os.path.join(ROOT, "examples/reapi/farm.py"), "--tool=bin/spirv-bind",
                "--remote=http://127.0.0.1:%d" % self.port, "--trexe=" + " ".join(buildbox("trexe")),
                "--manifest=game.manifest", "--lock=farm.lock", "--layout-json=farm.json", "--out-dir=bound",
                "--parts=%d" % self.args.parts, "--jobs=%d" % self.args.j]

    def build(self):
        begun = time.time()
        said = run(*self.command()).stdout
        executed, hits = map(int, re.findall(r"\d+", said))
        return executed, hits, time.time() - begun

    def build_and_kill(self):
        """The client retries actions that a worker has not finished."""
        with open("first.log", "w") as log:
            process = subprocess.Popen(self.command(), stdout=log, stderr=log)
        while process.poll() is None:
            worker = find_worker(self.cas)
            if worker:
                os.kill(worker, signal.SIGKILL)
                assert not process.wait(), read_text("first.log")
                assert "attempt 1 failed" in read_text("first.log"), read_text("first.log")
                return "a worker"
        raise AssertionError("no process was killed: " + read_text("first.log"))


def buildbox(program):
    """The command that starts it. None: it is not installed."""
    if shutil.which(program):
        return [program]
    root = os.environ.get("SPB_BUILDBOX_ROOT", os.path.expanduser("~/.cache/spirv-bind/buildbox"))
    return [root + "/run-here", program] if os.path.exists(os.path.join(root, "usr/bin", program)) else None


def check_same(engine, want):
    folders, lock, layout = engine.results()
    found = {}
    for folder in folders:
        found.update(contents(folder))
    assert found.keys() == want.keys(), sorted(found.keys() ^ want.keys())[:5]
    different = [name for name in want if found[name] != want[name]]
    assert not different, different[:5]
    assert read(lock) == read("single.lock"), "the lock differs"
    assert read(layout) == read("single.json"), "the layout of shared sets differs"


def check(args, engine):
    write("game.lock", "lock version=2\n")
    want, seconds = single_run(args)
    say = ["%d programs: one run %.1f s" % (args.count, seconds)]
    actions = 2 * args.parts + 1
    victim = engine.build_and_kill()
    assert args.count < 5000 or victim == "a worker", victim
    executed, hits, seconds = engine.build()
    check_same(engine, want)
    say.append("killed: %s; then %d actions, %d from the cache, %.1f s" % (victim, executed, hits, seconds))
    if args.count >= 5000:
        executed, hits, seconds = engine.build()
        assert not executed, executed
        say.append("again: nothing, %.1f s" % seconds)
    engine.forget()
    executed, hits, seconds = engine.build()
    assert not executed and hits == engine.cached_actions * args.parts + 1, (executed, hits)
    check_same(engine, want)
    say.append("elsewhere: %d from the cache, %.1f s" % (hits, seconds))
    # an edit: a program's own resource has another name
    path = "shaders/0/p3.vert.spv"
    data = read(path)
    assert b"ownv00003" in data
    write(path, data.replace(b"ownv00003", b"ownv_new3"))
    want, _ = single_run(args)
    executed, hits, seconds = engine.build()
    check_same(engine, want)
    assert executed == 3 < actions, executed  # its part is collected and bound, and the lock decided
    say.append("one shader edited: %d actions, %.1f s" % (executed, seconds))
    # a difference would be noticed
    want[path] = want[path][:-4] + b"oops"
    try:
        check_same(engine, want)
    except AssertionError:
        print("\n".join(say))
        return
    raise AssertionError("a difference is not seen")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=("bazel", "reapi"))
    parser.add_argument("--bind", required=True)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--parts", type=int, default=3)
    parser.add_argument("-j", type=int, default=2)
    args = parser.parse_args()
    if args.engine == "bazel" and not shutil.which("bazel"):
        print("SKIPPED: bazel (Debian's bazel-bootstrap) is not installed")
        sys.exit(77)
    if args.engine == "reapi" and not all(map(buildbox, ("buildbox-casd", "buildbox-run-hosttools", "trexe"))):
        print("SKIPPED: BuildBox is not installed")
        sys.exit(77)
    args.bind = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as tmp:
        os.mkdir(os.path.join(tmp, "work"))
        os.chdir(os.path.join(tmp, "work"))
        make_workspace(args, make_programs(args.count))
        engine = (Bazel if args.engine == "bazel" else Reapi)(args)
        try:
            check(args, engine)
        finally:
            engine.close()
            os.chdir("/")
            run("chmod", "-R", "u+w", tmp)  # Bazel's outputs are read-only


if __name__ == "__main__":
    main()
