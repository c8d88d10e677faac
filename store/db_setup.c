/* A connection's first statement, between login and use: its settings, and whether the stored generation of events is
 * that of the server it has reached.
 *
 * Settings are not startup options, which poolers do not support; options in the URL are handled by libpq.
 *
 * kith_join() (migrations/0006_events.sql) also compares how far this process has seen the database. A connection
 * leads to one server for its whole life, so none reads or writes events under another server's generation, even if
 * the database was restored or moved, or a standby promoted, while this process runs. A failure ends the connection,
 * which is retried with backoff: a standby, for instance, has no generation until it is promoted.
 *
 * Once a promoted server has been seen, the old primary is refused. It is on an earlier timeline, and if somebody
 * starts it again it accepts writes, which would be lost. */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/log.h"
#include "store/db_private.h"

enum { SETTINGS_MAX = 24, STATEMENT_MAX = 8192, OID_TEXT = 25, REPLICA_LOCK_MS = 100 };

struct settings {
	struct arena arena;
	struct buf text;
	Oid types[SETTINGS_MAX];
	const char *values[SETTINGS_MAX];
	int n;
};

/* Names are constants that need no quoting; values may be anything. */
static void settings_add(struct settings *s, const char *name, const char *value)
{
	s->types[s->n] = OID_TEXT;
	s->values[s->n++] = value;
	buf_printf(&s->text, ", set_config('%s', $%d, false)", name, s->n);
}

static void settings_add_int(struct settings *s, const char *name, int value)
{
	settings_add(s, name, arena_printf(&s->arena, "%d", value));
}

/* Planner settings for lists, whatever the database's own are. Data are in memory or on an SSD; compiling a plan
 * takes longer than running it; no list gains from reading a table sequentially. A slow list may use one processor
 * at most: parallel workers would take all from the point reads. */
static void set_list_planning(struct settings *s)
{
	settings_add(s, "max_parallel_workers_per_gather", "0");
	settings_add(s, "random_page_cost", "1.1");
	settings_add(s, "enable_seqscan", "off");
}

/* Writes, single reads and admission are short statements that are repeated often. By default PostgreSQL would plan
 * most of them each time, because it assumes longer arrays than ours, and planning costs far more than running them
 * (2.3 ms of the 3.8 ms of an update of an object). So their plans are generic and kept. They may date from when a
 * table was empty, so sequential scans are off. */
static void set_short_planning(struct settings *s)
{
	settings_add(s, "plan_cache_mode", "force_generic_plan");
	settings_add(s, "enable_seqscan", "off");
}

/* Over TCP PostgreSQL notices within 20 s that this machine or the network is gone, and releases what the backends
 * held; by default that takes two hours. The URL may override it. Unix sockets do not need it. */
static void set_network(struct settings *s, const char *url)
{
	static const struct {
		const char *name, *value;
	} server[] = {{"tcp_keepalives_idle", "10"}, {"tcp_keepalives_interval", "5"}, {"tcp_keepalives_count", "2"},
	    {"tcp_user_timeout", "20000"}};
	PQconninfoOption *all = PQconninfoParse(url, NULL);
	const char *own = "";
	for (PQconninfoOption *o = all; o && o->keyword; o++)
		if (strcmp(o->keyword, "options") == 0 && o->val)
			own = o->val;
	for (size_t i = 0; i < sizeof server / sizeof *server; i++)
		if (!strstr(own, server[i].name))
			settings_add(s, server[i].name, server[i].value);
	PQconninfoFree(all);
}

/* The role must resolve names as the login does: "$user" would be the role. */
static void set_role(struct settings *s, enum db_lane lane, const char *role)
{
	buf_printf(&s->text,
	    ", set_config('search_path', concat_ws(', ', %squote_ident(current_schema()), "
	    "current_setting('search_path')), false)",
	    lane_plans(lane) ? "'kith_search', " : "");
	settings_add(s, "role", role);
}

/* Joins the generation, but does not write to an old primary after a standby has taken over from it. */
static void set_generation(struct settings *s, const struct db *db)
{
	buf_printf(&s->text,
	    "case when here.system_identifier = %lld and here.timeline < %lld then 0 else kith_join(%lld, %lld) end, "
	    "here.system_identifier, here.timeline",
	    (long long)db->server.system, (long long)db->server.timeline, (long long)db->seen_generation,
	    (long long)db->seen_xid);
}

/* What a connection's lane needs beside what all have. */
static void set_lane(struct settings *s, enum db_lane lane)
{
	/* The statements of a list's exchange share a snapshot, so that a page is consistent. A write must see what was
	 * committed while it waited for a lock. READ COMMITTED is in capitals, so that searches for "commit" do not
	 * find it. */
	settings_add(s, "default_transaction_isolation", lane_plans(lane) ? "repeatable read" : "READ COMMITTED");
	/* Recovery takes a lock when it replays its record, and keeps it until it replays the end of that transaction.
	 * While recovery is paused, cut off or delayed, the lock stays. */
	if (lane == DB_REPLICA)
		settings_add_int(s, "lock_timeout", REPLICA_LOCK_MS);
	if (lane_plans(lane))
		set_list_planning(s);
	else if (lane == DB_WRITE || lane == DB_POINT || lane == DB_ADMIT)
		set_short_planning(s);
	/* This process knows all kinds of keys (migrations/0020_sessions.sql). */
	settings_add(s, "kith.keys", "all");
	if (lane_system(lane))
		settings_add(s, "kith.workspace", "all");
	/* What these lanes write may be lost with the server: a NOTIFY, and the use of rate limits (an unlogged table).
	 * So they need not wait for a synchronous standby either, and reads continue while it is down. The first
	 * connection to a server begins a generation on ADMIT; that need not wait, because the first commit under
	 * it confirms it. */
	if (lane == DB_SIGNAL || lane == DB_ADMIT)
		settings_add(s, "synchronous_commit", "off");
}

