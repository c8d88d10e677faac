/* Notes: threads, and the words by which they are found. */
#include <string.h>

#include "server/resource/activity.h"
#include "server/event/activity_event.h"
#include "server/resource/entity.h"
#include "server/resource/steps.h"
#include "server/resource/note_words.h"

/* --- parents --------------------------------------------------------------------- */

/* Parents that the viewer may see, and which of all exist. */
static void note_ask_parents(struct req *r, const struct uuid *ids, size_t n, int *at)
{
	struct sql *s = req_sql(r, NULL, at);

	record_select(s, &note_resource);
	activity_visible_sql(r, &note_resource, s);
	sql_add(s, " and t.id = any (");
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select t.id from notes t where t.workspace_id = $1 and t.id = any (");
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
}

static int note_parent_row(const struct db_exchange *x, int at, const struct uuid *id)
{
	for (int i = 0; i < db_rows(x, at); i++) {
		struct uuid found = db_uuid(x, at, i, 0);
		if (uuid_equal(&found, id))
			return i;
	}
	return -1;
}

/* Visible: the record; hidden: null; deleted: no record. */
static void note_take_parent(struct req *r, struct record *rec, int at)
{
	const struct value *only = &rec->values[NOTE_PARENT_SEEN_BY];
	struct value *v = &rec->values[NOTE_PARENT];
	int row;

	if (v->null)
		return;
	row = note_parent_row(r->x, at, &v->parent);
	if (row >= 0)
		v->parent_record = record_load(r->x, at, row, &note_resource, &r->arena);
	else
		v->null = note_parent_row(r->x, at + 1, &v->parent) >= 0 ||
		          (!only->null && !uuid_equal(&only->id, &r->viewer.user));
}

/* Queries the parents of the loaded records, if any. */
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
	return r->session ? transaction_ask(r) : req_ask(r, DB_LIST);
}

enum step note_parents_loaded(struct req *r)
{
	for (size_t i = 0; i < r->n_records && r->at >= 0; i++)
		note_take_parent(r, r->records[i], r->at);
	return PASS;
}

/* --- writing ------------------------------------------------------------------------ */

static void note_set_words(struct req *r, struct record *rec)
{
	const struct value *content = &rec->values[NOTE_CONTENT];
	struct note_words w;

	words_read(&w, &r->arena, &r->ws->id, content->text, content->len);
	rec->values[NOTE_WORDS] = (struct value){.hashes = w.hashes, .n_hashes = w.count};
}

enum step note_create_open(struct req *r)
{
	const struct value *parent = &r->input->values[NOTE_PARENT];

	activity_create_begin(r, NOTE_ENTITY);
	if (activity_gives(r, NOTE_PARENT) && !parent->null)
		note_ask_parents(r, &parent->parent, 1, NULL);
	return transaction_ask(r);
}

/* The parent must be a note of the same entity that the viewer may see. */
static void note_check_parent(struct req *r, struct record *rec, int at)
{
	struct path parent = PATH_NAME(NULL, "parentNote"), id = PATH_NAME(&parent, "id");
	struct value *v = &rec->values[NOTE_PARENT];

	if (v->null)
		return;
	note_take_parent(r, rec, at);
	if (v->null || !v->parent_record)
		issue_custom(&r->issues, &id, "Note not found");
	else if (!value_equal(FIELD_ENTITY, &v->parent_record->values[NOTE_ENTITY], &rec->values[NOTE_ENTITY]))
		issue_custom(&r->issues, &id, "The note belongs to another entity");
}

enum step note_create(struct req *r)
{
	struct record *rec = activity_new(r, NOTE_AUTHOR, NOTE_CREATED_AT);

	if (!activity_gives(r, NOTE_PARENT))
		rec->values[NOTE_PARENT].null = true;
	entity_given(r, r->at, &rec->values[NOTE_ENTITY]);
	note_check_parent(r, rec, r->at + 1);
	if (r->issues.count)
		return reply_issues(r, "Invalid input");
	note_set_words(r, rec);
	record_insert(req_sql(r, "note_insert", NULL), rec);
	activity_event(r, NULL, rec);
	return reply_record(r, rec);
}

enum step note_update(struct req *r)
{
	struct record *old, *rec = activity_changed(r, NOTE_ENTITY, &old);
	field_set changed;

	if (!rec)
		return DONE;
	changed = record_diff(old, rec);
	if (changed & FIELD_BIT(NOTE_CONTENT)) {
		note_set_words(r, rec);
		changed |= FIELD_BIT(NOTE_WORDS);
	}
	if (changed)
		record_update(req_sql(r, NULL, NULL), rec, changed);
	activity_event(r, old, rec);
	r->records = arena_alloc(&r->arena, sizeof *r->records);
	r->records[0] = rec;
	r->n_records = 1;
	return PASS;
}

/* Replies to a private note show its deletion only to its author. */
enum step note_forget(struct req *r)
{
	const struct record *rec = activity_locked(r);
	const struct value *visibility;
	struct sql *s;

	if (!rec)
		return reply_not_found(r);
	visibility = &rec->values[NOTE_VISIBILITY];
	if (strcmp(visibility->text, "private") != 0)
		return PASS;
	s = req_sql(r, NULL, NULL);
	sql_add(s, "update notes set parent_seen_by = ");
	sql_uuid(s, &rec->values[NOTE_AUTHOR].id);
	sql_add(s, " where workspace_id = $1 and parent_id = ");
	sql_uuid(s, &rec->values[NOTE_ID].id);
	return PASS;
}
