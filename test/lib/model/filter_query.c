/* Random queries and what the model expects of them; see filter_query.h. */
#include "test/lib/model/filter_query.h"

#include <stdlib.h>
#include <string.h>

#include "test/lib/model/filter_query_value.h"
#include "test/lib/patience.h"

enum { DRAWS_MAX = 50 };

/* --- conditions ----------------------------------------------------------------------------- */

/* Operators without values are less interesting and are drawn less often. */
static enum model_op draw_op(unsigned ops)
{
	for (;;) {
		unsigned op = patience_chance(MODEL_OPS);
		if ((ops & 1u << op) && (op < MODEL_EMPTY || patience_chance(3) == 0))
			return (enum model_op)op;
	}
}

static bool is_reference(enum model_type type)
{
	return type == MODEL_REF || type == MODEL_USER;
}

/* Groups more often than others, as they decide about visibility. */
static const struct model_field *draw_field(const struct model_field *fields, int n_fields)
{
	bool groups = patience_chance(10) == 0;

	for (int i = 0; i < n_fields && groups; i++)
		if (strcmp(fields[i].name, "groups") == 0)
			return &fields[i];
	return &fields[patience_chance((unsigned)n_fields)];
}

static struct model_condition *draw_condition(struct arena *a, const struct model_field *fields, int n_fields,
    const struct filter_list *values, const struct json *hoped)
{
	struct model_condition *c = arena_alloc(a, sizeof *c);

	for (int i = 0; i < DRAWS_MAX; i++) {
		c->field = draw_field(fields, n_fields);
		c->op = draw_op(c->field->ops);
		if (filter_draw_values(a, c, values, hoped))
			return c;
	}
	return NULL;
}

/* References, and sometimes fields, may be visible to admins only. */
static struct model_condition *draw_own(
    struct arena *a, const struct filter_list *l, const struct filter_list *all, const struct json *hoped)
{
	const struct filter_list *from = patience_chance(50) ? l : all;
	struct model_condition *c = draw_condition(a, from->fields, from->n_fields, from, hoped);

	if (c && c->n_values && is_reference(c->field->type) && patience_chance(4) == 0) {
		struct model_condition other = *c;
		if (filter_draw_values(a, &other, all, NULL))
			*c = other;
	}
	return c;
}

static struct model_tree *tree_leaf(struct arena *a, struct model_condition *c)
{
	struct model_tree *t = arena_alloc(a, sizeof *t);

	t->condition = c;
	return t;
}

static bool has_pair(const struct filter_query *q, const struct model_condition *c)
{
	for (size_t i = 0; i < q->tree.n_parts; i++)
		if (q->parts[i]->condition->op == c->op &&
		    strcmp(q->parts[i]->condition->field->name, c->field->name) == 0)
			return true;
	return false;
}

/* --- queries ------------------------------------------------------------------------------------ */

static void draw_rest(struct filter_query *q)
{
	static const char *const sorts[] = {"createdAt", "-createdAt", "updatedAt", "-updatedAt"};

	q->sort = patience_chance(3) == 0 ? sorts[patience_chance(4)] : NULL;
	q->count = patience_chance(3) == 0;
	unsigned size = patience_chance(6);
	/* Sometimes fewer than the five index entries that may be sorted with the small numbers of tests. */
	q->limit = size == 0 ? 2 + (int)patience_chance(6) : size == 1 ? 3 + (int)patience_chance(30) : 100;
}

static const struct json *draw_record(const struct filter_list *l)
{
	return patience_chance(3) && l->n_records ? l->records[patience_chance((unsigned)l->n_records)] : NULL;
}

void filter_draw(struct arena *a, struct filter_query *q, const struct filter_list *l, const struct filter_list *all)
{
	static const unsigned numbers[] = {1, 1, 2, 2, 2, 3, 3, 4};
	unsigned n = numbers[patience_chance(8)];
	size_t values = 0;
	const struct json *hoped = draw_record(l);

	memset(q, 0, sizeof *q);
	q->list = l;
	q->tree.any = patience_chance(3) == 0;
	q->tree.parts = q->parts;
	while (q->tree.n_parts < n && values < QUERY_VALUES_MAX) {
		struct model_condition *c = draw_own(a, l, all, hoped);
		/* The same field and operator again would add values to the same filter. */
		if (!c)
			break;
		if (has_pair(q, c) || (n > 1 && c->n_values > QUERY_VALUES_MAX / 2))
			continue;
		q->parts[q->tree.n_parts++] = tree_leaf(a, c);
		values += c->n_values;
	}
	draw_rest(q);
}

static struct model_condition *begin_one(struct arena *a, struct filter_query *q, const struct filter_list *l,
    const struct model_field *field, enum model_op op)
{
	struct model_condition *c = arena_alloc(a, sizeof *c);

	c->field = field;
	c->op = op;
	memset(q, 0, sizeof *q);
	q->list = l;
	q->tree.parts = q->parts;
	q->parts[q->tree.n_parts++] = tree_leaf(a, c);
	draw_rest(q);
	q->sort = patience_chance(2) ? "-createdAt" : NULL;
	return c;
}

