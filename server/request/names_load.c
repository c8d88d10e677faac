/* Fetches names of referenced records. */
#include "server/request/names_load.h"

#include "server/request/slice.h"

/* Appends the ids of the wanted names of a kind. */
static void names_ids_sql(struct sql *s, const struct names *n, enum id_kind kind)
{
	struct uuid *ids = arena_alloc(s->arena, n->count * sizeof *ids);
	size_t count = 0;

	for (size_t i = 0; i < n->count; i++) {
		const struct named *named = n->table.rows[i].value;
		if (named->kind == kind)
			ids[count++] = named->id;
	}
	sql_uuid_array(s, ids, count);
}

void names_ask(struct req *r, struct names *n, int *at)
{
	struct sql *s = req_sql(r, "names", at);

	sql_add(s, "select id, full_name, null::uuid, null::uuid from people where workspace_id = $1 and id = any (");
	names_ids_sql(s, n, ID_PERSON);
	sql_add(s, ") union all select id, name, null, null from companies where workspace_id = $1 and id = any (");
	names_ids_sql(s, n, ID_COMPANY);
	sql_add(
	    s, ") union all select id, name, type_id, group_id from objects where workspace_id = $1 and id = any (");
	names_ids_sql(s, n, ID_OBJECT);
	sql_add_uuid_array(s, ") and type_id <> all (", r->caller.ws->removed_types, r->caller.ws->n_removed_types);
	sql_add(s, ")");
}

static void names_take_row(struct names *n, const struct db_exchange *x, int at, int row)
{
	struct uuid id = db_uuid(x, at, row, 0);
	struct named *found = table_find(&n->table, &id, sizeof id);

	if (!found)
		return;
	found->name = db_text(x, at, row, 1, NULL);
	db_uuid_read(x, at, row, 2, &found->type);
	db_uuid_read(x, at, row, 3, &found->group);
}

bool names_take(struct req *r, struct names *n, const struct db_exchange *x, int at)
{
	enum { BETWEEN_LOOKS = 64 };

	while (n->row < db_rows(x, at)) {
		names_take_row(n, x, at, n->row++);
		if (n->row % BETWEEN_LOOKS == 0 && slice_over(r))
			return false;
	}
	return true;
}
