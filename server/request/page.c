/* Pages by keyset: a page costs the same at any depth. */
#include "server/request/page.h"

#include <string.h>

#include "filter/read_query.h"
#include "server/base/text.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "store/field_type.h"
#include "store/record.h"

enum {
	LIMIT_MOST = 100,
	LONG_TEXT = 1000, /* characters that are read to estimate the size of a text */
	SMALL = 900,      /* bytes as stored; uncompressed they are at most a hundred times as many */
	/* Limit on the rest of a row. Beyond it, PostgreSQL moves values out of line or compresses them. A page of such
	 * rows has some megabytes, and never more than 20, however much the values were compressed. */
	SMALL_STORED = 2000
};

static void context_add_json(struct cursor_context *x, const char *name, const struct json *value)
{
	struct buf text;

	buf_init(&text, 4 << 20);
	json_canonical(&text, value);
	cursor_context_add(x, name, strlen(name), text.data, text.len);
	buf_free(&text);
}

/* Computes a digest of everything that defines the list, so that a cursor of another list is refused. */
static void page_context(struct req *r, struct page *p)
{
	struct cursor_context x;

	cursor_context_begin(&x, &r->arena, &r->caller.ws->id, r->route->path);
	for (int i = 0; i < PATH_PARAMS_MAX && r->given.path[i].text; i++)
		cursor_context_add(&x, i ? "path2" : "path1", 5, r->given.path[i].text, r->given.path[i].len);
	for (int i = 0; r->route->params && r->route->params[i]; i++) {
		const struct param *row = r->route->params[i];
		const struct param_value *v = &r->given.params[i];
		if (v->names)
			context_add_json(&x, row->name, v->names);
		else if (v->given && row->shapes)
			cursor_context_add(&x, row->name, strlen(row->name), v->text, v->len);
	}
	if (r->given.listing && r->route->input == INPUT_SEARCH && json_member(r->given.body, "filter"))
		context_add_json(&x, "filter", json_member(r->given.body, "filter"));
	else if (r->given.listing && r->route->input != INPUT_SEARCH)
		filter_query_context(&x, &r->given.query);
	cursor_context_end(&x, p->context);
}

bool page_read(struct req *r, struct page *p)
{
	const struct param_value *limit = req_param(r, "limit"), *cursor = req_param(r, "cursor"),
	                         *sort = req_param(r, "sort"), *count = req_param(r, "count");
	struct path at = PATH_NAME(NULL, "cursor");

	memset(p, 0, sizeof *p);
	p->limit = limit->given ? (int)limit->number : r->list.limit ? r->list.limit : PAGE_LIMIT_DEFAULT;
	p->sort = (enum page_sort)(sort->given ? sort->number : r->list.sort);
	p->count = count->given ? (enum page_count)(count->number + 1) : COUNT_NONE;
	page_context(r, p);
	if (!cursor->given)
		return true;
	p->after = true;
	if (req_cursor_open(r, &p->cursor, p->context, cursor->text, cursor->len))
		return true;
	issue_string(&r->given.issues, &at, "cursor");
	return false;
}

const struct page_order page_orders[] = {
    [SORT_CREATED] = {" order by t.id", NULL, NULL, false},
    [SORT_CREATED_DOWN] = {" order by t.id desc", NULL, NULL, true},
    [SORT_UPDATED] = {" order by t.updated_at, t.id", "updated_at", "updatedAt", false},
    [SORT_UPDATED_DOWN] = {" order by t.updated_at desc, t.id desc", "updated_at", "updatedAt", true},
    [SORT_TIME] = {" order by t.date_time, t.id", "date_time", "dateTime", false},
    [SORT_TIME_DOWN] = {" order by t.date_time desc, t.id desc", "date_time", "dateTime", true},
};

/* The approximate size of a row as sent. Values whose stored form is small are not uncompressed for this. */
static void size_sql(struct sql *s, const struct resource *res)
{
	sql_add(s, "200");
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		const char *const *unpacked = field_storages[f->type].unpacked;
		if (!f->column)
			continue;
		if (f->type == FIELD_TEXT && f->max >= LONG_TEXT) {
			sql_addf(s, " + coalesce(octet_length(t.%s), 0)", f->column);
		} else if (unpacked[0]) {
			sql_addf(s,
			    " + coalesce(case when pg_column_size(t.%s) < %d then pg_column_size(t.%s) else "
			    "octet_length(",
			    f->column, SMALL, f->column);
			sql_addf(s, "%s%s%s) end, 0)", unpacked[0], f->column, unpacked[1]);
		}
	}
}

void page_begin_rows(struct sql *s, const struct resource *res, bool small)
{
	sql_add(s, "select ");
	if (small) {
		record_columns_within(s, res, SMALL_STORED);
		sql_addf(s, " from %s t where t.workspace_id = $1", res->table);
		return;
	}
	record_columns(s, res);
	sql_add(s, ", t.page_more from (select t.*, lead(true) over page as page_more, sum(");
	size_sql(s, res);
	sql_addf(s, ") over page as page_bytes from %s t where t.workspace_id = $1", res->table);
}

void page_end_rows(struct sql *s, const char *order, int limit, bool small)
{
	if (small) {
		sql_add(s, order);
		if (limit)
			sql_addf(s, " limit %d", limit);
		return;
	}
	sql_addf(s, " window page as (%s rows between unbounded preceding and 1 preceding)%s", order, order);
	if (limit) /* a constant, so that the planner of a cached plan knows how few rows are wanted */
		sql_addf(s, " limit %d", limit);
	sql_addf(s, ") t where coalesce(t.page_bytes, 0) < %d%s", PAGE_BYTES, order);
}

