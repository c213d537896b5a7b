# SPDX-License-Identifier: Apache-2.0
"""--report: the page contains the layout whatever the names, loads nothing, and draws the layout. With --browser, by a
headless Chromium (scripts/install.sh)."""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
from html.parser import HTMLParser

import running
from running import ROOT, bind, glslang, read_text, write

MATERIALS = os.path.join(ROOT, "spirv-fixtures", "glsl", "materials")
MATERIAL = [os.path.join(MATERIALS, "material." + stage) for stage in ("vert", "frag")]
HOSTILE = ["</script><img src=x onerror=a()>", "<!--<script>", "&lt;b&gt;", "\\u003c\"'`${1}", "@LAYOUT@@BEFORE@"]
PAGES = os.path.join(ROOT, "src", "lib", "report")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")


def material():
    return [glslang(path, os.path.basename(path) + ".spv", "-g", "--target-env", "vulkan1.2") for path in MATERIAL]


def hostile():
    """A module with hostile names of resources."""
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
    """Parses HTML: the text of each element with an id, and the number of elements of each kind."""

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
    assert any(access["nonUniform"] for access in layout["accesses"])  # as with --accesses


EFFECTS = """#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 2) buffer C { uint c[]; };
layout(binding = 3) buffer D { uint d; };
layout(binding = 4, rgba8) uniform image2D target;
layout(binding = 5) uniform sampler2D maps[4];
layout(binding = 6) buffer E { uint e[]; };
layout(binding = 7, r32ui) uniform uimage2D counts;
layout(binding = 8) uniform Size { ivec2 size; };
layout(binding = 9) uniform texture2D t;
layout(binding = 10) uniform sampler s;
vec4 through(texture2D x) { return texture(sampler2D(x, s), vec2(0)); }
void main()
{
	uint i = gl_GlobalInvocationID.x;
	a[i] = b[i] + c.length();
	atomicAdd(d, 1u);
	imageStore(target, size, texture(maps[i & 3], vec2(0)) + through(t));
	imageAtomicAdd(counts, ivec2(i), 1u);
	uint[2] both = uint[2](e[i], 0u);
	e[i + 1] = both[0];
}
"""
DOES = {"A": "written", "B": "read", "C": "size only", "D": "read, written", "target": "written", "maps": "read",
        "E": "read, written", "counts": "read, written", "Size": "read", "t": "read", "s": "read"}


def test_accesses_say_what_is_read_and_written():
    """Not what the declarations permit: all buffers may be written."""
    _, layout = page(write("effects.comp", EFFECTS))
    found = {}
    for access in layout["accesses"]:
        found.setdefault(access["name"], set()).update(
            word for word, key in (("read", "reads"), ("written", "writes")) if access[key])
    assert {name: ", ".join(sorted(words)) or "size only" for name, words in found.items()} == DOES, found


def test_names_cannot_escape_from_the_json():
    text, layout = page(hostile())
    seen = Elements(text)
    assert json.loads(seen.text["layout"]) == layout
    assert [b["name"] for b in layout["sets"][0]["bindings"]] == HOSTILE
    assert "img" not in seen.count and seen.count["script"] == 3, seen.count


def between(text, page):
    """The two scripts of JSON in a page, which is otherwise its source, byte for byte."""
    source = read_text(os.path.join(PAGES, page))
    for part in "report.css", "report.js":
        source = source.replace("@%s@" % part, read_text(os.path.join(PAGES, part)))
    begin, middle, end = re.split("@LAYOUT@|@BEFORE@", source)
    assert text.startswith(begin) and text.endswith(end) and text.count(middle) == 1, page
    return text[len(begin):len(text) - len(end)].split(middle)


def test_a_page_is_its_source_around_the_json():
    text, layout = page(hostile())
    now, before = between(text, "layout_page.html")
    assert now == read_text("layout.json").replace("<", "\\u003c") and "<" in json.dumps(layout) and before == "", now
    text, _ = page(hostile(), "--against=layout.json")
    now, before = between(text, "layout_page.html")
    assert json.loads(now) == json.loads(before) == layout and "<" not in before


