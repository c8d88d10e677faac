/* Reading and opening records that are linked to an entity. */
#include "server/resource/activity.h"

#include <string.h>

#include "server/event/activity_event.h"
#include "server/resource/entity.h"
#include "server/request/listing.h"
#include "server/request/page.h"
#include "server/output/render.h"
#include "server/request/route.h"
#include "server/resource/steps.h"
#include "server/resource/note_words.h"
#include "store/entity_kind.h"

static const struct activity_rule rules[] = {
    {&note_resource, "t.visibility = 'public'", "array[t.author_id]"},
    {&reminder_resource, "t.visibility = 'public'", "array[t.created_by]"},
    {&task_resource, "t.is_public", "(t.assigned_user_ids || t.created_by)"},
};

const struct activity_rule *activity_rule(const struct resource *res)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].resource == res)
			return &rules[i];
	return NULL;
}

void activity_visible_sql(const struct req *r, struct sql *s)
{
	const struct activity_rule *rule = activity_rule(r->route->resource);

	if (rule) {
		sql_addf(s, " and (%s or ", rule->public);
		sql_uuid(s, &r->viewer.user);
		sql_addf(s, " = any (%s))", rule->owners);
	}
	entity_visible_sql(r, s, "entity_id");
}

/* --- one ------------------------------------------------------------------------- */

enum step activity_get(struct req *r)
{
	struct sql *s = req_sql(r, r->route->path, NULL);

	record_select(s, r->route->resource);
	activity_visible_sql(r, s);
	sql_add(s, " and t.id = ");
	sql_uuid(s, &r->path[0].id);
	return req_ask(r, DB_POINT);
}

void activity_lock(struct req *r)
{
	struct sql *s;

	transaction_begin(r);
	s = req_sql(r, NULL, &r->at);
	record_select(s, r->route->resource);
	activity_visible_sql(r, s);
	sql_add(s, " and t.id = ");
	sql_uuid(s, &r->path[0].id);
	sql_add(s, " for update of t");
}

enum step activity_open(struct req *r)
{
	activity_lock(r);
	return transaction_ask(r);
}

struct record *activity_locked(struct req *r)
{
	return db_rows(r->x, r->at) ? record_load(r->x, r->at, 0, r->route->resource, &r->arena) : NULL;
}

enum step activity_delete(struct req *r)
{
	struct sql *s;

	if (db_rows(r->x, r->at) == 0)
		return reply_not_found(r);
	activity_event(r, activity_locked(r), NULL);
	s = req_sql(r, NULL, NULL);
	sql_addf(s, "delete from %s where workspace_id = $1 and id = ", r->route->resource->table);
	sql_uuid(s, &r->path[0].id);
	return reply_id(r, r->route->resource->id_kind, &r->path[0].id);
}

/* --- lists ------------------------------------------------------------------------ */

struct activity_listing {
	struct page page;
	struct note_words words;
	bool by_words;
	int at_rows;
	struct req *req;
	struct filter_base base;
};

/* The rows of the list, without its filters. */
static void list_conditions(void *ctx, struct sql *s)
{
	const struct activity_listing *l = ctx;
	const struct req *r = l->req;
	const struct param_value *after = req_param(r, "createdAfter"), *before = req_param(r, "createdBefore"),
	                         *mine = req_param(r, "onlyAssignedToMe");

	activity_visible_sql(r, s);
	entity_param_sql(r, s);
	if (l->by_words && l->words.count == 0)
		sql_add(s, " and false"); /* no note contains an empty word */
	if (l->by_words) {
		sql_add(s, " and t.words @> ");
		sql_int8_array(s, l->words.hashes, l->words.count);
	}
	if (after->given) {
		sql_add(s, " and t.created_at > ");
		sql_time(s, after->number);
	}
	if (before->given) {
		sql_add(s, " and t.created_at < ");
		sql_time(s, before->number);
	}
	if (mine->given && mine->number == 0) { /* the first choice is true */
		sql_add(s, " and t.assigned_user_ids @> ");
		sql_uuid_array(s, &r->viewer.user, 1);
	}
}

static void activity_set_base(struct req *r, struct activity_listing *l)
{
	const struct param_value *entity = req_param(r, "entity.id");

	l->req = r;
	l->base = (struct filter_base){.table = r->route->filters,
	    .viewer = r->listing ? &r->listing->viewer : NULL,
	    .more = list_conditions,
	    .ctx = l};
	if (entity->given && r->listing) { /* an index has an entity's records in the order of their ids */
		l->base.column = "entity_id";
		entity_param_read(entity, &l->base.id);
	}
}

const struct filter_base *activity_list_base(struct req *r)
{
	struct activity_listing *l = arena_alloc(&r->arena, sizeof *l);

	activity_set_base(r, l);
	return &l->base;
}

static void read_words(struct req *r, struct activity_listing *l)
{
	const struct param_value *query = req_param(r, "query");

	l->by_words = query->given;
	if (l->by_words)
		words_read(&l->words, &r->arena, &r->ws->id, query->text, query->len);
}

enum step activity_list(struct req *r)
{
	struct activity_listing *l = arena_alloc(&r->arena, sizeof *l);

	if (!page_read(r, &l->page))
		return reply_issues(r, "Invalid query parameters");
	r->list.page = &l->page;
	r->state.activities = l;
	read_words(r, l);
	activity_set_base(r, l);
	r->list.counted = &l->base;
	listing_select(r, NULL, &l->at_rows, &l->base, &l->page);
	return req_ask(r, DB_LIST);
}

/* --- results -------------------------------------------------------------------------- */

/* Loads the records between query and display; the next step queries what else they need. */
enum step activity_loaded(struct req *r)
{
	struct activity_listing *l = r->state.activities;

	if (!l) {
		r->records = arena_alloc(&r->arena, sizeof *r->records);
		r->n_records = db_rows(r->x, 0) > 0;
		if (r->n_records)
			r->records[0] = record_load(r->x, 0, 0, r->route->resource, &r->arena);
		return PASS;
	}
	listing_load(r, l->at_rows, &l->page);
	return PASS;
}

/* --- writing -------------------------------------------------------------------------- */

void activity_take(struct record *rec, const struct input *in)
{
	for (int i = 0; i < in->resource->n_fields; i++)
		if (in->given & FIELD_BIT(i))
			rec->values[i] = in->values[i];
}

struct record *activity_new(struct req *r, int author, int created_at)
{
	struct record *rec = record_new(r->route->resource, &r->arena);

	activity_take(rec, r->input);
	rec->values[0] = (struct value){.id = id_new()};
	rec->values[author] = (struct value){.id = r->viewer.user};
	rec->values[created_at] = (struct value){.number = req_now_ms(r)};
	return rec;
}

enum step activity_same_entity(struct req *r, int field, const struct value *own)
{
	struct issue_keys keys;

	if (!activity_gives(r, field) || value_equal(FIELD_ENTITY, &r->input->values[field], own))
		return PASS;
	issue_keys_begin(&keys, &r->issues);
	issue_keys_add(&keys, "entity", 6);
	issue_keys_end(&keys, NULL);
	return reply_issues(r, "Invalid input");
}

enum step activity_answer(struct req *r, struct record *rec)
{
	render_record(reply_begin(r), rec, r->ws, &r->viewer);
	return reply_end(r);
}
