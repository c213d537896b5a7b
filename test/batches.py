# SPDX-License-Identifier: Apache-2.0
"""Many programs in one run: messages and files are those of single runs, whatever the number of threads.

    batches.py --bind B [--only WORD]
"""
import glob
import hashlib
import json
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from random import Random

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from cli import final, module, obey_permissions  # noqa: E402
from running import bind, read, run, write  # noqa: E402

THREADS = ("-j1", "-j2", "-j8")


HEADER = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
"""


def contents(folder):
    return {os.path.relpath(p, folder): read(p) for p in glob.glob(folder + "/**", recursive=True, include_hidden=True)
            if os.path.isfile(p)}


def bad(path="bad.spv"):
    return write(path, b"\x03\x02\x23\x07" + bytes(12))


def mixture():
    """Modules that change, that do not, and that are refused or damaged in various ways."""
    os.mkdir("in")
    names = []
    for i in range(40):
        name = "in/m%02d.spv" % i
        if i % 7 == 3:
            bad(name)
        elif i % 11 == 5:
            write(name, "void main() {}")
        elif i % 13 == 6:
            name += ".missing"
        elif i % 3:
            module(name, name="v%d" % i)
        else:
            final(name, i, name="v%d" % i)
        names.append(name)
    return names


def test_as_single_runs():
    """Messages, reports, layouts and modules of consecutive runs."""
    names = mixture()
    os.mkdir("single")
    os.mkdir("layouts")
    said, printed, worst = "", "", 0
    for name in names:
        stem = os.path.basename(name)[:-4] if name.endswith(".spv") else os.path.basename(name)
        done = bind(name, "--out-dir=single", "--layout-json=layouts/%s.json" % stem, expect=None)
        table = bind("layout", name, expect=None).stdout
        said += done.stderr
        printed += table and "in/%s:\n" % stem + table
        worst = max(worst, done.returncode, key=(0, 3, 2, 1, 4).index)
    assert worst == 4
    expected = contents("single"), contents("layouts")
    assert len(expected[0]) == len(expected[1]) > 20
    for threads in THREADS:
        run("rm", "-rf", "all", "all_layouts")
        os.mkdir("all_layouts")
        done = bind("--each", threads, *names, "--out-dir=all", "--layout-json=all_layouts/%.json", expect=4)
        assert (done.stderr, done.stdout) == (said, ""), (threads, done.stderr)
        assert bind("layout", "--each", threads, *names, expect=4).stdout == printed, threads
        assert (contents("all"), contents("all_layouts")) == expected, threads
    # into one file, a program's messages come before its report
    both = run(running.BIND, "layout", "--each", "--layout-json", *names, expect=4,
               stderr=subprocess.STDOUT).stdout
    parts = "".join(run(running.BIND, "layout", name, "--layout-json", expect=None,
                        stderr=subprocess.STDOUT).stdout for name in names)
    assert both == parts


def test_many_more_programs_than_results_are_kept():
    """The order is kept, and no thread waits forever, if one program takes longer than thousands of others."""
    names = []
    os.mkdir("in")
    source = read(final())
    text = write("a.txt", "none")
    for i in range(3000):
        name = "in/%04d.spv" % i
        os.link("final.spv" if i % 100 else text, name)
        names.append(name)
    big = "in/0000.spv"
    os.unlink(big)
    write(big, source + source[20:] * 2000)  # refused, late
    outputs = [bind("check", "--each", t, *names, expect=1) for t in THREADS]
    assert len({(o.stdout, o.stderr) for o in outputs}) == 1
    lines = outputs[0].stderr.splitlines()
    wrong = [line.split(":")[0] for line in lines if "error" in line]
    assert wrong == names[::100], wrong


def test_the_most_severe_status():
    changes, done, wrong = module("changes.spv"), final("final.spv"), bad()
    for names, status in (([done], 0), ([done, changes], 3), ([changes, wrong, done], 1), ([wrong, "missing.spv"], 4),
                          (["missing.spv", changes], 4)):
        bind("check", "--each", *names, expect=status)


def test_fail_fast():
    """No messages or files of programs after the first failure, however far the threads have come."""
    names = [module("m%02d.spv" % i) for i in range(30)]
    bad(names[17])
    bad(names[23])
    for threads in THREADS:
        run("rm", "-rf", "d")
        done = bind("--each", "--fail-fast", threads, *names, "--out-dir=d", expect=1)
        assert names[17] in done.stderr and names[23] not in done.stderr, done.stderr
        assert sorted(contents("d")) == names[:17], (threads, sorted(contents("d")))


def test_stems():
    """Stages with the same name share a layout, but only within a folder."""
    os.makedirs("a/b")
    for name, v in (("lit.vert.spv", "x"), ("a/lit.vert.spv", "p"), ("sky.frag.spv", "y"), ("lit.frag.spv", "z"),
                    ("a/b.c.vert.spv", "q"), ("a/b.d.frag.spv", "r"), ("vert.spv", "s")):
        module(name, name=v)
    done = bind("layout", "--each=stem", "lit.vert.spv", "a/lit.vert.spv", "sky.frag.spv",
                "lit.frag.spv", "a/b.c.vert.spv", "a/b.d.frag.spv", "vert.spv")
    found, name = {}, None
    for line in done.stdout.splitlines():
        if line.endswith(":"):
            found[line[:-1]] = name = []
        elif not line.startswith("set "):
            name.append(line.split()[-1])
    assert list(found.items()) == [("lit", ["x", "z"]), ("a/lit", ["p"]), ("sky", ["y"]), ("a/b.c", ["q"]),
                                   ("a/b.d", ["r"]), ("vert", ["s"])], found


def test_a_compute_shader_next_to_other_stages_is_a_separate_program():
    for name in ("cloth.vert.spv", "cloth.comp.spv", "cloth.frag.spv", "alone.comp.spv"):
        module(name, name=name[:-4].replace(".", "_"))
    done = bind("layout", "--each=stem", "cloth.vert.spv", "cloth.comp.spv", "cloth.frag.spv", "alone.comp.spv")
    assert re.findall(r"^(\S+):$", done.stdout, re.M) == ["cloth", "cloth.comp", "alone"], done.stdout


def test_options_are_checked_once():
    names = [module("m%d.spv" % i) for i in range(5)]
    done = bind("check", "--each", "--policy=place nonsense", *names, expect=2)
    assert done.stderr.count("error") == 1, done.stderr


def test_messages_for_programs():
    """Logs in other formats have the messages in the order of the programs."""
    names = mixture()
    for form in ("json", "sarif", "github"):
        logs = [bind("check", "--each", t, "--diagnostics=" + form, *names, expect=4).stderr for t in THREADS]
        assert len(set(logs)) == 1, form
        if form == "json":
            modules = [json.loads(line).get("module") for line in logs[0].splitlines()]
            known = [m for m in modules if m]
            assert known == sorted(known) and len(known) > 20, known
        elif form == "sarif":
            results = json.loads(logs[0])["runs"][0]["results"]
            assert len(results) > 15, results


def test_check_and_lint():
    one, other = final("one.spv"), final("other.spv")
    bind("check", "--each", one, other)  # each separately
    bind("check", one, bad(), expect=1)
    bind("lint", "--each", one, other)


def test_imports_belong_to_each():
    module("library.spv", name="shared")
    names = [module("m%d.spv" % i, name="own%d" % i) for i in range(3)]
    done = bind("layout", "--each", "--import=library.spv", *names)
    assert done.stdout.count("shared") == 3 and done.stdout.count("own1") == 1, done.stdout


def test_resolvers_are_compiled_once():
    """Once for each version of SPIR-V, and each program gets the one for its version."""
    write("r.glsl", "#version 460\nuint getDescriptorIndexFromHandle(uvec2 handle) { return handle.x & 7u; }\n")
    os.mkdir("bin")
    write("bin/glslangValidator", "#!/bin/sh\necho >> count\nexec %s \"$@\"\n" % shutil.which("glslangValidator"))
    os.chmod("bin/glslangValidator", 0o755)
    environment = dict(os.environ, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"])
    names = [module("m%d.spv" % i) for i in range(6)]
    for name in names[::2]:
        words = bytearray(read(name))
        words[5] = 3  # SPIR-V 1.3
        write(name, bytes(words))
    for name in names:
        bind("--resolver=r.glsl", name, "--out-dir=alone", env=environment)
    assert len(read("count")) == 6
    bind("--each", "-j4", "--resolver=r.glsl", "--out-dir=d", *names, env=environment)
    assert len(read("count")) == 6 + 2
    assert contents("d") == contents("alone")


def hidden(folder="d"):
    return sorted(n for n in os.listdir(folder) if n.startswith("."))


def expected(names, *options):
    """The files of a run without failure."""
    bind("--each", *options, "--out-dir=expected", *names)
    return contents("expected")


def test_only_changed_files_are_written():
    names = [module("m%d.spv" % i) for i in range(4)]
    bind("--each", "--out-dir=d", *names)
    os.chmod("d/m1.spv", 0o640)
    os.rename("d/m2.spv", "elsewhere.spv")
    os.symlink("../elsewhere.spv", "d/m2.spv")

    def found():  # without the time of access
        return [(s.st_ino, s.st_mode, s.st_mtime_ns, s.st_ctime_ns) for s in (os.stat("d/" + n) for n in names)]
    before = found()
    done = bind("--each", "-v", "--out-dir=d", *names)
    assert done.stderr.count("unchanged: d/m") == 4, done.stderr
    assert found() == before
    for name in names:
        module(name, name="other")
    bind("--each", "--out-dir=d", *names)
    after = found()
    assert all(a[0] != b[0] for a, b in zip(before, after))
    assert [a[1] for a in before] == [b[1] for b in after]
    assert os.path.islink("d/m2.spv") and contents("d") == expected(names) and not hidden()


def test_no_unnecessary_files_are_made():
    bind("--each", "--out-dir=d", bad("a.spv"), bad("b.spv"), expect=1)
    assert not os.path.exists("d")
    write("file", ""), module()
    assert "cannot write file/m.spv" in bind("--each", "--out-dir=file", "m.spv", expect=4).stderr


def test_all_files_of_a_program_or_none():
    """The layout of one program cannot be written: its modules are unchanged, those of others are new."""
    os.mkdir("layouts")
    names = [module(n + s, name=n) for n in "abc" for s in (".vert.spv", ".frag.spv")]
    old = expected(names, "--policy=option default-set=1")
    bind("--each=stem", "--policy=option default-set=1", "--out-dir=d", *names)
    os.mkdir("layouts/b.json")
    done = bind("--each=stem", "--out-dir=d", "--layout-json=layouts/%.json", *names, expect=4)
    assert "cannot write layouts/b.json: Is a directory" in done.stderr, done.stderr
    for name in names:
        assert (contents("d")[name] == old[name]) == name.startswith("b"), name
    assert sorted(os.listdir("layouts")) == ["a.json", "b.json", "c.json"] and not hidden() and not hidden("layouts")


def start(*arguments, **more):
    return subprocess.Popen([running.BIND, *arguments, "--each"], stderr=subprocess.DEVNULL, **more)


def until_staged(count):
    """Waits until the run blocks at a pipe, and has staged so many files."""
    while len(glob.glob("d/.spirv-bind.0/[0-9]*")) < count:
        time.sleep(0.005)


def test_killed_before_files_are_placed():
    names = [module("m%02d.spv" % i, name="n%d" % i) for i in range(20)]
    want = expected(names)
    os.mkdir("d")
    write("d/m03.spv", "old")
    os.mkfifo("pipe.spv")
    for _ in range(2):  # the second run finds what the first one left
        process = start("-j2", "--out-dir=d", *names, "pipe.spv")
        until_staged(20)
        process.kill()
        process.wait()
        assert contents("d")["m03.spv"] == b"old" and len(glob.glob("d/m*")) == 1
        assert hidden() == [".spirv-bind.0"]
    bind("--each", "--out-dir=d", *names)
    assert contents("d") == want and not hidden()


def test_killed_anywhere():
    """Each file is the old one or the new one."""
    names = [module("m%03d.spv" % i, name="n%d" % i) for i in range(400)]
    want, old = expected(names), expected(names, "--policy=option default-set=3")
    random = Random(18)
    for _ in range(12):
        bind("--each", "--policy=option default-set=3", "--out-dir=d", *names)
        process = start("--out-dir=d", *names)
        time.sleep(random.random() * 0.03)
        process.kill()
        process.wait()
        found = {n: c for n, c in contents("d").items() if not n.startswith(".")}
        assert len(found) == 400 and all(found[n] in (old[n], want[n]) for n in found)
    bind("--each", "--out-dir=d", *names)
    assert contents("d") == want and not hidden()


def test_in_memory():
    """A file system in memory needs no sync: files are put in place during the run."""
    if not os.path.isdir("/dev/shm") or run("stat", "-f", "-c", "%T", "/dev/shm").stdout.strip() != "tmpfs":
        raise running.Skip("/dev/shm is not in memory")
    names = [module("m%03d.spv" % i, name="n%d" % i) for i in range(300)]
    want = expected(names)
    os.mkfifo("pipe.spv")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        out = memory + "/d"
        process = start("-j2", "--out-dir=" + out, *names, "pipe.spv")
        end = time.monotonic() + running.HANGS
        while len(glob.glob(out + "/m*")) < 200:  # all but the last, incomplete round
            assert time.monotonic() < end
            time.sleep(0.005)
        process.kill()
        process.wait()
        found = {n: c for n, c in contents(out).items() if not n.startswith(".")}
        assert all(c == want[n] for n, c in found.items())
        bind("--each", "--out-dir=" + out, *names)
        assert contents(out) == want and not hidden(out)
        bad(names[290])
        for threads in THREADS:
            run("rm", "-rf", out)
            done = bind("--each", "--fail-fast", threads, *names, "--out-dir=" + out, expect=1)
            assert names[290] in done.stderr and sorted(contents(out)) == names[:290], (threads, len(contents(out)))


def test_stopped_by_a_signal():
    """Finished programs are put in place, nothing else is left, and the signal ends the process."""
    names = [module("m%02d.spv" % i) for i in range(20)]
    want = expected(names)
    os.mkfifo("pipe.spv")
    process = start("-j1", "--out-dir=d", *names, "pipe.spv", names[0] + ".missing")
    until_staged(20)
    process.terminate()
    assert process.wait(timeout=running.HANGS) == -signal.SIGTERM
    assert contents("d") == want and not hidden()


def test_two_runs_at_once():
    names = [module("m%03d.spv" % i, name="n%d" % i) for i in range(150)]
    sets = ["--policy=option default-set=%d" % i for i in range(4)]
    wants = [expected(names, s) for s in sets]
    for _ in range(3):
        runs = [start("-j2", s, "--out-dir=d", *names) for s in sets]
        assert [r.wait(timeout=running.HANGS) for r in runs] == [0] * 4
        found = contents("d")
        assert len(found) == 150 and all(any(found[n] == w[n] for w in wants) for n in found) and not hidden()


def test_a_file_too_large():
    """The programs that fit are written."""
    names = [module("m%02d.spv" % i) for i in range(10)]
    write(names[4], read(names[4]) + b"\x00\x00\x01\x00" * 4000)  # OpNop
    want = expected([n for n in names if n != names[4]])
    limit = 8192

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = bind("--each", "-j2", "--validate=none", "--out-dir=d", *names, expect=4, preexec_fn=limited)
    assert "cannot write d/m04.spv: File too large" in done.stderr, done.stderr
    assert contents("d") == want and not hidden()


def test_files_before_and_after():
    """A thread reads the files of some programs before it binds and writes them. Files that cannot be read or written
    are reported with their program, in order, and the others are written."""
    os.mkdir("in")
    names = [module("in/m%02d.spv" % i, name="v%d" % i) for i in range(64)]
    os.unlink(names[10])
    bad(names[20])
    write(names[30], read(names[30]) + b"\x00\x00\x01\x00" * 100000)  # OpNop: as long as many others
    wrong = [os.path.basename(n) for n in names[5::13]]

    def forbid(folder):
        for name in wrong:
            os.makedirs(os.path.join(folder, name))

    forbid("single")
    said = "".join(bind("--validate=none", n, "--out-dir=single", expect=None).stderr for n in names)
    lines = [line for line in said.splitlines() if ": note: " not in line]
    assert said.count("cannot write single/") == len(wrong) == len(lines) - 2, said
    for threads in THREADS:
        for more in ([], ["-v"]):
            run("rm", "-rf", "d")
            forbid("d")
            done = bind("--each", threads, "--validate=none", *more, "--out-dir=d", *names, expect=4)
            faults = [line for line in done.stderr.splitlines() if ": wrote " not in line]
            assert faults == [line.replace("single/", "d/") for line in said.splitlines()], (threads, done.stderr)
            assert contents("d") == contents("single") and not hidden(), threads


def test_a_full_disk():
    """Programs are complete or missing, and the next run completes them."""
    names = [module("m%03d.spv" % i, name="n%d" % i) for i in range(200)]
    want = expected(names)
    os.mkdir("small")
    try:
        run("mount", "-t", "tmpfs", "-o", "size=256k", "none", "small")
    except (running.Failure, OSError):
        raise running.Skip("no file system can be mounted")
    try:
        write("small/other", bytes(100000))
        done = bind("--each", "-j2", "--out-dir=small/d", *names, expect=4)
        assert "No space left on device" in done.stderr
        found = contents("small/d")
        assert 0 < len(found) < 200 and all(found[n] == want[n] for n in found) and not hidden("small/d")
        run("mount", "-o", "remount,size=4m", "small")
        bind("--each", "--out-dir=small/d", *names)
        assert contents("small/d") == want
    finally:
        run("umount", "small")


def on_terminal(*arguments):
    """What the command shows on a terminal."""
    ours, its = pty.openpty()
    process = subprocess.Popen([running.BIND, *arguments, "--each"], stdout=its, stderr=its)
    os.close(its)
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        shown += more
    os.close(ours)
    process.wait(timeout=running.HANGS)
    return shown.decode()


def test_progress():
    names = [module("m%d.spv" % i) for i in range(5)] + [bad()]
    last = re.compile(r"(^|\n|\x1b\[K)6 of 6 programs, 1 failed, \d+/s\r?\n$")
    assert last.search(on_terminal("layout", *names))
    assert not last.search(on_terminal("layout", "--progress=never", *names))
    assert "of 6" not in on_terminal("layout", "-q", *names)
    assert "of 6" not in bind("layout", "--each", *names, expect=1).stderr
    assert last.search(bind("layout", "--each", "--progress=always", *names, expect=1).stderr)


def test_memory_does_not_grow():
    """Four thousand programs take no more memory than a thousand, nor do ten thousand that write nothing, and at most
    64 MB."""
    if os.environ.get("SPB_BIND_IN_PROCESS"):
        return  # AddressSanitizer keeps freed memory, so this is measured on the release build
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None  # thousands of files take far longer on a disk
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        os.chdir(folder)
        assert_memory_does_not_grow()


def assert_memory_does_not_grow():
    small = module()
    names = ["in/%05d.spv" % i for i in range(10000)]
    os.mkdir("in")
    for name in names:
        os.link(small, name)

    def most(count, *options):
        """Kilobytes at most."""
        return running.most_kilobytes(running.BIND, *options, "--each", "-j2", "-q", *names[:count])

    for all_of_them, options in ((4000, ["--validate=none", "--out-dir=d"]), (10000, ["layout"])):
        few, many = most(1000, *options), most(all_of_them, *options)
        assert many < 64 * 1024 and many < few + 8 * 1024, (few, many)


def test_a_large_bound_takes_little_memory():
    """As many ids as SPIR-V allows, of which few are used."""
    if os.environ.get("SPB_BIND_IN_PROCESS"):
        return
    data = bytearray(read(module()))
    data[12:16] = (1 << 22).to_bytes(4, "little")
    write("claims.spv", bytes(data))
    kilobytes = running.most_kilobytes(running.BIND, "--validate=none", "--rebind=all", "--prune", "-q", "claims.spv",
                                       "--each", "--out-dir=d")
    assert kilobytes < 48 * 1024, kilobytes


def test_intermediate_memory_is_freed():
    """Control-flow graphs and contents of variables are freed before divergence is propagated, unless an explanation
    needs them."""
    if os.environ.get("SPB_BIND_IN_PROCESS"):
        return
    # in another process, since a child's memory counts from that of its parent on
    subprocess.run([sys.executable, "-c", "import scale; scale.write_accesses('accesses.spv', 20000)"], check=True,
                   env={**os.environ, "PYTHONPATH": os.path.join(running.ROOT, "scripts", "bench")})
    command = [running.BIND, "--validate=none", "accesses.spv", "-o", "d.spv"]
    answer, explained = (running.most_kilobytes(*command, *options) for options in ([], ["--accesses"]))
    assert answer < 0.67 * explained, (answer, explained)


# An entry of the cache: a hash of its key and the rest, which is the sizes of messages, output, modules and files, and
# these.

def entries(folder="cache"):
    return sorted(os.path.join(folder, n) for n in os.listdir(folder))


def hashed(entry, rest):
    key = bytes.fromhex(os.path.basename(entry))
    return hashlib.blake2b(key + rest, digest_size=32).digest() + rest


def cached(*arguments, **more):
    return bind(*arguments, "--each", "--cache=cache", **more)


def test_results_with_and_without_a_cache_are_equal():
    """The second run has the messages and files of the first one, also with other threads and destinations."""
    names = mixture()
    for options in (["bind", "--out-dir=%s", "--layout-json=-"], ["layout", "-v"], ["check", "--diagnostics=json"],
                    ["check", "-v"], ["lint"], ["explain"],
                    ["bind", "--out-dir=%s", "--layout-json=layouts/%%.json", "--accesses"]):
        def words(folder):
            return [*(o.replace("%s", folder).replace("%%", "%") for o in options), "-j2", *names]
        run("rm", "-rf", "cache", "one", "two", "layouts")
        os.mkdir("layouts")
        plain = bind(*words("one"), "--each", expect=None)
        layouts = contents("layouts")
        for n in (1, 2):
            run("rm", "-rf", "two", "layouts")
            os.mkdir("layouts")
            done = cached(*words("two"), expect=plain.returncode)
            assert (done.stdout, done.stderr) == (plain.stdout, plain.stderr), (options, n)
            assert not os.path.exists("one") or contents("two") == contents("one"), (options, n)
            assert contents("layouts") == layouts


def test_cache_is_used():
    """A changed entry with a correct hash shows that nothing was bound again. Any other change makes it invalid."""
    module()
    final("other.spv")
    options = ["--rebind=all", "--policy=place name=nobody -> set=1", "-v"]
    first = cached("--out-dir=d", *options, "m.spv")
    (entry,) = entries()
    assert os.stat(entry).st_mode & 0o777 == 0o600
    rest = read(entry)[32:]
    assert read(entry) == hashed(entry, rest) and b"nobody" in rest, first.stderr
    write(entry, hashed(entry, rest.replace(b"nobody", b"NOBODY")))
    assert "NOBODY" in cached("--out-dir=e", *options, "m.spv").stderr
    assert "NOBODY" in cached("--out-dir=e", "-j7", *options, "m.spv").stderr
    write("sub.spv", read("m.spv"))
    for others in ([*options, "--policy=option default-set=1", "m.spv"], [*options, "sub.spv"], [options[1], "m.spv"],
                   [options[0], options[1] + "0", "m.spv"], [*options, "--layout-json=-", "m.spv"]):
        assert "NOBODY" not in cached("--out-dir=f", *others).stderr, others
    module(name="changed")
    assert "NOBODY" not in cached("--out-dir=e", *options, "m.spv").stderr


def test_cache_of_files_that_options_name():
    """A policy and an older layout count by their contents."""
    names = [module()]
    write("rules.txt", "place name=v -> set=2\n")
    cached("--profile=rules.txt", "--out-dir=d", *names)
    old = contents("d")
    write("rules.txt", "place name=v -> set=3\n")
    cached("--profile=rules.txt", "--out-dir=d", *names)
    assert contents("d") != old
    names = [final()]
    bind("layout", *names, "--layout-json=final.json")
    cached("check", "--against=%.json", *names)
    bind(*names, "-o", "/dev/null", "--layout-json=final.json", "--rebind=all,sets", "--policy=option default-set=1")
    cached("check", "--against=%.json", *names, expect=3)


def test_cache_that_is_damaged():
    """Entries that are damaged, or that others could have written, are replaced."""
    random = Random(4)
    names = [module("m%d.spv" % i, name="n%d" % i) for i in range(8)]
    want = expected(names)
    cached("--out-dir=d", *names)
    whole = contents("cache")
    for _ in range(6):
        for entry in entries():
            data = bytearray(read(entry))
            if random.random() < 0.3:
                del data[random.randrange(len(data)):]
            else:
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            write(entry, bytes(data))
        run("rm", "-rf", "d")
        cached("--out-dir=d", *names)
        assert contents("d") == want and contents("cache") == whole
    for entry in entries():
        os.chmod(entry, 0o666)
    cached("--out-dir=d", *names)
    assert all(os.stat(e).st_mode & 0o777 == 0o600 for e in entries())
    os.utime(write(entries()[0] + ".tmp", "of a killed run"), (0, 0))
    os.unlink(entries()[0])
    for _ in range(2):
        cached("--out-dir=d", *names)
    assert contents("cache") == whole
    os.chmod("cache", 0o777)
    assert "others can write to it" in cached("--out-dir=d", *names, expect=4).stderr
    write("file", "")
    bind("check", "--each", "--cache=file", *names, expect=4)


def test_cache_that_is_hostile():
    """Entries with a correct hash and arbitrary contents: no crash, and no other files."""
    random = Random(5)
    names = [module("m%d.spv" % i, name="n%d" % i) for i in range(12)]
    cached("--out-dir=d", "--rebind=all", "--policy=place name=nobody -> set=1", *names)
    whole = {entry: read(entry)[32:] for entry in entries()}
    for _ in range(25):
        for entry, rest in whole.items():
            data = bytearray(rest)
            for _ in range(random.randrange(1, 4)):
                at = random.randrange(0, min(len(data), random.choice((16, 64, 4096))), 1)
                data[at] = random.choice((0, 1, 2, 0x7F, 0xFF, random.randrange(256)))
            cut = data[:random.randrange(len(data))] if random.random() < 0.1 else data
            write(entry, hashed(entry, bytes(cut)))
        cached("--out-dir=d", "--rebind=all", "--policy=place name=nobody -> set=1", *names)
        assert sorted(os.listdir("d")) == sorted(names), sorted(os.listdir("d"))


def test_cache_with_swapped_entries():
    """A restored backup, or a damaged file system: an entry under another name is invalid."""
    names = [module("m%d.spv" % i, name="n%d" % i) for i in range(4)]
    want = expected(names)
    cached("--out-dir=d", *names)
    whole, (first, *rest) = contents("cache"), entries()
    for other in rest:
        os.rename(first, "moved"), os.rename(other, first), os.rename("moved", other)
        shutil.rmtree("d")
        cached("--out-dir=d", *names)
        assert contents("d") == want and contents("cache") == whole, other
    facts = ["collect", "-m", "game.manifest", "-o", "facts", "--cache=c"]
    write("game.manifest", "".join("program p%d: %s\n" % (i, name) for i, name in enumerate(names)))
    bind(*facts)
    want = read("facts")
    moved = entries("c")
    for a, b in zip(moved, [*moved[1:], write("first", read(moved[0]))]):
        shutil.copyfile(b, a)
    bind(*facts)
    assert read("facts") == want


def test_cache_of_others():
    """Entries of another user, and those that cannot be read, are invalid and replaced, even if their hash is right."""
    names = [module("m%d.spv" % i, name="n%d" % i) for i in range(3)]
    want = expected(names)
    spoil = [lambda entry: os.chmod(entry, 0)]
    if os.geteuid() == 0:  # no one else can give files away
        spoil.append(lambda entry: os.chown(entry, 12345, -1))
    for spoiled in spoil:
        cached("--out-dir=d", *names)
        whole = contents("cache")
        rest = [read(entry)[32:] for entry in entries()]
        for entry, other in zip(entries(), rest[1:] + rest[:1]):
            write(entry, hashed(entry, other))
            spoiled(entry)
        shutil.rmtree("d")
        cached("--out-dir=d", *names, preexec_fn=obey_permissions)
        assert contents("d") == want and contents("cache") == whole
        assert all(os.stat(e).st_uid == os.geteuid() and os.stat(e).st_mode & 0o777 == 0o600 for e in entries())


def test_cache_of_other_times():
    """Entries, and leftovers of killed runs, may be from the future, if the clock was wrong."""
    names = [module("m%d.spv" % i, name="n%d" % i) for i in range(3)]
    want = expected(names)
    cached("--out-dir=d", *names)
    whole = contents("cache")
    for when in 0, 2 ** 32:
        for entry in entries():
            os.utime(write(entry + ".tmp", "of a killed run"), (when, when))
            os.utime(entry, (when, when))
        shutil.rmtree("d")
        cached("--out-dir=d", *names)
        assert contents("d") == want
        for entry in whole:
            os.remove(os.path.join("cache", entry))
        for _ in range(2):
            cached("--out-dir=d", *names)
        assert contents("cache") == whole


def test_cache_with_other_files():
    """A pipe, a folder, a link or an empty file with the name of an entry is neither waited for nor read."""
    args = ["--out-dir=d", "--rebind=all", module("a.spv"), module("b.spv", name="w")]
    cached(*args)
    expected, named = [read("d/a.spv"), read("d/b.spv")], entries()
    assert named
    for put in os.mkfifo, os.mkdir, lambda e: os.symlink("/dev/zero", e), lambda e: write(e, b""):
        for entry in named:
            (os.rmdir if os.path.isdir(entry) else os.remove)(entry)
            put(entry)
        shutil.rmtree("d")
        cached(*args)
        assert [read("d/a.spv"), read("d/b.spv")] == expected, put
        assert entries() == named


def test_cache_of_runs_at_once():
    names = [module("m%02d.spv" % i, name="n%d" % i) for i in range(60)]
    want = expected(names)
    runs = [start("-j2", "--cache=cache", "--out-dir=d%d" % i, *names) for i in range(4)]
    assert [r.wait(timeout=running.HANGS) for r in runs] == [0] * 4
    assert all(contents("d%d" % i) == want for i in range(4)) and len(entries()) == 60
    assert not [e for e in entries() if e.endswith(".tmp")]
    process = start("-j2", "--cache=cache2", "--out-dir=d", *names)
    time.sleep(0.01)
    process.kill()
    process.wait()
    bind("--each", "--cache=cache2", "--out-dir=d", *names)
    assert contents("d") == want


def test_usage():
    a, b = module("a.spv"), module("b.spv")
    for arguments, text in ((["-o", "x.spv"], "--out-dir"),
                            (["--out-dir=d", "--lock=l", "--update-lock"], "--lock"),
                            (["layout", "--layout-json=x.json"], "%"),
                            (["check", "--against=x.json"], "%"),
                            (["--out-dir=d", "--layout-json=d/%.spv"], "d/a.spv"),
                            (["check", "-j0"], "from 1 to 1024"),
                            (["check", "-jx"], "from 1 to 1024"),
                            (["--out-dir=d", "--import=a.spv"], "--import"),
                            (["check", "-"], "stdin")):
        done = bind(*arguments, "--each", a, b, expect=2)
        assert text in done.stderr, (arguments, done.stderr)
    assert not os.path.exists("d") and not os.path.exists("x.spv")
    bind("layout", "--each", "-j", "2", "-j3", a, b)


if __name__ == "__main__":
    running.main(globals())
