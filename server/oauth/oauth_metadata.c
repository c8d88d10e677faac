/* What clients read first: which server gives tokens for a resource (RFC 9728), and what that server does (RFC 8414).
 * It is the same server. */
#include "server/oauth/oauth_private.h"

#include <string.h>

#include "server/request/route.h"

static void metadata_list(struct json_out *o, const char *name, const char *const *items)
{
	json_key(o, name);
	json_begin_array(o);
	for (; *items; items++)
		json_string(o, *items);
	json_end_array(o);
}

static void metadata_link(struct req *r, struct json_out *o, const char *name, const char *path)
{
	json_add_string(o, name, arena_printf(&r->arena, "%s%s", r->state.oauth->issuer, path));
}

static enum step metadata_end(struct req *r)
{
	reply_header(r, "Cache-Control", "max-age=300");
	return oauth_json_end(r);
}

enum step oauth_resource_show(struct req *r)
{
	/* What a program asks for if nobody has told it which scopes it needs. */
	static const char *const scopes[] = {"read", "write", NULL};
	const char *const servers[] = {oauth_begin(r) ? r->state.oauth->issuer : NULL, NULL};
	static const char *const methods[] = {"header", NULL};
	bool mcp = strcmp(strrchr(r->route->path, '/'), "/mcp") == 0;
	struct json_out *o;

	if (!servers[0])
		return DONE;
	o = oauth_json(r, 200);
	metadata_link(r, o, "resource", mcp ? "/mcp" : "");
	metadata_list(o, "authorization_servers", servers);
	metadata_list(o, "scopes_supported", scopes);
	metadata_list(o, "bearer_methods_supported", methods);
	json_add_string(o, "resource_name", mcp ? "kith for assistants" : "kith");
	metadata_link(r, o, "resource_documentation", "/docs");
	return metadata_end(r);
}

enum step oauth_server_show(struct req *r)
{
	static const char *const responses[] = {"code", NULL}, *const modes[] = {"query", NULL};
	static const char *const grants[] = {"authorization_code", "refresh_token", NULL};
	static const char *const methods[] = {"none", "client_secret_basic", "client_secret_post", NULL};
	static const char *const challenges[] = {"S256", NULL};
	const struct oauth_work *w = oauth_begin(r);
	struct json_out *o;

	if (!w)
		return DONE;
	o = oauth_json(r, 200);
	json_add_string(o, "issuer", w->issuer);
	metadata_link(r, o, "authorization_endpoint", "/oauth/authorize");
	metadata_link(r, o, "token_endpoint", "/oauth/token");
	metadata_link(r, o, "registration_endpoint", "/oauth/register");
	metadata_link(r, o, "revocation_endpoint", "/oauth/revoke");
	metadata_list(o, "response_types_supported", responses);
	metadata_list(o, "response_modes_supported", modes);
	metadata_list(o, "grant_types_supported", grants);
	metadata_list(o, "token_endpoint_auth_methods_supported", methods);
	metadata_list(o, "revocation_endpoint_auth_methods_supported", methods);
	metadata_list(o, "code_challenge_methods_supported", challenges);
	metadata_list(o, "scopes_supported", key_scope_names);
	json_add_bool(o, "authorization_response_iss_parameter_supported", true);
	json_add_bool(o, "client_id_metadata_document_supported", true);
	metadata_link(r, o, "service_documentation", "/docs");
	return metadata_end(r);
}
