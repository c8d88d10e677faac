/* See movers.h. */
#include "test/lib/server/movers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/patience.h"
#include "test/lib/webhook/hooked.h"

enum { ANSWER_MS = 120000, PAUSE_MS = 10 };

bool mover_follows(struct caller *c, const struct caller_answer *a)
{
	const char *error, *location;
	const struct json *body, *part;

	if (a->status != 421)
		return false;
	body = json_read(&c->arena, a->reply.body, a->reply.body_len, &error);
	part = body ? json_member(body, "error") : NULL;
	part = part ? json_member(part, "details") : NULL;
	part = part ? json_member(part, "address") : NULL;
	location = client_header(&a->reply, "Location");
	if (!part || part->type != JSON_STRING || !location || strncmp(location, part->text, part->len) != 0 ||
	    location[part->len] != '/') {
		fprintf(stderr, "a 421 without an address: %s\n", a->reply.body);
		exit(1);
	}
	caller_turn(c, part->text);
	return true;
}

/* --- writers ----------------------------------------------------------------------------------- */

/* Until it is answered, with one key. */
static struct caller_answer mover_send(
    struct mover *w, struct caller *c, const char *method, const char *target, const char *once, const char *body)
{
	int64_t until_us = patience_ms(ANSWER_MS), refused_us = 0, held_us;
	struct caller_answer a;

	for (;;) {
		a = caller_send(c, method, target, once, body);
		if (a.status == 503 && !a.retry_after) {
			fprintf(stderr, "a 503 without Retry-After\n");
			exit(1);
		}
		if (a.status == 503 && !refused_us)
			refused_us = clock_mono_us();
		if (a.status != 0 && a.status != 503 && a.status != 409 && a.status != 421)
			break;
		if (mover_follows(c, &a))
			w->moved++;
		w->retried++;
		patience_rest(PAUSE_MS);
		if (clock_mono_us() > until_us)
			break;
	}
	held_us = refused_us ? clock_mono_us() - refused_us : 0;
	w->held_us = held_us > w->held_us ? held_us : w->held_us;
	return a;
}

static void mover_name(char out[64], const struct mover *w, int n)
{
	snprintf(out, 64, "mover-%d-%d", w->i, n);
}

/* A person; now and then the one before gets another name, company and e-mail address, or is deleted. */
static void mover_write(struct mover *w, struct caller *c)
{
	char name[64], once[80], path[80];
	struct caller_answer a;

	mover_name(name, w, w->made);
	a = mover_send(w, c, "POST", "/v1/people", name,
	    arena_printf(&c->arena, "{\"firstName\": \"%s\", \"emails\": [\"%s@example.org\"]}", name, name));
	if (a.status != 200) {
		fprintf(stderr, "%s: %d %s\n", name, a.status, a.reply.body ? a.reply.body : a.error);
		exit(1);
	}
	snprintf(w->ids[w->made++], ID_SIZE, "%s", a.id);
	snprintf(once, sizeof once, "more-%s", name);
	if (w->made % 4 == 0) {
		snprintf(path, sizeof path, "/v1/people/%s", w->ids[w->made - 2]);
		mover_send(w, c, "PATCH", path, once, "{\"jobTitle\": \"moved\", \"phones\": [\"+15550001\"]}");
	} else if (w->made % 7 == 0) {
		snprintf(path, sizeof path, "/v1/people/%s", w->ids[w->made - 3]);
		mover_send(w, c, "DELETE", path, once, NULL);
	} else if (w->made % 5 == 0) {
		mover_send(w, c, "POST", "/v1/companies", once, arena_printf(&c->arena, "{\"name\": \"%s\"}", name));
	}
}

static void *mover_run(void *arg)
{
	struct mover *w = arg;
	struct caller c;

	caller_init(&c, w->all->base, w->all->key);
	while (!atomic_load(&w->all->stop) && w->made < MOVER_MADE_MAX) {
		mover_write(w, &c);
		if (w->all->pause_ms)
			patience_rest(w->all->pause_ms);
		arena_free(&c.arena);
		arena_init(&c.arena);
	}
	caller_free(&c);
	return NULL;
}

