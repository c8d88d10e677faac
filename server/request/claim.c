/* Fingerprints of requests with an idempotency key, and the keys that this process is using. Also finds the stored
 * answer of a request that ran before but would be refused now. */
#include "server/request/admit.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/crypto.h"
#include "server/base/fault.h"
#include "server/request/reply.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/slice.h"
#include "server/request/transaction.h"

enum { PIECE = 128 << 10, PIECE_MAX = 64 << 20 /* the value ends the object */ };

/* A fingerprint in progress; allocated in the request's arena. */
struct claiming {
	struct sha256 hash;
	struct buf piece; /* of the body in canonical form */
	struct json_canonical canonical;
};

static int compare_texts(const struct query_text *a, const struct query_text *b)
{
	int c = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

	return c ? c : (a->len > b->len) - (a->len < b->len);
}

static int compare_pairs(const void *a, const void *b)
{
	const struct query_pair *x = a, *y = b;
	int c = compare_texts(&x->key, &y->key);

	return c ? c : compare_texts(&x->value, &y->value);
}

/* A limited key must not receive an answer that was given to a key with more rights. A key that replaces another one by
 * rotation has the same limits. */
static void fingerprint_limits(const struct admission_ticket *t, struct sha256 *h)
{
	if (t->scopes == SCOPE_ALL && t->n_groups == 0)
		return;
	sha256_part(h, &t->scopes, sizeof t->scopes);
	sha256_part(h, t->groups, t->n_groups * sizeof *t->groups);
}

/* Hashes method, route, path parameters, the query in any order, and the version. The body follows in canonical form,
 * in pieces. */
static void fingerprint_begin(struct req *r, struct claiming *c)
{
	struct query_pair *pairs = arena_alloc(&r->arena, (r->given.query.count + 1) * sizeof *pairs);
	struct sha256 *h = &c->hash;

	sha256_begin(h);
	sha256_part(h, r->method_name, strlen(r->method_name));
	sha256_part(h, r->route->path, strlen(r->route->path));
	for (int i = 0; i < PATH_PARAMS_MAX; i++)
		sha256_part(h, r->given.path[i].text ? r->given.path[i].text : "", r->given.path[i].len);
	if (r->given.query.count)
		memcpy(pairs, r->given.query.pairs, r->given.query.count * sizeof *pairs);
	qsort(pairs, r->given.query.count, sizeof *pairs, compare_pairs);
	for (size_t i = 0; i < r->given.query.count; i++) {
		sha256_part(h, pairs[i].key.text, pairs[i].key.len);
		sha256_part(h, pairs[i].value.text, pairs[i].value.len);
	}
	sha256_part(h, API_VERSION, strlen(API_VERSION));
	fingerprint_limits(&r->caller.ticket, h);
	buf_init(&c->piece, PIECE_MAX);
	json_canonical_begin(&c->canonical, &c->piece, r->given.body);
}

/* Returns false when it must be continued in another turn. */
static bool fingerprint_some(struct req *r, struct claiming *c)
{
	bool ended;

	do {
		ended = json_canonical_some(&c->canonical, PIECE);
		sha256_add(&c->hash, c->piece.data, c->piece.len);
		buf_clear(&c->piece);
	} while (!ended && !slice_over(r));
	return ended;
}

static void claim_end(struct req *r, unsigned char *out)
{
	struct claiming *c = r->claiming;

	json_canonical_free(&c->canonical);
	buf_free(&c->piece);
	sha256_end(&c->hash, out);
	r->claiming = NULL;
}

void claim_free(struct req *r)
{
	if (r->claiming)
		claim_end(r, NULL);
}

/* Detects most duplicates of a running request without the database. */
static bool twin_runs(struct req *r)
{
	struct list *bucket = &r->server->running[(uint64_t)r->tx.claim.lock % RUNNING_BUCKETS];

	list_each(other, bucket, const struct req, queue.running)
		if (memcmp(other->tx.claim.hash, r->tx.claim.hash, sizeof r->tx.claim.hash) == 0)
			return true;
	list_append(bucket, &r->queue.running);
	r->tx.claimed = true;
	return false;
}

enum step step_claim(struct req *r)
{
	if (!r->tx.key)
		return PASS;
	if (!r->claiming) {
		idempotency_claim_init(&r->tx.claim, &r->caller.ws->id, &r->caller.viewer.user, r->tx.key);
		r->claiming = arena_alloc(&r->arena, sizeof *r->claiming);
		fingerprint_begin(r, r->claiming);
	}
	if (!fingerprint_some(r, r->claiming))
		return AGAIN;
	claim_end(r, r->tx.claim.fingerprint);
	FAULT_POINT(claim);
	return twin_runs(r) ? reply_error(r, ERROR_KEY_IN_PROGRESS, NULL) : PASS;
}

/* --- refused, but perhaps done before --------------------------------------------------------- */

enum step step_recall(struct req *r)
{
	return r->given.issues.count ? reply_issues(r, r->given.issues.message) : PASS;
}

static enum step recall_ask(struct req *r)
{
	r->tx.opening = true;
	exchange_command(r, "begin", "begin");
	transaction_claim(r, false);
	exchange_command(r, "rollback", "rollback");
	return exchange_send(r, DB_WRITE, false, 0);
}

/* Nothing is stored under the key, so the refusal stands. */
static enum step recall_end(struct req *r)
{
	(void)r;
	return DONE;
}

void claim_look(struct req *r)
{
	static step_fn *const steps[] = {recall_ask, recall_end};

	r->next = steps;
}

bool claim_recall(struct req *r)
{
	if (!r->tx.claim.keyed || r->tx.key_asked ||
	    (r->reply.status != 403 && r->reply.status != 404 && r->reply.status != 422))
		return false;
	claim_look(r);
	return true;
}
