/* References to entities; one row for each table that refers to one. */
#include "server/resource/entity.h"

#include <stdlib.h>
#include <string.h>

#include "server/resource/merged.h"
#include "store/entity_kind.h"
#include "store/record.h"

int entity_ask(struct req *r, const struct value *ref, const char *lock)
{
	const struct entity_kind *kind = ref->kind;
	int at;
	struct sql *s = req_sql(r, NULL, &at);

	sql_addf(s, "select t.%s, %s%s, t.id from (values (", kind->name, kind->group ? "t." : "null::uuid",
	    kind->group ? kind->group : "");
	sql_uuid(s, &ref->entity);
	sql_addf(s, ")) e (id), %s t where t.workspace_id = $1 and t.id = ", kind->table);
	merged_now_sql(s, kind, "e.id");
	if (kind->group && r->caller.ws->n_removed_types) {
		sql_add(s, " and t.type_id <> all (");
		sql_uuid_array(s, r->caller.ws->removed_types, r->caller.ws->n_removed_types);
		sql_add(s, ")");
	}
	sql_add(s, lock);
	return at;
}

bool entity_given(struct req *r, int at, struct value *ref)
{
	struct path entity = PATH_NAME(NULL, "entity"), id = PATH_NAME(&entity, "id");
	struct uuid group;

	if (db_rows(r->db.last, at) == 0 ||
	    (db_uuid_read(r->db.last, at, 0, 1, &group) && !visible_group(r->caller.ws, &group, &r->caller.viewer))) {
		issue_custom(&r->given.issues, &id, "Entity not found");
		return false;
	}
	ref->entity_name = db_text(r->db.last, at, 0, 0, &ref->entity_name_len);
	ref->entity = db_uuid(r->db.last, at, 0, 2);
	return true;
}

/* --- of many records -------------------------------------------------------------------- */

static int entity_compare(const void *a, const void *b)
{
	const struct value *x = *(const struct value *const *)a, *y = *(const struct value *const *)b;
	int c = uuid_compare(&x->entity, &y->entity);

	return c ? c : (x->kind > y->kind) - (x->kind < y->kind);
}

static void entities_unique(struct entities *e)
{
	size_t n = 0;

	if (e->count)
		qsort(e->refs, e->count, sizeof *e->refs, entity_compare);
	for (size_t i = 0; i < e->count; i++)
		if (i == 0 || entity_compare(&e->refs[i], &e->refs[i - 1]) != 0)
			e->refs[n++] = e->refs[i];
	e->count = n;
}

/* Appends, for each e, the row of that kind. */
static void entities_join(struct sql *s, const struct workspace *ws, const struct entity_kind *kind, const char *lock)
{
	sql_addf(s,
	    " left join lateral (select t.%s as name, %s%s as group_id, t.id from %s t where e.type = '%s' "
	    "and t.workspace_id = $1 and t.id = ",
	    kind->name, kind->group ? "t." : "null::uuid", kind->group ? kind->group : "", kind->table, kind->type);
	merged_now_sql(s, kind, "e.id");
	if (kind->group) {
		sql_add_uuid_array(s, " and t.type_id <> all (", ws->removed_types, ws->n_removed_types);
		sql_add(s, ")");
	}
	sql_addf(s, "%s) of_%s on true", lock, kind->type);
}

void entities_ask(struct req *r, struct entities *e, const char *lock)
{
	struct sql *s = req_sql(r, arena_printf(&r->arena, "entities%s", lock), &e->at);
	struct uuid *ids = arena_alloc(&r->arena, e->count * sizeof *ids);
	const char **types = arena_alloc(&r->arena, e->count * sizeof *types);
	size_t *lens = arena_alloc(&r->arena, e->count * sizeof *lens);

	entities_unique(e);
	for (size_t i = 0; i < e->count; i++) {
		ids[i] = e->refs[i]->entity;
		types[i] = e->refs[i]->kind->type;
		lens[i] = strlen(types[i]);
	}
	/* Locks row by row, so that all requests lock in the same order, whatever the tables. */
	sql_add(s, "select coalesce(of_person.name, of_company.name, of_object.name), of_object.group_id, "
	           "coalesce(of_person.id, of_company.id, of_object.id) from unnest(");
	sql_uuid_array(s, ids, e->count);
	sql_add(s, ", ");
	sql_text_array(s, types, lens, e->count);
	sql_add(s, ") with ordinality e (id, type, n)");
	for (enum id_kind k = 0; k < ID_KINDS; k++)
		if (entity_kind_of(k))
			entities_join(s, r->caller.ws, entity_kind_of(k), lock);
	sql_add(s, " order by e.n");
}

