/* Chooses the server to use, where the URL has several servers or a name with several addresses.
 *
 * After a split brain two of them may accept writes. Writes to the one on the earlier timeline will be lost, and it may
 * be the first one in the URL. So all servers are asked at once, on connections of their own, and the one on the
 * highest timeline is used: at the start, and whenever no server is known to work. If two servers on one timeline
 * accept writes, neither is used. A standby that receives the log of a later timeline proves that a later primary
 * exists, even if this process cannot reach it.
 *
 * While this process is connected it asks the servers again every few seconds, and leaves its server when one on a
 * later timeline appears. It waits only a moment for a server that does not answer, see look_limit_ms(). */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_private.h"
#include "store/db_probe.h"

enum {
	AGAIN_MS = 5000,  /* between two surveys while connected */
	GIVE_UP_MS = 250, /* a server that was silent before is waited for, once another one accepts writes; and DNS */
	PAUSED_MS = 2000, /* between two polls: this process did not run */
	TOLD_AGAIN_MS = 60000,
	LOOK_SAID = 160,
	TROUBLE_SAID = 512
};

/* The timeline of a server in recovery counts only if it has received its log: a promoted server that became a standby
 * again may ask in vain. latest_end_lsn is null until something has arrived, and for a login without pg_read_all_stats.
 * pg_control_checkpoint() lags behind a promotion, but the name of the file written does not. */
static const char ask_sql[] =
    "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool, (select system_identifier from "
    "pg_control_system()), case when not pg_is_in_recovery() then ('x' || "
    "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int when exists (select from "
    "pg_stat_wal_receiver where latest_end_lsn is not null) then greatest((select timeline_id from "
    "pg_control_checkpoint()), "
    "(select min_recovery_end_timeline from pg_control_recovery()), (select received_tli from pg_stat_wal_receiver)) "
    "else 0 end, (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint";

/* One address of one server. */
struct look {
	struct list link;
	struct survey *survey;
	int host;
	char address[INET6_ADDRSTRLEN]; /* of its name; the list may change before the server answers */
	enum { LOOK_CONNECTS, LOOK_ASKED, LOOK_ANSWERED, LOOK_FAILED } state;
	bool silent, writes;
	PGconn *pg;
	struct event event;
	int64_t system, timeline, started_us;
	char name[128], said[LOOK_SAID];
};

struct survey {
	struct db *db;
	bool wanted;                /* false: whichever server libpq accepts is used */
	bool watches;               /* the survey in progress began while the database was connected */
	bool chosen;                /* a server was chosen, and no connection to it was tried yet */
	int64_t began_us, ended_us; /* began_us is 0 while no survey is in progress */
	int64_t polled_us;
	int64_t told_us;
	struct list looks;
};

struct survey *survey_new(struct db *db)
{
	struct survey *s = mem_zalloc(sizeof *s);

	s->db = db;
	s->polled_us = clock_mono_us();
	s->wanted = db->config.lane_size[DB_REPLICA] == 0 && (db->hosts.n > 1 || db->hosts.list->by_name) &&
	            db_probe_wants_writer(db->config.url);
	list_init(&s->looks);
	return s;
}

/* --- one server ------------------------------------------------------------------- */

static void look_close(struct look *l, bool answered)
{
	if (l->pg && !answered && !*l->said) {
		const char *text = PQerrorMessage(l->pg), *failed = strstr(text, " failed: ");
		snprintf(l->said, sizeof l->said, "%s", failed ? failed + strlen(" failed: ") : text);
		l->said[strcspn(l->said, "\n")] = '\0';
	}
	if (event_initialized(&l->event))
		event_del(&l->event);
	PQfinish(l->pg);
	l->pg = NULL;
	l->state = answered ? LOOK_ANSWERED : LOOK_FAILED;
	db_later(l->survey->db);
}

static int64_t look_int(const PGresult *r, int column)
{
	return strtoll(PQgetvalue(r, 0, column), NULL, 10);
}

static void look_read(struct look *l, const PGresult *r)
{
	if (PQresultStatus(r) != PGRES_TUPLES_OK || PQntuples(r) != 1) {
		look_close(l, false);
		return;
	}
	l->writes = *PQgetvalue(r, 0, 0) == 'f';
	l->system = look_int(r, 1);
	l->timeline = look_int(r, 2);
	l->started_us = look_int(r, 3);
	if (!l->writes)
		snprintf(l->said, sizeof l->said, "it does not accept writes");
	look_close(l, true);
}

