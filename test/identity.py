# SPDX-License-Identifier: Apache-2.0
"""Which resources of a program are the same: by name, by numbers that authors wrote, and by numbers that tools
assigned.

    identity.py --bind B [--only WORD]
"""
import itertools
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import read_places  # noqa: E402
from running import bind, glslang, read, read_text, run, says, write  # noqa: E402

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


def test_unrelated_resources_with_the_same_number_are_two_resources():
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


def test_numbers_in_the_text_determine_sharing():
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


def test_unused_resources_have_separate_numbers():
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


def test_resources_only_listed_at_a_place_move_as_reported():
    """Vulkan, "Static Use": from SPIR-V 1.4 on, an entry point uses what its interface lists."""
    source = shader("vert", ["layout(binding = 0) uniform Data { vec4 pos; };",
                             "layout(binding = 0) uniform texture2D idle;"], "pos")
    module = glslang(source, "m.spv", "-g", "--target-env", "vulkan1.3")
    places, _, said = layout_of(module)
    assert places == {"Data": (0, 0), "idle": (0, 0)} and "SPB4001" in said and "use --rebind=all" in said, said
    places, _, said = layout_of("--rebind=all", module)
    assert places == {"Data": (0, 0), "idle": (0, 1)} and not said, said


def test_stages_bound_separately_are_distinguished_together():
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


def test_names_from_decompilers_are_ignored():
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
        assert bool(says(done.stderr, "warning SPB4002")) == bool(words) and (words or "") in done.stderr, done.stderr
        done = bind("check", *modules, expect=3 if words else 0)
        assert bool(says(done.stderr, "error SPB4002")) == bool(words), done.stderr
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
    assert count == 3 and says(said, "warning SPB4016") == 3 and "--shift=b@fragment=N" in said, (places, said)
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
        if flags:  # structs of one name with other members
            for stage, member in (("vert", "phase"), ("frag", "table")):
                write("p." + stage, "struct P { float %s; }; [[vk::push_constant]] P constants; %s"
                      "{ return constants.%s; }" % (member, texts[stage].split(";")[-2].split("{")[0], member))
            pushed = [glslang("p." + s, "p.%s.spv" % s, "-D", "-S", s, "-e", "main", *flags) for s in texts]
            assert set(layout_of(*pushed)[0]) == {"$Global", "$Global.fragment"}
        run("spirv-link", *modules, "-o", "linked.spv")
        places, count, said = layout_of("--rules=slang", "linked.spv")
        assert places == {"$Global": (0, 0), "$Global.fragment": (0, 1)}, (flags, places)
        same = [modules[1], glslang("g.frag", "h.frag.spv", "-D", "-S", "frag", "-e", "main", *flags)]
        assert set(layout_of("--rules=hlsl", *same)[0]) == {"$Global"}


def test_a_stage_bound_again_alone_keeps_numbers_that_meant_nothing_before():
    """C had 0 as what has no register does, and has the 0 of its program since; alone, 0 would go to `gone`."""
    texts = {"vert": "Texture2D height : register(t0);\ncbuffer C { float4 c; };\n"
                     "float4 main() : SV_Position { return c + height.Load(int3(0, 0, 0)); }",
             "frag": "Texture2D albedo : register(t0);\nTexture2D gone;\ncbuffer C { float4 c; };\n"
                     "float4 main() : SV_Target { return c + albedo.Load(int3(0, 0, 0)); }"}
    modules = [glslang(write("c." + stage, text), "c.%s.spv" % stage, "-D", "-S", stage, "-e", "main", "-g",
                       "--shift-texture-binding", "10") for stage, text in texts.items()]
    bind("-q", *modules, "--out-dir=bound")
    assert layout_of("bound/c.frag.spv")[0] == {"C": (0, 0), "albedo": (0, 10)}
    assert bind("bound/c.frag.spv", "-o", "again.spv") and read("again.spv") == read("bound/c.frag.spv")


def test_without_a_text_the_order_is_that_of_old_numbers():
    """Whoever numbered them had an order; glslang writes variables as functions use them."""
    source = shader("frag", ["layout(binding = %d) uniform sampler2D %s;" % (n, name)
                             for n, name in ((7, "a"), (2, "b"), (65534, "c"), (5, "d"))],
                    "texture(c, vec2(0)) + texture(a, vec2(0)) + texture(d, vec2(0)) + texture(b, vec2(0))")
    for mode in ("all", "all,sets"):
        places = layout_of("--rebind=" + mode, glslang(source, "m.spv"))[0]
        assert places == {"b": (0, 0), "d": (0, 1), "a": (0, 2), "c": (0, 3)}, places


