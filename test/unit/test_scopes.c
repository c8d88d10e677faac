/* The scopes of the table of routes: none is forgotten, and none is too small for what the route does. */
#include <string.h>

#include "server/request/route.h"
#include "server/routes.h"
#include "store/keys.h"
#include "test/lib/test.h"

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

/* The definitions of a group: what is not an object. */
static bool is_setting(const char *path)
{
	return strcmp(path, "/v1/groups") == 0 || strcmp(path, "/v1/groups/{groupId}") == 0 ||
	       begins_with(path, "/v1/groups/{groupId}/members") ||
	       begins_with(path, "/v1/groups/{groupId}/object-types") ||
	       begins_with(path, "/v1/groups/{groupId}/custom-fields") || begins_with(path, "/v1/keys") ||
	       begins_with(path, "/v1/grants");
}

/* The scopes that the route needs, derived only from its method and path. */
static unsigned scopes_expected(const struct route *r)
{
	if (begins_with(r->path, "/calendar/"))
		return SCOPE_CALENDAR;
	if (r->flags & (ROUTE_OPEN | ROUTE_CARRIER))
		return 0;
	if (begins_with(r->path, "/dav"))
		return SCOPE_CONTACTS;
	if (ends_with(r->path, "/me") || begins_with(r->path, "/v1/session"))
		return SCOPE_ANY;
	if (!route_writes(r))
		return SCOPE_READ;
	if (is_setting(r->path) || (begins_with(r->path, "/v1/users") && r->method != HTTP_PATCH)) /* one's own name */
		return SCOPE_ADMIN;
	if (ends_with(r->path, "/merge"))
		return SCOPE_WRITE | SCOPE_DELETE;
	if (r->method == HTTP_DELETE || ends_with(r->path, "/batch/delete"))
		return SCOPE_DELETE;
	/* what a webhook sends is read with the rights of who made it */
	return begins_with(r->path, "/v1/webhooks") ? SCOPE_READ | SCOPE_WRITE : SCOPE_WRITE;
}

TEST(test_routes)
{
	routes_use();
	assert_true(n_routes > 0);
	for (int i = 0; i < n_routes_all; i++)
		if (routes[i].needs != scopes_expected(&routes[i]))
			fail_msg("%s needs %u, not %u", routes[i].path, scopes_expected(&routes[i]), routes[i].needs);
}

TEST(test_names)
{
	unsigned all = 0;

	for (int i = 0; i < KEY_SCOPES; i++)
		all |= key_scope_parse(key_scope_names[i], strlen(key_scope_names[i]));
	assert_int_equal(all, SCOPE_ALL | SCOPE_CONTACTS | SCOPE_CALENDAR);
	assert_int_equal(key_scope_parse("read", 4), SCOPE_READ);
	assert_int_equal(key_scope_parse("admin", 5), SCOPE_ADMIN);
	assert_int_equal(key_scope_parse("rea", 3), 0);
	assert_int_equal(key_scope_parse("", 0), 0);
}
