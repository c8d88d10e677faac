#!/bin/sh
# Lines of the documents have at most 160 columns.
. "$(dirname "$0")/common"

# Every byte that goes on with a character is removed, so that one byte is one column.
sources '*.md' | while IFS= read -r file; do
	tr -d '\200-\277' <"$file" | awk -v file="$file" '
		length($0) > 160 { print file "\t" file ":" NR ": " length($0) " columns" }'
done >"$tmp"
findings <"$tmp"
verdict "Lines of documents have at most 160 columns. Wrap paragraphs; a table cell holds one short sentence."
