/* Renders stored values of custom fields. */
#ifndef KITH_SERVER_OUTPUT_RENDER_CUSTOM_H
#define KITH_SERVER_OUTPUT_RENDER_CUSTOM_H

#include "server/base/json.h"
#include "server/output/names.h"
#include "server/snapshot/workspace.h"
#include "store/record.h"

/* The id in an item of a list or in a single option. Contacts are stored with the prefix of the id, all others
 * without. */
bool custom_ref_id(const struct json *item, enum custom_type type, enum id_kind *kind, struct uuid *id);
/* The label of a stored option; NULL when the field no longer has this option. */
const char *custom_option_label(const struct custom_field *f, const struct json *item);

/* Adds the contacts and objects that the values refer to to the names to be read. */
void custom_want(struct arena *a, const struct workspace *ws, const struct value *values, struct names *names);

/* Writes a record's customFieldValues: every field of each visible group that the record is in, or of its object
 * type. */
void render_custom(struct json_out *o, const struct record *rec, const struct workspace *ws,
    const struct viewer *viewer, const struct names *names);

#endif
