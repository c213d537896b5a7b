# SPDX-License-Identifier: Apache-2.0
"""The cases of loops.py: bodies of a fragment shader, in which every index differs that is no constant."""
import collections

Case = collections.namedtuple("Case", "name body options decorations head version")
CASES = []

HEAD = """OpCapability Shader
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformArithmetic
OpCapability ImageCubeArray
OpCapability Image1D
OpCapability SampledBuffer
OpCapability ImageQuery
OpCapability SparseResidency
OpCapability MinLod
OpCapability Int64
OpExtension "SPV_KHR_non_semantic_info"
%glsl = OpExtInstImport "GLSL.std.450"
%remarks = OpExtInstImport "NonSemantic.X"
%dbg = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %lane_in %uv_in %colour %lanes_in
OpExecutionMode %main OriginUpperLeft
%file = OpString "a.frag"
%text = OpString ""
OpDecorate %lane_in Location 0
OpDecorate %lane_in Flat
OpDecorate %uv_in Location 1
OpDecorate %lanes_in Location 2
OpDecorate %lanes_in Flat
OpDecorate %colour Location 0
OpDecorate %Buf Block
OpMemberDecorate %Buf 0 Offset 0
OpMemberDecorate %Buf 1 Offset 4
OpDecorate %List Block
OpMemberDecorate %List 0 Offset 0
OpDecorate %five ArrayStride 4
""" + "".join("OpDecorate %%%s DescriptorSet 0\nOpDecorate %%%s Binding %d\n" % (name, name, i) for i, name in
                 enumerate("bufs other out lists rows textures samplers combined cubes lines depth images sampler "
                           "image".split()))
TYPES = """%void = OpTypeVoid
%fnvoid = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%ulong = OpTypeInt 64 0
%long = OpTypeInt 64 1
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%i2 = OpTypeVector %int 2
%u4 = OpTypeVector %uint 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u5 = OpConstant %uint 5
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%offset = OpConstantComposite %i2 %i1 %i1
%place = OpConstantComposite %i2 %i0 %i1
%zero = OpConstantNull %v4
%u100 = OpConstant %uint 100
%sparse = OpTypeStruct %uint %v4
%Buf = OpTypeStruct %uint %uint
%bufn = OpTypeArray %Buf %u5
%pbufs = OpTypePointer StorageBuffer %bufn
%five = OpTypeArray %uint %u5
%List = OpTypeStruct %five
%lists3 = OpTypeArray %List %u3
%plists = OpTypePointer StorageBuffer %lists3
%lists = OpVariable %plists StorageBuffer
%pbuf = OpTypePointer StorageBuffer %Buf
%puint = OpTypePointer StorageBuffer %uint
%bufs = OpVariable %pbufs StorageBuffer
%other = OpVariable %pbufs StorageBuffer
%out = OpVariable %pbuf StorageBuffer
%Texture = OpTypeImage %float 2D 0 0 0 1 Unknown
%Cube = OpTypeImage %float Cube 0 1 0 1 Unknown
%Line = OpTypeImage %float 1D 0 1 0 1 Unknown
%Depth = OpTypeImage %float 2D 1 0 0 1 Unknown
%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%Sampler = OpTypeSampler
%Combined = OpTypeSampledImage %Texture
%Cubes = OpTypeSampledImage %Cube
%Lines = OpTypeSampledImage %Line
%Row = OpTypeImage %float 1D 0 0 0 1 Unknown
%Rows = OpTypeSampledImage %Row
%Depths = OpTypeSampledImage %Depth
""" + "".join("%%n%s = OpTypeArray %%%s %%u5\n%%pn%s = OpTypePointer UniformConstant %%n%s\n"
              "%%p%s = OpTypePointer UniformConstant %%%s\n" % ((name,) * 6)
              for name in "Texture Cubes Lines Rows Depths Combined Image Sampler".split()) + """
%textures = OpVariable %pnTexture UniformConstant
%samplers = OpVariable %pnSampler UniformConstant
%sampler = OpVariable %pSampler UniformConstant
%image = OpVariable %pTexture UniformConstant
%combined = OpVariable %pnCombined UniformConstant
%cubes = OpVariable %pnCubes UniformConstant
%lines = OpVariable %pnLines UniformConstant
%depth = OpVariable %pnDepths UniformConstant
%rows = OpVariable %pnRows UniformConstant
%images = OpVariable %pnImage UniformConstant
%ptexel = OpTypePointer Image %uint
%inuint = OpTypePointer Input %uint
%lanes3 = OpTypeArray %uint %u3
%inuints = OpTypePointer Input %lanes3
%inv4 = OpTypePointer Input %v4
%outv4 = OpTypePointer Output %v4
%outfloat = OpTypePointer Output %float
%lane_in = OpVariable %inuint Input
%lanes_in = OpVariable %inuints Input
%uv_in = OpVariable %inv4 Input
%colour = OpVariable %outv4 Output
%private = OpTypePointer Private %uint
%own = OpVariable %private Private
%local = OpTypePointer Function %uint
%localf = OpTypePointer Function %float
%localv = OpTypePointer Function %v4
"""
DEBUG = """%source = OpExtInst %void %dbg DebugSource %file %text
%unit = OpExtInst %void %dbg DebugCompilationUnit %u100 %u2 %source %u2
%kind = OpExtInst %void %dbg DebugTypeFunction %u0 %void
%scope = OpExtInst %void %dbg DebugFunction %file %kind %source %u1 %u1 %unit %file %u0 %u1
"""
BEGIN = """%main = OpFunction %void None %fnvoid
%entry = OpLabel
%mx = OpVariable %local Function
%my = OpVariable %local Function
%mv = OpVariable %localv Function
%lane = OpLoad %uint %lane_in
%uv = OpLoad %v4 %uv_in
%uv2 = OpVectorShuffle %v2 %uv %uv 0 1
%uv3 = OpVectorShuffle %v3 %uv %uv 0 1 2
%level = OpCompositeExtract %float %uv 3
%at = OpAccessChain %puint %out %u0
"""
END = "OpReturn\nOpFunctionEnd\n"


