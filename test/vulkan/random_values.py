# SPDX-License-Identifier: Apache-2.0
"""Random programs whose locals hold descriptors, or handles of them, run on a device.

    random_values.py LANGUAGE --bind B --run VULKAN_RUN --icd FILE [--count N] [--first SEED] [--keep FOLDER]

Each value has a number that follows it through assignments, arrays, structs, calls, branches and loops: that of its
descriptor, which the shader compares with what it reads. LANGUAGE:

    hlsl     local textures, samplers, texel buffers and images, from arrays without a size, with one and with two,
             unlegalised and legalised by glslang
    glsl     references to buffers by handles, beside handles of textures, combined or not
    slang    the same in Slang, whose handles may also be shared by a workgroup
    rays     acceleration structures in Slang, of arrays or handles, on drivers that have ray queries
"""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import running  # noqa: E402
from slang_repairs import SLANG, tell_layer  # noqa: E402

# h(e) is a number below 8 in no order, from memory; C is 0, from memory
COMMON = """
uint h(uint e) { return (numbers(e & 7u) * 5u + 3u) & 7u; }
uint index_of(float x) { return uint(x * SCALE + 0.5) - 200u; }
"""
MAIN = """	uint cst = C + %(cst)du, cnt = 0u, ok = 1u;
	%(type)s t0 = %(first)s, t1 = %(second)s, t2 = %(third)s;
	uint x0 = h(0u), x1 = h(i), x2 = h(7u - i);
	S s; s.t = t1; uint sx = x1;
	%(type)s ta[2]; ta[0] = t1; ta[1] = t0; uint xa[2]; xa[0] = x1; xa[1] = x0;
"""


class Language:
    """How a program is written: the type of its values, where they come from, and how they are read.

    sources and reads have pairs of texts with %(e)s, the argument of h(), %(v)s and %(x)s, a value and its number, or
    %(c)s, a condition, and t%(a)d, t%(b)d, two locals."""
    end = "\tPUT(i, ok);\n\tPUT(8u + i, 1u);\n}\n"
    dynamic = ["0", "1", "i & 1u", "cst & 1u"]  # elements of the local array
    swaps = True
    options = []
    case = "shape_random"
    # it follows the indices of invocations that are not active, whatever they are
    on_swiftshader = ["--nonuniform=all", "--heap-size=8", "--bounds-check=clamp"]

    def main(self, cst):
        made = [self.sources[0][0] % {"e": e} for e in ("0u", "i", "7u - i")]
        return MAIN % {"cst": cst, "type": self.type, "first": made[0], "second": made[1], "third": made[2]}


class Hlsl(Language):
    # type, its kind of heap, the number that a read gives: of samplers, which are told apart beyond the edge, & 3
    KINDS = {
        "texture": ("Texture2D", "texture", "index_of(%s.Load(int3(0, 0, 0)).x)"),
        "sampled": ("Texture2D", "texture", "index_of(%s.SampleLevel(smp[C & 1u], float2(0.5, 0.5), 0).x)"),
        "layers": ("Texture2DArray", "texture", "index_of(%s.Load(int4(0, 0, 0, 0)).x)"),
        "sampler": ("SamplerState", "sampler", "kind_of(images[0].SampleLevel(%s, float2(5, 5), 0))"),
        "texels": ("Buffer<uint>", "utexbuf", "%s[3] / 1000u - 1u"),
        "texels-rw": ("RWBuffer<uint>", "stexbuf", "%s[3] / 1000u - 1u"),
        "image": ("RWTexture2D<uint>", "image", "%s[uint2(0, 0)] - 200u"),
    }
    FORMS = {"open": "[]", "sized": "[8]", "square": "[2][8]"}
    dynamic = ["0", "1"]
    swaps = False
    options = ["--rules=hlsl", "--rebind=missing"]

    def __init__(self, kind, form):
        self.type, heap, read = self.KINDS[kind]
        row, base = ("[1]", "8u + ") if form == "square" else ("", "")
        self.sources = [("tex%s[h(%%(e)s)]" % row, "h(%(e)s)")] * 2 + [
            ("(%(c)s ? t%(a)d : t%(b)d)", "(%(c)s ? x%(a)d : x%(b)d)")]
        number = "((%(x)s) & 3u)" if kind == "sampler" else base + "%(x)s"
        # it takes the sampler of the first invocation, unless the image is marked, too
        self.on_swiftshader = self.on_swiftshader + ["--waterfall=sampler", "--heap=%s=1.2" % heap]
        self.reads = [("rd(%(v)s)", number)]
        if kind != "sampled":  # glslang 12 finds no texture in tex[1][i].SampleLevel() and (c ? t0 : t1).SampleLevel()
            self.reads.append((read % "%(v)s", number))
        self.size, self.read = self.FORMS[form], read % "t"

    def text(self, cst, lines):
        return """RWStructuredBuffer<uint> out_data;
StructuredBuffer<uint> table;
#define numbers(e) table[e]
#define PUT(at, value) out_data[at] = value
cbuffer constants { uint4 words; };
#define C (words.x & 7u)
#define SCALE 255.0
[[vk::binding(2, 1)]] %(type)s tex%(size)s;
[[vk::binding(0, 2)]] SamplerState smp[2];
[[vk::binding(1, 2)]] Texture2D images[1];
struct S { %(type)s t; };
uint kind_of(float4 c) { return c.x > 0.9 ? 3u : c.x > 0.5 ? 0u : c.w > 0.5 ? 2u : 1u; }
""" % {"type": self.type, "size": self.size} + COMMON + """uint rd(%s t) { return %s; }
[numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex)
{
""" % (self.type, self.read) + self.main(cst) + lines + self.end


