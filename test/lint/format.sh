#!/bin/sh
# Every C file is formatted according to .clang-format.
. "$(dirname "$0")/common"

command -v clang-format >/dev/null 2>&1 || {
	echo "format: clang-format is missing; run: make deps"
	exit 1
}
sources '*.c' '*.h' '*.inc' | xargs -P "$(nproc)" -n 8 clang-format --dry-run 2>&1 |
	sed -n 's/^\([^: ]*\):\([0-9]*\):[0-9]*: warning: code should be clang-formatted.*/\1	\1:\2: not laid out/p' |
	sort -t '	' -u -k 1,1 >"$tmp"
findings <"$tmp"
verdict "Run: make format"
