# SPDX-License-Identifier: Apache-2.0
"""Modules that are refused because one operand is wrong: a fixture with one line replaced.

    refusals.py --bind B

ROWS has a line for each of the reasons that the files of SEARCHED give, so that a new one is not forgotten. A reason
that a fixture of spirv-fixtures/invalid has needs no row."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import running  # noqa: E402

SEARCHED = ["src/pass/shapes/shape_check.c", "src/pass/builtin/lower_builtin_heaps.c", "src/pass/expand_groups.c",
            "src/pass/builtin/heap_strides.c", "src/pass/builtin/remove_builtin_heaps.c",
            "src/pass/builtin/write_builtin_heaps.c", "src/pass/builtin/descriptor_heap.c"]
LITERAL = r'"((?:[^"\\]|\\.)*)"'
# A line of the fixture, its replacement, and why that is refused.
ROWS = [
    ("expand-groups/member.spvasm", "OpGroupDecorate %bound %first %second",
     "OpGroupDecorate %A %first %second", "is not an OpDecorationGroup"),
    ("expand-groups/member.spvasm", "OpDecorate %fixed NonWritable",
     "OpDecorateId %fixed UniformId %u0", "in a decoration group cannot be applied to a member"),
    ("resolve-descriptors/split-unused-function.spvasm", "OpReturnValue %z",
     "OpReturnValue %entry", "it branches into another function"),
    ("resolve-descriptors/split-whole-load.spvasm", "%s = OpCompositeExtract %smp %v 1 1",
     "%s = OpCompositeExtract %smp %u4 1 1", "the indexes do not select a value of this type"),
    ("lower-handles/flow-extract.spvasm", "%s2 = OpCompositeInsert %S %ta %s 1", # no member, no value: the same type
     "%s2 = OpCompositeInsert %S %void %s 9", "the indexes do not select a value of this type"),
    ("resolve-descriptors/flatten-spec-constant.spvasm", "%c2 = OpAccessChain %ptex %t %i %u1",
     "%c2 = OpAccessChain %ptex %t %i %tex", "an index is not an integer"),
    ("resolve-descriptors/split-order.spvasm", "%l2 = OpLoad %img %c2",
     "%l2 = OpLoad %img %i1", "its pointer operand is not a pointer"),
    ("resolve-descriptors/split-parameter.spvasm", "%ct = OpAccessChain %ptex %p %i0",
     "%ct = OpAccessChain %ptex %p %i", "the index of a struct member is not a constant"),
    ("resolve-descriptors/local-flow.spvasm", "%l1 = OpLoad %img %v",
     "%l1 = OpLoad %v2int %v", "the result type does not match the memory"),
    ("resolve-descriptors/local-marked.spvasm", "OpStore %v %l",
     "OpStore %v %i4a", "the type of the value does not match the memory"),
    ("resolve-descriptors/split-parameter.spvasm", "%x2 = OpFunctionCall %v4float %use %c2",
     "%x2 = OpFunctionCall %v4float %use %v4float", "the type of an argument does not match its parameter"),
    ("resolve-descriptors/flatten-parameter.spvasm", "%x = OpImageFetch %v4float %l %xy",
     "%x = OpImageFetch %fnvoid %l %xy", "the type of the value does not match the return type of the function"),
    ("resolve-descriptors/split-parameter-twice.spvasm", "%x3 = OpFunctionCall %v4float %outer %one",
     "%x3 = OpFunctionCall %fnst %outer %one",
     "the number of arguments, or the result type, does not match the function"),
    ("split-combined/element-call.spvasm", "%f = OpFunction %v4float None %fnf",
     "%f = OpFunction %v4float None %p", "it uses an id that is defined in another function"),
    ("resolve-descriptors/split-parameter.spvasm", "%x3 = OpFunctionCall %v4float %use %one",
     "%x3 = OpFunctionCall %v4float %useentry %one", "the called id is not a function"),
    ("resolve-descriptors/select-sampled.spvasm", "%t = OpSelect %tex %cond %la %lb",
     "%t = OpSelect %v4float %cond %la %lb", "the type of an operand does not match the result type"),
    ("invalid/local-index-outside.spvasm", "%pli = OpTypePointer Function %img",
     "%pli = OpTypePointer Function %v2int", "the result type does not match the type that the indexes select"),
    ("resolve-descriptors/local-atomic.spvasm", "%tp = OpImageTexelPointer %pimage %v %xy %u0",
     "%tp = OpImageTexelPointer %v2int %v %xy %u0", "the result must be a pointer to a texel of a single image"),
    ("resolve-descriptors/local-copy-in.spvasm", "%v = OpCompositeConstruct %i2a %lx %ly",
     "%v = OpCompositeConstruct %i2a %lx %float", "a constituent has the wrong type"),
    ("lower-builtin-heaps/restride-unified.spvasm", "%rq = OpCompositeExtract %float %xq 0",
     "%rq = OpCompositeExtract %float %resource_heap 0", "the heap itself is not indexed there"),
    ("lower-builtin-heaps/mutable-strides.spvasm", "%l = OpLoad %image %c",
     "%l = OpLoad %any %c", "it reads a descriptor as data"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "%part = OpUntypedInBoundsAccessChainKHR %anydata %words %whole %u3",
     "%part = OpUntypedInBoundsAccessChainKHR %anydata %i0 %whole %u3",
     "it reads the memory of a buffer as another type than its own"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "%n = OpUntypedArrayLengthKHR %uint %Data %b2 1",
     "%n = OpUntypedArrayLengthKHR %uint %b %b2 1", "no kind of descriptor corresponds to this type"),
    ("lower-builtin-heaps/strides.spvasm", "%b = OpBufferPointerEXT %pdata %c",
     "%b = OpBufferPointerEXT %row %c", "a buffer is neither a storage buffer nor a uniform buffer"),
    ("lower-builtin-heaps/restride-unified.spvasm", "%r5 = OpFunctionCall %float %read %c5",
     "%r5 = OpFunctionCall %float %image %c5", "the function has fewer parameters"),
    ("lower-builtin-heaps/strides.spvasm", "%lane = OpLoad %uint %lane_in",
     "%lane = OpLoad %row %lane_in", "one of several indices is not 32 bits wide"),
    ("lower-builtin-heaps/mutable-strides.spvasm", "%p = OpUntypedAccessChainKHR %anydata %Data %b %u0",
     "%p = OpUntypedAccessChainKHR %anydata %Data %b %v", "its indices do not fit its type"),
    ("lower-builtin-heaps/restride.spvasm", "%t3 = OpUntypedImageTexelPointerEXT %anytexel %counter %c3 %xy %u0",
     "%t3 = OpUntypedImageTexelPointerEXT %anytexel %both %c3 %xy %u0", "it is not an image"),
    ("lower-builtin-heaps/restride-unified.spvasm", "%r5 = OpFunctionCall %float %read %c5",
     "%r5 = OpFunctionCall %float %read %c2", "the parameter points to another type"),
    ("lower-builtin-heaps/restride.spvasm", "%s2 = OpLoad %sampler %c2",
     "%s2 = OpLoad %sampler %c5", "samplers are in the sampler heap, and all other descriptors in the resource heap"),
    ("lower-builtin-heaps/strides.spvasm", "%c2 = OpUntypedAccessChainKHR %any %Heap %heap %i1",
     "%c2 = OpUntypedAccessChainKHR %any %Heap %heap %lane", "at an offset of an unknown member"),
    ("lower-builtin-heaps/strides.spvasm", "%c3 = OpUntypedAccessChainKHR %any %images %heap %v",
     "%c3 = OpUntypedAccessChainKHR %any %images %heap %v %i0", "at an offset within a descriptor"),
    ("lower-builtin-heaps/strides.spvasm", "%u3 = OpConstant %uint 3",
     "%u3 = OpConstant %uint 4294967295", "at an offset above 4294967295"),
    # images and buffers in one struct: the driver decides their distance
    ("lower-builtin-heaps/strides.spvasm", "%Heap = OpTypeStruct %rows %buffer",
     "%other = OpTypeImage %uint 1D 0 0 0 1 Unknown\n%Heap = OpTypeStruct %rows %other",
     "at an offset that is not a multiple of its stride"),
    ("lower-builtin-heaps/two-dialects.spvasm", "%resource_heap = OpUntypedVariableKHR %any UniformConstant",
     "%resource_heap = OpUntypedVariableKHR %any UniformConstant\n%remark = OpExtInst %void %handle 99 "
     "%resource_heap\n%about = OpExtInst %void %handle 99 %remark", "something else names the heap"),
    ("lower-builtin-heaps/remade.spvasm", "%stride = OpSpecConstant %uint 32",
     "%base = OpSpecConstant %uint 32\n%stride = OpSpecConstantOp %uint IMul %base %u4",
     "the stride of its array is computed"),
    ("lower-builtin-heaps/remade.spvasm", "%l2 = OpLoad %texture %c2",
     "%c20 = OpUntypedAccessChainKHR %any %array %bound %u1\n%l2 = OpLoad %texture %c20",
     "reaches a descriptor through an untyped pointer, in a module in which descriptors have to be resolved"),
    ("assign-bindings/entry-conflict-elsewhere.spvasm", "%draw = OpFunction %void None %fn",
     "%draw = OpFunction %lights None %fn", "is not a type declared before it"),
    ("invalid/buffer-number-arithmetic.spvasm", "%v = OpVariable %ful Function",
     "%v = OpVariable %void Function", "the type of an OpVariable"),
    ("invalid/merge-other-index.spvasm", "%si = OpTypeSampledImage %img",
     "%si = OpTypeSampledImage %pimg", "which is not an OpTypeImage"),
    ("expand-groups/member.spvasm", "OpStore %b %la",
     "OpStore %b %fixed", "is used as a value"),
    ("resolve-descriptors/local-several-resources.spvasm", "%lx = OpLoad %img %X",
     "%lx = OpLoad %img %cx", "takes a descriptor that cannot be traced to a resource"),
    ("resolve-descriptors/split-location.spvasm", 'OpEntryPoint Fragment %main "main"',
     'OpEntryPoint Fragment %four "main"', "cannot be named here"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "%n = OpUntypedArrayLengthKHR %uint %Data %b2 1",
     "%n = OpUntypedArrayLengthKHR %uint %Data %part 1", "it asks for the length within another type"),
    ("resolve-descriptors/local-copy-in.spvasm", "%v = OpCompositeConstruct %i2a %lx %ly",
     "%v = OpCompositeConstruct %i2a %lx %ly\n%wrong = OpCompositeExtract %img %v 2", "an index is outside the array"),
    ("resolve-descriptors/local-copy-in.spvasm", "%v = OpCompositeConstruct %i2a %lx %ly",
     "%v = OpCompositeConstruct %i2a %lx %ly\n%wrong = OpCompositeInsert %i2a %lx %lx 0",
     "the type of the composite does not match the result type"),
    ("resolve-descriptors/split-order.spvasm", "%l1 = OpLoad %img %c1",
     "%l1 = OpLoad %img %c1\n%wrong = OpCopyLogical %st %l1", "the types do not match logically"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "%whole = OpUntypedAccessChainKHR %anydata %Data %b %u1",
     "%whole = OpUntypedAccessChainKHR %pin %Data %b %u1", "its result has a type"),
    # descriptors that are merged or passed as something else
    ("resolve-descriptors/phi-in-loop.spvasm", "%cur = OpPhi %tex %l0 %entry %next %cont",
     "%cur = OpPhi %tex %l0 %entry %n1 %cont", "the type of an operand does not match the result type"),
    ("resolve-descriptors/phi-in-loop.spvasm", "%cur = OpPhi %tex %l0 %entry %next %cont",
     "%cur = OpPhi %tex %n1 %entry %next %cont", "the type of an operand does not match the result type"),
    ("resolve-descriptors/select-sampled.spvasm", "%t = OpSelect %tex %cond %la %lb",
     "%t = OpSelect %tex %cond %la %cond", "the type of an operand does not match the result type"),
    ("resolve-descriptors/copies.spvasm", "%tc = OpCopyObject %tex %t",
     "%tc = OpCopyObject %tex %c", "the type of an operand does not match the result type"),
    ("resolve-descriptors/copies.spvasm", "%cc = OpCopyObject %pst %c",
     "%cc = OpCopyObject %ptex %c", "the type of an operand does not match the result type"),
    ("resolve-descriptors/copies.spvasm", "%vl = OpCopyLogical %like %vc",
     "%vl = OpCopyLogical %like %t", "the types do not match logically"),
    ("resolve-descriptors/local-copy-in.spvasm", "%v = OpCompositeConstruct %i2a %lx %ly",
     "%v = OpCompositeConstruct %i2a %lx", "the number of constituents does not match the type"),
    ("resolve-descriptors/local-copy-in.spvasm", "%v = OpCompositeConstruct %i2a %lx %ly",
     "%v = OpCompositeConstruct %i2a %lx %ly %ly", "the number of constituents does not match the type"),
    ("resolve-descriptors/atomics.spvasm", "%t5 = OpImageTexelPointer %texel %mi %xy %u0",
     "%t5 = OpImageTexelPointer %texel %many %xy %u0", "the result must be a pointer to a texel of a single image"),
    ("resolve-descriptors/atomics.spvasm", "%t5 = OpImageTexelPointer %texel %mi %xy %u0",
     "%t5 = OpImageTexelPointer %pin %mi %xy %u0", "the result must be a pointer to a texel of a single image"),
    ("resolve-descriptors/atomics.spvasm", "%r4 = OpFunctionCall %uint %inside %a6 %many",
     "%r4 = OpFunctionCall %uint %inside %a6 %many %many",
     "the number of arguments, or the result type, does not match the function"),
    ("resolve-descriptors/atomics.spvasm", "%mi = OpAccessChain %fimg %many %i",
     "%mi = OpAccessChain %fimg %many %u3", "is outside a local array of 3 descriptors"),
    ("resolve-descriptors/atomics.spvasm", "OpStore %m0 %l3",
     "OpStore %m0 %l3\n%gone = OpAccessChain %fimg %many %i1 %i1", "an index leads into a type that has no parts"),
    # and where they cannot be followed
    ("resolve-descriptors/pointer-members.spvasm", "%p6 = OpCopyObject %pimg %p2",
     "%p6 = OpUndef %pimg", "it is unknown which resource it refers to"),
    ("resolve-descriptors/atomics.spvasm", "%r4 = OpFunctionCall %uint %inside %a6 %many",
     "%part = OpAccessChain %frow %many\n%r4 = OpFunctionCall %uint %inside %a6 %part",
     "only whole variables can be passed to a function"),
    ("resolve-descriptors/atomics.spvasm", "%a6 = OpAtomicXor %uint %t5 %u1 %u0 %a5",
     "%a6 = OpAtomicXor %uint %mi %u1 %u0 %a5", "a pointer to local descriptors, for which there is no rewrite"),
    ("resolve-descriptors/atomics.spvasm", "%mi = OpAccessChain %fimg %many %i",
     "%mi = OpAccessChain %fimg %many %i\n%whole = OpLoad %row %many\n%sum = OpIAdd %uint %whole %whole",
     "an array or struct of descriptors, for which there is no rewrite"),
    # a handle that is used like an address, or vice versa
    ("lower-buffer-handles/addresses-apart.spvasm", "OpStore %sq %q",
     "OpStore %sq %p", "meets a device address that is loaded from memory"),
    ("lower-buffer-handles/addresses-apart.spvasm", "OpStore %sp %p",
     "OpStore %sp %q2", "meets a device address that is converted from an integer"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%sq = OpAccessChain %fB %s %u2",
     "%sq = OpAccessChain %fB %s %u0", "meets a device address that is loaded from memory"),
    ("lower-buffer-handles/addresses-apart.spvasm", "OpCopyMemory %t %s",
     "OpCopyMemory %sq %sp", "meets a device address that is loaded from memory"),
    ("lower-buffer-handles/addresses-apart.spvasm", "OpCopyMemory %t %s",
     "OpCopyMemory %t %s\nOpCopyMemory %next %sp Aligned 8", "is stored to memory outside the invocation"),
    ("lower-buffer-handles/addresses-apart.spvasm", "OpCopyMemory %t %s",
     "OpCopyMemory %t %s\nOpCopyMemory %sp %next Aligned 8", "is stored to memory outside the invocation"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%eq = OpCompositeExtract %pBlock %tv 2",
     "%eq = OpCompositeExtract %pBlock %tv 0", "meets a device address that is loaded from memory"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%sel = OpSelect %pBlock %same %eq %q2",
     "%sel = OpSelect %pBlock %same %q2 %ep", "meets a device address that is loaded from memory"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%phi = OpPhi %pBlock %ep %entry %ec %there",
     "%phi = OpPhi %pBlock %ep %entry %eq %there", "meets a device address that is converted from an integer"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%c1 = OpCompositeConstruct %S %phi %n %sel",
     "%c1 = OpCompositeConstruct %S %sel %n %phi", "meets a device address that is converted from an integer"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%c2 = OpCompositeInsert %S %p %c1 0",
     "%c2 = OpCompositeInsert %S %p %c1 2", "meets a device address that is converted from an integer"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%c3 = OpCompositeInsert %S %q %c2 2",
     "%c3 = OpCompositeInsert %S %q %c2 0", "meets a device address that is converted from an integer"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%kq = OpAccessChain %pB %kept %u2",
     "%kq = OpAccessChain %pB %kept %u0", "is passed to a function as a pointer into the buffer"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%arr = OpAccessChain %pw %r2 %u2",
     "%arr = OpAccessChain %pw %r1 %u2", "is passed to a function as a pointer into the buffer"),
    ("lower-buffer-handles/addresses-apart.spvasm", "OpReturnValue %fa",
     "OpReturnValue %fb", "is passed to a function as a pointer into the buffer"),
    ("lower-buffer-handles/addresses-apart.spvasm", "OpStore %link %r2 Aligned 8",
     "OpStore %link %r1 Aligned 8", "is stored to memory outside the invocation"),
    ("lower-buffer-handles/addresses-apart.spvasm", "%el = OpPtrAccessChain %pBlock %r2 %u0",
     "%el = OpPtrAccessChain %pBlock %r1 %u1", "is the base of pointer arithmetic"),
    # the number of a handle that passes through a variable, a result, an argument, or a choice
    ("lower-buffer-handles/number-flows.spvasm", "%k1 = OpConvertUToPtr %pBlock %tl",
     "%k1 = OpConvertUToPtr %pBlock %sl", "turns a number that was made of a handle into a device address"),
    ("lower-buffer-handles/number-flows.spvasm", "%k2 = OpConvertUToPtr %pBlock %x",
     "%k2 = OpConvertUToPtr %pBlock %r", "turns a number that was made of a handle into a device address"),
    ("lower-buffer-handles/number-flows.spvasm", "%took = OpConvertUToPtr %pBlock %ta",
     "%took = OpConvertUToPtr %pBlock %tb", "turns a number that was made of a handle into a device address"),
    ("lower-buffer-handles/number-flows.spvasm", "%k3 = OpSelect %ulong %same %a %l16",
     "%k3 = OpSelect %ulong %same %a %n", "turns a number that was made of a handle into a device address"),
    # a struct that becomes a block must not be part of another type
    ("lower-buffer-handles/made-a-block.spvasm", "%pT = OpTypePointer PhysicalStorageBuffer %T",
     "%pT = OpTypePointer PhysicalStorageBuffer %T\n%around = OpTypeStruct %T",
     "which is not a block and cannot be made one"),
    ("lower-buffer-handles/made-a-block.spvasm", "%pT = OpTypePointer PhysicalStorageBuffer %T",
     "%pT = OpTypePointer PhysicalStorageBuffer %T\n%row = OpTypeRuntimeArray %T",
     "which is not a block and cannot be made one"),
    # functions of the module that resolve handles
    ("merge-resolver/own-calls.spvasm", 'OpName %helper "helper"',
     'OpName %helper "getDescriptorIndexFromHandle"', "both dereference handles to the same type"),
    ("merge-resolver/own-calls.spvasm", 'OpName %helper "helper"',
     'OpName %helper "getDeviceAddressFromHandle(vu2;"', "does not have the signature"),
    ("merge-resolver/own-calls.spvasm", "%own = OpFunction %uint None %findex",
     "%own = OpFunction %uint None %fwhole", "does not have the signature"),
    ("merge-resolver/own-calls.spvasm", "%ek = OpFunctionCall %uint %kept %eh",
     "%ek = OpFunctionCall %uint %helper %eh", "calls itself"),
    ("merge-resolver/own-calls.spvasm", "%k1 = OpCompositeExtract %uint %kh 1",
     "%k1 = OpFunctionCall %uint %helper %kh", "calls itself"),
    # another index for the sampler than for its texture
    ("merge-combined/index-again.spvasm", "%i2 = OpLoad %uint %own",
     "OpStore %own %u1\n%i2 = OpLoad %uint %own", "texture and sampler are indexed differently"),
    ("merge-combined/index-again.spvasm", "%i2 = OpLoad %uint %own",
     "%i2 = OpLoad %uint %own Volatile", "texture and sampler are indexed differently"),
    ("merge-combined/index-again.spvasm", "%b2c = OpCopyObject %uint %b2",
     "%b2c = OpCopyObject %uint %i", "texture and sampler are indexed differently"),
    ("merge-combined/index-again.spvasm", "%pb2 = OpAccessChain %pcu %push %u1 %i",
     "%pb2 = OpAccessChain %pcu %push %u1 %u4", "texture and sampler are indexed differently"),
    ("merge-combined/index-again.spvasm", "%pb2 = OpAccessChain %pcu %push %u1 %i",
     "%pb2 = OpAccessChain %pcu %push %i0", "texture and sampler are indexed differently"),
    ("merge-combined/index-again.spvasm", "%cs3 = OpAccessChain %psmp %S %j1",
     "%cs3 = OpAccessChain %psmp %S %i0", "texture and sampler are indexed differently"),
    ("merge-combined/index-again.spvasm", "%cs3 = OpAccessChain %psmp %S %j1",
     "%cs3 = OpAccessChain %psmp %S %i", "texture and sampler are indexed differently"),
    ("lower-builtin-heaps/remade.spvasm", "%unified = OpSpecConstantOp %uint Select %larger %image_size %buffer_size",
     "%unified = OpSpecConstantOp %uint Select %larger %buffer_size %buffer_size",
     "the stride of its array is computed"),
    ("lower-builtin-heaps/remade.spvasm", "%unified = OpSpecConstantOp %uint Select %larger %image_size %buffer_size",
     "%unified = OpSpecConstantOp %uint Select %larger %buffer_size %image_size",
     "the stride of its array is computed"),
    ("lower-builtin-heaps/remade.spvasm", "%larger = OpSpecConstantOp %bool UGreaterThan %image_size %buffer_size",
     "%larger = OpConstantTrue %bool", "the stride of its array is computed"),
    ("lower-builtin-heaps/mutable-strides.spvasm", "%v = OpCompositeExtract %uint %x 0",
     "%v = OpCompositeExtract %uint %x 0\nOpStore %c %v", "the pointer is not used for an access there"),
    ("lower-builtin-heaps/mutable-strides.spvasm", "OpStore %p %v",
     "OpStore %p %v\nOpStore %p %p", "it accesses the memory of a buffer as another type than its own"),
    # pointers to descriptors and buffers of a built-in heap that have no type, where one is needed
    ("lower-builtin-heaps/restride.spvasm", "%a3 = OpAtomicIAdd %uint %t3 %u1 %u0 %u1",
     "%a3 = OpLoad %uint %t3", "the pointer is not used for an access there"),
    ("lower-builtin-heaps/restride.spvasm", "%a3 = OpAtomicIAdd %uint %t3 %u1 %u0 %u1",
     "%a3 = OpAtomicIAdd %float %t3 %u1 %u0 %u1", "the pointer is not used for an access there"),
    ("lower-builtin-heaps/restride.spvasm", "%a3 = OpAtomicIAdd %uint %t3 %u1 %u0 %u1",
     "OpAtomicStore %t3 %u1 %u0 %f0\n%a3 = OpAtomicLoad %uint %t3 %u1 %u0",
     "the pointer is not used for an access there"),
    ("lower-builtin-heaps/restride.spvasm", "%b6 = OpBufferPointerEXT %pdata %c6",
     "%b6 = OpBufferPointerEXT %pcons %c6", "its descriptor is that of another kind of buffer"),
    ("lower-builtin-heaps/restride.spvasm", "%b4 = OpBufferPointerEXT %pcons %c4",
     "%b4 = OpBufferPointerEXT %pdata %c4", "its descriptor is that of another kind of buffer"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "OpStore %part %old",
     "OpStore %part %i0", "it accesses the memory of a buffer as another type than its own"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "OpAtomicStore %first %u1 %i0 %old",
     "OpAtomicStore %first %u1 %i0 %i0", "it accesses the memory of a buffer as another type than its own"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "%old = OpAtomicIAdd %uint %first %u1 %i0 %sum",
     "%old = OpAtomicIAdd %int %first %u1 %i0 %sum", "it accesses the memory of a buffer as another type than its own"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "%v = OpLoad %uint %copy",
     "%v = OpLoad %int %copy", "it accesses the memory of a buffer as another type than its own"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "OpStore %part %old",
     "OpStore %part %old\nOpCopyMemory %part %first", "the pointer is not used for an access there"),
    ("lower-builtin-heaps/untyped-buffers.spvasm", "%c = OpUntypedAccessChainKHR %any %buffers %heap %lane",
     "%c = OpUntypedAccessChainKHR %any %buffers %heap %lane\n%d = OpUntypedAccessChainKHR %any %buffers %lane %c",
     "the pointer is not used for an access there"),
    # and uses for which SPV_EXT_descriptor_heap has no pointers
    ("descriptor-heap/from-slang.spvasm", "%34 = OpAccessChain %33 %32 %28",
     "%34 = OpAccessChain %33 %32", "OpAccessChain uses a pointer into"),
    ("descriptor-heap/from-slang.spvasm", "%34 = OpAccessChain %33 %32 %28",
     "%34 = OpAccessChain %33 %32 %28 %28", "OpAccessChain uses a pointer into"),
    ("descriptor-heap/from-slang.spvasm", "%34 = OpAccessChain %33 %32 %28",
     "%34 = OpAccessChain %33 %32 %28\n%all = OpLoad %29 %32 Aligned 16", "OpLoad uses a pointer into"),
    ("descriptor-heap/from-slang.spvasm", "%34 = OpAccessChain %33 %32 %28",
     "%34 = OpAccessChain %33 %32 %28\nOpStore %32 %28", "OpStore uses a pointer into"),
    ("descriptor-heap/from-slang.spvasm", "%35 = OpLoad %30 %34",
     "%35 = OpLoad %30 %34\nOpStore %34 %35", "OpStore uses a pointer into"),
    ("descriptor-heap/copies.spvasm", "%a = OpAtomicIAdd %uint %texel %u1 %u0 %u1",
     "%a = OpLoad %uint %texel", "OpLoad uses a pointer into"),
    ("descriptor-heap/copies.spvasm", "%a = OpAtomicIAdd %uint %texel %u1 %u0 %u1",
     "%more = OpImageTexelPointer %ptexel %texel %xy %u0\n%a = OpAtomicIAdd %uint %more %u1 %u0 %u1",
     "OpImageTexelPointer uses a pointer into"),
    ("descriptor-heap/copies.spvasm", "%a = OpAtomicIAdd %uint %texel %u1 %u0 %u1",
     "%a = OpAtomicIAdd %uint %again %u1 %u0 %u1", "OpAtomicIAdd uses a pointer into"),
    ("descriptor-heap/buffer-block.spvasm", "%n = OpLoad %uint %uc",
     "%n = OpFunctionCall %uint %main %bc", "a function is called with a pointer to a BufferBlock"),
    # functions that other modules call, and an unknown use
    ("lower-buffer-handles/addresses-apart.spvasm", "OpDecorate %wa Aliased",
     'OpDecorate %wa Aliased\nOpDecorate %write LinkageAttributes "write" Export',
     "is used in a way that only a device address allows"),
    ("lower-buffer-handles/private-remark.spvasm", "%again = OpExtInst %void %say 2 %kept",
     "%again = OpConstantComposite %v2uint %kept %kept", "has to become a variable of handles"),
    ("resolve-descriptors/local-dynamic.spvasm", "%i4a = OpTypeArray %img %u4",
     "%i4a = OpTypeArray %img %i0", "holds more than 4096 local descriptors"),
    ("merge-resolver/own-calls.spvasm", "%k = OpFunctionCall %uint %kept %h", # a function is not a value
     "%k = OpFunctionCall %uint %kept %own", "which was removed with a shape or dialect"),
    ("resolve-descriptors/marks-on-the-way.spvasm", "%like = OpTypeArray %tex %u2",
     "%like = OpTypeArray %tex %u4", "the types do not match logically"),
    ("resolve-descriptors/marks-on-the-way.spvasm", "%st2 = OpTypeStruct %like %float",
     "%st2 = OpTypeStruct %like", "the types do not match logically"),
    ("resolve-descriptors/marks-on-the-way.spvasm", "%st2 = OpTypeStruct %like %float",
     "%st2 = OpTypeStruct %like %int", "the types do not match logically"),
    ("resolve-descriptors/marks-on-the-way.spvasm", "%like = OpTypeArray %tex %u2",
     "%other = OpTypeImage %float 1D 0 0 0 1 Unknown\n%like = OpTypeArray %other %u2",
     "the types do not match logically"),
    ("resolve-descriptors/marks-on-the-way.spvasm", "%st2 = OpTypeStruct %like %float",
     "%st2 = OpTypeArray %like %u2", "the types do not match logically"),
    ("resolve-descriptors/calls-and-memory.spvasm", "OpDecorate %index BuiltIn LocalInvocationIndex",
     'OpDecorate %index BuiltIn LocalInvocationIndex\nOpDecorate %swap LinkageAttributes "swap" Export',
     "is exported and takes or returns"),
    ("resolve-descriptors/calls-and-memory.spvasm", "OpStore %v %a",
     "%cv = OpCopyObject %ftex %v\nOpStore %w %b", "uses a local descriptor that no path assigns"),
    ("merge-combined/index-again.spvasm", "%cs3 = OpAccessChain %psmp %S %j1",
     "%cs3 = OpAccessChain %psmp %S %i", "texture and sampler are indexed differently"),
    ("merge-combined/index-again.spvasm", "%j1 = OpConstant %int 1", # one number until it is specialized
     "%j1 = OpSpecConstant %int 1", "texture and sampler are indexed differently"),
    ("merge-combined/index-deep.spvasm", "%pb = OpAccessChain %pcu %push %u1 %i", # a step too deep
     "%again = OpLoad %uint %own\n%pb = OpAccessChain %pcu %push %u1 %again",
     "texture and sampler are indexed differently"),
    ("merge-combined/index-deep.spvasm", "%b4 = OpCopyObject %uint %b3", # another instruction
     "%b4 = OpNot %uint %b3", "texture and sampler are indexed differently"),
    ("merge-combined/index-deep.spvasm", "%a4 = OpCopyObject %uint %a3",
     "%a4 = OpNot %uint %a3", "texture and sampler are indexed differently"),
    # a combined image-sampler that is an operand of something else
    ("split-combined/runtime-array.spvasm", "%q = OpAccessChain %psi %more %i1",
     "%q = OpAccessChain %psi %more %tex", "reaches OpAccessChain as a pointer, for which there is no rewrite"),
    ("split-combined/runtime-array.spvasm", "%i = OpLoad %uint %in",
     "%i = OpLoad %uint %in\n%load = OpAccessChain %parr %tex\n%all = OpLoad %arr %load",
     "reaches OpLoad as a pointer, for which there is no rewrite"),
    ("split-combined/plain.spvasm", "%c = OpImageSampleImplicitLod %v4float %l %uv",
     "%c = OpImageFetch %v4float %l %uv", "reaches OpImageFetch as a value, for which there is no rewrite"),
    ("split-combined/plain.spvasm", "%c = OpImageSampleImplicitLod %v4float %l %uv",
     "%c = OpImageSampleImplicitLod %v4float %l %l",
     "reaches OpImageSampleImplicitLod as a value, for which there is no rewrite"),
    ("split-combined/plain.spvasm", "%c = OpImageSampleImplicitLod %v4float %l %uv",
     "%k = OpCopyObject %img %l\n%c = OpImageSampleImplicitLod %v4float %l %uv",
     "reaches OpCopyObject as a value, for which there is no rewrite"),
    ("split-combined/parameter.spvasm", "%fng = OpTypeFunction %v4float %psi %psi",
     "%fng = OpTypeFunction %v4float %psi %psi\n%large = OpTypeFunction %void %pf" + 32766 * " %psi",
     "OpTypeFunction would exceed 65535 words"),
    ("split-combined/parameter.spvasm", "%c = OpFunctionCall %v4float %g %tex %tex",
     "%u = OpUndef %psi\n%c = OpFunctionCall %v4float %g %u %tex", "is neither a variable nor a parameter"),
    ("split-combined/parameter.spvasm", "%c = OpFunctionCall %v4float %g %tex %tex",
     "%c = OpFunctionCall %v4float %main %tex %tex", "reaches OpFunctionCall as a pointer"),
]

# The larger of two sizes, in every form, and expressions that are not the larger of two.
LARGER = ["UGreaterThan", "UGreaterThanEqual", "SGreaterThan", "SGreaterThanEqual"]
SMALLER = ["ULessThan", "ULessThanEqual", "SLessThan", "SLessThanEqual"]


def changed(name, old, new, out):
    """The options, and the module with a line replaced."""
    path = os.path.join(running.FIXTURES, name)
    fields, lines = fixtures.header(path), running.read_text(path).split("\n")
    places = [i for i, line in enumerate(lines) if line.strip() == old]
    assert len(places) == 1, "%s has %d lines %s" % (name, len(places), old)
    lines[places[0]] = new
    running.write("changed.spvasm", "\n".join(lines))
    fixtures.assemble("changed.spvasm", fields["version"], out)
    fixtures.assemble(path, fields["version"], "as-it-is.spv")
    return fixtures.options_of(fields)


def test_each_wrong_operand_is_refused_with_the_reason():
    for name, old, new, why in ROWS:
        options = changed(name, old, new, "x.spv")
        done = running.bind("x.spv", "--validate=none", *options, "-o", "out.spv", expect=None)
        error = [line for line in done.stderr.splitlines() if re.search(r": error: .* \[SPB\d+\]$", line)]
        assert done.returncode == 1 and any(why in line for line in error), "%s: %s\n%s" % (name, new, done.stderr)
        assert not os.path.exists("out.spv"), name
        said = running.bind("layout", "as-it-is.spv", *options, expect=None).stderr
        assert why not in said, "%s as it is: %s" % (name, said)


def test_a_stride_may_be_the_larger_of_two_sizes_however_they_are_compared():
    old = "%larger = OpSpecConstantOp %bool UGreaterThan %image_size %buffer_size"
    for op in LARGER + SMALLER + ["IEqual"]:
        for first, second in (("image", "buffer"), ("buffer", "image")):
            new = "%%larger = OpSpecConstantOp %%bool %s %%%s_size %%%s_size" % (op, first, second)
            options = changed("lower-builtin-heaps/remade.spvasm", old, new, "x.spv")
            larger = op in (LARGER if first == "image" else SMALLER)
            done = running.bind("x.spv", *options, "-o", "x.out.spv", expect=0 if larger else 1)
            assert larger or "the stride of its array is computed" in done.stderr, (new, done.stderr)
            if larger:
                running.bind("as-it-is.spv", *options, "-o", "as-it-is.out.spv")
                assert running.read("x.out.spv") == running.read("as-it-is.out.spv"), new


GROWN = "expanding the decoration groups would make the module more than five times as large"


def test_groups_are_not_expanded_without_bounds():
    """300 decorations of 300 variables."""
    many = range(300)
    lines = ["OpCapability Shader", "OpMemoryModel Logical GLSL450", 'OpEntryPoint GLCompute %main "main"',
             "OpExecutionMode %main LocalSize 1 1 1",
             *("OpDecorate %%group Location %d" % i for i in many), "%group = OpDecorationGroup",
             "OpGroupDecorate %group " + " ".join("%%v%d" % i for i in many),
             "%void = OpTypeVoid", "%fn = OpTypeFunction %void", "%float = OpTypeFloat 32",
             "%ptr = OpTypePointer Private %float", *("%%v%d = OpVariable %%ptr Private" % i for i in many),
             "%main = OpFunction %void None %fn", "%entry = OpLabel", "OpReturn", "OpFunctionEnd"]
    said = running.bind(running.spirv_as("\n".join(lines), "x.spv"), "-o", "out.spv", expect=1).stderr
    assert running.says(said, "error SPB1015", GROWN), said


def reasons(path):
    """The texts of the refusing calls, split at their arguments."""
    text = running.read_text(os.path.join(running.ROOT, path))
    for call in re.finditer(r"\b(?:spb_refuse_builtin|spb_refuse|refuse|unfit|spb_fail)\(([^;]*?)\);", text, re.S):
        for cause in re.split(r'"\s*:\s*(?=")', call[1].partition("SPB_REMEDY")[0]):
            said = "".join(re.findall(LITERAL, cause))
            pieces = [piece.strip() for piece in re.split(r'%[%\w.*]+|\\"', said)]
            pieces = [piece for piece in pieces if len(piece) >= 10]
            if pieces:
                yield pieces


def test_every_reason_has_a_test():
    known = "\n".join(row[3] for row in ROWS)
    known += GROWN
    known += "".join(running.read_text(path) for path in glob.glob(os.path.join(running.FIXTURES, "invalid", "*.txt")))
    found = [(path, said) for path in SEARCHED for said in reasons(path)]
    assert len(found) >= 30, found
    wrong = ["%s: %s" % pair for pair in found if not any(piece in known for piece in pair[1])]
    assert not wrong, "no row and no fixture has:\n" + "\n".join(wrong)


if __name__ == "__main__":
    running.main(globals())
