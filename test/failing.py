# SPDX-License-Identifier: Apache-2.0
"""The command reports failing allocations and system calls, and no file is harmed: each allocation and each system call
of some runs fails once.

    failing.py --bind B     with SPB_FAILING, the executable of failing.c
"""
import errno
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import running  # noqa: E402
from module_text import Module  # noqa: E402
from running import read, write  # noqa: E402

HASHED = re.compile(r"[0-9a-f]{16,}")  # names in a cache, which depend on the executable
FAST = ["--validate=none"]
WRITES = ["--layout-json=l.json", "--layout-header=l.h", "--layout-glsl=l.glsl", "--report=p.html"]
LINTED = os.path.join(running.FIXTURES, "decorate-nonuniform", "auto-every-operand.spvasm")
SELDOM = 6 if os.environ.get("SPB_BIND_IN_PROCESS") else 1  # with sanitizers, where a fork costs 10 ms
OWN_WORDS = ("log", "new.sarif", "game.lock", "all.json", "part")  # which report failures, or lack the failed part
HIDDEN = re.compile(r"(^|/)\.|^cache/")  # temporary files, and files that may be missing
ERRORS = [errno.EINTR, errno.EEXIST, errno.ENOLCK]
KILLED, RENUMBERED = -1, -2  # in place of an error
NO_MEMORY = 4  # the exit status, as for a disk that is full


