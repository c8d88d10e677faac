/* Validation of the query. */
#include "server/validate_query.h"

#include <string.h>

#include "filter/read_query.h"
#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/filtering.h"
#include "server/route.h"

enum { MS_PER_DAY = 24 * 60 * 60 * 1000 };

static void read_integer(struct req *r, const struct param *p, const struct query_text *t, struct param_value *v)
{
	struct path at = PATH_NAME(NULL, p->name);
	bool negative = t->len && t->text[0] == '-';
	uint64_t number;

	if (!text_uint(t->text + negative, t->len - negative, &number)) {
		struct json text = {.type = JSON_STRING};
		issue_type(&r->issues, &at, "number", &text);
	} else if (negative ? p->min >= 0 : number < (uint64_t)p->min) {
		issue_range(&r->issues, &at, false, p->min, "number", false);
	} else if (number > (uint64_t)p->max) {
		issue_range(&r->issues, &at, true, p->max, "number", false);
	} else {
		v->given = true;
		v->number = (int64_t)number;
	}
}

static void read_choice(struct req *r, const struct param *p, const struct query_text *t, struct param_value *v)
{
	struct path at = PATH_NAME(NULL, p->name);

	for (int i = 0; p->choices[i]; i++) {
		if (strlen(p->choices[i]) == t->len && memcmp(p->choices[i], t->text, t->len) == 0) {
			*v = (struct param_value){.given = true, .number = i, .text = p->choices[i], .len = t->len};
			return;
		}
	}
	issue_choice(&r->issues, &at, p->choices, t->text, t->len);
}

static void read_text(struct req *r, const struct param *p, const struct query_text *t, struct param_value *v)
{
	struct path at = PATH_NAME(NULL, p->name);
	size_t len = text_code_points(t->text, t->len);

	if (t->has_nul)
		issue_string(&r->issues, &at, "regex");
	else if (p->type == PARAM_CURSOR && t->len == 0)
		return; /* an empty cursor is none */
	else if (len < (size_t)p->min || len > (size_t)p->max)
		issue_range(
		    &r->issues, &at, len > (size_t)p->max, len > (size_t)p->max ? p->max : p->min, "string", false);
	else
		*v = (struct param_value){.given = true, .text = t->text, .len = t->len};
}

static void read_id(struct req *r, const struct query_text *t, const struct path *at, struct param_value *v)
{
	size_t len = text_code_points(t->text, t->len);

	if (len != ID_LEN)
		issue_range(&r->issues, at, len > ID_LEN, ID_LEN, "string", true);
	else
		*v = (struct param_value){.given = true, .text = t->text, .len = t->len};
}

static void read_time(struct req *r, const struct query_text *t, const struct path *at, struct param_value *v)
{
	int64_t ms;
	int32_t days;

	if (date_parse(t->text, t->len, &days))
		ms = (int64_t)days * MS_PER_DAY;
	else if (!time_parse(t->text, t->len, &ms)) {
		issue_string(&r->issues, at, "datetime");
		return;
	}
	*v = (struct param_value){.given = true, .number = ms, .text = t->text, .len = t->len};
}

static void read_param(struct req *r, const struct param *p, const struct query_pair *pair, struct param_value *v)
{
	bool filter = strcmp(pair->key.text, p->name) != 0;
	struct path outer = PATH_NAME(NULL, "filter"), name = PATH_NAME(filter ? &outer : NULL, p->name),
	            eq = PATH_NAME(&name, "eq");
	const struct path *at = filter ? &eq : &name;

	if (pair->value.bad_utf8) {
		issue_string(&r->issues, at, "regex");
		return;
	}
	switch (p->type) {
	case PARAM_INTEGER:
		read_integer(r, p, &pair->value, v);
		break;
	case PARAM_CHOICE:
		read_choice(r, p, &pair->value, v);
		break;
	case PARAM_TEXT:
	case PARAM_CURSOR:
		read_text(r, p, &pair->value, v);
		break;
	case PARAM_ID:
		read_id(r, &pair->value, at, v);
		break;
	case PARAM_TIME:
		read_time(r, &pair->value, at, v);
		break;
	}
	v->filter = filter;
}

