# SPDX-License-Identifier: Apache-2.0
"""HLSL compiled by glslang, and its source text: registers beyond glslang's 16 bits, spaces beyond its 7.

    hlsl.py --bind B [--only WORD]
"""
import itertools
import json
import os
import sys

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import Module, read_places  # noqa: E402
from running import bind, glslang, read, run, says, write  # noqa: E402

SCHEMA = json.loads(running.read_text(os.path.join(running.ROOT, "include/spirv-bind/layout.schema.json")))
RULES = ["", "--rules=hlsl", "--profile=dxc", "--profile=llvm"]


def compile_hlsl(declarations, body, name="a", *flags):
    """All resources in the body are used. With -g, unless the flags differ."""
    write(name + ".hlsl", "%s\nfloat4 main(uint i : I) : SV_Target\n{\n%s\n}\n" % (declarations, body))
    return glslang(name + ".hlsl", name + ".spv", "-D", "-e", "main", "-S", "frag", *(flags or ["-g"]))


def sampled(*textures):
    return "\treturn " + " + ".join("%s.Sample(s, 0)" % t for t in textures) + ";"


def places(module, *options):
    options = [o for o in options if o]
    bind(*options, module, "-o", "out.spv")
    bind("check", *options, "out.spv")
    bind(*options, "--rebind=all", "out.spv", "-o", "moved.spv")  # the remark stays when the resources move
    bind("check", *options, "moved.spv")
    run("spirv-val", "--target-env", "vulkan1.2", "out.spv")
    return read_places("out.spv")


DECLARATIONS = """Texture2D t0 : register(t70000);
Texture2D t1 : register(t65536, space2);
Texture2D last : register(t4294967295);
Texture2D t3 : register(t65535);
Texture2D far : register(t3, space70000);
Texture2D near : register(t3, space63);
Texture2D open;
SamplerState s : register(s100000);
cbuffer C : register(b65540) { float4 c; };
RWBuffer<float4> u : register(u65537, space1);
struct S { Texture2D a[3]; Texture2D b; SamplerState z; RWBuffer<float4> w; };
S st : register(t80000) : register(s5) : register(u90000);
S two[2] : register(t300000) : register(s8) : register(u400000);
Texture2D arr[4] : register(t200000);
Texture2D open_too;"""
BODY = "\tu[0] = c; st.w[0] = c;\n\ttwo[1].w[0] = c;\n" + sampled(
    "open_too", "t0", "t1", "last", "t3", "far", "near", "open", "st.a[1]", "st.b", "two[1].b", "two[0].a[2]",
    "arr[2]").replace(";", " + t0.Sample(st.z, 0);")
WANTED = {"t0": (0, 70000), "t1": (2, 65536), "last": (0, 4294967295), "t3": (0, 65535), "far": (70000, 3),
          "near": (63, 3), "open": (0, 0), "s": (0, 100000), "u": (1, 65537), "st.a": (0, 80000), "st.b": (0, 80003),
          "st.z": (0, 5), "st.w": (0, 90000), "two[0].a": (0, 300000), "two[1].b": (0, 300007),
          "two[1].w": (0, 400001), "arr": (0, 200000), "open_too": (0, 1), "": (0, 65540)}


def layouts(*modules):
    """The layout under both rules, by name."""
    found = []
    for rules in ("slang", "hlsl"):
        sets = json.loads(bind("layout", "--rules=" + rules, "--layout-json=-", *modules).stdout)
        jsonschema.validate(sets, SCHEMA)
        found.append({b["name"]: (s["set"], b["binding"]) for s in sets["sets"] for b in s["bindings"]})
        found[-1].update({b["name"]: ("reserved", b["binding"]) for b in sets.get("reserved", [])})
    return found


def test_uses_in_functions_move_nothing_in_a_program():
    header = "Texture2D first, second; SamplerState s;"
    p = compile_hlsl(header, sampled("first"), "p")
    for name, used in (("a", ["second"]), ("b", ["second", "first"]), ("c", ["first", "second"])):
        other = compile_hlsl(header, sampled(*used), name)
        for places_ in layouts(other, p) + layouts(p, other):
            assert places_ == {"first": (0, 0), "second": (0, 1), "s": (0, 2)}, (name, places_)


def test_emptying_a_body_moves_nothing_where_authors_chose_two_places_for_a_name():
    """The vertex shader's ubo is at b0 whether a function reads it or not, and is not that of the other stage."""
    fragment = compile_hlsl("cbuffer ubo : register(b2) { int n; }; cbuffer more { float4 m; }; Texture2D t, u;",
                            "\treturn m + n + t.Load(0) + u.Load(0);", "f")
    found = []
    for used in ("ubo_v", "0"):
        write("v.hlsl", "cbuffer ubo : register(b0) { float4 ubo_v; };\nfloat4 tint;\n"
              "float4 main() : SV_Position { return %s + tint; }\n" % used)
        vertex = glslang("v.hlsl", "v.spv", "-D", "-e", "main", "-S", "vert", "-g")
        for order in ([vertex, fragment], [fragment, vertex]):
            for options in ([], ["--rebind=all"]):
                sets = json.loads(bind("layout", "--rules=slang", *options, "--layout-json=-", *order).stdout)
                found.append({(b["name"], b["binding"]) for s in sets["sets"] for b in s["bindings"]} |
                             {(b["name"], b["binding"]) for b in sets.get("reserved", [])})
    for with_it, without in zip(found[:4], found[4:]):
        assert without <= with_it and {n for n, _ in with_it} == {"ubo", "more", "t", "u", "$Global"}, found
        assert with_it - without <= {("ubo", 0)}, found


def test_dropped_declarations_keep_their_numbers_under_slang_rules():
    header = "Texture2D a, b; Texture2D c : register(t2); Texture2D d, e; SamplerState s;"
    module = compile_hlsl(header, sampled("b", "d"))
    assert layouts(module) == [{"a": ("reserved", 0), "b": (0, 1), "d": (0, 3), "e": ("reserved", 4), "s": (0, 5)},
                               {"b": (0, 0), "d": (0, 1), "s": (0, 3)}]
    for unused in ("last", "remove"):  # fixed resources stay fixed with the first
        found = json.loads(bind("layout", "--unused=" + unused, "--layout-json=-", module).stdout)
        numbers = [b["binding"] for b in found["sets"][0]["bindings"]]
        assert numbers == ([0, 1, 3] if unused == "last" else [0, 1, 2]) and "reserved" not in found, numbers


