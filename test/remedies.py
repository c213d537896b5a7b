# SPDX-License-Identifier: Apache-2.0
"""What messages tell people to do, done: each remedy of src/base/codes.inc is applied to the example of its code, and
the message is gone. And the form of every example: a place that editors open, and one sentence.

    remedies.py --bind B [--only WORD]
"""
import glob
import os
import re
import shlex
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import FIXTURES, ROOT, says  # noqa: E402
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import gen_messages  # noqa: E402


class Example:
    """The example of a code, in a folder of its own, to be changed as its remedy says and run again."""

    def __init__(self, code):
        self.path, _ = gen_messages.examples()[code]
        fields = gen_messages.header(self.path)
        self.names = [os.path.basename(self.path), *fields.get("with", "").split()]
        self.options, self.tools, self.damaged = shlex.split(fields["spirv-bind"]), [], True
        for folder in ("resolvers", "messages", os.path.basename(os.path.dirname(self.path))):
            for name in os.listdir(os.path.join(FIXTURES, folder)):
                if name in self.names or any(o.endswith("=" + name) for o in self.options):
                    source = os.path.join(FIXTURES, folder, name)
                    shutil.copy(source, name)
                    if name not in self.names and gen_messages.header(source).get("edit"):
                        gen_messages.build(source, os.path.abspath(name))

    def run(self):
        modules = []
        for name in self.names:
            modules.append(gen_messages.module_name(name))
            text = running.read_text(name)
            if not self.damaged:
                running.write(name, re.sub(r"(?m)^(;|//) edit: .*\n", "", text))
            gen_messages.build(os.path.abspath(name), os.path.abspath("built.spv"))
            os.replace("built.spv", modules[-1])
        for tool in self.tools:
            running.run(*tool, modules[0], "-o", modules[0])
        output = ["--out-dir=bound"] if self.options[:1] not in (["check"], ["lint"], ["layout"]) else []
        return running.bind(*self.options, *modules, *output, expect=None)


def edit(old, new, name=None):
    def cure(x):
        path = name or x.names[0]
        text = running.read_text(path)
        assert old in text, "%s does not have %r" % (path, old)
        running.write(path, text.replace(old, new))
    return cure


def all_of(*cures):
    return lambda x: [cure(x) for cure in cures] and None


def add(*options):
    return lambda x: x.options.extend(options)


def instead(options):
    return lambda x: setattr(x, "options", shlex.split(options))


def undamaged(x):
    x.damaged = False


def through(*tool):
    return lambda x: x.tools.append(tool)


def compiled(*flags):
    return lambda x: edit("// glslang:", "// glslang: " + " ".join(flags))(x)


def file(name, text):
    return lambda x: running.write(name, text)


def remove(name):
    return lambda x: os.remove(name)


def bound(*options):
    """The module is bound before it is looked at."""
    return lambda x: x.tools.append((running.BIND, "-q", *options))


def resolver(name, *changes):
    """Edits a resolver: what there is, what it becomes, and so on."""
    return all_of(*[edit(old, new, name + ".spvasm") for old, new in zip(changes[::2], changes[1::2])])


def resolver_of_a_newer_release(x):
    """In which its opcode is known."""
    source = os.path.join(FIXTURES, "messages", "unknown.spvasm")
    running.write("known.spvasm", re.sub(r"(?m)^; edit: .*\n", "", running.read_text(source)))
    x.options = ["--resolver=known.spvasm"]


