/* See journey.h. */
#include "test/lib/signin/journey.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "server/base/clock.h"
#include "server/base/json.h"

struct provider *provider;

static char secret_file[300];

void journey_open(void)
{
	provider = provider_start(&(struct provider_config){.secret = JOURNEY_SECRET});
	snprintf(secret_file, sizeof(secret_file), "%s/client-secret", rig.program->data_dir);
	rig_write(secret_file, JOURNEY_SECRET "\n");
}

void journey_close(void)
{
	rig_stop(&rig);
	provider_stop(provider);
}

void journey_reset(void)
{
	provider_metadata(provider, "");
	provider_token(provider, NULL);
	provider_userinfo(provider, NULL);
	for (int i = 0; i < PROVIDER_PATHS; i++)
		provider_behave(provider, i, NULL);
	SQL("delete from oidc_links");
	SQL("delete from sign_in_failures");
}

struct server_process *journey_serve(const char *domains, const char *more)
{
	char *issuer = arena_printf(&rig.arena, "oidc_issuer=%s", provider_issuer(provider));
	char *file = arena_printf(&rig.arena, "oidc_client_secret_file=%s", secret_file);
	const char *settings[8] = {issuer, "oidc_client_id=kith", file}, **next = &settings[3];

	if (domains)
		*next++ = arena_printf(&rig.arena, "oidc_domains=%s", domains);
	if (more)
		*next++ = more;
	return rig_serve(&rig, false, settings);
}

struct caller_answer journey_browse(const char *base, const char *cookie, const char *target)
{
	struct client *client = client_new(base);
	struct client_request q = {.method = "GET", .target = target};
	struct caller_answer answer = {0};
	int64_t begun = clock_mono_us();

	if (cookie)
		q.headers[q.n_headers++] = (struct client_header){"Cookie", cookie};
	if (!client_send(client, &rig.arena, &q, &answer.reply, answer.error))
		fail_msg("%s: %s", target, answer.error);
	client_free(client);
	answer.status = answer.reply.status;
	answer.took_us = clock_mono_us() - begun;
	return answer;
}

const char *journey_location(const struct caller_answer *answer)
{
	const char *to = client_header(&answer->reply, "Location");

	return to ? to : "";
}

const char *journey_cookie(const struct caller_answer *answer, const char *name)
{
	for (size_t i = 0; i < answer->reply.n_headers; i++) {
		const char *value = answer->reply.headers[i].value;
		if (strcasecmp(answer->reply.headers[i].name, "Set-Cookie") == 0 &&
		    strncmp(value, name, strlen(name)) == 0 && value[strlen(name)] == '=')
			return arena_dup(&rig.arena, value, strcspn(value, ";"));
	}
	return NULL;
}

const char *journey_parameter(const struct query *q, const char *name)
{
	const struct query_pair *p = query_last(q, name);

	return p ? p->value.text : "";
}

struct journey journey_begin(const char *base, const char *cookie, const char *target)
{
	struct caller_answer answer = journey_browse(base, cookie, target);
	struct journey w = {.base = base};

	assert_int_equal(answer.status, 302);
	const char *to = journey_location(&answer), *issuer = provider_issuer(provider);
	int len = (int)strlen(issuer) - (issuer[strlen(issuer) - 1] == '/');
	const char *page = TEXT("%.*s/authorize?", len, issuer);
	if (strncmp(to, page, strlen(page)) != 0)
		fail_msg("%s", to);
	query_parse(&w.query, &rig.arena, to + strlen(page), strlen(to + strlen(page)));
	w.cookie = journey_cookie(&answer, "kith-oidc");
	assert_non_null(w.cookie);
	w.state = journey_parameter(&w.query, "state");
	w.nonce = journey_parameter(&w.query, "nonce");
	w.challenge = journey_parameter(&w.query, "code_challenge");
	w.redirect_uri = journey_parameter(&w.query, "redirect_uri");
	return w;
}

struct caller_answer journey_return(const struct journey *w, const char *cookie, const char *parameters)
{
	return journey_browse(w->base, cookie, TEXT("/auth/oidc/callback?%s", parameters));
}

const char *journey_claims(const struct journey *w, const char *subject, const char *more)
{
	long now = (long)time(NULL);

	return TEXT(
	    "{\"iss\": \"%s\", \"aud\": \"kith\", \"nonce\": \"%s\", \"sub\": \"%s\", \"iat\": %ld, \"exp\": %ld%s}",
	    provider_issuer(provider), w->nonce, subject, now, now + 300, more);
}

const char *journey_email(const char *email, bool verified)
{
	return TEXT(", \"email\": \"%s\", \"email_verified\": %s", email, verified ? "true" : "false");
}

struct caller_answer journey_end(const struct journey *w, const char *claims)
{
	provider_expect(provider, "the-code", w->redirect_uri, w->challenge);
	provider_claims(provider, claims);
	return journey_return(w, w->cookie, TEXT("code=the-code&state=%s", w->state));
}

struct caller_answer journey_whole(const char *base, const char *subject, const char *more)
{
	struct journey w = journey_begin(base, NULL, "/auth/oidc/start");

	return journey_end(&w, journey_claims(&w, subject, more));
}

void journey_failed(const struct caller_answer *answer, const char *base, const char *word)
{
	const char *to = TEXT("%s/console#signin-error=%s", base, word);

	if (answer->status != 302 || strcmp(journey_location(answer), to) != 0)
		fail_msg("%d %s, not %s; %s", answer->status, journey_location(answer), word, answer->reply.body);
	assert_null(journey_cookie(answer, "kith"));
}

/* The id of the user whose session it is. */
static const char *journey_session_user(const char *base, const char *cookie)
{
	const struct client_header headers[] = {{"Cookie", cookie}, {"X-Kith-Console", "1"}, {NULL, NULL}};
	struct caller browser;
	const char *error;

	caller_init(&browser, base, NULL);
	struct caller_answer a = caller_good(caller_send_with(&browser, "GET", "/v1/session", NULL, headers));
	const struct json *body = json_read(&rig.arena, a.reply.body, a.reply.body_len, &error);
	caller_free(&browser);
	return json_text(json_member(json_member(body, "data"), "user"), "id");
}

void journey_entered(const struct caller_answer *answer, const char *base, const char *user)
{
	const char *cookie = journey_cookie(answer, "kith");

	if (answer->status != 302 || !cookie)
		fail_msg("%d %s %s", answer->status, journey_location(answer), answer->reply.body);
	assert_string_equal(journey_session_user(base, cookie), user);
}
