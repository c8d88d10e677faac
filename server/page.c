/* Pages: a keyset, so that a page costs the same at any depth. */
#include "server/page.h"

#include <string.h>

#include "filter/read_query.h"
#include "server/base/text.h"
#include "server/route.h"
#include "server/server.h"

enum { LIMIT_DEFAULT = 20, LIMIT_MOST = 100 };

/* Everything that shapes the list; a cursor of another list does not open. */
static void context(struct req *r, struct page *p)
{
	struct cursor_context x;
	struct buf filter;

	cursor_context_begin(&x, &r->arena, &r->ws->id, r->route->path);
	for (int i = 0; i < PATH_PARAMS_MAX && r->path[i].text; i++)
		cursor_context_add(&x, i ? "path2" : "path1", 5, r->path[i].text, r->path[i].len);
	for (int i = 0; r->route->params && r->route->params[i]; i++) {
		const struct param *row = r->route->params[i];
		const struct param_value *v = &r->params[i];
		if (v->given && row->shapes)
			cursor_context_add(&x, row->name, strlen(row->name), v->text, v->len);
	}
	if (r->filtering && r->route->input == INPUT_SEARCH) {
		buf_init(&filter, 4 << 20);
		json_canonical(&filter, json_member(r->body, "filter"));
		cursor_context_add(&x, "filter", 6, filter.data, filter.len);
		buf_free(&filter);
	} else if (r->filtering) {
		filter_query_context(&x, &r->arena, &r->query);
	}
	cursor_context_end(&x, p->context);
}

bool page_read(struct req *r, struct page *p)
{
	const struct param_value *limit = req_param(r, "limit"), *cursor = req_param(r, "cursor"),
	                         *sort = req_param(r, "sort"), *count = req_param(r, "count");
	struct path at = PATH_NAME(NULL, "cursor");

	memset(p, 0, sizeof *p);
	p->limit = limit->given ? (int)limit->number : LIMIT_DEFAULT;
	p->sort = sort->given ? (enum page_sort)sort->number : SORT_CREATED;
	p->count = count->given ? (enum page_count)(count->number + 1) : COUNT_NONE;
	context(r, p);
	if (!cursor->given)
		return true;
	p->after = true;
	if (cursor_open(&p->cursor, r->server->cursor_key, p->context, cursor->text, cursor->len))
		return true;
	issue_string(&r->issues, &at, "cursor");
	return false;
}

void page_order_sql(struct sql *s, const struct page *p)
{
	const char *way = p->sort == SORT_CREATED_DOWN || p->sort == SORT_UPDATED_DOWN ? " desc" : "";
	bool updated = p->sort == SORT_UPDATED || p->sort == SORT_UPDATED_DOWN;

	sql_addf(s, updated ? " order by t.updated_at%s, t.id%s" : " order by t.id%s", way, way);
}

void page_sql(struct sql *s, const struct page *p)
{
	bool down = p->sort == SORT_CREATED_DOWN || p->sort == SORT_UPDATED_DOWN;
	bool updated = p->sort == SORT_UPDATED || p->sort == SORT_UPDATED_DOWN;

	if (p->after && updated) {
		sql_addf(s, " and (t.updated_at, t.id) %s (", down ? "<" : ">");
		sql_time(s, p->cursor.value);
		sql_add(s, ", ");
		sql_uuid(s, &p->cursor.id);
		sql_add(s, ")");
	} else if (p->after) {
		sql_addf(s, " and t.id %s ", down ? "<" : ">");
		sql_uuid(s, &p->cursor.id);
	}
	page_order_sql(s, p);
	/* In the text, so that a plan that is kept knows how few rows are wanted. */
	sql_addf(s, " limit %d", p->limit + 1);
}

const char *page_name(struct req *r, const struct page *p)
{
	if (r->filtering || (p->limit != LIMIT_DEFAULT && p->limit != LIMIT_MOST))
		return NULL;
	return arena_printf(&r->arena, "%s %d%s %d", r->route->path, p->sort, p->after ? " after" : "", p->limit);
}

int64_t page_estimate(const struct db_exchange *x, int statement)
{
	size_t len;
	const char *plan = db_text(x, statement, 0, 0, &len), *rows = strstr(plan, "\"Plan Rows\": ");
	int64_t n = 0;

	for (rows = rows ? rows + 13 : ""; *rows >= '0' && *rows <= '9'; rows++)
		n = n * 10 + (*rows - '0');
	return n;
}

struct json_out *page_begin(struct req *r)
{
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	json_key(o, "items");
	json_begin_array(o);
	return o;
}

void page_link(struct req *r, const char *name, const char *cursor, int limit, struct buf *url)
{
	size_t path_len = strcspn(r->in->target, "?");

	buf_printf(url, "%s%.*s?", req_base_url(r), (int)path_len, r->in->target);
	for (size_t i = 0; i < r->query.count; i++) {
		const struct query_pair *pair = &r->query.pairs[i];
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

static void next_page(struct req *r, const struct page *p, const struct cursor *last)
{
	char cursor[CURSOR_SIZE];
	struct buf url;

	cursor_seal(cursor, r->server->cursor_key, p->context, last);
	if (r->route->input == INPUT_SEARCH) {
		json_key(&r->json, "nextCursor");
		json_string(&r->json, cursor);
		return;
	}
	buf_init(&url, 64 << 10);
	page_link(r, "cursor", cursor, p->limit, &url);
	json_key(&r->json, "nextLink");
	json_string_len(&r->json, url.data, url.len);
	buf_free(&url);
}

enum step page_end(struct req *r, const struct page *p, const struct cursor *last)
{
	struct json_out *o = &r->json;

	json_end_array(o);
	json_key(o, "pagination");
	json_begin_object(o);
	if (last)
		next_page(r, p, last);
	if (p->count != COUNT_NONE) {
		json_key(o, "count");
		json_int(o, r->total);
	}
	if (r->total_estimated) {
		json_key(o, "countIsEstimated");
		json_bool(o, true);
	}
	json_end_object(o);
	json_end_object(o);
	return reply_end(r);
}
