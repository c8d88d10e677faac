#include "server/base/systemd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/base/text.h"

enum { PASSED_FIRST = 3, PASSED_MAX = 16, NAME_SIZE = 80, IDENTITY_LEN = 64, BARRIER_S = 5 };

static struct {
	struct sockaddr_un to;
	socklen_t to_len; /* 0: systemd wants no messages */
	int watchdog_ms;
	struct {
		int fd; /* -1: taken by a caller, or forgotten */
		char name[NAME_SIZE];
	} passed[PASSED_MAX];
	int n_passed;
	char identity[IDENTITY_LEN + 1];
} systemd;

/* --- the environment ------------------------------------------------------------------- */

/* Returns a variable's number, at most INT_MAX; 0 when the variable is not set or is not a number. */
static int env_number(const char *name)
{
	const char *text = getenv(name);
	uint64_t number = 0;

	if (!text || !text_uint(text, strlen(text), &number))
		number = 0;
	return number < INT_MAX ? (int)number : INT_MAX;
}

/* Reads the socket's address: a path, or with '@' an address in Linux's abstract namespace. */
static void env_address(void)
{
	const char *text = getenv("NOTIFY_SOCKET");
	size_t len = text ? strlen(text) : 0;

	if (len > 1 && len < sizeof systemd.to.sun_path && (text[0] == '/' || text[0] == '@')) {
		systemd.to.sun_family = AF_UNIX;
		memcpy(systemd.to.sun_path, text, len + 1);
		systemd.to_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
		if (text[0] == '@')
			systemd.to.sun_path[0] = '\0';
	}
}

/* Sets the options also on sockets of a .socket unit, which have other options by default. */
static void passed_set_options(int fd)
{
	struct sockaddr_storage at;
	socklen_t len = sizeof at;
	int on = 1;

	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	if (getsockname(fd, (struct sockaddr *)&at, &len) == 0 && at.ss_family != AF_UNIX) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	}
}

/* Names are separated by colons. */
static void env_sockets(int n)
{
	const char *name = getenv("LISTEN_FDNAMES");

	systemd.n_passed = n < PASSED_MAX ? n : PASSED_MAX;
	for (int i = 0; i < systemd.n_passed; i++) {
		size_t len = name ? strcspn(name, ":") : 0;
		systemd.passed[i].fd = PASSED_FIRST + i;
		snprintf(systemd.passed[i].name, NAME_SIZE, "%.*s", (int)len, name ? name : "");
		name = name && name[len] ? name + len + 1 : NULL;
		passed_set_options(PASSED_FIRST + i);
	}
}

void systemd_take(void)
{
	const char *watchdog_pid = getenv("WATCHDOG_PID");
	bool watched = !watchdog_pid || env_number("WATCHDOG_PID") == getpid();
	bool ours = env_number("LISTEN_PID") == getpid();
	int usec = env_number("WATCHDOG_USEC"), n = env_number("LISTEN_FDS");

	env_address();
	/* kith reports twice in the time that systemd allows. */
	systemd.watchdog_ms = watched ? usec / 2000 : 0;
	env_sockets(ours ? n : 0);
}

int systemd_watchdog_ms(void)
{
	return systemd.to_len ? systemd.watchdog_ms : 0;
}

/* --- messages ---------------------------------------------------------------------------- */

