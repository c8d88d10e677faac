/*
 * One delivery: its id, and how its row is found.
 *
 * While a table's statistics know nothing of a webhook, as of one that is new, in a new day's partition, or after a
 * restore, all indexes that begin with it seem equally good, and PostgreSQL takes the newest of them: in a restored
 * database another one than where it was made. A row that was looked for by its key was then found among all of its
 * webhook. So a statement that looks for one asks for the first in an order that one index alone has.
 */
#ifndef KITH_WEBHOOK_DELIVERY_H
#define KITH_WEBHOOK_DELIVERY_H

#include "server/base/id.h"
#include "store/sql.h"

/* Its id: a function of both ids, in the order of the event's. */
struct uuid delivery_id(const struct uuid *webhook, const struct uuid *event);

/* The end of a statement on deliveries, which names workspace and webhook: " and ... limit 1", of the row that has the
 * position of an event. q and e: their names in the statement. */
void delivery_at(struct sql *s, const char *q, const char *e);
/* The same, of the row of that id. */
void delivery_of_id(struct sql *s, const char *q, const struct uuid *id);

#endif
