/* Moves a workspace from one database to another one, while it is in use.
 *
 *   copied    its rows are copied from a snapshot, then the rows written since, repeatedly, until few are left
 *   draining  its webhooks rest: deliveries in progress end, and no others begin
 *   held      its writes are refused, and its lock excludes writes in progress, while the last rows are copied
 *   moved     the source answers with the new address; only then does the workspace live at the target
 *
 * If this command dies, "held" and "draining" end by themselves, and the lock ends with its connection. The next run
 * starts again from the beginning if the state is before "moved"; otherwise it finishes the move. */
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/cell/arrive.h"
#include "server/cell/cell.h"
#include "server/cell/delta.h"
#include "server/cell/cell_place.h"
#include "server/cell/seal.h"
#include "server/request/locks.h"
#include "store/migrate.h"

enum {
	/* Writes are held once the last pass took less than a third of the time limit. They are also held when passes
	 * do not become shorter, because then the search for changes takes the time. */
	SOON_PART = 3,
	PASSES_MAX = 6,     /* passes before writes are held */
	HOLDS_MAX = 5,      /* attempts if holding takes too long */
	REST_MS = 60 * 1000 /* a receiver may take 20 s to answer */
};

struct moving {
	const struct cell_move *m;
	struct db_copy *control, *to; /* connections for the states: at the source and at the target */
	struct delta delta;
	struct vault *own, *other;
	char id[PLACE_ID_SIZE]; /* the id of this move */
	struct place source, target;
	int64_t began_us, held_us;
	struct cell_report *report;
};

static bool move_refuse(const char *why)
{
	fprintf(stderr, "kith: %s\n", why);
	return false;
}

static void move_tell(const struct moving *v, const char *what)
{
	fprintf(stderr, "kith: %7.3f s  %s, %lld rows\n", (double)(clock_mono_us() - v->began_us) / 1e6, what,
	    (long long)v->delta.rows);
}

/* --- checks -------------------------------------------------------------------------------- */

/* Returns what distinguishes a database from others. */
static bool database_name(struct db_copy *c, char out[128])
{
	bool ok = db_copy_must(c,
	    "select concat_ws(' ', g.system_identifier, d.oid, current_schema()), (select max(level) from "
	    "kith_migrations) from event_generation g, pg_database d where d.datname = current_database()");

	if (!ok)
		return false;
	snprintf(out, 128, "%s", db_copy_text(c, 0, 0));
	return db_copy_int(c, 0, 1) == n_migrations ||
	       move_refuse(
	           "the other database is at another level of migrations: both cells need the same version of kith");
}

static bool move_keys(struct moving *v)
{
	char mine[SEAL_PRINT_SIZE], theirs[SEAL_PRINT_SIZE];

	v->own = arrive_vault(v->control, v->m->from.secret_file);
	if (!v->own || !arrive_print(v->to, theirs))
		return false;
	seal_print(v->own, mine);
	if (v->m->to.secret_file)
		v->other = arrive_vault(v->to, v->m->to.secret_file);
	else if (strcmp(mine, theirs) != 0)
		return move_refuse(
		    "the other cell encrypts its webhooks' secrets with another key: name its secret file with "
		    "--to-secret-file");
	if (v->m->to.secret_file && !v->other)
		return false;
	v->delta.own = v->other ? v->own : NULL;
	v->delta.other = v->other;
	return true;
}

static bool move_open(struct moving *v)
{
	const struct uuid *ws = &v->m->workspace;
	char here[128], there[128];

	arena_init(&v->delta.arena);
	v->delta.workspace = *ws;
	v->control = arrive_open(v->m->from.url, ws, "this cell's database");
	v->delta.from = v->control ? arrive_open(v->m->from.url, ws, "this cell's database") : NULL;
	v->to = v->delta.to = v->delta.from ? arrive_open(v->m->to.url, ws, "the other cell's database") : NULL;
	if (!v->to || !database_name(v->control, here) || !database_name(v->to, there))
		return false;
	if (strcmp(here, there) == 0)
		return move_refuse("--to: that is this cell's own database");
	for (size_t i = 0; i < n_cell_tables; i++) {
		v->delta.columns[i] = copy_columns(v->to, &v->delta.arena, &cell_tables[i], true);
		if (!v->delta.columns[i])
			return false;
	}
	return arrive_alone(v->control, ws) && arrive_alone(v->to, ws) &&
	       db_copy_must(v->control, "set lock_timeout = '2s'") && place_read(v->control, ws, &v->source) &&
	       place_read(v->to, ws, &v->target);
}

