# SPDX-License-Identifier: Apache-2.0
"""Every row of conformance/array-ranges.tsv: ranges of arrays of descriptors, indexes from the beginning of the
binding, errors.

    array_ranges.py --bind B

Each row is a module: HLSL where the installed glslang supports it, otherwise assembly. `lower` and `upper` are the
range, `space` the set, `index` the index of the access in the layout JSON with --explain.
"""
import argparse
import json
import os
import re
import sys
import tempfile

import running  # noqa: E402
from running import HERE, Failure, glslang, run, spirv_as, write

ROWS = os.path.join(HERE, "conformance", "array-ranges.tsv")

HLSL = """
RWBuffer<float4> Out : register(u900, space9);
%s
[numthreads(4, 1, 1)] void main(uint GI : SV_GroupIndex) { Out[0] = float4(%s, 0, 0, 0); }
"""

ASM = """
OpCapability Shader
OpCapability ImageBuffer
OpCapability RuntimeDescriptorArray
OpExtension "SPV_EXT_descriptor_indexing"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main"
OpExecutionMode %%main LocalSize 4 1 1
%s
%%void = OpTypeVoid
%%fnvoid = OpTypeFunction %%void
%%float = OpTypeFloat 32
%%int = OpTypeInt 32 1
%%uint = OpTypeInt 32 0
%%v4float = OpTypeVector %%float 4
%%i0 = OpConstant %%int 0
%%i1 = OpConstant %%int 1
%%i2 = OpConstant %%int 2
%%i100 = OpConstant %%int 100
%%u2 = OpConstant %%uint 2
%%u3 = OpConstant %%uint 3
%%u4 = OpConstant %%uint 4
%%u5 = OpConstant %%uint 5
%%f1 = OpConstant %%float 1
%%f2 = OpConstant %%float 2
%%ones = OpConstantComposite %%v4float %%f1 %%f1 %%f1 %%f1
%%twos = OpConstantComposite %%v4float %%f2 %%f2 %%f2 %%f2
%%buf = OpTypeImage %%float Buffer 0 0 0 2 R32f
%%pbuf = OpTypePointer UniformConstant %%buf
%s
%%main = OpFunction %%void None %%fnvoid
%%entry = OpLabel
%s
OpReturn
OpFunctionEnd
%s
"""


def hlsl(declarations, value, name, *flags):
    return {"hlsl": HLSL % (declarations, value), "name": name, "flags": flags}


def asm(notes, types, body, functions="", **more):
    return dict({"asm": ASM % (notes, types, body, functions)}, **more)


LOCALS = """%X = OpVariable %pbuf UniformConstant
%Y = OpVariable %pbuf UniformConstant
%arr = OpTypeArray %buf %u2
%arr3 = OpTypeArray %buf %u3
%parr = OpTypePointer Function %arr
%parr3 = OpTypePointer Function %arr3
%plocal = OpTypePointer Function %buf
%fn = OpTypeFunction %void %parr
"""
PLACES = """OpName %X "X"
OpName %Y "Y"
OpDecorate %X DescriptorSet 0
OpDecorate %X Binding 0
OpDecorate %Y DescriptorSet 0
OpDecorate %Y Binding 1"""

READ = "float foo(RWBuffer<float> P[%d]) { return P[%d][0]; }"

