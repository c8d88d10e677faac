#!/bin/sh
# The table of metrics in docs/metrics.md agrees with the program's own, and so do the dashboard and the alert rules.
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
	grep -q "^$name	" "$tmp" || echo "$name	docs/metrics.md: $name is not a metric"
done >"$tmp".unknown
# The dashboard and the alert rules name metrics that exist, a histogram by its parts.
for file in deploy/grafana/kith.json deploy/prometheus/rules.yml; do
	grep -oE '\b(kith|process)_[a-z_]+' "$file" | sort -u | while IFS= read -r name; do
		whole=${name%_bucket}
		whole=${whole%_sum}
		whole=${whole%_count}
		if [ "$name" = "$whole" ]; then
			grep -qE "^$name	(counter|gauge)	" "$tmp"
		else
			grep -q "^$whole	histogram	" "$tmp"
		fi || echo "$name	$file: $name is not a metric"
	done >>"$tmp".unknown
done
# Every metric is on the dashboard.
while IFS='	' read -r name type labels; do
	grep -q "\b$name" deploy/grafana/kith.json || report "$name" "deploy/grafana/kith.json: $name is on no panel"
done <"$tmp"
findings <"$tmp".unknown
verdict "Every metric has a row in docs/metrics.md: | \`name\` | type | labels | meaning |"
