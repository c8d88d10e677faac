/* Applications connect by OAuth: the whole walk, what ends a connection, and what thieves try, with two processes on
 * one database. */
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/http/oauth_walk.h"
#include "test/lib/kith.h"
#include "test/lib/rows.h"

RIG("oauth", .servers = 2, .neighbour = true);

static struct oauth_walk app;
static const char *ada_session, *ben_session;

BEFORE_ALL()
{
	ada_session = rig_session(&rig, rig.ada.id);
	ben_session = rig_session(&rig, rig.ben.id);
}

BEFORE_EACH()
{
	oauth_walk_init(&app, &rig.arena, servers[0]->base);
	app.session = ada_session;
	rows_change("update oauth_clients set address_hash = sha256(convert_to(client_id, 'UTF8'))");
}

#define expect_error(name) assert_string_equal(oauth_member(&app, "error"), name)

/* --- the walk ----------------------------------------------------------------------------------- */

TEST(a_client_finds_its_way_from_the_refusal)
{
	const char *text;

	assert_int_equal(oauth_send(&app, "POST", "/mcp", NULL, "{}"), 401);
	text = oauth_header(&app, "WWW-Authenticate");
	assert_string_equal(text, TEXT("Bearer resource_metadata=\"%s/.well-known/oauth-protected-resource/mcp\", "
	                               "scope=\"read write\"",
	                              servers[0]->base));
	assert_int_equal(oauth_send(&app, "GET", "/.well-known/oauth-protected-resource/mcp", NULL, NULL), 200);
	assert_string_equal(oauth_member(&app, "resource"), app.resource);
	assert_int_equal(oauth_send(&app, "GET", "/.well-known/oauth-authorization-server", NULL, NULL), 200);
	assert_string_equal(oauth_member(&app, "issuer"), servers[0]->base);
	oauth_walk_connect(&app);
	assert_string_equal(oauth_member(&app, "scope"), "read write");
	assert_int_equal(json_number(app.json, "expires_in", 0), 3600);
	oauth_walk_works(&app);
	assert_int_equal(oauth_walk_refresh(&app, app.refresh), 200);
	oauth_walk_works(&app);
	assert_int_equal(oauth_call(&app, "GET", "/v1/people", NULL), 401); /* for /mcp only */
	assert_non_null(strstr(app.reply.body, "opens only /mcp"));
}

TEST(a_token_of_the_whole_server_opens_both)
{
	app.resource = servers[0]->base;
	app.scope = "read+delete";
	oauth_walk_connect(&app);
	assert_string_equal(oauth_member(&app, "scope"), "read delete");
	assert_int_equal(oauth_call(&app, "GET", "/v1/people", NULL), 200);
	oauth_walk_works(&app);
	assert_int_equal(oauth_call(&app, "POST", "/v1/people", "{}"), 403);
	assert_non_null(strstr(
	    oauth_header(&app, "WWW-Authenticate"), "error=\"insufficient_scope\", scope=\"read write delete\""));
}

/* The tools are those of the user; a call beyond the scopes tells the program which to ask for. */
TEST(an_assistant_asks_for_more)
{
	app.scope = "read";
	oauth_walk_connect(&app);
	assert_int_equal(
	    oauth_call(&app, "POST", "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"), 200);
	assert_non_null(strstr(app.reply.body, "\"name\":\"create\""));
	assert_int_equal(oauth_call(&app, "POST", "/mcp",
	                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"create\","
	                     "\"arguments\":{\"kind\":\"person\",\"fields\":{}}}}"),
	    403);
	assert_string_equal(oauth_header(&app, "WWW-Authenticate"),
	    TEXT("Bearer resource_metadata=\"%s/.well-known/oauth-protected-resource/mcp\", "
	         "error=\"insufficient_scope\", scope=\"read write\"",
	        servers[0]->base));
	assert_non_null(strstr(app.reply.body, "has not allowed this application the scope write"));
}

