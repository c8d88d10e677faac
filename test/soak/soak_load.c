/* The load of all routes. Each worker makes a world of records (test/lib/model/isolation.h), sends every request of the
 * table of routes for it, in random order, some as dry runs and some twice with one Idempotency-Key, then those that
 * delete, and at last removes what is left. So the size of the database stays about the same. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/model/isolation.h"
#include "test/soak/ledger.h"
#include "test/soak/soak_load.h"

enum { WORKERS_MAX = 16, CASES_MAX = 512, MADE_MAX = 512, LATER_MAX = 64, KEYED_OF = 3, DRY_OF = 8 };

#define TYPE "/v1/groups/{groupId}/{objectType}"
#define FIELDS "/v1/groups/{groupId}/custom-fields/{entityType}"

/* What ends the life of a world's records, in this order, after everything else. */
static const char *const endings[] = {"POST /v1/keys/{keyId}/rotate", "DELETE /v1/keys/{keyId}",
    "DELETE /v1/webhooks/{webhookId}", "DELETE /v1/interactions/{interactionId}", "DELETE /v1/reminders/{reminderId}",
    "DELETE /v1/tasks/{taskId}", "DELETE /v1/notes/{noteId}", "POST " TYPE "/batch/delete",
    "DELETE " TYPE "/{objectId}", "DELETE " FIELDS "/{customFieldName}",
    "DELETE /v1/groups/{groupId}/object-types/{objectType}", "DELETE /v1/groups/{groupId}/members/{userId}",
    "POST /v1/people/batch/delete", "DELETE /v1/people/{personId}", "POST /v1/companies/batch/delete",
    "DELETE /v1/companies/{companyId}", "DELETE /v1/groups/{groupId}"};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* The event of what a request creates. */
static const struct {
	const char *route, *event;
} creates[] = {{"POST /v1/people", "person.created"}, {"POST " TYPE, "object.created"},
    {"POST /v1/notes", "note.created"}, {"POST /v1/tasks", "task.created"}, {"POST /v1/reminders", "reminder.created"},
    {"POST /v1/interactions", "interaction.created"},
    {"DELETE /v1/interactions/{interactionId}", "interaction.deleted"},
    {"DELETE /v1/reminders/{reminderId}", "reminder.deleted"}, {"DELETE /v1/tasks/{taskId}", "task.deleted"},
    {"DELETE /v1/notes/{noteId}", "note.deleted"}};

struct load_case {
	const struct endpoint *route;
	const struct isolation_sample *sample;
	int ending; /* -1: none */
};

/* A keyed request whose answer must come again. */
struct load_later {
	char *method, *target, *once, *body, *answer;
	int64_t at_ms;
};

struct load_worker {
	struct suite suite; /* first: what its hooks are called with */
	struct world world;
	struct load_client client;
	const struct test_user *user;
	pthread_t thread;
	int number, serial;
	bool broken; /* the world: an outage left it unknown */
	char made[MADE_MAX][ID_SIZE];
	int n_made;
	struct load_later later[LATER_MAX];
	int n_later;
};

static struct load_case cases[CASES_MAX];
static int n_cases;
static struct load_worker *workers;

/* --- the cases -------------------------------------------------------------------------------------- */

static void add_case(const struct endpoint *route, const struct isolation_sample *sample, const char *name)
{
	struct load_case *c = &cases[n_cases++];

	*c = (struct load_case){route, sample, -1};
	for (int i = 0; i < ENDINGS; i++)
		if (strcmp(endings[i], name) == 0)
			c->ending = i;
	if (c->ending < 0 && (strcmp(route->method, "DELETE") == 0 || strstr(route->path, "/batch/delete"))) {
		fprintf(stderr, "soak: %s has no place in endings[] (test/soak/soak_load.c)\n", name);
		exit(1);
	}
}

/* One for each sample of a route, or one without. A route that lacks what it needs ends the program. */
static void make_cases(void)
{
	struct suite s = {0};

	arena_init(&s.arena);
	endpoints_read();
	isolation_check_coverage(&s);
	if (s.failures) {
		fprintf(stderr, "soak: routes without samples (test/lib/model/isolation_samples.c)\n");
		exit(1);
	}
	for (int i = 0; i < n_endpoints; i++) {
		const char *name = route_name(&s, &endpoints[i]);
		int before = n_cases;
		/* Keys have no session, and grants begin in a browser. */
		if (endpoints[i].of_session || strcmp(name, "DELETE /v1/grants/{grantId}") == 0)
			continue;
		for (const struct isolation_sample *sample = samples; sample->route; sample++)
			if (strcmp(sample->route, name) == 0)
				add_case(&endpoints[i], sample, name);
		if (n_cases == before)
			add_case(&endpoints[i], NULL, name);
	}
	arena_free(&s.arena);
}

/* --- the suite's hooks --------------------------------------------------------------------------------- */

