#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/pictures from the data in the same folder.

    scripts/pictures.py                          draw all
    scripts/pictures.py --check                  fail if a picture is not up to date
    scripts/pictures.py --measure [NAME...]      first repeat the measurements: heaps, explain, scale, bars, precision
                                                 (valgrind for scale and bars), of the spirv-bind that --bind names

The data is in docs/pictures/NAME.json, whose "how" tells how it was measured. Work is counted in instructions
(callgrind), which other load on the machine does not affect. The pictures follow the reader's colour scheme."""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "docs", "pictures")
sys.path[:0] = [os.path.join(ROOT, "scripts", "bench"), os.path.join(ROOT, "test")]

LIGHT = {"text": "#1f2328", "muted": "#59636e", "line": "#d1d9e0", "box": "#f6f8fa", "blue": "#0969da",
         "green": "#1a7f37",
         "orange": "#bc4c00", "purple": "#8250df", "red": "#cf222e", "gray": "#818b98"}
DARK = {"text": "#f0f6fc", "muted": "#9198a1", "line": "#3d444d", "box": "#151b23", "blue": "#4493f8",
        "green": "#3fb950",
        "orange": "#db6d28", "purple": "#ab7df8", "red": "#f85149", "gray": "#656c76"}


class Drawing:
    def __init__(self, width, height, title):
        self.size, self.title, self.parts = (width, height), title, []

    def add(self, part):
        self.parts.append(part)

    def rect(self, x, y, w, h, fill="box", stroke="line", r=6, more=""):
        self.add('<rect x="%g" y="%g" width="%g" height="%g" rx="%g" class="f-%s s-%s" %s/>' % (x, y, w, h, r, fill,
                                                                                                stroke, more))

    def text(self, x, y, words, color="text", size=13, anchor="start", weight="", mono=False):
        self.add('<text x="%g" y="%g" class="f-%s%s" font-size="%g" text-anchor="%s"%s>%s</text>' % (
            x, y, color, " m" if mono else "", size, anchor, ' font-weight="%s"' % weight if weight else "",
            escape(words)))

    def line(self, x1, y1, x2, y2, stroke="line", width=1, dash=""):
        self.add('<line x1="%g" y1="%g" x2="%g" y2="%g" class="s-%s" stroke-width="%g"%s/>' % (
            x1, y1, x2, y2, stroke, width, ' stroke-dasharray="%s"' % dash if dash else ""))

    def arrow(self, x1, y1, x2, y2, stroke="gray"):
        angle = math.atan2(y2 - y1, x2 - x1)
        self.line(x1, y1, x2 - 5 * math.cos(angle), y2 - 5 * math.sin(angle), stroke, 1.5)
        tip = ["%.1f,%.1f" % (x2 + 8 * math.cos(angle + a) * (a != 0), y2 + 8 * math.sin(angle + a) * (a != 0))
               for a in (0, 2.7, -2.7)]
        self.add('<polygon points="%s" class="f-%s"/>' % (" ".join(tip), stroke))

    def path(self, points, stroke, width=2):
        self.add('<polyline points="%s" fill="none" class="s-%s" stroke-width="%g"/>' % (
            " ".join("%.1f,%.1f" % p for p in points), stroke, width))

    def svg(self):
        def rules(colors):
            return "".join(".f-%s{fill:%s}.s-%s{stroke:%s}" % (k, v, k, v) for k, v in colors.items())
        w, h = self.size
        return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" '
                'font-family="system-ui,Segoe UI,Helvetica,Arial,sans-serif">\n<title>%s</title>\n'
                "<style>%s.f-none{fill:none}.s-none{stroke:none}.m{font-family:ui-monospace,Menlo,Consolas,monospace}\n"
                "@media (prefers-color-scheme:dark){%s}</style>\n%s\n</svg>\n" % (
                    w, h, w, h, escape(self.title), rules(LIGHT), rules(DARK), "\n".join(self.parts)))


# what is drawn

