#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""base <- ir <- analysis <- pass <- lib: a layer includes itself and those before it. cli: the public header only."""
import os
import re
import sys

LAYERS = ["base", "ir", "analysis", "pass", "lib"]
SRC = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
wrong, files = [], 0
for layer in LAYERS + ["cli"]:
    for name in sorted(os.listdir(os.path.join(SRC, layer))):
        if not name.endswith((".c", ".h")):
            continue
        files += 1
        with open(os.path.join(SRC, layer, name)) as f:
            text = f.read()
        place = "src/%s/%s" % (layer, name)
        for include in re.findall(r'#include [<"]([^>"]+)[>"]', text):
            first = include.split("/")[0]
            if first in LAYERS and (layer == "cli" or LAYERS.index(first) > LAYERS.index(layer)):
                wrong.append("%s includes %s, which is above it" % (place, include))
            if first == "spirv-tools" and place not in ("src/lib/validate.c", "src/cli/resolvers.c"):
                wrong.append("%s includes %s; only lib/validate.c and cli/resolvers.c may" % (place, include))
            if include == "stdio.h" and layer != "cli":
                wrong.append("%s includes stdio.h; only the command may" % place)
            if include == "stdlib.h" and layer != "cli" and place != "src/lib/spirv_bind.c":
                wrong.append("%s includes stdlib.h; memory comes from arenas" % place)
        if re.search(r"^spirv/|\bSpv[A-Z]", text) and layer == "base":
            wrong.append("%s knows SPIR-V" % place)
        if text.count("\n") > 800:
            wrong.append("%s has more than 800 lines" % place)
print("\n".join(wrong) or "%d files, layers as they should be" % files)
sys.exit(1 if wrong or not files else 0)
