# SPDX-License-Identifier: Apache-2.0
"""A run over a manifest that finds the disk full, or that is not alone: files, lock and cache.

    faults.py --bind B [--only WORD]
"""
import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import read, run  # noqa: E402
from workspaces import bind, files, game  # noqa: E402

RUN = ["--out-dir=out", "--lock=game.lock", "--update-lock", "--layout-json=shared.json"]
OUTPUTS = ("out", "game.lock", "shared.json", "cache")
# The leak check of sanitizers does not work in a process that is traced.
TRACED = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")


def programs(count, declarations):
    game("share set=0\n" + "".join("program p%d: p%d.spv q%d.spv\n" % (i, i, i) for i in range(count)),
         **{"%s%d" % (kind, i): declarations % i for i in range(count) for kind in "pq"})


def state(skip=()):
    """Everything that a run writes."""
    found = {"out/" + name: data for name, data in files("out").items()}
    for name in OUTPUTS[1:3]:
        if os.path.exists(name) and name not in skip:
            found[name] = read(name)
    return found


def clear(*names):
    for name in names or OUTPUTS:
        shutil.rmtree(name, ignore_errors=True)
        if os.path.exists(name):
            os.remove(name)


def left_behind():
    return sorted(name for folder in (".", "out") for name in os.listdir(folder) if name.startswith("."))


def test_a_full_disk():
    """Programs are complete or missing, the lock is complete, and the next run completes the rest."""
    count = 40
    programs(count, "frame:b shared:t own%d:t@,1")
    bind(*RUN)
    new = state()
    clear()
    for size in ("4k", "8k", "28k", "64k", "128k"):
        os.makedirs("small", exist_ok=True)
        try:
            run("mount", "-t", "tmpfs", "-o", "size=" + size, "none", "small")
        except (running.Failure, OSError):
            raise running.Skip("no file system can be mounted")
        try:
            args = ["--out-dir=small/out", "--lock=small/game.lock", "--update-lock", "--cache=small/cache"]
            done = bind(*args, expect=4)
            assert "No space left on device" in done.stderr, done.stderr
            found = {name: data for name, data in files("small").items() if not name.startswith("cache/")}
            for name, data in found.items():
                assert data == new[name], name
            modules = [name for name in found if name.startswith("out/")]
            assert not modules or "game.lock" in found
            assert all(name.replace("/p", "/q") in found for name in modules), "half a program"
            run("mount", "-o", "remount,size=8m", "small")
            bind(*args)
            for name in ("out/p0.spv", "out/q%d.spv" % (count - 1), "game.lock"):
                assert read("small/" + name) == new[name], name
        finally:
            run("umount", "small")


def test_files_too_large():
    """With a limit on file sizes: the lock and the layout are written before any module, or nothing is."""
    programs(12, "frame:b shared:t own%d:t@,1")

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))

    done = running.bind("-m", "game.manifest", *RUN, "--validate=none", expect=4, preexec_fn=limited)
    assert "File too large" in done.stderr, done.stderr
    assert not os.path.exists("game.lock") and not os.path.exists("out")
    assert not [name for name in os.listdir(".") if name.startswith(".")]


def test_without_memory_nothing_is_written():
    """Memory may end anywhere, also in SPIRV-Tools, which ends the process (docs/limits.md)."""
    game("program p0: p0.spv\n", p0=" ".join("t%d:t" % i for i in range(200)))
    before, statuses = sorted(os.listdir(".")), []
    for size in range(5 << 20, 64 << 20, 1 << 16):
        ended = subprocess.run([running.BIND, "p0.spv", "-o", "o.spv", "--layout-json=l"], stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        statuses.append(ended.returncode)
        if not ended.returncode:
            break
        assert sorted(os.listdir(".")) == before, (size, ended.returncode, os.listdir("."))
    assert statuses[-1] == 0 and {4, -signal.SIGABRT} <= set(statuses), statuses


def test_two_runs_at_once():
    """Two runs over the same manifest, or over halves of it, have the results of one."""
    programs(30, "frame:b shared:t own%d:t@,1")
    bind(*RUN)
    new = state()
    whole = ["-m", "game.manifest", *RUN]
    for group in ([whole, whole, [*whole, "--cache=cache"], [*whole, "--cache=cache"]],
                  [[*whole[:-1], "--shard=%d/3" % k] for k in (1, 2, 3)]):
        clear("out", "game.lock", "cache")
        runs = [subprocess.Popen([running.BIND, *args, "-j2"]) for args in group]
        assert [r.wait(timeout=running.HANGS) for r in runs] == [0] * len(group)
        assert not left_behind(), left_behind()
        if len(group) == 4:
            assert state() == new
        else:  # each module has the numbers of the lock, whichever run was first
            made = files("out")
            clear("out")
            bind("--out-dir=out", "--lock=game.lock", "--locked")
            assert files("out") == made


def test_the_holder_of_the_lock_is_named():
    """After a second of waiting, a message; the run continues when the lock is free."""
    programs(1, "frame:b own%d:t@,1")
    with open(".game.lock.guard", "w+b") as guard:
        fcntl.lockf(guard, fcntl.LOCK_EX)
        run_ = subprocess.Popen([running.BIND, "-m", "game.manifest", *RUN], stderr=subprocess.PIPE)
        said = run_.stderr.readline().decode()
        assert "waiting for .game.lock.guard, which process %d has locked" % os.getpid() in said, said
        assert not os.path.exists("game.lock")
        os.remove(".game.lock.guard")
    run_.communicate(timeout=running.HANGS)
    assert run_.returncode == 0 and os.path.exists("game.lock") and not left_behind()


def test_a_file_system_without_stable_numbers():
    """The locked file never has the expected name: the run ends with an error."""
    programs(1, "frame:b own%d:t@,1")
    ended = []
    for n in range(1, 30):
        clear()
        done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fstat,newfstatat", "-e",
                               "inject=fstat,newfstatat:error=EIO:when=%d+" % n, running.BIND, "-m", "game.manifest",
                               "-j1", *RUN], capture_output=True, env=TRACED, timeout=running.HANGS)
        ended.append(done.returncode)
        assert done.returncode == 0 or done.stderr, n
        bind(*RUN)
        assert not left_behind(), (n, left_behind())
    assert 4 in ended and ended[-1] == 0, ended


if __name__ == "__main__":
    running.main(globals())
