/*
 * Aggregates compared with PostgreSQL's own "group by": random filters, groupings and measures of three users over some
 * hundred records. The model without SQL says which records match (test/lib/model/filter_model.h). Their values, as the
 * API shows them to the user, are grouped by a statement that is written here and shares nothing with the program's.
 *
 *   AGGREGATE_QUERIES=10000   queries in all, for long rounds
 *   AGGREGATE_SEED=N          the first query of each kind; a failure is repeated with its number and few queries
 *   FILTER_WORLD=N            other data
 */
#include <stdio.h>
#include <string.h>

#include "test/lib/model/aggregate_compare.h"
#include "test/lib/patience.h"
#include "test/lib/test.h"

enum { QUERIES = 320, KINDS_OF_ROUNDS = 4, SHOWN_MAX = 5, TEXT_MAX = 4 << 20 };

static struct filter_world w;

BEFORE_ALL()
{
	filter_world_open(&w, "aggregates", (uint64_t)rig_setting("FILTER_WORLD", 1));
}

AFTER_ALL()
{
	assert_true(filter_world_close(&w));
}

/* --- drawing -------------------------------------------------------------------------------- */

/* The texts are those of docs/totals.md. */
static bool can_group(const struct model_field *f)
{
	static const char *const texts[] = {"jobTitle", "industry", "employeeRange"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (strcmp(f->name, texts[i]) == 0)
			return true;
	return f->type >= MODEL_GENDER && strcmp(f->name, "entity") != 0 &&
	       strcmp(f->name, "interactionMetadata.user.lastInteractedAt") != 0;
}

static bool can_measure(const struct model_field *f)
{
	return f->type == MODEL_NUMBER || (can_group(f) && (f->type == MODEL_DATE || aggregate_model_time(f)));
}

/* One of the list's fields for which the test is true. */
static const struct model_field *draw_field(const struct filter_list *l, bool (*fits)(const struct model_field *f))
{
	const struct model_field *found[WORLD_FIELDS_MAX];
	unsigned n = 0;

	for (int i = 0; i < l->n_fields; i++)
		if (fits(&l->fields[i]))
			found[n++] = &l->fields[i];
	return found[patience_chance(n)];
}

static void draw_aggregate(struct aggregate_drawn *d, const struct filter_list *l)
{
	static const char *const buckets[] = {NULL, "day", "week", "month", "quarter", "year"};
	static const char *const zones[] = {
	    NULL, "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia"};

	d->n_groupings = (int)patience_chance(GROUPINGS_MAX + 1);
	for (int i = 0; i < d->n_groupings; i++) {
		struct grouping_drawn *g = &d->groupings[i];
		g->field = draw_field(l, can_group);
		g->bucket =
		    g->field->type == MODEL_DATE || aggregate_model_time(g->field) ? buckets[patience_chance(6)] : NULL;
	}
	d->n_measures = 0;
	for (unsigned n = patience_chance(MEASURES_MAX + 1); n > 0; n--) {
		const struct model_field *f = draw_field(l, can_measure);
		bool has = false;
		for (int i = 0; i < d->n_measures; i++)
			has |= d->measures[i] == f;
		if (!has)
			d->measures[d->n_measures++] = f;
	}
	d->zone = zones[patience_chance(6)];
}

/* --- asking ------------------------------------------------------------------------------------ */

static const char *grouping_text(struct arena *a, const struct grouping_drawn *g)
{
	return g->bucket ? arena_printf(a, "%s:%s", g->field->name, g->bucket) : g->field->name;
}

/* Calls put with each measure of the field: all that it has. */
static void each_measure(struct arena *a, const struct model_field *f, struct buf *b,
    void (*put)(struct arena *a, struct buf *b, const char *text))
{
	static const char *const functions[] = {"sum", "avg", "min", "max"};

	for (int i = f->type == MODEL_NUMBER ? 0 : 2; i < 4; i++)
		put(a, b, arena_printf(a, "%s:%s", functions[i], f->name));
}

static void put_measure(struct arena *a, struct buf *b, const char *text)
{
	buf_printf(b, "&measures=%s", filter_encoded(a, text));
}

static void put_item(struct arena *a, struct buf *b, const char *text)
{
	struct json_out o;

	(void)a;
	if (b->len && b->data[b->len - 1] != '[')
		buf_addc(b, ',');
	json_out_init(&o, b);
	json_string(&o, text);
}

static const char *write_target(struct arena *a, const struct aggregate_drawn *d)
{
	const char *target;
	struct buf b;

	buf_init(&b, TEXT_MAX);
	buf_printf(&b, "%s/aggregate?%s", d->query.list->target, d->query.text);
	for (int i = 0; i < d->n_groupings; i++)
		buf_printf(&b, "&groupBy=%s", filter_encoded(a, grouping_text(a, &d->groupings[i])));
	for (int i = 0; i < d->n_measures; i++)
		each_measure(a, d->measures[i], &b, put_measure);
	if (d->zone)
		buf_printf(&b, "&timeZone=%s", filter_encoded(a, d->zone));
	target = arena_dup(a, b.data, b.len);
	buf_free(&b);
	return target;
}

/* Without the closing brace. */
static const char *write_body(struct arena *a, const struct aggregate_drawn *d)
{
	const char *body;
	struct buf b;

	buf_init(&b, TEXT_MAX);
	buf_printf(&b, "%s,\"groupBy\":[", d->query.body);
	for (int i = 0; i < d->n_groupings; i++)
		put_item(a, &b, grouping_text(a, &d->groupings[i]));
	buf_addz(&b, "],\"measures\":[");
	for (int i = 0; i < d->n_measures; i++)
		each_measure(a, d->measures[i], &b, put_item);
	buf_addz(&b, "]");
	if (d->zone)
		buf_printf(&b, ",\"timeZone\":\"%s\"", d->zone);
	body = arena_dup(a, b.data, b.len);
	buf_free(&b);
	return body;
}

static void ask_parts(struct arena *a, struct caller *c, const struct aggregate_drawn *d, struct aggregate_parts *p)
{
	const char *target = d->query.body ? NULL : write_target(a, d), *body = d->query.body ? write_body(a, d) : NULL;
	const char *path = arena_printf(a, "%s/aggregate", d->query.list->target), *more = "", *error;

	while ((target || body) && p->n < PARTS_MAX && !p->wrong) {
		struct caller_answer r = body ? caller_sendf(c, "POST", path, NULL, "%s%s}", body, more)
		                              : caller_send(c, "GET", target, NULL, NULL);
		const struct json *answer =
		    r.status == 200 ? json_read(a, r.reply.body, r.reply.body_len, &error) : NULL;
		const struct json *cursor;
		if (!answer) {
			p->wrong = arena_printf(a, "%d %s %s", r.status, r.error, r.reply.body ? r.reply.body : "");
			break;
		}
		p->data[p->n++] = json_member(answer, "data");
		cursor = json_member(json_member(p->data[p->n - 1], "pagination"), "nextCursor");
		if (body && cursor)
			more = arena_printf(a, ",\"cursor\":\"%s\"", cursor->text);
		else
			body = NULL;
		target = target ? filter_next(answer) : NULL;
		arena_free(&c->arena);
	}
}

/* --- rounds ------------------------------------------------------------------------------------------ */

struct aggregate_round {
	bool by_body;
	const struct model_condition *anchors[KINDS]; /* exclude concurrent writes; NULL: there are none */
	int queries, failed, refused, parts, groups;
};

static void draw_one(
    struct arena *a, struct aggregate_round *round, const struct filter_view *v, struct aggregate_drawn *d)
{
	unsigned kind = patience_chance(round->by_body ? KIND_TASK : KINDS);
	const struct filter_list *l = &v->lists[kind], *all = &w.views[MAKER_ADA].lists[kind];
	struct filter_query *q = &d->query;

	if (round->by_body)
		filter_draw_search(a, q, l, all);
	else
		filter_draw(a, q, l, all);
	q->sort = NULL;
	q->count = false;
	q->limit = 1000;
	if (round->anchors[kind])
		filter_narrow(a, q, round->anchors[kind]);
	if (round->by_body)
		filter_write_search(a, q);
	else
		filter_write(a, q);
	draw_aggregate(d, l);
}

static void show_aggregate(
    struct arena *a, const struct filter_view *v, const struct aggregate_drawn *d, const char *why, int seed)
{
	printf("AGGREGATE_SEED=%d AGGREGATE_QUERIES=%d (%s)\n", seed, KINDS_OF_ROUNDS, v->name);
	if (d->query.body)
		printf("  POST %s/aggregate %s}\n", d->query.list->target, write_body(a, d));
	else
		printf("  GET %s\n", write_target(a, d));
	printf("  %s\n", why);
}

static void aggregate_try(struct aggregate_round *round, int seed)
{
	struct filter_view *v;
	struct aggregate_parts *p;
	struct aggregate_drawn *d;
	const char *why = NULL;
	struct arena a;

	arena_init(&a);
	patience_seed((uint64_t)seed);
	p = arena_alloc(&a, sizeof *p);
	d = arena_alloc(&a, sizeof *d);
	v = &w.views[patience_chance(MAKER_NOISE)];
	draw_one(&a, round, v, d);
	ask_parts(&a, &v->caller, d, p);
	round->queries++;
	if (filter_refused(v, &d->query.tree)) {
		round->refused++;
		why = p->wrong && strncmp(p->wrong, "422 ", 4) == 0 ? NULL : "not refused";
	} else {
		why = p->wrong ? p->wrong : aggregate_compare(&a, w.rig.program, d, p);
		round->parts += p->n;
		for (int i = 0; i < p->n; i++)
			round->groups += (int)json_member(p->data[i], "items")->count;
	}
	if (why && ++round->failed <= SHOWN_MAX)
		show_aggregate(&a, v, d, why, seed);
	arena_free(&a);
}

/* Returns the number of wrong answers. */
static int aggregate_try_many(struct aggregate_round *round)
{
	int first = rig_setting("AGGREGATE_SEED", 1), n = rig_setting("AGGREGATE_QUERIES", QUERIES) / KINDS_OF_ROUNDS;

	for (int i = 0; i < n; i++)
		aggregate_try(round, first + i);
	printf("seed %d: %d queries, %d refused, %d parts, %d groups, %d wrong\n", first, round->queries,
	    round->refused, round->parts, round->groups, round->failed);
	return round->failed;
}

TEST(test_by_query)
{
	struct aggregate_round round = {.by_body = false};

	assert_int_equal(aggregate_try_many(&round), 0);
	assert_true(round.groups > round.refused);
}

TEST(test_by_body)
{
	struct aggregate_round round = {.by_body = true};

	assert_int_equal(aggregate_try_many(&round), 0);
	assert_true(round.groups > round.refused);
}

/* Parts of few records add up. */
TEST(test_in_parts)
{
	struct aggregate_round round = {.by_body = true};
	int failed;

	filter_world_shorten(&w, true);
	failed = aggregate_try_many(&round);
	filter_world_shorten(&w, false);
	assert_int_equal(failed, 0);
	assert_true(round.parts > round.queries);
}

/* Adds the counts of a part, whose groups must be in the order of their first keys: days. */
static int64_t count_by_day(const struct json *data)
{
	const char *before = "", *value;
	int64_t count = 0;

	json_each(item, json_member(data, "items")) {
		value = json_text(json_items(json_member(item, "group")), "value");
		value = *value ? value : "unset"; /* comes last */
		assert_true(strcmp(before, value) <= 0);
		before = value;
		count += json_number(item, "count", -1);
	}
	return count;
}

/* Reads all parts of an aggregate of people by day and returns their number. A person has one birthday, so the groups
 * add up to the total. No part may have more groups. */
static int count_parts(const char *path, size_t groups)
{
	int64_t count = 0, total = 0;
	const char *error;
	int parts = 0;

	filter_world_shorten(&w, true);
	for (; path; parts++) {
		struct caller_answer a = caller_get(&w.callers[MAKER_ADA], path);
		const struct json *answer = json_read(&w.arena, a.reply.body, a.reply.body_len, &error);
		const struct json *data = json_member(answer, "data");
		assert_true(json_member(data, "items")->count <= groups);
		count += count_by_day(data);
		total += json_number(json_member(data, "total"), "count", -1);
		path = filter_next(answer);
	}
	filter_world_shorten(&w, false);
	assert_int_equal(count, total);
	return parts;
}

/* A part is not ordered by count. With faults, one of 40 records ends before it has more than 30 groups. */
TEST(test_parts_are_whole)
{
	int parts = count_parts("/v1/people/aggregate?groupBy=birthday&sort=-count&limit=1", 30);

	assert_true(count_parts("/v1/people/aggregate?groupBy=birthday,jobTitle", 30) > parts);
}

/* Beside concurrent writes, whose records the filters exclude. */
TEST(test_meanwhile)
{
	static const struct model_field maker = {"createdBy", MODEL_USER, MODEL_U},
	                                due = {"dueAt", MODEL_DATE, MODEL_D};
	struct model_condition not_theirs = {.field = &maker, .op = MODEL_NOT_IN, .n_values = 1};
	struct model_condition soon = {.field = &due, .op = MODEL_LT, .values = {{"2100-01-01"}}, .n_values = 1};
	struct aggregate_round round = {
	    .anchors = {[KIND_COMPANY] = &not_theirs, [KIND_PERSON] = &not_theirs, [KIND_TASK] = &soon}};
	struct filter_noise *noise;
	int sent, failed;

	not_theirs.values[0].text = w.users[MAKER_NOISE].id;
	noise = filter_noise_start(&w);
	failed = aggregate_try_many(&round);
	sent = filter_noise_stop(noise);
	printf("%d requests meanwhile\n", sent);
	assert_int_equal(failed, 0);
	assert_true(sent > 0);
}
