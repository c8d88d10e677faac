/* Steps that need nothing but the field table: get, list, and the opening of deletes and of changes of settings. */
#include <string.h>

#include "server/page.h"
#include "server/render.h"
#include "server/route.h"
#include "server/steps.h"
#include "store/record.h"

enum step step_get(struct req *r)
{
	struct sql *s = req_sql(r, r->route->path, NULL);

	record_select(s, r->route->resource);
	sql_add(s, " and t.id = ");
	sql_uuid(s, &r->path[0].id);
	return ask(r, DB_POINT);
}

enum step step_show(struct req *r)
{
	if (db_rows(r->x, 0) == 0)
		return reply_not_found(r);
	render_record(reply_begin(r), record_load(r->x, 0, 0, r->route->resource, &r->arena), r->ws, &r->viewer);
	return reply_end(r);
}

/* --- lists ----------------------------------------------------------------------- */

enum { LIST_ROWS, LIST_COUNT };

static void count_sql(struct req *r, enum page_count how)
{
	struct sql *s = req_sql(r, NULL, NULL);

	/* The planner's guess costs nothing; it comes as the text of a plan. */
	sql_addf(s,
	    how == COUNT_EXACT ? "select count(*) from %s t where t.workspace_id = $1"
	                       : "explain (format json) select 1 from %s t where t.workspace_id = $1",
	    r->route->resource->table);
}

enum step step_list(struct req *r)
{
	struct page *p = arena_alloc(&r->arena, sizeof *p);
	struct sql *s;

	if (!page_read(r, p))
		return reply_issues(r, "Invalid query parameters");
	r->state = p;
	s = req_sql(r, page_name(r, p), NULL);
	record_select(s, r->route->resource);
	page_sql(s, p);
	if (p->count != COUNT_NONE)
		count_sql(r, p->count);
	return ask(r, DB_LIST);
}

static int64_t total(const struct req *r, enum page_count how)
{
	const char *plan, *rows;
	size_t len;
	int64_t n = 0;

	if (how == COUNT_NONE)
		return -1;
	if (how == COUNT_EXACT)
		return db_int(r->x, LIST_COUNT, 0, 0);
	plan = db_text(r->x, LIST_COUNT, 0, 0, &len);
	rows = strstr(plan, "\"Plan Rows\": ");
	for (rows = rows ? rows + 13 : ""; *rows >= '0' && *rows <= '9'; rows++)
		n = n * 10 + (*rows - '0');
	return n;
}

static struct cursor key_of(const struct record *rec, enum page_sort sort)
{
	const struct resource *res = rec->resource;
	struct cursor c = {.sort = (uint8_t)sort, .has_id = true, .id = rec->values[0].id};

	if (sort == SORT_UPDATED || sort == SORT_UPDATED_DOWN) {
		c.has_value = true;
		c.value = rec->values[field_find(res, "updatedAt", 9)].number;
	}
	return c;
}

enum step step_list_show(struct req *r)
{
	const struct page *p = r->state;
	int rows = db_rows(r->x, LIST_ROWS), shown = rows > p->limit ? p->limit : rows;
	struct json_out *o = page_begin(r);
	struct cursor last;

	for (int i = 0; i < shown; i++) {
		struct record *rec = record_load(r->x, LIST_ROWS, i, r->route->resource, &r->arena);
		render_record(o, rec, r->ws, &r->viewer);
		if (i == shown - 1)
			last = key_of(rec, p->sort);
	}
	return page_end(r, p, rows > shown ? &last : NULL, total(r, p->count));
}

/* --- writes ------------------------------------------------------------------------ */

enum step step_delete_open(struct req *r)
{
	struct sql *s;

	write_begin(r);
	s = req_sql(r, NULL, &r->at);
	record_select(s, r->route->resource);
	sql_add(s, " and t.id = ");
	sql_uuid(s, &r->path[0].id);
	sql_add(s, " for update of t");
	return ask_write(r);
}

enum step step_config_open(struct req *r)
{
	struct sql *parts[WORKSPACE_STATEMENTS], *s;

	write_begin(r);
	/* The row lock makes changes of one workspace's settings wait for each other,
	 * and what is read behind it is the truth until COMMIT. */
	s = req_sql(r, "config_lock", NULL);
	sql_add(s, "update workspaces set version = version + 1 where workspace_id = $1");
	workspace_statements(parts, &r->arena, &r->ws->id);
	for (int i = 0; i < WORKSPACE_STATEMENTS; i++) {
		s = req_sql(r, NULL, i ? NULL : &r->at);
		*s = *parts[i];
	}
	return ask_write(r);
}

enum step config_opened(struct req *r)
{
	struct workspace *fresh = workspace_load(r->x, r->at, &r->ws->id);

	if (!fresh)
		return reply_error(r, ERROR_UNAVAILABLE, NULL);
	workspace_release(r->ws);
	r->ws = fresh;
	return PASS;
}
