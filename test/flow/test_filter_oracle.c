/*
 * Filters compared with a model without SQL (test/lib/model/filter_model.h): random queries of three users over some
 * hundred records must give the ids, order, pages and count of the model.
 *
 *   FILTER_QUERIES=20000      queries in each kind of round, for long rounds
 *   FILTER_SEED=N             the first query; a failure is repeated with its number and FILTER_QUERIES=1
 *   FILTER_WORLD=N            other data
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/lib/db/consistency.h"
#include "test/lib/model/filter_query.h"
#include "test/lib/patience.h"
#include "test/lib/test.h"

enum { QUERIES = 120, SHOWN_MAX = 8, ROWS_MAX = 5, FOUND_MAX = 1000, PAGES_MAX = 100, CONDITIONS_MAX = 64 };

static struct filter_world w;

BEFORE_ALL()
{
	filter_world_open(&w, "filters", (uint64_t)rig_setting("FILTER_WORLD", 1));
}

AFTER_ALL()
{
	assert_true(filter_world_close(&w));
}

/* --- the server's results ----------------------------------------------------------------------- */

struct oracle_found {
	const char *ids[FOUND_MAX];
	size_t n;
	int early;         /* pages that ended before they were full */
	const char *wrong; /* a violation of what holds for every list; NULL: none */
};

static void read_page(
    struct arena *a, const struct filter_query *q, const struct json *page, size_t expected, struct oracle_found *f)
{
	const struct json *data = json_member(page, "data"), *items = json_member(data, "items");
	const struct json *count = json_member(json_member(data, "pagination"), "count");

	for (const struct json *i = items->first; i && f->n < FOUND_MAX; i = i->next)
		f->ids[f->n++] = json_member(i, "id")->text;
	bool more = json_member(json_member(data, "pagination"), q->body ? "nextCursor" : "nextLink") != NULL;
	bool early = json_member(json_member(data, "pagination"), "scanned") != NULL;
	f->early += early;
	if (items->count > (size_t)q->limit || (more && !early && items->count < (size_t)q->limit))
		f->wrong = "a page of another size than its limit";
	else if (early && !more)
		f->wrong = "a page that ended early without a link";
	else if (more && !early && f->n >= expected)
		f->wrong = "a link to a page after the last one";
	else if ((count != NULL) != q->count)
		f->wrong = "a count unasked for, or none";
	else if (count && strtoul(count->text, NULL, 10) != expected)
		f->wrong = arena_printf(a, "count %s", count->text);
}

/* The first page, or the one after page; false: there is none. */
static bool ask_page(
    struct arena *a, struct caller *c, const struct filter_query *q, const struct json *page, struct caller_answer *r)
{
	const struct json *pagination = page ? json_member(json_member(page, "data"), "pagination") : NULL;
	const struct json *cursor = page ? json_member(pagination, "nextCursor") : NULL;
	const char *next = page ? filter_next(page) : NULL;

	if (page && !next && !cursor)
		return false;
	if (q->body)
		*r = caller_send(c, "POST", arena_printf(a, "%s/search", q->list->target), NULL,
		    cursor ? arena_printf(a, "%s,\"cursor\":\"%s\"}", q->body, cursor->text)
		           : arena_printf(a, "%s}", q->body));
	else
		*r =
		    caller_send(c, "GET", next ? next : arena_printf(a, "%s?%s", q->list->target, q->text), NULL, NULL);
	return true;
}

static void fetch_query(
    struct arena *a, struct caller *c, const struct filter_query *q, size_t expected, struct oracle_found *f)
{
	const struct json *page = NULL;
	const char *error;
	struct caller_answer r;

	memset(f, 0, sizeof *f);
	for (int pages = 0; !f->wrong && pages < PAGES_MAX && ask_page(a, c, q, page, &r); pages++) {
		page = r.status == 200 ? json_read(a, r.reply.body, r.reply.body_len, &error) : NULL;
		if (page)
			read_page(a, q, page, expected, f);
		else
			f->wrong = arena_printf(a, "%d %s %s", r.status, r.error, r.reply.body ? r.reply.body : "");
		arena_free(&c->arena);
	}
}

/* --- reporting ----------------------------------------------------------------------------------- */

