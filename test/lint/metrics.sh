#!/bin/sh
# The table of metrics in docs/metrics.md agrees with the program's own.
. "$(dirname "$0")/common"

sed -n 's/^[[:space:]]*\[METRIC_[A-Z_]*\] = {"\([a-z_]*\)", METRIC_\([A-Z]*\), "\([a-z,]*\)",.*/\1	\2	\3/p' server/admin/metric.c |
	tr 'A-Z' 'a-z' >"$tmp"
[ "$(wc -l <"$tmp")" = "$(grep -c '^[[:space:]]*\[METRIC_' server/admin/metric.c)" ] ||
	report table "server/admin/metric.c: not every row could be read; has its layout changed?"
while IFS='	' read -r name type labels; do
	shown=$(printf '%s' "$labels" | sed 's/[a-z]\{1,\}/`&`/g; s/,/, /g')
	grep -qF "| \`$name\` | $type | $shown${shown:+ }|" docs/metrics.md ||
		report "$name" "docs/metrics.md: no row | \`$name\` | $type | $shown${shown:+ }| …"
done <"$tmp"
sed -n 's/^| `\([a-z_]*\)` | \(counter\|gauge\|histogram\) .*/\1/p' docs/metrics.md | while IFS= read -r name; do
	grep -q "^$name	" "$tmp" || echo "$name	docs/metrics.md: $name is no metric"
done >"$tmp".unknown
findings <"$tmp".unknown
verdict "Every metric has a row in docs/metrics.md: | \`name\` | type | labels | meaning |"
