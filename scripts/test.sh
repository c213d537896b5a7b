#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds the release and the checked build (ASan, UBSan, warnings as errors), and runs the
# tests: on the release, all but those about memory; on the checked build, all but the slow ones and Vulkan's.
# test/README.md lists the tests. At the end, it looks for data races (scripts/threads.sh), and fuzzes for a minute.
#
#     scripts/test.sh            everything but build farms (ctest -L farm), platforms and releases: 5 minutes on two
#                                idle cores, after the builds, which take a minute or two; two more minutes when
#                                lavapipe and other compilers compile the shaders for the first time
#     scripts/test.sh all        the full size of tests that otherwise run in part (SPB_TEST_ALL): twice as long
#     scripts/test.sh quick      a minute: the release build, and its tests without the label slow
#     scripts/test.sh platforms  the command on other systems and processors (scripts/platforms.sh): a quarter of an
#                                hour, and as long again when their packages are fetched for the first time
#     scripts/test.sh release    scripts/release.sh: reproducible, and tested in a bare root; ten minutes
#     scripts/test.sh clients    real translators and programs under the layer, from Debian's mirror
#     scripts/test.sh -L unit    arguments for ctest: one label, -R name, …
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(($(nproc) + 1)) # tests spend an eighth of their time waiting for processes that they start

test_release() {
	ctest --test-dir build/release --no-tests=error --output-on-failure -j "$jobs" "$@"
}

# Real modules: the folder that SPB_CORPORA names, or else the unpacked archive next to the checkout.
archive=../shared/corpora/modules.tar.xz
if [ -z "${SPB_CORPORA:-}" ] && [ -e "$archive" ]; then
	SPB_CORPORA=$PWD/build/corpora
	if [ ! -e "$SPB_CORPORA/modules.tsv" ] || [ "$archive" -nt "$SPB_CORPORA/modules.tsv" ]; then
		rm -rf "$SPB_CORPORA" "$SPB_CORPORA.new" && mkdir -p "$SPB_CORPORA.new"
		tar -xf "$archive" -C "$SPB_CORPORA.new"
		cat "${archive%.tar.xz}.tsv" >"$SPB_CORPORA.new/modules.tsv"
		mv "$SPB_CORPORA.new" "$SPB_CORPORA" # so that it is never incomplete
	fi
fi
SPB_CORPORA=${SPB_CORPORA:-}
[ -n "$SPB_CORPORA" ] || echo "test.sh: without the tests of real modules: SPB_CORPORA names no folder of them"

if [ "${1:-}" = quick ]; then # between edits: installs nothing
	shift
	cmake --preset release -DSPB_BUILD_TESTS=ON "-DSPB_CORPORA=$SPB_CORPORA" >/dev/null
	cmake --build --preset release | tail -n 1
	test_release -LE 'slow|memory|vulkan|fuzz' "$@"
	exit
fi

all=OFF
if [ "${1:-}" = all ]; then
	shift
	all=ON
fi
install=(scripts/install.sh)
[ "${1:-}" != clients ] || install+=(--clients)
env=$("${install[@]}" --env)
eval "$env"
case ${1:-} in
platforms | release | clients)
	label=${1%s}
	shift
	cmake --preset release -DSPB_BUILD_TESTS=ON "-DSPB_CORPORA=$SPB_CORPORA" >/dev/null
	cmake --build --preset release | tail -n 1
	ctest --test-dir build/release --no-tests=error --output-on-failure -L "$label" "$@"
	exit
	;;
esac
settings=("-DSPB_LAVAPIPE_ICD=$SPB_LAVAPIPE_ICD" "-DSPB_SWIFTSHADER_ICD=$SPB_SWIFTSHADER_ICD" "-DSPB_TEST_ALL=$all"
	"-DSPB_CORPORA=$SPB_CORPORA")

# Tools of Debian sid that support SPV_EXT_descriptor_heap, and its list of VUIDs.
SPB_SID_SECONDS=${SPB_SID_SECONDS:-120} scripts/sid_root.sh >/dev/null ||
	echo "test.sh: without descriptor_heap_sid and vuids: Debian sid is not available"

# Cached modules of compilers (test/running.py) that no test has used for a month.
compiled=${XDG_CACHE_HOME:-$HOME/.cache}/spirv-bind/compiled
[ ! -d "$compiled" ] || find "$compiled" -type f -atime +30 -delete

echo "== format"
git ls-files 'src/*.[ch]' 'include/*.h' 'test/*.[ch]' 'test/*.cpp' |
	xargs -P "$(nproc)" -n 50 clang-format --dry-run --Werror
echo "== build: release"
cmake --preset release -DSPB_BUILD_TESTS=ON "${settings[@]}" >/dev/null
cmake --build --preset release | tail -n 1
echo "== build: debug with sanitizers"
cmake --preset debug "${settings[@]}" >/dev/null
cmake --build --preset debug | tail -n 1
echo "== test: release"
test_release -LE 'memory|farm|platform|release|clients' "$@"
echo "== test: debug with sanitizers"
ctest --test-dir build/debug --output-on-failure -j "$jobs" -LE 'slow|vulkan|farm|platform|release|clients' "$@"
if [ $# = 0 ]; then
	echo "== threads"
	scripts/threads.sh
	echo "== fuzz"
	scripts/fuzz.sh 1
fi
