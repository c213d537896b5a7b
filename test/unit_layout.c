/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of programs: each row of a table has options, the declarations of one or more modules, and where
 * everything goes, by hand from docs/bindings.md and the rules of HLSL and of Slang. */
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

/* Slang's rules: one number for each resource, in order. */
TABLE(the_first_free_number, {"", "", NULL, "a:t b:b c:s", "a 0.0; b 0.1; c 0.2"},
      {"", "", NULL, "a:t[3] b:b c:s[] d:i", "a 0.0; b 0.1; c 0.2; d 0.3"},
      {"", "", NULL, "a:t b:b@0 c:s@2 d:i", "b 0.0; a 0.1; c 0.2; d 0.3"},
      {"", "", NULL, "a:t@,1 b:b c:s@,1 d:i", "b 0.0; d 0.1; a 1.0; c 1.1"},
      {"", "", NULL, "a:t@1 b:b[4]@0,1 c:s d:i@,1", "c 0.0; a 0.1; b 1.0; d 1.1"},
      {"set=2", "", NULL, "a:t b:b@,0 c:s@3", "b 0.0; c 0.3; a 2.0"},
      {"by-name", "", NULL, "b:t a:b c:s", "a 0.0; b 0.1; c 0.2"},
      {"", "", NULL, "a:{x:t y:s[2]} b:b", "a.x 0.0; a.y 0.1; b 0.2"},
      {"", "", NULL, "b:b a:{x:t y:s[2] z:t}@3,1 c:t@,1", "b 0.0; c 1.0; a.x 1.3; a.y 1.4; a.z 1.5"},
      {"", "option arrays=each", NULL, "a:t[3] b:b c:s[2][2] d:i[] e:i", "a 0.0; b 0.3; c 0.4; d 0.8; e 0.9"},
      {"", "option arrays=each", NULL, "a:t[3]@1 b:b c:s[2] d:i", "b 0.0; a 0.1; c 0.4; d 0.6"},
      {"", "option structs=apart", NULL, "b:b@1 a:{x:t y:s[2] z:t} c:t", "a.x 0.0; b 0.1; a.y 0.2; a.z 0.3; c 0.4"},
      {"", "", NULL, "b:b@1 a:{x:t y:s[2] z:t} c:t", "c 0.0; b 0.1; a.x 0.2; a.y 0.3; a.z 0.4"},
      {"", "option sets=first", NULL, "a:t b:b@,0 c:s d:i@,0", "b 0.0; d 0.1; a 0.2; c 0.3"},
      {"", "", NULL, "a:b@4294967295 b:b", "b 0.0; a 0.4294967295"},
      {"", "option arrays=each", NULL, "a:t[2]@4294967295",
       "! m0: %2 \"a\" begins at binding 4294967295 and has 2 descriptors, so its range exceeds the last "
       "binding, 4294967295; use a lower binding or a smaller array\n"},
      {"", "option arrays=each", NULL, "a:t[2]@4294967294 b:t[4294967295]",
       "! m0: %3 \"b\" could not be allocated: set 0 has no 4294967295 consecutive free bindings; use "
       "another set\n"})

