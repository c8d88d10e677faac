/* Writing people and companies: what they share. */
#include "server/contact.h"

#include <string.h>

const struct link_table person_group_links = {"person_groups", "person_id", "group_id"};
const struct link_table person_company_links = {"person_companies", "person_id", "company_id"};
const struct link_table company_group_links = {"company_groups", "company_id", "group_id"};

bool contact_holds(const struct value *list, const struct uuid *id)
{
	for (size_t i = 0; i < list->n_ids; i++)
		if (uuid_equal(&list->ids[i], id))
			return true;
	return false;
}

void contact_take(struct record *rec, const struct input *in)
{
	for (int i = 0; i < in->resource->n_fields; i++) {
		enum field_type type = in->resource->fields[i].type;
		if ((in->given & FIELD_BIT(i)) && type != FIELD_GROUPS && type != FIELD_COMPANIES &&
		    type != FIELD_CUSTOM)
			rec->values[i] = in->values[i];
	}
}

static bool may_change(struct req *r, const struct uuid *group)
{
	return group_role(workspace_group(r->ws, group), &r->viewer) >= ROLE_CONTRIBUTOR;
}

static enum step refused(struct req *r)
{
	return reply_error(r, ERROR_FORBIDDEN, "Your role in one of the groups only allows reading");
}

enum step contact_groups(struct req *r, const struct value *old, const struct value *given, struct value *out)
{
	memset(out, 0, sizeof *out);
	out->ids = arena_alloc(&r->arena, (old->n_ids + given->n_ids) * sizeof *out->ids);
	for (size_t i = 0; i < given->n_ids; i++) {
		if (!contact_holds(old, &given->ids[i]) && !may_change(r, &given->ids[i]))
			return refused(r);
		out->ids[out->n_ids++] = given->ids[i];
	}
	for (size_t i = 0; i < old->n_ids; i++) {
		const struct uuid *id = &old->ids[i];
		if (contact_holds(given, id))
			continue;
		if (!visible_group(r->ws, id, &r->viewer))
			out->ids[out->n_ids++] = *id;
		else if (!may_change(r, id))
			return refused(r);
	}
	return PASS;
}

enum step contact_join(struct req *r, const struct value *old, const struct value *given, struct value *out)
{
	memset(out, 0, sizeof *out);
	out->ids = arena_alloc(&r->arena, (old->n_ids + given->n_ids) * sizeof *out->ids);
	if (old->n_ids)
		memcpy(out->ids, old->ids, old->n_ids * sizeof *out->ids);
	out->n_ids = old->n_ids;
	for (size_t i = 0; i < given->n_ids; i++) {
		if (contact_holds(old, &given->ids[i]))
			continue;
		if (!may_change(r, &given->ids[i]))
			return refused(r);
		out->ids[out->n_ids++] = given->ids[i];
	}
	return PASS;
}

/* The ids of a that are not in b. */
static size_t without(struct arena *arena, const struct value *a, const struct value *b, struct uuid **out)
{
	size_t n = 0;

	*out = arena_alloc(arena, a->n_ids * sizeof **out);
	for (size_t i = 0; i < a->n_ids; i++)
		if (!contact_holds(b, &a->ids[i]))
			(*out)[n++] = a->ids[i];
	return n;
}

void contact_links(struct req *r, const struct link_table *t, const struct uuid *owner, const struct value *old,
    const struct value *new)
{
	struct uuid *gone, *added;
	size_t n_gone = without(&r->arena, old, new, &gone), n_added = without(&r->arena, new, old, &added);
	struct sql *s;

	if (n_gone) {
		s = req_sql(r, NULL, NULL);
		sql_addf(s, "delete from %s where workspace_id = $1 and %s = ", t->table, t->owner);
		sql_uuid(s, owner);
		sql_addf(s, " and %s = any (", t->other);
		sql_uuid_array(s, gone, n_gone);
		sql_add(s, ")");
	}
	if (n_added) {
		s = req_sql(r, NULL, NULL);
		sql_addf(s, "insert into %s (workspace_id, %s, %s) select $1, ", t->table, t->owner, t->other);
		sql_uuid(s, owner);
		sql_add(s, ", unnest(");
		sql_uuid_array(s, added, n_added);
		sql_add(s, ")");
	}
}

void contact_stamp(struct req *r, struct record *rec, const struct contact_fields *f)
{
	rec->values[0] = (struct value){.id = id_new()};
	rec->values[f->created_at] = (struct value){.number = req_now_ms(r)};
	rec->values[f->created_by] = (struct value){.id = r->viewer.user};
	rec->values[f->updated_at] = (struct value){.number = req_now_ms(r)};
}