def draw_pipeline(_):
    d = Drawing(880, 250, "From compiled modules to bound modules")
    d.text(20, 28, "one program", "muted", 12)
    for i, name in enumerate(("a.vert.spv", "a.frag.spv")):
        d.rect(20, 40 + i * 44, 112, 34)
        d.text(76, 62 + i * 44, name, anchor="middle", mono=True, size=12)
    d.text(76, 152, "GLSL · HLSL · Slang …", "muted", 11, "middle")
    d.rect(168, 10, 530, 230, "none", "blue", 10)
    d.text(184, 32, "spirv-bind", "blue", 14, weight="600")
    d.text(184, 58, "each module by itself", "muted", 12)
    steps = (("handles", "dereferences become", "heap accesses"),
             ("shapes", "structs and arrays of", "descriptors unfold"),
             ("NonUniform", "accesses that vary", "are decorated"))
    for i, (name, one, two) in enumerate(steps):
        x = 184 + i * 170
        d.rect(x, 68, 152, 66)
        d.text(x + 76, 90, name, anchor="middle", weight="600")
        d.text(x + 76, 108, one, "muted", 11.5, "middle")
        d.text(x + 76, 123, two, "muted", 11.5, "middle")
        if i:
            d.arrow(x - 17, 101, x - 2, 101)
    d.arrow(136, 79, 180, 95)
    d.text(184, 166, "the whole program", "muted", 12)
    for x, name, one, two in ((184, "layout", "one numbering for", "all stages"),
                              (354, "bindings", "set and binding", "are written"),
                              (524, "validation", "SPIRV-Tools judges", "every output")):
        d.rect(x, 172, 152, 60)
        d.text(x + 76, 192, name, anchor="middle", weight="600")
        d.text(x + 76, 208, one, "muted", 11.5, "middle")
        d.text(x + 76, 222, two, "muted", 11.5, "middle")
    d.arrow(337, 202, 352, 202)
    d.arrow(507, 202, 522, 202)
    d.path([(600, 134), (600, 150), (318, 150)], "gray", 1.5)
    d.arrow(318, 149, 318, 170)
    for i, (name, what) in enumerate((("bound/a.*.spv", "bound modules"), ("layout.json", "each decision, and why"),
                                      ("shaders.lock", "numbers that stay"))):
        y = 54 + i * 62
        d.rect(726, y - 20, 144, 46)
        d.text(798, y - 1, name, anchor="middle", mono=True, size=12)
        d.text(798, y + 16, what, "muted", 10.5, "middle")
        d.arrow(698, y + 3, 724, y + 3)
    return d


HEAP_COLORS = {"sampler": "purple", "combined": "orange", "texture": "blue", "image": "green", "utexbuf": "blue",
               "stexbuf": "green", "ubo": "orange", "ssbo": "green", "as": "red", "counter": "gray", "mutable": "blue"}


