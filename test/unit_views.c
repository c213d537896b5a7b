/* SPDX-License-Identifier: Apache-2.0 */
/* Two resources at one binding: whether one descriptor serves both, and if not, whether any pipeline needs both: each
 * row of a table has entry points and what they use, by hand from the rules in src/analysis/layout/views.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "laid_out.h"

/* Entry points of one module, which may be in one pipeline or not. */
TABLE(entry_points,
      {"", "", NULL, "a:t@0 b:b@0 / c:s@1",
       "! m0: %5 \"b\" (ubo; set 0, binding 0; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "c:s@1 / a:t@0 b:b@0",
       "! m0: %6 \"b\" (ubo; set 0, binding 0; compute) overlaps with %4 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main2\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"a\"\n"},
      {"", "", NULL, "a:t@0 / b:b@0", "a 0.0; b 0.0"},
      {"", "", NULL, "a:t@0 / b:b@0 =a:t",
       "! m0: %5 \"b\" (ubo; set 0, binding 0; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main2\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "a:t@0 b:b@0! / =b:b", "a 0.0; b 0.0"},
      {"", "", NULL, "a:t@0 b:b@0! / c:s / =b:b d:s", "a 0.0; b 0.0; c 0.1; d 0.2"},
      {"", "", NULL, "a:t@0 b:b@0! / c:s / =b:b =a:t",
       "! m0: %6 \"b\" (ubo; set 0, binding 0; compute) overlaps with %4 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main3\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 /Fragment b:b@0",
       "! m0: %5 \"b\" (ubo; set 0, binding 0; vertex+fragment) overlaps with %3 \"a\" (texture 2D float; set 0, "
       "binding 0; vertex+fragment) of m0: conflict, two stages of the pipeline use them, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 /Fragment b:b@0 / c:s",
       "a 0.0; b 0.0; c 0.1\n"
       "? m0: %6 \"b\" (ubo; set 0, binding 0; vertex+fragment) overlaps with %4 \"a\" (texture 2D float; set 0, "
       "binding 0; vertex+fragment) of m0: doubtful, two shaders that may belong to one pipeline use them, and no "
       "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 / c:s /Fragment b:b@0",
       "a 0.0; b 0.0; c 0.1\n"
       "? m0: %7 \"b\" (ubo; set 0, binding 0; vertex+fragment) overlaps with %4 \"a\" (texture 2D float; set 0, "
       "binding 0; vertex+fragment) of m0: doubtful, two shaders that may belong to one pipeline use them, and no "
       "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 / c:s /Fragment b:b@0 / d:s",
       "a 0.0; b 0.0; c 0.1; d 0.2\n"
       "? m0: %8 \"b\" (ubo; set 0, binding 0; vertex+fragment) overlaps with %5 \"a\" (texture 2D float; set 0, "
       "binding 0; vertex+fragment) of m0: doubtful, two shaders that may belong to one pipeline use them, and no "
       "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %5 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 / b:b@0 /Fragment c:s", "a 0.0; b 0.0; c 0.1"},
      {"", "", NULL, "Vertex a:t@0 / b:b@0 /Fragment =b:b",
       "a 0.0; b 0.0\n"
       "? m0: %6 \"b\" (ubo; set 0, binding 0; vertex+fragment) overlaps with %4 \"a\" (texture 2D float; set 0, "
       "binding 0; vertex+fragment) of m0: doubtful, two shaders that may belong to one pipeline use them, and no "
       "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 =a:t /Fragment b:b@0 /TessellationControl =b:b",
       "! m0: %6 \"b\" (ubo; set 0, binding 0; vertex+tesscontrol+fragment) overlaps with %4 \"a\" (texture 2D float; "
       "set 0, binding 0; vertex+tesscontrol+fragment) of m0: conflict, two stages of the pipeline use them, and no "
       "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 /Geometry b:b@0",
       "! m0: %5 \"b\" (ubo; set 0, binding 0; vertex+geometry) overlaps with %3 \"a\" (texture 2D float; set 0, "
       "binding 0; vertex+geometry) of m0: conflict, two stages of the pipeline use them, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 /GLCompute b:b@0", "a 0.0; b 0.0"},
      {"", "", NULL, "Fragment a:t@0 /GLCompute b:b@0", "a 0.0; b 0.0"},
      {"", "", NULL, "TaskEXT a:t@0 /MeshEXT b:b@0",
       "! m0: %5 \"b\" (ubo; set 0, binding 0; task+mesh) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "task+mesh) of m0: conflict, two stages of the pipeline use them, and no VkDescriptorType serves both; move one "
       "of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "MeshEXT a:t@0 /Fragment b:b@0",
       "! m0: %5 \"b\" (ubo; set 0, binding 0; fragment+mesh) overlaps with %3 \"a\" (texture 2D float; set 0, binding "
       "0; fragment+mesh) of m0: conflict, two stages of the pipeline use them, and no VkDescriptorType serves both; "
       "move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 /MeshEXT b:b@0", "a 0.0; b 0.0"},
      {"", "", NULL, "Vertex a:t@0 /TaskEXT b:b@0", "a 0.0; b 0.0"},
      {"", "", NULL, "GLCompute a:t@0 /MeshEXT b:b@0", "a 0.0; b 0.0"},
      {"", "", NULL, "RayGenerationKHR a:t@0 /MissKHR b:b@0",
       "! m0: %5 \"b\" (ubo; set 0, binding 0; raygen+miss) overlaps with %3 \"a\" (texture 2D float; set 0, binding "
       "0; raygen+miss) of m0: conflict, two stages of the pipeline use them, and no VkDescriptorType serves both; "
       "move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "RayGenerationKHR a:t@0 / b:b@0",
       "a 0.0; b 0.0\n"
       "? m0: %5 \"b\" (ubo; set 0, binding 0; raygen) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "raygen) of m0: doubtful, two shaders that may belong to one pipeline use them, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "RayGenerationKHR a:t@0 /GLCompute b:b@0", "a 0.0; b 0.0"},
      {"", "", NULL, "RayGenerationKHR a:t@0 /Fragment b:b@0", "a 0.0; b 0.0"},
      {"", "", NULL, "CallableKHR a:t@0 /IntersectionKHR b:b@0 / c:s",
       "a 0.0; b 0.0; c 0.1\n"
       "? m0: %6 \"b\" (ubo; set 0, binding 0; intersection+callable) overlaps with %4 \"a\" (texture 2D float; set 0, "
       "binding 0; intersection+callable) of m0: doubtful, two shaders that may belong to one pipeline use them, and "
       "no VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"a\"\n"},
      {"entries", "", NULL, "a:t@0 / b:b@0 =a:t", "a 0.0"},
      {"entries", "", NULL, "Vertex a:t@0 /Fragment b:b@0", "a 0.0"},
      {"entries", "", NULL, "a:t@0 b:b@0 / c:s",
       "? m0: what only other entry points use has no set or no binding yet (resources: 1; first: %6 \"c\"); bind the "
       "output for those entry points, too\n"
       "! m0: %5 \"b\" (ubo; set 0, binding 0; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"})

