/* Writers that change every kind of record at random, and their shared state. */
#ifndef KITH_TEST_LIB_SERVER_BUSY_H
#define KITH_TEST_LIB_SERVER_BUSY_H

#include <pthread.h>
#include <stdatomic.h>

#include "server/base/id.h"
#include "test/lib/http/caller.h"

enum { BUSY_KINDS = 7, BUSY_POOL = 200 };

struct busy {
	const char *keys[2];                   /* used by the writers in turn */
	const char *(*base)(void *ctx, int i); /* the URL of a server for writer i */
	void *ctx;
	const char *open, *secret; /* groups, each with objects of type Deals and a text field Level of people */
	int pause_ms;              /* between the requests of a writer */
	atomic_bool stop;
	atomic_int done, failed;

	pthread_mutex_t lock;
	char ids[BUSY_KINDS][BUSY_POOL][ID_SIZE]; /* existing records, as far as they know */
	char of[BUSY_KINDS][BUSY_POOL][ID_SIZE];  /* objects: their group */
	int n[BUSY_KINDS];
};

void busy_init(struct busy *b);
/* Writer i, until b->stop: for caller_crowd_run(), ctx is the struct busy. */
void busy_write(void *ctx, int i);

#endif
