/* See history_round.h: clients that read, list, change, make and delete a few records at any of the processes. */
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/history/history_round.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/patience.h"

enum {
	FINAL_MS = 30000,
	BATCH_MAX = 4,
	LAST_MS = 60000,
	REST_MS = 10,
	QUIET_CLIENTS = 2,
	SLOTS_BUSY = 3 /* half of all requests are about these */
};

struct client_state {
	struct round *r;
	struct round_caller at;
	struct history_steps steps;
	uint64_t seed;
	int who, n; /* n: values so far */
	bool wrote; /* just now: lists show it */
	int64_t tags[ROUND_SLOTS];
	int records[ROUND_SLOTS]; /* of the tags */
};

unsigned round_chance(uint64_t *seed, unsigned below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned)(*seed % below);
}

/* --- connections ------------------------------------------------------------------------------------ */

void round_caller_init(struct round_caller *c, struct round *r)
{
	c->r = r;
	for (int i = 0; i < r->setup->processes; i++) {
		char base[64];
		round_base(r, i, base, &c->generations[i]);
		caller_init(&c->to[i], base, r->key);
	}
}

void round_caller_free(struct round_caller *c)
{
	for (int i = 0; i < c->r->setup->processes; i++)
		caller_free(&c->to[i]);
}

struct caller *round_caller_at(struct round_caller *c, int process)
{
	struct caller *to = &c->to[process];
	char base[64];
	int generation;

	round_base(c->r, process, base, &generation);
	if (generation != c->generations[process])
		caller_turn(to, base);
	c->generations[process] = generation;
	arena_free(&to->arena);
	arena_init(&to->arena);
	to->if_match = NULL;
	return to;
}

/* --- answers ------------------------------------------------------------------------------------------ */

/* The value of a record in a body, "" if it has none. */
static const char *value_in(struct arena *a, const char *body)
{
	const char *at = body ? strstr(body, "\"jobTitle\":\"") : NULL;

	at = at ? at + strlen("\"jobTitle\":\"") : NULL;
	return at ? arena_dup(a, at, strcspn(at, "\"")) : "";
}

static void take_answer(struct history_step *s, const struct caller_answer *a)
{
	bool unknown = a->status == 500 && strstr(a->reply.body, "unknown");

	s->status = unknown ? 0 : a->status;
	s->end = a->status ? clock_mono_us() : HISTORY_NEVER;
	s->replayed = a->replayed;
	if (a->status == 200 || a->status == 412)
		s->tag = caller_tag(a);
}

static void rest_after(const struct history_step *s)
{
	if (s->status != 200 && s->status != 404 && s->status != 412)
		patience_rest(20); /* a client's, before it goes on */
}

/* Sends the request once; returns the status. */
static int send_once(struct client_state *c, const struct round_twin *w, int process)
{
	static const char *const methods[] = {"POST", "PATCH", "DELETE"};
	struct caller *to = round_caller_at(&c->at, process);
	struct history_step s = history_step_new(w->kind, c->who, clock_mono_us());
	struct caller_answer a;

	to->if_match = *w->if_match ? w->if_match : NULL;
	a = caller_send(to, methods[w->kind], w->target, *w->once ? w->once : NULL, *w->body ? w->body : NULL);
	c->r->requests++;
	take_answer(&s, &a);
	s.process = process;
	s.record = w->kind == HISTORY_CREATE ? history_name(&c->r->h, &c->r->h.records, a.id) : w->record;
	s.value = w->value;
	s.key = w->key;
	s.match = w->match;
	if (a.status == 200 && w->kind != HISTORY_DELETE) {
		struct history_step shown = history_step_new(HISTORY_READ, c->who, s.begin);
		shown.value = history_name(&c->r->h, &c->r->h.values, value_in(&to->arena, a.reply.body));
		shown.record = s.record;
		shown.end = s.end;
		shown.status = 200;
		if (shown.value != s.value) /* the checker will not like it */
			history_add(&c->steps, &shown);
	}
	history_add(&c->steps, &s);
	rest_after(&s);
	return s.status;
}

/* --- writes --------------------------------------------------------------------------------------------- */

static bool is_final(int status)
{
	return status != 0 && status != 409 && status != 503;
}

