# SPDX-License-Identifier: Apache-2.0
"""Shared by the scripts that execute shaders on one driver."""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import running  # noqa: E402


def run(*command, expect=(0,), **more):
    """The output of a command; ends the test if its exit status is unexpected."""
    done = running.run(*command, expect=None, **more)
    if done.returncode not in expect:
        sys.exit("%s\n%s" % (" ".join(command), done.stdout + done.stderr))
    return done.stdout + done.stderr


def parser():
    """--bind: the command; --run: the program that executes shaders; --icd: the driver."""
    made = argparse.ArgumentParser()
    for name in ("bind", "run", "icd"):
        made.add_argument("--" + name, required=True)
    return made
