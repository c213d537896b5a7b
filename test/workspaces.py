# SPDX-License-Identifier: Apache-2.0
"""-m: programs that share descriptor sets and one lock file, in one run or in parts.

    workspaces.py --bind B
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
from random import Random

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from batches import hashed  # noqa: E402
from module_text import Module  # noqa: E402
from module_text import read_places as places  # noqa: E402

MANIFEST = "game.manifest"


def bind(*args, expect=0, manifest=MANIFEST):
    return running.bind(*args, "-m", manifest, expect=expect)


def manifest(text, path=MANIFEST):
    running.write(path, text)
    return path


def game(text, **modules):
    """A manifest, and the modules it names: frag="a:b b:t@,1" is frag.spv."""
    manifest("options --order=module\n" + text)
    for name, declarations in modules.items():
        Module(declarations).write(name + ".spv")


def update(*args, expect=0, manifest=MANIFEST):
    return bind("--out-dir=out", "--lock=game.lock", "--update-lock", *args, expect=expect, manifest=manifest)


def lock(path="game.lock"):
    """The lines with a number, without the kind."""
    return {re.sub(r" kind=.*", "", line) for line in running.read_text(path).splitlines()
            if " set=" in line and not line.startswith("share")}


def numbers(name):
    return places("out/%s.spv" % name)


# Shared sets


HLSL = {"third": "Texture2D first, second, third; SamplerState smp; float4 main() : SV_Target"
                 " { return third.Sample(smp, float2(0, 0)); }",
        "second": "Texture2D first, second, third; SamplerState smp; float4 main() : SV_Target"
                  " { return second.Sample(smp, float2(0, 0)); }",
        "offs": "float4 offs; float4 main() : SV_Target { return offs; }",
        "tint": "float4 tint, glow; float4 main() : SV_Target { return tint + glow; }"}


def compiled(*names):
    for name in names:
        source = running.write(name + ".hlsl", HLSL[name])
        running.glslang(source, name + ".spv", "-D", "-S", "frag", "-e", "main", "-g")


def test_declarations_that_a_compiler_dropped_have_the_numbers_of_single_programs():
    compiled("third", "second")
    for share in ("share set=0\n", ""):
        manifest(share + "program a: third.spv\nprogram b: second.spv\n")
        if os.path.exists("game.lock"):
            os.remove("game.lock")
        update("--layout-json=all.json")
        assert numbers("third") == {"third": (0, 2), "smp": (0, 3)}, (share, numbers("third"))
        assert numbers("second") == {"second": (0, 1), "smp": (0, 3)}, (share, numbers("second"))
        of = "*" if share else "a"
        assert "resource first program=%s set=0 binding=0" % of in lock(), lock()
        shared = json.loads(running.read("all.json"))["sets"]
        assert not share or [(b["name"], b["programs"]) for b in shared[0]["bindings"]] == [
            ("second", ["b"]), ("third", ["a"]), ("smp", ["a", "b"])], shared
    bind("--lock=game.lock", "--locked", "--out-dir=out")


def test_blocks_that_a_compiler_named_are_one_for_each_content():
    compiled("offs", "tint")
    running.glslang("tint.hlsl", "same.spv", "-D", "-S", "frag", "-e", "main", "-g")
    manifest("share set=0\nprogram a: offs.spv\nprogram b: tint.spv\nprogram c: same.spv\n")
    update("--layout-json=all.json")
    assert lock() == {"resource $Global program=* set=0 binding=0", "resource $Global.b program=* set=0 binding=1"}
    assert [list(numbers(m).values()) for m in ("offs", "tint", "same")] == [[(0, 0)], [(0, 1)], [(0, 1)]]
    shared = json.loads(running.read("all.json"))["sets"][0]["bindings"]
    assert [(b["name"], b["programs"]) for b in shared] == [("$Global", ["a"]), ("$Global.b", ["b", "c"])], shared
    bind("--lock=game.lock", "--locked", "--out-dir=out")


def masks_of(path):
    """resourceMask of each resource, in short."""
    return {b["name"]: [re.sub("VK_SPIRV_RESOURCE_TYPE_|_BIT_EXT", "", word) for word in b.get("resourceMask", [])]
            for s in json.loads(running.read(path))["sets"] for b in s["bindings"]}


def test_descriptor_heaps_map_what_resource_masks_tell_apart():
    """VK_EXT_descriptor_heap: set and binding are identifiers only, also in what several programs share."""
    game("options --heap-model=descriptor-heap\nshare set=0\nprogram a: a.spv\nprogram b: b.spv\nprogram c: c.spv\n",
         a="t:t@0 s:s@0 r:rossbo@1 own:t@,1", b="i:img@0 t:t@0 s:s@0 w:ssbo@1", c="other:t@0 x:comb@1 alone:rossbo@2")
    update("--layout-json=all.json", "--layout-header=all.h")
    image, buffer = ["READ_ONLY_IMAGE", "READ_WRITE_IMAGE"], ["READ_ONLY_STORAGE_BUFFER", "READ_WRITE_STORAGE_BUFFER"]
    masks = masks_of("all.json")
    assert masks == {"t": ["SAMPLED_IMAGE"], "s": ["SAMPLER"], "i": image, "r": buffer[:1], "w": buffer[1:],
                     "alone": buffer, "x": ["COMBINED_SAMPLED_IMAGE"]}, masks
    header = running.read_text("all.h")
    rows = re.findall(r"\{all_(\w+)_set, all_\1_binding, all_\1_count, ([\w |]+)\}", header)
    assert {name: len(mask.split("|")) for name, mask in rows} == {
        name: len(mask) for name, mask in masks.items()}, header
    assert "defined(all_mappings)" in header and "VkDescriptorSetLayoutCreateInfo" not in header, header
    bind("--lock=game.lock", "--locked", "--out-dir=out")
    running.bind("collect", "-m", MANIFEST, "-o", "facts")
    running.bind("decide", "-m", MANIFEST, "facts", "--lock=game.lock", "--layout-json=again.json")
    assert running.read("again.json") == running.read("all.json")


def test_what_no_resource_mask_tells_apart_is_refused():
    game("options --heap-model=descriptor-heap\nshare set=0\nprogram a: a.spv\nprogram b: b.spv\n",
         a="t:t@0 s:s@0", b="s:s@0 q:utexbuf@0")
    said = update(expect=1).stderr
    assert '"q" (uniform texel buffer) has set 0, binding 0 here, where program a has "t" (sampled image)' in said, said
    game("share set=0\nprogram a: a.spv --heap-model=descriptor-heap\nprogram b: b.spv\n", a="t:t@0", b="s:s@0")
    said = update(expect=1).stderr # b has a set layout, not mappings
    assert '"s" (sampler) has set 0, binding 0 here, where program a has "t" (sampled image)' in said, said


def test_lines_of_two_branches_that_meet_are_named():
    text, samplers = "share set=0\nprogram a: a.spv\nprogram b: b.spv\n", "options --heap-model=descriptor-heap\n"
    running.write("game.lock", "lock version=2\nshare set=0\n"
                  "resource detail program=* set=0 binding=1 kind=texture\n"
                  "resource shadow program=* set=0 binding=1 kind=texture\n"
                  "resource smp program=* set=0 binding=1 kind=sampler\n")
    game(samplers + text, a="detail:t smp:s", b="shadow:t") # what is mapped apart comes in between
    assert 'binding 1, which line 3 gives "detail" [SPB4032]' in update(expect=1).stderr
    game(text, a="detail:t", b="shadow:t")
    said = update(expect=1).stderr
    assert 'game.lock:4:1: error: "shadow" has set 0, binding 1, which line 3 gives "detail" [SPB4032]' in said, said


def test_shared_resources_have_one_number_and_leave_holes():
    game("share set=0\nprogram sky: sky.spv\nprogram mat: mat.spv\n",
         sky="frame:b stars:t own:t@,1", mat="lights:b frame:b own:s@,1 more:t@,1")
    update("--layout-json=all.json")
    assert numbers("sky") == {"frame": (0, 0), "stars": (0, 1), "own": (1, 0)}, numbers("sky")
    assert numbers("mat") == {"frame": (0, 0), "lights": (0, 2), "own": (1, 0), "more": (1, 1)}, numbers("mat")
    shared = json.loads(running.read("all.json"))
    assert [(s["set"], s["programs"], [(b["binding"], b["name"]) for b in s["bindings"]]) for s in shared["sets"]] == [
        (0, "*", [(0, "frame"), (1, "stars"), (2, "lights")])], shared
    assert [b["programs"] for b in shared["sets"][0]["bindings"]] == [["sky", "mat"], ["sky"], ["mat"]], shared


def test_the_shared_layout_names_the_programs_of_each_binding():
    text = ("share set=0 programs=m*\nprogram z: z.spv\nprogram m.2: a.spv\nprogram m: b.spv\n"
            "program m.1: c.spv variant-of=m\n")
    # Two views of one descriptor, both of which some programs have; a set of a family; and set 0 of another program.
    game(text, z="x:b", a="x:t@0 y:t@0", b="y:t@0 f:s@,1", c="x:t@0 g:s@,1")
    update("--layout-json=all.json")
    sets = json.loads(running.read("all.json"))["sets"]
    assert [[(b["binding"], b["programs"]) for b in s["bindings"]] for s in sets] == [
        [(0, ["m.2", "m", "m.1"])], [(0, ["m"]), (1, ["m.1"])]], sets


HANDLES = """#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(binding = 65534, std430) buffer H { DescriptorHandle h[]; };
layout(set = %d, binding = 65534, std430) buffer O { vec4 o[]; };
void main() { uint i = gl_LocalInvocationIndex; o[i] = %s; }
"""


def heaps_of(path):
    return {name: place for name, place in places(path).items() if name.startswith("heap_")}


def two_with_handles():
    for name, own, read in (("a", 0, "texelFetch(handle_texture2D(h[i]), ivec2(0), 0)"),
                            ("b", 1, "texture(sampler2D(handle_texture2D(h[i]), handle_sampler(h[0])), vec2(0))")):
        running.write(name + ".comp", HANDLES % (own, read))
        running.run("glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.2",
                    "-I" + os.path.join(running.ROOT, "include", "glsl"), name + ".comp", "-o", name + ".spv")
    return "options --auto-binding=65534\nprogram a: a.spv\nprogram b: b.spv\n"


def test_all_programs_have_their_heaps_in_one_set():
    programs = two_with_handles()
    for shares, heaps in (("share heaps\n", 2), ("share set=3\noptions --heap-set=3\n", 3),
                          ("share heaps\noptions --heap-set=7\n", 7)):
        manifest(shares + programs)
        update("--layout-json=all.json")
        wanted = {"heap_texture_2D_float": (heaps, 2), "heap_sampler": (heaps, 0)}
        assert heaps_of("out/b.spv") == wanted, (shares, numbers("b"))
        del wanted["heap_sampler"]
        assert heaps_of("out/a.spv") == wanted, (shares, numbers("a"))
        sets = json.loads(running.read("all.json"))["sets"]
        assert [(s["set"], s["programs"], [(b["binding"], b["programs"]) for b in s["bindings"]]) for s in sets] == [
            (heaps, "*", [(0, ["b"]), (2, ["a", "b"])])], sets
        bind("--out-dir=out", "--lock=game.lock", "--locked")
        os.remove("game.lock")


def test_heaps_that_are_apart_are_said():
    programs = two_with_handles()
    manifest(programs)
    said = update().stderr
    assert running.says(said, "warning SPB4038") and "set 2" in said and "program a in set 1" in said, said
    for shares in ("share heaps\n", "share heaps programs=a\nshare heaps programs=b\n", "options --heap-set=3\n"):
        os.remove("game.lock")
        manifest(shares + programs)
        said = update().stderr
        assert not running.says(said, "warning SPB4038"), (shares, said)


def test_the_heaps_of_all_languages_are_in_one_set():
    """Slang's and DXC's join those of handles; none of them is where a program has something else."""
    programs = two_with_handles()
    compiled = {"s": ("slang/push-handles", "1.5"), "d": ("dxc/heaps", "1.3")}
    for name, (fixture, version) in compiled.items():
        running.run("spirv-as", "--target-env", "spv" + version, os.path.join(running.FIXTURES, fixture + ".spvasm"),
                    "-o", name + ".spv")
    wanted = {"sampler": {(2, 0)}, "texture": {(2, 2)}, "ssbo": {(2, 2), (0, 3)}}  # DXC's counters stay
    for before, after in (("program s: s.spv\nprogram d: d.spv\n", ""), ("", "program d: d.spv\nprogram s: s.spv\n")):
        manifest("share heaps\n" + before + programs + after)
        update("--layout-json=all.json", "--layout-header=all.h")
        heaps = [line.split() for line in running.read_text("game.lock").splitlines() if line.startswith("heap ")]
        found = {}
        for line in heaps:
            at = dict(word.split("=") for word in line[2:])
            found.setdefault(at["kind"], set()).add((int(at["set"]), int(at["binding"])))
        assert found == wanted, found
        (s,) = [s for s in json.loads(running.read("all.json"))["sets"] if s["set"] == 2]
        assert [(b["binding"], b["descriptorType"], b["programs"]) for b in s["bindings"]] == [
            (0, "VK_DESCRIPTOR_TYPE_SAMPLER", sorted("bsd", key="sdab".find if before else "abds".find)),
            (2, "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", list("sdab" if before else "abds"))], s
        assert "VkMutableDescriptorTypeListEXT" in running.read_text("all.h")
        bind("--out-dir=out", "--lock=game.lock", "--locked")
        for name in "absd":  # a reads textures only
            running.bind("check", "-q", "--against=all.json:2", "out/%s.spv" % name)
        for name in "sd":
            found = [p for v in places("out/%s.spv" % name).values() for p in (v if isinstance(v, list) else [v])]
            assert {p for p in found if p[0] == 2} == {(2, 0), (2, 2)}, (name, found)
        os.remove("game.lock")
    # A lock keeps what it has, and those that come later join it.
    manifest("share heaps\n" + programs)
    update()
    manifest("share heaps\nprogram s: s.spv\n" + programs)
    update()
    lines = [line for line in running.read_text("game.lock").splitlines() if line.startswith("heap ")]
    assert all("set=2" in line for line in lines) and len(lines) == 5, lines
    bind("--out-dir=out", "--lock=game.lock", "--locked")


def test_a_single_program_is_numbered_as_without_a_manifest():
    declarations = "a:b b:t[3] c:{x:t y:s}@ d:img@,2 e:u@5,2 f:t@,2 g:comb h:ssbo i:{p:t[2] q:t}"
    declarations = declarations.replace("}@ ", "} ")
    game("share set=0\nshare set=2\nprogram one: one.spv\n", one=declarations)
    update()
    running.bind("--order=module", "one.spv", "-o", "alone.spv")
    assert running.read("out/one.spv") == running.read("alone.spv")


def test_stages_are_united_in_the_shared_layout_and_exact_in_each():
    Module("frame:b", stage="Vertex").write("v.spv")
    Module("frame:b", stage="Fragment").write("f.spv")
    manifest("share set=0\nprogram v: v.spv --layout-json=%.json\nprogram f: f.spv --layout-json=%.json\n")
    update("--layout-json=all.json")
    stages = [json.loads(running.read(p))["sets"][0]["bindings"][0]["stages"]
              for p in ("all.json", "out/v.json", "out/f.json")]
    vertex, fragment = "VK_SHADER_STAGE_VERTEX_BIT", "VK_SHADER_STAGE_FRAGMENT_BIT"
    assert stages == [[vertex, fragment], [vertex], [fragment]], stages


def test_a_shared_set_can_belong_to_some_programs():
    game("share set=1 programs=m.*\nprogram sky: sky.spv\nprogram m.a: a.spv\nprogram m.b: b.spv\n",
         sky="y:t@,1 x:t@,1", a="x:t@,1", b="y:t@,1 x:t@,1")
    update()
    assert numbers("sky") == {"x": (1, 1), "y": (1, 0)}
    assert numbers("a") == {"x": (1, 0)} and numbers("b") == {"x": (1, 0), "y": (1, 1)}


def test_another_type_is_an_error_that_names_both_programs():
    programs = "share set=0\nprogram sky: sky.spv\nprogram mat: mat.spv\nprogram sea: sea.spv\n"
    game(programs, sky="a:t b:b", mat="a:s c:t", sea="b:b d:t")
    said = update(expect=1).stderr
    assert 'game.manifest:4:1: error: "a" is a sampler here, but a sampled image in program sky [SPB4031]' in said, said
    # the others are numbered and bound without it
    assert not os.path.exists("out/mat.spv") and "\nresource c " not in running.read_text("game.lock")
    assert numbers("sky") == {"a": (0, 0), "b": (0, 1)} and numbers("sea") == {"b": (0, 1), "d": (0, 2)}
    os.remove("game.lock")
    shutil.rmtree("out")
    assert "SPB4031" in update("--fail-fast", expect=1).stderr
    assert not os.path.exists("out/sky.spv") and not os.path.exists("game.lock")
    game(programs, sky="a:t b:b", mat="a:t c:t", sea="b:b d:t") # repaired: the others keep their numbers
    update()
    before = numbers("sea")
    game(programs, sky="a:t b:b", mat="a:s c:t", sea="b:b d:t")
    shutil.rmtree("out")
    assert "SPB4031" in update(expect=1).stderr
    assert numbers("sea") == before and "\nresource c " in running.read_text("game.lock")


def test_excluded_programs_have_no_influence():
    """two fixes another resource where one has x; only it says that a is at binding 2, and that d is a sampler."""
    game("share set=0\n" + "".join("program %s: %s.spv\n" % (p, p) for p in "one two three four five".split()),
         one="x:t@3,0 a:b", two="y:s@3,0 a:b@2,0 d:s", three="a:b@1,0 d:t", four="x:s", five="d:t a:b z:b@3,0")
    said = update(expect=1).stderr
    assert re.findall(r"(?m)^game.manifest:(\d):1: error: (\S+) .*\[(SPB\d+)\]$", said) == [
        ("4", '"y"', "SPB4032"), ("6", '"x"', "SPB4031"), ("7", '"z"', "SPB4032")], said
    assert numbers("one") == {"x": (0, 3), "a": (0, 1)} and numbers("three") == {"a": (0, 1), "d": (0, 0)}


def test_members_that_differ_are_named():
    def said(one, two):
        for name, block in (("one", one), ("two", two)):
            running.write(name + ".comp", "#version 450\nstruct Inner { %s a; };\n"
                          "layout(binding = 0) uniform B { %s };\nvoid main() {}\n" % block)
            running.glslang(name + ".comp", name + ".spv", "-g")
        manifest("share set=0\nprogram one: one.spv\nprogram two: two.spv\n")
        return update(expect=1).stderr

    text = said(("vec4", "vec4 x; Inner y;"), ("mat4", "vec4 x; Inner y;"))
    assert '"y.a" (float4x4) is at offset 16 here, but "y.a" (float4) at offset 16 in program one' in text, text
    text = said(("vec4", "vec4 x; Inner y;"), ("vec4", "vec4 x; float z;"))
    assert '"z" (float) is at offset 16 here, but "y.a" (float4) at offset 16 in program one' in text, text


def test_a_resource_has_one_place():
    game("share set=0\nprogram sky: sky.spv\nprogram mat: mat.spv\n", sky="a:t@3,0", mat="a:t@4,0")
    said = update(expect=1).stderr
    assert ('game.manifest:4:1: error: "a" is fixed at set 0, binding 4 here, but at set 0, binding 3 in program sky '
            '[SPB4032]') in said, said
    assert numbers("sky") == {"a": (0, 3)} and not os.path.exists("out/mat.spv")
    os.remove("game.lock")
    game("share set=0\nprogram sky: sky.spv\nprogram mat: mat.spv\n", sky="a:t@3,0", mat="b:s@3,0")
    said = update(expect=1).stderr
    assert "SPB4032" in said and "program sky" in said and "game.manifest:4:1: error" in said, said
    os.remove("game.lock")
    # bindings that a later program fixes are known before an earlier one is numbered
    game("share set=0\nprogram sky: sky.spv\nprogram mat: mat.spv\n", sky="a:t b:t", mat="b:t@0,0 c:s")
    update()
    assert numbers("sky") == {"a": (0, 1), "b": (0, 0)} and numbers("mat") == {"b": (0, 0), "c": (0, 2)}


def test_variants_are_numbered_as_one_program():
    game("program base: base.spv\nprogram skinned: skin.spv variant-of=base\nprogram wet: wet.spv variant-of=skinned\n",
         base="a:b b:t", skin="bones:b a:b c:t@,1", wet="d:t@,1 b:t")
    update()
    assert numbers("base") == {"a": (0, 0), "b": (0, 1)}
    assert numbers("skin") == {"a": (0, 0), "bones": (0, 2), "c": (1, 0)}
    assert numbers("wet") == {"b": (0, 1), "d": (1, 1)}
    assert {line.split()[2] for line in lock()} == {"program=base"}
    # and the same if they are bound consecutively
    whole = {p: running.read(p) for p in glob.glob("out/*")}
    for name in ("wet", "base", "skinned"):
        bind("--out-dir=again", "--lock=game.lock", "--locked", "--programs=" + name)
    assert {p: running.read(p.replace("out", "again")) for p in whole} == whole


def test_a_module_of_several_variants_is_one_file():
    modules = {"a": "x:b", "b": "y:b x:b", "frag": "f:t"}
    game("program base: a.spv frag.spv\nprogram skinned: b.spv frag.spv variant-of=base\n", **modules)
    update()
    assert numbers("frag") == {"f": (0, 1)} and numbers("b") == {"x": (0, 0), "y": (0, 2)}
    game("program base: a.spv frag.spv\nprogram other: b.spv frag.spv\n", **modules)
    said = update(expect=2).stderr
    assert "game.manifest:3:1: error: programs base and other would both write out/frag.spv" in said, said
    bind("--out-dir=own/%", "--layout-header=own/%.h", "--layout-glsl=own/%/%.glsl")
    assert sorted(glob.glob("own/**/*.*", recursive=True)) == [
        "own/base.h", "own/base/a.spv", "own/base/base.glsl", "own/base/frag.spv", "own/other.h", "own/other/b.spv",
        "own/other/frag.spv", "own/other/other.glsl"]
    assert "base_f_binding" in running.read_text("own/base.h")


def test_a_header_of_shared_sets_has_each_once():
    """With the stages of all programs; names of sets that not all share begin with the programs."""
    manifest("share set=0\nshare set=1 programs=w*\nprogram water: v.spv f.spv\nprogram wind: f.spv\n"
             "program sky: v.spv\nprogram sky.v: v.spv f.spv variant-of=sky\n")
    Module("camera:b sun:t[3]", stage="Vertex").write("v.spv")
    Module("camera:b waves:b@0,1", stage="Fragment").write("f.spv")
    bind("layout", "--layout-header=shared.h", "--layout-json=shared.json")
    header = running.read_text("shared.h")
    assert header.count("#define shared_camera_binding 0u\n") == 1 and "#define shared_sun_count 3u\n" in header, header
    assert "shared_w_waves_binding 0u\n" in header and "shared_sky_waves_set 1u\n" in header, header
    assert "{shared_camera_binding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, shared_camera_count, " \
        "VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, NULL}" in header, header
    running.write("use.c", "#define shared_tables\n#include \"shared.h\"\n"
                  "const VkDescriptorSetLayoutCreateInfo *const all[] = {&shared_set_0_layout, &shared_w_set_1_layout,"
                  " &shared_sky_set_1_layout};\nVkDescriptorPoolSize sizes[] = shared_pool_sizes(2);\n")
    running.run("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "use.c")
    bind("layout", "--layout-header=own/%.h")
    bind("--out-dir=words/%", "--words=c")
    assert sorted(os.listdir("words/water")) == ["f.inc", "v.inc"]
    assert running.read_text("words/wind/f.inc").startswith("{\n0x07230203, ")
    assert sorted(os.listdir("own")) == ["sky.h", "sky.v.h", "water.h", "wind.h"]


def test_a_lock_that_is_not_written_is_kept():
    """A program that fixes another number is not bound; new resources are."""
    game("program p: a.spv\nprogram q: b.spv\nprogram r: c.spv\n", a="x:b", b="y:b", c="z:b")
    update()
    game("program p: a.spv\nprogram q: b.spv\nprogram r: c.spv\n", a="x:b@4", b="new:t y:b", c="z:b")
    for verb in ("bind", "layout"):
        said = bind(verb, *(["--out-dir=out"] if verb == "bind" else []), "--lock=game.lock", expect=3).stderr
        assert "game.manifest:2:1: error: the lock file has other numbers for program p" in said, said
        assert "- resource x program=p set=0 binding=0" in said and "\nq: " not in said and "\nr: " not in said
    assert numbers("a") == {"x": (0, 0)} and numbers("b") == {"y": (0, 0), "new": (0, 1)}
    update()
    assert numbers("a") == {"x": (0, 4)}


def test_registers_of_programs_with_other_rules():
    game("share set=0\nprogram a: a.spv --rules=hlsl\nprogram b: b.spv --rules=hlsl\nprogram c: c.spv\n",
         a="t0:t@0 t1:t b0:b@0", b="b1:b b0:b@0 t0:t@0 s0:s", c="t1:t extra:t b1:b")
    update()
    # b0 b1 | t0 t1 | s0: shifted as in one program; resources without registers come after
    assert numbers("a") == {"b0": (0, 0), "t0": (0, 2), "t1": (0, 3)}, numbers("a")
    assert numbers("b") == {"b0": (0, 0), "b1": (0, 1), "t0": (0, 2), "s0": (0, 4)}, numbers("b")
    assert numbers("c") == {"b1": (0, 1), "t1": (0, 3), "extra": (0, 5)}, numbers("c")
    first = {p: running.read(p) for p in glob.glob("out/*")}
    update()
    bind("lock", "check", "--lock=game.lock")
    assert {p: running.read(p) for p in glob.glob("out/*")} == first


def test_ranges_reserved_numbers_and_blocks():
    running.write("p.policy", "place name=r* -> set=0 range=4..6\nreserve set=0 range=0..1\n")
    game("options --profile=p.policy\nshare set=0\nprogram a: a.spv\nprogram b: b.spv\n",
         a="r1:t x:t", b="r2:t r1:t y:b x:t")
    update()
    assert numbers("b") == {"r1": (0, 4), "r2": (0, 5), "x": (0, 2), "y": (0, 3)}, numbers("b")
    # a parameter block does not take a shared set, unless it names it
    game("share set=0\nprogram a: a.spv --policy=\"block name=p*\"\nprogram b: b.spv\n", a="p1:t p2:b", b="x:b")
    update()
    assert numbers("a") == {"p2": (1, 0), "p1": (1, 1)}, numbers("a")
    game("share set=0\nprogram a: a.spv --policy=\"block name=p* -> set=0\"\nprogram b: b.spv\n", a="p1:t p2:b",
         b="x:b p1:t p2:b")
    os.remove("game.lock")
    update()
    assert numbers("b") == {"p2": (0, 0), "p1": (0, 1), "x": (0, 2)}, numbers("b")


def alone(declarations, *options):
    """The bindings of the program without a manifest, with its own lock."""
    Module(declarations).write("alone.spv")
    running.bind("-q", "--order=module", *options, "--lock=alone.lock", "--update-lock", "--out-dir=alone",
                 "alone.spv")
    return places("alone/alone.spv")


def in_a_family(declarations, *options):
    """The same as a variant of a program without resources."""
    game("program empty: empty.spv\nprogram one: one.spv %s variant-of=empty\n" % " ".join('"%s"' % o for o in options),
         empty="", one=declarations)
    update("-q")
    return numbers("one")


def test_a_program_is_a_family_of_one():
    """It has the same numbers as without a manifest, now and with the lock of an older version of it."""
    running.write("p.policy", "reserve set=0 range=0..3\nplace name=r* -> range=2..5\n")
    running.write("bound.policy", "place name=x -> binding=1\n")
    for options, *versions in (
            (["--rebind=all"], "x:t@1 y:t@1 z:t@1 w:b@0"),  # views of one descriptor
            (["--rebind=all"], "b:s@1 c:b@0", "a:s@1 b:s@1 d:b@2 c:b@0"),  # a new view of one that is locked
            (["--shift=t=8"], "o:{a:s b:t} c:s d:t"),  # a run in each lane
            (["--profile=p.policy"], "a:t r1:t r2:t b:t"),  # reserved for resources with a range
            (["--rules=hlsl", "--rebind=all"], "a:s b:t c:t[2]", "b:t d:t a:s e:u"),  # c returns to its binding
            (["--rules=hlsl", "--profile=bound.policy"], "x:s a:t b:t c:u"),
            (["--rules=hlsl", "--policy=option shift=auto", "--profile=bound.policy"], "x:s a:t b:t c:u",
             "d:t x:s b:t e:b"),
            (["--policy=block name=p*"], "p1:t p2:b a:t", "p1:t p2:b b:t a:t p3:s")):
        for lock in ("alone.lock", "game.lock"):
            if os.path.exists(lock):
                os.remove(lock)
        for declarations in versions:
            expected, got = alone(declarations, *options), in_a_family(declarations, *options)
            assert got == expected, (options, declarations, got, expected)


def random_program(r, names, kinds):
    declarations = []
    for i in names:
        at = "@%d,%d" % (r.randrange(6), r.randrange(4) == 0) if r.random() < 0.3 else ""
        at = "@,%d" % r.randrange(3) if r.random() < 0.15 else at
        kind = "{a:%s b:%s[2]}" % (r.choice("tsu"), r.choice("tsu")) if r.random() < 0.1 else r.choice(kinds)
        declarations.append("v%d:%s%s%s" % (i, kind, r.choice(["", "", "", "[2]", "[3]"]), "" if "{" in kind else at))
    return declarations


def test_random_programs_are_families_of_one():
    same = 0
    for seed in range(50):
        r = Random(seed)
        hlsl = ["--rules=hlsl"] if r.random() < 0.5 else []
        options = hlsl + r.choice([[], ["--rebind=all"], ["--rebind=all"], ["--rebind=all,sets"]])
        options += r.choice([[], [], ["--policy=block name=v[246]"],
                             ["--policy=option shift=auto"] if hlsl else ["--shift=t=8"]])
        names = r.sample(range(9), 9)
        first = random_program(r, names[:r.randrange(3, 7)], "btsu" if hlsl else ["b", "t", "s", "comb", "ssbo"])
        second = [d for d in first if r.random() < 0.75] + random_program(r, names[7:], "bts")
        for lock in ("alone.lock", "game.lock"):
            if os.path.exists(lock):
                os.remove(lock)
        for version in (first, r.sample(second, len(second))):
            Module(" ".join(version)).write("try.spv")
            lock = ["--lock=alone.lock"] if os.path.exists("alone.lock") else []
            if running.bind("layout", "-q", "--order=module", *options, *lock, "try.spv", expect=None).returncode:
                break  # two that are fixed overlap
            expected, got = alone(" ".join(version), *options), in_a_family(" ".join(version), *options)
            assert got == expected, (seed, options, version, got, expected)
            same += 1
    assert same > 25, same


def test_heaps_of_variants_have_one_set():
    Module("a:b@,0", handles=["tex", "smp"]).write("a.spv")
    Module("a:b@,0 b:b@,1", handles=["tex", "smp"]).write("b.spv")
    manifest("program a: a.spv\nprogram b: b.spv variant-of=a\n")
    update()
    assert {line for line in lock() if line.startswith("heap")} == {
        "heap heap_texture_2D_float program=a set=2 binding=2", "heap heap_sampler program=a set=2 binding=0"}, lock()
    assert {k: v for k, v in numbers("a").items() if k.startswith("heap")} == {
        "heap_texture_2D_float": (2, 2), "heap_sampler": (2, 0)}, numbers("a")


def test_views_of_one_heap_have_one_line():
    """Slang declares its heap once for each type; a lock tells them by their kinds."""
    fixture = os.path.join(running.ROOT, "spirv-fixtures", "slang", "every-kind.spvasm")
    running.spirv_as(running.read_text(fixture), "a.spv", "spv1.5")
    game("program a: a.spv\nprogram b: b.spv variant-of=a\n", b="x:b")
    update()
    bind("lock", "check", "--lock=game.lock")


# Manifests


def test_errors_name_file_and_line():
    Module("a:b").write("a.spv")
    for text, words in (
            ("\nprogam a: a.spv", "game.manifest:2:1: error: no line begins with \"progam\""),
            ("program a a.spv", "game.manifest:1:1: error: expected program NAME: FILES"),
            ("program a:", "game.manifest:1:1: error: program a has no files"),
            ("program a: a.spv\nprogram a: a.spv", "game.manifest:2:1: error: program a is declared twice"),
            ("program a: a.spv variant-of=b", "game.manifest:1:1: error: variant-of=b names no program"),
            ("program a: a.spv variant-of=a", "game.manifest:1:1: error: program a is a variant of itself"),
            ("program a: a.spv variant-of=b\nprogram b: a.spv variant-of=a", "is a variant of itself"),
            ("share\n", "game.manifest:1:1: error: share needs what is shared"),
            ("share set=x\n", "game.manifest:1:1: error: expected share set=N"),
            ("include\n", "game.manifest:1:1: error: expected include FILE"),
            ("include game.manifest\n", "game.manifest:1:1: error: game.manifest includes itself"),
            ("program \"a: a.spv", "game.manifest:1:1: error: the closing quotation mark is missing"),
            ("program a: -o x a.spv", "game.manifest:1:1: error: -o is not behind an input, or twice"),
            ("program a: a.spv -o", "game.manifest:1:1: error: -o needs the name of a file"),
            ("options a.spv", "game.manifest:1:1: error: expected an option, got \"a.spv\""),
            ("options --lock=x", "game.manifest:1:1: error: --lock is about the whole run"),
            ("program a: a.spv --rules=x", "game.manifest:1:1: error: --rules: expected slang or hlsl"),
            ("program a: ../a.spv", "game.manifest:1:1: error: ../a.spv is not in the folder of the manifest"),
            ("# nothing", "game.manifest:1:1: error: the manifest has no programs")):
        manifest(text + "\n")
        said = bind("--out-dir=out", expect=2).stderr
        assert words in said, (text, said)
    manifest("program a: missing.spv\n")
    assert "game.manifest:1:1: error: cannot read missing.spv" in bind("--out-dir=out", expect=4).stderr
    manifest("program a: a.spv\n")
    assert "no output for a.spv" in bind(expect=2).stderr


def test_usage():
    Module("a:b").write("a.spv")
    manifest("program a: a.spv\n")
    for args in (["a.spv"], ["-o", "x"], ["--update-lock"], ["--shard=0/2"], ["--shard=3/2"], ["--shard=1"],
                 ["decide"], ["collect", "-o", "x", "--out-dir=y"], ["--lock=" + MANIFEST, "--update-lock"]):
        bind(*args, expect=2)


def test_each_wrong_combination_has_a_specific_message():
    """The exact message and status, so that no check is lost, or hidden by another one; and nothing is written."""
    game("program p: a.spv\n", a="x:b")
    before = sorted(os.listdir("."))
    own = "-o, --import and --each are not for manifests, which list inputs and outputs"
    own_file = "each program has its own layout, but --layout-glsl names one file"
    for args, message in (
            ("check a.spv", "the manifest lists the inputs, so a.spv has no place here"),
            ("decide", "decide has no input"),
            ("-o x", own), ("check --each", own), ("check --import=x", own),
            ("check --out-dir=o", "check takes no --out-dir"),
            ("collect", "collect writes one file"), ("lock part -o k", "lock part has no lock file"),
            ("lock check", "lock check has no lock file"),
            ("--locked", "--locked and --update-lock are about a lock file"),
            ("--update-lock", "--locked and --update-lock are about a lock file"),
            ("--lock=l --locked --update-lock", "--locked and --update-lock exclude each other"),
            ("layout --layout-glsl=h", own_file),
            ("check --lock=-", "--lock takes neither stdin nor stdout")):
        done = bind(*args.split(), expect=2)
        assert done.stderr.startswith("spirv-bind: error: %s\nspirv-bind: note: " % message), (args, done.stderr)
        assert not done.stdout
    assert sorted(os.listdir(".")) == before


def test_a_report_of_changes_needs_the_older_layout():
    game("share set=0\nprogram p: a.spv\n", a="x:b")
    said = update("--report=r.html", "--against=missing.json", expect=4).stderr
    assert said.startswith("spirv-bind: error: cannot read missing.json: "), said
    assert not os.path.exists("r.html") and not os.path.exists("out/a.spv")
    update("--layout-json=old.json")
    game("share set=0\nprogram p: a.spv\n", a="x:b added:b")
    update("--report=r.html", "--against=old.json")
    text = running.read_text("r.html")
    update("--report=alone.html")
    assert "added" in text and text != running.read_text("alone.html")


def test_files_and_folders():
    os.makedirs("sub/a b", exist_ok=True)
    os.makedirs("sub/c", exist_ok=True)
    for path in ("sub/a b/m.spv", "sub/c/m.spv", "top.spv"):
        Module("x:b y:t").write(path)
    manifest('include "sub/more.manifest"\nprogram top: ./top.spv -o renamed/t.spv --layout-json=l/%.json\n')
    manifest('program "a b": "a b/m.spv"\nprogram c: ../sub/c/m.spv\n', "sub/more.manifest")
    bind("--out-dir=out")
    found = sorted(os.path.relpath(os.path.join(folder, f), "out")
                   for folder, _, files in os.walk("out") for f in files)
    assert found == ["l/top.json", "renamed/t.spv", "sub/a b/m.spv", "sub/c/m.spv"], found
    # whatever the path
    paths = ["w", "x/y", "./x/./z", "x//w", "x/../v", "../u", "a/b/../../t", "..//s"]
    manifest("".join("program p%d: top.spv -o %s\n" % pair for pair in enumerate(paths)))
    bind("--out-dir=o/n")
    found = sorted(os.path.relpath(os.path.join(folder, f), "o") for folder, _, files in os.walk("o") for f in files)
    assert found == ["n/t", "n/v", "n/w", "n/x/w", "n/x/y", "n/x/z", "s", "u"], found
    # from elsewhere, and without --out-dir: -o is relative to the manifest
    os.makedirs("else", exist_ok=True)
    manifest("program c: c/m.spv -o d.spv\n", "sub/one.manifest")
    bind(manifest="sub/one.manifest")
    assert os.path.exists("sub/d.spv")


def test_a_faulty_program_does_not_stop_others():
    game("share set=0\nprogram a: a.spv\nprogram bad: bad.spv\nprogram c: c.spv\n", a="x:b", bad="x:b", c="y:b x:b")
    update()
    before = running.read("game.lock")
    running.write("bad.spv", b"\3\2\x23\7garbage!")
    os.remove("out/c.spv")
    update(expect=1)
    assert running.read("game.lock") == before
    assert numbers("c") == {"x": (0, 0), "y": (0, 1)}
    os.remove("out/c.spv")
    update("--fail-fast", expect=1)
    assert not os.path.exists("out/c.spv")


def test_the_lint_of_a_manifest_needs_no_numbers():
    for name, index in (("good", "nonuniformEXT(lane)"), ("bad", "lane")):
        running.write(name + ".comp", """#version 460
            #extension GL_EXT_nonuniform_qualifier : require
            layout(local_size_x = 64) in;
            layout(set = 1, binding = 65534) buffer Pixels { uint v[]; } pixels[8];
            void main() { uint lane = gl_LocalInvocationIndex & 7u; pixels[%s].v[0] = 1u; }""" % index)
        running.glslang(name + ".comp", name + ".spv", "-g", "--target-env", "vulkan1.2")
    # a lock, a shared set, a family, a module that two programs have, and no place for any output
    manifest("options --auto-binding=65534 --layout-json=layouts/%.json\nshare set=1\n"
             "program good: good.spv\nprogram bad: bad.spv variant-of=good\nprogram more: good.spv\n")
    said = bind("lint", expect=3).stderr
    assert said.count(": error: ") == 1 and "bad.comp:5:1: error: " in said and "SPB5001" in said, said
    assert bind("lint", "--lint=nonuniform=warning", "--programs=*o*").stderr == ""
    assert bind("lint", "--shard=1/1", "-j2", expect=3).stderr == said
    assert not os.path.exists("layouts")
    for more in ("--lock=game.lock", "--out-dir=out", "-o", "--layout-json=l"):
        assert "lint takes no " + more.split("=")[0] in bind("lint", more, expect=2).stderr


def test_shared_sets_are_compared_with_older_ones():
    text = ("share set=0\nshare set=1 programs=m*\nprogram sky: sky.spv\n"
            "program m: m.spv\nprogram m.v: v.spv variant-of=m\n")
    game(text, sky="a:b z:t@,1", m="a:b x:t@,1 own:s@,2", v="x:t@,1")
    update("--layout-json=old.json")
    assert bind("check", "--lock=game.lock", "--against=old.json", expect=3).stdout.startswith(
        "set 0 of programs *: identical\nset 1 of programs m*: identical\nset 2 of family m: identical\n")
    game(text, sky="a:b z:s@,1", m="a:b x:t[4]@,1 own:s@,2", v="x:t[4]@,1 n:b")
    assert bind("check", "--against=old.json:2", expect=3).stdout.startswith("set 2 of family m: identical\n")
    assert bind("check", "--against=old.json:0,1", expect=3).stdout == (
        'set 0 of programs *: differs\n    binding 1 "n": new\n'
        'set 1 of programs m*: differs\n    binding 0 "x": count 1 -> 4\n')
    bind("check", "--against=old.json", "--programs=sky", expect=2)
    # of one program: its own layout, and no other kind
    bind("check", "--against=out/m.json", expect=4)
    game(text.replace("sky.spv", "sky.spv --layout-json=%.json"), sky="a:b z:s@,1", m="a:b x:t@,1", v="x:t@,1")
    update()
    assert "is the layout of one program" in bind("check", "--against=out/sky.json", expect=2).stderr
    game(text.replace("sky.spv", "sky.spv --against=out/sky.json:0"), sky="a:b z:t@,1", m="a:b", v="x:t@,1")
    said = bind("check", expect=3)
    assert "sky:\nset 0: identical" in said.stdout, said.stdout
    game(text.replace("sky.spv", "sky.spv --against=out/sky.json:1"), sky="a:b q:t@,1", m="a:b", v="x:t@,1")
    said = bind("check", expect=3)
    assert "sky:\nset 1: differs" in said.stdout, said.stdout


def test_a_program_fits_the_shared_sets():
    game("share set=0\nshare set=1 programs=m*\nshare set=1 programs=p*\nprogram sky: sky.spv\nprogram m: m.spv\n"
         "program p: p.spv\n",
         sky="frame:b@0 list:t[4]@1 any:t[]@2", m="frame:b@0 x:t@,1", p="frame:b@0 y:s@,1")
    update("--layout-json=shared.json")

    def judge(declarations, *options, expect=0, name="new.spv", stage="GLCompute"):
        Module(declarations, stage=stage).write(name)
        against = options or ("--against=shared.json",)
        return running.bind("check", *against, name, expect=expect)

    # Missing resources and private sets are not faults; names do not matter.
    assert judge("camera:b@0 list:t[3]@1 any:t[9]@2 own:s@5,2").stdout == "set 0 of programs *: fits\n"
    assert judge("own:s@5,2").stdout == ""
    for declarations, what in (
            ("list:t[5]@1", 'binding 1 "list": count 4 -> 5'), ("list:t[]@1", 'binding 1 "list": count 4 -> runtime'),
            ("frame:ssbo@0", "UNIFORM_BUFFER -> VK_DESCRIPTOR_TYPE_STORAGE_BUFFER"),
            ("frame:b@0 n:b@3", 'binding 3 "n": not in the shared set')):
        said = judge(declarations, expect=3).stdout
        assert said.startswith("set 0 of programs *: does not fit\n    binding") and what in said, said
        assert judge(declarations, "--against=shared.json:0", expect=3).stdout == said
        judge(declarations, "--against=shared.json:2")
    said = judge("list:t[3]@1", stage="Vertex", expect=3).stdout
    assert said == ("set 0 of programs *: does not fit\n"
                    "    binding 1 \"list\": stages COMPUTE_BIT -> VERTEX_BIT\n"), said
    # Which set 1: the name tells.
    assert "several groups of programs share a set 1" in judge("x:t@0,1", expect=2).stderr
    for name, declarations, status, what in (
            ("m2", "x:t@0,1", 0, "set 1 of programs m*: fits\nset 7: not shared\n"), ("m3", "a:t@0", 0, (
                "set 1: not in the program, so it fits\nset 7: not shared\n")),
            ("p2", "x:t@0,1", 3, "set 1 of programs p*: does not fit\n    binding 0 \"x\": VK_DESCRIPTOR_TYPE_SAMPLER "
                                 "-> VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE\nset 7: not shared\n")):
        game("program %s: one.spv --against=shared.json:1,7\n" % name, one=declarations)
        assert bind("check", expect=status).stdout == name + ":\n" + what


# The lock


def test_shifts_leave_the_lock_with_the_rules_that_need_them():
    text = "share set=3\nprogram a: a.spv%s\nprogram b: b.spv --rules=hlsl\n"
    game(text % " --rules=hlsl", a="b0:b t0:t t1:t", b="b0:b u0:u")
    update()
    shifts = ["shift class=%s program=%s set=0 by=%d" % x for x in (("b", "a", 0), ("t", "a", 1), ("b", "b", 0),
                                                                    ("u", "b", 1))]
    assert {line for line in lock() if line.startswith("shift")} == set(shifts), lock()
    manifest("options --order=module\n" + text % "")
    update()
    assert {line for line in lock() if line.startswith("shift")} == set(shifts[2:]), lock()
    # those of other programs stay
    bind("--programs=a", "--lock=game.lock", "--update-lock", "--out-dir=out")
    assert {line for line in lock() if line.startswith("shift")} == set(shifts[2:]), lock()


def test_lines_stay_while_some_program_has_the_resource():
    game("share set=0\nprogram a: a.spv\nprogram b: b.spv\n", a="x:b y:t p:s@,1", b="y:t z:t")
    update()
    game("share set=0\nprogram a: a.spv\nprogram b: b.spv\n", a="x:b", b="z:t n:b")
    update()
    assert lock() == {"removed p program=a set=1 binding=0", "resource n program=* set=0 binding=3",
                      "resource x program=* set=0 binding=0", "removed y program=* set=0 binding=1",
                      "resource z program=* set=0 binding=2"}, lock()
    game("share set=0\nprogram b: b.spv\n", b="z:t y:t")
    update()
    assert lock() == {"removed p program=a set=1 binding=0", "removed n program=* set=0 binding=3",
                      "removed x program=* set=0 binding=0", "resource y program=* set=0 binding=1",
                      "resource z program=* set=0 binding=2"}, lock()


def test_an_update_of_one_program_changes_only_its_lines():
    game("share set=0\nprogram a: a.spv\nprogram b: b.spv\n", a="x:b p:s@,1 q:s@,1", b="y:t p:t@,1")
    update()
    before = lock()
    Module("x:b q:s@,1 n:s@,1 w:b").write("a.spv")
    Module("changed:b p:s").write("b.spv")
    update("--programs=a")
    assert before - lock() == {"resource p program=a set=1 binding=0"}
    assert lock() - before == {"removed p program=a set=1 binding=0", "resource n program=a set=1 binding=2",
                               "resource w program=* set=0 binding=2"}, lock()


def test_sixteen_writers_lose_nothing():
    text = "share set=0\n" + "".join("program p%d: p%d.spv\n" % (i, i) for i in range(16))
    game(text, **{"p%d" % i: "common:b s%d:t own%d:t@,1" % (i, i) for i in range(16)})
    runs = [subprocess.Popen([running.BIND, "-m", MANIFEST, "--programs=p%d" % i, "--out-dir=out",
                              "--lock=game.lock", "--update-lock"]) for i in range(16)]
    assert [run.wait() for run in runs] == [0] * 16
    lines = lock()
    assert len(lines) == 33, lines
    assert sorted(int(line.split("binding=")[1]) for line in lines if "program=*" in line) == list(range(17)), lines
    bind("--out-dir=again", "--lock=game.lock", "--locked")
    for i in range(16):
        assert running.read("out/p%d.spv" % i) == running.read("again/p%d.spv" % i)
    assert not [f for f in os.listdir(".") if "guard" in f]


def test_renamed_resources_and_programs_keep_their_numbers():
    game("share set=0\nprogram a: a.spv\nprogram b: b.spv\n", a="x:b old:t p:s@,1", b="old:t p:t@,1 q:t@,1")
    update()
    text = running.read_text("game.lock").replace(
        "lock version=2\n", "lock version=2\nrename old -> new\nrename p -> r program=b\nrename program=a -> c\n")
    running.write("game.lock", text)
    game("share set=0\nprogram c: c.spv\nprogram b: b.spv\n", c="y:b new:t x:b p:s@,1", b="n2:t@,1 new:t q:t@,1 r:t@,1")
    assert "rename" in bind("lock", "check", "--lock=game.lock", expect=3).stderr
    update()
    assert lock() == {"resource new program=* set=0 binding=1", "resource x program=* set=0 binding=0",
                      "resource y program=* set=0 binding=2", "resource p program=c set=1 binding=0",
                      "resource r program=b set=1 binding=0", "resource q program=b set=1 binding=1",
                      "resource n2 program=b set=1 binding=2"}, lock()
    assert "rename" not in running.read_text("game.lock")


def test_locked_is_checked_for_each_program():
    game("share set=0\nprogram a: a.spv\nprogram b: b.spv\n", a="x:b p:s@,1", b="y:t q:t@,1")
    update()
    Module("x:b p:s@,1 n:s@,1").write("a.spv")
    os.mkdir("a")  # a folder with the name of a program is not where the message is about
    said = bind("--out-dir=locked", "--lock=game.lock", "--locked", expect=3).stderr
    assert "game.manifest:3:1: error: the lock file does not have the numbers of program a" in said, said
    assert "program b\n" not in said and "+ resource n program=a set=1 binding=1 kind=sampler" in said, said
    assert os.listdir("locked") == ["b.spv"] and running.read("locked/b.spv") == running.read("out/b.spv")


def test_locks_of_version_1_are_read():
    Module("y:t x:b own:s@,1").write("a.spv")
    running.bind("--order=module", "a.spv", "-o", "x.spv", "--lock=game.lock",
                 "--update-lock")
    assert "version=1" in running.read_text("game.lock")
    game("share set=0\nprogram a: a.spv\nprogram b: b.spv\n", a="x:b own:s@,1", b="z:t x:b own:s@,1")
    update()
    assert lock() == {"removed y program=* set=0 binding=0", "resource x program=* set=0 binding=1",
                      "resource z program=* set=0 binding=2", "resource own program=a set=1 binding=0",
                      "resource own program=b set=1 binding=0"}, lock()
    said = running.bind("layout", "a.spv", "--lock=game.lock", expect=2).stderr
    assert "the lock file belongs to the programs of a manifest [SPB4011]" in said, said


def test_malformed_locks():
    game("program a: a.spv\n", a="x:b")
    for line in ("resource x set=0", "share", "share set=0 by=1", "rename a b", "rename a -> ",
                 "rename program=a -> b program=c", "resource x program=a set=0", "shift class=t set=0"):
        running.write("game.lock", "lock version=2\n" + line + "\n")
        said = bind("layout", "--lock=game.lock", expect=2).stderr
        assert "game.lock:2:1: error: " in said and "SPB4011" in said, (line, said)


def test_a_line_without_a_program_applies_to_all():
    game("program a: a.spv\nprogram b: b.spv\nprogram c: c.spv variant-of=b\n", a="x:b", b="x:b y:t", c="x:b")
    running.write("game.lock", "lock version=2\nresource x set=0 binding=4\nresource x program=a set=0 binding=2\n"
                               "resource z set=0 binding=0\n")
    update()
    assert numbers("a") == {"x": (0, 2)} and numbers("b") == {"x": (0, 4), "y": (0, 1)}, (numbers("a"), numbers("b"))
    assert numbers("c") == {"x": (0, 4)}


def git(*args, expect=0):
    return running.run("git", "-c", "user.name=t", "-c", "user.email=t@t", *args, expect=expect)


def test_git_merges_locks_with_the_driver():
    game("share set=0\nprogram a: a.spv\nprogram b: b.spv\n", a="x:b p:s@,1", b="y:t gone:t p:s@,1")
    update()
    git("init", "-q", "-b", "main")
    git("config", "merge.lock.driver", running.BIND + " lock merge %O %A %B")
    running.write(".gitattributes", "*.lock merge=lock\n")
    git("add", ".gitattributes", MANIFEST, "game.lock")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "other")
    Module("x:b theirs:t p:s@,1 q:t@,1 both:b").write("a.spv")
    Module("y:t p:s@,1").write("b.spv")
    update()
    git("commit", "-qam", "theirs")
    git("checkout", "-q", "main")
    Module("x:b p:s@,1 r:b@,1").write("a.spv")
    Module("y:t gone:t p:s@,1 ours:b both:b").write("b.spv")
    update()
    git("commit", "-qam", "ours")
    said = git("merge", "-q", "other")
    said = said.stdout + said.stderr
    assert '"theirs" has set 0, binding 3 here, where our side has "ours" [SPB4034]' in said, said
    assert '"q" has set 1, binding 1 here, where our side has "r" [SPB4034]' in said, said
    assert lock() == {"resource x program=* set=0 binding=0", "resource y program=* set=0 binding=1",
                      "removed gone program=* set=0 binding=2", "resource ours program=* set=0 binding=3",
                      "resource both program=* set=0 binding=4", "resource theirs program=* set=0 binding=5",
                      "resource p program=a set=1 binding=0", "resource r program=a set=1 binding=1",
                      "resource q program=a set=1 binding=2", "resource p program=b set=1 binding=0"}, lock()
    # both sides' modules fit it
    Module("x:b theirs:t p:s@,1 q:t@,1 both:b r:b@,1").write("a.spv")
    Module("y:t p:s@,1 ours:b both:b").write("b.spv")
    bind("lock", "check", "--lock=game.lock")


def test_merging_locks_line_by_line():
    def merge(base, ours, theirs, expect=0):
        for name, lines in (("base", base), ("ours", ours), ("theirs", theirs)):
            running.write(name, lines if lines == "" else "lock version=1\n" + "".join(
                line + "\n" for line in lines.split("; ") if line))
        said = running.bind("lock", "merge", "base", "ours", "theirs", expect=expect).stderr
        return "; ".join(running.read_text("ours").split("version=1\n")[1].splitlines()), said

    a, b = "resource a set=0 binding=0", "resource b set=0 binding=1"
    assert merge(a, a + "; " + b, a) == (a + "; " + b, "")
    assert merge(a, a, a + "; " + b) == (a + "; " + b, "")
    assert merge(a + "; " + b, a, a + "; " + b) == (a, "")
    # resources that share a binding in theirs stay together
    views = "resource v set=0 binding=0; resource w set=0 binding=0; resource z set=0 binding=1"
    merged, said = merge("", a, views)
    assert merged == a + "; " + views.replace("binding=0", "binding=2"), merged
    assert said.count("SPB4034") == 2, said
    # one side removes what the other one changes; both give one resource a number
    assert merge(a, "removed a set=0 binding=0", "resource a set=0 binding=0 count=2")[0] == a + " count=2"
    merged, said = merge("", b, "resource b set=0 binding=3")
    assert merged == b and "which it keeps" in said, (merged, said)
    # as one side has moved it, and shifts of both
    assert merge(a, "resource a set=0 binding=7", a)[0] == "resource a set=0 binding=7"
    assert merge(a, a, "shift class=t set=0 by=4; resource a set=0 binding=7")[0] == (
        "shift class=t set=0 by=4; resource a set=0 binding=7")
    # the last numbers
    last = "resource c set=0 binding=4294967295"
    assert "no binding left" in merge("", last, last.replace(" c ", " d "), expect=1)[1]
    running.write("theirs", "lock version=2\nresource a program=p set=0 binding=0\n")
    said = running.bind("lock", "merge", "base", "ours", "theirs", expect=1).stderr
    assert "one of the locks is of one program" in said and "SPB4030" in said, said
    running.write("theirs", "lock version=1\n<<<<<<< x\n")
    assert "theirs:2:1: error" in running.bind("lock", "merge", "base", "ours", "theirs", expect=2).stderr
    running.bind("lock", "merge", "base", "ours", expect=2)


# Builds


def files(folder):
    found = {}
    for at, _, names in os.walk(folder):
        found.update((os.path.relpath(os.path.join(at, n), folder), running.read(os.path.join(at, n))) for n in names)
    return found


def test_a_depfile_has_every_file_that_was_read():
    os.makedirs("sub", exist_ok=True)
    game("include sub/more.manifest\nshare set=0\nprogram a: a.spv --profile=a.policy\n", a="x:b y:t@,1", old="o:b")
    Module("x:b z:t").write("sub/b.spv")
    manifest("program b: b.spv\n", "sub/more.manifest")
    running.write("a.policy", "place name=y -> set=2\n")
    update("--layout-json=older.json")
    said = bind("--out-dir=out", "--depfile=d", expect=2).stderr
    assert "--stamp" in said, said
    read = ["a.policy", "a.spv", "game.manifest", "sub/b.spv", "sub/more.manifest"]
    for args, more in ((["--out-dir=out", "--lock=game.lock", "--locked"], ["game.lock"]),
                       (["--out-dir=out", "--lock=game.lock", "--update-lock", "--cache=cache"], []),
                       (["--out-dir=out", "--lock=game.lock", "--update-lock", "--cache=cache"], []),
                       (["lint"], []),
                       (["collect", "-o", "part"], []),
                       (["--out-dir=out", "--report=r", "--against=older.json"], ["older.json"])):
        bind(*args, "--depfile=d", "--stamp=s")
        assert running.read_text("d").split("\n")[0] == "s: " + " ".join(sorted(read + more)), running.read_text("d")
        os.remove("d")
        os.remove("s")
    bind("check", "--depfile=d", "--stamp=s", expect=3)
    assert not os.path.exists("d") and not os.path.exists("s")
    bind("decide", "part", "--lock=game.lock", "--locked", "--depfile=d", "--stamp=s")
    assert running.read_text("d").split("\n")[0] == "s: a.policy game.lock game.manifest part sub/more.manifest"
    for wrong in ("--stamp=game.manifest", "--stamp=sub/b.spv", "--stamp=out/a.spv", "--stamp=game.lock",
                  "--layout-json=sub/more.manifest", "--diagnostics=json:a.spv"):
        said = bind("--out-dir=out", "--lock=game.lock", "--locked", wrong, expect=2).stderr
        assert "has another use in this run" in said, (wrong, said)


def cached_game():
    text = ("share set=0\nprogram a: a.spv --layout-header=%.h --policy=\"place name=nobody -> set=1\"\n"
            "program b: a.spv -o b.spv --layout-header=%.h\nprogram c: c.spv\nprogram c.v: c.spv v.spv variant-of=c\n")
    game(text, a="x:b own:t@,1", c="y:t x:b own:s@,1", v="z:t own:s@,1")


def test_cached_results_are_not_bound_again():
    cached_game()
    plain = update("-v")
    want, decided = files("out"), running.read("game.lock")
    for n in range(3):
        running.run("rm", "-rf", "out", *["game.lock"] * (n < 2))
        done = update("--cache=cache", "-v", "-j2")
        assert (done.stderr, files("out"), running.read("game.lock")) == (plain.stderr, want, decided), (n, done.stderr)
    # the messages come from there
    for path in glob.glob("cache/*"):
        rest = running.read(path)[32:]
        running.write(path, hashed(path, rest.replace(b"nobody", b"NOBODY")))
    assert "NOBODY" in update("--cache=cache").stderr
    assert "NOBODY" in bind("--cache=cache", "--lock=game.lock", "--locked", "--out-dir=o", "--shard=1/1").stderr
    assert "NOBODY" in bind("--cache=cache", "--lock=game.lock", "--out-dir=o", "--programs=a").stderr
    # a number that another program moves changes the key
    moved = decided.replace(b"resource x program=* set=0 binding=0", b"resource x program=* set=0 binding=9")
    running.write("game.lock", moved)
    assert "NOBODY" not in update("--cache=cache").stderr
    assert numbers("c")["x"] == (0, 9) and numbers("b")["x"] == (0, 9)
    # a change of a shared set affects the other programs
    cached_game()
    Module("x:b own:t@,1 more:t@3,0").write("a.spv")
    os.remove("game.lock")
    update()
    want = files("out")
    running.run("rm", "-rf", "out", "game.lock")
    update("--cache=cache")
    assert files("out") == want
    # the modules of a program that it writes are not always the same
    text = running.read_text(MANIFEST)
    for swapped in (text, text.replace("program c: c.spv\nprogram c.v: c.spv v.spv variant-of=c\n",
                                       "program c.v: c.spv v.spv variant-of=c\nprogram c: c.spv\n")):
        manifest(swapped)
        update("--cache=cache")
        assert files("out") == want


def test_a_damaged_or_hostile_cache():
    random = Random(6)
    cached_game()
    update("--cache=cache")
    want, decided, whole = files("out"), running.read("game.lock"), files("cache")
    for _ in range(8):
        for name, data in whole.items():
            data = bytearray(data)
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            running.write(os.path.join("cache", name), bytes(data))
        running.run("rm", "-rf", "out", "game.lock")
        update("--cache=cache")
        assert (files("out"), running.read("game.lock"), files("cache")) == (want, decided, whole)
    # with a correct hash: no crash, and no other files
    for _ in range(20):
        for name, data in whole.items():
            data = bytearray(data[32:])
            for _ in range(random.randrange(1, 4)):
                at = random.randrange(min(len(data), random.choice((16, 64, 4096))))
                data[at] = random.choice((0, 10, 32, 0x7F, 0xFF, random.randrange(256)))
            running.write(os.path.join("cache", name), hashed(name, bytes(data)))
        done = update("--cache=cache", expect=None)
        assert done.returncode in (0, 1, 2, 4) and "internal error" not in done.stderr, done.stderr
        assert set(files("out")) <= set(want), files("out").keys()
        running.run("rm", "-rf", "out", "game.lock")
    os.chmod("cache", 0o777)
    assert "others can write to it" in update("--cache=cache", expect=4).stderr


# Parts


def test_parts_give_the_bytes_of_the_whole():
    text = "share set=0\nshare set=1 programs=m.*\n"
    text += "".join("program m.%d: m%d.spv%s\n" % (i, i, " variant-of=m.0" if i % 3 else "") for i in range(9))
    text += "".join("program h%d: h%d.spv --rules=hlsl\n" % (i, i) for i in range(5))
    game(text, **{"m%d" % i: "frame:b m%d:t@,1 n%d:t@,1 all:t@,1 v%d:b@,2 x%d:{a:t b:s}" % (i % 4, i, i, i)
                  for i in range(9)},
         **{"h%d" % i: "frame:b t%d:t u:u b%d:b own:t[3]@,4 s:s@,4" % (i, i) for i in range(5)})
    update("--layout-json=all.json")
    for k in range(3):
        bind("collect", "--shard=%d/3" % (k + 1), "-o", "c%d" % k)
    bind("decide", "c2", "c0", "c1", "--lock=parts.lock", "--layout-json=parts.json")
    assert running.read("parts.lock") == running.read("game.lock")
    assert running.read("parts.json") == running.read("all.json")
    for k in range(3):
        bind("--shard=%d/3" % (k + 1), "--lock=parts.lock", "--locked", "--out-dir=parts")
    files = sorted(os.listdir("out"))
    assert len(files) == 14 and files == sorted(os.listdir("parts"))
    for f in files:
        assert running.read("out/" + f) == running.read("parts/" + f), f
    # the facts do not depend on the division into parts
    bind("collect", "-o", "c")
    lines = [re.split(r"(?m)^(?=program )", running.read_text(c)) for c in ("c", "c0", "c1", "c2")]
    assert sorted(lines[0][1:]) == sorted(sum((part[1:] for part in lines[1:]), []))
    assert len(running.read("c")) < 16000
    # a part is missing, comes twice, or is damaged
    said = bind("decide", "c0", "c1", "--lock=x.lock", expect=1).stderr
    assert "nothing has been collected for this program [SPB4030]" in said, said
    said = bind("decide", "c0", "c0", "--lock=x.lock", expect=2).stderr
    assert "[SPB4033]" in said and "was collected twice" in said, said
    running.write("d", running.read_text("c").replace(" kind=", " kid=", 1))
    said = bind("decide", "d", "--lock=x.lock", expect=2).stderr
    assert re.search(r"^d:\d+:1: error: unknown key \"kid\".* \[SPB4033\]", said, re.M), said
    assert not os.path.exists("x.lock")


def test_a_part_has_only_its_lines_of_the_lock():
    """Other parts do not change them, and the part is bound with them as with the whole lock."""
    shares = "share set=0\nshare set=1 programs=[ab]*\nshare set=2 programs=c*\n"
    own = shares + 'program a: a.spv\nprogram a.v: v.spv variant-of=a\nprogram "b b": b.spv\n'
    modules = {"a": "f:b x:t@,1 o:b@,2", "v": "f:b y:t@,1 o:b@,2", "b": "z:t@,1 p:b@,2"}
    game(own + "program c: c.spv\n", c="f:b g:b q:t@,2 r:t@,1", **modules)
    update()
    want, whole = files("out"), running.read_text("game.lock")
    manifest("options --order=module\n" + own, "part.manifest")
    bind("lock", "part", "--lock=game.lock", "-o", "part.lock", manifest="part.manifest")
    part = running.read_text("part.lock")
    assert set(part.splitlines()) < set(whole.splitlines()) and "program=c" not in part, part
    assert [line for line in whole.splitlines() if line not in part.splitlines()] == [
        line for line in whole.splitlines() if "program=c" in line and "share" not in line], part
    bind("--programs=*", "--lock=part.lock", "--locked", "--out-dir=parts", manifest="part.manifest")
    assert files("parts") == {k: v for k, v in want.items() if k != "c.spv"}
    for name in ("*a*", "b*"):  # the same of a manifest for all
        bind("lock", "part", "--programs=" + name, "--lock=game.lock", "-o", "some.lock")
        bind("--programs=" + name, "--lock=some.lock", "--locked", "--out-dir=parts")
    game(own + "program c: c.spv\nprogram c2: c2.spv\n", c="f:b g:b q:t@,2", c2="new:t@,2 own:b@,7", **modules)
    update()
    bind("lock", "part", "--lock=game.lock", "-o", "part.lock", manifest="part.manifest")
    assert running.read_text("part.lock") == part and running.read_text("game.lock") != whole
    for wrong in (["-o", "p"], ["-o", "game.lock", "--lock=game.lock"], ["-o", "p", "--lock=game.lock", "--locked"]):
        bind("lock", "part", *wrong, expect=2)
    assert "-m MANIFEST" in running.bind("lock", "part", "-o", "p", "a.spv", expect=2).stderr
    bind("lock", "part", "-o", "p", "--lock=missing", expect=4)


def test_a_workspace_decided_in_parts():
    """Consecutive manifests that share sets and one lock: earlier numbers stay."""
    for i, names in enumerate(("a b", "c d", "e")):
        game("share set=0\n" + "".join("program %s: %s.spv\n" % (n, n) for n in names.split()),
             **{n: "common:b s%s:t own:t@,1" % n for n in names.split()})
        os.replace(MANIFEST, "m%d" % i)
        bind("collect", "-o", "part%d" % i, manifest="m%d" % i)
        bind("decide", "part%d" % i, "--programs=*", "--lock=game.lock", manifest="m%d" % i)
    assert len(lock()) == 11 and not [line for line in lock() if line.startswith("removed")], lock()
    for i in range(3):
        bind("--programs=*", "--lock=game.lock", "--locked", "--out-dir=out", manifest="m%d" % i)
    assert [numbers(n)["s" + n] for n in "abcde"] == [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]
    manifest("include m0\ninclude m1\ninclude m2\n")
    bind("--lock=game.lock", "--locked", "--out-dir=all")
    assert files("all") == files("out")
    # another module with the same resources takes the numbers of one that the lock knows
    Module("common:b sb:t own:t@,1", stage="Fragment").write("z.spv")
    manifest("options --order=module\nshare set=0\nprogram b: z.spv\n")
    bind("--programs=*", "--lock=game.lock", "--locked", "--out-dir=more")
    assert places("more/z.spv") == numbers("b")


def test_memory_of_many_programs():
    """At most 64 MB for 20,000 programs: 6 MB, and 2.9 KB for each, with two modules and ten resources, three of which
    have names that no other program has. Python's own 10 MB would hide less."""
    if os.environ.get("SPB_BIND_IN_PROCESS"):
        return  # AddressSanitizer keeps freed memory, so this is measured on the release build
    count, lines = 8000, ["options --order=module --validate=none", "share set=0", "share set=1 programs=b*"]
    stages = [(kind, read_template(kind)) for kind in ("vert", "frag")]
    os.mkdir("m")
    for i in range(count):
        for kind, template in stages:
            running.write("m/%d.%s.spv" % (i, kind), template.replace(b"NNNNN", b"%05d" % i))
        lines.append("program %s%d: m/%d.vert.spv m/%d.frag.spv" % ("ab"[i % 2], i, i, i))
    manifest("\n".join(lines) + "\n")

    def most(*options):
        """Kilobytes at most."""
        return running.most_kilobytes(running.BIND, *options, "-m", MANIFEST, "-j2", "-q")

    for options in (["lock", "update", "--lock=game.lock"], ["collect", "-o", "facts"],
                    ["decide", "facts", "--lock=game.lock"], ["layout", "--lock=game.lock", "--locked"]):
        kilobytes = most(*options)
        assert kilobytes < 6 * 1024 + 2.9 * count, (options, kilobytes)


