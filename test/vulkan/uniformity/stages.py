# SPDX-License-Identifier: Apache-2.0
"""The random programs of programs.py for stages other than compute.

The text is that of a compute program whose built-in variables are replaced by those of the stage; the program becomes a
function that main calls. In graphics and ray tracing all invocations of the draw or the rays are one group, so there is
one group of lanes, without shared memory and barriers. Stages in which a driver has no subgroup operations get none.
"""
import os
import random
import re

from programs import GROUPS, LANES, SITES, Program, Block, mark  # noqa: F401

FRAMES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "frames")
NO_SUBGROUPS = {"lavapipe": {"vert", "tesc", "tese", "geom", "rgen"}, "swiftshader": set()}


class Stage:
    """lanes: of the only group; None: a workgroup, as in compute. lane: its number. by_lane: divergent values. uniform:
    uniform values. head, begin, end: text. companions: the other shaders. options: of vulkan_log."""

    def __init__(self, lanes, lane, x, y, head, by_lane=(), uniform=(), begin="", end="", companions=(), options=()):
        self.lanes, self.lane, self.x, self.y, self.head = lanes, lane, x, y, head
        self.by_lane, self.uniform = list(by_lane), list(uniform)
        self.begin, self.end, self.companions, self.options = begin, end, companions, list(options)


# Flat inputs, which a random vertex shader writes; r_ has components 1 to 3.
FLAT = ["p_", "q_[0]", "q_[1]", "r_.x", "r_.y", "r_.z", "handed_.a", "handed_.b.x", "handed_.b.y", "s_"]
FLAT_BLOCK = """layout(location = 2) flat WAY uint p_;
layout(location = 3) flat WAY uint q_[2];
layout(location = 5, component = 1) flat WAY uvec3 r_;
layout(location = 6) WAY Handed { flat uint a; flat uvec2 b; } handed_;
layout(location = 8) flat WAY uint s_;
"""
GIVEN_BY_TASK = """struct Given { uint base, w[8]; };
taskPayloadSharedEXT Given given_;
"""

STAGES = {
    "frag": Stage((4, 2), "(uint(gl_FragCoord.x) + 4u * uint(gl_FragCoord.y))", "uint(gl_FragCoord.x)",
                  "uint(gl_FragCoord.y)",
                  "layout(location = 0) in vec2 smooth_;\nlayout(location = 1) flat in uint flat_;\n"
                  "layout(location = 0) out uvec4 target_;\n" + FLAT_BLOCK.replace("WAY", "in"),
                  FLAT + ["uint(gl_PrimitiveID)", "uint(gl_FrontFacing)", "flat_", "uint(smooth_.x)", "uint(smooth_.y)",
                   "uint(gl_HelperInvocation)", "uint(abs(dFdx(smooth_.x)) + abs(dFdy(float(g0 & 7u))))",
                   "uint(fwidth(gl_FragCoord.x))"],
                  end="target_ = uvec4(flat_, uint(smooth_.x), n_, 1u);",
                  companions=["values.vert"], options=["--vertices", "6"]),
    "vert": Stage((8, 1), "uint(gl_VertexIndex)", "uint(gl_VertexIndex)", "uint(gl_InstanceIndex)", "",
                  ["uint(gl_InstanceIndex)"], end="gl_Position = vec4(0.0); gl_PointSize = 1.0;",
                  options=["--points", "8"]),
    "tesc": Stage((3, 4), "uint(gl_PrimitiveID * 3 + gl_InvocationID)", "uint(gl_InvocationID)",
                  "uint(gl_PrimitiveID)", "layout(vertices = 3) out;",
                  ["uint(gl_PatchVerticesIn)", "uint(gl_in[gl_InvocationID].gl_Position.x)"],
                  end="gl_out[gl_InvocationID].gl_Position = vec4(0.0);\n\tgl_TessLevelOuter[0] = 1.0; "
                      "gl_TessLevelOuter[1] = 1.0; gl_TessLevelOuter[2] = 1.0; gl_TessLevelInner[0] = 1.0;",
                  companions=["patch.vert", "patch.tese"], options=["--vertices", "12"]),
    "tese": Stage((3, 4), "(uint(gl_PrimitiveID) * 3u + (gl_TessCoord.x > 0.5 ? 0u : gl_TessCoord.y > 0.5 ? 1u : 2u))",
                  "uint(gl_TessCoord.x)", "uint(gl_PrimitiveID)", "layout(triangles) in;",
                  ["uint(gl_TessCoord.y)", "uint(gl_PatchVerticesIn)", "uint(gl_TessLevelInner[0])",
                   "uint(gl_in[1].gl_Position.x)"],
                  end="gl_Position = vec4(0.0);",
                  companions=["patch.vert", "patch.tesc"], options=["--vertices", "12"]),
    "geom": Stage((2, 4), "uint(gl_PrimitiveIDIn * 2 + gl_InvocationID)", "uint(gl_InvocationID)",
                  "uint(gl_PrimitiveIDIn)",
                  "layout(points, invocations = 2) in;\nlayout(points, max_vertices = 1) out;",
                  ["uint(gl_in[0].gl_Position.x)"], end="gl_Position = vec4(0.0);",
                  companions=["patch.vert"], options=["--points", "4"]),
    "rgen": Stage((16, 1), "gl_LaunchIDEXT.x", "gl_LaunchIDEXT.x", "gl_LaunchIDEXT.y", "",
                  uniform=["gl_LaunchSizeEXT.x", "gl_LaunchSizeEXT.y"]),
    "task": Stage(None, "", "", "", "taskPayloadSharedEXT uint payload_;", end="EmitMeshTasksEXT(0, 0, 0);",
                  companions=["nothing.mesh"]),
    "mesh": Stage(None, "", "", "", "layout(points, max_vertices = 1, max_primitives = 1) out;\n" + GIVEN_BY_TASK,
                  begin="SetMeshOutputsEXT(0, 0);"),
}
EXTENSIONS = {"rgen": "GL_EXT_ray_tracing", "task": "GL_EXT_mesh_shader", "mesh": "GL_EXT_mesh_shader"}
WITHOUT_SUBGROUPS = [("subgroupElect()", "(LANE == 1u)"), ("subgroupBroadcastFirst", "same_"),
                     ("gl_SubgroupInvocationID", "LANE"), ("gl_SubgroupLtMask.x", "(1u << LANE)"),
                     ("gl_SubgroupSize", "pc.w[3]"), ("subgroupBallot(true).x & 255u", "0u")]


