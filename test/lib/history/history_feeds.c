/* See history_feeds.h: followers of the feed, copies by list and feed, and deliveries of webhooks. */
#include "test/lib/history/history_feeds.h"

#include <stdlib.h>

#include "server/base/arena.h"

enum { HOLDING_ATTEMPTS = 3 }; /* a delivery that failed so often holds back no later one */

/* --- followers ---------------------------------------------------------------------------------------- */

struct follows {
	bool began, broken;
	int next;                        /* the place of the event that must come; -1: any */
	const struct history_step *list; /* the last whole list */
	const struct history_step *copy; /* the list from whose cursor it follows */
	const struct history_step *last;
};

static int follows_count(const struct history_log *h)
{
	int n = 0;

	for (int i = 0; i < h->steps.n; i++)
		if (h->steps.all[i].who >= n)
			n = h->steps.all[i].who + 1;
	return n;
}

/* The list's version of each record that it names, -1 of the others; to be freed. */
static int *copied_versions(const struct history_checker *c, const struct history_step *list)
{
	const struct history_step *end = c->h->steps.all + c->h->steps.n;
	int *versions = mem_alloc((size_t)(c->h->records.n + 1) * sizeof *versions);

	for (int i = 0; i < c->h->records.n; i++)
		versions[i] = -1;
	for (const struct history_step *item = list + 1; item < end && item->kind == HISTORY_ITEM; item++)
		versions[item->record] = history_version_of(c, item);
	return versions;
}

/* Whatever the list does not show yet comes after its cursor: nothing of it lies before place. */
static void check_copy(struct history_checker *c, const struct follows *f, int place)
{
	int *versions = copied_versions(c, f->copy);

	for (int i = 0; i < place; i++) {
		const struct history_told *t = &c->told[c->order[i]];
		const struct history_line *line = &c->lines[t->record];
		bool gone = line->deleted && versions[t->record] < 0; /* not yet there, or no more */
		if (!gone && versions[t->record] < t->version)
			history_anomaly(c, RULE_COPY, f->copy, NULL,
			    "the list has version %d of %s, the feed begins after version %d", versions[t->record],
			    c->h->records.texts[t->record], t->version);
	}
	free(versions);
}

static void follow_event(struct history_checker *c, struct follows *f, const struct history_step *s)
{
	const struct history_told *t = &c->told[s->event];

	if (f->broken)
		return;
	if (t->place < 0 || (f->next >= 0 && t->place != f->next) || t->record != s->record) {
		f->broken = true;
		history_anomaly(
		    c, RULE_FEED, f->last, s, "follower %d was told of event %d, not %d", s->who, t->place, f->next);
		return;
	}
	if (f->next < 0 && f->copy)
		check_copy(c, f, t->place);
	f->next = t->place + 1;
	f->last = s;
}

/* Followers read until everything has ended. */
static void follow_end(struct history_checker *c, struct follows *f, int who)
{
	if (!f->began || f->broken)
		return;
	if (f->next < 0 && f->copy)
		check_copy(c, f, c->n_order);
	else if (f->next != c->n_order)
		history_anomaly(
		    c, RULE_FEED, f->last, NULL, "follower %d ends after %d of %d events", who, f->next, c->n_order);
}

static void check_followers(struct history_checker *c)
{
	int n = follows_count(c->h);
	struct follows *all = mem_zalloc((size_t)(n + 1) * sizeof *all);

	for (int i = 0; i < c->h->steps.n; i++) {
		const struct history_step *s = &c->h->steps.all[i];
		struct follows *f = &all[s->who];
		if (s->kind == HISTORY_LIST && s->status == 200 && !s->part)
			f->list = s;
		if (s->kind == HISTORY_FEED && s->from != FROM_BEFORE) {
			*f = (struct follows){.began = true, .list = f->list};
			f->next = s->from == FROM_START ? 0 : -1;
			f->copy = s->from == FROM_COPY ? f->list : NULL;
		}
		if (s->kind == HISTORY_EVENT)
			follow_event(c, f, s);
	}
	for (int i = 0; i < n; i++)
		follow_end(c, &all[i], i);
	free(all);
}

/* --- webhooks --------------------------------------------------------------------------------------------- */

struct delivered {
	bool done;
	int failed;
};

struct hooked_line {
	int settled; /* versions before this one hold nothing back */
};

static int by_time(const void *a, const void *b)
{
	const struct history_step *x = *(const struct history_step *const *)a,
	                          *y = *(const struct history_step *const *)b;

	if (x->end != y->end)
		return (x->end > y->end) - (x->end < y->end);
	return (x > y) - (x < y);
}

static void check_delivery(struct history_checker *c, struct delivered *all, struct hooked_line *lines,
    const struct history_step *s, const struct history_step **first)
{
	const struct history_told *t = &c->told[s->event];
	struct delivered *d = &all[s->event];
	const struct history_line *line;

	if (t->place < 0) {
		history_anomaly(c, RULE_NOBODYS, s, NULL, "a delivery of an event that is not in the feed");
		return;
	}
	line = &c->lines[t->record];
	struct hooked_line *seen = &lines[t->record];
	for (; seen->settled < t->version; seen->settled++) {
		const struct delivered *earlier = &all[line->versions[seen->settled].event];
		if (!earlier->done && earlier->failed < HOLDING_ATTEMPTS)
			break;
	}
	if (!first[s->event] && seen->settled < t->version)
		history_anomaly(c, RULE_HOOK_ORDER, s, NULL, "webhook %d: version %d of %s comes before version %d",
		    s->who, t->version, c->h->records.texts[t->record], seen->settled);
	if (d->done && c->h->undisturbed)
		history_anomaly(c, RULE_HOOK_TWICE, first[s->event], s, "webhook %d", s->who);
	first[s->event] = s;
	d->done = d->done || s->status / 100 == 2;
	d->failed += s->status / 100 != 2;
}

static void check_hook(struct history_checker *c, int who, const struct history_step **sorted, int n)
{
	struct delivered *all = mem_zalloc((size_t)(c->h->events.n + 1) * sizeof *all);
	struct hooked_line *lines = mem_zalloc((size_t)(c->h->records.n + 1) * sizeof *lines);
	const struct history_step **first = mem_zalloc((size_t)(c->h->events.n + 1) * sizeof *first);

	for (int i = 0; i < n; i++)
		if (sorted[i]->who == who)
			check_delivery(c, all, lines, sorted[i], first);
	for (int i = 0; i < c->n_order; i++)
		if (!all[c->order[i]].done)
			history_anomaly(c, RULE_HOOK_LOST, NULL, NULL, "webhook %d: event %s", who,
			    c->h->events.texts[c->order[i]]);
	free(all);
	free(lines);
	free(first);
}

void history_check_feeds(struct history_checker *c)
{
	const struct history_step **sorted = mem_alloc((size_t)(c->h->steps.n + 1) * sizeof *sorted);
	int n = 0;

	check_followers(c);
	for (int i = 0; i < c->h->steps.n; i++)
		if (c->h->steps.all[i].kind == HISTORY_HOOK)
			sorted[n++] = &c->h->steps.all[i];
	if (n > 0)
		qsort(sorted, (size_t)n, sizeof *sorted, by_time);
	for (int who = 1; who <= c->h->hooks; who++)
		check_hook(c, who, sorted, n);
	free(sorted);
}
