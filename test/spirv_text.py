# SPDX-License-Identifier: Apache-2.0
"""SPIR-V as text, like `spirv-dis --raw-id --no-header`, also for modules that are too new for the installed
SPIRV-Tools.

    spirv_text.py FILE.spv

The grammar is the installed one of SPIRV-Headers, and test/newer_grammar.json, which adds SPV_KHR_untyped_pointers and
SPV_EXT_descriptor_heap. test/fixtures.py compares it with spirv-dis wherever spirv-dis can."""
import functools
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INSTALLED = "/usr/include/spirv/unified1/spirv.core.grammar.json"
EXTENDED = {"GLSL.std.450": "extinst.glsl.std.450.grammar.json",
            "NonSemantic.ClspvReflection.1": "extinst.nonsemantic.clspvreflection.grammar.json",
            "NonSemantic.Shader.DebugInfo.100": "extinst.nonsemantic.shader.debuginfo.100.grammar.json"}
LITERALS = {"OpenCL.DebugInfo.100": "extinst.opencl.debuginfo.100.grammar.json"}  # not all operands are ids
CAPABILITY, DESCRIPTOR_HEAP, UNTYPED_POINTERS = 17, 5128, 4473
MAGIC = 0x07230203


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def rank(name):
    """Of several names for a value, the one without a vendor suffix is preferred, otherwise Khronos'."""
    return next((i for i, end in enumerate(("KHR", "EXT")) if name.endswith(end)), 2 if name[-2:].isupper() else -1)


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


class Grammar:
    def __init__(self):
        self.ops, self.kinds = {}, {}
        literals = {name: load(os.path.join(os.path.dirname(INSTALLED), file)) for name, file in LITERALS.items()}
        for grammar in (load(INSTALLED), load(os.path.join(HERE, "newer_grammar.json")), *literals.values()):
            for op in grammar["instructions"] if grammar not in literals.values() else []:
                known = self.ops.setdefault(op["opcode"], op)
                if rank(op["opname"]) < rank(known["opname"]):
                    self.ops[op["opcode"]] = op
            for kind in grammar["operand_kinds"]:
                known = self.kinds.setdefault(kind["kind"], {"category": kind["category"], "values": {},
                                                             "bases": kind.get("bases", [])})
                for e in kind.get("enumerants", []):
                    known["values"].setdefault(number(e["value"]), e)
        self.sets = {name: {i["opcode"]: i["opname"]
                            for i in load(os.path.join(os.path.dirname(INSTALLED), file))["instructions"]}
                     for name, file in EXTENDED.items()}
        self.literals = {name: {i["opcode"]: i for i in grammar["instructions"]} for name, grammar in literals.items()}


