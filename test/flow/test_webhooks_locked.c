/* A request of one workspace has a webhook locked for long: outcomes of all others' deliveries are written
 * meanwhile, those of its own afterwards, once. And what the writing itself locks. */
#include <string.h>

#include <libpq-fe.h>

#include "test/lib/await.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/webhook/hooked.h"

/* ROUNDS: the number in progress to one webhook. */
enum { WAIT_MS = 60000, ROUNDS = 4, AHEAD_MS = 200, LOADED_MS = 1500 };

static struct test_user eve; /* of another workspace */
static struct caller other;
static struct receiver *own, *others;
static struct hooked hook, others_hook;

RIG("webhooks_locked", .settings = {"clock_scale=200"}, .neighbour = true);

BEFORE_ALL()
{
	eve = rig_stranger(&rig, "eve");
	caller_init(&other, server->base, eve.key);
	own = receiver_start(&(struct receiver_config){.behaviour = {.mode = RECEIVER_ANSWER}});
	others = receiver_start(&(struct receiver_config){.behaviour = {.mode = RECEIVER_ANSWER}});
	hook = hooked_make(&ada, receiver_url(own, "/"), NULL);
	others_hook = hooked_make(&other, receiver_url(others, "/"), NULL);
}

AFTER_ALL()
{
	caller_free(&other);
	receiver_stop(own);
	receiver_stop(others);
}

/* Starts deliveries that wait for their answers. A row lock taken from then on holds new events back, as any
 * transaction does, but not these outcomes. */
static void begin_deliveries(struct caller *c, struct receiver *r, int status)
{
	int before = receiver_count(r);

	receiver_behave(r, (struct receiver_behaviour){.status = status});
	receiver_hold(r, true);
	for (int i = 0; i < ROUNDS; i++)
		assert_int_equal(caller_send(c, "POST", "/v1/people", NULL, "{\"firstName\": \"L\"}").status, 200);
	assert_true(receiver_wait(r, before + ROUNDS, WAIT_MS));
}

/* Those that the lock holds first, so that what waits for it is on its way before the others. */
static void answer_all(void)
{
	receiver_hold(own, false);
	patience_rest(AHEAD_MS);
	receiver_hold(others, false);
}

static PGconn *hold_lock(const char *text, const struct hooked *h)
{
	const char *values[] = {h->id + strlen("wbk_")};
	PGconn *db = PQconnectdb(rig.program->database_url);
	PGresult *r;

	PQclear(PQexec(db, "begin"));
	r = PQexecParams(db, text, 1, NULL, values, NULL, NULL, 0);
	assert_int_not_equal(PQresultStatus(r), PGRES_FATAL_ERROR);
	PQclear(r);
	return db;
}

static void end_with(PGconn *db, const char *command)
{
	PQclear(PQexec(db, command));
	PQfinish(db);
}

static int64_t count_rows(const struct hooked *h, const char *condition)
{
	return rows_count("deliveries where webhook_id = '%s' and %s", h->id + strlen("wbk_"), condition);
}

static void others_are_written(int64_t delivered)
{
	if (!hooked_until(&rig, delivered, WAIT_MS,
	        "select count(*) from deliveries where webhook_id = '%s' and state = 'delivered'",
	        others_hook.id + strlen("wbk_")))
		fail_msg("another workspace's deliveries are not written: %lld of %lld",
		    (long long)count_rows(&others_hook, "state = 'delivered'"), (long long)delivered);
}

/* None was lost, or sent again after arriving. */
TEST(test_locked)
{
	PGconn *db;

	begin_deliveries(&ada, own, 500);
	begin_deliveries(&other, others, 200);
	db = hold_lock("select from webhooks where id = $1 for update", &hook);
	answer_all();
	others_are_written(ROUNDS);
	assert_int_equal(count_rows(&hook, "true"), 0);
	receiver_behave(own, (struct receiver_behaviour){.status = 200});
	end_with(db, "commit");
	await_rows(ROUNDS,
	    "deliveries where webhook_id = '%s' and state = 'delivered' and json_array_length(attempts) = 2",
	    hook.id + strlen("wbk_"));
	assert_int_equal(receiver_count(own), 2 * ROUNDS);
}

