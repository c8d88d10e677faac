/* Joint transactions; see joint.h. A transaction is forming until its opening is sent, then it continues in rounds:
 * when every member has asked for something, their statements are sent as one exchange, and each gets its own results.
 * COMMIT is sent in the round in which all members ask for their end. */
#include "server/request/joint.h"

#include <stdlib.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/loop.h"
#include "server/input/body.h"
#include "server/request/joint_round.h"
#include "server/request/locks.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/transaction.h"

enum {
	MEMBERS_MAX = 32,
	MEMBER_BYTES = 16 << 10, /* of a request */
	RUNNING_MAX = 2,    /* joint transactions of a workspace at a time; more writes wait and form the next one */
	FORMING_MS = 100,   /* the longest wait for those that run */
	WAITING_MAX = 1024, /* members of all that wait for a connection; further writes wait for one of their own */
	LARGE_BYTES = 64 << 10, /* of what a member has loaded */
	HELD_MEMBERS = 8,       /* in tests that force joint transactions: */
	HELD_MS = 500,          /* the wait for this many members */
};

struct joint {
	struct list link; /* of server->joints */
	struct server *server;
	struct uuid workspace;
	struct list parts; /* in the order of their records' locks once the opening is sent */
	int n_parts;
	int n_opened; /* members when the opening was sent */
	int64_t since_us;
	bool begun;    /* the opening was sent */
	bool counted;  /* its outcome */
	bool given_up; /* rolled back: the members run again */

	struct db_session *session;
	bool sent; /* the round is running */
	struct joint_round round;
};

/* --- members ----------------------------------------------------------------------------------- */

static bool joint_changes(struct joint *j, int64_t record)
{
	list_each(r, &j->parts, struct req, tx.joint.link)
		if (record && r->tx.joint.record == record)
			return true;
	return false;
}

static bool joint_has_connection(const struct joint *j)
{
	return j->begun && !(j->sent && db_exchange_waits(&j->round.x));
}

bool joint_is_running(const struct req *r)
{
	return r->tx.joint.of && joint_has_connection(r->tx.joint.of);
}

/* A company of this name may exist, and is changed then. Which record that is, only its look-up tells. */
static bool may_change_company(const struct req *r)
{
	return r->route->resource->id_kind == ID_COMPANY && r->route->input == INPUT_CREATE &&
	       r->given.input->given & FIELD_BIT(COMPANY_GROUPS);
}

/* The writes of other kinds are exclusive, are batches, or lock more after they have read a record. */
static bool kind_may_join(const struct route *route)
{
	switch (route->resource ? route->resource->id_kind : ID_KINDS) {
	case ID_PERSON:
	case ID_COMPANY:
	case ID_OBJECT:
	case ID_NOTE:
	case ID_TASK:
	case ID_INTERACTION:
		return true;
	default:
		return false;
	}
}

/* True if the write, whose transaction is being opened, may be a member. */
static bool joint_may(const struct req *r)
{
	return r->tx.opening && !r->tx.joint.alone && !r->tx.exclusive && !r->tx.config && !r->tx.number_later &&
	       !r->given.dry && !r->given.batch && !(r->carrier && r->carrier->beside) && !r->server->closing &&
	       r->bytes_in <= MEMBER_BYTES && kind_may_join(r->route) && !may_change_company(r);
}

/* The forming transaction that the request joins. NULL: none, for example because another one changes its record. Then
 * it waits for that by itself. */
static struct joint *joint_for(struct req *r)
{
	struct server *s = r->server;
	int waiting = 0;
	struct joint *j;

	list_each(old, &s->joints, struct joint, link) {
		bool own = uuid_equal(&old->workspace, &r->caller.ws->id);
		if (own && joint_changes(old, r->tx.joint.record))
			return NULL;
		waiting += joint_has_connection(old) ? 0 : old->n_parts;
		if (own && !old->begun && old->n_parts < MEMBERS_MAX &&
		    (old->round.trace != NULL) == (r->trace[0] != '\0'))
			return old;
	}
	if (waiting >= WAITING_MAX)
		return NULL;
	j = mem_zalloc(sizeof *j);
	j->server = s;
	j->workspace = r->caller.ws->id;
	j->round.trace = r->trace[0] ? transaction_trace_statement : NULL;
	j->since_us = clock_mono_us();
	list_init(&j->parts);
	list_append(&s->joints, &j->link);
	return j;
}

/* In the order of their records' locks, so that joint transactions do not wait for each other in a circle. */
static void joint_add(struct joint *j, struct req *r)
{
	struct list *before = j->parts.next;

	while (before != &j->parts && joint_member(before)->tx.joint.record <= r->tx.joint.record)
		before = before->next;
	list_append(before, &r->tx.joint.link);
	j->n_parts++;
	r->tx.joint.of = j;
	r->tx.joint.changed = r->tx.joint.apart = false;
}

static void joint_remove(struct req *r)
{
	list_remove(&r->tx.joint.link);
	r->tx.joint.of->n_parts--;
	r->tx.joint.of = NULL;
}

