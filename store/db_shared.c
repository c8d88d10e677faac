/* Shared lanes: the exchanges of a turn of the loop are sent in one pipeline per connection, ended by one Sync.
 *
 * An error makes the server skip everything up to the Sync. The exchange with the failed statement ends; the others
 * of the group, whose effects are undone, are sent again, each with its own Sync. */
#include "server/base/clock.h"
#include "store/db_private.h"

/* Results on a connection arrive in order, so bulk exchanges use only the first connection while another one is up. */
static struct conn *least_used(struct lane *l, bool bulk)
{
	struct conn *best = NULL;

	for (int i = 0; i < l->n_conns; i++) {
		struct conn *c = &l->conns[i];
		if (c->state != CONN_UP || c->broken || c->leaving || c->n_in_flight >= SHARED_IN_FLIGHT_MAX)
			continue;
		if (i == 0 && bulk)
			return c;
		if (!best || best == l->conns || c->n_in_flight < best->n_in_flight)
			best = c;
	}
	return best;
}

void shared_flush(struct db *db, enum db_lane lane)
{
	struct lane *l = &db->lanes[lane];
	int64_t now_us = l->waiting.n_items ? clock_mono_us() : 0;

	while (l->waiting.n_items > 0) {
		struct db_exchange *x = lane_take(l, NULL);
		struct conn *c = least_used(l, x->bulk);
		bool alone = x->n_retries > 0;
		if (!c) {
			lane_wait_again(db, x);
			break;
		}
		if (alone && c->needs_sync && !conn_sync(c)) {
			lane_wait_again(db, x);
			continue;
		}
		histogram_add(&l->waits, now_us - x->sent_us);
		if (!conn_write(c, x))
			continue;
		c->needs_sync = true;
		if (alone)
			conn_sync(c);
	}
	for (int i = 0; i < l->n_conns; i++) {
		struct conn *c = &l->conns[i];
		if (c->state != CONN_UP || c->broken)
			continue;
		if (c->needs_sync)
			conn_sync(c);
		conn_flush(c);
	}
}

static void shared_leave(struct conn *c, struct db_exchange *x)
{
	list_remove(&x->link);
	c->n_in_flight--;
}

static void shared_send_again(struct conn *c, struct db_exchange *x)
{
	c->n_in_flight--;
	lane_ask_again(c->db, x);
}

/* A read is complete without the group's Sync. ADMIT counts requests: its effects are certain only after the Sync. */
void shared_statement_ended(struct conn *c, struct db_exchange *x)
{
	if (c->lane != DB_POINT || c->group_failed || c->group_suspect)
		return;
	shared_leave(c, x);
	db_finish(c->db, x, DB_OK);
}

void shared_sync(struct conn *c)
{
	bool failed = c->group_failed || c->group_suspect;
	struct list repeated, *node;

	list_init(&repeated);
	conn_workspace_synced(c);
	c->group_failed = false;
	/* The group's exchanges lead the list, and all their results have arrived. */
	while (!list_empty(&c->in_flight)) {
		struct db_exchange *x = list_item(c->in_flight.next, struct db_exchange, link);
		if (x->position < x->n_statements)
			break;
		bool exhausted = x->n_retries >= RETRIES_MAX;
		bool stale = exchange_name_trouble(x) && !exhausted;
		bool to_blame = (x->status == DB_FAILED && !stale) || exhausted;
		/* A plan for an older schema is dropped only with its connection. */
		if (stale && x->sqlstate[0] == '0')
			conn_break(c);
		if (failed && !to_blame) {
			list_remove(&x->link);
			list_append(&repeated, &x->link);
			continue;
		}
		shared_leave(c, x);
		db_finish(c->db, x, failed && x->status == DB_OK ? DB_LOST : x->status);
	}
	if (c->leaving && c->n_in_flight == 0)
		conn_break(c);
	/* Last to first, each to the front of the queue: keeps their order. */
	while ((node = repeated.prev) != &repeated)
		shared_send_again(c, list_item(node, struct db_exchange, link));
}

/* Reads are sent again, a limited number of times: one of them may be what breaks connections. */
void shared_lost(struct conn *c)
{
	struct list *node;

	while ((node = c->in_flight.prev) != &c->in_flight) {
		struct db_exchange *x = list_item(node, struct db_exchange, link);
		if (!c->db->closing && x->n_retries < RETRIES_MAX) {
			shared_send_again(c, x);
		} else {
			shared_leave(c, x);
			db_finish(c->db, x, DB_LOST);
		}
	}
}
