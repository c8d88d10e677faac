/* Answers in the description: envelopes, errors by status, headers. */
#include <string.h>

#include "server/request/errors.h"
#include "server/openapi/document_private.h"
#include "server/request/reply.h"

/* --- headers ------------------------------------------------------------------------- */

enum {
	ON_ALL = 1,
	ON_COUNTED = 2,
	ON_WRITES = 4,
	ON_RETRY = 8,
	ON_REFUSED = 16,
	ON_LISTS = 32,
	ON_NO_KEY = 64,
	ON_LIVEZ = 128,
	ON_RECORD = 256
};

static const struct {
	const char *name, *schema, *example, *description;
	unsigned on;
	bool required; /* in every answer that has it */
} headers[] = {
    {"X-Request-Id", "{'type':'string','format':'uuid'}", "'0b7f3a52-2c1d-4c55-9a0e-7d5c3f1b8e60'",
        "Of this request; also error.requestId", ON_ALL, true},
    {"X-API-Version", "{'const':'" API_VERSION "'}", "'" API_VERSION "'", "The version that answers", ON_ALL, true},
    {"X-RateLimit-Limit", "{'type':'integer'}", "20", "Requests in the window of the tighter policy", ON_COUNTED,
        false},
    {"X-RateLimit-Remaining", "{'type':'integer','minimum':0}", "19", "Requests left in it", ON_COUNTED, false},
    {"X-RateLimit-Reset", "{'type':'integer'}", "1769852402", "When the limit is fully restored, in seconds since 1970",
        ON_COUNTED, false},
    {"RateLimit-Policy", TEXT, "'\\'default\\';q=600;w=60, \\'burst\\';q=20;w=2'", "Every policy", ON_COUNTED, false},
    {"RateLimit", TEXT, "'\\'default\\';r=599;t=60, \\'burst\\';r=19;t=2'", "The remainder of every policy", ON_COUNTED,
        false},
    {"Idempotent-Replayed", "{'const':'true'}", "'true'", "This is the answer of an earlier request with the same key",
        ON_WRITES, false},
    {"X-Dry-Run", "{'const':'true'}", "'true'", "The request was a dry run: nothing of it remains",
        ON_WRITES | ON_REFUSED, false},
    {"Deprecation", "{'type':'string','pattern':'^@[0-9]+$'}", "'@1790640000'",
        "When the feature used was deprecated, in seconds since 1970 (RFC 9745)", ON_COUNTED, false},
    {"Sunset", TEXT, "'Mon, 29 Mar 2027 00:00:00 GMT'", "When it will be gone (RFC 8594)", ON_COUNTED, false},
    {"X-Events-Cursor", TEXT, "'AQUAAAAAAAAAAAAE0gAAAAAAAAAAAAABm5zA2oBq'",
        "Cursor for following changes of the list: after in GET /v1/events", ON_LISTS, true},
    {"ETag", "{'type':'string','pattern':'^\\'[0-9a-z]+\\'$'}", ETAG_EXAMPLE,
        "Of the record as it is now, for If-Match: changes with every change of it", ON_RECORD, true},
    {"Retry-After", "{'type':'integer','minimum':0}", "1", "Seconds to wait", ON_RETRY, true},
    {"WWW-Authenticate", "{'const':'Bearer'}", "'Bearer'", "With 401: a key is sent as a bearer token (RFC 6750)",
        ON_NO_KEY, true},
    {"X-Kith-Database", "{'type':'string','pattern':'^[0-9a-f]{64}$'}",
        "'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'",
        "Identifies the database, the same for all its processes", ON_LIVEZ, true},
    {"Allow", TEXT, "'GET, HEAD, OPTIONS'", "With 405: the methods of the path", ON_REFUSED, false},
};

enum { N_HEADERS = sizeof headers / sizeof *headers };

static void answer_headers(struct openapi_doc *d, unsigned on)
{
	openapi_put(d, "'headers':{");
	for (int i = 0; i < N_HEADERS; i++)
		if (headers[i].on & on)
			openapi_put(d, "'%s':{'$ref':'#/components/headers/%s'},", headers[i].name, headers[i].name);
	openapi_put(d, "},");
}

/* --- errors -------------------------------------------------------------------------- */

/* The next status with a row of errors; 0: there is none. */
static int answer_next_status(int status)
{
	while (++status < 600)
		for (int i = 0; i < ERROR_CODES; i++)
			if (error_rows[i].status == status)
				return status;
	return 0;
}

