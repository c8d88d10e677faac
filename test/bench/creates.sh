# Rows on creates beside a plain server of the same stack, and on requests of another build beside ours; included by test/bench/run.

# --- P5b: the plain server --------------------------------------------------------------

# A copy of people with the same indexes, made after the rows are there.
plain_people() {
	sql -c 'set client_min_messages = warning' -c 'drop table if exists plain_people cascade' \
		-c 'create table plain_people (like people including defaults) with (fillfactor = 80)' \
		-c 'insert into plain_people select * from people'
	sql -c "select replace(replace(pg_get_indexdef(indexrelid), ' ON public.people ', ' ON plain_people '), 'INDEX people_',
		'INDEX plain_people_') || ';' from pg_index where indrelid = 'people'::regclass" >"$work/plain_indexes"
	sql -f "$work/plain_indexes" -c 'vacuum (analyze) plain_people' -c checkpoint || die "the plain table has no indexes"
}

start_plain() {
	plain_people
	"$tree/test/bench/plain_server" "$own_workspace" "$user" >"$work/plain" &
	plain_pid=$!
	until [ -s "$work/plain" ]; do kill -0 "$plain_pid" || die "the plain server does not start"; done
	plain_port=$(cat "$work/plain")
	sed 's,/v1/people/per_,/people/,' "$work/get.targets" >"$work/plain_get.targets"
	echo '/people?limit=100' >"$work/plain_list.targets"
}

stop_plain() {
	kill "$plain_pid"
	wait "$plain_pid" 2>/dev/null
	plain_pid=
	sql -c 'drop table plain_people'
	sweep
}

side_plain_create() { BENCH_CREATE=1 wrk_run $web_clients "$seconds" "$plain_port" /people; value=$rps; }
side_plain_get() { BENCH_TARGETS=$work/plain_get.targets wrk_run $web_clients "$seconds" "$plain_port" /; value=$rps; }
side_plain_list() { BENCH_TARGETS=$work/plain_list.targets wrk_run $list_clients "$seconds" "$plain_port" /; value=$rps; }

# Creates at half of the rate that 64 clients reach, on as many connections.
half_load() {
	seq 1000 | awk '{ printf "/v1/people\t{\"firstName\":\"Bench\",\"lastName\":\"Person %d\",\"jobTitle\":\"Engineer\",\"emails\":" \
		"[\"bench%d@mail.example\"],\"phones\":[\"+1555%07d\"]}\n", $1, $1, $1 }' >"$work/half.targets"
	side_create
	half=$(calc "$value / 2" 0)
	for _ in 1 2 3; do probe_run half "$half" "$seconds"; echo "$p99 $p50"; done >"$work/half"
	row P5b "creates at half of the rate of $web_clients clients, p99" "$(calc "$(cut -d ' ' -f 1 "$work/half" | median) / 1000")" ' ms' 25 15 down \
		"$half/s; p50 $(calc "$(cut -d ' ' -f 2 "$work/half" | median) / 1000") ms"
}

p5b() {
	half_load
	sweep
	start_plain
	pairs side_create side_plain_create
	row P5b 'create a person ÷ a plain server of the same stack' "$(calc "$ratio")" '' 0.60 0.90 up "$(per_second)"
	pairs side_get side_plain_get
	row '' 'get one person ÷ the same' "$(calc "$ratio")" '' - - - "$(per_second)"
	pairs side_list side_plain_list
	row '' 'list of 100 people ÷ the same' "$(calc "$ratio")" '' - - - "$(per_second)"
	stop_plain
}

# --- P5c: another build -----------------------------------------------------------------

# at PORT COMMAND…: runs the command against another server.
at() {
	usual_port=$port
	port=$1
	shift
	"$@"
	port=$usual_port
}

side_one_create() { BENCH_CREATE=1 wrk_run 1 "$seconds" "$port" /v1/people; value=$p50; }

# The position in the WAL, and how many people there are.
wal_state() { sql -F ' ' -c "select pg_current_wal_lsn() - '0/0', count(*) from people" || die "cannot read the WAL's position"; }

# Bytes of WAL for each create.
side_wal() {
	wal_before=$(wal_state)
	side_create
	value=$(echo "$wal_before $(wal_state)" | awk '{ printf "%.0f", ($3 - $1) / ($4 - $2) }')
}

# compare COMMAND: runs it against both builds in turn.
compare() {
	compared=$1
	pairs compared_now compared_before
}
compared_now() { at "$now_port" "$compared"; }
compared_before() { at "$before_port" "$compared"; }

idle_kb() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status"; }

# The usual server started first, so it dispatches the events of all. Both builds that are compared leave that to it.
p5c() {
	[ -n "${BENCH_BEFORE:-}" ] || return 0
	start_program "$tree/kith" now
	now_pid=$started_pid now_port=$started_port
	start_program "$BENCH_BEFORE" before
	before_pid=$started_pid before_port=$started_port
	now_kb=$(idle_kb "$now_pid") before_kb=$(idle_kb "$before_pid")
	compare side_create
	row P5c "create a person ÷ $("$BENCH_BEFORE" --version)" "$(calc "$ratio")" '' 2.0 2.5 up "$(per_second)"
	compare side_one_create
	row P5c 'one client, p50 ÷ the same' "$(calc "$ratio")" '' 1.05 0.9 down "$(printf '%.0f us ÷ %.0f us' "$ours" "$theirs")"
	compare side_wal
	row P5c 'WAL of a create ÷ the same' "$(calc "$ratio")" '' 0.70 0.60 down "$(printf '%.0f bytes ÷ %.0f bytes' "$ours" "$theirs")"
	compare side_livez
	row P5c '`/livez` ÷ the same' "$(calc "$ratio")" '' 0.95 1.05 up "$(per_second)"
	compare side_get
	row P5c 'get one person ÷ the same' "$(calc "$ratio")" '' 0.95 1.05 up "$(per_second)"
	compare side_list
	row P5c 'list of 100 people ÷ the same' "$(calc "$ratio")" '' 0.95 1.05 up "$(per_second)"
	row P5c 'resident memory, idle − the same' "$(calc "($now_kb - $before_kb) / 1024" 1)" ' MB' 1 0 down "$(printf '%.1f MB − %.1f MB' "$(calc "$now_kb / 1024" 1)" "$(calc "$before_kb / 1024" 1)")"
	kill "$now_pid" "$before_pid"
	wait "$now_pid" || die "this build ended badly: $(tail -n 1 "$work/now.log")"
	now_pid=
	wait "$before_pid" || die "the other build ended badly: $(tail -n 1 "$work/before.log")"
	before_pid=
	sweep
}
