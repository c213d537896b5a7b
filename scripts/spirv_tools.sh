#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the static library of the newest SPIRV-Tools in any Debian suite, in a cache folder. Debian 12's version,
# 2023.1, does not support much of what compilers have emitted since; cmake -DSPB_SPIRV_TOOLS=newest links this one
# instead.
#
#     prefix=$(scripts/spirv_tools.sh)              makes it unless it exists; prints its path
#     scripts/spirv_tools.sh --where                prints the path only; exit 1 if it does not exist
#
# It is built from the source package. If the mirror lacks that, the library of the binary package is used, together
# with the four functions that it expects from a newer C and C++ runtime than Debian 12's. The machine itself is not
# changed and root is not needed: apt runs with separate lists, on the Debian mirror that the machine uses, and checks
# what it fetches. Exits with 1 and the reason on stderr on failure (no mirror, no network, no compiler).
#
#     SPB_SPIRV_TOOLS_DIR      the folder (default: spirv-bind/spirv-tools in the user's cache); to get a newer version
#                              later, remove it
#     SPB_SPIRV_TOOLS_FROM     source or binary: only this kind of package
#     SPB_SPIRV_TOOLS_SUITES   the suites that are searched
#     SPB_JOBS                 parallel compilers (default: one per core)
set -euo pipefail

PREFIX=${SPB_SPIRV_TOOLS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/spirv-bind/spirv-tools}
FROM=${SPB_SPIRV_TOOLS_FROM:-any}
SUITES=${SPB_SPIRV_TOOLS_SUITES:-stable testing unstable experimental}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

fail() { echo "spirv_tools.sh: $*" >&2 && exit 1; }
say() { echo "spirv_tools.sh: $*" >&2; }

case "${1-}" in
'' | --where) ;;
*) echo "usage: $0 [--where]" >&2 && exit 2 ;;
esac
if [ -s "$PREFIX/version" ]; then
	echo "$PREFIX"
	exit 0
fi
[ "${1-}" != --where ] || exit 1

TEMP=$(mktemp -d)
trap 'rm -rf "$TEMP"' EXIT
logged() { "$@" >"$TEMP/log" 2>&1; }
last_line() { grep -v '^$' "$TEMP/log" | tail -n 1; }

for tool in cmake ninja c++ ar python3 dpkg-deb; do
	command -v "$tool" >/dev/null || fail "$tool is missing (scripts/install.sh installs what is needed)"
done
code=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' "Codename: $code" |
	sort -u | head -n 1)
[ -n "$mirror" ] || fail "found no Debian mirror among this machine's apt sources"

# A separate apt configuration: it knows only these suites, and no installed packages.
mkdir -p "$TEMP"/apt/{lists,cache,cache/archives,parts}/partial
: >"$TEMP/apt/status"
for suite in $SUITES; do
	printf '%s [signed-by=%s] %s %s main\n' deb "$KEYRING" "$mirror" "$suite" deb-src "$KEYRING" "$mirror" "$suite"
done >"$TEMP/apt/sources.list"
options=(-o Dir::Etc::sourcelist="$TEMP/apt/sources.list" -o Dir::Etc::sourceparts="$TEMP/apt/parts"
	-o Dir::State="$TEMP/apt" -o Dir::State::lists="$TEMP/apt/lists" -o Dir::State::status="$TEMP/apt/status"
	-o Dir::Cache="$TEMP/apt/cache" -o Acquire::Languages=none)
[ "$(id -u)" != 0 ] || options+=(-o APT::Sandbox::User=root) # apt's user could not write here
logged apt-get -qq "${options[@]}" update || fail "apt-get update failed: $(last_line)"

newest() { # the newest of the versions in the column after the package's name
	apt-cache "${options[@]}" madison "$1" |
		awk -F'|' -v kind="$2" '$3 ~ kind { gsub(/ /, "", $2); print $2 }' | sort -u | {
		best=
		while read -r version; do
			if [ -z "$best" ] || dpkg --compare-versions "$version" gt "$best"; then best=$version; fi
		done
		echo "$best"
	}
}

fetch_source() { # into $TEMP/spirv-tools
	local version archive
	version=$(newest spirv-tools 'Sources$')
	mkdir -p "$TEMP/fetched" "$TEMP/spirv-tools"
	(cd "$TEMP/fetched" &&
		logged apt-get -qq "${options[@]}" --only-source --download-only source "spirv-tools=$version") ||
			return 1
	archive=$(find "$TEMP/fetched" -name 'spirv-tools_*.orig.tar.*' ! -name '*.asc')
	logged tar -xf "$archive" -C "$TEMP/spirv-tools" --strip-components=1 || return 1
	echo "$version"
}

