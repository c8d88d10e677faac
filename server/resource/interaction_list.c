/* Reading interactions: one, the list, and the two lists by time. */
#include "server/resource/entity.h"
#include "server/resource/interaction.h"
#include "server/request/page.h"
#include "server/request/slice.h"
#include "server/output/render.h"
#include "server/resource/steps.h"
#include "store/entity_kind.h"
#include "store/record.h"

enum { BY_TIME_LIMIT = 30 };

enum interaction_order { BY_CREATION, PAST, UPCOMING };

struct interaction_page {
	struct page page;
	enum interaction_order order;
};

bool interaction_is_of(const struct req *r, const struct record *rec)
{
	const struct param_value *asked = req_param(r, "entity.id");
	const struct value *v = &rec->values[INTERACTION_ENTITY];
	struct uuid id;

	return !asked->given || (entity_param_read(asked, &id) == v->kind && uuid_equal(&id, &v->entity));
}

enum step interaction_show(struct req *r)
{
	const struct record *rec = r->row >= 0 ? record_load(r->x, 0, r->row, &interaction_resource, &r->arena) : NULL;

	if (!rec || !interaction_is_of(r, rec))
		return reply_not_found(r);
	render_record(reply_begin(r), rec, r->ws, &r->viewer);
	return reply_end(r);
}

/* --- lists ----------------------------------------------------------------------------- */

static void user_sql(const struct req *r, struct sql *s)
{
	const struct param_value *v = req_param(r, "userId");
	struct uuid id;

	if (!v->given)
		return;
	if (!id_parse(ID_USER, v->text, v->len, &id))
		id = (struct uuid){{0}};
	sql_add(s, " and t.user_id = ");
	sql_uuid(s, &id);
}

static void time_sql(const struct req *r, struct sql *s, const char *name, const char *compare)
{
	const struct param_value *v = req_param(r, name);

	if (!v->given)
		return;
	sql_addf(s, " and t.date_time %s ", compare);
	sql_time(s, v->number);
}

/* Past ones from the newest, upcoming ones from the earliest. */
static void by_time_sql(struct req *r, struct sql *s, const struct interaction_page *p)
{
	bool past = p->order == PAST;

	sql_addf(s, " and t.date_time %s ", past ? "<=" : ">");
	sql_time(s, req_now_ms(r));
	if (p->page.after) {
		sql_addf(s, " and (t.date_time, t.id) %s (", past ? "<" : ">");
		sql_time(s, p->page.cursor.value);
		sql_add(s, ", ");
		sql_uuid(s, &p->page.cursor.id);
		sql_add(s, ")");
	}
	page_end_rows(s, past ? " order by t.date_time desc, t.id desc" : " order by t.date_time, t.id",
	    p->page.limit + 1, false);
}

static enum step list_ordered(struct req *r, enum interaction_order order)
{
	struct interaction_page *p = arena_alloc(&r->arena, sizeof *p);
	struct sql *s;

	if (!page_read(r, &p->page))
		return reply_issues(r, "Invalid query parameters");
	r->state.interactions = p;
	p->order = order;
	s = req_sql(r, NULL, NULL);
	page_begin_rows(s, &interaction_resource, false);
	entity_param_sql(r, s);
	user_sql(r, s);
	time_sql(r, s, "from", ">=");
	time_sql(r, s, "to", "<");
	if (order == BY_CREATION) {
		page_sql(s, &p->page);
	} else {
		p->page.limit = BY_TIME_LIMIT;
		by_time_sql(r, s, p);
	}
	return req_ask(r, DB_LIST);
}

enum step interaction_list(struct req *r)
{
	return list_ordered(r, BY_CREATION);
}

enum step interaction_past(struct req *r)
{
	return list_ordered(r, PAST);
}

enum step interaction_upcoming(struct req *r)
{
	return list_ordered(r, UPCOMING);
}

enum step interaction_list_show(struct req *r)
{
	const struct interaction_page *p = r->state.interactions;
	size_t rows = (size_t)page_shown(r, 0, p->page.limit);
	struct cursor last = {.has_id = true, .has_value = p->order != BY_CREATION};
	const struct record *rec;

	if (r->done == 0)
		page_begin(r);
	while (r->done < rows && !page_full(r)) {
		rec = record_load(r->x, 0, (int)r->done++, &interaction_resource, &r->arena);
		render_record(&r->json, rec, r->ws, &r->viewer);
		if (r->done < rows && slice_over(r))
			return AGAIN;
	}
	if (!r->list.more && r->done == rows)
		return page_end(r, &p->page, NULL);
	rec = record_load(r->x, 0, (int)r->done - 1, &interaction_resource, &r->arena);
	last.id = rec->values[INTERACTION_ID].id;
	last.value = last.has_value ? rec->values[INTERACTION_DATE_TIME].number : 0;
	return page_end(r, &p->page, &last);
}
