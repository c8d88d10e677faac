/* Look-ups of conditions in indexes; see lookup.h. */
#include "filter/lookup.h"

#include <string.h>

#include "filter/pattern.h"
#include "filter/value.h"

/* So many values are still looked for one by one: each makes planning dearer. */
enum { VALUES_MAX = 20 };

/* What usually leaves fewer rows comes first. */
enum { RANK_ITEM, RANK_TEXT, RANK_SEARCH, RANK_VALUE, RANK_LINK, RANK_INTERVAL, RANK_SET, RANK_EMPTY };

static bool is_interval(enum filter_op op)
{
	return op == FILTER_GT || op == FILTER_LT;
}

static const char *named(const struct row *r, const char *format, const char *name)
{
	return arena_printf(r->s->arena, "%s%s%s", format, *format ? "." : "", name);
}

/* The searched text of a field's rows, '@' being their alias. */
static const char *search_text(const struct row *r, const char *pattern)
{
	size_t len = strlen(r->alias);
	char *out = arena_alloc(r->s->arena, strlen(pattern) * (len + 1) + 1), *to = out;

	for (; *pattern; pattern++) {
		bool alias = *pattern == '@';
		memcpy(to, alias ? r->alias : pattern, alias ? len : 1);
		to += alias ? len : 1;
	}
	*to = '\0';
	return out;
}

static bool searchable(const struct filter_condition *f, bool whole)
{
	for (size_t i = 0; i < f->n_values; i++)
		if (!pattern_exists(&f->values[i], whole))
			return false;
	return f->n_values > 0 && f->n_values <= VALUES_MAX;
}

/* --- which one ---------------------------------------------------------------------------- */

static void find_custom(struct lookup *l, const struct row *r, const struct filter_condition *f)
{
	enum filter_type type = f->field->type;
	struct value_ids ids = {.count = f->n_values, .all = true};

	if (value_is_ids(type) && f->n_values)
		ids = value_ids(r->s->arena, r->viewer, f);
	l->id = "v.owner_id";
	l->index = "field_values";
	if (f->op != value_positive(f->op))
		return;
	if (f->op == FILTER_LIKE ? !searchable(f, false) : f->n_values > VALUES_MAX)
		return;
	if (f->n_values && (ids.count == 0 || (f->op == FILTER_ALL && !ids.all))) {
		l->way = LOOKUP_NOTHING;
		return;
	}
	l->way = LOOKUP_CUSTOM;
	l->rank = f->op == FILTER_LIKE        ? RANK_SEARCH
	          : f->op == FILTER_NOT_EMPTY ? RANK_EMPTY
	          : is_interval(f->op)        ? RANK_INTERVAL
	          : type == FILTER_TEXT       ? RANK_TEXT
	                                      : RANK_VALUE;
	l->ordered = f->op == FILTER_ALL || ((f->op == FILTER_EQ || f->op == FILTER_IN) && ids.count == 1);
	l->exact = f->op != FILTER_ALL && f->op != FILTER_LIKE;
	if (f->op == FILTER_EQ && type == FILTER_TEXT)
		l->key = "hashtextextended(v.text_value, 0)";
	else if (f->op == FILTER_EQ && type == FILTER_NUMBER)
		l->key = "v.number_value";
}

static void find_met(struct lookup *l, const struct filter_condition *f)
{
	if (f->op == FILTER_NOT_EQ || f->op == FILTER_EMPTY)
		return;
	l->way = LOOKUP_MET;
	l->rank = f->op == FILTER_NOT_EMPTY ? RANK_EMPTY : RANK_INTERVAL;
	l->id = "c.entity_id";
	l->index = "interaction_counts";
}

static void find_link(struct lookup *l, const struct row *r, const struct filter_condition *f)
{
	struct value_ids ids = value_ids(r->s->arena, r->viewer, f);

	if (f->op != FILTER_IN && f->op != FILTER_ALL)
		return;
	l->way = ids.count == 0 || (f->op == FILTER_ALL && !ids.all) ? LOOKUP_NOTHING : LOOKUP_LINK;
	l->rank = RANK_LINK;
	l->id = named(r, "l", f->field->link.owner);
	l->ordered = f->op == FILTER_ALL || ids.count == 1;
	l->exact = f->op == FILTER_IN;
	l->index = f->field->link.table;
}