/* Which record a missing one was merged into: no other member changes that. */
static bool exchange_only_looks(const struct db_exchange *x)
{
	return x->n_statements == 1 && x->statements[0]->name && strcmp(x->statements[0]->name, "merged_into") == 0;
}

bool joint_send(struct req *r, struct db_exchange *x)
{
	struct joint *j = r->tx.joint.of;

	if (!j) {
		const struct uuid *record;
		if (!x->keep || !joint_may(r))
			return false;
		record = transaction_record(r);
		r->tx.joint.record = record ? lock_record_number(&r->caller.ws->id, record) : 0;
		j = joint_for(r);
		if (!j)
			return false;
		joint_add(j, r);
	} else {
		r->tx.joint.changed |= !r->tx.joint.apart && !exchange_only_looks(x);
	}
	r->tx.joint.asked = x;
	x->sent_us = clock_mono_us();
	return true;
}

bool joint_doubts(struct req *r)
{
	if (!r->tx.joint.of || !r->tx.joint.changed)
		return false;
	r->tx.joint.of->given_up = true;
	return true;
}

bool joint_apart(struct req *r)
{
	r->tx.joint.apart = r->tx.joint.of != NULL;
	return r->tx.joint.apart;
}

void joint_leave(struct req *r)
{
	struct joint *j = r->tx.joint.of;

	j->given_up |= r->tx.joint.changed;
	joint_remove(r);
}

bool joint_again(struct req *r)
{
	bool again = r->tx.joint.again;

	r->tx.joint.again = false;
	return again;
}

/* --- the end of an exchange ------------------------------------------------------------------- */

static void joint_count(struct joint *j, enum joint_outcome outcome)
{
	struct joint_counts *counts = &j->server->joint_counts;

	if (j->counted)
		return;
	j->counted = true;
	counts->transactions[outcome]++;
	counts->members += (uint64_t)j->n_opened;
}

static bool joint_commits(const struct joint *j)
{
	if (!j->round.ending)
		return false;
	list_each(r, &j->parts, struct req, tx.joint.link)
		if (!r->tx.joint.apart && !joint_part_rolls_back(&r->tx.joint))
			return true;
	return false;
}

/* The others must not wait while a large record is changed and written. Its member keeps the locks that it has until
 * they have ended. */
static void joint_find_large(struct joint *j)
{
	list_each(r, &j->parts, struct req, tx.joint.link) {
		struct joint_part *p = &r->tx.joint;
		if (p->changed || p->apart || !p->asked || db_exchange_bytes(p->asked) <= LARGE_BYTES)
			continue;
		p->apart = true;
		db_exchange_clear(p->asked);
	}
}

static bool joint_has_others(const struct joint *j)
{
	list_each(r, &j->parts, struct req, tx.joint.link)
		if (!r->tx.joint.apart)
			return true;
	return false;
}

static void part_tell(struct req *r, enum db_status status, struct db_session *session)
{
	struct db_exchange *x = r->tx.joint.asked;

	r->tx.joint.asked = NULL;
	if (!session && r->tx.joint.of)
		joint_remove(r);
	x->status = status;
	x->session = session;
	x->took_us = clock_mono_us() - x->sent_us;
	x->done(x);
}

static void part_run_again(struct req *r)
{
	r->tx.joint.again = r->tx.joint.alone = true;
	part_tell(r, DB_FAILED, NULL);
}

/* May be called more than once, also after joint_roll_back(). Members that do not wait are told when they ask next. */
static void joint_give_up(struct joint *j)
{
	struct list waiting;

	j->given_up = true;
	joint_count(j, JOINT_SPLIT);
	if (j->session)
		db_session_abandon(j->server->db, j->session);
	j->session = NULL;
	list_init(&waiting);
	list_each(r, &j->parts, struct req, tx.joint.link)
		if (r->tx.joint.asked)
			list_move(&waiting, &r->tx.joint.link);
	while (!list_empty(&waiting))
		part_run_again(joint_member(waiting.next));
}

/* An exclusive change has the lock of the workspace for longer than a write waits for it. */
static bool joint_waits_too_long(const struct db_exchange *x)
{
	const char *name = x->status == DB_FAILED && x->failed >= 0 ? x->statements[x->failed]->name : NULL;

	return name && strcmp(name, "open") == 0 && strcmp(x->sqlstate, "57014") == 0;
}

/* Each has waited for it, so none of them waits a second time. */
static void joint_fail(struct joint *j)
{
	while (j->n_parts > 0) {
		struct req *r = joint_member(j->parts.next);
		memcpy(r->tx.joint.asked->sqlstate, j->round.x.sqlstate, sizeof j->round.x.sqlstate);
		part_tell(r, DB_FAILED, NULL);
	}
}