TEST(the_page_names_everything_and_runs_only_its_own)
{
	const char *policy, *own;

	oauth_walk_register(&app, "none");
	assert_int_equal(oauth_walk_decide(&app, oauth_walk_path(&app, "&x=%22%3E%3Cscript%3E"), NULL), 200);
	policy = oauth_header(&app, "Content-Security-Policy");
	assert_non_null(strstr(policy, "default-src 'none'"));
	assert_non_null(strstr(policy, "frame-ancestors 'none'"));
	assert_non_null(strstr(policy, "form-action 'self' http://127.0.0.1:7777"));
	assert_string_equal(oauth_header(&app, "X-Frame-Options"), "DENY");
	assert_string_equal(oauth_header(&app, "Cache-Control"), "no-store");
	assert_non_null(strstr(app.reply.body, "Helper &lt;b&gt;"));
	assert_non_null(strstr(app.reply.body, rig.ada.email));
	assert_non_null(strstr(app.reply.body, "a program on the computer that you are using"));
	own = strstr(app.reply.body, "<script>");
	assert_non_null(own);
	assert_null(strstr(own + 1, "<script"));
	assert_non_null(strstr(policy, "; script-src 'sha256-"));
	assert_null(strstr(policy, "unsafe"));
	assert_null(strstr(app.reply.body, "may_delete"));
}

TEST(consent_narrows)
{
	app.scope = "read+write+delete";
	oauth_walk_register(&app, "none");
	assert_int_equal(oauth_walk_decide(&app, oauth_walk_path(&app, ""), "decision=allow"), 400);
	assert_non_null(strstr(app.reply.body, "Choose what the application may do"));
	assert_int_equal(
	    oauth_walk_decide(&app, oauth_walk_path(&app, ""), "decision=allow&may_read=1&may_admin=1"), 303);
	app.code = TEXT("%s", strstr(oauth_header(&app, "Location"), "code=") + 5);
	app.code = TEXT("%.*s", (int)strcspn(app.code, "&"), app.code);
	assert_int_equal(oauth_walk_exchange(&app), 200);
	assert_string_equal(oauth_member(&app, "scope"), "read");
}

TEST(a_refusal_goes_back_with_state_and_issuer)
{
	oauth_walk_register(&app, "none");
	assert_int_equal(oauth_walk_decide(&app, oauth_walk_path(&app, ""), "decision=deny"), 303);
	assert_non_null(strstr(oauth_header(&app, "Location"), OAUTH_REDIRECT "?error=access_denied&"));
	assert_non_null(strstr(oauth_header(&app, "Location"), "&state=xyz&iss=http%3A%2F%2F127.0.0.1%3A"));
}

TEST(who_is_not_signed_in_signs_in_first)
{
	const char *path;

	oauth_walk_register(&app, "none");
	path = oauth_walk_path(&app, "");
	app.session = NULL;
	assert_int_equal(oauth_walk_decide(&app, path, NULL), 302);
	assert_int_equal(strncmp(oauth_header(&app, "Location"),
	                     "../console#return=%2Foauth%2Fauthorize%3Fresponse_type%3Dcode", 60),
	    0);
	assert_non_null(strstr(oauth_header(&app, "Location"), "&application="));
	app.session = rig.ada.key; /* a key in the cookie is not a session */
	assert_int_equal(oauth_walk_decide(&app, path, NULL), 401);
}

/* --- what thieves try --------------------------------------------------------------------------------- */

static void send_consent(const char *session, const char *token, const char *origin)
{
	const struct client_header headers[] = {{"Content-Type", "application/x-www-form-urlencoded"},
	    {"Cookie", TEXT("kith=%s", session)}, {"Origin", origin}, {NULL, NULL}};

	oauth_send(&app, "POST", oauth_walk_path(&app, ""), headers, TEXT("token=%s&decision=allow&may_read=1", token));
}

