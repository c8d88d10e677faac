/* The reader of filters in a query string; see read_query.h. */
#include "filter/read_query.h"

#include <string.h>

#include "server/base/text.h"

/* A pair whose key is a filter's. */
struct part {
	const struct query_pair *pair;
	struct filter_key key;
	enum filter_key_status status;
	bool taken;
};

struct parts {
	struct part *items;
	size_t count;
};

struct reader {
	struct filter_reading *rd;
	struct parts parts;
	struct filter_condition *conditions; /* FILTERS_MAX; what is too many goes to spare */
	struct filter_condition spare;
};

static bool same(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && (a_len == 0 || memcmp(a, b, a_len) == 0);
}

bool filter_query_key(const struct query_text *key)
{
	struct filter_key unused;
	return filter_key_parse(&unused, key->text, key->len) != FILTER_KEY_NONE;
}

static void take_apart(struct parts *parts, struct arena *a, const struct query *q)
{
	parts->items = arena_alloc(a, q->count * sizeof *parts->items);
	parts->count = 0;
	for (size_t i = 0; i < q->count; i++) {
		struct part *p = &parts->items[parts->count];
		p->pair = &q->pairs[i];
		p->status = filter_key_parse(&p->key, p->pair->key.text, p->pair->key.len);
		p->taken = false;
		parts->count += p->status != FILTER_KEY_NONE;
	}
}

/* --- one operator of one field ----------------------------------------------------- */

static bool of_operator(const struct part *p, const struct filter_key *k)
{
	return !p->taken && same(p->key.field, p->key.field_len, k->field, k->field_len) &&
	       same(p->key.op, p->key.op_len, k->op, k->op_len);
}

/* "empty" and "not_empty" are written without a value, or with "true". */
static void read_valueless(struct reader *r, const struct part *p, const struct path *at)
{
	static const char *const truth[] = {"true", NULL};
	const struct query_text *v = &p->pair->value;

	if (v->bad_utf8)
		issue_string(r->rd->issues, at, "regex");
	else if (v->len && !same(v->text, v->len, "true", 4))
		issue_choice(r->rd->issues, at, truth, v->text, v->len);
}

static void read_value(
    struct reader *r, struct filter_condition *c, const struct part *p, unsigned subkey, const struct path *at)
{
	const struct query_text *v = &p->pair->value;

	if (v->bad_utf8 || v->has_nul)
		issue_string(r->rd->issues, at, "regex");
	else if (filter_value_read(r->rd, c, subkey, v->text, v->len, at, &c->values[c->n_values]))
		c->n_values++;
}

/* One pair of an operator; what its sub-key cannot be is added to unknown. */
static void read_part(struct reader *r, struct filter_condition *c, const struct part *p, const struct path *at,
    struct issue_keys *unknown)
{
	const struct filter_key *k = &p->key;
	bool valueless = c->op == FILTER_EMPTY || c->op == FILTER_NOT_EMPTY;
	unsigned subkeys = valueless ? FILTER_SUBKEY_NONE : filter_subkeys(c->field);
	unsigned subkey = k->subkey ? filter_subkey_parse(k->subkey, k->subkey_len) : FILTER_SUBKEY_NONE;
	struct path below = {.up = at, .name = k->subkey, .len = k->subkey_len};
	struct json received = {.type = JSON_STRING};

	if (p->status == FILTER_KEY_BAD_SUFFIX || (k->subkey && !(subkey & subkeys)))
		issue_keys_add(unknown, k->subkey, k->subkey_len);
	else if (!(subkey & subkeys))
		issue_type(r->rd->issues, at, "object", &received);
	else if (valueless)
		read_valueless(r, p, at);
	else
		read_value(r, c, p, subkey, k->subkey ? &below : at);
}

static void read_operator(struct reader *r, const struct filter_condition *field, size_t from, const struct path *up)
{
	struct filter_key key = r->parts.items[from].key;
	struct path at = {.up = up, .name = key.op, .len = key.op_len};
	struct filter_condition *c =
	    r->rd->n_conditions < FILTERS_MAX ? &r->conditions[r->rd->n_conditions] : &r->spare;
	struct issue_keys unknown;
	size_t count = 0;
	bool fits;

	r->rd->n_conditions++;
	*c = *field;
	c->op = key.kind;
	c->name = filter_condition_name(r->rd->arena, key.field, key.field_len, c->op);
	for (size_t i = from; i < r->parts.count; i++)
		count += of_operator(&r->parts.items[i], &key);
	fits = filter_count_check(r->rd, c->op, count, &at);
	c->values = arena_alloc(r->rd->arena, fits ? count * sizeof *c->values : 0);
	issue_keys_begin(&unknown, r->rd->issues);
	for (size_t i = from; i < r->parts.count; i++) {
		struct part *p = &r->parts.items[i];
		if (!of_operator(p, &key))
			continue;
		p->taken = true;
		if (fits)
			read_part(r, c, p, &at, &unknown);
	}
	issue_keys_end(&unknown, &at);
}

