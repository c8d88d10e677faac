/* The states of a workspace that is being moved. */
#include "server/cell/cell_place.h"

#include <stdio.h>
#include <string.h>

enum { LOOK_MS = 50 };

bool place_read(struct db_copy *c, const struct uuid *workspace, struct place *p)
{
	char id[37];

	*p = (struct place){.there = false};
	if (!db_copy_must(c,
	        "select coalesce(moving, ''), coalesce(move_id::text, ''), coalesce(moved_to, '') from workspaces "
	        "where workspace_id = '%s'",
	        uuid_format(workspace, id)))
		return false;
	if (db_copy_rows(c) == 0)
		return true;
	p->there = true;
	snprintf(p->state, sizeof p->state, "%s", db_copy_text(c, 0, 0));
	snprintf(p->move, sizeof p->move, "%s", db_copy_text(c, 0, 1));
	snprintf(p->address, sizeof p->address, "%s", db_copy_text(c, 0, 2));
	return true;
}

/* before: the allowed previous states, "'a', 'b'"; '' means none. */
static bool place_set(
    struct db_copy *c, const struct uuid *workspace, const char *before, const char *condition, const char *set)
{
	char id[37];

	return db_copy_must(c,
	           "update workspaces set version = version + 1, %s where workspace_id = '%s' and coalesce(moving, '') "
	           "in (%s) %s",
	           set, uuid_format(workspace, id), before, condition) &&
	       db_copy_affected(c) == 1;
}

bool place_leave(struct db_copy *c, const struct uuid *workspace, const char *move, const char *before,
    const char *state, int for_ms)
{
	char set[256];

	snprintf(set, sizeof set,
	    "moving = '%s', move_id = '%s', moved_to = null, held_until = clock_timestamp() + %d * interval '1 "
	    "millisecond'",
	    state, move, for_ms);
	return place_set(c, workspace, before, "", set);
}

bool place_rest(struct db_copy *c, const struct uuid *workspace, int ms)
{
	char id[37];

	uuid_format(workspace, id);
	/* This makes the dispatcher drop what it has in memory, once nothing of the workspace is in progress. */
	if (!db_copy_must(c,
	        "update webhooks set version = version + 1 where workspace_id = '%s' and status = 'active' and "
	        "rests is null",
	        id))
		return false;
	for (int waited = 0; waited <= ms; waited += LOOK_MS) {
		if (!db_copy_must(c,
		        "select pg_sleep(0.05), count(*) from webhooks where workspace_id = '%s' and status = 'active' "
		        "and rests is null",
		        id))
			return false;
		if (db_copy_int(c, 0, 1) == 0)
			return true;
		/* If no process sends to webhooks, nothing is in progress. */
		if (!db_copy_must(c, "select pg_try_advisory_xact_lock(hashtextextended('kith_dispatcher', 0))"))
			return false;
		if (strcmp(db_copy_text(c, 0, 0), "t") == 0)
			return db_copy_must(
			    c, "update webhooks set rests = version where workspace_id = '%s' and rests is null", id);
	}
	fprintf(stderr, "kith: deliveries of the workspace's webhooks are still in progress: see the log of the "
	                "process that sends them\n");
	return false;
}

bool place_moved(struct db_copy *c, const struct uuid *workspace, const char *move, const char *address)
{
	char set[PLACE_ADDRESS_SIZE * 2 + 64], condition[512], id[37];
	struct arena a;
	bool ok;

	arena_init(&a);
	snprintf(set, sizeof set, "moving = 'moved', held_until = null, moved_to = %s", db_copy_quote(c, &a, address));
	snprintf(condition, sizeof condition,
	    "and move_id = '%s' and held_until > clock_timestamp() and not exists (select from webhooks w where "
	    "w.workspace_id = '%s' and w.status = 'active' and w.rests is null)",
	    move, uuid_format(workspace, id));
	ok = place_set(c, workspace, "'held'", condition, set);
	arena_free(&a);
	return ok;
}

bool place_arrive(
    struct db_copy *c, const struct uuid *workspace, const char *move, const char *before, const char *state)
{
	char set[128];

	snprintf(set, sizeof set, "moving = '%s', move_id = '%s'", state, move);
	return place_set(c, workspace, before, "", set);
}

bool place_live(struct db_copy *c, const struct uuid *workspace, const char *move)
{
	char condition[64];

	snprintf(condition, sizeof condition, "and move_id = '%s'", move);
	return place_set(c, workspace, "'arrived'", condition, "moving = null, moved_to = null, held_until = null");
}
