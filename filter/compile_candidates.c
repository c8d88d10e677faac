/*
 * Look-ups in two steps: what fits lies in another table, the candidates, and those lead to rows of the list. Nobody
 * knows beforehand how many there are, and the planner guesses badly behind views; so each step is a part of the
 * statement of its own, which reads no more than can be used in time.
 *
 * Of when people were met the candidates are counters, of people and of what else is met, and the people's own times
 * decide. Of a relation they are records of the other resource, and their links lead to the list's.
 */
#include "filter/compile_parts.h"

/* The only condition is on what is related. */
static const struct filter_relation *relation(const struct page_plan *p)
{
	return p->one ? p->one->relation : NULL;
}

bool candidates_apply(const struct page_plan *p)
{
	return relation(p) || (p->values && compile_is_met(p->values->field));
}

/* The select of the candidates' ids; condition: " and …", or "". */
static void find(const struct page_plan *p, const char *condition)
{
	struct compile c = p->c;

	c.indexed = true;
	if (relation(p)) {
		sql_addf(
		    c.s, "select r.id from %s r where r.workspace_id = $1 and ", relation(p)->target->resource->table);
		compile_related(&c, p->one);
	} else {
		const char *owner = compile_value_owner(p->values);
		sql_addf(c.s, "select %s as id", owner);
		compile_value_rows(&c, p->values);
		page_after_id(p, owner);
		sql_add(c.s, " and ");
		compile_scalar(&c, p->values, p->values->op, "v.last_at");
	}
	sql_add(c.s, condition);
}

/* The ids of the list's records that are linked with the candidates, who follow, up to links_end(). */
static void links_begin(const struct page_plan *p)
{
	const struct filter_link *l = &relation(p)->link;

	sql_addf(p->c.s, "select l.%s as id from %s l where l.workspace_id = $1", l->owner, l->table);
	if (!p->order->updated)
		page_after_id(p, arena_printf(p->c.s->arena, "l.%s", l->owner));
	sql_addf(p->c.s, " and l.%s = any (array(", l->other);
}

static void links_end(const struct page_plan *p)
{
	sql_add(p->c.s, "))");
}

/* The rows of the list among those whose ids follow, up to rows_end(). */
static void rows_begin(const struct page_plan *p)
{
	page_select(p);
	sql_add(p->c.s, " and t.id = any (array(");
}

static void rows_end(const struct page_plan *p)
{
	sql_add(p->c.s, "))");
	if (relation(p))
		return;
	sql_add(p->c.s, " and ");
	compile_tree(&p->c, p->filter);
}

void candidates_stage(const struct page_plan *p, const char *condition)
{
	struct sql *s = p->c.s;

	sql_add(s, ", c1 as materialized (");
	find(p, condition);
	sql_addf(s, " limit %d)", p->look_up + 1);
	if (!relation(p))
		return;
	sql_add(s, ", l1 as materialized (");
	links_begin(p);
	sql_add(s, "select id from c1");
	links_end(p);
	sql_addf(s, " limit %d)", p->most->look_up_range + 1);
}

const char *candidates_too_many(const struct page_plan *p)
{
	struct arena *a = p->c.s->arena;
	const char *found = arena_printf(a, "(select count(*) from c1) > %d", p->look_up);

	/* The links are not looked for when that is so. */
	return relation(p) ? arena_printf(a, "(%s or (select count(*) from l1) > %d)", found, p->most->look_up_range)
	                   : found;
}

void candidates_rows(const struct page_plan *p)
{
	rows_begin(p);
	sql_addf(p->c.s, "select id from %s", relation(p) ? "l1" : "c1");
	rows_end(p);
}

void candidates_all(const struct page_plan *p, const char *condition)
{
	rows_begin(p);
	if (relation(p))
		links_begin(p);
	find(p, condition);
	if (relation(p))
		links_end(p);
	rows_end(p);
}
