# SPDX-License-Identifier: Apache-2.0
"""Properties of a lowered module, in addition to validity: it uses the same descriptors, in the same order, as the
input; a descriptor is loaded in the block that uses it; exactly the accesses that differ between invocations are
NonUniform; nothing of a dialect is left."""
import re

from interpret import (ATOMICS, CHAIN, COPY, IDS_BEFORE_MASK, IMAGE, IN_BOUNDS, LENGTH, LOAD, NO_RESULT, PARAMETER,
                       QUERIES, QUERY_INIT, SAMPLED_IMAGE, STORE, TEXEL_POINTER, Program, Run, Wrong)

NON_UNIFORM, LINKAGE = 5300, 41
LEFT_OPS = {5391, 5392, 5393, 5394, 5395, 5396, 5397}
LEFT_DECORATIONS = set(range(5398, 5402))
RUNS = [(lane, seed) for seed in (2, 3) for lane in (1, 2)]


def left_over(p, words):
    """Remains of dialects: a list of complaints."""
    wrong, at = [], 5
    if 5390 in p.capabilities:
        wrong.append("capability BindlessTextureNV is left")
    if "NonSemantic.DescriptorHandle" in p.imports.values():
        wrong.append("the import is left")
    while at < len(words):
        n, op = words[at] >> 16, words[at] & 0xFFFF
        if op in LEFT_OPS:
            wrong.append("opcode %d is left" % op)
        if op == 10 and re.search(rb"NonSemantic\.DescriptorHandle|NV_bindless", words[at + 1:at + n].tobytes()):
            wrong.append("an extension is left")
        if op == 71 and (words[at + 2] in LEFT_DECORATIONS or words[at + 2] == LINKAGE):
            wrong.append("decoration %d is left" % words[at + 2])
        at += n
    if 5347 in p.capabilities:
        wrong.append("capability PhysicalStorageBufferAddresses is left, though nothing has an address")
    if 5 in p.capabilities:
        wrong.append("capability Linkage is left")
    return wrong


def operand(op, w):
    """The id that selects the descriptor of an access."""
    if op in (LOAD, LENGTH):
        return w[2]
    if op == STORE:
        return w[0]
    if op == QUERY_INIT:
        return w[1]
    return w[0] if op in NO_RESULT else w[2]


class Path:
    """The path from an access back to the heaps: `leaves` is [(heap, ids on the path)]."""

    def __init__(self, p, at, block, id):
        self.p, self.at, self.block, self.leaves = p, at, block, []
        self.walk(id, [])

    def walk(self, id, way):
        p = self.p
        op, w, at = p.def_.get(id, (None, None, 0))
        if op in (SAMPLED_IMAGE, IMAGE, COPY, LOAD, TEXEL_POINTER, CHAIN,
                  IN_BOUNDS) and self.block and p.place[at] != self.block:
            heaps = Path(p, self.at, p.place[at], id).leaves
            if heaps:
                raise Wrong("%%%d is not in the block that uses it" % id)
            return
        if op == PARAMETER:  # a pointer to an element of a heap, from the callers
            for argument in p.arguments.get(id, ()):
                found = Path(p, self.at, None, argument).leaves
                self.leaves += [(heap, way) for heap, _ in found]
                if found:
                    break
            return
        way = way + [id]
        if op == SAMPLED_IMAGE:
            self.walk(w[2], way)
            self.walk(w[3], way)
        elif op in (IMAGE, COPY, LOAD, TEXEL_POINTER):
            self.walk(w[2], way)
        elif op in (CHAIN, IN_BOUNDS):
            base = w[2]
            if base in p.variables and p.heap_of(base):
                self.leaves.append((base, way))
            else:
                self.walk(base, way)


def accesses(p):
    """position -> Path, of every access to a heap."""
    found = {}
    for f in p.functions.values():
        for label, block in f["blocks"].items():
            for op, w, at in block:
                if op in IDS_BEFORE_MASK or op in QUERIES or op in ATOMICS or op in (QUERY_INIT, LENGTH, LOAD, STORE):
                    path = Path(p, at, label, operand(op, w))
                    # not that of the descriptor
                    if path.leaves and (op != LOAD or p.variables[path.leaves[0][0]][1] != 0):
                        found[at] = path
    return found


