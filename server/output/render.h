/* Records as JSON, by the rows of the field table. */
#ifndef KITH_SERVER_OUTPUT_RENDER_H
#define KITH_SERVER_OUTPUT_RENDER_H

#include "server/base/json.h"
#include "server/snapshot/workspace.h"
#include "store/field.h"

struct names;

/* Writes the record as the viewer may see it, without hidden fields and without groups that the viewer may not see.
 * names: of the contacts and objects that custom values refer to; NULL: they refer to none. */
void render_record(struct json_out *o, const struct record *rec, const struct workspace *ws, const struct viewer *v,
    const struct names *names);

/* {id, fullName, email}; null for an unknown user. */
void render_user(struct json_out *o, const struct workspace *ws, const struct uuid *id);

/* {id, entityType} of a FIELD_ENTITY that is not null. Every user who may see the record may see it. */
void render_entity_reference(struct json_out *o, const struct value *v);

/* The context in which a value is rendered. */
struct showing {
	const struct record *record;
	const struct workspace *ws;
	const struct viewer *viewer;
	const struct names *names;
	bool nested; /* rendered within another record */
};

/* How a type of field is rendered: one row per type, with one of the two functions. A type that is never shown, or that
 * other files render, has no function. The functions are not called for null unless always is set. */
struct field_view {
	void (*render)(struct json_out *o, const struct value *v);
	void (*show)(struct json_out *o, const struct value *v, const struct showing *s);
	bool always;
	bool scalar; /* an event reports a change with the new value, as rendered */
};
extern const struct field_view field_views[FIELD_TYPES];

/* A group and a member of a group, from the snapshot. */
void render_group(struct json_out *o, const struct workspace *ws, const struct group *g);
void render_member(struct json_out *o, const struct workspace *ws, const struct member *m);

void render_time(struct json_out *o, int64_t unix_ms);

/* --- metadata.c: a person's interactions with users ---------------------------------- */

/* Writes interactionMetadata from a value of FIELD_METADATA. Its user is the viewer. */
void metadata_render(
    struct json_out *o, const struct value *metadata, const struct workspace *ws, const struct viewer *viewer);

/* Writes strongestConnection: for each of these groups that the viewer may see, the member with the most interactions.
 * Among equals it is the one with the latest interaction. In a public group every user is a member. */
void metadata_render_connection(struct json_out *o, const struct value *metadata, const struct value *groups,
    const struct workspace *ws, const struct viewer *viewer);

#endif
