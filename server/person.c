/* Writing people: names that follow each other, companies by id or by name. */
#include <string.h>

#include "server/contact.h"
#include "server/entity.h"
#include "server/render.h"
#include "server/steps.h"

struct person_work {
	struct record *old, *new; /* old is an unset record on a create */
	bool create;
	struct value companies;          /* the new list */
	const struct db_exchange *loads; /* the opening exchange */
	int at_given, at_made;           /* results: companies by id, by name; -1: none */
	int at_old;
};

static const struct contact_fields stamps = {PERSON_CREATED_AT, PERSON_CREATED_BY, PERSON_UPDATED_AT};

/* --- companies ------------------------------------------------------------------- */

/* The companies that are given by id, with their names. */
static int load_companies(struct req *r)
{
	const struct input *in = r->input;
	struct uuid *ids = arena_alloc(&r->arena, in->n_companies * sizeof *ids);
	struct sql *s;
	size_t n = 0;
	int at;

	for (size_t i = 0; i < in->n_companies; i++)
		if (!in->companies[i].name)
			ids[n++] = in->companies[i].id;
	if (n == 0)
		return -1;
	s = req_sql(r, "companies_by_id", &at);
	sql_add(s, "select id, name from companies where workspace_id = $1 and id = any (");
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
	return at;
}

static const char *name_of(struct req *r, int at, const struct uuid *id)
{
	size_t len;

	for (int i = 0; i < db_rows(r->x, at); i++) {
		struct uuid found = db_uuid(r->x, at, i, 0);
		if (uuid_equal(&found, id))
			return db_text(r->x, at, i, 1, &len);
	}
	return NULL;
}

/* An issue for each company that does not exist. */
static bool companies_exist(struct req *r, int at)
{

	struct path list = PATH_NAME(NULL, "companies");

	for (size_t i = 0; i < r->input->n_companies; i++) {
		struct company_ref *ref = &r->input->companies[i];
		struct path item = PATH_INDEX(&list, ref->index), id = PATH_NAME(&item, "id");
		if (!ref->name && !name_of(r, at, &ref->id))
			issue_custom(&r->issues, &id, "Company not found");
	}
	return r->issues.count == 0;
}

/* Makes the companies that are given by a name that nobody has, then reads all of
 * those names: a twin that makes the same one is waited for and found. */
static int make_companies(struct req *r)
{
	const struct input *in = r->input;
	struct uuid *ids = arena_alloc(&r->arena, in->n_companies * sizeof *ids);
	const char **names = arena_alloc(&r->arena, in->n_companies * sizeof *names);
	size_t *lens = arena_alloc(&r->arena, in->n_companies * sizeof *lens), n = 0;
	struct sql *s;
	int at;

	for (size_t i = 0; i < in->n_companies; i++) {
		if (!in->companies[i].name)
			continue;
		ids[n] = id_new();
		names[n] = in->companies[i].name;
		lens[n++] = in->companies[i].len;
	}
	s = req_sql(r, NULL, NULL);
	sql_add(s, "insert into companies (workspace_id, id, name, created_at, created_by, updated_at) select $1, "
	           "n.id, n.name, ");
	sql_time(s, req_now_ms(r));
	sql_add(s, ", ");
	sql_uuid(s, &r->viewer.user);
	sql_add(s, ", ");
	sql_time(s, req_now_ms(r));
	sql_add(s, " from unnest(");
	sql_uuid_array(s, ids, n);
	sql_add(s, ", ");
	sql_text_array(s, names, lens, n);
	/* In one order for all, so that two makers of the same names cannot lock each other out. */
	sql_add(s, ") n (id, name) order by text_digest(n.name) "
	           "on conflict (workspace_id, text_digest(name)) where name <> '' do nothing");
	s = req_sql(r, NULL, &at);
	sql_add(s, "select id, name from companies where workspace_id = $1 and name <> '' "
	           "and text_digest(name) = any (array(select text_digest(n) from unnest(");
	sql_text_array(s, names, lens, n);
	sql_add(s, ") n))");
	return at;
}

static void add_company(struct value *list, const struct uuid *id, const char *name)
{
	if (contact_holds(list, id))
		return;
	list->names[list->n_ids] = name;
	list->ids[list->n_ids++] = *id;
}

/* The list in the order given; the same company by id and by name stands once. */
static void take_companies(
    struct req *r, struct person_work *w, int at_ids, int at_made, const struct db_exchange *loads)
{
	const struct db_exchange *x = r->x;
	size_t len;

	w->companies.ids = arena_alloc(&r->arena, r->input->n_companies * sizeof *w->companies.ids);
	w->companies.names = arena_alloc(&r->arena, r->input->n_companies * sizeof *w->companies.names);
	for (size_t i = 0; i < r->input->n_companies; i++) {
		const struct company_ref *ref = &r->input->companies[i];
		const struct db_exchange *from = ref->name ? x : loads;
		int at = ref->name ? at_made : at_ids;
		for (int row = 0; row < db_rows(from, at); row++) {
			struct uuid id = db_uuid(from, at, row, 0);
			const char *name = db_text(from, at, row, 1, &len);
			bool same = ref->name ? len == ref->len && memcmp(name, ref->name, len) == 0
			                      : uuid_equal(&id, &ref->id);
			if (same)
				add_company(&w->companies, &id, name);
		}
	}
}

static bool gives(const struct req *r, int field)
{
	return r->input->given & FIELD_BIT(field);
}

