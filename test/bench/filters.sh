# Rows on filters (P7); included by test/bench/run: every operator on every kind of field, with values that are in
# nearly all rows, in few, only in the last rows, and in none. They come from seed.c and
# seed.sql.

walk_most=10000 # rows of one table: the first rows and one look-up read fewer; a page that reads more walks the list

one() { PGOPTIONS=$own sql -c "$1"; }

# case FIELD OPERATOR CLASS VALUE [SUBKEY]: a line for the list $list of the resource $resource.
case_of() {
	printf '%s\t%s\t%s\t%s\t%s?filter[%s][%s]%s=%s\n' "$resource" "$shown" "$2" "$3" "$list" "$1" "$2" "${5-}" "$4"
}
valueless() { printf '%s\t%s\t%s\t%s\t%s?filter[%s][%s]\n' "$resource" "$shown" "$2" - "$list" "$1" "$2"; }
both_empty() {
	valueless "$1" empty
	valueless "$1" not_empty
}

# text FIELD COMMON RARE LATE PART_COMMON PART_RARE PART_LATE [SHOWN]
text() {
	shown=${8-$1}
	case_of "$1" eq common "$2"
	case_of "$1" eq rare "$3"
	case_of "$1" eq late "$4"
	case_of "$1" eq none 'no+such+thing'
	case_of "$1" not_eq common "$2"
	case_of "$1" like common "$5"
	case_of "$1" like rare "$6"
	case_of "$1" like late "$7"
	case_of "$1" like none 'nosuchthing'
	case_of "$1" not_like common "$5"
	both_empty "$1"
}

# range FIELD COMMON RARE LATE_GT FEW_LT [SHOWN]
range() {
	shown=${6-$1}
	case_of "$1" eq common "$2"
	case_of "$1" eq rare "$3"
	case_of "$1" not_eq common "$2"
	case_of "$1" gt common "$2"
	case_of "$1" gt late "$4"
	case_of "$1" lt common "$2"
	case_of "$1" lt few "$5"
	both_empty "$1"
}

# refs FIELD COMMON RARE LATE SUBKEY [SHOWN]; U takes no "all"
refs_in() {
	shown=${6-$1}
	case_of "$1" in common "$2" "$5"
	case_of "$1" in rare "$3" "$5"
	case_of "$1" in late "$4" "$5"
	printf '%s\t%s\tin\tseveral\t%s?filter[%s][in]%s=%s&filter[%s][in]%s=%s\n' "$resource" "$shown" "$list" "$1" "$5" "$2" "$1" "$5" "$3"
	case_of "$1" not_in common "$2" "$5"
	case_of "$1" not_in late "$4" "$5"
}
refs() {
	refs_in "$@"
	case_of "$1" all common "$2" "$5"
	case_of "$1" all late "$4" "$5"
	both_empty "$1"
}
single() {
	refs_in "$@"
	both_empty "$1"
}

custom() {
	prefix=$1
	text "$prefix.Note" common needle 'kumquat+3' common needle kumquat 'custom text'
	range "$prefix.Score" 4000 77.7 1000050 0 'custom number'
	range "$prefix.Renewal" 2022-06-01 1999-12-31 2030-02-01 2000-01-01 'custom date'
	single "$prefix.Status" Option+0 Option+19 Option+20 '' 'custom single select'
	refs "$prefix.Tags" Option+0 Option+19 Option+20 '' 'custom multiple select'
	refs "$prefix.Contact" "$person1" "$person7" "$person2" '[id]' 'custom contact'
	refs "$prefix.Owner" "$user_me" "$user_few" "$user_late" '[id]' 'custom user'
}

# related FIELD OPERATOR CLASS VALUE: a search by records related to the rows of the list; the value is JSON.
related() {
	printf '%s\trelated %s\t%s\t%s\t%s/search {"filter": {"%s": {"%s": %s}}}\n' "$resource" "$1" "$2" "$3" "$list" "$1" "$2" "$4"
}
related_companies() {
	related companies.industry eq common '"software"'
	related companies.industry eq rare '"niche 77"'
	related companies.industry eq late '"kumquat trade"'
	related companies.industry eq none '"no such thing"'
	related companies.industry not_eq common '"software"'
	related companies.industry empty - true
	related companies.name like common '"oslo"'
	related companies.name like rare '"works 17777"'
	related companies.name like late '"works 19999"'
	related companies.fundingRaised gt late '"99999999"'
	related companies.groups in common "{\"id\": \"$g_huge\"}"
}
related_people() {
	related people.emails eq rare '"p700001@mail.example"'
	related people.emails eq none '"no such thing"'
	related people.emails like common '"mail"'
	related people.emails like rare '"p700001"'
	related people.lastName eq common '"Rossi"'
	related people.lastName eq rare '"van 1234"'
	related people.gender not_eq common '"Male"'
	related people.birthday empty - true
	related people.groups in common "{\"id\": \"$g_huge\"}"
	related people.groups in rare "{\"id\": \"$g_handful\"}"
}

