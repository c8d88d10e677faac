/* Between receiver.c, which listens and keeps, and receiver_answer.c, which speaks. */
#ifndef KITH_TEST_RECEIVER_PARTS_H
#define KITH_TEST_RECEIVER_PARTS_H

#include <pthread.h>
#include <stdbool.h>

#include <openssl/types.h>

#include "test/lib/receiver.h"

struct receiver {
	struct receiver_config config;
	int listener, port;
	SSL_CTX *tls; /* NULL: plain */
	char ca_file[256], url[4096];
	pthread_t thread;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed, stopped;
	bool stop;
	struct receiver_connection *connections; /* closed ones too, until the end */
	struct receiver_request **requests;
	int n_requests, room, count, accepted, open;
};

struct receiver_connection {
	struct receiver_connection *next;
	struct receiver *receiver;
	pthread_t thread;
	int fd, number;
	SSL *ssl;
	bool reset; /* at its end */
};

/* A connection's life, until it is to be closed. */
void receiver_serve(struct receiver_connection *c);

/* Keeps the request, which is the receiver's from now on, and tells what to do. */
struct receiver_behaviour receiver_take(struct receiver *r, struct receiver_request *q);

/* Waits; false when the receiver stops. */
bool receiver_pause(struct receiver *r, int ms);

#endif
