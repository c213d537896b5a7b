# SPDX-License-Identifier: Apache-2.0
"""The plug-in entry of the shared library, loaded at run time by a C program, a Python module, and adapters for
Magnum's shader converter and SDL_shadercross' compile step (examples/plugin, python, adapters). Only installed files
are used. Results are compared with the command's, and keys must change with everything that results depend on, and with
nothing else.

    plugin.py --build FOLDER --bind BIND"""
import argparse
import os
import re
import shutil
import sys
import tempfile

import newcomers
import running
from running import ROOT, Failure, bind, read, run, write

EXAMPLES = os.path.join(ROOT, "examples")
LIBRARY = None
INCLUDE = None


def policy(folder, binding=3, name="engine.policy"):
    os.makedirs(folder, exist_ok=True)
    return write(os.path.join(folder, name), "place name=albedo -> binding=%d\n" % binding)


def host(folder):
    program = os.path.join(folder, "host")
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE,
        os.path.join(EXAMPLES, "plugin", "host.c"), "-o", program)  # without -lspirv-bind
    if any("spirv" in name for name in newcomers.needed(program)):
        raise Failure("it is linked with the library")
    return program


def test_a_host_in_c_does_what_the_command_does(folder):
    program, module = host(folder), newcomers.shader(folder)
    out, lock = os.path.join(folder, "out.spv"), write(os.path.join(folder, "a.lock"), "lock version=1\n")
    rules = policy(folder)
    options = ["policy=option default-set=2", "profile=" + rules, "lock=" + lock, "update-lock", "strip-debug=1"]
    said = run(program, LIBRARY, out, module, *options).stdout.splitlines()
    bind(module, "-o", os.path.join(folder, "expected.spv"), *("--" + o for o in options[:4]), "--strip-debug")
    if read(out) != read(os.path.join(folder, "expected.spv")):
        raise Failure("the module is not the command's")
    version = run(running.BIND, "--version").stdout.split()
    if said[1] != "%s %s %s" % (version[1], version[3], version[6]) or said[2:] != [rules, lock, module]:
        raise Failure("\n".join(said))
    for wrong, text in (("nonsense", "unknown option"), ("rebind=none", "missing, conflicts, all or"),
                        ("rules", "a value"), ("heap-set=-1", "a number"), ("heap-set=4294967296", "a number"),
                        ("prune=2", "1, 0 or no value"),
                        ("profile=missing", "no such file"), ("lock=missing", "no such file"),
                        ("resolver=" + rules, "not SPIR-V"), ("target-env=vulkan9", "vulkan1.0")):
        done = run(program, LIBRARY, out, module, wrong, expect=1)
        if text not in done.stderr:
            raise Failure("%s: %s" % (wrong, done.stderr))
    run(program, LIBRARY, out, module, "lock=missing", "update-lock")
    run(program, LIBRARY, out, os.path.join(folder, "missing.spv"), expect=1)
    run(program, LIBRARY, out, rules, expect=1)


FIXTURE = "lower-handles/separate.spvasm"