def read_template(kind):
    """A module in which NNNNN will be replaced."""
    Module("frame:b lights:ssbo shadow:t material:b@,1 albedo:t@,1 own%s_NNNNN:b@,2%s" % (
        kind, " tex_NNNNN:t@,2" * (kind == "frag"))).write("template.spv")
    return running.read("template.spv")


def test_sources_are_compiled_with_the_options_of_their_program():
    path = "game/game.manifest"
    os.makedirs("game/sub/inc")
    running.write("game/sub/inc/count.glsl", "#define COUNT 2\n")
    running.write("game/sub/lit.vert", "#version 460\nlayout(binding = 65534) uniform Camera { mat4 view; };\n"
          "void main() { gl_Position = view[0]; }\n")
    running.write("game/sub/lit.frag", "#version 460\n#extension GL_GOOGLE_include_directive : require\n"
          "#include \"count.glsl\"\nlayout(binding = 65534) uniform sampler2D albedo[LIGHTS * COUNT];\n"
          "layout(location = 0) out vec4 c;\nvoid main() { c = texture(albedo[0], vec2(0)); }\n")
    lines = ["options --auto-binding=65534 -Isub/inc", "options --policy=\"option default-set=1\"",
             "program one: -DLIGHTS=1 sub/lit.vert sub/lit.frag",
             "program four: -DLIGHTS=4 sub/lit.vert -o four/lit.vert.spv sub/lit.frag -o four/lit.frag.spv",
             "program plain: sub/lit.vert -o plain.spv"]
    running.write(path, "\n".join(lines) + "\n")
    update("--depfile=d", "--stamp=s", manifest=path)
    counts = [re.search(r"(\d+) +combined", running.bind("layout", name).stdout)[1]
              for name in ("out/sub/lit.frag.spv", "out/four/lit.frag.spv")]
    assert counts == ["2", "8"], counts
    assert places("out/sub/lit.vert.spv") == places("out/four/lit.vert.spv") == places("out/plain.spv") != {}
    assert running.read_text("d").splitlines()[0] == ("s: game/game.manifest game/sub/inc/count.glsl game/sub/lit.frag "
                                         "game/sub/lit.vert"), running.read_text("d")
    bind("--lock=game.lock", "--locked", "--out-dir=out", "--programs=one", manifest=path)
    running.write(path, "\n".join(lines[:2] + ["program no: sub/lit.frag", lines[4]]) + "\n")
    done = bind("--out-dir=other", expect=1, manifest=path)
    assert "game/sub/lit.frag:4:1: error: 'LIGHTS'" in done.stderr, done.stderr
    assert [f for f in glob.glob("other/**", recursive=True) if os.path.isfile(f)] == ["other/plain.spv"]


