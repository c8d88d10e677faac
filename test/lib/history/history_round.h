/* Rounds of clients, followers and webhooks against several processes of one database. They make a history (history.h)
 * while processes, connections and the database are damaged. test/flow/test_histories.c is the program. */
#ifndef KITH_TEST_LIB_HISTORY_HISTORY_ROUND_H
#define KITH_TEST_LIB_HISTORY_HISTORY_ROUND_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/base/id.h"
#include "test/lib/db/cluster.h"
#include "test/lib/db/proxy.h"
#include "test/lib/history/history.h"
#include "test/lib/http/caller.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/kith_server.h"
#include "test/lib/webhook/receiver.h"

enum {
	ROUND_PROCESSES_MAX = 3,
	ROUND_CLIENTS = 8,
	ROUND_SLOTS = 24, /* records that there are at a time */
	ROUND_FOLLOWERS = 4,
	ROUND_FOLLOWER = 100, /* the number of the first one */
	ROUND_HOOKS = 2
};

struct history_setup {
	const char *name;
	int processes;
	bool standby;     /* lists are read on a standby */
	bool synchronous; /* each commit waits for it */
	bool promoted; /* once in the round the primary is cut off and the standby promoted; no lists are read there */
	bool calm;     /* nothing is damaged */
};

/* A request that a second client sends at the same time. */
struct round_twin {
	bool there;
	enum history_kind kind;
	char target[96], body[160], once[40], if_match[40];
	int record, value, key;
	int64_t match;
};

struct round_process {
	struct server_process *server;
	char base[64];
	int generation; /* how often it was started */
};

struct round {
	const struct history_setup *setup;
	int seconds;
	uint64_t seed;
	int delivery_fails; /* of 1,000 first attempts */
	struct history_log h;
	struct arena arena; /* for the main thread */
	struct cluster *one, *two;
	struct program program, via;
	char data_dir[DIRECTORY_SIZE], proxy_dir[DIRECTORY_SIZE], stream_dir[DIRECTORY_SIZE], faults[128];
	struct proxy *proxy, *stream; /* stream: between the standby and the primary; NULL: none */
	const char *key;              /* of the API */
	pthread_mutex_t lock;
	struct round_process processes[ROUND_PROCESSES_MAX];
	int wrong;       /* processes that ended badly */
	bool disturbed;  /* a process was ended or stopped */
	char done[4096]; /* which faults there were */
	/* clients */
	char slots[ROUND_SLOTS][ID_SIZE], gone[ID_SIZE]; /* records; one that was deleted */
	struct round_twin twin;
	atomic_bool stop;             /* clients end */
	atomic_bool quiet;            /* only two of them ask */
	atomic_int requests, clients; /* clients: those that have not ended */
	/* followers, webhooks */
	char last[ID_SIZE]; /* the record of the last event; set once everything has ended */
	atomic_bool ended;  /* it is set */
	struct receiver *receiver;
	uint64_t receiver_seed;
	struct history_names heard;  /* deliveries, as "HOOK ID" */
	unsigned char *attempts;     /* of each */
	int cap_attempts, delivered; /* deliveries that were accepted */
};

/* 0 … below-1; for the thread that has the seed. */
unsigned round_chance(uint64_t *seed, unsigned below);
/* The process's address now; *generation changes when it was started again. */
void round_base(struct round *r, int process, char base[64], int *generation);

/* A connection to each process. */
struct round_caller {
	struct round *r;
	struct caller to[ROUND_PROCESSES_MAX];
	int generations[ROUND_PROCESSES_MAX];
};
void round_caller_init(struct round_caller *c, struct round *r);
void round_caller_free(struct round_caller *c);
/* That process's, with an empty arena. */
struct caller *round_caller_at(struct round_caller *c, int process);

/* --- history_place.c: databases and processes ------------------------------------------------------ */

void round_open(struct round *r);
void round_close(struct round *r);
void round_start(struct round *r, int process);
/* Starts it again if it has ended. */
void round_look(struct round *r, int process);

/* --- history_fault.c ------------------------------------------------------------------------------- */

/* One fault, by chance; returns when all processes serve again. */
void round_fault(struct round *r);
void round_promote(struct round *r);

/* --- history_client.c -------------------------------------------------------------------------------- */

/* Client i until the round stops, for caller_crowd_run(). */
void round_client(struct round *r, int i);
/* Reads every record and list once more, and makes the record of the last event. */
void round_last_reads(struct round *r);
bool round_last_write(struct round *r);
/* Adds a list with its items; returns its X-Events-Cursor, "" if there is none or the list is not whole. */
const char *round_list(struct round *r, struct history_steps *steps, struct caller *c, int who, int process, int way);

/* --- history_listen.c -------------------------------------------------------------------------------- */

/* Follower i until it has heard the last event. */
void round_follower(struct round *r, int i);
/* Follower 0 of the history; the number of events. */
int round_read_all(struct round *r);
void round_hooks_open(struct round *r);
/* Waits until n events were delivered to each webhook; adds the deliveries to the history. */
bool round_hooks_close(struct round *r, int n);

#endif