def test_a_lock_has_the_numbers_of_dropped_declarations():
    header = "Texture2D a, b; SamplerState s;"
    module = compile_hlsl(header, sampled("b"))
    bind("--lock=l.lock", "--update-lock", module, "-o", "out.spv")
    assert "resource a set=0 binding=0 kind=texture" in running.read_text("l.lock"), running.read_text("l.lock")
    module = compile_hlsl("Texture2D z, b, a; SamplerState s;", sampled("a", "z", "b"))
    assert layouts(module)[0] == {"z": (0, 0), "b": (0, 1), "a": (0, 2), "s": (0, 3)}
    locked = bind("layout", "--lock=l.lock", module).stdout
    assert [line.split()[1] for line in locked.splitlines() if line.endswith((" a", " b", " z"))] == ["0", "1", "3"]
    said = bind("explain", "--name=a", compile_hlsl(header, sampled("b"))).stdout
    assert "set 0, binding 0, reserved: it is declared, but no module has a variable of it" in said, said


def test_numbers_of_auto_map_bindings_are_not_those_of_counters():
    """A counter is in the set of its buffer, whatever glslang gave it, and what was bound keeps (0, 0)."""
    header = "[[vk::binding(0, 1)]] AppendStructuredBuffer<float4> list; cbuffer C { float4 c; }; Texture2D t;"
    module = compile_hlsl(header, "\tlist.Append(c); return t.Load(0);", "a", "-g", "--auto-map-bindings")
    other = compile_hlsl("Texture2D u; cbuffer C { float4 c; };", "\treturn c + u.Load(0);", "b", "-g",
                         "--auto-map-bindings")
    bind(module, other, "--out-dir=out")
    wanted = {"list": (1, 0), "list@count": (1, 1), "": (0, 0), "t": (0, 1)}
    assert read_places("out/a.spv") == wanted, read_places("out/a.spv")
    bind("out/b.spv", "-o", "alone.spv")
    assert read_places("alone.spv") == read_places("out/b.spv") == {"": (0, 0), "u": (0, 2)}, read_places("alone.spv")


COUNTED = """[[vk::binding(0, 1)]] [[vk::counter_binding(3)]] RWStructuredBuffer<float4> a;
static const int at = 3;
[[vk::counter_binding(at + 1)]] AppendStructuredBuffer<float4> b : register(u0, space2);
[[vk::counter_binding(0)]] ConsumeStructuredBuffer<float4> c;
RWStructuredBuffer<float4> d : register(u5, space1);
"""


def test_counters_have_the_bindings_that_the_text_gives_them():
    """glslang does not know vk::counter_binding. The set is that of the buffer, even if only the counter is left."""
    all_of = ["a[0] = 0; a.IncrementCounter();", "b.Append(0);", "c.Consume();", "d.IncrementCounter();"]
    alone = ["a.IncrementCounter();", "b.Append(0);", "c.Consume();"]
    wanted = {"a@count": (1, 3), "b@count": (2, 4), "c@count": (0, 0)}
    for body in (all_of, alone, alone[:1], alone[1:2]):
        for flags in (["-g"], ["-g", "--auto-map-bindings"]):
            module = compile_hlsl(COUNTED, "\t" + " ".join(body) + " return 0;", "a", *flags)
            for rules in RULES:
                found = places(module, rules)
                assert all(found[n] == wanted.get(n, found[n]) for n in found), (body, flags, rules, found)
                counters = [n for n in found if n in wanted]
                assert len(counters) == min(len(body), 3), found
                assert found.get("c", (0, 1)) == (0, 1) and found.get("d@count", (1, 0))[0] == 1, found


def test_a_counter_that_nothing_asks_for_keeps_its_binding_free():
    """Whether a body counts changes no number."""
    header = "[[vk::counter_binding(2)]] RWStructuredBuffer<float4> a; Texture2D t, u, v;"
    for counts in ("", "a.IncrementCounter();"):
        body = "\ta[0] = 0; %s return t.Load(0) + u.Load(0) + v.Load(0);" % counts
        found = places(compile_hlsl(header, body))
        assert found.pop("a@count", (0, 2)) == (0, 2) and found == {"a": (0, 0), "t": (0, 1), "u": (0, 3),
                                                                    "v": (0, 4)}, found


def test_registers_of_an_array_that_a_lock_remembers_are_taken():
    if os.path.exists("l.lock"):
        os.remove("l.lock")
    options = ["--rules=hlsl", "--lock=l.lock", "--update-lock"]
    for header, used, wanted in (("Texture2D a, b[3]; SamplerState s;", ["a", "b[1]"], {"a": 0, "b": 1}),
                                 ("Texture2D a; SamplerState s;", ["a"], {"a": 0}),
                                 ("Texture2D a, d; SamplerState s;", ["a", "d"], {"a": 0, "d": 4}),
                                 ("Texture2D a, d, b[3]; SamplerState s;", ["a", "d", "b[1]"],
                                  {"a": 0, "d": 4, "b": 1})):
        bind(*options, compile_hlsl(header, sampled(*used)), "-o", "out.spv")
        found = {n: at[1] for n, at in read_places("out.spv").items() if n != "s"}
        assert found == wanted, (header, found)


def test_classes_that_a_lock_has_shifted_do_not_meet():
    """What comes later, in two classes at once, gets registers whose bindings are free."""
    if os.path.exists("l.lock"):
        os.remove("l.lock")
    options = ["--rules=hlsl", "--lock=l.lock"]
    first = compile_hlsl("Texture2D a, b; SamplerState s;", sampled("a", "b"))
    bind(*options, "--update-lock", first, "-o", "out.spv")
    assert read_places("out.spv") == {"a": (0, 0), "b": (0, 1), "s": (0, 2)}
    more = compile_hlsl("Texture2D a, b, c, d; SamplerState s, z, y;",
                        sampled("a", "b", "c", "d").replace(";", " + a.Sample(z, 0) + a.Sample(y, 0);"))
    bind(*options, "--update-lock", more, "-o", "out.spv")
    assert read_places("out.spv") == {"a": (0, 0), "b": (0, 1), "s": (0, 2), "c": (0, 3), "d": (0, 4), "z": (0, 5),
                                      "y": (0, 6)}


def test_a_struct_of_resources_has_consecutive_numbers():
    header = "Texture2D a : register(t0); Texture2D b : register(t2);"
    header += "struct S { Texture2D x, y; }; S st; SamplerState s;"
    found = layouts(compile_hlsl(header, sampled("st.y", "a", "b", "st.x")))
    assert found[0] == {"a": (0, 0), "b": (0, 2), "st.x": (0, 3), "st.y": (0, 4), "s": (0, 1)}, found
    assert layouts(compile_hlsl(header, sampled("st.y", "a", "b")))[0] == {
        "a": (0, 0), "b": (0, 2), "st.x": ("reserved", 3), "st.y": (0, 4), "s": (0, 1)}