def test_options_whose_values_have_parts(folder):
    """Each changes the result like the command's option; values that the command refuses are refused."""
    program, out = host(folder), os.path.join(folder, "out.spv")
    module = os.path.join(folder, "handles.spv")
    run("spirv-as", "--target-env", "spv1.3", os.path.join(running.FIXTURES, FIXTURE), "-o", module)
    results = set()
    for options in ([], ["heap=texture=5.6"], ["heap=texture=5.6", "heap=texture=5.7"],
                    ["instrument-handles=6.0"], ["heap-model=descriptor-heap"],
                    ["heap-model=descriptor-heap", "heap-stride=64,32"],
                    ["heap-model=descriptor-heap", "heap-stride=unified", "spec=0x3=-7"]):
        options.append("validate=none")
        run(program, LIBRARY, out, module, *options)
        bind("-q", module, "-o", os.path.join(folder, "expected.spv"), *("--" + o for o in options))
        if read(out) != read(os.path.join(folder, "expected.spv")):
            raise Failure("not what the command writes with %s" % options)
        results.add(read(out))
    if len(results) != 7:
        raise Failure("%d of 7 sets of options differ" % len(results))
    for wrong in ("heap=texture", "heap=nothing=1.2", "heap=texture=1", "heap=texture=1.4294967296",
                  "heap=texture=1.2x", "heap=", "heap-stride=5", "heap-stride=0", "heap-stride=65540",
                  "heap-stride=size,", "heap-stride=unifiedx", "instrument-handles=1", "instrument-handles=.1",
                  "spec=1", "spec=x=1", "spec=1=0x", "spec=1=-9223372036854775809", "spec=4294967296=1",
                  "spec=1=18446744073709551616"):
        for command in ([program, LIBRARY, out, module, wrong], [running.BIND, module, "-o", out, "--" + wrong]):
            done = run(*command, expect=None)
            if not done.returncode or not {"expected", "empty"} & set(re.split(r"\W", done.stderr)):
                raise Failure("%s: %d %s" % (command, done.returncode, done.stderr))
    for right in ("spec=4294967295=18446744073709551615", "spec=0XfFFFFFFF=0xFFFFFFFFFFFFFFFF",
                  "spec=0=-9223372036854775808", "spec=1=-0x8000000000000000", "heap-stride=65536,4"):
        run(program, LIBRARY, out, module, right, "heap-model=descriptor-heap", "validate=none")


def test_numbers_have_all_their_digits(folder):
    """The lengths of arrays are specialization constants, so the bindings after an array show the value."""
    program, out = host(folder), os.path.join(folder, "out.spv")
    module, expected = os.path.join(folder, "lengths.spv"), os.path.join(folder, "expected.spv")
    run("spirv-as", "--target-env", "spv1.5", os.path.join(running.FIXTURES, "sizes", "spec_lengths.spvasm"), "-o",
        module)
    for value, bits in (("18", "0x12"), ("171", "0xaB"), ("250", "0xFa")):
        options = ["rules=hlsl", "rebind=all", "validate=none"]
        bind("-q", module, "-o", expected, *("--" + o for o in options), "--spec=9=" + value)
        for spec in ("9=" + value, "0x9=" + bits, "0x0000000009=" + bits):
            run(program, LIBRARY, out, module, *options, "spec=" + spec)
            if read(out) != read(expected):
                raise Failure("not what the command writes with --spec=9=%s: %s" % (value, spec))


def test_permissions_accumulate_and_can_be_revoked(folder):
    """A vector across 16 bytes: only scalar layout allows it, whatever else is allowed."""
    program, out = host(folder), os.path.join(folder, "out.spv")
    source, module = os.path.join(folder, "block.comp"), os.path.join(folder, "block.spv")
    write(source, """#version 450
#extension GL_EXT_scalar_block_layout : require
layout(set = 0, binding = 7, scalar) buffer Block { vec2 two; vec3 three; };
void main() { two = three.xy; }
""")
    run("glslangValidator", "-V", "--quiet", source, "-o", module)
    scalar, relaxed = "scalar-block-layout", "relax-block-layout"
    for options, expect in (([], 1), ([relaxed], 1), ([scalar], 0), ([scalar, relaxed], 0), ([relaxed, scalar], 0),
                            ([relaxed, scalar, relaxed + "=0"], 0), ([scalar, relaxed, scalar + "=0"], 1)):
        run(program, LIBRARY, out, module, "rebind=all", *options, expect=expect)