static void joint_done(struct db_exchange *x)
{
	struct joint *j = x->owner;
	enum db_status status = x->status;
	struct list told;

	j->sent = false;
	j->session = x->session;
	if (status == DB_OK && !j->given_up)
		joint_round_results(&j->round);
	db_exchange_clear(x);
	if (joint_waits_too_long(x)) {
		joint_fail(j);
		return;
	}
	if (status == DB_FAILED || j->given_up) {
		joint_give_up(j);
		return;
	}
	if (status == DB_LOST && !j->round.ending)
		status = DB_UNAVAILABLE; /* it had no COMMIT */
	if (j->session)
		joint_find_large(j);
	if ((status == DB_OK || status == DB_LOST) && joint_commits(j))
		joint_count(j, status == DB_OK ? JOINT_COMMITTED : JOINT_LOST);
	list_init(&told);
	list_each(r, &j->parts, struct req, tx.joint.link)
		if (joint_round_includes(&j->round, r) || !j->session)
			list_move(&told, &r->tx.joint.link);
	while (!list_empty(&told)) {
		struct req *r = joint_member(told.next);
		/* What is rolled back has no effect, also when the others are lost. */
		enum db_status own = status == DB_LOST && joint_part_rolls_back(&r->tx.joint) ? DB_OK : status;
		list_move(&j->parts, &r->tx.joint.link);
		r->tx.joint.asked->n_retries = x->n_retries;
		if (r->tx.joint.apart && status == DB_OK)
			part_run_again(r);
		else
			part_tell(r, r->tx.joint.apart ? DB_UNAVAILABLE : own, j->session);
	}
}

/* --- rounds --------------------------------------------------------------------------------------- */

static void joint_go(struct joint *j)
{
	j->round.x.done = joint_done;
	j->round.x.owner = j;
	j->sent = true;
	db_send(j->server->db, &j->round.x);
}

static void joint_send_round(struct joint *j)
{
	j->round.ending = j->begun;
	list_each(r, &j->parts, struct req, tx.joint.link)
		j->round.ending &= r->tx.joint.apart || !r->tx.joint.asked->keep;
	if (!j->begun)
		j->n_opened = j->n_parts;
	j->begun = true;
	joint_round_fill(&j->round, &j->parts, j->session);
	j->round.x.keep = !j->round.ending;
	joint_go(j);
	if (j->round.ending)
		FAULT_POINT(joint_ending);
	else
		FAULT_POINT(joint_opening);
}

/* Members that run again on other connections need the locks of their keys and records: first they are released. */
static void joint_roll_back(struct joint *j)
{
	joint_round_begin(&j->round, j->session, 1);
	joint_round_add(&j->round, "rollback", "rollback");
	joint_go(j);
}

static bool joint_all_ask(const struct joint *j)
{
	list_each(r, &j->parts, struct req, tx.joint.link)
		if (!r->tx.joint.asked)
			return false;
	return true;
}

/* A single member is an ordinary write. */
static void joint_dissolve(struct joint *j)
{
	struct req *r = joint_member(j->parts.next);
	struct db_exchange *x = r->tx.joint.asked;

	r->tx.joint.asked = NULL;
	joint_remove(r);
	db_send(j->server->db, x);
}

static void joint_wake(void *ctx)
{
	(void)ctx; /* the turn's end looks again */
}

/* True while a forming transaction waits: for one of the workspace that runs, or in a test for more members. Also when
 * nothing else happens the database has a turn of the loop every 50 ms, and with it joint_flush(). */
static bool joint_waits(struct joint *j)
{
	int running = 0;

	list_each(other, &j->server->joints, struct joint, link)
		running += other->begun && uuid_equal(&other->workspace, &j->workspace);
	if (running >= RUNNING_MAX && clock_mono_us() - j->since_us < FORMING_MS * INT64_C(1000))
		return true;
	if (!FAULT_ERROR(joint_hold) || j->n_parts >= HELD_MEMBERS ||
	    clock_mono_us() - j->since_us > HELD_MS * INT64_C(1000))
		return false;
	loop_after(j->server->loop, HELD_MS / 4, joint_wake, NULL);
	return true;
}

static void joint_free(struct joint *j)
{
	if (j->session)
		db_session_abandon(j->server->db, j->session);
	list_remove(&j->link);
	arena_free(&j->round.arena);
	free(j);
}

void joint_flush(struct server *s)
{
	list_each(j, &s->joints, struct joint, link) {
		if (j->sent)
			continue;
		j->given_up |= j->n_parts > 0 && !joint_has_others(j);
		if (j->given_up && j->session && j->n_parts > 0)
			joint_roll_back(j);
		else if (j->given_up)
			joint_give_up(j);
		else if (!j->begun && j->n_parts > 0 && joint_waits(j))
			continue;
		else if (!j->begun && j->n_parts == 1 && !FAULT_ERROR(joint_always))
			joint_dissolve(j);
		else if (j->n_parts > 0 && joint_all_ask(j))
			joint_send_round(j);
		if (j->n_parts == 0 && !j->sent)
			joint_free(j);
	}
}

void joint_stop(struct server *s)
{
	while (!list_empty(&s->joints)) {
		struct joint *j = list_item(s->joints.next, struct joint, link);
		j->session = NULL;
		while (j->n_parts > 0)
			part_tell(joint_member(j->parts.next), DB_UNAVAILABLE, NULL);
		joint_free(j);
	}
}