/* One value, or several, or none of a column that an index has. */
static void find_value(struct lookup *l, const struct row *r, const struct filter_condition *f)
{
	struct value_ids ids = {.count = f->n_values};
	bool null = f->op == FILTER_EMPTY && (f->field->indexes & FILTER_BY_NULL);

	if (value_is_ids(f->field->type))
		ids = value_ids(r->s->arena, r->viewer, f);
	if (!null && f->op != FILTER_EQ && f->op != FILTER_IN && !is_interval(f->op))
		return;
	l->own = true;
	l->way = null || ids.count ? LOOKUP_VALUE : LOOKUP_NOTHING;
	l->rank = null ? RANK_EMPTY : is_interval(f->op) ? RANK_INTERVAL : RANK_VALUE;
	l->ordered = null || (ids.count == 1 && !is_interval(f->op) && f->field->type != FILTER_INSTANT);
	l->exact = true;
	if (f->field->indexes & FILTER_BY_HASH)
		l->key = arena_printf(r->s->arena, "hashtextextended(%s, 0)", named(r, r->alias, f->field->column));
	else if (f->field->type == FILTER_NUMBER)
		l->key = arena_printf(r->s->arena, "%s::numeric", named(r, r->alias, f->field->column));
}

static void find_column(struct lookup *l, const struct row *r, const struct filter_condition *f)
{
	unsigned by = f->field->indexes;

	if (by & FILTER_BY_MET) {
		find_met(l, f);
	} else if (f->field->link.table) {
		find_link(l, r, f);
	} else if ((by & FILTER_BY_EMPTY) && f->op == FILTER_EMPTY) {
		l->own = l->ordered = l->exact = true;
		l->way = LOOKUP_EMPTY;
		l->rank = RANK_EMPTY;
	} else if (f->field->item && f->op == FILTER_EQ && f->n_values <= VALUES_MAX) {
		l->way = LOOKUP_ITEM;
		l->rank = RANK_ITEM;
		l->ordered = f->n_values == 1;
	} else if ((by & FILTER_BY_SET) && f->op == FILTER_IN) {
		find_value(l, r, f);
		l->rank = RANK_SET;
		l->ordered = false;
	} else if ((by & FILTER_BY_HASH) && f->op == FILTER_EQ && f->n_values == 1) {
		find_value(l, r, f);
		l->rank = RANK_TEXT;
	} else if ((by & FILTER_BY_VALUE) && f->n_values <= VALUES_MAX) {
		find_value(l, r, f);
	} else if (f->field->search && (f->op == FILTER_LIKE || f->op == FILTER_EQ) &&
	           searchable(f, f->op == FILTER_EQ)) {
		l->own = true;
		l->way = LOOKUP_SEARCH;
		l->rank = f->op == FILTER_EQ ? RANK_TEXT : RANK_SEARCH;
	}
}

struct lookup lookup_find(const struct row *r, const struct filter_table *table, const struct filter_condition *f)
{
	struct lookup l = {.condition = f, .key = "", .id = named(r, r->alias, "id")};

	l.index = table->resource->table;
	if (f->field->source == FILTER_CUSTOM)
		find_custom(&l, r, f);
	else if (f->field->source == FILTER_COUNTS)
		find_met(&l, f);
	else
		find_column(&l, r, f);
	if (l.way == LOOKUP_ITEM) {
		l.id = named(r, "i", table->items.owner);
		l.index = table->items.table;
	}
	if (l.way == LOOKUP_NOTHING) {
		l.own = l.ordered = l.exact = true;
		l.rank = RANK_ITEM;
		l.key = "";
		l.id = named(r, r->alias, "id");
	}
	return l;
}

/* --- its rows ---------------------------------------------------------------------------------- */

static void text_equals(struct sql *s, const struct filter_condition *f, const char *column)
{
	for (size_t i = 0; i < f->n_values; i++) {
		/* Texts may be longer than an index entry: their hashes are in the index. */
		sql_addf(s, "%s(%s = ", i ? " or " : "(", column);
		sql_text(s, f->values[i].text, f->values[i].len);
		sql_addf(s, " and hashtextextended(%s, 0) = hashtextextended(", column);
		sql_again(s, s->n_params);
		sql_add(s, ", 0))");
	}
	sql_add(s, ")");
}

