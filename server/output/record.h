/* Records as JSON, by the rows of the field table. */
#ifndef KITH_SERVER_OUTPUT_RECORD_H
#define KITH_SERVER_OUTPUT_RECORD_H

#include "server/base/json.h"
#include "server/snapshot/workspace.h"
#include "store/field.h"

/* Writes the record as the viewer may see it: hidden fields and groups that he
 * may not see are absent. */
void render_record(struct json_out *o, const struct record *rec, const struct workspace *ws, const struct viewer *v);

/* The same where custom values may name contacts and objects: names were asked for. */
struct names;
void render_record_named(struct json_out *o, const struct record *rec, const struct workspace *ws,
    const struct viewer *v, const struct names *names);

/* {id, fullName, email}; an unknown user is null. */
void render_user(struct json_out *o, const struct workspace *ws, const struct uuid *id);

/* {id, entityType, fullName} of a FIELD_ENTITY that is not null. */
void render_entity(struct json_out *o, const struct value *v);

/* {id, entityType} of it: what anybody may know who may know of the record. */
void render_entity_reference(struct json_out *o, const struct value *v);

/* One value of a type that needs nothing else and that is not null: texts, numbers, dates, times, flags;
 * false, with nothing written, when the type is another. */
bool render_scalar(struct json_out *o, enum field_type type, const struct value *v);

/* A group and a group's member: they live in the snapshot, not in rows. */
void render_group(struct json_out *o, const struct workspace *ws, const struct group *g);
void render_member(struct json_out *o, const struct workspace *ws, const struct member *m);

void render_time(struct json_out *o, int64_t unix_ms);

#endif
