/* People sign in through an OpenID Connect provider: the redirect, who gets in, and as whom. */
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "server/signin/password_hash.h"
#include "test/lib/await.h"
#include "test/lib/kith.h"
#include "test/lib/signin/journey.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { CROWD = 8 };

static struct server_process *plain, *open_to; /* without and with oidc_domains */

RIG("oidc", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	journey_open();
	plain = journey_serve(NULL, NULL);
	open_to = journey_serve("example.org, New.Example", NULL);
}

AFTER_ALL()
{
	journey_close();
}

BEFORE_EACH()
{
	journey_reset();
}

/* --- the way ---------------------------------------------------------------------------------- */

TEST(test_redirect)
{
	struct caller_answer answer = journey_browse(plain->base, NULL, "/auth/oidc/start");
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");
	const char *set = client_header(&answer.reply, "Set-Cookie");

	assert_string_equal(client_header(&answer.reply, "Cache-Control"), "no-store");
	assert_non_null(strstr(set, "; HttpOnly; SameSite=Lax; Path=/; Max-Age=600"));
	assert_int_equal(client_header_count(&answer.reply, "Set-Cookie"), 1);
	assert_string_equal(journey_parameter(&w.query, "response_type"), "code");
	assert_string_equal(journey_parameter(&w.query, "client_id"), "kith");
	assert_string_equal(journey_parameter(&w.query, "scope"), "openid email profile");
	assert_string_equal(journey_parameter(&w.query, "code_challenge_method"), "S256");
	assert_string_equal(w.redirect_uri, TEXT("%s/auth/oidc/callback", plain->base));
	assert_int_equal(strlen(w.challenge), 43);
	assert_true(strlen(w.nonce) >= 22);
	assert_int_equal(w.query.count, 8);
	/* Nothing of it is the same a second time, but for the cookie of one browser. */
	struct journey again = journey_begin(plain->base, w.cookie, "/auth/oidc/start");
	assert_string_equal(again.cookie, w.cookie);
	assert_string_not_equal(again.state, w.state);
	assert_string_not_equal(again.nonce, w.nonce);
	assert_string_not_equal(again.challenge, w.challenge);
}

TEST(test_signs_in)
{
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("BEN@example.org", true));

	assert_string_equal(provider_complains(provider), "");
	assert_string_equal(journey_location(&answer), TEXT("%s/console", plain->base));
	assert_string_equal(client_header(&answer.reply, "Cache-Control"), "no-store");
	journey_entered(&answer, plain->base, rig.ben.id);
	/* From now on the subject decides, whatever the e-mail address is. */
	answer = journey_whole(plain->base, "ben-1", journey_email("ada@example.org", true));
	journey_entered(&answer, plain->base, rig.ben.id);
	answer = journey_whole(plain->base, "ben-1", journey_email("nobody@example.org", false));
	journey_entered(&answer, plain->base, rig.ben.id);
	answer = journey_whole(plain->base, "ben-1", "");
	journey_entered(&answer, plain->base, rig.ben.id);
	assert_int_equal(rig_int(&rig, "select count(*) from oidc_links"), 1);
}

/* A session is a key of its user, and ends with the user's access. */
TEST(test_session_ends)
{
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	const struct client_header headers[] = {
	    {"Cookie", journey_cookie(&answer, "kith")}, {"X-Kith-Console", "1"}, {NULL, NULL}};
	struct caller browser;

	caller_init(&browser, plain->base, NULL);
	assert_int_equal(caller_send_with(&browser, "GET", "/v1/people", NULL, headers).status, 200);
	assert_int_equal(KITH("user", "disable", rig.ben.id), 0);
	assert_int_equal(caller_send_with(&browser, "GET", "/v1/people", NULL, headers).status, 401);
	caller_free(&browser);
	answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	journey_failed(&answer, plain->base, "not_allowed");
	SQL("delete from oidc_links");
	answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	journey_failed(&answer, plain->base, "not_allowed");
	assert_int_equal(KITH("user", "enable", rig.ben.id), 0);
}

