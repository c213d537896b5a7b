# SPDX-License-Identifier: Apache-2.0
"""check --against: which sets stay pipeline-layout compatible with an older layout, and why not.

    compatible.py --bind B
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import Module  # noqa: E402


def bind(*args, expect=0):
    return running.bind(*args, "--order=module", expect=expect)


def module(declarations, path="m.spv", **more):
    Module(declarations, **more).write(path)
    return path


def layout(declarations, path="old.json", **more):
    bind(module(declarations, "old.spv", **more), "-o", "bound.spv", "--layout-json=" + path)
    return path


def compare(old, new, expect):
    layout(old)
    return bind("check", module(new), "--against=old.json", expect=expect).stdout


def test_identical_layouts_are_compatible():
    assert compare("a:t@0 b:s@1,2 c:t[]@3,4", "a:t@0 b:s@1,2 c:t[]@3,4", 0) == (
        "push constants: identical\nset 0: compatible\nset 2: compatible\nset 4: compatible\n")
    assert compare("", "", 0) == "push constants: identical\n"


def test_every_difference_is_named():
    text = compare("a:t@0,1 b:s@1,1 c:t[4]@2,1 d:t[]@3,1 keep:b@0 last:b@0,2",
                   "a:img@0,1 n:s@4,1 c:t[8]@2,1 d:t[3]@3,1 keep:b@0 last:b@0,2", 3)
    assert text == """push constants: identical
set 0: compatible
set 1: differs
    binding 0 "a": VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE -> VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
    binding 1 "b": removed
    binding 2 "c": count 4 -> 8
    binding 3 "d": count runtime -> 3
    binding 3 "d": flags PARTIALLY_BOUND_BIT -> none
    binding 4 "n": new
