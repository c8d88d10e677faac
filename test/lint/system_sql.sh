#!/bin/sh
# Only files listed in test/lint/allow may build statements outside a workspace;
# everywhere else the builder adds workspace_id.
. "$(dirname "$0")/common"

sources 'server/*.c' 'store/*.c' 'filter/*.c' 'webhook/*.c' | xargs awk "$strip_c"'
	line ~ /sql_begin_system[ \t]*\(/ && FILENAME != "store/sql.c" {
		print FILENAME "\t" FILENAME ":" FNR ": sql_begin_system()"
	}' >"$tmp"
findings <"$tmp"
verdict "Use sql_begin() with the request's workspace; if there really is none, list the file in test/lint/allow and say why."