static bool names_companies(const struct req *r)
{
	for (size_t i = 0; i < r->input->n_companies; i++)
		if (r->input->companies[i].name)
			return true;
	return false;
}

/* --- names ------------------------------------------------------------------------- */

static struct value join_names(struct req *r, const struct value *first, const struct value *last)
{
	bool both = first->len && last->len;
	size_t len = first->len + both + last->len;
	char *text = arena_alloc(&r->arena, len + 1);

	memcpy(text, first->text, first->len);
	if (both)
		text[first->len] = ' ';
	memcpy(text + first->len + both, last->text, last->len);
	return (struct value){.text = text, .len = len};
}

/* First word to the first name, the rest to the last. */
static void split_name(struct record *rec)
{
	const struct value *full = &rec->values[PERSON_FULL_NAME];
	const char *text = full->text, *end = full->text + full->len, *space;

	while (text < end && *text == ' ')
		text++;
	space = memchr(text, ' ', (size_t)(end - text));
	rec->values[PERSON_FIRST_NAME] = (struct value){.text = text, .len = (size_t)((space ? space : end) - text)};
	while (space && space < end && *space == ' ')
		space++;
	if (space && space < end)
		rec->values[PERSON_LAST_NAME] = (struct value){.text = space, .len = (size_t)(end - space)};
}

/* A derived full name follows first and last name; a given one stays until set to "". */
static void settle_names(struct req *r, struct person_work *w)
{
	struct value *v = w->new->values;

	if (gives(r, PERSON_FULL_NAME))
		v[PERSON_FULL_NAME_GIVEN].number = v[PERSON_FULL_NAME].len > 0;
	if (!v[PERSON_FULL_NAME_GIVEN].number)
		v[PERSON_FULL_NAME] = join_names(r, &v[PERSON_FIRST_NAME], &v[PERSON_LAST_NAME]);
	else if (w->create && !v[PERSON_FIRST_NAME].len && !v[PERSON_LAST_NAME].len)
		split_name(w->new);
}

/* --- steps -------------------------------------------------------------------------- */

static void open_loads(struct req *r, bool create)
{
	struct person_work *w = arena_alloc(&r->arena, sizeof *w);
	struct sql *s;

	w->create = create;
	r->state = w;
	write_begin(r);
	w->at_given = load_companies(r);
	if (create)
		return;
	s = req_sql(r, "person_lock", &w->at_old);
	record_select(s, &person_resource);
	sql_add(s, " and t.id = ");
	sql_uuid(s, &r->path[0].id);
	sql_add(s, " for update of t");
}

enum step person_create_open(struct req *r)
{
	open_loads(r, true);
	return ask_write(r);
}

enum step person_update_open(struct req *r)
{
	open_loads(r, false);
	return ask_write(r);
}

enum step person_apply(struct req *r)
{
	struct person_work *w = r->state;
	enum step step = PASS;

	if (!w->create && db_rows(r->x, w->at_old) == 0)
		return reply_not_found(r);
	w->old = w->create ? record_new(&person_resource, &r->arena)
	                   : record_load(r->x, w->at_old, 0, &person_resource, &r->arena);
	w->new = record_copy(w->old, &r->arena);
	if (w->create)
		contact_stamp(r, w->new, &stamps);
	contact_take(w->new, r->input);
	settle_names(r, w);
	if (!companies_exist(r, w->at_given))
		return reply_issues(r, "Invalid input");
	if (gives(r, PERSON_GROUPS))
		step = contact_groups(r, &w->old->values[PERSON_GROUPS], &r->input->values[PERSON_GROUPS],
		    &w->new->values[PERSON_GROUPS]);
	if (step != PASS)
		return step;
	w->loads = r->x;
	if (!names_companies(r))
		return PASS;
	w->at_made = make_companies(r);
	return ask_write(r);
}

enum step person_save(struct req *r)
{
	struct person_work *w = r->state;
	struct value *v = w->new->values;
	field_set changed;

	if (gives(r, PERSON_COMPANIES)) {
		take_companies(r, w, w->at_given, w->at_made, w->loads);
		v[PERSON_COMPANIES] = w->companies;
	}
	changed = record_diff(w->old, w->new);
	if (w->create) {
		record_insert(req_sql(r, "person_insert", NULL), w->new);
	} else if (changed) {
		v[PERSON_UPDATED_AT].number = req_now_ms(r);
		record_update(req_sql(r, NULL, NULL), w->new, changed | FIELD_BIT(PERSON_UPDATED_AT));
	}
	contact_links(r, &person_group_links, &v[PERSON_ID].id, &w->old->values[PERSON_GROUPS], &v[PERSON_GROUPS]);
	contact_links(
	    r, &person_company_links, &v[PERSON_ID].id, &w->old->values[PERSON_COMPANIES], &v[PERSON_COMPANIES]);
	render_record(reply_begin(r), w->new, r->ws, &r->viewer);
	return reply_end(r);
}

enum step person_delete(struct req *r)
{
	struct sql *s;

	if (db_rows(r->x, r->at) == 0)
		return reply_not_found(r);
	entity_forget(r, &r->path[0].id, 1);
	s = req_sql(r, "person_delete", NULL); /* what belongs to a person goes by its foreign keys */
	sql_add(s, "delete from people where workspace_id = $1 and id = ");
	sql_uuid(s, &r->path[0].id);
	return reply_id(r, ID_PERSON, &r->path[0].id);
}