def case(name, *body, options=(), decorations="", head=HEAD, version="spv1.3"):
    CASES.append(Case(name, "\n".join(line.strip() for text in body for line in text.strip().split("\n") if line),
                      options, decorations, head, version))


def declarations(c):
    debug = DEBUG if "%dbg" in c.head else ""
    marks = "OpCapability ShaderNonUniform\nOpExtension \"SPV_EXT_descriptor_indexing\"\n"
    head = c.head.replace("OpExtension", marks + "OpExtension", 1) if "NonUniform" in c.decorations else c.head
    return head + c.decorations + TYPES + debug


def module(c):
    return declarations(c) + BEGIN + c.body + "\n" + END


def several(sequences):
    """One module, with a function for each sequence."""
    text = HEAD + TYPES + DEBUG + BEGIN + END
    for number, sequence in enumerate(sequences):
        text += ("%%seq%d = OpFunction %%void None %%fnvoid\n%%entry%d = OpLabel\n"
                 "%%first%d = OpLoad %%uint %%lane_in\n"
                 "%%second%d = OpIMul %%uint %%first%d %%u3\n%%cond%d = OpULessThan %%bool %%first%d %%u3\n") % ((
                 number,) * 7)
        text += assembled(sequence.replace(" ", ""), number) + END
    return text


