# SPDX-License-Identifier: Apache-2.0
# The contents of a manifest, for Bazel, which reads no files while it analyzes targets. Generate this file.
OPTIONS = ["--auto-binding=65534"]

SHARE = ["set=0"]

PROGRAMS = {
    "terrain": ["shaders/terrain.spv"],
    "water": ["shaders/water.vert.spv", "shaders/water.frag.spv"],
    "water.calm": ["shaders/water.vert.spv", "shaders/calm.frag.spv", "variant-of=water"],
}
