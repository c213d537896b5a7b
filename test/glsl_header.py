# SPDX-License-Identifier: Apache-2.0
"""Every function of descriptor_handle.glsl, compiled by both stock compilers, lowered, validated.

All functions stand in one shader for speed; when it fails, each is tried alone, so that a failure has a name."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ENVS = ["vulkan1.1", "vulkan1.2", "vulkan1.3"]
COORDS = {"1D": 1, "2D": 2, "3D": 3, "Cube": 3, "1DArray": 2, "2DArray": 3, "CubeArray": 4, "2DMS": 2, "2DMSArray": 3, "Buffer": 1}


def vector(kind, n):
    scalar = {"vec": "float", "ivec": "int"}[kind]
    return "%s(0)" % scalar if n == 1 else "%s%d(0)" % (kind, n)


def use(kind, h):
    """An expression or statement that accesses what handle `h` of type `kind` names; None: not known."""
    if kind == "accelerationStructureEXT":
        return "rayQueryEXT q%d; rayQueryInitializeEXT(q%d, handle_%s(%s), 0, 255, vec3(0), 0.0, vec3(1), 1.0); o += vec4(rayQueryProceedEXT(q%d));" % (
            (use.count,) * 2 + (kind, h, use.count))
    if kind == "sampler":
        return "o += texture(sampler2D(handle_texture2D(%s), handle_sampler(%s)), vec2(0));" % (h, h)
    if kind == "samplerShadow":
        return "o += vec4(texture(sampler2DShadow(handle_texture2D(%s), handle_samplerShadow(%s)), vec3(0)));" % (h, h)
    found = re.fullmatch(r"([iu]?)(texture|sampler|image)(\w+?)(Shadow)?", kind)
    if not found or found[3] not in COORDS:
        return None
    prefix, family, dim, shadow = found.groups()
    f, n = "handle_%s(%s)" % (kind, h), COORDS[dim]
    if family == "image":
        sample = ", 0" if "MS" in dim else ""
        if dim == "Cube":
            n = 3
        if dim == "CubeArray":
            n = 3
        value = {"": "vec4", "i": "ivec4", "u": "uvec4"}[prefix]
        return "o += vec4(imageLoad(%s, %s%s)); imageStore(%s, %s%s, %s(o)); o += vec4(%s);" % (
            f, vector("ivec", n), sample, f, vector("ivec", n), sample, value, sized("imageSize(%s)" % f, dim))
    if shadow:
        coords = {"1D": 3, "2D": 3, "Cube": 4, "1DArray": 3, "2DArray": 4, "CubeArray": 4}[dim]
        return "o += vec4(texture(%s, %s%s));" % (f, vector("vec", coords), ", 0.0" if dim == "CubeArray" else "")
    size = "textureSize(%s%s)" % (f, "" if "MS" in dim or dim == "Buffer" else ", 0")
    if "MS" in dim or dim == "Buffer" or (family == "texture" and "Cube" not in dim):
        lod = "" if dim == "Buffer" else ", 0"
        return "o += vec4(texelFetch(%s, %s%s)); o += vec4(%s);" % (f, vector("ivec", n), lod, sized(size, dim))
    if family == "texture":
        f = "%ssampler%s(%s, handle_sampler(%s))" % (prefix, dim, f, h)
    return "o += vec4(texture(%s, %s)); o += vec4(%s);" % (f, vector("vec", n), sized(size, dim))


use.count = 0


def sized(expression, dim):
    return expression + (".x" if dim not in ("1D", "Buffer") else "")


def shader(kinds):
    body = []
    for kind in kinds:
        for h in ("push", "nonuniform_handle(handles[gl_GlobalInvocationID.x])"):
            use.count += 1
            body.append("\t" + use(kind, h))
    acceleration = "accelerationStructureEXT" in kinds
    return """#version 460
#extension GL_GOOGLE_include_directive : require
%s#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(push_constant) uniform Push { DescriptorHandle push; };
layout(binding = 65534) buffer Handles { DescriptorHandle handles[]; };
layout(binding = 65534) buffer Out { vec4 result; };
void main()
{
	vec4 o = vec4(0);
%s
	result = o;
}
""" % ("#extension GL_EXT_ray_query : require\n#define DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE\n" if acceleration else "",
       "\n".join(body))


def attempt(args, compiler, env, kinds, tmp):
    """None, or what went wrong."""
    source, binary, out = (os.path.join(tmp, n) for n in ("h.comp", "h.spv", "o.spv"))
    with open(source, "w") as f:
        f.write(shader(kinds))
    include = "-I" + os.path.dirname(args.header)
    compile_command = {"glslang": [args.glslang, "-V", include, "--target-env", env, source, "-o", binary],
                       "glslc": [args.glslc, include, "--target-env=" + env, source, "-o", binary]}[compiler]
    for command in (compile_command, [args.bind, "-q", "--auto-binding=65534", binary, "-o", out],
                    [args.spirv_val, "--target-env", env, out]):
        done = subprocess.run(command, capture_output=True)
        if done.returncode:
            return "%s\n%s" % (" ".join(command), (done.stdout + done.stderr).decode(errors="replace"))
    with open(out, "rb") as f:
        if b"NonSemantic.DescriptorHandle" in f.read():
            return "NonSemantic.DescriptorHandle is left"
    return None


def main():
    parser = argparse.ArgumentParser()
    for name in ("header", "glslang", "glslc", "bind", "spirv-val"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    with open(args.header) as f:
        functions = re.findall(r"^SPB_DEREFERENCE (\w+) +handle_(\w+)\(", f.read(), re.M)
    kinds = [kind for kind, _ in functions]
    failed = ["handle_%s returns a %s" % (name, kind) for kind, name in functions if kind != name]
    failed += ["handle_%s: this test does not know how to use it" % k for k in kinds if use(k, "push") is None]
    passed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for compiler in ("glslang", "glslc"):
            for env in ENVS:
                if failed:
                    break
                wrong = attempt(args, compiler, env, kinds, tmp)
                if not wrong:
                    passed += len(kinds)
                    continue
                alone = [(k, attempt(args, compiler, env, [k], tmp)) for k in kinds]
                failed += ["%s %s handle_%s: %s" % (compiler, env, k, w) for k, w in alone if w] or [wrong]
    for line in failed:
        print("FAILED " + line)
    print("%d passed, %d failed" % (passed, len(failed)))
    sys.exit(1 if failed or not passed else 0)


main()
