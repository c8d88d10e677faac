#!/bin/sh
# Every file named in a document or comment exists, and every heading that a document links to.
. "$(dirname "$0")/common"

git ls-files -co --exclude-standard >"$tmp.files"
# Released migrations are not edited.
sources '*.c' '*.h' '*.sh' '*.md' Makefile configure.ac 'deploy/*' test/run | xargs awk -v files="$tmp.files" '
	BEGIN {
		while ((getline line < files) > 0) {
			there[line] = 1
			base = line; sub(/.*\//, "", base); named[base] = 1
			if (line ~ /^migrations\/[0-9]/) there[substr(line, 1, 15)] = 1
		}
		folders = "(server|store|filter|webhook|transfer|migrations|pages|test|deploy|docs)"
		path = "(^|[^A-Za-z0-9_./-])" folders "/[A-Za-z0-9_*/.-]*[A-Za-z0-9_]"
		ending = "\\.(c|h|sql|sh|md|t|py|mjs|ts|tsx|html|lua|awk|json|cases|conf|service|sha256)$|^migrations/[0-9][0-9][0-9][0-9]"
	}
	function found(name) { print FILENAME ":" name "\t" FILENAME ":" FNR ": names " name ", which is not there" }
	function matches(pattern, file) {
		gsub(/\./, "\\.", pattern); gsub(/\*/, ".*", pattern)
		for (file in there) if (file ~ "^" pattern "$") return 1
		return 0
	}
	{
		code = FILENAME ~ /\.[ch]$/; document = FILENAME ~ /\.md$/
		comment = code && (/^[ \t]*\/?\*/ || /\/\*/)
		rest = $0
		while (match(rest, path)) {
			name = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
			sub("^[^A-Za-z]", "", name)
			if (name ~ ending && name !~ /NNNN/ && !(name in there) && !(name ~ /\*/ && (matches(name) || !(comment || document)))) found(name)
		}
		# A name without its folder, in comments and documents.
		if (!comment && !document) next
		rest = comment ? substr($0, match($0, /\/?\*/)) : $0
		while (match(rest, /(^|[^A-Za-z0-9_.\/<*-])[a-z][a-z0-9_]*\.[ch]([^A-Za-z0-9_(]|$)/)) {
			name = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH - 1)
			gsub(/^[^a-z]|[^a-z0-9_.]$/, "", name); sub(/\.$/, "", name)
			if (!(name in named)) found(name)
		}
	}
' >"$tmp"

sources '*.md' | while IFS= read -r file; do
	grep -oE '\]\([^)]+\)|^\[[a-z-]+\]: .+' "$file" | sed 's/^\](//; s/)$//; s/^\[.*\]: //' | grep -v '^[a-z]*:' | while IFS= read -r link; do
		target=${link%%#*}
		[ -n "$target" ] && target=$(dirname "$file")/$target || target=$file
		if [ ! -e "$target" ]; then
			echo "$file:$link	$file: links to $link, which is not there"
		elif [ "$link" != "${link#*#}" ] && ! sed -n 's/^##* *//p' "$target" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qx "${link#*#}"; then
			echo "$file:$link	$file: links to $link, a heading that is not there"
		fi
	done
done >>"$tmp"
findings <"$tmp"
verdict "Name what is there, with its folder, or leave the name out."
