/* Answers: multistatus (RFC 4918, section 13), sent in pieces, and refusals. */
#include "server/dav/dav_work.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/xml_text.h"
#include "server/http/http.h"
#include "server/request/reply.h"
#include "server/request/server.h"
#include "server/request/transaction.h"

enum { DAV_PIECE = 64 << 10 };

#define NAMESPACES "xmlns:d=\"" XML_DAV "\" xmlns:c=\"" XML_CARDDAV "\" xmlns:s=\"" XML_CALENDARSERVER "\""

static const char xml_head[] = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

void dav_answer_begin(struct req *r)
{
	reply_header(r, "Content-Type", "application/xml; charset=utf-8");
	r->reply.kept = r->arena;
	arena_init(&r->arena);
	r->reply.status = 207;
	dav_of(r)->valid_us = clock_mono_us();
	buf_addz(&r->reply.out, xml_head);
	buf_addz(&r->reply.out, "<d:multistatus " NAMESPACES ">\n");
}

void dav_answer_href(struct req *r, enum dav_place place, const struct dav_book *book, const char *card)
{
	buf_addz(&r->reply.out, "<d:href>");
	dav_path_write(&r->reply.out, &r->caller.viewer.user, place, book, card);
	buf_addz(&r->reply.out, "</d:href>");
}

void dav_answer_href_as(struct req *r, const char *href)
{
	buf_addz(&r->reply.out, "<d:href>");
	xml_text_add(&r->reply.out, href, strlen(href));
	buf_addz(&r->reply.out, "</d:href>");
}

void dav_answer_status(struct req *r, const char *href, int status)
{
	buf_addz(&r->reply.out, "<d:response>");
	dav_answer_href_as(r, href);
	buf_printf(&r->reply.out, "<d:status>HTTP/1.1 %d %s</d:status></d:response>\n", status, http_phrase(status));
}

/* --- in pieces ---------------------------------------------------------------------------------- */

/* What cannot be said any more is told by an answer that ends in its middle. */
static bool dav_answer_carry_on(struct req *r)
{
	if (r->reply.status != 207)
		buf_clear(&r->reply.out);
	return false;
}

/* True when it makes no sense to go on. The answer ends early then. */
static bool dav_answer_is_over(struct req *r)
{
	if (!http_disconnected(r->call) && !r->server->stopping)
		return false;
	reply_unavailable(r, ERROR_UNAVAILABLE,
	    r->server->stopping ? reply_stopping : "the client has disconnected during the answer");
	return true;
}

static void dav_answer_admitted(struct admission_ticket *t)
{
	struct req *r = t->owner;

	request_continue(r, t->status == ADMISSION_NO_KEY ? reply_error(r, ERROR_UNAUTHORIZED, NULL) : PASS);
}

/* Asks now and then whether the password is still valid, because a slow client can take hours for a large book. */
static enum step dav_answer_admit(struct req *r)
{
	enum { VALID_US = 500 * 1000 };
	struct dav *d = dav_of(r);

	if (clock_mono_us() - d->valid_us < VALID_US || r->server->stopping)
		return PASS;
	d->valid_us = clock_mono_us();
	d->valid = (struct admission_ticket){.owner = r, .done = dav_answer_admitted, .uncounted = true};
	memcpy(d->valid.key_hash, r->caller.ticket.key_hash, sizeof d->valid.key_hash);
	r->waits_for = "admission";
	admission_ask(r->server->admission, &d->valid);
	return WAIT;
}

/* The client has taken everything, or has gone. */
static void dav_answer_written(void *ctx)
{
	struct req *r = ctx;
	enum step step;

	if (!dav_of(r)->sends)
		return;
	dav_of(r)->sends = false;
	step = dav_answer_is_over(r) ? DONE : dav_answer_admit(r);
	if (step != WAIT)
		request_continue(r, step);
}

static void dav_answer_forget(struct req *r)
{
	transaction_free(r);
	r->db.last = NULL;
	arena_free(&r->arena);
}

enum step dav_answer_send(struct req *r, step_fn *const *next)
{
	r->next = next;
	if (r->reply.out.overflow)
		return reply_error(r, ERROR_INTERNAL, "The response is too large");
	if (r->reply.out.len < DAV_PIECE) {
		dav_answer_forget(r);
		return dav_answer_admit(r);
	}
	if (dav_answer_is_over(r))
		return DONE;
	if (!r->reply.begun && !dav_may_stay(r))
		return reply_unavailable(r, ERROR_UNAVAILABLE, "too many long answers are being sent to devices");
	if (!r->reply.begun) {
		r->reply.carry_on = dav_answer_carry_on;
		reply_stream(r, dav_answer_written);
	}
	dav_of(r)->sends = true;
	r->waits_for = "client";
	http_stream_send(r->call, &r->reply.out);
	r->reply.bytes_sent += r->reply.out.len;
	buf_clear(&r->reply.out);
	dav_answer_forget(r);
	return WAIT;
}

enum step dav_answer_end(struct req *r)
{
	buf_addz(&r->reply.out, "</d:multistatus>\n");
	return r->reply.out.overflow ? reply_error(r, ERROR_INTERNAL, "The response is too large") : DONE;
}

/* --- refusals ----------------------------------------------------------------------------------- */

/* The code for the log. */
static enum error_code dav_error_of(int status)
{
	return status == 403 ? ERROR_FORBIDDEN : status == 412 ? ERROR_PRECONDITION_FAILED : error_of_status(status);
}

enum step dav_refuse(struct req *r, int status, const char *element, const char *reason)
{
	struct buf *out = &r->reply.out;

	reply_forget(&r->reply);
	r->reply.out.overflow = false;
	r->reply.status = status;
	r->reply.error = dav_error_of(status);
	reply_header(r, "Content-Type", "application/xml; charset=utf-8");
	buf_addz(out, xml_head);
	buf_addz(out, "<d:error " NAMESPACES ">");
	buf_printf(out, "<%s/><d:responsedescription>", element);
	xml_text_add(out, reason, strlen(reason));
	buf_addz(out, "</d:responsedescription></d:error>\n");
	return DONE;
}
