/* See history_order.h: every answer about a record against every other one. */
#include "test/lib/history/history_order.h"

#include <stdlib.h>

#include "server/base/arena.h"

/* What an answer shows of a record. */
struct point {
	int record, version; /* version: ABSENT until it is known what a missing record means */
	int64_t begin, end;
	bool writes, told; /* told: what was shown some time ago, as by the feed; not what is */
	const struct history_step *step;
};

enum { ABSENT = -2 };

struct points {
	struct point *all;
	int n, cap;
};

static void point_add(struct points *to, struct point p)
{
	if (to->n == to->cap) {
		to->cap = to->cap ? 2 * to->cap : 1024;
		to->all = mem_realloc(to->all, (size_t)to->cap * sizeof *to->all);
	}
	to->all[to->n++] = p;
}

/* --- collecting --------------------------------------------------------------------------------------- */

/* When the first request of the key began: any of them may have done it. */
static int64_t *first_begins(const struct history_log *h)
{
	int64_t *begins = mem_alloc((size_t)(h->keys.n + 1) * sizeof *begins);

	for (int i = 0; i < h->keys.n; i++)
		begins[i] = HISTORY_NEVER;
	for (int i = 0; i < h->steps.n; i++) {
		const struct history_step *s = &h->steps.all[i];
		if (s->key >= 0 && s->begin < begins[s->key])
			begins[s->key] = s->begin;
	}
	return begins;
}

/* An answer about one record. */
static void point_of_step(struct history_checker *c, struct points *to, const struct history_step *s, int64_t begin)
{
	bool write = s->kind == HISTORY_CREATE || s->kind == HISTORY_UPDATE || s->kind == HISTORY_DELETE;
	struct point p = {.record = s->record, .begin = begin, .end = s->end, .step = s};

	if (s->status == 404) {
		p.version = ABSENT;
		p.told = s->replayed;
	} else if (s->status != 200 && s->status != 412 && (!write || s->status != 0)) {
		return;
	} else if (s->status == 412 || s->kind == HISTORY_READ || s->kind == HISTORY_ITEM) {
		p.version = history_version_of(c, s);
		c->verdict.hidden += p.version < 0;
		if (p.version < 0 && s->value >= 0 && s->status == 200)
			history_anomaly(c, c->values[s->value].written == HISTORY_NEVER ? RULE_NOBODYS : RULE_LOST, s,
			    NULL, "%s is shown", c->h->values.texts[s->value]);
	} else if (write && s->kind == HISTORY_DELETE && s->status == 200) {
		p.version = c->lines[s->record].deleted ? c->lines[s->record].n - 1 : -1;
		p.writes = true;
	} else if (write && s->value >= 0) { /* also with an unknown outcome, if there is an event of it */
		p.version = history_version_of(c, s);
		p.writes = true;
		if (s->status == 0)
			p.end = HISTORY_NEVER;
	} else {
		return;
	}
	if (p.version != -1)
		point_add(to, p);
}

static void point_of_told(struct history_checker *c, struct points *to, const struct history_step *s)
{
	const struct history_told *t = &c->told[s->event];

	if (t->place >= 0)
		point_add(to, (struct point){.record = t->record,
		                  .version = t->version,
		                  .begin = s->begin,
		                  .end = s->end,
		                  .told = true,
		                  .step = s});
}

/* Records that a whole list does not name; s: the list, before its items. */
static void points_of_absent(struct history_checker *c, struct points *to, const struct history_step *s, bool *named)
{
	const struct history_step *end = c->h->steps.all + c->h->steps.n;

	for (int i = 0; i < c->h->records.n; i++)
		named[i] = false;
	for (const struct history_step *item = s + 1; item < end && item->kind == HISTORY_ITEM; item++)
		named[item->record] = true;
	for (int i = 0; i < c->h->records.n; i++)
		if (!named[i])
			point_add(to, (struct point){
			                  .record = i, .version = ABSENT, .begin = s->begin, .end = s->end, .step = s});
}