def test_a_texture_with_both_kinds_of_samplers_is_one_resource():
    header = "Texture2D<float> map; Texture2D after; SamplerState s; SamplerComparisonState c;"
    body = "\treturn map.SampleLevel(s, 0, 0) + map.SampleCmpLevelZero(c, 0, 0) * after.Load(0);"
    module = compile_hlsl(header, body)
    assert running.bind("layout", module).stdout.count(" map\n") == 1
    for options in (["--rules=slang"], ["--rules=hlsl"], ["--rebind=all"], ["--policy=option shared=apart"],
                    ["--order=module"]):
        numbers = places(module, *options)
        assert len(numbers) == 4 and len(set(map(tuple, numbers.values()))) == 4, (options, numbers)


def test_stages_may_use_a_texture_with_different_kinds_of_samplers():
    header = "Texture2D<float> map; SamplerState s; SamplerComparisonState c;"
    plain = compile_hlsl(header, "\treturn map.SampleLevel(s, 0, 0);", "plain")
    compared = compile_hlsl(header, "\treturn map.SampleCmpLevelZero(c, 0, 0);", "compared")
    for places_ in layouts(plain, compared) + layouts(compared, plain):
        assert places_ == {"map": (0, 0), "s": (0, 1), "c": (0, 2)}, places_
    text = "#version 460\nlayout(binding = 65534) uniform %s m;\nvoid main() { gl_Position = vec4(texture(m, %s)); }\n"
    modules = [glslang(write(name + ".vert", text % (kind, at)), name + ".spv", "-g")
               for name, kind, at in (("one", "sampler2D", "vec2(0)"), ("two", "sampler2DShadow", "vec3(0)"))]
    assert "SPB4002" in bind("layout", *modules, expect=1).stderr  # in GLSL, these are declared as two types


def test_counters_are_in_the_set_of_their_buffer():
    only = compile_hlsl("RWStructuredBuffer<uint> rw : register(u0, space2), o : register(u0, space1);",
                        "\to[0] = rw.IncrementCounter(); return 0;", "only")
    both = compile_hlsl("RWStructuredBuffer<uint> rw : register(u0, space2), o : register(u0, space1);",
                        "\trw[rw.IncrementCounter()] = 1; return 0;", "both")
    for places_ in layouts(only) + layouts(only, both) + layouts(both, only):
        assert places_["rw@count"][0] == 2 and places_["o"] == (1, 0), places_
    header = "AppendStructuredBuffer<uint> a; RWStructuredBuffer<uint> r, q; Texture2D t; SamplerState s;"
    module = compile_hlsl(header, "\tq.IncrementCounter(); r.IncrementCounter();\n" + sampled("t"))
    assert layouts(module)[0] == {"a": ("reserved", 0), "a@count": ("reserved", 1), "r": ("reserved", 2),
                                  "q": ("reserved", 3), "t": (0, 4), "s": (0, 5), "r@count": (0, 6), "q@count": (0, 7)}


def test_the_first_loose_uniform_declares_the_block_of_all():
    header = "Texture2D a; float4 tint; Texture2D b; float4 glow; SamplerState s;"
    for body, block in ((sampled("b", "a"), ("reserved", 1)), (sampled("a", "b").replace(";", " * glow;"), (0, 1))):
        assert layouts(compile_hlsl(header, body))[0] == {"a": (0, 0), "$Global": block, "b": (0, 2), "s": (0, 3)}


def test_macros_of_the_command_line_complete_what_a_module_records():
    text = """#ifndef LESS
Texture2D l;
#endif
#ifndef GUARD
#define GUARD
Texture2D a, b;
#endif
SamplerState s;
float4 main() : SV_Target { return b.Sample(s, 0); }
"""
    write("m.hlsl", text)
    run("glslc", "-x", "hlsl", "-fshader-stage=frag", "-g", "-DOTHER=1", "m.hlsl", "-o", "m.spv")
    done = bind("layout", "--rebind=all", "m.spv")
    assert "[SPB2201]" in done.stderr and '"l" counts depends on the macro LESS' in done.stderr, done.stderr
    for options, first in ([], 1), (["-D", "LESS"], 1), (["-D", "OTHER=1"], 2):
        done = bind("layout", "--rebind=all", *options, "m.spv")
        assert [line.split()[1] for line in done.stdout.splitlines()[1:]] == [str(first), str(first + 1)], done.stdout
        assert not (options and done.stderr), done.stderr
    write("e.comp", """#version 450
#ifdef PASS
layout(binding = 0) uniform Params { uint n; };
layout(binding = 1) buffer In { uint a[]; };
layout(binding = 2) buffer Out { uint b[]; };
#endif
void main() { b[0] = a[0] + n; }
""")
    run("glslc", "-g", "-DPASS=1", "e.comp", "-o", "e.spv")
    done = bind("layout", "--rebind=all", "-DPASS=1", "e.spv")
    assert [line.split()[-1] for line in done.stdout.splitlines()[1:]] == ["Params", "In", "Out"] and not done.stderr
    done = bind("layout", "--rebind=all", "e.spv")
    assert "SPB2201" in done.stderr and "with -D" in done.stderr, done.stderr


def test_in_opengl_what_is_not_used_takes_no_number():
    write("g.frag", "#version 450\nlayout(binding = 31) uniform sampler2D a, b; layout(location = 0) out vec4 c;\n"
          "void main() { c = texture(b, vec2(0)); }\n")
    for flag, option, number in (("-V", "--unused=count", "1"), ("-G", "--unused=count", "1"), ("-G", "-q", "0")):
        run("glslangValidator", flag, "-g", "--quiet", "g.frag", "-o", "g.spv")
        run("spirv-opt", "-O", "g.spv", "-o", "g.spv")
        places_ = bind("layout", "--auto-binding=31", option, "g.spv").stdout.splitlines()
        assert places_[1].split()[1] == number, (flag, option, places_)
    run("glslangValidator", "-G", "-g", "--quiet", "g.frag", "-o", "g.spv")  # which keeps what is not used
    for option, wanted in (("-q", [("0", "b")]), ("--unused=count", [("0", "a"), ("1", "b")])):
        lines = bind("layout", "--auto-binding=31", option, "g.spv").stdout.splitlines()[1:]
        assert [(line.split()[1], line.split()[-1]) for line in lines] == wanted, (option, lines)


def test_in_opengl_elements_have_the_numbers_that_follow():
    """As glslang's --auto-map-bindings numbers them; in Vulkan an array has one number."""
    write("g.frag", "#version 450\nlayout(binding = 31) uniform sampler2D a[4], b; layout(location = 0) out vec4 c;\n"
          "void main() { c = texture(b, vec2(0)) + texture(a[1], vec2(0)); }\n")
    for flag, number in (("-V", "1"), ("-G", "4")):
        run("glslangValidator", flag, "-g", "--quiet", "g.frag", "-o", "g.spv")
        lines = bind("layout", "--auto-binding=31", "g.spv").stdout.splitlines()[1:]
        assert [line.split()[1] for line in lines] == ["0", number], (flag, lines)


