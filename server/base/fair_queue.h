/* A queue in which tenants take turns. A tenant is usually a workspace.
 *
 * Each tenant with items has a place in a ring and a list of its own. A turn takes one item of the first tenant, which
 * then moves behind all others. So an item waits for at most one item of each other tenant, and for its own tenant's
 * earlier items, however many items the others have.
 *
 * Items are the caller's: embed a struct fair_item, and find the rest with fair_as(). The queue allocates a small
 * struct for a tenant with its first item and frees it with its last item. An empty queue therefore owns no memory.
 * Adding and removing take constant time with up to a few hundred tenants, and grow slowly beyond that.
 * fair_queue_take() also looks at the tenants that it skips, and fair_queue_longest() looks at all. */
#ifndef KITH_SERVER_BASE_FAIR_QUEUE_H
#define KITH_SERVER_BASE_FAIR_QUEUE_H

#include "id.h"
#include "list.h"

enum { FAIR_BUCKETS = 128 };

struct fair_tenant;

struct fair_item {
	struct list link;
	struct fair_tenant *tenant; /* NULL: in no queue; so zeros are a valid item */
};

/* The caller's struct of that type that has the item as this member; NULL if the item is NULL. */
#define fair_as(item, type, member) ((type *)fair_from(item, offsetof(type, member)))
static inline void *fair_from(const struct fair_item *i, size_t offset)
{
	return i ? (char *)i - offset : NULL;
}

struct fair_queue {
	struct list ring; /* tenants, the next in turn first */
	struct fair_tenant *buckets[FAIR_BUCKETS];
	int n_tenants, n_items;
};

void fair_queue_init(struct fair_queue *q);

/* Adds the item behind those of its tenant. A new tenant comes behind all others. The item must be in no queue. */
void fair_queue_add(struct fair_queue *q, const struct uuid *tenant, struct fair_item *i);
/* Adds the item before those of its tenant, and moves the tenant before all others. For an item that could not use its
 * turn.
 */
void fair_queue_add_first(struct fair_queue *q, const struct uuid *tenant, struct fair_item *i);
/* Removes the item from its queue, wherever it is in it. Does nothing if it is in no queue. */
void fair_item_leave(struct fair_item *i);
static inline bool fair_item_waits(const struct fair_item *i)
{
	return i->tenant != NULL;
}

/* Whether a tenant may have a turn now; first is its first item. */
typedef bool fair_may_fn(const struct fair_item *first, const void *ctx);
/* Removes and returns the first item of the next tenant that may have a turn (may NULL: of the next tenant). The tenant
 * moves behind all others, and the tenants that were skipped keep their places. NULL: there is none, or none may. */
struct fair_item *fair_queue_take(struct fair_queue *q, fair_may_fn *may, const void *ctx);
/* Moves the tenant behind all others, as after a turn. Does nothing if it has no items. */
void fair_queue_go_behind(struct fair_queue *q, const struct uuid *tenant);

/* The number of the tenant's items. */
int fair_queue_count(const struct fair_queue *q, const struct uuid *tenant);
/* The last item of the tenant with the most items. NULL: the queue is empty. */
struct fair_item *fair_queue_longest(const struct fair_queue *q);

/* Visits all items, each as x of that type, tenant by tenant in the order of their turns. The body may remove or free
 * x, and no other item. */
#define fair_each(x, q, type, member)                                                                                  \
	for (type *x = fair_as(fair_queue_first(q), type, member), *x##_next = fair_after(x, type, member); x;         \
	     x = x##_next, x##_next = fair_after(x, type, member))
#define fair_after(x, type, member) ((x) ? fair_as(fair_item_next(&(x)->member), type, member) : NULL)
/* The item whose turn is next, and the item after i in the order of fair_each(). NULL: there is none. */
struct fair_item *fair_queue_first(const struct fair_queue *q);
struct fair_item *fair_item_next(const struct fair_item *i);

#endif
