/* Decides what a record becomes when it takes over another one. Its unset values are filled; its lists and custom
 * values get the other record's items. It leaves out what is being removed (groups, fields, options, contacts), because
 * the removal job may have passed this record already. */
#include <string.h>

#include "server/input/limits.h"
#include "server/output/render_custom.h"
#include "server/resource/merge.h"
#include "store/record.h"

/* --- lists of texts ----------------------------------------------------------------------- */

/* How items are compared: the same as in filters (filter/row.c). */
static const struct {
	const char *field, *item, *list;
} folds[] = {
    {"emails", "kith_fold", "kith_fold_items"},
    {"phones", "kith_phone_key", "kith_phone_keys"},
};

void merge_lacking_sql(struct sql *s, const struct merge *m)
{
	const struct resource *res = m->kind->res;
	const char *comma = "select ";

	for (int i = 0; i < res->n_fields; i++) {
		const char *item = "", *list = "", *column = res->fields[i].column;
		if (res->fields[i].type != FIELD_TEXTS)
			continue;
		for (size_t k = 0; k < sizeof folds / sizeof *folds; k++) {
			bool is = strcmp(folds[k].field, res->fields[i].name) == 0;
			item = is ? folds[k].item : item;
			list = is ? folds[k].list : list;
		}
		sql_addf(s,
		    "%sarray(select i.item from unnest(g.%s) with ordinality i(item, n) where %s(i.item) <> all "
		    "(%s(k.%s)) order by i.n)",
		    comma, column, item, list, column);
		comma = ", ";
	}
	sql_addf(s, " from %s k, %s g where k.workspace_id = $1 and g.workspace_id = $1 and k.id = ", res->table,
	    res->table);
	sql_uuid(s, &m->ids[0]);
	sql_add_uuid(s, " and g.id = ", &m->ids[1]);
}

/* True when a list that had "had" items may have n. A list that was already too long may stay as long. */
static bool fill_fits(struct req *r, const struct path *at, size_t n, size_t had, int most)
{
	if (n <= (size_t)most || n <= had)
		return true;
	if (write_told(r, (int64_t)n) < 0) /* some are hidden groups, or values of their fields */
		issue_custom(
		    &r->given.issues, at, "Together the two records have more than %d items, which is the limit", most);
	else
		issue_custom(&r->given.issues, at,
		    "Together the two records have %zu items, and at most %d are allowed", n, most);
	return false;
}

/* nth: the position of the field among the fields that are lists of texts. */
static void fill_texts(struct req *r, struct merge *m, int field, int nth)
{
	struct value *v = &m->kept.targets[0].new->values[field];
	struct path at = PATH_NAME(NULL, m->kind->res->fields[field].name);
	const char **items, **all;
	size_t *lens, *all_lens, had = v->n_items, n;

	n = db_text_array(m->loads, m->at_lacking, 0, nth, &r->arena, &items, &lens);
	if (n == 0 || !fill_fits(r, &at, had + n, had, m->kind->res->fields[field].max))
		return;
	all = arena_alloc(&r->arena, (had + n) * sizeof *all);
	all_lens = arena_alloc(&r->arena, (had + n) * sizeof *all_lens);
	if (had) {
		memcpy(all, v->items, had * sizeof *all);
		memcpy(all_lens, v->lens, had * sizeof *all_lens);
	}
	memcpy(all + had, items, n * sizeof *all);
	memcpy(all_lens + had, lens, n * sizeof *all_lens);
	*v = (struct value){.items = all, .lens = all_lens, .n_items = had + n};
}

/* --- groups and companies ----------------------------------------------------------------- */

static void fill_ids(struct req *r, struct merge *m, int field)
{
	const struct field *f = &m->kind->res->fields[field];
	struct value *v = &m->kept.targets[0].new->values[field];
	const struct value *add = &m->gone.targets[0].old->values[field];
	struct value all = {.ids = arena_alloc(&r->arena, (v->n_ids + add->n_ids) * sizeof *all.ids),
	    .names = arena_alloc(&r->arena, (v->n_ids + add->n_ids) * sizeof *all.names)};
	struct path at = PATH_NAME(NULL, f->name);

	for (size_t i = 0; i < v->n_ids; i++) {
		all.names[i] = v->names ? v->names[i] : NULL;
		all.ids[all.n_ids++] = v->ids[i];
	}
	for (size_t i = 0; i < add->n_ids; i++) {
		const struct uuid *id = &add->ids[i];
		bool removed = f->type == FIELD_GROUPS ? workspace_removed(r->caller.ws, id)
		                                       : workspace_gone_contact(r->caller.ws, id);
		if (removed || uuid_in(all.ids, all.n_ids, id))
			continue;
		all.names[all.n_ids] = add->names ? add->names[i] : NULL;
		all.ids[all.n_ids++] = *id;
	}
	if (all.n_ids > v->n_ids && fill_fits(r, &at, all.n_ids, v->n_ids, f->max))
		*v = all;
}

