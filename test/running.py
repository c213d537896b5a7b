# SPDX-License-Identifier: Apache-2.0
"""Runs the functions test_* of a module, each in an empty folder of its own."""
import argparse
import os
import sys
import tempfile
import traceback


def main(names, set_command):
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    set_command(os.path.abspath(args.bind))
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