def test_what_authors_share_is_compared():
    """Two names at one number are told if one descriptor cannot be both: in one module, where it may be a trick, by a
    note; an error of check if blocks of two modules differ."""
    for one, other, words, checked in (
            ("uniform Camera { mat4 view; };", "uniform Light { vec4 tint; };",
             '"tint" (float4) is at offset 0 here, but "view" (float4x4) at offset 0 in "Camera"', "error"),
            ("readonly buffer A { vec4 a[]; };", "readonly buffer B { float b[]; };", '"b" (float[])', "error"),
            ("uniform sampler2D height;", "uniform samplerCube sky;", "one view cannot be of both types", "warning"),
            ("uniform Camera { vec4 a; vec4 b; } one;", "uniform Light { vec4 a; } two;", None, None),
            ("uniform sampler2D height;", "uniform sampler2D displacement;", None, None),
            ("uniform sampler2D height[2];", "uniform samplerCube sky[2];", None, None)):
        both = ["layout(binding = 3) " + d for d in (one, other)]
        apart = [glslang(shader(stage, [d], "vec4(0)"), stage + ".spv", "-g")
                 for stage, d in zip(("vert", "frag"), both)]
        together = [glslang(shader("frag", both, "vec4(0)"), "both.spv", "-g")]
        for modules, said_by_bind, said_by_check in ((apart, "warning", checked), (together, "note", "note")):
            done = bind("layout", *modules)
            assert bool(says(done.stderr, "%s SPB4016" % said_by_bind)) == bool(words), done.stderr
            assert (words or "") in done.stderr, done.stderr
            done = bind("check", *modules, expect=3 if words and said_by_check == "error" else 0)
            assert not words or says(done.stderr, "%s SPB4016" % said_by_check), done.stderr


def test_one_attachment_for_each_binding():
    source = shader("frag", ["layout(input_attachment_index = %d, binding = 3) uniform subpassInput i%d;" % (i, i)
                             for i in range(2)], "subpassLoad(i0) + subpassLoad(i1)")
    said = layout_of(glslang(source, "m.spv"))[2]
    assert says(said, "warning SPB4016") and "of attachment 0 or 1" in said, said


def test_what_is_kept_apart_has_a_type_of_its_own():
    """A texture of one pipeline may be where another one has a sampler; no descriptor is both."""
    modules = []
    for name, image, sampler in (("a", "t", "s"), ("b", "v", "w")):
        kinds = ["uniform sampler %s;" % sampler, "uniform texture2D %s;" % image]
        write(name, "#version 460\nlayout(set = 1, binding = 0) buffer O { vec4 o; };\n" + "".join(
            "layout(binding = 0) " + k + "\n" for k in (kinds if name == "a" else kinds[::-1])) +
            "void main() { o = textureLod(sampler2D(%s, %s), vec2(0), 0); }\n" % (image, sampler))
        modules.append(glslang(name, name + ".spv", "-S", "comp"))
    bind("layout", "-q", "--rebind=conflicts", "--policy=option shared=apart", *modules, "--layout-json=l.json")
    for b in json.loads(read_text("l.json"))["sets"][0]["bindings"]:
        assert {v["type"]["kind"] for v in b["views"]} == {b["type"]["kind"]}, b


def test_push_constants_of_stages_are_compared():
    for vert, frag, words in (
            ("mat4 m;", "layout(offset = 48) vec4 c;",
             '"c" (float4) is at offset 48 here, but "m" (float4x4) at offset 0'),
            ("vec4 a; vec4 b;", "vec4 b; vec4 a;", '"b" (float4) is at offset 0 here, but "b" (float4) at offset 16'),
            ("mat4 m;", "layout(offset = 64) vec4 c;", None), ("mat4 m;", "mat4 m; vec4 c;", None),
            ("vec4 a;", "vec4 other;", None)):
        modules = [glslang(shader(stage, ["layout(push_constant) uniform P { %s } p;" % members], "vec4(0)"),
                           stage + ".spv") for stage, members in (("vert", vert), ("frag", frag))]
        said = bind(*modules, "--out-dir=bound").stderr
        assert bool(says(said, "warning SPB4035")) == bool(words) and (words or "") in said, said
        assert "SPB4035" not in bind(modules[0], "-o", "alone.spv").stderr


def test_check_names_what_nothing_has_assigned():
    source = shader("frag", ["layout(binding = 1) uniform sampler2D a;", "layout(binding = 65534) uniform sampler2D b;",
                             "layout(binding = 4000) uniform sampler2D c;"],
                    "texture(a, vec2(0)) + texture(b, vec2(0)) + texture(c, vec2(0))")
    module = glslang(source, "m.spv")
    said = bind("check", module, expect=3).stderr
    assert says(said, "error SPB4036") and '"b" has Binding 65534' in said, said
    assert "nothing has assigned one to it [" in said, said
    said = bind("check", "--auto-binding=4000", module, expect=3).stderr
    assert "nor to 1 more" in said, said
    bind(module, "-o", "bound.spv")
    assert not bind("check", "bound.spv").stderr


