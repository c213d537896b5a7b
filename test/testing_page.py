# SPDX-License-Identifier: Apache-2.0
"""test/README.md lists every test that is registered, and no other.

    testing_page.py --ctest CTEST --build FOLDER [--part]    --part: a build that leaves out some tests
"""
import argparse
import json
import os
import re
import sys

from running import ROOT, read_text, run

STAGES = "vert|tesc|tese|geom|frag|comp|task|mesh|rgen"


def general(name):
    """The name in the list: without driver, environment and stage."""
    name = re.sub(r"^vulkan\.(lavapipe|swiftshader)\.", "vulkan.DRIVER.", name)
    return re.sub(r"\.(%s)$" % STAGES, ".STAGE", re.sub(r"\.vulkan1\.\d$", "", name))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ctest", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--part", action="store_true")
    args = parser.parse_args()
    known = json.loads(run(args.ctest, "--test-dir", args.build, "--show-only=json-v1").stdout)["tests"]
    registered = {general(test["name"]) for test in known}
    rows = re.findall(r"^\| (`.*?) \|", read_text(os.path.join(ROOT, "test", "README.md")), re.M)
    listed = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    wrong = ["%s has no line in test/README.md" % name for name in sorted(registered - set(listed))]
    wrong += ["%s is listed twice" % name for name in sorted(set(listed)) if listed.count(name) > 1]
    if not args.part:
        wrong += ["test/README.md lists %s, which is not a test" % name for name in sorted(set(listed) - registered)]
    print("\n".join(wrong) or "%d tests, as listed" % len(registered))
    return 1 if wrong or len(registered) < 50 else 0


sys.exit(main())
