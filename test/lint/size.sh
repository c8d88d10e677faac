#!/bin/sh
# Files have at most 500 lines, functions at most 60; the rows of a table inside a
# function do not count.
. "$(dirname "$0")/common"

sources '*.c' '*.h' '*.inc' | xargs awk "$strip_c"'
	FNR == 1 && NR > 1 { file_end() }
	{ file = FILENAME; lines = FNR }
	/^[A-Za-z].*\(/ && !/;[ \t]*$/ { name = $0; sub(/^TEST\(/, "", name); sub(/[()].*/, "", name); sub(/.*[ *]/, "", name) }
	/^}/ && begin {
		if (counted > 60) print FILENAME ":" name "\t" FILENAME ":" begin ": " name "() has " counted " lines"
		begin = 0
	}
	begin && !/^[ \t]*(\{.*|".*"|.*\}),$/ { counted++ }
	/^{/ { begin = FNR; counted = 0 }
	END { file_end() }
	function file_end() {
		if (lines > 500) print file "\t" file ": " lines " lines"
		begin = 0
	}
' >"$tmp"
findings <"$tmp"
verdict "Split by job, with names one would guess (500 lines a file, 60 a function)."
