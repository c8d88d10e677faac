/* Shared by the files of the HTTP server: a connection's life from accept to close. Only the files of server/http/
 * include it.
 *
 * evhttp owns the connection and its bufferevent. A struct http_conn exists beside them. It sees every byte that
 * arrives (through the gate) and leaves, and it is freed when evhttp frees its connection. Nothing is closed inside a
 * buffer callback: such work is queued and done from an event of its own. */
#ifndef KITH_SERVER_HTTP_CONN_H
#define KITH_SERVER_HTTP_CONN_H

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <sys/types.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/list.h"
#include "server/config/config.h"
#include "server/http/gate.h"
#include "server/http/http.h"

enum http_conn_state {
	CONN_IDLE,    /* no byte of a request has arrived */
	CONN_HEAD,    /* the head is arriving */
	CONN_BODY,    /* the body is arriving */
	CONN_WAIT,    /* the body is not read until there is room for it */
	CONN_CALL,    /* the handler has the request */
	CONN_REPLY,   /* the answer is being sent */
	CONN_DRAIN,   /* the kernel has the last answer, and the client does not take it */
	CONN_CLOSING, /* refused: kith's answer is being sent, and input is discarded */
	CONN_STATES
};

enum conn_todo {
	TODO_ATTACH = 1,
	TODO_REFUSE = 2,
	TODO_CLOSE = 4,
	TODO_WRITE = 8 /* sends the output within this turn of the loop */
};

/* Bytes of bodies; bodies that wait for room; memory of answers that are not sent yet; the most bytes that the kernel
 * may have and clients have not taken. */
enum hold_kind { HOLD_BODY, HOLD_WAIT, HOLD_ANSWER, HOLD_SENT, HOLD_KINDS };

/* The memory that an owner uses. Unknown senders share two rooms, so that large bodies cannot hold up small ones. Their
 * answers count in the first. */
struct http_room {
	struct list node; /* in server->rooms */
	unsigned char owner[HTTP_OWNER_SIZE];
	struct http_room *tenant; /* room of its tenant's owners; NULL: it is a tenant's room, or has no tenant */
	size_t held[HOLD_KINDS];
	size_t holds;         /* number of holds on the room; it is freed with the last one */
	unsigned passed_over; /* number of the last offer of free room in which one of its bodies did not fit */
};

/* What a connection or call uses in a room; room NULL: nothing. */
struct http_hold {
	struct http_room *room;
	enum hold_kind kind;
	size_t bytes;
};

struct http_conn {
	struct list node; /* linked in server->states[state], oldest first */
	struct list work; /* linked in server->work while todo is not 0 */
	struct list turn; /* linked in server->sending while it waits for its turn to send */
	struct http_server *server;
	struct bufferevent *bev; /* a reference of the HTTP server's own */
	struct evhttp_connection *evcon;
	struct http_call *call;
	int fd;                 /* -1 until evhttp has set it */
	struct event *writable; /* NULL: the kernel has taken all output so far */
	struct evbuffer_cb_entry *in_cb, *out_cb;
	bufferevent_event_cb on_event; /* evhttp's callbacks, once they were replaced */
	int64_t since_us;              /* when the state began */
	size_t passed_len;             /* bytes at the front of the input buffer that the gate has passed */
	size_t body_in;                /* bytes of body, with framing; for a refused connection: bytes discarded */
	const char *refuse_message;
	uint16_t refuse_status;
	uint8_t state, todo;
	bool replying;                /* kith, not evhttp, adds to the output */
	bool refused;                 /* no more input is read */
	bool evhttp_answered;         /* evhttp began an answer of its own, which must not be sent */
	bool last;                    /* close after the current answer */
	struct buf head;              /* the part of an incomplete head that has arrived */
	struct http_verdict *verdict; /* verdict on the body that is arriving */
	struct http_hold hold;        /* room that the body takes */
	struct http_hold out, sent;   /* HOLD_ANSWER and HOLD_SENT, for the owner who was answered last */
	uint32_t wait_bytes;          /* CONN_WAIT: the bytes that it waits for */
	struct gate gate;
};

enum {
	HTTP_ROOM_BUCKETS = 256,
	HTTP_UNSENT_MAX = 8 << 10 /* Bytes that a socket keeps for its client in addition to bytes on their way.
	                           * Above this, it takes no more. */
};

struct http_listener {
	struct evconnlistener *ev;
	struct evhttp_bound_socket *bound;
	char *unix_path; /* NULL: TCP */
	dev_t device;    /* identifies the socket file that this process made and may remove */
	ino_t inode;
};

/* The header of /livez that identifies the database that is served. */
#define SHARE_HEADER "X-Kith-Database"

