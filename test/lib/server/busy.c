/* See busy.h. */
#include "test/lib/server/busy.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "test/lib/patience.h"

enum busy_kind { PERSON, COMPANY, OBJECT, NOTE, TASK, REMINDER, INTERACTION };

struct busy_writer {
	struct busy *busy;
	struct caller caller;
	int i;
	unsigned seed;
};

void busy_init(struct busy *b)
{
	pthread_mutex_init(&b->lock, NULL);
}

static unsigned chance_of(struct busy_writer *w, unsigned below)
{
	w->seed = w->seed * 1664525u + 1013904223u;
	return (w->seed >> 8) % below;
}

/* --- existing records ---------------------------------------------------------------------------- */

static void busy_add(struct busy_writer *w, enum busy_kind kind, const char *id, const char *of)
{
	struct busy *b = w->busy;
	int at;

	if (!*id)
		return;
	pthread_mutex_lock(&b->lock);
	at = b->n[kind] < BUSY_POOL ? b->n[kind]++ : (int)chance_of(w, BUSY_POOL);
	snprintf(b->ids[kind][at], ID_SIZE, "%s", id);
	snprintf(b->of[kind][at], ID_SIZE, "%s", of);
	pthread_mutex_unlock(&b->lock);
}

/* Picks an existing record; take: removes it, so that others do not pick it. False when there is none. */
static bool busy_pick(struct busy_writer *w, enum busy_kind kind, bool take, char id[ID_SIZE], char of[ID_SIZE])
{
	struct busy *b = w->busy;
	bool any;

	pthread_mutex_lock(&b->lock);
	any = b->n[kind] > 0;
	if (any) {
		int at = (int)chance_of(w, (unsigned)b->n[kind]), last = b->n[kind] - 1;
		memcpy(id, b->ids[kind][at], ID_SIZE);
		memcpy(of, b->of[kind][at], ID_SIZE);
		if (take) {
			memcpy(b->ids[kind][at], b->ids[kind][last], ID_SIZE);
			memcpy(b->of[kind][at], b->of[kind][last], ID_SIZE);
			b->n[kind] = last;
		}
	}
	pthread_mutex_unlock(&b->lock);
	return any;
}

/* Writes ", "name": [{"id": …}]" of an existing record, or nothing. */
static const char *busy_refer(struct busy_writer *w, const char *name, enum busy_kind kind)
{
	char id[ID_SIZE], of[ID_SIZE];

	if (chance_of(w, 2) || !busy_pick(w, kind, false, id, of))
		return "";
	return arena_printf(&w->caller.arena, ", \"%s\": [{\"id\": \"%s\"}]", name, id);
}

static const char *busy_groups(struct busy_writer *w)
{
	const struct busy *b = w->busy;

	switch (chance_of(w, 4)) {
	case 0:
		return "";
	case 1:
		return arena_printf(&w->caller.arena, ", \"groups\": [{\"id\": \"%s\"}]", b->open);
	case 2:
		return w->i % 2 ? "" : arena_printf(&w->caller.arena, ", \"groups\": [{\"id\": \"%s\"}]", b->secret);
	default:
		return ", \"groups\": []";
	}
}

/* --- requests ------------------------------------------------------------------------------------ */

static struct caller_answer busy_ask(struct busy_writer *w, const char *method, const char *target, const char *body)
{
	struct caller_answer a = caller_send(&w->caller, method, target, NULL, body);

	if (a.status == 200)
		atomic_fetch_add(&w->busy->done, 1);
	else
		atomic_fetch_add(&w->busy->failed, 1);
	if (a.status == 0 || a.status == 503 || a.status == 421) {
		patience_rest(20);
		caller_turn(&w->caller, w->busy->base(w->busy->ctx, w->i));
	}
	return a;
}

