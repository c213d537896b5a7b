# SPDX-License-Identifier: Apache-2.0
"""The files of test/sessions.py: modules of random declarations, policies, locks, manifests, source texts, and damage.
All follow from the chance that is given."""
import json
import os
import re

import running
from module_text import Module
from running import read


# Modules: each is made once

NAMES = ["albedo", "normals", "shadow", "camera", "lights", "linear", "clamped", "bones", "queue", "history"]
ODD = ["a b", "gr\u00f6\u00dfe", 'quo"te', "back\\slash", "int", "x-y", "a.b.c", "9lives", "l" * 70, "tab\there",
       "#hash", "%20", "", "albedo", "*", "set=1", "<b>&amp;</b>", "\u202eright",
       "delete\x7f it", "not \udcff\udce2\udc82 UTF-8", "\udced\udca0\udc80", "\u20ac\U0001f600",
       "\x7f\x80\u07ff\u0800\ud7ff\ue000", "\uffff\U00010000\U0010ffff", "\udcf4\udc90\udc80\udc80",
       "\udcf5\udc80\udc80\udc80",
       "\udcf0\udc8f\udcbf\udcbf", "\udce0\udc9f\udcbf", "\udcc1\udcbf", "\udcc2 \udce2\udc82 \udcf0\udc90\udc80", "12"]
RESOURCES = "t t tex cube s s b b ubo ssbo ssbo rossbo u utexbuf img roimg comb comb as rw append counter".split()
STAGES = ["GLCompute", "Fragment", "Vertex", "Fragment"]


def declaration(chance, name):
    if chance.random() < 0.1:
        kind = "{%s}" % " ".join("m%d:%s" % (i, chance.choice("tsut")) for i in range(chance.randrange(1, 4)))
    else:
        kind = chance.choice(RESOURCES)
    dims = chance.choice(["", "", "", "", "[2]", "[3]", "[2][2]", "[]"])
    place = chance.choice(["", "", "", "@%d" % chance.randrange(9), "@,%d" % chance.randrange(3),
                           "@%d,%d" % (chance.randrange(6), chance.randrange(3))])
    return "%s:%s%s%s%s" % (name, kind, dims, place, "!" * (chance.random() < 0.15))


def program(chance, least=1, most=6):
    """Declarations, one resource each."""
    names = chance.sample(NAMES, chance.randrange(least, most + 1))
    return [declaration(chance, name) for name in names] + ["push:push"] * (chance.random() < 0.1)


def edited(chance, declarations):
    """The same program a week later."""
    found = list(declarations)
    for _ in range(chance.randrange(1, 4)):
        names = [d.split(":")[0] for d in found]
        left = [n for n in NAMES if n not in names]
        change = chance.randrange(5)
        at = chance.randrange(len(found))
        if change == 0 and left:
            found.insert(at, declaration(chance, chance.choice(left)))
        elif change == 1 and len(found) > 1:
            del found[at]
        elif change == 2:
            found[at] = declaration(chance, names[at])
        elif change == 3 and left and names[at] != "push":
            found[at] = chance.choice(left) + found[at][len(names[at]):]
        else:
            chance.shuffle(found)
    return found


SCRATCH = None  # a folder
MADE = {}


def made():
    return os.path.join(SCRATCH, "made.spv")


def module(declarations, stage="GLCompute", renamed=(), handles=()):
    """The bytes; renamed: pairs of a name and what it becomes."""
    text = Module(" ".join(declarations), stage=stage, handles=handles, source="HLSL 600").text()
    said = dict(renamed).get("OpSource", "")
    text = text.replace("OpSource HLSL 600\n", said)
    for old, new in renamed:
        if old == "OpSource":
            continue
        quoted = new.replace("\\", "\\\\").replace('"', '\\"')
        text = text.replace(' "%s"' % old, ' "%s"' % quoted)
    if text not in MADE:
        version = "spv1.4" if "RayTracingKHR" in text else "spv1.3"
        done = running.run_bytes("spirv-as", "--target-env", version, "-", "-o", made(),
                                 stdin=text.encode(errors="surrogateescape"))
        assert not done.stderr, done.stderr
        MADE[text] = read(made())
    return MADE[text]


# Damage

