# SPDX-License-Identifier: Apache-2.0
"""Policies, profiles, shifts, blocks, locks, check, explain, and HLSL compiled by glslang.

    policies.py --bind B [--only WORD]
"""
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import Module, read_places  # noqa: E402
from running import bind, glslang, read_text as read, says, write  # noqa: E402


def module(declarations, path="m.spv", **more):
    Module(declarations, **more).write(path)
    return path


def places(*args, order="--order=module"):
    """name -> (set, binding) in the first module, which is given last."""
    bind(*args, order, "--out-dir=out")
    return read_places(os.path.join("out", os.path.basename(args[-1])))


def layout(*args):
    return json.loads(bind("layout", *args, "--order=module", "--layout-json").stdout)


def bindings(j):
    return {b["name"]: b for s in j["sets"] for b in s["bindings"]}


# Policies

def test_layout_and_lock_depend_on_contents_and_names_but_not_on_folders():
    made = []
    for folder in ("one", "another/deeper"):
        os.makedirs(folder)
        write(folder + "/p.policy", "place name=a -> binding=3\n")
        m = module("a:t b:s", folder + "/m.spv")
        for where in (folder, os.path.abspath(folder)):
            bind("--profile=%s/p.policy" % where, "--lock=%s/m.lock" % where, "--update-lock", "--accesses",
                 "--layout-json=%s/m.json" % where, "--out-dir=%s/out" % where, os.path.join(where, "m.spv"))
            made.append(tuple(read(os.path.join(folder, name)) for name in ("m.json", "m.lock")))
            os.remove(folder + "/m.lock")
        os.remove(m)
    assert '"p.policy:1"' in made[0][0] and len(set(made)) == 1, "layouts or locks differ"
    write("another/deeper/p.policy", "refuse name=a -> say=\"no\"\n")
    said = bind("layout", "--profile=another/deeper/p.policy", module("a:t"), expect=1).stderr
    assert "another/deeper/p.policy:1" in said, said  # messages name the file


def test_a_place_is_shared_again_if_the_modules_agree():
    """Resources that share a binding in the input keep sharing one; if a module has one of them elsewhere, sharing was
    accidental."""
    one = module("x:t@1 y:t@1 z:t@2", "one.spv")
    for other, shared in (("x:t@1 z:t@2", True), ("x:t@3 z:t@2", False)):
        two = module(other, "two.spv")
        for modules in ((one, two), (two, one)):
            j = layout("--rebind=all", *modules)
            assert len(j["sets"][0]["bindings"]) == 3 - shared, (other, j["sets"])


# A number that means "assign one"

def test_a_forgotten_auto_binding_is_recognised():
    remedy = 'If binding 9999 means "assign one", give --auto-binding=9999'
    said = bind("layout", module("a:t@9999 b:b@9999"), expect=1).stderr
    assert "SPB4001" in said and remedy in said, said
    said = bind("layout", module("a:t@9999 b:t@9999")).stderr  # legal: two views of one descriptor
    assert says(said, "warning SPB4016") and remedy in said, said
    for m in (module("a:t@5 b:b@5"), module("a:t@9999 b:t@9998", "x.spv")):
        assert "--auto-binding" not in bind("layout", m, expect=None).stderr
    assert not bind("layout", module("a:t@9999 b:b@9999"), "-q", "--auto-binding=9999").stderr
    for number in (65534, 4294967294):  # these need no option
        assert places("-q", module("a:t@%d b:b@%d" % (number, number))) == {"a": (0, 0), "b": (0, 1)}


def test_the_first_matching_line_applies():
    write("p", "place name=a* kind=texture -> set=2\nplace name=ab -> set=3 binding=9\nplace -> set=1\n")
    got = places("--profile=p", module("ab:t ac:t b:t as:s"))
    assert got == {"ab": (2, 9), "ac": (2, 0), "b": (1, 0), "as": (1, 1)}, got


def test_conditions_on_kind_class_stage_access_and_source():
    write("p", "# a comment, and an empty line\n\nplace class=u access=write -> set=1\n"
               "place class=t,s -> set=2   # both\n"
               "place kind=ubo stage=compute set=0 -> set=3\nplace register=5..6 -> set=4\n")
    got = places("--profile=p", module("rw:ssbo ro:rossbo s:s b:b other:b@1,7 five:comb@5 six:roimg@6 img:img"))
    assert got == {"rw": (1, 0), "img": (1, 1), "ro": (2, 0), "s": (2, 1), "b": (3, 0), "other": (7, 1), "five": (2, 5),
                   "six": (4, 6)}, got
    write("p", "place stage=fragment -> set=5\n")
    assert places("--profile=p", module("a:t")) == {"a": (0, 0)}
    assert places("--profile=p", module("a:t", stage="Fragment")) == {"a": (5, 0)}


def test_ranges_are_filled_first_and_reservations_are_avoided():
    write("p", "place name=r* -> range=2..3\nreserve set=0 range=0..1\nreserve set=0 range=5\n")
    assert places("--profile=p", module("a:t r1:t b:t r2:t c:t")) == {
        "r1": (0, 2), "r2": (0, 3), "a": (0, 4), "b": (0, 6), "c": (0, 7)}
    text = bind("layout", "--profile=p", module("r1:t r2:t r3:t"), expect=1).stderr
    assert "SPB4007" in text and '"r3"' in text and "2..3" in text and "p:1" in text, text


def test_an_unknown_key_is_refused_with_a_list_of_known_ones():
    m = module("a:t")
    for line, known in (("shift class=t by=3 to=2", "class, kind, stage, set and by"),
                        ("reserve set=0 range=1 by=2", None), ("place name=a to=4", None)):
        write("p", line + "\n")
        text = bind("layout", "--profile=p", m, expect=2).stderr
        assert "p:1" in text and ("to" in text or "by" in text) and (known or "") in text, text


def test_order_comes_before_declaration():
    write("p", "place kind=sampler -> order=0\nplace kind=texture -> order=1\nplace -> order=2\n")
    assert places("--profile=p", module("b:b t:t s:s u:u t2:t")) == {"s": (0, 0), "t": (0, 1), "t2": (0, 2),
                                                                     "b": (0, 3), "u": (0, 4)}


def test_a_policy_matches_the_parts_from_an_earlier_run():
    write("p", "place name=r -> set=2\nplace -> set=0\n")
    assert places("--profile=p", module("r:{m:u[3]} x:b"))["r_m"] == (2, 0)
    bind("check", "--profile=p", "--order=module", "out/m.spv")


def test_resources_merged_by_a_policy_are_not_input_descriptors():
    write("p", "place -> set=2\n")
    text = bind("layout", "--profile=p", module("s:s@11,1! t:t@11"), "--order=module", expect=1).stderr
    assert "SPB4001" in text and "different descriptors of the input" in text, text


def test_binding_auto_releases_fixed_bindings():
    write("p", "place set=3 -> set=0 binding=auto\n")
    assert places("--profile=p", module("a:t@7,3 b:t@0 c:t@7,4")) == {"a": (0, 1), "b": (0, 0), "c": (4, 7)}


def test_wrong_lines_name_file_and_line():
    for line, words in (("plce name=x -> set=1", ["begins with", "plce", "place, block"]),
                        ("\036push x", ['"?push"']),  # what separates a remedy in our texts does not do so in a word
                        ("place nme=x -> set=1", ["nme", "name, kind, class"]),
                        ("place kind=textur -> set=1", ["textur", "texture", "sampler"]),
                        ("place class=x -> set=1", ["class", "b, t, s, u"]),
                        ("place stage=pixel -> set=1", ["pixel", "fragment"]),
                        ("place access=both -> set=1", ["both", "read, write"]),
                        ("place name=x", ["has no effect"]),
                        ("place name=x -> set=x", ["number", '"x"']),
                        ("place name=x -> set=4294967296", ["4294967295"]),
                        ("place name=x -> range=5..2", ["ends before"]), ("place name=x -> order=65536", ["65535"]),
                        ("place name=x -> binding=1 range=1..2", ["either a binding or a range"]),
                        ("place name=x -> binding=auto binding=1", ["leave it unassigned"]),
                        ("place name=x -> set=4x", ["takes a number", '"4x"']),
                        ("place name=x -> range=4..7x", ["takes a range", '"4..7x"']),
                        ("place name=x -> range=4.7", ["takes a range", '"4.7"']),
                        ("place %s=1" % ("k" * 99), ["a key before =", "k" * 99]),
                        ("place =1", ["unknown key"]), ("place class=tt", ["unknown class"]),
                        ("place class=t,x", ["unknown class", '"x"']),
                        ("place name=x -> binding=", ["no value"]),
                        ("place name=x -> binding", ["key=value"]),
                        ('place name="x -> set=1', ["quotation"]),
                        ("block -> set=1", ["name="]), ("reserve range=1", ["set="]), ("shift class=t", ["by="]),
                        ("shift by=4", ["class= or kind="]), ("shift kind=txture by=1", ["txture", "texture"]),
                        ("shift class=t stage=frag by=1", ["frag", "fragment"]),
                        ("option sets=last", ["in-order, first"]),
                        ("refuse name=x", ["say="]), ("option rules=metal", ["slang, hlsl"]),
                        ("option speed=9", ["speed"]), ("place name=x -> say=no", ["say"])):
        write("dir.policy", "# first\n" + line + "\n")
        text = bind("layout", "--profile=dir.policy", module("x:t"), expect=2).stderr
        assert text.startswith("dir.policy:2:1: error: ") and says(text, "error SPB4010"), text
        for word in words:
            assert word in text, (line, text)
    for line in ("place name=y -> set=4294967295", "place name=x -> range=5..5", "place name=x -> range=5..",
                 "place name=x -> range=7", "place name=x -> order=65535", "place class=t,s -> set=1", "# only", ""):
        write("dir.policy", line)  # the last one has no end
        bind("layout", "--profile=dir.policy", module("x:t"))
    os.mkdir("folder.policy")
    assert "cannot read folder.policy" in bind("layout", "--profile=folder.policy", module("x:t"), expect=4).stderr


