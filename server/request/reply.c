/* Replies: envelope, errors, warnings, common headers, and sending. */
#include "server/request/reply.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/base/accept.h"
#include "server/base/clock.h"
#include "server/base/digits.h"
#include "server/base/etag.h"
#include "server/output/render.h"
#include "server/request/challenge.h"
#include "server/request/event_cursor.h"
#include "server/request/warning.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "store/record.h"

const char reply_stopping[] = "the server is stopping";

enum { REPLY_FIRST = 2000, REPLY_MAX = 64 << 20, WARNINGS_MAX = 1 << 20 };

void reply_init(struct req_reply *reply)
{
	buf_init(&reply->out, REPLY_MAX);
	buf_init(&reply->warnings, WARNINGS_MAX);
}

void reply_free(struct req_reply *reply)
{
	buf_free(&reply->out);
	buf_free(&reply->warnings);
}

void reply_forget(struct req_reply *reply)
{
	buf_clear(&reply->out);
	buf_clear(&reply->warnings);
	reply->status = 0;
	reply->n_headers = 0;
	reply->replayed = false;
}

void reply_header(struct req *r, const char *name, const char *value)
{
	if (r->reply.n_headers < REPLY_HEADERS_MAX)
		r->reply.headers[r->reply.n_headers++] = (struct http_header){name, arena_dupz(&r->arena, value)};
}

const char *reply_header_get(const struct req_reply *reply, const char *name)
{
	for (size_t i = 0; i < reply->n_headers; i++)
		if (strcmp(reply->headers[i].name, name) == 0)
			return reply->headers[i].value;
	return NULL;
}

void reply_part(struct req_reply *reply, struct http_part part)
{
	reply->parts[reply->n_parts++] = part;
	reply->bytes_sent += part.len;
}

bool reply_is_known(struct req *r, const char *etag)
{
	const char *known = req_header_list(r, "If-None-Match");

	reply_header(r, "ETag", etag);
	if (!known || !etag_list_names(known, strlen(known), etag))
		return false;
	r->reply.status = 304;
	return true;
}

void reply_vary(struct req *r, const char *name)
{
	for (size_t i = 0; i < r->reply.n_headers; i++) {
		struct http_header *h = &r->reply.headers[i];
		if (strcmp(h->name, "Vary") != 0)
			continue;
		if (!accept_names(h->value, name))
			h->value = arena_printf(&r->arena, "%s, %s", h->value, name);
		return;
	}
	reply_header(r, "Vary", name);
}

/* Adds nothing for a record without an ETag. */
static void reply_etag(struct req *r, const struct record *rec)
{
	int stamp = rec->resource->stamp;
	char tag[ETAG_SIZE];

	if (stamp)
		reply_header(r, "ETag", etag_format(rec->values[stamp].number, tag));
}

struct json_out *reply_begin(struct req *r)
{
	r->reply.status = 200;
	buf_clear(&r->reply.out);
	buf_grow(&r->reply.out, REPLY_FIRST);
	json_out_init(&r->reply.json, &r->reply.out);
	json_begin_object(&r->reply.json);
	json_key(&r->reply.json, "data");
	return &r->reply.json;
}

/* The deprecated member of a body, or the whole request when its route is deprecated. */
static void warn_deprecated(struct req_reply *reply)
{
	struct path member = PATH_NAME(NULL, reply->deprecated_member ? reply->deprecated_member : "");
	struct buf json;

	buf_init(&json, WARNINGS_MAX);
	warning_write(&json, WARNING_DEPRECATED, reply->deprecated_member ? &member : NULL, "%s", reply->deprecation);
	reply_warning_json(reply, json.data, json.len);
	buf_free(&json);
}

enum step reply_end(struct req *r)
{
	if (r->route->deprecated)
		r->reply.deprecation = r->route->deprecated->text;
	if (r->reply.deprecation)
		warn_deprecated(&r->reply);
	if (r->given.ignored)
		reply_warning_json(&r->reply, r->given.ignored, strlen(r->given.ignored));
	if (r->reply.warnings.len) {
		json_key(&r->reply.json, "warnings");
		json_begin_array(&r->reply.json);
		json_raw(&r->reply.json, r->reply.warnings.data, r->reply.warnings.len);
		json_end_array(&r->reply.json);
	}
	if (r->reply.deprecation) {
		json_key(&r->reply.json, "deprecations");
		json_begin_array(&r->reply.json);
		json_string(&r->reply.json, r->reply.deprecation);
		json_end_array(&r->reply.json);
	}
	json_end_object(&r->reply.json);
	reply_header(r, "Content-Type", "application/json");
	return r->reply.out.overflow ? reply_error(r, ERROR_INTERNAL, "The response is too large") : DONE;
}