# The module of each row; the row has the expectation.
CASES = {
    "0028-1": hlsl("RWBuffer<float> A[4] : register(u10);", "A[2][0]", "A"),
    "0028-2": hlsl("RWBuffer<float> B[4][4] : register(u2);", "B[1][1][0]", "B"),
    "0028-3": hlsl("RWBuffer<float> C[2][2][5] : register(u10, space1);", "C[1][0][3][0]", "C"),
    # glslang gives an unbounded array of HLSL the size that its constant indexes need
    "0028-4": asm('OpName %D "D"\nOpDecorate %D DescriptorSet 0\nOpDecorate %D Binding 5',
                  """%arr = OpTypeRuntimeArray %buf
%parr = OpTypePointer UniformConstant %arr
%D = OpVariable %parr UniformConstant""", """%c = OpAccessChain %pbuf %D %i100
%l = OpLoad %buf %c
OpImageWrite %l %i0 %ones""", name="D"),
    "0028-5": asm('OpName %E "E"\nOpDecorate %E DescriptorSet 0\nOpDecorate %E Binding 5',
                  """%row = OpTypeArray %buf %u4
%rows = OpTypeRuntimeArray %row
%prows = OpTypePointer UniformConstant %rows
%E = OpVariable %prows UniformConstant""", """%c = OpAccessChain %pbuf %E %i100 %u3
%l = OpLoad %buf %c
OpImageWrite %l %i0 %ones""", name="E"),
    "0028-6": asm('OpName %F "F"', """%row = OpTypeRuntimeArray %buf
%rows = OpTypeArray %row %u4
%prows = OpTypePointer UniformConstant %rows
%F = OpVariable %prows UniformConstant""", "", code="SPB2002"),
    "0028-7": hlsl("RWBuffer<float> N[10][5] : register(u0);\n" + READ % (5, 3), "foo(N[7])", "N", "-Od"),
    "0028-8": hlsl("RWBuffer<float> K[3] : register(u0);\n" + READ % (3, 2), "foo(K)", "K", "-Od"),
    "0028-9": asm('OpName %K "K"\nOpName %P "P"', """%arr = OpTypeArray %buf %u3
%parr = OpTypePointer UniformConstant %arr
%K = OpVariable %parr UniformConstant
%fn = OpTypeFunction %void %parr""", "%r = OpFunctionCall %void %f %K", """%f = OpFunction %void None %fn
%P = OpFunctionParameter %parr
%fentry = OpLabel
%c = OpAccessChain %pbuf %P %i100
%l = OpLoad %buf %c
OpImageWrite %l %i0 %ones
OpReturn
OpFunctionEnd""", code="SPB4009", says=["index 100 is outside", "(0 to 2)"]),
    "0028-10": asm("""OpName %s "s"
OpMemberName %S 0 "a"
OpMemberName %S 1 "P"
OpMemberDecorate %S 0 Offset 0
OpDecorate %s DescriptorSet 0
OpDecorate %s Binding 10""", """%arr = OpTypeArray %buf %u5
%S = OpTypeStruct %int %arr
%pS = OpTypePointer UniformConstant %S
%s = OpVariable %pS UniformConstant""", """%c = OpAccessChain %pbuf %s %i1 %i2
%l = OpLoad %buf %c
OpImageWrite %l %i0 %ones""", name="s.P"),
    "0028-11": asm(PLACES, LOCALS, """%Arr = OpVariable %parr Function
%param = OpVariable %parr Function
%x = OpLoad %buf %X
%y = OpLoad %buf %Y
%both = OpCompositeConstruct %arr %x %y
OpStore %Arr %both
%copy = OpLoad %arr %Arr
OpStore %param %copy
%r = OpFunctionCall %void %SomeFn %param
%c = OpAccessChain %plocal %Arr %i0
%l = OpLoad %buf %c
OpImageWrite %l %i0 %twos""", """%SomeFn = OpFunction %void None %fn
%P = OpFunctionParameter %parr
%fentry = OpLabel
%y2 = OpLoad %buf %Y
%c0 = OpAccessChain %plocal %P %i0
OpStore %c0 %y2
%l2 = OpLoad %buf %c0
OpImageWrite %l2 %i0 %ones
OpReturn
OpFunctionEnd""", writes={"X": "2", "Y": "1"}),
    "0028-12": asm(PLACES, LOCALS, """%Local = OpVariable %parr3 Function
%x = OpLoad %buf %X
%c2 = OpAccessChain %plocal %Local %i2
OpStore %c2 %x
%l2 = OpLoad %buf %c2
%r2 = OpImageRead %v4float %l2 %i0
%c0 = OpAccessChain %plocal %Local %i0
%l0 = OpLoad %buf %c0
%r0 = OpImageRead %v4float %l0 %i0""", code="SPB2003"),
    "003-1": hlsl("RWBuffer<float4> Buf : register(u5, space3);", "Buf[0].x", "Buf"),
    "003-2": hlsl("Buffer<uint4> Buf[24] : register(t3, space5);", "Buf[0][0].x", "Buf"),
    "003-3": hlsl("struct Item { float4 a; uint4 b; };\nStructuredBuffer<Item> Buf : register(t2, space4);",
                  "Buf[0].a.x", "Buf"),
    "003-4": hlsl("ByteAddressBuffer Buf : register(t8, space1);", "Buf.Load(0)", "Buf"),
    "003-5": hlsl("RWBuffer<float> Global[3] : register(u6, space5);", "Global[2][0]", "Global"),
    "003-6": asm("", """%tex = OpTypeImage %float 2D 0 0 0 1 Unknown
%v2uint = OpTypeVector %uint 2
%v2int = OpTypeVector %int 2
%handle = OpConstantComposite %v2uint %u2 %u2
%at = OpConstantComposite %v2int %i0 %i0""", """%t = OpExtInst %tex %handles 1 %handle
%x = OpImageFetch %v4float %t %at Lod %i0""", name="heap_texture_2D_float", heap=True),
}
CASES["003-6"]["asm"] = CASES["003-6"]["asm"].replace("OpMemoryModel", '%handles = OpExtInstImport '
                                                                       '"NonSemantic.DescriptorHandle"\nOpMemoryModel')