/* With a key until its outcome is known, by any process; another client may send it at the same time. */
static int send_write(struct client_state *c, struct round_twin *w)
{
	struct round *r = c->r;
	int64_t until_us = clock_mono_us() + FINAL_MS * INT64_C(1000);
	int status;

	w->key = -1;
	*w->once = '\0';
	if (round_chance(&c->seed, 2)) {
		snprintf(w->once, sizeof w->once, "k%d-%d", c->who, c->n);
		w->key = history_name(&r->h, &r->h.keys, w->once);
		if (round_chance(&c->seed, 3) == 0) {
			pthread_mutex_lock(&r->lock);
			r->twin = *w;
			r->twin.there = true;
			pthread_mutex_unlock(&r->lock);
		}
	}
	do
		status = send_once(c, w, (int)round_chance(&c->seed, (unsigned)r->setup->processes));
	while (w->key >= 0 && !is_final(status) && clock_mono_us() < until_us);
	return status;
}

static void send_twin(struct client_state *c)
{
	struct round *r = c->r;
	struct round_twin w;

	pthread_mutex_lock(&r->lock);
	w = r->twin;
	r->twin.there = false;
	pthread_mutex_unlock(&r->lock);
	if (w.there)
		send_once(c, &w, (int)round_chance(&c->seed, (unsigned)r->setup->processes));
}

static void new_value(struct client_state *c, struct round_twin *w, char text[24])
{
	snprintf(text, 24, "v%d-%d", c->who, ++c->n);
	w->value = history_name(&c->r->h, &c->r->h.values, text);
}

static void create_one(struct client_state *c, int slot)
{
	struct round_twin w = {.kind = HISTORY_CREATE, .record = -1, .match = -1};
	struct round *r = c->r;
	char value[24];

	new_value(c, &w, value);
	snprintf(w.target, sizeof w.target, "/v1/people");
	snprintf(w.body, sizeof w.body, "{\"lastName\":\"all\",\"jobTitle\":\"%s\"}", value);
	if (send_write(c, &w) != 200)
		return;
	const char *id = history_text(&r->h, &r->h.records, c->steps.all[c->steps.n - 1].record);
	pthread_mutex_lock(&r->lock);
	if (!*r->slots[slot])
		snprintf(r->slots[slot], ID_SIZE, "%s", id);
	pthread_mutex_unlock(&r->lock);
}

/* A base-36 number in quotation marks. */
static void tag_text(int64_t tag, char out[40])
{
	char digits[24];
	int n = 0, at = 0;

	for (; tag > 0 && n < 24; tag /= 36)
		digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[tag % 36];
	out[at++] = '"';
	while (n > 0)
		out[at++] = digits[--n];
	out[at++] = '"';
	out[at] = '\0';
}

/* A change or deletion of the slot's record, as it was last seen or whatever it is. */
static void change_one(struct client_state *c, int slot, const char *id, bool deletes)
{
	struct round_twin w = {.kind = deletes ? HISTORY_DELETE : HISTORY_UPDATE, .value = -1, .match = -1};
	struct round *r = c->r;
	char value[24];

	w.record = history_name(&r->h, &r->h.records, id);
	snprintf(w.target, sizeof w.target, "/v1/people/%s", id);
	if (deletes) {
		c->n++;
	} else {
		new_value(c, &w, value);
		snprintf(w.body, sizeof w.body, "{\"jobTitle\":\"%s\"}", value);
	}
	if (c->records[slot] == w.record && c->tags[slot] >= 0 && round_chance(&c->seed, 2)) {
		w.match = c->tags[slot];
		tag_text(w.match, w.if_match);
	}
	int status = send_write(c, &w);
	const struct history_step *s = &c->steps.all[c->steps.n - 1];
	if ((status == 200 && !deletes && !s->replayed) || status == 412) {
		c->records[slot] = w.record;
		c->tags[slot] = s->tag;
	}
	c->wrote = status == 200;
	if (!deletes || status == 412)
		return;
	pthread_mutex_lock(&r->lock);
	if (strcmp(r->slots[slot], id) == 0)
		*r->slots[slot] = '\0';
	snprintf(r->gone, sizeof r->gone, "%s", id);
	pthread_mutex_unlock(&r->lock);
}

/* --- several records in one request ------------------------------------------------------------------------ */

static int result_status(const struct json *result)
{
	const struct json *status = json_member(result, "status"), *error = json_member(result, "error"), *code;

	if (status && strcmp(status->text, "succeeded") == 0)
		return 200;
	code = error && error->type == JSON_OBJECT ? json_member(error, "code") : NULL;
	return code && strstr(code->text, "NOT_FOUND") ? 404 : code && strstr(code->text, "PRECONDITION") ? 412 : 422;
}

