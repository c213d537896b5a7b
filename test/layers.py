# SPDX-License-Identifier: Apache-2.0
"""scripts/check_layers.py accepts this tree, and reports each violation that is planted in a copy of it."""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# file, line appended to it, expected text of the report
PLANTED = [
    ("src/pass/shapes/shape_roots.c", '#include "pass/handles/handle_flow.h"', "internal to its room"),
    ("src/lib/options.c", '#include "analysis/layout/plan.h"', "internal to its room"),
    ("src/ir/module.c", '#include "pass/pass.h"', "may not know"),
    ("src/analysis/uniformity/uniformity_solve.c", '#include "analysis/layout/layout.h"', "may not know"),
    ("src/cli/main.c", '#include "ir/ir.h"', "may not know"),
    ("src/layer/loader.c", '#include "ir/ir.h"', "may not know"),
    ("src/layer/loader.c", '#include "cli/os/os.h"', "may not know"),
    ("src/layer/loader.c", "void f(void) { spb_lay_out(); }", "calls spb_lay_out"),
    ("src/cli/main.c", "void f(void) { spb_lay_out(); }", "calls spb_lay_out"),
    ("src/pass/combined/leaves.c", "void f(void) { spb_future_builtins(); }", "calls spb_future_builtins"),
    ("src/ir/query.c", "#include <stdio.h>", "only the command may"),
    ("src/pass/layout.c", "", "file names are unique"),
    ("src/attic/old.c", "", "not a room that this script knows"),
    ("include/spirv-bind/spirv_bind.h", "SPB_API void spb_nowhere(void);", "but not defined"),
]


def check(root):
    script = os.path.join(ROOT, "scripts", "check_layers.py")
    r = subprocess.run([sys.executable, script, root], capture_output=True, text=True)
    return r.returncode, r.stdout + r.stderr


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("src", "include"):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(folder, name))
        status, report = check(folder)
        if status != 0:
            failures.append("the tree as it is:\n" + report)
        for path, line, expected in PLANTED:
            path = os.path.join(folder, path)
            old = None
            if os.path.exists(path):
                with open(path) as f:
                    old = f.read()
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "a") as f:
                f.write(line + "\n")
            status, report = check(folder)
            if status != 1 or expected not in report:
                failures.append("%s with %r is not reported as %r:\n%s" % (path, line, expected, report))
            if old is None:
                os.remove(path)
                if not os.listdir(os.path.dirname(path)):
                    os.rmdir(os.path.dirname(path))
            else:
                with open(path, "w") as f:
                    f.write(old)
    print("\n".join(failures) or "%d planted violations, all reported" % len(PLANTED))
    return 1 if failures else 0


sys.exit(main())
