#!/bin/sh
# Uses between files, as the linker sees them: no file uses a function or table of a higher level, and no circle of files
# has more than three, in whatever rooms they are. Counted in the objects of build/san; without current ones it is
# skipped, with the exit status 3.
. "$(dirname "$0")/common"

built=build/san
sources 'server/*.c' 'store/*.c' 'filter/*.c' 'webhook/*.c' 'transfer/*.c' >"$tmp.files"
stale=$(while IFS= read -r file; do
	object=$built/${file%.c}.o
	[ -f "$object" ] && [ -z "$(find "$file" -newer "$object")" ] || echo "$file"
done <"$tmp.files")
if [ -n "$stale" ]; then
	echo "links: skipped, because $built has no current object of $(echo "$stale" | wc -l) files, such as $(echo "$stale" | head -n 1); make -j2 TREE=san all manual builds them"
	exit 3
fi
command -v nm >/dev/null || { echo "links: skipped, because nm is missing"; exit 3; }

# Two passes over the symbols: definitions, then uses. What a program with a main() defines is for nobody else, and what
# the build generates is data that uses nothing.
sed "s,.*,$built/&,; s,\.c\$,.o," "$tmp.files" | xargs nm -A -P | sed "s,^$built/,,; s,\.o: ,.c ," >"$tmp.symbols"
awk "$floors"'
	function found(from, to, text) { print from ":" to "\t" text }
	NR == FNR {
		if (!($1 in there)) { files[++n_files] = $1; there[$1] = 1 }
		if ($3 == "T" && $2 == "main") program[$1] = 1
		if ($3 ~ /^[TDBRVWC]$/) { symbols[++n_symbols] = $2; owners[n_symbols] = $1 }
		next
	}
	FNR == 1 { for (i = 1; i <= n_symbols; i++) if (!(owners[i] in program)) owner[symbols[i]] = owners[i] }
	$3 == "U" && $2 in owner {
		to = owner[$2]
		if (!(($1, to) in uses)) { uses[$1, to] = 1; following[$1, ++n_next[$1]] = to }
		split($1, here, "/"); split(to, other, "/")
		if (floor(to) > floor($1)) found($1, to, $1 " uses " $2 " of " to ", which stands above it")
		else if (floor(to) == floor($1) && here[1] != other[1]) found($1, to, $1 " uses " $2 " of " to ", which stands beside it")
	}
	function reach(from, at, queue, head, tail, next_one) {
		tail = 1; queue[1] = from
		for (head = 1; head <= tail; head++)
			for (at = 1; at <= n_next[queue[head]]; at++) {
				next_one = following[queue[head], at]
				if (!((from, next_one) in reached)) { reached[from, next_one] = 1; queue[++tail] = next_one }
			}
	}
	END {
		for (i = 1; i <= n_files; i++) reach(files[i])
		for (i = 1; i <= n_files; i++) {
			if (files[i] in seen) continue
			n = 1; circle = files[i]
			for (k = i + 1; k <= n_files; k++)
				if ((files[i], files[k]) in reached && (files[k], files[i]) in reached) {
					seen[files[k]] = 1; n++; circle = circle " " files[k]
				}
			if (n > 3) print files[i] "\t" "a circle of " n " files: " circle
		}
	}
' "$tmp.symbols" "$tmp.symbols" >"$tmp"
findings <"$tmp"
verdict "Move what the lower one needs into a room below, or hand the upper one down at start, as server/routes.c does."
