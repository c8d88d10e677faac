# Rows on the cost of single requests and of clients without a key; included by test/bench/run.

# The largest input of every kind of route, one after the other, in a separate workspace.
n2() {
	restart_server
	workspace=$("$tree/kith" workspace create --name Largest | member id)
	user=$("$tree/kith" user create --workspace "$workspace" --email "largest$(date +%s)@mail.example" --name Largest --role admin | member id)
	key=$("$tree/kith" key create --user "$user" | member key)
	[ -n "$key" ] || die "no key for the largest"
	BENCH_KEY=$key "$tree/test/bench/largest" "$port" "$server_pid" >"$work/largest" || {
		cat "$work/largest" >&2
		die "the largest requests failed"
	}
	# Fields: status, milliseconds, bytes in, bytes out, microseconds held, KB taken, seconds until it is back, name.
	while read -r _ status ms in out held kb back name; do
		[ "$back" != -1.0 ] || back='> 30'
		row N2 "$name" "$(calc "$kb / 1024" 1)" ' MB' 64 32 down \
			"$status in $ms ms, $(calc "$in / 1048576" 1) MB in, $(calc "$out / 1048576" 1) MB out; loop held $(calc "$held / 1000" 1) ms; back: $back s"
	done <<-END
		$(grep '^case' "$work/largest")
	END
	# shellcheck disable=SC2046 # two words
	set -- $(sed -n 's/^result //p' "$work/largest")
	row N2 'loop held during all of them, p99.9' "$(calc "$1 / 1000" 1)" ' ms' 20 10 down 'of `/livez` a thousand times a second, one request at a time'
	row N2 'memory back to 1.5 × idle, the longest' "$(awk '/^case/ { t = $8 < 0 ? 31 : $8; if (t > m) m = t } END { print m + 0 }' "$work/largest")" \
		' s' 30 15 down "idle $(calc "$2 / 1024" 1) MB; 31: it was not back after 30 s" memory
}

# Connections that send bodies of 8 MiB minus one byte, without a key and with an unknown key.
n3() {
	for kind in none made-up; do
		restart_server
		"$tree/test/bench/strangers" "$port" 10000 "${N3_SECONDS:-15}" $kind >"$work/strangers" || die "the strangers failed"
		line=$(sed -n 's/^result //p' "$work/strangers")
		# shellcheck disable=SC2086 # three words
		set -- $line
		row N3 "10,000 connections with $([ $kind = none ] && echo 'no key' || echo 'a made-up key'): resident memory" \
			"$(calc "$(resident_kb VmHWM) / 1024" 1)" ' MB' 64 32 down "$1 open at once, $(calc "$2 / 1048576" 0) MB sent in ${N3_SECONDS:-15} s, $3 answers"
	done
	restart_server
}