/* held: a descriptor to send along, or -1. */
static void systemd_send(const char *text, int held)
{
	struct iovec io = {(char *)(uintptr_t)text, strlen(text)};

	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct msghdr m = {.msg_name = &systemd.to, .msg_namelen = systemd.to_len, .msg_iov = &io, .msg_iovlen = 1};
	int fd;

	if (systemd.to_len == 0 || (fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) < 0)
		return;
	if (held >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof control;
		control.head = (struct cmsghdr){
		    .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
		memcpy(CMSG_DATA(&control.head), &held, sizeof held);
	}
	/* When systemd's queue is full, sending waits at most a second, because the message may be the one that reports
	 * the start. */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){.tv_sec = 1}, sizeof(struct timeval));
	while (sendmsg(fd, &m, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
	close(fd);
}

void systemd_say(const char *text)
{
	systemd_send(text, -1);
}

/* --- sockets -------------------------------------------------------------------------------- */

static void passed_forget(int i)
{
	char text[NAME_SIZE + 40];

	if (systemd.passed[i].fd < 0)
		return;
	close(systemd.passed[i].fd);
	systemd.passed[i].fd = -1;
	snprintf(text, sizeof text, "FDSTOREREMOVE=1\nFDNAME=%s", systemd.passed[i].name);
	systemd_send(text, -1);
}

/* Waits until systemd has processed the messages so far, which closes the descriptor that was sent (sd_notify(3),
 * BARRIER). It gives up after a while. */
static void systemd_await(void)
{
	int ends[2];
	char nothing;

	if (systemd.to_len == 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return;
	systemd_send("BARRIER=1", ends[1]);
	close(ends[1]);
	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = BARRIER_S}, sizeof(struct timeval));
	while (recv(ends[0], &nothing, 1, 0) < 0 && errno == EINTR)
		;
	close(ends[0]);
}

/* True for names of held sockets. The names of a .socket unit's sockets are shorter. */
static bool is_identity(const char *name)
{
	return strlen(name) == IDENTITY_LEN && strspn(name, "0123456789abcdef") == IDENTITY_LEN;
}

void systemd_sockets_begin(const char *identity)
{
	bool forgotten = false;

	snprintf(systemd.identity, sizeof systemd.identity, "%s", identity);
	for (int i = 0; i < systemd.n_passed; i++)
		if (is_identity(systemd.passed[i].name) && strcmp(systemd.passed[i].name, identity) != 0) {
			passed_forget(i);
			forgotten = true;
		}
	/* The address is in use until the forgotten sockets are closed. */
	if (forgotten)
		systemd_await();
}

/* True when the socket listens at that address. A socket whose file was removed cannot be reached. */
static bool passed_is_at(int fd, const struct sockaddr *address, socklen_t len)
{
	struct sockaddr_storage at = {0};
	socklen_t at_len = sizeof at, listens_len = sizeof(int);
	int listens = 0;

	if (getsockname(fd, (struct sockaddr *)&at, &at_len) != 0 || at.ss_family != address->sa_family ||
	    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &listens_len) != 0 || !listens)
		return false;
	if (at.ss_family == AF_UNIX) {
		const struct sockaddr_un *a = (const struct sockaddr_un *)&at, *b = (const struct sockaddr_un *)address;
		return strcmp(a->sun_path, b->sun_path) == 0 && access(b->sun_path, F_OK) == 0;
	}
	return at_len == len && memcmp(&at, address, len) == 0;
}

int systemd_socket(const struct sockaddr *address, socklen_t len)
{
	for (int i = 0; i < systemd.n_passed; i++) {
		int fd = systemd.passed[i].fd;
		if (fd < 0 || !passed_is_at(fd, address, len))
			continue;
		systemd.passed[i].fd = -1;
		return fd;
	}
	return -1;
}

void systemd_sockets_end(void)
{
	for (int i = 0; i < systemd.n_passed; i++)
		passed_forget(i);
}

bool systemd_hold(int fd)
{
	char text[NAME_SIZE + 40];

	if (systemd.to_len == 0)
		return false;
	snprintf(text, sizeof text, "FDSTORE=1\nFDNAME=%s", systemd.identity);
	systemd_send(text, fd);
	return true;
}

void systemd_let_go(void)
{
	char text[NAME_SIZE + 40];

	systemd_sockets_end();
	if (!*systemd.identity)
		return;
	snprintf(text, sizeof text, "FDSTOREREMOVE=1\nFDNAME=%s", systemd.identity);
	systemd_send(text, -1);
}
