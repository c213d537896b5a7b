# SPDX-License-Identifier: Apache-2.0
"""Every function of descriptor_handle.glsl, compiled by both stock compilers, lowered, validated.

Each function has a separate shader, where a missing capability cannot be hidden by another function, and all are
together in one, where the heaps must not interfere; if that one fails, each is tried alone, to find the failing
function. The same with results passed to functions, with typed handles, and in GLSL ES. Then every stage, storage
images with a format, atomics, the examples, all of which the header must name, and the header's own. --compile-only
stops after the compilers."""
import argparse
import concurrent.futures
import os
import re
import sys
import tempfile

from running import run

ENVS = ["vulkan1.1", "vulkan1.2", "vulkan1.3"]
COMPILERS = ["glslang", "glslc"]
COORDS = {"1D": 1, "2D": 2, "3D": 3, "Cube": 3, "1DArray": 2, "2DArray": 3, "CubeArray": 4, "2DMS": 2, "2DMSArray": 3,
          "Buffer": 1}
SHADOW = {"1D": 3, "2D": 3, "Cube": 4, "1DArray": 3, "2DArray": 4, "CubeArray": 4}
VALUE = {"": "vec4", "i": "ivec4", "u": "uvec4"}
EXPECTED = {p + f + d for p in VALUE for f in ("texture", "sampler", "image") for d in COORDS} | {
    "sampler%sShadow" % d for d in SHADOW} | {"sampler", "samplerShadow", "accelerationStructureEXT"}
FORMATS = {"image2D": "rgba32f rgba16f r32f rgba8 rgba8_snorm rg32f rg16f r11f_g11f_b10f r16f rgba16 rgb10_a2 rg16 rg8 "
                      "r16 r8",
           "iimage2D": "rgba32i rgba16i rgba8i r32i rg32i rg16i rg8i r16i r8i",
           "uimage2D": "rgba32ui rgba16ui rgb10_a2ui rgba8ui r32ui rg32ui rg16ui rg8ui r16ui r8ui"}
MARKED = "nonuniform_handle(handles[id])"


# the contents of the header

