#!/bin/sh
# A released migration is never edited: databases that ran it have stored its checksum.
. "$(dirname "$0")/common"

[ -s test/lint/released.sha256 ] || report list "test/lint/released.sha256: no checksums"
sha256sum --check --quiet test/lint/released.sha256 >"$tmp" 2>/dev/null
while IFS= read -r line; do
	report "$(basename "${line%%:*}")" "${line%%:*}: not as it was released"
done <"$tmp"
verdict "Take its text back and put the change into a new migration. A release adds its migrations to released.sha256."
