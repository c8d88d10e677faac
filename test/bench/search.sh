# Rows on searches; included by test/bench/run. Words come from records drawn by chance, so common names are as frequent
# among them as in the table. A search that finds nothing fails its row, and so does one that finds words that no record
# has (answers.c).

search_answers=5000
search_seconds=20 # at most, for each row
search_drawn=125  # records; each makes one search of every form

# What somebody types who looks for a person or company, "kind<tab>form<tab>text<tab>what the answer has", in a mixed
# order. Half-typed texts have at least two letters.
search_texts() {
	sql -F '	' -c "with p as (select p.*, c.name as company, abs(hashtext(p.id::text)) as n
			from people p left join companies c on c.workspace_id = p.workspace_id and c.id = p.company_ids[1]
			where p.workspace_id = '$own_workspace' and p.full_name <> '' and p.created_at < '2025-10-01'
			order by hashtext(p.id::text) limit $search_drawn),
		c as (select c.*, abs(hashtext(c.id::text)) as n from companies c
			where c.workspace_id = '$own_workspace' and c.created_at < '2025-10-01' order by hashtext(c.id::text) limit $search_drawn),
		drawn as (select 'people' as kind, n, translate(lower(first_name), 'öáúí', 'oaui') as first,
				translate(lower(last_name), 'öáúí', 'oaui') as last, full_name as name, company, emails[1] as email,
				right(translate(phones[1], ' +-().', ''), 10) as phone from p
			union all select 'companies', n, split_part(lower(name), ' ', 1), split_part(lower(name), ' ', 3), name, null, emails[1],
				'0' || right(phones[1], 9) from c),
		typed (kind, form, text) as (select kind, 'one word', first from drawn
			union all select kind, 'two words', first || ' ' || last from drawn
			union all select kind, 'with accents', name from drawn where octet_length(name) > length(name)
			union all select kind, 'three letters', left(case n % 2 when 0 then first else last end, 3) from drawn where length(last) >= 3
			union all select kind, 'half-typed', rtrim(left(lower(name), 2 + n % (length(name) - 2)), ' ') from drawn
			union all select kind, 'with company', first || ' ' || lower(company) from drawn where company is not null
			union all select kind, 'e-mail', case n % 3 when 0 then email else split_part(email, '@', n % 3) end from drawn where email <> ''
			union all select kind, 'digits', case n % 2 when 0 then phone else left(phone, 3) || ' ' || substr(phone, 4) end
				from drawn where phone <> '')
		select kind, form, text, case when form = 'unknown' then '\"items\":[]' else '\"items\":[{' end
		from (select * from typed union all select kind, 'unknown', 'nosuch' || n || ' ' || first from drawn where n % 8 = 0) t
		order by md5(form || text), kind" >"$work/typed" || die "no words for searches"
	for kind in people companies; do
		[ "$(grep -c "^$kind	" "$work/typed")" -ge $((search_drawn * 4)) ] || die "too few records for searches of $kind"
	done
}

# search_row WHAT KINDS TARGET: TARGET ends where the text begins.
search_row() {
	awk -F '\t' -v kinds="$2" -v target="$3" '$1 ~ kinds { gsub(/\+/, "%2B", $3); print $2 "\t" target $3 "\t" $4 }' "$work/typed" >"$work/search.cases"
	answered search $search_answers $search_seconds
	slowest_form=$(tail -n +2 "$work/answers" | sort -t '	' -k 4,4nr | head -n 1)
	row P19 "$1 of words as people type them, p99" "$(calc "$p99 / 1000")" ' ms' 50 15 down \
		"of $n_answers; p50 $(calc "$p50 / 1000") ms; slowest: $(echo "$slowest_form" | cut -f 1), p99 $(calc "$(echo "$slowest_form" | cut -f 4) / 1000") ms$wrong"
}

# search_table TABLE INDEX…: an empty table like people, with its indexes but those of search, the trigger of inserts,
# and the given definitions. pgbench then creates people in it by the script $work/TABLE.
search_table() {
	sql -c "create table $1 (like people including defaults) with (fillfactor = 80)"
	sql -c "select replace(replace(pg_get_indexdef(indexrelid), ' ON public.people ', ' ON $1 '), 'INDEX people_', 'INDEX $1_') || ';'
		from pg_index where indrelid = 'people'::regclass and indexrelid::regclass::text not in ('people_search', 'people_unfolded')" \
		>"$work/search_indexes"
	sql -f "$work/search_indexes" -c "create trigger $1_order after insert on $1 for each row execute function people_order()" ||
		die "$1 has no indexes"
	mkdir -p "$work/$1"
	sed "s/ insert into people (/ insert into $1 (/" "$work/create/1.sql" >"$work/$1/1.sql"
	grep -q " insert into $1 (" "$work/$1/1.sql" || die "a create's insert is not what was expected"
	searched_table=$1
	shift
	for definition in "$@"; do sql -c "$definition" || die "$searched_table has no index for texts"; done
}

search_index() { sql -c "select replace(replace(pg_get_indexdef('$1'::regclass), ' ON public.people ', ' ON $2 '), 'INDEX ', 'INDEX $2_')"; }
side_searched() { pgbench_run "$work/bench_searched"; value=$rps; }
side_filtered() { pgbench_run "$work/bench_filtered"; value=$rps; }

# The same create into a table with the folded text, its trigger and its index, and into one with the two indexes for
# filters that they replaced.
search_create() {
	pending='gin_trgm_ops) with (gin_pending_list_limit = 16384)'
	search_table bench_searched "$(search_index people_search bench_searched)" "$(search_index people_unfolded bench_searched)" \
		"create trigger searched before insert on bench_searched for each row execute function people_search()"
	search_table bench_filtered "create index on bench_filtered using gin
		(workspace_id, kith_search_text(array[full_name, first_name, last_name, job_title]) $pending" \
		"create index on bench_filtered using gin (workspace_id, kith_search_text(emails) $pending"
	usual_seconds=$seconds seconds=2
	pairs side_searched side_filtered
	seconds=$usual_seconds
	row P19 'what search adds to a create, pgbench' "$(calc "100 * (1 / $ratio - 1)" 1)" ' %' 5 2 down \
		"$(per_second), which has the two indexes that filters had before"
	[ "$(sql -c 'select count(*) from bench_searched where search_text is null')" = 0 ] || die "texts for search are missing"
	for table in bench_searched bench_filtered; do
		sql -c "delete from people_updates u using $table t where u.workspace_id = t.workspace_id and u.id = t.id" \
			-c "delete from person_items i using $table t where i.workspace_id = t.workspace_id and i.person_id = t.id" -c "drop table $table"
	done
	sweep
}

p19() {
	search_texts
	search_row "\`search=\` of $people people" '^people$' '/v1/people?limit=25&search='
	search_row "\`search=\` of companies" '^companies$' '/v1/companies?limit=25&search='
	search_row '`/v1/search`' . '/v1/search?limit=20&q='
	search_create
}
