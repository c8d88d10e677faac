/* A queue in which tenants take turns: see fair_queue.h. */
#include "fair_queue.h"

#include <stdlib.h>

#include "arena.h"

/* A tenant with items. */
struct fair_tenant {
	struct list link; /* in the ring */
	struct fair_queue *queue;
	struct fair_tenant *bucket; /* the next one of its bucket */
	struct uuid id;
	struct list items;
	int n_items;
};

static struct fair_item *item_at(const struct list *node)
{
	return list_item(node, struct fair_item, link);
}

/* Where its bucket points to the tenant. Where a new one belongs, if there is none with this id. */
static struct fair_tenant **tenant_place(const struct fair_queue *q, const struct uuid *id)
{
	/* The last bytes of a UUIDv7 are random. */
	struct fair_tenant **place = (struct fair_tenant **)&q->buckets[id->b[sizeof id->b - 1] % FAIR_BUCKETS];

	while (*place && !uuid_equal(&(*place)->id, id))
		place = &(*place)->bucket;
	return place;
}

void fair_queue_init(struct fair_queue *q)
{
	*q = (struct fair_queue){0};
	list_init(&q->ring);
}

static struct fair_tenant *tenant_new(struct fair_queue *q, const struct uuid *id)
{
	struct fair_tenant *t = mem_zalloc(sizeof *t);

	t->queue = q;
	t->id = *id;
	list_init(&t->items);
	list_append(&q->ring, &t->link);
	q->n_tenants++;
	return t;
}

static void tenant_end(struct fair_tenant *t)
{
	*tenant_place(t->queue, &t->id) = t->bucket;
	list_remove(&t->link);
	t->queue->n_tenants--;
	free(t);
}

/* Adds the item as the first or the last one of its tenant. */
static struct fair_tenant *item_enter(struct fair_queue *q, const struct uuid *tenant, struct fair_item *i, bool first)
{
	struct fair_tenant **place = tenant_place(q, tenant), *t = *place;

	if (!t)
		*place = t = tenant_new(q, tenant);
	list_append(first ? t->items.next : &t->items, &i->link);
	i->tenant = t;
	t->n_items++;
	q->n_items++;
	return t;
}

void fair_queue_add(struct fair_queue *q, const struct uuid *tenant, struct fair_item *i)
{
	item_enter(q, tenant, i, false);
}

void fair_queue_add_first(struct fair_queue *q, const struct uuid *tenant, struct fair_item *i)
{
	struct fair_tenant *t = item_enter(q, tenant, i, true);

	list_remove(&t->link);
	list_append(q->ring.next, &t->link);
}

void fair_item_leave(struct fair_item *i)
{
	struct fair_tenant *t = i->tenant;

	if (!t)
		return;
	list_remove(&i->link);
	i->tenant = NULL;
	t->queue->n_items--;
	if (--t->n_items == 0)
		tenant_end(t);
}

static void tenant_go_behind(struct fair_tenant *t)
{
	list_remove(&t->link);
	list_append(&t->queue->ring, &t->link);
}

struct fair_item *fair_queue_take(struct fair_queue *q, fair_may_fn *may, const void *ctx)
{
	list_each(t, &q->ring, struct fair_tenant, link) {
		struct fair_item *i = item_at(t->items.next);

		if (may && !may(i, ctx))
			continue;
		tenant_go_behind(t);
		fair_item_leave(i);
		return i;
	}
	return NULL;
}

void fair_queue_go_behind(struct fair_queue *q, const struct uuid *tenant)
{
	struct fair_tenant *t = *tenant_place(q, tenant);

	if (t)
		tenant_go_behind(t);
}

int fair_queue_count(const struct fair_queue *q, const struct uuid *tenant)
{
	const struct fair_tenant *t = *tenant_place(q, tenant);

	return t ? t->n_items : 0;
}

struct fair_item *fair_queue_longest(const struct fair_queue *q)
{
	struct fair_tenant *most = NULL;

	list_each(t, &q->ring, struct fair_tenant, link)
		if (!most || t->n_items > most->n_items)
			most = t;
	return most ? item_at(most->items.prev) : NULL;
}

/* The first item of the tenant with this node in the ring. */
static struct fair_item *first_at(const struct fair_queue *q, const struct list *node)
{
	return node == &q->ring ? NULL : item_at(list_item(node, struct fair_tenant, link)->items.next);
}

struct fair_item *fair_queue_first(const struct fair_queue *q)
{
	return first_at(q, q->ring.next);
}

struct fair_item *fair_item_next(const struct fair_item *i)
{
	const struct fair_tenant *t = i->tenant;

	return i->link.next == &t->items ? first_at(t->queue, t->link.next) : item_at(i->link.next);
}