def test_explain_says_who_chose_a_number():
    texts = {"author": "layout(binding = 3) uniform sampler2D a;",
             "nobody": "layout(binding = 65534) uniform sampler2D a;", "compiler": "uniform sampler2D a;"}
    words = {"author": ", chosen by its author", "nobody": ', which means "assign one"',
             "compiler": ", which does not count: its compiler chose it for this stage alone",
             "spirv-bind": ", chosen by spirv-bind", "tool": ", chosen by a tool",
             "unknown": ", and nothing shows who chose it"}
    for who, declaration in texts.items():
        flags = ["--auto-map-bindings"] if who == "compiler" else []
        module = glslang(shader("frag", [declaration], "texture(a, vec2(0))"), "m.spv", "-g", *flags)
        assert words[who] + "\n" in bind("explain", module).stdout, who
        if who == "compiler":
            bind(module, "-o", "bound.spv")
            assert words["spirv-bind"] in bind("explain", "bound.spv").stdout
        if who == "author":
            bind("--place=a=0.7", module, "-o", "moved.spv")
            assert words["tool"] in bind("explain", "moved.spv").stdout
            bare = glslang("s.frag", "bare.spv")
            assert words["unknown"] in bind("explain", bare, "moved.spv").stdout
            assert "nothing shows" not in bind("explain", bare).stdout


LINKED = {  # what both stages declare, of the first and of the second; and what only the second does
    "a sentinel": ("layout(binding = 65534) uniform Lights { vec4 light; };",) * 2,
    "one number": ("layout(binding = 4) uniform Lights { vec4 light; };",) * 2,
    "two numbers": ("layout(binding = 4) uniform Lights { vec4 light; };",
                    "layout(binding = 5) uniform Lights { vec4 light; };"),
    "macros": ("#define BLOCK Lights\nlayout(binding = 65534) uniform BLOCK { vec4 light; };",
               "#ifdef BLOCK\n#error of the other stage\n#endif\n"
               "layout(binding = 65534) uniform Lights { vec4 light; };"),
    "a struct of resources": ("struct Maps { sampler2D a; texture2D b[2]; };\nuniform Maps maps;\n"
                              "#define light texture(maps.a, vec2(0))",) * 2,
    "an array": ("layout(binding = 65534) uniform sampler2D maps[4];\n#define light texture(maps[1], vec2(0))",) * 2,
    "a struct of data and resources": ("struct Lamp { vec4 at; sampler2D a, b; };\nuniform Lamp lamp;\n"
                                       "#define light (texture(lamp.b, vec2(0)) + lamp.at)",) * 2,
}


def test_linked_stages_are_numbered_as_apart():
    """One lock serves both: names are identity within a module, too."""
    for (kind, (one, other)), flags in itertools.product(LINKED.items(), (["-g"], [])):
        modules, lost = [], not flags and kind in ("a sentinel", "macros")
        flags = flags + ["-R", "--auto-map-locations", "--auto-map-bindings"] * ("data" in kind)
        for stage, block in (("vert", one), ("frag", other)):
            name = "height" if stage == "vert" else "albedo"
            source = shader(stage, ["layout(binding = 65534) uniform sampler2D %s;" % name, block],
                            "light + texture(%s, vec2(0))" % name)
            modules.append(glslang(source, stage + ".spv", *flags))
        run("spirv-link", *modules, "-o", "linked.spv")
        if lost:  # of two types, the linker keeps one name
            assert layout_of("linked.spv")[2].count("warning") == layout_of("linked.spv")[2].count("[SPB4004]") == 1
            continue
        if os.path.exists("l"):
            os.remove("l")
        bind("-q", "--lock=l", "--update-lock", *modules, "--out-dir=apart")
        bind("-q", "--lock=l", "--locked", "linked.spv", "-o", "bound.spv")
        for options in (["-q"], ["-q", "--split-combined"], ["-q", "--split-combined", "--rebind=all"]):
            if "--rebind=all" in options and "-g" not in flags:
                continue  # the order is that of OpVariable, module by module
            assert layout_of(*options, *modules)[:2] == layout_of(*options, "linked.spv")[:2], (kind, flags, options)
        assert bind("-q", "bound.spv", "-o", "again.spv") and read("again.spv") == read("bound.spv"), kind


