# SPDX-License-Identifier: Apache-2.0
"""Building with an installed spirv-bind: with a compiler alone, pkg-config, CMake and Meson. Everything is in a prefix
made for the test; the sources of the library are only used by tests that say so.

    newcomers.py --build FOLDER --bind BIND"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import running
from running import ROOT, Failure, read_text, run, write

BUILD = None
PREFIX = None  # the installation
EXAMPLES = os.path.join(ROOT, "examples")


def installed(*names):
    path = os.path.join(PREFIX, *names)
    if not os.path.exists(path):
        raise Failure("%s is not installed" % os.path.join(*names))
    return path


def environment(**more):
    """Only files of the prefix are found, including shared libraries."""
    return dict(os.environ, PKG_CONFIG_PATH=installed("lib", "pkgconfig"), CMAKE_PREFIX_PATH=PREFIX,
                LD_LIBRARY_PATH=installed("lib"), PATH=os.path.join(PREFIX, "bin") + ":" + os.environ["PATH"], **more)


def tool(name):
    if not shutil.which(name):
        raise Failure("%s is not here; scripts/install.sh installs it" % name)
    return name


def shader(folder):
    """A module with a texture and without bindings."""
    source = write(os.path.join(folder, "shader.spvasm"), """
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %color
               OpExecutionMode %main OriginUpperLeft
               OpName %albedo "albedo"
               OpDecorate %color Location 0
       %void = OpTypeVoid
      %float = OpTypeFloat 32
       %vec2 = OpTypeVector %float 2
       %vec4 = OpTypeVector %float 4
       %half = OpConstant %float 0.5
         %uv = OpConstantComposite %vec2 %half %half
      %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %sampled = OpTypeSampledImage %image
    %pointer = OpTypePointer UniformConstant %sampled
     %albedo = OpVariable %pointer UniformConstant
     %output = OpTypePointer Output %vec4
      %color = OpVariable %output Output
         %fn = OpTypeFunction %void
       %main = OpFunction %void None %fn
      %label = OpLabel
      %value = OpLoad %sampled %albedo
      %texel = OpImageSampleImplicitLod %vec4 %value %uv
               OpStore %color %texel
               OpReturn
               OpFunctionEnd
