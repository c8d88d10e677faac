/* Who made an event. A row of table events has the user, the key, and how the request came; names are looked up when
 * the event is read, so a renamed user has the new name everywhere. */
#ifndef KITH_WEBHOOK_ACTOR_H
#define KITH_WEBHOOK_ACTOR_H

#include <stdbool.h>

#include "server/base/id.h"
#include "store/db.h"

/* How the request came that made the event. Rows have these numbers. */
enum event_via {
	VIA_UNKNOWN, /* null in the row: written by an earlier release */
	VIA_SYSTEM,  /* no request: reminders, expiry, what follows from a delete */
	VIA_API,
	VIA_CONSOLE,
	VIA_MCP,
	VIA_IMPORT,
	VIA_CARDDAV,
	VIA_COMMAND, /* a command of the operator, without a user */
	EVENT_VIAS
};

/* The names in answers, from VIA_API on, with a NULL at the end. */
extern const char *const event_via_names[];

struct event_actor {
	enum event_via via;
	bool has_user, has_key;
	struct uuid user, key;
	const char *user_name, *key_name; /* as read; NULL: there is none (any more) */
};

/* What the program itself does, and what its commands do. */
extern const struct event_actor event_actor_system, event_actor_command;

/* Reads the header X-Kith-Via, which the console and kith import send. VIA_API if it says nothing else. NULL:
 * absent. */
enum event_via event_via_claimed(const char *header);

/* The columns of an INSERT, and their values. */
#define EVENT_ACTOR_COLUMNS "actor_via, actor_id, actor_key_id"
void event_actor_sql(struct sql *s, const struct event_actor *a);
/* The last arguments of a call of interaction_totals(), which ends with them. */
void event_actor_arguments(struct sql *s, const struct event_actor *a);

/* Appends the columns of row e that event_actor_read() reads, beginning at a column. */
enum { EVENT_ACTOR_READ_COLUMNS = 5 };
void event_actor_columns(struct sql *s);
void event_actor_read(const struct db_exchange *x, int statement, int row, int column, struct event_actor *out);

struct json_out;
/* Writes {"type", "id", "fullName", "keyId", "keyName", "via"}, or null if nobody knows. Only admins of the workspace
 * and the user see the key. */
void event_actor_write(struct json_out *o, const struct event_actor *a, const struct uuid *reader, bool admin);

#endif
