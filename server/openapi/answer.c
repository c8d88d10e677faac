/* Writes the answers in the description: envelopes, and the statuses of operations. */
#include <string.h>

#include "server/request/errors.h"
#include "server/openapi/document_private.h"

/* {id} of the deleted record. The argument is the kind of id. */
#define OBJECT_OF_ID OPEN_OBJECT "'description':'What was deleted','required':['id'],'properties':{'id':@%s}}"

/* --- envelopes ------------------------------------------------------------------------- */

/* Returns the name of a route's envelope; NULL: none. */
static const char *answer_envelope_name(struct openapi_doc *d, const struct route *r)
{
	switch (r->answer) {
	case ANSWER_ONE:
		return openapi_schema_name(d, r->resource, "Answer");
	case ANSWER_LIST:
		return openapi_schema_name(d, r->resource, "List");
	case ANSWER_ID:
	case ANSWER_NAME:
		return openapi_schema_name(d, r->resource, "Deleted");
	case ANSWER_BATCH:
		return openapi_schema_name(d, r->resource,
		    r->input == INPUT_BATCH_DELETE   ? "BatchDeleted"
		    : r->input == INPUT_BATCH_CREATE ? "BatchCreated"
		    : r->input == INPUT_BATCH_UPSERT ? "BatchUpserted"
		                                     : "BatchUpdated");
	case ANSWER_TOTALS:
		return "AggregateAnswer";
	case ANSWER_PLAIN:
		break;
	}
	return NULL;
}

static bool has_groups(const struct resource *res)
{
	for (int i = 0; i < res->n_fields; i++)
		if (res->fields[i].type == FIELD_GROUPS)
			return true;
	return false;
}

/* Returns the schema with one result per record. The members beside "data" depend on the operation. */
static const char *results_schema(struct openapi_doc *d, const struct route *r, const char *name)
{
	const struct resource *res = r->resource;
	const char *data = arena_printf(&d->arena, "@%s", openapi_schema_name(d, res, "")), *more = "";

	if (r->input == INPUT_BATCH_DELETE)
		data = arena_printf(&d->arena, "#%sId" OBJECT_OF_ID, openapi_schema_name(d, res, "Deleted"),
		    openapi_id_name(res->id_kind));
	if (r->input == INPUT_BATCH_UPDATE && has_groups(res))
		more =
		    ",'removedGroups':{'type':'array','items':@GroupReference,'description':'The groups that it left'}";
	if (r->input == INPUT_BATCH_CREATE && res->id_kind == ID_COMPANY)
		more = ",'operation':{'type':'string','enum':['created','existing'],'description':'What was done'}";
	if (r->input == INPUT_BATCH_UPSERT)
		more = ",'operation':{'type':'string','enum':['created','updated','unchanged'],'description':'What was "
		       "done'}";
	return arena_printf(&d->arena,
	    NAMED("%sData", "One result for each record", "'results'",
	        "'results':{'type':'array','maxItems':100,'description':'In the order of the "
	        "records','items':#%sResult{"
	        "'description':'The result of one record','oneOf':[" NAMED("%sRecord", "A record that succeeded",
	            "'status','data'",
	            "'status':" WORD("succeeded", "It was done") ",'data':%s,'warnings':{'type':"
	                                                         "'array','items':@Warning,'description':'What was "
	                                                         "ignored'}%s") ",@FailedRecord]}}"),
	    name, name, name, data, more);
}

/* Returns the schema of the "data" member. */
static const char *data_schema(struct openapi_doc *d, const struct route *r)
{
	const char *name = openapi_schema_name(d, r->resource, ""), *envelope = answer_envelope_name(d, r);

	switch (r->answer) {
	case ANSWER_ONE:
		return arena_printf(&d->arena, "@%s", name);
	case ANSWER_LIST:
		return arena_printf(&d->arena,
		    NAMED("%sData", "A page of a list", "'items','pagination'",
		        "'items':{'type':'array','items':@%s,'description':'The records, in the order asked for'},"
		        "'pagination':@Pagination"),
		    envelope, name);
	case ANSWER_ID:
		return arena_printf(&d->arena, "#%sId" OBJECT_OF_ID, openapi_schema_name(d, r->resource, "Deleted"),
		    openapi_id_name(r->resource->id_kind));
	case ANSWER_NAME:
		return NAMED("DeletedName", "What was deleted", "'name'", "'name':" TEXT_OF("Its name"));
	case ANSWER_BATCH:
		return results_schema(d, r, envelope);
	case ANSWER_TOTALS:
		return "@Aggregate";
	case ANSWER_PLAIN:
		break;
	}
	return "{}";
}