""")
    module = os.path.join(folder, "shader.spv")
    run("spirv-as", "--target-env", "spv1.0", source, "-o", module)
    return module


def check_program(program, folder, **more):
    """The program is examples/bind.c, and works as described there."""
    bound = os.path.join(folder, "bound.spv")
    said = run(program, shader(folder), bound, env=environment(), **more).stdout
    if said != "0.0 albedo: combined image-sampler\n":
        raise Failure("%s says %r" % (program, said))
    run("spirv-val", "--target-env", "vulkan1.0", bound)


def flags(*options):
    return run(tool("pkg-config"), *options, "spirv-bind", env=environment()).stdout.split()


def needed(program):
    """The shared libraries that a program names."""
    return re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", program).stdout)


def exported(path):
    lines = run("nm", "-D", "--defined-only", "--with-symbol-versions", path).stdout.splitlines()
    return {line.split()[2] for line in lines if line.split()[1] != "A"}


def test_exported_symbols(_):
    """The shared library exports what the header declares, under the version that the header says, and nothing else;
    so a new function needs a line in both, and none gets lost."""
    header = "".join(read_text(installed("include", "spirv-bind", name))
                     for name in ("spirv_bind.h", "host.h", "workspace.h", "plugin.h"))
    declared, version = {}, None
    for line in re.findall(r"^/\* Since (\S+) \*/$|^SPB_API\s[^;]*?\b(spb_\w+)\(", header, re.M):
        if line[0]:
            version = line[0]
        else:
            declared[line[1]] = version
    expected = {"%s@@SPIRV_BIND_%s" % item for item in declared.items()}
    found = exported(installed("lib", "libspirv-bind.so"))
    if not expected or found != expected:
        raise Failure("exported but not declared: %s\ndeclared but not exported (src/lib/exports.map): %s" %
                      (sorted(found - expected), sorted(expected - found)))


def test_soname(_):
    said = run("readelf", "-d", installed("lib", "libspirv-bind.so")).stdout
    if "soname: [libspirv-bind.so.0.1]" not in said:
        raise Failure("the soname is not libspirv-bind.so.0.1:\n" + said)
    installed("lib", "libspirv-bind.so.0.1")
    foreign = [name for name in needed(installed("lib", "libspirv-bind.so"))
               if not re.match(r"lib(c|m|stdc\+\+|gcc_s|asan|ubsan|SPIRV-Tools\S*)\.so|ld-linux", name)]
    if foreign:
        raise Failure("it needs %s" % foreign)


def test_pkg_config_shared(folder):
    program = os.path.join(folder, "bind")
    run("c++", "-x", "c++", "-fsyntax-only", os.path.join(EXAMPLES, "bind.c"), *flags("--cflags"))  # also for C++
    run("cc", os.path.join(EXAMPLES, "bind.c"), "-o", program, *flags("--cflags", "--libs"))
    if "libspirv-bind.so.0.1" not in needed(program):
        raise Failure("it needs %s" % needed(program))
    if any(name.startswith("libstdc++") for name in needed(program)):
        raise Failure("a C program that uses the shared library links the C++ runtime itself")
    check_program(program, folder)


def test_pkg_config_static(folder):
    """--static lists everything that the static library needs, including the C++ runtime: a C compiler links it."""
    program = os.path.join(folder, "bind")
    run("cc", "-static", os.path.join(EXAMPLES, "bind.c"), "-o", program, *flags("--static", "--cflags", "--libs"))
    if needed(program):
        raise Failure("it needs %s" % needed(program))
    check_program(program, folder)


def test_moved_prefix(folder):
    """A prefix that was moved after the installation still works."""
    moved = os.path.join(folder, "moved")
    shutil.copytree(os.path.join(PREFIX, "lib", "pkgconfig"), os.path.join(moved, "lib", "pkgconfig"))
    said = run(tool("pkg-config"), "--cflags", "spirv-bind",
               env=dict(os.environ, PKG_CONFIG_PATH=os.path.join(moved, "lib", "pkgconfig"))).stdout
    include = re.search(r"-I(\S+)", said)
    if not include or not os.path.realpath(include[1]).startswith(os.path.realpath(moved)):
        raise Failure("pkg-config says %s" % said)


def configure(source, folder, *options):
    build = os.path.join(folder, "build")
    run("cmake", "-G", "Ninja", "-S", source, "-B", build, *options, env=environment())
    return build


def check_cmake(folder, *options):
    build = configure(os.path.join(EXAMPLES, "cmake"), folder, *options)
    run("cmake", "--build", build)
    check_program(os.path.join(build, "bind"), folder)
    return needed(os.path.join(build, "bind"))


def test_cmake(folder):
    if "libspirv-bind.so.0.1" not in check_cmake(folder):
        raise Failure("find_package does not give the shared library")


def test_cmake_static(folder):
    """With BUILD_SHARED_LIBS=OFF, in a project without C++."""
    if "libspirv-bind.so.0.1" in check_cmake(folder, "-DBUILD_SHARED_LIBS=OFF"):
        raise Failure("find_package gives the shared library in spite of BUILD_SHARED_LIBS=OFF")


def test_cmake_components(folder):
    """A missing component is an error, existing ones have targets, and the command can be run."""
    write(os.path.join(folder, "CMakeLists.txt"), """
cmake_minimum_required(VERSION 3.20)
project(consumer LANGUAGES C)
find_package(spirv-bind 0.1 REQUIRED CONFIG COMPONENTS shared static cli)
foreach(target spirv-bind static shared cli)
    if(NOT TARGET spirv-bind::${target})
        message(FATAL_ERROR "there is no ${target}")
    endif()
endforeach()
get_target_property(command spirv-bind::cli IMPORTED_LOCATION_RELEASE)
execute_process(COMMAND ${command} --version COMMAND_ERROR_IS_FATAL ANY)
find_package(spirv-bind 0.1 CONFIG COMPONENTS nonsense)
if(spirv-bind_FOUND)
    message(FATAL_ERROR "a component that does not exist is found")
endif()
find_package(spirv-bind 0.2 QUIET CONFIG)
if(spirv-bind_FOUND)
    message(FATAL_ERROR "another minor version is found")
