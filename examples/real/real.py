#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian, built with their own numbers and with those of spirv-bind: both draw the same pictures, and so
does the unchanged program under VK_LAYER_SPIRV_BIND.

    real.py --bind BIND [--layer FOLDER] [--keep FOLDER] [PROGRAM…]

README.md says what this does. Needs a Debian with what scripts/install.sh --clients installs."""
import argparse
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMES = 20

# Before a program ends, it waits for its device, or destroys its window: then, once the screen no longer changes, the
# last frame is kept.
KEEP_LAST_FRAME = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

static void keep(void)
{
	do {
		if (system("cp \"$REAL_SCREEN\" \"$REAL_PICTURE\""))
			_exit(3);
		sleep(1);
	} while (system("cmp -s \"$REAL_SCREEN\" \"$REAL_PICTURE\""));
}

VkResult vkDeviceWaitIdle(VkDevice device)
{
	VkResult (*wait)(VkDevice);

	*(void **)&wait = dlsym(RTLD_NEXT, "vkDeviceWaitIdle");
	const VkResult result = wait(device);
	keep();
	return result;
}

int XDestroyWindow(void *display, unsigned long window)
{
	int (*destroy)(void *, unsigned long);

	*(void **)&destroy = dlsym(RTLD_NEXT, "XDestroyWindow");
	keep();
	return destroy(display, window);
}
"""

CUBE = ["cube/vkcube", "--c", str(FRAMES), "--suppress_popups", "--width", "320", "--height", "240"]
PROGRAMS = {
    "vkcube": {
        "package": "vulkan-tools",
        # what makes numbers of the author's
        "numbers": {"cube/cube.vert": r", binding = \d+", "cube/cube.frag": r"layout \(binding = \d+\) "},
        "setup": ["cmake", "-G", "Ninja", "-S", "SOURCE", "-B", "BUILD", "-DBUILD_VULKANINFO=OFF", "-DBUILD_ICD=OFF",
                  "-DBUILD_WSI_WAYLAND_SUPPORT=OFF", "-DBUILD_WSI_XLIB_SUPPORT=OFF"],
        "target": "vkcube",
    },
    "vkbasalt": {
        "package": "vkbasalt",
        "numbers": {"src/shader/*.frag.glsl":
                    r"layout\(set ?= ?0, binding ?= ?\d+\) |(?<=layout\(set=1), binding=0"},
        "setup": ["meson", "setup", "BUILD", "SOURCE", "--buildtype=plain"],
        "target": "src/libvkbasalt.so",
        "layer": "config/vkBasalt.json",  # it draws over vkcube, as it is
        "settings": "effects = cas:deband:dls:fxaa:smaa\n",
        "not_on": "swiftshader",  # which lacks shaderImageGatherExtended
    },
    "gstreamer": {
        "package": "gst-plugins-bad1.0",
        "unpacked": ["libgstreamer-plugins-base1.0-dev", "libgstreamer-plugins-base1.0-0"],
        "numbers": {"ext/vulkan/shaders/*.frag": r"layout\(set = 0, binding = \d\) "},
        "setup": ["meson", "setup", "BUILD", "SOURCE", "--buildtype=plain", "--wrap-mode=nofallback",
                  "-Dauto_features=disabled", "-Dvulkan=enabled", "-Dx11=enabled"],
        "target": "ext/vulkan/libgstvulkan.so",
        "environment": {"GST_PLUGIN_PATH": "BUILD/ext/vulkan", "LD_LIBRARY_PATH": "BUILD/gst-libs/gst/vulkan",
                        "GST_REGISTRY": "BUILD/registry"},
        # two pictures, through all shaders
        "pipeline": ["gst-launch-1.0", "-q", "videotestsrc", "num-buffers=2", "!",
                     "video/x-raw,format=BGRA,width=160,height=120", "!", "vulkanupload", "!",
                     *(word for form in ("NV12", "RGBx", "AYUV", "RGBx", "RGBA", "YUY2", "BGRA") for word in (
                         "vulkancolorconvert", "!", "video/x-raw(memory:VulkanImage),format=" + form, "!")),
                     "vulkanimageidentity", "!", "vulkanshaderspv", "!",
                     "vulkanviewconvert", "input-mode-override=side-by-side", "output-mode-override=top-bottom", "!",
                     "vulkandownload", "!", "filesink", "location=picture"],
    },
}
# A program as Debian has it, for the layer; it finds no surface on SwiftShader.
PROGRAMS["mpv"] = {
    "command": ["mpv", "--no-config", "--vo=gpu-next", "--gpu-api=vulkan", "--gpu-context=x11vk", "--ao=null",
                "--no-osc", "--osd-level=0", "--geometry=320x240+0+0", "--no-border", "--untimed", "film.y4m"],
    "not_on": "swiftshader",
}
KHRONOS, OURS = "VK_LAYER_KHRONOS_validation", "VK_LAYER_SPIRV_BIND"


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace", **more)
    if done.returncode:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode, done.stdout[-4000:]))
    return done.stdout


