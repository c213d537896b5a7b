#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast spirv-bind is beside the tools people run anyway: ratios within one run, never seconds alone.

    scripts/bench/run.py [--bind build/release/spirv-bind] [--rounds 15] [--corpora ../shared/corpora]

Two modules as processes: the fragment shader of spirv-fixtures/glsl/lit (ordinary), and one of several megabytes that
stock glslang makes of many functions of that shape (made once, kept in build/bench). Files are in memory where
/dev/shm is there. Then, where the corpora are, their valid modules in process (bench_corpus), each a program of its
own: times, and instructions on every eighth module if valgrind is installed.

Every ratio is printed with its goal. Exit status 1 if one of these is missed:
    spirv-opt without passes / spirv-bind --validate=none   at least 40 (large module)
    spirv-bind with validation / spirv-val                  at most 1.1
    memory of spirv-bind --validate=none                    below 12 bytes for each byte of input (large module)
    spirv-bind / spvBinaryParse, in process                 at most 0.6"""
import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

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


def once(command):
    """Seconds and peak kilobytes of one run."""
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit("failed: " + " ".join(command))
    return time.perf_counter() - start, usage.ru_maxrss


def measure(commands, rounds):
    """The best of some rounds, taken in turn, so that what disturbs the machine disturbs all."""
    best = {name: (1e9, 0) for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            best[name] = min(best[name], once(command))
    return best


def step(program, name, rounds, modules):
    """-> (modules, bytes, seconds of the fastest round)"""
    count, size, taken = subprocess.check_output([program, name, str(rounds), modules], text=True).split()
    return int(count), int(size), float(taken)


def instructions(program, name, modules):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, name, "1", modules]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(done.stderr.split("Collected :")[1].split()[0])


def list_modules(corpora, folder):
    """Unpacks the corpora and lists their valid modules, and every eighth of these."""
    with tarfile.open(os.path.join(corpora, "modules.tar.xz")) as tar:
        tar.extractall(folder)
    with open(os.path.join(corpora, "modules.tsv")) as f:
        rows = [line.split("\t") for line in f][1:]
    paths = [os.path.join(folder, row[0]) + "\n" for row in rows if row[1] == "valid"]
    lists = os.path.join(folder, "all.txt"), os.path.join(folder, "some.txt")
    for name, part in zip(lists, (paths, paths[::8])):
        with open(name, "w") as f:
            f.writelines(part)
    return lists


def measure_one(program, path, folder, rounds):
    """A module in process, many times."""
    times, modules = 200, os.path.join(folder, "one.txt")
    with open(modules, "w") as f:
        f.write((path + "\n") * times)
    bind, parse, validate = (step(program, name, rounds, modules)[2] for name in ("rebind", "parse", "validate"))
    print("  in process: spirv-bind %.1f us, spvBinaryParse %.1f us, spvValidate %.1f us"
          % tuple(seconds / times * 1e6 for seconds in (bind, parse, validate)))
    print("  spvBinaryParse / spirv-bind %.2f   spvValidate / spirv-bind %.1f" % (parse / bind, validate / bind))


def measure_corpora(program, corpora, folder, rounds):
    """How many goals are missed."""
    everything, some = list_modules(corpora, folder)
    steps = ("bind", "json", "parse", "validate")
    found = {name: step(program, name, rounds, everything) for name in steps}
    count, size, _ = found["bind"]
    print("corpora, %d modules, %.2f MB, in process, best of %d rounds" % (count, size / 1e6, rounds))
    for name, text in zip(steps, ("spirv-bind", "  with layout JSON", "spvBinaryParse", "spvValidate, without names")):
        print("  %-28s %9.2f ms" % (text, found[name][2] * 1e3))
    to_parse = found["bind"][2] / found["parse"][2]
    print("  spirv-bind / spvBinaryParse              %6.2f   (aim: at most 0.6)" % to_parse)
    print("  spirv-bind / spvValidate                 %6.3f" % (found["bind"][2] / found["validate"][2]))
    print("  with layout JSON / without               %6.2f   (goal: 1.25)" % (found["json"][2] / found["bind"][2]))
    if shutil.which("valgrind"):
        base = instructions(program, "read", some)
        size = step(program, "read", 1, some)[1]
        work = {name: instructions(program, name, some) - base for name in ("bind", "json", "parse")}
        print("  instructions per byte, bind              %6.1f   (goal: 10 to 15)" % (work["bind"] / size))
        print("  instructions, bind / spvBinaryParse      %6.2f" % (work["bind"] / work["parse"]))
        print("  instructions, JSON / bind                %6.2f   (goal: 1.25)" % (work["json"] / work["bind"]))
    return to_parse > 0.6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", default=os.path.join(ROOT, "build/release/spirv-bind"))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--corpora", default=os.path.join(os.path.dirname(ROOT), "shared", "corpora"))
    args = parser.parse_args()
    subprocess.run(["cmake", "--build", os.path.dirname(args.bind), "--target", "spirv-bind-cli", "bench_corpus"],
                   check=True, stdout=subprocess.DEVNULL)
    kept = os.path.join(ROOT, "build", "bench")
    os.makedirs(kept, exist_ok=True)
    large = os.path.join(kept, "large.spv")
    if not os.path.exists(large):
        with open(os.path.join(kept, "large.frag"), "w") as f:
            f.write(large_source(4200))
        compile_glsl(os.path.join(kept, "large.frag"), large + ".named")
        # SPIRV-Tools takes quadratic time over equal OpNames ("param", thousands of times): without names it is at
        # its best.
        subprocess.run(["spirv-opt", "--strip-debug", large + ".named", "-o", large], check=True)
    fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    missed = 0
    program = os.path.join(os.path.dirname(args.bind), "bench_corpus")
    with tempfile.TemporaryDirectory(dir=fast) as tmp:
        ordinary = os.path.join(tmp, "ordinary.spv")
        compile_glsl(os.path.join(ROOT, "spirv-fixtures/glsl/lit/lit.frag"), ordinary)
        shutil.copy(large, tmp)
        for path, rounds in ((ordinary, args.rounds * 4), (os.path.join(tmp, "large.spv"), args.rounds)):
            out, other, size = os.path.join(tmp, "out.spv"), "/dev/null", os.path.getsize(path)
            bind = [args.bind, "-q", "--auto-binding=65534", "--rebind=all", path]
            subprocess.run([*bind, "--validate=none", "-o", os.path.join(tmp, "final.spv")], check=True)
            found = measure({
                "bind": [*bind, "--validate=none", "-o", other],
                "bind+val": [*bind, "-o", other],
                "opt": ["spirv-opt", path, "-o", out],
                "val": ["spirv-val", "--target-env", "vulkan1.1", os.path.join(tmp, "final.spv")],
            }, rounds)
            is_large = size > 1 << 20
            speed = found["opt"][0] / found["bind"][0]
            whole = found["bind+val"][0] / found["val"][0]
            memory = found["bind"][1] * 1024 / size
            print("%s, %.2f MB, best of %d rounds" % (os.path.basename(path), size / 1e6, rounds))
            for name, text in (("bind", "spirv-bind --validate=none"), ("bind+val", "spirv-bind"),
                               ("opt", "spirv-opt, no pass"), ("val", "spirv-val")):
                print("  %-28s %9.2f ms %9.1f MB" % (text, found[name][0] * 1e3, found[name][1] / 1024))
            print("  spirv-opt / spirv-bind --validate=none   %6.1f%s" % (speed, "   (aim: at least 40)" if is_large
                                                                          else ""))
            print("  spirv-bind / spirv-val                   %6.2f   (aim: at most 1.1)" % whole)
            if is_large:
                print("  bytes of memory for a byte of input      %6.2f   (aim: below 12)" % memory)
                missed += (speed < 40) + (memory >= 12)
            else:
                measure_one(program, path, tmp, args.rounds)
            missed += whole > 1.1
        if os.path.isdir(args.corpora):
            folder = os.path.join(tmp, "corpora")
            os.mkdir(folder)
            missed += measure_corpora(program, args.corpora, folder, args.rounds)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
