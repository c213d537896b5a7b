/* SPDX-License-Identifier: Apache-2.0 */
/* What policies and locks make of the layout of programs: each row of a table has both, the declarations of modules,
 * and where everything goes, by hand from docs/policies-and-locks.md. */
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
#include "laid_out_lines.h"
#include "laid_out_together.h"

/* The first line that gives a value counts. */
TABLE(policies,
      {"why", "place name=b -> binding=7", NULL, "a:t b:b c:s",
       "a 0.0: first free binding of the default set; c 0.1: first free binding of the default set; b 0.7: "
       "policy:1"},
      {"why", "place name=b -> set=2", NULL, "a:t b:b c:s",
       "a 0.0: first free binding of the default set; c 0.1: first free binding of the default set; b 2.0: "
       "policy:1"},
      {"why", "place name=b -> set=2 binding=3", NULL, "a:t b:b@1 c:s",
       "a 0.0: first free binding of the default set; c 0.1: first free binding of the default set; b 2.3: "
       "policy:1"},
      {"why", "place name=? -> set=1\nplace name=b -> set=2", NULL, "a:t b:b", "a 1.0: policy:1; b 1.1: policy:1"},
      {"why", "place name=b -> set=2\nplace name=? -> set=1 binding=5", NULL, "b:b", "b 2.5: policy:2"},
      {"why", "place kind=ubo -> set=1 binding=auto", NULL, "a:t@3 b:b@3 c:b@4,2",
       "a 0.3: fixed, fixed in the module; b 1.0: policy:1; c 1.1: policy:1"},
      {"why", "place class=t stage=compute -> set=1", NULL, "a:t b:b",
       "b 0.0: first free binding of the default set; a 1.0: policy:1"},
      {"why", "place class=t stage=vertex -> set=1", NULL, "a:t b:b",
       "a 0.0: first free binding of the default set; b 0.1: first free binding of the default set"},
      {"why", "place access=write -> set=1\nplace access=read -> set=2", NULL, "a:u b:o c:i d:r e:t",
       "a 1.0: policy:1; c 1.1: policy:1; b 2.0: policy:2; d 2.1: policy:2; e 2.2: policy:2"},
      {"why", "place set=3 -> set=1", NULL, "a:t@0,3 b:t@1,2 c:s",
       "c 0.0: first free binding of the default set; a 1.0: fixed, policy:1; b 2.1: fixed, fixed in the "
       "module"},
      {"why set=3", "place set=3 -> set=1", NULL, "a:t@0,3 b:t@1,2 c:s",
       "a 1.0: fixed, policy:1; c 1.1: policy:1; b 2.1: fixed, fixed in the module"},
      {"why", "place register=2..3 -> set=1", NULL, "a:t@1 b:t@2 c:t@3 d:t@4 e:t",
       "e 0.0: first free binding of the default set; a 0.1: fixed, fixed in the module; d 0.4: fixed, "
       "fixed in the module; b 1.2: fixed, policy:1; c 1.3: fixed, policy:1"},
      {"why", "place register=2 -> set=1", NULL, "a:t@1 b:t@2 c:t@3",
       "a 0.1: fixed, fixed in the module; c 0.3: fixed, fixed in the module; b 1.2: fixed, policy:1"},
      {"why", "place name=b -> range=4..5\nplace name=c -> range=4..5\nreserve set=0 range=0..1", NULL, "a:t b:b c:s",
       "a 0.2: first free binding of the default set; b 0.4: policy:1; c 0.5: policy:2"},
      {"why", "place -> range=4..5", NULL, "a:t b:b c:s",
       "! m0: %5 \"c\" could not be allocated: it needs 1 free bindings within 4..5 of set 0, as required "
       "by policy:1; widen the range\n"},
      {"why", "place -> range=4..6", NULL, "a:t@5 b:b c:s", "a 0.4: policy:1; b 0.5: policy:1; c 0.6: policy:1"},
      {"why", "place name=b -> range=0..1", NULL, "a:t b:b",
       "b 0.0: policy:1; a 0.1: first free binding of the default set"},
      {"why", "place name=b -> range=0..3\noption arrays=each", NULL, "a:t@1 b:b[2]",
       "a 0.1: fixed, fixed in the module; b 0.2: policy:1"},
      {"why", "place name=b -> range=2..3\nplace name=c -> range=2..4", NULL, "a:t b:b c:s d:i",
       "a 0.0: first free binding of the default set; d 0.1: first free binding of the default set; b 0.2: "
       "policy:1; c 0.3: policy:2"},
      {"why", "place name=c -> order=0\nplace -> order=1", NULL, "a:t b:b c:s",
       "c 0.0: first free binding of the default set; a 0.1: first free binding of the default set; b 0.2: "
       "first free binding of the default set"},
      {"why", "place name=c -> order=65535", NULL, "c:s a:t",
       "a 0.0: first free binding of the default set; c 0.1: first free binding of the default set"},
      {"why", "place -> order=65536", NULL, "a:t", "! policy:1: order= takes a number from 0 to 65535\n"},
      {"why", "reserve set=0 range=0..2", NULL, "a:t b:b@1",
       "b 0.1: fixed, fixed in the module; a 0.3: first free binding of the default set"},
      {"why", "reserve set=0\nreserve set=1 range=4..", NULL, "a:t@,1 b:b@,2",
       "a 1.0: first free binding of the set it names; b 2.0: first free binding of the set it names"},
      {"why", "reserve set=0", NULL, "a:t",
       "! m0: %2 \"a\" could not be allocated: set 0 has no 1 consecutive free bindings; use another set\n"},
      {"why", "reserve set=0 range=1", NULL, "a:t b:b",
       "a 0.0: first free binding of the default set; b 0.2: first free binding of the default set"},
      {"why hlsl", "reserve set=0 range=0..2", NULL, "a:t b:b@1",
       "b 0.1: fixed, fixed in the module; a 0.3: first free registers of its class and space"},
      {"why hlsl", "reserve set=0 range=2..3\nshift class=t by=2", NULL, "a:t b:t c:t",
       "a 0.4 (t2): first free registers of its class and space; b 0.5 (t3): first free registers of its "
       "class and space; c 0.6 (t4): first free registers of its class and space"},
      {"why hlsl", "reserve set=0 range=0..1\nshift class=t by=2", NULL, "a:t b:t",
       "a 0.2 (t0): first free registers of its class and space; b 0.3 (t1): first free registers of its "
       "class and space"},
      {"why hlsl", "place name=b -> range=2..5\nshift class=t by=3", NULL, "a:t b:t c:t",
       "b 0.3 (t0): policy:1; a 0.4 (t1): first free registers of its class and space; c 0.5 (t2): first "
       "free registers of its class and space"},
      {"why hlsl", "place name=b -> range=0..2\nshift class=t by=3", NULL, "b:t",
       "! m0: %2 \"b\" could not be allocated: it needs 1 free bindings within 0..2 of set 0, as required "
       "by policy:1; widen the range\n"},
      {"why hlsl", "place name=b -> binding=3\nshift class=t by=3", NULL, "a:t b:b c:t",
       "b 0.3: policy:1; a 0.4 (t1): first free registers of its class and space; c 0.5 (t2): first free "
       "registers of its class and space"},
      {"why hlsl", "place name=b -> binding=2\nshift class=t by=3", NULL, "a:t b:b c:t",
       "b 0.2: policy:1; a 0.3 (t0): first free registers of its class and space; c 0.4 (t1): first free "
       "registers of its class and space"},
      {"why hlsl", "place name=b -> binding=0", NULL, "a:t b:b c:t",
       "b 0.0: policy:1; a 0.1: first free registers of its class and space; c 0.2: first free registers of "
       "its class and space"},
      {"why hlsl auto-shift", "place name=b -> binding=1", NULL, "a:t b:b c:t d:s",
       "b 0.1: policy:1; a 0.2 (t0): first free registers of its class and space; c 0.3 (t1): first free "
       "registers of its class and space; d 0.4 (s0): first free registers of its class and space"},
      {"why", "place name=b -> binding=0\nplace name=a -> binding=0", NULL, "a:t b:b",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, policy:2 and policy:1 put them there; give one of them another binding\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"why hlsl", "place name=b -> binding=0\nplace name=a -> binding=0", NULL, "a:t b:b",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, policy:2 and policy:1 put them there; give one of them another binding\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"why hlsl", "place name=a -> binding=3", NULL, "a:t b:t@3",
       "! m0: %3 \"b\" (texture 2D float; space 0, register t3; compute) overlaps with %2 \"a\" (texture 2D float; set "
       "0, "
       "binding 3; compute) of m0: conflict, a register belongs to one resource; give one of them another register\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"why conflicts", "place -> binding=0", NULL, "a:t b:b",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, policy:1 puts both there; give one of them another binding\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"why", "place name=b -> binding=0", NULL, "a:t@0 b:b",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, they are different descriptors of the input; move one of them, "
       "or use --rebind=conflicts\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"why conflicts", "place name=b -> binding=0", NULL, "a:t@0 b:b c:s",
       "b 0.0: policy:1; a 0.1: first free binding of the set it names; c 0.2: first free binding of the "
       "default set"},
      {"why", "place name=a -> binding=5", NULL, "a:{x:t y:s} b:t",
       "b 0.0: first free binding of the default set; a.x 0.5: policy:1; a.y 0.6: policy:1"},
      {"why", "place name=a.y -> set=1", NULL, "a:{x:t y:s z:t} b:t",
       "a.x 0.0: first free binding of the default set; a.z 0.1: first free binding of the default set; b "
       "0.2: first free binding of the default set; a.y 1.0: policy:1"},
      {"why", "place name=a.y -> binding=0", NULL, "a:{x:t y:s z:t} b:t",
       "a.y 0.0: policy:1; a.x 0.1: first free binding of the default set; a.z 0.2: first free binding of "
       "the default set; b 0.3: first free binding of the default set"},
      {"why", "place name=a.* -> binding=2", NULL, "a:{x:t y:s z:t} b:t",
       "b 0.0: first free binding of the default set; a.x 0.2: policy:1; a.y 0.3: policy:1; a.z 0.4: "
       "policy:1"},
      {"why", "place name=a -> binding=4294967295", NULL, "a:{x:t y:s}",
       "! m0: \"a.y\" (%39 \"a_y\") would have a binding beyond the last one, 4294967295\n"},
      {"why", "place name=a -> binding=4294967294", NULL, "a:{x:t y:s}",
       "a.x 0.4294967294: policy:1; a.y 0.4294967295: policy:1"},
      {"why", "place -> binding=4294967295", NULL, "a:t", "a 0.4294967295: policy:1"},
      {"why", "refuse kind=ubo -> say=\"no\"", NULL, "a:t b:b", "! m0: %4 \"b\" (ubo) is refused by policy:1: no\n"},
      {"why", "place name=b -> set=0\nrefuse -> say=\"others\"", NULL, "a:t b:b",
       "! m0: %2 \"a\" (texture) is refused by policy:2: others\n"},
      {"why", "refuse kind=sampler -> say=no", NULL, "a:t", "a 0.0: first free binding of the default set"})

