/* Open addressing with linear probing; up to FEW rows are searched linearly. See table.h. */
#include "table.h"

#include <string.h>

#include "id.h"

enum { FEW = 8, ROOM_LEAST = 4 };

__extension__ typedef unsigned __int128 wide;

static uint64_t table_hash_fold(uint64_t a, uint64_t b)
{
	wide product = (wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Hashes eight bytes at a time, with a random seed, so that nobody outside can construct colliding keys. */
static uint32_t table_hash(const void *key, size_t len)
{
	static uint64_t seed[2];
	const unsigned char *at = key;
	uint64_t hash, word = 0;

	while (!seed[0] || !seed[1]) {
		struct uuid random = id_random();
		memcpy(&seed[0], random.b, sizeof seed[0]);
		random = id_random();
		memcpy(&seed[1], random.b + sizeof random.b - sizeof seed[1], sizeof seed[1]);
		seed[0] |= 1;
	}
	hash = seed[1] ^ len;
	for (; len >= sizeof word; at += sizeof word, len -= sizeof word) {
		memcpy(&word, at, sizeof word);
		hash = table_hash_fold(hash ^ word, seed[0]);
	}
	word = 0;
	if (len)
		memcpy(&word, at, len);
	hash = table_hash_fold(hash ^ word, seed[0]);
	return (uint32_t)(hash ^ hash >> 32);
}

static void table_fill_slot(struct table *t, size_t row)
{
	size_t slot = t->rows[row].hash & t->mask;

	while (t->slots[slot])
		slot = (slot + 1) & t->mask;
	t->slots[slot] = (uint32_t)row + 1;
}

static void make_slots(struct table *t)
{
	t->mask = 2 * t->room - 1;
	t->slots = arena_alloc(t->arena, (t->mask + 1) * sizeof *t->slots);
	for (size_t i = 0; i < t->count; i++)
		table_fill_slot(t, i);
}

static void table_set_room(struct table *t, size_t room)
{
	struct table_row *rows = arena_alloc(t->arena, room * sizeof *rows);

	if (t->count)
		memcpy(rows, t->rows, t->count * sizeof *rows);
	t->rows = rows;
	t->room = room;
	if (room > FEW)
		make_slots(t);
}

void table_init(struct table *t, struct arena *a, size_t most)
{
	size_t room = ROOM_LEAST;

	*t = (struct table){.arena = a};
	while (room < most) /* a power of two */
		room *= 2;
	if (most)
		table_set_room(t, room);
}

static bool table_row_has_key(const struct table_row *row, const void *key, size_t len)
{
	return row->len == len && (len == 0 || memcmp(row->key, key, len) == 0);
}

static struct table_row *table_lookup(const struct table *t, const void *key, size_t len, uint32_t hash)
{
	if (!t->slots) {
		for (size_t i = 0; i < t->count; i++)
			if (t->rows[i].hash == hash && table_row_has_key(&t->rows[i], key, len))
				return &t->rows[i];
		return NULL;
	}
	for (size_t slot = hash & t->mask; t->slots[slot]; slot = (slot + 1) & t->mask) {
		struct table_row *row = &t->rows[t->slots[slot] - 1];
		if (row->hash == hash && table_row_has_key(row, key, len))
			return row;
	}
	return NULL;
}

static struct table_row *table_append(struct table *t, const void *key, size_t len, uint32_t hash)
{
	if (t->count == t->room)
		table_set_room(t, t->room ? 2 * t->room : ROOM_LEAST);
	t->rows[t->count] = (struct table_row){.key = key, .len = len, .hash = hash};
	if (t->slots)
		table_fill_slot(t, t->count);
	return &t->rows[t->count++];
}

struct table_row *table_row(struct table *t, const void *key, size_t len)
{
	uint32_t hash = table_hash(key, len);
	struct table_row *row = table_lookup(t, key, len, hash);

	return row ? row : table_append(t, key, len, hash);
}

bool table_add(struct table *t, const void *key, size_t len)
{
	size_t before = t->count;

	table_row(t, key, len);
	return t->count > before;
}

bool table_has(const struct table *t, const void *key, size_t len)
{
	return t->count && table_lookup(t, key, len, table_hash(key, len));
}

void *table_find(const struct table *t, const void *key, size_t len)
{
	const struct table_row *row = t->count ? table_lookup(t, key, len, table_hash(key, len)) : NULL;

	return row ? row->value : NULL;
}
