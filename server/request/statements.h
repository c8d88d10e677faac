/* Adds statements of one workspace to an exchange of a request or a job. */
#ifndef KITH_SERVER_REQUEST_STATEMENTS_H
#define KITH_SERVER_REQUEST_STATEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "store/sql.h"
#include "webhook/actor.h"

struct statements {
	struct arena *arena;
	int64_t now_ms; /* time of the changes, as recorded in rows */
	bool untold;    /* a dry run: the statements make no events, see server/request/outbox.h */
	struct sql *(*add)(void *owner);
	void *owner;
	struct event_actor actor; /* of the events */
};

/* Adds a statement. Its $1 is the workspace. */
static inline struct sql *statements_add(const struct statements *st)
{
	return st->add(st->owner);
}

#endif