/* The schema of an error, with the codes of the status, or all codes when it is 0. */
static void answer_error_schema(struct openapi_doc *d, const char *name, int status)
{
	const char *codes = "", *details = "";

	for (int i = 0; i < ERROR_CODES; i++)
		if (!status || error_rows[i].status == status)
			codes = arena_printf(&d->arena, "%s'%s',", codes, error_rows[i].code);
	if (status == 404)
		details = ",'details':@MergedDetails";
	if (status == 422)
		details = ",'details':@IssueDetails";
	if (status == 429)
		details = ",'details':@RateLimitDetails";
	openapi_put(d,
	    "'%s':" OBJECT(
	        "'error'", "'error':" OBJECT("'code','message','documentationUrl','requestId','timestamp'%s",
	                       "'code':{'enum':[%s]},'message':" TEXT ",'documentationUrl':{'type':'string','format':"
	                       "'uri'},'requestId':{'type':'string','format':'uuid'},'timestamp':" TIME "%s")) ",",
	    name, status == 429 ? ",'details'" : "", codes, details);
}

static void error_example(struct openapi_doc *d, enum error_code code)
{
	static const char issues[] = "{\"issues\":[{\"code\":\"too_big\",\"message\":\"String must contain at most 500 "
	                             "character(s)\",\"path\":[\"firstName\"],\"maximum\":500,\"type\":\"string\","
	                             "\"inclusive\":true,\"exact\":false}]}";
	static const char limits[] =
	    "{\"policy\":\"burst\",\"limit\":20,\"remaining\":0,\"windowSeconds\":2,\"retryAfter\":"
	    "\"2026-01-31T09:30:01.000Z\",\"policies\":[{\"policy\":\"default\",\"limit\":600,\"remaining\":512,"
	    "\"windowSeconds\":60,\"retryAfter\":null},{\"policy\":\"burst\",\"limit\":20,\"remaining\":0,"
	    "\"windowSeconds\":2,\"retryAfter\":\"2026-01-31T09:30:01.000Z\"}]}";
	struct buf details;

	buf_init(&details, 4096);
	if (code == ERROR_UNPROCESSABLE)
		buf_addz(&details, issues);
	if (code == ERROR_RATE_LIMITED)
		buf_addz(&details, limits);
	openapi_put(d, "'example':");
	error_body(&d->out, code, NULL, "https://kith.example", "0b7f3a52-2c1d-4c55-9a0e-7d5c3f1b8e60",
	    details.len ? &details : NULL);
	buf_free(&details);
}

static bool has_retry_after(int status)
{
	return status == 409 || status == 429 || status == 503;
}

/* An error response of any code of the status; code: in the example. */
static void answer_error(struct openapi_doc *d, const char *name, const char *schema, const char *description,
    enum error_code code, unsigned on)
{
	openapi_put(d, "'%s':{", name);
	openapi_text(d, "description", description);
	answer_headers(d, on);
	openapi_put(d, "'content':{'application/json':{'schema':@%s,", schema);
	error_example(d, code);
	openapi_put(d, "}}},");
}

static void status_response(struct openapi_doc *d, int status)
{
	unsigned on = ON_ALL | ON_COUNTED | ON_WRITES | (has_retry_after(status) ? ON_RETRY : 0) |
	              (status == 401 ? ON_NO_KEY : 0) | (status == 412 ? ON_RECORD : 0);
	const char *name = arena_printf(&d->arena, "Error%d", status), *text = "";
	enum error_code first = ERROR_CODES;

	for (enum error_code i = ERROR_CODES; i-- > 0;) {
		if (error_rows[i].status != status)
			continue;
		text = arena_printf(
		    &d->arena, "`%s`: %s.%s%s", error_rows[i].code, error_rows[i].message, *text ? " " : "", text);
		first = i;
	}
	answer_error(d, name, name, text, first, on);
}

/* --- envelopes ------------------------------------------------------------------------- */