static void remember_made(struct load_worker *w, const char *id)
{
	if (*id && w->n_made < MADE_MAX)
		snprintf(w->made[w->n_made++], ID_SIZE, "%s", id);
}

/* For seeds and victims. */
static void suite_send(struct suite *s, const struct client_request *request, struct client_reply *reply)
{
	struct load_worker *w = (struct load_worker *)s;

	load_send(&w->client, &s->arena, request->method, request->target, NULL, request->body, reply);
	w->broken = w->broken || w->client.outage;
	if (reply->status == 200)
		remember_made(w, load_id(&s->arena, reply));
}

/* A seed that failed, or a text that lacks what a seed should have made. */
static void suite_say(struct suite *s, const char *text)
{
	struct load_worker *w = (struct load_worker *)s;

	if (!w->broken)
		finding_add("answers: seeds", "%s", text);
	w->broken = true;
}

/* --- requests ---------------------------------------------------------------------------------------------- */

/* In the usual order of a release: dry, once, again, later. */
static void keep_for_later(struct load_worker *w, const struct request *q, const char *once, const char *answer)
{
	if (w->n_later == LATER_MAX)
		return;
	w->later[w->n_later++] = (struct load_later){.method = mem_dupz(q->route->method),
	    .target = mem_dupz(q->target),
	    .once = mem_dupz(once),
	    .body = q->body ? mem_dupz(q->body) : NULL,
	    .answer = mem_dupz(answer),
	    .at_ms = clock_now_ms()};
}

static void judge_replay(struct load_worker *w, const char *what, const char *first, const struct client_reply *again)
{
	atomic_fetch_add(&soak.replays, 1);
	if (w->client.outage)
		return;
	if (strcmp(first, again->body) != 0 || !client_header(again, "Idempotent-Replayed"))
		finding_add(
		    "replays", "%s was answered %.300s, and then %d %.300s", what, first, again->status, again->body);
}

/* The first half of what an answer is kept for. */
static void replay_later(struct load_worker *w)
{
	int64_t now_ms = clock_now_ms(), half_ms = soak_days_ms(1) / 2;
	struct client_reply reply;
	int kept = 0;

	for (int i = 0; i < w->n_later; i++) {
		struct load_later *l = &w->later[i];
		if (now_ms - l->at_ms < half_ms / 2) {
			w->later[kept++] = *l;
			continue;
		}
		if (now_ms - l->at_ms < half_ms) {
			load_send(&w->client, &w->suite.arena, l->method, l->target, l->once, l->body, &reply);
			judge_replay(w, l->target, l->answer, &reply);
		}
		free(l->method);
		free(l->target);
		free(l->once);
		free(l->body);
		free(l->answer);
	}
	w->n_later = kept;
}

/* Under its key again, at the other server. */
static void send_twice(struct load_worker *w, const struct request *q, const char *once, const char *first)
{
	struct client_reply again;

	load_turn(&w->client);
	load_send(&w->client, &w->suite.arena, q->route->method, q->target, once, q->body, &again);
	judge_replay(w, q->target, first, &again);
	if (load_draw(&w->client, 8) == 0)
		keep_for_later(w, q, once, first);
}

static void send_dry(struct load_worker *w, const struct request *q, bool may_be_gone)
{
	struct client_reply reply;
	const char *target =
	    arena_printf(&w->suite.arena, "%s%cdryRun=true", q->target, strchr(q->target, '?') ? '&' : '?');

	atomic_fetch_add(&soak.dry_runs, 1);
	load_send(&w->client, &w->suite.arena, q->route->method, target, NULL, q->body, &reply);
	if (!w->client.outage && !(may_be_gone && reply.status == 404) &&
	    (reply.status != 200 || !client_header(&reply, "X-Dry-Run")))
		finding_add("dry runs", "%s %s: %d %.300s", q->route->method, target, reply.status, reply.body);
}

static void note_answer(struct load_worker *w, const char *name, const struct client_reply *reply)
{
	const char *id = load_id(&w->suite.arena, reply);

	if (strncmp(name, "POST", 4) == 0)
		remember_made(w, id);
	for (size_t i = 0; i < sizeof creates / sizeof *creates; i++)
		if (strcmp(creates[i].route, name) == 0)
			ledger_acked(creates[i].event, id, NULL);
}

