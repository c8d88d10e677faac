/* The browser returns from the provider with a code, which kith redeems for an ID token. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/signin/oidc_private.h"

enum { CODE_MAX = 4096, FORM_MAX = 32 << 10, WORD_MAX = 60 };

/* --- the answer of the browser --------------------------------------------------------- */

/* The parameter, which must have been sent exactly once. */
static const struct query_text *only_parameter(const struct query *q, const char *name)
{
	const struct query_text *found = NULL;
	int n = 0;

	for (size_t i = 0; i < q->count; i++)
		if (strcmp(q->pairs[i].key.text, name) == 0) {
			found = &q->pairs[i].value;
			n++;
		}
	return n == 1 && found->len && !found->has_nul && !found->bad_utf8 ? found : NULL;
}

static bool has_parameter(const struct query *q, const char *name)
{
	return query_last(q, name);
}

/* A code of an error for the log: only what such codes consist of (RFC 6749, section 4.1.2.1). */
static const char *error_word(struct arena *a, const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz_");

	return text[len] == '\0' && len <= WORD_MAX ? arena_dupz(a, text) : "a text that is not a code";
}

static enum step return_counted(struct req *r)
{
	enum step counted = attempt_asked(r, &((struct oidc_work *)r->state.oidc)->counted);

	return counted == PASS ? oidc_provider_ask(r) : counted;
}

/* An answer of another provider could make kith send its code to the wrong one (RFC 9207). */
static bool issuer_fits(const struct req *r, const struct oidc_work *w)
{
	const struct query_text *iss = only_parameter(&r->given.query, "iss");

	if (!has_parameter(&r->given.query, "iss"))
		return !w->endpoints.says_issuer;
	return iss && strcmp(iss->text, r->server->oidc->issuer) == 0;
}

/* The person is not to blame for it. */
static enum step oidc_unavailable(struct req *r, const char *cause)
{
	attempt_take_back(r, &r->state.oidc->counted);
	return oidc_fail(r, oidc_provider_failed, cause);
}

/* --- the code --------------------------------------------------------------------------- */

static void form_add(struct buf *form, const char *name, const char *value)
{
	buf_printf(form, "%s%s=", form->len ? "&" : "", name);
	text_percent_encode(form, value, strlen(value));
}

/* Basic, of the id and the secret in the encoding of forms (RFC 6749, section 2.3.1). */
static const char *basic_of(struct arena *a, const struct oidc *o)
{
	struct buf pair, text;
	const char *out;

	buf_init(&pair, FORM_MAX);
	buf_init(&text, FORM_MAX);
	text_percent_encode(&pair, o->client_id, strlen(o->client_id));
	buf_addc(&pair, ':');
	text_percent_encode(&pair, o->secret, strlen(o->secret));
	buf_addz(&text, "Basic ");
	text_base64(&text, pair.data, pair.len);
	out = arena_dupz(a, text.data);
	buf_free(&pair);
	buf_free(&text);
	return out;
}

static enum step code_redeem(struct req *r)
{
	const struct oidc *o = r->server->oidc;
	const struct oidc_work *w = r->state.oidc;
	bool basic = o->secret && w->endpoints.basic;
	struct fetch_request q = {.url = w->endpoints.token, .rules = o->rules};
	struct buf form;
	enum step step;

	buf_init(&form, FORM_MAX);
	form_add(&form, "grant_type", "authorization_code");
	form_add(&form, "code", w->code);
	form_add(&form, "redirect_uri", oidc_redirect_uri(r));
	form_add(&form, "code_verifier", w->attempt.verifier);
	if (!basic)
		form_add(&form, "client_id", o->client_id);
	if (o->secret && !basic)
		form_add(&form, "client_secret", o->secret);
	q.form = form.data;
	q.authorization = basic ? basic_of(&r->arena, o) : NULL;
	step = oidc_fetch(r, &q);
	buf_free(&form);
	return step;
}

static enum step oidc_redeem(struct req *r)
{
	struct oidc_work *w = r->state.oidc;
	const struct query *q = &r->given.query;
	const struct query_text *code = only_parameter(q, "code"), *error = only_parameter(q, "error");

