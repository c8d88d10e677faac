/* Times that cannot be set through the API; see filter_world.h.
 *
 * Creation: three every other day in the order of the ids, one in the first and one in the last millisecond. An id
 * contains its time of creation, so it changes too, for some to the other side of midnight, as a clock may be wrong
 * by that much. Updates: in no order, many at the same time. */
#include <stdio.h>
#include <stdlib.h>

#include "test/lib/model/filter_world.h"

static const char move[] =
    "create temp table moved (old uuid primary key, new uuid, created timestamptz);\n"
    "create function pg_temp.at_time(id uuid, t timestamptz) returns uuid language sql return (\n"
    "	select (substr(h, 1, 8) || '-' || substr(h, 9, 4) || substr(id::text, 14))::uuid\n"
    "	from (select lpad(to_hex(round(extract(epoch from t) * 1000)::bigint), 12, '0') as h) x);\n"
    "set session_replication_role = replica;\n"
    "do $$\n"
    "declare\n"
    "	-- the first, the second and the third record of a day: when the id was made, how much later the record\n"
    "	made constant interval[] := '{-00:00:00.003, 08:00, 24:00:00.001}';\n"
    "	away constant interval[] := '{00:00:00.003, 00:00, -00:00:00.002}';\n"
    "	t text;\n"
    "	m record;\n"
    "begin\n"
    "	foreach t in array array['people', 'companies', 'objects', 'tasks'] loop\n"
    "		execute format('insert into moved\n"
    "			select id, pg_temp.at_time(id, made), made + away\n"
    "			from (select id, n, timestamptz ''2024-02-01 00:00Z'' + n / 3 * interval ''48 hours''\n"
    "					+ $1[1 + n %% 3] as made, $2[1 + n %% 3] as away\n"
    "				from (select id, row_number() over (order by id) as n from %I) o) i', t)\n"
    "			using made, away;\n"
    "		execute format('update %I t set created_at = m.created,\n"
    "			updated_at = timestamptz ''2024-08-01 00:00Z'' +\n"
    "				((''x'' || right(t.id::text, 3))::bit(12)::int %% 37) * interval ''1:00:01.001''\n"
    "			from moved m where m.old = t.id', t);\n"
    "		if t <> 'tasks' then\n"
    "			execute format('update %1$s_updates u set updated_at = t.updated_at from %1$I t where t.id = "
    "u.id', t);\n"
    "		end if;\n"
    "	end loop;\n"
    "	for m in select c.oid::regclass as target, a.attname as name, a.atttypid = 'uuid[]'::regtype as list\n"
    "		from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped\n"
    "		where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and\n"
    "			a.attname <> 'workspace_id' and a.attgenerated = '' and a.atttypid in ('uuid'::regtype, "
    "'uuid[]'::regtype)\n"
    "	loop\n"
    "		if m.list then\n"
    "			execute format('update %1$s t set %2$I = array(select coalesce(m.new, u.id)\n"
    "				from unnest(t.%2$I) with ordinality u(id, n)\n"
    "				left join moved m on m.old = u.id order by u.n)\n"
    "				where t.%2$I && array(select old from moved)', m.target, m.name);\n"
    "		else\n"
    "			execute format('update %1$s t set %2$I = m.new from moved m where m.old = t.%2$I',\n"
    "				m.target, m.name);\n"
    "		end if;\n"
    "	end loop;\n"
    "	foreach t in array array['people', 'companies', 'objects'] loop\n"
    "		for m in select old::text as old, new::text as new from moved loop\n"
    "			execute format('update %I\n"
    "				set custom_values = replace(custom_values::text, $1, $2)::json\n"
    "				where custom_values::text like ''%%'' || $1 || ''%%''', t) using m.old, m.new;\n"
    "		end loop;\n"
    "	end loop;\n"
    "end\n"
    "$$;\n"
    "reset session_replication_role;\n"
    "select count(*) from moved\n";

void filter_world_move(struct filter_world *w)
{
	if (database_int(w->rig.program, move) <= 0) {
		fprintf(stderr, "nothing to move\n");
		exit(1);
	}
}