/* Parameter blocks take sets of their own. */
TABLE(blocks,
      {"why", "block name=m*", NULL, "a:t m1:t m2:b m3:s",
       "a 0.0: first free binding of the default set; m2 1.0: first free binding of its parameter block; m1 "
       "1.1: first free binding of its parameter block; m3 1.2: first free binding of its parameter block"},
      {"why", "block name=m* -> set=3", NULL, "a:t m1:t m2:b m3:s",
       "a 0.0: first free binding of the default set; m2 3.0: first free binding of its parameter block; m1 "
       "3.1: first free binding of its parameter block; m3 3.2: first free binding of its parameter block"},
      {"why", "block name=m* -> set=0", NULL, "a:t m1:t",
       "! m0: %3 \"m1\" belongs to the parameter block of policy:1, but set 0 is in use; a block takes a "
       "whole set: name another set, or none\n"},
      {"why", "block name=m*\nblock name=n*", NULL, "n1:t a:t m1:t n2:b",
       "a 0.0: first free binding of the default set; n2 1.0: first free binding of its parameter block; n1 "
       "1.1: first free binding of its parameter block; m1 2.0: first free binding of its parameter block"},
      {"why", "block name=m*\nreserve set=1", NULL, "a:t m1:t",
       "a 0.0: first free binding of the default set; m1 2.0: first free binding of its parameter block"},
      {"why", "block name=m*", NULL, "m1:t", "m1 0.0: first free binding of its parameter block"},
      {"why", "block name=m*", NULL, "m1:t@0,0 a:t",
       "! m0: %2 \"m1\" belongs to the parameter block of policy:1, but set 0, where the module has it, is in use; a "
       "block takes a whole set: leave it unassigned (--auto-binding, --rebind=all), or drop the block\n"},
      {"why", "block name=m*", NULL, "a:t m1:t@0,1 m2:t@1,1",
       "a 0.0: first free binding of the default set; m1 1.0: first free binding of its parameter block; m2 "
       "1.1: first free binding of its parameter block"},
      {"why", "block name=m*", NULL, "a:t m1:t@1,1 m2:t@0,1",
       "! m0: %3 \"m1\" has set 1, binding 1, but its parameter block, policy:1, assigns numbers in its own "
       "set and would give it set 1, binding 0; leave it unassigned (--auto-binding, --rebind=all), or drop "
       "the block\n"},
      {"why", "place name=m1 -> binding=4\nblock name=m*", NULL, "m1:t m2:t a:t",
       "a 0.0: first free binding of the default set; m1 0.4: policy:1; m2 1.0: first free binding of its "
       "parameter block"},
      {"why", "block name=m* -> set=4294967295\nblock name=n*", NULL, "m1:t n1:t a:t",
       "a 0.0: first free binding of the default set; n1 1.0: first free binding of its parameter block; m1 "
       "4294967295.0: first free binding of its parameter block"})

