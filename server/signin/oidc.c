/* The settings of OpenID Connect, and the way to the provider; see oidc.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/crypto.h"
#include "server/base/log.h"
#include "server/base/text.h"
#include "server/request/reply.h"
#include "server/request/session_cookie.h"
#include "server/signin/oidc_private.h"

enum { SECRET_MAX = 4096, URL_MAX = 8192 };

const char oidc_provider_failed[] = "provider", oidc_state_wrong[] = "state", oidc_token_wrong[] = "token",
           oidc_email_unverified[] = "email_not_verified", oidc_not_allowed[] = "not_allowed",
           oidc_account_linked[] = "account_linked", oidc_moving[] = "moving";

/* --- settings ----------------------------------------------------------------------- */

static bool oidc_refuse(const char *setting, const char *why)
{
	fprintf(stderr, "kith: %s: %s\n", setting, why);
	return false;
}

/* Reads the client's secret: the text of the file, without the line break at its end. */
static bool read_secret(struct oidc *o, const char *path)
{
	FILE *f = fopen(path, "re");
	char text[SECRET_MAX + 1];
	size_t len = f ? fread(text, 1, sizeof text, f) : 0;
	bool failed = !f || ferror(f);

	if (f)
		fclose(f);
	if (failed) {
		fprintf(stderr, "kith: oidc_client_secret_file: cannot read %s: %s\n", path, strerror(errno));
		return false;
	}
	while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		len--;
	if (len == 0 || len > SECRET_MAX || memchr(text, '\0', len) || memchr(text, '\n', len))
		return oidc_refuse("oidc_client_secret_file", "the file must have one line, the secret");
	o->secret = mem_zalloc(len + 1);
	memcpy(o->secret, text, len);
	crypto_wipe(text, sizeof text);
	return true;
}

/* The issuer may have an address that webhooks may not. Plain http is only for the loopback, or for a host that
 * webhook_allow_targets names. */
static bool allow_issuer(struct oidc *o)
{
	const char *allowed = o->server->config->webhook_allow_targets, *error;
	struct arena a;
	struct target t;

	if (target_parse(&t, o->server->target_rules, o->issuer, strlen(o->issuer)) == TARGET_MALFORMED)
		return oidc_refuse("oidc_issuer", "it is not a URL that can be fetched");
	if (!t.tls && !target_plain_allowed(o->server->target_rules, &t))
		return oidc_refuse("oidc_issuer",
		    "http is only allowed on loopback, or for a host:port named in webhook_allow_targets: use https");
	arena_init(&a);
	bool v6 = t.literal && strchr(t.host, ':');
	o->rules = target_rules_parse(arena_printf(&a, "%s%s%s%s%s:%d", allowed ? allowed : "", allowed ? "," : "",
	                                  v6 ? "[" : "", t.host, v6 ? "]" : "", t.port),
	    &error);
	arena_free(&a);
	return o->rules || oidc_refuse("webhook_allow_targets", error);
}

bool oidc_open(struct server *s)
{
	const struct config *c = s->config;
	struct oidc *o;

	if (!c->oidc_issuer)
		return true;
	if (!c->oidc_client_id)
		return oidc_refuse(
		    "oidc_client_id", "set the id that the provider has given to kith, or unset oidc_issuer");
	s->oidc = o = mem_zalloc(sizeof *o);
	o->server = s;
	o->issuer = c->oidc_issuer;
	o->client_id = c->oidc_client_id;
	o->scopes = c->oidc_scopes;
	o->domains = c->oidc_domains;
	o->has_workspace = c->oidc_workspace;
	if (c->oidc_workspace)
		id_parse(ID_WORKSPACE, c->oidc_workspace, strlen(c->oidc_workspace), &o->workspace);
	oidc_documents_init(o);
	if (!allow_issuer(o) || (c->oidc_client_secret_file && !read_secret(o, c->oidc_client_secret_file)))
		return false;
	oidc_provider_try(o);
	return true;
}

void oidc_close(struct oidc *o)
{
	if (!o)
		return;
	oidc_documents_free(o);
	free(o->rules);
	if (o->secret)
		crypto_wipe(o->secret, strlen(o->secret));
	free(o->secret);
	free(o);
}

/* --- answers -------------------------------------------------------------------------- */

static enum step redirect_to(struct req *r, const char *url)
{
	r->reply.status = 302;
	reply_header(r, "Location", url);
	reply_header(r, "Cache-Control", "no-store");
	return DONE;
}

