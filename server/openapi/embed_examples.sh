#!/bin/sh
# Writes the C table of recorded examples (server/openapi/recorded.h) from the file that test/openapi/examples.mjs wrote:
# embed_examples.sh server/openapi/examples.json > build/examples.c
set -eu
LC_ALL=C
export LC_ALL

awk '
	BEGIN {
		print "/* Made by server/openapi/embed_examples.sh. */"
		print "#include \"server/openapi/recorded.h\""
		print "const struct openapi_recorded openapi_recorded_parts[] = {"
	}
	function quoted(text) {
		gsub(/[\\"]/, "\\\\&", text)
		return "\"" text "\""
	}
	# The member of a line, without its value.
	function name() { sub(/^[\t]*"/, ""); at = index($0, "\": "); member = substr($0, 1, at - 1); return member }
	function value() { return substr($0, at + 3) }
	/^\t"/ { operation = name(); next }
	/^\t\t"parameters": {$/ { listed = 1; next }
	/^\t\t}/ && listed { listed = 0; next }
	listed { name(); text = value(); sub(/,$/, "", text); print "\t{" quoted(operation) ", " quoted(member) ", " quoted(text) "},"; next }
	/^\t\t"/ {
		name(); text = value()
		print "\t{" quoted(operation) ", " quoted("." member) ", "
		inside = text ~ /[{[]$/
		if (!inside) sub(/,$/, "", text)
		print "\t " quoted(text) (inside ? "" : "},")
		next
	}
	/^\t\t[]}]/ && inside { inside = 0; sub(/^\t*/, ""); sub(/,$/, ""); print "\t " quoted($0) "},"; next }
	inside { sub(/^\t*/, ""); print "\t " quoted($0) }
	END { print "\t{0, 0, 0}};" }
' "$1"
