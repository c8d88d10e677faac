/* See history_versions.h. */
#include "test/lib/history/history_versions.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"

enum { SHOWN = 3 }; /* of each rule */

const char *const history_rules[RULES] = {[RULE_TAKEN_BACK] = "taken back",
    [RULE_OVERTAKEN] = "overtaken",
    [RULE_FUTURE] = "shown before it was written",
    [RULE_NOBODYS] = "nobody wrote it",
    [RULE_LOST] = "lost",
    [RULE_TWICE] = "done twice",
    [RULE_REFUSED] = "refused and done",
    [RULE_KEY_ANSWERS] = "one key, different answers",
    [RULE_CONDITION] = "condition",
    [RULE_TAGS] = "tags out of order",
    [RULE_FEED] = "feed",
    [RULE_COPY] = "list and feed",
    [RULE_HOOK_ORDER] = "webhook out of order",
    [RULE_HOOK_LOST] = "webhook lost",
    [RULE_HOOK_TWICE] = "webhook twice"};

void history_anomaly(struct history_checker *c, enum history_rule rule, const struct history_step *a,
    const struct history_step *b, const char *format, ...)
{
	va_list args;

	c->verdict.all++;
	if (c->verdict.found[rule]++ >= SHOWN || !c->f)
		return;
	fprintf(c->f, "ANOMALY (%s): ", history_rules[rule]);
	va_start(args, format);
	vfprintf(c->f, format, args);
	va_end(args);
	for (int i = 0; i < 2; i++)
		if (i ? b : a) {
			const struct history_step *s = i ? b : a;
			fprintf(c->f, "\n    %c%d, process %d, %lld to %lld: ", "cf"[s->kind == HISTORY_EVENT],
			    s -> who, s -> process, (long long)s -> begin, (long long)s -> end);
			history_print_step(c->h, s, c->f);
		}
	fputc('\n', c->f);
}

/* --- versions ------------------------------------------------------------------------------------- */

static bool is_write(const struct history_step *s)
{
	return s->kind == HISTORY_CREATE || s->kind == HISTORY_UPDATE || s->kind == HISTORY_DELETE;
}

static void collect_values(struct history_checker *c)
{
	for (int i = 0; i < c->h->values.n; i++)
		c->values[i] = (struct history_value){.record = -1, .version = -1, .written = HISTORY_NEVER};
	for (int i = 0; i < c->h->events.n; i++)
		c->told[i].place = -1;
	for (int i = 0; i < c->h->steps.n; i++) {
		const struct history_step *s = &c->h->steps.all[i];
		if (!is_write(s) || s->value < 0)
			continue;
		struct history_value *v = &c->values[s->value];
		v->creates = s->kind == HISTORY_CREATE;
		if (s->begin < v->written)
			v->written = s->begin;
	}
}

static void add_version(struct history_checker *c, const struct history_step *e)
{
	struct history_line *line = &c->lines[e->record];

	if ((e->change == CHANGE_CREATED) != (line->n == 0) || line->deleted) {
		history_anomaly(
		    c, RULE_FEED, e, NULL, "the events of %s begin or end wrongly", c->h->records.texts[e->record]);
		return;
	}
	if (line->n == line->cap) {
		line->cap = line->cap ? 2 * line->cap : 16;
		line->versions = mem_realloc(line->versions, (size_t)line->cap * sizeof *line->versions);
	}
	struct history_version *v = &line->versions[line->n];
	*v = (struct history_version){.value = e->value, .event = e->event, .tag = -1, .written = HISTORY_NEVER};
	c->told[e->event] = (struct history_told){.place = c->n_order, .record = e->record, .version = line->n++};
	c->order[c->n_order++] = e->event;
	line->deleted = e->change == CHANGE_DELETED;
	c->verdict.versions++;
	if (e->value < 0)
		return;
	struct history_value *value = &c->values[e->value];
	if (value->written == HISTORY_NEVER || value->creates)
		history_anomaly(c, RULE_NOBODYS, e, NULL, "an event tells of %s", c->h->values.texts[e->value]);
	else if (value->record >= 0)
		history_anomaly(c, RULE_TWICE, e, NULL, "%s was written twice", c->h->values.texts[e->value]);
	value->record = e->record;
	value->version = line->n - 1;
	v->written = value->written;
}

static void collect_events(struct history_checker *c)
{
	for (int i = 0; i < c->h->steps.n; i++) {
		const struct history_step *s = &c->h->steps.all[i];
		if (s->kind != HISTORY_EVENT || s->who != 0)
			continue;
		if (c->told[s->event].place >= 0)
			history_anomaly(c, RULE_FEED, s, NULL, "f0 was told of an event twice");
		else
			add_version(c, s);
	}
}

/* The event of a creation has no value: whatever shows value and record tells that they belong together. */
static void collect_creations(struct history_checker *c)
{
	for (int i = 0; i < c->h->steps.n; i++) {
		const struct history_step *s = &c->h->steps.all[i];
		if (s->record < 0 || s->value < 0 || !c->values[s->value].creates || s->kind == HISTORY_EVENT)
			continue;
		struct history_value *value = &c->values[s->value];
		struct history_line *line = &c->lines[s->record];
		if (value->record >= 0 && value->record != s->record)
			history_anomaly(c, RULE_TWICE, s, NULL, "%s was created twice", c->h->values.texts[s->value]);
		else if (line->n > 0) {
			line->versions[0].value = s->value;
			line->versions[0].written = value->written;
			value->record = s->record;
			value->version = 0;
		}
	}
}

static void collect_deletions(struct history_checker *c)
{
	for (int i = 0; i < c->h->steps.n; i++) {
		const struct history_step *s = &c->h->steps.all[i];
		if (s->kind != HISTORY_DELETE || !c->lines[s->record].deleted || (s->status != 200 && s->status != 0))
			continue;
		struct history_line *line = &c->lines[s->record];
		if (s->begin < line->versions[line->n - 1].written)
			line->versions[line->n - 1].written = s->begin;
	}
}

int history_version_of(const struct history_checker *c, const struct history_step *s)
{
	if (s->value >= 0 && s->status != 412) /* a 412 shows the tag of another version */
		return c->values[s->value].record == s->record ? c->values[s->value].version : -1;
	const struct history_line *line = &c->lines[s->record];
	for (int i = 0; s->tag >= 0 && i < line->n; i++)
		if (line->versions[i].tag == s->tag)
			return i;
	return -1;
}

/* --- opening and closing ------------------------------------------------------------------------------ */

void history_versions_open(struct history_checker *c, const struct history_log *h, FILE *f)
{
	*c = (struct history_checker){.h = h, .f = f};
	c->lines = mem_zalloc((size_t)(h->records.n + 1) * sizeof *c->lines);
	c->values = mem_zalloc((size_t)(h->values.n + 1) * sizeof *c->values);
	c->told = mem_zalloc((size_t)(h->events.n + 1) * sizeof *c->told);
	c->order = mem_zalloc((size_t)(h->events.n + 1) * sizeof *c->order);
	collect_values(c);
	collect_events(c);
	collect_creations(c);
	collect_deletions(c);
}

void history_versions_close(struct history_checker *c)
{
	for (int i = 0; i < c->h->records.n; i++)
		free(c->lines[i].versions);
	free(c->lines);
	free(c->values);
	free(c->told);
	free(c->order);
}
