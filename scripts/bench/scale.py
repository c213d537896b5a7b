#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how the time grows with the resources of a module and the modules of a program, under every rule, with
accesses to arrays of descriptors behind branches, loops, variables and calls, and with dereferences of handles that
data flow carries.

    scale.py [--bind build/release/spirv-bind] [--check]

Prints processor seconds (best of 3, without validation) and the measured exponent: 1.0 is linear. --check is the small
part that the test suite runs: an eighth of the sizes, and the rules of CHECKED. It fails if the exponent stays above
LIMIT in ten rounds; only ratios are compared, never times.
"""
import argparse
import math
import os
import resource
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT = 1.35
ORDERS = 65536  # the number of distinct values of order=
RULES = {
    "slang": [],
    "slang, rebind conflicts": ["--rebind=conflicts"],
    "slang, rebind all": ["--rebind=all"],
    "slang, order by name": ["--order=name"],
    "slang, shifts": ["--shift=t=1000000", "--shift=s=2000000", "--shift=u=3000000"],
    "hlsl": ["--rules=hlsl"],
    "hlsl, rebind conflicts": ["--rules=hlsl", "--rebind=conflicts"],
    "hlsl, unused last": ["--rules=hlsl", "--unused=last"],
    "dxc, flattened": ["--profile=dxc-flattened"],
    "llvm": ["--profile=llvm"],
    "one set": ["--profile=one-set"],
    "policy": ["--profile=POLICY"],   # a line for each resource
    "lock": ["--lock=LOCK", "--update-lock"],
    "hlsl, lock": ["--rules=hlsl", "--lock=LOCK", "--update-lock"],
    "check": ["check", "--allow-overlap", "-v"],
}
UNIFORMITY = {
    "explicit": ["--nonuniform=explicit"],
    "auto": [],
    "auto, explain": ["--accesses"],
    "waterfall": ["--waterfall"],
}
CHECKED = ("hlsl, lock", "check", "auto, explain", "split")  # of resources, of modules, of accesses, of handles
HANDLES = {
    "runtime arrays": [],
    "split": ["--combined=split"],
    "sized, clamped": ["--heap-size=64", "--bounds-check=clamp"],
    "descriptor heap": ["--heap-model=descriptor-heap"],
}


class Writer:
    def __init__(self):
        self.parts = {k: [] for k in ("head", "names", "notes", "globals", "body")}
        self.bound = 1

    def id(self):
        self.bound += 1
        return self.bound - 1

    def add(self, part, op, *words, text=None):
        tail = b""
        if text is not None:
            tail = text.encode() + b"\0"
            tail += b"\0" * (-len(tail) % 4)
        self.parts[part].append(struct.pack("<%dI" % (len(words) + 1), (1 + len(words) + len(tail) // 4) << 16 | op,
                                            *words) + tail)

    def write(self, path):
        with open(path, "wb") as f:
            f.write(struct.pack("<5I", 0x07230203, 0x00010300, 0, self.bound, 0))
            for part in ("head", "names", "notes", "globals", "body"):
                f.write(b"".join(self.parts[part]))


def write_module(path, names, fixed_from, module=0):
    """Resources of all kinds in turn; a quarter has a binding, some of them the same; an eighth is not used."""
    w = Writer()
    main, void, fn, flt, u32, v4 = (w.id() for _ in range(6))
    for capability in (1, 46, 47, 5302):  # Shader, SampledBuffer, ImageBuffer, RuntimeDescriptorArray
        w.add("head", 17, capability)
    w.add("head", 10, text="SPV_EXT_descriptor_indexing")
    w.add("head", 10, text="SPV_KHR_storage_buffer_storage_class")
    w.add("head", 14, 0, 1)
    w.add("head", 15, 5, main, text="main")
    w.add("head", 16, main, 17, 1, 1, 1)
    w.add("globals", 19, void)
    w.add("globals", 33, fn, void)
    w.add("globals", 22, flt, 32)
    w.add("globals", 21, u32, 32, 0)
    w.add("globals", 23, v4, flt, 4)
    tex, smp, img, four, arr, run = (w.id() for _ in range(6))
    zero = w.id()
    w.add("globals", 25, tex, flt, 1, 0, 0, 0, 1, 0)
    w.add("globals", 26, smp)
    w.add("globals", 25, img, flt, 5, 0, 0, 0, 2, 3)
    w.add("globals", 43, u32, four, 4)
    w.add("globals", 43, u32, zero, 0)
    w.add("globals", 28, arr, tex, four)
    w.add("globals", 29, run, img)
    pointers = {}
    for t in (tex, smp, img, arr, run):
        pointers[t] = w.id()
        w.add("globals", 32, pointers[t], 0, t)
    pv4 = {2: w.id(), 12: w.id()}
    for storage, p in pv4.items():
        w.add("globals", 32, p, storage, v4)
    w.add("body", 54, void, main, 0, fn)
    w.add("body", 248, w.id())
    for i, name in enumerate(names):
        v, kind = w.id(), i % 7
        storage, element = 0, None
        if kind == 5 and i % 3:
            kind = 0  # an unbounded array takes the rest of its space: only a few, each in a separate space
        if kind in (3, 4):
            storage = 2 if kind == 3 else 12
            block, pointer = w.id(), w.id()
            w.add("globals", 30, block, v4)
            w.add("globals", 32, pointer, storage, block)
            w.add("names", 5, block, text=name)
            w.add("notes", 71, block, 2)
            w.add("notes", 72, block, 0, 35, 0)
        else:
            element = {0: tex, 1: smp, 2: img, 6: arr, 5: run}[kind]
            pointer = pointers[element]
        w.add("globals", 59, pointer, v, storage)
        w.add("names", 5, v, text=name)
        if kind == 5:
            w.add("notes", 71, v, 34, i + 1 if i < 20 else 40 * module + i + 1)  # the first 20 are shared by modules
        elif i % 4 == 0 and fixed_from is not None:
            w.add("notes", 71, v, 34, 0)
            w.add("notes", 71, v, 33, fixed_from + i * 4)
        if i % 8 == 7:
            continue
        if kind in (3, 4):
            c = w.id()
            w.add("body", 65, pv4[storage], c, v, zero)
            w.add("body", 61, v4, w.id(), c)
        elif kind in (5, 6):
            c = w.id()
            w.add("body", 65, pointers[tex if kind == 6 else img], c, v, zero)
            w.add("body", 61, tex if kind == 6 else img, w.id(), c)
        else:
            w.add("body", 61, element, w.id(), v)
    w.add("body", 253)
    w.add("body", 56)
    w.write(path)


def write_accesses(path, count):
    """A function for every 50 accesses, called once; each access in it uses one of 20 variables, which an enclosing
    branch or loop has just changed or left alone."""
    w = Writer()
    main, void, fn, u32, boolean, ptr, block, bufs, array, pbufs, pu, lane, pin, called, par = (w.id()
                                                                                                for _ in range(15))
    constants = [w.id() for _ in range(8)]
    w.add("head", 17, 1)
    w.add("head", 14, 0, 1)
    w.add("head", 15, 5, main, *struct.unpack("<2I", b"main\0\0\0\0"), lane)
    w.add("head", 16, main, 17, 64, 1, 1)
    w.add("notes", 71, lane, 11, 29)  # BuiltIn LocalInvocationIndex
    w.add("notes", 71, block, 2)
    w.add("notes", 72, block, 0, 35, 0)
    w.add("globals", 19, void)
    w.add("globals", 33, fn, void)
    w.add("globals", 20, boolean)
    w.add("globals", 21, u32, 32, 0)
    w.add("globals", 32, ptr, 7, u32)
    w.add("globals", 33, par, u32, ptr)
    for i, c in enumerate(constants):
        w.add("globals", 43, u32, c, i)
    w.add("globals", 30, block, u32)
    w.add("globals", 28, array, block, constants[7])
    w.add("globals", 32, pbufs, 12, array)
    w.add("globals", 32, pu, 12, u32)
    w.add("globals", 59, pbufs, bufs, 12)
    w.add("globals", 32, pin, 1, u32)
    w.add("globals", 59, pin, lane, 1)
    functions = [w.id() for _ in range(max(1, count // 50))]
    w.add("body", 54, void, main, 0, fn)
    w.add("body", 248, w.id())
    w.add("body", 59, ptr, called, 7)
    x = w.id()
    w.add("body", 61, u32, x, lane)
    w.add("body", 62, called, x)
    for f in functions:
        w.add("body", 57, u32, w.id(), f, called)
    w.add("body", 253)
    w.add("body", 56)
    for f in functions:
        parameter, variables = w.id(), [w.id() for _ in range(20)]
        w.add("body", 54, u32, f, 0, par)
        w.add("body", 55, ptr, parameter)
        w.add("body", 248, w.id())
        for v in variables:
            w.add("body", 59, ptr, v, 7)
        for v in variables:
            w.add("body", 62, v, constants[1])
        for i in range(50):
            x, c, then, head, cont, after = (w.id() for _ in range(6))
            v, to = variables[i % 20], variables[(i * 7 + 1) % 20]
            w.add("body", 61, u32, x, parameter if i % 3 else v)
            w.add("body", 176, boolean, c, x, constants[i % 8])  # OpULessThan
            if i % 5:
                w.add("body", 247, after, 0)
                w.add("body", 250, c, then, after)
                w.add("body", 248, then)
                w.add("body", 62, to, x)
                w.add("body", 249, after)
            else:
                again, less = w.id(), w.id()
                w.add("body", 249, head)
                w.add("body", 248, head)
                w.add("body", 246, after, cont, 0)
                w.add("body", 249, then)
                w.add("body", 248, then)
                w.add("body", 61, u32, again, to)
                w.add("body", 62, to, x)
                w.add("body", 176, boolean, less, again, constants[5])
                w.add("body", 250, less, cont, after)
                w.add("body", 248, cont)
                w.add("body", 249, head)
            w.add("body", 248, after)
            index, chain = w.id(), w.id()
            w.add("body", 61, u32, index, v)
            w.add("body", 65, pu, chain, bufs, index, constants[0])
            w.add("body", 61, u32, w.id(), chain)
        w.add("body", 254, constants[3])
        w.add("body", 56)
    w.write(path)


def write_handles(path, count):
    """A function for every 48 dereferences to a sampled image, which take turns: used in place, selected, through a
    variable, through a parameter."""
    w = Writer()
    (main, void, fn, u32, f32, boolean, h, v2, v4, image, sampled, ptr, set_, zero, uv, yes, push, pushed, field, per,
     use, used) = (w.id() for _ in range(22))
    w.add("head", 17, 1)
    w.add("head", 11, set_, text="NonSemantic.DescriptorHandle")
    w.add("head", 14, 0, 1)
    w.add("head", 15, 5, main, *struct.unpack("<2I", b"main\0\0\0\0"))
    w.add("head", 16, main, 17, 64, 1, 1)
    block, variable, handles = w.id(), w.id(), w.id()
    w.add("notes", 71, block, 2)
    w.add("notes", 72, block, 0, 35, 0)
    w.add("globals", 19, void)
    w.add("globals", 33, fn, void)
    w.add("globals", 20, boolean)
    w.add("globals", 21, u32, 32, 0)
    w.add("globals", 22, f32, 32)
    w.add("globals", 23, h, u32, 2)
    w.add("globals", 23, v2, f32, 2)
    w.add("globals", 23, v4, f32, 4)
    w.add("globals", 43, u32, zero, 0)
    w.add("globals", 43, f32, yes, 0)
    w.add("globals", 44, v2, uv, yes, yes)
    w.add("globals", 25, image, f32, 1, 0, 0, 0, 1, 0)
    w.add("globals", 27, sampled, image)
    w.add("globals", 32, ptr, 7, sampled)
    w.add("globals", 33, per, void, h)
    w.add("globals", 33, used, v4, sampled)
    w.add("globals", 30, block, h)
    w.add("globals", 32, push, 9, block)
    w.add("globals", 32, field, 9, h)
    w.add("globals", 59, push, pushed, 9)
    functions = [w.id() for _ in range(max(1, count // 48))]
    w.add("body", 54, void, main, 0, fn)
    w.add("body", 248, w.id())
    w.add("body", 65, field, variable, pushed, zero)
    w.add("body", 61, h, handles, variable)
    for f in functions:
        w.add("body", 57, void, w.id(), f, handles)
    w.add("body", 253)
    w.add("body", 56)
    for f in functions:
        handle, kept, condition, index = w.id(), w.id(), w.id(), w.id()
        w.add("body", 54, void, f, 0, per)
        w.add("body", 55, h, handle)
        w.add("body", 248, w.id())
        w.add("body", 59, ptr, kept, 7)
        w.add("body", 81, u32, index, handle, 0)
        w.add("body", 170, boolean, condition, index, zero)  # OpIEqual
        before = None
        for i in range(48):
            value, result = w.id(), w.id()
            w.add("body", 12, sampled, value, set_, 1, handle)
            here = value
            if i % 4 == 1:
                here = w.id()
                w.add("body", 169, sampled, here, condition, before, value)
            elif i % 4 == 2:
                here = w.id()
                w.add("body", 62, kept, value)
                w.add("body", 61, sampled, here, kept)
            before = value
            if i % 4 == 3:
                w.add("body", 57, v4, result, use, value)
            else:
                w.add("body", 88, v4, result, here, uv, 2, yes)
        w.add("body", 253)
        w.add("body", 56)
    texture, sample = w.id(), w.id()
    w.add("body", 54, v4, use, 0, used)
    w.add("body", 55, sampled, texture)
    w.add("body", 248, w.id())
    w.add("body", 88, v4, sample, texture, uv, 2, yes)
    w.add("body", 254, sample)
    w.add("body", 56)
    w.write(path)


def processor_time():
    """Of the child processes so far: other load on the machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def prepare(bind, options, inputs, folder, names):
    """The arguments of a run: writes a policy with a line for each name, and a lock, where the options refer to
    them."""
    policy, lock = os.path.join(folder, "policy"), os.path.join(folder, "lock")
    if any("=POLICY" in o for o in options):
        policy += str(len(names))
        with open(policy, "w") as f:
            f.write("".join('place name=%s -> order=%d\n' % (n, i * ORDERS // max(ORDERS, len(names)))
                            for i, n in enumerate(names)))
    lock += str(len(names)) + "." + str(len(inputs))
    options = [o.replace("=POLICY", "=" + policy).replace("=LOCK", "=" + lock) for o in options]
    if any("=" + lock in o for o in options): # a lock to read
        if os.path.exists(lock):
            os.remove(lock)
        subprocess.run([bind, "--validate=none", "--order=module", *options, *inputs, "--out-dir",
                        os.path.join(folder, "out")], check=True)
    order = [] if any("--order" in o for o in options) else ["--order=module"]
    if options[:1] == ["check"]:
        return [bind, *options, "--validate=none", *order, *inputs]
    return [bind, "--validate=none", *order, *options, *inputs, "--layout-json=-", "--out-dir",
            os.path.join(folder, "out")]


def seconds(command):
    start = processor_time()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode and not ("check" in command and done.returncode == 3):  # bind would change the module
        print(done.stderr.decode()[-2000:])
        sys.exit("spirv-bind failed: %s" % " ".join(command)[:300])
    return processor_time() - start


def least(commands, rounds, enough=lambda times: False):
    """The least time of each command over several rounds, interleaved so that other load does not hit one size
    alone."""
    best = [math.inf] * len(commands)
    for _ in range(rounds):
        best = [min(b, seconds(c)) for b, c in zip(best, commands)]
        if enough(best):
            break
    return best


def exponent(sizes, times):
    xs, ys = [math.log(s) for s in sizes], [math.log(t) for t in times]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", default=os.path.join(ROOT, "build/release/spirv-bind"))
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    part = 8 if args.check else 1
    resources = [n // part for n in (12500, 25000, 50000, 100000)]
    accesses = [n // part for n in (12500, 25000, 50000, 100000)]
    modules = [n // part for n in (250, 500, 1000, 2000)]
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        shared = ["shared%d" % i for i in range(20)]
        files, names = {}, {}
        for n in resources:
            names[n] = ["r%d" % i for i in range(n)]
            files[n] = [os.path.join(folder, "n%d.spv" % n)]
            write_module(files[n][0], names[n], 0)
        paths = [os.path.join(folder, "m%d.spv" % i) for i in range(modules[-1])]
        for i, path in enumerate(paths):
            write_module(path, shared + ["m%d_%d" % (i, k) for k in range(20)], None, i)
        chosen = {n: [os.path.join(folder, "a%d.spv" % n)] for n in accesses}
        dereferenced = {n: [os.path.join(folder, "h%d.spv" % n)] for n in accesses}
        for n in accesses:
            write_accesses(chosen[n][0], n)
            write_handles(dereferenced[n][0], n)
        for title, sizes, inputs, rules in (("resources in one module", resources, lambda n: files[n], RULES),
                                            ("modules in one program", modules, lambda n: paths[:n], RULES),
                                            ("accesses in one module", accesses, lambda n: chosen[n], UNIFORMITY),
                                            ("dereferences of handles", accesses, lambda n: dereferenced[n], HANDLES)):
            print("\n%-26s %s   exponent" % (title, "".join("%9d" % n for n in sizes)))
            for rule, options in rules.items():
                of = lambda n: names[n] if sizes is resources else shared  # noqa: E731
                if args.check and rule not in CHECKED:
                    continue
                commands = [prepare(args.bind, options, inputs(n), folder, of(n)) for n in sizes]
                times = least(commands, 10, lambda t: exponent(sizes, t) <= LIMIT) if args.check else least(commands, 3)
                e = exponent(sizes, times)
                print("%-26s %s   %.2f" % (rule, "".join("%9.3f" % t for t in times), e), flush=True)
                if e > LIMIT:
                    bad.append("%s, %s: %.2f" % (title, rule, e))
    print("\n%s" % ("\n".join("grows too fast: " + b for b in bad) if bad else "close to linear everywhere"))
    sys.exit(1 if args.check and bad else 0)


if __name__ == "__main__":
    main()
