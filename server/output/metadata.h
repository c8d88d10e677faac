/* Who interacted with a person, how often and when last: interactionMetadata and strongestConnection. */
#ifndef KITH_SERVER_OUTPUT_METADATA_H
#define KITH_SERVER_OUTPUT_METADATA_H

#include "server/base/json.h"
#include "server/snapshot/workspace.h"
#include "store/field.h"

/* interactionMetadata out of a value of FIELD_METADATA; its user is the viewer. */
void metadata_render(
    struct json_out *o, const struct value *metadata, const struct workspace *ws, const struct viewer *viewer);

/* strongestConnection: for each of these groups that the viewer may see, the member with
 * most interactions, and of several the one with the latest. In a public group every user counts. */
void connection_render(struct json_out *o, const struct value *metadata, const struct value *groups,
    const struct workspace *ws, const struct viewer *viewer);

#endif
