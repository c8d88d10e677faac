-- What kith setup cannot fix.
-- By hand: psql -v login=kith -v database=kith -f server/command/cli_setup.sql postgres

-- [problems] login, database
select format('the database %s belongs to %s, not to %s: name another one in database_url, or run: '
		'alter database %I owner to %I', datname, datdba::regrole, :'login'::text, datname, :'login'::text)
from pg_database
where datname = :'database' and not pg_has_role(:'login'::name, datdba, 'member')
union all
select 'the database ' || datname || ' does not store UTF8, but ' || pg_encoding_to_char(encoding)
	|| ': name another one in database_url'
from pg_database
where datname = :'database' and encoding <> 6
union all
select format('the server has no extension %s: install the package that has it (Debian: postgresql; others: '
		'postgresql-contrib)', x)
from unnest(array['pg_trgm', 'btree_gin']) x
where not exists (select from pg_available_extensions e where e.name = x);
