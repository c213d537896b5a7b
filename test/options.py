# SPDX-License-Identifier: Apache-2.0
"""The table of options: generated files are up to date, and README, docs and man page agree with it.

    options.py --bind B [--only WORD]
"""
import functools
import glob
import os
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import ROOT, bind, read_text as read, run, spirv_as, write  # noqa: E402
from cli import MODULE as PLAIN  # noqa: E402

MODULE = PLAIN.replace("NAME", "v").replace("DECORATIONS", "")
RESOLVER = """OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %f LinkageAttributes "getDescriptorIndexFromHandle" Export
%uint = OpTypeInt 32 0
%v2 = OpTypeVector %uint 2
%fn = OpTypeFunction %uint %v2
%f = OpFunction %uint None %fn
%h = OpFunctionParameter %v2
%label = OpLabel
%x = OpCompositeExtract %uint %h 0
OpReturnValue %x
OpFunctionEnd
"""
REFUSE_HERE = {"--merge-combined"}  # which the module has no textures for
GROUPS = "output batch layout locks handles samplers uniformity validation general debug".split()
# In a command, an option belongs to the program named last before it.
PROGRAM = re.compile(r"\b(spirv-[a-z]+|pkg-config|glslangValidator|glslc|dxc|slangc|cmake|ctest|python3|bazel|valgrind|"
                     r"buildbox-[a-z]+|[\w/]+\.(?:py|sh))\b")
FOREIGN = {"--amb", "--descriptor-scalar-replacement", "--strip-debug", "--hlsl-iomap", "--shift-texture-binding",
           "--shift-sampler-binding", "--shift-image-binding", "--shift-ssbo-binding"}  # named without their program


@functools.lru_cache(1)
def verbs():
    return bind("--help=verbs").stdout.splitlines()


class Option:
    def __init__(self, line):
        self.name, self.short, self.value, optional, words, self.group = line.split("\t")
        self.optional, self.words = bool(optional), words.split()


@functools.lru_cache(None)
def taken(verb):
    """The options that a verb takes, by name."""
    lines = bind(*verb.split(), "--help=table").stdout.splitlines()
    return {o.name: o for o in map(Option, lines)}


def verb_with(o):
    """Words of the first verb that takes the option."""
    return next(v.split() for v in verbs() if o.name in taken(v))


def table():
    """For all verbs: the row of bind takes precedence."""
    found = {}
    for verb in verbs():
        for name, o in taken(verb).items():
            found.setdefault(name, o)
    return found


def named(text):
    """Options of spirv-bind as a text names them: (name, value or None)."""
    for line in text.replace("\\\n", " ").splitlines():
        for m in re.finditer(r"(?<![\w-])(--[a-z][a-z-]*[a-z])(?:=([\w,.|-]+))?", line):
            programs = PROGRAM.findall(line[:m.start()])
            if (not programs or programs[-1] == "spirv-bind") and m[1] not in FOREIGN:
                yield m[1], m[2]


def agrees(text, options):
    """Statements of a text that are not in the table."""
    for name, value in named(text):
        if name not in options:
            yield "%s is not an option; if it is another program's, name that before it" % name
            continue
        o = options[name]
        if value and not o.value and value not in ("0", "1"):
            yield "%s takes no value: %s" % (name, value)
        elif value and o.words and not o.words[0].endswith("=") and "FILE" not in o.value and not value.isupper():
            for word in [value] if value in o.words else re.split("," if o.name == "--host-features" else "[|]",
                                                                         value.rstrip(".,")):
                if word not in o.words:
                    yield "%s has no value %s" % (name, word)


def test_generated_files_are_up_to_date():
    done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts/gen_cli.py"), "--check", "--bind", running.BIND],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_readme_and_docs_name_options_that_exist():
    pages = [os.path.join(ROOT, "README.md"), *glob.glob(os.path.join(ROOT, "docs/*.md"))]
    options, wrong = table(), []
    assert sum(1 for page in pages for name, _ in named(read(page)) if name in options) > 20
    for page in pages:
        wrong += ["%s: %s" % (os.path.relpath(page, ROOT), what) for what in agrees(read(page), options)]
    assert not wrong, "\n".join(wrong)


