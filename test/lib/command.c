#include "test/lib/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/clock.h"

enum { OUTPUT_MAX = 16 << 20, COMMAND_TIMEOUT_MS = 60000 };

extern char **environ;

static void set_environment(const struct program *p)
{
	char name[256];

	for (size_t i = 0; environ[i];) {
		const char *equals = strchr(environ[i], '=');
		if (strncmp(environ[i], "KITH_", 5) != 0 || !equals || equals - environ[i] >= (long)sizeof(name)) {
			i++;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)(equals - environ[i]), environ[i]);
		unsetenv(name);
	}
	if (p->database_url)
		setenv("KITH_DATABASE_URL", p->database_url, 1);
	setenv("KITH_DATA_DIR", p->data_dir, 1);
}

pid_t command_start(const struct program *p, const char *const argv[], int out_fd, int err_fd)
{
	char *args[COMMAND_ARGS_MAX + 2] = {(char *)p->path};
	int n = 1;

	for (; argv[n - 1]; n++) {
		if (n > COMMAND_ARGS_MAX)
			return -1;
		args[n] = (char *)argv[n - 1];
	}
	pid_t child = fork();
	if (child != 0)
		return child;
	if (out_fd >= 0)
		dup2(out_fd, STDOUT_FILENO);
	if (err_fd >= 0)
		dup2(err_fd, STDERR_FILENO);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	set_environment(p);
	execv(p->path, args);
	fprintf(stderr, "%s: %s\n", p->path, strerror(errno));
	_exit(127);
}

static void read_all(int fd, struct buf *out, pid_t child)
{
	int64_t end_us = clock_mono_us() + COMMAND_TIMEOUT_MS * INT64_C(1000);
	char chunk[4096];

	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int64_t left_ms = (end_us - clock_mono_us()) / 1000;
		if (left_ms <= 0 || poll(&p, 1, (int)left_ms) == 0) {
			kill(child, SIGKILL);
			return;
		}
		ssize_t n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		buf_add(out, chunk, (size_t)n);
	}
}

int command_run(const struct program *p, struct arena *a, const char *const argv[], const char **out)
{
	struct buf text;
	int fds[2], status = 0;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	pid_t child = command_start(p, argv, fds[1], -1);
	close(fds[1]);
	buf_init(&text, OUTPUT_MAX);
	if (child > 0)
		read_all(fds[0], &text, child);
	close(fds[0]);
	*out = text.len ? arena_dup(a, text.data, text.len) : "";
	buf_free(&text);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct json *command_json(const struct program *p, struct arena *a, const char *const argv[])
{
	const char *out, *error = "it is no object";
	int code = command_run(p, a, argv, &out);

	struct json *object = json_read(a, out, strcspn(out, "\n"), &error);
	if (code == 0 && object && object->type == JSON_OBJECT)
		return object;
	fprintf(stderr, "kith %s %s: exit code %d, output not one JSON object (%s): %.200s\n", argv[0],
	    argv[1] ? argv[1] : "", code, error ? error : "", out);
	exit(1);
}

const char *command_text(const struct json *object, const char *key)
{
	const struct json *value = json_member(object, key);

	if (value && value->type == JSON_STRING)
		return value->text;
	fprintf(stderr, "a command's output has no text \"%s\"\n", key);
	exit(1);
}