TEST(only_the_browser_that_shows_the_page_can_send_it)
{
	const char *token;

	oauth_walk_register(&app, "none");
	oauth_walk_decide(&app, oauth_walk_path(&app, ""), NULL);
	token = strstr(app.reply.body, "name=\"token\" value=\"") + 20;
	token = TEXT("%.*s", (int)strcspn(token, "\""), token);
	send_consent(ada_session, token, "https://evil.example");
	assert_int_equal(app.reply.status, 403);
	send_consent(ada_session, token, "null");
	assert_int_equal(app.reply.status, 403);
	send_consent(ben_session, token, servers[0]->base);
	assert_int_equal(app.reply.status, 400);
	send_consent(ada_session, "", servers[0]->base);
	assert_int_equal(app.reply.status, 400);
	app.scope = "read+write+delete+admin"; /* the token is of another request */
	send_consent(ada_session, token, servers[0]->base);
	assert_int_equal(app.reply.status, 400);
	app.scope = NULL;
	send_consent(ada_session, token, servers[0]->base);
	assert_int_equal(app.reply.status, 303);
}

TEST(a_code_is_good_for_one_use)
{
	oauth_walk_connect(&app);
	app.base = servers[1]->base; /* another process */
	assert_int_equal(oauth_walk_exchange(&app), 400);
	expect_error("invalid_grant");
	oauth_walk_ended(&app);
}

TEST(a_code_needs_its_verifier_client_and_time)
{
	const char *code, *first;

	oauth_walk_register(&app, "none");
	oauth_walk_consent(&app);
	code = app.code;
	first = app.id;
	assert_int_equal(oauth_post(&app, "/oauth/token",
	                     TEXT("client_id=%s&grant_type=authorization_code&code=%s&code_verifier=%.43s", app.id,
	                         code, "wrongwrongwrongwrongwrongwrongwrongwrongwrongwrong")),
	    400);
	expect_error("invalid_grant");
	oauth_walk_register(&app, "none");
	assert_int_equal(oauth_walk_exchange(&app), 400);
	expect_error("invalid_grant");
	app.id = first;
	rows_change("update oauth_grants set code_expires_at = now() - interval '1 second' where %s", rig.own);
	assert_int_equal(oauth_walk_exchange(&app), 400);
	expect_error("invalid_grant");
	rows_change("update oauth_grants set code_expires_at = now() + interval '1 minute' where %s", rig.own);
	assert_int_equal(oauth_walk_exchange(&app), 200);
}

/* Requests with it may be under way. */
TEST(a_replaced_access_token_lasts_a_minute)
{
	const char *first, *id;

	oauth_walk_connect(&app);
	first = app.access;
	assert_int_equal(oauth_walk_refresh(&app, app.refresh), 200);
	assert_string_not_equal(first, app.access);
	oauth_walk_works(&app);
	app.access = first;
	oauth_walk_works(&app);
	assert_rows(1,
	    "api_keys where %s and key_hash = sha256('%s') and expires_at between now() and now() + interval '1 "
	    "minute'",
	    rig.own, first);
	id = rows_text("select parent_id from api_keys where %s and key_hash = sha256('%s')", rig.own, first);
	assert_int_equal(SEND("DELETE", NULL, "/v1/grants/gnt_%s", id).status, 200);
	assert_int_equal(oauth_call(&app, "POST", "/mcp", "{}"), 401);
	oauth_walk_connect(&app);
	id = rows_text("select id from api_keys where %s and key_hash = sha256('%s')", rig.own, app.access);
	for (int i = 0; i < 3; i++) { /* nothing piles up */
		assert_int_equal(oauth_walk_refresh(&app, app.refresh), 200);
		rows_change(
		    "update api_keys set expires_at = now() - interval '1 second' where %s and parent_id = '%s'",
		    rig.own, id);
	}
	assert_rows(1, "api_keys where %s and parent_id = '%s'", rig.own, id);
}

static const char *key_made(const struct json *answer)
{
	return TEXT("%s", json_text(json_member(answer, "data"), "key"));
}

static void expect_key(const char *key, int status)
{
	app.access = key;
	assert_int_equal(oauth_call(&app, "GET", "/v1/users/me", NULL), status);
}

