/* Writes the errors in the description, by status, and the headers of all answers. */
#include "server/request/errors.h"
#include "server/openapi/document_private.h"
#include "server/request/reply.h"

/* --- headers ------------------------------------------------------------------------- */

static const struct {
	const char *name, *schema, *example, *description;
	unsigned on;
	bool required; /* every answer of its set has it */
} headers[] = {
    {"X-Request-Id", "{'type':'string','format':'uuid'}", "'0b7f3a52-2c1d-4c55-9a0e-7d5c3f1b8e60'",
        "The id of this request; also error.requestId", ON_ALL, true},
    {"X-API-Version", "{'type':'string','const':'" API_VERSION "'}", "'" API_VERSION "'", "The version that answers",
        ON_ALL, true},
    {"X-RateLimit-Limit", "{'type':'integer'}", "20", "Requests in the window of the tighter policy", ON_COUNTED,
        false},
    {"X-RateLimit-Remaining", "{'type':'integer','minimum':0}", "19", "Requests left in that window", ON_COUNTED,
        false},
    {"X-RateLimit-Reset", "{'type':'integer'}", "1769852402", "When the limit is fully restored, in seconds since 1970",
        ON_COUNTED, false},
    {"RateLimit-Policy", TEXT, "'\\'default\\';q=600;w=60, \\'burst\\';q=20;w=2'", "Every policy", ON_COUNTED, false},
    {"RateLimit", TEXT, "'\\'default\\';r=599;t=60, \\'burst\\';r=19;t=2'", "The remainder of every policy", ON_COUNTED,
        false},
    {"Idempotent-Replayed", "{'type':'string','const':'true'}", "'true'",
        "This is the answer of an earlier request with the same key", ON_WRITES, false},
    {"X-Dry-Run", "{'type':'string','const':'true'}", "'true'", "The request was a dry run: nothing of it remains",
        ON_WRITES, false},
    {"Deprecation", "{'type':'string','pattern':'^@[0-9]+$'}", "'@1790640000'",
        "When the feature used was deprecated, in seconds since 1970 (RFC 9745)", ON_COUNTED, false},
    {"Sunset", TEXT, "'Mon, 29 Mar 2027 00:00:00 GMT'", "When it will be removed (RFC 8594)", ON_COUNTED, false},
    {"X-Events-Cursor", TEXT, "'AQUAAAAAAAAAAAAE0gAAAAAAAAAAAAABm5zA2oBq'",
        "Cursor for following changes of the list: after in GET /v1/events", ON_LISTS, true},
    {"ETag", "{'type':'string','pattern':'^\\'[0-9a-z]+(-gzip)?\\'$'}", ETAG_EXAMPLE,
        "For a record its current tag, for If-Match: it changes with every change of the record. For a page a tag for "
        "If-None-Match",
        ON_RECORD | ON_PAGE, true},
    {"Retry-After", "{'type':'integer','minimum':0}", "1", "Seconds to wait", ON_RETRY, true},
    {"WWW-Authenticate", "{'type':'string','pattern':'^Bearer( .*)?$'}", "'Bearer'",
        "With 401: a key is sent as a bearer token (RFC 6750); where OAuth is available, also where applications begin",
        ON_NO_KEY, true},
    {"X-Kith-Database", "{'type':'string','pattern':'^[0-9a-f]{64}$'}",
        "'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'",
        "Identifies the database, the same for all its processes", ON_LIVEZ, true},
    {"X-Accel-Buffering", "{'type':'string','const':'no'}", "'no'", "Tells nginx to pass events on at once", ON_STREAM,
        true},
};

enum { N_HEADERS = sizeof headers / sizeof *headers };

void openapi_headers(struct openapi_doc *d, unsigned on)
{
	openapi_put(d, "'headers':{");
	for (int i = 0; i < N_HEADERS; i++)
		if (headers[i].on & on)
			openapi_put(d, "'%s':{'$ref':'#/components/headers/%s'},", headers[i].name, headers[i].name);
	openapi_put(d, "},");
}

/* --- errors -------------------------------------------------------------------------- */

