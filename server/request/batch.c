/* Reads the body of a batch. */
#include "server/request/batch.h"

#include <string.h>

#include "server/input/match.h"
#include "server/request/route.h"
#include "server/request/slice.h"

static void batch_read_match(struct req *r, struct reading *rd)
{
	struct path at = PATH_NAME(NULL, "match");
	struct match unused; /* the transaction reads the body again with the current snapshot */

	r->given.batch->match = json_member(r->given.body, "match");
	if (r->given.batch->match)
		match_read(rd, r->route->resource, r->given.batch->match, &at, &unused);
	else
		issue_required(rd->shape, &at, "string");
}

/* False when there is nothing to read; an issue may have been added. */
static bool batch_begin(struct req *r, struct reading *rd, const struct path *at)
{
	const struct json *records = json_member(r->given.body, "records");

	if (r->given.body && !body_object(rd, r->given.body, NULL))
		return false;
	/* issues are listed in the order of the body */
	if (r->route->input == INPUT_BATCH_UPSERT && r->given.body && r->given.body->first &&
	    strcmp(r->given.body->first->key, "match") == 0)
		batch_read_match(r, rd);
	if (!records) {
		issue_required(rd->shape, at, "array");
	} else if (body_array(rd, records, BATCH_MAX, at)) {
		r->given.batch->inputs = arena_alloc(&r->arena, records->count * sizeof(struct input *));
		r->given.batch->next = records->first;
	}
	return true;
}

bool batch_read(struct req *r, struct reading *rd)
{
	static const char *const members[] = {"records", NULL}, *const upsert_members[] = {"match", "records", NULL};
	struct path at = PATH_NAME(NULL, "records");
	bool upsert = r->route->input == INPUT_BATCH_UPSERT, create = upsert || r->route->input == INPUT_BATCH_CREATE;
	unsigned accepted = create ? FIELD_IN_CREATE : r->route->input == INPUT_BATCH_UPDATE ? FIELD_IN_UPDATE : 0;
	struct batch *b = r->given.batch;

	if (!b) {
		r->given.batch = b = arena_alloc(&r->arena, sizeof *b);
		if (!batch_begin(r, rd, &at))
			return true;
	}
	while (b->next) {
		struct path here = PATH_INDEX(&at, b->count);
		b->inputs[b->count] = body_read(rd, r->route->resource, accepted, !create, b->next, &here);
		/* The condition is not part of the fingerprint: a retry of a completed request is a replay, whatever
		 * the request expects. */
		if (b->inputs[b->count++]->if_match)
			json_remove(b->next, "ifMatch");
		b->next = b->next->next;
		if (b->next && slice_over(r))
			return false;
	}
	if (upsert && !b->match)
		batch_read_match(r, rd);
	if (r->given.body)
		body_unknown(rd->shape, r->given.body, upsert ? upsert_members : members, NULL);
	return true;
}
