#!/bin/sh
# The product has one way to write what C allows to write in several ways.
. "$(dirname "$0")/common"

sources 'server/*.[ch]' 'store/*.[ch]' 'filter/*.[ch]' 'webhook/*.[ch]' 'transfer/*.[ch]' | xargs awk "$strip_c"'
	function tell(text) { print FILENAME "\t" FILENAME ":" FNR ": " text }
	{
		code = line
		gsub(/sizeof\((int|char|short|long|unsigned|float|double|void|[a-z0-9_]+_t)\)/, "", code)
		if (code !~ /#define/ && code ~ /sizeof\([*a-z_][A-Za-z0-9_.>-]*\)($|[^[.])/)
			tell("sizeof x has no brackets unless x is a type")
		gsub(/== \([^()]*!= NULL\)|\+= [a-z_]+ != NULL/, "", code) # numbers
		if (code ~ /[!=]= NULL/ && code ~ /(if|while|for) \(|&&|\|\||\?/)
			tell("a condition tests a pointer as p or !p")
		if (code ~ /->type == JSON_ARRAY \? .*->first : NULL/ && FILENAME != "server/base/json.h")
			tell("use json_items() or json_each()")
		if (code ~ /for \(.*struct list \*[a-z_]+ = .*next/)
			tell("use list_each()")
	}
	# The declarations at the beginning of a function.
	FNR == 1 { declares = open = declared = 0 }
	declares && !open {
		if (line ~ /^\t((static|const|volatile|unsigned|signed|struct|enum|union|long|short) )*[A-Za-z_][A-Za-z0-9_]*( (const|long|int|char))* \**(const )?\**[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])*($| =|,|;)/ && line !~ /^\t(return|goto|else|case|break|continue) /) {
			open = 1
			declared = 1
			depth = 0
		} else {
			if (declared && line !~ /^[ \t]*$/ && line !~ /^}/)
				tell("a blank line follows the declarations of a function")
			declares = 0
		}
	}
	open {
		gsub(/\047[^\047]*\047/, "0", line)
		depth += gsub(/[({]/, "&", line) - gsub(/[)}]/, "&", line)
		if (!depth && line ~ /;[ \t]*$/) open = 0
	}
	line ~ /^{/ { declares = 1; declared = 0 }
' >"$tmp"
findings <"$tmp"
verdict "Write it as the rest of the program does (CONTRIBUTING.md, Style)."
