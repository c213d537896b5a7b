# SPDX-License-Identifier: Apache-2.0
"""Runs the functions test_* of a module, each in an empty folder of its own."""
import argparse
import os
import subprocess
import sys
import tempfile
import traceback

BIND = None  # --bind


def bind(*args, expect=0, **more):
    done = subprocess.run([BIND, *args], capture_output=True, text=True, **more)
    assert done.returncode == expect, "spirv-bind %s\nexit %d, expected %d\n%s%s" % (
        " ".join(args), done.returncode, expect, done.stdout, done.stderr)
    return done


def main(names):
    global BIND
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    BIND = os.path.abspath(args.bind)
    passed, failed = 0, 0
    for name, test in list(names.items()):
        if not name.startswith("test_") or args.only not in name:
            continue
        with tempfile.TemporaryDirectory() as tmp:
            os.chdir(tmp)
            try:
                test()
                passed += 1
            except Exception:  # a check that breaks has failed, too
                failed += 1
                print("FAILED %s\n%s" % (name, traceback.format_exc(limit=-2)))
            os.chdir("/")
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)
