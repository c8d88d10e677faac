/* Conditions on one value, and on lists in a column. */
#include <string.h>

#include "filter/compile_parts.h"

enum filter_op compile_positive(enum filter_op op)
{
	switch (op) {
	case FILTER_NOT_EQ:
		return FILTER_EQ;
	case FILTER_NOT_LIKE:
		return FILTER_LIKE;
	case FILTER_NOT_IN:
		return FILTER_IN;
	case FILTER_EMPTY:
		return FILTER_NOT_EMPTY;
	default:
		return op;
	}
}

struct filter_absent compile_absent(const struct compile *c, const struct filter_field *f)
{
	const struct filter_viewer *v = c->base->viewer;

	if (f->type != FILTER_REFS || !v)
		return (struct filter_absent){.n = 0};
	if (f->any_contact || f->id_kind == ID_PERSON || f->id_kind == ID_COMPANY)
		return (struct filter_absent){v->gone_contacts, v->n_gone_contacts};
	if (f->id_kind == ID_GROUP)
		return (struct filter_absent){v->hidden, v->n_hidden};
	return (struct filter_absent){.n = 0};
}

static bool is_among(const struct filter_absent *absent, const struct uuid *id)
{
	for (size_t i = 0; i < absent->n; i++)
		if (uuid_equal(&absent->ids[i], id))
			return true;
	return false;
}

static bool has(const struct filter_ids *ids, const struct uuid *id)
{
	for (size_t i = 0; i < ids->count; i++)
		if (uuid_equal(&ids->ids[i], id))
			return true;
	return false;
}

struct filter_ids compile_ids(const struct compile *c, const struct filter_condition *f)
{
	struct filter_absent absent = compile_absent(c, f->field);
	struct filter_ids out = {.all = true};

	out.ids = arena_alloc(c->s->arena, (f->n_values + 1) * sizeof *out.ids);
	for (size_t i = 0; i < f->n_values; i++) {
		if (f->values[i].nobody || is_among(&absent, &f->values[i].id))
			out.all = false;
		else if (!has(&out, &f->values[i].id))
			out.ids[out.count++] = f->values[i].id;
	}
	return out;
}

void compile_value(struct sql *s, enum filter_type type, const struct filter_value *v)
{
	switch (type) {
	case FILTER_NUMBER:
		sql_numeric(s, v->text);
		return;
	case FILTER_DATE:
		sql_date(s, v->day);
		return;
	case FILTER_TEXT:
	case FILTER_CHOICE:
		sql_text(s, v->text, v->len);
		return;
	default:
		sql_uuid(s, &v->id);
		return;
	}
}

/* --- texts ------------------------------------------------------------------------- */

static void text_values(const struct compile *c, const struct filter_condition *f)
{
	const char **items = arena_alloc(c->s->arena, (f->n_values + 1) * sizeof *items);
	size_t *lens = arena_alloc(c->s->arena, (f->n_values + 1) * sizeof *lens), n = 0;

	for (size_t i = 0; i < f->n_values; i++) {
		items[n] = f->values[i].text;
		lens[n++] = f->values[i].len;
	}
	sql_text_array(c->s, items, lens, n);
}

/* For each value "%1%2%3%". */
static void digit_patterns(const struct compile *c, const struct filter_condition *f)
{
	const char **items = arena_alloc(c->s->arena, (f->n_values + 1) * sizeof *items);
	size_t *lens = arena_alloc(c->s->arena, (f->n_values + 1) * sizeof *lens);

	for (size_t i = 0; i < f->n_values; i++) {
		const struct filter_value *v = &f->values[i];
		char *text = arena_alloc(c->s->arena, 2 * v->len + 2);
		lens[i] = 0;
		text[lens[i]++] = '%';
		for (size_t k = 0; k < v->len; k++)
			if (v->text[k] >= '0' && v->text[k] <= '9') {
				text[lens[i]++] = v->text[k];
				text[lens[i]++] = '%';
			}
		items[i] = text;
	}
	sql_text_array(c->s, items, lens, f->n_values);
}

/* Texts may be longer than an index entry: their hashes are in the index. */
static void hash_of(const struct compile *c, const char *column, const char *sign, int parameter)
{
	sql_addf(c->s, "hashtextextended(%s, 0) %s hashtextextended(", column, sign);
	sql_again(c->s, parameter);
	sql_add(c->s, ", 0)");
}

void compile_text_equals(const struct compile *c, const char *column, const struct filter_value *v)
{
	sql_addf(c->s, "(%s = ", column);
	sql_text(c->s, v->text, v->len);
	sql_add(c->s, " and ");
	hash_of(c, column, "=", c->s->n_params);
	sql_add(c->s, ")");
}