/* --- one field --------------------------------------------------------------------- */

static void read_field(struct reader *r, size_t from, const struct path *filter, struct issue_keys *unknown_fields)
{
	struct part *first = &r->parts.items[from];
	struct path at = {.up = filter, .name = first->key.field, .len = first->key.field_len};
	struct json received = {.type = JSON_STRING};
	struct filter_condition field;
	enum filter_found found = first->status == FILTER_KEY_MALFORMED
	                              ? FILTER_UNKNOWN
	                              : filter_find(r->rd, first->key.field, first->key.field_len, &at, &field);
	struct issue_keys unknown;

	if (found == FILTER_UNKNOWN)
		issue_keys_add(unknown_fields, first->key.field, first->key.field_len);
	issue_keys_begin(&unknown, r->rd->issues);
	for (size_t i = from; i < r->parts.count; i++) {
		struct part *p = &r->parts.items[i];
		if (p->taken || !same(p->key.field, p->key.field_len, at.name, at.len))
			continue;
		if (found == FILTER_FOUND && filter_takes(field.field, p->key.kind)) {
			read_operator(r, &field, i, &at);
			continue;
		}
		p->taken = true;
		if (found == FILTER_FOUND && p->status == FILTER_KEY_NO_OP)
			issue_type(r->rd->issues, &at, "object", &received);
		else if (found == FILTER_FOUND)
			issue_keys_add(&unknown, p->key.op, p->key.op_len);
	}
	issue_keys_end(&unknown, &at);
}

/* --- all of them -------------------------------------------------------------------- */

static struct filter *gather(struct reader *r, bool any_of)
{
	struct filter *all = arena_alloc(r->rd->arena, sizeof *all), *one;

	all->kind = any_of ? FILTER_ANY_OF : FILTER_ALL_OF;
	all->n_parts = r->rd->n_conditions;
	all->parts = arena_alloc(r->rd->arena, all->n_parts * sizeof(struct filter *));
	one = arena_alloc(r->rd->arena, all->n_parts * sizeof *one);
	for (size_t i = 0; i < all->n_parts; i++) {
		one[i] = (struct filter){.kind = FILTER_ONE, .condition = &r->conditions[i]};
		all->parts[i] = &one[i];
	}
	return all;
}

struct filter *filter_read_query(struct filter_reading *rd, const struct query *q, bool any_of)
{
	struct path at = PATH_NAME(NULL, "filter");
	struct reader r = {.rd = rd};
	struct issue_keys unknown;
	int before = rd->issues->count;
	bool garbled = false;

	take_apart(&r.parts, rd->arena, q);
	r.conditions = arena_alloc(rd->arena, FILTERS_MAX * sizeof *r.conditions);
	for (size_t i = 0; i < r.parts.count; i++)
		garbled |= r.parts.items[i].taken = r.parts.items[i].pair->key.bad_utf8;
	issue_keys_begin(&unknown, rd->issues);
	for (size_t i = 0; i < r.parts.count; i++) {
		struct part *p = &r.parts.items[i];
		if (!p->taken)
			read_field(&r, i, &at, &unknown);
	}
	filter_total_check(rd, &at);
	if (garbled)
		issue_string(rd->issues, &at, "regex");
	issue_keys_end(&unknown, &at);
	return rd->issues->count == before && rd->n_conditions ? gather(&r, any_of) : NULL;
}

/* --- cursors ------------------------------------------------------------------------ */

void filter_query_context(struct cursor_context *x, struct arena *a, const struct query *q)
{
	struct parts parts;

	take_apart(&parts, a, q);
	for (size_t i = 0; i < parts.count; i++) {
		const struct filter_key *k = &parts.items[i].key;
		const struct query_text *v = &parts.items[i].pair->value;
		bool valueless = k->kind == FILTER_EMPTY || k->kind == FILTER_NOT_EMPTY;
		struct buf name;
		/* No brackets: two different filters never read alike, as the word of the operator stands in front. */
		buf_init(&name, QUERY_MAX * 2);
		buf_printf(&name, "filter:%s:", filter_op_word(k->kind));
		buf_add(&name, k->subkey ? k->subkey : "", k->subkey_len);
		buf_addc(&name, ':');
		buf_add(&name, k->field, k->field_len);
		cursor_context_add(x, name.data, name.len, v->text, valueless ? 0 : v->len);
		buf_free(&name);
	}
}