/* --- custom values --------------------------------------------------------------------------- */

struct filling {
	struct req *r;
	struct merge *m;
	struct custom_changes changes;
};

static struct custom_change *fill_change(struct filling *f, const struct custom_field *field)
{
	struct custom_change *c = &f->changes.items[f->changes.count++];

	*c = (struct custom_change){.field = field};
	return c;
}

/* An item that still exists, in its form after the merge. A reference between the two records is dropped. */
static bool fill_item(const struct filling *f, const struct custom_field *field, const struct json *item, bool added,
    struct custom_ref *out)
{
	const struct custom_option *o;

	if (!custom_ref_id(item, field->type, &out->kind, &out->id))
		return false;
	if (field->type == CUSTOM_CONTACT && uuid_equal(&out->id, &f->m->ids[1]))
		return false;
	if (!added)
		return true;
	if (field->type == CUSTOM_CONTACT)
		return !uuid_equal(&out->id, &f->m->ids[0]) && !workspace_gone_contact(f->r->caller.ws, &out->id);
	o = field->type == CUSTOM_MULTIPLE ? field_option_by_id(field, &out->id) : NULL;
	return !o || !o->gone;
}

static void fill_list_fits(struct filling *f, const struct custom_field *field, size_t n, size_t had)
{
	char id[ID_SIZE];
	struct path root = {.name = "customFieldValues", .len = 17};
	struct path group = PATH_NAME(&root, id_format(ID_GROUP, &field->group, id));
	struct path name = PATH_NAME(&group, field->name);
	bool seen = visible_group(f->r->caller.ws, &field->group, &f->r->caller.viewer);

	fill_fits(f->r, seen ? &name : &root, n, had, CUSTOM_ITEMS_MAX);
}

/* Either old or added may be NULL. */
static void fill_list(
    struct filling *f, const struct custom_field *field, const struct json *old, const struct json *added)
{
	struct custom_change *c = fill_change(f, field);
	size_t most = (old ? old->count : 0) + (added ? added->count : 0);
	struct table seen;

	c->refs = arena_alloc(&f->r->arena, most * sizeof *c->refs);
	table_init(&seen, &f->r->arena, most);
	for (int from = 0; from < 2; from++) {
		const struct json *list = from ? added : old;
		json_each(item, list) {
			struct custom_ref *ref = &c->refs[c->n_refs];
			if (fill_item(f, field, item, from, ref) && table_add(&seen, &ref->id, sizeof ref->id))
				c->n_refs++;
		}
	}
	c->unset = c->n_refs == 0;
	fill_list_fits(f, field, c->n_refs, old ? old->count : 0);
}

static bool fill_option_shown(const struct custom_field *field, const struct json *value, struct uuid *id)
{
	const struct custom_option *o =
	    value && uuid_parse(value->text, value->len, id) ? field_option_by_id(field, id) : NULL;

	return o && !o->gone;
}

static void fill_value(
    struct filling *f, const struct custom_field *field, const struct json *old, const struct json *added)
{
	struct custom_change *c;
	struct uuid option;

	if (field->type > CUSTOM_SINGLE) {
		fill_list(f, field, old, added);
	} else if (field->type == CUSTOM_SINGLE) {
		if (fill_option_shown(field, old, &option) || !fill_option_shown(field, added, &option))
			return;
		c = fill_change(f, field);
		c->refs = arena_alloc(&f->r->arena, sizeof *c->refs);
		c->refs[0].id = option;
		c->n_refs = 1;
	} else if (!old && added) {
		c = fill_change(f, field);
		c->text = added->text;
		c->len = added->len;
	}
}

static const struct custom_field *fill_field(const struct filling *f, const struct json *member)
{
	struct uuid id;

	return uuid_parse(member->key, member->key_len, &id) ? workspace_field(f->r->caller.ws, &id) : NULL;
}

static void fill_changes(struct filling *f, const struct json *old, const struct json *added)
{
	const struct custom_field *field;
	struct table olds, both;
	size_t n_old = old ? old->count : 0, n_added = added ? added->count : 0;

	f->changes.items = arena_alloc(&f->r->arena, (n_old + n_added) * sizeof *f->changes.items);
	table_init(&olds, &f->r->arena, n_old);
	table_init(&both, &f->r->arena, n_added);
	json_each_member(o, old)
		table_row(&olds, o->key, o->key_len)->value = (void *)o;
	json_each_member(a, added) {
		table_add(&both, a->key, a->key_len);
		if ((field = fill_field(f, a)))
			fill_value(f, field, table_find(&olds, a->key, a->key_len), a);
	}
	json_each_member(o, old)
		if (!table_has(&both, o->key, o->key_len) && (field = fill_field(f, o)) &&
		    field->type == CUSTOM_CONTACT)
			fill_value(f, field, o, NULL);
}

