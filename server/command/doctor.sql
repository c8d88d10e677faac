-- What kith doctor asks the database. Each statement reads only. Each row is a finding: what was found, and what to do.
-- By hand: psql -f server/command/doctor.sql; the answers of "standby" and "connections" are not findings.
--   patience: the seconds that a state must have lasted
\if :{?patience}
\else
\set patience 60
\endif

-- [version]
select 'PostgreSQL ' || current_setting('server_version'),
	'kith needs PostgreSQL 15 or newer: run pg_upgrade, or restore a dump into a newer server'
where current_setting('server_version_num')::int < 150000;

-- The statement that a standby is asked. The primary composes it, with its own identity (DB_PLACE in store/db.h) and the
-- end of its WAL. A standby may be a moment behind, so it gets a second to catch up.
-- [standby] patience
with here as (
	select concat_ws(' ', c.system_identifier, d.oid, current_schema()) as place
	from pg_control_system() c, pg_database d
	where d.datname = current_database()
)
select format($query$
with now as materialized (
	select pg_sleep((pg_last_wal_replay_lsn() < %1$L)::int), (select count(*) from pg_stat_wal_receiver) as receives
)
select found, advice from (
	select 'it is not a standby of the server in database_url, or not the same database: kith does not use it',
		'name a standby of the server in database_url, and the same database', 1
	where (select concat_ws(' ', c.system_identifier, d.oid, current_schema())
		from pg_control_system() c, pg_database d where d.datname = current_database()) <> %2$L
	union all
	select 'its replay is paused', 'run there as a superuser: select pg_wal_replay_resume()', 2 from now
	where case when pg_is_in_recovery() then pg_is_wal_replay_paused() end
	union all
	select format('it has not replayed the last %%s of the log, nor any commit since %%s',
			pg_size_pretty(pg_wal_lsn_diff(%1$L, pg_last_wal_replay_lsn())),
			coalesce(date_trunc('second', pg_last_xact_replay_timestamp())::text, 'its start'))
			|| case receives when 0 then ', and receives nothing' else '' end,
		case receives
			when 0 then 'see its log for the reason: primary_conninfo, pg_hba.conf of the primary, or WAL that '
				'the primary no longer has (then run pg_basebackup again)'
			else 'check its load, its disk and its recovery_min_apply_delay'
		end, 3
	from now
	where pg_last_wal_replay_lsn() < %1$L and coalesce(
		clock_timestamp() - pg_last_xact_replay_timestamp() > make_interval(secs => %3$s), receives = 0)
) x (found, advice, rank) order by rank limit 1
$query$, pg_current_wal_flush_lsn(), here.place, :'patience'::text) from here;

-- The tables exist, but search_path does not lead to them. The advice undoes the setting where it was set.
-- [elsewhere]
select format('the tables of kith are in schema %s, which the search_path (%s) does not contain: the database seems to '
		'be empty', n.nspname, s.setting),
	coalesce(undo.advice, case s.source
		when 'command line' then 'take search_path off the command line of PostgreSQL, and restart it'
		when 'client' then 'take search_path out of the options of database_url'
		else format('alter role %I set search_path = %I', current_user, n.nspname)
	end)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
cross join pg_settings s
left join lateral (
	select format(case
			when r.setrole = 0 then 'alter database %2$I reset search_path'
			when r.setdatabase = 0 then 'alter role %1$I reset search_path'
			else 'alter role %1$I in database %2$I reset search_path'
		end, current_user, current_database()) as advice
	from pg_db_role_setting r
	where r.setrole in (0, current_user::regrole)
		and r.setdatabase in (0, (select oid from pg_database where datname = current_database()))
		and exists (select from unnest(r.setconfig) c where c like 'search_path=%')
	order by r.setrole = 0, r.setdatabase = 0
	limit 1
) undo on true
where c.relname = 'kith_migrations' and c.relkind = 'r' and s.name = 'search_path';

-- [extensions]
select 'the extension ' || x || ' is missing', 'create extension ' || x
from unnest(array['pg_trgm', 'btree_gin']) x
where x not in (select extname from pg_extension);

