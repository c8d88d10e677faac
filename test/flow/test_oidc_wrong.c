/* An OpenID Connect provider, or somebody in its place, that is wrong, hostile, slow or down. */
#include <signal.h>
#include <string.h>
#include <time.h>

#include "server/base/clock.h"
#include "store/attempts.h"
#include "test/lib/await.h"
#include "test/lib/patience.h"
#include "test/lib/signin/journey.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { RETRY_MS = 60000 };

static struct server_process *plain, *beside;

RIG("oidcwrong", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	journey_open();
	plain = journey_serve(NULL, NULL);
	beside = journey_serve(NULL, NULL);
}

AFTER_ALL()
{
	journey_close();
}

BEFORE_EACH()
{
	journey_reset();
}

/* --- wrong answers ------------------------------------------------------------------------------- */

TEST(test_states)
{
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");
	struct journey other = journey_begin(plain->base, NULL, "/auth/oidc/start");
	int asked = provider_asked(provider, PROVIDER_TOKEN);
	char *changed = arena_dupz(&rig.arena, w.state);

	changed[40] = changed[40] == 'A' ? 'B' : 'A';
	const struct {
		const char *cookie, *parameters;
	} cases[] = {
	    {NULL, TEXT("code=x&state=%s", w.state)},
	    {other.cookie, TEXT("code=x&state=%s", w.state)},
	    {w.cookie, TEXT("code=x&state=%s", other.state)},
	    {w.cookie, TEXT("code=x&state=%s", changed)},
	    {w.cookie, TEXT("code=x&state=%.*s", (int)strlen(w.state) - 4, w.state)},
	    {w.cookie, TEXT("code=x&state=%sAAAA", w.state)},
	    {w.cookie, TEXT("code=x&state=%s&state=%s", w.state, w.state)},
	    {w.cookie, "code=x&state="},
	    {w.cookie, "code=x"},
	    {w.cookie, ""},
	    {w.cookie, "error=access_denied"},
	    {"kith-oidc=", TEXT("code=x&state=%s", w.state)},
	    {"kith-oidc=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", TEXT("code=x&state=%s", w.state)},
	    {TEXT("__Host-%s", w.cookie), TEXT("code=x&state=%s", w.state)},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct caller_answer answer = journey_return(&w, cases[i].cookie, cases[i].parameters);
		journey_failed(&answer, plain->base, "state");
	}
	assert_int_equal(provider_asked(provider, PROVIDER_TOKEN), asked);
}

/* From one network, whatever the browser; those who get in do not count, nor do returns that belong to no browser, to
 * which any page can lead. */
TEST(test_too_many_failures)
{
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");
	int asked;

	journey_entered(&answer, plain->base, rig.ben.id);
	await_true(rig_int(&rig, "select coalesce(sum(n), 0) from sign_in_failures") == 0);
	for (int i = 0; i <= ATTEMPTS_NETWORK; i++) {
		answer = journey_return(&w, w.cookie, "error=access_denied");
		journey_failed(&answer, plain->base, "state");
	}
	for (int i = 0; i < ATTEMPTS_NETWORK; i++) {
		answer = journey_return(&w, w.cookie, TEXT("error=access_denied&state=%s", w.state));
		journey_failed(&answer, plain->base, "provider");
	}
	asked = provider_asked(provider, PROVIDER_TOKEN);
	answer = journey_end(&w, journey_claims(&w, "ben-1", ""));
	assert_int_equal(answer.status, 429);
	assert_non_null(client_header(&answer.reply, "Retry-After"));
	assert_int_equal(provider_asked(provider, PROVIDER_TOKEN), asked);
	assert_int_equal(journey_browse(beside->base, NULL, "/auth/oidc/start").status, 429);
	SQL("delete from sign_in_failures");
	answer = journey_end(&w, journey_claims(&w, "ben-1", ""));
	journey_entered(&answer, plain->base, rig.ben.id);
}

/* Ten minutes, which this server's clock makes six seconds. */
TEST(test_states_expire)
{
	struct server_process *fast = journey_serve(NULL, "clock_scale=100");
	struct journey w = journey_begin(fast->base, NULL, "/auth/oidc/start");
	int64_t until = clock_mono_us() + 30 * 1000000;
	struct caller_answer answer;

	do {
		patience_rest(200);
		answer = journey_return(&w, w.cookie, TEXT("error=x&state=%s", w.state));
	} while (strstr(journey_location(&answer), "provider") && clock_mono_us() < until);
	journey_failed(&answer, fast->base, "state");
	assert_true(server_stop(fast));
}

