# SPDX-License-Identifier: Apache-2.0
"""The outputs of scripts/release.sh: reproducible, and tested in an otherwise empty root (scripts/bare_root.sh): the
archive, the packages, and programs built with the installed packages.

    release.py --bind BIND [--only same|bare]"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import hardening
import running
from running import ROOT, Failure, Skip, bind, glslang, read, read_text, run, write

RELEASE = os.path.join(ROOT, "scripts", "release.sh")
MATERIALS = os.path.join(ROOT, "spirv-fixtures", "glsl", "materials")
OPTIONS = ("--auto-binding=65534", "--layout-json=layout.json")


def script(*command, **more):
    done = run(*command, expect=None, **more)
    if done.returncode in (77, 1) and "bare_root" in command[0] or done.returncode == 77:
        raise Skip(done.stderr.strip())
    if done.returncode:
        raise Failure(done.stdout + done.stderr)
    return done.stdout


def release(folder, **environment):
    """The files of a release, from a separate build without a compiler cache."""
    return script(RELEASE, folder, env=dict(os.environ, CCACHE_DISABLE="1", **environment))


def test_same_bytes(folder, dist):
    """In another folder, at another time, in another time zone and language, with files that others may not read."""
    other = os.path.join(folder, "a-longer-name-for-temporary-files", "x" * 40)
    os.makedirs(other)
    again = release(os.path.join(folder, "again"), TMPDIR=other, TZ="Pacific/Kiritimati", LANG="tr_TR.UTF-8",
                    SOURCE_DATE_EPOCH=re.search(r"\d+", run("date", "-u", "-d", day(), "+%s").stdout)[0])
    first = read_text(os.path.join(dist, "SHA256SUMS"))
    if again != first:
        raise Failure("not the same:\n%s%s" % (first, again))
    if other.encode() in b"".join(read(os.path.join(dist, name)) for name in os.listdir(dist)):
        raise Failure("the folder of the build is in it")


def day():
    return re.search(r"^## [0-9.]+ - (.*)$", read_text(os.path.join(ROOT, "CHANGELOG.md")), re.M)[1]


def test_checksums(_, dist):
    """Of every file; and file names match their contents."""
    said = run("sha256sum", "--check", "SHA256SUMS", cwd=dist).stdout
    version = run(RELEASE, "--check").stdout.split()[1]
    names = set(os.listdir(dist)) - {"SHA256SUMS"}
    if {line.split(":")[0] for line in said.splitlines()} != names:
        raise Failure("not the files that are there:\n" + said)
    processor, architecture = os.uname().machine, run("dpkg", "--print-architecture").stdout.strip()
    expected = {"CHANGELOG.md", "spirv-bind-%s.tar.gz" % version, "spirv-bind-%s.spdx.json" % version,
                "spirv-bind-%s-linux-%s.tar.gz" % (version, processor)}
    expected |= {"%s_%s-0upstream1_%s.deb" % (package, version, architecture)
                 for package in ("spirv-bind", "libspirv-bind-dev", "libspirv-bind" + version.rpartition(".")[0])}
    if names != expected:
        raise Failure("made %s, expected %s" % (sorted(names), sorted(expected)))


def test_hardened(folder, dist):
    """The binaries in the packages, without symbols."""
    for pattern, unpack in (("*-linux-*.tar.gz", "tar -xzf %s"), ("*.deb", "dpkg-deb -x %s .")):
        for number, path in enumerate(sorted(glob.glob(os.path.join(dist, pattern)))):
            to = os.path.join(folder, "unpacked", "%d%s" % (number, pattern[-4:]))
            os.makedirs(to)
            run(*(unpack % path).split(), cwd=to)
    files = [path for path in glob.glob(os.path.join(folder, "unpacked", "**", "*"), recursive=True)
             if os.path.isfile(path) and not os.path.islink(path) and read(path)[:4] == b"\x7fELF"]
    wrong = ["%s has not: %s" % (path, what) for path in files for what in hardening.missing(path)]
    if wrong or len(files) != 4:  # the command twice, the library, the layer
        raise Failure("\n".join([*wrong, "%d files" % len(files)]))


class Bare:
    """A copy of the bare root, in which programs run."""

    def __init__(self, folder, dist):
        self.path = os.path.join(folder, "root")
        run("cp", "-a", script(os.path.join(ROOT, "scripts", "bare_root.sh")).strip(), self.path)
        self.work = os.path.join(self.path, "work")
        os.mkdir(self.work)
        try:
            self.run("true")
        except Failure as reason:
            raise Skip("programs cannot be run in another root: %s" % reason)
        for name in os.listdir(dist):
            shutil.copy(os.path.join(dist, name), self.work)

    def start(self, command, **more):
        """With /proc, which is unmounted with the process."""
        inside = 'mount -t proc proc "$0/proc" && exec chroot "$0" sh -ec "$1"'
        return run("unshare", "--mount", "--propagation", "private", "sh", "-ec", inside, self.path,
                   "cd /work; " + command, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C",
                                                "DEBIAN_FRONTEND": "noninteractive"}, **more)

    def run(self, command):
        return self.start(command).stdout

    def install(self, packages):
        self.run("apt-get -qq -y --no-install-recommends install " + packages)


def check_command(bare, command, out):
    """It binds a program as the command under test does."""
    modules = [glslang(os.path.join(MATERIALS, "material." + stage), os.path.join(bare.work, stage + ".spv"), "-g",
                       "--target-env", "vulkan1.2") for stage in ("vert", "frag")]
    bare.run("mkdir %s; cd %s; %s -q %s ../vert.spv ../frag.spv --out-dir=." % (out, out, command, " ".join(OPTIONS)))
    here = os.path.join(bare.work, "here-" + out)
    os.mkdir(here)
    bind("-q", *OPTIONS, *modules, "--out-dir=.", cwd=here)
    for name in ("vert.spv", "frag.spv", "layout.json"):
        if read(os.path.join(here, name)) != read(os.path.join(bare.work, out, name)):
            raise Failure("%s makes another %s" % (command, name))


def files_of(bare):
    return set(bare.run("find / -xdev -path /work -prune -o -path /var -prune -o -path /etc -prune -o "
                        "-path /proc -prune -o -print").splitlines())


def test_bare_root(folder, dist):
    bare = Bare(folder, dist)
    bare.run("apt-get -qq update")

    bare.run("mkdir 'an archive' && tar -xzf spirv-bind-*-linux-*.tar.gz -C 'an archive' --strip-components=1")
    check_command(bare, "'/work/an archive/bin/spirv-bind'", "static")
    before = files_of(bare)

    bare.install("./spirv-bind_*.deb ./libspirv-bind0*.deb")
    check_command(bare, "spirv-bind", "installed")
    bare.run("dpkg --verify; test -z \"$(dpkg --audit)\"")
    # without suggested packages, it reports what is missing
    write(os.path.join(bare.work, "lights.comp"), "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
          "#include \"descriptor_handle.glsl\"\nlayout(binding = 65534) buffer B { uint x; } b;\n"
          "void main() { b.x = 1u; }\n")
    one_step = " --auto-binding=65534 --target-env=vulkan1.2 lights.comp -o lights.spv"
    said = bare.start("spirv-bind" + one_step, expect=None)
    if said.returncode == 0 or "glslangValidator" not in said.stderr:
        raise Failure("without a compiler it says: " + said.stderr)

    bare.install("./libspirv-bind-dev_*.deb gcc g++ libc6-dev pkg-config cmake make")
    shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(bare.work, "examples"))
    bare.run("""cc examples/bind.c -o shared $(pkg-config --cflags --libs spirv-bind)
        cc -static examples/bind.c -o static-bind $(pkg-config --static --cflags --libs spirv-bind)
        cc examples/plugin/host.c -o host
        for shared in ON OFF; do
            cmake -S examples/cmake -B cmake-$shared -DBUILD_SHARED_LIBS=$shared
            cmake --build cmake-$shared
        done""")
    bare.install("glslang-tools")  # and its dependencies: SPIRV-Tools among others
    for command in ("spirv-bind", "'an archive/bin/spirv-bind'"):
        bare.run(command + one_step)
    said = {bare.run(program + " lights.spv out.spv")
            for program in ("./shared", "./static-bind", "cmake-ON/bind", "cmake-OFF/bind")}
    if said != {"0.0 B: storage buffer\n"}:
        raise Failure("the programs say %s" % said)
    bare.run("./host libspirv-bind.so.0.1 out.spv lights.spv auto-binding=65534")
    needed = bare.run("readelf -d shared static-bind cmake-ON/bind cmake-OFF/bind | "
                      "grep -c 'NEEDED.*libspirv-bind.so.0.1'")
    if needed.strip() != "2":
        raise Failure("%s of four programs need the shared library, expected 2" % needed.strip())
    os.mkdir(os.path.join(bare.work, "project"))
    write(os.path.join(bare.work, "project", "CMakeLists.txt"), """cmake_minimum_required(VERSION 3.20)
