# SPDX-License-Identifier: Apache-2.0
"""Random ray generation programs that trace rays and call callable shaders, whereby invocations may move to other
subgroups (Vulkan, "Ray Tracing", "Shader Call Repacking").

On a driver they are executed directly: rays hit nothing, and calls of callable shaders are in a branch that is not
taken. That tests values across a trace. But lavapipe has no subgroup operations there, and does not move invocations.
So Repacked makes a compute shader of a bound module, with the worst possible repacking: an invocation that traces
counts from then on as being in one subgroup with all others of the workgroup that have traced. Subgroup operations then
return zero: their earlier results must not be called uniform any more, and other programs test later results.
"""
import array
import re

from programs import Block
from stages import StageProgram

(OP_EXTENSION, OP_ENTRY_POINT, OP_EXECUTION_MODE, OP_CAPABILITY, OP_TYPE_BOOL, OP_TYPE_POINTER, OP_CONSTANT_TRUE,
 OP_CONSTANT_FALSE, OP_CONSTANT_NULL, OP_FUNCTION, OP_VARIABLE, OP_LOAD, OP_STORE, OP_NAME, OP_MEMBER_NAME, OP_DECORATE,
 OP_SELECT, OP_GROUP_FIRST, OP_GROUP_LAST, OP_TRACE, OP_CALLABLE, OP_CONVERT, OP_TYPE_STRUCTURE) = (
     10, 15, 16, 17, 20, 32, 41, 42, 46, 54, 59, 61, 62, 5, 6, 71, 169, 333, 366, 4445, 4446, 4447, 5341)
COMPUTE, RAY_GENERATION, LOCAL_SIZE, PRIVATE, BUILT_IN, SHADER, RAY_TRACING = 5, 5313, 17, 6, 11, 1, 4479
PAYLOADS = {5328, 5338}  # storage classes: of callable shaders, and of rays
BUILT_INS = {5319: 27, 5320: 24}  # LaunchId -> LocalInvocationId, LaunchSize -> NumWorkgroups
AFTER = -1  # the subgroup of invocations that have traced

DECLARED = """layout(location = 0) rayPayloadEXT uint met_;
layout(location = 0) callableDataEXT uint called_;
#define TRACE traceRayEXT(%s, 0u, 0u, 0u, 0u, 0u, vec3(0.0), 0.0, vec3(0.0, 0.0, -1.0), 1.0, 0)
#define CALL %sexecuteCallableEXT(0u, 0)
"""


class TracingProgram(StageProgram):
    def __init__(self, seed, driver, model):
        self.model = model
        StageProgram.__init__(self, seed, driver, "rgen", model)

    def statement(self, c):
        if self.chance(0.85):
            return StageProgram.statement(self, c)
        return self.kept(c) if self.chance(0.6) else self.trace()

    def trace(self):
        return self.r.choice(["TRACE;", "TRACE;", "CALL;"])

    def kept(self, c):
        """A value that is uniform in the subgroup, in a variable or a part of one, before and after a possible
        trace."""
        r, to, kind = self.r, self.target(c), ""
        if self.chance(0.4):
            to, kind = self.name("u"), "uint "
            c.scope[to] = "u"
        other = "%s + %s" % (to, self.uniform())
        one = r.choice(["subgroupBroadcastFirst(%s)", "subgroupMax(%s)", "subgroupAdd(%s)"][:3 if self.model else 1])
        give = "%s%s = %s;" % (kind, to, one % r.choice(["LANE", "LANE", self.by_lane(c.apart())]))
        before, after = self.probe_of(to), self.probe_of(r.choice([to, to, other]))
        shape = r.randrange(4)
        between = [self.trace()]
        if shape == 1:
            between = ["if (%s) {" % self.any_condition(c.apart()), Block([self.trace()]), "}"]
        elif shape == 2:  # the second iteration comes after the trace of the first
            i = self.name("i")
            between = self.loop(c.apart(), "for (uint %s = 0u; %s < 2u; %s++) {" % (i, i, i), "}", i)
            between[3] = Block([self.probe_of(r.choice([to, other])), self.trace()])
        elif shape == 3:  # nothing happens, so nothing changes
            between = ["if (%s) {" % self.any_condition(c.apart()), Block(["n_ += 0u;"]), "}"]
        return Block([give, before] + between + [after])

    def text(self):
        if self.model:
            declared = DECLARED % ("accelerationStructureEXT(uvec2(0u))", "")
        else:
            declared = ("layout(set = 0, binding = 6) uniform accelerationStructureEXT scene_;\n" +
                        DECLARED % ("scene_", "if (pc.w[7] == 1u) "))
        text = re.sub(r"(struct Inner )", lambda m: declared + m.group(1), StageProgram.text(self), count=1)
        # Storage buffers only: spirv-opt reads a uniform buffer once, before a trace, even for a probe after it.
        return re.sub(r"\bQ\((?=\d)", "P(", text)


