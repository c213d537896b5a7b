/* SPDX-License-Identifier: Apache-2.0 */
/* Views of one descriptor, structs, counters, heaps and modules that share names, with policies and without. After
 * laid_out.h. */
#ifndef SPB_TEST_LAID_OUT_TOGETHER_H
#define SPB_TEST_LAID_OUT_TOGETHER_H

/* What is said of one view of a descriptor moves all of them; the firmest counts, then the first. */
TABLE(views_move_together,
      {"why", "place name=b -> binding=7", NULL, "a:t@0 b:t@0 c:s",
       "c 0.0: first free binding of the default set; a 0.7: policy:1; b 0.7: policy:1"},
      {"why", "place name=b -> set=2", NULL, "a:t@0 b:t@0 c:s",
       "c 0.0: first free binding of the default set; a 2.0: fixed, policy:1; b 2.0: fixed, policy:1"},
      {"why", "place name=a -> set=2\nplace name=b -> binding=7", NULL, "a:t@0 b:t@0 c:s",
       "c 0.0: first free binding of the default set; a 0.7: policy:2; b 0.7: policy:2"},
      {"why", "place name=b -> set=2\nplace name=a -> binding=7", NULL, "a:t@0 b:t@0 c:s",
       "c 0.0: first free binding of the default set; a 0.7: policy:2; b 0.7: policy:2"},
      {"why", "place name=b -> binding=5\nplace name=a -> binding=6", NULL, "a:t@0 b:t@0 c:s",
       "c 0.0: first free binding of the default set; a 0.6: policy:2; b 0.6: policy:2"},
      {"why all", "place name=b -> order=1", NULL, "a:t@0 b:t@0 c:s@1",
       "c 0.0: first free binding of the set it names; a 0.1: first free binding of the set it names; b 0.1: place of "
       "the descriptor that it shares with another variable, as in the input"},
      {"why all", "place name=b -> range=5..9", NULL, "a:t@0 b:t@0 c:s@1",
       "c 0.0: first free binding of the set it names; a 0.5: policy:1; b 0.5: place of the descriptor that it shares "
       "with another variable, as in the input"},
      {"why all", "place name=a -> binding=9\nplace name=b -> range=5..9", NULL, "c:t@0 b:t@0 a:s@1",
       "c 0.5: policy:2; b 0.5: place of the descriptor that it shares with another variable, as in the input; a 0.9: "
       "policy:1"},
      {"why all", "block name=b", NULL, "a:t@0 b:t@0 c:s@1",
       "a 0.0: first free binding of the set it names; b 0.0: place of the descriptor that it shares with another "
       "variable, as in the input; c 0.1: first free binding of the set it names"},
      {"why", "block name=b", NULL, "a:t@0 b:t@0 c:s",
       "a 0.0: fixed, fixed in the module; b 0.0: fixed, fixed in the module; c 0.1: first free binding of the default "
       "set"},
      {"why", "block name=b", NULL, "c:s a:t@0,1 b:t@0,1",
       "c 0.0: first free binding of the default set; a 1.0: fixed, fixed in the module; b 1.0: fixed, fixed in the "
       "module"},
      {"why all-sets", "place name=b -> set=2", NULL, "a:t@0,1 b:t@0,1 c:s@1",
       "c 0.0: first free binding of the default set; a 2.0: policy:1; b 2.0: place of the descriptor that it shares "
       "with another variable, as in the input"},
      {"lock update all", "", "resource b set=0 binding=4", "a:t@0 b:t@0 c:s@1",
       "c 0.0; a 0.4; b 0.4\nlock version=1\nresource a set=0 binding=4 kind=texture\nresource b set=0 binding=4 "
       "kind=texture\nresource c set=0 binding=0 kind=sampler\n"},
      {"lock update", "place name=b -> binding=auto", "removed b set=3 binding=4", "a:t@0 b:t@0 c:s@1",
       "c 0.1; a 3.4; b 3.4\nlock version=1\nresource a set=3 binding=4 kind=texture\nresource b set=3 binding=4 "
       "kind=texture\nresource c set=0 binding=1 kind=sampler\n"},
      {"why remove", "", NULL, "a:t@0! b:t@0 c:t@0!",
       "b 0.0: fixed, fixed in the module; a removed: fixed in the module; c removed: fixed in the module"},
      {"why hlsl", "place name=b -> set=2", NULL, "a:t@0 b:t@0 c:t@0,2",
       "! m0: %4 \"c\" (texture 2D float; space 2, register t0; compute) overlaps with %2 \"a\" (texture 2D float; "
       "space 2, register t0; compute) of m0: conflict, a register belongs to one resource; give one of them another "
       "register\n. m0: conflicts with: %2 \"a\"\n"})

/* Members of a struct move together, and count the registers of each class from that of the struct on. */
TABLE(structs_that_are_split, {"conflicts", "", NULL, "b:b@1 a:{x:t y:s}@0", "b 0.1; a.x 0.2; a.y 0.3"},
      {"conflicts", "", NULL, "a:{x:t y:s}@0 b:b@1", "a.x 0.0; a.y 0.1; b 0.2"},
      {"conflicts", "", NULL, "b:b@2 a:{x:t y:s z:t}@1 c:s@3", "b 0.2; c 0.3; a.x 0.4; a.y 0.5; a.z 0.6"},
      {"hlsl", "", NULL, "a:{x:t y:t}@4 b:t@0 c:t@6", "b 0.0; a.x 0.4; a.y 0.5; c 0.6"},
      {"hlsl", "place name=a.x -> binding=9", NULL, "a:{x:t y:s z:t}@4 b:t", "b 0.0; a.z 0.4; a.y 0.5 (s4); a.x 0.9"},
      {"hlsl", "", NULL, "a:{x:t[] y:t}@0",
       "! m0: \"a.y\" (%42 \"a_y\") would exceed the last register, 4294967295; use a lower register\n"},
      {"hlsl", "", NULL, "a:{x:t[] y:s}@0", "a.x 0.0; a.y 0.1 (s0)"},
      {"hlsl", "", NULL, "a:{x:t[2] y:t}@4294967293", "a.x 0.4294967293; a.y 0.4294967295"})

/* Counters go with their buffers. */
TABLE(counters, {"", "option counters=last", NULL, "v:u counter.var.v:u a:t", "v 0.0; counter.var.v 0.1; a 0.2"},
      {"", "option counters=last", NULL, "v:u a:t b:t", "v 0.0; a 0.1; b 0.2"},
      {"", "", NULL, "v:u counter.var.v:u counter.var.v^2:u a:t", "v 0.0; counter.var.v 0.1; counter.var.v 0.2; a 0.3"},
      {"", "place name=v -> set=3", NULL, "v:u counter.var.v:u counter.var.v^2:u a:t",
       "a 0.0; v 3.0; counter.var.v 3.1; counter.var.v 3.2"},
      {"", "place name=v -> binding=3", NULL, "v:u counter.var.v:u a:t", "counter.var.v 0.0; a 0.1; v 0.3"},
      {"", "option sets=first\nplace name=v -> binding=3", NULL, "v:u counter.var.v:u a:t@,0",
       "a 0.0; counter.var.v 0.1; v 0.3"},
      {"all", "", NULL, "(8: HLSL 500)(end)v:u@3,2 counter.var.v:u@0,1 a:t", "a 0.0; counter.var.v 1.0; v 2.0"},
      {"all", "", NULL, "(8: HLSL 500)(end)v:u@3,2 counter.var.v:u@3,0 a:t", "counter.var.v 0.0; a 0.1; v 2.0"},
      {"all", "", NULL, "(8: HLSL 500)(end)v:u@3,2 counter.var.v:u@0,0 a:t", "a 0.0; v 2.0; counter.var.v 2.1"})

