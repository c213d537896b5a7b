#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a scratch root with the tools of Debian sid that support SPV_EXT_descriptor_heap: spirv-val, spirv-as, glslang,
# lavapipe and the validation layer. The machine itself is not changed: debootstrap unpacks into a cache folder, from
# the Debian mirror that this machine uses, and configures nothing. The programs run with the loader of the root:
#
#     root=$(scripts/sid_root.sh)                   makes it unless it exists; prints its path
#     $root/run-here spirv-val --target-env vulkan1.3 bound.spv
#     scripts/sid_root.sh --where                   prints the path only; exit 1 if it does not exist
#
# SPB_SID_ROOT names another folder, and SPB_SID_MORE further packages with their dependencies, not all of which
# debootstrap finds. For test/build_farm.py:
#
#     SPB_SID_ROOT=~/.cache/spirv-bind/buildbox SPB_SID_MORE=buildbox,libre2-11 scripts/sid_root.sh
#
# Exits with 1 and the reason on stderr on failure (no mirror, no root, no network, SPB_SID_SECONDS exceeded). 0.5 GB.
set -euo pipefail

ROOT=${SPB_SID_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/spirv-bind/sid}
SECONDS_ALLOWED=${SPB_SID_SECONDS:-240}
WANTED=spirv-tools,glslang-tools,mesa-vulkan-drivers,vulkan-validationlayers,libvulkan1,libvulkan-dev
WANTED+=${SPB_SID_MORE:+,$SPB_SID_MORE}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
SUDO=()
[ "$(id -u)" = 0 ] || SUDO=(sudo -n)

fail() { echo "sid_root.sh: $*" >&2 && exit 1; }

case "${1-}" in
'') ;;
--where) [ -x "$ROOT/run-here" ] || exit 1 && echo "$ROOT" && exit 0 ;;
*) echo "usage: $0 [--where]" >&2 && exit 2 ;;
esac
if [ -x "$ROOT/run-here" ]; then
	echo "$ROOT"
	exit 0
fi

TEMP=$(mktemp -d)
trap '"${SUDO[@]}" rm -rf "$TEMP"' EXIT
"${SUDO[@]}" true 2>/dev/null || fail "needs root, or sudo without a password"
code=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' "Codename: $code" |
	sort -u | head -n 1)
[ -n "$mirror" ] || fail "found no Debian $code mirror among this machine's apt sources"
if ! command -v debootstrap >/dev/null; then
	for try in 1 2; do
		"${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
			--no-install-recommends debootstrap >"$TEMP/log" 2>&1 && break
		[ $try = 1 ] || fail "debootstrap is missing and cannot be installed: $(tail -n 1 "$TEMP/log")"
		"${SUDO[@]}" apt-get update -qq >"$TEMP/log" 2>&1 ||
			fail "apt-get update failed: $(tail -n 1 "$TEMP/log")"
	done
fi

echo "sid_root.sh: unpacking Debian sid into $ROOT (0.5 GB, once)" >&2
# --foreign: unpack and run nothing. The packages of --include are then only fetched.
"${SUDO[@]}" timeout "$SECONDS_ALLOWED" debootstrap --foreign --variant=minbase --include="$WANTED" \
	--keyring="$KEYRING" sid "$TEMP/sid" \
	"$mirror" >"$TEMP/log" 2>&1 ||
	fail "debootstrap failed, or took longer than $SECONDS_ALLOWED s: $(tail -n 1 "$TEMP/log")"
for package in "$TEMP"/sid/var/cache/apt/archives/*.deb; do
	"${SUDO[@]}" dpkg-deb -x "$package" "$TEMP/sid"
done
"${SUDO[@]}" rm -rf "$TEMP"/sid/var/cache "$TEMP"/sid/usr/share/{doc,man,locale,info,zoneinfo} "$TEMP"/sid/dev
libraries=$(dirname "$(find "$TEMP/sid/usr/lib" -name 'ld-linux-*.so*' -o -name 'ld-*.so.2' | head -n 1)")
[ -x "$TEMP/sid/usr/bin/spirv-val" ] && [ -d "$libraries" ] || fail "the packages came without spirv-val or a loader"
libraries=${libraries#"$TEMP/sid"}
loader=$(basename "$(ls "$TEMP/sid$libraries"/ld-linux-*.so* | head -n 1)")
cat >"$TEMP/run" <<EOF
#!/bin/sh
# Runs a program of this root, or any other by its path, with the loader and the libraries of this root, on its
# lavapipe.
root=\$(dirname "\$(realpath "\$0")")
case \$1 in
/*) program=\$1 ;;
*) program=\$root/usr/bin/\$1 ;;
esac
shift
export VK_DRIVER_FILES="\$root/lavapipe.json" VK_LAYER_PATH="\$root/layers"
exec "\$root$libraries/$loader" --library-path "\$root$libraries" "\$program" "\$@"
EOF
"${SUDO[@]}" chown -R "$(id -u):$(id -g)" "$TEMP/sid"
mkdir -p "$(dirname "$ROOT")" "$ROOT.new"
rm -rf "$ROOT.new" && cp -a "$TEMP/sid" "$ROOT.new"
install -m 755 "$TEMP/run" "$ROOT.new/run-here"
mkdir "$ROOT.new/layers"
relocate() { # rewrites the JSON file of a driver or layer to name its library by path
	[ ! -e "$1" ] || sed -E "s|(\"library_path\": *\")(.*/)?|\1$ROOT$libraries/|" "$1" >"$2"
}
relocate "$(find "$ROOT.new/usr/share/vulkan/icd.d" -name 'lvp_icd*.json' 2>/dev/null | head -n 1)" \
	"$ROOT.new/lavapipe.json"
relocate "$ROOT.new/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json" \
	"$ROOT.new/layers/khronos_validation.json"
"$ROOT.new/run-here" spirv-val --version >"$TEMP/log" 2>&1 ||
	fail "its spirv-val does not run: $(tail -n 1 "$TEMP/log")"
rm -rf "$ROOT" && mv "$ROOT.new" "$ROOT" # so that it is never incomplete
echo "$ROOT"
