# Rows on the effect of one workspace on another; included by test/bench/run. The bench's own workspace produces the
# worst load; another one reads and writes at the same time.

victim_make() {
	workspace=$("$tree/kith" workspace create --name Victim | member id)
	user=$("$tree/kith" user create --workspace "$workspace" --email victim@mail.example --name Victim --role admin | member id)
	victim_key=$("$tree/kith" key create --user "$user" | member key)
	[ -n "$victim_key" ] || die "no key for the neighbour"
	curl -sf -H "Authorization: Bearer $victim_key" -d '{"firstName":"Ada"}' "http://127.0.0.1:$port/v1/people" |
		sed -n 's/.*"data":{"id":"\(per_[^"]*\)".*/\/v1\/people\/\1/p' >"$work/victim.targets"
	[ -s "$work/victim.targets" ] || die "no person of the neighbour"
}

# The slowest totals: two groupings by lists of values, each measure with a join, tests of all rows, many groups.
worst_totals() {
	totals_deals
	every="&measures=sum:customFieldValues.Score,avg:customFieldValues.Score,min:customFieldValues.Renewal,max:customFieldValues.Renewal"
	cat >"$work/worst.totals" <<-END
		$deals_path?groupBy=customFieldValues.Tags,customFieldValues.Contact$every
		$deals_path?groupBy=companies,createdAt:day$every
		/v1/people/aggregate?groupBy=groups,companies&measures=min:birthday,max:updatedAt
		/v1/people/aggregate?groupBy=jobTitle,createdAt:day&filter[fullName][not_like]=aq
	END
	while read -r target; do
		curl -sfg -m 60 -H "Authorization: Bearer $BENCH_KEY" "http://127.0.0.1:$port$target" | grep -q '"total":{"count":[1-9]' ||
			die "no total: $target"
	done <"$work/worst.totals"
}

# neighbour WORST LIMITS: 16 clients of one workspace produce the load while another one reads and writes at fixed rates.
neighbour() {
	BENCH_TOTALS=$work/worst.totals "$tree/test/bench/neighbours" "$1" "$port" 16 $((n1_seconds + 3)) >"$work/worst" &
	worst_pid=$!
	until curl -sf -m 1 -o /dev/null "http://127.0.0.1:$port/livez"; do :; done
	sleep 1 # the load starts
	BENCH_KEY=$victim_key "$tree/test/bench/neighbours" writes "$port" "$victim_writes" "$n1_seconds" >"$work/victim_writes" &
	writes_pid=$!
	line=$(BENCH_KEY=$victim_key "$tree/test/bench/probe" rate "$port" "$work/victim.targets" "$victim_reads" "$n1_seconds" | sed -n 's/^result //p')
	wait "$writes_pid"
	wait "$worst_pid" || die "the load $1 did not run"
	[ "$1" = nothing ] || grep -q ' 200:' "$work/worst" || die "the load $1 has not met one 200: $(cat "$work/worst")"
	# shellcheck disable=SC2046,SC2086 # numbers
	set -- "$1" "$2" ${line:-0 0 0 0 1 0} $(sed -n 's/^result //p' "$work/victim_writes")
	row N1 "beside \`$1\`, $2: get one, p99" "$(calc "$4 / 1000")" ' ms' 25 15 down \
		"p50 $(calc "$3 / 1000") ms, longest $(calc "$6 / 1000" 1) ms$([ "$7" = 0 ] || echo ", $7 failed"); $(sed -n 's/^result //p' "$work/worst")" beside
	row N1 "the same: create a person, p99" "$(calc "${10:-0} / 1000")" ' ms' 250 100 down \
		"p50 $(calc "${9:-0} / 1000") ms, longest $(calc "${11:-0} / 1000" 1) ms, ${12:-all} failed"
	sql -c 'delete from webhooks' -c "delete from reminders where name = 'x'"
}

# The other workspace's reads: p99 in microseconds.
victim_p99() {
	BENCH_KEY=$victim_key "$tree/test/bench/probe" rate "$port" "$work/victim.targets" "$victim_reads" "$n1_seconds" |
		sed -n 's/^result [0-9]* \([0-9]*\).*/\1/p'
}

# phones PHONES: the other workspace's reads beside the devices of this one ÷ beside none, taking turns in one run.
phones() {
	: >"$work/beside"
	for round in 1 2 3; do
		bare=$(victim_p99)
		"$tree/test/bench/phones" "$port" "$1" $((n1_seconds + 3)) >"$work/phones" &
		phones_pid=$!
		sleep 2 # the devices begin
		beside=$(victim_p99)
		wait "$phones_pid"
		echo "$(calc "${beside:-0} / ${bare:-1}") ${beside:-0} ${bare:-0} $round" >>"$work/beside"
	done
	# shellcheck disable=SC2046 # numbers
	set -- "$1" $(sort -n "$work/beside" | sed -n 2p)
	row N1 "beside $1 polling phones and one that reads everything ÷ beside none: get one, p99" "$2" '' 20 8 down \
		"median of three: $(calc "$3 / 1000") ms ÷ $(calc "$4 / 1000") ms; $(sed -n 's/^result //p' "$work/phones")" beside
}

n1() {
	n1_seconds=${N1_SECONDS:-10} victim_reads=100 victim_writes=10
	# shellcheck disable=SC2086 # the settings are words
	restart_server $hooks_targets
	victim_make
	worst_totals
	"$tree/test/bench/neighbours" prepare "$port" || die "the neighbour's worst cannot be prepared"
	# "nothing": the baseline without load.
	for worst in ${N1_WORST:-nothing batches filters totals settings rules polls hooks all}; do
		neighbour $worst 'highest limits'
	done
	phones 200
	# The neighbour's own requests stay below the default limits.
	n1_seconds=$((n1_seconds * 2)) victim_reads=5 victim_writes=2
	sql -c 'truncate rate_usage'
	kept_limits=$rates rates='--rate_default 600/60 --rate_burst 20/2'
	# shellcheck disable=SC2086 # the settings are words
	restart_server $hooks_targets
	for worst in ${N1_WORST:-batches filters totals all}; do
		neighbour $worst 'default limits'
	done
	rates=$kept_limits
	restart_server
	sweep
}
