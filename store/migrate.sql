-- What surrounds the migrations, each within their transaction; see migrate.c.

-- Nothing that psql runs stays: the transaction is not committed.
\set AUTOCOMMIT off

-- Row-level security and its views are renewed with every migration, in its transaction. The views are dropped first
-- because they would prevent changes to their tables; see migrations/0009_row_security.sql. Indexes they do not prevent
-- (migration_leaves_views()). A database whose views belong to another installation is refused, because they would be
-- dropped here.
-- [before]
do $$
declare
	other text;
begin
	select t.relnamespace::regnamespace
	into other
	from pg_class v
	join pg_rewrite r on r.ev_class = v.oid
	join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
	join pg_class t on t.oid = d.refobjid
	where v.relnamespace = to_regnamespace('kith_search')
		and t.relnamespace not in (v.relnamespace, current_schema()::regnamespace)
	limit 1;
	if found then
		raise exception 'schema % of this database holds an installation of kith already: make a database for this one', other;
	end if;
	if current_setting('kith.views', true) is distinct from 'stay' then
		drop schema if exists kith_search cascade;
	end if;
end
$$;

-- A function that runs with its owner's rights must not use the caller's temporary tables. They come first in the
-- search path unless pg_temp is named last.
-- [secure]
do $$
declare
	f record;
begin
	if to_regprocedure('kith_secure()') is not null then
		perform kith_secure();
	end if;
	for f in
		select oid::regprocedure as name
		from pg_proc
		where prosecdef and pronamespace = current_schema()::regnamespace and proowner = current_user::regrole
			and not exists (select from unnest(proconfig) c where c like 'search_path=%, pg_temp')
	loop
		execute format('alter function %s set search_path = %I, pg_temp', f.name, current_schema());
	end loop;
end
$$;

-- [settle]
do $$
begin
	if to_regprocedure('kith_settle()') is not null then
		perform kith_settle();
	end if;
end
$$;

-- The roles that there are before.
-- [roles]
select set_config('kith.roles', coalesce(string_agg(rolname, ','), ''), true) from pg_roles where rolname like 'kith%';

-- Which roles the transaction made, and how many rows of the catalogue it created or changed. Its subtransactions have
-- higher numbers.
-- [made]
with here as materialized (
	select age(pg_current_xact_id()::xid) as age
)
select (
		select coalesce(string_agg(rolname, ', ' order by rolname), '')
		from pg_roles
		where rolname like 'kith%' and rolname <> all (string_to_array(current_setting('kith.roles'), ','))
	), (
		select count(*)::int
		from (
			select c.oid from pg_class c, here where age(c.xmin) <= here.age and c.relkind in ('r', 'p', 'v', 'S')
			union
			select p.polrelid from pg_policy p, here where age(p.xmin) <= here.age
			union all
			select f.oid from pg_proc f, here where age(f.xmin) <= here.age
			union all
			select n.oid from pg_namespace n, here where age(n.xmin) <= here.age
		) m
	);