set 2: identical, but not compatible: set 1 before it differs
""", text


def test_stages_belong_to_the_definition():
    bind(module("a:b@0", "v.spv", stage="Vertex"), "-o", "bound.spv", "--layout-json=old.json")
    text = bind("check", "v.spv", module("a:b@0", "f.spv", stage="Fragment"), "--against=old.json",
                expect=3).stdout
    assert '    binding 0 "a": stages VERTEX_BIT -> VERTEX_BIT|FRAGMENT_BIT\n' in text, text


def test_sets_that_are_asked_for():
    """Only these matter, separately; and the exit status tells that they differ."""
    layout("a:t@0 b:b@0,1 c:s@0,3 pc:push")
    module("x:t@0 b:b@1,1 n:t@0,2 c:s@0,3")
    old = "--against=old.json"
    assert bind("check", "m.spv", old + ":0,3", expect=0).stdout == (
        'set 0: identical\n    binding 0 "x": was called "a"\nset 3: identical\n')
    assert bind("check", "m.spv", old + ":3,1", expect=3).stdout == (
        'set 1: differs\n    binding 0 "b": removed\n    binding 1 "b": new\nset 3: identical\n')
    assert bind("check", "m.spv", old + ":2", expect=3).stdout == 'set 2: differs\n    binding 0 "n": new\n'
    assert bind("check", "m.spv", old + ":9", expect=0).stdout == "set 9: in neither layout\n"
    assert bind("check", "m.spv", old, expect=3).stdout.startswith("push constants: different")
    # of many programs
    for name, declarations in (("p", "a:t@0 b:b@0,1"), ("q", "a:s@0 b:b@0,1")):
        module(declarations, name + ".spv")
        os.replace(layout(declarations), name + ".json")
    bind("check", "--each", "--against=%.json:0", "p.spv", "q.spv")
    os.replace("p.json", "q.json")
    layout("a:t@0 b:b@0,1", "p.json")
    bind("check", "--each", "--against=%.json:1", "p.spv", "q.spv")
    bind("check", "--each", "--against=%.json:1,0", "p.spv", "q.spv", expect=3)
    bind("check", "--each", "--against=%.json", "p.spv", "q.spv", expect=3)
    for wrong in (":1,", ":,1", ":4294967296", ":99999999999999999999", ":1,,2"):
        said = bind("check", "m.spv", old + wrong, expect=2).stderr
        assert "expected FILE or FILE:SET" in said, said
    # a colon without numbers after it belongs to the name
    layout("a:t@0 pc:push", "old:json")
    bind("check", "m.spv", "--against=old:json:0")
    bind("check", "m.spv", "--against=old:json", expect=3)


def test_different_names_are_compatible():
    text = compare("old:t@0", "new:t@0", 0)
    assert text == 'push constants: identical\nset 0: compatible\n    binding 0 "new": was called "old"\n', text


def test_push_constants_make_all_sets_incompatible():
    text = compare("a:t@0", "a:t@0 pc:push", 3)
    assert text == (
        "push constants: different, so no set is compatible\n    new: 16 bytes at offset 0 for COMPUTE_BIT\n"
                    "set 0: identical, but not compatible: push constants differ\n"), text


def test_a_new_last_set_keeps_the_others_compatible():
    text = compare("a:t@0", "a:t@0 b:t@0,1", 3)
    assert text == 'push constants: identical\nset 0: compatible\nset 1: differs\n    binding 0 "b": new\n', text
    text = compare("a:t@0 c:t@0,4294967295", "a:t@0 b:t@0,1 c:t@0,4294967295", 3)
    assert "set 4294967295: identical, but not compatible: set 1 before it differs" in text, text


def test_files_that_are_not_layouts():
    good = json.loads(open(layout("a:t@0 b:b@1")).read())

    def changed(change):
        copy = json.loads(json.dumps(good))
        change(copy)
        return json.dumps(copy)

    first = lambda j: j["sets"][0]["bindings"][0]  # noqa: E731
    cases = ["", "{", "[]", "null", "{}", "\0\1\2", "[" * 100000, '{"schema": "spirv-bind/layout/2"}', "\xff\xfe",
             changed(lambda j: j.pop("sets")), changed(lambda j: j.update(sets={})),
             changed(lambda j: j.update(pushConstants=3)),
             changed(lambda j: j.update(sets=[3])), changed(lambda j: j["sets"][0].update(set=-1)),
             changed(lambda j: j["sets"][0].update(set=1 << 40)), changed(lambda j: j["sets"][0].update(set="0")),
             changed(lambda j: first(j).pop("count")), changed(lambda j: first(j).update(descriptorType=7)),
             changed(lambda j: first(j).update(stages="all")), changed(lambda j: first(j).update(name=None)),
             changed(lambda j: j["sets"].append(j["sets"][0])), changed(lambda j: j["sets"][0]["bindings"].append(3))]
    for text in cases:
        with open("bad.json", "w", encoding="latin-1") as f:
            f.write(text)
        done = bind("check", module("a:t@0"), "--against=bad.json", expect=2)
        assert "bad.json" in done.stderr and done.stdout == "", (text[:60], done.stderr, done.stdout)
    # odd, but readable: no crash, and control characters do not reach the terminal
    for expect, change in ((3, lambda j: j.update(pushConstants=[3, {}, {"offset": -1, "size": 1e9}])),
                           (3, lambda j: first(j).update(stages=[1, None])), (3, lambda j: first(j).update(count={})),
                           (0, lambda j: first(j).update(name="\x1b[31m"))):
        with open("odd.json", "w") as f:
            f.write(changed(change))
        text = bind("check", module("a:t@0 b:b@1"), "--against=odd.json", expect=expect).stdout
        assert "\x1b" not in text, text
    assert "cannot read" in bind("check", module("a:t"), "--against=none.json", expect=4).stderr


def test_types_of_a_mutable_heap_belong_to_the_definition():
    model = "--heap-model=mutable"
    bind(model, module("", "a.spv", handles=["tex"]), "-o", "o.spv", "--layout-json=old.json")
    bind("check", model, "o.spv", "--against=old.json")
    text = bind("check", model, module("", "b.spv", handles=["tex", "img"]), "--against=old.json",
                expect=3).stdout
    line = '    binding 2 "heap_texture_2D_float": mutableTypes SAMPLED_IMAGE -> SAMPLED_IMAGE|STORAGE_IMAGE\n'
    assert line in text, text


def test_many_bindings():
    good = json.loads(open(layout("a:t@0")).read())
    one = {k: v for k, v in good["sets"][0]["bindings"][0].items() if k not in ("views", "type")} # half a second faster
    good["sets"] = [{"set": s, "bindings": [dict(one, binding=b) for b in range(1000)]} for s in range(100)]
    with open("many.json", "w") as f:
        f.write(json.dumps(good)) # json.dump takes five times as long
    text = bind("check", module("a:t@0"), "--against=many.json", expect=3).stdout
    assert text.count(": removed\n") == 99999, text.count(": removed\n")


if __name__ == "__main__":
    running.main(globals())
