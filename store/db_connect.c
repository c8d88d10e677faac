/* One connection of a lane: connecting without blocking, back-off, socket events, and its end. Other files handle
 * its traffic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_private.h"
#include "store/db_probe.h"

/* libpq's messages end with a line feed and may have several lines. */
static void message_line(const char *message, char *out, size_t size)
{
	snprintf(out, size, "%s", message ? message : "");
	for (char *p = out; *p; p++)
		if (*p == '\n')
			*p = p[1] ? ' ' : '\0';
}

void conn_init(struct conn *c, struct db *db, enum db_lane lane)
{
	c->db = db;
	c->lane = lane;
	list_init(&c->in_flight);
}

/* --- notices --------------------------------------------------------------- */

static void on_notice(void *arg, const PGresult *r)
{
	struct conn *c = arg;
	const char *sqlstate = PQresultErrorField(r, PG_DIAG_SQLSTATE);
	char line[256];

	message_line(PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY), line, sizeof line);
	log_debug("db", "notice on lane %s: %s %s", lane_name(c->lane), sqlstate ? sqlstate : "", line);
	/* A server that stops or has crashed says so to idle connections in a notice. */
	if (conn_result_fatal(r) || (sqlstate && strncmp(sqlstate, "57P0", 4) == 0)) {
		snprintf(c->db->away, sizeof c->db->away, "%s", line);
		c->told = true;
		conn_break(c);
	}
}

/* --- connecting ------------------------------------------------------------ */

static void on_connect_event(evutil_socket_t fd, short what, void *arg);
static void on_readable(evutil_socket_t fd, short what, void *arg);
static void on_writable(evutil_socket_t fd, short what, void *arg);

/* See db_setup.c, which sets the same on the server's side. */
#define NETWORK_KEYWORDS "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"
#define NETWORK_VALUES "10", "5", "2", "20000"

/* The kind of server that libpq accepts, unless the URL names one. */
static const char *session_attrs(const struct conn *c)
{
	return c->lane == DB_REPLICA ? "standby" : db_session_attrs();
}

/* Starts to connect to the next server. NULL when its addresses are not known. */
static PGconn *connect_start(const struct conn *c)
{
	const struct db *db = c->db;
	const char *host[HOSTS_LISTS];
	struct arena a;
	PGconn *pg = NULL;

	arena_init(&a);
	if (hosts_values(&db->hosts, c->host, -1, &a, host)) {
		const char *const keywords[] = {NETWORK_KEYWORDS, "target_session_attrs", "dbname", "host", "hostaddr",
		    "port", "application_name", "client_encoding", NULL};
		const char *const values[] = {
		    NETWORK_VALUES, session_attrs(c), db->config.url, host[0], host[1], host[2], "kith", "UTF8", NULL};
		pg = PQconnectStartParams(keywords, values, 1);
	}
	arena_free(&a);
	return pg;
}

int connect_timeout_ms(const struct conn *c)
{
	const struct hosts *h = &c->db->hosts;

	/* A further connection to a server that is in use may take long: db_silence.c notices when that server stops
	 * responding. */
	if (h->n == 1 || (survey_wanted(c->db) && c->db->prober != c))
		return CONNECT_TIMEOUT_MS;
	if (survey_wanted(c->db))
		return HOST_TIMEOUT_MS;
	return h->list[c->host].silent ? SILENT_TIMEOUT_MS : HOST_TIMEOUT_MS;
}

static void connect_reason(const struct conn *c, bool silent, char *line, size_t size)
{
	message_line(PQerrorMessage(c->pg), line, size);
	if (!c->pg)
		snprintf(line, size, "no address of the server is found");
	else if (silent)
		snprintf(line, size, "%s does not answer", PQhost(c->pg) ? PQhost(c->pg) : "the server");
	else if (c->refused)
		snprintf(line, size, "it is an old primary");
}

void connect_pause(struct db *db, enum db_lane lane, int64_t since_us)
{
	/* A standby may be unavailable for long: the log tells it once. */
	bool again = lane == DB_REPLICA && db->backoff_ms > 0;

	db->backoff_ms = db->backoff_ms ? db->backoff_ms * 2 : BACKOFF_FIRST_MS;
	if (db->backoff_ms > BACKOFF_MAX_MS)
		db->backoff_ms = BACKOFF_MAX_MS;
	db->away_us = db->away_us ? db->away_us : since_us;
	snprintf(db->away, sizeof db->away, "%s", db->hosts.said);
	db->retry_at_us = clock_mono_us() + db->backoff_ms * INT64_C(1000);
	if (!again)
		log_warn("db", "lane %s cannot connect, again in %d ms: %s", lane_name(lane), db->backoff_ms,
		    db->hosts.said);
	db->hosts.said[0] = '\0';
	db->hosts.n_tried = 0;
}

