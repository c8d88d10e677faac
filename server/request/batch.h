/* The body of a batch: {records: [...]}, at most 100, with "match" in an upsert (docs/api.md, "Batches"). */
#ifndef KITH_SERVER_REQUEST_BATCH_H
#define KITH_SERVER_REQUEST_BATCH_H

#include "server/input/body.h"
#include "server/request/request.h"

enum { BATCH_MAX = 100 };

struct batch {
	struct input **inputs; /* in the order of the records */
	size_t count;
	struct json *next;        /* the next record to read */
	const struct json *match; /* an upsert's field that records are matched by; NULL: not read yet */
};

/* Reads r->given.body into r->given.batch. When it returns false, call it again in another turn. Issues of shape go to
 * rd. References are checked later, record by record. */
bool batch_read(struct req *r, struct reading *rd);

#endif
