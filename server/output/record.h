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

/* What a value is shown with. */
struct showing {
	const struct record *record;
	const struct workspace *ws;
	const struct viewer *viewer;
	const struct names *names;
	bool nested; /* inside of another record */
};

/* How a type of field is shown: a row a type, with one of the two; empty for one that is never shown, or only by
 * files of its own. Neither is called for a null, but where always is set. */
struct field_view {
	void (*render)(struct json_out *o, const struct value *v);
	void (*show)(struct json_out *o, const struct value *v, const struct showing *s);
	bool always;
	bool scalar; /* events tell of a change by the new value as it is rendered */
};
extern const struct field_view field_views[FIELD_TYPES];

/* A group and a group's member: they live in the snapshot, not in rows. */
void render_group(struct json_out *o, const struct workspace *ws, const struct group *g);
void render_member(struct json_out *o, const struct workspace *ws, const struct member *m);

void render_time(struct json_out *o, int64_t unix_ms);

#endif
