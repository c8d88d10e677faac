#!/bin/sh
# A function's name has at least two words, so that it can be searched for; each tag is defined once in the tree; all
# headers can be included together.
. "$(dirname "$0")/common"

sources '*.c' '*.h' | xargs awk "$strip_c"'
	FNR == 1 { name = "" }
	/^[A-Za-z_].*\(/ && !/;[ \t]*$/ {
		name = line; gsub(/__attribute__\(\(.*\)\)[ \t]*/, "", name); sub(/^TEST\(/, "", name); sub(/[()].*/, "", name); sub(/.*[ *]/, "", name); begun = FNR
	}
	/^\{/ && name {
		if (name !~ /_/ && name != "main" && name != "LLVMFuzzerTestOneInput")
			print FILENAME ":" name "\t" FILENAME ":" begun ": " name "() is one word"
		name = ""
	}
	match(line, /(^|[ \t(])(struct|enum|union) [A-Za-z_0-9]+ \{/) {
		split(substr(line, RSTART, RLENGTH), part, " "); tag = part[2]
		if (tag in where) print FILENAME ":" tag "\t" FILENAME ":" FNR ": the tag " tag " is defined in " where[tag] ", too"
		else where[tag] = FILENAME ":" FNR
	}
' >"$tmp"
findings <"$tmp"

sources '*.h' | sed 's/.*/#include "&"/' >"$tmp.c"
# shellcheck disable=SC2046 # flags are words
${CC:-cc} -std=c11 -D_GNU_SOURCE -DKITH_FAULTS -I. $(pkg-config --cflags libevent libpq yajl openssl libcurl cmocka) \
	-fsyntax-only -x c "$tmp.c" 2>&1 | sed -n 's/^\([^:]*\):\([0-9]*\):[0-9]*: error: \(.*\)/\1:header	\1:\2: \3, where all headers are included/p' >"$tmp"
findings <"$tmp"
verdict "Say what it does to what (noun_verb), and give a type of one file that file's noun."