def test_what_an_array_of_specialized_length_would_reach():
    """Only where elements take numbers, and unless --spec says how many there are."""
    maps = "[[vk::constant_id(%d)]] const int N = 4; Texture2D maps[N]%s; Texture2D other%s; SamplerState s%s;"
    for id_, registers, options, reach in (
            (1, ("", "", ""), ["--rules=hlsl"], 4),
            (1, (" : register(t2)", " : register(t9)", ""), ["--rules=hlsl"], 7),
            (1, ("", "", ""), ["--rules=slang"], None), (1, ("", "", ""), ["--rules=hlsl", "--spec=1=6"], None),
            (2, ("", "", ""), ["--rules=hlsl", "--spec=1=6"], 4), (1, ("", "", ""), ["--policy=option arrays=each"], 4),
            (1, (" : register(t9)", " : register(t2)", ""), ["--rules=hlsl"], None)):
        module = compile_hlsl(maps % (id_, *registers), "\treturn maps[1].Sample(s, 0) + other.Sample(s, 0);")
        said = bind("layout", *options, module).stderr
        assert ("SPB4039" in said) == (reach is not None), (registers, options, said)
        assert reach is None or 'with more than %d elements, it reaches "other"' % reach in said, (options, said)


def test_without_a_text_one_open_resource_is_enough_for_a_note():
    module = compile_hlsl("Texture2D a;", "\treturn a.Load(0);", "a", "--quiet")
    done = bind("layout", "--rebind=all", module)
    assert "SPB4005" in done.stderr and "strip after binding" in done.stderr, done.stderr
    bind("--lock=l.lock", "--update-lock", "--rebind=all", module, "-o", "out.spv")
    assert "SPB4005" not in bind("layout", "--lock=l.lock", "--rebind=all", module).stderr


def test_registers_and_spaces_are_those_of_the_text_under_all_rules():
    module = compile_hlsl(DECLARATIONS, BODY)
    for rules in RULES:
        got = places(module, rules)
        assert got == WANTED, (rules, {n: (at, WANTED.get(n)) for n, at in got.items() if at != WANTED.get(n)})


COLLIDING = """Texture2D t : register(t0);
SamplerState s : register(s0);
RWBuffer<float4> u : register(u0);
cbuffer B : register(b0) { float4 b; };"""


def test_registers_that_cannot_be_bindings_follow_hlsl_rules_if_nobody_names_rules():
    module = compile_hlsl(COLLIDING, "\tu[0] = b;\n" + sampled("t"))
    wanted = {"": (0, 0), "t": (0, 1), "s": (0, 2), "u": (0, 3)}  # the block has no name of its own
    bind(module, "-o", "out.spv")
    bind(module, "--rules=hlsl", "-o", "named.spv")
    assert read_places("out.spv") == wanted, read_places("out.spv")
    assert read("out.spv") == read("named.spv")
    bind("out.spv", "-o", "twice.spv"), bind("check", "out.spv")
    assert read("twice.spv") == read("out.spv")
    said = bind("--rules=slang", module, "-o", "x.spv", expect=1).stderr
    assert "Use --rules=hlsl, under which they are registers of different classes." in said, said
    # of a program: here it is the other stage that uses b0
    a = compile_hlsl("Texture2D t : register(t0);\nSamplerState s : register(s0);", sampled("t"))
    b = glslang(write("b.hlsl", "cbuffer B : register(b0) { float4 b; };\nfloat4 main() : SV_Position { return b; }"),
                "b.spv", "-D", "-e", "main", "-S", "vert", "-g")
    bind(a, b, "--out-dir=both")
    assert read_places("both/a.spv") == {"t": (0, 1), "s": (0, 2)} and read_places("both/b.spv") == {"": (0, 0)}


def test_registers_count_beside_numbers_of_auto_map_bindings():
    """As of sources, which are compiled with it."""
    declarations = "Texture2D open;\nTexture2D big[4] : register(t70000);\n" + COLLIDING
    for flags in (["-g"], ["-g", "--amb"]):
        module = compile_hlsl(declarations, "\tu[0] = b;\n" + sampled("t", "open", "big[1]"), "a", *flags)
        bind(module, "-o", "out.spv"), bind("out.spv", "-o", "twice.spv")
        wanted = {"": (0, 0), "t": (0, 1), "open": (0, 2), "big": (0, 70001), "s": (0, 3), "u": (0, 4)}
        assert read_places("out.spv") == wanted, (flags, read_places("out.spv"))
        assert read("twice.spv") == read("out.spv")


def test_a_stage_whose_registers_are_all_dropped_still_has_them():
    """DepthViewer of MiniEngine: t0 is binding 1 since the vertex shader has b0, used or not."""
    fragment = compile_hlsl("Texture2D t : register(t0); SamplerState s : register(s10);", sampled("t"), "f")
    for used in ("b", "0"):
        write("v.hlsl", "cbuffer B : register(b0) { float4 b; };\nfloat4 main() : SV_Position { return %s; }" % used)
        vertex = glslang("v.hlsl", "v.spv", "-D", "-e", "main", "-S", "vert", "-g")
        for inputs, out in (([vertex, fragment], "out"), (["out/v.spv", "out/f.spv"], "twice")):
            bind(*inputs, "--out-dir=" + out)
            assert read_places(out + "/f.spv") == {"t": (0, 1), "s": (0, 10)}, (used, out, read_places(out + "/f.spv"))
            assert read_places(out + "/v.spv") == ({"": (0, 0)} if used == "b" else {}), read_places(out + "/v.spv")


