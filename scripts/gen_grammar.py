#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/ir/grammar_tables.inc and src/ir/grammar_kinds.h from the SPIR-V grammar, and checks them.

  gen_grammar.py --grammar DIR     write the tables from DIR/spirv.core.grammar.json
  gen_grammar.py --check [DIR...]  read the tables back and compare them with the grammar in each DIR

The tables are made from the newest SPIRV-Headers; an installed, older grammar must say nothing that they do not
say too. --check exits 1 with one line for each disagreement. --output names the tables file for both modes;
grammar_kinds.h lies beside it.
"""
import argparse
import hashlib
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFAULT_TABLES = os.path.join(ROOT, "src", "ir", "grammar_tables.inc")
DEFAULT_DIR = "/usr/include/spirv/unified1"
CORE = "spirv.core.grammar.json"

OPTIONAL, VARIADIC = 0x40, 0x80
QUANTIFIER = {"": 0, "?": OPTIONAL, "*": VARIADIC}

# Operand kinds with a number of their own. An enum without parameters is ENUM; one with parameters gets a number
# from FIRST_VALUE on, bit masks after value enums.
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
# Words of the shortest operand of a kind; a mask or an enum alone is one, a quantified operand none.
MIN_WORDS = {"PAIR_ID_ID": 2, "PAIR_ID_LITERAL": 2, "PAIR_LITERAL_ID": 2}

FLAGS = [("HAS_TYPE", 1), ("HAS_RESULT", 2), ("REQUIRED_IDS", 4), ("IS_TYPE", 8), ("IS_CONSTANT", 16),
         ("TERMINATOR", 32), ("VARIADIC_IDS", 64)]
FLAG = dict(FLAGS)
TERMINATORS = {"OpBranch", "OpBranchConditional", "OpSwitch", "OpKill", "OpReturn", "OpReturnValue",
               "OpUnreachable", "OpTerminateInvocation", "OpIgnoreIntersectionKHR", "OpTerminateRayKHR",
               "OpEmitMeshTasksEXT", "OpAbortKHR"}
NOT_IN_OLD = {"OpAbortKHR"}  # may be missing when the tables are written from an older grammar

# table in the C text, kind in the grammar
NAME_TABLES = [("capability_names", "Capability"), ("image_format_names", "ImageFormat"),
               ("storage_class_names", "StorageClass"), ("execution_model_names", "ExecutionModel"),
               ("decoration_names", "Decoration"), ("dim_names", "Dim"), ("builtin_names", "BuiltIn")]
NAME_CHUNK = 4096  # C11 5.2.4.1: 4095 characters in a string literal

SUFFIX = re.compile(r"(KHR|EXT|NV|NVX|AMD|AMDX|INTEL|ALTERA|ARM|QCOM|GOOGLE|HUAWEI|IMG|MESA|VALVE)$")

# Where Khronos changed the grammar of something that already had one. Key: the old name; value: the old pattern
# (exactly; any other one is a disagreement) and what changed. The tables follow the newest.
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
    """A grammar file: entries with equal values are one, with several names."""

    def __init__(self, directory):
        path = os.path.join(directory, CORE)
        try:
            with open(path, "rb") as f:
                data = f.read()
            js = json.loads(data)
        except (OSError, ValueError) as e:
            raise Bad("%s: %s" % (path, e))
        self.sha = hashlib.sha256(data).hexdigest()
        self.version = "%d.%d.%d" % (js["major_version"], js["minor_version"], js["revision"])
        self.category = {k["kind"]: k["category"] for k in js["operand_kinds"]}
        self.enums = {k["kind"]: self.merge(k["kind"], k["enumerants"], "value", "enumerant", "parameters")
                      for k in js["operand_kinds"] if k["category"] in ("ValueEnum", "BitEnum")}
        self.ops = self.merge("opcode", js["instructions"], "opcode", "opname", "operands")
        for kind, category in self.category.items():
            if category not in ("ValueEnum", "BitEnum") and kind not in NOT_ENUMS:
                raise Bad("unknown operand kind %s (%s)" % (kind, category))

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
        """Names of the kinds with numbers of their own: value enums, masks."""
        p = [k for k, rows in self.enums.items() if any(r["operands"] for r in rows.values())]
        return ([k for k in p if self.category[k] == "ValueEnum"], [k for k in p if self.category[k] == "BitEnum"])


def kind_numbers(values, masks):
    numbers = {name: i for i, name in enumerate(FIXED)}
    for i, kind in enumerate(values + masks):
        numbers[upper_snake(kind)] = FIRST_VALUE + i
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


def kind_text(byte, by_number):
    name = by_number.get(byte & 0x3f, "?%d" % (byte & 0x3f))
    return name + {0: "", OPTIONAL: "?", VARIADIC: "*"}.get(byte & 0xc0, "??")


def pattern_text(pattern, by_number):
    return " ".join(kind_text(b, by_number) for b in pattern) or "nothing"


def derive(names, pattern, numbers):
    """flags and min_words, from the names and the encoded pattern only"""
    by_number = {v: k for k, v in numbers.items()}
    flags = 0
    rest = list(pattern)
    if rest and rest[0] == numbers["TYPE"]:
        flags |= FLAG["HAS_TYPE"]
        rest.pop(0)
    if rest and rest[0] == numbers["RESULT"]:
        flags |= FLAG["HAS_RESULT"]
        rest.pop(0)
    if any(b & 0x3f in (numbers["TYPE"], numbers["RESULT"]) for b in rest):
        raise Bad("%s: result type or result in an unexpected place" % names[0])
    if all(b == numbers["ID"] for b in rest if not b & (OPTIONAL | VARIADIC)):
        flags |= FLAG["REQUIRED_IDS"]
    if rest and rest[-1] & VARIADIC and all(b & 0x3f == numbers["ID"] for b in rest):
        flags |= FLAG["VARIADIC_IDS"]
    if flags & FLAG["HAS_RESULT"]:
        if names[0].startswith("OpType") and not flags & FLAG["HAS_TYPE"]:
            flags |= FLAG["IS_TYPE"]
        if re.match(r"Op(Spec)?Constant", names[0]):
            flags |= FLAG["IS_CONSTANT"]
    if any(n in TERMINATORS for n in names):
        flags |= FLAG["TERMINATOR"]
    loose = False
    for b in pattern:
        if loose and not b & 0xc0:
            raise Bad("%s: required operand after an optional one" % names[0])
        loose = loose or bool(b & 0xc0)
    if any(b & VARIADIC for b in pattern[:-1]):
        raise Bad("%s: operand after a variadic one" % names[0])
    words = 1 + sum(MIN_WORDS.get(by_number[b & 0x3f], 1) for b in pattern if not b & 0xc0)
    return flags, words


# ---- writing ---------------------------------------------------------------------------------------------------

def comment(names):
    return "/* %s%s */" % (names[0], " (%s)" % " ".join(names[1:]) if names[1:] else "")


def kinds_header(values, masks, numbers):
    out = ["/* SPDX-License-Identifier: Apache-2.0 */",
           "/* Written by scripts/gen_grammar.py; do not edit. Operand kinds of the SPIR-V grammar. */", "/* clang-format off */",
           "#ifndef SPB_GRAMMAR_KINDS_H", "#define SPB_GRAMMAR_KINDS_H", "",
           "/* An operand in a pattern: a kind, or'ed with at most one of SPB_OPTIONAL, SPB_VARIADIC. */",
           "enum spb_kind {"]
    notes = {"END": "ends a pattern", "TYPE": "IdResultType", "RESULT": "IdResult",
             "ID": "IdRef, IdScope, IdMemorySemantics", "LITERAL": "one word", "STRING": "",
             "CONTEXT_LITERAL": "words as the result type says", "EXT_INST": "instruction of an OpExtInst",
             "SPEC_OP": "opcode of an OpSpecConstantOp; its operands follow", "PAIR_ID_ID": "",
             "PAIR_ID_LITERAL": "", "PAIR_LITERAL_ID": "OpSwitch: literal as wide as the selector",
             "ENUM": "value or mask, one word, no parameters"}
    for name in FIXED:
        note = " /* %s */" % notes[name] if notes[name] else ""
        out.append("\tSPB_KIND_%s = %d,%s" % (name, numbers[name], note))
    out.append("\t/* values with parameters */")
    out += ["\tSPB_KIND_%s = %d," % (upper_snake(k), numbers[upper_snake(k)]) for k in values]
    out.append("\t/* bit masks with parameters: in the order of the bits, lowest first */")
    out += ["\tSPB_KIND_%s = %d," % (upper_snake(k), numbers[upper_snake(k)]) for k in masks]
    out += ["\tSPB_KIND_FIRST_VALUE = %d," % FIRST_VALUE,
            "\tSPB_KIND_FIRST_MASK = %d" % (FIRST_VALUE + len(values)), "};", "",
            "enum { SPB_OPTIONAL = 0x%x, SPB_VARIADIC = 0x%x, SPB_KIND_BITS = 0x3f };" % (OPTIONAL, VARIADIC), "",
            "/* Flags of an opcode. REQUIRED_IDS: the shortest instruction has only ids after type and result.",
            " * VARIADIC_IDS: an instruction of any length has. */", "enum {"]
    out += ["\tSPB_OP_%s = %d%s" % (n, v, "" if n == FLAGS[-1][0] else ",") for n, v in FLAGS]
    out += ["};", "", "#endif", ""]
    return "\n".join(out)


def generate(g):
    """-> (text of grammar_tables.inc, text of grammar_kinds.h)"""
    values, masks = g.parameterised()
    numbers = kind_numbers(values, masks)
    by_number = {v: k for k, v in numbers.items()}

    known = {n for row in g.ops.values() for n in row["names"]}
    missing = TERMINATORS - known - NOT_IN_OLD
    if missing:
        raise Bad("terminators not in the grammar: %s" % " ".join(sorted(missing)))
    for kind in masks:
        for value, row in g.enums[kind].items():
            if row["operands"] and bin(value).count("1") != 1:
                raise Bad("%s %s: parameters on more than one bit" % (kind, row["names"][0]))

    ops = []
    for op, row in g.ops.items():
        pattern = encode(row["operands"], numbers, g.category)
        ops.append((op, row["names"], pattern) + derive(row["names"], pattern, numbers))
    enumerants = []
    for kind in values + masks:
        for value, row in g.enums[kind].items():
            if row["operands"]:
                pattern = encode(row["operands"], numbers, g.category)
                if any(b & 0x3f >= FIRST_VALUE for b in pattern):
                    raise Bad("%s %s: a parameter with parameters" % (kind, row["names"][0]))
                enumerants.append((value, kind, row["names"], pattern))

    patterns, offset = {}, 0
    for p in sorted({r[2] for r in ops} | {r[3] for r in enumerants} | {()}):
        patterns[p] = offset
        offset += len(p) + 1
    if offset > 0x10000:
        raise Bad("pattern_bytes over 64 KiB")

    names, pieces, used = {}, [[]], 0
    for n in sorted({r[1][0] for r in ops} | {row["names"][0] for _, k in NAME_TABLES for row in g.enums[k].values()}):
        if not re.fullmatch(r"\w+", n):
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
    body += ["};", "", "static const struct op_row op_rows[] = {"]
    for op, ns, p, flags, words in ops:
        body.append("\t{ %d, %d, %d, 0x%02x, %d }, %s" % (op, patterns[p], names[ns[0]], flags, words, comment(ns)))
    body += ["};", "", "/* row number + 1; 0 = no such opcode */",
             "static const uint16_t op_index[%d] = {" % (ops[-1][0] + 1)]
    body += ["\t[%d] = %d," % (r[0], i + 1) for i, r in enumerate(ops)]
    body += ["};", "", "static const struct enumerant_row enumerant_rows[] = {"]
    for value, kind, ns, p in enumerants:
        body.append("\t{ %d, SPB_KIND_%s, %d }, %s" % (value, upper_snake(kind), patterns[p], comment(ns)))
    body += ["};"]
    for table, kind in NAME_TABLES:
        body += ["", "static const struct name_row %s[] = {" % table]
        body += ["\t{ %d, %d }, %s" % (v, names[r["names"][0]], comment(r["names"])) for v, r in g.enums[kind].items()]
        body += ["};"]
    body += ["", "static const char names[][SPB_NAME_CHUNK] = {"]
    for piece in pieces:
        body += ["\t{"] + ['\t\t"%s\\0"' % n for n in piece] + ["\t},"]
    body += ["};", ""]
    body = "\n".join(body)
    kinds = kinds_header(values, masks, numbers)
    head = ["/* SPDX-License-Identifier: Apache-2.0 AND MIT */",
            "/* Written by scripts/gen_grammar.py; do not edit. For #include by grammar.c, after grammar_kinds.h and",
            " *   struct op_row { uint16_t op, pattern, name; uint8_t flags, min_words; };  sorted by op",
            " *   struct enumerant_row { uint32_t value; uint8_t kind; uint16_t pattern; };  sorted by kind, value;",
            " *                                                            only enumerants with parameters",
            " *   struct name_row { uint32_t value, name; };                 sorted by value",
            " * pattern: offset into pattern_bytes, 0 = no operands. name: for SPB_NAME. min_words: with the first word.",
            " *",
            " * From SPIRV-Headers, spirv.core.grammar.json, Copyright The Khronos Group Inc., MIT license.",
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
    """What the C text says. Faults of the text itself go to self.errors."""

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
            m = re.match(r"static const .*?(\w+)\[.*= \{$", line)
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
        for (line,) in self.rows(sections, "names", r"\t(\{|\},|\t\"\w+\\0\")"):
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
        self.ops, order = {}, []
        row = r"\t\{ (\d+), (\d+), (\d+), (0x[0-9a-f]+), (\d+) \}, /\* (.*) \*/"
        for *fields, text in self.rows(sections, "op_rows", row):
            op, at, name, flags, words = map(integer, fields)
            names = self.comment_names(text)
            order.append(op)
            self.check_name(name, names, "op %d" % op)
            pattern = self.pattern(at, names[0])
            self.ops[op] = (names, pattern)
            try:
                if (flags, words) != derive(names, pattern, self.numbers):
                    self.error("%s: flags 0x%02x, min_words %d, but from its operands 0x%02x, %d"
                               % ((names[0], flags, words) + derive(names, pattern, self.numbers)))
            except (Bad, KeyError) as e:
                self.error("%s: %s" % (names[0], e))
        self.ordered(order, "op_rows")
        index = [tuple(map(int, r)) for r in self.rows(sections, "op_index", r"\t\[(\d+)\] = (\d+),")]
        if index != [(op, i + 1) for i, op in enumerate(order)]:
            self.error("op_index does not agree with op_rows")
        size = re.search(r"op_index\[(\d+)\]", sections.get("op_index", [""])[0])
        if not size or not order or int(size.group(1)) != order[-1] + 1:
            self.error("size of op_index")

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


# ---- comparing -------------------------------------------------------------------------------------------------

def extends(old, new):
    """A word sequence that fits old fits new: same kinds, nothing more required, nothing less allowed."""
    if len(old) > len(new):
        return False
    for o, n in zip(old, new):
        if o & 0x3f != n & 0x3f:
            return False
        if o & VARIADIC and not n & VARIADIC or o & OPTIONAL and not n & 0xc0:
            return False
    return all(n & 0xc0 for n in new[len(old):])


def compare(g, t):
    """-> (errors, counts)"""
    errors, count = [], {"opcodes": 0, "names": 0, "enumerants": 0, "changed by Khronos": 0}

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

    if g.sha == t.sha:
        for path, have, want in zip((t.path, t.kinds_path), (t.text, t.kinds_text), generate(g)):
            if have != want:
                a, b = have.split("\n"), want.split("\n")
                line = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                errors.append("%s:%d: not what --grammar writes" % (path, line + 1))
    return errors, count


def check(directories, path):
    tables = Tables(path)
    failed = 0
    for e in tables.errors:
        print(e)
        failed += 1
    for d in directories:
        g = Grammar(d)
        errors, count = compare(g, tables)
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
    mode.add_argument("--check", metavar="DIR", nargs="*")
    p.add_argument("--output", metavar="FILE", default=DEFAULT_TABLES)
    args = p.parse_args()
    try:
        if args.grammar is None:
            return check(args.check or [DEFAULT_DIR], args.output)
        tables, kinds = generate(Grammar(args.grammar))
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
