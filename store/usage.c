/* What a process has counted of a workspace's requests: answered only, there is no table. */
#include "store/resources.h"

/* clang-format off */
static const struct field fields[USAGE_FIELDS] = {
	[USAGE_PROCESS]  = {"process",  NULL, FIELD_TEXT,  0, .about = "Names the process that answered. Each counts by itself, from its own start: compare only answers of one process."},
	[USAGE_SINCE]    = {"since",    NULL, FIELD_TIME,  0, .about = "When it began to count the workspace's requests."},
	[USAGE_REQUESTS] = {"requests", NULL, FIELD_COUNT, 0, .about = "Requests with a key of the workspace, all of the following included."},
	[USAGE_REFUSED]  = {"refused",  NULL, FIELD_COUNT, 0, .about = "Of these, answered with a 4xx other than 429."},
	[USAGE_LIMITED]  = {"limited",  NULL, FIELD_COUNT, 0, .about = "Of these, refused by a rate limit."},
	[USAGE_ERRORS]   = {"errors",   NULL, FIELD_COUNT, 0, .about = "Of these, answered with a 5xx."},
	[USAGE_REPLAYED] = {"replayed", NULL, FIELD_COUNT, 0, .about = "Of these, answered with the stored answer of an earlier request, by their `Idempotency-Key`."},
	[USAGE_EVENTS]   = {"events",   NULL, FIELD_COUNT, 0, .about = "Events that they made, apart from those of what was deleted along with something else."},
	[USAGE_TOOK_MS]  = {"tookMs",   NULL, FIELD_COUNT, 0, .about = "Milliseconds from their arrival to their answer, of all together."},
};
/* clang-format on */

const struct resource usage_resource = {.name = "usage",
    .about = "What a process has counted of a workspace's requests.",
    .id_kind = ID_WORKSPACE,
    .fields = fields,
    .n_fields = USAGE_FIELDS};
