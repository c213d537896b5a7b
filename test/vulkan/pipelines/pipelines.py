# SPDX-License-Identifier: Apache-2.0
"""Pipelines of real modules: if Vulkan accepts one with the module's own layout, it accepts it with ours.

    pipelines.py --bind B --pipelines VULKAN_PIPELINES --icd ICD [--every N [--first I]] [--mode M]
                 [--newest]

Each module and each program of the corpora (see test/corpora.py), and each fixture, is created three times with the
validation layer: unbound, with the layout that SPIRV-Cross reflects; bound by default options, and bound with
--rebind=all, with the layout of the JSON. A fixture that is not a complete module is bound with its own options first.
A job that passes unbound and is refused, or crashes, when it is bound, fails the test. Those that do not pass unbound
(features, limits, faults of the module) are counted and left out. To show that the test can fail, --self-test spoils
the layouts, and every spoiled one has to be refused. Without corpora, only the fixtures are used.

--newest takes the loader and the validation layer of Debian sid, and its lavapipe in place of the driver if that is
lavapipe (scripts/sid_root.sh).
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
import corpora  # noqa: E402
import fixtures  # noqa: E402
import running  # noqa: E402

# SwiftShader crashes on decorations that another driver needs
CRASHES = ["fixture decorate-nonuniform/auto-every-operand.spvasm"]
# With --self-test: the validation layer does not notice copies of whole variables
UNSEEN = ["KhronosGroup+SPIRV-Reflect/tests_variable_access_copy_memory.spv.spv"]
MODES = {"default": [], "rebind-all": ["--rebind=all"]}


class Inputs:
    """The inputs: names of jobs with their modules, and the layout flags of each module."""

    def __init__(self, args, scratch):
        self.args, self.scratch, self.jobs, self.flags = args, scratch, {}, collections.defaultdict(list)
        if args.corpora:
            corpus = corpora.Corpus(args.corpora)
            self.flags.update((corpus.path(name), flags) for name, flags in corpus.flags.items())
            for name in sorted(corpus.flags)[args.first::args.every]:
                self.jobs[name] = [corpus.path(name)]
            programs = sorted(corpus.programs)
            chosen = programs[args.first::args.every]
            for kind in (".tesc.", ".geom.", ".mesh."):  # few, and in every sample
                chosen += [name for name in programs if any(kind in path for path in corpus.programs[name])][:2]
            for name in chosen:
                self.jobs["program " + name] = [corpus.path(path) for path in corpus.programs[name]]
        found = [(kind, path) for kind, path in fixtures.fixtures() if kind != "invalid"]
        for kind, path in found[args.first::args.every]:
            self.add_fixture("fixture " + os.path.relpath(path, fixtures.FIXTURES), path)

    def add_fixture(self, name, path):
        fields = fixtures.header(path)
        source = os.path.join(self.scratch, name.replace("/", "-") + ".spv")
        fixtures.assemble(path, fields["version"], source)
        if not self.is_valid(source):
            options, bound = fixtures.options_of(fields), source[:-4] + ".bound.spv"
            done = running.run(self.args.bind, "-q", *options, source, "-o", bound, expect=None)
            if done.returncode or not self.is_valid(bound):
                return
            source = bound
        self.jobs[name] = [source]

    @staticmethod
    def is_valid(path):
        return not running.run("spirv-val", "--target-env", "vulkan1.3", path, expect=None).returncode


def bind(args, inputs, name, paths, mode, scratch):
    """The bound modules and their layout, or None if they are refused."""
    folder = os.path.join(scratch, mode, name.replace("/", "_"))
    os.makedirs(folder)
    layout = os.path.join(folder, "layout.json")
    flags = max((inputs.flags[path] for path in paths), key=len)
    named = []
    for i, path in enumerate(paths):  # one name each: --out-dir writes each module under its own
        named.append(os.path.join(folder, "%d.%s" % (i, os.path.basename(path))))
        os.symlink(path, named[-1])
    out = os.path.join(folder, "bound")
    os.mkdir(out)
    done = running.run(args.bind, "-q", "--validate=none", *flags, *MODES[mode], "--out-dir", out, "--layout-json",
                       layout, *named, expect=None, timeout=600)
    if done.returncode:
        return None
    return layout, [os.path.join(out, os.path.basename(path)) for path in named]


def spoil(layout):
    """Changes the descriptor type of the first binding, and removes its stages."""
    with open(layout) as f:
        doc = json.load(f)
    for s in doc["sets"]:
        for binding in s["bindings"]:
            if not binding["stages"]:
                continue
            other = "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE"
            same = binding["descriptorType"] == other
            binding["descriptorType"] = "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER" if same else other
            path = layout + ".spoiled"
            with open(path, "w") as f:
                json.dump(doc, f)
            return path
    return None


def run_jobs(args, jobs):
    """{id: result}, and the layer's messages about each."""
    text = "".join("%s\t%s\t%s\n" % (name, layout, "\t".join(paths)) for name, (layout, paths) in jobs.items())
    done = subprocess.run([*args.command, args.icd], input=text, capture_output=True, text=True, errors="replace")
    if done.returncode:
        print(done.stdout[-2000:], done.stderr[-2000:])
        sys.exit(done.returncode)
    results, said = {}, collections.defaultdict(list)
    for line in done.stdout.splitlines():
        name, _, result = line.partition("\t")
        if name in jobs and result:
            results[name] = result
        elif ": " in line:
            said[line.partition(": ")[0]].append(line)
    assert set(results) == set(jobs), sorted(set(jobs) - set(results))[:5]
    return results, said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--pipelines", required=True)
    parser.add_argument("--icd", required=True)
    corpora.add_argument(parser, required=False)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="with --every: of each so many, the one to begin with")
    parser.add_argument("--mode", choices=MODES)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--newest", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true", help="what is left out, and why")
    args = parser.parse_args()
    args.command = [os.path.abspath(args.pipelines)]
    if args.newest:
        runner = fixtures.newer_tools()
        args.command.insert(0, runner)
        if "lvp" in os.path.basename(args.icd):
            args.icd = os.path.join(os.path.dirname(runner), "lavapipe.json")
    with tempfile.TemporaryDirectory() as scratch:
        inputs = Inputs(args, scratch)
        names = inputs.jobs
        plain, _ = run_jobs(args, {name: ("-", paths) for name, paths in names.items()})
        passed = [name for name in names if plain[name] == "ok"]
        left = collections.Counter(plain[name].split(":")[0] for name in names)
        for name in names if args.verbose else []:
            print("as it is, %s: %s" % (name, plain[name]))
        print("as they are: %s" % ", ".join("%d %s" % (left[key], key) for key in sorted(left)))
        wrong = seen = refused = 0
        for mode in [args.mode] if args.mode else MODES:
            jobs = {}
            for name in passed:
                bound = bind(args, inputs, name, names[name], mode, scratch)
                if bound and args.self_test:
                    spoiled = spoil(bound[0])
                    bound = spoiled and (spoiled, bound[1])
                    refused -= not bound
                if bound:
                    jobs[name] = bound
                else:
                    refused += 1
            results, said = run_jobs(args, jobs)
            for name, result in results.items():
                beyond = result == "refused" and all("exceeds device" in line for line in said[name])
                if beyond or result.startswith("left out") or name in CRASHES or \
                        args.self_test and name in UNSEEN:
                    refused += 1  # unused but listed resources are in the layout, too
                    continue
                seen += 1
                if (result == "ok") == args.self_test:
                    wrong += 1
                    print("%s, %s: %s" % (mode, name, result))
                    for line in said[name][:2]:
                        print("    " + line[:400])
        print("%d are refused by the command, which is corpora.py's business, or beyond the device" % refused)
        print("%d passed, %d failed" % (seen - wrong, wrong))
        return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