/* An envelope that several routes share is written only for the first of them. */
static bool envelope_is_new(struct openapi_doc *d, int at)
{
	const char *name = answer_envelope_name(d, &routes[at]);

	for (int i = 0; i < at && name; i++) {
		const char *earlier = answer_envelope_name(d, &routes[i]);
		if (earlier && strcmp(earlier, name) == 0)
			return false;
	}
	return name != NULL;
}

/* Writes the error of a record of a batch (docs/api.md, "Batches"). */
static void failed_record(struct openapi_doc *d)
{
	const char *codes = "";

	for (int i = 0; i < ERROR_CODES; i++)
		if (error_rows[i].record_code)
			codes = arena_printf(&d->arena, "%s'%s',", codes, error_rows[i].record_code);
	openapi_schema(d, "FailedRecord", "A record of a batch that failed, and why. Nothing of it was done.",
	    arena_printf(&d->arena,
	        OBJECT("'status','error'",
	            "'status':" WORD("failed", "It was not done") ",'error':" NAMED("FailedRecordError",
	                "What went wrong", "'code','message','documentationUrl'",
	                "'code':{'type':'string','enum':[%s],'description':'Which error it is, for "
	                "programs'},'message':" TEXT_OF(
	                    "What went wrong, for people") ",'documentationUrl':{'type':'string','format':'uri',"
	                                                   "'description':'Where the code is "
	                                                   "explained'},'details':" NAMED("AmbiguousDetails",
	                                                       "With AMBIGUOUS_MATCH: what the record may mean",
	                                                       "'candidates'",
	                                                       "'candidates':{'description':'The oldest of the records "
	                                                       "that match','type':'array','maxItems':"
	                                                       "10,'items':@RecordId}"))),
	        codes));
}

static void envelope_schema(struct openapi_doc *d, const struct route *r)
{
	openapi_schema(d, answer_envelope_name(d, r), "The envelope of an answer.",
	    arena_printf(&d->arena,
	        OBJECT("'data'",
	            "'data':%s,'warnings':{'type':'array','items':@Warning,'description':'What was ignored'},"
	            "'deprecations':{'type':'array','items':" TEXT
	            ",'description':'What the request uses that will be removed, and when, for people'}"),
	        data_schema(d, r)));
}

void openapi_envelopes(struct openapi_doc *d)
{
	for (int i = 0; i < n_routes; i++)
		if (envelope_is_new(d, i))
			envelope_schema(d, &routes[i]);
	failed_record(d);
	openapi_error_schemas(d);
}

/* --- answers without an envelope ---------------------------------------------------------- */

#define STATE                                                                                                          \
	NAMED("StateAnswer", "The envelope of an answer", "'data'",                                                    \
	    "'data':" NAMED("State", "The state of the process", "'status'",                                           \
	        "'status':{'type':'string','enum':['alive','ready'],'description':'In one word'}"))

#define EVENTS                                                                                                         \
	NAMED("EventsAnswer", "The envelope of an answer", "'data'",                                                   \
	    "'warnings':{'type':'array','items':@Warning,'description':'What was ignored'},'data':" NAMED(             \
	        "EventsPage", "A page of the feed", "'items','cursor','pagination'",                                   \
	        "'items':{'type':'array','items':@FeedEvent,'description':'In the order of the "                       \
	        "commits, or the reverse'},'cursor':" TEXT_OF(                                                         \
	            "Where to continue: after in the next request") ",'pagination':@Pagination"))
#define SESSION_TIME(name, about)                                                                                      \
	",'" name "':{'type':['string','null'],'format':'date-time','description':'" about "'}"
#define SESSION_WORKSPACE                                                                                              \
	NAMED("SessionWorkspace", "The workspace", "'id','name'",                                                      \
	    "'id':" TEXT_OF("Its id") ",'name':" TEXT_OF("Its name"))
#define SESSION_SCOPES "{'type':'array','items':{'type':'string'},'description':'What it may do'}"
#define SESSION_KEY                                                                                                    \
	NAMED("SessionKey", "The key of the request", "'id','kind','name','scopes'",                                   \
	    "'id':@KeyId,'kind':" TEXT_OF("What it is for") ",'name':" TEXT_OF(                                        \
	        "Its name") ",'scopes':" SESSION_SCOPES)
#define SESSION                                                                                                        \
	NAMED("SessionAnswer", "The envelope of an answer", "'data'",                                                  \
	    "'warnings':{'type':'array','items':@Warning,'description':'What was ignored'},'data':" NAMED("Session",   \
	        "Who is signed in", "'user','workspace','key','createdAt','expiresAt','idleExpiresAt'",                \
	        "'user':@User,'workspace':" SESSION_WORKSPACE ",'key':" SESSION_KEY SESSION_TIME(                      \
	            "createdAt", "When the key was made") SESSION_TIME("expiresAt", "When it ends; null: never")       \
	            SESSION_TIME("idleExpiresAt", "When it ends if it is not used before; null: never")))
