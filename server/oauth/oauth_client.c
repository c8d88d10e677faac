/* Who a client is: its registration, and its proof at the token and revocation endpoints. */
#include "server/oauth/oauth_private.h"

#include <string.h>
#include <strings.h>

#include "server/base/text.h"

enum { CREDENTIALS_MAX = 4096 };

bool oauth_client_is_document(const char *id)
{
	return strncmp(id, "https://", 8) == 0 || strncmp(id, "http://", 7) == 0;
}

bool oauth_text_plain(const struct json *text, size_t max)
{
	if (text->type != JSON_STRING || text->has_nul || text_code_points(text->text, text->len) > max)
		return false;
	for (const char *c = text->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return false;
	return true;
}

/* --- registered clients ---------------------------------------------------------------------- */

void oauth_client_ask(struct req *r, const char *id, int *at)
{
	struct sql *s = exchange_statement(r, at);

	sql_begin_system(s, s->arena, "oauth_client");
	sql_add_textz(s, "select name, uri, secret_hash, redirect_uris from oauth_clients where client_id = ", id);
}

struct oauth_client *oauth_client_load(struct req *r, const char *id, int at)
{
	enum { NAME, URI, SECRET, REDIRECTS };
	const struct db_exchange *x = r->db.last;
	struct oauth_client *c;
	size_t *lens;

	if (db_rows(x, at) == 0)
		return NULL;
	c = arena_alloc(&r->arena, sizeof *c);
	c->id = id;
	c->name = arena_dupz(&r->arena, db_text(x, at, 0, NAME, NULL));
	if (!db_null(x, at, 0, URI))
		c->uri = arena_dupz(&r->arena, db_text(x, at, 0, URI, NULL));
	c->confidential = !db_null(x, at, 0, SECRET);
	if (c->confidential)
		memcpy(c->secret_hash, db_text(x, at, 0, SECRET, NULL), SHA256_SIZE);
	c->n_redirects = db_text_array(x, at, 0, REDIRECTS, &r->arena, &c->redirects, &lens);
	return c;
}

const char *oauth_client_redirect(const struct oauth_client *client, const char *asked)
{
	if (!asked)
		return client->n_redirects == 1 ? client->redirects[0] : NULL;
	for (size_t i = 0; i < client->n_redirects; i++)
		if (redirect_uri_is(client->redirects[i], asked))
			return asked;
	return NULL;
}

/* --- credentials ----------------------------------------------------------------------------- */

/* Base64 with padding is base64url with other characters. */
static char *basic_decode(struct arena *a, const char *text)
{
	size_t len = strlen(text), n;
	char *url = arena_dup(a, text, len);
	unsigned char *plain;

	while (len && url[len - 1] == '=')
		url[--len] = '\0';
	for (char *c = url; *c; c++)
		*c = *c == '+' ? '-' : *c == '/' ? '_' : *c;
	plain = arena_alloc(a, len + 1);
	if (len > CREDENTIALS_MAX || !text_base64url_decode(url, len, plain, len, &n) || memchr(plain, '\0', n))
		return NULL;
	plain[n] = '\0';
	return (char *)plain;
}

/* Reads "Basic" with id and secret, both encoded as in a form (RFC 6749, section 2.3.1). */
static bool basic_read(struct req *r, const char *header, struct oauth_credentials *out)
{
	char *text = basic_decode(&r->arena, header + strspn(header, " ")), *colon;
	size_t id_len, secret_len;

	if (!text || !(colon = strchr(text, ':')))
		return false;
	*colon = '\0';
	out->id = text_percent_decode(&r->arena, text, strlen(text), true, &id_len);
	out->secret = text_percent_decode(&r->arena, colon + 1, strlen(colon + 1), true, &secret_len);
	return !memchr(out->id, '\0', id_len) && !memchr(out->secret, '\0', secret_len) &&
	       text_utf8_valid(out->id, id_len);
}

bool oauth_credentials_read(struct req *r, struct oauth_work *w)
{
	const char *header = http_header(r->call, "Authorization");
	const char *id = oauth_param(w, "client_id"), *secret = oauth_param(w, "client_secret");
	struct oauth_credentials *c = &w->credentials;

	if (header && strncasecmp(header, "Basic ", 6) == 0) {
		c->basic = true;
		if (http_header_count(r->call, "Authorization") != 1 || !basic_read(r, header + 6, c)) {
			oauth_refuse(r, OAUTH_INVALID_CLIENT, "The header Authorization is malformed");
			return false;
		}
		if (secret || (id && strcmp(id, c->id) != 0)) {
			oauth_refuse(r, OAUTH_INVALID_REQUEST,
			    "Send the client's id and secret either in the header Authorization or in the form, not in "
			    "both");
			return false;
		}
	} else {
		c->id = id;
		c->secret = secret;
	}
	if (c->id && strlen(c->id) <= OAUTH_CLIENT_ID_MAX)
		return true;
	oauth_refuse(r, OAUTH_INVALID_CLIENT, "client_id is required");
	return false;
}

bool oauth_client_proven(struct req *r, struct oauth_work *w)
{
	const struct oauth_credentials *c = &w->credentials;
	const char *wrong = NULL;
	unsigned char hash[SHA256_SIZE];

	w->client = oauth_client_is_document(c->id) ? NULL : oauth_client_load(r, c->id, w->at_client);
	if (c->secret)
		sha256_digest(c->secret, strlen(c->secret), hash);
	if (!w->client && !oauth_client_is_document(c->id))
		wrong = "There is no such client: register again";
	else if (!w->client || !w->client->confidential)
		wrong = c->secret && *c->secret ? "This client has no secret" : NULL;
	else if (!c->secret || !crypto_equal(hash, w->client->secret_hash, sizeof hash))
		wrong = "The secret of the client is missing or wrong";
	if (wrong)
		oauth_refuse(r, OAUTH_INVALID_CLIENT, wrong);
	return !wrong;
}
