/* Look-ups of conditions in indexes; see condition.h. */
#include "filter/condition.h"

#include <string.h>
#include <strings.h>

#include "filter/search.h"

/* At most this many values other than ids are looked up one by one, because each makes planning more expensive. */
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

/* The words before "@" that many companies use. */
static bool is_role(const char *text, size_t len)
{
	static const char *const roles[] = {"admin", "contact", "hello", "info", "kontakt", "mail", "office", "post",
	    "sales", "service", "support", "team", "welcome"};

	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (strlen(roles[i]) == len && strncasecmp(text, roles[i], len) == 0)
			return true;
	return false;
}

/* The cost of each trigram is the number of rows with it. The host of an e-mail address, whose trigrams may be in all
 * rows, is left to the test (0.8 ms instead of 22 at 300,000 people), unless many addresses have what is before it. */
size_t lookup_kept(const char *text, size_t len)
{
	const char *at = memchr(text, '@', len);
	size_t local = at ? (size_t)(at - text) : len;

	return at && !is_role(text, local) && lookup_searchable(text, local + 1, false) ? local + 1 : len;
}

const char *lookup_pattern(struct arena *a, const char *text, size_t len, bool whole)
{
	size_t kept = lookup_kept(text, len), n = 0;
	char *out = arena_alloc(a, 2 * len + 5);

	out[n++] = '%';
	if (whole)
		out[n++] = '\n';
	for (size_t i = 0; i < kept; i++) {
		if (text[i] == '%' || text[i] == '_' || text[i] == '\\')
			out[n++] = '\\';
		out[n++] = text[i];
	}
	if (whole && kept == len)
		out[n++] = '\n';
	out[n++] = '%';
	out[n] = '\0';
	return out;
}

/* The part of the value that an index of searches is asked for, see lookup_kept(). */
static struct search_part lookup_part(struct arena *a, const struct filter_value *v, bool whole)
{
	const char *line = whole ? "\n" : "", *text;
	size_t kept = lookup_kept(v->text, v->len);

	text = arena_printf(a, "%s%.*s%s", line, (int)kept, v->text, kept == v->len ? line : "");
	return (struct search_part){text, strlen(text)};
}

/* Appends "(text like … or …)" for a text as searches have it. */
static void lookup_searched_sql(struct sql *s, const struct filter_condition *f)
{
	for (size_t i = 0; i < f->n_values; i++) {
		struct search_part part = lookup_part(s->arena, &f->values[i], f->op == FILTER_EQ);
		sql_addf(s, "%s%s like kith_search_part(", i ? " or " : "(", f->field->search);
		sql_text(s, part.text, part.len);
		sql_add(s, ")");
	}
	sql_add(s, ")");
}

/* Appends "(text like … or …)"; matches must still be tested. */
static void lookup_like_sql(struct sql *s, const char *text, const struct filter_condition *f)
{
	for (size_t i = 0; i < f->n_values; i++) {
		sql_addf(s, "%s%s like kith_fold(", i ? " or " : "(", text);
		sql_textz(s, lookup_pattern(s->arena, f->values[i].text, f->values[i].len, false));
		sql_add(s, ")");
	}
	sql_add(s, ")");
}

/* --- rows of each kind of index ------------------------------------------------------------- */

/* Texts may be longer than an index entry, so the index has their hashes. */
static void lookup_text_equals(struct sql *s, const struct filter_condition *f, const char *column)
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

static void in_column(const struct filter_sql *to, const struct filter_condition *f)
{
	if (f->field->type == FILTER_TEXT)
		lookup_text_equals(to->s, f, arena_printf(to->s->arena, "%s.%s", row_alias(f), f->field->column));
	else
		row_condition(to, f);
}

static void in_texts(const struct filter_sql *to, const struct filter_condition *f)
{
	lookup_searched_sql(to->s, f);
}

static void in_items(const struct filter_sql *to, const struct filter_condition *f)
{
	static const char *const keys[] = {
	    [FILTER_ITEM_EMAIL] = "kith_fold", [FILTER_ITEM_PHONE] = "kith_phone_key", [FILTER_ITEM_URL] = ""};

	sql_addf(to->s, "i.kind = %d and i.key", f->field->item);
	for (size_t i = 0; i < f->n_values; i++) {
		const char *before = i ? ", " : f->n_values > 1 ? " in (" : " = ";
		sql_addf(to->s, "%shashtextextended(%s(", before, keys[f->field->item]);
		sql_text(to->s, f->values[i].text, f->values[i].len);
		sql_add(to->s, "), 0)");
	}
	sql_add(to->s, f->n_values > 1 ? ")" : "");
}

/* For "all" it is enough to look up the first id. */
static void lookup_ids_sql(const struct filter_sql *to, const struct filter_condition *f, const char *column)
{
	struct value_ids ids = value_ids(to, f);

	if (f->op == FILTER_ALL && ids.n)
		ids.n = 1;
	value_ids_sql(to->s, column, &ids);
}

static void in_links(const struct filter_sql *to, const struct filter_condition *f)
{
	lookup_ids_sql(to, f, arena_printf(to->s->arena, "l.%s", f->field->link.other));
}

