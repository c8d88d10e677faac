/* Removes deleted things from records, as sets. */
#include "server/resource/removal.h"

#include "server/base/fault.h"
#include "server/resource/entity.h"
#include "store/entity_kind.h"
#include "store/record.h"

const struct removal_sizes *removal_sizes(void)
{
	/* A record takes about a millisecond, mostly for its indexes. During that time a request blocks the other
	 * writes of its workspace; the job blocks only writes of its records. */
	static const struct removal_sizes usual = {.at_once = 500, .chunk = 100}, small = {.at_once = 3, .chunk = 2};

	return FAULT_ERROR(small_removals) ? &small : &usual;
}

void removal_definition(struct req *r, const char *table, const struct uuid *id, bool now)
{
	struct sql *s = req_sql(r, arena_printf(&r->arena, "%s_%s", table, now ? "delete" : "hide"), NULL);

	sql_addf(s, now ? "delete from %s" : "update %s set removed_at = clock_timestamp()", table);
	sql_add_uuid(s, " where workspace_id = $1 and id = ", id);
}

/* --- a group's members ---------------------------------------------------------------- */

/* Appends " and t.id …" for the members, or some of them. $n is the group. */
static void member_conditions(struct sql *s, const struct link_table *l, int group, const struct owners *some)
{
	removal_rows_of_owners(s, "t.id", some);
	if (some)
		return;
	sql_addf(
	    s, " and t.id in (select l.%s from %s l where l.workspace_id = $1 and l.group_id = ", l->owner, l->name);
	sql_again(s, group);
	sql_add(s, ")");
}

/* Appends a select of the group's fields for that kind of record. */
static void select_group_fields(struct sql *s, const struct link_table *l, const char *column, int group)
{
	sql_addf(s,
	    "select %s from custom_fields f where f.workspace_id = $1 and f.entity = '%s' and f.group_id = ", column,
	    entity_kind_of(l->resource->id_kind)->type);
	sql_again(s, group);
}

static void delete_links(
    const struct statements *st, const struct link_table *l, const struct uuid *group, const struct owners *some)
{
	struct sql *s = statements_add(st);

	sql_addf(s, "delete from %s l where l.workspace_id = $1 and l.group_id = ", l->name);
	sql_uuid(s, group);
	removal_rows_of_owners(s, arena_printf(st->arena, "l.%s", l->owner), some);
}

void removal_leave(
    const struct statements *st, const struct link_table *l, const struct uuid *group, const struct owners *some)
{
	struct sql *s;

	removal_events_leave(st, l, group, some);
	s = statements_add(st);
	sql_addf(s, "update %s t set group_ids = array_remove(t.group_ids, ", l->resource->table);
	sql_uuid(s, group);
	sql_add(s, "), custom_values = custom_without_fields(t.custom_values, array(");
	select_group_fields(s, l, "f.id::text", 2);
	sql_add(s, ")), ");
	record_touch_sql(s, st->now_ms);
	sql_add(s, " where t.workspace_id = $1");
	member_conditions(s, l, 2, some);
	s = statements_add(st);
	sql_add(s, "delete from field_values v where v.workspace_id = $1");
	removal_rows_of_owners(s, "v.owner_id", some);
	sql_add(s, " and v.field_id in (select f.id from custom_fields f where f.workspace_id = $1 and f.group_id = ");
	sql_uuid(s, group);
	sql_addf(s, " and f.entity = '%s')", entity_kind_of(l->resource->id_kind)->type);
	delete_links(st, l, group, some);
}

/* --- values ----------------------------------------------------------------------------- */

static void removal_bind_keys(const struct statements *st, struct sql *s, const struct uuid *ids, size_t n)
{
	const char **texts = arena_alloc(st->arena, n * sizeof *texts);
	size_t *lens = arena_alloc(st->arena, n * sizeof *lens);

	for (size_t i = 0; i < n; i++) {
		texts[i] = uuid_format(&ids[i], arena_alloc(st->arena, 37));
		lens[i] = 36;
	}
	sql_text_array(s, texts, lens, n);
}

void removal_values(const struct statements *st, const struct removed_values *removed, const struct owners *some)
{
	struct sql *s;

	removal_events_values(st, removed, some);
	s = statements_add(st);
	sql_addf(s, "update %s t set ", removal_rows_kind(removed->entity)->table);
	record_touch_sql(s, st->now_ms);
	sql_addf(s, ", custom_values = custom_without_%s(t.custom_values, ", removed->options ? "items" : "fields");
	removal_bind_keys(st, s, &removed->field, 1);
	if (removed->options) {
		sql_add(s, ", ");
		removal_bind_keys(st, s, removed->options, removed->n_options);
	}
	sql_add(s, ") where t.workspace_id = $1 and t.id in (select v.owner_id from field_values v where "
	           "v.workspace_id = $1");
	removal_rows_of_values(s, removed, some);
	sql_add(s, ")");
	s = statements_add(st);
	sql_add(s, "delete from field_values v where v.workspace_id = $1");
	removal_rows_of_values(s, removed, some);
}

/* --- references to people and companies ------------------------------------------------------ */

void removal_references(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct owners *some)
{
	const struct link_table *l;

	removal_events_references(st, kind, ids, n, some);
	for (int i = 0; (l = link_table_to(kind, i)); i++)
		entity_unlink(st, ids, n, l, some);
	entity_forget_references(st, ids, n, some);
}

void removal_held_sql(struct sql *s, enum id_kind kind, const struct uuid *ids, size_t n, int64_t most, bool activities)
{
	const struct link_table *l;
	int limit;

	sql_add(s,
	    "select i.id, (select count(*) from (select from field_values where workspace_id = $1 and ref_id = i.id "
	    "limit ");
	sql_int8(s, most);
	limit = s->n_params;
	sql_add(s, ") h)");
	for (int i = 0; (l = link_table_to(kind, i)); i++) {
		sql_addf(s, " + (select count(*) from (select from %s where workspace_id = $1 and %s = i.id limit ",
		    l->name, l->item);
		sql_again(s, limit);
		sql_add(s, ") h)");
	}
	if (activities)
		entity_activities_sql(s, "i.id");
	sql_add_uuid_array(s, " from unnest(", ids, n);
	sql_add(s, ") i (id)");
}

/* --- objects ------------------------------------------------------------------------------ */

void removal_objects(
    const struct statements *st, const struct uuid *group, const struct uuid *ids, size_t n, bool group_stays)
{
	struct sql *s;

	if (n == 0)
		return;
	removal_events_activities(st, ID_OBJECT, ids, n, group);
	if (group_stays)
		removal_events_references(st, ID_OBJECT, ids, n, NULL);
	removal_events_objects(st, ids, n);
	entity_forget_own(st, ids, n); /* before the JSON of the records' values changes */
	if (group_stays)
		entity_forget_references(st, ids, n, NULL);
	s = statements_add(st); /* foreign keys delete the links */
	sql_add_uuid_array(s, "delete from objects where workspace_id = $1 and id = any (", ids, n);
	sql_add(s, ")");
}