class Glsl(Language):
    type = "Words"
    sources = [("handle_Words(of_buffer(h(%(e)s)))", "h(%(e)s)"), ("make(%(e)s)", "h(%(e)s)"),
               ("pick(t%(a)d, t%(b)d, %(c)s)", "(%(c)s ? x%(a)d : x%(b)d)")]
    reads = [("%(v)s.w[3]", "WORD(%(x)s, 3u)"), ("word(%(v)s, 5u + (cnt & 3u))", "WORD(%(x)s, 5u + (cnt & 3u))"),
             ("rd(handle_texture2D(of_texture(h(%(e)s))))", "h(%(e)s)"),
             ("rs(handle_sampler2D(of_pair(h(%(e)s))))", "h(%(e)s)"),
             ("rd2(handle_texture2D(of_texture(h(%(e)s))), handle_texture2D(of_texture(h(i))), cnt > 1000u)", "h(i)")]
    dynamic = ["0", "1", "i & 1u", "cst & 1u"]
    # what descriptor_heap.py has otherwise
    HEAD = """layout(set = 0, binding = 0, std430) buffer out_data { uint result[]; };
layout(set = 0, binding = 1, std430) readonly buffer Table { uint table[]; };
layout(set = 0, binding = 2) uniform constants { uvec4 words; };
layout(set = 0, binding = 3) uniform texture2D bound[4];
#define PUT(at, value) result[at] = value
#define C (words.x & 7u)
#define SCALE 255.0
uint numbers(uint e) { return table[e]; }
DescriptorHandle of_buffer(uint n) { return DescriptorHandle(n, 0u); }
DescriptorHandle of_texture(uint n) { return DescriptorHandle(n, 0u); }
DescriptorHandle of_pair(uint n) { return DescriptorHandle(n, n & 1u); }
#define WORD(n, j) (1000u * (n + 1u) + j)
"""
    reads_of_bound = [("rd(bound[%(e)s & 3u])", "(%(e)s & 3u)")]

    def __init__(self, head=HEAD, bound=True):
        self.head = head
        self.reads = self.reads + self.reads_of_bound * bound

    def text(self, cst, lines):
        return """#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(buffer_reference, std430) readonly buffer Words { uint w[]; };
DECLARE_BUFFER_HANDLE(Words)
""" + self.head + COMMON + """
struct S { float f; Words t; };
Words make(uint e) { return handle_Words(of_buffer(h(e))); }
uint word(Words w, uint j) { return w.w[j]; }
Words pick(Words a, Words b, bool c) { if (c) return a; return b; }
void swap(inout Words a, inout Words b) { Words t = a; a = b; b = t; }
uint rd(texture2D t) { return index_of(texelFetch(t, ivec2(0), 0).x); }
uint rs(sampler2D t) { return index_of(textureLod(t, vec2(0.5), 0.0).x); }
uint rd2(texture2D a, texture2D b, bool c) { if (c) return rd(a); return rd(b); }
void main()
{
	uint i = gl_LocalInvocationIndex;
""" + self.main(cst) + lines + self.end