/* Of several connections that were being made only the first counts: the others tried the same server. */
static void connect_failed(struct conn *c)
{
	struct db *db = c->db;
	bool silent = clock_mono_us() - c->since_us > connect_timeout_ms(c) * INT64_C(1000);
	char line[256];

	connect_reason(c, silent, line, sizeof line);
	db->stats.connect_failures++;
	if (!db->healthy && db->prober != c)
		return;
	if (db->healthy)
		db->backoff_ms = 0;
	db->healthy = false;
	db->retry_at_us = 0;
	if (hosts_failed(&db->hosts, c->host, silent, line) || survey_wanted(db))
		connect_pause(db, c->lane, c->since_us);
	else
		db_later(db);
}

/* All connections that join the generation of events lead to one server. When one has found another server, or the same
 * server after a restart, the connections to the previous one are closed. Their exchanges end as when a connection
 * breaks. */
static void connect_to_one(struct conn *c)
{
	struct db *db = c->db;
	int64_t old = db->server.generation;

	if (!db->config.join || old == c->server.generation)
		return;
	db->server = c->server;
	for (int lane = 0; old && lane < DB_LANES; lane++)
		for (int i = 0; i < db->lanes[lane].n_conns; i++) {
			struct conn *other = &db->lanes[lane].conns[i];
			if (other->state == CONN_UP && other->server.generation != c->server.generation)
				conn_break(other);
		}
}

/* The connection is ready for use. */
static void conn_connected(struct conn *c)
{
	struct db *db = c->db;
	struct lane *l = &db->lanes[c->lane];

	if (PQenterPipelineMode(c->pg) != 1) {
		conn_lost(c, NULL);
		return;
	}
	c->settings_sent = false;
	event_assign(&c->read_event, db->base, PQsocket(c->pg), EV_READ | EV_PERSIST, on_readable, c);
	event_assign(&c->write_event, db->base, PQsocket(c->pg), EV_WRITE | EV_PERSIST, on_writable, c);
	event_add(&c->read_event, NULL);
	c->state = CONN_UP;
	c->up_us = clock_mono_us();
	if (lane_system(c->lane))
		c->workspace_set = WORKSPACE_ALL; /* by its settings */
	l->n_up++;
	db->stats.connects++;
	if (db->away_us && db_ready(db)) { /* once, not for every lane */
		log_info("db", "the %s answers again, after %.1f s", c->lane == DB_REPLICA ? "replica" : "database",
		    (double)(c->up_us - db->away_us) / 1e6);
		db->away_us = 0;
	}
	db->healthy = true;
	db->backoff_ms = 0;
	hosts_reached(&db->hosts, c->host);
	if (db->prober == c)
		db->prober = NULL;
	connect_to_one(c);
	log_debug("db", "lane %s: connection %d of %d", lane_name(c->lane), l->n_up, l->n_conns);
	conn_start_due(db, clock_mono_us());
	if (c->lane == DB_SIGNAL)
		signal_connected(c);
	else if (!lane_shared(c->lane))
		exclusive_run(db, c->lane);
}

/* Assigned each time: libpq may have moved on to the next address, with another socket. */
static void connect_wait(struct conn *c, short what)
{
	event_assign(&c->connect_event, c->db->base, PQsocket(c->pg), what, on_connect_event, c);
	event_add(&c->connect_event, NULL);
}

static void connect_set_up(struct conn *c)
{
	enum setup state = setup_poll(c);

	if (state == SETUP_DONE)
		conn_connected(c);
	else if (state == SETUP_FAILED)
		conn_lost(c, NULL);
	else
		connect_wait(c, state == SETUP_WRITING ? EV_READ | EV_WRITE : EV_READ);
}

static void connect_poll(struct conn *c)
{
	PostgresPollingStatusType status = PQconnectPoll(c->pg);

	if (status == PGRES_POLLING_OK && PQsetnonblocking(c->pg, 1) == 0 && setup_send(c))
		connect_set_up(c);
	else if (status == PGRES_POLLING_OK || status == PGRES_POLLING_FAILED)
		conn_lost(c, NULL);
	else
		connect_wait(c, status == PGRES_POLLING_READING ? EV_READ : EV_WRITE);
}

static void on_connect_event(evutil_socket_t fd, short what, void *arg)
{
	struct conn *c = arg;
	struct db *db = c->db;

	(void)fd, (void)what;
	if (c->settings_sent)
		connect_set_up(c);
	else
		connect_poll(c);
	db_deliver(db);
}

static void connect_go(struct conn *c)
{
	c->pg = connect_start(c);
	if (!c->pg || PQstatus(c->pg) == CONNECTION_BAD) {
		conn_lost(c, NULL);
		return;
	}
	PQsetNoticeReceiver(c->pg, on_notice, c);
	/* "Behave as if PQconnectPoll last returned PGRES_POLLING_WRITING." */
	connect_wait(c, EV_WRITE);
}

