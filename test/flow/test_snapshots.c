/* The cache of workspaces' snapshots is limited by bytes, as workspaces differ in size. */
#include <stdio.h>

#include "server/base/loop.h"
#include "server/snapshot/workspace.h"
#include "store/migrate.h"
#include "test/lib/db/ask.h"
#include "test/lib/test.h"

enum { WORKSPACES = 24, NAME_BYTES = 6 << 20 };

static struct lanes lanes;
static struct loop *loop;
static struct workspace_cache *cache;

static struct uuid numbered_id(int i)
{
	return (struct uuid){{[0] = 1, [15] = (unsigned char)i}};
}

/* Each has one group, whose name makes its snapshot large. */
static void make_workspaces(void)
{
	char text[1024];

	snprintf(text, sizeof text,
	    "with n as materialized (select ('01000000-0000-0000-0000-0000000000' || lpad(to_hex(i), 2, '0'))::uuid as "
	    "id from generate_series(0, %d) i), w as (insert into workspaces (workspace_id, name) select id, 'W' from "
	    "n), u as (insert into users (workspace_id, id, email, full_name, role) select id, id, 'a@b', 'U', 'admin' "
	    "from n) insert into groups (workspace_id, id, name, visibility, created_by) select id, id, repeat('x', "
	    "%d), 'public', id from n",
	    WORKSPACES - 1, NAME_BYTES);
	assert_int_equal(ask_once(&lanes, DB_WORK, text), DB_OK);
}

BEFORE_ALL()
{
	char error[512];

	lanes_cluster_open();
	loop = loop_new();
	lanes.base = loop_base(loop);
	db_config_default(&lanes.config, cluster_url(lanes_cluster), 2);
	lanes_open(&lanes);
	if (!migrate_apply(lanes.db, false, NULL, NULL, error))
		fail_msg("%s", error);
	make_workspaces();
	cache = workspace_cache_new(lanes.db, loop);
}

AFTER_ALL()
{
	workspace_cache_stop(cache);
	workspace_cache_free(cache);
	db_close(lanes.db);
	loop_free(loop);
	lanes_cluster_close();
}

static void workspace_loaded(struct workspace_wait *w)
{
	*(bool *)w->owner = true;
}

/* Held for the test. */
static struct workspace *get_workspace(int i, bool *cached)
{
	bool over = false;
	struct workspace_wait w = {.done = workspace_loaded, .owner = &over};
	struct uuid id = numbered_id(i);

	*cached = workspace_get(cache, &id, 0, &w);
	if (!*cached)
		UNTIL(&lanes, over);
	assert_non_null(w.ws);
	return w.ws;
}

/* 0: it was not cached, and is now. */
static size_t bytes_of(int i)
{
	bool cached;
	struct workspace *ws = get_workspace(i, &cached);
	size_t bytes = ws->arena.used;

	workspace_release(ws);
	return cached ? bytes : 0;
}

/* Of more than may be kept, the most recently used stay; those held do not count and stay, too. */
TEST(test_bytes)
{
	size_t kept = 0;
	bool cached;
	int n = 0;

	struct workspace *held = get_workspace(0, &cached);
	assert_false(cached);
	assert_true(held->arena.used * WORKSPACES > 2 * (size_t)WORKSPACE_IDLE_BYTES);
	assert_true(held->arena.used * 4 < WORKSPACE_IDLE_BYTES);
	for (int i = 1; i < WORKSPACES; i++) {
		struct workspace *ws = get_workspace(i, &cached);
		assert_false(cached);
		workspace_release(ws);
	}
	/* From the newest back to the first that was dropped: that one is loaded, and ends the loop. */
	for (size_t bytes; n < WORKSPACES - 1 && (bytes = bytes_of(WORKSPACES - 1 - n)) > 0; n++)
		kept += bytes;
	assert_in_range(kept, WORKSPACE_IDLE_BYTES / 2, WORKSPACE_IDLE_BYTES + held->arena.used);
	workspace_release(get_workspace(0, &cached));
	assert_true(cached);
	workspace_release(held);
}

/* A snapshot that is used repeatedly stays. */
TEST(test_used_last)
{
	bool cached;

	workspace_release(get_workspace(1, &cached));
	for (int i = 2; i < WORKSPACES; i++) {
		workspace_release(get_workspace(i, &cached));
		workspace_release(get_workspace(1, &cached));
		assert_true(cached);
	}
}

/* A wait ends as soon as a snapshot is new enough for it, whatever newer one another request waits for; one for a
 * version that this server does not get is refused. */
TEST(test_newer_wanted)
{
	bool cached, over[2] = {false, false};
	struct workspace_wait waits[2];
	struct workspace *before = get_workspace(2, &cached);
	struct uuid id = numbered_id(2);

	assert_int_equal(ask_once(&lanes, DB_WORK,
	                     "update workspaces set version = version + 1 where workspace_id = "
	                     "'01000000-0000-0000-0000-000000000002'"),
	    DB_OK);
	for (int i = 0; i < 2; i++) {
		waits[i] = (struct workspace_wait){.done = workspace_loaded, .owner = &over[i]};
		assert_false(workspace_get(cache, &id, before->version + 1 + i, &waits[i]));
	}
	UNTIL(&lanes, over[0] && over[1]);
	assert_int_equal(waits[0].ws->version, before->version + 1);
	assert_null(waits[1].ws);
	workspace_release(waits[0].ws);
	workspace_release(before);
}
