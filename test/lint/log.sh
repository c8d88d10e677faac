#!/bin/sh
# The table of the members of a request's line in docs/running.md agrees with the program's own, in its order.
. "$(dirname "$0")/common"

sed -n 's/^[[:space:]]*[A-Z]*("\([A-Za-z_]*\)", access->.*/\1/p' server/base/log.c >"$tmp"
[ -s "$tmp" ] || report table "server/base/log.c: no member found; has its layout changed?"
awk '/^## The log/ { on = 1; next } /^##/ { on = 0 } on && /^\| `/ { split($0, cell, "|"); print cell[2] }' docs/running.md |
	tr -d ' `' | tr ',' '\n' >"$tmp.shown"
diff "$tmp" "$tmp.shown" | sed -n 's/^< \(.*\)/\1	docs\/running.md: \1 is missing or out of order/p
s/^> \(.*\)/\1	docs\/running.md: \1 is not a member of a request'"'"'s line, or out of order/p' >"$tmp.unknown"
findings <"$tmp.unknown"
verdict "Every member of a request's line has a row in docs/running.md: | \`name\` | when | what |"
