# SPDX-License-Identifier: Apache-2.0
"""Random compute programs for random_uniformity.py: uniform or nearly uniform values, through everything that may make
them diverge.

A program is a tree, so that it can be reduced: a statement is a text, or a list of texts and blocks (lists of
statements, in a Block). Whatever is removed, the rest still terminates, initialises what it reads, and has no races.

An index must depend only on its own data and control flow. So the identity of an execution of a probe (key_: the calls
and iteration numbers around it, three bits for a loop, five for a call) is in variables that nothing else reads.
"""
import random
import re

GROUPS = 3
LANES = 16  # of a workgroup, at most
ENTRIES = 96  # of a lane's log
SITES = 256  # at most
CANARY = 1  # a divergent probe in all programs


def mark(site):
    """A constant that occurs only in probes. The bits below it are the logged values."""
    return 1 << 31 | site << 18


HEADER = """#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_quad : require
%(more)s#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = %(x)d, %(size)slocal_size_y = %(y)d) in;
layout(set = 0, binding = 0) readonly buffer Buf { uint v; } bufs[16];
layout(set = 0, binding = 1) uniform UBuf { uint v; } ubufs[8];
layout(set = 0, binding = 2) buffer Log { uvec2 w[%(words)d]; } log_;
layout(set = 0, binding = 3) uniform Numbers { uvec4 w[4]; } ub;
layout(set = 0, binding = 4) readonly buffer Input { uint w[64]; } ro;
layout(set = 0, binding = 5) buffer State { uint w[64]; uint counter[4]; uint kept[8]; } rw;
layout(push_constant) uniform Push { uint w[8]; } pc;
layout(constant_id = 0) const uint spec = 5u;
struct Inner { uint p; uint q[2]; };
struct Outer { uint a; uvec2 b; Inner i; };
shared uint exchange[%(lanes)d];
shared uint total;
uint g0 = 3u;
uvec2 g1 = uvec2(1u, 2u);
uint g2[4] = uint[4](0u, 1u, 2u, 3u);
Outer g3 = Outer(1u, uvec2(2u), Inner(3u, uint[2](4u, 5u)));
uint n_ = 0u;
uint dotu(uvec2 a) { return a.x * 3u + a.y; }
#define LANE (gl_WorkGroupID.x * %(lanes)du + gl_LocalInvocationIndex)
#define PUT(a, b) log_.w[%(heads)du + LANE * %(entries)du + min(n_, %(last)du)] = uvec2(a, b); n_++
#define BALLOT (subgroupBallot(true).x & 255u)
#define P(site, e) { uint t_ = (e) & 15u; PUT(site + (t_ | bufs[t_ & 15u].v << 4u), key_ << 8u | BALLOT); }
#define Q(site, e) { uint t_ = (e) & 7u; PUT(site + (t_ | ubufs[t_ & 7u].v << 4u), key_ << 8u | BALLOT); }
"""

TYPES = {"u": "uint", "v2": "uvec2", "v4": "uvec4", "A": "uint[4]", "S": "Outer", "AS": "Outer[2]", "AV": "uvec2[2]"}
GLOBALS = {"g0": "u", "g1": "v2", "g2": "A", "g3": "S"}


class Block(list):
    """Statements, any of which may be left out."""


class Context:
    """The context of a statement."""

    def __init__(self, scope, **more):
        self.scope = dict(scope)  # writable variables: name -> type
        self.read = {}  # readable numbers
        self.loops = 0  # around it, in this function
        self.switches = 0  # inside the innermost loop
        self.depth = 0
        self.function = None  # the type it returns; None: main
        self.together = False  # all lanes of a workgroup get here, exactly once
        self.__dict__.update(more)

    def inside(self, **more):
        made = Context(self.scope)
        made.__dict__.update({k: v for k, v in self.__dict__.items() if k != "scope"})
        made.read = dict(self.read)
        made.depth += 1
        made.together = False
        made.__dict__.update(more)
        return made


    def apart(self):
        """A copy for code that not all lanes reach."""
        made = self.inside(depth=self.depth)
        made.scope = self.scope
        return made