/* Sessions with another origin stay. */
TEST(test_unlinking_ends_sessions)
{
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	const struct client_header headers[] = {
	    {"Cookie", journey_cookie(&answer, "kith")}, {"X-Kith-Console", "1"}, {NULL, NULL}};
	struct caller browser;

	SQL("insert into api_keys (key_hash, workspace_id, id, user_id, last4, kind, idle_s) select sha256('other'), "
	    "workspace_id, gen_random_uuid(), user_id, '', 'session', 3600 from oidc_links");
	caller_init(&browser, plain->base, NULL);
	assert_int_equal(caller_send_with(&browser, "GET", "/v1/people", NULL, headers).status, 200);
	assert_int_equal(KITH("user", "unlink", rig.ben.id), 0);
	assert_non_null(strstr(kith_said, "\"endedSessions\":"));
	assert_int_equal(caller_send_with(&browser, "GET", "/v1/people", NULL, headers).status, 401);
	assert_int_equal(
	    rig_int(&rig, "select count(*) from api_keys where key_hash = sha256('other') and revoked_at is null"), 1);
	caller_free(&browser);
}

/* Executes a statement in a transaction, which ends when somebody waits for its locks, or after five seconds. */
static PGconn *held_until_awaited(const char *statement)
{
	PGconn *other = PQconnectdb(rig.program->database_url);

	PQclear(PQexec(other, "begin"));
	PQclear(PQexec(other, statement));
	assert_true(PQsendQuery(other,
	    "do $$ begin for i in 1 .. 500 loop exit when exists (select from pg_locks where not granted); perform "
	    "pg_sleep(0.01); end loop; end $$; commit"));
	return other;
}

static void held_end(PGconn *other)
{
	PGresult *result;

	while ((result = PQgetResult(other)))
		PQclear(result);
	PQfinish(other);
}

TEST(test_unlinking_while_signing_in)
{
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	PGconn *other;

	journey_entered(&answer, plain->base, rig.ben.id);
	other = held_until_awaited("delete from oidc_links");
	answer = journey_whole(plain->base, "ben-1", "");
	held_end(other);
	assert_int_equal(answer.status, 401);
	assert_null(journey_cookie(&answer, "kith"));
	/* The sign-in is first: its session ends. */
	answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	journey_entered(&answer, plain->base, rig.ben.id);
	other = held_until_awaited(
	    "with l as materialized (select * from oidc_links for share) insert into api_keys (key_hash, "
	    "workspace_id, id, user_id, last4, kind, idle_s, issuer) select sha256('late'), workspace_id, "
	    "gen_random_uuid(), user_id, '', 'session', 3600, issuer from l");
	assert_int_equal(KITH("user", "unlink", rig.ben.id), 0);
	held_end(other);
	assert_int_equal(
	    rig_int(&rig, "select count(*) from api_keys where key_hash = sha256('late') and revoked_at is not null"),
	    1);
}

/* The session that replaces one at a change of the password has its origin. */
TEST(test_password_change_keeps_the_origin)
{
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	struct client_header headers[] = {
	    {"Cookie", journey_cookie(&answer, "kith")}, {"X-Kith-Console", "1"}, {NULL, NULL}};
	static const unsigned char elsewhere[32] = "another installation";
	char text[PASSWORD_TEXT_SIZE];
	struct password_hash h;
	struct caller browser;

	password_hash_begin(&h, elsewhere, "ben@example.org", strlen("ben@example.org"));
	assert_true(password_hash_derive(&h, "nine yellow yaks", strlen("nine yellow yaks")));
	SQL("update users set password_hash = '%s' where id = '%s'", password_hash_format(&h, text),
	    rig.ben.id + strlen("usr_"));
	caller_init(&browser, plain->base, NULL);
	answer = caller_send_with(&browser, "POST", "/v1/session/password",
	    "{\"currentPassword\": \"nine yellow yaks\", \"newPassword\": \"seven blue herons\"}", headers);
	assert_int_equal(answer.status, 200);
	headers[0].value = journey_cookie(&answer, "kith");
	assert_int_equal(caller_send_with(&browser, "GET", "/v1/people", NULL, headers).status, 200);
	assert_int_equal(KITH("user", "unlink", rig.ben.id), 0);
	assert_int_equal(caller_send_with(&browser, "GET", "/v1/people", NULL, headers).status, 401);
	caller_free(&browser);
	SQL("update users set password_hash = null where id = '%s'", rig.ben.id + strlen("usr_"));
}

/* The workspace is being moved to another server. */
TEST(test_workspace_is_held)
{
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	static const char *const places[] = {
	    "'held', held_until = now() + interval '1 minute'", "'moved'", "'arriving'"};

	journey_entered(&answer, plain->base, rig.ben.id);
	for (size_t i = 0; i < COUNT(places); i++) {
		SQL("update workspaces set moving = %s, version = version + 1 where %s", places[i], rig.own);
		struct server_process *s = journey_serve(NULL, TEXT("oidc_workspace=%s", rig.workspace.id));
		answer = journey_whole(s->base, "ben-1", "");
		journey_failed(&answer, s->base, "moving");
		assert_true(server_stop(s));
		SQL("update workspaces set moving = null, held_until = null, version = version + 1 where %s", rig.own);
	}
	/* The move begins after kith has looked. */
	SQL("update workspaces set moving = 'held', held_until = now() + interval '1 minute' where %s", rig.own);
	answer = journey_whole(plain->base, "ben-1", "");
	SQL("update workspaces set moving = null, held_until = null where %s", rig.own);
	assert_int_equal(answer.status, 503);
}