def words_of(data):
    order = "<" if struct.unpack("<I", data[:4])[0] == MAGIC else ">"
    return struct.unpack("%s%dI" % (order, len(data) // 4), data)


def instructions(words):
    at = 5
    while at < len(words):
        yield words[at] & 0xFFFF, words[at + 1:at + (words[at] >> 16)]
        at += words[at] >> 16


STAND_IN, OP_GROUP_DECORATE = 0xDEADBEEF, 74


@functools.lru_cache(maxsize=None)
def newer_names():
    """The instructions of test/newer_grammar.json, and its enumerants as numbers for the assembler; then all storage
    classes likewise."""
    newer = load(os.path.join(HERE, "newer_grammar.json"))
    return ({op["opname"]: op for op in newer["instructions"]},
            {e["enumerant"]: "!%d" % e["value"] for kind in newer["operand_kinds"] for e in kind["enumerants"]},
            {e["enumerant"]: "!%d" % number(e["value"]) for kind in load(INSTALLED)["operand_kinds"]
             if kind["kind"] == "StorageClass" for e in kind["enumerants"]})


def for_older_assembler(text):
    """The text for a spirv-as that does not know test/newer_grammar.json: an instruction of it becomes
    OpGroupDecorate, which takes any operands, with a marker, the opcode and the operands. with_newer restores it. Names
    of new enumerants become numbers, as do storage classes, which the assembler does not expect there."""
    ops, names, classes = newer_names()
    lines = []
    for line in text.split("\n"):
        words = line.split()
        result = words[:1] if len(words) > 2 and words[1] == "=" else []
        op, operands = (words[2], words[3:]) if result else (words[0] if words else "", words[1:])
        if op in ops:
            before = int(ops[op]["operands"][0]["kind"] == "IdResultType")
            operands[before:before] = result
            operands = [classes.get(o) or names.get(o) or o for o in operands]
            line = " ".join(["OpGroupDecorate !%d !%d" % (STAND_IN, ops[op]["opcode"])] + operands)
        elif not words or not words[0].startswith(";"):
            if any(w in names for w in words):
                line = " ".join(names.get(w, w) for w in words)
        lines.append(line)
    return "\n".join(lines)


def with_newer(data):
    """The module that spirv-as made of such a text."""
    words = list(words_of(data))
    out = words[:5]
    for op, operands in instructions(words):
        if op == OP_GROUP_DECORATE and operands[:1] == [STAND_IN]:
            op, operands = operands[1], operands[2:]
        out += [len(operands) + 1 << 16 | op] + operands
    return struct.pack("<%dI" % len(out), *out)


def needs_newer_tools(data):
    """Declares the capability DescriptorHeapEXT, which SPIRV-Tools knows from 2026.1 on, or UntypedPointersKHR."""
    for op, operands in instructions(words_of(data)):
        if op != CAPABILITY:
            return False
        if operands[0] in (DESCRIPTOR_HEAP, UNTYPED_POINTERS):
            return True
    return False


class Module:
    def __init__(self, grammar, words):
        self.g, self.words = grammar, words
        self.types = {}  # id -> (opname, operands) of OpTypeInt, OpTypeFloat
        self.type_of = {}
        self.sets = {}

    def text(self):
        return "".join(self.line(op, list(operands)) for op, operands in instructions(self.words))

    def line(self, op, operands):
        row = self.g.ops[op]
        name, out, result = row["opname"], [], None
        self.instruction, self.literal_type = name, None
        rest = [dict(o) for o in row.get("operands", [])]
        if name in ("OpTypeInt", "OpTypeFloat"):
            self.types[operands[0]] = (name, operands[1:])
        if rest[:2] and rest[0]["kind"] == "IdResultType" and len(rest) > 1 and rest[1]["kind"] == "IdResult":
            self.type_of[operands[1]] = operands[0]
            self.literal_type = operands[0]
        if name == "OpSwitch":
            self.literal_type = self.type_of[operands[0]]
        while operands:
            o = rest[0]
            if o.get("quantifier") != "*":
                rest.pop(0)
            if o["kind"] == "IdResult":
                result = operands.pop(0)
                if name == "OpExtInstImport":
                    self.sets[result] = self.string(list(operands))
                continue
            out.append(self.operand(o["kind"], operands, rest))
        head = ("%%%d" % result).rjust(12) + " = " if result else " " * 15
        return " ".join([head + name] + [o for o in out if o]) + "\n"

    def operand(self, kind, operands, rest):
        known = self.g.kinds[kind]
        if known["category"] == "Composite":
            return " ".join(self.operand(base, operands, rest) for base in known["bases"])
        if kind == "LiteralString":
            return '"%s"' % self.string(operands, take=True).replace("\\", "\\\\").replace('"', '\\"')
        if kind == "LiteralContextDependentNumber" or (kind == "LiteralInteger" and self.instruction == "OpSwitch"):
            return self.literal(operands)
        value = operands.pop(0)
        if kind.startswith("Id"):
            self.last_id = value
            return "%%%d" % value
        if kind == "LiteralSpecConstantOpInteger":
            rest[:] = [o for o in self.g.ops[value]["operands"] if not o["kind"].startswith("IdResult")]
            return self.g.ops[value]["opname"][2:]
        if kind == "LiteralExtInstInteger":
            instruction = self.g.literals.get(self.sets.get(self.last_id), {}).get(value)
            if instruction:
                rest[:] = list(instruction.get("operands", []))
                return instruction["opname"]
            return self.g.sets.get(self.sets.get(self.last_id), {}).get(value, str(value))
        if known["category"] == "ValueEnum":
            e = known["values"].get(value, {"enumerant": str(value)})
            rest[:0] = e.get("parameters", [])
            return e["enumerant"]
        if known["category"] == "BitEnum":
            bits = [known["values"][1 << i] for i in range(32) if value >> i & 1]
            rest[:0] = [p for e in bits for p in e.get("parameters", [])]
            return "|".join(e["enumerant"] for e in bits) or known["values"][0]["enumerant"]
        return str(value)

    @staticmethod
    def string(operands, take=False):
        data = struct.pack("<%dI" % len(operands), *operands).split(b"\0")[0]
        if take:
            del operands[:len(data) // 4 + 1]
        return data.decode(errors="replace")

    def literal(self, operands):
        name, (width, *signed) = self.types[self.literal_type]
        wide = width > 32
        bits = operands.pop(0) | (operands.pop(0) << 32 if wide else 0)
        if name == "OpTypeFloat":
            return "%.*g" % (17 if wide else 9,
                             struct.unpack("<d" if wide else "<f", bits.to_bytes(8 if wide else 4, "little"))[0])
        if signed[0] and bits >> (63 if wide else 31):
            bits -= 1 << (64 if wide else 32)
        return str(bits)


GRAMMAR = None


def disassemble(data):
    global GRAMMAR
    GRAMMAR = GRAMMAR or Grammar()
    return Module(GRAMMAR, words_of(data)).text()


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as f:
        sys.stdout.write(disassemble(f.read()))