#define DESCRIPTION_MEMBERS                                                                                            \
	"'openapi':{'type':'string','pattern':'^3[.]1[.]','description':'The version of OpenAPI'},'info':{'type':"     \
	"'object','description':'What the API is'},'paths':{'type':'object','description':'The operations, by path'}," \
	"'servers':{'type':'array','items':{'type':'object'},'description':'Where the API is'},'tags':{'type':"        \
	"'array','items':{'type':'object'},'description':'Kinds of operations'},'webhooks':{'type':'object',"          \
	"'description':'The events that webhooks receive'},'components':{'type':'object','description':'What is "      \
	"named by references'}"

static const struct plain {
	const char *path, *media, *schema;
} plains[] = {
    {"/livez", "application/json", STATE},
    {"/readyz", "application/json", STATE},
    {"/v1/session", "application/json", SESSION},
    {"/v1/events", "application/json", EVENTS},
    {"/v1/events/stream", "text/event-stream", TEXT_OF("Frames of events")},
    {"/docs/errors", "text/html", TEXT_OF("A page")},
    {"/openapi.json", "application/json",
        NAMED("Description", "An OpenAPI document", "'openapi','info','paths'", DESCRIPTION_MEMBERS)},
};

static const struct plain *answer_plain(const struct route *r)
{
	static const struct plain unknown = {NULL, "application/json", "{}"};

	for (size_t i = 0; i < sizeof plains / sizeof *plains; i++)
		if (strcmp(plains[i].path, r->path) == 0)
			return &plains[i];
	return &unknown;
}

/* --- operations ------------------------------------------------------------------------------- */

static unsigned answer_headers_of(const struct route *r)
{
	return ON_ALL | (r->flags & ROUTE_OPEN ? 0 : ON_COUNTED) | (route_writes(r) ? ON_WRITES : 0) |
	       (route_reads_list(r) ? ON_LISTS : 0) | (route_answers_etag(r) ? ON_RECORD : 0) |
	       (strcmp(r->path, "/livez") == 0 ? ON_LIVEZ : 0) |
	       (strcmp(r->path, "/docs/errors") == 0 || strcmp(r->path, "/openapi.json") == 0 ? ON_PAGE : 0) |
	       (r->flags & ROUTE_STREAM ? ON_STREAM : 0);
}

static const char *const successes[] = {
    [ANSWER_ONE] = "The record",
    [ANSWER_LIST] = "A page of the list",
    [ANSWER_ID] = "What was deleted",
    [ANSWER_NAME] = "What was deleted",
    [ANSWER_BATCH] = "A result for each record",
    [ANSWER_TOTALS] = "The figures",
    [ANSWER_PLAIN] = "The answer",
};

static void answer_success(struct openapi_doc *d, const struct route *r)
{
	const struct plain *plain = r->answer == ANSWER_PLAIN ? answer_plain(r) : NULL;

	openapi_put(d, "'200':{'description':'%s',", successes[r->answer]);
	openapi_headers(d, answer_headers_of(r));
	openapi_put(d, "'content':{'%s':{", plain ? plain->media : "application/json");
	if (plain)
		openapi_put(d, "'schema':%s,", plain->schema);
	else
		openapi_put(d, "'schema':@%s,", answer_envelope_name(d, r));
	openapi_example_recorded(d, r, ".answer");
	openapi_put(d, "}}},");
}

/* True when the operation can answer with the error's status. */
static bool can_answer(const struct route *r, int status)
{
	if (r->flags & ROUTE_OPEN)
		return status == 400 || (status == 503 && strcmp(r->path, "/readyz") == 0);
	switch (status) {
	case 404:
		return strchr(r->path, '{');
	case 409: /* from an Idempotency-Key */
		return route_takes_retries(r);
	case 412:
		return route_takes_condition(r);
	case 413:
		return r->method != HTTP_GET && r->method != HTTP_DELETE;
	case 414:
		return r->method == HTTP_GET && r->params;
	default:
		return true;
	}
}

void openapi_responses(struct openapi_doc *d, const struct route *r)
{
	openapi_put(d, "'responses':{");
	answer_success(d, r);
	for (int status = 0; (status = openapi_next_status(status));)
		if (can_answer(r, status))
			openapi_put(d, "'%d':{'$ref':'#/components/responses/Error%d'},", status, status);
	openapi_put(d, "},");
}
