# SPDX-License-Identifier: Apache-2.0
"""The random programs of programs.py for other stages than compute.

The text is that of a compute program whose built-in variables are replaced by those of the stage; the program becomes a
function that main calls. In graphics and ray tracing all invocations of the draw or the rays are one group, so there is
one group of lanes, without shared memory and barriers. Stages in which a driver has no subgroup operations get none.
"""
import os
import random
import re

from programs import GROUPS, LANES, Program, Block, mark  # noqa: F401

FRAMES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "frames")
NO_SUBGROUPS = {"lavapipe": {"vert", "tesc", "tese", "geom", "rgen"}, "swiftshader": set()}


class Stage:
    """lanes: of the one group; None: a workgroup, as in compute. lane: its number. by_lane: what differs, or may.
    uniform: what does not. head, begin, end: text. companions: the other shaders. options: of vulkan_log."""

    def __init__(self, lanes, lane, x, y, head, by_lane=(), uniform=(), begin="", end="", companions=(), options=()):
        self.lanes, self.lane, self.x, self.y, self.head = lanes, lane, x, y, head
        self.by_lane, self.uniform = list(by_lane), list(uniform)
        self.begin, self.end, self.companions, self.options = begin, end, companions, list(options)


STAGES = {
    "frag": Stage((4, 2), "(uint(gl_FragCoord.x) + 4u * uint(gl_FragCoord.y))", "uint(gl_FragCoord.x)",
                  "uint(gl_FragCoord.y)",
                  "layout(location = 0) in vec2 smooth_;\nlayout(location = 1) flat in uint flat_;\n"
                  "layout(location = 0) out uvec4 target_;",
                  ["uint(gl_PrimitiveID)", "uint(gl_FrontFacing)", "flat_", "uint(smooth_.x)", "uint(smooth_.y)",
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
    "mesh": Stage(None, "", "", "", "layout(points, max_vertices = 1, max_primitives = 1) out;",
                  begin="SetMeshOutputsEXT(0, 0);"),
}
EXTENSIONS = {"rgen": "GL_EXT_ray_tracing", "task": "GL_EXT_mesh_shader", "mesh": "GL_EXT_mesh_shader"}
WITHOUT_SUBGROUPS = [("subgroupElect()", "(LANE == 1u)"), ("subgroupBroadcastFirst", "same_"),
                     ("gl_SubgroupInvocationID", "LANE"), ("gl_SubgroupLtMask.x", "(1u << LANE)"),
                     ("gl_SubgroupSize", "pc.w[3]"), ("subgroupBallot(true).x & 255u", "0u")]


class StageProgram(Program):
    def __init__(self, seed, driver, stage):
        self.driver, self.stage, self.facts = driver, stage, STAGES[stage]
        self.has_subgroups = stage not in NO_SUBGROUPS[driver]
        self.meets = self.facts.lanes is None
        Program.__init__(self, seed, driver != "swiftshader")

    def shape(self):
        return self.facts.lanes or Program.shape(self)

    def subgroup(self, c, depth):
        if self.has_subgroups:
            return Program.subgroup(self, c, depth)
        return self.by_lane(c) if self.taint > 1 else self.uniform()

    def shared(self, c):
        return Program.shared(self, c) if self.meets else self.assign(c)

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
            return text.replace(layout, layout + facts.head + "\n") + "void main()\n{\n" + begin + end
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
