/* Registration of clients (RFC 7591). Anybody may register: what counts is the consent of a user. Therefore
 * registrations that nobody has used are limited, in total and for an address. A new one is kept for some minutes,
 * however many others come, because its user may be on the page of the consent. */
#include "server/oauth/oauth_private.h"

#include <string.h>
#include <strings.h>

#include "server/request/server.h"
#include "server/signin/attempt.h"
#include "server/signin/browser.h"

enum {
	UNUSED_MAX = 1000, /* besides the new ones */
	USED_MAX = 10 * 1000,
	NEW_MAX = 10 * 1000, /* further ones are refused */
	NEW_MS = 10 * 60 * 1000,
	ADDRESS_MAX = 20, /* in an hour */
	ADDRESS_MS = 60 * 60 * 1000,
	BODY_MAX = 64 << 10,
	URI_MAX = 1000
};

/* What the body asks for. */
struct registration {
	const char *name, *uri, *method;
	const char *redirects[REDIRECT_URIS_MAX];
	size_t lens[REDIRECT_URIS_MAX], n;
};

/* --- the body ------------------------------------------------------------------------------ */

/* Returns false when the member is neither absent nor a text without control characters of at most max code points. */
static bool member_is_text(const struct json *body, const char *name, size_t max, const char **out)
{
	const struct json *m = json_member(body, name);

	*out = NULL;
	if (!m || m->type == JSON_NULL)
		return true;
	if (!oauth_text_plain(m, max))
		return false;
	*out = m->len ? m->text : NULL;
	return true;
}

/* True when the member is absent, or is an array that contains needed and nothing else but needed and other. */
static bool member_has(const struct json *body, const char *name, const char *needed, const char *other)
{
	const struct json *m = json_member(body, name);
	bool found = !m;

	if (m && m->type != JSON_ARRAY)
		return false;
	json_each(item, m) {
		if (item->type != JSON_STRING)
			return false;
		if (strcmp(item->text, needed) == 0)
			found = true;
		else if (!other || strcmp(item->text, other) != 0)
			return false;
	}
	return found;
}

static const char *redirects_read(const struct json *list, struct registration *out)
{
	if (!list || list->type != JSON_ARRAY || !list->first)
		return "redirect_uris is required and must be an array of strings";
	json_each(item, list) {
		const char *wrong;
		if (out->n == REDIRECT_URIS_MAX)
			return "redirect_uris must have at most 10 addresses";
		if (item->type != JSON_STRING)
			return "redirect_uris must be an array of strings";
		wrong = redirect_uri_wrong(item->text, item->has_nul ? 0 : item->len);
		if (wrong)
			return wrong;
		out->redirects[out->n] = item->text;
		out->lens[out->n++] = item->len;
	}
	return NULL;
}

static const char *metadata_read(const struct json *body, struct registration *out)
{
	if (!member_is_text(body, "client_name", OAUTH_NAME_MAX, &out->name))
		return "client_name must be a string of at most 100 characters";
	if (!member_is_text(body, "client_uri", URI_MAX, &out->uri))
		return "client_uri must be a string of at most 1000 characters";
	if (out->uri && strncmp(out->uri, "https://", 8) != 0)
		out->uri = NULL;
	if (!member_is_text(body, "token_endpoint_auth_method", URI_MAX, &out->method))
		return "token_endpoint_auth_method is a text";
	if (!out->method)
		out->method = "client_secret_basic"; /* RFC 7591, section 2 */
	if (strcmp(out->method, "none") != 0 && strcmp(out->method, "client_secret_basic") != 0 &&
	    strcmp(out->method, "client_secret_post") != 0)
		return "token_endpoint_auth_method must be none, client_secret_basic or client_secret_post";
	if (!member_has(body, "grant_types", "authorization_code", "refresh_token"))
		return "grant_types must have authorization_code, and may have refresh_token";
	if (!member_has(body, "response_types", "code", NULL))
		return "response_types must have only code";
	return NULL;
}

/* --- storing ------------------------------------------------------------------------------- */