def assembled(sequence, number):
    text, open_ = "", []
    for k, char in enumerate(sequence):
        name = "%d_%d" % (number, k)
        if char in "ij.":
            variable = {"i": "%bufs %first" + str(number), "j": "%other %second" + str(number), ".": "%out"}[char]
            text += "%%p%s = OpAccessChain %%puint %s %%u0\n%%a%s = OpLoad %%uint %%p%s\n" % (name, variable, name,
                name)
        elif char == "!":
            text += "OpMemoryBarrier %u2 %u0\n"
        elif char == "(":
            open_.append(name)
            text += ("OpSelectionMerge %%met%s None\nOpBranchConditional %%cond%d %%left%s %%right%s\n"
                     "%%left%s = OpLabel\n"
                     % (name, number, name, name, name))
        elif char == "|":
            text += "OpBranch %%met%s\n%%right%s = OpLabel\n" % (open_[-1], open_[-1])
        elif char == ")":
            name = open_.pop()
            text += "OpBranch %%met%s\n%%met%s = OpLabel\n" % (name, name)
    return text


# Pieces of bodies

def reads(name, index="%lane", variable="%bufs"):
    return "%%p%s = OpAccessChain %%puint %s %s %%u0\n%%%s = OpLoad %%uint %%p%s\n" % (name, variable, index, name,
        name)


def writes(value, index="%lane", name="w"):
    return "%%p%s = OpAccessChain %%puint %%bufs %s %%u1\nOpStore %%p%s %s\n" % (name, index, name, value)


def loads(name, type_, variable, index="%lane"):
    return "%%p%s = OpAccessChain %%p%s %s %s\n%%%s = OpLoad %%%s %%p%s\n" % (name, type_, variable, index, name,
        type_,
                                                                              name)


def chooses(left, right, name="0", condition="%odd"):
    text = """OpSelectionMerge %metN None
OpBranchConditional CONDITION %leftN %rightN
%leftN = OpLabel
LEFTOpBranch %metN
%rightN = OpLabel
RIGHTOpBranch %metN
%metN = OpLabel
"""
    text = text.replace("leftN", "left" + name).replace("rightN", "right" + name).replace("metN", "met" + name)
    return text.replace("CONDITION", condition).replace("LEFT", left).replace("RIGHT", right)


def samples(name, image, coordinate, operands="", op="ImplicitLod", type_="v4"):
    return "%%%s = OpImageSample%s %%%s %s %s %s\n" % (name, op, type_, image, coordinate, operands)


ODD = "%odd = OpULessThan %bool %lane %u3\n"


# What is between accesses that share a loop

STORE, LOAD = "OpStore %at %u1\n", "%q = OpLoad %uint %at\n"
for what, text in (
        ("a load behind a store", STORE + LOAD), ("a load before a store", LOAD + STORE),
        ("a load between stores", STORE + LOAD + "OpStore %at %u2\n"),
        ("a load of a variable that is written", "OpStore %mx %a\n%q = OpLoad %uint %mx\n"),
        ("a load of Private behind a store to it", "OpStore %own %a\n%r = OpLoad %uint %own\n"
             "%q = OpIAdd %uint %r %u1\n"),
        ("a load of another variable", "OpStore %mx %a\n%q = OpLoad %uint %my\n"),
        ("a member of an output that is written", "OpStore %colour %uv\n%m = OpAccessChain %outfloat %colour %u0\n"
         "%g = OpLoad %float %m\n%q = OpBitcast %uint %g\n"),
        ("an output that is not", "OpStore %at %u1\n%m = OpAccessChain %outfloat %colour %u0\n%g = OpLoad %float %m\n"
         "%q = OpBitcast %uint %g\n"),
        ("a component of a variable that is written", "OpStore %mv %uv\n%m = OpAccessChain %localf %mv %u0\n"
         "%g = OpLoad %float %m\n%q = OpBitcast %uint %g\n"),
        ("a remark and lines", "%r = OpExtInst %void %remarks 1 %a\nOpLine %file 1 1\n"
                               "%q = OpIAdd %uint %lane %u1\nOpNoLine\n"),
        ("an atomic of what is found", "%q = OpAtomicIAdd %uint %at %u1 %u0 %a\n"),
        ("an operation of the subgroup", "%q = OpGroupNonUniformIAdd %uint %u3 Reduce %lane\n"),
        ("what is undefined", "%q = OpUndef %uint\n"),
        ("a copy of what is found", "%q = OpCopyObject %uint %a\n"),
        ("an image that is written", loads("im", "Image", "%images", "%u1") +
        "%four = OpCompositeConstruct %u4 %a %a %a %a\n"
         "OpImageWrite %im %place %four\n%r = OpImageRead %u4 %im %place\n%q = OpCompositeExtract %uint %r 0\n")):
    case(what + " between two accesses", reads("a"), text, writes("%q"), "OpStore %at %q\n")
