#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""naga, which reads SPIR-V for wgpu, reads what spirv-bind writes.

    naga_reads.py --bind B [--every N] [--corpora FOLDER] [--naga FOLDER]

Of every Nth module of the corpora (test/corpora.py): if naga accepts it, it accepts the output, too. naga has no
combined image-samplers, so with --split-combined it has to accept some more, and none less. A module whose output needs
a capability that naga does not know is left out, and counted.

naga-wasm is naga from npm (scripts/install.sh)."""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import corpora  # noqa: E402
import running  # noqa: E402

NAGA = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "spirv-bind", "naga",
                    "node_modules", "naga-wasm")
MODES = {"rebind-all": ["--rebind=all"], "split-combined": ["--split-combined"]}


def verdicts(naga, paths):
    """naga's verdict on each module."""
    said = {}
    for i in range(0, len(paths), 400):
        done = subprocess.run(["node", os.path.join(HERE, "naga.mjs"), naga, *paths[i:i + 400]], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
        said.update(line.split(": ", 1) for line in done.stdout.splitlines())
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--every", type=int, default=1)
    corpora.add_argument(parser)
    parser.add_argument("--naga", default=os.environ.get("SPB_NAGA", NAGA))
    args = parser.parse_args()
    lost, won, beyond, taken = [], dict.fromkeys(MODES, 0), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        corpus = corpora.Corpus(args.corpora)
        names = sorted(corpus.flags)[::args.every]
        outputs = {}
        for i, name in enumerate(names):
            for mode, options in MODES.items():
                out = os.path.join(folder, "%d.%s.spv" % (i, mode))
                if running.run(args.bind, "-q", "--validate=none", *corpus.flags[name], *options,
                               corpus.path(name), "-o", out, expect=None).returncode == 0:
                    outputs[name, mode] = out
        before = verdicts(args.naga, [corpus.path(name) for name in names])
        after = verdicts(args.naga, list(outputs.values()))
        for (name, mode), out in outputs.items():
            was, became = before.get(corpus.path(name), "nothing"), after.get(out, "nothing")
            taken += was == "ok" and mode == "rebind-all"
            won[mode] += was != "ok" and became == "ok"
            if was == "ok" and became != "ok":
                if "UnsupportedCapability" in became:
                    beyond += 1
                else:
                    lost.append("%s, %s: %s" % (name, mode, became[:300]))
    print("\n".join(lost))
    print("naga takes %d of %d modules; %d are lost; with --split-combined, it takes %d more; %d need more than it has"
          % (taken, len(names), len(lost), won["split-combined"], beyond))
    return 1 if lost or won["rebind-all"] or not won["split-combined"] else 0


if __name__ == "__main__":
    sys.exit(main())
