# SPDX-License-Identifier: Apache-2.0
"""Pipelines of real modules: what Vulkan makes with a module's own layout it makes with ours.

    pipelines.py --bind B --pipelines VULKAN_PIPELINES --icd ICD [--every N] [--mode M]

Each module and each program of ../shared/corpora (see test/corpora.py), and each whole fixture, is made three times
under the validation layer: as it is, with the layout that SPIRV-Cross reflects; bound by default options, and bound
with --rebind=all, with the layout of the JSON. A job that passes as it is and is refused, or crashes, when it is
bound, fails the test. What does not pass as it is (features, limits, faults of the module) is counted and left out.
So that the oracle can fail, --self-test spoils the layouts and wants every spoiled one to be refused.
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

MODES = {"default": [], "rebind-all": ["--rebind=all"]}


def bind(args, corpus, name, paths, mode, scratch):
    """The bound modules and their layout, or None if they are refused."""
    folder = os.path.join(scratch, mode, name.replace("/", "_"))
    os.makedirs(folder)
    layout = os.path.join(folder, "layout.json")
    flags = max((corpus.flags[path] for path in paths), key=len)
    inputs = []
    for i, path in enumerate(paths):  # one name each: --out-dir writes each module under its own
        inputs.append(os.path.join(folder, "%d.%s" % (i, os.path.basename(path))))
        os.symlink(corpus.path(path), inputs[-1])
    out = os.path.join(folder, "bound")
    os.mkdir(out)
    done = subprocess.run([args.bind, "-q", "--validate=none", *flags, *MODES[mode], "--out-dir", out, "--layout-json",
                           layout, *inputs], capture_output=True, text=True, errors="replace", timeout=600)
    if done.returncode:
        return None
    return layout, [os.path.join(out, os.path.basename(path)) for path in inputs]


def spoil(layout):
    """Another descriptor type for the first binding, and its stages gone."""
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
    """{id: result}, and what the layer said of each."""
    text = "".join("%s\t%s\t%s\n" % (name, layout, "\t".join(paths)) for name, (layout, paths) in jobs.items())
    done = subprocess.run([args.pipelines, args.icd], input=text, capture_output=True, text=True, errors="replace")
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
    parser.add_argument("--corpora", default=os.path.join(HERE, "..", "..", "..", "..", "shared", "corpora"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--mode", choices=MODES)
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if not os.path.exists(args.icd):
        print("SKIPPED: no driver at '%s'" % args.icd)
        return 77
    if not os.path.exists(os.path.join(args.corpora, "modules.tar.xz")):
        print("no corpora at %s: skipped" % args.corpora)
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        corpus = corpora.Corpus(args.corpora, scratch)
        names = {name: [name] for name in sorted(corpus.flags)[::args.every]}
        names.update(("program " + name, corpus.programs[name]) for name in sorted(corpus.programs)[::args.every])
        plain, _ = run_jobs(args, {name: ("-", list(map(corpus.path, paths))) for name, paths in names.items()})
        passed = [name for name in names if plain[name] == "ok"]
        left = collections.Counter(plain[name].split(":")[0] for name in names)
        print("as they are: %s" % ", ".join("%d %s" % (left[key], key) for key in sorted(left)))
        wrong = seen = refused = 0
        for mode in [args.mode] if args.mode else MODES:
            jobs = {}
            for name in passed:
                bound = bind(args, corpus, name, names[name], mode, scratch)
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
                seen += 1
                if (result == "ok") == args.self_test:
                    wrong += 1
                    print("%s, %s: %s" % (mode, name, result))
                    for line in said[name][:2]:
                        print("    " + line[:400])
        print("%d that the command refuses are corpora.py's business" % refused)
        print("%d passed, %d failed" % (seen - wrong, wrong))
        return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