bool setup_send(struct conn *c)
{
	const struct db_config *config = &c->db->config;
	const char *role = config->roles[c->lane];
	struct settings s = {.n = 0};

	arena_init(&s.arena);
	buf_init(&s.text, STATEMENT_MAX);
	buf_addz(&s.text, "select pg_backend_pid(), ");
	if (config->join)
		set_generation(&s, c->db);
	else
		buf_addz(&s.text, "0, 0, 0");
	if (c->lane == DB_REPLICA)
		buf_addz(&s.text, ", (select " DB_IDENTITY " " DB_IDENTITY_FROM ")");
	set_network(&s, config->url);
	settings_add(&s, "TimeZone", "UTC");
	/* A plan that uses what is switched off counts as very costly, and PostgreSQL would JIT-compile it: a second
	 * per run. */
	settings_add(&s, "jit", "off");
	settings_add_int(&s, "statement_timeout", config->statement_timeout_ms[c->lane]);
	/* A safety net for when this process hangs, hence later than our own limit. */
	settings_add_int(&s, "idle_in_transaction_session_timeout", config->idle_in_transaction_ms + 5000);
	set_lane(&s, c->lane);
	if (role)
		set_role(&s, c->lane, role);
	if (config->join)
		buf_addz(&s.text, " from kith_server() here");
	bool sent =
	    !s.text.overflow && PQsendQueryParams(c->pg, s.text.data, s.n, s.types, s.values, NULL, NULL, 0) == 1;
	buf_free(&s.text);
	arena_free(&s.arena);
	c->settings_sent = true;
	return sent;
}

/* With a pooler the login reports the pooler's own number for the backend. kith needs a backend per connection, as
 * settings, locks and LISTEN belong to it. Two connections with the same backend show that the pooler is in another
 * mode; this catches a pooler reconfigured after our start (db_probe.c checks at start). */
static bool shares_backend(const struct conn *c)
{
	const struct db *db = c->db;

	for (int lane = 0; lane < DB_LANES; lane++)
		for (int i = 0; i < db->lanes[lane].n_conns; i++) {
			const struct conn *other = &db->lanes[lane].conns[i];
			if (other != c && other->state == CONN_UP && !other->broken &&
			    other->backend_pid == c->backend_pid)
				return true;
		}
	return false;
}

bool setup_superseded(const struct conn *c)
{
	const struct server_seen *seen = &c->db->server;

	return c->server.system == seen->system && c->server.timeline < seen->timeline;
}

static int64_t row_int(const PGresult *r, int column)
{
	return strtoll(PQgetvalue(r, 0, column), NULL, 10);
}

/* Returns false for a standby of another database, and for a copy. */
static bool replica_is_ours(const struct conn *c, const PGresult *r)
{
	if (c->lane != DB_REPLICA || strcmp(PQgetvalue(r, 0, 4), c->db->config.identity) == 0)
		return true;
	if (c->db->backoff_ms == 0)
		log_error("db", "replica_url does not name a standby of the server and database in database_url; the "
		                "replica is not used");
	return false;
}

static void on_row(struct conn *c, const PGresult *r)
{
	if (!replica_is_ours(c, r))
		return;
	c->backend_pid = (int)row_int(r, 0);
	c->server = (struct server_seen){row_int(r, 2), row_int(r, 3), row_int(r, 1)};
	if (setup_superseded(c)) {
		log_error("db",
		    "a server on timeline %lld accepts writes, but the database continues on timeline %lld: it is an "
		    "old primary and is not used; stop it, then make it a standby with pg_rewind",
		    (long long)c->server.timeline, (long long)c->db->server.timeline);
		c->refused = true;
		c->backend_pid = 0;
		return;
	}
	if (c->backend_pid == PQbackendPID(c->pg))
		return;
	c->db->pooled = true;
	if (!shares_backend(c))
		return;
	log_error("db", "a pooler shares one connection of PostgreSQL between several of ours: %s", DB_POOL_ADVICE);
	c->backend_pid = 0;
}

enum setup setup_poll(struct conn *c)
{
	int rest = PQflush(c->pg);

	if (rest < 0 || !PQconsumeInput(c->pg))
		return SETUP_FAILED;
	while (!PQisBusy(c->pg)) {
		PGresult *r = PQgetResult(c->pg);
		if (!r) {
			/* Meanwhile another connection may have found the new primary. */
			c->refused = c->refused || setup_superseded(c);
			return c->backend_pid && !c->refused ? SETUP_DONE : SETUP_FAILED;
		}
		if (PQresultStatus(r) == PGRES_TUPLES_OK)
			on_row(c, r);
		PQclear(r);
	}
	return rest > 0 ? SETUP_WRITING : SETUP_READING;
}

void db_seen(struct db *db, int64_t generation, int64_t xid)
{
	if (generation < db->seen_generation || (generation == db->seen_generation && xid <= db->seen_xid))
		return;
	db->seen_generation = generation;
	db->seen_xid = xid;
}