class Slang(Language):
    type = "W.Handle"
    sources = [("W.Handle(handle(h(%(e)s)))", "h(%(e)s)"), ("all[%(e)s & 7]", "h(7u - (%(e)s & 7))"),
               ("pick(t%(a)d, t%(b)d, %(c)s)", "(%(c)s ? x%(a)d : x%(b)d)")]
    reads = [("word(%(v)s, 3)", "WORD(%(x)s, 3)"), ("word(*nonuniform(%(v)s), 4)", "WORD(%(x)s, 4)"),
             ("nonuniform(%(v)s)[5]", "WORD(%(x)s, 5)"), ("(%(v)s)[6]", "WORD(%(x)s, 6)"),
             ("rd(*nonuniform(Texture2D.Handle(handle(h(%(e)s)))))", "h(%(e)s)"),
             ("rd(Texture2D.Handle(handle(h(%(e)s))))", "h(%(e)s)"),
             ("index_of(nonuniform(Texture2D.Handle(handle(h(%(e)s)))).SampleLevel("
              "SamplerState.Handle(handle(cst & 1)), float2(0.5), 0).x)", "h(%(e)s)"),
             ("index_of(nonuniform(Sampler2D.Handle(handle(h(%(e)s)))).SampleLevel(float2(0.5), 0).x)", "h(%(e)s)")]
    options = ["--rebind=all,sets"]

    def text(self, cst, lines):
        return """RWStructuredBuffer<uint> out_data;
StructuredBuffer<uint> table;
cbuffer constants { uint4 words; };
#define numbers(e) table[e]
#define PUT(at, value) out_data[at] = value
#define C (words.x & 7)
#define SCALE 255.0
#define WORD(n, j) (1000 * (n + 1) + j)
typedef StructuredBuffer<uint> W;
struct S { float f; W.Handle t; };
groupshared W.Handle all[8];
uint2 handle(uint n) { return uint2(n, 0); }
""" + COMMON + """
uint word(W w, uint j) { return w[j]; }
W.Handle pick(W.Handle a, W.Handle b, bool c) { if (c) return a; return b; }
void swap(inout W.Handle a, inout W.Handle b) { W.Handle t = a; a = b; b = t; }
uint rd(Texture2D t) { return index_of(t.Load(int3(0)).x); }
[shader("compute")] [numthreads(8, 1, 1)] void main(uint3 id : SV_GroupThreadID)
{
	uint i = id.x;
	all[i] = W.Handle(handle(h(7 - i)));
	GroupMemoryBarrierWithGroupSync();
""" + self.main(cst) + lines + self.end


RAYS = """RWStructuredBuffer<uint> out_data;
#define SCALE 255.0
struct S { float f; RaytracingAccelerationStructure t; };
""" + COMMON + """
uint rd(RaytracingAccelerationStructure scene)
{
	RayDesc ray;
	ray.Origin = float3(0); ray.TMin = 0; ray.Direction = float3(0, 0, 1); ray.TMax = 100;
	RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
	q.TraceRayInline(scene, 0, 255, ray);
	while (q.Proceed()) ;
	return uint(q.CommittedRayT() + 0.5) - 10;
}
RaytracingAccelerationStructure pick(RaytracingAccelerationStructure a, RaytracingAccelerationStructure b, bool c)
{
	if (c) return a;
	return b;
}
void swap(inout RaytracingAccelerationStructure a, inout RaytracingAccelerationStructure b)
{
	RaytracingAccelerationStructure t = a; a = b; b = t;
}
[shader("compute")] [numthreads(8, 1, 1)] void main(uint3 id : SV_GroupThreadID)
{
	uint i = id.x;
"""