def test_what_a_stage_alone_declares_stays_that_of_the_stage_when_linked():
    """A place that a compiler dropped stays free, counters are those of their buffers, and loose uniforms that another
    stage declares, too, are in the block of each."""
    hlsl, places = "{}Texture2D a, b;\nfloat4 main() : {} {{ return a[uint2(0, 0)] + b[uint2(0, 0)]{}; }}", (1, 20)
    main = {"vert": "SV_Position", "frag": "SV_Target"}
    cases = []
    for text, use in (("[[vk::binding(%d)]] Texture2D n;", " + n[uint2(0, 0)]"),
                      ("cbuffer n : register(b%d) { float4 v; }", " + v"),
                      ("namespace N { Texture2D n : register(t%d); }", " + N::n[uint2(0, 0)]"),
                      ("AppendStructuredBuffer<float4> n : register(u%d);", "")):
        for one, other in itertools.product(("", use), repeat=2):
            for order in (places, places[::-1]):
                cases.append([(s, hlsl.format(text % n, main[s], u)) for s, n, u in zip(main, order, (one, other))])
    glsl = "#version 460\n{}\nuniform texture2D {};\n{}void main() {{ {} = tint; }}"
    for one, other in itertools.permutations(("", "uniform vec4 shade;\n")):
        cases.append([("vert", glsl.format("uniform vec4 tint;", "a", one, "gl_Position")),
                      ("frag", glsl.format("layout(location = 0) out vec4 color;", "b", other + "uniform vec4 tint;\n",
                                           "color"))])
    for case in cases:
        modules = [glslang(write("s." + stage, text), stage + ".spv", "-g", "-S", stage, *(
            ["-D", "-e", "main"] if "SV_" in text else ["-R", "--auto-map-bindings", "--auto-map-locations"]))
            for stage, text in case]
        run("spirv-link", *modules, "-o", "linked.spv")
        apart, linked = layout_of("-q", *modules), layout_of("-q", "linked.spv")
        assert apart[:2] == linked[:2], (case, apart, linked)


def test_an_unused_namesake_in_a_linked_module_is_still_another_one():
    """Bound with --rebind=all, it has neither a stage nor its author's number."""
    for uses in itertools.permutations(("n.v[0]", "vec4(0)")):
        modules = [glslang(shader(stage, ["layout(binding = %d) buffer N { vec4 v[]; } n;" % number], use),
                           stage + ".spv", "-g") for stage, number, use in zip(("vert", "frag"), (3, 203), uses)]
        run("spirv-link", *modules, "-o", "linked.spv")
        bind("-q", "--rebind=all", "linked.spv", "-o", "bound.spv")
        bind("-q", "--rebind=all", "bound.spv", "-o", "again.spv")
        assert layout_of("-q", "bound.spv")[1] == 2 and read("again.spv") == read("bound.spv"), uses


def test_blocks_of_linked_stages_that_share_a_type_are_not_strangers():
    """spirv-link makes one type of blocks with equal members; the text of the stage says whose block it is."""
    blocks = {"instances": ("} a;", "a.x", "} b;", "b.x"), "only one": ("} a;", "a.x", "};", "x"),
              "neither": ("};", "x", "};", "x")}
    for kind, (end, use, other_end, other) in blocks.items():
        for flags in (["-g"], []):
            modules = [glslang(shader(stage, ["layout(binding = 65534) uniform %s { vec4 x; %s" % (name, e)], u),
                               stage + ".spv", *flags)
                       for stage, name, e, u in (("vert", "A", end, use), ("frag", "B", other_end, other))]
            run("spirv-link", *modules, "-o", "linked.spv")
            places, count, said = layout_of("linked.spv")
            assert count == 2 and (places == {"A": (0, 0), "B": (0, 1)} if flags else "SPB4004" in said), (kind, said)


def test_a_linked_module_has_texts_of_several_languages():
    """Each is read with its own macros and copy of a header; a number may be written in one of them only."""
    write("shared.h", "#ifdef TINTED\nfloat4 tint;\n#endif\nTexture2D dropped;\nSamplerState both")
    number = {"nobody": (65534, "", {}), "hlsl": (65534, " : register(s7)", {"both": 7}),
              "both": (7, " : register(s7)", {"both": 7}), "glsl": (7, "", {"both": 7})}
    for (who, (glsl, register, fixed)), env in itertools.product(number.items(), ("vulkan1.0", "vulkan1.2")):
        source = shader("frag", ["layout(binding = 65534) uniform texture2D map;",
                                 "layout(binding = %d) uniform sampler both;" % glsl],
                        "texture(sampler2D(map, both), vec2(0))")
        modules = [glslang(source, "frag.spv", "-g", "--target-env", env)]
        for stage, text in (("vert", ""), ("geom", "#define TINTED\n")):
            main = {"vert": "float4 lift; Texture2D of_vert;\n"
                            "float4 main() : SV_Position { return of_vert.SampleLevel(both, 0, 0) + lift; }",
                    "geom": "Texture2D of_geom;\n"
                            "[maxvertexcount(1)] void main(point float4 p[1] : A, inout PointStream<float4> o)\n"
                            "{ o.Append(of_geom.SampleLevel(both, 0, 0) + tint); }"}[stage]
            write("a." + stage, '%s#include "shared.h"\n%s;\n%s' % (text, register, main))
            modules.insert(len(modules) - 1, glslang("a." + stage, stage + ".spv", "-D", "-g", "-S", stage,
                                                     "-e", "main", "--target-env", env))
        run("spirv-link", *modules, "-o", "linked.spv")
        apart, linked = layout_of("-q", *modules), layout_of("-q", "linked.spv")
        assert apart[:2] == linked[:2] and not linked[2], (who, env, apart, linked)
        assert {name: linked[0][name][1] for name in fixed} == fixed, (who, linked)
        assert {"$Global", "$Global.geometry"} <= set(linked[0]), linked


