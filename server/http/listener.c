/* Listening: addresses, sockets, and when not to accept. When max_connections is reached or no file descriptor is free,
 * new clients wait in the kernel's queue. Otherwise the loop would spin. */
#include <errno.h>
#include <event2/listener.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/log.h"
#include "server/base/systemd.h"
#include "server/http/conn.h"

enum { ACCEPT_PAUSE_US = 100000, LOG_PAUSE_US = 10000000 };

/* evhttp sets itself as the argument of the listeners. The error callback uses it to find the server here. */
static struct list listening = {&listening, &listening};

/* --- accepting or not ------------------------------------------------------------- */

void listen_update(struct http_server *s)
{
	for (int i = 0; i < s->n_listeners; i++)
		if (s->full || s->accept_paused)
			evconnlistener_disable(s->listeners[i].ev);
		else
			evconnlistener_enable(s->listeners[i].ev);
}

void listen_accept_again(evutil_socket_t fd, short what, void *server)
{
	struct http_server *s = server;

	(void)fd;
	(void)what;
	s->accept_paused = false;
	listen_update(s);
}

void listen_pause(struct http_server *s, int us)
{
	const struct timeval pause = {0, us};

	s->accept_paused = true;
	listen_update(s);
	event_add(s->accept_timer, &pause);
}

static void accept_failed(struct http_server *s, int error)
{
	int64_t now = clock_mono_us();

	if (now - s->accept_logged_us > LOG_PAUSE_US || s->accept_logged_us == 0) {
		s->accept_logged_us = now;
		log_warn("http", "a connection cannot be accepted: %s; %zu connections are open", strerror(error),
		    s->n_connections);
	}
	listen_pause(s, ACCEPT_PAUSE_US);
	conn_make_room(s);
}

static void on_accept_error(struct evconnlistener *ev, void *evhttp)
{
	int error = errno;

	(void)ev;
	list_each(s, &listening, struct http_server, listening)
		if (s->evhttp == evhttp)
			accept_failed(s, error);
}

/* --- sockets ------------------------------------------------------------------------ */

/* Returns -1, as the functions that open a socket do. */
static int listen_fail(char error[256], const char *address, const char *reason)
{
	snprintf(error, 256, "cannot listen on %.120s: %.100s", address, reason);
	return -1;
}

/* Splits "host:port" or "[v6]:port"; false when it is neither. */
static bool split_address(const char *address, char host[128], char port[8])
{
	const char *colon = strrchr(address, ':');
	size_t len = colon ? (size_t)(colon - address) : 0, digits = colon ? strlen(colon + 1) : 0;

	if (len > 1 && address[0] == '[' && colon[-1] == ']') {
		address++;
		len -= 2;
	} else if (memchr(address, ':', len)) {
		return false;
	}
	if (len == 0 || len > 127 || digits == 0 || digits > 5 || strspn(colon + 1, "0123456789") != digits)
		return false;
	snprintf(host, 128, "%.*s", (int)len, address);
	memcpy(port, colon + 1, digits + 1);
	return true;
}

static int open_tcp(const struct http_server *s, const char *address, char error[256])
{
	struct addrinfo hints = {
	    .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct addrinfo *found;
	char host[128], port[8];
	int fd = -1, bad, error_number;

	if (!split_address(address, host, port) || strtoul(port, NULL, 10) > 65535)
		return listen_fail(error, address, "give host:port, [IPv6 address]:port or unix:/path");
	/* The loop may be running when it is tried again, and resolving a name could block it. */
	hints.ai_flags |= s->config.alone ? AI_NUMERICHOST : 0;
	bad = getaddrinfo(host, port, &hints, &found);
	if (bad != 0)
		return listen_fail(error, address, gai_strerror(bad));
	for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next)
		fd = systemd_socket(a->ai_addr, a->ai_addrlen);
	for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next)
		fd = s->config.identity
		         ? share_open(a->ai_addr, a->ai_addrlen, (int)strtoul(port, NULL, 10), s->config.identity)
		         : share_listen(a->ai_family, a->ai_addr, a->ai_addrlen, !s->config.alone);
	error_number = errno;
	if (fd < 0)
		listen_fail(error, address,
		    errno == EADDRINUSE ? "another program serves there, or kith with another database"
		                        : strerror(errno));
	freeaddrinfo(found);
	errno = error_number;
	return fd;
}

/* True when a process accepts connections at this path; a stale socket file is removed. */
static bool unix_path_taken(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	bool refused =
	    fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	return !refused || unlink(address->sun_path) != 0;
}