/* A keyed digest of the client's site, because a row is kept for long. */
static void address_hash(struct req *r, unsigned char hash[SHA256_SIZE])
{
	struct uuid site = attempt_site(r);
	struct hmac h;

	hmac_begin(&h, r->server->cursor_key, sizeof r->server->cursor_key);
	hmac_add(&h, site.b, sizeof site.b);
	hmac_end(&h, hash);
}

static void register_add_values(
    struct req *r, struct sql *s, const struct registration *g, const unsigned char address[SHA256_SIZE])
{
	const struct oauth_client *client = r->state.oauth->client;

	sql_textz(s, client->id);
	sql_add_textz(s, ", ", client->name);
	sql_add_textz(s, ", ", client->uri);
	sql_add(s, ", ");
	sql_text_array(s, g->redirects, g->lens, g->n);
	sql_add(s, ", ");
	sql_bytea(s, client->confidential ? client->secret_hash : NULL, SHA256_SIZE);
	sql_add(s, ", ");
	sql_bytea(s, address, SHA256_SIZE);
}

/* Ends a count of the registrations of an address with the condition that it may make another one. */
static void register_add_limit(struct req *r, struct sql *s)
{
	sql_add_int8(s, " and c.created_at > now() - interval '1 millisecond' * ",
	    config_scaled_ms(r->server->config, ADDRESS_MS));
	sql_addf(s, ") < %d", ADDRESS_MAX);
}

/* A condition: there is room for another new registration. */
static void register_add_room(struct req *r, struct sql *s)
{
	sql_add_int8(s,
	    "(select count(*) from oauth_clients c where c.used_at is null and c.created_at > now() - interval "
	    "'1 millisecond' * ",
	    config_scaled_ms(r->server->config, NEW_MS));
	sql_addf(s, ") < %d", NEW_MAX);
}

/* Deletes the oldest registrations that are too many, after one was made. */
static void register_add_forgotten(struct req *r, struct sql *s)
{
	sql_addf(s,
	    ", forgotten as (delete from oauth_clients where exists (select from made) and client_id in ((select "
	    "client_id from (select client_id, created_at from oauth_clients where used_at is null order by created_at "
	    "desc, client_id offset %d) c where created_at < now() - interval '1 millisecond' * ",
	    UNUSED_MAX - 1);
	sql_int8(s, config_scaled_ms(r->server->config, NEW_MS));
	sql_addf(s,
	    ") union all (select client_id from oauth_clients where used_at is not null order by used_at desc, "
	    "client_id offset %d))) ",
	    USED_MAX);
}

/* Registers; the result is whether it did, and whether there was room. The lock makes processes count together. An
 * address that is over its limit does not wait for it: many such requests would hold the connections for writing. */
static void register_add(struct req *r, const struct registration *g)
{
	struct sql *s = exchange_statement(r, NULL);
	unsigned char address[SHA256_SIZE];

	address_hash(r, address);
	sql_begin_system(s, s->arena, "oauth_register_lock");
	sql_add(s,
	    "select pg_advisory_xact_lock(hashtextextended('oauth registration', 0)) where (select count(*) from "
	    "oauth_clients c where c.address_hash = ");
	sql_bytea(s, address, sizeof address);
	register_add_limit(r, s);
	s = exchange_statement(r, &r->state.oauth->at_client);
	sql_begin_system(s, s->arena, "oauth_register");
	sql_add(s, "with made as (insert into oauth_clients (client_id, name, uri, redirect_uris, secret_hash, "
	           "address_hash) select v.* from (values (");
	register_add_values(r, s, g, address);
	sql_add(s, ")) v (client_id, name, uri, redirect_uris, secret_hash, address_hash) where (select count(*) from "
	           "oauth_clients c where c.address_hash = v.address_hash");
	register_add_limit(r, s);
	sql_add(s, " and ");
	register_add_room(r, s);
	sql_add(s, " returning 1)");
	register_add_forgotten(r, s);
	sql_add(s, "select exists (select from made), ");
	register_add_room(r, s);
}

