#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --reflect writes is what spirv-cross --reflect writes of the bound module, key by key.

    reflect.py --bind B [--every N] [--corpora DIR] [--self-test]

For every Nth fixture and module of ../shared/corpora. Names are compared as SPIRV-Cross makes identifiers of them, and
lists in their order, except entry points. What else may differ is a row of KNOWN, with the reason. With --self-test one
fact of each reflection is changed, and each has to be noticed.
"""
import argparse
import collections
import copy
import json
import os
import re
import shutil
import struct
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import corpora  # noqa: E402
import fixtures  # noqa: E402
import running  # noqa: E402

NUMBER = re.compile(r"_\d+$")
MISSING = "(nothing)"


def identifier(name):
    """As SPIRV-Cross makes names fit for GLSL."""
    name = re.sub(r"__+", "_", re.sub(r"\W", "_", name, flags=re.ASCII))
    return "_" + name if name[:1].isdigit() else name


def cleaned(value, key=None):
    if isinstance(value, dict):
        return {k: cleaned(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [cleaned(v, key) for v in value]
    return identifier(value) if key == "name" and isinstance(value, str) else value


def is_same_float(ours, theirs):
    """One number of 32 bits in two forms: SPIRV-Cross writes 0.1 as 0.10000000149011612."""
    return float in (type(ours), type(theirs)) and {type(ours), type(theirs)} <= {int, float} and \
        struct.pack("f", ours) == struct.pack("f", theirs)


def differences(ours, theirs, path=""):
    """(path, ours, theirs)"""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            below = path + "/" + ("_N" if NUMBER.match(key) else key)
            if key in ours and key in theirs:
                yield from differences(ours[key], theirs[key], below)
            else:
                yield below, ours.get(key, MISSING), theirs.get(key, MISSING)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for x, y in zip(ours, theirs):
            yield from differences(x, y, path + "[]")
    elif path.endswith("/default_value") and is_same_float(ours, theirs):
        pass
    elif ours != theirs or isinstance(ours, bool) != isinstance(theirs, bool):
        yield path, ours, theirs


def has_many_entry_points(ours, theirs, module):
    return len(module["entryPoints"]) > 1


# (path, what has to be true of both values, why). All are limits of SPIRV-Cross 1.3.239.
KNOWN = [
    (r".*/type", lambda o, t, m: (o, t) == ("accelerationStructureEXT", "accelerationStructureNV"),
     "GLSL has called the type accelerationStructureEXT since GLSL_EXT_ray_tracing"),
    (r"/entryPoints\[\]/mode", lambda o, t, m: (o, t) in (("mesh", "???"), ("task", "???")),
     "it has no names for the stages of SPV_EXT_mesh_shader"),
    (r"/entryPoints\[\]/workgroup_size\[\]", lambda o, t, m: t == 0 and o > 0,
     "it has 0 for LocalSizeId with constants that are not specialization constants"),
    (r"/entryPoints\[\]/workgroup_size(_is_spec_constant_id)?",
     lambda o, t, m: t == MISSING and any(e["mode"] in ("mesh", "task") for e in m["entryPoints"]),
     "it has no workgroup size for mesh and task shaders"),
    (r"/specialization_constants\[\]/default_value",
     lambda o, t, m: t == MISSING and any(c["type"] in ("double", "float16_t", "int64_t", "uint64_t", "int16_t",
                                                        "uint16_t", "int8_t", "uint8_t")
                                          for c in m["specialization_constants"]),
     "it has no defaults of other widths than 32 bits"),
    (r"/(inputs|outputs)(\[\].*)?", has_many_entry_points, "it knows the interface of the first entry point only"),
    (r"/[a-z_]+",
     lambda o, t, m: has_many_entry_points(o, t, m) and (t == MISSING or len(t) < len(o)),
     "and from SPIR-V 1.4 on its resources only"),
    (r"/entryPoints\[\]/workgroup_size_is_spec_constant_id\[\]", lambda o, t, m: (o, t) == (False, True),
     "it takes a specialization constant without SpecId, which nobody can set, to be constant_id 0"),
    (r"/images\[\]/(type|format)",
     lambda o, t, m: re.match("[ui]64image|r64", str(o)) and (t == MISSING or t == str(o)[3:]),
     "it has no images of 64 bits"),
    (r"/types/_N(/name)?", lambda o, t, m: (t if o == MISSING else {"name": t}).get("name", "").endswith("Pointer"),
     "it calls pointers by the names of blocks that it needs in GLSL, and makes one of each pointer it meets"),
    (r"/ubos\[\]/block_size", lambda o, t, m: (o, t) == (32, 28),
     "a last row of a matrix takes its whole stride, as in corpora_agree.py"),
    (r"/entryPoints\[\]/workgroup_size(_is_spec_constant_id)?(\[\])?", has_many_entry_points,
     "it gives all entry points the specialization constants of the first"),
]


def explained(difference, module):
    path, ours, theirs = difference
    for i, (pattern, holds, _) in enumerate(KNOWN):
        if re.fullmatch(pattern, path) and holds(ours, theirs, module):
            return i
    return None


def leaves(value):
    """(container, key) of every value that is no container."""
    for key in value if isinstance(value, dict) else range(len(value)):
        if isinstance(value[key], (dict, list)):
            yield from leaves(value[key])
        else:
            yield value, key


def spoil(module, turn):
    every = list(leaves(module))
    container, key = every[turn % len(every)]
    old = container[key]
    container[key] = not old if isinstance(old, bool) else old + "x" if isinstance(old, str) else 0.25


def spoiled(ours, theirs, turn):
    """With one value changed, and not one in which the two differ anyhow."""
    before = sum(1 for _ in differences(cleaned(ours), cleaned(theirs)))
    for more in range(sum(1 for _ in leaves(ours))):
        changed = copy.deepcopy(ours)
        spoil(changed, turn + more)
        if sum(1 for _ in differences(cleaned(changed), cleaned(theirs))) > before:
            return changed
    return ours


def compare(args, job, folder):
    """(title, what became of it, differences that nothing explains)"""
    turn, (title, options, source) = job
    out, described = os.path.join(folder, "%d.spv" % turn), os.path.join(folder, "%d.json" % turn)
    if running.bind("-q", *options, source, "-o", out, "--reflect=" + described, expect=None).returncode:
        return title, "refused", []
    done = running.run("spirv-cross", out, "--reflect", expect=None)
    try:
        theirs = json.loads(done.stdout) if not done.returncode else None
    except ValueError:
        theirs = None
    ours = json.loads(running.read_text(described))
    if theirs is None:
        return title, "not read by SPIRV-Cross", []
    for module in ours, theirs:
        module.get("entryPoints", []).sort(key=lambda e: (e["mode"], e["name"]))
    if args.self_test:
        ours = spoiled(ours, theirs, turn)
    found = list(differences(cleaned(ours), cleaned(theirs)))
    rows = [explained(d, ours) for d in found]
    left = [d for d, row in zip(found, rows) if row is None]
    return title, "differ" if left else "explained" if found else "same", left


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--corpora", default=os.path.join(HERE, "..", "..", "shared", "corpora"))
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if not shutil.which("spirv-cross"):
        print("no spirv-cross (Debian package spirv-cross): skipped")
        return 77
    running.BIND = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as scratch:
        jobs = list(fixtures.modules(scratch))[::args.every]
        if os.path.exists(os.path.join(args.corpora, "modules.tar.xz")):
            corpus = corpora.Corpus(args.corpora, scratch)
            jobs += [(name, corpus.flags[name], corpus.path(name)) for name in sorted(corpus.flags)[::args.every]]
        else:
            print("no corpora at %s: only fixtures are compared" % args.corpora)
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda job: compare(args, job, scratch), enumerate(jobs)))
    tally = collections.Counter(what for _, what, _ in results)
    print(", ".join("%d %s" % (n, what) for what, n in sorted(tally.items())))
    if args.self_test:
        missed = [title for title, what, _ in results if what in ("same", "explained")]
        print("%d spoiled reflections are noticed, %d are believed: %s" % (tally["differ"], len(missed), missed[:5]))
        return 1 if len(missed) * 50 > tally["differ"] or not tally["differ"] else 0
    for title, what, left in results:
        for path, ours, theirs in left[:4]:
            print("%s: %s: %s, not %s" % (title, path, json.dumps(ours)[:100], json.dumps(theirs)[:100]))
    return 1 if tally["differ"] or not tally["same"] else 0


if __name__ == "__main__":
    sys.exit(main())