def fetch(work, package):
    """The source package, from the machine's own sources, as it was released: the patches are for that version. The
    machine's lists are not changed."""
    apt = os.path.join(work, "apt")
    os.makedirs(os.path.join(apt, "lists"), exist_ok=True)
    os.makedirs(os.path.join(apt, "cache", "archives", "partial"), exist_ok=True)
    targets = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages",
                  "Origin: Debian")
    with open(os.path.join(apt, "sources.list"), "w") as f:
        for line in sorted(t for t in set(targets.splitlines()) if not re.search("-(security|updates) ", t)):
            f.write("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s\n" % line)
    command = ["apt-get", "-qq", "-o", "Dir::Etc::sourcelist=%s/sources.list" % apt, "-o", "Dir::Etc::sourceparts=-",
               "-o", "Dir::State::lists=%s/lists" % apt, "-o", "Dir::Cache=%s/cache" % apt]
    run(*command, "update")
    folder = tempfile.mkdtemp(prefix=package + "-", dir=work)
    run(*command, "source", package, cwd=folder)
    return next(e.path for e in os.scandir(folder) if e.is_dir())


def unpack(work, packages):
    """Packages that cannot be installed beside the Mesa of install.sh. Returns the folder of their .pc files."""
    root = os.path.join(work, "unpacked")
    if packages and not os.path.exists(root):
        os.mkdir(root)
        run("apt-get", "-qq", "download", *packages, cwd=root)
        for package in glob.glob(os.path.join(root, "*.deb")):
            run("dpkg", "-x", package, root)
        for path in glob.glob(os.path.join(root, "usr/lib/*/pkgconfig/*.pc")):
            with open(path) as f:
                text = f.read()
            with open(path, "w") as f:
                f.write(text.replace("prefix=/usr", "prefix=%s/usr" % root))
    return ":".join(glob.glob(os.path.join(root, "usr/lib/*/pkgconfig")))


def make(source, program, bind):
    build = source + ".build"
    path = {**os.environ, "PATH": os.path.dirname(os.path.abspath(bind)) + os.pathsep + os.environ["PATH"],
            "PKG_CONFIG_PATH": unpack(os.path.dirname(os.path.dirname(source)), program.get("unpacked", []))}
    run(*({"SOURCE": source, "BUILD": build}.get(word, word) for word in program["setup"]), env=path)
    run("ninja", "-C", build, program["target"], env=path)
    return build


def settings_of(build, program):
    """The variables of a program; for one that is a layer, with which the loader finds it."""
    if "layer" not in program:
        return {name: value.replace("BUILD", build) for name, value in program.get("environment", {}).items()}, []
    with open(os.path.join(build, program["layer"])) as f:
        manifest = json.load(f)
    manifest["layer"]["library_path"] = os.path.join(build, program["target"])
    with open(os.path.join(build, "layer.json"), "w") as f:
        json.dump(manifest, f)
    settings = os.path.join(build, "settings")
    with open(settings, "w") as f:
        f.write(program["settings"])
    return {**manifest["layer"]["enable_environment"], "VKBASALT_CONFIG_FILE": settings}, [manifest["layer"]["name"]]


def on_screen(command, folder, environment):
    """Runs it with an X server of its own, and keeps the last frame in the folder: its header names the server."""
    server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "320x240x24", "-fbdir", folder],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="ascii")
    number = server.stdout.readline().strip() or sys.exit("Xvfb does not start")
    try:
        said = run(*command, cwd=folder, env={**environment, "DISPLAY": ":" + number, "REAL_PICTURE": "picture",
                                              "REAL_SCREEN": "Xvfb_screen0"})
        pixels = picture(folder)
        with open(os.path.join(folder, "picture"), "wb") as f:
            f.write(pixels[int.from_bytes(pixels[:4], "big"):])
        return said
    finally:
        server.terminate()
        server.wait()


def film(folder, environment):
    """Three frames, and the option that names the device: without it, mpv takes none that is a processor."""
    with open(os.path.join(folder, "film.y4m"), "wb") as f:
        f.write(b"YUV4MPEG2 W160 H120 F10:1 Ip C420jpeg\n")
        for n in range(3):
            f.write(b"FRAME\n" + bytes((3 * x + 2 * y + 40 * n) % 256 for y in range(120) for x in range(160)))
            f.write(2 * bytes((5 * x + y + 9 * n) % 256 for y in range(60) for x in range(80)))
    listed = run("mpv", "--no-config", "--vulkan-device=help", env=environment)
    return "--vulkan-device=" + re.search(r"'(.*)' \(GPU 0", listed).group(1)