def by_helpers(stores, seed):
    """In some programs, functions make some of the stores: directly, of their arguments, or by calling another one. One
    that may return before storing leaves an output undefined."""
    r = random.Random(seed * 17 + 3)
    functions, calls = "", []

    for i, store in enumerate(stores):
        to, what = re.match(r"(\S+) = (.*);", store).groups()
        kind = r.random() if seed % 2 else 0
        if kind < 0.4:
            calls.append(store)
            continue
        if kind < 0.6:
            functions += "void set%d_(uint value)\n{\n\t%s = value;\n}\n" % (i, to)
            calls.append("set%d_(%s);" % (i, what))
            if r.random() < 0.3:
                calls.append("set%d_(%s);" % (i, r.choice(["pc.w[5]", "uint(gl_VertexIndex)"])))
            continue
        early = "\tif ((%s & 1u) == 1u)\n\t\treturn;\n" % r.choice(["pc.w[6]", "uint(gl_VertexIndex)"])
        functions += "void set%d_()\n{\n%s\t%s\n}\n" % (i, early if kind > 0.93 else "", store)
        if kind > 0.8:
            functions += "void outer%d_()\n{\n\tset%d_();\n}\n" % (i, i)
        call = "%s%d_();" % ("outer" if kind > 0.8 else "set", i)
        calls.append(call if r.random() < 0.85 else "if ((pc.w[2] & 2u) == 0u) { %s }" % call)
    return functions, calls


