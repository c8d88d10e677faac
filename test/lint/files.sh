#!/bin/sh
# Every name of a C file is there once in the tree, so that a name says which file is meant. The .c and the .h of
# one name are in one folder.
. "$(dirname "$0")/common"

sources '*.c' '*.h' '*.inc' | awk '
	{
		folder = $0; sub(/[^\/]*$/, "", folder)
		name = substr($0, length(folder) + 1); sub(/\.[a-z]+$/, "", name)
		if (!(name in place)) place[name] = folder
		else if (place[name] != folder) print $0 "\t" $0 ": " place[name] " has a file of this name, too"
	}
' >"$tmp"
findings <"$tmp"
# The root of the server has start, stop and the table of routes.
lines=$(sources 'server/*.c' 'server/*.h' 'server/*.inc' | grep -v '/.*/' | xargs cat | wc -l)
[ "$lines" -le 1500 ] || report root "the files directly in server/ have $lines lines, over 1500: move one into a room"
verdict "Add to the name what tells it from the other one, such as its room."