KEYS = """
import os, sys, spirv_bind
calls = []
files = {}
def reading(path):
    calls.append(path)
    return files.get(path)
module = open(sys.argv[1], "rb").read()
files.update({"p": b"place name=albedo -> binding=3\\n", "x/p": b"place name=albedo -> binding=3\\n",
              "q": b"place name=albedo -> binding=4\\n", "m.spv": module, "y/m.spv": module})
def key(path="m.spv", data=None, **settings):
    job = spirv_bind.Job(read=reading, **settings)
    job.add(path, data) if data else job.add_file(path)
    return job.key()
same = [key(profile="p"), key(profile="p"), key(profile="x/p"), key("y/m.spv", profile="p")]
assert len(set(same)) == 1, same
changed = module[:8] + b"\\1" + module[9:]
other = [key(), key(profile="q"), key(profile="p", data=changed), key("m.spv", rebind="all"),
         key(rebind="all", prune=True), key(auto_binding=1), key(policy=["place name=a -> set=1"]),
         key(spec="1=2"), key(spec=["1=2", "2=2"]), key(heap="sampler=1.2"), key(heap_stride="64"),
         key(instrument_handles="1.2")]
assert len(set(same + other)) == 13, other
assert set(calls) == {"p", "q", "x/p", "m.spv", "y/m.spv"}

job = spirv_bind.Job(read=reading, profile="p", lock="no", update_lock=True)
job.add("m.spv", module)
job.key()
before = len(calls)
(bound,) = job.run()
assert len(calls) == before, "a file is read again"
assert job.dependencies() == ["p", "no"], job.dependencies()
assert job.layout()["sets"][0]["bindings"][0]["binding"] == 3 and "resource albedo" in job.lock()
open(sys.argv[2], "wb").write(bound)
for late in (lambda: job.add("n.spv", module), lambda: job.run(),
             lambda: job._check(spirv_bind._plugin.set(job._job, b"prune", b"1"))):
    try:
        late()
        raise SystemExit("too late, and not refused")
    except spirv_bind.Error:
        pass
try:
    spirv_bind.Job(read=reading, profile="none").key()
    raise SystemExit("no file, and no error")
except spirv_bind.Error as e:
    assert "none: the host has no such file" in str(e), e
assert len(spirv_bind.tool()) == 3
print(*spirv_bind.options(), sep="\\n")
"""


COMPILING = """
import os, sys, spirv_bind
folder, shader, out = sys.argv[1:]
os.chdir(folder)
def job(**settings):
    job = spirv_bind.Job(compile=spirv_bind.compile_glsl, auto_binding=65534, resolver="r.glsl", **settings)
    job.add_file(shader)
    return job
first = job()
key = first.key()
(bound,) = first.run()
open(out, "wb").write(bound)
assert [os.path.basename(f) for f in first.dependencies()] == ["r.glsl", "mask.glsl", shader, "handles.glsl"], \\
    first.dependencies()
assert job().key() == key
for name in ("mask.glsl", "handles.glsl"):
    text = open(name).read()
    open(name, "w").write(text + "// of no consequence\\n")
    assert job().key() != key, name + " is in no key"
    open(name, "w").write(text)
assert job().key() == key
open("mask.glsl", "w").write("#define MASK oops\\n")
try:
    job().key()
    raise SystemExit("no GLSL, and no error")
except spirv_bind.Error as e:
    assert "r.glsl:4: 'oops' : undeclared" in str(e) and "r.glsl: the host cannot compile it" in str(e), e
"""


def test_a_host_compiles_resolvers_and_shaders(folder):
    """The result equals the command's, and included files affect the key."""
    env = python(folder)
    write(os.path.join(folder, "mask.glsl"), "#define MASK 0xFFFFu\n")
    shutil.copy(os.path.join(ROOT, "include/glsl/descriptor_handle.glsl"), os.path.join(folder, "handles.glsl"))
    resolver = write(os.path.join(folder, "r.glsl"),
                     '#version 460\n#extension GL_GOOGLE_include_directive : require\n#include "mask.glsl"\n'
                     "uint getDescriptorIndexFromHandle(uvec2 handle) { return handle.x & MASK; }\n")
    shader = write(os.path.join(folder, "lit.frag"), '''#version 460
#extension GL_GOOGLE_include_directive : require
#include "handles.glsl"
layout(binding = 65534) uniform Material { DescriptorHandle albedo, smp; };
layout(location = 0) out vec4 color;
void main() { color = texture(sampler2D(handle_texture2D(albedo), handle_sampler(smp)), vec2(0.5)); }
''')
    out, expected = os.path.join(folder, "out.spv"), os.path.join(folder, "expected.spv")
    bind("-q", "--auto-binding=65534", "--target-env=vulkan1.1", "--resolver=" + resolver, shader, "-o", expected)
    run(sys.executable, "-c", COMPILING, folder, "lit.frag", out, env=env)
    listed = [run("spirv-dis", "--no-header", path).stdout.split("OpSource ")[-1].split("OpName", 1)[1]
              for path in (out, expected)]
    if "OpBitwiseAnd" not in listed[0] or listed[0] != listed[1]:
        raise Failure("the module is not the command's")


