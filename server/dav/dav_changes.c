/* Events and cards of an address book; see dav_changes.h. */
#include "server/dav/dav_changes.h"

#include <string.h>

#include "server/request/server.h"
#include "store/entity_kind.h"

enum {
	WALK = 20000, /* events that a statement about changes tests */
	STATE_DAYS = 3,
	MS_PER_DAY = 24 * 60 * 60 * 1000
};

/* The kind of record whose card event e changes: 'person' or 'company', or null. */
static void event_kind_sql(struct sql *s)
{
	static const enum id_kind kinds[] = {ID_PERSON, ID_COMPANY};
	const char *type;

	sql_add(s, "case");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		type = entity_kind_of(kinds[i])->type;
		sql_addf(s, " when e.type in ('%s.created', '%s.updated', '%s.deleted', '%s.groups_updated') then '%s'",
		    type, type, type, type, type);
	}
	sql_add(s, " end");
}

/* A condition of events e with a kind: they change the book. The groups of an event are those that the record is in, or
 * those that it joined or left. */
static void book_condition_sql(struct sql *s, const struct dav_book *b)
{
	sql_addf(s, "e.kind = '%s'", entity_kind_of(b->kind)->type);
	if (b->group) {
		sql_add_uuid(s, " and ", &b->group->id);
		sql_add(s, " = any (e.group_ids)");
	}
}

/* As in the feed, the planner would collect and sort all events that are newer than its statistics. */
static void book_no_sort(struct req *r)
{
	sql_add(req_sql(r, "dav_no_sort", NULL),
	    "select set_config('enable_sort', 'off', true) from workspaces w where w.workspace_id = $1");
}

/* --- the state of a book -------------------------------------------------------------------- */

enum { STATE_GENERATION, STATE_XMIN, STATE_POSITION, STATE_TIME = STATE_POSITION + 3 };

/* The milliseconds for which events are kept. */
static int64_t book_kept_ms(const struct req *r)
{
	return config_days_ms(r->server->config, r->server->config->event_retention);
}

int64_t book_first_ms(const struct req *r)
{
	int64_t kept = book_kept_ms(r);

	return r->caller.ticket.now_ms - (kept - kept / 1000);
}

/* Events of the last days, which are few partitions. */
static int64_t counted_ms(const struct req *r)
{
	int64_t third = book_kept_ms(r) / 3;

	return third < (int64_t)STATE_DAYS * MS_PER_DAY ? third : (int64_t)STATE_DAYS * MS_PER_DAY;
}

void book_states_sql(struct req *r, const struct dav_book *books, size_t n, int *at)
{
	const char **kinds = arena_alloc(&r->arena, n * sizeof *kinds);
	size_t *lens = arena_alloc(&r->arena, n * sizeof *lens);
	struct uuid *groups = arena_alloc(&r->arena, n * sizeof *groups);
	struct sql *s;

	for (size_t i = 0; i < n; i++) {
		kinds[i] = entity_kind_of(books[i].kind)->type;
		lens[i] = strlen(kinds[i]);
		groups[i] = books[i].group ? books[i].group->id : (struct uuid){.b = {0}};
	}
	book_no_sort(r);
	s = req_sql(r, NULL, at);
	sql_time(s, req_now_ms(r) - counted_ms(r));
	sql_time(s, book_first_ms(r));
	sql_text_array(s, kinds, lens, n);
	sql_uuid_array(s, groups, n);
	sql_built_in(s, "dav states");
}

/* Without any event from which a token can go on: the beginning of the generation, which is before all later events.
 * Tokens that are older than the last event cannot go on either. Its time moves on, so that such a token does not
 * expire while nothing happens. */
void book_state_read(const struct req *r, int at, int row, struct book_state *state)
{
	const struct db_exchange *x = r->db.last;
	int64_t now = r->caller.ticket.now_ms;

	state->generation = db_int(x, at, row, STATE_GENERATION);
	state->xmin = (uint64_t)db_int(x, at, row, STATE_XMIN);
	if (db_null(x, at, row, STATE_POSITION)) {
		state->at =
		    (struct event_position){.generation = state->generation, .at_ms = now - now % counted_ms(r)};
		return;
	}
	state->at = event_position_read(x, at, row, STATE_POSITION);
	state->at.at_ms = db_time_ms(x, at, row, STATE_TIME);
}

/* The beginning of a generation is before all its events. */
static bool position_is_beginning(const struct event_position *p)
{
	return p->xid == 0;
}

