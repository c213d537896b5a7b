#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the command for platforms other than this machine's, and runs the golden fixtures there.
#
#     scripts/platforms.sh                  all of them
#     scripts/platforms.sh s390x clang …    some: s390x aarch64 i386 clang syntax windows musl
#
#     s390x aarch64 i386   Debian's cross compilers and SPIRV-Tools for that architecture. s390x is big-endian; i386 has
#                          32-bit pointers, and runs natively. The others run under qemu-user, with one fixture of five
#                          (SPB_EVERY=1: all of them)
#     clang                clang, with its own warnings as errors
#     windows              MinGW, with SPIRV-Tools and jansson of scripts/cross_root.sh; runs in wine, with
#                          test/windows.py as well: names, folders, replacing files, running compilers
#     musl                 musl-gcc, which compiles C only: without SPIRV-Tools, so fixtures are bound with
#                          --validate=none, and those that need an assembler or a validator are left out
#     syntax               the library, only parsed, as compilers for Windows and macOS would, with substitute headers
#
# Installs what is missing if possible. Platforms that are not available are skipped with a message; the exit status is
# 77 if nothing could be checked, and 1 on a failure.
set -uo pipefail
cd "$(dirname "$0")/.."

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/spirv-bind/cross
SUDO=()
[ "$(id -u)" = 0 ] || SUDO=(sudo -n)
done=0 failed=0
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)

skip() {
	echo "platforms.sh: $1 is skipped: $2" >&2
}

fail() {
	echo "platforms.sh: $1: $2" >&2
	failed=1
}

# install PACKAGE…: quietly, from this machine's sources
install() {
	"${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive \
		apt-get install -qq -y --no-install-recommends "$@" >/dev/null 2>&1
}