/* Clearing expired secrets is one statement for all webhooks: it skips the locked one. */
TEST(test_former_secrets)
{
	static const char old[] = "update webhooks set former_secret = secret, former_until = now() - interval '1 "
	                          "hour' where id in ('%s', '%s') returning 1";
	PGconn *db;

	rig_int(&rig, old, hook.id + strlen("wbk_"), others_hook.id + strlen("wbk_"));
	db = hold_lock("update webhooks set name = 'held' where id = $1", &hook);
	await_rows(0, "webhooks where former_secret is not null and id = '%s'", others_hook.id + strlen("wbk_"));
	end_with(db, "rollback");
	await_rows(0, "webhooks where former_secret is not null");
}

/* It is deleted by a transaction that takes long to end, while deliveries to it end. */
TEST(test_deleted)
{
	PGconn *db;

	begin_deliveries(&ada, own, 200);
	begin_deliveries(&other, others, 200);
	db = hold_lock("delete from webhooks where id = $1", &hook);
	answer_all();
	others_are_written(2 * ROUNDS);
	end_with(db, "commit");
	begin_deliveries(&other, others, 200);
	answer_all();
	others_are_written(3 * ROUNDS);
	assert_int_equal(count_rows(&hook, "true"), ROUNDS);
}

static bool term_is_free(void)
{
	PGconn *db = PQconnectdb(rig.program->database_url);
	PGresult *r = PQexec(db, "select from dispatcher_term for update nowait");
	bool is_free = PQresultStatus(r) == PGRES_TUPLES_OK;

	PQclear(r);
	PQfinish(db);
	return is_free;
}

/* While outcomes are being written, no other process can begin to send: it would not see them. */
TEST(test_term)
{
	PGconn *db = PQconnectdb(rig.program->database_url);

	begin_deliveries(&other, others, 200);
	PQclear(PQexec(db, "begin; lock table deliveries in share row exclusive mode"));
	assert_int_equal(PQtransactionStatus(db), PQTRANS_INTRANS);
	receiver_hold(others, false);
	await_true(!term_is_free());
	end_with(db, "rollback");
	others_are_written(4 * ROUNDS);
}

static void workspace_set(const char *moving)
{
	rig_int(&rig,
	    "update workspaces set version = version + 1, moving = %s, held_until = now() + interval '1 hour' "
	    "where workspace_id = (select workspace_id from webhooks where id = '%s') returning 1",
	    moving, others_hook.id + strlen("wbk_"));
}

static void others_rest(bool rests)
{
	await_rows(1, "webhooks where id = '%s' and (rests is not null) = %s", others_hook.id + strlen("wbk_"),
	    rests ? "true" : "false");
}

/* A webhook rests as its workspace says, also while its row says otherwise and cannot be written: the row has just been
 * copied from another database, and is being copied again. */
TEST(test_rests)
{
	int before = receiver_count(others);
	PGconn *db;

	receiver_behave(others, (struct receiver_behaviour){.status = 200});
	workspace_set("'draining'");
	rig_int(&rig, "update webhooks set version = version + 1 where id = '%s' returning 1",
	    others_hook.id + strlen("wbk_"));
	others_rest(true);
	assert_int_equal(caller_send(&other, "POST", "/v1/people", NULL, "{\"firstName\": \"R\"}").status, 200);
	db = hold_lock("update webhooks set rests = null where id = $1", &others_hook);
	PQclear(PQexec(db, "commit and chain"));
	PQclear(PQexec(db, TEXT("select from webhooks where id = '%s' for update", others_hook.id + strlen("wbk_"))));
	patience_rest(LOADED_MS); /* a webhook that rests is loaded again every 500 ms */
	assert_int_equal(receiver_count(others), before);
	end_with(db, "commit");
	others_rest(true);
	assert_int_equal(receiver_count(others), before);
	workspace_set("null");
	others_rest(false);
	assert_true(receiver_wait(others, before + 1, WAIT_MS));
}