static const char *path_of(struct busy_writer *w, enum busy_kind kind, const char *id, const char *of)
{
	static const char *const paths[] = {"people", "companies", "", "notes", "tasks", "reminders", "interactions"};

	if (kind == OBJECT)
		return arena_printf(&w->caller.arena, "/v1/groups/%s/Deals/%s", of, id);
	return arena_printf(&w->caller.arena, "/v1/%s/%s", paths[kind], id);
}

static void create_contact(struct busy_writer *w, enum busy_kind kind)
{
	struct arena *a = &w->caller.arena;
	unsigned n = chance_of(w, 100000000);
	const char *body =
	    kind == PERSON
	        ? arena_printf(a, "{\"firstName\": \"P%u\", \"emails\": [\"p%u@example.org\"]%s%s}", n, n,
	              busy_groups(w), busy_refer(w, "companies", COMPANY))
	        : arena_printf(a, "{\"name\": \"C%u\", \"urls\": [\"c%u.example\"]%s}", n, n, busy_groups(w));

	busy_add(w, kind, busy_ask(w, "POST", kind == PERSON ? "/v1/people" : "/v1/companies", body).id, "");
}

static void create_object(struct busy_writer *w)
{
	const char *group = w->i % 2 || chance_of(w, 2) ? w->busy->open : w->busy->secret;
	struct arena *a = &w->caller.arena;

	busy_add(w, OBJECT,
	    busy_ask(w, "POST", arena_printf(a, "/v1/groups/%s/Deals", group),
	        arena_printf(a, "{\"name\": \"D%u\"%s%s}", chance_of(w, 1000000), busy_refer(w, "people", PERSON),
	            busy_refer(w, "companies", COMPANY)))
	        .id,
	    group);
}

/* A time in the near future or past. */
static const char *busy_soon(struct busy_writer *w, bool rule)
{
	time_t at = time(NULL) + (time_t)chance_of(w, 6) - 3;
	char text[40];
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(text, sizeof text, rule ? "%Y%m%dT%H%M%S" : "%Y-%m-%dT%H:%M:%SZ", &tm);
	return arena_dupz(&w->caller.arena, text);
}

static void create_activity(struct busy_writer *w, enum busy_kind kind)
{
	static const char *const paths[] = {[NOTE] = "/v1/notes",
	    [TASK] = "/v1/tasks",
	    [REMINDER] = "/v1/reminders",
	    [INTERACTION] = "/v1/interactions"};
	struct arena *a = &w->caller.arena;
	char id[ID_SIZE], of[ID_SIZE];
	const char *rest = "";
	unsigned n = chance_of(w, 3);

	if (!busy_pick(w, n == 0 || kind == INTERACTION ? PERSON : n == 1 ? COMPANY : OBJECT, false, id, of))
		return;
	if (kind == NOTE)
		rest = arena_printf(a, "\"content\": \"N\", \"visibility\": \"%s\"", n ? "public" : "private");
	else if (kind == TASK)
		rest = arena_printf(
		    a, "\"title\": \"T\", \"dueAt\": \"2026-03-01\", \"isPublic\": %s", n ? "true" : "false");
	else if (kind == REMINDER)
		rest = arena_printf(a,
		    "\"name\": \"R\", \"visibility\": \"private\", \"recurrenceRule\": "
		    "\"DTSTART;TZID=UTC:%s\\nRRULE:FREQ=SECONDLY;INTERVAL=2;COUNT=3\"",
		    busy_soon(w, true));
	else
		rest = arena_printf(
		    a, "\"title\": \"I\", \"activityType\": \"call\", \"dateTime\": \"%s\"", busy_soon(w, false));
	busy_add(w, kind,
	    busy_ask(w, "POST", paths[kind], arena_printf(a, "{\"entity\": {\"id\": \"%s\"}, %s}", id, rest)).id, "");
}

