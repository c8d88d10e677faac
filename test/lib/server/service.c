/* See service.h. */
#include "test/lib/server/service.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/server/child.h"

enum { WAIT_MS = 60000, MESSAGE_MAX = 4096, POLL_MS = 5 };

static void service_fail(const struct service *s, const char *what)
{
	char text[4000];
	FILE *f = fopen(s->log, "r");

	fprintf(stderr, "the service: %s; its log:\n", what);
	for (size_t n; f && (n = fread(text, 1, sizeof text, f)) > 0;)
		fwrite(text, 1, n, stderr);
	exit(1);
}

void service_open(struct service *s, const struct program *p, bool in_namespace, int watchdog_ms)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	char directory[DIRECTORY_SIZE];
	int on = 1;

	*s = (struct service){.program = p, .watchdog_ms = watchdog_ms};
	if (!directory_make("service", directory))
		service_fail(s, "no directory");
	snprintf(s->told_at, sizeof s->told_at, "%s%s/told", in_namespace ? "@" : "", directory);
	snprintf(s->log, sizeof s->log, "%s/log", directory);
	memcpy(at.sun_path, s->told_at, strlen(s->told_at));
	if (in_namespace)
		at.sun_path[0] = '\0';
	s->told = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (s->told < 0 || setsockopt(s->told, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0 ||
	    bind(s->told, (struct sockaddr *)&at,
	        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(s->told_at))) != 0)
		service_fail(s, "no socket to be told at");
}

static void socket_forget(struct service *s, int i)
{
	close(s->held[i].fd);
	s->held[i] = s->held[--s->n_held];
}

void service_close(struct service *s)
{
	if (s->pid > 0) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, NULL, 0);
	}
	while (s->n_held > 0)
		socket_forget(s, 0);
	close(s->told);
}

int service_add_socket(struct service *s, const char *name)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct service_socket *new = &s->held[s->n_held++];
	socklen_t len = sizeof at;

	new->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(new->name, sizeof new->name, "%s", name);
	if (bind(new->fd, (struct sockaddr *)&at, len) != 0 || listen(new->fd, 100) != 0 ||
	    getsockname(new->fd, (struct sockaddr *)&at, &len) != 0)
		service_fail(s, "no socket to pass");
	return ntohs(at.sin_port);
}

/* --- starting ---------------------------------------------------------------------------- */

/* Only the process itself can know LISTEN_PID. */
static const char starting[] = "LISTEN_PID=$$ WATCHDOG_PID=$$ exec \"$0\" serve \"$@\"";

void service_start(struct service *s, const char *const settings[])
{
	char told_at[sizeof s->told_at + 16], count[32], watchdog[48], url[1100], directory[600],
	    names[SERVICE_SOCKETS_MAX * SERVICE_NAME_SIZE] = "LISTEN_FDNAMES=";
	const char *argv[COMMAND_ARGS_MAX] = {"/bin/sh", "-c", starting, s->program->path};
	int passed[SERVICE_SOCKETS_MAX], n = 4;
	char *more[] = {told_at, count, names, directory, watchdog, url, NULL}, **environment;

	for (int i = 0; settings[i]; i++)
		argv[n++] = settings[i];
	for (int i = 0; i < s->n_held; i++) {
		passed[i] = s->held[i].fd;
		snprintf(names + strlen(names), SERVICE_NAME_SIZE + 1, "%s%s", i > 0 ? ":" : "", s->held[i].name);
	}
	snprintf(told_at, sizeof told_at, "NOTIFY_SOCKET=%s", s->told_at);
	snprintf(count, sizeof count, "LISTEN_FDS=%d", s->n_held);
	snprintf(watchdog, sizeof watchdog, "WATCHDOG_USEC=%d", s->watchdog_ms * 1000);
	snprintf(directory, sizeof directory, "KITH_DATA_DIR=%s", s->program->data_dir);
	if (s->program->database_url)
		snprintf(url, sizeof url, "KITH_DATABASE_URL=%s", s->program->database_url);
	else
		more[5] = NULL;
	environment = child_environment("KITH_", more);
	int log = open(s->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	s->pid = child_start(&(struct child){.argv = argv,
	    .environment = environment,
	    .err = log,
	    .passed = passed,
	    .n_passed = s->n_held,
	    .ends_with_us = true});
	close(log);
	free(environment);
}

/* --- what it says ---------------------------------------------------------------------------- */

static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (strncmp(at, line, len) == 0 && (at[len] == '\n' || at[len] == '\0'))
			return true;
	return false;
}

