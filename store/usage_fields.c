/* The counts of a workspace's requests in one process. They are kept in memory, not in a table. */
#include "store/resources.h"

/* clang-format off */
static const struct field fields[USAGE_FIELDS] = {
	[USAGE_PROCESS]  = {"process",  NULL, FIELD_TEXT,  0, .about = "Id of the process that answered. Each process counts from its own start, so compare only answers of one process."},
	[USAGE_SINCE]    = {"since",    NULL, FIELD_TIME,  0, .about = "When it began to count the workspace's requests."},
	[USAGE_REQUESTS] = {"requests", NULL, FIELD_COUNT, 0, .about = "Requests with a key of the workspace, all of the following included."},
	[USAGE_REFUSED]  = {"refused",  NULL, FIELD_COUNT, 0, .about = "Requests answered with a 4xx other than 429."},
	[USAGE_LIMITED]  = {"limited",  NULL, FIELD_COUNT, 0, .about = "Requests refused by a rate limit."},
	[USAGE_ERRORS]   = {"errors",   NULL, FIELD_COUNT, 0, .about = "Requests answered with a 5xx."},
	[USAGE_REPLAYED] = {"replayed", NULL, FIELD_COUNT, 0, .about = "Requests that got the stored answer of an earlier request with the same `Idempotency-Key`."},
	[USAGE_EVENTS]   = {"events",   NULL, FIELD_COUNT, 0, .about = "Events that the requests made. Records that were deleted along with another record do not count."},
	[USAGE_TOOK_MS]  = {"tookMs",   NULL, FIELD_COUNT, 0, .about = "Milliseconds from arrival to answer, added up over all requests."},
};
/* clang-format on */

const struct resource usage_resource = {.name = "usage",
    .about = "What a process has counted of a workspace's requests.",
    .id_kind = ID_WORKSPACE,
    .fields = fields,
    .n_fields = USAGE_FIELDS};