/* Another process opens a state, with its own cookie only. */
TEST(test_two_processes)
{
	struct journey w = journey_begin(beside->base, NULL, "/auth/oidc/start");

	/* The provider sends the browser back to the address that it was sent from; a proxy chooses the process. */
	provider_expect(provider, "the-code", TEXT("%s/auth/oidc/callback", plain->base), w.challenge);
	provider_claims(provider, journey_claims(&w, "ben-1", journey_email("ben@example.org", true)));
	w.base = plain->base;
	struct caller_answer answer = journey_return(&w, w.cookie, TEXT("code=the-code&state=%s", w.state));
	journey_entered(&answer, plain->base, rig.ben.id);
}

/* Several tabs of one browser. */
TEST(test_tabs)
{
	struct journey first = journey_begin(plain->base, NULL, "/auth/oidc/start");
	struct journey second = journey_begin(plain->base, first.cookie, "/auth/oidc/start");

	struct caller_answer answer =
	    journey_end(&second, journey_claims(&second, "ben-1", journey_email("ben@example.org", true)));
	journey_entered(&answer, plain->base, rig.ben.id);
	answer = journey_end(&first, journey_claims(&first, "ben-1", ""));
	journey_entered(&answer, plain->base, rig.ben.id);
	/* The token of one is not that of the other. */
	answer = journey_end(&first, journey_claims(&second, "ben-1", ""));
	journey_failed(&answer, plain->base, "token");
}

TEST(test_answers_of_browsers)
{
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");
	int asked = provider_asked(provider, PROVIDER_TOKEN);
	const char *const cases[] = {
	    TEXT("error=access_denied&state=%s", w.state),
	    TEXT("error=access_denied&code=the-code&state=%s", w.state),
	    TEXT("error=%%0a%%22}&state=%s", w.state),
	    TEXT("state=%s", w.state),
	    TEXT("code=&state=%s", w.state),
	    TEXT("code=the-code&code=the-code&state=%s", w.state),
	    TEXT("code=the-code%%00&state=%s", w.state),
	    TEXT("code=the-code&state=%s&iss=https%%3A%%2F%%2Fevil.example", w.state),
	    TEXT("code=the-code&state=%s&iss=", w.state),
	    TEXT("code=the-code&state=%s&iss=%s&iss=%s", w.state, provider_issuer(provider), provider_issuer(provider)),
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct caller_answer answer = journey_return(&w, w.cookie, cases[i]);
		journey_failed(&answer, plain->base, "provider");
	}
	assert_int_equal(provider_asked(provider, PROVIDER_TOKEN), asked);
	assert_false(server_log_has(plain, "the-code"));
}

static const char *claims_now(
    const struct journey *w, const char *issuer, const char *audience, long issued, long lasts)
{
	return TEXT(
	    "{\"iss\": \"%s\", \"aud\": \"%s\", \"nonce\": \"%s\", \"sub\": \"ben-1\", \"iat\": %ld, \"exp\": %ld, "
	    "\"email\": \"ben@example.org\", \"email_verified\": true}",
	    issuer, audience, w->nonce, issued, issued + lasts);
}

static void expect_token_refused(const struct journey *w, const char *token)
{
	provider_token(provider, token);
	struct caller_answer answer = journey_end(w, "{}");
	journey_failed(&answer, plain->base, "token");
	provider_token(provider, NULL);
}

/* The verifier itself has a test of its own (test/unit/test_id_token.c). */
TEST(test_wrong_tokens)
{
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");
	long now = (long)time(NULL);
	const char *issuer = provider_issuer(provider), *header = "{\"alg\": \"RS256\", \"kid\": \"first\"}";
	const char *good = claims_now(&w, issuer, "kith", now, 300);
	struct token_key *own = token_key_new("RS256");
	const char *const claims[] = {claims_now(&w, "https://evil.example", "kith", now, 300),
	    claims_now(&w, issuer, "crm", now, 300), claims_now(&w, issuer, "kith", now - 400, 300),
	    claims_now(&w, issuer, "kith", now + 100, 300), "{}", "[]"};

	for (size_t i = 0; i < COUNT(claims); i++)
		expect_token_refused(&w, provider_sign(provider, &rig.arena, header, claims[i]));
	expect_token_refused(&w, token_sign(&rig.arena, own, header, good));
	expect_token_refused(&w, token_join(&rig.arena, "{\"alg\": \"none\"}", good, NULL, 0));
	expect_token_refused(&w, token_hmac(&rig.arena, JOURNEY_SECRET, "{\"alg\": \"HS256\"}", good));
	expect_token_refused(&w, "x");
	token_key_free(own);
	struct caller_answer answer = journey_end(&w, good);
	journey_entered(&answer, plain->base, rig.ben.id);
}