def test_registers_beside_a_numbered_stage_are_shifted_as_its_own():
    """Whatever stages an earlier run has numbered, and in which order they are given."""
    shared = ("cbuffer Frame : register(b0) { float4 frame; };\nTexture2D t : register(t0);\n"
              "SamplerState s : register(s0);\nTexture2D far : register(t1, space2);\n"
              "SamplerState near : register(s1, space2);\nTexture2D many[3] : register(t4);\n")
    own = {"v": "SamplerState vs : register(s40);", "p": "Texture2D ps[2] : register(t20); Texture2D open;",
           "c": "RWBuffer<float4> cu : register(u0);"}
    use = {"v": "t.SampleLevel(vs, 0, 0)", "p": "ps[1].Load(0) + open.Load(0)", "c": "(cu[0] = 1)"}
    body = "frame + t.SampleLevel(s, 0, 0) + far.SampleLevel(near, 0, 0) + many[2].Load(0) + "
    heads = {"v": ("vert", "float4 main() : SV_Position { return %s; }"),
             "p": ("frag", "float4 main() : SV_Target { return %s; }"),
             "c": ("geom", "[maxvertexcount(1)] void main(point float4 i[1] : P, inout PointStream<float4> o)"
                           " { o.Append(%s); }")}
    raw = {n: glslang(write(n + ".hlsl", shared + own[n] + "\n" + heads[n][1] % (body + use[n]) + "\n"), n + ".spv",
                      "-D", "-e", "main", "-S", heads[n][0], "-g") for n in own}
    apart = ["--shift=t=30", "--shift=s=60", "--shift=u=90"]
    for given in ([], apart, apart + ["--shift=t@%s=130"], ["--lock=n.lock", "--update-lock"],
                    ["--rebind=conflicts"]):
        for numbered in ("v", "p", "c", "vp", "cv", "pc"):
            options = [o % {"v": "vertex", "p": "fragment", "c": "geometry"}[numbered[0]] if "%" in o else o
                       for o in given]
            write("n.lock", "")
            first = [o for o in options if "rebind" not in o] + [raw[n] for n in numbered]
            bind("--rules=hlsl", *first, "--out-dir=first")
            for order in itertools.permutations("vpc"):
                inputs = ["first/%s.spv" % n if n in numbered else raw[n] for n in order]
                for rules in [["--rules=hlsl"]] + [[]] * (not options):
                    said = bind(*rules, *options, *inputs, "--out-dir=all").stderr
                    assert "SPB40" not in said, (options, numbered, order, said)
                    at = [read_places("all/%s.spv" % n) for n in "vpc"]
                    for n in numbered:
                        assert read_places("all/%s.spv" % n) == read_places("first/%s.spv" % n), (options, n, order)
                    names = sorted({name for places in at for name in places})
                    for name in names:
                        assert len({p[name] for p in at if name in p}) == 1, (options, numbered, order, name, at)
                    assert len({p[name] for p in at for name in p}) == len(names), (options, numbered, order, at)
                    twice = ["all/%s.spv" % n for n in order]
                    bind(*rules, *options, *twice, "--out-dir=twice")
                    assert [read(path) for path in twice] == [read(path.replace("all", "twice")) for path in twice]
                    bind("check", *rules, *(o for o in options if "--shift" in o), *twice)
    for manifest in ("program a: first/v.spv\nprogram b: p.spv\n", "program b: p.spv\nprogram a: first/v.spv\n"):
        bind("--rules=hlsl", raw["v"], "-o", "first/v.spv")
        write("n.manifest", "share set=0\nshare set=2\noptions --rules=hlsl\n" + manifest)
        bind("-m", "n.manifest", "--out-dir=shared")
        assert read_places("shared/first/v.spv") == read_places("first/v.spv"), manifest
        at = [read_places("shared/" + path) for path in ("first/v.spv", "p.spv")]
        assert all(at[0][n] == at[1][n] for n in at[0] if n in at[1]) and at[1]["ps"] == (0, 21), at


def test_shifts_of_a_numbered_stage_leave_no_room_for_a_register():
    """Where nobody has named a shift, classes are as close as they can be."""
    frag = compile_hlsl("Texture2D t : register(t0); SamplerState s : register(s0);", sampled("t"), "f")
    more = compile_hlsl("Texture2D t : register(t0), u : register(t1); SamplerState s : register(s0);",
                        sampled("t", "u"), "m")
    bind("--rules=hlsl", frag, "-o", "first.spv")
    said = bind("--rules=hlsl", "first.spv", more, "--out-dir=x", expect=1).stderr
    assert says(said, "error SPB4001") and "Bind the original modules together, or use other values" in said, said
    for inputs, options, wanted in (([frag, more], [], {"t": (0, 0), "u": (0, 1), "s": (0, 2)}),
                                    (["first.spv", more], ["--shift=s=8"], {"t": (0, 0), "u": (0, 1), "s": (0, 8)}),
                                    ([more, "first.spv"], ["--rebind=all"], {"t": (0, 0), "u": (0, 1), "s": (0, 2)})):
        bind("--rules=hlsl", *options, *inputs, "--out-dir=x")
        assert read_places("x/m.spv") == wanted, (inputs, options, read_places("x/m.spv"))


def test_registers_that_can_be_bindings_are():
    """A texture and a sampler at one number are how Vulkan's HLSL writes a combined image-sampler."""
    module = compile_hlsl("Texture2D t : register(t1);\nSamplerState s : register(s1);\n"
                          "cbuffer B : register(b0) { float4 b; };", sampled("t"))
    said = bind(module, "-o", "out.spv").stderr
    assert read_places("out.spv") == {"t": (0, 1), "s": (0, 1)}, read_places("out.spv")
    assert "SPB4016" in said and "Use --rules=hlsl" in said, said
    # GLSL's numbers, and those of [[vk::binding]], are bindings
    write("c.vert", "#version 450\nlayout(binding = 0) uniform C { vec4 c; };\nvoid main() { gl_Position = c; }\n")
    module = compile_hlsl(COLLIDING, "\tu[0] = b;\n" + sampled("t"))
    assert "SPB4001" in bind(module, glslang("c.vert", "c.spv", "-V", "-g"), "--out-dir=x", expect=1).stderr
    stated = COLLIDING.replace("Texture2D", "[[vk::binding(0)]] Texture2D")
    module = compile_hlsl(stated, "\tu[0] = b;\n" + sampled("t"))
    assert "SPB4001" in bind(module, "-o", "x.spv", expect=1).stderr


def test_an_array_that_glslang_flattens_has_a_register_for_each_element():
    module = compile_hlsl("struct S { Texture2D x[2]; Texture2D z; };\nTexture2D t[3] : register(t5);\n"
                          "S s : register(t70000);\nTexture2D open[2];\n"
                          "SamplerState smp[2] : register(s1, space2);",
                          "\treturn t[2].Sample(smp[1], 0) + t[0].Sample(smp[0], 0) + s.z.Load(0) + s.x[1].Load(0)"
                          " + open[1].Load(0) + t[1].Load(0) + open[0].Load(0);", "a", "-g",
                          "--flatten-uniform-arrays")
    wanted = {"t[0]": (0, 5), "t[1]": (0, 6), "t[2]": (0, 7), "s.x": (0, 70000), "s.z": (0, 70002), "open[0]": (0, 0),
              "open[1]": (0, 1), "smp[0]": (2, 1), "smp[1]": (2, 2)}
    for rules in RULES:
        got = places(module, rules)
        assert got == wanted, (rules, got)


def test_without_text_the_numbers_are_those_that_glslang_keeps():
    got = places(compile_hlsl("Texture2D a : register(t70000); SamplerState s : register(s1);", sampled("a"), "a", "-e",
                              "main"))
    assert got == {"a": (0, 4464), "s": (0, 1)}, got


