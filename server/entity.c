/* What goes with an entity: one row for each table that refers to one. */
#include "server/entity.h"

/* Tables with a row of their own for each reference, by the column that holds the entity's id. */
static const struct {
	const char *table, *column;
} owned[] = {
    {NULL, NULL},
};

void entity_forget(struct req *r, const struct uuid *ids, size_t n)
{
	for (size_t i = 0; n && owned[i].table; i++) {
		struct sql *s = req_sql(r, NULL, NULL);
		sql_addf(s, "delete from %s where workspace_id = $1 and %s = any (", owned[i].table, owned[i].column);
		sql_uuid_array(s, ids, n);
		sql_add(s, ")");
	}
}