static bool is_same_socket(int a, int b)
{
	struct sockaddr_storage of_a = {0}, of_b = {0};
	socklen_t len_a = sizeof of_a, len_b = sizeof of_b;

	return getsockname(a, (struct sockaddr *)&of_a, &len_a) == 0 &&
	       getsockname(b, (struct sockaddr *)&of_b, &len_b) == 0 && len_a == len_b &&
	       memcmp(&of_a, &of_b, len_a) == 0;
}

static void socket_hold(struct service *s, int fd, const char *name)
{
	for (int i = 0; i < s->n_held; i++)
		if (is_same_socket(s->held[i].fd, fd)) {
			close(fd);
			return;
		}
	if (s->n_held == SERVICE_SOCKETS_MAX)
		service_fail(s, "too many sockets to hold");
	s->held[s->n_held].fd = fd;
	snprintf(s->held[s->n_held++].name, SERVICE_NAME_SIZE, "%s", name);
}

static void socket_let_go(struct service *s, const char *name)
{
	for (int i = s->n_held - 1; i >= 0; i--)
		if (strcmp(s->held[i].name, name) == 0)
			socket_forget(s, i);
}

static void service_obey(struct service *s, const char *text, int fd)
{
	const char *at = strstr(text, "FDNAME=");
	char name[SERVICE_NAME_SIZE] = "";

	if (at)
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 7, "\n"), at + 7);
	if (has_line(text, "FDSTORE=1") && fd >= 0)
		socket_hold(s, fd, name);
	else if (has_line(text, "FDSTOREREMOVE=1") && s->late)
		memcpy(s->let_go, name, sizeof name);
	else if (has_line(text, "FDSTOREREMOVE=1"))
		socket_let_go(s, name);
	if (has_line(text, "BARRIER=1") && fd >= 0) {
		if (s->late)
			socket_let_go(s, s->let_go);
		close(fd);
	}
}

/* Reads one message, if there is one within POLL_MS. */
static bool service_hear(struct service *s, char text[MESSAGE_MAX])
{
	char space[256];
	struct iovec io = {text, MESSAGE_MAX - 1};
	struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
	struct pollfd p = {.fd = s->told, .events = POLLIN};
	struct ucred from = {0};
	int fd = -1;

	if (poll(&p, 1, POLL_MS) <= 0)
		return false;
	ssize_t len = recvmsg(s->told, &m, MSG_CMSG_CLOEXEC);
	text[len > 0 ? len : 0] = '\0';
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
		if (c->cmsg_type == SCM_CREDENTIALS)
			memcpy(&from, CMSG_DATA(c), sizeof from);
		if (c->cmsg_type == SCM_RIGHTS)
			memcpy(&fd, CMSG_DATA(c), sizeof fd);
	}
	if (from.pid != s->pid)
		service_fail(s, "another process than its own has told something");
	service_obey(s, text, fd);
	return true;
}

void service_await(struct service *s, const char *line)
{
	int64_t end_us = clock_mono_us() + WAIT_MS * INT64_C(1000);
	char text[MESSAGE_MAX];

	while (clock_mono_us() < end_us) {
		if (service_hear(s, text) && has_line(text, line))
			return;
		if (waitpid(s->pid, NULL, WNOHANG) == s->pid) {
			s->pid = 0;
			break;
		}
	}
	service_fail(s, line);
}

int service_end(struct service *s)
{
	int64_t end_us = clock_mono_us() + WAIT_MS * INT64_C(1000);
	char text[MESSAGE_MAX];
	int status = 0;

	while (waitpid(s->pid, &status, WNOHANG) == 0) {
		if (clock_mono_us() > end_us)
			service_fail(s, "does not end");
		service_hear(s, text);
	}
	while (service_hear(s, text))
		;
	s->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int service_stop(struct service *s)
{
	kill(s->pid, SIGTERM);
	return service_end(s);
}
