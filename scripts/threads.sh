#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the library and the command with ThreadSanitizer (build/threads), and runs both and the plug-in in several
# threads, over fixtures. Fails on a data race.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset threads >/dev/null
cmake --build --preset threads | tail -n 1
out=$PWD/build/threads
read -ra libraries <<<"$(pkg-config --libs SPIRV-Tools)"
cc -std=c11 -O1 -g -fsanitize=thread -Iinclude test/threads.c "$out/libspirv-bind.a" "${libraries[@]}" -lstdc++ -lm \
	-lpthread -o "$out/threads"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for text in spirv-fixtures/{lower-handles,decorate-nonuniform,waterfall,lower-buffer-handles}/*.spvasm; do
	if [[ $text != *.expect.spvasm ]]; then
		version=$(sed -n 's/^; version: *//p' "$text")
		module=$work/$(basename "$text" .spvasm).spv
		spirv-as --target-env "spv$version" "$text" -o "$module" 2>/dev/null || true # some need newer tools
	fi
done
cd "$work"
modules=(*.spv)
modules=("${modules[@]::32}")

export TSAN_OPTIONS=halt_on_error=1:exitcode=66
# Fixtures need options that they do not get here, so some are refused; the status of a race is 66.
run() {
	local status=0
	"$@" >messages 2>&1 || status=$?
	if [ $status = 66 ] || [ $status -gt 100 ]; then
		cat messages
		exit 1
	fi
}

run "$out/threads" "${modules[@]}"
for _ in first cached; do
	run "$out/spirv-bind" --each -j4 --cache=cache --nonuniform=all --out-dir=bound "${modules[@]}"
done
run "$out/spirv-bind" lint --each -j4 --diagnostics=sarif:log "${modules[@]}"
for module in "${modules[@]}"; do echo "program ${module%.spv}: $module"; done >all.manifest
for _ in first locked; do
	run "$out/spirv-bind" -m all.manifest -j4 --lock=all.lock --update-lock --out-dir=bound --layout-json=all.json
done
echo "${#modules[@]} modules, no data races"
