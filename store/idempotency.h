/* Idempotency keys (docs/api.md, "Idempotency"): a key is claimed with an advisory lock held by the request's
 * transaction, which also stores the answer. Nothing is visible before COMMIT, and no crash leaves a claim behind. */
#ifndef KITH_STORE_IDEMPOTENCY_H
#define KITH_STORE_IDEMPOTENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/json.h"
#include "store/db.h"
#include "store/sql.h"

enum { IDEMPOTENCY_BODY_MAX = 1 << 20, IDEMPOTENCY_KEEP_MS = 24 * 60 * 60 * 1000 };

struct idempotency_claim {
	bool keyed;
	struct uuid workspace, user;
	unsigned char hash[32];        /* SHA-256 of workspace, user and key */
	int64_t lock;                  /* its first 8 bytes */
	unsigned char fingerprint[32]; /* of the request */
};

/* True for 1 to 255 printable ASCII characters without spaces. */
bool idempotency_key_valid(const char *key);

void idempotency_claim_init(
    struct idempotency_claim *c, const struct uuid *workspace, const struct uuid *user, const char *key);

/* "select pg_try_advisory_xact_lock(…)": one boolean; with wait pg_advisory_xact_lock(). Begins the statement;
 * s->arena is set. */
void idempotency_lock(struct sql *s, const struct idempotency_claim *c, bool wait);
/* Looks up the stored answer, if any has not expired. s is begun with the claim's workspace and a name. Must be a
 * statement after the lock's, because an older snapshot would miss a concurrent request's commit. */
void idempotency_lookup(struct sql *s, const struct idempotency_claim *c, int64_t keep_ms);

enum idempotency_found { IDEMPOTENCY_NONE, IDEMPOTENCY_REPLAY, IDEMPOTENCY_OTHER_REQUEST, IDEMPOTENCY_NOT_STORED };
struct idempotency_answer {
	int status;
	const char *content_type, *etag; /* NULL: not sent */
	const char *body;                /* in the exchange's results */
	size_t body_len;
};
/* Two answers may differ only in their ETag. */
bool idempotency_same(const struct idempotency_answer *a, const struct idempotency_answer *b);

/* Reads the row of idempotency_lookup(). */
enum idempotency_found idempotency_read(
    const struct idempotency_claim *c, const struct db_exchange *x, int statement, struct idempotency_answer *out);

/* The insert that stores an answer; a body over 1 MiB is recorded as not stored. A row that has not expired is kept
 * (0 rows changed): it belongs to the same request, finished earlier. */
void idempotency_store(
    struct sql *s, const struct idempotency_claim *c, const struct idempotency_answer *answer, int64_t keep_ms);

/* Deletes a batch of expired rows of all workspaces. */
void idempotency_clean(struct sql *s, int64_t keep_ms, int limit);

#endif
