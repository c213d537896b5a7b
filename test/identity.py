# SPDX-License-Identifier: Apache-2.0
"""Which resources of a program are the same: by name, by numbers that authors wrote, and by numbers that tools
assigned.

    identity.py --bind B [--only WORD]
"""
import itertools
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import read_places  # noqa: E402
from running import bind, glslang, run, write  # noqa: E402

# name -> declaration and use, in two stages: their declarations are unrelated
STRANGERS = {
    "ubo": ("uniform Camera { mat4 view; };", "view[0]", "uniform Light { vec4 colour; };", "colour"),
    "ssbo": ("readonly buffer Bones { mat4 bone[]; };", "bone[0][0]", "readonly buffer Lamps { vec4 lamp[]; };",
             "lamp[0]"),
    "combined": ("uniform sampler2D height;", "texture(height, vec2(0))", "uniform samplerCube sky;",
                 "texture(sky, vec3(0))"),
    "integers": ("uniform sampler2D height;", "texture(height, vec2(0))", "uniform usampler2D ids;",
                 "vec4(texture(ids, vec2(0)))"),
    "array": ("uniform sampler2D height[3];", "texture(height[1], vec2(0))", "uniform sampler2D layers[2];",
              "texture(layers[1], vec2(0))"),
}


def shader(stage, declarations, use):
    """GLSL; `declarations`: lines, each of one resource."""
    out = "gl_Position" if stage == "vert" else "color"
    lines = ["#version 450"] + ["layout(location = 0) out vec4 color;"] * (stage == "frag") + declarations
    return write("s." + stage, "\n".join(lines + ["void main() { %s = vec4(0) + %s; }" % (out, use)]) + "\n")


def layout_of(*args, **more):
    """Names -> (set, binding), the number of descriptors, and the messages."""
    done = bind("layout", *args, **more)
    lines = [re.fullmatch(r"(\d+) +(\d+) +\S+ +\S.*? {2,}(.*)", line) for line in done.stdout.splitlines()[1:]]
    places = {name: (int(line[1]), int(line[2])) for line in lines for name in line[3].split(", ")}
    return places, len(lines), done.stderr


def compiled(stages, compile_one):
    """Two stages of a pair of declarations, compiled separately."""
    modules = []
    for stage, declaration, use in stages:
        source = shader(stage, [declaration], use)
        modules.append(compile_one(source, stage, stage + ".spv"))
    return modules


NUMBERED = {  # tools that number stage by stage
    "glslang": lambda source, stage, out: glslang(source, out, "-g", "--auto-map-bindings"),
    "glslang without a text": lambda source, stage, out: glslang(source, out, "--auto-map-bindings"),
    "glslc": lambda source, stage, out: run("glslc", "-g", "-fauto-bind-uniforms", source, "-o", out) and out,
    "glslc without a text": lambda source, stage, out: run("glslc", "-fauto-bind-uniforms", source, "-o", out) and out,
}


def test_strangers_that_tools_gave_one_number_are_two_resources():
    for (kind, words), (tool, compile_one) in itertools.product(STRANGERS.items(), NUMBERED.items()):
        modules = compiled((("vert", *words[:2]), ("frag", *words[2:])), compile_one)
        for options in (["--rebind=all"], ["--rebind=all,sets"], ["--rebind=all", "--rules=hlsl"],
                        ["--rebind=conflicts"], ["--rebind=all", "--profile=glslang"],
                        ["--rebind=all", "--policy=option merge=no"]):
            places, count, said = layout_of(*options, *modules)
            assert count == 2, (kind, tool, options, places)
        places, count, said = layout_of(*modules)
        if "without" in tool:  # kept, and reported
            assert count == 1 and "SPB4016" in said and "nothing shows that an author chose" in said, (kind, said)
        else:
            assert count == 2 and "SPB4016" not in said, (kind, tool, places, said)


def test_numbers_of_the_text_say_who_shares():
    """Two names with one number that both authors wrote are one descriptor, even if it moves; others are not."""
    for number, other, shared in ((3, 3, True), (65534, 65534, False)):
        modules = [glslang(shader(stage, ["layout(binding = 1) uniform B%s { vec4 b%s; };" % (stage, stage),
                                          "layout(binding = %d) uniform sampler2D %s;" % (at, name)],
                                  "b%s + texture(%s, vec2(0))" % (stage, name)), stage + ".spv", "-g")
                   for stage, name, at in (("vert", "height", number), ("frag", "displacement", other))]
        for mode in ("missing", "conflicts", "all", "all,sets"):
            places, count, said = layout_of("--rebind=" + mode, *modules)
            assert (places["height"] == places["displacement"]) == shared, (number, mode, places)
            assert "height" not in said, said


