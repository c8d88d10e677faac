/* Reads the body of a batch. */
#include "server/request/batch.h"

#include <string.h>

#include "server/request/route.h"
#include "server/request/slice.h"

/* False, possibly with an issue: there is nothing to read. */
static bool batch_begin(struct req *r, struct reading *rd, const struct path *at)
{
	const struct json *records = r->body ? json_member(r->body, "records") : NULL;

	if (r->body && !body_object(rd, r->body, NULL))
		return false;
	if (!records) {
		issue_required(rd->shape, at, "array");
	} else if (body_array(rd, records, BATCH_MAX, at)) {
		r->batch->inputs = arena_alloc(&r->arena, records->count * sizeof(struct input *));
		r->batch->next = records->first;
	}
	return true;
}

bool batch_read(struct req *r, struct reading *rd)
{
	static const char *const members[] = {"records", NULL};
	struct path at = PATH_NAME(NULL, "records");
	bool create = r->route->input == INPUT_BATCH_CREATE;
	unsigned accepted = create ? FIELD_IN_CREATE : r->route->input == INPUT_BATCH_UPDATE ? FIELD_IN_UPDATE : 0;
	struct batch *b = r->batch;

	if (!b) {
		r->batch = b = arena_alloc(&r->arena, sizeof *b);
		if (!batch_begin(r, rd, &at))
			return true;
	}
	while (b->next) {
		struct path here = PATH_INDEX(&at, b->count);
		b->inputs[b->count++] = body_read(rd, r->route->resource, accepted, !create, b->next, &here);
		b->next = b->next->next;
		if (b->next && slice_over(r))
			return false;
	}
	if (r->body)
		body_unknown(rd->shape, r->body, members, NULL);
	return true;
}
