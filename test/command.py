# SPDX-License-Identifier: Apache-2.0
"""The command as a user runs it: programs of several modules, exit statuses, files."""
import json
import os
import re
import shutil
import struct

import running
from running import FIXTURES, ROOT, bind_bytes as bind, glslang, read, run, says, write

GLSL = os.path.join(FIXTURES, "glsl")
AUTO = "--auto-binding=65534"


def glsl(name, text, *flags):
    """Compiles source text; the suffix of the name is the stage."""
    write(name, text)
    return glslang(name, name + ".spv", *(flags or ["-g"]))


def program(name, flags=("-g",)):
    return glslang(os.path.join(GLSL, name), os.path.basename(name) + ".spv", *flags)


def layout(*args):
    return json.loads(bind("layout", "-q", *args, "--layout-json").stdout)


def places(*args):
    return {b["name"]: (s["set"], b["binding"]) for s in layout(*args)["sets"] for b in s["bindings"]}


FRAG = "#version 450\n#define AUTO binding = 65534\nlayout(location = 0) out vec4 o;\n"


def frag(declarations, body, name="x.frag", *flags):
    return glsl(name, FRAG + declarations + "\nvoid main() { o = vec4(0);\n" + body + "\n}\n", *flags)


TEXTURES = "".join("layout(AUTO) uniform sampler2D %s;\n" % n for n in ("zeta", "alpha", "unused1", "mid"))
USE = "o += texture(%s, vec2(0));"


# layout

def test_stages_of_a_program_agree():
    found = layout(AUTO, program("lit/lit.vert"), program("lit/lit.frag"), program("lit/cull.comp"))
    names = [b["name"] for b in found["sets"][0]["bindings"]]
    assert names == ["Camera", "Instances", "Visible", "normal_map", "albedo_map", "linear_repeat", "shadow_map",
                     "Lights", "environment", "Draw"], names
    assert [b["binding"] for b in found["sets"][0]["bindings"]] == list(range(10))
    assert len(found["sets"][0]["bindings"][0]["stages"]) == 3
    assert found["sets"][1]["bindings"][0]["name"] == "decal"
    assert found["pushConstants"] == [{"name": "Push", "offset": 0, "size": 4,
                                       "stages": ["VK_SHADER_STAGE_COMPUTE_BIT"]}]


def test_declaration_order_is_the_authors_not_that_of_use():
    expected = {"zeta": (0, 0), "alpha": (0, 1), "unused1": (0, 2), "mid": (0, 3)}
    for flags in (["-g"], ["-gVS"]):
        assert places(AUTO,
                      frag(TEXTURES, USE % "mid" + USE % "alpha" + USE % "zeta", "x.frag", *flags)) == expected, flags


def test_editing_a_body_changes_no_binding():
    one = places(AUTO, frag(TEXTURES, USE % "mid" + USE % "alpha"))
    assert one == places(AUTO, frag(TEXTURES, USE % "zeta" + USE % "unused1"))
    assert one == places(AUTO, frag(TEXTURES, ""))


def test_without_source_text_module_order_is_used_and_reported():
    module = frag(TEXTURES, USE % "mid", "x.frag", "--target-env", "vulkan1.0")
    done = bind("layout", AUTO, module)
    assert b"SPB4005" in done.stderr and b"-g" in done.stderr, done.stderr
    assert b"SPB4005" not in bind("layout", AUTO, "--order=name", module).stderr


def test_a_note_on_source_text_names_only_remedies_that_help():
    hidden = "#ifdef A\nTEX a; TEX b;\n#else\nTEX b; TEX a;\n#endif\n"
    text = FRAG + hidden.replace("TEX", "layout(AUTO) uniform sampler2D") + "void main() { o = vec4(0); %s }\n"
    write("x.frag", text % (USE % "a" + USE % "b"))
    module = "x.spv"
    run("glslc", "-g", "x.frag", "-o", module) # it does not record -DA
    note = bind("layout", AUTO, module).stderr
    assert b"SPB2201" in note and b" -g" not in note and b"--order=name" in note, note
    strict = bind("layout", AUTO, "--order=source-strict", module, expect=1).stderr
    assert b"SPB2202" in strict and b" -g" not in strict, strict
    note = bind("layout", AUTO, frag(TEXTURES, USE % "mid", "x.frag", "-gV")).stderr
    assert b"SPB4005" in note and b"-gVS instead of -gV" in note, note


def test_explain_names_the_line_that_placed_a_binding():
    write("light.glsl", "layout(AUTO) uniform sampler2D light;\n")
    module = frag('#extension GL_GOOGLE_include_directive : enable\n#define TEX(n) layout(AUTO) uniform sampler2D n;\n'
                  '#include "light.glsl"\n\nTEX(\nlast)\n', USE % "last" + USE % "light")
    said = bind("explain", AUTO, module).stdout
    assert b"light: set 0, binding 0" in said and b"light.glsl:1, as %" in said, said
    assert b"last: set 0, binding 1" in said and b", declared at x.frag:8, as %" in said, said


def test_lines_are_counted_as_the_compiler_does():
    """A carriage return and a line feed end one line; so does either alone."""
    for end in ("\n", "\r\n", "\r"):
        text = (FRAG + "\nlayout(AUTO) uniform sampler2D first;\n// a comment\nlayout(AUTO) uniform sampler2D\nlast;"
                "\nvoid main() { o = texture(last, vec2(0)) + texture(first, vec2(0)); }\n").replace("\n", end)
        said = bind("explain", AUTO, glsl("x.frag", text.encode())).stdout
        assert b"first: set 0, binding 0" in said and b"declared at x.frag:5" in said, (end, said)
        assert b"declared at x.frag:8" in said, (end, said)


def test_conditions_are_evaluated_as_the_compiler_does():
    """The compiler selects one of each pair of declarations; if the other one were read, the order would be unknown."""
    true = ["0x1F == 31", "0XaB == 171", "017 == 15", "0X10 == 020", "-7 / 2 == -3", "-7 % 2 == -1",
            "1 << 4 == 16", "~0 == -1", "(3 | 4) == 7 && (6 & 3) == 2", "(5 ^ 1) == 4", "0 || 2 > 1", "!(1 >= 2)",
            "1 + 2 * 3 == 7", "8 - 4 - 2 == 2", "16 >> 2 == 4", "2 <= 2 && 2 < 3 && 3 != 2", "defined FLAG && FLAG",
            "defined(FLAG) && !defined OTHER", "SUM(2, 3) == 5", "__VERSION__ >= 450", "SUM(1, SUM(2, 3)) == 6"]
    lines = ["#define FLAG 1", "#define SUM(a, b) (a + b)"]
    for i, condition in enumerate(true):
        lines += ["#if " + condition, "layout(AUTO) uniform sampler2D t%d;" % i, "#else",
                  "layout(AUTO) uniform sampler2D no%d;" % i, "#endif"]
        lines += ["#if !(%s)" % condition, "layout(AUTO) uniform sampler2D no%d;" % i, "#elif " + condition,
                  "layout(AUTO) uniform sampler2D u%d;" % i, "#endif"]
    names = [letter + str(i) for i in range(len(true)) for letter in "tu"]
    module = frag("\n".join(lines), "".join(USE % name for name in reversed(names)))
    done = bind("layout", "-q", AUTO, module, "--layout-json", "--order=source-strict")
    found = [b["name"] for s in json.loads(done.stdout)["sets"] for b in s["bindings"]]
    assert found == names, found


