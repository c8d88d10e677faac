/* Writes the operations, one for each route. */
#include <string.h>

#include "server/openapi/document_private.h"
#include "server/request/reply.h"

/* --- parameters ------------------------------------------------------------------------------ */

static const char *text_schema(struct openapi_doc *d, int min, int max)
{
	return arena_printf(&d->arena, "{'type':'string','minLength':%d,'maxLength':%d}", min, max);
}

const char *openapi_param(struct openapi_doc *d, const struct param *p)
{
	switch (p->type) {
	case PARAM_INTEGER:
		return arena_printf(&d->arena, "{'type':'integer','minimum':%d,'maximum':%d,%s%s}", p->min, p->max,
		    p->absent ? "'default':" : "", p->absent ? p->absent : "");
	case PARAM_TEXT:
	case PARAM_CURSOR:
		return text_schema(d, p->min, p->max);
	case PARAM_CHOICE:
		return arena_printf(&d->arena, "{'type':'string','enum':[%s],%s}", openapi_words(d, p->choices),
		    p->absent ? arena_printf(&d->arena, "'default':'%s'", p->absent) : "");
	case PARAM_ID:
		return "@RecordId";
	case PARAM_EVENTS:
		return "{'type':'array','items':@EventType}";
	case PARAM_NAMES:
		return arena_printf(&d->arena, "{'anyOf':[{'type':'array','items':%s},%s]}",
		    text_schema(d, p->min, p->max), text_schema(d, p->min, p->max));
	case PARAM_TIME:
		return "{'anyOf':[{'type':'string','format':'date'},{'type':'string','format':'date-time'}]}";
	}
	return "{}";
}

static void path_parameters(struct openapi_doc *d, const struct route *r)
{
	for (const char *open = strchr(r->path, '{'); open; open = strchr(open + 1, '{')) {
		const struct path_param *p = route_param_find(open + 1, strcspn(open + 1, "}"));
		openapi_put(d, "{'name':'%s','in':'path','required':true,", p->name);
		openapi_text(d, "description", p->about);
		openapi_example_recorded(d, r, p->name);
		openapi_put(d, "'schema':%s},",
		    p->is_id ? arena_printf(&d->arena, "@%s", openapi_id_name(p->kind)) : text_schema(d, 1, p->max));
	}
}

/* r is the operation whose example has a value for the parameter; NULL: no operation. */
static void query_parameter(struct openapi_doc *d, const struct route *r, const struct param *p)
{
	openapi_put(d, "{'name':'%s','in':'query',%s", p->name, p->required ? "'required':true," : "");
	openapi_text(d, "description", p->about);
	if (r)
		openapi_example_recorded(d, r, p->name);
	openapi_put(d, "'schema':%s},", openapi_param(d, p));
}

static void write_parameters(struct openapi_doc *d, const struct route *r)
{
	openapi_put(d, "'parameters':[");
	path_parameters(d, r);
	for (int i = 0; r->params && r->params[i] && r->input != INPUT_SEARCH; i++)
		query_parameter(d, r, r->params[i]);
	if (r->filters && r->input != INPUT_SEARCH)
		openapi_filter_parameter(d, r);
	if (!(r->flags & ROUTE_OPEN))
		openapi_put(d, "{'$ref':'#/components/parameters/X-API-Version'},");
	if (r->flags & ROUTE_STREAM)
		openapi_put(d,
		    "{'name':'Last-Event-ID','in':'header','description':'The id of the last event that was "
		    "read: the stream continues after it. It takes precedence over after','schema':" TEXT "},");
	if (route_writes(r) && !(r->flags & ROUTE_NOT_DRY))
		openapi_put(d, "{'$ref':'#/components/parameters/dryRun'},");
	if (route_takes_retries(r))
		openapi_put(d, "{'$ref':'#/components/parameters/Idempotency-Key'},");
	if (route_takes_condition(r))
		openapi_put(d, "{'$ref':'#/components/parameters/If-Match'}");
	openapi_put(d, "],");
}

void openapi_parameters(struct openapi_doc *d)
{
	openapi_put(d,
	    "'parameters':{'X-API-Version':"
	    "{'name':'X-API-Version','in':'header','description':'The version of the API that the client was written "
	    "for','schema':{'type':'string','enum':['" API_VERSION "'],'default':'" API_VERSION
	    "'}},'Idempotency-Key':{'name':'Idempotency-Key','in':'header','description':'Makes a retry safe: the same "
	    "key with the same request runs once, and its answer is repeated for 24 hours. A UUID is a good "
	    "key.','schema':{'type':'string','minLength':1,'maxLength':255,'pattern':'^[!-~]+$'},'example':'3c5b8f0e-"
	    "58a4-4b0e-9d4f-0f6f3f0d1a77'},'If-Match':{'name':'If-Match','in':'header','description':'The request runs "
	    "only if the record still has one of these tags, or exists (*); otherwise the answer is a 412 and nothing "
	    "is done','schema':{'type':'string','minLength':1},'example':" ETAG_EXAMPLE "},'dryRun':");
	query_parameter(d, NULL, &route_dry_run);
	openapi_webhook_parameters(d);
	openapi_put(d, "},");
}