def test_places_from_a_policy_are_final():
    """Otherwise conditions on sets and registers of the input would be applied to the output."""
    write("p", "place set=3 -> set=1\nplace set=1 -> set=2\n")
    assert places("--profile=p", module("a:t@0,3 b:t@1,1")) == {"a": (1, 0), "b": (2, 1)}
    done = bind("check", "--profile=p", "--order=module", "out/m.spv")
    assert says(done.stderr, "note SPB4021") and "--rebind=all" in done.stderr, done.stderr
    write("q", "place -> set=5 binding=auto\n")
    assert places("--profile=q", "--rebind=all", "out/m.spv")["a"] == (5, 0)


def test_members_of_a_struct_may_be_separated_by_a_policy():
    got = places("--profile=" + write("p", "place kind=sampler -> set=2\n"), module("s:{t:t s:s u:t} x:s@,2 y:t"))
    assert got == {"s_t": (0, 0), "s_u": (0, 1), "s_s": (2, 0), "x": (2, 1), "y": (0, 2)}, got


def test_a_refusal_has_a_reason():
    write("p", 'place name=ok* -> set=0\nrefuse kind=combined -> say="split it \\"first\\""\n')
    text = bind("layout", "--profile=p", module("okay:comb bad:comb"), expect=1).stderr
    assert "SPB4018" in text and '"bad"' in text and 'split it "first"' in text and "p:2" in text, text
    assert places("--profile=p", module("okay:comb")) == {"okay": (0, 0)}


def test_names_with_blanks_and_stars():
    write("p", 'place name="a b" -> set=3\nplace name=?x* -> set=4\n')
    m = Module("ab:t yx:t x:t")
    text = m.text
    m.text = lambda: text().replace('%v_ab "ab"', '%v_ab "a b"')
    m.write("m.spv")
    assert places("--profile=p", "m.spv") == {"a b": (3, 0), "yx": (4, 0), "x": (0, 0)}


NO_HEAP = "no heap is made, so these options do nothing: "
WITHOUT_EFFECT = (  # declarations, handles, options, and those reported to have no effect
    ("t:t c:comb", (), "lint --ycbcr=x", "--ycbcr=x matches no combined image-sampler"),
    ("t:t c:comb", (), "lint --ycbcr=t", "--ycbcr=t matches no combined image-sampler"),
    ("t:t c:comb", (), "lint --ycbcr=?", None),
    ("t:t", (), "--heap-set=3", NO_HEAP + "--heap-set;"), ("t:t", (), "--heap=texture=3.0", NO_HEAP + "--heap;"),
    ("t:t", (), "--heap-size=4", NO_HEAP + "--heap-size;"),
    ("t:t", (), "--combined=split", NO_HEAP + "--combined=split;"),
    ("t:t", (), "--heap-set=0 --heap-size=4 --bounds-check=clamp",
     NO_HEAP + "--heap-set, --heap-size, --bounds-check;"),
    ("t:t", (), "--heap-model=descriptor-heap", None),
    ("t:t", (), "--combined=split --heap-model=descriptor-heap", None),
    ("t:t", (), "--heap-model=descriptor-heap --heap-stride=64", NO_HEAP + "--heap-stride;"),
    ("t:t", (), "--heap-model=descriptor-heap --heap-stride=size,64", NO_HEAP + "--heap-stride;"),
    ("t:t", (), "--heap-model=descriptor-heap --heap-stride=unified", NO_HEAP + "--heap-stride;"),
    ("t:t", ("tex",), "--heap-set=3 --heap-size=4 --bounds-check=clamp --heap=texture=3.0", None),
    ("t:t s:s", (), "--shift=t=4", None), ("t:t s:s", (), "--shift=u=4", "--shift=u=4 matches no resource"),
    ("t:t s:s", (), "--shift=u=4", "no resource has this register class ["),
    ("t:t s:s", (), "--shift=t:0=4", None), ("t:t s:s", (), "--shift=t:1=4", "this register class in this set ["),
    ("t:t s:s", (), "--shift=t@compute=4", None), ("t:t s:s", (), "--shift=t@vertex=4", "register class and stage ["),
    ("t:t s:s", (), "--shift=t:1@vertex=4", "register class in this set and stage ["),
    ("t:t s:s", (), "--profile=glslang --shift=sampler=4", None),
    ("t:t s:s", (), "--profile=glslang --shift=image=4", "no resource has this kind ["),
    ("t:t", (), "--rules=hlsl --shift=u=4", None))


def test_options_without_effect_are_named():
    """Whichever module they apply to: the second one here, after one to which none applies."""
    for declarations, handles, options, expected in WITHOUT_EFFECT:
        modules = [module("late:b@7,7", "first.spv"), module(declarations, handles=handles)]
        verb, *rest = options.split() if options.startswith("lint ") else ("layout", *options.split())
        said = bind(verb, *modules, *rest).stderr
        found = [line for line in said.splitlines(True) if re.search("SPB4017|SPB3007", line)]
        assert (expected or "").rstrip(";") in "".join(found), (options, said)
        assert len(found) == (expected is not None), (options, said)
    resolver = "--resolver=" + os.path.join(running.FIXTURES, "resolvers", "table.spvasm")
    said = bind("layout", module("t:t"), resolver).stderr
    assert "the program dereferences no handle, so --resolver=" in said and "SPB3007" in said, said
    assert "SPB3007" not in bind("layout", module("t:t", handles=["tex"]), resolver).stderr
    bind(module("t:t", handles=["tex"]), "-o", "made.spv")  # the heap of an earlier run
    assert not bind("layout", "made.spv", "--heap-set=3").stderr


def test_a_struct_that_moves_affects_no_other_resource():
    """All its members, and not what is declared after them."""
    for more in ("", " y:s@3"):
        got = places("--rebind=conflicts", module("x:t@1 r:{p:t q:s}@1 z:t@9" + more))
        assert got["z"] == (0, 9) and got["x"] == (0, 1) and got["r_q"][1] == got["r_p"][1] + 1 != 2, got


def test_bind_puts_a_resource_there():
    got = places("--place=b=2.5", "--place=c*=3.1", module("a:t b:t@0 cc:t d:t"))
    assert got == {"a": (0, 0), "b": (2, 5), "cc": (3, 1), "d": (0, 1)}, got
    text = bind("layout", "--place=b=0.1", module("a:t@1 b:t"), expect=1).stderr
    assert "SPB4001" in text and '"a"' in text and '"b"' in text, text
    text = bind("layout", "--place=nobody=0.1", module("a:t")).stderr
    assert says(text, "warning SPB4017") and "--place=nobody=0.1" in text, text


def test_bind_and_shift_report_wrong_values():
    for option in ("--place=x", "--place=x=1", "--place=x=1.", "--place==1.2", "--place=x=1.2.3", "--shift=t",
                   "--shift=x=1",
                   "--shift=t:=1", "--shift=t=1x", "--shift==1", "--shift=t@=1",
                   "--shift=t@vertex", "--shift=t:1@=1"):
        text = bind("layout", option, module("x:t"), expect=2).stderr
        assert option.split("=")[0] + ": expected" in text, text


def test_a_block_takes_a_whole_set():
    got = places("--policy=block name=m_*", module("m_tex:t g:t m_buf:b m_s:s"))
    assert got == {"g": (0, 0), "m_buf": (1, 0), "m_tex": (1, 1), "m_s": (1, 2)}, got
    got = places("--policy=block name=m_* -> set=5", "--policy=block name=n", module("m_tex:t n:t g:t@0,1"))
    assert got == {"m_tex": (5, 0), "n": (0, 0), "g": (1, 0)}, got
    text = bind("layout", "--policy=block name=m -> set=1", module("m:t g:t@0,1"), expect=1).stderr
    assert "SPB4014" in text and "set 1" in text, text