enum step reply_record_named(struct req *r, const struct record *rec, const struct names *names)
{
	render_record(reply_begin(r), rec, r->caller.ws, &r->caller.viewer, names);
	reply_etag(r, rec);
	return reply_end(r);
}

enum step reply_record(struct req *r, const struct record *rec)
{
	return reply_record_named(r, rec, NULL);
}

enum step reply_record_once(struct req *r, struct record *rec, field_set secrets)
{
	struct record *shown = record_copy(rec, &r->arena);

	for (int i = 0; i < rec->resource->n_fields; i++)
		if (secrets & FIELD_BIT(i))
			rec->values[i] = (struct value){.null = true, .text = ""};
	reply_record(r, rec);
	r->reply.stored = arena_dup(&r->arena, r->reply.out.data, r->reply.out.len);
	r->reply.stored_len = r->reply.out.len;
	reply_forget(&r->reply);
	return reply_record(r, shown);
}

enum step reply_id(struct req *r, enum id_kind kind, const struct uuid *id)
{
	struct json_out *o = reply_begin(r);
	char text[ID_SIZE];

	json_begin_object(o);
	json_add_string(o, "id", id_format(kind, id, text));
	json_end_object(o);
	return reply_end(r);
}

enum step reply_name(struct req *r, const char *name)
{
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	json_add_string(o, "name", name);
	json_end_object(o);
	return reply_end(r);
}

static enum step reply_with_error(
    struct req *r, enum error_code code, int status, const char *message, const struct buf *details)
{
	reply_forget(&r->reply);
	r->reply.out.overflow = false;
	r->reply.status = status;
	r->reply.error = code;
	r->reply.why = status != 503 ? NULL : message ? message : error_rows[code].message;
	error_body(&r->reply.out, code, message, req_base_url(r), r->request_id, details);
	reply_header(r, "Content-Type", "application/json");
	if (status == 503 || code == ERROR_KEY_IN_PROGRESS)
		reply_header(r, "Retry-After", "1");
	if (status == 401)
		reply_header(r, "WWW-Authenticate", challenge_key(r));
	return DONE;
}

enum step reply_error_status(struct req *r, enum error_code code, int status, const char *message)
{
	return reply_with_error(r, code, status, message, NULL);
}

enum step reply_error(struct req *r, enum error_code code, const char *message)
{
	return reply_with_error(r, code, error_rows[code].status, message, NULL);
}

enum step reply_error_details(struct req *r, enum error_code code, const struct buf *details)
{
	return reply_with_error(r, code, error_rows[code].status, NULL, details);
}

enum step reply_precondition(struct req *r, const struct record *rec, const char *message)
{
	reply_error(r, ERROR_PRECONDITION_FAILED, message);
	reply_etag(r, rec);
	return DONE;
}

enum step reply_unmatched(struct req *r, const struct record *rec)
{
	return reply_precondition(r, rec, NULL);
}

enum step reply_not_found(struct req *r)
{
	return reply_error(r, ERROR_NOT_FOUND, NULL);
}

enum step reply_unavailable(struct req *r, enum error_code code, const char *why)
{
	reply_error(r, code, NULL);
	r->reply.why = arena_dupz(&r->arena, why);
	return DONE;
}

enum step reply_no_database(struct req *r, enum error_code code, enum db_lane lane)
{
	/* While the process ends there is no database any more. */
	return reply_unavailable(r, code, r->server->closing ? reply_stopping : db_trouble(r->server->db, lane));
}

enum step reply_inside_refused(struct req *outer, const struct req *r)
{
	const char *wait = reply_header_get(&r->reply, "Retry-After");

	if (r->reply.status == 200)
		return reply_error(outer, ERROR_INTERNAL, "An answer could not be read");
	reply_forget(&outer->reply);
	outer->reply.status = r->reply.status;
	outer->reply.error = r->reply.error;
	outer->reply.why = r->reply.why ? arena_dupz(&outer->arena, r->reply.why) : NULL;
	buf_add(&outer->reply.out, r->reply.out.data, r->reply.out.len);
	reply_header(outer, "Content-Type", "application/json");
	if (wait)
		reply_header(outer, "Retry-After", wait);
	return DONE;
}