/* What an interface lists counts as used, as Vulkan says; before 1.4 it lists no resources. */
TABLE(interfaces, {"", "", NULL, "a:t@0! b:b@0! c:s@1", "a 0.0; b 0.0; c 0.1"},
      {"", "", NULL, "a:t@0! b:b@0! c:s@1 ?c", "a 0.0; b 0.0; c 0.1"},
      {"", "", NULL, "a:t@0! b:b@0! ?a ?b c:s@1",
       "a 0.0; b 0.0; c 0.1\n"
       "? m0: %3 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: doubtful, the interface of an entry point lists both, though no function uses both; Vulkan "
       "counts that as static use; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "a:t@0 b:b@0! ?b",
       "a 0.0; b 0.0\n"
       "? m0: %3 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: doubtful, the interface of an entry point lists both, though no function uses both; Vulkan "
       "counts that as static use; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "a:t@0! b:b@0 ?a",
       "a 0.0; b 0.0\n"
       "? m0: %2 \"b\" (ubo; set 0, binding 0; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: doubtful, the interface of an entry point lists both, though no function uses both; Vulkan "
       "counts that as static use; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "a:t@0 b:b@0 ?a",
       "! m0: %3 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "a:t@0 / b:b@0! ?b",
       "a 0.0; b 0.0\n"
       "? m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: doubtful, the interface of an entry point lists both, though no function uses both; Vulkan "
       "counts that as static use; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "a:t@0 / b:b@0 ?b", "a 0.0; b 0.0"},
      {"", "", NULL, "Vertex a:t@0 /Fragment b:b@0! ?b", "a 0.0; b 0.0"},
      {"", "", NULL, "Vertex a:t@0! ?a /Fragment b:b@0! ?b", "a 0.0; b 0.0"},
      {"", "", NULL, "Vertex a:t@0 ?a | Fragment b:b@0! ?b", "a 0.0; b 0.0"},
      {"remove", "", NULL, "a:t@0! b:b@0! ?a ?b c:s@1", "c 0.1; a removed; b removed"},
      {"remove", "", NULL, "a:t@0! b:b@0! c:s@1 ?c", "c 0.1; a removed; b removed"})

/* Modules given together are of one pipeline; those with several entry points of a stage perhaps. */
TABLE(
    modules,
    {"", "", NULL, "Vertex a:t@0 | Fragment b:b@0",
     "! m1: %3 \"b\" (ubo; set 0, binding 0; fragment) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
     "vertex) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType serves both; move one "
     "of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "Vertex a:t@0 / c:s | Fragment b:b@0",
     "a 0.0; b 0.0; c 0.1\n"
     "? m1: %3 \"b\" (ubo; set 0, binding 0; fragment) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
     "vertex) of m0: doubtful, two modules that may belong to one pipeline use them, and no VkDescriptorType serves "
     "both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %3 \"a\"\n"},
    {"", "", NULL, "Vertex a:t@0 | Fragment b:b@0 / c:s",
     "a 0.0; b 0.0; c 0.1\n"
     "? m1: %4 \"b\" (ubo; set 0, binding 0; fragment) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
     "vertex) of m0: doubtful, two modules that may belong to one pipeline use them, and no VkDescriptorType serves "
     "both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "Vertex a:t@0 | Fragment b:b@0! c:s", "a 0.0; b 0.0; c 0.1"},
    {"", "", NULL, "a:t@0 / b:b@0 | Vertex a:t@0",
     "a 0.0; a 0.0; b 0.0\n"
     "? m0: %5 \"b\" (ubo; set 0, binding 0; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
     "vertex+compute) of m0: doubtful, two modules that may belong to one pipeline use them, and no VkDescriptorType "
     "serves both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %3 \"a\"\n"},
    {"", "", NULL, "a:t@0 / b:b@0 | Vertex b:b@0",
     "a 0.0; b 0.0; b 0.0\n"
     "? m0: %5 \"b\" (ubo; set 0, binding 0; vertex+compute) overlaps with %3 \"a\" (texture 2D float; set 0, "
     "binding 0; compute) of m0: doubtful, two modules that may belong to one pipeline use them, and no "
     "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %3 \"a\"\n"},
    {"", "", NULL, "Vertex a:t@0 | a:t@0 / b:b@0",
     "a 0.0; a 0.0; b 0.0\n"
     "? m1: %5 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
     "vertex+compute) of m0: doubtful, two modules that may belong to one pipeline use them, and no VkDescriptorType "
     "serves both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "Vertex b:b@0 | a:t@0 / b:b@0",
     "b 0.0; b 0.0; a 0.0\n"
     "? m1: %3 \"a\" (texture 2D float; set 0, binding 0; compute) overlaps with %3 \"b\" (ubo; set 0, binding 0; "
     "vertex+compute) of m0: doubtful, two modules that may belong to one pipeline use them, and no VkDescriptorType "
     "serves both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %3 \"b\"\n"},
    {"", "", NULL, "a:t@0 / b:b@0 | c:s | Fragment a:t@0 | Vertex d:s",
     "a 0.0; a 0.0; b 0.0; c 0.1; d 0.2\n"
     "? m0: %5 \"b\" (ubo; set 0, binding 0; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
     "fragment+compute) of m0: doubtful, two modules that may belong to one pipeline use them, and no "
     "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %3 \"a\"\n"},
    {"", "", NULL, "(8: HLSL 500)Texture2D a : register(t0), b : register(t0);(end) a:t@0 b:t@0",
     "a 0.0; b 0.0\n"
     "? m0: %4 \"b\" (texture 2D float; compute; declared at t:1) shares set 0, binding 0 with %3 \"a\" (texture 2D "
     "float; compute; declared at t:1) of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in "
     "HLSL a register belongs to one resource: give each its own register\n"},
    {"hlsl last", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t0), b : register(t0), c : register(t0);(end) a:t@0 b:t@0 c:t@0!",
     "a 0.0; b 0.0; c 0.1\n"
     "? m0: %4 \"b\" (texture 2D float; compute; declared at t:1) shares set 0, binding 0 with %3 \"a\" (texture 2D "
     "float; compute; declared at t:1) of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in "
     "HLSL a register belongs to one resource: give each its own register\n"},
    {"split", "", NULL, "a:t@0 b:t@0",
     "! m0: %3 \"b\" (texture 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
     "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and --split-shared makes them two "
     "descriptors; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"split", "", NULL, "Vertex a:t@0 | Fragment b:t@0",
     "! m1: %2 \"b\" (texture 2D float; set 0, binding 0; fragment) overlaps with %2 \"a\" (texture 2D float; set 0, "
     "binding 0; vertex) of m0: conflict, two modules of one pipeline use them, and --split-shared makes them two "
     "descriptors; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "a:t[]@0 b:w[]@0",
     "! m0: %3 \"b\" (stexbuf Buffer float[]; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float[]; "
     "set 0, binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both "
     "but VK_DESCRIPTOR_TYPE_MUTABLE_EXT; use --heap-model=mutable if the binding has this type, else move one of "
     "them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"mutable", "", NULL, "a:t[]@0 b:w[]@0", "a 0.0; b 0.0"},
    {"", "", NULL, "a:t[]@0 b:w[2]@0",
     "! m0: %3 \"b\" (stexbuf Buffer float[2]; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D "
     "float[]; set 0, binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType "
     "serves both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "a:w[]@0 b:s[]@0",
     "! m0: %3 \"b\" (sampler[]; set 0, binding 0; compute) overlaps with %2 \"a\" (stexbuf Buffer float[]; set 0, "
     "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move "
     "one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"split conflicts", "", NULL, "a:t@0 b:t@0", "a 0.0; b 0.1"},
    {"", "", NULL, "a:t@0 / c:s | a:t@0 / c:s | Fragment b:b@0 | Vertex a:t@0",
     "! m2: %3 \"b\" (ubo; set 0, binding 0; fragment) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
     "vertex+compute) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType serves both; "
     "move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %3 \"a\"\n"},
    {"", "", NULL, "a:t@0 / c:s | Fragment b:b@0 / d:s",
     "a 0.0; b 0.0; c 0.1; d 0.2\n"
     "? m1: %4 \"b\" (ubo; set 0, binding 0; fragment) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
     "compute) of m0: doubtful, two modules that may belong to one pipeline use them, and no VkDescriptorType serves "
     "both; move one of them, or use --rebind=conflicts\n"
     ". m0: conflicts with: %3 \"a\"\n"})

/* Of several views of a descriptor the messages name the one that is used where they collide. */
TABLE(the_view_that_is_used,
      {"", "", NULL, "a:t@0! b:t@0 c:b@0",
       "! m0: %5 \"c\" (ubo; set 0, binding 0; compute) overlaps with %3 \"b\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"b\"\n"},
      {"", "", NULL, "a:t@0 b:t@0! c:b@0! d:b@0",
       "! m0: %7 \"d\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 /Fragment b:t@0 c:b@0",
       "! m0: %6 \"c\" (ubo; set 0, binding 0; vertex+fragment) overlaps with %4 \"b\" (texture 2D float; set 0, "
       "binding 0; vertex+fragment) of m0: conflict, entry point \"main2\" uses both, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"b\"\n"},
      {"", "", NULL, "Vertex a:t@0 b:t@0! /Fragment =b:t c:b@0",
       "! m0: %6 \"c\" (ubo; set 0, binding 0; vertex+fragment) overlaps with %4 \"b\" (texture 2D float; set 0, "
       "binding 0; vertex+fragment) of m0: conflict, entry point \"main2\" uses both, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"b\"\n"},
      {"", "", NULL, "Vertex a:b@0 /Fragment b:b@0! c:t@0 d:b@0! /GLCompute =b:b",
       "! m0: %8 \"c\" (texture 2D float; set 0, binding 0; vertex+fragment+compute) overlaps with %5 \"a\" (ubo; set "
       "0, binding 0; vertex+fragment+compute) of m0: conflict, two stages of the pipeline use them, and no "
       "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %5 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 | Fragment b:t@0 c:b@0",
       "! m1: %4 \"c\" (ubo; set 0, binding 0; fragment) overlaps with %2 \"b\" (texture 2D float; set 0, binding 0; "
       "fragment) of m1: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m1: conflicts with: %2 \"b\"\n"},
      {"", "", NULL, "Vertex a:t@0! b:t@0 | Fragment c:b@0! d:b@0",
       "! m1: %5 \"d\" (ubo; set 0, binding 0; fragment) overlaps with %3 \"b\" (texture 2D float; set 0, binding 0; "
       "vertex) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType serves both; move one "
       "of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"b\"\n"},
      {"", "", NULL, "Vertex a:t@0 | Fragment b:t@0! c:b@0",
       "! m1: %4 \"c\" (ubo; set 0, binding 0; fragment) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "vertex) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType serves both; move one "
       "of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 | Fragment b:t@0 | GLCompute a:t@0! c:b@0",
       "! m2: %4 \"c\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "vertex+compute) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType serves both; "
       "move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0! ?a b:t@0! ?b c:b@0! d:b@0! ?d",
       "a 0.0; b 0.0; c 0.0; d 0.0\n"
       "? m0: %4 \"d\" (ubo; set 0, binding 0; vertex) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "vertex) of m0: doubtful, the interface of an entry point lists both, though no function uses both; Vulkan "
       "counts that as static use; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "a:t@0 b:t@0! / =b:t c:b@0! d:b@0",
       "! m0: %8 \"d\" (ubo; set 0, binding 0; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main2\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "a:t@0 b:b@0 c:i@0",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"
       "! m0: %5 \"c\" (image 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move "
       "one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"
       "! m0: %5 \"c\" (image 2D float; set 0, binding 0; compute) overlaps with %4 \"b\" (ubo; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"b\"\n"},
      {"", "", NULL, "a:t@0 b:b@0! c:i@0",
       "! m0: %5 \"c\" (image 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move "
       "one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"overlap", "", NULL, "a:t@0! b:t@0 c:b@0",
       "a 0.0; b 0.0; c 0.0\n"
       "? m0: %5 \"c\" (ubo; set 0, binding 0; compute) overlaps with %3 \"b\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"b\"\n"},
      {"conflicts", "", NULL, "a:t@0 b:b@0 c:i@0 d:b@0 e:t@0", "a 0.0; e 0.0; b 0.1; d 0.1; c 0.2"},
      {"descriptors", "", NULL, "a:t@0 / b:b@0 / c:i@0 / d:b@0 / e:t@0",
       "a 0.0; e 0.0; b 0.0; d 0.0; c 0.0\n"
       "0.0 a: type 2, count 1, stages 32, 2 views\n"
       "0.0 b: type 6, count 1, stages 32, 2 views\n"
       "0.0 c: type 3, count 1, stages 32"},
      {"descriptors", "", NULL, "a:t@0 b:c@0 c:s@0 / d:b@0 / e:s@0 f:c@0",
       "a 0.0; b 0.0; c 0.0; e 0.0; f 0.0; d 0.0\n"
       "0.0 a: type 1, count 1, stages 32, 5 views\n"
       "0.0 d: type 6, count 1, stages 32"})

