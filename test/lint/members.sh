#!/bin/sh
# A comment that names a member of a request, such as r->db.last, names one that struct req has.
. "$(dirname "$0")/common"

sources 'server/request/*.[ch]' 'server/event/*.[ch]' 'server/resource/*.[ch]' 'server/mcp/*.[ch]' 'server/job/*.[ch]' |
	grep -v '^server/request/request.h$' >"$tmp.files"
xargs awk -v request=server/request/request.h '
	BEGIN {
		while ((getline line < request) > 0) {
			if (line ~ /^struct req \{/) inside = 1
			if (line ~ /^}/) inside = 0
			sub(/\/\*.*/, "", line)
			if (!inside || !match(line, /[a-z_]+(\[[A-Z_]+\])?;/)) continue
			name = substr(line, RSTART, RLENGTH)
			sub(/[[;].*/, "", name)
			member[name] = 1
		}
	}
	FNR == 1 { inside = 0 }
	{
		rest = $0
		if (!inside && !(at = index(rest, "/*"))) next
		if (!inside) rest = substr(rest, at)
		inside = !index(rest, "*/")
		while (match(rest, /(^|[^a-z_>.])r->[a-z_]+/)) {
			name = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			sub(/.*->/, "", name)
			if (!(name in member)) print FILENAME ":" name "\t" FILENAME ":" FNR ": r->" name ", which struct req does not have"
		}
	}
' <"$tmp.files" >"$tmp"
findings <"$tmp"
verdict "Name the member where it is now (server/request/request.h)."
