/* Statements of one workspace that are put together for somebody's exchange: a request's, or a job's. */
#ifndef KITH_SERVER_REQUEST_STATEMENTS_H
#define KITH_SERVER_REQUEST_STATEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "store/sql.h"

struct statements {
	struct arena *arena;
	int64_t now_ms; /* when rows are changed, as they tell it */
	bool *told;     /* becomes true when one of them writes events */
	struct sql *(*add)(void *owner);
	void *owner;
};

/* A new one, whose $1 is the workspace. */
static inline struct sql *statements_add(const struct statements *st)
{
	return st->add(st->owner);
}

#endif