filter_cases() {
	resource=people list=/v1/people
	text fullName Ada+Abara Qu17+van+9 Ada+Kumquat ada qu1234 'van+1999'
	text firstName Ada Qu1234 no ada qu1234 qu19999
	text lastName Rossi van+1234 no ross van+1234 'van+19999'
	text jobTitle Engineer Specialist+77 Chief+Kumquat+Officer engineer specialist+77 kumquat
	text description 'Met+in+Oslo;+wants+to+hear+about+release+7' ',+zanzibar' no oslo zanzibar kumquats
	text emails p7@mail.example p700001@mail.example p999990@mail.example mail p700001 p99999
	text phones 15550000012 15550700001 15550999990 555 0700001 099-999
	text addresses '17+Harbour+Street,+Oslo' '1+Harbour+Street,+Kyoto' no oslo '177+harbour+street,+acc' 'no+street'
	text urls https://people.example/7 https://people.example/700001 https://people.example/999990 people 700001 99999
	range birthday 1980-01-01 1950-01-01 2014-12-31 1950-01-02
	range createdAt 2024-09-01 2025-06-01 2025-08-20 2024-01-05
	range interactionMetadata.workspace.lastInteractedAt 2024-09-01 2025-09-01 2025-09-01 2024-02-03 interactionMetadata.workspace
	range interactionMetadata.user.lastInteractedAt 2024-09-01 2025-09-01 2025-09-01 2024-02-03 interactionMetadata.user
	shown=gender
	case_of gender eq common Male
	case_of gender eq rare Other
	case_of gender not_eq common Male
	both_empty gender
	refs groups "$g_huge" "$g_handful" "$g_newest" '[id]'
	refs companies "$company1" "$company2" "$company_last" '[id]'
	single createdBy "$user_me" "$user_few" "$user_late" '[id]'
	custom "customFieldValues.$g_huge"
	refs "customFieldValues.$g_huge.Deals" "$object1" "$object7" "$object2" '[id]' 'custom object'
	related_companies

	resource=companies list=/v1/companies
	text name Oslo+Works+1 Oslo+Works+100001 Cork+Works+199999 oslo 'works+17777' 'works+19999'
	text description 'Makes+things+in+Oslo' no no oslo nothing nowhere
	text emails hello@works7.example hello@works100001.example hello@works199999.example hello works100001 works19999
	text phones 44200000012 44200100001 44200199999 4420 0100001 019999
	text addresses '17+Dock+Road,+Oslo' '1+Dock+Road,+Kyoto' no oslo '177+dock+road,+acc' 'no+road'
	text urls https://works7.example https://works100001.example https://works199999.example works works100001 works19999
	text industry software niche+77 kumquat+trade software 'niche+77' kumquat
	text employeeRange 1-10 501-1000 10000%2B 1-10 501 10000%2B
	refs groups "$g_huge" "$g_handful" "$g_newest" '[id]'
	range createdAt 2024-09-01 2025-06-01 2025-08-20 2024-01-05
	single createdBy "$user_me" "$user_few" "$user_late" '[id]'
	range fundingRaised 1000000.5 10.5 99999999 11
	range lastFundingDate 2015-06-01 2010-01-01 2029-12-31 2010-01-02
	range foundationYear 1980 1900 2024 1901
	related_people

	resource=objects list=/v1/groups/$g_huge/deal
	text name Renewal+77 Pilot+400001 Kumquat+deal+499999 renewal '400001' kumquat
	refs people "$person1" "$person7" "$person2" '[id]'
	refs companies "$company1" "$company2" "$company_last" '[id]'
	range createdAt 2024-09-01 2025-06-01 2025-08-20 2024-01-05
	single createdBy "$user_me" "$user_some" "$user_some" '[id]'
	custom customFieldValues
	related_people
	related_companies

	resource=tasks list=/v1/tasks
	shown=dueAt
	case_of dueAt eq common 2024-09-01
	case_of dueAt not_eq common 2024-09-01
	case_of dueAt gt common 2024-09-01
	case_of dueAt gt late 2030-01-01
	case_of dueAt lt common 2024-09-01
	shown=createdAt
	case_of createdAt gt common 2024-09-01
	case_of createdAt lt common 2024-09-01
	shown=completedAt
	case_of completedAt gt common 2024-09-01
	case_of completedAt gt late 2025-08-31
	case_of completedAt lt common 2024-09-01
	both_empty completedAt
	shown=assigneeUserId
	case_of assigneeUserId in common "$user_me"
	case_of assigneeUserId in rare "$user_few"
	case_of assigneeUserId not_in common "$user_me"
	shown=entity
	case_of entity in common "$person1"
	case_of entity in rare "$person7"
	case_of entity not_in common "$person1"
}