def test_linked_stages_that_do_not_use_what_they_declare():
    """After HLSL, blocks go by their instances, which nothing ties to a stage that does not use them. The texture gets
    (0, 0), which would otherwise mean that only HLSL, without a register, declared it."""
    write("c", "RWBuffer<float4> map : register(u8); Texture2D t; [numthreads(1, 1, 1)] void main() { map[0] = 0; }")
    modules = [glslang("c", "c.spv", "-D", "-g", "-S", "comp", "-e", "main")]
    for stage, use in (("vert", "vec4(0)"), ("frag", "one.a + texelFetch(t, ivec2(0), 0)")):
        source = shader(stage, ["#extension GL_EXT_samplerless_texture_functions : enable",
                                "layout(binding = 65534) uniform texture2D t;",
                                "layout(binding = 65534) uniform B { vec4 a; } one;"], use)
        modules.append(glslang(source, stage + ".spv", "-g"))
    run("spirv-link", *modules, "-o", "linked.spv")
    assert layout_of("linked.spv") == ({"t": (0, 0), "B": (0, 1), "map": (0, 8)}, 3, ""), layout_of("linked.spv")
    bind("linked.spv", "-o", "bound.spv")
    assert bind("bound.spv", "-o", "again.spv") and read("again.spv") == read("bound.spv")


def test_a_set_that_one_author_wrote_is_that_of_all_stages():
    """glslang writes set 0 where HLSL has neither a register nor a space, which says nothing."""
    places = {"layout(set = 1, binding = 65534) uniform texture2D t;": (1, 0),
              "layout(set = 1, binding = 3) uniform texture2D t;": (1, 3),
              "layout(binding = 65534) uniform texture2D t;": (0, 0)}
    write("h", "Texture2D t; float4 main() : SV_Target { return t.Load(int3(0, 0, 0)); }")
    glslang("h", "h.spv", "-D", "-g", "-S", "frag", "-e", "main")
    for declaration, at in places.items():
        source = shader("vert", ["#extension GL_EXT_samplerless_texture_functions : enable", declaration],
                        "texelFetch(t, ivec2(0), 0)")
        glslang(source, "v.spv", "-g")
        for modules in (["h.spv", "v.spv"], ["v.spv", "h.spv"]):
            run("spirv-link", *modules, "-o", "linked.spv")
            for given in (modules, ["linked.spv"]):
                assert layout_of(*given)[::2] == ({"t": at}, ""), (declaration, layout_of(*given))
        bind("-q", "--lock=l", "--update-lock", "h.spv", "-o", "bound.spv")
        done = [bind("layout", "--lock=l", *modules, expect=None)
                for modules in (["h.spv", "v.spv"], ["v.spv", "h.spv"])]
        assert {"SPB4012" in d.stderr for d in done} == {at != (0, 0)}, (declaration, done)
    assert layout_of("--policy=option default-set=2", "h.spv")[0] == {"t": (2, 0)}
    assert layout_of("--policy=option default-set=2", "v.spv")[0] == {"t": (2, 0)}
    bind("--policy=option default-set=2", "h.spv", "-o", "bound.spv")
    assert bind("bound.spv", "-o", "again.spv") and read("again.spv") == read("bound.spv")


def test_two_sets_of_one_name_are_an_error_that_names_both():
    modules = [glslang(shader(stage, ["layout(set = %d, binding = 65534) uniform sampler2D t;" % n],
                              "texture(t, vec2(0))"), stage + ".spv", "-g") for stage, n in (("vert", 1), ("frag", 2))]
    for mode in ("missing", "all"):
        said = bind("layout", "--rebind=" + mode, *modules, expect=1).stderr
        assert '"t" is in set 2 here, but in set 1 in vert.spv [SPB4003]' in said and "--rebind=all,sets" in said, said
    assert layout_of("--rebind=all,sets", *modules)[::2] == ({"t": (0, 0)}, "")


def test_a_bound_module_still_matches_its_text():
    """Its struct has been split. The number of what no stage uses, (0, 0), would be nobody's without the text."""
    source = shader("frag", ["struct Maps { sampler2D a; sampler2D b; };", "uniform Maps maps;",
                             "layout(binding = 0) uniform B { vec4 idle; };"], "texture(maps.b, vec2(0))")
    bind(glslang(source, "m.spv", "-g"), "-o", "bound.spv")
    said = bind("explain", "--name=B", "bound.spv").stdout
    assert "declared at s.frag:5" in said and "binding 0, chosen by its author" in said, said