/* With their lines. */
TABLE(faults_of_policies,
      {"", "place name=a", NULL, "a:t",
       "! policy:1: the line has no effect; end it with -> set=N, binding=N, range=N..M or order=N\n"},
      {"", "place -> set=x", NULL, "a:t", "! policy:1: set= takes a number from 0 to 4294967295, but got \"x\"\n"},
      {"", "place -> set=1 range=2..3 binding=4", NULL, "a:t",
       "! policy:1: a line can give either a binding or a range to choose it from\n"},
      {"", "place -> binding=auto binding=4", NULL, "a:t",
       "! policy:1: a line can either give a binding or leave it unassigned\n"},
      {"", "block -> set=1", NULL, "a:t", "! policy:1: a block needs a name= that all its parameters match\n"},
      {"", "block name=a -> binding=1", NULL, "a:t",
       "! policy:1: unknown key \"binding\"; possible keys are set behind -> of a block\n"},
      {"", "refuse name=a", NULL, "a:t", "! policy:1: the line gives no reason; end it with -> say=\"what to do\"\n"},
      {"", "refuse -> set=1", NULL, "a:t",
       "! policy:1: unknown key \"set\"; possible keys are say behind -> of a refusal\n"},
      {"", "descriptor name=a", NULL, "a:t",
       "! policy:1: the line has no effect; end it with -> type=..., samplers=... or flags=...\n"},
      {"", "descriptor register=1 -> type=plain", NULL, "a:t",
       "! policy:1: unknown key \"register\"; possible keys are name, kind, class, stage, access, set and "
       "binding before ->\n"},
      {"", "descriptor -> set=1", NULL, "a:t",
       "! policy:1: unknown key \"set\"; possible keys are type, samplers and flags behind -> of a "
       "descriptor\n"},
      {"", "place binding=1 -> set=1", NULL, "a:t",
       "! policy:1: unknown key \"binding\"; possible keys are name, kind, class, stage, access, set and "
       "register before ->\n"},
      {"", "push", NULL, "a:t", "! policy:1: push needs a set=\n"},
      {"", "push set=1 by=2", NULL, "a:t", "! policy:1: unknown key \"by\"; possible keys are set\n"},
      {"", "push set=1\npush set=1\npush set=2", NULL, "a:t",
       "! policy:3: policy:1 makes set 1 the set of push descriptors, and a pipeline layout has only one "
       "(VUID-VkPipelineLayoutCreateInfo-pSetLayouts-00293)\n"},
      {"", "reserve range=1", NULL, "a:t", "! policy:1: a reservation needs a set=\n"},
      {"", "reserve set=1 by=2", NULL, "a:t", "! policy:1: unknown key \"by\"; possible keys are set and range\n"},
      {"", "shift class=t", NULL, "a:t", "! policy:1: a shift needs class= or kind=, and by=\n"},
      {"", "shift by=1", NULL, "a:t", "! policy:1: a shift needs class= or kind=, and by=\n"},
      {"", "shift class=t by=1 to=2", NULL, "a:t",
       "! policy:1: unknown key \"to\"; possible keys are class, kind, stage, set and by\n"},
      {"", "option rule=hlsl", NULL, "a:t",
       "! policy:1: unknown key \"rule\"; possible keys are rules, unused, fixed, arrays, structs, "
       "counters, heaps, merge, shift and sets\n"},
      {"", "option rules=glsl", NULL, "a:t", "! policy:1: rules= takes one of slang, hlsl, but got \"glsl\"\n"},
      {"", "option unused=no", NULL, "a:t", "! policy:1: unused= takes one of count, last, remove, but got \"no\"\n"},
      {"", "option fixed=yes", NULL, "a:t", "! policy:1: fixed= takes one of bindings, registers, but got \"yes\"\n"},
      {"", "option arrays=two", NULL, "a:t", "! policy:1: arrays= takes one of one, each, but got \"two\"\n"},
      {"", "option structs=no", NULL, "a:t", "! policy:1: structs= takes one of together, apart, but got \"no\"\n"},
      {"", "option counters=no", NULL, "a:t", "! policy:1: counters= takes one of beside, last, but got \"no\"\n"},
      {"", "option heaps=no", NULL, "a:t", "! policy:1: heaps= takes one of own-set, default-set, but got \"no\"\n"},
      {"", "option merge=maybe", NULL, "a:t", "! policy:1: merge= takes one of yes, no, but got \"maybe\"\n"},
      {"", "option shift=by", NULL, "a:t", "! policy:1: shift= takes one of no, auto, base, but got \"by\"\n"},
      {"", "option sets=last", NULL, "a:t", "! policy:1: sets= takes one of in-order, first, but got \"last\"\n"},
      {"", "plaice x", NULL, "a:t",
       "! policy:1: no line begins with \"plaice\"; expected place, block, reserve, shift, refuse, option, "
       "descriptor or push\n"},
      {"", "descriptor -> type=odd", NULL, "a:t",
       "! policy:1: type= takes one of plain, dynamic, inline-uniform-block, but got \"odd\"\n"},
      {"", "descriptor -> samplers=odd", NULL, "a:t",
       "! policy:1: samplers= takes one of plain, immutable, but got \"odd\"\n"},
      {"", "descriptor -> flags=odd", NULL, "a:t",
       "! policy:1: unknown flags \"odd\"; possible values are update-after-bind, "
       "update-unused-while-pending, partially-bound, variable-count\n"},
      {"", "place access=odd -> set=1", NULL, "a:t", "! policy:1: access= takes one of read, write, but got \"odd\"\n"},
      {"", "place stage=odd -> set=1", NULL, "a:t",
       "! policy:1: unknown stage \"odd\"; possible values are vertex, tesscontrol, tesseval, geometry, "
       "fragment, compute, raygen, anyhit, closesthit, miss, intersection, callable, task, mesh\n"},
      {"", "place kind=other -> set=1", NULL, "a:t",
       "! policy:1: unknown kind \"other\"; possible values are sampler, combined, texture, image, utexbuf, "
       "stexbuf, ubo, ssbo, as, input-attachment, tensor\n"})

