/*
 * Who has no value of a custom field. No index has what is not there, and when nearly all have one, the list would be
 * walked to its end. But records of a kind have values of the same few sets of fields: an index has the ids of each set
 * in order (value_set), and one record of a set says whether the field is in it. Which sets there are is found by going
 * from one to the next; when they are too many, the list is walked.
 */
#include "filter/compile_parts.h"

/* The first record of the first set, or of the first one behind another. */
static void first_of_set(const struct page_plan *p, const char *condition)
{
	sql_add(p->c.s, "select t.value_set, t.id");
	page_rows(p, "");
	sql_addf(p->c.s, "%s order by t.value_set, t.id limit 1", condition);
}

/* f: a record of each set; k: whether the set lacks the field, of one set more than are tried. */
static void sets(const struct page_plan *p, const struct filter_condition *f)
{
	struct sql *s = p->c.s;

	sql_add(s, "f (value_set, id) as ((");
	first_of_set(p, "");
	sql_add(s, ") union all select n.value_set, n.id from f cross join lateral (");
	first_of_set(p, " and t.value_set > f.value_set");
	sql_add(s, ") n), k as materialized (select f.value_set, (select true from field_values v where v.owner_id = "
	           "f.id and ");
	compile_custom_rows(&p->c, f);
	sql_addf(s, " limit 1) is null as lacks from f limit %d)", p->most->sets + 1);
}

static void of_sets(const struct page_plan *p)
{
	const char *way = p->order->down ? " desc" : "";
	struct sql *s = p->c.s;

	sql_add(s, "select x.id from k cross join lateral (select t.id");
	page_rows(p, "");
	page_after_id(p, "t.id");
	sql_addf(s,
	    " and t.value_set = k.value_set order by t.value_set%s, t.id%s limit %d) x where k.lacks and (select "
	    "count(*) "
	    "from k) <= %d",
	    way, way, p->order->limit, p->most->sets);
}

bool drive_sets(const struct page_plan *p, const struct filter_condition *f)
{
	struct sql *s = p->c.s;

	if (!p->c.base->table->sets || p->c.base->more || f->relation || f->field->source != FILTER_CUSTOM ||
	    f->op != FILTER_EMPTY)
		return false;
	/* What a value holds may count as absent: then one record does not speak for its set. */
	if (compile_custom_hides(&p->c, f))
		return false;
	sql_add(s, "with recursive ");
	sets(p, f);
	sql_add(s, " select id from ((");
	of_sets(p);
	sql_add(s, ") union all (");
	page_plain(p, false, arena_printf(s->arena, " and (select count(*) from k) > %d", p->most->sets));
	sql_add(s, ")) u");
	page_order_id(p, "u.id");
	return true;
}