/* --- keys ------------------------------------------------------------------------------------------ */

/* New keys are found at the first token that has one. Tokens with invented names make kith ask a few times only. */
TEST(test_keys_change)
{
	struct caller_answer answer = journey_whole(plain->base, "ben-1", journey_email("ben@example.org", true));
	journey_entered(&answer, plain->base, rig.ben.id);
	int asked = provider_asked(provider, PROVIDER_KEYS);

	provider_key(provider, "second");
	answer = journey_whole(plain->base, "ben-1", "");
	journey_entered(&answer, plain->base, rig.ben.id);
	assert_int_equal(provider_asked(provider, PROVIDER_KEYS), asked + 1);
	answer = journey_whole(plain->base, "ben-1", "");
	journey_entered(&answer, plain->base, rig.ben.id);
	assert_int_equal(provider_asked(provider, PROVIDER_KEYS), asked + 1);
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");
	provider_key(provider, "third"); /* while the person is at the provider */
	answer = journey_end(&w, journey_claims(&w, "ben-1", ""));
	journey_entered(&answer, plain->base, rig.ben.id);
	assert_int_equal(provider_asked(provider, PROVIDER_KEYS), asked + 2);
	for (int i = 0; i < 20; i++)
		expect_token_refused(
		    &w, provider_sign(provider, &rig.arena, TEXT("{\"alg\": \"RS256\", \"kid\": \"invented-%d\"}", i),
		            journey_claims(&w, "ben-1", "")));
	assert_true(provider_asked(provider, PROVIDER_KEYS) <= asked + 4);
}

/* --- providers that do not answer as they should ------------------------------------------------------ */

static const struct {
	const char *name;
	struct receiver_behaviour behaviour;
} broken[] = {
    {"reset", {.mode = RECEIVER_RESET}},
    {"garbage", {.mode = RECEIVER_GARBAGE}},
    {"endless", {.mode = RECEIVER_ENDLESS_BODY}},
    {"not found", {.status = 404}},
    {"redirect", {.status = 302, .headers = "Location: http://127.0.0.1:1/\r\n"}},
    {"empty", {.body = ""}},
    {"not JSON", {.body = "<html>"}},
    {"no object", {.body = "[]"}},
    {"empty object", {.body = "{}"}},
    {"half an object", {.body = "{\"id_token\": \"a.b.c\""}},
    {"id_token is not text", {.body = "{\"id_token\": 5}"}},
};

TEST(test_broken_answers_to_codes)
{
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");

	for (size_t i = 0; i < COUNT(broken); i++) {
		provider_behave(provider, PROVIDER_TOKEN, &broken[i].behaviour);
		struct caller_answer answer = journey_end(&w, "{}");
		if (!strstr(journey_location(&answer), "signin-error=provider"))
			fail_msg("%s: %s", broken[i].name, journey_location(&answer));
	}
}

/* Nobody waits longer than the deadline, and others are served meanwhile. */
TEST(test_slow_answers_to_codes)
{
	static const struct receiver_behaviour never = {.mode = RECEIVER_NEVER};
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");

	provider_behave(provider, PROVIDER_TOKEN, &never);
	struct caller_answer answer = journey_end(&w, "{}");
	journey_failed(&answer, plain->base, "provider");
	assert_in_range(answer.took_us, 4000000, 25000000); /* without the deadline there is no answer */
}

