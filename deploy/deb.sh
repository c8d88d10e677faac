#!/bin/sh
# Builds Debian's package:   deploy/deb.sh OUT [TREE]
# It works in a copy of the tree, because debhelper writes beside the sources and configures anew. OUT gets the package
# and its companions, and the script prints the package's path. With TREE (opt, san) it packs the program that is built
# in that tree instead of compiling one. Tests use this.
set -eu
out=$1
tree=${2-}
cd "$(dirname "$0")/.."
# Between releases the version is like "0.2.0+12.g0123abc", so that apt takes a later build for an upgrade.
released=$(sed -n 's/^AC_INIT(\[kith\], \[\(.*\)\])/\1/p' configure.ac)
version=$(git describe --tags --match "v$released" 2>/dev/null | sed 's/^v//; s/-/+/; s/-/./') || true
version=${version:-$released}
copy=$out/kith-$version

rm -rf "$copy" "$out"/kith_*
mkdir -p "$copy/build"
git ls-files -co --exclude-standard -z | tar -c --null --ignore-failed-read -T - 2>/dev/null | tar -x -C "$copy"
if [ -n "$tree" ]; then
	cp -a configure config.mk config.status "$copy/"
	rm -r "$copy/build"
	ln -s "$PWD/build" "$copy/build"
elif [ -e build/pages/done ]; then
	cp -a build/pages "$copy/build/"
fi
sed -i "1s/($released)/($version)/" "$copy/debian/changelog"
log=$out/build.log
# -nc: the copy is clean already.
(cd "$copy" && KITH_TREE=$tree DEB_BUILD_OPTIONS="nocheck noautodbgsym ${DEB_BUILD_OPTIONS-}" dpkg-buildpackage -b -us -uc -nc -d) \
	>"$log" 2>&1 || { tail -n 30 "$log" >&2; exit 1; }
rm -rf "$copy"
ls "$out/kith_$version"_*.deb