for count in (63, 64, 65):
    copies = "".join("%%mx%d = OpCopyObject %%local %%mx%s\n" % (i, i - 1 if i else "") for i in range(count))
    case("a store through %d copies of a variable" % count, copies, reads("a"),
         "OpStore %%mx%d %%a\n%%q = OpLoad %%uint %%my\n" % (count - 1), writes("%q"))
    if count == 65:
        case("a load through 65 copies of a variable", copies, reads("a"), "OpStore %my %a\n%q = OpLoad %uint %mx64\n",
             writes("%q"))
        case("a load through 65 copies of a variable, and nothing is written", copies, reads("a"),
             "%q = OpLoad %uint %mx64\n", writes("%q"))
for what, decorations in (("nothing", ""), ("RelaxedPrecision", "OpDecorate %q RelaxedPrecision\n"),
                          ("NoContraction", "OpDecorate %q NoContraction\n"),
                          ("NoContraction of the next", "OpDecorate %z NoContraction\n"),
                          ("its name", "")):
    head = HEAD.replace("OpDecorate", 'OpName %q "q"\nOpDecorate', 1) if what == "its name" else HEAD
    case("%s decorates what goes inside" % what, reads("a"),
         "%g = OpConvertUToF %float %a\n%q = OpFMul %float %g %g\n%z = OpFMul %float %g %level\n"
         "%k = OpConvertFToU %uint %q\n",
         writes("%k"), "OpStore %at %k\n%m = OpAccessChain %outfloat %colour %u0\nOpStore %m %q\n%mm = OpAccessChain "
         "%outfloat %colour %u1\nOpStore %mm %z\n", decorations=decorations, head=head)
case("what one loop has taken is not there for the next", reads("a"), reads("b", "%lane", "%other").replace(
    "%lane", "%j"), "OpStore %at %b\n%q = OpLoad %uint %at\n", writes("%q"), "%r = OpLoad %uint %at\n",
     "%pd = OpAccessChain %puint %other %j %u1\nOpStore %pd %r\n")
CASES[-1] = CASES[-1]._replace(body="%j = OpIMul %uint %lane %u3\n" + CASES[-1].body)
case("a load that a store of another loop precedes", "%j = OpIMul %uint %lane %u3\n", reads("a"), "OpStore %at %a\n",
     reads("b", "%j", "%other"), "%q = OpLoad %uint %at\n", writes("%u1"), "%pd = OpAccessChain %puint %other %j %u1\n"
     "OpStore %pd %q\n")
case("an image is made again in a loop, behind it, and before the next", "%im = OpLoad %Texture %image\n", reads(
     "a"), STORE,
     "%t = OpImageFetch %v4 %im %place Lod %i0\n%g = OpCompositeExtract %float %t 0\n%q = OpBitcast %uint %g\n",
     writes("%q"),
     "%r = OpImageFetch %v4 %im %place Lod %i0\nOpMemoryBarrier %u2 %u0\n", reads("c"),
     "%s = OpImageFetch %v4 %im %place Lod %i1\n%h = OpCompositeExtract %float %s 0\n%k = OpBitcast %uint %h\n",
     writes("%k", name="y"), "OpStore %colour %r\n")
