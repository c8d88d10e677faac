/* An HTTP edge in a child process, with a small handler, and raw sockets to talk to it. For cmocka tests: errors
 * fail the test. edge_stop() expects exit status 0 of the child, so that a sanitizer's report or a leak in it fails
 * the test too.
 *
 * "Authorization: owner X" identifies the sender as X, "owner XY" as one of the tenant Y; requests for /refused/X are
 * refused with status X, before their body is read, and with a third header. Without room for an answer the status is
 * 503.
 *
 * The handler: /delay/MS answers later, /big/BYTES with a long body, /stream/N goes on with N pieces of 50,000 bytes,
 * each when the one before was taken, /nothing with 204, /no-body without a body, /stats with the numbers of
 * edge_stat_of(); all others with a description of the request. */
#ifndef KITH_TEST_LIB_HTTP_EDGE_H
#define KITH_TEST_LIB_HTTP_EDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "server/http/http.h"
#include "test/lib/test.h"

#define GET(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"
#define ASK(text) edge_ask(text, sizeof(text) - 1)

struct edge_child {
	pid_t pid; /* 0: none */
	char bound[128];
};
extern struct edge_child edge_child;

/* The frame of a program: each case starts a server, which must still answer after the case, and stop. */
#define EDGE()                                                                                                         \
	AROUND_ALL(edge_ready, edge_reap);                                                                             \
	AROUND_EACH(edge_reap, edge_end)
void edge_ready(void);
void edge_end(void);
/* Kills the server of a case that failed half-way. */
void edge_reap(void);

struct http_config edge_config(void);
void edge_start(struct http_config config);
/* files: the child's limit of file descriptors, 0 for ours. */
void edge_start_at(struct http_config config, const char *address, int files);
void edge_stop(void);

void edge_handle(struct http_call *call, const struct http_input *in, void *arg);
void edge_judge(const struct http_head *head, struct http_verdict *verdict, void *ctx);
void edge_write_error(struct buf *body, int status, const char *request_id, const char *message, void *ctx);

int edge_dial(void);
/* False when the peer has closed. */
bool edge_put(int fd, const void *bytes, size_t len);
bool edge_puts(int fd, const char *text);
/* Reads until cap - 1 bytes have arrived, the peer closes, or want is found. Returns the length; -1 on a reset. out
 * is NUL terminated. */
ssize_t edge_get_until(int fd, char *out, size_t cap, const char *want);
bool edge_closed(int fd);
/* Shuts down writing; the server must close without another byte. Closes fd. */
void edge_finish(int fd);
/* Sends one request on a new connection; returns everything received, valid until the next call. */
char *edge_ask(const char *request, size_t len);
/* Checks that a valid request on a new connection is answered correctly. */
void edge_canary(void);
/* "rss" in KiB, "cpu" in ms, "connections", "flight", "unread" of the child. */
long edge_stat_of(const char *name);

#endif
