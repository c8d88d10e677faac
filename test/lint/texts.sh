#!/bin/sh
# Finds texts for readers that are written in the components of the console. They belong in pages/console/texts, one file for
# each language. Also finds texts that no component uses, and placeholders that a language lacks.
. "$(dirname "$0")/common"

# Between tags, and in the attributes that people read or hear. Code within <code> and entities are not words.
sources 'pages/console/*.tsx' >"$tmp"
while IFS= read -r file; do
	awk '
		function say(text) { printf "%s:%d\t%s:%d: \"%s\" is a text\n", FILENAME, FNR, FILENAME, FNR, text }
		{
			line = $0
			gsub(/<code>[^<]*<\/code>/, "", line)
			sub(/^[ \t]*(\/\*|\*).*/, "", line)
			rest = line
			while (match(rest, />[^<>{}=()?|&]*[A-Za-z][A-Za-z][^<>{}=()?|&;]*<(\/|[a-z]+[ >])/)) {
				text = substr(rest, RSTART, RLENGTH)
				if (text !~ /^>kith<|^> [A-Za-z]+<[a-z]/) say(text)
				rest = substr(rest, RSTART + RLENGTH - 2)
			}
			rest = line
			while (match(rest, /(aria-label|title|label|hint|placeholder|what|action|caption)(=|: )["\047][A-Za-z][^"\047]*["\047]/)) {
				text = substr(rest, RSTART, RLENGTH)
				if (text !~ /["\047](webhook-|whsec_)/) say(text)
				rest = substr(rest, RSTART + RLENGTH)
			}
			rest = line
			while (match(rest, /["\047`][A-Z][a-z]+ [^"\047`]*["\047`]/)) {
				say(substr(rest, RSTART, RLENGTH))
				rest = substr(rest, RSTART + RLENGTH)
			}
			if (line ~ /^[ \t]*[A-Z“][a-z]* [^=(){};<>:]*$/ && line !~ /=>/) say(line)
		}
	' "$file"
done <"$tmp" >"$tmp.found"
findings <"$tmp.found"

# The keys that are used. Labels of fields have the names of the API's fields, so their keys are not written anywhere.
keys='/^\t[a-zA-Z]+: / { key = $1; sub(/:.*/, "", key); rest = $0; holes = ""
	while (match(rest, /\{[a-zA-Z]+\}/)) { hole = substr(rest, RSTART, RLENGTH); if (index(holes, hole) == 0) holes = holes hole; rest = substr(rest, RSTART + RLENGTH) }
	print key, holes }'
sorted='{ n = split($2, hole, "}"); for (i = 1; i < n; i++) print $1, hole[i] }'
awk "$keys" pages/console/texts/en.ts >"$tmp.en"
sources 'pages/console/texts/??.ts' | grep -v /en.ts | while IFS= read -r file; do
	awk "$keys" "$file" | awk "$sorted" | sort -u >"$tmp.holes"
	awk "$sorted" "$tmp.en" | sort -u | diff - "$tmp.holes" | sed -n "s|^[<>] \([a-zA-Z]*\) {\(.*\)|$file:\1\t$file: {\2} of \1 is not in both languages|p"
done >"$tmp.found"
findings <"$tmp.found"

sources 'pages/console/*.ts' 'pages/console/*.tsx' | grep -v '/texts/..\.ts' | xargs cat build/pages/fields.ts 2>/dev/null |
	grep -oE "(t\(|text=|name: )[\"'][a-zA-Z]+[\"']" | sed "s/.*[\"']\([a-zA-Z]*\)[\"']/\1/" | sort -u >"$tmp.uses"
if [ -f build/pages/fields.ts ]; then
	awk '{ print $1 }' "$tmp.en" | sort | comm -23 - "$tmp.uses" | sed 's|.*|pages/console/texts/en.ts:&\tpages/console/texts/en.ts: no page uses &|' >"$tmp.found"
	findings <"$tmp.found"
fi
if [ "$found" = 0 ] && [ ! -f build/pages/fields.ts ]; then
	echo "texts: unused texts were not looked for, because build/pages/fields.ts is missing; make -j2 TREE=san all builds it"
	exit 3
fi

verdict "Texts of the console are in pages/console/texts, with the same keys in each language."