# Profiles

def test_dx12_shifts():
    got = places("--profile=dx12-shifts", module("cb:b@0 t0:t@0 t1:t u:u@0 s:s@1"))
    assert got == {"cb": (0, 256), "t0": (0, 0), "t1": (0, 1), "u": (0, 384), "s": (0, 129)}, got


def test_one_set():
    assert places("--profile=one-set", module("a:t@5,3 b:b@0,1 c:s")) == {"a": (0, 0), "b": (0, 1), "c": (0, 2)}


def test_set_per_kind():
    got = places("--profile=set-per-kind", module("a:t b:b c:s d:ssbo e:comb f:u g:b as:as"))
    assert got == {"b": (0, 0), "g": (0, 1), "a": (1, 0), "e": (1, 1), "c": (2, 0), "d": (3, 0), "f": (3, 1),
                   "as": (3, 2)}, got


def test_sdl3gpu_has_its_sets_per_stage():
    vertex = module("buf:rossbo cam:b tex:comb img:roimg", "v.spv", stage="Vertex")
    fragment = module("light:b cam:b tex:comb ro:rossbo", "f.spv", stage="Fragment")
    assert places("--profile=sdl3gpu", fragment, vertex) == {"tex": (0, 0), "img": (0, 1), "buf": (0, 2), "cam": (1, 0)}
    assert read_places("out/f.spv") == {"tex": (2, 0), "ro": (2, 1), "light": (3, 0), "cam": (3, 1)}
    got = places("--profile=sdl3gpu", module("w:ssbo wi:img r:rossbo ri:roimg c:comb b:b"))
    assert got == {"c": (0, 0), "ri": (0, 1), "r": (0, 2), "wi": (1, 0), "w": (1, 1), "b": (2, 0)}, got
    text = bind("layout", "--profile=sdl3gpu", module("t:t s:s"), expect=1).stderr
    assert "SPB4018" in text and "--merge-combined" in text, text
    assert "declare it readonly" in bind("layout", "--profile=sdl3gpu", module("w:ssbo", stage="Fragment"),
                                         expect=1).stderr


def test_a_profile_is_named_or_a_file():
    text = bind("layout", "--profile=dx13", module("a:t"), expect=2).stderr
    assert "dx12-shifts" in text and "sdl3gpu" in text, text


# Shifts

def test_shifts_of_spaces_and_the_automatic_ones():
    m = module("b:b@0 t:t@0 s:s@0 u:u@0 b1:b@0,1 t1:t@5,1 u3:u@9,3")
    got = places("--rules=hlsl", "--shift=t=10", "--shift=t:1=20", "--shift=s=30", "--shift=u=40", m)
    assert got == {"b": (0, 0), "t": (0, 10), "s": (0, 30), "u": (0, 40), "b1": (1, 0), "t1": (1, 25),
                   "u3": (3, 49)}, got
    got = places("--rules=hlsl", "--policy=option shift=auto", m)
    assert got == {"b": (0, 0), "t": (0, 1), "s": (0, 2), "u": (0, 3), "b1": (1, 0), "t1": (1, 5), "u3": (3, 9)}, got
    assert places("--rules=hlsl", m) == got  # implied where two classes collide
    text = bind("layout", "--rules=hlsl", "--shift=t=0", m, expect=1).stderr
    assert "SPB4001" in text and "--policy='option shift=auto'" in text, text
    text = bind("layout", "--rules=hlsl", "--shift=t=4294967295", module("t:t@1"), expect=1).stderr
    assert "SPB4019" in text, text


def test_shifts_of_stages_and_kinds():
    # in one number space, unassigned resources begin at the shift, and it is added to fixed ones
    m = module("a:t b:comb c:s d:b e:ssbo f:t[3] g:t@2 h:img i:t@,1", stage="Fragment")
    got = places("--profile=glslang", "--shift=texture,combined=10", "--shift=sampler@fragment=11",
                 "--shift=ubo@vertex=50", "--shift=image=2", m)
    assert got == {"a": (0, 10), "b": (0, 11), "c": (0, 13), "d": (0, 0), "e": (0, 1), "f": (0, 14), "g": (0, 12),
                   "h": (0, 2), "i": (1, 10)}, got
    bind("check", "--profile=glslang", "--shift=texture,combined=10", "--shift=image=2", "--order=module",
         "out/m.spv")  # shifted bindings are not shifted again
    # an array may extend across the beginning of another class
    write("p", "option shift=base fixed=registers arrays=each\nshift class=t by=4\nshift class=s by=7\n"
               "shift class=b by=9\n")
    got = places("--profile=p", module("a:t b:t[8] c:s d:t[3] e:b f:s[2]"))
    assert got == {"a": (0, 4), "b": (0, 5), "c": (0, 13), "d": (0, 14), "e": (0, 17), "f": (0, 18)}, got
    # the last line for the set counts, otherwise the last one
    write("p", "option shift=base\nshift class=t set=1 by=9\nshift class=t by=4\nshift class=t stage=compute by=5\n"
               "shift class=t stage=fragment by=6\n")
    assert places("--profile=p", module("a:t b:t@,1 c:t@3")) == {"a": (0, 5), "b": (1, 9), "c": (0, 3)}


def test_shifts_of_stages_with_classes_numbered_separately():
    v, f = module("a:t@0 x:t@1 c:b@0", "v.spv", stage="Vertex"), module("b:t@0 c:b@0 s:s", "f.spv", stage="Fragment")
    shifts = ["--shift=t@vertex=10", "--shift=t@fragment=20", "--shift=s=30"]
    got = places("--rules=hlsl", *shifts, f, v)
    assert got == {"a": (0, 10), "x": (0, 11), "c": (0, 0)}, got
    assert read_places("out/f.spv") == {"b": (0, 20), "c": (0, 0), "s": (0, 30)}
    bind("check", "--rules=hlsl", *shifts, "--order=module", "out/v.spv", "out/f.spv")
    bind("check", "--rules=hlsl", *shifts, "--order=module", "out/f.spv")
    assert places("--rules=hlsl", f, v) == {"a": (0, 1), "x": (0, 2), "c": (0, 0)}  # without stages: one descriptor
    assert read_places("out/f.spv") == {"b": (0, 1), "c": (0, 0), "s": (0, 3)}
    got = places(*shifts, module("a:t b:t c:b", "f.spv", stage="Fragment"))
    assert got == {"a": (0, 20), "b": (0, 21), "c": (0, 0)}, got
    for options in ([], ["--rules=hlsl", "--profile=glslang"]):
        text = bind("layout", *options, "--shift=texture@fragment=3", v, "--order=module", expect=2).stderr
        assert "SPB4010" in text and "--profile=glslang" in text and "class=" in text, text
    text = bind("layout", "--profile=glslang", "--shift=ubo,ssbo@vertex=3", f, "--order=module").stderr
    assert text.count("SPB4017") == 1 and "no resource has this kind and stage" in text, text


def test_unused_resources_are_removed_kept_or_last():
    m = module("A:u B:u@0! C:u D:t!")
    assert places("--rules=hlsl", m) == {"A": (0, 0), "C": (0, 1)}
    j = layout("--rules=hlsl", m)
    assert sorted(j["removed"]) == ["B", "D"], j["removed"]
    got = places("--rules=hlsl", "--unused=last", m)
    assert got == {"A": (0, 1), "C": (0, 2), "B": (0, 3), "D": (0, 0)}, got  # D's class is t, shifted apart
    assert places("--unused=remove", m) == {"A": (0, 0), "C": (0, 1)}
    got = places("--unused=last", m)
    assert got == {"A": (0, 1), "C": (0, 2), "B": (0, 0), "D": (0, 3)}, got  # what is fixed stays
    assert places("--unused=last", "--rebind=all", m) == {"A": (0, 0), "C": (0, 1), "B": (0, 2), "D": (0, 3)}


def test_used_means_reachable_from_an_entry_point_of_any_module():
    a, b = module("A:u! B:u", "a.spv"), module("A:u B:u!", "b.spv")
    assert places("--rules=hlsl", b, a) == {"A": (0, 0), "B": (0, 1)}
    assert "removed" not in layout("--rules=hlsl", a, b)


# The order of modules

