/* Shared by writes of people, companies and objects. */
#include "server/resource/contact.h"

#include <string.h>

void contact_take(struct record *rec, const struct input *in)
{
	for (int i = 0; i < in->resource->n_fields; i++) {
		enum field_type type = in->resource->fields[i].type;
		bool apart =
		    type == FIELD_GROUPS || type == FIELD_COMPANIES || type == FIELD_PEOPLE || type == FIELD_CUSTOM;
		if ((in->given & FIELD_BIT(i)) && !apart)
			rec->values[i] = in->values[i];
	}
}

/* --- groups ---------------------------------------------------------------------- */

static bool contact_may_change(const struct req_caller *caller, const struct uuid *group)
{
	return group_role(workspace_group(caller->ws, group), &caller->viewer) >= ROLE_CONTRIBUTOR;
}

/* True when the given groups are exactly those that the viewer sees of old. Then hidden groups keep their places as
 * well. */
static bool as_seen(const struct req_caller *caller, const struct value *old, const struct value *given)
{
	size_t seen = 0;

	for (size_t i = 0; i < old->n_ids; i++) {
		if (!visible_group(caller->ws, &old->ids[i], &caller->viewer))
			continue;
		if (seen == given->n_ids || !uuid_equal(&given->ids[seen++], &old->ids[i]))
			return false;
	}
	return seen == given->n_ids;
}

bool contact_groups(const struct req_caller *caller, struct arena *a, const struct value *old,
    const struct value *given, struct value *out)
{
	memset(out, 0, sizeof *out);
	if (as_seen(caller, old, given)) {
		*out = *old;
		return true;
	}
	out->ids = arena_alloc(a, (old->n_ids + given->n_ids) * sizeof *out->ids);
	for (size_t i = 0; i < given->n_ids; i++) {
		if (!uuid_in(old->ids, old->n_ids, &given->ids[i]) && !contact_may_change(caller, &given->ids[i]))
			return false;
		out->ids[out->n_ids++] = given->ids[i];
	}
	for (size_t i = 0; i < old->n_ids; i++) {
		const struct uuid *id = &old->ids[i];
		if (uuid_in(given->ids, given->n_ids, id))
			continue;
		if (!visible_group(caller->ws, id, &caller->viewer))
			out->ids[out->n_ids++] = *id;
		else if (!contact_may_change(caller, id))
			return false;
	}
	return true;
}

bool contact_join(const struct req_caller *caller, struct arena *a, const struct value *old, const struct value *given,
    struct value *out)
{
	struct value joined = {.ids = arena_alloc(a, (old->n_ids + given->n_ids) * sizeof *out->ids)};

	if (old->n_ids)
		memcpy(joined.ids, old->ids, old->n_ids * sizeof *joined.ids);
	joined.n_ids = old->n_ids;
	for (size_t i = 0; i < given->n_ids; i++) {
		if (uuid_in(joined.ids, joined.n_ids, &given->ids[i]))
			continue;
		if (!contact_may_change(caller, &given->ids[i]))
			return false;
		joined.ids[joined.n_ids++] = given->ids[i];
	}
	*out = joined;
	return true;
}

/* --- lists of contacts ------------------------------------------------------------- */

struct value contact_list(struct arena *a, const struct value *from, size_t more)
{
	struct value list = {.n_ids = from ? from->n_ids : 0};

	list.ids = arena_alloc(a, (list.n_ids + more) * sizeof *list.ids);
	list.names = arena_alloc(a, (list.n_ids + more) * sizeof *list.names);
	for (size_t i = 0; i < list.n_ids; i++) {
		list.ids[i] = from->ids[i];
		list.names[i] = from->names[i];
	}
	return list;
}

void contact_list_add(struct value *list, const struct uuid *id, const char *name)
{
	if (uuid_in(list->ids, list->n_ids, id))
		return;
	list->names[list->n_ids] = name;
	list->ids[list->n_ids++] = *id;
}

/* --- links ------------------------------------------------------------------------- */

/* Appends "unnest(…) g (owner, other)" */
static void contact_put_links(struct sql *s, const struct links *l)
{
	sql_add_uuid_array(s, "unnest(", l->owners, l->count);
	sql_add_uuid_array(s, ", ", l->others, l->count);
	sql_add(s, ") g (owner, other)");
}

void contact_save_links(
    struct req *r, const struct link_table *t, const struct links *deleted, const struct links *added)
{
	struct sql *s;

	if (deleted->count) {
		s = req_sql(r, arena_printf(&r->arena, "%s_gone", t->name), NULL);
		sql_addf(s, "delete from %s l using ", t->name);
		contact_put_links(s, deleted);
		sql_addf(s, " where l.workspace_id = $1 and l.%s = g.owner and l.%s = g.other", t->owner, t->item);
	}
	if (added->count) {
		s = req_sql(r, arena_printf(&r->arena, "%s_added", t->name), NULL);
		sql_addf(s, "insert into %s (workspace_id, %s, %s) select $1, owner, other from ", t->name, t->owner,
		    t->item);
		contact_put_links(s, added);
	}
}