-- [roles]
select format('%s bypasses row-level security', rolname), format('alter role %I nosuperuser nobypassrls', rolname)
from pg_roles
where rolname in ('kith_serve', 'kith_system', 'kith_admit', 'kith_search') and (rolsuper or rolbypassrls)
union all
select format('%s may not act as %s', current_user, rolname),
	format('grant %I to %I', rolname, current_user)
	|| case when current_setting('server_version_num')::int >= 160000 then ' with inherit true, set true' else '' end
from pg_roles
where rolname in ('kith_serve', 'kith_system', 'kith_admit', 'kith_search') and not pg_has_role(current_user, oid,
	case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end);

-- [row security]
select format('table %s is open to every workspace', c.relname), 'kith migrate'
from pg_class c
where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace and not c.relrowsecurity
	and exists (select from pg_attribute a
		where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped);

-- "alter system" has no effect against a value from a role, the database, the command line or database_url.
-- [settings]
select format('%s is %s: %s', s.name, s.reset_val, w.why),
	coalesce(undo.advice, case s.source
		when 'command line' then 'take ' || s.name || ' off the command line of PostgreSQL, and restart it'
		when 'client' then 'take ' || s.name || ' out of the options of database_url'
		else format('alter system set %s = on', s.name) || '; then select pg_reload_conf()'
	end)
from pg_settings s
join (values
	('fsync', 'a crash of the machine destroys the database'),
	('full_page_writes', 'a crash of the machine destroys pages'),
	('synchronous_commit', 'a crash loses writes that were acknowledged'),
	('autovacuum', 'tables grow and plans grow old'),
	('track_counts', 'autovacuum does not see what changes')
) w (name, why) on s.name = w.name and s.reset_val = 'off'
left join lateral (
	select format(case
			when r.setrole = 0 then 'alter database %2$I reset %3$s'
			when r.setdatabase = 0 then 'alter role %1$I reset %3$s'
			else 'alter role %1$I in database %2$I reset %3$s'
		end, current_user, current_database(), s.name) as advice
	from pg_db_role_setting r
	where r.setrole in (0, current_user::regrole)
		and r.setdatabase in (0, (select oid from pg_database where datname = current_database()))
		and exists (select from unnest(r.setconfig) c where c like s.name || '=%')
	order by r.setrole = 0, r.setdatabase = 0
	limit 1
) undo on true;

-- Not findings, but rows of: what has the limit, the connections that it allows, those in use, the advice. The limits
-- are those of PostgreSQL, of the login and of the database. A superuser is bound only by the first.
-- [connections]
select 'PostgreSQL', sum(setting::bigint * case name when 'max_connections' then 1 else -1 end)::bigint,
	(select count(*) from pg_stat_activity where datid is not null and pid <> pg_backend_pid()),
	'alter system set max_connections = 100; restart PostgreSQL; or lower db_connections'
from pg_settings
where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')
union all
select 'the login ' || rolname, rolconnlimit::bigint,
	(select count(*) from pg_stat_activity where usesysid = r.oid and pid <> pg_backend_pid()),
	format('alter role %I connection limit -1', rolname)
from pg_roles r
where rolname = current_user and rolconnlimit >= 0 and not rolsuper
union all
select 'the database ' || datname, datconnlimit::bigint,
	(select count(*) from pg_stat_activity where datid = d.oid and pid <> pg_backend_pid()),
	format('alter database %I connection limit -1', datname)
from pg_database d
where datname = current_database() and datconnlimit >= 0
	and not (select rolsuper from pg_roles where rolname = current_user);

-- [collation]
select format('the database was sorted with version %s of its collation, but the system has %s: indexes on text may '
		'miss rows', datcollversion, pg_database_collation_actual_version(oid)),
	format('reindex database %I; then alter database %I refresh collation version', datname, datname)
from pg_database
where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid);

-- [cursor key]
select 'the key that seals cursors is missing, so the server cannot start: restore the row cursor of server_secrets '
		'from a backup, or create a new one, after which clients must start their lists and feeds again',
	'insert into server_secrets select ''cursor'', sha256(uuid_send(gen_random_uuid()) || '
		'uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))'
where not exists (select from server_secrets where name = 'cursor');

-- [invalid indexes]
select format('index %s is not valid', c.relname), format('reindex index concurrently %I', c.relname)
from pg_index i
join pg_class c on c.oid = i.indexrelid
where not i.indisvalid and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace;

