/* See raw.h. */
#include "test/lib/http/raw.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int raw_open(const char *base)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	at.sin_port = htons((uint16_t)strtol(strrchr(base, ':') + 1, NULL, 10));
	if (fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool raw_send(int fd, const char *method, const char *target, const char *key, const char *once, const char *body)
{
	char head[2048];
	size_t body_len = body ? strlen(body) : 0;
	int len = snprintf(head, sizeof head,
	    "%s %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n%s%s%sContent-Length: %zu\r\n\r\n", method,
	    target, key, once ? "Idempotency-Key: " : "", once ? once : "", once ? "\r\n" : "", body_len);

	return len < (int)sizeof head && send(fd, head, (size_t)len, MSG_NOSIGNAL | (body_len ? MSG_MORE : 0)) == len &&
	       (body_len == 0 || send(fd, body, body_len, MSG_NOSIGNAL) == (ssize_t)body_len);
}

int raw_status(int fd)
{
	char text[16] = "";
	ssize_t n = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return n < 13 ? -1 : (int)strtol(text + 9, NULL, 10);
}

void raw_reset(int fd)
{
	struct linger reset = {1, 0};

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
	close(fd);
}
