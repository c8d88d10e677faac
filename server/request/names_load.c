/* Fetches names of referenced records. */
#include "server/request/names_load.h"

#include "server/request/slice.h"

static void ask_kind(
    struct req *r, const struct names *n, enum id_kind kind, const char *name, const char *text, int *at)
{
	struct uuid *ids = arena_alloc(&r->arena, n->count * sizeof *ids);
	struct sql *s = req_sql(r, name, at);
	size_t count = 0;

	for (size_t i = 0; i < n->count; i++) {
		const struct named *named = n->table.rows[i].value;
		if (named->kind == kind)
			ids[count++] = named->id;
	}
	sql_add(s, text);
	sql_uuid_array(s, ids, count);
	sql_add(s, ")");
	if (kind == ID_OBJECT && r->ws->n_removed_types) {
		s->name = "names_objects_but_removed";
		sql_add(s, " and type_id <> all (");
		sql_uuid_array(s, r->ws->removed_types, r->ws->n_removed_types);
		sql_add(s, ")");
	}
}

void names_ask(struct req *r, struct names *n, int *at)
{
	ask_kind(r, n, ID_PERSON, "names_people",
	    "select id, full_name from people where workspace_id = $1 and id = any (", at);
	ask_kind(r, n, ID_COMPANY, "names_companies",
	    "select id, name from companies where workspace_id = $1 and id = any (", NULL);
	ask_kind(r, n, ID_OBJECT, "names_objects",
	    "select id, name, type_id, group_id from objects where workspace_id = $1 and id = any (", NULL);
}

static void take_name(struct names *n, const struct db_exchange *x, int statement, int row)
{
	struct uuid id = db_uuid(x, statement, row, 0);
	struct named *found = table_find(&n->table, &id, sizeof id);
	size_t len;

	if (!found)
		return;
	found->name = db_text(x, statement, row, 1, &len);
	if (found->kind == ID_OBJECT) {
		found->type = db_uuid(x, statement, row, 2);
		found->group = db_uuid(x, statement, row, 3);
	}
}

bool names_take(struct req *r, struct names *n, const struct db_exchange *x, int at)
{
	enum { BETWEEN_LOOKS = 64 };

	for (; n->statement < NAMES_STATEMENTS; n->statement++, n->row = 0)
		while (n->row < db_rows(x, at + n->statement)) {
			take_name(n, x, at + n->statement, n->row++);
			if (n->row % BETWEEN_LOOKS == 0 && slice_over(r))
				return false;
		}
	return true;
}
