#include "test/lib/http/oauth_walk.h"

#include <string.h>

#include "server/base/crypto.h"
#include "server/base/text.h"
#include "test/lib/test.h"

void oauth_walk_init(struct oauth_walk *w, struct arena *a, const char *base)
{
	*w = (struct oauth_walk){.arena = a, .base = base};
	w->resource = arena_printf(a, "%s/mcp", base);
}

/* --- requests -------------------------------------------------------------------------------- */

int oauth_send(
    struct oauth_walk *w, const char *method, const char *target, const struct client_header *headers, const char *body)
{
	struct client_request q = {
	    .method = method, .target = target, .body = body, .body_len = body ? strlen(body) : 0};
	struct client *c = client_new(w->base);
	const char *problem;
	char error[256];

	for (; headers && headers->name; headers++)
		q.headers[q.n_headers++] = *headers;
	if (!client_send(c, w->arena, &q, &w->reply, error))
		w->reply.status = 0;
	client_free(c);
	w->json = w->reply.body_len ? json_read(w->arena, w->reply.body, w->reply.body_len, &problem) : NULL;
	return w->reply.status;
}

int oauth_post(struct oauth_walk *w, const char *target, const char *form)
{
	const struct client_header headers[] = {{"Content-Type", "application/x-www-form-urlencoded"}, {NULL, NULL}};

	return oauth_send(w, "POST", target, headers, form);
}

int oauth_call(struct oauth_walk *w, const char *method, const char *target, const char *body)
{
	const struct client_header headers[] = {{"Authorization", arena_printf(w->arena, "Bearer %s", w->access)},
	    {"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}, {NULL, NULL}};

	return oauth_send(w, method, target, headers, body);
}

const char *oauth_member(const struct oauth_walk *w, const char *name)
{
	return json_text(w->json, name);
}

const char *oauth_header(const struct oauth_walk *w, const char *name)
{
	const char *value = client_header(&w->reply, name);

	return value ? value : "";
}

/* --- the walk -------------------------------------------------------------------------------- */

void oauth_walk_register(struct oauth_walk *w, const char *method)
{
	const struct client_header headers[] = {{"Content-Type", "application/json"}, {NULL, NULL}};

	assert_int_equal(oauth_send(w, "POST", "/oauth/register", headers,
	                     arena_printf(w->arena,
	                         "{\"client_name\":\"Helper <b>\",\"redirect_uris\":[\"" OAUTH_REDIRECT
	                         "\"],\"token_endpoint_auth_method\":\"%s\"}",
	                         method)),
	    201);
	w->id = oauth_member(w, "client_id");
	w->secret = *oauth_member(w, "client_secret") ? oauth_member(w, "client_secret") : NULL;
}

/* base64url of the SHA-256. */
static const char *walk_challenge(struct arena *a)
{
	unsigned char digest[SHA256_SIZE];
	struct buf text;
	const char *copy;

	sha256_digest(OAUTH_VERIFIER, strlen(OAUTH_VERIFIER), digest);
	buf_init(&text, 100);
	text_base64url(&text, digest, sizeof digest);
	copy = arena_dupz(a, text.data);
	buf_free(&text);
	return copy;
}

const char *oauth_walk_path(struct oauth_walk *w, const char *more)
{
	return arena_printf(w->arena,
	    "/oauth/authorize?response_type=code&client_id=%s&redirect_uri=" OAUTH_REDIRECT
	    "&code_challenge=%s&code_challenge_method=S256&state=xyz%s%s%s%s%s",
	    w->id, walk_challenge(w->arena), w->resource ? "&resource=" : "", w->resource ? w->resource : "",
	    w->scope ? "&scope=" : "", w->scope ? w->scope : "", more);
}

/* The value of the form's hidden field; "" without. */
static const char *walk_token(struct oauth_walk *w)
{
	static const char before[] = "name=\"token\" value=\"";
	const char *at = strstr(w->reply.body, before);

	return at ? arena_dup(w->arena, at + sizeof before - 1, strcspn(at + sizeof before - 1, "\"")) : "";
}

static int walk_browse(struct oauth_walk *w, const char *method, const char *path, const char *form)
{
	struct client_header headers[4] = {{"Content-Type", "application/x-www-form-urlencoded"}};
	int n = 1;

	if (w->session)
		headers[n++] = (struct client_header){"Cookie", arena_printf(w->arena, "kith=%s", w->session)};
	if (form)
		headers[n++] = (struct client_header){"Origin", w->base};
	return oauth_send(w, method, path, headers, form);
}

int oauth_walk_decide(struct oauth_walk *w, const char *path, const char *decision)
{
	if (walk_browse(w, "GET", path, NULL) != 200 || !decision)
		return w->reply.status;
	return walk_browse(w, "POST", path, arena_printf(w->arena, "token=%s&%s", walk_token(w), decision));
}

void oauth_walk_consent(struct oauth_walk *w)
{
	static const char before[] = OAUTH_REDIRECT "?code=";
	const char *to;

	assert_int_equal(oauth_walk_decide(w, oauth_walk_path(w, ""),
	                     "decision=allow&may_read=1&may_write=1&may_delete=1&may_admin=1"),
	    303);
	to = oauth_header(w, "Location");
	assert_int_equal(strncmp(to, before, sizeof before - 1), 0);
	w->code = arena_dup(w->arena, to + sizeof before - 1, strcspn(to + sizeof before - 1, "&"));
}

static int walk_tokens(struct oauth_walk *w, const char *form)
{
	const char *secret = w->secret ? arena_printf(w->arena, "&client_secret=%s", w->secret) : "";

	if (oauth_post(w, "/oauth/token", arena_printf(w->arena, "client_id=%s%s&%s", w->id, secret, form)) == 200) {
		w->access = oauth_member(w, "access_token");
		w->refresh = oauth_member(w, "refresh_token");
	}
	return w->reply.status;
}

int oauth_walk_exchange(struct oauth_walk *w)
{
	return walk_tokens(w,
	    arena_printf(w->arena,
	        "grant_type=authorization_code&code=%s&code_verifier=" OAUTH_VERIFIER "&redirect_uri=" OAUTH_REDIRECT,
	        w->code));
}

int oauth_walk_refresh(struct oauth_walk *w, const char *token)
{
	return walk_tokens(w, arena_printf(w->arena, "grant_type=refresh_token&refresh_token=%s", token));
}

void oauth_walk_connect(struct oauth_walk *w)
{
	oauth_walk_register(w, "none");
	oauth_walk_consent(w);
	assert_int_equal(oauth_walk_exchange(w), 200);
}

static int walk_ping(struct oauth_walk *w)
{
	return oauth_call(w, "POST", "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
}

void oauth_walk_works(struct oauth_walk *w)
{
	assert_int_equal(walk_ping(w), 200);
}

void oauth_walk_ended(struct oauth_walk *w)
{
	assert_int_equal(walk_ping(w), 401);
	assert_non_null(strstr(oauth_header(w, "WWW-Authenticate"), "error=\"invalid_token\""));
	assert_int_equal(oauth_walk_refresh(w, w->refresh), 400);
	assert_string_equal(oauth_member(w, "error"), "invalid_grant");
}
