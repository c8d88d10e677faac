# Rows on totals; included by test/bench/run. A total that does not count all of its records fails its row (answers.c).

total_seconds=8 # of each of the two totals of deals

never=60000000 # microseconds, over the floor of every row

# answered NAME COUNT SECONDS: requests the cases of that name; sets n_answers, p50 and p99 (microseconds), and wrong, a
# remark about answers that are not as expected. One such answer makes the p99 a minute, so that the row fails.
# $work/answers has the same for each label.
answered() {
	"$tree/test/bench/answers" "$port" "$2" "$3" <"$work/$1.cases" >"$work/answers" 2>"$work/wrong" || die "$(cat "$work/wrong")"
	# shellcheck disable=SC2046 # numbers
	set -- $(head -n 1 "$work/answers" | cut -f 2-)
	n_answers=$1 p50=$2 p99=$3 wrong=
	[ "$6" != 0 ] || return 0
	cat "$work/wrong" >&2
	p99=$never wrong="; $6 not as expected"
}

seconds_of() { calc "$1 / 1000000" "${2:-2}"; }

# The list of deals, and their number in the table.
totals_deals() {
	deals_group=$(one "select id from groups where name = 'Group 20'")
	deals_path=/v1/groups/grp_$deals_group/deal/aggregate
	n_deals=$(sql -c "select count(*) from objects where workspace_id = '$own_workspace' and type_id =
		(select id from object_types where workspace_id = '$own_workspace' and group_id = '$deals_group' and name = 'deal')")
	[ "$n_deals" -ge $((people / 3)) ] || die "the seed has only $n_deals deals"
}

# deals_row WHAT GROUPING FLOOR AIM
deals_row() {
	printf '%s\t%s?groupBy=%s&measures=sum:customFieldValues.Score\t=%s\n' "$1" "$deals_path" "$2" "$n_deals" >"$work/deals.cases"
	answered deals 5000 $total_seconds
	row P18 "total of $n_deals deals $1, with a sum, p99" "$(seconds_of "$p99")" ' s' "$3" "$4" down \
		"of $n_answers; p50 $(seconds_of "$p50") s$wrong"
}

side_parts() {
	answered parts 5000 "$seconds"
	[ -z "$wrong" ] || p50=$never
	value=$(calc "1000000 / $p50" 4)
}

# kith does without parallel workers, because one workspace must not take all processors.
side_group_by() {
	usual_clients=$sql_clients sql_clients=1
	PGOPTIONS="-c timezone=UTC -c max_parallel_workers_per_gather=${1:-0}"
	pgbench_run "$work/group_by"
	PGOPTIONS=
	sql_clients=$usual_clients value=$rps
}

p18() {
	totals_deals
	deals_row 'by stage' customFieldValues.Status 0.6 0.25
	deals_row 'by month and user' createdAt:month,customFieldValues.Owner 1 0.4
	mkdir -p "$work/group_by"
	echo "select date_trunc('month', created_at)::date, count(*) from people where workspace_id = '$own_workspace' group by 1 order by 1;" \
		>"$work/group_by/1.sql"
	n_people=$(sql -c "select count(*) from people where workspace_id = '$own_workspace'")
	printf 'parts\t/v1/people/aggregate?groupBy=createdAt:month\t=%s\n' "$n_people" >"$work/parts.cases"
	usual_seconds=$seconds seconds=2
	pairs side_parts side_group_by
	side_group_by 2
	seconds=$usual_seconds
	row P18 "parts of the total of $n_people people by month ÷ PostgreSQL's own \`group by\` of them" "$(calc "$ratio")" '' 0.7 0.9 up \
		"$(calc "1 / $theirs") s ÷ $(calc "1 / $ours") s; $(calc "1 / $value") s with two parallel workers"
}
