-- What is in a database into which a backup is to be restored: PostgreSQL's major version, the database's name, whether
-- it has tables of kith, and the name of any object that does not belong to an extension.

-- [target]
select current_setting('server_version_num')::int / 10000, current_database(), to_regclass('kith_migrations') is not null,
	(select min(o.name)
		from (
			select oid, 'pg_class'::regclass as class, relname as name
			from pg_class
			where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
			union all
			select oid, 'pg_proc'::regclass, proname from pg_proc where pronamespace = current_schema()::regnamespace
			union all
			select oid, 'pg_namespace'::regclass, nspname from pg_namespace where nspname = 'kith_search'
		) o
		where not exists (select from pg_depend d
			where d.classid = o.class and d.objid = o.oid and d.deptype = 'e'));
