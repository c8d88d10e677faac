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

/* --- parameters ------------------------------------------------------------------------------ */

static const char *document_text_schema(struct openapi_doc *d, int min, int max)
{
	return arena_printf(&d->arena, "{'type':'string','minLength':%d,'maxLength':%d}", min, max);
}

const char *openapi_param(struct openapi_doc *d, const struct param *p)
{
	switch (p->type) {
	case PARAM_INTEGER:
		return arena_printf(&d->arena, "{'type':'integer','minimum':%d,'maximum':%d}", p->min, p->max);
	case PARAM_TEXT:
	case PARAM_CURSOR:
		return document_text_schema(d, p->min, p->max);
	case PARAM_CHOICE:
		return arena_printf(&d->arena, "{'type':'string','enum':[%s]}", openapi_words(d, p->choices));
	case PARAM_ID:
		return document_text_schema(d, ID_LEN, ID_LEN);
	case PARAM_TIME:
		return "{'type':'string','anyOf':[{'format':'date'},{'format':'date-time'}]}";
	}
	return "{}";
}

static void path_parameters(struct openapi_doc *d, const char *path)
{
	for (const char *open = strchr(path, '{'); open; open = strchr(open + 1, '{')) {
		const struct path_param *p = route_param_find(open + 1, strcspn(open + 1, "}"));
		openapi_put(d, "{'name':'%s','in':'path','required':true,'schema':%s},", p->name,
		    p->is_id ? arena_printf(&d->arena, "@%s", openapi_id_name(p->kind))
		             : document_text_schema(d, 1, p->max));
	}
}

static void write_parameters(struct openapi_doc *d, const struct route *r)
{
	openapi_put(d, "'parameters':[");
	path_parameters(d, r->path);
	for (int i = 0; r->params && r->params[i] && r->input != INPUT_SEARCH; i++) {
		const struct param *p = r->params[i];
		openapi_put(d, "{'name':'%s','in':'query',%s", p->name, p->required ? "'required':true," : "");
		if (p->filters)
			openapi_put(d, "'description':'Also as entity[id] and filter[%s][eq]',", p->name);
		openapi_put(d, "'schema':%s},", openapi_param(d, p));
	}
	if (r->filters && r->input != INPUT_SEARCH)
		openapi_filter_parameter(d, r->filters);
	if (!(r->flags & ROUTE_OPEN))
		openapi_put(d, "{'$ref':'#/components/parameters/X-API-Version'},");
	if (route_writes(r) && !(r->flags & ROUTE_NOT_DRY))
		openapi_put(d, "{'$ref':'#/components/parameters/dryRun'},");
	if (route_writes(r))
		openapi_put(d, "{'$ref':'#/components/parameters/Idempotency-Key'},");
	if (route_takes_condition(r))
		openapi_put(d, "{'$ref':'#/components/parameters/If-Match'}");
	openapi_put(d, "],");
}

/* --- operations -------------------------------------------------------------------------------- */

static void write_operation(struct openapi_doc *d, const struct route *r)
{
	static const char *const methods[] = {[HTTP_GET] = "get",
	    [HTTP_POST] = "post",
	    [HTTP_PUT] = "put",
	    [HTTP_PATCH] = "patch",
	    [HTTP_DELETE] = "delete"};

	openapi_put(d, "'%s':{'operationId':'%s',", methods[r->method], operation_id(d, r->summary));
	openapi_text(d, "summary", r->summary);
	if (r->deprecated) {
		openapi_text(d, "description", r->deprecated->text);
		openapi_put(d, "'deprecated':true,");
	}
	openapi_put(
	    d, "'tags':['%s'],'security':%s,", route_tag(d, r), r->flags & ROUTE_OPEN ? "[]" : "[{'bearer':[]}]");
	write_parameters(d, r);
	if (r->input == INPUT_SEARCH)
		openapi_search_body(d, r);
	else if (r->method == HTTP_POST || r->method == HTTP_PATCH || r->method == HTTP_PUT)
		openapi_body(d, r);
	openapi_responses(d, r);
	openapi_put(d, "},");
}

