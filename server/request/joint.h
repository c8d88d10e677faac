/* Joint transactions. Writes of one workspace that are ready in the same turn of the loop, or while the workspace's
 * joint transactions are running, share one transaction: one BEGIN, one lock of the workspace, one check of its
 * version, and one COMMIT, which costs more than the writes themselves. Each write keeps its own statements, events,
 * stored answer and reply. Steps know nothing of it: exchange.c offers every exchange of a write, and joint.c sends
 * those of all members as one.
 *
 * A member never sees another one half done, because no two of them change the same record, and what one reads of
 * another's is committed with it or not at all. If a statement fails, or a member must be rolled back after it has
 * changed something, the transaction is rolled back and its members run again, each in a transaction of its own. */
#ifndef KITH_SERVER_REQUEST_JOINT_H
#define KITH_SERVER_REQUEST_JOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/list.h"

struct db_exchange;
struct joint;
struct req;
struct server;
struct uuid;

/* How a joint transaction ended, for /metrics. Those in which nobody asked for COMMIT, and those that found no
 * connection or lost it before COMMIT, count as none of these. */
enum joint_outcome {
	JOINT_COMMITTED,
	JOINT_SPLIT, /* rolled back: its members ran again, each in a transaction of its own */
	JOINT_LOST,  /* the answer to COMMIT was lost */
	JOINT_OUTCOMES
};

struct joint_counts {
	uint64_t transactions[JOINT_OUTCOMES];
	uint64_t members; /* of these transactions, as they were opened */
};

/* A request's part in a joint transaction. Only joint.c changes it. */
struct joint_part {
	struct joint *of; /* NULL: none */
	struct list link;
	struct db_exchange *asked; /* the exchange that the request waits for; NULL: it runs */
	int64_t record;            /* number of the lock of the record that it changes; 0: none */
	bool changed;              /* it has sent what may have changed something, or seen others' changes */
	bool again;                /* its exchange ended because the transaction was given up */
	bool alone;                /* it runs in transactions of its own from now on */
	bool apart;                /* it runs by itself when the others have ended */
};

/* Takes an exchange of the lane WRITE, filled in but not sent: the opening of a write that may be a member, or a later
 * exchange of a member. Its done is called later, from the loop. False: the caller sends it. */
bool joint_send(struct req *r, struct db_exchange *x);

/* True for a refusal that may rest on what another member has changed and not committed yet: the transaction is given
 * up. The caller then asks for a ROLLBACK, and the request runs again. */
bool joint_doubts(struct req *r);

/* The request has found that the record that it changes is not the one that it has locked, so another member may change
 * it, too. True: the request runs again by itself when the others have ended. The caller only asks. */
bool joint_apart(struct req *r);

/* The request ends without COMMIT. */
void joint_leave(struct req *r);

/* True once, after an exchange that ended because the transaction was given up: the request must run again. */
bool joint_again(struct req *r);

/* True while the request's transaction has a connection, which its own exchange does not tell. */
bool joint_is_running(const struct req *r);

/* Sends what the members have asked for in this turn. Call it at the end of the turn, before db_flush(). */
void joint_flush(struct server *s);

/* Ends what was not sent with DB_UNAVAILABLE. Call it after db_close(). */
void joint_stop(struct server *s);

#endif