TEST(test_returns_to_a_path)
{
	static const struct {
		const char *asked, *path;
	} cases[] = {
	    {"/console%23people", "/console#people"},
	    {"/oauth/authorize%3Fclient_id%3Dx%26state%3Dy", "/oauth/authorize?client_id=x&state=y"},
	    {"", "/console"},
	    {"console", "/console"},
	    {"//evil.example/", "/console"},
	    {"/%5Cevil.example/", "/console"},
	    {"https://evil.example/", "/console"},
	    {"/%0d%0aSet-Cookie:%20a=b", "/console"},
	    {"/a%00b", "/console"},
	    {"/%C3%A9", "/console"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct journey w =
		    journey_begin(plain->base, NULL, TEXT("/auth/oidc/start?returnTo=%s", cases[i].asked));
		struct caller_answer answer =
		    journey_end(&w, journey_claims(&w, "ben-1", journey_email("ben@example.org", true)));
		assert_string_equal(journey_location(&answer), TEXT("%s%s", plain->base, cases[i].path));
	}
	char longest[1100] = "/";
	memset(longest + 1, 'x', 999);
	struct journey w = journey_begin(plain->base, NULL, TEXT("/auth/oidc/start?returnTo=%s", longest));
	struct caller_answer answer = journey_end(&w, journey_claims(&w, "ben-1", ""));
	assert_string_equal(journey_location(&answer), TEXT("%s%s", plain->base, longest));
	longest[1000] = 'x';
	w = journey_begin(plain->base, NULL, TEXT("/auth/oidc/start?returnTo=%s", longest));
	answer = journey_end(&w, journey_claims(&w, "ben-1", ""));
	assert_string_equal(journey_location(&answer), TEXT("%s/console", plain->base));
}

/* Without a public URL only this machine can be the place to come back to. */
TEST(test_where_it_works)
{
	static const struct {
		const char *host, *proto;
		int status;
	} cases[] = {{"localhost:8080", NULL, 302}, {"[::1]:8080", NULL, 302}, {"crm.example", NULL, 403},
	    {"crm.example", "https", 403}};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct client_header headers[] = {{"Host", cases[i].host},
		    {cases[i].proto ? "X-Forwarded-Proto" : NULL, cases[i].proto}, {NULL, NULL}};
		struct caller browser;
		caller_init(&browser, plain->base, NULL);
		int status = caller_send_with(&browser, "GET", "/auth/oidc/start", NULL, headers).status;
		if (status != cases[i].status)
			fail_msg("%s: %d", cases[i].host, status);
		caller_free(&browser);
	}
}

/* --- who may ------------------------------------------------------------------------------------ */

static int failures_of_ben(void)
{
	return (int)rig_int(&rig, "select count(*) from events where type = 'user.sign_in_failed' and record_id = '%s'",
	    rig.ben.id + 4);
}

TEST(test_accounts)
{
	int told = failures_of_ben();
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", false));

	journey_failed(&answer, plain->base, "email_not_verified");
	answer = journey_whole(plain->base, "ben-1", "");
	journey_failed(&answer, plain->base, "email_not_verified");
	answer = journey_whole(plain->base, "eve-1", journey_email("eve@example.org", true));
	journey_failed(&answer, plain->base, "not_allowed");
	answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	journey_entered(&answer, plain->base, rig.ben.id);
	/* Another account with his e-mail address does not get his user. */
	answer = journey_whole(plain->base, "ben-2", journey_email("ben@example.org", true));
	journey_failed(&answer, plain->base, "account_linked");
	await_true(failures_of_ben() == told + 2); /* of those in which the provider named his address */
	assert_int_equal(KITH("user", "unlink", rig.ben.id), 0);
	assert_non_null(strstr(kith_said, TEXT("\"unlinked\":[\"%s\"]", provider_issuer(provider))));
	answer = journey_whole(plain->base, "ben-2", journey_email("ben@example.org", true));
	journey_entered(&answer, plain->base, rig.ben.id);
	/* A link of another issuer says nothing here. */
	SQL("update oidc_links set issuer = 'https://elsewhere.example'");
	answer = journey_whole(plain->base, "ben-2", journey_email("ben@example.org", false));
	journey_failed(&answer, plain->base, "email_not_verified");
	answer = journey_whole(plain->base, "ben-3", journey_email("ben@example.org", true));
	journey_entered(&answer, plain->base, rig.ben.id);
}

