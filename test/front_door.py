# SPDX-License-Identifier: Apache-2.0
"""The front door: what somebody meets who has sources, and has not read the manual.

    front_door.py --bind B [--only WORD]"""
import json
import os
import re
import shutil

import running
from running import bind, run, write

PLAIN = "#version 450\n%s\nlayout(location = 0) out vec4 color;\nvoid main() { color = %s; }\n"
HLSL = """cbuffer Camera { float4x4 view; };
Texture2D albedo; SamplerState nearest;
float4 VSMain(float4 p : POSITION) : SV_Position { return mul(p, view); }
float4 PSMain(float2 uv : TEXCOORD0) : SV_Target { return albedo.Sample(nearest, uv); }
"""


def places(*args, **more):
    """{name: (set, binding)}"""
    lines = bind("layout", *args, **more).stdout.splitlines()[1:]
    return {line[45:].strip(): tuple(map(int, line.split()[:2])) for line in lines}


def only(*tools):
    """An environment that has only these compilers."""
    folder = os.path.abspath("only-" + "-".join(tools))
    os.makedirs(folder, exist_ok=True)
    for tool in tools:
        if not os.path.exists(os.path.join(folder, tool)):
            os.symlink(shutil.which(tool, path=running.WITHOUT_KEPT), os.path.join(folder, tool))
    return dict(os.environ, PATH=folder)


BOTH = ("glslangValidator", "glslc")


def test_sources_without_a_number_get_those_of_their_declarations():
    """Whatever is used, and whichever compiler is there; a number that the author gave counts."""
    write("a.vert", "#version 450\nuniform U { vec4 u; };\nvoid main() { gl_Position = u; }\n")
    write("a.frag", PLAIN % ("uniform sampler2D unused;\nuniform sampler2D albedo;\nbuffer L { vec4 l[]; };",
                             "texture(albedo, vec2(0)) + l[1]"))
    write("b.frag", PLAIN % ("uniform sampler2D first;\nlayout(binding = 0) uniform sampler2D fixed_one;\n"
                             "layout(set = 1) uniform sampler2D there;", "texture(first, vec2(0))"))
    for compiler in BOTH:
        env = only(compiler)
        assert places("a.vert", "a.frag", env=env) == {"U": (0, 0), "unused": (0, 1), "albedo": (0, 2), "L": (0, 3)}
        assert places("a.frag", "a.vert", env=env) == {"unused": (0, 0), "albedo": (0, 1), "L": (0, 2), "U": (0, 3)}
        assert places("b.frag", env=env) == {"fixed_one": (0, 0), "first": (0, 1), "there": (1, 0)}
        bind("a.vert", "a.frag", "--out-dir=bound", env=env)
        assert places("bound/a.vert.spv", "bound/a.frag.spv")["L"] == (0, 3)
        bind("check", "bound/a.vert.spv", "bound/a.frag.spv")


def test_hlsl_that_is_named_like_glsl_is_recognized():
    write("lit.frag", "float4 main(float4 p : SV_Position) : SV_Target { return p; }\n")
    write("bad.frag", PLAIN % ("", "x"))
    for compiler in BOTH:
        said = bind("layout", "lit.frag", env=only(compiler), expect=1).stderr
        assert "lit.frag:1:1: note: If this is HLSL, rename it to lit.frag.hlsl: " in said, said
        assert "HLSL" not in bind("layout", "bad.frag", env=only(compiler), expect=1).stderr


