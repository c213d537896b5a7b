# SPDX-License-Identifier: Apache-2.0
"""The consequences of SPIRV-Tools' verdicts: faults of the input are distinguished from those of the output, and from
false ones of an old SPIRV-Tools. Tests that need an old one say what has to be unknown to it, and also pass with a new
one."""
import os
import struct

import running
from running import bind, run, says

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def glsl(name, text, *flags):
    write(name, text)
    run("glslangValidator", "-V", "--quiet", *flags, name, "-o", name + ".spv")
    return name + ".spv"


def assembly(name, text, env="spv1.3"):
    write(name + ".spvasm", text)
    run("spirv-as", "--preserve-numeric-ids", "--target-env", env, name + ".spvasm", "-o", name)
    return name


def module(body="", decorations="", capabilities="", blocks="", place="", env="spv1.3"):
    """A compute shader with one storage buffer that has no binding, unless `place` gives it one."""
    return assembly("m.spv", """OpCapability Shader
%s
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main"
OpExecutionMode %%main LocalSize 1 1 1
OpName %%data "data"
OpDecorate %%block Block
OpMemberDecorate %%block 0 Offset 0
%s
%s
%%void = OpTypeVoid
%%fn = OpTypeFunction %%void
%%uint = OpTypeInt 32 0
%%float = OpTypeFloat 32
%%v3float = OpTypeVector %%float 3
%%one = OpConstant %%float 1
%%zero = OpConstant %%uint 0
%%block = OpTypeStruct %%float %s
%%pblock = OpTypePointer StorageBuffer %%block
%%pfloat = OpTypePointer StorageBuffer %%float
%%data = OpVariable %%pblock StorageBuffer
%%main = OpFunction %%void None %%fn
%%entry = OpLabel
%%p = OpAccessChain %%pfloat %%data %%zero
OpStore %%p %%one
%s
OpReturn
OpFunctionEnd
""" % (capabilities, place and "OpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 0", decorations, blocks,
       body), env)


WRONG = "%wrong = OpIAdd %uint %one %one"
SPARE = """
%sampler = OpTypeSampler
%psampler = OpTypePointer UniformConstant %sampler
%spare = OpVariable %psampler UniformConstant"""
SCALAR = {"blocks": "%v3float", "decorations": "OpMemberDecorate %block 1 Offset 8"}


def stderr(*args, expect=0):
    """The messages: at most one verdict."""
    text = bind(*args, expect=expect).stderr
    assert text.count("[SPB600") <= 1, text
    return text



def test_validator_options_accumulate():
    """A vector across 16 bytes: only scalar layout allows it, whatever other flags are set."""
    m = module(**SCALAR)
    assert "SPB6002" in stderr("--relax-block-layout", m, "-o", "o.spv", expect=None)
    for options in (["--scalar-block-layout", "--relax-block-layout"],
                    ["--relax-block-layout", "--scalar-block-layout"]):
        assert "SPB600" not in stderr(*options, m, "-o", "o.spv"), options


def test_a_module_that_needs_no_change_is_never_refused_by_default():
    m = module(WRONG, place="yes")
    text = stderr(m, "-o", "o.spv")
    assert says(text, "warning SPB6002", "the module as given is not valid") and "OpIAdd" in text, text
    assert read("o.spv") == read(m)
    assert says(stderr("--validate=strict", m, "-o", "x", expect=1), "error SPB6002")
    assert says(stderr("check", m, expect=1), "error SPB6002")
    assert says(stderr("--validate=both", m, "-o", "x", expect=1), "error SPB6002")
    assert not os.path.exists("x")
    assert says(stderr("check", "--allow-unvalidated", m), "warning SPB6002")
    assert not stderr("--validate=none", m, "-o", "o.spv")


