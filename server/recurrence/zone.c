/* Reads compiled time zones (RFC 9636, version 2 and later) and answers queries about them. */
#include "server/recurrence/zone.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "server/base/arena.h"
#include "server/recurrence/zone_rule.h"

enum {
	NAME_MAX_LEN = 63,
	FILE_MAX = 64 * 1024,
	HEADER = 44,
	NAMES_MAX = 2000, /* zones of the system; there are about 600 */
	DAY = 24 * 60 * 60
};

struct zone {
	int64_t *at; /* times of the changes, ascending */
	int32_t *to; /* the offset from each change on */
	size_t n;
	int32_t first; /* offset before the first change */
	bool has_rule;
	struct zone_rule rule; /* rule after the last change */
};

struct zone_name {
	char name[NAME_MAX_LEN + 1];
	ino_t file;
	const struct zone *zone;
};

static struct zone_name *names; /* sorted; NULL: not read yet */
static size_t n_names;

/* --- reading ------------------------------------------------------------------- */

static int64_t zone_big_endian(const unsigned char *p, int bytes)
{
	uint64_t value = p[0] & 0x80 ? ~UINT64_C(0) : 0;

	for (int i = 0; i < bytes; i++)
		value = value << 8 | p[i];
	return (int64_t)value;
}

/* The counts in a header, in the order of the file. */
enum { UT, STD, LEAP, TIMES, TYPES, CHARS, COUNTS };

static bool zone_read_counts(const unsigned char *p, size_t len, uint32_t counts[COUNTS])
{
	if (len < HEADER || memcmp(p, "TZif", 4) != 0 || p[4] < '2')
		return false;
	for (int i = 0; i < COUNTS; i++) {
		counts[i] = (uint32_t)zone_big_endian(p + 20 + 4 * i, 4);
		if (counts[i] > FILE_MAX)
			return false;
	}
	return counts[TYPES] > 0;
}

static size_t zone_block_size(const uint32_t counts[COUNTS], size_t time_size)
{
	return counts[TIMES] * (time_size + 1) + counts[TYPES] * 6 + counts[CHARS] + counts[LEAP] * (time_size + 4) +
	       counts[STD] + counts[UT];
}

static bool zone_read_block(struct zone *z, const unsigned char *p, const uint32_t counts[COUNTS])
{
	const unsigned char *index = p + counts[TIMES] * 8, *types = index + counts[TIMES];

	z->n = counts[TIMES];
	z->at = mem_alloc((z->n + 1) * sizeof *z->at);
	z->to = mem_alloc((z->n + 1) * sizeof *z->to);
	z->first = (int32_t)zone_big_endian(types, 4);
	for (size_t i = 0; i < z->n; i++) {
		if (index[i] >= counts[TYPES] || (i && zone_big_endian(p + 8 * i, 8) <= z->at[i - 1]))
			return false;
		z->at[i] = zone_big_endian(p + 8 * i, 8);
		z->to[i] = (int32_t)zone_big_endian(types + 6 * index[i], 4);
	}
	return true;
}

/* The rule for the time after the last change. It follows the second block, between two line feeds. */
static bool zone_read_footer(struct zone *z, const unsigned char *p, size_t len)
{
	const unsigned char *end = len > 1 ? memchr(p + 1, '\n', len - 1) : NULL;

	if (!end || p[0] != '\n')
		return false;
	z->has_rule = end > p + 1;
	return !z->has_rule || zone_rule_parse(&z->rule, (const char *)p + 1, (size_t)(end - p) - 1);
}

static bool zone_read(struct zone *z, const unsigned char *p, size_t len)
{
	uint32_t counts[COUNTS];
	size_t old, size;

	if (!zone_read_counts(p, len, counts)) /* the first block has 32-bit times, for old readers */
		return false;
	old = HEADER + zone_block_size(counts, 4);
	if (old > len || !zone_read_counts(p + old, len - old, counts))
		return false;
	p += old + HEADER;
	len -= old + HEADER;
	size = zone_block_size(counts, 8);
	return size < len && zone_read_block(z, p, counts) && zone_read_footer(z, p + size, len - size);
}

static size_t zone_read_file(const char *path, unsigned char *out)
{
	FILE *f = fopen(path, "rbe");
	size_t len = 0;

	if (f) {
		len = fread(out, 1, FILE_MAX, f);
		fclose(f);
	}
	return len;
}

static const struct zone *zone_load(const char *path)
{
	unsigned char *file = mem_alloc(FILE_MAX);
	struct zone *z = mem_zalloc(sizeof *z);

	if (!zone_read(z, file, zone_read_file(path, file))) {
		free(z->at);
		free(z->to);
		free(z);
		z = NULL;
	}
	free(file);
	return z;
}

