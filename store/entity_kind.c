/* The kinds of entities and the SQL that depends on them. */
#include "store/entity_kind.h"

#include <string.h>

static const struct entity_kind kinds[] = {
    {ID_PERSON, "person", "people", "full_name", NULL},
    {ID_COMPANY, "company", "companies", "name", NULL},
    {ID_OBJECT, "object", "objects", "name", "group_id"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const struct entity_kind *entity_kind_of(enum id_kind kind)
{
	for (int i = 0; i < KINDS; i++)
		if (kinds[i].id_kind == kind)
			return &kinds[i];
	return NULL;
}

const struct entity_kind *entity_kind_named(const char *type, size_t len)
{
	for (int i = 0; i < KINDS; i++)
		if (strlen(kinds[i].type) == len && memcmp(kinds[i].type, type, len) == 0)
			return &kinds[i];
	return NULL;
}

void entity_name_sql(struct sql *s, const char *column)
{
	sql_add(s, "case t.entity_type");
	for (int i = 0; i < KINDS; i++)
		sql_addf(s,
		    " when '%s' then (select e.%s from %s e where e.workspace_id = t.workspace_id and e.id = t.%s)",
		    kinds[i].type, kinds[i].name, kinds[i].table, column);
	sql_add(s, " end");
}
