/* SPDX-License-Identifier: Apache-2.0 */
/* cases: what each shader of shaders/ must compute, in closed form, and which mistakes each driver shows.
 *
 * A column is {name, a, b, c, ...}: lane i must find a + b * pick(i) + c * i. Texture n holds 200 + n, word j of buffer
 * n 1000 * (n + 1) + j, and so on: run.h. Then three lists of drivers, as measured (lavapipe of Mesa 25.0.7,
 * SwiftShader of Chromium 156): who goes wrong when all NonUniform are stripped; who does with --nonuniform=keep, where
 * an array has stock glslang's marks and a handle's mark ends at the index; and who is wrong in any case. A column that
 * nobody goes wrong on proves nothing about NonUniform, only about bindings. Last, where to look if not in out_data.
 *
 * Measured and not seen here:
 *   - lavapipe makes every access to storage buffers and acceleration structures for each lane by itself.
 *   - SwiftShader asks the first lane alone for sizes, and for a sampler that is not combined, marked or not.
 *   - SwiftShader takes what a loop leaves behind from the last turn that any lane makes, if it is no OpPhi.
 *   - Neither shows a missing mark on the pointer of an atomic to a storage buffer, if the index has one.
 *   - b[nonuniformEXT(i)].v.length(): lavapipe takes one lane's, SwiftShader crashes (marked as glslang does, or
 * fully). */
#include <string.h>

#include "run.h"

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
    {"ssbo_length", /* with --waterfall only: no driver here has it right by marks, SwiftShader crashes */
     {
	 {"length", 131, 128, 0, BOTH, BOTH, BOTH, NULL, 0},
	 {"load", 1000, 1000, 0, SWIFTSHADER, 0, 0, NULL, 0},
     },
     {{0}}},
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
	 {"texture", "2D", "float", false},
	 {"texture", "2D", "uint", false},
	 {"sampler", "", "", false},
	 {"texture", "3D", "float", false},
	 {"texture", "Cube", "float", false},
	 {"texture", "2D", "int", true},
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
	 {"texture", "2D", "uint", false},
	 {"sampler", "", "", false},
	 {"texture", "2D", "float", false},
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
	 {"texture", "2D", "uint", false},
	 {"sampler", "", "", false},
	 {"texture", "2D", "float", false},
     }},
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
     {{"texture", "2D", "uint", false}}},
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
	 {"combined", "2D", "float", false},
	 {"combined", "2D", "uint", false},
	 {"combined", "Cube", "float", false},
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
	 {"image", "2D", "float", false},
	 {"image", "2D", "uint", false},
     }},
    {"handle_utexbuf",
     {
	 {"fetch-uint", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 16, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"fetch", 1004, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-uniform", 1003 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {
	 {"utexbuf", "Buffer", "uint", false},
	 {"utexbuf", "Buffer", "float", false},
     }},
    {"handle_sampler_buffer",
     {
	 {"fetch", 1005, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"fetch-textureBuffer", 1004, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"size", 16, 1, 0, LAVAPIPE, LAVAPIPE, SWIFTSHADER, NULL, 0},
	 {"fetch-uint", 1003, 1000, 0, BOTH, BOTH, 0, NULL, 0},
     },
     {
	 {"utexbuf", "Buffer", "float", false},
	 {"utexbuf", "Buffer", "uint", false},
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
	 {"stexbuf", "Buffer", "uint", false},
	 {"stexbuf", "Buffer", "float", false},
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
	 {"texture", "2D", "float", false},
	 {"image", "2D", "uint", false},
	 {"utexbuf", "Buffer", "uint", false},
	 {"stexbuf", "Buffer", "uint", false},
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
	 {"ssbo", "", "Words", false},
	 {"ssbo", "", "Parts", false},
	 {"ssbo", "", "Matrix", false},
     }},
    {"handle_ubo",
     {
	 {"load", 1001, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"parameter", 1014, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"nested", 1028, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-uniform", 1002 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{"ubo", "", "Scene", false}}},
    {"handle_ubo_sized",
     {
	 {"load", 1001, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"parameter", 1014, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"nested", 1028, 1000, 0, BOTH, BOTH, 0, NULL, 0},
	 {"load-uniform", 1002 + 1000 * PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{"ubo", "", "Scene", false}}},
    {"handle_ray_query",
     {
	 {"t", 10, 1, 0, 0, 0, 0, NULL, 0},
	 {"t-uniform", 10 + PUSHED, 0, 0, 0, 0, 0, NULL, 0},
     },
     {{"as", "", "", false}}},
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

static uint32_t descriptor_index(const struct layout *l, const struct handle_row *row, const char *kind,
				 uint32_t number)
{
	const struct binding *heap = find_heap(l, kind);

	if (!heap)
		die("the layout has no heap of the kind %s", kind);
	for (uint32_t i = 0; i < heap->type_count; i++) {
		const struct type *t = &heap->types[i];
		if (!strcmp(t->kind, kind) && !strcmp(t->dim, row->dim) && t->arrayed == row->arrayed &&
		    !strcmp(*t->block ? t->block : t->element, row->element))
			return number * heap->type_count + i;
	}
	die("the %s heap of the layout holds no %s %s", kind, row->dim, row->element);
}

/* .x is the index; .y is that of another descriptor, which nothing may use; or, of a combined one that is split, that
 * of the sampler. */
static void put_handle(const struct layout *l, uint32_t *words, const struct handle_row *row, uint32_t number)
{
	if (!strcmp(row->kind, "combined") && !find_heap(l, row->kind)) {
		words[0] = descriptor_index(l, row, "texture", number);
		words[1] = number; /* samplers are of one type */
		return;
	}
	words[0] = descriptor_index(l, row, row->kind, number);
	words[1] = descriptor_index(l, row, row->kind, FILLED - 1 - number);
}

void case_fill(struct run *r, const struct test_case *c)
{
	struct element *out = &layout_find(r->layout, "out_data")->elements[0];

	for (size_t i = 0; i < out->size / 4; i++)
		out->words[i] = 0xDEAD;
	for (uint32_t row = 0; c->handles[row].kind; row++) {
		uint32_t *words = layout_find(r->layout, "handles")->elements[0].words;
		for (uint32_t n = 0; n < FILLED; n++)
			put_handle(r->layout, words + 2 * (row * FILLED + n), &c->handles[row], n);
		put_handle(r->layout, r->push + 2 * row, &c->handles[row], PUSHED);
	}
}

uint32_t case_result(const struct run *r, const struct column *column, uint32_t number, uint32_t lane)
{
	if (!column->written)
		return layout_find(r->layout, "out_data")->elements[0].words[number * LANES + lane];
	const struct binding *b = layout_find(r->layout, column->written);
	uint32_t type = 0;
	while (type + 1 < b->type_count && strcmp(b->types[type].block, column->written) != 0)
		type++;
	return b->elements[pick(lane) * b->type_count + (b->type_count > 1 ? type : 0)].words[column->word];
}
