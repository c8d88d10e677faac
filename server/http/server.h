/* The HTTP edge: the only interface to evhttp. server/http/gate.c checks the framing of every byte before evhttp
 * sees it. */
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

enum { HTTP_METHODS = 7 };

/* In the order of the bits. RFC 9110, 9.3 and RFC 5789. */
extern const char *const http_method_names[HTTP_METHODS];

/* The name of one method; static, the same pointer each time. */
const char *http_method_name(enum http_method method);

/* A request as received; valid until the call ends, the body until http_forget_body(). */
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

	/* headers that few requests have, found while the others are read; NULL: none */
	const char *traceparent, *client_request_id; /* NULL also when there are several */
	const char *server_timing;                   /* X-Server-Timing */
	bool forwarded;                              /* there is an X-Forwarded-For */
};

struct http_header {
	const char *name, *value;
};

/* Called for every complete request. It, or what it starts, must end in exactly one http_reply() or
 * http_stream_end(), also when the client has disconnected. */
typedef void http_handler(struct http_call *call, const struct http_input *in, void *ctx);

enum {
	HTTP_OWNER_SIZE = 16,
	HTTP_SMALL = 64 << 10 /* bytes: a body up to this is read even if the verdict refuses it; an answer up to this
	                         is always sent */
};

/* A request whose head is complete while its body is still to come. */
struct http_head {
	enum http_method method;
	const char *target; /* not terminated */
	size_t target_len;
	const char *authorization; /* the last one; NULL: none */
	int n_authorization;
	const char *origin; /* the last one; NULL: none */
};

struct http_verdict {
	int status;                 /* the status that it will get whatever its body holds; 0: depends on the body */
	const char *message;        /* of that answer; NULL: the status's default; static */
	struct http_header header;  /* one more header of it; name NULL: none */
	char value[64];             /* storage for the header's value */
	struct http_header more[4]; /* of every answer that does not wait for the body */
	int n_more;
	bool known; /* the owner is known */
	unsigned char owner[HTTP_OWNER_SIZE];
};

/* Tells who sends a body and whether it is wanted, before it is read. verdict is zeroed. */
typedef void http_judge(const struct http_head *head, struct http_verdict *verdict, void *ctx);

/* Writes the complete JSON body of an answer made before or instead of the handler: framing errors, 413, 431, 501,
 * 505, overload. Set by the owner, so that the error envelope is made in one place. request_id: 36 characters, for
 * the body and X-Request-Id. */
typedef void http_error_writer(struct buf *body, int status, const char *request_id, const char *message, void *ctx);

struct http_config {
	size_t body_max;       /* bytes; over it 413 */
	size_t body_max_batch; /* the same for paths that hold "/batch/" */
	int max_connections;
	int idle_ms, header_ms, body_ms, reply_ms; /* deadlines */
	http_handler *handler;
	http_error_writer *error_writer;
	http_judge *judge;    /* NULL: all bodies are wanted and none is counted */
	size_t owner_max;     /* bytes of bodies that one owner may have in progress, and as many of answers */
	size_t held_max;      /* the same for all owners; an owner with none in progress may exceed it */
	size_t strangers_max; /* bytes of bodies of unknown senders */
	size_t unread_max;    /* bytes of answers that clients have not read, of all connections: see cut.c */
	const char *identity; /* of what is served, for share_open(); NULL: any process may share the port */
	bool alone;           /* no other process may share the port */
	struct http_header error_header; /* one more header of those answers; name NULL: none */
	void *ctx;
};

/* 1 MiB, 8 MiB, 10,000, 75 s, 10 s, 30 s, 30 s; 32 MiB, 256 MiB, 8 MiB, 52 MiB. */
void http_config_default(struct http_config *c);

struct http_server *http_new(struct event_base *base, const struct http_config *config);

/* Binds "host:port", "[v6]:port" or "unix:/path" (TCP_NODELAY). A port is shared with processes of the same identity
 * (share.c); this blocks for up to 13 s while others start or stop. A socket passed by systemd is used instead. False
 * with a message in error; errno is EADDRINUSE when others have the address. bound, when not NULL, gets the real
 * address. */
bool http_listen(struct http_server *s, const char *address, char error[256], char bound[128]);

/* After all addresses: has systemd hold the sockets, so that clients wait while the program is exchanged. */
void http_hold(struct http_server *s);

/* The first header of that name, in any case, or NULL; how often it was sent; and one of these, counted from 0. */
const char *http_header(const struct http_call *call, const char *name);
int http_header_count(const struct http_call *call, const char *name);
const char *http_header_at(const struct http_call *call, const char *name, int number);

/* True when the client has disconnected or half-closed: an answer is still due, but not worth waiting for. Asks the
 * kernel, as nothing is read while a request is being handled. */
bool http_disconnected(const struct http_call *call);

/* Sends the answer and ends the call. Takes over the body (may be NULL; empty afterwards); headers are copied and
 * include Content-Type. Content-Length, Date and Connection are added here; the answer to HEAD gets the length
 * without the body. */
void http_reply(
    struct http_call *call, int status, const struct http_header *headers, size_t n_headers, struct buf *body);

/* The same with a body in parts. Those that stay where they are as long as the process are not copied. */
struct http_part {
	const char *data;
	size_t len;
	bool stays;
};
void http_reply_parts(struct http_call *call, int status, const struct http_header *headers, size_t n_headers,
    const struct http_part *parts, size_t n_parts);

/* An answer that goes on, instead of http_reply(): its head, pieces (copied), and the end, which frees the call; the
 * connection is closed then. written is called from the loop when all pieces so far are with the kernel. A client that
 * takes nothing for reply_ms is cut off; http_disconnected() tells. piece may be NULL. */
void http_stream_begin(struct http_call *call, int status, const struct http_header *headers, size_t n_headers,
    void (*written)(void *ctx), void *ctx);
void http_stream_send(struct http_call *call, const struct buf *piece);
void http_stream_end(struct http_call *call, const struct buf *piece);

/* Frees the body, which is not needed any more; it stays counted until the answer. */
void http_forget_body(struct http_call *call);

/* Sets the request's owner, against whose limits its body and answer count. tenant: to which several owners belong, and
 * which no owner is called; NULL: none. */
void http_owner(
    struct http_call *call, const unsigned char owner[HTTP_OWNER_SIZE], const unsigned char tenant[HTTP_OWNER_SIZE]);
/* True when an answer of that many bytes may be sent to the owner; false while too many are unread by the client. */
bool http_has_room(const struct http_call *call, size_t bytes);

/* Stops accepting. Connections that have been idle for a moment are closed, others after an answer. Call it again to
 * close those that have become idle since. */
void http_stop(struct http_server *s);
/* Requests that the handler has not answered yet. */
size_t http_in_flight(const struct http_server *s);
size_t http_connections(const struct http_server *s);
/* Bytes that clients have not read, counted now; connections that were closed because these were too many. */
size_t http_unread(struct http_server *s);
uint64_t http_cut(const struct http_server *s);
/* Answers with a status from 400 on that were made instead of the handler. */
enum { HTTP_REFUSED_FROM = 400, HTTP_REFUSED_TO = 511 };
uint64_t http_refused(const struct http_server *s, int status);
/* Closes the remaining connections and frees. Only when nothing is in progress. */
void http_free(struct http_server *s);

/* The reason phrase of a status, including those that evhttp does not know. */
const char *http_phrase(int status);

#endif
