# SPDX-License-Identifier: Apache-2.0
# What a manifest says, for Bazel, which reads no file to find out what there is to do. Generate it.
OPTIONS = ["--auto-binding=65534"]

SHARE = ["set=0"]

PROGRAMS = {
    "terrain": ["shaders/terrain.spv"],
    "water": ["shaders/water.vert.spv", "shaders/water.frag.spv"],
    "water.calm": ["shaders/water.vert.spv", "shaders/calm.frag.spv", "variant-of=water"],
}
