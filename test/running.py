# SPDX-License-Identifier: Apache-2.0
"""What all tests in Python share: files, processes, the command under test, and a main that runs the functions test_*.

A timeout only ends a process that hangs. No test may fail because the machine is slow or busy."""
import argparse
import os
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FIXTURES = os.path.join(ROOT, "spirv-fixtures")
HANGS = 1200  # seconds
BIND = None  # --bind


class Failure(AssertionError):
    pass


class Skip(Exception):
    """Raised by a test that cannot run on this machine; says why."""


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
    """The same, with bytes in and out. stdin: what the command reads."""
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    more.setdefault("timeout", HANGS)
    if stdin is not None:
        more["input"] = stdin
    done = subprocess.run(command, **more)
    if expect is not None and done.returncode != expect:
        said = "".join(s if isinstance(s, str) else s.decode(errors="replace") for s in (done.stdout, done.stderr) if s)
        raise Failure("%s\nexit %d, expected %d\n%s" % (" ".join(map(str, command)), done.returncode, expect, said))
    return done


def bind(*args, **more):
    return run(BIND, *args, **more)


def bind_bytes(*args, **more):
    return run_bytes(BIND, *args, **more)


class InProcess:
    """Commands that run in one process of test/in_process.c: many start-ups with sanitizers take minutes."""

    def __init__(self, driver, folder):
        self.out, self.err = os.path.join(folder, "in-process.out"), os.path.join(folder, "in-process.err")
        self.process = subprocess.Popen([driver], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *command, expect=0):
        """As run_bytes."""
        fields = "\x1f".join([self.out, self.err, *command])
        assert "\n" not in fields, "a request is one line"
        self.process.stdin.write(fields.encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            said = self.process.communicate()[1] + (read(self.err) if os.path.exists(self.err) else b"")
            print("FAILED: it ended in: %s\n%s" % (" ".join(command), said.decode(errors="replace")[-5000:]))
            sys.exit(1)
        done = subprocess.CompletedProcess(command, int(answer), read(self.out), read(self.err))
        if expect is not None and done.returncode != expect:
            raise Failure("%s\nexit %d, expected %d\n%s" % (" ".join(command), done.returncode, expect,
                                                            done.stderr.decode(errors="replace")))
        return done

    def end(self):
        """What the process says at its end, of leaks above all; nothing if it ends well."""
        said = self.process.communicate()[1].decode(errors="replace")
        return said if self.process.returncode else ""


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
    """Prints the counts and exits: a suite of which nothing ran has not passed."""
    print("%d passed, %d failed" % (passed, failed) + (", %d skipped" % skipped if skipped else ""))
    sys.exit(1 if failed or not passed else 0)


def main(names):
    """Runs the functions test_* of a module, each in an empty folder of its own."""
    global BIND
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--only", default="", help="only the tests whose names contain this")
    args = parser.parse_args()
    BIND = os.path.abspath(args.bind)
    passed, failed, skipped = 0, 0, 0
    for name, test in list(names.items()):
        if not name.startswith("test_") or args.only not in name:
            continue
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