static void move_close(struct moving *v)
{
	db_copy_close(v->delta.from);
	db_copy_close(v->control);
	db_copy_close(v->to);
	vault_close(v->own);
	vault_close(v->other);
	arena_free(&v->delta.arena);
}

/* --- copying ---------------------------------------------------------------------------------- */

/* The target continues from this cell's generation, which must leave it later ones. */
static bool move_in_time(struct moving *v)
{
	int64_t generation = arrive_generation(v->control);

	return generation && arrive_in_time(v->to, generation, ARRIVE_AHEAD_DAYS, "this cell's");
}

/* Removes what an earlier move left at the target, where the workspace does not live. */
static bool move_begin(struct moving *v)
{
	const struct uuid *ws = &v->m->workspace;
	struct uuid id = id_random();

	uuid_format(&id, v->id);
	if (!move_in_time(v) || !move_keys(v))
		return false;
	if (!place_leave(v->control, ws, v->id, "'', 'copied', 'draining', 'held'", "copied", 0))
		return move_refuse("the workspace was changed by another command: try again");
	if (v->target.there && !place_arrive(v->to, ws, v->id, "'moved', 'arriving', 'arrived'", "arriving"))
		return move_refuse("the workspace was changed by another command: try again");
	if (!copy_clear(v->to, ws))
		return false;
	FAULT_POINT(cell_cleared);
	return true;
}

/* The source may have been started again meanwhile: its generation may have become the later one. */
static bool move_positions(struct moving *v)
{
	int64_t generation = arrive_generation(v->control);

	return generation && arrive_after(v->to, generation);
}

static bool move_copy(struct moving *v)
{
	if (!delta_pass(&v->delta) || !place_arrive(v->to, &v->m->workspace, v->id, "'arriving'", "arriving"))
		return false;
	v->report->rows = v->delta.rows;
	move_tell(v, "copied");
	FAULT_POINT(cell_copied);
	/* Do this while writes are not held, because it may have to wait. */
	return move_positions(v);
}

static bool move_catch_up(struct moving *v)
{
	int64_t took_us = 0, before_us;

	v->delta.until_us = 0;
	for (int i = 0; i < PASSES_MAX; i++) {
		int64_t began_us = clock_mono_us();
		if (!delta_pass(&v->delta))
			return false;
		move_tell(v, "copied again");
		before_us = took_us;
		took_us = clock_mono_us() - began_us;
		if (took_us * SOON_PART < v->m->hold_ms * INT64_C(1000) || (i && took_us * 4 > before_us * 3))
			break;
	}
	return true;
}

/* --- the end of the move ---------------------------------------------------------------------- */

/* Waits for the writes in progress and excludes them. Later writes are refused by the state. */
static bool move_lock(struct moving *v)
{
	return db_copy_run(
	    v->control, "select pg_advisory_lock(%lld)", (long long)lock_workspace_number(&v->m->workspace));
}

static bool move_unlock(struct moving *v)
{
	return db_copy_must(
	    v->control, "select pg_advisory_unlock(%lld)", (long long)lock_workspace_number(&v->m->workspace));
}

enum move_end { MOVE_DONE, MOVE_AGAIN, MOVE_FAILED };

static enum move_end move_switch(struct moving *v)
{
	const struct uuid *ws = &v->m->workspace;

	FAULT_POINT(cell_locked);
	v->delta.until_us = v->held_us + v->m->hold_ms * INT64_C(1000);
	if (!delta_pass(&v->delta))
		return v->delta.late ? MOVE_AGAIN : MOVE_FAILED;
	if (!move_positions(v) || !place_arrive(v->to, ws, v->id, "'arriving', 'arrived'", "arrived"))
		return MOVE_FAILED;
	FAULT_POINT(cell_ready);
	if (!place_moved(v->control, ws, v->id, v->m->address)) {
		/* The time is over. The target can be reset only because the source has not moved. */
		return place_arrive(v->to, ws, v->id, "'arrived'", "arriving") ? MOVE_AGAIN : MOVE_FAILED;
	}
	FAULT_POINT(cell_moved);
	if (!place_live(v->to, ws, v->id))
		return MOVE_FAILED;
	FAULT_POINT(cell_live);
	v->report->held_ms = (clock_mono_us() - v->held_us) / 1000;
	move_tell(v, "moved");
	return MOVE_DONE;
}

