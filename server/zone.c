/* Reads compiled time zones (RFC 9636, version 2 and later) and answers from them. */
#include "server/zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/zone_rule.h"

enum {
	NAME_MAX_LEN = 63,
	FILE_MAX = 64 * 1024,
	HEADER = 44,
	ZONES_MAX = 1024, /* more than there are names */
	DAY = 24 * 60 * 60
};

struct zone {
	char name[NAME_MAX_LEN + 1];
	int64_t *at; /* of each change, ascending */
	int32_t *to; /* the offset from then on */
	size_t n;
	int32_t first; /* before the first change */
	bool has_rule;
	struct zone_rule rule; /* after the last one */
};

static struct zone *zones[ZONES_MAX];
static size_t n_zones;

/* --- reading ------------------------------------------------------------------- */

static int64_t big_endian(const unsigned char *p, int bytes)
{
	uint64_t value = p[0] & 0x80 ? ~UINT64_C(0) : 0;

	for (int i = 0; i < bytes; i++)
		value = value << 8 | p[i];
	return (int64_t)value;
}

/* The counts of a header, in the file's order. */
enum { UT, STD, LEAP, TIMES, TYPES, CHARS, COUNTS };

static bool read_counts(const unsigned char *p, size_t len, uint32_t counts[COUNTS])
{
	if (len < HEADER || memcmp(p, "TZif", 4) != 0 || p[4] < '2')
		return false;
	for (int i = 0; i < COUNTS; i++) {
		counts[i] = (uint32_t)big_endian(p + 20 + 4 * i, 4);
		if (counts[i] > FILE_MAX)
			return false;
	}
	return counts[TYPES] > 0;
}

static size_t block_size(const uint32_t counts[COUNTS], size_t time_size)
{
	return counts[TIMES] * (time_size + 1) + counts[TYPES] * 6 + counts[CHARS] + counts[LEAP] * (time_size + 4) +
	       counts[STD] + counts[UT];
}

static bool read_block(struct zone *z, const unsigned char *p, const uint32_t counts[COUNTS])
{
	const unsigned char *index = p + counts[TIMES] * 8, *types = index + counts[TIMES];

	z->n = counts[TIMES];
	z->at = mem_alloc((z->n + 1) * sizeof *z->at);
	z->to = mem_alloc((z->n + 1) * sizeof *z->to);
	z->first = (int32_t)big_endian(types, 4);
	for (size_t i = 0; i < z->n; i++) {
		if (index[i] >= counts[TYPES] || (i && big_endian(p + 8 * i, 8) <= z->at[i - 1]))
			return false;
		z->at[i] = big_endian(p + 8 * i, 8);
		z->to[i] = (int32_t)big_endian(types + 6 * index[i], 4);
	}
	return true;
}

/* Behind the second block, between two line feeds: the rule for the time after the last change. */
static bool read_footer(struct zone *z, const unsigned char *p, size_t len)
{
	const unsigned char *end = len > 1 ? memchr(p + 1, '\n', len - 1) : NULL;

	if (!end || p[0] != '\n')
		return false;
	z->has_rule = end > p + 1;
	return !z->has_rule || zone_rule_parse(&z->rule, (const char *)p + 1, (size_t)(end - p) - 1);
}

static bool read_zone(struct zone *z, const unsigned char *p, size_t len)
{
	uint32_t counts[COUNTS];
	size_t old, size;

	if (!read_counts(p, len, counts)) /* the first block has 32-bit times, for old readers */
		return false;
	old = HEADER + block_size(counts, 4);
	if (old > len || !read_counts(p + old, len - old, counts))
		return false;
	p += old + HEADER;
	len -= old + HEADER;
	size = block_size(counts, 8);
	return size < len && read_block(z, p, counts) && read_footer(z, p + size, len - size);
}

/* Letters, digits, '_', '-', '+' in parts between slashes: no name leads out of the directory. */
static bool name_valid(const char *name, size_t len)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/";

	if (len == 0 || len > NAME_MAX_LEN || name[0] == '/' || memchr(name, '\0', len))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!memchr(allowed, name[i], sizeof allowed - 1))
			return false;
	/* Copies of the database in other forms, and a machine's own setting, are no zones. */
	return !(len > 6 && (memcmp(name, "posix/", 6) == 0 || memcmp(name, "right/", 6) == 0)) &&
	       !(len == 9 && memcmp(name, "localtime", 9) == 0) && !(len == 10 && memcmp(name, "posixrules", 10) == 0);
}

static size_t read_file(const char *name, unsigned char *out)
{
	const char *folder = getenv("TZDIR");
	char path[512];
	size_t len;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : "/usr/share/zoneinfo", name);
	f = fopen(path, "rbe");
	if (!f)
		return 0;
	len = fread(out, 1, FILE_MAX, f);
	fclose(f);
	return len;
}

static void zone_free(struct zone *z)
{
	free(z->at);
	free(z->to);
	free(z);
}

static struct zone *load(const char *name, size_t len)
{
	unsigned char *file = mem_alloc(FILE_MAX);
	struct zone *z = mem_zalloc(sizeof *z);

	memcpy(z->name, name, len);
	if (!read_zone(z, file, read_file(z->name, file))) {
		zone_free(z);
		z = NULL;
	}
	free(file);
	return z;
}

const struct zone *zone_find(const char *name, size_t len)
{
	struct zone *z;

	if (!name_valid(name, len))
		return NULL;
	for (size_t i = 0; i < n_zones; i++)
		if (strlen(zones[i]->name) == len && memcmp(zones[i]->name, name, len) == 0)
			return zones[i];
	z = n_zones < ZONES_MAX ? load(name, len) : NULL;
	if (z)
		zones[n_zones++] = z;
	return z;
}

const struct zone *zone_utc(void)
{
	static const struct zone utc = {.name = "UTC"};
	return &utc;
}

/* --- answering ------------------------------------------------------------------- */

/* How many changes happened up to that instant. */
static size_t changes(const struct zone *z, int64_t utc)
{
	size_t low = 0, high = z->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (z->at[middle] <= utc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int32_t zone_offset(const struct zone *z, int64_t utc)
{
	size_t n = changes(z, utc);

	if (n == z->n && z->has_rule)
		return zone_rule_offset(&z->rule, utc);
	return n ? z->to[n - 1] : z->first;
}

int64_t zone_instant(const struct zone *z, int64_t local)
{
	/* Offsets lie within a day of UTC, and no zone changes twice in that time. */
	int32_t before = zone_offset(z, local - DAY), after = zone_offset(z, local + DAY);
	int64_t early = local - (before > after ? before : after), late = local - (before > after ? after : before);

	if (zone_offset(z, early) == local - early)
		return early;
	if (zone_offset(z, late) == local - late)
		return late;
	return local - before;
}

int32_t zone_put_forward(const struct zone *z, int64_t utc)
{
	int32_t shift = zone_offset(z, utc) - zone_offset(z, utc - 26 * 60 * 60);
	return shift > 0 ? shift : 0;
}