/* Also the one that replaces it, which another admin asks for. Neither opens a session, which would outlive it. */
TEST(a_key_that_an_application_makes_ends_with_the_grant)
{
	const struct client_header page[] = {
	    {"Content-Type", "application/json"}, {"X-Kith-Console", "1"}, {NULL, NULL}};
	const char *grant, *id, *keys[2];

	app.resource = servers[0]->base;
	app.scope = "read+write+delete+admin";
	oauth_walk_connect(&app);
	assert_int_equal(oauth_call(&app, "POST", "/v1/keys", "{\"name\":\"child\"}"), 200);
	keys[0] = key_made(app.json);
	id = rows_text("select id from api_keys where %s and name = 'child'", rig.own);
	grant = rows_text("select parent_id from api_keys where %s and name = 'child'", rig.own);
	app.access = rig.ada.key;
	assert_int_equal(oauth_call(&app, "POST", TEXT("/v1/keys/key_%s/rotate", id), NULL), 200);
	keys[1] = key_made(app.json);
	for (int i = 0; i < 2; i++) {
		expect_key(keys[i], 200);
		oauth_send(&app, "POST", "/auth/key", page, TEXT("{\"key\":\"%s\"}", keys[i]));
		assert_int_equal(app.reply.status, 401);
	}
	assert_int_equal(SEND("DELETE", NULL, "/v1/grants/gnt_%s", grant).status, 200);
	for (int i = 0; i < 2; i++)
		expect_key(keys[i], 401);
}

TEST(a_refresh_token_that_was_used_ends_the_grant)
{
	const char *first;

	oauth_walk_connect(&app);
	first = app.refresh;
	assert_int_equal(oauth_walk_refresh(&app, first), 200);
	oauth_walk_works(&app);
	assert_int_equal(oauth_walk_refresh(&app, first), 400);
	expect_error("invalid_grant");
	oauth_walk_ended(&app);
}

TEST(an_older_refresh_token_ends_the_grant_too_and_an_invented_one_nothing)
{
	const char *first;
	char *invented;

	oauth_walk_connect(&app);
	first = app.refresh;
	invented = TEXT("%s", first);
	invented[strlen(invented) / 2] ^= 1;
	for (int i = 0; i < 3; i++)
		assert_int_equal(oauth_walk_refresh(&app, app.refresh), 200);
	assert_int_equal(oauth_walk_refresh(&app, invented), 400);
	oauth_walk_works(&app);
	assert_int_equal(oauth_walk_refresh(&app, first), 400);
	oauth_walk_ended(&app);
}

TEST(a_client_with_a_secret_proves_it)
{
	const char *secret;

	oauth_walk_register(&app, "client_secret_post");
	oauth_walk_consent(&app);
	secret = app.secret;
	app.secret = NULL;
	assert_int_equal(oauth_walk_exchange(&app), 401);
	expect_error("invalid_client");
	app.secret = "kith_secret_wrong";
	assert_int_equal(oauth_walk_exchange(&app), 401);
	app.secret = secret;
	assert_int_equal(oauth_walk_exchange(&app), 200);
}

/* --- what ends a connection ----------------------------------------------------------------------------- */

TEST(revoking_either_token_ends_both)
{
	oauth_walk_connect(&app);
	assert_int_equal(oauth_post(&app, "/oauth/revoke", TEXT("client_id=%s&token=%s", app.id, app.refresh)), 200);
	oauth_walk_ended(&app);
	oauth_walk_connect(&app);
	assert_int_equal(oauth_post(&app, "/oauth/revoke", TEXT("client_id=%s&token=%s", app.id, app.access)), 200);
	oauth_walk_ended(&app);
	assert_int_equal(oauth_post(&app, "/oauth/revoke", TEXT("client_id=%s&token=anything", app.id)), 200);
}

/* Its refresh token is still valid. */
TEST(revoking_an_expired_access_token_ends_both)
{
	oauth_walk_connect(&app);
	rows_change("update api_keys set expires_at = now() - interval '1 second' where %s and key_hash = sha256('%s')",
	    rig.own, app.access);
	assert_int_equal(oauth_post(&app, "/oauth/revoke", TEXT("client_id=%s&token=%s", app.id, app.access)), 200);
	oauth_walk_ended(&app);
}

