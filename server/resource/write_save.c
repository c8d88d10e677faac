/* The third step of a write, write_save(): it adds the statements that save the records, their values and links, with
 * the events, and the answer. They are sent with COMMIT; more than half a megabyte is sent in several exchanges. */
#include "server/event/diff.h"
#include "server/request/names_load.h"
#include "server/request/outbox.h"
#include "server/request/slice.h"
#include "server/resource/steps.h"
#include "server/resource/write.h"

enum { SAVE_BYTES = 512 << 10 }; /* bytes of parameters in an exchange; the rest waits for the next exchange */

/* --- companies that a person's body names -------------------------------------------- */

static void company_propose(struct arena *a, struct write *w, const struct contact_ref *ref)
{
	struct table_row *row = table_row(&w->proposed, ref->name, ref->len);
	struct loaded *l;

	if (row->value)
		return;
	row->value = l = arena_alloc(a, sizeof *l);
	*l = (struct loaded){.id = id_new(), .name = ref->name, .len = ref->len};
}

static void company_propose_all(struct arena *a, struct write *w)
{
	table_init(&w->proposed, a, 0);
	for (size_t i = 0; i < w->n_targets; i++) {
		const struct contact_refs *refs = &w->targets[i].input->companies;
		for (size_t j = 0; !w->targets[i].failed && j < refs->count; j++)
			if (refs->items[j].name)
				company_propose(a, w, &refs->items[j]);
	}
}

bool write_create_companies(struct req *r, struct write *w)
{
	struct uuid *ids;
	const char **names;
	size_t *lens, n;
	struct sql *s;

	company_propose_all(&r->arena, w);
	n = w->proposed.count;
	if (n == 0)
		return false;
	ids = arena_alloc(&r->arena, n * sizeof *ids);
	names = arena_alloc(&r->arena, n * sizeof *names);
	lens = arena_alloc(&r->arena, n * sizeof *lens);
	for (size_t i = 0; i < n; i++) {
		const struct loaded *l = w->proposed.rows[i].value;
		ids[i] = l->id;
		names[i] = l->name;
		lens[i] = l->len;
	}
	s = req_sql(r, NULL, NULL);
	sql_add(s, "insert into companies (workspace_id, id, name, created_at, created_by, updated_at) "
	           "select $1, n.id, n.name, ");
	sql_time(s, req_now_ms(r));
	sql_add_uuid(s, ", ", &r->caller.viewer.user);
	sql_add_time(s, ", ", req_now_ms(r));
	sql_add_uuid_array(s, " from unnest(", ids, n);
	sql_add(s, ", ");
	sql_text_array(s, names, lens, n);
	/* Creates in a fixed order, so that concurrent creations of the same names cannot deadlock. */
	sql_add(s, ") n (id, name) order by text_digest(n.name) "
	           "on conflict (workspace_id, name_digest) where name <> '' do nothing");
	/* This is a separate statement, so that it sees what a concurrent transaction created during the wait. */
	s = req_sql(r, NULL, &w->at_proposed);
	sql_add(s, "select t.id, t.name from companies t where t.workspace_id = $1");
	company_named_sql(s, names, lens, n);
	return true;
}

/* The list in the order given; in an upsert, after the companies that the person already has. A company given by id and
 * by name appears once. */
static void write_set_companies(struct arena *a, struct write *w, struct write_target *t, struct value *out)
{
	const struct contact_refs *refs = &t->input->companies;

	*out = contact_list(a, w->upsert ? out : NULL, refs->count);
	for (size_t i = 0; i < refs->count; i++) {
		const struct contact_ref *ref = &refs->items[i];
		const struct loaded *l = ref->name ? table_find(&w->named, ref->name, ref->len)
		                                   : table_find(&w->companies, &ref->id, sizeof ref->id);
		if (l)
			contact_list_add(out, &l->id, l->name);
	}
}

/* Makes events only for companies that did not exist before. */
static void write_event_companies(struct outbox *o, const struct write *w)
{
	for (size_t i = 0; i < w->proposed.count; i++) {
		const struct loaded *l = w->proposed.rows[i].value, *is = table_find(&w->named, l->name, l->len);
		if (is && uuid_equal(&is->id, &l->id))
			outbox_add(o, EVENT_COMPANY_CREATED, &l->id);
	}
}

/* --- events -------------------------------------------------------------------------- */

/* The event types of a kind of record. EVENT_TYPES: none. */
static const struct {
	enum event_type created, updated, deleted, groups_updated;
} types[] = {
    [ENTITY_PERSON] = {EVENT_PERSON_CREATED, EVENT_PERSON_UPDATED, EVENT_PERSON_DELETED, EVENT_PERSON_GROUPS_UPDATED},
    [ENTITY_COMPANY] = {EVENT_COMPANY_CREATED, EVENT_COMPANY_UPDATED, EVENT_COMPANY_DELETED,
        EVENT_COMPANY_GROUPS_UPDATED},
    [ENTITY_OBJECT] = {EVENT_OBJECT_CREATED, EVENT_OBJECT_UPDATED, EVENT_TYPES, EVENT_TYPES},
};