enum step oidc_fail(struct req *r, const char *word, const char *cause)
{
	log_warn("signin", "a person could not sign in through the provider (%s, request %s): %s", word, r->request_id,
	    cause);
	reply_forget(&r->reply);
	return redirect_to(r, arena_printf(&r->arena, "%s/console#signin-error=%s", req_base_url(r), word));
}

static bool oidc_allowed(struct req *r)
{
	enum sign_in_at at = session_cookie_at(r);

	if (!r->server->oidc)
		reply_error(r, ERROR_NOT_FOUND, "No OpenID Connect provider is set up (setting oidc_issuer)");
	else if (at == SIGN_IN_NOWHERE)
		reply_error(r, ERROR_FORBIDDEN,
		    "Signing in needs HTTPS: serve kith behind TLS and set public_url to its https:// address");
	else if (at == SIGN_IN_HTTPS && !r->server->config->public_url)
		reply_error(r, ERROR_FORBIDDEN, "Signing in through a provider needs the setting public_url");
	else
		return true;
	return false;
}

const char *oidc_redirect_uri(struct req *r)
{
	return arena_printf(&r->arena, "%s/auth/oidc/callback", req_base_url(r));
}

/* --- the start ------------------------------------------------------------------------ */

/* The path of this server where the person wants to be afterwards. Anything else is ignored. */
static const char *wanted_path(struct req *r)
{
	const struct query_pair *p = query_last(&r->given.query, "returnTo");
	const char *path = p ? p->value.text : "";

	if (!p || p->value.len > OIDC_RETURN_MAX || path[0] != '/' || path[1] == '/' || strlen(path) != p->value.len)
		return "/console";
	for (const char *c = path; *c; c++)
		if (*c <= 0x20 || *c > 0x7e || *c == '\\')
			return "/console";
	return path;
}

struct oidc_work *oidc_begin(struct req *r)
{
	struct oidc_work *w = arena_alloc(&r->arena, sizeof *w);

	if (!oidc_allowed(r))
		return NULL;
	r->state.oidc = w;
	w->r = r;
	list_init(&w->link);
	query_parse(&r->given.query, &r->arena, r->given.raw_query, r->given.raw_query_len);
	return w;
}

/* A start does not count as an attempt, because many people of one network may be at the provider at the same time. */
enum step oidc_start(struct req *r)
{
	struct oidc_work *w = oidc_begin(r);

	return w ? attempt_look(r, &w->counted) : DONE;
}

enum step oidc_start_provider(struct req *r)
{
	enum step counted = attempt_asked(r, &r->state.oidc->counted);

	return counted == PASS ? oidc_provider_ask(r) : counted;
}

static void add_parameter(struct buf *url, const char *name, const char *value)
{
	buf_printf(url, "&%s=", name);
	text_percent_encode(url, value, strlen(value));
}

/* Proof Key for Code Exchange (RFC 7636): only a client that has the verifier can redeem the code. */
static const char *challenge_of(struct arena *a, const char *verifier)
{
	unsigned char digest[SHA256_SIZE];
	struct buf text;
	char *out;

	sha256_digest(verifier, strlen(verifier), digest);
	buf_init(&text, 64);
	text_base64url(&text, digest, sizeof digest);
	out = arena_dup(a, text.data, text.len);
	buf_free(&text);
	return out;
}

enum step oidc_send_away(struct req *r)
{
	const struct oidc *o = r->server->oidc;
	struct oidc_work *w = r->state.oidc;
	struct oidc_attempt attempt;
	const char *state, *where;
	struct buf url;

	if (!oidc_provider_read(r, &w->endpoints))
		return oidc_fail(r, oidc_provider_failed, "its metadata are not known, see above");
	state = oidc_state_make(r, wanted_path(r), &attempt);
	buf_init(&url, URL_MAX);
	buf_printf(&url, "%s%cresponse_type=code", w->endpoints.authorization,
	    strchr(w->endpoints.authorization, '?') ? '&' : '?');
	add_parameter(&url, "client_id", o->client_id);
	add_parameter(&url, "redirect_uri", oidc_redirect_uri(r));
	add_parameter(&url, "scope", o->scopes);
	add_parameter(&url, "state", state);
	add_parameter(&url, "nonce", attempt.nonce);
	add_parameter(&url, "code_challenge", challenge_of(&r->arena, attempt.verifier));
	add_parameter(&url, "code_challenge_method", "S256");
	where = url.overflow ? NULL : arena_dup(&r->arena, url.data, url.len);
	buf_free(&url);
	return where ? redirect_to(r, where) : oidc_fail(r, oidc_provider_failed, "the URL of its page is too long");
}