def test_modules_are_numbered_as_given_or_as_in_a_pipeline():
    stages = ["Fragment", "GLCompute", "Vertex", "Geometry", "TessellationEvaluation", "TessellationControl"]
    files = [module("%s:t all:s" % s, s + ".spv", stage=s) for s in stages]
    lenient = "--allow-unvalidated"  # these stages lack their modes
    numbers = lambda *args: {n: at[1] for n, at in places(lenient, *args).items()}  # noqa: E731
    assert numbers(*files) == {"TessellationControl": 6, "all": 1}
    pipeline = "--policy=option modules=pipeline"
    assert numbers(pipeline, *files) == {"TessellationControl": 2, "all": 1}
    got = {n: at[1] for s in stages for n, at in read_places("out/%s.spv" % s).items()}
    assert got == {"Vertex": 0, "all": 1, "TessellationControl": 2, "TessellationEvaluation": 3, "Geometry": 4,
                   "Fragment": 5, "GLCompute": 6}, got
    same = numbers(pipeline, *files[::-1])
    assert same == {"Fragment": 5, "all": 1}, same
    # two of one stage stay as given; a module without an entry point would come last
    a, b = module("a:t", "a.spv", stage="Fragment"), module("b:t", "b.spv", stage="Fragment")
    assert numbers(pipeline, a, b) == {"b": 1} and numbers(pipeline, b, a) == {"a": 1}


def test_imported_resources_come_last_wherever_they_are_declared():
    library = module("lib_a:t lib_b:t lib_c:s", "lib.spv")
    both = module("lib_b:t own:t lib_a:t last:b", "own.spv")
    got = places("--import=" + library, both)
    assert got == {"own": (0, 0), "last": (0, 1), "lib_a": (0, 2), "lib_b": (0, 3)}, got
    assert read_places("out/lib.spv") == {"lib_a": (0, 2), "lib_b": (0, 3), "lib_c": (0, 4)}
    bind("check", "--order=module", "out/own.spv", "--import=out/lib.spv")
    other = module("lib_c:s other:t", "other.spv", stage="Fragment")
    got = places("--import=" + library, "--policy=option modules=pipeline", both, other)
    assert got == {"other": (0, 0), "lib_c": (0, 5)}, got
    got = places("--import=" + library, "--rules=hlsl", both)
    assert got == {"own": (0, 1), "last": (0, 0), "lib_a": (0, 2), "lib_b": (0, 3)}, got
    # their parameter blocks, too; and of two that are fixed at one binding, theirs moves
    blocks = ["--policy=block name=lib_*", "--policy=block name=o*"]
    got = places("--import=" + library, *blocks, both)
    assert (got["own"], got["lib_a"], got["lib_b"]) == ((1, 0), (2, 0), (2, 1)), got
    fixed = module("lib_a:t@3 own:s@3 own2:b@3", "own.spv")
    got = places("--import=" + module("lib_a:t@3", "lib.spv"), "--rebind=conflicts", fixed)
    assert got["own"][1] == 3 and got["own2"][1] != 3, got


# The lock

def test_a_lock_keeps_numbers_through_every_change():
    lock = "--lock=l"
    first = places(lock, "--update-lock", module("a:t b:s c:b"))
    assert first == {"a": (0, 0), "b": (0, 1), "c": (0, 2)}
    bind("lock", "check", lock, "--order=module", module("a:t b:s c:b"))
    # a new one at the front, one removed, another order: known ones stay, the binding of b stays empty
    got = places(lock, "--update-lock", module("z:t c:b a:t"))
    assert got == {"a": (0, 0), "c": (0, 2), "z": (0, 3)}, got
    assert "removed b set=0 binding=1\n" in read("l"), read("l")
    # it returns to its binding
    assert places(lock, "--update-lock", module("b:s z:t c:b a:t y:u"))["b"] == (0, 1)
    assert "removed" not in read("l")


def test_locked_fails_with_the_difference():
    bind("--lock=l", "--update-lock", module("a:t b:s"), "--order=module", "-o", "o.spv")
    before = read("l")
    write("sentinel.spv", "kept")
    done = bind("--lock=l", "--locked", module("a:u c:s"), "--order=module", "-o", "sentinel.spv", expect=3)
    for line in ("- resource a set=0 binding=0 kind=texture", "+ resource a set=0 binding=0 kind=stexbuf",
                 "+ removed b set=0 binding=1", "+ resource c set=0 binding=2 kind=sampler"):
        assert line in done.stderr, done.stderr
    assert read("l") == before and read("sentinel.spv") == "kept"


def test_a_lock_and_a_module_that_disagree():
    bind("--lock=l", "--update-lock", module("a:t b:s"), "--order=module", "-o", "o.spv")
    text = bind("layout", "--lock=l", module("a:t@9 b:s"), "--order=module", expect=1).stderr
    assert "SPB4012" in text and "binding 9" in text and "line 4" in text and "binding 0" in text, text
    bind("--lock=l", "--update-lock", module("a:t@9 b:s"), "--order=module", "-o", "o.spv")
    assert "resource a set=0 binding=9" in read("l")


ODD_NAMES = ["a b", " ", " a", "a ", "x\ny", "\n", "\r", "tab\there", '"quoted"', "'quoted'", "#comment", "a#b", "\\",
             "\\n", "back\\slash", "é", "材質", "\u202e", "\u00a0", "\U0001f600", "\x01", "\x7f", "n" * 1000, "n" * 1001,
             "lock", "resource", "removed", "heap", "shift", "push", "set", "set=0", "binding=7", "ordinal=1",
             "version=1", "=", "a=b", "<<<<", "====", ">>>>", "%2", "*", "?", "[x]", "a,b", "..", "0", "-", "--locked"]


def named(names, path):
    """A module with a texture for each name, all of which it uses."""
    quoted = [name.replace("\\", "\\\\").replace('"', '\\"') for name in names]
    lines = ["OpCapability Shader", "OpMemoryModel Logical GLSL450", 'OpEntryPoint GLCompute %main "main"',
             "OpExecutionMode %main LocalSize 1 1 1", *('OpName %%v%d "%s"' % row for row in enumerate(quoted)),
             "%void = OpTypeVoid", "%fn = OpTypeFunction %void", "%float = OpTypeFloat 32",
             "%image = OpTypeImage %float 2D 0 0 0 1 Unknown", "%pointer = OpTypePointer UniformConstant %image",
             *("%%v%d = OpVariable %%pointer UniformConstant" % i for i in range(len(names))),
             "%main = OpFunction %void None %fn", "%entry = OpLabel",
             *("%%l%d = OpLoad %%image %%v%d" % (i, i) for i in range(len(names))), "OpReturn", "OpFunctionEnd"]
    running.run("spirv-as", "--target-env", "spv1.0", write(path + "asm", "\n".join(lines) + "\n"), "-o", path)
    return path


def test_a_lock_keeps_odd_names():
    first = places("--lock=l", "--update-lock", named(["before", *ODD_NAMES, ""], "m.spv"))
    assert len(first) == len(ODD_NAMES) + 2, first
    text = read("l")
    assert len(text.splitlines()) == 3 + len(first) - 1 and text.isascii(), text  # unnamed resources cannot be locked
    bind("lock", "check", "--lock=l", "--order=module", "m.spv")
    assert places("--lock=l", "--locked", named([*ODD_NAMES[::-1], "before"], "m.spv")) == {
        name: place for name, place in first.items() if name}
    # removed for a while, and back in another order
    assert places("--lock=l", "--update-lock", named(["new"], "m.spv")) == {"new": (0, len(first) - 1)}
    assert len(re.findall("^removed ", read("l"), re.M)) == len(ODD_NAMES) + 1, read("l")
    bind("lock", "check", "--lock=l", "--order=module", "m.spv")
    got = places("--lock=l", "--update-lock", named([*ODD_NAMES[::-1], "new", "before"], "m.spv"))
    assert got == {**{name: place for name, place in first.items() if name}, "new": (0, len(first) - 1)}, got
    assert "removed" not in [line.split()[0] for line in read("l").splitlines()]


def test_a_lock_quotes_only_what_it_must():
    """Most names are not quoted, so that reviewers can read them."""
    plain = ["a", "z", "A", "Z", "0", "9", "a0", "_", "type.B", "$Globals", "a@b", "std::x", "t[0]", "x109"]
    quoted = ["a b", "a-b", "a/b", "a=b", "#a", "a`b", "a{b", "a,b", "\u00e9", "a\"b", "(a)", "a;b", "a^b"]
    places("--lock=l", "--update-lock", named(plain + quoted, "m.spv"))
    text = read("l")
    for name in plain:
        assert re.search("^resource %s set=0 " % re.escape(name), text, re.M), (name, text)
    for name in quoted:
        assert not re.search("^resource %s " % re.escape(name), text, re.M), (name, text)
    assert len(re.findall('^resource "', text, re.M)) == len(quoted), text


