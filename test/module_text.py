# SPDX-License-Identifier: Apache-2.0
"""SPIR-V modules from declarations in the notation of the conformance tables, and their decorations read back.

    name:kind[dims]@register,space     kind: a class of HLSL (b t u s) or a word of KINDS; [] unsized; no @: open;
                                       @,space: space only; ! at the end: unused
    name:{a:u b:t[2]}[dims]@register   members of a struct variable
"""
import re
import struct

from running import run_bytes

KINDS = {  # type, storage class, type that a use loads
    "t": ("tex", "UniformConstant"), "tex": ("tex", "UniformConstant"), "cube": ("cube", "UniformConstant"),
    "tex1": ("tex1", "UniformConstant"), "itex": ("itex", "UniformConstant"),
    "s": ("smp", "UniformConstant"), "smp": ("smp", "UniformConstant"),
    "u": ("stexbuf", "UniformConstant"), "stexbuf": ("stexbuf", "UniformConstant"),
    "utexbuf": ("utexbuf", "UniformConstant"), "img": ("img", "UniformConstant"), "roimg": ("img", "UniformConstant"),
    "comb": ("comb", "UniformConstant"), "as": ("as", "UniformConstant"), "subpass": ("subpass", "UniformConstant"),
    "b": ("ubo", "Uniform"), "ubo": ("ubo", "Uniform"), "ssbo": ("ssbo", "StorageBuffer"),
    "rossbo": ("rossbo", "StorageBuffer"), "append": ("append", "StorageBuffer"),
    "consume": ("consume", "StorageBuffer"), "rw": ("rw", "StorageBuffer"), "counter": ("counter", "StorageBuffer"),
    "push": ("push", "PushConstant"), "record": ("record", "ShaderRecordBufferKHR"),
}
TYPES = {
    "tex": "OpTypeImage %float 2D 0 0 0 1 Unknown", "tex1": "OpTypeImage %float 1D 0 0 0 1 Unknown",
    "cube": "OpTypeImage %float Cube 0 0 0 1 Unknown", "itex": "OpTypeImage %int 2D 0 0 0 1 Unknown",
    "smp": "OpTypeSampler", "stexbuf": "OpTypeImage %float Buffer 0 0 0 2 R32f",
    "utexbuf": "OpTypeImage %float Buffer 0 0 0 1 Unknown", "img": "OpTypeImage %float 2D 0 0 0 2 R32f",
    "comb": "OpTypeSampledImage %tex", "as": "OpTypeAccelerationStructureKHR",
    "subpass": "OpTypeImage %float SubpassData 0 0 0 2 Unknown",
}
BLOCKS = {"ubo", "ssbo", "rossbo", "append", "consume", "rw", "counter", "push", "record"}
BLOCK_NAMES = {"append": "type.AppendStructuredBuffer.v4float", "consume": "type.ConsumeStructuredBuffer.v4float",
               "rw": "type.RWStructuredBuffer.v4float"}


class Item:
    def __init__(self, text):
        found = re.fullmatch(r"([\w.$]+):(\{.*\}|\w+)((?:\[\d*\])*)(?:@(\d*)(?:,(?:space)?(\d+))?)?(!?)(?:~([\w.$]+))?",
                             text)
        if not found:
            raise ValueError("no declaration: " + text)
        self.name, kind, dims, register, space, unused, self.counts = found.groups()
        self.members = [Item(m) for m in split(kind[1:-1])] if kind[0] == "{" else None
        self.kind = kind
        self.dims = [int(d) if d else 0 for d in re.findall(r"\[(\d*)\]", dims)]
        self.register = int(register) if register else None
        self.space = int(space) if space else None
        self.used = not unused


def split(text):
    """Declarations are separated by blanks; those in braces belong together."""
    parts, depth, word = [], 0, ""
    for c in text + " ":
        if c == " " and not depth:
            if word:
                parts.append(word)
            word = ""
            continue
        depth += (c == "{") - (c == "}")
        word += c
    return parts


