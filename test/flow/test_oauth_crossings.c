/* OAuth: exchanges at the same time in two processes, a process that ends in between, what a new connection ends, and
 * what a connection leaves. */
#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/await.h"
#include "test/lib/db/database.h"
#include "test/lib/flow.h"
#include "test/lib/http/oauth_walk.h"
#include "test/lib/kith.h"
#include "test/lib/rows.h"

enum { CLIENTS = 8, ROUNDS = 10 };

RIG("oauth_crossings", .servers = 2, .faults = true);

static struct oauth_walk app;
static const char *ada_session;

BEFORE_ALL()
{
	ada_session = rig_session(&rig, rig.ada.id);
}

BEFORE_EACH()
{
	oauth_walk_init(&app, &rig.arena, servers[0]->base);
	app.session = ada_session;
	rows_change("update oauth_clients set address_hash = sha256(convert_to(client_id, 'UTF8'))");
}

struct same_form {
	const char *target, *form;
	const char *access[CLIENTS];
	struct arena arena[CLIENTS];
	atomic_int good, bad;
};

static void crowd_send(void *ctx, int i)
{
	struct same_form *crowd = ctx;
	struct oauth_walk w;

	oauth_walk_init(&w, &crowd->arena[i], servers[i % 2]->base);
	if (oauth_post(&w, "/oauth/token", crowd->form) == 200) {
		crowd->access[i] = oauth_member(&w, "access_token");
		crowd->good++;
	} else {
		crowd->bad++;
	}
}

static void crowd_run(struct same_form *crowd)
{
	for (int i = 0; i < CLIENTS; i++)
		arena_init(&crowd->arena[i]);
	caller_crowd_run(CLIENTS, crowd_send, crowd);
}

static void crowd_free(struct same_form *crowd)
{
	for (int i = 0; i < CLIENTS; i++)
		arena_free(&crowd->arena[i]);
}

/* The others come too late or overlap; either way nobody holds a second pair of tokens that works. */
TEST(the_same_refresh_token_at_once_gives_one_pair)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct same_form crowd = {0};
		const char *access = NULL;
		oauth_walk_init(&app, &rig.arena, servers[0]->base);
		app.session = ada_session;
		oauth_walk_connect(&app);
		crowd.form = TEXT("client_id=%s&grant_type=refresh_token&refresh_token=%s", app.id, app.refresh);
		crowd_run(&crowd);
		assert_true(crowd.good >= 1);
		for (int i = 0; i < CLIENTS; i++) {
			if (!crowd.access[i])
				continue;
			if (access)
				assert_string_equal(access, crowd.access[i]);
			access = crowd.access[i];
		}
		crowd_free(&crowd);
		rows_change("update oauth_clients set address_hash = sha256(convert_to(client_id, 'UTF8'))");
	}
}

TEST(the_same_code_at_once_is_used_once)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct same_form crowd = {0};
		oauth_walk_init(&app, &rig.arena, servers[0]->base);
		app.session = ada_session;
		oauth_walk_register(&app, "none");
		oauth_walk_consent(&app);
		crowd.form = TEXT("client_id=%s&grant_type=authorization_code&code_verifier=" OAUTH_VERIFIER "&code=%s",
		    app.id, app.code);
		crowd_run(&crowd);
		assert_true(crowd.good <= 1);
		if (crowd.good) {
			for (int i = 0; i < CLIENTS; i++)
				app.access = crowd.access[i] ? TEXT("%s", crowd.access[i]) : app.access;
			assert_int_equal(
			    oauth_call(&app, "POST", "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
			    401);
		}
		crowd_free(&crowd);
		rows_change("update oauth_clients set address_hash = sha256(convert_to(client_id, 'UTF8'))");
	}
}

struct slow {
	struct arena arena;
	struct oauth_walk walk;
	const char *token;
	int status;
};

/* A second sender of app, with its refresh token, at the first server. */
static void slow_init(struct slow *slow)
{
	arena_init(&slow->arena);
	oauth_walk_init(&slow->walk, &slow->arena, servers[0]->base);
	slow->walk.id = app.id;
	slow->token = app.refresh;
}

static void *slow_send(void *ctx)
{
	struct slow *slow = ctx;

	slow->status = oauth_walk_refresh(&slow->walk, slow->token);
	return NULL;
}

