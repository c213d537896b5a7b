#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian, built with their own numbers and with those of spirv-bind: both draw the same pictures.

    real.py --bind BIND [--keep FOLDER] [PROGRAM…]

README.md says what this does. Needs a Debian with the tools of scripts/install.sh, Xvfb, and what the packages need to
be built, which it does not install."""
import argparse
import filecmp
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMES = 20

# Before a program ends, it waits for its device: then, once the screen no longer changes, the last frame is kept.
KEEP_LAST_FRAME = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

VkResult vkDeviceWaitIdle(VkDevice device)
{
	VkResult (*wait)(VkDevice);

	*(void **)&wait = dlsym(RTLD_NEXT, "vkDeviceWaitIdle");
	const VkResult result = wait(device);
	do {
		if (system("cp \"$REAL_SCREEN\" \"$REAL_PICTURE\""))
			_exit(3);
		sleep(1);
	} while (system("cmp -s \"$REAL_SCREEN\" \"$REAL_PICTURE\""));
	return result;
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
}


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace", **more)
    if done.returncode:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode, done.stdout[-4000:]))
    return done.stdout


def fetch(work, package):
    """The source package, from the machine's own sources. The machine's lists are not changed."""
    apt = os.path.join(work, "apt")
    os.makedirs(os.path.join(apt, "lists"), exist_ok=True)
    os.makedirs(os.path.join(apt, "cache", "archives", "partial"), exist_ok=True)
    targets = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages",
                  "Origin: Debian")
    with open(os.path.join(apt, "sources.list"), "w") as f:
        for line in sorted(set(targets.splitlines())):
            f.write("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s\n" % line)
    command = ["apt-get", "-qq", "-o", "Dir::Etc::sourcelist=%s/sources.list" % apt, "-o", "Dir::Etc::sourceparts=-",
               "-o", "Dir::State::lists=%s/lists" % apt, "-o", "Dir::Cache=%s/cache" % apt]
    run(*command, "update")
    folder = tempfile.mkdtemp(prefix=package + "-", dir=work)
    run(*command, "source", package, cwd=folder)
    return next(e.path for e in os.scandir(folder) if e.is_dir())


def make(source, program, bind):
    build = source + ".build"
    path = {**os.environ, "PATH": os.path.dirname(os.path.abspath(bind)) + os.pathsep + os.environ["PATH"]}
    run(*({"SOURCE": source, "BUILD": build}.get(word, word) for word in program["setup"]), env=path)
    run("ninja", "-C", build, program["target"], env=path)
    return build


def layer_environment(build, program):
    """With which the loader finds the layer that was built."""
    folder = os.path.join(build, "layer")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(build, program["layer"])) as f:
        manifest = json.load(f)
    manifest["layer"]["library_path"] = os.path.join(build, program["target"])
    with open(os.path.join(folder, "layer.json"), "w") as f:
        json.dump(manifest, f)
    settings = os.path.join(folder, "settings")
    with open(settings, "w") as f:
        f.write(program["settings"])
    return {**manifest["layer"]["enable_environment"], "VKBASALT_CONFIG_FILE": settings,
            "VK_LAYER_PATH": folder + ":/usr/share/vulkan/explicit_layer.d",
            "VK_INSTANCE_LAYERS": manifest["layer"]["name"] + ":VK_LAYER_KHRONOS_validation"}


def draw(build, cube, program, icd, screen, shim):
    """The last frame, as the X server has it, and what the program and the validation layer say."""
    picture = os.path.join(build, "picture.xwd")
    server = subprocess.Popen(["Xvfb", ":%d" % screen[0], "-screen", "0", "320x240x24", "-fbdir", screen[1]],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not os.path.exists("/tmp/.X11-unix/X%d" % screen[0]):
            if server.poll() is not None:
                sys.exit("Xvfb does not start")
            time.sleep(0.1)
        said = run(os.path.join(cube, CUBE[0]), *CUBE[1:], cwd=build, env={
            **os.environ, "DISPLAY": ":%d" % screen[0], "VK_ICD_FILENAMES": icd, "LD_PRELOAD": shim,
            "VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation", "GALLIVM_PERF": "nopt",
            "REAL_SCREEN": os.path.join(screen[1], "Xvfb_screen0"), "REAL_PICTURE": picture,
            **(layer_environment(build, program) if "layer" in program else {})})
    finally:
        server.terminate()
        server.wait()
    return picture, re.findall(r"VUID-[\w-]+", said)


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


def compare(work, name, bind, icds):
    program = PROGRAMS[name]
    source = fetch(work, program["package"])
    bound = source + ".bound"
    shutil.copytree(source, bound, symlinks=True)
    remove_numbers(bound, program["numbers"])
    run("patch", "-p1", "-i", os.path.join(HERE, name, name + ".patch"), cwd=bound)
    builds = [make(folder, program, bind) for folder in (source, bound)]
    cubes = builds if "layer" not in program else 2 * [make(fetch(work, PROGRAMS["vkcube"]["package"]),
                                                            PROGRAMS["vkcube"], bind)]
    shim = os.path.join(work, "keep.so")
    with open(shim + ".c", "w") as f:
        f.write(KEEP_LAST_FRAME)
    run("cc", "-shared", "-fPIC", shim + ".c", "-o", shim, "-ldl")
    for number, icd in enumerate(icds):
        pictures, findings = [], []
        if program.get("not_on") and program["not_on"] in os.path.basename(icd):
            continue
        for build, cube in zip(builds, cubes):
            folder = tempfile.mkdtemp(dir=work)
            picture, found = draw(build, cube, program, icd, (os.getpid() % 20000 + 100 + number, folder), shim)
            pictures.append(picture)
            findings.append(found)
        same = filecmp.cmp(*pictures, shallow=False)
        with open(pictures[0], "rb") as f:
            colors = len(set(f.read()[4096:]))
        print("%s on %s: pictures %s, %d different bytes in one, validation: %s and %s" % (
            name, os.path.basename(icd), "are equal" if same else "DIFFER", colors, findings[0] or "silent",
            findings[1] or "silent"))
        if not same or findings[1] != findings[0] or colors < 16:
            sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bind", required=True)
    parser.add_argument("--icd", action="append", help="a driver; SPB_LAVAPIPE_ICD and SPB_SWIFTSHADER_ICD by default")
    parser.add_argument("--keep", metavar="FOLDER", help="work there, and keep it")
    parser.add_argument("programs", nargs="*", default=[])
    args = parser.parse_args()
    icds = args.icd or [os.environ[x] for x in ("SPB_LAVAPIPE_ICD", "SPB_SWIFTSHADER_ICD") if os.environ.get(x)]
    work = args.keep or tempfile.mkdtemp(prefix="spirv-bind-real")
    try:
        for name in args.programs or PROGRAMS:
            compare(work, name, args.bind, icds)
    finally:
        if not args.keep:
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
