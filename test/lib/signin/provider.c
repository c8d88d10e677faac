/* See provider.h. */
#include "test/lib/signin/provider.h"

#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/query.h"

enum { TEXT_MAX = 32 << 10, COMPLAINT_MAX = 200 };

struct provider {
	struct receiver *receiver;
	pthread_mutex_t lock;
	char issuer[128], root[128], path[64], secret[128]; /* root: the issuer without a slash at its end */
	bool public;
	struct token_key *key;
	char kid[32], more[1024], claims[TEXT_MAX], token[TEXT_MAX], userinfo[TEXT_MAX];
	bool has_token, has_userinfo;
	char code[64], redirect_uri[256], challenge[64];
	bool wrong[PROVIDER_PATHS];
	struct receiver_behaviour behaviours[PROVIDER_PATHS];
	int asked[PROVIDER_PATHS];
	char complaint[COMPLAINT_MAX];
	struct arena arena; /* of answers, up to the end */
};

/* --- what kith sends ------------------------------------------------------------------ */

static void complain_about(struct provider *p, const char *text)
{
	snprintf(p->complaint, sizeof(p->complaint), "%s", text);
}

static bool form_is(const struct query *q, const char *name, const char *value)
{
	const struct query_pair *pair = query_last(q, name);

	return pair ? value && strcmp(pair->value.text, value) == 0 : !value;
}

/* The metadata only offer to send the secret in the form. */
static bool uses_form(const struct provider *p)
{
	return strstr(p->more, "\"client_secret_post\"");
}

/* The header of a confidential client, as curl would write it: the secret has no characters that forms encode. */
static bool is_authorized(struct provider *p, const struct receiver_request *request)
{
	char *value = receiver_header(request, "Authorization"), pair[256], encoded[512] = "Basic ";
	int len = snprintf(pair, sizeof(pair), "kith:%s", p->secret);

	EVP_EncodeBlock((unsigned char *)encoded + strlen(encoded), (unsigned char *)pair, len);
	bool good = p->public || uses_form(p) ? !value : value && strcmp(value, encoded) == 0;
	free(value);
	return good;
}

static const char *challenge_for(struct arena *a, const char *verifier)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned len = 0;

	EVP_Digest(verifier, strlen(verifier), digest, &len, EVP_sha256(), NULL);
	return token_base64url(a, digest, len);
}

/* False: the request is refused. */
static bool accepts_code(struct provider *p, const struct receiver_request *request)
{
	struct query q;
	struct arena a;

	arena_init(&a);
	query_parse(&q, &a, request->body, request->body_len);
	const struct query_pair *verifier = query_last(&q, "code_verifier");
	complain_about(p, "");
	if (strcmp(request->method, "POST") != 0)
		complain_about(p, "not a POST");
	else if (!form_is(&q, "grant_type", "authorization_code"))
		complain_about(p, "grant_type");
	else if (!*p->code || !form_is(&q, "code", p->code))
		complain_about(p, "code");
	else if (!form_is(&q, "redirect_uri", p->redirect_uri))
		complain_about(p, "redirect_uri");
	else if (!verifier || verifier->value.len < 43 ||
	         (*p->challenge && strcmp(challenge_for(&a, verifier->value.text), p->challenge) != 0))
		complain_about(p, "code_verifier");
	else if (!is_authorized(p, request))
		complain_about(p, "Authorization");
	else if (!form_is(&q, "client_id", p->public || uses_form(p) ? "kith" : NULL) ||
	         !form_is(&q, "client_secret", uses_form(p) ? p->secret : NULL))
		complain_about(p, "client_id or client_secret in the form");
	arena_free(&a);
	if (*p->complaint)
		return false;
	if (*p->challenge)
		p->code[0] = '\0';
	return true;
}

/* --- what it answers --------------------------------------------------------------------- */

static struct receiver_behaviour json_answer(const char *text)
{
	return (struct receiver_behaviour){.headers = "Content-Type: application/json\r\n", .body = text};
}

static struct receiver_behaviour answer_metadata(struct provider *p)
{
	return json_answer(arena_printf(&p->arena,
	    "{\"issuer\": \"%s\", \"authorization_endpoint\": \"%s/authorize\", \"token_endpoint\": \"%s/token\", "
	    "\"jwks_uri\": \"%s/keys\", \"userinfo_endpoint\": \"%s/userinfo\"%s}",
	    p->issuer, p->root, p->root, p->root, p->root, p->more));
}

static struct receiver_behaviour answer_keys(struct provider *p)
{
	return json_answer(arena_printf(&p->arena, "{\"keys\": [%s]}",
	    token_key_jwk(&p->arena, p->key,
	        arena_printf(&p->arena, "\"kid\": \"%s\", \"use\": \"sig\", \"alg\": \"RS256\"", p->kid))));
}

static struct receiver_behaviour answer_token(struct provider *p, const struct receiver_request *request)
{
	const char *token = p->token;

	if (!accepts_code(p, request)) {
		struct receiver_behaviour b = json_answer("{\"error\": \"invalid_grant\"}");
		b.status = 400;
		return b;
	}
	if (!p->has_token)
		token = token_sign(&p->arena, p->key,
		    arena_printf(&p->arena, "{\"alg\": \"RS256\", \"kid\": \"%s\"}", p->kid), p->claims);
	return json_answer(arena_printf(&p->arena,
	    "{\"access_token\": \"secret-access\", \"token_type\": \"Bearer\", \"expires_in\": 300, \"id_token\": "
	    "\"%s\"}",
	    token));
}