def test_a_dropped_declaration_is_not_held_against_what_has_been_bound():
    """Its text says binding 5 in both modules; bound, one of them has it at 0, as the other's text cannot know."""
    glslang(write("a.vert.hlsl", "[[vk::binding(5)]] Texture2D map;\n"
                  "float4 main() : SV_Position { return 0; }\n"), "a.spv", "-D", "-e", "main", "-S", "vert", "-g")
    glslang(shader("frag", ["layout(binding = 5) uniform texture2D map;", "layout(binding = 7) uniform sampler s;"],
                   "texture(sampler2D(map, s), vec2(0))"), "b.spv", "-g")
    flags = ("--rules=slang", "--rebind=all", "-q")
    bind("a.spv", "b.spv", *flags, "--out-dir=once")
    bind("once/a.spv", "once/b.spv", *flags, "--out-dir=twice")
    assert read_places("once/b.spv") == {"map": (0, 0), "s": (0, 1)}
    assert read("once/b.spv") == read("twice/b.spv")


PAIRS = """struct Pair { Texture2D a; Texture2D b; };
Pair pairs[2]; SamplerState s;
float4 main(float4 p : SV_Position) : SV_Target { return pairs[0].a.Sample(s, 0) + pairs[1].b.Sample(s, 0); }
"""
# pairs.a and pairs.b, as resolve-descriptors splits an array of structs
WHOLE = """
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
               OpName %v "pairs"
               OpMemberName %pair 0 "a"
               OpMemberName %pair 1 "b"
       %void = OpTypeVoid
     %fnvoid = OpTypeFunction %void
      %float = OpTypeFloat 32
       %uint = OpTypeInt 32 0
         %u2 = OpConstant %uint 2
        %tex = OpTypeImage %float 2D 0 0 0 1 Unknown
       %pair = OpTypeStruct %tex %tex
      %pairs = OpTypeArray %pair %u2
    %pointer = OpTypePointer UniformConstant %pairs
          %v = OpVariable %pointer UniformConstant
       %main = OpFunction %void None %fnvoid
      %entry = OpLabel
               OpReturn
               OpFunctionEnd
"""


def test_an_array_of_structs_is_split_in_one_way_by_all_stages():
    """By element, each has a number; by member, each member has one. One program cannot have both."""
    glslang(write("f.hlsl", PAIRS), "f.spv", "-D", "-e", "main", "-S", "frag", "-g")
    write("v.spvasm", WHOLE)
    run("spirv-as", "--target-env", "vulkan1.0", "v.spvasm", "-o", "v.spv")
    assert layout_of("-q", "f.spv")[0] == {"pairs[0].a": (0, 0), "pairs[1].b": (0, 3), "s": (0, 4)}
    assert layout_of("-q", "v.spv")[0] == {"pairs.a": (0, 0), "pairs.b": (0, 1)}
    for modules in (["f.spv", "v.spv"], ["v.spv", "f.spv"]):
        said = bind("layout", "-q", *modules, expect=1).stderr
        assert says(said, "error SPB4002"), said
        assert '"pairs[0].a" is an element of an array that v.spv has as a whole' in said, said


MATERIAL = ["struct M { sampler2D map, detail; float gloss; };", "uniform vec3 eye;", "uniform sampler2D shadow;",
            "uniform M m;"]


def test_structs_among_loose_uniforms_are_resources_of_their_own():
    """glslang -R puts a struct that has data beside resources into the block of loose uniforms."""
    body = "(eye.x + m.gloss) * texture(m.map, vec2(0)) + texture(shadow, vec2(0))"
    other = ["struct M { sampler2D map, detail; float gloss; };", "uniform float phase;", "uniform M m;"]
    wanted = {"gl_DefaultUniformBlock": (0, 0), "shadow": (0, 1), "m.map": (0, 2), "m.detail": (0, 3)}
    for flags, use in itertools.product((["-g"], []), (body, "texture(m.detail, vec2(0))", "texture(shadow, vec2(0))")):
        frag = glslang(shader("frag", MATERIAL, use), "f.spv", "-R", "--aml", "--auto-map-bindings", *flags)
        vert = glslang(shader("vert", other, "phase * texture(m.map, vec2(0))"), "v.spv", "-R", "--aml",
                       "--auto-map-bindings", *flags)
        for mode in ("missing", "conflicts", "all"):
            places, count, said = layout_of("-q", "--rebind=" + mode, frag)
            assert len(set(places.values())) == len(places) and set(places) <= set(wanted), (flags, use, mode, places)
            for name in places if flags else []:
                assert places[name] == wanted[name], (use, mode, places)
            if "m.map" in places:
                assert places["m.detail"][1] == places["m.map"][1] + 1, (flags, use, mode, places)
        places, count, said = layout_of("-q", "--rebind=all", vert, frag)
        assert sum("m." in name for name in places) == 2 and len(set(places.values())) == len(places), (flags, places)
        bind("--rebind=all", frag, "-o", "bound.spv", "-q")
        bind("bound.spv", "-o", "again.spv", "-q")
        assert read("bound.spv") == read("again.spv"), (flags, use)


