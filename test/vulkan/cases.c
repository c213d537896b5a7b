/* SPDX-License-Identifier: Apache-2.0 */
/* cases: what each shader of shaders/ must compute, in closed form, and which mistakes each driver makes.
 *
 * A column is {name, a, b, c, ...}: lane i must find a + b * pick(i) + c * i. Texture n holds 200 + n, word j of buffer
 * n 1000 * (n + 1) + j, and so on: run.h. Then three lists of drivers, as measured (lavapipe of Mesa 25.0.7,
 * SwiftShader of Chromium 156): those that fail when all NonUniform are stripped; with --nonuniform=keep, where an
 * array has stock glslang's decorations and a handle's decoration ends at the index; and in any case. A column on which
 * no driver fails proves nothing about NonUniform, only about bindings. Last, where to look if not in out_data. In the
 * first list, GRADIENTS means that both fail when derivatives are wrong.
 *
 * Also measured:
 *   - lavapipe executes every access to storage buffers and acceleration structures separately for each lane.
 *   - SwiftShader uses the first lane for size queries, and for a separate sampler, decorated or not.
 *   - SwiftShader takes values after a loop from the last iteration of any lane, except those of OpPhi.
 *   - Neither needs the decoration on the pointer of an atomic to a storage buffer, if the index has it.
 *   - b[nonuniformEXT(i)].v.length(): lavapipe takes one lane's, SwiftShader crashes (marked as glslang does, or
 * fully). */
#include <string.h>

#include "run.h"
#include "spirv-bind/descriptor_handle.h"

#define BOTH (LAVAPIPE | SWIFTSHADER)

