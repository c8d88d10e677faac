/* A person's interactions with users: interactionMetadata and strongestConnection. */
#ifndef KITH_SERVER_OUTPUT_METADATA_H
#define KITH_SERVER_OUTPUT_METADATA_H

#include "server/base/json.h"
#include "server/snapshot/workspace.h"
#include "store/field.h"

/* Writes interactionMetadata from a value of FIELD_METADATA; its user is the viewer. */
void metadata_render(
    struct json_out *o, const struct value *metadata, const struct workspace *ws, const struct viewer *viewer);

/* Writes strongestConnection: for each of these groups that the viewer may see, the member with the most
 * interactions, among equals the one with the latest. In a public group every user is a member. */
void metadata_render_connection(struct json_out *o, const struct value *metadata, const struct value *groups,
    const struct workspace *ws, const struct viewer *viewer);

#endif