/* What policies say of descriptors, by any of their views, in each set and for heaps, and what matches nothing. */
TABLE(
    descriptors_by_their_views,
    {"descriptors", "descriptor -> type=inline-uniform-block", NULL, "a:b m:b+16 b:b",
     "a 0.0; m 0.1; b 0.2\n0.0 a: type 1000138000, count 16, stages 32\n0.1 m: type 1000138000, count 32, stages "
     "32\n0.2 b: type 1000138000, count 16, stages 32"},
    {"descriptors", "descriptor -> type=inline-uniform-block", NULL, "a:b+32@0 m:b+16@0 b:b@0",
     "a 0.0; m 0.0; b 0.0\n0.0 a: type 1000138000, count 48, stages 32, 3 views"},
    {"descriptors", "descriptor -> type=inline-uniform-block", NULL, "a:b+1",
     "a 0.0\n0.0 a: type 1000138000, count 20, stages 32"},
    {"descriptors", "descriptor -> type=inline-uniform-block", NULL, "Vertex c:b | Fragment a:b+48 c:b",
     "c 0.0; c 0.0; a 0.1\n0.0 c: type 1000138000, count 16, stages 17, 2 views\n0.1 a: type 1000138000, count 64, "
     "stages 16"},
    {"descriptors", "descriptor -> type=inline-uniform-block", NULL, "a:b+4294967276",
     "a 0.0\n0.0 a: type 1000138000, count 4294967292, stages 32"},
    {"descriptors", "descriptor -> type=inline-uniform-block", NULL, "a:b+4294967277",
     "! m0: %3 \"a\" (uniform buffer; set 0, binding 0) cannot be an inline uniform block: its size exceeds 32 bits; "
     "change policy:1, which asks for it\n"},
    {"descriptors", "descriptor name=b -> type=dynamic", NULL, "a:t@0 b:t@0",
     "! m0: %3 \"b\" (sampled image; set 0, binding 0) cannot be dynamic: only uniform and storage buffers have "
     "dynamic offsets; change policy:1, which asks for it\n"},
    {"descriptors", "descriptor name=b -> type=dynamic\ndescriptor name=a -> type=plain", NULL, "a:t@0 b:t@0",
     "! m0: %2 \"a\" (sampled image; set 0, binding 0) cannot be dynamic: only uniform and storage buffers have "
     "dynamic offsets; change policy:1, which asks for it\n"},
    {"descriptors", "descriptor name=b -> type=dynamic\ndescriptor name=a -> samplers=plain", NULL, "a:t@0 b:t@0",
     "! m0: %2 \"a\" (sampled image; set 0, binding 0) cannot be dynamic: only uniform and storage buffers have "
     "dynamic offsets; change policy:1, which asks for it\n"},
    {"descriptors", "descriptor name=b -> type=dynamic\ndescriptor name=a -> flags=none", NULL, "a:t@0 b:t@0",
     "! m0: %2 \"a\" (sampled image; set 0, binding 0) cannot be dynamic: only uniform and storage buffers have "
     "dynamic offsets; change policy:1, which asks for it\n"},
    {"descriptors", "descriptor name=b -> type=dynamic", NULL, "a:t@0 b:t@0 c:t@0",
     "! m0: %3 \"b\" (sampled image; set 0, binding 0) cannot be dynamic: only uniform and storage buffers have "
     "dynamic offsets; change policy:1, which asks for it\n"},
    {"descriptors", "descriptor name=b -> flags=update-after-bind", NULL, "a:t b:t@,1 c:t@,2 d:t@,3",
     "a 0.0; b 1.0; c 2.0; d 3.0\n0.0 a: type 2, count 1, stages 32\n1.0 b: type 2, count 1, stages 32, flags 1, set "
     "2\n2.0 c: type 2, count 1, stages 32\n3.0 d: type 2, count 1, stages 32"},
    {"descriptors", "descriptor name=b -> flags=update-after-bind\ndescriptor name=a -> type=dynamic", NULL, "a:b b:t",
     "! m0: %4 \"b\" (sampled image; set 0, binding 1) cannot have the flag update-after-bind: a set that has such a "
     "binding has no dynamic buffer (VUID-VkDescriptorSetLayoutCreateInfo-descriptorType-03001); change policy:1, "
     "which asks for it\n"},
    {"descriptors", "descriptor -> flags=update-after-bind", NULL, "Fragment a:n b:t",
     "! m0: %2 \"a\" (input attachment; set 0, binding 0) cannot have the flag update-after-bind: input attachments "
     "and dynamic buffers are bound as they are (VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-None-03011); change "
     "policy:1, which asks for it\n"},
    {"descriptors", "descriptor -> flags=variable-count", NULL, "Fragment a:n",
     "a 0.0\n0.0 a: type 10, count 1, stages 16, flags 8"},
    {"descriptors all-sets mutable", "descriptor name=heap_image_b -> type=dynamic", NULL,
     "heap_texture_a:t[]@2,1 heap_image_b:i[]@2,1",
     "! m0: %3 \"heap_image_b\" (mutable; set 0, binding 2) cannot be dynamic: a mutable descriptor is never dynamic "
     "(VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04601 and -04602); change policy:1, which asks for it\n"},
    {"descriptors all-sets mutable", "descriptor name=heap_image_b -> type=inline-uniform-block", NULL,
     "heap_texture_a:t[]@2,1 heap_image_b:i[]@2,1",
     "! m0: %3 \"heap_image_b\" (mutable; set 0, binding 2) cannot be an inline uniform block: only a uniform block "
     "can be inline; change policy:1, which asks for it\n"},
    {"descriptors all-sets mutable", "descriptor name=heap_image_b -> samplers=immutable", NULL,
     "heap_texture_a:t[]@2,1 heap_image_b:i[]@2,1",
     "! m0: %3 \"heap_image_b\" (mutable; set 0, binding 2) cannot have immutable samplers: a mutable descriptor has "
     "none (VUID-VkDescriptorSetLayoutCreateInfo-descriptorType-04594); change policy:1, which asks for it\n"},
    {"descriptors all-sets mutable", "descriptor name=heap_image_b -> flags=partially-bound", NULL,
     "heap_texture_a:t[]@2,1 heap_image_b:i[]@2,1",
     "heap_texture_a 0.2; heap_image_b 0.2\n0.2 heap_texture_a: type 1000351000, count 0, stages 32, flags 4, 2 views"},
    {"descriptors all-sets mutable", "push set=0", NULL, "heap_texture_a:t[]@2,1 heap_image_b:i[]@2,1",
     "! m0: %2 \"heap_texture_a\" (mutable; set 0, binding 2) cannot be a push descriptor: mutable descriptors are not "
     "pushed (VUID-VkDescriptorSetLayoutCreateInfo-flags-04591); change policy:1, which asks for it\n"},
    {"", "--descriptor=b\ndescriptor name=b -> flags=none", NULL, "b:b", "b 0.0"},
    {"", "--descriptor=z\ndescriptor name=z -> flags=none", NULL, "b:b | b:b",
     "b 0.0; b 0.0\n? m0: --descriptor=z matches no descriptor of the program; set= and binding= are those of the "
     "result, which --print-layout lists\n"},
    {"", "--push=1\npush set=1", NULL, "b:b",
     "b 0.0\n? m0: --push=1 matches no descriptor of the program, whose sets --print-layout lists\n"},
    {"", "--push=0\npush set=0", NULL, "b:b", "b 0.0"},
    {"", "--place=z\nplace name=z -> set=1", NULL, "b:b | b:b",
     "b 0.0; b 0.0\n? m0: --place=z matches no resource of the program; use names as given by OpName, and for blocks "
     "the name of the type\n"},
    {"", "-z\nplace name=z -> set=1\ndescriptor name=z -> flags=none\npush set=7", NULL, "b:b", "b 0.0"},
    {"", "place name=b -> binding=9\nplace name=c -> range=4..5", NULL, "b:b c:s", "c 0.4; b 0.9"})

