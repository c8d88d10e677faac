# Rows on batches and objects; included by test/bench/run.
# One group with objects of the type "deal", each with two people, a company and three custom values.

batch_objects=1000

api() { curl -sf -H "Authorization: Bearer $BENCH_KEY" -H 'Content-Type: application/json' "http://127.0.0.1:$port$1" -d "$2"; }

# The ids of all results or items, one per line.
all_ids() { grep -o "\"data\":{\"id\":\"$1[^\"]*" | sed 's/.*"//'; }

# records FILE FORMAT: one batch body per line, for each hundred lines of the file; %s in the format, at most twice, is the
# line.
records() { awk -v f="$2" '{ s = s (NR % 100 == 1 ? "" : ",") sprintf(f, $1, $1) } NR % 100 == 0 { print "{\"records\":[" s "]}"; s = "" }' "$1"; }

# targets NAME PATH: stdin has the bodies for the path.
targets() { awk -v p="$2" '{ print p "\t" $0 }' >"$work/$1.targets"; }

batch_setup() {
	group=$(api /v1/groups '{"name":"Deals","visibility":"public"}' | grep -o 'grp_[^"]*' | head -n 1)
	deals=/v1/groups/$group/deal
	api "/v1/groups/$group/object-types" '{"name":"deal"}' >/dev/null || die "no object type"
	for field in '"stage","type":"singleSelect","options":[{"label":"new"},{"label":"won"}]' '"amount","type":"numericField"' \
		'"note","type":"textField"'; do
		api "/v1/groups/$group/custom-fields/deal" "{\"name\":$field}" >/dev/null || die "no field"
	done
	seq 100 | records /dev/stdin "{\"firstName\":\"Deal\",\"groups\":[{\"id\":\"$group\"}]}" >"$work/people"
	api /v1/people/batch/create "@$work/people" | all_ids per_ >"$work/people.ids"
	company=$(api /v1/companies "{\"name\":\"Deals\",\"groups\":[{\"id\":\"$group\"}]}" | grep -o 'com_[^"]*' | head -n 1)
	one='{"name":"Deal","people":[{"id":"'$(sed -n 1p "$work/people.ids")'"},{"id":"'$(sed -n 2p "$work/people.ids")'"}],"companies":[{"id":"'$company'"}],"customFieldValues":{"stage":"new","amount":1,"note":"n"}}'
	echo "$one" | targets object_create "$deals"
	seq 100 | records /dev/stdin "$one" | tee "$work/objects" | targets object_batch_create "$deals/batch/create"
	: >"$work/objects.ids"
	while [ "$(wc -l <"$work/objects.ids")" -lt $batch_objects ]; do
		api "$deals/batch/create" "@$work/objects" | all_ids obj_ >>"$work/objects.ids" || die "no objects"
	done
	change='"name":"Deal @","customFieldValues":{"stage":"won","amount":@,"note":"note @"}'
	awk -v c="$change" -v p="$deals" '{ print p "/" $1 "\t{" c "}" }' "$work/objects.ids" >"$work/object_update.targets"
	records "$work/objects.ids" "{\"id\":\"%s\",$change}" | targets object_batch_update "$deals/batch/update"
	sed "s|^|$deals/|" "$work/objects.ids" >"$work/object_get.targets"
	echo "$deals?limit=100" >"$work/object_list.targets"
}

# A group with 1,000 objects of ten values; lists show the names of the people, users and companies in them.
wide_setup() {
	wide_group=$(api /v1/groups '{"name":"Accounts","visibility":"public"}' | grep -o 'grp_[^"]*' | head -n 1)
	api "/v1/groups/$wide_group/object-types" '{"name":"account"}' >/dev/null || die "no object type"
	options='"options":[{"label":"a"},{"label":"b"},{"label":"c"}]'
	for field in '"t1","type":"textField"' '"t2","type":"textField"' '"t3","type":"textField"' '"n1","type":"numericField"' \
		'"n2","type":"numericField"' '"d1","type":"dateField"' '"s1","type":"singleSelect",'"$options" \
		'"m1","type":"multipleSelect",'"$options" '"c1","type":"contactField"' '"u1","type":"userField"'; do
		api "/v1/groups/$wide_group/custom-fields/account" "{\"name\":$field}" >/dev/null || die "no field"
	done
	seq 100 | records /dev/stdin "{\"firstName\":\"Account %s\",\"groups\":[{\"id\":\"$wide_group\"}]}" >"$work/people"
	api /v1/people/batch/create "@$work/people" | all_ids per_ >"$work/people.ids"
	for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$work/people.ids"; done | records /dev/stdin '{"name":"Account","people":[{"id":"%s"}],'\
'"customFieldValues":{"t1":"first","t2":"second text","t3":"third","n1":1,"n2":2.5,"d1":"2026-01-31","s1":"a","m1":["a","b"],'\
'"c1":[{"id":"%s"}],"u1":[{"id":"usr_'"$user"'"}]}}' >"$work/wide.records"
	while read -r body; do
		echo "$body" | api "/v1/groups/$wide_group/account/batch/create" @- | all_ids obj_
	done <"$work/wide.records" >"$work/wide.ids"
	[ "$(wc -l <"$work/wide.ids")" = 1000 ] || die "not all objects of ten values are there"
	echo "/v1/groups/$wide_group/account?limit=100" >"$work/wide.targets"
}

