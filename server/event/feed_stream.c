/* Event streams. A stream is a request whose answer continues. It reads a page, sends it, and reads the next one when
 * the client has taken that page. So a slow client costs one page of memory and no more. Without new events it waits
 * together with the requests that wait (wait.c). For each page the key is looked up again without being counted, so a
 * stream sees what a new request would see, and ends with its key. When the database is unreachable the stream stays
 * open and tries again. */
#include "server/event/feed_stream.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/event/feed.h"
#include "server/event/wait.h"
#include "server/request/admit.h"
#include "server/request/event_cursor.h"
#include "server/request/reply.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/transaction.h"

enum {
	STREAM_ITEMS = 100,            /* events in a page */
	STREAM_BYTES = 64 << 10,       /* bytes of a page */
	STREAM_BEAT_US = 15 * 1000000, /* without new events: time to a comment, the cursor, and a look-up of the key */
	STREAM_RETRY_US = 1000000,     /* pause while the database is unreachable */
	STREAM_REST_US = 200 * 1000,   /* least time between the beginnings of two pages */
	RECONNECT_MS = 2000            /* the time after which clients should connect again */
};

struct event_stream {
	struct event_position from; /* beginning of the current page, from which a failed page starts again */
	int64_t ends_us;            /* the parameter wait; 0: the stream has no end */
	int64_t read_us;            /* when the page was begun */
	int64_t heard_us;           /* when the client was last sent anything */
	bool more;                  /* the page ended before the newest event */
	bool failed;                /* the page could not be read */
	bool over;
};

/* --- frames ------------------------------------------------------------------------------ */

static void stream_put_id(struct req *r, const struct event_position *p)
{
	char cursor[CURSOR_SIZE];

	buf_printf(&r->reply.out, "id: %s\n", event_cursor_seal(r, p, false, cursor));
}

static void stream_write(struct req *r, struct feed *f, const struct event_row *e)
{
	stream_put_id(r, &e->position);
	buf_printf(&r->reply.out, "event: %s\ndata: ", event_kinds[e->type].name);
	json_out_init(&r->reply.json, &r->reply.out);
	feed_write_event(r, f, e);
	buf_addz(&r->reply.out, "\n\n");
}

static bool stream_is_silent(const struct event_stream *s)
{
	return clock_mono_us() - s->heard_us >= STREAM_BEAT_US;
}

/* A frame with only the cursor. The client need not read again what was skipped. A client that got no event for long
 * does not come back with a cursor that is too old. */
static void stream_put_cursor(struct req *r, const struct event_position *p)
{
	stream_put_id(r, p);
	buf_addz(&r->reply.out, "\n");
}

static enum step stream_paged(struct req *r, struct feed *f)
{
	struct event_stream *s = f->stream;

	if (!r->reply.begun) {
		reply_header(r, "Content-Type", "text/event-stream");
		reply_header(r, "Cache-Control", "no-store");
		reply_header(r, "X-Accel-Buffering", "no"); /* nginx does not buffer the answer */
	} else if (f->items == 0 && stream_is_silent(s)) {
		buf_addz(&r->reply.out, ":\n");
		stream_put_cursor(r, &f->at);
	}
	r->reply.status = 200;
	s->more = f->more;
	return r->reply.out.overflow ? reply_error(r, ERROR_INTERNAL, "The response is too large") : DONE;
}

/* --- reading ----------------------------------------------------------------------------- */

static enum step stream_read_page(struct req *r)
{
	return feed_read_page(r, r->state.feed);
}

static void stream_read(struct req *r)
{
	static step_fn *const steps[] = {feed_admit, step_admitted, feed_snapshot, stream_read_page, event_feed_answer};
	struct feed *f = r->state.feed;

	f->stream->from = f->at; /* also if the look-up of the key fails */
	f->stream->read_us = clock_mono_us();
	event_wait_place(f, FEED_READS);
	r->next = steps;
	request_continue(r, PASS);
}

/* --- what follows ------------------------------------------------------------------------ */

static void stream_end(struct req *r)
{
	r->state.feed->stream->over = true;
	r->reply.status = 200;
	if (r->server->stopping) { /* clients do not all come back at the same time */
		struct uuid id = id_random();
		buf_printf(&r->reply.out, "retry: %d\n\n", RECONNECT_MS / 2 + id.b[15] * RECONNECT_MS / 256);
	}
	request_continue(r, DONE);
}

static void stream_go_on(struct req *r)
{
	struct feed *f = r->state.feed;
	struct event_stream *s = f->stream;

	if (s->more && !s->failed) {
		stream_read(r);
		return;
	}
	f->rests_until_us = s->read_us + (s->failed ? STREAM_RETRY_US : STREAM_REST_US);
	f->until_us = s->heard_us + STREAM_BEAT_US;
	if (s->ends_us && s->ends_us < f->until_us)
		f->until_us = s->ends_us;
	event_wait_place(f, FEED_RESTS);
}

