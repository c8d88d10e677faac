/* Events of changes to sets of records. In all statements $1 is the workspace and $2 the deleted or merged record. A
 * dry run (st->untold) makes no events. */
#include "server/resource/removal.h"

#include <string.h>

#include "server/resource/activity.h"
#include "store/entity_kind.h"

/* --- records linked to an entity -------------------------------------------------------- */

static const struct {
	const struct resource *resource;
	const char *event;
} linked[] = {
    {&note_resource, "note.deleted"},
    {&task_resource, "task.deleted"},
    {&reminder_resource, "reminder.deleted"},
    {&interaction_resource, "interaction.deleted"},
};

void removal_events_activities(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct uuid *within)
{
	for (size_t i = 0; n && !st->untold && i < sizeof linked / sizeof *linked; i++) {
		const struct activity_rule *rule = activity_rule(linked[i].resource);
		struct sql *s = statements_add(st);
		sql_addf(s,
		    "insert into events (workspace_id, id, type, record_id, audience, data, "
		    "within_group_id, " EVENT_ACTOR_COLUMNS ") select $1, gen_random_uuid(), '%s', t.id, ",
		    linked[i].event);
		if (rule)
			sql_addf(s, "case when not (%s) then %s end, ", rule->public, rule->owners);
		else
			sql_add(s, "null, ");
		sql_addf(s,
		    "('{\"details\":{\"entity\":{\"id\":\"%s_' || t.entity_id || '\",\"entityType\":\"' || "
		    "t.entity_type || '\"}}}')::json, ",
		    id_prefix(kind));
		sql_uuid(s, within);
		sql_add(s, ", ");
		event_actor_sql(s, &st->actor);
		sql_addf(s, " from %s t where t.workspace_id = $1 and t.entity_id = any (", linked[i].resource->table);
		sql_uuid_array(s, ids, n);
		sql_add(s, ") order by t.id");
	}
}

/* --- values and lists that lose items ---------------------------------------------------- */

/* Appends a select of (owner, part, field, named, change) for values v of fields f. The caller appends " and …"
 * conditions, then calls removal_value_changes_end(). Lists lose the items in the rows; other values become unset.
 * labels: removal_event_begin() began the statement; without it no value may be an option. */
static void removal_value_changes(struct sql *s, const struct entity_kind *h, bool labels)
{
	const char *path = arena_printf(
	    s->arena, "json_build_array('customFieldValues', %sf.name)", h->group ? "" : "'grp_' || f.group_id, ");

	sql_addf(s,
	    "select v.owner_id as owner, 1 as part, f.id as field, f.group_id as named, case when f.type in "
	    "('textField', 'numericField', 'dateField', 'singleSelect') then json_build_object('path', %s, 'type', "
	    "'set', 'value', null, 'previous', coalesce(max(v.text_value), trim_scale(max(v.number_value))::text, "
	    "max(v.date_value)::text%s)) else json_build_object('path', %s, 'type', 'remove', 'value', "
	    "json_agg(case f.type when 'multipleSelect' then %s "
	    "else json_build_object('id', case f.type when 'userField' then 'usr_' when 'objectField' then 'obj_' "
	    "when 'contactField' then case when exists (select from people p where p.workspace_id = $1 "
	    "and p.id = v.ref_id) or exists (select from contacts_gone p where p.workspace_id = $1 and p.id = v.ref_id "
	    "and p.kind = 'person') then 'per_' else 'com_' end end || v.ref_id) end order by v.ref_id)) end as change "
	    "from field_values v join custom_fields f on f.workspace_id = v.workspace_id and f.id = v.field_id "
	    "%s where v.workspace_id = $1 and f.entity = '%s'",
	    path, labels ? ", max(x.label #>> '{}')" : "", path, labels ? "x.label" : "null",
	    labels ? "left join labels x on x.field = f.id and x.id = v.ref_id::text" : "", h->type);
}

static void removal_value_changes_end(struct sql *s)
{
	sql_add(s, " group by v.owner_id, f.workspace_id, f.id");
}

/* Begins a statement that makes one event of all changes of a record. It has the options of the fields whose given
 * column is id, which becomes $2. The options are read once, because a field may have a thousand options and as many
 * values. */
static struct sql *removal_event_begin(const struct statements *st, const char *column, const struct uuid *id)
{
	struct sql *s = statements_add(st);

	sql_addf(s,
	    "with labels as materialized (select f.id as field, o ->> 'id' as id, o -> 'label' as label from "
	    "custom_fields f, json_array_elements(f.options) o where f.workspace_id = $1 and f.type in "
	    "('multipleSelect', 'singleSelect') and f.%s = ",
	    column);
	sql_uuid(s, id);
	sql_add(s, "), gone as (");
	return s;
}

/* except: the number of the parameter with records that are deleted themselves. without: the number of the parameter
 * with a group that contacts leave. 0: none. */
