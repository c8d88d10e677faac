/* Idempotency keys: the statements, and how a stored answer is read. */
#include "store/idempotency.h"

#include <string.h>

#include "server/base/crypto.h"

bool idempotency_key_valid(const char *key)
{
	size_t len = strlen(key);

	if (len < 1 || len > 255)
		return false;
	for (size_t i = 0; i < len; i++)
		if (key[i] < '!' || key[i] > '~')
			return false;
	return true;
}

void idempotency_claim_init(
    struct idempotency_claim *c, const struct uuid *workspace, const struct uuid *user, const char *key)
{
	struct sha256 h;

	sha256_begin(&h);
	c->keyed = true;
	c->workspace = *workspace;
	c->user = *user;
	sha256_part(&h, workspace->b, sizeof workspace->b);
	sha256_part(&h, user->b, sizeof user->b);
	sha256_part(&h, key, strlen(key));
	sha256_end(&h, c->hash);
	memcpy(&c->lock, c->hash, sizeof c->lock);
}

void idempotency_lock(struct sql *s, const struct idempotency_claim *c, bool wait)
{
	sql_begin_system(s, s->arena, wait ? "key_wait" : "key_lock");
	sql_add(s, wait ? "select pg_advisory_xact_lock(" : "select pg_try_advisory_xact_lock(");
	sql_int8(s, c->lock);
	sql_add(s, ")");
	if (!wait)
		s->for_all = "select pg_try_advisory_xact_lock(k) from unnest($1::bigint[]) k";
}

void idempotency_lookup(struct sql *s, const struct idempotency_claim *c, int64_t keep_ms)
{
	sql_add(s, "select fingerprint, status, content_type, etag, body from idempotency_keys "
	           "where workspace_id = $1 and user_id = ");
	sql_uuid(s, &c->user);
	sql_add(s, " and key_hash = ");
	sql_bytea(s, c->hash, sizeof c->hash);
	sql_add_int8(s, " and completed_at > clock_timestamp() - ", keep_ms);
	sql_add(s, " * interval '1 millisecond'");
	s->for_all = "select k.* from unnest($2::uuid[], $3::bytea[]) with ordinality as a (user_id, key_hash, i) "
	             "left join lateral (select fingerprint, status, content_type, etag, body from idempotency_keys "
	             "where workspace_id = $1 and user_id = a.user_id and key_hash = a.key_hash and "
	             "completed_at > clock_timestamp() - ($4::bigint[])[1] * interval '1 millisecond' offset 0) k "
	             "on true order by a.i";
}

bool idempotency_same(const struct idempotency_answer *a, const struct idempotency_answer *b)
{
	bool same_etag = a->etag && b->etag ? strcmp(a->etag, b->etag) == 0 : a->etag == b->etag;

	return same_etag && a->status == b->status && a->body_len == b->body_len &&
	       memcmp(a->body, b->body, a->body_len) == 0;
}

enum idempotency_found idempotency_read(
    const struct idempotency_claim *c, const struct db_exchange *x, int statement, struct idempotency_answer *out)
{
	const char *fingerprint;
	size_t len;

	if (db_rows(x, statement) == 0 || db_null(x, statement, 0, 0)) /* null: among the rows of several */
		return IDEMPOTENCY_NONE;
	fingerprint = db_text(x, statement, 0, 0, &len);
	if (len != sizeof c->fingerprint || memcmp(fingerprint, c->fingerprint, len) != 0)
		return IDEMPOTENCY_OTHER_REQUEST;
	out->status = (int)db_int(x, statement, 0, 1);
	out->content_type = db_text(x, statement, 0, 2, NULL);
	out->etag = db_text(x, statement, 0, 3, NULL);
	out->body = db_text(x, statement, 0, 4, &out->body_len);
	return out->body ? IDEMPOTENCY_REPLAY : IDEMPOTENCY_NOT_STORED;
}

#define STORE_INTO                                                                                                     \
	"insert into idempotency_keys (workspace_id, user_id, key_hash, fingerprint, status, content_type, etag, "     \
	"body, completed_at) "
/* Only an expired row is replaced; any other is the answer of the same request, and is kept. */
#define STORE_REPLACE                                                                                                  \
	"on conflict (workspace_id, user_id, key_hash) do update set fingerprint = excluded.fingerprint, "             \
	"status = excluded.status, content_type = excluded.content_type, etag = excluded.etag, body = excluded.body, " \
	"completed_at = excluded.completed_at where idempotency_keys.completed_at <= clock_timestamp() - "

void idempotency_store(
    struct sql *s, const struct idempotency_claim *c, const struct idempotency_answer *answer, int64_t keep_ms)
{
	bool keep = answer->body_len <= IDEMPOTENCY_BODY_MAX;

	sql_add(s, STORE_INTO "values ($1, ");
	sql_uuid(s, &c->user);
	sql_add(s, ", ");
	sql_bytea(s, c->hash, sizeof c->hash);
	sql_add(s, ", ");
	sql_bytea(s, c->fingerprint, sizeof c->fingerprint);
	sql_add(s, ", ");
	sql_int4(s, answer->status);
	sql_add_textz(s, ", ", answer->content_type);
	sql_add_textz(s, ", ", answer->etag);
	sql_add(s, ", ");
	sql_bytea(s, keep ? answer->body : NULL, keep ? answer->body_len : 0);
	sql_add(s, ", clock_timestamp()) " STORE_REPLACE);
	sql_int8(s, keep_ms);
	sql_add(s, " * interval '1 millisecond'");
	s->for_all =
	    STORE_INTO "select $1, a.*, clock_timestamp() from unnest($2::uuid[], $3::bytea[], $4::bytea[], $5::int[], "
	               "$6::text[], "
	               "$7::text[], $8::bytea[]) as a " STORE_REPLACE "($9::bigint[])[1] * interval '1 millisecond'";
}

void idempotency_clean(struct sql *s, int64_t keep_ms, int limit)
{
	sql_add(s, "delete from idempotency_keys where ctid = any (array(select ctid from idempotency_keys "
	           "where completed_at < clock_timestamp() - ");
	sql_int8(s, keep_ms);
	sql_add_int8(s, " * interval '1 millisecond' limit ", limit);
	sql_add(s, " for update skip locked))");
}