/* The lower case of the Kelvin sign is k: such an address is another one. */
TEST(test_letters_that_look_alike)
{
	SQL("insert into users (workspace_id, id, email, full_name, role) select workspace_id, "
	    "'11111111-1111-7111-8111-111111111111', 'kim@example.org', 'Kim', 'admin' from workspaces where %s",
	    rig.own);
	struct caller_answer answer =
	    journey_whole(plain->base, "kim-2", journey_email("\xe2\x84\xaaim@example.org", true));
	journey_failed(&answer, plain->base, "not_allowed");
	SQL("delete from users where email = 'kim@example.org'");
}

TEST(test_members_are_made)
{
	struct caller_answer answer = journey_whole(
	    open_to->base, "new-1", TEXT("%s, \"name\": \"Newt Noe\"", journey_email("newt@NEW.example", true)));
	const char *id = database_text(rig.program, &rig.arena,
	    "select 'usr_' || id from users where email = 'newt@NEW.example' and role = 'member' and full_name = 'Newt "
	    "Noe'");

	assert_non_null(id);
	journey_entered(&answer, open_to->base, id);
	assert_int_equal(rig_int(&rig,
	                     "select count(*) from events where type = 'user.created' and record_id = '%s' and "
	                     "audience = array[record_id] and actor_via is not null",
	                     id + strlen("usr_")),
	    1);
	/* The other process knows the user, too. */
	answer = journey_whole(plain->base, "new-1", "");
	journey_entered(&answer, plain->base, id);
	/* Without a name the part before the @ is one. */
	answer = journey_whole(open_to->base, "new-2", journey_email("two@new.example", true));
	id = database_text(rig.program, &rig.arena, "select 'usr_' || id from users where full_name = 'two'");
	journey_entered(&answer, open_to->base, id);
	answer = journey_whole(open_to->base, "new-3", journey_email("three@new.example", false));
	journey_failed(&answer, open_to->base, "email_not_verified");
	static const char *const others[] = {"x@other.example", "x@sub.new.example", "x@new.example.evil",
	    "x@xnew.example", "x@new.example@other.example"};
	for (size_t i = 0; i < COUNT(others); i++) {
		answer = journey_whole(open_to->base, TEXT("other-%zu", i), journey_email(others[i], true));
		journey_failed(&answer, open_to->base, "not_allowed");
	}
	/* The domains also limit who is linked, but not who is linked already. */
	SQL("update users set email = 'ben@elsewhere.example' where id = '%s'", rig.ben.id + strlen("usr_"));
	answer = journey_whole(open_to->base, "ben-1", journey_email("ben@elsewhere.example", true));
	journey_failed(&answer, open_to->base, "not_allowed");
	answer = journey_whole(plain->base, "ben-1", journey_email("ben@elsewhere.example", true));
	journey_entered(&answer, plain->base, rig.ben.id);
	answer = journey_whole(open_to->base, "ben-1", "");
	journey_entered(&answer, open_to->base, rig.ben.id);
	SQL("update users set email = 'ben@example.org' where id = '%s'", rig.ben.id + strlen("usr_"));
}

static struct journey crowd_journey;

static void crowd_return(void *ctx, int i)
{
	struct caller browser;
	const struct client_header headers[] = {{"Cookie", crowd_journey.cookie}, {NULL, NULL}};
	int *statuses = ctx;

	caller_init(&browser, i % 2 ? plain->base : open_to->base, NULL);
	struct caller_answer answer = caller_send_with(&browser, "GET",
	    arena_printf(&browser.arena, "/auth/oidc/callback?code=the-code&state=%s", crowd_journey.state), NULL,
	    headers);
	const char *to = client_header(&answer.reply, "Location");
	statuses[i] = answer.status == 302 && to && !strstr(to, "signin-error");
	caller_free(&browser);
}

/* The same new person in several tabs, in two processes: one user. */
TEST(test_concurrent_first_sign_ins)
{
	int entered[CROWD];

	crowd_journey = journey_begin(open_to->base, NULL, "/auth/oidc/start");
	provider_expect(provider, "the-code", crowd_journey.redirect_uri, NULL);
	provider_claims(provider, journey_claims(&crowd_journey, "crowd", journey_email("crowd@example.org", true)));
	caller_crowd_run(CROWD, crowd_return, entered);
	for (int i = 0; i < CROWD; i += 2)
		assert_true(entered[i]);
	assert_int_equal(rig_int(&rig, "select count(*) from users where email = 'crowd@example.org'"), 1);
	assert_int_equal(rig_int(&rig, "select count(*) from oidc_links where subject = 'crowd'"), 1);
}