def test_the_check_of_documents_finds_errors():
    options = table()
    for text in ("`--ruels=hlsl`", "--rules=metal", "say --locked=yes", "--heap-model=typed|mutated",
                 "--waterfall=some", "glslc -O x && spirv-bind --ruels=hlsl"):
        assert list(agrees(text, options)), text
    for text in ("`--rules=hlsl`.", "--heap-model=typed|mutable", "--rebind=all,sets", "--heap=texture=7.4",
                 "--profile=FILE", "--waterfall=lengths,", "--place=GLOB=SET.BINDING", "a -- b", "x--y",
                 "`spirv-opt --ruels`"):
        assert not list(agrees(text, options)), (text, list(agrees(text, options)))


def test_the_man_page_names_options_that_exist():
    page = read(os.path.join(ROOT, "src/cli/spirv-bind.1")).replace("\\-", "-")
    page = re.sub(r"\\f[BIR]", "", page)
    wrong = list(agrees(page, table()))
    assert not wrong, wrong


def test_the_help_of_a_verb_is_short_and_help_all_has_the_rest():
    for verb in verbs():
        text = bind(*verb.split(), "--help").stdout
        assert max(map(len, text.splitlines())) <= 80 and len(text.splitlines()) <= 40, verb
        assert re.match(r"Usage: spirv-bind \[?%s" % verb.split()[0], text), text
        everything = bind(*verb.split(), "--help=all").stdout
        for name in taken(verb):
            assert re.search(r"(?m)^(-\w, )?%s($|[ =\[])" % re.escape(name), everything), (verb, name)
        for name in re.findall(r"(?m)^  (?:-\w, )?(--?[\w-]+)", text):
            assert name in taken(verb), (verb, name)


def test_a_topic_is_a_group_or_an_option():
    everything = bind("--help=all").stdout
    options = {o.name: o for o in map(Option, bind("--help=table").stdout.splitlines())}
    assert {o.group for o in options.values()} == set(GROUPS)
    for group in GROUPS:
        text = bind("--help=" + group).stdout
        for o in options.values():
            assert bool(re.search(r"(?m)^(-\w, )?%s\b" % re.escape(o.name),
                                  text)) == (o.group == group) or o.name in text, (group, o.name)
        assert text.split("\n", 2)[2] in everything
    for o in options.values():
        for topic in {o.name, o.name.lstrip("-")} - set(GROUPS):
            text = bind("--help=" + topic).stdout
            assert o.name in text.splitlines()[0] and text.startswith("-") and text in everything, topic
            assert max(map(len, text.splitlines())) <= 80
            for word in o.words:
                assert re.search(r"\b%s\b" % re.escape(word.rstrip("=")), text), (topic, word)
    done = bind("--help=nothing", expect=2)
    assert all(group in done.stderr for group in GROUPS) and not done.stdout


def test_every_option_is_read_as_declared():
    for o in table().values():
        if o.name in ("--help", "--version"):
            continue
        verb = verb_with(o)
        if not o.value and o.name[1] == "-":
            stderr = bind(*verb, o.name + "=x", expect=2).stderr
            assert o.name + " takes no value" in stderr or o.name + ": expected 1, 0 or no value" in stderr, stderr
        if o.value and not o.optional:
            assert "%s needs a value" % o.name in bind(*verb, o.name, expect=2).stderr
        if o.value:
            assert "%s: empty value" % o.name in bind(*verb, *([o.name + "="] if o.name[1] == "-" else [o.name, ""]),
                                                      expect=2).stderr
        if o.words and "FILE" not in o.value:
            long = o.name[1] == "-"
            stderr = bind(*verb, *([o.name + "=nonsense"] if long else [o.name, "nonsense"]), expect=2).stderr
            some = ["none", "roadmap2022"] if o.name == "--host-features" else o.words  # it has too many
            assert all(word.rstrip("=") in stderr for word in some) and '"nonsense"' in stderr, stderr
            for word in o.words:
                if not word.endswith("="):
                    said = bind(*verb, o.name + ("=" if long else "") + word, "--no-such-option", expect=2).stderr
                    assert "expected" not in said, (o.name, word)


