/* Shared by the files of the HTTP edge: a connection's life from accept to close. Included by the files of
 * server/http/ only.
 *
 * evhttp owns the connection and its bufferevent. A struct http_conn exists beside them: it sees every byte that
 * arrives (through the gate) and leaves, and is freed when evhttp frees its connection. Nothing is closed inside a
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
#include "server/http/server.h"

enum http_conn_state {
	CONN_IDLE,    /* no byte of a request has arrived */
	CONN_HEAD,    /* the head is coming in */
	CONN_BODY,    /* the body is coming in */
	CONN_WAIT,    /* the body is not read until there is room for it */
	CONN_CALL,    /* the handler has the request */
	CONN_REPLY,   /* the answer is going out */
	CONN_DRAIN,   /* the last answer is with the kernel, whose client does not take it */
	CONN_CLOSING, /* refused: our answer is being sent, input is discarded */
	CONN_STATES
};

enum conn_todo {
	TODO_ATTACH = 1,
	TODO_REFUSE = 2,
	TODO_CLOSE = 4,
	TODO_WRITE = 8 /* sends the output within this turn of the loop */
};

/* Bytes of bodies; bodies waiting for room; what answers that are not sent yet take in memory; at most how many bytes
 * the kernel has that clients have not taken. */
enum hold_kind { HOLD_BODY, HOLD_WAIT, HOLD_ANSWER, HOLD_SENT, HOLD_KINDS };

/* What an owner holds. Unknown senders share two rooms, so that large bodies cannot hold up small ones; their answers
 * count in the first. */
struct http_room {
	struct list node; /* in server->rooms */
	unsigned char owner[HTTP_OWNER_SIZE];
	struct http_room *tenant; /* what all owners of its tenant hold; NULL: it is one itself, or there is none */
	size_t held[HOLD_KINDS];
	size_t holds;         /* number of holds on it; freed with the last one */
	unsigned passed_over; /* the number of the offer in which one of its bodies did not fit */
};

/* The share of a connection or call; room NULL: none. */
struct http_hold {
	struct http_room *room;
	enum hold_kind kind;
	size_t bytes;
};

struct http_conn {
	struct list node; /* in server->states[state], oldest first */
	struct list work; /* in server->work while todo is not 0 */
	struct list turn; /* in server->sending while it waits for its turn to send */
	struct http_server *server;
	struct bufferevent *bev; /* our own reference */
	struct evhttp_connection *evcon;
	struct http_call *call;
	int fd;                 /* -1 until evhttp has set it */
	struct event *writable; /* NULL: the kernel has taken all so far */
	struct evbuffer_cb_entry *in_cb, *out_cb;
	bufferevent_event_cb on_event; /* evhttp's, once we have replaced the callbacks */
	int64_t since_us;              /* when the state began */
	size_t passed_len;             /* bytes at the front of the input buffer that have passed the gate */
	size_t body_in;                /* bytes of body, framing included; of a refused connection: bytes discarded */
	const char *refuse_message;
	uint16_t refuse_status;
	uint8_t state, todo;
	bool replying;                /* we, not evhttp, add to the output */
	bool refused;                 /* no further input is read */
	bool evhttp_answered;         /* evhttp began an answer of its own, which must not be sent */
	bool last;                    /* close after the present answer */
	struct buf head;              /* the part of an incomplete head that has arrived */
	struct http_verdict *verdict; /* on a body that is being received */
	struct http_hold hold;        /* of that body */
	struct http_hold out, sent;   /* HOLD_ANSWER and HOLD_SENT, of whoever was answered last */
	uint32_t wait_bytes;          /* CONN_WAIT: bytes that it waits for */
	struct gate gate;
};

enum {
	HTTP_ROOM_BUCKETS = 256,
	HTTP_UNSENT_MAX = 8 << 10 /* bytes that a socket keeps for its client beyond those on their way; over it
	                             it takes no more */
};

struct http_listener {
	struct evconnlistener *ev;
	struct evhttp_bound_socket *bound;
	char *unix_path; /* NULL: TCP */
	dev_t device;    /* identifies the socket file we made, and may remove */
	ino_t inode;
};

/* The header of /livez that identifies the database served. */
#define SHARE_HEADER "X-Kith-Database"