static enum move_end move_hold(struct moving *v)
{
	const struct uuid *ws = &v->m->workspace;
	enum move_end end;

	if (!place_leave(v->control, ws, v->id, "'copied', 'draining', 'held'", "draining", REST_MS + v->m->hold_ms) ||
	    !place_rest(v->control, ws, REST_MS))
		return MOVE_FAILED;
	FAULT_POINT(cell_drained);
	if (!move_catch_up(v))
		return MOVE_FAILED;
	v->held_us = clock_mono_us();
	if (!place_leave(v->control, ws, v->id, "'draining'", "held", v->m->hold_ms))
		return MOVE_FAILED;
	FAULT_POINT(cell_held);
	end = move_lock(v) ? move_switch(v) : MOVE_AGAIN;
	if (end == MOVE_AGAIN)
		fprintf(stderr, "kith: %7.3f s  not finished within %d ms: writes continue, and the move tries again\n",
		    (double)(clock_mono_us() - v->began_us) / 1e6, v->m->hold_ms);
	/* No request has to wait for what follows. */
	if (end != MOVE_DONE)
		place_leave(v->control, ws, v->id, "'held'", "copied", 0);
	move_unlock(v);
	return end;
}

/* --- the move ------------------------------------------------------------------------------------- */

static bool move_clean(struct moving *v)
{
	const struct cell_move *m = v->m;

	return db_copy_must(v->control, "select pg_sleep(%d / 1000.0)", m->grace_ms) &&
	       copy_clear(v->control, &m->workspace);
}

/* Finishes what an earlier run has not finished: the source has moved already. */
static bool move_finish(struct moving *v)
{
	const char *move = v->source.move;

	if (!v->target.there || !*move || strcmp(move, v->target.move) != 0) {
		fprintf(stderr, "kith: the workspace has moved to %s\n", v->source.address);
		return false;
	}
	if (strcmp(v->target.state, "arrived") == 0 && !place_live(v->to, &v->m->workspace, move))
		return false;
	return move_clean(v);
}

static bool move_run(struct moving *v)
{
	enum move_end end = MOVE_AGAIN;

	if (!v->source.there)
		return move_refuse("there is no such workspace: \"kith workspace list\" shows them");
	if (strcmp(v->source.state, "moved") == 0)
		return move_finish(v);
	if (strncmp(v->source.state, "arriv", 5) == 0)
		return move_refuse("the workspace is not here yet: it is being imported or moved here");
	if (v->target.there && !*v->target.state)
		return move_refuse("the other cell already has a workspace with this id");
	if (!move_begin(v) || !move_copy(v) || !move_catch_up(v))
		return false;
	for (int i = 0; i < HOLDS_MAX && end == MOVE_AGAIN; i++)
		end = move_hold(v);
	if (end == MOVE_AGAIN)
		return move_refuse("the workspace has too many writes to be moved now: it stays; try again at another "
		                   "time, or with a larger --hold");
	return end == MOVE_DONE && move_clean(v);
}

bool cell_move(const struct cell_move *m, struct cell_report *report)
{
	struct moving v = {.m = m, .began_us = clock_mono_us(), .report = report};
	bool ok;

	*report = (struct cell_report){0};
	ok = move_open(&v) && move_run(&v);
	if (!ok)
		fprintf(stderr, "kith: the move is not finished: run the same command again to continue, or \"kith "
		                "workspace move ID --cancel\" to end it\n");
	move_close(&v);
	return ok;
}

bool cell_move_cancel(const struct cell_side *from, const struct uuid *workspace)
{
	struct db_copy *c = arrive_open(from->url, workspace, "the database");
	char id[37];
	bool ok =
	    c && arrive_alone(c, workspace) &&
	    db_copy_must(c,
	        "update workspaces set moving = null, move_id = null, held_until = null, version = version + 1 where "
	        "workspace_id = '%s' and moving in ('copied', 'draining', 'held')",
	        uuid_format(workspace, id));

	if (ok && db_copy_affected(c) == 0)
		ok = move_refuse("there is no unfinished move of the workspace from here");
	db_copy_close(c);
	return ok;
}
