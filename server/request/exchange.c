/* A request's exchanges with the database: statements, sending, results. */
#include "server/request/transaction.h"

#include <string.h>

#include "server/request/server.h"

struct req_exchange {
	struct db_exchange x;
	struct arena sql; /* its statements, kept in case they are sent again */
	struct req_exchange *older;
};

void exchange_forget_results(struct req *r)
{
	for (struct req_exchange *e = r->exchanges; e; e = e->older)
		db_exchange_clear(&e->x);
}

void exchange_free(struct req *r)
{
	exchange_forget_results(r);
	for (struct req_exchange *e = r->exchanges; e; e = e->older)
		arena_free(&e->sql);
	r->exchanges = NULL;
	arena_free(&r->sql);
}

struct sql *exchange_statement(struct req *r, int *index)
{
	struct sql *s = arena_alloc(&r->sql, sizeof *s);

	if (r->n_statements == r->cap_statements) {
		int cap = r->cap_statements ? 2 * r->cap_statements : 8;
		struct sql **bigger = arena_alloc(&r->sql, (size_t)cap * sizeof *bigger);
		if (r->n_statements)
			memcpy(bigger, r->statements, (size_t)r->n_statements * sizeof *bigger);
		r->statements = bigger;
		r->cap_statements = cap;
	}
	if (index)
		*index = r->n_statements;
	r->statements[r->n_statements++] = s;
	s->arena = &r->sql;
	return s;
}

struct sql *req_sql(struct req *r, const char *name, int *index)
{
	struct sql *s = exchange_statement(r, index);
	sql_begin(s, &r->sql, name, &r->ws->id);
	return s;
}

size_t req_sql_bytes(const struct req *r)
{
	size_t bytes = 0;

	for (int i = 0; i < r->n_statements; i++)
		for (int k = 0; k < r->statements[i]->n_params; k++)
			bytes += (size_t)r->statements[i]->params[k].len;
	return bytes;
}

void exchange_command(struct req *r, const char *name, const char *text)
{
	struct sql *s = exchange_statement(r, NULL);
	sql_begin_system(s, &r->sql, name);
	sql_add(s, text);
}

static struct sql *exchange_add_statement(void *owner)
{
	return req_sql(owner, NULL, NULL);
}

struct statements req_statements(struct req *r)
{
	/* Unlike other writes: the best plan depends on how many rows a group or field has. */
	exchange_command(r, "plan_with_values", "set local plan_cache_mode = force_custom_plan");
	r->events.any = true;
	return (struct statements){
	    .arena = &r->arena, .now_ms = req_now_ms(r), .add = exchange_add_statement, .owner = r};
}

static void exchange_done(struct db_exchange *x)
{
	struct req_exchange *e = (struct req_exchange *)(void *)x; /* its first member */
	struct req *r = x->owner;

	arena_free(&e->sql);
	r->x = x;
	r->database_us += x->took_us;
	r->n_exchanges++;
	r->session = x->session;
	request_resume(r);
}

static bool client_gone(const struct db_exchange *x)
{
	const struct req *r = x->owner;

	return r->call && http_disconnected(r->call);
}

enum step exchange_send(struct req *r, enum db_lane lane, bool keep, int deadline_ms)
{
	struct req_exchange *e = arena_alloc(&r->arena, sizeof *e);

	e->older = r->exchanges;
	r->exchanges = e;
	e->x.lane = lane;
	e->x.keep = keep;
	e->x.deadline_ms = deadline_ms;
	e->x.most_ms = r->most_ms;
	e->x.session = r->session;
	e->x.statements = r->statements;
	e->x.n_statements = r->n_statements;
	e->sql = r->sql;
	arena_init(&r->sql);
	e->x.given_up = lane == DB_LIST || lane == DB_FEED ? client_gone : NULL;
	e->x.done = exchange_done;
	e->x.owner = r;
	r->statements = NULL;
	r->n_statements = r->cap_statements = r->most_ms = 0;
	db_send(r->server->db, &e->x);
	return WAIT;
}

enum step req_ask(struct req *r, enum db_lane lane)
{
	return exchange_send(r, lane, false, 0);
}