endif()
""")
    configure(folder, folder)


def test_cmake_subdirectory(folder):
    """From source, in a project without C++: no tests, nothing to install, no options changed. Only what is used would
    be built; that it can be linked is in the long runs."""
    build = configure(os.path.join(EXAMPLES, "cmake"), folder, "-DSPIRV_BIND_SOURCE=" + ROOT)
    listed = run("ctest", "--test-dir", build, "-N", expect=None).stdout
    if re.search(r"Test +#", listed):
        raise Failure("the tests of spirv-bind are registered:\n" + listed)
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", read_text(os.path.join(build, "CMakeCache.txt")), re.M))
    ours = [name for name in cache if re.search(r"^(GLSLC|CMOCKA|JANSSON)", name)]
    if cache.get("CMAKE_BUILD_TYPE") or cache.get("BUILD_SHARED_LIBS") or ours:
        raise Failure("the cache has %s" % (ours or "CMAKE_BUILD_TYPE or BUILD_SHARED_LIBS"))
    if "spirv_bind.h" in read_text(os.path.join(build, "spirv-bind", "cmake_install.cmake")):
        raise Failure("the project would install spirv-bind")
    steps = run("ninja", "-C", build, "-t", "commands").stdout
    if "spirv-bind-cli" in steps or ".so" in steps or "libspirv-bind.a" not in steps:
        raise Failure("what is not used is built, or what is used is not:\n" + steps[-2000:])


def test_cmake_without_jansson(folder):
    """Vendored for its library, in a project in C++ that has no jansson. Nothing leaks into the project: no flags, no
    option that is not ours, no step that it does not ask for."""
    write(os.path.join(folder, "vendoring.cc"),
          "#include <spirv-bind/spirv_bind.h>\nint main() { return spb_version() == 0; }\n")
    write(os.path.join(folder, "CMakeLists.txt"), """cmake_minimum_required(VERSION 3.20)
project(vendored CXX)
add_subdirectory("%s" spirv-bind)
add_executable(game vendoring.cc)
target_link_libraries(game PRIVATE spirv-bind::spirv-bind)
""" % ROOT)
    hidden = "-DSPB_JANSSON_INCLUDE=SPB_JANSSON_INCLUDE-NOTFOUND", "-DCMAKE_IGNORE_PATH=/usr/include;/usr/local/include"
    build = configure(folder, folder, *hidden)
    commands = run("ninja", "-C", build, "-t", "commands", "game").stdout
    own = [line for line in commands.splitlines() if " -c " in line and "vendoring.cc" in line]
    if len(own) != 1 or "-W" in own[0] or "-f" in own[0].split(" -MD")[0] or "libspirv-bind.a" not in commands:
        raise Failure("the project's own file is compiled by %s" % own)
    if "cli" in run("ninja", "-C", build, "-t", "targets", "all").stdout.replace("CMakeFiles/spirv-bind-cli", "cli"):
        raise Failure("the command would be built")
    cache = re.findall(r"^([\w-]+):(?!INTERNAL|STATIC)\w+=", read_text(os.path.join(build, "CMakeCache.txt")), re.M)
    foreign = [name for name in cache if not re.match("CMAKE_|SPB_|SPIRV-Tools_DIR", name)]
    if foreign:
        raise Failure("the cache has %s" % foreign)
    if os.environ.get("SPB_TEST_ALL"):  # 200 files
        run("cmake", "--build", build, "--target", "game")
        run(os.path.join(build, "game"))
    write(os.path.join(folder, "CMakeLists.txt"), read_text(os.path.join(folder, "CMakeLists.txt")) +
          "spirv_bind_program(TARGET lit SOURCES lit.frag)\n")
    said = run("cmake", build, env=environment(), expect=1).stderr
    if "building it needs jansson" not in said:
        raise Failure("it is not said that the command is missing: " + said)


def test_cmake_fetch_content(folder):
    """As with add_subdirectory, and spirv_bind_program is there. Nothing is fetched: the source is a folder."""
    write(os.path.join(folder, "CMakeLists.txt"), """
cmake_minimum_required(VERSION 3.20)
project(game LANGUAGES C)
include(FetchContent)
FetchContent_Declare(spirv-bind SOURCE_DIR "%s")
FetchContent_MakeAvailable(spirv-bind)
add_executable(bind "%s")
target_link_libraries(bind PRIVATE spirv-bind::spirv-bind)
spirv_bind_program(TARGET lit SOURCES lit.comp HEADER lit.h)
add_subdirectory(more)
""" % (ROOT, os.path.join(EXAMPLES, "bind.c")))
    write(os.path.join(folder, "lit.comp"), "#version 450\nvoid main() {}\n")
    os.mkdir(os.path.join(folder, "more"))
    write(os.path.join(folder, "more", "CMakeLists.txt"), "spirv_bind_program(TARGET more SOURCES ../lit.comp)")
    build = configure(folder, folder)
    steps = {name: run("ninja", "-C", build, "-t", "commands", name).stdout for name in ("bind", "lit", "more")}
    for name in ("lit", "more"):
        if "-I" + os.path.join(ROOT, "include", "glsl") not in steps[name]:
            raise Failure("%s cannot include descriptor_handle.glsl:\n%s" % (name, steps[name]))
    if "libspirv-bind.a" not in steps["bind"] or "main.c" in steps["bind"] or "/cli/main.c" not in steps["lit"]:
        raise Failure("what is not used is built, or what is used is not:\n%s" % steps)
    if re.search(r"Test +#", run("ctest", "--test-dir", build, "-N", expect=None).stdout):
        raise Failure("the tests of spirv-bind are registered")
    if os.environ.get("SPB_TEST_ALL"):
        run("cmake", "--build", build, "--target", "bind", "lit")
        check_program(os.path.join(build, "bind"), folder)


PROJECT = """cmake_minimum_required(VERSION 3.20)
project(game LANGUAGES C)
find_package(spirv-bind 0.1 REQUIRED CONFIG COMPONENTS cli)
spirv_bind_program(TARGET lit SOURCES "lit one.vert" lit.frag LOCK lit.lock POLICIES rules.policy INCLUDES include
    DEFINES LIGHT=tint TARGET_ENV vulkan1.2 LAYOUT lit.json HEADER layouts/lit.h REPORT lit.html OPTIONS --strip-debug)
