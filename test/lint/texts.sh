#!/bin/sh
# Finds texts for readers that are written in the components of the console. They belong in pages/console/texts, one file for
# each language. Also finds texts that no component uses, placeholders that a language lacks, and words that readers of the
# console do not know. (test/lint/words.sh has the words that are avoided everywhere.)
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

# Words of programmers, English in German, and a German "du" beside the usual "Sie". What a reader types or sees elsewhere is
# no word of the text: commands, settings, addresses.
words='
	BEGIN {
		every = "payload:body;cursors?:place, or position;endpoints?:address;tokens?:key, or code;(error|status|fehler)[- ]?codes?:what happened;timeouts?:no answer in time;" \
			"strings?:text;boolean:yes or no;null:empty, or none;regex:pattern;uuid:ID;parse[dr]?|parsing:read;exceptions?:error;backend|frontend:server, or console;idempoten[a-z]*:repeated safely"
		german = "du|dich|dir|dein(e[mnrs]?)?|euch|euer|eure[mnrs]?:Sie;wähle|gib|klicke|öffne|gehe|lege|trage|tippe|scanne|melde dich:Wählen Sie;" \
			"users?:Nutzer;keys?:Schlüssel;requests?:Anfrage;responses?:Antwort;records?:Datensatz;accounts?:Konto;buttons?:Schaltfläche;(down|up)loads?:Speichern, or Datei;" \
			"feeds?:Ereignisse;errors?:Fehler;fields?:Feld;values?:Wert;settings?:Einstellung;updates?|geupdate[dt]:Änderung;events?:Ereignis;tasks?:Aufgabe;notes?:Notiz;" \
			"companies|company:Unternehmen;people:Personen;views?:Ansicht;reports?:Bericht;the|and|of|with|for|this:German"
		rules = split(every, rule, ";")
		both = rules
		rules += split(german, more, ";")
		for (i = both + 1; i <= rules; i++) rule[i] = more[i - both]
	}
	/^\t[a-zA-Z_]+: / {
		key = $1
		sub(/:.*/, "", key)
		text = $0
		sub(/^\t[a-zA-Z_]+: */, "", text)
		gsub(/(one|other): |\{[a-zA-Z]*\}|https?:\/\/|[a-z]+_[a-z_]+|kith [a-z]+/, " ", text)
		text = tolower(text)
		gsub(/[^a-z0-9\200-\377-]+/, " ", text)
		for (i = 1; i <= (FILENAME ~ /de.ts$/ ? rules : both); i++) {
			split(rule[i], half, ":")
			if (match(" " text " ", " (" half[1] ") "))
				print FILENAME ":" key "\t" FILENAME ":" FNR ": \"" substr(" " text " ", RSTART + 1, RLENGTH - 2) "\" in " key ": write " half[2]
		}
	}
'
awk "$words" pages/console/texts/en.ts pages/console/texts/de.ts >"$tmp.found"
findings <"$tmp.found"

verdict "Texts of the console are in pages/console/texts, with the same keys in each language."
