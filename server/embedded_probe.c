/*
 * A few messages of PostgreSQL's protocol 3.0 (its manual, "Message Formats"),
 * enough to see whether a cluster is up and to make the first database; and a
 * look into /proc. Real work with the database is store/db.c's.
 */
#include "server/embedded_probe.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { ANSWER_S = 5, MESSAGE_MAX = 65536, PROTOCOL_3_0 = 3 << 16 };

static int connect_to(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct timeval limit = {.tv_sec = ANSWER_S};
	size_t len = strlen(path);
	if (len >= sizeof(address.sun_path))
		return -1;
	memcpy(address.sun_path, path, len + 1);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) != 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) != 0 ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static void put_int32(unsigned char *at, uint32_t value)
{
	at[0] = (unsigned char)(value >> 24);
	at[1] = (unsigned char)(value >> 16);
	at[2] = (unsigned char)(value >> 8);
	at[3] = (unsigned char)value;
}

static uint32_t get_int32(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool send_all(int fd, const void *bytes, size_t len)
{
	for (const char *p = bytes; len > 0;) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static bool read_all(int fd, void *bytes, size_t len)
{
	for (char *p = bytes; len > 0;) {
		ssize_t n = recv(fd, p, len, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static bool send_startup(int fd, const char *user, const char *database)
{
	unsigned char message[256];
	int words =
	    snprintf((char *)message + 8, sizeof(message) - 8, "user%c%s%cdatabase%c%s%c", 0, user, 0, 0, database, 0);
	if (words < 0 || (size_t)words + 9 > sizeof(message))
		return false;
	size_t len = 8 + (size_t)words + 1;
	message[len - 1] = '\0';
	put_int32(message, (uint32_t)len);
	put_int32(message + 4, PROTOCOL_3_0);
	return send_all(fd, message, len);
}

static bool send_query(int fd, const char *sql)
{
	unsigned char head[5] = {'Q'};
	size_t len = strlen(sql) + 1;
	put_int32(head + 1, (uint32_t)(4 + len));
	return send_all(fd, head, sizeof(head)) && send_all(fd, sql, len);
}

/* An ErrorResponse: fields of a letter and a text. */
static void read_error(const char *body, size_t len, char sqlstate[6], char message[200])
{
	while (len > 1 && *body) {
		size_t text_len = strnlen(body + 1, len - 1);
		if (*body == 'C')
			snprintf(sqlstate, 6, "%.5s", body + 1);
		else if (*body == 'M')
			snprintf(message, 200, "%.199s", body + 1);
		if (text_len + 2 > len)
			break;
		body += text_len + 2;
		len -= text_len + 2;
	}
}

/* Reads up to the next ReadyForQuery. false when an error came first, or the
 * connection ended; then sqlstate may be empty. */
static bool read_until_ready(int fd, char sqlstate[6], char message[200])
{
	bool ok = true;
	sqlstate[0] = '\0';
	while (true) {
		unsigned char head[5];
		if (!read_all(fd, head, sizeof(head)))
			return false;
		uint32_t len = get_int32(head + 1);
		if (len < 4 || len > MESSAGE_MAX)
			return false;
		len -= 4;
		char *body = calloc(1, len + 1);
		if (!body || !read_all(fd, body, len)) {
			free(body);
			return false;
		}
		if (head[0] == 'E') {
			ok = false;
			read_error(body, len, sqlstate, message);
		}
		free(body);
		if (head[0] == 'Z')
			return ok;
	}
}

static enum probe login(int fd, const char *user, const char *database, char message[200])
{
	char sqlstate[6] = "";
	if (!send_startup(fd, user, database))
		return PROBE_SILENT;
	if (read_until_ready(fd, sqlstate, message))
		return PROBE_READY;
	if (strcmp(sqlstate, "57P03") == 0 || strcmp(sqlstate, "57P01") == 0)
		return PROBE_STARTING;
	if (strcmp(sqlstate, "3D000") == 0)
		return PROBE_NO_DATABASE;
	return *sqlstate ? PROBE_REFUSED : PROBE_SILENT;
}

static void log_out(int fd)
{
	static const unsigned char terminate[5] = {'X', 0, 0, 0, 4};
	send_all(fd, terminate, sizeof(terminate));
	close(fd);
}

enum probe probe_login(const char *socket_path, const char *user, const char *database, char message[200])
{
	message[0] = '\0';
	int fd = connect_to(socket_path);
	if (fd < 0)
		return PROBE_SILENT;
	enum probe found = login(fd, user, database, message);
	log_out(fd);
	return found;
}

bool probe_execute(const char *socket_path, const char *user, const char *database, const char *sql, char message[200])
{
	char sqlstate[6];
	snprintf(message, 200, "no answer");
	int fd = connect_to(socket_path);
	if (fd < 0)
		return false;
	bool ok = login(fd, user, database, message) == PROBE_READY && send_query(fd, sql) &&
	          read_until_ready(fd, sqlstate, message);
	log_out(fd);
	return ok;
}

/* --- who lives there ---------------------------------------------------------- */

/* A server process of PostgreSQL has its cluster as working directory, which
 * tells it from a stranger that was given the same number since. */
static bool lives_in(pid_t pid, const char *cluster_dir)
{
	char path[64], text[4096];
	snprintf(path, sizeof(path), "/proc/%ld/cwd", (long)pid);
	ssize_t n = readlink(path, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	if (strcmp(text, cluster_dir) != 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%ld/comm", (long)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n >= 8 && memcmp(text, "postgres", 8) == 0;
}

struct question {
	pid_t pid; /* 0: anybody */
	const char *cluster_dir;
};

/* Runs as the cluster's user: root without CAP_SYS_PTRACE, as in a container,
 * may not see where the processes of others are. Answers 1 for yes. */
static int ask(const void *arg)
{
	const struct question *q = arg;
	if (q->pid)
		return lives_in(q->pid, q->cluster_dir);
	DIR *proc = opendir("/proc");
	int found = 0;
	for (struct dirent *entry; proc && !found && (entry = readdir(proc)) != NULL;) {
		if (isdigit((unsigned char)entry->d_name[0]))
			found = lives_in((pid_t)strtol(entry->d_name, NULL, 10), q->cluster_dir);
	}
	if (proc)
		closedir(proc);
	return found;
}

pid_t probe_postmaster(const struct account *who, const char *cluster_dir)
{
	char path[4096], line[32] = "";
	if (snprintf(path, sizeof(path), "%s/postmaster.pid", cluster_dir) >= (int)sizeof(path))
		return 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return 0;
	ssize_t n = read(fd, line, sizeof(line) - 1);
	close(fd);
	/* a single-user server writes its number negative */
	struct question q = {n > 0 ? (pid_t)labs(strtol(line, NULL, 10)) : 0, cluster_dir};
	return q.pid > 1 && run_as(who, ask, &q) == 1 ? q.pid : 0;
}

bool probe_inhabited(const struct account *who, const char *cluster_dir)
{
	struct question q = {0, cluster_dir};
	return run_as(who, ask, &q) == 1;
}
