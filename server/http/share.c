/* Makes listening sockets, and shares a port between processes of the same database. Others must not share it, because
 * the kernel distributes connections among all of them.
 *
 * The first process binds the port without sharing, then allows sharing. A later process finds it in use and asks the
 * process that answers there which database it serves (GET /livez). Then it joins or gives up. Processes do this one at
 * a time per port (share_take_turn()), so no other can join between the answer and the bind. Any local user can hold
 * that turn. This cannot keep a process from a free port, because the first bind needs no turn. All of this blocks, so
 * it is only for the start, before the loop runs. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/embedded/run.h"
#include "server/http/conn.h"

enum { BACKLOG = 4096, TURN_WAIT_MS = 10000, ANSWER_MS = 3000, PAUSE_MS = 20 };

int share_listen(int family, const struct sockaddr *address, socklen_t len, bool shared)
{
	int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1, error;

	if (fd < 0)
		return -1;
	/* Accepted sockets inherit these options. Without TCP_NODELAY the end of a large answer waits for an
	 * acknowledgement. */
	if (family == AF_UNIX || (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
	                             (!shared || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0) &&
	                             setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
	                             setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) == 0))
		if (bind(fd, address, len) == 0 && listen(fd, BACKLOG) == 0)
			return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* --- one at a time -------------------------------------------------------------- */

/* Binds an abstract socket, which this process owns while it is open. Returns -1 when another process holds it for too
 * long. */
static int share_take_turn(int port)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int len = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "kith-listens-%d", port);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
	int64_t end_us = clock_mono_us() + TURN_WAIT_MS * INT64_C(1000);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	while (fd >= 0 && bind(fd, (const struct sockaddr *)&name, size) != 0) {
		if (errno != EADDRINUSE || clock_mono_us() > end_us) {
			close(fd);
			return -1;
		}
		run_pause_ms(PAUSE_MS);
	}
	return fd;
}

/* --- asking ----------------------------------------------------------------------- */

enum share_neighbour { NEIGHBOUR_GONE, NEIGHBOUR_SAME, NEIGHBOUR_OTHER };

static enum share_neighbour ask_on(int fd, const char *identity)
{
	static const char question[] = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
	char answer[4096], wanted[128];
	size_t len = 0;

	if (send(fd, question, sizeof question - 1, MSG_NOSIGNAL) != (ssize_t)sizeof question - 1)
		return NEIGHBOUR_OTHER;
	for (ssize_t n; len < sizeof answer - 1 && (n = recv(fd, answer + len, sizeof answer - 1 - len, 0)) > 0;)
		len += (size_t)n;
	answer[len] = '\0';
	snprintf(wanted, sizeof wanted, "\r\n" SHARE_HEADER ": %s\r\n", identity);
	return strstr(answer, wanted) ? NEIGHBOUR_SAME : len ? NEIGHBOUR_OTHER : NEIGHBOUR_GONE;
}

static enum share_neighbour ask_neighbour(const struct sockaddr *address, socklen_t len, const char *identity)
{
	static const struct timeval limit = {.tv_sec = ANSWER_MS / 1000};
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	enum share_neighbour who = NEIGHBOUR_OTHER;

	if (fd < 0)
		return who;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0) {
		if (connect(fd, address, len) == 0)
			who = ask_on(fd, identity);
		else if (errno == ECONNREFUSED)
			who = NEIGHBOUR_GONE;
	}
	close(fd);
	return who;
}

/* --- opening ------------------------------------------------------------------------ */

int share_open(const struct sockaddr *address, socklen_t len, int port, const char *identity)
{
	int64_t end_us = clock_mono_us() + ANSWER_MS * INT64_C(1000);
	int turn = share_take_turn(port), fd = -1, on = 1, error = EADDRINUSE;

	while (true) {
		fd = share_listen(address->sa_family, address, len, false);
		if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0)
			break;
		error = errno;
		if (fd >= 0)
			close(fd);
		fd = -1;
		if (error != EADDRINUSE || turn < 0 || clock_mono_us() > end_us)
			break;
		enum share_neighbour who = ask_neighbour(address, len, identity);
		if (who == NEIGHBOUR_SAME)
			fd = share_listen(address->sa_family, address, len, true);
		if (who == NEIGHBOUR_OTHER || fd >= 0)
			break;
		run_pause_ms(PAUSE_MS); /* the other process has just ended */
	}
	if (turn >= 0)
		close(turn);
	errno = error;
	return fd;
}