static void on_look(evutil_socket_t fd, short what, void *arg);

/* Assigned each time: libpq may have moved on to another socket. */
static void look_wait(struct look *l, short what)
{
	event_assign(&l->event, l->survey->db->base, PQsocket(l->pg), what, on_look, l);
	event_add(&l->event, NULL);
}

static void look_answer(struct look *l)
{
	int rest = PQflush(l->pg);

	if (rest < 0 || !PQconsumeInput(l->pg)) {
		look_close(l, false);
	} else if (PQisBusy(l->pg)) {
		look_wait(l, rest > 0 ? EV_READ | EV_WRITE : EV_READ);
	} else {
		PGresult *r = PQgetResult(l->pg);
		look_read(l, r);
		PQclear(r);
	}
}

static void on_look(evutil_socket_t fd, short what, void *arg)
{
	struct look *l = arg;
	PostgresPollingStatusType status;

	(void)fd, (void)what;
	if (l->state == LOOK_ASKED) {
		look_answer(l);
		return;
	}
	status = PQconnectPoll(l->pg);
	if (status == PGRES_POLLING_OK && PQsetnonblocking(l->pg, 1) == 0 && PQsendQuery(l->pg, ask_sql) == 1) {
		l->state = LOOK_ASKED;
		look_answer(l);
	} else if (status == PGRES_POLLING_OK || status == PGRES_POLLING_FAILED) {
		look_close(l, false);
	} else {
		look_wait(l, status == PGRES_POLLING_READING ? EV_READ : EV_WRITE);
	}
}

static void look_begin(struct survey *s, int host, int address)
{
	struct db *db = s->db;
	struct look *l = mem_zalloc(sizeof *l);
	const char *at[HOSTS_LISTS];
	struct arena a;

	arena_init(&a);
	l->survey = s;
	l->host = host;
	list_init(&l->link);
	list_append(&s->looks, &l->link);
	hosts_values(&db->hosts, host, address, &a, at);
	hosts_name(&db->hosts, host, address, l->name, sizeof l->name);
	snprintf(l->address, sizeof l->address, "%s", at[1] ? at[1] : "");
	const char *const keywords[] = {
	    "dbname", "host", "hostaddr", "port", "target_session_attrs", "application_name", NULL};
	const char *const values[] = {db->config.url, at[0], at[1], at[2], "any", "kith", NULL};
	l->pg = PQconnectStartParams(keywords, values, 1);
	arena_free(&a);
	if (!l->pg || PQstatus(l->pg) == CONNECTION_BAD)
		look_close(l, false);
	else
		look_wait(l, EV_WRITE);
}

/* Once a server accepts writes, one that was silent before is not waited for long if a connection waits for this. */
static int look_limit_ms(const struct survey *s, int host, bool writer)
{
	if (s->watches || !s->db->hosts.list[host].silent)
		return HOST_TIMEOUT_MS;
	return writer ? GIVE_UP_MS : SILENT_TIMEOUT_MS;
}

/* --- all of them -------------------------------------------------------------------- */

static void survey_clear(struct survey *s)
{
	while (!list_empty(&s->looks)) {
		struct look *l = list_item(list_take(&s->looks), struct look, link);
		if (l->pg)
			look_close(l, false);
		free(l);
	}
	s->began_us = 0;
}

/* True when the addresses are known. When a connection waits, addresses found before are used if DNS does not answer at
 * once. */
static bool survey_knows(const struct survey *s, const struct db_host *host)
{
	return !host->query ||
	       (host->found && !s->watches && clock_mono_us() - s->began_us > GIVE_UP_MS * INT64_C(1000));
}

static void survey_ask_host(struct survey *s, int i)
{
	struct db_host *host = &s->db->hosts.list[i];

	if (host->asked || !survey_knows(s, host))
		return;
	host->asked = true;
	for (int address = 0; address < (host->by_name ? host->n_found : 1); address++)
		look_begin(s, i, address);
}

static void survey_begin(struct survey *s)
{
	struct hosts *h = &s->db->hosts;

	survey_clear(s);
	s->watches = s->db->healthy;
	s->chosen = false;
	s->began_us = clock_mono_us();
	for (int i = 0; i < h->n; i++) {
		h->list[i].asked = false;
		hosts_look_up(h, i);
	}
	db_later(s->db);
}