const struct test_case test_cases[] = {
    {"texture_array",
     {
	 {"sample", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"fetch", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, 0, SWIFTSHADER, NULL, 0},
	 {"gather", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"sampler", 0, 1, 0, LAVAPIPE, 0, SWIFTSHADER, NULL, 0},
	 {"sample-both", 200, 1, 0, BOTH, 0, 0, NULL, 0},
     },
     {{0}}},
    {"texture_array_unmarked",
     {
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"sample", 200, 1, 0, BOTH, 0, 0, NULL, 0},
     },
     {{0}}},
    {"combined_array",
     {
	 {"sample", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"fetch", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, 0, SWIFTSHADER, NULL, 0},
	 {"sampler", 0, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"fetch-uint", 200, 1, 0, BOTH, 0, 0, NULL, 0},
     },
     {{0}}},
    {"image_array",
     {
	 {"load", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, 0, SWIFTSHADER, NULL, 0},
	 {"atomic", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"atomic-result", 207, 1, 0, BOTH, 0, 0, "m", 1},
	 {"store", 5000, 0, 1, BOTH, 0, 0, "m", 2},
	 {"load-unorm", 200, 1, 0, BOTH, 0, 0, NULL, 0},
     },
     {{0}}},
    {"utexbuf_array",
     {
	 {"fetch", 1003, 1000, 0, BOTH, 0, 0, NULL, 0},
	 {"size", 16, 1, 0, LAVAPIPE, 0, SWIFTSHADER, NULL, 0},
	 {"fetch-float", 1004, 1000, 0, BOTH, 0, 0, NULL, 0},
     },
     {{0}}},
    {"stexbuf_array",
     {
	 {"load", 1003, 1000, 0, BOTH, 0, 0, NULL, 0},
	 {"size", 16, 1, 0, LAVAPIPE, 0, SWIFTSHADER, NULL, 0},
	 {"atomic", 1004, 1000, 0, BOTH, 0, 0, NULL, 0},
	 {"atomic-result", 1011, 1000, 0, BOTH, 0, 0, "m", 4},
	 {"store", 5000, 0, 1, BOTH, 0, 0, "m", 5},
     },
     {{0}}},
    {"ubo_array",
     {
	 {"load", 1005, 1000, 0, BOTH, 0, 0, NULL, 0},
	 {"load-element", 1000, 1000, 0, BOTH, 0, 0, NULL, 0},
     },
     {{0}}},
    {"ssbo_array",
     {
	 {"load", 1000, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"load-element", 1003, 1000, 1, SWIFTSHADER, 0, 0, NULL, 0},
	 {"atomic", 1020, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"atomic-result", 1023, 1000, 0, SWIFTSHADER, 0, 0, "b", 20},
	 {"store", 6000, 0, 1, SWIFTSHADER, 0, 0, "b", 21},
	 {"compare-swap", 1022, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
     },
     {{0}}},
    {"ssbo_length", /* with --waterfall only: no driver gets it right with decorations, SwiftShader crashes */
     {
	 {"length", 131, 128, 0, BOTH, BOTH, BOTH, NULL, 0},
	 {"load", 1000, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
     },
     {{0}}},
    {"handle_ssbo_length", /* the same */
     {
	 {"length", 131, 128, 0, BOTH, BOTH, BOTH, NULL, 0},
	 {"load", 1000, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
     },
     {{"ssbo", "", "Words", false}}},
    {"nonuniform_flow",
     {
	 {"condition", 2, 0, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"continue", 1007, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"do-while", 1000, 1000, 1, SWIFTSHADER, 0, SWIFTSHADER, NULL, 0},
	 {"switch", 1000, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"choice", 1006, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"early", 1000, 1000, 1, SWIFTSHADER, 0, 0, NULL, 0},
	 {"coordinate", 200, 1000, 0, 0, 0, 0, NULL, 0},
	 {"nested", 3000, 3000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"or", 1000, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"in-order", 1027, 1000, 1, SWIFTSHADER, 0, 0, NULL, 0},
     },
     {{0}}},
    {"runtime_array",
     {
	 {"sample", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"sampler", 0, 1, 0, LAVAPIPE, 0, SWIFTSHADER, NULL, 0},
	 {"load", 1002, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"atomic", 1003, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"constant", 205, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{0}}},
    {"uniform_index",
     {
	 {"sample", 202, 0, 0, 0, 0, 0, NULL, 0},
	 {"sample-combined", 202, 0, 0, 0, 0, 0, NULL, 0},
	 {"load-image", 202, 0, 0, 0, 0, 0, NULL, 0},
	 {"fetch-texel", 3003, 0, 0, 0, 0, 0, NULL, 0},
	 {"load-texel", 3004, 0, 0, 0, 0, 0, NULL, 0},
	 {"load-uniform", 3005, 0, 0, 0, 0, 0, NULL, 0},
	 {"load-storage", 3006, 0, 0, 0, 0, 0, NULL, 0},
	 {"size", 6, 0, 0, 0, 0, 0, NULL, 0},
	 {"length", 384, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{0}}},
    {"draw_triangle",
     {
	 {"implicit", 120, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"bias", 80, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"projective", 120, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"level", 160, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"combined", 160, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"target", 200, 1, 0, BOTH | GRADIENTS, 0, 0, TARGET, 0},
	 {"target-pick", 0, 1, 0, 0, 0, 0, TARGET, 1},
	 {"target-lane", 0, 0, 1, 0, 0, 0, TARGET, 2},
	 {"target-helper", 0, 0, 0, 0, 0, 0, TARGET, 3},
     },
     {{0}}},
    {"draw_edge",
     {
	 {"implicit", 120, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"bias", 80, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"projective", 120, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"level", 160, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"combined", 160, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"target", 200, 1, 0, BOTH | GRADIENTS, 0, 0, TARGET, 0},
	 {"target-pick", 0, 1, 0, 0, 0, 0, TARGET, 1},
	 {"target-lane", 0, 0, 1, 0, 0, 0, TARGET, 2},
	 {"target-helper", 0, 0, 0, 0, 0, 0, TARGET, 3},
     },
     {{0}}},
    {"draw_points",
     {
	 {"implicit", 120, 1, 0, SWIFTSHADER | GRADIENTS, 0, 0, NULL, 0},
	 {"bias", 80, 1, 0, SWIFTSHADER | GRADIENTS, 0, 0, NULL, 0},
	 {"projective", 120, 1, 0, SWIFTSHADER | GRADIENTS, 0, 0, NULL, 0},
	 {"level", 160, 1, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"combined", 160, 1, 0, SWIFTSHADER | GRADIENTS, 0, 0, NULL, 0},
	 {"target", 200, 1, 0, SWIFTSHADER | GRADIENTS, 0, 0, TARGET, 0},
	 {"target-pick", 0, 1, 0, 0, 0, 0, TARGET, 1},
	 {"target-lane", 0, 0, 1, 0, 0, 0, TARGET, 2},
	 {"target-helper", 0, 0, 0, 0, 0, 0, TARGET, 3},
     },
     {{0}}},
    {"draw_shared",
     {
	 {"first", 160, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"dependent", 120, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"texel", 1000, 1000, 0, BOTH, 0, 0, NULL, 0},
	 {"far", 80, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"back", 1001, 1000, 0, BOTH, 0, 0, NULL, 0},
	 {"twice", 1002, 1000, 0, BOTH, 0, 0, NULL, 0},
	 {"before-blocks", 160, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"before-blocks-by-another", 120, 0, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"behind-blocks", 280, 1, 0, BOTH | GRADIENTS, 0, 0, NULL, 0},
	 {"between-blocks", 120, 0, 0, 0, 0, 0, NULL, 0},
	 {"target", 120, 1, 0, BOTH | GRADIENTS, 0, 0, TARGET, 0},
	 {"target-far", 80, 1, 0, BOTH | GRADIENTS, 0, 0, TARGET, 1},
	 {"target-twice", 1002, 1000, 0, BOTH, 0, 0, TARGET, 2},
     },
     {{0}}},
    {"waterfall_order",
     {
	 {"before", 1040, 1000, 1, SWIFTSHADER, 0, 0, NULL, 0},
	 {"after", 7, 0, 0, 0, 0, 0, NULL, 0},
	 {"other", 8, 0, 0, 0, 0, 0, NULL, 0},
	 {"atomic", 8, 0, 0, 0, 0, 0, NULL, 0},
	 {"atomic-again", 18, 0, 0, 0, 0, 0, NULL, 0},
	 {"at-last", 26, 0, 0, 0, 0, 0, NULL, 0},
	 {"own", 19, 0, 0, 0, 0, 0, NULL, 0},
	 {"variable", 1001, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"variable-written", 1002, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"called", 1004, 0, 1000, SWIFTSHADER, 0, 0, NULL, 0},
	 {"barrier", 1003, 0, 1000, SWIFTSHADER, 0, 0, NULL, 0},
	 {"in-turn", 212, 202, 10, SWIFTSHADER, 0, 0, NULL, 0},
	 {"variable-in-the-loop", 110, 110, 1, SWIFTSHADER, 0, 0, NULL, 0},
     },
     {{0}}},
    {"waterfall_random", {{"ran", 1, 0, 0, 0, 0, 0, NULL, 0}}, {{0}}}, /* random_waterfall.py */
    {"draw_divergent",
     {
	 {"branch", 120, 0, 0, 0, 0, 0, NULL, 0},
	 {"branch-read", 120, 0, 0, SWIFTSHADER, 0, SWIFTSHADER, NULL, 0},
	 {"together", 120, 0, 0, 0, 0, 0, NULL, 0},
	 {"loop", 120, 0, 0, BOTH, 0, BOTH, NULL, 0},
	 {"target", 120, 0, 0, SWIFTSHADER, 0, SWIFTSHADER, TARGET, 0},
	 {"target-loop", 120, 0, 0, BOTH, 0, BOTH, TARGET, 1},
     },
     {{0}}},
    {"handle_texture",
     {
	 {"sample", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-uint", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"sampler", 0, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"sample-both", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sample-cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-int-array", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sample-uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"fetch-uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"size-with-sampler", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
     },
     {
	 {"texture", "2D", "float", 0},
	 {"texture", "2D", "uint", 0},
	 {"sampler", "", "", 0},
	 {"texture", "3D", "float", 0},
	 {"texture", "Cube", "float", 0},
	 {"texture", "2D", "int", ARRAYED},
     }},
    {"handle_nv32",
     {
	 {"fetch-uint", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"sample", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"import", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"instruction", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
	 {"sampler", "", "", 0},
	 {"texture", "2D", "float", 0},
     }},
    {"handle_nv64",
     {
	 {"fetch-uint", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"sample", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"import", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"instruction", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
	 {"sampler", "", "", 0},
	 {"texture", "2D", "float", 0},
     }},
    {"handle_shared",
     {
	 {"same", 600, 3, 0, BOTH, BOTH, 0, NULL, 0},
	 {"local", 607, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"call", 607, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"atomic", 607, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"barrier", 607, 1, 0, BOTH, BOTH, 0, NULL, 0},
     },
     {{"texture", "2D", "uint", 0}}},
    {"handle_flow",
     {
	 {"guarded", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"marked-before", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"parameter", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"member", 207, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"chosen", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"loop", 5600, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"bound", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"constant", 203, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{"texture", "2D", "uint", 0}}},
    {"handle_combined",
     {
	 {"sample", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sampler", 0, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-uint", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"sample-cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sample-uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"fetch-uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"combined", "2D", "float", 0},
	 {"combined", "2D", "uint", 0},
	 {"combined", "Cube", "float", 0},
     }},
    {"handle_image",
     {
	 {"load", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-uint", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"store", 5000, 0, 1, BOTH, BOTH, 0, NULL, 0},
	 {"load-uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"size-uniform", 4 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"image", "2D", "float", 0},
	 {"image", "2D", "uint", 0},
     }},
    {"handle_utexbuf",
     {
	 {"fetch-uint", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 16, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"fetch", 1004, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-uniform", 1003 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"utexbuf", "Buffer", "uint", 0},
	 {"utexbuf", "Buffer", "float", 0},
     }},
    {"handle_sampler_buffer",
     {
	 {"fetch", 1005, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-textureBuffer", 1004, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 16, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"fetch-uint", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
     },
     {
	 {"utexbuf", "Buffer", "float", 0},
	 {"utexbuf", "Buffer", "uint", 0},
     }},
    {"handle_stexbuf",
     {
	 {"load-uint", 1006, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 16, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"store", 5000, 0, 1, BOTH, BOTH, 0, NULL, 0},
	 {"load", 1008, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-uniform", 1006 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"stexbuf", "Buffer", "uint", 0},
	 {"stexbuf", "Buffer", "float", 0},
     }},
    {"handle_mutable",
     {
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-texel", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-texel", 1006, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"store", 5000, 0, 1, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "float", 0},
	 {"image", "2D", "uint", 0},
	 {"utexbuf", "Buffer", "uint", 0},
	 {"stexbuf", "Buffer", "uint", 0},
     }},
    {"handle_ssbo",
     {
	 {"load", 1000, 1000, 0, SWIFTSHADER, SWIFTSHADER, 0, NULL, 0},
	 {"parameter", 1004, 1000, 1, SWIFTSHADER, SWIFTSHADER, 0, NULL, 0},
	 {"atomic", 1021, 1000, 0, SWIFTSHADER, SWIFTSHADER, 0, NULL, 0},
	 {"store", 6000, 0, 1, SWIFTSHADER, SWIFTSHADER, 0, "Words", 22},
	 {"struct", 1011, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"struct-copied", 1015, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"in-struct", 3012, 3000, 0, SWIFTSHADER, SWIFTSHADER, 0, NULL, 0},
	 {"chosen", 1001, 1000, 0, SWIFTSHADER, SWIFTSHADER, 0, NULL, 0},
	 {"chosen-uniform", 1001 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"length-uniform", 130 + 128 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"load-uniform", 1005 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"matrix-by-rows", 1008, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"atomic-result", 1024, 1000, 0, SWIFTSHADER, SWIFTSHADER, 0, "Words", 21},
	 {"struct-stored", 1015, 1000, 0, SWIFTSHADER, 0, 0, "Parts", 13},
     },
     {
	 {"ssbo", "", "Words", 0},
	 {"ssbo", "", "Parts", 0},
	 {"ssbo", "", "Matrix", 0},
     }},
    {"handle_ubo",
     {
	 {"load", 1001, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"parameter", 1014, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"nested", 1028, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-uniform", 1002 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{"ubo", "", "Scene", 0}}},
    {"handle_ubo_sized",
     {
	 {"load", 1001, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"parameter", 1014, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"nested", 1028, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-uniform", 1002 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{"ubo", "", "Scene", 0}}},
    {"slang_handles",
     {
	 {"sample", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"fetch", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"sampler", 0, 1, 0, LAVAPIPE, 0, SWIFTSHADER, NULL, 0},
	 {"sample-both", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"fetch-texel", 1003, 1000, 0, BOTH, LAVAPIPE, 0, NULL, 0},
	 {"load", 1005, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"sample-unmarked", 200, 1, 0, BOTH, LAVAPIPE, 0, NULL, 0},
	 {"sample-uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "float", 0},
	 {"sampler", "", "", 0},
	 {"utexbuf", "Buffer", "uint", 0},
	 {"ssbo", "", "StructuredBuffer", 0},
     }},
    {"handle_ray_query",
     {
	 {"t", 10, 1, 0, 0, 0, 0, NULL, 0},
	 {"t-uniform", 10 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{"as", "", "", 0}}},
    {"handle_textures_float",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMS", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMSArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 9 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "1D", "float", 0},
	 {"texture", "2D", "float", 0},
	 {"texture", "3D", "float", 0},
	 {"texture", "Cube", "float", 0},
	 {"texture", "1D", "float", ARRAYED},
	 {"texture", "2D", "float", ARRAYED},
	 {"texture", "Cube", "float", ARRAYED},
	 {"texture", "2D", "float", MULTISAMPLED},
	 {"texture", "2D", "float", ARRAYED | MULTISAMPLED},
	 {"sampler", "", "", 0},
     }},
    {"handle_samplers_float",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMS", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMSArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 9 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"combined", "1D", "float", 0},
	 {"combined", "2D", "float", 0},
	 {"combined", "3D", "float", 0},
	 {"combined", "Cube", "float", 0},
	 {"combined", "1D", "float", ARRAYED},
	 {"combined", "2D", "float", ARRAYED},
	 {"combined", "Cube", "float", ARRAYED},
	 {"combined", "2D", "float", MULTISAMPLED},
	 {"combined", "2D", "float", ARRAYED | MULTISAMPLED},
     }},
    {"handle_textures_int",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMS", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMSArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 9 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "1D", "int", 0},
	 {"texture", "2D", "int", 0},
	 {"texture", "3D", "int", 0},
	 {"texture", "Cube", "int", 0},
	 {"texture", "1D", "int", ARRAYED},
	 {"texture", "2D", "int", ARRAYED},
	 {"texture", "Cube", "int", ARRAYED},
	 {"texture", "2D", "int", MULTISAMPLED},
	 {"texture", "2D", "int", ARRAYED | MULTISAMPLED},
	 {"sampler", "", "", 0},
     }},
    {"handle_samplers_int",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMS", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMSArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 9 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"combined", "1D", "int", 0},
	 {"combined", "2D", "int", 0},
	 {"combined", "3D", "int", 0},
	 {"combined", "Cube", "int", 0},
	 {"combined", "1D", "int", ARRAYED},
	 {"combined", "2D", "int", ARRAYED},
	 {"combined", "Cube", "int", ARRAYED},
	 {"combined", "2D", "int", MULTISAMPLED},
	 {"combined", "2D", "int", ARRAYED | MULTISAMPLED},
     }},
    {"handle_textures_uint",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMS", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMSArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 9 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "1D", "uint", 0},
	 {"texture", "2D", "uint", 0},
	 {"texture", "3D", "uint", 0},
	 {"texture", "Cube", "uint", 0},
	 {"texture", "1D", "uint", ARRAYED},
	 {"texture", "2D", "uint", ARRAYED},
	 {"texture", "Cube", "uint", ARRAYED},
	 {"texture", "2D", "uint", MULTISAMPLED},
	 {"texture", "2D", "uint", ARRAYED | MULTISAMPLED},
	 {"sampler", "", "", 0},
     }},
    {"handle_samplers_uint",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMS", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMSArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 9 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"combined", "1D", "uint", 0},
	 {"combined", "2D", "uint", 0},
	 {"combined", "3D", "uint", 0},
	 {"combined", "Cube", "uint", 0},
	 {"combined", "1D", "uint", ARRAYED},
	 {"combined", "2D", "uint", ARRAYED},
	 {"combined", "Cube", "uint", ARRAYED},
	 {"combined", "2D", "uint", MULTISAMPLED},
	 {"combined", "2D", "uint", ARRAYED | MULTISAMPLED},
     }},
    {"handle_images_float",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"stored", 7 * 3000, 0, 7, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 7 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"image", "1D", "float R32f", 0},
	 {"image", "2D", "float R32f", 0},
	 {"image", "3D", "float R32f", 0},
	 {"image", "Cube", "float R32f", 0},
	 {"image", "1D", "float R32f", ARRAYED},
	 {"image", "2D", "float R32f", ARRAYED},
	 {"image", "Cube", "float R32f", ARRAYED},
     }},
    {"handle_images_int",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"stored", 7 * 3000, 0, 7, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 7 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"image", "1D", "int R32i", 0},
	 {"image", "2D", "int R32i", 0},
	 {"image", "3D", "int R32i", 0},
	 {"image", "Cube", "int R32i", 0},
	 {"image", "1D", "int R32i", ARRAYED},
	 {"image", "2D", "int R32i", ARRAYED},
	 {"image", "Cube", "int R32i", ARRAYED},
     }},
    {"handle_images_uint",
     {
	 {"1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"stored", 7 * 3000, 0, 7, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 7 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"image", "1D", "uint R32ui", 0},
	 {"image", "2D", "uint R32ui", 0},
	 {"image", "3D", "uint R32ui", 0},
	 {"image", "Cube", "uint R32ui", 0},
	 {"image", "1D", "uint R32ui", ARRAYED},
	 {"image", "2D", "uint R32ui", ARRAYED},
	 {"image", "Cube", "uint R32ui", ARRAYED},
     }},
    {"handle_formats",
     {
	 {"rgba8", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"rgba32f", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"r32f", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"rgba32i", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"r32i", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"rgba32ui", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"r32ui", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"rgba8ui", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 8 * (200 + PUSHED), 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"image", "2D", "float Rgba8", 0},
	 {"image", "2D", "float Rgba32f", 0},
	 {"image", "2D", "float R32f", 0},
	 {"image", "2D", "int Rgba32i", 0},
	 {"image", "2D", "int R32i", 0},
	 {"image", "2D", "uint Rgba32ui", 0},
	 {"image", "2D", "uint R32ui", 0},
	 {"image", "2D", "uint Rgba8ui", 0},
     }},
    {"handle_images_ms",
     {
	 {"2DMS", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DMSArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"stored", 5000, 0, 1, BOTH, BOTH, 0, NULL, 0},
	 {"other-sample", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"samples", 4, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"image", "2D", "uint", MULTISAMPLED},
	 {"image", "2D", "float", ARRAYED | MULTISAMPLED},
     }},
    {"handle_shadow",
     {
	 {"1D", 0, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2D", 0, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"Cube", 0, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"1DArray", 0, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"2DArray", 0, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"CubeArray", 0, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 6 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
     },
     {
	 {"combined", "1D", "float", DEPTH},
	 {"combined", "2D", "float", DEPTH},
	 {"combined", "Cube", "float", DEPTH},
	 {"combined", "1D", "float", ARRAYED | DEPTH},
	 {"combined", "2D", "float", ARRAYED | DEPTH},
	 {"combined", "Cube", "float", ARRAYED | DEPTH},
     }},
    {"handle_atomics",
     {
	 {"image1D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"image2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"image3D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"imageCube", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"image1DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"image2DArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"imageCubeArray", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"imageBuffer", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"imageBuffer", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"image2D", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"added", 8 * 207, 8, 0, BOTH, BOTH, 0, NULL, 0},
	 {"compare-swap", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"max", 9, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"exchange", 30, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"image", "1D", "uint R32ui", 0},
	 {"image", "2D", "int R32i", 0},
	 {"image", "3D", "uint R32ui", 0},
	 {"image", "Cube", "uint R32ui", 0},
	 {"image", "1D", "int R32i", ARRAYED},
	 {"image", "2D", "uint R32ui", ARRAYED},
	 {"image", "Cube", "int R32i", ARRAYED},
	 {"stexbuf", "Buffer", "uint R32ui", 0},
	 {"stexbuf", "Buffer", "int R32i", 0},
	 {"image", "2D", "uint R32ui", 0},
     }},
    {"handle_texel_formats",
     {
	 {"fetch-int", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-int", 1004, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sampler-buffer", 1005, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-float", 1006, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-rgba", 1007, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"stored", 5000, 0, 1, BOTH, BOTH, 0, NULL, 0},
	 {"size", 16, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"uniform", 2009 + 2000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"utexbuf", "Buffer", "int", 0},
	 {"stexbuf", "Buffer", "int R32i", 0},
	 {"stexbuf", "Buffer", "float R32f", 0},
	 {"stexbuf", "Buffer", "uint Rgba32ui", 0},
     }},
    {"handle_parameters",
     {
	 {"sampled", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sampler", 0, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"fetched", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"through", 1200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"bound", 400, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"combined", 204, 2, 0, BOTH, BOTH, SWIFTSHADER, NULL, 0},
	 {"sampled-combined", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"texel", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"guarded", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"loop", 5600, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"uniform-through", 400 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"uniform-texel", 1003 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "float", 0},
	 {"sampler", "", "", 0},
	 {"combined", "2D", "uint", 0},
	 {"combined", "2D", "float", 0},
	 {"texture", "2D", "uint", 0},
	 {"utexbuf", "Buffer", "uint", 0},
     }},
    {"handle_values",
     {
	 {"phi", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"select", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"loop", 7200, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"variable", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"array", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"struct", 207, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"returned", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"private", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"combined", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"atomic", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
	 {"combined", "2D", "float", 0},
	 {"image", "2D", "uint R32ui", 0},
     }},
    {"handle_parameters_image",
     {
	 {"loaded", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"stored", 5000, 0, 1, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"image-size", 416 + PUSHED, 100, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"buffer-size", 416 + 100 * PUSHED, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
     },
     {
	 {"image", "2D", "uint", 0},
	 {"stexbuf", "Buffer", "uint", 0},
     }},
    {"resolve_packed",
     {
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"constant", 203, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"resolve_generation",
     {
	 {"right", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"gone", 200, 0, 0, 0, 0, 0, NULL, 0},
	 {"beyond", 200, 0, 0, 0, 0, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"resolve_clamp",
     {
	 {"inside", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"beyond", 207, 0, 0, 0, 0, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"resolve_table",
     {
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"resolve_kind",
     {
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sample", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sampler", 0, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "float", 0},
	 {"sampler", "", "", 0},
     }},
    {"resolve_address", /* by --heap=as=address only */
     {
	 {"t", 10, 1, 0, 0, 0, 0, NULL, 0},
	 {"t-uniform", 10 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{"as", "", "", 0}}},
    {"resolve_split",
     {
	 {"sample", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sampler", 0, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"separate", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "float", 0},
	 {"sampler", "", "", 0},
     }},
    {"resolve_choose",
     {
	 {"first", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"second", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"either", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"resolve_arrays",
     {
	 {"first", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"second", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"either", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 205, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{0}}},
    {"resolve_own",
     {
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"called", 0, 0, 1, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"resolve_pages",
     {
	 {"fetch", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load", 1000, 1000, 0, SWIFTSHADER, SWIFTSHADER, 0, NULL, 0},
	 {"atomic", 1021, 1000, 0, SWIFTSHADER, SWIFTSHADER, 0, NULL, 0},
	 {"chosen", 1001, 1000, 0, SWIFTSHADER, SWIFTSHADER, 0, NULL, 0},
	 {"load-uniform", 1005 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
	 {"store", 6000, 0, 1, SWIFTSHADER, SWIFTSHADER, 0, "Words", 22},
     },
     {
	 {"texture", "2D", "uint", 0},
	 {"ssbo", "", "Words", 0},
	 {"ssbo", "", "Pages", 0},
     }},
    {"bounds_clamp",
     {
	 {"inside", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"beyond", 207, 0, 0, 0, 0, 0, NULL, 0},
	 {"far", 207, 0, 0, 0, 0, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"bounds_specialised",
     {
	 {"inside", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"beyond", 207, 0, 0, 0, 0, 0, NULL, 0},
	 {"far", 207, 0, 0, 0, 0, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"bounds_null",
     {
	 {"inside", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"beyond", 200, 0, 0, 0, 0, 0, NULL, 0},
	 {"far", 200, 0, 0, 0, 0, 0, NULL, 0},
	 {"uniform", 200 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"texture", "2D", "uint", 0},
     }},
    {"before_after",
     {
	 {"sample", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"ubo", 1010, 0, 0, 0, 0, 0, NULL, 0},
	 {"load", 1000, 1000, 1, SWIFTSHADER, 0, 0, NULL, 0},
	 {"constant", 4010, 0, 0, 0, 0, 0, NULL, 0},
	 {"image", 200, 0, 0, 0, 0, 0, NULL, 0},
	 {"store", 200, 0, 1, SWIFTSHADER, 0, 0, "b", 9},
     },
     {{0}}},
    {"shape_struct",
     {
	 {"array-member", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"array-in-array", 202, 3, 0, BOTH, 0, 0, NULL, 0},
	 {"constant", 210, 0, 0, 0, 0, 0, NULL, 0},
	 {"leaf-parameter", 201, 3, 0, BOTH, BOTH, 0, NULL, 0},
	 {"struct-parameter", 202, 3, 0, BOTH, BOTH, 0, NULL, 0},
	 {"row-parameter", 200, 3, 0, BOTH, BOTH, 0, NULL, 0},
	 {"nested", 202, 4, 0, BOTH, 0, 0, NULL, 0},
	 {"nested-separate", 201, 4, 0, BOTH, 0, 0, NULL, 0},
	 {"other-struct", 202, 0, 0, 0, 0, 0, NULL, 0},
	 {"one-function", 405, 0, 0, 0, 0, 0, NULL, 0},
	 {"inner-array", 200, 0, 0, BOTH, 0, 0, NULL, 0},
     },
     {{0}}},
    {"shape_arrays",
     {
	 {"sample", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"constant", 206, 0, 0, 0, 0, 0, NULL, 0},
	 {"element-parameter", 200, 1, 0, BOTH, BOTH, 0, NULL, 0},
	 {"row-parameter", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"rows", 407, 0, 0, 0, 0, 0, NULL, 0},
	 {"load", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"atomic", 200, 1, 0, BOTH, 0, 0, NULL, 0},
	 {"buffer", 1003, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
	 {"store", 6000, 0, 1, SWIFTSHADER, 0, 0, "storage", 21},
	 {"uniform", 1005, 1000, 0, BOTH, 0, 0, NULL, 0},
     },
     {{0}}},
    {"shape_locals",
     {
	 {"copy-in-X", 2, 0, 0, 0, 0, 0, NULL, 0},
	 {"copy-in-Y", 1, 0, 0, 0, 0, 0, NULL, 0},
	 {"one-of-three", 5000, 0, 1, 0, 0, 0, NULL, 0},
	 {"not-the-others", 1008, 0, 1, 0, 0, 0, NULL, 0},
	 {"copy-changed", 7002, 0, 0, 0, 0, 0, NULL, 0},
	 {"copy-kept", 1002, 0, 0, 0, 0, 0, NULL, 0},
	 {"by-value", 9000, 0, 1, 0, 0, 0, NULL, 0},
	 {"branch", 203, 0, 0, 0, 0, 0, NULL, 0},
	 {"branch-by-value", 203, 0, 0, 0, 0, 0, NULL, 0},
	 {"branch-sampled", 203, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{0}}},
    {"shape_flow",
     {
	 {"of-one-array", 200, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"loop", 200, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"returned", 200, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"sampler", 207, 0, 0, 0, 0, 0, NULL, 0},
	 {"both", 200, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"write", 5000, 0, 1, 0, 0, 0, NULL, 0},
	 {"not-the-other", 1000, 0, 1, 0, 0, 0, NULL, 0},
	 {"load", 201, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"atomic-result", 201, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"atomic", 301, 0, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 4, 0, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
     },
     {{0}}},
    {"shape_rays",
     {
	 {"array-of-arrays", 10, 1, 0, 0, 0, 0, NULL, 0},
	 {"in-a-struct", 10, 1, 0, 0, 0, 0, NULL, 0},
	 {"single", 10, 0, 0, 0, 0, 0, NULL, 0},
	 {"constant", 15, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{0}}},
    {"shape_random",
     {{"agrees", 1, 0, 0, 0, 0, 0, NULL, 0}, {"ran", 1, 0, 0, 0, 0, 0, NULL, 0}},
     {{0}}}, /* random_shapes.py */
};

const size_t test_case_count = sizeof test_cases / sizeof test_cases[0];

uint32_t pick(uint32_t lane)
{
	return (lane * 5 + 3) & 7;
}

/* NULL: there is none of this kind. */
static const struct binding *find_heap(const struct layout *l, const char *kind)
{
	json_t *heaps = json_object_get(l->json, "heaps");

	for (size_t i = 0; i < json_array_size(heaps); i++) {
		json_t *heap = json_array_get(heaps, i);
		if (strcmp(json_string_value(json_object_get(heap, "kind")), kind) != 0)
			continue;
		for (uint32_t k = 0; k < l->binding_count; k++) {
			if (l->bindings[k].set == (uint32_t)json_integer_value(json_object_get(heap, "set")) &&
			    l->bindings[k].binding == (uint32_t)json_integer_value(json_object_get(heap, "binding")))
				return &l->bindings[k];
		}
	}
	return NULL;
}

static bool is_of(const struct type *t, const struct handle_row *row, const char *kind)
{
	size_t length = strcspn(row->element, " ");
	unsigned shape = (t->arrayed ? ARRAYED : 0u) | (t->multisampled ? MULTISAMPLED : 0u) | (t->depth ? DEPTH : 0u);

	if (strcmp(t->kind, kind) != 0)
		return false;
	if (*t->block)
		return !strcmp(t->block, row->element);
	return !strcmp(t->dim, row->dim) && shape == row->shape && strlen(t->element) == length &&
	       !strncmp(t->element, row->element, length) &&
	       (!row->element[length] || !strcmp(t->format, row->element + length + 1));
}

static uint32_t descriptor_index(const struct layout *l, const struct handle_row *row, const char *kind,
				 uint32_t number)
{
	const struct binding *heap = find_heap(l, kind);

	if (!heap)
		die("the layout has no heap of the kind %s", kind);
	if (!strcmp(kind, "sampler"))
		return number + (row->shape & DEPTH ? FILLED : 0);
	for (uint32_t i = 0; i < heap->type_count; i++) {
		if (is_of(&heap->types[i], row, kind))
			return number * heap->type_count + i;
	}
	die("the %s heap of the layout holds no %s %s", kind, row->dim, row->element);
}

/* .x is the index; .y is that of another descriptor, which must not be used; or, in a split combined handle, that of
 * the sampler. */
static spb_handle make_handle(const struct run *r, const struct handle_row *row, uint32_t number)
{
	const struct layout *l = r->layout;

	if (!strcmp(row->kind, "as") && !find_heap(l, row->kind))
		return spb_handle_of_address(run_acceleration_address(r, number));
	if (!strcmp(row->kind, "combined") && !find_heap(l, row->kind)) /* samplers are of one type */
		return spb_handle_combined(descriptor_index(l, row, "texture", number),
					   number + (row->shape & DEPTH ? FILLED : 0));
	return spb_handle_make(descriptor_index(l, row, row->kind, number),
			       descriptor_index(l, row, row->kind, FILLED - 1 - number));
}

static void put_handle(const struct run *r, uint32_t *words, const struct handle_row *row, uint32_t number)
{
	spb_handle handle = make_handle(r, row, number);

	words[0] = handle.x;
	words[1] = handle.y;
}

void case_fill(struct run *r, const struct test_case *c)
{
	struct element *out = &layout_find(r->layout, "out_data")->elements[0];

	for (size_t i = 0; i < out->size / 4; i++)
		out->words[i] = 0xDEAD;
	for (uint32_t row = 0; c->handles[row].kind; row++) {
		uint32_t *words = layout_find(r->layout, "handles")->elements[0].words;
		for (uint32_t n = 0; n < FILLED; n++)
			put_handle(r, words + 2 * (row * FILLED + n), &c->handles[row], n);
		put_handle(r, r->push + 2 * row, &c->handles[row], PUSHED);
	}
}

uint32_t case_result(const struct run *r, const struct column *column, uint32_t number, uint32_t lane)
{
	if (column->written && !strcmp(column->written, TARGET))
		return r->target->words[4 * lane + column->word];
	if (!column->written)
		return layout_find(r->layout, "out_data")->elements[0].words[number * LANES + lane];
	const struct binding *b = layout_find(r->layout, column->written);
	uint32_t type = 0;
	while (type + 1 < b->type_count && strcmp(b->types[type].block, column->written) != 0)
		type++;
	return b->elements[pick(lane) * b->type_count + (b->type_count > 1 ? type : 0)].words[column->word];
}