void connect_looked_up(struct db *db)
{
	struct conn *c = db->prober;

	if (c && !c->pg && c->state == CONN_CONNECTING && !db->hosts.list[c->host].query)
		connect_go(c);
}

/* The prober (the last argument) looks names up, unless db_survey.c has done so. No other connection is being made
 * then. */
static void conn_start(struct conn *c, bool alone)
{
	struct hosts *h = &c->db->hosts;

	c->state = CONN_CONNECTING;
	c->since_us = clock_mono_us();
	c->broken = c->leaving = c->refused = c->settings_sent = c->told = false;
	c->backend_pid = 0;
	c->host = h->first;
	memset(&c->connect_event, 0, sizeof c->connect_event);
	alone = alone && !survey_wanted(c->db);
	if (alone)
		hosts_look_up(h, c->host);
	if (!alone || !h->list[h->first].query || h->list[h->first].found)
		connect_go(c);
}

void conn_start_due(struct db *db, int64_t now_us)
{
	if (db->closing || (!db->healthy && (db->prober || now_us < db->retry_at_us || !survey_done(db))))
		return;
	int most = 0;
	for (int lane = 0; lane < DB_LANES; lane++)
		if (db->lanes[lane].n_conns > most)
			most = db->lanes[lane].n_conns;
	/* Every lane gets its first connection before any lane gets a second one, because a server may have too few for
	 * all. */
	for (int i = 0; i < most && (i == 0 || db_ready(db)); i++) {
		for (int lane = 0; lane < DB_LANES; lane++) {
			struct conn *c = &db->lanes[lane].conns[i];
			if (i >= db->lanes[lane].n_conns || c->state != CONN_DOWN)
				continue;
			bool alone = !db->healthy;
			if (alone)
				db->prober = c;
			conn_start(c, alone);
			if (alone || !db->healthy)
				return;
		}
	}
}

/* --- traffic --------------------------------------------------------------- */

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *c = arg;
	struct db *db = c->db;

	(void)fd, (void)what;
	conn_input(c);
	db_deliver(db);
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *c = arg;
	struct db *db = c->db;

	(void)fd, (void)what;
	conn_flush(c);
	db_deliver(db);
}

/* --- losing a connection ------------------------------------------------------- */

void db_conn_close(struct conn *c)
{
	struct lane *l = &c->db->lanes[c->lane];

	/* Before libpq closes the socket that the events watch. */
	if (c->state == CONN_UP) {
		event_del(&c->read_event);
		event_del(&c->write_event);
	}
	if (c->state == CONN_CONNECTING && event_initialized(&c->connect_event))
		event_del(&c->connect_event);
	if (c->state == CONN_UP && --l->n_up == 0) {
		l->down_since_us = clock_mono_us();
		c->db->away_us = c->db->away_us ? c->db->away_us : l->down_since_us;
	}
	PQfinish(c->pg);
	free(c->ops);
	c->pg = NULL;
	c->ops = NULL;
	c->state = CONN_DOWN;
	c->ops_first = c->n_ops = c->cap_ops = 0;
	c->broken = c->leaving = c->needs_sync = c->group_failed = c->own_command = false;
	memset(c->prepared, 0, sizeof c->prepared);
	conn_workspace_forget(c);
	c->workspace_prepared = false;
	c->group_suspect = false;
	c->n_suspect = 0;
	if (c->db->prober == c)
		c->db->prober = NULL;
}

void conn_lost(struct conn *c, const PGresult *error)
{
	struct db *db = c->db;

	if (c->state == CONN_DOWN)
		return;
	if (c->state == CONN_CONNECTING && !db->closing) {
		connect_failed(c);
	} else if (!db->closing) {
		if (error || !c->told)
			message_line(error ? PQresultErrorField(error, PG_DIAG_MESSAGE_PRIMARY) : PQerrorMessage(c->pg),
			    db->away, sizeof db->away);
		trouble_lost(db, c->lane);
		orphan_add(c);
		/* One connection tries again at once; a backoff in progress continues. */
		if (db->healthy) {
			db->healthy = false;
			db->retry_at_us = 0;
		}
		db_later(db);
	}
	if (c->lane == DB_SIGNAL)
		signal_lost(c);
	if (lane_shared(c->lane))
		shared_lost(c);
	else
		exclusive_lost(c, error);
	db_conn_close(c);
	if (!db->closing && !lane_shared(c->lane))
		exclusive_run(db, c->lane);
}

void conn_read_only(struct conn *c, const PGresult *error)
{
	struct db *db = c->db;

	for (int lane = 0; lane < DB_LANES; lane++)
		for (int i = 0; i < db->lanes[lane].n_conns; i++) {
			struct conn *other = &db->lanes[lane].conns[i];
			if (other != c && other->state == CONN_UP)
				conn_leave(other);
		}
	conn_lost(c, error);
}

void conn_leave(struct conn *c)
{
	c->leaving = true;
	if (c->n_in_flight == 0 && !c->session)
		conn_break(c);
}