class Rays(Language):
    """Acceleration structures of arrays, which Slang keeps in variables and Vulkan does not allow there."""
    type = "RaytracingAccelerationStructure"
    sources = [("scenes[h(%(e)s)]", "h(%(e)s)"), ("more[1][h(%(e)s)]", "8u + h(%(e)s)"),
               ("pick(t%(a)d, t%(b)d, %(c)s)", "(%(c)s ? x%(a)d : x%(b)d)")]
    reads = [("rd(%(v)s)", "%(x)s")]
    head = """StructuredBuffer<uint> table;
cbuffer constants { uint4 words; };
[[vk::binding(2, 1)]] RaytracingAccelerationStructure scenes[8];
[[vk::binding(3, 1)]] RaytracingAccelerationStructure more[2][8];
#define numbers(e) table[e]
#define PUT(at, value) out_data[at] = value
#define C (words.x & 7)
"""

    def text(self, cst, lines):
        return self.head + RAYS + self.main(cst) + lines + self.end


class Addresses(Rays):
    """Those of handles, which are device addresses: the case has eight, and expects 10 and the number of the last."""
    sources = [("*RaytracingAccelerationStructure.Handle(handles[h(%(e)s)])", "h(%(e)s)")] * 2 + Rays.sources[2:]
    head = """StructuredBuffer<uint2> handles;
[[vk::push_constant]] cbuffer Push { uint2 pushed[16]; };
#define numbers(e) (e * 3)
#define PUT(at, value) out_data[at] = (value) * (10 + ((i * 5 + 3) & 7))
#define C (pushed[15].x >> 31)
"""
    end = Language.end.replace("PUT(8u + i, 1u)",
                               "out_data[8 + i] = 10 + rd(*RaytracingAccelerationStructure.Handle(pushed[0]))")
    case = "handle_ray_query"


class Program:
    def __init__(self, seed, language):
        self.r, self.language = random.Random(seed), language
        self.cst, self.lines, self.reads = self.r.randrange(8), [], 0
        self.block(0, 14)
        while self.reads < 3:
            self.read()
        self.text = language.text(self.cst, "\n".join(self.lines) + "\n")

    def put(self, text):
        self.lines.append("\t" + text)

    def argument(self):
        return self.r.choice(["i", "(i*3u)", "cst", "2u", "(i>>1u)", "(i^cst)", "cnt", "(i+cnt)"])

    def condition(self):
        return self.r.choice(["(i>3u)", "((i&1u)==0u)", "((cst&3u)>1u)", "(cnt>3u)", "(((i^cst)&2u)==0u)",
                              "(h(i)>3u)"])

    def variable(self):
        """A local, and the variable of its number."""
        kind, n = self.r.random(), self.r.randrange(3)
        if kind < 0.7:
            return "t%d" % n, "x%d" % n
        at = self.r.choice(self.language.dynamic)
        return ("s.t", "sx") if kind < 0.85 else ("ta[%s]" % at, "xa[%s]" % at)

    def source(self):
        """A value, and the number of its descriptor."""
        if self.r.random() < 0.5:
            return self.variable()
        a, b = self.r.sample(range(3), 2)
        words = {"e": self.argument(), "c": self.condition(), "a": a, "b": b}
        value, number = self.r.choice(self.language.sources)
        return value % words, number % words

    def assign(self):
        value, number = self.source()
        to, of = self.variable()
        self.put("{ %s v_ = %s; uint u_ = %s; %s = v_; %s = u_; }" % (self.language.type, value, number, to, of))

    def read(self):
        value, number = self.source()
        words = {"v": value, "x": number, "e": self.argument()}
        found, expected = self.r.choice(self.language.reads)
        self.reads += 1
        self.put("ok &= (%s) == (%s) ? 1u : 0u;" % (found % words, expected % words))

    def swap(self):
        a, b = self.r.sample(range(3), 2)
        self.put("swap(t%d, t%d); { uint u_ = x%d; x%d = x%d; x%d = u_; }" % (a, b, a, a, b, b))

    def loop(self, depth):
        name = "k%d" % len(self.lines)
        self.put("for (uint %s = 0u; %s < %s; ++%s) { cnt++;" % (
            name, name, self.r.choice(["3u", "(i & 3u)", "(cst & 3u)"]), name))
        if self.r.random() < 0.3:
            self.put("if (%s) continue;" % self.condition())
        self.block(depth + 1, 2)
        self.put("if (%s) break; }" % self.condition() if self.r.random() < 0.4 else "}")

    def parts(self, depth, length, *between):
        for text in between[:-1]:
            self.put(text)
            self.block(depth + 1, length)
        self.put(between[-1])

    def block(self, depth, length):
        for _ in range(length):
            kind = self.r.random()
            if kind < 0.36:
                self.assign()
            elif kind < 0.62:
                self.read()
            elif kind < 0.68 and self.language.swaps:
                self.swap()
            elif kind < 0.8 and depth < 2:
                self.parts(depth, 2, "if (%s) {" % self.condition(), "} else {", "}")
            elif kind < 0.89 and depth < 2:
                self.loop(depth)
            elif kind < 0.95 and depth < 2:
                self.parts(depth, 1, "switch (int(%s & 3u)) { case 0:" % self.argument(), "break; case 1:",
                           "break; default:", "break; }")
            else:
                self.put("cnt++;")