def test_a_program_stays_in_its_part():
    def parts():
        found = {}
        for k in (1, 2, 3):
            bind("collect", "--shard=%d/3" % k, "-o", "c")
            found.update({name: k for name in re.findall(r"(?m)^program (\w+)", running.read_text("c"))})
        return found

    game("".join("program p%d: a.spv\n" % i for i in range(0, 12)), a="x:b")
    before = parts()
    assert len(before) == 12 and len(set(before.values())) == 3, before
    game("".join("program p%d: a.spv\n" % i for i in range(4, 20)), a="x:b")
    after = parts()
    assert len(after) == 16 and all(after[p] == before[p] for p in after if p in before)


def test_includes_of_a_folder():
    """In the order of their names; what does not match is not read."""
    os.mkdir("more")
    for name in "b.manifest", "a.manifest":
        running.write("more/" + name, "program %s: a.spv\n" % name[0])
    running.write("more/c.manifest.tmp", "nonsense\n")
    manifest("include more/*.manifest\n")
    Module("a:b").write("more/a.spv")
    out = bind("--out-dir=out/%", "-v").stderr
    assert 0 < out.find("out/a/more/a.spv") < out.find("out/b/more/a.spv"), out
    manifest("include more/?.manifests\n")
    assert "no file matches more/?.manifests" in bind("--out-dir=out", expect=2).stderr
    manifest("include none/*\n")
    assert "cannot list none/: No such file" in bind("--out-dir=out", expect=2).stderr


def test_manifests_with_circular_includes():
    """Thirty manifests of two lines are 2 ** 29 inclusions."""
    for i in range(29):
        running.write("i%d" % i, "include i%d\n" % (i + 1) * 2)
    running.write("i29", "")
    assert "more than 65,536 times" in running.bind("check", "-m", "i0", expect=2).stderr
    running.write("i29", "include i30\n")
    os.symlink("i29", "i30")
    assert "includes itself" in running.bind("check", "-m", "i0", expect=2).stderr


if __name__ == "__main__":
    running.main(globals())
