/* Parameters and answers of the OAuth endpoints. */
#include "server/oauth/oauth_private.h"

#include <string.h>
#include <strings.h>

#include "server/request/reply.h"

static const struct {
	const char *name;
	int status;
	enum error_code code; /* for the log */
} errors[] = {
    [OAUTH_INVALID_REQUEST] = {"invalid_request", 400, ERROR_INVALID_REQUEST},
    [OAUTH_INVALID_CLIENT] = {"invalid_client", 401, ERROR_UNAUTHORIZED},
    [OAUTH_INVALID_GRANT] = {"invalid_grant", 400, ERROR_INVALID_REQUEST},
    [OAUTH_UNSUPPORTED_GRANT_TYPE] = {"unsupported_grant_type", 400, ERROR_INVALID_REQUEST},
    [OAUTH_UNSUPPORTED_RESPONSE_TYPE] = {"unsupported_response_type", 400, ERROR_INVALID_REQUEST},
    [OAUTH_INVALID_SCOPE] = {"invalid_scope", 400, ERROR_INVALID_REQUEST},
    [OAUTH_INVALID_TARGET] = {"invalid_target", 400, ERROR_INVALID_REQUEST},
    [OAUTH_INVALID_CLIENT_METADATA] = {"invalid_client_metadata", 400, ERROR_INVALID_REQUEST},
    [OAUTH_INVALID_REDIRECT_URI] = {"invalid_redirect_uri", 400, ERROR_INVALID_REQUEST},
    [OAUTH_ACCESS_DENIED] = {"access_denied", 403, ERROR_FORBIDDEN},
    [OAUTH_TOO_MANY] = {"too_many_requests", 429, ERROR_RATE_LIMITED},
    [OAUTH_UNAVAILABLE] = {"temporarily_unavailable", 503, ERROR_UNAVAILABLE},
};

const char *oauth_error_name(enum oauth_error error)
{
	return errors[error].name;
}

struct oauth_work *oauth_begin(struct req *r)
{
	struct oauth_work *w = arena_alloc(&r->arena, sizeof *w);

	r->given.dry = false; /* nothing here can be tried without being done */
	r->state.oauth = w;
	w->issuer = req_issuer(r);
	if (w->issuer)
		return w;
	reply_error(r, ERROR_NOT_FOUND,
	    "OAuth is not available at this address: set public_url to the https address of kith. Without it, OAuth "
	    "works on loopback hosts only");
	return NULL;
}

/* --- parameters ------------------------------------------------------------------------------ */

static bool form_is_type(const char *type)
{
	static const char form[] = "application/x-www-form-urlencoded";
	size_t n = sizeof form - 1;

	return type && strncasecmp(type, form, n) == 0 && strchr("; \t", type[n]);
}

bool oauth_form_read(struct req *r, struct oauth_work *w)
{
	const char *wrong = NULL;

	if (!form_is_type(http_header(r->call, "Content-Type")))
		wrong = "The body must be a form: Content-Type: application/x-www-form-urlencoded";
	else if (query_parse(&w->form, &r->arena, r->in->body, r->in->body_len) != QUERY_OK)
		wrong = "The form is too large";
	else if (oauth_param_wrong(&w->form))
		wrong = arena_printf(
		    &r->arena, "%s is given more than once, or is not a text", oauth_param_wrong(&w->form));
	if (wrong)
		oauth_refuse(r, OAUTH_INVALID_REQUEST, wrong);
	return !wrong;
}

const char *oauth_param(const struct oauth_work *w, const char *name)
{
	const struct query_pair *pair = query_last(&w->form, name);

	return pair && pair->value.len ? pair->value.text : NULL;
}

const char *oauth_param_wrong(const struct query *form)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct query_pair *p = &form->pairs[i];
		if (p->key.has_nul || p->key.bad_utf8)
			return "a parameter";
		if (p->value.has_nul || p->value.bad_utf8 || query_last(form, p->key.text) != p)
			return p->key.text;
	}
	return NULL;
}

/* --- answers --------------------------------------------------------------------------------- */

struct json_out *oauth_json(struct req *r, int status)
{
	reply_forget(&r->reply);
	r->reply.status = status;
	json_out_init(&r->reply.json, &r->reply.out);
	json_begin_object(&r->reply.json);
	return &r->reply.json;
}

enum step oauth_json_end(struct req *r)
{
	json_end_object(&r->reply.json);
	reply_header(r, "Content-Type", "application/json");
	if (r->in->method == HTTP_POST) {
		reply_header(r, "Cache-Control", "no-store");
		reply_header(r, "Pragma", "no-cache");
	}
	return DONE;
}

enum step oauth_refuse(struct req *r, enum oauth_error error, const char *description)
{
	const struct oauth_work *w = r->state.oauth;
	struct json_out *o = oauth_json(r, errors[error].status);

	r->reply.error = errors[error].code;
	r->reply.why = description;
	json_add_string(o, "error", errors[error].name);
	json_add_string(o, "error_description", description);
	if (error == OAUTH_INVALID_CLIENT && w && w->credentials.basic)
		reply_header(r, "WWW-Authenticate", "Basic realm=\"kith\"");
	if (error == OAUTH_UNAVAILABLE)
		reply_header(r, "Retry-After", "5");
	return oauth_json_end(r);
}

/* --- scopes ---------------------------------------------------------------------------------- */

bool oauth_scopes_read(const char *text, unsigned *scopes)
{
	/* Every grant has a refresh token, which is what this one asks for. */
	static const char offline[] = "offline_access";

	*scopes = 0;
	while (text && *(text += strspn(text, " "))) {
		size_t len = strcspn(text, " ");
		unsigned scope = key_scope_parse(text, len);
		if (!scope && (len != sizeof offline - 1 || memcmp(text, offline, len) != 0))
			return false;
		*scopes |= scope;
		text += len;
	}
	if (!*scopes)
		*scopes = SCOPE_READ | SCOPE_WRITE;
	if (*scopes & SCOPE_WRITE)
		*scopes |= SCOPE_READ;
	return true;
}

const char *oauth_scopes_text(unsigned scopes, struct arena *a)
{
	const char *text = "";

	for (int i = 0; i < KEY_SCOPES; i++)
		if (scopes & 1U << i)
			text = arena_printf(a, "%s%s%s", text, *text ? " " : "", key_scope_names[i]);
	return text;
}

bool oauth_resource_read(const struct oauth_work *w, const char *resource, bool *mcp)
{
	size_t n = strlen(w->issuer);

	if (!resource || strncmp(resource, w->issuer, n) != 0)
		return false;
	*mcp = strcmp(resource + n, "/mcp") == 0;
	/* Programs write an address without a path with a slash at its end. */
	return *mcp || resource[n] == '\0' || strcmp(resource + n, "/") == 0;
}