case("a pair is made again behind a loop, once", "%im = OpLoad %Texture %image\n%sm = OpLoad %Sampler %sampler\n"
     "%si = OpSampledImage %Combined %im %sm\n", reads("a"), samples("t", "%si", "%uv2", "Lod %f0", "ExplicitLod"),
     samples("u", "%si", "%uv2", "Lod %f1", "ExplicitLod"), "%s = OpFAdd %v4 %t %u\nOpStore %colour %s\n")
case("a marked image that stays is marked where it is made again", loads("im", "Texture", "%textures"), reads("a"),
     "%q = OpImageQueryLevels %int %im\n%sm = OpLoad %Sampler %sampler\n%si = OpSampledImage %Combined %im %sm\n"
     "%l = OpImageQueryLod %v2 %si %uv2\n")

def members(name, member, index="%lane"):
    return "%%p%s = OpAccessChain %%puint %%lists %s %%u0 %s\n" % (name, index, member)


case("a member by what is computed between", members("a", "%u1"), "%a = OpLoad %uint %pa\n"
     "%k = OpBitwiseAnd %uint %lane %u3\n", members("b", "%k"), "OpStore %pb %a\n"
     "%l = OpBitwiseAnd %uint %a %u3\n", members("c", "%l"), "OpStore %pc %a\n")
for what, text, place in (("the centroid", "InterpolateAtCentroid %uv_in", ""), ("a sample",
    "InterpolateAtSample %uv_in %i1", ""),
                          ("a sample that is found", "InterpolateAtSample %uv_in %k", "%k = OpBitcast %int %a\n"),
                          ("an offset", "InterpolateAtOffset %uv_in %uv2", ""), ("nowhere", "Normalize %uv", "")):
    case("an input at %s between two accesses" % what, reads("a"), place, "%%t = OpExtInst %%v4 %%glsl %s\n" % text,
         "%g = OpCompositeExtract %float %t 0\n%q = OpBitcast %uint %g\n", writes("%q"),
         head=HEAD.replace("OpExtension", "OpCapability InterpolationFunction\nOpExtension", 1))
BROADCAST = "%c = OpGroupNonUniformBroadcastFirst %uint %u3 %a\n"
for what, member in (("moves nothing", "%c"), ("moves what another needs", "%q")):
    case("an access that cannot be in the loop " + what, "%j = OpIMul %uint %lane %u3\n", reads("a"),
         reads("b", "%j", "%other"), "%q = OpIAdd %uint %a %u1\n", BROADCAST, members("w", "%c"), "OpStore %pw %q\n",
         "%%pd = OpAccessChain %%puint %%other %%j %%u1\nOpStore %%pd %s\n" % member)
case("a store that another loop has taken is over", "%j = OpIMul %uint %lane %u3\n", reads("a"),
     reads("b", "%j", "%other"),
     "OpStore %mv %uv\n%m = OpAccessChain %localf %mv %u0\n%g = OpLoad %float %m\n"
     "%q = OpBitcast %uint %g\n", writes("%q"), "%h = OpLoad %float %m\n%r = OpBitcast %uint %h\n"
     "%pd = OpAccessChain %puint %other %j %u1\nOpStore %pd %r\n")
case("what is relaxed inside, and not needed behind", reads("a"), "%q = OpIAdd %uint %a %u1\n", writes("%q"),
     "OpStore %at %a\n", decorations="OpDecorate %q RelaxedPrecision\nOpDecorate %a RelaxedPrecision\n")
case("two samples on lines of their own", "OpLine %file 1 1\n", loads("s", "Combined", "%combined"),
     samples("a", "%s", "%uv2"), "OpLine %file 2 1\n", samples("b", "%s", "%uv2", "Bias %level"), "OpLine %file 3 1\n"
     "%t = OpFAdd %v4 %a %b\nOpStore %colour %t\n")
# Which indexes an access has

PAIR = ("%j = OpIMul %uint %lane %u3\n", loads("ta", "Texture", "%textures"), loads("sa", "Sampler", "%samplers",
    "%j"),
        "%ca = OpSampledImage %Combined %ta %sa\n", samples("a", "%ca", "%uv2", "Lod %f0", "ExplicitLod"))


