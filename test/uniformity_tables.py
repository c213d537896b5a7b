#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of src/analysis/uniformity/uniformity_tables.c name all that the grammars name, and agree with what they say.

    uniformity_tables.py [DIR...]

Two grammars: src/ir/grammar_tables.inc, and the JSON in each DIR (the installed one), which tells scopes from other
ids. Then each check is shown to fail: the texts are spoiled, one place at a time, and must be found out.
"""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import gen_grammar  # noqa: E402

ANALYSIS = os.path.join(ROOT, "src", "analysis", "uniformity")
FILES = {"ops": "uniformity_ops.inc", "builtins": "uniformity_builtins.inc", "c": "uniformity_tables.c"}
GLSL = "extinst.glsl.std.450.grammar.json"

TRANSFERS = {"NONE", "CONSTANT", "LANEWISE", "JOIN", "VARYING", "UNKNOWN", "SUBGROUP_UNIFORM", "BROADCAST", "SHUFFLE",
             "BY_SCOPE", "MEMORY", "SPECIAL"}
FLAGS = {"0", "WRITES", "REPACKS", "NEVER_DIFFERS", "IMPLICIT_LOD", "QUERY", "CALLS"}
BITS = {"0": 0, "GROUP": 1, "SUBGROUP": 2, "BOTH": 3}
NEEDS_RESOURCE = {"WRITES", "NEVER_DIFFERS", "IMPLICIT_LOD", "QUERY"}
DERIVES = {"OpImageQueryLod", "OpImageSampleFootprintNV"}  # takes derivatives, and is not called ImplicitLod


class Grammar:
    """ops: number -> (names, operands as (kind, quantifier)); kinds as in gen_grammar. scope: the kind of a scope."""

    def __init__(self, where, ops, builtins, scope):
        self.where, self.ops, self.builtins, self.scope = where, ops, builtins, scope


def of_tables():
    t = gen_grammar.Tables(gen_grammar.DEFAULT_TABLES)
    quantifier = {0: "", gen_grammar.OPTIONAL: "?", gen_grammar.VARIADIC: "*"}
    ops = {op: (names, [(t.by_number[b & 0x3f], quantifier[b & 0xc0]) for b in pattern])
           for op, (names, pattern) in t.ops.items()}
    return Grammar("grammar_tables.inc", ops, t.name_tables["BuiltIn"], "ID")


def of_json(directory):
    g = gen_grammar.Grammar(directory)
    kinds = dict(gen_grammar.NOT_ENUMS, IdScope="SCOPE", IdMemorySemantics="SEMANTICS")
    ops = {op: (row["names"], [(kinds.get(k, k), q) for k, q in row["operands"]]) for op, row in g.ops.items()}
    return Grammar(directory, ops, {value: row["names"] for value, row in g.enums["BuiltIn"].items()}, "SCOPE")


def named(comment):
    return comment.replace("(", "").replace(")", "").split()


def ascending(numbers, who):
    return ["%s: %d after %d" % (who, b, a) for a, b in zip(numbers, numbers[1:]) if a >= b]


def lines_of(text):
    return [line for line in re.sub(r"\A/\*.*?\*/\n(/\*.*?\*/\n)?", "", text, flags=re.S).split("\n") if line]


def read_ops(text):
    """-> ({op: (transfer, resource, resource2, flags, names)}, errors)"""
    rows, errors, order = {}, [], []
    for line in lines_of(text):
        m = re.fullmatch(r"\[(\d+)\] = \{(\d+), (\w+), (\d+), (\d+), ([\w |]+)\}, /\* (.*) \*/", line)
        if not m:
            errors.append("cannot read '%s'" % line)
            continue
        op, again, resource, resource2 = (int(m.group(i)) for i in (1, 2, 4, 5))
        transfer, flags, names = m.group(3), set(m.group(6).split(" | ")), named(m.group(7))
        if op != again:
            errors.append("%s: [%d] and {%d" % (names[0], op, again))
        if transfer not in TRANSFERS or not flags <= FLAGS:
            errors.append("%s: '%s', '%s'" % (names[0], transfer, m.group(6)))
        order.append(op)
        rows[op] = (transfer, resource, resource2, flags, names)
    return rows, errors + ascending(order, "opcodes")


def row_faults(rows):
    """What a row says of itself."""
    for transfer, resource, resource2, flags, names in rows.values():
        if not resource and (flags & NEEDS_RESOURCE or resource2 or transfer == "MEMORY"):
            yield "%s: no resource" % names[0]
        if ("IMPLICIT_LOD" in flags) != ("ImplicitLod" in names[0] or names[0] in DERIVES):
            yield "%s: implicit level of detail or not" % names[0]


def word_kind(operands, word):
    """Kind of the operand at a word; None where it depends on what stands before it, or may be missing."""
    for at, (kind, quantifier) in enumerate(operands, 1):
        if quantifier or kind in ("STRING", "CONTEXT_LITERAL") or kind.startswith("PAIR_"):
            return None
        if at == word:
            return kind
    return None


def op_faults(rows, grammar):
    for op, (names, operands) in grammar.ops.items():
        who = "%s: %d %s" % (grammar.where, op, names[0])
        if op not in rows:
            yield "%s: no row" % who
            continue
        transfer, resource, resource2, _, row_names = rows[op]
        for name in names:
            if name not in row_names:
                yield "%s: the row is for %s" % (who, " ".join(row_names))
        if grammar.scope == "SCOPE" and set(names) & set(gen_grammar.CHANGED_PATTERNS):
            continue  # the tables know better
        kinds = [kind for kind, _ in operands]
        if ("TYPE" in kinds) == (transfer == "NONE"):
            yield "%s: %s a result type, but %s" % (who, "has" if "TYPE" in kinds else "has not", transfer)
        for word in (resource, resource2):
            if word and word_kind(operands, word) != "ID":
                yield "%s: word %d is no id, but %s" % (who, word, word_kind(operands, word))
        if "GroupOperation" in kinds and transfer != "SPECIAL":
            yield "%s: Reduce or scan, but %s" % (who, transfer)
        if transfer == "BY_SCOPE" and word_kind(operands, 3) != grammar.scope:
            yield "%s: word 3 is no scope" % who


def builtin_faults(text, grammars):
    rows, order = {}, []
    for line in lines_of(text):
        m = re.fullmatch(r"\{(\d+), \{(\w+), (\w+), (\w+), (\w+)\}\}, /\* (.*) \*/", line)
        if not m or not {m.group(i) for i in range(2, 6)} <= set(BITS):
            yield "cannot read '%s'" % line
            continue
        order.append(int(m.group(1)))
        rows[order[-1]] = named(m.group(6))
        if BITS[m.group(2)] == 1:
            yield "%s: a subgroup is part of a workgroup: BOTH" % rows[order[-1]][0]
    yield from ascending(order, "built-ins")
    known = set()
    for grammar in grammars:
        known |= set(grammar.builtins)
        for value, names in grammar.builtins.items():
            for name in names:
                if name not in rows.get(value, []):
                    yield "%s: BuiltIn %s (%d): %s" % (grammar.where, name, value, " ".join(rows.get(value, ["no row"])))
    for value in sorted(set(rows) - known):
        yield "%s: no grammar has it" % rows[value][0]


def glsl_faults(text, instructions):
    rows = dict(re.findall(r"\[GLSLstd450(\w+)\] = (\w+),", text))
    for name in instructions:
        if rows.get(name, "MISSING") not in TRANSFERS:
            yield "GLSL.std.450 %s: %s" % (name, rows.get(name, "no row"))
    for name in sorted(set(rows) - set(instructions)):
        yield "GLSL.std.450 %s: not in the grammar" % name


def faults(texts, grammars, instructions):
    rows, found = read_ops(texts["ops"])
    found += row_faults(rows)
    for grammar in grammars:
        found += op_faults(rows, grammar)
    known = set().union(*(g.ops for g in grammars))
    found += ["%s: no grammar has it" % rows[op][4][0] for op in sorted(set(rows) - known)]
    found += builtin_faults(texts["builtins"], grammars)
    found += glsl_faults(texts["c"], instructions)
    return found


# file, what stands there, what is put there, what must be said (a part of one line)
LOAD, STORE = "[61] = {61, MEMORY, 3, 0, 0}, /* OpLoad */\n", "[62] = {62, NONE, 1, 0, WRITES}, /* OpStore */\n"
SPOILED = [
    ("ops", LOAD, "", "61 OpLoad: no row"),
    ("ops", LOAD, LOAD.replace("61", "108"), "61 OpLoad: no row"),
    ("ops", LOAD, LOAD.replace("OpLoad", "OpLoda"), "61 OpLoad: the row is for OpLoda"),
    ("ops", LOAD + STORE, STORE + LOAD, "opcodes: 61 after 62"),
    ("ops", LOAD, LOAD + LOAD, "opcodes: 61 after 61"),
    ("ops", LOAD, LOAD.replace("{61", "{16"), "OpLoad: [61] and {16"),
    ("ops", LOAD, LOAD.replace("MEMORY", "MEMROY"), "OpLoad: 'MEMROY'"),
    ("ops", LOAD, LOAD.replace("MEMORY", "NONE"), "has a result type, but NONE"),
    ("ops", LOAD, LOAD.replace("3,", "2,"), "word 2 is no id, but RESULT"),
    ("ops", LOAD, LOAD.replace("3,", "4,"), "word 4 is no id, but None"),
    ("ops", LOAD, LOAD.replace("3,", "0,"), "OpLoad: no resource"),
    ("ops", LOAD, LOAD.replace("0}", "IMPLICIT_LOD}"), "OpLoad: implicit level"),
    ("ops", LOAD, LOAD + "[9999] = {9999, JOIN, 0, 0, 0}, /* OpNew */\n", "OpNew: no grammar has it"),
    ("ops", LOAD, LOAD + "[108] = 108\n", "cannot read '[108] = 108'"),
    ("ops", STORE, STORE.replace("NONE", "JOIN"), "has not a result type, but JOIN"),
    ("ops", "{227, VARYING, 3,", "{227, VARYING, 4,", "word 4 is no id, but SCOPE"),
    ("ops", "{263, BY_SCOPE,", "{263, BY_SCPOE,", "'BY_SCPOE'"),
    ("ops", "{128, LANEWISE,", "{128, BY_SCOPE,", "128 OpIAdd: word 3 is no scope"),
    ("ops", "{264, SPECIAL,", "{264, BY_SCOPE,", "264 OpGroupIAdd: Reduce or scan"),
    ("ops", "/* OpTypeTensorARM */", "/* OpTypeTenseARM */", "grammar_tables.inc: 4163 OpTypeTensorARM: the row is for"),
    ("builtins", "{26, {BOTH, 0, 0, 0}}, /* WorkgroupId */\n", "", "WorkgroupId (26): no row"),
    ("builtins", "/* WorkgroupId */", "/* LocalInvocationId */", "WorkgroupId (26): LocalInvocationId"),
    ("builtins", "{26, {BOTH,", "{26, {GROUP,", "WorkgroupId: a subgroup is part"),
    ("builtins", "{26, {BOTH,", "{26, {BOHT,", "cannot read '{26"),
    ("builtins", "{26,", "{29,", "built-ins: 27 after 29"),
    ("builtins", "{6021,", "{6022,", "CullMaskKHR: no grammar has it"),
    ("c", "[GLSLstd450Cross] = JOIN,", "", "Cross: no row"),
    ("c", "[GLSLstd450Cross]", "[GLSLstd450Cros]", "Cros: not in the grammar"),
]


def main():
    grammars = [of_tables()] + [of_json(d) for d in sys.argv[1:] or [gen_grammar.DEFAULT_DIR]]
    with open(os.path.join(gen_grammar.DEFAULT_DIR, GLSL), encoding="utf-8") as f:
        instructions = [i["opname"] for i in json.load(f)["instructions"]]
    texts = {}
    for key, name in FILES.items():
        with open(os.path.join(ANALYSIS, name), encoding="utf-8") as f:
            texts[key] = f.read()

    wrong = faults(texts, grammars, instructions)
    for which, there, instead, said in [] if wrong else SPOILED:
        if texts[which].count(there) != 1:
            wrong.append("self-test: '%s' is not once in %s" % (there.strip(), FILES[which]))
            continue
        found = faults(dict(texts, **{which: texts[which].replace(there, instead)}), grammars, instructions)
        if not any(said in line for line in found):
            wrong.append("self-test: '%s' for '%s' gives %s" % (instead.strip(), there.strip(), found or "nothing"))
    print("\n".join(wrong) or "%d opcodes, %d built-ins, %d instructions of GLSL.std.450; %d ways to spoil them noticed" % (
        len(grammars[0].ops), len(grammars[0].builtins), len(instructions), len(SPOILED)))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
