# Rows on kith import and kith export; included by test/bench/run.

# A tenth as many people as the workspace has.
import_file() {
	awk -v n="$((people / 10))" 'BEGIN { for (i = 0; i < n; i++)
		printf "{\"firstName\":\"First%d\",\"lastName\":\"Last%d\",\"emails\":[\"moved%d@people.example\"],\"phones\":[\"+44 20 %07d\"],\"jobTitle\":\"Analyst\",\"companies\":[{\"name\":\"Company %d\"}]}\n", i, i, i, i, i % 500 }'
}

# moved COMMAND...: runs it; sets took (seconds) and peak (MB), seen every tenth of a second.
moved() {
	peak=0
	began=$(date +%s%N)
	"$@" >"$work/moved" 2>"$work/moved.log" &
	moving=$!
	while kill -0 "$moving" 2>/dev/null; do
		kb=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$moving/status" 2>/dev/null)
		[ "${kb:-0}" -le "$peak" ] || peak=$kb
		sleep 0.1
	done
	wait "$moving" || die "$2 failed: $(tail -n 2 "$work/moved.log")"
	took=$(calc "($(date +%s%N) - $began) / 1e9")
	peak=$(calc "$peak / 1024" 1)
}

p14() {
	import_file >"$work/moving.ndjson"
	head -n 1000 "$work/moving.ndjson" | awk '{ s = s (NR % 100 == 1 ? "" : ",") $0 } NR % 100 == 0 { print "{\"records\":[" s "]}"; s = "" }' |
		targets moving /v1/people/batch/create
	write POST moving 2
	theirs=$(calc "$rps * 100" 0)
	moved "$tree/kith" import "$work/moving.ndjson" --url "http://127.0.0.1:$port" --key "$BENCH_KEY"
	ours=$(calc "$people / 10 / $took" 0)
	row P14 '`kith import` of people ÷ two clients of batch/create, records a second' "$(calc "$ours / $theirs")" '' 1.2 2.0 up "$(per_second)"
	row P14 "resident memory of \`kith import\`, $((people / 10)) people" "$peak" ' MB' 32 16 down 'at its highest'
}

p15() {
	theirs=$("$tree/test/bench/pager" "http://127.0.0.1:$port" '/v1/people?limit=100' "$work/moved.ndjson") || die 'pager failed'
	moved "$tree/kith" export people -o "$work/moved.ndjson" --url "http://127.0.0.1:$port" --key "$BENCH_KEY"
	ours=$(calc "$(wc -l <"$work/moved.ndjson") / $took" 0)
	row P15 '`kith export` of people ÷ one client paging by 100, records a second' "$(calc "$ours / $theirs")" '' 1.0 1.5 up "$(per_second)"
	row P15 "resident memory of \`kith export\`, $(wc -l <"$work/moved.ndjson") people" "$peak" ' MB' 64 32 down 'at its highest'
	rm -f "$work/moved.ndjson"
}
