/* Notices that the server has fallen silent, where another one may have taken over: there are several in the URL, or
 * its name may lead to another one.
 *
 * A machine that hangs or is cut off breaks no connection, and its kernel may even acknowledge what we send. Deadlines
 * would end the statements in progress one by one, in up to 15 s. So when nothing has arrived on any connection for a
 * second, the server is asked a trivial question. If another second passes without an answer, one connection is closed.
 * Its next attempt finds the server that accepts writes. If the old server was only slow it is found again, because the
 * others are standbys then. Otherwise the new primary is found, and db_connect.c closes all other connections too. */
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_ask.h"
#include "store/db_private.h"

enum { QUIET_MS = 1000, ANSWER_MS = 1000, TICK_LATE_MS = 500 };

struct silence {
	struct db *db;
	int64_t heard_us, asked_us, tick_us;
	bool told; /* of this question */
	struct db_ask ask;
};

struct silence *silence_new(struct db *db)
{
	struct silence *s = mem_zalloc(sizeof *s);

	s->db = db;
	s->heard_us = s->tick_us = clock_mono_us();
	return s;
}

static void silence_answered(struct db_exchange *x)
{
	struct silence *s = x->owner;

	db_ask_end(&s->ask);
}

static void silence_ask(struct silence *s, int64_t now_us)
{
	struct sql *sql;

	s->asked_us = now_us;
	s->told = false;
	db_ask_begin(&s->ask);
	sql_begin_system(sql = db_ask_add(&s->ask), &s->ask.arena, "silence");
	sql_add(sql, "select 1::int8");
	db_ask_send(&s->ask, s->db, DB_POINT, silence_answered, s);
}

/* When no connection is up, or one is connecting, a server is being looked for. */
static void silence_break(struct silence *s)
{
	struct db *db = s->db;
	struct conn *c = s->ask.x.connection;

	if (!db->healthy || !c || c->state != CONN_UP)
		return;
	s->told = true;
	log_warn(
	    "db", "the server has not answered for %d ms; looking for one that accepts writes", QUIET_MS + ANSWER_MS);
	hosts_failed(&db->hosts, c->host, true, "it does not answer");
	conn_lost(c, NULL);
}

void silence_tick(struct db *db, int64_t now_us)
{
	struct silence *s = db->silence;

	if ((db->hosts.n == 1 && !db->hosts.list->by_name) || db->lanes[DB_POINT].n_up == 0)
		return;
	/* While this process did not run, answers may have arrived that are only read after this. */
	if (db->heard || now_us - s->tick_us > TICK_LATE_MS * INT64_C(1000)) {
		s->heard_us = now_us;
		s->asked_us = s->ask.busy ? now_us : s->asked_us;
	}
	db->heard = false;
	s->tick_us = now_us;
	if (!s->ask.busy && now_us - s->heard_us > QUIET_MS * INT64_C(1000))
		silence_ask(s, now_us);
	else if (s->ask.busy && !s->told && now_us - s->asked_us > ANSWER_MS * INT64_C(1000))
		silence_break(s);
}