class Repacked:
    """data: the compute shader."""

    def __init__(self, data):
        words = array.array("I")
        words.frombytes(data)
        self.head, self.bound = words[:5], words[3]
        instructions, at = [], 5
        while at < len(words):
            instructions.append(list(words[at:at + (words[at] >> 16)]))
            at += words[at] >> 16
        self.gone = self.structures(instructions)
        self.bool = next((w[1] for w in instructions if w[0] & 0xFFFF == OP_TYPE_BOOL), 0) or self.id()
        self.pointer, self.traced, self.false, self.true = (self.id() for _ in range(4))
        self.zeros, body = {}, []
        functions = next(i for i, w in enumerate(instructions) if w[0] & 0xFFFF == OP_FUNCTION)
        for w in instructions[functions:]:
            body += self.instruction(w)
        out = []
        for w in instructions[:functions]:
            out += self.declaration(w)
        if not any(w[0] & 0xFFFF == OP_TYPE_BOOL for w in out):
            out.append([OP_TYPE_BOOL, self.bool])
        out += [[OP_TYPE_POINTER, self.pointer, PRIVATE, self.bool], [OP_CONSTANT_FALSE, self.bool, self.false],
                [OP_CONSTANT_TRUE, self.bool, self.true],
                [OP_VARIABLE, self.pointer, self.traced, PRIVATE, self.false]]
        out += [[OP_CONSTANT_NULL, type, zero] for type, zero in self.zeros.items()]
        self.head[3] = self.bound
        for w in out + body:
            w[0] = len(w) << 16 | w[0] & 0xFFFF
            self.head.extend(w)
        self.data = self.head.tobytes()

    def id(self):
        self.bound += 1
        return self.bound - 1

    @staticmethod
    def structures(instructions):
        """Declarations that only a trace needs: acceleration structures, pointers to them, and their variables."""
        gone = set()
        for w in instructions:
            op = w[0] & 0xFFFF
            if op == OP_TYPE_STRUCTURE:
                gone.add(w[1])
            elif op == OP_TYPE_POINTER and w[3] in gone:
                gone.add(w[1])
            elif op in (OP_VARIABLE, OP_LOAD, OP_CONVERT) and w[1] in gone:
                gone.add(w[2])
        return gone

    def declaration(self, w):
        op = w[0] & 0xFFFF
        if op == OP_CAPABILITY and w[1] == RAY_TRACING:
            return [[OP_CAPABILITY, SHADER]]
        if op == OP_EXTENSION and b"ray_tracing" in array.array("I", w[1:]).tobytes():
            return []
        if op == OP_ENTRY_POINT and w[1] == RAY_GENERATION:
            name = next(i for i, word in enumerate(w[3:], 3) if word >> 24 == 0) + 1
            return [[op, COMPUTE] + w[2:name] + [i for i in w[name:] if i not in self.gone] + [self.traced],
                    [OP_EXECUTION_MODE, w[2], LOCAL_SIZE, 16, 1, 1]]
        if (op in (OP_NAME, OP_MEMBER_NAME, OP_DECORATE, OP_TYPE_STRUCTURE, OP_TYPE_POINTER) and w[1] in self.gone or
                op == OP_VARIABLE and w[2] in self.gone):
            return []
        if op == OP_DECORATE and w[2] == BUILT_IN:
            w[3] = BUILT_INS.get(w[3], w[3])
        elif op == OP_TYPE_POINTER and w[2] in PAYLOADS:
            w[2] = PRIVATE
        elif op == OP_VARIABLE and w[3] in PAYLOADS:
            w[3] = PRIVATE
        elif op == OP_DECORATE and w[2] == 30 and w[1] not in self.gone:
            return []  # the location of a payload: a ray generation shader has no other
        return [w]

    def instruction(self, w):
        op = w[0] & 0xFFFF
        if op in (OP_TRACE, OP_CALLABLE):
            return [[OP_STORE, self.traced, self.true]]
        if op in (OP_LOAD, OP_CONVERT) and w[1] in self.gone:
            return []
        if not OP_GROUP_FIRST <= op <= OP_GROUP_LAST:
            return [w]
        said, traced, type = self.id(), self.id(), w[1]
        if type not in self.zeros:
            self.zeros[type] = self.id()
        return [[op, type, said] + w[3:], [OP_LOAD, self.bool, traced, self.traced],
                [OP_SELECT, type, w[2], traced, self.zeros[type], said]]
