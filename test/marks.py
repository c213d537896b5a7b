# SPDX-License-Identifier: Apache-2.0
"""The ids decorated NonUniform between an access and the index that selects its descriptor, through copies, functions,
memory and choices.

    marks.py --bind B [--only WORD]"""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import bind, read, spirv_as  # noqa: E402
from spirv_text import instructions, words_of  # noqa: E402
from uniformity_values import MODULE, WORKGROUP  # noqa: E402

DECLARATIONS = """%read_fn = OpTypeFunction %uint %pbuf
%find_fn = OpTypeFunction %pbuf %uint
%by_fn = OpTypeFunction %uint %uint
%ppbuf = OpTypePointer Function %pbuf
%choose_fn = OpTypeFunction %uint %pbuf %pbuf
%fill_fn = OpTypeFunction %void %ppbuf %uint
%Two = OpTypeStruct %pbuf %pbuf
%AlsoTwo = OpTypeStruct %pbuf %pbuf
%lone = OpVariable %pbuf StorageBuffer
%private = OpTypePointer Private %pbuf
%own = OpVariable %private Private
%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%imagen = OpTypeArray %Image %u9
%float = OpTypeFloat 32
%half = OpConstant %float 0.5
%pimages = OpTypePointer UniformConstant %imagen
%pimage = OpTypePointer UniformConstant %Image
%ptexel = OpTypePointer Image %uint
%images = OpVariable %pimages UniformConstant
"""
CAPABILITIES = """OpCapability VariablePointers
OpCapability Linkage
%glsl = OpExtInstImport "GLSL.std.450\""""
DECORATIONS = """OpDecorate %lone DescriptorSet 0
OpDecorate %lone Binding 5
OpDecorate %images DescriptorSet 0
OpDecorate %images Binding 8
"""
VARIABLES = "%kept = OpVariable %ppbuf Function\n%x = OpVariable %local Function"


def function(name, kind, parameters, body):
    result = kind.split()[0]
    return "%%%s = OpFunction %s None %s\n%s%%b_%s = OpLabel\n%sOpFunctionEnd\n" % (
        name, result, kind.split()[1], parameters, name, body)


FUNCTIONS = {
    "reads": function("reads", "%uint %read_fn", "%p = OpFunctionParameter %pbuf\n",
                      "%cp = OpAccessChain %puint %p %u0\n%vp = OpLoad %uint %cp\nOpReturnValue %vp\n"),
    "passes": function("passes", "%uint %read_fn", "%r = OpFunctionParameter %pbuf\n",
                       "%vr = OpFunctionCall %uint %also_reads %r\nOpReturnValue %vr\n"),
    "also_reads": function("also_reads", "%uint %read_fn", "%q = OpFunctionParameter %pbuf\n",
                           "%cq = OpAccessChain %puint %q %u0\n%vq = OpLoad %uint %cq\nOpReturnValue %vq\n"),
    "finds": function("finds", "%pbuf %find_fn", "%k = OpFunctionParameter %uint\n",
                      "%cf = OpAccessChain %pbuf %bufs %k\nOpReturnValue %cf\n"),
    "knows": function("knows", "%pbuf %find_fn", "%n = OpFunctionParameter %uint\n",
                      "%cn = OpAccessChain %pbuf %bufs %u1\nOpReturnValue %cn\n"),
    "reads_by": function("reads_by", "%uint %by_fn", "%i = OpFunctionParameter %uint\n",
                         "%ci = OpAccessChain %puint %bufs %i %u0\n%vi = OpLoad %uint %ci\nOpReturnValue %vi\n"),
    "chooses": function("chooses", "%uint %choose_fn",
                        "%s1 = OpFunctionParameter %pbuf\n%s2 = OpFunctionParameter %pbuf\n",
                        "%l2 = OpLoad %uint %lane_in\n%o2 = OpUGreaterThan %bool %l2 %u3\n"
                        "%g2 = OpSelect %pbuf %o2 %s1 %s2\n%h2 = OpAccessChain %puint %g2 %u0\n"
                        "%w2 = OpLoad %uint %h2\nOpReturnValue %w2\n"),
    "fills": function("fills", "%void %fill_fn", "%to = OpFunctionParameter %ppbuf\n%f = OpFunctionParameter %uint\n",
                      "%ct = OpAccessChain %pbuf %bufs %f\nOpStore %to %ct\nOpReturn\n")}