/* The second request comes while the first one has replaced the token and stands still. */
TEST(requests_that_overlap_get_the_same_pair)
{
	struct slow slow = {0};
	pthread_t thread;

	oauth_walk_connect(&app);
	slow_init(&slow);
	rig_write(rig.orders, "oauth_replaced 1 sleep=1500\n");
	assert_int_equal(pthread_create(&thread, NULL, slow_send, &slow), 0);
	await_rows(1, "oauth_grants where %s and previous_hash is not null and settled_at is null", rig.own);
	app.base = servers[1]->base;
	assert_int_equal(oauth_walk_refresh(&app, slow.token), 200);
	assert_int_equal(pthread_join(thread, NULL), 0);
	rig_write(rig.orders, "");
	assert_int_equal(slow.status, 200);
	assert_string_equal(slow.walk.access, app.access);
	assert_string_equal(slow.walk.refresh, app.refresh);
	arena_free(&slow.arena);
	oauth_walk_works(&app);
	assert_int_equal(oauth_walk_refresh(&app, app.refresh), 200);
	oauth_walk_works(&app);
}

/* --- what ends while something is under way ------------------------------------------------------ */

static void *wait_for_events(void *ctx)
{
	struct slow *slow = ctx;

	slow->status = oauth_call(&slow->walk, "GET", slow->token, NULL);
	return NULL;
}

/* The revocation has the key's row first. A client that refreshes meanwhile gets no tokens, because they would not be
 * valid. */
TEST(a_refresh_that_waits_for_a_revocation_gets_no_tokens)
{
	PGconn *pg = PQconnectdb(rig.program->database_url);
	struct slow slow = {0};
	pthread_t thread;

	oauth_walk_connect(&app);
	slow_init(&slow);
	database_execute(
	    pg, TEXT("begin; update api_keys set revoked_at = now() where %s and kind = 'grant' and revoked_at is null",
	            rig.own));
	assert_int_equal(pthread_create(&thread, NULL, slow_send, &slow), 0);
	await_rows(1, "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like "
	              "'%%update api_keys k set key_hash%%'");
	database_execute(pg, "commit");
	assert_int_equal(pthread_join(thread, NULL), 0);
	PQfinish(pg);
	assert_int_equal(slow.status, 400);
	assert_string_equal(oauth_member(&slow.walk, "error"), "invalid_grant");
	arena_free(&slow.arena);
}

static void *allow_everything(void *ctx)
{
	struct slow *slow = ctx;

	slow->status = oauth_walk_decide(&slow->walk, slow->token, "decision=allow&may_read=1");
	return NULL;
}

/* A session of a key that only reads. The key has that many grants. Returns the id of the key. */
static const char *session_of_a_key(int grants)
{
	const char *id;

	app.session = rig_session(&rig, rig.ada.id);
	api_key_create(rig.program, &rig.arena, rig.ada.id, false, &id);
	id += strlen("key_");
	rows_change("update api_keys set parent_id = '%s', scopes = '{read}' where %s and key_hash = sha256('%s')", id,
	    rig.own, app.session);
	rows_change("insert into api_keys (key_hash, workspace_id, id, user_id, kind, name, last4, parent_id) select "
	            "sha256(('%s' || n)::bytea), workspace_id, gen_random_uuid(), id, 'grant', 'many', '', '%s' from "
	            "users, generate_series(1, %d) n where %s and id = '%s'",
	    id, id, grants, rig.own, rig.ada.id + strlen("usr_"));
	return id;
}

/* As a new password does it: the user is locked, then the sessions end. Nothing is ended for a grant that is not made.
 */
TEST(a_session_that_ends_while_the_consent_waits_connects_nothing)
{
	PGconn *pg = PQconnectdb(rig.program->database_url);
	struct slow slow = {0};
	pthread_t thread;
	const char *id;

	oauth_walk_register(&app, "none");
	slow_init(&slow);
	id = session_of_a_key(100);
	slow.walk.session = app.session;
	slow.token = oauth_walk_path(&app, "");
	database_execute(pg,
	    TEXT("begin; select from users where %s and id = '%s' for update", rig.own, rig.ada.id + strlen("usr_")));
	assert_int_equal(pthread_create(&thread, NULL, allow_everything, &slow), 0);
	await_rows(1, "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like "
	              "'%%with made as (insert into api_keys%%'");
	database_execute(pg, TEXT("update api_keys set revoked_at = now() where %s and key_hash = sha256('%s'); commit",
	                         rig.own, slow.walk.session));
	assert_int_equal(pthread_join(thread, NULL), 0);
	PQfinish(pg);
	assert_rows(0, "oauth_grants where %s and client_id = '%s'", rig.own, app.id);
	assert_rows(
	    100, "api_keys where %s and parent_id = '%s' and name = 'many' and revoked_at is null", rig.own, id);
	assert_null(strstr(oauth_header(&slow.walk, "Location"), "code="));
	arena_free(&slow.arena);
}

