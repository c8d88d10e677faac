/* Validation of a query: its parameters, and the values of parameters in a search's body. */
#include "server/request/validate.h"

#include <string.h>

#include "filter/read_query.h"
#include "server/base/clock.h"
#include "server/base/near.h"
#include "server/base/text.h"
#include "server/request/aggregate_read.h"
#include "server/request/ignored.h"
#include "server/request/listing.h"
#include "server/request/route.h"
#include "webhook/event.h"

enum { MS_PER_DAY = 24 * 60 * 60 * 1000 };

static void param_read_integer(
    struct issues *issues, const struct param *p, const struct json *json, const struct path *at, struct param_value *v)
{
	bool negative = json->type == JSON_NUMBER && json->text[0] == '-';
	uint64_t number;

	if (json->type != JSON_NUMBER || !text_uint(json->text + negative, json->len - negative, &number))
		issue_type(issues, at, json->type == JSON_NUMBER ? "integer" : "number", json);
	else if (negative || number < (uint64_t)p->min)
		issue_range(issues, at, false, p->min, "number", false);
	else if (number > (uint64_t)p->max)
		issue_range(issues, at, true, p->max, "number", false);
	else
		*v = (struct param_value){.given = true, .number = (int64_t)number};
}

static bool param_read_choice(
    struct issues *issues, const struct param *p, const struct json *json, const struct path *at, int64_t *number)
{
	for (int i = 0; p->choices[i]; i++) {
		*number = i;
		if (strlen(p->choices[i]) == json->len && memcmp(p->choices[i], json->text, json->len) == 0)
			return true;
	}
	issue_choice(issues, at, p->choices, json->text, json->len);
	return false;
}

static bool param_read_event(struct issues *issues, const struct json *json, const struct path *at, uint64_t *set)
{
	enum event_type type = event_type_parse(json->text, json->len);

	if (type == EVENT_TYPES || !event_kinds[type].can_subscribe) {
		issue_choice(issues, at, event_type_names(), json->text, json->len);
		return false;
	}
	*set = UINT64_C(1) << type;
	return true;
}

static bool param_read_time(struct issues *issues, const struct json *json, const struct path *at, int64_t *ms)
{
	int32_t days;

	if (date_parse(json->text, json->len, &days))
		*ms = (int64_t)days * MS_PER_DAY;
	else if (!time_parse(json->text, json->len, ms)) {
		issue_string(issues, at, "datetime");
		return false;
	}
	return true;
}

/* A text, or an array of texts. */
static void param_read_names(
    struct issues *issues, const struct param *p, const struct json *json, const struct path *at, struct param_value *v)
{
	size_t index = 0;
	bool valid = true;

	if (json->type == JSON_STRING)
		valid = body_text(issues, json, p->min, p->max, at);
	else
		json_each(item, json) {
			struct path here = PATH_INDEX(at, index++);
			if (item->type != JSON_STRING)
				issue_type(issues, &here, "string", item);
			valid &= item->type == JSON_STRING && body_text(issues, item, p->min, p->max, &here);
		}
	if (json->type != JSON_STRING && json->type != JSON_ARRAY)
		issue_type(issues, at, "array", json);
	else if (valid)
		*v = (struct param_value){.given = true, .names = json};
}

void validate_param(
    struct issues *issues, const struct param *p, const struct json *json, const struct path *at, struct param_value *v)
{
	struct reading rd = {.shape = issues};
	struct param_value text = {.given = true, .text = json->text, .len = json->len};
	bool valid = false;

	if (p->type == PARAM_INTEGER) {
		param_read_integer(issues, p, json, at, v);
		return;
	}
	if (p->type == PARAM_NAMES) {
		param_read_names(issues, p, json, at, v);
		return;
	}
	if (json->type != JSON_STRING) {
		issue_type(issues, at, "string", json);
		return;
	}
	switch (p->type) {
	case PARAM_INTEGER:
	case PARAM_NAMES:
		break;
	case PARAM_CHOICE:
		valid = param_read_choice(issues, p, json, at, &text.number);
		break;
	case PARAM_TEXT:
		valid = body_text(issues, json, p->min, p->max, at);
		break;
	case PARAM_CURSOR: /* an empty one counts as absent */
		valid = body_text(issues, json, p->min, p->max, at) && json->len;
		break;
	case PARAM_ID:
		valid = body_id_text(&rd, json, at);
		break;
	case PARAM_EVENTS:
		valid = param_read_event(issues, json, at, &text.set);
		break;
	case PARAM_TIME:
		valid = param_read_time(issues, json, at, &text.number);
		break;
	}
	if (valid)
		*v = text;
}

/* How a pair gives a parameter. A filter parameter may have an index after its key. */
enum given {
	NOT_GIVEN,
	BY_NAME,
	AS_FILTER,  /* filter[entity.id][eq] */
	IN_BRACKETS /* entity[id] */
};

static bool names_equal(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && memcmp(a, b, a_len) == 0;
}