def slots(log):
    """Which emission each entry of a log belongs to."""
    now, out = None, []
    for entry in log:
        if entry[0] == "result" and entry[1] == (0, 1000):
            now = entry[2]
        out.append(now)
    return out


def compare(before, after):
    if before.log == after.log:
        return
    for i in range(max(len(before.log), len(after.log))):
        a, b = before.log[i:i + 1], after.log[i:i + 1]
        if a != b:
            raise Wrong("access %d is %s, and was %s" % (i, b and b[0], a and a[0]))


class Given:
    """The input module, and its runs, which are the same for all outputs."""

    def __init__(self, words, split, address, sized, checks):
        self.program, self.runs = Program(words, None, split, address, sized, checks), {}

    def run(self, entry, lane, seed):
        key = entry, lane, seed
        if key not in self.runs:
            self.runs[key] = Run(self.program, lane, seed).run(entry)
        return self.runs[key]


def same_accesses(given, lowered, entries):
    """Runs both; returns {position of an access: emissions that made it}."""
    made = {}
    for entry in entries:
        for lane, seed in RUNS:
            before, after = given.run(entry, lane, seed), Run(lowered, lane, seed).run(entry)
            compare(before, after)
            for at, slot in zip(after.at, slots(after.log)):
                if at:
                    made.setdefault(at, set()).add((entry, slot))
    return made


def marks(p, paths, made, wanted, natures):
    """wanted: (entry, slot) -> {kind of heap: True, False or None (either will do)}; of other heaps none is marked."""
    wrong = []
    for at, emissions in made.items():
        if at not in paths: # of a bound resource
            continue
        path = paths[at]
        which = "".join(sorted(natures[e] for e in emissions))
        for heap, way in path.leaves:
            needs = [wanted[e].get(kind_of(p, heap), False) for e in emissions]
            expected = True if True in needs else None if None in needs else False
            ids = [i for i in way if p.def_[i][0] in (CHAIN, IN_BOUNDS, LOAD)]
            marked = [NON_UNIFORM in p.decorations.get(i, {}) for i in ids]
            if len(set(marked)) > 1:
                wrong.append("of the way %s to the access at word %d some are NonUniform" % (ids, at))
            elif ids and expected is not None and marked[0] != expected:
                wrong.append("of %s the access at word %d (%s) is %sNonUniform" % (
                    which, at, p.names.get(heap), "" if marked[0] else "not "))
        for i in {i for _, way in path.leaves for i in way if p.def_[i][0] in (SAMPLED_IMAGE, IMAGE, COPY,
                                                                               TEXEL_POINTER)}:
            below = any(NON_UNIFORM in p.decorations.get(k, {}) for _,
                        way in path.leaves if i in way for k in way[way.index(i) + 1:])
            if not any(way[-1] != i for _, way in path.leaves if i in way):
                continue
            if (NON_UNIFORM in p.decorations.get(i, {})) != below:
                wrong.append("of %s %%%d on the way to the access at word %d is %smarked" % (which, i, at,
                                                                                             "not " if below else ""))
    return wrong


def kind_of(p, heap):
    value = p.descriptor(p.heap_of(heap), 0) if p.variables[heap][1] == 0 else ("buffer", "buffer")
    return value[0][1] if isinstance(value[0], tuple) else value[1]


def every_access_was_made(paths, made):
    """An access to a heap that no run executed was not checked: the matrix itself is wrong, or the tool left something
    over."""
    return ["nothing ran the access at word %d" % at for at in paths if at not in made]


LAST = []  # words, options and Given of the last check, since many damages are of one module


def check(words_in, words_out, entries, wanted, natures, split=False, address=False, sized=False, checks=""):
    """A list of complaints."""
    key = words_in, split, address, sized, checks
    if LAST[:1] != [key]:
        LAST[:] = key, Given(*key)
    given = LAST[1]
    lowered = Program(words_out, words_in[3], split, address, sized, checks)
    wrong = left_over(lowered, words_out)
    if wrong:
        return wrong
    try:
        made = same_accesses(given, lowered, entries)
        paths = accesses(lowered)
        wrong = marks(lowered, paths, made, wanted, natures) + every_access_was_made(paths, made)
    except Wrong as e:
        wrong.append(str(e))
    return wrong
