# SPDX-License-Identifier: Apache-2.0
"""The command on Windows, in wine: names, folders, replacing files, and programs that it runs. scripts/platforms.sh
windows runs this, and the golden fixtures."""
import os
import re
import shutil

import running
from cli import final, module
from running import Skip, bind, bind_bytes, read, write

NAME = "größe 光.spv"  # in no code page of Windows except UTF-8

# A compiler that records its arguments, and writes the requested module.
COMPILER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	FILE *notes = fopen("arguments", "w"), *from = fopen("made", "rb"), *to = NULL;
	for (int i = 1; i < argc; i++) {
		fprintf(notes, "%s\n", argv[i]);
		if (!strcmp(argv[i], "-o"))
			to = fopen(argv[i + 1], "wb");
	}
	fclose(notes);
	printf("ERROR: nothing is right\n");
	while (from == NULL)
		printf("no end and no end\n");
	for (int c; from && to && (c = getc(from)) != EOF;)
		putc(c, to);
	return getenv("REFUSE") != NULL;
}
"""


def left_behind():
    return [os.path.join(base, name) for base, folders, names in os.walk(".") for name in folders + names
            if name.startswith(".")]


def test_names_are_unicode():
    module(NAME)
    done = bind(NAME, "-o", "neu 光.spv", "--layout-json=ç.json", "-v")
    assert len(read("neu 光.spv")) > 100 and NAME.encode() in read("ç.json")
    assert "wrote neu 光.spv" in done.stderr
    done = bind("check", "fehlt 光.spv", expect=4)
    assert done.stderr == "spirv-bind: error: cannot read fehlt 光.spv: No such file or directory\n", done.stderr


def test_paths_have_backslashes_or_slashes():
    os.mkdir("in")
    module("in/a.spv")
    bind(r"in\a.spv", r"--out-dir=one\two", "--each")
    bind("in/a.spv", "-o", "b.spv")
    assert read("one/two/a.spv") == read("b.spv")
    assert bind("check", r"in\b.spv", expect=4).stderr.startswith("spirv-bind: error: cannot read in/b.spv: ")


def test_files_are_replaced_together():
    module("m.spv")
    write("o.spv", b"old")
    write("j.json", b"old")
    bind("m.spv", "-o", "o.spv", "--layout-json=j.json")
    assert len(read("o.spv")) > 100 and len(read("j.json")) > 100 and not left_behind()
    before = read("o.spv")
    os.mkdir("folder")
    final("n.spv", binding=7)
    done = bind("n.spv", "-o", "o.spv", "--layout-json=folder", expect=4)
    assert "folder" in done.stderr and read("o.spv") == before and not left_behind()


def test_many_programs_a_lock_and_a_cache():
    names = [module("m%d.spv" % i, name="v%d" % i) for i in range(8)]
    command = [*names, "--each", "-j4", "--out-dir=out", "--cache=cache"]
    bind(*command)
    first = {name: read(os.path.join("out", name)) for name in names}
    assert len(os.listdir("cache")) == len(names) and not left_behind()
    again = bind(*command, "-v")
    assert first == {name: read(os.path.join("out", name)) for name in names}
    assert again.stderr.count("unchanged: ") == len(names), again.stderr
    for name in names:
        bind(name, "--lock=game.lock", "--update-lock", "-o", "x.spv")
    assert not left_behind()
    bind(names[-1], "--lock=game.lock", "--locked", "-o", "x.spv")


def test_streams_are_bytes():
    module("m.spv")  # whose words have line feeds among their bytes, and 0x1A
    write("m.spv", read("m.spv"))
    bind("m.spv", "-o", "o.spv")
    done = bind_bytes("-", "-o", "-", stdin=read("m.spv"))
    assert done.stdout == read("o.spv")
    assert b"\r" not in bind_bytes("layout", "m.spv", ).stdout


def make_compiler():
    compiler = shutil.which("x86_64-w64-mingw32-gcc-posix") or shutil.which("x86_64-w64-mingw32-gcc")
    if not compiler:
        raise Skip("no MinGW")
    write("compiler.c", COMPILER.encode())
    os.mkdir("tools folder")
    running.run(compiler, "-o", "tools folder/glslangValidator.exe", "compiler.c")
    os.environ["WINEPATH"] = "Z:" + os.path.abspath("tools folder").replace("/", "\\")


def test_compilers_are_run():
    make_compiler()
    module("made")
    write("lit.frag", b"#version 460\nvoid main() {}\n")
    macros = ['-DA="x y"', "-DB=\\\\", "-DC=a\\"]
    bind("lit.frag", *macros, "-Iinclude folder/", "-o", "o.spv")
    said = read("arguments").decode().splitlines()
    assert [a for a in said if a[:2] == "-D" and a != "-D"] == macros and "-Iinclude folder/" in said, said
    assert len(read("o.spv")) > 100
    folder = re.search(r"^(.*)/", said[said.index("-o") + 1])[1]
    assert "spirv-bind." in folder
    os.environ["REFUSE"] = "1"
    try:
        done = bind("lit.frag", "-o", "p.spv", expect=1)
    finally:
        del os.environ["REFUSE"]
    assert "nothing is right" in done.stderr and not os.path.exists("p.spv")


def test_a_compiler_without_end_is_stopped():
    make_compiler()  # there is no file "made"
    write("lit.frag", b"#version 460\nvoid main() {}\n")
    done = bind("lit.frag", "-o", "o.spv", expect=1)
    assert "messages are longer than 1 MiB" in done.stderr, done.stderr[:300]


def test_a_missing_compiler_is_reported():
    write("lit.frag", b"#version 460\nvoid main() {}\n")
    os.environ.pop("WINEPATH", None)
    done = bind("lit.frag", "-o", "o.spv", expect=4)
    assert "neither glslangValidator nor glslc is in PATH" in done.stderr


if __name__ == "__main__":
    running.main(globals())
