# SPDX-License-Identifier: Apache-2.0
"""VK_LAYER_SPIRV_BIND under an application (application.c), on lavapipe: alone, above and below the validation layer.

    layer.py --bind B, with SPB_LAYER (the folder of its manifest) and SPB_APPLICATION in the environment"""
import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
import running  # noqa: E402
from running import ROOT, bind, glslang, read, read_text, run, write  # noqa: E402

OURS, KHRONOS = "VK_LAYER_SPIRV_BIND", "VK_LAYER_KHRONOS_validation"
HEAD = "#version 460\n#extension GL_EXT_nonuniform_qualifier : require\n#extension GL_EXT_ray_tracing : enable\n"
TEXTURES = "layout(binding = 0) uniform sampler2D textures[];\n"
BUFFER = "layout(binding = 1) buffer Out { vec4 pixels[]; };\n"
SOURCES = {
    "a.vert": "layout(location = 0) flat out int i;\nvoid main() { gl_Position = vec4(0); i = gl_VertexIndex; }",
    # its index differs; element 5 is past the end of the set layout's array
    "a.frag": TEXTURES + "layout(location = 0) flat in int i;\nlayout(location = 0) out vec4 c;\n"
              "void main() {\nc = texture(textures[i], vec2(0))\n+ texture(textures[5], vec2(0)); }",
    # not for a workgroup of one invocation; too large for the set layout; not of a type of the mutable binding
    "a.comp": "layout(local_size_x_id = 7) in;\n" + BUFFER +
              "layout(binding = 2) uniform Inline { vec4 numbers[2]; };\n"
              "layout(binding = 3) uniform Other { vec4 other; };\n"
              "void main() {\nif (gl_LocalInvocationIndex > 0u)\nbarrier();\npixels[0] = numbers[1] + other; }",
    # only the last index is not constant
    "films.comp": BUFFER + "layout(binding = 4) uniform sampler2D films[2];\n"
                  "layout(constant_id = 3) const int film = 1;\nvoid main() {\n"
                  "pixels[0] = textureLod(films[0], vec2(0), 0) + textureLod(films[film], vec2(0), 0);\n"
                  "pixels[1] = textureLod(films[gl_WorkGroupID.x], vec2(0), 0); }",
    "a.rgen": TEXTURES + BUFFER + "void main() {\npixels[0] = textureLod(textures[gl_LaunchIDEXT.x], vec2(0), 0); }",
    "a.rmiss": "layout(location = 0) rayPayloadInEXT vec4 p;\nvoid main() { p = vec4(1); }",
}


def compiled(*names):
    for name in names:
        glslang(write(name, HEAD + SOURCES[name]), name + ".spv", "-g", "--target-env", "vulkan1.2")
    return [name + ".spv" for name in names]


def environment(layers):
    return {**os.environ, "VK_INSTANCE_LAYERS": ":".join(layers), "NODEVICE_SELECT": "1",
            "VK_LAYER_PATH": os.environ["SPB_LAYER"] + ":/usr/share/vulkan/explicit_layer.d"}


def application(way, *arguments, layers=(OURS,), **more):
    """Settings are the application's, or, since Debian 12's validation layer does not know its way, the user's."""
    mine = [a for a in arguments if "=" in a and not a.startswith("spec=") and KHRONOS in layers]
    named = {"VK_SPIRV_BIND_" + a.split("=")[0].upper(): a.split("=")[1] for a in mine}
    return run(os.environ["SPB_APPLICATION"], way, *(a for a in arguments if a not in mine),
               env={**environment(layers), **named, **more})


def findings(way, *arguments, **more):
    """Place and code of each finding of a run, as the messengers hear them, and all objects of the report."""
    done = application(way, *arguments, "format=json", "report=report.json", **more)
    told = [json.loads(line) for line in read_text("report.json").splitlines()]
    os.remove("report.json")
    listed = sorted("%s:%d %s" % (m["file"], m["line"], m["code"]) for m in told if "code" in m)
    heard = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("messenger ")]
    assert sorted(heard) == sorted(m["code"] for m in told if "code" in m), (heard, told)
    return listed, told


OF_FRAG = ["a.frag:8 SPB5001", "a.frag:9 layout"]
OF_COMP = ["a.comp:6 layout", "a.comp:7 layout", "a.comp:10 SPB5007"]


def test_every_way_to_give_modules_to_vulkan():
    vert, frag, comp, rgen, rmiss = compiled("a.vert", "a.frag", "a.comp", "a.rgen", "a.rmiss")
    assert run(os.environ["SPB_APPLICATION"], "graphics", vert, frag).stdout == ""  # without the layer
    for layers in (OURS,), (KHRONOS, OURS), (OURS, KHRONOS):
        for way, modules, expected in (("graphics", (vert, frag), OF_FRAG), ("library", (vert, frag), OF_FRAG),
                                       ("rays", (rgen, rmiss), ["a.rgen:7 SPB5001"]),
                                       ("compute", (comp, comp), OF_COMP)):
            listed, told = findings(way, *modules, layers=layers)
            assert listed == sorted(expected), (way, layers, listed)
            names = {m["label"] for m in told if m.get("label")}
            assert names == {"graphics": {'the "pixels"', "the pipeline"}, "library": {'the "pixels"', "the pipeline"},
                             "rays": {"the rays", "the pipeline"}, "compute": set()}[way], names
            assert len({m["program"] for m in told}) == 1 and len(told) == len(listed) + bool(names)
    assert application("silent", vert, frag).stderr.count("SPB5001") == 1
    listed, told = findings("objects", vert, frag, comp)
    assert listed == sorted(OF_FRAG + OF_COMP) and told[-1]["label"] == "the shader", told


