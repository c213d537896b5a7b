#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks, without installing anything, zink of the Mesa that the machine's lavapipe is from: Debian's backports. Prints
# the folder, below which test/vulkan/layer/zink.py looks for it. Exits with 1 if no mirror has it.
set -euo pipefail

PACKAGES=(mesa-libgallium libegl-mesa0 libgbm1)
version=$(dpkg-query -W -f='${Version}' mesa-vulkan-drivers)
root=${XDG_CACHE_HOME:-$HOME/.cache}/spirv-bind/zink-$version
if [ ! -e "$root" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	chmod a+rx "$work" # for apt's download user
	mkdir -p "$work/lists/partial"
	code=$(. /etc/os-release && echo "$VERSION_CODENAME")
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
		awk -v code="$code" -v key=/usr/share/keyrings/debian-archive-keyring.gpg '
			$2 == code && $3 == "main" { print "deb [signed-by=" key "]", $1, code "-backports main" }' |
		sort -u >"$work/sources.list"
	apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=-
		-o "Dir::State::lists=$work/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
	"${apt[@]}" update >&2
	(cd "$work" && "${apt[@]}" download "${PACKAGES[@]/%/=$version}" >&2)
	for package in "$work"/*.deb; do
		dpkg -x "$package" "$work/root"
	done
	mkdir -p "$(dirname "$root")"
	mv -T "$work/root" "$root" 2>/dev/null || [ -e "$root" ] # another run was faster
fi
echo "$root"
