/* Definitions of custom fields in bodies: options and number formats. */
#ifndef KITH_SERVER_RESOURCE_CUSTOM_DEFINITION_H
#define KITH_SERVER_RESOURCE_CUSTOM_DEFINITION_H

#include "server/input/body.h"
#include "server/request/request.h"
#include "server/resource/removal_rows.h"

/* Builds the definition for a create or update. For an update, f has the current definition. removed gets the ids of
 * removed options. Returns false with issues in r->given.issues: members of another type, duplicate labels, unknown
 * options. */
bool definition_apply(struct req *r, struct custom_field *f, struct removed_values *removed);

/* The options as stored. */
void definition_options(struct buf *out, const struct custom_field *f);

#endif
