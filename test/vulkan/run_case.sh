#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GLSL, HLSL or assembly -> SPIR-V -> spirv-bind -> Vulkan device: some cases for one driver and one target
# environment, in one process.
#
#     run_case.sh MODE ICD ENV CASE...
#
# MODE   right   bind and run: all results must be right
#        strip   the same with all NonUniform taken out: what the driver is known to get wrong then must be wrong
#        keep    bound with --nonuniform=keep, so with stock glslang's marks only: likewise
#        split   with --split-combined and --combined=split: all results must be right
#        mutable with --heap-model=mutable: all results must be right
#        address with --heap=as=address: all results must be right
#        sized   with heaps of 24 descriptors, without the feature runtimeDescriptorArray: all results must be right
#        merge   CASE.separate.comp, with --merge-combined=c:cs and u:us: what the case is of separate images
#                and samplers
#        waterfall  with --waterfall: all results must be right, also what the driver gets wrong with marks, and no
#                feature of non-uniform indexing may be needed
#        optimised  the same after spirv-opt -O, which makes loops of one block, and accesses in loop headers
#        lengths with --waterfall=lengths: all results must be right, also what the driver gets wrong with marks
#        broken  with --waterfall, and then all invocations at once: what is known to be wrong without marks must be
#                wrong
#        slang   as right, of what Slang compiled: heaps where Slang has them, in one mutable binding
#        slang-typed  with --rebind=all,sets: the same heaps, one for each type
#        slang-strip  the same with all NonUniform taken out
#        slang-keep   with --nonuniform=keep, so with Slang's marks only: what the driver gets wrong must be wrong
#        gradients  with --waterfall, and then each derivative negated: what the case calls stripped must be wrong
#        divergent  bind and run what is undefined: what the case calls stripped must come out otherwise
#        unasked bind and run with none of the features the layout names: each case must fail (so validation is at work)
# ICD    the driver's JSON file       ENV   vulkan1.0 (with waterfall only), vulkan1.1, vulkan1.2 or vulkan1.3
#
# Programs come by the environment: GLSLANG_VALIDATOR, SPIRV_BIND, VULKAN_RUN; WORK is a folder of this run's own.
# Exit status: 0 pass, 1 fail, 77 the driver is not there.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include/glsl
mode=$1 icd=$2 env=$3
shift 3
[ -r "$icd" ] || { echo "skipped: no driver '$icd' (scripts/install.sh)"; exit 77; }

bind_options=(-q --auto-binding=65534)
run_options=()
suffix=comp
case $mode in
right | unasked | slang) ;;
slang-typed) bind_options+=(--rebind=all,sets) ;;
slang-strip) bind_options+=(--rebind=all,sets) run_options=(--strip-nonuniform --expect-fail=stripped) ;;
waterfall | optimised) bind_options+=(--waterfall) run_options=(--none-broken) ;;
lengths) bind_options+=(--waterfall=lengths) run_options=(--none-broken) ;;
broken) bind_options+=(--waterfall) run_options=(--break-waterfall --expect-fail=stripped) ;;
divergent) run_options=(--expect-fail=stripped) ;;
gradients) bind_options+=(--waterfall) run_options=(--break-gradients --expect-fail=gradients) ;;
split) bind_options+=(--split-combined --combined=split) ;;
sized) bind_options+=(--heap-size=24) ;;
address) bind_options+=(--heap=as=address) ;;
mutable) bind_options+=(--heap-model=mutable) ;;
merge) bind_options+=(--merge-combined=c:cs --merge-combined=u:us) suffix=separate.comp ;;
strip) run_options=(--strip-nonuniform --expect-fail=stripped) ;;
keep | slang-keep) bind_options+=(--nonuniform=keep) run_options=(--expect-fail=kept) ;;
*) echo "run_case.sh: unknown mode $mode" >&2 && exit 2 ;;
esac

# With which shaders before it a fragment shader is drawn: FRAME.vert, and options of vulkan_run.
draw() {
	local frame=$WORK/$1.spv
	"$GLSLANG_VALIDATOR" -V --quiet --target-env "$env" "$here/frames/$1" -o "$frame" || return
	shift
	jobs+=(--with "$frame" "$@")
}