enum step reply_issues(struct req *r, const char *message)
{
	struct buf details;

	buf_init(&details, REPLY_MAX);
	issues_details(&r->given.issues, &details);
	reply_with_error(r, ERROR_UNPROCESSABLE, 422, message, &details);
	buf_free(&details);
	return DONE;
}

void reply_warning_json(struct req_reply *reply, const char *json, size_t len)
{
	if (reply->warnings.len)
		buf_addc(&reply->warnings, ',');
	buf_add(&reply->warnings, json, len);
}

/* Seconds from admission to a moment. Rounding both times to milliseconds may give one more than the window, which is
 * the longest possible wait. */
static int64_t ticket_seconds_until(const struct admission_ticket *t, int64_t moment_ms, int window_s)
{
	int64_t s = (moment_ms - t->now_ms + 999) / 1000;

	return s < window_s ? s : window_s;
}

/* Sets a 429 with both limits. */
enum step reply_rate_limited(struct req *r)
{
	const struct admission_ticket *t = &r->caller.ticket;
	int64_t wait_s = ticket_seconds_until(t, t->use[t->hit].retry_ms, t->use[t->hit].rate.window_s);
	struct buf details;
	struct json_out o;
	char text[TIME_TEXT_SIZE];

	buf_init(&details, 4096);
	json_out_init(&o, &details);
	json_begin_object(&o);
	reply_policy(&o, t, t->hit);
	json_key(&o, "policies");
	json_begin_array(&o);
	for (int i = 0; i < ADMISSION_POLICIES; i++) {
		if (t->use[i].rate.limit == 0)
			continue;
		json_begin_object(&o);
		reply_policy(&o, t, i);
		json_end_object(&o);
	}
	json_end_array(&o);
	json_end_object(&o);
	reply_with_error(r, ERROR_RATE_LIMITED, 429, NULL, &details);
	buf_free(&details);
	snprintf(text, sizeof text, "%" PRId64, wait_s > 0 ? wait_s : 1);
	reply_header(r, "Retry-After", text);
	return DONE;
}

void reply_policy(struct json_out *o, const struct admission_ticket *t, enum admission_policy policy)
{
	const struct admission_use *u = &t->use[policy];
	char text[TIME_TEXT_SIZE];

	json_add_string(o, "policy", admission_policy_name(policy));
	json_add_int(o, "limit", u->rate.limit);
	json_add_int(o, "remaining", u->remaining);
	json_add_int(o, "windowSeconds", u->rate.window_s);
	json_add_string(o, "retryAfter", u->retry_ms ? time_format(u->retry_ms, text) : NULL);
}

/* Appends a text and a number. Every answer uses it, so it avoids printf. */
static char *put_text_number(char *to, const char *text, int64_t number)
{
	size_t len = strlen(text);

	memcpy(to, text, len);
	to = digits_uint(to + len, number > 0 ? (uint64_t)number : 0);
	*to = '\0';
	return to;
}

static char *put_text(char *to, const char *text)
{
	size_t len = strlen(text);

	memcpy(to, text, len + 1);
	return to + len;
}

enum { RATES_SIZE = ADMISSION_POLICIES * 64 }; /* per policy: two numbers, a name and 12 characters between them */

/* X-RateLimit-* describes the tighter policy; the IETF fields describe both. */
static void rate_headers(struct req *r)
{
	const struct admission_ticket *t = &r->caller.ticket;
	const struct admission_use *tight = NULL;
	char policies[RATES_SIZE], state[RATES_SIZE], number[24], *policies_end = policies, *state_end = state;

	for (int i = 0; i < ADMISSION_POLICIES; i++) {
		const struct admission_use *u = &t->use[i];
		const char *name = admission_policy_name((enum admission_policy)i), *comma = tight ? ", \"" : "\"";
		if (u->rate.limit == 0)
			continue;
		if (!tight || u->remaining < tight->remaining)
			tight = u;
		policies_end = put_text(put_text(policies_end, comma), name);
		policies_end =
		    put_text_number(put_text_number(policies_end, "\";q=", u->rate.limit), ";w=", u->rate.window_s);
		state_end = put_text(put_text(state_end, comma), name);
		state_end = put_text_number(put_text_number(state_end, "\";r=", u->remaining),
		    ";t=", ticket_seconds_until(t, u->reset_ms, u->rate.window_s));
	}
	if (!tight)
		return;
	put_text_number(number, "", tight->rate.limit);
	reply_header(r, "X-RateLimit-Limit", number);
	put_text_number(number, "", tight->remaining);
	reply_header(r, "X-RateLimit-Remaining", number);
	put_text_number(number, "", (tight->reset_ms + 999) / 1000);
	reply_header(r, "X-RateLimit-Reset", number);
	reply_header(r, "RateLimit-Policy", policies);
	reply_header(r, "RateLimit", state);
}

