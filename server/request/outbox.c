/* Writes the events of a request. */
#include "server/request/outbox.h"

#include <string.h>

#include "server/request/server.h"
#include "server/request/commit_notify.h"

struct event_out *outbox_add(struct outbox *o, enum event_type type, const struct uuid *record)
{
	struct event_out *e = arena_alloc(&o->arena, sizeof *e);

	e->type = type;
	e->record = *record;
	if (o->last)
		o->last->next = e;
	else
		o->first = e;
	o->last = e;
	o->count++;
	o->any = true;
	return e;
}

void outbox_data(struct outbox *o, struct event_out *e, const struct buf *data)
{
	e->data = arena_dup(&o->arena, data->data, data->len);
	e->data_len = data->len;
}

/* --- a single event ------------------------------------------------------------------ */

/* The statement has as few columns as possible: each further column makes every write a little slower. The generation
 * is that of the column's default, without the call of a function. */
static void outbox_put_one(struct sql *s, const struct event_out *e, const struct event_actor *actor)
{
	struct uuid id = id_new();

	sql_add(
	    s, "insert into events (workspace_id, generation, id, type, record_id, group_ids, " EVENT_ACTOR_COLUMNS);
	if (e->is_within)
		sql_add(s, ", within_group_id, object_type");
	sql_add(s, e->data ? ", named_group_ids, data)" : ")");
	sql_add(s, " values ($1, (select g.generation from event_generation g), ");
	sql_uuid(s, &id);
	sql_add_textz(s, ", ", event_kinds[e->type].name);
	sql_add_uuid(s, ", ", &e->record);
	sql_add_uuid_array(s, ", ", e->groups, e->n_groups);
	sql_add(s, ", ");
	event_actor_sql(s, actor);
	if (e->is_within) {
		sql_add_uuid(s, ", ", &e->within);
		sql_add_textz(s, ", ", e->object_type);
	}
	if (e->data) {
		sql_add_uuid_array(s, ", ", e->named, e->n_named);
		sql_add(s, ", ");
		sql_json(s, e->data, e->data_len);
	}
	sql_add(s, ")");
}

static void write_one(struct req *r, const struct event_out *e)
{
	static const char *const names[2][2] = {
	    {"event_insert", "event_insert_changes"}, {"event_insert_object", "event_insert_object_changes"}};
	const struct event_actor actor = req_actor(r);
	struct sql *s = r->tx.events.carrier;
	const char *text;

	if (!s) {
		outbox_put_one(req_sql(r, names[e->is_within][e->data != NULL], NULL), e, &actor);
		return;
	}
	s->name = arena_printf(&r->arena, "%s_event", s->name);
	text = sql_take(s);
	sql_add(s, "with event as (");
	outbox_put_one(s, e, &actor);
	sql_add(s, ") ");
	sql_add(s, text);
}

static bool event_is_plain(const struct event_out *e)
{
	return !e->next && !e->has_audience && !e->of_object && e->is_within == (e->object_type != NULL);
}

/* --- many events, or one with all columns ---------------------------------------------- */

/* A column of texts. Each may be null. */
struct column {
	const char **texts;
	size_t *lens;
};

enum { COL_TYPE, COL_GROUPS, COL_NAMED, COL_WITHIN, COL_OBJECT, COL_OBJECT_TYPE, COL_AUDIENCE, COL_DATA, COLUMNS };

static void column_put(struct column *c, size_t row, const char *text, size_t len)
{
	c->texts[row] = text;
	c->lens[row] = len;
}

/* Writes the array "{…,…}" as text, because nested arrays must all have the same length. */
static void column_put_ids(struct arena *a, struct column *c, size_t row, const struct uuid *ids, size_t n)
{
	char *text = arena_alloc(a, n * 37 + 3);
	size_t len = 0;

	text[len++] = '{';
	for (size_t i = 0; i < n; i++) {
		if (i)
			text[len++] = ',';
		uuid_format(&ids[i], text + len);
		len += 36;
	}
	text[len++] = '}';
	column_put(c, row, text, len);
}

static void column_put_id(struct arena *a, struct column *c, size_t row, const struct uuid *id)
{
	column_put(c, row, uuid_format(id, arena_alloc(a, 37)), 36);
}

static void put_row(struct arena *a, struct column columns[COLUMNS], size_t row, const struct event_out *e)
{
	const char *type = event_kinds[e->type].name;

	column_put(&columns[COL_TYPE], row, type, strlen(type));
	column_put_ids(a, &columns[COL_GROUPS], row, e->groups, e->n_groups);
	column_put_ids(a, &columns[COL_NAMED], row, e->named, e->n_named);
	if (e->is_within)
		column_put_id(a, &columns[COL_WITHIN], row, &e->within);
	if (e->of_object)
		column_put_id(a, &columns[COL_OBJECT], row, &e->object);
	if (e->object_type)
		column_put(&columns[COL_OBJECT_TYPE], row, e->object_type, strlen(e->object_type));
	if (e->has_audience)
		column_put_ids(a, &columns[COL_AUDIENCE], row, e->audience, e->n_audience);
	column_put(&columns[COL_DATA], row, e->data, e->data_len);
}

static void outbox_write_all(struct req *r)
{
	size_t n = r->tx.events.count, row = 0;
	struct uuid *ids = arena_alloc(&r->arena, n * sizeof *ids),
	            *records = arena_alloc(&r->arena, n * sizeof *records);
	const struct event_actor actor = req_actor(r);
	struct column columns[COLUMNS];
	struct sql *s = req_sql(r, "events_insert", NULL);

	for (int i = 0; i < COLUMNS; i++) {
		columns[i].texts = arena_alloc(&r->arena, n * sizeof *columns[i].texts);
		columns[i].lens = arena_alloc(&r->arena, n * sizeof *columns[i].lens);
	}
	for (const struct event_out *e = r->tx.events.first; e; e = e->next, row++) {
		ids[row] = id_new();
		records[row] = e->record;
		put_row(&r->arena, columns, row, e);
	}
	sql_add(s,
	    "insert into events (workspace_id, id, record_id, type, group_ids, named_group_ids, within_group_id, "
	    "object_type, audience, data, " EVENT_ACTOR_COLUMNS ") select $1, n.id, n.record, n.type, "
	    "n.groups::uuid[], n.named::uuid[], "
	    "case when n.object is null then n.within::uuid else (select o.group_id from objects o "
	    "where o.workspace_id = $1 and o.id = n.object::uuid) end, "
	    "n.object_type, n.audience::uuid[], n.data::json, ");
	event_actor_sql(s, &actor);
	sql_add_uuid_array(s, " from unnest(", ids, n);
	sql_add_uuid_array(s, ", ", records, n);
	for (int i = 0; i < COLUMNS; i++) {
		sql_add(s, ", ");
		sql_text_array(s, columns[i].texts, columns[i].lens, n);
	}
	sql_add(s, ") n (id, record, type, groups, named, within, object, object_type, audience, data)");
}

void outbox_write(struct req *r)
{
	r->tx.n_events += r->tx.events.count;
	if (r->tx.events.count == 0)
		return;
	if (!r->given.dry && event_is_plain(r->tx.events.first)) /* see outbox.h for dry runs */
		write_one(r, r->tx.events.first);
	else if (!r->given.dry)
		outbox_write_all(r);
	outbox_forget(&r->tx.events); /* the statements have copies */
	r->tx.events.any = true;
}

void outbox_forget(struct outbox *o)
{
	arena_free(&o->arena);
	memset(o, 0, sizeof *o);
}

void outbox_committed(struct req *r)
{
	if (r->tx.events.any)
		commit_notify_send(r->server);
}
