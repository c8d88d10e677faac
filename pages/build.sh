#!/bin/sh
# Builds the pages once for all trees: pages/build.sh OUT VERSION yes|no   (no: --without-console)
# Writes OUT/assets.c, the table of their files, which is compiled into the program. If a tool is missing (Node.js,
# npm, the registry's packages), the table is empty and one line says so. The next call of make tries again, because
# OUT/done is missing. A mistake in the pages themselves ends the build.
set -eu
out=$1
version=$2
wanted=$3
here=$(dirname "$0")
mkdir -p "$out"
rm -f "$out/done"

without() {
	[ -z "$1" ] || echo "kith: building without /docs and /console: $1" >&2
	cat >"$out/none.c" <<-C
		/* Made by pages/build.sh: there are no pages. */
		#include "server/pages/asset.h"
		const struct asset assets[] = {{0}};
		const size_t n_assets = 0;
	C
	cmp -s "$out/none.c" "$out/assets.c" || cp "$out/none.c" "$out/assets.c"
	exit 0
}

if [ "$wanted" = no ]; then
	: >"$out/done"
	without ''
fi
command -v node >/dev/null 2>&1 || without 'Node.js is missing (Debian: nodejs npm)'
node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' || without 'Node.js 18 or newer is needed'
command -v npm >/dev/null 2>&1 || without 'npm is missing (Debian: npm)'

# The packages' own scripts are not run: the pages need none, and one reports installations to its maker.
if ! cmp -s "$here/package-lock.json" "$out/installed"; then
	rm -f "$out/installed"
	cp "$here/package.json" "$here/package-lock.json" "$out/"
	(cd "$out" && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --no-update-notifier --loglevel=error \
		--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=30000) >"$out/npm.log" 2>&1 ||
		without "npm could not install what they are built with ($out/npm.log)"
	cp "$here/package-lock.json" "$out/installed"
fi

"$out/node_modules/.bin/tsc" -p "$here"
node "$here/build.mjs" "$out" "$version"
: >"$out/done"