-- [statistics]
select format('table %s was never analyzed, as happens after a dump is restored', relname), format('analyze %I', relname)
from pg_class
where relkind = 'r' and relnamespace = current_schema()::regnamespace and reltuples < 0
	and pg_relation_size(oid) > 1048576;

-- [autovacuum]
select format('autovacuum is off for table %s', relname), format('alter table %I reset (autovacuum_enabled)', relname)
from pg_class
where relnamespace = current_schema()::regnamespace
	and exists (select from unnest(reloptions) o where o in ('autovacuum_enabled=false', 'autovacuum_enabled=off'));

-- [bloat]
select format('table %s has %s dead rows beside %s live ones; an open transaction or a replication slot may keep vacuum '
		'from removing them', relname, n_dead_tup, n_live_tup),
	format('vacuum %I', relname)
from pg_stat_user_tables
where schemaname = current_schema() and n_dead_tup > 10000 and n_dead_tup > n_live_tup;

-- [transaction numbers]
select format('the oldest unfrozen row is %s transactions old; 2 billion are possible', age(datfrozenxid)),
	'run vacuum freeze; find what holds autovacuum back (open or prepared transactions, replication slots)'
from pg_database
where datname = current_database()
	and age(datfrozenxid) > 2 * current_setting('autovacuum_freeze_max_age')::bigint;

-- [partitions]
select format('table %s_%s is missing: no kith serve runs, or it cannot create the table (see its log for the reason)',
		p, to_char(day, 'YYYYMMDD')),
	'select kith_partitions()'
from unnest(array['events', 'deliveries']) p,
	generate_series(0, 2) ahead,
	lateral (select (clock_timestamp() at time zone 'UTC')::date + ahead as day) d
where to_regclass(format('%s_%s', p, to_char(day, 'YYYYMMDD'))) is null
	and exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
		where i.inhparent = to_regclass(p) and c.relname ~ '_[0-9]{8}$');

-- [locks] patience
select format('process %s has waited for %s s for a lock that process %s holds (pg_stat_activity shows what they do)',
		pid, round(extract(epoch from clock_timestamp() - min(waitstart))), array_to_string(pg_blocking_pids(pid), ', ')),
	format('select pg_terminate_backend(p) from unnest(%L::int[]) p', pg_blocking_pids(pid))
from pg_locks
where not granted and pid is not null
group by pid
having min(waitstart) < clock_timestamp() - make_interval(secs => :'patience')
	and cardinality(pg_blocking_pids(pid)) > 0;

-- [open transactions] patience
select format('a transaction of process %s in database %s has been open since %s: it holds back the feed and webhooks',
		l.pid, a.datname, date_trunc('second', a.xact_start)),
	format('select pg_terminate_backend(%s)', l.pid)
from pg_locks l
join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
	and a.wait_event is distinct from 'SyncRep'
	and (a.xact_start < clock_timestamp() - make_interval(secs => :'patience')
		or (a.xact_start is null and age(l.transactionid) > 1000))
union all
select format('the prepared transaction %L in database %s has been open since %s: it holds back the feed and webhooks', gid,
		database, date_trunc('second', prepared)),
	format('commit prepared %L', gid) || '; or rollback prepared'
from pg_prepared_xacts
where prepared < clock_timestamp() - make_interval(secs => :'patience');

-- Transactions of other logins hold back the feed too, but PostgreSQL does not tell every login since when they are
-- open. This is not a finding.
-- [other logins]
select 'this login cannot see how long transactions of other logins have been open: one that holds back the feed is '
		'found only after 1,000 other transactions',
	format('grant pg_read_all_stats to %I', current_user)
where not pg_has_role(current_user, 'pg_read_all_stats', 'usage');

-- [commits]
with advice as (
	select 'start the standby that synchronous_standby_names asks for; to continue without it, at the risk of losing writes '
		'in a failover: alter system reset synchronous_standby_names; select pg_reload_conf()' as standby
)
select format('synchronous_standby_names is %s, and no such standby is connected: no write is confirmed',
		current_setting('synchronous_standby_names')),
	standby
from advice
where current_setting('synchronous_standby_names') <> ''
	and current_setting('synchronous_commit') not in ('off', 'local')
	and not exists (select from pg_stat_replication where coalesce(sync_state, 'sync') in ('sync', 'quorum'))
