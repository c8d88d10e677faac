/*
 * The database: entry points, delivery of ended exchanges, deadlines. How the
 * work is shared out among the neighbours stands in db_private.h.
 */
#include "store/db.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "server/base/log.h"
#include "store/db_private.h"

void db_config_default(struct db_config *c, const char *url, int cores)
{
	*c = (struct db_config){
	    .url = url,
	    .lane_size = {[DB_ADMIT] = 1,
	        [DB_POINT] = 2,
	        [DB_LIST] = (cores < 1 ? 1 : cores) + 1,
	        [DB_FEED] = 3,
	        [DB_WRITE] = 10,
	        [DB_WORK] = 3,
	        [DB_SIGNAL] = 1},
	    .lane_spare = {[DB_LIST] = 1, [DB_FEED] = 1, [DB_WRITE] = 2, [DB_WORK] = 1},
	    .queue_max = {[DB_ADMIT] = 4096,
	        [DB_POINT] = 4096,
	        [DB_LIST] = 256,
	        [DB_FEED] = 256,
	        [DB_WRITE] = 1024,
	        [DB_WORK] = 64,
	        [DB_SIGNAL] = 64},
	    .statement_timeout_ms = {[DB_ADMIT] = 2000,
	        [DB_POINT] = 2000,
	        [DB_LIST] = 8000,
	        [DB_FEED] = 4000,
	        [DB_WRITE] = 10000,
	        [DB_WORK] = 60000,
	        [DB_SIGNAL] = 5000},
	    .deadline_ms = {[DB_ADMIT] = 5000,
	        [DB_POINT] = 5000,
	        [DB_LIST] = 10000,
	        [DB_FEED] = 10000,
	        [DB_WRITE] = 15000,
	        [DB_WORK] = 70000,
	        [DB_SIGNAL] = 5000},
	    .idle_in_transaction_ms = 10000,
	};
}

void db_config_roles(struct db_config *c)
{
	c->join = true;
	for (int lane = 0; lane < DB_LANES; lane++)
		c->roles[lane] = lane == DB_ADMIT ? "kith_admit" : lane == DB_WORK ? "kith_system" : "kith_serve";
}

/* --- waiting and ending ---------------------------------------------------- */

void db_results_free(struct db_exchange *x)
{
	for (int i = 0; x->results && i < x->n_statements; i++)
		PQclear((PGresult *)x->results[i]);
	free(x->results);
	x->results = NULL;
}

void db_finish(struct db *db, struct db_exchange *x, enum db_status status)
{
	list_remove(&x->link);
	x->connection = NULL;
	x->status = status;
	if (status != DB_OK && status != DB_FAILED)
		db_results_free(x);
	if (status != DB_FAILED)
		x->failed = -1;
	list_append(&db->finished, &x->link);
	db->n_finished++;
	db_later(db);
}

void db_later(struct db *db)
{
	if (!db->later_pending && !db->closing) {
		db->later_pending = true;
		event_active(&db->later, EV_TIMEOUT, 1);
	}
}

static void count_end(struct db *db, const struct db_exchange *x)
{
	db->stats.exchanges++;
	db->stats.statements += (uint64_t)(x->status == DB_OK ? x->n_statements : 0);
	db->stats.busy += x->status == DB_BUSY;
	db->stats.lost += x->status == DB_LOST;
}

static void db_free(struct db *db)
{
	for (int i = 0; i < DB_LANES; i++)
		free(db->lanes[i].conns);
	for (int i = 0; i < db->n_names; i++) {
		free(db->names[i].name);
		free(db->names[i].text);
	}
	free(db->names);
	orphans_free(db->orphans);
	free(db->types);
	free(db->values);
	free(db->lens);
	free(db->formats);
	hosts_free(&db->hosts);
	free((char *)db->config.url);
	free(db);
}

/* The one place that calls done. Nothing of the store is held across the call,
 * so that it may send, abandon or close. */
void db_deliver(struct db *db)
{
	int n = db->n_finished; /* what ends meanwhile waits for the next round, so that the loop goes on */
	db->depth++;
	while (n-- > 0 && !list_empty(&db->finished)) {
		struct db_exchange *x = list_item(list_take(&db->finished), struct db_exchange, link);
		db->n_finished--;
		x->took_us = clock_mono_us() - x->sent_us;
		count_end(db, x);
		trouble_note(db, x);
		if (x->done)
			x->done(x);
	}
	db->depth--;
	if (db->free_me && db->depth == 0)
		db_free(db);
}

