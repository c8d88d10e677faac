/* Reads filters; see read.h. Queries are first converted to the object that a body would have (read_query.h). */
#include "filter/read.h"

#include <string.h>

#include "filter/read_query.h"

static bool member_is(const struct json *member, const char *name)
{
	return member->key_len == strlen(name) && memcmp(member->key, name, member->key_len) == 0;
}

static struct filter *filter_node(struct filter_reading *rd, bool any_of)
{
	enum { PARTS_MAX = FILTERS_MAX + 3 }; /* one condition too many, "and" and "or" */
	struct filter *f = arena_alloc(rd->arena, sizeof *f);

	f->kind = any_of ? FILTER_ANY_OF : FILTER_ALL_OF;
	f->parts = arena_alloc(rd->arena, PARTS_MAX * sizeof(struct filter *));
	return f;
}

static size_t filter_count_values(const struct json *json)
{
	return json->type == JSON_ARRAY ? json->count : 1;
}

/* --- hints ----------------------------------------------------------------------- */

/* ctx: the field. */
static void operators_near(const void *ctx, struct near *n)
{
	const struct filter_field *f = ctx;

	for (enum filter_op op = FILTER_EQ; op < FILTER_OPS; op++)
		if (f->ops & 1u << op)
			near_try(n, filter_op_word(op), strlen(filter_op_word(op)));
}

/* ctx: the set of them. */
static void subkeys_near(const void *ctx, struct near *n)
{
	const unsigned *subkeys = ctx;

	if (*subkeys & FILTER_SUBKEY_ID)
		near_try(n, "id", 2);
	if (*subkeys & FILTER_SUBKEY_EMAIL)
		near_try(n, "email", 5);
}

/* ctx: the reading. */
static void fields_near(const void *ctx, struct near *n)
{
	const struct filter_reading *rd = ctx;
	const struct filter_field *f;

	for (int i = 0; (f = filter_field_at(rd->table, i)); i++)
		near_try(n, f->name, strlen(f->name));
}

/* --- values ---------------------------------------------------------------------- */

/* "empty" and "not_empty" have the value true, in a query optionally. */
static void read_truth(struct filter_reading *rd, const struct json *json, const struct path *at)
{
	static const char *const words[] = {"true", NULL};

	if (!rd->query && json->type != JSON_BOOL)
		issue_type(rd->issues, at, "boolean", json);
	else if (!rd->query && !json->truth)
		issue_custom(rd->issues, at, "Expected true");
	else if (json->has_nul)
		issue_string_form(rd->issues, at, "UTF-8 without U+0000");
	else if (json->len && !(json->len == 4 && memcmp(json->text, "true", 4) == 0))
		issue_choice(rd->issues, at, words, json->text, json->len);
}

/* A text; for numbers also a number. */
static void filter_read_value_of(struct filter_reading *rd, struct filter_condition *c, unsigned subkey,
    const struct json *json, const struct path *at)
{
	bool number = json->type == JSON_NUMBER && c->field->type == FILTER_NUMBER;

	if (filter_op_valueless(c->op))
		read_truth(rd, json, at);
	else if (json->type != JSON_STRING && !number)
		issue_type(rd->issues, at, c->field->type == FILTER_NUMBER ? "number" : "string", json);
	else if (json->has_nul)
		issue_string_form(rd->issues, at, "UTF-8 without U+0000");
	else if (filter_value_read(rd, c, subkey, json->text, json->len, at, &c->values[c->n_values]))
		c->n_values++;
}

/* One value or a list of them. */
static void read_values(struct filter_reading *rd, struct filter_condition *c, unsigned subkey, const struct json *json,
    const struct path *at)
{
	size_t index = 0;

	if (json->type != JSON_ARRAY || (filter_op_valueless(c->op) && !rd->query)) {
		filter_read_value_of(rd, c, subkey, json, at);
		return;
	}
	if (json->count == 0)
		issue_range(rd->issues, at, false, 1, "array", false);
	json_each(item, json) {
		struct path here = PATH_INDEX(at, index++);
		filter_read_value_of(rd, c, subkey, item, rd->query ? at : &here);
	}
}