struct http_server {
	struct event_base *base;
	struct evhttp *evhttp;
	struct http_config config;
	struct gate_limits limits;
	struct http_listener listeners[CONFIG_LISTEN_MAX];
	int n_listeners;
	struct list listening; /* for listener.c */
	struct event *work_event, *tick, *accept_timer, *send_timer;
	struct list work, left; /* connections with todo; calls whose clients have gone */
	struct list sending[2]; /* wait for their turn to send: unknown senders, owners */
	struct list states[CONN_STATES];
	struct list lingering; /* sockets of closed connections, see http_linger() */
	size_t n_lingering;
	struct timeval tick_every;
	struct http_conn **by_fd;
	size_t by_fd_len;
	size_t n_connections, n_accepted, n_calls, n_requests;
	uint64_t refused[HTTP_REFUSED_TO - HTTP_REFUSED_FROM + 1];
	struct list rooms[HTTP_ROOM_BUCKETS];
	struct http_room strangers[2]; /* unknown senders: bodies up to HTTP_SMALL; all other bodies */
	size_t held[HOLD_KINDS];       /* of all rooms, unknown senders included */
	size_t unread_next;            /* unread bytes above which the kernel is asked for exact counts */
	unsigned offers;
	size_t head_bytes; /* bytes of incomplete heads */
	struct event *room_event, *unread_event;
	uint64_t cut; /* connections closed because of what they had not read */
	bool stopping;
	bool on_unix;       /* one of the addresses is a Unix socket */
	bool full;          /* max_connections is reached: not accepting */
	bool accept_paused; /* not accepting until accept_timer fires */
	int64_t accept_logged_us, evhttp_logged_us, cut_logged_us;
	int64_t date_second;
	char date[HTTP_DATE_SIZE];
};

struct http_call {
	struct http_server *server;
	struct http_conn *conn; /* NULL when the client's connection is closed */
	struct evhttp_request *request;
	struct http_input in;
	unsigned n_headers;    /* of the request's list; trailers follow after them */
	char *text;            /* target and host from a target in absolute form */
	struct http_hold hold; /* hold of the body */
	struct list left;      /* linked in server->left until stream.written has been told */
	bool owned;
	unsigned char owner[HTTP_OWNER_SIZE];
	unsigned char tenant[HTTP_OWNER_SIZE]; /* if has_tenant */
	bool has_tenant;
	struct {
		void (*written)(void *ctx);
		void *ctx;
		bufferevent_data_cb on_written; /* evhttp's callback, until the end */
	} stream;                               /* for an answer that continues */
};

/* --- conn.c -------------------------------------------------------------- */

/* For evhttp_set_bevcb(): makes the bufferevent of a connection, with the gate on it. arg is the server. */
struct bufferevent *conn_new(struct event_base *base, void *arg);

/* Closes with a reset, so that the kernel drops what the client does not read. */
void conn_reset(struct http_conn *c);

/* The answer to the current request has been sent: the next one may be read. */
void conn_answered(struct http_conn *c);

/* Closes at once and frees c. Do not call it from a buffer callback, or while the handler has the call. */
void conn_close(struct http_conn *c);

/* True when bytes that the gate has not seen are waiting, in the input buffer or in the kernel. */
bool conn_has_unread(const struct http_conn *c);

/* The connection on which a request arrived. */
struct http_conn *conn_of_request(struct http_server *s, struct evhttp_request *request);

/* Event callback that does the queued work. */
void conn_work(evutil_socket_t fd, short what, void *server);
void conn_tick(evutil_socket_t fd, short what, void *server);

/* Closes a connection that has been idle for a while. Returns false when there is none. */
bool conn_make_room(struct http_server *s);

/* --- conn_state.c --------------------------------------------------------- */

void conn_set_state(struct http_conn *c, enum http_conn_state state);

/* Queues work for conn_work(), which runs when no callback is running. */
void conn_todo_later(struct http_conn *c, enum conn_todo what);

/* Sends an error as soon as no callback is running, then closes. For connections without a call. */
void conn_refuse(struct http_conn *c, int status, const char *message);

/* Cancels a pending refusal, because the request gets another answer. */
void conn_unrefuse(struct http_conn *c);

/* Counts and discards the input of a refused connection, up to a limit. */
void conn_discard_input(struct http_conn *c, struct evbuffer *in);

/* Resumes reading a body that waited for room. */
void conn_read_on(struct http_conn *c);

/* --- arrival.c ----------------------------------------------------------- */

/* The gate has read on from that offset of the input. head: the length of the head before that. */
void arrival_advance(struct http_conn *c, size_t from, size_t head);
/* Frees the state of a head or body, complete or not. */
void arrival_forget(struct http_conn *c);

/* --- room.c --------------------------------------------------------------- */