union all
select format('%s sessions wait for %s at their COMMIT, the first for %s s', count(*), w.what,
		round(extract(epoch from max(clock_timestamp() - a.query_start)))),
	w.todo
from pg_stat_activity a
join (
	select wait, what, todo
	from advice, lateral (values
		('syncrep', 'a synchronous standby', standby),
		('walsync', 'the disk of the log', 'look at the disk that holds pg_wal'),
		('walwrite', 'the disk of the log', 'look at the disk that holds pg_wal')
	) v (wait, what, todo)
) w on w.wait = lower(a.wait_event)
where a.state = 'active' and a.query_start < clock_timestamp() - interval '5 s'
group by w.what, w.todo;

-- [slots]
select format('replication slot %s keeps %s of WAL for a reader that is not connected: start the reader, or drop the '
		'slot', slot_name, coalesce(pg_size_pretty(case when pg_is_in_recovery() then null
			else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end), 'some')),
	format('select pg_drop_replication_slot(%L)', slot_name)
from pg_replication_slots
where not active and restart_lsn is not null;

-- [archive]
select format('WAL has not been archived since %s (%s): it fills the disk, and a recovery from the archive ends there',
		date_trunc('second', coalesce(last_archived_time, stats_reset)), last_failed_wal),
	'fix what PostgreSQL''s log says about archive_command; if you need no archive: alter system set archive_mode = off; '
		'restart PostgreSQL'
from pg_stat_archiver
where last_failed_time > coalesce(last_archived_time, '-infinity') and current_setting('archive_mode') <> 'off';

-- [webhooks] patience
select format('webhook wbk_%s of workspace wsp_%s has failed since %s', id, workspace_id, date_trunc('second', failing_since)),
	'its deliveries say why: GET /v1/webhooks/{id}/deliveries, or /console'
from webhooks
where status = 'active' and failing_since < clock_timestamp() - make_interval(secs => :'patience');

-- Where trusted_proxies lacks the proxy, everybody seems to be at its address. It is an address of this machine or of a
-- private network, so an office with one public address is not a finding.
-- [client addresses]
select format('%s users have signed in from the same private address, %s', count(distinct user_id), min(address)),
	'if a proxy has this address, add it to trusted_proxies and let it send X-Forwarded-For: until then all people '
		'share the limits of one address'
from api_keys
where kind = 'session' and created_at > clock_timestamp() - interval '30 days' and address <> ''
having count(distinct user_id) >= 5 and count(distinct address) = 1 and case
	when min(address) ~ '^[0-9a-f.:]+$' then min(address)::inet <<= any ('{127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,'
		'169.254.0.0/16,100.64.0.0/10,::1/128,fc00::/7,fe80::/10}'::inet[])
	else min(address) = 'unix' end;

-- Each table's primary key as the migrations created it. Without the key a reference can be stored twice, and a page
-- reads the whole table.
--   sources: the texts of the migrations
\set sources '{}'

-- [primary keys] sources
with made (name, columns) as (
	select m[1], coalesce(substring(m[2] from 'primary key (\([^)]*\))'),
		'(' || substring(m[2] from '\t(\w+) [^\n]*primary key') || ')')
	from unnest(:'sources'::text[]) s,
		regexp_matches(s, 'create (?:unlogged )?table (\w+) \(\n((?:[^\n]|\n(?!\)))*)', 'g') m
	union all
	select m[1], m[2]
	from unnest(:'sources'::text[]) s,
		regexp_matches(s, 'alter table (\w+) add primary key (\([^)]*\))', 'g') m
)
select format('table %s has no primary key', c.relname), format('alter table %I add primary key %s', c.relname, columns)
from made
join pg_class c on c.relname = made.name and c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
where columns is not null and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')
order by 1;

-- Not findings, but the positions of the indexes that are missing.
--   names: those that the migrations created and did not drop again
\set names '{}'

-- [indexes] names
select ord - 1
from unnest(:'names'::text[]) with ordinality as t (name, ord)
where not exists (select from pg_class c
	where c.relname = t.name and c.relkind in ('i', 'I') and c.relnamespace = current_schema()::regnamespace)
order by ord;