static void batch_steps(
    struct client_state *c, struct history_step *all, int n, const struct caller_answer *a, struct caller *to)
{
	const struct json *data = a->status == 200 ? feed_data(to, a) : NULL,
	                  *results = data ? json_member(data, "results") : NULL, *one = results ? results->first : NULL;

	for (int i = 0; i < n; i++) {
		take_answer(&all[i], a);
		all[i].tag = -1;
		if (one) {
			all[i].status = result_status(one);
			one = one->next;
		}
		history_add(&c->steps, &all[i]);
	}
}

static void change_batch(struct client_state *c)
{
	struct round *r = c->r;
	struct history_step all[BATCH_MAX];
	int process = (int)round_chance(&c->seed, (unsigned)r->setup->processes), n = 0,
	    slot = (int)round_chance(&c->seed, ROUND_SLOTS);
	struct caller *to = round_caller_at(&c->at, process);
	char body[1024] = "{\"records\":[", value[24], id[ID_SIZE];
	size_t at = strlen(body);

	for (int i = 0; i < BATCH_MAX; i++) {
		struct round_twin w = {0};
		pthread_mutex_lock(&r->lock);
		snprintf(id, sizeof id, "%s", r->slots[(slot + i) % ROUND_SLOTS]);
		pthread_mutex_unlock(&r->lock);
		if (!*id)
			continue;
		new_value(c, &w, value);
		all[n] = history_step_new(HISTORY_UPDATE, c->who, 0);
		all[n].record = history_name(&r->h, &r->h.records, id);
		all[n].value = w.value;
		all[n].process = process;
		at += (size_t)snprintf(
		    body + at, sizeof body - at, "%s{\"id\":\"%s\",\"jobTitle\":\"%s\"}", n ? "," : "", id, value);
		n++;
	}
	snprintf(body + at, sizeof body - at, "]}");
	for (int i = 0; i < n; i++)
		all[i].begin = clock_mono_us();
	struct caller_answer a = caller_send(to, "POST", "/v1/people/batch/update", NULL, body);
	r->requests++;
	batch_steps(c, all, n, &a, to);
}

/* --- reads ------------------------------------------------------------------------------------------------ */

static void read_one(struct client_state *c, int slot, const char *id)
{
	int process = (int)round_chance(&c->seed, (unsigned)c->r->setup->processes);
	struct caller *to = round_caller_at(&c->at, process);
	struct history_step s = history_step_new(HISTORY_READ, c->who, clock_mono_us());
	struct caller_answer a = caller_send(to, "GET", arena_printf(&to->arena, "/v1/people/%s", id), NULL, NULL);

	c->r->requests++;
	take_answer(&s, &a);
	s.process = process;
	s.record = history_name(&c->r->h, &c->r->h.records, id);
	if (a.status == 200)
		s.value = history_name(&c->r->h, &c->r->h.values, value_in(&to->arena, a.reply.body));
	history_add(&c->steps, &s);
	if (slot >= 0 && a.status == 200) {
		c->records[slot] = s.record;
		c->tags[slot] = s.tag;
	}
	rest_after(&s);
}

static const char *member_text(const struct json *object, const char *name)
{
	const struct json *v = object->type == JSON_OBJECT ? json_member(object, name) : NULL;

	return v && v->type == JSON_STRING ? v->text : "";
}

const char *round_list(struct round *r, struct history_steps *steps, struct caller *c, int who, int process, int way)
{
	static const char *const targets[] = {"/v1/people?limit=100", "/v1/people?limit=100&filter[lastName][eq]=all",
	    "/v1/people?limit=100&sort=-updatedAt", "/v1/people/search"};
	bool posts = way % 4 == 3;
	struct history_step s = history_step_new(HISTORY_LIST, who, clock_mono_us()), item;
	struct caller_answer a = caller_send(c, posts ? "POST" : "GET", targets[way % 4], NULL,
	    posts ? "{\"filter\":{\"lastName\":{\"eq\":\"all\"}},\"limit\":100}" : NULL);
	const char *cursor = a.status == 200 ? feed_cursor_of(&a) : NULL;
	const struct json *data = a.status == 200 ? feed_data(c, &a) : NULL, *items, *pages;

	r->requests++;
	take_answer(&s, &a);
	s.tag = -1;
	s.process = process;
	items = data ? json_member(data, "items") : NULL;
	pages = data ? json_member(data, "pagination") : NULL;
	s.part =
	    pages && pages->type == JSON_OBJECT && (json_member(pages, "nextLink") || json_member(pages, "nextCursor"));
	history_add(steps, &s);
	item = s;
	item.kind = HISTORY_ITEM;
	for (const struct json *i = items ? items->first : NULL; i; i = i->next) {
		item.record = history_name(&r->h, &r->h.records, member_text(i, "id"));
		item.value = history_name(&r->h, &r->h.values, member_text(i, "jobTitle"));
		history_add(steps, &item);
	}
	rest_after(&s);
	return cursor && !s.part ? cursor : "";
}

