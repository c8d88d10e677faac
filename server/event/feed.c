/* Reading the event feed page by page. */
#include "server/event/feed.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/request/event_cursor.h"
#include "server/event/wait.h"
#include "server/output/render.h"
#include "server/request/admit.h"
#include "server/request/page.h"
#include "server/request/reply.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/slice.h"
#include "server/request/transaction.h"

enum {
	ROWS_MORE = 250, /* rows of a further read, after one without any that the caller may see */
	ROWS_MOST = 2000 /* rows that one request reads at most */
};

enum { ASK_STATE, ASK_ROWS };
enum { COL_SET, COL_VERSION, COL_HORIZON };
enum { COL_THROUGH = EVENT_ROW_COLUMNS, COL_PASSES, COL_WALKED };

/* --- the position ------------------------------------------------------------------------- */

/* Uses the database's clock, which also decides when days are dropped. Partitions are dropped by whole days, and a
 * cursor has the time of its transaction, so the limit is a little earlier. */
static bool too_old(const struct req *r, const struct event_position *p)
{
	int64_t kept = config_days_ms(r->server->config, r->server->config->event_retention);

	return event_position_set(p) && p->at_ms < r->caller.ticket.now_ms - (kept - kept / 1000);
}

bool feed_read_cursor(struct req *r, struct feed *f, const char *text, size_t len)
{
	struct path at = PATH_NAME(NULL, f->cursor_name);

	if (len == 0)
		return true;
	if (!event_cursor_open(r, &f->at, f->filter.newest, text, len)) {
		issue_string(&r->given.issues, &at, "cursor");
		return false;
	}
	if (f->filter.newest || !too_old(r, &f->at))
		return true;
	issue_custom(&r->given.issues, &at,
	    "This cursor is older than the %d days for which events are kept: copy the lists again, then continue "
	    "with the X-Events-Cursor of the first list",
	    r->server->config->event_retention);
	return false;
}

/* The record of a history. A text that is not an id of a record with events is an unknown record, and so has no
 * events. */
void feed_read_record(struct req *r, struct feed *f)
{
	const struct param_value *record = req_param(r, "record");
	enum id_kind kind;
	struct uuid id;

	if (!record->given)
		return;
	f->types = "";
	if (!id_parse_any(record->text, record->len, &kind, &id))
		return;
	for (int i = 0; i < EVENT_TYPES; i++) {
		const char *name = event_kinds[i].name;
		if (event_kinds[i].id_kind != kind)
			continue;
		f->types = arena_dup(&r->arena, name, strcspn(name, ".") + 1);
		f->record = id;
		return;
	}
}

struct event_listener feed_listener(struct req *r, const struct viewer *v)
{
	struct event_listener l = {.user = v->user, .admin = v->admin, .only = v->groups, .n_only = v->n_groups};
	struct uuid *hidden;

	l.n_hidden = workspace_hidden(r->caller.ws, v, &r->arena, &hidden);
	l.hidden = hidden;
	return l;
}

/* --- queries ------------------------------------------------------------------------------ */

/* Reads the state that a page depends on: how far events are complete, and whether groups have changed. The planner
 * expects few rows that are newer than the table's statistics, and would collect and sort all of them. Without sorting,
 * it walks the keys of the partitions. */
static void state_sql(struct req *r)
{
	struct sql *s = req_sql(r, "events_state", NULL);

	sql_add(s, "select set_config('enable_sort', 'off', true), " HORIZON_VERSION);
	sql_add(s, horizon_columns);
	sql_add(s, " from workspaces w, event_generation g where w.workspace_id = $1");
}

/* A history is a range of the index by record, and only this index has the order of the history. With an equality, the
 * primary key would have that order, too. The planner expects nearly no rows below the horizon, so both plans would
 * cost the same. With the primary key, all events of the workspace would be read. */
static const char history_order[] = "e.record_id, e.generation, e.xid, e.seq";

