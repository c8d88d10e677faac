/* Lanes: their names, whether each has a connection, and their queues. The workspaces whose exchanges wait for a
 * connection take turns, one exchange at a time.
 *
 * Exchanges without a workspace have a turn of their own. When a queue is full, the workspace with the most in it is
 * refused, so that no workspace is refused because of another. */
#include <string.h>

#include "store/db_private.h"

static const char *const lane_names[DB_LANES] = {
    "admit", "point", "list", "feed", "write", "work", "signal", "replica"};

const char *lane_name(enum db_lane lane)
{
	return lane_names[lane];
}

bool db_ready(const struct db *db)
{
	for (int lane = 0; lane < DB_LANES; lane++)
		if (db->lanes[lane].n_conns > 0 && db->lanes[lane].n_up == 0)
			return false;
	return true;
}

void db_lane_stats(const struct db *db, enum db_lane lane, struct lane_stats *out)
{
	const struct lane *l = &db->lanes[lane];

	*out = (struct lane_stats){.waits = l->waits,
	    .durations = l->durations,
	    .connections = l->n_conns,
	    .connected = l->n_up,
	    .waiting = l->waiting.n_items,
	    .queue_max = db->config.queue_max[lane]};
	memcpy(out->ended, l->ended, sizeof out->ended);
	for (int i = 0; i < l->n_conns; i++)
		out->in_flight += l->conns[i].n_in_flight;
}

/* As in PostgreSQL's appendix of error codes. */
const char *const db_error_classes[DB_ERROR_CLASSES] = {
    "08", "21", "22", "23", "25", "26", "28", "40", "42", "53", "54", "55", "57", "58", "XX", "other"};

const uint64_t *db_errors(const struct db *db)
{
	return db->errors;
}

/* --- the queue --------------------------------------------------------------------------- */

/* True for lanes that serve requests. */
static bool lane_by_workspace(enum db_lane lane)
{
	return lane == DB_POINT || lane_plans(lane) || lane == DB_WRITE;
}

static struct uuid party_of(const struct db_exchange *x)
{
	struct uuid id = {{0}};

	if (x->lane == DB_WORK)
		id.b[sizeof id.b - 1] = (unsigned char)x->work;
	for (int i = 0; i < x->n_statements && lane_by_workspace(x->lane); i++) {
		if (x->statements[i]->system)
			continue;
		memcpy(id.b, x->statements[i]->params[0].value, sizeof id.b); /* sql_begin() */
		break;
	}
	return id;
}

/* Ends the last exchange of the party with the most, to make room for x. False when x's party would then have most. */
static bool lane_make_room(struct db *db, struct lane *l, const struct db_exchange *x)
{
	struct db_exchange *other = fair_as(fair_queue_longest(&l->waiting), struct db_exchange, turn);

	if (!other || fair_queue_count(&l->waiting, &other->party) <= fair_queue_count(&l->waiting, &x->party) + 1)
		return false;
	fair_item_leave(&other->turn);
	db_finish(db, other, DB_BUSY);
	return true;
}

bool lane_wait(struct db *db, struct db_exchange *x)
{
	struct lane *l = &db->lanes[x->lane];

	x->party = party_of(x);
	if (l->waiting.n_items >= db->config.queue_max[x->lane] && !lane_make_room(db, l, x))
		return false;
	x->connection = NULL;
	fair_queue_add(&l->waiting, &x->party, &x->turn);
	return true;
}

void lane_wait_again(struct db *db, struct db_exchange *x)
{
	x->connection = NULL;
	fair_queue_add_first(&db->lanes[x->lane].waiting, &x->party, &x->turn);
}

struct db_exchange *lane_take(struct lane *l, fair_may_fn *may)
{
	return fair_as(fair_queue_take(&l->waiting, may, l), struct db_exchange, turn);
}

void lane_end(struct db *db, struct lane *l, lane_end_fn *end, int64_t now_us)
{
	fair_each(x, &l->waiting, struct db_exchange, turn) {
		enum db_status status = DB_UNAVAILABLE;

		if (end && !end(l, x, now_us, &status))
			continue;
		fair_item_leave(&x->turn);
		db_finish(db, x, status);
	}
}

void lane_ask_again(struct db *db, struct db_exchange *x)
{
	list_remove(&x->link);
	for (int i = 0; i < x->n_statements; i++) {
		PQclear((PGresult *)x->results[i]);
		x->results[i] = NULL;
	}
	x->status = DB_OK;
	x->failed = -1;
	x->sqlstate[0] = x->constraint[0] = x->message[0] = '\0';
	x->position = 0;
	x->n_retries++;
	db->stats.retried++;
	lane_wait_again(db, x);
}