static void read_list(struct client_state *c)
{
	int process = (int)round_chance(&c->seed, (unsigned)c->r->setup->processes);

	(void)round_list(
	    c->r, &c->steps, round_caller_at(&c->at, process), c->who, process, (int)round_chance(&c->seed, 4));
}

/* --- clients ------------------------------------------------------------------------------------------------ */

static void client_turn(struct client_state *c)
{
	struct round *r = c->r;
	int slot = (int)round_chance(&c->seed, round_chance(&c->seed, 2) ? SLOTS_BUSY : ROUND_SLOTS),
	    what = (int)round_chance(&c->seed, 100);
	char id[ID_SIZE], gone[ID_SIZE];
	bool twin;

	pthread_mutex_lock(&r->lock);
	snprintf(id, sizeof id, "%s", r->slots[slot]);
	snprintf(gone, sizeof gone, "%s", r->gone);
	twin = r->twin.there;
	pthread_mutex_unlock(&r->lock);
	bool wrote = c->wrote;
	c->wrote = false;
	if (!wrote)
		patience_rest((int)round_chance(&c->seed, REST_MS));
	if (twin)
		send_twin(c);
	else if (!*id)
		create_one(c, slot);
	else if (wrote || what < 20)
		read_list(c);
	else if (what < 50)
		read_one(c, slot, id);
	else if (what < 85)
		change_one(c, slot, id, false);
	else if (what < 93)
		change_batch(c);
	else if (what < 96)
		change_one(c, slot, id, true);
	else if (*gone)
		read_one(c, -1, gone);
}

static void client_open(struct client_state *c, struct round *r, int i)
{
	memset(c, 0, sizeof *c);
	c->r = r;
	c->who = i + 1;
	c->seed = (r->seed + (uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
	for (int slot = 0; slot < ROUND_SLOTS; slot++)
		c->tags[slot] = -1;
	round_caller_init(&c->at, r);
}

static void client_close(struct client_state *c)
{
	round_caller_free(&c->at);
	pthread_mutex_lock(&c->r->lock);
	history_gather(&c->r->h, &c->steps);
	pthread_mutex_unlock(&c->r->lock);
}

void round_client(struct round *r, int i)
{
	struct client_state c;

	client_open(&c, r, i);
	while (!atomic_load(&r->stop))
		if (i >= QUIET_CLIENTS && atomic_load(&r->quiet))
			patience_rest(REST_MS);
		else
			client_turn(&c);
	client_close(&c);
}

void round_last_reads(struct round *r)
{
	struct client_state c;

	client_open(&c, r, ROUND_CLIENTS);
	for (int process = 0; process < r->setup->processes; process++) {
		for (int way = 0; way < 4; way++)
			round_list(r, &c.steps, round_caller_at(&c.at, process), c.who, process, way);
		for (int slot = 0; slot < ROUND_SLOTS; slot++)
			if (*r->slots[slot])
				read_one(&c, slot, r->slots[slot]);
	}
	client_close(&c);
}

bool round_last_write(struct round *r)
{
	struct client_state c;
	int64_t until_us = patience_ms(LAST_MS);
	const char *id = NULL;

	client_open(&c, r, ROUND_CLIENTS + 1);
	do {
		struct round_twin w = {.kind = HISTORY_CREATE, .record = -1, .match = -1};
		char value[24];
		new_value(&c, &w, value);
		snprintf(w.target, sizeof w.target, "/v1/people");
		snprintf(w.body, sizeof w.body, "{\"lastName\":\"all\",\"jobTitle\":\"%s\"}", value);
		if (send_write(&c, &w) == 200)
			id = history_text(&r->h, &r->h.records, c.steps.all[c.steps.n - 1].record);
	} while (!id && patience_pause(until_us));
	if (id)
		snprintf(r->last, sizeof r->last, "%s", id);
	client_close(&c);
	atomic_store(&r->ended, true);
	return id != NULL;
}