OTHER = "4016-other.frag"
BALLOT = "VK_SUBGROUP_FEATURE_BALLOT_BIT"
VERSION_1_3 = edit("version: 1.0", "version: 1.3")
NEWER_RELEASE = undamaged  # in which the opcode is known
NUMBERS_ARE_KEPT = instead("")
PROGRAMS = "of several programs: test/workspaces.py corrects them"
BROADCAST = edit("#extension GL_EXT_non", "#extension GL_KHR_shader_subgroup_ballot : require\n#extension GL_EXT_non")
# Of each code: what is done, each of which makes the message go; or why nothing can be done here.
REMEDIES = {
    1001: [undamaged], 1002: [undamaged], 1003: [undamaged], 1004: [undamaged],
    1005: "a module of several gigabytes", 1006: [undamaged], 1007: [undamaged], 1008: [undamaged],
    1009: [edit("OpBranch %entry\n      %entry = OpLabel", "")],
    1010: [edit("OpStore %missing %void", "")],
    1011: [edit("Private %one", "Private %int")],
    1012: [all_of(edit('               OpName %void "v"\n', ""),
                  edit("       %void = OpTypeVoid", '               OpName %void "v"\n       %void = OpTypeVoid'))],
    1013: [edit("%entry = OpLabel", "%entry = OpLabel\nOpReturn")],
    1014: [edit("%array = OpTypeArray %int %int", "%four = OpConstant %int 4\n%array = OpTypeArray %int %four")],
    1015: [edit("OpGroupDecorate %main %void", "")],
    1016: "the command sets no limits: test/unit_limits.c raises them",
    2001: [all_of(edit("OpTypeStruct %tex %float", "OpTypeStruct %tex"), edit("OpMemberDecorate %st 1 Offset 0", ""))],
    2002: [edit("OpTypeRuntimeArray %tex", "OpTypeArray %tex %u2")],
    2003: [edit("%l = OpLoad %img %c\n", "OpStore %c %y\n%l = OpLoad %img %c\n")],
    2004: [edit('OpDecorate %use LinkageAttributes "use" Export', "")],
    2005: [edit("%v_A_a1n = OpConstant %uint 65536", "%v_A_a1n = OpConstant %uint 4")],
    2006: [NEWER_RELEASE],
    2007: [edit("%ra = OpTypeRuntimeArray %img", "%u4 = OpConstant %uint 4\n%ra = OpTypeArray %img %u4")],
    2008: [edit("%i2 = OpConstant %int 2", "%i2 = OpConstant %int 0")],
    2009: [edit("%c = OpULessThan", "OpStore %v %y\n%c = OpULessThan")],
    2101: [all_of(edit("%p = OpCopyObject %psi %tex", ""), edit("OpLoad %si %p", "OpLoad %si %tex"))],
    2102: [all_of(edit("%p = OpUndef %psi", ""), edit("%v4float %f %p", "%v4float %f %tex"))],
    2103: [NEWER_RELEASE, instead("")],
    2111: [instead("--merge-combined=tex:own")],
    2112: [instead("--merge-combined=tex:own")],
    2113: [edit("OpAccessChain %psmp %own %b", "OpAccessChain %psmp %own %a")],
    2114: [through("spirv-opt", "--inline-entry-points-exhaustive", "--eliminate-dead-functions")],
    2201: [add("--order=name"), add("--order=module"), add("-DDEFERRED")],
    2202: [compiled("-g")],
    3001: [edit("%set 2 %h %g", "%set 2 %h")],
    3002: [edit("%set 2 %hx", "%set 2 %h")],
    3003: [edit("%set 3 %h", "%set 2 %h")],
    3004: [edit("%q = OpPtrAccessChain %pBlock %p %u1", "%q = OpCopyObject %pBlock %p")],
    3005: [NEWER_RELEASE],
    3006: "only a bug produces it",
    3007: [instead("")],
    3008: [all_of(edit("uint64_t numbers", "uvec2 numbers"),
                  edit("#extension GL_EXT_buffer_reference2", "#extension GL_EXT_buffer_reference_uvec2 : require\n"
                       "#extension GL_EXT_buffer_reference2"))],
    3009: [VERSION_1_3],
    3101: [resolver("main-only", 'OpName %main "main"', 'OpName %get "getDescriptorIndexFromHandle"',
                    "%void = OpTypeVoid", "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%uint2 = OpTypeVector %uint 2\n"
                    "%get_fn = OpTypeFunction %uint %uint2",
                    "%main = OpFunction", "%get = OpFunction %uint None %get_fn\n%h = OpFunctionParameter %uint2\n"
                    "%gl = OpLabel\n%x = OpCompositeExtract %uint %h 0\nOpReturnValue %x\nOpFunctionEnd\n"
                    "%main = OpFunction")],
    3102: [resolver("three", "OpTypeFunction %uint %uint2 %uint %uint", "OpTypeFunction %uint %uint2 %uint",
                    "%b = OpFunctionParameter %uint", "")],
    3103: [instead("")],
    3104: [resolver("recursive-address", "%r = OpFunctionCall %uint2 %address %h2", "", "OpReturnValue %r",
                    "OpReturnValue %h2")],
    3105: [resolver("import", 'OpDecorate %gone LinkageAttributes "lookUp" Import', "",
                    "%h2 = OpFunctionParameter %uint2\n", "%h2 = OpFunctionParameter %uint2\n%l2 = OpLabel\n"
                    "%x = OpCompositeExtract %uint %h2 0\nOpReturnValue %x\n")],
    3106: [resolver_of_a_newer_release],
    3107: [resolver("buffer-block", "%Table BufferBlock", "%Table Block", "Pointer Uniform %Table",
                    "Pointer StorageBuffer %Table", "%ptable Uniform", "%ptable StorageBuffer",
                    "Pointer Uniform %uint", "Pointer StorageBuffer %uint")],
    3108: [resolver("kernel", "Kernel", "Shader", "OpCapability Addresses", "", "Physical64 OpenCL",
                    "Logical GLSL450")],
    3109: [resolver("input", "OpDecorate %in Location 0", "", "OpDecorate %in Flat", "", "OpTypePointer Input",
                    "OpTypePointer Private", "%pin Input", "%pin Private")],
    3110: [resolver("spec", "SpecId 4", "SpecId 5")],
    3111: [resolver("other-function", "%l = OpLabel\n               OpReturnValue %x",
                    "%l = OpLabel\n%y = OpCompositeExtract %uint %h 0\nOpReturnValue %y")],
    3112: "a linker makes a shader of it and another module",
    3201: [edit("%no = OpFunctionCall %void %f %bc", "")],
    3202: [VERSION_1_3],
    3203: [all_of(edit("OpDecorate %ta Coherent", ""), edit("OpDecorate %tb Volatile", ""))],
    3204: [instead("--allow-unvalidated")],
    3205: [instead("--heap-model=typed")],
    4001: [add("--rebind=conflicts"), edit("layout(binding = 3) uniform Camera", "layout(binding = 4) uniform Camera")],
    4002: [add("--policy=option merge=no"), edit("uniform Camera", "uniform Other")],
    4003: [edit("layout(binding = 0)", "layout(binding = 7)"),
           all_of(edit("sampler2D tex", "sampler2D other"), edit("texture(tex", "texture(other"))],
    4004: [undamaged, add("--policy=option merge=no")],
    4005: [compiled("-g"), add("--order=name"), add("--order=module")],
    4006: [instead("--heap-set=2")],
    4007: [edit("%stexbuf_r = OpTypeRuntimeArray %stexbuf",
                "%four = OpConstant %uint 4\n%stexbuf_r = OpTypeArray %stexbuf %four")],
    4008: [edit("%ptr = OpTypePointer UniformConstant %float",
                "%smp = OpTypeSampler\n%ptr = OpTypePointer UniformConstant %smp")],
    4009: [instead("--heap-size=16")],
    4010: [file("mistyped.policy", "place kind=texture -> set=1\n")],
    4011: [all_of(remove("mistyped.lock"), add("--update-lock"))],
    4012: [add("--update-lock")],
    4013: [edit("Binding 4294967295", "Binding 4294967294")],
    4014: [add("--rebind=all")],
    4015: [compiled("-g")],
    4016: [all_of(edit("binding = 0) uniform sampler2D tex", "binding = 1) uniform sampler2D other", OTHER),
                  edit("texture(tex", "texture(other", OTHER)),
           add("--policy=option shared=apart merge=no")],
    4017: [instead("--place=tex=0.4")],
    4018: "the policy's author says what to do",
    4019: [instead("--rules=hlsl --order=module --shift=t=100")],
    4020: [add("--update-lock")],
    4021: [add("--rebind=all")],
    4022: [instead("-e main")],
    4024: [file("dynamic.policy", "descriptor name=other -> type=dynamic\n")],
    4025: [add("--policy=option unsized=keep"), edit("materials[]", "materials[8]")],
    4026: [instead("--order=module"),  # without -e
           all_of(bound("--order=module", "-e", "one"), instead("--order=module -e two"))],
    4027: [edit("OpCapability Shader", 'OpCapability Shader\nOpCapability RuntimeDescriptorArray\n'
                'OpExtension "SPV_EXT_descriptor_indexing"')],
    4028: [NUMBERS_ARE_KEPT],
    4029: [edit("register(s5)", "register(t5)")],
    4030: PROGRAMS, 4031: PROGRAMS, 4032: PROGRAMS, 4033: PROGRAMS, 4034: "of three locks: test/studio.py merges them",
    4035: [edit("offset = 48", "offset = 64")],
    4036: [bound()],
    4037: [instead("--heap=texture=0.0")],
    4038: "test/workspaces.py shares the heaps",
    4039: [add("--spec=1=8")],
    5001: [edit("maps[material]", "maps[nonuniformEXT(material)]"), bound()],
    5002: [edit("maps[chosen]", "maps[nonuniformEXT(chosen)]"),
           all_of(BROADCAST, edit("maps[chosen]", "maps[subgroupBroadcastFirst(chosen)]"))],
    5003: [edit("layout(push_constant) uniform", "layout(binding = 0) uniform")],
    5004: [add("--diagnostics=json")],
    5005: [bound(), bound("--nonuniform=explicit")],
    5006: [edit("texture(map, uv)", "textureLod(map, uv, 0.0)"),
           all_of(edit("o = texture(map, uv)", "o = m"),
                  edit("o = vec4(0);", "o = vec4(0);\n\tvec4 m = texture(map, uv);"))],
    5007: [all_of(edit("\t\tbarrier();\n\t}", "\t}\n\tbarrier();"))],
    5008: [all_of(edit("subgroup_ballot", "subgroup_shuffle"), edit("subgroupBroadcast(", "subgroupShuffle("))],
    5009: [edit("coopMatLoadNV(m, w, lane,", "coopMatLoadNV(m, w, 0u,")],
    5010: [edit("gl_GlobalInvocationID.x / 32u", "gl_WorkGroupID.x"), add("--check-assertions=runtime")],
    5011: [edit("allow barrier", "allow SPB5007")],
    5012: [edit(" // spirv-bind: allow SPB5007: all invocations get here", "")],
    5013: [edit("texture(maps[nonuniformEXT(k)], uv)", "textureLod(maps[nonuniformEXT(k)], uv, 0.0)")],
    5014: [all_of(edit("o += dFdx(uv).xyxy", "o += d.xyxy"),
                  edit("o = vec4(0);", "o = vec4(0);\n\tvec2 d = dFdx(uv);"))],
    5101: [edit("maps[material]", "maps[0]")],
    5102: [NEWER_RELEASE, instead("--nonuniform=keep"),  # without --waterfall
           all_of(instead("--nonuniform=keep --host-features=%s" % BALLOT), NEWER_RELEASE)],
    6001: [edit("%wrong = OpIAdd %uint %zero %zero", "")],
    6002: [edit("%s = OpIAdd %int %one %one", "")],
    6003: [NEWER_RELEASE],
    6004: [add("--host-features=shaderSampledImageArrayNonUniformIndexing"),
           add("--host-features=VK_SUBGROUP_FEATURE_BALLOT_BIT"), edit("maps[material]", "maps[0]")],
    9001: "only a bug produces it",
}


