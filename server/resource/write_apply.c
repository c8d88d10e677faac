/* The second step of a write, write_apply(): it decides the new state of each record in memory, in the order of the
 * targets. What fails here has changed nothing in the database. Then it asks for what the answer and the changes need
 * beyond that. A delete ends here: its statements are added, and its answer is written. */
#include <string.h>

#include "server/input/limits.h"
#include "server/output/render_custom.h"
#include "server/request/names_load.h"
#include "server/request/object_scope.h"
#include "server/request/slice.h"
#include "server/resource/steps.h"
#include "server/resource/upsert.h"
#include "server/resource/write.h"
#include "store/entity_kind.h"

/* --- results: contacts, and where merged ones are kept ------------------------------- */

void write_loaded(struct arena *a, const struct db_exchange *x, int at, bool by_name, struct table *out)
{
	int rows = db_rows(x, at);
	bool groups = rows && db_columns(x, at) == 3;
	struct loaded *all = arena_alloc(a, (size_t)rows * sizeof *all);
	const void *key;

	table_init(out, a, (size_t)rows);
	for (int i = 0; i < rows; i++) {
		struct loaded *l = &all[i];
		l->id = db_uuid(x, at, i, 0);
		l->name = db_text(x, at, i, 1, &l->len);
		l->outside = groups && !db_bool(x, at, i, 2);
		key = by_name ? (const void *)l->name : &l->id;
		table_row(out, key, by_name ? l->len : sizeof l->id)->value = l;
	}
}

/* A kept record, under the id of a record that was merged into it. */
struct stayed {
	struct uuid asked;
	enum id_kind kind;
	struct loaded is;
};

static void refs_follow(struct contact_refs *refs, enum id_kind kind, const struct table *all, struct table *loaded)
{
	for (size_t i = 0; i < refs->count; i++) {
		struct contact_ref *ref = &refs->items[i];
		struct stayed *now = ref->name ? NULL : table_find(all, &ref->id, sizeof ref->id);
		if (!now || now->kind != kind)
			continue;
		ref->id = now->is.id;
		table_row(loaded, &now->is.id, sizeof now->is.id)->value = &now->is;
	}
}

/* Each item once. */
static void change_follow(struct arena *a, struct write *w, struct custom_change *c, const struct table *all)
{
	struct table seen;
	size_t n = 0;

	if (c->field->type != CUSTOM_CONTACT)
		return;
	table_init(&seen, a, c->n_refs);
	for (size_t i = 0; i < c->n_refs; i++) {
		struct custom_ref *ref = &c->refs[i];
		struct stayed *now = ref->unknown ? NULL : table_find(all, &ref->id, sizeof ref->id);
		if (now && now->kind == ref->kind) {
			ref->id = now->is.id;
			names_want(a, &w->refs, ref->kind, &ref->id);
			((struct named *)table_find(&w->refs.table, &ref->id, sizeof ref->id))->name = now->is.name;
		}
		if (ref->unknown || table_add(&seen, &ref->id, sizeof ref->id))
			c->refs[n++] = *ref;
	}
	c->n_refs = n;
}

/* Replaces references to merged contacts with the kept records. */
static void write_take_merged(struct arena *a, struct write *w)
{
	int rows = db_rows(w->loads, w->at_merged);
	struct stayed *all = arena_alloc(a, (size_t)rows * sizeof *all);
	struct table by_asked;

	if (rows == 0)
		return;
	table_init(&by_asked, a, (size_t)rows);
	for (int i = 0; i < rows; i++) {
		struct stayed *s = &all[i];
		const char *kind = db_text(w->loads, w->at_merged, i, 3, NULL);
		s->asked = db_uuid(w->loads, w->at_merged, i, 0);
		s->is.id = db_uuid(w->loads, w->at_merged, i, 1);
		s->is.name = db_text(w->loads, w->at_merged, i, 2, &s->is.len);
		s->kind = entity_kind_named(kind, strlen(kind))->id_kind;
		s->is.outside = !db_bool(w->loads, w->at_merged, i, 4); /* the group of the objects that refer to it */
		table_row(&by_asked, &s->asked, sizeof s->asked)->value = s;
	}
	for (size_t i = 0; i < w->n_targets; i++) {
		struct write_target *t = &w->targets[i];
		if (!t->input)
			continue;
		refs_follow(&t->input->companies, ID_COMPANY, &by_asked, &w->companies);
		refs_follow(&t->input->people, ID_PERSON, &by_asked, &w->people);
		for (size_t c = 0; c < t->changes.count; c++)
			change_follow(a, w, &t->changes.items[c], &by_asked);
	}
}

/* --- the state to begin with --------------------------------------------------------- */