class Runs:
    """The command, in copies of the folder `before`."""

    def __init__(self, *words):
        self.process = subprocess.Popen([os.environ["SPB_FAILING"], *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, encoding="ascii")
        self.before = contents("before")

    def run(self, error=0, n=0, reset=True):
        """What a run leaves whose n-th allocation (error 0) or call fails: how many it made of both and changes, what
        has failed, and the parts of a state."""
        *made, status = self.ask(error, n, reset)
        assert int(status) < 1000, "killed by signal %d when number %d fails with %d" % (int(status) - 1000, n, error)
        return made, int(status), read("stdout"), read("stderr").decode(), contents("run")

    def killed(self, n):
        """What a run leaves that is killed at its n-th change of the disk."""
        (status,) = self.ask(KILLED, n)
        assert int(status) == 1000 + signal.SIGKILL, (status, n)
        return contents("run")

    def ask(self, error, n, reset=True):
        if reset and not (os.path.isdir("run") and contents("run") == self.before):
            shutil.rmtree("run", ignore_errors=True)
            shutil.copytree("before", "run")
        self.process.stdin.write("%d %d\n" % (error, n))
        self.process.stdin.flush()
        return self.process.stdout.readline().split()

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


def contents(folder, short="", found=None):
    """path -> contents; for a cache, the number of entries."""
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


def each_fails(*words, least, status=0, every=1):
    """Each allocation of the run, or every Nth, fails once. status: of the run without failures; least: the number of
    allocations that it makes."""
    runs = Runs(*words)
    (count, *_), whole, stdout, said, left = runs.run()
    count = int(count)
    assert whole == status and count >= least, (whole, count, said)
    refused = 0
    for n in range(1, count + 1, every * SELDOM):
        _, ended, printed, message, found = runs.run(0, n)
        differing = {name for name in {**found, **left} if found.get(name) != left.get(name)}
        if ended == status:  # it did without, and the cache is the same
            assert printed == stdout and all(name.startswith("cache/") for name in differing), (n, message, differing)
            continue
        assert ended == NO_MEMORY and "memory" in message, (n, ended, message)
        refused += 1
        wrong = [name for name in differing if found.get(name) != runs.before.get(name) and name not in OWN_WORDS
                 and not name.startswith("cache/")]
        assert not wrong, (n, wrong)
    assert refused > count // (every * SELDOM) // 2, (refused, count)
    runs.end()


def check_order(found, before, left, phases, where):
    """Each file is the old or the new one, and nothing is new before all is of the phases before."""
    is_new = {}
    for name in (name for phase in phases for name in phase):
        assert found.get(name) in (before.get(name), left[name]), (where, name)
        is_new[name] = found.get(name) == left[name]
    for earlier, later in zip(phases, phases[1:]):
        assert all(is_new[name] for name in earlier) or not any(is_new[name] for name in later), (where, is_new)
    return is_new


def each_call_fails(*words, least, phases, together):
    """Each call of the system fails once as on a bad disk, a full one and one of somebody else, and once with one of
    ERRORS in turn; and the run is killed at each change of the disk. A run that says that it succeeded has done what it
    does without, and what a signal interrupts is done again. One that does not leaves each file as it was or as it
    would be: all or none of those that are written together, and in the order of the phases. The next one completes it
    all and removes what this one has left."""
    runs = Runs(*words)
    (_, count, changes, _), whole, stdout, said, left = runs.run()
    kept = {name: data for name, data in left.items() if not name.startswith("cache/")}
    assert whole == 0 and int(count) >= least, (whole, count, said)
    assert all(left[name] != runs.before.get(name) for phase in phases for name in phase), left
    refused = 0

    def complete(where):
        _, again, _, message, found = runs.run(reset=False)
        lasting = {name: data for name, data in found.items() if not name.startswith("cache/")}
        assert again == 0 and lasting == kept, (where, message, sorted(found))

    for errors in [errno.EIO], [errno.ENOSPC], [errno.EACCES], ERRORS:
        for n in range(1, int(count) + 1, SELDOM):
            error = errors[n % len(errors)]
            (*_, name), ended, printed, message, found = runs.run(error, n)
            where = "%s, call %d, %s" % (name, n, os.strerror(error)), ended, message
            differing = {name for name in {**found, **left} if found.get(name) != left.get(name)
                         and not HIDDEN.search(name)}
            assert ended == 0 or error != errno.EINTR or name not in ("read", "write"), where
            if ended == 0:
                assert printed == stdout and not differing, (where, differing)
                continue
            assert ended == NO_MEMORY and message, where
            assert len(errors) > 1 or os.strerror(error) in message, where
            # A full disk is not an error of the cache.
            assert (name, error) != ("mkdir", errno.ENOSPC) or "cache" not in message, where
            refused += 1
            wrong = [name for name in differing if found.get(name) != runs.before.get(name)]
            assert not wrong, (where, wrong)
            is_new = check_order(found, runs.before, left, phases, where)
            for group in together:
                assert len({is_new[name] for name in group}) == 1, (where, is_new)
            complete(where)
    assert refused > least // SELDOM // 2, (refused, count)
    for n in range(1, int(changes) + 1, SELDOM):
        check_order(runs.killed(n), runs.before, left, phases, "killed at change %d" % n)
        complete("killed at change %d" % n)
    runs.end()


def make_ends(*words, goal):
    """A build of these words, whose target is the stamp, is killed at each change of the disk: it is not done before
    all files are new, and the next one ends it."""
    runs = Runs(*words)
    (_, _, changes, _), status, _, said, left = runs.run()
    assert status == 0, said
    write("makefile", "%s: in.spv\n\t%s %s\n" % (goal, running.BIND, " ".join(words)))
    make = ["make", "-C", "run", "-f", "../makefile", "-s"]
    for n in range(1, int(changes) + 1):
        found = runs.killed(n)
        done = running.run(*make, "-q", expect=None).returncode
        assert done in (0, 1) and (done == 1 or all(found.get(name) == left[name] for name in left)), (n, done)
        running.run(*make)
        found = {name: data for name, data in contents("run").items() if done or not HIDDEN.search(name)}
        assert found == left, (n, done, sorted(found))
    runs.end()


def files(**texts):
    os.makedirs("before")
    for name, text in texts.items():
        write("before/" + name.replace("__", "."), text)


def test_one_program():
    files()
    Module("a:t b:b c:s[3] d:{x:t y:s}", stage="Fragment").write("before/in.spv")
    each_fails("in.spv", "-o", "out.spv", "--record-options", *FAST, least=30)
    each_fails("in.spv", "-o", "out.spv", *FAST, *WRITES, "--accesses", "--lock=x.lock", "--update-lock",
               "--record-options", "--depfile=d", "--stamp=s", "--diagnostics=sarif:log",
               least=250, every=5)


def test_existing_files_are_replaced():
    files(p__policy="place kind=texture -> set=1\noption unused=last\n", words="in.spv -o 'out.spv'")
    Module("a:t b:b", stage="Fragment").write("before/in.spv")
    Module("c:t b:b", stage="Fragment").write("before/other.spv")
    os.chdir("before")
    running.bind("in.spv", "-o", "out.spv", "--layout-json=old.json", "--lock=x.lock", "--update-lock", *FAST)
    os.chdir("..")
    each_fails("@words", *FAST, "--profile=p.policy", "--policy=place name=b -> binding=7",
               "--dump-after=assign-bindings", "--diagnostics=json", "--rebind=all", least=50)
    # check reads the older layout with Jansson, which asks for the memory of each value; a report leaves it to the
    # library, which has it in few large pieces.
    each_fails("check", "in.spv", "other.spv", *FAST, "--against=old.json", "--rebind=all", status=3, least=200,
               every=19)
    each_fails("in.spv", "other.spv", "--out-dir=new", *FAST, "--report=p.html", "--against=old.json", "--rebind=all",
               least=50)
    each_fails("check", "in.spv", "other.spv", "--lock=x.lock", *FAST, status=3, least=20)
    each_fails("lock", "merge", "x.lock", "x.lock", "x.lock", least=10)


def test_lint():
    files()
    fields = fixtures.header(LINTED)
    fixtures.assemble(LINTED, fields["version"], "before/in.spv")
    os.chdir("before")
    lint = ["lint", "in.spv", "--diagnostics=sarif:known.sarif"]
    running.bind(*lint, "--distrust-uniform", expect=None)
    os.chdir("..")
    each_fails(*lint[:2], "--baseline=known.sarif", "--suppress=nonuniform@m*", "--lint=all=error",
               "--diagnostics=sarif:new.sarif", least=1000, every=37)


def test_resolver():
    name = os.path.join(running.FIXTURES, "resolvers", "table.spvasm")
    files(r__spvasm=running.read_text(name))
    Module("a:t", stage="Fragment", handles=("tex", "smp")).write("before/in.spv")
    each_fails("in.spv", "-o", "out.spv", *FAST, "--resolver=r.spvasm", least=45)


def test_calls_of_one_program():
    files()
    Module("a:t b:b", stage="Fragment").write("before/in.spv")
    os.chdir("before")
    outputs = ["-o", "out.spv", *FAST, "--layout-glsl=l.glsl", "--order=module", "--lock=x.lock", "--update-lock"]
    running.bind("in.spv", *outputs)
    os.chdir("..")
    Module("a:t b:b c:s[3]", stage="Fragment").write("before/in.spv")
    each_call_fails("in.spv", *outputs, "--depfile=d", "--stamp=s", least=60,
                    phases=[["x.lock"], ["out.spv", "l.glsl"], ["d"], ["s"]],
                    together=[["x.lock", "out.spv", "l.glsl", "d", "s"]])


def test_a_build_repeats_what_was_killed():
    files()
    outputs = ["-o", "out.spv", *FAST, "--layout-glsl=l.glsl", "--lock=x.lock", "--update-lock", "--depfile=d",
               "--stamp=s"]
    Module("a:t b:b", stage="Fragment").write("before/in.spv")
    os.chdir("before")
    running.bind("in.spv", *outputs)
    os.chdir("..")
    Module("a:t b:b c:s[3]", stage="Fragment").write("before/in.spv")
    for name in "s", "d", "out.spv", "l.glsl", "x.lock":
        os.utime("before/" + name, (1e9, 1e9))
    make_ends("in.spv", *outputs, goal="s")


def test_calls_of_a_batch():
    files(l__keep="")
    os.makedirs("before/l")
    for name in "abc":
        Module("albedo:t %s:b" % name, stage="Fragment").write("before/%s.spv" % name)
    programs = [["out/%s.spv" % name, "l/%s.json" % name] for name in "abc"]
    each_call_fails("a.spv", "b.spv", "c.spv", "--each", "--out-dir=out", "-j1", *FAST, "--order=module",
                    "--layout-json=l/%.json", "--depfile=d", "--stamp=s", least=60,
                    phases=[sum(programs, []), ["d"], ["s"]], together=programs + [["d", "s"]])


def test_calls_of_a_manifest():
    files(game__manifest="share set=0\noptions --order=module\nprogram sky: sky.spv sky2.spv\nprogram sea: sea.spv\n")
    for name in "sky", "sky2", "sea":
        Module("frame:b %s:t@,1" % name, stage="Fragment" if name != "sky2" else "Vertex").write(
            "before/%s.spv" % name)
    each_call_fails("-m", "game.manifest", "--out-dir=out", "-j1", *FAST, "--lock=game.lock", "--update-lock",
                    "--cache=cache", "--depfile=d", "--stamp=s", least=60,
                    phases=[["game.lock"], ["out/sky.spv", "out/sky2.spv", "out/sea.spv"], ["d"], ["s"]],
                    together=[["out/sky.spv", "out/sky2.spv"], ["d", "s"]])


def test_a_file_system_without_stable_numbers():
    """One program does without locks. Runs that share a lock file cannot exclude one another there."""
    files(game__manifest="program sea: in.spv\n")
    Module("a:t b:b", stage="Fragment").write("before/in.spv")
    for words, status in (["in.spv", "-o", "out.spv", "--lock=x.lock"], 0), (["-m", "game.manifest", "--lock=x.lock",
                                                                              "--out-dir=out"], NO_MEMORY):
        runs = Runs(*words, "--update-lock", *FAST)
        _, ended, _, message, left = runs.run()
        assert ended == 0 and "x.lock" in left, message
        _, ended, _, message, found = runs.run(RENUMBERED)
        assert ended == status and (not status or "it is another file each time" in message), (ended, message)
        assert found == (left if not status else runs.before | {".x.lock.guard": b""}), sorted(found)
        assert runs.run(reset=False)[-1] == left
        runs.end()


def test_batch():
    files()
    for name in "abc":
        Module("albedo:t %s:b" % name, stage="Fragment").write("before/%s.spv" % name)
    each_fails("a.spv", "b.spv", "c.spv", "--each", "--out-dir=out", "-j1", *FAST, "--layout-json=%.json",
               least=90, every=2)
    each_fails("a.spv", "b.spv", "c.spv", "--each", "--out-dir=out", "-j1", *FAST, "--cache=cache", least=60, every=2)


def test_manifest():
    files(game__manifest="share set=0\noptions --order=module\ninclude more.manifest\n",
          more__manifest="program sky: sky.spv\nprogram sea: sea.spv -o deep/er/sea.spv\n")
    for name in "sky", "sea":
        Module("frame:b %s:t@,1" % name, stage="Fragment").write("before/%s.spv" % name)
    each_fails("-m", "game.manifest", "--out-dir=out", "-j1", *FAST, "--lock=game.lock", "--update-lock",
               "--layout-json=all.json", least=90, every=2)
    each_fails("collect", "-m", "game.manifest", "-j1", "--shard=1/2", "-o", "part", least=50)


if __name__ == "__main__":
    running.main(globals())
