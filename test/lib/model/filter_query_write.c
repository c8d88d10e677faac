/* Written forms of queries; see filter_query.h. */
#include <string.h>

#include "server/base/text.h"
#include "test/lib/model/filter_query.h"
#include "test/lib/patience.h"

enum { KEY_MAX = 8192 };

struct query_writer {
	struct arena *arena;
	const char *parts[QUERY_PARTS_MAX];
	size_t n_parts;
	bool bare_brackets, plus; /* encoding */
};

static void put_encoded(struct query_writer *w, struct buf *b, const char *text)
{
	for (const char *p = text; *p; p++) {
		if (*p == ' ' && w->plus)
			buf_addc(b, '+');
		else if (w->bare_brackets && strchr("[]/:@,;'!*()", *p))
			buf_addc(b, *p);
		else
			text_percent_encode(b, p, 1);
	}
}

/* value NULL: only a key, with '=' when equals is set. */
static void add_part(struct query_writer *w, const char *key, const char *value, bool equals)
{
	struct buf b;

	if (w->n_parts == QUERY_PARTS_MAX)
		return;
	buf_init(&b, KEY_MAX);
	put_encoded(w, &b, key);
	if (value || equals)
		buf_addc(&b, '=');
	put_encoded(w, &b, value ? value : "");
	w->parts[w->n_parts++] = arena_dup(w->arena, b.data, b.len);
	buf_free(&b);
}

static void add_value(struct query_writer *w, const struct model_condition *c, const char *key, size_t i, bool indexed)
{
	const struct model_item *v = &c->values[i];
	bool reference = (c->field->type == MODEL_REF || c->field->type == MODEL_USER) && !c->field->flat;
	const char *subkey = !reference ? "" : v->text ? "[id]" : "[email]";
	const char *index = !indexed ? "" : patience_chance(6) == 0 ? "[]" : arena_printf(w->arena, "[%zu]", i);

	add_part(w, arena_printf(w->arena, "%s%s%s", key, subkey, index), v->text ? v->text : v->email, true);
}

static void add_condition(struct query_writer *w, const struct model_condition *c)
{
	const char *key = arena_printf(w->arena, "filter[%s][%s]", c->field->name, model_op_words[c->op]);
	unsigned form = patience_chance(3); /* repeated, indexed, or both */

	if (c->op == MODEL_EMPTY || c->op == MODEL_NOT_EMPTY)
		add_part(w, key, form == 2 ? "true" : NULL, form == 1);
	for (size_t i = 0; i < c->n_values; i++)
		add_value(w, c, key, i, form == 2 ? patience_chance(2) : form == 1);
}

void filter_write(struct arena *a, struct filter_query *q)
{
	struct query_writer w = {.arena = a, .bare_brackets = patience_chance(2), .plus = patience_chance(2)};
	struct buf b;

	for (size_t i = 0; i < q->tree.n_parts; i++)
		add_condition(&w, q->parts[i]->condition);
	if (q->tree.any || patience_chance(2))
		add_part(&w, "combinator", q->tree.any ? "or" : "and", true);
	if (q->sort)
		add_part(&w, "sort", q->sort, true);
	if (q->count)
		add_part(&w, "count", "exact", true);
	if (patience_chance(8) == 0)
		add_part(&w, "un[known]", "é", true);
	add_part(&w, "limit", arena_printf(a, "%d", q->limit), true);
	buf_init(&b, KEY_MAX * QUERY_PARTS_MAX);
	for (size_t n = w.n_parts; n > 0; n--) {
		size_t at = patience_chance((unsigned)n);
		buf_printf(&b, "%s%s", b.len ? "&" : "", w.parts[at]);
		w.parts[at] = w.parts[n - 1];
	}
	q->text = arena_dup(a, b.data, b.len);
	buf_free(&b);
}