/* It is still valid for a moment, and so ends the connection, too. */
TEST(revoking_a_replaced_access_token_ends_both)
{
	const char *replaced;

	oauth_walk_connect(&app);
	replaced = TEXT("%s", app.access);
	assert_int_equal(oauth_walk_refresh(&app, app.refresh), 200);
	assert_int_equal(oauth_post(&app, "/oauth/revoke", TEXT("client_id=%s&token=%s", app.id, replaced)), 200);
	oauth_walk_ended(&app);
}

TEST(users_list_and_end_their_own)
{
	struct caller_answer list;
	const char *id;

	app.session = ben_session;
	oauth_walk_connect(&app);
	oauth_walk_works(&app);
	list = caller_get(&ben, "/v1/grants");
	assert_non_null(strstr(list.reply.body, "\"name\":\"Helper <b>\""));
	assert_non_null(strstr(list.reply.body, "\"audience\":\"mcp\""));
	id = strstr(list.reply.body, "\"id\":\"gnt_") + 6;
	id = TEXT("%.40s", id);
	app.session = ada_session;
	assert_int_equal(caller_send(&ben, "DELETE", TEXT("/v1/grants/%s", id), NULL, NULL).status, 200);
	assert_int_equal(caller_send(&ben, "DELETE", TEXT("/v1/grants/%s", id), NULL, NULL).status, 404);
	oauth_walk_ended(&app);
	oauth_walk_connect(&app); /* of Ada, who is an admin; Ben neither sees nor ends it */
	assert_null(strstr(caller_get(&ben, "/v1/grants").reply.body, "gnt_"));
	id = TEXT("gnt_%s", rows_text("select id from oauth_grants where %s order by id desc limit 1", rig.own));
	assert_int_equal(caller_send(&ben, "DELETE", TEXT("/v1/grants/%s", id), NULL, NULL).status, 404);
	oauth_walk_works(&app);
	assert_int_equal(SEND("DELETE", NULL, "/v1/grants/%s", id).status, 200);
	oauth_walk_ended(&app);
}

TEST(a_disabled_user_has_no_connections_any_more)
{
	app.session = rig_session(&rig, rig.ben.id);
	oauth_walk_connect(&app);
	assert_int_equal(KITH("user", "disable", rig.ben.id), 0);
	oauth_walk_ended(&app);
	assert_int_equal(KITH("user", "enable", rig.ben.id), 0);
	oauth_walk_ended(&app);
}

/* Rights are those of the user at each use. */
TEST(a_demoted_admin_s_grant_administers_nothing)
{
	const char *id = TEXT("%s", rig.ben.id + strlen("usr_"));

	rows_change("update users set role = 'admin' where %s and id = '%s'", rig.own, id);
	rows_change("update workspaces set version = version + 1 where %s", rig.own);
	app.session = rig_session(&rig, rig.ben.id);
	app.resource = servers[0]->base;
	app.scope = "read+write+admin";
	oauth_walk_connect(&app);
	assert_string_equal(oauth_member(&app, "scope"), "read write admin");
	assert_int_equal(oauth_call(&app, "POST", "/v1/keys", TEXT("{\"user\":{\"id\":\"%s\"}}", rig.ada.id)), 200);
	rows_change("update users set role = 'member' where %s and id = '%s'", rig.own, id);
	rows_change("update workspaces set version = version + 1 where %s", rig.own);
	assert_int_equal(oauth_call(&app, "POST", "/v1/keys", TEXT("{\"user\":{\"id\":\"%s\"}}", rig.ada.id)), 403);
	assert_int_equal(oauth_call(&app, "GET", "/v1/people", NULL), 200);
}

TEST(what_the_session_was_made_from_bounds_the_grant)
{
	const char *id, *session = rig_session(&rig, rig.ada.id);

	api_key_create(rig.program, &rig.arena, rig.ada.id, false, &id);
	rows_change("update api_keys set parent_id = '%s', scopes = '{read}' where %s and key_hash = sha256('%s')",
	    id + strlen("key_"), rig.own, session);
	app.session = session;
	oauth_walk_connect(&app);
	assert_string_equal(oauth_member(&app, "scope"), "read");
	oauth_walk_works(&app);
	assert_int_equal(SEND("DELETE", NULL, "/v1/keys/%s", id).status, 200);
	oauth_walk_ended(&app);
}

