#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What hlsl.py and proposals.py ask of modules by glslang 12, of those by the glslang 16 of Debian sid
(scripts/sid_root.sh). It keeps all bits of registers and spaces, and copies images to a type without a format.

    newer_glslang.py --bind B [--only WORD]
"""
import fixtures
import hlsl
import proposals
import running
from running import Failure

ELSE = {"test_without_text_the_numbers_are_those_that_glslang_keeps": "it keeps all of them",
        "test_the_old_place_is_that_of_the_module": "t70000 is 70000 there",
        "test_registers_count_beside_numbers_of_auto_map_bindings": "with --amb, it has no binding 70000",
        "0048 choice assigned to": "it ends by a signal",
        "0038 8 beyond the last register": "its Binding has no number, which is another error",
        "0038 9 beyond it in a struct": "its Binding has no number, which is another error"}


def glslang(source, out, *flags):
    running.run(*fixtures.newer("glslang"), "-V", "--quiet", *flags, source, "-o", out)
    return out


hlsl.glslang = proposals.glslang = glslang


def said(row):
    try:
        return proposals.check(row)
    except Failure as failure:
        return str(failure)


def test_the_proposals():
    wrong = ["%s: %s" % (row["id"], found) for row in proposals.rows() if "compiler" not in row.values()
             for found in [said(row)] if bool(found) != (row["id"] in ELSE)]
    assert not wrong, "\n".join(wrong)


def test_what_is_otherwise_still_is():
    for name in ELSE:
        if not name.startswith("test_"):
            continue
        try:
            getattr(hlsl, name)()
        except (AssertionError, Failure):
            continue
        raise Failure(name + " passes, too")


if __name__ == "__main__":
    running.main({**{name: test for name, test in vars(hlsl).items() if name not in ELSE}, **globals()})
