-- Creates the login of the embedded cluster, and makes it the owner of what the superuser owns in the database. It
-- calls no function of the database, because the owner of the functions must not get the superuser's rights; all names
-- are those of the catalogue. The roles are those of kith_roles() (migrations/0009_row_security.sql).
\set AUTOCOMMIT off
set local search_path = pg_catalog, pg_temp;
do $$
declare
	role name;
	one text;
	super constant oid := current_user::regrole;
begin
	if not exists (select from pg_roles where rolname = 'kith_login') then
		create role kith_login login;
	end if;
	foreach role in array array['kith_serve', 'kith_system', 'kith_admit', 'kith_search', 'pg_read_all_stats'] loop
		if not exists (select from pg_roles where rolname = role) then
			execute format('create role %I nologin', role);
		end if;
		if not pg_has_role('kith_login', role, 'member') then
			execute format('grant %I to kith_login', role);
		end if;
	end loop;
	for one in
		with own as (
			select oid from pg_namespace where nspname in ('public', 'kith_search')
		), others as (
			-- What belongs to an extension, and sequences of columns, which follow their table.
			select classid, objid
			from pg_depend d
			where deptype = 'e' or (deptype in ('a', 'i') and exists (select from pg_class c
				where d.classid = 'pg_class'::regclass and c.oid = d.objid and c.relkind = 'S'))
		)
		select format('alter database %I owner to kith_login', datname)
		from pg_database
		where datname = current_database() and datdba = super
		union all
		select format('alter schema %I owner to kith_login', nspname)
		from pg_namespace
		where oid in (select oid from own) and nspowner = super
		union all
		select format(case relkind
			when 'S' then 'alter sequence %s owner to kith_login'
			when 'v' then 'alter view %s owner to kith_login'
			else 'alter table %s owner to kith_login'
		end, oid::regclass)
		from pg_class
		where relnamespace in (select oid from own) and relowner = super and relkind in ('r', 'p', 'v', 'S')
			and ('pg_class'::regclass, oid) not in (select classid, objid from others)
		union all
		select format('alter routine %s owner to kith_login', oid::regprocedure)
		from pg_proc
		where pronamespace in (select oid from own) and proowner = super
			and ('pg_proc'::regclass, oid) not in (select classid, objid from others)
	loop
		execute one;
	end loop;
end
$$;