static void removal_event_end(
    const struct statements *st, struct sql *s, const struct entity_kind *h, int except, int without)
{
	sql_addf(s,
	    ") insert into events (workspace_id, id, type, record_id, group_ids, named_group_ids, within_group_id, "
	    "object_type, data, " EVENT_ACTOR_COLUMNS ") select $1, gen_random_uuid(), '%s.updated', t.id, ",
	    h->type);
	if (h->group)
		sql_add(s, "array[t.group_id], '{}', t.group_id, (select y.name from object_types y "
		           "where y.workspace_id = $1 and y.id = t.type_id), ");
	else if (without)
		sql_addf(s, "array_remove(t.group_ids, $%d), ", without);
	else
		sql_add(s, "t.group_ids, ");
	if (!h->group)
		sql_add(
		    s, "coalesce(array_agg(distinct g.named) filter (where g.named is not null), '{}'), null, null, ");
	sql_add(s, "json_build_object('changes', json_agg(g.change order by g.part, g.field, g.change ->> 'type')), ");
	event_actor_sql(s, &st->actor);
	sql_addf(s, " from gone g join %s t on t.workspace_id = $1 and t.id = g.owner", h->table);
	if (except)
		sql_addf(s, " where t.id <> all ($%d)", except);
	sql_add(s, " group by t.workspace_id, t.id order by t.id");
}

/* Changes of the records that have one of $2 in a list. */
static void list_changes(struct sql *s, enum id_kind kind, const struct link_table *l, const struct owners *some)
{
	sql_addf(s,
	    " union all select l.%s as owner, 0 as part, null::uuid as field, null::uuid as named, "
	    "json_build_object('path', "
	    "json_build_array('%s'), 'type', 'remove', 'value', json_agg(json_build_object('id', '%s_' || l.%s) "
	    "order by l.%s)) as change from %s l where l.workspace_id = $1 and l.%s = any (",
	    l->owner, entity_kind_of(kind)->table, id_prefix(kind), l->item, l->item, l->name, l->item);
	sql_again(s, 2);
	sql_add(s, ")");
	removal_rows_of_owners(s, arena_printf(s->arena, "l.%s", l->owner), some);
	sql_addf(s, " group by l.%s", l->owner);
}

static void reference_events(const struct statements *st, const struct entity_kind *h, enum id_kind kind,
    const struct uuid *ids, size_t n, const struct owners *some)
{
	struct sql *s = statements_add(st);
	const struct link_table *l;

	sql_add(s, "with gone as (");
	removal_value_changes(s, h, false);
	sql_add_uuid_array(s, " and v.ref_id = any (", ids, n);
	sql_add(s, ")");
	removal_rows_of_owners(s, "v.owner_id", some);
	removal_value_changes_end(s);
	for (int i = 0; (l = link_table_to(kind, i)); i++)
		if (l->resource->id_kind == h->id_kind)
			list_changes(s, kind, l, some);
	removal_event_end(st, s, h, h->id_kind == kind ? 2 : 0, 0);
}

void removal_events_references(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct owners *some)
{
	for (int entity = ENTITY_PERSON; n && !st->untold && entity <= ENTITY_OBJECT; entity++)
		reference_events(st, removal_rows_kind(entity), kind, ids, n, some);
}

/* --- references that move ----------------------------------------------------------------- */

/* Appends the other half of the changes: for each value and list, the item that is added if it is not there yet. This
 * is a scalar subquery, looked up row by row. With old statistics the planner would turn "not exists" into a quadratic
 * join. */
static void moved_additions(struct sql *s, const struct entity_kind *h, enum id_kind kind, const struct uuid *kept)
{
	const struct link_table *l;
	int other;

	sql_addf(s,
	    " union all select v.owner_id, 1, f.id, f.group_id, json_build_object('path', "
	    "json_build_array('customFieldValues', %sf.name), 'type', 'add', 'value', "
	    "json_build_array(json_build_object('id', '%s_' || ",
	    h->group ? "" : "'grp_' || f.group_id, ", id_prefix(kind));
	sql_uuid(s, kept);
	other = s->n_params;
	sql_addf(s,
	    "::uuid))) from field_values v join custom_fields f on f.workspace_id = v.workspace_id and f.id = "
	    "v.field_id where v.workspace_id = $1 and f.entity = '%s' and v.ref_id = any ($2) and f.removed_at is null "
	    "and (select 1 from field_values k where k.workspace_id = $1 and k.field_id = v.field_id and k.owner_id = "
	    "v.owner_id and k.ref_id = $%d limit 1) is null",
	    h->type, other);
	for (int i = 0; (l = link_table_to(kind, i)); i++)
		if (l->resource->id_kind == h->id_kind)
			sql_addf(s,
			    " union all select l.%s, 0, null::uuid, null::uuid, json_build_object('path', "
			    "json_build_array('%s'), 'type', 'add', 'value', json_build_array(json_build_object('id', "
			    "'%s_' || $%d::uuid))) from %s l where l.workspace_id = $1 and l.%s = any ($2) and (select "
			    "1 from %s k where k.workspace_id = $1 and k.%s = l.%s and k.%s = $%d limit 1) is null",
			    l->owner, entity_kind_of(kind)->table, id_prefix(kind), other, l->name, l->item, l->name,
			    l->owner, l->owner, l->item, other);
}