add_executable(app app.c)
target_link_libraries(app PRIVATE lit-header)
"""

APP = """#include "lit.h"
#include <stdio.h>
int main(void) { printf("%d\\n", lit_Tint_binding); return 0; }
"""


class Compiler:
    """glslangValidator in front of the real one, which counts its runs."""

    def __init__(self, folder):
        self.log = write(os.path.join(folder, "runs"), "")
        path = write(os.path.join(folder, "glslangValidator"), '#!/bin/sh\necho "$*" >> "%s"\nexec %s "$@"\n' %
                     (self.log, shutil.which(tool("glslangValidator"))))
        os.chmod(path, 0o755)
        self.environment = environment()
        self.environment["PATH"] = folder + ":" + self.environment["PATH"]

    def runs(self):
        """The sources compiled since the last call."""
        names = [os.path.basename(line.split("/")[-1]) for line in read_text(self.log).splitlines()]
        write(self.log, "")
        return sorted(names)


def wait_for_next_second():
    """What was edited in the second in which it is compiled is not cached."""
    time.sleep(1 - time.time() % 1)


class Project:
    """A project of CMake in folders with blanks."""

    def __init__(self, folder, generator, text):
        self.source, self.build = os.path.join(folder, "a source"), os.path.join(folder, "a build")
        os.makedirs(os.path.join(self.source, "include"))
        self.compiler = Compiler(folder)
        self.put("CMakeLists.txt", text)
        self.generator = generator

    def put(self, name, text):
        return write(os.path.join(self.source, name), text)

    def configure(self, **more):
        return run("cmake", "-G", self.generator, "-S", self.source, "-B", self.build, env=self.compiler.environment,
                   **more)

    def make(self, *targets):
        return run("cmake", "--build", self.build, *(["--target", *targets] if targets else []), "-j2",
                   env=self.compiler.environment).stdout

    def fails(self, *targets):
        """What a build says that has to fail."""
        done = run("cmake", "--build", self.build, *(["--target", *targets] if targets else []), expect=None,
                   env=self.compiler.environment)
        if not done.returncode:
            raise Failure("this passes: %s\n%s" % (targets, done.stdout))
        return done.stdout + done.stderr

    def made(self):
        said = self.make()
        return tuple(len(x) if isinstance(x, list) else said.count(x) for x in
                     (self.compiler.runs(), "Binding ", "Building C object"))

    def expect(self, what, count):
        if count[0]:
            wait_for_next_second()
        found = self.made()
        if found != count or self.made() != (0, 0, 0):
            raise Failure("%s, after %s: compiled, bound and used %s times, expected %s, and then nothing" %
                          (self.generator, what, found, count))


def check_rebuilds(folder, generator):
    """Edits a header, a policy and a lock, one after the other: counts what is compiled and bound again, and checks
    that nothing is left to do after each."""
    project = Project(folder, generator, PROJECT)
    put, expect, build = project.put, project.expect, project.build
    put("app.c", APP)
    header = put("include/light.glsl", "uniform Tint { vec4 tint; };\n")
    put("lit one.vert", "#version 450\nvoid main() { gl_Position = vec4(0); }\n")
    put("lit.frag", "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
        "#include \"descriptor_handle.glsl\"\n"
        "#include \"light.glsl\"\nlayout(location = 0) out vec4 color;\nvoid main() { color = LIGHT; }\n")
    policy = put("rules.policy", "place name=Tint -> binding=5\n")
    project.configure()
    expect("the first build", (2, 1, 1))
    for binding in ("6", "5"):
        put("rules.policy", "place name=Tint -> binding=%s\n" % binding)
        expect("another binding", (0, 1, 1))
        if run(os.path.join(build, "app")).stdout.strip() != binding:
            raise Failure("the program has not the numbers of the header")
    if '"binding": 5' not in read_text(os.path.join(build, "lit.json")) or "<html" not in read_text(
            os.path.join(build, "lit.html")):
        raise Failure("the policy has no effect, or there is no report")
    project.make("lit-update-lock")
    lock = os.path.join(project.source, "lit.lock")
    expect("the lock is there", (0, 1, 0))  # without running CMake again
    keeping = write(policy, read_text(policy).replace("5", "7"))
    said = project.fails()
    if "lit.lock:1:1: error: the lock file would change" not in said:
        raise Failure("the lock is not kept: %s moves what it has\n%s" % (keeping, said))
    write(policy, read_text(policy).replace("7", "5"))
    project.made()
    bound = os.path.join(build, "lit", "lit.frag.spv")
    if "; Version: 1.5" not in run("spirv-dis", bound).stdout:
        raise Failure("TARGET_ENV has no effect")
    age = os.stat(bound).st_mtime_ns
    for path, comment, count in ((header, "// edited", (1, 1, 0)), (policy, "# edited", (0, 1, 0)),
                                 (lock, "# edited", (0, 1, 0))):
        write(path, read_text(path) + comment + "\n")
        expect("an edit of " + os.path.basename(path), count)
    if os.stat(bound).st_mtime_ns != age:
        raise Failure("a module that did not change has been written again")
    write(header, read_text(header).replace("vec4 tint", "vec4 other, tint"))
    expect("a change", (1, 1, 1))  # the struct in the header has another member
    if os.stat(bound).st_mtime_ns == age:
        raise Failure("a module that changed has not been written")
    put("lit.frag", read_text(os.path.join(project.source, "lit.frag")).replace("LIGHT;", "LIGHT + ;"))
    said = re.search(r"^/.*lit\.frag:.*$", project.fails(), re.M)
    if not said or "error: " not in said[0] or "lit.frag:6:" not in said[0]:
        raise Failure("a broken shader does not say where: %s" % said)


PROGRAMS = """cmake_minimum_required(VERSION 3.20)
project(game LANGUAGES C)
find_package(spirv-bind 0.1 REQUIRED CONFIG COMPONENTS cli)
spirv_bind_program(TARGET sky SOURCES full.vert sky.frag LOCK game.lock LOCKED)
spirv_bind_program(TARGET sea SOURCES full.vert sea.frag LOCK game.lock LOCKED)
spirv_bind_program(TARGET blur SOURCES -S comp -e BlurX blur.hlsl LOCK game.lock LOCKED OPTIONS --rules=hlsl)
spirv_bind_program(TARGET grade SOURCES grade.frag.hlsl ENTRY PSMain LOCK game.lock LOCKED OPTIONS --rules=hlsl)
"""
IMAGE = "#version 450\nuniform sampler2D %s;\nlayout(location = 0) out vec4 color;\n" \
        "void main() { color = texture(%s, vec2(0)); }\n"


def put_programs(project):
    project.put("full.vert", "#version 450\nuniform Camera { mat4 view; };\n"
                "void main() { gl_Position = view * vec4(gl_VertexIndex); }\n")
    project.put("sky.frag", IMAGE % ("sky", "sky"))
    project.put("sea.frag", IMAGE % ("sea", "sea"))
    project.put("blur.hlsl", "RWTexture2D<float4> target : register(u0); Texture2D from : register(t0);\n"
                "[numthreads(8, 8, 1)] void BlurX(uint3 i : SV_DispatchThreadID) { target[i.xy] = from[i.xy]; }\n")
    project.put("grade.frag.hlsl", "Texture2D from : register(t0);\n"
                "float4 PSMain() : SV_Target { return from.Load(int3(0, 0, 0)); }\n")


def test_program_lock(folder):
    """Several programs, in GLSL and HLSL, have one lock. A shader of two of them is compiled once, also by builds that
    begin at the same time."""
    project = Project(folder, "Ninja", PROGRAMS)
    put_programs(project)
    project.configure()
    for target in ((), ("spirv-bind-check-locks",)):
        if "cannot read " not in project.fails(*target):
            raise Failure("a lock that is not there is not reported")
    project.compiler.runs()
    project.make("spirv-bind-update-locks")
    project.make("spirv-bind-check-locks")
    project.made()
    wait_for_next_second()
    project.make("clean")
    project.compiler.runs()
    project.make()
    found = project.compiler.runs()
    if found != ["blur.hlsl", "full.vert", "grade.frag.hlsl", "sea.frag", "sky.frag"]:
        raise Failure("compiled more than once, or not at all: %s" % found)
    lock = read_text(os.path.join(project.source, "game.lock"))
    named = re.findall(r"^resource (\w+) program=(\w+) set=0 binding=(\d)", lock, re.M)
    if sorted(named) != [("Camera", "sea", "0"), ("Camera", "sky", "0"), ("from", "blur", "0"), ("from", "grade", "0"),
                         ("sea", "sea", "1"), ("sky", "sky", "1"), ("target", "blur", "1")]:
        raise Failure("the lock has %s" % named)
    for name in ("sky/full.vert", "sea/sea.frag", "blur/blur.hlsl.comp", "grade/grade.frag.hlsl"):
        run("spirv-val", os.path.join(project.build, name + ".spv"))
    project.put("sea.frag", IMAGE % ("sea, foam", "sea"))
    wait_for_next_second()
    said = project.fails()
    if "foam" not in said or "sky" in said:
        raise Failure("LOCKED accepts another resource:\n" + said)
    if "foam" not in project.fails("sea-check-lock"):
        raise Failure("sea-check-lock accepts another resource")
    project.make("sky-check-lock")
    project.make("sea-update-lock")
    project.compiler.runs()
    after = read_text(os.path.join(project.source, "game.lock"))
    if re.sub("resource foam.*\n", "", after) != lock or "foam program=sea set=0 binding=2" not in after:
        raise Failure("the lines of other programs have changed:\n" + after)
    project.expect("the lock has the new resource", (0, 4, 0))


def test_program_manifest(folder):
    """The programs of a manifest, with a header for each, one lock and a page."""
    for generator in ("Ninja", "Unix Makefiles"):
        below = os.path.join(folder, generator)
        os.mkdir(below)
        project = Project(below, generator, """cmake_minimum_required(VERSION 3.20)
