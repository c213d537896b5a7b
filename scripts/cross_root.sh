#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cross-builds the libraries that the command needs on systems for which Debian has a compiler but no libraries, into a
# cache folder: jansson and, where there is a C++ compiler, SPIRV-Tools (without its optimizer), as static libraries
# from this release's Debian source packages.
#
#     root=$(scripts/cross_root.sh windows)   with MinGW; SPIRV-Tools takes five minutes of a core, once
#     root=$(scripts/cross_root.sh musl)      with musl-gcc, which compiles no C++
#
# The folder has include, lib, and toolchain.cmake for builds against them. The machine itself is not changed and root
# is not needed: apt runs with separate lists, on the Debian mirror that the machine uses, and checks what it fetches.
# Exits with 1 and the reason on stderr on failure (no compiler, no mirror, no source packages).
#
#     SPB_CROSS_DIR        parent of the folders (default: spirv-bind/cross in the user's cache)
#     SPB_JOBS             parallel compilers (default: one per core)
set -euo pipefail

SYSTEM=${1-}
PREFIX=${SPB_CROSS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/spirv-bind/cross}/$SYSTEM
TRIPLET=x86_64-w64-mingw32
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

fail() { echo "cross_root.sh: $*" >&2 && exit 1; }

case $SYSTEM in
# MinGW's runtime with POSIX threads, which the command uses
windows) tools=("$TRIPLET-gcc-posix" "$TRIPLET-g++-posix") packages=(jansson spirv-tools) ;;
musl) tools=(musl-gcc) packages=(jansson) ;;
*) echo "usage: $0 windows|musl" >&2 && exit 2 ;;
esac
if [ -s "$PREFIX/toolchain.cmake" ]; then
	echo "$PREFIX"
	exit 0
fi
for tool in cmake ninja python3 "${tools[@]}"; do
	command -v "$tool" >/dev/null || fail "$tool is missing"
done
[ -d /usr/include/spirv/unified1 ] || fail "the package spirv-headers is missing"
TEMP=$(mktemp -d)
trap 'rm -rf "$TEMP"' EXIT
logged() { "$@" >"$TEMP/log" 2>&1; }
last_line() { grep -v '^$' "$TEMP/log" | tail -n 1; }

code=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' "Codename: $code" |
	sort -u | head -n 1)
[ -n "$mirror" ] || fail "found no Debian mirror among this machine's apt sources"
mkdir -p "$TEMP"/apt/{lists,cache,cache/archives,parts}/partial "$TEMP/fetched"
: >"$TEMP/apt/status"
echo "deb-src [signed-by=$KEYRING] $mirror $code main" >"$TEMP/apt/sources.list"
options=(-o Dir::Etc::sourcelist="$TEMP/apt/sources.list" -o Dir::Etc::sourceparts="$TEMP/apt/parts"
	-o Dir::State="$TEMP/apt" -o Dir::State::lists="$TEMP/apt/lists" -o Dir::State::status="$TEMP/apt/status"
	-o Dir::Cache="$TEMP/apt/cache" -o Acquire::Languages=none)
[ "$(id -u)" != 0 ] || options+=(-o APT::Sandbox::User=root) # apt's user could not write here
logged apt-get -qq "${options[@]}" update || fail "apt-get update failed: $(last_line)"
(cd "$TEMP/fetched" && logged apt-get -qq "${options[@]}" --download-only source "${packages[@]}") ||
	fail "no source packages: $(last_line)"

mkdir -p "$TEMP/out/include"
if [ "$SYSTEM" = windows ]; then
	cat >"$TEMP/out/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_C_COMPILER $TRIPLET-gcc-posix)
set(CMAKE_CXX_COMPILER $TRIPLET-g++-posix)
set(CMAKE_RC_COMPILER $TRIPLET-windres)
END
else
	cat >"$TEMP/out/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER musl-gcc)
include_directories(SYSTEM \${CMAKE_CURRENT_LIST_DIR}/include)
END
fi
cat >>"$TEMP/out/toolchain.cmake" <<END
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_FIND_ROOT_PATH \${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
END

launcher=()
! command -v ccache >/dev/null ||
	launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

# build PACKAGE TARGET OPTION…
build() {
	local package=$1 target=$2
	shift 2
	mkdir "$TEMP/$package"
	logged tar -xf "$(find "$TEMP/fetched" -name "${package}_*.orig.tar.gz")" -C "$TEMP/$package" \
		--strip-components=1 || fail "the sources of $package cannot be unpacked"
	logged cmake -G Ninja -S "$TEMP/$package" -B "$TEMP/$package/build" -DCMAKE_BUILD_TYPE=Release \
		"-DCMAKE_TOOLCHAIN_FILE=$TEMP/out/toolchain.cmake" "-DCMAKE_INSTALL_PREFIX=$TEMP/out" \
		"${launcher[@]}" "$@" ||
		fail "$package cannot be configured: $(last_line)"
	logged cmake --build "$TEMP/$package/build" -j "${SPB_JOBS:-$(nproc)}" --target "$target" ||
		fail "$package does not build: $(grep -m 1 'error' "$TEMP/log" || last_line)"
}

build jansson install -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON
ln -s /usr/include/spirv "$TEMP/out/include/spirv" # architecture-independent
build_spirv_tools() {
	mkdir -p "$TEMP/headers/include" # without the headers of this machine's C library
	ln -s /usr/include/spirv "$TEMP/headers/include/spirv"
	build spirv-tools SPIRV-Tools-static "-DSPIRV-Headers_SOURCE_DIR=$TEMP/headers" -DSPIRV_SKIP_TESTS=ON \
		-DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_WERROR=OFF
	mkdir -p "$TEMP/out/include/spirv-tools" "$TEMP/out/lib/cmake/SPIRV-Tools"
	cp "$(find "$TEMP/spirv-tools/build" -name libSPIRV-Tools.a)" "$TEMP/out/lib/"
	cp "$TEMP"/spirv-tools/include/spirv-tools/libspirv.h* "$TEMP/out/include/spirv-tools/"
	cat >"$TEMP/out/lib/cmake/SPIRV-Tools/SPIRV-ToolsConfig.cmake" <<'END'
add_library(SPIRV-Tools-static STATIC IMPORTED)
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set_target_properties(SPIRV-Tools-static PROPERTIES IMPORTED_LOCATION ${root}/lib/libSPIRV-Tools.a
	IMPORTED_LINK_INTERFACE_LANGUAGES CXX INTERFACE_INCLUDE_DIRECTORIES ${root}/include)
END
}
[ "$SYSTEM" != windows ] || build_spirv_tools
mkdir -p "$(dirname "$PREFIX")"
rm -rf "$PREFIX.new" && cp -a "$TEMP/out" "$PREFIX.new"
rm -rf "$PREFIX" && mv "$PREFIX.new" "$PREFIX" # so that it is never incomplete
echo "$PREFIX"