void removal_events_moved(
    const struct statements *st, enum id_kind kind, const struct uuid *gone, const struct uuid *kept)
{
	const struct uuid both[] = {*gone, *kept};
	const struct link_table *l;

	for (int entity = ENTITY_PERSON; !st->untold && entity <= ENTITY_OBJECT; entity++) {
		const struct entity_kind *h = removal_rows_kind((enum custom_entity)entity);
		struct sql *s = statements_add(st);
		int except;
		sql_add(s, "with gone as (");
		removal_value_changes(s, h, false);
		sql_add_uuid_array(s, " and v.ref_id = any (", gone, 1);
		sql_add_uuid_array(s, ") and f.removed_at is null and v.owner_id <> all (", both, 2);
		except = s->n_params;
		sql_add(s, ")");
		removal_value_changes_end(s);
		for (int i = 0; (l = link_table_to(kind, i)); i++)
			if (l->resource->id_kind == h->id_kind)
				list_changes(s, kind, l, NULL);
		moved_additions(s, h, kind, kept);
		removal_event_end(st, s, h, except, 0);
	}
}

/* --- groups, types, fields ------------------------------------------------------------------ */

void removal_events_objects(const struct statements *st, const struct uuid *ids, size_t n)
{
	struct sql *s;

	if (n == 0 || st->untold)
		return;
	s = statements_add(st);
	sql_add(s, "insert into events (workspace_id, id, type, record_id, group_ids, within_group_id, object_type, "
	           "data, " EVENT_ACTOR_COLUMNS ") "
	           "select $1, gen_random_uuid(), 'object.deleted', t.id, array[t.group_id], t.group_id, y.name, "
	           "json_build_object('details', json_build_object('name', t.name)), ");
	event_actor_sql(s, &st->actor);
	sql_add(s, " from objects t join object_types y on y.workspace_id = t.workspace_id and y.id = t.type_id where "
	           "t.workspace_id = $1 and t.id = any (");
	sql_uuid_array(s, ids, n);
	sql_add(s, ") order by t.id");
}

static void removal_groups_updated(
    const struct statements *st, const struct link_table *l, const struct uuid *group, const struct owners *some)
{
	char id[ID_SIZE];
	const char *data = arena_printf(st->arena,
	    "{\"changes\":[{\"path\":[\"groups\"],\"type\":\"remove\",\"value\":[{\"id\":\"%s\"}]}]}",
	    id_format(ID_GROUP, group, id));
	struct sql *s = statements_add(st);

	sql_addf(s,
	    "insert into events (workspace_id, id, type, record_id, group_ids, named_group_ids, "
	    "data, " EVENT_ACTOR_COLUMNS
	    ") select $1, gen_random_uuid(), '%s.groups_updated', l.%s, array[l.group_id], array[l.group_id], ",
	    entity_kind_of(l->resource->id_kind)->type, l->owner);
	sql_json(s, data, strlen(data));
	sql_add(s, ", ");
	event_actor_sql(s, &st->actor);
	sql_addf(s, " from %s l where l.workspace_id = $1 and l.group_id = ", l->name);
	sql_uuid(s, group);
	removal_rows_of_owners(s, arena_printf(st->arena, "l.%s", l->owner), some);
	sql_addf(s, " order by l.%s", l->owner);
}

void removal_events_leave(
    const struct statements *st, const struct link_table *l, const struct uuid *group, const struct owners *some)
{
	const struct entity_kind *h = entity_kind_of(l->resource->id_kind);
	struct sql *s;

	if (st->untold)
		return;
	s = removal_event_begin(st, "group_id", group);
	removal_value_changes(s, h, true);
	sql_add(s, " and f.group_id = ");
	sql_again(s, 2);
	removal_rows_of_owners(s, "v.owner_id", some);
	removal_value_changes_end(s);
	removal_event_end(st, s, h, 0, 2);
	removal_groups_updated(st, l, group, some);
}

void removal_events_values(const struct statements *st, const struct removed_values *removed, const struct owners *some)
{
	const struct entity_kind *h = removal_rows_kind(removed->entity);
	struct sql *s;

	if (st->untold)
		return;
	s = removal_event_begin(st, "id", &removed->field);
	removal_value_changes(s, h, true);
	removal_rows_of_values(s, removed, some);
	removal_value_changes_end(s);
	removal_event_end(st, s, h, 0, 0);
}
