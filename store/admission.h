/*
 * Admission: who a key belongs to, and whether the user has a request left.
 *
 * The requests that come while the last question is on its way ask together, in
 * one statement on the ADMIT lane; kith_admit() in migrations/0002_admission.sql decides. Limits
 * belong to the user; what several requests of a user got together is given out
 * in the order in which they asked. Times are the database server's.
 */
#ifndef KITH_STORE_ADMISSION_H
#define KITH_STORE_ADMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/id.h"
#include "server/base/list.h"
#include "store/db.h"
#include "store/horizon.h"

struct admission;

enum admission_policy { ADMISSION_DEFAULT, ADMISSION_BURST, ADMISSION_POLICIES };

/* "default", "burst". */
const char *admission_policy_name(enum admission_policy policy);

struct admission_rate {
	int limit, window_s;
}; /* limit 0: off */

enum {
	ADMISSION_KEY_SIZE = 32,     /* SHA-256 of the key's text */
	ADMISSION_WAITING_MAX = 4096 /* tickets asked and not answered; over it BUSY */
};

enum admission_status {
	ADMISSION_ADMITTED,
	ADMISSION_NO_KEY,      /* unknown, revoked or expired */
	ADMISSION_LIMITED,     /* not counted; use[hit] says until when */
	ADMISSION_UNAVAILABLE, /* the database could not be asked */
	ADMISSION_BUSY         /* too many are waiting */
};

/* A policy as this request leaves it. */
struct admission_use {
	struct admission_rate rate; /* limit 0: off, and the rest means nothing */
	int remaining;
	int64_t reset_ms; /* when the limit is whole again if nothing else comes, unix ms */
	int64_t retry_ms; /* LIMITED by this policy: one more request is certain to be let in then; 0: not hit */
};

/* Embedded in its owner, who keeps it until done. */
struct admission_ticket {
	/* the owner fills in these */
	unsigned char key_hash[ADMISSION_KEY_SIZE];
	void (*done)(struct admission_ticket *t);
	void *owner;

	/* the answer; what follows status is set for ADMITTED and LIMITED only */
	enum admission_status status;
	struct uuid workspace, user;
	bool is_admin, read_only;
	int64_t version; /* of the workspace, horizon_version(): caches compare it */
	int64_t now_ms;  /* the clock that reset_ms and retry_ms go by */
	/* below it every event is there for whatever the request reads from now on */
	struct horizon_point horizon;
	struct admission_use use[ADMISSION_POLICIES];
	enum admission_policy hit; /* LIMITED: the policy that lasts longest of those hit */

	/* admission's own */
	struct list link;
	int place; /* of its key among the keys of the exchange */
};

struct admission *admission_new(struct db *db, const struct admission_rate rates[ADMISSION_POLICIES]);

/* After db_close(): tickets that never left end UNAVAILABLE. */
void admission_free(struct admission *a);

/* What the answers so far tell about the horizon of events. The first sample may be given to it. */
struct horizon *admission_horizon(struct admission *a);

/* For later exchanges; those on their way keep theirs. A limit or window below 0 counts as 0; window 0 is off. */
void admission_set_rates(struct admission *a, const struct admission_rate rates[ADMISSION_POLICIES]);

/* Takes the ticket; done is called later, never from inside. A done that is told
 * BUSY must not ask again at once. */
void admission_ask(struct admission *a, struct admission_ticket *t);

/*
 * Sends what this turn asked, as one exchange, and ends the tickets that were
 * over the cap; called at the end of each turn of the loop, before db_flush().
 * While enough exchanges are on their way the tickets wait for a later turn,
 * which makes the batches larger, not more. Also notes which keys are in use
 * (last_used_at, to the minute), on the WORK lane, at most once a second.
 */
void admission_flush(struct admission *a);

/* Tickets asked and not answered. */
size_t admission_waiting(const struct admission *a);

#endif