/* Each with a server that knows nothing yet. It asks again a little later. */
TEST(test_broken_metadata)
{
	for (size_t i = 0; i < COUNT(broken); i += 2) {
		provider_behave(provider, PROVIDER_METADATA, &broken[i].behaviour);
		struct server_process *s = journey_serve(NULL, NULL);
		struct caller_answer answer = journey_browse(s->base, NULL, "/auth/oidc/start");
		journey_failed(&answer, s->base, "provider");
		assert_true(server_log_has(s, "cannot read the metadata of the identity provider"));
		/* kith does not send the provider a request for each attempt while it does not answer. */
		int asked = provider_asked(provider, PROVIDER_METADATA);
		for (int n = 0; n < 10; n++)
			journey_browse(s->base, NULL, "/auth/oidc/start");
		assert_true(provider_asked(provider, PROVIDER_METADATA) < asked + 5);
		provider_behave(provider, PROVIDER_METADATA, NULL);
		if (i == 0) {
			int64_t until_us = patience_ms(RETRY_MS);
			do
				answer = journey_browse(s->base, NULL, "/auth/oidc/start");
			while (strstr(journey_location(&answer), "signin-error") && patience_pause(until_us));
			answer = journey_whole(s->base, "ben-1", journey_email("ben@example.org", true));
			journey_entered(&answer, s->base, rig.ben.id);
		}
		assert_true(server_stop(s));
	}
}

/* Members that are wrong; a later one of the same name makes the document invalid as a whole. */
TEST(test_wrong_metadata)
{
	const char *issuer = provider_issuer(provider);
	const char *const cases[] = {
	    TEXT("{\"issuer\": \"%s/\", \"authorization_endpoint\": \"%s/a\", \"token_endpoint\": \"%s/t\", "
	         "\"jwks_uri\": "
	         "\"%s/k\"}",
	        issuer, issuer, issuer, issuer),
	    TEXT("{\"issuer\": \"https://evil.example\", \"authorization_endpoint\": \"%s/a\", \"token_endpoint\": "
	         "\"%s/t\", "
	         "\"jwks_uri\": \"%s/k\"}",
	        issuer, issuer, issuer),
	    TEXT("{\"issuer\": \"%s\", \"authorization_endpoint\": \"http://evil.example/a\", \"token_endpoint\": "
	         "\"%s/t\", "
	         "\"jwks_uri\": \"%s/k\"}",
	        issuer, issuer, issuer),
	    TEXT("{\"issuer\": \"%s\", \"authorization_endpoint\": \"javascript:alert(1)\", \"token_endpoint\": "
	         "\"%s/t\", "
	         "\"jwks_uri\": \"%s/k\"}",
	        issuer, issuer, issuer),
	    TEXT("{\"issuer\": \"%s\", \"authorization_endpoint\": \"%s/a\", \"token_endpoint\": \"%s/t\"}", issuer,
	        issuer, issuer),
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct receiver_behaviour b = {.body = cases[i]};
		provider_behave(provider, PROVIDER_METADATA, &b);
		struct server_process *s = journey_serve(NULL, NULL);
		struct caller_answer answer = journey_browse(s->base, NULL, "/auth/oidc/start");
		journey_failed(&answer, s->base, "provider");
		assert_true(server_stop(s));
	}
}

/* The issuer may have an address that webhooks may not. What it names elsewhere may not. */
TEST(test_endpoints_elsewhere)
{
	struct receiver *elsewhere = receiver_start(&(struct receiver_config){0});
	const char *issuer = provider_issuer(provider), *away = receiver_url(elsewhere, "/");

	for (int i = 0; i < 4; i++) {
		const struct receiver_behaviour b = {
		    .body =
		        TEXT("{\"issuer\": \"%s\", \"authorization_endpoint\": \"%s/authorize\", \"token_endpoint\": "
		             "\"%s%s\", \"jwks_uri\": \"%s%s\", \"userinfo_endpoint\": \"%s%s\"}",
		            issuer, issuer, i == 0 ? away : issuer, i == 0 ? "" : "/token", i == 1 ? away : issuer,
		            i == 1 ? "" : "/keys", i == 2 ? away : issuer, i == 2 ? "" : "/userinfo")};
		provider_behave(provider, PROVIDER_METADATA, &b);
		provider_userinfo(provider, TEXT("{\"sub\": \"ben-1\"%s}", journey_email("ben@example.org", true)));
		struct server_process *s = journey_serve(NULL, "webhook_allow_targets=192.0.2.1:443");
		struct caller_answer answer = journey_whole(s->base, "ben-1", "");
		if (i < 2)
			journey_failed(&answer, s->base, "provider");
		else if (i == 2)
			journey_failed(&answer, s->base, "email_not_verified");
		else
			journey_entered(&answer, s->base, rig.ben.id);
		assert_true(server_stop(s));
	}
	assert_int_equal(receiver_connections(elsewhere), 0);
	receiver_stop(elsewhere);
}