def pair(i, j, name="b"):
    return loads("t" + name, "Texture", "%textures", i) + loads("s" + name, "Sampler", "%samplers", j) + (
        "%%c%s = OpSampledImage %%Combined %%t%s %%s%s\n" % (name, name, name)) + samples(
            name, "%c" + name, "%uv2", "Lod %f0", "ExplicitLod")


for what, i, j in (("the same", "%lane", "%j"), ("the first alone", "%lane", "%lane"), ("the second alone", "%j",
    "%j"),
                   ("both, the other way round", "%j", "%lane"), ("a constant", "%lane", "%u1"),
                   ("the first and another", "%lane", "%last")):
    case("texture and sampler by two indexes, and by %s" % what, "%last = OpIAdd %uint %lane %u5\n", *PAIR,
         pair(i, j), "%s = OpFAdd %v4 %a %b\n"
         "OpStore %colour %s\n")
MARKS = "OpDecorate %{0} NonUniform\n"
for what, marked in (("the texture", "ta tb"), ("the sampler", "sa sb"), ("both", "ta tb sa sb"), ("the pair",
    "ca cb"),
                     ("one of two accesses", "ta")):
    case("%s is marked, and the index of the sampler is computed between" % what, *PAIR,
         "%k = OpIMul %uint %lane %u3\n", pair("%lane", "%k"), "%s = OpFAdd %v4 %a %b\nOpStore %colour %s\n",
         decorations="".join(MARKS.format(name) for name in marked.split()), options=("--waterfall",
             "--nonuniform=explicit"))
case("a chain of chains with copies", "%i = OpCopyObject %uint %lane\n%pb = OpAccessChain %pbuf %bufs %i\n"
     "%pc = OpCopyObject %pbuf %pb\n%pm = OpAccessChain %puint %pc %u0\n%a = OpLoad %uint %pm\n"
     "%pn = OpAccessChain %puint %pc %u1\nOpStore %pn %a\n%pd = OpCopyObject %puint %pn\n%b = OpLoad %uint %pd\n"
     "OpStore %at %b\n")
for kind, value in (("ulong", "OpUConvert %ulong %lane"), ("long", "OpSConvert %long %lane"), ("int",
    "OpBitcast %int %lane")):
    case("an index of the type %s" % kind, "%%i = %s\n" % value, reads("a", "%i"), reads("b", "%i"), ODD,
         chooses(reads("c", "%i"), reads("d", "%i")))

# Derivatives

for op, types, coordinates in (("ImplicitLod", "v4", ("%uv2", "%uv3", "%uv")), ("ProjImplicitLod", "v4", ("%uv3",
    "%uv")),
                               ("DrefImplicitLod", "float", ("%uv2", "%uv3", "%uv")),
                               ("ProjDrefImplicitLod", "float", ("%uv3", "%uv"))):
    dref = "Dref" in op
    for coordinate in coordinates:
        for operands in ("", "Bias %level", "ConstOffset %offset", "Bias|ConstOffset %level %offset", "MinLod %level",
                         "Bias|MinLod %level %f1")[:6 if coordinate == "%uv3" else 2]:
            case("%s by %s %s" % (op, coordinate[1:], operands), loads("s", *(("Depths", "%depth") if dref else (
                "Combined", "%combined"))), samples("a", "%s", coordinate, ("%f1 " if dref else "") + operands, op,
                types),
                 "OpStore %%mv %s\n" % ("%uv" if dref else "%a"))
for name, type_, variable, coordinates in (("a cube array", "Cubes", "%cubes", ("%uv",)),
                                           ("an array of lines", "Lines", "%lines", ("%uv2", "%uv3")),
                                           ("a line", "Rows", "%rows", ("%level", "%uv2"))):
    for coordinate in coordinates:
        for operands in ("", "Bias %level"):
            case("%s by %s %s" % (name, coordinate[1:], operands), loads("s", type_, variable),
                 samples("a", "%s", coordinate, operands), "OpStore %colour %a\n")
