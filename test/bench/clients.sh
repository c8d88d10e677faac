# Rows on programs that others wrote: vdirsyncer and a browser; included by test/bench/run.

# client_user NAME: a workspace with one user; sets client_workspace, client_email and client_key.
client_user() {
	client_workspace=$("$tree/kith" workspace create --name "$1" | member id)
	client_email=$1.$(date +%s)@mail.example
	client_key=$("$tree/kith" key create --user \
		"$("$tree/kith" user create --workspace "$client_workspace" --email "$client_email" --name "$1" --role admin | member id)" | member key)
	[ -n "$client_key" ] || die "no key for the user of $1"
}

# The number behind a text in what test/dav/volume.py prints.
volume_of() { sed -n "s/^$1.*: \([0-9.]*\) s, \([0-9]*\) bytes read$/\\$2/p" "$work/volume"; }

p21() {
	cards=$((people / 20))
	client_user cards
	password=$(curl -sf -H "Authorization: Bearer $client_key" -d '{"name":"Bench","scopes":["contacts"]}' "http://127.0.0.1:$port/v1/keys" | member key)
	[ -n "$password" ] || die "no password for the devices"
	KITH_URL=http://127.0.0.1:$port KITH_KEY=$client_key KITH_CARDDAV_URL=http://127.0.0.1:$port KITH_CARDDAV_USER=$client_email \
		KITH_CARDDAV_PASSWORD=$password VOLUME_PEOPLE=$cards VOLUME_SECONDS=600 VOLUME_CHANGE_BYTES=1000000 \
		/usr/bin/python3 -B test/dav/volume.py >"$work/volume" 2>&1 || die "the address book failed: $(tail -n 3 "$work/volume")"
	row P21 "first sync of $cards cards by vdirsyncer" "$(volume_of 'vdirsyncer reads [0-9]' 1)" ' s' 60 20 down \
		"$(calc "$(volume_of 'vdirsyncer reads [0-9]' 2) / 1000000" 0) MB; its next run $(volume_of 'its next run' 1) s"
	row P21 'one change, read by sync-collection' "$(calc "$(volume_of 'sync-collection reads a change' 2) / 1024")" ' KB' 10 4 down \
		"vdirsyncer: $(calc "$(volume_of 'vdirsyncer reads a change' 2) / 1000000" 1) MB"
	sweep
}

p22() {
	test/web/install build/web || die "the packages for the browser are missing"
	KITH_URL=http://127.0.0.1:$port KITH_KEY=$BENCH_KEY node --preserve-symlinks --preserve-symlinks-main build/web/scripts/console_first.mjs \
		>"$work/console" 2>&1 || die "the console shows no list: $(tail -n 3 "$work/console")"
	# shellcheck disable=SC2046 # numbers
	set -- $(sed -n 's/^result //p' "$work/console")
	row P22 "console: first list beside $people people, from an empty cache" "$(calc "$1 / 1000")" ' s' 0.5 0.25 down \
		"the median of $3; longest $(calc "$2 / 1000") s"
	console_bytes=0
	for path in $(sed -n 's/^\t{"\(\/console[^"]*\)".*/\1/p' "$tree/pages/assets.c"); do
		size=$(curl -sf -o /dev/null -H 'Accept-Encoding: gzip' -w '%{size_download}' "http://127.0.0.1:$port$path") || die "$path is missing"
		console_bytes=$((console_bytes + size))
	done
	[ $console_bytes -gt 0 ] || die "the console has no files"
	row P22 'console: size without the reference, gzip' "$(calc "$console_bytes / 1024" 1)" ' KB' 180 140 down 'all of its files'
}
