# Rows on events and deliveries; included by test/bench/run. Their server may send to this machine.

hooks_targets='--webhook_allow_targets 127.0.0.0/8'

# Restarts the server with further settings.
restart_server() {
	stop_server
	kept_rates=$rates
	rates="$rates $*"
	start_server
	rates=$kept_rates
}

# Waits for the first line of a program of hooks.c; sets hooks_port.
hooks_listening() {
	until [ -s "$work/hooks" ]; do kill -0 "$hooks_pid" 2>/dev/null || die "the receiver does not start"; done
	hooks_port=$(head -n 1 "$work/hooks")
}

make_webhooks() {
	for _ in $(seq "$1"); do
		curl -sf -o /dev/null -H "Authorization: Bearer $BENCH_KEY" -d "{\"name\":\"Bench\",\"targetUrl\":\"http://127.0.0.1:$hooks_port/in\",
			\"subscribedEvents\":[{\"eventType\":\"person.created\",\"filter\":{}}]}" "http://127.0.0.1:$port/v1/webhooks" ||
			die "cannot make a webhook"
	done
}

sweep_hooks() {
	sql -c 'delete from webhooks' -c 'truncate events, deliveries' -c checkpoint
}

side_evented() { pgbench_run "$work/create"; value=$rps; }
side_eventless() { pgbench_run "$work/eventless"; value=$rps; }

insert_events() {
	sql -c "insert into events (workspace_id, id, type, record_id, data) select '$own_workspace',
		gen_random_uuid(), 'person.created', gen_random_uuid(), '{\"changes\":[{\"path\":[\"firstName\"],\"type\":\"set\",
		\"value\":\"Ada\"},{\"path\":[\"lastName\"],\"type\":\"set\",\"value\":\"Lovelace\"},{\"path\":[\"emails\"],\"type\":\"add\",
		\"value\":[\"ada@mail.example\"]}]}' from generate_series(1, $1)" -c 'vacuum (analyze) events' -c checkpoint
}

# The delivery rate for a number of pending events and webhooks.
drain() {
	: >"$work/hooks"
	"$tree/test/bench/hooks" drain $(($1 * $2)) >"$work/hooks" &
	hooks_pid=$!
	hooks_listening
	make_webhooks "$2"
	stop_server
	insert_events "$1"
	start_server_again
	wait "$hooks_pid"
	drained=$(sed -n 's/^result \([0-9]*\).*/\1/p' "$work/hooks")
	drained_kb=$(resident_kb VmHWM)
	[ -n "$drained" ] || die "the deliveries did not come"
	sweep_hooks
}

start_server_again() {
	kept_rates=$rates
	rates="$rates $hooks_targets"
	start_server
	rates=$kept_rates
}

p10() {
	mkdir -p "$work/eventless"
	sed 's/^with event as (insert into events .*)) insert into people (/insert into people (/' "$work/create/1.sql" >"$work/eventless/1.sql"
	cmp -s "$work/create/1.sql" "$work/eventless/1.sql" && die "no event was found among the statements of a create"
	pairs side_evented side_eventless
	row P10 'cost of one event in a single create (pgbench of it with and without)' "$(calc "1000000 / $ours - 1000000 / $theirs" 0)" ' us' 50 35 down "$(per_second)" create
	sweep
	sql -c 'truncate events'
	# shellcheck disable=SC2086 # the settings are words
	restart_server $hooks_targets
	drain $((people / 20)) 4
	row P10 'deliveries a second to a fast receiver, 4 webhooks' "$drained" '/s' 30000 60000 up "$((people / 20)) events each; resident $(calc "$drained_kb / 1024" 1) MB at its highest"
	drain $((people / 20)) 1
	row '' 'the same, one webhook' "$drained" '/s' - - - ''
}

p11() {
	# shellcheck disable=SC2086 # the settings are words
	restart_server $hooks_targets
	: >"$work/hooks"
	mkfifo "$work/hooks.go"
	"$tree/test/bench/hooks" latency "$port" 200 $((3 * seconds)) >"$work/hooks" <"$work/hooks.go" &
	hooks_pid=$!
	exec 9>"$work/hooks.go"
	hooks_listening
	make_webhooks 1
	echo go >&9
	exec 9>&-
	wait "$hooks_pid"
	# shellcheck disable=SC2046 # four numbers
	set -- $(sed -n 's/^result //p' "$work/hooks")
	[ "${4:-1}" = 0 ] || die "deliveries were lost: $(tail -n 1 "$work/hooks")"
	row P11 'commit to first delivery byte at 200 events/s, p50' "$(calc "$1 / 1000")" ' ms' 5 1 down 'measured from the answer to the write'
	row P11 'the same, p99' "$(calc "$2 / 1000")" ' ms' 50 25 down "longest $(calc "$3 / 1000" 1) ms"
	sweep_hooks
	sweep
}
