# SPDX-License-Identifier: Apache-2.0
"""What a killed or stopped run leaves behind, and how the next run deals with it.

    interrupted.py --bind B [--only WORD]
"""
import glob
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from cli import heed_signals, held, module, obey_permissions, temporaries  # noqa: E402
from running import bind, read, write  # noqa: E402

PACKED = "#version 460\nuint getDescriptorIndexFromHandle(uvec2 handle) { return handle.x & 0xFFFFFu; }\n"
STAGE = [".spirv-bind.0"]
# Starts another process and waits for it.
SLOW = "#!/bin/sh\nsleep 1000 &\necho $$ $! > started.new\nmv started.new started\nwait\n"


def hidden(directory="d"):
    return sorted(n for n in os.listdir(directory) if n.startswith("."))


def kill(process):
    process.kill()
    process.communicate(timeout=running.HANGS)


def modules(*names):
    for name in names:
        module(name, name=name[0])
    os.mkdir("d")
    return list(names)


# files

def test_killed_runs_leave_a_stage_and_the_next_run_none():
    names = modules("a.spv", "b.spv")
    write("d/a.spv", "old")
    for _ in range(5):
        kill(held(names))
        assert hidden() == STAGE and len(temporaries()) == 2 and read("d/a.spv") == b"old", hidden()
    os.link("d/a.spv", "d/.spirv-bind.0/0.old")
    bind(*names, "--out-dir=d")
    assert sorted(os.listdir("d")) == names, os.listdir("d")


def test_a_run_that_changes_nothing_removes_leftovers_too():
    names = modules("a.spv", "b.spv")
    bind(*names, "--out-dir=d")
    os.mkdir("d/.spirv-bind.0"), write("d/.spirv-bind.0/0", "half"), os.link("d/b.spv", "d/.spirv-bind.0/1.old")
    before = os.stat("d/b.spv").st_ino
    bind(*names, "--out-dir=d")
    assert sorted(os.listdir("d")) == names and os.stat("d/b.spv").st_ino == before, os.listdir("d")


def test_runs_killed_at_any_moment():
    names = modules("a.spv", "b.spv", "c.spv")
    results = {}
    for number in "12":
        bind(*names, "--out-dir=d", "--rebind=all,sets", "--policy=option default-set=" + number)
        for name in names:
            results.setdefault(name, set()).add(read("d/" + name))
    assert all(len(r) == 2 for r in results.values())
    started = time.monotonic()
    bind(*names, "--out-dir=d", "--rebind=all,sets", "--policy=option default-set=1")
    lasts, moments = time.monotonic() - started, random.Random(1)
    for i in range(100):
        p = subprocess.Popen([running.BIND, *names, "--out-dir=d", "--rebind=all,sets",
                              "--policy=option default-set=" + "12"[i % 2]], stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0, lasts))
        kill(p)
        assert hidden() in ([], STAGE), hidden()
        assert all(read("d/" + n) in results[n] for n in names)
        if i % 10 == 9:
            bind(*names, "--out-dir=d", "--rebind=all,sets", "--policy=option default-set=1")
            assert sorted(os.listdir("d")) == names, os.listdir("d")


def test_files_of_a_running_process_are_kept():
    names = modules("a.spv", "b.spv")
    write("d/a.spv", "old")
    first = held(names)
    bind(*names, "--out-dir=d")
    assert hidden() == STAGE and len(temporaries()) == 2, hidden()
    found = [read("d/" + n) for n in names]
    bind(*names, "--out-dir=d")  # nothing to write: it only looks for leftovers
    assert hidden() == STAGE and len(temporaries()) == 2, hidden()
    assert read("fifo").startswith(b"{")
    said = first.communicate(timeout=running.HANGS)[1]
    assert first.returncode == 0, said
    assert sorted(os.listdir("d")) == names and [read("d/" + n) for n in names] == found


def test_many_runs_write_the_same_outputs():
    names = modules("a.spv", "b.spv")
    for round_ in range(4):
        runs = [subprocess.Popen([running.BIND, *names, "--out-dir=d", "--rebind=all,sets",
                                  "--policy=option default-set=%d" % (8 * round_ + i)],
                                 stderr=subprocess.PIPE) for i in range(8)]
        for p in runs:
            said = p.communicate(timeout=running.HANGS)[1]
            assert p.returncode == 0, said
    assert sorted(os.listdir("d")) == names, os.listdir("d")