/* Lists the conditions of a tree; returns their number. */
static size_t conditions_of(const struct model_tree *t, const struct model_condition **out, size_t n)
{
	if (t->condition && n < CONDITIONS_MAX)
		out[n++] = t->condition;
	for (size_t i = 0; i < t->n_parts; i++)
		n = conditions_of(t->parts[i], out, n);
	return n;
}

static bool has_id(const char *const *ids, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(ids[i], id) == 0)
			return true;
	return false;
}

/* The record's values of the fields in the query. */
static void show_record(const struct filter_query *q, const char *id)
{
	const struct model_condition *conditions[CONDITIONS_MAX];
	size_t n = conditions_of(&q->tree, conditions, 0);
	const struct filter_list *l = q->list;
	struct model_items items;

	for (size_t r = 0; r < l->n_records; r++) {
		if (strcmp(json_member(l->records[r], "id")->text, id) != 0)
			continue;
		for (size_t i = 0; i < n; i++) {
			if (conditions[i]->relation)
				continue;
			model_read(l->records[r], conditions[i]->field, &items);
			printf(" (");
			for (size_t k = 0; k < items.count; k++)
				printf("%s'%s'", k ? " " : "", items.items[k].text);
			printf(")");
		}
		printf(" updated %s", json_member(l->records[r], "updatedAt")->text);
	}
}

/* The ids of one that are not in the other. */
static void show_more(const struct filter_query *q, const char *label, const char *const *ids, size_t n,
    const char *const *others, size_t n_others)
{
	int shown = 0;

	for (size_t i = 0; i < n && shown < ROWS_MAX; i++) {
		if (has_id(others, n_others, ids[i]))
			continue;
		shown++;
		printf("  %s %s:", label, ids[i]);
		show_record(q, ids[i]);
		printf("\n");
	}
}

static void show_tree(const struct model_tree *t, int depth)
{
	const struct model_condition *c = t->condition;

	if (!c) {
		printf("  %*s%s\n", 2 * depth, "", t->any ? "any of" : "all of");
		for (size_t i = 0; i < t->n_parts; i++)
			show_tree(t->parts[i], depth + 1);
		return;
	}
	printf("  %*s%s%s%s %s", 2 * depth, "", c->relation ? c->relation->name : "", c->relation ? "." : "",
	    c->field->name, model_op_words[c->op]);
	for (size_t i = 0; i < c->n_values; i++)
		printf(" '%s'", c->values[i].text ? c->values[i].text : c->values[i].email);
	printf("\n");
}

static void show_difference(const struct filter_view *v, const struct filter_query *q, const char *const *expected,
    size_t n, const struct oracle_found *f, int seed)
{
	printf("FILTER_SEED=%d FILTER_QUERIES=1 (%s)\n", seed, v->name);
	if (q->body)
		printf("  POST %s/search %s}\n", q->list->target, q->body);
	else
		printf("  GET %s?%s\n", q->list->target, q->text);
	show_tree(&q->tree, 0);
	if (f->wrong)
		printf("  %s\n", f->wrong);
	printf("  expected %s%zu, got %zu\n", filter_refused(v, &q->tree) ? "a refusal, else " : "", n, f->n);
	show_more(q, "missing", expected, n, f->ids, f->n);
	show_more(q, "too many", f->ids, f->n, expected, n);
	for (size_t i = 0; i < n && i < f->n; i++)
		if (strcmp(expected[i], f->ids[i]) != 0) {
			printf("  at %zu: expected %s, got %s\n", i, expected[i], f->ids[i]);
			break;
		}
}

/* --- rounds of queries ------------------------------------------------------------------------------ */

/* A round's parameters and results. */
struct oracle_round {
	bool search;                                  /* by body, else by query string */
	const struct model_condition *anchors[KINDS]; /* exclude concurrent writes; NULL: there are none */
	int queries, matching, failed, early;
	int asked[MODEL_OPS], matched[MODEL_OPS]; /* queries with that operator */
};

static void draw_query(struct arena *a, struct oracle_round *round, const struct filter_view *v, struct filter_query *q)
{
	unsigned kind = patience_chance(round->search ? KIND_TASK : KINDS);
	const struct filter_list *l = &v->lists[kind], *all = &w.views[MAKER_ADA].lists[kind];

	if (round->search) {
		filter_draw_search(a, q, l, all);
		filter_write_search(a, q);
		return;
	}
	filter_draw(a, q, l, all);
	if (round->anchors[kind])
		filter_narrow(a, q, round->anchors[kind]);
	filter_write(a, q);
}

