/* The lanes' queues: the workspaces whose exchanges wait for a connection take turns, one exchange at a time.
 *
 * A lane has a ring with a turn for each waiting workspace, and one for exchanges without a workspace. When a queue
 * is full, the workspace with the most in it is refused, so that no workspace is refused because of another. */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "store/db_private.h"

struct lane_turn {
	struct list link, bucket;
	struct uuid party;
	struct list waiting;
	int n;
};

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

void turns_init(struct lane *l)
{
	list_init(&l->turns);
	for (int i = 0; i < TURN_BUCKETS; i++)
		list_init(&l->turn_buckets[i]);
}

static struct list *turn_bucket(struct lane *l, const struct uuid *party)
{
	return &l->turn_buckets[party->b[15] % TURN_BUCKETS];
}

static struct lane_turn *turn_find(struct lane *l, const struct uuid *party)
{
	struct list *bucket = turn_bucket(l, party);

	for (struct list *node = bucket->next; node != bucket; node = node->next)
		if (uuid_equal(&list_item(node, struct lane_turn, bucket)->party, party))
			return list_item(node, struct lane_turn, bucket);
	return NULL;
}

static struct lane_turn *turn_new(struct lane *l, const struct uuid *party)
{
	struct lane_turn *t = mem_zalloc(sizeof *t);

	t->party = *party;
	list_init(&t->link);
	list_init(&t->waiting);
	list_append(turn_bucket(l, party), &t->bucket);
	list_append(&l->turns, &t->link);
	l->n_turns++;
	return t;
}

static void turn_leave(struct lane *l, struct lane_turn *t, struct db_exchange *x)
{
	list_remove(&x->link);
	l->n_waiting--;
	if (--t->n > 0)
		return;
	list_remove(&t->link);
	list_remove(&t->bucket);
	l->n_turns--;
	free(t);
}

/* --- queueing ----------------------------------------------------------------- */

static void turn_enter(struct lane *l, struct lane_turn *t, struct db_exchange *x, bool first)
{
	x->connection = NULL;
	list_append(first ? t->waiting.next : &t->waiting, &x->link);
	t->n++;
	l->n_waiting++;
}

static struct lane_turn *longest_turn(struct lane *l)
{
	struct lane_turn *most = NULL;

	for (struct list *node = l->turns.next; node != &l->turns; node = node->next) {
		struct lane_turn *t = list_item(node, struct lane_turn, link);
		if (!most || t->n > most->n)
			most = t;
	}
	return most;
}

/* Ends the last exchange of the party with the most; false when that is the one arriving. */
static bool turns_make_room(struct db *db, struct lane *l, const struct lane_turn *arriving)
{
	struct lane_turn *most = longest_turn(l);
	struct db_exchange *x;

	if (!most || most == arriving || most->n <= (arriving ? arriving->n : 0) + 1)
		return false;
	x = list_item(most->waiting.prev, struct db_exchange, link);
	turn_leave(l, most, x);
	db_finish(db, x, DB_BUSY);
	return true;
}

bool turns_wait(struct db *db, struct db_exchange *x)
{
	struct lane *l = &db->lanes[x->lane];
	struct lane_turn *t;

	x->party = party_of(x);
	t = turn_find(l, &x->party);
	if (l->n_waiting >= db->config.queue_max[x->lane] && !turns_make_room(db, l, t))
		return false;
	turn_enter(l, t ? t : turn_new(l, &x->party), x, false);
	return true;
}

void turns_wait_again(struct db *db, struct db_exchange *x)
{
	struct lane *l = &db->lanes[x->lane];
	struct lane_turn *t = turn_find(l, &x->party);

	if (!t)
		t = turn_new(l, &x->party);
	list_remove(&t->link);
	list_append(l->turns.next, &t->link);
	turn_enter(l, t, x, true);
}

/* --- taking ------------------------------------------------------------------- */

struct db_exchange *turns_take(struct lane *l, turns_may_fn *may)
{
	for (struct list *node = l->turns.next; node != &l->turns; node = node->next) {
		struct lane_turn *t = list_item(node, struct lane_turn, link);
		struct db_exchange *x;
		if (may && !may(l, &t->party))
			continue;
		x = list_item(t->waiting.next, struct db_exchange, link);
		list_remove(&t->link);
		list_append(&l->turns, &t->link);
		turn_leave(l, t, x);
		return x;
	}
	return NULL;
}

void turns_end(struct db *db, struct lane *l, turns_end_fn *end, int64_t now_us)
{
	for (struct list *node = l->turns.next, *next; node != &l->turns; node = next) {
		struct lane_turn *t = list_item(node, struct lane_turn, link);
		int left = t->n;
		next = node->next;
		for (struct list *at = t->waiting.next, *after; left-- > 0; at = after) {
			struct db_exchange *x = list_item(at, struct db_exchange, link);
			enum db_status status = DB_UNAVAILABLE;
			after = at->next;
			if (end && !end(l, x, now_us, &status))
				continue;
			turn_leave(l, t, x);
			db_finish(db, x, status);
		}
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
