#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One step from source: shaders as people write them, but without a number, are bound in one call.

    one_step.py --bind build/release/spirv-bind [--sources DIR]... [--table]

A program is all files of a folder that have one name and different stages: lit.vert and lit.frag, lit.vert.hlsl and
lit.frag.hlsl. Their sets, bindings and registers are taken out of copies of the whole folder. spirv-bind gets the
copies, writes modules and the layout, and check must find nothing to complain about. What is not bound has one of these
reasons, each of which is looked into, or the test fails:

    front end      it refuses the source, without us as well; counted by its words
    not valid      its module is not valid: it writes HLSL's ray tracing as if it were a stage of graphics, say
    declarations   stages declare one name differently, so without numbers it is ambiguous

--sources, or SPB_SOURCES in the environment: folders of sources, as `git clone` brings them, each counted by itself; at
least 200 programs have to be bound in all. The suite has those of a source package of Debian (scripts/install.sh).
Without any, those of spirv-fixtures and what stands below."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import sys
import tempfile

import running
from running import ROOT, bind, read, run, write

STAGES = {word: stage for stage, words in {
    "vert": "vert vs", "tesc": "tesc tcs hs", "tese": "tese tes ds", "geom": "geom gs", "frag": "frag fs ps",
    "comp": "comp cs", "task": "task as", "mesh": "mesh ms", "rgen": "rgen", "rint": "rint", "rahit": "rahit",
    "rchit": "rchit", "rmiss": "rmiss", "rcall": "rcall"}.items() for word in words.split()}
NUMBERS = [
    (re.compile(r"\b(?:binding|set)\s*=\s*[^,()]*(?:\([^()]*\)[^,()]*)?,\s*(?=[^()]*\))"), ""),
    (re.compile(r",\s*(?:binding|set)\s*=\s*[^,()]*(?:\([^()]*\))?(?=[^()]*\))"), ""),
    (re.compile(r"\blayout\s*\(\s*(?:binding|set)\s*=\s*[^,()]*(?:\([^()]*\))?\s*\)"), ""),
    (re.compile(r"\[\[\s*vk::(?:counter_)?binding\s*\([^()]*\)\s*\]\]"), ""),
    (re.compile(r":\s*register\s*\([^()]*\)"), ""),
]
HEADERS = "-I" + os.path.join(ROOT, "include", "glsl")
SENTINELS = (65534, 4294967294)

OURS = {  # what the fixtures do not have
    "plain.vert": "uniform Camera { mat4 view; };\nvoid main() { gl_Position = view[0]; }\n",
    "plain.frag": "uniform sampler2D albedo, detail;\nbuffer Lights { vec4 lights[]; };\n"
                  "layout(rgba8) uniform image2D target;\nlayout(location = 0) out vec4 color;\n"
                  "void main() { color = texture(detail, vec2(0)) + lights[1] + imageLoad(target, ivec2(0)); }\n",
    "input.frag": "layout(input_attachment_index = 0) uniform subpassInput before;\n"
                  "layout(location = 0) out vec4 color;\nvoid main() { color = subpassLoad(before); }\n",
    "separate.vs": "uniform texture2D t[4];\nuniform sampler s;\nuniform samplerBuffer b;\nuniform isampler2D i;\n"
                   "void main() { gl_Position = textureLod(sampler2D(t[1], s), vec2(0), 0.0) + texelFetch(b, 0); }\n",
    "separate.fs": "uniform sampler s;\nuniform texture2D t[4];\nlayout(location = 0) out vec4 color;\n"
                   "void main() { color = texture(sampler2D(t[2], s), vec2(0)); }\n",
    "image.comp": "layout(local_size_x = 8) in;\nlayout(r32f) uniform image2D to;\nuniform Size { ivec2 size; };\n"
                  "layout(push_constant) uniform Push { int step; };\n"
                  "void main() { imageStore(to, size, vec4(step)); }\n",
    "lit.vs.hlsl": "cbuffer Camera { float4x4 view; };\nfloat4 main(float4 p : POSITION) : SV_Position "
                   "{ return mul(p, view); }\n",
    "lit.ps.hlsl": "Texture2D albedo;\nSamplerState s;\nStructuredBuffer<float4> lights;\ncbuffer Camera "
                   "{ float4x4 view; };\nfloat4 main(float2 uv : TEXCOORD0) : SV_Target "
                   "{ return albedo.Sample(s, uv) * lights[1] * view[0]; }\n",
}


