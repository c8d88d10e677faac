/* Definitions of custom fields as bodies hold them: options and number formats. */
#ifndef KITH_SERVER_RESOURCE_CUSTOM_DEFINITION_H
#define KITH_SERVER_RESOURCE_CUSTOM_DEFINITION_H

#include "server/input/body.h"
#include "server/request/request.h"

/*
 * Builds the definition that a create or update asks for; of an update f holds the
 * present one. Answers false with issues in r->issues: what belongs to another type,
 * labels that repeat, unknown options. removed gets the ids of removed options.
 */
struct removed_options {
	struct uuid *ids;
	size_t count;
};
bool definition_apply(struct req *r, struct custom_field *f, struct removed_options *removed);

/* The options as they are kept. */
void definition_options(struct buf *out, const struct custom_field *f);

#endif