filter_values() {
	g_huge=grp_$(one "select id from groups where name = 'Group 20'")
	g_newest=grp_$(one "select id from groups where name = 'Group 21'")
	g_handful=grp_$(one "select id from groups where name = 'Group 22'")
	user_me=usr_$(one "select id from users where email = 'bench@mail.example'")
	user_few=usr_$(one "select id from users where email = 'user19@mail.example'")
	user_late=usr_$(one "select id from users where email = 'user18@mail.example'")
	user_some=usr_$(one "select id from users where email = 'user3@mail.example'")
	person1=per_$(one 'select id from people order by id limit 1')
	person2=per_$(one 'select id from people order by id offset 1 limit 1')
	person7=per_$(one 'select id from people order by id offset 777 limit 1')
	company1=com_$(one 'select id from companies order by id limit 1')
	company2=com_$(one 'select id from companies order by id offset 777 limit 1')
	company_last=com_$(one 'select id from companies order by id desc limit 1')
	object1=obj_$(one 'select id from objects order by id limit 1')
	object2=obj_$(one 'select id from objects order by id offset 1 limit 1')
	object7=obj_$(one 'select id from objects order by id offset 777 limit 1')
}

# For each case the most rows of one table that one of its pages reads, and whether by a sequential scan, from the plans
# that PostgreSQL logs: "rows<tab>seq or -<tab>case". Rows are counted because lists run with sequential scans
# discouraged: a full scan may use an index.
walks() {
	stop_server
	KITH_DATABASE_URL="$url options='-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0 \
		-c auto_explain.log_analyze=on -c auto_explain.log_timing=off'" start_server
	while IFS= read -r line; do
		logged=$(wc -c <"$cluster/log")
		printf '%s\n' "$line" | "$tree/test/bench/pages" "$port" 1 >/dev/null || die "a filter fails"
		tail -c "+$((logged + 1))" "$cluster/log" | awk -v case="${line%%	*}" -f "$here/plans.awk"
	done <"$work/walked" >"$work/walks"
	stop_server
	start_server
}

# The worst value of each operator on each field: first pages and pages 1,000, of 20 and of 100 rows.
filter_lines() {
	sort -t '	' -k 1,1 "$work/pages" | awk -F '\t' '
		{ split($1, l, "|"); k = l[1] "|" l[2] "|" l[3]; if (!(k in seen)) { seen[k] = 1; order[++n] = k } 
		  for (i = 3; i <= 6; i++) if (i <= NF) { split($i, t, " "); c = k "|" i; if (t[1] > mid[c]) mid[c] = t[1]; if (t[2] > top[c]) top[c] = t[2] } }
		END { for (j = 1; j <= n; j++) { split(order[j], l, "|"); printf "| %s | %s | %s |", l[1], l[2], l[3]
		  for (i = 3; i <= 6; i++) { c = order[j] "|" i; if (c in top) printf " %.1f / %.1f |", mid[c] / 1000, top[c] / 1000; else printf " - |" }
		  print "" } }'
}

write_filters() {
	{
		echo '# How fast filters are'
		echo
		echo 'Written by `make bench`: p50 / p99 in milliseconds of a page through HTTP on one connection, the slowest of the values that'
		echo 'test/bench/filters.sh requests (frequent, rare, only the last rows, none). Page 1,000 is that of pages by 20; where there are'
		echo 'fewer rows it is the last one. An answer during which others had a processor of this virtual machine is timed again'
		printf '(%s of them were).\n' "$(awk -F '\t' '{ for (i = 3; i <= NF; i++) { split($i, t, " "); n += t[4] } } END { print n + 0 }' "$work/pages")"
		echo
		machine
		echo
		echo '| | field | operator | first page of 20 | of 100 | page 1,000 of 20 | of 100 |'
		echo '|---|---|---|---|---|---|---|'
		filter_lines
		echo
		echo "Read more than $walk_most rows of one table for a page, by an index or past them (seq):"
		echo
		sort -t '	' -k 1,1nr "$work/walks" | awk -F '\t' -v most=$walk_most '
			$1 > most { gsub(/\|/, " ", $3); print "- " $3 ": " $1 ($2 == "seq" ? ", seq" : ""); n++ }
			END { if (!n) print "- none" }'
	} >"$work/filters.md"
	[ "$keep" != 1 ] || cp "$work/filters.md" "$cluster/filters.md"
}

