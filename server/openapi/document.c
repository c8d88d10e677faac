/* The document: info, the operations by path, the components. */
#include "server/openapi/document.h"

#include <ctype.h>
#include <string.h>

#include "server/openapi/document_private.h"
#include "server/request/reply.h"
#include "server/request/server.h"

enum { DOCUMENT_MAX = 8 << 20 };

/* --- names -------------------------------------------------------------------------------- */

/* "List the members of a group" becomes listMembersOfGroup. */
static const char *operation_id(struct openapi_doc *d, const char *summary)
{
	static const char *const left_out[] = {"a", "an", "the"};
	char *out = arena_alloc(&d->arena, strlen(summary) + 1), *p = out;

	while (*summary) {
		size_t len = strcspn(summary, " "), i = 0;
		while (i < 3 && (strlen(left_out[i]) != len || memcmp(left_out[i], summary, len) != 0))
			i++;
		for (size_t k = 0; i == 3 && k < len; k++) {
			bool up = k == 0 && p > out; /* the first letter of every word but the first */
			if (!isalnum((unsigned char)summary[k]))
				continue;
			*p++ = (char)(up ? toupper((unsigned char)summary[k]) : summary[k]);
		}
		summary += len + (summary[len] == ' ');
	}
	*out = (char)tolower((unsigned char)*out);
	return out;
}

static const char *route_tag(struct openapi_doc *d, const struct route *r)
{
	if (r->resource)
		return openapi_name(d, r->resource->name, "");
	return r->flags & ROUTE_OPEN ? "Service" : "Event";
}

static const char *article_of(const char *name)
{
	return strchr("aeiou", *name) ? "an" : "a";
}

static const char *method_key(enum http_method method)
{
	switch (method) {
	case HTTP_GET:
		return "get";
	case HTTP_HEAD:
		return "head";
	case HTTP_POST:
		return "post";
	case HTTP_PUT:
		return "put";
	case HTTP_PATCH:
		return "patch";
	case HTTP_DELETE:
		return "delete";
	case HTTP_OPTIONS:
		return "options";
	}
	return "";
}

/* --- parameters ------------------------------------------------------------------------------ */

static void path_parameters(struct openapi_doc *d, const char *path)
{
	for (const char *open = strchr(path, '{'); open; open = strchr(open + 1, '{')) {
		const struct path_param *p = route_param_find(open + 1, strcspn(open + 1, "}"));
		if (p->is_id)
			openapi_put(d, "{'name':'%s','in':'path','required':true,'schema':@%s}", p->name,
			    openapi_id_name(p->kind));
		else
			openapi_put(d,
			    "{'name':'%s','in':'path','required':true,'schema':{'type':'string','minLength':1,"
			    "'maxLength':%d}}",
			    p->name, p->max);
	}
}

void openapi_param(struct openapi_doc *d, const char *key, const struct param *p)
{
	const char *words = "";

	switch (p->type) {
	case PARAM_INTEGER:
		openapi_member(d, key, "{'type':'integer','minimum':%d,'maximum':%d}", p->min, p->max);
		break;
	case PARAM_TEXT:
	case PARAM_CURSOR:
		openapi_member(d, key, "{'type':'string','minLength':%d,'maxLength':%d}", p->min, p->max);
		break;
	case PARAM_CHOICE:
		for (int i = 0; p->choices[i]; i++)
			words = arena_printf(&d->arena, "%s%s'%s'", words, i ? "," : "", p->choices[i]);
		openapi_member(d, key, "{'type':'string','enum':[%s]}", words);
		break;
	case PARAM_ID:
		openapi_member(d, key, "{'type':'string','minLength':%d,'maxLength':%d}", ID_LEN, ID_LEN);
		break;
	case PARAM_TIME:
		openapi_member(d, key, "{'type':'string','anyOf':[{'format':'date'},{'format':'date-time'}]}");
		break;
	}
}

static void write_parameters(struct openapi_doc *d, const struct route *r)
{
	struct json_out *o = &d->out;

	json_begin_array(o);
	path_parameters(d, r->path);
	for (int i = 0; r->params && r->params[i] && r->input != INPUT_SEARCH; i++) {
		json_begin_object(o);
		openapi_member(d, "name", "'%s'", r->params[i]->name);
		openapi_member(d, "in", "'query'");
		if (r->params[i]->required)
			openapi_member(d, "required", "true");
		if (r->params[i]->filters)
			openapi_member(d, "description", "'Also as entity[id] and filter[%s][eq]'", r->params[i]->name);
		openapi_param(d, "schema", r->params[i]);
		json_end_object(o);
	}
	if (r->filters && r->input != INPUT_SEARCH)
		openapi_filter_parameter(d, r->filters);
	if (!(r->flags & ROUTE_OPEN))
		openapi_put(d, "{'$ref':'#/components/parameters/X-API-Version'}");
	if (route_writes(r))
		openapi_put(d, "{'$ref':'#/components/parameters/Idempotency-Key'}");
	json_end_array(o);
}