def test_a_read_only_target_stays_read_only():
    names = modules("a.spv")
    os.chmod(write("d/a.spv", "old"), 0o444)
    for _ in range(3):
        kill(held(names))
        assert hidden() == STAGE, hidden()
    bind(*names, "--out-dir=d")
    assert os.listdir("d") == names and read("d/a.spv") != b"old"
    assert stat.S_IMODE(os.stat("d/a.spv").st_mode) == 0o444


def test_a_folder_that_may_be_entered_and_not_read():
    names = modules("a.spv", "b.spv")
    for words in [], ["--each"]:
        os.chmod("d", 0o333)
        bind(*names, "--out-dir=d", *words, preexec_fn=obey_permissions)
        os.chmod("d", 0o755)
        assert sorted(os.listdir("d")) == names
        os.unlink("d/a.spv")


def test_few_descriptors():
    names = modules(*["%c.spv" % c for c in range(ord("a"), ord("a") + 12)])

    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))

    write("d/a.spv", "old")
    p = held(names, few)
    p.terminate()
    p.communicate(timeout=running.HANGS)
    assert os.listdir("d") == ["a.spv"] and read("d/a.spv") == b"old"
    bind(*names, "--out-dir=d", preexec_fn=few)
    assert sorted(os.listdir("d")) == names


# the compiler of a resolver