FUNCTIONS["last"] = FUNCTIONS["reads"] + "".join(function(
    "last" if k == 70 else "step%d" % k, "%uint %read_fn", "%%p%d = OpFunctionParameter %%pbuf\n" % k,
    "%%v%d = OpFunctionCall %%uint %%%s %%p%d\nOpReturnValue %%v%d\n" % (k, "step%d" % (k - 1) if k else "reads", k, k))
    for k in range(71))
BY_LANE, BY_SAME = "%e = OpAccessChain %pbuf %bufs %lane\n", "%s = OpAccessChain %pbuf %bufs %same\n"
READ = "%h = OpAccessChain %puint %g %u0\n%w = OpLoad %uint %h"
WAYS = "OpSelectionMerge %m None\nOpBranchConditional {} %l %m\n%l = OpLabel\nOpBranch %m\n%m = OpLabel\n"


def marked(body, *options, decorations=""):
    """The names of decorated ids in the output; +i is a copy of i that was made for the decoration."""
    called = set(re.findall(r"OpFunctionCall %\w+ %(\w+)", body)) | (
        {"also_reads"} if "%passes" in body else set())
    functions = "".join(text for name, text in FUNCTIONS.items() if name in called)
    named = ["lane", "same", "bufs", "lone", "own"]
    named += re.findall(r"(?m)^%(\w+) = Op(?!Type|Label|Constant)", "\n".join((body, functions, VARIABLES)))
    text = MODULE.format(body=body, capabilities=CAPABILITIES,
                         decorations=DECORATIONS + decorations,
                         declarations=DECLARATIONS, variables=VARIABLES, functions=functions, model="GLCompute",
                         mode=WORKGROUP + "".join('\nOpName %%%s "%s"' % (name, name) for name in named))
    bind("-q", "--validate=none", *options, spirv_as(text, "m.spv", "spv1.4"), "-o", "o.spv")
    names, copies, found = {}, {}, []
    for op, words in instructions(words_of(read("o.spv"))):
        if op == 5: # OpName
            names[words[0]] = struct.pack("<%dI" % (len(words) - 1), *words[1:]).split(b"\0")[0].decode()
        elif op == 71 and words[1] == 5300: # OpDecorate NonUniform
            found.append(words[0])
        elif op == 83: # OpCopyObject
            copies[words[1]] = words[2]
    return " ".join(sorted(names.get(id_) or "+" + names[copies[id_]] for id_ in found))


def check(rows, *options):
    for body, wanted in rows:
        got = marked(body, *options)
        assert got == wanted, "%s\nis marked: %s\nwanted: %s" % (body, got, wanted)


def test_from_the_access_to_the_index():
    """Nothing is decorated without an access."""
    texel = "%c = OpAccessChain %pimage %images %lane\n%t = OpImageTexelPointer %ptexel %c %alike %u0\n"
    add = "%a = OpIAdd %uint %lane %u1\n"
    check((
        ("%c = OpAccessChain %puint %bufs %lane %u0\n%w = OpLoad %uint %c", "+lane c"),
        ("%c = OpAccessChain %puint %bufs %same %u0\n%w = OpLoad %uint %c", ""),
        (add + "%c = OpAccessChain %puint %bufs %a %u0\n%w = OpLoad %uint %c", "a c"),
        (add + "%c = OpAccessChain %puint %bufs %a %u0\n%w = OpLoad %uint %c\n"
         "%d = OpAccessChain %puint %bufs %a %u0\n%z = OpLoad %uint %d", "+a +a c d"),
        (BY_LANE + "%h = OpAccessChain %puint %e %u0\nOpStore %h %u1", "+lane e h"),
        (BY_LANE + "%h = OpAccessChain %puint %e %u0\n%w = OpAtomicIAdd %uint %h %u1 %u0 %u1", "+lane e h"),
        (BY_LANE + "%h = OpAccessChain %puint %e %u0\nOpCopyMemory %x %h", "+lane e h"),
        (BY_LANE + "%h = OpAccessChain %puint %e %u0\nOpCopyMemory %h %x", "+lane e h"),
        (BY_SAME + "%h = OpAccessChain %puint %s %u0\nOpCopyMemory %h %x", ""), (BY_LANE, ""), (texel, ""),
        (texel + "%w = OpAtomicIAdd %uint %t %u1 %u0 %u1", "+lane c t"),
        (BY_LANE + "%h = OpAccessChain %puint %e %u0\n%w = OpExtInst %float %glsl Frexp %half %h", "+lane e h"),
        (BY_SAME + "%h = OpAccessChain %puint %s %u0\n%w = OpExtInst %float %glsl Frexp %half %h", ""),
        (BY_LANE + "%g = OpCopyObject %pbuf %e\n" + READ, "+lane e g h")))


