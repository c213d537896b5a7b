# SPDX-License-Identifier: Apache-2.0
"""Large modules for the benchmarks: what glslang makes of many functions, and the functions of such a module repeated
many times."""
import array
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_IDS = 4194303  # SPIR-V 2.17, "Universal Limits"

FUNCTION = """
vec3 shade_%(n)d(vec3 n_%(n)d, vec2 uv_%(n)d, vec3 to_%(n)d)
{
	vec3 sum_%(n)d = texture(environment[%(n)d %% 2], reflect(-to_%(n)d, n_%(n)d)).rgb * float(%(n)d);
	for (int i_%(n)d = 0; i_%(n)d < 4; i_%(n)d++) {
		float d_%(n)d = max(dot(n_%(n)d, lights.direction[i_%(n)d].xyz), 0);
		sum_%(n)d += d_%(n)d * lights.color[i_%(n)d].rgb + pow(d_%(n)d, 8.0 + float(i_%(n)d))
			* texture(sampler2D(albedo_map, linear_repeat), uv_%(n)d * float(i_%(n)d)).rgb;
	}
	if (sum_%(n)d.x > 0.5) {
		vec3 at_%(n)d = texture(sampler2D(normal_map, linear_repeat), uv_%(n)d).xyz;
		sum_%(n)d = mix(sum_%(n)d, at_%(n)d, 0.5 * sum_%(n)d.y);
	}
	return sum_%(n)d * texture(shadow_map, vec3(uv_%(n)d, 0.5)) + eye.xyz;
}
"""


def large_source(count):
    with open(os.path.join(ROOT, "spirv-fixtures/glsl/lit/lit.frag")) as f:
        head, _, _ = f.read().partition("void main()")
    calls = "".join("\tc += shade_%d(world_normal, texcoord, to_eye);\n" % n for n in range(count))
    return head + "".join(FUNCTION % {"n": n}
                          for n in range(
                              count)) + "void main()\n{\n\tvec3 c = vec3(0);\n%s\tresult = vec4(c, 1);\n}\n" % calls


def compile_glsl(source, out, *flags):
    subprocess.run(["glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.1", *flags, source, "-o", out],
                   check=True, stdout=subprocess.DEVNULL)


def write_large(path, count):
    """Without names: SPIRV-Tools takes quadratic time over equal OpNames ("param", thousands of times)."""
    with open(path + ".frag", "w") as f:
        f.write(large_source(count))
    compile_glsl(path + ".frag", path + ".named")
    subprocess.run(["spirv-opt", "--strip-debug", path + ".named", "-o", path], check=True)


def assemble(text, path):
    subprocess.run(["spirv-as", "--preserve-numeric-ids", "--target-env", "spv1.3", "-", "-o", path], input=text,
                   text=True, check=True)
    words = array.array("I")
    with open(path, "rb") as f:
        words.frombytes(f.read())
    return words


def write_repeated(path, size):
    """The functions of a module of eight, repeated under new ids; nothing calls them. Which words are ids is found by
    assembling the module a second time with other numbers."""
    write_large(path, 8)
    text = subprocess.check_output(["spirv-dis", "--raw-id", "--no-header", "--no-indent", path], text=True)
    head, functions = text[:text.index(" = OpFunction ")].rsplit("\n", 1)[0], text
    functions = text[len(head) + 1:]
    known = {int(n) for n in re.findall(r"^%(\d+) = ", head, re.M)}
    numbers = {n: i for i, n in enumerate(sorted(int(n) for n in re.findall(r"^%(\d+) = ", functions, re.M)))}
    first, each = max(known) + 1, len(numbers)
    main = re.search(r"OpEntryPoint \w+ %(\d+)", head)[1]

    def renumbered(by):
        return re.sub(r"%(\d+)", lambda m: "%%%d" % (first + by + numbers[int(m[1])])
                      if int(m[1]) in numbers else m[0], text)
    one, two = assemble(renumbered(0), path), assemble(renumbered(each), path)
    begins = [m.start() for m in re.finditer(r"^%\d+ = OpFunction ", functions, re.M)] + [len(functions)]
    end = next(functions[b:e] for b, e in zip(begins, begins[1:]) if functions[b:e].startswith("%%%s " % main))
    assert functions.startswith(end), "main comes first"
    starts, at = [], 5
    while at < len(one):
        if one[at] & 0xFFFF == 54:  # OpFunction
            starts.append(at)
        at += one[at] >> 16
    body, shifted = one[starts[1]:], two[starts[1]:]
    ids = [i for i, (a, b) in enumerate(zip(body, shifted)) if b - a == each and a >= first]
    copies = min((size // 4 - len(one)) // len(body) + 1, (MOST_IDS - first) // each - 1)
    with open(path, "wb") as f:
        one[3] = first + (copies + 1) * each
        one.tofile(f)
        for n in range(1, copies + 1):
            copy = body[:]
            for i in ids:
                copy[i] += n * each
            copy.tofile(f)