void book_event_sql(struct req *r, const struct event_position *p, int *at)
{
	struct sql *s;

	if (position_is_beginning(p))
		return;
	s = req_sql(r, NULL, at);
	sql_add(s, "select exists (select from events e where e.workspace_id = $1 and (e.generation, e.xid, e.seq) = ");
	event_position_sql(s, p);
	sql_add_time(s, " and e.created_at >= ", p->at_ms - 1);
	sql_add_time(s, " and e.created_at <= ", p->at_ms + 1);
	sql_add(s, ")");
}

bool book_has_event(const struct req *r, const struct event_position *p, int at)
{
	return position_is_beginning(p) || db_bool(r->db.last, at, 0, 0);
}

/* --- changes -------------------------------------------------------------------------------- */

enum { ROW_RECORD, ROW_STAMP, ROW_NAME, ROW_END, ROW_END_TIME = ROW_END + 3, ROW_MORE };

/* Events e of the walk, from w->after on. */
static void walk_events_sql(struct sql *s, const struct book_walk *w)
{
	sql_add(s, "events e where e.workspace_id = $1 and e.webhook_id is null");
	event_row_after(s, &w->after);
	sql_add(s, " and (e.generation, e.xid, e.seq) <= ");
	event_position_sql(s, &w->until);
	sql_add_time(s, " and e.created_at <= ", w->until.at_ms + MS_PER_DAY);
}

/* The last row of "walked" or "chosen" is where the statement ended. */
void book_changes_sql(struct req *r, const struct book_walk *w, int *at)
{
	const struct dav_book *b = &dav_of(r)->path.book;
	struct sql *s;

	book_no_sort(r);
	s = req_sql(r, NULL, at);
	sql_addf(s,
	    "with walked as materialized (select e.generation, e.xid, e.seq, e.created_at, e.group_ids, "
	    "e.record_id, row_number() over (order by %s) as n, ",
	    event_row_order);
	event_kind_sql(s);
	sql_add(s, " as kind from ");
	walk_events_sql(s, w);
	sql_addf(s, " order by %s limit %d), chosen as materialized (select e.* from walked e where ", event_row_order,
	    WALK);
	book_condition_sql(s, b);
	sql_addf(s,
	    " limit %d), ended as materialized ((select c.*, true as more from chosen c offset %d limit 1) union all "
	    "(select e.*, e.n = %d from walked e order by e.n desc limit 1) limit 1) "
	    "select c.record_id, t.updated_at, n.name, z.generation, z.xid, z.seq, z.created_at, z.more "
	    "from ended z left join (select distinct e.record_id from chosen e) c on true left join %s t on "
	    "t.workspace_id = $1 and t.id = c.record_id",
	    w->most, w->most - 1, WALK, entity_kind_of(b->kind)->table);
	if (b->group) {
		sql_add_uuid(s, " and ", &b->group->id);
		sql_add(s, " = any (t.group_ids)");
	}
	sql_add_uuid(s, " left join card_names n on n.workspace_id = $1 and n.user_id = ", &r->caller.viewer.user);
	sql_add_textz(s, " and n.book = ", b->name);
	sql_add(s, " and n.record_id = c.record_id and (n.gone_at is null or t.id is null)");
}

bool book_change_read(struct req *r, int at, int row, struct dav_card *card, bool *gone)
{
	const struct db_exchange *x = r->db.last;
	size_t len;

	*card = (struct dav_card){.stamp_us = 0};
	if (!db_uuid_read(x, at, row, ROW_RECORD, &card->id))
		return false;
	card->name = db_null(x, at, row, ROW_NAME) ? dav_path_card(&r->arena, dav_of(r)->path.book.kind, &card->id)
	                                           : db_text(x, at, row, ROW_NAME, &len);
	*gone = db_null(x, at, row, ROW_STAMP);
	if (!*gone)
		card->stamp_us = db_time_us(x, at, row, ROW_STAMP);
	return true;
}

bool book_changes_end(const struct req *r, int at, struct book_walk *w)
{
	const struct db_exchange *x = r->db.last;

	if (db_rows(x, at) == 0)
		return true;
	w->after = event_position_read(x, at, 0, ROW_END);
	w->after.at_ms = db_time_ms(x, at, 0, ROW_END_TIME);
	return !db_bool(x, at, 0, ROW_MORE) || event_position_compare(&w->after, &w->until) >= 0;
}
