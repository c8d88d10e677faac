/* The exchanges of a request with the database: statements, sending, results. */
#include "server/request/transaction.h"

#include "server/request/joint.h"
#include "server/request/replica.h"
#include "server/request/server.h"
#include "store/db_ask.h"

struct req_exchange {
	struct db_ask ask;
	struct req_exchange *older;
};

void exchange_forget_results(struct req_db *db)
{
	for (struct req_exchange *e = db->sent; e; e = e->older)
		db_exchange_clear(&e->ask.x);
}

void exchange_forget_statements(struct req_db *db)
{
	if (db->next)
		db_ask_end(&db->next->ask);
	db->next = NULL;
}

void exchange_free(struct req_db *db)
{
	exchange_forget_statements(db);
	for (struct req_exchange *e = db->sent; e; e = e->older)
		db_ask_end(&e->ask);
	db->sent = NULL;
}

static struct db_ask *exchange_next(struct req *r)
{
	if (!r->db.next) {
		r->db.next = arena_alloc(&r->arena, sizeof *r->db.next);
		db_ask_begin(&r->db.next->ask);
	}
	return &r->db.next->ask;
}

struct sql *exchange_statement(struct req *r, int *index)
{
	struct db_ask *ask = exchange_next(r);
	struct sql *s = db_ask_add(ask);

	if (index)
		*index = ask->n - 1;
	s->arena = &ask->arena;
	return s;
}

struct sql *req_sql(struct req *r, const char *name, int *index)
{
	struct sql *s = exchange_statement(r, index);

	sql_begin(s, s->arena, name, &r->caller.ws->id);
	return s;
}

size_t req_sql_bytes(struct req *r)
{
	const struct db_ask *ask = exchange_next(r);
	size_t bytes = 0;

	for (int i = 0; i < ask->n; i++)
		for (int k = 0; k < ask->statements[i]->n_params; k++)
			bytes += (size_t)ask->statements[i]->params[k].len;
	return bytes;
}

void exchange_command(struct req *r, const char *name, const char *text)
{
	struct sql *s = exchange_statement(r, NULL);

	sql_begin_system(s, s->arena, name);
	sql_add(s, text);
}

static struct sql *exchange_add_statement(void *owner)
{
	return req_sql(owner, NULL, NULL);
}

struct statements req_statements(struct req *r)
{
	/* Unlike in other writes, the best plan depends on how many rows a group or field has. */
	exchange_command(r, "plan_with_values", "set local plan_cache_mode = force_custom_plan");
	r->tx.events.any = true;
	return (struct statements){.arena = &r->arena,
	    .now_ms = req_now_ms(r),
	    .untold = r->given.dry,
	    .add = exchange_add_statement,
	    .owner = r,
	    .actor = req_actor(r)};
}

static void exchange_done(struct db_exchange *x)
{
	struct req *r = x->owner;

	arena_free(&r->db.sent->ask.arena);
	r->db.last = x;
	r->db.us += x->took_us;
	r->db.n_exchanges++;
	r->tx.session = x->session;
	r->db.asked = NULL;
	request_resume(r);
}

static bool client_gone(const struct db_exchange *x)
{
	const struct req *r = x->owner;

	return r->call && http_disconnected(r->call);
}

static void exchange_go(struct req *r, struct db_ask *ask, enum db_lane lane)
{
	db_ask_fill(ask, lane, exchange_done, r);
	if (lane != DB_WRITE || !joint_send(r, &ask->x))
		db_send(r->server->db, &ask->x);
}

enum step exchange_send(struct req *r, enum db_lane lane, bool keep, int deadline_ms)
{
	struct db_exchange *x = &exchange_next(r)->x;

	x->keep = keep;
	x->deadline_ms = deadline_ms;
	x->most_ms = r->db.most_ms;
	x->session = r->tx.session;
	x->given_up = lane == DB_LIST || lane == DB_FEED ? client_gone : NULL;
	r->db.most_ms = 0;
	r->db.asked = x;
	r->waits_for = r->tx.phase == PHASE_COMMIT ? "commit" : "database";
	r->db.next->older = r->db.sent;
	r->db.sent = r->db.next;
	r->db.next = NULL;
	if (lane == DB_LIST && r->server->replica && replica_takes(r))
		replica_send(r, &r->db.sent->ask, exchange_done);
	else
		exchange_go(r, &r->db.sent->ask, lane);
	return WAIT;
}

enum step req_ask(struct req *r, enum db_lane lane)
{
	return exchange_send(r, lane, false, 0);
}
