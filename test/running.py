# SPDX-License-Identifier: Apache-2.0
"""Shared by all Python tests: files, processes, the command under test, and a main that runs the functions test_*.

A timeout only ends a process that hangs. No test may fail because the machine is slow or busy."""
import argparse
import atexit
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FIXTURES = os.path.join(ROOT, "spirv-fixtures")
HANGS = 1200  # seconds
BIND = None  # --bind
WITHOUT_KEPT = os.environ.get("PATH", "")
if os.environ.get("SPB_KEPT_COMPILERS"):  # before the compilers that the command starts: test/kept_compiler.c
    os.environ["PATH"] = os.environ["SPB_KEPT_COMPILERS"] + os.pathsep + WITHOUT_KEPT
os.environ.pop("MAKELEVEL", None)  # a make that runs the tests has none of their outputs as targets


class Failure(AssertionError):
    pass


class Skip(Exception):
    """Raised, with the reason, by a test that cannot run on this machine."""


def read(path):
    with open(path, "rb") as f:
        return f.read()


def read_text(path):
    return read(path).decode()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    return path


def run(*command, expect=0, **more):
    """Runs a command and returns it with its outputs as text; fails unless it exits with `expect` (None: any
    status)."""
    more.setdefault("encoding", "utf-8")
    more.setdefault("errors", "replace")
    return run_bytes(*command, expect=expect, **more)


def run_bytes(*command, expect=0, stdin=None, **more):
    """The same, with bytes in and out. With SPB_IN_PROCESS, tools run within one existing process."""
    command = [os.fsdecode(word) if isinstance(word, (bytes, os.PathLike)) else str(word) for word in command]
    made = Made(command, more) if os.path.basename(command[0]) in COMPILERS and stdin is None else None
    done = made and made.before()
    if done is None:
        done = in_process(command, stdin, more)
    if done is None:
        done = start(command, stdin, more)
    if made:
        made.keep(done)
    if expect is not None and done.returncode != expect:
        said = "".join(s if isinstance(s, str) else s.decode(errors="replace") for s in (done.stdout, done.stderr) if s)
        raise Failure("%s\nexit %d, expected %d\n%s" % (" ".join(command), done.returncode, expect, said))
    return done


@functools.lru_cache(maxsize=None)
def names_of(binary, verb):
    """The options that a verb takes."""
    table = run(binary, verb, "--help=table").stdout
    return {name for line in table.splitlines() for name in line.split("\t")[:2] if name}


def for_verb(binary, verb, options):
    """Those of some options of bind, each one word, that the verb takes, too."""
    return [o for o in options if not o.startswith("-") or o.split("=")[0] in names_of(binary, verb)]


def start(command, stdin, more):
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    more.setdefault("timeout", HANGS)
    if stdin is not None:
        more["input"] = stdin
    return subprocess.run(command, **more)


def most_kilobytes(*command):
    """Runs a command that has to succeed; returns its peak memory. A small process starts it, since a child's memory
    counts from that of its parent on."""
    starter = ("import os, sys; quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]; _, status, usage = "
               "os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet), 0); "
               "print(usage.ru_maxrss); sys.exit(os.waitstatus_to_exitcode(status))")
    done = subprocess.run([sys.executable, "-IS", "-c", starter, *command], stdout=subprocess.PIPE, check=True)
    return int(done.stdout)


COMPILERS = {"glslangValidator", "glslc", "spirv-opt"}
OF_GLSLC = (".vert", ".tesc", ".tese", ".geom", ".frag", ".comp")  # a.comp becomes a.comp.spv, a.mesh a.spv


@functools.lru_cache(maxsize=None)
def identity(tool):
    """Changes with the installed tool."""
    path = shutil.which(tool, path=WITHOUT_KEPT)
    found = os.stat(path) if path else None
    return "%s %d %d" % (tool, found.st_mtime_ns, found.st_size) if found else None