static bool stream_is_done(const struct req *r)
{
	const struct event_stream *s = r->state.feed->stream;

	return r->server->stopping || http_disconnected(r->call) || r->in->method == HTTP_HEAD ||
	       (s->ends_us && !s->more && clock_mono_us() >= s->ends_us);
}

static void stream_resume(struct req *r, bool again)
{
	(void)again;
	if (stream_is_done(r))
		stream_end(r);
	else
		stream_read(r);
}

/* The client has taken everything. */
static void stream_written(void *ctx)
{
	struct req *r = ctx;

	if (r->state.feed->place == FEED_SENDS)
		stream_go_on(r);
}

/* Frees what belongs to the page. */
static void stream_forget_page(struct req *r)
{
	reply_free(&r->reply);
	reply_init(&r->reply);
	reply_forget(&r->reply);
	transaction_free(r);
	r->db.last = NULL;
	arena_free(&r->arena);
}

static void stream_send(struct req *r)
{
	struct feed *f = r->state.feed;

	if (!r->reply.begun)
		reply_stream(r, stream_written);
	http_stream_send(r->call, &r->reply.out);
	r->reply.bytes_sent += r->reply.out.len;
	f->stream->heard_us = clock_mono_us();
	event_wait_place(f, FEED_SENDS);
}

/* The page failed because the database is unreachable. The client gets a comment, so that it knows that the stream is
 * alive. */
static void stream_hold_out(struct req *r)
{
	struct feed *f = r->state.feed;

	f->at = f->stream->from;
	reply_forget(&r->reply);
	if (stream_is_silent(f->stream))
		buf_addz(&r->reply.out, ":\n\n");
}

static bool stream_send_last(struct req *r)
{
	if (r->reply.begun && r->reply.status != 200)
		reply_forget(&r->reply);
	r->reply.status = r->reply.begun ? 200 : r->reply.status;
	r->caller.counted = true;
	event_wait_place(r->state.feed, FEED_NO_PLACE);
	return false;
}

/* A refusal before the first byte is an answer like all others. A later refusal ends the stream; the client connects
 * again and gets the reason. */
static bool stream_carry_on(struct req *r)
{
	struct feed *f = r->state.feed;
	struct event_stream *s = f->stream;
	bool sends;

	s->failed = r->reply.begun && r->reply.status == 503 && !r->server->stopping;
	if (s->over || (r->reply.status != 200 && !s->failed))
		return stream_send_last(r);
	if (s->failed)
		stream_hold_out(r);
	sends = r->reply.out.len > 0;
	if (sends)
		stream_send(r);
	stream_forget_page(r);
	if (stream_is_done(r))
		stream_end(r);
	else if (!sends)
		stream_go_on(r);
	return true;
}

/* --- the beginning ----------------------------------------------------------------------- */

/* The header has what the client read last. The parameter stays in the URL when the client connects again. */
static bool stream_read_cursor(struct req *r, struct feed *f)
{
	const struct param_value *after = req_param(r, "after");
	const char *last = http_header(r->call, "Last-Event-ID");

	if (last && *last) {
		f->cursor_name = "Last-Event-ID";
		f->cursor_wrong = "Invalid headers";
		return feed_read_cursor(r, f, last, strlen(last));
	}
	f->cursor_name = "after";
	f->cursor_wrong = "Invalid query parameters";
	if (!after->given)
		f->at = event_position_horizon(&r->caller.ticket.horizon);
	return feed_read_cursor(r, f, after->text, after->len);
}

enum step event_stream(struct req *r)
{
	const struct param_value *wait = req_param(r, "wait");
	struct feed *f = arena_alloc(&r->arena, sizeof *f);
	struct event_stream *s = f->stream = arena_alloc(&r->arena, sizeof *s);

	r->state.feed = f;
	f->r = r;
	list_init(&f->places);
	f->limit = STREAM_ITEMS;
	f->bytes = STREAM_BYTES;
	f->write = stream_write;
	f->paged = stream_paged;
	f->resume = stream_resume;
	if (wait->given)
		s->ends_us = clock_mono_us() + wait->number * 1000000;
	feed_read_record(r, f);
	if (!stream_read_cursor(r, f))
		return reply_issues(r, f->cursor_wrong);
	if (!event_wait_enter(r, f))
		return reply_error(
		    r, ERROR_UNAVAILABLE, "Too many requests are waiting for events: ask without wait, or later");
	s->read_us = clock_mono_us();
	req_base_url(r);
	r->reply.kept = r->arena;
	arena_init(&r->arena);
	r->reply.carry_on = stream_carry_on;
	buf_printf(&r->reply.out, "retry: %d\n", RECONNECT_MS);
	stream_put_cursor(r, &f->at);
	return stream_read_page(r);
}