# fetch ARCHITECTURE PACKAGE…: unpacks packages of another architecture into its root. apt uses separate lists, so the
# machine itself is not changed.
fetch() {
	local architecture=$1 work root=$CACHE/$1
	shift
	[ -d "$root" ] && return
	work=$(mktemp -d)
	mkdir -p "$work"/{lists,archives,debs}
	cat >"$work/apt.conf" <<-END
		APT::Architecture "$architecture";
		APT::Architectures { "$architecture"; };
		APT::Sandbox::User "";
		Dir::State::lists "$work/lists";
		Dir::State::status "/dev/null";
		Dir::Cache "$work";
	END
	APT_CONFIG=$work/apt.conf apt-get update -qq >/dev/null 2>&1
	(cd "$work/debs" && APT_CONFIG=$work/apt.conf apt-get download -qq "$@" >/dev/null 2>&1) || return
	mkdir -p "$CACHE"
	for package in "$work"/debs/*.deb; do
		dpkg-deb -x "$package" "$work/root" || return
	done
	ln -s /usr/include/spirv "$work/root/usr/include/spirv" # architecture-independent
	mv "$work/root" "$root" 2>/dev/null
	rm -rf "$work"
	[ -d "$root" ]
}

# golden NAME BINARY OPTION…: runs the golden fixtures with the program that was built
golden() {
	local last name=$1 binary=$2
	shift 2
	if ! last=$(python3 test/fixtures.py golden --bind "$binary" "$@" 2>&1); then
		echo "$last" | tail -n 40 >&2
		fail "$name" "golden fixtures fail"
		return
	fi
	echo "$name: $(echo "$last" | tail -n 1)"
	done=1
}

# build NAME OPTION…
build() {
	local name=$1
	shift
	cmake -G Ninja -S . -B "build/$name" -DCMAKE_BUILD_TYPE=Release -DSPB_WERROR=ON -DSPB_BUILD_TESTS=OFF \
		"${launcher[@]}" "$@" >"build/$name.log" 2>&1 &&
		cmake --build "build/$name" >>"build/$name.log" 2>&1 && return
	tail -n 40 "build/$name.log" >&2
	fail "$name" "does not build (build/$name.log)"
	return 1
}

# cross NAME TRIPLET EMULATOR: "" runs natively
cross() {
	local name=$1 triplet=$2 emulator=$3 root=$CACHE/$1 run=build/$1/run
	command -v "$triplet-g++" >/dev/null || install "g++-$triplet"
	command -v "$triplet-g++" >/dev/null || { skip "$name" "no g++-$triplet" && return; }
	if [ -n "$emulator" ] && ! command -v "$emulator" >/dev/null; then
		install qemu-user-static
		command -v "$emulator" >/dev/null || { skip "$name" "no $emulator" && return; }
	fi
	fetch "$name" spirv-tools libjansson-dev ||
		{ skip "$name" "Debian's packages for it cannot be fetched" && return; }
	mkdir -p "build/$name"
	cat >"build/$name/toolchain.cmake" <<-END
		set(CMAKE_SYSTEM_NAME Linux)
		set(CMAKE_SYSTEM_PROCESSOR $name)
		set(CMAKE_LIBRARY_ARCHITECTURE $triplet)
		set(CMAKE_C_COMPILER $triplet-gcc)
		set(CMAKE_CXX_COMPILER $triplet-g++)
		set(CMAKE_FIND_ROOT_PATH $root)
		set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
		set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
		set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
		set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
	END
	build "$name" "-DCMAKE_TOOLCHAIN_FILE=build/$name/toolchain.cmake" || return
	printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$emulator" "$PWD/build/$name/spirv-bind" >"$run"
	chmod +x "$run"
	golden "$name" "$run" ${emulator:+--every "${SPB_EVERY:-5}"}
}

with_clang() {
	command -v clang >/dev/null || install clang
	command -v clang >/dev/null || { skip clang "no clang" && return; }
	build clang -DCMAKE_C_COMPILER=clang && golden clang build/clang/spirv-bind
}

# Wine keeps a server and services running for each of its folders. If our first program started them, reading its
# output would also wait for them to end; and if they ended with it, the next program would take two seconds.
in_wine() {
	export WINEPREFIX=$PWD/build/windows/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LC_ALL=C.UTF-8
	mkdir -p "$WINEPREFIX"
	setsid wineserver -p </dev/null >/dev/null 2>&1
	timeout 120 wine cmd /c exit </dev/null >/dev/null 2>&1
	"$@"
	wineserver -k
}

windows_tests() {
	local run=$PWD/build/windows/run last
	printf '#!/bin/sh\nexec wine "%s" "$@"\n' "$PWD/build/windows/spirv-bind.exe" >"$run"
	chmod +x "$run"
	if ! last=$(python3 test/windows.py --bind "$run" 2>&1); then
		echo "$last" | tail -n 40 >&2
		fail windows "test/windows.py fails"
	fi
	golden windows "$run"
}

windows() {
	local root tool
	for tool in gcc g++; do
		command -v "x86_64-w64-mingw32-$tool-posix" >/dev/null || install "$tool-mingw-w64-x86-64-posix"
	done
	command -v wine >/dev/null || install wine64 wine
	command -v wine >/dev/null && command -v wineserver >/dev/null || { skip windows "no wine" && return; }
	root=$(scripts/cross_root.sh windows) || { skip windows "its libraries are not available" && return; }
	build windows "-DCMAKE_TOOLCHAIN_FILE=$root/toolchain.cmake" && in_wine windows_tests
}

musl() {
	local root said run=build/musl/run
	command -v musl-gcc >/dev/null || install musl-tools
	root=$(scripts/cross_root.sh musl) || { skip musl "its libraries are not available" && return; }
	build musl "-DCMAKE_TOOLCHAIN_FILE=$root/toolchain.cmake" -DSPB_SPIRV_TOOLS=none || return
	said=$(build/musl/spirv-bind check x.spv 2>&1)
	if [[ $said = *'without SPIRV-Tools and cannot validate'*'Add --validate=none'* ]]; then
		printf '#!/bin/sh\ncase $1 in explain|pass) exec "%s" "$@" ;; esac\nexec "%s" "$@" --validate=none\n' \
			"$PWD/build/musl/spirv-bind" "$PWD/build/musl/spirv-bind" >"$run"
		chmod +x "$run"
		golden musl "$run" --without-tools
	else
		fail musl "a command without SPIRV-Tools does not refuse to validate"
	fi
}

# Parses the library without generating code: with MSVC's dialect and sizes (long has 32 bits), and as for macOS. Debian
# has none of their headers, so those of MinGW and musl are used instead.
syntax() {
	local headers file log wrong=0
	command -v clang >/dev/null || install clang
	[ -d /usr/share/mingw-w64/include ] || install mingw-w64-common
	[ -d "/usr/include/$(uname -m)-linux-musl" ] || install musl-dev
	command -v clang >/dev/null && [ -d /usr/share/mingw-w64/include ] &&
		[ -d "/usr/include/$(uname -m)-linux-musl" ] ||
		{ skip syntax "no clang, or no headers of MinGW and musl" && return; }
	headers=$(mktemp -d)
	ln -s /usr/include/spirv /usr/include/spirv-tools "$headers"
	for target in "x86_64-pc-windows-msvc -fgnuc-version=4.2.1 -isystem /usr/share/mingw-w64/include" \
		"arm64-apple-macos11 -isystem /usr/include/$(uname -m)-linux-musl"; do
		log=$(git ls-files 'src/*.c' ':!src/cli' ':!src/layer' |
			xargs -P "$(nproc)" -n 20 clang -fsyntax-only -std=c11 \
			-DSPB_STATIC -Wall -Wextra -Wconversion -Wno-sign-conversion -Werror -Isrc -Iinclude \
			-nostdlibinc --target=$target -isystem "$headers" 2>&1) || wrong=1
		echo -n "$log" | tail -n 40 >&2
	done
	rm -rf "$headers"
	[ $wrong = 0 ] || { fail syntax "compilers of other systems would not take the library" && return; }
	echo "syntax: the library parses for Windows and macOS"
	done=1
}

for name in "${@:-s390x aarch64 i386 clang syntax windows musl}"; do
	for platform in $name; do
		case $platform in
		s390x) cross s390x s390x-linux-gnu qemu-s390x-static ;;
		aarch64) cross arm64 aarch64-linux-gnu qemu-aarch64-static ;;
		i386) cross i386 i686-linux-gnu '' ;;
		clang) with_clang ;;
		syntax) syntax ;;
		windows) windows ;;
		musl) musl ;;
		*) echo "usage: $0 [s390x|aarch64|i386|clang|syntax|windows|musl]…" >&2 && exit 2 ;;
		esac
	done
done
[ $failed = 0 ] || exit 1
[ $done = 1 ] || exit 77
