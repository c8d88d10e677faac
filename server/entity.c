/* References to entities; what goes with one: a row for each table that refers to one. */
#include "server/entity.h"

#include <string.h>

#include "store/entity_kind.h"

int entity_load(struct req *r, const struct value *ref, bool hold)
{
	const struct entity_kind *kind = ref->kind;
	struct sql *s;
	int at;

	s = req_sql(r, NULL, &at);
	sql_addf(s, "select t.%s, %s%s from %s t where t.workspace_id = $1 and t.id = ", kind->name,
	    kind->group ? "t." : "null::uuid", kind->group ? kind->group : "", kind->table);
	sql_uuid(s, &ref->entity);
	if (hold) /* who deletes the entity waits, then sees what was linked to it */
		sql_add(s, " for key share of t");
	return at;
}

bool entity_found(const struct req *r, int at, struct value *ref)
{
	struct uuid group;

	if (db_rows(r->x, at) == 0)
		return false;
	if (!db_null(r->x, at, 0, 1)) {
		group = db_uuid(r->x, at, 0, 1);
		if (!visible_group(r->ws, &group, &r->viewer))
			return false;
	}
	ref->entity_name = db_text(r->x, at, 0, 0, &ref->entity_name_len);
	return true;
}

bool entity_given(struct req *r, int at, struct value *ref)
{
	struct path entity = PATH_NAME(NULL, "entity"), id = PATH_NAME(&entity, "id");

	if (entity_found(r, at, ref))
		return true;
	issue_custom(&r->issues, &id, "Entity not found");
	return false;
}

void entity_visible_sql(const struct req *r, struct sql *s, const char *column)
{
	struct uuid *hidden = arena_alloc(s->arena, r->ws->n_groups * sizeof *hidden);
	size_t n = 0;

	for (size_t i = 0; i < r->ws->n_groups; i++)
		if (group_role(&r->ws->groups[i], &r->viewer) == ROLE_NONE)
			hidden[n++] = r->ws->groups[i].id;
	entity_outside_sql(s, column, hidden, n);
}

/* Tables with a row of their own for each reference, by the column that holds the entity's id. */
static const struct {
	const char *table, *column;
} owned[] = {
    {"interactions", "entity_id"},
    {"interaction_counts", "entity_id"},
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
