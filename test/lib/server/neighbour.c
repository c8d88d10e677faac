/* See neighbour.h. */
#include "test/lib/server/neighbour.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/base/clock.h"
#include "server/base/id.h"
#include "test/lib/http/caller.h"
#include "test/lib/patience.h"
#include "test/lib/webhook/hooked.h"

/* Between two turns; how many must succeed in a row before it rests, so that a server worked for both for a while; for
 * what is still to come; how late a reminder may be before it is missed. */
enum { PAUSE_MS = 80, TURNS_MIN = 30, WAIT_MS = 60000, LATE_MS = 1000 };

/* Something that its receiver must get: an updated person, or a reminder that falls due then. */
struct awaited {
	char id[ID_SIZE];
	int64_t from_us;
};

struct neighbour {
	struct test_user user;
	struct caller caller;
	struct receiver *receiver;
	struct awaited *awaited;
	int n_awaited, cap_awaited;
	int looked; /* requests of the receiver already examined */
	pthread_t thread;
	bool started;
	pthread_mutex_t lock; /* protects the following */
	pthread_cond_t changed;
	enum { RESTING, BUSY, ENDING } wanted;
	bool idle;
	int turns;
	char base[sizeof((struct server_process *)0)->base];
};

static void neighbour_must(bool good, const char *what)
{
	if (!good) {
		fprintf(stderr, "the neighbour: %s\n", what);
		exit(1);
	}
}

/* --- what it does ------------------------------------------------------------------------------------ */

/* Servers and databases may fail, but the requests are valid. */
static struct caller_answer neighbour_ask(struct neighbour *n, const char *method, const char *target, const char *body)
{
	struct caller_answer a = caller_send(&n->caller, method, target, NULL, body);

	neighbour_must(a.status < 400 || a.status >= 500 || a.status == 429, a.reply.body);
	return a;
}

static void neighbour_await(struct neighbour *n, const char *id, int64_t from_us)
{
	if (n->n_awaited == n->cap_awaited) {
		n->cap_awaited = n->cap_awaited ? 2 * n->cap_awaited : 64;
		n->awaited = mem_realloc(n->awaited, (size_t)n->cap_awaited * sizeof *n->awaited);
	}
	struct awaited *a = &n->awaited[n->n_awaited++];
	snprintf(a->id, sizeof a->id, "%s", id);
	a->from_us = from_us;
}

static void add_reminder(struct neighbour *n, const char *person)
{
	time_t at = time(NULL) + 1;
	char text[40];
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(text, sizeof text, "%Y%m%dT%H%M%S", &tm);
	struct caller_answer a = neighbour_ask(n, "POST", "/v1/reminders",
	    arena_printf(&n->caller.arena,
	        "{\"entity\":{\"id\":\"%s\"},\"name\":\"" NEIGHBOUR_NAME
	        "\",\"visibility\":\"public\",\"assignedUsers\":[{\"id\":\"%s\"}],\"recurrenceRule\":"
	        "\"DTSTART;TZID=UTC:%s\\nRRULE:FREQ=DAILY;COUNT=1\"}",
	        person, n->user.id, text));
	/* A reminder made too late has no next time. */
	if (a.status == 200 && !strstr(a.reply.body, "\"nextTriggerTime\":null"))
		neighbour_await(n, a.id, clock_mono_us() + (1000 + LATE_MS) * 1000);
}

static void come_and_go(struct neighbour *n)
{
	struct caller_answer group =
	    neighbour_ask(n, "POST", "/v1/groups", "{\"name\":\"" NEIGHBOUR_NAME "\",\"visibility\":\"public\"}");

	if (group.status == 200)
		neighbour_ask(n, "DELETE", arena_printf(&n->caller.arena, "/v1/groups/%s", group.id), NULL);
}

/* It only sees its own data: every value after that text has its name. */
static void neighbour_look(struct neighbour *n, const char *target, const char *behind)
{
	struct caller_answer a = neighbour_ask(n, "GET", target, NULL);

	for (const char *at = a.status == 200 ? a.reply.body : ""; (at = strstr(at, behind)) != NULL; at++)
		if (strncmp(at + strlen(behind), NEIGHBOUR_NAME, strlen(NEIGHBOUR_NAME)) != 0) {
			fprintf(stderr, "the neighbour is shown what is not its own: %s: %s\n", target, a.reply.body);
			exit(1);
		}
}

/* False when the create failed. */
static bool do_turn(struct neighbour *n, int turn)
{
	struct arena *arena = &n->caller.arena;
	struct caller_answer person = neighbour_ask(n, "POST", "/v1/people", "{\"firstName\":\"" NEIGHBOUR_NAME "\"}");

	if (person.status == 200) {
		if (neighbour_ask(n, "PATCH", arena_printf(arena, "/v1/people/%s", person.id),
		        "{\"jobTitle\":\"" NEIGHBOUR_NAME "\"}")
		        .status == 200)
			neighbour_await(n, person.id, clock_mono_us());
		if (turn % 3 == 0)
			add_reminder(n, person.id);
		else if (turn % 3 == 1)
			come_and_go(n);
		else if (turn % 2)
			neighbour_look(n, "/v1/people?limit=5", "\"firstName\":\"");
		else
			neighbour_look(
			    n, "/v1/events?limit=20", "\"path\":[\"jobTitle\"],\"type\":\"set\",\"value\":\"");
	}
	arena_free(arena);
	return person.status == 200;
}