def test_a_module_that_is_numbered_already_is_not_compared_with_its_text():
    """Resources numbered later keep their numbers. b and c have numbers without an author, and get new ones."""
    declarations = "Texture2D a : register(t1); Texture2D b; SamplerState s : register(s2); Texture2D c;"
    for flags, wanted in ((["--auto-map-bindings"], {"a": (0, 1), "b": (0, 0), "s": (0, 2), "c": (0, 3)}),
                          (["--shift-texture-binding", "10"], {"a": (0, 11), "b": (0, 0), "s": (0, 2), "c": (0, 1)}),
                          (["--hlsl-iomap", "--shift-texture-binding", "8", "--auto-map-bindings"],
                           {"a": (0, 9), "b": (0, 0), "s": (0, 2), "c": (0, 1)})):
        got = places(compile_hlsl(declarations, sampled("a", "b", "c"), "a", "-g", *flags), "--allow-overlap")
        assert got == wanted, (flags, got)


def test_an_array_takes_one_of_the_numbers_that_other_compilers_write():
    """DXC, Slang and LLVM write Vulkan bindings; equal ones are separated by class, and nothing else moves."""
    for generator in (14, 40, 43):
        for declarations, wanted in (("A:u@0 B:u[4]@1 C:u@2 D:u@3", {"A": 0, "B": 1, "C": 2, "D": 3}),
                                     ("T:t@0 U:u[3]@0 V:u@1 K:b@0 W:u[]@2", {"K": 0, "T": 1, "U": 2, "V": 3, "W": 4}),
                                     ("T:t[2]@100 s:s@200 U:u@300", {"T": 100, "s": 200, "U": 300})):
            Module(declarations).write("m.spv")
            words = bytearray(read("m.spv"))
            words[8:12] = (generator << 16).to_bytes(4, "little")
            write("m.spv", bytes(words))
            bind("--rules=hlsl", "m.spv", "-o", "out.spv")
            got = {n: at[1] for n, at in read_places("out.spv").items()}
            assert got == wanted, (generator, declarations, got)
            bind("check", "--rules=hlsl", "out.spv")


def test_each_remedy_for_registers_of_several_classes_helps():
    """DXC, Slang and clang write them as bindings, too. A profile that keeps registers has its own remedy."""
    Module("T:t@0 K:b@0 U:u[3]@0 W:u[]@2").write("m.spv")
    for generator in (14, 40, 43):
        words = bytearray(read("m.spv"))
        words[8:12] = (generator << 16).to_bytes(4, "little")
        write("m.spv", bytes(words))
        for options, remedy, mended in (([], "Use --rules=hlsl", ["--rules=hlsl"]),
                                        (["--profile=llvm"], "--shift=t=32, or use --rules=hlsl", ["--rules=hlsl"]),
                                        (["--profile=llvm"], "different values of --shift",
                                         ["--shift=t=32", "--shift=u=64"])):
            said = bind("layout", *options, "m.spv", expect=1).stderr
            assert says(said, "error SPB4001") and remedy in said and "mutable" not in said, (generator, said)
            bind("layout", *options, *mended, "m.spv")


def test_modules_that_agree_with_their_text_are_unchanged():
    module = compile_hlsl("Texture2D a : register(t1); SamplerState s : register(s2);\n"
                          "Texture2D b : register(t9, space5);", sampled("a", "b"))
    bind(module, "-o", "out.spv")
    assert read("out.spv") == read(module)


def test_bindings_of_vulkan_in_the_source_are_kept():
    got = places(compile_hlsl("[[vk::binding(7, 3)]] Texture2D a : register(t70000); SamplerState s : register(s1);",
                              sampled("a")))
    assert got == {"a": (3, 7), "s": (0, 1)}, got


def test_the_old_place_is_that_of_the_module():
    module = compile_hlsl("Texture2D a : register(t70000); SamplerState s : register(s1);", sampled("a"))
    text = bind("check", module, expect=3).stderr
    assert "4464" in text and "70000" in text, text


# Arrays without a size

UNSIZED = """Texture2D one : register(t1);
Texture2D many[] : register(t3);
RWBuffer<float4> bufs[] : register(u0, space1);
SamplerState samplers[] : register(s0, space2);
Texture2D sized[5] : register(t0, space5);
SamplerState s : register(s0);"""
UNSIZED_BODY = """\tbufs[i][0] = 1;
\treturn many[i].Sample(s, 0) + many[7].Sample(s, 0) + one.Sample(s, 0) + sized[i].Sample(s, 0)
\t\t+ one.Sample(samplers[i], 0);"""


def counts(*args):
    """name -> length in the layout; 0: unbounded."""
    j = json.loads(bind("layout", *args, "--layout-json").stdout)
    return {b["name"]: b["count"] or 0 for x in j["sets"] for b in x["bindings"]}


def test_arrays_without_a_size_become_runtime_arrays():
    module = compile_hlsl(UNSIZED, UNSIZED_BODY)
    for rules in RULES:
        options = [o for o in (rules, "--policy=option shift=auto" if "hlsl" in rules else "") if o]
        got = places(module, *options)
        assert (got["many"], got["one"], got["bufs"], got["samplers"]) == ((0, 3), (0, 1), (1, 0), (2, 0)) or \
            "hlsl" in rules, got
        text = run("spirv-dis", "out.spv").stdout
        assert text.count("OpTypeRuntimeArray") == 3 and "OpCapability RuntimeDescriptorArray" in text, text
        glsl = run("spirv-cross", "-V", "out.spv").stdout
        for name in ("many", "bufs"):
            assert " %s[];" % name in glsl, glsl
        assert " sized[5];" in glsl, glsl
        n = counts(*options, module)
        assert {k: n[k] for k in ("many", "one", "bufs", "samplers", "sized")} == {
            "many": 0, "one": 1, "bufs": 0, "samplers": 0, "sized": 5}, n
    said = bind("layout", module).stderr
    assert says(said, "note SPB4025") == 3 and '"many"' in said, said
    assert "a.hlsl:2" in said and "array of 8" in said, said


def test_array_sizes_can_be_kept():
    module = compile_hlsl(UNSIZED, UNSIZED_BODY)
    n = counts("--policy=option unsized=keep", module)
    assert (n["many"], n["bufs"]) == (8, 1), n
    bind("--policy=option unsized=keep", module, "-o", "out.spv")
    assert "RuntimeDescriptorArray" not in run("spirv-dis", "out.spv").stdout
    assert "SPB4025" not in bind("layout", "--policy=option unsized=keep", module).stderr