def python(folder):
    """The folder of a wheel, with the library in it."""
    shutil.copytree(os.path.join(EXAMPLES, "python"), os.path.join(folder, "python"))
    shutil.copy(LIBRARY, os.path.join(folder, "python", "spirv_bind", "libspirv-bind.so"))
    return dict(os.environ, PYTHONPATH=os.path.join(folder, "python"), PYTHONDONTWRITEBYTECODE="1")


MODES = """
import sys, spirv_bind
module = open(sys.argv[1], "rb").read()
def said(data, mode):
    job = spirv_bind.Job(mode=mode)
    job.add("m.spv", data)
    try:
        return job.run()
    except spirv_bind.Error as e:
        return e.status, str(e)
(bound,) = said(module, "bind")
status, text = said(module, "check")
assert status == -9 and text.startswith("m.spv: not in its final form"), (status, text)
assert said(bound, "check") == [bound]
status, text = said(open(sys.argv[2], "rb").read(), "lint")
assert status == -8 and "nonuniformEXT" in text, (status, text)
"""


def test_python_checks_and_lints(folder):
    module, source = newcomers.shader(folder), os.path.join(folder, "lint.frag")
    write(source, """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform sampler2D textures[];
layout(location = 0) flat in int which;
layout(location = 0) out vec4 color;
void main() { color = texture(textures[which], vec2(0)); }
""")
    run("glslangValidator", "-V", "--quiet", source, "-o", source + ".spv")
    run(sys.executable, "-c", MODES, module, source + ".spv", env=python(folder))


def test_python_keys_files_and_results(folder):
    module, out = newcomers.shader(folder), os.path.join(folder, "out.spv")
    said = run(sys.executable, "-c", KEYS, module, out, env=python(folder)).stdout.split()
    bind(module, "-o", os.path.join(folder, "expected.spv"), "--profile=" + policy(folder))
    if read(out) != read(os.path.join(folder, "expected.spv")):
        raise Failure("the module is not the command's")
    check_options(said)


# Options about files of the command.
ELSEWHERE = {"import", "locked", "baseline", "record-options"}
# Options of the plug-in that are verbs of the command, and one that is a letter there.
VERBS, LETTERS = {"doctor", "only"}, {"entry"}


def check_options(listed):
    """Every option of the command that affects modules is an option of the plug-in, or listed here."""
    groups = ("layout", "locks", "handles", "samplers", "uniformity", "validation")
    table = [line.split("\t") for verb in ("bind", "lint") for line in bind(verb, "--help=table").stdout.splitlines()]
    command = {row[0][2:] for row in table if set(row) & set(groups) and row[0][1] == "-"}
    found = command - set(listed) - ELSEWHERE
    gone = set(listed) - {row[0][2:] for row in table} - VERBS - LETTERS - {"mode"}
    if found or gone or not command:
        raise Failure("not in src/lib/options/option.c: %s; not of the command: %s" %
                      (sorted(found), sorted(gone)))


MAGNUM = """
#include "magnum_converter.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
using namespace Magnum;
static std::string rules = "place name=albedo -> binding=7\\n";
int main(int, char **argv) {
    auto get = reinterpret_cast<spb_plugin_get_fn>(dlsym(dlopen(argv[1], RTLD_NOW), "spb_plugin_get"));
    SpirvBind::Converter converter{*get(SPB_PLUGIN_VERSION)};
    converter.options = {{"profile", "engine.policy"}};
    std::ifstream in{argv[2], std::ios::binary};
    std::string data{std::istreambuf_iterator<char>{in}, {}};
    Containers::ArrayView<const char> view{data.data(), data.size()};
    if (converter.convertDataToData(ShaderTools::Stage::Fragment, view))
        return 2; // no callback, no file
    converter.setInputFileCallback([](const std::string &name, InputFileCallbackPolicy, void *user) {
        ++*static_cast<int *>(user);
        return name == "engine.policy" ? Containers::Optional<Containers::ArrayView<const char>>{
            {rules.data(), rules.size()}} : Containers::Optional<Containers::ArrayView<const char>>{};
    }, new int{0});
    auto out = converter.convertDataToData(ShaderTools::Stage::Fragment, view);
    if (!out)
        return 3;
    std::ofstream{argv[3], std::ios::binary}.write(out->data(), std::streamsize(out->size()));
}
"""