/* --- the follower ---------------------------------------------------------------------------------- */

static void follower_keep(struct moved_follower *f, const char *id)
{
	if (f->n == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 1024;
		f->ids = realloc(f->ids, (size_t)f->cap * sizeof *f->ids);
	}
	snprintf(f->ids[f->n++], ID_SIZE, "%s", id);
}

/* One page; the number of its events, -1: ask again. */
static int follower_read(struct moved_follower *f, struct caller *c, int wait)
{
	struct feed_page page = feed_get(c, f->cursor, 100, wait);

	f->moved += page.answer.status == 421;
	if (page.answer.status == 0 || page.answer.status == 503 || mover_follows(c, &page.answer)) {
		patience_rest(PAUSE_MS);
		return -1;
	}
	if (page.answer.status != 200) {
		fprintf(stderr, "the feed: %d %s\n", page.answer.status, page.answer.reply.body);
		exit(1);
	}
	for (size_t i = 0; i < page.n; i++)
		if (strcmp(page.items[i].type, "person.created") == 0)
			follower_keep(f, page.items[i].record);
	snprintf(f->cursor, sizeof f->cursor, "%s", page.cursor);
	return (int)page.n;
}

static void *follower_run(void *arg)
{
	struct movers *m = arg;
	struct caller c;

	caller_init(&c, m->base, m->key);
	while (!atomic_load(&m->stop)) {
		follower_read(&m->follower, &c, 1);
		arena_free(&c.arena);
		arena_init(&c.arena);
	}
	caller_free(&c);
	return NULL;
}

/* --- all ---------------------------------------------------------------------------------------------- */

void movers_start(struct movers *m, const char *key, const char *base, const char *cursor, int pause_ms)
{
	memset(m, 0, sizeof *m);
	m->key = key;
	m->pause_ms = pause_ms;
	snprintf(m->base, sizeof m->base, "%s", base);
	snprintf(m->follower.cursor, sizeof m->follower.cursor, "%s", cursor);
	for (int i = 0; i < MOVERS; i++) {
		m->writers[i] =
		    (struct mover){.all = m, .i = i, .ids = mem_zalloc(MOVER_MADE_MAX * sizeof *m->writers->ids)};
		pthread_create(&m->writers[i].thread, NULL, mover_run, &m->writers[i]);
	}
	pthread_create(&m->follower.thread, NULL, follower_run, m);
}

static int id_order(const void *a, const void *b)
{
	return memcmp(a, b, ID_SIZE);
}

