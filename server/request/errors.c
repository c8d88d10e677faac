/* The table of errors and their envelope. */
#include "server/request/errors.h"

#include <string.h>

#include "server/base/clock.h"

const struct error_row error_rows[ERROR_CODES] = {
    [ERROR_INVALID_REQUEST] = {"INVALID_REQUEST", NULL, 400, "bad-request", "The request is invalid",
        "The request could not be read: its body is not valid JSON, or its method, size or framing is not accepted. "
        "Correct it before you send it again."},
    [ERROR_KEY_INVALID] = {"IDEMPOTENCY_KEY_INVALID", NULL, 400, "idempotency-errors",
        "Idempotency-Key must be sent once, with 1 to 255 printable ASCII characters and no space",
        "The Idempotency-Key header is empty, was sent more than once, is longer than 255 characters, or contains a "
        "space or another character outside printable ASCII. Use a UUID, for example."},
    [ERROR_UNAUTHORIZED] = {"UNAUTHORIZED", NULL, 401, "unauthorized",
        "A valid API key is required: send the header 'Authorization: Bearer ' and the key",
        "Send a key that is neither revoked nor expired as <code>Authorization: Bearer &lt;key&gt;</code>. "
        "Keys are created with <code>kith key create</code>."},
    [ERROR_FORBIDDEN] = {"FORBIDDEN", "FORBIDDEN", 403, "forbidden", "The API key lacks permission for this operation",
        "The key only allows reading, or its user's role in the group does not allow this. Ask an admin of the group "
        "or the workspace."},
    [ERROR_NOT_FOUND] = {"RESOURCE_NOT_FOUND", "NOT_FOUND", 404, "not-found", "Resource not found",
        "Nothing exists at this path or id, or the key's user may not see it. If an object type is unknown, the "
        "message lists the types of the group."},
    [ERROR_KEY_IN_PROGRESS] = {"IDEMPOTENCY_REQUEST_IN_PROGRESS", NULL, 409, "idempotency-errors",
        "A request with this Idempotency-Key is still being processed",
        "Wait as long as Retry-After says, then send the same request with the same key again."},
    [ERROR_SEVERAL_WORKSPACES] = {"SEVERAL_WORKSPACES", NULL, 409, "several-workspaces",
        "This e-mail address and password fit users of several workspaces",
        "This error occurs only when somebody signs in. Send the same request with <code>workspace</code>, one of the "
        "ids in <code>details.workspaces</code>."},
    [ERROR_PRECONDITION_FAILED] = {"PRECONDITION_FAILED", "PRECONDITION_FAILED", 412, "precondition-failed",
        "The record has changed since it was read",
        "The record's <code>ETag</code> is not in <code>If-Match</code> (in a batch <code>ifMatch</code>), so nothing "
        "was changed. Read the record again, decide whether your change still applies, and send it with the current "
        "<code>ETag</code>. The same Idempotency-Key may be used again."},
    [ERROR_MOVED] = {"WORKSPACE_MOVED", NULL, 421, "workspace-moved", "The workspace has moved to another server",
        "The request did not run. The key's workspace is now at the address in <code>details.address</code>. Send this "
        "request to the URL in <code>Location</code>, with the same key, Idempotency-Key and cursor. Send all later "
        "requests to the new address, too."},
    [ERROR_UNPROCESSABLE] = {"UNPROCESSABLE_ENTITY", "UNPROCESSABLE_ENTITY", 422, "unprocessable-entity",
        "Invalid input",
        "The request was understood but refused, and nothing was done. <code>details.issues</code> lists all mistakes, "
        "each with the path of the value, many with a hint. Correct the request; the same Idempotency-Key may be used "
        "again."},
    [ERROR_AMBIGUOUS] = {"AMBIGUOUS_MATCH", "AMBIGUOUS_MATCH", 422, "ambiguous-match",
        "Several existing records match this one",
        "This error occurs only for a record of an upsert. <code>details.candidates</code> lists the ids of the oldest "
        "records that match, at most ten. Remove or change the value in all but one of them, or match by another "
        "field."},
    [ERROR_KEY_REUSED] = {"IDEMPOTENCY_KEY_REUSED", NULL, 422, "idempotency-errors",
        "This Idempotency-Key was already used for a different request",
        "A key belongs to one request: its method, path, query, version and body. Use a new key for each request."},
    [ERROR_KEY_NOT_STORED] = {"IDEMPOTENCY_RESPONSE_NOT_STORED", NULL, 422, "idempotency-errors",
        "The request with this Idempotency-Key already ran, but its response was not kept",
        "The response was larger than 1 MiB, or a person in it was erased. Check what the first request did before you "
        "send it again with a new key."},
    [ERROR_RATE_LIMITED] = {"TOO_MANY_REQUESTS", NULL, 429, "rate-limiting", "Rate limit exceeded",
        "The request did not run. Wait as long as Retry-After says. <code>details.policies</code> shows every limit."},
    [ERROR_INTERNAL] = {"INTERNAL_SERVER_ERROR", "INTERNAL_SERVER_ERROR", 500, "internal-server-error",
        "Internal server error",
        "The server failed. A retry with the same Idempotency-Key gets the same answer: check what was changed before "
        "you use a new key. Quote the requestId when you report the error."},
    [ERROR_UNAVAILABLE] = {"SERVICE_UNAVAILABLE", NULL, 503, "service-unavailable", "The service is unavailable",
        "The request did not run. Retry with exponential backoff, after Retry-After at the earliest, with the same "
        "Idempotency-Key."},
    [ERROR_KEY_UNAVAILABLE] = {"IDEMPOTENCY_UNAVAILABLE", NULL, 503, "idempotency-errors",
        "The Idempotency-Key could not be claimed; the request was not processed",
        "Retry the same request with the same key."},
};

enum error_code error_of_status(int status)
{
	for (int code = 0; code < ERROR_CODES; code++)
		if (error_rows[code].status == status)
			return (enum error_code)code;
	return ERROR_INVALID_REQUEST;
}

void error_body(struct buf *out, enum error_code code, const char *message, const char *base, const char *request_id,
    const struct buf *details)
{
	const struct error_row *row = &error_rows[code];
	struct json_out o;
	char now[TIME_TEXT_SIZE];

	json_out_init(&o, out);
	json_begin_object(&o);
	json_key(&o, "error");
	json_begin_object(&o);
	json_add_string(&o, "code", row->code);
	json_add_string(&o, "message", message ? message : row->message);
	json_key(&o, "documentationUrl");
	error_url(&o, code, base);
	json_add_string(&o, "requestId", request_id);
	json_add_string(&o, "timestamp", time_format(clock_now_ms(), now));
	if (details) {
		json_key(&o, "details");
		json_raw(&o, details->data, details->len);
	}
	json_end_object(&o);
	json_end_object(&o);
}

void error_url(struct json_out *o, enum error_code code, const char *base)
{
	struct buf url;

	buf_init(&url, 4096);
	buf_printf(&url, "%s/docs/errors#%s", base, error_rows[code].anchor);
	json_string_len(o, url.data, url.len);
	buf_free(&url);
}
