/* Reading rows of table events, and the part that a listener may see. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "server/base/text.h"
#include "webhook/event.h"

enum { MS_PER_HOUR = 60 * 60 * 1000, MS_PER_DAY = 24 * MS_PER_HOUR };

enum {
	COL_GENERATION,
	COL_XID,
	COL_SEQ,
	COL_CREATED_AT,
	COL_ID,
	COL_TYPE,
	COL_RECORD,
	COL_GROUPS,
	COL_NAMED,
	COL_WITHIN,
	COL_OBJECT_TYPE,
	COL_AUDIENCE,
	COL_DATA,
	COL_ACTOR,
	COLUMNS = COL_ACTOR + EVENT_ACTOR_READ_COLUMNS
};
_Static_assert((int)COLUMNS == (int)EVENT_ROW_COLUMNS, "event_row_columns()");

const char event_row_order[] = "e.generation, e.xid, e.seq";

/* --- positions ---------------------------------------------------------------------------- */

bool event_position_set(const struct event_position *p)
{
	return p->generation || p->xid;
}

struct event_position event_position_horizon(const struct horizon_point *h)
{
	return (struct event_position){.generation = h->generation, .xid = h->xid, .at_ms = h->at_ms};
}

int event_position_compare(const struct event_position *a, const struct event_position *b)
{
	if (a->generation != b->generation)
		return a->generation < b->generation ? -1 : 1;
	if (a->xid != b->xid)
		return a->xid < b->xid ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

struct event_position event_position_read(const struct db_exchange *x, int statement, int row, int column)
{
	return (struct event_position){.generation = db_int(x, statement, row, column),
	    .xid = (uint64_t)db_int(x, statement, row, column + 1),
	    .seq = db_int(x, statement, row, column + 2)};
}

void event_position_sql(struct sql *s, const struct event_position *p)
{
	sql_add_int8(s, "(", p->generation);
	sql_add_int8(s, ", ", (int64_t)p->xid);
	sql_add_int8(s, ", ", p->seq);
	sql_add(s, ")");
}

/* --- rows ------------------------------------------------------------------------------------ */

void event_row_columns(struct sql *s)
{
	sql_add(s,
	    "e.generation, e.xid, e.seq, e.created_at, e.id, e.type, e.record_id, e.group_ids, e.named_group_ids, "
	    "e.within_group_id, e.object_type, e.audience, e.data, ");
	event_actor_columns(s);
}

void event_row_after(struct sql *s, const struct event_position *p)
{
	if (event_position_set(p)) {
		sql_add(s, " and (e.generation, e.xid, e.seq) > ");
		event_position_sql(s, p);
		/* The time is a constant, not an expression, so that the planner prunes earlier partitions. kith
		 * ignores a time in the future, because it comes from a clock that was wrong. */
		sql_add(s, " and e.created_at >= ");
		sql_time(s, (p->at_ms <= clock_now_ms() + MS_PER_HOUR ? p->at_ms : 0) - MS_PER_DAY);
	}
	/* All events of older generations are below the horizon, because their transactions have ended. */
	sql_add(s, " and (e.generation, e.xid) < (kith_generation(), "
	           "pg_snapshot_xmin(pg_current_snapshot())::text::bigint)");
}

void event_row_read(const struct db_exchange *x, int statement, int row, struct arena *a, struct event_row *out)
{
	size_t len;
	const char *type = db_text(x, statement, row, COL_TYPE, &len);

	memset(out, 0, sizeof *out);
	out->type = event_type_parse(type, len);
	out->position = event_position_read(x, statement, row, COL_GENERATION);
	out->created_at = out->position.at_ms = db_time_ms(x, statement, row, COL_CREATED_AT);
	out->id = db_uuid(x, statement, row, COL_ID);
	out->record = db_uuid(x, statement, row, COL_RECORD);
	out->n_groups = db_uuid_array(x, statement, row, COL_GROUPS, a, &out->groups);
	out->n_named = db_uuid_array(x, statement, row, COL_NAMED, a, &out->named);
	out->is_within = db_uuid_read(x, statement, row, COL_WITHIN, &out->within);
	if (!db_null(x, statement, row, COL_OBJECT_TYPE))
		out->object_type = db_text(x, statement, row, COL_OBJECT_TYPE, &len);
	out->has_audience = !db_null(x, statement, row, COL_AUDIENCE);
	out->n_audience = db_uuid_array(x, statement, row, COL_AUDIENCE, a, &out->audience);
	if (!db_null(x, statement, row, COL_DATA))
		out->data = db_text(x, statement, row, COL_DATA, &out->data_len);
	event_actor_read(x, statement, row, COL_ACTOR, &out->actor);
}

/* --- the part that a listener may see --------------------------------------------------- */

bool event_hides(const struct event_listener *l, const struct uuid *group)
{
	return uuid_in(l->hidden, l->n_hidden, group) || (l->n_only && !uuid_in(l->only, l->n_only, group));
}

/* True when the data name a group hidden from the listener, so that they must be parsed. */
static bool row_restricted(const struct event_row *e, const struct event_listener *l)
{
	for (size_t i = 0; i < e->n_named && (l->n_hidden || l->n_only); i++)
		if (event_hides(l, &e->named[i]))
			return true;
	return false;
}

/* True for the id of a hidden group. */
static bool listener_hides_id(const struct json *v, const struct event_listener *l)
{
	struct uuid id;

	return v && v->type == JSON_STRING && id_parse(ID_GROUP, v->text, v->len, &id) && event_hides(l, &id);
}

static bool listener_hides_item(const struct json *v, const struct event_listener *l)
{
	return listener_hides_id(v, l) || listener_hides_id(json_member(v, "id"), l);
}

/* Removes hidden items from an array; false when that empties it. */
static bool prune_items(struct json *array, const struct event_listener *l)
{
	struct json **at = &array->first;
	bool taken = false;

	while (*at) {
		if (!listener_hides_item(*at, l)) {
			at = &(*at)->next;
			continue;
		}
		*at = (*at)->next;
		array->count--;
		taken = true;
	}
	return array->first || !taken;
}

static bool prune_change(struct json *change, const struct event_listener *l)
{
	const struct json *path = json_member(change, "path");
	struct json *value = json_member(change, "value");

	json_each(p, path)
		if (listener_hides_id(p, l))
			return false;
	if (value && value->type == JSON_ARRAY)
		return prune_items(value, l);
	return !value || !listener_hides_item(value, l);
}

/* Removes the changes that name hidden groups; false when none remains. */
static bool prune_changes(struct json *data, const struct event_listener *l)
{
	struct json *changes = json_typed(data, "changes", JSON_ARRAY);
	struct json **at = changes ? &changes->first : NULL;

	while (at && *at) {
		if (prune_change(*at, l)) {
			at = &(*at)->next;
		} else {
			*at = (*at)->next;
			changes->count--;
		}
	}
	return changes && changes->first;
}

/* True for events that only report changes; others report that a record was created or deleted. */
static bool tells_changes_only(enum event_type type)
{
	const char *dot = strchr(event_kinds[type].name, '.');

	return strcmp(dot, ".updated") == 0 || strcmp(dot, ".groups_updated") == 0;
}

static struct json *row_read_data(const struct event_row *e, struct arena *a)
{
	const char *error;
	struct json *data = json_read(a, e->data, e->data_len, &error);

	return data && data->type == JSON_OBJECT ? data : NULL;
}

/* Admins of the workspace may read all events of users. Private records stay private. */
static bool row_is_of_user(const struct event_row *e)
{
	return event_kinds[e->type].id_kind == ID_USER;
}

bool event_visible(const struct event_row *e, const struct event_listener *l, struct arena *a)
{
	struct json *data;

	if (e->type == EVENT_TYPES) /* written by a later release */
		return false;
	if (e->has_audience && !uuid_in(e->audience, e->n_audience, &l->user) && !(l->admin && row_is_of_user(e)))
		return false;
	if (e->is_within && event_hides(l, &e->within))
		return false;
	if (!e->data || !tells_changes_only(e->type) || !row_restricted(e, l))
		return true;
	data = row_read_data(e, a);
	return data && prune_changes(data, l);
}

/* --- writing ------------------------------------------------------------------------------ */

void event_begin(struct json_out *o, const char *id, const char *type, const char *created_at)
{
	json_begin_object(o);
	json_add_string(o, "id", id);
	json_add_string(o, "type", type);
	json_add_string(o, "createdAt", created_at);
	json_key(o, "actor");
}

void event_data_begin(struct json_out *o, const char *source)
{
	if (source) {
		json_add_string(o, "source", source);
	}
	json_key(o, "data");
}

void event_row_begin(struct json_out *o, const struct event_row *e, const struct event_listener *l, const char *source)
{
	char id[ID_SIZE], time[TIME_TEXT_SIZE];

	event_begin(o, id_format(ID_EVENT, &e->id, id), event_kinds[e->type].name, time_format(e->created_at, time));
	event_actor_write(o, &e->actor, &l->user, l->admin);
	event_data_begin(o, source);
}

static void write_url(struct json_out *o, const struct event_row *e, const char *base_url, const char *id)
{
	const struct event_kind *kind = &event_kinds[e->type];
	char group[ID_SIZE];
	struct buf url;

	buf_init(&url, 16 << 10);
	if (kind->path) {
		buf_printf(&url, "%s%s%s", base_url, kind->path, id);
	} else {
		buf_printf(&url, "%s/v1/groups/%s/", base_url, id_format(ID_GROUP, &e->within, group));
		text_percent_encode(
		    &url, e->object_type ? e->object_type : "", e->object_type ? strlen(e->object_type) : 0);
		buf_printf(&url, "/%s", id);
	}
	json_string_len(o, url.data, url.len);
	buf_free(&url);
}

void event_data_write(
    struct buf *out, const struct event_row *e, const struct event_listener *l, const char *base_url, struct arena *a)
{
	struct json_out o;
	char id[ID_SIZE];
	struct json *data;

	json_out_init(&o, out);
	json_begin_object(&o);
	json_add_string(&o, "id", id_format(event_kinds[e->type].id_kind, &e->record, id));
	json_key(&o, "url");
	write_url(&o, e, base_url, id);
	if (e->data && e->data_len > 2 && !row_restricted(e, l)) {
		buf_addc(out, ','); /* the object's members, without its braces */
		buf_add(out, e->data + 1, e->data_len - 2);
	} else if (e->data && (data = row_read_data(e, a))) {
		bool changes = prune_changes(data, l);
		json_each_member(m, data) {
			if (strcmp(m->key, "changes") == 0 && !changes)
				continue;
			json_key_len(&o, m->key, m->key_len);
			json_value(&o, m);
		}
	}
	json_end_object(&o);
}