class Made:
    """Outputs of foreign compilers are kept in the user's cache (SPB_COMPILED, which ctest sets), under a hash of the
    compiler, its options, its inputs and every file that may be included, unless there were messages."""

    def __init__(self, command, more):
        self.outs, self.key = [], None
        kept, folder = os.environ.get("SPB_COMPILED"), more.get("cwd") or "."
        if not kept or set(more) - {"encoding", "errors", "cwd", "timeout"} or not identity(command[0]) or any(
                word.startswith(("--dep", "-M")) for word in command):
            return
        self.text, known, named = "encoding" in more, hashlib.sha256(identity(command[0]).encode()), "-g" in command
        folders, sources = [], []
        for at, word in enumerate(command[1:], 1):
            path = os.path.join(folder, word)
            name = word.removeprefix("-I")
            if named and os.path.isabs(name) and command[at - 1] != "-o" and not name.startswith(ROOT + os.sep):
                return  # it may be in the module, and differs each time
            if command[at - 1] == "-o":
                self.outs.append(path)
                word = os.path.splitext(word)[1]
            elif word.startswith("-I"):
                folders.append(os.path.join(folder, name))
                word = word if named else "-I"
            elif not word.startswith("-") and os.path.isfile(path):
                sources.append(path)
                word = word if named else os.path.splitext(word)[1]
            known.update(b"%d " % len(word) + word.encode())
        contents = [read(path) for path in sources]
        if os.path.basename(command[0]) != "spirv-opt":
            contents = with_included(contents, sorted({os.path.dirname(s) for s in sources}) + folders)
        for data in contents or []:
            known.update(b"%d " % len(data) + data)
        if not self.outs and os.path.basename(command[0]) == "glslc":
            self.outs = [source + ".spv" if source.endswith(OF_GLSLC) else os.path.splitext(source)[0] + ".spv"
                         for source in sources]
        if contents and self.outs:
            self.key = os.path.join(kept, known.hexdigest())

    def before(self):
        names = ["%s.%d" % (self.key, i) for i in range(len(self.outs))]
        if not self.key or not all(map(os.path.exists, names)):
            return None
        for name, out in zip(names, self.outs):
            write(out, read(name))
        self.key = None
        nothing = "" if self.text else b""
        return subprocess.CompletedProcess([], 0, nothing, nothing)

    def keep(self, done):
        if not self.key or done.returncode or done.stdout or done.stderr or not all(map(os.path.exists, self.outs)):
            return
        os.makedirs(os.path.dirname(self.key), exist_ok=True)
        for i, out in enumerate(self.outs):
            name = "%s.%d" % (self.key, i)
            passing = "%s.%d.%d" % (name, os.getpid(), threading.get_ident())
            write(passing, read(out))
            os.replace(passing, name)


def with_included(contents, folders):
    """These texts, and all files that they may include from the folders; None: unknown."""
    todo, names, found = list(contents), set(), list(contents)
    while todo:
        for what in re.findall(rb"#[ \t]*include\b[ \t]*(.*)", todo.pop()):
            name = re.match(rb'["<]([^">/\\]+)[">]', what)
            if not name:
                return None
            if name[1] not in names:
                names.add(name[1])
                paths = [os.path.join(folder, os.fsdecode(name[1])) for folder in folders]
                todo += [read(path) for path in paths if os.path.isfile(path)]
                found += [read(path) if os.path.isfile(path) else b"?" for path in paths]
    return found


ELSEWHERE = 125  # in_process.h
SMALL_TOOLS = {"spirv-as", "spirv-dis", "spirv-val", "glslangValidator"}
PROCESSES = {}  # one for each of our processes and threads


def in_process(command, stdin, more):
    """The result of a command in a process of test/in_process.c, or None if it has to be started. The command under
    test is started, too, unless it has sanitizers, which make starting it slow."""
    driver = os.environ.get("SPB_IN_PROCESS")
    inside = os.environ.get("SPB_BIND_IN_PROCESS")
    ours = inside and command[0] in (BIND, inside)
    if not driver or not (ours or command[0] in SMALL_TOOLS) or set(more) - {"encoding", "errors", "cwd", "timeout"}:
        return None
    if len(command) > 200 or any("\n" in word or "\x1f" in word for word in command):
        return None  # a request is one line of 256 fields
    me = (os.getpid(), threading.get_ident())
    if me not in PROCESSES:
        PROCESSES[me] = InProcess(driver)
    done = PROCESSES[me].run(["spirv-bind", *command[1:]] if ours else command, stdin, more.get("cwd"))
    if done.returncode == ELSEWHERE:
        return None
    if "encoding" in more:
        done.stdout = done.stdout.decode(more["encoding"], more["errors"])
        done.stderr = done.stderr.decode(more["encoding"], more["errors"])
    return done


