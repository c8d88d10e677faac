/*
 * The HTTP edge. The only file of the server with evhttp in it; server/http/gate.c
 * checks the framing of every byte before evhttp sees it.
 */
#ifndef KITH_SERVER_HTTP_SERVER_H
#define KITH_SERVER_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/buf.h"

struct event_base;
struct http_server;
struct http_call; /* one request, from its arrival until it is answered */

enum http_method {
	HTTP_GET = 1,
	HTTP_HEAD = 2,
	HTTP_POST = 4,
	HTTP_PUT = 8,
	HTTP_PATCH = 16,
	HTTP_DELETE = 32,
	HTTP_OPTIONS = 64
};

/* A request as it came; all of it is valid until http_reply(), the body until http_forget_body(). */
struct http_input {
	enum http_method method;
	const char *method_name; /* static */
	const char
	    *target; /* raw origin-form path and query ("/v1/people?limit=1") or "*"; absolute form already cut */
	size_t target_len;
	const char *body; /* NUL terminated */
	size_t body_len;
	const char *peer; /* numeric address, "unix" for a Unix socket */
	const char *host; /* the Host header, or the authority of an absolute-form target; NULL: none, on HTTP/1.0 */
	size_t head_len;  /* bytes of request line and headers, for the log */
};

struct http_header {
	const char *name, *value;
};

/* Called for every request that arrived whole. It, or whatever it starts, must
 * end in exactly one http_reply(), also when the client has gone meanwhile. */
typedef void http_handler(struct http_call *call, const struct http_input *in, void *ctx);

enum {
	HTTP_OWNER_SIZE = 16,
	HTTP_SMALL = 64 << 10 /* bytes: a body for which no more is done than for none; an answer that is not counted */
};

/* A request at the end of its head, while its body is still to come. */
struct http_head {
	enum http_method method;
	const char *target; /* not terminated */
	size_t target_len;
	const char *authorization; /* the last one; NULL: none */
	int n_authorization;
};

struct http_verdict {
	int status;                /* of the answer that it will get whatever its body says; 0: it depends on that */
	const char *message;       /* of that answer; NULL: the status's own; static */
	struct http_header header; /* one more header of it; name NULL: none */
	char value[64];            /* for the header's */
	bool known;                /* the owner is */
	unsigned char owner[HTTP_OWNER_SIZE];
};

/* Says who sends a body, and whether it is wanted: before it is read. A clean verdict is handed in. */
typedef void http_judge(const struct http_head *head, struct http_verdict *verdict, void *ctx);

/*
 * An answer made before or instead of the handler: framing errors, 413, 431,
 * 501, 505, overload. Writes the complete JSON body; set by the owner so that
 * the envelope has one author. request_id: 36 characters, to be put in it and
 * sent as X-Request-Id.
 */
typedef void http_error_writer(struct buf *body, int status, const char *request_id, const char *message, void *ctx);

struct http_config {
	size_t body_max;       /* bytes; over it 413 */
	size_t body_max_batch; /* the same for paths that hold "/batch/" */
	int max_connections;
	int idle_ms, header_ms, body_ms, reply_ms; /* deadlines */
	http_handler *handler;
	http_error_writer *error_writer;
	http_judge *judge;               /* NULL: all bodies are wanted and none is counted */
	size_t owner_max;                /* bytes of bodies, and as many of answers, under way of one owner */
	size_t held_max;                 /* the same of all owners; who has none under way may go over it */
	size_t strangers_max;            /* bytes of bodies of who is not known */
	const char *identity;            /* of what is served, for share_open(); NULL: ports are shared with anybody */
	struct http_header error_header; /* one more header of those answers; name NULL: none */
	void *ctx;
};

/* 1 MiB, 8 MiB, 10,000, 75 s, 10 s, 30 s, 30 s; 32 MiB, 256 MiB, 8 MiB. */
void http_config_default(struct http_config *c);

struct http_server *http_new(struct event_base *base, const struct http_config *config);

/* Binds "host:port", "[v6]:port" or "unix:/path" (TCP_NODELAY). A port is shared with processes of the same
 * identity (share.c), and blocks for up to 13 s while others come and go.
 * false with a message in error. bound, when not NULL, gets the real address. */
bool http_listen(struct http_server *s, const char *address, char error[256], char bound[128]);

/* The first header of that name, any case, or NULL; and how often it was sent. */
const char *http_header(const struct http_call *call, const char *name);
int http_header_count(const struct http_call *call, const char *name);

/* True when the client has left, or sends nothing more: an answer is still due, but not worth waiting for. Asks the
 * system, as nothing is read while a request is being worked on. */
bool http_gone(const struct http_call *call);

/*
 * Answers. Takes the body over (body may be NULL, it is empty afterwards);
 * headers are copied. Content-Type is among the headers; Content-Length, Date and
 * Connection are added here; a HEAD request gets the length without the body.
 * The call is gone afterwards.
 */
void http_reply(
    struct http_call *call, int status, const struct http_header *headers, size_t n_headers, struct buf *body);

/* The body is not looked at any more: its memory is given back, but counts until the answer. */
void http_forget_body(struct http_call *call);

/* Whose the request is: its body and answer are counted among those of the owner. */
void http_owner(struct http_call *call, const unsigned char owner[HTTP_OWNER_SIZE]);
/* Whether an answer of that many bytes may go to the owner; false while too many wait to be read by the client. */
bool http_has_room(const struct http_call *call, size_t bytes);

/* Stops accepting. Idle connections are closed; those with a request in flight
 * close after its answer. May be called again, for those that have become idle since. */
void http_stop(struct http_server *s);
/* Requests that the handler has and has not answered. */
size_t http_in_flight(const struct http_server *s);
size_t http_connections(const struct http_server *s);
/* Closes what is left, frees. Only when nothing is in flight. */
void http_free(struct http_server *s);

/* The phrase of a status, also those that evhttp does not know. */
const char *http_phrase(int status);

#endif
