#include "test/api/protocol.h"

#include <string.h>

#include "test/lib/http/client.h"

bool protocol_is_oauth(const char *target)
{
	return strncmp(target, "/oauth/", 7) == 0 || strncmp(target, "/.well-known/", 13) == 0;
}

bool protocol_is_other(const char *target)
{
	size_t len = strcspn(target, "?");

	return (len == 4 && strncmp(target, "/mcp", len) == 0) || strncmp(target, "/dav/", 5) == 0 ||
	       strncmp(target, "/calendar/", 10) == 0 || protocol_is_oauth(target);
}

/* OAuth is not available at every address, so a challenge may name the metadata or not. test/api/oauth.t tests both. */
bool protocol_challenge(const struct client_reply *reply)
{
	static const char where[] = "Bearer resource_metadata=\"";
	const char *challenge = client_header(reply, "WWW-Authenticate");
	bool metadata = challenge && strncmp(challenge, where, sizeof where - 1) == 0 &&
	                strstr(challenge, "/.well-known/oauth-protected-resource");

	if (reply->status == 401)
		return metadata || (challenge && strcmp(challenge, "Bearer") == 0);
	return !challenge || (reply->status == 403 && metadata && strstr(challenge, "error=\"insufficient_scope\""));
}
