/* The cost of requests, from the server's log and from /proc. */
#include "test/lib/server/cost.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 8192 };

static struct server_process *server;
static long log_at; /* how far the log has been read */
static long idle_kb;

static void cost_die(const char *what)
{
	fprintf(stderr, "cost: %s\n", what);
	abort();
}

void cost_prepare(void)
{
	const char *options = getenv("ASAN_OPTIONS");
	char more[512];

	snprintf(more, sizeof more, "%s:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=0",
	    options ? options : "");
	setenv("ASAN_OPTIONS", more, 1);
}

static long memory_kb(const char *name)
{
	char path[64], line[256];
	long kb = -1;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", (int)server->pid);
	if (!(f = fopen(path, "r")))
		cost_die(path);
	while (fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0)
			kb = strtol(line + strlen(name), NULL, 10);
	fclose(f);
	return kb;
}

/* Resets the highest resident set. */
static void memory_forget(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/proc/%d/clear_refs", (int)server->pid);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "5", 1) != 1)
		cost_die(path);
	close(fd);
}

/* The longest turn logged since the last call. */
static int64_t longest_turn(void)
{
	static const char told[] = "a turn of ";
	FILE *f = fopen(server->log, "r");
	char *line = malloc(LINE_SIZE);
	int64_t longest = 0;

	if (!f || !line)
		cost_die(server->log);
	fseek(f, log_at, SEEK_SET);
	while (fgets(line, LINE_SIZE, f)) {
		const char *at = strstr(line, told);
		int64_t us = at ? strtoll(at + sizeof told - 1, NULL, 10) : 0;
		longest = us > longest ? us : longest;
	}
	log_at = ftell(f);
	fclose(f);
	free(line);
	return longest;
}

void cost_of(struct server_process *s)
{
	server = s;
	log_at = 0;
	idle_kb = memory_kb("VmRSS:");
}

struct caller_answer cost_send(
    struct caller *c, const char *method, const char *target, const char *once, const char *body, struct cost *cost)
{
	struct caller_answer a;

	longest_turn();
	memory_forget();
	a = caller_send(c, method, target, once, body);
	caller_send(c, "GET", "/livez", NULL, NULL); /* the turn of the answer has ended and is logged */
	cost->turn_us = longest_turn();
	cost->memory_kb = memory_kb("VmHWM:") - idle_kb;
	return a;
}
