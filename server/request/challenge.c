/* The header WWW-Authenticate; see challenge.h. */
#include "server/request/challenge.h"

#include <stdio.h>
#include <string.h>

#include "server/http/http.h"
#include "server/request/public_url.h"
#include "server/request/route.h"

/* Devices have a password, which is a key. Whatever they send as the user is ignored. */
static const char challenge_basic[] = "Basic realm=\"kith\", charset=\"UTF-8\"";

#define METADATA_PATH "/.well-known/oauth-protected-resource"

/* Only a call of /mcp has a carrier. */
static const char *challenge_metadata(struct req *r)
{
	const char *issuer = req_issuer(r);

	return issuer ? arena_printf(&r->arena, " resource_metadata=\"%s" METADATA_PATH "%s\",", issuer,
	                    r->carrier ? "/mcp" : "")
	              : "";
}

static const char *challenge_bearer(struct req *r)
{
	const char *metadata = challenge_metadata(r);
	const char *error = r->call && http_header(r->call, "Authorization") ? " error=\"invalid_token\"," : "";

	return *metadata ? arena_printf(&r->arena, "Bearer%s%s scope=\"read write\"", metadata, error) : "Bearer";
}

const char *challenge_key(struct req *r)
{
	if (r->route && r->route->flags & ROUTE_DAV)
		return challenge_basic;
	return challenge_bearer(r);
}

const char *challenge_scopes(struct req *r, unsigned lacks)
{
	unsigned scopes = r->caller.ticket.scopes | lacks;
	const char *names = "";

	for (int i = 0; i < KEY_SCOPES; i++)
		if (scopes & 1U << i)
			names = arena_printf(&r->arena, "%s%s%s", names, *names ? " " : "", key_scope_names[i]);
	return arena_printf(
	    &r->arena, "Bearer%s error=\"insufficient_scope\", scope=\"%s\"", challenge_metadata(r), names);
}

void challenge_judge(const char *public_url, unsigned flags, struct http_verdict *v)
{
	bool mcp = flags & ROUTE_CARRIER;
	bool secure = public_url && strncmp(public_url, "https://", 8) == 0;
	int n = secure ? snprintf(v->value, sizeof v->value,
	                     "Bearer resource_metadata=\"%s" METADATA_PATH "%s\", scope=\"read write\"", public_url,
	                     mcp ? "/mcp" : "")
	               : 0;

	if (n <= 0 || (size_t)n >= sizeof v->value || flags & ROUTE_DAV)
		snprintf(v->value, sizeof v->value, "%s", flags & ROUTE_DAV ? challenge_basic : "Bearer");
	v->header = (struct http_header){"WWW-Authenticate", v->value};
}