/* The grant is ended in the other process, which also tells the one that waits. */
TEST(what_waits_for_events_ends_with_the_grant)
{
	struct slow slow = {0};
	pthread_t thread;
	int64_t began_us;

	app.resource = servers[0]->base;
	oauth_walk_connect(&app);
	arena_init(&slow.arena);
	oauth_walk_init(&slow.walk, &slow.arena, servers[0]->base);
	slow.walk.access = app.access;
	assert_int_equal(oauth_call(&app, "GET", "/v1/events", NULL), 200);
	slow.token = TEXT("/v1/events?wait=25&after=%s", json_text(json_member(app.json, "data"), "cursor"));
	assert_int_equal(pthread_create(&thread, NULL, wait_for_events, &slow), 0);
	await_rows(
	    1, "api_keys where %s and key_hash = sha256('%s') and last_used_at is not null", rig.own, app.access);
	began_us = clock_mono_us();
	caller_turn(&ada, servers[1]->base);
	assert_int_equal(
	    SEND("DELETE", NULL, "/v1/grants/gnt_%s",
	        rows_text("select id from api_keys where %s and key_hash = sha256('%s')", rig.own, app.access))
	        .status,
	    200);
	caller_turn(&ada, servers[0]->base);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(slow.status, 401);
	assert_true(clock_mono_us() - began_us < 20 * INT64_C(1000000)); /* the wait itself would end after 25 s */
	arena_free(&slow.arena);
}

TEST(a_workspace_that_has_moved_away_gives_no_tokens)
{
	oauth_walk_connect(&app);
	rows_change("update workspaces set moving = 'moved', version = version + 1 where %s", rig.own);
	assert_int_equal(oauth_walk_refresh(&app, app.refresh), 400);
	assert_non_null(strstr(oauth_member(&app, "error_description"), "on another server now"));
	rows_change("update workspaces set moving = null, version = version + 1 where %s", rig.own);
	assert_int_equal(oauth_walk_refresh(&app, app.refresh), 200);
}

/* The token was replaced, but no answer was ever sent: the client may ask again. */
TEST(a_crash_before_the_answer_loses_no_connection)
{
	const char *first;

	oauth_walk_connect(&app);
	first = app.refresh;
	rig_write(rig.orders, "oauth_replaced 1 kill\n");
	assert_int_equal(oauth_walk_refresh(&app, first), 0);
	rig_write(rig.orders, "");
	server_kill(servers[0]);
	servers[0] = server = rig_serve(&rig, false, NULL);
	app.base = servers[0]->base;
	caller_turn(&ada, servers[0]->base);
	assert_int_equal(oauth_walk_refresh(&app, first), 200);
	oauth_walk_works(&app);
	assert_int_equal(oauth_walk_refresh(&app, first), 400); /* now it was answered */
	oauth_walk_ended(&app);
}

/* --- what a further connection ends --------------------------------------------------------------- */

/* A key that only reads could not end these connections by itself. */
TEST(a_session_of_a_key_ends_no_connection_of_another_origin)
{
	const char *id;

	oauth_walk_connect(&app);
	id = session_of_a_key(99);
	for (int i = 0; i < 2; i++)
		oauth_walk_consent(&app);
	assert_rows(
	    1, "api_keys where %s and parent_id = '%s' and name = 'many' and revoked_at is not null", rig.own, id);
	oauth_walk_works(&app);
}

#define AWAIT_CONSENT()                                                                                                \
	await_rows(1, "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query "    \
	              "like '%%with made as (insert into api_keys%%'")

/* Begins a consent at the limit, which ends another grant of the same key. */
static pthread_t consent_begin(struct slow *slow)
{
	pthread_t thread;

	oauth_walk_register(&app, "none");
	slow_init(slow);
	slow->walk.session = app.session;
	slow->token = oauth_walk_path(&app, "");
	assert_int_equal(pthread_create(&thread, NULL, allow_everything, slow), 0);
	return thread;
}