/* Processes with different providers run beside each other while the setting is changed. */
TEST(test_two_providers)
{
	struct provider *first = provider,
	                *second = provider_start(&(struct provider_config){.secret = JOURNEY_SECRET});
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");
	struct caller_answer answer;

	provider = second;
	struct server_process *s = journey_serve(NULL, NULL);
	w.base = s->base;
	answer = journey_return(&w, w.cookie, TEXT("code=the-code&state=%s", w.state));
	journey_failed(&answer, s->base, "state");
	assert_int_equal(provider_asked(second, PROVIDER_TOKEN), 0);
	/* One user has an account of each. An account of one is not that of the other, whatever its name there. */
	answer = journey_whole(s->base, "ben-1", journey_email("ben@example.org", true));
	journey_entered(&answer, s->base, rig.ben.id);
	provider = first;
	answer = journey_whole(plain->base, "ben-1", journey_email("ada@example.org", true));
	journey_entered(&answer, plain->base, rig.ada.id);
	provider = second;
	answer = journey_whole(s->base, "ben-1", "");
	journey_entered(&answer, s->base, rig.ben.id);
	assert_true(server_stop(s));
	provider = first;
	provider_stop(second);
}

/* A provider that says that its answers name it is believed only if they do. */
TEST(test_answers_name_the_issuer)
{
	provider_metadata(provider, ", \"authorization_response_iss_parameter_supported\": true");
	struct server_process *s = journey_serve(NULL, NULL);
	struct journey w = journey_begin(s->base, NULL, "/auth/oidc/start");
	struct caller_answer answer =
	    journey_end(&w, journey_claims(&w, "ben-1", journey_email("ben@example.org", true)));
	journey_failed(&answer, s->base, "provider");
	provider_expect(provider, "the-code", w.redirect_uri, w.challenge);
	answer =
	    journey_return(&w, w.cookie, TEXT("code=the-code&state=%s&iss=%s", w.state, provider_issuer(provider)));
	journey_entered(&answer, s->base, rig.ben.id);
	assert_true(server_stop(s));
}

static struct server_process *stopping;

static int asked_before;

/* A person waits for the provider; then the server is told to stop. */
static void stop_return(void *ctx, int i)
{
	const struct journey *w = ctx;

	if (i == 0) {
		struct caller_answer answer = journey_browse(w->base, w->cookie, w->state);
		assert_int_equal(answer.status, 302);
		return;
	}
	await_true(provider_asked(provider, PROVIDER_TOKEN) > asked_before);
	kill(stopping->pid, SIGTERM);
}

TEST(test_stops)
{
	static const struct receiver_behaviour never = {.mode = RECEIVER_NEVER};
	stopping = journey_serve(NULL, NULL);
	struct journey w = journey_begin(stopping->base, NULL, "/auth/oidc/start");

	provider_behave(provider, PROVIDER_TOKEN, &never);
	w.state = TEXT("/auth/oidc/callback?code=the-code&state=%s", w.state);
	asked_before = provider_asked(provider, PROVIDER_TOKEN);
	caller_crowd_run(2, stop_return, &w);
	assert_true(server_stop(stopping));
}

/* --- the log -------------------------------------------------------------------------------------------- */

TEST(test_nothing_secret_is_logged)
{
	struct journey w = journey_begin(plain->base, NULL, "/auth/oidc/start");
	const char *claims = journey_claims(&w, "ben-1", journey_email("ben@example.org", true));
	struct caller_answer answer = journey_end(&w, claims);

	journey_entered(&answer, plain->base, rig.ben.id);
	journey_end(&w, "{}");
	const char *const secrets[] = {JOURNEY_SECRET, "the-code", "secret-access", w.state, w.nonce,
	    w.cookie + strlen("kith-oidc="), journey_cookie(&answer, "kith") + strlen("kith="), "ben@example.org"};
	for (size_t i = 0; i < COUNT(secrets); i++)
		if (server_log_has(plain, secrets[i]))
			fail_msg("the log has %s", secrets[i]);
	assert_true(server_log_has(plain, "could not sign in through the provider (token, request"));
}