def bind(*args, **more):
    return run(BIND, *args, **more)


def bind_bytes(*args, **more):
    return run_bytes(BIND, *args, **more)


class InProcess:
    """A process of test/in_process.c."""

    def __init__(self, *driver):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.TemporaryDirectory(prefix="in-process.", dir=memory)
        self.files = [os.path.join(self.folder.name, name) for name in ("in", "out", "err")]
        write(self.files[0], b"")
        self.process = subprocess.Popen(driver, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.owner = os.getpid()
        atexit.register(self.end)

    def run(self, command, stdin, folder):
        if stdin or os.path.getsize(self.files[0]):
            write(self.files[0], stdin or b"")
        fields = [os.path.abspath(folder or "."), *self.files, *command]
        self.process.stdin.write(os.fsencode("\x1f".join(fields)) + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            said = self.process.communicate()[1] + read(self.files[2])
            give_up("it ended in: %s\n%s" % (" ".join(command), said.decode(errors="replace")[-5000:]))
        return subprocess.CompletedProcess(command, int(answer), read(self.files[1]), read(self.files[2]))

    def end(self):
        """At its end, the sanitizers report leaks."""
        if self.owner != os.getpid() or self.process.returncode is not None:
            return
        said = self.process.communicate()[1].decode(errors="replace")
        if self.process.returncode:
            give_up("at the end of the process:\n" + said)


def says(text, what, words=""):
    """How many messages of a severity and code there are, as in "error SPB4001", with these words. What else a message
    says is in the example of its code."""
    severity, code = what.split()
    text = text.decode(errors="replace") if isinstance(text, bytes) else text
    return len([line for line in re.findall(r"(?m)^.*?: %s: (.*) \[%s\]$" % (severity, code), text) if words in line])


def give_up(why):
    print("FAILED: " + why, flush=True)
    os._exit(1)


def glslang(source, out, *flags):
    """Compiles GLSL or HLSL; shaders may include descriptor_handle.glsl."""
    run("glslangValidator", "-V", "--quiet", "-I" + os.path.join(ROOT, "include", "glsl"), *flags, source, "-o", out)
    return out


def spirv_as(text, out, env="spv1.3"):
    """Assembles a text, keeping the numbers of its ids."""
    run_bytes("spirv-as", "--preserve-numeric-ids", "--target-env", env, "-", "-o", out,
              stdin=text if isinstance(text, bytes) else text.encode())
    return out


def summary(passed, failed, skipped=0):
    """Prints the counts and exits: a suite in which nothing ran has not passed."""
    print("%d passed, %d failed" % (passed, failed) + (", %d skipped" % skipped if skipped else ""))
    sys.exit(1 if failed or not passed else 0)


def run_cases(cases, only=""):
    """Runs the functions in (name, function) whose names contain `only`. -> how many passed and failed"""
    passed, failed = 0, 0
    for name, case in cases:
        if only not in name:
            continue
        try:
            case()
            passed += 1
        except Exception as e:  # a check that breaks has failed, too
            failed += 1
            print("FAILED %s\n%s: %s" % (name, type(e).__name__, e))
    return passed, failed


def main(names):
    """Runs the functions test_* of a module, each in an empty folder of its own."""
    global BIND
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--only", default="", help="the test of that name, else those whose names contain this")
    parser.add_argument("--list", action="store_true", help="print their names, and run none")
    args = parser.parse_args()
    BIND = os.path.abspath(args.bind)
    tests = {name: test for name, test in names.items() if name.startswith("test_") and args.only in name}
    if args.only in tests:
        tests = {args.only: tests[args.only]}
    if args.list:
        print("\n".join(tests))
        return
    passed, failed, skipped = 0, 0, 0
    for name, test in tests.items():
        with tempfile.TemporaryDirectory() as tmp:
            os.chdir(tmp)
            try:
                test()
                passed += 1
            except Skip as why:
                skipped += 1
                print("skipped %s: %s" % (name, why))
            except Exception:  # a check that breaks has failed, too
                failed += 1
                print("FAILED %s\n%s" % (name, traceback.format_exc(limit=-3)))
            os.chdir("/")
    summary(passed, failed, skipped)
