/* Custom values as they are kept and shown. */
#ifndef KITH_SERVER_OUTPUT_CUSTOM_RECORD_H
#define KITH_SERVER_OUTPUT_CUSTOM_RECORD_H

#include "server/base/json.h"
#include "server/output/names.h"
#include "server/snapshot/workspace.h"
#include "store/record.h"

/* The id of a list's item, or of a single option: contacts are kept with their prefix, all others bare. */
bool custom_ref_id(const struct json *item, enum custom_type type, enum id_kind *kind, struct uuid *id);
/* The label of the option that is kept there; NULL when the field has it no more. */
const char *custom_option_label(const struct custom_field *f, const struct json *item);

/* Adds the contacts and objects that the values name to the wanted names. */
void custom_want(struct arena *a, const struct workspace *ws, const struct value *values, struct names *names);

/* Writes customFieldValues of a record: every field of every visible group that it is in, or of its type. */
void custom_render(struct json_out *o, const struct record *rec, const struct workspace *ws,
    const struct viewer *viewer, const struct names *names);

#endif