static const char *change_of(struct busy_writer *w, enum busy_kind kind)
{
	struct arena *a = &w->caller.arena;
	unsigned n = chance_of(w, 1000);

	switch (kind) {
	case PERSON:
		if (n % 4 == 0)
			return arena_printf(a,
			    "{\"groups\": [{\"id\": \"%s\"}], \"customFieldValues\": {\"%s\": {\"Level\": "
			    "\"%u\"}}}",
			    w->busy->open, w->busy->open, n);
		return arena_printf(
		    a, "{\"jobTitle\": \"J%u\"%s%s}", n, busy_groups(w), busy_refer(w, "companies", COMPANY));
	case COMPANY:
		return arena_printf(a, "{\"description\": \"D%u\", \"phones\": [\"%u\"]%s}", n, n, busy_groups(w));
	case OBJECT:
		return arena_printf(a, "{\"name\": \"O%u\"%s%s}", n, busy_refer(w, "people", PERSON),
		    busy_refer(w, "companies", COMPANY));
	case NOTE:
		return arena_printf(
		    a, "{\"content\": \"M%u\", \"visibility\": \"%s\"}", n, n % 2 ? "public" : "private");
	case TASK:
		return arena_printf(a, "{\"title\": \"U%u\", \"isPublic\": %s}", n, n % 2 ? "true" : "false");
	case REMINDER:
		return arena_printf(a, "{\"name\": \"S%u\"}", n);
	case INTERACTION:
		break;
	}
	return NULL;
}

static void busy_change(struct busy_writer *w, enum busy_kind kind)
{
	char id[ID_SIZE], of[ID_SIZE];
	const char *path, *body = change_of(w, kind);

	if (!busy_pick(w, kind, false, id, of))
		return;
	path = path_of(w, kind, id, of);
	if (kind == TASK && chance_of(w, 2))
		busy_ask(w, "POST", arena_printf(&w->caller.arena, "%s/mark-as-done", path),
		    "{\"completedAt\": \"2026-01-01T00:00:00Z\"}");
	else if (body)
		busy_ask(w, "PATCH", path, body);
}

static void remove_one(struct busy_writer *w, enum busy_kind kind)
{
	char id[ID_SIZE], of[ID_SIZE];

	if (busy_pick(w, kind, true, id, of))
		busy_ask(w, "DELETE", path_of(w, kind, id, of), NULL);
}

/* Three at once: two people are updated and one is deleted. */
static void busy_batch(struct busy_writer *w)
{
	struct arena *a = &w->caller.arena;
	char one[ID_SIZE], two[ID_SIZE], of[ID_SIZE];

	if (!busy_pick(w, PERSON, false, one, of) || !busy_pick(w, PERSON, true, two, of))
		return;
	busy_ask(w, "POST", "/v1/people/batch/update",
	    arena_printf(a,
	        "{\"records\": [{\"id\": \"%s\", \"lastName\": \"B%u\"}, {\"id\": \"%s\", \"groups\": []}]}", one,
	        chance_of(w, 1000), two));
	busy_ask(w, "POST", "/v1/people/batch/delete", arena_printf(a, "{\"records\": [{\"id\": \"%s\"}]}", two));
}

static void busy_act(struct busy_writer *w)
{
	enum busy_kind kind = (enum busy_kind)chance_of(w, BUSY_KINDS);

	switch (chance_of(w, 10)) {
	case 0:
		remove_one(w, kind);
		break;
	case 1:
		busy_batch(w);
		break;
	case 2:
	case 3:
	case 4:
		if (kind == PERSON || kind == COMPANY)
			create_contact(w, kind);
		else if (kind == OBJECT)
			create_object(w);
		else
			create_activity(w, kind);
		break;
	default:
		busy_change(w, kind);
	}
}

void busy_write(void *ctx, int i)
{
	struct busy *b = ctx;
	struct busy_writer w = {.busy = b, .i = i, .seed = 7919u * (unsigned)(i + 1)};

	caller_init(&w.caller, b->base(b->ctx, i), b->keys[i % 2]);
	while (!atomic_load(&b->stop)) {
		busy_act(&w);
		arena_free(&w.caller.arena);
		if (b->pause_ms)
			patience_rest(b->pause_ms);
	}
	caller_free(&w.caller);
}