def test_lines_and_files_are_those_of_the_directives():
    text = ("#extension GL_GOOGLE_cpp_style_line_directive : enable\n#line 100\nlayout(AUTO) uniform sampler2D one;\n"
            "#define HERE 7\n#line HERE\n\nlayout(AUTO) uniform sampler2D two;\n"
            "#line 20 \"made.glsl\"\nlayout(AUTO) uniform sampler2D three;\n\n#line 3\n"
            "layout(AUTO) uniform sampler2D four;\n")
    module = frag(text, USE % "four" + USE % "three" + USE % "two" + USE % "one")
    said = bind("explain", AUTO, module, "--order=source-strict").stdout.decode()
    found = re.findall(r"^(\w+): set 0, binding (\d)\n(?:    .*\n)*?.*declared at (\S+),", said, re.M)
    assert found == [("one", "0", "x.frag:100"), ("two", "1", "x.frag:8"), ("three", "2", "made.glsl:20"),
                     ("four", "3", "made.glsl:3")], (found, said)


def test_the_table_wraps_the_names_of_a_place():
    """A line has as many names as fit into 118 columns; continuation lines are aligned, and no name is cut."""
    names = ["texture_%s%d" % ("x" * (i % 7), i) for i in range(17)]
    for count in range(1, len(names) + 1):
        module = frag("".join("layout(binding = 1) uniform sampler2D %s;\n" % n for n in names[:count]),
                      "".join(USE % n for n in names[:count]), "x.frag", "-V")
        lines = bind("layout", "-q", "--allow-overlap", module).stdout.decode().splitlines()
        column = lines[-1].index("texture_")
        rows = [line[column:] for line in lines if "texture_" in line]
        assert all(not line[:column].strip() for line in lines if "texture_" in line and line[:1] == " "), lines
        assert re.findall(r"texture_\w+", " ".join(rows)) == names[:count], lines
        for row, following in zip(rows, rows[1:]):
            first = following.split(",")[0]
            assert row.endswith(",") and len(row) - 1 + 2 + len(first) + column > 118, (row, following)
        assert all(column + len(row.rstrip(",")) <= 118 for row in rows), lines


def test_order_by_name_needs_no_source():
    module = frag(TEXTURES, USE % "mid", "x.frag", "--target-env", "vulkan1.0")
    assert places(AUTO, "--order=name", module) == {"alpha": (0, 0), "mid": (0, 1), "unused1": (0, 2), "zeta": (0, 3)}


def test_amb_output_of_two_stages_is_repaired_by_rebind_all_or_by_its_text():
    for text in ([], ["-g"]):
        one = frag("uniform sampler2D a; uniform sampler2D shared_one;", USE % "a" + USE % "shared_one", "a.frag",
                   "--amb", *text)
        two = glsl("b.vert", "#version 450\nuniform sampler2D shared_one;\nvoid main() { gl_Position = texture("
                             "shared_one, vec2(0)); }\n", "--amb", *text)
        assert bool(says(bind("layout", one, two).stderr, "warning SPB4003")) != bool(text)
        for mode in ("all", "missing")[:1 + len(text)]:
            assert places("--rebind=" + mode, one, two) == {"a": (0, 0), "shared_one": (0, 1)}, (text, mode)


def test_one_name_with_two_types_is_refused_naming_both_places():
    one = frag("layout(AUTO) uniform sampler2D t;", USE % "t", "a.frag")
    two = frag("layout(AUTO) uniform usampler2D t;", "o += vec4(texture(t, vec2(0)));", "b.frag")
    done = bind("layout", AUTO, one, two, expect=1)
    assert says(done.stderr, "error SPB4002"), done.stderr
    assert b"a.frag:4:1" in done.stderr and b"b.frag:4:1" in done.stderr, done.stderr
    assert places(AUTO, "--policy=option merge=no", one, two) and layout(AUTO, "--policy=option merge=no", one,
                                                           two)["sets"][0]["bindings"][1]["binding"] == 1


def test_blocks_merge_by_type_name_and_compare_offsets():
    block = "layout(AUTO) uniform B { vec4 a; %s b; } %s;"
    one = frag(block % ("vec4", "x"), "o += x.a;", "a.frag")
    assert places(AUTO, one, frag(block % ("vec4", "other"), "o += other.b;", "b.frag")) == {"B": (0, 0)}
    bind("layout", AUTO, one, frag(block % ("mat4", "y"), "o += y.a;", "b.frag"), expect=1)


def test_one_name_fixed_at_two_places_is_two_descriptors():
    one = frag("layout(binding = 1) uniform sampler2D t;", USE % "t", "a.frag")
    two = frag("layout(binding = 2) uniform sampler2D t;", USE % "t", "b.frag")
    assert says(bind("layout", one, two).stderr, "warning SPB4003")
    assert [b["binding"] for b in layout("-q", one, two)["sets"][0]["bindings"]] == [1, 2]


def test_two_stages_at_one_binding_share_a_descriptor_if_one_type_serves_both():
    one = frag("layout(binding = 1) uniform sampler2D t;", USE % "t", "a.frag")
    two = frag("layout(binding = 1) uniform sampler2DArray u;", "o += texture(u, vec3(0));", "b.frag")
    assert len(layout(one, two)["sets"][0]["bindings"]) == 1
    for mode in ("--rebind=all", "--rebind=all,sets", "--rebind=conflicts"):
        assert len(set(places(mode, one, two).values())) == 1, mode
    three = frag("layout(binding = 1, rgba8) uniform readonly image2D i;", "o += imageLoad(i, ivec2(0));", "c.frag")
    done = bind("layout", one, three, expect=1)
    assert says(done.stderr, "error SPB4001"), done.stderr
    assert b"a.frag:4:1" in done.stderr and b"c.frag:4:1" in done.stderr, done.stderr
    assert b"warning" in bind("layout", one, three, "--allow-overlap").stderr
    assert places("--rebind=conflicts", one, three) == {"t": (0, 1), "i": (0, 0)}


def two_stages():
    """A module with a vertex shader, which has push constants, and a fragment shader, which has none."""
    with open(os.path.join(FIXTURES, "assign-bindings/entry-two-stages.spvasm")) as f:
        text = f.read()
    for before, more in (
            ("%void = ", "OpDecorate %push_type Block\nOpMemberDecorate %push_type 0 Offset 0\n"),
            ("%move = ", "%push_type = OpTypeStruct %u\n%push_pointer = OpTypePointer PushConstant %push_type\n"
             "%push = OpVariable %push_pointer PushConstant\n%push_u = OpTypePointer PushConstant %u\n"),
            ("%camera_in_move = ", "%push_in_move = OpAccessChain %push_u %push %z\n")):
        assert text.count("\n" + before) == 1, before
        text = text.replace("\n" + before, "\n" + more + before)
    write("two-stages.spvasm", text)
    run("spirv-as", "--target-env", "spv1.0", "two-stages.spvasm", "-o", "two-stages.spv")
    return "two-stages.spv"


def test_entry_leaves_out_what_only_other_entry_points_use():
    module = two_stages()
    both, one = layout(module), layout("-e", "shade", module)
    assert [b["name"] for b in both["sets"][0]["bindings"]] == ["camera", "bones", "lights"]
    assert [(b["name"], b["stages"]) for b in one["sets"][0]["bindings"]] == [
        ("camera", ["VK_SHADER_STAGE_FRAGMENT_BIT"]), ("lights", ["VK_SHADER_STAGE_FRAGMENT_BIT"])]
    assert one["modules"][0]["entryPoints"] == [{"name": "shade", "stage": "VK_SHADER_STAGE_FRAGMENT_BIT"}]
    assert [p["size"] for p in both["pushConstants"]] == [4] and one["pushConstants"] == []
    assert layout("-e", "shade", "-e", "move", "-e", "move", module) == both