def test_glsl_that_includes_without_an_extension_is_compiled_by_glslc():
    """Such sources were written for it. Where only glslangValidator is, its error is followed by what to do."""
    os.mkdir("inc")
    write("inc/part.h", "vec4 see(sampler2D t) { return texture(t, vec2(0)); }\n")
    text = PLAIN % ('#include "part.h"\nuniform sampler2D unused;\nuniform sampler2D albedo;', "see(albedo)")
    write("a.frag", text)
    for tools in (BOTH, ("glslc",)):
        assert places("a.frag", "-Iinc", env=only(*tools)) == {"unused": (0, 0), "albedo": (0, 1)}
    said = bind("layout", "a.frag", "-Iinc", env=only("glslangValidator"), expect=1).stderr
    line = text.splitlines().index('#include "part.h"') + 1
    assert "a.frag:%d:1: error: " % line in said and "a.frag:%d:1: note: Add \"#extension" % line in said, said
    write("a.frag", text.replace("#include", "#extension GL_GOOGLE_include_directive : require\n#include"))
    for compiler in BOTH:
        assert places("a.frag", "-Iinc", env=only(compiler)) == {"unused": (0, 0), "albedo": (0, 1)}
    write("a.frag", text)
    for _ in range(2):  # the key of a cached module is of the compiler that made it
        os.utime("a.frag", (1e9, 1e9)), os.utime("inc/part.h", (1e9, 1e9))
        bind("a.frag", "-Iinc", "--each", "--cache=cache", "--out-dir=made", env=only(*BOTH))
    bind("check", "made/a.frag.spv")


def test_hlsl_is_compiled_for_its_entry_points():
    write("sky.hlsl", HLSL)
    expected = {"Camera": (0, 0), "albedo": (0, 1), "nearest": (0, 2)}
    parts = ["-S", "vert", "-e", "VSMain", "sky.hlsl", "-S", "frag", "-e", "PSMain", "sky.hlsl"]
    for compiler in BOTH:
        assert places(*parts, env=only(compiler)) == expected, compiler
    bind(*parts, "--out-dir=sky")
    assert sorted(os.listdir("sky")) == ["sky.hlsl.frag.spv", "sky.hlsl.vert.spv"]
    assert 'OpEntryPoint Vertex %VSMain "VSMain"' in run("spirv-dis", "sky/sky.hlsl.vert.spv").stdout
    bind(*parts, "-o", "v.spv", "-o", "f.spv")
    shutil.copy("sky.hlsl", "sky.ps.hlsl")
    one = {n: expected[n] for n in ("albedo", "nearest")}  # what its stage does not use keeps its number free
    assert places("sky.ps.hlsl", "-e", "PSMain") == places("-e", "PSMain", "sky.ps.hlsl") == one
    assert places("sky.hlsl", "-Sfrag", "-ePSMain") == one  # behind it, too
    # An input without -e has main, also where another one has a name of its own.
    write("main.vert", "#version 450\nuniform U { vec4 u; };\nvoid main() { gl_Position = u; }\n")
    assert places("main.vert", "-e", "PSMain", "sky.ps.hlsl")["U"] == (0, 0)
    write("m", "options -e PSMain\nprogram a: main.vert -e main -S frag sky.hlsl -e PSMain sky.ps.hlsl\n"
          "program b: sky.ps.hlsl\nprogram c: -S vert -e VSMain sky.hlsl -o c.vert.spv -S frag -ePSMain sky.hlsl\n")
    stderr = bind("-m", "m", "--out-dir=made", expect=2).stderr
    assert "-e PSMain: the entry point of main.vert is main" in stderr, stderr
    write("m", "program b: sky.ps.hlsl -e PSMain\nprogram c: -S vert -e VSMain sky.hlsl -o c.vert.spv -S frag -ePSMain "
          "sky.hlsl\n")
    bind("-m", "m", "--out-dir=made")
    assert sorted(os.listdir("made")) == ["c.vert.spv", "sky.hlsl.frag.spv", "sky.ps.hlsl.spv"]
    for i, stage in enumerate(("vs", "ps")):
        write("x.%s.hlsl" % stage, HLSL.replace(("VSMain", "PSMain")[i], "main"))
    bind("--each=stem", "x.vs.hlsl", "x.ps.hlsl", "--layout-json=%.json", "--out-dir=each")
    assert os.path.exists("x.json"), os.listdir(".")