def test_declarations_after_an_unsized_array_have_no_register():
    module = compile_hlsl("Texture2D many[] : register(t3); Texture2D other : register(t9); Texture2D open;\n"
                          "SamplerState s : register(s0);", "\treturn many[i].Sample(s, 0) + other.Sample(s, 0) "
                          "+ open.Sample(s, 0);")
    text = bind("layout", "--rules=hlsl", module, expect=1).stderr
    assert "SPB4001" in text and '"other"' in text and '"many"' in text, text
    module = compile_hlsl("Texture2D many[] : register(t3); Texture2D open; Texture2D two[2]; SamplerState s;",
                          "\treturn many[i].Sample(s, 0) + two[i].Sample(s, 0) + open.Sample(s, 0);")
    j = json.loads(bind("layout", "--rules=hlsl", module, "--layout-json").stdout)
    got = {b["name"]: b["register"] for x in j["sets"] for b in x["bindings"]}
    assert got == {"many": 3, "open": 0, "two": 1, "s": 0}, got


def test_an_array_that_is_passed_to_a_function_is_unsized_too():
    module = compile_hlsl("Texture2D many[] : register(t0); SamplerState s : register(s0, space1);\n"
                          "float4 look(Texture2D t, uint k) { return t.Sample(s, k); }",
                          "\treturn look(many[i], 1) + look(many[3], 2);")
    assert counts(module)["many"] == 0
    places(module)


def test_unsized_arrays_of_glsl_keep_the_size_that_glsl_gives_them():
    write("a.frag", "#version 460\nlayout(binding = 0) uniform sampler2D t[];\nlayout(location = 0) out vec4 c;\n"
                    "void main() { c = texture(t[4], vec2(0)); }\n")
    assert counts(glslang("a.frag", "a.spv", "-g"))["t"] == 5


def test_a_tbuffer_has_registers_of_class_t():
    module = compile_hlsl("tbuffer T : register(t3) { float4 a; };\nstruct S { float4 x; };\n"
                          "TextureBuffer<S> U : register(t5, space1);\ntbuffer Open { float4 b; };\n"
                          "cbuffer C : register(b3) { float4 c; };\nRWBuffer<float4> w : register(u3);",
                          "\tw[0] = c;\n\treturn a + U.x + b;")
    j = json.loads(bind("layout", "--rules=hlsl", module, "--layout-json").stdout)
    got = {b["name"]: (b["class"], b["register"], b["space"]) for x in j["sets"] for b in x["bindings"]}
    assert got == {"T": ("t", 3, 0), "U": ("t", 5, 1), "Open": ("t", 0, 0), "C": ("b", 3, 0), "w": ("u", 3, 0)}, got


def test_the_layout_has_the_facts_of_dxil():
    """Seed 003: kinds, element types, SampleCount, IsGloballyCoherent and HasCounter."""
    module = compile_hlsl("""tbuffer T { float4 tv; };
typedef Texture2D<float2> Two; struct S { Texture3D<int3> x; };
Texture2D<float> one; Two two; Buffer<vector<uint, 3> > three; Texture2D<unorm half4> four; Texture2D plain;
Texture2DMS<float4, 8> ms; Texture2DMSArray<float> unsaid; S s; RWTexture2D<float2> rw; RWBuffer<int> rwb;
globallycoherent RWTexture2D<float4> gc; globallycoherent RWStructuredBuffer<float> gs;
AppendStructuredBuffer<float4> app; StructuredBuffer<float2> s2; ByteAddressBuffer raw;""",
                          "\tfloat v = one[int2(0, 0)] + two[int2(0, 0)].x + three[0].x + four[int2(0, 0)].x + tv.x"
                          " + plain[int2(0, 0)].x + ms.Load(int2(0, 0), 0).x + unsaid.Load(int3(0, 0, 0), 0) + s2[0].x"
                          " + s.x[int3(0, 0, 0)].x + raw.Load(0);\n"
                          "\tapp.Append(v); rw[int2(0, 0)] = v; gc[int2(0, 0)] = v; rwb[0] = 1; gs[0] = v;\n"
                          "\treturn v;")
    j = json.loads(bind("layout", "--rules=hlsl", module, "--layout-json").stdout)
    jsonschema.validate(j, SCHEMA)
    keys = ("resourceKind", "element", "sampleCount", "globallyCoherent", "hasCounter")
    got = {b["name"]: " ".join(str(b["type"][k]) for k in keys if k in b["type"])
           for x in j["sets"] for b in x["bindings"]}
    assert got == {
        "T": "TBuffer", "one": "Texture2D float", "two": "Texture2D float2", "three": "TypedBuffer uint3",
        "four": "Texture2D float4", "plain": "Texture2D float4", "ms": "Texture2DMS float4 8",
        "unsaid": "Texture2DMSArray float", "s.x": "Texture3D int3", "rw": "Texture2D float2", "rwb": "TypedBuffer int",
        "gc": "Texture2D float4 True", "gs": "StructuredBuffer float True", "app": "StructuredBuffer float4 True",
        "app@count": "StructuredBuffer", "s2": "StructuredBuffer float2", "raw": "RawBuffer uint"}, got


def test_blocks_have_strides_and_the_members_of_structs():
    module = compile_hlsl("struct In { float3 p; float w[3]; row_major float3x4 m; };\n"
                          "cbuffer C { float4x4 vp; In lights[4][2]; uint n; };", "\treturn vp[0] + lights[1][1].m[0];")
    out = json.loads(bind("layout", module, "--layout-json").stdout)
    jsonschema.validate(out, SCHEMA)
    block, = out["modules"][0]["blocks"]
    inner, = out["modules"][0]["structs"]
    assert block["members"] == [
        {"name": "vp", "offset": 0, "size": 64, "component": "float", "rows": 4, "columns": 4, "matrixStride": 16,
         "rowMajor": True},
        {"name": "lights", "offset": 64, "size": 896, "structId": inner["id"],
         "arrays": [{"count": 4, "stride": 224}, {"count": 2, "stride": 112}]},
        {"name": "n", "offset": 960, "size": 4, "component": "uint"}], block
    assert inner["name"] == "In" and inner["members"] == [
        {"name": "p", "offset": 0, "size": 12, "component": "float", "rows": 3},
        {"name": "w", "offset": 16, "size": 48, "component": "float", "arrays": [{"count": 3, "stride": 16}]},
        {"name": "m", "offset": 64, "size": 48, "component": "float", "rows": 4, "columns": 3, "matrixStride": 16,
         "rowMajor": False}], inner