static void in_counts(const struct filter_sql *to, const struct filter_condition *f)
{
	if (f->field->source == FILTER_MET_BY) {
		sql_add(to->s, "c.user_id = ");
		sql_uuid(to->s, &to->viewer->user);
		sql_add(to->s, " and ");
	}
	value_fits_sql(to, f, f->op, "c.last_at");
}

static void in_values(const struct filter_sql *to, const struct filter_condition *f)
{
	const char *column = value_custom_column(f->field->type);

	value_custom_sql(to, f);
	if (f->op == FILTER_NOT_EMPTY)
		return;
	sql_add(to->s, " and ");
	if (f->op == FILTER_LIKE) {
		sql_add(to->s, "v.text_value is not null and ");
		lookup_like_sql(to->s, "kith_fold(v.text_value)", f);
	} else if (f->field->type == FILTER_TEXT) {
		lookup_text_equals(to->s, f, column);
	} else if (value_is_ids(f->field->type)) {
		lookup_ids_sql(to, f, column);
	} else {
		value_fits_sql(to, f, f->op, column);
	}
}

/* --- which one ---------------------------------------------------------------------------- */

static bool lookup_values_searchable(const struct filter_condition *f)
{
	for (size_t i = 0; i < f->n_values; i++)
		if (!lookup_searchable(f->values[i].text, f->values[i].len, f->op == FILTER_EQ))
			return false;
	return true;
}

static enum lookup_rank rank_of(const struct filter_condition *f)
{
	enum filter_type type = f->field->type;

	switch (f->op) {
	case FILTER_EQ:
		return f->field->item        ? LOOKUP_ITEM
		       : type == FILTER_TEXT ? LOOKUP_TEXT
		       : type == FILTER_DAY  ? LOOKUP_INTERVAL
		                             : LOOKUP_VALUE;
	case FILTER_LIKE:
		return LOOKUP_PART;
	case FILTER_IN:
	case FILTER_ALL:
		return f->field->source == FILTER_COLUMN && value_is_list(type) ? LOOKUP_LINK : LOOKUP_VALUE;
	case FILTER_GT:
	case FILTER_LT:
		return LOOKUP_INTERVAL;
	default:
		return LOOKUP_UNSET;
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
    const struct filter_sql *to, const struct filter_table *table, const struct filter_condition *f)
{
	const struct filter_table *of = f->relation ? f->relation->target : table;
	const struct filter_field *field = f->field;
	struct arena *a = to->s->arena;
	const char *id = arena_printf(a, "%s.id", row_alias(f));
	struct lookup l = {.condition = f, .rank = rank_of(f), .key = "", .table = of->resource->table, .id = id};
	bool ids = value_is_ids(field->type), like = f->op == FILTER_LIKE, equal = f->op == FILTER_EQ;
	size_t n = ids ? value_ids(to, f).n : f->n_values;

	l.ordered = f->op == FILTER_ALL || f->op == FILTER_EMPTY || ((equal || f->op == FILTER_IN) && n <= 1);
	l.exact = f->op != FILTER_ALL || n == 0;
	if (f->n_values > VALUES_MAX && !ids)
		return l;
	if (field->indexed & 1u << f->op) {
		l.where = in_column;
		l.own = true;
		l.ordered &= !(ids && value_is_list(field->type));
		l.key = lookup_key(a, f, arena_printf(a, "%s.%s", row_alias(f), field->column));
	} else if (f->op != value_positive(f->op) || (like && !lookup_values_searchable(f))) {
		return l;
	} else if (field->source == FILTER_CUSTOM) {
		l.where = in_values;
		l.table = "field_values";
		l.id = "v.owner_id";
		l.key = lookup_key(a, f, value_custom_column(field->type));
	} else if (field->source == FILTER_MET || field->source == FILTER_MET_BY) {
		l.where = in_counts;
		l.table = "interaction_counts";
		l.id = "c.entity_id";
		l.ordered = false;
	} else if (field->item && equal) {
		l.where = in_items;
		l.table = of->items.table;
		l.id = arena_printf(a, "i.%s", of->items.owner);
		l.exact = false;
	} else if (field->link.table && f->op != FILTER_NOT_EMPTY) {
		l.where = in_links;
		l.table = field->link.table;
		l.id = arena_printf(a, "l.%s", field->link.owner);
	} else if (field->search && (like || (equal && lookup_values_searchable(f)))) {
		l.where = in_texts;
		l.own = true;
		l.ordered = false;
	}
	return l;
}

void lookup_where_sql(const struct lookup *l, const struct filter_sql *to)
{
	sql_addf(to->s, "where %c.workspace_id = $1", l->id[0]);
	if (!l->where)
		return;
	sql_add(to->s, " and ");
	l->where(to, l->condition);
}

void lookup_sql(const struct lookup *l, const struct filter_sql *to)
{
	sql_addf(to->s, "select %s as id from %s %c ", l->id, l->table, l->id[0]);
	lookup_where_sql(l, to);
}
