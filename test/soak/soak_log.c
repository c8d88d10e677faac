/* See soak_log.h. */
#include "test/soak/soak_log.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "test/soak/soak.h"

enum { LINE_MAX_LEN = 64 << 10, SHOWN = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct watched_log {
	FILE *file;
	char *line; /* the last one, which may not be complete yet */
	size_t len;
} logs[SOAK_SIDES];
static long long n_lines, n_unavailable, n_failed, n_errors, n_warnings, n_shown;

/* The text or number after "key": in a line, "" without. */
static void log_member(const char *line, const char *key, char out[160])
{
	char with[32];
	int len = snprintf(with, sizeof with, "\"%s\":", key);
	const char *at = strstr(line, with);

	*out = '\0';
	if (!at)
		return;
	at += len;
	at += *at == '"';
	snprintf(out, 160, "%.*s", (int)strcspn(at, "\",}"), at);
}

/* Not with a message as a whole: it may hold quotation marks. */
static void log_judge(const char *line)
{
	char at[160], level[160], status[160], component[160];
	int64_t ms = 0;

	log_member(line, "time", at);
	log_member(line, "level", level);
	log_member(line, "status", status);
	log_member(line, "component", component);
	if (!time_parse(at, strlen(at), &ms)) {
		finding_add("log", "a line without a time: %.300s", line);
		return;
	}
	bool outage = outage_between(ms, ms);
	n_lines++;
	if (!*component && strcmp(status, "503") == 0)
		n_unavailable++;
	else if (!*component && *status == '5')
		n_failed++;
	if (!*component && *status == '5' && !outage)
		finding_add("log: 5xx", "%.400s", line);
	n_errors += strcmp(level, "error") == 0;
	n_warnings += strcmp(level, "warn") == 0;
	if (strcmp(level, "error") == 0 && !outage)
		finding_add("log: errors", "%.400s", line);
	/* With the scaled clock the feed is said to be held by every transaction. */
	if (strcmp(level, "warn") == 0 && !outage && strcmp(component, "events") != 0 && n_shown++ < SHOWN)
		fprintf(stderr, "soak: warning: %.300s\n", line);
}

static void log_advance(struct watched_log *l)
{
	int c;

	if (!l->file)
		return;
	clearerr(l->file);
	while ((c = getc(l->file)) != EOF) {
		if (c != '\n' && l->len < LINE_MAX_LEN - 1) {
			l->line[l->len++] = (char)c;
		} else if (c == '\n') {
			l->line[l->len] = '\0';
			if (l->len)
				log_judge(l->line);
			l->len = 0;
		}
	}
}

void log_watch(int server, const char *path)
{
	struct watched_log *l = &logs[server];

	pthread_mutex_lock(&lock);
	log_advance(l);
	if (l->file)
		fclose(l->file);
	l->file = path ? fopen(path, "r") : NULL;
	l->line = l->line ? l->line : mem_alloc(LINE_MAX_LEN);
	l->len = 0;
	pthread_mutex_unlock(&lock);
}

void log_read_on(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < SOAK_SIDES; i++)
		log_advance(&logs[i]);
	pthread_mutex_unlock(&lock);
}

void log_print(void)
{
	printf("soak: logs: %lld lines, %lld of a 503 and %lld of another 5xx, %lld errors, %lld warnings\n", n_lines,
	    n_unavailable, n_failed, n_errors, n_warnings);
}