def test_names_are_one_resource_unless_authors_chose_two_places():
    for flags, at, count in ((["-g"], (1, 2), 2), (["-g", "--auto-map-bindings"], (None, None), 1)):
        modules = [glslang(shader(stage, ["uniform A%s { vec4 a%s; };" % (stage, stage)] * (stage == "frag" and not n)
                                  + ["%suniform Frame { vec4 time; };" % ("layout(binding = %d) " % n if n else "")],
                                  "time" + " + afrag" * (stage == "frag" and not n)), stage + ".spv", *flags)
                   for stage, n in (("vert", at[0]), ("frag", at[1]))]
        for mode in ("missing", "conflicts", "all"):
            done = bind("layout", "--rebind=" + mode, *modules)
            assert done.stdout.count("Frame") == count, (mode, done.stdout)
            assert ("SPB4003" in done.stderr) == (count == 2), done.stderr


def test_what_is_not_used_has_a_number_of_its_own():
    """glslang gives it 0, which another resource may have; using it moves nothing."""
    places = []
    for use in ("texture(a, vec2(0))", "texture(a, vec2(0)) + texture(b, vec2(0))"):
        source = shader("frag", ["uniform sampler2D a;", "uniform sampler2D b;"], use)
        module = glslang(source, "m.spv", "-g", "--auto-map-bindings")
        for mode in ("missing", "all"):
            places.append(layout_of("--rebind=" + mode, module)[0])
        bare = glslang(source, "bare.spv", "--auto-map-bindings")
        assert layout_of("-q", bare)[1] == 2
    assert all(p == {"a": (0, 0), "b": (0, 1)} for p in places), places


def test_what_is_only_listed_at_a_place_moves_as_the_message_says():
    """Vulkan, "Static Use": from SPIR-V 1.4 on, an entry point uses what its interface lists."""
    source = shader("vert", ["layout(binding = 0) uniform Data { vec4 pos; };",
                             "layout(binding = 0) uniform texture2D idle;"], "pos")
    module = glslang(source, "m.spv", "-g", "--target-env", "vulkan1.3")
    places, _, said = layout_of(module)
    assert places == {"Data": (0, 0), "idle": (0, 0)} and "SPB4001" in said and "use --rebind=all" in said, said
    places, _, said = layout_of("--rebind=all", module)
    assert places == {"Data": (0, 0), "idle": (0, 1)} and not said, said


def test_stages_bound_apart_are_told_apart_together():
    for number in ("65534", None):
        words = STRANGERS["ubo"]
        flags = ["-g"] if number else ["-g", "--auto-map-bindings"]
        qualifier = "layout(binding = %s) " % number if number else ""
        for mode in ([], ["--rebind=all"]):
            bound = []
            for stage, declaration, use in (("vert", *words[:2]), ("frag", *words[2:])):
                module = glslang(shader(stage, [qualifier + declaration], use), stage + ".spv", *flags)
                bind("-q", *mode, module, "-o", stage + ".bound.spv")
                assert list(read_places(stage + ".bound.spv").values()) == [(0, 0)]
                bound.append(stage + ".bound.spv")
            assert layout_of("--rebind=all", *bound)[1] == 2, (number, mode)


def test_names_of_decompilers_are_none():
    modules = [glslang(shader(stage, ["layout(binding = %d) uniform sampler2D %s;" % (i, name)],
                              "texture(%s, vec2(0))" % name), stage + ".spv", "-g")
               for i, (stage, name) in enumerate((("vert", "_12"), ("frag", "_12")))]
    done = bind("layout", *modules)
    assert done.stdout.count("_12") == 2 and "SPB4003" not in done.stderr, done
    assert "SPB4004" in bind("layout", "--rebind=all", *modules, expect=1).stderr


def pair(vert, frag, *flags):
    """Two stages with a block B, in one set."""
    blocks = [block if "binding" in block else "layout(binding = 0) " + block for block in (vert, frag)]
    return [glslang(shader(stage, [block], "a"), stage + ".spv", "-g", *flags)
            for stage, block in zip(("vert", "frag"), blocks)]


def test_blocks_of_one_name_hold_the_same():
    """If the binding is kept, different contents are a warning, and an error of check; if it is assigned, an error."""
    block = "uniform B { vec4 a; %s };"
    for one, other, words in (
            ("vec4 b; float c;", "float c; vec4 b;", '"c" (float) is at offset 16 here, but "b" (float4) at offset 16'),
            ("vec4 b; vec4 c;", "vec4 c; vec4 b;", '"c" (float4) is at offset 16 here, but "c" (float4) at offset 32'),
            ("mat4 m;", "layout(row_major) mat4 m;", '"m" (float4x4) at offset 16 has another stride or matrix order'),
            ("float f[4];", "float f[3];", '"f" (float[3]) is at offset 16 here, but "f" (float[4]) at offset 16'),
            ("uint n;", "float n;", '"n" (float) is at offset 16 here, but "n" (uint) at offset 16'),
            ("vec4 b;", "", None), ("", "vec4 b;", None), ("vec4 b;", "vec4 c;", None)):
        modules = pair(block % one, block % other)
        done = bind("layout", *modules)
        assert ("warning: [SPB4002]" in done.stderr) == bool(words) and (words or "") in done.stderr, done.stderr
        done = bind("check", *modules, expect=3 if words else 0)
        assert ("error: [SPB4002]" in done.stderr) == bool(words), done.stderr
        opened = pair(*["layout(binding = 65534) " + b for b in (block % one, block % other)])
        assert ("SPB4002" in bind("layout", *opened, expect=None).stderr) == bool(words)