/* One resource of several modules has what any of them has; other resources of its name are told apart. */
TABLE(modules_in_turn, {"", "place access=write -> set=1", NULL, "Vertex a:o | Fragment a:u", "a 1.0; a 1.0"},
      {"", "", NULL, "Vertex a:t@0! | Fragment a:t@0 b:b@0",
       "! m1: %4 \"b\" (ubo; set 0, binding 0; fragment) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "vertex+fragment) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move "
       "one of them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"},
      {"doctor", "", NULL, "Vertex a:u@0 | Fragment a:u~@0 b:u~@0",
       "a 0.0; a 0.0; b 0.0\n. m1: %5 \"b\" (ssbo; fragment) shares set 0, binding 0 with %3 \"a\" (ssbo; "
       "vertex+fragment) of m0: legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; --rebind moves them "
       "together\n. m0: %3 \"a\" (ssbo; set 0, binding 0; vertex+fragment) is declared by 2 modules, also by m1: one "
       "resource of the program\n"},
      {"", "", NULL, "Vertex a:b | Fragment a:b+16",
       ". m0: first seen here: %3 \"a\"\n! m1: %3 \"a\" has other members than in m0: member 0 is \"\" (float4) at "
       "offset 16 here, but \"\" (float4) at offset 0 in m0; resources with the same name are one resource of the "
       "program: make the declarations equal, rename one, fix both bindings, or use --no-merge\n"},
      {"", "", NULL, "Vertex a:b@0 | Fragment a:b+16@1", "a 0.0; a 0.1"},
      {"lock update", "", NULL, "Vertex a:t@0 | Fragment a:b@1 | Geometry a:s@2 | a:s@2",
       "a 0.0; a 0.1; a 0.2; a 0.2\nlock version=1\nresource a set=0 binding=0 kind=texture\nresource a ordinal=1 "
       "set=0 binding=1 kind=ubo\nresource a ordinal=2 set=0 binding=2 kind=sampler\n"},
      {"lock update", "", NULL, "Vertex a:t@0 | Fragment a:b@1 a^2:b@3 | Geometry a:s@2 | a:s@2",
       "a 0.0; a 0.1; a 0.2; a 0.2; a 0.3\nlock version=1\nresource a set=0 binding=0 kind=texture\nresource a "
       "ordinal=1 set=0 binding=3 kind=ubo\nresource a ordinal=2 set=0 binding=1 kind=ubo\nresource a ordinal=4 set=0 "
       "binding=2 kind=sampler\n"},
      {"no-merge lock", "", NULL, "Vertex heap_texture_a:t[]@2,1 | Fragment heap_texture_a:t[]@2,1 b:t",
       "b 0.0; heap_texture_a 1.2; heap_texture_a 1.2\nlock version=1\nresource b set=0 binding=0 kind=texture\nheap "
       "heap_texture_a set=1 binding=2 kind=texture count=0\n"},
      {"lock update", "", "", "ResourceDescriptorHeap:t[]@0 ResourceDescriptorHeap^2:t[]@0",
       "ResourceDescriptorHeap 0.0; ResourceDescriptorHeap 0.0\nlock version=1\nheap ResourceDescriptorHeap ordinal=2 "
       "set=0 binding=0 kind=texture count=0\n"},
      {"why descriptors", "", NULL, "ResourceDescriptorHeap:t[]@0 ResourceDescriptorHeap^2:t[]@0 b:t",
       "ResourceDescriptorHeap 0.0: fixed, heap, heap of descriptors, at its binding in the module; "
       "ResourceDescriptorHeap 0.0: fixed, heap, heap of descriptors, at its binding in the module; b 0.1: first free "
       "binding of the default set\n0.0 ResourceDescriptorHeap: type 2, count 0, stages 32, flags 4, 2 views\n0.1 b: "
       "type 2, count 1, stages 32"},
      {"lock", "", NULL,
       "Vertex ResourceDescriptorHeap:t[]@0 ResourceDescriptorHeap^2:i[]@0 | Fragment ResourceDescriptorHeap:i[]@0 "
       "ResourceDescriptorHeap^2:t[]@0",
       "ResourceDescriptorHeap 0.0; ResourceDescriptorHeap 0.0; ResourceDescriptorHeap 0.0; ResourceDescriptorHeap "
       "0.0\nlock version=1\nheap ResourceDescriptorHeap ordinal=2 set=0 binding=0 kind=texture count=0\nheap "
       "ResourceDescriptorHeap ordinal=3 set=0 binding=0 kind=image count=0\n"},
      {"lock", "", NULL,
       "Vertex ResourceDescriptorHeap:b[]@0 ResourceDescriptorHeap^2:t[]@0 | Fragment ResourceDescriptorHeap:b+16[]@0 "
       "ResourceDescriptorHeap^2:t[]@0",
       "ResourceDescriptorHeap 0.0; ResourceDescriptorHeap 0.0; ResourceDescriptorHeap 0.0; ResourceDescriptorHeap "
       "0.0\nlock version=1\nheap ResourceDescriptorHeap ordinal=2 set=0 binding=0 kind=texture count=0\nheap "
       "ResourceDescriptorHeap ordinal=6 set=0 binding=0 kind=ubo count=0\n"},
      {"lock", "", NULL, "Vertex ResourceDescriptorHeap:t[]@0 | Fragment ResourceDescriptorHeap:t[]@1",
       "ResourceDescriptorHeap 0.0; ResourceDescriptorHeap 0.1\nlock version=1\nheap ResourceDescriptorHeap ordinal=2 "
       "set=0 binding=0 kind=texture count=0\n"},
      {"lock", "", NULL, "Vertex ResourceDescriptorHeap:t[]@0 | Fragment ResourceDescriptorHeap:t[]@0,1",
       "ResourceDescriptorHeap 0.0; ResourceDescriptorHeap 1.0\nlock version=1\nheap ResourceDescriptorHeap ordinal=2 "
       "set=0 binding=0 kind=texture count=0\n"},
      {"doctor", "", NULL, "Vertex a:t b:b | Fragment a:b b:b",
       ". m0: first seen here: %2 \"a\"\n! m1: %3 \"a\" is ubo here, but texture 2D float in m0; resources with the "
       "same name are one resource of the program: make the declarations equal, rename one, fix both bindings, or use "
       "--no-merge\n"})

