/* The checks of `kith doctor`. */
#include "server/command/doctor.h"

#define HERE "current_schema()::regnamespace"

/* The advice that undoes a setting, by where pg_settings says it was set. "alter system" has no effect against a value
 * from a role, the database, the command line or database_url. */
#define UNDO(otherwise)                                                                                                \
	"coalesce((select format(case when r.setrole = 0 then 'alter database %2$I reset %3$s' when r.setdatabase = "  \
	"0 "                                                                                                           \
	"then 'alter role %1$I reset %3$s' else 'alter role %1$I in database %2$I reset %3$s' end, current_user, "     \
	"current_database(), s.name) from pg_db_role_setting r where r.setrole in (0, current_user::regrole) and "     \
	"r.setdatabase in (0, (select oid from pg_database where datname = current_database())) and exists (select "   \
	"from unnest(r.setconfig) c where c like s.name || '=%') order by r.setrole = 0, r.setdatabase = 0 limit 1), " \
	"case s.source when 'command line' then 'take ' || s.name || ' off the command line of PostgreSQL, and "       \
	"restart it' when 'client' then 'take ' || s.name || ' out of the options of database_url' end, " otherwise    \
	")"

const char doctor_elsewhere[] =
    "select format('the tables of kith are in schema %s, which the search_path (%s) does not contain: the database "
    "seems to be empty', n.nspname, s.setting), " UNDO(
        "format('alter role %I set search_path = %I', current_user, n.nspname)") " from pg_class c join pg_namespace n "
                                                                                 "on n.oid = c.relnamespace, "
                                                                                 "pg_settings s where c.relname = "
                                                                                 "'kith_migrations' "
                                                                                 "and c.relkind = 'r' and s.name = "
                                                                                 "'search_path'";