def test_a_fault_of_the_input_is_reported_as_such_although_it_lacks_bindings():
    m = module(WRONG)
    text = stderr(m, "-o", "x", expect=1)
    assert says(text, "error SPB6002", "the module as given is not valid") and "--allow-unvalidated" in text, text
    assert not os.path.exists("x")
    assert says(stderr("--allow-unvalidated", m, "-o", "x"), "warning SPB6002")
    assert os.path.exists("x")


def test_the_layout_flag_that_fixes_a_fault_is_named():
    for place, expect in (("yes", 0), ("", 1)):
        text = stderr(module(place=place, **SCALAR), "-o", "x", expect=expect)
        assert "SPB6002" in text and "valid only with --scalar-block-layout, which" in text, text
        assert not stderr("-q", "--scalar-block-layout", "m.spv", "-o", "x")


def test_a_fault_repeated_in_a_waterfall_loop_is_attributed_to_the_input():
    """Slang writes atomics on images without a format, which Vulkan does not allow."""
    text = read(os.path.join(ROOT, "spirv-fixtures", "waterfall", "texel-pointer.spvasm")).decode()
    wrong = text.replace("OpTypeImage %uint 2D 0 0 0 2 R32ui", "OpTypeImage %uint 2D 0 0 0 2 Unknown")
    assert wrong != text
    assembly("atomic.spv", wrong, "spv1.5")
    said = stderr("--waterfall", "--allow-unvalidated", "atomic.spv", "-o", "x")
    assert says(said, "warning SPB6002", "the module as given is not valid") and "04658" in said, said
    assert "the pass" not in said and "OpImageTexelPointer" in said, said


def test_a_fault_of_a_variable_of_the_input_is_recognized_although_its_type_changes():
    """glslang's --auto-map-locations gives uniforms of OpenGL a Location, which a sampler must not have."""
    m = glsl("gui.frag", """#version 450
layout(binding = 0) uniform sampler2D diffuseMap;
layout(location = 0) out vec4 color;
void main() { color = texture(diffuseMap, vec2(0)); }
""", "--target-env", "vulkan1.1")
    run("spirv-dis", m, "-o", "gui.spvasm")
    with open("gui.spvasm") as f:
        text = f.read()
    marked = text.replace("OpDecorate %diffuseMap Binding 0", "OpDecorate %diffuseMap Binding 0\n"
                          "OpDecorate %diffuseMap Location 0")
    assert marked != text
    assembly("gui.spv", marked)
    said = stderr("--rebind=all", "--split-combined", "gui.spv", "-o", "x", expect=1)
    assert says(said, "error SPB6002", "the module as given is not valid"), said
    assert "Location decoration must not" in said and "another fault" not in said, said


def test_a_fault_that_handles_hide_is_an_error_of_the_output():
    with open(os.path.join(ROOT, "spirv-fixtures", "messages", "6001.spvasm")) as f:
        text = f.read()
    done = stderr(assembly("h.spv", text, "spv1.0"), "-o", "x", expect=1)
    assert says(done, "error SPB6001", "the rewritten module is not valid"), done
    assert says(stderr("--allow-unvalidated", "h.spv", "-o", "x", expect=1), "error SPB6001")


def test_a_capability_missing_from_an_old_vulkan_table_is_not_a_fault():
    # InputAttachmentArrayDynamicIndexing is core in SPIR-V 1.5, Vulkan 1.2; spirv-bind itself adds it for such an
    # index.
    m = glsl("ia.frag", """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(input_attachment_index = 0, binding = 65534) uniform subpassInput a[4];
layout(push_constant) uniform P { int i; };
layout(location = 0) out vec4 o;
void main() { o = subpassLoad(a[i]); }
""", "--target-env", "vulkan1.2")
    assert "SPB600" not in stderr("--auto-binding=65534", m, "-o", "x")