/* Registers: each class has bindings of its own, once they are numbered anew. */
TABLE(views_and_registers,
      {"", "", NULL, "(8: HLSL 500)(end) a:t@1 b:b@1",
       "! m0: %5 \"b\" (ubo; set 0, binding 1; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 1; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; use "
       "--rules=hlsl, under which they are registers of different classes\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "(8: HLSL 500)(end) a:t@1 b:x@1",
       "! m0: %4 \"b\" (utexbuf Buffer float; set 0, binding 1; compute) overlaps with %3 \"a\" (texture 2D float; set "
       "0, binding 1; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; "
       "move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "(7: HLSL 500)(end) a:t@1 b:b@1",
       "! m0: %5 \"b\" (ubo; set 0, binding 1; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 1; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; use "
       "--rules=hlsl, under which they are registers of different classes\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "(14: HLSL 500)(end) a:t@1 b:b@1",
       "! m0: %5 \"b\" (ubo; set 0, binding 1; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 1; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "(8: GLSL 450)(end) a:t@1 b:b@1",
       "! m0: %5 \"b\" (ubo; set 0, binding 1; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 1; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "(8: HLSL 500)(end) a:t@1 b:s@1",
       "a 0.1; b 0.1\n"
       "? m0: %4 \"b\" (sampler; compute) shares set 0, binding 1 with %3 \"a\" (texture 2D float; compute) of m0: "
       "doubtful, they are views of one VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER; in HLSL they have different "
       "registers, or none: use --rules=hlsl to give each its own binding\n"},
      {"all", "", NULL, "(8: HLSL 500)(end) a:t@1 b:s@1", "a 0.0; b 0.1"},
      {"all", "", NULL, "(14: HLSL 500)(end) a:t@1 b:s@1", "a 0.0; b 0.0"},
      {"all", "", NULL, "(8: HLSL 500)(end) a:t@1 b:t@1",
       "a 0.0; b 0.0\n"
       "? m0: %4 \"b\" (texture 2D float; compute) shares set 0, binding 1 with %3 \"a\" (texture 2D float; compute) "
       "of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in HLSL a register "
       "belongs to one resource: give each its own register\n"},
      {"all", "", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0", "a 0.0; b 0.1"},
      {"all", "", NULL, "(8: HLSL 500)(end) a:t@0,1 b:t@0,1",
       "a 1.0; b 1.0\n"
       "? m0: %4 \"b\" (texture 2D float; compute) shares set 1, binding 0 with %3 \"a\" (texture 2D float; compute) "
       "of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in HLSL a register "
       "belongs to one resource: give each its own register\n"},
      {"all", "", NULL, "(14: HLSL 500)(end) a:t@0 b:t@0", "a 0.0; b 0.0"},
      {"all", "", NULL, "a:t@1 b:s@1", "a 0.0; b 0.0"}, {"hlsl", "", NULL, "a:t@1 b:s@1", "a 0.1; b 0.2 (s1)"},
      {"hlsl", "", NULL, "a:t@1 b:t@1", "a 0.1; b 0.1"},
      {"hlsl last", "", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0!",
       "a 0.0; b 0.1\n"
       ". m0: the source text in the module does not tell register 0 from no register, since it does not declare "
       "\"a\", so resources that collide at 0 count as unregistered\n"},
      {"last", "", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0!",
       "a 0.0; b 0.0\n"
       "? m0: %4 \"b\" (texture 2D float; compute) shares set 0, binding 0 with %3 \"a\" (texture 2D float; compute) "
       "of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in HLSL they have different "
       "registers, or none: use --rules=hlsl to give each its own binding\n"},
      {"", "place name=a -> set=3", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0", "b 0.0; a 3.0"},
      {"", "reserve set=3", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0",
       "a 0.0; b 0.0\n"
       "? m0: %4 \"b\" (texture 2D float; compute) shares set 0, binding 0 with %3 \"a\" (texture 2D float; compute) "
       "of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in HLSL they have different "
       "registers, or none: use --rules=hlsl to give each its own binding\n"},
      {"", "place name=c -> set=5", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0 c:t@4",
       "a 0.0; b 0.0; c 5.4\n"
       "? m0: %4 \"b\" (texture 2D float; compute) shares set 0, binding 0 with %3 \"a\" (texture 2D float; compute) "
       "of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in HLSL they have different "
       "registers, or none: use --rules=hlsl to give each its own binding\n"},
      {"", "place -> order=1", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0",
       "a 0.0; b 0.0\n"
       "? m0: %4 \"b\" (texture 2D float; compute) shares set 0, binding 0 with %3 \"a\" (texture 2D float; compute) "
       "of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in HLSL they have different "
       "registers, or none: use --rules=hlsl to give each its own binding\n"},
      {"", "place -> set=3", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0",
       "a 3.0; b 3.0\n"
       "? m0: %4 \"b\" (texture 2D float; compute) shares set 0, binding 0 with %3 \"a\" (texture 2D float; compute) "
       "of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in HLSL they have different "
       "registers, or none: use --rules=hlsl to give each its own binding\n"},
      {"", "place name=a -> binding=7", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0", "b 0.0; a 0.7"},
      {"", "place name=a -> range=3..9", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0", "b 0.0; a 0.3"},
      {"", "place name=a -> binding=auto", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0", "b 0.0; a 0.1"},
      {"", "place name=a -> set=3\nplace -> set=4", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0", "a 3.0; b 4.0"},
      {"", "place name=a -> set=0\nplace -> set=4", NULL, "(8: HLSL 500)(end) a:t@0 b:t@0", "a 0.0; b 4.0"},
      {"", "reserve set=3", NULL, "(8: HLSL 500)(end) a:t@1 b:s@1",
       "a 0.1; b 0.1\n"
       "? m0: %4 \"b\" (sampler; compute) shares set 0, binding 1 with %3 \"a\" (texture 2D float; compute) of m0: "
       "doubtful, they are views of one VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER; in HLSL they have different "
       "registers, or none: use --rules=hlsl to give each its own binding\n"},
      {"", "place -> set=3", NULL, "(8: HLSL 500)(end) a:t@1 b:s@1",
       "a 3.1; b 3.1\n"
       "? m0: %4 \"b\" (sampler; compute) shares set 0, binding 1 with %3 \"a\" (texture 2D float; compute) of m0: "
       "doubtful, they are views of one VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER; in HLSL they have different "
       "registers, or none: use --rules=hlsl to give each its own binding\n"},
      {"", "place name=a -> set=3", NULL, "(8: HLSL 500)(end) a:t@1 b:s@1", "b 0.1; a 3.1"},
      {"", "place name=a -> binding=7", NULL, "(8: HLSL 500)(end) a:t@1 b:s@1", "b 0.1; a 0.7"},
      {"", "place name=b -> binding=7", NULL, "(8: HLSL 500)(end) a:t@1 b:s@1", "a 0.1; b 0.7"},
      {"", "place name=a -> set=3", NULL, "a:t@0 b:t@0", "a 3.0; b 3.0"},
      {"", "place name=c -> set=3", NULL, "a:t@0 b:t@0 c:t", "a 0.0; b 0.0; c 3.0"},
      {"", "place name=c -> set=3", NULL, "a:t@1 b:s@1 c:t", "a 0.1; b 0.1; c 3.0"},
      {"", "option fixed=registers", NULL, "a:t@1 b:s@1", "a 0.1; b 0.1"},
      {"", "shift class=t by=10", NULL, "a:t@1 b:s@1", "a 0.1; b 0.1"},
      {"", "option fixed=registers\nshift class=t by=10", NULL, "a:t@1 b:s@1", "b 0.1; a 0.11"},
      {"", "option fixed=registers\nshift class=t by=10", NULL, "a:t@1 b:t@1", "a 0.11; b 0.11"},
      {"hlsl", "shift class=t stage=vertex by=20", NULL, "Vertex a:t@1 | Fragment b:t@1", "b 0.1; a 0.21 (t1)"},
      {"hlsl", "shift class=t by=20", NULL, "Vertex a:t@1 | Fragment b:t@1", "a 0.21 (t1); b 0.21 (t1)"})

/* Each search for an entry point walks its module, so only so many are made for a program. */
static void searches_are_bounded(void **state)
{
	static struct text first, second;
	enum { SEARCHES = 256 };

	(void)state;
	clear(&first), clear(&second);
	for (int i = 0; i <= SEARCHES; i++) { /* at each binding two, of one entry point each */
		struct row row = {"", "", NULL, NULL, NULL};
		put(&first, "a%d:t@%d ", i, i);
		put(&second, "b%d:b@%d ", i, i);
		if (i < SEARCHES - 1)
			continue;
		const spb_callbacks callbacks = {.user = &said, .message = keep_message};
		spb_context *context;
		clear(&said), clear(&got);
		put(&got, "%s / %s", first.items, second.items);
		row.modules = got.items;
		assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
		spb_program *p = bound(&row, context);
		assert_non_null(p);
		assert_int_equal(strncmp(said.items, "? m0: ", 6) == 0, i == SEARCHES);
		assert_int_equal(strstr(said.items, "doubtful, an entry point may use both; ") != NULL, i == SEARCHES);
		spb_program_destroy(p);
		spb_context_destroy(context);
	}
}

/* A group is what is left of it: its type, its length, and where it goes. */
TABLE(what_is_left_of_a_group,
      {"descriptors remove", "", NULL, "a:c@0! b:t@0 c:b",
       "b 0.0; c 0.1; a removed\n"
       "0.0 b: type 2, count 1, stages 32\n"
       "0.1 c: type 6, count 1, stages 32"},
      {"descriptors remove", "", NULL, "a:t@0 b:c@0! c:b",
       "a 0.0; c 0.1; b removed\n"
       "0.0 a: type 2, count 1, stages 32\n"
       "0.1 c: type 6, count 1, stages 32"},
      {"descriptors remove", "", NULL, "a:t@0 b:c@0! c:s@0",
       "a 0.0; c 0.0; b removed\n"
       "0.0 a: type 1, count 1, stages 32, 2 views"},
      {"descriptors", "", NULL, "a:t@0 b:c@0! c:b",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 1, count 1, stages 32, 2 views\n"
       "0.1 c: type 6, count 1, stages 32"},
      {"descriptors remove", "option arrays=each", NULL, "a:t[4]@0! b:t[2]@0 c:t[3]@0 d:b",
       "b 0.0; c 0.0; d 0.3; a removed\n"
       "0.0 b: type 2, count 3, stages 32, 2 views\n"
       "0.3 d: type 6, count 1, stages 32"},
      {"descriptors remove", "option arrays=each", NULL, "b:t[2]@0 a:t[4]@0! c:t[3]@0 d:b",
       "b 0.0; c 0.0; d 0.3; a removed\n"
       "0.0 b: type 2, count 3, stages 32, 2 views\n"
       "0.3 d: type 6, count 1, stages 32"},
      {"descriptors remove", "option arrays=each", NULL, "b:t[3]@0 a:t[]@0! c:t[2]@0 d:b",
       "b 0.0; c 0.0; d 0.3; a removed\n"
       "0.0 b: type 2, count 3, stages 32, 2 views\n"
       "0.3 d: type 6, count 1, stages 32"},
      {"descriptors all", "option arrays=each", NULL, "a:t[4]@5 b:t[2]@5 c:u",
       "a 0.0; b 0.0; c 0.4\n"
       "0.0 a: type 2, count 4, stages 32, 2 views\n"
       "0.4 c: type 7, count 1, stages 32"},
      {"descriptors all", "option arrays=each", NULL, "a:t[2]@5 b:t[4]@5 c:u",
       "a 0.0; b 0.0; c 0.4\n"
       "0.0 a: type 2, count 4, stages 32, 2 views\n"
       "0.4 c: type 7, count 1, stages 32"},
      {"descriptors all", "option arrays=each", NULL, "a:t[]@5 b:t[2]@5 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 2, count 0, stages 32, flags 4, 2 views\n"
       "0.1 c: type 7, count 1, stages 32"},
      {"descriptors all", "option arrays=each", NULL, "a:t[2]@5 b:t[]@5 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 2, count 0, stages 32, flags 4, 2 views\n"
       "0.1 c: type 7, count 1, stages 32"},
      {"descriptors remove", "", NULL, "a:t@0! b:t@0! c:b",
       "c 0.0; a removed; b removed\n"
       "0.0 c: type 6, count 1, stages 32"},
      {"last all", "", NULL, "a:t@3! b:t@3 c:b", "a 0.0; b 0.0; c 0.1"},
      {"last all", "", NULL, "a:t@3! b:t@3! c:b", "c 0.0; a 0.1; b 0.1"},
      {"hlsl last", "", NULL, "a:t@3! b:t@3 c:t", "c 0.0; a 0.3; b 0.3"},
      {"hlsl last", "", NULL, "b:t@3 a:t@3! c:t", "c 0.0; b 0.3; a 0.3"},
      {"all-sets", "", NULL, "a:t@3,1 b:t@3,1 c:b@2,1", "a 0.0; b 0.0; c 0.1"},
      {"all-sets set=4", "", NULL, "c:b@2,1 a:t@3,1 b:t@3,1", "c 4.0; a 4.1; b 4.1"},
      {"", "block name=a", NULL, "a:t@0 b:t@0 c:b", "a 0.0; b 0.0; c 0.1"},
      {"", "place name=b -> set=2", NULL, "a:t@0 b:t@0 c:b", "c 0.0; a 2.0; b 2.0"},
      {"hlsl all", "place name=a -> set=2", NULL, "a:t@4 b:t@4 c:b", "c 0.0; a 2.0; b 2.0"},
      {"hlsl last", "", NULL, "a:t@3! b:t@3! c:t", "c 0.0; a 0.1; b 0.1"})

/* Modules that disagree about a place leave it open; those that agree share it. */
TABLE(places_of_several_modules, {"all", "", NULL, "Vertex a:t@1 b:t@1 | Fragment a:t@2", "a 0.0; a 0.0; b 0.1"},
      {"all", "", NULL, "Vertex a:t@1 | Fragment a:t@2 b:t@2", "a 0.0; a 0.0; b 0.1"},
      {"all", "", NULL, "Vertex a:t@1 | Fragment a:t@1,1 b:t@1,1",
       "a 0.0; a 1.0; b 1.0\n"
       ". m0: first placed here: %2 \"a\"\n"
       "? m1: %2 \"a\" is placed at set 1, binding 1 here, but at set 0, binding 1 in m0, so they are two descriptors; "
       "correct one, or use --rebind=all\n"},
      {"all", "", NULL, "Vertex a:t@1 | Fragment a:t@1 b:t@1", "a 0.0; a 0.0; b 0.0"},
      {"all", "", NULL, "Vertex a:t | Fragment a:t@1 b:t@1", "a 0.0; a 0.0; b 0.0"},
      {"all", "", NULL, "Vertex a:t@1 | Fragment a:t b:t@1", "a 0.0; a 0.0; b 0.0"},
      {"all", "", NULL, "Vertex b:s@1 | Fragment (8: HLSL 500)(end) a:t@1", "b 0.0; a 0.1"},
      {"all", "", NULL, "Vertex (8: HLSL 500)(end) a:t@1 | Fragment b:s@1", "a 0.0; b 0.1"},
      {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a : register(t0), b : register(t0);(end) a:t@0 b:t@0",
       "a 0.0; b 0.0\n"
       "? m0: %4 \"b\" (texture 2D float; compute; declared at t:1) shares set 0, binding 0 with %3 \"a\" (texture 2D "
       "float; compute; declared at t:1) of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in "
       "HLSL a register belongs to one resource: give each its own register\n"},
      {"", "", NULL, "a:t@0 / c:s | a:t@0 / c:s | Fragment e:b@0! b:b@0 | Vertex a:t@0 / c:s",
       "a 0.0; a 0.0; a 0.0; e 0.0; b 0.0; c 0.1; c 0.1; c 0.1\n"
       "? m2: %5 \"b\" (ubo; set 0, binding 0; fragment) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "vertex+compute) of m0: doubtful, two modules that may belong to one pipeline use them, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "a:t@0 / e:b@0! b:b@0 | a:t@0 / c:s | a:t@0 / c:s",
       "a 0.0; a 0.0; a 0.0; e 0.0; b 0.0; c 0.1; c 0.1\n"
       "? m0: %7 \"b\" (ubo; set 0, binding 0; compute) overlaps with %3 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: doubtful, two modules that may belong to one pipeline use them, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 /GLCompute b:b@0 c:t@1 d:b@1!", "a 0.0; b 0.0; c 0.1; d 0.1"},
      {"", "", NULL, "GLCompute b:b@0 c:t@1 d:b@1! /Vertex a:t@0", "b 0.0; a 0.0; c 0.1; d 0.1"},
      {"", "", NULL, "GLCompute a:t@0 c:t@1! /Vertex b:b@0 d:b@1", "a 0.0; b 0.0; d 0.1; c 0.1"})

/* Of heaps the host sees one descriptor where bindings are mutable; of others as many as no pipeline uses together. */
TABLE(entries_of_set_layouts,
      {"descriptors", "", NULL, "a:t@0 / b:b@0 / c:b@0 d:t@0!",
       "a 0.0; d 0.0; b 0.0; c 0.0\n"
       "0.0 a: type 2, count 1, stages 32, 2 views\n"
       "0.0 b: type 6, count 1, stages 32, 2 views"},
      {"descriptors", "", NULL, "a:t@0! / b:b@0 / c:b@0",
       "b 0.0; c 0.0; a 0.0\n"
       "0.0 b: type 6, count 1, stages 32, 3 views"},
      {"descriptors", "", NULL, "a:t[4]@0! / b:b[2]@0 / c:b@0",
       "b 0.0; c 0.0; a 0.0\n"
       "0.0 b: type 6, count 2, stages 32, 3 views"},
      {"descriptors", "", NULL, "a:t[4]@0! b:b@0!",
       "a 0.0; b 0.0\n"
       "0.0 a: type 2, count 4, stages 0, 2 views"},
      {"descriptors", "", NULL, "a:t[]@0 / b:i[]@0",
       "a 0.0; b 0.0\n"
       "0.0 a: type 2, count 0, stages 32, flags 4\n"
       "0.0 b: type 3, count 0, stages 32, flags 4"},
      {"descriptors mutable", "", NULL, "a:t[]@0 / b:i[]@0",
       "a 0.0; b 0.0\n"
       "0.0 a: type 1000351000, count 0, stages 32, flags 4, 2 views"},
      {"descriptors mutable", "", NULL, "a:t[]@0 / b:i[4]@0",
       "a 0.0; b 0.0\n"
       "0.0 a: type 2, count 0, stages 32, flags 4\n"
       "0.0 b: type 3, count 4, stages 32"},
      {"descriptors mutable", "", NULL, "a:t[4]@0 / b:i[]@0",
       "a 0.0; b 0.0\n"
       "0.0 a: type 2, count 4, stages 32\n"
       "0.0 b: type 3, count 0, stages 32, flags 4"},
      {"descriptors mutable", "", NULL, "a:t[]@0 / b:b[]@0 / c:s[]@0",
       "a 0.0; b 0.0; c 0.0\n"
       "0.0 a: type 1000351000, count 0, stages 32, flags 4, 3 views"},
      {"descriptors mutable", "", NULL, "a:t@0 / b:i@0",
       "a 0.0; b 0.0\n"
       "0.0 a: type 2, count 1, stages 32\n"
       "0.0 b: type 3, count 1, stages 32"},
      {"descriptors mutable", "", NULL, "heap_sampler:s[]@0,1 b:t",
       "b 0.0; heap_sampler 1.0\n"
       "0.0 b: type 2, count 1, stages 32\n"
       "1.0 heap_sampler: type 0, count 0, stages 32, flags 4"},
      {"descriptors mutable", "", NULL, "heap_texture_a:t[]@2,1 b:t",
       "b 0.0; heap_texture_a 1.2\n"
       "0.0 b: type 2, count 1, stages 32\n"
       "1.2 heap_texture_a: type 1000351000, count 0, stages 32, flags 4"},
      {"descriptors mutable", "", NULL, "heap_texture_a:t[]@2,1 heap_image_b:i[]@2,1 b:t",
       "b 0.0; heap_texture_a 1.2; heap_image_b 1.2\n"
       "0.0 b: type 2, count 1, stages 32\n"
       "1.2 heap_texture_a: type 1000351000, count 0, stages 32, flags 4, 2 views"},
      {"descriptors mutable", "", NULL, "heap_texture_a:t[]@2,1 b:b[]@2,1",
       "heap_texture_a 1.2; b 1.2\n"
       "1.2 heap_texture_a: type 1000351000, count 0, stages 32, flags 4, 2 views"},
      {"descriptors mutable", "", NULL, "heap_texture_a:t[]@2,1 b:b[]@2,1!",
       "heap_texture_a 1.2; b 1.2\n"
       "1.2 heap_texture_a: type 1000351000, count 0, stages 32, flags 4, 2 views"},
      {"descriptors", "", NULL, "heap_texture_a:t[]@2,1 b:t[]@2,1",
       "heap_texture_a 1.2; b 1.2\n"
       "1.2 heap_texture_a: type 2, count 0, stages 32, flags 4, 2 views"},
      {"descriptors", "", NULL, "heap_texture_a:t[]@2,1 heap_image_b:i[]@2,1 b:t",
       "b 0.0; heap_texture_a 1.2; heap_image_b 1.2\n"
       "0.0 b: type 2, count 1, stages 32\n"
       "1.2 heap_texture_a: type 1000351000, count 0, stages 32, flags 4, 2 views"})

/* Registers of a module that has been bound are found again; its remark is not what another tool wrote. */
TABLE(remarks_of_registers,
      {"hlsl remarks", "", NULL, "a:t b:b",
       "b 0.0; a 0.1 (t0)\n"
       "<spirv-bind: registers shifted t:0=1>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=1> a:t@1 b:b@0",
       "b 0.0; a 0.1 (t0)\n"
       "<spirv-bind: registers shifted t:0=1>"},
      {"hlsl remarks", "", NULL, "a:t@1 b:b@0", "b 0.0; a 0.1"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4> a:t@4 b:t", "a 0.0; b 0.1"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4 u:0=9> a:t@4 b:i@9 c:t@3",
       "a 0.0; c 0.3; b 0.4 (u0)\n"
       "<spirv-bind: registers shifted u:0=4>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4 u:0=9> a:t@4 b:i@9 c:t@5 d:i@11 e:t@6",
       "a 0.0; c 0.1; e 0.2; b 0.3 (u0); d 0.5 (u2)\n"
       "<spirv-bind: registers shifted u:0=3>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted u:0=9 t:1=3 t:0=4 s:0=12> a:t@4 b:i@9 c:t@3,1 d:s@13",
       "a 0.0; d 0.1; b 0.2 (u0); c 1.0\n"
       "<spirv-bind: registers shifted u:0=2>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted b:0=19 t:10=3> a:t@4,10 b:b@20", "b 0.1; a 10.1"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4294967295> a:t@4294967295", "a 0.0"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4294967296> a:t@5",
       "a 0.5\n"
       "<spirv-bind: registers shifted t:0=4294967296>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=> a:t@5",
       "a 0.5\n"
       "<spirv-bind: registers shifted t:0=>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:=4> a:t@5",
       "a 0.5\n"
       "<spirv-bind: registers shifted t:=4>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0-4> a:t@5",
       "a 0.5\n"
       "<spirv-bind: registers shifted t:0-4>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t.0=4> a:t@5",
       "a 0.5\n"
       "<spirv-bind: registers shifted t.0=4>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted x:0=4> a:t@5",
       "a 0.5\n"
       "<spirv-bind: registers shifted x:0=4>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted,t:0=4> a:t@5",
       "a 0.5\n"
       "<spirv-bind: registers shifted,t:0=4>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted > a:t@5",
       "a 0.5\n"
       "<spirv-bind: registers shifted >"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4 x:0=3 s:0=2> a:t@5 b:s@4", "a 0.1; b 0.4"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4 bound> a:t@5 b:t", "b 0.0; a 0.5"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4 bounds> a:t@5 b:t", "b 0.0; a 0.5"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4 placed> a:t@5 b:t",
       "b 0.0; a 0.1\n"
       "<spirv-bind: bindings placed>"},
      {"hlsl remarks", "", NULL, "<spirv-bind: registers shifted t:0=4 bound placed> a:t@5 b:t", "b 0.0; a 0.5"},
      {"remarks", "", NULL, "<spirv-bind: registers shifted t:0=4> a:t@5 b:t", "b 0.0; a 0.5"},
      {"all remarks", "", NULL, "<spirv-bind: registers shifted t:0=4 placed> a:t@5 b:t", "a 0.0; b 0.1"},
      {"all remarks", "", NULL, "<spirv-bind: bindings placed> a:t@5 b:t", "a 0.0; b 0.1"},
      {"all remarks", "", NULL, "<spirv-bind: registers bound> a:t@5 b:t", "a 0.0; b 0.1"},
      {"remarks", "place name=a -> set=2", NULL, "<spirv-bind: bindings placed> a:t@5 b:t",
       "b 0.0; a 0.5\n"
       "<spirv-bind: bindings placed>\n"
       ". m0: an earlier run placed the resources by a policy, so no policy moves them now; bind the original module, "
       "or assign everything anew with --rebind=all\n"},
      {"remarks", "place name=a -> set=2", NULL, "<spirv-bind: registers bound> a:t@5 b:t", "b 0.0; a 2.5"},
      {"remarks", "place name=a -> set=2", NULL, "a:t@5 b:t", "b 0.0; a 2.5"},
      {"remarks", "place set=0 -> set=2", NULL, "a:t@5 b:t",
       "b 2.0; a 2.5\n"
       "<spirv-bind: bindings placed>"},
      {"remarks", "place class=t register=5 -> binding=6", NULL, "a:t@5 b:t",
       "b 0.0; a 0.6\n"
       "<spirv-bind: bindings placed>"},
      {"remarks", "place name=a -> range=4..7", NULL, "a:t b:t",
       "b 0.0; a 0.4\n"
       "<spirv-bind: bindings placed>"},
      {"remarks", "descriptor set=0 -> flags=update-after-bind", NULL, "a:t@5 b:t", "b 0.0; a 0.5"},
      {"remarks", "block name=s", NULL, "s:{x:t y:t} b:t",
       "b 0.0; s.x 1.0; s.y 1.1\n"
       "<spirv-bind: bindings placed>"},
      {"remarks", "place name=s.x -> binding=6", NULL, "s:{x:t y:t} b:t",
       "s.y 0.0; b 0.1; s.x 0.6\n"
       "<spirv-bind: bindings placed>"},
      {"remarks", "place name=b -> binding=6", NULL, "s:{x:t y:t} b:t", "s.x 0.0; s.y 0.1; b 0.6"},
      {"remarks", "shift class=t by=4", NULL, "a:t@5 b:t", "b 0.4; a 0.5"},
      {"remarks", "option fixed=registers\nshift class=t by=4", NULL, "a:t@5 b:t",
       "b 0.0; a 0.9\n"
       "<spirv-bind: bindings placed>"},
      {"remarks", "option fixed=registers", NULL, "a:t@5 b:t", "b 0.0; a 0.5"},
      {"hlsl remarks", "shift class=t by=4", NULL, "a:t@5 b:t@,1 c:s",
       "c 0.0; a 0.9 (t5); b 1.4 (t0)\n"
       "<spirv-bind: registers shifted t:0=4 t:1=4>"},
      {"hlsl remarks", "shift class=t by=4\nshift class=s set=1 by=2", NULL, "a:t@5 b:t@,1 c:s@,1",
       "a 0.9 (t5); c 1.2 (s0); b 1.4 (t0)\n"
       "<spirv-bind: registers shifted t:0=4 t:1=4 s:1=2>"},
      {"hlsl remarks", "shift class=t stage=compute by=4", NULL, "a:t@5 b:t",
       "b 0.4 (t0); a 0.9 (t5)\n"
       "<spirv-bind: registers shifted bound>"},
      {"hlsl remarks", "shift class=s by=3\nshift class=t stage=compute by=4", NULL, "a:t@5 b:t c:s",
       "c 0.3 (s0); b 0.4 (t0); a 0.9 (t5)\n"
       "<spirv-bind: registers shifted s:0=3 bound>"},
      {"hlsl remarks", "shift class=s by=3\nplace set=0 name=b -> set=4", NULL, "a:t@5 b:t c:s",
       "c 0.3 (s0); a 0.5; b 4.0\n"
       "<spirv-bind: registers shifted s:0=3 placed>"},
      {"hlsl remarks", "place set=0 name=b -> set=4", NULL, "a:t@5 b:t",
       "a 0.5; b 4.0\n"
       "<spirv-bind: bindings placed>"})

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(entry_points),
	    cmocka_unit_test(interfaces),
	    cmocka_unit_test(modules),
	    cmocka_unit_test(the_view_that_is_used),
	    cmocka_unit_test(views_and_registers),
	    cmocka_unit_test(what_is_left_of_a_group),
	    cmocka_unit_test(places_of_several_modules),
	    cmocka_unit_test(entries_of_set_layouts),
	    cmocka_unit_test(remarks_of_registers),
	    cmocka_unit_test(searches_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
