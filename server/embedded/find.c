/* Finds PostgreSQL's programs on this machine. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/embedded/cluster_place.h"

static const char *const DEBIAN_PARENT = "/usr/lib/postgresql";

/* --- directories ------------------------------------------------------------------------ */

/* Looks at a directory. True ends the search. */
typedef bool find_look(void *ctx, const char *dir);

static bool find_join(char path[PLACE_PATH_SIZE], const char *dir, const char *program)
{
	return snprintf(path, PLACE_PATH_SIZE, "%s/%s", dir, program) < PLACE_PATH_SIZE && access(path, X_OK) == 0;
}

static bool find_in_path(find_look *look, void *ctx)
{
	const char *path = getenv("PATH");
	char dir[PLACE_PATH_SIZE];

	for (size_t len; path && *path; path += len + (path[len] == ':')) {
		len = strcspn(path, ":");
		if (*path == '/' && snprintf(dir, sizeof dir, "%.*s", (int)len, path) < (int)sizeof dir &&
		    look(ctx, dir))
			return true;
	}
	return false;
}

/* The newest version comes first. */
static bool find_in_debian(find_look *look, void *ctx)
{
	struct dirent **versions;
	char dir[sizeof(struct dirent) + 64];
	bool found = false;
	int n = scandir(DEBIAN_PARENT, &versions, NULL, versionsort);

	if (n < 0)
		return false;
	while (n-- > 0) {
		snprintf(dir, sizeof dir, "%s/%s/bin", DEBIAN_PARENT, versions[n]->d_name);
		found = found || look(ctx, dir);
		free(versions[n]);
	}
	free(versions);
	return found;
}

/* Asks the directory's pg_config for the directory of the programs, "" if it fails. False without pg_config. */
static bool find_ask_config(void *bin_dir, const char *dir)
{
	char program[PLACE_PATH_SIZE], *answer = bin_dir;
	const char *const argv[] = {program, "--bindir", NULL};

	if (!find_join(program, dir, "pg_config"))
		return false;
	answer[run_wait(NULL, argv, answer, PLACE_PATH_SIZE) == 0 ? strcspn(answer, "\n") : 0] = '\0';
	return true;
}

/* Calls look for the directories that may hold PostgreSQL's programs: the one that KITH_PG_BINDIR names, or else that
 * of the first pg_config, Debian's, and those in PATH. */
static bool find_directory(find_look *look, void *ctx)
{
	const char *given = getenv("KITH_PG_BINDIR");
	char bin_dir[PLACE_PATH_SIZE];

	if (given && *given)
		return look(ctx, given);
	return (find_in_path(find_ask_config, bin_dir) && look(ctx, bin_dir)) || find_in_debian(look, ctx) ||
	       find_in_path(look, ctx);
}

/* --- programs --------------------------------------------------------------------------- */

/* Returns the major version, 0 when the program is missing. It prints "pg_dump (PostgreSQL) 15.14 (Debian ...)". */
static int find_version(const char *dir, const char *program, char path[PLACE_PATH_SIZE])
{
	static const char says[] = " (PostgreSQL) ";
	const char *const argv[] = {path, "--version", NULL};
	char text[128];
	const char *at;

	if (!find_join(path, dir, program) || run_wait(NULL, argv, text, sizeof text) != 0)
		return 0;
	at = strstr(text, says);
	return at ? (int)strtol(at + sizeof says - 1, NULL, 10) : 0;
}

/* Returns the version that an existing cluster needs, 0 without a cluster. */
static int cluster_version(const struct cluster_place *p)
{
	char path[PLACE_PATH_SIZE + 16], text[16] = "";

	snprintf(path, sizeof path, "%s/PG_VERSION", p->cluster_dir);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	if (!fgets(text, sizeof text, file))
		text[0] = '\0';
	fclose(file);
	return (int)strtol(text, NULL, 10);
}

static bool find_suits_cluster(void *place, const char *dir)
{
	struct cluster_place *p = place;
	char path[PLACE_PATH_SIZE];
	int wanted = cluster_version(p), version = find_version(dir, "postgres", path);

	if ((wanted ? version != wanted : version < PLACE_VERSION_MIN) || !find_join(path, dir, "initdb"))
		return false;
	snprintf(p->bin_dir, sizeof p->bin_dir, "%s", dir);
	return true;
}

bool place_find_programs(struct cluster_place *p, char error[512])
{
	const char *given = getenv("KITH_PG_BINDIR");
	int wanted = cluster_version(p);

	if (find_directory(find_suits_cluster, p))
		return true;
	if (given && *given)
		return place_fail(error, "KITH_PG_BINDIR: %.200s does not hold initdb and postgres of version %d%s",
		    given, wanted ? wanted : PLACE_VERSION_MIN, wanted ? "" : " or later");
	if (wanted)
		return place_fail(error,
		    "the cluster in %.200s was made by PostgreSQL %d, which is not installed: install postgresql-%d, "
		    "or set KITH_PG_BINDIR to its directory",
		    p->cluster_dir, wanted, wanted);
	return place_fail(error,
	    "no PostgreSQL server of version %d or later was found: install the Debian package postgresql, set "
	    "KITH_PG_BINDIR to the directory of its programs, or set database_url",
	    PLACE_VERSION_MIN);
}

struct find_client {
	const char *program;
	int wanted, found;
	char *path;
};

/* Keeps the lowest version that suits. */
static bool find_consider(void *ctx, const char *dir)
{
	struct find_client *f = ctx;
	char path[PLACE_PATH_SIZE];
	int version = find_version(dir, f->program, path);

	if (version && version >= f->wanted && (!f->found || version < f->found)) {
		f->found = version;
		memcpy(f->path, path, sizeof path);
	}
	return false;
}

int place_find_client(const char *program, int version, char path[PLACE_PATH_SIZE])
{
	struct find_client f = {program, version, 0, path};

	find_directory(find_consider, &f);
	return f.found;
}
