#!/bin/sh
# A statement without a workspace uses no table: its function has only constant texts, without %s and macros, and none of
# them names a table of migrations/. The statement is a variable that stays in the function. Only files listed in
# test/lint/allow may do more; everywhere else the builder adds workspace_id.
. "$(dirname "$0")/common"

sed -n 's/^[ \t]*create \(unlogged \)\{0,1\}table \(if not exists \)\{0,1\}\([a-z_]*\) .*/\3/p' migrations/*.sql | sort -u >"$tmp.tables"
[ -s "$tmp.tables" ] || report tables "no table was found in migrations/"
sources 'server/*.c' 'store/*.c' 'filter/*.c' 'webhook/*.c' | xargs awk -v tables="$tmp.tables" '
	BEGIN { while ((getline name < tables) > 0) table[name] = 1 }

	# Why the statements of a function may use a table; "" if they cannot.
	function reason(body, plain, strings, words, n, i, rest, s, call) {
		plain = body
		gsub(/\\"/, "", plain)
		for (rest = plain; match(rest, /"[^"]*"/); rest = substr(rest, RSTART + RLENGTH))
			strings = strings " " substr(rest, RSTART, RLENGTH)
		if (strings ~ /%s/) return "has a text with %s"
		if (plain ~ /sql_built_in\(/) return "has the text of a file"
		n = split(tolower(strings), words, /[^a-z_]+/)
		for (i = 1; i <= n; i++) if (words[i] in table) return "names the table " words[i]
		gsub(/"[^"]*"/, "\"", plain)
		gsub(/"([ \t]*")+/, "\"", plain)
		for (rest = plain; match(rest, /sql_(addf?|add_[a-z0-9_]+|whole)\([^,]*, /); ) {
			rest = substr(rest, RSTART + RLENGTH)
			if (rest !~ /^[ \t]*"[,)]/ && rest !~ /^[^,;]*\? " : "\)/) return "has a text that is not constant"
		}
		for (rest = plain; match(rest, /sql_begin_system\(/); ) {
			rest = substr(rest, RSTART + RLENGTH)
			if (!match(rest, /^[a-z_]+( = [a-z_]+\(|, )/)) return "begins a statement that is not a variable"
			match(rest, /^[a-z_]+/)
			s = substr(rest, 1, RLENGTH)
			if (plain ~ "return " s ";") return "returns the statement"
			if (plain ~ "[^=!<>]= " s "[,;]") return "stores the statement"
			while (match(plain, "[a-z_0-9]+\\(([^()]*[ (*&])?" s "[,)]")) {
				call = substr(plain, RSTART, RLENGTH)
				plain = substr(plain, RSTART + RLENGTH)
				if (call !~ /^sql_/) { sub(/\(.*/, "", call); return "passes the statement to " call "()" }
			}
		}
		return ""
	}
	FNR == 1 { inside = 0; body = "" }
	/^{/ { inside = 1; body = ""; from = 0 }
	inside {
		line = $0
		gsub(/\/\*.*\*\//, "", line)
		body = body " " line
		if (line ~ /sql_begin_system\(/ && !from) from = FNR
	}
	/^}/ {
		if (inside && from && FILENAME != "store/sql.c" && (why = reason(body)) != "")
			print FILENAME "\t" FILENAME ":" from ": sql_begin_system() in a function that " why
		inside = 0
	}
' >"$tmp"
findings <"$tmp"
verdict "Use sql_begin() with the request's workspace; if there really is none, list the file in test/lint/allow and say why."