def test_a_lock_pins_shifts_and_heaps():
    m = module("t:t@3 b:b@0 b1:b", handles=["tex"])
    before = places("--rules=hlsl", "--policy=option shift=auto", "--lock=l", "--update-lock", m)
    assert "shift class=t set=0" in read("l") and "heap heap_texture_2D_float set=1" in read("l"), read("l")
    # two more buffers would move the textures, and one more set the heaps
    after = places("--rules=hlsl", "--policy=option shift=auto", "--lock=l",
                   module("t:t@3 b:b@0 b1:b b2:b new:t@0,1", handles=["tex"]))
    for name in before:
        assert after[name] == before[name], (before, after)


def test_a_range_does_not_reuse_numbers_of_removed_resources():
    write("p", "place name=r -> range=1..4\n")
    places("--lock=l", "--update-lock", module("a:t b:t c:t"))
    assert places("--lock=l", "--profile=p", module("a:t c:t r:t")) == {"a": (0, 0), "c": (0, 2), "r": (0, 3)}


def test_heaps_return_to_their_set():
    bind("--lock=l", "--update-lock", module("t:t", handles=["tex"]), "--order=module", "-o", "o.spv")
    assert read_places("o.spv")["heap_texture_2D_float"] == (1, 2)
    places("--lock=l", "--update-lock", module("t:t other:t@0,3"))  # no handles for a while, and one more set
    got = places("--lock=l", "--update-lock", "--policy=block name=b", module("t:t b:t", handles=["tex"]))
    assert got["heap_texture_2D_float"] == (1, 2) and got["b"] == (2, 0), got


def test_wrong_lock_lines_name_the_line():
    for text, word in (("", None), ("resource a set=0 binding=1\n", "not a lock file"), ("lock version=3\n", "version"),
                       ("lock version=1\n<<<<<<< ours\n", "merge"), ("lock version=1\nresource a set=0\n", "truncated"),
                       ("lock version=1\nresource a set=0 binding=1\nresource a set=0 binding=2\n",
                        "already locked by line 2"),
                       ("lock version=1\nresource a set=0 binding=x\n", "number"),
                       ("lock version=1\nthing a\n", "begins with"), ("\0\1\2 binary", "not a lock file")):
        write("l", text)
        done = bind("layout", "--lock=l", module("a:t"), expect=0 if word is None else 2)
        if word:
            assert re.match(r"l:\d+:1: error: .* \[SPB4011\]\n", done.stderr) and word in done.stderr, done.stderr


def test_a_merged_lock_with_one_place_twice():
    write("l", "lock version=1\nresource a set=0 binding=1\nresource b set=0 binding=1\n")
    text = bind("layout", "--lock=l", module("a:t b:s"), expect=1).stderr
    assert "SPB4001" in text and "lock file" in text, text


def test_lines_of_a_lock_may_be_merged_in_any_order():
    bind("--lock=l", "--update-lock", module("a:t b:s c:b"), "--order=module", "-o", "o.spv")
    lines = read("l").splitlines(True)
    write("l", "".join(lines[:3] + lines[:2:-1]))
    assert places("--lock=l", module("c:b b:s a:t")) == {"a": (0, 0), "b": (0, 1), "c": (0, 2)}


def test_missing_locks():
    assert "cannot read l" in bind("layout", "--lock=l", module("a:t"), expect=4).stderr
    assert "Add --lock=FILE." in bind("lock", "check", module("a:t"), expect=2).stderr
    bind("lock", "update", "--lock=l", module("a:t"))
    assert os.listdir(".") == ["l", "m.spv"] or sorted(os.listdir(".")) == ["l", "m.spv"]
    assert bind("-o", "x", "--lock=l", "--locked", "--update-lock", module("a:t"), expect=2)


def test_a_lock_is_not_written_over_other_files():
    m = module("a:t")
    for args in (["--lock=" + m, "-o", "x.spv"], ["--lock=./x.spv", "-o", "x.spv"],
                 ["--lock=out/m.spv", "--out-dir=out"],
                 ["--lock=l", "--layout-json=l", "-o", "x.spv"], ["--lock=-", "-o", "x.spv"]):
        bind("--update-lock", *args, m, expect=2)
    assert not os.path.exists("x.spv") and not os.path.exists("l")


def test_unlocked_resources_are_noted():
    bind("--lock=l", "--update-lock", module("a:t"), "--order=module", "-o", "o.spv")
    text = bind("layout", "--lock=l", module("a:t b:t c:t"), "--order=module").stderr
    assert says(text, "note SPB4020") and '"b" and others, 2 resources in all, are not in the lock file' in text, text
    text = bind("layout", "--lock=l", module("a:t b:t"), "--order=module").stderr
    assert says(text, "note SPB4020", '"b" is not in the lock file') and "rename" not in text, text


def test_what_was_renamed_keeps_its_number():
    bind("--lock=l", "--update-lock", module("a:t b:t"), "--order=module", "-o", "o.spv")
    renamed = module("c:t a:t")
    text = bind("layout", "--lock=l", renamed).stderr
    assert "if it was renamed, add the line rename b -> c" in text, text
    assert places("--lock=l", renamed) == {"a": (0, 0), "c": (0, 2)}
    write("l", read("l") + "rename b -> c\n")
    assert places("--lock=l", renamed) == {"a": (0, 0), "c": (0, 1)}
    bind("--lock=l", "--update-lock", renamed, "-o", "o.spv")
    assert "resource c set=0 binding=1" in read("l") and "rename" not in read("l") and "b" not in read("l").split()


def test_lock_lines_that_cannot_be_kept_are_noted():
    running.run("spirv-opt", "--strip-debug", module("a:t@2 b:t@3"), "-o", "nameless.spv")
    for words in (["--update-lock", "-o", "o.spv"], ["lock", "check"]):
        text = bind(*words, "--lock=l", "nameless.spv", "--order=module").stderr
        assert says(text, "note SPB4020") and "2 resources in all, have no OpName" in text, text
    assert "no OpName" not in bind("layout", "nameless.spv", "--order=module").stderr
    running.run("spirv-opt", "--strip-debug", module("a:t@2"), "-o", "nameless.spv")
    text = bind("lock", "update", "--lock=l2", "nameless.spv", "--order=module").stderr
    assert re.search(r"%\d+ has no OpName, so the lock file cannot keep its binding", text), text


# The doctor

def test_check_describes_every_shared_place():
    a = module("same:b@0 t:t@1 heap:t[]@2 cubes:cube[]@2 w:ssbo@3 s:s@4 img:t@5 gone:t@6 dead:t@7", "a.spv",
               stage="Vertex")
    b = module("same:b@0 t2:t@1 w2:ssbo@3 other:t@4 img3:cube@5 gone:u@6 alive:b@7", "b.spv", stage="Fragment")
    done = bind("check", "-v", a, b, expect=3)
    assert done.stdout == "", done.stdout
    by_names = {}
    for line in done.stderr.splitlines():
        for names in (("same",), ("t2", "t"), ("cubes", "heap"), ("w2", "w"), ("other", "s"), ("img3", "img"),
                      ("gone", "gone")):
            if re.search(r"\[SPB4\d+\]",
                         line) and all('"%s"' % n in line for n in names):
                by_names.setdefault(names, line)
    for names, words in ((("same",), ["note", "one resource", "2 modules", "vertex+fragment"]),
                         (("t2", "t"), ["warning", "set 0, binding 1", "SAMPLED_IMAGE"]),
                         (("cubes", "heap"), ["note", "views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE"]),
                         (("w2", "w"), ["warning", "STORAGE_BUFFER"]),
                         (("other", "s"), ["warning", "COMBINED_IMAGE_SAMPLER"]),
                         (("img3", "img"), ["warning", "SAMPLED_IMAGE"]),
                         (("gone", "gone"), ["error", "modules of one pipeline use them"])):
        for word in words:
            assert word in by_names[names], (word, by_names[names])
    assert not glob.glob("out*")


def test_check_knows_used_and_written_resources():
    a = module("w:ssbo@0 same:ssbo@1 unused:t@2!", "a.spv")
    b = module("same:ssbo@1 live:b@2", "b.spv")
    text = bind("check", "-v", a, b).stderr
    assert says(text, "note SPB4016") and "no pipeline uses both" in text, text
    assert "SPB4016" not in bind("check", a, b).stderr
    m = Module("x:u@0 y:u@0")
    m.write("c.spv")
    text = bind("check", "c.spv").stderr
    assert says(text, "note SPB4016") and "Decorate both Aliased" in text, text
    assert "Decorate both Aliased" in bind("layout", "c.spv").stderr
    m.notes += ["OpDecorate %v_x Aliased", "OpDecorate %v_y Aliased"]
    m.write("c.spv")
    text = bind("check", "-v", "c.spv").stderr
    assert "moves them together" in text and "Decorate both" not in text, text
    assert not bind("layout", "c.spv").stderr