/* How often the sorted ids have it. */
static int ids_count(char (*ids)[ID_SIZE], int n, const char *id)
{
	int low = 0, high = n, count = 0;

	while (low < high) {
		int middle = (low + high) / 2;
		if (strcmp(ids[middle], id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < n && strcmp(ids[low], id) == 0; low++)
		count++;
	return count;
}

/* The last ones are retried, as a client does that has not got the answer. */
static bool mover_again(struct movers *m, struct mover *w, const char *base)
{
	struct caller c;
	bool good = true;

	caller_init(&c, base, m->key);
	for (int n = w->made > 20 ? w->made - 20 : 0; n < w->made; n++) {
		char name[64];
		mover_name(name, w, n);
		struct caller_answer a = mover_send(w, &c, "POST", "/v1/people", name,
		    arena_printf(&c.arena, "{\"firstName\": \"%s\", \"emails\": [\"%s@example.org\"]}", name, name));
		if (a.status == 200 && a.replayed && strcmp(a.id, w->ids[n]) == 0)
			continue;
		fprintf(stderr, "%s: a retry was not answered as before: %d %s\n", name, a.status, a.reply.body);
		good = false;
	}
	caller_free(&c);
	return good;
}

/* Each person is once among the ids; what: where these come from. */
static bool movers_once(struct movers *m, char (*ids)[ID_SIZE], int n_ids, const char *what)
{
	bool good = true;

	qsort(ids, (size_t)n_ids, sizeof *ids, id_order);
	for (int i = 0; i < MOVERS; i++)
		for (int n = 0; n < m->writers[i].made; n++) {
			int seen = ids_count(ids, n_ids, m->writers[i].ids[n]);
			if (seen == 1)
				continue;
			fprintf(stderr, "%s: the creation of %s, number %d of %d of writer %d, came %d times\n", what,
			    m->writers[i].ids[n], n, m->writers[i].made, i, seen);
			good = false;
		}
	return good;
}

bool movers_delivered(struct movers *m, struct receiver *r)
{
	int count = receiver_count(r), n = 0;
	char(*ids)[ID_SIZE] = mem_zalloc(((size_t)count + 1) * sizeof *ids);
	bool good;

	for (int i = 0; i < count; i++) {
		const struct receiver_request *q = receiver_request(r, i);
		struct arena a;
		if (q->status != 200)
			continue;
		arena_init(&a);
		snprintf(ids[n++], ID_SIZE, "%s", hooked_event(&a, q).record);
		arena_free(&a);
	}
	good = movers_once(m, ids, n, "deliveries");
	free(ids);
	return good;
}

bool movers_end(struct movers *m, const char *base)
{
	struct caller c;
	bool good;

	atomic_store(&m->stop, true);
	for (int i = 0; i < MOVERS; i++)
		pthread_join(m->writers[i].thread, NULL);
	pthread_join(m->follower.thread, NULL);
	caller_init(&c, base, m->key);
	while (follower_read(&m->follower, &c, 0) != 0)
		;
	caller_free(&c);
	good = movers_once(m, m->follower.ids, m->follower.n, "feed");
	for (int i = 0; i < MOVERS; i++)
		good = mover_again(m, &m->writers[i], base) && good;
	return good;
}

void movers_free(struct movers *m)
{
	for (int i = 0; i < MOVERS; i++)
		free(m->writers[i].ids);
	free(m->follower.ids);
}

int64_t movers_held_ms(const struct movers *m)
{
	int64_t most_us = 0;

	for (int i = 0; i < MOVERS; i++)
		most_us = m->writers[i].held_us > most_us ? m->writers[i].held_us : most_us;
	return most_us / 1000;
}

int movers_made(const struct movers *m)
{
	int made = 0;

	for (int i = 0; i < MOVERS; i++)
		made += m->writers[i].made;
	return made;
}

/* --- a bystander --------------------------------------------------------------------------------------- */

enum { BYSTANDER_PAUSE_MS = 20 };

static void *bystander_run(void *arg)
{
	struct bystander *b = arg;

	while (!atomic_load(&b->stop) && b->n < BYSTANDER_MAX) {
		struct caller_answer a =
		    b->n % 2 ? caller_send(&b->caller, "GET", "/v1/people?limit=1", NULL, NULL)
		             : caller_send(&b->caller, "POST", "/v1/people", NULL, "{\"firstName\": \"by\"}");
		b->failed += a.status != 200;
		b->took_us[b->n++] = (int32_t)a.took_us;
		arena_free(&b->caller.arena);
		arena_init(&b->caller.arena);
		patience_rest(BYSTANDER_PAUSE_MS);
	}
	return NULL;
}

void bystander_start(struct bystander *b, const char *key, const char *base)
{
	memset(b, 0, sizeof *b);
	caller_init(&b->caller, base, key);
	pthread_create(&b->thread, NULL, bystander_run, b);
}

static int took_order(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

bool bystander_end(struct bystander *b, const char *when)
{
	atomic_store(&b->stop, true);
	pthread_join(b->thread, NULL);
	caller_free(&b->caller);
	qsort(b->took_us, (size_t)b->n, sizeof *b->took_us, took_order);
	printf("another workspace, %s: %d requests, %d failed, half within %.1f ms, 99 %% within %.1f ms, the longest "
	       "%.1f ms\n",
	    when, b->n, b->failed, b->took_us[b->n / 2] / 1e3, b->took_us[b->n * 99 / 100] / 1e3,
	    b->took_us[b->n - 1] / 1e3);
	return b->failed == 0;
}
