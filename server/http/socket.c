/* Making a listening socket. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/http/conn.h"

enum { BACKLOG = 4096 };

int socket_listen(int family, const struct sockaddr *address, socklen_t len, bool shared)
{
	int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1, error;

	if (fd < 0)
		return -1;
	/* Accepted sockets inherit these. Without TCP_NODELAY the end of a large answer waits for an
	 * acknowledgement. */
	if (family == AF_UNIX || (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
	                             (!shared || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) == 0) &&
	                             setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0 &&
	                             setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on)) == 0))
		if (bind(fd, address, len) == 0 && listen(fd, BACKLOG) == 0)
			return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}
