/* One delivery: its id, its body, and how to find its row.
 *
 * Without statistics on a webhook (a new one, in a new day's partition, or after a restore) all indexes that begin
 * with the webhook seem equally good, and PostgreSQL takes the newest of them, which in a restored database is a
 * different one. With the wrong index a look-up by key reads all rows of the webhook. So a look-up of one row asks
 * for the first row in an order that only one index has. */
#ifndef KITH_WEBHOOK_DELIVERY_H
#define KITH_WEBHOOK_DELIVERY_H

#include "server/base/id.h"
#include "store/sql.h"
#include "webhook/event.h"

/* Returns the id of a delivery, which is computed from the ids of the webhook and the event. Deliveries are in the
 * order of their events' ids. */
struct uuid delivery_id(const struct uuid *webhook, const struct uuid *event);

/* Appends what is posted for the event to a webhook of that listener. public_url has no slash at its end. */
enum { DELIVERY_BODY_MAX = 32 << 20 };
void delivery_body_write(struct buf *out, const struct uuid *webhook, const struct event_row *e,
    const struct event_listener *l, const char *public_url, struct arena *a);

/* Appends " and ... limit 1" to a statement on deliveries with conditions on workspace and webhook: the row with the
 * position of an event. q and e: their aliases in the statement. */
void delivery_at(struct sql *s, const char *q, const char *e);
/* The same for the row with that id. */
void delivery_of_id(struct sql *s, const char *q, const struct uuid *id);

#endif