def test_an_entry_point_that_hlsl_lacks_is_an_error_that_lists_others():
    write("sky.ps.hlsl", HLSL)
    for compiler in BOTH:
        done = bind("sky.ps.hlsl", "-o", "no.spv", env=only(compiler), expect=1)
        assert done.stderr == (
            'sky.ps.hlsl:1:1: error: there is no entry point "main"\n'
            "sky.ps.hlsl:1:1: note: Give the one that is meant with -e: VSMain, PSMain.\n"), done.stderr
        done = bind("sky.ps.hlsl", "-e", "PSmain", "-o", "no.spv", env=only(compiler), expect=1)
        assert 'no entry point "PSmain"' in done.stderr, done.stderr
    assert not os.path.exists("no.spv")


def test_warnings_of_the_compiler_come_with_their_places():
    os.mkdir("inc")
    write("inc/part.h", "\n#extension GL_EXT_no_such_thing : enable\n")
    write("w.frag", PLAIN % ('#extension GL_GOOGLE_include_directive : enable\n#include "part.h"\n'
                             "#extension GL_EXT_nonsense : enable\nuniform U { vec4 u; };", "u"))
    expected = ["inc/part.h:2:1: warning: ", "w.frag:4:1: warning: "]
    for compiler in BOTH:
        done = bind("w.frag", "-Iinc", "-o", "w.spv", env=only(compiler))
        lines = done.stderr.splitlines()
        assert len(lines) == 2 and all(line.startswith(e) for line, e in zip(lines, expected)), lines
        assert "GL_EXT_no_such_thing" in lines[0] and "GL_EXT_nonsense" in lines[1]
    assert not bind("w.frag", "-Iinc", "-q", "-o", "w.spv").stderr
    for verb in ("check", "lint", "layout", "explain"):
        said = bind(verb, "w.frag", "-Iinc", expect=None).stderr
        assert [said.count(e) for e in expected] == [1, 1], said
    messages = [json.loads(line) for line in
                bind("w.frag", "-Iinc", "--diagnostics=json", "-o", "w.spv").stderr.splitlines()]
    assert [(m["severity"], m["line"]) for m in messages] == [("warning", 2), ("warning", 4)], messages
    for _ in range(2):  # also where the program, but never such a module, is kept
        done = bind("--each", "--cache=cache", "w.frag", "-Iinc", "--out-dir=each")
        assert [done.stderr.count(e) for e in expected] == [1, 1], done.stderr
    write("e.frag", PLAIN % ("", "nothing") + "int f() { return nothing; }\n")
    done = bind("e.frag", "w.frag", "-Iinc", "--out-dir=no", expect=1)
    assert re.match(r"e\.frag:4:1: error: 'nothing' : ", done.stderr), done.stderr
    assert "w.frag:4:1: warning: " in done.stderr and "cannot be compiled" not in done.stderr, done.stderr
    assert not os.path.exists("no")


def test_sources_of_one_program_are_compiled_once_with_a_cache():
    """Until one of them changes, or the compiler's options do; what is written is the same."""
    write("a.vert", "#version 450\nuniform U { vec4 u; };\nvoid main() { gl_Position = u; }\n")
    write("a.frag", PLAIN % ("uniform sampler2D t;", "texture(t, vec2(0))"))
    folder = os.path.abspath("counted")
    os.mkdir(folder)
    counted = write(os.path.join(folder, "glslangValidator"), '#!/bin/sh\necho >> "%s/runs"\nexec %s "$@"\n' %
                    (folder, shutil.which("glslangValidator", path=running.WITHOUT_KEPT)))
    os.chmod(counted, 0o755)
    env = dict(os.environ, PATH=folder + os.pathsep + running.WITHOUT_KEPT)

    def runs(*args):
        write(os.path.join(folder, "runs"), "")
        os.utime("a.vert", (1e9, 1e9)), os.utime("a.frag", (1e9, 1e9))  # not edited while it is compiled
        bind(*args, "a.vert", "a.frag", "--cache=cache", env=env)
        return len(running.read_text(os.path.join(folder, "runs")))

    assert [runs("--out-dir=" + to) for to in ("one", "two")] + [runs("check"), runs("check", "-DX")] == [2, 0, 0, 2]
    bind("a.vert", "a.frag", "--out-dir=plain")
    for name in ("a.vert.spv", "a.frag.spv"):
        assert running.read("one/" + name) == running.read("two/" + name) == running.read("plain/" + name)
    write("a.frag", PLAIN % ("uniform sampler2D t;", "texture(t, vec2(1))"))
    assert runs("--out-dir=two") == 1 and running.read("one/a.frag.spv") != running.read("two/a.frag.spv")
    write(counted, '#!/bin/sh\necho >> "%s/runs"\n"%s" "$@"\nfor word do\n[ "$before" != --depfile ] || rm "$word"\n'
          'before=$word\ndone\n' % (folder, shutil.which("glslangValidator", path=running.WITHOUT_KEPT)))
    assert runs("check") == runs("check") == 2  # what the sources include is not known
    os.chmod("cache", 0o777)
    assert "others can write to it" in bind("a.vert", "-o", "no.spv", "--cache=cache", expect=4).stderr


