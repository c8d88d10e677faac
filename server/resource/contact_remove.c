/* Deletes people and companies. Those that many records refer to also disappear at once for users;
 * server/job/removals.c removes the references later. */
#include "server/request/params.h"
#include "server/request/route.h"
#include "server/resource/entity.h"
#include "server/resource/removal.h"
#include "server/resource/write.h"
#include "store/entity_kind.h"

/* The only parameter of the routes that delete people and companies. The first choice is "true". */
static bool contact_asked_unused(const struct req *r)
{
	return r->route->params == params_unused && r->given.params[0].given && r->given.params[0].number == 0;
}

void contact_ask_held(struct req *r, struct write *w, const struct uuid *ids)
{
	bool unused = contact_asked_unused(r);
	const char *name = arena_printf(&r->arena, "%s_%s", w->kind->res->table, unused ? "unused" : "held");
	struct sql *s = req_sql(r, name, &w->at_held);

	removal_held_sql(s, w->kind->res->id_kind, ids, w->n_targets, removal_sizes()->at_once + 1, unused);
}

bool contact_in_use(const struct req *r, const struct write *w, const struct uuid *id)
{
	int row = contact_asked_unused(r) ? db_row_of(w->loads, w->at_held, id) : -1;

	return row >= 0 && db_int(w->loads, w->at_held, row, 1) > 0;
}

/* Sorts the ids. First come those whose references are removed now, because they are few in total; then the others.
 * Returns the number of the first. */
static size_t choose_small(const struct req *r, const struct uuid *ids, size_t n, struct uuid *out)
{
	const struct write *w = r->state.write;
	int64_t left = removal_sizes()->at_once;
	size_t now = 0, later = n;

	for (size_t i = 0; i < n; i++) {
		int row = db_row_of(w->loads, w->at_held, &ids[i]);
		int64_t held = row < 0 ? 0 : db_int(w->loads, w->at_held, row, 1);
		if (held <= left)
			out[now++] = ids[i];
		else
			out[--later] = ids[i];
		left -= held <= left ? held : 0;
	}
	return now;
}

/* Hides these ids wherever records refer to them. */
static void hide_contacts(const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n)
{
	struct sql *s = statements_add(st);

	sql_add(s, "insert into contacts_gone (workspace_id, id, kind) select $1, id, ");
	sql_textz(s, entity_kind_of(kind)->type);
	sql_add_uuid_array(s, " from unnest(", ids, n);
	sql_add(s, ") i (id)");
	sql_add(statements_add(st), "update workspaces set version = version + 1 where workspace_id = $1");
}

void contact_delete(const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, size_t now)
{
	struct sql *s;

	removal_events_activities(st, kind, ids, n, NULL);
	entity_forget_own(st, ids, n);
	if (now)
		removal_references(st, kind, ids, now, NULL);
	if (now < n)
		hide_contacts(st, kind, ids + now, n - now);
	s = statements_add(st);
	sql_addf(s, "delete from %s where workspace_id = $1 and id = any (", entity_kind_of(kind)->table);
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
}

void contact_remove(struct req *r, const struct uuid *ids, size_t n)
{
	struct statements st = req_statements(r);
	struct uuid *sorted = arena_alloc(&r->arena, n * sizeof *sorted);
	size_t now = choose_small(r, ids, n, sorted);

	contact_delete(&st, r->state.write->kind->res->id_kind, sorted, n, now);
}
