/* See soak_copy.h. */
#include "test/soak/soak_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/soak/soak.h"

/* Tables smaller than this are not judged, or not shown; how much larger than its copy one may be. */
enum { LEAST_KB = 8192, SHOWN_KB = 1024, TIMES = 2, TABLES_MAX = 256, KINDS = 2 };

/* Tables of days. When rows are deleted and no more are written, their table stays as large as it was: so these tables
 * are compared with a copy of the most rows that there were at once. */
static struct copy_days {
	const char *table, *day, *count;
	int64_t most;
	long kb, copied_kb;
} copy_days[KINDS] = {{.table = "events", .day = "events_2", .count = "select count(*) from events"},
    {.table = "deliveries", .day = "deliveries_2", .count = "select count(*) from deliveries"}};

static int64_t days_count(const struct copy_days *d)
{
	char error[256];
	int64_t n;

	return database_try(soak.rig.program, d->count, &n, error) ? n : 0; /* in an outage none */
}

void copy_sample(void)
{
	for (int i = 0; i < KINDS; i++) {
		int64_t n = days_count(&copy_days[i]);
		if (n > copy_days[i].most)
			copy_days[i].most = n;
	}
}

static struct copy_days *days_of(const char *table)
{
	for (int i = 0; i < KINDS; i++)
		if (strncmp(table, copy_days[i].day, strlen(copy_days[i].day)) == 0)
			return &copy_days[i];
	return NULL;
}

static void days_judge(const struct copy_days *d)
{
	int64_t now = days_count(d);
	int64_t enough_kb = now ? d->copied_kb * d->most / now : d->copied_kb;

	printf("soak: days of %s: %lld rows, %lld at most; %ld KB, copied %ld KB, %.2f times the most\n", d->table,
	    (long long)now, (long long)d->most, d->kb, d->copied_kb, enough_kb ? (double)d->kb / (double)enough_kb : 0);
	if (d->kb > TIMES * enough_kb + LEAST_KB)
		finding_add("bloat", "days of %s have %ld KB, %lld would do", d->table, d->kb, (long long)enough_kb);
}

static const char sizes[] =
    "select string_agg(relname || ' ' || pg_total_relation_size(oid) / 1024, e'\\n' order by relname) from pg_class "
    "where relkind = 'r' and relnamespace = 'public'::regnamespace";

struct copy_size {
	char name[64];
	long kb;
};

static int copy_sizes(const struct program *p, struct arena *a, struct copy_size out[TABLES_MAX])
{
	const char *line = database_text(p, a, sizes);
	int n = 0;

	for (; line && *line && n < TABLES_MAX; n++) {
		size_t len = strcspn(line, " ");
		snprintf(out[n].name, sizeof out[n].name, "%.*s", (int)len, line);
		out[n].kb = strtol(line + len, NULL, 10);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return n;
}

static void copy_judge(const struct program *copy)
{
	static struct copy_size ours[TABLES_MAX], theirs[TABLES_MAX];
	struct arena *a = &soak.rig.arena;
	int n = copy_sizes(soak.rig.program, a, ours), m = copy_sizes(copy, a, theirs);
	long all = 0, all_copied = 0;

	for (int i = 0; i < n; i++) {
		long kb = 0;
		for (int k = 0; k < m; k++)
			if (strcmp(theirs[k].name, ours[i].name) == 0)
				kb = theirs[k].kb;
		struct copy_days *day = days_of(ours[i].name);
		*(day ? &day->kb : &all) += ours[i].kb;
		*(day ? &day->copied_kb : &all_copied) += kb;
		if (ours[i].kb < SHOWN_KB)
			continue;
		printf("soak: table %-30s %8ld KB, copied %8ld KB, %.2f times\n", ours[i].name, ours[i].kb, kb,
		    kb ? (double)ours[i].kb / (double)kb : 0);
		if (!day && ours[i].kb > TIMES * kb + LEAST_KB)
			finding_add("bloat", "%s has %ld KB, its copy %ld", ours[i].name, ours[i].kb, kb);
	}
	printf("soak: all but days %ld KB, copied %ld KB, %.2f times\n", all, all_copied,
	    all_copied ? (double)all / (double)all_copied : 0);
	if (all > TIMES * all_copied + LEAST_KB)
		finding_add("bloat", "all but days have %ld KB, their copies %ld", all, all_copied);
	for (int i = 0; i < KINDS; i++)
		days_judge(&copy_days[i]);
}

void copy_compare(void)
{
	struct program copy = *soak.rig.program;
	char url[512], dump[160];
	const char *dir = cluster_socket_dir(soak.rig.cluster);

	snprintf(dump, sizeof dump, "%s/copy.dump", dir);
	const char *const out[] = {
	    "pg_dump", "-Fc", "-Z0", "-N", "soak", "-f", dump, "-d", soak.rig.program->database_url, NULL};
	if (!cluster_database(soak.rig.cluster, "soak_copy", url, sizeof url)) {
		finding_add("copy", "no database for it");
		return;
	}
	const char *const in[] = {"pg_restore", "--exit-on-error", "-d", url, dump, NULL};
	if (!cluster_program(soak.rig.cluster, out) || !cluster_program(soak.rig.cluster, in)) {
		finding_add("copy", "the database cannot be dumped and restored: a key or a reference does not hold");
		return;
	}
	copy.database_url = url;
	copy_judge(&copy);
}