struct http_server {
	struct event_base *base;
	struct evhttp *evhttp;
	struct http_config config;
	struct gate_limits limits;
	struct http_listener listeners[CONFIG_LISTEN_MAX];
	int n_listeners;
	struct list listening; /* of listen.c */
	struct event *work_event, *tick, *accept_timer, *send_timer;
	struct list work;
	struct list sending[2]; /* connections that wait for their turn to send: those of strangers, of owners */
	struct list states[CONN_STATES];
	struct list lingering; /* sockets of closed connections, see http_linger() */
	size_t n_lingering;
	struct timeval tick_every;
	struct http_conn **by_fd;
	size_t by_fd_len;
	size_t n_connections, n_accepted, n_calls;
	uint64_t refused[HTTP_REFUSED_TO - HTTP_REFUSED_FROM + 1];
	struct list rooms[HTTP_ROOM_BUCKETS];
	struct http_room
	    strangers[2];        /* senders unknown: of bodies up to HTTP_SMALL; of larger ones or of unknown length */
	size_t held[HOLD_KINDS]; /* of all, strangers included */
	size_t unread_next;      /* unread bytes above which they are counted exactly */
	unsigned offers;
	size_t head_bytes; /* bytes of incomplete heads */
	struct event *room_event, *unread_event;
	uint64_t cut; /* connections closed for what they had not read */
	bool stopping;
	bool on_unix;       /* one of the addresses is a Unix socket */
	bool full;          /* max_connections reached: not accepting */
	bool accept_paused; /* until accept_timer */
	int64_t accept_logged_us, evhttp_logged_us, cut_logged_us;
	int64_t date_second;
	char date[HTTP_DATE_SIZE];
};

struct http_call {
	struct http_server *server;
	struct http_conn *conn; /* NULL when the client's connection is gone */
	struct evhttp_request *request;
	struct http_input in;
	unsigned n_headers;    /* of the request's list; trailers follow them */
	char *text;            /* target and host of an absolute-form target */
	struct http_hold hold; /* of its body */
	bool owned;
	unsigned char owner[HTTP_OWNER_SIZE];
	unsigned char tenant[HTTP_OWNER_SIZE]; /* if has_tenant */
	bool has_tenant;
	struct {
		void (*written)(void *ctx);
		void *ctx;
		bufferevent_data_cb on_written; /* evhttp's, until the end */
	} stream;                               /* of an answer that goes on */
};

/* --- conn.c -------------------------------------------------------------- */

/* For evhttp_set_bevcb(): makes a connection's bufferevent with the gate on it. arg is the server. */
struct bufferevent *conn_new(struct event_base *base, void *arg);

/* Closes it with a reset, so that the kernel does not go on keeping what the client does not read. */
void conn_reset(struct http_conn *c);

/* The answer to the present request has been sent: the next one may be read. */
void conn_answered(struct http_conn *c);

/* Closes at once and frees c. Not from a buffer callback, and not while the handler has the call. */
void conn_close(struct http_conn *c);

/* True when unexamined bytes are waiting, in our buffer or the kernel's. */
bool conn_has_unread(const struct http_conn *c);

/* The connection on which a request arrived. */
struct http_conn *conn_of_request(struct http_server *s, struct evhttp_request *request);

/* Event callback: does the queued work. */
void conn_work(evutil_socket_t fd, short what, void *server);
void conn_tick(evutil_socket_t fd, short what, void *server);

/* Closes a connection that has been idle for a while; false when there is none. */
bool conn_make_room(struct http_server *s);

/* --- conn_state.c --------------------------------------------------------- */

void conn_set_state(struct http_conn *c, enum http_conn_state state);

/* Queues work for conn_work(), when no callback is running. */
void conn_todo_later(struct http_conn *c, enum conn_todo what);

/* Sends an error as soon as no callback is running, then closes. For connections without a call. */
void conn_refuse(struct http_conn *c, int status, const char *message);

/* Cancels a pending refusal: the request is answered otherwise. */
void conn_unrefuse(struct http_conn *c);

/* For a refused connection: counts and discards input, up to a limit. */
void conn_discard_input(struct http_conn *c, struct evbuffer *in);

/* Resumes reading a body that waited for room. */
void conn_read_on(struct http_conn *c);

/* --- arrival.c ----------------------------------------------------------- */

/* The gate has read on from that offset of the input; head: the length of the head that it knew before. */
void arrival_advance(struct http_conn *c, size_t from, size_t head);
/* Frees the state of a head or body, complete or not. */
void arrival_forget(struct http_conn *c);

/* --- room.c --------------------------------------------------------------- */