bool entities_given(
    const struct req_caller *caller, const struct db_exchange *x, const struct entities *e, struct value *ref)
{
	const struct value *asked = ref, **found;
	struct uuid group;
	int row;

	found = e->count ? bsearch(&asked, e->refs, e->count, sizeof *e->refs, entity_compare) : NULL;
	if (!found)
		return false;
	row = (int)(found - e->refs);
	if (db_null(x, e->at, row, 0) ||
	    (db_uuid_read(x, e->at, row, 1, &group) && !visible_group(caller->ws, &group, &caller->viewer)))
		return false;
	ref->entity_name = db_text(x, e->at, row, 0, &ref->entity_name_len);
	ref->entity = db_uuid(x, e->at, row, 2);
	return true;
}

/* --- of a query -------------------------------------------------------------------------- */

const struct entity_kind *entity_param_read(const struct param_value *v, struct uuid *id)
{
	const struct entity_kind *kind = NULL;
	enum id_kind of;

	if (id_parse_any(v->text, v->len, &of, id))
		kind = entity_kind_of(of);
	if (!kind)
		*id = (struct uuid){{0}};
	return kind;
}

void entity_param_sql(const struct req *r, struct sql *s)
{
	const struct param_value *v = req_param(r, "entity.id");
	const struct entity_kind *kind;
	struct uuid id;

	if (!v->given)
		return;
	kind = entity_param_read(v, &id);
	sql_add_uuid(s, " and t.entity_id = ", &id);
	sql_add(s, " and t.entity_type = "); /* the same UUID with another prefix is another id */
	sql_textz(s, kind ? kind->type : "");
}

void entity_visible_sql(const struct req_caller *caller, struct sql *s)
{
	struct uuid *groups;
	size_t n = workspace_absent(caller->ws, &caller->viewer, s->arena, &groups);

	sql_add(s, " and (t.entity_type <> 'object' or not exists (select from objects e where "
	           "e.workspace_id = t.workspace_id and e.id = t.entity_id and (e.group_id = any (");
	sql_uuid_array(s, groups, n);
	sql_add_uuid_array(s, ") or e.type_id = any (", caller->ws->removed_types, caller->ws->n_removed_types);
	sql_add(s, "))))");
}

/* Tables of records that are linked to an entity, by entity_id. The last one is about others of them. */
static const char *const owned[] = {"notes", "tasks", "reminders", "interactions", "interaction_counts"};
enum { ACTIVITIES = sizeof owned / sizeof *owned - 1 };

void entity_activities_sql(struct sql *s, const char *id)
{
	for (int i = 0; i < ACTIVITIES; i++)
		sql_addf(s, " + exists (select from %s where workspace_id = $1 and entity_id = %s)::int", owned[i], id);
}

/* Tables of records whose custom values, as JSON, may refer to an entity. */
static const char *const valued[] = {"people", "companies", "objects"};

/* The ids as values store them: bare, or with the prefix of a contact. */
static void entity_value_items(struct sql *s, struct arena *a, const struct uuid *ids, size_t n)
{
	static const enum id_kind kinds[] = {ID_PERSON, ID_COMPANY};
	const char **items = arena_alloc(a, 3 * n * sizeof *items);
	size_t *lens = arena_alloc(a, 3 * n * sizeof *lens), count = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < 2; k++, count++) {
			items[count] = id_format(kinds[k], &ids[i], arena_alloc(a, ID_SIZE));
			lens[count] = ID_LEN;
		}
		items[count] = uuid_format(&ids[i], arena_alloc(a, 37));
		lens[count++] = 36;
	}
	sql_text_array(s, items, lens, count);
}

