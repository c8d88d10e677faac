#!/bin/sh
# Writes the C table of texts (server/base/built_in.h) from .sql and .json files:
# embed_built_in.sh FILE... > build/built_in.c
#
# Each statement of a .sql file begins with a line "-- [name] parameter, parameter". Statement s of file f.sql is the
# text "f s". In it :'parameter', which psql replaces with a variable, becomes "$1", "$2" and so on, in the order of that
# line, or of a line "-- [*] parameter, parameter" for the statements without a list. Comments, psql's own commands and what stands before the first statement are for psql and readers only. A file
# without such lines is the text "f". A .json file is the text "f.json".
set -eu
LC_ALL=C
export LC_ALL

awk '
	BEGIN {
		print "/* Made by server/base/embed_built_in.sh. */"
		print "#include \"server/base/built_in.h\""
		print "const struct built_in built_in_texts[] = {"
	}
	FNR == 1 {
		text_end()
		path = FILENAME
		sub(/.*\//, "", path)
		common = ""
		is_sql = sub(/\.sql$/, "", path)
		text_begin(path)
	}
	is_sql && /^-- \[\*\]/ { common = substr($0, 7); next }
	is_sql && match($0, /^-- \[[a-z_ ]+\]/) {
		if (!named) text = ""
		text_end()
		text_begin(path " " substr($0, 5, RLENGTH - 5))
		named = 1
		list = substr($0, RLENGTH + 1)
		n_parameters = split(list != "" ? list : common, parameters, /[, ]+/)
		next
	}
	is_sql && /^[\t ]*(--|\\|$)/ { next }
	{
		sub(/^\t+/, "")
		for (i = 2; is_sql && i <= n_parameters; i++) gsub(":\047" parameters[i] "\047", "$" (i - 1))
		text = text $0 "\n"
	}
	END {
		text_end()
		print "\t{0, 0}};"
	}
	function text_begin(begun) {
		name = begun
		text = ""
		named = n_parameters = 0
	}
	function text_end() {
		sub(is_sql ? ";?\n$" : "\n$", "", text)
		if (text == "") return
		gsub(/[\\"?]/, "\\\\&", text)
		gsub(/\n/, "\\n\"\n\t \"", text)
		print "\t{\"" name "\",\n\t \"" text "\"},"
	}
' "$@"