static enum given given_as(const struct param *p, const struct query_pair *pair)
{
	const char *key = pair->key.text;
	size_t len = strlen(p->name), dot = strcspn(p->name, "."), key_len = pair->key.len;
	struct filter_key parts;

	if (p->type == PARAM_NAMES)
		return names_equal(key, filter_key_unindexed(key, key_len), p->name, len) ? BY_NAME : NOT_GIVEN;
	if (!p->filters)
		return names_equal(key, key_len, p->name, len) ? BY_NAME : NOT_GIVEN;
	if (filter_key_parse(&parts, key, key_len) == FILTER_KEY_OK)
		return names_equal(parts.field, parts.field_len, p->name, len) && parts.kind == FILTER_EQ &&
		               !parts.subkey
		           ? AS_FILTER
		           : NOT_GIVEN;
	key_len = filter_key_unindexed(key, key_len);
	if (names_equal(key, key_len, p->name, len))
		return BY_NAME;
	if (key_len == len + 1 && memcmp(key, p->name, dot) == 0 && key[dot] == '[' &&
	    memcmp(key + dot + 1, p->name + dot + 1, len - dot - 1) == 0 && key[len] == ']')
		return IN_BRACKETS;
	return NOT_GIVEN;
}

/* The path for an issue of the parameter, in the form that the client used. */
struct param_place {
	struct path parts[3];
};

static const struct path *given_path(struct param_place *at, const struct param *p, enum given how)
{
	size_t dot = strcspn(p->name, ".");

	at->parts[0] = PATH_NAME(NULL, p->name);
	if (how == AS_FILTER) {
		at->parts[0] = PATH_NAME(NULL, "filter");
		at->parts[1] = PATH_NAME(&at->parts[0], p->name);
		at->parts[2] = PATH_NAME(&at->parts[1], "eq");
		return &at->parts[2];
	}
	if (how == IN_BRACKETS) {
		at->parts[0] = (struct path){.name = p->name, .len = dot};
		at->parts[1] = PATH_NAME(&at->parts[0], p->name + dot + 1);
		return &at->parts[1];
	}
	return &at->parts[0];
}

static void query_read_param(
    struct issues *issues, const struct param *p, const struct query_pair *pair, struct param_value *v)
{
	struct param_place here;
	const struct path *at = given_path(&here, p, given_as(p, pair));
	const struct query_text *t = &pair->value;
	struct json value = {.type = JSON_STRING, .text = t->text, .len = t->len, .has_nul = t->has_nul};
	size_t sign = t->len && t->text[0] == '-';
	uint64_t number, before = v->set;

	if (p->type == PARAM_INTEGER && text_uint(t->text + sign, t->len - sign, &number))
		value.type = JSON_NUMBER;
	if (t->bad_utf8)
		issue_string_form(issues, at, "UTF-8");
	else
		validate_param(issues, p, &value, at, v);
	v->set |= before;
}

/* All pairs that give the parameter, as an array; empty ones are left out. */
static void query_read_names(struct req *r, const struct param *p, struct param_value *v)
{
	struct json *names = json_make(&r->arena, JSON_ARRAY);
	struct path at = PATH_NAME(NULL, p->name);
	bool bad_utf8 = false;

	for (size_t i = 0; i < r->given.query.count; i++) {
		const struct query_pair *pair = &r->given.query.pairs[i];
		struct json *text;
		if (given_as(p, pair) == NOT_GIVEN || pair->value.len == 0)
			continue;
		text = json_make_text(&r->arena, pair->value.text, pair->value.len);
		text->has_nul = pair->value.has_nul;
		bad_utf8 |= pair->value.bad_utf8;
		json_attach(&r->arena, names, NULL, text);
	}
	if (bad_utf8)
		issue_string_form(&r->given.issues, &at, "UTF-8");
	else
		validate_param(&r->given.issues, p, names, &at, v);
}

/* The last pair that gives the parameter. */
static const struct query_pair *last_of(const struct query *q, const struct param *p)
{
	for (size_t i = q->count; i > 0; i--)
		if (given_as(p, &q->pairs[i - 1]) != NOT_GIVEN)
			return &q->pairs[i - 1];
	return NULL;
}

/* The parameters of a search are members of its body. Links to a next page always have a limit, even where all pages
 * have one size. */
static bool pair_known(const struct route *route, const struct query_pair *pair)
{
	int i = 0;

	if (route->input == INPUT_SEARCH)
		return false;
	if (route->filters && strncmp(pair->key.text, "filter[", 7) == 0)
		return true;
	for (const struct param *p; (p = route_query_param(route, i)); i++)
		if (given_as(p, pair) != NOT_GIVEN ||
		    (strcmp(p->name, "cursor") == 0 && strcmp(pair->key.text, "limit") == 0))
			return true;
	return false;
}

/* Every pair of such a parameter counts. */
static bool param_repeats(const struct param *p, const struct query_pair *pair)
{
	return p->type == PARAM_EVENTS && given_as(p, pair) != NOT_GIVEN;
}

