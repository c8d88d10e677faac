/* A user of the API in a test, with a connection of their own; and crowds of them, in threads. */
#ifndef KITH_TEST_LIB_HTTP_CALLER_H
#define KITH_TEST_LIB_HTTP_CALLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "test/lib/http/client.h"

struct caller {
	const char *key;                  /* of the API; NULL: none is sent */
	const char *if_match;             /* sent with each request while set */
	const struct client_header *more; /* of caller_send_with() */
	struct client *client;
	struct arena arena; /* of all its answers */
	bool is_neighbour;  /* may see the neighbour's data (neighbour.h), which end the test in others' answers */
};

struct caller_answer {
	int status; /* 0: no answer */
	struct client_reply reply;
	const char *id;   /* data.id, "" without */
	const char *code; /* error.code, "" without */
	bool replayed;
	const char *retry_after; /* NULL: absent */
	int64_t took_us;
	char error[256];
};

void caller_init(struct caller *c, const char *base, const char *key);
void caller_free(struct caller *c);
/* Continues with another server. */
void caller_turn(struct caller *c, const char *base);

/* once: an Idempotency-Key, or NULL. body: JSON, or NULL. Answers are freed with the caller. */
struct caller_answer caller_send(
    struct caller *c, const char *method, const char *target, const char *once, const char *body);
struct caller_answer caller_sendf(struct caller *c, const char *method, const char *target, const char *once,
    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* With further headers, which end with a name that is NULL. */
struct caller_answer caller_send_with(
    struct caller *c, const char *method, const char *target, const char *body, const struct client_header headers[]);

/* The answer, which must be a 200: another one ends the process with a message. */
struct caller_answer caller_good(struct caller_answer a);

/* GET, which must be a 200. */
struct caller_answer caller_get(struct caller *c, const char *target);

/* The number in the answer's ETag, -1 without one. */
int64_t caller_tag(const struct caller_answer *a);

/* Runs fn(ctx, 0 … n-1) in n threads that start together; waits for all. */
void caller_crowd_run(int n, void (*fn)(void *ctx, int i), void *ctx);

#endif