def test_the_magnum_converter(folder):
    program, main = os.path.join(folder, "converter"), write(os.path.join(folder, "main.cpp"), MAGNUM)
    adapters = os.path.join(EXAMPLES, "adapters")
    run("c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE, "-I", adapters, "-I",
        os.path.join(adapters, "stand-in"), main, os.path.join(adapters, "magnum_converter.cpp"), "-o", program)
    module, out = newcomers.shader(folder), os.path.join(folder, "out.spv")
    done = run(program, LIBRARY, module, out)
    if "ShaderTools::SpirvBind: engine.policy: the host has no such file" not in done.stderr:
        raise Failure(done.stderr)
    bind(module, "-o", os.path.join(folder, "expected.spv"), "--profile=" + policy(folder, 7))
    if read(out) != read(os.path.join(folder, "expected.spv")):
        raise Failure("the module is not the command's")


SHADERCROSS = """
#include "shadercross_bind.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static void print_message(void *user, const spb_message *m) { (void)user; fprintf(stderr, "%s\\n", m->text); }
int main(int argc, char **argv) {
	static Uint8 bytes[65536];
	void *symbol = dlsym(dlopen(argv[1], RTLD_NOW), "spb_plugin_get");
	spb_plugin_get_fn get;
	const spb_plugin_host host = {.struct_size = sizeof host, .message = print_message};
	SDL_ShaderCross_SPIRV_Info info = {.bytecode = bytes, .entrypoint = argc > 4 ? argv[4] : "main"};
	FILE *in = fopen(argv[2], "rb");
	size_t size;
	memcpy(&get, &symbol, sizeof get);
	info.bytecode_size = fread(bytes, 1, sizeof bytes, in);
	void *made = shadercross_bind(get(SPB_PLUGIN_VERSION), &host, &info, &size);
	return !made || fwrite(made, 1, size, fopen(argv[3], "wb")) != size;
}
"""


def test_the_sdl_shadercross_step(folder):
    program, main = os.path.join(folder, "step"), write(os.path.join(folder, "main.c"), SHADERCROSS)
    adapters = os.path.join(EXAMPLES, "adapters")
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE, "-I", adapters, "-I",
        os.path.join(adapters, "stand-in"), main, os.path.join(adapters, "shadercross_bind.c"), "-o", program)
    module, out = newcomers.shader(folder), os.path.join(folder, "out.spv")
    run(program, LIBRARY, module, out)
    table = bind("layout", out, ).stdout
    if table.splitlines()[1].split()[:2] != ["2", "0"]:  # SDL_CreateGPUShader: fragment shaders, set 2
        raise Failure(table)
    if "other" not in run(program, LIBRARY, module, out, "other", expect=1).stderr:
        raise Failure("an entry point that is not there is not named")


