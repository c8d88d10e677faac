/* Conditions for which an index has what they find in the order of ids. */
#include <stdlib.h>
#include <string.h>

#include "filter/compile_parts.h"

/* Over so many values, one branch for all of them: a branch each makes planning dear. */
enum { BRANCHES_MAX = 16 };

/* Branches are pages of their own, each in order; together they are the page. */
struct branches {
	const struct page_plan *p;
	int n;
};

static void branch(struct branches *b, const char *id)
{
	sql_addf(b->p->c.s, b->n++ ? " union (select %s as id" : "select id from ((select %s as id", id);
}

/*
 * key: the expression whose one value the branch has, when an index keeps it before the ids; "": none. Behind the
 * views that lists read, the planner takes only equalities of leakproof functions into account for orders, and must
 * be told that the index has this one too.
 */
static void branch_end(struct branches *b, const char *key, const char *id)
{
	if (*key)
		id = arena_printf(b->p->c.s->arena, "%s%s, %s", key, b->p->order->down ? " desc" : "", id);
	page_order_id(b->p, id);
	sql_add(b->p->c.s, ")");
}

/* What the index on a column of that type has in front of the ids. */
static const char *key_of(const struct branches *b, enum filter_type type, const char *column)
{
	if (type == FILTER_TEXT)
		return arena_printf(b->p->c.s->arena, "hashtextextended(%s, 0)", column);
	if (type == FILTER_NUMBER)
		return arena_printf(b->p->c.s->arena, "%s::numeric", column);
	return "";
}

static void branches_end(struct branches *b)
{
	if (b->n == 0) {
		sql_add(b->p->c.s, "select t.id");
		page_rows(b->p, "");
		sql_add(b->p->c.s, " and false limit 0");
		return;
	}
	sql_add(b->p->c.s, ") u");
	page_order_id(b->p, "u.id");
}

/* --- columns --------------------------------------------------------------------------- */

static void row_branch(struct branches *b, const char *condition)
{
	branch(b, "t.id");
	page_rows(b->p, "");
	page_after_id(b->p, "t.id");
	sql_addf(b->p->c.s, " and %s", condition);
}

static void equals(const struct compile *c, enum filter_type type, const char *column, const struct filter_value *v)
{
	if (type == FILTER_TEXT) {
		compile_text_equals(c, column, v);
		return;
	}
	sql_addf(c->s, "%s%s = ", column, type == FILTER_NUMBER ? "::numeric" : "");
	compile_value(c->s, type, v);
}

static void equal_branches(struct branches *b, const struct filter_condition *f, const char *column)
{
	enum filter_type type = f->field->type;

	for (size_t i = 0; i < f->n_values; i++) {
		const struct filter_value *v = &f->values[i];
		if (v->nobody)
			continue;
		if (type == FILTER_CHOICE && f->field->unset && strcmp(v->text, f->field->unset) == 0) {
			row_branch(b, arena_printf(b->p->c.s->arena, "%s is null", column));
		} else {
			row_branch(b, "");
			equals(&b->p->c, type, column, v);
		}
		branch_end(b, key_of(b, type, column), "t.id");
	}
}

static void empty_branches(struct branches *b, const struct filter_condition *f, const char *column)
{
	struct arena *a = b->p->c.s->arena;
	const char *key = key_of(b, f->field->type, column);

	/* Null in some columns, '' in others; of texts the index has the hash. */
	row_branch(b, arena_printf(a, "%s is null", *key ? key : column));
	branch_end(b, key, "t.id");
	if (f->field->type == FILTER_TEXT) {
		row_branch(b, arena_printf(a, "%s = '' and %s = hashtextextended('', 0)", column, key));
		branch_end(b, key, "t.id");
	}
}

static bool drive_column(struct branches *b, const struct filter_condition *f)
{
	const char *column = arena_printf(b->p->c.s->arena, "t.%s", f->field->column);

	if (f->field->type == FILTER_DAY || f->field->type == FILTER_INSTANT) {
		if (f->op != FILTER_EMPTY)
			return false;
		empty_branches(b, f, column);
	} else if (f->op == FILTER_EMPTY) {
		empty_branches(b, f, column);
	} else if ((f->op == FILTER_EQ || f->op == FILTER_IN) && f->n_values <= BRANCHES_MAX) {
		equal_branches(b, f, column);
	} else {
		return false;
	}
	return true;
}

/* --- instants that the ids hold --------------------------------------------------------- */

struct interval {
	int64_t from_ms, to_ms; /* [from, to) */
};

static const int64_t MS_LEAST = -INT64_C(62135596800000), MS_MOST = INT64_C(253402300800000); /* years 1 to 9999 */

static int by_start(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	return x->from_ms < y->from_ms ? -1 : x->from_ms > y->from_ms;
}