const struct doctor_check doctor_checks[] = {
    {.name = "version",
        .sql = "select 'PostgreSQL ' || current_setting('server_version'), 'kith needs PostgreSQL 15 or newer: run "
               "pg_upgrade, or restore a dump into a newer server' where current_setting('server_version_num')::int < "
               "150000",
        .any_level = true},
    {.name = "servers", .run = doctor_hosts, .any_level = true},
    {.name = "private cluster", .run = doctor_private, .any_level = true},
    {.name = "replica", .run = doctor_replica, .any_level = true},
    {.name = "level", .run = doctor_level, .any_level = true},
    {.name = "extensions",
        .sql = "select 'the extension ' || x || ' is missing', 'create extension ' || x from unnest(array['pg_trgm', "
               "'btree_gin']) x where x not in (select extname from pg_extension)"},
    {.name = "rights", .run = doctor_rights},
    {.name = "roles",
        .sql =
            "select format('%s bypasses row-level security', rolname), format('alter role %I nosuperuser nobypassrls', "
            "rolname) from pg_roles where rolname in ('kith_serve', 'kith_system', 'kith_admit', 'kith_search') and "
            "(rolsuper or rolbypassrls) union all select format('%s may not act as %s', current_user, rolname), "
            "format('grant %I to %I', rolname, current_user) || case when current_setting('server_version_num')::int "
            ">= 160000 then ' with inherit true, set true' else '' end from pg_roles where rolname in ('kith_serve', "
            "'kith_system', 'kith_admit', 'kith_search') and not pg_has_role(current_user, oid, case when "
            "current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)"},
    {.name = "row security",
        .sql = "select format('table %s is open to every workspace', c.relname), 'kith migrate' from pg_class c where "
               "c.relkind in ('r', 'p') and c.relnamespace = " HERE
               " and not c.relrowsecurity and exists (select from pg_attribute a where a.attrelid = c.oid and "
               "a.attname = 'workspace_id' and not a.attisdropped)"},
    {.name = "settings",
        .sql = "select format('%s is %s: %s', s.name, s.reset_val, w.why), " UNDO(
            "format('alter system set %s = on', s.name) || '; then select pg_reload_conf()'") " from pg_settings s "
                                                                                              "join (values ('fsync', "
                                                                                              "'a crash "
                                                                                              "of the machine destroys "
                                                                                              "the database'), "
                                                                                              "('full_page_writes', 'a "
                                                                                              "crash of the machine "
                                                                                              "destroys "
                                                                                              "pages'), "
                                                                                              "('synchronous_commit', "
                                                                                              "'a crash loses writes "
                                                                                              "that were "
                                                                                              "acknowledged'), "
                                                                                              "('autovacuum', "
                                                                                              "'tables grow and plans "
                                                                                              "grow old'), "
                                                                                              "('track_counts', "
                                                                                              "'autovacuum does not "
                                                                                              "see what changes')) w "
                                                                                              "(name, why) on s.name = "
                                                                                              "w.name and s.reset_val "
                                                                                              "= 'off'",
        .any_level = true},
    {.name = "connections", .run = doctor_connections, .any_level = true},
    {.name = "clock", .run = doctor_clock, .any_level = true},
    {.name = "time zones", .run = doctor_zones, .any_level = true},
    {.name = "collation",
        .sql = "select format('the database was sorted with version %s of its collation, but the system has %s: "
               "indexes on text may miss rows', datcollversion, pg_database_collation_actual_version(oid)), "
               "format('reindex database %I; then alter database %I refresh collation version', datname, datname) "
               "from pg_database where datname = current_database() and datcollversion <> "
               "pg_database_collation_actual_version(oid)",
        .any_level = true},
    {.name = "cursor key",
        .sql = "select 'the key that seals cursors is missing, so the server cannot start: restore the row cursor of "
               "server_secrets from a backup, or create a new one, after which clients must start their lists and "
               "feeds again', "
               "'insert into server_secrets select ''cursor'', sha256(uuid_send(gen_random_uuid()) || "
               "uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))' where not exists (select from "
               "server_secrets where name = 'cursor')"},
    {.name = "primary keys", .run = doctor_keys},
    {.name = "indexes", .run = doctor_indexes},
    {.name = "invalid indexes",
        .sql = "select format('index %s is not valid', c.relname), format('reindex index concurrently %I', c.relname) "
               "from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid and c.relkind = 'i' and "
               "c.relnamespace = " HERE},
    {.name = "statistics",
        .sql = "select format('table %s was never analyzed, as after a restored dump', relname), format('analyze %I', "
               "relname) from pg_class where relkind = 'r' and relnamespace = " HERE
               " and reltuples < 0 and pg_relation_size(oid) > 1048576"},
    {.name = "autovacuum",
        .sql = "select format('autovacuum is off for table %s', relname), format('alter table %I reset "
               "(autovacuum_enabled)', relname) from pg_class where relnamespace = " HERE
               " and exists (select from unnest(reloptions) o where o in ('autovacuum_enabled=false', "
               "'autovacuum_enabled=off'))"},
    {.name = "bloat",
        .sql =
            "select format('table %s has %s dead rows beside %s live ones; an open transaction or a replication slot "
            "may keep vacuum from removing them', relname, n_dead_tup, n_live_tup), format('vacuum %I', relname) from "
            "pg_stat_user_tables where schemaname = current_schema() and n_dead_tup > 10000 and n_dead_tup > "
            "n_live_tup"},
    {.name = "transaction numbers",
        .sql = "select format('the oldest unfrozen row is %s transactions old; 2 billion are possible', "
               "age(datfrozenxid)), 'run vacuum freeze; find what holds autovacuum back (open or prepared "
               "transactions, replication slots)' from pg_database where datname = current_database() and "
               "age(datfrozenxid) > 2 * current_setting('autovacuum_freeze_max_age')::bigint",
        .any_level = true},
    {.name = "partitions",
        .sql = "select format('table %s_%s is missing: no kith serve runs, or it cannot create the table (see its log "
               "for the reason)', p, to_char(day, 'YYYYMMDD')), 'select kith_partitions()' from unnest(array['events', "
               "'deliveries']) p, generate_series(0, 2) ahead, lateral (select (clock_timestamp() at time zone "
               "'UTC')::date + ahead as day) d where to_regclass(format('%s_%s', p, to_char(day, 'YYYYMMDD'))) is null "
               "and exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = "
               "to_regclass(p) and c.relname ~ '_[0-9]{8}$')"},
    {.name = "locks",
        .sql = "select format('process %s has waited for %s s for a lock that process %s holds (pg_stat_activity shows "
               "what they do)', pid, round(extract(epoch from clock_timestamp() - min(waitstart))), "
               "array_to_string(pg_blocking_pids(pid), ', ')), format('select pg_terminate_backend(p) from "
               "unnest(%L::int[]) p', pg_blocking_pids(pid)) from pg_locks where not granted and pid is not null group "
               "by pid having min(waitstart) < clock_timestamp() - make_interval(secs => (select s from patience)) and "
               "cardinality(pg_blocking_pids(pid)) > 0",
        .any_level = true},
    {.name = "open transactions",
        .sql = "select format('a transaction of process %s in database %s has been open since %s: it holds back the "
               "feed and webhooks', l.pid, a.datname, date_trunc('second', a.xact_start)), format('select "
               "pg_terminate_backend(%s)', l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid "
               "where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted and "
               "a.wait_event is distinct from 'SyncRep' and (a.xact_start "
               "< clock_timestamp() - make_interval(secs => (select s from patience)) or (a.xact_start is null "
               "and age(l.transactionid) > 1000)) union all select format('the prepared transaction %L in "
               "database %s is open since %s: it holds the feed and webhooks', gid, database, "
               "date_trunc('second', prepared)), format('commit prepared %L', gid) || '; or rollback prepared' "
               "from pg_prepared_xacts where prepared < clock_timestamp() - make_interval(secs => (select s "
               "from patience))",
        .any_level = true},
    {.name = "other logins", .run = doctor_sight, .any_level = true},
    {.name = "commits",
        .sql =
            "select * from (with advice as (select 'start the standby that synchronous_standby_names asks for; to go "
            "on without "
            "it, at the risk of losing writes in a failover: alter system reset synchronous_standby_names; select "
            "pg_reload_conf()' as standby) select format('synchronous_standby_names is %s, and no such standby is "
            "connected: no write is confirmed', current_setting('synchronous_standby_names')), standby from advice "
            "where current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not "
            "in ('off', 'local') and not exists (select from pg_stat_replication where coalesce(sync_state, 'sync') "
            "in ('sync', 'quorum')) union all select format('%s sessions wait for %s at their COMMIT, the first "
            "for %s s', count(*), w.what, round(extract(epoch from max(clock_timestamp() - a.query_start)))), w.todo "
            "from pg_stat_activity a join (select wait, what, todo from advice, lateral (values ('syncrep', 'a "
            "synchronous standby', standby), ('walsync', 'the disk of the log', 'look at the disk that holds "
            "pg_wal'), ('walwrite', 'the disk of the log', 'look at the disk that holds pg_wal')) v (wait, what, "
            "todo)) w on w.wait = lower(a.wait_event) where a.state = 'active' and a.query_start < "
            "clock_timestamp() - interval '5 s' group by w.what, w.todo) x",
        .any_level = true},
    {.name = "slots",
        .sql =
            "select format('replication slot %s keeps %s of WAL for a reader that is not connected: start the reader, "
            "or drop the slot', slot_name, coalesce(pg_size_pretty(case when pg_is_in_recovery() then null else "
            "pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end), 'some')), format('select "
            "pg_drop_replication_slot(%L)', slot_name) from pg_replication_slots where not active and restart_lsn "
            "is not null",
        .any_level = true},
    {.name = "archive",
        .sql = "select format('WAL has not been archived since %s (%s): it fills the disk, and a recovery from the "
               "archive ends there', "
               "date_trunc('second', coalesce(last_archived_time, stats_reset)), last_failed_wal), 'fix what "
               "PostgreSQL''s log says about archive_command; if you need no archive: alter system set archive_mode = "
               "off; "
               "restart PostgreSQL' from pg_stat_archiver where last_failed_time > "
               "coalesce(last_archived_time, '-infinity') and current_setting('archive_mode') <> 'off'",
        .any_level = true},
    {.name = "space", .run = doctor_space, .any_level = true},
    {.name = "secret file", .run = doctor_secret},
    {.name = "webhooks",
        .sql = "select format('webhook wbk_%s of workspace wsp_%s fails since %s', id, workspace_id, "
               "date_trunc('second', failing_since)), 'its deliveries say why: GET /v1/webhooks/{id}/deliveries, or "
               "/console' from webhooks where status = 'active' and failing_since < clock_timestamp() - "
               "make_interval(secs => (select s from patience))"},
};

const int n_doctor_checks = sizeof doctor_checks / sizeof *doctor_checks;