def hlsl(base, seed):
    """Each class of descriptors in turn, and each of them in each form."""
    kind = list(Hlsl.KINDS)[seed % len(Hlsl.KINDS)]
    for form in Hlsl.FORMS:
        name, language = "%s-%s-%s" % (base, kind, form), Hlsl(kind, form)
        running.write(name + ".hlsl", Program(seed, language).text)
        made = running.run("glslangValidator", "-D", "-V", "-g", "--quiet", "-S", "comp", "-e", "main",
                           *(["-Od"] if seed // len(Hlsl.KINDS) % 2 else []), "--target-env", "vulkan1.1",
                           name + ".hlsl", "-o", name + ".in.spv", expect=None)
        yield name, language, made.returncode == 0


def glsl(base, seed):
    language = Glsl()
    running.write(base + ".comp", Program(seed, language).text)
    running.glslang(base + ".comp", base + ".in.spv", "-g", "--target-env", ("vulkan1.1", "vulkan1.2")[seed % 2])
    yield base, language, True


def slang(base, seed, language=None):
    language = language or Slang()
    running.write(base + ".slang", Program(seed, language).text)
    yield base, language, True


def compile_slang(bases):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "uniformity", "slang.mjs")
    for i in range(0, len(bases), 50):
        driver.run("node", script, os.environ.get("SPB_SLANG", SLANG), *[b + ".slang" for b in bases[i:i + 50]])
    for base in bases:
        os.rename(base + ".slang.spv", base + ".in.spv")


def main():
    parser = driver.parser()
    parser.add_argument("language", choices=["hlsl", "glsl", "slang", "rays"])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep")
    args = parser.parse_args()
    make = {"hlsl": hlsl, "glsl": glsl, "slang": slang,
            "rays": lambda base, seed: slang(base, seed, (Rays, Addresses)[seed % 2]())}[args.language]
    jobs, failed = [], []
    with tempfile.TemporaryDirectory() as tmp:
        folder = args.keep or tmp
        os.makedirs(folder, exist_ok=True)
        made = [m for seed in range(args.first, args.first + args.count)
                for m in make(os.path.join(folder, str(seed)), seed)]
        compiled = [(base, language) for base, language, is_compiled in made if is_compiled]
        if args.language in ("slang", "rays"):
            compile_slang([base for base, _ in compiled])
        for base, language in compiled:
            options = language.options + language.on_swiftshader * ("swiftshader" in args.icd)
            done = running.run(args.bind, "-q", *options, base + ".in.spv", "-o", base + ".spv",
                               "--layout-json=" + base + ".json", expect=None)
            if done.returncode:
                failed.append("%s: %s" % (base, done.stderr))
                continue
            if args.language in ("slang", "rays"):
                tell_layer(base + ".spv")
            jobs += ["--case", language.case, "--spirv", base + ".spv", "--layout", base + ".json"]
        ran = running.run(args.run, "--icd", args.icd, *jobs, expect=None)
    wrong = failed + [line for line in ran.stdout.splitlines() if ": pass" not in line]
    passed = sum(": pass" in line for line in ran.stdout.splitlines())
    print("\n".join(wrong))
    print("%d programs agree, %d do not, %d that the compiler refuses" % (
        passed, len(wrong), len(made) - len(compiled)))
    sys.exit(0 if not wrong and not ran.returncode and passed * 10 > len(made) * 9 else 1)


if __name__ == "__main__":
    main()