project(game LANGUAGES C)
find_package(spirv-bind 0.1 REQUIRED CONFIG COMPONENTS shared static cli)
spirv_bind_program(TARGET lit SOURCES ../lights.comp HEADER lit.h OPTIONS --auto-binding=65534)
""")
    bare.run("cmake -S project -B game && cmake --build game && grep lit_B_binding game/lit.h")

    bare.run("apt-get -qq -y purge spirv-bind libspirv-bind0.1 libspirv-bind-dev")
    bare.run("apt-get -qq -y autoremove --purge")
    left = sorted(path for path in files_of(bare) - before if "spirv-bind" in path)
    if left:
        raise Failure("after a purge there are still %s" % left)


def source_of(dist):
    (name,) = [name for name in os.listdir(dist) if re.match(r"spirv-bind-[0-9.]+\.tar\.gz$", name)]
    return os.path.join(dist, name)


def test_source_by_fetch_content(folder, dist):
    """A project that fetches the archive, checked by its sum, builds the library and the command, and binds shaders."""
    archive = source_of(dist)
    checksum = run("sha256sum", archive).stdout.split()[0]
    write(os.path.join(folder, "CMakeLists.txt"), """cmake_minimum_required(VERSION 3.20)
project(game LANGUAGES C)
include(FetchContent)
FetchContent_Declare(spirv-bind URL "file://%s" URL_HASH SHA256=%s)
FetchContent_MakeAvailable(spirv-bind)
add_executable(bind "%s")
target_link_libraries(bind PRIVATE spirv-bind::spirv-bind)
spirv_bind_program(TARGET lit SOURCES lit.comp TARGET_ENV vulkan1.2 HEADER lit.h OPTIONS --auto-binding=65534)
""" % (archive, checksum, os.path.join(ROOT, "examples", "bind.c")))
    write(os.path.join(folder, "lit.comp"), read_text(os.path.join(ROOT, "include", "glsl", "examples", "blur.comp")))
    build = os.path.join(folder, "build")
    run("cmake", "-G", "Ninja", "-S", folder, "-B", build, "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", build)
    check_host_program(os.path.join(build, "bind"), folder)
    if "lit_sets" not in read_text(os.path.join(build, "lit.h")):
        raise Failure("the header has no layout")


def test_source_as_subproject_of_meson(folder, dist):
    source, build = os.path.join(folder, "game"), os.path.join(folder, "build")
    os.makedirs(os.path.join(source, "subprojects"))
    for name in ("meson/meson.build", "bind.c"):
        shutil.copy(os.path.join(ROOT, "examples", name), source)
    archive = os.path.basename(source_of(dist))
    os.mkdir(os.path.join(source, "subprojects", "packagefiles"))
    shutil.copy(source_of(dist), os.path.join(source, "subprojects", "packagefiles"))
    write(os.path.join(source, "subprojects", "spirv-bind.wrap"), """[wrap-file]