/* What may be at one place, and what is said of it. */
TABLE(what_may_share,
      {"", "", NULL, "u:u~@0 w:u@0",
       "u 0.0; w 0.0\n. m0: %5 \"w\" (ssbo; compute) shares set 0, binding 0 with %3 \"u\" (ssbo; compute) of m0: "
       "legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; one of them is written: decorate both Aliased, "
       "so that no compiler reorders accesses\n"},
      {"", "", NULL, "u:u~@0 w:u~@0", "u 0.0; w 0.0"},
      {"", "", NULL, "u:u@0 w:o@0",
       "u 0.0; w 0.0\n. m0: %5 \"w\" (ssbo; compute) shares set 0, binding 0 with %3 \"u\" (ssbo; compute) of m0: "
       "legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; one of them is written: decorate both Aliased, "
       "so that no compiler reorders accesses\n"},
      {"", "", NULL, "u:o@0 w:o@0", "u 0.0; w 0.0"}, {"", "", NULL, "u:u@0 w:u@0!", "u 0.0; w 0.0"},
      {"", "", NULL, "u:u@0 w:u@0 x:u@0",
       "u 0.0; w 0.0; x 0.0\n. m0: %5 \"w\" (ssbo; compute) shares set 0, binding 0 with %3 \"u\" (ssbo; compute) of "
       "m0: legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; one of them is written: decorate both "
       "Aliased, so that no compiler reorders accesses\n"},
      {"doctor", "", NULL, "u:o@0 w:o@0 x:o@0",
       "u 0.0; w 0.0; x 0.0\n. m0: %5 \"w\" (ssbo; compute) shares set 0, binding 0 with %3 \"u\" (ssbo; compute) of "
       "m0: legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; --rebind moves them together\n. m0: %7 "
       "\"x\" (ssbo; compute) shares set 0, binding 0 with %3 \"u\" (ssbo; compute) of m0: legal, they are views of "
       "one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; --rebind moves them together\n"},
      {"", "", NULL, "u:o@0 w:o@0 x:u@0",
       "u 0.0; w 0.0; x 0.0\n. m0: %7 \"x\" (ssbo; compute) shares set 0, binding 0 with %3 \"u\" (ssbo; compute) of "
       "m0: legal, they are views of one VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; one of them is written: decorate both "
       "Aliased, so that no compiler reorders accesses\n"},
      {"hlsl", "", NULL, "a:t~@0 b:t@0", "a 0.0; b 0.0"},
      {"hlsl", "", NULL, "a:t~@0 b:t~@0 c:t~@,1", "a 0.0; b 0.0; c 1.0"},
      {"hlsl", "", NULL, "a:t[]@0 b:t[4]@0", "a 0.0; b 0.0"},
      {"hlsl", "place -> binding=0", NULL, "a:t~ b:t",
       "! m0: %3 \"b\" (texture 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, policy:1 puts both there; give one of them another binding\n. m0: "
       "conflicts with: %2 \"a\"\n"},
      {"hlsl", "place -> binding=0", NULL, "a:t~ b:t~", "a 0.0; b 0.0"},
      {"", "place -> binding=0", NULL, "a:t~ b:t~", "a 0.0; b 0.0"},
      {"", "place -> binding=0", NULL, "a:t[] b:t[]", "a 0.0; b 0.0"},
      {"", "place -> binding=0", NULL, "a:t[] b:t",
       "! m0: %3 \"b\" (texture 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float[]; set "
       "0, binding 0; compute) of m0: conflict, policy:1 puts both there; give one of them another binding\n. m0: "
       "conflicts with: %2 \"a\"\n"},
      {"", "place -> binding=0", NULL, "a:t~ b:t",
       "! m0: %3 \"b\" (texture 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: conflict, policy:1 puts both there; give one of them another binding\n. m0: "
       "conflicts with: %2 \"a\"\n"},
      {"hlsl", "place name=b -> binding=0", NULL, "a:t@0 b:b",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, once registers are shifted, both have this binding; use --auto-shift, or other "
       "values of --shift\n. m0: conflicts with: %2 \"a\"\n"},
      {"hlsl doctor", "place -> binding=0", NULL, "a:t~ b:t~",
       "a 0.0; b 0.0\n. m0: %3 \"b\" (texture 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D "
       "float; set 0, binding 0; compute) of m0: legal, both are Aliased and have the same descriptor type\n. m0: "
       "conflicts with: %2 \"a\"\n"},
      {"lock hlsl", "", "resource a set=0 binding=0", "a:t b:t@0",
       "! m0: %3 \"b\" (texture 2D float; space 0, register t0; compute) overlaps with %2 \"a\" (texture 2D float; set "
       "0, binding 0; compute) of m0: conflict, a register belongs to one resource; give one of them another "
       "register\n. m0: conflicts with: %2 \"a\"\n"},
      {"lock", "", "resource a set=0 binding=0\nresource b set=0 binding=3", "a:t b:b@0",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, they are different descriptors of the input; move one of them, or use "
       "--rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"},
      {"mutable", "", NULL, "heap_texture_a:t[]@0 b:t[4]@0",
       "! m0: %3 \"b\" (texture 2D float[4]; set 0, binding 0; compute) overlaps with %2 \"heap_texture_a\" (texture "
       "2D float[]; set 0, binding 0; compute) of m0: conflict, one is a heap, the other an array of another length; "
       "make their lengths equal (--heap-size, or an unsized array), or move one of them\n. m0: conflicts with: %2 "
       "\"heap_texture_a\"\n"},
      {"mutable", "", NULL, "heap_texture_a:t[]@0 b:i[]@0", "heap_texture_a 0.0; b 0.0"},
      {"mutable", "", NULL, "heap_texture_a:t[]@0 b:s[]@0",
       "! m0: %3 \"b\" (sampler[]; set 0, binding 0; compute) overlaps with %2 \"heap_texture_a\" (texture 2D float[]; "
       "set 0, binding 0; compute) of m0: conflict, a binding has one descriptor type, and samplers cannot share with "
       "anything; move one of them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"heap_texture_a\"\n"},
      {"", "", NULL, "heap_texture_a:t[]@0 b:i[]@0",
       "! m0: %3 \"b\" (image 2D float[]; set 0, binding 0; compute) overlaps with %2 \"heap_texture_a\" (texture 2D "
       "float[]; set 0, binding 0; compute) of m0: conflict, a binding has one descriptor type, unless it is "
       "VK_DESCRIPTOR_TYPE_MUTABLE_EXT; move one of them, or use --rebind=conflicts\n. m0: conflicts with: %2 "
       "\"heap_texture_a\"\n"},
      {"", "", NULL, "a:t[]@0 b:t[]@0", "a 0.0; b 0.0"})