def test_a_struct_is_numbered_as_one_if_some_members_are_unused():
    source = ["struct S { sampler2D a, b; };", "uniform S s;", "uniform sampler2D z;"]
    for use in ("texture(s.a, vec2(0))", "texture(s.b, vec2(0))", "texture(z, vec2(0)) + texture(s.b, vec2(0))"):
        module = glslang(shader("frag", source, use), "m.spv", "--auto-map-bindings")
        for mode in ("conflicts", "all"):
            places, count, said = layout_of("-q", "--rebind=" + mode, module)
            assert places["s.b"] == (0, places["s.a"][1] + 1), (use, mode, places)


def test_without_a_text_unused_resources_are_no_strangers_and_stay():
    """glslang gives all of them binding 0 of their set; the second run of two must not take its own 0 for that."""
    stages = {"vert": (["uniform sampler2D a;", "uniform sampler2D b;", "uniform B { vec4 v; };"], "vec4(0)"),
              "frag": (["uniform sampler2D b;", "layout(set = 1) uniform sampler2D c;",
                        "layout(set = 1) uniform sampler2D d;", "uniform sampler2D a;"], "texture(b, vec2(0))")}
    modules = [glslang(shader(stage, *text), stage + ".spv", "--auto-map-bindings") for stage, text in stages.items()]
    for mode in ("missing", "conflicts", "all"):
        places, count, said = layout_of("-q", "--rebind=" + mode, *modules)
        assert len(set(places.values())) == len(places) == 5, (mode, places)
        bind("-q", "--rebind=" + mode, *modules, "--out-dir=once")
        bind("-q", "--rebind=" + mode, "once/vert.spv", "once/frag.spv", "--out-dir=twice")
        assert [read("once/" + m) for m in modules] == [read("twice/" + m) for m in modules], mode


def test_what_authors_share_moves_together_even_if_one_is_unused():
    texts = {"vert": "Texture2D height : register(t3); float4 main() : SV_Position { return %s; }",
             "frag": "Texture2D z : register(t5); Texture2D displacement : register(t3); Texture2D y;"
                     "float4 main() : SV_Target { return displacement.Load(0) + y.Load(0) + z.Load(0); }"}
    found = []
    for use in ("0", "height.Load(0)"):
        modules = [glslang(write("m." + stage, text % use if "%s" in text else text), "m.%s.spv" % stage, "-D", "-g",
                           "-S", stage, "-e", "main") for stage, text in texts.items()]
        places, count, said = layout_of("--rules=slang", "--rebind=all", *modules)
        assert ("SPB4016" in said) == (use != "0"), said
        places.pop("height", None)
        found.append(places)
    assert found[0] == found[1] == {"displacement": (0, 0), "z": (0, 1), "y": (0, 2)}, found


def test_a_number_of_one_module_does_not_join_what_another_numbers():
    """Where it is unused, glslang gives it 0, so it has the number of `other` in no module."""
    modules = [glslang(shader(*stage), stage[0] + ".spv", "--auto-map-bindings") for stage in (
        ("vert", ["uniform sampler2D a;", "uniform sampler2D both;"], "texture(a, vec2(0)) + texture(both, vec2(0))"),
        ("frag", ["uniform sampler2D b;", "uniform sampler2D both;", "uniform sampler2D other;"],
         "texture(b, vec2(0)) + texture(other, vec2(0))"))]
    for mode in ("conflicts", "all"):
        places, count, said = layout_of("-q", "--rebind=" + mode, *modules)
        assert count == len(places) == 4, (mode, places)


def test_parts_that_an_earlier_run_made_are_what_another_stage_drops():
    """Each of them by its name in the text, also beside a stage that has not been bound yet."""
    text = ("Texture2D a; cbuffer p { float4 v; Texture2D t; RWBuffer<float4> u; }; Texture2D z;"
            "float4 main() : %s { return %s; }")
    modules = [glslang(write("m." + stage, text % (end, use)), "m.%s.spv" % stage, "-D", "-g", "-S", stage, "-e",
                       "main") for stage, end, use in (("vert", "SV_Position", "a.Load(0)"),
                       ("frag", "SV_Target", "v + u[1] + t.Load(0) + z.Load(0)"))]
    wanted = {"a": (0, 0), "p": (0, 1), "p.t": (0, 2), "p.u": (0, 3), "z": (0, 4)}
    bind("--rebind=all", *modules, "--out-dir=once", "-q")
    for program in (modules, ["once/m.vert.spv", "once/m.frag.spv"], ["m.vert.spv", "once/m.frag.spv"]):
        for order in (program, program[::-1]):
            places, count, said = layout_of("-q", "--rebind=all", *order)
            assert places == wanted, (order, places)
    struct = "struct T { sampler2D a; texture2D b[2]; }; uniform T p;"
    split = [glslang(shader(stage, [struct], "texture(p.a, vec2(0))"), stage + ".spv", "-g")
             for stage in ("vert", "frag")]
    bind(split[0], "-o", "bound.spv", "-q")
    for order in (["bound.spv", split[1]], [split[1], "bound.spv"]):
        places, count, said = layout_of("-q", *order)
        assert count == 2 and places == {"p.a": (0, 0), "p.b": (0, 1)}, (order, places)