static struct points collect_points(struct history_checker *c)
{
	int64_t *begins = first_begins(c->h);
	bool *named = mem_alloc((size_t)c->h->records.n + 1);
	struct points out = {0};

	for (int i = 0; i < c->h->steps.n; i++) {
		const struct history_step *s = &c->h->steps.all[i];
		if (s->kind == HISTORY_LIST && s->status == 200 && !s->part)
			points_of_absent(c, &out, s, named);
		else if (s->kind == HISTORY_EVENT || (s->kind == HISTORY_HOOK && s->event >= 0))
			point_of_told(c, &out, s);
		else if (s->record >= 0)
			point_of_step(c, &out, s, s->key < 0 ? s->begin : begins[s->key]);
	}
	free(begins);
	free(named);
	return out;
}

/* --- judging -------------------------------------------------------------------------------------------- */

static int by_record(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return x->record != y->record ? (x->record > y->record) - (x->record < y->record)
	                              : (x->begin > y->begin) - (x->begin < y->begin);
}

static int by_end(const void *a, const void *b)
{
	const struct point *x = *(const struct point *const *)a, *y = *(const struct point *const *)b;

	return (x->end > y->end) - (x->end < y->end);
}

/* A record that was shown before and is missing now has been deleted. */
static void settle_absent(struct history_checker *c, struct point *all, int n)
{
	const struct history_line *line = &c->lines[all->record];
	const struct point *first = NULL;

	for (int i = 0; i < n; i++)
		if (all[i].version >= 0 && (!first || all[i].end < first->end))
			first = &all[i];
	for (int i = 0; i < n; i++) {
		if (all[i].version != ABSENT)
			continue;
		all[i].version = -1;
		if (!first || first->end >= all[i].begin || first->end == HISTORY_NEVER)
			continue;
		if (line->deleted)
			all[i].version = line->n - 1;
		else
			history_anomaly(c, RULE_TAKEN_BACK, first->step, all[i].step,
			    "%s is missing, and was not deleted", c->h->records.texts[all->record]);
	}
}

static void judge_point(struct history_checker *c, const struct point *p, const struct point *before)
{
	const struct history_line *line = &c->lines[p->record];
	int64_t written = line->versions[p->version].written;

	if (written != HISTORY_NEVER && written > p->end)
		history_anomaly(
		    c, RULE_FUTURE, p->step, NULL, "version %d of %s", p->version, c->h->records.texts[p->record]);
	if (p->told)
		return;
	c->verdict.reads++;
	if (before && (p->writes ? p->version <= before->version : p->version < before->version))
		history_anomaly(c, p->writes ? RULE_OVERTAKEN : RULE_TAKEN_BACK, before->step, p->step,
		    "%s: version %d was shown, then %d", c->h->records.texts[p->record], before->version, p->version);
}

/* Points of one record, in the order in which they began. */
static void judge_record(struct history_checker *c, struct point *all, int n)
{
	const struct point **ended = mem_alloc((size_t)n * sizeof *ended), *newest = NULL;
	int at = 0;

	settle_absent(c, all, n);
	for (int i = 0; i < n; i++)
		ended[i] = &all[i];
	qsort(ended, (size_t)n, sizeof *ended, by_end);
	for (int i = 0; i < n; i++) {
		for (; at < n && ended[at]->end < all[i].begin; at++)
			if (!newest || ended[at]->version > newest->version)
				newest = ended[at];
		if (all[i].version >= 0)
			judge_point(c, &all[i], newest && newest->version >= 0 ? newest : NULL);
	}
	free(ended);
}

void history_check_order(struct history_checker *c)
{
	struct points points = collect_points(c);
	int first = 0;

	if (points.n > 0)
		qsort(points.all, (size_t)points.n, sizeof *points.all, by_record);
	for (int i = 1; i <= points.n; i++)
		if (i == points.n || points.all[i].record != points.all[first].record) {
			judge_record(c, &points.all[first], i - first);
			first = i;
		}
	free(points.all);
}