def test_check_names_types_and_source_locations():
    write("v.vert", "#version 450\n// a comment\nlayout(binding = 0) uniform samplerCube sky;\nvoid main() "
                    "{ gl_Position = texture(sky, vec3(1)); }\n")
    write("f.frag", "#version 450\nlayout(location = 0) out vec4 o;\n#line 40\n"
                    "layout(rgba8ui, binding = 0) uniform readonly uimage2DArray\n  u;\n"
                    "void main() { o = vec4(imageLoad(u, ivec3(1))); }\n")
    for debug in ("-g", "-gVS"):
        text = bind("check", glslang("v.vert", "v.spv", debug), glslang("f.frag", "f.spv", debug), expect=3).stderr
        for words in ("f.frag:41:1: error: \"u\" (image 2D array uint) is at set 0, binding 0",
                      "v.vert:3:1: note: \"sky\" (combined Cube float; set 0, binding 0; vertex) is here",
                      "no VkDescriptorType serves both"):
            assert words in text, (debug, words, text)


def test_types_are_named_with_their_differences():
    for image, named in (("%float 1D 0 0 0", "texture 1D float"), ("%float 2D 0 1 0", "texture 2D array float"),
                         ("%int 2D 0 0 1", "texture 2D multisampled int"), ("%half Cube 0 0 0", "texture Cube half"),
                         ("%uint 2D 0 1 1", "texture 2D array multisampled uint"),
                         ("%long 3D 1 0 0", "texture 3D int64"),
                         ("%float Buffer 0 0 0", "utexbuf Buffer float"),
                         ("%void Cube 0 1 0", "texture Cube array void"),
                         ("%double 2D 0 0 0", "texture 2D double"), ("%ulong 2D 0 0 0", "texture 2D uint64")):
        text = Module("a:t[4]@0 b:t@0 c:t[]@0 d:comb@1 e:comb@1").text()
        text = text.replace("%float 2D 0 0 0", image).replace(
            "%v4float =", "%half = OpTypeFloat 16\n%long = OpTypeInt 64 1\n%double = OpTypeFloat 64\n"
            "%ulong = OpTypeInt 64 0\n%v4float =")
        running.spirv_as(text, "m.spv")
        said = bind("check", "-v", "m.spv", "--order=module", "--validate=none").stderr
        for name, more in ("a", "[4]"), ("b", ""), ("c", "[]"):
            assert re.search(r'"%s" \(%s[;)]' % (name, re.escape(named + more)), said), (image, name, said)
        assert '"e" (%s)' % named.replace("texture", "combined") in said, said


def test_check_continues_after_disagreements():
    a, b = module("x:t y:b@1 v:b@1,3", "a.spv"), module("x:s y:b@2 z:u@1 w:t", "b.spv")
    text = bind("check", "-v", a, b, expect=3).stderr
    for code in ("SPB4002", "SPB4003", "SPB4001"):
        assert code in text, text


def test_check_is_silent_without_problems():
    done = bind("check", module("a:t@0 b:s@1"))
    assert done.stdout == done.stderr == "", done
    bind("check", module("a:t@0"), "-o", "x.spv", expect=2)


def test_all_conflicts_are_reported_not_only_the_first():
    text = bind("layout", module("a:t@0 b:u@0 c:b@3 d:u@3"), expect=1).stderr
    assert says(text, "error SPB4001") == 2, text


def test_many_conflicts_are_counted():
    text = bind("layout", module(" ".join("a%d:b@%d c%d:u@%d" % (i, i, i, i) for i in range(299))), expect=1).stderr
    assert says(text, "error SPB4001") == 100 and "199 more bindings" in text, text[-300:]


def test_an_allowed_overlap_is_in_the_layout():
    j = layout("--allow-overlap", "-q", module("a:t@0 b:u@0"))
    a, b = j["sets"][0]["bindings"]
    assert a["name"] == "a" and b["name"] == "b" and b["binding"] == 0 and b["overlap"].startswith("conflict: "), b


def test_aliases_move_together():
    m = module("x:t@0 heap:t[]@3,1 views:cube[]@3,1")
    got = places("--rebind=all", m)
    assert got == {"x": (0, 0), "heap": (1, 0), "views": (1, 0)}, got


# Why

def test_properties_of_one_view_apply_to_all():
    """a and b are one descriptor, wherever a rule about either of them places it."""
    module("c:t@0 a:t@3 b:t@3 d:t@4")
    for action, c, a, d in (("order=5", (0, 0), (0, 2), (0, 1)), ("set=2", (0, 0), (2, 0), (0, 1)),
                            ("range=7..9", (0, 0), (0, 7), (0, 1)), ("set=1 range=7..9", (0, 0), (1, 7), (0, 1)),
                            ("binding=5", (0, 0), (0, 5), (0, 1)), ("set=1 binding=4", (0, 0), (1, 4), (0, 1)),
                            ("binding=auto", (0, 0), (0, 1), (0, 2))):
        for name in "ab":
            got = places("--rebind=all", "--allow-overlap", "--policy=place name=%s -> %s" % (name, action), "m.spv")
            assert got == {"c": c, "a": a, "b": a, "d": d}, (name, action, got)


def test_explain_says_which_rule_placed_it():
    a, b = module("cam:b tex:t@3", "a.spv", stage="Vertex"), module("cam:b other:s", "b.spv", stage="Fragment")
    text = bind("explain", "--place=other=2.7", "--order=module", a, b).stdout
    for words in ("cam: set 0, binding 0\n    uniform buffer\n    why: first free binding of the default set\n"
                  "    in a.spv (vertex) as", "tex: set 0, binding 3", "why: fixed in the module",
                  "other: set 2, binding 7\n    sampler\n    why: --place=other=2.7", "in b.spv (fragment)"):
        assert words in text, (words, text)
    assert "no resource matches" in bind("explain", "--name=nothing", a).stderr
    text = bind("explain", "--name=t", "--rules=hlsl", "--shift=t=4", module("t:t@2")).stdout
    assert "register t2 in space 0, shifted by 4" in text, text


def test_why_is_in_the_layout():
    write("p", "place name=b -> set=1\n")
    bind("--lock=l", "--update-lock", module("c:t"), "-o", "o.spv")
    j = bindings(layout("--profile=p", "--lock=l", module("a:t@0,9 b:t c:t d:t")))
    assert {n: b["why"] for n, b in j.items()} == {
        "a": "fixed in the module", "b": "p:1", "c": "lock file", "d": "first free binding of the default set"}, j


def test_check_says_old_and_new_for_each_stage():
    a, b = module("cam:b tex:t@3,1", "a.spv", stage="Vertex"), module("cam:b gone:s@0!", "b.spv", stage="Fragment")
    done = bind("check", "--unused=remove", "--order=module", a, b, expect=3)
    final = "%s:1:1: error: not in its final form\n%s:1:1: note: Run spirv-bind on it.\n"
    cam = '%s:1:1: note: "cam" has no number and would get set 0, binding 0\n'
    assert done.stderr == (final % (a, a) + cam % a + final % (b, b) + cam % b +
                           b + ':1:1: note: "gone" is unused and would be removed\n') and not done.stdout, done.stderr
    bind(a, "-o", "o.spv", "--order=module")
    done = bind("check", "o.spv")
    assert done.stdout == done.stderr == ""


def test_explain_names_each_stage():
    for model, name in (("Vertex", "vertex"), ("TessellationControl", "tesscontrol"), ("Geometry", "geometry"),
                        ("TessellationEvaluation", "tesseval"), ("Fragment", "fragment"), ("GLCompute", "compute"),
                        ("RayGenerationKHR", "raygen"), ("AnyHitKHR", "anyhit"), ("ClosestHitKHR", "closesthit"),
                        ("MissKHR", "miss"), ("IntersectionKHR", "intersection"), ("CallableKHR", "callable"),
                        ("TaskEXT", "task"), ("MeshEXT", "mesh")):
        said = bind("explain", module("cam:b", stage=model)).stdout
        assert "in m.spv (%s)" % name in said, (model, said)


def test_check_says_what_moves():
    """A set or a binding alone, several, what has no name; nothing of what stays."""
    for resources, option, expected in (
            ("a:t@4", "--rebind=all", ['"a" would move from set 0, binding 4 to set 0, binding 0']),
            ("a:t@0,3", "--rebind=all,sets", ['"a" would move from set 3, binding 0 to set 0, binding 0']),
            ("a:t@0,3", "--rebind=all", None),
            ("a:t@4!", "--unused=remove", ['"a" is unused and would be removed']),
            ("a:t@4 b:s@0 c:b@1", "--rebind=all", ['"a" would move from set 0, binding 4 to set 0, binding 0',
                                                   '"b" would move from set 0, binding 0 to set 0, binding 1',
                                                   '"c" would move from set 0, binding 1 to set 0, binding 2'])):
        done = bind("check", "--order=module", option, module(resources), expect=3 if expected else 0)
        assert re.findall(r"note: (.*)", done.stderr)[1:] == (expected or []), (resources, option, done.stderr)


