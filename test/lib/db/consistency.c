/* See consistency.h. Each rule counts its violations. */
#include "test/lib/db/consistency.h"

#include <stdio.h>

#include "test/lib/db/database.h"

#define VALUES                                                                                                         \
	"values_kept as (select r.id as owner, f.type, e.key::uuid as field, e.value from "                            \
	"(select id, custom_values from people union all select id, custom_values from companies "                     \
	"union all select id, custom_values from objects) r, json_each(r.custom_values) e(key, value) "                \
	"left join custom_fields f on f.id = e.key::uuid), "                                                           \
	"in_rows as (select owner, field, case when type = 'contactField' then substr(i, 5) else i end as item "       \
	"from values_kept, lateral (select json_array_elements_text(value) where json_typeof(value) = 'array' "        \
	"union all select value #>> '{}' where json_typeof(value) <> 'array') x(i)), "                                 \
	"in_table as (select owner_id, field_id, coalesce(text_value, number_value::text, date_value::text, "          \
	"ref_id::text) from field_values) "

#define LINKS(table, list, links, owner, other)                                                                        \
	{#table "." #list " without " #links,                                                                          \
	    "select count(*) from " #table " t, unnest(t." #list ") o where not exists (select from " #links           \
	    " l where l." #owner " = t.id and l." #other " = o)"},                                                     \
	    {#links " without " #table "." #list,                                                                      \
	        "select count(*) from " #links " l where not exists (select from " #table " t where t.id = l." #owner  \
	        " and l." #other " = any (t." #list "))"},                                                             \
	{                                                                                                              \
		"an item twice in " #table "." #list, "select count(*) from " #table " where cardinality(" #list       \
		                                      ") <> (select count(distinct o) from unnest(" #list ") o)"       \
	}

/* The order by updatedAt (migrations/0005_contacts.sql): each record once, with its time. */
#define ORDER(table, key)                                                                                              \
	{                                                                                                              \
#table " and " #table "_updates differ", "select count(*) from " #table " t full join " #table         \
		                                         "_updates u using (" key ", updated_at, id) "                 \
		                                         "where t.created_at is null or u.id is null"                  \
	}

/* Exact items of lists (migrations/0005_contacts.sql): each once for each record that has it. */
#define ITEMS(table, items, owner)                                                                                     \
	{                                                                                                              \
#table " and " #items " differ",                                                                       \
		    "select count(*) from (select t.workspace_id, i.kind, i.key, t.id from " #table                    \
		    " t, kith_items(t.emails, t.phones, t.urls) i) t full join " #items                                \
		    " i on i.workspace_id = t.workspace_id and i.kind = t.kind and "                                   \
		    "i.key = t.key and i." #owner " = t.id where t.id is null or i." #owner " is null"                 \
	}

struct consistency_rule {
	const char *what, *sql;
};

static const struct consistency_rule checks[] = {
    {"values without rows", "with " VALUES "select count(*) from (table in_rows except all table in_table) d"},
    {"rows without values", "with " VALUES "select count(*) from (table in_table except all table in_rows) d"},
    {"values of deleted fields", "with " VALUES "select count(*) from values_kept where type is null"},
    {"values that are empty", "with " VALUES "select count(*) from values_kept where value::text in ('[]', 'null')"},
    {"references to deleted records",
        "select count(*) from field_values v join custom_fields f on f.id = v.field_id where "
        "f.type in ('contactField', 'objectField') and not exists (select from people where id = v.ref_id) and not "
        "exists (select from companies where id = v.ref_id) and not exists (select from objects where id = v.ref_id)"},
    {"references to deleted options",
        "select count(*) from field_values v join custom_fields f on f.id = v.field_id where f.type in "
        "('singleSelect', 'multipleSelect') and not exists (select from json_array_elements(f.options) o where o ->> "
        "'id' = v.ref_id::text)"},
    {"values of a group that its record is not in",
        "select count(*) from field_values v join custom_fields f on f.id = v.field_id where f.entity <> 'object' and "
        "not exists (select from people p where p.id = v.owner_id and f.group_id = any (p.group_ids)) and not exists "
        "(select from companies c where c.id = v.owner_id and f.group_id = any (c.group_ids))"},
    {"notes of deleted records",
        "select count(*) from notes n where not exists (select from people where id = n.entity_id) and not exists "
        "(select from companies where id = n.entity_id) and not exists (select from objects where id = n.entity_id)"},
    {"tasks, reminders and interactions of deleted records",
        "select count(*) from (select entity_id from tasks union all select entity_id from reminders union all select "
        "entity_id from interactions union all select entity_id from interaction_counts) a where not exists (select "
        "from "
        "people where id = entity_id) and not exists (select from companies where id = entity_id) and not exists "
        "(select from objects where id = entity_id)"},
    {"counters other than their interactions",
        "select count(*) from (select workspace_id, entity_id, user_id, count(*) as n, max(date_time) as last from "
        "interactions where counted group by 1, 2, 3) i full join interaction_counts c using (workspace_id, entity_id, "
        "user_id) where i.n is distinct from c.count or i.last is distinct from c.last_at"},
    {"people with others' counters",
        "select count(*) from people p, lateral (select array_agg(c.user_id order by c.user_id) as users, "
        "array_agg(c.count order by c.user_id) || array_agg((extract(epoch from c.last_at) * 1000)::bigint order by "
        "c.user_id) as numbers, max(c.last_at) as last from interaction_counts c where c.workspace_id = p.workspace_id "
        "and c.entity_id = p.id) c where (p.interaction_users, p.interaction_numbers, p.last_interacted_at) is "
        "distinct "
        "from (c.users, c.numbers, c.last)"},
    LINKS(people, group_ids, person_groups, person_id, group_id),
    LINKS(people, company_ids, person_companies, person_id, company_id),
    LINKS(companies, group_ids, company_groups, company_id, group_id),
    LINKS(objects, person_ids, object_people, object_id, person_id),
    LINKS(objects, company_ids, object_companies, object_id, company_id),
    ORDER(people, "workspace_id"),
    ORDER(companies, "workspace_id"),
    ORDER(objects, "workspace_id, type_id"),
    ITEMS(people, person_items, person_id),
    ITEMS(companies, company_items, company_id),
};

/* Events match records: for each kind one created, and one deleted after it if the record is deleted. */
#define TOLD(type) "(select record_id as id, count(*) as n from events where type = '" type "' group by record_id) "
#define LIFE(kind, table)                                                                                              \
	{#table " without exactly one " #kind ".created",                                                              \
	    "select count(*) from " #table                                                                             \
	    " t left join " TOLD(#kind ".created") "e using (id) where e.n is distinct from 1"},                       \
	    {#table " that are there although " #kind ".deleted was told",                                             \
	        "select count(*) from " #table " t join " TOLD(#kind ".deleted") "e using (id)"},                      \
	    {"gone " #table " without exactly one " #kind ".deleted",                                                  \
	        "select count(*) from " TOLD(#kind ".created") "c left join " TOLD(                                    \
	            #kind ".deleted") "d using (id) "                                                                  \
	                              "left join " #table                                                              \
	                              " t using (id) where t.workspace_id is null and d.n is distinct from 1"},        \
	{                                                                                                              \
		"events of " #table " before " #kind ".created or behind " #kind ".deleted",                           \
		    "select count(*) from events e join events o on o.record_id = e.record_id and o.id <> e.id where " \
		    "(o.type = '" #kind ".created' and (e.xid, e.seq) < (o.xid, o.seq)) or "                           \
		    "(o.type = '" #kind ".deleted' and (e.xid, e.seq) > (o.xid, o.seq))"                               \
	}

/* The last value set is the current one. */
#define LAST(kind, table, member, column)                                                                              \
	{                                                                                                              \
#table "." #column " other than what was last told",                                                   \
		    "select count(*) from (select distinct on (e.record_id) e.record_id as id, c ->> 'value' as told " \
		    "from events e, json_array_elements(e.data -> 'changes') c where e.type = '" #kind ".updated' "    \
		    "and c -> 'path' ->> 0 = '" #member "' order by e.record_id, e.xid desc, e.seq desc) l "           \
		    "join " #table " t using (id) where l.told is distinct from nullif(t." #column "::text, '')"       \
	}

/* The groups in which a record was created and which it joined, without those it left. */
#define MEMBERSHIP(kind, table)                                                                                        \
	{                                                                                                              \
#table ".group_ids other than what was told",                                                          \
		    "select count(*) from (select record_id, g, sum(n) from (select e.record_id, 'grp_' || g as g, "   \
		    "1 as n from events e, unnest(e.group_ids) g where e.type = '" #kind ".created' union all select " \
		    "e.record_id, i ->> 'id', case c ->> 'type' when 'add' then 1 else -1 end from events e, "         \
		    "json_array_elements(e.data -> 'changes') c, json_array_elements(c -> 'value') i "                 \
		    "where e.type = '" #kind ".groups_updated' union all select t.id, 'grp_' || g, -1 from " #table    \
		    " t, unnest(t.group_ids) g) m where exists (select from " #table                                   \
		    " t where t.id = m.record_id) group by record_id, g having sum(n) <> 0) d"                         \
	}

static const struct consistency_rule told[] = {
    LIFE(person, people),
    LIFE(company, companies),
    LIFE(object, objects),
    LIFE(note, notes),
    LIFE(task, tasks),
    LIFE(reminder, reminders),
    LIFE(interaction, interactions),
    LAST(person, people, firstName, first_name),
    LAST(person, people, lastName, last_name),
    LAST(person, people, jobTitle, job_title),
    LAST(company, companies, industry, industry),
    LAST(company, companies, name, name),
    LAST(object, objects, name, name),
    LAST(task, tasks, dueAt, due_at),
    MEMBERSHIP(person, people),
    MEMBERSHIP(company, companies),
    /* Requests that share a transaction change different records, with one exception: two interactions with one
     * contact, when one of them names it by the id of a contact that was merged into it. */
    {"two events of one type, record and transaction",
        "select count(*) from (select 1 from events where type not like '%.workspace_interaction_metadata_updated' "
        "group by record_id, type, xid having count(*) > 1) d"},
};

static int broken_of(const struct program *p, const struct consistency_rule *rules, size_t n)
{
	int broken = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t found = database_int(p, rules[i].sql);
		if (found != 0)
			fprintf(stderr, "%s: %lld\n", rules[i].what, (long long)found);
		broken += found != 0;
	}
	return broken;
}

int consistency_broken(const struct program *p)
{
	return broken_of(p, checks, sizeof checks / sizeof *checks);
}

int consistency_untold(const struct program *p)
{
	return broken_of(p, told, sizeof told / sizeof *told);
}
