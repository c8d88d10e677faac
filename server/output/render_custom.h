/* Rendering stored values of custom fields. */
#ifndef KITH_SERVER_OUTPUT_RENDER_CUSTOM_H
#define KITH_SERVER_OUTPUT_RENDER_CUSTOM_H

#include "server/base/json.h"
#include "server/output/names.h"
#include "server/snapshot/workspace.h"
#include "store/record.h"

/* The id in a list's item or a single option: contacts are stored with the id's prefix, all others without. */
bool custom_ref_id(const struct json *item, enum custom_type type, enum id_kind *kind, struct uuid *id);
/* The label of a stored option; NULL when the field has no such option any more. */
const char *custom_option_label(const struct custom_field *f, const struct json *item);

/* Adds the contacts and objects that the values refer to to the wanted names. */
void custom_want(struct arena *a, const struct workspace *ws, const struct value *values, struct names *names);

/* Writes a record's customFieldValues: every field of each visible group that it is in, or of its type. */
void render_custom(struct json_out *o, const struct record *rec, const struct workspace *ws,
    const struct viewer *viewer, const struct names *names);

#endif