static const struct json *fill_read(struct req *r, const struct value *v)
{
	const char *error;

	return v->null ? NULL : json_read(&r->arena, v->text, v->len, &error);
}

/* Groups that the viewer does not see are filled as well. */
static void fill_custom(struct req *r, struct merge *m)
{
	const struct write_kind *k = m->kind;
	struct write_target *t = &m->kept.targets[0];
	const struct value *old = &t->old->values[k->custom], *added = &m->gone.targets[0].old->values[k->custom];
	struct value *new = &t->new->values[k->custom];
	struct viewer all = {.user = r->caller.viewer.user, .admin = true};
	struct custom_scope scope = {.ws = r->caller.ws, .viewer = &all, .entity = k->entity};
	struct filling f = {.r = r, .m = m};
	struct path at = {.name = "customFieldValues", .len = 17};
	char text[LIMIT_TEXT_SIZE];

	fill_changes(&f, fill_read(r, old), fill_read(r, added));
	if (r->given.issues.count)
		return;
	custom_apply(&r->arena, &scope, &t->id, old, &f.changes, &t->new->values[k->groups], new, &m->kept.rows);
	if (!new->null && limit_exceeded(LIMIT_CUSTOM_BYTES, old->null ? 0 : (int64_t)old->len, (int64_t) new->len))
		issue_custom(&r->given.issues, &at, "%s",
		    limit_text(text, LIMIT_CUSTOM_BYTES, write_told(r, (int64_t) new->len)));
}

/* --- what a dry run shows ------------------------------------------------------------------------ */

/* Adds up counters as the database does: by user, in the order of their ids. */
static struct value fill_metadata(struct req *r, const struct value *a, const struct value *b)
{
	size_t most = a->n_users + b->n_users, i = 0, j = 0, n = 0;
	struct value sum = {.users = arena_alloc(&r->arena, most * sizeof *sum.users),
	    .numbers = arena_alloc(&r->arena, 2 * most * sizeof *sum.numbers)};
	int64_t *last = arena_alloc(&r->arena, most * sizeof *last);

	for (; i < a->n_users || j < b->n_users; n++) {
		int order = i == a->n_users ? 1 : j == b->n_users ? -1 : uuid_compare(&a->users[i], &b->users[j]);
		sum.users[n] = order <= 0 ? a->users[i] : b->users[j];
		last[n] = INT64_MIN;
		if (order <= 0) {
			sum.numbers[n] += a->numbers[i];
			last[n] = a->numbers[a->n_users + i++];
		}
		if (order >= 0) {
			sum.numbers[n] += b->numbers[j];
			last[n] = b->numbers[b->n_users + j] > last[n] ? b->numbers[b->n_users + j] : last[n];
			j++;
		}
	}
	memcpy(sum.numbers + n, last, n * sizeof *last);
	sum.n_users = n;
	return sum;
}

void merge_complete(struct req *r, struct merge *m)
{
	struct write_target *t = &m->kept.targets[0];

	for (int i = 0; i < m->kind->res->n_fields; i++)
		if (m->kind->res->fields[i].type == FIELD_METADATA)
			t->new->values[i] = fill_metadata(r, &t->old->values[i], &m->gone.targets[0].old->values[i]);
	if (record_diff(t->old, t->new) || t->beside)
		record_touch(t->new, req_now_ms(r));
}

/* --- all of it ---------------------------------------------------------------------------------- */

bool merge_fill(struct req *r, struct merge *m)
{
	const struct resource *res = m->kind->res;
	struct write_target *t = &m->kept.targets[0];
	const struct record *gone = m->gone.targets[0].old;
	int texts = 0;

	t->new = record_copy(t->old, &r->arena);
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (f->type == FIELD_TEXTS)
			fill_texts(r, m, i, texts++);
		else if (f->type == FIELD_GROUPS || f->type == FIELD_COMPANIES)
			fill_ids(r, m, i);
		else if (f->flags & FIELD_IN_UPDATE && f->type != FIELD_CUSTOM &&
		         value_unset(f->type, &t->old->values[i]))
			t->new->values[i] = gone->values[i];
	}
	/* A full name that was given is taken over as a given one. */
	if (m->kind->entity == ENTITY_PERSON && t->old->values[PERSON_FULL_NAME].len == 0)
		t->new->values[PERSON_FULL_NAME_GIVEN] = gone->values[PERSON_FULL_NAME_GIVEN];
	if (m->kind->settle)
		m->kind->settle(&r->arena, t, false);
	fill_custom(r, m);
	return r->given.issues.count == 0;
}