def test_what_authors_share_or_part_stays_so_if_a_stage_drops_it():
    """Two names at one register, also at 0, and one name at two; bound again, their texts alone show it."""
    vert = "Texture2D a : register(t%d); SamplerState s : register(s2); float4 main() : SV_Position { return %s; }"
    frag = "Texture2D o, b : register(t%d); SamplerState s : register(s3); float4 main() : SV_Target { return %s; }"
    for number in (0, 5):
        for uses in (("a.Load(0)", "o.Load(0)"), ("0", "b.Load(0)"), ("0", "b.Sample(s, 0)"), ("a.Sample(s, 0)", "0")):
            modules = [glslang(write("d." + stage, text % (number, use)), "d.%s.spv" % stage, "-D", "-g", "-S", stage,
                               "-e", "main") for stage, text, use in zip(("vert", "frag"), (vert, frag), uses)]
            bind("--rebind=all", *modules, "--out-dir=once", "-q")
            for program in (modules, ["once/d.vert.spv", "once/d.frag.spv"]):
                places, count, said = layout_of("-q", "--rebind=all", *program)
                wanted = {"a": (0, 0), "o": (0, 2), "b": (0, 0)}
                assert {n: p for n, p in places.items() if n != "s"} == {n: wanted[n] for n in places if n != "s"}, (
                    number, uses, program, places)
                if "s" in places:
                    assert places["s"] == ((0, 1) if "a.S" in uses[0] else (0, 3)), (number, uses, program, places)


COUNTED = {  # type, use
    "append": ("AppendStructuredBuffer", "a.Append(0);"),
    "indexed": ("RWStructuredBuffer", "x += a[a.IncrementCounter()];"),
    "counter alone": ("RWStructuredBuffer", "x += a.IncrementCounter();"),
    "buffer alone": ("RWStructuredBuffer", "x += a[0];"),
    "neither": ("ConsumeStructuredBuffer", ""),
}


def test_two_buffers_of_one_name_have_two_counters():
    """Each follows its buffer, whichever of the two a stage still has, also in a linked module."""
    modules = {}
    for (kind, (of, use)), stage, flags in itertools.product(COUNTED.items(), ("vert", "frag"), (["-g"], [])):
        source = write("c." + stage, "Texture2D t; %s<float4> a : register(u%d); float4 main() : %s { float4 x = "
                       "t[uint2(0, 0)]; %s return x; }" % (of, *((7, "SV_Position") if stage == "vert" else
                                                                 (3, "SV_Target")), use))
        modules[kind, stage, bool(flags)] = glslang(source, "%s.%s.%d.spv" % (kind, stage, len(flags)), "-D", *flags,
                                                    "-S", stage, "-e", "main")
    for one, other, rules in itertools.product(COUNTED, COUNTED, ("slang", "hlsl")):
        both = [modules[one, "vert", True], modules[other, "frag", True]]
        run("spirv-link", *both, "-o", "linked.spv")
        for mode in ("missing", "all"):
            tables = [bind("layout", "-q", "--rules=" + rules, "--rebind=" + mode, *inputs).stdout
                      for inputs in (both, ["linked.spv"])]
            assert tables[0] == tables[1], (one, other, rules, mode, tables)
            if one == other == "append":
                assert re.findall(r"\ba\S*$", tables[0], re.M) == (
                    ["a@count", "a@count", "a", "a"] if mode == "missing" else ["a", "a@count"] * 2), (rules, tables)
        if "alone" not in one + other and "neither" not in (one, other):
            both = [modules[one, "vert", False], modules[other, "frag", False]]
            run("spirv-link", *both, "-o", "linked.spv")
            for mode in ("missing", "all"):  # without a text, which does not matter while names survive
                tables = [bind("layout", "-q", "--rules=" + rules, "--rebind=" + mode, *inputs).stdout
                          for inputs in (both, ["linked.spv"])]
                assert tables[0] == tables[1], (one, other, rules, mode, tables)


if __name__ == "__main__":
    running.main(globals())
