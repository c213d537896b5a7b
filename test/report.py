# SPDX-License-Identifier: Apache-2.0
"""--report: the page has the layout in it whatever names are called, loads nothing, and draws what the layout says.
With --browser, by a headless Chromium, if one is installed (exit status 77: none is)."""
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

import running
from running import ROOT, bind, glslang, read_text, write

MATERIALS = os.path.join(ROOT, "spirv-fixtures", "glsl", "materials")
MATERIAL = [os.path.join(MATERIALS, "material." + stage) for stage in ("vert", "frag")]
HOSTILE = ["</script><img src=x onerror=a()>", "<!--<script>", "&lt;b&gt;", "\\u003c\"'`${1}", "@LAYOUT@@BEFORE@"]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")


def material():
    return [glslang(path, os.path.basename(path) + ".spv", "-g", "--target-env", "vulkan1.2") for path in MATERIAL]


def hostile():
    """A module whose resources are called what a page must not believe."""
    names = "".join('OpName %%v%d "%s"\n' % (i, name.replace("\\", "\\\\").replace('"', '\\"'))
                    for i, name in enumerate(HOSTILE))
    places = "".join("OpDecorate %%v%d DescriptorSet 0\nOpDecorate %%v%d Binding %d\n" % (i, i, i)
                     for i in range(len(HOSTILE)))
    variables = "".join("%%v%d = OpVariable %%p UniformConstant\n" % i for i in range(len(HOSTILE)))
    loads = "".join("%%l%d = OpLoad %%s %%v%d\n" % (i, i) for i in range(len(HOSTILE)))
    text = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
""" + names + places + """%void = OpTypeVoid
%fn = OpTypeFunction %void
%s = OpTypeSampler
%p = OpTypePointer UniformConstant %s
""" + variables + "%main = OpFunction %void None %fn\n%entry = OpLabel\n" + loads + "OpReturn\nOpFunctionEnd\n"
    subprocess.run(["spirv-as", "--target-env", "spv1.3", "-", "-o", "hostile.spv"], input=text.encode(), check=True)
    return "hostile.spv"


class Elements(HTMLParser):
    """What a parser of HTML sees: the text of each element with an id, and how many elements of each kind."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.count = [], {}, {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.open = [dict(attributes).get("id")]

    def handle_data(self, data):
        if self.open and self.open[0]:
            self.text[self.open[0]] = self.text.get(self.open[0], "") + data

    def handle_endtag(self, tag):
        self.open = []


def page(*args):
    bind("-q", "--auto-binding=65534", *args, "--out-dir=out", "--report=report.html", "--layout-json=layout.json")
    return read_text("report.html"), json.loads(read_text("layout.json"))


def test_the_page_is_generated_from_its_source():
    running.run(sys.executable, os.path.join(ROOT, "scripts", "gen_layout_page.py"), "--check")


def test_the_layout_is_in_the_page():
    text, layout = page(*material())
    assert json.loads(Elements(text).text["layout"]) == layout
    assert any(access["nonUniform"] for access in layout["accesses"])  # as with --explain


def test_no_name_leaves_the_json():
    text, layout = page(hostile())
    seen = Elements(text)
    assert json.loads(seen.text["layout"]) == layout
    assert [b["name"] for b in layout["sets"][0]["bindings"]] == HOSTILE
    assert "img" not in seen.count and seen.count["script"] == 3, seen.count


def test_the_page_loads_nothing():
    text, _ = page(*material())
    own = text[:text.index('id="layout"')] + text[text.index("'use strict'"):]
    assert "default-src 'none'" in own and not re.search(r"https?:|url\(|\bsrc=|@import|fetch\(", own)


def test_an_older_layout_is_in_it_too():
    modules = material()
    _, older = page(*modules)
    shutil.copy("layout.json", "older.json")
    text, _ = page(*modules, "--bind=Frame=0.7", "--diff-against=older.json")
    assert json.loads(Elements(text).text["before"]) == older
    assert not Elements(page(*modules)[0]).text.get("before")
    done = bind("--auto-binding=65534", *modules, "--out-dir=out", "--report=r.html", "--diff-against=gone.json",
                expect=4)
    assert "gone.json" in done.stderr and not os.path.exists("r.html")


def test_a_program_of_its_own_has_a_page_of_its_own():
    modules = material()
    bind("-q", "--batch", "--auto-binding=65534", *modules, "--out-dir=out", "--report=%.html")
    assert "material.frag.spv" in Elements(read_text("material.frag.html")).text["layout"]
    assert "material.frag.spv" not in Elements(read_text("material.vert.html")).text["layout"]


def browser():
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def drawn(path):
    """The page after its scripts, and what they complained of."""
    command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
               "--user-data-dir=profile", "file://" + os.path.abspath(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.stdout, re.findall(r"CONSOLE.*", done.stderr)


def in_browser_the_page_draws_what_the_layout_says():
    modules = material()
    page(*modules)
    shutil.copy("layout.json", "older.json")
    _, layout = page(*modules, "--bind=Frame=0.7", "--diff-against=older.json")
    dom, complaints = drawn("report.html")
    dom = dom[:dom.index('<script type="application/json"')]
    assert not complaints, complaints
    bindings = [(s["set"], b) for s in layout["sets"] for b in s["bindings"]]
    for number, binding in bindings:
        head = r'<th scope="row" class="mono">%d\.%d</th>' % (number, binding["binding"])
        row = re.search(head + ".*?</tr>", dom, re.S)[0]
        assert binding["name"] in row, row
        varies = any(a["nonUniform"] for a in layout["accesses"]
                     if (a["set"], a["binding"]) == (number, binding["binding"]))
        assert ('class="mark varies"' in row) == varies, row
        for access in layout["accesses"]:
            if (access["set"], access["binding"]) == (number, binding["binding"]):
                assert all(escaped(step["text"]) in row for step in access.get("why", [])), row
    assert "%d of %d" % (len(bindings), len(bindings)) in dom
    assert 'Frame</th><td>moved</td><td class="mono">0.1</td><td class="mono">0.7</td>' in dom, dom[:4000]
    assert dom.count("moved") == 1


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def in_browser_names_stay_text():
    page(hostile())
    dom, complaints = drawn("report.html")
    assert not complaints and "<img" not in dom.split('id="layout"')[0], complaints
    for name in HOSTILE:
        assert escaped(name) in dom, name


def in_browser_an_older_layout_that_is_none_is_said_to_be_none():
    write("broken.json", "{")
    page(*material(), "--diff-against=broken.json")
    dom, complaints = drawn("report.html")
    assert "The older layout cannot be read" in dom and not complaints, complaints


if __name__ == "__main__":
    if "--browser" in sys.argv:
        sys.argv.remove("--browser")
        if not browser():
            print("none of %s is installed: skipped" % ", ".join(BROWSERS))
            sys.exit(77)
        running.main({"test_" + name: test for name, test in globals().items() if name.startswith("in_browser_")})
    running.main(globals())
