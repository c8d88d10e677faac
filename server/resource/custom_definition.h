/* Definitions of custom fields in bodies: options and number formats. */
#ifndef KITH_SERVER_RESOURCE_CUSTOM_DEFINITION_H
#define KITH_SERVER_RESOURCE_CUSTOM_DEFINITION_H

#include "server/input/body.h"
#include "server/request/request.h"

/* Builds the definition for a create or update; for an update f holds the present one. False with issues in
 * r->issues: members of another type, duplicate labels, unknown options. removed gets the ids of removed options. */
struct removed_options {
	struct uuid *ids;
	size_t count;
};
bool definition_apply(struct req *r, struct custom_field *f, struct removed_options *removed);

/* The options as stored. */
void definition_options(struct buf *out, const struct custom_field *f);

#endif