static void history_sql(struct sql *s, const struct feed *f)
{
	sql_add_uuid(s, " and e.record_id >= ", &f->record);
	sql_addf(s, " and e.record_id <= $%d and starts_with(e.type, ", s->n_params);
	sql_text(s, f->types, strlen(f->types));
	sql_add(s, ")");
}

static const char *feed_order(struct req *r, const struct feed *f)
{
	const char *order = feed_filter_order(&f->filter);

	if (!f->types)
		return order;
	return f->filter.newest ? arena_printf(&r->arena, "e.record_id desc, %s", order) : history_order;
}

/* Events e after the position. With filters that test each event, a page tests a limited number of events. It has the
 * events that pass, and the last one tested, from where the next page continues. */
static void events_sql(struct req *r, struct sql *s, const struct feed *f, const char *order)
{
	if (f->filter.tests) {
		sql_add(s, "(select * from (select e.*, ");
		feed_filter_test(s, &f->filter, &r->arena);
		sql_addf(s, " as passes, row_number() over (order by %s) as walked from (select e.* from ", order);
	}
	sql_add(s, "events e where e.workspace_id = $1 and e.webhook_id is null");
	if (f->types)
		history_sql(s, f);
	feed_filter_range(s, &f->filter, &f->at);
	if (f->filter.tests)
		sql_addf(
		    s, " order by %s limit %d) e) e where e.passes or e.walked = %d) e", order, FEED_WALK, FEED_WALK);
}

static enum step feed_ask_rows(struct req *r, struct feed *f)
{
	const char *order = feed_order(r, f);
	struct sql *s;

	f->row = 0;
	f->asked = f->scanned ? ROWS_MORE : f->limit + 1;
	state_sql(r);
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select ");
	event_row_columns(s);
	sql_addf(s,
	    ", e.through%s from (select e.*, sum(e.bytes) over (order by %s rows unbounded preceding) as through",
	    f->filter.tests ? ", e.passes, e.walked" : "", order);
	sql_add(s, " from (select e.*, 200 + coalesce(octet_length(e.data::text), 0) as bytes from ");
	events_sql(r, s, f, order);
	sql_addf(s, " order by %s limit %d) e) e where e.through - e.bytes < %d order by %s", order, f->asked,
	    (int)f->bytes, order);
	return req_ask(r, DB_FEED);
}

enum step feed_read_page(struct req *r, struct feed *f)
{
	f->items = f->scanned = 0;
	f->more = false;
	f->listener = feed_listener(r, &r->caller.viewer);
	return feed_ask_rows(r, f);
}

/* --- an outdated snapshot ------------------------------------------------------------------- */

static enum step feed_refreshed(struct req *r)
{
	const struct user *user = workspace_user(r->caller.ws, &r->caller.viewer.user);
	struct feed *f = r->state.feed;

	r->caller.viewer = viewer_limited(
	    &r->caller.ticket.user, user && user->admin, r->caller.ticket.groups, r->caller.ticket.n_groups);
	f->listener = feed_listener(r, &r->caller.viewer);
	return feed_ask_rows(r, f);
}

/* Groups or roles have changed since the caller was admitted, so the page is read again with the new ones. */
static enum step feed_refresh(struct req *r, int64_t version)
{
	static step_fn *const steps[] = {feed_refreshed, event_feed_answer};

	r->next = steps;
	return transaction_refresh(r, version);
}

/* --- answering ------------------------------------------------------------------------------ */

void feed_write_event(struct req *r, struct feed *f, const struct event_row *e)
{
	struct json_out *o = &r->reply.json;
	struct buf data;

	event_row_begin(o, e, &f->listener, NULL);
	buf_init(&data, r->reply.out.max);
	event_data_write(&data, e, &f->listener, req_base_url(r), &r->arena);
	json_raw(o, data.data, data.len);
	r->reply.out.overflow |= data.overflow;
	buf_free(&data);
	json_end_object(o);
}

