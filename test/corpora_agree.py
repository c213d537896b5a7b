#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SPIRV-Cross sees the resources of bound real modules as the layout JSON describes them.

    corpora_agree.py --bind B --reflect CROSS_REFLECT [--every N] [--self-test]

Each module and each program of the corpora (test/corpora.py) is bound by default and with --rebind=all. For each entry
point of each output, SPIRV-Cross (test/cross_reflect.c) lists the used resources: variable, name, set, binding, kind,
array length, size of block, its members and runtime element, dimension, format, and push constants. This has to agree
with the JSON, and the JSON must not claim a use that SPIRV-Cross does not see. With --self-test one fact of each layout
is wrong, and has to be noticed.
"""
import argparse
import array
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import corpora  # noqa: E402
import running  # noqa: E402

STAGES = {0: "VERTEX", 1: "TESSELLATION_CONTROL", 2: "TESSELLATION_EVALUATION", 3: "GEOMETRY", 4: "FRAGMENT",
          5: "COMPUTE", 5267: "TASK", 5268: "MESH", 5313: "RAYGEN", 5314: "INTERSECTION", 5315: "ANY_HIT",
          5316: "CLOSEST_HIT", 5317: "MISS", 5318: "CALLABLE", 5364: "TASK", 5365: "MESH"}
DIMENSIONS = ["1D", "2D", "3D", "Cube", "Rect", "Buffer", "SubpassData"]
MODES = {"default": [], "rebind-all": ["--rebind=all"]}
# Where SPIRV-Cross is wrong, or counts differently: module name, and the accepted differences
KNOWN = {
    "KhronosGroup+SPIRV-Cross/shaders-msl-no-opt_asm_packing_scalar-float2x2-row-major.asm.frag.spv":
        "has 28 bytes",  # it counts to the end of the last member; the padded matrix before it ends at 32
    "KhronosGroup+SPIRV-Reflect/tests_glsl_runtime_array_of_array_of_struct.spv.spv":
        "a stride of 0, not 0 and 24",  # it does not see a runtime array of arrays
}
Seen = collections.namedtuple("Seen", "path entry stage id name block set binding kind count size stride dim arrayed "
                                      "multisampled format members")


def stage_name(model):
    name = STAGES[int(model)]
    kind = "_EXT" if name in ("TASK", "MESH") else "_KHR" if int(model) >= 5313 else ""
    return "VK_SHADER_STAGE_%s_BIT%s" % (name, kind)


def bind(names, corpus, scratch):
    """(title, layout, {module name in the JSON: path}) of everything that can be bound."""
    for mode, options in MODES.items():
        for title, paths in names:
            folder = os.path.join(scratch, mode, title.replace("/", "_"))
            os.makedirs(folder)
            flags = max((corpus.flags[path] for path in paths), key=len)
            inputs = []
            for i, path in enumerate(paths):
                inputs.append(os.path.join(folder, "%d.spv" % i))
                os.symlink(corpus.path(path), inputs[-1])
            out = os.path.join(folder, "out")
            os.mkdir(out)
            done = running.bind_bytes("-q", "--validate=none", *flags, *options, "--out-dir", out,
                                      "--layout-json", folder + "/layout.json", *inputs, expect=None)
            if done.returncode:
                continue  # corpora.py tests this
            with open(folder + "/layout.json") as f:
                layout = json.load(f)
            yield "%s, %s" % (mode, title), layout, {os.path.basename(path): os.path.join(out, os.path.basename(path))
                                                     for path in inputs}


def views_by_id(layout, module):
    found = {}
    for s in layout["sets"]:
        for b in s["bindings"]:
            for view in b["views"]:
                if view["module"] == module:
                    found[view["id"]] = (s["set"], b, view)
    return found


def members_of(blocks, view):
    return " ".join("%d+%d" % (m["offset"], m["size"]) for m in blocks[view["type"]["blockId"]]["members"])


def compare_view(seen, place, binding, view, blocks):
    """Compares SPIRV-Cross's description of a variable with its view in the JSON."""
    kind = view["type"]
    if (int(seen.set), int(seen.binding)) != (place, binding["binding"]):
        return "is at %s.%s, not %d.%d" % (seen.set, seen.binding, place, binding["binding"])
    if seen.name and view["name"] not in (seen.name, seen.block) and "path" not in view:
        return "is called %s, not %s" % (seen.name, view["name"])
    if seen.kind != kind["kind"]:
        return "is a %s, not a %s" % (seen.kind, kind["kind"])
    if int(seen.count) != (view["count"] or 0):
        return "has %s elements, not %s" % (seen.count, view["count"])
    if stage_name(seen.stage) not in view["stages"] or stage_name(seen.stage) not in binding["stages"]:
        return "is used by %s, and the layout does not say so" % stage_name(seen.stage)
    if (binding["count"] or 0) < (view["count"] or 0) and binding["count"] is not None:
        return "has more elements than its binding"
    if seen.kind in ("ubo", "ssbo") and (int(seen.size), int(seen.stride)) != (kind["size"], kind.get("stride", 0)):
        return "has %s bytes and a stride of %s, not %s and %s" % (seen.size, seen.stride, kind["size"],
                                                                  kind.get("stride", 0))
    if seen.kind in ("ubo", "ssbo") and seen.members != members_of(blocks, view):
        return "has members at %s, not %s" % (seen.members, members_of(blocks, view))
    if int(seen.dim) >= 0 and seen.kind in ("texture", "image", "combined"):
        mine = (kind["dim"], kind["arrayed"], kind["multisampled"])
        theirs = (DIMENSIONS[int(seen.dim)], seen.arrayed == "1", seen.multisampled == "1")
        if mine != theirs:
            return "is %s, not %s" % (theirs, mine)
    return None


