/* See copy.h. */
#include "test/soak/copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/soak/soak.h"

/* Tables smaller than that are not judged, or not shown; how much larger than its copy one may be. A day of events or
 * deliveries, which goes as a whole, is emptied row by row by the scaled clock alone, while every crash of PostgreSQL
 * makes autovacuum forget what it has to do: it may be larger. */
enum { LEAST_KB = 8192, SHOWN_KB = 1024, TIMES = 2, TIMES_DAY = 4, TABLES_MAX = 256 };

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
		bool day = strncmp(ours[i].name, "events_2", 8) == 0 || strncmp(ours[i].name, "deliveries_2", 12) == 0;
		all += day ? 0 : ours[i].kb;
		all_copied += day ? 0 : kb;
		if (ours[i].kb < SHOWN_KB)
			continue;
		printf("soak: table %-30s %8ld KB, copied %8ld KB, %.2f times\n", ours[i].name, ours[i].kb, kb,
		    kb ? (double)ours[i].kb / (double)kb : 0);
		if (ours[i].kb > (day ? TIMES_DAY : TIMES) * kb + LEAST_KB)
			finding_add("bloat", "%s has %ld KB, its copy %ld", ours[i].name, ours[i].kb, kb);
	}
	printf("soak: all but days %ld KB, copied %ld KB, %.2f times\n", all, all_copied,
	    all_copied ? (double)all / (double)all_copied : 0);
	if (all > TIMES * all_copied + LEAST_KB)
		finding_add("bloat", "all but days have %ld KB, their copies %ld", all, all_copied);
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
