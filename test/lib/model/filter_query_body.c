/* Bodies of searches; see filter_query.h. */
#include <string.h>

#include "test/lib/model/filter_query.h"
#include "test/lib/patience.h"

enum { BODY_MAX = 1 << 20, MEMBERS_MAX = 32 };

/* --- a condition -------------------------------------------------------------------------- */

/* Numbers given as texts may begin with zeros. */
static bool is_json_number(const char *text)
{
	text += *text == '-';
	return !(text[0] == '0' && text[1] >= '0' && text[1] <= '9');
}

static void put_value(struct json_out *o, const struct model_condition *c, const char *text)
{
	if (c->field->type == MODEL_NUMBER && is_json_number(text) && patience_chance(2))
		json_raw(o, text, strlen(text));
	else
		json_string(o, text);
}

/* The number of values given by id or plainly, or by e-mail. */
static size_t count_values(const struct model_condition *c, bool emails)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_values; i++)
		n += (c->values[i].text == NULL) == emails;
	return n;
}

static void put_values(struct json_out *o, const struct model_condition *c, bool emails)
{
	bool list = count_values(c, emails) != 1 || patience_chance(2);

	if (list)
		json_begin_array(o);
	for (size_t i = 0; i < c->n_values; i++)
		if ((c->values[i].text == NULL) == emails)
			put_value(o, c, emails ? c->values[i].email : c->values[i].text);
	if (list)
		json_end_array(o);
}

/* "like": "x" */
static void put_operator(struct json_out *o, const struct model_condition *c)
{
	bool reference = (c->field->type == MODEL_REF || c->field->type == MODEL_USER) && !c->field->flat;

	json_key(o, model_op_words[c->op]);
	if (c->op == MODEL_EMPTY || c->op == MODEL_NOT_EMPTY) {
		json_bool(o, true);
		return;
	}
	if (!reference) {
		put_values(o, c, false);
		return;
	}
	json_begin_object(o);
	for (int emails = 0; emails < 2; emails++) {
		if (count_values(c, emails) == 0)
			continue;
		json_key(o, emails ? "email" : "id");
		put_values(o, c, emails);
	}
	json_end_object(o);
}

static const char *field_name(struct arena *a, const struct model_condition *c)
{
	return c->relation ? arena_printf(a, "%s.%s", c->relation->name, c->field->name) : c->field->name;
}

/* --- groups ----------------------------------------------------------------------------------- */

static void put_object(struct arena *a, struct json_out *o, const struct model_tree *t);

static void put_list(struct arena *a, struct json_out *o, const struct model_tree *t)
{
	json_key(o, t->any ? "or" : "and");
	json_begin_array(o);
	for (size_t i = 0; i < t->n_parts; i++)
		put_object(a, o, t->parts[i]);
	json_end_array(o);
}

/* True when the parts fit into one object: at most one list of each kind, and no operator of a field twice. */
static bool fit_together(struct arena *a, const struct model_tree *t)
{
	const struct model_condition *seen[MEMBERS_MAX];
	size_t n = 0, lists[2] = {0, 0};

	for (size_t i = 0; i < t->n_parts; i++) {
		const struct model_condition *c = t->parts[i]->condition;
		if (!c && ++lists[t->parts[i]->any] > 1)
			return false;
		for (size_t k = 0; c && k < n; k++)
			if (seen[k]->op == c->op && strcmp(field_name(a, seen[k]), field_name(a, c)) == 0)
				return false;
		if (c)
			seen[n++] = c;
	}
	return true;
}

/* The parts as members: every field once, with all its operators. */
static void put_members(struct arena *a, struct json_out *o, const struct model_tree *t)
{
	bool done[MEMBERS_MAX] = {false};

	for (size_t i = 0; i < t->n_parts; i++) {
		const struct model_condition *c = t->parts[i]->condition;
		if (done[i])
			continue;
		if (!c) {
			put_list(a, o, t->parts[i]);
			continue;
		}
		json_key(o, field_name(a, c));
		json_begin_object(o);
		for (size_t k = i; k < t->n_parts; k++) {
			const struct model_condition *other = t->parts[k]->condition;
			if (!other || strcmp(field_name(a, other), field_name(a, c)) != 0)
				continue;
			put_operator(o, other);
			done[k] = true;
		}
		json_end_object(o);
	}
}

/* Members of one object are combined by "and". */
static void put_object(struct arena *a, struct json_out *o, const struct model_tree *t)
{
	struct model_tree *self[] = {(struct model_tree *)t};
	struct model_tree alone = {.parts = self, .n_parts = 1};

	json_begin_object(o);
	if (!t->condition && !t->any && patience_chance(2) && fit_together(a, t))
		put_members(a, o, t);
	else
		put_members(a, o, &alone);
	json_end_object(o);
}

/* --- all of it ---------------------------------------------------------------------------------- */

static void put_text(struct json_out *o, const char *name, const char *text)
{
	json_key(o, name);
	json_string(o, text);
}

void filter_write_search(struct arena *a, struct filter_query *q)
{
	const struct model_tree *t = &q->tree;
	struct json_out o;
	struct buf b;

	buf_init(&b, BODY_MAX);
	json_out_init(&o, &b);
	json_begin_object(&o);
	if (q->sort)
		put_text(&o, "sort", q->sort);
	/* The outermost object combines its members by "and" or "or". */
	bool merged = !t->condition && t->any && patience_chance(2) && fit_together(a, t);
	if (merged)
		put_text(&o, "combinator", "or");
	json_key(&o, "filter");
	if (merged) {
		json_begin_object(&o);
		put_members(a, &o, t);
		json_end_object(&o);
	} else {
		put_object(a, &o, t);
	}
	if (q->count)
		put_text(&o, "count", "exact");
	json_key(&o, "limit");
	json_int(&o, q->limit);
	q->body = arena_dup(a, b.data, b.len);
	buf_free(&b);
}
