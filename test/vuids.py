# SPDX-License-Identifier: Apache-2.0
"""Is every VUID that sources, headers and pages cite one of Vulkan's, by its full name?

The root of Debian sid has the list of a new version, Debian 12's libvulkan-dev that of an older one, since VUIDs may be
dropped."""
import glob
import os
import re
import sys

from running import ROOT, read_text

CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
SID = os.environ.get("SPB_SID_ROOT") or os.path.join(CACHE, "spirv-bind", "sid")
OLDER = "/usr/share/vulkan/registry/validusage.json"
NEWER = SID + OLDER
FOLDERS = ["src/**/*.[ch]", "src/**/*.inc", "include/**/*.h", "docs/*.md", "test/**/*.[ch]", "test/**/*.py"]
VUID = re.compile(r"\bVUID-[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*-(\d{5})\b")


def cited():
    """(VUID, where): the first place of each."""
    found = {}
    for pattern in FOLDERS:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            if os.path.basename(path) == "vuids.py":
                continue
            for n, line in enumerate(read_text(path).splitlines(), 1):
                for match in VUID.finditer(line):
                    found.setdefault(match[0], "%s:%d" % (os.path.relpath(path, ROOT), n))
    return found


def judge(found, known):
    return ["%s: %s is no VUID" % (where, v) for v, where in sorted(found.items()) if v not in known]


def main():
    known = {match[0] for path in (NEWER, OLDER) if os.path.exists(path) for match in VUID.finditer(read_text(path))}
    found = cited()
    assert len(found) > 20 and len(known) > 10000, "%d cited of %d" % (len(found), len(known))
    assert judge({"VUID-RuntimeSpirv-None-1": "x:1"}, known) == ["x:1: VUID-RuntimeSpirv-None-1 is no VUID"]
    wrong = judge(found, known)
    print("\n".join(wrong + ["%d VUIDs cited" % len(found)]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