def test_deferred_operations_and_ray_tracing_libraries():
    """lavapipe never defers. Where a driver does not, Debian 12's validation layer loses the handles of libraries."""
    modules = compiled("a.rgen", "a.rmiss")
    assert findings("raylibs", *modules)[0] == ["a.rgen:7 SPB5001"]
    with open(os.environ["VK_ICD_FILENAMES"]) as f:
        real = json.load(f)["ICD"]["library_path"]
    driver = write("icd.json", json.dumps({"file_format_version": "1.0.0", "ICD": {
        "api_version": "1.3.0", "library_path": os.environ["SPB_DEFERRING_DRIVER"]}}))
    for layers in (OURS,), (KHRONOS, OURS), (OURS, KHRONOS):
        for way, operations in ("rays", 1), ("raylibs", 3):
            done = application(way, *modules, "format=json", "report=report.json", layers=layers,
                               VK_ICD_FILENAMES=os.path.abspath(driver), REAL_DRIVER=real)
            assert done.stdout.count("deferred\n") == operations, done
            told = [json.loads(line) for line in read_text("report.json").splitlines()]
            os.remove("report.json")
            assert [m.get("code") for m in told] == ["SPB5001", None] and told[1]["label"] == "the pipeline", told


def test_samplers_with_conversion():
    """The validation layer does not say this (its issue 9893)."""
    films, = compiled("films.comp")
    for layers in (OURS,), (KHRONOS, OURS):
        for more in (), ("spec=3=0",):
            assert findings("compute", films, *more, layers=layers)[0] == ["films.comp:9 layout"]


def test_specialization_decides():
    comp, = compiled("a.comp")
    for value, barrier in ("64", True), ("1", False):
        listed, _ = findings("compute", comp, "spec=7=" + value, "check=false")
        assert listed == ["a.comp:10 SPB5007"] * barrier, listed


