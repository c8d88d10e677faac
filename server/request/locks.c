/* Numbers of advisory locks. */
#include "server/request/locks.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/crypto.h"

int64_t lock_workspace_number(const struct uuid *workspace)
{
	int64_t lock;

	memcpy(&lock, workspace->b + sizeof workspace->b - sizeof lock, sizeof lock);
	return lock;
}

int64_t lock_record_number(const struct uuid *workspace, const struct uuid *id)
{
	unsigned char both[2 * sizeof id->b], digest[SHA256_SIZE];
	int64_t lock;

	memcpy(both, workspace->b, sizeof workspace->b);
	memcpy(both + sizeof workspace->b, id->b, sizeof id->b);
	sha256_digest(both, sizeof both, digest);
	memcpy(&lock, digest, sizeof lock);
	return lock;
}

/* Appends the number whose bytes in memory are those eight of a bytea. */
static void number_sql(struct sql *s, const char *bytes, int from)
{
	static const int64_t one = 1;
	bool little = *(const char *)&one == 1;

	sql_add(s, "(select ");
	for (int i = 0; i < 8; i++)
		sql_addf(
		    s, "%s(get_byte(d.bytes, %d)::int8 << %d)", i ? " | " : "", from + i, 8 * (little ? i : 7 - i));
	sql_addf(s, " from (values (%s)) d (bytes))", bytes);
}

void lock_number_sql(struct sql *s, const char *workspace, const char *id)
{
	number_sql(s, arena_printf(s->arena, "sha256(uuid_send(%s) || uuid_send(%s))", workspace, id), 0);
}

void lock_workspace_number_sql(struct sql *s, const char *workspace)
{
	number_sql(s, arena_printf(s->arena, "uuid_send(%s)", workspace), 8);
}

static int compare_numbers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void lock_records_sql(struct sql *s, const struct uuid *workspace, const struct uuid *ids, size_t n)
{
	int64_t *locks = arena_alloc(s->arena, n * sizeof *locks);

	for (size_t i = 0; i < n; i++)
		locks[i] = lock_record_number(workspace, &ids[i]);
	qsort(locks, n, sizeof *locks, compare_numbers);
	sql_add(s, "select pg_advisory_xact_lock(k) from unnest(");
	sql_int8_array(s, locks, n);
	sql_add(s, ") k");
}