static void on_later(evutil_socket_t fd, short what, void *arg)
{
	struct db *db = arg;
	(void)fd, (void)what;
	db->later_pending = false;
	for (int lane = 0; lane < DB_LANES; lane++)
		for (int i = 0; i < db->lanes[lane].n_conns; i++)
			if (db->lanes[lane].conns[i].broken)
				conn_lost(&db->lanes[lane].conns[i], NULL);
	conn_start_due(db, clock_mono_us());
	signal_deliver(db);
	db_deliver(db);
}

/* --- deadlines ------------------------------------------------------------- */

static bool waited_too_long(const struct lane *l, const struct db_exchange *x, int64_t now_us, enum db_status *status)
{
	int64_t no_connection_us = now_us - NO_CONNECTION_WAIT_MS * INT64_C(1000);
	bool no_connection = l->n_up == 0;

	*status = no_connection ? DB_UNAVAILABLE : DB_BUSY;
	return x->deadline_us <= now_us ||
	       (no_connection && x->sent_us <= no_connection_us && l->down_since_us <= no_connection_us);
}

static bool closing(const struct lane *l, const struct db_exchange *x, int64_t now_us, enum db_status *status)
{
	(void)l, (void)x, (void)now_us;
	*status = DB_UNAVAILABLE;
	return true;
}

static void conn_tick(struct conn *c, int64_t now_us)
{
	if (c->state == CONN_CONNECTING && now_us - c->since_us > connect_timeout_ms(c->db) * INT64_C(1000)) {
		log_warn("db", "connecting took over %d ms", connect_timeout_ms(c->db));
		conn_lost(c, NULL);
		return;
	}
	if (c->state != CONN_UP)
		return;
	if (c->cleaning && now_us - c->since_us > CLEANING_MS * INT64_C(1000)) {
		conn_lost(c, NULL);
		return;
	}
	bool late = false;
	for (struct list *node = c->in_flight.next, *next; node != &c->in_flight; node = next) {
		struct db_exchange *x = list_item(node, struct db_exchange, link);
		next = node->next;
		if (x->deadline_us > now_us)
			continue;
		/* Nobody can tell what became of it; the others are judged by conn_lost(). */
		for (int i = 0; i < c->n_ops; i++) {
			struct op *op = &c->ops[(c->ops_first + i) % c->cap_ops];
			if (op->x == x)
				op->x = NULL;
		}
		if (c->x == x)
			c->x = NULL;
		if (c->session)
			session_free(c->session);
		c->n_in_flight--;
		x->session = NULL;
		db_finish(c->db, x, DB_LOST);
		late = true;
	}
	if (late) {
		log_warn("db", "an exchange passed its deadline; its connection is closed");
		conn_lost(c, NULL);
	}
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct db *db = arg;
	int64_t now_us = clock_mono_us();
	(void)fd, (void)what;
	for (int lane = 0; lane < DB_LANES; lane++) {
		struct lane *l = &db->lanes[lane];
		for (int i = 0; i < l->n_conns; i++)
			conn_tick(&l->conns[i], now_us);
		turns_end(db, l, waited_too_long, now_us);
		if (!lane_shared((enum db_lane)lane)) /* who waited behind those may go on */
			exclusive_run(db, (enum db_lane)lane);
	}
	session_tick(db, now_us);
	orphans_tick(db, now_us);
	trouble_tick(db, now_us);
	conn_start_due(db, now_us);
	db_deliver(db);
}

/* --- entry points ---------------------------------------------------------- */

struct db *db_open(struct event_base *base, const struct db_config *config)
{
	struct db *db = mem_zalloc(sizeof *db);
	db->base = base;
	db->config = *config;
	db->config.url = mem_dupz(config->url);
	hosts_init(&db->hosts, config->url);
	db->names = mem_zalloc(NAMES_MAX * sizeof *db->names);
	db->orphans = orphans_new(db);
	list_init(&db->sessions);
	list_init(&db->finished);
	for (int lane = 0; lane < DB_LANES; lane++) {
		struct lane *l = &db->lanes[lane];
		turns_init(l);
		l->n_conns = config->lane_size[lane];
		l->n_spare = config->lane_spare[lane];
		l->conns = mem_zalloc((size_t)(l->n_conns + 1) * sizeof *l->conns);
		l->down_since_us = clock_mono_us();
		for (int i = 0; i < l->n_conns; i++)
			conn_init(&l->conns[i], db, (enum db_lane)lane);
	}
	event_assign(&db->tick, base, -1, EV_PERSIST, on_tick, db);
	event_assign(&db->later, base, -1, 0, on_later, db);
	event_add(&db->tick, &(struct timeval){.tv_usec = TICK_MS * 1000});
	conn_start_due(db, clock_mono_us());
	return db;
}