def draw_heaps(data):
    rows = data["models"]
    d = Drawing(880, 40 + len(rows) * 112, "Heap models as grids of set and binding")
    for r, row in enumerate(rows):
        y = 14 + r * 112
        d.text(20, y + 14, row["options"], weight="600", mono=True, size=12.5)
        d.text(860, y + 14, row["note"], "muted", 12, "end")
        if not row["heaps"]:
            for x, name, what in ((76, "resource heap",
                                   "indexed by x: images, texel buffers, buffers, acceleration structures"),
                                  (624, "sampler heap", "indexed by a sampler's x")):
                width = 528 if x == 76 else 236
                d.rect(x, y + 28, width, 58, "box", "blue" if x == 76 else "purple")
                d.text(x + width / 2, y + 53, name, anchor="middle", weight="600")
                d.text(x + width / 2, y + 71, what, "muted", 11, "middle")
            d.text(20, y + 60, "no sets", "muted", 12)
            continue
        sets = sorted({h["set"] for h in row["heaps"]})
        for s in sets:
            d.text(20, y + 60, "set %d" % s, "muted", 12)
            x = 76
            for b in range(max(h["binding"] for h in row["heaps"]) + 1):
                kinds = sorted({h["kind"] for h in row["heaps"] if h["set"] == s and h["binding"] == b},
                               key=list(HEAP_COLORS).index)
                w = 170 if len(kinds) > 1 else 82
                color = "line" if not kinds else HEAP_COLORS[kinds[0]] if len(kinds) == 1 else "blue"
                d.rect(x, y + 28, w, 58, "box", color, more='stroke-width="1.5"' if kinds else 'stroke-dasharray="3 3"')
                if not kinds:
                    d.text(x + w / 2, y + 61, row["own"][b] if b < len(row["own"]) else "", "muted", 11, "middle")
                for i in range(0, len(kinds), 3):
                    lines = (len(kinds) + 2) // 3
                    d.text(x + w / 2, y + 61 + (i // 3 - (lines - 1) / 2) * 15, " ".join(kinds[i:i + 3]),
                           anchor="middle", size=11 if len(kinds) > 1 else 12, mono=True)
                d.text(x + w / 2, y + 101, str(b), "muted", 11, "middle")
                x += w + 6
    d.text(20, 14 + len(rows) * 112 + 10,
           "Numbers below a cell are bindings. Cells with several kinds are mutable descriptors.", "muted", 12)
    return d


def wrapped(words, width):
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) + 1 > width and lines[-1]:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def draw_explain(data):
    source = data["source"]
    height = 70 + max(len(source) * 20, len(data["steps"]) * 92) + 20
    d = Drawing(880, height, "Why an access is decorated: from the index to the input that varies")
    lines = {s["line"] for s in data["steps"] if s["line"]} | {data["line"]}
    d.text(20, 28, "lit.frag", "muted", 12, mono=True)
    for i, text in enumerate(source):
        y = 54 + i * 20
        if i + 1 in lines:
            d.rect(16, y - 15, 424, 20, "box", "orange" if i + 1 == data["line"] else "line", 4)
        d.text(24, y, "%2d" % (i + 1), "muted", 11.5, mono=True)
        indent = len(text) - len(text.lstrip("\t"))
        d.text(52 + indent * 22, y, text.strip(), "text", 11.5, mono=True)
    x = 470
    d.text(x, 28, "explain --name=maps", "muted", 12, mono=True)
    boxes = [("the access in line %d is decorated NonUniform" % data["line"], "orange")]
    boxes += [(s["text"] + (" (line %d)" % s["line"] if s["line"] else ""), "red" if i == len(data["steps"]) - 1
               else "line")
              for i, s in enumerate(data["steps"])]
    y = 42
    for i, (words, color) in enumerate(boxes):
        parts = wrapped(words, 56)
        h = 18 + 17 * len(parts)
        d.rect(x, y, 390, h, "box", color, more='stroke-width="1.5"')
        for n, part in enumerate(parts):
            d.text(x + 14, y + 22 + n * 17, part, size=12.5)
        if i + 1 < len(boxes):
            d.arrow(x + 195, y + h, x + 195, y + h + 22)
        y += h + 24
    d.size = (880, max(54 + len(source) * 20, y))
    return d


def draw_scale(data):
    d = Drawing(880, 400, "How the work grows with the input")
    left, top, width, height = 86, 50, 510, 290
    xs = [n for c in data["curves"] for n in c["sizes"]]
    ys = [v for c in data["curves"] for v in c["instructions"]]
    x0, x1 = math.log10(min(xs)) - 0.08, math.log10(max(xs)) + 0.08
    y0, y1 = math.log10(min(ys)) - 0.15, math.log10(max(ys)) + 0.15

    def at(n, v):
        return left + (math.log10(n) - x0) / (x1 - x0) * width, top + height - (math.log10(v) - y0) / (y1 - y0) * height
    d.text(20, 26, "Instructions executed, against the size of the input (both logarithmic)", weight="600")
    for n in (k * 10 ** e for e in range(6, 12) for k in (1, 2, 5)):
        if not y0 <= math.log10(n) <= y1:
            continue
        y = at(1e3, n)[1]
        d.line(left, y, left + width, y)
        d.text(left - 8, y + 4, "%g million" % (n / 1e6) if n < 1e9 else "%g billion" % (n / 1e9), "muted", 11, "end")
    for n in sorted(set(xs)):
        x = at(n, 10 ** y0)[0]
        if n in data["curves"][0]["sizes"]:
            d.line(x, top, x, top + height)
            d.text(x, top + height + 18, "{:,}".format(n), "muted", 11, "middle")
    d.text(left + width / 2, top + height + 42, "resources, accesses or dereferences", "muted", 12, "middle")
    colors = ("blue", "green", "orange", "purple", "red", "gray")
    for i, c in enumerate(data["curves"]):
        points = [at(n, v) for n, v in zip(c["sizes"], c["instructions"])]
        d.path(points, colors[i % len(colors)], 2.5)
        for x, y in points:
            d.add('<circle cx="%.1f" cy="%.1f" r="3.5" class="f-%s"/>' % (x, y, colors[i % len(colors)]))
        d.rect(620, 66 + i * 46, 12, 12, colors[i % len(colors)], "none", 3)
        d.text(640, 77 + i * 46, c["name"], size=12.5)
        d.text(640, 94 + i * 46, "grows with the power %.2f" % c["exponent"], "muted", 11.5)
    a, b = at(5000, 1.1 * 10 ** y0), at(16000, 3.2 * 1.1 * 10 ** y0)
    d.line(*a, *b, "gray", 1.5, "4 4")
    d.text(b[0] + 6, b[1] + 4, "linear", "muted", 11)
    return d