def stage_of(name):
    """(the name of the program, the stage, is it HLSL?), or None."""
    stem, extension = os.path.splitext(name)
    hlsl = extension == ".hlsl"
    if extension in (".glsl", ".hlsl"):
        stem, extension = os.path.splitext(stem)
    return (stem, STAGES[extension[1:]], hlsl) if extension[1:] in STAGES and stem else None


def without_numbers(text):
    for pattern, instead in NUMBERS:
        text = pattern.sub(instead, text)
    return text


def copy_without_numbers(source, target):
    """All files below a folder that are texts and small."""
    for folder, folders, names in os.walk(source):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path) or os.path.getsize(path) > 1 << 20:
                continue
            try:
                text = read(path).decode()
            except UnicodeDecodeError:
                continue
            to = os.path.join(target, os.path.relpath(path, source))
            if "hlsl" in os.path.relpath(folder, source).split(os.sep) and stage_of(name) and "#version" not in text:
                to += "" if to.endswith(".hlsl") else ".hlsl"  # SaschaWillems/Vulkan: shaders/hlsl/pbr/pbr.vert
            os.makedirs(os.path.dirname(to), exist_ok=True)
            write(to, without_numbers(text))


def programs(root):
    """{name: {stage: path}}. Two files of one stage, as lit.vert and lit.vs, are not of one program; a compute shader
    is alone in its pipeline."""
    found = collections.defaultdict(dict)
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            what = stage_of(name)
            if not what:
                continue
            stem, stage, hlsl = what
            key = os.path.join(os.path.relpath(folder, root), stem) + (".hlsl" if hlsl else "")
            if stage == "comp":
                key += ".comp"
            while stage in found[key]:
                key += "'"
            found[key][stage] = os.path.join(folder, name)
    return {name: found[name] for name in sorted(found) if found[name]}


class Outcome:
    def __init__(self, name, kind, words=""):
        self.name, self.kind, self.words = name, kind, words


def accepted(path, stage, env):
    """What the front ends say of a source; "": one takes it. Without us, so that no source is refused by our doing."""
    hlsl = ["-D", "-e", "main"] if path.endswith(".hlsl") else []
    done = run("glslangValidator", "-V", "--amb", "-S", stage, *hlsl, HEADERS, "--target-env", env, path, "-o",
               os.devnull, expect=None)
    lines = [line for line in done.stdout.splitlines() if re.match(r"ERROR: |.*Entry point not found", line)]
    if "GL_GOOGLE_include_directive" in done.stdout and not hlsl:  # glslc needs no extension for #include
        done = run("glslc", "-fauto-bind-uniforms", "-fshader-stage=" + stage, "-x", "glsl", HEADERS,
                   "--target-env=" + env, path, "-o", os.devnull, expect=None)
        lines = [line for line in done.stderr.splitlines() if ": error: " in line]
    return lines[0] if lines else done.stdout if done.returncode else ""


def is_so(kind, said):
    """Whether the reason is that of the input, and both declarations are named."""
    if kind == "not valid":
        errors = re.findall(": error: .*", said)
        return all("the compiled shader is" in e and e.endswith("[SPB6002]") for e in errors)
    return bool(re.search(r'has other members (than in|elsewhere)|is .* here, but .* in ', said))


