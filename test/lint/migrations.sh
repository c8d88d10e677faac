#!/bin/sh
# workspace_id leads every primary, unique and foreign key, so that no reference
# can cross workspaces and every table can be distributed by it. Migrations are
# numbered without gaps.
. "$(dirname "$0")/common"

sources 'migrations/*.sql' | sort >"$tmp"
number=0
while IFS= read -r file; do
	number=$((number + 1))
	case $(basename "$file") in
	"$(printf '%04d' $number)"_*.sql) ;;
	*) report "$(basename "$file")" "$file: expected number $(printf '%04d' $number)" ;;
	esac
done <"$tmp"
xargs awk '
	function found(what, text) { print base ":" table "." what "\t" FILENAME ":" FNR ": " table ": " text }
	FNR == 1 { base = FILENAME; sub(/.*\//, "", base); table = "" }
	{ sub(/--.*/, ""); line = tolower($0); gsub(/[ \t]+/, " ", line) }
	match(line, /create (unlogged )?table (if not exists )?[a-z_]+/) {
		table = substr(line, RSTART, RLENGTH); sub(/.* /, "", table)
		body = line; sub(/^[^(]*\(/, "", body); line = body == line ? "" : body
	}
	match(line, /alter table (only )?[a-z_]+/) { table = substr(line, RSTART, RLENGTH); sub(/.* /, "", table) }
	line ~ /create unique index/ {
		table = line; sub(/.* on /, "", table); sub(/ *\(.*/, "", table)
		if (line !~ /\( ?workspace_id[ ,)]/) found("unique", "a unique index that workspace_id does not lead")
		next
	}
	line ~ /partition of/ { next }
	{
		column = line; sub(/^ /, "", column); sub(/[ (].*/, "", column)
		if (line ~ /primary key/ && line !~ /primary key \( ?workspace_id[ ,)]/ && !(line !~ /primary key \(/ && column == "workspace_id"))
			found(line ~ /primary key \(/ ? "primary" : column, "a primary key that workspace_id does not lead")
		if (line ~ /unique/ && line !~ /unique (nulls not distinct )?\( ?workspace_id[ ,)]/)
			found(line ~ /unique \(/ ? "unique" : column, "a unique key that workspace_id does not lead")
		if (line ~ /foreign key/ && line !~ /foreign key \( ?workspace_id[ ,)]/)
			found("foreign", "a foreign key that workspace_id does not lead")
		if (line ~ /references/ && line !~ /foreign key/ && column != "workspace_id")
			found(column, "a reference without workspace_id")
	}
' <"$tmp" >"$tmp".found
findings <"$tmp".found
verdict "Begin the key with workspace_id, or list table.column in test/lint/allow with the reason."