# Facts in DXIL's terms

def test_resource_kinds_and_ranges():
    j = bindings(layout("--rules=hlsl",
                        module("t:t[4]@2,1 c:cube s:s u:u[]@7 cb:b rw:ssbo ro:rossbo ut:utexbuf i:itex as:as")))
    got = {n: (b["type"]["resourceKind"], b["class"], b["register"], b["space"], b["range"], b["type"]["writable"])
           for n, b in j.items()}
    assert got["t"] == ("Texture2D", "t", 2, 1, [2, 5], False), got
    assert got["u"] == ("TypedBuffer", "u", 7, 0, [7, None], True), got
    assert got["c"][0] == "TextureCube" and got["s"][:2] == ("Sampler", "s") and got["cb"][:2] == ("CBuffer", "b"), got
    assert got["rw"][0] == "StructuredBuffer" and got["rw"][5] and not got["ro"][5] and got["ro"][1] == "t", got
    assert got["ut"][:2] == ("TypedBuffer", "t") and got["as"][0] == "RTAccelerationStructure", got
    assert j["i"]["type"]["signed"] is True and "signed" not in j["t"]["type"], j["i"]
    assert j["rw"]["type"]["stride"] == 16, j["rw"]


def test_raw_and_structured_buffers():
    """Only a text, or DXC's name, tells ByteAddressBuffer from StructuredBuffer<uint>."""
    write("b.hlsl",
          "ByteAddressBuffer raw; RWStructuredBuffer<float4> rw; Buffer<uint> typed; RWTexture2DArray<int> images;\n"
          "StructuredBuffer<uint> words; RWByteAddressBuffer sb; RWStructuredBuffer<uint> sc;\n"
          "[numthreads(1, 1, 1)] void main() { sb.Store(0, words[0]); sc[0] = 1; rw[0] = float4(raw.Load(0), "
          "typed[0], images[uint3(0, 0, 0)], 1); }\n")
    flags = ["-D", "-e", "main", "-S", "comp"]
    j = bindings(layout("--rules=hlsl", glslang("b.hlsl", "b.spv", "-g", *flags)))
    got = {n: (b["type"]["resourceKind"], b["class"], b["type"]["writable"]) for n, b in j.items()}
    assert got == {"raw": ("RawBuffer", "t", False), "rw": ("StructuredBuffer", "u", True),
                   "typed": ("TypedBuffer", "t", False), "images": ("Texture2DArray", "u", True),
                   "words": ("StructuredBuffer", "t", False), "sb": ("RawBuffer", "u", True),
                   "sc": ("StructuredBuffer", "u", True)}, got
    glslang("b.hlsl", "b.spv", *flags)
    j = bindings(layout("--rules=hlsl", "b.spv"))
    got = {n: b["type"].get("resourceKind") for n, b in j.items()}
    assert got == {"raw": None, "rw": "StructuredBuffer", "typed": "TypedBuffer", "images": "Texture2DArray",
                   "words": None, "sb": None, "sc": None}, got
    text = running.run("spirv-dis", "b.spv").stdout
    for name, kind in (("type.ByteAddressBuffer", "RawBuffer"), ("type.StructuredBuffer.uint", "StructuredBuffer")):
        named = running.spirv_as(text.replace('OpName %words "words"', 'OpName %%words "%s"' % name), "named.spv")
        assert bindings(layout("--rules=hlsl", named))["words"]["type"]["resourceKind"] == kind, name


def test_rasteriser_ordered_views():
    write("r.frag", """#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(binding = 0, r32f) uniform image2D ordered;
layout(binding = 1, r32f) uniform image2D plain;
layout(binding = 2) buffer B { float x; } called;
void f() { called.x += 1; }
void main() {
    imageStore(plain, ivec2(0), vec4(1));
    beginInvocationInterlockARB();
    imageStore(ordered, ivec2(0), imageLoad(ordered, ivec2(0)));
    f();
    endInvocationInterlockARB();
}
""")
    j = bindings(layout(glslang("r.frag", "r.spv")))
    assert {n: b["type"]["rov"] for n, b in j.items()} == {"ordered": True, "plain": False, "B": True}, j


def test_heaps_of_several_kinds_at_one_binding_are_mutable():
    j = layout("--profile=dxc", module("a:t", handles=["tex", "img"]))
    heap = j["sets"][0]["bindings"][1]
    assert heap["binding"] == 1 and heap["descriptorType"] == "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", heap
    assert heap["mutableTypes"] == ["VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE", "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE"], heap
    assert "mutableDescriptorType" in j["modules"][0]["requires"]["vulkanFeatures"]
    for model in ("--heap-model=mutable", "--heap-model=slang"):
        j = layout(model, module("a:t", handles=["tex", "img", "smp"]))
        sampler, heap = j["sets"][1]["bindings"]
        assert (sampler["binding"], sampler["descriptorType"]) == (0, "VK_DESCRIPTOR_TYPE_SAMPLER"), sampler
        assert heap["binding"] == 2 and heap["descriptorType"] == "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", heap
        assert heap["mutableTypes"] == ["VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE", "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE"], heap
        assert "mutableDescriptorType" in j["modules"][0]["requires"]["vulkanFeatures"]
    # one that may become shared is mutable, too; samplers never are
    j = layout("--heap-model=mutable", module("a:t", handles=["tex"]))
    assert j["sets"][1]["bindings"][0]["mutableTypes"] == ["VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE"], j
    j = layout("--heap-model=mutable", module("a:t", handles=["smp"]))
    assert "MUTABLE" not in json.dumps(j) and "mutable" not in json.dumps(j), j
    # bound once, it is known by its name
    bind("--heap-model=mutable", module("a:t", handles=["tex", "img"]), "-o", "o.spv")
    j = layout("o.spv")
    assert j["sets"][1]["bindings"][0]["descriptorType"] == "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", j
    # two kinds at a requested binding
    m, both = module("a:t", handles=["tex", "img"]), ("--heap=texture=3.0", "--heap=image=3.0")
    assert places("--heap-model=mutable", *both, m)["heap_texture_2D_float"] == (3, 0)
    assert "MUTABLE" in bind("layout", *both, m, expect=1).stderr
    j = layout(module("a:t", handles=["tex", "img"]))
    assert "MUTABLE" not in json.dumps(j) and "mutable" not in json.dumps(j), j


# HLSL by glslang

HLSL = """
Texture2D A;
Texture2D B : register(t0);
SamplerState S;
RWBuffer<float4> U : register(u0, space2);
RWBuffer<float4> V : register(u3, space1);
RWBuffer<float4> Arr[4];
Texture2D Unused : register(t1);
AppendStructuredBuffer<float4> app;
ConsumeStructuredBuffer<float4> con : register(u5);
cbuffer C { float4 c; };
cbuffer D : register(b0) { float4 d; };
float4 loose;
[numthreads(4,1,1)] void main(uint3 gi : SV_DispatchThreadID) {
 U[0] = A.SampleLevel(S, float2(0,0), 0) + B.SampleLevel(S, float2(0,0),0) + c + d + loose + V[0] + Arr[2][0];
 app.Append(float4(1,2,3,4));
 U[1] = con.Consume();
}
"""


def test_hlsl_by_glslang_binds():
    """It writes overlapping registers, and (0, 0) if there is none; the source text tells them apart."""
    write("a.hlsl", HLSL)
    flags = ("-D", "-e", "main", "-S", "comp", "--target-env", "vulkan1.1")
    j = bindings(layout("--rules=hlsl", glslang("a.hlsl", "a.spv", "-g", *flags)))
    got = {n: (b["class"], b["register"], b["space"]) for n, b in j.items()}
    want = {"B": ("t", 0, 0), "A": ("t", 1, 0), "S": ("s", 0, 0), "U": ("u", 0, 2), "V": ("u", 3, 1),
            "Arr": ("u", 0, 0),
            "con": ("u", 5, 0), "app": ("u", 4, 0), "app@count": ("u", 6, 0), "con@count": ("u", 7, 0),
            "D": ("b", 0, 0), "C": ("b", 1, 0), "$Global": ("b", 2, 0)}
    if got != want:  # glslang gathers loose uniforms first
        want["$Global"], want["C"] = want["C"], want["$Global"]
    assert got == want, got
    places_of = [(s["set"], b["binding"]) for s in layout("--rules=hlsl", "a.spv")["sets"] for b in s["bindings"]]
    assert len(places_of) == len(set(places_of)), places_of
    # without the text: no collision all the same, and a note
    done = bind("layout", "--rules=hlsl", glslang("a.hlsl", "b.spv", *flags), "--layout-json")
    assert says(done.stderr, "note SPB4015"), done.stderr
    places_of = [(s["set"], b["binding"]) for s in json.loads(done.stdout)["sets"] for b in s["bindings"]]
    assert len(places_of) == 13 and len(set(places_of)) == 13, places_of