static void count_query(struct oracle_round *round, const struct filter_query *q, size_t matches)
{
	const struct model_condition *conditions[CONDITIONS_MAX];
	size_t n = conditions_of(&q->tree, conditions, 0);

	round->queries++;
	round->matching += matches > 0;
	for (size_t i = 0; i < n; i++) {
		round->asked[conditions[i]->op]++;
		round->matched[conditions[i]->op] += matches > 0;
	}
}

static void compare_query(
    struct arena *a, struct oracle_round *round, struct filter_view *v, const struct filter_query *q, int seed)
{
	const char **expected;
	size_t n = filter_expect(a, q, &expected);
	struct oracle_found *f = arena_alloc(a, sizeof *f);

	fetch_query(a, &v->caller, q, n, f);
	round->early += f->early;
	bool refused = filter_refused(v, &q->tree);
	bool same = refused ? f->wrong && strncmp(f->wrong, "422 ", 4) == 0 : !f->wrong && n == f->n;
	for (size_t i = 0; same && !refused && i < n; i++)
		same = strcmp(expected[i], f->ids[i]) == 0;
	if (!same && ++round->failed <= SHOWN_MAX)
		show_difference(v, q, expected, n, f, seed);
	count_query(round, q, refused ? 0 : n);
}

static void try_one(struct oracle_round *round, int seed)
{
	struct filter_query q;
	struct arena a;

	arena_init(&a);
	patience_seed((uint64_t)seed);
	struct filter_view *v = &w.views[patience_chance(MAKER_NOISE)];
	draw_query(&a, round, v, &q);
	compare_query(&a, round, v, &q, seed);
	arena_free(&a);
}

/* Each operator of each field by itself: single conditions are compiled differently. */
static void try_field(struct oracle_round *round, struct filter_view *v, const struct filter_list *l, int field)
{
	struct filter_query q;
	struct arena a;

	for (int op = 0; op < MODEL_OPS; op++) {
		if (!(l->fields[field].ops & 1u << op))
			continue;
		arena_init(&a);
		if (filter_draw_one(&a, &q, l, &l->fields[field], (enum model_op)op)) {
			filter_write(&a, &q);
			compare_query(&a, round, v, &q, 0);
		}
		arena_free(&a);
	}
}

static int try_singly(struct oracle_round *round)
{
	struct filter_view *v = &w.views[patience_chance(MAKER_NOISE)];

	for (int kind = 0; kind < KINDS; kind++)
		for (int field = 0; field < v->lists[kind].n_fields; field++)
			try_field(round, v, &v->lists[kind], field);
	printf("%d single conditions, %d of them matching, %d wrong\n", round->queries, round->matching, round->failed);
	assert_true(round->matching > round->queries / 2);
	return round->failed;
}

/* Each stray by itself, wherever ids are accepted, for one user or another. */
static void try_strays(struct oracle_round *round, int view, enum filter_kind kind, int field)
{
	const struct filter_list *l = &w.views[view].lists[kind];
	struct filter_query q;
	struct arena a;

	for (int op = 0; op < MODEL_OPS; op++) {
		if (!(l->fields[field].ops & 1u << op))
			continue;
		for (size_t stray = 0; stray < l->n_strays; stray++) {
			if ((stray + (size_t)(view + field + op)) % MAKER_NOISE)
				continue;
			arena_init(&a);
			if (filter_draw_stray(&a, &q, l, &l->fields[field], (enum model_op)op, stray)) {
				filter_write(&a, &q);
				compare_query(&a, round, &w.views[view], &q, 0);
			}
			arena_free(&a);
		}
	}
}

/* Returns the number of wrong results. */
static int try_many(struct oracle_round *round)
{
	int first = rig_setting("FILTER_SEED", 1), n = rig_setting("FILTER_QUERIES", QUERIES);

	for (int i = 0; i < n; i++)
		try_one(round, first + i);
	printf("%d queries, %d of them matching, %d wrong; %d pages ended early\n", round->queries, round->matching,
	    round->failed, round->early);
	/* An operator that never matches proves nothing. */
	for (int op = 0; op < MODEL_OPS && n >= QUERIES; op++) {
		printf("  %s %d, %d matching\n", model_op_words[op], round->asked[op], round->matched[op]);
		assert_true(round->matched[op] > 0);
	}
	return round->failed;
}