/* What the input has and options open. */
TABLE(what_the_input_says_and_options_open, {"all", "", NULL, "a:t@5,1 b:b@6,1 c:s@2", "c 0.0; a 1.0; b 1.1"},
      {"all-sets", "", NULL, "a:t@5,1 b:b@6,1 c:s@2", "a 0.0; b 0.1; c 0.2"},
      {"auto-binding=9", "", NULL, "a:t@9,1 b:b@3 c:s@9 d:i@0", "d 0.0; c 0.1; b 0.3; a 1.0"},
      {"auto-set=7", "", NULL, "a:t@3,7 b:b@4,7 c:s@,6", "a 0.0; b 0.1; c 6.0"},
      {"auto-set=7 auto-binding=9", "", NULL, "a:t@3,7 b:b@9,7 c:s@9,6", "a 0.0; b 0.1; c 6.0"},
      {"", "", NULL, "a:t@0 b:b@0",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"conflicts", "", NULL, "a:t@0 b:b@0 c:s@1", "a 0.0; c 0.1; b 0.2"},
      {"conflicts", "", NULL, "a:t@1 b:b@0 c:s@1 d:i", "b 0.0; a 0.1; c 0.1; d 0.2"},
      {"conflicts", "", NULL, "a:t@1 b:t@1 c:b@1", "c 0.0; a 0.1; b 0.1"},
      {"overlap", "", NULL, "a:t@0 b:b@0 c:s",
       "a 0.0; b 0.0; c 0.1\n"
       "? m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"doctor", "", NULL, "a:t@0 b:b@0 c:s@1 d:i@1",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"
       "! m0: %6 \"d\" (image 2D float; set 0, binding 1; compute) overlaps with %5 \"c\" (sampler; set 0, "
       "binding 1; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %5 \"c\"\n"},
      {"doctor overlap", "", NULL, "a:t@0 b:b@0 c:s",
       "a 0.0; b 0.0; c 0.1\n"
       "? m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves "
       "both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"count", "", NULL, "a:t! b:b", "a 0.0; b 0.1"}, {"last", "", NULL, "a:t! b:b", "b 0.0; a 0.1"},
      {"remove", "", NULL, "a:t! b:b", "b 0.0; a removed"}, {"remove", "", NULL, "a:t@0! b:b@0", "b 0.0; a removed"},
      {"last", "", NULL, "a:t@0! b:b", "a 0.0; b 0.1"}, {"", "option unused=last", NULL, "a:t! b:b", "b 0.0; a 0.1"},
      {"count", "option unused=last", NULL, "a:t! b:b", "a 0.0; b 0.1"},
      {"", "option unused=remove", NULL, "a:t! b:b", "b 0.0; a removed"},
      {"hlsl", "", NULL, "a:t! b:t", "b 0.0; a removed"}, {"hlsl last", "", NULL, "a:t@0! b:t", "b 0.0; a 0.1"},
      {"hlsl count", "", NULL, "a:t! b:t", "a 0.0; b 0.1"})

/* Variables at one binding that one descriptor can serve. */
TABLE(views_of_one_descriptor,
      {"descriptors", "", NULL, "a:t@0 b:t@0 c:b",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 2, count 1, stages 32, 2 views\n"
       "0.1 c: type 6, count 1, stages 32"},
      {"descriptors all", "", NULL, "a:t@3 b:t@3 c:b",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 2, count 1, stages 32, 2 views\n"
       "0.1 c: type 6, count 1, stages 32"},
      {"descriptors all", "", NULL, "c:b a:t@3 d:i b:t@3",
       "c 0.0; a 0.1; b 0.1; d 0.2\n"
       "0.0 c: type 6, count 1, stages 32\n"
       "0.1 a: type 2, count 1, stages 32, 2 views\n"
       "0.2 d: type 3, count 1, stages 32"},
      {"descriptors split all", "", NULL, "a:t@3 b:t@3 c:b",
       "a 0.0; b 0.1; c 0.2\n"
       "0.0 a: type 2, count 1, stages 32\n"
       "0.1 b: type 2, count 1, stages 32\n"
       "0.2 c: type 6, count 1, stages 32"},
      {"descriptors", "", NULL, "a:t@0 b:s@0 c:c@0 d:b",
       "a 0.0; b 0.0; c 0.0; d 0.1\n"
       "0.0 a: type 1, count 1, stages 32, 3 views\n"
       "0.1 d: type 6, count 1, stages 32"},
      {"descriptors all", "", NULL, "a:t@5 b:s@5 c:c@5 d:b",
       "a 0.0; b 0.0; c 0.0; d 0.1\n"
       "0.0 a: type 1, count 1, stages 32, 3 views\n"
       "0.1 d: type 6, count 1, stages 32"},
      {"descriptors", "", NULL, "a:t@0 b:s@0 d:b",
       "a 0.0; b 0.0; d 0.1\n"
       "0.0 a: type 1, count 1, stages 32, 2 views\n"
       "0.1 d: type 6, count 1, stages 32"},
      {"descriptors", "", NULL, "a:b@0 b:b@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 6, count 1, stages 32, 2 views\n"
       "0.1 c: type 7, count 1, stages 32"},
      {"descriptors", "", NULL, "a:u@0 b:u@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 7, count 1, stages 32, 2 views\n"
       "0.1 c: type 7, count 1, stages 32\n"
       ". m0: %5 \"b\" (ssbo; compute) shares set 0, binding 0 with %3 \"a\" (ssbo; compute) of m0: legal, "
       "they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; one of them is written: decorate both "
       "Aliased, so that no compiler reorders accesses\n"},
      {"descriptors", "", NULL, "a:o@0 b:o@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 7, count 1, stages 32, 2 views\n"
       "0.1 c: type 7, count 1, stages 32"},
      {"descriptors", "", NULL, "a:o@0 b:u@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 7, count 1, stages 32, 2 views\n"
       "0.1 c: type 7, count 1, stages 32\n"
       ". m0: %5 \"b\" (ssbo; compute) shares set 0, binding 0 with %3 \"a\" (ssbo; compute) of m0: legal, "
       "they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; one of them is written: decorate both "
       "Aliased, so that no compiler reorders accesses\n"},
      {"descriptors", "", NULL, "a:t[2]@0 b:t[4]@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 2, count 4, stages 32, 2 views\n"
       "0.1 c: type 7, count 1, stages 32"},
      {"descriptors", "option arrays=each", NULL, "a:t[2]@0 b:t[4]@0 c:u",
       "a 0.0; b 0.0; c 0.4\n"
       "0.0 a: type 2, count 4, stages 32, 2 views\n"
       "0.4 c: type 7, count 1, stages 32"},
      {"descriptors", "option arrays=each", NULL, "a:t[2]@0 b:t[]@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 2, count 0, stages 32, flags 4, 2 views\n"
       "0.1 c: type 7, count 1, stages 32"},
      {"descriptors doctor", "", NULL, "a:t@0 b:t@0 c:b@0,1 d:b@0,1 e:u@1",
       "a 0.0; b 0.0; e 0.1; c 1.0; d 1.0\n"
       "0.0 a: type 2, count 1, stages 32, 2 views\n"
       "0.1 e: type 7, count 1, stages 32\n"
       "1.0 c: type 6, count 1, stages 32, 2 views\n"
       ". m0: %3 \"b\" (texture 2D float; compute) shares set 0, binding 0 with %2 \"a\" (texture 2D float; "
       "compute) of m0: legal, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; --rebind moves them "
       "together\n"
       ". m0: %7 \"d\" (ubo; compute) shares set 1, binding 0 with %5 \"c\" (ubo; compute) of m0: legal, "
       "they are views of one VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER; --rebind moves them together\n"},
      {"descriptors", "", NULL, "a:i@0 b:i@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 3, count 1, stages 32, 2 views\n"
       "0.1 c: type 7, count 1, stages 32\n"
       ". m0: %3 \"b\" (image 2D float; compute) shares set 0, binding 0 with %2 \"a\" (image 2D float; "
       "compute) of m0: legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_IMAGE; one of them is "
       "written: decorate both Aliased, so that no compiler reorders accesses\n"},
      {"descriptors", "", NULL, "a:i@0 b:r@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 3, count 1, stages 32, 2 views\n"
       "0.1 c: type 7, count 1, stages 32\n"
       ". m0: %3 \"b\" (image 2D float; compute) shares set 0, binding 0 with %2 \"a\" (image 2D float; "
       "compute) of m0: legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_IMAGE; one of them is "
       "written: decorate both Aliased, so that no compiler reorders accesses\n"},
      {"descriptors", "", NULL, "a:r@0 b:r@0 c:u",
       "a 0.0; b 0.0; c 0.1\n"
       "0.0 a: type 3, count 1, stages 32, 2 views\n"
       "0.1 c: type 7, count 1, stages 32"},
      {"descriptors", "", NULL, "a:x@0 b:t@0",
       "! m0: %3 \"b\" (texture 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (utexbuf Buffer "
       "float; set 0, binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no "
       "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"descriptors", "", NULL, "a:w@0 b:i@0",
       "! m0: %3 \"b\" (image 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (stexbuf Buffer "
       "float; set 0, binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no "
       "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"descriptors remove all", "", NULL, "a:t@3! b:t@3 c:b@3,1 d:b@3,1!",
       "b 0.0; c 1.0; a removed; d removed\n"
       "0.0 b: type 2, count 1, stages 32\n"
       "1.0 c: type 6, count 1, stages 32"},
      {"descriptors last", "", NULL, "a:t@3! b:t@3 c:b! d:s",
       "d 0.0; c 0.1; a 0.3; b 0.3\n"
       "0.0 d: type 0, count 1, stages 32\n"
       "0.1 c: type 6, count 1, stages 0\n"
       "0.3 a: type 2, count 1, stages 32, 2 views"},
      {"descriptors", "place name=b -> binding=7", NULL, "a:t@0 b:t@0 c:b",
       "c 0.0; a 0.7; b 0.7\n"
       "0.0 c: type 6, count 1, stages 32\n"
       "0.7 a: type 2, count 1, stages 32, 2 views"},
      {"descriptors", "place name=b -> set=2", NULL, "a:t@0 b:t@0 c:b",
       "c 0.0; a 2.0; b 2.0\n"
       "0.0 c: type 6, count 1, stages 32\n"
       "2.0 a: type 2, count 1, stages 32, 2 views"})

/* Of one name they are one; the first module decides the order. */
TABLE(one_resource_of_several_modules,
      {"", "", NULL, "Vertex a:b c:t | Fragment a:b d:s", "a 0.0; a 0.0; c 0.1; d 0.2"},
      {"", "", NULL, "Vertex c:t a:b | Fragment d:s a:b@0", "a 0.0; a 0.0; c 0.1; d 0.2"},
      {"", "", NULL, "Vertex a:b@,1 | Fragment a:b@2",
       ". m0: first placed here: %3 \"a\"\n"
       "! m1: %3 \"a\" is placed at set 0, binding 2 here, but at set 1, binding 0 in m0; correct one, or "
       "use --rebind=all\n"},
      {"", "", NULL, "Vertex a:b@1 | Fragment a:b@2",
       "a 0.1; a 0.2\n"
       ". m0: first placed here: %3 \"a\"\n"
       "? m1: %3 \"a\" is placed at set 0, binding 2 here, but at set 0, binding 1 in m0, so they are two "
       "descriptors; correct one, or use --rebind=all\n"},
      {"", "", NULL, "Vertex a:b@1 | Fragment a:b@1,1",
       "a 0.1; a 1.1\n"
       ". m0: first placed here: %3 \"a\"\n"
       "? m1: %3 \"a\" is placed at set 1, binding 1 here, but at set 0, binding 1 in m0, so they are two "
       "descriptors; correct one, or use --rebind=all\n"},
      {"", "", NULL, "Vertex a:b | Fragment a:t",
       ". m0: first seen here: %3 \"a\"\n"
       "! m1: %2 \"a\" is texture 2D float here, but ubo in m0; resources with the same name are one "
       "resource of the program: make the declarations equal, rename one, fix both bindings, or use "
       "--no-merge\n"},
      {"", "", NULL, "Vertex a:b@1 | Fragment a:t@2", "a 0.1; a 0.2"},
      {"", "", NULL, "Vertex a:b@1 | Fragment a:t@1",
       "! m1: %2 \"a\" (texture 2D float; set 0, binding 1; fragment) overlaps with %3 \"a\" (ubo; set 0, "
       "binding 1; vertex) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"no-merge", "", NULL, "Vertex a:b | Fragment a:b", "a 0.0; a 0.1"},
      {"", "option merge=no", NULL, "Vertex a:b b:t | Fragment a:b", "a 0.0; b 0.1; a 0.2"},
      {"", "option arrays=each", NULL, "Vertex a:t[2] | Fragment a:t[4] b:s", "a 0.0; a 0.0; b 0.4"},
      {"", "option arrays=each", NULL, "Vertex a:t[4] | Fragment a:t[2] b:s", "a 0.0; a 0.0; b 0.4"},
      {"", "option arrays=each", NULL, "Vertex a:t[4] | Fragment a:t[] b:s", "a 0.0; a 0.0; b 0.1"},
      {"hlsl", "", NULL, "Vertex a:o b:t | Fragment a:u", "b 0.0; a 0.1 (u0); a 0.1 (u0)"},
      {"", "", NULL, "Vertex a:{x:t y:s} | Fragment b:t a:{x:t y:s}", "a.x 0.0; a.x 0.0; a.y 0.1; a.y 0.1; b 0.2"},
      {"", "", NULL, "Vertex a:{x:t y:s} | Fragment a:{x:t z:s}",
       ". m0: first seen here: \"a.x\" (%3 \"a_x\")\n"
       "! m1: \"a.z\" (%39 \"a_z\") is not a member of the same struct as in m0; resources with the same "
       "name are one resource of the program: make the declarations equal, rename one, or use --no-merge\n"},
      {"", "", NULL, "Vertex a:{x:t y:s} | Fragment a:{x:t}",
       ". m0: first seen here: \"a.x\" (%3 \"a_x\")\n"
       "! m1: \"a.x\" (%3 \"a_x\") is not a member of the same struct as in m0; resources with the same "
       "name are one resource of the program: make the declarations equal, rename one, or use --no-merge\n"},
      {"", "", NULL, "Vertex a:b! | Fragment a:b", "a 0.0; a 0.0"},
      {"remove", "", NULL, "Vertex a:b! | Fragment a:b", "a 0.0; a 0.0"},
      {"remove", "", NULL, "Vertex a:b! | Fragment a:b! b:t", "b 0.0; a removed; a removed"},
      {"", "", NULL, "Vertex a:b@0 | Fragment b:t@0",
       "! m1: %2 \"b\" (texture 2D float; set 0, binding 0; fragment) overlaps with %3 \"a\" (ubo; set 0, "
       "binding 0; vertex) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "Vertex a:b@0 | b:t@0",
       "! m1: %2 \"b\" (texture 2D float; set 0, binding 0; compute) overlaps with %3 \"a\" (ubo; set 0, "
       "binding 0; vertex) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"},
      {"", "", NULL, "Vertex a:b@0 b:t@1 | b:t@0 a:b@1",
       ". m0: first placed here: %4 \"b\"\n"
       "? m1: %2 \"b\" is placed at set 0, binding 0 here, but at set 0, binding 1 in m0, so they are two "
       "descriptors; correct one, or use --rebind=all\n"
       ". m0: first placed here: %3 \"a\"\n"
       "? m1: %4 \"a\" is placed at set 0, binding 1 here, but at set 0, binding 0 in m0, so they are two "
       "descriptors; correct one, or use --rebind=all\n"
       "! m1: %2 \"b\" (texture 2D float; set 0, binding 0; compute) overlaps with %3 \"a\" (ubo; set 0, "
       "binding 0; vertex) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %3 \"a\"\n"
       "! m1: %4 \"a\" (ubo; set 0, binding 1; compute) overlaps with %4 \"b\" (texture 2D float; set 0, "
       "binding 1; vertex) of m0: conflict, two modules of one pipeline use them, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %4 \"b\"\n"},
      {"all", "", NULL, "Vertex a:b@0 b:t@1 | b:t@0 a:b@1", "a 0.0; a 0.0; b 0.1; b 0.1"})

/* Rules of HLSL: each class counts by itself, each element of an array takes a number. */
TABLE(
    registers, {"hlsl", "", NULL, "a:t b:t c:b d:s e:u", "c 0.0; a 0.1 (t0); b 0.2 (t1); d 0.3 (s0); e 0.4 (u0)"},
    {"hlsl", "", NULL, "a:t[3] b:t", "a 0.0; b 0.3"},
    {"hlsl", "", NULL, "a:t b:t[] c:t",
     "! m0: %4 \"c\" could not be allocated: it needs 1 free register of class t in space 0; in the way: "
     "%2 \"a\" t0, %3 \"b\" t1..; declare it before unbounded arrays, give those a size, or use another "
     "space\n"},
    {"hlsl", "", NULL, "a:t b:t c:t[]", "a 0.0; b 0.1; c 0.2"},
    {"hlsl", "", NULL, "a:t@2 b:t[3] c:t d:t", "c 0.0; d 0.1; a 0.2; b 0.3"},
    {"hlsl", "", NULL, "a:t@0 b:t@0", "a 0.0; b 0.0"}, {"hlsl", "", NULL, "a:t@0 b:b@0", "b 0.0; a 0.1 (t0)"},
    {"hlsl", "", NULL, "a:t[2]@0 b:t@1",
     "! m0: %3 \"b\" (texture 2D float; space 0, register t1; compute) overlaps with %2 \"a\" (texture 2D "
     "float[2]; space 0, registers t0..1; compute) of m0: conflict, a register belongs to one resource; "
     "give one of them another register, or use --rules=slang, under which an array takes a single "
     "number\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"hlsl conflicts", "", NULL, "a:t[2]@0 b:t@1 c:t", "a 0.0; b 0.2; c 0.3"},
    {"hlsl conflicts", "", NULL, "a:t@0 b:t@0 c:t@1", "a 0.0; b 0.0; c 0.1"},
    {"hlsl", "", NULL, "a:t[2]@4294967295",
     "! m0: %2 \"a\" begins at register t4294967295 and has 2 descriptors, so its range exceeds the last "
     "register, 4294967295; use a lower register or a smaller array\n"},
    {"hlsl", "", NULL, "a:t@4294967295 b:t[]",
     "! m0: %3 \"b\" could not be allocated: it is unbounded, and no register of class t is left after "
     "the last one in space 0; in the way: %2 \"a\" t4294967295; use a separate space\n"},
    {"hlsl", "", NULL, "a:t[]@5 b:t c:t[5] d:t",
     "! m0: %4 \"c\" could not be allocated: it needs 5 free registers in a row of class t in space 0; in "
     "the way: %2 \"a\" t5.., %3 \"b\" t0; declare it before unbounded arrays, give those a size, or use "
     "another space\n"},
    {"hlsl", "", NULL, "a:t[]@5 b:t[6]",
     "! m0: %3 \"b\" could not be allocated: it needs 6 free registers in a row of class t in space 0; in "
     "the way: %2 \"a\" t5..; declare it before unbounded arrays, give those a size, or use another "
     "space\n"},
    {"hlsl", "", NULL, "a:t[]@0 b:t",
     "! m0: %3 \"b\" could not be allocated: it needs 1 free register of class t in space 0; in the way: "
     "%2 \"a\" t0..; declare it before unbounded arrays, give those a size, or use another space\n"},
    {"hlsl", "", NULL, "a:t[]@3 b:t[]@3 c:t", "c 0.0; a 0.3; b 0.3"},
    {"hlsl", "", NULL, "a:c b:t c:s", "a 0.0; b 0.1; c 0.2 (s0)"},
    {"hlsl", "", NULL, "a:x b:w c:i d:r e:o", "a 0.0; e 0.1; b 0.2 (u0); c 0.3 (u1); d 0.4 (u2)"},
    {"hlsl", "", NULL, "a:t@,1 b:b@,1 c:b", "c 0.0; b 1.0; a 1.1 (t0)"},
    {"hlsl", "", NULL, "a:{x:t y:s[2] z:t[2] w:s} b:t", "a.x 0.0; a.z 0.1; b 0.3; a.y 0.4 (s0); a.w 0.6 (s2)"},
    {"hlsl", "", NULL, "a:{x:t y:s[2] z:t[2] w:s}@4 b:t c:s",
     "b 0.0; a.x 0.4; a.z 0.5; c 0.6 (s0); a.y 0.10 (s4); a.w 0.12 (s6)"},
    {"hlsl", "", NULL, "a:{x:t[] y:t}@4",
     "! m0: \"a.y\" (%42 \"a_y\") would exceed the last register, 4294967295; use a lower register\n"},
    {"hlsl", "", NULL, "a:{x:t y:t}@4294967295",
     "! m0: no binding is left in set 0 for \"a.y\" (%39 \"a_y\"); use another set\n"},
    {"hlsl", "", NULL, "a:{x:t y:s y2:t[2]}@4294967294",
     "! m0: no binding is left in set 0 for \"a.y2\" (%46 \"a_y2\"); use another set\n"},
    {"hlsl auto-shift", "", NULL, "a:t@2 b:b@1 c:s", "b 0.1; a 0.2; c 0.3 (s0)"},
    {"hlsl auto-shift", "", NULL, "a:t b:t", "a 0.0; b 0.1"},
    {"hlsl auto-shift", "", NULL, "a:u@,3 b:s@,3", "b 3.0; a 3.1 (u0)"},
    {"hlsl", "shift class=t by=10", NULL, "a:t b:t c:b", "c 0.0; a 0.10 (t0); b 0.11 (t1)"},
    {"hlsl", "shift class=t by=10\nshift class=t set=1 by=5", NULL, "a:t b:t@,1 c:b", "c 0.0; a 0.10 (t0); b 1.5 (t0)"},
    {"hlsl", "shift class=t,s by=0\nshift class=b by=0", NULL, "a:t@0 b:b@0",
     "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
     "binding 0; compute) of m0: conflict, once registers are shifted, both have this binding; use --auto-shift, or "
     "other "
     "values of --shift\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"hlsl", "shift class=t by=4294967295", NULL, "a:t b:t",
     "! m0: %3 \"b\" is shifted beyond the last binding, 4294967295; use a smaller shift\n"},
    {"hlsl", "shift class=t by=1", NULL, "a:t@0 b:b@1",
     "! m0: %4 \"b\" (ubo; set 0, binding 1; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
     "binding 1; compute) of m0: conflict, once registers are shifted, both have this binding; use --auto-shift, or "
     "other "
     "values of --shift\n"
     ". m0: conflicts with: %2 \"a\"\n"},
    {"hlsl", "", "lock version=1\nshift class=t set=0 by=0\nshift class=s set=0 by=1\n", "a:t@0 b:t@1 c:s@0",
     "! m0: %4 \"c\" (sampler; set 0, binding 1; compute) overlaps with %3 \"b\" (texture 2D float; set 0, binding 1; "
     "compute) of m0: conflict, once registers are shifted, both have this binding; use other values of --shift: "
     "those of the lock file are in effect, with --auto-shift, too\n"
     ". m0: conflicts with: %3 \"b\"\n"},
    {"hlsl auto-shift", "", "lock version=1\nshift class=t set=0 by=0\nshift class=s set=0 by=1\n", "a:t@0 b:t@1 c:s@0",
     "! m0: %4 \"c\" (sampler; set 0, binding 1; compute) overlaps with %3 \"b\" (texture 2D float; set 0, binding 1; "
     "compute) of m0: conflict, once registers are shifted, both have this binding; use other values of --shift: "
     "those of the lock file are in effect, with --auto-shift, too\n"
     ". m0: conflicts with: %3 \"b\"\n"},
    {"hlsl auto-shift", "shift class=t by=3", NULL, "a:t b:b c:s", "b 0.0; a 0.3 (t0); c 0.4 (s0)"},
    {"hlsl", "shift class=t stage=vertex by=20", NULL, "Vertex a:t | Fragment b:t c:t", "b 0.0; c 0.1; a 0.20 (t0)"},
    {"", "shift class=t by=10", NULL, "a:t b:b c:t@3 d:c", "b 0.0; d 0.1; c 0.3; a 0.10"},
    {"", "shift class=t set=0 by=10\nshift class=b by=1", NULL, "a:t b:b c:t@,1 d:c", "d 0.0; b 0.1; a 0.10; c 1.0"},
    {"", "option fixed=registers\nshift class=t by=10", NULL, "a:t@1 b:t c:b@1", "b 0.0; c 0.1; a 0.11"},
    {"", "option fixed=registers shift=base\nshift class=t by=10", NULL, "a:t@1 b:t c:b@1 d:b",
     "d 0.0; c 0.1; b 0.10; a 0.11"},
    {"", "option shift=base\nshift class=t by=10\nshift kind=ubo by=5", NULL, "a:t@1 b:t c:b@2 d:b e:t",
     "a 0.1; c 0.2; d 0.5; b 0.10; e 0.11"},
    {"", "option shift=base\nshift class=t by=1\nshift class=b by=1\nshift class=s by=3", NULL,
     "a:t b:b c:s d:t e:i f:t", "e 0.0; a 0.1; b 0.2; c 0.3; d 0.4; f 0.5"},
    {"hlsl", "shift kind=ubo by=3", NULL, "a:b",
     "! policy:1: a shift by kind= needs one number space for each set, as with \"option shift=base\" or "
     "--profile=glslang; where register classes are numbered by themselves, use class=\n"},
    {"hlsl", "shift kind=ubo class=b by=3", NULL, "a:b",
     "! policy:1: a shift by kind= needs one number space for each set, as with \"option shift=base\" or "
     "--profile=glslang; where register classes are numbered by themselves, use class=\n"},
    {"hlsl", "", NULL, "Vertex a:t b:i | Fragment a:t", "a 0.0; a 0.0; b 0.1 (u0)"},
    {"hlsl", "", NULL, "Vertex a:u b:t | Fragment a:o", "b 0.0; a 0.1 (u0); a 0.1 (u0)"},
    {"", "option fixed=registers\nshift class=t by=4294967295", NULL, "a:t@1",
     "! m0: %2 \"a\" is shifted beyond the last binding, 4294967295; use a smaller shift\n"},
    {"", "option rules=hlsl shift=auto", NULL, "a:t b:b", "b 0.0; a 0.1 (t0)"})

/* Variables of one name are told apart by their index among them. */
TABLE(names_that_repeat,
      {"", "", NULL, "Vertex a:t a^2:t b:s | Fragment b:s a:t c:b a^2:t",
       "a 0.0; a 0.0; a 0.1; a 0.1; b 0.2; b 0.2; c 0.3"},
      {"", "", NULL, "Vertex a:t a^2:s | Fragment a^2:t a:s", "a 0.0; a 0.0; a 0.1; a 0.1"},
      {"lock update", "", "resource a ordinal=1 set=0 binding=5", "a:t a^2:t a^3:t",
       "a 0.0; a 0.1; a 0.5\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "resource a ordinal=1 set=0 binding=5 kind=texture\n"
       "resource a ordinal=2 set=0 binding=1 kind=texture\n"},
      {"", "", NULL, "Vertex ^1:t a:t | Fragment a:t",
       "! m0: %2 has no OpName, so it cannot be matched with the other modules of the program; strip names "
       "after binding rather than before, give it a fixed binding, or use --no-merge\n"},
      {"", "", NULL, "Vertex ^1:t@3 a:t | Fragment a:t ^1:t@3", "a 0.0; a 0.0;  0.3;  0.3"},
      {"", "", NULL, "Vertex a:t | Fragment a:t b:s ^1:t",
       "! m1: %4 has no OpName, so it cannot be matched with the other modules of the program; strip names "
       "after binding rather than before, give it a fixed binding, or use --no-merge\n"},
      {"no-merge", "", NULL, "Vertex ^1:t a:t | Fragment a:t", " 0.0; a 0.1; a 0.2"},
      {"no-merge lock", "", NULL, "Vertex a:t b:s a^2:t | Fragment a:t b:s",
       "a 0.0; b 0.1; a 0.2; a 0.3; b 0.4\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "resource a ordinal=1 set=0 binding=2 kind=texture\n"
       "resource a ordinal=2 set=0 binding=3 kind=texture\n"
       "resource b set=0 binding=1 kind=sampler\n"
       "resource b ordinal=1 set=0 binding=4 kind=sampler\n"},
      {"", "", NULL, "^1:t a:t", " 0.0; a 0.1"},
      {"", "", NULL,
       "Vertex a:t b:s c:b d:i e:u f:o g:x h:w i:r j:c | Fragment j:c i:r h:w g:x f:o e:u d:i c:b b:s a:t k:t",
       "a 0.0; a 0.0; b 0.1; b 0.1; c 0.2; c 0.2; d 0.3; d 0.3; e 0.4; e 0.4; f 0.5; f 0.5; g 0.6; g 0.6; h "
       "0.7; h 0.7; i 0.8; i 0.8; j 0.9; j 0.9; k 0.10"},
      {"", "", NULL,
       "Vertex a:t b:t c:t d:t e:t f:t g:t h:t i:t j:t k:t l:t m:t n:t o:t p:t q:t r:t s:t t:t u:t | Fragment u:t k:t "
       "z:t a:t",
       "a 0.0; a 0.0; b 0.1; c 0.2; d 0.3; e 0.4; f 0.5; g 0.6; h 0.7; i 0.8; j 0.9; k 0.10; k 0.10; l "
       "0.11; m 0.12; n 0.13; o 0.14; p 0.15; q 0.16; r 0.17; s 0.18; t 0.19; u 0.20; u 0.20; z 0.21"},
      {"pipeline", "", NULL, "Fragment a:t b:s | Vertex c:t b:s", "c 0.0; b 0.1; b 0.1; a 0.2"},
      {"", "", NULL, "Fragment a:t b:s | Vertex c:t b:s", "a 0.0; b 0.1; b 0.1; c 0.2"},
      {"", "", NULL, "Vertex a:t@,2 | Fragment a:t@3,2 b:s@,2", "b 2.0; a 2.3; a 2.3"},
      {"", "", NULL, "Vertex a:t@3 | Fragment a:t@,2",
       ". m0: first placed here: %2 \"a\"\n"
       "! m1: %2 \"a\" is placed at set 2, binding 0 here, but at set 0, binding 3 in m0; correct one, or "
       "use --rebind=all\n"},
      {"", "", NULL, "Vertex a:t | Fragment a:t@,2 b:s | a:t@4,2", "b 0.0; a 2.4; a 2.4; a 2.4"},
      {"set=5", "", NULL, "Vertex a:t | Fragment a:t@4,5 b:s", "b 5.0; a 5.4; a 5.4"},
      {"", "", NULL, "Vertex a:{x:t y:s}@3 | Fragment a:{x:t y:s}@3 b:t", "b 0.0; a.x 0.3; a.x 0.3; a.y 0.4; a.y 0.4"},
      {"", "", NULL, "Vertex a:{x:t y:s}@3 | Fragment a:{x:t y:s}@4 b:t",
       ". m0: first placed here: \"a.x\" (%3 \"a_x\")\n"
       "! m1: \"a.x\" (%3 \"a_x\") is placed at set 0, binding 4 here, but at set 0, binding 3 in m0; "
       "correct one, or use --rebind=all\n"},
      {"", "", NULL, "Vertex a:{x:t y:s} | Fragment a:{x:t y:s}@3 b:t", "b 0.0; a.x 0.3; a.x 0.3; a.y 0.4; a.y 0.4"},
      {"doctor", "", NULL, "Vertex a:t b:b | Fragment a:b b:t",
       ". m0: first seen here: %2 \"a\"\n"
       "! m1: %3 \"a\" is ubo here, but texture 2D float in m0; resources with the same name are one "
       "resource of the program: make the declarations equal, rename one, fix both bindings, or use "
       "--no-merge\n"
       ". m0: first seen here: %4 \"b\"\n"
       "! m1: %4 \"b\" is texture 2D float here, but ubo in m0; resources with the same name are one "
       "resource of the program: make the declarations equal, rename one, fix both bindings, or use "
       "--no-merge\n"},
      {"doctor", "", NULL, "Vertex a:t@0 b:b@1 | Fragment a:t@0 b:b@1",
       "a 0.0; a 0.0; b 0.1; b 0.1\n"
       ". m0: %2 \"a\" (texture 2D float; set 0, binding 0; vertex+fragment) is declared by 2 modules, also "
       "by m1: one resource of the program\n"
       ". m0: %4 \"b\" (ubo; set 0, binding 1; vertex+fragment) is declared by 2 modules, also by m1: one "
       "resource of the program\n"},
      {"descriptors", "", NULL, "Vertex a:t! b:b | Fragment a:t b:b!",
       "a 0.0; a 0.0; b 0.1; b 0.1\n"
       "0.0 a: type 2, count 1, stages 16, 2 views\n"
       "0.1 b: type 6, count 1, stages 1, 2 views"},
      {"descriptors remove", "", NULL, "Vertex a:t b:b! | Fragment a:t b:b | a:t! b:b!",
       "a 0.0; a 0.0; a 0.0; b 0.1; b 0.1; b 0.1\n"
       "0.0 a: type 2, count 1, stages 17, 3 views\n"
       "0.1 b: type 6, count 1, stages 16, 3 views"},
      {"", "", NULL, "Vertex a:o@0 b:u@0 | Fragment a:u@0 b:o@0",
       "a 0.0; a 0.0; b 0.0; b 0.0\n"
       ". m0: %5 \"b\" (ssbo; vertex+fragment) shares set 0, binding 0 with %3 \"a\" (ssbo; "
       "vertex+fragment) of m0: legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; one of them "
       "is written: decorate both Aliased, so that no compiler reorders accesses\n"},
      {"auto-binding=65534", "", NULL, "a:t@65534 b:s@65534", "a 0.0; b 0.1"},
      {"", "", NULL, "a:t@65534 b:b@65534",
       "! m0: %4 \"b\" (ubo; set 0, binding 65534; compute) overlaps with %2 \"a\" (texture 2D float; set "
       "0, binding 65534; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType "
       "serves both; if Binding 65534 means \"assign one\", give --auto-binding=65534\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "a:t@65534 b:t@65534",
       "a 0.65534; b 0.65534\n"
       "? m0: %3 \"b\" (texture 2D float; compute) shares set 0, binding 65534 with %2 \"a\" (texture 2D "
       "float; compute) of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; if Binding "
       "65534 means \"assign one\", give --auto-binding=65534\n"},
      {"", "", NULL, "a:t@4096 b:b@4096",
       "! m0: %4 \"b\" (ubo; set 0, binding 4096; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 4096; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType "
       "serves both; if Binding 4096 means \"assign one\", give --auto-binding=4096\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "a:t@4095 b:b@4095",
       "! m0: %4 \"b\" (ubo; set 0, binding 4095; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 4095; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType "
       "serves both; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"})

/* Heaps that the input has keep their places, with all their views. */
TABLE(heaps,
      {"why descriptors", "", NULL, "heap_texture_a:t[]@2,1 b:t",
       "b 0.0: first free binding of the default set; heap_texture_a 1.2: fixed, heap, heap of descriptors, "
       "at its binding in the module\n"
       "0.0 b: type 2, count 1, stages 32\n"
       "1.2 heap_texture_a: type 2, count 0, stages 32, flags 4"},
      {"why", "", NULL, "heap_texture_a:t[]@2,1 b:t@2,1",
       "! m0: %3 \"b\" (texture 2D float; set 1, binding 2; compute) overlaps with %2 \"heap_texture_a\" "
       "(texture 2D float[]; set 1, binding 2; compute) of m0: conflict, one is a heap, the other an array "
       "of another length; make their lengths equal (--heap-size, or an unsized array), or move one of "
       "them\n"
       ". m0: conflicts with: %2 \"heap_texture_a\"\n"},
      {"why all", "", NULL, "heap_texture_a:t[]@2,1 b:t@5,1 c:t@,1",
       "b 1.0: first free binding of the set it names; c 1.1: first free binding of the set it names; "
       "heap_texture_a 1.2: fixed, heap, heap of descriptors, at its binding in the module"},
      {"why all-sets", "", NULL, "heap_texture_a:t[]@2,1 b:t@5,1",
       "b 0.0: first free binding of the default set; heap_texture_a 1.2: heap, heap of DescriptorHandles, "
       "in the first set that nothing else uses"},
      {"why all heap-set=3", "", NULL, "heap_texture_a:t[]@2,1 b:t@5,1",
       "b 1.0: first free binding of the set it names; heap_texture_a 3.2: heap, heap of DescriptorHandles, "
       "in the first set that nothing else uses"},
      {"why all-sets heap-set=0", "", NULL, "heap_texture_a:t[]@2,1 b:t@5,1",
       "b 0.0: first free binding of the default set; heap_texture_a 1.2: heap, heap of DescriptorHandles, "
       "in the first set that nothing else uses\n"
       "? m0: set 0 is in use, so the heaps are in set 1; read the set from the layout, or give a free one "
       "with --heap-set\n"},
      {"why all-sets", "", NULL, "heap_texture_a:t[]@2,1 heap_sampler:s[]@0,1 b:t",
       "b 0.0: first free binding of the default set; heap_sampler 1.0: heap, heap of DescriptorHandles, in "
       "the first set that nothing else uses; heap_texture_a 1.2: heap, heap of DescriptorHandles, in the "
       "first set that nothing else uses"},
      {"why all-sets mutable", "", NULL, "heap_texture_a:t[]@2,1 heap_sampler:s[]@0,1 heap_image_b:i[]@2,1 b:t",
       "b 0.0: first free binding of the default set; heap_sampler 1.0: heap, heap of DescriptorHandles, in "
       "the first set that nothing else uses; heap_texture_a 1.2: heap, heap of DescriptorHandles, in the "
       "first set that nothing else uses; heap_image_b 1.2: heap, heap of DescriptorHandles, in the first "
       "set that nothing else uses"},
      {"why all-sets heaps-in-default-set", "", NULL, "heap_texture_a:t[]@2,1 heap_sampler:s[]@0,1 b:t@0",
       "b 0.0: first free binding of the default set; heap_texture_a 0.1: heap, heap of DescriptorHandles, "
       "at the first free binding of the default set; heap_sampler 0.2: heap, heap of DescriptorHandles, at "
       "the first free binding of the default set"},
      {"why all-sets heaps-in-default-set", "", NULL, "heap_sampler:s[]@0,1 b:t",
       "b 0.0: first free binding of the default set; heap_sampler 0.1: heap, heap of DescriptorHandles, at "
       "the first free binding of the default set"},
      {"why all-sets", "option heaps=default-set", NULL, "heap_texture_a:t[]@2,1 b:t",
       "b 0.0: first free binding of the default set; heap_texture_a 0.1: heap, heap of DescriptorHandles, "
       "at the first free binding of the default set"},
      {"why", "", NULL, "ResourceDescriptorHeap:t[]@0 ResourceDescriptorHeap^2:i[]@0 b:t",
       "ResourceDescriptorHeap 0.0: fixed, heap, heap of descriptors, at its binding in the module; "
       "ResourceDescriptorHeap 0.0: fixed, heap, heap of descriptors, at its binding in the module; b 0.1: "
       "first free binding of the default set"},
      {"why", "", NULL, "ResourceDescriptorHeap:t[]@0 b:t[]@0",
       "ResourceDescriptorHeap 0.0: fixed, heap, heap of descriptors, at its binding in the module; b 0.0: "
       "fixed, fixed in the module"},
      {"why", "", NULL, "ResourceDescriptorHeap:t[]@0 b:s@0",
       "! m0: %3 \"b\" (sampler; set 0, binding 0; compute) overlaps with %2 \"ResourceDescriptorHeap\" "
       "(texture 2D float[]; set 0, binding 0; compute) of m0: conflict, a binding has one descriptor type, "
       "and samplers cannot share with anything; move one of them, or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"ResourceDescriptorHeap\"\n"},
      {"why descriptors hlsl", "", NULL, "heap_texture_a:t[]@2,1 b:t b2:t@,1 c:b@,1",
       "b 0.0: first free registers of its class and space; c 1.0: first free registers of its class and "
       "space; b2 1.1 (t0): first free registers of its class and space; heap_texture_a 1.2: heap, heap of "
       "descriptors, at its binding in the module\n"
       "0.0 b: type 2, count 1, stages 32\n"
       "1.0 c: type 6, count 1, stages 32\n"
       "1.1 b2: type 2, count 1, stages 32\n"
       "1.2 heap_texture_a: type 2, count 0, stages 32, flags 4"},
      {"why", "", NULL, "Vertex heap_texture_a:t[]@2,1 | Fragment heap_texture_a:t[]@2,1 b:t",
       "b 0.0: first free binding of the default set; heap_texture_a 1.2: fixed, heap, heap of descriptors, "
       "at its binding in the module; heap_texture_a 1.2: fixed, heap, heap of descriptors, at its binding "
       "in the module"},
      {"why all-sets", "", NULL, "Vertex heap_texture_a:t[]@2,1 | Fragment heap_texture_a:t[]@2,1 b:t",
       "b 0.0: first free binding of the default set; heap_texture_a 1.2: heap, heap of DescriptorHandles, "
       "in the first set that nothing else uses; heap_texture_a 1.2: heap, heap of DescriptorHandles, in "
       "the first set that nothing else uses"},
      {"lock update", "", "heap heap_texture_a set=4 binding=2 kind=texture", "heap_texture_a:t[]@2,1 b:t",
       "b 0.0; heap_texture_a 1.2\n"
       "lock version=1\n"
       "resource b set=0 binding=0 kind=texture\n"
       "heap heap_texture_a set=1 binding=2 kind=texture count=0\n"},
      {"lock update all-sets", "", "heap heap_texture_a set=4 binding=7 kind=texture", "heap_texture_a:t[]@2,1 b:t",
       "b 0.0; heap_texture_a 4.7\n"
       "lock version=1\n"
       "resource b set=0 binding=0 kind=texture\n"
       "heap heap_texture_a set=4 binding=7 kind=texture count=0\n"},
      {"lock update all-sets", "", "heap heap_texture_z set=4 binding=7 kind=texture", "heap_texture_a:t[]@2,1 b:t",
       "b 0.0; heap_texture_a 4.7\n"
       "lock version=1\n"
       "resource b set=0 binding=0 kind=texture\n"
       "heap heap_texture_a set=4 binding=7 kind=texture count=0\n"},
      {"lock update all-sets", "", "heap heap_sampler set=4 binding=0 kind=sampler", "heap_texture_a:t[]@2,1 b:t",
       "b 0.0; heap_texture_a 4.2\n"
       "lock version=1\n"
       "resource b set=0 binding=0 kind=texture\n"
       "heap heap_sampler set=4 binding=0\n"
       "heap heap_texture_a set=4 binding=2 kind=texture count=0\n"},
      {"lock update all-sets", "", "share set=1\nresource b set=0 binding=0", "heap_texture_a:t[]@2,1 b:t",
       "b 0.0; heap_texture_a 2.2\n"
       "lock version=1\n"
       "resource b set=0 binding=0 kind=texture\n"
       "heap heap_texture_a set=2 binding=2 kind=texture count=0\n"},
      {"why", "place kind=texture -> set=5", NULL, "heap_texture_a:t[]@2,1 b:t",
       "heap_texture_a 1.2: fixed, heap, heap of descriptors, at its binding in the module; b 5.0: policy:1"},
      {"why all-sets", "reserve set=1\nreserve set=2", NULL, "heap_texture_a:t[]@2,1 b:t",
       "b 0.0: first free binding of the default set; heap_texture_a 3.2: heap, heap of DescriptorHandles, "
       "in the first set that nothing else uses"},
      {"why all-sets heap-set=1", "reserve set=1", NULL, "heap_texture_a:t[]@2,1 b:t",
       "b 0.0: first free binding of the default set; heap_texture_a 2.2: heap, heap of DescriptorHandles, "
       "in the first set that nothing else uses\n"
       "? m0: set 1 is in use, so the heaps are in set 2; read the set from the layout, or give a free one "
       "with --heap-set\n"})

/* A heap of one module is one in all that have it at the same place by the same name; and what is in use by policies
 * and locks. */
TABLE(
    heaps_beside_others,
    {"hlsl all-sets", "", "shift class=t set=1 by=4\nresource b set=0 binding=2", "heap_texture_a:t[]@2,1 b:t",
     "b 0.2; heap_texture_a 1.2\n. m0: %2 \"heap_texture_a\" is not in the lock file; record it with --update-lock\n"},
    {"all-sets", "", "resource c set=1 binding=2\nresource b set=0 binding=2", "heap_texture_a:t[]@2,1 b:t",
     "b 0.2; heap_texture_a 2.2\n. m0: %2 \"heap_texture_a\" is not in the lock file; record it with --update-lock\n"},
    {"all-sets heaps-in-default-set", "", "resource b set=0 binding=4294967294", "heap_sampler:s[]@0,1 b:t",
     "heap_sampler 0.0; b 0.4294967294\n. m0: %2 \"heap_sampler\" is not in the lock file; record it with "
     "--update-lock\n"},
    {"why", "", NULL, "x:t[]@0 x^2:i[]@0 | Vertex x:t[]@0",
     "x 0.0: fixed, heap, heap of descriptors, at its binding in the module; x 0.0: fixed, heap, heap of descriptors, "
     "at its binding in the module; x 0.0: fixed, heap, heap of descriptors, at its binding in the module"},
    {"why", "", NULL, "x:t[]@0 x^2:i[]@0 | Vertex x:t[4]@0",
     "! m1: %2 \"x\" (texture 2D float[4]; set 0, binding 0; vertex) overlaps with %2 \"x\" (texture 2D float[]; set "
     "0, binding 0; compute) of m0: conflict, one is a heap, the other an array of another length; make their lengths "
     "equal (--heap-size, or an unsized array), or move one of them\n. m0: conflicts with: %2 \"x\"\n! m1: %2 \"x\" "
     "(texture 2D float[4]; set 0, binding 0; vertex) overlaps with %3 \"x\" (image 2D float[]; set 0, binding 0; "
     "compute) of m0: conflict, a binding has one descriptor type, unless it is VK_DESCRIPTOR_TYPE_MUTABLE_EXT; move "
     "one of them, or use --rebind=conflicts\n. m0: conflicts with: %3 \"x\"\n"},
    {"why", "", NULL, "x:t[]@0 x^2:i[]@0 | Vertex y:t[]@0",
     "! m1: %2 \"y\" (texture 2D float[]; set 0, binding 0; vertex) overlaps with %3 \"x\" (image 2D float[]; set 0, "
     "binding 0; compute) of m0: conflict, a binding has one descriptor type, unless it is "
     "VK_DESCRIPTOR_TYPE_MUTABLE_EXT; move one of them, or use --rebind=conflicts\n. m0: conflicts with: %3 \"x\"\n"},
    {"why", "", NULL, "x:t[]@0 x^2:i[]@0 | Vertex x:t[]@1",
     "x 0.0: fixed, heap, heap of descriptors, at its binding in the module; x 0.0: fixed, heap, heap of descriptors, "
     "at its binding in the module; x 0.1: fixed, fixed in the module"},
    {"why", "", NULL, "x:t[]@0 x^2:i[]@0 | Vertex x:t[]@0,1",
     "x 0.0: fixed, heap, heap of descriptors, at its binding in the module; x 0.0: fixed, heap, heap of descriptors, "
     "at its binding in the module; x 1.0: fixed, fixed in the module"},
    {"why", "", NULL, "x:t[]@0 x^2:i[]@0 | Vertex x:b[]@0",
     "x 0.0: fixed, heap, heap of descriptors, at its binding in the module; x 0.0: fixed, heap, heap of descriptors, "
     "at its binding in the module; x 0.0: fixed, heap, heap of descriptors, at its binding in the module"},
    {"all-sets", "place name=v -> set=3", NULL, "v:u@1,1 counter.var.v:u@2,2 a:t", "a 0.0; v 3.0; counter.var.v 3.1"},
    {"", "place name=v -> set=3", NULL, "v:u@1,1 counter.var.v:u@2,2 a:t", "a 0.0; counter.var.v 2.2; v 3.1"},
    {"", "place name=v -> set=3", NULL, "v:u counter.var.v:u counter.var.w:u a:t",
     "counter.var.w 0.0; a 0.1; v 3.0; counter.var.v 3.1"})

/* What a workspace is told of a program: places, freedom, shifts, reservations. */
TABLE(facts,
      {"facts", "", NULL, "a:t b:b@3 c:s@,1",
       "resource a set=0 binding=0 place=open kind=texture stages=compute\n"
       "resource b set=0 binding=3 place=fixed kind=ubo stages=compute\n"
       "member \"\" type=float4 offset=0\n"
       "resource c set=1 binding=0 place=open kind=sampler stages=compute\n"},
      {"facts hlsl", "", NULL, "a:t b:t[3] c:b d:t[]",
       "shift class=b set=0 by=0\n"
       "shift class=t set=0 by=1\n"
       "resource c set=0 binding=0 place=open kind=ubo stages=compute class=b number=0\n"
       "member \"\" type=float4 offset=0\n"
       "resource a set=0 binding=1 place=open kind=texture stages=compute class=t number=0 shift=1\n"
       "resource b set=0 binding=2 place=open kind=texture count=3 stages=compute class=t number=1 shift=1 "
       "length=3\n"
       "resource d set=0 binding=5 place=open kind=texture count=0 stages=compute class=t number=4 shift=1 "
       "length=0\n"},
      {"facts hlsl auto-shift", "", NULL, "a:t b:b@2 c:s",
       "shift class=b set=0 by=0\n"
       "shift class=t set=0 by=3\n"
       "shift class=s set=0 by=4\n"
       "resource b set=0 binding=2 place=fixed kind=ubo stages=compute class=b number=2\n"
       "member \"\" type=float4 offset=0\n"
       "resource a set=0 binding=3 place=open kind=texture stages=compute class=t number=0 shift=1\n"
       "resource c set=0 binding=4 place=open kind=sampler stages=compute class=s number=0 shift=1\n"},
      {"facts hlsl", "shift class=t by=4", NULL, "a:t b:b",
       "shift class=b set=0 by=0\n"
       "shift class=t set=0 by=4\n"
       "resource b set=0 binding=0 place=open kind=ubo stages=compute class=b number=0\n"
       "member \"\" type=float4 offset=0\n"
       "resource a set=0 binding=4 place=open kind=texture stages=compute from=4\n"},
      {"facts hlsl", "shift class=t stage=vertex by=4", NULL, "Vertex a:t b:t@2",
       "resource a set=0 binding=4 place=open kind=texture stages=vertex from=4\n"
       "resource b set=0 binding=6 place=fixed kind=texture stages=vertex\n"},
      {"facts", "option arrays=each", NULL, "a:t[3] b:t[] c:s",
       "resource a set=0 binding=0 place=open kind=texture count=3 stages=compute length=3\n"
       "resource b set=0 binding=3 place=open kind=texture count=0 stages=compute\n"
       "resource c set=0 binding=4 place=open kind=sampler stages=compute\n"},
      {"facts", "place name=a -> range=4..7\nplace name=b -> binding=9\nreserve set=0 range=0..1\nreserve set=2", NULL,
       "a:t b:b c:s",
       "reserve set=0 range=0..1\n"
       "reserve set=2 range=0..4294967295\n"
       "resource c set=0 binding=2 place=open kind=sampler stages=compute\n"
       "resource a set=0 binding=4 place=open kind=texture stages=compute range=4..7\n"
       "resource b set=0 binding=9 place=fixed kind=ubo stages=compute\n"
       "member \"\" type=float4 offset=0\n"},
      {"facts", "block name=m*", NULL, "a:t m1:t m2:b",
       "resource a set=0 binding=0 place=open kind=texture stages=compute\n"
       "resource m2 set=1 binding=0 place=open kind=ubo stages=compute alone=policy:1\n"
       "member \"\" type=float4 offset=0\n"
       "resource m1 set=1 binding=1 place=open kind=texture stages=compute alone=policy:1\n"},
      {"facts", "block name=m* -> set=3", NULL, "a:t m1:t m2:b",
       "resource a set=0 binding=0 place=open kind=texture stages=compute\n"
       "resource m2 set=3 binding=0 place=open kind=ubo stages=compute\n"
       "member \"\" type=float4 offset=0\n"
       "resource m1 set=3 binding=1 place=open kind=texture stages=compute\n"},
      {"facts", "", NULL, "x:b@0 a:{x:t y:s z:t} b:t",
       "resource x set=0 binding=0 place=fixed kind=ubo stages=compute\n"
       "member \"\" type=float4 offset=0\n"
       "resource a.x set=0 binding=1 place=open kind=texture stages=compute\n"
       "resource a.y set=0 binding=2 place=open kind=sampler stages=compute lead=1 offset=1\n"
       "resource a.z set=0 binding=3 place=open kind=texture stages=compute lead=1 offset=2\n"
       "resource b set=0 binding=4 place=open kind=texture stages=compute\n"},
      {"facts", "", NULL, "a:{x:t y:s}@3",
       "resource a.x set=0 binding=3 place=fixed kind=texture stages=compute\n"
       "resource a.y set=0 binding=4 place=fixed kind=sampler stages=compute\n"},
      {"facts all", "", NULL, "a:t@3 b:t@3 c:s",
       "resource a set=0 binding=0 place=open kind=texture stages=compute\n"
       "resource b set=0 binding=0 place=open kind=texture stages=compute lead=0 offset=0\n"
       "resource c set=0 binding=1 place=open kind=sampler stages=compute\n"},
      {"facts all hlsl", "", NULL, "a:t@3 b:t@3 c:s",
       "shift class=t set=0 by=0\n"
       "shift class=s set=0 by=1\n"
       "resource a set=0 binding=0 place=open kind=texture stages=compute class=t number=0\n"
       "resource b set=0 binding=0 place=open kind=texture stages=compute class=t number=0 lead=0 offset=0\n"
       "resource c set=0 binding=1 place=open kind=sampler stages=compute class=s number=0 shift=1\n"},
      {"facts all-sets", "", NULL, "heap_texture_a:t[]@2,1 heap_sampler:s[]@0,1 b:t",
       "resource b set=0 binding=0 place=open kind=texture stages=compute\n"
       "heap heap_sampler set=1 binding=0 place=open kind=sampler count=0 stages=compute alone=heaps\n"
       "heap heap_texture_a set=1 binding=2 place=open kind=texture count=0 stages=compute alone=heaps\n"},
      {"facts all-sets heaps-in-default-set", "", NULL, "heap_texture_a:t[]@2,1 b:t",
       "resource b set=0 binding=0 place=open kind=texture stages=compute\n"
       "heap heap_texture_a set=0 binding=1 place=open kind=texture count=0 stages=compute\n"},
      {"facts all-sets", "option heaps=default-set", NULL, "heap_texture_a:t[]@2,1 b:t",
       "resource b set=0 binding=0 place=open kind=texture stages=compute\n"
       "heap heap_texture_a set=0 binding=1 place=open kind=texture count=0 stages=compute\n"},
      {"facts", "option shift=base\nshift class=t by=5", NULL, "a:t b:b c:t",
       "resource b set=0 binding=0 place=open kind=ubo stages=compute\n"
       "member \"\" type=float4 offset=0\n"
       "resource a set=0 binding=5 place=open kind=texture stages=compute from=5\n"
       "resource c set=0 binding=6 place=open kind=texture stages=compute from=5\n"},
      {"facts", "option structs=apart", NULL, "b:b@1 a:{x:t y:s z:t}",
       "resource a.x set=0 binding=0 place=open kind=texture stages=compute\n"
       "resource b set=0 binding=1 place=fixed kind=ubo stages=compute\n"
       "member \"\" type=float4 offset=0\n"
       "resource a.y set=0 binding=2 place=open kind=sampler stages=compute\n"
       "resource a.z set=0 binding=3 place=open kind=texture stages=compute\n"},
      {"facts", "place name=a.x -> set=1", NULL, "a:{x:t y:s z:t} b:t",
       "resource a.y set=0 binding=0 place=open kind=sampler stages=compute\n"
       "resource a.z set=0 binding=1 place=open kind=texture stages=compute lead=0 offset=1\n"
       "resource b set=0 binding=2 place=open kind=texture stages=compute\n"
       "resource a.x set=1 binding=0 place=open kind=texture stages=compute\n"},
      {"facts", "place name=a.y -> range=7..9", NULL, "a:{x:t y:s z:t}",
       "resource a.x set=0 binding=0 place=open kind=texture stages=compute\n"
       "resource a.z set=0 binding=1 place=open kind=texture stages=compute lead=0 offset=1\n"
       "resource a.y set=0 binding=7 place=open kind=sampler stages=compute range=7..9\n"},
      {"facts", "place name=a.x -> binding=9", NULL, "a:{x:t y:s z:t}",
       "resource a.y set=0 binding=0 place=open kind=sampler stages=compute\n"
       "resource a.z set=0 binding=1 place=open kind=texture stages=compute lead=0 offset=1\n"
       "resource a.x set=0 binding=9 place=fixed kind=texture stages=compute\n"},
      {"facts update", "", "resource a set=0 binding=5", "a:t b:b",
       "resource b set=0 binding=0 place=open kind=ubo stages=compute\n"
       "member \"\" type=float4 offset=0\n"
       "resource a set=0 binding=5 place=locked kind=texture stages=compute\n"},
      {"facts remove", "", NULL, "a:t! b:b",
       "resource b set=0 binding=0 place=open kind=ubo stages=compute\n"
       "member \"\" type=float4 offset=0\n"},
      {"facts",
       "descriptor name=b -> type=dynamic\ndescriptor kind=sampler -> samplers=immutable\ndescriptor name=a -> "
       "flags=update-after-bind\npush set=1",
       NULL, "b:b@,2 s:s a:t c:u@,1",
       "resource s set=0 binding=0 place=open kind=sampler stages=compute set-flags=2 immutable=1\n"
       "resource a set=0 binding=1 place=open kind=texture stages=compute flags=1 set-flags=2\n"
       "resource c set=1 binding=0 place=open kind=ssbo stages=compute set-flags=1\n"
       "member \"\" type=float4 offset=0\n"
       "resource b set=2 binding=0 place=open kind=ubo stages=compute descriptor=8\n"
       "member \"\" type=float4 offset=0\n"},
      {"facts", "", NULL, "Vertex a:t b:b! | Fragment a:t c:s[]",
       "resource a set=0 binding=0 place=open kind=texture stages=vertex,fragment\n"
       "resource b set=0 binding=1 place=open kind=ubo\n"
       "member \"\" type=float4 offset=0\n"
       "resource c set=0 binding=2 place=open kind=sampler count=0 stages=fragment\n"},
      {"facts", "", NULL, "a:t a^2:t@7",
       "resource a set=0 binding=0 place=open kind=texture stages=compute\n"
       "resource a ordinal=1 set=0 binding=7 place=fixed kind=texture stages=compute\n"},
      {"facts hlsl", "", NULL, "a:{x:t y:s z:t} b:b",
       "shift class=b set=0 by=0\n"
       "shift class=t set=0 by=1\n"
       "shift class=s set=0 by=3\n"
       "resource b set=0 binding=0 place=open kind=ubo stages=compute class=b number=0\n"
       "member \"\" type=float4 offset=0\n"
       "resource a.x set=0 binding=1 place=open kind=texture stages=compute class=t number=0 shift=1\n"
       "resource a.z set=0 binding=2 place=open kind=texture stages=compute class=t number=1 shift=1\n"
       "resource a.y set=0 binding=3 place=open kind=sampler stages=compute class=s number=0 shift=1\n"},
      {"facts hlsl", "place name=b -> binding=6", NULL, "a:t b:t c:b@1",
       "shift class=b set=0 by=0\n"
       "shift class=t set=0 by=0\n"
       "resource a set=0 binding=0 place=open kind=texture stages=compute class=t number=0\n"
       "resource c set=0 binding=1 place=fixed kind=ubo stages=compute class=b number=1\n"
       "member \"\" type=float4 offset=0\n"
       "resource b set=0 binding=6 place=fixed kind=texture stages=compute\n"})

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_free_number),
	    cmocka_unit_test(what_the_input_says_and_options_open),
	    cmocka_unit_test(views_of_one_descriptor),
	    cmocka_unit_test(one_resource_of_several_modules),
	    cmocka_unit_test(registers),
	    cmocka_unit_test(names_that_repeat),
	    cmocka_unit_test(heaps),
	    cmocka_unit_test(heaps_beside_others),
	    cmocka_unit_test(facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