struct uuid target_new_id(const struct write_target *t, const struct write_kind *k)
{
	return target_gives(t, k->created_at) ? id_at(t->input->values[k->created_at].number) : id_new();
}

static void begin_new(struct req *r, struct write *w, struct write_target *t)
{
	const struct write_kind *k = w->kind;
	struct value *v;

	t->old = record_new(k->res, &r->arena);
	t->new = record_copy(t->old, &r->arena);
	t->id = target_new_id(t, k);
	v = t->new->values;
	v[0] = (struct value){.id = t->id};
	v[k->created_at] = (struct value){.number = req_now_ms(r)};
	v[k->created_by] = (struct value){.id = r->caller.viewer.user};
	record_touch(t->new, req_now_ms(r));
	if (k->entity == ENTITY_OBJECT) {
		v[OBJECT_GROUP] = (struct value){.id = w->scope.group->id};
		v[OBJECT_TYPE] = (struct value){.id = w->scope.type->id};
	}
}

/* A record of a batch may be locked and not loaded. */
static void begin_old(struct req *r, struct write *w, struct write_target *t)
{
	bool locked = db_row_of(w->loads, w->at_locked, &t->id) >= 0;

	t->old = target_old(&r->arena, w, &t->id);
	if (!t->old && locked)
		target_fail(t, ERROR_UNPROCESSABLE, target_too_much);
	else if (!t->old)
		target_fail(t, ERROR_NOT_FOUND, NULL);
	else if (!request_matches(&r->given, t->old))
		target_fail(t, ERROR_PRECONDITION_FAILED, NULL);
	else if (w->op == WRITE_DELETE && contact_in_use(r, w, &t->id))
		target_fail(t, ERROR_PRECONDITION_FAILED, "The record is in use");
	else
		t->new = record_copy(t->old, &r->arena);
}

/* --- groups -------------------------------------------------------------------------- */

static void decide_groups(struct req *r, struct write *w, struct write_target *t)
{
	int field = w->kind->groups;
	const struct value *given, *old, *new;
	struct path list = {.name = "groups", .len = 6};

	if (!target_gives(t, field))
		return;
	given = &t->input->values[field];
	old = &t->old->values[field];
	for (size_t i = 0; i < given->n_ids; i++)
		if (!visible_group(r->caller.ws, &given->ids[i], &r->caller.viewer))
			target_issue(&r->arena, t, &list, "Group not found");
	if (t->failed)
		return;
	if (!(w->upsert ? contact_join : contact_groups)(&r->caller, &r->arena, old, given, &t->new->values[field])) {
		target_fail(t, ERROR_FORBIDDEN, target_only_reading);
		return;
	}
	if (w->upsert)
		upsert_check_groups(r, w, t);
	t->left_groups.ids = arena_alloc(&r->arena, old->n_ids * sizeof *t->left_groups.ids);
	new = &t->new->values[field];
	for (size_t i = 0; i < old->n_ids; i++)
		if (!uuid_in(new->ids, new->n_ids, &old->ids[i]))
			t->left_groups.ids[t->left_groups.n_ids++] = old->ids[i];
}

/* --- the record's contacts ----------------------------------------------------------- */

/* A person's companies must exist. */
static void check_companies(struct arena *a, const struct write *w, struct write_target *t)
{
	struct path list = {.name = "companies", .len = 9};

	for (size_t i = 0; i < t->input->companies.count; i++) {
		const struct contact_ref *ref = &t->input->companies.items[i];
		struct path item = PATH_INDEX(&list, ref->index), id = PATH_NAME(&item, "id");
		if (!ref->name && !table_has(&w->companies, &ref->id, sizeof ref->id))
			target_issue(a, t, &id, "Company not found");
	}
}

/* The name of a contact that has left the object's group but is still shown in the object; NULL: none. */
static const char *held_name(const struct workspace *ws, const struct value *list, const struct uuid *id)
{
	for (size_t i = 0; i < list->n_ids; i++)
		if (uuid_equal(&list->ids[i], id) && !workspace_gone_contact(ws, id))
			return list->names[i];
	return NULL;
}

static void warn_contact(
    struct arena *a, struct write_target *t, const struct path *at, bool person, bool outside, const char *asked)
{
	const char *what = person ? "Person" : "Company";

	target_warn(a, t, outside ? WARNING_OUTSIDE_GROUP : WARNING_NOT_FOUND, at,
	    arena_printf(a, outside ? "%s is not in the object's group, left out" : "%s not found, left out", what),
	    asked);
}