void page_sql(struct sql *s, const struct page *p)
{
	const struct page_order *order = &page_orders[p->sort];

	if (p->after && order->column) {
		sql_addf(s, " and (t.%s, t.id) %s (", order->column, order->down ? "<" : ">");
		sql_time_us(s, p->cursor.value);
		sql_add_uuid(s, ", ", &p->cursor.id);
		sql_add(s, ")");
	} else if (p->after) {
		sql_addf(s, " and t.id %s ", order->down ? "<" : ">");
		sql_uuid(s, &p->cursor.id);
	}
	page_end_rows(s, order->sql, p->limit + 1, p->small);
}

bool page_withheld(const struct db_exchange *x, int statement, const struct page *p)
{
	int rows = db_rows(x, statement), last = db_columns(x, statement) - 1;

	for (int i = 0; p->small && i < rows && i < p->limit; i++)
		if (!db_null(x, statement, i, last))
			return true;
	return false;
}

int page_shown(struct req *r, int statement, int limit)
{
	int rows = db_rows(r->db.last, statement), shown = rows > limit ? limit : rows;

	r->list.more =
	    rows > limit || (rows && !db_null(r->db.last, statement, rows - 1, db_columns(r->db.last, statement) - 1));
	return shown;
}

void page_load(struct req *r, int statement, int limit)
{
	int n = page_shown(r, statement, limit);

	r->records = arena_alloc(&r->arena, (size_t)n * sizeof *r->records);
	for (int i = 0; i < n; i++)
		r->records[i] = record_load(r->db.last, statement, i, r->route->resource, &r->arena);
	r->n_records = (size_t)n;
}

bool page_full(const struct req *r)
{
	return r->carrier && r->carrier->full ? r->carrier->full(r) : r->reply.out.len >= PAGE_BYTES;
}

const char *page_name(struct req *r, const struct page *p)
{
	if (r->given.listing || r->list.conditions || r->list.only ||
	    (p->limit != PAGE_LIMIT_DEFAULT && p->limit != LIMIT_MOST))
		return NULL;
	return arena_printf(&r->arena, "%s %d%s %d%s", r->route->path, p->sort, p->after ? " after" : "", p->limit,
	    p->small ? " small" : "");
}

struct json_out *page_begin(struct req *r)
{
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	json_key(o, "items");
	json_begin_array(o);
	return o;
}

/* Writes the URL of this request with the cursor in the parameter name, and with the limit. */
static void page_link(struct req *r, const char *name, const char *cursor, int limit, struct buf *url)
{
	size_t path_len = strcspn(r->in->target, "?");

	buf_printf(url, "%s%.*s?", req_base_url(r), (int)path_len, r->in->target);
	for (size_t i = 0; i < r->given.query.count; i++) {
		const struct query_pair *pair = &r->given.query.pairs[i];
		if (strcmp(pair->key.text, name) == 0 || strcmp(pair->key.text, "limit") == 0)
			continue;
		text_percent_encode(url, pair->key.text, pair->key.len);
		if (pair->has_value)
			buf_addc(url, '=');
		text_percent_encode(url, pair->value.text, pair->value.len);
		buf_addc(url, '&');
	}
	buf_printf(url, "limit=%d&%s=%s", limit, name, cursor);
}

void page_next(struct req *r, const char *name, const char *cursor, int limit)
{
	struct buf url;

	if (r->carrier || r->route->input == INPUT_SEARCH) {
		json_add_string(&r->reply.json, "nextCursor", cursor);
		return;
	}
	buf_init(&url, 64 << 10);
	page_link(r, name, cursor, limit, &url);
	json_key(&r->reply.json, "nextLink");
	json_string_len(&r->reply.json, url.data, url.len);
	buf_free(&url);
}

static void next_page(struct req *r, const struct page *p, const struct cursor *last)
{
	char cursor[CURSOR_SIZE];

	req_cursor_seal(r, cursor, p->context, last);
	page_next(r, "cursor", cursor, p->limit);
}

enum step page_end(struct req *r, const struct page *p, const struct cursor *last)
{
	struct json_out *o = &r->reply.json;

	json_end_array(o);
	json_key(o, "pagination");
	json_begin_object(o);
	if (last)
		next_page(r, p, last);
	if (p->count != COUNT_NONE) {
		json_add_int(o, "count", r->list.total);
	}
	if (r->list.total_estimated) {
		json_add_bool(o, "countIsEstimated", true);
	}
	if (p->ended && last == &p->end) {
		json_add_int(o, "scanned", p->most);
	}
	json_end_object(o);
	json_end_object(o);
	return reply_end(r);
}

bool page_walk_begin(struct req *r, struct page_walk *w)
{
	*w = (struct page_walk){.last = {.has_id = true}};
	if (!page_read(r, &w->page)) {
		reply_issues(r, "Invalid query parameters");
		return false;
	}
	page_begin(r);
	return true;
}

const struct group *page_walk_group(struct req *r, struct page_walk *w)
{
	const struct group *g = visible_group(r->caller.ws, &r->given.path[0].id, &r->caller.viewer);

	if (!g) {
		reply_not_found(r);
		return NULL;
	}
	return page_walk_begin(r, w) ? g : NULL;
}

bool page_walk_shows(const struct req *r, struct page_walk *w, const struct uuid *id)
{
	if (w->page.after && uuid_compare(id, &w->page.cursor.id) <= 0)
		return false;
	w->more = w->shown == w->page.limit || (w->shown && page_full(r));
	if (w->more)
		return false;
	w->last.id = *id;
	w->shown++;
	return true;
}

enum step page_walk_end(struct req *r, const struct page_walk *w)
{
	return page_end(r, &w->page, w->more ? &w->last : NULL);
}