def test_entry_that_no_module_has():
    done = bind("layout", "-e", "shade", "-e", "shadow", two_stages(), expect=2)
    assert b'SPB4022' in done.stderr and b'-e shadow' in done.stderr and b'"move", "shade"' in done.stderr, done


def test_blocks_of_one_name_with_other_members():
    block = "layout(%s) uniform B { vec4 a; %s; } %s;"
    one = frag(block % ("binding = 1", "vec4 b", "x"), "o += x.b;", "a.frag")
    at_its_place = frag(block % ("binding = 1", "mat4 c", "y"), "o += y.c[0];", "b.frag")
    elsewhere = frag(block % ("binding = 2", "mat4 c", "y"), "o += y.c[0];", "c.frag")
    longer = frag(block % ("binding = 1", "vec4 b; mat4 c", "y"), "o += y.c[0];", "d.frag")
    for mode in ([], ["--rebind=all"]):
        assert len(layout(*mode, one, at_its_place)["sets"][0]["bindings"]) == 1, mode
        assert len(layout(*mode, one, elsewhere)["sets"][0]["bindings"]) == 2, mode
        assert len(layout(*mode, one, longer)["sets"][0]["bindings"]) == 1, mode
    open_one = frag(block % ("AUTO", "vec4 b", "x"), "o += x.b;", "e.frag")
    text = bind("layout", AUTO, open_one, elsewhere, expect=1).stderr.decode()
    said = '"c" (float4x4) is at offset 16 here, but "b" (float4) at offset 16 in e.frag.spv'
    assert "SPB4002" in text and said in text, text


def test_a_member_that_differs_is_named_with_its_dimensions():
    """Up to eight of them are written, and no type has more."""
    block = "layout(%s) uniform B { layout(offset = 16) %s; } %s;"
    for one, other, said in (
            ("float a[4]", "float a[4][2]", '"a" (float[4][2]) is at offset 16 here, but "a" (float[4]) at offset 16'),
            ("float a[4]", "float a[5]", '"a" (float[5]) is at offset 16 here, but "a" (float[4]) at offset 16'),
            ("mat2x3 m[2]", "dvec2 m", '"m" (double2) is at offset 16 here, but "m" (float3x2[2]) at offset 16'),
            ("int i", "uint i", '"i" (uint) is at offset 16 here, but "i" (int) at offset 16')):
        first = frag(block % ("AUTO", one, "x"), "", "first.frag")
        second = frag(block % ("binding = 2", other, "y"), "", "second.frag")
        text = bind("layout", AUTO, first, second, expect=1).stderr.decode()
        assert "SPB4002" in text and said + " in first.frag.spv" in text, text


def test_the_layout_has_a_line_for_each_descriptor():
    """So line-based tools and diffs show which one has changed."""
    modules = [frag("layout(binding = 4) uniform B { vec4 a; } b;", "o = b.a;", name) for name in ("x.frag", "y.frag")]
    text = bind("layout", "-q", *modules, "--layout-json").stdout.decode()
    depth = 0
    for line in text.splitlines():
        code = re.sub(r'"[^"]*"', '""', line)
        opened, closed = len(re.findall(r"[\[{]", code)), len(re.findall(r"[\]}]", code))
        closes_first = code.lstrip()[:1] in ("]", "}")
        assert len(line) - len(line.lstrip()) == 2 * (depth - closes_first), line
        depth += opened - closed
    for begin in ('{ "module": "x.frag.spv",', '{ "module": "y.frag.spv",', '"binding": 4,', '{ "name": "a",'):
        assert any(line.lstrip().startswith(begin) for line in text.splitlines()), begin + "\n" + text


def test_a_fixed_declaration_in_one_module_fixes_it_in_all():
    one = frag("layout(AUTO) uniform sampler2D t;", USE % "t", "a.frag")
    two = frag("layout(binding = 7) uniform sampler2D t;", USE % "t", "b.frag")
    assert places(AUTO, one, two) == {"t": (0, 7)}


def test_stripped_modules_are_refused_unless_all_is_fixed():
    one = frag(TEXTURES, USE % "mid", "a.frag")
    for m in (one,):
        run("spirv-opt", "--strip-debug", m, "-o", "stripped.spv")
    assert b"SPB4004" in bind("layout", AUTO, one, "stripped.spv", expect=1).stderr
    bind("layout", AUTO, "stripped.spv")


def test_heaps_take_a_separate_set_in_all_stages():
    modules = [program("materials/material.vert", ("-g", "--target-env", "vulkan1.2")),
               program("materials/material.frag", ("-g", "--target-env", "vulkan1.2"))]
    found = layout(AUTO, *modules)
    assert [(h["kind"], h["set"], h["binding"]) for h in found["heaps"]] == [("sampler", 1, 0), ("combined", 1, 1),
                                                                             ("texture", 1, 2)]
    assert [b["nonUniform"] for b in found["sets"][1]["bindings"]] == [True, True, True], found["sets"][1]
    assert layout(AUTO, "--heap-set=5", *modules)["heaps"][0]["set"] == 5
    assert b"SPB4006" in bind("layout", AUTO, "--heap-set=0", *modules).stderr


def test_a_mark_on_the_index_that_loads_the_handle_is_enough():
    found = layout(AUTO, program("bindless_compute/all_kinds.comp", ("-g", "--target-env", "vulkan1.1")))
    marked = {b["name"]: b["nonUniform"] for s in found["sets"] for b in s["bindings"] if s["set"] == 1}
    assert marked.pop("heap_utexbuf_float") is True  # one access of two is
    assert all(marked.values()), marked


# combined image-samplers

STAGES = ("layout(AUTO) uniform sampler2D albedo;\nlayout(AUTO) uniform sampler2D maps[3];\n"
          "layout(binding = 4) uniform samplerCube sky;\n")
PAIRS = ("layout(AUTO) uniform texture2D albedo;\nlayout(AUTO) uniform sampler linear;\n"
         "layout(AUTO) uniform texture2D maps[3];\n"
         "layout(AUTO) uniform sampler point;\n")


def stages(declarations, vertex, fragment, *flags):
    """A vertex shader that declares the same and uses it in another order."""
    vert = "#version 450\n#define AUTO binding = 65534\n%svoid main() { gl_Position = vec4(0); %s }\n" % (declarations,
                                                                                                          vertex)
    return glsl("s.vert", vert, *flags), frag(declarations, fragment, "s.frag", *flags)


def test_split_combined_numbers_a_sampler_after_its_texture_in_all_stages():
    expected = {"albedo": (0, 0), "albedo.sampler": (0, 1), "maps": (0, 2), "maps.sampler": (0, 3), "sky": (0, 4),
                "sky.sampler": (0, 5)}
    for flags in (["-g"], ["-gVS"], ["-g", "--target-env", "vulkan1.2"]):
        both = stages(STAGES, "gl_Position += texture(maps[1], vec2(0)); gl_Position += texture(albedo, vec2(0));",
                      "o += texture(sky, vec3(0)); o += texture(albedo, vec2(0)); o += texture(maps[2], vec2(0));",
                      *flags)
        assert places(AUTO, "--split-combined", *both) == expected, flags
        assert places(AUTO, "--split-combined", "--order=name", *both) == expected, flags
        bind(AUTO, "--split-combined", *both, "--out-dir", "split")
        bind("check", "split/s.vert.spv", "split/s.frag.spv")
        bind("check", "--split-combined", "split/s.vert.spv", "split/s.frag.spv")


