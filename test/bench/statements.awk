# From PostgreSQL's log (log_statement=all, log_line_prefix=%p:) the statements
# of the extended protocol, with their values substituted: "pid<TAB>statement".

function put() {
	if (pid != "")
		print pid "\t" text
	pid = ""
}

# "$1 = 'it''s', $2 = NULL": each into value["1"], ...
function read_values(rest, n, at, word) {
	delete value
	while (match(rest, /^\$[0-9]+ = /)) {
		n = substr(rest, 2, RLENGTH - 4)
		rest = substr(rest, RLENGTH + 1)
		if (match(rest, /^'([^']|'')*'/))
			word = substr(rest, 1, RLENGTH)
		else if (match(rest, /^[^,]*/))
			word = substr(rest, 1, RLENGTH)
		value[n] = word
		rest = substr(rest, length(word) + 3)
	}
}

# "(select $1)", which hides a value from the planner, is always an id; a literal would have no type there.
function fill(rest, out) {
	out = ""
	while (match(rest, /\$[0-9]+/)) {
		out = out substr(rest, 1, RSTART - 1) value[substr(rest, RSTART + 1, RLENGTH - 1)]
		if (out ~ /\(select '[^']*'$/ && substr(rest, RSTART + RLENGTH, 1) == ")")
			out = out "::uuid"
		rest = substr(rest, RSTART + RLENGTH)
	}
	return out rest
}

match($0, /^[0-9]+:LOG:  execute [^:]*: /) {
	put()
	text = substr($0, RLENGTH + 1)
	pid = substr($0, 1, index($0, ":") - 1)
	next
}
pid != "" && match($0, /^[0-9]+:DETAIL:  parameters: /) {
	read_values(substr($0, RLENGTH + 1))
	text = fill(text)
	put()
	next
}
/^\t/ && pid != "" {
	text = text " " substr($0, 2)
	next
}
{ put() }
END { put() }
