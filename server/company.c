/* Writing companies: names that are unique in a workspace. */
#include "server/contact.h"
#include "server/entity.h"
#include "server/render.h"
#include "server/steps.h"

struct company_work {
	struct record *old, *new;
	int at_named, at_old;
};

static const struct contact_fields stamps = {COMPANY_CREATED_AT, COMPANY_CREATED_BY, COMPANY_UPDATED_AT};

static bool gives(const struct req *r, int field)
{
	return r->input->given & FIELD_BIT(field);
}

enum { NONE = -1 };

/* The company that has the given name, locked; NONE when no name is given. */
static int load_named(struct req *r)
{
	const struct value *name = &r->input->values[COMPANY_NAME];
	struct sql *s;
	int at;

	if (name->len == 0)
		return NONE;
	s = req_sql(r, "company_by_name", &at);
	record_select(s, &company_resource);
	sql_add(s, " and t.name <> '' and text_digest(t.name) = text_digest(");
	sql_text(s, name->text, name->len);
	sql_add(s, ") for update of t");
	return at;
}

static enum step show(struct req *r, const struct record *rec)
{
	render_record(reply_begin(r), rec, r->ws, &r->viewer);
	return reply_end(r);
}

static void save(struct req *r, struct company_work *w)
{
	struct value *v = w->new->values;
	field_set changed = record_diff(w->old, w->new);

	if (changed) {
		v[COMPANY_UPDATED_AT].number = req_now_ms(r);
		record_update(req_sql(r, NULL, NULL), w->new, changed | FIELD_BIT(COMPANY_UPDATED_AT));
	}
	contact_links(r, &company_group_links, &v[COMPANY_ID].id, &w->old->values[COMPANY_GROUPS], &v[COMPANY_GROUPS]);
}

enum step company_create_open(struct req *r)
{
	write_begin(r);
	r->at = load_named(r);
	return ask_write(r);
}

/* A name that exists: the company joins the given groups and stays what it is. */
static enum step existing(struct req *r)
{
	struct company_work w;
	enum step step;

	w.old = record_load(r->x, r->at, 0, &company_resource, &r->arena);
	w.new = record_copy(w.old, &r->arena);
	step = contact_join(
	    r, &w.old->values[COMPANY_GROUPS], &r->input->values[COMPANY_GROUPS], &w.new->values[COMPANY_GROUPS]);
	if (step != PASS)
		return step;
	save(r, &w);
	return show(r, w.new);
}

enum step company_create(struct req *r)
{
	struct record *none, *rec;
	enum step step;

	if (r->at != NONE && db_rows(r->x, r->at))
		return existing(r);
	none = record_new(&company_resource, &r->arena);
	rec = record_copy(none, &r->arena);
	contact_stamp(r, rec, &stamps);
	contact_take(rec, r->input);
	step = contact_join(
	    r, &none->values[COMPANY_GROUPS], &r->input->values[COMPANY_GROUPS], &rec->values[COMPANY_GROUPS]);
	if (step != PASS)
		return step;
	record_insert(req_sql(r, "company_insert", NULL), rec);
	contact_links(r, &company_group_links, &rec->values[COMPANY_ID].id, &none->values[COMPANY_GROUPS],
	    &rec->values[COMPANY_GROUPS]);
	return show(r, rec);
}

enum step company_update_open(struct req *r)
{
	struct company_work *w = arena_alloc(&r->arena, sizeof *w);
	struct sql *s;

	r->state = w;
	write_begin(r);
	w->at_named = load_named(r);
	s = req_sql(r, "company_lock", &w->at_old);
	record_select(s, &company_resource);
	sql_add(s, " and t.id = ");
	sql_uuid(s, &r->path[0].id);
	sql_add(s, " for update of t");
	return ask_write(r);
}

/* True when another company has the name that this one shall have. */
static bool name_taken(const struct req *r, const struct company_work *w)
{
	struct uuid other;

	if (w->at_named == NONE || db_rows(r->x, w->at_named) == 0)
		return false;
	other = db_uuid(r->x, w->at_named, 0, 0); /* the id is every resource's first column */
	return !uuid_equal(&other, &r->path[0].id);
}

enum step company_update(struct req *r)
{
	struct path name = {.name = "name", .len = 4};
	struct company_work *w = r->state;
	enum step step = PASS;

	if (db_rows(r->x, w->at_old) == 0)
		return reply_not_found(r);
	if (name_taken(r, w)) {
		issue_custom(&r->issues, &name, "Another company has this name");
		return reply_issues(r, "Invalid input");
	}
	w->old = record_load(r->x, w->at_old, 0, &company_resource, &r->arena);
	w->new = record_copy(w->old, &r->arena);
	contact_take(w->new, r->input);
	if (gives(r, COMPANY_GROUPS))
		step = contact_groups(r, &w->old->values[COMPANY_GROUPS], &r->input->values[COMPANY_GROUPS],
		    &w->new->values[COMPANY_GROUPS]);
	if (step != PASS)
		return step;
	save(r, w);
	return show(r, w->new);
}

enum step company_delete(struct req *r)
{
	const struct uuid *id = &r->path[0].id;
	struct sql *s;

	if (db_rows(r->x, r->at) == 0)
		return reply_not_found(r);
	entity_forget(r, id, 1);
	s = req_sql(r, "company_leave", NULL);
	sql_add(s, "update people set company_ids = array_remove(company_ids, ");
	sql_uuid(s, id);
	sql_add(s, "), updated_at = ");
	sql_time(s, req_now_ms(r));
	sql_add(s, " where workspace_id = $1 and id in (select person_id from person_companies where workspace_id = $1 "
	           "and company_id = ");
	sql_again(s, 2);
	sql_add(s, ")");
	s = req_sql(r, "company_unlink", NULL);
	sql_add(s, "delete from person_companies where workspace_id = $1 and company_id = ");
	sql_uuid(s, id);
	s = req_sql(r, "company_delete", NULL);
	sql_add(s, "delete from companies where workspace_id = $1 and id = ");
	sql_uuid(s, id);
	return reply_id(r, ID_COMPANY, id);
}
