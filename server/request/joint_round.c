/* The statements of a joint transaction's round; see joint_round.h. Some statements of all members become one: those
 * that serve everybody (joint_statements), and those that have a text for several at once (sql_all()). */
#include "server/request/joint_round.h"

#include <string.h>

#include "server/request/joint.h"
#include "server/request/locks.h"

enum {
	LOCK_MS = 100, /* the longest wait for a lock */
	ALIKE_MAX = 4  /* texts for several at once; further ones are sent one by one */
};

/* Where the result of a statement goes. */
struct joint_place {
	struct db_exchange *to;
	int index, from;
	int row;     /* -1: all rows */
	bool shared; /* others have the result, too */
};

/* Statements of one text, which become the one at this position. */
struct alike {
	const struct sql **each;
	size_t n;
	int at;
};

struct joint_filling {
	struct joint_round *round;
	size_t n_members;
	struct alike alike[ALIKE_MAX];
	int n_alike;
};

struct req *joint_member(struct list *node)
{
	return list_item(node, struct req, tx.joint.link);
}

/* --- the order of statements -------------------------------------------------------------- */

/* All locks come first, as a transaction must have no number while it waits for them (transaction_open.c). */
enum joint_order { ORDER_BEGIN, ORDER_LOCK, ORDER_OWN, ORDER_VERSION, ORDER_END, JOINT_ORDERS };

static const struct joint_statement {
	const char *name;
	enum joint_order order;
	bool once; /* one member's statement serves all */
} joint_statements[] = {
    {"begin", ORDER_BEGIN, true},
    {"open", ORDER_BEGIN, true},
    {"open_record", ORDER_LOCK, false},
    {"version", ORDER_VERSION, true},
    {"version_number", ORDER_VERSION, true},
    {"commit", ORDER_END, true},
    {"rollback", ORDER_END, true},
};

static const struct joint_statement *joint_statement_of(const struct sql *s)
{
	static const struct joint_statement own = {NULL, ORDER_OWN, false};

	for (size_t i = 0; s->name && i < sizeof joint_statements / sizeof *joint_statements; i++)
		if (strcmp(joint_statements[i].name, s->name) == 0)
			return &joint_statements[i];
	return &own;
}

bool joint_part_rolls_back(const struct joint_part *p)
{
	return !p->asked->keep && strcmp(p->asked->statements[p->asked->n_statements - 1]->name, "rollback") == 0;
}

bool joint_round_includes(const struct joint_round *round, const struct req *r)
{
	return r->tx.joint.asked && !r->tx.joint.apart && (round->ending || r->tx.joint.asked->keep);
}

/* --- filling ---------------------------------------------------------------------------------- */

void joint_round_begin(struct joint_round *round, struct db_session *session, size_t n_statements)
{
	arena_free(&round->arena);
	round->n_places = 0;
	round->x = (struct db_exchange){.lane = DB_WRITE, .session = session};
	round->x.statements = arena_alloc(&round->arena, n_statements * sizeof *round->x.statements);
}

static void round_put(struct joint_round *round, struct sql *s)
{
	round->x.statements[round->x.n_statements++] = s;
}

void joint_round_add(struct joint_round *round, const char *name, const char *text)
{
	struct sql *s = arena_alloc(&round->arena, sizeof *s);

	sql_begin_system(s, &round->arena, name);
	sql_add(s, text);
	round_put(round, s);
}

/* The position of a statement of this name; -1: none. */
static int round_find(const struct joint_round *round, const char *name)
{
	for (int i = 0; i < round->x.n_statements; i++)
		if (round->x.statements[i]->name && strcmp(round->x.statements[i]->name, name) == 0)
			return i;
	return -1;
}

static struct alike *filling_alike(struct joint_filling *f, struct sql *s)
{
	struct alike *a;

	for (int i = 0; i < f->n_alike; i++)
		if (strcmp(f->alike[i].each[0]->name, s->name) == 0)
			return &f->alike[i];
	if (!s->for_all || f->n_alike == ALIKE_MAX)
		return NULL;
	a = &f->alike[f->n_alike++];
	a->each = arena_alloc(&f->round->arena, f->n_members * sizeof *a->each);
	a->at = f->round->x.n_statements;
	round_put(f->round, s);
	return a;
}