/* Blocks and heaps take sets, or bindings, that nothing else has, in whatever order those are found. */
TABLE(sets_of_their_own,
      {"why", "block name=m* -> set=1", NULL, "c:t@0,1 b:t@0,0 a:t@0,3 m1:t",
       "! m0: %5 \"m1\" belongs to the parameter block of policy:1, but set 1 is in use; a block takes a whole set: "
       "name another set, or none\n"},
      {"lock update", "block name=m*", "share set=1\nresource x set=0 binding=3", "a:t c:t@,3 m1:t",
       "a 0.0; m1 2.0; c 3.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nresource c set=3 binding=0 "
       "kind=texture\nresource m1 set=2 binding=0 kind=texture\nremoved x set=0 binding=3\n"},
      {"why", "block name=m* -> set=1\nblock name=n*", NULL, "a:t n1:t m1:t",
       "a 0.0: first free binding of the default set; m1 1.0: first free binding of its parameter block; n1 2.0: first "
       "free binding of its parameter block"},
      {"lock update", "block name=m* -> set=4", "resource m1 set=4 binding=0", "a:t m1:t m2:b",
       "a 0.0; m1 4.0; m2 4.1\nlock version=1\nresource a set=0 binding=0 kind=texture\nresource m1 set=4 binding=0 "
       "kind=texture\nresource m2 set=4 binding=1 kind=ubo\n"},
      {"lock update", "block name=m* -> set=4", "resource m1 set=5 binding=0", "a:t m1:t m2:b",
       "a 0.0; m2 4.0; m1 5.0\nlock version=1\nresource a set=0 binding=0 kind=texture\nresource m1 set=5 binding=0 "
       "kind=texture\nresource m2 set=4 binding=0 kind=ubo\n"},
      {"", "place name=m2 -> order=65535\nblock name=m*", NULL, "a:t m1:t m2:b", "a 0.0; m2 1.0; m1 1.1"},
      {"", "place name=m1 -> order=1\nblock name=m*", NULL, "a:t m1:t m2:t m3:b", "a 0.0; m3 1.0; m2 1.1; m1 1.2"},
      {"why all-sets heap-set=4294967295", "reserve set=4294967295", NULL, "heap_texture_a:t[]@2,1 b:t",
       "! m0: no descriptor set at or above 4294967295 is free for the heaps; give another set with --heap-set\n"},
      {"all-sets heap-set=4294967295", "", NULL, "heap_texture_a:t[]@2,1 b:t", "b 0.0; heap_texture_a 4294967295.2"},
      {"all-sets heap-set=4294967294", "reserve set=4294967294", NULL, "heap_texture_a:t[]@2,1 b:t",
       "b 0.0; heap_texture_a 4294967295.2\n? m0: set 4294967294 is in use, so the heaps are in set 4294967295; read "
       "the set from the layout, or give a free one with --heap-set\n"},
      {"all-sets heaps-in-default-set", "place name=a -> binding=1", NULL,
       "a:t b:t heap_texture_a:t[]@2,1 heap_sampler:s[]@0,1", "b 0.0; a 0.1; heap_texture_a 0.2; heap_sampler 0.3"},
      {"all-sets heaps-in-default-set", "", NULL,
       "heap_texture_a:t[]@2,1 ResourceDescriptorHeap:u[]@2,1 counter.var.ResourceDescriptorHeap:u[]@4,1 "
       "SamplerDescriptorHeap:s[]@0,1 b:t",
       "b 0.0; heap_texture_a 0.1; ResourceDescriptorHeap 0.1; SamplerDescriptorHeap 0.2; "
       "counter.var.ResourceDescriptorHeap 0.3"},
      {"all-sets heaps-in-default-set", "", NULL,
       "counter.var.ResourceDescriptorHeap:u[]@4,1 heap_texture_a:t[]@2,1 heap_sampler:s[]@0,1 b:t@,1",
       "b 0.0; heap_texture_a 0.1; heap_sampler 0.2; counter.var.ResourceDescriptorHeap 0.3"},
      {"all-sets heaps-in-default-set set=2", "", NULL, "heap_texture_a:t[]@2,1 b:t", "b 2.0; heap_texture_a 2.1"},
      {"all-sets", "option shift=base\nshift class=t by=10", NULL, "heap_texture_a:t[]@2,1 b:t",
       "b 0.10; heap_texture_a 1.2"})

