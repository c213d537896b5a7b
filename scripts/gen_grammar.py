#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/ir/grammar_tables.inc and src/ir/grammar_kinds.h from the SPIR-V grammar and src/ir/opcodes.txt.

  gen_grammar.py --grammar DIR     write the tables from DIR/spirv.core.grammar.json and DIR/extinst.*.grammar.json
  gen_grammar.py --columns         rewrite them after an edit of opcodes.txt, with the grammar that they already contain
  gen_grammar.py --check [DIR...]  read the tables back, compare them with opcodes.txt and the grammar in each DIR

The tables are made from the newest SPIRV-Headers; an older, installed grammar must not contain anything that they lack.
--check exits with 1 and a line for each disagreement. --output names the tables file for all modes; grammar_kinds.h is
in the same folder.
"""
import argparse
import hashlib
import json
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFAULT_TABLES = os.path.join(ROOT, "src", "ir", "grammar_tables.inc")
COLUMNS = os.path.join(ROOT, "src", "ir", "opcodes.txt")
DEFAULT_DIR = "/usr/include/spirv/unified1"
CORE = "spirv.core.grammar.json"

OPTIONAL, VARIADIC = 0x40, 0x80
QUANTIFIER = {"": 0, "?": OPTIONAL, "*": VARIADIC}

# Operand kinds with separate numbers. An enum without parameters is ENUM; one with parameters gets a number from
# FIRST_VALUE on, bit masks after value enums.
FIXED = ["END", "TYPE", "RESULT", "ID", "LITERAL", "STRING", "CONTEXT_LITERAL", "EXT_INST", "SPEC_OP",
         "PAIR_ID_ID", "PAIR_ID_LITERAL", "PAIR_LITERAL_ID", "ENUM"]
FIRST_VALUE = 16
NOT_ENUMS = {
    "IdResultType": "TYPE",
    "IdResult": "RESULT",
    "IdRef": "ID",
    "IdScope": "ID",
    "IdMemorySemantics": "ID",
    "LiteralInteger": "LITERAL",
    "LiteralFloat": "LITERAL",
    "LiteralString": "STRING",
    "LiteralContextDependentNumber": "CONTEXT_LITERAL",
    "LiteralExtInstInteger": "EXT_INST",
    "LiteralSpecConstantOpInteger": "SPEC_OP",
    "PairIdRefIdRef": "PAIR_ID_ID",
    "PairIdRefLiteralInteger": "PAIR_ID_LITERAL",
    "PairLiteralIntegerIdRef": "PAIR_LITERAL_ID",
}
# Words of the shortest operand of a kind; a mask or an enum without parameters has one, a quantified operand none.
MOST_PLAIN, MOST_WORDS = 255, 0xffff
MIN_WORDS = {"PAIR_ID_ID": 2, "PAIR_ID_LITERAL": 2, "PAIR_LITERAL_ID": 2}

# Flags of an opcode that follow from the grammar; those of opcodes.txt come after them.
GRAMMAR_FLAGS = [("KNOWN", "the grammar has it"), ("HAS_TYPE", "word 1 is the result type"),
                 ("HAS_RESULT", "the word after that is the result"), ("IS_TYPE", "declares a type"),
                 ("IS_CONSTANT", "declares a constant"),
                 ("IN_BLOCK", "may only be in a block or a graph")]
# What may follow the leading one-word operands of an instruction.
TAILS = [("NONE", "nothing; or, up to plain_words, more ids if their range goes on, and literals if not"),
         ("IDS", "any number of ids, apart from those in the range"),
         ("STRING", "one string"),
         ("STRING_IDS", "one string, then any number of ids"),
         ("ID_PAIRS", "any number of pairs of ids"),
         ("MASK", "a mask: nothing more if it is 0, else parameters"),
         ("EXECUTION_MODE", "an execution mode, then its parameters"),
         ("DECORATION", "a decoration, then its parameters"),
         ("EXT_INST", "an instruction of an extended set and its operands, which are ids except in sets with literals"),
         ("PATTERN", "something else: only the pattern describes it")]
SECTIONS = ["CAPABILITY", "EXTENSION", "IMPORT", "MEMORY_MODEL", "ENTRY_POINT", "EXECUTION_MODE", "SOURCE", "NAME",
            "PROCESSED", "ANNOTATION", "GLOBAL", "FUNCTION"]  # ORDER SECTION: enum spb_section in ir.h

PLACES = SECTIONS[:-1] + ["BLOCK", "LABEL", "PARAMETER", "FUNCTION"]  # SPB_PLACE_* in ir.h
FRAME_PLACES = {"OpFunction": ["FUNCTION"], "OpFunctionParameter": ["PARAMETER"], "OpLabel": ["LABEL", "PARAMETER"],
                "OpFunctionEnd": ["LABEL", "PARAMETER"]}

# Kinds with a table of how many one-word literals follow each of the first values, which covers almost all values in
# use.
FEW_TABLES = {"EXECUTION_MODE": "execution_mode_literals", "DECORATION": "spb_decoration_literals"}
FEW = 64

# table in the C text, kind in the grammar
NAME_TABLES = [("capability_names", "Capability"), ("image_format_names", "ImageFormat"),
               ("storage_class_names", "StorageClass"), ("execution_model_names", "ExecutionModel"),
               ("decoration_names", "Decoration"), ("dim_names", "Dim"), ("builtin_names", "BuiltIn")]
# Sets of extended instructions: the name of the grammar, and the name by which a module imports the set. A name that
# ends in a dot is followed by a version. Where a set has two grammars, the tables follow the second.
SETS = {
    "arm.experimental-ml-operations": "Arm.ExperimentalMLOperations.",
    "arm.motion-engine.100": "Arm.MotionEngine.100",
    "debuginfo": "DebugInfo",
    "glsl.std.450": "GLSL.std.450",
    "nonsemantic.clspvreflection": "NonSemantic.ClspvReflection.",
    "nonsemantic.debugbreak": "NonSemantic.DebugBreak",
    "nonsemantic.debugprintf": "NonSemantic.DebugPrintf",
    "nonsemantic.graph.debuginfo": "NonSemantic.Graph.DebugInfo.",
    "nonsemantic.shader.debuginfo.100": "NonSemantic.Shader.DebugInfo.",
    "nonsemantic.shader.debuginfo": "NonSemantic.Shader.DebugInfo.",
    "nonsemantic.vkspreflection": "NonSemantic.VkspReflection.",
    "opencl.debuginfo.100": "OpenCL.DebugInfo.100",
    "opencl.std.100": "OpenCL.std",
    "spv-amd-gcn-shader": "SPV_AMD_gcn_shader",
    "spv-amd-shader-ballot": "SPV_AMD_shader_ballot",
    "spv-amd-shader-explicit-vertex-parameter": "SPV_AMD_shader_explicit_vertex_parameter",
    "spv-amd-shader-trinary-minmax": "SPV_AMD_shader_trinary_minmax",
    "tosa.001000.1": "TOSA.001000.1",
}
# Instruction sets that are not in SPIRV-Headers: docs/handles.md, include/glsl/assert_uniform.glsl.
OWN_SETS = {
    "NonSemantic.AssertUniform": {1: ("AssertUniformWorkgroup", [("IdRef", "")]),
                                  2: ("AssertUniformSubgroup", [("IdRef", "")])},
    "NonSemantic.DescriptorHandle": {n: (name, [("IdRef", "")]) for n, name in
                                     enumerate(("Opaque", "StorageBuffer", "UniformBuffer", "ForAtomic", "Coherent"),
                                               1)},
}
EXT_WORDS = 5  # of an OpExtInst before the operands of its instruction
ANY_WORDS = 255
NAME_CHUNK = 4096  # C11 5.2.4.1: 4095 characters in a string literal

SUFFIX = re.compile(r"(KHR|EXT|NV|NVX|AMD|AMDX|INTEL|ALTERA|ARM|QCOM|GOOGLE|HUAWEI|IMG|MESA|VALVE)$")

# Where Khronos has changed the grammar of an existing name. Key: the old name; value: the old pattern (exactly; any
# other one is a disagreement) and what changed. The tables follow the newest.
INPUT_TYPE = "Input Type operand removed: the type is that of the input"
OLD_FIXED = "TYPE RESULT ID ID LITERAL LITERAL LITERAL LITERAL LITERAL"
CHANGED_PATTERNS = {
    **{"OpFixed%sINTEL" % f: (OLD_FIXED, INPUT_TYPE) for f in
       ("Sqrt", "Recip", "Rsqrt", "Sin", "Cos", "SinCos", "SinPi", "CosPi", "SinCosPi", "Log", "Exp")},
    "OpAsmTargetINTEL": ("TYPE RESULT STRING", "a target has no type"),
    "OpArbitraryFloatSinCosPiINTEL": ("TYPE RESULT ID" + " LITERAL" * 6, "FromSign removed"),
    "OpArbitraryFloatCastToIntINTEL": ("TYPE RESULT ID" + " LITERAL" * 4, "ToSign added"),
    "OpArbitraryFloatPowNINTEL": ("TYPE RESULT ID LITERAL ID" + " LITERAL" * 4, "SignOfB added"),
    "OpReadPipeBlockingINTEL": ("TYPE RESULT ID ID", "no result; four ids"),
    "OpWritePipeBlockingINTEL": ("TYPE RESULT ID ID", "no result; four ids"),
    "OpFPGARegINTEL": ("TYPE RESULT ID ID", "second operand removed"),
}
# (kind, old name): why the tables do not know the name. The value must be there.
CHANGED_NAMES = {
    ("Capability", "LongConstantCompositeINTEL"): "renamed LongCompositesINTEL without an alias",
}


class Bad(Exception):
    pass


def rank(name):
    m = SUFFIX.search(name)
    return 0 if not m else {"KHR": 1, "EXT": 2}.get(m.group(1), 3)


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def upper_snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).upper()


def operands(entry, key):
    return [(o["kind"], o.get("quantifier", "")) for o in entry.get(key, [])]


class Grammar:
    """A grammar file: entries with equal values are merged into one with several names."""

    def __init__(self, directory):
        path = os.path.join(directory, CORE)
        try:
            with open(path, "rb") as f:
                data = f.read()
            js = json.loads(data)
        except (OSError, ValueError) as e:
            raise Bad("%s: %s" % (path, e))
        self.read_sets(directory)
        self.sha = hashlib.sha256(data + self.set_data).hexdigest()
        self.version = "%d.%d.%d" % (js["major_version"], js["minor_version"], js["revision"])
        self.category = {k["kind"]: k["category"] for k in js["operand_kinds"]}
        self.enums = {k["kind"]: self.merge(k["kind"], k["enumerants"], "value", "enumerant", "parameters")
                      for k in js["operand_kinds"] if k["category"] in ("ValueEnum", "BitEnum")}
        self.ops = self.merge("opcode", js["instructions"], "opcode", "opname", "operands")
        for kind, category in self.category.items():
            if category not in ("ValueEnum", "BitEnum") and kind not in NOT_ENUMS:
                raise Bad("unknown operand kind %s (%s)" % (kind, category))

    def read_sets(self, directory):
        """self.sets: name -> {number: (instruction, operands)}"""
        self.sets, self.set_data = dict(OWN_SETS), b""
        have = {f[len("extinst."):-len(".grammar.json")] for f in os.listdir(directory)
                if re.fullmatch(r"extinst\..*\.grammar\.json", f)}
        if have - SETS.keys():
            raise Bad("%s: no name for the set %s" % (directory, min(have - SETS.keys())))
        for grammar, name in SETS.items():
            if grammar not in have:
                continue
            with open(os.path.join(directory, "extinst.%s.grammar.json" % grammar), "rb") as f:
                data = f.read()
            self.set_data += data
            instructions = json.loads(data)["instructions"]
            self.sets[name] = {i["opcode"]: (i["opname"], operands(i, "operands")) for i in instructions}

    @staticmethod
    def merge(what, entries, value_key, name_key, operand_key):
        rows = {}
        for e in entries:
            value = number(e[value_key])
            row = rows.setdefault(value, {"names": [], "operands": operands(e, operand_key)})
            if row["operands"] != operands(e, operand_key):
                raise Bad("%s %s: operands of aliases differ" % (what, e[name_key]))
            row["names"] += [n for n in [e[name_key]] + e.get("aliases", []) if n not in row["names"]]
        for row in rows.values():
            row["names"].sort(key=rank)  # stable: the grammar's own name wins among equals
        return dict(sorted(rows.items()))

    def parameterised(self):
        """Names of the kinds with separate numbers: value enums, masks."""
        p = [k for k, rows in self.enums.items() if any(r["operands"] for r in rows.values())]
        return ([k for k in p if self.category[k] == "ValueEnum"], [k for k in p if self.category[k] == "BitEnum"])


def kind_numbers(values, masks):
    numbers = {name: i for i, name in enumerate(FIXED)}
    for i, kind in enumerate(values + masks):
        numbers[kind] = FIRST_VALUE + i
    numbers["FIRST_MASK"] = FIRST_VALUE + len(values)
    if FIRST_VALUE + len(values) + len(masks) > OPTIONAL or len(FIXED) > FIRST_VALUE:
        raise Bad("too many operand kinds")
    return numbers


def encode(ops, numbers, category):
    """[(grammar kind, quantifier)] -> bytes without the terminator"""
    out = []
    for kind, quantifier in ops:
        if kind in NOT_ENUMS:
            n = numbers[NOT_ENUMS[kind]]
        elif category.get(kind) in ("ValueEnum", "BitEnum"):
            n = numbers.get(upper_snake(kind), numbers["ENUM"])
        else:
            raise Bad("unknown operand kind %s" % kind)
        if quantifier not in QUANTIFIER:
            raise Bad("unknown quantifier %s" % quantifier)
        out.append(n | QUANTIFIER[quantifier])
    return tuple(out)


def encode_extended(ops, numbers):
    """The same for the operands of an extended instruction, whose enums have no parameters."""
    return tuple(numbers[NOT_ENUMS.get(kind, "ENUM")] | QUANTIFIER[quantifier] for kind, quantifier in ops)


def open_ended(name, pattern, numbers):
    """A later version of a non-semantic set may add ids."""
    if not name.startswith("NonSemantic.") or any(b & VARIADIC for b in pattern):
        return pattern
    return pattern + (numbers["ID"] | VARIADIC,)


def set_row(pattern, by_number):
    """(least, most) words of an OpExtInst with these operands; most is 1 if a count and ids do not describe them"""
    kinds = [by_number[b & 0x3f] for b in pattern]
    least = EXT_WORDS + sum(not b & 0xc0 for b in pattern)
    if any(kind != "ID" for kind in kinds):
        return least, 1
    return least, ANY_WORDS if any(b & VARIADIC for b in pattern) else EXT_WORDS + len(pattern)


def kind_text(byte, by_number):
    name = by_number.get(byte & 0x3f, "?%d" % (byte & 0x3f))
    return name + {0: "", OPTIONAL: "?", VARIADIC: "*"}.get(byte & 0xc0, "??")


def pattern_text(pattern, by_number):
    return " ".join(kind_text(b, by_number) for b in pattern) or "nothing"


def derive(names, pattern, numbers):
    """flags, and the shape: ids, least and most words, plain, tail; from the names and the encoded pattern only"""
    by_number = {v: k for k, v in numbers.items() if k != "FIRST_MASK"}
    flags = {"KNOWN"}
    rest = list(pattern)
    if rest and rest[0] == numbers["TYPE"]:
        flags.add("HAS_TYPE")
        rest.pop(0)
    if rest and rest[0] == numbers["RESULT"]:
        flags.add("HAS_RESULT")
        rest.pop(0)
    if any(b & 0x3f in (numbers["TYPE"], numbers["RESULT"]) for b in rest):
        raise Bad("%s: result type or result in an unexpected place" % names[0])
    if "HAS_RESULT" in flags:
        if names[0].startswith("OpType") and "HAS_TYPE" not in flags:
            flags.add("IS_TYPE")
        if re.match(r"Op(Spec)?Constant", names[0]):
            flags.add("IS_CONSTANT")
    loose = False
    for b in pattern:
        if loose and not b & 0xc0:
            raise Bad("%s: required operand after an optional one" % names[0])
        loose = loose or bool(b & 0xc0)
    if any(b & VARIADIC for b in pattern[:-1]):
        raise Bad("%s: operand after a variadic one" % names[0])
    words = 1 + sum(MIN_WORDS.get(by_number[b & 0x3f], 1) for b in pattern if not b & 0xc0)

    plain, ids, tail = 1, [], "NONE"
    for n, b in enumerate(pattern):
        kind, last = by_number[b & 0x3f], n + 1 == len(pattern)
        if b & VARIADIC:
            tail = {"ID": "IDS", "LITERAL": "WORDS", "ENUM": "WORDS", "PAIR_ID_ID": "ID_PAIRS"}.get(kind, "PATTERN")
        elif b & 0x3f >= numbers["FIRST_MASK"]:
            tail = "MASK"
        elif b & 0x3f >= FIRST_VALUE:
            tail = kind if last and not b & 0xc0 and kind in FEW_TABLES else "PATTERN"
        elif kind == "STRING" and list(pattern[n + 1:]) == [numbers["ID"] | VARIADIC]:
            tail = "STRING_IDS"
        elif kind in ("STRING", "CONTEXT_LITERAL"):
            tail = ("STRING" if kind == "STRING" else "WORDS") if last else "PATTERN"  # an optional one may be absent
        elif kind == "EXT_INST":
            tail = kind
        elif kind not in ("TYPE", "RESULT", "ID", "LITERAL", "ENUM") or plain == MOST_PLAIN:
            tail = "PATTERN"
        if tail != "NONE":
            break
        if kind == "ID":
            ids.append(plain)
        plain += 1
    if ids != list(range(ids[0], ids[-1] + 1) if ids else []):
        tail = "PATTERN"  # a row has one range
    begin, end = (ids[0], ids[-1] + 1) if ids and tail != "PATTERN" else (0, 0)
    most = 0 if tail == "PATTERN" else plain
    if tail == "IDS" and end in (0, plain):  # the range goes on to the end of the instruction
        begin, end, most, tail = begin or plain, MOST_WORDS, MOST_WORDS, "NONE"
    elif tail == "WORDS":
        most, tail = MOST_WORDS, "NONE"
    return flags, begin, end, words, most, plain, tail


# ---- opcodes.txt -----------------------------------------------------------------------------------------------

class Columns:
    """Facts from opcodes.txt. rows: name -> (transfer, resources as [(kind, word)], section or None, flags)"""

    def __init__(self, path=COLUMNS, text=None):
        if text is None:
            try:
                with open(path, encoding="utf-8") as f:
                    text = f.read()
            except (OSError, ValueError) as e:
                raise Bad(str(e))
        self.declared = {"transfer": {}, "resource": {}, "flag": {}, "parse": {}}
        self.rows, facts, last = {}, None, None
        for number, line in enumerate(text.split("\n"), 1):
            where = "%s:%d" % (os.path.basename(path), number)
            declared = re.fullmatch(r"(transfer|resource|flag|parse) (\w+) +(\S.*)", line)
            if not line or line.startswith("#"):
                last = None
            elif declared:
                last = (declared.group(1), declared.group(2))
                if self.declared[last[0]].setdefault(last[1], declared.group(3)) != declared.group(3):
                    raise Bad("%s: %s %s twice" % ((where,) + last))
            elif last and line.startswith(" "):
                self.declared[last[0]][last[1]] += " " + line.strip()
            elif not line[0].isspace():
                facts = self.facts(line.split(), where)
            elif not facts:
                raise Bad("%s: opcodes, but no facts above them" % where)
            else:
                for name in line.split():
                    if name in self.rows:
                        raise Bad("%s: %s twice" % (where, name))
                    self.rows[name] = facts
        if len(GRAMMAR_FLAGS) + len(self.declared["flag"]) > 32:
            raise Bad("%s: more than 32 flags" % path)

    def facts(self, words, where):
        transfer, resources, section, flags = words[0], [], None, []
        if transfer not in self.declared["transfer"]:
            raise Bad("%s: no transfer '%s'" % (where, transfer))
        for word in words[1:]:
            resource = re.fullmatch(r"(\w+)@(\d+)", word)
            if resource and resource.group(1) in self.declared["resource"] and len(resources) < 2:
                resources.append((resource.group(1), int(resource.group(2))))
            elif word.startswith("section:") and word[8:] in SECTIONS:
                section = word[8:]
            elif word in self.declared["flag"] or word in self.declared["parse"]:
                flags.append(word)
            else:
                raise Bad("%s: '%s' is not a resource, section or flag" % (where, word))
        return transfer, resources, section, frozenset(flags)

    def of(self, names):
        """The row of an opcode with these names, its own and aliases."""
        found = [n for n in names if n in self.rows]
        if len(found) != 1:
            raise Bad("opcodes.txt: %s" % ("no row for %s" % names[0] if not found else "twice: " + " ".join(found)))
        return self.rows[found[0]]

    def bits(self):
        names = [n for n, _ in GRAMMAR_FLAGS] + list(self.declared["flag"])
        return {n: 1 << i for i, n in enumerate(names)}


def complete_row(names, pattern, numbers, columns):
    """All facts of an opcode as in the C text: a tuple of numbers and words."""
    flags, first, end, least, most, plain, tail = derive(names, pattern, numbers)
    transfer, resources, section, ours = columns.of(names)
    if not section and flags & {"IS_TYPE", "IS_CONSTANT"}:
        section = "GLOBAL"
    in_block = (not section or "IN_BODIES" in ours) and not ours & {"FRAME", "TERMINATOR"}
    if in_block and not section and not ours & {"LINE", "OUTSIDE"}:
        flags.add("IN_BLOCK")
    bits = columns.bits()
    places = 0
    if tail != "PATTERN" and "OWN_CHECKS" not in ours:
        places |= 1 << SECTIONS.index(section) if section and section != "FUNCTION" else 0
        places |= 1 << PLACES.index("BLOCK") if in_block or "TERMINATOR" in ours else 0
        places |= sum(1 << PLACES.index(place) for place in FRAME_PLACES.get(names[0], []))
    number = sum(bits[f] for f in flags | ours if f in bits)
    at = [word for _, word in resources] + [0, 0]
    return (number, places, first, end, least, most, plain, tail, section or "ANY", transfer,
            resources[0][0] if resources else "NONE", at[0], at[1])


# ---- writing ---------------------------------------------------------------------------------------------------

def comment(names):
    return "/* %s%s */" % (names[0], " (%s)" % " ".join(names[1:]) if names[1:] else "")


def wrapped(text, width=112):
    return textwrap.wrap(text, width)


def documented(kind, rows):
    """Lines of an enum: name and value, preceded by a comment."""
    out = []
    for name, value, meaning in rows:
        out += ["\t/* %s */" % "\n\t * ".join(wrapped(meaning)), "\t%s_%s = %s," % (kind, name, value)]
    return out


def kinds_header(values, masks, numbers, columns):
    out = ["/* SPDX-License-Identifier: Apache-2.0 */",
           "/* Written by scripts/gen_grammar.py; do not edit. Operand kinds of the SPIR-V grammar. */",
           "/* clang-format off */", "#ifndef SPB_GRAMMAR_KINDS_H", "#define SPB_GRAMMAR_KINDS_H", "",
           "/* An operand in a pattern: a kind, or'ed with at most one of SPB_OPTIONAL, SPB_VARIADIC. */",
           "enum spb_kind {"]
    notes = {"END": "ends a pattern", "TYPE": "IdResultType", "RESULT": "IdResult",
             "ID": "IdRef, IdScope, IdMemorySemantics", "LITERAL": "one word", "STRING": "",
             "CONTEXT_LITERAL": "as wide as the result type", "EXT_INST": "instruction of an OpExtInst",
             "SPEC_OP": "opcode of an OpSpecConstantOp; its operands follow", "PAIR_ID_ID": "",
             "PAIR_ID_LITERAL": "", "PAIR_LITERAL_ID": "OpSwitch: literal as wide as the selector",
             "ENUM": "value or mask, one word, no parameters"}
    for name in FIXED:
        note = " /* %s */" % notes[name] if notes[name] else ""
        out.append("\tSPB_KIND_%s = %d,%s" % (name, numbers[name], note))
    out.append("\t/* values with parameters */")
    out += ["\tSPB_KIND_%s = %d," % (k, numbers[k]) for k in values]
    out.append("\t/* bit masks with parameters: in the order of the bits, lowest first */")
    out += ["\tSPB_KIND_%s = %d," % (k, numbers[k]) for k in masks]
    out += ["\tSPB_KIND_FIRST_VALUE = %d," % FIRST_VALUE,
            "\tSPB_KIND_FIRST_MASK = %d" % numbers["FIRST_MASK"], "};", "",
            "enum { SPB_OPTIONAL = 0x%x, SPB_VARIADIC = 0x%x, SPB_KIND_BITS = 0x3f };" % (OPTIONAL, VARIADIC), "",
            "/* What follows the one-word operands at the beginning of an instruction. */", "enum spb_tail {"]
    out += documented("SPB_TAIL", [(n, i, note) for i, (n, note) in enumerate(TAILS)])
    out += ["};", "", "/* How the value of an instruction follows from its operands. */", "enum spb_transfer {"]
    out += documented("SPB_TRANSFER",
                      [(n, i, note) for i, (n, note) in enumerate(columns.declared["transfer"].items())])
    out += ["};", "", "/* What an instruction accesses or queries. */", "enum spb_resource_kind {"]
    resources = [("NONE", "nothing")] + list(columns.declared["resource"].items())
    out += documented("SPB_RESOURCE", [(n, i, note) for i, (n, note) in enumerate(resources)])
    out += ["};", "", "/* Flags of an opcode: those of the grammar, then those of opcodes.txt. */"]
    notes = dict(GRAMMAR_FLAGS, **columns.declared["flag"])
    for name, bit in columns.bits().items():
        out += ["/* %s */" % "\n * ".join(wrapped(notes[name])), "#define SPB_OP_%s 0x%xu" % (name, bit)]
    out += ["", "#endif", ""]
    return "\n".join(out)


class Model:
    """The contents of the tables from a grammar. values, masks: kinds with numbers of their own; ops: op -> (names,
    pattern); enumerants: (value, kind, names, pattern); name_tables: kind -> {value: names}"""

    @classmethod
    def of_grammar(cls, g):
        model = cls()
        values, masks = g.parameterised()
        model.version, model.sha = g.version, g.sha
        model.values, model.masks = [[upper_snake(k) for k in kinds] for kinds in (values, masks)]
        model.numbers = kind_numbers(model.values, model.masks)
        for kind in masks:
            for value, row in g.enums[kind].items():
                if row["operands"] and bin(value).count("1") != 1:
                    raise Bad("%s %s: parameters on more than one bit" % (kind, row["names"][0]))
        model.ops = {op: (row["names"], encode(row["operands"], model.numbers, g.category))
                     for op, row in g.ops.items()}
        model.enumerants = [(value, upper_snake(kind), row["names"], encode(row["operands"], model.numbers, g.category))
                            for kind in values + masks for value, row in g.enums[kind].items() if row["operands"]]
        model.name_tables = {kind: {v: r["names"] for v, r in g.enums[kind].items()} for _, kind in NAME_TABLES}
        model.sets = {name: {n: (op, open_ended(name, encode_extended(ops, model.numbers), model.numbers))
                             for n, (op, ops) in rows.items()} for name, rows in g.sets.items()}
        return model

    @classmethod
    def of_tables(cls, t):
        model = cls()
        model.version, model.sha, model.ops, model.name_tables = t.version, t.sha, t.ops, t.name_tables
        model.sets = t.sets
        kinds = sorted((n, k) for k, n in t.numbers.items() if n >= FIRST_VALUE)
        model.values, model.masks = [[k for n, k in kinds if (n >= t.first_mask) == mask] for mask in (False, True)]
        model.numbers = kind_numbers(model.values, model.masks)
        model.enumerants = [(value, kind, names, pattern)
                            for kind in model.values + model.masks
                            for (k, value), (names, pattern) in t.enumerants.items() if k == kind]
        return model


def row_text(facts, pattern):
    flags, places, first, end, least, most, plain, tail, section, transfer, kind, at, at2 = facts
    return ("0x%08x, 0x%04x, %d, %d, %d, %d, %d, %d, SPB_TAIL_%s, SPB_SECTION_%s, SPB_TRANSFER_%s, SPB_RESOURCE_%s, "
            "%d, %d" % (flags, places, end, most, least, pattern, first, plain, tail, section, transfer, kind, at, at2))


def few_literals(table, kind, g, by_number):
    """How many parameters follow each of the first values of a kind; -1: parameters other than one-word literals."""
    few = [0] * FEW
    for value, its_kind, _, pattern in g.enumerants:
        if its_kind == kind and value < FEW:
            plain = all(by_number.get(b) in ("LITERAL", "ENUM") for b in pattern)
            few[value] = len(pattern) if plain else -1
    lines = [", ".join("%d" % n for n in few[i:i + 16]) for i in range(0, FEW, 16)]
    linkage = "" if table.startswith("spb_") else "static "
    return ["", "%sconst int8_t %s[SPB_FEW] = {" % (linkage, table)] + ["\t%s," % line for line in lines] + ["};"]


def set_tables(sets, patterns, by_number):
    """Lines of the tables of extended instructions: dense, from number 0 of each set."""
    rows, first = [], 0
    out = ["", "static const struct spb_set set_rows[] = {"]
    for name, instructions in sorted(sets.items()):
        count = max(instructions) + 1
        literals = any(by_number[b & 0x3f] not in ("ID", "PAIR_ID_ID") for _, p in instructions.values() for b in p)
        flags = ["true" if flag else "false" for flag in (name.endswith("."), literals)]
        out.append('\t{ "%s", %d, %d, %s },' % (name.rstrip("."), first, count, ", ".join(flags)))
        for number in range(count):
            op, p = instructions.get(number, ("?", ()))
            least, most = set_row(p, by_number) if number in instructions else (0, 0)
            rows.append("\t{ %d, %d, %d }, /* %s */" % (patterns[p], least, most, op))
        first += count
    return out + ["};", "", "static const struct instruction_row instruction_rows[] = {"] + rows + ["};"]


def generate(g, columns):
    """-> (text of grammar_tables.inc, text of grammar_kinds.h)"""
    numbers = g.numbers
    by_number = {v: k for k, v in numbers.items() if k != "FIRST_MASK"}

    ops = [(op, names, pattern, complete_row(names, pattern, numbers, columns))
           for op, (names, pattern) in g.ops.items()]
    for value, kind, names, pattern in g.enumerants:
        if any(b & 0x3f >= FIRST_VALUE for b in pattern):
            raise Bad("%s %s: a parameter with parameters" % (kind, names[0]))

    patterns, offset = {}, 0
    in_sets = {p for instructions in g.sets.values() for _, p in instructions.values()}
    for p in sorted({r[2] for r in ops} | {r[3] for r in g.enumerants} | in_sets | {()}):
        patterns[p] = offset
        offset += len(p) + 1
    if offset > 0x10000:
        raise Bad("pattern_bytes over 64 KiB")

    names, pieces, used = {}, [[]], 0
    for n in sorted({r[1][0] for r in ops} | {r[0] for _, k in NAME_TABLES for r in g.name_tables[k].values()} |
                    {"Op?"}):
        if not re.fullmatch(r"\w+|Op\?", n):
            raise Bad("odd name %r" % n)
        if used + len(n) + 1 >= NAME_CHUNK:
            pieces.append([])
            used = 0
        names[n] = (len(pieces) - 1) * NAME_CHUNK + used
        pieces[-1].append(n)
        used += len(n) + 1
    if len(pieces) * NAME_CHUNK > 0x10000:
        raise Bad("names over 64 KiB")

    body = ["", '#define SPB_GRAMMAR_VERSION "%s"' % g.version, "#define SPB_NAME_CHUNK %d" % NAME_CHUNK,
            "#define SPB_NAME(offset) (&names[(offset) / SPB_NAME_CHUNK][(offset) % SPB_NAME_CHUNK])", "",
            "static const uint8_t pattern_bytes[] = {"]
    for p, at in patterns.items():
        text = ["SPB_KIND_" + by_number[b & 0x3f] + {0: "", OPTIONAL: " | SPB_OPTIONAL", VARIADIC: " | SPB_VARIADIC"}
                [b & 0xc0] for b in p]
        body.append("\t/* %d */ %s," % (at, ", ".join(text + ["SPB_KIND_END"])))
    rows = [(0, ["Op?"], (), (0, 0, 0, 0, 1, 0, 1, "PATTERN", "ANY", "MISSING", "NONE", 0, 0))] + ops
    body += ["};", "", "const struct spb_op_facts spb_op_rows[] = {"]
    for op, ns, p, facts in rows:
        body.append("\t{ %s }, %s" % (row_text(facts, patterns[p]), comment(ns)))
    body += ["};", "", "static const uint16_t op_names[] = {"]
    body += ["\t%d, %s" % (names[ns[0]], comment(ns)) for _, ns, _, _ in rows]
    body += ["};", "", "/* row number; 0 = no such opcode */", "const uint16_t spb_op_index[SPB_OP_INDEX] = {"]
    body += ["\t[%d] = %d," % (r[0], i + 1) for i, r in enumerate(ops)]
    body += ["};", "", "static const struct enumerant_row enumerant_rows[] = {"]
    for value, kind, ns, p in g.enumerants:
        body.append("\t{ %d, SPB_KIND_%s, %d }, %s" % (value, kind, patterns[p], comment(ns)))
    body += ["};"]
    for kind, table in FEW_TABLES.items():
        body += few_literals(table, kind, g, by_number)
    body += set_tables(g.sets, patterns, by_number)
    for table, kind in NAME_TABLES:
        body += ["", "static const struct name_row %s[] = {" % table]
        body += ["\t{ %d, %d }, %s" % (v, names[ns[0]], comment(ns)) for v, ns in g.name_tables[kind].items()]
        body += ["};"]
    body += ["", "static const char names[][SPB_NAME_CHUNK] = {"]
    for piece in pieces:
        body += ["\t{"] + ['\t\t"%s\\0"' % n for n in piece] + ["\t},"]
    body += ["};", ""]
    body = "\n".join(body)
    kinds = kinds_header(g.values, g.masks, numbers, columns)
    kinds = kinds.replace("\n#endif\n",
                          "\nenum { SPB_OP_INDEX = %d }; /* opcodes from here on are not known */\n"
                          "enum { SPB_FEW = %d }; /* values with an entry in the tables of literals */\n\n#endif\n"
                          % (ops[-1][0] + 1, FEW))
    head = ["/* SPDX-License-Identifier: Apache-2.0 AND MIT */",
            "/* Written by scripts/gen_grammar.py; do not edit. For #include by grammar.c, after ir.h (struct "
            "spb_op_facts,",
            " * whose rows are sorted by opcode, behind that of an unknown one) and",
            " *   struct enumerant_row { uint32_t value; uint8_t kind; uint16_t pattern; };  sorted by kind, value;",
            " *                                                            only enumerants with parameters",
            " *   struct name_row { uint32_t value, name; };                 sorted by value",
            " *   struct spb_set { char name[]; uint16_t first, count; bool has_versions, has_literals; };  by name",
            " *   struct instruction_row { uint16_t pattern; uint8_t least, most; };  words of an OpExtInst",
            " *                      most: %d: no limit; 1: only the pattern tells; 0: no instruction has the number"
            % ANY_WORDS,
            " * pattern: offset into pattern_bytes, 0 = no operands. name: for SPB_NAME.",
            " *",
            " * From SPIRV-Headers, spirv.core.grammar.json and extinst.*.grammar.json,",
            " * Copyright The Khronos Group Inc., MIT license.",
            " * version: %s" % g.version,
            " * grammar sha256: %s" % g.sha,
            " * contents sha256: %s" % contents_sha(kinds, body),
            " * (of grammar_kinds.h and of what follows here) */"]
    return "\n".join(head) + body, kinds


def contents_sha(kinds, body):
    return hashlib.sha256((kinds + body).encode()).hexdigest()


# ---- reading back ----------------------------------------------------------------------------------------------

def integer(text):
    return int(text, 16) if text.startswith("0x") else int(text)


class Tables:
    """The contents of the C text. Faults in the text go to self.errors."""

    def __init__(self, path):
        self.errors = []
        self.path = path
        self.kinds_path = os.path.join(os.path.dirname(path), "grammar_kinds.h")
        try:
            with open(path, encoding="utf-8", newline="") as f:
                self.text = f.read()
            with open(self.kinds_path, encoding="utf-8", newline="") as f:
                self.kinds_text = f.read()
        except (OSError, ValueError) as e:
            raise Bad(str(e))
        self.read_kinds()
        self.read_header()
        sections = self.split()
        self.read_patterns(sections)
        self.read_names(sections)
        self.read_ops(sections)
        self.read_enumerants(sections)
        self.read_name_tables(sections)
        self.read_sets(sections)

    def error(self, text):
        self.errors.append("tables: " + text)

    def read_kinds(self):
        body = re.search(r"enum spb_kind \{(.*?)\};", self.kinds_text, re.S)
        if not body:
            raise Bad("%s: no enum spb_kind" % self.kinds_path)
        self.numbers = {n: int(v) for n, v in re.findall(r"SPB_KIND_(\w+) = (\d+)", body.group(1))}
        markers = [self.numbers.pop(m, None) for m in ("FIRST_VALUE", "FIRST_MASK")]
        self.first_mask = markers[1]
        if markers[0] != FIRST_VALUE or self.first_mask is None:
            self.error("markers of enum spb_kind")
        self.by_number = {v: k for k, v in self.numbers.items()}
        if len(self.by_number) != len(self.numbers) or [self.by_number.get(i) for i in range(len(FIXED))] != FIXED:
            raise Bad("%s: enum spb_kind is not as written by this script" % self.kinds_path)

    def read_header(self):
        def get(pattern):
            m = re.search(pattern, self.text)
            if not m:
                raise Bad("%s: no '%s'" % (self.path, pattern))
            return m.group(1)
        self.version = get(r" \* version: (\S+)")
        self.sha = get(r" \* grammar sha256: ([0-9a-f]{64})")
        contents = get(r" \* contents sha256: ([0-9a-f]{64})")
        if self.version != get(r'#define SPB_GRAMMAR_VERSION "([^"]*)"'):
            self.error("SPB_GRAMMAR_VERSION is not the version of the header comment")
        body = self.text[self.text.index("here) */") + len("here) */"):] if "here) */" in self.text else ""
        if contents != contents_sha(self.kinds_text, body):
            self.error("edited by hand: not the stamped contents")

    def split(self):
        sections, name = {}, None
        for line in self.text.split("\n"):
            m = re.match(r"(?:static )?const .*?(\w+)\[.*= \{$", line)
            if m:
                name = m.group(1)
                if name in sections:
                    self.error("%s twice" % name)
                sections[name] = [line]
            elif line == "};":
                name = None
            elif name:
                sections[name].append(line)
        return sections

    def rows(self, sections, name, pattern):
        if name not in sections:
            self.error("no %s" % name)
            return
        for line in sections[name][1:]:
            m = re.fullmatch(pattern, line)
            if m:
                yield m.groups()
            else:
                self.error("%s: cannot read '%s'" % (name, line.strip()))

    def read_patterns(self, sections):
        data = []
        for at, row in self.rows(sections, "pattern_bytes", r"\t/\* (\d+) \*/ (.*),"):
            if int(at) != len(data):
                self.error("pattern_bytes: the row at %d says %s" % (len(data), at))
            for item in row.split(", "):
                parts = item.split(" | ")
                byte = self.numbers.get(parts[0].replace("SPB_KIND_", "", 1))
                for q in parts[1:]:
                    bit = {"SPB_OPTIONAL": OPTIONAL, "SPB_VARIADIC": VARIADIC}.get(q)
                    byte = None if byte is None or bit is None else byte | bit
                if byte is None:
                    self.error("pattern_bytes: unknown operand '%s'" % item)
                    byte = 0x3f
                data.append(byte)
        self.pattern_bytes = data

    def pattern(self, at, who):
        data = self.pattern_bytes
        if at >= len(data) or (at and data[at - 1]) or 0 not in data[at:]:
            self.error("%s: %d is not the start of a pattern" % (who, at))
            return ()
        return tuple(data[at:data.index(0, at)])

    def read_names(self, sections):
        self.names, chunk, at = {}, -1, 0
        for (line,) in self.rows(sections, "names", r"\t(\{|\},|\t\"\w+\??\\0\")"):
            if line == "{":
                chunk, at = chunk + 1, 0
            elif line != "},":
                name = line.strip()[1:-3]
                self.names[chunk * NAME_CHUNK + at] = name
                at += len(name) + 1
                if at >= NAME_CHUNK:
                    self.error("names: chunk %d is too long" % chunk)

    def check_name(self, at, names, who):
        if self.names.get(at) != names[0]:
            self.error("%s: name %d is %s, not %s" % (who, at, self.names.get(at), names[0]))

    @staticmethod
    def comment_names(text):
        return text.replace("(", "").replace(")", "").split()

    def ordered(self, keys, who):
        for a, b in zip(keys, keys[1:]):
            if a >= b:
                self.error("%s: %s after %s" % (who, b, a))

    def read_ops(self, sections):
        """self.ops: op -> (names, pattern); self.facts: op -> the row, without the position of the pattern"""
        self.ops, self.facts = {}, {}
        numbers = [tuple(map(int, r)) for r in self.rows(sections, "spb_op_index", r"\t\[(\d+)\] = (\d+),")]
        order = [op for op, _ in numbers]
        if numbers != [(op, i + 1) for i, op in enumerate(order)]:
            self.error("spb_op_index does not count the rows of spb_op_rows")
        self.ordered(order, "spb_op_index")
        size = re.search(r"SPB_OP_INDEX = (\d+)", self.kinds_text)
        if not size or not order or int(size.group(1)) != order[-1] + 1:
            self.error("SPB_OP_INDEX is not the size of spb_op_index")
        names_at = list(self.rows(sections, "op_names", r"\t(\d+), /\* (.*) \*/"))
        rows = list(self.rows(sections, "spb_op_rows", r"\t\{ (.*) \}, /\* (.*) \*/"))
        if len(rows) != len(order) + 1 or len(names_at) != len(rows):
            self.error("spb_op_rows, op_names and spb_op_index are not of one length")
        for op, (facts, text), (name, again) in list(zip([None] + order, rows, names_at)):
            names = self.comment_names(text)
            self.check_name(int(name), names, "op %s" % op)
            if text != again:
                self.error("op_names: %s where spb_op_rows has %s" % (again, text))
            fields = [re.sub(r"SPB_(TAIL|SECTION|TRANSFER|RESOURCE)_", "", f) for f in facts.split(", ")]
            if op is not None and len(fields) == 14:
                self.ops[op] = (names, self.pattern(int(fields.pop(5)), names[0]))
                flags, places, end, most, least, first, *rest = [integer(f) if f[0].isdigit() else f for f in fields]
                self.facts[op] = (flags, places, first, end, least, most, *rest)
            elif op is not None:
                self.error("%s: cannot read its row" % names[0])

    def check_columns(self, columns):
        """Checks that each row agrees with its operands and with opcodes.txt."""
        numbers = dict(self.numbers, FIRST_MASK=self.first_mask)
        for op, (names, pattern) in self.ops.items():
            try:
                want = complete_row(names, pattern, numbers, columns)
                if self.facts.get(op) != want:
                    self.error("%s: the row is %s, but from its operands and opcodes.txt %s"
                               % (names[0], self.facts.get(op), want))
            except (Bad, KeyError) as e:
                self.error("%s: %s" % (names[0], e))
        known = {n for names, _ in self.ops.values() for n in names}
        self.errors += ["opcodes.txt: %s: no grammar has it" % n for n in columns.rows if n not in known]

    def read_enumerants(self, sections):
        self.enumerants, order = {}, []
        row = r"\t\{ (\d+), SPB_KIND_(\w+), (\d+) \}, /\* (.*) \*/"
        for value, kind, at, text in self.rows(sections, "enumerant_rows", row):
            names = self.comment_names(text)
            if self.numbers.get(kind, 0) < FIRST_VALUE:
                self.error("%s: kind %s" % (names[0], kind))
            order.append((self.numbers.get(kind, 0), int(value)))
            self.enumerants[kind, int(value)] = (names, self.pattern(int(at), names[0]))
        self.ordered(order, "enumerant_rows")
        self.check_few(sections)

    def check_few(self, sections):
        for kind, table in FEW_TABLES.items():
            few = [int(n) for (row,) in self.rows(sections, table, r"\t([-\d, ]+),") for n in row.split(", ")]
            for value in range(FEW):
                names, pattern = self.enumerants.get((kind, value), ([kind], ()))
                plain = all(self.by_number.get(b) in ("LITERAL", "ENUM") for b in pattern)
                if few[value:value + 1] != [len(pattern) if plain else -1]:
                    self.error("%s: wrong for %s %d" % (table, names[0], value))

    def read_name_tables(self, sections):
        self.name_tables = {}
        for table, kind in NAME_TABLES:
            rows, order = {}, []
            for value, name, text in self.rows(sections, table, r"\t\{ (\d+), (\d+) \}, /\* (.*) \*/"):
                names = self.comment_names(text)
                self.check_name(int(name), names, "%s %s" % (table, value))
                rows[int(value)] = names
                order.append(int(value))
            self.ordered(order, table)
            self.name_tables[kind] = rows


    def read_sets(self, sections):
        self.sets = {}
        rows = list(self.rows(sections, "instruction_rows", r"\t\{ (\d+), (\d+), (\d+) \}, /\* (\?|\w+) \*/"))
        sets = list(self.rows(sections, "set_rows", r'\t\{ "(.*)", (\d+), (\d+), (true|false), (true|false) \},'))
        self.ordered([name for name, _, _, _, _ in sets], "set_rows")
        for name, first, count, versions, _ in sets:
            name += "." if versions == "true" else ""
            its = rows[int(first):int(first) + int(count)]
            self.sets[name] = {n: (row[3], self.pattern(int(row[0]), "%s %d" % (name, n)))
                               for n, row in enumerate(its) if row[3] != "?"}


# ---- comparing -------------------------------------------------------------------------------------------------

def extends(old, new):
    """True if every word sequence that matches old matches new: same kinds, nothing more required, nothing less
    allowed."""
    if len(old) > len(new):
        return False
    for o, n in zip(old, new):
        if o & 0x3f != n & 0x3f:
            return False
        if o & VARIADIC and not n & VARIADIC or o & OPTIONAL and not n & 0xc0:
            return False
    return all(n & 0xc0 for n in new[len(old):])


def compare(g, t, columns):
    """-> (errors, counts)"""
    errors, count = [], {"opcodes": 0, "names": 0, "enumerants": 0, "extended instructions": 0,
                     "changed by Khronos": 0}

    def operands_agree(who, names, old, new):
        if extends(old, new):
            return
        changed = [CHANGED_PATTERNS[n] for n in names if n in CHANGED_PATTERNS]
        if changed and changed[0][0] == pattern_text(old, t.by_number):
            count["changed by Khronos"] += 1
            return
        errors.append("%s: grammar has %s, tables have %s"
                      % (who, pattern_text(old, t.by_number), pattern_text(new, t.by_number)))

    for op, row in g.ops.items():
        count["opcodes"] += 1
        if op not in t.ops:
            errors.append("opcode %d %s: not in the tables" % (op, row["names"][0]))
            continue
        names, pattern = t.ops[op]
        for n in row["names"]:
            count["names"] += 1
            if n not in names:
                errors.append("opcode %d %s: tables have %s" % (op, n, " ".join(names)))
        operands_agree("opcode %d %s" % (op, row["names"][0]), row["names"],
                       encode(row["operands"], t.numbers, g.category), pattern)

    for kind, rows in g.enums.items():
        upper = upper_snake(kind)
        is_mask = t.numbers.get(upper, 0) >= (t.first_mask or 0)
        if upper in t.numbers and is_mask != (g.category[kind] == "BitEnum"):
            errors.append("%s: mask in one, value in the other" % kind)
        for value, row in rows.items():
            who = "%s %s (%d)" % (kind, row["names"][0], value)
            old = encode(row["operands"], t.numbers, g.category)
            if (upper, value) in t.enumerants:
                names, new = t.enumerants[upper, value]
                count["enumerants"] += 1
                for n in row["names"]:
                    count["names"] += 1
                    if n not in names:
                        errors.append("%s: %s, tables have %s" % (who, n, " ".join(names)))
                operands_agree(who, row["names"], old, new)
            elif old:
                errors.append("%s: its parameters are not in the tables" % who)
    for kind, table in t.name_tables.items():
        for value, row in g.enums[kind].items():
            for n in row["names"]:
                count["names"] += 1
                if n in table.get(value, []):
                    continue
                if value in table and (kind, n) in CHANGED_NAMES:
                    count["changed by Khronos"] += 1
                    continue
                errors.append("%s %s (%d): tables have %s" % (kind, n, value, " ".join(table.get(value, ["nothing"]))))

    for name, instructions in g.sets.items():
        for n, (op, ops) in instructions.items():
            count["extended instructions"] += 1
            old, (name_there, new) = encode_extended(ops, t.numbers), t.sets.get(name, {}).get(n, (None, ()))
            if name_there != op or not extends(old, new):
                errors.append("%s %d %s: grammar has %s, tables have %s %s" % (
                    name, n, op, pattern_text(old, t.by_number), name_there, pattern_text(new, t.by_number)))

    if g.sha == t.sha:
        for path, have, want in zip((t.path, t.kinds_path), (t.text, t.kinds_text),
                                    generate(Model.of_grammar(g), columns)):
            if have != want:
                a, b = have.split("\n"), want.split("\n")
                line = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                errors.append("%s:%d: not what --grammar writes" % (path, line + 1))
    return errors, count


def check(directories, path):
    tables, columns = Tables(path), Columns()
    tables.check_columns(columns)
    if not tables.errors and (tables.text, tables.kinds_text) != generate(Model.of_tables(tables), columns):
        tables.error("not what --columns writes")
    failed = 0
    for e in tables.errors:
        print(e)
        failed += 1
    for d in directories:
        g = Grammar(d)
        errors, count = compare(g, tables, columns)
        for e in errors:
            print("%s: %s" % (d, e))
        failed += len(errors)
        if not failed:
            print("%s: grammar %s agrees with tables %s: %s%s" % (
                d, g.version, tables.version, ", ".join("%d %s" % (v, k) for k, v in count.items()),
                "; the same grammar, files identical to a new run" if g.sha == tables.sha else ""))
    if failed:
        print("gen_grammar: %d disagreements" % failed, file=sys.stderr)
    return 1 if failed else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = p.add_mutually_exclusive_group(required=True)
    mode.add_argument("--grammar", metavar="DIR")
    mode.add_argument("--columns", action="store_true")
    mode.add_argument("--check", metavar="DIR", nargs="*")
    p.add_argument("--output", metavar="FILE", default=DEFAULT_TABLES)
    args = p.parse_args()
    try:
        if args.check is not None:
            return check(args.check or [DEFAULT_DIR], args.output)
        model = Model.of_tables(Tables(args.output)) if args.columns else Model.of_grammar(Grammar(args.grammar))
        tables, kinds = generate(model, Columns())
        for path, text in ((args.output, tables),
                           (os.path.join(os.path.dirname(args.output), "grammar_kinds.h"), kinds)):
            with open(path, "w", encoding="utf-8", newline="\n") as f:
                f.write(text)
        return 0
    except Bad as e:
        print("gen_grammar: %s" % e, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