class Program:
    stage = "comp"
    meets = True  # the lanes of a group can synchronise

    def __init__(self, seed, clustered=True):
        self.r = random.Random(seed)
        self.seed = seed
        self.clustered = clustered
        self.x, self.y = self.shape()
        self.lanes = self.x * self.y
        self.by_constants = self.chance(0.5)  # so are the elements of all arrays of variables chosen
        # the pipeline overrides the width in the module (log.c)
        self.said_x = self.r.choice([1, 4, 8, 16]) if self.chance(0.15) else 0
        self.names = 0
        self.sites = CANARY
        self.calls = 0
        self.written = []  # (name, what of it)
        self.left = False  # some lanes may have left main
        self.functions = []  # (name, parameters, type it returns)
        self.functions_text = Block()
        self.budget = self.r.randrange(16, 36)
        self.bias = self.r.choice([0.75, 0.85, 0.92])  # probability of uniform operands
        # 0: values differ between lanes by control flow alone; 1: by what is one in a subgroup, too; 2: by anything
        self.taint = self.r.choice([0, 0, 1, 2, 2])
        body = Context({})
        body.together = self.meets
        self.main = Block(self.statements(body, 7, 15))
        while self.budget > 0:
            self.main += self.statements(body, 1, 4)
        while self.sites < 9:
            self.main.append(self.probe(body))
        self.main += [self.probe(body), self.probe(body)]

    def shape(self):
        """The size of a workgroup."""
        return self.r.choice([(8, 1), (8, 1), (16, 1), (16, 1), (4, 2), (1, 8), (8, 2), (1, 1), (6, 1), (2, 2),
                              (12, 1)])

    # the text

    def text(self):
        words = GROUPS * LANES * (ENTRIES + 1)
        head = HEADER % {"x": self.said_x or self.x, "size": "local_size_x_id = 1, " if self.said_x else "",
                         "y": self.y,
                         "lanes": self.lanes, "words": words, "heads": GROUPS * LANES, "entries": ENTRIES,
                         "last": ENTRIES - 1,
                         "more": "#extension GL_KHR_shader_subgroup_clustered : require\n" if self.clustered else ""}
        lines = []
        for f in self.functions_text:
            lines += render(f, 0)
        lines += ["void main()", "{", "\tuint key_ = 1u;"]
        lines += ["\tlog_.w[LANE] = uvec2(gl_SubgroupID, gl_SubgroupSize);"]
        lines += ["\tP(%du, gl_LocalInvocationIndex);" % mark(CANARY)] + render(self.main, 1) + ["}"]
        return head + "\n".join(lines) + "\n"

    def name(self, prefix):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    def chance(self, p):
        return self.r.random() < p

    # numbers

    def constant(self):
        return "%du" % self.r.choice([0, 1, 2, 3, 5, 6, 7, 9, 15, self.r.randrange(100)])

    def uniform(self):
        """A number that is uniform in the workgroup everywhere; it does not depend on lanes, so barriers may depend on
        it."""
        r = self.r
        kind = r.randrange(12)
        if kind < 4:
            return self.constant()
        if kind == 4:
            return "pc.w[%s]" % r.randrange(8)
        if kind == 5:
            return "ub.w[%d].%s" % (r.randrange(4), r.choice("xyzw"))
        if kind == 6:
            index = r.randrange(64)
            return "rw.kept[%d]" % (index & 7) if index < 16 else "ro.w[%d]" % index
        if kind < 10:
            return "gl_WorkGroupID.x"
        if kind == 10:
            return "spec"
        return r.choice(["gl_NumWorkGroups.x", "gl_WorkGroupSize.x", "gl_NumSubgroups", "gl_WorkGroupID.y"])

    def by_lane(self, c):
        r = self.r
        if self.taint < 2 and self.chance(0.97):
            if self.taint and self.chance(0.6):
                return r.choice(["gl_SubgroupID", "subgroupBroadcastFirst(gl_LocalInvocationIndex)"])
            return "(gl_GlobalInvocationID.x / %du)" % (self.said_x or self.x) if self.chance(0.2) else self.uniform()
        choices = ["gl_LocalInvocationID.x", "gl_LocalInvocationID.x", "gl_LocalInvocationID.y",
                   "gl_LocalInvocationIndex",
                   "gl_LocalInvocationIndex", "gl_GlobalInvocationID.x", "gl_GlobalInvocationID.y",
                   "gl_SubgroupInvocationID", "(gl_GlobalInvocationID.x & %du)" % r.choice([1, 3, 7, self.x - 1]),
                   "(gl_GlobalInvocationID.x / %du)" % (self.said_x or self.x),
                   "(gl_GlobalInvocationID.x / %du)" % r.choice([1, 2, 3, 4, 8, 16]),
                   "(gl_GlobalInvocationID.x >> %du)" % r.randrange(6),
                   "(gl_LocalInvocationID.x >> %du)" % r.randrange(5),
                   "(gl_LocalInvocationID.x / %du)" % r.choice([self.x, self.said_x or self.x, 4, 2]),
                   "(gl_GlobalInvocationID.x / gl_WorkGroupSize.x)",
                   "(gl_LocalInvocationID.%s %% gl_WorkGroupSize.%s)" % (r.choice("xy"), r.choice("xxy")),
                   "(gl_LocalInvocationIndex & %du)" % r.choice([0, 1, 2, 7, 8, 16]),
                   "(gl_GlobalInvocationID.%s - gl_LocalInvocationID.%s)" % (r.choice("xxy"), r.choice("xxy")),
                   "(gl_GlobalInvocationID.x & ~%du)" % r.choice([1, 3, 7, 15, self.x - 1]),
                   "rw.w[LANE]", "gl_SubgroupLtMask.x", "uint(subgroupElect())"]
        return r.choice(choices)

    def subgroup(self, c, depth):
        r = self.r
        if self.taint < 1:
            return self.uniform()
        e = self.number(c, depth + 1, self.r.random())
        if self.taint < 2:
            e = self.chance(0.5) and e or r.choice(["gl_LocalInvocationIndex", "gl_LocalInvocationID.x",
                                                    "gl_GlobalInvocationID.x"])
            return r.choice(["subgroupBroadcastFirst(%s)", "subgroupAdd(%s)", "subgroupMax(%s)", "subgroupMin(%s)",
                             "uint(subgroupAny((%s & 1u) != 0u))", "uint(subgroupAll((%s & 3u) != 0u))",
                             "subgroupBallotBitCount(subgroupBallot((%s & 1u) == 0u))"]) % e
        choices = ["subgroupBroadcastFirst(%s)" % e] * 4 + [
            "subgroupAdd(%s)" % e, "subgroupMin(%s)" % e, "subgroupMax(%s)" % e, "subgroupOr(%s)" % e,
            "subgroupXor(%s)" % e, "subgroupBallotBitCount(subgroupBallot(%s))" % self.condition(c, depth + 1),
            "subgroupBallotFindLSB(subgroupBallot(%s) | uvec4(8u))" % self.condition(c, depth + 1),
            "uint(subgroupAll(%s))" % self.condition(c, depth + 1),
            "uint(subgroupAny(%s))" % self.condition(c, depth + 1),
            "uint(subgroupAllEqual(%s))" % e, "gl_SubgroupID", "gl_SubgroupID", "gl_SubgroupSize",
            "subgroupInclusiveAdd(%s)" % e, "subgroupExclusiveAdd(%s)" % e, "subgroupInclusiveMax(%s)" % e,
            "subgroupBallotInclusiveBitCount(subgroupBallot(%s))" % self.condition(c, depth + 1),
            "subgroupBallotExclusiveBitCount(subgroupBallot(%s))" % self.condition(c, depth + 1),
            "uint(subgroupInverseBallot(uvec4(%s)))" % self.uniform(),
            "uint(subgroupBallotBitExtract(subgroupBallot(%s), %s & 3u))" % (self.condition(c, depth + 1), e)]
        if self.clustered:
            choices += ["subgroupClusteredAdd(%s, %du)" % (e, r.choice([1, 2, 4])), "subgroupClusteredMax(%s, 2u)" % e]
        if c.together and not self.left:  # values of other lanes are defined only if they get here
            choices += ["subgroupBroadcast(%s, 0u)" % e] * 2
            if self.lanes % 4 == 0:
                choices += ["subgroupBroadcast(%s, %du)" % (e, r.randrange(4)),
                            "subgroupShuffle(%s, %s & 3u)" % (e, self.number(c, depth + 1, 0.6)),
                            "subgroupShuffleXor(%s, %du)" % (e, r.randrange(1, 4)),
                            "subgroupQuadBroadcast(%s, %du)" % (e, r.randrange(4)),
                            "subgroupQuadSwapHorizontal(%s)" % e]
        return r.choice(choices)

    def path(self, name, kind, c, depth):
        """A number in a variable."""
        if kind == "u":
            return name
        if kind in ("v2", "v4"):
            if self.chance(0.15):
                return "%s[%s & %su]" % (name, self.number(c, depth + 1, self.bias), kind == "v2" and "1" or "3")
            return name + "." + self.r.choice("xy" if kind == "v2" else "xyzw")
        if kind == "A":
            return "%s[%s]" % (name, self.index(c, depth, 4))
        if kind == "AS":
            return self.path("%s[%s]" % (name, self.index(c, depth, 2)), "S", c, depth)
        if kind == "AV":
            return self.path("%s[%s]" % (name, self.index(c, depth, 2)), "v2", c, depth)
        member = self.r.randrange(5)
        if member == 0:
            return name + ".a"
        if member < 3:
            return "%s.b.%s" % (name, self.r.choice("xy"))
        return name + ".i.p" if member == 3 else "%s.i.q[%s]" % (name, self.index(c, depth, 2))

    def index(self, c, depth, count):
        if self.by_constants or self.chance(0.6) or depth > 2:
            return "%d" % self.r.randrange(count)
        return "%s & %du" % (self.number(c, depth + 1, self.bias), count - 1)

    def variables(self, c, kinds=None):
        names = [(n, t) for n, t in c.scope.items() if not kinds or t in kinds]
        return names + [(n, t) for n, t in GLOBALS.items() if not kinds or t in kinds][:2 if names else 4]

    def number(self, c, depth=0, bias=None):
        """A uint. `bias`: the probability that its operands are uniform."""
        r = self.r
        bias = self.bias if bias is None else bias
        kind = r.random()
        if depth > 2 or kind < 0.30:
            if not self.chance(bias):
                return self.by_lane(c)
            return self.uniform()
        if kind < 0.60:
            if c.read and self.chance(0.3):
                return r.choice(sorted(c.read))
            name, t = r.choice(self.variables(c))
            return self.path(name, t, c, depth)
        if kind < 0.68:
            return self.subgroup(c, depth) if self.chance(0.7) else self.by_lane(c)
        if kind < 0.72:
            some = c.apart()
            a, b = self.number(some, depth + 1, bias), self.number(some, depth + 1, bias)
            return "(%s ? %s : %s)" % (self.condition(c, depth + 1), a, b)
        if kind < 0.75:
            return r.choice(["ro.w[%s & 63u]", "ub.w[%s & 3u].y", "ub.w[%s & 3u].x",
                             "(ub.w[1][%s & 3u])"]) % self.number(
                c, depth + 1, bias)
        if kind < 0.77 and c.together and not self.left:  # SwiftShader uses the first lane, which must be active
            return r.choice(["bufs[%s & 15u].v / 1000u", "ubufs[%s & 7u].v / 1000u"]) % self.number(c, depth + 1, 0.95)
        if kind < 0.79 and c.scope:
            name, t = r.choice(self.variables(c, ("v2", "v4")))
            return r.choice(["dotu(%s)" % (name if t == "v2" else name + r.choice([".xy", ".wz", ".xx"]))])
        a, b = self.number(c, depth + 1, bias), self.number(c, depth + 1, bias)
        op = r.choice(["+", "+", "+", "-", "^", "*", "|", "&", "<<", ">>", "/", "%", "min", "max"])
        if op in ("<<", ">>"):
            return "(%s %s (%s & 3u))" % (a, op, b)
        if op in ("/", "%"):
            return "(%s %s (%s | 1u))" % (a, op, b)
        if op in ("min", "max"):
            return "%s(%s, %s)" % (op, a, b)
        return "(%s %s %s)" % (a, op, b)

    def condition(self, c, depth=0, bias=None):
        r = self.r
        kind = r.random()
        bias = self.bias if bias is None else bias
        if kind < 0.12 and depth < 2:
            a, b = self.condition(c, depth + 1, bias), self.condition(c.apart(), depth + 1, bias)
            return "(%s %s %s)" % (a, r.choice(["&&", "||"]), b)
        if kind < 0.20 and depth < 2:
            return "!(%s)" % self.condition(c, depth + 1, bias)
        a = self.number(c, depth + 1, bias)
        if kind < 0.6:
            return "(%s & %du) %s 0u" % (a, r.choice([1, 1, 2, 3]), r.choice(["==", "!="]))
        if kind < 0.9:
            return "(%s & 3u) %s %du" % (a, r.choice(["<", ">", "!=", ">="]), r.randrange(1, 3))
        return "%s %s %s" % (a, r.choice(["<", ">", "==", "!=", ">="]), self.number(c, depth + 1, bias))

    def divergent(self, c):
        """A condition that usually differs between lanes; one in four only between workgroups or subgroups."""
        if self.chance(0.3):
            return self.condition(c, 1, 0.6)
        return "((%s) & %du) %s 0u" % (self.r.choice([
            "gl_LocalInvocationIndex", "gl_LocalInvocationID.x", "gl_SubgroupInvocationID",
            "gl_LocalInvocationIndex >> 1u",
            "gl_LocalInvocationIndex + gl_WorkGroupID.x", "gl_GlobalInvocationID.x", "gl_SubgroupID",
            self.number(c, 1, 0.5), "gl_LocalInvocationIndex ^ %s" % self.number(c, 1, 0.9)]),
            self.r.choice([1, 2, 3, 4]), self.r.choice(["==", "!="]))

    def any_condition(self, c):
        return self.divergent(c) if self.chance(0.5) else self.condition(c, 1)

    # statements

    def statements(self, c, least, most):
        made = Block()
        for _ in range(self.r.randrange(least, most + 1)):
            before = len(self.written)
            s = self.statement(c)
            made.append(s)
            if not isinstance(s, str):  # the effects show where control flow joins
                here = [(n, to) for n, to in self.written[before:] if n in c.scope or n in GLOBALS]
                if here and self.chance(0.7):
                    name, to = self.r.choice(here)
                    if not re.fullmatch(r"\w+(\.\w+|\[\d+\])*", to):
                        to = self.path(name, dict(c.scope, **GLOBALS)[name], c, 2)
                    made.append(self.probe_of(to))
                elif self.chance(0.2):
                    made.append(self.probe(c))
        return made

    def target(self, c, depth=2):
        """A number that is written."""
        name, t = self.r.choice(self.variables(c))
        to = self.path(name, t, c, depth)
        self.written.append((name, to))
        return to

    def statement(self, c):
        self.budget -= 1
        choices = ["declare"] * 3 + ["assign"] * 6 + ["probe"] * 3 + ["builtin"]
        if self.taint > 1 or self.chance(0.1):
            choices += ["atomic", "own"]
        if c.depth < 3 and self.budget > 0:
            choices += ["if_"] * 4 + ["switch"] + ["for_"] * 2 + [
                "while_", "do_", "left_loop", "equal", "call", "call"]
        if c.loops or c.switches:
            choices += ["leave"] * 2
        if (c.function and c.depth) or (not c.function and self.chance(0.15)):
            choices += ["return_"]
        if c.together and not self.left:
            choices += ["shared"] * self.taint
        choices += self.of_stage(c)
        return getattr(self, self.r.choice(choices))(c)

    def of_stage(self, c):
        """More kinds of statements."""
        return []

    def inner(self, c, least=1, most=3, **more):
        return self.statements(c.inside(**more), least, most)

    def probe(self, c):
        e = self.number(c, 1)
        if self.chance(0.75):
            name, t = self.r.choice(self.variables(c))
            e = self.path(name, t, c, 1)
            if self.chance(0.3):
                e = "%s %s %s" % (e, self.r.choice("+^-"), self.number(c, 2))
        elif self.chance(0.5):
            e = self.number(c, 1, 0.3)  # likely to differ
        return self.probe_of(e)

    def probe_of(self, e):
        self.sites += 1
        return "%s(%du, %s);" % (self.r.choice("PPQ"), mark(self.sites), e)

    def declare(self, c):
        kind = self.r.choice(["u", "u", "u", "v2", "v4", "A", "S", "AS", "AV"])
        name = self.name({"u": "u", "v2": "v", "v4": "w"}.get(kind, kind.lower()))
        text = "%s %s = %s;" % (TYPES[kind], name, self.whole(kind, c))
        c.scope[name] = kind
        return text

    def whole(self, kind, c):
        n = lambda: self.number(c, 2)  # noqa: E731
        same = [v for v, t in c.scope.items() if t == kind]
        if same and self.chance(0.35):
            return self.r.choice(same)
        if kind == "u":
            return self.number(c)
        if kind == "v2":
            four = [v for v, t in c.scope.items() if t == "v4"]
            if four and self.chance(0.4):
                return self.r.choice(four) + self.r.choice([".xy", ".zx", ".yy"])
            return "uvec2(%s, %s)" % (n(), n())
        if kind == "v4":
            return "uvec4(%s, %s, %s, %s)" % (n(), n(), n(), n())
        if kind == "A":
            return "uint[4](%s, %s, %s, %s)" % (n(), n(), n(), n())
        if kind == "S":
            return "Outer(%s, uvec2(%s, %s), Inner(%s, uint[2](%s, %s)))" % (n(), n(), n(), n(), n(), n())
        if kind == "AV":
            return "uvec2[2](%s, %s)" % (self.whole("v2", c), self.whole("v2", c))
        return "Outer[2](%s, %s)" % (self.whole("S", c), self.whole("S", c))

    def assign(self, c):
        name, t = self.r.choice(self.variables(c))
        if t in ("v2", "v4") and self.chance(0.3):
            swizzle = self.r.choice([".xy", ".yx"] if t == "v2" else [".xz", ".wy", ".zx"])
            return "%s%s = %s;" % (name, swizzle, self.whole("v2", c))
        if t == "v4" and self.chance(0.2):
            return "%s = %s.wzyx;" % (name, name)
        if t != "u" and self.chance(0.2):
            return "%s = %s;" % (name, self.whole(t, c))
        to = self.path(name, t, c, 1)
        self.written.append((name, to))
        return "%s %s %s;" % (to, self.r.choice(["=", "=", "=", "+=", "^="]), self.number(c, 1))

    def builtin(self, c):
        """Built-in functions with one or two results through pointers."""
        to = self.target(c)
        a, b = self.number(c, 1), self.number(c, 1)
        x = self.name("x")
        return self.r.choice([
            ["{ float %s; int %s_; %s = frexp(float(%s & 255u) + 0.5, %s_); %s = uint(%s_) + uint(%s * 8.0); }" % (
                x, x, x, a, x, to, x, x)],
            ["{ float %s; float %s_ = modf(float(%s & 63u) * 0.375, %s); %s = uint(%s) + uint(%s_ * 8.0); }" % (
                x, x, a, x, to, x, x)],
            ["{ uint %s, %s_; umulExtended(%s, %s, %s, %s_); %s = %s + %s_; }" % (x, x, a, b, x, x, to, x, x)],
            ["{ uint %s; uint %s_ = uaddCarry(%s, ~%s, %s); %s = %s_ ^ %s; }" % (x, x, a, b, x, to, x, x)],
            ["{ uint %s; uint %s_ = usubBorrow(%s, %s, %s); %s = %s_ + %s; }" % (x, x, a, b, x, to, x, x)],
            ["%s = bitfieldExtract(%s, int(%s & 7u), 4);" % (to, a, b)],
            ["%s = uint(bitCount(%s)) + uint(findMSB(%s) & 7);" % (to, a, b)]])[0]

    def atomic(self, c):
        # one counter for each workgroup, so that runs are reproducible
        return "%s = %s(rw.counter[gl_WorkGroupID.x], %s);" % (
            self.target(c), self.r.choice(["atomicAdd", "atomicMax", "atomicOr"]), self.number(c, 2))

    def own(self, c):
        return ["rw.w[LANE] = %s;" % self.number(c, 1), "%s = rw.w[LANE];" % self.target(c)]

    def shared(self, c):
        """Communication of lanes between barriers."""
        if self.chance(0.5):
            return self.shared_by_one(c, self.number(c, 1, 0.5))
        to, e = self.target(c), self.number(c, 1, 0.5)
        if self.chance(0.5):
            return ["exchange[gl_LocalInvocationIndex] = %s;" % e, "barrier();", "%s = exchange[%s %% %du];" % (
                to, self.number(c, 1, 0.7), self.lanes), "barrier();"]
        return ["if (gl_LocalInvocationIndex == 0u) total = %s;" % self.number(c, 1), "barrier();",
                "atomicAdd(total, %s);" % e, "barrier();", "%s = total;" % to, "barrier();"]

    def shared_by_one(self, c, e):
        """One lane writes, or the last of several, and all read after a barrier; maybe in a loop."""
        r, i = self.r, self.name("i")
        one = "gl_LocalInvocationIndex == (%s) %% %du" % (self.uniform(), self.lanes)
        write = r.choice(["if (%s) total = %s;" % (one, e), "if (%s) total = %s;" % (one, e),
                          "total = %s;" % e, "total = %s;" % self.uniform()])
        body = [write, "barrier();", self.probe_of("total"), "if (%s) {" % self.divergent(c),
                Block([self.probe_of("total + %s" % self.uniform())]), "}", "barrier();"]
        if self.chance(0.4):
            return self.loop_of("for (uint %s = 0u; %s < ((%s) & 3u); %s++) {" % (i, i, self.uniform(), i), body)
        return body

    def if_(self, c):
        if c.together and not self.left and self.chance(0.3):
            a = ["if ((%s & %du) != 0u) {" % (self.uniform(), self.r.choice([1, 2, 3])), self.inner(c, together=True),
                 "}"]
            return a
        text = ["if (%s) {" % self.any_condition(c), self.inner(c)]
        if self.chance(0.2):
            text += ["} else if (%s) {" % self.any_condition(c.apart()), self.inner(c)]
        if self.chance(0.5):
            text += ["} else {", self.inner(c)]
        return text + ["}"]

    def switch(self, c):
        e = self.number(c, 1, self.r.choice([0.4, 0.9]))
        text = ["switch ((%s) %% 5u) {" % e]
        cases = ["case %du:" % i for i in range(self.r.randrange(2, 5))] + ["default:"]
        self.r.shuffle(cases)
        for i, case in enumerate(cases):
            body = self.inner(c, 0, 2, switches=c.switches + 1)
            if self.chance(0.65) or i + 1 == len(cases):
                text += [case, body, "break;"]
            else:
                text += [case, body]  # falls through; an empty case may share the next one's
        return text + ["}"]

    def loop(self, c, head, tail, counter):
        """`head` ends with "{". The key gets the number of the iteration."""
        inside = c.inside(loops=c.loops + 1, switches=0)
        inside.read[counter] = "u"
        return self.loop_of(head, self.statements(inside, 1, 4), tail)

    def loop_of(self, head, body, tail="}"):
        key = self.name("k")
        return ["{ uint %s = key_ * 8u;" % key, head, "uint key_ = ++%s;" % key, body, tail, "}"]

    def limit(self, c):
        """The number of iterations, at most 4."""
        if self.chance(0.4):
            return "%du" % self.r.randrange(1, 4)
        if self.chance(0.5):
            return "((%s) & 3u)" % self.r.choice(["gl_LocalInvocationIndex", "gl_LocalInvocationID.x",
                                                  "gl_SubgroupID + 1u",
                                                  "gl_GlobalInvocationID.x", "gl_SubgroupInvocationID + 1u"])
        return "((%s & 3u) + %du)" % (self.number(c, 1), self.r.randrange(2))

    def for_(self, c):
        i = self.name("i")
        return self.loop(c, "for (uint %s = 0u; %s < %s; %s++) {" % (i, i, self.limit(c.apart()), i), "}", i)

    def while_(self, c):
        i = self.name("i")
        head = "while (%s && %s++ < 4u) {" % (self.any_condition(c.apart()), i)
        return ["{ uint %s = 0u;" % i] + self.loop(c, head, "}", i) + ["}"]

    def do_(self, c):
        i = self.name("i")
        tail = "} while (%s++ < 3u && %s);" % (i, self.any_condition(c.apart()))
        return ["{ uint %s = 0u;" % i] + self.loop(c, "do {", tail, i) + ["}"]

    def left_loop(self, c):
        """A value that is uniform in each iteration, and used after a loop that lanes leave in different ones."""
        x, i = self.name("u"), self.name("i")
        read = Context(c.scope, **{k: v for k, v in c.__dict__.items() if k != "scope"})
        read.read = dict(c.read)
        read.read[i] = "u"
        read.together = False
        give = "%s = %s;" % (x, self.r.choice([i, "%s + %s" % (i, self.uniform()), self.number(read, 1, 1.0)]))
        stop = "if (%s) break;" % self.r.choice([self.divergent(read), "%s >= (%s & 3u)" % (i, self.by_lane(c))])
        body = Block(self.statements(read.inside(loops=c.loops + 1, switches=0), 0, 2))
        body.insert(self.r.randrange(len(body) + 1), stop)
        body.insert(self.r.randrange(len(body) + 1), give)
        made = self.loop(c, "for (uint %s = 0u; %s < %du; %s++) {" % (i, i, self.r.randrange(2, 5), i), "}", i)
        made[3] = body
        c.scope[x] = "u"
        return Block(["uint %s = %s;" % (x, self.uniform()), made, self.probe_of(x)])

    def equal(self, c):
        """A branch that may find a number equal to a uniform one; and uses of it there, while it may change. Or one
        number of the subgroup at a time."""
        r, x = self.r, self.name("u")
        inside = c.inside()
        inside.scope[x] = "u"
        first = "%s & 3u" % r.choice(["gl_LocalInvocationIndex", "gl_LocalInvocationID.x", "gl_SubgroupInvocationID",
                                      self.number(c, 1, 0.4)])
        other = r.choice(["subgroupBroadcastFirst(%s)" % x] * 3 + ["(%s & 3u)" % self.uniform(), "%du" % r.randrange(4),
                                                                  "(%s & 3u)" % self.number(c.apart(), 1)])
        uses = Block([self.probe_of(x)] + self.statements(inside, 0, 2) + [
            self.probe_of(r.choice([x, "%s + %s" % (x, self.uniform())]))])
        if self.stage == "comp" and self.chance(0.15):
            return Block(["uint %s = %s;" % (x, first), self.masked(c, x, uses)])
        if self.chance(0.35):
            f, i = self.name("u"), self.name("i")
            end = r.choice(["break;", "%s = 4u;" % i, ""])
            made = self.loop(c, "for (uint %s = 0u; %s < 4u; %s++) {" % (i, i, i), "}", i)
            made[3] = Block(["uint %s = %s;" % (f, other), ["if (%s == %s) {" % (f, x), uses, end + " }"]])
            return Block(["uint %s = %s;" % (x, first), made])
        condition = r.choice(["%s == %s", "%s == %s", "!(%s != %s)", "%s == %s && gl_NumWorkGroups.x < 9u",
                              "%s == %s || gl_NumWorkGroups.x > 9u", "%s != %s",
                              "ro.w[gl_LocalInvocationIndex] % 3u != 1u && %s == %s && ro.w[17] < 1000u",
                              "!(ro.w[gl_LocalInvocationIndex] % 3u == 1u || %s != %s)"])
        condition = condition.replace("% 3u", "%% 3u") % (x, other)
        if self.chance(0.15):
            return Block(["uint %s = %s;" % (x, first), ["switch (%s) {" % x, "case 0u:", uses, "break;", "case 2u:",
                                                         Block([self.probe_of(x)]), "case 3u:",
                                                         Block([self.probe_of(x)]), "}"]])
        return Block(["uint %s = %s;" % (x, first), ["if (%s) {" % condition, uses, "} else {",
                                                     Block([self.probe_of(x)]), "}"], self.probe_of(x)])

    def masked(self, c, x, uses):
        """A mask of the lanes that still wait, which a loop carries; some may leave it early. It shrinks in the head of
        the loop if a `continue` may pass by the end of the body, or else a lane would find its own bit for ever."""
        r, f, m = self.r, self.name("u"), self.name("m")
        whole = self.chance(0.5)
        ballot = "subgroupBallot(%s)" % r.choice(["true", "true", self.divergent(c.apart())])
        head = ("uvec4 %s = %s & uvec4(15u, 0u, 0u, 0u);" if whole else "uint %s = %s.x & 15u;") % (m, ballot)
        some = ("any(notEqual(%s, uvec4(0u)))" if whole else "%s != 0u") % m
        find = ("subgroupBallotFindLSB(%s)" if whole else r.choice(["findLSB(%s)", "findMSB(%s)"])) % m
        less = "%s &= uvec4(%s.x - 1u, %s.yzw)" % (m, m, m) if whole else "%s &= %s - 1u" % (m, m)
        others = "%s &= ~subgroupBallot(%s == %s)%s;" % (m, f, x, "" if whole else ".x")
        body = Block(["uint %s = subgroupShuffle(%s, %s);" % (f, x, find), self.probe_of(f),
                      ["if (%s == %s) {" % (f, x), uses, "}"]])
        if self.chance(0.3):
            body.append("if (%s) break;" % self.divergent(c.apart()))
        passed = "continue;" in str(uses)
        loop = "for (; %s; %s) {" % (some, less) if passed else "while (%s) {" % some
        steps = ([] if passed else [less + ";"]) + r.choice([[], [others]])
        return ["{ " + head] + self.loop_of(loop, body + steps) + ["}"]

    def leave(self, c):
        what = "continue" if c.loops and self.chance(0.4) else "break"
        return "if (%s) %s;" % (self.any_condition(c), what)

    def return_(self, c):
        if c.function is None:
            self.left = True
            return "if (%s) return;" % self.divergent(c)
        text = "return %s;" % self.whole(c.function, c)
        return text if self.chance(0.3) and c.depth else "if (%s) %s" % (self.any_condition(c), text)

    def make_function(self, c):
        r = self.r
        name = self.name("f")
        returns = r.choice(["u", "u", "v2", "S"])
        parameters = [(r.choice(["in", "in", "inout", "out"]), r.choice(["u", "u", "u", "v2", "v4", "A", "S"]),
                       self.name("p"))
                      for _ in range(r.randrange(1, 4))]
        own = Context({p: t for way, t, p in parameters if way != "out"}, function=returns)
        body = Block()
        for way, t, p in parameters:
            if way == "out":
                body.append("%s = %s;" % (p, self.whole(t, own)))
                own.scope[p] = t
        # a copy, so that reductions above do not leave an out parameter unwritten
        starts, body = list(body), Block(self.statements(own, 2, 6))
        text = ["%s %s(%suint key_) {" % (TYPES[returns], name,
                                          "".join("%s %s %s, " % (w, TYPES[t], p) for w, t, p in parameters))]
        text += starts + [body, "return %s;" % self.whole(returns, own), "}"]
        self.functions_text.append(text)
        self.functions.append((name, parameters, returns))

    def call(self, c):
        if len(self.functions) < 4 and not c.function and (not self.functions or self.chance(0.5)):
            self.make_function(c)
        # a function calls earlier ones
        known = self.functions
        if not known or c.function and not self.chance(0.6):
            return self.assign(c)
        name, parameters, returns = self.r.choice(known)
        arguments, before, taken = [], Block(), set()
        for way, t, _ in parameters:
            if way == "in":
                arguments.append(self.whole(t, c))
                continue
            mine = [v for v, kind in self.variables(c, (t,)) if v not in taken]
            inner = [v for v, kind in self.variables(c) if v not in taken and kind != "u"]
            if t == "u" and inner and self.chance(0.3):
                v = self.r.choice(inner)
                taken.add(v)
                arguments.append(self.path(v, dict(c.scope, **GLOBALS)[v], c, 2))
            elif mine:
                v = self.r.choice(mine)
                taken.add(v)
                arguments.append(v)
            else:
                before.append(self.declare_as(t, c))
                v = list(c.scope)[-1]
                taken.add(v)
                arguments.append(v)
        v = self.name("r")
        text = "%s %s = %s(%s, key_ * 32u + %du);" % (TYPES[returns], v, name, ", ".join(arguments), self.calls & 31)
        self.calls += 1
        c.scope[v] = returns
        return Block(list(before) + [text])

    def declare_as(self, kind, c):
        name = self.name("d")
        text = "%s %s = %s;" % (TYPES[kind], name, self.whole(kind, c))
        c.scope[name] = kind
        return text


def render(part, depth):
    """Lines of a tree: a Block is indented, a statement of several parts is not."""
    lines = []
    for p in part:
        if isinstance(p, str):
            lines.append("\t" * depth + p)
        elif isinstance(p, Block) and not isinstance(part, Block):
            lines += render(p, depth + 1)
        else:
            lines += render(p, depth)
    return lines