class Module:
    def __init__(self, declarations, stage="GLCompute", backwards=True, uses=None, handles=(), source=""):
        """declarations: a text; uses: names that are used, in this order, by default all without !; handles: kinds
        (tex, cube, tex1, smp) that a DescriptorHandle is dereferenced to; source: of OpSource"""
        self.source = ["OpSource " + source] if source else []
        self.items = [Item(t) for t in split(declarations)]
        self.stage, self.types, self.globals, self.notes, self.body = stage, {}, [], [], []
        self.capabilities = {"Shader", "SampledBuffer", "ImageBuffer", "Sampled1D"}
        self.extensions = {'"SPV_KHR_storage_buffer_storage_class"'}
        for item in self.items:
            self.declare(item)
        order = uses if uses is not None else [i.name for i in self.items if i.used]
        by_name = {i.name: i for i in self.items}
        for name in (reversed(order) if backwards and uses is None else order):
            self.use(by_name[name])
        self.imports = []
        if handles:
            self.dereference(handles)

    def dereference(self, kinds):
        """Textures are sampled with the sampler, if there is one, otherwise their levels are queried."""
        self.imports.append('%handles = OpExtInstImport "NonSemantic.DescriptorHandle"')
        self.extensions |= {'"SPV_KHR_non_semantic_info"', '"SPV_EXT_descriptor_indexing"'}
        self.capabilities |= {"RuntimeDescriptorArray", "ImageQuery"}
        self.add_type("v2uint", "OpTypeVector %uint 2")
        self.add_type("handle", "OpConstantComposite %%v2uint %s %s" % (self.constant(1), self.constant(0)))
        self.add_type("v2float", "OpTypeVector %float 2")
        self.add_type("v3float", "OpTypeVector %float 3")
        self.add_type("at_tex", "OpConstantComposite %v2float %one %one")
        self.add_type("at_cube", "OpConstantComposite %v3float %one %one %one")
        self.add_type("v2int", "OpTypeVector %int 2")
        self.add_type("at_img", "OpConstantNull %v2int")
        for k in kinds:
            self.add_type(k, TYPES[k])
            self.body.append("%%h_%s = OpExtInst %%%s %%handles 1 %%handle" % (k, k))
        for k in kinds:
            if k == "smp":
                continue
            if k == "img":
                self.body.append("OpImageWrite %h_img %at_img %ones")
                continue
            if "smp" not in kinds:
                self.body.append("%%q_%s = OpImageQueryLevels %%int %%h_%s" % (k, k))
                continue
            self.add_type("si_" + k, "OpTypeSampledImage %" + k)
            self.body.append("%%i_%s = OpSampledImage %%si_%s %%h_%s %%h_smp" % (k, k, k))
            self.body.append("%%s_%s = OpImageSampleExplicitLod %%v4float %%i_%s %%at_%s Lod %%one" % (k, k, k))

    def add_type(self, name, text):
        if name not in self.types:
            self.types[name] = text
            self.globals.append("%%%s = %s" % (name, text))
        return "%" + name

    def constant(self, n):
        return self.add_type("u%d" % n, "OpConstant %%uint %d" % n)

    def type_of(self, item):
        if item.members:
            members = [self.array(self.type_of(m), m.dims) for m in item.members]
            name = "struct_" + re.sub(r"\W", "_", item.name)
            for i, m in enumerate(item.members):
                self.notes.append('OpMemberName %%%s %d "%s"' % (name, i, m.name))
            return self.add_type(name, "OpTypeStruct " + " ".join(members))
        kind = KINDS[item.kind][0]
        if kind in BLOCKS:
            return self.block(item, kind)
        if kind == "comb":
            self.add_type("tex", TYPES["tex"])
        if kind == "as":
            self.capabilities.add("RayQueryKHR")
            self.extensions.add('"SPV_KHR_ray_query"')
        if kind == "subpass":
            self.capabilities.add("InputAttachment")
        return self.add_type(kind, TYPES[kind])

    def block(self, item, kind):
        name = "block_" + re.sub(r"\W", "_", item.name)
        if name in self.types:
            return "%" + name
        # DXC's names of types, or one for each, since blocks are identified by them
        self.notes.append('OpName %%%s "%s"' % (name, BLOCK_NAMES.get(kind, item.name)))
        self.notes.append("OpDecorate %%%s Block" % name)
        self.notes.append("OpMemberDecorate %%%s 0 Offset 0" % name)
        if kind == "rossbo":
            self.notes.append("OpMemberDecorate %%%s 0 NonWritable" % name)
        if kind in ("ubo", "push", "record", "counter"):
            return self.add_type(name, "OpTypeStruct " + ("%int" if kind == "counter" else "%v4float"))
        if "elements" not in self.types:
            self.notes.append("OpDecorate %elements ArrayStride 16")
        self.add_type("elements", "OpTypeRuntimeArray %v4float")
        return self.add_type(name, "OpTypeStruct %elements")

    def array(self, type_id, dims):
        for d in reversed(dims):
            if d:
                n = self.constant(d)
                type_id = self.add_type("%s_%d" % (type_id[1:], d), "OpTypeArray %s %s" % (type_id, n))
            else:
                self.capabilities.add("RuntimeDescriptorArray")
                self.extensions.add('"SPV_EXT_descriptor_indexing"')
                type_id = self.add_type(type_id[1:] + "_r", "OpTypeRuntimeArray " + type_id)
        return type_id

    def pointer(self, storage, type_id):
        return self.add_type("p%s_%s" % (storage, type_id[1:]), "OpTypePointer %s %s" % (storage, type_id))

    def declare(self, item):
        storage = "UniformConstant" if item.members else KINDS[item.kind][1]
        if storage.startswith("ShaderRecord"):
            self.capabilities.add("RayTracingKHR")
            self.extensions.add('"SPV_KHR_ray_tracing"')
        element = self.type_of(item)
        type_id = self.array(element, item.dims)
        var = "v_" + re.sub(r"\W", "_", item.name)
        self.globals.append("%%%s = OpVariable %s %s" % (var, self.pointer(storage, type_id), storage))
        self.notes.append('OpName %%%s "%s"' % (var, item.name))
        if item.kind == "roimg":
            self.notes.append("OpDecorate %%%s NonWritable" % var)
        if item.kind == "subpass":
            self.notes.append("OpDecorate %%%s InputAttachmentIndex 5" % var)
        if item.counts:
            self.extensions.add('"SPV_GOOGLE_hlsl_functionality1"')
            self.notes.append("OpDecorateId %%v_%s CounterBuffer %%%s" % (item.counts, var))
        if item.space is not None or item.register is not None:
            self.notes.append("OpDecorate %%%s DescriptorSet %d" % (var, item.space or 0))
        if item.register is not None:
            self.notes.append("OpDecorate %%%s Binding %d" % (var, item.register))

    def use(self, item):
        var = "%v_" + re.sub(r"\W", "_", item.name)
        storage = "UniformConstant" if item.members else KINDS[item.kind][1]
        for m, path in ([(m, [i]) for i, m in reversed(list(enumerate(item.members)))] if item.members
                        else [(item, [])]):
            dims = [0] * len(item.dims)
            indexes = dims + path + ([0] * len(m.dims) if path else [])
            leaf = self.type_of(m)
            if leaf.startswith("%block"):
                indexes.append(0)
                leaf = {"counter": "%int"}.get(KINDS[m.kind][0], "%v4float")
                if KINDS[m.kind][0] not in ("ubo", "push", "record", "counter"):
                    indexes.append(0)
            at = var
            if indexes:
                at = "%%c%d" % len(self.body)
                self.body.append("%s = OpAccessChain %s %s %s" % (at, self.pointer(storage, leaf), var,
                                                                  " ".join(self.constant(i) for i in indexes)))
            self.body.append("%%l%d = OpLoad %s %s" % (len(self.body), leaf, at))
            if leaf == "%stexbuf":
                self.body.append("OpImageWrite %%l%d %s %%ones" % (len(self.body) - 1, self.constant(0)))

    def text(self):
        modes = {"GLCompute": "OpExecutionMode %main LocalSize 1 1 1",
                 "Fragment": "OpExecutionMode %main OriginUpperLeft"}
        return "\n".join(
            ["OpCapability " + c for c in sorted(self.capabilities)] +
            ["OpExtension " + e for e in sorted(self.extensions)] +
            self.imports + ["OpMemoryModel Logical GLSL450",
                            'OpEntryPoint %s %%main "main"' % self.stage + self.interface(),
                            modes.get(self.stage, "")] + self.source +
            [n for n in self.notes if "Name " in n] + [n for n in self.notes if "Name " not in n] +
            ["%void = OpTypeVoid", "%fnvoid = OpTypeFunction %void", "%float = OpTypeFloat 32", "%int = OpTypeInt 32 1",
             "%uint = OpTypeInt 32 0", "%v4float = OpTypeVector %float 4", "%one = OpConstant %float 1",
             "%ones = OpConstantComposite %v4float %one %one %one %one"] + self.globals +
            ["%main = OpFunction %void None %fnvoid", "%entry = OpLabel"] + self.body + ["OpReturn", "OpFunctionEnd"])

    def interface(self):
        """From SPIR-V 1.4 on, which ray tracing needs here, all variables are in it."""
        names = re.findall(r"(%v_\w+) = OpVariable", "\n".join(self.globals))
        return " " + " ".join(names) if "RayTracingKHR" in self.capabilities else ""

    def write(self, path):
        version = "spv1.4" if "RayTracingKHR" in self.capabilities else "spv1.3"
        done = run_bytes("spirv-as", "--target-env", version, "-", "-o", path, stdin=self.text().encode(), expect=None)
        if done.returncode:
            raise ValueError(done.stderr.decode() + self.text())


def read_places(path):
    """name -> (set, binding) of each variable; repeated names get a list."""
    with open(path, "rb") as f:
        data = f.read()
    words = struct.unpack("<%dI" % (len(data) // 4), data)
    names, sets, bindings, variables = {}, {}, {}, []
    at = 5
    while at < len(words):
        op, length = words[at] & 0xFFFF, words[at] >> 16
        w = words[at + 1:at + length]
        if op == 5:
            names[w[0]] = struct.pack("<%dI" % (len(w) - 1), *w[1:]).split(b"\0")[0].decode()
        elif op == 71 and w[1] == 34:
            sets[w[0]] = w[2]
        elif op == 71 and w[1] == 33:
            bindings[w[0]] = w[2]
        elif op == 59 and w[2] in (0, 2, 12, 9, 5343):
            variables.append(w[1])
        at += length
    places = {}
    for v in variables:
        if v in bindings or v in sets:
            places.setdefault(names.get(v, ""), []).append((sets.get(v), bindings.get(v)))
    return {n: p[0] if len(p) == 1 else p for n, p in places.items()}