/* Leaves out groups that are being removed. */
static void take_groups(struct req *r, struct event_out *e, const struct value *groups)
{
	struct uuid *ids = groups->ids;

	e->groups = groups->ids;
	e->n_groups = groups->n_ids;
	if (r->caller.ws->n_removed_groups == 0)
		return;
	e->n_groups = 0;
	e->groups = ids = arena_alloc(&r->arena, groups->n_ids * sizeof *ids);
	for (size_t i = 0; i < groups->n_ids; i++)
		if (!workspace_removed(r->caller.ws, &groups->ids[i]))
			ids[e->n_groups++] = groups->ids[i];
}

/* Makes an event of the record in that state, with its groups, or its group and type. */
static struct event_out *write_add_event(struct req *r, const struct write *w, enum event_type type,
    const struct write_target *t, const struct record *state)
{
	struct event_out *e = outbox_add(&r->tx.events, type, &t->id);

	if (w->kind->groups >= 0) {
		take_groups(r, e, &state->values[w->kind->groups]);
	} else {
		e->groups = &w->scope.group->id;
		e->n_groups = 1;
		e->is_within = true;
		e->within = w->scope.group->id;
		e->object_type = w->scope.type->name;
	}
	return e;
}

static void write_event_changes(struct outbox *o, struct event_out *e, struct changes *c)
{
	changes_end(c);
	json_end_object(&c->out);
	outbox_data(o, e, &c->buf);
	e->named = c->named;
	e->n_named = c->n_named;
}

/* A derived full name is not listed. */
static void full_name(struct changes *c, const struct record *old, const struct record *new)
{
	static const struct value none = {.text = ""};
	const struct value *before = old->values, *after = new->values;

	changes_field(c, &person_resource.fields[PERSON_FULL_NAME],
	    before[PERSON_FULL_NAME_GIVEN].number ? &before[PERSON_FULL_NAME] : &none,
	    after[PERSON_FULL_NAME_GIVEN].number ? &after[PERSON_FULL_NAME] : &none);
}

/* What is saved beside the record; NULL: nothing. A create that finds a company of the name saves nothing beside it. */
static struct carrier_beside *write_beside(const struct req *r, const struct write_target *t)
{
	return r->carrier && !t->existing ? r->carrier->beside : NULL;
}

/* The change that it is beside the fields; NULL: none. */
static const char *const *write_beside_path(const struct req *r, const struct write_target *t)
{
	const struct carrier_beside *beside = write_beside(r, t);

	if (t->beside)
		return &t->beside;
	return beside && beside->path ? &beside->path : NULL;
}

static void event_updated(struct req *r, const struct write *w, const struct write_target *t)
{
	const struct write_kind *k = w->kind;
	field_set without = k->groups >= 0 ? FIELD_BIT(k->groups) : 0;
	struct changes c;

	changes_init(&c, &r->tx.events.arena);
	if (k->entity == ENTITY_PERSON) {
		without |= FIELD_BIT(PERSON_FULL_NAME);
		full_name(&c, t->old, t->new);
	}
	changes_record(&c, t->old, t->new, without);
	changes_custom(&c, r->caller.ws, &t->old->values[k->custom], &t->new->values[k->custom], k->groups >= 0);
	if (write_beside_path(r, t))
		json_end_object(change_begin(&c, write_beside_path(r, t), 1, "set"));
	if (c.count)
		write_event_changes(&r->tx.events, write_add_event(r, w, types[k->entity].updated, t, t->new), &c);
	changes_free(&c);
}

/* The groups of the event are those joined or left, which are exactly the groups that its changes name. */
static void groups_updated(struct outbox *o, const struct write *w, const struct write_target *t)
{
	const struct write_kind *k = w->kind;
	const struct field *f = &k->res->fields[k->groups];
	struct event_out *e;
	struct changes c;

	changes_init(&c, &o->arena);
	changes_field(&c, f, &t->old->values[k->groups], &t->new->values[k->groups]);
	if (c.count) {
		e = outbox_add(o, types[k->entity].groups_updated, &t->id);
		write_event_changes(o, e, &c);
		e->groups = e->named;
		e->n_groups = e->n_named;
	}
	changes_free(&c);
}

/* For a person or company. removal_objects() makes the events of objects. */
static void event_deleted(struct req *r, const struct write *w, const struct write_target *t)
{
	struct event_out *e = write_add_event(r, w, types[w->kind->entity].deleted, t, t->old);
	const struct value *name = &t->old->values[w->kind->name];
	const struct value *emails = &t->old->values[w->kind->emails];
	struct changes c;
	struct json_out *o = &c.out;

	changes_init(&c, &r->tx.events.arena);
	json_key(o, "details");
	json_begin_object(o);
	json_key(o, "name");
	json_string_len(o, name->text, name->len);
	json_key(o, "emails");
	json_begin_array(o);
	for (size_t i = 0; i < emails->n_items; i++)
		json_string_len(o, emails->items[i], emails->lens[i]);
	json_end_array(o);
	if (t->merged_into)
		json_add_id(o, "mergedInto", w->kind->res->id_kind, t->merged_into);
	json_end_object(o);
	json_end_object(o);
	outbox_data(&r->tx.events, e, &c.buf);
	changes_free(&c);
}