def draw(work, build, cube, program, icd, layer):
    """A folder with the picture, and how often the validation layer says what; `layer`: the folder of ours, if any."""
    folder = tempfile.mkdtemp(dir=work)
    more, own = settings_of(build, program)
    environment = {
        **os.environ, "VK_ICD_FILENAMES": icd, "GALLIVM_PERF": "nopt", **more,
        # Debian 12's loader goes by the order of the folders
        "VK_LAYER_PATH": ":".join([build] + [layer] * bool(layer) + ["/usr/share/vulkan/explicit_layer.d"]),
        "VK_INSTANCE_LAYERS": ":".join(own + [OURS] * bool(layer) + [KHRONOS]),
        "VK_SPIRV_BIND_RECORD": os.path.join(folder, "record"), "VK_SPIRV_BIND_REPORT": os.path.join(folder, "report")}
    if "pipeline" in program:
        said = run(*program["pipeline"], cwd=folder, env=environment)
    else:
        shim = os.path.join(folder, "keep.so")
        with open(shim + ".c", "w") as f:
            f.write(KEEP_LAST_FRAME)
        run("cc", "-shared", "-fPIC", shim + ".c", "-o", shim, "-ldl")
        command = [*program["command"], film(folder, environment)] if "command" in program else [
            os.path.join(cube, CUBE[0]), *CUBE[1:]]
        said = on_screen(command, folder, {**environment, "LD_PRELOAD": shim})
    return folder, dict(collections.Counter(re.findall(r"(?m)^VUID-[\w-]+", said)))


def remove_numbers(source, numbers):
    for pattern, number in numbers.items():
        found = 0
        for path in glob.glob(os.path.join(source, pattern)):
            with open(path) as f:
                text, count = re.subn(number, "", f.read())
            found += count
            with open(path, "w") as f:
                f.write(text)
        if not found:
            sys.exit("%s has no numbers" % pattern)


def picture(folder):
    with open(os.path.join(folder, "picture"), "rb") as f:
        return f.read()


def examine(folder, bind):
    """The layer found nothing in a program that marks what differs, and the command finds the same in the record."""
    report = os.path.join(folder, "report")
    if os.path.exists(report) and os.path.getsize(report):
        with open(report) as f:
            sys.exit(f.read())
    run(bind, "lint", "-m", os.path.join(folder, "record", "programs.manifest"))
    return len(glob.glob(os.path.join(folder, "record", "*.program")))


def build_both(work, name, bind):
    """The folders of the unchanged build and of the bound one, each with that of vkcube for it; of an installed
    program, none."""
    program = PROGRAMS[name]
    if "command" in program:
        return [(work, None)]
    source = fetch(work, program["package"])
    bound = source + ".bound"
    shutil.copytree(source, bound, symlinks=True)
    remove_numbers(bound, program["numbers"])
    run("patch", "-p1", "-i", os.path.join(HERE, name, name + ".patch"), cwd=bound)
    builds = [make(folder, program, bind) for folder in (source, bound)]
    cubes = builds if "layer" not in program else 2 * [make(fetch(work, PROGRAMS["vkcube"]["package"]),
                                                            PROGRAMS["vkcube"], bind)]
    return list(zip(builds, cubes))


def compare(work, name, bind, icds, layer):
    program = PROGRAMS[name]
    builds = build_both(work, name, bind)
    for icd in icds:
        if program.get("not_on") and program["not_on"] in os.path.basename(icd):
            continue
        drawn = [draw(work, build, cube, program, icd, None) for build, cube in builds]
        if layer:
            drawn.append(draw(work, *builds[0], program, icd, layer))
        pictures, findings = [picture(folder) for folder, _ in drawn], [found for _, found in drawn]
        colors = len(set(pictures[0]))
        same = all(p == pictures[0] for p in pictures)
        print("%s on %s: pictures %s, %d different bytes in one, validation: %s; the layer recorded %s programs" % (
            name, os.path.basename(icd), "are equal" if same else "DIFFER", colors,
            " and ".join(str(f or "silent") for f in findings), examine(drawn[-1][0], bind) if layer else "no"))
        if not same or any(f != findings[0] for f in findings) or colors < 16:
            sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bind", required=True)
    parser.add_argument("--icd", action="append", help="a driver; SPB_LAVAPIPE_ICD and SPB_SWIFTSHADER_ICD by default")
    parser.add_argument("--layer", help="the folder of VkLayer_spirv_bind.json", default=os.environ.get("SPB_LAYER"))
    parser.add_argument("--keep", metavar="FOLDER", help="work there, and keep it")
    parser.add_argument("programs", nargs="*", default=[])
    args = parser.parse_args()
    icds = args.icd or [os.environ[x] for x in ("SPB_LAVAPIPE_ICD", "SPB_SWIFTSHADER_ICD") if os.environ.get(x)]
    work = args.keep or tempfile.mkdtemp(prefix="spirv-bind-real")
    try:
        for name in args.programs or PROGRAMS:
            compare(work, name, args.bind, icds, args.layer)
    finally:
        if not args.keep:
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
