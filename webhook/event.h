/* Events: their types, and how readers get them (docs/api.md, "Events feed"). Rows of table events are written by
 * server/request/outbox.c in the change's transaction, and read here for the feed and for deliveries. */
#ifndef KITH_WEBHOOK_EVENT_H
#define KITH_WEBHOOK_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/id.h"
#include "store/db.h"
#include "store/horizon.h"
#include "webhook/actor.h"

enum event_type {
	EVENT_PERSON_CREATED,
	EVENT_PERSON_UPDATED,
	EVENT_PERSON_DELETED,
	EVENT_PERSON_GROUPS_UPDATED,
	EVENT_PERSON_METADATA_UPDATED,
	EVENT_COMPANY_CREATED,
	EVENT_COMPANY_UPDATED,
	EVENT_COMPANY_DELETED,
	EVENT_COMPANY_GROUPS_UPDATED,
	EVENT_OBJECT_CREATED,
	EVENT_OBJECT_UPDATED,
	EVENT_OBJECT_DELETED,
	EVENT_NOTE_CREATED,
	EVENT_NOTE_UPDATED,
	EVENT_NOTE_DELETED,
	EVENT_REMINDER_CREATED,
	EVENT_REMINDER_UPDATED,
	EVENT_REMINDER_DELETED,
	EVENT_REMINDER_TRIGGERED,
	EVENT_TASK_CREATED,
	EVENT_TASK_UPDATED,
	EVENT_TASK_COMPLETED,
	EVENT_TASK_DELETED,
	EVENT_INTERACTION_CREATED,
	EVENT_INTERACTION_UPDATED,
	EVENT_INTERACTION_DELETED,
	EVENT_USER_CREATED,
	EVENT_USER_UPDATED,
	EVENT_USER_DISABLED,
	EVENT_USER_ENABLED,
	EVENT_USER_INVITED,
	EVENT_USER_PASSWORD_CHANGED,
	EVENT_USER_SIGN_IN_FAILED,
	EVENT_WEBHOOK_DEACTIVATED,
	EVENT_WEBHOOK_TEST, /* cannot be subscribed to */
	EVENT_TYPES
};

/* The members that a subscription's filter for the event may have. */
enum {
	EVENT_BY_GROUP = 1, /* groupId */
	EVENT_BY_PATH = 2,  /* path, path and value */
	EVENT_BY_TYPE = 4   /* objectType, with groupId; path only with both */
};

/* Members of data.details. */
enum event_details {
	DETAILS_NONE,
	DETAILS_ENTITY,  /* the entity to which the record belongs */
	DETAILS_TRIGGER, /* the entity, and a reminder's last and next time */
	DETAILS_CONTACT, /* name and e-mail addresses, and what it was merged into */
	DETAILS_NAME,    /* the name of the record */
	DETAILS_REASON,  /* why a webhook became inactive */
	DETAILS_ADDRESS  /* from where somebody tried to sign in */
};

/* An event type: one row each. */
struct event_kind {
	const char *name;     /* "person.created" */
	enum id_kind id_kind; /* of its record */
	const char *path; /* of the record's address: "/v1/people/"; NULL: an object's, composed of group and type */
	unsigned filters; /* set of EVENT_BY_ */
	bool can_subscribe;
	bool has_changes; /* data.changes */
	enum event_details details;
	const char *about; /* for the API's description */
};
extern const struct event_kind event_kinds[EVENT_TYPES];

/* The names of the types that can be subscribed to, with a NULL at the end: all that the feed has. */
const char *const *event_type_names(void);

/* EVENT_TYPES when there is none of that name. */
enum event_type event_type_parse(const char *name, size_t len);

/* Begins a statement that writes an event of a user outside of a request's transaction; admins see it, too. The caller
 * adds what follows "from": rows u with workspace_id, id, and data (json or null). */
void event_user_sql(struct sql *s, enum event_type type, const struct event_actor *actor);

/* A position in the order (generation, xid, seq): after all smaller ones. All 0: before the oldest event. */
struct event_position {
	int64_t generation; /* the generation of the transaction numbers, see migrations/0006_events.sql */
	uint64_t xid;
	int64_t seq;
	int64_t at_ms; /* approximate time; partitions from over a day earlier are skipped */
};

/* False for the position before the oldest event. */
bool event_position_set(const struct event_position *p);
/* The position before everything above the horizon. */
struct event_position event_position_horizon(const struct horizon_point *h);
int event_position_compare(const struct event_position *a, const struct event_position *b);

/* Reads generation, xid and seq from three columns, beginning with column; at_ms is 0. */
struct event_position event_position_read(const struct db_exchange *x, int statement, int row, int column);

/* Appends "(generation, xid, seq)" as parameters. */
void event_position_sql(struct sql *s, const struct event_position *p);

/* A row as read; texts and ids are in the result and the arena. */
struct event_row {
	struct event_position position;
	struct uuid id, record;
	enum event_type type;
	int64_t created_at; /* ms since 1970 */
	struct uuid *groups;
	size_t n_groups;
	struct uuid *named;
	size_t n_named;
	bool is_within;
	struct uuid within;
	const char *object_type; /* NULL: none */
	bool has_audience;
	struct uuid *audience;
	size_t n_audience;
	const char *data; /* JSON object without blanks around it, NUL terminated; NULL: none */
	size_t data_len;
	struct event_actor actor;
};

/* Appends the columns of row e that event_row_read() reads. */
void event_row_columns(struct sql *s);
enum { EVENT_ROW_COLUMNS = 13 + EVENT_ACTOR_READ_COLUMNS };

/* Appends " and …": rows e after the position and below the horizon. The caller orders by event_row_order and
 * disables sorting (enable_sort): the planner underestimates rows newer than the last ANALYZE. */
void event_row_after(struct sql *s, const struct event_position *p);

/* "e.generation, e.xid, e.seq" */
extern const char event_row_order[];

void event_row_read(const struct db_exchange *x, int statement, int row, struct arena *a, struct event_row *out);

/* A reader of events. */
struct event_listener {
	struct uuid user;
	bool admin;                /* of the workspace, without a limit of groups */
	const struct uuid *hidden; /* groups that the user may not see */
	size_t n_hidden;
	const struct uuid *only; /* the only groups that the key may see; n_only 0: no restriction */
	size_t n_only;
};
bool event_hides(const struct event_listener *l, const struct uuid *group);

/* True when the listener may know of the event and may see at least a part of its data. */
bool event_visible(const struct event_row *e, const struct event_listener *l, struct arena *a);

struct json_out;
/* Begins an event as it is posted and listed: {"id", "type", "createdAt", "actor": — the caller writes the actor. */
void event_begin(struct json_out *o, const char *id, const char *type, const char *created_at);
/* Goes on: "source"?, "data": — the caller writes the data and ends the object. source NULL: without it. */
void event_data_begin(struct json_out *o, const char *source);
/* Both for a row, with its actor as the listener may see it. */
void event_row_begin(struct json_out *o, const struct event_row *e, const struct event_listener *l, const char *source);

/* Appends {"id", "url", "changes"?, "details"?}: the data as the listener may see them. base_url has no slash at its
 * end. */
void event_data_write(
    struct buf *out, const struct event_row *e, const struct event_listener *l, const char *base_url, struct arena *a);

#endif
