#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the published files of a version from the tracked files in this working tree:
#
#     scripts/release.sh [FOLDER]     everything, into FOLDER or build/dist
#     scripts/release.sh --check      makes nothing; checks that the files agree on the version (exit 1 if not)
#
#     spirv-bind-VERSION.tar.gz                    the source
#     spirv-bind-VERSION-linux-PROCESSOR.tar.gz    the command, linked statically: it runs on any Linux, from any folder
#     libspirv-bind0.1_VERSION-0upstream1_*.deb    packages for Debian (scripts/release/debian): the shared library,
#     libspirv-bind-dev_VERSION-0upstream1_*.deb   the files for compiling against it,
#     spirv-bind_VERSION-0upstream1_*.deb          and the command; lintian has to accept them
#     spirv-bind-VERSION.spdx.json                 the bill of materials: these files, and the libraries in them
#     CHANGELOG.md, SHA256SUMS
#
# The same files and tools give the same bytes, in any folder and at any time: timestamps are SOURCE_DATE_EPOCH, by
# default the day of the version in CHANGELOG.md. DEBFULLNAME and DEBEMAIL name the packager. Build dependencies are
# installed if they are missing (root or sudo); the exit status is 77, with the reason, if that fails. test/release.py
# tests the result in a bare root.
set -euo pipefail
cd "$(dirname "$0")/.."

BUILD=(gcc g++ cmake ninja-build libjansson-dev libvulkan-dev spirv-tools spirv-headers glslang-tools python3)
PACKAGING=(dpkg-dev debhelper lintian fakeroot)
SUDO=()
[ "$(id -u)" = 0 ] || SUDO=(sudo -n)

fail() { echo "release.sh: $*" >&2 && exit 1; }
say() { echo "release.sh: $*" >&2; }

VERSION=$(sed -n 's/^project(spirv-bind VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
read -r newest day < <(sed -n 's/^## \([0-9.]*\) - \([0-9-]*\)$/\1 \2/p' CHANGELOG.md)

agree() { # WHAT FOUND EXPECTED
	[ "$2" = "$3" ] || fail "$1 says ${2:-nothing}, expected $3, as CMakeLists.txt has version $VERSION"
}
agree "the newest version in CHANGELOG.md" "$newest" "$VERSION"
agree meson.build "$(sed -n "s/^project(.* version: '\([0-9.]*\)'.*/\1/p" meson.build)" "$VERSION"
library=$(sed -n 's/^Package: lib\(spirv-bind[0-9.]*\)$/\1/p' scripts/release/debian/control)
agree "the library in scripts/release/debian/control" "$library" "spirv-bind${VERSION%.*}"
[ -e "scripts/release/debian/lib$library.install" ] || fail "scripts/release/debian/lib$library.install is missing"
case ${1-} in
--check) echo "version $VERSION of $day" && exit ;;
-*) echo "usage: $0 [--check | FOLDER]" >&2 && exit 2 ;;
esac

DIST=$(realpath -m "${1:-build/dist}")
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d "$day" +%s)} LC_ALL=C TZ=UTC
umask 022
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

missing=()
for package in "${BUILD[@]}" "${PACKAGING[@]}"; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
	install=("${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive
		apt-get install -qq -y --no-install-recommends "${missing[@]}")
	if ! "${install[@]}" >"$WORK/log" 2>&1 && ! { "${SUDO[@]}" apt-get update -qq >"$WORK/log" 2>&1 &&
		"${install[@]}" >"$WORK/log" 2>&1; }; then
		say "cannot install ${missing[*]}: $(tail -n 1 "$WORK/log")"
		exit 77
	fi
fi

logged() { # COMMAND…: shows its output if it fails
	"$@" >"$WORK/log" 2>&1 && return
	tail -n 40 "$WORK/log" >&2
	fail "$1 failed"
}

# archive FILE FOLDER [NAMES…]: the same bytes for the same files, regardless of owner and time
archive() {
	local file=$1 folder=$2
	shift 2
	tar -C "$folder" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
		--mode=u+rw,go=rX --format=gnu -c "$@" | gzip -9n >"$file"
}

rm -rf "$WORK/dist" && mkdir "$WORK/dist"