/* The name of a route's envelope; NULL: none. */
static const char *answer_envelope_name(struct openapi_doc *d, const struct route *r)
{
	switch (r->answer) {
	case ANSWER_ONE:
		return openapi_name(d, r->resource->name, "Answer");
	case ANSWER_LIST:
		return openapi_name(d, r->resource->name, "List");
	case ANSWER_ID:
	case ANSWER_NAME:
		return openapi_name(d, r->resource->name, "Deleted");
	case ANSWER_BATCH:
		return openapi_name(d, r->resource->name,
		    r->input == INPUT_BATCH_DELETE   ? "BatchDeleted"
		    : r->input == INPUT_BATCH_CREATE ? "BatchCreated"
		    : r->input == INPUT_BATCH_UPSERT ? "BatchUpserted"
		                                     : "BatchUpdated");
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

/* One result per record; the members beside "data" depend on the operation. */
static const char *results_schema(struct openapi_doc *d, const struct route *r)
{
	const struct resource *res = r->resource;
	const char *data = arena_printf(&d->arena, "@%s", openapi_name(d, res->name, "")), *more = "";

	if (r->input == INPUT_BATCH_DELETE)
		data = arena_printf(&d->arena, OBJECT("'id'", "'id':@%s"), openapi_id_name(res->id_kind));
	if (r->input == INPUT_BATCH_UPDATE && has_groups(res))
		more = ",'removedGroups':" LIST_OF("@GroupReference");
	if (r->input == INPUT_BATCH_CREATE && res->id_kind == ID_COMPANY)
		more = ",'operation':{'enum':['created','existing']}";
	if (r->input == INPUT_BATCH_UPSERT)
		more = ",'operation':{'enum':['created','updated','unchanged']}";
	return arena_printf(&d->arena,
	    OBJECT("'results'", "'results':{'type':'array','maxItems':100,'items':{'oneOf':[" OBJECT(
	                            "'status','data'", "'status':{'const':'succeeded'},'data':%s,'warnings':" LIST_OF(
	                                                   "@Warning") "%s") ",@FailedRecord]}}"),
	    data, more);
}

/* The schema of the "data" member. */
static const char *data_schema(struct openapi_doc *d, const struct route *r)
{
	const char *name = openapi_name(d, r->resource->name, "");

	switch (r->answer) {
	case ANSWER_ONE:
		return arena_printf(&d->arena, "@%s", name);
	case ANSWER_LIST:
		return arena_printf(&d->arena,
		    OBJECT("'items','pagination'", "'items':" LIST_OF("@%s") ",'pagination':@Pagination"), name);
	case ANSWER_ID:
		return arena_printf(&d->arena, OBJECT("'id'", "'id':@%s"), openapi_id_name(r->resource->id_kind));
	case ANSWER_NAME:
		return OBJECT("'name'", "'name':" TEXT);
	case ANSWER_BATCH:
		return results_schema(d, r);
	case ANSWER_PLAIN:
		break;
	}
	return "{}";
}

/* An envelope shared by several routes is written for the first of them. */
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

/* The error of a record of a batch (docs/api.md, "Batches"). */
static void failed_record(struct openapi_doc *d)
{
	const char *codes = "";

	for (int i = 0; i < ERROR_CODES; i++)
		if (error_rows[i].record_code)
			codes = arena_printf(&d->arena, "%s'%s',", codes, error_rows[i].record_code);
	openapi_put(d,
	    "'FailedRecord':" OBJECT("'status','error'",
	        "'status':{'const':'failed'},'error':" OBJECT("'code','message','documentationUrl'",
	            "'code':{'enum':[%s]},'message':" TEXT ",'documentationUrl':{'type':'string','format':'uri'},"
	            "'details':" OBJECT("'candidates'",
	                "'candidates':{'description':'With AMBIGUOUS_MATCH: the oldest of the "
	                "records that match','type':'array','maxItems':10,'items':" TEXT "}"))) ",",
	    codes);
}

void openapi_envelopes(struct openapi_doc *d)
{
	for (int i = 0; i < n_routes; i++)
		if (envelope_is_new(d, i))
			openapi_put(d,
			    "'%s':" OBJECT(
			        "'data'", "'data':%s,'warnings':" LIST_OF("@Warning") ",'deprecations':" TEXTS) ",",
			    answer_envelope_name(d, &routes[i]), data_schema(d, &routes[i]));
	for (int status = 0; (status = answer_next_status(status));)
		answer_error_schema(d, arena_printf(&d->arena, "Error%d", status), status);
	answer_error_schema(d, "Error", 0);
	failed_record(d);
}

/* --- answers without an envelope ---------------------------------------------------------- */

#define STATE OBJECT("'data'", "'data':" OBJECT("'status'", "'status':{'enum':['alive','ready']}"))
#define STATE_EXAMPLE "{'data':{'status':'ready'}}"

/* data of an event: its record, and members that depend on the event's type. */
#define EVENT_DATA                                                                                                     \
	OBJECT("'id','url'",                                                                                           \
	    "'id':" TEXT ",'url':{'type':'string','format':'uri'},'changes':" LIST_OF(OBJECT("'path','type'",          \
	        "'path':" TEXTS ",'type':{'enum':['set','add','remove']},'value':{}")) ",'details':{'type':'object'}")
#define EVENT                                                                                                          \
	OBJECT(                                                                                                        \
	    "'id','type','createdAt','data'", "'id':" TEXT ",'type':" TEXT ",'createdAt':" TIME ",'data':" EVENT_DATA)
#define EVENTS                                                                                                         \
	OBJECT("'data'",                                                                                               \
	    "'warnings':" LIST_OF("@Warning") ",'data':" OBJECT("'items','cursor','pagination'",                       \
	        "'items':" LIST_OF(                                                                                    \
	            EVENT) ",'cursor':{'type':'string','description':'Where to continue: after in the next request'}," \
	                   "'pagination':@Pagination"))
#define EVENTS_EXAMPLE                                                                                                 \
	"{'data':{'items':[{'id':'evt_019a9d79-7c30-7b3e-9fa4-2516532f8c5d','type':'person.updated',"                  \
	"'createdAt':'2026-01-31T09:30:00.000Z','data':{'id':'per_019a9d79-7c30-7b3e-9fa4-2516532f8c5e',"              \
	"'url':'https://kith.example/v1/people/per_019a9d79-7c30-7b3e-9fa4-2516532f8c5e','changes':[{'path':["         \
	"'firstName'],'type':'set','value':'Ada'}]}}],'cursor':'AQUAAAAAAAAAAAAE0gAAAAAAAAAAAAABm5zA2oBq',"            \
	"'pagination':{}}}"

static const struct plain {
	const char *path, *media, *schema, *example;
} plains[] = {
    {"/livez", "application/json", STATE, STATE_EXAMPLE},
    {"/readyz", "application/json", STATE, STATE_EXAMPLE},
    {"/v1/events", "application/json", EVENTS, EVENTS_EXAMPLE},
    {"/docs/errors", "text/html", TEXT, NULL},
    {"/openapi.json", "application/json",
        "{'type':'object','required':['openapi','info','paths'],'properties':{'openapi':{'type':'string','pattern':"
        "'^3[.]1[.]'},'info':{'type':'object'},'paths':{'type':'object'}}}",
        NULL},
};

static const struct plain *answer_plain(const struct route *r)
{
	static const struct plain unknown = {NULL, "application/json", "{}", NULL};

	for (size_t i = 0; i < sizeof plains / sizeof *plains; i++)
		if (strcmp(plains[i].path, r->path) == 0)
			return &plains[i];
	return &unknown;
}

/* --- operations ------------------------------------------------------------------------------- */

static unsigned answer_headers_of(const struct route *r)
{
	return ON_ALL | (r->flags & ROUTE_OPEN ? 0 : ON_COUNTED) | (route_writes(r) ? ON_WRITES : 0) |
	       (r->answer == ANSWER_LIST ? ON_LISTS : 0) | (route_answers_etag(r) ? ON_RECORD : 0) |
	       (strcmp(r->path, "/livez") == 0 ? ON_LIVEZ : 0);
}

static void answer_success(struct openapi_doc *d, const struct route *r)
{
	const struct plain *plain = r->answer == ANSWER_PLAIN ? answer_plain(r) : NULL;

	openapi_put(d, "'200':{'description':'Done',");
	answer_headers(d, answer_headers_of(r));
	openapi_put(d, "'content':{'%s':{", plain ? plain->media : "application/json");
	if (plain) {
		openapi_put(d, "'schema':%s,", plain->schema);
		if (plain->example)
			openapi_put(d, "'example':%s", plain->example);
	} else {
		openapi_put(d, "'schema':@%s,'example':{'data':", answer_envelope_name(d, r));
		openapi_data_example(d, r);
		openapi_put(d, "}");
	}
	openapi_put(d, "}}},");
}

void openapi_responses(struct openapi_doc *d, const struct route *r)
{
	openapi_put(d, "'responses':{");
	answer_success(d, r);
	for (int status = 0; !(r->flags & ROUTE_OPEN) && (status = answer_next_status(status));)
		/* no Idempotency-Key, no conflict; no If-Match, no condition */
		if ((status != 409 || route_writes(r)) && (status != 412 || route_takes_condition(r)))
			openapi_put(d, "'%d':{'$ref':'#/components/responses/Error%d'},", status, status);
	openapi_put(d, "'4XX':{'$ref':'#/components/responses/Refused'},"
	               "'5XX':{'$ref':'#/components/responses/Unserved'}},");
}

void openapi_components(struct openapi_doc *d)
{
	openapi_put(d, "'headers':{");
	for (int i = 0; i < N_HEADERS; i++)
		openapi_put(d, "'%s':{'description':'%s','required':%s,'schema':%s,'example':%s},", headers[i].name,
		    headers[i].description, headers[i].required ? "true" : "false", headers[i].schema,
		    headers[i].example);
	openapi_put(d, "},'responses':{");
	for (int status = 0; (status = answer_next_status(status));)
		status_response(d, status);
	answer_error(d, "Refused", "Error", "Not an acceptable HTTP request: its method, size or framing",
	    ERROR_INVALID_REQUEST, ON_ALL | ON_REFUSED);
	answer_error(d, "Unserved", "Error", "An unsupported HTTP method or version, or the service is unavailable",
	    ERROR_INVALID_REQUEST, ON_ALL);
	openapi_put(d, "},");
}