def test_split_combined_reports_uses_and_parts():
    found = layout(AUTO, "--split-combined", frag(STAGES, "o += texture(sky, vec3(0));"))["sets"][0]["bindings"]
    assert {b["name"]: b["used"] for b in found if "albedo" in b["name"]} == {"albedo": False, "albedo.sampler": False}
    assert [b.get("path") for b in found if "sky" in b["name"]] == [None, "sampler"]


def test_split_combined_leaves_heaps_alone():
    modules = [program("materials/material.vert", ("-g", "--target-env", "vulkan1.2")),
               program("materials/material.frag", ("-g", "--target-env", "vulkan1.2"))]
    assert layout(AUTO, "--split-combined", *modules)["heaps"] == layout(AUTO, *modules)["heaps"]
    bind(AUTO, "--split-combined", *modules, "--out-dir", "heaps")
    bind("check", "--split-combined", "heaps/material.vert.spv", "heaps/material.frag.spv")


LOOPS = """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(binding = 0) uniform sampler2D maps[8];
layout(binding = 1) readonly buffer B { float x[]; } buffers[8];
layout(location = 0) in vec2 uv;
layout(location = 1) flat in int i;
layout(location = 0) out vec4 o;
void main() { o = texture(maps[nonuniformEXT(i)], uv) + vec4(buffers[nonuniformEXT(i)].x.length());\n%s }
"""


def features(*args):
    return {f for m in layout(*args)["modules"] for f in m["requires"]["vulkanFeatures"]}


def test_waterfall_needs_no_feature_of_non_uniform_indexing():
    m = glsl("loops.frag", LOOPS % "", "-g", "--target-env", "vulkan1.1")
    indexing = {"shaderSampledImageArrayNonUniformIndexing", "shaderStorageBufferArrayNonUniformIndexing"}
    assert features(m) >= indexing
    assert not features(m, "--waterfall") & indexing
    assert features(m, "--waterfall=lengths") & indexing == {"shaderSampledImageArrayNonUniformIndexing"}
    for words, marked in (((), {"maps", "B"}), (("--waterfall",), set()), (("--waterfall=lengths",), {"maps"})):
        bindings = layout(m, *words)["sets"][0]["bindings"]
        assert {b["name"] for b in bindings if b["nonUniform"]} == marked, (words, bindings)


def test_waterfall_warns_about_accesses_that_keep_their_marks():
    m = glsl("kept.frag", LOOPS % "o.xy += textureQueryLod(maps[nonuniformEXT(i)], uv);", "-g", "--target-env",
             "vulkan1.1")
    done = bind(m, "--waterfall", "-o", "kept.spv")
    assert b"kept.frag:9" in done.stderr, done.stderr
    assert says(done.stderr, "warning SPB5101", "textureQueryLod()"), done.stderr
    assert features("kept.spv") & {"shaderSampledImageArrayNonUniformIndexing",
                                   "shaderStorageBufferArrayNonUniformIndexing"} == {
        "shaderSampledImageArrayNonUniformIndexing"}
    many = "".join("o.xy += textureQueryLod(maps[nonuniformEXT(i + %d)], uv);\n" % n for n in range(20))
    text = bind(glsl("many.frag", LOOPS % many, "-g"), "--waterfall", "-o", "many.spv").stderr.decode()
    assert text.count("[SPB5101]") == 9 and "12 more accesses" in text, text


def test_the_features_of_tensor_indexing_are_required():
    data = bytearray(read(simple()))
    for capability in (4174, 4175, 4176):  # TensorsARM and the two kinds of indexing, newer than SPIRV-Tools 2023.1
        data[20:20] = (2 << 16 | 17).to_bytes(4, "little") + capability.to_bytes(4, "little")
    write("tensors.spv", bytes(data))
    assert features(AUTO, "tensors.spv") == {"shaderStorageTensorArrayDynamicIndexing",
                                                                "shaderStorageTensorArrayNonUniformIndexing"}


def test_resources_without_names_are_identified_by_ids():
    m = frag("layout(binding = 3) uniform texture2D t;\nlayout(binding = 3) uniform sampler s;",
             "o += texture(sampler2D(t, s), vec2(0));")
    run("spirv-opt", "--strip-debug", m, "-o", "nameless.spv")
    table = bind("layout", "nameless.spv").stdout.decode()
    names = re.search(r"^0 +3 +1 +combined image-sampler +(%\d+), (%\d+)$", table, re.M).groups()
    text = bind("explain", "nameless.spv").stdout.decode()
    for name, other in (names, names[::-1]):
        told = "%s: set 0, binding 3\n    combined image-sampler\n    one descriptor with %s\n" % (name, other)
        assert told in text, text
        assert text.count("as %s: previously" % name) == 1, text
    for option in ("--layout-header=-", "--layout-glsl=-"):
        text = bind("layout", "nameless.spv", option).stdout.decode()
        assert "layout_0_3_binding 3" in text and "/*  */" not in text, text


def test_explain_reports_the_absence_of_resources():
    m = frag("", "o.x = 1;")
    assert bind("explain", m).stderr == b"spirv-bind: warning: the program has no resources to explain\n"
    m = frag("layout(binding = 3) uniform sampler2D a;", "o += texture(a, vec2(0));")
    assert bind("explain", m, "--name=b").stderr == (
        b"spirv-bind: warning: no resource matches --name=b\nspirv-bind: note: spirv-bind layout lists the names.\n")