/* What policies say of descriptors. */
TABLE(descriptors,
      {"descriptors", "descriptor name=b -> type=dynamic", NULL, "b:b a:t",
       "b 0.0; a 0.1\n"
       "0.0 b: type 8, count 1, stages 32\n"
       "0.1 a: type 2, count 1, stages 32"},
      {"descriptors", "descriptor name=a -> type=dynamic", NULL, "a:t",
       "! m0: %2 \"a\" (sampled image; set 0, binding 0) cannot be dynamic: only uniform and storage "
       "buffers have dynamic offsets; change policy:1, which asks for it\n"},
      {"descriptors", "descriptor -> type=dynamic", NULL, "b:b u:u",
       "b 0.0; u 0.1\n"
       "0.0 b: type 8, count 1, stages 32\n"
       "0.1 u: type 9, count 1, stages 32"},
      {"descriptors", "descriptor name=b -> type=inline-uniform-block", NULL, "b:b",
       "b 0.0\n"
       "0.0 b: type 1000138000, count 16, stages 32"},
      {"descriptors", "descriptor name=b -> type=inline-uniform-block", NULL, "b:b[2]",
       "! m0: %3 \"b\" (uniform buffer; set 0, binding 0) cannot be an inline uniform block: inline uniform "
       "blocks cannot be aggregated into arrays (Vulkan, \"Inline Uniform Block\"); change policy:1, which "
       "asks for it\n"},
      {"descriptors", "descriptor name=u -> type=inline-uniform-block", NULL, "u:u",
       "! m0: %3 \"u\" (storage buffer; set 0, binding 0) cannot be an inline uniform block: only a uniform "
       "block can be inline; change policy:1, which asks for it\n"},
      {"descriptors", "descriptor kind=sampler,combined -> samplers=immutable", NULL, "s:s c:c",
       "s 0.0; c 0.1\n"
       "0.0 s: type 0, count 1, stages 32, immutable\n"
       "0.1 c: type 1, count 1, stages 32, immutable"},
      {"descriptors", "descriptor -> samplers=immutable", NULL, "s:s t:t",
       "! m0: %3 \"t\" (sampled image; set 0, binding 1) cannot have immutable samplers: only samplers and "
       "combined image-samplers have any (VkDescriptorSetLayoutBinding); change policy:1, which asks for "
       "it\n"},
      {"descriptors", "descriptor -> samplers=plain", NULL, "s:s t:t",
       "s 0.0; t 0.1\n"
       "0.0 s: type 0, count 1, stages 32\n"
       "0.1 t: type 2, count 1, stages 32"},
      {"descriptors", "descriptor name=a -> flags=update-after-bind", NULL, "a:t b:t",
       "a 0.0; b 0.1\n"
       "0.0 a: type 2, count 1, stages 32, flags 1, set 2\n"
       "0.1 b: type 2, count 1, stages 32, set 2"},
      {"descriptors", "descriptor -> flags=update-after-bind type=dynamic", NULL, "b:b",
       "! m0: %3 \"b\" (dynamic uniform buffer; set 0, binding 0) cannot have the flag update-after-bind: "
       "input attachments and dynamic buffers are bound as they are "
       "(VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-None-03011); change policy:1, which asks for it\n"},
      {"descriptors", "descriptor name=a -> flags=update-after-bind\ndescriptor name=b -> type=dynamic", NULL,
       "a:t b:b",
       "! m0: %2 \"a\" (sampled image; set 0, binding 0) cannot have the flag update-after-bind: a set that "
       "has such a binding has no dynamic buffer "
       "(VUID-VkDescriptorSetLayoutCreateInfo-descriptorType-03001); change policy:1, which asks for it\n"},
      {"descriptors", "descriptor name=a -> flags=update-after-bind\ndescriptor name=b -> type=dynamic", NULL,
       "a:t b:b@,1",
       "a 0.0; b 1.0\n"
       "0.0 a: type 2, count 1, stages 32, flags 1, set 2\n"
       "1.0 b: type 8, count 1, stages 32"},
      {"descriptors", "descriptor name=a -> flags=variable-count", NULL, "a:t[4] b:b",
       "! m0: %2 \"a\" (sampled image; set 0, binding 0) cannot have the flag variable-count: only the last "
       "binding of a set has that (VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03004); "
       "change policy:1, which asks for it\n"},
      {"descriptors", "descriptor name=a -> flags=variable-count", NULL, "b:b a:t[4]",
       "b 0.0; a 0.1\n"
       "0.0 b: type 6, count 1, stages 32\n"
       "0.1 a: type 2, count 4, stages 32, flags 8"},
      {"descriptors", "descriptor name=b -> flags=variable-count type=dynamic", NULL, "b:b",
       "! m0: %3 \"b\" (dynamic uniform buffer; set 0, binding 0) cannot have the flag variable-count: "
       "dynamic buffers have none (VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03015); "
       "change policy:1, which asks for it\n"},
      {"descriptors", "push set=0", NULL, "a:t b:b",
       "a 0.0; b 0.1\n"
       "0.0 a: type 2, count 1, stages 32, set 1\n"
       "0.1 b: type 6, count 1, stages 32, set 1"},
      {"descriptors", "push set=0\ndescriptor name=b -> type=dynamic", NULL, "a:t b:b",
       "! m0: %4 \"b\" (dynamic uniform buffer; set 0, binding 1) cannot be a push descriptor: dynamic "
       "buffers are not pushed (VUID-VkDescriptorSetLayoutCreateInfo-flags-00280); change policy:1, which "
       "asks for it\n"},
      {"descriptors", "push set=0\ndescriptor name=b -> type=inline-uniform-block", NULL, "a:t b:b",
       "! m0: %4 \"b\" (inline uniform block; set 0, binding 1) cannot be a push descriptor: inline uniform "
       "blocks are not pushed (VUID-VkDescriptorSetLayoutCreateInfo-flags-02208); change policy:1, which "
       "asks for it\n"},
      {"descriptors", "push set=0\ndescriptor name=b -> flags=update-after-bind", NULL, "a:t b:b",
       "! m0: %4 \"b\" (uniform buffer; set 0, binding 1) cannot be a push descriptor: of all flags they "
       "can only have partially-bound (VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-flags-03003); "
       "change policy:1, which asks for it\n"},
      {"descriptors", "push set=0\ndescriptor name=b -> flags=partially-bound", NULL, "a:t b:b",
       "a 0.0; b 0.1\n"
       "0.0 a: type 2, count 1, stages 32, set 1\n"
       "0.1 b: type 6, count 1, stages 32, flags 4, set 1"},
      {"descriptors", "push set=1", NULL, "a:t b:b",
       "a 0.0; b 0.1\n"
       "0.0 a: type 2, count 1, stages 32\n"
       "0.1 b: type 6, count 1, stages 32"},
      {"descriptors", "descriptor set=0 binding=1 -> flags=partially-bound", NULL, "a:t b:b",
       "a 0.0; b 0.1\n"
       "0.0 a: type 2, count 1, stages 32\n"
       "0.1 b: type 6, count 1, stages 32, flags 4"},
      {"descriptors", "descriptor binding=1..2 -> flags=partially-bound\ndescriptor -> flags=none", NULL,
       "a:t[] b:b c:s",
       "a 0.0; b 0.1; c 0.2\n"
       "0.0 a: type 2, count 0, stages 32\n"
       "0.1 b: type 6, count 1, stages 32, flags 4\n"
       "0.2 c: type 0, count 1, stages 32, flags 4"})