/* --- what is not in the token ------------------------------------------------------------------- */

TEST(test_userinfo)
{
	provider_userinfo(provider, TEXT("{\"sub\": \"eve-1\"%s}", journey_email("ben@example.org", true)));
	struct caller_answer answer = journey_whole(plain->base, "ben-1", "");
	journey_failed(&answer, plain->base, "email_not_verified");
	provider_userinfo(provider, TEXT("{\"sub\": \"ben-1\"%s}", journey_email("ben@example.org", false)));
	answer = journey_whole(plain->base, "ben-1", "");
	journey_failed(&answer, plain->base, "email_not_verified");
	provider_userinfo(provider, TEXT("{%s}", journey_email("ben@example.org", true) + 2));
	answer = journey_whole(plain->base, "ben-1", "");
	journey_failed(&answer, plain->base, "email_not_verified");
	provider_userinfo(provider, TEXT("{\"sub\": \"ben-1\"%s}", journey_email("ben@example.org", true)));
	answer = journey_whole(plain->base, "ben-1", "");
	journey_entered(&answer, plain->base, rig.ben.id);
	/* A linked account signs in without its e-mail address, so userinfo may fail. */
	static const struct receiver_behaviour broken = {.mode = RECEIVER_RESET};
	provider_behave(provider, PROVIDER_USERINFO, &broken);
	answer = journey_whole(plain->base, "ben-1", "");
	journey_entered(&answer, plain->base, rig.ben.id);
}

/* --- settings --------------------------------------------------------------------------------------------- */

/* With two workspaces the setting must say which one. */
TEST(test_workspaces)
{
	rig_stranger(&rig, "stranger");
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	journey_failed(&answer, plain->base, "not_allowed");
	struct server_process *s = journey_serve(NULL, TEXT("oidc_workspace=%s", rig.workspace.id));
	answer = journey_whole(s->base, "ben-1", journey_email("ben@example.org", true));
	journey_entered(&answer, s->base, rig.ben.id);
	answer = journey_whole(s->base, "stranger-1", journey_email("stranger@example.org", true));
	journey_failed(&answer, s->base, "not_allowed");
	assert_true(server_stop(s));
	s = journey_serve(NULL, "oidc_workspace=wsp_01890a5d-ac96-774b-bcce-000000000000");
	answer = journey_whole(s->base, "ben-1", journey_email("ben@example.org", true));
	journey_failed(&answer, s->base, "not_allowed");
	assert_true(server_stop(s));
}

/* The provider in place of the usual one, with a server of its own. */
static void expect_provider(struct provider_config config, const char *more, bool works)
{
	struct provider *usual = provider;

	provider = provider_start(&config);
	provider_metadata(provider, more);
	if (config.tls && works)
		setenv("SSL_CERT_FILE", provider_ca_file(provider), 1);
	struct server_process *s = journey_serve(NULL, TEXT("oidc_workspace=%s", rig.workspace.id));
	unsetenv("SSL_CERT_FILE");
	if (works) {
		struct caller_answer answer = journey_whole(s->base, "ben-1", journey_email("ben@example.org", true));
		assert_string_equal(provider_complains(provider), "");
		journey_entered(&answer, s->base, rig.ben.id);
	} else {
		struct caller_answer answer = journey_browse(s->base, NULL, "/auth/oidc/start");
		journey_failed(&answer, s->base, "provider");
	}
	assert_true(server_stop(s));
	provider_stop(provider);
	provider = usual;
}

TEST(test_providers)
{
	expect_provider((struct provider_config){.secret = JOURNEY_SECRET, .path = "/realms/staff"}, "", true);
	/* The slash belongs to the issuer. */
	expect_provider((struct provider_config){.secret = JOURNEY_SECRET, .path = "/application/o/kith/"}, "", true);
	expect_provider((struct provider_config){.secret = JOURNEY_SECRET},
	    ", \"token_endpoint_auth_methods_supported\": [\"client_secret_post\"]", true);
}

/* An authority that only SSL_CERT_FILE names. */
TEST(test_certificates)
{
	expect_provider((struct provider_config){.secret = JOURNEY_SECRET, .tls = true}, "", true);
	expect_provider((struct provider_config){.secret = JOURNEY_SECRET, .tls = true}, "", false);
}