/* --- when ------------------------------------------------------------------------------------------- */

static void neighbour_want(struct neighbour *n, int what)
{
	pthread_mutex_lock(&n->lock);
	n->wanted = what;
	pthread_cond_broadcast(&n->changed);
	while (what == RESTING && !n->idle)
		pthread_cond_wait(&n->changed, &n->lock);
	pthread_mutex_unlock(&n->lock);
}

/* False: it is to end. */
static bool next_turn(struct neighbour *n, char base[sizeof n->base])
{
	struct timespec until;
	bool go;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PAUSE_MS * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&n->lock);
	n->idle = true;
	pthread_cond_broadcast(&n->changed);
	while (n->wanted == BUSY && pthread_cond_timedwait(&n->changed, &n->lock, &until) == 0)
		;
	while (n->wanted == RESTING)
		pthread_cond_wait(&n->changed, &n->lock);
	go = n->wanted == BUSY;
	n->idle = !go;
	memcpy(base, n->base, sizeof n->base);
	pthread_mutex_unlock(&n->lock);
	return go;
}

static void *neighbour_live(void *ctx)
{
	struct neighbour *n = ctx;
	char at[sizeof n->base] = "", base[sizeof n->base];

	for (int turn = 0; next_turn(n, base);) {
		if (strcmp(at, base) != 0)
			caller_turn(&n->caller, base);
		memcpy(at, base, sizeof at);
		turn = do_turn(n, turn) ? turn + 1 : 0;
		pthread_mutex_lock(&n->lock);
		n->turns = turn;
		pthread_mutex_unlock(&n->lock);
	}
	return NULL;
}

struct neighbour *neighbour_new(struct rig *r)
{
	struct neighbour *n = mem_zalloc(sizeof *n);

	pthread_mutex_init(&n->lock, NULL);
	pthread_cond_init(&n->changed, NULL);
	n->wanted = RESTING;
	n->idle = true;
	n->user = rig_stranger(r, "neighbour");
	n->receiver = receiver_start(&(struct receiver_config){.of_neighbour = true});
	neighbour_must(n->receiver, "no receiver");
	return n;
}

void neighbour_go(struct neighbour *n, const struct server_process *s)
{
	pthread_mutex_lock(&n->lock);
	snprintf(n->base, sizeof n->base, "%s", s->base);
	pthread_mutex_unlock(&n->lock);
	if (!n->started) {
		caller_init(&n->caller, s->base, n->user.key);
		n->caller.is_neighbour = true;
		hooked_make(&n->caller, receiver_url(n->receiver, "/"),
		    "[{\"eventType\":\"person.updated\",\"filter\":{}},{\"eventType\":\"reminder.triggered\","
		    "\"filter\":{}}]");
		n->started = pthread_create(&n->thread, NULL, neighbour_live, n) == 0;
		neighbour_must(n->started, "no thread");
	}
	neighbour_want(n, BUSY);
}

/* --- what came of it ---------------------------------------------------------------------------------- */

/* Removes what the receiver has got from the list of what is awaited. */
static void neighbour_listen(struct neighbour *n)
{
	struct arena a;
	const struct receiver_request *q;

	arena_init(&a);
	for (; (q = receiver_request(n->receiver, n->looked)) != NULL; n->looked++) {
		struct hooked_event e = hooked_event(&a, q);
		neighbour_must(strcmp(e.type, "person.updated") != 0 || strstr(q->body, NEIGHBOUR_NAME), q->body);
		for (int i = 0; i < n->n_awaited; i++)
			if (strcmp(n->awaited[i].id, e.record) == 0) {
				n->awaited[i] = n->awaited[--n->n_awaited];
				break;
			}
	}
	arena_free(&a);
}

static const struct awaited *neighbour_missing(const struct neighbour *n, int64_t now_us)
{
	for (int i = 0; i < n->n_awaited; i++)
		if (n->awaited[i].from_us <= now_us)
			return &n->awaited[i];
	return NULL;
}

static bool has_lived(struct neighbour *n)
{
	bool has;

	pthread_mutex_lock(&n->lock);
	has = n->wanted != BUSY || n->turns >= TURNS_MIN;
	pthread_mutex_unlock(&n->lock);
	return has;
}

bool neighbour_rest(struct neighbour *n)
{
	int64_t until_us = patience_ms(WAIT_MS), now_us;
	const struct awaited *a;

	while (!has_lived(n) && patience_pause(until_us))
		;
	neighbour_want(n, RESTING);
	now_us = clock_mono_us();
	until_us = patience_ms(WAIT_MS);
	do {
		neighbour_listen(n);
		a = neighbour_missing(n, now_us);
	} while (a && patience_pause(until_us));
	n->n_awaited = 0;
	if (a)
		fprintf(stderr, "the neighbour never heard of %s\n", a->id);
	return !a;
}

void neighbour_free(struct neighbour *n)
{
	if (!n)
		return;
	if (n->started) {
		neighbour_want(n, ENDING);
		pthread_join(n->thread, NULL);
		caller_free(&n->caller);
	}
	receiver_stop(n->receiver);
	pthread_cond_destroy(&n->changed);
	pthread_mutex_destroy(&n->lock);
	free(n->awaited);
	free(n);
}