static void text_scalar(const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *value)
{
	if (op == FILTER_NOT_EMPTY) {
		sql_addf(c->s, "%s <> ''", value);
		if (c->indexed)
			sql_addf(c->s,
			    " and (hashtextextended(%s, 0) < hashtextextended('', 0) or "
			    "hashtextextended(%s, 0) > hashtextextended('', 0))",
			    value, value);
	} else if (op == FILTER_LIKE) {
		if (c->indexed && f->field->source == FILTER_CUSTOM) /* as the index says */
			sql_addf(c->s, "%s is not null and ", value);
		compile_like(c, f, arena_printf(c->s->arena, "kith_fold(%s)", value), value);
	} else if (c->indexed && f->field->type == FILTER_TEXT) {
		for (size_t i = 0; i < f->n_values; i++) {
			sql_add(c->s, i ? " or " : "(");
			compile_text_equals(c, value, &f->values[i]);
		}
		sql_add(c->s, ")");
	} else if (f->n_values == 1) {
		sql_addf(c->s, "%s = ", value);
		sql_text(c->s, f->values[0].text, f->values[0].len);
	} else {
		sql_addf(c->s, "%s = any (", value);
		text_values(c, f);
		sql_add(c->s, ")");
	}
}

/* Appends what an index has when almost all rows hold the one value that is denied: all below and above. */
void compile_complement(const struct compile *c, const struct filter_condition *f, const char *column)
{
	const struct filter_value *v = &f->values[0];

	if (!c->indexed || f->n_values != 1 || v->nobody)
		return;
	sql_add(c->s, "(");
	switch (f->field->type) {
	case FILTER_TEXT:
		sql_addf(c->s, "hashtextextended(%s, 0) < hashtextextended(", column);
		sql_text(c->s, v->text, v->len);
		sql_add(c->s, ", 0) or ");
		hash_of(c, column, ">", c->s->n_params);
		break;
	case FILTER_NUMBER:
		sql_addf(c->s, "%s::numeric < ", column);
		sql_numeric(c->s, v->text);
		sql_addf(c->s, " or %s::numeric > ", column);
		sql_again(c->s, c->s->n_params);
		break;
	default:
		sql_addf(c->s, "%s < ", column);
		compile_value(c->s, f->field->type, v);
		sql_addf(c->s, " or %s > ", column);
		sql_again(c->s, c->s->n_params);
	}
	sql_addf(c->s, " or %s is null) and ", column);
}

/* A word of a fixed set, one of which may stand for unset. */
static void choice_scalar(
    const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *value)
{
	bool unset = false;

	for (size_t i = 0; i < f->n_values && f->field->unset; i++)
		unset |= strcmp(f->values[i].text, f->field->unset) == 0;
	sql_add(c->s, "(");
	text_scalar(c, f, op, value);
	if (unset && op == FILTER_EQ)
		sql_addf(c->s, " or %s is null", value);
	sql_add(c->s, ")");
}

/* --- numbers and times ---------------------------------------------------------------- */

static const char *const signs[FILTER_OPS] = {[FILTER_EQ] = "=", [FILTER_GT] = ">", [FILTER_LT] = "<"};

/* An integer column compares as the number that it is: 1999.5 lies between two years. */
static void number_scalar(
    const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *value)
{
	sql_add(c->s, "(");
	for (size_t i = 0; i < f->n_values; i++) {
		sql_addf(c->s, "%s%s::numeric %s ", i ? " or " : "", value, signs[op]);
		sql_numeric(c->s, f->values[i].text);
	}
	sql_add(c->s, ")");
}

static void date_scalar(const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *value)
{
	sql_add(c->s, "(");
	for (size_t i = 0; i < f->n_values; i++) {
		sql_addf(c->s, "%s%s %s ", i ? " or " : "", value, signs[op]);
		sql_date(c->s, f->values[i].day);
	}
	sql_add(c->s, ")");
}

/* A value covers [from, to): greater is what lies at its end or later. */
static void instant_scalar(
    const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *value)
{
	sql_add(c->s, "(");
	for (size_t i = 0; i < f->n_values; i++) {
		const struct filter_value *v = &f->values[i];
		sql_addf(c->s, "%s(%s %s ", i ? " or " : "", value, op == FILTER_LT ? "<" : ">=");
		sql_time(c->s, op == FILTER_GT ? v->to_ms : v->from_ms);
		if (op == FILTER_EQ) {
			sql_addf(c->s, " and %s < ", value);
			sql_time(c->s, v->to_ms);
		}
		sql_add(c->s, ")");
	}
	sql_add(c->s, ")");
}

static void id_scalar(const struct compile *c, const struct filter_condition *f, const char *value)
{
	struct filter_ids ids = compile_ids(c, f);

	if (ids.count == 0) {
		sql_add(c->s, "false");
	} else if (ids.count == 1) {
		sql_addf(c->s, "%s = ", value);
		sql_uuid(c->s, &ids.ids[0]);
	} else {
		sql_addf(c->s, "%s = any (", value);
		sql_uuid_array(c->s, ids.ids, ids.count);
		sql_add(c->s, ")");
	}
}