bool filter_draw_one(struct arena *a, struct filter_query *q, const struct filter_list *l,
    const struct model_field *field, enum model_op op)
{
	return filter_draw_values(a, begin_one(a, q, l, field, op), l, NULL);
}

bool filter_draw_stray(struct arena *a, struct filter_query *q, const struct filter_list *l,
    const struct model_field *field, enum model_op op, size_t stray)
{
	struct model_condition *c;

	if (!is_reference(field->type) || op == MODEL_EMPTY || op == MODEL_NOT_EMPTY)
		return false;
	c = begin_one(a, q, l, field, op);
	c->values[c->n_values++].text = l->strays[stray];
	return true;
}

void filter_narrow(struct arena *a, struct filter_query *q, const struct model_condition *c)
{
	struct model_condition *copy = arena_alloc(a, sizeof *copy);

	*copy = *c;
	q->tree.any = false;
	for (size_t i = 0; i < q->tree.n_parts; i++)
		if (strcmp(q->parts[i]->condition->field->name, c->field->name) == 0)
			q->parts[i--] = q->parts[--q->tree.n_parts];
	q->parts[q->tree.n_parts++] = tree_leaf(a, copy);
}

/* --- searches ------------------------------------------------------------------------------------- */

static struct model_condition *draw_related(struct arena *a, const struct filter_list *l)
{
	const struct model_relation *r = &l->relations[patience_chance((unsigned)l->n_relations)];
	struct filter_list others = {
	    .records = r->others, .n_records = r->n_others, .strays = l->strays, .n_strays = l->n_strays};
	int n = 0;

	while (r->fields[n].name)
		n++;
	struct model_condition *c = draw_condition(a, r->fields, n, &others, NULL);
	if (c)
		c->relation = r;
	return c;
}

/* left: conditions that may still be added. */
static struct model_tree *draw_tree(struct arena *a, const struct filter_list *l, const struct filter_list *all,
    const struct json *hoped, int depth, int *left)
{
	struct model_condition *c = NULL;
	struct model_tree *t = arena_alloc(a, sizeof *t);
	unsigned n = 1 + patience_chance(3);

	if (depth > 0 && patience_chance(3)) {
		t->any = patience_chance(2);
		t->parts = arena_alloc(a, n * sizeof *t->parts);
		do
			t->parts[t->n_parts++] = draw_tree(a, l, all, hoped, depth - 1, left);
		while (t->n_parts<n && * left> 0);
		return t;
	}
	while (!c)
		c = l->n_relations && patience_chance(3) == 0 ? draw_related(a, l) : draw_own(a, l, all, hoped);
	(*left)--;
	t->condition = c;
	return t;
}

void filter_draw_search(
    struct arena *a, struct filter_query *q, const struct filter_list *l, const struct filter_list *all)
{
	const struct json *hoped = draw_record(l);
	int left = 12;

	memset(q, 0, sizeof *q);
	q->list = l;
	q->tree = *draw_tree(a, l, all, hoped, QUERY_DEPTH_MAX, &left);
	draw_rest(q);
}

/* --- refusals -------------------------------------------------------------------------------------------- */

static bool sees_group(const struct filter_view *v, const char *id)
{
	for (size_t i = 0; i < v->n_groups; i++)
		if (strcmp(v->groups[i], id) == 0)
			return true;
	return false;
}

bool filter_refused(const struct filter_view *v, const struct model_tree *t)
{
	const struct model_condition *c = t->condition;

	for (size_t i = 0; c && strcmp(c->field->name, "groups") == 0 && i < c->n_values; i++)
		if (!sees_group(v, c->values[i].text))
			return true;
	/* For people and companies: the group's id, then the name. */
	if (c && c->field->path[2] && strcmp(c->field->path[0], "customFieldValues") == 0)
		return !sees_group(v, c->field->path[1]);
	for (size_t i = 0; i < t->n_parts; i++)
		if (filter_refused(v, t->parts[i]))
			return true;
	return false;
}

/* --- expected results --------------------------------------------------------------------------------- */

struct query_row {
	const char *id, *updated_at;
	bool by_update;
};

static int by_order(const void *x, const void *y)
{
	const struct query_row *a = x, *b = y;
	int order = a->by_update ? strcmp(a->updated_at, b->updated_at) : 0;

	return order ? order : strcmp(a->id, b->id);
}

size_t filter_expect(struct arena *a, const struct filter_query *q, const char ***ids)
{
	const struct filter_list *l = q->list;
	struct query_row *rows = arena_alloc(a, (l->n_records + 1) * sizeof *rows);
	bool down = q->sort && *q->sort == '-';
	size_t n = 0;

	for (size_t i = 0; i < l->n_records; i++) {
		if (!model_matches(&q->tree, l->records[i]))
			continue;
		rows[n++] = (struct query_row){.id = json_member(l->records[i], "id")->text,
		    .updated_at = json_member(l->records[i], "updatedAt")->text,
		    .by_update = q->sort && strstr(q->sort, "updatedAt")};
	}
	qsort(rows, n, sizeof *rows, by_order);
	*ids = arena_alloc(a, (n + 1) * sizeof **ids);
	for (size_t i = 0; i < n; i++)
		(*ids)[i] = rows[down ? n - 1 - i : i].id;
	return n;
}