def with_compiler(script):
    """The environment where glslangValidator is a script and TMPDIR is an empty folder."""
    os.makedirs("bin"), os.mkdir("tmp")
    os.chmod(write("bin/glslangValidator", script), 0o755)
    return dict(os.environ, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"], TMPDIR=os.path.abspath("tmp"))


def is_running(pid):
    try:
        return read("/proc/%d/stat" % pid).split(b") ")[1][:1] != b"Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(condition):
    end = time.monotonic() + running.HANGS
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def assert_stopped(pids):
    wait_for(lambda: not any(map(is_running, pids)))
    assert os.listdir("tmp") == [] and not os.path.exists("o.spv"), os.listdir("tmp")


def test_a_signal_stops_the_compiler_of_a_resolver():
    env, m = with_compiler(SLOW), module()
    write("r.glsl", PACKED)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        p = subprocess.Popen([running.BIND, m, "--resolver=r.glsl", "-o", "o.spv"], env=env, stderr=subprocess.PIPE,
                             preexec_fn=heed_signals)
        wait_for(lambda: os.path.exists("started") or p.poll() is not None)
        pids = [int(n) for n in read("started").split()]
        assert len(pids) == 2 and all(map(is_running, pids)) and os.listdir("tmp")
        p.send_signal(number)
        said = p.communicate(timeout=running.HANGS)[1]
        assert p.returncode == -number, (p.returncode, said)
        assert_stopped(pids)
        os.unlink("started")


def test_a_signal_stops_all_compilers_of_inputs():
    env, names = with_compiler("#!/bin/sh\nsleep 1000 &\necho $$ $! > started.$$\nwait\n"), ["a.frag", "b.frag"]
    for name in names:
        write(name, "#version 450\nvoid main() {}\n")
    p = subprocess.Popen([running.BIND, "--each", "-j2", "--out-dir=out", *names], env=env, stderr=subprocess.PIPE,
                         preexec_fn=heed_signals)
    wait_for(lambda: sum(len(read(f).split()) for f in glob.glob("started.*")) == 4 or p.poll() is not None)
    pids = [int(n) for f in glob.glob("started.*") for n in read(f).split()]
    assert len(pids) == 4 and all(map(is_running, pids)) and len(os.listdir("tmp")) == 2
    p.send_signal(signal.SIGTERM)
    said = p.communicate(timeout=running.HANGS)[1]
    assert p.returncode == -signal.SIGTERM and not said, (p.returncode, said)
    assert_stopped(pids)
    assert not os.path.exists("out")


def test_a_killed_compiler_is_reported():
    env, m = with_compiler("#!/bin/sh\nkill -SEGV $$\n"), module()
    done = bind(m, "--resolver=" + write("r.glsl", PACKED), "-o", "o.spv", env=env, expect=1)
    assert "r.glsl:1:1: error: the compiler crashed" in done.stderr, done.stderr
    assert os.listdir("tmp") == [] and not os.path.exists("o.spv")


def test_compilers_are_killed_with_the_command():
    """Together with its children, even if we are killed. The next run removes the folder."""
    env, m = with_compiler(SLOW), module()
    write("r.glsl", PACKED)
    p = subprocess.Popen([running.BIND, m, "--resolver=r.glsl", "-o", "o.spv"], env=env, stderr=subprocess.PIPE)
    wait_for(lambda: os.path.exists("started") or p.poll() is not None)
    pids = [int(n) for n in read("started").split()]
    assert len(pids) == 2 and all(map(is_running, pids))
    kill(p)
    wait_for(lambda: not any(map(is_running, pids)))
    (left,) = os.listdir("tmp")
    os.mkdir("tmp/spirv-bind.others")
    write("tmp/spirv-bind.others/of another program", "")
    assert bind(m, "--resolver=r.glsl", "-o", "o.spv", env=dict(env, PATH=os.environ["PATH"])).returncode == 0
    assert os.listdir("tmp") == ["spirv-bind.others"] and os.listdir("tmp/spirv-bind.others")


def test_runs_that_begin_together_leave_each_other_their_folders():
    """No run takes a folder that another has made, and not locked yet, for one that a killed run has left."""
    write("s.frag", "#version 450\nvoid main() {}\n"), os.mkdir("tmp")
    for _ in range(10):
        runs = [subprocess.Popen([running.BIND, "layout", "s.frag"], env=dict(os.environ, TMPDIR="tmp"),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(16)]
        said = [p.communicate(timeout=running.HANGS)[1] for p in runs]
        assert [p.returncode for p in runs] == [0] * 16, b"".join(said).decode()
    assert os.listdir("tmp") == [], os.listdir("tmp")


def test_the_folder_of_a_running_compiler_is_kept():
    env, m = with_compiler(SLOW), module()
    write("r.glsl", PACKED)
    p = subprocess.Popen([running.BIND, m, "--resolver=r.glsl", "-o", "o.spv"], env=env, stderr=subprocess.PIPE)
    wait_for(lambda: os.path.exists("started") or p.poll() is not None)
    before = os.listdir("tmp")
    assert before
    bind(m, "--resolver=r.glsl", "-o", "p.spv", env=dict(env, PATH=os.environ["PATH"]))
    assert os.listdir("tmp") == before
    kill(p)


def test_compiler_output_is_limited_and_masked():
    env, m = with_compiler("#!/bin/sh\nwhile :; do echo 'ERROR: r.glsl:1: no end and no end'; done\n"), module()
    write("r.glsl", PACKED)
    said = bind(m, "--resolver=r.glsl", "-o", "o.spv", env=env, expect=1).stderr
    assert "messages are longer than 1 MiB" in said and len(said) < 300, said[:300]
    assert os.listdir("tmp") == []
    write("bin/glslangValidator", "#!/bin/sh\nprintf 'ERROR: r.glsl:1: a\\302\\233b\\033[31m\\n'\nexit 1\n")
    said = bind(m, "--resolver=r.glsl", "-o", "o.spv", env=env, expect=1).stderr
    assert "a?b?[31m" in said, said
    write("c1.spvasm", "OpCapability Shader\nOpFoo\u009b31m\n")
    assert "'OpFoo?31m'" in bind(m, "--resolver=c1.spvasm", "-o", "o.spv", expect=1).stderr


def test_a_missing_temporary_folder():
    write("a.frag", "#version 450\nvoid main() {}\n")
    write("r.glsl", PACKED)
    for words in ["a.frag"], [module(), "--resolver=r.glsl"]:
        said = bind(*words, "-o", "o.spv", env=dict(os.environ, TMPDIR="/none/such"), expect=4).stderr
        assert "in /none/such: No such file or directory\n" in said, said


def test_compiling_succeeds_where_sigchld_is_ignored():
    os.mkdir("tmp")
    bind("layout", "--resolver=" + write("r.glsl", PACKED), "-q", module(), env=dict(os.environ, TMPDIR="tmp"),
         preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert os.listdir("tmp") == []


if __name__ == "__main__":
    running.main(globals())
