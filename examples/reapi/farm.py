#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Binds the programs of a manifest as actions of the Remote Execution API, by BuildBox's client trexe.

    farm.py --remote=http://HOST:PORT --tool=spirv-bind --manifest=game.manifest --lock=game.lock --out-dir=bound
            [--parts=N] [--jobs=N] [--layout-json=FILE] [--trexe=COMMAND]

Works in the three phases of docs/build-farms.md: every part is collected, one action decides, and every part is bound
with its lines of the lock. The inputs of an action are its modules, its part of the manifest, and spirv-bind itself,
which has to run both here and on the workers. A failed action is tried three times, since a worker may have died. The
manifest is a single file; it and the modules are in one folder or below."""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib


def read_manifest(path):
    """The options of all programs, and {name: words after the colon}."""
    common, programs = [], {}
    with open(path) as f:
        for line in f:
            words = shlex.split(line, comments=True)
            if words and words[0] == "program":
                programs[words[1][:-1]] = words[2:]
            elif words and words[0] in ("options", "share"):
                common.append(words)
            elif words:
                sys.exit("%s: farm.py does not know %s" % (path, words[0]))
    return common, programs


def base_of(name, programs):
    """The base program of a variant: families stay together."""
    while True:
        base = [w.partition("=")[2] for w in programs[name] if w.startswith("variant-of=")]
        if not base:
            return name
        name = base[0]


def modules_of(words):
    """The inputs; -o FILE after one names its output."""
    return [w for i, w in enumerate(words) if w.endswith(".spv") and (not i or words[i - 1] != "-o")]


def quoted(word):
    return '"%s"' % word.replace("\\", "\\\\").replace('"', '\\"') if re.search(r'[\s#"]', word) or not word else word


class Farm:
    def __init__(self, args, folder):
        self.args, self.folder, self.cached, self.executed = args, folder, 0, 0
        self.common, self.programs = read_manifest(args.manifest)
        self.source = os.path.dirname(os.path.abspath(args.manifest))
        self.parts = {}
        for name in self.programs:  # a program stays in its part when others are added or removed
            part = zlib.crc32(base_of(name, self.programs).encode()) % args.parts
            self.parts.setdefault(part, []).append(name)

    def stage(self, title, names, files, modules=True):
        """Makes a folder with the inputs of an action."""
        root = os.path.join(self.folder, title)
        os.makedirs(os.path.join(root, "bin"))
        shutil.copy(self.args.tool, os.path.join(root, "bin/spirv-bind"))
        lines = self.common + [["program", n + ":"] + self.programs[n] for n in names]
        files = {"m": "".join(" ".join(map(quoted, words)) + "\n" for words in lines), **files}
        for name, text in files.items():
            with open(os.path.join(root, name), "w") as f:
                f.write(text)
        for module in {m for n in names for m in modules_of(self.programs[n])} if modules else ():
            to = os.path.join(root, module)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            os.symlink(os.path.join(self.source, module), to)
        return root

    def act(self, title, root, outputs, command):
        """Runs a command remotely and returns the folder with its outputs."""
        to, metadata = root + ".made", root + ".json"
        for attempt in range(3):
            os.makedirs(to, exist_ok=True)
            done = subprocess.run([*shlex.split(self.args.trexe), "--remote=" + self.args.remote,
                                   "--input-path=%s:w" % root, "--working-dir=w", "--d=" + to,
                                   "--result-metadata-file=" + metadata, *("--output-path=" + o for o in outputs),
                                   *["--skip-cache-lookup"] * (attempt > 0), "--", *command],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if not done.returncode and all(os.path.exists(os.path.join(to, o)) for o in outputs):
                with open(metadata) as f:
                    hit = json.load(f)["actionResultMetadata"].get("cachedResult", False)
                self.cached, self.executed = self.cached + hit, self.executed + (not hit)
                return to
            print("%s: attempt %d failed: %s" % (title, attempt + 1, done.stdout.strip()[-2000:]), file=sys.stderr)
            shutil.rmtree(to)
        raise SystemExit("%s failed" % title)

    def in_parallel(self, function):
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            return list(pool.map(function, sorted(self.parts)))

    def collect(self, part):
        title = "collect%d" % part
        root = self.stage(title, self.parts[part], {})
        made = self.act(title, root, ["facts"], ["bin/spirv-bind", "collect", "-m", "m", "-o", "facts", "-j1"])
        with open(os.path.join(made, "facts")) as f:
            return f.read()

    def decide(self, facts):
        names = ["facts%d" % i for i in range(len(facts))]
        old = ""
        if os.path.exists(self.args.lock):
            with open(self.args.lock) as f:
                old = f.read()
        root = self.stage("decide", self.programs, {"old": old, **dict(zip(names, facts))}, modules=False)
        command = ("cat old > lock && bin/spirv-bind decide -m m %s --lock=lock -q "
                   "--layout-json=shared" % " ".join(names))
        made = self.act("decide", root, ["lock", "shared"], ["/bin/sh", "-c", command])
        for name, to in (("lock", self.args.lock), ("shared", self.args.layout_json)):
            if to:
                shutil.copyfile(os.path.join(made, name), to)
        self.lock = os.path.join(made, "lock")

    def bind(self, part):
        title = "bind%d" % part
        root = self.stage(title, self.parts[part], {})
        subprocess.run([os.path.abspath(self.args.tool), "lock", "part", "-m", "m", "--programs=*", "-o", "lock",
                        "--lock=" + self.lock], cwd=root, check=True)
        made = self.act(title, root, ["out"], ["bin/spirv-bind", "-m", "m", "--programs=*", "--lock=lock",
                                               "--locked", "-j1", "--out-dir=out"])
        for at, _, names in os.walk(os.path.join(made, "out")):
            to = os.path.join(self.args.out_dir, os.path.relpath(at, os.path.join(made, "out")))
            os.makedirs(to, exist_ok=True)
            for name in names:
                shutil.move(os.path.join(at, name), os.path.join(to, name))


def main():
    parser = argparse.ArgumentParser()
    for name in ("remote", "tool", "manifest", "lock", "out-dir"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--layout-json")
    parser.add_argument("--trexe", default="trexe")
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=8)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        farm = Farm(args, folder)
        farm.decide(farm.in_parallel(farm.collect))
        farm.in_parallel(farm.bind)
    print("%d actions executed, %d from the cache" % (farm.executed, farm.cached))


if __name__ == "__main__":
    main()
