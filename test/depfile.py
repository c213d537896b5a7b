# SPDX-License-Identifier: Apache-2.0
"""--depfile and --stamp: their contents, and that Make reads them.

    depfile.py --bind B [--only WORD]"""
import os
import pty
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from cli import module  # noqa: E402
from running import bind, read, read_text, write  # noqa: E402


def rules(path="d"):
    """{target: [prerequisite]} as Make reads them."""
    found = {}
    for line in read_text(path).splitlines():
        words, word, i = [], "", 0
        while i < len(line):
            if line[i] == "\\" and line[i + 1:i + 2] in (" ", "#", ":", "\t", "|"):
                word, i = word + line[i + 1], i + 2
            elif line[i:i + 2] == "$$":
                word, i = word + "$", i + 2
            elif line[i] in " :":
                words, word, i = words + [word] * bool(word) + [":"] * (line[i] == ":"), "", i + 1
            else:
                word, i = word + line[i], i + 1
        words += [word] * bool(word)
        if words:
            at = words.index(":")
            for target in words[:at]:
                found[target] = words[at + 1:]
    return found


def test_dependencies_are_all_files_that_are_read():
    module("a.spv"), module("b.spv", name="other")
    write("rules.policy", "place name=none -> set=1\n")
    bind("a.spv", "b.spv", "--out-dir=made", "--lock=new.lock", "--update-lock")
    write("include.glsl", "uint f(uvec2 handle) { return handle.x; }\n")
    write("resolver.glsl", "#version 460\n#extension GL_GOOGLE_include_directive : require\n"
          "#include \"include.glsl\"\nuint getDescriptorIndexFromHandle(uvec2 handle) { return f(handle); }\n")
    bind("b.spv", "a.spv", "--profile=rules.policy", "--lock=new.lock", "--resolver=resolver.glsl", "--out-dir=made",
         "--depfile=d")
    found = rules()
    names = [os.path.normpath(name) for name in found["made/a.spv"]]
    assert sorted(names) == ["a.spv", "b.spv", "include.glsl", "new.lock", "resolver.glsl", "rules.policy"], found
    assert found["made/b.spv"] == found["made/a.spv"], found
    assert all(found[name] == [] for name in found["made/a.spv"]), "a file that is removed stops Make"


def test_outputs_are_not_dependencies():
    module("a.spv")
    bind("a.spv", "-o", "a.spv", "--lock=l", "--update-lock", "--depfile=d")
    assert rules() == {"a.spv": []}, rules()
    bind("a.spv", "-o", "a.spv", "--lock=l", "--depfile=d")
    assert rules() == {"a.spv": ["l"], "l": []}, rules()


def test_names_that_make_would_split():
    odd = "a b#c$d:e\tf|g.spv"
    module(odd)
    bind(odd, "-o", "o p.spv", "--depfile=d")
    assert rules() == {"o p.spv": [odd], odd: []}, read_text("d")
    write("Makefile", "include d\n%.spv:\n\techo '$<' > said\n")
    running.run("make", "-s", "o p.spv", expect=None)
    os.remove("o p.spv")
    running.run("make", "-s", "o p.spv")
    assert read_text("said").strip() == odd, read_text("said")


def test_names_that_make_cannot_express():
    for name, what in ("a\nb.spv", "line feed"), ("x.spv;touch PWNED", "semicolon"):
        module(name)
        said = bind(name, "-o", "o.spv", "--depfile=d", expect=4).stderr
        assert what in said and not os.path.exists("d") and not os.path.exists("o.spv"), said


def test_all_or_nothing():
    """If the depfile or the stamp cannot be written, nothing is written; and vice versa."""
    module("a.spv"), module("b.spv")
    write("l.json", "old")
    for option in "--depfile=no/such/d", "--stamp=no/such/s", "--stamp=loop":
        if option.endswith("loop"):
            os.symlink("loop", "loop")
        bind("a.spv", "b.spv", "--out-dir=o", "--layout-json=l.json", "--depfile=d" * (option[2] == "s") or "-q",
             option, expect=4)
        assert not os.path.exists("o") and not os.path.exists("d") and read("l.json") == b"old", option
    bind("a.spv", "-o", "no/such/o.spv", "--depfile=d", "--stamp=s", expect=4)
    assert not os.path.exists("d") and not os.path.exists("s")
    bind("check", "a.spv", "--rebind=missing", "--auto-binding=0", expect=3)
    bind("layout", "a.spv", "--stamp=s", "--depfile=no/such/d", expect=4)
    assert not os.path.exists("s")