CAPABILITIES = ["SampledImageArrayDynamicIndexing", "SampledImageArrayNonUniformIndexing", "ShaderNonUniform"]
MARKS = """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform sampler2D t[8];
layout(location = 0) flat in int i;
layout(location = 0) out vec4 c;
void main() { c = texture(t[i], vec2(0)); }
"""


def test_check_says_what_would_change_where_and_why():
    running.glslang(write("x.frag", MARKS), "x.spv", "-g")
    done = bind("check", "x.spv", expect=3)
    lines = done.stderr.splitlines()
    assert lines[0] == "x.spv:1:1: error: not in its final form" and not done.stdout, done
    assert lines[2] == ('x.frag:6:1: note: the access to "t" would be marked NonUniform: "i" is an input of each '
                        "invocation (x.frag:6)"), lines
    assert [l.split(", which needs ")[0] for l in lines[3:]] == [
        "x.spv:1:1: note: capability %s would be added" % c for c in CAPABILITIES], lines
    notes = [json.loads(line) for line in bind("check", "--diagnostics=json", "x.spv", expect=3).stderr.splitlines()]
    assert [n["severity"] for n in notes[:2]] == ["error", "note"] and notes[1]["line"] == 6, notes
    bind("x.spv", "-o", "bound.spv")
    done = bind("check", "bound.spv")
    assert done.stdout == done.stderr == ""
    # A source has no final form; all else is asked.
    assert bind("check", "x.frag").stderr == ""
    write("z.frag", "#version 450\nlayout(binding = 0) buffer B { vec4 b; };\nlayout(binding = 0) uniform sampler2D "
          "s;\nlayout(location = 0) out vec4 c;\nvoid main() { c = b + texture(s, vec2(0)); }\n")
    assert "SPB4001" in bind("check", "z.frag", expect=3).stderr
    bind("x.frag", "--lock=l", "--update-lock", "-o", "o.spv")
    write("x2.frag", MARKS.replace(" t[", " other["). replace("(t[", "(other["))
    assert "lock file would change" in bind("check", "x2.frag", "--lock=l", expect=3).stderr


def test_a_capability_alone_is_no_change():
    """What only lacks the capability of an index that varies stays as it was; check names the feature."""
    text = MARKS.replace("in int i;", "in int unused;\nlayout(push_constant) uniform Push { int i; };")
    running.glslang(write("u.frag", text), "u.spv")
    asm = run("spirv-dis", "--raw-id", "u.spv").stdout
    running.spirv_as(re.sub(" *OpCapability SampledImageArrayDynamicIndexing\n", "", asm), "plain.spv", "spv1.0")
    bind("plain.spv", "-o", "out.spv")
    assert running.read("plain.spv") == running.read("out.spv")
    note = bind("check", "plain.spv").stderr
    assert "does not declare SampledImageArrayDynamicIndexing; bind leaves that as it is" in note, note
    assert "because it needs shaderSampledImageArrayDynamicIndexing" in note, note
    bind("plain.spv", "--rebind=all,sets", "--place=t=1.3", "-o", "moved.spv")  # something else changes
    assert "SampledImageArrayDynamicIndexing" in run("spirv-dis", "moved.spv").stdout


