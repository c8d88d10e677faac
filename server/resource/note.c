/* Notes: threads, and the words that find a note. */
#include <string.h>

#include "server/resource/activity.h"
#include "server/event/activity_event.h"
#include "server/resource/entity.h"
#include "server/request/page.h"
#include "server/resource/steps.h"
#include "server/resource/note_words.h"

/* --- parents --------------------------------------------------------------------- */

static void note_select_ids(struct sql *s, const struct uuid *ids, size_t n)
{
	sql_add_uuid_array(s, " and t.id = any (", ids, n);
	sql_add(s, ")");
}

/* The parents that the viewer may see, and all that exist. */
static void note_ask_parents(struct req *r, const struct uuid *ids, size_t n, int *at)
{
	struct sql *s = req_sql(r, NULL, at);

	record_select(s, &note_resource);
	activity_visible_sql(&r->caller, &note_resource, s);
	note_select_ids(s, ids, n);
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select t.id from notes t where t.workspace_id = $1");
	note_select_ids(s, ids, n);
}

/* A visible parent is shown as a record, a hidden one as null. A deleted parent has no record. */
static void note_take_parent(struct req *r, struct record *rec, int at)
{
	const struct value *only = &rec->values[NOTE_PARENT_SEEN_BY];
	struct value *v = &rec->values[NOTE_PARENT];
	int row;

	if (v->null)
		return;
	row = db_row_of(r->db.last, at, &v->parent);
	if (row >= 0)
		v->parent_record = record_load(r->db.last, at, row, &note_resource, &r->arena);
	else
		v->null = db_row_of(r->db.last, at + 1, &v->parent) >= 0 ||
		          (!only->null && !uuid_equal(&only->id, &r->caller.viewer.user));
}

/* Queries the parents of the loaded records, if any. All of them must be notes. */
enum step note_parents(struct req *r)
{
	struct uuid *ids = arena_alloc(&r->arena, r->n_records * sizeof *ids);
	size_t n = 0;

	for (size_t i = 0; i < r->n_records; i++)
		if (!r->records[i]->values[NOTE_PARENT].null)
			ids[n++] = r->records[i]->values[NOTE_PARENT].parent;
	r->at = -1;
	if (n == 0)
		return PASS;
	note_ask_parents(r, ids, n, &r->at);
	return r->tx.session ? transaction_ask(r) : req_ask(r, DB_LIST);
}

enum step note_parents_loaded(struct req *r)
{
	for (size_t i = 0; i < r->n_records && r->at >= 0; i++)
		note_take_parent(r, r->records[i], r->at);
	return PASS;
}

/* --- writing ------------------------------------------------------------------------ */

static void note_set_words(struct req *r, struct record *rec, struct arena *a)
{
	const struct value *content = &rec->values[NOTE_CONTENT];
	struct note_words w;

	words_read(&w, a, &r->caller.ws->id, content->text, content->len);
	rec->values[NOTE_WORDS] = (struct value){.hashes = w.hashes, .n_hashes = w.count};
}

enum step note_update(struct req *r)
{
	struct record *old, *rec = activity_changed(r, NOTE_ENTITY, &old);
	field_set changed;

	if (!rec)
		return DONE;
	changed = record_diff(old, rec);
	if (changed & FIELD_BIT(NOTE_CONTENT)) {
		note_set_words(r, rec, &r->arena);
		changed |= FIELD_BIT(NOTE_WORDS);
	}
	if (changed)
		record_update(req_sql(r, NULL, NULL), rec, changed | record_touch(rec, req_now_ms(r)));
	activity_event(r, old, rec);
	r->records = arena_alloc(&r->arena, sizeof *r->records);
	r->records[0] = rec;
	r->n_records = 1;
	return PASS;
}

/* Only the author of a private note may learn from its replies that it was deleted. */
enum step note_forget(struct req *r)
{
	const struct record *rec = activity_matched(r);
	const struct value *visibility;
	struct sql *s;