static bool row_passes(const struct req *r, const struct feed *f)
{
	return !f->filter.tests || db_bool(r->db.last, ASK_ROWS, f->row, COL_PASSES);
}

/* Writes the events that the caller may see and advances the position. Returns false when it continues in another
 * turn. */
static bool write_rows(struct req *r, struct feed *f, int rows)
{
	struct event_row e;

	while (f->row < rows) {
		event_row_read(r->db.last, ASK_ROWS, f->row, &r->arena, &e);
		if (row_passes(r, f) && event_visible(&e, &f->listener, &r->arena)) {
			f->more = f->items == f->limit || (f->items && r->reply.out.len >= f->bytes);
			if (f->more)
				return true;
			f->write(r, f, &e);
			f->items++;
		}
		f->at = e.position;
		f->scanned++;
		if (++f->row < rows && slice_over(r))
			return false;
	}
	return true;
}

/* Moves the position to the horizon, unless it is beyond. */
static void catch_up(struct req *r, struct event_position *at)
{
	struct horizon_point h =
	    horizon_of(admission_horizon(r->server->admission), r->db.last, ASK_STATE, 0, COL_HORIZON);
	struct event_position p = event_position_horizon(&h);

	if (event_position_compare(&p, at) > 0)
		*at = p;
}

/* A page with the newest event first ends, on its newer side, at its cursor. Without one it ends after all events. */
static void find_newest(struct req *r, struct feed *f, int rows)
{
	if (event_position_set(&f->newest))
		return;
	f->newest = f->at;
	if (event_position_set(&f->at))
		return;
	catch_up(r, &f->newest);
	if (rows) {
		struct event_position first = event_position_read(r->db.last, ASK_ROWS, 0, 0);
		first.at_ms = f->newest.at_ms;
		if (event_position_compare(&first, &f->newest) > 0)
			f->newest = first;
	}
}

/* True if the rows ended at a limit of a page, so that there may be more. */
static bool rows_cut(const struct req *r, const struct feed *f, int rows)
{
	return rows && (db_int(r->db.last, ASK_ROWS, rows - 1, COL_THROUGH) >= (int64_t)f->bytes ||
	                   (f->filter.tests && db_int(r->db.last, ASK_ROWS, rows - 1, COL_WALKED) == FEED_WALK));
}

/* The cursor is from the future of a database that was restored without a new generation. Events that reuse its
 * transaction numbers would be skipped. */
static bool is_ahead(const struct db_exchange *x, const struct event_position *p)
{
	int64_t generation = db_int(x, ASK_STATE, 0, COL_HORIZON);
	uint64_t xmin = (uint64_t)db_int(x, ASK_STATE, 0, COL_HORIZON + 1);

	return p->generation > generation || (p->generation == generation && p->xid > xmin);
}

static enum step feed_refuse(struct req *r, const char *message)
{
	const struct feed *f = r->state.feed;
	struct path at = PATH_NAME(NULL, f->cursor_name);

	reply_forget(&r->reply);
	issue_custom(&r->given.issues, &at, "%s", message);
	return reply_issues(r, f->cursor_wrong);
}

enum step event_feed_answer(struct req *r)
{
	struct feed *f = r->state.feed;
	int rows = db_rows(r->db.last, ASK_ROWS);
	int64_t version = db_int(r->db.last, ASK_STATE, 0, COL_VERSION);
	bool cut;

