/*
 * Who lacks what nearly all have. No index says that something is not there: `not_like "https://"` would read the list
 * to its end. Of the parts that nearly all texts of a column contain the database keeps the rows that lack them
 * (migrations/0015, server/job/parts.c). A text without the value lacks every part that the value lies in, so those
 * rows are all that can match; the condition itself is tested on each. Whether there is such a part the statement
 * finds out by itself, at the same moment at which it reads the rows; when there is none, the list is walked.
 */
#include "filter/compile_parts.h"

/* A condition that all that matches fulfils and that denies a part of a text; NULL: none. */
static const struct filter_condition *denial(const struct filter *f)
{
	const struct filter_condition *found = NULL;

	if (f->kind == FILTER_ONE)
		return f->condition->op == FILTER_NOT_LIKE && f->condition->field->source == FILTER_COLUMN &&
		               !f->condition->relation
		           ? f->condition
		           : NULL;
	if (f->kind == FILTER_ANY_OF && f->n_parts != 1)
		return NULL;
	for (size_t i = 0; i < f->n_parts && !found; i++)
		found = denial(f->parts[i]);
	return found;
}

/* q: the part of which the fewest rows are kept, as far as its length tells. */
static void part_of(const struct page_plan *p, const struct filter_condition *f)
{
	const struct filter_base *b = p->c.base;
	struct sql *s = p->c.s;

	sql_addf(s,
	    "q as materialized (select id from common_parts c where workspace_id = $1 and table_name = '%s' and "
	    "column_name = '%s' and list_id = ",
	    b->table->resource->table, f->field->column);
	if (b->column)
		sql_uuid(s, &b->id);
	else
		sql_add(s, "$1");
	sql_add(s, " and state = 'ready' and (");
	for (size_t i = 0; i < f->n_values; i++) {
		sql_add(s, i ? " or strpos(part, kith_fold(" : "strpos(part, kith_fold(");
		sql_text(s, f->values[i].text, f->values[i].len);
		sql_add(s, ")) > 0");
	}
	sql_add(s, ")");
	if (p->order->updated) /* all of them are sorted */
		sql_addf(s,
		    " and (select count(*) from (select from part_lacks l where l.workspace_id = $1 and l.part_id = "
		    "c.id "
		    "limit %d) x) <= %d",
		    p->most->lacking + 1, p->most->lacking);
	sql_add(s, " order by length(part) limit 1)");
}

/* One row after the other, in the order of ids, whatever the planner thinks of how many there are. */
static void lacking(const struct page_plan *p)
{
	struct sql *s = p->c.s;

	sql_addf(s, "select %s from part_lacks l cross join lateral (select t.id, t.updated_at", page_key(p));
	page_rows(p, "");
	sql_add(s, " and t.id = l.row_id");
	page_after(p, "t");
	sql_add(s, " and ");
	compile_tree(&p->c, p->filter);
	sql_add(s, " offset 0) x where l.workspace_id = $1 and l.part_id = (select id from q)");
	if (p->order->updated)
		return;
	page_after_id(p, "l.row_id");
	page_order_id(p, "l.row_id");
}

bool drive_lacks(const struct page_plan *p)
{
	const struct filter_condition *f = p->filter ? denial(p->filter) : NULL;
	struct sql *s = p->c.s;

	if (!f)
		return false;
	sql_add(s, "with ");
	part_of(p, f);
	sql_add(s, " select id from ((");
	lacking(p);
	sql_add(s, ") union all (");
	page_plain(p, true, " and (select id from q) is null");
	sql_add(s, ")) u");
	page_order(p, "u");
	return true;
}