def graph_module(functions):
    """A graph whose entry point takes two of three tensors, as in SPV_ARM_graph: after the functions, if any."""
    def op(opcode, *operands):
        words = []
        for o in operands:
            data = o.encode() + bytes(4 - len(o) % 4) if isinstance(o, str) else None
            words += struct.unpack("<%dI" % (len(data) // 4), data) if data else [o]
        return [len(words) + 1 << 16 | opcode, *words]
    tensors = (20, "taken"), (21, "given"), (22, "idle")
    parts = [op(17, 1), op(17, 5345), op(17, 39), op(17, 4174), op(17, 4191), op(10, "SPV_ARM_graph"),
             op(10, "SPV_ARM_tensors"), op(14, 0, 3)]
    if functions:
        parts += [op(15, 5, 42, "main"), op(16, 42, 17, 1, 1, 1)]
    parts += [op(5, id, name) for id, name in tensors]
    parts += [op(21, 1, 8, 1), op(21, 2, 32, 0), op(43, 2, 3, 14), op(43, 2, 4, 1), op(43, 2, 10, 0), op(28, 11, 2, 4),
              op(44, 11, 12, 3), op(4163, 5, 1, 4, 12), op(32, 6, 0, 5)]
    parts += [op(59, 6, id, 0) for id, name in tensors]
    parts += [op(4190, 7, 1, 5, 5)]
    if functions:
        parts += [op(19, 40), op(33, 41, 40), op(54, 40, 42, 0, 41), op(248, 43), op(253), op(56)]
    parts += [op(4182, 30, "net", 20, 21), op(4183, 7, 30), op(4184, 5, 31, 10), op(4185, 31, 10), op(4186)]
    words = [0x07230203, 0x10600, 0, 50, 0] + [w for p in parts for w in p]
    return struct.pack("<%dI" % len(words), *words)


def test_resources_of_a_graph_are_used():
    for functions in (False, True):
        write("graph.spv", graph_module(functions))
        j = layout("--order=module", "graph.spv")
        assert [(b["name"], b["binding"], b["descriptorType"], b["used"]) for b in j["sets"][0]["bindings"]] == [
            ("taken", 0, "VK_DESCRIPTOR_TYPE_TENSOR_ARM", True), ("given", 1, "VK_DESCRIPTOR_TYPE_TENSOR_ARM", True),
            ("idle", 2, "VK_DESCRIPTOR_TYPE_TENSOR_ARM", False)], j
        j = layout("--unused=remove", "--order=module", "graph.spv")
        assert [b["name"] for b in j["sets"][0]["bindings"]] == ["taken", "given"], j


def test_merge_combined_makes_one_of_a_pair_in_all_stages():
    pairs = ("--merge-combined=albedo:linear", "--merge-combined", "maps:point")
    for flags in (["-g"], ["-gVS"], ["-g", "--target-env", "vulkan1.2"]):
        both = stages(PAIRS, "gl_Position += texture(sampler2D(maps[1], point), vec2(0));",
                      "o += texture(sampler2D(albedo, linear), vec2(0)); o += texture(sampler2D(maps[2], point), "
                      "vec2(0));", *flags)
        assert places(AUTO, *pairs, *both) == {"albedo": (0, 0), "maps": (0, 1)}, (flags, places(AUTO, *pairs, *both))
        bind(AUTO, *pairs, *both, "--out-dir", "merged")
        bind("check", "merged/s.vert.spv", "merged/s.frag.spv")
        bind("check", *pairs, "merged/s.vert.spv", "merged/s.frag.spv")


def test_merge_combined_keeps_a_texture_that_has_another_sampler():
    both = stages(PAIRS, "gl_Position += texture(sampler2D(albedo, point), vec2(0)) + texture(sampler2D(albedo, "
                         "linear), vec2(0));",
                  "o += texture(sampler2D(albedo, linear), vec2(0)) + texture(sampler2D(albedo, point), vec2(0));")
    assert places(AUTO, "--merge-combined=albedo:linear", *both) == {
        "albedo": (0, 0), "albedo.linear": (0, 1), "maps": (0, 2), "point": (0, 3)}
    assert places(AUTO, "--merge-combined=albedo:linear", "--merge-combined=albedo:point", *both) == {
        "albedo.linear": (0, 0), "albedo.point": (0, 1), "maps": (0, 2)}


def test_merge_combined_needs_its_names_in_some_module():
    both = stages(PAIRS, "", "o += texture(sampler2D(albedo, linear), vec2(0));")
    done = bind("layout", AUTO, "--merge-combined=albedo:lineal", *both, expect=1)
    assert b"SPB2111" in done.stderr and b"albedo:lineal" in done.stderr, done.stderr
    other = frag("layout(AUTO) uniform sampler2D only_here;", USE % "only_here", "other.frag")
    bind("layout", AUTO, "--merge-combined=albedo:linear", other, both[1])
    for value in ("albedo", ":linear", "albedo:", "a:b:c", ""):
        bind("layout", AUTO, "--merge-combined=" + value, *both, expect=2)


# the command

def simple():
    return frag(TEXTURES, USE % "mid")


def test_writes_to_a_file_and_to_stdout_alike():
    module = simple()
    bind(AUTO, module, "-o", "out.spv")
    assert bind(AUTO, module, "-o", "-").stdout == read("out.spv")
    assert bind(AUTO, "-", "-o", "-", stdin=read(module)).stdout == read("out.spv")
    assert bind(AUTO, "-o", "-", stdin=read(module)).stdout == read("out.spv")


def test_is_silent_on_success():
    done = bind(AUTO, simple(), "-o", "out.spv")
    assert not done.stdout and not done.stderr, done.stderr


def test_works_in_place_and_leaves_an_equal_file_alone():
    module = simple()
    bind(AUTO, module, "-o", module)
    os.utime(module, (1, 1))
    bind(AUTO, module, "-o", module)
    assert os.stat(module).st_mtime == 1


def test_check_reports_whether_a_module_is_final_and_writes_nothing():
    module = simple()
    before = read(module)
    assert b"not in its final form" in bind("check", AUTO, module, expect=3).stderr
    assert read(module) == before
    bind(AUTO, module, "-o", "final.spv")
    bind("check", "final.spv")


def test_the_layout_distinguishes_depth_comparison_images():
    module = frag("layout(AUTO) uniform sampler2D plain;\nlayout(AUTO) uniform sampler2DShadow shadow;\n",
                  USE % "plain" + "o.x += texture(shadow, vec3(0));")
    depth = {b["name"]: b["type"]["depth"] for s in layout(AUTO, module)["sets"] for b in s["bindings"]}
    assert depth == {"plain": False, "shadow": True}, depth


def test_out_dir_takes_each_under_its_name():
    one, two = frag(TEXTURES, "", "a.frag"), frag(TEXTURES, "", "b.frag")
    bind(AUTO, one, two, "--out-dir", "made", "--layout-json", "made.json")
    assert sorted(os.listdir("made")) == ["a.frag.spv", "b.frag.spv"] and json.loads(read("made.json"))


def test_print_layout_is_a_table():
    lines = bind("layout", "-q", AUTO, simple()).stdout.decode().splitlines()
    assert lines[0].split() == ["set", "binding", "count", "type", "name"] and lines[1].endswith("zeta"), lines


def test_no_failure_touches_an_output():
    good, other = simple(), frag("layout(binding = 1) uniform sampler2D a; layout(binding = 1) uniform B { vec4 b; };",
                                 "o += b + texture(a, vec2(0));", "bad.frag")
    os.makedirs("kept", exist_ok=True)
    write("kept/x.frag.spv", "kept")
    write("kept/bad.frag.spv", "kept")
    bind(AUTO, good, other, "--out-dir", "kept", expect=1)
    assert read("kept/x.frag.spv") == b"kept" and read("kept/bad.frag.spv") == b"kept"
    assert sorted(os.listdir("kept")) == ["bad.frag.spv", "x.frag.spv"]


def test_an_unwritable_target_leaves_the_others_unchanged():
    one, two = frag(TEXTURES, "", "a.frag"), frag(TEXTURES, "", "b.frag")
    os.makedirs("half/b.frag.spv", exist_ok=True)
    write("half/a.frag.spv", "kept")
    bind(AUTO, one, two, "--out-dir", "half", expect=4)
    assert read("half/a.frag.spv") == b"kept" and sorted(os.listdir("half")) == ["a.frag.spv", "b.frag.spv"]


def test_a_full_disk_is_an_error():
    module = simple()
    bind(AUTO, module, "-o", "/dev/full", expect=4)
    with open("/dev/full", "wb") as full:
        bind(AUTO, module, "-o", "-", stdout=full, expect=4)
        bind("layout", AUTO, module, stdout=full, expect=4)


def test_writes_through_a_symbolic_link():
    module = simple()
    write("real.spv", "x")
    if not os.path.islink("link.spv"):
        os.symlink("real.spv", "link.spv")
    bind(AUTO, module, "-o", "link.spv")
    assert os.path.islink("link.spv") and read("real.spv")[:4] == b"\x03\x02\x23\x07"


def test_wrong_usage_exits_with_2():
    module = simple()
    for args in ([module], [module, "-o"], [module, "--nonsense", "-o", "x"], [module, "--rules=metal", "-o", "x"],
                 [module, "--auto-binding=abc", "-o", "x"], [module, "--auto-binding=4294967296", "-o", "x"],
                 ["layout", module, module], [module, "y.spv", "-o", "x"], ["check", module, "-o", "x"],
                 [module, "--out-dir", "d", "-o", "x"], ["-", "--out-dir", "d"], [module, "--rebind=some", "-o", "x"]):
        assert b"spirv-bind: " in bind(*args, expect=2).stderr, args


def test_a_missing_or_damaged_input_is_reported():
    bind("missing.spv", "-o", "x", expect=4)
    for name, data, words in (("empty.spv", b"", b"header"),
                              ("odd.spv", b"\x03\x02\x23\x07\x00", b"multiple of 4 bytes"),
                              ("text.spv", b"#version 450\nvoid main() {}\n\n", b"SPB1001"),
                              ("cut.spv", read(simple())[:-20], b"SPB10")):
        write(name, data)
        done = bind(name, "-o", "x", expect=1)
        assert words in done.stderr, (name, done.stderr)
    write("nop.spv", struct.pack("<6I", 0x07230203, 0x10000, 0, 1, 0, 1 << 16))  # nothing is read behind the OpNop
    assert b"SPB6002" in bind("nop.spv", "-o", "x").stderr


# The dereference in line 9 is an unknown instruction.
REFUSED = """#version 460
#extension GL_EXT_spirv_intrinsics : require
spirv_instruction(set = "NonSemantic.DescriptorHandle", id = 99) sampler2D deref(uvec2 h);
layout(location = 0) flat in uvec2 handle;
layout(location = 0) out vec4 o;
vec4 take(sampler2D s) { return texture(s, vec2(0)); }
void main()
{
	o = take(deref(handle));
}
"""


def test_messages_name_source_line_and_instruction():
    done = bind(glsl("lines.frag", REFUSED), "-o", "x", expect=1)
    assert done.stderr.startswith(b"lines.frag:9:1: error: ") and says(done.stderr, "error SPB3001"), done.stderr
    os.remove("lines.frag")
    done = bind("lines.frag.spv", "-o", "x", expect=1)
    assert b"OpExtInst" in done.stderr and b'in "main' in done.stderr, done.stderr
    assert b"compiled from lines.frag:9" in done.stderr, done.stderr


def test_debug_lines_of_gvs_are_read_as_well():
    done = bind(glsl("gvs.frag", REFUSED, "-gVS"), "-o", "x", expect=1)
    assert b"gvs.frag:9:1" in done.stderr, done.stderr


def test_hlsl_of_glslang_with_debug_information_is_read():
    """Its spirv-opt leaves DebugNoLine before the label of a function."""
    for flags in (["-g"], ["-gV"], ["-gVS"]):
        m = glsl("inlined.hlsl", """Texture2D<float4> t : register(t4);
float4 get(float2 uv) { return t[uint2(uv)]; }
float4 main(float2 uv : TEXCOORD0) : SV_Target { return get(uv) * 2; }
""", "-D", "-S", "frag", "-e", "main", *flags)
        bind("check", m)
        assert places("--rebind=all", m) == {"t": (0, 0)}, flags
        bind("--rebind=all", m, "-o", "inlined.out.spv")


def test_invalid_debug_information_is_the_fault_of_the_front_end():
    """glslang writes id 0 for the types of these."""
    reference = ("#version 450\n#extension GL_EXT_buffer_reference : require\n"
                 "layout(buffer_reference) buffer R { uint x; };\nlayout(push_constant) uniform P { R r; };\n"
                 "void main() { r.x = 1; }\n")
    scenes = ("#version 460\n#extension GL_EXT_ray_query : require\n"
              "layout(binding = 0) uniform accelerationStructureEXT scenes[2];\nvoid main() { rayQueryEXT q;\n"
              "rayQueryInitializeEXT(q, scenes[1], 0, 255, vec3(0), 0, vec3(1), 1); rayQueryProceedEXT(q); }\n")
    for text in (reference, scenes):
        for flag in ("-gV", "-gVS"):
            said = bind(glsl("zero.comp", text, flag, "--target-env", "vulkan1.2"), "-o", "x", expect=1).stderr
            assert b"SPB1008" in said and b"Compile with -g instead of -gV or -gVS" in said, said
        bind(glsl("zero.comp", text, "-g", "--target-env", "vulkan1.2"), "-o", "x.spv")


def test_the_location_of_a_struct_of_samplers_is_left_out():
    m = glsl("location.frag", """#version 450
struct S { sampler2D a; sampler2D b[2]; };
layout(location = 3) uniform S s;
layout(location = 0) out vec4 o;
void main() { o = texture(s.a, vec2(0)) + texture(s.b[1], vec2(0)); }
""")
    bind(m, "-o", "location.out.spv")
    text = run("spirv-dis", "location.out.spv").stdout
    assert re.findall(r"OpDecorate %(\w+) Location", text) == ["o"], text
    assert places("location.out.spv") == {"s.a": (0, 0), "s.b": (0, 1)}


def validated(path, *options):
    bind("-q", AUTO, path, "-o", "x", "--layout-json=x.json", *options)
    return json.loads(read("x.json"))["modules"][0]["validated"]


def test_features_unknown_to_the_validator_are_reported_and_can_be_allowed():
    data = bytearray(read(simple()))
    at, bound = 20, int.from_bytes(data[12:16], "little")
    while data[at:at + 2] != b"\x13\x00":  # OpTypeVoid
        at += 4 * (data[at + 2] | data[at + 3] << 8)
    for word in (0, bound, 3 << 16 | 4417):  # OpTypeUntypedPointerKHR UniformConstant, newer than SPIRV-Tools 2023.1
        data[at:at] = word.to_bytes(4, "little")
    data[12:16] = (bound + 1).to_bytes(4, "little")
    data[20:20] = b"\x11\x00\x02\x00\x79\x11\x00\x00"  # OpCapability UntypedPointersKHR, which alone does not matter
    write("newer.spv", bytes(data))
    assert b"SPB6003" in bind("-q", AUTO, "--unused=remove", "newer.spv", "-o", "x", expect=1).stderr
    assert not os.path.exists("x")
    assert b"SPB6003" in bind(AUTO, "--unused=remove", "--allow-unvalidated", "newer.spv", "-o", "x").stderr
    assert validated("newer.spv", "--allow-unvalidated") == "not validatable"
    assert validated("newer.spv", "--validate=none") == "not validated"
    assert layout(AUTO, "newer.spv")["modules"][0]["validated"] == "not validated"


def test_an_invalid_output_is_never_written():
    data = bytearray(read(simple()))
    at = 20
    while data[at] != 0x47 or data[at + 8] != 0x21:  # a Binding: make it BuiltIn 34, which no sampler can be
        at += 4 * (data[at + 2] | data[at + 3] << 8)
    data[at + 8], data[at + 12:at + 16] = 11, b"\x00\x00\x00\x00"
    write("wrong.spv", bytes(data))
    assert b"SPB6002" in bind("-q", AUTO, "wrong.spv", "-o", "x", expect=1).stderr
    assert not os.path.exists("x")


def test_the_input_is_validated_on_request():
    bind(AUTO, "--validate=both", simple(), "-o", "x")


def sources():
    os.makedirs("src/inc", exist_ok=True)
    write("src/inc/light.glsl", "layout(binding = 65534) uniform sampler2D t;\n"
          "layout(binding = 65534) uniform L { vec4 color; };\n")
    write("src/lit.frag", """#version 450
#extension GL_GOOGLE_include_directive : require
#include "light.glsl"
layout(location = 0) out vec4 o;
void main() { o = COLOR + texture(t, vec2(0)); }
""")
    write("src/lit.vert.hlsl", "cbuffer C { float4 x; };\nfloat4 main() : SV_Position { return x * SCALE; }\n")


def test_sources_become_modules_by_their_suffix():
    sources()
    compiled = frag(TEXTURES, USE % "mid", "plain.frag")
    run("spirv-dis", compiled, "-o", "src/k.frag.spvasm")
    inputs = ("src/lit.frag", "src/lit.vert.hlsl", "src/k.frag.spvasm")
    flags = ("-Isrc/inc", "-D", "COLOR=color", "-DSCALE=2", AUTO)
    bind(*inputs, *flags, "--out-dir=made", "--depfile=d", "--layout-json=made/layout.json")
    assert sorted(os.listdir("made")) == ["k.frag.spv", "layout.json", "lit.frag.spv", "lit.vert.hlsl.spv"]
    assert read("d").split(b"\n")[0] == (
        b"made/lit.frag.spv made/lit.vert.hlsl.spv made/k.frag.spv made/layout.json: src/inc/light.glsl "
        b"src/k.frag.spvasm src/lit.frag src/lit.vert.hlsl"), read("d")
    # The order of declaration, which only debug lines tell, and the binding of the placeholder.
    assert places("made/lit.frag.spv") == {"t": (0, 0), "L": (0, 1)}
    bind(compiled, AUTO, "-o", "k.spv"), bind("src/k.frag.spvasm", AUTO, "-o", "k2.spv")
    assert places("k.spv") == places("k2.spv") != {}
    for env, version in (("vulkan1.0", 0), ("vulkan1.1spv1.4", 4), ("vulkan1.3", 6)):
        bind("src/lit.frag", *flags, "--target-env=" + env, "-o", "x.spv")
        assert read("x.spv")[5:7] == bytes((version, 1)), env
    bind(*inputs[:2], *flags, "--each", "--out-dir=batch")
    assert sorted(os.listdir("batch")) == ["lit.frag.spv", "lit.vert.hlsl.spv"]
    write("module.frag", read("x.spv"))  # SPIR-V, whatever its name is
    bind("module.frag", "--out-dir=named")
    assert os.listdir("named") == ["module.frag"]
    only = os.path.abspath("only-glslc")  # without glslangValidator
    os.makedirs(only)
    os.symlink(shutil.which("glslc"), only + "/glslc")
    for path in inputs[:2]:
        bind(path, *flags, "-o", "glslc.spv", env=dict(os.environ, PATH=only))
        run("spirv-val", "glslc.spv")


def test_sources_of_many_programs_are_compiled_by_as_many_compilers_as_there_are_threads():
    """A compiler that waits until three instances run; a source that fails in one program may compile in others."""
    compiler = shutil.which("glslangValidator")
    os.makedirs("bin"), os.makedirs("there")
    write("bin/glslangValidator", "#!/bin/sh\n>there/$$\nwhile [ $(ls there | wc -l) -lt 3 ]; do sleep 0.01; done\n"
          "exec %s \"$@\"\n" % compiler)
    os.chmod("bin/glslangValidator", 0o755)
    path = dict(os.environ, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"])
    for i in range(3):
        write("s%d.frag" % i, FRAG + "layout(binding = 65534) uniform sampler2D t%d;\n"
              "void main() { o = texture(t%d, vec2(0)) * SCALE; }\n" % (i, i))
    inputs = ["s0.frag", "s1.frag", "s2.frag"]
    bind(*inputs, "-DSCALE=2", AUTO, "--each", "-j3", "--out-dir=made", env=path)
    for i in range(3):
        bind("s%d.frag" % i, "-DSCALE=2", AUTO, "-o", "one.spv")
        assert read("one.spv") == read("made/s%d.frag.spv" % i)
    write("s1.frag", "oops\n")
    done = bind(*inputs, "-DSCALE=2", AUTO, "--each", "--out-dir=rest", expect=1)
    assert sorted(os.listdir("rest")) == ["s0.frag.spv", "s2.frag.spv"] and b"s1.frag:1:1: " in done.stderr, done.stderr
    # For a single program, all errors are reported.
    done = bind(*inputs, AUTO, "--out-dir=none", expect=1)
    said = [line.split(b":")[0] for line in done.stderr.splitlines() if b": error: " in line]
    assert sorted(set(said)) == [b"s0.frag", b"s1.frag", b"s2.frag"] and said == sorted(said), done.stderr


def old(path, text):
    """Old files, since files that have just changed may change again while they are compiled, and are not cached."""
    write(path, text)
    os.utime(path, (1e9, 1e9))


def test_compiled_modules_are_cached_until_an_input_changes():
    compiler = shutil.which("glslangValidator")
    script = "#!/bin/sh\necho x >>compiled\nexec %s \"$@\"\n" % compiler
    for folder in ("bin", "first", "second"):
        os.makedirs(folder)
    write("bin/glslangValidator", script)
    os.chmod("bin/glslangValidator", 0o755)
    env = dict(os.environ, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"])
    text = ("#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"size.glsl\"\n"
            "layout(binding = 65534) uniform sampler2D t[SIZE + MORE];\nlayout(location = 0) out vec4 o;\n"
            "void main() { o = texture(t[0], vec2(0)); }\n")
    old("a.frag", text), old("b.frag", FRAG + "void main() { o = vec4(MORE); }\n")
    old("second/size.glsl", "#define SIZE 2\n")

    def compiled(size, *options, more=1):
        write("compiled", "")
        flags = [*options, "-DMORE=%d" % more, "-Ifirst", "-Isecond", AUTO]
        bind("--each", "--cache=cache", "--out-dir=out", "--depfile=d", "--stamp=s", "a.frag", "b.frag", *flags,
             env=env)
        said = bind("layout", "out/a.frag.spv").stdout
        assert b" %d " % size in said.splitlines()[1], said
        return len(read("compiled").split())

    assert compiled(3) == 2
    depfile = read("d")
    assert compiled(3) == 0 and read("d") == depfile and b" second/size.glsl" in depfile
    assert compiled(3, "--strip-debug") == 0 and compiled(5, more=3) == 2 and compiled(3) == 0
    assert compiled(3, "--target-env=vulkan1.1") == 2 and compiled(3) == 0
    old("second/size.glsl", "#define SIZE 4\n")
    assert compiled(5) == 1 and compiled(5) == 0
    bind("a.frag", "-DMORE=1", "-Ifirst", "-Isecond", AUTO, "-o", "plain.spv")
    assert read("plain.spv") == read("out/a.frag.spv")
    old("first/size.glsl", "#define SIZE 6\n")  # comes before the other one
    assert compiled(7) == 1 and compiled(7) == 0
    old("size.glsl", "#define SIZE 8\n")  # next to the source: before both
    assert compiled(9) == 1 and compiled(9) == 0
    os.unlink("size.glsl")
    assert compiled(7) == 1
    old("b.frag", FRAG + "void main() { o = vec4(2 * MORE); }\n")
    assert compiled(7) == 1
    write("bin/glslangValidator", script + "# another one\n")
    assert compiled(7) == 2 and compiled(7) == 0
    for name in os.listdir("cache"):  # damaged
        data = bytearray(read("cache/" + name))
        data[-1] ^= 1
        write("cache/" + name, bytes(data))
    assert compiled(7) == 2 and compiled(7) == 0
    write("first/size.glsl", "#define SIZE 10\n")
    os.utime("first/size.glsl", (4e9, 4e9))  # changed since
    assert compiled(11) == 1 and compiled(11) == 1
    write("m", "options -DMORE=1 -Ifirst -Isecond %s\nprogram p: a.frag\n" % AUTO)
    write("compiled", "")
    bind("-m", "m", "--cache=cache", "--out-dir=manifest", env=env)
    old("first/size.glsl", "#define SIZE 10\n")
    for count in (2, 2):
        bind("-m", "m", "--cache=cache", "--out-dir=manifest", env=env)
        assert len(read("compiled").split()) == count
    assert read("manifest/a.frag.spv") == read("out/a.frag.spv")


def test_sources_that_cannot_be_compiled_are_refused_with_their_lines():
    sources()
    done = bind("src/lit.frag", "-Isrc/inc", AUTO, "-o", "x", expect=1)
    assert b"src/lit.frag:5:1: " in done.stderr and b"COLOR" in done.stderr, done.stderr
    assert b"cannot read" in bind("none.frag", "-o", "x", expect=4).stderr
    write("wrong.spvasm", "; SPIR-V\nOpNonsense\n")
    assert b"wrong.spvasm:2:1: error: " in bind("wrong.spvasm", "-o", "x", expect=1).stderr
    before = read("src/lit.frag")
    assert b"source text" in bind("src/lit.frag", "-o", "src/lit.frag", expect=2).stderr
    assert b"text" in bind("src/inc/light.glsl", "-o", "x", expect=1).stderr  # without a stage
    assert read("src/lit.frag") == before and not os.path.exists("x")
    assert b"neither glslangValidator nor glslc" in bind("src/lit.frag", "-o", "x", env={"PATH": "/nowhere"},
                                                         expect=4).stderr


def stripped(path, *options):
    """Disassembly of the output of --strip-debug, which equals that of spirv-opt except for our own remarks."""
    bind(AUTO, path, "-o", "plain.spv", *options)
    bind(AUTO, path, "-o", "stripped.spv", "--strip-debug", "--layout-json=stripped.json", *options)
    bind(AUTO, path, "-o", "y", "--layout-json=plain.json", *options)
    assert read("plain.json") == read("stripped.json")  # which has all names
    run("spirv-val", "--target-env", "vulkan1.3", "stripped.spv")
    text = run("spirv-dis", "stripped.spv").stdout
    if run("spirv-opt", "--strip-debug", "plain.spv", "-o", "opt.spv", expect=None).returncode:
        assert b"NonSemantic." in read("plain.spv"), "spirv-opt fails"  # 2023.1 crashes on these
        return text
    notes = r".*Op(ModuleProcessed|SourceExtension) \"spirv-bind: .*\n"
    found, expected = (re.sub(notes, "", run("spirv-dis", f, "--raw-id").stdout) for f in ("stripped.spv", "opt.spv"))
    assert found == expected, path
    return text


PRINTF = """#version 460
#extension GL_EXT_debug_printf : require
layout(binding = 65534) buffer B { uint x; };
void main() { debugPrintfEXT("x %u", x); }
"""


def test_debug_information_is_stripped_at_the_end():
    for flags in (["-g0"], ["-g"], ["-gVS"], ["-gVS", "--target-env", "vulkan1.2"]):
        text = stripped(frag(TEXTURES, USE % "mid", "x.frag", *flags))
        assert not re.search("OpName|OpLine|OpSource|OpString|DebugInfo", text), text
    text = stripped(glsl("printf.comp", PRINTF, "-gVS", "--target-env", "vulkan1.2"))
    assert text.count("OpString") == 1 and "NonSemantic.DebugPrintf" in text, text
    assert "spirv-bind: registers" in stripped("x.frag.spv", "--rules=hlsl", "--shift=t:0=40")
    bind(AUTO, "x.frag.spv", "-o", "once.spv", "--strip-debug")
    assert bind("check", "once.spv", "--strip-debug").stderr == b""
    bind("once.spv", "-o", "twice.spv", "--strip-debug")
    assert read("once.spv") == read("twice.spv")
    swap = lambda data: b"".join(data[i:i + 4][::-1] for i in range(0, len(data), 4))  # noqa: E731
    bind(AUTO, write("swapped.spv", swap(read("x.frag.spv"))), "-o", "big.spv", "--strip-debug", "--record-options")
    bind(AUTO, "x.frag.spv", "-o", "little.spv", "--strip-debug", "--record-options")
    assert swap(read("big.spv")) == read("little.spv")
    big = write("names.spv", read(frag(TEXTURES, USE % "mid", "x.frag", "-g0")))
    bind("check", big, "--strip-debug", "--rebind=missing", AUTO, expect=3)


def notes(path):
    return re.findall(r'Op(?:ModuleProcessed|SourceExtension) "(spirv-bind: \d.*)"\n', run("spirv-dis", path).stdout)


def test_options_are_recorded_once_and_without_folders():
    os.makedirs("profiles/x", exist_ok=True)
    write("profiles/x/p.policy", "place name=none -> set=1\n")
    for flags in ((), ("--target-env", "vulkan1.1")):  # OpSourceExtension, OpModuleProcessed
        m = frag(TEXTURES, USE % "mid", "x.frag", *flags)
        recorded = (AUTO, "--profile", os.path.abspath("profiles/x/p.policy"), "--policy=place name=q\\x -> set=1")
        bind("-q", *recorded, m, "-o", "r.spv", "--record-options", "--validate=strict")
        run("spirv-val", "--target-env", "vulkan1.1", "r.spv")
        version = json.loads(bind("--version=json").stdout)["version"]
        expected = "spirv-bind: %s %s --profile=p.policy --policy=%s" % (
            version, AUTO, r'\"place name=q\\\\x -> set=1\"')
        assert notes("r.spv") == [expected], notes("r.spv")
        bind("-q", *recorded, "r.spv", "-o", "again.spv", "--record-options")
        assert read("again.spv") == read("r.spv")  # nothing changed
        bind("-q", "--rebind=all", "--record-options", "r.spv", "-o", "r2.spv", "--policy=option default-set=1",
             "--rebind=all,sets")
        assert len(notes("r2.spv")) == 2, notes("r2.spv")  # one for each change
        for default_set, count in ((0, 3), (2, 4), (0, 4)):  # the same words are not added again
            before = read("r2.spv")
            moved = ("--rebind=all,sets", "--policy=option default-set=%d" % default_set)
            bind("-q", *moved, "--record-options", "r2.spv", "-o", "r2.spv")
            assert read("r2.spv") != before and len(notes("r2.spv")) == count, notes("r2.spv")
    bind("layout", m, AUTO, "--record-options", "--policy=" + "x" * 70000, expect=2)


def test_help_and_version():
    assert b"Usage:" in bind("--help").stdout and bind("--version").stdout.startswith(b"spirv-bind 0.")


def test_the_manual_page_has_every_option_of_help():
    page = read(os.path.join(ROOT, "src/cli/spirv-bind.1")).decode().replace("\\-", "-")
    for line in bind("--help").stdout.decode().splitlines():
        for word in line.split():
            if word.startswith("--") and len(word) > 2:
                option = re.split(r"[=\[]", word)[0].rstrip(",:;)")
                assert option in page, option + " is not in the manual page"


def test_slang_modules_pass_through_the_shim():
    module = simple()
    words = bytearray(read(module))
    at = 20
    while words[at] != 3 or words[at + 1]:  # OpSource
        at += 4 * (words[at + 2] | words[at + 3] << 8)
    words[at + 4] = 11
    write("slang.spv", bytes(words))
    assert validated("slang.spv") == "validated with shim"


if __name__ == "__main__":
    running.main(globals())
