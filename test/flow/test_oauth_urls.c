/* Under which addresses applications can connect, and that everything there names the public URL, whatever the request
 * says. */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/http/oauth_walk.h"

RIG("oauth_urls", .servers = RIG_NO_SERVER);

#define METADATA "/.well-known/oauth-protected-resource"

static struct oauth_walk app;

/* A server with this public URL. */
static void serve_at(const char *public_url)
{
	static struct server_process *s; /* the latest one */

	if (s)
		assert_true(server_stop(s));
	s = rig_serve(&rig, false, (const char *const[]){TEXT("public_url=%s", public_url), NULL});
	oauth_walk_init(&app, &rig.arena, s->base);
	app.resource = TEXT("%s/mcp", public_url);
}

static int send_as(const char *method, const char *target, const char *name, const char *value)
{
	const struct client_header headers[] = {{name, value}, {NULL, NULL}};

	return oauth_send(&app, method, target, headers, NULL);
}

TEST(behind_tls)
{
	const char *path, *token, *session = rig_session(&rig, rig.ada.id);

	serve_at("https://crm.example.com");
	assert_int_equal(send_as("GET", METADATA "/mcp", "Host", "evil.example"), 200);
	assert_string_equal(oauth_member(&app, "resource"), "https://crm.example.com/mcp");
	assert_int_equal(
	    send_as("GET", "/.well-known/oauth-authorization-server", "X-Forwarded-Host", "evil.example"), 200);
	assert_string_equal(oauth_member(&app, "issuer"), "https://crm.example.com");
	assert_int_equal(send_as("GET", "/v1/people", "Host", "evil.example"), 401);
	assert_string_equal(oauth_header(&app, "WWW-Authenticate"),
	    "Bearer resource_metadata=\"https://crm.example.com" METADATA "\", scope=\"read write\"");
	oauth_walk_register(&app, "none");
	path = oauth_walk_path(&app, "");
	assert_int_equal(send_as("GET", path, "Cookie", TEXT("kith=%s", session)), 302); /* the name of plain http */
	assert_non_null(strstr(oauth_header(&app, "Location"), "../console#return="));
	assert_int_equal(send_as("GET", path, "Cookie", TEXT("__Host-kith=%s", session)), 200);
	token = strstr(app.reply.body, "name=\"token\" value=\"") + 20;
	for (int own = 0; own < 2; own++) {
		const struct client_header headers[] = {{"Content-Type", "application/x-www-form-urlencoded"},
		    {"Cookie", TEXT("__Host-kith=%s", session)}, {"Origin", own ? "https://crm.example.com" : app.base},
		    {NULL, NULL}};
		const char *form = TEXT("decision=deny&token=%.*s", (int)strcspn(token, "\""), token);
		assert_int_equal(oauth_send(&app, "POST", path, headers, form), own ? 303 : 403);
	}
	assert_non_null(strstr(oauth_header(&app, "Location"), "&iss=https%3A%2F%2Fcrm.example.com"));
}

/* The answer comes before the body was read, so its header is made from the settings. */
TEST(a_large_body_without_a_token)
{
	char *body = arena_alloc(&rig.arena, 70001);

	memset(body, 'x', 70000);
	serve_at("https://crm.example.com");
	assert_int_equal(oauth_send(&app, "POST", "/mcp", NULL, body), 401);
	assert_string_equal(oauth_header(&app, "WWW-Authenticate"),
	    "Bearer resource_metadata=\"https://crm.example.com" METADATA "/mcp\", scope=\"read write\"");
}

TEST(without_tls)
{
	static const char *const paths[] = {
	    METADATA, METADATA "/mcp", "/.well-known/oauth-authorization-server", "/oauth/authorize?client_id=x"};

	serve_at("http://crm.example.com");
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		assert_int_equal(oauth_send(&app, "GET", paths[i], NULL, NULL), 404);
	assert_int_equal(oauth_post(&app, "/oauth/token", "grant_type=refresh_token"), 404);
	assert_int_equal(oauth_send(&app, "GET", "/v1/people", NULL, NULL), 401);
	assert_string_equal(oauth_header(&app, "WWW-Authenticate"), "Bearer");
}
