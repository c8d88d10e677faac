/* Whether a text holds a value, without regard to case: `like`. */
#include "filter/compile_parts.h"

/* ASCII without letters: the same in capitals and small letters, and no letter folds to a part of it. */
static bool is_plain(unsigned char c)
{
	return c < 0x80 && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool is_caseless(const struct filter_value *v)
{
	for (size_t i = 0; i < v->len; i++)
		if (!is_plain((unsigned char)v->text[i]))
			return false;
	return true;
}

/* The longest stretch with a digit and without letters; its length, or 0. */
static size_t digits_of(const struct filter_value *v, const char **from)
{
	size_t best = 0, len = 0;
	bool digits = false;

	for (size_t i = 0; i < v->len; i++) {
		bool plain = is_plain((unsigned char)v->text[i]);
		digits = plain && (digits || (v->text[i] >= '0' && v->text[i] <= '9'));
		len = plain ? len + 1 : 0;
		if (digits && len > best) {
			best = len;
			*from = v->text + i + 1 - len;
		}
	}
	return best;
}

/*
 * The value is in the text. No pattern, in which '%' had a meaning. Folding takes longer than all else, so what needs
 * none is tested before: the digits of the value; and where it is denied the value as it is written, as all rows that
 * are passed over may have it.
 */
static void holds_value(
    const struct compile *c, const struct filter_condition *f, const struct filter_value *v, const char *text)
{
	const char *digits = v->text;
	size_t len = is_caseless(v) || f->op == FILTER_NOT_LIKE ? v->len : digits_of(v, &digits);

	if (len) {
		sql_addf(c->s, "strpos(%s, ", text);
		sql_text(c->s, digits, len);
		sql_add(c->s, ") > 0");
	}
	if (is_caseless(v))
		return;
	sql_addf(c->s, "%sstrpos(kith_fold(%s), kith_fold(",
	    len == 0                   ? ""
	    : f->op == FILTER_NOT_LIKE ? " or "
	                               : " and ",
	    text);
	if (f->op == FILTER_NOT_LIKE)
		sql_again(c->s, c->s->n_params);
	else
		sql_text(c->s, v->text, v->len);
	sql_add(c->s, ")) > 0");
}

void compile_holds(const struct compile *c, const struct filter_condition *f, const char *text)
{
	for (size_t i = 0; i < f->n_values; i++) {
		sql_add(c->s, i ? " or (" : "((");
		holds_value(c, f, &f->values[i], text);
		sql_add(c->s, ")");
	}
	sql_add(c->s, ")");
}

const char *compile_folded(const struct compile *c, const struct filter_condition *f)
{
	return arena_printf(c->s->arena, "%s(%s.%s)", compile_is_list(f->field) ? "kith_fold_lines" : "kith_fold",
	    c->alias, f->field->column);
}

/* What an index with trigrams of the folded text finds is tested on the row by itself, unless the index was asked for
 * the whole value: then it has been. */
void compile_like(const struct compile *c, const struct filter_condition *f, const char *indexed, const char *text)
{
	if (c->indexed && compile_trigrams(c, f, indexed))
		return;
	if (c->indexed && compile_has_trigrams(f))
		sql_add(c->s, " and ");
	compile_holds(c, f, text);
}