# Verbs: which of them takes an option, as the design of the command says; P: pass, which is for work on the tool.

LETTERS = {"b": ["bind"], "c": ["check"], "l": ["lint"], "y": ["layout"], "e": ["explain"],
           "k": ["lock check", "lock update", "lock part"], "f": ["collect", "decide"], "d": ["decide"], "P": ["pass"],
           "M": ["lock merge"], "p": ["lock part"], "o": ["collect"]}
TAKEN = {
    "bclyekfPM": "--diagnostics --color -q -v --version --help",
    "bclyekfP": """-m --each --programs -I -D -S -e --target-env --import --spec -j --fail-fast --progress --cache
        --depfile --stamp --rules --rebind --order --auto-binding --policy --profile --shift --place --unused
        --allow-overlap --heap-model --heap-set --heap --heap-size --heap-stride --combined --bounds-check
        --instrument-handles --resolver --lower-buffer-references --split-combined --merge-combined""",
    "bcyeP": "--nonuniform --prune --waterfall --check-assertions --host-features",
    "bclyeP": "--uniform-scope --distrust-uniform --assume-aliased-references",
    "bcl": "--lint --suppress --baseline",
    "l": "--ycbcr",
    "by": "--layout-header --layout-glsl",
    "byd": "--layout-json --report --accesses --locked",
    "bcyd": "--against",
    "bcyekfP": "--lock",  # the lint places nothing
    "b": "--update-lock",
    "e": "--name",
    "bopP": "-o",
    "bP": "--out-dir --base --words --record-options --dump-after",
    "bcP": "--strip-debug",
    "bc": """--validate --allow-unvalidated --relax-block-layout --uniform-buffer-standard-layout --scalar-block-layout
        --workgroup-scalar-block-layout --allow-localsizeid""",
    "bclop": "--shard",
}
# A value of each kind that makes sense for the module below, and what else the option needs.
VALUES = {"-I": ".", "-D": "X", "-S": "frag", "-e": "main", "-j": "2", "--spec": "7=1", "--auto-binding": "77",
          "--policy": "place name=nothing -> set=3", "--profile": "dx12-shifts", "--shift": "t=10",
          "--place": "v=0.9", "--heap-set": "3", "--heap": "texture=5.5", "--heap-stride": "size",
          "--heap-size": "16:3", "--instrument-handles": "6.0", "--lower-buffer-references": "*",
          "--merge-combined": "a:b",
          "--suppress": "SPB5001", "--ycbcr": "v", "--name": "v", "--import": "other.spv", "--resolver": "r.spvasm",
          "--dump-after": "assign-bindings", "--diagnostics": "json", "--against": "old.json", "--lock": "v.lock",
          "--baseline": "old.sarif", "--cache": "kept", "--target-env": "vulkan1.2", "--shard": "1/1",
          "--programs": "one", "--host-features": "roadmap2024", "--base": ".", "--lint": "nonuniform=warning"}
NEEDS = {"--heap-stride": ["--heap-model=descriptor-heap", "--allow-unvalidated"], "--bounds-check": ["--heap-size=16"],
         "--base": ["--out-dir=made.dir"],
         "--locked": ["--lock=v.lock"], "--update-lock": ["--lock=v.lock"], "--cache": ["--each"],
         "--programs": ["-mm"], "--shard": ["-mm"], "--suppress": ["--lint"], "--baseline": ["--lint"]}
OUTPUTS = ["-o", "--out-dir", "--layout-json", "--layout-header", "--layout-glsl", "--report", "--depfile", "--stamp",
           "--diagnostics"]


