/* What goes with an entity: one row for each table that refers to one. */
#include "server/entity.h"

/* Tables with a row for each reference, by the column that holds the entity's id. */
static const struct {
	const char *table, *column;
} owned[] = {
    {"field_values", "owner_id"},
    {"field_values", "ref_id"},
};

/* Tables whose json of custom values may name one. */
static const char *const valued[] = {"people", "companies", "objects"};

/* The ids as the values keep them: bare, or as a contact's with its prefix. */
static void value_items(struct sql *s, struct arena *a, const struct uuid *ids, size_t n)
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

/* Only fields that name one of them are touched: a text that looks like an id stays. */
static void forget_values(struct req *r, const char *table, const struct uuid *ids, size_t n)
{
	struct sql *s = req_sql(r, NULL, NULL);
	int refs;

	sql_addf(s, "update %s t set updated_at = ", table);
	sql_time(s, req_now_ms(r));
	sql_add(s, ", custom_values = custom_without_items(t.custom_values, array(select distinct v.field_id::text "
	           "from field_values v where v.workspace_id = $1 and v.ref_id = any (");
	sql_uuid_array(s, ids, n);
	refs = s->n_params;
	sql_add(s, ")), ");
	value_items(s, &r->arena, ids, n);
	sql_add(s, ") where t.workspace_id = $1 and t.id in (select v.owner_id from field_values v "
	           "where v.workspace_id = $1 and v.ref_id = any (");
	sql_again(s, refs);
	sql_add(s, "))");
}

void entity_forget(struct req *r, const struct uuid *ids, size_t n)
{
	if (n == 0)
		return;
	for (size_t i = 0; i < sizeof valued / sizeof *valued; i++)
		forget_values(r, valued[i], ids, n);
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
		struct sql *s = req_sql(r, NULL, NULL);
		sql_addf(s, "delete from %s where workspace_id = $1 and %s = any (", owned[i].table, owned[i].column);
		sql_uuid_array(s, ids, n);
		sql_add(s, ")");
	}
}

void entity_unlink(struct req *r, const struct uuid *ids, size_t n, const char *table, const char *list,
    const char *links, const char *owner, const char *other)
{
	struct sql *s = req_sql(r, NULL, NULL);
	int gone;

	sql_addf(s, "update %s t set updated_at = ", table);
	sql_time(s, req_now_ms(r));
	sql_addf(
	    s, ", %s = array(select o.id from unnest(t.%s) with ordinality o(id, n) where o.id <> all (", list, list);
	sql_uuid_array(s, ids, n);
	gone = s->n_params;
	sql_addf(s,
	    ") order by o.n) where t.workspace_id = $1 and t.id in (select l.%s from %s l where l.workspace_id = $1 "
	    "and l.%s = any (",
	    owner, links, other);
	sql_again(s, gone);
	sql_add(s, "))");
	s = req_sql(r, NULL, NULL);
	sql_addf(s, "delete from %s where workspace_id = $1 and %s = any (", links, other);
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
}
