/* Loads snapshots of workspaces and keeps the most recently used. Their number is limited. As the largest have over 10
 * MB, the bytes of snapshots that no request holds are limited, too. The limits are applied after each load. */
#include <stdlib.h>
#include <string.h>

#include "server/base/loop.h"
#include "server/snapshot/workspace.h"
#include "store/db_ask.h"

enum { CACHED_MAX = 256, BUCKETS = 256, LOADS_MAX = 3 };

struct cache_entry {
	struct list bucket, age; /* age: the least recently used first */
	struct uuid id;
	struct workspace *ws; /* NULL until loaded */
	struct list waiting;
	bool loading;
	struct db_ask ask;              /* the running load */
	struct workspace_loading *part; /* the snapshot that is being built from its results; NULL: not begun */
	struct loop_slice slice;        /* continues building it */
	struct workspace_cache *cache;
};

struct workspace_cache {
	struct db *db;
	struct loop *loop;
	struct list buckets[BUCKETS], age;
	int n_entries;
};

struct workspace_cache *workspace_cache_new(struct db *db, struct loop *loop)
{
	struct workspace_cache *cache = mem_zalloc(sizeof *cache);

	cache->db = db;
	cache->loop = loop;
	list_init(&cache->age);
	for (int i = 0; i < BUCKETS; i++)
		list_init(&cache->buckets[i]);
	return cache;
}

void workspace_hold(struct workspace *ws)
{
	ws->holders++;
}

void workspace_release(struct workspace *ws)
{
	if (ws && --ws->holders == 0) {
		struct arena arena = ws->arena; /* ws itself is allocated in this arena */
		arena_free(&arena);
	}
}

static void entry_free(struct cache_entry *e)
{
	list_remove(&e->bucket);
	list_remove(&e->age);
	e->cache->n_entries--;
	workspace_release(e->ws);
	free(e);
}

void workspace_cache_free(struct workspace_cache *cache)
{
	while (!list_empty(&cache->age))
		entry_free(list_item(cache->age.next, struct cache_entry, age));
	free(cache);
}

/* The bytes that dropping it would free. The number grows when option indexes are built. */
static size_t cache_idle_bytes(const struct cache_entry *e)
{
	return e->ws && e->ws->holders == 1 ? e->ws->arena.used : 0;
}

static void cache_trim(struct workspace_cache *cache)
{
	size_t idle = 0;

	list_each(e, &cache->age, struct cache_entry, age)
		idle += cache_idle_bytes(e);
	list_each(e, &cache->age, struct cache_entry, age) {
		size_t bytes = cache_idle_bytes(e);
		if (cache->n_entries <= CACHED_MAX && idle <= WORKSPACE_IDLE_BYTES)
			return;
		if (e->loading || !list_empty(&e->waiting) || (cache->n_entries <= CACHED_MAX && bytes == 0))
			continue;
		idle -= bytes;
		entry_free(e);
	}
}

static void cache_load_start(struct cache_entry *e);

/* True when the wait ends with this load. A wait that began during the load may need the next one. If no load gives a
 * snapshot of its version, this server is no longer the primary. */
static bool wait_over(struct cache_entry *e, struct workspace_wait *w, enum db_status status)
{
	bool new_enough = !e->ws || e->ws->version >= w->version;

	if (status == DB_OK && !new_enough && ++w->loads < LOADS_MAX)
		return false;
	w->ws = status == DB_OK && new_enough ? e->ws : NULL;
	if (w->ws)
		workspace_hold(w->ws);
	return true;
}

/* Ends a load. The waiting requests get the snapshot, or NULL after a failure. */
static void cache_load_end(struct cache_entry *e, struct workspace *ws)
{
	struct workspace_cache *cache = e->cache;
	enum db_status status = e->ask.x.status;
	struct list ready, *node;

	if (status == DB_OK) {
		workspace_release(e->ws);
		e->ws = ws;
	}
	e->part = NULL;
	db_ask_end(&e->ask);
	list_init(&ready);
	while ((node = list_take(&e->waiting)))
		list_append(&ready, node);
	while ((node = list_take(&ready))) { /* e->loading keeps e alive while the callbacks run */
		struct workspace_wait *w = list_item(node, struct workspace_wait, link);
		if (wait_over(e, w, status))
			w->done(w);
		else
			list_append(&e->waiting, node);
	}
	e->loading = false;
	if (!list_empty(&e->waiting))
		cache_load_start(e);
	else if (!e->ws)
		entry_free(e);
	cache_trim(cache);
}

/* Builds one slice per turn, so that other requests continue in between. */
static void load_some(void *ctx)
{
	struct cache_entry *e = ctx;
	int64_t since_us = 0;
	struct workspace *ws = e->part ? workspace_load_some(e->part, &since_us) : NULL;

	if (e->part && !ws)
		loop_slice_later(e->cache->loop, &e->slice);
	else
		cache_load_end(e, ws);
}

static void load_done(struct db_exchange *x)
{
	struct cache_entry *e = x->owner;

	if (x->status == DB_OK)
		e->part = workspace_load_begin(&e->ask.arena, x, &e->id);
	e->slice = (struct loop_slice){.fn = load_some, .ctx = e, .party = e->id};
	load_some(e);
}

static void cache_load_start(struct cache_entry *e)
{
	struct sql *statements[WORKSPACE_STATEMENTS];

	e->loading = true;
	db_ask_begin(&e->ask);
	workspace_statements(statements, &e->ask.arena, &e->id);
	for (int i = 0; i < WORKSPACE_STATEMENTS; i++)
		db_ask_put(&e->ask, statements[i]);
	e->ask.x.bulk = true;
	db_ask_send(&e->ask, e->cache->db, DB_POINT, load_done, e);
}

void workspace_cache_stop(struct workspace_cache *cache)
{
	struct list *node = cache->age.next;

	while (node != &cache->age) {
		struct cache_entry *e = list_item(node, struct cache_entry, age);
		node = node->next;
		if (!e->part)
			continue;
		fair_item_leave(&e->slice.turn);
		workspace_load_drop(e->part);
		e->ask.x.status = DB_UNAVAILABLE;
		cache_load_end(e, NULL);
		node = cache->age.next; /* entries may have been freed */
	}
}

static struct cache_entry *entry_get(struct workspace_cache *cache, const struct uuid *id)
{
	struct list *bucket = &cache->buckets[id->b[15] % BUCKETS]; /* random bits of a UUIDv7 */
	struct cache_entry *e;

	list_each(known, bucket, struct cache_entry, bucket)
		if (uuid_equal(&known->id, id)) {
			list_remove(&known->age);
			list_append(&cache->age, &known->age);
			return known;
		}
	e = mem_zalloc(sizeof *e);
	e->cache = cache;
	e->id = *id;
	list_init(&e->bucket);
	list_init(&e->age);
	list_init(&e->waiting);
	list_append(bucket, &e->bucket);
	list_append(&cache->age, &e->age);
	cache->n_entries++;
	return e;
}

bool workspace_get(struct workspace_cache *cache, const struct uuid *id, int64_t version, struct workspace_wait *w)
{
	struct cache_entry *e = entry_get(cache, id);

	list_init(&w->link);
	if (e->ws && e->ws->version >= version) {
		workspace_hold(e->ws);
		w->ws = e->ws;
		return true;
	}
	w->ws = NULL;
	w->version = version;
	w->loads = 0;
	list_append(&e->waiting, &w->link);
	if (!e->loading)
		cache_load_start(e);
	return false;
}