/* Sets an object's contacts. Unknown contacts, and contacts outside the object's group, are ignored. */
static void target_take_contacts(struct req *r, const struct write *w, struct write_target *t, int field, bool people)
{
	const struct table *loaded = people ? &w->people : &w->companies;
	const struct contact_refs *refs = people ? &t->input->people : &t->input->companies;
	struct path list = PATH_NAME(NULL, people ? "people" : "companies");
	struct value *v = &t->new->values[field];

	*v = contact_list(&r->arena, w->upsert ? &t->old->values[field] : NULL, refs->count);
	for (size_t i = 0; i < refs->count; i++) {
		const struct contact_ref *ref = &refs->items[i];
		struct path item = PATH_INDEX(&list, ref->index), id = PATH_NAME(&item, "id");
		const struct loaded *found = table_find(loaded, &ref->id, sizeof ref->id);
		const char *name = found && !found->outside ? found->name : NULL;
		if (!name)
			name = held_name(r->caller.ws, &t->old->values[field], &ref->id);
		if (name)
			contact_list_add(v, &ref->id, name);
		else
			warn_contact(&r->arena, t, &id, people, found != NULL, ref->asked);
	}
	if (w->upsert)
		upsert_check_count(&r->arena, w, t, field, t->old->values[field].n_ids, v->n_ids);
}

static void decide_contacts(struct req *r, struct write *w, struct write_target *t)
{
	const struct write_kind *k = w->kind;

	if (k->entity == ENTITY_PERSON && target_gives(t, k->companies)) {
		check_companies(&r->arena, w, t);
		if (w->upsert)
			upsert_check_companies(&r->arena, w, t);
	}
	if (k->entity != ENTITY_OBJECT)
		return;
	if (target_gives(t, k->companies))
		target_take_contacts(r, w, t, k->companies, false);
	if (target_gives(t, k->people))
		target_take_contacts(r, w, t, k->people, true);
}

/* --- custom values ------------------------------------------------------------------- */

static bool reference_known(const struct write *w, const struct custom_field *f, const struct custom_ref *ref)
{
	const struct named *n;

	if (f->type != CUSTOM_CONTACT && f->type != CUSTOM_OBJECT)
		return true;
	n = names_find(&w->refs, &ref->id);
	return n && n->name && (f->type == CUSTOM_CONTACT || uuid_equal(&n->group, &f->group));
}

static void check_refs(struct arena *a, struct write *w, struct write_target *t, struct custom_change *c)
{
	char id[ID_SIZE];
	struct path root = {.name = "customFieldValues", .len = 17};
	struct path group = PATH_NAME(&root, id_format(ID_GROUP, &c->field->group, id));
	struct path name = PATH_NAME(w->kind->entity == ENTITY_OBJECT ? &root : &group, c->field->name);

	for (size_t i = 0; i < c->n_refs; i++) {
		struct custom_ref *ref = &c->refs[i];
		struct path item = PATH_INDEX(&name, ref->index);
		if (!ref->unknown && !reference_known(w, c->field, ref))
			ref->unknown = true;
		if (ref->unknown)
			target_warn(a, t, WARNING_VALUE_NOT_SET, &item, "Not found, left out", ref->asked);
	}
}

/* Values need a group that the record is in. groups NULL: an object. */
static void target_check_group(
    struct arena *a, struct write_target *t, const struct value *groups, const struct custom_field *f)
{
	char id[ID_SIZE];
	struct path root = {.name = "customFieldValues", .len = 17};
	struct path group = PATH_NAME(&root, id_format(ID_GROUP, &f->group, id));

	if (!groups || uuid_in(groups->ids, groups->n_ids, &f->group))
		return;
	target_issue(a, t, &group, "The record is not in this group");
	if (t->issues)
		issue_hint(t->issues, "add the group to `groups`");
}

/* Changes are ordered by group. */
static bool same_group_before(const struct custom_changes *changes, size_t index)
{
	return index && uuid_equal(&changes->items[index - 1].field->group, &changes->items[index].field->group);
}

/* All other fields together take less than half of a record's limit. */
static void check_size(struct req *r, struct write_target *t, const struct value *old, const struct value *new)
{
	int64_t was = old->null ? 0 : (int64_t)old->len, becomes = new->null ? 0 : (int64_t) new->len;
	struct path at = {.name = "customFieldValues", .len = 17};
	char text[LIMIT_TEXT_SIZE];

	if (limit_exceeded(LIMIT_CUSTOM_BYTES, was, becomes))
		target_issue(&r->arena, t, &at, limit_text(text, LIMIT_CUSTOM_BYTES, write_told(r, becomes)));
}

static void check_items(struct arena *a, struct write_target *t)
{
	struct path at = PATH_NAME(NULL, "customFieldValues");

	if (t->changes.full)
		target_issue(a, t, &at,
		    arena_printf(a, "%s: at most %d items; with those given it would have %zu", t->changes.full->name,
		        CUSTOM_ITEMS_MAX, t->changes.full_items));
}

