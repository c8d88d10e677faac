-- Where is something of a person? It looks in every column of every table, and in PostgreSQL's statistics.
--   values: the person's values, a JSON array of texts
--   ids: "uuid|uuid", the person and those merged into the person; or nothing
--   searched: a table
-- By hand: psql -v values='["Ada Lovelace"]' -v ids= -v searched=people -f server/operate/remains.sql

-- Bytes as text. Bytes that are not UTF-8, and zeros, separate what is. Values have at least three characters.
-- [as_text]
create or replace function pg_temp.as_text(bytes bytea) returns text language plpgsql immutable strict as $$
begin
	return convert_from(bytes, 'UTF8');
exception when others then
	return (select string_agg(convert_from(decode(m[1], 'hex'), 'UTF8'), e'\n')
		from regexp_matches(regexp_replace(encode(bytes, 'hex'), '(..)', '\1 ', 'g'),
			'((?:0[1-9a-f] |[1-7][0-9a-f] |(?:c[2-9a-f]|d[0-9a-f]) [89ab][0-9a-f] |'
			'(?:e0 [ab]|e[1-9abcef] [89ab]|ed [89])[0-9a-f] [89ab][0-9a-f] |'
			'(?:f0 [9ab]|f[1-3] [89ab]|f4 8)[0-9a-f] [89ab][0-9a-f] [89ab][0-9a-f] ){3,})', 'g') m);
end
$$;

-- The values as patterns, in the settings kith.in_text and kith.in_id. A value is looked for in each Unicode normal
-- form, escaped as in JSON and in URLs. A telephone number is also looked for by its digits, whatever stands between
-- them. A pattern has 25 alternatives, because PostgreSQL refuses large patterns, and caches 32 compiled ones.
-- [patterns] values, ids
with given as (
	select distinct left(v, 60) as v from json_array_elements_text(:'values'::json) v
), forms as (
	select x.f
	from given, lateral (values (v), (normalize(v, nfc)), (normalize(v, nfd)), (normalize(v, nfkc)), (normalize(v, nfkd))) n (w),
		lateral (values (n.w), (substr(to_json(n.w)::text, 2, length(to_json(n.w)::text) - 2))) x (f)
	union
	select (select string_agg(case when c ~ '^[A-Za-z0-9._~-]$' then c
			else upper(regexp_replace(encode(convert_to(c, 'UTF8'), 'hex'), '(..)', '%\1', 'g')) end, '' order by i)
		from regexp_split_to_table(v, '') with ordinality x (c, i))
	from given
), kinds as (
	select true as is_text, regexp_replace(kith_fold(f), '[][\\.^$*+?(){}|]', '\\\&', 'g') as p from forms
	union
	select true, regexp_replace(kith_phone_key(v), '([0-9])(?=[0-9])', '\1[^0-9a-z]{0,3}', 'g')
	from given
	where v ~ '^[-0-9 +()./]{7,}$' and length(kith_phone_key(v)) >= 7
	union
	select false, unnest(string_to_array(nullif(:'ids', ''), '|'))
), chunks as (
	select is_text, string_agg(p, '|') as p
	from (select is_text, p, row_number() over (partition by is_text order by p) / 25 as n from kinds) k
	group by is_text, n
)
select set_config('kith.in_text', coalesce(array_agg(p) filter (where is_text), '{}')::text, false),
	set_config('kith.in_id', coalesce(array_agg(p) filter (where not is_text), '{}')::text, false)
from chunks;

-- The columns of all tables and partitions as texts. Of numbers and times only those that a client may have given are
-- searched: integers and times of the clock are kith's own. Generated columns repeat others.
-- [columns]
create or replace temporary view searched_columns as
select c.oid::regclass as searched, a.attnum, a.attname, e.typname <> 'uuid' as is_text,
	case e.typname
		when 'bytea' then format('kith_fold(pg_temp.as_text(t.%I))', a.attname)
		when 'uuid' then s.shown
		else format('kith_fold(%s)', s.shown)
	end as shown
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
join pg_type y on y.oid = a.atttypid
join pg_type e on e.oid = case when y.typcategory = 'A' then y.typelem else y.oid end
cross join lateral (
	select format(case when y.typcategory = 'A' then 'array_to_string(t.%I, e''\n'')' else 't.%I::text' end, a.attname) as shown
) s
where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and e.typname not in ('bool', 'int2', 'int4',
	'int8', 'float4', 'float8', 'oid', 'xid', 'xid8', 'timestamptz', 'timestamp', 'interval', 'name');

-- [tables]
select coalesce(json_agg(t.name order by t.name), '[]')
from (select distinct searched::text as name from searched_columns) t;

-- The columns of a table that have a value, or an id: workspace, column, what was found, rows, five records.
-- [remains_in]
create or replace function pg_temp.remains_in(searched regclass) returns json language plpgsql as $$
declare
	columns text;
	workspace text;
	records text;
	found json;
begin
	select string_agg(format('(%L, %L::bool, %s)', c.attname, c.is_text, c.shown), ', ' order by c.attnum),
		case when bool_or(c.attname = 'workspace_id') then 't.workspace_id' else 'null::uuid' end,
		case when bool_or(c.attname = 'id' and not c.is_text) then '(array_agg(distinct t.id))[1:5]' else 'null::uuid[]' end
	into columns, workspace, records
	from searched_columns c
	where c.searched = remains_in.searched;

	execute format($query$
		select coalesce(json_agg(f), '[]') from (
			select %s as workspace, x.place as "column", y.found, count(*) as rows, %s as records
			from %s t
			cross join lateral (values %s) x (place, is_text, v)
			cross join lateral (
				select case when x.is_text and x.v ~ any ($1) then 'value' when x.v ~ any ($2) then 'id' end as found
			) y
			where y.found is not null
			group by 1, 2, 3
		) f
	$query$, workspace, records, searched, columns)
	into found
	using current_setting('kith.in_text')::text[], current_setting('kith.in_id')::text[];
	return found;
end
$$;

-- [table] searched
select pg_temp.remains_in(:'searched');

-- Does a job still remove references to the person?
-- [pending] ids
select 1 from contacts_gone where id::text = any (string_to_array(:'ids', '|')) limit 1;

-- The stored answers that are encrypted, because they contain a secret: those of webhooks and keys.
-- [sealed]
select count(*) from idempotency_keys where length(body) > 0 and get_byte(body, 0) = 1;

-- The tables whose statistics, or those of their indexes, contain one of the values. Statistics of bytes are
-- hexadecimal.
-- [statistics]
select coalesce(json_agg(distinct coalesce(i.indrelid, c.oid)::regclass::text), '[]')
from pg_stats p
join pg_class c on c.relname = p.tablename and c.relnamespace = current_schema()::regnamespace
left join pg_index i on i.indexrelid = c.oid
cross join lateral (
	select concat_ws(e'\n', p.most_common_vals::text, p.histogram_bounds::text, p.most_common_elems::text) as shown
) s
cross join lateral (
	select string_agg(pg_temp.as_text(decode(m[1], 'hex')), e'\n') as decoded
	from regexp_matches(s.shown, '\\x((?:[0-9a-f]{2})+)', 'g') m
) b
where p.schemaname = current_schema()
	and kith_fold(concat_ws(e'\n', s.shown, b.decoded)) ~ any (array(select unnest(current_setting('kith.in_text')::text[])));
