/* Writers who want to know: every change has a key and is repeated until its outcome is known, so that each must be
 * there exactly once, with exactly one event. */
#include <pthread.h>
#include <stdio.h>

#include "test/soak/ledger.h"
#include "test/soak/soak_load.h"

enum { WRITERS = 2, KEPT = 100 };

static struct keyed_writer {
	struct load_client client;
	struct arena arena;
	pthread_t thread;
	int number, serial;
	char people[KEPT][ID_SIZE]; /* "": none */
} writers[WRITERS];

/* A new text, which is also the key of the next write. */
static const char *keyed_mark(struct keyed_writer *w)
{
	return arena_printf(&w->arena, "k%d-%d", w->number, w->serial++);
}

static bool keyed_send(struct keyed_writer *w, const char *method, const char *target, const char *once,
    const char *body, struct client_reply *reply)
{
	if (!load_settle(&w->client, &w->arena, method, target, once, body, reply))
		return false;
	atomic_fetch_add(&soak.writes, 1);
	if (reply->status == 200)
		return true;
	finding_add(
	    "keyed writes", "%s %s %s: %d %.300s", method, target, body ? body : "", reply->status, reply->body);
	return false;
}

static void keyed_create(struct keyed_writer *w, char person[ID_SIZE])
{
	const char *mark = keyed_mark(w);
	struct client_reply reply;

	if (!keyed_send(w, "POST", "/v1/people", mark,
	        arena_printf(&w->arena, "{\"firstName\": \"%s%s\", \"emails\": [\"%s@%d.example\"]}",
	            w->client.space->mark, mark, mark, w->number),
	        &reply))
		return;
	snprintf(person, ID_SIZE, "%s", load_id(&w->arena, &reply));
	ledger_acked("person.created", person, NULL);
}

static void keyed_change(struct keyed_writer *w, const char *person)
{
	const char *mark = keyed_mark(w);
	struct client_reply reply;

	if (keyed_send(w, "PATCH", arena_printf(&w->arena, "/v1/people/%s", person), mark,
	        arena_printf(&w->arena, "{\"jobTitle\": \"%s\"}", mark), &reply))
		ledger_acked("person.updated", person, mark);
}

static void keyed_delete(struct keyed_writer *w, char person[ID_SIZE])
{
	struct client_reply reply;

	if (keyed_send(w, "DELETE", arena_printf(&w->arena, "/v1/people/%s", person), keyed_mark(w), NULL, &reply))
		ledger_acked("person.deleted", person, NULL);
	*person = '\0';
}

static void *keyed_write(void *arg)
{
	struct keyed_writer *w = arg;

	while (!atomic_load(&soak.stop)) {
		char *person = w->people[load_draw(&w->client, KEPT)];
		if (!*person)
			keyed_create(w, person);
		else if (load_draw(&w->client, 4) == 0)
			keyed_delete(w, person);
		else
			keyed_change(w, person);
		arena_free(&w->arena);
	}
	return NULL;
}

void keyed_begin(void)
{
	for (int i = 0; i < WRITERS; i++) {
		struct keyed_writer *w = &writers[i];
		w->number = i;
		arena_init(&w->arena);
		load_client_init(&w->client, &soak.spaces[i], soak.spaces[i].admin.key, 100 + i);
		pthread_create(&w->thread, NULL, keyed_write, w);
	}
}

void keyed_end(void)
{
	for (int i = 0; i < WRITERS; i++) {
		pthread_join(writers[i].thread, NULL);
		load_client_free(&writers[i].client);
	}
}