# One case: $jobs gets its arguments for vulkan_run. A shader may say how it is made: // compile:, // spirv-bind:, and
# // draw: lines.
prepare() {
	local name=$1 base=$WORK/$1 options=("${bind_options[@]}")
	local source extra
	source=$here/shaders/$name.$suffix
	[ -r "$source" ] || source=$here/shaders/$name.frag
	[ -r "$source" ] || source=$here/shaders/$name.hlsl
	[ -r "$source" ] || source=$here/shaders/$name.spvasm
	extra=$(sed -n 's|^// compile: ||p' "$source")
	case $source in
	# shellcheck disable=SC2086 # several words
	*.hlsl) "$GLSLANG_VALIDATOR" -D -V --quiet -S comp -e main --target-env "$env" $extra "$source" \
		-o "$base.in.spv" >"$base.log" ;;
	*/slang_*.spvasm) # says that Slang made it, which the assembler cannot
		PYTHONPATH=$here/.. python3 \
			-c 'import sys, fixtures; fixtures.assemble(sys.argv[1], "1.5", sys.argv[2])' \
			"$source" "$base.in.spv" >"$base.log" 2>&1 ;;
	*.spvasm) spirv-as --target-env vulkan1.1 "$source" -o "$base.in.spv" >"$base.log" 2>&1 ;;
	*) "$GLSLANG_VALIDATOR" -V --quiet --target-env "$env" "-I$include" "$source" -o "$base.in.spv" >"$base.log" ;;
	esac || { cat "$base.log" && return 1; }
	extra=$(sed -n 's|^// spirv-bind: ||p' "$source")
	# shellcheck disable=SC2206 # several words
	options+=(${extra//FIXTURES/$here/../../spirv-fixtures})
	if [ "$mode" = optimised ]; then
		spirv-opt -O "$base.in.spv" -o "$base.opt.spv" && mv "$base.opt.spv" "$base.in.spv" || return
	fi
	jobs+=(--case "$name" --spirv "$base.spv" --layout "$base.json")
	extra=$(sed -n 's|^// draw: ||p' "$source")
	# shellcheck disable=SC2086 # several words
	[ -z "$extra" ] || draw $extra || return
	if [ "$name" = before_after ]; then # a finished program: as it is, and with everything moved
		"$SPIRV_BIND" -q --nonuniform=keep "$base.in.spv" -o "$base.before.spv" \
			--layout-json="$base.before.json" || return
		cmp "$base.in.spv" "$base.before.spv" || return
		options+=("--rebind=all,sets")
		jobs+=(--before "$base.in.spv" --before-layout "$base.before.json")
	fi
	"$SPIRV_BIND" "${options[@]}" "$base.in.spv" -o "$base.spv" --layout-json="$base.json" || return
	case $name in # the validation layer knows Slang no more than SPIRV-Tools do
	slang_*) PYTHONPATH=$here/.. python3 \
		-c 'import sys, fixtures; fixtures.write(sys.argv[1], fixtures.readable(sys.argv[1]))' \
		"$base.spv" || return ;;
	esac
	case $mode in
	mutable | slang) grep -q VK_DESCRIPTOR_TYPE_MUTABLE_EXT "$base.json" || return ;;
	address) ! grep ACCELERATION_STRUCTURE "$base.json" || return ;;
	sized) ! grep -i "runtimeDescriptorArray" "$base.json" || return ;;
	waterfall | optimised) ! grep -i "nonuniform.*indexing" "$base.json" || return ;;
	esac
	[ "$mode" != unasked ] || sed -i 's/"vulkanFeatures": .*/"vulkanFeatures": []/' "$base.json"
}

mkdir -p "$WORK"
jobs=()
status=0
for name in "$@"; do
	before=("${jobs[@]}")
	prepare "$name" || { echo "$name: FAIL: compiling or binding"; status=1 jobs=("${before[@]}"); }
done
if [ "$mode" = unasked ] && [ "$status" = 0 ]; then
	output=$("$VULKAN_RUN" --icd "$icd" "${jobs[@]}") && status=1
	[ "$(grep -c ': FAIL$' <<<"$output")" = $# ] || { echo "$output" && status=1; }
	exit "$status"
fi
[ ${#jobs[@]} = 0 ] || "$VULKAN_RUN" --icd "$icd" "${run_options[@]}" "${jobs[@]}" || status=$?
exit "$status"
