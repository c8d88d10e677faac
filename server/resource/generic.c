/* Steps that need only the field table: get, list, and the opening of deletes and of changes to settings. */
#include <string.h>

#include "server/output/render_custom.h"
#include "server/request/listing.h"
#include "server/output/names.h"
#include "server/request/names_load.h"
#include "server/request/page.h"
#include "server/output/render.h"
#include "server/request/route.h"
#include "server/request/slice.h"
#include "server/resource/merged.h"
#include "server/resource/steps.h"
#include "server/request/coalesce.h"
#include "store/record.h"

enum step step_get(struct req *r)
{
	return coalesce_get(r, &r->given.path[0].id);
}

enum step step_loaded(struct req *r)
{
	r->records = arena_alloc(&r->arena, sizeof *r->records);
	r->n_records = r->db.row >= 0 && r->db.row < db_rows(r->db.last, 0);
	if (r->n_records)
		r->records[0] = record_load(r->db.last, 0, r->db.row, r->route->resource, &r->arena);
	return PASS;
}

/* Custom values that refer to contacts or objects need another exchange. */
enum step step_names(struct req *r)
{
	const struct resource *res = r->route->resource;
	int custom = field_find(res, "customFieldValues", 17);

	if (!r->records)
		step_loaded(r);
	if (!r->names)
		r->names = arena_alloc(&r->arena, sizeof *r->names);
	while (r->done < r->n_records) {
		custom_want(&r->arena, r->caller.ws, &r->records[r->done++]->values[custom], r->names);
		if (r->done < r->n_records && slice_over(r))
			return AGAIN;
	}
	r->done = 0;
	if (r->names->count == 0)
		return PASS;
	names_ask(r, r->names, &r->at);
	return req_ask(r, DB_POINT);
}

/* Returns false when it must be continued in another turn. */
static bool generic_take_names(struct req *r)
{
	return !r->names || !r->names->count || names_take(r, r->names, r->db.last, r->at);
}

enum step step_show(struct req *r)
{
	if (!r->records)
		step_loaded(r);
	if (r->n_records == 0)
		return merged_not_found(r);
	if (!generic_take_names(r))
		return AGAIN;
	return reply_record_named(r, r->records[0], r->names);
}

/* --- lists ----------------------------------------------------------------------- */

/* The conditions of a list that shows only some ids. */
static void generic_only(void *ctx, struct sql *s)
{
	struct req *r = ctx;

	if (r->list.conditions)
		r->list.conditions(r, s);
	sql_add_uuid_array(s, " and t.id = any (", r->list.only, r->list.n_only);
	sql_add(s, ")");
}

const struct filter_base *step_list_base(struct req *r)
{
	struct filter_base *b = arena_alloc(&r->arena, sizeof *b);

	b->table = r->route->filters;
	b->column = r->list.column;
	b->id = r->list.id;
	b->viewer = r->given.listing ? &r->given.listing->viewer : NULL;
	b->more = r->list.only ? generic_only : r->list.conditions;
	b->ctx = r;
	return b;
}

/* A page that takes longer than PAGE_MS is asked for again with fewer tests: first, then a few. The last attempt has
 * the time of the lane. */
enum { PAGE_MS = 3000, FEWER_FIRST = 8000, FEWER_LAST = 500 };

static enum step generic_list_fewer(struct req *r);

static enum step generic_list_ask(struct req *r, struct page *p)
{
	listing_select(r, page_name(r, p), &r->at, r->list.counted, p);
	if (p->most > FEWER_LAST) {
		r->db.most_ms = PAGE_MS;
		r->db.timed_out = generic_list_fewer;
	}
	return req_ask(r, DB_LIST);
}

static enum step generic_list_fewer(struct req *r)
{
	struct page *p = r->list.page;

	p->fewer = p->most > FEWER_FIRST ? FEWER_FIRST : FEWER_LAST;
	return generic_list_ask(r, p);
}

enum step step_list(struct req *r)
{
	struct page *p = r->list.page;
	enum step followed;

	if (!p) { /* before merged ids are replaced, because a cursor belongs to the query as it was sent */
		p = r->list.page = arena_alloc(&r->arena, sizeof *p);
		if (!page_read(r, p))
			return reply_issues(
			    r, r->route->input == INPUT_SEARCH ? "Invalid input" : "Invalid query parameters");
	}
	followed = listing_know(r);
	if (followed == PASS)
		followed = merged_follow_query(r);
	if (followed != PASS)
		return followed;
	r->list.counted = step_list_base(r);
	p->small = r->route->filters != NULL; /* lists of records, which step_list_loaded() may read again */
	return generic_list_ask(r, p);
}

enum step step_list_loaded(struct req *r)
{
	struct page *p = r->list.page;

	if (page_withheld(r->db.last, r->at, p)) {
		p->small = false;
		r->next--; /* runs this step again */
		return generic_list_ask(r, p);
	}
	listing_load(r, r->at, p);
	return step_count(r);
}

static struct cursor generic_key(const struct record *rec, enum page_sort sort)
{
	struct cursor c = {.sort = (uint8_t)sort, .has_id = true, .id = rec->values[0].id};
	const char *field = page_orders[sort].field;
	int at = field ? field_find(rec->resource, field, strlen(field)) : -1;

	if (at >= 0) {
		c.has_value = true;
		c.value = rec->values[at].number * (rec->resource->fields[at].type == FIELD_STAMP ? 1 : 1000);
	}
	return c;
}

enum step step_list_show(struct req *r)
{
	const struct page *p = r->list.page;
	struct cursor last;

	if (!generic_take_names(r))
		return AGAIN;
	if (r->done == 0)
		page_begin(r);
	while (r->done < r->n_records && !page_full(r)) {
		render_record(&r->reply.json, r->records[r->done++], r->caller.ws, &r->caller.viewer, r->names);
		if (r->done < r->n_records && slice_over(r))
			return AGAIN;
	}
	if (p->ended && r->done == r->n_records)
		return page_end(r, p, &p->end);
	if (r->done)
		last = generic_key(r->records[r->done - 1], p->sort);
	return page_end(r, p, r->list.more || r->done < r->n_records ? &last : NULL);
}

/* --- writes ------------------------------------------------------------------------ */

enum step step_config_open(struct req *r)
{
	if (r->tx.session) /* already open: the snapshot was outdated and has been replaced */
		return PASS;
	r->tx.exclusive = true;
	r->tx.config = !r->given.dry;
	transaction_begin(r);
	/* The row lock serialises changes of a workspace's settings: they stay the same until COMMIT. */
	if (r->tx.config)
		sql_add(req_sql(r, "config_lock", NULL),
		    "update workspaces set version = version + 1 where workspace_id = $1");
	return transaction_ask(r);
}
