/* Look-ups of conditions in indexes; see lookup.h. */
#include "filter/lookup.h"

#include <string.h>

#include "filter/value.h"

/* Up to so many values other than ids are looked up, one by one: each makes planning more expensive. */
enum { VALUES_MAX = 20 };

/* --- patterns for trigram indexes ----------------------------------------------------------- */

static bool is_word(char c)
{
	return (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* At least three characters of a word; the start and the end of an item count as one character each. */
bool lookup_searchable(const char *text, size_t len, bool whole)
{
	size_t run = 0, longest = 0;

	for (size_t i = 0; i < len; i++) {
		run = is_word(text[i]) ? run + (((unsigned char)text[i] & 0xC0) != 0x80) : 0;
		longest = run > longest ? run : longest;
	}
	return longest + 2 * whole >= 3;
}

/* The cost of each trigram is the number of rows with it. The host of an e-mail address, whose trigrams are in all
 * rows, is left to the test (0.8 ms instead of 22 at 300,000 people). */
const char *lookup_pattern(struct arena *a, const char *text, size_t len, bool whole)
{
	const char *at = memchr(text, '@', len);
	size_t told = at ? (size_t)(at - text) + 1 : len, n = 0;
	char *out = arena_alloc(a, 2 * len + 5);

	if (!lookup_searchable(text, told, false))
		told = len;
	out[n++] = '%';
	if (whole)
		out[n++] = '\n';
	for (size_t i = 0; i < told; i++) {
		if (text[i] == '%' || text[i] == '_' || text[i] == '\\')
			out[n++] = '\\';
		out[n++] = text[i];
	}
	if (whole && told == len)
		out[n++] = '\n';
	out[n++] = '%';
	out[n] = '\0';
	return out;
}

/* Appends "(text like … or …)"; matches must still be tested. */
static void like_sql(struct sql *s, const char *text, const struct filter_condition *f, bool whole)
{
	for (size_t i = 0; i < f->n_values; i++) {
		sql_addf(s, "%s%s like kith_fold(", i ? " or " : "(", text);
		sql_textz(s, lookup_pattern(s->arena, f->values[i].text, f->values[i].len, whole));
		sql_add(s, ")");
	}
	sql_add(s, ")");
}

/* --- which one ---------------------------------------------------------------------------- */

static bool values_searchable(const struct filter_condition *f)
{
	for (size_t i = 0; i < f->n_values; i++)
		if (!lookup_searchable(f->values[i].text, f->values[i].len, f->op == FILTER_EQ))
			return false;
	return true;
}

static enum lookup_way way_of(const struct filter_condition *f)
{
	const struct filter_field *field = f->field;

	if (f->n_values > VALUES_MAX && !value_is_ids(field->type))
		return LOOKUP_NONE;
	if (field->indexed & 1u << f->op)
		return LOOKUP_COLUMN;
	if (f->op != value_positive(f->op) || (f->op == FILTER_LIKE && !values_searchable(f)))
		return LOOKUP_NONE;
	if (field->source == FILTER_CUSTOM)
		return LOOKUP_CUSTOM;
	if (field->source == FILTER_MET || field->source == FILTER_MET_BY)
		return LOOKUP_MET;
	if (field->item && f->op == FILTER_EQ)
		return LOOKUP_ITEM;
	if (field->link.table && f->op != FILTER_NOT_EMPTY)
		return LOOKUP_LINK;
	return field->search && (f->op == FILTER_LIKE || (f->op == FILTER_EQ && values_searchable(f))) ? LOOKUP_SEARCH
	                                                                                               : LOOKUP_NONE;
}

/* In the order of the usual number of rows, fewest first. */
static int rank_of(const struct filter_condition *f)
{
	enum { ITEM, TEXT, PART, VALUE, LINK, INTERVAL, UNSET };
	enum filter_type type = f->field->type;

	switch (f->op) {
	case FILTER_EQ:
		return f->field->item ? ITEM : type == FILTER_TEXT ? TEXT : type == FILTER_DAY ? INTERVAL : VALUE;
	case FILTER_LIKE:
		return PART;
	case FILTER_IN:
	case FILTER_ALL:
		return f->field->source == FILTER_COLUMN && value_is_list(type) ? LINK : VALUE;
	case FILTER_GT:
	case FILTER_LT:
		return INTERVAL;
	default:
		return UNSET;
	}
}

/* The column before the ids in the index, which has a single value here. The planner does not recognise this,
 * because with row-level security it draws no conclusions from functions that are not leakproof. */
static const char *lookup_key(struct arena *a, const struct filter_condition *f, const char *column)
{
	if (f->op != FILTER_EQ)
		return "";
	return f->field->type == FILTER_TEXT     ? arena_printf(a, "hashtextextended(%s, 0)", column)
	       : f->field->type == FILTER_NUMBER ? arena_printf(a, "%s::numeric", column)
	                                         : "";
}

struct lookup lookup_find(
    const struct filter_row *r, const struct filter_table *table, const struct filter_condition *f)
{
	const struct filter_field *field = f->field;
	struct arena *a = r->s->arena;
	struct lookup l = {.condition = f, .way = way_of(f), .rank = rank_of(f), .key = ""};
	size_t n = value_is_ids(field->type) ? value_ids(a, r->viewer, f).n : f->n_values;
	bool one =
	    f->op == FILTER_ALL || f->op == FILTER_EMPTY || ((f->op == FILTER_EQ || f->op == FILTER_IN) && n <= 1);

	l.own = l.way == LOOKUP_COLUMN || l.way == LOOKUP_SEARCH;
	l.ordered = one && l.way != LOOKUP_SEARCH && l.way != LOOKUP_MET &&
	            !(l.own && value_is_list(field->type) && value_is_ids(field->type));
	l.exact = l.way != LOOKUP_ITEM && (f->op != FILTER_ALL || n == 0);
	l.table = table->resource->table;
	l.id = arena_printf(a, "%s.id", r->alias);
	switch (l.way) {
	case LOOKUP_COLUMN:
		l.key = lookup_key(a, f, arena_printf(a, "%s.%s", r->alias, field->column));
		break;
	case LOOKUP_ITEM:
		l.table = table->items.table;
		l.id = arena_printf(a, "i.%s", table->items.owner);
		break;
	case LOOKUP_LINK:
		l.table = field->link.table;
		l.id = arena_printf(a, "l.%s", field->link.owner);
		break;
	case LOOKUP_MET:
		l.table = "interaction_counts";
		l.id = "c.entity_id";
		break;
	case LOOKUP_CUSTOM:
		l.table = "field_values";
		l.id = "v.owner_id";
		l.key = lookup_key(a, f, value_custom_column(field->type));
		break;
	case LOOKUP_NONE:
	case LOOKUP_SEARCH:
		break;
	}
	return l;
}

/* --- its rows ---------------------------------------------------------------------------------- */

/* Texts may be longer than an index entry, so the index has their hashes. */
static void text_equals(struct sql *s, const struct filter_condition *f, const char *column)
{
	for (size_t i = 0; i < f->n_values; i++) {
		sql_addf(s, "%s(%s = ", i ? " or " : "(", column);
		sql_text(s, f->values[i].text, f->values[i].len);
		sql_addf(s, " and hashtextextended(%s, 0) = hashtextextended(", column);
		sql_again(s, s->n_params);
		sql_add(s, ", 0))");
	}
	sql_add(s, ")");
}

static void in_column(const struct filter_row *r, const struct filter_condition *f)
{
	if (f->field->type == FILTER_TEXT)
		text_equals(r->s, f, arena_printf(r->s->arena, "%s.%s", r->alias, f->field->column));
	else
		row_condition(r, f);
}

static void in_texts(const struct filter_row *r, const struct filter_condition *f)
{
	like_sql(r->s, f->field->search, f, f->op == FILTER_EQ);
}

static void in_items(const struct filter_row *r, const struct filter_condition *f)
{
	static const char *const keys[] = {
	    [FILTER_ITEM_EMAIL] = "kith_fold", [FILTER_ITEM_PHONE] = "kith_phone_key", [FILTER_ITEM_URL] = ""};

	sql_addf(r->s, "i.kind = %d and i.key", f->field->item);
	for (size_t i = 0; i < f->n_values; i++) {
		const char *before = i ? ", " : f->n_values > 1 ? " in (" : " = ";
		sql_addf(r->s, "%shashtextextended(%s(", before, keys[f->field->item]);
		sql_text(r->s, f->values[i].text, f->values[i].len);
		sql_add(r->s, "), 0)");
	}
	sql_add(r->s, f->n_values > 1 ? ")" : "");
}

/* For "all" it is enough to look up the first id. */
static void ids_sql(const struct filter_row *r, const struct filter_condition *f, const char *column)
{
	struct value_ids ids = value_ids(r->s->arena, r->viewer, f);

	if (f->op == FILTER_ALL && ids.n)
		ids.n = 1;
	value_ids_sql(r->s, column, &ids);
}

static void in_links(const struct filter_row *r, const struct filter_condition *f)
{
	ids_sql(r, f, arena_printf(r->s->arena, "l.%s", f->field->link.other));
}

static void in_counts(const struct filter_row *r, const struct filter_condition *f)
{
	if (f->field->source == FILTER_MET_BY) {
		sql_add(r->s, "c.user_id = ");
		sql_uuid(r->s, &r->viewer->user);
		sql_add(r->s, " and ");
	}
	value_fits_sql(r->s, r->viewer, f, f->op, "c.last_at");
}

static void in_values(const struct filter_row *r, const struct filter_condition *f)
{
	const char *column = value_custom_column(f->field->type);

	value_custom_sql(r->s, r->viewer, f);
	if (f->op == FILTER_NOT_EMPTY)
		return;
	sql_add(r->s, " and ");
	if (f->op == FILTER_LIKE) {
		sql_add(r->s, "v.text_value is not null and ");
		like_sql(r->s, "kith_fold(v.text_value)", f, false);
	} else if (f->field->type == FILTER_TEXT) {
		text_equals(r->s, f, column);
	} else if (value_is_ids(f->field->type)) {
		ids_sql(r, f, column);
	} else {
		value_fits_sql(r->s, r->viewer, f, f->op, column);
	}
}

void lookup_where_sql(const struct lookup *l, const struct filter_row *r)
{
	static void (*const conditions[])(const struct filter_row *r, const struct filter_condition *f) = {
	    [LOOKUP_COLUMN] = in_column,
	    [LOOKUP_SEARCH] = in_texts,
	    [LOOKUP_ITEM] = in_items,
	    [LOOKUP_LINK] = in_links,
	    [LOOKUP_MET] = in_counts,
	    [LOOKUP_CUSTOM] = in_values,
	};

	sql_addf(r->s, "where %c.workspace_id = $1", l->id[0]);
	if (l->way == LOOKUP_NONE)
		return;
	sql_add(r->s, " and ");
	conditions[l->way](r, l->condition);
}

void lookup_sql(const struct lookup *l, const struct filter_row *r)
{
	sql_addf(r->s, "select %s as id from %s %c ", l->id, l->table, l->id[0]);
	lookup_where_sql(l, r);
}
