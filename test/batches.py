# SPDX-License-Identifier: Apache-2.0
"""Many programs in one run: what it says and writes is what single runs do, whatever the number of threads.

    batches.py --bind B [--only WORD]
"""
import glob
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from cli import final, module  # noqa: E402
from running import bind, read, run, write  # noqa: E402

THREADS = ("-j1", "-j2", "-j8")


def contents(folder):
    return {os.path.relpath(p, folder): read(p) for p in glob.glob(folder + "/**", recursive=True, include_hidden=True)
            if os.path.isfile(p)}


def bad(path="bad.spv"):
    return write(path, b"\x03\x02\x23\x07" + bytes(12))


def mixture():
    """Modules that change, that do not, and that are refused or wrong in other ways."""
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
    """Messages, reports, layouts and modules, one after the other."""
    names = mixture()
    os.mkdir("single")
    os.mkdir("layouts")
    said, printed, worst = "", "", 0
    for name in names:
        stem = os.path.basename(name)[:-4] if name.endswith(".spv") else os.path.basename(name)
        done = bind(name, "--out-dir=single", "--print-layout", "--layout-json=layouts/%s.json" % stem, expect=None)
        said += done.stderr
        printed += done.stdout and "in/%s:\n" % stem + done.stdout
        worst = max(worst, done.returncode, key=(0, 3, 2, 1, 4).index)
    assert worst == 4
    expected = contents("single"), contents("layouts")
    assert len(expected[0]) == len(expected[1]) > 20
    for threads in THREADS:
        run("rm", "-rf", "all", "all_layouts")
        os.mkdir("all_layouts")
        done = bind("--batch", threads, *names, "--out-dir=all", "--print-layout", "--layout-json=all_layouts/%.json",
                    expect=4)
        assert (done.stderr, done.stdout) == (said, printed), (threads, done.stderr, done.stdout)
        assert (contents("all"), contents("all_layouts")) == expected, threads


def test_many_more_programs_than_results_are_kept():
    """The order holds, and no thread waits for ever, when one program takes longer than thousands of others."""
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
    outputs = [bind("--batch", t, "--check", *names, expect=1) for t in THREADS]
    assert len({(o.stdout, o.stderr) for o in outputs}) == 1
    lines = outputs[0].stderr.splitlines()
    wrong = [line.split(":")[0] for line in lines if "error" in line]
    assert wrong == names[::100], wrong


def test_the_gravest_status():
    changes, done, wrong = module("changes.spv"), final("final.spv"), bad()
    for names, status in (([done], 0), ([done, changes], 3), ([changes, wrong, done], 1), ([wrong, "missing.spv"], 4),
                          (["missing.spv", changes], 4)):
        bind("--batch", "--check", *names, expect=status)


def test_fail_fast():
    """Nothing of the programs after the first failure is said or written, however far the threads have come."""
    names = [module("m%02d.spv" % i) for i in range(30)]
    bad(names[17])
    bad(names[23])
    for threads in THREADS:
        run("rm", "-rf", "d")
        done = bind("--batch", "--fail-fast", threads, *names, "--out-dir=d", expect=1)
        assert names[17] in done.stderr and names[23] not in done.stderr, done.stderr
        assert sorted(contents("d")) == names[:17], (threads, sorted(contents("d")))


def test_stems():
    """Stages of one name share a layout, in their folder only."""
    os.makedirs("a/b")
    for name, v in (("lit.vert.spv", "x"), ("a/lit.vert.spv", "p"), ("sky.frag.spv", "y"), ("lit.frag.spv", "z"),
                    ("a/b.c.vert.spv", "q"), ("a/b.d.frag.spv", "r"), ("vert.spv", "s")):
        module(name, name=v)
    done = bind("--batch=stem", "--dry-run", "--print-layout", "lit.vert.spv", "a/lit.vert.spv", "sky.frag.spv",
                "lit.frag.spv", "a/b.c.vert.spv", "a/b.d.frag.spv", "vert.spv")
    found, name = {}, None
    for line in done.stdout.splitlines():
        if line.endswith(":"):
            found[line[:-1]] = name = []
        elif not line.startswith("set "):
            name.append(line.split()[-1])
    assert list(found.items()) == [("lit", ["x", "z"]), ("a/lit", ["p"]), ("sky", ["y"]), ("a/b.c", ["q"]),
                                   ("a/b.d", ["r"]), ("vert", ["s"])], found


def test_options_are_judged_once():
    names = [module("m%d.spv" % i) for i in range(5)]
    done = bind("--batch", "--check", "--policy=place nonsense", *names, expect=2)
    assert done.stderr.count("error") == 1, done.stderr
    done = bind("--batch", "--dry-run", "--layout-json=%.json", *names)
    assert done.stderr.count("--dry-run does not write") == 1, done.stderr


def test_messages_for_programs():
    """The logs of other formats are those of the programs in their order."""
    names = mixture()
    for form in ("json", "sarif", "github"):
        logs = [bind("--batch", t, "--check", "--diagnostics=" + form, *names, expect=4).stderr for t in THREADS]
        assert len(set(logs)) == 1, form
        if form == "json":
            modules = [json.loads(line).get("module") for line in logs[0].splitlines()]
            known = [m for m in modules if m]
            assert known == sorted(known) and len(known) > 20, known
        elif form == "sarif":
            results = json.loads(logs[0])["runs"][0]["results"]
            assert len(results) > 15, results


def test_doctor_and_lint():
    one, other = final("one.spv"), final("other.spv")
    done = bind("--batch", "--doctor", one, other)
    assert done.stdout == "no conflict\n", done.stdout  # each by itself
    bind("--doctor", one, bad(), expect=1)
    bind("--batch", "--nonuniform=lint", one, other)


def test_imports_belong_to_each():
    module("library.spv", name="shared")
    names = [module("m%d.spv" % i, name="own%d" % i) for i in range(3)]
    done = bind("--batch", "--dry-run", "--print-layout", "--import=library.spv", *names)
    assert done.stdout.count("shared") == 3 and done.stdout.count("own1") == 1, done.stdout


def test_resolvers_are_compiled_once():
    """For each version of SPIR-V, and each program gets that of its own."""
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
    bind("--batch", "-j4", "--resolver=r.glsl", "--out-dir=d", *names, env=environment)
    assert len(read("count")) == 6 + 2
    assert contents("d") == contents("alone")


def test_usage():
    a, b = module("a.spv"), module("b.spv")
    for arguments, text in ((["-o", "x.spv"], "--out-dir"),
                            (["--out-dir=d", "--lock=l", "--update-lock"], "--lock"),
                            (["--dry-run", "--layout-json=x.json"], "%"),
                            (["--check", "--check-compatible=x.json"], "%"),
                            (["--out-dir=d", "--layout-json=d/%.spv"], "d/a.spv"),
                            (["--check", "-j0"], "from 1 to 1024"),
                            (["--check", "-jx"], "from 1 to 1024"),
                            (["--check", "-"], "stdin")):
        done = bind("--batch", *arguments, a, b, expect=2)
        assert text in done.stderr, (arguments, done.stderr)
    assert not os.path.exists("d") and not os.path.exists("x.spv")
    bind("--batch", "-j", "2", "-j3", "--dry-run", a, b)


if __name__ == "__main__":
    running.main(globals())
