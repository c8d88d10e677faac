/* The lanes' queues: the workspaces whose exchanges wait for a connection take turns, one exchange at a time.
 *
 * Exchanges without a workspace have a turn of their own. When a queue is full, the workspace with the most in it is
 * refused, so that no workspace is refused because of another. */
#include <string.h>

#include "store/db_private.h"

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
static bool turns_make_room(struct db *db, struct lane *l, const struct db_exchange *x)
{
	struct db_exchange *other = fair_as(fair_queue_longest(&l->waiting), struct db_exchange, turn);

	if (!other || fair_queue_count(&l->waiting, &other->party) <= fair_queue_count(&l->waiting, &x->party) + 1)
		return false;
	fair_item_leave(&other->turn);
	db_finish(db, other, DB_BUSY);
	return true;
}

bool turns_wait(struct db *db, struct db_exchange *x)
{
	struct lane *l = &db->lanes[x->lane];

	x->party = party_of(x);
	if (l->waiting.n_items >= db->config.queue_max[x->lane] && !turns_make_room(db, l, x))
		return false;
	x->connection = NULL;
	fair_queue_add(&l->waiting, &x->party, &x->turn);
	return true;
}

void turns_wait_again(struct db *db, struct db_exchange *x)
{
	x->connection = NULL;
	fair_queue_add_first(&db->lanes[x->lane].waiting, &x->party, &x->turn);
}

struct db_exchange *turns_take(struct lane *l, fair_may_fn *may)
{
	return fair_as(fair_queue_take(&l->waiting, may, l), struct db_exchange, turn);
}

void turns_end(struct db *db, struct lane *l, turns_end_fn *end, int64_t now_us)
{
	fair_each(x, &l->waiting, struct db_exchange, turn) {
		enum db_status status = DB_UNAVAILABLE;

		if (end && !end(l, x, now_us, &status))
			continue;
		fair_item_leave(&x->turn);
		db_finish(db, x, status);
	}
}

void turns_exchange_again(struct db *db, struct db_exchange *x)
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
	turns_wait_again(db, x);
}
