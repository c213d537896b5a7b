#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a root file system with the essential packages and apt of the Debian release that this machine runs, for testing
# packages on a bare system (test/release.py). The machine itself is not changed: debootstrap unpacks into a cache
# folder, from the Debian mirror that this machine uses.
#
#     root=$(scripts/bare_root.sh)      makes it unless it exists; prints its path. Do not change it: copy it.
#     chroot COPY apt-get …             apt in it uses the same mirror
#
#     SPB_BARE_ROOT                     the folder (default: spirv-bind/bare in the user's cache)
#
# Exits with 1 and the reason on stderr on failure (no root, no mirror, no network). 0.2 GB, half a minute.
set -euo pipefail

ROOT=${SPB_BARE_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/spirv-bind/bare}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

fail() { echo "bare_root.sh: $*" >&2 && exit 1; }

[ $# = 0 ] || { echo "usage: $0" >&2 && exit 2; }
if [ -x "$ROOT/usr/bin/apt-get" ]; then
	echo "$ROOT"
	exit 0
fi
[ "$(id -u)" = 0 ] || fail "only root can make a root that programs run in"
TEMP=$(mktemp -d)
trap 'rm -rf "$TEMP"' EXIT
code=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' "Codename: $code" |
	sort -u | head -n 1)
[ -n "$mirror" ] || fail "found no Debian $code mirror among this machine's apt sources"
if ! command -v debootstrap >/dev/null; then
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends debootstrap >"$TEMP/log" 2>&1 ||
		fail "debootstrap is missing and cannot be installed: $(tail -n 1 "$TEMP/log")"
fi
mkdir -p "$(dirname "$ROOT")"
rm -rf "$ROOT.new"
if ! debootstrap --variant=minbase --keyring="$KEYRING" "$code" "$ROOT.new" "$mirror" >"$TEMP/log" 2>&1 ||
	! chroot "$ROOT.new" apt-get -qq update >"$TEMP/log" 2>&1; then
	rm -rf "$ROOT.new"
	fail "it cannot be made: $(tail -n 1 "$TEMP/log")"
fi
rm -rf "$ROOT" && mv "$ROOT.new" "$ROOT" # so that it is never incomplete
echo "$ROOT"