def vertex_before(seed):
    """The vertex shader of fragment programs: values.vert, with random stores to its outputs. Some components are never
    written; inputs that read them are undefined, and must not be called uniform."""
    r = random.Random(seed * 11 + 5)
    same = ["pc.w[%d]" % i for i in range(8)] + ["3u", "7u", "kept_"]
    mixed = same * 2 + ["uint(gl_VertexIndex)", "uint(gl_VertexIndex) / 3u", "moved_", "uint(gl_InstanceIndex)"]

    def number(choices):
        a = r.choice(choices)
        return a if r.random() < 0.5 else "(%s %s %s)" % (a, r.choice("+^*&|"), r.choice(choices))

    def condition():
        return "(%s & %du) %s 0u" % (number(mixed if r.random() < 0.4 else same), r.choice([1, 2, 4]),
                                     r.choice(["==", "!="]))

    def stores(depth):
        lines = []
        for _ in range(r.randrange(1, 4)):
            to, what, kind = r.choice(FLAT + ["kept_", "moved_"]), number(r.choice([same, mixed])), r.random()
            if kind < 0.55 or depth == 2:
                lines.append("%s = %s;" % (to, what))
            elif kind < 0.62:
                lines.append("store_();")
            elif kind < 0.80:
                lines += ["if (%s) {" % condition()] + stores(depth + 1) + (
                    ["} else {"] + stores(depth + 1) if r.random() < 0.5 else []) + ["}"]
            elif kind < 0.92:
                lines += ["for (uint i%d_ = 0u; i%d_ < (%s & 3u); i%d_++) {" % (depth, depth, what, depth)] + stores(
                    depth + 1) + ["}"]
            else:
                lines.append("if (%s) { gl_Position = vec4(corner, 0.0, 1.0); return; }" % condition())
        return lines

    with open(os.path.join(FRAMES, "values.vert")) as f:
        head, body = f.read().split("void main()\n{\n")
    first = ["%s = %s;" % (to, number(r.choice([same, same, mixed]))) for to in FLAT if r.random() < 0.9]
    helpers, first = by_helpers(first, seed)
    return (head + FLAT_BLOCK.replace("WAY", "out") +
            "layout(push_constant) uniform Push { uint w[8]; } pc;\nuint kept_ = 4u, moved_ = 5u;\n"
            "void store_()\n{\n\t%s = %s;\n}\n" % (r.choice(FLAT + ["kept_"]), number(r.choice([same, mixed]))) +
            helpers +
            "void main()\n{\n" + body.rstrip().rstrip("}").replace("\tgl_Position", "%s\n\tgl_Position" % "\n".join(
                "\t" + line for line in first + [s for _ in range(4) for s in stores(0)])) + "}\n")


GIVEN = """layout(location = 2) in uint p_in[];
layout(location = 3) in uint q_in[][2];
layout(location = 5, component = 1) in uvec3 r_in[];
layout(location = 6) in Handed { uint a; uvec2 b; } handed_in[];
layout(location = 8) in uint s_in[];
"""


def geometry_before(seed):
    """A geometry shader between that one and the programs: its outputs are passed on, computed again, or divergent."""
    r = random.Random(seed * 13 + 7)

    def given(name, vertex):
        base, part = re.match(r"(\w+)_(.*)", name).groups()
        return "%s_in[%s]%s" % (base, vertex, part)

    def value(name, vertex, same):
        kind = r.random()
        if kind < 0.4:
            return given(name if r.random() < 0.8 else r.choice(FLAT), r.choice([vertex, vertex, "0", "2"]))
        if kind < 0.6 or same:
            return "(%s %s pc.w[%s])" % (given(name, vertex), r.choice("+^*&|"),
                                         r.choice(["1", "3", "pc.w[0] & 7u", given(name, "1") + " & 7u"]))
        return r.choice(["uint(gl_PrimitiveIDIn)", "uint(%s)" % vertex, "flat_in[%s]" % vertex, "5u", "pc.w[2]"])

    chosen = {name: value(name, "i", r.random() < 0.5) for name in FLAT if r.random() < 0.95}

    def stores(vertex):
        lines = ["gl_Position = gl_in[%s].gl_Position;" % vertex, "smooth_ = smooth_in[%s];" % vertex,
                 "flat_ = flat_in[%s];" % vertex]
        for name, what in chosen.items():
            if r.random() < 0.08:
                what = value(name, "i", False)
            line = "%s = %s;" % (name, re.sub(r"\bi\b", vertex, what))
            if r.random() < 0.04:
                line = "if ((pc.w[1] & 1u) == 0u) { %s }" % line
            if r.random() > 0.04:
                lines.append(line)
        return lines + ["EmitVertex();"]

    body = ["for (int i = 0; i < 3; i++) {"] + stores("i") + ["}"]
    if r.random() < 0.5:
        body = [line for vertex in "012" for line in stores(vertex)]
    return ("#version 460\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n"
            "layout(location = 0) in vec2 smooth_in[];\nlayout(location = 1) in uint flat_in[];\n" + GIVEN +
            "layout(location = 0) out vec2 smooth_;\nlayout(location = 1) flat out uint flat_;\n" +
            FLAT_BLOCK.replace("WAY", "out") + "layout(push_constant) uniform Push { uint w[8]; } pc;\n"
            "void main()\n{\n" + "".join("\t%s\n" % line for line in body) + "}\n")