	if (!rec)
		return DONE;
	visibility = &rec->values[NOTE_VISIBILITY];
	if (strcmp(visibility->text, "private") != 0)
		return PASS;
	s = req_sql(r, NULL, NULL);
	sql_add_uuid(s, "update notes set parent_seen_by = ", &rec->values[NOTE_AUTHOR].id);
	sql_add_uuid(s, " where workspace_id = $1 and parent_id = ", &rec->values[NOTE_ID].id);
	return PASS;
}

/* --- creating ----------------------------------------------------------------------- */

/* Queries the parents whose entities the viewer may see, up to a page's bytes, and their ids. */
static void note_load(struct req *r, struct write *w)
{
	struct uuid *ids = arena_alloc(&r->arena, w->n_targets * sizeof *ids);
	struct sql *s;
	size_t n = 0;

	for (size_t i = 0; i < w->n_targets; i++) {
		const struct value *parent = &w->targets[i].input->values[NOTE_PARENT];
		if (target_gives(&w->targets[i], NOTE_PARENT) && !parent->null)
			ids[n++] = parent->parent;
	}
	if (n == 0)
		return;
	if (w->batch)
		transaction_lock_records(r, ids, n);
	s = req_sql(r, NULL, &w->at_parents);
	page_begin_rows(s, &note_resource, false);
	entity_visible_sql(&r->caller, s);
	note_select_ids(s, ids, n);
	page_end_rows(s, " order by t.id", 0, false);
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select t.id from notes t where t.workspace_id = $1");
	entity_visible_sql(&r->caller, s);
	note_select_ids(s, ids, n);
}

static bool note_seen_by(const struct record *note, const struct uuid *user)
{
	return strcmp(note->values[NOTE_VISIBILITY].text, "public") == 0 ||
	       uuid_equal(&note->values[NOTE_AUTHOR].id, user);
}

/* The parent must be a note of the same entity, visible to the author or to the caller. */
static void note_settle(struct req *r, struct write *w, struct write_target *t)
{
	struct path parent = PATH_NAME(NULL, "parentNote"), id = PATH_NAME(&parent, "id");
	struct value *v = &t->new->values[NOTE_PARENT];
	const struct uuid *author = &t->new->values[NOTE_AUTHOR].id;
	const struct record *found;
	int row;

	if (v->null)
		return;
	row = db_row_of(w->loads, w->at_parents, &v->parent);
	found = row < 0 ? NULL : record_load(w->loads, w->at_parents, row, &note_resource, &r->arena);
	if (!found && db_row_of(w->loads, w->at_parents + 1, &v->parent) >= 0)
		target_fail(t, ERROR_UNPROCESSABLE, target_too_much);
	else if (!found || (!note_seen_by(found, author) && !note_seen_by(found, &r->caller.viewer.user)))
		target_issue(&r->arena, t, &id, "Note not found");
	else if (!value_equal(FIELD_ENTITY, &found->values[NOTE_ENTITY], &t->new->values[NOTE_ENTITY]))
		target_issue(&r->arena, t, &id, "The note belongs to another entity");
	v->parent_record = found;
}

/* For the answer: a private note of an author who is not the caller is not shown. */
static void note_hide_parents(struct req *r, struct write *w)
{
	for (size_t i = 0; i < w->n_targets; i++) {
		struct value *v = w->targets[i].failed ? NULL : &w->targets[i].new->values[NOTE_PARENT];
		if (v && !v->null && !note_seen_by(v->parent_record, &r->caller.viewer.user))
			v->null = true;
	}
}

const struct activity_creation note_creation = {
    .kind = {.res = &note_resource, .created_at = NOTE_CREATED_AT, .created_by = NOTE_AUTHOR},
    .insert = "note_insert",
    .entity = NOTE_ENTITY,
    .load = note_load,
    .settle = note_settle,
    .derive = note_set_words,
    .end = note_hide_parents,
};