def declared(text):
    """({function: type}, complaints): every declaration must be one that the other checks understand."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    functions = re.findall(r"^SPB_DEREFERENCE (\w+) +(\w+)\(DescriptorHandle h\);$", text, re.M)
    wrong = ["%s returns a %s" % (name, kind) for kind, name in functions if name != "handle_" + kind]
    lines = [line for line in text.splitlines() if not line.startswith("#define") and not line.startswith("\t")]
    known = {name for _, name in functions}
    wrong += ["%s: this test does not know what it is" % name
              for name in re.findall(r"\b(\w+) *\(", "\n".join(lines)) if name not in known]
    kinds = [kind for kind, _ in functions]
    wrong += ["handle_%s is declared twice" % k for k in sorted(set(kinds)) if kinds.count(k) > 1]
    wrong += ["handle_%s is not in the header" % k for k in sorted(EXPECTED - set(kinds))]
    wrong += ["handle_%s: this test does not know how to use it" % k for k in sorted(set(kinds) - EXPECTED)]
    return sorted(set(kinds) & EXPECTED), wrong


# shaders

def vector(kind, n):
    scalar = {"vec": "float", "ivec": "int"}[kind]
    return "%s(0)" % scalar if n == 1 else "%s%d(0)" % (kind, n)


def sized(expression, dim):
    return expression + (".x" if dim not in ("1D", "Buffer") else "")


def use(kind, h, n, f=None):
    """Statements that access what handle `h` of type `kind` names; `n` makes names in them unique. f: the
    descriptor."""
    f = f or "handle_%s(%s)" % (kind, h)
    if kind == "accelerationStructureEXT":
        return ("rayQueryEXT q%d; rayQueryInitializeEXT(q%d, %s, 0, 255, vec3(0), 0.0, vec3(1), 1.0); "
                "o += vec4(rayQueryProceedEXT(q%d));" % (n, n, f, n))
    if kind == "sampler":
        return "o += texture(sampler2D(handle_texture2D(%s), %s), vec2(0));" % (h, f)
    if kind == "samplerShadow":
        return "o += vec4(texture(sampler2DShadow(handle_texture2D(%s), %s), vec3(0)));" % (h, f)
    prefix, family, dim, shadow = re.fullmatch(r"([iu]?)(texture|sampler|image)(\w+?)(Shadow)?", kind).groups()
    if shadow:
        return "o += vec4(texture(%s, %s%s));" % (f, vector("vec", SHADOW[dim]), ", 0.0" if dim == "CubeArray" else "")
    if family == "image":
        where = vector("ivec", 3 if dim == "CubeArray" else COORDS[dim]) + (", 0" if "MS" in dim else "")
        return "o += vec4(imageLoad(%s, %s)); imageStore(%s, %s, %s(o)); o += vec4(%s);" % (
            f, where, f, where, VALUE[prefix], sized("imageSize(%s)" % f, dim))
    level = "" if "MS" in dim or dim == "Buffer" else ", 0"
    size = "o += vec4(%s);" % sized("textureSize(%s%s)" % (f, level), dim)
    fetch = "" if "Cube" in dim else "o += vec4(texelFetch(%s, %s%s)); " % (
        f, vector("ivec", COORDS[dim]), "" if dim == "Buffer" else ", 0")
    if "MS" in dim or dim == "Buffer":
        return fetch + size
    combined = f if family == "sampler" else "%ssampler%s(%s, handle_sampler(%s))" % (prefix, dim, f, h)
    sample = "o += vec4(texture(%s, %s)); " % (combined, vector("vec", COORDS[dim]))
    levels = "o += vec4(textureQueryLevels(%s)); " % f
    return fetch + sample + levels + size


HEAD = """#version 460
#extension GL_GOOGLE_include_directive : require
%s#include "descriptor_handle.glsl"
layout(push_constant) uniform Push { DescriptorHandle push; DescriptorHandle other; uint id; };
"""
QUERIES = "#extension GL_EXT_ray_query : require\n#define DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE\n"


def compute(kinds, through_functions=False):
    """Each function used with a handle of the push constant, and with a nonuniform one from a buffer."""
    body, functions = [], []
    for kind in kinds:
        if through_functions:
            functions.append("vec4 via_%s(%s p, DescriptorHandle h)\n{\n\tvec4 o = vec4(0);\n\t%s\n\treturn o;\n}" % (
                kind, kind, use(kind, "h", 0, "p")))
        for h in ("push", MARKED):
            body.append("\t" + ("o += via_%s(handle_%s(%s), push);" % (kind, kind, h) if through_functions
                                else use(kind, h, len(body))))
    acceleration = "accelerationStructureEXT" in kinds
    return HEAD % (QUERIES if acceleration else "") + "\n".join(functions) + """
layout(local_size_x = 8) in;
layout(binding = 65534, std430) readonly buffer Handles { DescriptorHandle handles[]; };
layout(binding = 65534, std430) buffer Out { vec4 result; };
void main()
{
	vec4 o = vec4(0);
	uint id = gl_GlobalInvocationID.x;
%s
	if (handle_equal(push, handle_from_uvec2(handle_to_uvec2(other))))
		result = o;
}
""" % "\n".join(body)


def type_of(kind):
    """The name that typed_handle.glsl gives the handles of a kind."""
    prefix, family, rest = re.fullmatch(r"([iu]?)(texture|sampler|image|acceleration)(.*)", kind).groups()
    return prefix.upper() + family.capitalize() + rest + "Handle"


def typed(kinds):
    """Each kind by a typed handle."""
    body = []
    for kind in kinds:
        for h, way in (("push", "dereference"), (MARKED, "dereference_nonuniform")):
            body.append("\t" + use(kind, h, len(body), "%s(%s, choose(%s(%s)))" % (
                way, kind, type_of(kind), h.replace(MARKED, "handles[id]"))))
    head = HEAD % (QUERIES if "accelerationStructureEXT" in kinds else "")
    return head.replace("descriptor_handle", "typed_handle") + """