def damaged(chance, text):
    """A text with one to three changes, some of which are none."""
    for _ in range(chance.randrange(1, 4)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        words = re.findall(r"\s+|[\w.*-]+|.", lines[at]) or [""]
        k = chance.randrange(len(words))
        change = chance.randrange(9)
        if change == 0:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif change == 1:
            del lines[at]
        elif change == 2:
            other = re.findall(r"[\w.*-]+|[=:{}\[\],]", text) or ["x"]
            words[k] = chance.choice(other)
        elif change == 3:
            del words[k]
        elif change == 4:
            words[k] = chance.choice(["-1", "0", "1", "7", "4294967295", "4294967296", "9" * 20, "1x", "0x10"])
        elif change == 5:
            words[k] = words[k][:-1]
        elif change == 6:
            words[k] = chance.choice(['"', "\\", "\t", "\x01", "\u00e9", "#", "=", "*", "->", "''", '"a b"'])
        elif change == 7:
            words.insert(k, words[chance.randrange(len(words))])
        else:
            return text[:chance.randrange(len(text) + 1)]
        if change > 1:
            lines[at] = "".join(words)
        text = "\n".join(lines)
    return text


def damaged_json(chance, text):
    """Other values, or fewer, in what is still JSON."""
    try:
        root = json.loads(text)
    except ValueError:
        return text
    for _ in range(chance.randrange(1, 4)):
        at, parent, key = root, None, None
        while isinstance(at, (dict, list)) and at and (parent is None or chance.random() < 0.85):
            parent, key = at, chance.choice(sorted(at) if isinstance(at, dict) else range(len(at)))
            at = parent[key]
        if parent is None:
            break
        if chance.random() < 0.3:
            del parent[key]
        elif isinstance(at, int) and chance.random() < 0.7:
            parent[key] = chance.choice([0, 1, at + 1, -1, 2 ** 32, 1.5])
        else:
            parent[key] = chance.choice([None, True, 3, "", "x", [], {}, [at], {"a": at}, [at, at], "0", 2 ** 70])
    return json.dumps(root, indent=chance.choice([None, 1]), ensure_ascii=chance.random() < 0.5)

# Policies

CONDITIONS = ["name=albedo", "name=l*", "name=?h*", "kind=texture", "kind=sampler,ubo", "kind=ssbo,image", "class=t",
              "class=u,b", "stage=fragment", "stage=compute,vertex", "access=read", "access=write", "set=0", "set=0..1",
              "register=0..4", "register=2"]
ACTIONS = ["set=%d", "binding=%d", "set=2 binding=%d", "binding=auto", "set=1 binding=auto", "range=%d..30",
           "set=1 range=8..%d", "order=%d"]
DECISIONS = ["type=dynamic", "type=plain", "type=inline-uniform-block", "samplers=immutable", "samplers=plain",
             "flags=update-after-bind", "flags=none", "flags=partially-bound,update-unused-while-pending",
             "flags=variable-descriptor-count"]
POLICY_OPTIONS = ["rules=hlsl", "rules=slang", "unused=last", "unused=remove", "fixed=registers", "arrays=each",
                  "structs=apart", "counters=last", "counters=beside", "heaps=default-set", "merge=no", "shift=base",
                  "shift=auto", "sets=first", "sets=in-order"]


def policy_line(chance):
    conditions = " ".join(chance.sample(CONDITIONS, chance.choice([0, 1, 1, 2, 3])))
    action = chance.choice(ACTIONS)
    action = action % chance.randrange(12) if "%" in action else action
    return chance.choice([
        "place %s -> %s" % (conditions, action), "place %s -> %s" % (conditions, action),
        "block name=" + chance.choice(["l*", "albedo", "s*", "l* -> set=%d" % chance.randrange(5), "s* -> set=2"]),
        "refuse %s -> say=\"not %s\"" % (conditions or "kind=image", conditions.replace('"', "")),
        "descriptor %s -> %s" % (conditions.replace("register", "binding"), chance.choice(DECISIONS)),
        "push set=%d" % chance.randrange(3),
        "reserve set=%d range=%d..5" % (chance.randrange(2), chance.randrange(4)),
        "reserve set=1", "shift class=%s by=%d" % (chance.choice("btsu"), chance.randrange(50)),
        "shift kind=texture,combined%s by=9" % chance.choice(["", " set=1", " stage=fragment"]),
        "shift class=t%s by=3" % chance.choice(["", " set=0", " stage=compute"]),
        "option " + chance.choice(POLICY_OPTIONS), "option " + chance.choice(POLICY_OPTIONS), "# a comment", ""])


def policy(chance):
    ends = ["\n", "\n", "  # why\n"]
    return "".join(policy_line(chance) + chance.choice(ends) for _ in range(chance.randrange(1, 6)))

# Locks

SCOPES = ["", "*", "sky", "m.*", "sky"]


def lock_line(chance, version):
    name = chance.choice(NAMES + ['"a b"', "gr\u00f6\u00dfe"])
    scope = " program=" + chance.choice(SCOPES[1:]) if version == 2 else ""
    kind = chance.choice("texture sampler ubo ssbo image combined utexbuf as".split())
    count = chance.choice(["", "", " count=3"])
    verb = chance.choice(["resource", "resource", "resource", "removed", "heap"])
    ordinal = chance.choice(["", "", "", " ordinal=1"])
    text = "%s %s%s%s set=%d binding=%d kind=%s%s" % (
        verb, name, ordinal, scope, chance.randrange(3), chance.randrange(6), kind, count)
    return chance.choice([text] * 8 + ["shift class=t set=0 by=4"] * (2 - version) +
                         ["share set=%d" % chance.randrange(3), "rename %s -> %s" % tuple(chance.sample(NAMES, 2)),
                          "rename program=sky -> night"] * (version - 1))


def lock_lines(chance, version, count, lines=()):
    """Some lines more, of other resources."""
    found = {re.sub("^removed|^resource|set=.*", "", line): line for line in lines}
    for _ in range(count):
        line = lock_line(chance, version)
        found.setdefault(re.sub("^removed|^resource|set=.*", "", line), line)
    return list(found.values())


def lock_text(lines, version):
    return "lock version=%d\n" % version + "".join(line + "\n" for line in sorted(lines))

# Manifests

def manifest(chance, count):
    """A manifest and its modules."""
    names = chance.sample(["sky", "m.a", "m.b", "m.c", "water", "hud"], count)
    lines = ["options --order=module --validate=none" + chance.choice(["", "", " --rebind=all", " --auto-binding=3"])]
    lines += ["share set=%d%s" % (s, chance.choice(["", "", " programs=m.*"])) for s in range(3)
              if chance.random() < 0.5]
    files, base = {}, program(chance, 6, 9)
    renamed = [(chance.choice(NAMES), chance.choice(ODD))] if chance.random() < 0.2 else []
    for name in names:
        stages = chance.choice([["Fragment"], ["Vertex", "Fragment"], ["GLCompute"]])
        inputs = []
        for stage in stages:
            path = "%s%s.%s.spv" % (chance.choice(["", "", "dir/"]), name, stage[:4].lower())
            taken = [d for d in base if chance.random() < 0.6] or base
            taken = edited(chance, taken) if chance.random() < 0.15 else taken
            files[path] = module(taken, stage, renamed, chance.choice([(), (), (), ("tex", "smp"), ("img",)]))
            inputs.append(path)
        more = chance.choice(["", "", "", " --layout-json=%.json", " --rules=hlsl",
                              " -o x.%s.spv" % name if len(inputs) == 1 else "",
                              " variant-of=" + chance.choice([n for n in names if n != name]), " --bind=l*=1.7"])
        lines.append("program %s: %s%s" % (name, " ".join(inputs), more))
    if chance.random() < 0.2:
        files["more.manifest"] = lines.pop() + "\n"
        lines.append("include more.manifest")
    return "\n".join(lines) + "\n", files

# Source texts, which tell the order of declarations

HLSL = {"t": "Texture2D<float4> %s", "tex": "Texture2D %s", "cube": "TextureCube<float4> %s", "s": "SamplerState %s",
        "b": "cbuffer %s { float4 m; }", "ubo": "ConstantBuffer<Block> %s", "ssbo": "RWStructuredBuffer<float4> %s",
        "rossbo": "StructuredBuffer<Block> %s", "u": "RWBuffer<float> %s", "utexbuf": "Buffer<float> %s",
        "img": "RWTexture2D<float> %s", "roimg": "RWTexture2D<unorm float> %s", "comb": "Texture2D %s",
        "as": "RaytracingAccelerationStructure %s", "rw": "RWStructuredBuffer<uint> %s",
        "append": "AppendStructuredBuffer<float4> %s", "counter": "RWByteAddressBuffer %s"}
GLSL = {"t": "uniform texture2D %s", "s": "uniform sampler %s", "b": "uniform %s_ { vec4 m; } %s",
        "ssbo": "buffer %s_ { vec4 m[]; } %s", "comb": "uniform sampler2D %s", "img": "uniform image2D %s",
        "u": "uniform imageBuffer %s"}
TRUE = ["1", "0x1Fu == 31L", "defined(A) || 7uL == 7", "!defined A && (3 ^ 1) == 2", "2 > 1 ? 1 : 0", "SQ(3) == 9",
        "-7 / 2 == -3 && 1 << 4 == 16", "'a' == 97", "017 == 0xF", "__LINE__ > 1 || 1", "(~0 & 6 | 1) == 7"]
AROUND = ["%s", "%s", "%s", "#if TRUE\n%s\n#endif", "#if !(TRUE)\n#else\n%s\n#endif", "/* a\n * b */ %s // c",
          "#if 0\n#error no\n#elif TRUE\n%s\n#endif", "#ifdef A\n#define B 1\n#endif\n%s", "#ifndef A\n%s\n#endif",
          "%s\n#undef A", "#line 7 \"other.hlsl\"\n%s", "\\\n%s", "#include \"x.h\"\n%s", "#pragma once\n%s",
          "#define JOIN(a, b) a##b\n#define TEXT(a) #a\n%s"]
AROUND_HLSL = ["MAKE(%s)", "namespace n { %s }", "static const float k = 1.0f;\n%s", "[[vk::binding(3, 1)]] %s",
               "float f(float x) { return x * (1 + 2); }\n%s", "struct Block { float4 a[2]; };\n%s",
               "[numthreads(8, 8, 1)]\n%s", "template<typename T> struct V { T v; };\n%s",
               "groupshared float4 g[64];\n%s", "typedef float4 color;\n%s"]


def source_text(chance, declarations, hlsl):
    """As an author might have declared them, in another order."""
    lines = ["#define SQ(x) ((x) * (x))", "#define MAKE(...) __VA_ARGS__"] if hlsl else ["#version 450"]
    for declaration in chance.sample(declarations, len(declarations)):
        found = re.match(r"(\w+):(\w+)((?:\[\d*\])*)", declaration)
        forms = HLSL if hlsl else GLSL
        if not found or found[2] not in forms:
            continue
        text = forms[found[2]].replace("%s", found[1])
        text = text if "cbuffer" in text else text + found[3]
        if hlsl:
            place = chance.choice(["", "", " : register(%s%d)", " : register(%s%d, space1)"])
            place = place % (chance.choice("tsub"), chance.randrange(9)) if place else ""
            text = text.replace(" {", place + " {") if "{" in text else text + place
        else:
            places = ["", "layout(binding = 2) ", "layout(set = 1, binding = 0x3) ", "layout(set = N) "]
            text = chance.choice(places) + text
        condition = " && ".join("(%s)" % c for c in chance.sample(TRUE, 3))
        around = chance.choice(AROUND + AROUND_HLSL * hlsl).replace("TRUE", condition)
        lines.append(around.replace("%s", text + ";"))
    return "\n".join(lines) + "\nvoid main() {}\n"


def with_source(chance, declarations, text, hlsl):
    """A module that says it was made of the text, in one piece or some, perhaps with another file."""
    pieces = [text]
    if chance.random() < 0.3:
        at = chance.randrange(len(text))
        pieces = [text[:at], text[at:]]
    quoted = ['"%s"' % piece.replace("\\", "\\\\").replace('"', '\\"') for piece in pieces]
    language = "HLSL 600" if hlsl else "GLSL 450"
    said = '%%file = OpString "x.hlsl"\nOpSource %s %%file %s\n' % (language, quoted[0])
    said += "".join("OpSourceContinued %s\n" % piece for piece in quoted[1:])
    if chance.random() < 0.3:
        said += '%%other = OpString "x.h"\nOpSource %s %%other "Texture2D other;\\n#define A 1\\n"\n' % language
    return module(declarations, "Fragment", [("OpSource", said)])
