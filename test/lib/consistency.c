/* See consistency.h. Each rule is a count of what breaks it. */
#include "test/lib/consistency.h"

#include <stdio.h>

#include "test/lib/database.h"

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

static const struct {
	const char *what, *sql;
} checks[] = {
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
    LINKS(people, group_ids, person_groups, person_id, group_id),
    LINKS(people, company_ids, person_companies, person_id, company_id),
    LINKS(companies, group_ids, company_groups, company_id, group_id),
    LINKS(objects, person_ids, object_people, object_id, person_id),
    LINKS(objects, company_ids, object_companies, object_id, company_id),
};

int consistency_broken(const struct program *p)
{
	int broken = 0;

	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		int64_t n = database_int(p, checks[i].sql);
		if (n != 0)
			fprintf(stderr, "%s: %lld\n", checks[i].what, (long long)n);
		broken += n != 0;
	}
	return broken;
}
