#!/bin/sh
# No circle of dependencies in a room has more than three files: headers depend on the headers they include, sources on
# the files whose functions and tables they use. links.sh counts circles between rooms.
. "$(dirname "$0")/common"

sources 'server/*.[ch]' 'store/*.[ch]' 'filter/*.[ch]' 'webhook/*.[ch]' 'transfer/*.[ch]' 'test/lib/*.[ch]' 'test/api/*.[ch]' >"$tmp.files"
# Two passes: the definitions of each file, then their uses.
# shellcheck disable=SC2046 # names of files without blanks
awk "$strip_c"'
	function room_of(path) { sub(/\/[^\/]*$/, "", path); return path }
	function edge(from, to) { if (from != to && room_of(from) == room_of(to)) uses[from, to] = 1 }
	# The name before the bracket, the equals sign or the semicolon.
	function defined(text) { sub(/[ \t]*[[(=;].*/, "", text); sub(/.*[ \t*]/, "", text); return text }
	FNR == 1 { pass += FILENAME == first; if (!first) { first = FILENAME; pass = 1 } file = FILENAME; code = file ~ /\.c$/ }
	pass == 1 {
		if (FNR == 1) { files[++n_files] = file; there[file] = 1 }
		if (!code) next
		if (line ~ /^[A-Za-z]/ && line !~ /^(static|typedef|extern)/ && line !~ /;[ \t]*$/ && line ~ /\(/) name = defined(line)
		else if (line ~ /^static/) { name = ""; if (line ~ /[(=]/) own[file, defined(line)] = 1 }
		if (line ~ /^\{/ && name) owner[name] = file
		if (line ~ /^[a-z]/ && line !~ /^(static|typedef|extern|enum \{)/ && line ~ /=/ && line !~ /\(/) owner[defined(line)] = file
		next
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ && !code { split($0, part, "\""); if (part[2] in there) edge(file, part[2]); next }
	code {
		while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
			word = substr(line, RSTART, RLENGTH); before = substr(line, 1, RSTART - 1); line = substr(line, RSTART + RLENGTH)
			if (word in owner && !((file, word) in own) && before !~ /[.>]$/ && prior !~ /^(struct|enum|union)$/) edge(file, owner[word])
			prior = word
		}
	}
	function reach(from, at, queue, head, tail, pair) {
		tail = 1; queue[1] = from
		for (head = 1; head <= tail; head++)
			for (at = 1; at <= n_next[queue[head]]; at++) {
				pair = following[queue[head], at]
				if (!((from, pair) in reached)) { reached[from, pair] = 1; queue[++tail] = pair }
			}
	}
	END {
		for (pair in uses) { split(pair, part, SUBSEP); following[part[1], ++n_next[part[1]]] = part[2] }
		for (i = 1; i <= n_files; i++) reach(files[i])
		for (i = 1; i <= n_files; i++) {
			if (seen[files[i]]) continue
			n = 1; circle = files[i]
			for (k = i + 1; k <= n_files; k++)
				if ((files[i], files[k]) in reached && (files[k], files[i]) in reached) {
					seen[files[k]] = 1; n++; circle = circle " " files[k]
				}
			if (n > 3) print files[i] "\t" "a circle of " n " files: " circle
		}
	}
' $(cat "$tmp.files") $(cat "$tmp.files") >"$tmp"
findings <"$tmp"
verdict "Move what the lower ones need into a file below, or hand the upper one down as a callback."