def test_faults_with_an_unknown_extension_are_doubtful():
    # A fault that only the unknown extension could excuse, which SPIRV-Tools cannot tell.
    m = module(WRONG, capabilities='OpExtension "SPV_KHR_of_tomorrow"', blocks=SPARE)
    text = stderr("--unused=remove", m, "-o", "x", expect=1)
    assert says(text, "error SPB6003") and "SPV_KHR_of_tomorrow" in text and "OpIAdd" in text, text
    assert says(stderr("--unused=remove", "--allow-unvalidated", m, "-o", "x"), "warning SPB6003")
    m = module(WRONG, capabilities='OpExtension "SPV_KHR_of_tomorrow"', place="yes")
    assert says(stderr(m, "-o", "x"), "warning SPB6003")
    assert says(stderr("check", m, expect=1), "error SPB6003")


def test_unknown_extensions_do_not_prevent_new_bindings():
    """If only decorations differ, the output is as valid as the input."""
    m = module(WRONG, capabilities='OpExtension "SPV_KHR_of_tomorrow"')
    text = stderr(m, "-o", "x")
    assert says(text, "warning SPB6003") and "only decorations were changed" in text, text
    assert says(stderr("--rebind=all,sets", "--policy=option default-set=3", "x", "-o", "y"), "warning SPB6003")
    assert read("x") != read("y")
    assert says(stderr("--validate=strict", m, "-o", "z", expect=1), "error SPB6003")
    assert not os.path.exists("z")
    # decorations, their capabilities, and the remark about shifted registers
    m = glsl("many.comp", """#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint v; } b[4];
layout(binding = 1) uniform U { uint n; };
void main() { b[gl_LocalInvocationIndex & 3].v = n; }
""")
    text = run("spirv-dis", m).stdout.replace("OpReturn", "%bad = OpFAdd %uint %uint_3 %uint_3\nOpReturn")
    m = assembly("many.spv", text.replace("OpMemoryModel", 'OpExtension "SPV_KHR_of_tomorrow"\nOpMemoryModel', 1)
                 .replace("%1 = OpExtInstImport \"GLSL.std.450\"", ""), "spv1.0")
    text = stderr("--rules=hlsl", "--shift=u=8", m, "-o", "x")
    assert says(text, "warning SPB6003") and "only decorations were changed" in text, text
    assert "NonUniform" in run("spirv-dis", "x").stdout
    text = stderr("--waterfall", m, "-o", "y", expect=1)
    assert says(text, "error SPB6003"), text


def test_features_outside_vulkan_are_a_fault():
    text = stderr(module(capabilities="OpCapability Kernel", place="yes"), "-o", "x")
    assert says(text, "warning SPB6002") and "Kernel" in text, text


def test_a_missing_extension_is_a_fault():
    text = stderr(module(capabilities="OpCapability RayQueryKHR"), "-o", "x", expect=1)
    assert says(text, "error SPB6002") and "RayQueryKHR" in text, text


def test_a_fault_among_many_equal_names_is_reported_quickly():
    # SPIRV-Tools makes friendly names unique one by one, in quadratic time: here it would take minutes.
    names, at = 30000, 1000
    words = [0x07230203, 0x10300, 0, at + names, 0, 2 << 16 | 17, 1, 3 << 16 | 14, 0, 1]
    name = list(struct.unpack("<2I", b"param\0\0\0"))
    for i in range(names):
        words += [4 << 16 | 5, at + i, *name]
    words += [3 << 16 | 22, 1, 32, 4 << 16 | 32, 2, 0, 1]
    for i in range(names - 1):
        words += [4 << 16 | 43, 1, at + i, i]
    words += [4 << 16 | 59, 2, at + names - 1, 6]  # a pointer to UniformConstant, a variable in Private
    with open("names.spv", "wb") as f:
        f.write(struct.pack("<%dI" % len(words), *words))
    text = stderr("--validate=strict", "names.spv", "-o", "x", expect=1)
    assert "[SPB6002]" in text and "Storage Class" in text and '%%%d "param"' % (at + names - 1) in text, text


running.main(globals())