def test_all_or_nothing_of_many_programs():
    """Programs, the depfile and the stamp, in this order: if the last two cannot be written, no program is."""
    module("a.spv"), module("b.spv")
    write("m", "program a: a.spv\nprogram b: b.spv\n")
    os.symlink("loop", "loop")
    for run in ["a.spv", "b.spv", "--each"], ["-m", "m"]:
        for words in ["--depfile=no/such/d", "--stamp=s"], ["--depfile=d", "--stamp=no/such/s"], ["--stamp=loop"]:
            bind(*run, "--out-dir=o", *words, expect=4)
            assert not os.path.exists("o") or not os.listdir("o"), (run, words)
            assert not os.path.exists("d") and not os.path.exists("s"), (run, words)
        os.makedirs("o/b.spv")
        bind(*run, "--out-dir=o", "--depfile=d", "--stamp=s", expect=4)
        assert os.path.isfile("o/a.spv") and not os.path.exists("d") and not os.path.exists("s"), run
        os.rmdir("o/b.spv"), os.remove("o/a.spv"), os.rmdir("o")


def test_the_stamp_is_new_and_outputs_are_not():
    module("a.spv")
    bind("a.spv", "-o", "o.spv", "--stamp=s", "--depfile=d")
    assert rules() == {"s": ["a.spv"], "a.spv": []}, rules()
    for name in ("o.spv", "s"):
        os.utime(name, (1, 1))
    bind("a.spv", "-o", "o.spv", "--stamp=s", "--depfile=d")
    assert os.stat("o.spv").st_mtime == 1 and os.stat("s").st_mtime > 1 and read("s") == b""


def test_without_a_stamp_outputs_are_targets_of_make():
    """Modules and headers: Make makes them again after an edit of what they are made from, once, also if their contents
    stay."""
    write("part.h", "uniform Camera { vec4 view; };\n")
    for name in ("a.vert", "b.vert"):
        write(name, '#version 450\n#extension GL_GOOGLE_include_directive : require\n#include "part.h"\n'
              "void main() { gl_Position = view; }\n")
    write("m", "share set=0\nprogram a: a.vert\nprogram b: b.vert\n")
    write("Makefile", """all: a.layout o/a.vert.spv b.layout m.layout
a.layout o/a.vert.spv &: a.vert
	@echo a
	@BIND a.vert --out-dir=o --layout-header=a.layout --depfile=a.d
b.layout: b.vert
	@echo b
	@BIND layout b.vert --layout-header=$@ --depfile=b.d
m.layout: m a.vert
	@echo m
	@BIND -m m --out-dir=p --layout-header=$@
-include a.d b.d
""".replace("BIND", running.BIND))

    def made():
        said = running.run("make", "-s").stdout.split()
        assert running.run("make", "-s").stdout == "", "made again and again"
        return said

    assert made() == ["a", "b", "m"]
    assert rules("a.d")["a.layout"] == rules("a.d")["o/a.vert.spv"] == ["./part.h", "a.vert"], read_text("a.d")
    assert rules("b.d")["b.layout"] == ["./part.h", "b.vert"]
    header = read("a.layout")
    for name, expected in ("a.vert", ["a", "m"]), ("part.h", ["a", "b"]), ("b.vert", ["b"]), ("m", ["m"]):
        write(name, read_text(name) + ("# edited\n" if name == "m" else "// edited\n"))
        assert made() == expected, name
    assert read("a.layout") == header


def test_no_stamp_without_success():
    module("a.spv")
    bind("check", "a.spv", "--stamp=s", expect=3)
    assert not os.path.exists("s") and not os.path.exists("d")
    bind("a.spv", "-o", "o.spv")
    bind("check", "o.spv", "--stamp=s")
    assert os.path.exists("s")


def test_many_programs_need_a_stamp():
    module("a.spv"), module("b.spv")
    assert "--stamp" in bind("a.spv", "b.spv", "--each", "--out-dir=m", "--depfile=d", expect=2).stderr
    bind("a.spv", "b.spv", "--each", "--out-dir=m", "--depfile=d", "--stamp=s", "-j2")
    assert rules()["s"] == ["a.spv", "b.spv"], rules()


def test_no_output_is_overwritten():
    module("a.spv")
    for option in ("--depfile=a.spv", "--stamp=a.spv", "--depfile=o.spv", "--stamp=o.spv", "--depfile=-"):
        bind("a.spv", "-o", "o.spv", option, expect=2)


def test_a_terminal_is_not_an_input():
    ours, theirs = pty.openpty()
    done = subprocess.run([running.BIND, "-o", "o.spv"], stdin=theirs, capture_output=True, timeout=running.HANGS)
    os.close(ours), os.close(theirs)
    assert done.returncode == 2 and b"no input" in done.stderr, done.stderr


if __name__ == "__main__":
    running.main(globals())