void write_event(struct req *r, const struct write *w, const struct write_target *t)
{
	if (t->failed || t->duplicate_of)
		return;
	if (w->op == WRITE_DELETE) {
		event_deleted(r, w, t);
	} else if (t->op == WRITE_CREATE && !t->existing) {
		write_add_event(r, w, types[w->kind->entity].created, t, t->new);
	} else {
		event_updated(r, w, t);
		if (w->kind->groups >= 0)
			groups_updated(&r->tx.events, w, t);
	}
}

/* --- records ------------------------------------------------------------------------- */

static void save_record(struct req *r, struct write *w, struct write_target *t)
{
	const struct write_kind *k = w->kind;
	field_set changed = record_diff(t->old, t->new);
	const char *name;
	struct sql *s;

	if (t->op == WRITE_CREATE && !t->existing) {
		s = req_sql(r, arena_printf(&r->arena, "%s_insert", k->res->table), NULL);
		record_insert(s, t->new);
	} else if (changed || write_beside_path(r, t)) {
		changed |= record_touch(t->new, req_now_ms(r));
		/* The statement has a name, because parsing and planning would be most of a batch's work. */
		name = arena_printf(&r->arena, "%s_update:%x", k->res->table, changed);
		s = req_sql(r, name, NULL);
		record_update(s, t->new, changed);
	} else {
		return;
	}
	if (!w->batch)
		r->tx.events.carrier = s;
}

void write_save_target(struct req *r, struct write *w, struct write_target *t)
{
	const struct write_kind *k = w->kind;
	struct carrier_beside *beside = write_beside(r, t);

	if (t->failed || t->duplicate_of)
		return;
	if (k->entity == ENTITY_PERSON && target_gives(t, k->companies))
		write_set_companies(&r->arena, w, t, &t->new->values[k->companies]);
	save_record(r, w, t);
	write_event(r, w, t);
	if (beside) {
		beside->save(beside, r, &t->id, t->new->values[k->res->stamp].number);
		beside->saved = true;
	}
}

/* --- links --------------------------------------------------------------------------- */

/* The links that the records have in one state and not in the other. */
static struct links write_links(struct arena *a, const struct write *w, int field, bool added)
{
	struct links l = {.count = 0};
	size_t most = 0;

	for (size_t i = 0; i < w->n_targets; i++)
		if (!w->targets[i].failed)
			most += (added ? w->targets[i].new : w->targets[i].old)->values[field].n_ids;
	l.owners = arena_alloc(a, most * sizeof *l.owners);
	l.others = arena_alloc(a, most * sizeof *l.others);
	for (size_t i = 0; i < w->n_targets; i++) {
		const struct write_target *t = &w->targets[i];
		const struct value *in, *out;
		if (t->failed || t->duplicate_of)
			continue;
		in = &(added ? t->new : t->old)->values[field];
		out = &(added ? t->old : t->new)->values[field];
		for (size_t j = 0; j < in->n_ids; j++) {
			if (uuid_in(out->ids, out->n_ids, &in->ids[j]))
				continue;
			l.owners[l.count] = t->id;
			l.others[l.count++] = in->ids[j];
		}
	}
	return l;
}

void write_save_links(struct req *r, struct write *w)
{
	for (const struct link_table *l = link_tables; l < link_tables + LINK_TABLES; l++) {
		struct links deleted, added;
		if (l->resource != w->kind->res)
			continue;
		deleted = write_links(&r->arena, w, l->field, false);
		added = write_links(&r->arena, w, l->field, true);
		contact_save_links(r, l, &deleted, &added);
	}
}

/* --- the step ------------------------------------------------------------------------ */

bool write_full(struct req *r)
{
	return req_sql_bytes(r) + r->tx.events.arena.used > SAVE_BYTES;
}

enum step write_save_on(struct req *r)
{
	outbox_write(r);
	return write_ask_on(r);
}

enum step write_save(struct req *r)
{
	struct write *w = r->state.write;

	if (w->replied)
		return write_reply(r, w);
	if (w->saved == 0) {
		if (w->at_names >= 0 && !names_take(r, &w->names, r->db.last, w->at_names))
			return AGAIN;
		write_loaded(&r->arena, r->db.last, w->at_proposed, true, &w->named);
		write_event_companies(&r->tx.events, w);
	}
	while (w->saved < w->n_targets) {
		write_save_target(r, w, &w->targets[w->saved++]);
		if (w->saved == w->n_targets)
			break;
		if (write_full(r))
			return write_save_on(r);
		if (slice_over(r))
			return AGAIN;
	}
	/* The statement of a single request is sent with its event. */
	if (custom_save(r, &w->rows, w->batch ? SAVE_BYTES : SIZE_MAX))
		return write_save_on(r);
	write_save_links(r, w);
	return write_reply(r, w);
}