/* A name with a single address leaves nothing to choose. */
static bool survey_single(struct survey *s)
{
	struct hosts *h = &s->db->hosts;

	if (h->n > 1 || h->list->n_found != 1 || !survey_knows(s, h->list))
		return false;
	/* The address may have changed, and the new one may be that of a new primary. */
	if (s->watches && (!h->list->address || strcmp(h->list->found, h->list->address) != 0))
		return false;
	if (!s->watches) {
		hosts_choose(h, 0, h->list->found);
		s->chosen = true;
	}
	s->ended_us = clock_mono_us();
	survey_clear(s);
	return true;
}

/* True when all have answered or have had their time. */
static bool survey_complete(struct survey *s)
{
	int64_t took_ms = (clock_mono_us() - s->began_us) / 1000;
	bool complete = true, writer = false;

	for (int i = 0; i < s->db->hosts.n; i++)
		survey_ask_host(s, i);
	list_each(l, &s->looks, struct look, link)
		writer = writer || (l->state == LOOK_ANSWERED && l->writes);
	list_each(l, &s->looks, struct look, link) {
		if (l->state == LOOK_ANSWERED || l->state == LOOK_FAILED)
			continue;
		l->silent = took_ms > look_limit_ms(s, l->host, writer);
		if (l->silent) {
			snprintf(l->said, sizeof l->said, "it does not answer");
			look_close(l, false);
		}
		complete = complete && l->silent;
	}
	for (int i = 0; i < s->db->hosts.n; i++)
		complete = complete && (s->db->hosts.list[i].asked || took_ms > look_limit_ms(s, i, writer));
	return complete;
}

/* --- what was found ------------------------------------------------------------------ */

/* One server may be named twice, or have several addresses. */
static bool look_same(const struct look *a, const struct look *b)
{
	return a->system == b->system && a->timeline == b->timeline && a->started_us == b->started_us;
}

/* The server on the highest timeline among those that accept writes. *rival: another one that is not on an earlier
 * timeline. *past: one that is. */
static struct look *survey_latest(struct survey *s, const struct look **rival, const struct look **past)
{
	struct look *latest = NULL;

	*rival = *past = NULL;
	list_each(l, &s->looks, struct look, link)
		if (l->writes && (!latest || l->timeline > latest->timeline))
			latest = l;
	list_each(l, &s->looks, struct look, link) {
		if (!l->writes || look_same(l, latest))
			continue;
		if (l->system != latest->system || l->timeline == latest->timeline)
			*rival = l;
		else
			*past = l;
	}
	return latest;
}

/* The highest timeline that some server proves to exist. */
static int64_t survey_timeline(struct survey *s, int64_t system)
{
	const struct server_seen *seen = &s->db->server;
	int64_t timeline = seen->system == system ? seen->timeline : 0;

	list_each(l, &s->looks, struct look, link)
		if (l->system == system && l->timeline > timeline)
			timeline = l->timeline;
	return timeline;
}

/* Why no server can be used; said becomes "" when one can. watches: existing connections stay. */
static void survey_trouble(
    const struct look *best, const struct look *rival, int64_t timeline, bool watches, char said[TROUBLE_SAID])
{
	const char *used = watches ? "the server in use is kept" : "neither is used";

	if (rival && rival->system != best->system)
		snprintf(said, TROUBLE_SAID,
		    "%s and %s both accept writes, and belong to different clusters: %s; take one out of database_url",
		    best->name, rival->name, used);
	else if (rival)
		snprintf(said, TROUBLE_SAID,
		    "%s and %s both accept writes on timeline %lld: %s, because kith cannot tell which is right; "
		    "stop the wrong one, then make it a standby with pg_rewind or pg_basebackup",
		    best->name, rival->name, (long long)best->timeline, used);
	else if (best && best->timeline < timeline)
		snprintf(said, TROUBLE_SAID,
		    "%s accepts writes on timeline %lld, but the database continues on timeline %lld: it is an old "
		    "primary and is not used; stop it, then make it a standby with pg_rewind",
		    best->name, (long long)best->timeline, (long long)timeline);
}

/* Logs it once a minute, because each survey finds the same again. */
static void survey_tell(struct survey *s, const char *said)
{
	int64_t now_us = clock_mono_us();

	if (s->told_us && now_us - s->told_us < TOLD_AGAIN_MS * INT64_C(1000))
		return;
	s->told_us = now_us;
	log_error("db", "%s", said);
}

