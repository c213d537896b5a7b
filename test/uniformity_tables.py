#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""src/ir/opcodes.txt and the tables of uniformity_tables.c agree with the grammars, and cover them.

    uniformity_tables.py [DIR...]

Two grammars: src/ir/grammar_tables.inc, and the JSON in each DIR (the installed one), which tells scopes from other
ids. Then each check is shown to fail: the texts are spoiled, one place at a time, and each fault must be found.
"""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import gen_grammar  # noqa: E402

IR = os.path.join(ROOT, "src", "ir")
ANALYSIS = os.path.join(ROOT, "src", "analysis", "uniformity")
FILES = {"ops": os.path.join(IR, "opcodes.txt"), "builtins": os.path.join(ANALYSIS, "uniformity_builtins.inc"),
         "c": os.path.join(ANALYSIS, "uniformity_tables.c")}
GLSL = "extinst.glsl.std.450.grammar.json"

BITS = {"0": 0, "GROUP": 1, "SUBGROUP": 2, "BOTH": 3, "COMPUTE": 6}
NEEDS_RESOURCE = {"WRITES", "NEVER_DIFFERS", "DERIVES", "QUERY", "ATOMIC"}
SAMPLES = re.compile(r"OpImage(Sparse)?(Sample\w*Lod|(Dref)?Gather|QueryLod)$|OpImageSampleFootprintNV$")
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


def row_faults(columns):
    """Contradictions within a row."""
    for name, (transfer, resources, _, flags) in columns.rows.items():
        if not resources and (flags & NEEDS_RESOURCE or transfer == "MEMORY"):
            yield "%s: no resource" % name
        if ("DERIVES" in flags) != ("ImplicitLod" in name or name in DERIVES):
            yield "%s: implicit level of detail or not" % name
        if ("ATOMIC" in flags) != name.startswith("OpAtomic"):
            yield "%s: atomic or not" % name
        if resources and (resources[0][0] == "SAMPLED_IMAGE") != bool(SAMPLES.match(name)):
            yield "%s: a sampled image or not" % name
        if "JOINS" in flags and "MOVES" not in flags:
            yield "%s: JOINS, but not MOVES" % name


def next_opcode_faults(columns, grammar):
    for op, (names, _) in grammar.ops.items():
        if "EXPLICIT_NEXT" in columns.of(names)[3]:
            following = grammar.ops.get(op + 1, ([""],))[0][0]
            if following != names[0].replace("ImplicitLod", "ExplicitLod"):
                yield "%s: %s is next" % (names[0], following)


def word_kind(operands, word):
    """Kind of the operand at a word; None if it depends on earlier operands, or may be missing."""
    for at, (kind, quantifier) in enumerate(operands, 1):
        if quantifier or kind in ("STRING", "CONTEXT_LITERAL") or kind.startswith("PAIR_"):
            return None
        if at == word:
            return kind
    return None


def op_faults(columns, grammar, newest):
    for op, (names, operands) in grammar.ops.items():
        who = "%s: %d %s" % (grammar.where, op, names[0])
        try:
            transfer, resources, _, flags = columns.of(newest.ops.get(op, [names])[0])
        except gen_grammar.Bad as e:
            yield "%s: %s" % (who, e)
            continue
        if grammar.scope == "SCOPE" and set(names) & set(gen_grammar.CHANGED_PATTERNS):
            continue  # the tables know better
        kinds = [kind for kind, _ in operands]
        if ("TYPE" in kinds) == (transfer == "NONE"):
            yield "%s: %s a result type, but %s" % (who, "has" if "TYPE" in kinds else "has not", transfer)
        for _, word in resources:
            if word_kind(operands, word) != "ID":
                yield "%s: word %d is not an id, but %s" % (who, word, word_kind(operands, word))
        if grammar.scope == "SCOPE" and ("GroupOperation" in kinds) != (transfer == "GROUP_OPERATION"):
            yield "%s: Reduce or scan, or none; and %s" % (who, transfer)
        if "NOTE" in flags and word_kind(operands, 1) != "ID":
            yield "%s: word 1 is not an id" % who
        if transfer in ("BY_SCOPE", "GROUP_OPERATION") and word_kind(operands, 3) != grammar.scope:
            yield "%s: word 3 is not a scope" % who


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
                    yield "%s: BuiltIn %s (%d): %s" % (grammar.where, name, value,
                                                       " ".join(rows.get(value, ["no row"])))
    for value in sorted(set(rows) - known):
        yield "%s: no grammar has it" % rows[value][0]


def glsl_faults(text, instructions, transfers):
    rows = dict(re.findall(r"\[GLSLstd450(\w+)\] = (\w+),", text))
    for name in instructions:
        if rows.get(name, "MISSING") not in transfers:
            yield "GLSL.std.450 %s: %s" % (name, rows.get(name, "no row"))
    for name in sorted(set(rows) - set(instructions)):
        yield "GLSL.std.450 %s: not in the grammar" % name


def faults(texts, grammars, instructions):
    try:
        columns = gen_grammar.Columns(text=texts["ops"])
    except gen_grammar.Bad as e:
        return [str(e)]
    found = list(row_faults(columns))
    for grammar in grammars:
        found += op_faults(columns, grammar, grammars[0])
    if not found:
        found += next_opcode_faults(columns, grammars[0])
    known = {name for g in grammars for names, _ in g.ops.values() for name in names}
    found += ["%s: no grammar has it" % name for name in columns.rows if name not in known]
    found += builtin_faults(texts["builtins"], grammars)
    found += glsl_faults(texts["c"], instructions, set(columns.declared["transfer"]) - {"MISSING"})
    return found


# file, original text, replacement, expected message (a part of one line)
LOAD, STORE = "MEMORY POINTER@3 IN_TURNS\n\tOpLoad\n", "NONE POINTER@1 MOVES WRITES IN_TURNS\n\tOpStore\n"
SPOILED = [
    ("ops", LOAD, "", "61 OpLoad: opcodes.txt: no row"),
    ("ops", LOAD, LOAD.replace("OpLoad", "OpLoda"), "no row for OpLoad"),
    ("ops", LOAD, LOAD.replace("OpLoad", "OpLoad OpLoda"), "OpLoda: no grammar has it"),
    ("ops", LOAD, LOAD + LOAD, "OpLoad twice"),
    ("ops", LOAD, LOAD + "NONE\n\tOpDecorateStringGOOGLE\n", "twice: OpDecorateString OpDecorateStringGOOGLE"),
    ("ops", LOAD, LOAD.replace("MEMORY", "MEMROY"), "no transfer 'MEMROY'"),
    ("ops", LOAD, LOAD.replace("POINTER", "POINTRE"), "'POINTRE@3' is not a resource"),
    ("ops", LOAD, LOAD.replace("IN_TURNS", "IN_TURN"), "'IN_TURN' is no"),
    ("ops", LOAD, LOAD.replace("MEMORY", "NONE"), "has a result type, but NONE"),
    ("ops", LOAD, LOAD.replace("@3", "@2"), "word 2 is not an id, but RESULT"),
    ("ops", LOAD, LOAD.replace("@3", "@4"), "word 4 is not an id, but None"),
    ("ops", LOAD, LOAD.replace("POINTER@3 ", ""), "OpLoad: no resource"),
    ("ops", LOAD, LOAD.replace("POINTER", "SAMPLED_IMAGE"), "OpLoad: a sampled image or not"),
    ("ops", LOAD, LOAD.replace("IN_TURNS", "DERIVES"), "OpLoad: implicit level"),
    ("ops", LOAD, LOAD.replace("IN_TURNS", "ATOMIC"), "OpLoad: atomic or not"),
    ("ops", LOAD, LOAD.replace("IN_TURNS", "EXPLICIT_NEXT"), "OpLoad: OpStore is next"),
    ("ops", STORE, STORE.replace("NONE", "JOIN"), "has not a result type, but JOIN"),
    ("ops", STORE, STORE.replace("MOVES", "JOINS"), "OpStore: JOINS, but not"),
    ("ops", "NONE section:EXTENSION\n", "NONE section:EXTENSIONS\n", "'section:EXTENSIONS' is no"),
    ("ops", "NONE section:EXTENSION\n", "NONE section:EXTENSION NOTE\n", "OpExtension: word 1 is not an id"),
    ("ops", "VARYING POINTER@3 ATOMIC IN_TURNS\n", "VARYING POINTER@4 ATOMIC IN_TURNS\n",
     "word 4 is not an id, but SCOPE"),
    ("ops", "\nCOMPONENTWISE\n", "\nBY_SCOPE\n", "128 OpIAdd: word 3 is not a scope"),
    ("ops", "\nGROUP_OPERATION\n", "\nBY_SCOPE\n", "264 OpGroupIAdd: Reduce or scan"),
    ("ops", " OpTypeTensorARM", " OpTypeTenseARM", "4163 OpTypeTensorARM: opcodes.txt: no row"),
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
        with open(name, encoding="utf-8") as f:
            texts[key] = f.read()

    wrong = faults(texts, grammars, instructions)
    for which, there, instead, said in [] if wrong else SPOILED:
        if texts[which].count(there) != 1:
            wrong.append("self-test: '%s' is not once in %s" % (there.strip(), os.path.basename(FILES[which])))
            continue
        found = faults(dict(texts, **{which: texts[which].replace(there, instead)}), grammars, instructions)
        if not any(said in line for line in found):
            wrong.append("self-test: '%s' for '%s' gives %s" % (instead.strip(), there.strip(), found or "nothing"))
    print("\n".join(wrong)
          or "%d opcodes, %d built-ins, %d instructions of GLSL.std.450; %d ways to spoil them noticed" % (
        len(grammars[0].ops), len(grammars[0].builtins), len(instructions), len(SPOILED)))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