/* What is fixed or bound takes its numbers; of what collides, the later one gives way, or all is said. */
TABLE(
    numbers_that_are_taken, {"conflicts", "", NULL, "a:t@0 b:b@0 c:t@0,1 d:b@0,1", "a 0.0; b 0.1; c 1.0; d 1.1"},
    {"conflicts", "", NULL, "a:t@0 b:s@1 c:t@0,1 d:b@1,1 e:t@1,1 f:i@1,1", "a 0.0; b 0.1; c 1.0; d 1.1; e 1.2; f 1.3"},
    {"conflicts", "option arrays=each", NULL, "a:t[2]@1 b:t[2]@0", "a 0.1; b 0.3"},
    {"conflicts", "option arrays=each", NULL, "a:t[2]@0 b:t[2]@1 c:t@2", "a 0.0; c 0.2; b 0.3"},
    {"hlsl conflicts", "place name=a -> binding=0", NULL, "a:t b:b@0 c:t@0",
     "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
     "compute) of m0: conflict, once registers are shifted, both have this binding; use --auto-shift, or other values "
     "of --shift\n. m0: conflicts with: %2 \"a\"\n"},
    {"hlsl", "place name=a -> binding=2", NULL, "a:t[] b:t c:t", "b 0.0; c 0.1; a 0.2"},
    {"hlsl", "place name=a -> binding=2", NULL, "a:t[] b:t c:t d:t",
     "! m0: %5 \"d\" could not be allocated: it needs 1 free register of class t in space 0; in the way: %2 \"a\" "
     "t0.., %3 \"b\" t0, %4 \"c\" t1; declare it before unbounded arrays, give those a size, or use another space\n"},
    {"hlsl", "place name=a -> binding=0", NULL, "a:t[4] b:b c:b", "a 0.0; b 0.1; c 0.2"},
    {"hlsl auto-shift", "place name=a -> binding=0", NULL, "a:t[4] b:b c:b", "a 0.0; b 0.1 (b0); c 0.2 (b1)"},
    {"hlsl", "place name=a -> binding=4294967295", NULL, "a:t[] b:b", "b 0.0; a 0.4294967295"},
    {"hlsl", "place name=a -> binding=4294967295", NULL, "a:t[2] b:b",
     "! m0: %2 \"a\" begins at binding 4294967295 and has 2 descriptors, so its range exceeds the last binding, "
     "4294967295; use a lower binding or a smaller array\n"},
    {"overlap", "", NULL, "a:t@0 b:b@0 c:i@0 d:u@0",
     "a 0.0; b 0.0; c 0.0; d 0.0\n? m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D "
     "float; set 0, binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType "
     "serves both; move one of them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n? m0: %5 \"c\" (image "
     "2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; compute) of m0: "
     "conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of them, or use "
     "--rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n? m0: %5 \"c\" (image 2D float; set 0, binding 0; compute) "
     "overlaps with %4 \"b\" (ubo; set 0, binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no "
     "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n. m0: conflicts with: %4 \"b\"\n? m0: "
     "%7 \"d\" (ssbo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; compute) "
     "of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of them, or use "
     "--rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n? m0: %7 \"d\" (ssbo; set 0, binding 0; compute) overlaps "
     "with %4 \"b\" (ubo; set 0, binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no "
     "VkDescriptorType serves both; move one of them, or use --rebind=conflicts\n. m0: conflicts with: %4 \"b\"\n? m0: "
     "%7 \"d\" (ssbo; set 0, binding 0; compute) overlaps with %5 \"c\" (image 2D float; set 0, binding 0; compute) of "
     "m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of them, or use "
     "--rebind=conflicts\n. m0: conflicts with: %5 \"c\"\n"},
    {"overlap hlsl", "", NULL, "a:t[3]@0 b:t[2]@1 c:t@2",
     "a 0.0; b 0.1; c 0.2\n? m0: %3 \"b\" (texture 2D float[2]; space 0, registers t1..2; compute) overlaps with %2 "
     "\"a\" (texture 2D float[3]; space 0, registers t0..2; compute) of m0: conflict, a register belongs to one "
     "resource; give one of them another register, or use --rules=slang, under which an array takes a single number\n. "
     "m0: conflicts with: %2 \"a\"\n? m0: %4 \"c\" (texture 2D float; space 0, register t2; compute) overlaps with %2 "
     "\"a\" (texture 2D float[3]; space 0, registers t0..2; compute) of m0: conflict, a register belongs to one "
     "resource; give one of them another register, or use --rules=slang, under which an array takes a single number\n. "
     "m0: conflicts with: %2 \"a\"\n"},
    {"overlap hlsl", "", NULL, "a:t[3]@0 b:t@1 c:t[2]@2 d:t@4",
     "a 0.0; b 0.1; c 0.2; d 0.4\n? m0: %3 \"b\" (texture 2D float; space 0, register t1; compute) overlaps with %2 "
     "\"a\" (texture 2D float[3]; space 0, registers t0..2; compute) of m0: conflict, a register belongs to one "
     "resource; give one of them another register, or use --rules=slang, under which an array takes a single number\n. "
     "m0: conflicts with: %2 \"a\"\n? m0: %4 \"c\" (texture 2D float[2]; space 0, registers t2..3; compute) overlaps "
     "with %2 \"a\" (texture 2D float[3]; space 0, registers t0..2; compute) of m0: conflict, a register belongs to "
     "one resource; give one of them another register, or use --rules=slang, under which an array takes a single "
     "number\n. m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "a:t@4096 b:b@4096",
     "! m0: %4 \"b\" (ubo; set 0, binding 4096; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding "
     "4096; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; if Binding "
     "4096 means \"assign one\", give --auto-binding=4096\n. m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "a:t@4095 b:b@4095",
     "! m0: %4 \"b\" (ubo; set 0, binding 4095; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding "
     "4095; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
     "them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "a:t@4096 b:t@4096",
     "a 0.4096; b 0.4096\n? m0: %3 \"b\" (texture 2D float; compute) shares set 0, binding 4096 with %2 \"a\" (texture "
     "2D float; compute) of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; if Binding 4096 "
     "means \"assign one\", give --auto-binding=4096\n"},
    {"auto-binding=7", "", NULL, "a:t@4096 b:b@4096",
     "! m0: %4 \"b\" (ubo; set 0, binding 4096; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding "
     "4096; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
     "them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "(8: HLSL 500)(end)a:t@1 b:t@1",
     "a 0.1; b 0.1\n? m0: %4 \"b\" (texture 2D float; compute) shares set 0, binding 1 with %3 \"a\" (texture 2D "
     "float; compute) of m0: doubtful, they are views of one VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE; in HLSL a register "
     "belongs to one resource: give each its own register\n"},
    {"hlsl", "", NULL, "a:t[]@1 b:i[]@1 c:t[]@1", "a 0.1; c 0.1; b 0.2 (u1)"},
    {"", "", NULL, "a:c@0 b:x@0",
     "! m0: %3 \"b\" (utexbuf Buffer float; set 0, binding 0; compute) overlaps with %2 \"a\" (combined 2D float; set "
     "0, binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; "
     "move one of them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"},
    {"", "", NULL, "a:w@0 b:b[2]@0",
     "! m0: %4 \"b\" (ubo[2]; set 0, binding 0; compute) overlaps with %2 \"a\" (stexbuf Buffer float; set 0, binding "
     "0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
     "them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"})

/* Where each element takes a number, a heap comes behind the last one of an array. */
TABLE(heaps_behind_arrays,
      {"all-sets heaps-in-default-set", "option arrays=each", NULL, "heap_sampler:s[]@0,1 b:t[3]",
       "b 0.0; heap_sampler 0.3"},
      {"all-sets heaps-in-default-set", "option arrays=each", NULL,
       "heap_sampler:s[]@0,1 heap_texture_a:t[]@2,1 b:t[3] c:t", "b 0.0; c 0.3; heap_texture_a 0.4; heap_sampler 0.5"},
      {"heaps-in-default-set all-sets hlsl", "", NULL, "heap_sampler:s[]@0,1 b:t[3]", "b 0.0; heap_sampler 0.1"},
      {"heaps-in-default-set all-sets hlsl", "", NULL, "heap_sampler:s[]@0,1 b:t[]", "b 0.0; heap_sampler 0.1"},
      {"all-sets heaps-in-default-set", "option arrays=each\nplace name=b -> binding=4294967293", NULL,
       "heap_sampler:s[]@0,1 b:t[3]", "heap_sampler 0.0; b 0.4294967293"},
      {"all-sets heaps-in-default-set", "option arrays=each", NULL, "heap_sampler:s[]@0,1 b:t[4294967295] c:t",
       "! m0: %2 \"heap_sampler\" finds no free binding for its heap; use another set\n"},
      {"all-sets heaps-in-default-set", "option arrays=each", NULL, "heap_sampler:s[]@0,1 b:t[4294967295]",
       "b 0.0; heap_sampler 0.4294967295"},
      {"all-sets heaps-in-default-set", "option arrays=each", NULL,
       "heap_sampler:s[]@0,1 heap_texture_a:t[]@2,1 b:t[4294967295]",
       "! m0: %2 \"heap_sampler\" finds no free binding for its heap; use another set\n"},
      {"all-sets heaps-in-default-set", "option arrays=each\nplace name=b -> binding=1\nplace name=c -> binding=0",
       NULL, "heap_sampler:s[]@0,1 heap_texture_a:t[]@2,1 c:t b:t[3]",
       "c 0.0; b 0.1; heap_texture_a 0.4; heap_sampler 0.5"},
      {"all-sets heaps-in-default-set", "option arrays=each\nplace name=b -> binding=2", NULL,
       "heap_sampler:s[]@0,1 heap_texture_a:t[]@2,1 c:t b:t[3]", "c 0.0; heap_texture_a 0.1; b 0.2; heap_sampler 0.5"})

/* What is said of the place of a counter, wherever its buffer is. */
TABLE(counters_say_why,
      {"why", "place name=v -> binding=3", NULL, "v:u counter.var.v:u a:t",
       "counter.var.v 0.0: first free binding of the set it names; a 0.1: first free binding of the default set; v "
       "0.3: policy:1"},
      {"why", "place name=v -> set=3", NULL, "v:u counter.var.v:u a:t",
       "a 0.0: first free binding of the default set; v 3.0: policy:1; counter.var.v 3.1: first free binding of the "
       "set it names"},
      {"why", "place name=v -> order=3", NULL, "v:u counter.var.v:u a:t",
       "counter.var.v 0.0: first free binding of the default set; a 0.1: first free binding of the default set; v 0.2: "
       "first free binding of the default set"},
      {"why", "", "resource v set=2 binding=3", "v:u counter.var.v:u a:t",
       "a 0.0: first free binding of the default set; counter.var.v 2.0: first free binding of the set it names; v "
       "2.3: lock file\n. m0: %5 \"counter.var.v\" and others, 2 resources in all, are not in the lock file; record "
       "them with --update-lock\n"},
      {"why", "", NULL, "v:u@,2 counter.var.v:u a:t",
       "a 0.0: first free binding of the default set; v 2.0: first free binding of the set it names; counter.var.v "
       "2.1: first free binding of the set it names"},
      {"why", "place name=w -> binding=0", NULL, "w:u counter.var.w:u v:u@3,1 counter.var.v:u",
       "w 0.0: policy:1; counter.var.w 0.1: first free binding of the set it names; counter.var.v 1.0: first free "
       "binding of the set it names; v 1.3: fixed, fixed in the module"})

