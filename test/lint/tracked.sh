#!/bin/sh
# Generated files are not tracked by git.
. "$(dirname "$0")/common"

{
	git ls-files -ci --exclude-standard 2>/dev/null
	git ls-files 2>/dev/null | grep -E '^build|(^|/)(configure|config\.mk|config\.h\.in)$|\.(o|a|d|so|log)$'
} | sort -u | sed 's/.*/&	&: generated/' >"$tmp"
findings <"$tmp"
verdict "Run: git rm --cached FILE"