def test_the_page_loads_nothing():
    text, _ = page(*material())
    own = text[:text.index('id="layout"')] + text[text.index("'use strict'"):]
    assert "default-src 'none'" in own and not re.search(r"https?:|url\(|\bsrc=|@import|fetch\(", own)


def test_the_page_contains_an_older_layout():
    modules = material()
    _, older = page(*modules)
    shutil.copy("layout.json", "older.json")
    text, _ = page(*modules, "--place=Frame=0.7", "--against=older.json")
    assert json.loads(Elements(text).text["before"]) == older
    assert not Elements(page(*modules)[0]).text.get("before")
    done = bind("--auto-binding=65534", *modules, "--out-dir=out", "--report=r.html", "--against=gone.json",
                expect=4)
    assert "gone.json" in done.stderr and not os.path.exists("r.html")


MANIFEST = """options --auto-binding=65534 --layout-json=%.json
share set=0
program terrain: terrain.frag.spv
program "water <b>": water.vert.spv water.frag.spv
program calm: water.vert.spv calm.frag.spv variant-of="water <b>"
program solo: solo.comp.spv
"""
SHADERS = {
    "water.vert": """layout(binding = 65534) uniform Camera { mat4 view; };
layout(set = 1, binding = 65534) uniform Waves { vec4 wave[8]; };
void main() { gl_Position = view * wave[gl_VertexIndex & 7]; }""",
    "water.frag": """layout(binding = 65534) uniform Sun { vec4 light; };
layout(set = 1, binding = 65534) uniform sampler2D foam;
layout(location = 0) out vec4 color;
void main() { color = light * texture(foam, light.xy); }""",
    "calm.frag": """#extension GL_EXT_nonuniform_qualifier : require
layout(binding = 65534) uniform Sun { vec4 light; };
layout(binding = 65534) uniform sampler2D sky[4];
layout(set = 1, binding = 65534) uniform sampler2D mirror;
layout(location = 0) out vec4 color;
void main() { color = texture(sky[int(gl_FragCoord.x) & 3], light.xy) + texture(mirror, light.xy); }""",
    "solo.comp": """layout(set = 3, binding = 65534) buffer From { uint x; } from;
layout(set = 3, binding = 65534) buffer To { uint x; } to;
void main() { to.x = from.x; }""",
}


def workspace(*args, make=True):
    """The page of a manifest, its layout JSON, and those of its programs."""
    if make:
        write("game.manifest", MANIFEST)
        glslang(os.path.join(ROOT, "spirv-fixtures", "glsl", "terrain", "terrain.frag"), "terrain.frag.spv", "-g")
        for name, text in SHADERS.items():
            glslang(write(name, "#version 450\n" + text), name + ".spv", "-g")
    bind("-q", "-m", "game.manifest", "--out-dir=out", "--report=report.html", "--layout-json=shared.json", *args)
    programs = {name: json.loads(read_text("out/%s.json" % name)) for name in ("terrain", "water <b>", "calm", "solo")}
    return read_text("report.html"), json.loads(read_text("shared.json")), programs


