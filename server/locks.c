/* Numbers of advisory locks. */
#include "server/locks.h"

#include <stdlib.h>
#include <string.h>

int64_t lock_number(const struct uuid *id)
{
	int64_t lock;

	memcpy(&lock, id->b + sizeof id->b - sizeof lock, sizeof lock);
	return lock;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void lock_records_sql(struct sql *s, const struct uuid *ids, size_t n)
{
	int64_t *locks = arena_alloc(s->arena, n * sizeof *locks);

	for (size_t i = 0; i < n; i++)
		locks[i] = lock_number(&ids[i]);
	qsort(locks, n, sizeof *locks, compare);
	sql_add(s, "select pg_advisory_xact_lock(k) from unnest(");
	sql_int8_array(s, locks, n);
	sql_add(s, ") k");
}