def test_lint_beside_bind_and_check():
    """With bind, what it finds keeps anything from being written; the exit status is 3."""
    write("x.frag", MARKS)
    write("fine.frag", MARKS.replace("t[i]", "t[2]"))
    for lint in ("--lint", "--lint=nonuniform"):
        done = bind("x.frag", lint, "-o", "no.spv", expect=3)
        assert done.stderr.count("SPB5001") == 1 and not os.path.exists("no.spv"), done.stderr
        assert "SPB5001" in bind("check", "x.frag", lint, expect=3).stderr
    bind("x.frag", "--lint=barriers", "-o", "yes.spv")
    bind("x.frag", "--lint", "--suppress=SPB5001", "-o", "yes.spv")
    bind("lint", "x.frag", "--diagnostics=sarif:old.sarif", expect=3)
    bind("x.frag", "--lint", "--baseline=old.sarif", "-o", "yes.spv")
    assert "Add --lint" in bind("x.frag", "--baseline=old.sarif", "-o", "no.spv", expect=2).stderr
    bind("fine.frag", "--lint", "-o", "fine.spv")
    bind("check", "fine.spv", "--lint")
    for cache in ([], ["--cache=c"], ["--cache=c"]):  # of many, those without a finding are written
        done = bind("--each", "x.frag", "fine.frag", "--lint", "--out-dir=each", *cache, expect=3)
        assert os.listdir("each") == ["fine.frag.spv"] and done.stderr.count("SPB5001") == 1, done.stderr
    write("m", "program a: x.frag\nprogram b: fine.frag --lint=barriers\n")
    assert bind("-m", "m", "--lint", "--out-dir=made", expect=3).stderr.count("SPB5001") == 1
    write("w.frag", "#version 450\n#extension GL_EXT_nonsense : enable\n" + MARKS.split("\n", 1)[1])
    said = bind("check", "w.frag", "--lint", expect=3).stderr
    assert said.count("GL_EXT_nonsense") == 1, said


FRAGMENT = "#version 450\n%s\nlayout(location = 0) out vec4 color;\nvoid main() { color = %s; }\n"
VERTEX = "#version 450\nuniform U { %s; };\nvoid main() { gl_Position = vec4(%s); }\n"
FILES = {
    "a.vert": VERTEX % ("vec4 u", "u"), "a.frag": FRAGMENT % ("uniform sampler2D t;", "texture(t, vec2(0))"),
    "b.frag": FRAGMENT % ("uniform V { vec4 v; };", "v"),
    "c.comp": "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer P { vec4 p[]; };\n"
              "void main() { p[0] *= 2.0; }\n",
    "c.vert": "#version 450\nlayout(binding = 0) uniform U { mat4 m; };\nvoid main() { gl_Position = m[0]; }\n",
    "sky.hlsl": "Texture2D t : register(t0);\nSamplerState s : register(s0);\n"
                "float4 PSMain(float2 uv : TEXCOORD0) : SV_TARGET { return t.Sample(s, uv); }\n",
    "typo.frag": FRAGMENT % ("uniform sampler2D t;", "textur(t, vec2(0))"),
    "none.frag": "#version 450\nvoid helper() {}\n",
    "sentinel.frag": FRAGMENT % ("layout(binding = 65534) uniform U { vec4 u; };", "u"),
    "clash.frag": FRAGMENT % ("layout(binding = 0) uniform U { vec4 u; };\nlayout(binding = 0) uniform sampler2D s;",
                              "u + texture(s, vec2(0))"),
    "differs.vert": VERTEX % ("float other", "other"), "differs.frag": FRAGMENT % ("uniform U { vec4 u; };", "u"),
    "empty.spv": "", "empty.frag": "", "short.spv": "abc", "text.txt": "hello\n", "page.html": "<html>",
    "swap.bin": "\x7fELF" + 60 * "\0", "a.spvasm": "OpNonsense\n",
    "m.manifest": "program a: a.vert a.frag\n", "bad.manifest": "programm a: a.vert\n",
    "option.manifest": "# all\noptions --ruels=hlsl\nprogram a: a.vert\n",
    "value.manifest": "program a: a.vert\nprogram b: b.frag --order=nme\n",
    "resolver.manifest": "program a: a.vert\nprogram b: b.frag --resolver=none.glsl\n",
    "include.manifest": "program a: a.vert\ninclude none.manifest\n",
    "typo.rsp": "-o x\n--ruels=hlsl\n", "quote.rsp": "-o x\n'--stamp\n' \"--base=y\n", "nested.rsp": "-o x\n@none.rsp",
    "nofile.manifest": "program a: missing.frag\n", "empty.manifest": "", "bad.lock": "not a lock\n",
    "bad.policy": "place nam=x -> set=1\n", "policy2.policy": "place name=t -> set=1 binding=x\n", "old.json": "{}",
    "bad.json": "nope", "old.sarif": "{}"}


