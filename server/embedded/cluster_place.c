/* Chooses the embedded cluster's directories and user. find.c finds PostgreSQL's programs. */
#include "server/embedded/cluster_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/base/log.h"

static const char *const FALLBACK_PARENT = "/var/lib/kith";
enum { FALLBACK_TRIES = 100 };

bool place_fail(char error[512], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, 512, format, args);
	va_end(args);
	return false;
}

/* Writes "directory/name"; false when it does not fit. */
static bool place_join(char out[PLACE_PATH_SIZE], const char *directory, const char *name)
{
	return snprintf(out, PLACE_PATH_SIZE, "%s/%s", directory, name) < PLACE_PATH_SIZE;
}

/* Works as mkdir -p, and leaves existing directories unchanged. */
static bool place_make_path(const char *path, mode_t mode)
{
	char part[PLACE_PATH_SIZE];
	size_t len = strlen(path);

	if (len == 0 || len >= sizeof part) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(part, path, len + 1);
	for (size_t i = 1; i <= len; i++) {
		if (part[i] != '/' && part[i] != '\0')
			continue;
		char kept = part[i];
		part[i] = '\0';
		if (mkdir(part, mode) != 0 && errno != EEXIST)
			return false;
		part[i] = kept;
	}
	return true;
}

bool place_open(struct cluster_place *p, const char *data_dir, char error[512])
{
	char real[PATH_MAX];

	memset(p, 0, sizeof *p);
	/* If root creates the directory, another user must be able to traverse it. Secrets in it have modes of their
	 * own. */
	if (!place_make_path(data_dir, geteuid() == 0 ? 0711 : 0700) || !realpath(data_dir, real))
		return place_fail(error, "data_dir %.200s: %s; set data_dir to a directory that kith can create",
		    data_dir, strerror(errno));
	if (strlen(real) >= PLACE_PATH_SIZE - 64)
		return place_fail(
		    error, "data_dir %.200s: the path is too long; use one of at most 900 characters", data_dir);
	memcpy(p->data_dir, real, strlen(real) + 1);
	if (access(p->data_dir, W_OK | X_OK) != 0)
		return place_fail(error, "data_dir %.200s: %s; run as its owner or set another data_dir", p->data_dir,
		    strerror(errno));
	return true;
}

/* --- the user ------------------------------------------------------------------- */

static bool place_account_of(struct account *a, const struct passwd *entry)
{
	a->uid = entry->pw_uid;
	a->gid = entry->pw_gid;
	snprintf(a->name, sizeof a->name, "%s", entry->pw_name);
	return true;
}

/* Root runs the cluster as an unprivileged user; everybody else runs it as themselves. */
static bool choose_account(struct account *a, char error[512])
{
	uid_t self = geteuid();
	const struct passwd *entry = NULL;

	memset(a, 0, sizeof *a);
	a->change = self == 0;
	if (self != 0) {
		a->uid = self;
		a->gid = getegid();
		entry = getpwuid(self);
		snprintf(a->name, sizeof a->name, "%s", entry ? entry->pw_name : "this user");
		return true;
	}
	entry = getpwnam("postgres");
	if (!entry || entry->pw_uid == 0)
		entry = getpwnam("nobody");
	if (!entry || entry->pw_uid == 0)
		return place_fail(error,
		    "PostgreSQL does not run as root, and there is neither a user postgres nor nobody: "
		    "make one of them, or run as another user");
	return place_account_of(a, entry);
}

/* An existing cluster keeps its owner. */
static bool keep_owner(struct cluster_place *p, char error[512])
{
	struct stat st;

	if (stat(p->cluster_dir, &st) != 0 || st.st_uid == p->account.uid)
		return true;
	const struct passwd *entry = getpwuid(st.st_uid);
	if (!p->account.change || !entry || st.st_uid == 0)
		return place_fail(error,
		    "the cluster in %.300s belongs to %.60s: run as that user (or as root), or set another data_dir",
		    p->cluster_dir, entry ? entry->pw_name : "a user that no longer exists");
	return place_account_of(&p->account, entry);
}

bool place_own(const char *path, const struct account *who)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool ok = fd >= 0 && fstat(fd, &st) == 0;

	if (ok && st.st_uid != who->uid && st.st_uid != geteuid()) {
		errno = EPERM;
		ok = false;
	}
	ok = ok && (st.st_uid == who->uid || fchown(fd, who->uid, who->gid) == 0) &&
	     ((st.st_mode & 07777) == 0700 || fchmod(fd, 0700) == 0);
	int wrong = errno;
	if (fd >= 0)
		close(fd);
	errno = wrong;
	return ok;
}

/* --- the home ------------------------------------------------------------------- */

/* Runs in a child, as the cluster's user. Returns 0 when the user can enter the directory. */
static int can_enter(const void *path)
{
	return access(path, X_OK) == 0 && chdir(path) == 0 ? 0 : 1;
}

/* Computes FNV-1a to distinguish paths; it is not cryptographic. */
static uint64_t place_hash(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return hash;
}

/* Reads the home named in data_dir/cluster; "" when there is no such file. */
static bool read_home(struct cluster_place *p, char error[512])
{
	char path[PLACE_PATH_SIZE];
	struct stat st;

	p->home[0] = '\0';
	if (!place_join(path, p->data_dir, "cluster"))
		return place_fail(error, "%.200s: the path is too long", p->data_dir);
	FILE *file = fopen(path, "re");
	if (!file)
		return errno == ENOENT || place_fail(error, "%.300s: %s", path, strerror(errno));
	if (!fgets(p->home, sizeof p->home, file))
		p->home[0] = '\0';
	fclose(file);
	p->home[strcspn(p->home, "\n")] = '\0';
	if (p->home[0] != '/' || stat(p->home, &st) != 0 || !S_ISDIR(st.st_mode))
		return place_fail(error,
		    "%.200s names %.150s as the cluster's place, which is not a directory: restore it, "
		    "or remove the file to start over without the old data",
		    path, p->home);
	return true;
}