def attempt(name, stages, folder):
    """Binds one program."""
    newer = any(s[0] == "r" or s in ("mesh", "task") for s in stages)
    env = "vulkan1.3" if newer else "vulkan1.1"
    json_path = os.path.join(folder, "layout.json")
    done = bind(*stages.values(), HEADERS, "--target-env=" + env, "--out-dir=" + folder, "--layout-json=" + json_path,
                expect=None)
    if done.returncode:
        for stage, path in stages.items():
            said = accepted(path, stage, env)
            if said:
                return Outcome(name, "front end", said)
        codes = set(re.findall(r": error: .*\[(SPB\d+)\]$", done.stderr, re.M))
        kind = {frozenset(["SPB6002"]): "not valid", frozenset(["SPB4002"]): "declarations"}.get(frozenset(codes))
        return Outcome(name, kind if kind and is_so(kind, done.stderr) else "refused", done.stderr)
    layout = json.loads(read(json_path))
    bad = [b["name"] for s in layout["sets"] for b in s["bindings"] if b["binding"] in SENTINELS]
    checked = bind("check", *[os.path.join(folder, os.path.basename(p) + ".spv") for p in stages.values()],
                   expect=None)
    if checked.returncode and is_so("not valid", checked.stderr):
        return Outcome(name, "not valid", checked.stderr)
    if bad or checked.returncode:
        return Outcome(name, "wrong", "%s %s" % (bad, checked.stdout + checked.stderr))
    return Outcome(name, "bound")


def attempt_all(root):
    found = programs(root)

    def one(item):
        with tempfile.TemporaryDirectory() as folder:
            return attempt(*item, folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, found.items()))


def reason(words):
    """The words of a front end without the place."""
    line = re.sub(r"^(?:ERROR|WARNING): ", "", words.strip().splitlines()[-1 if words.count("\n") < 2 else 0])
    line = re.sub(r"^\S+?:\d+: (?:error: )?", "", line)
    return re.sub(r"'[^']*' : ", "", line, count=1).strip()


def report(title, outcomes, table):
    count = collections.Counter(o.kind for o in outcomes)
    print("%s: %d programs, %d bound; front end %d, not valid %d, declarations %d; refused %d, wrong %d" %
          (title, len(outcomes), *(count[k] for k in ("bound", "front end", "not valid", "declarations", "refused",
                                                      "wrong"))))
    if table:
        for why, n in collections.Counter(reason(o.words) for o in outcomes if o.kind == "front end").most_common():
            print("%6d %s" % (n, why))
    for o in outcomes:
        if o.kind in ("refused", "wrong"):
            print("%s: %s: %s" % (o.name, o.kind, o.words.strip()))
    return count["refused"] + count["wrong"], count["bound"]


def own(folder):
    """Sources that are here: those of the fixtures, and OURS."""
    for name in ("glsl", "realistic"):
        shutil.copytree(os.path.join(running.FIXTURES, name), os.path.join(folder, name))
    for name, text in OURS.items():
        write(os.path.join(folder, name), text if name.endswith(".hlsl") else "#version 450\n" + text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--sources", action="append", help="a folder of sources; may be given again")
    parser.add_argument("--table", action="store_true", help="count the reasons of the front end, too")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    bad = bound = 0
    least = 200
    with tempfile.TemporaryDirectory() as folder:
        sources = args.sources or list(filter(None, os.environ.get("SPB_SOURCES", "").split(os.pathsep)))
        if not sources:
            own(os.path.join(folder, "own"))
            least = 30
            sources = [os.path.join(folder, "own")]
        for i, source in enumerate(sources):
            copy = os.path.join(folder, str(i))
            copy_without_numbers(source, copy)
            not_bound, found = report(os.path.basename(os.path.abspath(source)), attempt_all(copy), args.table)
            bad, bound = bad + not_bound, bound + found
    if bound < least:
        print("only %d programs are bound, and not %d" % (bound, least))
    sys.exit(1 if bad or bound < least else 0)


if __name__ == "__main__":
    main()