static void parameter_components(struct openapi_doc *d)
{
	json_key(&d->out, "parameters");
	json_begin_object(&d->out);
	openapi_member(d, "X-API-Version",
	    "{'name':'X-API-Version','in':'header','description':'The requested version; absent: the latest',"
	    "'schema':{'enum':['" API_VERSION "']}}");
	openapi_member(d, "Idempotency-Key",
	    "{'name':'Idempotency-Key','in':'header','description':'Makes a retry safe: the same key with the same "
	    "request "
	    "runs once, and its answer is repeated for 24 hours. A UUID is a good "
	    "key.','schema':{'type':'string','minLength':1,"
	    "'maxLength':255,'pattern':'^[!-~]+$'},'example':'3c5b8f0e-58a4-4b0e-9d4f-0f6f3f0d1a77'}");
	json_end_object(&d->out);
}

/* --- operations -------------------------------------------------------------------------------- */

static void write_operation(struct openapi_doc *d, const struct route *r)
{
	struct json_out *o = &d->out;

	json_begin_object(o);
	openapi_text(d, "operationId", operation_id(d, r->summary));
	openapi_text(d, "summary", r->summary);
	if (r->deprecated) {
		openapi_text(d, "description", r->deprecated->text);
		openapi_member(d, "deprecated", "true");
	}
	json_key(o, "tags");
	json_begin_array(o);
	json_string(o, route_tag(d, r));
	json_end_array(o);
	openapi_member(d, "security", r->flags & ROUTE_OPEN ? "[]" : "[{'bearer':[]}]");
	json_key(o, "parameters");
	write_parameters(d, r);
	if (r->method == HTTP_POST || r->method == HTTP_PATCH || r->method == HTTP_PUT) {
		json_key(o, "requestBody");
		if (r->input == INPUT_SEARCH)
			openapi_search_body(d, r);
		else
			openapi_body(d, r);
	}
	json_key(o, "responses");
	openapi_responses(d, r);
	json_end_object(o);
}

/* Operations with the same path are grouped under its first route. */
static void write_paths(struct openapi_doc *d)
{
	json_begin_object(&d->out);
	for (int i = 0; i < n_routes; i++) {
		int first = 0;
		while (strcmp(routes[first].path, routes[i].path) != 0)
			first++;
		if (first < i)
			continue;
		json_key(&d->out, routes[i].path);
		json_begin_object(&d->out);
		for (int k = i; k < n_routes; k++) {
			if (strcmp(routes[k].path, routes[i].path) != 0)
				continue;
			json_key(&d->out, method_key(routes[k].method));
			write_operation(d, &routes[k]);
		}
		json_end_object(&d->out);
	}
	json_end_object(&d->out);
}

static void write_tags(struct openapi_doc *d)
{
	json_begin_array(&d->out);
	for (int i = 0; i < n_routes; i++) {
		int first = 0;
		while (strcmp(route_tag(d, &routes[first]), route_tag(d, &routes[i])) != 0)
			first++;
		if (first < i)
			continue;
		json_begin_object(&d->out);
		openapi_text(d, "name", route_tag(d, &routes[i]));
		openapi_text(d, "description",
		    routes[i].resource             ? arena_printf(&d->arena, "Operations on %s %s",
		                                         article_of(routes[i].resource->name), routes[i].resource->name)
		    : routes[i].flags & ROUTE_OPEN ? "The server itself; needs no key"
		                                   : "Changes, in the order of the commits");
		json_end_object(&d->out);
	}
	json_end_array(&d->out);
}

static void write_components(struct openapi_doc *d)
{
	json_begin_object(&d->out);
	openapi_member(d, "securitySchemes",
	    "{'bearer':{'type':'http','scheme':'bearer','description':'A key created with kith key create'}}");
	parameter_components(d);
	openapi_components(d);
	json_key(&d->out, "schemas");
	json_begin_object(&d->out);
	openapi_resources(d);
	openapi_searches(d);
	openapi_envelopes(d);
	openapi_parts(d); /* last, when all references are known */
	json_end_object(&d->out);
	json_end_object(&d->out);
}

/* --- the document -------------------------------------------------------------------------------- */

void openapi_make(struct openapi *api)
{
	struct openapi_doc d = {0};

	buf_init(&api->text, DOCUMENT_MAX);
	arena_init(&d.arena);
	json_out_init(&d.out, &api->text);
	json_begin_object(&d.out);
	openapi_text(&d, "openapi", "3.1.0");
	openapi_member(&d, "info",
	    "{'title':'kith','version':'" API_VERSION
	    "','summary':'People, companies, groups and deals of a workspace',"
	    "'description':'All bodies are JSON. Every error has one form and a page at /docs/errors.',"
	    "'x-program-version':'" KITH_VERSION "'}");
	json_key(&d.out, "servers");
	buf_addz(&api->text, "[{\"url\":");
	api->address_at = api->text.len;
	json_raw(&d.out, "}]", 2);
	json_key(&d.out, "tags");
	write_tags(&d);
	json_key(&d.out, "paths");
	write_paths(&d);
	json_key(&d.out, "components");
	write_components(&d);
	json_end_object(&d.out);
	arena_free(&d.arena);
}

void openapi_free(struct openapi *api)
{
	buf_free(&api->text);
}

void openapi_write(const struct openapi *api, const char *base, struct buf *out)
{
	struct json_out address;

	buf_add(out, api->text.data, api->address_at);
	json_out_init(&address, out);
	json_string(&address, base);
	buf_add(out, api->text.data + api->address_at, api->text.len - api->address_at);
}

enum step step_openapi(struct req *r)
{
	r->status = 200;
	openapi_write(r->server->openapi, req_base_url(r), &r->out);
	reply_header(r, "Content-Type", "application/json");
	reply_header(r, "Cache-Control", "no-cache");
	return DONE;
}