static struct receiver_behaviour answer_userinfo(struct provider *p, const struct receiver_request *request)
{
	char *bearer = receiver_header(request, "Authorization");
	bool good = p->has_userinfo && bearer && strcmp(bearer, "Bearer secret-access") == 0;

	free(bearer);
	if (good)
		return json_answer(arena_dupz(&p->arena, p->userinfo));
	return (struct receiver_behaviour){.status = 403};
}

static struct receiver_behaviour provider_decide(void *ctx, const struct receiver_request *request)
{
	static const char *const paths[PROVIDER_PATHS] = {
	    "/.well-known/openid-configuration", "/keys", "/token", "/userinfo"};
	struct provider *p = ctx;
	struct receiver_behaviour b = {.status = 404};
	int i = 0;

	pthread_mutex_lock(&p->lock);
	size_t len = strlen(p->path);
	while (i < PROVIDER_PATHS &&
	       (strncmp(request->path, p->path, len) != 0 || strcmp(request->path + len, paths[i]) != 0))
		i++;
	if (i < PROVIDER_PATHS)
		p->asked[i]++;
	if (i == PROVIDER_METADATA)
		b = answer_metadata(p);
	else if (i == PROVIDER_KEYS)
		b = answer_keys(p);
	else if (i == PROVIDER_TOKEN)
		b = answer_token(p, request);
	else if (i == PROVIDER_USERINFO)
		b = answer_userinfo(p, request);
	if (i < PROVIDER_PATHS && p->wrong[i])
		b = p->behaviours[i];
	pthread_mutex_unlock(&p->lock);
	return b;
}

/* --- the interface -------------------------------------------------------------------------- */

struct provider *provider_start(const struct provider_config *config)
{
	struct provider *p = mem_zalloc(sizeof(*p));

	pthread_mutex_init(&p->lock, NULL);
	arena_init(&p->arena);
	p->public = !config->secret;
	snprintf(p->secret, sizeof(p->secret), "%s", config->secret ? config->secret : "");
	p->receiver = receiver_start(&(struct receiver_config){
	    .tls = config->tls ? RECEIVER_TLS : RECEIVER_PLAIN, .decide = provider_decide, .ctx = p});
	snprintf(p->issuer, sizeof(p->issuer), "http%s://127.0.0.1:%d%s", config->tls ? "s" : "",
	    receiver_port(p->receiver), config->path ? config->path : "");
	snprintf(p->path, sizeof(p->path), "%s", config->path ? config->path : "");
	p->path[strlen(p->path) - (*p->path && p->path[strlen(p->path) - 1] == '/')] = '\0';
	snprintf(p->root, sizeof(p->root), "%.*s", (int)(strlen(p->issuer) - (p->issuer[strlen(p->issuer) - 1] == '/')),
	    p->issuer);
	provider_key(p, "first");
	return p;
}

void provider_stop(struct provider *p)
{
	receiver_stop(p->receiver);
	token_key_free(p->key);
	arena_free(&p->arena);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

const char *provider_ca_file(const struct provider *p)
{
	return receiver_ca_file(p->receiver);
}

const char *provider_issuer(const struct provider *p)
{
	return p->issuer;
}

static void text_set(struct provider *p, char *to, size_t size, const char *text)
{
	pthread_mutex_lock(&p->lock);
	snprintf(to, size, "%s", text ? text : "");
	pthread_mutex_unlock(&p->lock);
}

void provider_metadata(struct provider *p, const char *more)
{
	text_set(p, p->more, sizeof(p->more), more);
}

void provider_key(struct provider *p, const char *kid)
{
	struct token_key *fresh = token_key_new("RS256");

	pthread_mutex_lock(&p->lock);
	if (p->key)
		token_key_free(p->key);
	p->key = fresh;
	snprintf(p->kid, sizeof(p->kid), "%s", kid);
	pthread_mutex_unlock(&p->lock);
}

void provider_userinfo(struct provider *p, const char *claims)
{
	text_set(p, p->userinfo, sizeof(p->userinfo), claims);
	p->has_userinfo = claims;
}

void provider_behave(struct provider *p, enum provider_path path, const struct receiver_behaviour *b)
{
	pthread_mutex_lock(&p->lock);
	p->wrong[path] = b;
	if (b)
		p->behaviours[path] = *b;
	pthread_mutex_unlock(&p->lock);
}

void provider_expect(struct provider *p, const char *code, const char *redirect_uri, const char *challenge)
{
	text_set(p, p->code, sizeof(p->code), code);
	text_set(p, p->redirect_uri, sizeof(p->redirect_uri), redirect_uri);
	text_set(p, p->challenge, sizeof(p->challenge), challenge);
}

void provider_claims(struct provider *p, const char *claims)
{
	text_set(p, p->claims, sizeof(p->claims), claims);
}

void provider_token(struct provider *p, const char *token)
{
	text_set(p, p->token, sizeof(p->token), token);
	p->has_token = token;
}

const char *provider_sign(struct provider *p, struct arena *a, const char *header, const char *claims)
{
	pthread_mutex_lock(&p->lock);
	const char *token = token_sign(a, p->key, header, claims);
	pthread_mutex_unlock(&p->lock);
	return token;
}

int provider_asked(struct provider *p, enum provider_path path)
{
	pthread_mutex_lock(&p->lock);
	int n = p->asked[path];
	pthread_mutex_unlock(&p->lock);
	return n;
}

const char *provider_complains(struct provider *p)
{
	return p->complaint;
}