static int open_unix(struct http_listener *l, const char *address, char error[256])
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	const char *path = address + strlen("unix:");
	struct stat file;
	int fd;

	if (*path == '\0' || strlen(path) >= sizeof name.sun_path)
		return listen_fail(error, address, "the path is empty or too long");
	memcpy(name.sun_path, path, strlen(path) + 1);
	fd = systemd_socket((const struct sockaddr *)&name, sizeof name);
	if (fd < 0 && lstat(path, &file) == 0 && (!S_ISSOCK(file.st_mode) || unix_path_taken(&name))) {
		listen_fail(error, address, strerror(EADDRINUSE));
		errno = EADDRINUSE;
		return -1;
	}
	if (fd < 0)
		fd = share_listen(AF_UNIX, (const struct sockaddr *)&name, sizeof name, false);
	if (fd < 0 || lstat(path, &file) != 0) {
		listen_fail(error, address, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	l->unix_path = mem_dupz(path);
	l->device = file.st_dev;
	l->inode = file.st_ino;
	return fd;
}

static void listen_address(int fd, const char *address, char bound[128])
{
	struct sockaddr_storage real;
	socklen_t len = sizeof real;
	char host[80], port[8];

	if (strncmp(address, "unix:", 5) == 0 || getsockname(fd, (struct sockaddr *)&real, &len) != 0 ||
	    getnameinfo((struct sockaddr *)&real, len, host, sizeof host, port, sizeof port,
	        NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		snprintf(bound, 128, "%.127s", address);
	else
		snprintf(bound, 128, real.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

/* Accepted sockets inherit these options. Without the first, the kernel keeps up to 4 MiB of what a client does not
 * read, for each of thousands of clients. The option does not limit what is on its way to a client that reads. Without
 * the second, the kernel would try for a quarter of an hour to deliver to a client that has disappeared, even after
 * kith closed the socket. */
static void listen_tune(const struct http_server *s, int fd)
{
	int unsent = HTTP_UNSENT_MAX, patience_ms = s->config.reply_ms;

	setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience_ms, sizeof patience_ms);
}

bool http_listen(struct http_server *s, const char *address, char error[256], char bound[128])
{
	struct http_listener *l = &s->listeners[s->n_listeners];
	int fd;

	if (s->n_listeners == CONFIG_LISTEN_MAX || s->stopping)
		return listen_fail(error, address, "too many addresses") >= 0;
	bool on_unix = strncmp(address, "unix:", 5) == 0;
	fd = on_unix ? open_unix(l, address, error) : open_tcp(s, address, error);
	if (fd < 0)
		return false;
	s->on_unix |= on_unix;
	if (!on_unix)
		listen_tune(s, fd);
	l->ev = evconnlistener_new(s->base, NULL, NULL, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
	if (!l->ev) {
		close(fd);
		return listen_fail(error, address, "no memory") >= 0;
	}
	if (bound)
		listen_address(fd, address, bound);
	evconnlistener_set_error_cb(l->ev, on_accept_error);
	l->bound = evhttp_bind_listener(s->evhttp, l->ev);
	if (!l->bound) {
		evconnlistener_free(l->ev);
		return listen_fail(error, address, "no memory") >= 0;
	}
	s->n_listeners++;
	list_remove(&s->listening);
	list_append(&listening, &s->listening);
	listen_update(s);
	return true;
}

/* Removes a socket file if it is still the one that this process made. */
static void remove_unix_path(struct http_listener *l)
{
	struct stat file;

	if (!l->unix_path)
		return;
	if (lstat(l->unix_path, &file) == 0 && file.st_dev == l->device && file.st_ino == l->inode)
		unlink(l->unix_path);
	free(l->unix_path);
	l->unix_path = NULL;
}

void http_hold(struct http_server *s)
{
	systemd_sockets_end();
	for (int i = 0; i < s->n_listeners; i++)
		if (systemd_hold(evconnlistener_get_fd(s->listeners[i].ev))) {
			/* The socket file has to stay, too. */
			free(s->listeners[i].unix_path);
			s->listeners[i].unix_path = NULL;
		}
}

void listen_close_all(struct http_server *s)
{
	for (int i = 0; i < s->n_listeners; i++) {
		evhttp_del_accept_socket(s->evhttp, s->listeners[i].bound);
		remove_unix_path(&s->listeners[i]);
	}
	s->n_listeners = 0;
	list_remove(&s->listening);
	event_del(s->accept_timer);
}