project(game LANGUAGES C)
find_package(spirv-bind 0.1 REQUIRED CONFIG COMPONENTS cli)
spirv_bind_program(TARGET game MANIFEST game.manifest LOCK game.lock HEADER headers/%.h LAYOUT game.json
    REPORT game.html)
add_executable(app app.c)
target_link_libraries(app PRIVATE game-header)
""")
        put_programs(project)
        project.put("game.manifest", "share set=0\ninclude more.manifest\nprogram sky: full.vert sky.frag\n")
        more = project.put("more.manifest", 'program "sea": full.vert sea.frag\n')
        project.put("app.c", '#include "sky.h"\n#include "sea.h"\n#include <stdio.h>\n'
                    'int main(void) { printf("%d %d\\n", sky_sky_binding, sea_sea_binding); return 0; }\n')
        project.configure()
        project.expect("the first build", (3, 1, 1))
        app = os.path.join(project.build, "app")
        if run(app).stdout != "2 1\n":
            raise Failure("the program has " + run(app).stdout)
        project.make("game-update-lock")
        project.expect("the lock is there", (0, 1, 0))
        project.put("sea.frag", IMAGE % ("foam, sea", "sea"))
        project.expect("a new resource", (1, 1, 1))
        if run(app).stdout != "2 1\n" or not os.path.exists(os.path.join(project.build, "game", "sea", "sea.frag.spv")):
            raise Failure("the lock is not kept: " + run(app).stdout)
        write(more, 'program "sea": full.vert sea.frag --policy="place name=foam -> binding=9"\n')
        project.expect("an edit of the manifest", (0, 1, 1))
    project.put("CMakeLists.txt", read_text(os.path.join(project.source, "CMakeLists.txt")).replace("%", "x"))
    if "has to contain %" not in project.configure(expect=None).stderr:
        raise Failure("a header for two programs is accepted")


def test_program_glslc(folder):
    """With the other compiler alone."""
    project = Project(folder, "Ninja", PROGRAMS.replace("LOCKED", ""))
    put_programs(project)
    project.configure()
    tools = os.path.join(folder, "tools")
    os.mkdir(tools)
    for name in ("glslc", "cmake", "ninja"):
        os.symlink(shutil.which(tool(name)), os.path.join(tools, name))
    project.compiler.environment["PATH"] = tools
    project.expect("the first build", (0, 4, 0))
    run("spirv-val", os.path.join(project.build, "grade", "grade.frag.hlsl.spv"))


def test_program_ninja(folder):
    check_rebuilds(folder, "Ninja")


def test_program_make(folder):
    check_rebuilds(folder, "Unix Makefiles")


# Input files, a comment in their language, and how often the recipes compile and bind again after an edit.
EDITS = (("../shader.comp", "// edited", (1, 1)), ("../scale.glsl", "// edited", (1, 1)),
         ("engine.policy", "# edited", (0, 1)), ("engine.lock", "# edited", (0, 1)))


def check_recipe(folder, *command):
    """A recipe of docs/building.md without CMake: the same edits."""
    work = os.path.join(folder, "examples")
    shutil.copytree(EXAMPLES, work)
    here = os.path.join(work, command[0])

    def expect(what, count):
        for times in (count, (0, 0)):
            said = run(*command, cwd=here, env=environment()).stdout
            found = said.count("glslangValidator"), said.count("spirv-bind ")
            if found != times:
                raise Failure("after %s: compiled and bound %s times, expected %s:\n%s" % (what, found, times, said))

    expect("nothing", (1, 1))
    for path, comment, count in EDITS:
        path = os.path.join(here, path)
        write(path, read_text(path) + comment + "\n")
        expect("an edit of " + os.path.basename(path), count)
    lock = os.path.join(here, "engine.lock")
    before = read_text(lock)
    write(lock, re.sub("(?m)^resource.*\n", "", before))
    expect("a lock that has lost its lines", (0, 1))
    run(*command, "update-lock", cwd=here, env=environment())
    if read_text(lock) != before.replace("# edited\n", ""):
        raise Failure("the lock has been written as\n" + read_text(lock))
    expect("the lock has them again", (0, 1))
    bound = os.path.join(here, "build", "bound", "shader.comp.spv")
    age = os.stat(bound).st_mtime_ns
    write(lock, before)
    expect("another edit of the lock", (0, 1))
    if os.stat(bound).st_mtime_ns != age:
        raise Failure("a module that did not change has been written again")


def test_recipe_make(folder):
    check_recipe(folder, "make")


def test_recipe_ninja(folder):
    check_recipe(folder, "ninja", "-v")


def test_recipe_meson(folder):
    """The same edits, and a policy that gives another number: then the program that has the header is compiled, too."""
    work = os.path.join(folder, "examples")
    shutil.copytree(EXAMPLES, work)
    source, build = os.path.join(work, "meson-shaders"), os.path.join(folder, "build")
    run(tool("meson"), "setup", build, source, env=environment())

    def expect(what, count):
        for times in (count, (0, 0, 0)):
            said = run("ninja", "-C", build, "-v", env=environment()).stdout
            found = tuple(len(re.findall(line, said)) for line in (r"/glslangValidator ", r"/spirv-bind ", r" -c "))
            if found != times:
                raise Failure("after %s: compiled, bound and used %s times, expected %s:\n%s" %
                              (what, found, times, said))

    expect("nothing", (1, 1, 1))
    for path, comment, count in EDITS:
        path = os.path.join(source, path)
        write(path, read_text(path) + comment + "\n")
        expect("an edit of " + os.path.basename(path), (*count, 0))
    policy, lock = os.path.join(source, "engine.policy"), os.path.join(source, "engine.lock")
    write(policy, "place -> range=11..20\n")
    write(lock, re.sub("(?m)^resource.*\n", "", read_text(lock)))
    expect("other numbers", (0, 1, 1))
    if run(os.path.join(build, "app")).stdout != "set 0, binding 11\n":
        raise Failure("the program has not the numbers of the header")
    run("ninja", "-C", build, "update-lock", env=environment())
    if "set=0 binding=11" not in read_text(lock):
        raise Failure("the lock has been written as\n" + read_text(lock))
    expect("the lock has the numbers", (0, 1, 0))


def test_layout_glsl(folder):
    """A shader that uses the macros of --layout-glsl has the numbers of the bound one."""
    macros, bound = os.path.join(folder, "tint.glsl"), os.path.join(folder, "bound.spv")
    run(installed("bin", "spirv-bind"), shader(folder), "-o", bound, "--rebind=all", "--policy=option default-set=3",
        "--layout-glsl=" + macros)
    source = write(os.path.join(folder, "other.frag"), """#version 450