/* --- descriptions ----------------------------------------------------------------------------- */

static bool is_paged(const struct route *r)
{
	return r->answer == ANSWER_LIST && r->params && r->input != INPUT_SEARCH;
}

static bool is_search(const struct route *r)
{
	return r->input == INPUT_SEARCH && r->answer == ANSWER_LIST;
}

static bool is_batch(const struct route *r)
{
	return r->answer == ANSWER_BATCH;
}

static bool is_of_path(const struct route *r)
{
	return strchr(r->path, '{');
}

static bool is_repeatable(const struct route *r)
{
	return route_takes_retries(r);
}

static bool is_condition(const struct route *r)
{
	return route_takes_condition(r);
}

static bool is_final(const struct route *r)
{
	return r->flags & ROUTE_NOT_DRY;
}

/* What operations of a kind have in common: paragraphs after the text of the route's own row. */
static const struct {
	bool (*holds)(const struct route *r);
	const char *text;
} common[] = {
    {is_paged,
        "Continue with `pagination.nextLink` until there is none: a page may be short, even empty, and still not be "
        "the last one."},
    {is_search,
        "Continue by sending the same body with `pagination.nextCursor` as `cursor`, until there is none: a page "
        "may be short, even empty, and still not be the last one."},
    {is_batch, "The answer is 200 with one result for each record, in their order. Each record succeeds or fails by "
               "itself: look at every `status`."},
    {is_condition,
        "With `If-Match` it is done only while the record still has that `ETag`; else the answer is 412, and "
        "nothing is done."},
    {is_of_path,
        "If the path names something that does not exist, or that the key's user may not see, the answer is a 404."},
    {is_repeatable, "An `Idempotency-Key` makes a retry safe."},
    {is_final, "What is sent cannot be taken back, so `dryRun` is refused with 422."},
};

/* The scopes are given only in words, because linters take scopes of a bearer key for those of OAuth 2, which must be
 * declared. */
static const char *operation_scopes(struct openapi_doc *d, const struct route *r)
{
	const char *list = "";

	for (int i = 0; i < KEY_SCOPES; i++)
		if (r->needs & 1U << i)
			list = arena_printf(
			    &d->arena, "%s%s`%s`", list, *list ? " and the scope " : "", key_scope_names[i]);
	return list;
}

static void write_description(struct openapi_doc *d, const struct route *r)
{
	const char *text = r->about;

	if (r->deprecated)
		text = arena_printf(&d->arena, "%s\n\n%s.", text, r->deprecated->text);
	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		if (common[i].holds(r))
			text = arena_printf(&d->arena, "%s\n\n%s", text, common[i].text);
	if (r->needs & SCOPE_ALL && !(r->flags & ROUTE_OWN_RIGHTS))
		text = arena_printf(&d->arena, "%s\n\nNeeds a key with the scope %s.", text, operation_scopes(d, r));
	openapi_text(d, "description", text);
}

/* --- operations -------------------------------------------------------------------------------- */

static void write_operation(struct openapi_doc *d, const struct route *r)
{
	static const char *const methods[] = {[HTTP_GET] = "get",
	    [HTTP_POST] = "post",
	    [HTTP_PUT] = "put",
	    [HTTP_PATCH] = "patch",
	    [HTTP_DELETE] = "delete"};

	openapi_put(d, "'%s':{'operationId':'%s',", methods[r->method], r->id);
	openapi_text(d, "summary", r->summary);
	write_description(d, r);
	openapi_put(d, "'tags':['%s'],%s'security':%s,", openapi_tag(r), r->deprecated ? "'deprecated':true," : "",
	    r->flags & ROUTE_OPEN ? "[]" : "[{'bearer':[]}]");
	write_parameters(d, r);
	if (r->input == INPUT_SEARCH)
		openapi_search_body(d, r);
	else if (r->method == HTTP_POST || r->method == HTTP_PATCH || r->method == HTTP_PUT)
		openapi_body(d, r);
	openapi_responses(d, r);
	openapi_put(d, "},");
}

/* Operations with the same path are grouped under its first route. */
void openapi_paths(struct openapi_doc *d)
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