void compile_scalar(const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *value)
{
	enum filter_type type = f->field->type;

	if (op == FILTER_NOT_EMPTY && type != FILTER_TEXT) {
		sql_addf(c->s, "%s is not null", value);
		return;
	}
	switch (type) {
	case FILTER_TEXT:
	case FILTER_TEXTS:
	case FILTER_EMAILS:
	case FILTER_PHONES:
		text_scalar(c, f, op, value);
		return;
	case FILTER_CHOICE:
		choice_scalar(c, f, op, value);
		return;
	case FILTER_NUMBER:
		number_scalar(c, f, op, value);
		return;
	case FILTER_DATE:
		date_scalar(c, f, op, value);
		return;
	case FILTER_DAY:
	case FILTER_INSTANT:
		instant_scalar(c, f, op, value);
		return;
	case FILTER_USER:
	case FILTER_USERS:
	case FILTER_OPTION:
	case FILTER_OPTIONS:
	case FILTER_ENTITY:
	case FILTER_REFS:
		id_scalar(c, f, value);
		return;
	}
}

/* --- lists in a column ------------------------------------------------------------------ */

/* How the items of a list of texts are compared. */
static const char *items_function(enum filter_type type)
{
	return type == FILTER_EMAILS ? "kith_fold_items" : type == FILTER_PHONES ? "kith_digits_items" : "";
}

/* Its items as one text. */
static const char *lines(const struct compile *c, const char *list)
{
	return arena_printf(c->s->arena, "array_to_string(%s, e'\n')", list);
}

/*
 * The functions take long for a row. What must also be true is tested before: the text is in all lines together; the
 * digits are there in this order, whatever is between them.
 */
static void quick(const struct compile *c, const struct filter_condition *f, const char *list)
{
	if (f->field->type == FILTER_EMAILS) {
		compile_holds(c, f, lines(c, list));
		sql_add(c->s, " and ");
	} else if (f->field->type == FILTER_PHONES) {
		sql_addf(c->s, "array_to_string(%s, '') like any (", list);
		digit_patterns(c, f);
		sql_add(c->s, ") and ");
	}
}

static bool has_digits(const struct filter_value *v)
{
	for (size_t i = 0; i < v->len; i++)
		if (v->text[i] >= '0' && v->text[i] <= '9')
			return true;
	return false;
}

/* " and …": a telephone number without digits ("ask Ann") is the empty one to the index, and equals only what is
 * written in the same way. */
static void equal_without_digits(const struct compile *c, const struct filter_condition *f, const char *list)
{
	bool all = true;

	for (size_t i = 0; i < f->n_values; i++)
		all &= has_digits(&f->values[i]);
	if (all)
		return;
	sql_addf(c->s, " and (%s && ", list);
	sql_again(c->s, c->s->n_params);
	sql_addf(c->s, " or kith_digits_items(%s) && array_remove(kith_digits_items(", list);
	sql_again(c->s, c->s->n_params);
	sql_add(c->s, "), ''))");
}

static void equal_item(const struct compile *c, const struct filter_condition *f, const char *list)
{
	const char *function = items_function(f->field->type);

	if (!c->indexed)
		quick(c, f, list);
	sql_addf(c->s, "%s(%s) && %s(", function, list, function);
	text_values(c, f);
	sql_add(c->s, ")");
	if (f->field->type == FILTER_PHONES)
		equal_without_digits(c, f, list);
}

static void like_item(const struct compile *c, const struct filter_condition *f, const char *list)
{
	bool broken = false;

	/* A value with a line break might span two items. */
	for (size_t i = 0; i < f->n_values; i++)
		broken |= memchr(f->values[i].text, '\n', f->values[i].len) != NULL;
	compile_like(c, f, compile_folded(c, f), lines(c, list));
	if (broken) {
		sql_addf(c->s, " and exists (select from unnest(%s) i where ", list);
		compile_holds(c, f, "i");
		sql_add(c->s, ")");
	}
}

static void texts_list(const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *list)
{
	if (op == FILTER_NOT_EMPTY)
		sql_addf(c->s, "%s <> '{}'", list);
	else if (op == FILTER_EQ)
		equal_item(c, f, list);
	else
		like_item(c, f, list);
}

static void ids_list(const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *list)
{
	struct filter_absent absent = compile_absent(c, f->field);
	struct filter_ids ids = compile_ids(c, f);

	if (op == FILTER_NOT_EMPTY) {
		sql_addf(c->s, "%s <> '{}'", list);
		if (absent.n) {
			sql_addf(c->s, " and not %s <@ ", list);
			sql_uuid_array(c->s, absent.ids, absent.n);
		}
		return;
	}
	if (ids.count == 0 || (op == FILTER_ALL && !ids.all)) {
		sql_add(c->s, "false");
		return;
	}
	sql_addf(c->s, "%s %s ", list, op == FILTER_ALL ? "@>" : "&&");
	sql_uuid_array(c->s, ids.ids, ids.count);
	if (op == FILTER_ALL) {
		sql_addf(c->s, " and %s <@ (", list);
		sql_again(c->s, c->s->n_params);
		if (absent.n) {
			sql_add(c->s, " || ");
			sql_uuid_array(c->s, absent.ids, absent.n);
		}
		sql_add(c->s, ")");
	}
}

void compile_list(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	const char *list = arena_printf(c->s->arena, "%s.%s", c->alias, f->field->column);

	if (f->field->type == FILTER_USERS || f->field->type == FILTER_REFS)
		ids_list(c, f, op, list);
	else
		texts_list(c, f, op, list);
}