remove_group() { curl -sf -X DELETE -H "Authorization: Bearer $BENCH_KEY" "http://127.0.0.1:$port/v1/groups/$1" >/dev/null || say "the group is not deleted"; }

side_wide() { get $list_clients wide; value=$rps; }

wide_list() {
	wide_setup
	pairs side_wide side_list
	row P3 'list of 100 objects of ten values ÷ list of 100 people' "$(calc "$ratio")" '' 0.40 0.60 up "$(per_second)"
	remove_group "$wide_group"
	sweep
}

# A thousand of the seed's people or companies, to be changed.
contact_setup() {
	PGOPTIONS=$own sql -c "select '$1_' || id from (select id from $2 order by id limit 1000) t" >"$work/$2.ids"
	records "$work/$2.ids" "{\"id\":\"%s\",\"description\":\"Changed @\"}" | targets "$2_batch_update" "/v1/$2/batch/update"
	sed 's/^[^\t]*\t//;q' "$work/$2_batch_update.targets" >"$work/once"
	[ "$(api "/v1/$2/batch/update" "@$work/once" | all_ids "$1_" | wc -l)" = 100 ] || die "a batch did not update 100 $2"
}

# write METHOD NAME CLIENTS: sets rps (requests per second).
write() {
	line=$(BENCH_METHOD=$1 BENCH_TARGETS=$work/$2.targets wrk -t 1 -c "$3" -d "${seconds}s" -s "$here/batch.lua" "http://127.0.0.1:$port/" 2>&1 |
		tee "$work/wrk" | sed -n 's/^result //p')
	# shellcheck disable=SC2086 # four words
	set -- ${line:-0 0 0 1}
	rps=$1
	[ "$4" = 0 ] || die "wrk met $4 failures: $(tail -n 3 "$work/wrk")"
}

# Milliseconds of one batch of a hundred, and of a hundred single updates, on one connection.
side_batch() { write POST object_batch_update 1; value=$(calc "1000 / $rps" 4); }
side_singles() { write PATCH object_update 1; value=$(calc "100000 / $rps" 4); }

# rate WHAT METHOD NAME CLIENTS EACH: a row of records per second.
rate() {
	for _ in 1 2 3; do write "$2" "$3" "$4"; calc "$rps * $5" 0; echo; done >"$work/rate"
	row '' "$1" "$(calc "$(median <"$work/rate")" 0)" '/s' - - - ''
}

# Each batch deletes what the previous one created; both are measured on one connection.
delete_rate() {
	api "$2/batch/create" "@$4" >/dev/null || die "cannot create $1"
	began=$(date +%s%N)
	deleted=0 spent=0
	while [ $(($(date +%s%N) - began)) -lt $((seconds * 1000000000)) ]; do
		api "$2/batch/create" "@$4" | all_ids "$3" | records /dev/stdin '{"id":"%s"}' >"$work/gone"
		t=$(curl -sf -o /dev/null -w '%{time_total}' -H "Authorization: Bearer $BENCH_KEY" -H 'Content-Type: application/json' \
			"http://127.0.0.1:$port$2/batch/delete" -d "@$work/gone") || die "cannot delete $1"
		spent=$(calc "$spent + $t" 6)
		deleted=$((deleted + 100))
	done
	row '' "batches of 100: delete $1" "$(calc "$deleted / $spent" 0)" '/s' - - - 'one connection'
}

p6() {
	batch_setup
	contact_setup per people
	contact_setup com companies
	pairs side_batch side_singles
	row P6 'batch update of 100 objects ÷ 100 single updates' "$(calc "$ratio")" '' 0.25 0.15 down \
		"$(printf '%.1f ms ÷ %.1f ms, one connection' "$ours" "$theirs")"
	get $web_clients object_get
	row '' 'get one object' "$(calc "$rps" 0)" '/s' - - - "$web_clients clients"
	get $list_clients object_list
	row '' 'list of 100 objects' "$(calc "$rps" 0)" '/s' - - - "$list_clients clients"
	rate 'update of one object' PATCH object_update 64 1
	rate 'batches of 100: update objects' POST object_batch_update 4 100
	rate 'batches of 100: update people' POST people_batch_update 4 100
	rate 'batches of 100: update companies' POST companies_batch_update 4 100
	rate 'batches of 100: create objects' POST object_batch_create 4 100
	seq 100 | records /dev/stdin '{"firstName":"Bench","lastName":"Person %s","emails":["b@mail.example"]}' >"$work/new_people"
	targets people_batch_create /v1/people/batch/create <"$work/new_people"
	rate 'batches of 100: create people' POST people_batch_create 4 100
	seq 100 | records /dev/stdin '{"name":"Bench @ %s"}' | targets companies_batch_create /v1/companies/batch/create
	rate 'batches of 100: create companies' POST companies_batch_create 1 100
	delete_rate objects "$deals" obj_ "$work/objects"
	delete_rate people /v1/people per_ "$work/new_people"
	seq 100 | records /dev/stdin '{"description":"x"}' >"$work/new_companies"
	delete_rate companies /v1/companies com_ "$work/new_companies"
	remove_group "$group"
	sql -c "delete from companies where created_at > '2025-10-01'" -c 'vacuum (analyze) companies'
	sweep
}