/* --- the steps ------------------------------------------------------------------------------ */

static struct json *register_body(struct req *r)
{
	const char *type = http_header(r->call, "Content-Type"), *error;
	struct json *body;

	if (!type || strncasecmp(type, "application/json", 16) != 0 || r->in->body_len > BODY_MAX)
		return NULL;
	body = json_read(&r->arena, r->in->body, r->in->body_len, &error);
	return body && body->type == JSON_OBJECT ? body : NULL;
}

static void client_make(struct req *r, struct registration *g)
{
	struct oauth_work *w = r->state.oauth;
	struct oauth_client *client = arena_alloc(&r->arena, sizeof *client);

	client->id = oauth_secret_text("kith_client_", &r->arena);
	client->confidential = strcmp(g->method, "none") != 0;
	client->name = g->name ? g->name : redirect_uri_host(g->redirects[0], &r->arena);
	client->uri = g->uri;
	client->redirects = g->redirects;
	client->n_redirects = g->n;
	if (client->confidential) {
		w->credentials.secret = oauth_secret_text("kith_secret_", &r->arena);
		sha256_digest(w->credentials.secret, strlen(w->credentials.secret), client->secret_hash);
	}
	w->client = client;
}

enum step oauth_register(struct req *r)
{
	struct registration *g = arena_alloc(&r->arena, sizeof *g);
	struct oauth_work *w = oauth_begin(r);
	const struct json *body;
	const char *wrong;

	if (!w)
		return DONE;
	body = register_body(r);
	if (!body)
		return oauth_refuse(r, OAUTH_INVALID_CLIENT_METADATA,
		    "The body must be a JSON object of at most 64 KiB, with Content-Type: application/json");
	wrong = redirects_read(json_member(body, "redirect_uris"), g);
	if (wrong)
		return oauth_refuse(r, OAUTH_INVALID_REDIRECT_URI, wrong);
	wrong = metadata_read(body, g);
	if (wrong)
		return oauth_refuse(r, OAUTH_INVALID_CLIENT_METADATA, wrong);
	client_make(r, g);
	w->credentials.id = g->method;
	register_add(r, g);
	return req_ask(r, DB_WRITE);
}

static void register_array(struct json_out *o, const char *name, const char *const *items, size_t n)
{
	json_key(o, name);
	json_begin_array(o);
	for (size_t i = 0; i < n; i++)
		json_string(o, items[i]);
	json_end_array(o);
}

static enum step register_refuse(struct req *r, bool has_room)
{
	if (!has_room)
		return oauth_refuse(
		    r, OAUTH_UNAVAILABLE, "Very many applications register at present: try again later");
	oauth_refuse(r, OAUTH_TOO_MANY, "An address can register 20 applications in an hour");
	reply_header(r, "Retry-After", "3600");
	return DONE;
}

enum step oauth_registered(struct req *r)
{
	static const char *const grants[] = {"authorization_code", "refresh_token"}, *const responses[] = {"code"};
	const struct oauth_work *w = r->state.oauth;
	const struct oauth_client *client = w->client;
	struct json_out *o;

	if (!db_bool(r->db.last, w->at_client, 0, 0))
		return register_refuse(r, db_bool(r->db.last, w->at_client, 0, 1));
	o = oauth_json(r, 201);
	json_add_string(o, "client_id", client->id);
	json_add_int(o, "client_id_issued_at", req_now_ms(r) / 1000);
	if (client->confidential) {
		json_add_string(o, "client_secret", w->credentials.secret);
		json_add_int(o, "client_secret_expires_at", 0);
	}
	json_add_string(o, "client_name", client->name);
	if (client->uri)
		json_add_string(o, "client_uri", client->uri);
	register_array(o, "redirect_uris", client->redirects, client->n_redirects);
	json_add_string(o, "token_endpoint_auth_method", w->credentials.id);
	register_array(o, "grant_types", grants, 2);
	register_array(o, "response_types", responses, 1);
	return oauth_json_end(r);
}