def test_one_block_may_lack_members_of_all_others():
    """The second and the third agree with the first, but not with each other."""
    modules = [glslang(shader("frag", ["layout(binding = 65534) uniform B { vec4 a; %s };" % more], "a"),
                       "m%d.spv" % i, "-g") for i, more in enumerate(("", "vec4 b;", "uvec4 c;"))]
    assert '"c" (uint4) is at offset 16 here, but "b" (float4)' in bind("layout", *modules, expect=1).stderr


HLSL = {"vert": ("cbuffer Camera%s { float4 view; }; Texture2D height%s; SamplerState linear_height%s;\n"
                 "float4 main() : SV_Position { return view + height.SampleLevel(linear_height, float2(0, 0), 0); }"),
        "frag": ("cbuffer Light%s { float4 colour; }; Texture2D albedo%s; SamplerState linear_albedo%s;\n"
                 "float4 main() : SV_Target { return colour + albedo.SampleLevel(linear_albedo, float2(0, 0), 0); }")}


def hlsl(registers, *flags):
    modules = []
    for stage, text in HLSL.items():
        names = tuple(" : register(%s)" % r if registers else "" for r in ("b0", "t0", "s0"))
        source = write("h." + stage, text % names)
        modules.append(glslang(source, "h.%s.spv" % stage, "-D", "-S", stage, "-e", "main", "-g", *flags))
    return modules


def test_registers_of_stages():
    """Without registers there are six resources. Registers that both authors wrote are shared, with a warning: in
    D3D11, each stage has its own."""
    for flags, rules in itertools.product(([], ["--auto-map-bindings"]), ("hlsl", "slang")):
        places, count, said = layout_of("--rules=" + rules, *hlsl(False, *flags))
        assert count == 6 and "SPB4016" not in said, (flags, rules, places, said)
    places, count, said = layout_of("--rules=hlsl", *hlsl(True))
    assert count == 3 and said.count("warning: [SPB4016]") == 3 and "--shift=b@fragment=N" in said, (places, said)
    shifts = ["--shift=%s@%s=%d" % (c, stage, 10 * i + k) for i, stage in enumerate(("vertex", "fragment"))
              for k, c in enumerate("bts")]
    places, count, said = layout_of("--rules=hlsl", *shifts, *hlsl(True))
    assert count == 6 and "SPB4016" not in said, (places, said)


def loose(vert, frag, *flags):
    return [glslang(shader(stage, ["uniform %s;" % u for u in names.split(", ")], use), stage + ".spv", "-R", "--aml",
                    *flags) for stage, (names, use) in (("vert", vert), ("frag", frag))]


def test_blocks_that_a_compiler_named_are_one_for_each_content():
    different = (("mat4 mvp", "mvp[0]"), ("vec4 tint", "tint"))
    for flags in (["--auto-map-bindings"], ["--auto-map-bindings", "-g"]):
        places, count, said = layout_of("--rebind=all", *loose(*different, *flags))
        assert set(places) == {"gl_DefaultUniformBlock", "gl_DefaultUniformBlock.fragment"}, (flags, places)
        assert count == 2, (flags, places)
        places, count, said = layout_of("--rebind=all", *loose(different[0], different[0], *flags))
        assert set(places) == {"gl_DefaultUniformBlock"}, (flags, places)
    texts = {"vert": "float4 offs; float4 main(float4 p : POSITION) : SV_Position { return p + offs; }",
             "frag": "float4 tint, glow; float4 main() : SV_Target { return tint + glow; }"}
    for flags in ([], ["-g"]):
        modules = [glslang(write("g." + stage, text), "g.%s.spv" % stage, "-D", "-S", stage, "-e", "main", *flags)
                   for stage, text in texts.items()]
        for rules in ("hlsl", "slang"):
            places, count, said = layout_of("--rules=" + rules, *modules)
            assert places == {"$Global": (0, 0), "$Global.fragment": (0, 1)}, (rules, places)
        places, count, said = layout_of("--rules=hlsl", "--place=$Global.fragment=2.7", *modules)
        assert places == {"$Global": (0, 0), "$Global.fragment": (2, 7)}, places
        same = [modules[1], glslang("g.frag", "h.frag.spv", "-D", "-S", "frag", "-e", "main", *flags)]
        assert set(layout_of("--rules=hlsl", *same)[0]) == {"$Global"}


if __name__ == "__main__":
    running.main(globals())