def task_before(seed):
    """The task shader before mesh programs: two workgroups of the first one and one of the second share a payload, each
    element of which one invocation fills with a value that may differ between all of them."""
    r = random.Random(seed * 19 + 1)
    values = ["pc.w[%d]" % i for i in range(8)] + ["gl_WorkGroupID.x", "gl_LocalInvocationIndex", "3u"]
    stores = ["if (gl_LocalInvocationIndex == %du)\n\t\tgiven_.w[%d] = %s %s %s;" % (
        r.randrange(4), i, r.choice(values), r.choice("+^|"), r.choice(values)) for i in range(8)]
    if r.random() < 0.5:  # or all of them the same
        stores.append("given_.w[%d] = pc.w[%d] + gl_WorkGroupID.x;" % (r.randrange(8), r.randrange(8)))
    return ("#version 460\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 4) in;\n"
            "layout(push_constant) uniform Push { uint w[8]; } pc;\n" + GIVEN_BY_TASK + "void main()\n{\n"
            "\tgiven_.base = 2u * gl_WorkGroupID.x;\n" + "".join("\t%s\n" % s for s in stores) + "\tbarrier();\n"
            "\tEmitMeshTasksEXT(gl_WorkGroupID.x < 2u ? 2u - gl_WorkGroupID.x : 0u, 1, 1);\n}\n")


def by_payload(text, seed):
    """A mesh program that takes its number, and some uniform or divergent values, from the payload."""
    r = random.Random(seed)

    def read(n):
        return r.choice(["given_.w[%s]" % n] * 3 + ["given_.w[(%s + pc.w[%s]) & 7u]" % (n, n), "pc.w[%s]" % n])

    head, body = text.split("void body_()", 1)
    body = re.sub(r"\bpc\.w\[(\d)\]", lambda m: read(m[1]), body)
    own = "given_.w[gl_LocalInvocationIndex & 7u]"
    body = re.sub(r"gl_GlobalInvocationID\.x", lambda m: r.choice([m[0], own]), body)
    return re.sub(r"gl_WorkGroupID\.x", "(given_.base + gl_WorkGroupID.x)", head + "void body_()" + body)


def in_payload(text, seed):
    """A task program, every other time with its payload as shared memory."""
    if seed % 2:
        return text
    found = re.findall(r"^shared (uint (\w+)(\[\d+\])?;)\n", text, re.M)
    text = re.sub(r"^shared .*\n", "", text, flags=re.M)
    text = re.sub(r"\b(%s)\b" % "|".join(name for _, name, _ in found), r"payload_.\1", text)
    own = "struct Own { %s };\ntaskPayloadSharedEXT Own payload_;" % " ".join(member for member, _, _ in found)
    return text.replace("taskPayloadSharedEXT uint payload_;", own)


CHANGED = {"mesh": by_payload, "task": in_payload}


