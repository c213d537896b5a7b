#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds with all checks (ASan, UBSan, warnings as errors) and as shipped, and passes every test.
#
#     scripts/test.sh            everything
#     scripts/test.sh -L unit    arguments go to ctest: one label, -R name, …
set -euo pipefail
cd "$(dirname "$0")/.."

env=$(scripts/install.sh --env)
eval "$env"
for icd in "$SPB_LAVAPIPE_ICD" "$SPB_SWIFTSHADER_ICD"; do # without them the Vulkan tests would be skipped, and all be green
	[ -r "$icd" ] || { echo "test.sh: the Vulkan driver $icd is missing" >&2 && exit 1; }
done
drivers=("-DSPB_LAVAPIPE_ICD=$SPB_LAVAPIPE_ICD" "-DSPB_SWIFTSHADER_ICD=$SPB_SWIFTSHADER_ICD")

echo "== format"
git ls-files 'src/*.[ch]' 'include/*.h' 'test/*.[ch]' 'test/*.cpp' | xargs clang-format --dry-run --Werror
echo "== build: release"
cmake --preset release -DSPB_BUILD_TESTS=OFF >/dev/null
cmake --build --preset release | tail -n 1
echo "== build: debug with sanitizers"
cmake --preset debug "${drivers[@]}" >/dev/null
cmake --build --preset debug | tail -n 1
echo "== test"
ctest --test-dir build/debug --output-on-failure -j "$(nproc)" "$@"
# What is shipped writes the same bytes as what was checked.
/usr/bin/python3 test/fixtures.py golden --bind build/release/spirv-bind