static void items(struct sql *s, const struct filter_condition *f)
{
	static const char *const keys[] = {
	    [FILTER_ITEM_EMAIL] = "kith_fold(", [FILTER_ITEM_PHONE] = "kith_phone_key(", [FILTER_ITEM_URL] = "("};

	sql_addf(s, "i.workspace_id = $1 and i.kind = %d and i.key", f->field->item);
	for (size_t i = 0; i < f->n_values; i++) {
		sql_addf(s, "%shashtextextended(%s",
		    i                 ? ", "
		    : f->n_values > 1 ? " in ("
		                      : " = ",
		    keys[f->field->item]);
		sql_text(s, f->values[i].text, f->values[i].len);
		sql_add(s, "), 0)");
	}
	sql_add(s, f->n_values > 1 ? ")" : "");
}

static void met(const struct row *r, const struct filter_condition *f)
{
	sql_add(r->s, "c.workspace_id = $1");
	if (f->field->source == FILTER_COUNTS) {
		sql_add(r->s, " and c.user_id = ");
		sql_uuid(r->s, &r->viewer->user);
	}
	if (f->op == FILTER_NOT_EMPTY)
		return;
	sql_add(r->s, " and ");
	value_fits_sql(r->s, r->viewer, f, f->op, "c.last_at");
}

static void custom(const struct row *r, const struct filter_condition *f)
{
	struct value_ids ids;

	value_custom_sql(r->s, r->viewer, f);
	if (f->op == FILTER_NOT_EMPTY)
		return;
	sql_add(r->s, " and ");
	if (f->op == FILTER_LIKE) {
		sql_add(r->s, "v.text_value is not null and ");
		pattern_sql(r->s, "kith_fold(v.text_value)", f, false);
	} else if (f->op == FILTER_ALL) {
		ids = value_ids(r->s->arena, r->viewer, f);
		ids.count = 1;
		value_ids_sql(r->s, "v.ref_id", &ids);
	} else if (f->field->type == FILTER_TEXT) {
		text_equals(r->s, f, "v.text_value");
	} else {
		value_fits_sql(r->s, r->viewer, f, f->op, value_custom_column(f->field->type));
	}
}

static void linked(const struct row *r, const struct filter_condition *f)
{
	struct value_ids ids = value_ids(r->s->arena, r->viewer, f);

	sql_add(r->s, "l.workspace_id = $1 and ");
	if (f->op == FILTER_ALL)
		ids.count = 1;
	value_ids_sql(r->s, named(r, "l", f->field->link.other), &ids);
}

/* " and …", of a column of the record. */
static void own(const struct lookup *l, const struct row *r)
{
	const struct filter_condition *f = l->condition;
	const char *column = f->field->column ? named(r, r->alias, f->field->column) : "";

	sql_add(r->s, " and ");
	if (l->way == LOOKUP_NOTHING)
		sql_add(r->s, "false");
	else if (l->way == LOOKUP_EMPTY)
		sql_addf(r->s, "%s = '{}'", column);
	else if (l->way == LOOKUP_SEARCH)
		pattern_sql(r->s, search_text(r, f->field->search), f, f->op == FILTER_EQ);
	else if (f->op == FILTER_EMPTY)
		sql_addf(r->s, "%s is null", column);
	else if (f->field->indexes & FILTER_BY_HASH)
		text_equals(r->s, f, column);
	else if (value_is_list(f->field->type))
		row_condition(r, f);
	else
		value_fits_sql(r->s, r->viewer, f, f->op, column);
}

void lookup_from_sql(const struct lookup *l, const struct row *r, const struct filter_table *table)
{
	const struct filter_condition *f = l->condition;

	if (l->own) {
		sql_addf(r->s, "from %s %s where %s.workspace_id = $1", table->resource->table, r->alias, r->alias);
		own(l, r);
		return;
	}
	sql_addf(r->s, "from %s %c where ", l->index, l->id[0]);
	if (l->way == LOOKUP_ITEM)
		items(r->s, f);
	else if (l->way == LOOKUP_MET)
		met(r, f);
	else if (l->way == LOOKUP_CUSTOM)
		custom(r, f);
	else
		linked(r, f);
}

void lookup_sql(const struct lookup *l, const struct row *r, const struct filter_table *table)
{
	sql_addf(r->s, "select %s as id ", l->id);
	lookup_from_sql(l, r, table);
}