def draw_bars(data):
    d = Drawing(880, 20 + sum(48 + 34 * len(g["tools"]) for g in data["groups"]), "Work beside other tools")
    y = 24
    for g in data["groups"]:
        most = max(t["instructions"] for t in g["tools"])
        d.text(20, y, g["title"], weight="600")
        y += 14
        for t in g["tools"]:
            w = max(2, t["instructions"] / most * 420)
            ours = t["name"].startswith("spirv-bind")
            d.text(236, y + 17, t["name"], "text" if ours else "muted", 12.5, "end", mono=True)
            d.rect(246, y + 3, w, 20, "blue" if ours else "gray", "none", 3)
            d.text(246 + w + 8, y + 18, amount(t["instructions"]), "text", 12)
            y += 34
        y += 34
    return d


def amount(n):
    return "%.1f billion instructions" % (n / 1e9) if n >= 1e9 else "%.1f million instructions" % (n / 1e6)


def draw_precision(data):
    rows = sorted(data["shaders"], key=lambda r: (-r["accesses"], r["name"]))
    d = Drawing(880, 92 + len(rows) * 22, "Accesses that vary, and accesses that are decorated")
    scale = 430 / max(r["accesses"] for r in rows)
    d.text(20, 24, "Accesses to descriptor arrays in %d realistic shaders, by --nonuniform=auto" % len(rows),
           weight="600")
    for i, (color, words) in enumerate((("blue", "vary, and are decorated"), ("orange", "decorated without need"),
                                        ("line", "uniform, not decorated"))):
        d.rect(216 + i * 200, 38, 12, 12, color, "none", 3)
        d.text(234 + i * 200, 48, words, "muted", 12)
    for i, r in enumerate(rows):
        y, x = 66 + i * 22, 216
        d.text(206, y + 13, r["name"], "text", 12, "end", mono=True)
        for n, color in ((r["divergent"], "blue"), (r["marked"] - r["divergent"], "orange"),
                         (r["accesses"] - r["marked"], "line")):
            if n:
                d.rect(x, y + 2, n * scale, 15, color, "none", 2)
                x += n * scale
        d.text(x + 8, y + 14, "%d of %d" % (r["marked"], r["accesses"]), "muted", 11)
    total = {k: sum(r[k] for r in rows) for k in ("accesses", "divergent", "marked")}
    d.text(216, 66 + len(rows) * 22 + 18, "%d accesses: %d vary, %d are decorated, none is missed." % (
        total["accesses"], total["divergent"], total["marked"]), "text", 12.5)
    return d


DRAWN = {"pipeline": draw_pipeline, "heaps": draw_heaps, "explain": draw_explain, "scale": draw_scale,
         "bars": draw_bars, "precision": draw_precision}


# what is measured

def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit("%s\n%s%s" % (" ".join(command), done.stdout, done.stderr))
    return done.stdout