# The p99 of a hundred samples is about the maximum, which other work on the machine can cause: a case over the floor
# is measured once more.
ask_again() {
	awk -F '\t' '$1 !~ /[|]related / { for (i = 3; i <= NF; i++) { split($i, t, " "); if (t[2] > 20000) { print $1; next } } }' "$work/pages" >"$work/over"
	[ -s "$work/over" ] || return 0
	awk -F '\t' 'NR == FNR { over[$1] = 1; next } $1 in over' "$work/over" "$work/walked" |
		"$tree/test/bench/pages" "$port" "$page_samples" >"$work/again" || die "a filter fails"
	awk -F '\t' 'NR == FNR { again[$1] = $0; next } { print (($1 in again) ? again[$1] : $0) }' "$work/again" "$work/pages" >"$work/both"
	mv "$work/both" "$work/pages"
}

# Pages each case to page 1,000, two cases at a time, without timing.
walk_cases() {
	awk 'NR % 2' "$work/cases" | "$tree/test/bench/pages" "$port" walk >"$work/walked" &
	half=$!
	awk 'NR % 2 == 0' "$work/cases" | "$tree/test/bench/pages" "$port" walk >"$work/walked2" || die "a filter fails"
	wait $half || die "a filter fails"
	cat "$work/walked2" >>"$work/walked"
}

# slowest [-v]: "p99<tab>label" of the searches by related records, with -v of all others: the slowest page of each,
# slowest first.
slowest() {
	grep "$@" '|related ' "$work/pages" | awk -F '\t' '{ w = 0; for (i = 3; i <= NF; i++) { split($i, t, " "); if (t[2] > w) w = t[2] } print w "\t" $1 }' |
		sort -rn
}

# slow_of COMPARISON: the lines of the worst cases whose pages read at most, or more than, walk_most rows.
slow_of() {
	awk -F '\t' -v most=$walk_most "NR == FNR { if (\$1 $1 most) wanted[\$3] = 1; next } \$2 in wanted" "$work/walks" "$work/worst"
}

# within MS NAME: how many cases of that file took no longer.
within() {
	awk -v ms="$1" '$1 <= ms * 1000' "$work/$2" | wc -l
}

# slow_row NUMBER WHAT NAME FLOOR AIM: the slowest of that file of cases, and how many meet aim and floor.
slow_row() {
	row "$1" "$2" "$(calc "$(head -n 1 "$work/$3" | cut -f 1) / 1000")" ' ms' "$4" "$5" down \
		"$(head -n 1 "$work/$3" | cut -f 2 | tr '|' ' '); of $(wc -l <"$work/$3") $(within "$4" "$3") in $4 ms, $(within "$5" "$3") in $5 ms"
}

p7() {
	filter_values
	# Values of few rows have no page 1,000.
	filter_cases | grep "${BENCH_CASES-}" | awk -F '\t' '{ print $1 "|" $2 "|" $3 "|" $4 "\t" ($4 ~ /^(common|several|-)$/ ? 1000 : 1) "\t" $5 }' >"$work/cases"
	walk_cases
	"$tree/test/bench/pages" "$port" "$page_samples" <"$work/walked" >"$work/pages" || die "a filter fails"
	ask_again
	ask_again
	# The worst case, and how many meet the aim and the floor.
	walks # in this shell: the servers that it starts must be its children
	[ "$(wc -l <"$work/walks")" = "$(wc -l <"$work/cases")" ] || die 'plans are missing'
	slowest -v >"$work/worst"
	slow_of '<=' >"$work/direct"
	slow_of '>' >"$work/walking"
	slow_row P7 'filters by an index or the first rows, slowest p99' direct 20 5
	slow_row '' 'all other filters of one field, the same way' walking 500 250
	slowest >"$work/related"
	row '' 'searches by what is related, the same way' "$(calc "$(head -n 1 "$work/related" | cut -f 1) / 1000")" ' ms' - - - \
		"$(head -n 1 "$work/related" | cut -f 2 | tr '|' ' '); $(awk '$1 <= 20000' "$work/related" | wc -l) of $(wc -l <"$work/related") within 20 ms"
	row '' 'filters that read a large table past its indexes' "$(awk '$2 == "seq"' "$work/walks" | wc -l)" '' 0 0 down \
		"$(awk -v most=$walk_most '$1 > most' "$work/walks" | wc -l) read more than $walk_most rows, see FILTERS.md"
	write_filters
	# Load for P9: lists, which wrk can request.
	cut -f 2 "$work/worst" | while read -r label; do
		grep -F "$label	" "$work/cases" | cut -f 3
	done | grep -v ' ' | head -n 5 >"$work/slow.targets"
}