/* Which rule two resources break, in the input, by policies, locks and shifts, and what helps. */
TABLE(what_is_in_conflict,
      {"hlsl", "", NULL, "a:t[2]@0 b:t[]@1",
       "! m0: %3 \"b\" (texture 2D float[]; space 0, register t1 and all that follow; compute) overlaps with %2 \"a\" "
       "(texture 2D float[2]; space 0, registers t0..1; compute) of m0: conflict, a register belongs to one resource; "
       "give one of them another register, or use --rules=slang, under which an array takes a single number\n. m0: "
       "conflicts with: %2 \"a\"\n"},
      {"hlsl doctor", "", NULL, "a:t[]@0 b:t[]@1",
       "! m0: %3 \"b\" (texture 2D float[]; space 0, register t1 and all that follow; compute) overlaps with %2 \"a\" "
       "(texture 2D float[]; space 0, register t0 and all that follow; compute) of m0: conflict, their ranges overlap, "
       "but are not identical; move one of them to another register or space\n. m0: conflicts with: %2 \"a\"\n"},
      {"hlsl doctor overlap", "", NULL, "a:t[]@0 b:t[]@1",
       "a 0.0; b 0.1\n? m0: %3 \"b\" (texture 2D float[]; space 0, register t1 and all that follow; compute) overlaps "
       "with %2 \"a\" (texture 2D float[]; space 0, register t0 and all that follow; compute) of m0: conflict, their "
       "ranges overlap, but are not identical; move one of them to another register or space\n. m0: conflicts with: %2 "
       "\"a\"\n"},
      {"hlsl", "", "shift class=t set=0 by=0\nshift class=s set=0 by=0", "a:t@0 b:s@0",
       "! m0: %3 \"b\" (sampler; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding "
       "0; compute) of m0: conflict, once registers are shifted, both have this binding; use other values of --shift: "
       "those of the lock file are in effect, with --auto-shift, too\n. m0: conflicts with: %2 \"a\"\n"},
      {"hlsl", "shift class=s by=0", "shift class=t set=0 by=0", "a:t@0 b:s@0",
       "! m0: %3 \"b\" (sampler; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding "
       "0; compute) of m0: conflict, once registers are shifted, both have this binding; use other values of --shift: "
       "those of the lock file are in effect, with --auto-shift, too\n. m0: conflicts with: %2 \"a\"\n"},
      {"hlsl", "shift class=s by=0\nshift class=t by=0", "shift class=t set=0 by=0", "a:t@0 b:s@0",
       "! m0: %3 \"b\" (sampler; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding "
       "0; compute) of m0: conflict, once registers are shifted, both have this binding; use --auto-shift, or other "
       "values of --shift\n. m0: conflicts with: %2 \"a\"\n"},
      {"hlsl", "shift class=s by=0\nshift class=t by=0", "", "a:t@0 b:s@0",
       "! m0: %3 \"b\" (sampler; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding "
       "0; compute) of m0: conflict, once registers are shifted, both have this binding; use --auto-shift, or other "
       "values of --shift\n. m0: conflicts with: %2 \"a\"\n"},
      {"lock", "place name=b -> binding=0", "resource a set=0 binding=0\nresource b set=0 binding=1", "a:t b:b",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, the lock file and policy:1 put them there; delete one of their lines from the lock "
       "file\n. m0: conflicts with: %2 \"a\"\n"},
      {"lock", "place name=b -> binding=0", "resource a set=0 binding=0", "a:t b:b",
       "! m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, binding 0; "
       "compute) of m0: conflict, the lock file and policy:1 put them there; give one of them another binding\n. m0: "
       "conflicts with: %2 \"a\"\n"},
      {"", "place name=b -> set=1", NULL, "a:t@0,1 b:b@0",
       "! m0: %4 \"b\" (ubo; set 1, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 1, binding 0; "
       "compute) of m0: conflict, they are different descriptors of the input; move one of them, or use "
       "--rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"},
      {"", "place name=b -> set=1\nplace name=a -> set=1", NULL, "a:t@0 b:b@0",
       "! m0: %4 \"b\" (ubo; set 1, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 1, binding 0; "
       "compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"},
      {"hlsl", "place name=b -> set=1", NULL, "a:t@0,1 b:t@0",
       "! m0: %3 \"b\" (texture 2D float; space 1, register t0; compute) overlaps with %2 \"a\" (texture 2D float; "
       "space 1, register t0; compute) of m0: conflict, a register belongs to one resource; give one of them another "
       "register\n. m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "heap_texture_a:t[]@0 b:b[]@0",
       "! m0: %4 \"b\" (ubo[]; set 0, binding 0; compute) overlaps with %2 \"heap_texture_a\" (texture 2D float[]; set "
       "0, binding 0; compute) of m0: conflict, a binding has one descriptor type, unless it is "
       "VK_DESCRIPTOR_TYPE_MUTABLE_EXT; move one of them, or use --rebind=conflicts\n. m0: conflicts with: %2 "
       "\"heap_texture_a\"\n"},
      {"mutable", "", NULL, "a:t[]@0 b:i[]@0", "a 0.0; b 0.0"},
      {"mutable", "", NULL, "a:t[]@0 b:t[]@0", "a 0.0; b 0.0"},
      {"mutable", "", NULL, "a:t[]@0 b:i@0",
       "! m0: %3 \"b\" (image 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float[]; set 0, "
       "binding 0; compute) of m0: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move "
       "one of them, or use --rebind=conflicts\n. m0: conflicts with: %2 \"a\"\n"},
      {"", "", NULL, "Vertex a:t@0 | a:s@0 b:i@0",
       "! m1: %3 \"b\" (image 2D float; set 0, binding 0; compute) overlaps with %2 \"a\" (sampler; set 0, binding 0; "
       "compute) of m1: conflict, entry point \"main\" uses both, and no VkDescriptorType serves both; move one of "
       "them, or use --rebind=conflicts\n. m1: conflicts with: %2 \"a\"\n"},
      {"doctor", "", NULL, "a:t@0! b:b@0!",
       "a 0.0; b 0.0\n. m0: %4 \"b\" (ubo; set 0, binding 0; compute) overlaps with %2 \"a\" (texture 2D float; set 0, "
       "binding 0; compute) of m0: legal, no pipeline uses both\n. m0: conflicts with: %2 \"a\"\n"},
      {"all-sets", "", "heap heap_texture_a set=4 binding=2 kind=texture",
       "heap_sampler:s[]@0,1 b:t heap_texture_a:t[]@2,1",
       "b 0.0; heap_sampler 4.0; heap_texture_a 4.2\n. m0: %2 \"heap_sampler\" and others, 2 resources in all, are not "
       "in the lock file; record them with --update-lock\n"})