def test_words_are_numbers_of_c():
    """As glslc -mfmt=c and -mfmt=num write them; --out-dir names them for #include."""
    setting("words")
    bind("m.spv", "-o", "plain.spv"), bind("m.spv", "-o", "m.inc", "--words=c")
    words = struct.unpack("<%dI" % (os.path.getsize("plain.spv") // 4), open("plain.spv", "rb").read())
    text = open("m.inc").read()
    assert [int(w, 16) for w in re.findall("0x[0-9a-f]{8}(?=,)", text)] == list(words), text
    assert text.startswith("{\n0x07230203, ") and text.endswith(",\n}\n") and max(map(len, text.split("\n"))) < 100
    assert bind("m.spv", "-o", "-", "--words=num").stdout == text[2:-2]
    bind("m.spv", "--out-dir=texts", "--words=num")
    assert os.listdir("texts") == ["m.inc"]
    open("swapped.spv", "wb").write(struct.pack(">%dI" % len(words), *words))
    assert bind("swapped.spv", "-o", "-", "--words=c").stdout == text


def test_base_keeps_folders():
    setting("base")
    os.makedirs("in/sky"), shutil.copy("m.spv", "in/sky/m.spv"), shutil.copy("other.spv", "in/m.spv")
    bind("in/sky/m.spv", "./in/m.spv", "--allow-overlap", "--rebind=all", "--out-dir=out", "--base=in")
    assert sorted(os.listdir("out")) == ["m.spv", "sky"] and os.listdir("out/sky") == ["m.spv"]
    bind("--each", "in/sky/m.spv", "in/m.spv", "--out-dir=each/of", "--base=./in/")
    assert os.path.exists("each/of/sky/m.spv") and os.path.exists("each/of/m.spv")
    whole = os.path.abspath("in")
    bind("%s/sky/m.spv" % whole, "--out-dir=whole", "--base=" + whole)
    assert os.path.exists("whole/sky/m.spv")
    for path, base in (("m.spv", "in"), ("in/../m.spv", "in"), ("in/m.spv", "i"), (whole + "/m.spv", ".")):
        said = bind(path, "--out-dir=out", "--base=" + base, expect=2).stderr
        assert "error: the input %s is not below --base=%s\n" % (path, base) in said, said
    assert "Add --out-dir=DIR." in bind("m.spv", "-o", "x.spv", "--base=.", expect=2).stderr
    assert "Keep their folders with --base=DIR" in bind("m.spv", "in/m.spv", "--out-dir=out", expect=2).stderr


def test_each_verb_takes_the_options_that_the_design_gives_it():
    wanted = {verb: set() for verb in verbs()}
    for letters, names in TAKEN.items():
        for letter in letters:
            for verb in LETTERS[letter]:
                wanted[verb] |= set(names.split())
    for verb in verbs():
        found = set(taken(verb))
        assert found == wanted[verb], (verb, "taken:", found - wanted[verb], "missing:", wanted[verb] - found)


def setting(folder):
    """Modules, locks and layouts that options can name."""
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    spirv_as(MODULE, "m.spv", "vulkan1.1"), spirv_as(MODULE.replace('"v"', '"w"'), "other.spv", "vulkan1.1")
    bind("m.spv", "-o", "final.spv", "--lock=v.lock", "--update-lock", "--layout-json=old.json")
    bind("lint", "m.spv", "--diagnostics=sarif:old.sarif")
    write("m", "program one: m.spv -o bound.spv\n")
    write("r.spvasm", RESOLVER)


def words_of(o):
    """The option with a value that it takes."""
    if not o.value or (o.optional and o.name not in VALUES):
        return [o.name]
    value = VALUES.get(o.name) or (o.words[0] if o.words else "16" if o.value == "N" else "made.file")
    return [o.name, value] if o.name[1] != "-" else ["%s=%s" % (o.name, value)]


def test_each_reading_option_works_alone():
    """With check, lint, layout and explain, which need no output: no option is refused for what is not given."""
    here = os.getcwd()
    for verb in ("check", "lint", "layout", "explain"):
        setting(os.path.join(here, verb))
        for o in taken(verb).values():
            if o.name in ("--help", "--version", "-m"):
                continue
            more = [w for w in NEEDS.get(o.name, []) if w == "-mm" or w.split("=")[0] in taken(verb)]
            more = [w for w in more if (verb, w) != ("lint", "--lint")]
            inputs = [] if "-mm" in more else ["final.spv"]
            stamp = ["--stamp=made.stamp"] if o.name == "--depfile" else []
            done = bind(verb, *inputs, *words_of(o), *more, *stamp, expect=None)
            assert done.returncode in (0, 1, 3), (verb, words_of(o), done.stderr)
            assert done.returncode != 1 or o.name in REFUSE_HERE, (verb, words_of(o), done.stderr)


def test_what_is_asked_for_is_written_or_refused():
    """Each pair of an output and a verb: whatever ends well has written it."""
    here = os.getcwd()
    for n, verb in enumerate(verbs()):
        setting(os.path.join(here, str(n)))
        for name in OUTPUTS:
            made = "made-%s" % name.strip("-")
            value = {"--diagnostics": "json:" + made}.get(name, made)
            base = {"lock merge": [], "collect": ["-mm"], "decide": ["-mm", "facts", "--lock=new.lock"],
                    "lock part": ["-mm", "--lock=v.lock", "--shard=1/1"], "pass": ["remove-unused", "m.spv"]}
            words = base.get(verb, ["m.spv"]) + (["--lock=v.lock"] if verb in ("lock check", "lock update") else [])
            if verb == "decide":
                bind("collect", "-mm", "-o", "facts")
            for more in ([], ["-o", "out.spv"], ["--stamp=st"] if name != "--stamp" else []):
                option = [name, value] if name == "-o" else ["%s=%s" % (name, value)]
                if os.path.isfile(made):
                    os.remove(made)
                done = bind(*verb.split(), *words, *option, *more, expect=None)
                assert done.returncode or os.path.exists(made), (verb, option, more, done.returncode, done.stderr)


# Completions

PROBE = """source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_spirv_bind
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(*words):
    script = os.path.join(ROOT, "src/cli/completions/spirv-bind.bash")
    done = subprocess.run(["bash", "-c", PROBE, "bash", script, "spirv-bind", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line]


def test_bash_completes_options_and_their_values():
    options = table()
    for verb in verbs():
        found = {c.rstrip("=") for c in completed(*verb.split(), "-")}
        assert found == set(taken(verb)) if " " not in verb else found >= set(taken(verb)), verb
    assert completed("-") == completed("bind", "-")
    assert completed("lo") == ["lock"] or set(completed("l")) == {"lint", "layout", "lock"}
    assert completed("lock", "") == [v.split()[1] for v in verbs() if " " in v]
    assert completed("--nonu") == ["--nonuniform="]
    for o in options.values():
        if o.words and o.name[1] == "-":
            assert sorted(completed(o.name, "=", "")) == sorted(o.words), o.name
            assert sorted(completed(o.name, "=")) == sorted(o.words), o.name
            assert sorted(completed(o.name + "=")) == sorted("%s=%s" % (o.name, w) for w in o.words), o.name
        if o.words and not o.optional:
            assert sorted(completed(o.name, "")) == sorted(o.words), o.name
    assert completed("--waterfall", "l") == []  # that would be an input
    assert completed("--rebind", "=", "al") == ["all", "all,sets"]


def test_bash_completes_files_and_directories():
    os.mkdir("some dir")
    with open("some file", "w"):
        pass
    assert sorted(completed("-o", "so")) == ["some dir", "some file"]
    assert completed("--out-dir", "=", "so") == ["some dir"]
    assert completed("--lock=some f") == ["--lock=some file"]
    assert completed("--auto-binding", "") == []
    assert "some file" in completed("--profile", "=", "so")


running.main(globals())