def make(case, base):
    if "hlsl" in case:
        glslang(write(base + ".hlsl", case["hlsl"]), base + ".spv", "-D", "-S", "comp", "-e", "main", *case["flags"])
    else:
        spirv_as(case["asm"], base + ".spv")


def writes_of(path):
    """Name of the variable of an image -> texel that is written to it."""
    text = run("spirv-dis", "--no-header", path).stdout
    loads = dict(re.findall(r"(%\w+) = OpLoad %\w+ %(\w+)", text))
    values = dict(re.findall(r"(%\w+) = OpConstantComposite %v4float %float_(\d+) ", text))
    return {loads[image]: values[texel] for image, texel in re.findall(r"OpImageWrite (%\w+) %\w+ (%\w+)", text)}


def check_row(bind, row, base):
    case = CASES[row["id"]]
    make(case, base)
    done = run(bind, base + ".spv", "-o", base + ".out.spv", "--layout-json=" + base + ".json", "--accesses",
               expect=1 if "code" in case else 0)
    if "code" in case:
        if "[%s]" % case["code"] not in done.stderr or os.path.exists(base + ".out.spv"):
            raise Failure("expected %s: %s" % (case["code"], done.stderr))
        for words in case.get("says", []):
            if words not in done.stderr:
                raise Failure("does not say '%s': %s" % (words, done.stderr))
        if "error" not in row["note"]:
            raise Failure("the row does not ask for an error")
        return
    run("spirv-val", "--target-env", "vulkan1.1", base + ".out.spv")
    if "writes" in case:
        if writes_of(base + ".out.spv") != case["writes"]:
            raise Failure("writes %s" % writes_of(base + ".out.spv"))
        return
    with open(base + ".json") as f:
        layout = json.load(f)
    access = [a for a in layout["accesses"] if a["name"] == case["name"]]
    if not access:
        raise Failure("no access to %s among %s" % (case["name"], layout["accesses"]))
    a = access[0]
    if a["index"] != int(row["index"]):
        raise Failure("index %s" % a)
    if case.get("heap"):
        heaps = [(h["set"], h["binding"]) for h in layout["heaps"]]
        if row["lower"] != "heap" or (a["set"], a["binding"]) not in heaps or a["range"][1] is not None:
            raise Failure("not in a heap: %s" % a)
        return
    upper = None if row["upper"] == "unbounded" else int(row["upper"])
    if a["range"] != [int(row["lower"]), upper] or a["set"] != int(row["space"]):
        raise Failure("%s" % a)
    binding = [b for s in layout["sets"] if s["set"] == a["set"] for b in s["bindings"]
               if b["binding"] == a["binding"]][0]
    if binding["range"] != a["range"]:
        raise Failure("range of the binding: %s" % binding)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    args = parser.parse_args()
    args.bind = running.BIND = os.path.abspath(args.bind)
    with open(ROWS) as f:
        names = f.readline().rstrip("\n").split("\t")
        rows = [dict(zip(names, line.rstrip("\n").split("\t"))) for line in f if line.strip()]
    failed = [] if {r["id"] for r in rows} == set(CASES) else ["rows and cases are not the same"]
    with tempfile.TemporaryDirectory() as tmp:
        for row in rows:
            try:
                check_row(args.bind, row, os.path.join(tmp, row["id"]))
            except Exception as e:  # a check that breaks has failed, too
                failed.append("%s (%s, %s): %s" % (row["id"], row["declaration"], row["access"], e))
    print("\n".join("FAILED " + f for f in failed))
    print("%d rows, %d failed" % (len(rows), len(failed)))
    sys.exit(1 if failed or not rows else 0)


if __name__ == "__main__":
    main()