/* What a condition leaves of all time; answers how many intervals. */
static size_t intervals_of(const struct filter_condition *f, struct interval *out)
{
	int64_t at = MS_LEAST;
	size_t n = 0;

	for (size_t i = 0; i < f->n_values; i++)
		out[i] = (struct interval){f->op == FILTER_GT   ? f->values[i].to_ms
		                           : f->op == FILTER_LT ? MS_LEAST
		                                                : f->values[i].from_ms,
		    f->op == FILTER_GT   ? MS_MOST
		    : f->op == FILTER_LT ? f->values[i].from_ms
		                         : f->values[i].to_ms};
	if (f->op != FILTER_NOT_EQ)
		return f->n_values;
	qsort(out, f->n_values, sizeof *out, by_start);
	/* The gaps between them. */
	for (size_t i = 0; i < f->n_values; i++) {
		struct interval taken = out[i];
		if (taken.from_ms > at)
			out[n++] = (struct interval){at, taken.from_ms};
		at = taken.to_ms > at ? taken.to_ms : at;
	}
	out[n++] = (struct interval){at, MS_MOST};
	return n;
}

static void made_within(struct branches *b, const char *column, const struct interval *i, bool astray)
{
	enum { SLACK_MS = 60000 };
	struct sql *s = b->p->c.s;
	struct uuid low = id_least(i->from_ms - SLACK_MS), high = id_least(i->to_ms + SLACK_MS);

	row_branch(b, arena_printf(s->arena, "%s >= ", column));
	sql_time(s, i->from_ms);
	sql_addf(s, " and %s < ", column);
	sql_time(s, i->to_ms);
	if (astray) {
		sql_addf(s, " and kith_astray(t.id, %s)", column);
	} else {
		sql_add(s, " and t.id >= ");
		sql_uuid(s, &low);
		sql_add(s, " and t.id < ");
		sql_uuid(s, &high);
	}
	branch_end(b, "", "t.id");
}

/*
 * Ids begin with the millisecond at which they were made, so an interval of createdAt is one of ids. Rows whose two
 * times differ (a clock was set back, rows were brought from elsewhere) are few; an index of their own has them.
 */
static bool drive_created(struct branches *b, const struct filter_condition *f)
{
	struct interval *all = arena_alloc(b->p->c.s->arena, (f->n_values + 1) * sizeof *all);
	size_t n = intervals_of(f, all);

	if (n > BRANCHES_MAX)
		return false;
	for (size_t i = 0; i < n; i++) {
		made_within(b, "t.created_at", &all[i], false);
		made_within(b, "t.created_at", &all[i], true);
	}
	return true;
}

/* --- lists ---------------------------------------------------------------------------------- */

/*
 * Owners linked with one other. When more is to be known of the rows themselves, each owner is asked for its row by
 * itself: a join would let the planner read the rows of the list in their order beside the links, from the first on.
 */
static void link_branch(struct branches *b, const struct filter_condition *f, const struct uuid *other, bool list)
{
	const struct filter_link *l = &f->field->link;
	const struct filter_base *base = b->p->c.base;
	const char *owner = arena_printf(b->p->c.s->arena, "l.%s", l->owner);
	struct sql *s = b->p->c.s;

	branch(b, owner);
	sql_addf(s, " from %s l where l.workspace_id = $1 and l.%s = ", l->table, l->other);
	sql_uuid(s, other);
	page_after_id(b->p, owner);
	if (list || base->column || base->more) {
		sql_add(s, " and (select true");
		page_rows(b->p, "");
		sql_addf(s, " and t.id = %s", owner);
		if (list) {
			sql_add(s, " and ");
			compile_list(&b->p->c, f, f->op);
		}
		sql_add(s, " limit 1)");
	}
	branch_end(b, "", owner);
}

/* Rows with exactly that set, none when n is 0: the index has a number for each. */
static void set_of(struct branches *b, const struct filter_condition *f, const struct filter_ids *ids)
{
	struct sql *s = b->p->c.s;
	const char *key = arena_printf(s->arena, "kith_set(t.%s)", f->field->column);

	row_branch(b, arena_printf(s->arena, "%s = kith_set(", key));
	sql_uuid_array(s, ids->ids, ids->count);
	sql_add(s, ") and ");
	if (ids->count)
		compile_list(&b->p->c, f, f->op);
	else
		sql_addf(s, "t.%s = '{}'", f->field->column);
	branch_end(b, key, "t.id");
}

/* Texts: an index for those with items, and one for those without. */
static bool drive_texts(struct branches *b, const struct filter_condition *f)
{
	if (f->op != FILTER_EMPTY && f->op != FILTER_NOT_EMPTY)
		return false;
	row_branch(
	    b, arena_printf(b->p->c.s->arena, "t.%s %s '{}'", f->field->column, f->op == FILTER_EMPTY ? "=" : "<>"));
	branch_end(b, "", "t.id");
	return true;
}