directory = %s
source_filename = %s
source_hash = %s
""" % (archive[:-len(".tar.gz")], archive, run("sha256sum", source_of(dist)).stdout.split()[0]))
    run("meson", "setup", build, source, "--force-fallback-for=spirv-bind", "-Dbuildtype=release",
        "-Ddefault_library=static")
    run("meson", "compile", "-C", build)
    check_host_program(os.path.join(build, "bind"), folder)


def check_host_program(program, folder):
    """It is examples/bind.c."""
    module = os.path.join(folder, "in.spv")
    glslang(write(os.path.join(folder, "in.comp"), "#version 450\nlayout(binding = 4) buffer B { uint x; } b;\n"
                  "void main() { b.x = 1u; }\n"), module)
    said = run(program, module, os.path.join(folder, "out.spv")).stdout
    if said != "0.4 B: storage buffer\n":
        raise Failure("%s says %r" % (program, said))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--dist", help="what an earlier run of release.sh has made, instead of making it")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    skipped, failed = [], []
    tests = [(name, test) for name, test in sorted(globals().items())
             if name.startswith("test_") and args.only in name]
    with tempfile.TemporaryDirectory(prefix="spb-release-") as folder:
        dist = args.dist or os.path.join(folder, "dist")
        try:
            if not args.dist:
                release(dist)
        except (Failure, Skip) as reason:
            print("release.sh: %s" % reason)
            return 77 if isinstance(reason, Skip) else 1
        for name, test in tests:
            os.mkdir(os.path.join(folder, name))
            try:
                test(os.path.join(folder, name), dist)
            except Skip as reason:
                skipped.append("%s: skipped: %s" % (name, reason))
            except (Failure, subprocess.TimeoutExpired) as error:
                failed.append("%s: %s" % (name, error))
    print("\n".join(skipped + failed + ["%d tests, %d failed" % (len(tests), len(failed))]))
    return 1 if failed or not tests else 77 if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