say "source of $VERSION"
name=spirv-bind-$VERSION
mkdir "$WORK/$name"
git ls-files -z --cached --others --exclude-standard --deduplicate | while IFS= read -r -d '' file; do
	[ ! -e "$file" ] || printf '%s\0' "$file" # a file may be deleted but not committed
done | tar --null -T - -c | tar -C "$WORK/$name" -x
git diff --quiet HEAD || say "there are changes that are not committed; they are in it"
archive "$WORK/dist/$name.tar.gz" "$WORK" "$name"

# Nothing that is shipped contains the path of the build folder.
build_static() {
	local source=$WORK/$name build=$WORK/static root=$WORK/static-root processor command licenses package
	processor=$(uname -m)
	say "static command for $processor"
	logged cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr/local \
		-DSPB_BUILD_TESTS=OFF -DSPB_BUILD_SHARED=OFF -DSPB_BUILD_LAYER=OFF -DSPB_STATIC_CLI=ON \
		"-DCMAKE_C_FLAGS=-ffile-prefix-map=$WORK=." "-DCMAKE_CXX_FLAGS=-ffile-prefix-map=$WORK=."
	logged cmake --build "$build"
	logged env DESTDIR="$root" cmake --install "$build" --component command --strip
	command=$root/usr/local/bin/spirv-bind
	! readelf -d "$command" | grep NEEDED || fail "the command is not static"
	rm -rf "$root/usr/local/lib" # CMake files for libraries that are not included
	cp "$source/LICENSE" "$source/CHANGELOG.md" "$root/usr/local"
	# of the libraries in it
	licenses=$root/usr/local/share/doc/spirv-bind/licenses
	mkdir -p "$licenses"
	for package in spirv-tools libjansson-dev libc6-dev "libstdc++-$(gcc -dumpversion)-dev"; do
		cp "/usr/share/doc/$package/copyright" "$licenses/$package"
	done
	mv "$root/usr/local" "$WORK/$name-linux-$processor"
	archive "$WORK/dist/$name-linux-$processor.tar.gz" "$WORK" "$name-linux-$processor"
}

# The source with debian/, for dpkg-buildpackage. Packages that Debian makes, from -1 on, have newer versions.
build_packages() {
	local root=$WORK/packages
	local maintainer="${DEBFULLNAME:-The authors of spirv-bind} <${DEBEMAIL:-maintainers@spirv-bind.example}>"
	say "packages for Debian"
	mkdir "$root"
	cp "$WORK/dist/$name.tar.gz" "$root/spirv-bind_$VERSION.orig.tar.gz"
	cp -a "$WORK/$name" "$root/$name"
	cp -a "$WORK/$name/scripts/release/debian" "$root/$name/debian"
	sed -i "s|@MAINTAINER@|$maintainer|" "$root/$name/debian/control"
	cat >"$root/$name/debian/changelog" <<-END
		spirv-bind ($VERSION-0upstream1) unstable; urgency=medium

		  * Version $VERSION; what is new is in CHANGELOG.md.

		 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
	END
	(cd "$root/$name" && DEB_BUILD_OPTIONS="parallel=$(nproc) noautodbgsym ${DEB_BUILD_OPTIONS-}" \
		logged dpkg-buildpackage --build=binary --no-sign)
	# Names of the SPIR-V grammar follow each other without gaps, so they may or may not look like a misspelled
	# word.
	(cd "$root" && logged lintian --allow-root --fail-on error,warning --display-info \
		--suppress-tags spelling-error-in-binary ./*.changes)
	cat "$WORK/log"
	cp "$root"/*.deb "$WORK/dist"
}

build_static
build_packages
cp CHANGELOG.md "$WORK/dist"
scripts/release/sbom.py --version "$VERSION" --time "$SOURCE_DATE_EPOCH" "$WORK/dist" >"$WORK/$name.spdx.json"
mv "$WORK/$name.spdx.json" "$WORK/dist"
(cd "$WORK/dist" && sha256sum -- * >"$WORK/SHA256SUMS")
mv "$WORK/SHA256SUMS" "$WORK/dist"
mkdir -p "$(dirname "$DIST")"
rm -rf "$DIST" && cp -a "$WORK/dist" "$DIST" # so that it is never incomplete
cat "$DIST/SHA256SUMS"