def test_the_page_of_a_manifest_has_its_programs_and_shared_sets():
    text, shared, layouts = workspace()
    now, before = between(text, "workspace_page.html")
    assert before == "" and "\\u003cb>" in now and "<" not in now, now
    seen = Elements(text)
    assert "b" not in seen.count, seen.count
    data = json.loads(seen.text["layout"])
    assert data["sets"] == shared["sets"] and not seen.text.get("before")
    assert [p["name"] for p in data["programs"]] == list(layouts)
    assert [p.get("variantOf") for p in data["programs"]] == [None, None, "water <b>", None]
    checked = 0
    for program in data["programs"]:
        bindings = {(s["set"], b["binding"]): b for s in layouts[program["name"]]["sets"] for b in s["bindings"]}
        uses = [program["uses"][i:i + 4] for i in range(0, len(program["uses"]), 4)]
        for which, binding, stages, varies in uses:
            place = data["sets"][which]["set"], data["sets"][which]["bindings"][binding]["binding"]
            own = bindings.pop(place)
            names = [name for bit, name in enumerate(data["stageNames"]) if stages >> bit & 1]
            assert sorted(names) == sorted(own["stages"]) or not own["used"] and not names, (program, own)
            assert bool(varies) == (own["name"] == "sky"), (program, own)
            checked += 1
        counted = dict(zip(program["own"][::2], program["own"][1::2]))
        for number in {place[0] for place in bindings}:
            assert counted.pop(number) == sum(place[0] == number for place in bindings), (program, bindings)
        assert not counted and bool(program["own"]) == (program["name"] == "solo"), program
    assert checked == sum(len(b["programs"]) for s in shared["sets"] for b in s["bindings"]) > 10, checked


def test_a_program_that_fails_is_named_in_the_page():
    workspace()
    write("solo.comp.spv", b"no module")
    bind("-q", "-m", "game.manifest", "--out-dir=out", "--report=report.html", expect=1)
    programs = json.loads(Elements(read_text("report.html")).text["layout"])["programs"]
    assert [p["name"] for p in programs if p.get("leftOut")] == ["solo"], programs


def test_the_page_of_a_manifest_loads_nothing_and_has_an_older_layout():
    text, older, _ = workspace()
    own = text[:text.index('id="layout"')] + text[text.index("'use strict'"):]
    assert "default-src 'none'" in own and not re.search(r"https?:|url\(|\bsrc=|@import|fetch\(", own)
    write("older.json", json.dumps(older))
    text, _, _ = workspace("--against=older.json", "--depfile=run.d", "--stamp=stamp", make=False)
    assert json.loads(Elements(text).text["before"]) == older
    rule = read_text("run.d").replace("\\\n", " ").split()
    assert "older.json" in rule and "game.manifest" in rule and "report.html" not in rule[1:], rule
    done = bind("-m", "game.manifest", "--out-dir=other", "--report=r.html", "--against=gone.json", expect=4)
    assert "gone.json" in done.stderr and not os.path.exists("r.html") and not os.path.exists("other")


def test_the_page_of_a_manifest_is_not_written_with_the_facts():
    write("game.manifest", MANIFEST)
    for verb in ("collect -o facts", "lock part --lock=game.lock -o part"):
        done = bind(*verb.split(), "-m", "game.manifest", "--report=r.html", expect=2)
        assert "takes no --report" in done.stderr, done.stderr


def test_a_single_program_has_a_separate_page():
    modules = material()
    bind("-q", "--each", "--auto-binding=65534", *modules, "--out-dir=out", "--report=%.html")
    assert "material.frag.spv" in Elements(read_text("material.frag.html")).text["layout"]
    assert "material.frag.spv" not in Elements(read_text("material.vert.html")).text["layout"]