case("sparse, with a bias", loads("s", "Combined", "%combined"),
     "%a = OpImageSparseSampleImplicitLod %sparse %s %uv2 Bias %level\n"
     "%b = OpImageSparseSampleImplicitLod %sparse %s %uv2\n"
     "%t = OpCompositeExtract %v4 %a 1\nOpStore %colour %t\n")
case("a bias without GLSL.std.450", loads("s", "Combined", "%combined"), samples("a", "%s", "%uv2", "Bias %level"),
     "OpStore %colour %a\n", head=HEAD.replace('%glsl = OpExtInstImport "GLSL.std.450"\n', ""))
case("two samples by one pair share derivatives and a loop", loads("s", "Combined", "%combined"), samples("a", "%s",
     "%uv2"),
     samples("b", "%s", "%uv2", "Bias %level"), "%t = OpFAdd %v4 %a %b\nOpStore %colour %t\n")
case("a coordinate that an access has found parts two samples", loads("s", "Combined", "%combined"),
     samples("a", "%s", "%uv2"), "%c = OpVectorShuffle %v2 %a %a 0 1\n", samples("b", "%s", "%c"),
         "OpStore %colour %b\n")
case("a bias that an access has found parts two samples", loads("s", "Combined", "%combined"),
     samples("a", "%s", "%uv2"), "%g = OpCompositeExtract %float %a 0\n", samples("b", "%s", "%uv2", "Bias %g"),
     "OpStore %colour %b\n")
case("a least level that an access has found does not", loads("s", "Combined", "%combined"),
     samples("a", "%s", "%uv2"), "%g = OpCompositeExtract %float %a 0\n", samples("b", "%s", "%uv2", "MinLod %g"),
     "OpStore %colour %b\n")
case("a coordinate and a bias that are computed between go before", loads("s", "Combined", "%combined"),
     samples("a", "%s", "%uv2"), "OpLine %file 2 1\n%c = OpFMul %v2 %uv2 %uv2\nOpLine %file 3 1\n"
                                 "%g = OpFMul %float %level %level\n",
     samples("b", "%s", "%c", "Bias %g"), "%t = OpFAdd %v4 %a %b\nOpStore %colour %t\n")
case("derivatives of what an earlier value is", loads("s", "Combined", "%combined"), samples("a", "%s", "%uv"),
     "OpStore %mv %uv\n%c = OpLoad %v4 %mv\nOpStore %mv %zero\n%m = OpAccessChain %localf %mv %u0\n"
     "%g = OpLoad %float %m\n",
     samples("b", "%s", "%c", "MinLod %g"), "%t = OpFAdd %v4 %a %b\nOpStore %colour %t\n")

# Lines and scopes

LINE, LINE2, NO_LINE = "OpLine %file 1 1\n", "OpLine %file 2 1\n", "OpNoLine\n"
SCOPE, NO_SCOPE = "%d{0} = OpExtInst %void %dbg DebugScope %scope\n", "%d{0} = OpExtInst %void %dbg DebugNoScope\n"
AT = "%d{0} = OpExtInst %void %dbg DebugLine %source %u3 %u3 %u1 %u1\n"
NOWHERE = "%d{0} = OpExtInst %void %dbg DebugNoLine\n"
for number, parts in enumerate((
        (LINE, "a", LINE2), (LINE, "a", NO_LINE), (LINE, "a", NO_LINE, "b"), (LINE, "a", LINE2, "b", LINE), (LINE,
        "a", LINE, "b"),
        (SCOPE, "a", LINE), (SCOPE, AT, "a", NO_SCOPE, "b"), (SCOPE, AT, "a", NOWHERE, "b"), (AT, "a", LINE, "b",
        NO_LINE),
        (LINE, SCOPE, AT, "a", AT, "b"), (LINE, "a", NO_LINE, "n", "q"), (SCOPE, LINE, "a", LINE2, "n", "q", NO_LINE),
        (LINE, "ab"), (SCOPE, LINE, "ab", LINE2), (LINE, "z", LINE2, "ab", NO_LINE), (LINE, SCOPE, "z", NO_LINE,
        NO_SCOPE, "ab"))):
    text = ""
    for at, part in enumerate(parts):
        text += {"a": reads("a"), "b": reads("b"), "z": reads("z"), "n": "%q = OpIAdd %uint %a %u1\n", "q": writes(
            "%q"),
                 "ab": chooses(reads("a"), LINE2 + reads("b"))}.get(part, part.format(at))
    case("lines and scopes %d" % (number + 1), ODD, text)