#extension GL_GOOGLE_include_directive : require
#include "tint.glsl"
layout(set = tint_albedo_set, binding = tint_albedo_binding) uniform sampler2D albedo[tint_albedo_count];
layout(location = 0) out vec4 color;
void main() { color = texture(albedo[0], vec2(0.5)); }
""")
    run("glslangValidator", "-V", "--quiet", source, "-o", os.path.join(folder, "other.spv"))
    places = [sorted(re.findall(r"Decorate \S+ (DescriptorSet|Binding) (\d+)", run("spirv-dis", path).stdout))
              for path in (bound, os.path.join(folder, "other.spv"))]
    if places[0] != places[1] or len(places[0]) != 2:
        raise Failure("the places are %s" % places)


def meson_project(folder):
    source = os.path.join(folder, "source")
    shutil.copytree(os.path.join(EXAMPLES, "meson"), source)
    shutil.copy(os.path.join(EXAMPLES, "bind.c"), source)
    return source, os.path.join(folder, "build")


def test_meson_subproject(folder):
    """From source, without an installed library: configures, and checks what would be built."""
    source, build = meson_project(folder)
    os.mkdir(os.path.join(source, "subprojects"))
    os.symlink(ROOT, os.path.join(source, "subprojects", "spirv-bind"))
    run(tool("meson"), "setup", build, source, "--force-fallback-for=spirv-bind", "-Ddefault_library=static")
    steps = run("ninja", "-C", build, "-n", "bind").stdout
    compiled = len(re.findall(r"Compiling C object subprojects/spirv-bind/", steps))
    ours = sum(name.endswith(".c") for room in ("base", "ir", "analysis", "pass", "lib")
               for _, _, names in os.walk(os.path.join(ROOT, "src", room)) for name in names)
    if compiled != ours:
        raise Failure("%d of %d files are compiled" % (compiled, ours))
    left = run("meson", "introspect", "--tests", build).stdout + run("meson", "introspect", "--installed", build).stdout
    if "spirv" in left:
        raise Failure("the project would test or install spirv-bind: " + left)


def test_page(folder):
    """The blocks of docs/building.md work as described."""
    work = os.path.join(folder, "examples")
    shutil.copytree(EXAMPLES, work)
    page = read_text(os.path.join(ROOT, "docs", "building.md"))
    blocks = re.findall(r"^```sh not-run\n(.*?)^```$", page, re.M | re.S)
    tool("meson")
    write(os.path.join(work, "sky.hlsl"), "float4 VSMain() : SV_Position { return 0; }\n"
          "float4 PSMain() : SV_Target { return 0; }\n")
    run("bash", "-euo", "pipefail", "-c", "\n".join(blocks), cwd=work, env=environment())
    for program in ("bind", "bind-static", "build-cmake/bind", "build-meson/bind"):
        check_program(os.path.join(work, program), folder)


def test_files(_):
    """Man pages, completions and headers are in the usual places."""
    for path in ("bin/spirv-bind", "share/man/man1/spirv-bind.1", "include/spirv-bind/spirv_bind.h",
                 "include/spirv-bind/layout.schema.json", "share/spirv-bind/glsl/descriptor_handle.glsl",
                 "share/spirv-bind/glsl/typed_handle.glsl", "share/spirv-bind/hlsl/descriptor_handle.hlsli",
                 "share/spirv-bind/slang/descriptor_handle.slang",
                 "include/spirv-bind/descriptor_handle.h",
                 "include/spirv-bind/host.h", "include/spirv-bind/workspace.h",
                 "share/bash-completion/completions/spirv-bind", "share/zsh/site-functions/_spirv-bind",
                 "share/fish/vendor_completions.d/spirv-bind.fish", "share/doc/spirv-bind/docs/building.md",
                 "share/doc/spirv-bind/examples/make/Makefile",
                 "share/doc/spirv-bind/CHANGELOG.md"):
        installed(*path.split("/"))


def test_command_finds_its_files(folder):
    """Where the prefix is another than that of the build, as in an archive that is unpacked anywhere: the headers for
    shaders, and the page that a log links to."""
    command = installed("bin", "spirv-bind")
    source = write(os.path.join(folder, "handles.comp"), """#version 450
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
void main() {}
""")
    run(command, source, "-o", os.path.join(folder, "handles.spv"))
    said = run(command, "--diagnostics=sarif", write(os.path.join(folder, "none.spv"), "none"), "-o", "-", expect=None)
    page = re.search(r'"helpUri": ?"file://([^"#]*)#spb', said.stdout + said.stderr)
    manual = installed("share", "doc", "spirv-bind", "docs", "messages.md")
    if not page or os.path.realpath(page[1]) != os.path.realpath(manual):
        raise Failure("the log links to %s" % (page and page[1]))


def main():
    global BUILD, PREFIX
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--bind")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    running.BIND = args.bind
    BUILD = args.build
    tests = [(name, function) for name, function in sorted(globals().items())
             if name.startswith("test_") and args.only in name]
    failed = []
    with tempfile.TemporaryDirectory(prefix="spb-newcomers-") as folder:
        PREFIX = os.path.join(folder, "prefix")
        run("cmake", "--install", BUILD, "--prefix", PREFIX)
        for name, function in tests:
            os.mkdir(os.path.join(folder, name))
            try:
                function(os.path.join(folder, name))
            except (Failure, subprocess.TimeoutExpired) as error:
                failed.append("%s: %s" % (name, error))
    print("\n".join(failed + ["%d tests, %d failed" % (len(tests), len(failed))]))
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