def instructions(*command):
    with tempfile.TemporaryDirectory() as tmp:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + tmp + "/out", *command],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit("%s\n%s" % (" ".join(command), done.stderr))
        return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def glslang(source, out, *flags):
    run("glslangValidator", "-V", "--quiet", *flags, "-I" + os.path.join(ROOT, "include", "glsl"), source, "-o", out)


def measure_heaps(bind, tmp):
    fixtures = os.path.join(ROOT, "spirv-fixtures", "glsl")
    modules = []
    for name in ("bindless_compute/all_kinds.comp", "bindless_compute/buffers.comp", "rayquery/shadow.comp"):
        modules.append(os.path.join(tmp, os.path.basename(name) + ".spv"))
        glslang(os.path.join(fixtures, name), modules[-1], "-g", "--target-env", "vulkan1.2")
    models = []
    for options, note in (("--heap-model=typed", "the default: a binding for each kind"),
                          ("--heap-model=mutable", "VK_EXT_mutable_descriptor_type"),
                          ("--heap-model=dxc", "as DXC emulates heaps, in the default set"),
                          ("--heap-model=descriptor-heap", "VK_EXT_descriptor_heap")):
        text = run(bind, "layout", "-q", "--policy=option merge=no", "--auto-binding=65534", *options.split(), *modules,
                   "--layout-json")
        layout = json.loads(text)
        heaps = [] if "descriptor-heap" in options else [{"kind": h["kind"], "set": h["set"], "binding": h["binding"]}
                                                         for h in layout["heaps"]]
        unique = [h for i, h in enumerate(heaps) if h not in heaps[:i]]
        own = []
        for s in layout["sets"]:
            if unique and s["set"] == unique[0]["set"]:
                taken = {h["binding"] for h in unique}
                own = ["" if b in taken else "resource" for b in range(max(taken) + 1)] if "dxc" in options else []
        models.append({"options": options, "note": note, "heaps": unique, "own": own})
    return {"how": "the layout of three programs of spirv-fixtures/glsl that dereference handles of every kind",
            "models": models}


def measure_explain(bind, tmp):
    with open(os.path.join(ROOT, "docs", "nonuniform.md")) as f:
        source = re.search(r"<!-- file: lit.frag -->\n```glsl\n(.*?)```", f.read(), re.S)[1]
    with open(os.path.join(tmp, "lit.frag"), "w") as f:
        f.write(source)
    run("glslangValidator", "-V", "-g", "--quiet", "lit.frag", "-o", "lit.spv", cwd=tmp)
    layout = json.loads(run(bind, "layout", "-q", "--accesses", "lit.spv", "--layout-json", cwd=tmp))
    access = [a for a in layout["accesses"] if a.get("nonUniform")][0]
    steps = []
    for step in access["why"]:
        steps.append({"text": re.sub(r" \(lit.frag:\d+\)", "", step["text"]), "line": step.get("line", 0)})
    return {"how": "spirv-bind explain on the shader of docs/nonuniform.md",
            "source": source.rstrip("\n").split("\n"), "line": access["line"], "steps": steps}


def measure_scale(bind, tmp):
    import scale
    sizes, modules, curves = [3125, 6250, 12500, 25000], [62, 125, 250, 500], []

    def curve(name, sizes, make, *options, each=1):
        values = [instructions(bind, "layout", "-q", *options, *make(n), "--layout-json=/dev/null") for n in sizes]
        curves.append({"name": name, "sizes": [n * each for n in sizes], "instructions": values,
                       "exponent": round(scale.exponent(sizes, values), 2)})

    def one(writer, *more):
        def make(n):
            path = os.path.join(tmp, "%s%d.spv" % (writer.__name__, n))
            writer(path, *more) if more else writer(path, n)
            return [path]
        return make

    def resources(n):
        path = os.path.join(tmp, "r%d.spv" % n)
        scale.write_module(path, ["r%d" % i for i in range(n)], 0)
        return [path]

    def program(n):
        paths = [os.path.join(tmp, "m%d.spv" % i) for i in range(n)]
        for i, path in enumerate(paths):
            scale.write_module(path, ["shared%d" % k for k in range(20)] + ["m%d_%d" % (i, k) for k in range(20)], None,
                               i)
        return paths
    curve("resources, Slang's rules", sizes, resources, "--order=module")
    curve("resources, HLSL's rules", sizes, resources, "--order=module", "--rules=hlsl")
    curve("accesses behind control flow", sizes, one(scale.write_accesses), "--order=module")
    curve("dereferences of handles that flow", sizes, one(scale.write_handles), "--order=module")
    curve("modules of 40 resources each", modules, program, "--order=module", each=40)
    return {"how": "instructions counted by callgrind, modules of scripts/bench/scale.py, --validate=none",
            "curves": curves}


