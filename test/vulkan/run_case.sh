#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GLSL -> SPIR-V -> spirv-bind -> Vulkan device: some cases for one driver and one target environment, in one process.
#
#     run_case.sh MODE ICD ENV CASE...
#
# MODE   right   bind and run: all results must be right
#        strip   the same with all NonUniform taken out: what the driver is known to get wrong then must be wrong
#        keep    bound with --nonuniform=keep, so with stock glslang's marks only: likewise
# ICD    the driver's JSON file       ENV   vulkan1.1, vulkan1.2 or vulkan1.3
#
# Programs come by the environment: GLSLANG_VALIDATOR, SPIRV_BIND, VULKAN_RUN; WORK is a folder for files.
# Exit status: 0 pass, 1 fail, 77 the driver is not there.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include/glsl
mode=$1 icd=$2 env=$3
shift 3
[ -r "$icd" ] || { echo "skipped: no driver '$icd' (scripts/install.sh)"; exit 77; }

bind_options=(-q --auto-binding=65534)
run_options=()
case $mode in
right) ;;
strip) run_options=(--strip-nonuniform --expect-fail=stripped) ;;
keep) bind_options+=(--nonuniform=keep) run_options=(--expect-fail=kept) ;;
*) echo "run_case.sh: unknown mode $mode" >&2 && exit 2 ;;
esac

mkdir -p "$WORK"
jobs=()
for name in "$@"; do
	base=$WORK/$name.$env.$mode
	"$GLSLANG_VALIDATOR" -V --quiet --target-env "$env" "-I$include" "$here/shaders/$name.comp" -o "$base.in.spv"
	if [ "$name" = before_after ]; then # a finished program: as it is, and with everything moved
		"$SPIRV_BIND" -q --nonuniform=keep "$base.in.spv" -o "$base.before.spv" --layout-json="$base.before.json"
		cmp "$base.in.spv" "$base.before.spv"
		bind_options+=(--rebind=all,sets)
		jobs+=(--case "$name" --before "$base.in.spv" --before-layout "$base.before.json")
	else
		jobs+=(--case "$name")
	fi
	"$SPIRV_BIND" "${bind_options[@]}" "$base.in.spv" -o "$base.spv" --layout-json="$base.json"
	jobs+=(--spirv "$base.spv" --layout "$base.json")
done
"$VULKAN_RUN" --icd "$icd" "${run_options[@]}" "${jobs[@]}"