/* --- the table -------------------------------------------------------------------- */

/* A third of the names are links to others. */
static const struct zone *zone_linked(ino_t file)
{
	for (size_t i = 0; i < n_names; i++)
		if (names[i].file == file)
			return names[i].zone;
	return NULL;
}

static void zone_add_name(const char *name, const char *path, ino_t file)
{
	const struct zone *z;

	if (strlen(name) > NAME_MAX_LEN)
		return;
	z = zone_linked(file);
	if (!z)
		z = zone_load(path);
	if (!z)
		return;
	memcpy(names[n_names].name, name, strlen(name) + 1);
	names[n_names].file = file;
	names[n_names++].zone = z;
}

/* Letters, digits, '_', '-' and '+'. The variants of the database and the machine's own setting are skipped. */
static bool zone_part_valid(const char *part)
{
	static const char *const others[] = {"posix", "right", "localtime", "posixrules"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(part, others[i]) == 0)
			return false;
	return part[strspn(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+")] == '\0';
}

static void zone_read_directory(char *path)
{
	FTS *tree = fts_open((char *[]){path, NULL}, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;

	while (tree && (e = fts_read(tree)) && n_names < NAMES_MAX) {
		if (e->fts_level > 0 && !zone_part_valid(e->fts_name))
			fts_set(tree, e, FTS_SKIP);
		else if (e->fts_info == FTS_F)
			zone_add_name(e->fts_path + strlen(path) + strspn(e->fts_path + strlen(path), "/"), e->fts_path,
			    e->fts_statp->st_ino);
	}
	if (tree)
		fts_close(tree);
}

static int zone_compare_names(const void *a, const void *b)
{
	return strcmp(((const struct zone_name *)a)->name, ((const struct zone_name *)b)->name);
}

size_t zone_read_all(void)
{
	static char usual[] = "/usr/share/zoneinfo";
	char *folder = getenv("TZDIR");

	if (!names) {
		names = mem_zalloc(NAMES_MAX * sizeof *names);
		zone_read_directory(folder && *folder ? folder : usual);
		qsort(names, n_names, sizeof *names, zone_compare_names);
		names = mem_realloc(names, (n_names + 1) * sizeof *names);
	}
	return n_names;
}

const struct zone *zone_find(const char *name, size_t len)
{
	struct zone_name wanted;
	const struct zone_name *found;

	zone_read_all();
	if (len > NAME_MAX_LEN || memchr(name, '\0', len))
		return NULL;
	memcpy(wanted.name, name, len);
	wanted.name[len] = '\0';
	found = bsearch(&wanted, names, n_names, sizeof *names, zone_compare_names);
	return found ? found->zone : NULL;
}

const struct zone *zone_utc(void)
{
	static const struct zone utc = {.n = 0};

	return &utc;
}

/* --- queries --------------------------------------------------------------------- */

/* The number of changes up to an instant. */
static size_t zone_changes_until(const struct zone *z, int64_t utc)
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
	size_t n = zone_changes_until(z, utc);

	if (n == z->n && z->has_rule)
		return zone_rule_offset(&z->rule, utc);
	return n ? z->to[n - 1] : z->first;
}

int64_t zone_instant(const struct zone *z, int64_t local)
{
	/* Offsets are less than a day, and no zone changes twice within a day. */
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

int64_t zone_next_change(const struct zone *z, int64_t utc)
{
	size_t n = zone_changes_until(z, utc);

	if (n < z->n)
		return z->at[n];
	return z->has_rule && z->rule.changes ? zone_rule_next(&z->rule, utc) : INT64_MAX;
}

/* True when the rule has the i-th change of the file, too, and no other one between that and the next. */
static bool zone_ruled_change(const struct zone *z, size_t i)
{
	int32_t before = i ? z->to[i - 1] : z->first;
	int64_t next = zone_rule_next(&z->rule, z->at[i]);

	return zone_rule_offset(&z->rule, z->at[i] - 1) == before && zone_rule_offset(&z->rule, z->at[i]) == z->to[i] &&
	       (i + 1 == z->n || next == z->at[i + 1]);
}

const struct zone_rule *zone_yearly_rule(const struct zone *z, int64_t *since)
{
	size_t i = z->n;

	if (!z->has_rule || !z->rule.changes)
		return NULL;
	while (i > 0 && zone_ruled_change(z, i - 1))
		i--;
	*since = i < z->n ? z->at[i] : zone_rule_next(&z->rule, i ? z->at[i - 1] : 0);
	return &z->rule;
}