/* The owner's room. A new room is made if necessary; a hold must take it at once. */
struct http_room *room_of(struct http_server *s, const unsigned char owner[HTTP_OWNER_SIZE]);
/* The same for the owner of a call, which must be set. */
struct http_room *room_of_call(const struct http_call *call);
/* Replaces what h holds. */
void hold_take(struct http_server *s, struct http_hold *h, struct http_room *room, enum hold_kind kind, size_t bytes);
/* Changes the number of bytes of h. */
void hold_resize(struct http_server *s, struct http_hold *h, size_t bytes);
void hold_end(struct http_server *s, struct http_hold *h);
/* Returns the room that counts bodies of unknown senders of about this size. */
struct http_room *room_of_stranger(struct http_server *s, size_t bytes);
/* True when room counts bodies of unknown senders. */
bool room_is_strangers(const struct http_server *s, const struct http_room *room);
/* Takes room for c's body. Returns false when c has to wait. */
bool room_take_body(struct http_conn *c, struct http_room *room, size_t bytes);
/* True when c's body has an unknown sender and others of its room are waiting. */
bool room_is_contended(const struct http_conn *c);
/* Event callback that gives free room to those that wait. */
void room_offer(evutil_socket_t fd, short what, void *server);

/* --- unread.c ------------------------------------------------------------ */

/* Sets whose answers c sends from now on: those of the call's owner. NULL, or a call without one: those of an unknown
 * sender. */
void unread_owner(struct http_conn *c, const struct http_call *call);
/* The upper limit of everything that is unread. */
size_t unread_most(const struct http_server *s);
/* Call it when this much memory was put into c's output. */
void unread_put(struct http_conn *c, size_t bytes);
/* Call it when the kernel has taken this many bytes of c's output. */
void unread_sent(struct http_conn *c, size_t bytes);

/* --- cut.c --------------------------------------------------------------- */

/* Event callback that asks the kernel for exact counts of unread bytes, and closes connections if there are too
 * many. */
void cut_unread(evutil_socket_t fd, short what, void *server);

/* --- send.c -------------------------------------------------------------- */

/* Gives the kernel c's output: at once if it is short, else in turns. It may free c. */
void send_begin(struct http_conn *c);
/* Event callback that gives a turn to connections that wait. */
void send_turn(evutil_socket_t fd, short what, void *server);
void send_forget(struct http_conn *c);
/* True when the client keeps the kernel from sending what it has. */
bool send_is_held(const struct http_conn *c);
/* Closes the connections in CONN_DRAIN that are done. */
void send_drain(struct http_server *s);

/* --- linger.c ------------------------------------------------------------ */

/* Keeps a duplicate of a socket that is about to be closed while the client may still be sending, and discards input
 * for a limited time. Otherwise the kernel would answer the client's bytes with a reset. A reset can destroy the last
 * answer before the client has read it. */
void http_linger(struct http_server *s, int fd);
void http_linger_free_all(struct http_server *s);

/* --- listener.c -------------------------------------------------------------- */

/* Pauses or resumes accepting, depending on the server's state. */
void listen_update(struct http_server *s);
/* Pauses accepting until then; 0: until the next turn of the loop. */
void listen_pause(struct http_server *s, int us);
void listen_close_all(struct http_server *s);
void listen_accept_again(evutil_socket_t fd, short what, void *server);

/* --- error_reply.c --------------------------------------------------------- */

/* The current value of the Date header, renewed each second. */
const char *http_date(struct http_server *s);
/* An error answer with a body from the configured writer. The caller frees it and may add a header. */
struct http_error {
	struct http_header headers[8]; /* three headers of every answer, one of the verdict, one from more */
	size_t n_headers;
	struct buf body;
	char request_id[37];
};
void http_error_make(struct http_server *s, struct http_error *e, int status, const char *message);

/* --- http_reply.c --------------------------------------------------------------- */

/* Puts an answer into the connection's output; body may be NULL. */
void reply_put(struct http_conn *c, int status, const struct http_header *headers, size_t n_headers, struct buf *body);

/* Writes the head of an answer that continues. It is chunked; for an HTTP/1.0 client the close ends it. */
void reply_put_endless(struct http_conn *c, int status, const struct http_header *headers, size_t n_headers);
/* Tells evhttp that the answer is in the output, and what to do when it has been sent. evhttp looks at the Connection
 * header that it has stored. Reading stays off, as it has been since the request was complete. evhttp turns it on for
 * the next request. */
void reply_hand_over(struct http_call *call, struct http_conn *c);
void call_free(struct http_call *call);

/* --- share.c -------------------------------------------------------------- */

/* Binds and listens. Returns -1 with errno. shared: other sockets that allow it may share the port. */
int share_listen(int family, const struct sockaddr *address, socklen_t len, bool shared);
/* The same, but only processes of the same identity may share the port. Blocks. EADDRINUSE: the port belongs to another
 * program or database. */
int share_open(const struct sockaddr *address, socklen_t len, int port, const char *identity);

#endif