static void run_case(struct load_worker *w, const struct load_case *c)
{
	struct suite *s = &w->suite;
	struct client_reply reply;
	struct request q;
	const char *once = NULL, *name = route_name(s, c->route);

	/* A user who has left a group can delete it only as an admin of the workspace. */
	if (!w->world.admin &&
	    (isolation_for_admins(c->route) || strcmp(name, "DELETE /v1/groups/{groupId}/members/{userId}") == 0))
		return;
	request_make(s, &w->world, c->route, c->sample, (struct replacement){.at = -1}, &q);
	if (w->broken)
		return;
	if (c->route->writes && !c->route->sends && load_draw(&w->client, DRY_OF) == 0)
		send_dry(w, &q, c->ending >= 0);
	if (c->route->writes) {
		atomic_fetch_add(&soak.writes, 1);
		if (load_draw(&w->client, KEYED_OF) == 0)
			once = arena_printf(&s->arena, "all-%d-%d-%s", w->number, w->serial++, w->world.canary);
	}
	load_send(&w->client, &s->arena, c->route->method, q.target, once, q.body, &reply);
	w->broken = w->broken || w->client.outage;
	if (w->broken)
		return;
	/* What an ending took with it need not be there any more. */
	if (reply.status != 200 && !(c->ending >= 0 && reply.status == 404))
		finding_add("answers", "%s %s %s: %d %.600s", c->route->method, q.target, q.body ? q.body : "",
		    reply.status, reply.body);
	if (reply.status == 200 && c->route->writes)
		note_answer(w, name, &reply);
	if (once && (reply.status == 200 || reply.status == 404))
		send_twice(w, &q, once, reply.body);
}

/* --- rounds -------------------------------------------------------------------------------------------------- */

/* With the workspace's mark in all texts. */
static void mark_world(struct load_worker *w)
{
	struct world *v = &w->world;
	struct arena *a = &w->suite.arena;

	v->canary = arena_printf(a, "%s%s", w->client.space->mark, strstr(v->canary, "canary"));
	world_set(v, "since", time_format(clock_now_ms(), arena_alloc(a, TIME_TEXT_SIZE)), false);
	world_set(v, "canary", v->canary, false);
	world_set(v, "open", v->canary, false);
	world_set(v, "company_name", v->canary, false);
	world_set(v, "same_type", arena_printf(a, "T-%s", v->canary), false);
	world_set(v, "same_field", arena_printf(a, "F-%s", v->canary), false);
	world_set(v, "type", arena_printf(a, "T-%s", v->canary), true);
	world_set(v, "field", arena_printf(a, "F-%s", v->canary), true);
}

static void remove_made(struct load_worker *w)
{
	static const struct {
		const char *prefix, *path;
	} paths[] = {{"per_", "people"}, {"com_", "companies"}, {"grp_", "groups"}, {"wbk_", "webhooks"},
	    {"key_", "keys"}, {"rmd_", "reminders"}, {"tsk_", "tasks"}};
	struct client_reply reply;

	for (int i = w->n_made - 1; i >= 0; i--)
		for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
			if (strncmp(w->made[i], paths[k].prefix, 4) == 0 && strcmp(w->made[i], w->user->key_id) != 0)
				load_send(&w->client, &w->suite.arena, "DELETE",
				    arena_printf(&w->suite.arena, "/v1/%s/%s", paths[k].path, w->made[i]), NULL, NULL,
				    &reply);
	w->n_made = 0;
}

static void shuffle_cases(struct load_worker *w, int *order)
{
	for (int i = 0; i < n_cases; i++) {
		int at = (int)load_draw(&w->client, (unsigned)i + 1);
		order[i] = order[at];
		order[at] = i;
	}
}

static void run_round(struct load_worker *w)
{
	int order[CASES_MAX];

	w->broken = false;
	w->suite.failures = 0;
	world_init(&w->suite, &w->world, w->user->name, w->user, false);
	w->world.admin = w->user == &w->client.space->admin;
	mark_world(w);
	world_seed(&w->suite, &w->world);
	shuffle_cases(w, order);
	for (int i = 0; i < n_cases && !w->broken && !atomic_load(&soak.stop); i++)
		if (cases[order[i]].ending < 0)
			run_case(w, &cases[order[i]]);
	if (atomic_load(&soak.stop))
		return; /* records of all kinds stay, to be checked */
	for (int e = 0; e < ENDINGS; e++)
		for (int i = 0; i < n_cases && !w->broken; i++)
			if (cases[i].ending == e)
				run_case(w, &cases[i]);
	remove_made(w);
	replay_later(w);
	atomic_fetch_add(&soak.rounds, !w->broken);
	arena_free(&w->suite.arena);
}

static void *work_on(void *arg)
{
	struct load_worker *w = arg;

	while (!atomic_load(&soak.stop))
		run_round(w);
	return NULL;
}

void load_begin(void)
{
	make_cases();
	workers = mem_zalloc((size_t)soak.clients * sizeof *workers);
	for (int i = 0; i < soak.clients; i++) {
		struct load_worker *w = &workers[i];
		const struct soak_space *space = &soak.spaces[i % SOAK_SPACES];
		w->number = i;
		w->user = i == SOAK_SPACES ? &soak.rig.ben : &space->admin;
		arena_init(&w->suite.arena);
		w->suite.send = suite_send;
		w->suite.say = suite_say;
		load_client_init(&w->client, space, w->user->key, i);
		pthread_create(&w->thread, NULL, work_on, w);
	}
}

void load_end(void)
{
	for (int i = 0; i < soak.clients; i++) {
		pthread_join(workers[i].thread, NULL);
		load_client_free(&workers[i].client);
		arena_free(&workers[i].suite.arena);
	}
}