case("lines between blocks", ODD, chooses(reads("a"), reads("b")).replace("%right0 = ",
     "OpLine %file 7 1\n%right0 = ").replace(
    "%met0 = ", "OpNoLine\n%met0 = "), reads("c"), "OpMemoryBarrier %u2 %u0\n",
     chooses(reads("d"), writes("%lane", "%level_"), "1").replace("%level_", "%lane"))

# Blocks and loops of the module

case("a selection in the continue target", ODD, "OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %k None\n"
     "OpBranchConditional %odd "
     "%k %m\n%k = OpLabel\n", chooses(reads("a"), reads("b")), "OpBranch %h\n%m = OpLabel\n", reads("z"))
case("a selection that merges in a loop's header", ODD, reads("z"),
     "OpSelectionMerge %h None\nOpBranchConditional %odd %l %r\n"
     "%l = OpLabel\n", reads("a"), "OpBranch %h\n%r = OpLabel\n", reads("b"), "OpBranch %h\n%h = OpLabel\n"
     "OpLoopMerge %m %k None\nOpBranchConditional %odd %k %m\n%k = OpLabel\nOpBranch %h\n%m = OpLabel\n", reads("c"))
case("a switch", ODD, reads("z"), "OpSelectionMerge %m None\nOpSwitch %lane %d 1 %k 2 %l\n%k = OpLabel\n", reads("a"),
     "OpBranch %l\n%l = OpLabel\n", reads("b"), "OpBranch %m\n%d = OpLabel\n", reads("c"),
     "OpBranch %m\n%m = OpLabel\n",
     "%both = OpPhi %uint %b %l %c %d\nOpStore %at %both\n")
case("a loop's header, body and continue target", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %uint %u0 %entry %n1 %k\n",
     reads("a"),
     "%c = OpULessThan %bool %n %u3\nOpLoopMerge %m %k None\nOpBranchConditional %c %b %m\n%b = OpLabel\n", reads(
     "d", "%n"),
     "OpBranch %k\n%k = OpLabel\n%n1 = OpIAdd %uint %n %u1\n", reads("e", "%n1"), "OpBranch %h\n%m = OpLabel\n",
     reads("g", "%n"),
     "OpStore %at %a\n")
case("a loop of one block", "OpBranch %h\n%h = OpLabel\n%n = OpPhi %uint %u0 %entry %n1 %h\nOpLine %file 1 1\n",
     reads("a", "%n"),
     "%n1 = OpIAdd %uint %n %a\n%c = OpULessThan %bool %n1 %u3\nOpLoopMerge %m %h None\nOpBranchConditional %c %h %m\n"
     "%m = OpLabel\n", reads("g", "%n"), "OpStore %at %g\n")
case("a loop's header with a choice between two blocks of the loop", ODD, "OpBranch %h\n%h = OpLabel\n", reads("a"),
     "OpLoopMerge %m %k None\nOpBranchConditional %odd %b %c\n%b = OpLabel\nOpBranch %m\n%c = OpLabel\nOpBranch %k\n"
     "%k = OpLabel\nOpBranch %h\n%m = OpLabel\n")
