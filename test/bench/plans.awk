# From the plans in PostgreSQL's log (auto_explain with log_analyze): the most rows read by one scan of a large table,
# including filtered ones, and "seq" if a scan was sequential; then the case.
BEGIN { OFS = "\t"; big = "on (people|companies|objects|tasks|field_values|interaction_counts|[a-z]+_updates|person_groups|person_companies|company_groups|object_people|object_companies)( |$)" }
function done() { if (rows * loops > most) most = rows * loops; rows = loops = 0 }
/ Scan .*actual rows=/ || / Scan on .*actual rows=/ {
	done()
	if ($0 !~ big)
		next
	if (/Seq Scan/)
		seq = 1
	match($0, /actual rows=[0-9]+ loops=[0-9]+/)
	split(substr($0, RSTART, RLENGTH), part, /[= ]/)
	rows = part[3]
	loops = part[5]
	next
}
/->/ { done() }
/Rows Removed by/ && loops { rows += $NF }
END { done(); print most + 0, seq ? "seq" : "-", case }