void db_close(struct db *db)
{
	if (!db || db->closing)
		return;
	db->closing = true;
	event_del(&db->tick);
	event_del(&db->later);
	for (int lane = 0; lane < DB_LANES; lane++) {
		turns_end(db, &db->lanes[lane], closing, 0);
		for (int i = 0; i < db->lanes[lane].n_conns; i++)
			if (db->lanes[lane].conns[i].state != CONN_DOWN)
				conn_lost(&db->lanes[lane].conns[i], NULL);
	}
	db->depth++; /* nothing is freed below this call */
	while (!list_empty(&db->finished))
		db_deliver(db);
	db->depth--;
	while (!list_empty(&db->sessions))
		session_free(list_item(db->sessions.next, struct db_session, link));
	if (db->depth)
		db->free_me = true;
	else
		db_free(db);
}

void db_flush(struct db *db)
{
	shared_flush(db, DB_ADMIT);
	shared_flush(db, DB_POINT);
}

void exchange_reset(struct db *db, struct db_exchange *x)
{
	int deadline_ms = x->deadline_ms ? x->deadline_ms : db->config.deadline_ms[x->lane];
	db_results_free(x);
	list_init(&x->link);
	x->status = DB_OK;
	x->failed = -1;
	x->position = 0;
	x->n_retries = 0;
	x->generation = 0;
	x->connection = NULL;
	x->sqlstate[0] = x->constraint[0] = x->message[0] = '\0';
	x->sent_us = clock_mono_us();
	x->deadline_us = x->sent_us + deadline_ms * INT64_C(1000);
}

void exchange_again(struct db *db, struct db_exchange *x)
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

/* On a bound session: its connection is there, or the transaction is gone. */
static void send_on_session(struct db *db, struct db_exchange *x)
{
	struct conn *c = x->session->conn;
	if (!c || c->broken) {
		db_session_abandon(db, x->session);
		x->session = NULL;
		db_finish(db, x, DB_UNAVAILABLE);
		return;
	}
	if (c->x)
		fatal("db: two exchanges at once on one session");
	x->lane = c->lane;
	exclusive_send(c, x);
}

void db_send(struct db *db, struct db_exchange *x)
{
	for (int i = 0; i < x->n_statements; i++)
		statement_check(db, x->statements[i]);
	exchange_reset(db, x);
	if (x->n_statements > 0)
		x->results = mem_zalloc((size_t)x->n_statements * sizeof *x->results);
	if (db->closing)
		db_finish(db, x, DB_UNAVAILABLE);
	else if (x->n_statements == 0)
		db_finish(db, x, DB_OK);
	else if (x->session)
		send_on_session(db, x);
	else if (!turns_wait(db, x))
		db_finish(db, x, DB_BUSY);
	if (!lane_shared(x->lane))
		exclusive_run(db, x->lane);
}

void db_exchange_clear(struct db_exchange *x)
{
	db_results_free(x);
}

bool db_pooled(const struct db *db)
{
	return db->pooled;
}

bool db_ready(const struct db *db)
{
	for (int lane = 0; lane < DB_LANES; lane++)
		if (db->lanes[lane].n_conns > 0 && db->lanes[lane].n_up == 0)
			return false;
	return true;
}

static void run_done(struct db_exchange *x)
{
	*(bool *)x->owner = true;
}

enum db_status db_run(struct db *db, struct db_exchange *x)
{
	void (*done)(struct db_exchange *) = x->done;
	void *owner = x->owner;
	bool ended = false;
	x->done = run_done;
	x->owner = &ended;
	db_send(db, x);
	db_run_until(db, &ended);
	x->done = done;
	x->owner = owner;
	if (done)
		done(x);
	return x->status;
}

void db_run_until(struct db *db, const bool *ended)
{
	while (!*ended) {
		db_flush(db);
		if (event_base_loop(db->base, EVLOOP_ONCE) != 0)
			fatal("db: the event loop has nothing to wait for");
	}
}

void db_stats_get(const struct db *db, struct db_stats *out)
{
	*out = db->stats;
	for (int lane = 0; lane < DB_LANES; lane++) {
		out->connected[lane] = db->lanes[lane].n_up;
		out->waiting[lane] = db->lanes[lane].n_waiting;
	}
}
