/* The database: opening and closing, the loop's rounds, deadlines. */
#include "store/db.h"

#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_private.h"

void db_config_default(struct db_config *c, const char *url, int cores)
{
	static const struct {
		int size, spare, queue_max, statement_timeout_ms, deadline_ms;
	} lanes[DB_LANES] = {
	    [DB_ADMIT] = {1, 0, 4096, 2000, 5000},
	    [DB_POINT] = {3, 0, 4096, 2000, 5000},
	    [DB_LIST] = {1, 1, 256, 8000, 10000},
	    [DB_FEED] = {3, 1, 256, 4000, 10000},
	    [DB_WRITE] = {10, 2, 1024, 10000, 15000},
	    [DB_WORK] = {3, 1, 64, 60000, 70000},
	    [DB_SIGNAL] = {1, 0, 64, 5000, 5000},
	    /* An exchange that is late or refused here is sent to the primary instead. */
	    [DB_REPLICA] = {0, 1, 16, 2000, 2000},
	};

	*c = (struct db_config){.url = url, .idle_in_transaction_ms = 10000};
	for (int lane = 0; lane < DB_LANES; lane++) {
		c->lane_size[lane] = lanes[lane].size;
		c->lane_spare[lane] = lanes[lane].spare;
		c->queue_max[lane] = lanes[lane].queue_max;
		c->statement_timeout_ms[lane] = lanes[lane].statement_timeout_ms;
		c->deadline_ms[lane] = lanes[lane].deadline_ms;
	}
	c->lane_size[DB_LIST] += cores < 1 ? 1 : cores;
}

void db_config_roles(struct db_config *c)
{
	c->join = true;
	for (int lane = 0; lane < DB_LANES; lane++)
		c->roles[lane] = lane == DB_ADMIT ? "kith_admit" : lane == DB_WORK ? "kith_system" : "kith_serve";
}

void db_config_replica(struct db_config *c, const char *url, const char *identity)
{
	int size = c->lane_size[DB_LIST];

	db_config_roles(c);
	c->url = url;
	c->identity = identity;
	c->join = false;
	memset(c->lane_size, 0, sizeof c->lane_size);
	c->lane_size[DB_REPLICA] = size;
}

/* --- the next round of the loop ---------------------------------------------- */

static void on_later(evutil_socket_t fd, short what, void *arg)
{
	struct db *db = arg;

	(void)fd, (void)what;
	db->later_pending = false;
	for (int lane = 0; lane < DB_LANES; lane++)
		for (int i = 0; i < db->lanes[lane].n_conns; i++)
			if (db->lanes[lane].conns[i].broken)
				conn_lost(&db->lanes[lane].conns[i], NULL);
	connect_looked_up(db);
	survey_poll(db);
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

static void conn_tick(struct conn *c, int64_t now_us)
{
	if (c->state == CONN_CONNECTING && now_us - c->since_us > connect_timeout_ms(c) * INT64_C(1000)) {
		log_warn("db", "connecting took over %d ms", connect_timeout_ms(c));
		conn_lost(c, NULL);
		return;
	}
	if (c->state != CONN_UP)
		return;
	if (c->own_command && now_us - c->since_us > OWN_COMMAND_MS * INT64_C(1000)) {
		conn_lost(c, NULL);
		return;
	}
	bool late = false;
	list_each(x, &c->in_flight, struct db_exchange, link) {
		if (x->deadline_us > now_us)
			continue;
		/* The effect of this exchange is unknown; conn_lost() decides about the others. */
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
		log_warn("db", "statements did not finish by their deadline; the connection is closed");
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
		lane_end(db, l, waited_too_long, now_us);
		if (!lane_shared((enum db_lane)lane)) /* exchanges that waited for the ended ones may run now */
			exclusive_run(db, (enum db_lane)lane);
	}
	session_tick(db, now_us);
	silence_tick(db, now_us);
	stall_tick(db, now_us);
	survey_tick(db, now_us);
	orphans_tick(db, now_us);
	trouble_tick(db, now_us);
	conn_start_due(db, now_us);
	db_deliver(db);
}

/* --- opening and closing ---------------------------------------------------- */

struct db *db_open(struct event_base *base, const struct db_config *config)
{
	struct db *db = mem_zalloc(sizeof *db);

	db->base = base;
	db->config = *config;
	db->config.url = mem_dupz(config->url);
	db->config.nameservers = config->nameservers ? mem_dupz(config->nameservers) : NULL;
	hosts_init(&db->hosts, db);
	db->names = mem_zalloc(NAMES_MAX * sizeof *db->names);
	db->orphans = orphans_new(db);
	db->silence = silence_new(db);
	db->stall = stall_new(db);
	db->survey = survey_new(db);
	list_init(&db->sessions);
	list_init(&db->finished);
	for (int lane = 0; lane < DB_LANES; lane++) {
		struct lane *l = &db->lanes[lane];
		fair_queue_init(&l->waiting);
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
	survey_free(db->survey);
	db->survey = NULL;
	event_del(&db->tick);
	event_del(&db->later);
	for (int lane = 0; lane < DB_LANES; lane++) {
		lane_end(db, &db->lanes[lane], NULL, 0);
		for (int i = 0; i < db->lanes[lane].n_conns; i++)
			if (db->lanes[lane].conns[i].state != CONN_DOWN)
				conn_lost(&db->lanes[lane].conns[i], NULL);
	}
	db->depth++; /* keeps db from being freed within this call */
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

bool db_pooled(const struct db *db)
{
	return db->pooled;
}

void db_stats_get(const struct db *db, struct db_stats *out)
{
	*out = db->stats;
	for (int lane = 0; lane < DB_LANES; lane++) {
		out->connected[lane] = db->lanes[lane].n_up;
		out->waiting[lane] = db->lanes[lane].waiting.n_items;
	}
}