def test_pointers_that_move_from_one_descriptor_to_another():
    """Of an array or not: the first index of such a chain selects, except within a buffer, and except constants."""
    one, read_ = "%p = OpAccessChain %pbuf %bufs %u0\n", "\n%w = OpLoad %uint %h"
    for move in ("OpPtrAccessChain", "OpInBoundsPtrAccessChain"):
        check([(text.replace("MOVE", move), wanted) for text, wanted in (
            (one + "%h = MOVE %puint %p %lane %u0" + read_, "+lane h"),
            (one + "%h = MOVE %puint %p %same %u0" + read_, ""), (one + "%h = MOVE %puint %p %u1 %u0" + read_, ""),
            (one + "%g = MOVE %pbuf %p %lane\n" + READ, "+lane g h"),
            ("%g = MOVE %pbuf %bufs %u0 %lane\n" + READ, "+lane g h"),
            ("%g = MOVE %pbufs %bufs %lane\n%h = OpAccessChain %puint %g %u0 %u0" + read_, "+lane g h"),
            ("%h = MOVE %puint %ro %lane %u0" + read_, "+lane h"), ("%g = MOVE %pbuf %ro %lane\n" + READ, "+lane g h"),
            ("%h = MOVE %puint %pout0 %lane" + read_, ""), ("%h = MOVE %puint %pout0 %same" + read_, ""))])


def test_through_functions():
    """An argument is decorated at the call, if any access that uses it differs; a result at the call, too."""
    check((
        (BY_LANE + "%a = OpFunctionCall %uint %reads %e", "+lane cp e"),
        (BY_SAME + "%a = OpFunctionCall %uint %reads %s", ""),
        (BY_LANE + BY_SAME + "%a = OpFunctionCall %uint %reads %s\n%b = OpFunctionCall %uint %also_reads %e",
         "+lane cq e"),
        (BY_LANE + BY_SAME + "%a = OpFunctionCall %uint %also_reads %s\n%b = OpFunctionCall %uint %reads %e",
         "+lane cp e"),
        (BY_LANE + BY_SAME + "%a = OpFunctionCall %uint %reads %s\n%b = OpFunctionCall %uint %reads %e", "+lane cp e"),
        (BY_LANE + "%a = OpFunctionCall %uint %passes %e", "+lane cq e"),
        (BY_LANE + "%a = OpFunctionCall %uint %last %e", "+lane cp e"), # more calls than there are rounds
        (BY_SAME + "%a = OpFunctionCall %uint %last %s", ""),
        (BY_LANE + BY_SAME + "%a = OpFunctionCall %uint %passes %e\n%b = OpFunctionCall %uint %reads %s", "+lane cq e"),
        ("%a = OpFunctionCall %uint %chooses %lone %lone", ""),
        (BY_LANE + "%a = OpFunctionCall %uint %chooses %lone %e", "+lane e g2 h2"),
        ("%g = OpFunctionCall %pbuf %finds %lane\n" + READ, "g h"),
        ("%g = OpFunctionCall %pbuf %finds %same\n" + READ, ""),
        ("%g = OpFunctionCall %pbuf %knows %lane\n" + READ, ""), ("%a = OpFunctionCall %uint %reads_by %lane", "+i ci"),
        ("%a = OpFunctionCall %uint %reads_by %same", ""),
        ("%a = OpFunctionCall %uint %reads_by %same\n%b = OpFunctionCall %uint %reads_by %lane", "+i ci")))


