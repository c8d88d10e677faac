/* Shared by receiver.c, which listens and stores, and receiver_answer.c, which talks HTTP. */
#ifndef KITH_TEST_LIB_WEBHOOK_RECEIVER_PRIVATE_H
#define KITH_TEST_LIB_WEBHOOK_RECEIVER_PRIVATE_H

#include <pthread.h>
#include <stdbool.h>

#include <openssl/types.h>

#include "test/lib/webhook/receiver.h"

struct receiver {
	struct receiver_config config;
	int listener, port;
	SSL_CTX *tls; /* NULL: plain */
	char ca_file[256], url[4096];
	pthread_t thread;
	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t changed, stopped;
	bool stop, held;
	int releases;                            /* of held answers, so far */
	struct receiver_connection *connections; /* closed ones included, until the end */
	struct receiver_request **requests;
	int n_requests, room, count, accepted, open;
};

struct receiver_connection {
	struct receiver_connection *next;
	struct receiver *receiver;
	pthread_t thread;
	int fd, number;
	SSL *ssl;
	bool reset; /* reset instead of close */
};

/* Handles a connection until it is to be closed. */
void receiver_serve(struct receiver_connection *c);

/* Stores the request, taking it over; returns how to behave. */
struct receiver_behaviour receiver_take(struct receiver *r, struct receiver_request *q);

/* Wait for a time, and while answers are held back; false when the receiver stops. */
bool receiver_pause(struct receiver *r, int ms);
bool receiver_unheld(struct receiver *r);

#endif
