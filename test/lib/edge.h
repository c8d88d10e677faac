/*
 * A server of the HTTP edge in a child process, with a small handler, and raw
 * sockets to speak to it. For cmocka tests: what goes wrong fails the test.
 * edge_stop() expects status 0 of the child, so that a sanitizer's report or
 * a leak in it fails the test too.
 *
 * Who sends "Authorization: owner X" is known as X; what goes to /refused/X is refused with the status X, also before
 * its body is read, and a third header. Without room for an answer it is a 503.
 *
 * The handler: /delay/MS answers later, /big/BYTES much, /nothing 204, /no-body
 * without one, /stats the numbers of edge_stat_of(); all else tells what came.
 */
#ifndef KITH_TEST_EDGE_H
#define KITH_TEST_EDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "server/http/server.h"

#define GET(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"
#define ASK(text) edge_ask(text, sizeof(text) - 1)

struct edge_child {
	pid_t pid; /* 0: none */
	char bound[128];
};
extern struct edge_child edge_child;

struct http_config edge_config(void);
void edge_start(struct http_config config);
/* files: the child's limit of file descriptors, 0 for ours. */
void edge_start_at(struct http_config config, const char *address, int files);
void edge_stop(void);
/* For cmocka: a test that failed half-way leaves no server behind. */
int edge_teardown(void **state);

void edge_handle(struct http_call *call, const struct http_input *in, void *arg);
void edge_judge(const struct http_head *head, struct http_verdict *verdict, void *ctx);
void edge_write_error(struct buf *body, int status, const char *request_id, const char *message, void *ctx);

int edge_dial(void);
/* false when the other side has closed. */
bool edge_put(int fd, const void *bytes, size_t len);
bool edge_puts(int fd, const char *text);
/* Reads until cap - 1 bytes are there, the other side closes, or want is found.
 * Answers the length; -1 on a reset. out is NUL terminated. */
ssize_t edge_get_until(int fd, char *out, size_t cap, const char *want);
bool edge_closed(int fd);
/* Says that no more requests follow; the server must close without another byte. Closes fd. */
void edge_finish(int fd);
/* One request on a connection of its own; what came until the end, valid until the next call. */
char *edge_ask(const char *request, size_t len);
/* A good request on a fresh connection must be answered rightly. */
void edge_canary(void);
/* "rss" in KiB, "cpu" in ms, "connections", "flight" of the child. */
long edge_stat_of(const char *name);

#endif