/* The owner's room, made if need be; a new one must be taken by a hold at once. */
struct http_room *room_of(struct http_server *s, const unsigned char owner[HTTP_OWNER_SIZE]);
/* The same of the owner of a call, which is set. */
struct http_room *room_of_call(const struct http_call *call);
/* Replaces what h holds. */
void hold_take(struct http_server *s, struct http_hold *h, struct http_room *room, enum hold_kind kind, size_t bytes);
/* Changes the number of its bytes. */
void hold_resize(struct http_server *s, struct http_hold *h, size_t bytes);
void hold_end(struct http_server *s, struct http_hold *h);
/* The room in which bodies of unknown senders are counted, by size; whether a room is one of these. */
struct http_room *room_of_stranger(struct http_server *s, size_t bytes);
bool room_is_strangers(const struct http_server *s, const struct http_room *room);
/* Takes room for c's body; false when c has to wait. */
bool room_take_body(struct http_conn *c, struct http_room *room, size_t bytes);
/* True when c's body has an unknown sender and others of its room are waiting. */
bool room_is_contended(const struct http_conn *c);
/* Event callback: gives free room to those waiting. */
void room_offer(evutil_socket_t fd, short what, void *server);

/* --- unread.c ------------------------------------------------------------ */

/* Whose answers c sends from now on: those of the call's owner; NULL, or it has none: a stranger's. */
void unread_owner(struct http_conn *c, const struct http_call *call);
/* All that is unread, at most. */
size_t unread_most(const struct http_server *s);
/* So much memory was put into c's output. */
void unread_put(struct http_conn *c, size_t bytes);
/* The kernel has taken so many bytes of c's output. */
void unread_sent(struct http_conn *c, size_t bytes);

/* --- cut.c --------------------------------------------------------------- */

/* Event callback: counts the bytes with the kernel exactly, and closes connections if there are too many. */
void cut_unread(evutil_socket_t fd, short what, void *server);

/* --- send.c -------------------------------------------------------------- */

/* Gives the kernel c's output: at once if it is short, else in turns. c may be freed by it. */
void send_begin(struct http_conn *c);
/* Event callback: a turn of those that wait. */
void send_turn(evutil_socket_t fd, short what, void *server);
void send_forget(struct http_conn *c);
/* True when the client keeps the kernel from sending what it has. */
bool send_is_held(const struct http_conn *c);
/* Closes those in CONN_DRAIN that are done. */
void send_drain(struct http_server *s);

/* --- linger.c ------------------------------------------------------------ */

/* Keeps a duplicate of a socket that is about to be closed while the client may still be sending, and discards input
 * for a bounded time. Otherwise the kernel would answer the client's bytes with a reset, which can destroy our last
 * answer before the client has read it. */
void http_linger(struct http_server *s, int fd);
void http_linger_free_all(struct http_server *s);

/* --- listen.c -------------------------------------------------------------- */

/* Pauses or resumes accepting according to the server's state. */
void listen_update(struct http_server *s);
/* Pauses it until then; 0: until the next turn of the loop. */
void listen_pause(struct http_server *s, int us);
void listen_close_all(struct http_server *s);
void listen_accept_again(evutil_socket_t fd, short what, void *server);

/* --- error_reply.c --------------------------------------------------------- */

/* The present value of the Date header; renewed each second. */
const char *http_date(struct http_server *s);
/* An error answer with the configured writer's body; the caller frees it and may add a header. */
struct http_error {
	struct http_header headers[8]; /* three of every answer, one of the verdict, its more */
	size_t n_headers;
	struct buf body;
	char request_id[37];
};
void http_error_make(struct http_server *s, struct http_error *e, int status, const char *message);

/* --- reply.c --------------------------------------------------------------- */

/* Puts an answer into the connection's output; body may be NULL. */
void reply_put(struct http_conn *c, int status, const struct http_header *headers, size_t n_headers, struct buf *body);

/* The head of an answer that goes on: chunked, or to an HTTP/1.0 client up to the close. */
void reply_put_endless(struct http_conn *c, int status, const struct http_header *headers, size_t n_headers);
/* Tells evhttp that the answer is in the output, and what to do when it has been sent: evhttp looks at the
 * Connection header it has stored. Reading stays off, as since the request was complete; evhttp turns it on for the
 * next one. */
void reply_hand_over(struct http_call *call, struct http_conn *c);
void call_free(struct http_call *call);

/* --- share.c -------------------------------------------------------------- */

/* Binds and listens; -1 with errno. shared: the port may be shared with other sockets that allow it. */
int share_listen(int family, const struct sockaddr *address, socklen_t len, bool shared);
/* The same, sharing the port only with processes of the same identity. Blocks. EADDRINUSE: the port belongs to
 * another program or database. */
int share_open(const struct sockaddr *address, socklen_t len, int port, const char *identity);

#endif
