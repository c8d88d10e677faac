/* See history_keys.h: what answers say was done is there, once, and nothing else; tags and conditions. */
#include "test/lib/history/history_keys.h"

#include <stdlib.h>

#include "server/base/arena.h"

/* A write, with all of its attempts. */
struct operation {
	const struct history_step *good, *stored_500, *any;
	int done;     /* answers 200 that are not replays */
	bool unknown; /* an attempt whose outcome nobody knows */
};

static const char *value_text(const struct history_checker *c, const struct history_step *s)
{
	return s->value >= 0 ? c->h->values.texts[s->value] : s->record >= 0 ? c->h->records.texts[s->record] : "?";
}

/* --- tags ------------------------------------------------------------------------------------------- */

/* The tags that answers have shown together with a value. */
static void collect_tags(struct history_checker *c)
{
	for (int i = 0; i < c->h->steps.n; i++) {
		const struct history_step *s = &c->h->steps.all[i];
		if (s->tag < 0 || s->value < 0 || s->status != 200)
			continue;
		const struct history_value *value = &c->values[s->value];
		if (value->record != s->record || value->version < 0)
			continue;
		struct history_version *v = &c->lines[s->record].versions[value->version];
		if (v->tag >= 0 && v->tag != s->tag)
			history_anomaly(
			    c, RULE_TAGS, s, NULL, "%s has also tag %lld", value_text(c, s), (long long)v->tag);
		v->tag = s->tag;
	}
}

static void check_tags(struct history_checker *c)
{
	collect_tags(c);
	for (int r = 0; r < c->h->records.n; r++) {
		const struct history_line *line = &c->lines[r];
		int64_t last = -1;
		for (int i = 0; i < line->n; i++) {
			if (line->versions[i].tag < 0)
				continue;
			if (line->versions[i].tag <= last)
				history_anomaly(c, RULE_TAGS, NULL, NULL, "version %d of %s has tag %lld after %lld", i,
				    c->h->records.texts[r], (long long)line->versions[i].tag, (long long)last);
			last = line->versions[i].tag;
		}
	}
}

/* --- conditions --------------------------------------------------------------------------------------- */

/* A write with If-Match that was done comes after the version that it named. */
static void check_condition(struct history_checker *c, const struct history_step *s)
{
	const struct history_line *line = &c->lines[s->record];
	int own = s->kind == HISTORY_DELETE ? (line->deleted ? line->n - 1 : -1) : history_version_of(c, s);

	if (s->status == 412 && s->tag == s->match)
		history_anomaly(c, RULE_CONDITION, s, NULL, "refused, though it is the current tag");
	if (s->status != 200 || own < 0)
		return;
	if (own == 0 || (line->versions[own - 1].tag >= 0 && line->versions[own - 1].tag != s->match))
		history_anomaly(c, RULE_CONDITION, s, NULL, "the version before has tag %lld",
		    own ? (long long)line->versions[own - 1].tag : -1);
	for (int i = 0; i < line->n; i++)
		if (line->versions[i].tag == s->match && i != own - 1)
			history_anomaly(
			    c, RULE_CONDITION, s, NULL, "the tag is that of version %d, done as %d", i, own);
}

/* --- outcomes ------------------------------------------------------------------------------------------- */

static void add_attempt(struct history_checker *c, struct operation *o, const struct history_step *s)
{
	o->any = s;
	o->unknown = o->unknown || s->status == 0;
	if (s->status == 500)
		o->stored_500 = s;
	if (s->status != 200)
		return;
	o->done += !s->replayed;
	if (o->good && (o->good->record != s->record || o->good->tag != s->tag))
		history_anomaly(c, RULE_KEY_ANSWERS, o->good, s, "%s", value_text(c, s));
	if (!o->good)
		o->good = s;
}

/* Whether an event tells of it; for a creation of an unknown record: whether anything shows it. */
static bool is_done(const struct history_checker *c, const struct operation *o)
{
	if (o->any->value >= 0)
		return c->values[o->any->value].version >= 0;
	return c->lines[o->any->record].deleted;
}

static void judge_operation(struct history_checker *c, const struct operation *o)
{
	bool done = is_done(c, o), deletes = o->any->kind == HISTORY_DELETE;

	if (o->done > 1)
		history_anomaly(c, RULE_TWICE, o->good, NULL, "%s: %d answers that are not replays",
		    value_text(c, o->any), o->done);
	if (o->good && o->stored_500)
		history_anomaly(c, RULE_KEY_ANSWERS, o->good, o->stored_500, "%s", value_text(c, o->any));
	if (o->good && !done)
		history_anomaly(c, RULE_LOST, o->good, NULL, "%s: no event", value_text(c, o->any));
	/* a record may have been deleted by another request */
	if (!deletes && done && !o->good && (o->stored_500 || !o->unknown))
		history_anomaly(c, RULE_REFUSED, o->any, NULL, "%s", value_text(c, o->any));
}

/* Each deletion has a request that may have done it, and only one that says so. */
static void check_deletions(struct history_checker *c, const struct operation *all, int n)
{
	const struct history_step **good = mem_zalloc((size_t)(c->h->records.n + 1) * sizeof *good);
	bool *maybe = mem_zalloc((size_t)c->h->records.n + 1);

	for (int i = 0; i < n; i++) {
		if (!all[i].any || all[i].any->kind != HISTORY_DELETE)
			continue;
		int record = all[i].any->record;
		maybe[record] = maybe[record] || (all[i].unknown && !all[i].stored_500);
		if (all[i].good && good[record])
			history_anomaly(c, RULE_TWICE, good[record], all[i].good, "deleted twice");
		if (all[i].good)
			good[record] = all[i].good;
	}
	for (int r = 0; r < c->h->records.n; r++)
		if (c->lines[r].deleted && !good[r] && !maybe[r])
			history_anomaly(c, RULE_REFUSED, NULL, NULL, "%s was deleted, and no answer allows it",
			    c->h->records.texts[r]);
	free(good);
	free(maybe);
}

/* Records whose creation no answer shows: each needs a request without an answer. */
static void check_creations(struct history_checker *c, const struct operation *all, int n)
{
	int allowed = 0, found = 0, last = -1;

	for (int i = 0; i < n; i++)
		allowed += all[i].any && all[i].any->kind == HISTORY_CREATE && all[i].unknown && !is_done(c, &all[i]);
	for (int r = 0; r < c->h->records.n; r++)
		if (c->lines[r].n > 0 && c->lines[r].versions[0].value < 0) {
			found++;
			last = r;
		}
	if (found > allowed)
		history_anomaly(c, RULE_NOBODYS, NULL, NULL,
		    "%d records that nobody created, %d may have been; the last: %s", found, allowed,
		    c->h->records.texts[last]);
}

void history_check_keys(struct history_checker *c)
{
	/* one for each key, then one for each write without a key */
	struct operation *all = mem_zalloc((size_t)(c->h->keys.n + c->h->steps.n + 1) * sizeof *all);
	int n = c->h->keys.n;

	check_tags(c);
	for (int i = 0; i < c->h->steps.n; i++) {
		const struct history_step *s = &c->h->steps.all[i];
		if (s->kind != HISTORY_CREATE && s->kind != HISTORY_UPDATE && s->kind != HISTORY_DELETE)
			continue;
		add_attempt(c, &all[s->key >= 0 ? s->key : n++], s);
		if (s->match >= 0)
			check_condition(c, s);
	}
	for (int i = 0; i < n; i++)
		if (all[i].any)
			judge_operation(c, &all[i]);
	check_deletions(c, all, n);
	check_creations(c, all, n);
	free(all);
}