def messages_of(code, cure=None):
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            example = Example(code)
            if cure:
                cure(example)
            done = example.run()
            return done.stderr + done.stdout
        finally:
            os.chdir(before)


def test_each_code_has_a_remedy_or_a_reason():
    assert sorted(REMEDIES) == sorted(number for _, number, _, _ in gen_messages.codes())


def test_what_messages_tell_people_to_do_helps():
    wrong = []
    for code, cures in REMEDIES.items():
        if isinstance(cures, str):
            continue
        if "[SPB%d]" % code not in messages_of(code):
            wrong.append("%d: the example does not say it" % code)
        for i, cure in enumerate(cures):
            try:
                said = messages_of(code, cure)
            except (running.Failure, AssertionError) as e:
                said = "SPB%d cannot be cured: %s" % (code, e)
            if "SPB%d" % code in said:
                wrong.append("%d: after remedy %d it says\n%s" % (code, i + 1, said))
    assert not wrong, "\n".join(wrong)


def test_what_is_said_of_views_helps_in_each_of_their_cases():
    """SPB4016 has more remedies than its example can show."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        running.write("t.frag.hlsl", "Texture2D t : register(t0); SamplerState s : register(s0);\n"
                      "float4 main(float2 uv : TEXCOORD0) : SV_Target { return t.Sample(s, uv); }\n")
        said = running.bind("t.frag.hlsl", "-o", "t.spv").stderr
        assert "[SPB4016]" in said and "Use --rules=hlsl" in said, said
        assert not running.bind("t.frag.hlsl", "-o", "t.spv", "--rules=hlsl").stderr
        running.glslang(running.write("w.comp", "#version 450\nlayout(binding = 0) buffer A { uint a[]; };\n"
                                      "layout(binding = 0) buffer B { float b[]; };\n"
                                      "void main() { b[0] = float(a[1]); }\n"), "w.spv")
        text = running.run("spirv-dis", "--raw-id", "w.spv").stdout
        views = re.findall(r"OpDecorate (%\d+) Binding 0", text)
        said = running.bind("check", "w.spv").stderr
        assert "[SPB4016]" in said and "Decorate both Aliased" in said and len(views) == 2, said
        running.spirv_as(re.sub(r"( *OpDecorate %\d+ Binding 0\n)", lambda m: m[1] + "".join(
            "OpDecorate %s Aliased\n" % v for v in views if v + " " in m[1]), text), "w.spv", "spv1.0")
        assert not running.bind("check", "w.spv").stderr
        os.chdir(ROOT)


# The problem matcher $gcc of Visual Studio Code, with a column, as in its documentation.
GCC = r"(.*):(\d+):(\d+):\s+(warning|error):\s+(.*)"
MOST_WORDS = 25


def test_editors_open_every_message_and_it_is_one_sentence():
    count, wrong = 0, []
    for code in gen_messages.examples():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            said = Example(code).run().stderr
            for line in said.splitlines():
                text = re.fullmatch(r".*?: (?:error|warning|note): (.*) \[SPB(\d+)\]", line)
                if not text:
                    continue
                count += 1
                if len(text[1].split()) > MOST_WORDS:
                    wrong.append("too long: " + line)
                found = re.fullmatch(GCC, line)
                if ": note: " not in line and not (found and os.path.exists(found[1])):
                    wrong.append("no place: " + line)
            os.chdir(ROOT)
    assert count >= 100 and not wrong, "\n".join(wrong)


def test_every_message_of_the_fixtures_has_a_place_and_one_sentence():
    """The golden files have the words of each refusal, not only of the one that the page of messages shows."""
    count, wrong = 0, []
    for path in glob.glob(os.path.join(FIXTURES, "**", "*.expect.txt"), recursive=True):
        for line in running.read_text(path).splitlines():
            found = re.search(r": (error|warning|note): (.*?)( \[SPB\d+\])?$", line)
            if not found:
                continue
            count += 1
            if not re.match(r"[^:]+:\d+:\d+: (error|warning|note): ", line):
                wrong.append("no place: " + line)
            if found[3] and len(found[2].split()) > MOST_WORDS:
                wrong.append("too long: " + line)
    assert count >= 500 and not wrong, "\n".join(wrong)


def test_explain_knows_codes_rules_and_vuids():
    said = running.bind("explain", "SPB5007").stdout
    assert said.startswith("SPB5007: ") and "\nWhat to do: " in said and "5007.comp:14:1: error: " in said, said
    assert "Did you mean SPB4" in running.bind("explain", "SPB%d" % 4999, expect=2).stderr
    assert re.findall(r"(?m)^SPB\d+", running.bind("explain", "implicit-lod").stdout) == ["SPB5006", "SPB5013"]
    assert re.findall(r"(?m)^SPB\d+", running.bind("explain", "VUID-RuntimeSpirv-None-04745").stdout) == ["SPB5003"]
    assert "no message is about VUID-none" in running.bind("explain", "VUID-none", expect=2).stderr


running.main(globals())