static void decide_custom(struct req *r, struct write *w, struct write_target *t)
{
	const struct write_kind *k = w->kind;
	const struct value *groups = k->groups >= 0 ? &t->new->values[k->groups] : NULL;

	for (size_t i = 0; i < t->changes.count; i++) {
		if (!same_group_before(&t->changes, i))
			target_check_group(&r->arena, t, groups, t->changes.items[i].field);
		check_refs(&r->arena, w, t, &t->changes.items[i]);
	}
	if (t->failed)
		return;
	if (!custom_apply(&r->arena, &w->scope, &t->id, &t->old->values[k->custom], &t->changes, groups,
	        &t->new->values[k->custom], &w->rows)) {
		target_fail(t, ERROR_FORBIDDEN, target_only_reading);
		return;
	}
	check_items(&r->arena, t);
	check_size(r, t, &t->old->values[k->custom], &t->new->values[k->custom]);
}

/* --- the record ---------------------------------------------------------------------- */

static void decide_record(struct req *r, struct write *w, struct write_target *t)
{
	struct value_rows before = w->rows;

	if (t->failed)
		return;
	if (write_forbidden(r, w)) {
		target_fail(t, ERROR_FORBIDDEN, "Your role only allows reading the objects of this group");
		return;
	}
	if (t->op == WRITE_CREATE)
		begin_new(r, w, t);
	else
		begin_old(r, w, t);
	if (t->input && t->input->refused)
		target_fail(t, ERROR_UNPROCESSABLE, t->input->refused);
	if (w->op == WRITE_DELETE || t->failed)
		return;
	if (w->upsert)
		upsert_extend(&r->arena, w, t);
	contact_take(t->new, t->input);
	if (w->kind->settle)
		w->kind->settle(&r->arena, t, t->op == WRITE_CREATE);
	decide_groups(r, w, t);
	decide_contacts(r, w, t);
	if (!t->failed)
		decide_custom(r, w, t);
	if (!t->failed && w->kind->entity == ENTITY_COMPANY)
		company_check_name(r, w, t);
	if (t->failed || t->existing)
		w->rows = before;
}

/* Returns false when it must be continued in another turn. */
static bool decide_all(struct req *r, struct write *w)
{
	while (w->decided < w->n_targets) {
		decide_record(r, w, &w->targets[w->decided++]);
		if (w->decided < w->n_targets && slice_over(r))
			return false;
	}
	return true;
}

/* --- the step ------------------------------------------------------------------------ */

static enum step delete_targets(struct req *r, struct write *w)
{
	struct uuid *ids = arena_alloc(&r->arena, w->n_targets * sizeof *ids);
	size_t n = 0;

	for (size_t i = 0; i < w->n_targets; i++) {
		if (w->targets[i].failed)
			continue;
		ids[n++] = w->targets[i].id;
		if (w->kind->entity != ENTITY_OBJECT)
			write_event(r, w, &w->targets[i]);
	}
	if (n)
		w->kind->remove(r, ids, n);
	return write_reply(r, w);
}

/* Queries what answers and changes need beyond the opening exchange. */
static enum step ask_more(struct req *r, struct write *w)
{
	bool more;

	while (w->wanted < w->n_targets) {
		const struct write_target *t = &w->targets[w->wanted++];
		if (!t->failed && t->new)
			custom_want(&r->arena, r->caller.ws, &t->new->values[w->kind->custom], &w->names);
		if (w->wanted < w->n_targets && slice_over(r))
			return AGAIN;
	}
	more = write_create_companies(r, w);
	if (w->names.count)
		names_ask(r, &w->names, &w->at_names);
	return more || w->names.count ? transaction_ask(r) : PASS;
}

enum step write_apply(struct req *r)
{
	struct write *w = r->state.write;

	if (w->replied)
		return write_reply(r, w);
	if (!w->loads) {
		w->loads = r->db.last;
		if (w->kind->entity == ENTITY_OBJECT && !object_scope(r, &w->scope, &w->role))
			return DONE;
		if (w->upsert && !upsert_confirmed(r, w))
			return transaction_again(r);
		write_loaded(&r->arena, r->db.last, w->at_companies, false, &w->companies);
		write_loaded(&r->arena, r->db.last, w->at_people, false, &w->people);
	}
	if (w->at_refs >= 0 && !names_take(r, &w->refs, w->loads, w->at_refs))
		return AGAIN;
	if (w->decided == 0)
		write_take_merged(&r->arena, w);
	if (w->wanted == 0 && !decide_all(r, w))
		return AGAIN;
	if (!w->batch && w->targets[0].failed)
		return write_reply(r, w);
	if (w->op == WRITE_DELETE)
		return delete_targets(r, w);
	return ask_more(r, w);
}