/* References to groups, companies, people: links have them by what they refer to. */
static bool drive_references(struct branches *b, const struct filter_condition *f)
{
	struct filter_ids ids = compile_ids(&b->p->c, f);
	bool some_absent = compile_absent(&b->p->c, f->field).n > 0;

	if (!f->field->link.table || ids.count > BRANCHES_MAX)
		return false;
	if (f->op == FILTER_IN) {
		for (size_t i = 0; i < ids.count; i++)
			link_branch(b, f, &ids.ids[i], false);
		return true;
	}
	if (f->op == FILTER_ALL && (!ids.all || ids.count == 0))
		return true; /* nothing */
	if (f->op == FILTER_ALL && some_absent)
		link_branch(b, f, &ids.ids[0], true);
	else if (f->op == FILTER_ALL || (f->op == FILTER_EMPTY && !some_absent))
		set_of(b, f, &ids);
	else
		return false;
	return true;
}

static bool drive_list(struct branches *b, const struct filter_condition *f)
{
	return f->field->type == FILTER_REFS ? drive_references(b, f) : drive_texts(b, f);
}

/* --- custom values --------------------------------------------------------------------------- */

static void value_branch(struct branches *b, const struct filter_condition *f)
{
	branch(b, f->op == FILTER_NOT_EMPTY ? "distinct v.owner_id" : "v.owner_id");
	sql_add(b->p->c.s, " from field_values v where ");
	compile_custom_rows(&b->p->c, f);
	page_after_id(b->p, "v.owner_id");
}

/* Owners of the first value who have the others too, and no further one. */
static bool set_branch(struct branches *b, const struct filter_condition *f)
{
	static const char *const of_owner =
	    "from field_values w where w.workspace_id = $1 and w.field_id = v.field_id and "
	    "w.owner_id = v.owner_id and w.ref_id";
	struct filter_ids ids = compile_ids(&b->p->c, f);
	struct sql *s = b->p->c.s;

	if (compile_custom_hides(&b->p->c, f))
		return false;
	if (!ids.all || ids.count == 0)
		return true;
	value_branch(b, f);
	sql_add(s, " and v.ref_id = ");
	sql_uuid(s, &ids.ids[0]);
	for (size_t i = 1; i < ids.count; i++) {
		sql_addf(s, " and (select true %s = ", of_owner);
		sql_uuid(s, &ids.ids[i]);
		sql_add(s, " limit 1)");
	}
	sql_addf(s, " and (select true %s <> all (", of_owner);
	sql_uuid_array(s, ids.ids, ids.count);
	sql_add(s, ") limit 1) is null");
	branch_end(b, "", "v.owner_id");
	return true;
}

static bool drive_custom(struct branches *b, const struct filter_condition *f)
{
	const char *column = compile_custom_column(f->field->type);
	struct sql *s = b->p->c.s;

	if (b->p->c.base->more)
		return false;
	if (f->op == FILTER_NOT_EMPTY) {
		value_branch(b, f);
		branch_end(b, "", "v.owner_id");
		return true;
	}
	if (f->op == FILTER_ALL)
		return set_branch(b, f);
	if ((f->op != FILTER_EQ && f->op != FILTER_IN) || f->n_values > BRANCHES_MAX)
		return false;
	for (size_t i = 0; i < f->n_values; i++) {
		if (f->values[i].nobody)
			continue;
		value_branch(b, f);
		sql_add(s, " and ");
		equals(&b->p->c, f->field->type, column, &f->values[i]);
		branch_end(b, key_of(b, f->field->type, column), "v.owner_id");
	}
	return true;
}

/* Whom the viewer has met. */
static bool drive_met(struct branches *b, const struct filter_condition *f)
{
	const char *owner = compile_value_owner(f);

	if (f->op != FILTER_NOT_EMPTY || b->p->c.base->more)
		return false;
	branch(b, owner);
	compile_value_rows(&b->p->c, f);
	page_after_id(b->p, owner);
	sql_add(b->p->c.s, " and ");
	compile_value_fits(&b->p->c, f);
	branch_end(b, "", owner);
	return true;
}

bool drive_ordered(const struct page_plan *p, const struct filter_condition *f)
{
	struct branches b = {.p = p};
	bool done = false;

	if (f->relation)
		return false;
	if (drive_months(p, f))
		return true;
	if (f->field->source == FILTER_CUSTOM)
		done = drive_custom(&b, f);
	else if (f->field->source == FILTER_COUNTS)
		done = drive_met(&b, f);
	else if (compile_is_list(f->field))
		done = drive_list(&b, f);
	else if (strcmp(f->field->column, "created_at") == 0 && f->op != FILTER_NOT_EMPTY)
		done = f->op == FILTER_EMPTY || drive_created(&b, f); /* never unset */
	else
		done = drive_column(&b, f);
	if (done)
		branches_end(&b);
	return done;
}
