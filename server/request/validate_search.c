/* The body of a search: the content of a list's query, as JSON. */
#include "server/request/validate.h"

#include <string.h>

#include "server/request/aggregate_read.h"
#include "server/request/listing.h"
#include "server/request/route.h"

/* The index of the route's parameter of that name; -1 when there is none. */
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

/* This member is read first, wherever it is, because it decides how the outermost filters are combined. */
static void read_combinator(struct req *r)
{
	const struct json *combinator = json_member(r->given.body, "combinator");
	int i = combinator ? search_param(r->route, combinator) : -1;

	if (i >= 0 && strcmp(json_text(r->given.body, "combinator"), "or") == 0)
		r->given.params[i].number = 1;
}

static void search_near(const void *ctx, struct near *n)
{
	const struct route *route = ctx;

	near_try(n, "filter", 6);
	for (int i = 0; route->params[i]; i++)
		near_try(n, route->params[i]->name, strlen(route->params[i]->name));
}

static void search_read(struct req *r, struct reading *rd)
{
	struct issue_keys unknown;

	if (!r->given.body || !body_object(rd, r->given.body, NULL))
		return;
	read_combinator(r);
	issue_keys_begin(&unknown, &r->given.issues, search_near, r->route, "known here");
	json_each_member(m, r->given.body) {
		int i = search_param(r->route, m);
		if (i >= 0)
			validate_param(&r->given.issues, r->route->params[i], m,
			    &PATH_NAME(NULL, r->route->params[i]->name), &r->given.params[i]);
		else if (is_filter(m))
			listing_read_body(r, m);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	issue_keys_end(&unknown, NULL);
	listing_read_search(r);
}

void validate_search(struct req *r, struct reading *rd)
{
	search_read(r, rd);
	if (r->route->answer == ANSWER_TOTALS)
		aggregate_read(r);
}
