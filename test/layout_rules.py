# SPDX-License-Identifier: Apache-2.0
"""Rules hlsl: every row of conformance/hlsl-implicit.tsv and the plain rows of hlsl-peers.txt as a module,
decorations read back.

    layout_rules.py --bind B [--keep DIR]     DIR: keeps layouts and modules there, for Vulkan to judge
"""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
import fixtures  # noqa: E402  what is true of every module
from module_text import Module, read_places  # noqa: E402
from running import HERE, Failure, run, summary  # noqa: E402


class Run:
    """Runs the command on modules made from declarations."""

    def __init__(self, bind, keep=None):
        self.bind, self.keep, self.tmp = bind, keep, tempfile.mkdtemp()
        if keep:
            os.makedirs(keep, exist_ok=True)

    def command(self, modules, *options, expect=0):
        """modules: Modules or paths. Returns (places of each output, layout) or the text of the error."""
        folder = tempfile.mkdtemp(dir=self.tmp)
        inputs = []
        for i, m in enumerate(modules):
            path = m if isinstance(m, str) else os.path.join(folder, "m%d.spv" % i)
            if not isinstance(m, str):
                m.write(path)
            inputs.append(path)
        out, layout = os.path.join(folder, "out"), os.path.join(folder, "layout.json")
        order = [] if any(o.startswith("--order") for o in options) else ["--order=module"]
        self.stderr = run(self.bind, *order, *options, *inputs, "--out-dir", out, "--layout-json", layout,
                          expect=expect).stderr
        if expect:
            return self.stderr
        inputs += [o.split("=", 1)[1] for o in options if o.startswith("--import=")]
        outputs = [os.path.join(out, os.path.basename(i)) for i in inputs]
        with open(layout) as f:
            j = json.load(f)
        self.check(outputs, j, layout, [*order, *options])
        return [read_places(o) for o in outputs], j

    def check(self, outputs, layout, layout_path, options):
        """Properties of every program: the JSON agrees with the modules and with SPIRV-Cross, a second run changes
        nothing."""
        import jsonschema
        with open(os.path.join(HERE, "../include/spirv-bind/layout.schema.json")) as f:
            jsonschema.validate(layout, json.load(f))
        said = {(s["set"], b["binding"]) for s in layout["sets"] for b in s["bindings"]}
        found = {p for o in outputs for places in read_places(o).values()
                 for p in (places if isinstance(places, list) else [places])}
        if said != found:
            raise Failure("the layout says %s, the modules %s" % (sorted(said), sorted(found)))
        used = {(s["set"], b["binding"]) for s in layout["sets"] for b in s["bindings"] if b["used"]}
        for o in outputs:
            own = {p for places in read_places(o).values() for p in (places if isinstance(places, list) else [places])}
            self.ask_spirv_cross(o, own, used & own)
        options = [o for o in options if not o.startswith(("--import=", "--accesses"))]
        run(self.bind, "check", *options, *outputs)  # bind(bind(x)) is bind(x)
        if self.keep:
            name = "%04d" % len([n for n in os.listdir(self.keep) if n.endswith(".json")])
            shutil.copy(layout_path, os.path.join(self.keep, name + ".json"))
            for i, o in enumerate(outputs):
                shutil.copy(o, os.path.join(self.keep, "%s.%d.spv" % (name, i)))

    def ask_spirv_cross(self, module, own, used):
        reflected = json.loads(run("spirv-cross", module, "--reflect").stdout)
        seen = {(r["set"], r["binding"]) for group in fixtures.CROSS for r in reflected.get(group, [])}
        if not seen <= own or not used <= seen:
            raise Failure("SPIRV-Cross sees %s, we have %s, of which these are used: %s" % (seen, own, used))


def registers(layout):
    """name -> (class, register, last or None, space) in the layout JSON."""
    found = {}
    for s in layout["sets"]:
        for b in s["bindings"]:
            if "register" in b:
                found[b["name"]] = (b["class"], b["register"], b["range"][1], b["space"])
    return found


def expect_registers(layout, text):
    """'A=u0 B=u6.. C=u0/1 s.B=u3': these must hold, and no others have a register."""
    found = registers(layout)
    wanted = {}
    for word in text.split():
        name, cls, number, rest, space = re.fullmatch(r"([\w.$]+)=([btsu])(\d+)(\.\.\d*)?(?:/(\d+))?", word).groups()
        wanted[name] = (cls, int(number), int(space or 0))
        if name not in found:
            raise Failure("%s has no register; %s" % (name, found))
        if rest == ".." and found[name][2] is not None:
            raise Failure("%s should have no end: %s" % (name, found[name]))
        if rest and rest != ".." and found[name][2] != int(rest[2:]):
            raise Failure("%s should end at %s: %s" % (name, rest[2:], found[name]))
    got = {n: (c, r, s) for n, (c, r, _, s) in found.items()}
    if got != wanted:
        raise Failure("expected %s, got %s" % (wanted, got))


# hlsl-implicit.tsv

def implicit_rows():
    with open(os.path.join(HERE, "conformance", "hlsl-implicit.tsv")) as f:
        lines = [l.rstrip("\n").split("\t") for l in f][1:]
    for row in lines:
        yield row[0], row[2], row[3]


ERRORS = {  # what else the message must contain
    "0024-3.2": ["SPB4007", '"D"', "4 free registers", "class u", "space0", '"A"', "u1", '"B"', '"C"', "u5"],
    "0024-3.4": ["SPB4007", '"D"', "unbounded", '"C"'],
    "0024-6.1b": ["SPB4001", '"B"', '"C"', "u0..9", "u2"],
    "0024-max2": ["SPB4013", '"A"'],
    "0024-max3": ["SPB4007", '"B"'],
}


def implicit(run, name, declarations, expect):
    module = Module(declarations)
    if expect.startswith("error"):
        text = run.command([module], "--rules=hlsl", expect=1)
        for word in ERRORS[name]:
            if word not in text:
                raise Failure("%s is not in: %s" % (word, text))
        return
    places, layout = run.command([module], "--rules=hlsl")
    expect_registers(layout, expect)
    unused = {i.name for i in module.items if not i.used}
    if unused != set(layout.get("removed", [])) or unused & set(places[0]):
        raise Failure("unused resources must go: %s, removed %s, left %s" % (unused, layout.get("removed"), places))
    # without shifts, a single class keeps its registers as bindings
    if len({c for c, _, _, _ in registers(layout).values()}) == 1:
        for b in (b for s in layout["sets"] for b in s["bindings"]):
            if b["binding"] != b["register"]:
                raise Failure("%s: binding %d is not register %d" % (b["name"], b["binding"], b["register"]))


def cases(run):
    for name, declarations, expect in implicit_rows():
        yield "hlsl-implicit " + name, lambda n=name, d=declarations, e=expect: implicit(run, n, d, e)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--keep")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    import peers_rules
    import slang_rules
    running.BIND = os.path.abspath(args.bind)
    runner = Run(running.BIND, args.keep)
    every = [*cases(runner), *peers_rules.cases(runner), *slang_rules.cases(runner)]
    counts = running.run_cases(every, args.only)
    shutil.rmtree(runner.tmp)
    summary(*counts)


if __name__ == "__main__":
    sys.modules["layout_rules"] = sys.modules["__main__"]
    main()