static void survey_note_silent(struct survey *s)
{
	list_each(l, &s->looks, struct look, link)
		if (l->silent || l->state == LOOK_ANSWERED)
			s->db->hosts.list[l->host].silent = l->silent;
}

/* The database is connected: is there a later primary than the one in use? */
static void survey_watched(struct survey *s, int64_t timeline)
{
	struct db *db = s->db;

	if (!db->server.generation || timeline <= db->server.timeline)
		return;
	log_error("db",
	    "the database continues on timeline %lld, but the server in use is on timeline %lld: it is an old primary "
	    "and is no longer used; stop it, then make it a standby with pg_rewind",
	    (long long)timeline, (long long)db->server.timeline);
	db->server.timeline = timeline;
	snprintf(db->away, sizeof db->away, "the server in use is an old primary");
	for (int lane = 0; lane < DB_LANES; lane++)
		for (int i = 0; i < db->lanes[lane].n_conns; i++)
			if (db->lanes[lane].conns[i].state == CONN_UP) {
				db->lanes[lane].conns[i].told = true;
				conn_break(&db->lanes[lane].conns[i]);
			}
}

static void survey_failed(struct survey *s, const char *trouble)
{
	struct hosts *h = &s->db->hosts;
	struct buf said;

	buf_init(&said, HOSTS_SAID);
	buf_addz(&said, trouble);
	list_each(l, &s->looks, struct look, link)
		if (!*trouble)
			buf_printf(&said, "%s%s: %s", said.len ? "; " : "", l->name, l->said);
	snprintf(h->said, sizeof h->said, "%.*s", (int)said.len, said.len ? said.data : "");
	if (!*h->said)
		snprintf(h->said, sizeof h->said, "no address of the server is found");
	buf_free(&said);
	s->db->stats.connect_failures += (uint64_t)h->n;
	connect_pause(s->db, DB_ADMIT, s->began_us);
	/* The pause keeps attempts apart; the wait for servers that did not answer counts as part of it. */
	s->db->retry_at_us -= clock_mono_us() - s->began_us;
}

static void survey_end(struct survey *s)
{
	const struct look *rival, *past;
	const struct look *best = survey_latest(s, &rival, &past);
	int64_t timeline = survey_timeline(s, best ? best->system : s->db->server.system);
	char trouble[TROUBLE_SAID] = "";

	survey_note_silent(s);
	survey_trouble(best, rival, timeline, s->watches, trouble);
	if (*trouble)
		survey_tell(s, trouble);
	else if (past) {
		survey_trouble(past, NULL, best->timeline, s->watches, trouble);
		survey_tell(s, trouble);
		trouble[0] = '\0';
	}
	if (s->watches) {
		survey_watched(s, survey_timeline(s, s->db->server.system));
	} else if (best && !*trouble) {
		hosts_choose(&s->db->hosts, best->host, best->address);
		s->chosen = true;
	} else {
		survey_failed(s, trouble);
	}
	s->ended_us = clock_mono_us();
	survey_clear(s);
}

/* --- when --------------------------------------------------------------------------------- */

bool survey_done(struct db *db)
{
	struct survey *s = db->survey;

	if (!s->wanted)
		return true;
	if (s->chosen) {
		s->chosen = false;
		return true;
	}
	if (!s->began_us || s->watches)
		survey_begin(s);
	return false;
}

bool survey_wanted(const struct db *db)
{
	return db->survey->wanted;
}

/* If this process did not run during a survey, the survey begins again, because its results are old. If an earlier
 * attempt to connect succeeds meanwhile, the survey chooses no server; the next attempt needs a new one. */
void survey_poll(struct db *db)
{
	struct survey *s = db->survey;
	int64_t now_us = clock_mono_us();
	bool paused = now_us - s->polled_us > PAUSED_MS * INT64_C(1000);

	s->polled_us = now_us;
	s->watches = s->watches || db->healthy;
	s->chosen = s->chosen && !db->healthy;
	if (s->began_us && paused)
		survey_begin(s);
	else if (s->began_us && !survey_single(s) && survey_complete(s))
		survey_end(s);
}

void survey_tick(struct db *db, int64_t now_us)
{
	struct survey *s = db->survey;

	survey_poll(db);
	if (s->wanted && db->healthy && db->config.join && !s->began_us &&
	    now_us - s->ended_us > AGAIN_MS * INT64_C(1000))
		survey_begin(s);
}

void survey_free(struct survey *s)
{
	survey_clear(s);
	free(s);
}