def test_through_memory():
    """A stored pointer is decorated where it is loaded, and also where it is stored, if that value differs."""
    load, load_own = "%g = OpLoad %pbuf %kept\n" + READ, "%g = OpLoad %pbuf %own\n" + READ
    check((
        (BY_LANE + "OpStore %kept %e\n" + load, "+lane e g h"), (BY_SAME + "OpStore %kept %s\n" + load, ""),
        (BY_LANE + "OpStore %own %e\n" + load_own, "+lane e g h"), (BY_SAME + "OpStore %own %s\n" + load_own, ""),
        (BY_LANE + BY_SAME + "OpStore %kept %e\nOpStore %own %s\n" + load_own, ""),
        ("%a = OpFunctionCall %void %fills %kept %lane\n" + load, "g h"),
        ("%a = OpFunctionCall %void %fills %kept %same\n" + load, ""),
        (BY_LANE + BY_SAME + "%a = OpCompositeConstruct %Two %e %s\n%g = OpCompositeExtract %pbuf %a 0\n" + READ,
         "+lane e g h"),
        (BY_LANE + BY_SAME + "%a = OpCompositeConstruct %Two %e %s\n%g = OpCompositeExtract %pbuf %a 1\n" + READ, ""),
        (BY_LANE + "%a = OpCompositeConstruct %Two %lone %lone\n%b = OpCompositeInsert %Two %e %a 1\n"
         "%g = OpCompositeExtract %pbuf %b 1\n" + READ, "+lane e g h"),
        (BY_LANE + "%a = OpCompositeConstruct %Two %e %e\n%b = OpCopyLogical %AlsoTwo %a\n"
         "%g = OpCompositeExtract %pbuf %b 1\n" + READ, "+lane e g h"),
        ("%a = OpCompositeConstruct %Two %lone %lone\n%b = OpCopyLogical %AlsoTwo %a\n%k = OpCopyObject %AlsoTwo %b\n"
         "%g = OpCompositeExtract %pbuf %k 1\n%z = OpSelect %pbuf %odd %g %lone\n"
         "%h = OpAccessChain %puint %z %u0\n%w = OpLoad %uint %h", "")))


def test_selected_pointers():
    """The choice is decorated if it differs, and those of its operands that differ."""
    check((
        (BY_LANE + BY_SAME + "%g = OpSelect %pbuf %even %e %s\n" + READ, "+lane e g h"),
        (BY_LANE + BY_SAME + "%g = OpSelect %pbuf %odd %e %s\n" + READ, "+lane e g h"),
        (BY_SAME + "%g = OpSelect %pbuf %odd %lone %s\n" + READ, "g h"),
        (BY_SAME + "%g = OpSelect %pbuf %even %lone %s\n" + READ, ""),
        ("%g = OpSelect %pbuf %odd %lone %lone\n" + READ, ""),
        (BY_LANE + BY_SAME + WAYS.format("%even") + "%g = OpPhi %pbuf %e %entry %s %l\n" + READ, "+lane e g h"),
        (BY_SAME + WAYS.format("%odd") + "%g = OpPhi %pbuf %lone %entry %s %l\n" + READ, "g h"),
        (BY_SAME + WAYS.format("%even") + "%g = OpPhi %pbuf %lone %entry %s %l\n" + READ, "")))


def test_number_of_marks():
    """By option: by the analysis, all non-constant indices, those decorated already, or nothing."""
    body = (BY_LANE + BY_SAME + "%h = OpAccessChain %puint %e %u0\n%w = OpLoad %uint %h\n"
            "%d = OpAccessChain %puint %s %u0\n%z = OpLoad %uint %d\n"
            "%k = OpAccessChain %puint %bufs %u1 %u0\n%y = OpLoad %uint %k")
    by_author = "OpDecorate %same NonUniform"
    for mode, decorations, wanted in (
            ("auto", "", "+lane e h"), ("all", "", "+lane +same d e h s"), ("explicit", "", ""), ("keep", "", ""),
            ("explicit", by_author, "d s same"), ("keep", by_author, "same"),
            ("auto", by_author, "+lane d e h s same"),
            ("explicit", "OpDecorate %d NonUniform", "+same d s")):
        got = marked(body, "--nonuniform=" + mode, decorations=decorations)
        assert got == wanted, (mode, decorations, got)
    pruned = marked(body, "--prune", decorations=by_author)
    assert pruned == "+lane e h", pruned


if __name__ == "__main__":
    running.main(globals())