class StageProgram(Program):
    def __init__(self, seed, driver, stage, has_subgroups=False):
        self.driver, self.stage, self.facts = driver, stage, STAGES[stage]
        self.has_subgroups = has_subgroups or stage not in NO_SUBGROUPS[driver]
        self.meets = self.facts.lanes is None
        Program.__init__(self, seed, driver != "swiftshader")
        if stage == "frag":  # before anything that might leave main
            probes = [self.probe_of(e) for e in self.r.sample(FLAT, 4)]
            self.main[:0] = [p for p in probes if self.sites < SITES]

    def shape(self):
        return self.facts.lanes or Program.shape(self)

    def subgroup(self, c, depth):
        if self.has_subgroups:
            return Program.subgroup(self, c, depth)
        return self.by_lane(c) if self.taint > 1 else self.uniform()

    def shared(self, c):
        return Program.shared(self, c) if self.meets else self.assign(c)

    def of_stage(self, c):
        return ["killed"] * 2 if self.stage == "frag" and c.depth < 3 else []

    def killed(self, c):
        """Some invocations are killed, by a comparison or otherwise; and values that the others then seem to share."""
        r, x, y = self.r, self.name("u"), self.name("y")
        self.left = True
        if self.chance(0.2):
            return Block(["if (%s) discard;" % self.divergent(c), self.probe(c)])
        first = "%s & 3u" % r.choice(["gl_LocalInvocationIndex", "gl_LocalInvocationID.x", self.number(c, 1, 0.4)])
        other = r.choice(["subgroupBroadcastFirst(%s)" % x] * self.has_subgroups +
                         ["(%s & 3u)" % self.uniform(), "%du" % r.randrange(4),
                          "(%s & 3u)" % self.number(c.apart(), 1)])
        inside = Block([self.probe_of(x)] + self.statements(c.inside(), 0, 1))
        how = r.randrange(5)
        if how == 0:
            body = ["if (%s != %s) discard;" % (x, other)]
        elif how == 1:
            body = ["if (%s == %s) {" % (x, other), inside, "} else", "\tdiscard;"]
        elif how == 2:
            body = ["switch (%s) {" % x, "case 0u:", "case 2u:", inside, "\tbreak;", "case 1u:",
                    Block([self.probe_of(x)]), "\tbreak;", "default:", "\tdiscard;", "}"]
        elif how == 3:
            body = ["uint %s = %s;" % (y, self.constant()), "if (%s == %s)" % (x, other),
                    "\t%s = %s;" % (y, self.uniform()), "else", "\tdiscard;", self.probe_of(y)]
        else:
            body = ["if (%s && %s != %s) discard;" % (self.any_condition(c), x, other)]
        return Block(["uint %s = %s;" % (x, first), body, self.probe_of(x), self.probe_of(
            "%s + %s" % (x, self.uniform()))])

    def text(self):
        text, facts = Program.text(self), self.facts
        end = "\tbody_();\n%s}\n" % ("\t%s\n" % facts.end if facts.end else "")
        begin = "\t%s\n" % facts.begin if facts.begin else ""
        text = text.replace("void main()\n{\n", "void body_()\n{\n")
        extension = EXTENSIONS.get(self.stage)
        if extension:
            text = text.replace("#version 460\n", "#version 460\n#extension %s : require\n" % extension)
        if self.meets:
            layout = re.search(r"layout\(local_size_x.*\n", text).group(0)
            text = text.replace(layout, layout + facts.head + "\n")
            return CHANGED.get(self.stage, lambda text, _: text)(text, self.seed) + "void main()\n{\n" + begin + end
        # one for each subgroup, as far as lanes know
        sid = "subgroupMin(LANE)%s" % (" * 8u + flat_" if self.stage == "frag" else "")
        begin += "\tsid_ = %s;\n" % (sid if self.has_subgroups else "LANE")
        r = random.Random(self.seed)
        replaced = [("gl_SubgroupID", "sid_"), ("gl_LocalInvocationIndex", "LANE"), ("gl_WorkGroupSize.x", "8u"),
                    ("gl_WorkGroupSize.y", "2u"), ("gl_WorkGroupID.x", "pc.w[0]"), ("gl_WorkGroupID.y", "pc.w[4]"),
                    ("gl_NumSubgroups", "pc.w[2]"), ("gl_LocalInvocationID.x", facts.x),
                    ("gl_LocalInvocationID.y", facts.y), ("gl_GlobalInvocationID.y", facts.y)]
        text = re.sub(r"layout\(local_size_x.*\n", facts.head + "\nuint sid_ = 0u;\nuint same_(uint x) { return x; }\n",
                      text)
        text = re.sub(r"#define LANE .*", "#define LANE %s" % facts.lane, text).replace("shared uint ", "uint ")
        for a, b in replaced + (WITHOUT_SUBGROUPS if not self.has_subgroups else []):
            text = text.replace(a, b)
        choices = [e for e in facts.by_lane if self.driver != "swiftshader" or "PrimitiveID" not in e] + ["LANE"]
        text = re.sub(r"gl_GlobalInvocationID\.x", lambda _: r.choice(choices), text)
        text = re.sub(r"gl_NumWorkGroups\.x", lambda _: r.choice(facts.uniform + ["pc.w[1]"]), text)
        return text + "void main()\n{\n" + begin + end
