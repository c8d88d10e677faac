/* The HTTP server: the only interface to evhttp. server/http/gate.c checks the framing of every byte before evhttp sees
 * it. */
#ifndef KITH_SERVER_HTTP_HTTP_H
#define KITH_SERVER_HTTP_HTTP_H

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
	HTTP_OPTIONS = 64,
	/* Methods of WebDAV, which evhttp does not know: it gets them as another one (conn.c). */
	HTTP_PROPFIND = 128,
	HTTP_PROPPATCH = 256,
	HTTP_REPORT = 512,
	/* These are known only to be refused with 405. */
	HTTP_MKCOL = 1024,
	HTTP_COPY = 2048,
	HTTP_MOVE = 4096,
	HTTP_LOCK = 8192,
	HTTP_UNLOCK = 16384,
	HTTP_ACL = 32768
};

enum { HTTP_METHODS = 16, HTTP_METHODS_OWN = 7 /* methods that evhttp knows */ };

/* In the order of the bits. RFC 9110, section 9.3, RFC 5789; RFC 4918, section 9, RFC 3253 and RFC 3744. */
extern const char *const http_method_names[HTTP_METHODS];

/* The name of one method. It is static: the pointer is the same each time. */
const char *http_method_name(enum http_method method);

/* A request as received. It is valid until the call ends; the body is valid until http_forget_body(). */
struct http_input {
	enum http_method method;
	const char *method_name; /* static */
	const char
	    *target; /* raw path and query ("/v1/people?limit=1") or "*"; the host of an absolute form is cut off */
	size_t target_len;
	const char *body; /* NUL terminated */
	size_t body_len;
	const char *peer; /* numeric address, "unix" for a Unix socket */
	const char *host; /* the Host header, or the host of a target in absolute form; NULL: none, in HTTP/1.0 */
	size_t head_len;  /* bytes of the request line and headers, for the log */

	/* headers that few requests have, found while the others are read; NULL: absent */
	const char *traceparent, *client_request_id, *via; /* NULL also when it was sent more than once */
	const char *server_timing;                         /* X-Server-Timing */
	bool forwarded;                                    /* the request has an X-Forwarded-For header */
};

struct http_header {
	const char *name, *value;
};

/* Called for every complete request. The handler, or what it starts, must end with exactly one http_reply() or
 * http_stream_end(), even when the client has disconnected. */
typedef void http_handler(struct http_call *call, const struct http_input *in, void *ctx);

enum {
	HTTP_OWNER_SIZE = 16,
	HTTP_SMALL = 64 << 10 /* bytes: a body up to this size is read even if the verdict refuses it; an answer up
	                       * to this size is always sent */
};

/* A request whose head is complete while its body is still to come. */
struct http_head {
	enum http_method method;
	const char *target; /* not terminated */
	size_t target_len;
	const char *authorization; /* the last header of this name; NULL: none */
	int n_authorization;
	/* the last header of each name; NULL: none */
	const char *origin, *cookie, *fetch_site, *console;
};

struct http_verdict {
	int status;                 /* the status, if it does not depend on the body; else 0 */
	const char *message;        /* message of that answer; NULL: the default of the status; static */
	struct http_header header;  /* one more header of that answer; name NULL: none */
	char value[512];            /* storage for the header's value */
	struct http_header more[4]; /* headers of every answer that does not wait for the body */
	int n_more;
	bool known; /* the owner is known */
	unsigned char owner[HTTP_OWNER_SIZE];
};

/* Tells who sends a body and whether it is wanted, before it is read. verdict is zeroed. */
typedef void http_judge(const struct http_head *head, struct http_verdict *verdict, void *ctx);

/* Writes the complete JSON body of an answer that is made before or instead of the handler: framing errors, 413, 431,
 * 501, 505, overload. The owner sets it, so that one place makes the error envelope. request_id: 36 characters, for the
 * body and X-Request-Id. */
typedef void http_error_writer(struct buf *body, int status, const char *request_id, const char *message, void *ctx);

struct http_config {
	size_t body_max;       /* bytes; more is a 413 */
	size_t body_max_batch; /* the same for paths that contain "/batch/", and for REPORT */
	int max_connections;
	int idle_ms, header_ms, body_ms, reply_ms; /* deadlines */
	http_handler *handler;
	http_error_writer *error_writer;
	http_judge *judge;    /* NULL: all bodies are wanted and none is counted */
	size_t owner_max;     /* bytes of bodies that one owner may have in progress, and the same for answers */
	size_t held_max;      /* the same for all owners together; an owner with none in progress may exceed it */
	size_t strangers_max; /* bytes of bodies of unknown senders */
	size_t unread_max;    /* bytes of answers that clients have not read, over all connections: see cut.c */
	const char *identity; /* identity of what is served, for share_open(); NULL: any process may share the port */
	bool alone;           /* no other process may share the port */
	struct http_header error_header; /* one more header of those answers; name NULL: none */
	void *ctx;
};