/* The parameter that a filter's key stands for; NULL: none. */
static const struct param *filtered(const struct req *r, const struct filter_key *key)
{
	for (int i = 0; r->route->params && r->route->params[i]; i++) {
		const struct param *p = r->route->params[i];
		if (p->filters && strlen(p->name) == key->field_len && memcmp(p->name, key->field, key->field_len) == 0)
			return p;
	}
	return NULL;
}

/* True when the pair gives the parameter, by its name or as a filter. */
static bool gives(const struct param *p, const struct query_pair *pair)
{
	struct filter_key key;

	if (strcmp(pair->key.text, p->name) == 0)
		return strlen(p->name) == pair->key.len;
	return p->filters && filter_key_parse(&key, pair->key.text, pair->key.len) == FILTER_KEY_OK &&
	       key.field_len == strlen(p->name) && memcmp(key.field, p->name, key.field_len) == 0 &&
	       key.kind == FILTER_EQ && !key.subkey && !key.indexed;
}

/* The last pair that gives the parameter. */
static const struct query_pair *last_of(const struct req *r, const struct param *p)
{
	for (size_t i = r->query.count; i > 0; i--)
		if (gives(p, &r->query.pairs[i - 1]))
			return &r->query.pairs[i - 1];
	return NULL;
}

/* A filter of a parameter that has another operator than eq. */
static void refuse_operator(struct req *r, const struct param *p, const struct filter_key *key)
{
	struct path outer = PATH_NAME(NULL, "filter"), at = PATH_NAME(&outer, p->name);
	struct issue_keys keys;

	issue_keys_begin(&keys, &r->issues);
	issue_keys_add(&keys, key->op, key->op_len);
	issue_keys_end(&keys, &at);
}

/* Keys that look like filters are refused where nothing filters by them, so that
 * nobody takes an unfiltered list for a filtered one. */
static void refuse_filters(struct req *r)
{
	struct path at = PATH_NAME(NULL, "filter");
	struct issue_keys keys;

	issue_keys_begin(&keys, &r->issues);
	for (size_t i = 0; i < r->query.count; i++) {
		const struct query_text *key = &r->query.pairs[i].key;
		const struct param *p;
		struct filter_key parts;
		if (filter_key_parse(&parts, key->text, key->len) == FILTER_KEY_NONE || key->bad_utf8)
			continue;
		p = filtered(r, &parts);
		if (!p)
			issue_keys_add(&keys, parts.field, parts.field_len);
		else if (!gives(p, &r->query.pairs[i]))
			refuse_operator(r, p, &parts);
	}
	issue_keys_end(&keys, &at);
}

static void missing_params(struct req *r)
{
	for (int i = 0; r->route->params && r->route->params[i]; i++) {
		const struct param *p = r->route->params[i];
		struct path at = PATH_NAME(NULL, p->name);
		if (p->required && !last_of(r, p))
			issue_required(&r->issues, &at, "string");
	}
}

static void read_pairs(struct req *r)
{
	bool filters = r->route->filters == NULL; /* read already, or not taken */

	for (size_t n = 0; n < r->query.count; n++) {
		const struct query_pair *pair = &r->query.pairs[n];
		if (!filters && filter_query_key(&pair->key)) {
			filtering_read_query(r);
			filters = true;
		}
		for (int i = 0; r->route->params && r->route->params[i]; i++)
			if (pair == last_of(r, r->route->params[i]))
				read_param(r, r->route->params[i], pair, &r->params[i]);
	}
}

void validate_query(struct req *r)
{
	switch (query_parse(&r->query, &r->arena, r->raw_query ? r->raw_query : "", r->raw_query_len)) {
	case QUERY_OK:
		break;
	case QUERY_TOO_LONG:
		issue_range(&r->issues, NULL, true, QUERY_MAX, "string", false);
		return;
	case QUERY_TOO_MANY:
		issue_custom(&r->issues, NULL, "The query has more than %d parameters", QUERY_PAIRS_MAX);
		return;
	}
	if (r->route->input == INPUT_SEARCH) /* whose parameters are members of its body */
		return;
	read_pairs(r);
	missing_params(r);
	if (r->route->answer == ANSWER_LIST && r->route->resource->table && !r->route->filters)
		refuse_filters(r);
}