/* The sub-key; in a query FILTER_SUBKEY_NONE without one; 0: unknown. */
static unsigned parse_subkey(const struct filter_reading *rd, const struct json *m)
{
	return member_is(m, "id")      ? FILTER_SUBKEY_ID
	       : member_is(m, "email") ? FILTER_SUBKEY_EMAIL
	                               : rd->query && member_is(m, "");
}

static void read_no_subkey(struct filter_reading *rd, unsigned subkeys, const struct json *json, const struct path *at)
{
	issue_type(rd->issues, at, "object", json);
	issue_hint_near(rd->issues, "", 0, subkeys_near, &subkeys, "sub-keys");
}

/* {"id": …, "email": …} */
static void read_named(struct filter_reading *rd, struct filter_condition *c, unsigned subkeys, const struct json *json,
    const struct path *at)
{
	struct issue_keys unknown;

	if (json->count == 0)
		issue_custom(rd->issues, at, "Give a value");
	issue_keys_begin(&unknown, rd->issues, subkeys_near, &subkeys, "sub-keys");
	json_each_member(m, json) {
		unsigned subkey = parse_subkey(rd, m);
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		if (subkey & subkeys)
			read_values(rd, c, subkey, m, subkey == FILTER_SUBKEY_NONE ? at : &here);
		else if (subkey == FILTER_SUBKEY_NONE)
			read_no_subkey(rd, subkeys, m->first, at);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	issue_keys_end(&unknown, at);
}

static void read_operand(
    struct filter_reading *rd, struct filter_condition *c, const struct json *json, const struct path *at)
{
	unsigned subkeys = filter_op_valueless(c->op) || !c->field->subkeys ? FILTER_SUBKEY_NONE : c->field->subkeys;
	bool plain = !rd->query && (subkeys & FILTER_SUBKEY_NONE);
	size_t count = plain ? filter_count_values(json) : 0,
	       most = c->op == FILTER_GT || c->op == FILTER_LT ? 1 : FILTER_VALUES_MAX;

	if (!plain && json->type != JSON_OBJECT) {
		read_no_subkey(rd, subkeys, json, at);
		return;
	}
	for (const struct json *m = plain ? NULL : json->first; m; m = m->next)
		count += filter_count_values(m);
	if (count > most) {
		issue_range(rd->issues, at, true, (long)most, "array", false);
		return;
	}
	c->values = arena_alloc(rd->arena, count * sizeof *c->values);
	if (plain)
		read_values(rd, c, FILTER_SUBKEY_NONE, json, at);
	else
		read_named(rd, c, subkeys, json, at);
}

/* --- conditions -------------------------------------------------------------------- */

static struct filter *read_condition(struct filter_reading *rd, const struct filter_condition *field,
    const struct json *name, const struct json *json, const struct path *up)
{
	struct path at = {.up = up, .name = json->key, .len = json->key_len};
	struct filter *f = arena_alloc(rd->arena, sizeof *f);

	rd->n_conditions++;
	f->kind = FILTER_ONE;
	f->condition = arena_alloc(rd->arena, sizeof *f->condition);
	*f->condition = *field;
	f->condition->op = filter_op_parse(json->key, json->key_len);
	f->condition->name =
	    arena_printf(rd->arena, "%.*s %s", (int)name->key_len, name->key, filter_op_word(f->condition->op));
	read_operand(rd, f->condition, json, &at);
	return f;
}

static void read_no_operator(
    struct filter_reading *rd, const struct filter_field *field, const struct json *json, const struct path *at)
{
	issue_type(rd->issues, at, "object", json);
	issue_hint_near(rd->issues, "", 0, operators_near, field, "operators");
}

/* Each operator of a field is a separate condition. */
static void filter_read_field(struct filter_reading *rd, const struct filter_condition *field, const struct json *json,
    const struct path *at, struct filter *to)
{
	struct issue_keys unknown;

	if (json->type != JSON_OBJECT) {
		read_no_operator(rd, field->field, json, at);
		return;
	}
	if (json->count == 0) {
		issue_custom(rd->issues, at, "Give an operator");
		issue_hint_near(rd->issues, "", 0, operators_near, field->field, "operators");
	}
	issue_keys_begin(&unknown, rd->issues, operators_near, field->field, "operators");
	json_each_member(m, json) {
		enum filter_op op = filter_op_parse(m->key, m->key_len);
		if (rd->query && m->type == JSON_STRING) /* filter[emails]=x */
			read_no_operator(rd, field->field, m, at);
		else if (op == FILTER_OP_NONE || !(field->field->ops & 1u << op))
			issue_keys_add(&unknown, m->key, m->key_len);
		else if (rd->n_conditions <= FILTERS_MAX) /* one condition too many is enough for the error */
			to->parts[to->n_parts++] = read_condition(rd, field, json, m, at);
	}
	issue_keys_end(&unknown, at);
}

/* --- the tree ------------------------------------------------------------------------ */

static struct filter *read_object(
    struct filter_reading *rd, const struct json *json, bool any_of, int depth, const struct path *at);

/* Reads the list that is the value of "and" or "or". */
static struct filter *filter_read_list(
    struct filter_reading *rd, const struct json *json, int depth, const struct path *at)
{
	struct filter *f = filter_node(rd, member_is(json, "or"));
	bool good = json->type == JSON_ARRAY && depth <= FILTER_DEPTH_MAX && json->count && json->count <= FILTERS_MAX;
	size_t index = 0;

	if (json->type != JSON_ARRAY)
		issue_type(rd->issues, at, "array", json);
	else if (depth > FILTER_DEPTH_MAX)
		issue_custom(rd->issues, at, "Groups of filters may nest %d deep", FILTER_DEPTH_MAX);
	else if (!good)
		issue_range(rd->issues, at, json->count > 0, json->count ? FILTERS_MAX : 1, "array", false);
	for (const struct json *item = good ? json->first : NULL; item; item = item->next) {
		struct path here = PATH_INDEX(at, index++);
		if (item->type == JSON_OBJECT && item->count == 0)
			issue_custom(rd->issues, &here, "Give a filter");
		else
			f->parts[f->n_parts++] = read_object(rd, item, false, depth, &here);
	}
	return f;
}

static struct filter *read_object(
    struct filter_reading *rd, const struct json *json, bool any_of, int depth, const struct path *at)
{
	struct issue_keys unknown;
	struct filter *f = filter_node(rd, any_of);

	if (json->type != JSON_OBJECT) {
		issue_type(rd->issues, at, "object", json);
		return f;
	}
	issue_keys_begin(&unknown, rd->issues, fields_near, rd, "fields");
	json_each_member(m, json) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		struct filter_condition field = {0};
		if (!rd->query && (member_is(m, "and") || member_is(m, "or")))
			f->parts[f->n_parts++] = filter_read_list(rd, m, depth + 1, &here);
		else if (rd->query && m->type == JSON_NULL) /* filter[emails=x */
			issue_keys_add(&unknown, m->key, m->key_len);
		else if (filter_find(rd, m->key, m->key_len, &here, &unknown, &field))
			filter_read_field(rd, &field, m, &here, f);
	}
	issue_keys_end(&unknown, at);
	return f;
}

struct filter *filter_read_body(struct filter_reading *rd, const struct json *json, bool any_of)
{
	struct path at = PATH_NAME(rd->at, "filter");
	int before = rd->issues->count;
	struct filter *f = json ? read_object(rd, json, any_of, 0, &at) : NULL;

	if (rd->n_conditions > FILTERS_MAX)
		issue_range(rd->issues, &at, true, FILTERS_MAX, "array", false);
	return rd->issues->count == before && rd->n_conditions ? f : NULL;
}

struct filter *filter_read_query(struct filter_reading *rd, const struct query *q, bool any_of)
{
	struct path at = PATH_NAME(rd->at, "filter");
	bool bad_utf8;
	const struct json *json = filter_query_object(rd->arena, q, &bad_utf8);
	struct filter *f;

	rd->query = true;
	f = filter_read_body(rd, json, any_of);
	if (bad_utf8)
		issue_string_form(rd->issues, &at, "UTF-8");
	return bad_utf8 ? NULL : f;
}