/* Every answer of a deprecated route has these headers, errors included. The body of a success says more. */
static void deprecation_headers(struct req *r, const struct deprecation *d)
{
	char date[HTTP_DATE_SIZE];

	reply_header(r, "Deprecation", arena_printf(&r->arena, "@%" PRId64, d->since));
	reply_header(r, "Sunset", http_date_format(d->removal, date));
}

/* With a list of origins the answer depends on the origin, and caches must know that. With "*" it is the same for
 * all. */
static void cors_headers(struct req *r)
{
	const struct cors *c = &r->server->cors;
	const char *allowed = cors_allowed(c, http_header(r->call, "Origin"));

	if (c->n)
		reply_vary(r, "Origin");
	if (!allowed)
		return;
	reply_header(r, "Access-Control-Allow-Origin", allowed);
	if (r->in->method != HTTP_OPTIONS)
		reply_header(r, "Access-Control-Expose-Headers", cors_shown);
}

void reply_preflight(struct req *r, const char *methods)
{
	if (!http_header(r->call, "Access-Control-Request-Method") ||
	    !cors_allowed(&r->server->cors, http_header(r->call, "Origin")))
		return;
	reply_header(r, "Access-Control-Allow-Methods", methods);
	reply_header(r, "Access-Control-Allow-Headers", cors_sent);
	reply_header(r, "Access-Control-Max-Age", cors_kept);
}

/* The time until now in milliseconds. */
static void timing_header(struct req *r)
{
	reply_header(r, "Server-Timing",
	    arena_printf(&r->arena, "db;dur=%.3f, total;dur=%.3f", (double)r->db.us / 1000,
	        (double)(clock_mono_us() - r->started_us) / 1000));
}

/* Adds the headers of every answer. */
static void common_headers(struct req *r)
{
	event_cursor_header(r);
	cors_headers(r);
	if (r->server->compressors && !r->reply.carry_on)
		reply_vary(r, "Accept-Encoding");
	reply_header(r, "X-Request-Id", r->request_id);
	reply_header(r, "X-API-Version", API_VERSION);
	if (r->given.dry)
		reply_header(r, "X-Dry-Run", "true");
	if (r->in->server_timing && strcmp(r->in->server_timing, "true") == 0)
		timing_header(r);
	if (r->caller.counted)
		rate_headers(r);
	/* Caches keep no answer to a request with Authorization, but they do not know what this cookie means. */
	if (r->caller.by_cookie && !reply_header_get(&r->reply, "Cache-Control"))
		reply_header(r, "Cache-Control", "no-store");
	if (r->route && r->route->deprecated)
		deprecation_headers(r, r->route->deprecated);
}

void reply_stream(struct req *r, void (*written)(void *ctx))
{
	common_headers(r);
	http_stream_begin(r->call, r->reply.status, r->reply.headers, r->reply.n_headers, written, r);
	r->reply.begun = true;
}

void reply_send(struct req *r)
{
	struct http_call *call = r->call;
	int status = r->carrier && r->carrier->status ? r->carrier->status : r->reply.status;

	if (!r->reply.begun)
		common_headers(r);
	r->call = NULL;
	r->in = NULL;
	if (r->reply.begun)
		http_stream_end(call, &r->reply.out);
	else if (r->reply.n_parts)
		http_reply_parts(call, status, r->reply.headers, r->reply.n_headers, r->reply.parts, r->reply.n_parts);
	else
		http_reply(call, status, r->reply.headers, r->reply.n_headers, &r->reply.out);
}
