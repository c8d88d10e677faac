#include "test/lib/server/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/server/child.h"

enum { OUTPUT_MAX = 16 << 20, COMMAND_TIMEOUT_MS = 60000 };

/* "NAME=value" */
static char *config_setting(const char *name, const char *value)
{
	size_t size = strlen(name) + strlen(value) + 2;
	char *text = mem_alloc(size);

	snprintf(text, size, "%s=%s", name, value);
	return text;
}

pid_t command_start(const struct program *p, const char *const argv[], int out_fd, int err_fd)
{
	const char *args[COMMAND_ARGS_MAX + 2] = {p->path};
	char *own[] = {config_setting("KITH_DATA_DIR", p->data_dir),
	    p->database_url ? config_setting("KITH_DATABASE_URL", p->database_url) : NULL, NULL};
	char **environment = child_environment("KITH_", own);
	int n = 1;

	for (; argv[n - 1]; n++) {
		if (n > COMMAND_ARGS_MAX) {
			fprintf(stderr, "kith %s: too many arguments\n", argv[0]);
			exit(1);
		}
		args[n] = argv[n - 1];
	}
	pid_t child = child_start(&(struct child){
	    .argv = args, .environment = environment, .out = out_fd, .err = err_fd, .ends_with_us = true});
	free(environment);
	free(own[0]);
	free(own[1]);
	return child;
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
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	pid_t child = command_start(p, argv, fds[1], -1);
	close(fds[1]);
	buf_init(&text, OUTPUT_MAX);
	read_all(fds[0], &text, child);
	close(fds[0]);
	*out = text.len ? arena_dup(a, text.data, text.len) : "";
	buf_free(&text);
	return child_wait(child);
}

struct json *command_json(const struct program *p, struct arena *a, const char *const argv[])
{
	const char *out, *error = "it is not an object";
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

const char *command_binary(void)
{
	const char *path = getenv("KITH_BIN");

	return path ? path : "build/san/kith";
}