unpack() { # the newest version of the package $1
	local version
	version=$(newest "$1" 'Packages$')
	(cd "$TEMP" && logged apt-get -qq "${options[@]}" download "$1=$version") ||
		fail "the package $1 $version cannot be fetched: $(last_line)"
	dpkg-deb -x "$TEMP/$1"_*.deb "$TEMP/unpacked"
}

build() { # only the library: no optimizer, linker, tests or programs; the headers with the grammar come from a package
	local tools=$TEMP/spirv-tools
	logged cmake -S "$tools" -B "$tools/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
		-DSPIRV-Headers_SOURCE_DIR="$TEMP/unpacked/usr" -DSPIRV_SKIP_TESTS=ON -DSPIRV_SKIP_EXECUTABLES=ON \
		-DSPIRV_WERROR=OFF || fail "SPIRV-Tools cannot be configured: $(last_line)"
	logged cmake --build "$tools/build" -j "${SPB_JOBS:-$(nproc)}" --target SPIRV-Tools-static ||
		fail "SPIRV-Tools does not build: $(last_line)"
	find "$tools/build" -name libSPIRV-Tools.a -exec cp {} "$TEMP/out/lib/" \;
	cp "$tools"/include/spirv-tools/libspirv.h* "$TEMP/out/include/spirv-tools/"
}

# Functions that its objects expect from glibc 2.38 and GCC 13. Weak: unused where the runtime has them.
adapt() {
	cat >"$TEMP/runtime.cpp" <<'END'
#include <cstdlib>
#include <ios>
#define WEAK __attribute__((weak))
extern "C" {
WEAK unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
WEAK long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
WEAK unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }
}
namespace std {
WEAK void ios_base_library_init() { static ios_base::Init streams; }
}
END
	c++ -O2 -fPIC -c "$TEMP/runtime.cpp" -o "$TEMP/runtime.o" || fail "the C++ compiler does not work"
	ar r "$TEMP/out/lib/libSPIRV-Tools.a" "$TEMP/runtime.o"
}

mkdir -p "$TEMP"/out/{lib,include/spirv-tools}
version=
if [ "$FROM" != binary ] && tools=$(fetch_source); then
	version="$tools, built from source"
	say "building SPIRV-Tools $tools (some minutes, once)"
	unpack spirv-headers
	build
elif [ "$FROM" != source ]; then
	if [ "$FROM" != binary ]; then
		why=$(grep -m 1 -o '404 .*Not Found' "$TEMP/log" || last_line)
		say "no source package, so the binary one is taken: $why"
	fi
	for package in spirv-tools-dev spirv-tools-headers; do unpack "$package"; done
	version="$(newest spirv-tools-dev 'Packages$'), the library of Debian's binary package"
	cp "$TEMP"/unpacked/usr/include/spirv-tools/libspirv.h* "$TEMP/out/include/spirv-tools/"
	cp "$(find "$TEMP/unpacked" -name libSPIRV-Tools.a)" "$TEMP/out/lib/"
	logged adapt || fail "the library cannot be adapted to this machine: $(last_line)"
else
	fail "no source package: $(last_line)"
fi
cat >"$TEMP/try.cpp" <<'END'
#include <cstdio>
#include <spirv-tools/libspirv.h>
int main()
{
	const uint32_t words[] = {0x07230203, 0x10000, 0, 1, 0, 2 << 16 | 17, 1, 3 << 16 | 14, 0, 1};
	spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_0);
	spv_const_binary_t binary = {words, 10};
	if (spvValidate(context, &binary, nullptr) == SPV_SUCCESS) // without an entry point it is not valid
		return 1;
	puts(spvSoftwareVersionString());
}
END
logged c++ -I"$TEMP/out/include" "$TEMP/try.cpp" "$TEMP/out/lib/libSPIRV-Tools.a" -o "$TEMP/try" ||
	fail "the library does not link: $(last_line)"
logged "$TEMP/try" || fail "the library does not run: $(last_line)"
say "$version: $(cat "$TEMP/log")"
echo "$version" >"$TEMP/out/version"
mkdir -p "$(dirname "$PREFIX")"
rm -rf "$PREFIX.new" && cp -a "$TEMP/out" "$PREFIX.new"
rm -rf "$PREFIX" && mv "$PREFIX.new" "$PREFIX" # so that it is never incomplete
echo "$PREFIX"