#define choose(h) (other.x != 7u && h == h ? h : h)
layout(local_size_x = 8) in;
layout(binding = 65534, std430) readonly buffer Handles { DescriptorHandle handles[]; };
layout(binding = 65534, std430) buffer Out { vec4 result; };
void main()
{
	vec4 o = vec4(0);
	uint id = gl_GlobalInvocationID.x;
%s
	result = o;
}
""" % "\n".join(body)


def in_es(kinds):
    """The kinds that GLSL ES has."""
    there = [k for k in kinds if "1D" not in k and not re.search("image2DMS", k) and k != "accelerationStructureEXT"]
    text = re.sub(r"o \+= vec4\(textureQueryLevels\(.*?\)\); (?=o )", "", compute(there))  # which ES lacks
    return text.replace("#version 460", "#version 320 es").replace(
        "layout(local_size_x = 8)", "precision highp float;\nlayout(local_size_x = 8)")


def formats():
    """Storage images with a format: no capability for images without one may remain in the module."""
    declarations, body = [], []
    for kind, names in FORMATS.items():
        for name in names.split():
            declarations.append("DECLARE_IMAGE_HANDLE(%s, %s, my_%s)" % (name, kind, name))
            for h in ("push", MARKED):
                f = "my_%s(%s)" % (name, h)
                body.append("\timageStore(%s, ivec2(1), imageLoad(%s, ivec2(0)));" % (f, f))
    return HEAD % "" + """
layout(local_size_x = 8) in;
layout(binding = 65534, std430) readonly buffer Handles { DescriptorHandle handles[]; };
%s
void main()
{
	uint id = gl_GlobalInvocationID.x;
%s
}
""" % ("\n".join(declarations), "\n".join(body))


def atomics():
    """Every kind of image that has them, in the two formats that have them."""
    declarations, body = [], []
    for prefix, name in (("i", "r32i"), ("u", "r32ui")):
        for dim in COORDS:
            kind, f = prefix + "image" + dim, "my_%simage%s" % (prefix, dim)
            declarations.append("DECLARE_IMAGE_HANDLE(%s, %s, %s)" % (name, kind, f))
            where = vector("ivec", 3 if dim == "CubeArray" else COORDS[dim]) + (", 0" if "MS" in dim else "")
            one = "1" if prefix == "i" else "1u"
            for h in ("push", MARKED):
                call = "%%s(%s(%s), %s, %%s)" % (f, h, where)
                body += ["\to += vec4(%s);" % (call % (op, one))
                         for op in ("imageAtomicAdd", "imageAtomicMin", "imageAtomicXor", "imageAtomicExchange")]
                body.append("\to += vec4(%s);" % (call % ("imageAtomicCompSwap", one + ", " + one)))
    return HEAD % "" + """