def test_a_register_of_another_class_is_an_error_where_registers_count():
    """Also where they count because their numbers cannot be bindings, which nobody has to say."""
    header = "Texture2D tex : register(s5); cbuffer C : register(b%d) { float4 c; }; Texture2D t : register(t0);"
    for at, options, wanted in ((1, [], "warning"), (0, [], "error"), (1, ["--rules=hlsl"], "error"),
                                (1, ["--rules=slang"], "warning"), (1, ["--rebind=all"], "warning")):
        module = compile_hlsl(header % at, "\treturn c + tex.Load(0) + t.Load(0);")
        said = bind("layout", *options, module, expect=int(wanted == "error")).stderr
        assert said.count("SPB4029") == 1 and says(said, wanted + " SPB4029"), (at, options, said)
        assert '"tex" (texture) has a register of class s' in said, said


def test_what_is_in_the_way_is_counted():
    names = ["t%d" % i for i in range(11)]
    declarations = "SamplerState s; Texture2D %s, a[], b[];" % ", ".join(names)
    module = compile_hlsl(declarations, sampled("a[1]", "b[1]", *names))
    said = bind("layout", "--rules=hlsl", module, expect=1).stderr
    assert says(said, "error SPB4007") and "no register of class t is left" in said, said
    assert '"t7" is' in said and '"t8" is' not in said and "4 more are in the way" in said, said


# Structs of resources and data

LIGHT = ("struct Light { float3 pos; Texture2D map; float4 color; };\n"
         "Texture2D first; Light l; SamplerState s; float4 loose;")


def test_data_beside_resources_is_behind_them_whatever_bodies_use():
    every = compile_hlsl(LIGHT, sampled("l.map", "first").replace(";", " + l.pos.x + l.color + loose;"), "every")
    data = compile_hlsl(LIGHT, "\treturn l.color;", "data")
    texture = compile_hlsl(LIGHT, "\treturn l.map.Sample(s, 0);", "texture")
    slang, hlsl = layouts(every)
    assert slang == {"first": (0, 0), "l.map": (0, 1), "l": (0, 2), "s": (0, 3), "$Global": (0, 4)}, slang
    assert hlsl == {"l": (0, 0), "$Global": (0, 1), "first": (0, 2), "l.map": (0, 3), "s": (0, 4)}, hlsl
    for other in (data, texture):
        used = {n: at for n, at in layouts(other)[0].items() if at[0] != "reserved"}
        assert used and used == {n: slang[n] for n in used}, used
        assert layouts(every, other)[0] == slang and layouts(other, every)[0] == slang
    for options in ([], ["--rules=hlsl"], ["--rebind=all"], ["--profile=dxc"], ["--profile=llvm"]):
        places(every, *options)
        before = read("out.spv")
        bind(*options, "out.spv", "-o", "out.spv")
        assert read("out.spv") == before, options


DATA = """struct In { double2 q; bool2 b; float k; %s };
struct Data { float4 a; float3x4 m; float x; float2 y; float z; int3 i; };
#define N 2
struct L { float f; float3 pos; %s Data d; float w[N + 1]; bool on; row_major float4x2 r; float2x2 h[2]; In n; uint u;
           half2 hh; min16float mf; float3 e1; float2 e2; float e3; };
L g : register(t3, space2);"""
STD140 = """#version 450
struct In { dvec2 q; uvec2 b; float k; };
struct Data { vec4 a; mat3x4 m; float x; vec2 y; float z; ivec3 i; };
layout(binding = 0, std140, row_major) uniform g { float f; vec3 pos; Data d; float w[3]; uint on;
    layout(column_major) mat4x2 r; mat2 h[2]; In n; uint u; vec2 hh; float mf; vec3 e1; vec2 e2; float e3; };
void main() { gl_Position = vec4(f); }
"""


def members(module):
    """Of the block g and of the structs in it: names, offsets, sizes, strides."""
    j = json.loads(bind("layout", module, "--layout-json").stdout)["modules"][0]
    kept = ("name", "offset", "size", "arrays", "matrixStride", "rowMajor")
    lists = [[{k: m[k] for k in kept if k in m} for m in b["members"]] for b in j["blocks"] + j.get("structs", [])
             if b["name"] != "$Global"]
    return sorted(lists, key=len)


def test_data_beside_resources_is_laid_out_by_std140():
    module = compile_hlsl(DATA % ("Texture2D t;", "Texture2D map;"),
                          "\tData d = g.d;\n"
                          "\treturn d.m[0] + d.i.x + g.n.k + (g.n.b.y ? 1 : 0) + g.r[3].xyxy + g.h[1][0].xyxy + g.mf"
                          " + g.mf + g.hh.x + g.on + g.w[1] + g.e3 + float(g.n.q.x) + g.f + g.u + g.map.Load(0);")
    write("std140.vert", STD140)
    assert members(module) == members(glslang("std140.vert", "std140.spv", "-V")), members(module)
    got = {b["name"]: (s["set"], b["binding"])
           for s in json.loads(bind("layout", "--rules=hlsl", module, "--layout-json").stdout)["sets"]
           for b in s["bindings"]}
    assert got == {"g": (2, 0), "g.map": (2, 3)}, got


def test_data_beside_resources_without_a_known_place_is_refused():
    bare = compile_hlsl(LIGHT, "\treturn l.pos.x;", "bare", "-D")
    assert "only the source text tells where it is" in bind("layout", bare, expect=1).stderr
    odd = compile_hlsl(LIGHT.replace("float4 color", "vector<float, 4> color"), "\treturn l.pos.x;", "odd")
    assert 'the layout of the data in "l" is unknown, since the size of "color" is' in bind(
        "layout", odd, expect=1).stderr


# Local descriptors

def test_reading_a_local_descriptor_before_assignment_is_an_error_with_its_line():
    """glslang optimizes it to OpUndef; -Od leaves the local variable."""
    for declarations, body, line in (
            ("RWBuffer<float4> Buf : register(u0);\nRWBuffer<float4> Out : register(u1);",
             "\tRWBuffer<float4> Local[3];\n\tLocal[2] = Buf;\n\tOut[0] = Local[0][1];\n\treturn 1;", 7),
            ("Texture2D A : register(t0); SamplerState s : register(s1);",
             "\tTexture2D t;\n\tfloat4 x = t.Sample(s, 0);\n\tt = A;\n\treturn x + t.Sample(s, 0);", 5),
            ("Texture2D A : register(t0);", "\tSamplerState s;\n\treturn A.Sample(s, 0);", 5)):
        for flags in (["-g"], ["-Od", "-g"], ["-gVS"]):
            module = compile_hlsl(declarations, body, "a", *flags)
            for rules in ("", "--rules=hlsl"):
                text = bind("layout", *([rules] if rules else []), module, expect=1).stderr
                assert says(text, "error SPB2003") and "no path assigns" in text, (flags, text)
                assert "a.hlsl:%d:" % line in text or "a.hlsl:%d" % line in text, (flags, line, text)


if __name__ == "__main__":
    running.main(globals())