/* Only fields that refer to one of the entities are changed: a text that looks like an id stays. */
static void entity_forget_values(
    const struct statements *st, const char *table, const struct uuid *ids, size_t n, const struct owners *some)
{
	struct sql *s = statements_add(st);
	int refs;

	sql_addf(s, "update %s t set ", table);
	record_touch_sql(s, st->now_ms);
	sql_add(s, ", custom_values = custom_without_items(t.custom_values, array(select distinct v.field_id::text "
	           "from field_values v where v.workspace_id = $1 and v.ref_id = any (");
	sql_uuid_array(s, ids, n);
	refs = s->n_params;
	sql_add(s, ")");
	removal_rows_of_owners(s, "v.owner_id", some);
	sql_add(s, "), ");
	entity_value_items(s, st->arena, ids, n);
	sql_add(s, ") where t.workspace_id = $1 and t.id in (select v.owner_id from field_values v "
	           "where v.workspace_id = $1 and v.ref_id = any (");
	sql_again(s, refs);
	sql_add(s, ")");
	removal_rows_of_owners(s, "v.owner_id", some);
	sql_add(s, ")");
}

/* The entities' own values. The JSON of each record tells which fields have rows, which are then found by field. */
void entity_forget_own_values(const struct statements *st, const struct uuid *ids, size_t n)
{
	struct sql *s = statements_add(st);

	sql_add(s, "delete from field_values v using (");
	for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
		sql_addf(s,
		    "%sselect t.id, k::uuid as field_id from %s t, json_object_keys(t.custom_values) k "
		    "where t.workspace_id = $1 and t.id = any (",
		    i ? " union all " : "", valued[i]);
		if (i)
			sql_again(s, 2);
		else
			sql_uuid_array(s, ids, n);
		sql_add(s, ")");
	}
	sql_add(s, ") o where v.workspace_id = $1 and v.field_id = o.field_id and v.owner_id = o.id");
}

static void entity_forget_rows(const struct statements *st, const struct uuid *ids, size_t n)
{
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
		struct sql *s = statements_add(st);
		sql_addf(s, "delete from %s where workspace_id = $1 and entity_id = any (", owned[i]);
		sql_uuid_array(s, ids, n);
		sql_add(s, ")");
	}
}

void entity_forget_references(const struct statements *st, const struct uuid *ids, size_t n, const struct owners *some)
{
	struct sql *s;

	for (size_t i = 0; i < sizeof valued / sizeof *valued; i++)
		entity_forget_values(st, valued[i], ids, n, some);
	s = statements_add(st);
	sql_add_uuid_array(s, "delete from field_values v where v.workspace_id = $1 and v.ref_id = any (", ids, n);
	sql_add(s, ")");
	removal_rows_of_owners(s, "v.owner_id", some);
}

void entity_forget_own(const struct statements *st, const struct uuid *ids, size_t n)
{
	entity_forget_own_values(st, ids, n);
	entity_forget_rows(st, ids, n);
}

void entity_unlink(const struct statements *st, const struct uuid *ids, size_t n, const struct link_table *l,
    const struct owners *some)
{
	const char *list = l->resource->fields[l->field].column;
	struct sql *s = statements_add(st);
	int gone;

	sql_addf(s, "update %s t set ", l->resource->table);
	record_touch_sql(s, st->now_ms);
	sql_addf(
	    s, ", %s = array(select o.id from unnest(t.%s) with ordinality o(id, n) where o.id <> all (", list, list);
	sql_uuid_array(s, ids, n);
	gone = s->n_params;
	sql_addf(s,
	    ") order by o.n) where t.workspace_id = $1 and t.id in (select l.%s from %s l where l.workspace_id = $1 "
	    "and l.%s = any (",
	    l->owner, l->name, l->item);
	sql_again(s, gone);
	sql_add(s, ")");
	removal_rows_of_owners(s, arena_printf(st->arena, "l.%s", l->owner), some);
	sql_add(s, ")");
	s = statements_add(st);
	sql_addf(s, "delete from %s l where l.workspace_id = $1 and l.%s = any (", l->name, l->item);
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
	removal_rows_of_owners(s, arena_printf(st->arena, "l.%s", l->owner), some);
}
