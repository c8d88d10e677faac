/* Reads the body of a batch. */
#include "server/batch.h"

#include <string.h>

#include "server/route.h"

void batch_read(struct req *r, struct reading *rd)
{
	const struct json *records = r->body ? json_member(r->body, "records") : NULL;
	struct path at = PATH_NAME(NULL, "records");
	struct batch *b = arena_alloc(&r->arena, sizeof *b);
	bool create = r->route->input == INPUT_BATCH_CREATE;
	unsigned accepted = create ? FIELD_IN_CREATE : r->route->input == INPUT_BATCH_UPDATE ? FIELD_IN_UPDATE : 0;
	static const char *const members[] = {"records", NULL};
	size_t index = 0;

	r->batch = b;
	if (r->body && !body_object(rd, r->body, NULL))
		return;
	if (!records) {
		issue_required(rd->shape, &at, "array");
	} else if (body_array(rd, records, BATCH_MAX, &at)) {
		b->inputs = arena_alloc(&r->arena, records->count * sizeof *b->inputs);
		for (const struct json *record = records->first; record; record = record->next, index++) {
			struct path here = PATH_INDEX(&at, index);
			b->inputs[b->count++] = body_read(rd, r->route->resource, accepted, !create, record, &here);
		}
	}
	if (r->body)
		body_unknown(rd->shape, r->body, members, NULL);
}