layout(local_size_x = 8) in;
layout(binding = 65534, std430) readonly buffer Handles { DescriptorHandle handles[]; };
layout(binding = 65534, std430) buffer Out { vec4 result; };
%s
void main()
{
	vec4 o = vec4(0);
	uint id = gl_GlobalInvocationID.x;
%s
	result = o;
}
""" % ("\n".join(declarations), "\n".join(body))


SAMPLE = "textureLod(sampler2D(handle_texture2D(push), handle_sampler(other)), vec2(0), 0)"
IMPLICIT = """o = texture(sampler2D(handle_texture2D(push), handle_sampler(other)), uv);
	o += texture(handle_sampler2D(nonuniform_handle(marked)), uv) + textureGather(handle_sampler2D(push), uv);
	o += textureProj(handle_sampler2D(push), vec3(uv, 1));
	o += textureGrad(handle_sampler2D(push), uv, vec2(0), vec2(0));
	o.xy += textureQueryLod(handle_sampler2D(push), uv);
	o.x += texture(handle_sampler2DShadow(push), vec3(uv, 0.5));
	o.x += textureGather(handle_sampler2DShadow(push), uv, 0.5).x;"""
RAYS = "traceRayEXT(handle_accelerationStructureEXT(push), 0, 255, 0, 0, 0, vec3(0), 0.0, vec3(1), 1.0, 0);"
TRACING = "#extension GL_EXT_ray_tracing : require\n#define DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE\n"
MESH = "#extension GL_EXT_mesh_shader : require\n"
STAGES = {  # suffix of the file: extensions, declarations, body
    "vert": ("", "", "gl_Position = %s;" % SAMPLE),
    "tesc": ("", "layout(vertices = 3) out;", "gl_TessLevelOuter[0] = %s.x;" % SAMPLE),
    "tese": ("", "layout(triangles) in;", "gl_Position = %s;" % SAMPLE),
    "geom": ("", "layout(points) in; layout(points, max_vertices = 1) out;",
             "gl_Position = %s; EmitVertex();" % SAMPLE),
    "frag": ("", "layout(location = 0) in vec2 uv; layout(location = 1) flat in uvec2 marked; layout(location = 0) out "
                 "vec4 o;", IMPLICIT),
    "comp": ("", "layout(local_size_x = 1) in; shared vec4 o;", "o = %s;" % SAMPLE),
    "task": (MESH, "layout(local_size_x = 1) in;", "EmitMeshTasksEXT(uint(%s.x), 1, 1);" % SAMPLE),
    "mesh": (MESH, "layout(local_size_x = 1) in; layout(points, max_vertices = 1, max_primitives = 1) out;",
             "SetMeshOutputsEXT(1, 1); gl_MeshVerticesEXT[0].gl_Position = %s;" % SAMPLE),
    "rgen": (TRACING, "layout(location = 0) rayPayloadEXT vec4 p;",
             RAYS + " imageStore(handle_image2D(other), ivec2(gl_LaunchIDEXT.xy), p);"),
    "rchit": (TRACING, "layout(location = 0) rayPayloadInEXT vec4 p;", RAYS + " p = %s;" % SAMPLE),
    "rmiss": (TRACING, "layout(location = 0) rayPayloadInEXT vec4 p;", "p = %s;" % SAMPLE),
    "rahit": (TRACING, "layout(location = 0) rayPayloadInEXT vec4 p;",
              "if (%s.a < 0.5) ignoreIntersectionEXT;" % SAMPLE),
    "rint": (TRACING, "", "reportIntersectionEXT(%s.x, 0);" % SAMPLE),
    "rcall": (TRACING, "layout(location = 0) callableDataInEXT vec4 p;", "p = %s;" % SAMPLE),
}


def stage(suffix):
    extensions, declarations, body = STAGES[suffix]
    return HEAD % extensions + declarations + "\nvoid main()\n{\n\t" + body + "\n}\n"


# examples: the header's own and those in its folder

EXAMPLES = {  # the accessed heaps, and which accesses differ between invocations
    "header.frag": {"texture_2D_float": True, "sampler": True},
    "material.frag": {"texture_2D_float": True, "sampler": True},
    "shadow.frag": {"combined_2D_depth_float": False, "combined_2D_float": False},
    "blur.comp": {"image_2D_float_Rgba16f": False, "image_2D_float_Rgba8": False},
    "histogram.comp": {"texture_2D_float": False, "image_1D_uint_R32ui": False, "stexbuf_uint_R32ui": False},
    "animation.vert": {"utexbuf_float": True, "utexbuf_uint": True},
    "visible.comp": {"as": False},
    "layers.frag": {"texture_2D_float": False, "sampler": False, "image_2D_float": False},
    "particles.comp": {"ssbo_Particles": True, "ubo_Wind": True},
    "cache.comp": {"texture_2D_float": True},
    "compact.comp": {"texture_2D_float": False, "sampler": False, "combined_2D_float": False},
}


def examples(header):
    """({name: text}, complaints)"""
    with open(header) as f:
        text = f.read()
    own = re.search(r"((?: \*(?:     .*)?\n)+?) \*     glslangValidator", text)
    found = {"header.frag": re.sub(r"(?m)^ \*(     )?", "", own[1])} if own else {}
    folder = os.path.join(os.path.dirname(header), "examples")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as f:
            found[name] = f.read()
    wrong = ["%s: the header does not name it" % n for n in found if n not in text and n != "header.frag"]
    return found, wrong + ["%s: there is no such example, or none that this test knows" % n
                           for n in set(found) ^ set(EXAMPLES)]


def wrong_heaps(text, name):
    marks = set(re.findall(r"OpDecorate (%\w+) NonUniform\b", text))
    seen = {}
    for chain, heap in re.findall(r"(%\w+) = OpAccessChain %\w+ %heap_(\w+)", text):
        seen.setdefault(heap, set()).add(chain in marks)
    wanted = {heap: {mark} for heap, mark in EXAMPLES[name].items()}
    return [] if seen == wanted else ["heaps are %s, and should be %s" % (seen, wanted)]


# checks of the output

def left_over(text):
    return [line.strip() for line in text.splitlines()
            if "OpString" not in line and "OpSource" not in line and "NonSemantic.DescriptorHandle" in line]


def wrong_marks(text):
    """Each heap is read once with a nonuniform handle and once with another: only the former's access chain and load
    are decorated."""
    marks = set(re.findall(r"OpDecorate (%\w+) NonUniform\b", text))
    heaps = set(re.findall(r"^ *(%heap_\w+) = OpVariable", text, re.M))
    loads = {chain: value for value, chain in re.findall(r"(%\w+) = OpLoad %\w+ (%\w+)", text)}
    seen = {heap: set() for heap in heaps}
    wrong = [] if heaps else ["there is no heap"]
    for chain, heap in re.findall(r"(%\w+) = OpAccessChain %\w+ (%heap_\w+)", text):
        seen[heap].add(chain in marks)
        if chain in loads and (chain in marks) != (loads[chain] in marks):  # otherwise it is passed to a function
            wrong.append("of %s and its load one is NonUniform, the other is not" % chain)
    for heap in sorted(heaps):
        if seen[heap] != {True, False}:
            wrong.append("%s: NonUniform on %s" % (heap, "every access" if True in seen[heap] else "no access"))
    return wrong


def compile_by_glslc(args, cases):
    """{source: module} of all shaders for glslc, compiled in one process for each environment, since most of its time
    goes to the declarations of built-in functions, which it reads once. Without those that a process did not finish,
    which `attempt` then compiles alone, to name the failing one."""
    made = {}
    for env in sorted({case[1] for case in cases}):
        folder = tempfile.mkdtemp(dir=args.workdir)
        names = {}
        for _, _, text, *rest in (case for case in cases if case[:2] == ("glslc", env)):
            names[env, text] = "%d.%s" % (len(names), rest[0] if rest else "comp")
            with open(os.path.join(folder, names[env, text]), "w") as f:
                f.write(text)
        done = run(args.glslc, "-c", "-I" + os.path.dirname(os.path.abspath(args.header)), "--target-env=" + env,
                   *names.values(), cwd=folder, expect=None)
        if done.returncode == 0:
            for key, name in names.items(): # 0.comp becomes 0.comp.spv, but 0.mesh 0.spv
                beside = [os.path.join(folder, n + ".spv") for n in (name, name.split(".")[0])]
                made[key] = next(path for path in beside if os.path.exists(path))
    return made


def attempt(args, compiler, env, text, suffix="comp", marks=True, without="", example=None):
    """None, or the failure."""
    with tempfile.TemporaryDirectory(dir=args.workdir) as tmp:
        source, binary, out = (os.path.join(tmp, n) for n in ("h." + suffix, "h.spv", "o.spv"))
        ready = args.ready.get((env, text)) if compiler == "glslc" else None
        with open(source, "w") as f:
            f.write(text)
        include = "-I" + os.path.dirname(os.path.abspath(args.header))
        commands = [{"glslang": [args.glslang, "-V", include, "--target-env", env, source, "-o", binary],
                     "glslc": [args.glslc, include, "--target-env=" + env, source, "-o", binary]}[compiler]]
        if ready:
            commands, binary = [], ready
        if not args.compile_only:
            commands += [[args.bind, "-q", "--auto-binding=65534", binary, "-o", out],
                         [args.spirv_val, "--target-env", env, out], [args.spirv_dis, "--no-color", out]]
        for command in commands:
            done = run(*command, expect=None)
            if done.returncode:
                return "%s\n%s" % (" ".join(command), done.stdout + done.stderr)
    if args.compile_only:
        return None
    text = done.stdout
    wrong = left_over(text) + (wrong_marks(text) if marks else []) + (wrong_heaps(text, example) if example else [])
    if without and without in text:
        wrong.append(without + " is declared")
    return "; ".join(wrong) or None


def together(kinds, shaders):
    """(name, arguments of attempt without compiler and environment)"""
    yield "all functions together", compute(kinds)
    yield "DECLARE_IMAGE_HANDLE", formats(), "comp", True, "WithoutFormat"
    yield "typed handles", typed(kinds)
    yield "GLSL ES", in_es(kinds)
    yield "atomics", atomics(), "comp", True, "WithoutFormat"
    yield "passed to functions", compute(kinds, True), "comp", False
    for name, text in shaders.items():
        yield name, text, name.split(".")[1], False, "", name


def attempts(kinds, shaders, every):
    """(name, arguments of attempt, kinds to try alone when it fails)."""
    for i, kind in enumerate(kinds):  # in turn, so that each compiler and environment gets some
        compiler, env = COMPILERS[i % 2], ENVS[i // 2 % 3]
        yield "%s %s handle_%s" % (compiler, env, kind), (compiler, env, compute([kind])), []
    for i, compiler in enumerate(COMPILERS):
        for k, env in enumerate(ENVS):
            for at, (name, *case) in enumerate(together(kinds, shaders)):
                if every or (at + i + k) % len(ENVS) == 0: # each by both compilers, in an environment for each
                    yield "%s %s %s" % (compiler, env, name), (compiler, env, *case), kinds * (not at)
        for suffix in STAGES:
            yield "%s %s stage" % (compiler, suffix), (compiler, "vulkan1.3", stage(suffix), suffix, False), []


def main():
    parser = argparse.ArgumentParser()
    for name in ("header", "glslang", "glslc"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--bind")
    parser.add_argument("--spirv-val")
    parser.add_argument("--spirv-dis", help="default: the one beside spirv-val")
    parser.add_argument("--workdir", help="default: where temporary files go")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--all", action="store_true", help="each shader by each compiler in each environment")
    args = parser.parse_args()
    if not args.compile_only and not (args.bind and args.spirv_val):
        parser.error("--bind and --spirv-val are needed without --compile-only")
    if not args.spirv_dis:
        beside = os.path.join(os.path.dirname(args.spirv_val or ""), "spirv-dis")
        args.spirv_dis = beside if os.path.exists(beside) else "spirv-dis"
    if args.workdir:
        os.makedirs(args.workdir, exist_ok=True)
    folder = tempfile.TemporaryDirectory(dir=args.workdir) # goes at the end
    args.workdir = folder.name
    with open(args.header) as f:
        kinds, failed = declared(f.read())
    shaders, wrong = examples(args.header)
    failed += wrong
    passed = 0
    todo = list(attempts(kinds, shaders, args.all))
    args.ready = compile_by_glslc(args, [case for _, case, _ in todo if case[0] == "glslc"])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = [(name, case, alone, pool.submit(attempt, args, *case)) for name, case, alone in todo]
        for name, case, alone, run in runs:
            wrong = run.result()
            if not wrong:
                passed += 1
                continue
            named = [(k, attempt(args, case[0], case[1], compute([k]))) for k in alone]
            failed += ["%s %s handle_%s: %s" % (case[0], case[1], k, w) for k,
                       w in named if w] or ["%s: %s" % (name, wrong)]
    for compiler in COMPILERS:  # the purpose of the types
        spoiled = shaders["compact.comp"].replace("(sampler, d.smp)", "(sampler, d.color)")
        said = attempt(args, compiler, ENVS[0], spoiled)
        if not said or "names_sampler" not in said:
            failed.append("%s takes the handle of a texture for that of a sampler: %s" % (compiler, said))
    for line in failed:
        print("FAILED " + line)
    print("%d passed, %d failed" % (passed, len(failed)))
    sys.exit(1 if failed or not passed else 0)


main()