def test_versions_and_structs(folder):
    """A version that the library does not have gives no table; a host that is smaller, or too small, is judged by its
    size; no call crashes without a job or without memory at any point."""
    source = write(os.path.join(folder, "main.c"), r"""
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <spirv-bind/plugin.h>
static uint32_t words[65536];
static size_t count;
struct limits { int left, lent; size_t bytes; };
static void *resize(void *user, void *p, size_t old_size, size_t new_size)
{
	struct limits *l = user;
	if (!new_size) { free(p); l->bytes -= old_size; return NULL; }
	if (l->left-- <= 0) return NULL;
	void *q = realloc(p, new_size);
	if (q) l->bytes += new_size - (p ? old_size : 0);
	return q;
}
static bool give(void *user, const char *path, const void **bytes, size_t *size)
{
	((struct limits *)user)->lent += path[0] == 'p';
	*bytes = "place name=albedo -> binding=3\n", *size = 31;
	return path[0] == 'p';
}
static bool compile(void *user, const char *path, const void *source, size_t size, bool is_resolver,
                    spb_plugin_compiled *to)
{
	static const char *const files[] = {"p", "not there", "policy", "p2"};
	assert(path[0] == 'p' && source && size == 31 && !is_resolver && !to->words && !to->file_count);
	((struct limits *)user)->lent++;
	*to = (spb_plugin_compiled){words, 4 * count, files, 4};
	return true;
}
static void take(void *user, const void *bytes, size_t size)
{
	assert(size == (bytes == words ? 4 * count : 31));
	((struct limits *)user)->lent--;
}
int main(int argc, char **argv)
{
	size_t length;
	count = fread(words, 4, 65536, fopen(argv[argc - 1], "rb"));
	const spb_plugin *p = spb_plugin_get(SPB_PLUGIN_VERSION);
	spb_job *job;
	spb_plugin_host host = {.struct_size = sizeof host};
	assert(p && !spb_plugin_get(0) && !spb_plugin_get(SPB_PLUGIN_VERSION + 1) && p->struct_size == sizeof *p);
	assert(p->create(NULL, &job) && p->create(&host, NULL));
	host.struct_size = 0;
	assert(p->create(&host, &job));
	host.struct_size = offsetof(spb_plugin_host, read); /* the host of a younger version may know less */
	host.read = give;
	assert(!p->create(&host, &job) && !p->set(job, "profile", "p") && !p->key(job));
	p->destroy(job);
	host.struct_size = sizeof host;
	assert(p->create(&host, &job)); /* read without release */
	p->destroy(NULL);
	assert(p->set(NULL, "prune", NULL) && p->add(NULL, "", words, 1, 0) && p->run(NULL) && !p->key(NULL));
	assert(!p->module(NULL, 0, &length) && !p->text(NULL, 0, "x", &length) && !p->dependency(NULL, 0));
	host.release = take;
	assert(!p->create(&host, &job));
	assert(p->text(job, SPB_TEXT_LAYOUT_HEADER, NULL, NULL) == NULL && !p->module(job, 0, NULL));
	assert(p->set(job, NULL, NULL) && p->add(job, "m", NULL, 4, 0) && p->add(job, "m", words, (size_t)-1, 0));
	p->destroy(job);
	struct limits l = {0};
	const spb_allocator allocator = {resize, &l};
	bool done = false;
	host.user = &l, host.allocator = &allocator, host.compile = compile;
	for (int most = 0; !done && most < 2000; most++) {
		l.left = most;
		if (p->create(&host, &job))
			continue;
		done = !p->set(job, "profile", "p") && !p->set(job, "policy", "place name=x -> set=1") &&
		       !p->add(job, "m", words, count, 0) && !p->add_file(job, "pixels", 0) && p->key(job) &&
		       !p->run(job) && p->text(job, 0, NULL, NULL) && p->dependency(job, 4) && !p->dependency(job, 5);
		p->destroy(job);
		assert(!l.bytes && !l.lent);
	}
	return !done;
}
""")
    program = os.path.join(folder, "main")
    run("cc", "-std=c11", "-I", INCLUDE, source, LIBRARY, "-o", program)
    run(program, newcomers.shader(folder), env=dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(LIBRARY)))


def main():
    global LIBRARY, INCLUDE
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--bind", required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    running.BIND = args.bind
    failed, count = [], 0
    with tempfile.TemporaryDirectory(prefix="spb-plugin-") as folder:
        newcomers.PREFIX = os.path.join(folder, "prefix")
        run("cmake", "--install", args.build, "--prefix", newcomers.PREFIX)
        LIBRARY = newcomers.installed("lib", "libspirv-bind.so.0.1")
        INCLUDE = newcomers.installed("include")
        for name, function in sorted(globals().items()):
            if not name.startswith("test_") or args.only not in name:
                continue
            count += 1
            os.mkdir(os.path.join(folder, name))
            try:
                function(os.path.join(folder, name))
            except Failure as error:
                failed.append("%s: %s" % (name, error))
    print("\n".join(failed + ["%d tests, %d failed" % (count, len(failed))]))
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
