/* Admission: finds the user of a key, and checks their rate limits.
 *
 * Requests that arrive while a query is in progress share the next one, in one statement on the ADMIT lane;
 * kith_admit() in migrations/0002_admission.sql decides. Limits belong to the user; when a user has several requests in
 * a batch, those that arrived first are admitted first. Times are the database server's. */
#ifndef KITH_STORE_ADMISSION_H
#define KITH_STORE_ADMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/id.h"
#include "server/base/list.h"
#include "store/db.h"
#include "store/horizon.h"
#include "store/keys.h"

struct admission;

enum admission_policy { ADMISSION_DEFAULT, ADMISSION_BURST, ADMISSION_POLICIES };

/* "default", "burst". */
const char *admission_policy_name(enum admission_policy policy);

struct admission_rate {
	int limit, window_s;
}; /* limit 0: off */

enum {
	ADMISSION_KEY_SIZE = 32,     /* SHA-256 of the key's text */
	ADMISSION_WAITING_MAX = 4096 /* tickets not answered yet; more are BUSY */
};

enum admission_status {
	ADMISSION_ADMITTED,
	ADMISSION_NO_KEY,      /* unknown, revoked or expired */
	ADMISSION_LIMITED,     /* not counted; use[hit] says until when */
	ADMISSION_UNAVAILABLE, /* the database did not answer */
	ADMISSION_BUSY         /* too many are waiting */
};

/* The state of a policy after this request. */
struct admission_use {
	struct admission_rate rate; /* limit 0: off, and the rest is undefined */
	int remaining;
	int64_t reset_ms; /* when the limit is fully restored without further requests, unix ms */
	int64_t retry_ms; /* LIMITED by this policy: when one more request will certainly be admitted; else 0 */
};

/* Embedded in its owner, who keeps it until done. */
struct admission_ticket {
	/* set by the owner */
	unsigned char key_hash[ADMISSION_KEY_SIZE];
	void (*done)(struct admission_ticket *t);
	void *owner;
	bool no_burst;  /* the burst policy does not apply to it */
	bool uncounted; /* only asks whether the key is still valid: does not count against the limits, never LIMITED */

	/* the result; fields after status are set for ADMITTED and LIMITED only */
	enum admission_status status;
	struct uuid workspace, user;
	struct uuid key;
	bool is_admin;
	enum key_kind kind;
	bool mcp_only;   /* the key opens only /mcp */
	unsigned scopes; /* of the key: enum key_scope */
	struct uuid groups[KEY_GROUPS_MAX];
	size_t n_groups; /* the only groups that the key may see; 0: no restriction */
	int64_t version; /* of the workspace, as in HORIZON_VERSION; caches compare it */
	int64_t now_ms;  /* the clock of reset_ms and retry_ms */
	/* what the request reads from now on includes every event below this point */
	struct horizon_point horizon;
	struct admission_use use[ADMISSION_POLICIES];
	enum admission_policy hit; /* LIMITED: of the exhausted policies, the one that stays exhausted longest */

	/* private to admission */
	struct list link;
	int place; /* index of its key among the keys of the exchange */
};

struct admission *admission_new(struct db *db, const struct admission_rate rates[ADMISSION_POLICIES]);

/* To be called after db_close(): tickets not sent end as UNAVAILABLE. */
void admission_free(struct admission *a);

/* The horizon of events, as far as the answers so far have shown it. The caller may set its first sample. */
struct horizon *admission_horizon(struct admission *a);

/* Applies to later exchanges. A negative limit or window counts as 0; window 0 is off. */
void admission_set_rates(struct admission *a, const struct admission_rate rates[ADMISSION_POLICIES]);

/* Queues the ticket; done is called later, never from inside. After BUSY, done must not ask again at once. */
void admission_ask(struct admission *a, struct admission_ticket *t);

/* Sends the tickets of this turn as one exchange and ends those over the cap; called at the end of each turn of the
 * loop, before db_flush(). While one is in progress tickets wait for the next. Also records the use of keys
 * (last_used_at, to the minute) on the WORK lane, at most once a second. */
void admission_flush(struct admission *a);

/* Tickets not answered yet. */
size_t admission_waiting(const struct admission *a);

#endif
