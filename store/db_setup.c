/*
 * What a connection does between its login and its first use: one statement with all of its settings. They are not part
 * of the login, as poolers take no "options" there; what the URL has of its own stays with libpq.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/log.h"
#include "store/db_private.h"

enum { SETTINGS_MAX = 24, STATEMENT_MAX = 8192, OID_TEXT = 25 };

struct settings {
	struct arena arena;
	struct buf text;
	Oid types[SETTINGS_MAX];
	const char *values[SETTINGS_MAX];
	int n;
};

/* Ours alone: no name or value needs quoting, but values may be anything. */
static void set(struct settings *s, const char *name, const char *value)
{
	s->types[s->n] = OID_TEXT;
	s->values[s->n++] = value;
	buf_printf(&s->text, ", set_config('%s', $%d, false)", name, s->n);
}

static void set_int(struct settings *s, const char *name, int value)
{
	set(s, name, arena_printf(&s->arena, "%d", value));
}

/*
 * How lists are planned, whatever the database's own settings are. What they read is in memory or on a disk without
 * arms; compiling a plan takes longer than running it; a list that reads a whole table has nothing to gain from reading
 * it past its indexes. One slow list is one processor at most: parallel ones would take them all from the point reads.
 * The statements of an exchange see one snapshot: a page is what it was found to be.
 */
static void set_list_planning(struct settings *s)
{
	set(s, "max_parallel_workers_per_gather", "0");
	set(s, "random_page_cost", "1.1");
	set(s, "enable_seqscan", "off");
	set(s, "default_transaction_isolation", "repeatable read");
}

/*
 * Writes, single reads and admissions are short statements that come again and again: by default PostgreSQL would plan
 * most of them each time, as it takes lists of unknown length for longer ones, and planning is far more than running
 * them (2.3 ms of the 3.8 ms that an update of an object took). Their plans are made without values and kept, perhaps
 * since a table was empty: so none may begin with reading a table to its end.
 */
static void set_short_planning(struct settings *s)
{
	set(s, "plan_cache_mode", "force_generic_plan");
	set(s, "enable_seqscan", "off");
}

/*
 * Over TCP: when this machine or the network to it is gone, PostgreSQL learns it after 20 s, and what its backends held
 * is free; by default that takes two hours. The URL may say something else. A socket file does not need it.
 */
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
			set(s, server[i].name, server[i].value);
	PQconninfoFree(all);
}

/* What the role sees by name is what the login sees: "$user" would be the role. */
static void set_role(struct settings *s, enum db_lane lane, const char *role)
{
	buf_printf(&s->text,
	    ", set_config('search_path', concat_ws(', ', %squote_ident(current_schema()), "
	    "current_setting('search_path')), false)",
	    lane_plans(lane) ? "'kith_search', " : "");
	set(s, "role", role);
}

bool setup_send(struct conn *c)
{
	const struct db_config *config = &c->db->config;
	const char *role = config->roles[c->lane];
	struct settings s = {.n = 0};
	arena_init(&s.arena);
	buf_init(&s.text, STATEMENT_MAX);
	buf_addz(&s.text, "select pg_backend_pid()");
	set_network(&s, config->url);
	set(&s, "TimeZone", "UTC");
	/* A plan that goes against what is switched off counts as very costly, and PostgreSQL would compile it: a
	 * second at each run. */
	set(&s, "jit", "off");
	set_int(&s, "statement_timeout", config->statement_timeout_ms[c->lane]);
	/* A second net, for when this process hangs: hence later than ours. */
	set_int(&s, "idle_in_transaction_session_timeout", config->idle_in_transaction_ms + 5000);
	if (lane_plans(c->lane))
		set_list_planning(&s);
	else if (c->lane == DB_WRITE || c->lane == DB_POINT || c->lane == DB_ADMIT)
		set_short_planning(&s);
	if (lane_system(c->lane))
		set(&s, "kith.workspace", "all");
	/* A NOTIFY is a transaction that writes, but nobody minds losing it. */
	if (c->lane == DB_SIGNAL)
		set(&s, "synchronous_commit", "off");
	if (role)
		set_role(&s, c->lane, role);
	bool sent =
	    !s.text.overflow && PQsendQueryParams(c->pg, s.text.data, s.n, s.types, s.values, NULL, NULL, 0) == 1;
	buf_free(&s.text);
	arena_free(&s.arena);
	c->setting = true;
	return sent;
}

/*
 * A pooler answers the login with a number of its own for the backend. It must leave the backend to the connection for
 * as long as that lasts: settings, locks and LISTEN belong to the backend. Two connections with one backend say that it
 * does not; where nothing else does (it was told so after our start, see db_probe.c), this does.
 */
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

static void on_row(struct conn *c, const PGresult *r)
{
	c->backend_pid = (int)strtol(PQgetvalue(r, 0, 0), NULL, 10);
	if (c->backend_pid == PQbackendPID(c->pg))
		return;
	c->db->pooled = true;
	if (!shares_backend(c))
		return;
	log_error("db", "a pooler gives one connection of PostgreSQL to several of ours: %s", DB_POOL_ADVICE);
	c->backend_pid = 0;
}

enum setup setup_poll(struct conn *c)
{
	int rest = PQflush(c->pg);
	if (rest < 0 || !PQconsumeInput(c->pg))
		return SETUP_FAILED;
	while (!PQisBusy(c->pg)) {
		PGresult *r = PQgetResult(c->pg);
		if (!r)
			return c->backend_pid ? SETUP_DONE : SETUP_FAILED;
		if (PQresultStatus(r) == PGRES_TUPLES_OK)
			on_row(c, r);
		PQclear(r);
	}
	return rest > 0 ? SETUP_WRITING : SETUP_READING;
}
