/* The body of a search; see search.h. */
#include "server/request/search.h"

#include <string.h>

#include "server/base/text.h"
#include "server/request/listing.h"
#include "server/request/route.h"

static void search_read_integer(
    struct req *r, const struct param *p, const struct json *json, const struct path *at, struct param_value *v)
{
	bool negative = json->type == JSON_NUMBER && json->text[0] == '-';
	uint64_t number;

	if (json->type != JSON_NUMBER || !text_uint(json->text + negative, json->len - negative, &number))
		issue_type(&r->issues, at, json->type == JSON_NUMBER ? "integer" : "number", json);
	else if (negative || number < (uint64_t)p->min)
		issue_range(&r->issues, at, false, p->min, "number", false);
	else if (number > (uint64_t)p->max)
		issue_range(&r->issues, at, true, p->max, "number", false);
	else
		*v = (struct param_value){.given = true, .number = (int64_t)number};
}

static void search_read_choice(
    struct req *r, const struct param *p, const struct json *json, const struct path *at, struct param_value *v)
{
	if (json->type != JSON_STRING) {
		issue_type(&r->issues, at, "string", json);
		return;
	}
	for (int i = 0; p->choices[i]; i++) {
		if (strlen(p->choices[i]) != json->len || memcmp(p->choices[i], json->text, json->len) != 0)
			continue;
		*v = (struct param_value){.given = true, .number = i, .text = p->choices[i], .len = json->len};
		return;
	}
	issue_choice(&r->issues, at, p->choices, json->text, json->len);
}

static void search_read_param(struct req *r, const struct param *p, const struct json *json, struct param_value *v)
{
	struct path at = PATH_NAME(NULL, p->name);

	switch (p->type) {
	case PARAM_INTEGER:
		search_read_integer(r, p, json, &at, v);
		break;
	case PARAM_CHOICE:
		search_read_choice(r, p, json, &at, v);
		break;
	case PARAM_CURSOR:
	case PARAM_TEXT:
	case PARAM_ID:
	case PARAM_TIME:
		if (body_text(&r->issues, json, 0, p->max, &at) && json->len) /* an empty cursor counts as absent */
			*v = (struct param_value){.given = true, .text = json->text, .len = json->len};
		break;
	}
}

/* The index of the route's parameter of that name, -1 when there is none. */
static int search_param(const struct route *route, const struct json *member)
{
	for (int i = 0; route->params[i]; i++)
		if (strlen(route->params[i]->name) == member->key_len &&
		    memcmp(route->params[i]->name, member->key, member->key_len) == 0)
			return i;
	return -1;
}

static bool is_filter(const struct json *member)
{
	return member->key_len == 6 && memcmp(member->key, "filter", 6) == 0;
}

/* Read first, wherever it is: it decides how the outermost filters are combined. */
static void read_combinator(struct req *r)
{
	const struct json *combinator = json_member(r->body, "combinator");
	int i = combinator ? search_param(r->route, combinator) : -1;

	if (i >= 0 && combinator->type == JSON_STRING && strcmp(combinator->text, "or") == 0)
		r->params[i].number = 1;
}

void search_read(struct req *r, struct reading *rd)
{
	struct issue_keys unknown;

	if (!r->body || !body_object(rd, r->body, NULL))
		return;
	read_combinator(r);
	issue_keys_begin(&unknown, &r->issues);
	for (const struct json *m = r->body->first; m; m = m->next) {
		int i = search_param(r->route, m);
		if (i >= 0)
			search_read_param(r, r->route->params[i], m, &r->params[i]);
		else if (is_filter(m))
			listing_read_body(r, m);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	issue_keys_end(&unknown, NULL);
}