	if (!oidc_provider_read(r, &w->endpoints))
		return oidc_unavailable(r, "its metadata could not be read: see an earlier line");
	if (!issuer_fits(r, w))
		return oidc_fail(r, oidc_provider_failed, "the answer is from another provider (iss)");
	if (has_parameter(q, "error"))
		return oidc_fail(r, oidc_provider_failed,
		    arena_printf(
		        &r->arena, "it answered with the error %s", error_word(&r->arena, error ? error->text : "")));
	if (!code || code->len > CODE_MAX)
		return oidc_fail(r, oidc_provider_failed, "its answer has no code");
	w->code = code->text;
	return code_redeem(r);
}

/* --- the token -------------------------------------------------------------------------- */

static enum step oidc_token(struct req *r)
{
	struct oidc_work *w = r->state.oidc;
	const struct json *token = json_typed(w->answer.json, "id_token", JSON_STRING);
	const char *error = json_text(w->answer.json, "error");

	if (!w->answer.ok)
		return oidc_fail(r, oidc_provider_failed,
		    arena_printf(&r->arena, "it did not accept the code: %s%s%s", w->answer.why, *error ? ", " : "",
		        *error ? error_word(&r->arena, error) : ""));
	if (!token)
		return oidc_fail(
		    r, oidc_provider_failed, "its answer has no id_token: check that oidc_scopes has openid");
	w->token = token->text;
	w->token_len = token->len;
	w->access_token = json_text(w->answer.json, "access_token");
	return oidc_keys_ask(r);
}

/* Asks for what the token does not say of the person. Many providers tell it only there. */
static enum step userinfo_ask(struct req *r)
{
	struct oidc_work *w = r->state.oidc;

	if (w->person.email || !w->endpoints.userinfo || !*w->access_token)
		return PASS;
	w->fetched_person = true;
	return oidc_fetch(r, &(struct fetch_request){.url = w->endpoints.userinfo,
	                         .rules = r->server->oidc->rules,
	                         .authorization = arena_printf(&r->arena, "Bearer %s", w->access_token)});
}

static enum step oidc_verify(struct req *r)
{
	const struct oidc *o = r->server->oidc;
	struct oidc_work *w = r->state.oidc;
	const struct json *keys = oidc_keys_read(r);
	const struct id_token_expected expected = {
	    .issuer = o->issuer, .client_id = o->client_id, .nonce = w->attempt.nonce, .now_s = clock_now_ms() / 1000};
	const char *why;
	enum step step;

	if (!keys)
		return oidc_unavailable(r, "its keys could not be read: see an earlier line");
	switch (id_token_verify(&r->arena, w->token, w->token_len, keys, &expected, &w->person, &why)) {
	case ID_TOKEN_VALID:
		return userinfo_ask(r);
	case ID_TOKEN_UNKNOWN_KEY:
		if (!w->keys_anew && oidc_keys_anew(r, &step)) {
			w->keys_anew = true;
			r->next--; /* this step again, with newer keys */
			return step;
		}
		break;
	case ID_TOKEN_INVALID:
		break;
	}
	return oidc_fail(r, oidc_token_wrong, arena_printf(&r->arena, "its ID token was not accepted: %s", why));
}

/* What the provider says of the access token's owner counts only if that is the token's subject (OpenID Connect Core,
 * section 5.3.2). Without it, a linked account can still sign in. */
static enum step oidc_person(struct req *r)
{
	struct oidc_work *w = r->state.oidc;
	const struct json *subject = json_typed(w->answer.json, "sub", JSON_STRING);
	const char *name = w->person.name;

	if (w->fetched_person && w->answer.ok && subject && !subject->has_nul &&
	    strcmp(subject->text, w->person.subject) == 0)
		id_token_read_person(w->answer.json, r->server->oidc->issuer, &w->person);
	if (!w->person.name)
		w->person.name = name;
	return oidc_workspace_ask(r);
}

/* --- the steps ---------------------------------------------------------------------------- */

/* An answer, also one with an error, must belong to this browser. Others are refused before they count: a page of
 * another site can make browsers send them, and could stop everybody in the visitor's network from signing in. */
enum step oidc_return(struct req *r)
{
	static step_fn *const steps[] = {
	    return_counted, oidc_redeem, oidc_token, oidc_verify, oidc_person, oidc_workspace, oidc_enter};
	struct oidc_work *w = oidc_begin(r);
	const struct query_text *state;

	if (!w)
		return DONE;
	state = only_parameter(&r->given.query, "state");
	if (!state || !oidc_state_open(r, state, &w->attempt))
		return oidc_fail(r, oidc_state_wrong,
		    "the answer does not belong to a sign-in that this browser began in the last 10 minutes");
	r->next = steps;
	return attempt_ask(r, &w->counted, NULL, 0);
}