/* Refusals of requests that are too large. They have no code of their own. */
static const struct {
	int status;
	const char *text;
} refusals[] = {
    {413, "`INVALID_REQUEST`: the body exceeds a limit: 1 MiB, of batches 8 MiB, or a number of values. Also an answer "
          "to a batch that would be too large."},
    {414, "`INVALID_REQUEST`: path and query exceed 8,192 bytes. Searches take filters in the body."},
};

enum { N_REFUSALS = sizeof refusals / sizeof *refusals };

int openapi_next_status(int status)
{
	while (++status < 600) {
		for (int i = 0; i < ERROR_CODES; i++)
			if (error_rows[i].status == status)
				return status;
		for (int i = 0; i < N_REFUSALS; i++)
			if (refusals[i].status == status)
				return status;
	}
	return 0;
}

static const char *error_details(int status)
{
	switch (status) {
	case 404:
		return ",'details':@MergedDetails";
	case 422:
		return ",'details':@IssueDetails";
	case 429:
		return ",'details':@RateLimitDetails";
	default:
		return "";
	}
}

static void error_schema(struct openapi_doc *d, int status)
{
	const char *codes = "";

	for (int i = 0; i < ERROR_CODES; i++)
		if (error_rows[i].status == status)
			codes = arena_printf(&d->arena, "%s'%s',", codes, error_rows[i].code);
	openapi_put(d,
	    "'Error%d':" OPEN_OBJECT "'description':'The envelope of errors with the status %d','required':['error'],"
	    "'properties':{'error':#Error%dBody" OPEN_OBJECT
	    "'description':'What went wrong','required':['code','message',"
	    "'documentationUrl','requestId','timestamp'%s],'properties':{'code':{'type':'string','enum':[%s],'"
	    "description':'Which error it is, for programs'},'message':" TEXT_OF(
	        "What went wrong, for people") ","
	                                       "'documentationUrl':{'type':'string','format':'uri','description':'"
	                                       "Where the code is explained'},"
	                                       "'requestId':{'type':'string','format':'uuid','description':'As "
	                                       "X-Request-Id'},'timestamp':{'type':'string',"
	                                       "'format':'date-time','description':'When it happened'}%s}}}},",
	    status, status, status, status == 429 ? ",'details'" : "", *codes ? codes : "'INVALID_REQUEST'",
	    error_details(status));
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

static unsigned error_headers(int status)
{
	return ON_ALL | ON_COUNTED | ON_WRITES | (status == 409 || status == 429 || status == 503 ? ON_RETRY : 0) |
	       (status == 401 ? ON_NO_KEY : 0) | (status == 412 ? ON_RECORD : 0);
}

/* Returns every code of the status with its message. */
static const char *error_text(struct openapi_doc *d, int status)
{
	const char *text = "";

	for (int i = 0; i < N_REFUSALS; i++)
		if (refusals[i].status == status)
			return refusals[i].text;
	for (int i = 0; i < ERROR_CODES; i++)
		if (error_rows[i].status == status)
			text = arena_printf(&d->arena, "%s%s`%s`: %s.", text, *text ? " " : "", error_rows[i].code,
			    error_rows[i].message);
	return text;
}

static void error_response(struct openapi_doc *d, int status)
{
	openapi_put(d, "'Error%d':{", status);
	openapi_text(d, "description", error_text(d, status));
	openapi_headers(d, error_headers(status));
	openapi_put(d, "'content':{'application/json':{'schema':@Error%d,", status);
	error_example(d, error_of_status(status));
	openapi_put(d, "}}},");
}

/* --- all parts ----------------------------------------------------------------------- */

void openapi_error_schemas(struct openapi_doc *d)
{
	for (int status = 0; (status = openapi_next_status(status));)
		error_schema(d, status);
}

void openapi_components(struct openapi_doc *d)
{
	openapi_put(d, "'headers':{");
	for (int i = 0; i < N_HEADERS; i++)
		openapi_put(d, "'%s':{'description':'%s','required':%s,'schema':%s,'example':%s},", headers[i].name,
		    headers[i].description, headers[i].required ? "true" : "false", headers[i].schema,
		    headers[i].example);
	openapi_put(d, "},'responses':{");
	for (int status = 0; (status = openapi_next_status(status));)
		error_response(d, status);
	openapi_put(d, "},");
}