/* The end of a key locks the key, then what was made from it, in any order. */
TEST(a_consent_at_the_limit_and_the_end_of_its_key_do_not_block_each_other)
{
	PGconn *pg = PQconnectdb(rig.program->database_url);
	const char *id = session_of_a_key(100);
	struct slow slow = {0};
	pthread_t thread;

	database_execute(
	    pg, TEXT("begin; update api_keys set revoked_at = now() where %s and id = '%s'; update api_keys set "
	             "revoked_at = now() where %s and parent_id = '%s' and name = 'many'",
	            rig.own, id, rig.own, id));
	thread = consent_begin(&slow);
	AWAIT_CONSENT();
	database_execute(pg,
	    TEXT("update api_keys set revoked_at = now() where %s and parent_id = '%s' and kind = 'session'; commit",
	        rig.own, id));
	assert_int_equal(pthread_join(thread, NULL), 0);
	PQfinish(pg);
	assert_in_range(slow.status, 302, 303);
	assert_null(strstr(oauth_header(&slow.walk, "Location"), "code="));
	assert_rows(0, "oauth_grants where %s and client_id = '%s'", rig.own, app.id);
	arena_free(&slow.arena);
}

/* The consent has locked its session, and waits for the grant that it ends, as if the writer of last_used_at had locked
 * that. The writer does not wait for the session. The trigger makes it try to write each use. */
TEST(a_consent_at_the_limit_does_not_hold_up_the_writer_of_uses)
{
	PGconn *pg = PQconnectdb(rig.program->database_url);
	const char *id = session_of_a_key(100);
	const struct client_header browser[] = {
	    {"Cookie", TEXT("kith=%s", app.session)}, {"X-Kith-Console", "1"}, {NULL, NULL}};
	struct slow slow = {0};
	struct caller other;
	pthread_t thread;

	SQL("create function use_forgotten() returns trigger language plpgsql as 'begin return null; end'; create "
	    "trigger "
	    "use_forgotten before update of last_used_at on api_keys for each row when (new.kind = 'session') execute "
	    "function use_forgotten()");
	database_execute(
	    pg, TEXT("begin; select from api_keys where %s and parent_id = '%s' and name = 'many' for no key update",
	            rig.own, id));
	thread = consent_begin(&slow);
	AWAIT_CONSENT();
	rows_change(
	    "update api_keys set last_used_at = null where %s and key_hash = sha256('%s')", rig.own, rig.ben.key);
	caller_init(&other, servers[0]->base, rig.ben.key);
	await_true(oauth_send(&app, "GET", "/v1/people", browser, NULL) == 200 &&
	           caller_get(&other, "/v1/people").status == 200 &&
	           rows_count("api_keys where %s and key_hash = sha256('%s') and last_used_at is not null", rig.own,
	               rig.ben.key) == 1);
	database_execute(pg, "commit");
	assert_int_equal(pthread_join(thread, NULL), 0);
	PQfinish(pg);
	SQL("drop function use_forgotten() cascade");
	caller_free(&other);
	assert_non_null(strstr(oauth_header(&slow.walk, "Location"), "code="));
	arena_free(&slow.arena);
}

/* --- what a connection leaves ---------------------------------------------------------------------- */

/* A webhook belongs to the workspace, and names the user. It stops when the user is disabled. */
TEST(a_webhook_of_an_application_outlives_the_connection)
{
	const char *session = app.session, *hook;

	app.session = rig_session(&rig, rig.ben.id);
	app.resource = servers[0]->base;
	oauth_walk_connect(&app);
	app.session = session;
	assert_int_equal(oauth_call(&app, "POST", "/v1/webhooks",
	                     "{\"name\":\"W\",\"targetUrl\":\"https://hooks.invalid/\",\"subscribedEvents\":"
	                     "[{\"eventType\":\"person.created\"}]}"),
	    200);
	hook = TEXT("/v1/webhooks/%s", json_text(json_member(app.json, "data"), "id"));
	assert_int_equal(oauth_post(&app, "/oauth/revoke", TEXT("client_id=%s&token=%s", app.id, app.access)), 200);
	assert_int_equal(oauth_call(&app, "GET", hook, NULL), 401);
	assert_non_null(strstr(caller_get(&ada, hook).reply.body, "\"status\":\"active\""));
	assert_non_null(strstr(caller_get(&ada, hook).reply.body, TEXT("\"createdBy\":{\"id\":\"%s\"", rig.ben.id)));
	assert_int_equal(KITH("user", "disable", rig.ben.id), 0);
	assert_non_null(strstr(caller_get(&ada, hook).reply.body, "\"status\":\"inactive\""));
	assert_int_equal(KITH("user", "enable", rig.ben.id), 0);
}