static void filling_put(struct joint_filling *f, struct db_exchange *x, int index)
{
	struct joint_round *round = f->round;
	struct sql *s = x->statements[index];
	struct joint_place *p = &round->places[round->n_places++];
	int from = joint_statement_of(s)->once ? round_find(round, s->name) : -1;
	struct alike *a = s->for_all ? filling_alike(f, s) : NULL;

	*p = (struct joint_place){.to = x, .index = index, .from = from, .row = -1, .shared = from >= 0};
	if (a) {
		p->from = a->at;
		p->row = (int)a->n;
		a->each[a->n++] = s;
	} else if (from < 0) {
		p->from = round->x.n_statements;
		round_put(round, s);
	}
}

/* A text that only one member has stays as it is. */
static void filling_end(struct joint_filling *f)
{
	struct joint_round *round = f->round;

	for (int i = 0; i < f->n_alike; i++)
		if (f->alike[i].n > 1)
			round->x.statements[f->alike[i].at] = sql_all(&round->arena, f->alike[i].each, f->alike[i].n);
	for (int i = 0; i < round->n_places; i++) {
		struct joint_place *p = &round->places[i];
		for (int k = 0; k < f->n_alike && p->row >= 0; k++)
			if (f->alike[k].at == p->from && f->alike[k].n == 1)
				p->row = -1;
		p->shared |= p->row >= 0;
	}
}

static void filling_put_order(struct joint_filling *f, struct req *r, enum joint_order order)
{
	struct joint_round *round = f->round;
	struct db_exchange *x = r->tx.joint.asked;

	if (round->trace && r->tx.joint.changed && order == ORDER_OWN)
		round_put(round, round->trace(r, &round->arena));
	for (int i = 0; i < x->n_statements; i++)
		if (joint_statement_of(x->statements[i])->order == order)
			filling_put(f, x, i);
	if (round->x.deadline_ms < x->deadline_ms)
		round->x.deadline_ms = x->deadline_ms;
}

/* COMMIT if one of them commits. */
static void filling_put_end(struct joint_filling *f, struct list *parts)
{
	struct joint_part *last = NULL;

	list_each(r, parts, struct req, tx.joint.link)
		if (!r->tx.joint.apart && (!last || joint_part_rolls_back(last)))
			last = &r->tx.joint;
	round_put(f->round, last->asked->statements[last->asked->n_statements - 1]);
}

/* Updates open with the locks of workspace and record in one statement. Exclusive changes of the workspace may take
 * longer than LOCK_MS, and members wait for them as other writes do. */
static void round_put_open(struct joint_round *round, const struct uuid *workspace)
{
	struct sql *s = arena_alloc(&round->arena, sizeof *s);

	if (round_find(round, "open") >= 0)
		return;
	sql_begin_system(s, &round->arena, "open");
	sql_add_int8(s, "select pg_advisory_xact_lock_shared(", lock_workspace_number(workspace));
	sql_add(s, ")");
	round_put(round, s);
}

/* Nobody's lock holds up members that do not need it, and circles of joint transactions end soon: after LOCK_MS the
 * statement fails, and all run again by themselves. */
static void round_put_lock_time(struct joint_round *round)
{
	joint_round_add(round, "joint_lock_time",
	    arena_printf(&round->arena, "select set_config('lock_timeout', '%d', true)", LOCK_MS));
}

void joint_round_fill(struct joint_round *round, struct list *parts, struct db_session *session)
{
	struct joint_filling f = {.round = round};
	size_t n = 0;

	list_each(r, parts, struct req, tx.joint.link) {
		if (!joint_round_includes(round, r))
			continue;
		n += 1 + (size_t)r->tx.joint.asked->n_statements;
		f.n_members++;
	}
	joint_round_begin(round, session, n + 3);
	round->places = arena_alloc(&round->arena, n * sizeof *round->places);
	for (int order = 0; order < ORDER_END; order++) {
		if (order == ORDER_LOCK && !session) {
			round_put_open(round, &joint_member(parts->next)->caller.ws->id);
			round_put_lock_time(round);
		}
		list_each(r, parts, struct req, tx.joint.link)
			if (joint_round_includes(round, r))
				filling_put_order(&f, r, (enum joint_order)order);
	}
	if (round->ending)
		filling_put_end(&f, parts);
	filling_end(&f);
}

/* --- results ------------------------------------------------------------------------------------ */

void joint_round_results(struct joint_round *round)
{
	struct db_result **results = round->x.results;

	for (int i = 0; i < round->n_places; i++) {
		struct joint_place *p = &round->places[i];
		if (!p->to->results)
			p->to->results = mem_zalloc((size_t)p->to->n_statements * sizeof *p->to->results);
		p->to->results[p->index] = p->shared ? db_result_copy(results[p->from], p->row) : results[p->from];
	}
	for (int i = 0; i < round->n_places; i++)
		if (!round->places[i].shared)
			results[round->places[i].from] = NULL;
}