/* 1 MiB, 8 MiB, 10,000, 75 s, 10 s, 30 s, 30 s; 32 MiB, 256 MiB, 8 MiB, 52 MiB. */
void http_config_default(struct http_config *c);

struct http_server *http_new(struct event_base *base, const struct http_config *config);

/* Binds "host:port", "[v6]:port" or "unix:/path" (with TCP_NODELAY). Processes of the same identity may share a port
 * (share.c). Therefore this blocks for up to 13 s while others start or stop. If systemd passed a socket, that one is
 * used. Returns false with a message in error. errno is EADDRINUSE when another process has the address. If bound is
 * not NULL, it receives the real address. */
bool http_listen(struct http_server *s, const char *address, char error[256], char bound[128]);

/* Call it after all addresses. systemd then holds the sockets, so clients wait while the program is replaced. */
void http_hold(struct http_server *s);

/* Returns the first header with that name, in upper or lower case; NULL: it was not sent. */
const char *http_header(const struct http_call *call, const char *name);
/* Returns how often the header was sent. */
int http_header_count(const struct http_call *call, const char *name);
/* Returns one of the headers with that name. number counts from 0. */
const char *http_header_at(const struct http_call *call, const char *name, int number);

/* True when the client has disconnected or half-closed. An answer is still due, but not worth waiting for. This asks
 * the kernel, because nothing is read while a request is being handled. */
bool http_disconnected(const struct http_call *call);

/* Sends the answer and ends the call. It takes over the body, which may be NULL and is empty afterwards. Headers are
 * copied and include Content-Type. Content-Length, Date and Connection are added here. The answer to HEAD gets the
 * length without the body. */
void http_reply(
    struct http_call *call, int status, const struct http_header *headers, size_t n_headers, struct buf *body);

/* The same with a body in parts. Parts that are kept as long as the process are not copied. */
struct http_part {
	const char *data;
	size_t len;
	bool stays;
};
void http_reply_parts(struct http_call *call, int status, const struct http_header *headers, size_t n_headers,
    const struct http_part *parts, size_t n_parts);

/* An answer that continues, instead of http_reply(): its head, its pieces (copied), and its end. The end frees the call
 * and closes the connection. written is called from the loop when the kernel has taken all pieces so far, and when the
 * client has disconnected. A client that takes nothing for reply_ms is disconnected, and http_disconnected() returns
 * true. piece may be NULL. */
void http_stream_begin(struct http_call *call, int status, const struct http_header *headers, size_t n_headers,
    void (*written)(void *ctx), void *ctx);
void http_stream_send(struct http_call *call, const struct buf *piece);
void http_stream_end(struct http_call *call, const struct buf *piece);

/* Frees the body when it is no longer needed. It still counts until the answer. */
void http_forget_body(struct http_call *call);

/* Sets the request's owner. Its body and answer count against the owner's limits. tenant: a name shared by several
 * owners and used by none; NULL: none. */
void http_owner(
    struct http_call *call, const unsigned char owner[HTTP_OWNER_SIZE], const unsigned char tenant[HTTP_OWNER_SIZE]);
/* True when an answer of that many bytes may be sent to the owner; false while the clients have too many unread
 * bytes. */
bool http_has_room(const struct http_call *call, size_t bytes);

/* Stops accepting. Connections that have been idle for a moment are closed at once, the others after an answer. Call it
 * again to close those that have become idle since. */
void http_stop(struct http_server *s);
/* The number of requests that the handler has not answered yet. */
size_t http_in_flight(const struct http_server *s);
size_t http_connections(const struct http_server *s);
/* Counts the bytes that clients have not read. */
size_t http_unread(struct http_server *s);
/* Returns the number of connections that were closed because of too many unread bytes. */
uint64_t http_cut(const struct http_server *s);
/* The number of answers with a status of 400 or more that were made instead of the handler. */
enum { HTTP_REFUSED_FROM = 400, HTTP_REFUSED_TO = 511 };
uint64_t http_refused(const struct http_server *s, int status);
/* Closes the remaining connections and frees. Call it only when nothing is in progress. */
void http_free(struct http_server *s);

/* The reason phrase of a status, including those that evhttp does not know. */
const char *http_phrase(int status);

#endif