def test_unbounded_arrays_without_register_do_not_share_a_place():
    m = Module("a:t[]@0 b:t[]@0 heap:t[]@3 views:cube[]@3")
    text = m.text
    m.text = lambda: text().replace("OpName", "OpSource HLSL 500\nOpName", 1)
    m.write("m.spv")
    assert places("--rebind=all", "m.spv") == {"a": (0, 0), "b": (0, 1), "heap": (0, 2), "views": (0, 2)}


def registers(*args):
    """name -> register of m.spv, and whether the module gives it."""
    done = bind("layout", "-q", "--rules=hlsl", "--order=module", "m.spv", "--layout-json", "--allow-overlap", *args)
    return {b["name"]: (b["register"], b["explicit"]) for s in json.loads(done.stdout)["sets"] for b in s["bindings"]}


def test_resources_at_zero_without_text_have_a_register_unless_they_collide():
    """glslang writes 0 for a missing register, too. Classes and sets are separate; an array may reach the next
    register."""
    for declarations, opened in (
            ("t:t@0 w:t@0", "t=0 w=1"), ("t:t@0 w:t@1", ""), ("t:t[2]@0 w:t@1", "t=2"), ("t:t[2]@0 w:t@2", ""),
            ("t:t[3]@0 w:t@2", "t=3"), ("t:t[]@0 w:t@5", "t=6"), ("t:t@0 s:s@0 u:u@0 b:b@0", ""),
            ("t:t@0,1 w:t@0,1", ""), ("t:t@0 w:t@0 s:s@0", "t=0 w=1"), ("t:t@0 w:t@0,1", ""), ("t:t[3]@0 w:t@2,1", ""),
            ("t:t@0 w:t@0 x:t@1", "t=0 w=2"), ("t:t[]@0 s:s@5", "t=0")):
        module(declarations, source="HLSL 600")
        found = sorted(registers("--policy=option shift=auto").items())
        got = " ".join("%s=%d" % (name, n) for name, (n, fixed) in found if not fixed)
        assert got == opened, (declarations, got)
    module("t:t@0 w:t@0")  # without a language
    assert all(fixed for _, fixed in registers("--policy=option shift=auto").values())


def test_shifts_of_an_earlier_run_are_undone():
    """An unreadable part of the remark, and the rest, belongs to another tool."""
    shifted = "spirv-bind: registers shifted"
    for remark, t, u in (
            ("x", 50, 150), (shifted, 50, 150), (shifted + " t:0=45 u:1=100", 5, 50),
            (shifted + " u:1=100 t:0=45", 5, 50),
            (shifted + " t:0=45", 5, 150), (shifted + " t:1=45", 50, 150), (shifted + " t:0=50", 0, 150),
            (shifted + " t:0=51", 50, 150), (shifted + " t:0=45 x:1=3 u:1=100", 5, 150),
            (shifted + " t:0=4294967295 u:1=100", 50, 50), (shifted + " t:0=4294967296 u:1=100", 50, 150),
            (shifted + " t:0=45 bound", 50, 150), (shifted + " t:0=45 bound placed", 50, 150),
            (shifted + " t:0=45 placed", 5, 150), (shifted + " t:0 u:1=100", 50, 150), (shifted + " t=45", 50, 150),
            (shifted + " t:=45", 50, 150), (shifted + " t:0=", 50, 150), (shifted + " :0=45", 50, 150),
            (shifted + "t:0=45", 50, 150), (shifted + "  t:0=45", 50, 150), ("spirv-bind: bindings placed", 50, 150),
            ("spirv-bind: registers bound", 50, 150)):
        text = Module("t:t@50 u:u@150,1 w:t@3,1").text().replace(
            "OpDecorate", 'OpModuleProcessed "%s"\nOpDecorate' % remark, 1)
        running.spirv_as(text, "m.spv")
        fixed = " bound" not in remark[len(shifted):]
        assert registers() == {"t": (t, fixed), "u": (u, fixed), "w": (3, fixed)}, (remark, registers())


def test_hlsl_stages_agree():
    """Structured buffers of one type in two stages, in another order: each is identified by its own name, not its
    type's."""
    write("v.hlsl", "StructuredBuffer<float4> A; StructuredBuffer<float4> B;\n"
                    "float4 main() : SV_Position { return B[0] + A[0]; }\n")
    write("f.hlsl", "StructuredBuffer<float4> B; StructuredBuffer<float4> N;\n"
                    "float4 main() : SV_Target { return N[0] + B[0]; }\n")
    v = glslang("v.hlsl", "v.spv", "-g", "-D", "-e", "main", "-S", "vert")
    f = glslang("f.hlsl", "f.spv", "-g", "-D", "-e", "main", "-S", "frag")
    got = places("--rules=hlsl", v, f, order="--order=source")
    assert got == {"B": (0, 1), "N": (0, 2)} and read_places("out/v.spv") == {"A": (0, 0), "B": (0, 1)}, got


def test_hlsl_is_recognized_by_its_debug_information():
    """With -gV and -gVS, only DebugCompilationUnit names the language, which distinguishes register 0 from a missing
    one."""
    write("x.hlsl", "cbuffer C : register(b0) { float4 k; };\nTexture2D<float4> zero : register(t0);\n"
                    "Texture2D<float4> open;\nfloat4 main() : SV_Target { return open[uint2(0, 0)] + zero[uint2(0, 0)]"
                    " + k; }\n")
    for flags in (("-g",), ("-gVS",), ("-gV",)):
        m = glslang("x.hlsl", "x.spv", "-D", "-e", "main", "-S", "frag", *flags)
        done = bind("layout", "--rules=hlsl", m, "--layout-json")
        got = {b["name"]: b["register"] for s in json.loads(done.stdout)["sets"] for b in s["bindings"]}
        assert got["C"] == 0 and {got["zero"], got["open"]} == {0, 1}, (flags, got)
        assert (got["zero"] == 0 and "SPB4015" not in done.stderr) or flags == ("-gV",), (flags, got, done.stderr)
        assert ("-gVS instead of -gV" in done.stderr) == (flags == ("-gV",)), (flags, done.stderr)


def test_a_bound_module_is_not_shifted_twice():
    m = module("t:t@2 b:b@0 u:u@1")
    bind("--rules=hlsl", "--shift=t=100", "--shift=u=200", m, "-o", "o.spv")
    bind("check", "--rules=hlsl", "--shift=t=100", "--shift=u=200", "o.spv")
    assert places("--rules=hlsl", "--shift=t=10", "--shift=u=20", "o.spv") == {"t": (0, 12), "b": (0, 0), "u": (0, 21)}
    bind("--profile=dxc", "--shift=t=100", m, "-o", "o.spv")
    bind("check", "--profile=dxc", "--shift=t=100", "o.spv")


def test_conflicts_move_the_later_one_by_ranges():
    got = places("--rules=hlsl", "--rebind=conflicts", module("a:u[4]@2 b:u@3 c:u[2]@5 d:u[2]@8 e:u@8 f:rw@8"))
    assert got == {"a": (0, 2), "b": (0, 0), "c": (0, 6), "d": (0, 8), "e": (0, 8), "f": (0, 1)}, got


def test_the_example_of_the_manual_is_read():
    page = read(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src/cli/spirv-bind.1"))
    example = page.split(".SH POLICIES", 1)[1].split(".RS\n", 1)[1].split(".RE", 1)[0].replace("\\-", "-")
    assert example.count("\n") == 14, example
    bind("layout", "--profile=" + write("manual", example), module("a:t"), "--order=module")


def test_a_removed_resource_keeps_its_binding_until_it_returns():
    write("l", "lock version=1\nresource Camera set=0 binding=0 kind=ubo\nremoved oldTexture set=0 binding=1\n"
               "resource tex set=0 binding=2 kind=combined\n")
    assert places("--lock=l", module("new:t tex:comb")) == {"tex": (0, 2), "new": (0, 3)}


def test_a_second_run_with_a_lock_changes_nothing():
    Module("b:b t:t s:s p1:t@,1 p2:b@,1").write("m.spv")
    for options in (["--rules=hlsl"], ["--policy=block name=p* -> set=1"],
                    ["--rules=hlsl", "--policy=option shift=auto"]):
        runs = []
        for _ in range(3):
            running.bind("--order=module", *options, "m.spv", "-o", "o.spv", "--lock=l", "--update-lock")
            runs.append((running.read("l"), running.read("o.spv")))
        assert runs[0] == runs[1] == runs[2], options
        os.remove("l")


if __name__ == "__main__":
    running.main(globals())
