/* Finds PostgreSQL's programs on this machine. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/embedded/cluster_place.h"

static const char *const DEBIAN_PARENT = "/usr/lib/postgresql";
enum { CANDIDATES_MAX = 32 };

/* Returns the major version of the programs in a directory, 0 when any is missing. */
static int version_of(const char *bin_dir)
{
	static const char *const programs[] = {"initdb", "postgres"};
	char path[PLACE_PATH_SIZE], text[128];
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (snprintf(path, sizeof(path), "%s/%s", bin_dir, programs[i]) >= (int)sizeof(path) ||
		    access(path, X_OK) != 0)
			return 0;
	const char *const argv[] = {path, "--version", NULL};
	static const char says[] = "postgres (PostgreSQL) ";
	if (run_wait(NULL, argv, text, sizeof(text)) != 0 || strncmp(text, says, sizeof(says) - 1) != 0)
		return 0;
	return (int)strtol(text + sizeof(says) - 1, NULL, 10);
}

/* Returns the version that an existing cluster needs, 0 without a cluster. */
static int cluster_version(const struct cluster_place *p)
{
	char path[PLACE_PATH_SIZE + 16], text[16] = "";
	snprintf(path, sizeof(path), "%s/PG_VERSION", p->cluster_dir);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	return (int)strtol(text, NULL, 10);
}

static bool find_version_suits(struct cluster_place *p, const char *bin_dir, int wanted)
{
	int version = version_of(bin_dir);
	if (wanted ? version != wanted : version < PLACE_VERSION_MIN)
		return false;
	snprintf(p->bin_dir, sizeof(p->bin_dir), "%s", bin_dir);
	return true;
}

/* Asks the first pg_config in PATH. */
static bool ask_pg_config(char bin_dir[PLACE_PATH_SIZE])
{
	const char *path = getenv("PATH");
	for (size_t len; path && *path; path += len + (path[len] == ':')) {
		char program[PLACE_PATH_SIZE];
		len = strcspn(path, ":");
		int n = snprintf(program, sizeof(program), "%.*s/pg_config", (int)len, path);
		const char *const argv[] = {program, "--bindir", NULL};
		if (n >= (int)sizeof(program) || program[0] != '/' || access(program, X_OK) != 0)
			continue;
		if (run_wait(NULL, argv, bin_dir, PLACE_PATH_SIZE) != 0)
			return false;
		bin_dir[strcspn(bin_dir, "\n")] = '\0';
		return true;
	}
	return false;
}

static int newest_first(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

static bool search_debian(struct cluster_place *p, int wanted)
{
	int versions[CANDIDATES_MAX], n = 0;
	DIR *parent = opendir(DEBIAN_PARENT);
	if (!parent)
		return false;
	for (struct dirent *entry; n < CANDIDATES_MAX && (entry = readdir(parent)) != NULL;) {
		versions[n] = (int)strtol(entry->d_name, NULL, 10);
		if (versions[n] > 0)
			n++;
	}
	closedir(parent);
	qsort(versions, (size_t)n, sizeof(versions[0]), newest_first);
	for (int i = 0; i < n; i++) {
		char bin_dir[64];
		snprintf(bin_dir, sizeof(bin_dir), "%s/%d/bin", DEBIAN_PARENT, versions[i]);
		if (find_version_suits(p, bin_dir, wanted))
			return true;
	}
	return false;
}

bool place_find_programs(struct cluster_place *p, char error[512])
{
	char bin_dir[PLACE_PATH_SIZE];
	int wanted = cluster_version(p);
	const char *given = getenv("KITH_PG_BINDIR");
	if (given && *given) {
		if (find_version_suits(p, given, wanted))
			return true;
		return place_fail(error, "KITH_PG_BINDIR: %.200s does not hold initdb and postgres of version %d%s",
		    given, wanted ? wanted : PLACE_VERSION_MIN, wanted ? "" : " or later");
	}
	if ((ask_pg_config(bin_dir) && find_version_suits(p, bin_dir, wanted)) || search_debian(p, wanted))
		return true;
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

/* --- programs for clients ----------------------------------------------------------------- */

struct find_client {
	const char *program;
	int wanted, found;
	char *path;
};

/* Returns the major version, 0 when the program is missing. The program prints "pg_dump (PostgreSQL) 15.14 (Debian
 * ...)". */
static int client_version(const char *path)
{
	const char *const argv[] = {path, "--version", NULL};
	static const char says[] = "(PostgreSQL) ";
	char text[128];
	const char *at;
	if (access(path, X_OK) != 0 || run_wait(NULL, argv, text, sizeof(text)) != 0)
		return 0;
	at = strstr(text, says);
	return at ? (int)strtol(at + sizeof(says) - 1, NULL, 10) : 0;
}

static void client_consider(struct find_client *f, const char *dir, int len)
{
	char path[PLACE_PATH_SIZE];
	if (snprintf(path, sizeof(path), "%.*s/%s", len, dir, f->program) >= (int)sizeof(path) || path[0] != '/')
		return;
	int version = client_version(path);
	if (version < f->wanted || (f->found && version >= f->found))
		return;
	f->found = version;
	snprintf(f->path, PLACE_PATH_SIZE, "%s", path);
}

static void client_consider_debian(struct find_client *f)
{
	DIR *parent = opendir(DEBIAN_PARENT);
	if (!parent)
		return;
	for (struct dirent *entry; (entry = readdir(parent)) != NULL;) {
		char dir[PLACE_PATH_SIZE];
		int len = snprintf(dir, sizeof(dir), "%s/%s/bin", DEBIAN_PARENT, entry->d_name);
		if (entry->d_name[0] != '.')
			client_consider(f, dir, len);
	}
	closedir(parent);
}

int place_find_client(const char *program, int version, char path[PLACE_PATH_SIZE])
{
	struct find_client f = {program, version, 0, path};
	const char *given = getenv("KITH_PG_BINDIR"), *dirs = getenv("PATH");
	char bin_dir[PLACE_PATH_SIZE];
	if (given && *given) {
		client_consider(&f, given, (int)strlen(given));
		return f.found;
	}
	if (ask_pg_config(bin_dir))
		client_consider(&f, bin_dir, (int)strlen(bin_dir));
	client_consider_debian(&f);
	for (size_t len; dirs && *dirs; dirs += len + (dirs[len] == ':')) {
		len = strcspn(dirs, ":");
		client_consider(&f, dirs, (int)len);
	}
	return f.found;
}