def browser():
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def drawn(path, *options):
    """The page after its scripts, and their errors."""
    command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
               "--user-data-dir=profile", *options, "file://" + os.path.abspath(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.stdout, re.findall(r"CONSOLE.*", done.stderr)


def with_script(script):
    """The page, and then this script."""
    write("scripted.html", read_text("report.html").replace("</body>", "<script>%s</script></body>" % script))
    return "scripted.html"


def in_browser_the_page_draws_what_the_layout_says():
    modules = material()
    page(*modules)
    shutil.copy("layout.json", "older.json")
    _, layout = page(*modules, "--place=Frame=0.7", "--against=older.json")
    dom, complaints = drawn("report.html")
    dom = dom[:dom.index('<script type="application/json"')]
    assert not complaints, complaints
    bindings = [(s["set"], b) for s in layout["sets"] for b in s["bindings"]]
    for number, binding in bindings:
        head = r'<th scope="row" class="mono">%d\.%d</th>' % (number, binding["binding"])
        row = re.search(head + r'.*?(?=<tr[^>]*><th scope="row" class="mono">\d+\.\d+</th>|<h2>)', dom, re.S)[0]
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


SCENE = {
    "scene.vert": """layout(location = 0) flat out uint material;
uniform Camera { mat4 view; vec3 eye; };
layout(push_constant) uniform Push { vec4 tint; uint first; };
void main() { material = first; gl_Position = view * vec4(eye, 1); }""",
    "scene.frag": """struct Light { vec3 position; float radius; };
layout(location = 0) flat in uint material;
layout(location = 0) out vec4 color;
uniform sampler2DShadow shadow;
uniform isampler2D maps[16];
readonly buffer Lights { uint count; Light lights[]; };
layout(rgba8) uniform image2D history;
void main() {
    color = vec4(texelFetch(maps[material], ivec2(0), 0)) * texture(shadow, vec3(0)) * lights[count].radius;
    imageStore(history, ivec2(0), color + lights[0].radius);
}"""}


def in_browser_glsl_has_its_own_words_and_blocks_have_members():
    for name, text in SCENE.items():
        write(name, "#version 450\n" + text + "\n")
    bind("layout", "-q", *SCENE, "--report=report.html")
    dom, complaints = drawn("report.html")
    assert not complaints, complaints
    dom = dom[:dom.index('<script type="application/json"')]
    assert "<h1 id=\"title\">scene.vert, scene.frag</h1>" in dom and "<title>scene.vert, scene.frag" in dom
    words = re.findall("<li><code>([^<]*)</code> ([^<]*?) ?in scene", dom)
    assert words == [("uniform Camera", ""), ("sampler2DShadow", "shadow"), ("isampler2D", "maps"),
                     ("readonly buffer Lights", ""), ("layout(rgba8) image2D", "history")], words
    assert rows_of(dom, "Members of Camera, 76 bytes")[1:] == [["view", "mat4", "0", "64", "16"],
                                                               ["eye", "vec3", "64", "12", ""]]
    assert rows_of(dom, "Members of Lights")[1:] == [
        ["count", "uint", "0", "4", ""], ["lights", "Light[]", "16", "", "16"], ["position", "vec3", "+0", "12", ""],
        ["radius", "float", "+12", "4", ""]], rows_of(dom, "Members of Lights")
    assert rows_of(dom, "Members of Push, 20 bytes")[2] == ["first", "uint", "16", "4", ""]
    places = re.findall(r"<li>(?:<details><summary>)?<code>(scene\.\w+:\d+)</code>( ×\d)?", dom)
    assert ("scene.frag:10", "") in places and ("scene.frag:11", "") in places and "Op" not in dom, places
    write("sky.frag.hlsl", "cbuffer Camera { float4x4 view; float3 eye; };\nTexture2D<float2> map;\n"
          "float4 main() : SV_Target { return mul(view, eye.xyzz) + map.Load(int3(0, 0, 0)).xyxy; }\n")
    bind("layout", "-q", "sky.frag.hlsl", "--report=report.html")
    dom, _ = drawn("report.html")
    assert rows_of(dom, "Members of Camera")[1:] == [["view", "float4x4", "0", "64", "16"],
                                                     ["eye", "float3", "64", "12", ""]]
    assert "<code>Texture2D&lt;float2&gt;</code> map" in dom, re.findall("<li><code>.*?</li>", dom)


def in_browser_cells_say_what_the_shader_does():
    page(write("effects.comp", EFFECTS))
    dom, complaints = drawn(with_script("""document.body.setAttribute('data-cells', JSON.stringify(
        [...document.querySelectorAll('tr')].filter(r => r.querySelector(':scope > td > details > summary'))
            .map(r => [r.querySelector('summary').textContent, r.lastElementChild.firstElementChild.textContent])))"""))
    assert not complaints, complaints
    assert dict(json.loads(html.unescape(re.search('data-cells="(.*?)"', dom)[1]))) == DOES


def in_browser_the_page_of_a_manifest_links_to_those_of_its_programs():
    workspace()
    os.mkdir("pages")
    manifest = read_text("game.manifest")
    write("game.manifest", manifest.replace("--layout-json=%.json", "--layout-json=%.json --report=of/%.html"))
    bind("-q", "-m", "game.manifest", "--out-dir=out", "--report=pages/all.html")
    dom, complaints = drawn("pages/all.html")
    assert not complaints, complaints
    links = re.findall('<a href="(.*?)">(.*?)</a>', dom)
    assert len(set(links)) == 4, links
    for href, name in links:
        path = os.path.join("pages", urllib.parse.unquote(html.unescape(href)))
        assert "<title>" in read_text(path) and os.path.basename(path) == html.unescape(name) + ".html", (href, name)
    workspace()
    assert "<a " not in drawn("report.html")[0]


def in_browser_both_pages_fit_a_phone():
    """Tables scroll inside of the page, which does not; with all details open, too. What stands above a table is seen
    as a whole."""
    wide = "document.querySelectorAll('details').forEach(d => d.open = true); " \
        "document.body.setAttribute('data-wide', Math.max(document.documentElement.scrollWidth, " \
        "...[...document.querySelectorAll('h1, h2, caption')].map(e => { const all = document.createRange(); " \
        "all.selectNodeContents(e); return all.getBoundingClientRect().right })) + ' ' + innerWidth)"
    for make in (workspace, lambda: page(*material())):
        make()
        dom, complaints = drawn(with_script(wide), "--window-size=400,800")
        scrolled, inner = map(float, re.search(r'data-wide="([\d.]+) (\d+)"', dom).groups())
        assert not complaints and scrolled <= inner <= 500, (make, scrolled, inner)


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
    page(*material(), "--against=broken.json")
    dom, complaints = drawn("report.html")
    assert "The older layout cannot be read" in dom and not complaints, complaints


def rows_of(dom, caption):
    """The texts of the cells of a table, row by row."""
    table = re.search(r"<caption>" + caption + ".*?</table>", dom, re.S)[0]
    return [[html.unescape(re.sub(r"<.*?>", "", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)]
            for row in re.findall(r"<tr.*?</tr>", table, re.S)]


def in_browser_the_page_of_a_manifest_draws_programs_against_sets():
    _, shared, layouts = workspace()
    older = json.loads(json.dumps(shared))
    older["sets"][0]["bindings"][0]["binding"] = 77
    write("older.json", json.dumps(older))
    workspace("--against=older.json", make=False)
    dom, complaints = drawn("report.html")
    assert not complaints, complaints
    dom = dom[:dom.index('<script type="application/json"')]
    first = shared["sets"][0]
    assert rows_of(dom, "Resources against") == [["Name", "What", "Before", "Now"], [
        first["bindings"][0]["name"], "moved", "0.77", "0.%d" % first["bindings"][0]["binding"]]]
    head, *rows = rows_of(dom, "Programs and what")
    assert head == ["Program"] + ["0.%d %s" % (b["binding"], b["name"]) for b in first["bindings"]], head
    assert [row[0] for row in rows] == ["terrain", "water <b>", "calm"], rows
    for name, *cells in rows:
        own = {b["binding"]: b for s in layouts[name]["sets"] if s["set"] == 0 for b in s["bindings"]}
        for binding, said in zip(first["bindings"], cells):
            is_here = own.get(binding["binding"]) if name in binding["programs"] else None
            expected = "" if not is_here else " ".join(
                {"VERTEX": "V", "FRAGMENT": "F"}[stage[16:-4]] for stage in is_here["stages"]) or "–"
            varies = " NonUniform" if binding["name"] == "sky" and is_here else ""
            assert said == expected + varies, (name, binding, said)
    listed = rows_of(dom, "All programs")
    assert [row[0] for row in listed[1:]] == list(layouts), listed
    assert listed[3][1] == "water <b>" and listed[4][3] == "set 3: 2", listed
    assert "12 of 12 bindings, 4 of 4 programs" in dom, re.findall("[0-9]+ of .*? programs", dom)


def in_browser_the_filters_of_both_pages_choose():
    choose = """function choose(id, value) {
        const field = document.getElementById(id)
        value === true ? field.checked = true : field.value = value
        field.dispatchEvent(new Event('input', { bubbles: true })) }"""

    def status(*chosen):
        calls = "; ".join("choose('%s', %s)" % (name, json.dumps(value)) for name, value in chosen)
        dom, complaints = drawn(with_script(choose + calls))
        assert not complaints, complaints
        return re.search(r'role="status">(.*?)<', dom)[1], dom

    workspace()
    said = status(("program", "WATER"))[0]
    assert said == "4 of 12 bindings, 1 of 4 programs", said
    said, dom = status(("varies", True))
    assert said == "1 of 12 bindings, 1 of 4 programs" and rows_of(dom, "Programs and what") == [
        ["Program", "0.%d sky" % sky_binding()], ["calm", "F NonUniform"]], dom
    said = status(("kind", "ubo"), ("stage", "VK_SHADER_STAGE_VERTEX_BIT"))[0]
    assert said == "2 of 12 bindings, 2 of 4 programs", said
    assert status(("resource", "nothing of this name"))[0] == "0 of 12 bindings, 0 of 4 programs"
    page(*material())
    assert status(("search", "frame"))[0].startswith("1 of ")


def sky_binding():
    shared = json.loads(read_text("shared.json"))
    return next(b["binding"] for b in shared["sets"][0]["bindings"] if b["name"] == "sky")


CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
function rgb(color) {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data] }
function light([r, g, b]) {
    const part = v => v <= 10.31475 ? v / 3294.6 : ((v / 255 + .055) / 1.055) ** 2.4
    return .2126 * part(r) + .7152 * part(g) + .0722 * part(b) }
let least = 21
const TEXTS = 'h1, h2, p, th, td, li, caption, label, summary, code, .soft, .kind, .mark, .alarm'
for (const e of document.querySelectorAll(TEXTS)) {
    let behind = e
    while (behind.parentElement && rgb(getComputedStyle(behind).backgroundColor)[3] === 0)
        behind = behind.parentElement
    const a = light(rgb(getComputedStyle(e).color)), b = light(rgb(getComputedStyle(behind).backgroundColor))
    least = Math.min(least, (Math.max(a, b) + .05) / (Math.min(a, b) + .05))
}
const back = light(rgb(getComputedStyle(document.body).backgroundColor))
document.body.setAttribute('data-seen', (back > .5 ? 'light ' : 'dark ') + least)
"""


def in_browser_both_pages_can_be_read_and_heard_in_light_and_dark():
    """The contrast that WCAG requires of text, and tables whose cells have headers."""
    for make in (workspace, lambda: page(*material())):
        make()
        for setting, scheme in (("1", "light"), ("0", "dark")):
            dom, complaints = drawn(with_script(CONTRAST), "--blink-settings=preferredColorScheme=" + setting)
            assert not complaints, complaints
            seen, least = re.search(r'data-seen="(\w+) (.*?)"', dom).groups()
            assert seen == scheme and float(least) >= 4.5, (make, scheme, seen, least)
        dom = dom[:dom.index('<script type="application/json"')]
        assert dom.count("<table") == dom.count("<caption>") >= 2
        assert dom.count("<th ") == len(re.findall('<th [^>]*scope="(?:row|col)"', dom)) > 20 and "<th>" not in dom
        for row in re.findall("<tr.*?</tr>", dom, re.S):
            assert re.search("<th scope=.(row|col)", row), row
        assert dom.count("<input") + dom.count("<select") == len(re.findall("<label>[^<]*<(?:input|select)", dom))


if __name__ == "__main__":
    if "--browser" in sys.argv:
        sys.argv.remove("--browser")
        running.main({"test_" + name: test for name, test in globals().items() if name.startswith("in_browser_")})
    running.main(globals())