/* Heaps and blocks of views, of several modules, and beside what the lock remembers. */
TABLE(
    what_goes_together, {"hlsl", "place -> binding=0", NULL, "Vertex a:t | Fragment a:t~ b:t~", "a 0.0; a 0.0; b 0.0"},
    {"hlsl", "place -> binding=0", NULL, "Vertex a:t | Fragment a:t b:t~",
     "! m1: %3 \"b\" (texture 2D float; set 0, binding 0; fragment) overlaps with %2 \"a\" (texture 2D float; set 0, "
     "binding 0; vertex+fragment) of m0: conflict, policy:1 puts both there; give one of them another binding\n. m0: "
     "conflicts with: %2 \"a\"\n"},
    {"facts", "", NULL,
     "Vertex ResourceDescriptorHeap:b[]@0 ResourceDescriptorHeap^2:b+16[]@0 | Fragment ResourceDescriptorHeap:b+16[]@0 "
     "ResourceDescriptorHeap^2:b[]@0",
     "heap ResourceDescriptorHeap ordinal=6 set=0 binding=0 place=fixed kind=ubo count=0 "
     "stages=vertex,fragment\nmember \"\" type=float4 offset=0\nheap ResourceDescriptorHeap ordinal=6 set=0 binding=0 "
     "place=fixed kind=ubo count=0 stages=vertex,fragment\nmember \"\" type=float4 offset=16\n"},
    {"facts", "", NULL, "ResourceDescriptorHeap:t[]@0 ResourceDescriptorHeap^2:t[]@0",
     "heap ResourceDescriptorHeap ordinal=2 set=0 binding=0 place=fixed kind=texture count=0 stages=compute\n"},
    {"facts", "", NULL, "ResourceDescriptorHeap:t[]@0 b:t@1",
     "heap ResourceDescriptorHeap ordinal=2 set=0 binding=0 place=fixed kind=texture count=0 stages=compute\nresource "
     "b set=0 binding=1 place=fixed kind=texture stages=compute\n"},
    {"facts no-merge", "", NULL, "Vertex heap_texture_a:t[]@2,1 a:t | Fragment heap_texture_a:t[]@2,1 a:t",
     "resource a set=0 binding=0 place=open kind=texture stages=vertex\nresource a ordinal=1 set=0 binding=1 "
     "place=open kind=texture stages=fragment\nheap heap_texture_a set=1 binding=2 place=fixed kind=texture count=0 "
     "stages=vertex\nheap heap_texture_a set=1 binding=2 place=fixed kind=texture count=0 stages=fragment\n"},
    {"why", "", NULL, "x:t[]@5 x^2:i[]@5 y:t[]@0 y^2:i[]@0 | Vertex y:t[]@0 x:t[]@5",
     "y 0.0: fixed, heap, heap of descriptors, at its binding in the module; y 0.0: fixed, heap, heap of descriptors, "
     "at its binding in the module; y 0.0: fixed, heap, heap of descriptors, at its binding in the module; x 0.5: "
     "fixed, heap, heap of descriptors, at its binding in the module; x 0.5: fixed, heap, heap of descriptors, at its "
     "binding in the module; x 0.5: fixed, heap, heap of descriptors, at its binding in the module"},
    {"why all-sets", "", "heap heap_texture_a set=4 binding=7", "heap_texture_a:t[]@2,1 b:t",
     "b 0.0: first free binding of the default set; heap_texture_a 4.7: heap, heap of DescriptorHandles, at its "
     "binding in the lock file\n. m0: %3 \"b\" is not in the lock file; record it with --update-lock\n"},
    {"why all", "block name=a", NULL, "a:t@0 b:t@0",
     "a 0.0: first free binding of its parameter block; b 0.0: place of the descriptor that it shares with another "
     "variable, as in the input"},
    {"why all", "block name=a", NULL, "c:s@1 a:t@0 b:t@0",
     "c 0.0: first free binding of the set it names; a 1.0: first free binding of its parameter block; b 1.0: place of "
     "the descriptor that it shares with another variable, as in the input"},
    {"why", "block name=a", NULL, "c:s a:t@0,1 b:t@0,1",
     "c 0.0: first free binding of the default set; a 1.0: fixed, fixed in the module; b 1.0: fixed, fixed in the "
     "module"},
    {"why all", "block name=?", NULL, "a:t@0 b:t@0",
     "a 0.0: first free binding of its parameter block; b 0.0: place of the descriptor that it shares with another "
     "variable, as in the input"},
    {"hlsl all", "shift class=t by=3", NULL, "a:t@0 b:t@0 c:b", "c 0.0; a 0.3 (t0); b 0.3 (t0)"},
    {"hlsl auto-shift", "", "removed z set=0 binding=1", "a:t b:b",
     "b 0.0; a 0.2 (t0)\n. m0: %2 \"a\" and others, 2 resources in all, are not in the lock file; record them with "
     "--update-lock\n"},
    {"hlsl auto-shift", "", "removed z set=0 binding=0", "a:t b:b",
     "b 0.1 (b0); a 0.2 (t0)\n. m0: %2 \"a\" and others, 2 resources in all, are not in the lock file; record them "
     "with --update-lock\n"},
    {"hlsl auto-shift", "", "push set=0\nremoved z set=0 binding=2", "a:t b:b c:s",
     "b 0.0; a 0.1 (t0); c 0.3 (s0)\n. m0: %2 \"a\" and others, 3 resources in all, are not in the lock file; record "
     "them with --update-lock\n"},
    {"hlsl", "", NULL, "a:t[4]@0 b:t[2]@1 c:t@5 d:t@,1",
     "! m0: %3 \"b\" (texture 2D float[2]; space 0, registers t1..2; compute) overlaps with %2 \"a\" (texture 2D "
     "float[4]; space 0, registers t0..3; compute) of m0: conflict, a register belongs to one resource; give one of "
     "them another register, or use --rules=slang, under which an array takes a single number\n. m0: conflicts with: "
     "%2 \"a\"\n"},
    {"overlap hlsl", "", NULL, "a:t[4]@0 b:t@,1 c:t[2]@1,1 d:t@2,1",
     "a 0.0; b 1.0; c 1.1; d 1.2\n? m0: %5 \"d\" (texture 2D float; space 1, register t2; compute) overlaps with %4 "
     "\"c\" (texture 2D float[2]; space 1, registers t1..2; compute) of m0: conflict, a register belongs to one "
     "resource; give one of them another register, or use --rules=slang, under which an array takes a single number\n. "
     "m0: conflicts with: %4 \"c\"\n"},
    {"", "option counters=last", NULL, "type.RWStructuredBuffer.x:u counter.var.type.RWStructuredBuffer.x:u a:t",
     "type.RWStructuredBuffer.x 0.0; a 0.1; counter.var.type.RWStructuredBuffer.x 0.2"},
    {"", "", NULL, "type.RWStructuredBuffer.x:u counter.var.type.RWStructuredBuffer.x:u a:t",
     "type.RWStructuredBuffer.x 0.0; counter.var.type.RWStructuredBuffer.x 0.1; a 0.2"})

#endif