static bool write_home(const struct cluster_place *p, char error[512])
{
	char path[PLACE_PATH_SIZE], temporary[PLACE_PATH_SIZE];

	if (!place_join(path, p->data_dir, "cluster") || !place_join(temporary, p->data_dir, "cluster.new"))
		return place_fail(error, "%.200s: the path is too long", p->data_dir);
	FILE *file = fopen(temporary, "we");
	bool ok = file && fprintf(file, "%s\n", p->home) > 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
	ok = (!file || fclose(file) == 0) && ok && rename(temporary, path) == 0;
	return ok || place_fail(error, "%.300s: cannot be written: %s", path, strerror(errno));
}

/* Creates a directory of root's in a directory of root's. */
static bool make_parent(void)
{
	int fd =
	    place_make_path(FALLBACK_PARENT, 0711) ? open(FALLBACK_PARENT, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	bool ok = fd >= 0 && fchmod(fd, 0711) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Creates a home under /var/lib/kith, named after data_dir. An existing home belonged to a data_dir that was removed:
 * its data is neither shown nor deleted. */
static bool make_home(struct cluster_place *p, char error[512])
{
	unsigned long long hash = place_hash(p->data_dir);

	if (!make_parent())
		return place_fail(error, "%.100s: %s; set data_dir to a directory that the database's user can enter",
		    FALLBACK_PARENT, strerror(errno));
	for (int i = 1; i <= FALLBACK_TRIES; i++) {
		int len = snprintf(p->home, sizeof p->home, "%s/%016llx", FALLBACK_PARENT, hash);
		if (i > 1)
			snprintf(p->home + len, sizeof p->home - (size_t)len, "-%d", i);
		if (mkdir(p->home, 0700) == 0) {
			if (!place_own(p->home, &p->account))
				break;
			return write_home(p, error);
		}
		if (errno != EEXIST)
			break;
		log_warn("database", "%s holds a cluster of an earlier %s; remove it if it is not needed any more",
		    p->home, p->data_dir);
	}
	return place_fail(error, "%.200s: %s", p->home, strerror(errno));
}

static bool choose_home(struct cluster_place *p, char error[512])
{
	if (!read_home(p, error))
		return false;
	if (p->home[0] == '\0') {
		if (!p->account.change || run_as(&p->account, can_enter, p->data_dir) == 0) {
			memcpy(p->home, p->data_dir, sizeof p->home);
		} else {
			if (!make_home(p, error))
				return false;
			log_info("database", "user %s cannot enter %s, so the cluster is kept in %s", p->account.name,
			    p->data_dir, p->home);
		}
	}
	if (!place_join(p->cluster_dir, p->home, "pg") || !place_join(p->log_file, p->home, "pg.log"))
		return place_fail(error, "%.200s: the path is too long", p->home);
	return keep_owner(p, error);
}

/* --- the socket ----------------------------------------------------------------- */

/* True when the path fits into sun_path, and is usable without quoting in libpq's and PostgreSQL's settings. */
static bool place_socket_fits(const char *socket_dir, char socket_path[PLACE_PATH_SIZE])
{
	/* PostgreSQL's ".lock" is the suffix of a file name and not part of the socket's address, so it does not count.
	 */
	size_t max = sizeof(((struct sockaddr_un *)0)->sun_path);
	int len = snprintf(socket_path, PLACE_PATH_SIZE, "%s/.s.PGSQL.%d", socket_dir, PLACE_PORT);
	return len > 0 && (size_t)len < max && !strpbrk(socket_dir, ",'\"\\\n");
}

/* Creates a directory that the cluster's user owns and nobody else can enter. */
static bool place_make_private(const char *path, const struct account *who, char error[512])
{
	if ((mkdir(path, 0700) == 0 || errno == EEXIST) && place_own(path, who))
		return true;
	if (errno == EPERM || errno == ENOTDIR || errno == ELOOP)
		return place_fail(error, "%.300s is not a directory of user %.60s: remove it", path, who->name);
	return place_fail(error, "%.300s: %s", path, strerror(errno));
}

static bool choose_socket(struct cluster_place *p, char error[512])
{
	if (!place_join(p->socket_dir, p->home, "run") || !place_socket_fits(p->socket_dir, p->socket_path)) {
		/* Only root can write to /run, so nobody else can take the name. In /tmp place_make_private() checks
		 * the owner. */
		snprintf(p->socket_dir, sizeof p->socket_dir, "%s/kith-%ld-%016llx",
		    p->account.change ? "/run" : "/tmp", (long)p->account.uid, (unsigned long long)place_hash(p->home));
		if (!place_socket_fits(p->socket_dir, p->socket_path))
			return place_fail(error, "%.200s: too long for a socket", p->socket_dir);
	}
	return place_make_private(p->socket_dir, &p->account, error);
}

bool place_settle(struct cluster_place *p, char error[512])
{
	return choose_account(&p->account, error) && choose_home(p, error) && choose_socket(p, error);
}

bool place_has_cluster(const struct cluster_place *p)
{
	struct stat st;

	return stat(p->cluster_dir, &st) == 0;
}
