#include "test/lib/server/kith_server.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/http/client.h"
#include "test/lib/patience.h"

/* STOP_MS: a server and its own cluster may take 25 and 30 s on purpose. */
enum { READY_MS = 60000, STOP_MS = 90000, POLL_MS = 10, LOG_MAX = 64 << 20, LOG_SHOWN = 4000 };

/* The last one: work for all workspaces was done for one. */
static const char *const reports[] = {"AddressSanitizer", "LeakSanitizer", "runtime error:", "ThreadSanitizer",
    "MemorySanitizer", "UndefinedBehaviorSanitizer", "cannot read all workspaces"};

static char *read_file(const char *path)
{
	struct buf text;
	FILE *f = fopen(path, "r");

	buf_init(&text, LOG_MAX);
	buf_add(&text, "", 0);
	for (int c; f && (c = getc(f)) != EOF;)
		buf_addc(&text, (char)c);
	if (f)
		fclose(f);
	char *out = buf_take(&text, NULL);
	return out ? out : mem_dupz("");
}

static void print_end(const char *text)
{
	size_t len = strlen(text);

	fprintf(stderr, "--- the server's log ends with:\n%s\n---\n", len > LOG_SHOWN ? text + len - LOG_SHOWN : text);
}

/* Finds {"component":"serve","message":"listening on 127.0.0.1:PORT"} in the log. */
static bool find_address(struct server_process *s)
{
	static const char listening[] = "listening on 127.0.0.1:";
	char *text = read_file(s->log);
	bool found = false;
	struct arena a;

	arena_init(&a);
	for (char *line = text, *end; !found && (end = strchr(line, '\n')); line = end + 1) {
		const char *error;
		struct json *entry = json_read(&a, line, (size_t)(end - line), &error);
		struct json *component = entry ? json_member(entry, "component") : NULL;
		struct json *message = entry ? json_member(entry, "message") : NULL;
		if (!component || !message || component->type != JSON_STRING || message->type != JSON_STRING)
			continue;
		found = strcmp(component->text, "serve") == 0 &&
		        strncmp(message->text, listening, sizeof(listening) - 1) == 0;
		if (found)
			snprintf(s->base, sizeof(s->base), "http://%s", message->text + strlen("listening on "));
	}
	arena_free(&a);
	free(text);
	return found;
}

static bool is_ready(struct server_process *s)
{
	struct client_request request = {.method = "GET", .target = "/readyz"};
	struct client_reply reply;
	char error[256];
	struct arena a;

	struct client *c = client_new(s->base);
	arena_init(&a);
	bool ready = client_send(c, &a, &request, &reply, error) && reply.status == 200;
	arena_free(&a);
	client_free(c);
	return ready;
}

bool server_alive(struct server_process *s)
{
	int status;

	if (s->pid > 0 && waitpid(s->pid, &status, WNOHANG) == s->pid)
		s->pid = -1;
	return s->pid > 0;
}

static void await_ready(struct server_process *s)
{
	int64_t end_us = clock_mono_us() + READY_MS * INT64_C(1000);
	bool known = false;

	while (clock_mono_us() < end_us && server_alive(s)) {
		known = known || find_address(s);
		if (known && is_ready(s))
			return;
		patience_rest(POLL_MS);
	}
	fprintf(stderr, s->pid > 0 ? "kith serve: not ready in time\n" : "kith serve: ended at once\n");
	char *text = read_file(s->log);
	print_end(text);
	free(text);
	server_stop(s);
	exit(1);
}

struct server_process *server_start(const struct program *p, const char *const settings[])
{
	struct server_process *s = mem_zalloc(sizeof(*s));
	const char *argv[COMMAND_ARGS_MAX + 1] = {"serve", "--listen", "127.0.0.1:0"};
	char *made[SERVER_SETTINGS_MAX] = {0};
	int n = 3;
	static int count;
	char path[512];

	for (int i = 0; settings[i] && i < SERVER_SETTINGS_MAX; i++) {
		size_t size = strlen(settings[i]) + 3;
		made[i] = mem_alloc(size);
		snprintf(made[i], size, "--%s", settings[i]);
		argv[n++] = made[i];
	}
	const char *logs = getenv("KITH_TEST_LOGS");
	snprintf(
	    path, sizeof(path), "%s/serve-%ld-%d.log", logs && *logs ? logs : p->data_dir, (long)getpid(), ++count);
	s->log = mem_dupz(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	s->pid = command_start(p, argv, fd, fd);
	if (fd >= 0)
		close(fd);
	for (int i = 0; i < SERVER_SETTINGS_MAX; i++)
		free(made[i]);
	await_ready(s);
	return s;
}

static bool await_end(pid_t pid, int *status)
{
	int64_t end_us = clock_mono_us() + STOP_MS * INT64_C(1000);

	while (clock_mono_us() < end_us) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		patience_rest(POLL_MS);
	}
	kill(pid, SIGKILL);
	waitpid(pid, status, 0);
	return false;
}

/* Checks its log, frees. */
static bool server_judge(struct server_process *s, bool ok)
{
	char *text = read_file(s->log);
	for (size_t i = 0; i < sizeof(reports) / sizeof(*reports); i++)
		if (strstr(text, reports[i])) {
			fprintf(stderr, "kith serve: its log holds a report: %s\n", reports[i]);
			ok = false;
			break;
		}
	if (!ok)
		print_end(text);
	free(text);
	free(s->log);
	free(s);
	return ok;
}

bool server_stop(struct server_process *s)
{
	bool ok = server_alive(s);
	int status = 0;

	if (!ok) {
		fprintf(stderr, "kith serve: it had ended before it was told to\n");
	} else {
		ok = !s->ends || s->ends(s->ctx, s, false);
		kill(s->pid, SIGTERM);
		if (!await_end(s->pid, &status)) {
			ok = false;
			fprintf(stderr, "kith serve: did not end within %d s of SIGTERM\n", STOP_MS / 1000);
		} else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
			ok = false;
			fprintf(stderr, "kith serve: ended with %s %d\n", WIFEXITED(status) ? "exit code" : "signal",
			    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
		}
	}
	return server_judge(s, ok);
}

bool server_kill(struct server_process *s)
{
	int status;

	if (server_alive(s)) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, &status, 0);
	}
	if (s->ends)
		(void)s->ends(s->ctx, s, true);
	return server_judge(s, true);
}

bool server_log_has(const struct server_process *s, const char *text)
{
	char line[4096];
	bool found = false;
	FILE *f = fopen(s->log, "r");

	while (f && !found && fgets(line, sizeof line, f))
		found = strstr(line, text) != NULL;
	if (f)
		fclose(f);
	return found;
}

int64_t server_resident(const struct server_process *s)
{
	char path[64], line[128] = "";
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/statm", (int)s->pid);
	f = fopen(path, "r");
	if (!f || !fgets(line, sizeof line, f)) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(1);
	}
	fclose(f);
	return strtol(line + strcspn(line, " "), NULL, 10) * sysconf(_SC_PAGESIZE);
}