/* Numbers of earlier runs; what is written is behind the layout. */
TABLE(locks,
      {"lock", "", "resource a set=0 binding=3", "a:t b:b",
       "b 0.0; a 0.3\n"
       "lock version=1\n"
       "resource a set=0 binding=3 kind=texture\n"
       "resource b set=0 binding=0 kind=ubo\n"
       "\n"
       ". m0: %4 \"b\" is not in the lock file; record it with --update-lock\n"},
      {"lock update", "", "resource a set=0 binding=3", "a:t b:b",
       "b 0.0; a 0.3\n"
       "lock version=1\n"
       "resource a set=0 binding=3 kind=texture\n"
       "resource b set=0 binding=0 kind=ubo\n"},
      {"lock update", "", "resource a set=0 binding=3\nremoved z set=0 binding=0", "a:t b:b",
       "b 0.1; a 0.3\n"
       "lock version=1\n"
       "resource a set=0 binding=3 kind=texture\n"
       "resource b set=0 binding=1 kind=ubo\n"
       "removed z set=0 binding=0\n"},
      {"lock", "", "resource a set=0 binding=3", "a:t@2 b:b",
       "! m0: %2 \"a\" has set 0, binding 2 (fixed in the module), but line 2 of the lock file has set 0, "
       "binding 3; correct the module, or accept the new binding with --update-lock\n"},
      {"lock update", "", "resource a set=0 binding=3", "a:t@2 b:b",
       "b 0.0; a 0.2\n"
       "lock version=1\n"
       "resource a set=0 binding=2 kind=texture\n"
       "resource b set=0 binding=0 kind=ubo\n"},
      {"lock update", "", "resource z set=0 binding=0", "a:t b:b",
       "a 0.1; b 0.2\n"
       "lock version=1\n"
       "resource a set=0 binding=1 kind=texture\n"
       "resource b set=0 binding=2 kind=ubo\n"
       "removed z set=0 binding=0\n"},
      {"lock update", "", "removed a set=0 binding=3", "a:t b:b",
       "b 0.0; a 0.3\n"
       "lock version=1\n"
       "resource a set=0 binding=3 kind=texture\n"
       "resource b set=0 binding=0 kind=ubo\n"},
      {"lock update", "", "resource a set=1 binding=3", "a:t b:b@,1",
       "b 1.0; a 1.3\n"
       "lock version=1\n"
       "resource a set=1 binding=3 kind=texture\n"
       "resource b set=1 binding=0 kind=ubo\n"},
      {"lock update", "", "resource a set=0 binding=0\nresource b set=0 binding=0", "a:t b:b",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, the lock file puts both there; delete one of "
       "their lines from the lock file\n"
       ". m0: conflicts with: %2 \"a\"\n"},
      {"lock update hlsl", "", "shift class=t set=0 by=4\nresource a set=0 binding=4", "a:t b:t c:b",
       "c 0.0; a 0.4 (t0); b 0.5 (t1)\n"
       "lock version=1\n"
       "shift class=b set=0 by=0\n"
       "shift class=t set=0 by=4\n"
       "resource a set=0 binding=4 kind=texture\n"
       "resource b set=0 binding=5 kind=texture\n"
       "resource c set=0 binding=0 kind=ubo\n"},
      {"lock update hlsl", "shift class=t stage=compute by=4", "", "a:t b:t c:b",
       "c 0.0; a 0.4 (t0); b 0.5 (t1)\nlock version=1\nshift class=b set=0 by=0\nresource a set=0 binding=4 "
       "kind=texture\nresource b set=0 binding=5 kind=texture\nresource c set=0 binding=0 kind=ubo\n"},
      {"lock update hlsl", "shift class=t by=4", "", "a:t b:t c:b",
       "c 0.0; a 0.4 (t0); b 0.5 (t1)\nlock version=1\nshift class=b set=0 by=0\nshift class=t set=0 by=4\nresource a "
       "set=0 binding=4 kind=texture\nresource b set=0 binding=5 kind=texture\nresource c set=0 binding=0 kind=ubo\n"},
      {"lock update hlsl", "", "shift class=t set=0 by=4\nresource z set=0 binding=4", "b:t c:b",
       "c 0.0; b 0.5 (t1)\n"
       "lock version=1\n"
       "shift class=b set=0 by=0\n"
       "shift class=t set=0 by=4\n"
       "resource b set=0 binding=5 kind=texture\n"
       "resource c set=0 binding=0 kind=ubo\n"
       "removed z set=0 binding=4\n"},
      {"lock update", "place name=a -> binding=1", "resource a set=0 binding=3", "a:t b:b",
       "b 0.0; a 0.1\n"
       "lock version=1\n"
       "resource a set=0 binding=1 kind=texture\n"
       "resource b set=0 binding=0 kind=ubo\n"},
      {"lock", "place name=a -> binding=1", "resource a set=0 binding=3", "a:t b:b",
       "! m0: %2 \"a\" has set 0, binding 1 (policy:1), but line 2 of the lock file has set 0, binding 3; "
       "correct the module, or accept the new binding with --update-lock\n"},
      {"lock", "share set=0\n", "resource a set=0 binding=3", "a:t",
       "! policy:1: no line begins with \"share\"; expected place, block, reserve, shift, refuse, option, "
       "descriptor or push\n"},
      {"lock update", "block name=m*", "share set=1\nresource x set=0 binding=3", "a:t m1:t",
       "a 0.0; m1 2.0\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "resource m1 set=2 binding=0 kind=texture\n"
       "removed x set=0 binding=3\n"},
      {"lock update", "block name=m*", "resource m1 set=4 binding=0", "a:t m1:t m2:b",
       "a 0.0; m1 4.0; m2 4.1\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "resource m1 set=4 binding=0 kind=texture\n"
       "resource m2 set=4 binding=1 kind=ubo\n"},
      {"lock update", "block name=m*", "resource m1 set=4 binding=3\nresource m2 set=5 binding=1", "a:t m1:t m2:b m3:b",
       "a 0.0; m3 4.0; m1 4.3; m2 5.1\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "resource m1 set=4 binding=3 kind=texture\n"
       "resource m2 set=5 binding=1 kind=ubo\n"
       "resource m3 set=4 binding=0 kind=ubo\n"},
      {"lock update", "", "resource a ordinal=1 set=0 binding=7", "a:t b:b",
       "a 0.0; b 0.1\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "removed a ordinal=1 set=0 binding=7\n"
       "resource b set=0 binding=1 kind=ubo\n"},
      {"lock update remove", "", "resource a set=0 binding=0", "a:t! b:b",
       "b 0.1; a removed\n"
       "lock version=1\n"
       "removed a set=0 binding=0\n"
       "resource b set=0 binding=1 kind=ubo\n"},
      {"lock update last", "", "resource a set=0 binding=0", "a:t! b:b",
       "a 0.0; b 0.1\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "resource b set=0 binding=1 kind=ubo\n"})

TABLE(
    more_lines_of_policies, {"why", "--place=a:3\nplace name=a -> binding=3", NULL, "a:t", "a 0.3: --place=a:3"},
    {"why", "--place=z:3\nplace name=z -> binding=3\ndescriptor name=z -> type=dynamic\npush set=7\nreserve set=9",
     NULL, "a:t",
     "a 0.0: first free binding of the default set\n"
     "? m0: --place=z:3 matches no resource of the program; use names as given by OpName, and for blocks "
     "the name of the type\n"
     "? m0: --place=z:3 matches no descriptor of the program; set= and binding= are those of the result, "
     "which --print-layout lists\n"
     "? m0: --place=z:3 matches no descriptor of the program, whose sets --print-layout lists\n"},
    {"", "--place=a\nplace name=a", NULL, "a:t",
     "! --place=a: the line has no effect; end it with -> set=N, binding=N, range=N..M or order=N\n"},
    {"", "place name=a ->set=1", NULL, "a:t", "a 1.0"},
    {"", "place name=a ->", NULL, "a:t",
     "! policy:1: the line has no effect; end it with -> set=N, binding=N, range=N..M or order=N\n"},
    {"", "place name=a -> ->set=1", NULL, "a:t",
     "! policy:1: unknown key \"->set\"; possible keys are set, binding, range and order behind ->\n"},
    {"", "place name=a -set=1", NULL, "a:t",
     "! policy:1: unknown key \"-set\"; possible keys are name, kind, class, stage, access, set and "
     "register before ->\n"},
    {"why", "place name=a -> set=1\nplace name=? -> set=2 binding=1\nplace name=a -> binding=4\nplace name=b -> set=3",
     NULL, "a:t b:b", "a 1.1: policy:2; b 2.1: policy:2"},
    {"why",
     "place name=l -> set=1\nplace name=k -> set=2\nplace name=j -> set=3\nplace name=i -> set=4\nplace name=h -> "
     "set=5\nplace name=g -> set=6\nplace name=f -> set=7\nplace name=e -> set=8\nplace name=d -> set=9\nplace name=c "
     "-> set=10",
     NULL, "c:t d:t e:t f:t g:t h:t i:t j:t k:t l:t",
     "l 1.0: policy:1; k 2.0: policy:2; j 3.0: policy:3; i 4.0: policy:4; h 5.0: policy:5; g 6.0: "
     "policy:6; f 7.0: policy:7; e 8.0: policy:8; d 9.0: policy:9; c 10.0: policy:10"},
    {"",
     "shift class=t stage=vertex by=20\nshift class=s stage=fragment by=30\nshift class=b stage=vertex by=40\nshift "
     "class=t stage=fragment by=50",
     NULL, "Vertex a:t b:b | Fragment c:s d:t e:b", "e 0.0; a 0.20; c 0.30; b 0.40; d 0.50"},
    {"", "shift class=t by=20\nshift class=t stage=fragment set=0 by=30\nshift class=t set=0 by=10", NULL,
     "Vertex a:t | Fragment b:t", "a 0.10; b 0.11"},
    {"hlsl", "shift class=t by=20\nshift class=t set=0 by=10\nshift class=t by=30", NULL, "a:t b:t@,1",
     "a 0.10 (t0); b 1.30 (t0)"},
    {"", "option rules=hlsl shift=auto", NULL, "a:t@2 b:b@1", "b 0.1; a 0.2"},
    {"", "option rules=hlsl shift=no", NULL, "a:t@2 b:b@1", "b 0.1; a 0.2"},
    {"hlsl", "option shift=base", NULL, "a:t@2 b:b@1", "b 0.1; a 0.2"},
    {"", "option shift=base\nshift kind=ubo,texture,sampler,image by=7", NULL, "b:b t:t s:s i:i u:u",
     "u 0.0; b 0.7; t 0.8; s 0.9; i 0.10"},
    {"", "option shift=base\nshift kind=ubo class=b by=7", NULL, "b:b t:t", "t 0.0; b 0.7"},
    {"", "option shift=base\nshift kind=texture class=b by=7", NULL, "b:b t:t", "b 0.0; t 0.1"},
    {"", "option shift=base\nshift class=t set=1 by=7\nshift class=t by=3", NULL, "a:t b:t@,1 c:s",
     "c 0.0; a 0.3; b 1.7"},
    {"", "option shift=base\nshift class=t by=3", NULL, "a:{x:t y:s} c:t", "a.x 0.0; a.y 0.1; c 0.3"},
    {"", "option shift=base\nshift kind=texture by=3", NULL, "a:{x:t y:s} c:t", "a.x 0.3; a.y 0.4; c 0.5"},
    {"", "option shift=base fixed=registers\nshift class=t by=3", NULL, "a:{x:t y:s}@1 c:t", "a.y 0.2; c 0.3; a.x 0.4"},
    {"", "push set=1\npush set=2", NULL, "a:t",
     "! policy:2: policy:1 makes set 1 the set of push descriptors, and a pipeline layout has only one "
     "(VUID-VkPipelineLayoutCreateInfo-pSetLayouts-00293)\n"},
    {"", "block name=a -> order=1", NULL, "a:t",
     "! policy:1: unknown key \"order\"; possible keys are set behind -> of a block\n"},
    {"", "block name=a -> range=1", NULL, "a:t",
     "! policy:1: unknown key \"range\"; possible keys are set behind -> of a block\n"},
    {"", "refuse -> say=no binding=1", NULL, "a:t",
     "! policy:1: unknown key \"binding\"; possible keys are say behind -> of a refusal\n"},
    {"", "refuse -> order=1 say=no", NULL, "a:t",
     "! policy:1: unknown key \"order\"; possible keys are say behind -> of a refusal\n"},
    {"", "descriptor -> type=plain order=1", NULL, "a:t",
     "! policy:1: unknown key \"order\"; possible keys are type, samplers and flags behind -> of a "
     "descriptor\n"},
    {"descriptors",
     "descriptor name=a -> flags=update-after-bind,partially-bound\ndescriptor name=a -> type=plain samplers=immutable",
     NULL, "a:s",
     "a 0.0\n"
     "0.0 a: type 0, count 1, stages 32, flags 5, set 2, immutable"},
    {"descriptors",
     "descriptor class=s -> samplers=immutable\ndescriptor stage=vertex -> flags=none\ndescriptor access=read -> "
     "flags=partially-bound",
     NULL, "a:s b:i c:t",
     "a 0.0; b 0.1; c 0.2\n"
     "0.0 a: type 0, count 1, stages 32, flags 4, immutable\n"
     "0.1 b: type 3, count 1, stages 32\n"
     "0.2 c: type 2, count 1, stages 32, flags 4"},
    {"descriptors", "descriptor name=a -> type=inline-uniform-block\ndescriptor name=b -> type=dynamic", NULL,
     "Vertex a:b b:b | Fragment a:b",
     "a 0.0; a 0.0; b 0.1\n"
     "0.0 a: type 1000138000, count 16, stages 17, 2 views\n"
     "0.1 b: type 8, count 1, stages 1"},
    {"descriptors", "descriptor name=a -> type=plain\ndescriptor -> type=dynamic", NULL, "a:b b:b",
     "a 0.0; b 0.1\n"
     "0.0 a: type 6, count 1, stages 32\n"
     "0.1 b: type 8, count 1, stages 32"},
    {"descriptors", "descriptor name=b -> samplers=immutable", NULL, "a:t@0 b:s@0",
     "a 0.0; b 0.0\n"
     "0.0 a: type 1, count 1, stages 32, immutable, 2 views"},
    {"descriptors", "push set=0\ndescriptor -> flags=partially-bound,update-after-bind", NULL, "a:b",
     "! m0: %3 \"a\" (uniform buffer; set 0, binding 0) cannot be a push descriptor: of all flags they "
     "can only have partially-bound (VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-flags-03003); "
     "change policy:1, which asks for it\n"},
    {"", "place kind=ubo,texture access=read stage=compute class=b,t set=0 -> set=1", NULL, "a:t b:b c:s d:t@,2",
     "c 0.0; a 1.0; b 1.1; d 2.0"},
    {"why", "place name=a* -> order=3\nplace name=b* -> order=1\nplace -> order=2", NULL, "a:t b:t c:t a2:t b2:t",
     "b 0.0: first free binding of the default set; b2 0.1: first free binding of the default set; c 0.2: "
     "first free binding of the default set; a 0.3: first free binding of the default set; a2 0.4: first "
     "free binding of the default set"},
    {"why", "refuse name=a -> say=\"x y\"\nplace -> set=1", NULL, "a:t",
     "! m0: %2 \"a\" (texture) is refused by policy:1: x y\n"},
    {"why", "place name=b -> set=1\nrefuse kind=texture -> say=no", NULL, "b:t", "b 1.0: policy:1"})

TABLE(faults_of_locks,
      {"", "", "lock version=3", "a:t",
       "! lock:1: this lock file was written by an incompatible version of spirv-bind: version=3\n"},
      {"", "", "lock version=1 ", "a:t",
       "a 0.0\n"
       ". m0: %2 \"a\" is not in the lock file; record it with --update-lock\n"},
      {"", "", "lock versio=1", "a:t",
       "! lock:1: this lock file was written by an incompatible version of spirv-bind: versio=1\n"},
      {"", "", "lock version=2", "a:t",
       "! lock:1: the lock file belongs to the programs of a manifest; bind this one with --manifest=FILE, "
       "and alone with --programs=NAME\n"},
      {"", "", "resource", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with "
       "--update-lock\n"},
      {"", "", "resource a", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with "
       "--update-lock\n"},
      {"", "", "resource a set=1", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with "
       "--update-lock\n"},
      {"", "", "resource a binding=1", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with "
       "--update-lock\n"},
      {"", "", "resource a set=1 binding=2 odd=3", "a:t",
       "! lock:2: unknown key \"odd\"; possible keys are set, binding, ordinal, kind, count, type, samplers "
       "and flags\n"},
      {"", "", "resource a set=x binding=1", "a:t",
       "! lock:2: set= takes a number from 0 to 4294967295, but got \"x\"\n"},
      {"", "", "removed a set=1 binding=2 program=x", "a:t",
       "! lock:2: unknown key \"program\"; possible keys are set, binding, ordinal, kind, count, type, "
       "samplers and flags\n"},
      {"", "", "shift class=t set=0", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with "
       "--update-lock\n"},
      {"", "", "shift set=0 by=1 class=x", "a:t", "! lock:2: unknown class \"x\"; possible values are b, t, s, u\n"},
      {"", "", "shift class=t set=0 by=1 kind=ubo", "a:t",
       "! lock:2: unknown key \"kind\"; possible keys are class, set and by\n"},
      {"", "", "push", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with "
       "--update-lock\n"},
      {"", "", "push set=1 by=2", "a:t", "! lock:2: unknown key \"by\"; possible keys are set\n"},
      {"", "", "push set=1 binding=2", "a:t", "! lock:2: unknown key \"binding\"; possible keys are set\n"},
      {"", "", "heap", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with "
       "--update-lock\n"},
      {"", "", "heap h set=1 binding=2 kind=odd", "a:t",
       "! lock:2: unknown kind \"odd\"; possible values are sampler, combined, texture, image, utexbuf, "
       "stexbuf, ubo, ssbo, as, input-attachment, tensor\n"},
      {"", "", "resource a set=0 binding=1 count=x", "a:t",
       "! lock:2: count= takes a number from 0 to 4294967295, but got \"x\"\n"},
      {"", "", "share programs=a", "a:t", "! lock:2: share needs the set that is shared: share set=N\n"},
      {"", "", "share set=1 x=2", "a:t", "! lock:2: unknown key \"x\"; possible keys are set and programs\n"},
      {"", "", "rename a -> b", "a:t", "! lock:2: rename needs a lock file of version 2\n"},
      {"", "", "<<<<<<< ours", "a:t",
       "! lock:2: unresolved merge conflict: keep the lines of both sides, and delete the markers\n"},
      {"", "", "=======", "a:t",
       "! lock:2: unresolved merge conflict: keep the lines of both sides, and delete the markers\n"},
      {"", "", ">>>>>>> theirs", "a:t",
       "! lock:2: unresolved merge conflict: keep the lines of both sides, and delete the markers\n"},
      {"", "", "<<<", "a:t",
       "! lock:2: no line begins with \"<<<\"; expected resource, removed, heap, shift, push, share or "
       "rename\n"},
      {"", "", "plaice a", "a:t",
       "! lock:2: no line begins with \"plaice\"; expected resource, removed, heap, shift, push, share or "
       "rename\n"},
      {"", "", "resource a set=0 binding=1\nresource b set=0 binding=2\nresource a set=2 binding=3", "a:t",
       "! lock:4: \"a\" is already locked by line 2; delete one of the two lines\n"},
      {"", "", "resource a set=0 binding=1 type=dynamic samplers=immutable flags=none count=3 kind=ubo", "a:t",
       "a 0.1"},
      {"", "", "resource \"a set=0 binding=1", "a:t", "! lock:2: the closing quotation mark is missing\n"},
      {"", "", "resource \"\" set=0 binding=1", "a:t",
       "! lock:2: the line is truncated; restore it from version control, or create it again with "
       "--update-lock\n"},
      {"", "", "lock \nresource a set=0 binding=1", "a:t", "! lock:1: expected key=value, got \"\"\n"},
      {"lock update", "", "resource \"\\\\x61\" set=0 binding=4", "a:t",
       "a 0.0\n"
       "lock version=1\n"
       "removed \"\\\\x61\" set=0 binding=4\n"
       "resource a set=0 binding=0 kind=texture\n"},
      {"lock update hlsl", "",
       "shift class=s set=1 by=3\nshift class=b set=0 by=2\nshift class=t set=0 by=4\nshift class=u set=0 by=6", "a:t",
       "a 0.4 (t0)\n"
       "lock version=1\n"
       "shift class=b set=0 by=2\n"
       "shift class=t set=0 by=4\n"
       "shift class=u set=0 by=6\n"
       "shift class=s set=1 by=3\n"
       "resource a set=0 binding=4 kind=texture\n"},
      {"lock update", "descriptor -> type=dynamic", "", "b:b u:u",
       "b 0.0; u 0.1\n"
       "lock version=1\n"
       "resource b set=0 binding=0 kind=ubo type=dynamic\n"
       "resource u set=0 binding=1 kind=ssbo type=dynamic\n"},
      {"lock update", "descriptor -> samplers=immutable\ndescriptor -> flags=partially-bound,variable-count", "",
       "s:s[3]",
       "s 0.0\n"
       "lock version=1\n"
       "resource s set=0 binding=0 kind=sampler count=3 samplers=immutable "
       "flags=partially-bound,variable-count\n"},
      {"lock update", "descriptor name=b -> type=inline-uniform-block flags=none\npush set=1", "", "b:b a:t[]@,1",
       "b 0.0; a 1.0\n"
       "lock version=1\n"
       "push set=1\n"
       "resource a set=1 binding=0 kind=texture count=0\n"
       "resource b set=0 binding=0 kind=ubo type=inline-uniform-block\n"},
      {"lock update", "descriptor -> flags=none", "", "a:t[]",
       "a 0.0\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture count=0 flags=none\n"},
      {"lock", "", "resource a set=0 binding=0", "a:t b:s c:s",
       "a 0.0; b 0.1; c 0.2\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "resource b set=0 binding=1 kind=sampler\n"
       "resource c set=0 binding=2 kind=sampler\n"
       "\n"
       ". m0: %3 \"b\" and others, 2 resources in all, are not in the lock file; record them with "
       "--update-lock\n"},
      {"lock", "", "resource a set=0 binding=0", "a:t b:s!",
       "a 0.0; b 0.1\n"
       "lock version=1\n"
       "resource a set=0 binding=0 kind=texture\n"
       "resource b set=0 binding=1 kind=sampler\n"
       "\n"
       ". m0: %3 \"b\" is not in the lock file; record it with --update-lock\n"},
      {"lock update hlsl", "shift class=t by=3\nshift class=s stage=vertex by=5", "", "a:t b:s",
       "b 0.0; a 0.3 (t0)\n"
       "lock version=1\n"
       "shift class=t set=0 by=3\n"
       "shift class=s set=0 by=0\n"
       "resource a set=0 binding=3 kind=texture\n"
       "resource b set=0 binding=0 kind=sampler\n"})

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(policies),
	    cmocka_unit_test(blocks),
	    cmocka_unit_test(faults_of_policies),
	    cmocka_unit_test(descriptors),
	    cmocka_unit_test(locks),
	    cmocka_unit_test(more_lines_of_policies),
	    cmocka_unit_test(faults_of_locks),
	    cmocka_unit_test(views_move_together),
	    cmocka_unit_test(structs_that_are_split),
	    cmocka_unit_test(counters),
	    cmocka_unit_test(descriptors_by_their_views),
	    cmocka_unit_test(modules_in_turn),
	    cmocka_unit_test(what_may_share),
	    cmocka_unit_test(sets_of_their_own),
	    cmocka_unit_test(numbers_that_are_taken),
	    cmocka_unit_test(heaps_behind_arrays),
	    cmocka_unit_test(names_in_locks),
	    cmocka_unit_test(values_of_lines),
	    cmocka_unit_test(where_numbers_are_looked_for),
	    cmocka_unit_test(facts_of_lines),
	    cmocka_unit_test(counters_say_why),
	    cmocka_unit_test(what_is_in_conflict),
	    cmocka_unit_test(what_goes_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