	r->next--; /* this step runs again until there is an answer */
	if (is_ahead(r->db.last, &f->at))
		return feed_refuse(r,
		    "This cursor is ahead of the database, which was restored to an earlier state: copy the lists "
		    "again, then continue with the X-Events-Cursor of the first list");
	if (version > r->caller.ws->version)
		return feed_refresh(r, version);
	if (f->filter.newest)
		find_newest(r, f, rows);
	if (!write_rows(r, f, rows)) {
		r->next++; /* AGAIN repeats the step, too */
		return AGAIN;
	}
	cut = rows_cut(r, f, rows);
	if (!f->more && (rows == f->asked || cut)) {
		if (f->scanned < ROWS_MOST && !cut)
			return FAULT_ERROR(feed_more) ? reply_unavailable(r, ERROR_UNAVAILABLE, "fault")
			                              : feed_ask_rows(r, f);
		f->more = true; /* the caller may see none of these rows, and continues from here */
	}
	if (!f->more && !f->filter.newest)
		catch_up(r, &f->at);
	return f->paged(r, f);
}

/* --- pages ------------------------------------------------------------------------------------ */

static enum step feed_end(struct req *r, struct feed *f)
{
	struct json_out *o = &r->reply.json;
	char cursor[CURSOR_SIZE];

	json_end_array(o);
	json_add_string(o, "cursor", event_cursor_seal(r, f->filter.newest ? &f->newest : &f->at, false, cursor));
	json_key(o, "pagination");
	json_begin_object(o);
	if (f->more)
		page_next(r, "after", event_cursor_seal(r, &f->at, f->filter.newest, cursor), f->limit);
	json_end_object(o);
	json_end_object(o);
	return reply_end(r);
}

static enum step feed_park(struct req *r, struct feed *f)
{
	reply_forget(&r->reply);
	transaction_free(r);
	r->db.last = NULL;
	if (event_wait(r, f))
		return WAIT;
	return reply_error(
	    r, ERROR_UNAVAILABLE, "Too many requests are waiting for events: ask without wait, or later");
}

static enum step feed_paged(struct req *r, struct feed *f)
{
	if (f->items == 0 && !f->more && clock_mono_us() < f->until_us && !r->server->stopping)
		return feed_park(r, f);
	return feed_end(r, f);
}

static enum step feed_begin(struct req *r)
{
	page_begin(r);
	return feed_read_page(r, r->state.feed);
}

static enum step feed_empty(struct req *r)
{
	page_begin(r);
	return feed_end(r, r->state.feed);
}

enum step feed_admit(struct req *r)
{
	r->caller.ticket.uncounted = true;
	return step_admit(r);
}

enum step feed_snapshot(struct req *r)
{
	struct workspace *before = r->caller.ws;
	enum step step = step_snapshot(r);

	if (!r->caller.ws)
		r->caller.ws = before;
	else
		workspace_release(before);
	return step;
}

static void feed_resume(struct req *r, bool again)
{
	static step_fn *const reading[] = {feed_begin, event_feed_answer}, *const ending[] = {feed_empty},
	                      *const admitting[] = {
	                          feed_admit, step_admitted, feed_snapshot, feed_begin, event_feed_answer};
	struct feed *f = r->state.feed;

	r->next = !again ? ending : f->key_doubtful ? admitting : reading;
	f->key_doubtful = false;
	request_continue(r, PASS);
}

enum step event_feed(struct req *r)
{
	const struct param_value *limit = req_param(r, "limit"), *wait = req_param(r, "wait"),
	                         *after = req_param(r, "after");
	struct feed *f = arena_alloc(&r->arena, sizeof *f);

	r->state.feed = f;
	f->r = r;
	list_init(&f->places);
	f->limit = limit->given ? (int)limit->number : PAGE_LIMIT_DEFAULT;
	f->bytes = r->carrier ? PAGE_BYTES_CARRIED : PAGE_BYTES;
	f->cursor_name = "after";
	f->cursor_wrong = "Invalid query parameters";
	f->write = feed_write_event;
	f->paged = feed_paged;
	f->resume = feed_resume;
	if (wait->given && wait->number > 0)
		f->until_us = clock_mono_us() + wait->number * 1000000;
	feed_read_record(r, f);
	if (!feed_filter_read(r, &f->filter) || !feed_read_cursor(r, f, after->text, after->len))
		return reply_issues(r, f->cursor_wrong);
	return feed_begin(r);
}