def measure_bars(bind, tmp):
    import large as bench
    groups = []
    small, large = os.path.join(tmp, "small.spv"), os.path.join(tmp, "large.spv")
    glslang(os.path.join(ROOT, "spirv-fixtures", "glsl", "lit", "lit.frag"), small, "--target-env", "vulkan1.1")
    with open(os.path.join(tmp, "large.frag"), "w") as f:
        f.write(bench.large_source(150))
    glslang(os.path.join(tmp, "large.frag"), large + ".named", "--target-env", "vulkan1.1")
    run("spirv-opt", "--strip-debug", large + ".named", "-o", large)
    for path, title in ((small, "An ordinary fragment shader"), (large, "A large module")):
        bound = os.path.join(tmp, "bound.spv")
        run(bind, "-q", "--auto-binding=65534", "--rebind=all", path, "-o", bound)
        ours = [bind, "-q", "--auto-binding=65534", "--rebind=all", path, "-o", "/dev/null"]
        tools = (("spirv-bind --validate=none", [*ours, "--validate=none"]),
                 ("spirv-opt, no pass", ["spirv-opt", path, "-o", os.path.join(tmp, "o.spv")]),
                 ("spirv-val", ["spirv-val", "--target-env", "vulkan1.1", bound]), ("spirv-bind", ours))
        size = os.path.getsize(path)
        groups.append(
            {"title": "%s (%s)" % (title, "%.1f KB" % (size / 1e3) if size < 1e5 else "%.1f MB" % (size / 1e6)),
             "tools": [{"name": name, "instructions": instructions(*command)} for name, command in tools]})
    return {"how": "instructions counted by callgrind, process start included; modules of scripts/bench/run.py; "
                   "SPIRV-Tools of Debian 12",
            "groups": groups}


def measure_precision(bind, _):
    text = run(sys.executable, os.path.join(ROOT, "test", "precision.py"), "--bind", bind)
    rows = re.findall(r"^(\S+)\s+group\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)", text, re.M)
    return {"how": "test/precision.py, scope group: the truth stands in the comments of spirv-fixtures/realistic",
            "shaders": [{"name": n, "accesses": int(a), "divergent": int(v), "marked": int(m)} for n, a, v, m,
                        _ in rows if n != "all"]}


MEASURED = {"heaps": measure_heaps, "explain": measure_explain, "scale": measure_scale, "bars": measure_bars,
            "precision": measure_precision}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", default=os.path.join(ROOT, "build", "release", "spirv-bind"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measure", nargs="*")
    args = parser.parse_args()
    if args.measure is not None:
        for name in args.measure or MEASURED:
            with tempfile.TemporaryDirectory() as tmp:
                data = MEASURED[name](os.path.abspath(args.bind), tmp)
            with open(os.path.join(FOLDER, name + ".json"), "w") as f:
                json.dump(data, f, indent=1, ensure_ascii=False)
                f.write("\n")
    stale = []
    for name, draw in DRAWN.items():
        data = None
        if name in MEASURED:
            with open(os.path.join(FOLDER, name + ".json")) as f:
                data = json.load(f)
        path, svg = os.path.join(FOLDER, name + ".svg"), draw(data).svg()
        if args.check:
            with open(path) as f:
                if f.read() != svg:
                    stale.append(name)
        else:
            with open(path, "w") as f:
                f.write(svg)
    if stale:
        sys.exit("not what scripts/pictures.py draws: " + ", ".join(stale))
    print("%d pictures" % len(DRAWN))


if __name__ == "__main__":
    main()
