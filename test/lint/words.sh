#!/bin/sh
# Finds words that readers stumble over, in comments, messages, documents and pages, and names better ones.
. "$(dirname "$0")/common"

# Keeps only comments and strings; code may have any names. A word in quotes by itself is a name, as of a member of JSON.
text_c='
	FNR == 1 { state = ""; tail = "" }
	{
		rest = $0
		gsub(/"[a-z_]+"/, "\"_\"", rest)
		line = ""
		while (rest != "") {
			if (state == "" && match(rest, /"|\047|\/\*|\/\//)) {
				state = substr(rest, RSTART, RLENGTH)
				rest = substr(rest, RSTART + RLENGTH)
				line = line " "
			} else if (state == "/*" && (at = index(rest, "*/")) > 0) {
				line = line substr(rest, 1, at - 1) " "
				rest = substr(rest, at + 2)
				state = ""
			} else if ((state == "\"" || state == "\047") && match(rest, "\\\\.|" state)) {
				line = line substr(rest, 1, RSTART - 1) " "
				if (RLENGTH == 1) state = ""
				rest = substr(rest, RSTART + RLENGTH)
			} else {
				if (state != "") line = line rest
				rest = ""
			}
		}
		if (state != "/*") state = ""
	}
'
# Of scripts the comments and what they print, and of cases and browser tests the headings and comments; other files whole,
# but for links, and code within backticks.
text_whole='
	FNR == 1 { tail = "" }
	{
		line = $0
		if (FILENAME ~ /(\.sh|Makefile|\/run|\.sql)$/ && line !~ /(^|[ \t])(#|--)|echo|printf/) line = ""
		if (FILENAME ~ /\.(t|mjs)$/ && FILENAME !~ /^pages/ && line !~ /^(==|#)|\/\/ /) line = ""
		gsub(/`[^`]*`/, "`", line)
		gsub(/\]\([^)]*\)/, "]", line)
	}
'
# A phrase may begin at the end of the line before.
find='
	BEGIN {
		rules = split("alone:only;former:previous, or old;mends?|mended|mending:fix, or correct;whoever:anyone who;likewise:the same, or also;" \
			"may more:has more rights;(stay|stays|stayed|staying) away:does not respond;(is|are) good:is valid;none here:unknown;(is|are|was|be) away:is down, or does not respond;passed over:skipped;" \
			"(what|whatever) (becomes|became) of:what happened to;of which:a second sentence;whose [a-z ]*(is|are) none:which does not exist", rule, ";")
		for (i = 1; i <= rules; i++) split(rule[i], half, ":") && (banned[i] = half[1]) != "" && (instead[i] = half[2])
	}
	{
		sub(/^[ \t]*(\*|\/\/|#|--)?[ \t]*/, "", line)
		plain = " " tolower(line) " "
		gsub(/[^a-z0-9_-]+/, " ", plain)
		# To leave alone is plain English.
		gsub(/(leave|leaves|leaving|left|let)( [a-z_-]+)?( [a-z_-]+)? alone /, "", plain)
		for (i = 1; i <= rules; i++) {
			words = banned[i]
			phrase = "(^| )(" words ")( |$)"
			look = plain
			if (words ~ / / && !match(plain, phrase)) look = tail plain
			if (match(look, phrase) && (look == plain || RSTART + RLENGTH - 1 > length(tail) + 1)) {
				hit = substr(look, RSTART, RLENGTH)
				gsub(/^ | $/, "", hit)
				where = hit
				gsub(/ /, "_", where)
				print FILENAME ":" where "\t" FILENAME ":" FNR ": \"" hit "\": write " instead[i]
			}
		}
		# The last two words, with which a phrase of the next line may begin.
		count = split(plain, word, " ")
		tail = count ? " " (count > 1 ? word[count - 1] " " : "") word[count] : ""
	}
'
sources '*.c' '*.h' '*.inc' '*.cases' | xargs awk "$text_c$find" >"$tmp.found"
{
	sources '*.md' 'server/*.sql' 'store/*.sql' 'webhook/*.sql' 'pages/*.ts' 'pages/*.tsx' 'pages/*.mjs' 'pages/*.css' 'pages/*.html' '*.sh' '*.t' 'test/*.mjs' Makefile test/run
	# Released migrations are not edited.
	sources 'migrations/*.sql' | while IFS= read -r file; do
		grep -qF " $file" test/lint/released.sha256 || echo "$file"
	done
} | grep -v '^test/lint/words.sh$' | xargs awk "$text_whole$find" >>"$tmp.found"
findings <"$tmp.found"
verdict "Write the usual word that is named, or give a reason in test/lint/allow."