# What needs no remedy of ours: a system's reason, and what compilers say.
SELF_EXPLAINED = re.compile(
    r".*: (?:cannot (?:read|write) .*|[^:]*: expected .*; got .*|(?:'|Linking |#version|Invalid Opcode).*)")


def test_likely_mistakes_have_a_place_a_cause_and_a_remedy():
    """Each row of the table: status, first line and remedy. The line begins with the place of what is wrong in a file,
    which $gcc opens, or with the command's name if that is only in the command line; it is one sentence of at most 25
    words."""
    for name, text in FILES.items():
        write(name, text)
    write("sky.frag.hlsl", FILES["sky.hlsl"])
    os.mkdir("folder")
    for source in ("a.vert", "a.frag", "b.frag", "sentinel.frag", "clash.frag", "c.comp", "c.vert"):
        running.glslang(source, source + ".spv", "-g", "--amb")
    bind("a.vert.spv", "a.frag.spv", "--out-dir=bound"), bind("a.frag", "-o", "o.spv", "--lock=a.lock", "--update-lock")
    data = running.read("a.frag.spv")
    write("cut.spv", data[:len(data) // 8 * 4]), write("odd.spv", data[:-1])
    path = os.path.join(running.HERE, "conformance", "mistakes.tsv")
    rows = [line.split("\t") for line in running.read_text(path).splitlines()]
    wrong = []
    for name, words, status, expected, remedy in [row for row in rows if not row[0].startswith("#")]:
        done = bind(*words.split(), expect=None, stdin="")
        lines = done.stderr.splitlines() or [""]
        notes = [line.split(": note: ")[1] for line in lines if ": note: " in line] or [""]
        found = [name, words, str(done.returncode), lines[0], notes[-1]]
        if found != [name, words, status, expected, remedy]:
            wrong.append("\t".join(found))
        place = re.match(r"(?:spirv-bind|<stdin>|(.+?):\d+:\d+): (error|warning|note): (.*?)(?: \[SPB\d+\])?$",
                         lines[0])
        lists = [w for w in words.split() if w.endswith((".manifest", ".rsp")) and os.path.exists(w.lstrip("@"))]
        in_lists = lists and not any(w in lines[0] for w in words.split() if w not in lists)
        if lines[0] and not (place and (not place[1] or os.path.exists(place[1]))):
            wrong.append("no place: " + lines[0])
        elif lines[0] and not place[1] and in_lists:
            wrong.append("what is wrong is in %s, and has no place: %s" % (lists[0], lines[0]))
        elif lines[0] and (len(place[3].split()) > 25 or "; " in place[3].split("; got ")[0]):
            wrong.append("not one short sentence: " + lines[0])
        if done.returncode and not remedy and not SELF_EXPLAINED.fullmatch(lines[0]):
            wrong.append("no remedy: " + lines[0])
    assert len(rows) >= 90 and not wrong, "\n".join(wrong)


if __name__ == "__main__":
    running.main(globals())
