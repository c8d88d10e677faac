/* Unrelated writes; see filter_world.h. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/model/filter_world.h"

/* In the rounds that keep their records, lists scanned a few rows per page must still end. */
enum { STAY_MAX = 200 };

struct filter_noise {
	struct filter_world *world;
	pthread_t thread;
	atomic_bool stop;
	int sent;
	bool refused;
	struct arena arena; /* of a round */
	struct caller inside, outside;
};

/* Returns the new record's id, if any. */
static const char *send_one(
    struct filter_noise *n, struct caller *c, const char *method, const char *target, const char *body)
{
	struct caller_answer r = caller_send(c, method, target, NULL, body);
	const char *id = arena_dupz(&n->arena, r.id);

	n->sent++;
	if (r.status != 200) {
		fprintf(stderr, "noise: %s %s %d %s\n", method, target, r.status, r.reply.body ? r.reply.body : "");
		n->refused = true;
	}
	arena_free(&c->arena);
	return id;
}

static void make_contacts(struct filter_noise *n, struct caller *c, bool stay)
{
	static const char person[] = "{\"firstName\":\"Ada\",\"emails\":[\"ada@example.org\"],\"gender\":\"Male\","
	                             "\"phones\":[\"123\"],\"birthday\":\"2024-02-29\",\"description\":\"100%\"}",
	                  company[] = "{\"description\":\"Ada\",\"industry\":\"Ada\",\"foundationYear\":2000}";
	const char *p = send_one(n, c, "POST", "/v1/people", person);
	const char *k = send_one(n, c, "POST", "/v1/companies", company);
	const char *person_path = arena_printf(&n->arena, "/v1/people/%s", p);
	const char *company_path = arena_printf(&n->arena, "/v1/companies/%s", k);

	send_one(n, c, "PATCH", person_path,
	    arena_printf(&n->arena, "{\"jobTitle\":\"ada\",\"companies\":[{\"id\":\"%s\"}]}", k));
	send_one(n, c, "PATCH", company_path, "{\"fundingRaised\":10}");
	send_one(n, c, "POST", "/v1/interactions",
	    arena_printf(&n->arena,
	        "{\"entity\":{\"id\":\"%s\"},\"title\":\"t\",\"activityType\":\"call\","
	        "\"dateTime\":\"2024-02-29T12:00:00Z\"}",
	        p));
	if (stay)
		return;
	send_one(n, c, "DELETE", person_path, NULL);
	send_one(n, c, "DELETE", company_path, NULL);
}

/* Changes the workspace's settings while other requests use them. */
static void make_group(struct filter_noise *n)
{
	const char *group =
	    send_one(n, &n->inside, "POST", "/v1/groups", "{\"name\":\"Noise\",\"visibility\":\"private\"}");

	send_one(n, &n->inside, "POST", arena_printf(&n->arena, "/v1/groups/%s/custom-fields/person", group),
	    "{\"name\":\"Text\",\"type\":\"textField\"}");
	send_one(n, &n->inside, "POST", "/v1/people",
	    arena_printf(&n->arena, "{\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"Text\":\"Ada\"}}}",
	        group, group));
	send_one(n, &n->inside, "DELETE", arena_printf(&n->arena, "/v1/groups/%s", group), NULL);
}

static void make_others(struct filter_noise *n, bool stay)
{
	const struct filter_world *w = n->world;
	const char *person = json_member(w->views[MAKER_ADA].lists[KIND_PERSON].records[0], "id")->text;
	const char *objects = arena_printf(&n->arena, "/v1/groups/%s/%s", w->groups[GROUP_SALES], filter_other_type);
	const char *object = send_one(n, &n->inside, "POST", objects,
	    arena_printf(&n->arena, "{\"name\":\"Ada\",\"people\":[{\"id\":\"%s\"}]}", person));
	const char *task = send_one(n, &n->inside, "POST", "/v1/tasks",
	    arena_printf(&n->arena, "{\"entity\":{\"id\":\"%s\"},\"title\":\"t\",\"dueAt\":\"2100-01-02\"}", person));

	send_one(n, &n->inside, "POST", arena_printf(&n->arena, "/v1/tasks/%s/mark-as-done", task),
	    "{\"completedAt\":\"2024-02-29T12:00:00Z\"}");
	send_one(n, &n->inside, "DELETE", arena_printf(&n->arena, "%s/%s", objects, object), NULL);
	if (!stay)
		send_one(n, &n->inside, "DELETE", arena_printf(&n->arena, "/v1/tasks/%s", task), NULL);
}

static void *noise_run(void *arg)
{
	struct filter_noise *n = arg;

	for (int i = 0; !atomic_load(&n->stop) && !n->refused; i++) {
		make_contacts(n, &n->inside, i < STAY_MAX && i % 4 == 0);
		make_contacts(n, &n->outside, i < STAY_MAX && i % 4 == 0);
		make_others(n, i < STAY_MAX);
		if (i % 5 == 0)
			make_group(n);
		arena_free(&n->arena);
	}
	return NULL;
}

struct filter_noise *filter_noise_start(struct filter_world *w)
{
	struct filter_noise *n = mem_zalloc(sizeof *n);
	struct test_workspace other = workspace_create(w->rig.program, &w->arena, "Another");
	struct test_user stranger =
	    user_create(w->rig.program, &w->arena, &other, "eve", "Eve X", "ada@example.org", "admin");

	n->world = w;
	arena_init(&n->arena);
	caller_init(&n->inside, w->server->base, w->users[MAKER_NOISE].key);
	caller_init(&n->outside, w->server->base, stranger.key);
	if (pthread_create(&n->thread, NULL, noise_run, n) != 0) {
		fprintf(stderr, "no thread\n");
		exit(1);
	}
	return n;
}

int filter_noise_stop(struct filter_noise *n)
{
	atomic_store(&n->stop, true);
	pthread_join(n->thread, NULL);
	int sent = n->refused ? -1 : n->sent;
	caller_free(&n->inside);
	caller_free(&n->outside);
	arena_free(&n->arena);
	free(n);
	return sent;
}