def unseen_uses(path):
    """The ids of variables that count as used because an entry point lists them, which SPIRV-Cross considers for inputs
    and outputs only, or because of OpRawAccessChainNV, which it does not know."""
    words, at, ids = array.array("I", running.read(path)), 5, set()
    while at < len(words):
        op, length = words[at] & 0xFFFF, words[at] >> 16
        if op == 15:  # OpEntryPoint: the name ends in the first word with a 0 byte at its end
            end = at + 3
            while words[end] >> 24:
                end += 1
            ids.update(words[end + 1:at + length])
        if op == 5398:
            ids.add(words[at + 3])
        at += length
    return ids


def rounded(ends):
    return {stage: (end + 3) // 4 * 4 for stage, end in ends.items() if end}


def compare(layout, modules, seen):
    """All differences."""
    faults = []
    for module, path in modules.items():
        rows = seen.get(path)
        if rows is None:
            continue
        views, used, stages, push = views_by_id(layout, module), collections.defaultdict(set), set(), {}
        blocks = {b["id"]: b for m in layout["modules"] if m["file"] == module for b in m["blocks"]}
        for row in rows:
            stages.add(stage_name(row.stage))
            if row.kind == "push":
                name = stage_name(row.stage)
                push[name] = max(push.get(name, 0), int(row.size))
            elif row.kind != "none":
                used[int(row.id)].add(stage_name(row.stage))
                if int(row.id) not in views:
                    faults.append("%s: %%%s %s (%s) is not in the layout" % (module, row.id, row.name, row.kind))
                    continue
                wrong = compare_view(row, *views[int(row.id)], blocks)
                if wrong:
                    faults.append("%s: %%%s %s %s" % (module, row.id, row.name, wrong))
        for id, (place, binding, view) in views.items():
            more = set(view["stages"]) & stages - used[id]
            if more and id not in unseen_uses(path):
                faults.append("%s: the layout says that %s use %%%d %s" % (module, sorted(more), id, view["name"]))
        if len(modules) == 1:
            mine = {stage: r["offset"] + r["size"] for r in layout["pushConstants"] for stage in r["stages"]}
            mine = {stage: end for stage, end in mine.items() if stage in push}  # unused blocks are listed, too
            if rounded(push) != rounded(mine):
                faults.append("%s: push constants end at %s, not %s" % (module, push, mine))
    return faults


def spoil(layout, turn):
    """Makes one fact wrong; False if there is nothing to spoil."""
    for s in layout["sets"]:
        for b in s["bindings"]:
            for view in b["views"]:
                if not view["stages"]:
                    continue
                kinds = {"ubo": "ssbo", "ssbo": "ubo", "texture": "combined", "combined": "texture"}
                spoils = [lambda: b.update(binding=b["binding"] + 1), lambda: s.update(set=s["set"] + 1),
                          lambda: view.update(count=(view["count"] or 0) + 1),
                          lambda: view["type"].update(kind=kinds.get(view["type"]["kind"], "ubo")),
                          lambda: view.update(stages=[]), lambda: view.update(id=view["id"] + 1000000)]
                if "size" in view["type"]:
                    spoils.append(lambda: view["type"].update(size=view["type"]["size"] + 4))
                    block = next(x for m in layout["modules"] if m["file"] == view["module"] for x in m["blocks"]
                                 if x["id"] == view["type"]["blockId"])
                    spoils += [lambda k=k: block["members"][0].update({k: block["members"][0][k] + 4})
                               for k in ("offset", "size") if block["members"]]
                spoils[turn % len(spoils)]()
                return True
    return False


def reflect(args, paths):
    """{path: rows, or None if SPIRV-Cross cannot read it}, and how many those are. It recurses endlessly on blocks that
    refer to themselves; with sanitizers, too, that has to end in a signal, not in a report with an exit status."""
    seen, begin = {}, 0
    options = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "handle_segv=0"]))
    while begin < len(paths):
        done = subprocess.run([args.reflect], input="".join(path + "\n" for path in paths[begin:]), capture_output=True,
                              text=True, errors="replace", env={**os.environ, "ASAN_OPTIONS": options})
        for line in done.stdout.split("\n"):
            fields = line.split("\t")
            if line == "done":
                begin += 1
            elif fields[0] == "unread":
                seen[fields[1]] = None
            elif len(fields) == len(Seen._fields) and seen.get(fields[0], []) is not None:
                seen.setdefault(fields[0], []).append(Seen(*fields))
        if done.returncode > 0 or not done.returncode and begin < len(paths):
            print(done.stderr[-500:])
            sys.exit(1)
        if done.returncode:  # it has crashed
            seen[paths[begin]] = None
            begin += 1
    return seen, sum(rows is None for rows in seen.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--reflect", required=True)
    corpora.add_argument(parser)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        corpus = corpora.Corpus(args.corpora)
        names = [(name, [name]) for name in sorted(corpus.flags)[::args.every]]
        names += [("program " + name, corpus.programs[name]) for name in sorted(corpus.programs)[::args.every]]
        running.BIND = os.path.abspath(args.bind)
        bound = list(bind(names, corpus, scratch))
        seen, unread = reflect(args, [path for _, _, modules in bound for path in modules.values()])
        passed = wrong = 0
        for turn, (title, layout, modules) in enumerate(bound):
            if args.self_test and not spoil(layout, turn):
                continue
            known = KNOWN.get(title.partition(", ")[2], "\0")
            faults = [fault for fault in compare(layout, modules, seen) if known not in fault]
            if args.self_test and any(seen.get(path) is None for path in modules.values()):
                continue
            passed += bool(faults) == args.self_test
            wrong += bool(faults) != args.self_test
            if bool(faults) != args.self_test:
                print("%s: %s" % (title, "; ".join(faults[:3]) or "a wrong layout (%d) is believed" % (turn % 7)))
    print("%d outputs that SPIRV-Cross does not read" % unread)
    print("%d passed, %d failed" % (passed, wrong))
    return 1 if wrong or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