def test_forms_of_the_report():
    modules = compiled("a.vert", "a.frag")
    application("graphics", *modules, "report=report.txt")
    text = read_text("report.txt")
    assert running.says(text, "error SPB5001") == 1 and running.says(text, "error layout") == 1, text
    assert '.spv "the "pixels"", entry point main of graphics pipeline ' in text and 'is called "the pipeline"' in text
    assert text == application("graphics", *modules).stderr
    application("graphics", *modules, "report=report.sarif", "format=sarif")
    results = json.loads(read_text("report.sarif"))["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["SPB5001", "layout"] and "the pixels" not in results, results
    application("compute", *compiled("a.comp"), "report=report.sarif", "format=sarif", "check=false")  # is continued
    results = json.loads(read_text("report.sarif"))["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["SPB5001", "layout", "SPB5007"], results
    # a baseline for the command
    assert "1 in the baseline" in bind("lint", *modules, "--baseline=report.sarif").stderr


def test_settings():
    """The environment comes after a file, which comes after the application."""
    modules = compiled("a.vert", "a.frag")
    assert application("graphics", *modules, "report=none").stderr == ""
    assert findings("graphics", *modules, "lint=false")[0] == OF_FRAG[1:]
    assert findings("graphics", *modules, "lint=false", VK_SPIRV_BIND_LINT="true")[0] == OF_FRAG
    assert findings("graphics", *modules, "rules=barriers")[0] == OF_FRAG[1:]
    assert findings("graphics", *modules, "suppress=nonuniform@textures")[0] == OF_FRAG[1:]
    write("vk_layer_settings.txt", "khronos_validation.debug_action = x\nspirv_bind.lint = false\n")
    assert findings("graphics", *modules)[0] == OF_FRAG[1:]
    os.mkdir("folder")
    os.rename("vk_layer_settings.txt", "folder/vk_layer_settings.txt")
    assert findings("graphics", *modules)[0] == OF_FRAG
    assert findings("graphics", *modules, VK_LAYER_SETTINGS_PATH="folder")[0] == OF_FRAG[1:]
    said = application("graphics", *modules, "report=none", "colour=red", "lint=perhaps").stderr
    assert said == ("VK_LAYER_SPIRV_BIND: there is no setting colour\n"
                    "VK_LAYER_SPIRV_BIND: this setting cannot have this value: lint\n"), said
    said = application("graphics", *modules, "format=sarif").stderr
    assert said == "VK_LAYER_SPIRV_BIND: a SARIF log needs a file, not stderr\n", said
    # what cannot be written is said once, and the application goes on
    said = application("threads", *compiled("a.comp"), "report=none", "record=/proc/none").stderr
    assert said == "VK_LAYER_SPIRV_BIND: the folder of the record cannot be made: /proc/none\n", said


def recorded(folder):
    return {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}


def test_a_record_repeats_what_the_layer_found():
    vert, frag, comp = compiled("a.vert", "a.frag", "a.comp")
    application("graphics", vert, frag, "record=record", "report=none")
    application("compute", comp, "spec=7=1", "record=record", "report=none")
    application("compute", comp, "spec=7=64", "record=record", "format=json", "report=report.json")
    files = recorded("record")
    assert len(files) == 1 + 3 + 3 + 1 + 1, files  # the manifest; programs, modules, layouts, names
    for path in files:
        if path.startswith("modules/"):
            assert read("record/" + path) in [read(m) for m in (vert, frag, comp)]
        if path.startswith("layouts/"):
            counts = [b["descriptorCount"] for b in json.loads(read_text("record/" + path))["sets"][0]["bindings"]]
            assert counts == [4, 1, 16, 1, 2], counts
        if path.startswith("names/"):
            assert read_text("record/" + path) == "the pipeline\n"
    said = bind("lint", "-m", "record/programs.manifest", expect=3).stderr
    assert running.says(said, "error SPB5001") == 1 and running.says(said, "error SPB5007") == 1, said
    # the same findings, by their fingerprints
    bind("lint", "-m", "record/programs.manifest", "--diagnostics=json:again.json", expect=3)
    again = {json.loads(line)["fingerprint"] for line in read_text("again.json").splitlines()}
    assert {json.loads(line)["fingerprint"] for line in read_text("report.json").splitlines()
            if "SPB5007" in line} < again
    application("graphics", vert, frag, "record=record", "report=none")
    assert recorded("record") == files


def many(count):
    """Compute modules that differ."""
    text = HEAD + "layout(local_size_x = 64) in;\n" + BUFFER + "void main() {\nif (gl_LocalInvocationIndex > %du)\n" \
                  "barrier();\npixels[0] = vec4(0); }"
    for k in range(count):
        glslang(write("m%d.comp" % k, text % k), "m%d.spv" % k, "-g", "--target-env", "vulkan1.2")
    return ["m%d.spv" % k for k in range(count)]


def test_threads():
    modules = many(12)
    for layers in (OURS,), (OURS, KHRONOS):
        listed, told = findings("threads", *modules, "record=record", layers=layers)
        assert listed == sorted("m%d.comp:8 SPB5007" % k for k in range(12)), listed
        assert len([m for m in told if "code" not in m]) == 12, told  # each name once
        assert len(recorded("record")) == 1 + 12 + 12 + 1 + 12


def test_a_killed_application_leaves_a_record():
    modules = many(12)
    for k in range(4):
        process = subprocess.Popen(
            [os.environ["SPB_APPLICATION"], "killed", *modules, "record=record%d" % k, "report=r%d.sarif" % k,
             "format=sarif"], env=environment([OURS]), stdout=subprocess.PIPE)
        while process.stdout.readline() != b"working\n":
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        programs = [p for p in recorded("record%d" % k) if p.endswith(".program")]
        assert programs
        said = bind("lint", "-m", "record%d/programs.manifest" % k, expect=3).stderr
        assert running.says(said, "error SPB5007") == len(programs), said
        assert json.loads(read_text("r%d.sarif" % k))["runs"][0]["results"]


def test_what_fails_is_passed_on():
    """Out of memory in the layer, the application goes on; only what the layer knows of its device has to be there."""
    modules = compiled("a.vert", "a.frag", "a.comp")
    preloaded = {"LD_PRELOAD": os.environ["SPB_SCARCE_MEMORY"]}
    for first in range(2, 60, 3):
        way, some = ("library", modules[:2]) if first % 2 else ("objects", modules)
        application(way, *some, "record=record%d" % first, FAIL_FIRST=str(first), FAIL_EVERY="1000000", **preloaded)
    for every in "2", "3", "5":
        application("threads", modules[2], "record=record" + every, "report=none", FAIL_FIRST="3", FAIL_EVERY=every,
                    **preloaded)


def test_the_driver_gets_what_the_application_gave():
    """Shaders that are executed give the right results under the layer."""
    cases = [sys.executable, os.path.join(ROOT, "test", "vulkan", "cases.py"), "right", "vulkan1.2", "ssbo_array",
             "texture_array", "nonuniform_flow", "--icd", os.environ["VK_ICD_FILENAMES"], "--bind", running.BIND,
             "--run", os.environ["SPB_VULKAN_RUN"]]
    done = run(*cases, env={**environment([OURS]), "VK_SPIRV_BIND_RECORD": os.path.abspath("record")}, expect=None)
    assert done.stdout.count(": pass\n") == 3, done  # its status says that the loader has warned of VK_INSTANCE_LAYERS
    assert len([p for p in recorded("record") if p.endswith(".program")]) == 3


if __name__ == "__main__":
    running.main(globals())
