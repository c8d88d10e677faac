# Rows on compressed answers and streams of events; included by test/bench/run.

stream_users=5 # of 20 streams each
stream_rounds=20

side_packed() { BENCH_ENCODING=gzip get $list_clients list; value=$rps; }

p16() {
	restart_server --gzip on
	pairs side_packed side_list
	row P16 'list of 100 people, compressed ÷ plain' "$(calc "$ratio")" '' - - - "$(per_second)"
	restart_server
}

p17() {
	after=$(curl -sf -D - -o /dev/null -H "Authorization: Bearer $BENCH_KEY" "http://127.0.0.1:$port/v1/people?limit=1" |
		tr -d '\r' | sed -n 's/^X-Events-Cursor: //p')
	[ -n "$after" ] || die "no cursor"
	insert_events $((people / 200))
	keys=$(for i in $(seq $stream_users); do
		user=$("$tree/kith" user create --workspace "wsp_$own_workspace" --email "stream$i.$(date +%s)@mail.example" --name Stream --role member | member id)
		"$tree/kith" key create --user "$user" | member key
	done)
	# shellcheck disable=SC2046,SC2086 # three numbers, keys
	set -- $("$tree/test/bench/streams" "$port" "$after" $((people / 200)) $stream_rounds $keys | sed -n 's/^result //p')
	row P17 "events a second to $((stream_users * 20)) streams together" "${1:-}" '/s' - - - "a backlog of $((people / 200)) events each"
	row P17 "one event to the last of $((stream_users * 20)) waiting streams, p50" "$(calc "${2:-0} / 1000")" ' ms' - - - \
		"from the answer to the write; longest of $stream_rounds $(calc "${3:-0} / 1000") ms"
	sql -c 'truncate events'
	sweep
}