/* Operations with the same path are grouped under its first route. */
static void write_paths(struct openapi_doc *d)
{
	openapi_put(d, "'paths':{");
	for (int i = 0; i < n_routes; i++) {
		int first = 0;
		while (strcmp(routes[first].path, routes[i].path) != 0)
			first++;
		if (first < i)
			continue;
		openapi_put(d, "'%s':{", routes[i].path);
		for (int k = i; k < n_routes; k++)
			if (strcmp(routes[k].path, routes[i].path) == 0)
				write_operation(d, &routes[k]);
		openapi_put(d, "},");
	}
	openapi_put(d, "},");
}

static void write_tags(struct openapi_doc *d)
{
	openapi_put(d, "'tags':[");
	for (int i = 0; i < n_routes; i++) {
		const char *tag = route_tag(d, &routes[i]), *name = routes[i].resource ? routes[i].resource->name : "";
		int first = 0;
		while (strcmp(route_tag(d, &routes[first]), tag) != 0)
			first++;
		if (first < i)
			continue;
		openapi_put(d, "{'name':'%s','description':'%s%s'},", tag,
		    *name                          ? strchr("aeiou", *name) ? "Operations on an " : "Operations on a "
		    : routes[i].flags & ROUTE_OPEN ? "The server itself; needs no key"
		                                   : "Changes, in the order of the commits",
		    name);
	}
	openapi_put(d, "],");
}

static void write_components(struct openapi_doc *d)
{
	openapi_put(d,
	    "'components':{'securitySchemes':"
	    "{'bearer':{'type':'http','scheme':'bearer','description':'A key created with kith key create'}},"
	    "'parameters':{'X-API-Version':"
	    "{'name':'X-API-Version','in':'header','description':'The requested version; absent: the latest',"
	    "'schema':{'enum':['" API_VERSION "']}},'Idempotency-Key':"
	    "{'name':'Idempotency-Key','in':'header','description':'Makes a retry safe: the same key with the same "
	    "request runs once, and its answer is repeated for 24 hours. A UUID is a good key.',"
	    "'schema':{'type':'string','minLength':1,'maxLength':255,'pattern':'^[!-~]+$'},"
	    "'example':'3c5b8f0e-58a4-4b0e-9d4f-0f6f3f0d1a77'},'dryRun':"
	    "{'name':'dryRun','in':'query','description':'true: the request runs as it would, is answered with "
	    "X-Dry-Run, and is rolled back. An Idempotency-Key beside it is ignored.','schema':%s},'If-Match':"
	    "{'name':'If-Match','in':'header','description':'Only if the record still has one of these tags, or at all "
	    "(*); else the answer is a 412 and nothing is done',"
	    "'schema':{'type':'string','minLength':1},'example':" ETAG_EXAMPLE "}},",
	    openapi_param(d, &route_dry_run));
	openapi_components(d);
	openapi_put(d, "'schemas':{");
	openapi_resources(d);
	openapi_searches(d);
	openapi_envelopes(d);
	openapi_parts(d); /* last, when all references are known */
	openapi_put(d, "}}");
}

/* --- the document -------------------------------------------------------------------------------- */

void openapi_make(struct openapi *api)
{
	struct openapi_doc d = {0};

	buf_init(&d.out, DOCUMENT_MAX);
	arena_init(&d.arena);
	openapi_put(&d, "{'openapi':'3.1.0','info':{'title':'kith','version':'" API_VERSION
	                "','summary':'People, companies, groups and deals of a workspace',"
	                "'description':'All bodies are JSON. Every error has one form and a page at /docs/errors.',"
	                "'x-program-version':'" KITH_VERSION "'},'servers':[{'url':");
	api->address_at = d.out.len;
	openapi_put(&d, "}],");
	write_tags(&d);
	write_paths(&d);
	write_components(&d);
	openapi_put(&d, "}");
	api->text = d.out;
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