/* --- registrations ------------------------------------------------------------------------------------------ */

TEST(registrations_are_limited)
{
	char from[64]; /* of a site with many networks */
	const struct client_header headers[] = {
	    {"Content-Type", "application/json"}, {"X-Forwarded-For", from}, {NULL, NULL}};
	static const char body[] = "{\"redirect_uris\":[\"https://app.example/cb\"]}";
	PGconn *other = PQconnectdb(rig.program->database_url);

	rows_change("update oauth_clients set address_hash = sha256('x')");
	for (int i = 0; i < 20; i++) {
		snprintf(from, sizeof from, "2001:db8:55:%x::1", i);
		assert_int_equal(oauth_send(&app, "POST", "/oauth/register", headers, body), 201);
	}
	app.base = servers[1]->base;
	assert_int_equal(oauth_send(&app, "POST", "/oauth/register", headers, body), 429);
	assert_string_equal(oauth_header(&app, "Retry-After"), "3600");
	PQclear(PQexec(other, "begin; select pg_advisory_xact_lock(hashtextextended('oauth registration', 0))"));
	assert_int_equal(oauth_send(&app, "POST", "/oauth/register", headers, body), 429); /* waits for nobody */
	PQfinish(other);
	SQL("insert into oauth_clients (client_id, name, redirect_uris, address_hash, created_at) select 'old' || n, "
	    "'', '{https://a.example/}', sha256('y'), now() - interval '1 day' from generate_series(1, 1100) n");
	rows_change("update oauth_clients set address_hash = sha256('x')");
	assert_int_equal(oauth_send(&app, "POST", "/oauth/register", headers, body), 201);
	assert_rows(1000, "oauth_clients where used_at is null");
	rows_change("update oauth_clients set address_hash = sha256(convert_to(client_id, 'UTF8'))");
}

/* From however many addresses the others come, until too many have come. */
TEST(a_new_registration_is_kept_for_its_user)
{
	oauth_walk_register(&app, "none");
	rows_change(
	    "update oauth_clients set created_at = now() - interval '9 minutes' where client_id = '%s'", app.id);
	SQL("insert into oauth_clients (client_id, name, redirect_uris, address_hash) select 'flood' || n, '', "
	    "'{https://a.example/}', sha256(n::text::bytea) from generate_series(1, 9900) n");
	oauth_walk_register(&(struct oauth_walk){.arena = app.arena, .base = app.base}, "none");
	oauth_walk_consent(&app);
	assert_int_equal(oauth_walk_exchange(&app), 200);
	SQL("insert into oauth_clients (client_id, name, redirect_uris, address_hash) select 'more' || n, '', "
	    "'{https://a.example/}', sha256(n::text::bytea) from generate_series(1, 200) n");
	assert_int_equal(oauth_send(&app, "POST", "/oauth/register",
	                     (const struct client_header[]){{"Content-Type", "application/json"}, {NULL, NULL}},
	                     "{\"redirect_uris\":[\"https://app.example/cb\"]}"),
	    503);
	rows_change("update oauth_clients set created_at = now() - interval '11 minutes'");
	oauth_walk_register(&app, "none");
	assert_rows(1000, "oauth_clients where used_at is null");
}

TEST(what_nobody_used_is_forgotten)
{
	oauth_walk_connect(&app);
	oauth_walk_consent(&app); /* a code that is never used */
	rows_change("delete from oauth_grants where %s and code_used_at is null and code_hash <> sha256('%s')", rig.own,
	    app.code);
	assert_rows(1, "oauth_grants where %s and code_used_at is null", rig.own);
	rows_change(
	    "update oauth_grants set code_expires_at = now() - interval '2 days' where %s and code_used_at is null",
	    rig.own);
	assert_int_equal(rig_int(&rig, "select oauth_grants_gone(interval '1 day', 10)"), 1);
	assert_rows(0, "oauth_grants where %s and code_used_at is null", rig.own);
	oauth_walk_works(&app);
}
