#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Demonstrates spirv-bind on real shaders, starting from a bare machine: installs what is missing, builds, compiles a
# program with stock glslangValidator, binds it, shows the result, and runs bound shaders on lavapipe.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n== %s\n' "$*"; }

env=$(scripts/install.sh --env)
eval "$env"
say "build"
cmake --preset release -DSPB_BUILD_TESTS=ON "-DSPB_LAVAPIPE_ICD=$SPB_LAVAPIPE_ICD" \
	"-DSPB_SWIFTSHADER_ICD=$SPB_SWIFTSHADER_ICD" >/dev/null
cmake --build --preset release | tail -n 1
bind=$PWD/build/release/spirv-bind
work=$PWD/build/demo
rm -rf "$work" && mkdir -p "$work/bound"

say "compile: a material system, its handles in a storage buffer, no bindings but a sentinel"
for stage in vert frag; do
	glslangValidator -V -g --quiet --target-env vulkan1.2 \
		-Iinclude/glsl "spirv-fixtures/glsl/materials/material.$stage" \
		-o "$work/material.$stage.spv"
done

say "bind: spirv-bind --auto-binding=65534 material.*.spv --out-dir bound --layout-json layout.json"
(cd "$work" && "$bind" --auto-binding=65534 material.vert.spv material.frag.spv --out-dir bound \
	--layout-json layout.json &&
	"$bind" layout --auto-binding=65534 material.vert.spv material.frag.spv)

say "before: the fragment shader dereferences handles"
spirv-dis "$work/material.frag.spv" | grep -E 'OpExtInst .* 1 |OpSampledImage |OpDecorate .* Binding' | sed -n 1,12p
say "after: access to heaps, NonUniform on every id a driver looks at"
spirv-dis "$work/bound/material.frag.spv" | grep -E 'OpDecorate .* Binding' | sed -n 1,8p
spirv-dis "$work/bound/material.frag.spv" |
	grep -E -A 1 'OpCompositeExtract %uint|OpAccessChain .*%heap_|OpSampledImage %[^ ]+ %' | sed -n 1,9p
spirv-dis "$work/bound/material.frag.spv" | grep -E 'OpDecorate .* NonUniform' |
	sed -n '1,6p;7s/.*/               .../p'

for stage in vert frag; do
	spirv-val --target-env vulkan1.2 "$work/bound/material.$stage.spv"
done
echo "spirv-val: both modules are valid"

say "a buffer by handle, with the caller's own meaning of it: spirv-bind --resolver=packed.glsl particles.spv"
glslangValidator -V -g --quiet --target-env vulkan1.2 -Iinclude/glsl include/glsl/examples/particles.comp \
	-o "$work/particles.spv"
sed -n '/^uint/,$p' spirv-fixtures/resolvers/packed.glsl
(cd "$work" && "$bind" --auto-binding=65534 --resolver="$OLDPWD/spirv-fixtures/resolvers/packed.glsl" particles.spv \
	-o bound/particles.spv && "$bind" layout bound/particles.spv)
spirv-dis "$work/bound/particles.spv" | grep -E -B 2 'OpAccessChain .*%heap_ssbo' | sed -n 1,3p
spirv-val --target-env vulkan1.2 "$work/bound/particles.spv" && echo "spirv-val: valid"

say "shapes Vulkan does not have: structs of descriptors, arrays of arrays, passed to functions"
glslangValidator -V -g --quiet --target-env vulkan1.1 spirv-fixtures/glsl/shapes/ground.frag \
	-o "$work/ground.frag.spv" >/dev/null
(spirv-val --target-env vulkan1.1 "$work/ground.frag.spv" 2>&1 || true) | sed -n 1p
(cd "$work" && "$bind" --auto-binding=65534 ground.frag.spv -o bound/ground.frag.spv &&
	"$bind" layout bound/ground.frag.spv)
spirv-val --target-env vulkan1.1 "$work/bound/ground.frag.spv" && echo "spirv-val: valid"

say "HLSL as glslangValidator -D writes it: registers of all classes at 0, which are bound by HLSL's rules"
glslangValidator -D -V -g --quiet -S comp -e main --target-env vulkan1.1 spirv-fixtures/glsl/registers/blur.hlsl \
	-o "$work/blur.spv"
(cd "$work" && "$bind" --lock=blur.lock --update-lock blur.spv -o bound/blur.spv &&
	"$bind" layout blur.spv && "$bind" explain --name=depth blur.spv)
spirv-val --target-env vulkan1.1 "$work/bound/blur.spv" && echo "spirv-val: valid; the numbers are in blur.lock:" &&
	sed -n 3,6p "$work/blur.lock"

say "NonUniform: which accesses differ between invocations, and why"
glslangValidator -V -g --quiet --target-env vulkan1.1 spirv-fixtures/realistic/terrain_layers.frag -o "$work/layers.spv"
(cd "$work" && ("$bind" lint -q layers.spv 2>&1 || true) | grep -c 'SPB5001' |
	sed 's/$/ accesses differ and are not marked, says lint/')
(cd "$work" && "$bind" layers.spv -o bound/layers.spv &&
	"$bind" explain layers.spv | grep -e 'divergent' -e ': uniform')
(cd "$work" && "$bind" lint bound/layers.spv && echo "bound, and lint has no error left")

say "run: handles to every kind of descriptor, and those shapes, divergent, on lavapipe"
# As in the tests, without LLVM optimizations: on some processors lavapipe crashes in optimized texture code.
GALLIVM_PERF=nopt python3 test/vulkan/cases.py \
	--bind "$bind" --run build/release/test/vulkan/vulkan_run --icd "$SPB_LAVAPIPE_ICD" \
	right vulkan1.2 handle_texture handle_combined handle_image \
	handle_flow handle_textures_uint handle_shadow handle_atomics handle_texel_formats handle_ssbo handle_ubo \
	handle_ray_query handle_values shape_struct shape_arrays shape_locals shape_flow
say "done; the layout is in build/demo/layout.json"