/* Reads the i-th parameter, which the pair gives. */
static void pair_read(struct req *r, int i, const struct query_pair *pair)
{
	const struct param *p = route_query_param(r->route, i);

	if (p->type == PARAM_NAMES)
		query_read_names(r, p, &r->given.params[i]);
	else
		query_read_param(&r->given.issues, p, pair, &r->given.params[i]);
}

static void read_pairs(struct req *r)
{
	bool filters = r->route->filters == NULL; /* already read, or not accepted */
	const struct query_pair *given_by[PARAMS_MAX];
	int n_params = 0;

	for (const struct param *p; (p = route_query_param(r->route, n_params)); n_params++)
		given_by[n_params] = last_of(&r->given.query, p);
	for (size_t n = 0; n < r->given.query.count; n++) {
		const struct query_pair *pair = &r->given.query.pairs[n];
		if (!filters && strncmp(pair->key.text, "filter[", 7) == 0) {
			listing_read_query(r);
			filters = true;
		}
		for (int i = 0; i < n_params; i++)
			if (pair == given_by[i] || param_repeats(route_query_param(r->route, i), pair))
				pair_read(r, i, pair);
	}
	for (int i = 0; i < n_params; i++) {
		const struct param *p = route_query_param(r->route, i);
		struct path at = PATH_NAME(NULL, p->name);
		if (p->required && !given_by[i])
			issue_required(&r->given.issues, &at, "string");
	}
}

bool validate_dry_run(struct arena *a, const struct route *route, const char *query, size_t len)
{
	const struct query_pair *pair;
	struct query q;

	if (!query || !route || !route_writes(route))
		return false;
	query_parse(&q, a, query, len);
	pair = query_last(&q, route_dry_run.name);
	return pair && names_equal(pair->value.text, pair->value.len, "true", 4);
}

/* True for dryRun, or a name that is one letter away from it, in any case, with brackets, hyphens or underscores.
 * Nobody means anything else by such a name. */
static bool means_dry(const char *name, size_t len)
{
	char plain[NEAR_LONGEST + 1];
	size_t n = 0;

	for (size_t i = 0; i < len && n < sizeof plain; i++) {
		bool continues =
		    ((unsigned char)name[i] & 0xc0) == 0x80; /* a letter counts once, even if it has several bytes */
		if (name[i] != '[' && name[i] != ']' && !continues)
			plain[n++] = name[i];
	}
	return near_distance(plain, n, route_dry_run.name, strlen(route_dry_run.name)) <= 1;
}

void validate_dry_name(struct req *r, const char *name, size_t len)
{
	struct path at = {.name = name, .len = text_utf8_span(name, len)};

	if (!means_dry(name, len))
		return;
	issue_custom(&r->given.issues, &at, "This parameter is unknown but resembles dryRun, so nothing was done");
	issue_hint(&r->given.issues, r->route->flags & ROUTE_CARRIER
	                                 ? "give `dryRun` as an argument of a tool that has it"
	                                 : "did you mean `dryRun`?");
}

void validate_dry_query(struct req *r)
{
	const size_t len = strlen(route_dry_run.name);
	bool none = r->route->flags & ROUTE_CARRIER;
	size_t given = 0;
	struct path at = PATH_NAME(NULL, route_dry_run.name);
	struct query q;

	if (query_parse(&q, &r->arena, r->given.raw_query ? r->given.raw_query : "", r->given.raw_query_len) !=
	        QUERY_OK &&
	    none)
		issue_custom(&r->given.issues, NULL, "The query is too long");
	for (size_t i = 0; i < q.count; i++) {
		const struct query_text *key = &q.pairs[i].key;
		if (none || !names_equal(key->text, key->len, route_dry_run.name, len))
			validate_dry_name(r, key->text, key->len);
		else if (++given == 2)
			issue_custom(&r->given.issues, &at, "This parameter was given more than once");
	}
}

static const char *ignored_find(const struct route *route, const struct query *q, struct arena *a)
{
	struct ignored all = {.count = 0};

	for (size_t i = 0; i < q->count; i++)
		if (!pair_known(route, &q->pairs[i]))
			ignored_add(&all, &q->pairs[i]);
	return ignored_warnings(&all, route, a);
}

void validate_query(struct req *r)
{
	switch (query_parse(
	    &r->given.query, &r->arena, r->given.raw_query ? r->given.raw_query : "", r->given.raw_query_len)) {
	case QUERY_OK:
		break;
	case QUERY_TOO_LONG:
		issue_range(&r->given.issues, NULL, true, QUERY_MAX, "string", false);
		return;
	case QUERY_TOO_MANY:
		issue_custom(&r->given.issues, NULL, "The query has more than %d parameters", QUERY_PAIRS_MAX);
		return;
	}
	if (r->route->input != INPUT_SEARCH) {
		read_pairs(r);
		if (r->route->filters)
			listing_read_search(r);
		if (r->route->answer == ANSWER_TOTALS)
			aggregate_read(r);
	}
	r->given.ignored = ignored_find(r->route, &r->given.query, &r->arena);
	if (route_writes(r->route))
		validate_dry_query(r);
}