TEST(test_lists)
{
	struct oracle_round round = {.search = false};

	assert_int_equal(try_many(&round), 0);
}

TEST(test_searches)
{
	struct oracle_round round = {.search = true};

	assert_int_equal(try_many(&round), 0);
}

TEST(test_stages)
{
	struct oracle_round lists = {.search = false}, searches = {.search = true};

	filter_world_shorten(&w, true);
	int failed = try_many(&lists) + try_many(&searches);
	filter_world_shorten(&w, false);
	assert_int_equal(failed, 0);
	assert_true(lists.early > 0 && searches.early > 0);
}

TEST(test_singly)
{
	struct oracle_round usual = {.search = false}, shortened = {.search = false};

	patience_seed((uint64_t)rig_setting("FILTER_SEED", 1));
	int failed = try_singly(&usual);
	filter_world_shorten(&w, true);
	failed += try_singly(&shortened);
	filter_world_shorten(&w, false);
	assert_int_equal(failed, 0);
}

/* Ids that are unknown, deleted, hidden or of another kind. */
TEST(test_strays)
{
	struct oracle_round round = {.search = false};

	patience_seed((uint64_t)rig_setting("FILTER_SEED", 1));
	for (int view = 0; view < MAKER_NOISE; view++)
		for (int kind = 0; kind < KINDS; kind++)
			for (int field = 0; field < w.views[view].lists[kind].n_fields; field++)
				try_strays(&round, view, (enum filter_kind)kind, field);
	printf("%d conditions on strays, %d wrong\n", round.queries, round.failed);
	assert_int_equal(round.failed, 0);
	assert_true(round.matched[MODEL_NOT_IN] > 0 && round.matched[MODEL_IN] > 0);
}

/* Conditions that exclude the noise; objects of its type are in no list here. */
TEST(test_meanwhile)
{
	static const struct model_field maker = {"createdBy", MODEL_USER, MODEL_U},
	                                due = {"dueAt", MODEL_DATE, MODEL_D};
	struct model_condition not_theirs = {.field = &maker, .op = MODEL_NOT_IN, .n_values = 1};
	struct model_condition soon = {.field = &due, .op = MODEL_LT, .values = {{"2100-01-01"}}, .n_values = 1};
	struct oracle_round round = {
	    .anchors = {[KIND_COMPANY] = &not_theirs, [KIND_PERSON] = &not_theirs, [KIND_TASK] = &soon}};
	struct filter_noise *noise;

	not_theirs.values[0].text = w.users[MAKER_NOISE].id;
	filter_world_shorten(&w, true);
	noise = filter_noise_start(&w);
	int failed = try_many(&round);
	int sent = filter_noise_stop(noise);
	filter_world_shorten(&w, false);
	printf("%d requests meanwhile\n", sent);
	assert_int_equal(failed, 0);
	assert_true(sent > 0);
}

/* After all these writes, and when deleted ones are removed from the records: each record is once in the order by
 * updatedAt, with its time. */
TEST(test_order)
{
	assert_true(filter_world_let_go(&w));
	assert_int_equal(consistency_broken(w.rig.program), 0);
	assert_true(database_int(w.rig.program, "select count(*) from objects_updates") > 0);
}

/* Updates of unindexed columns stay on their page: no index may be added that they would have to change. */
TEST(test_heap_only)
{
	static const char indexed[] =
	    "select count(*) from pg_index i join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = "
	    "i.indexrelid "
	    "and d.refobjid = i.indrelid join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid "
	    "where i.indrelid in ('people'::regclass, 'companies'::regclass, 'objects'::regclass) and a.attname = any "
	    "('{updated_at,custom_values,interaction_users,interaction_numbers,last_interacted_at}')";

	assert_int_equal(database_int(w.rig.program, indexed), 0);
}

/* Autovacuum, restores and index maintenance evaluate the indexes' functions without a search_path. */
TEST(test_maintained)
{
	static const char maintain[] =
	    "set search_path = ''; reindex table public.people; reindex table public.companies; reindex table "
	    "public.objects; "
	    "reindex table public.tasks; reindex table public.field_values; analyze public.people, public.companies, "
	    "public.objects, public.tasks, public.field_values; reset search_path; select 1";

	assert_int_equal(database_int(w.rig.program, maintain), 1);
}
