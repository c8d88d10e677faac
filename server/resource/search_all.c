/* GET /v1/search: the best matches among all kinds of records (docs/search.md). Each kind is one statement of one
 * exchange, after one that asks for what is known of the words; the best of all of them are the answer. */
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/request/listing.h"
#include "server/request/page.h"
#include "server/request/route.h"
#include "server/request/search_know.h"
#include "server/resource/activity.h"
#include "server/resource/steps.h"
#include "store/resources.h"

static void objects_visible(void *ctx, struct sql *s)
{
	const struct req *r = ctx;
	struct uuid *groups;
	size_t n = workspace_absent(r->caller.ws, &r->caller.viewer, s->arena, &groups);

	sql_add_uuid_array(s, " and t.group_id <> all (", groups, n);
	sql_add_uuid_array(s, ") and t.type_id <> all (", r->caller.ws->removed_types, r->caller.ws->n_removed_types);
	sql_add(s, ")");
}

static void notes_visible(void *ctx, struct sql *s)
{
	activity_visible_sql(&((const struct req *)ctx)->caller, &note_resource, s);
}

static void tasks_visible(void *ctx, struct sql *s)
{
	activity_visible_sql(&((const struct req *)ctx)->caller, &task_resource, s);
}

#define FIRST_COMPANY "(select c.name from companies c where c.workspace_id = $1 and c.id = t.company_ids[1])"
#define FIRST_PERSON "(select p.full_name from people p where p.workspace_id = $1 and p.id = t.person_ids[1])"
#define ENTITY_NAME                                                                                                    \
	"coalesce((select p.full_name from people p where p.workspace_id = $1 and p.id = t.entity_id), (select "       \
	"c.name "                                                                                                      \
	"from companies c where c.workspace_id = $1 and c.id = t.entity_id), (select j.name from objects j where "     \
	"j.workspace_id = $1 and j.id = t.entity_id), '')"
#define NO_SCOPE "null::uuid, null::uuid"

enum { PEOPLE, COMPANIES, OBJECTS, NOTES, TASKS, KINDS };

static const struct {
	const char *word;
	enum id_kind id_kind;
	const struct filter_searched *in;
	struct search_kind sql;
} kinds[KINDS] = {
    [PEOPLE] = {"people", ID_PERSON, &people_filters.searched,
        {"people", "t.full_name", "concat_ws(', ', nullif(t.job_title, ''), " FIRST_COMPANY ")", NO_SCOPE,
            .named = SEARCH_PEOPLE}},
    [COMPANIES] = {"companies", ID_COMPANY, &company_filters.searched,
        {"companies", "t.name", "coalesce(t.industry, '')", NO_SCOPE, .named = SEARCH_COMPANIES}},
    [OBJECTS] = {"objects", ID_OBJECT, &object_filters.searched,
        {"objects", "t.name", "coalesce(" FIRST_COMPANY ", " FIRST_PERSON ", '')", "t.group_id, t.type_id",
            objects_visible, .named = SEARCH_NAMED}},
    [NOTES] = {"notes", ID_NOTE, &note_searched,
        {"notes", "left(t.content, 80)", ENTITY_NAME, NO_SCOPE, notes_visible, .named = SEARCH_NAMED}},
    [TASKS] = {"tasks", ID_TASK, &task_filters.searched,
        {"tasks", "t.title", ENTITY_NAME, NO_SCOPE, tasks_visible, .named = SEARCH_NAMED}},
};

/* --- which kinds ---------------------------------------------------------------------------------- */

static int kind_find(const char *word, size_t len)
{
	int i = 0;

	while (i < KINDS && (strlen(kinds[i].word) != len || memcmp(kinds[i].word, word, len) != 0))
		i++;
	return i;
}

/* The kinds of a comma-separated list, as a set of bits; all of them without a list. Adds an issue for other words. */
static unsigned kinds_read(struct req *r)
{
	const struct param_value *given = req_param(r, "kinds");
	const char *words[KINDS + 1] = {NULL}, *at = given->text;
	struct path path = PATH_NAME(NULL, "kinds");
	unsigned set = 0;

	for (int i = 0; i < KINDS; i++)
		words[i] = kinds[i].word;
	while (given->given) {
		size_t len = strcspn(at, ",");
		int kind = kind_find(at, len);
		if (kind == KINDS)
			issue_choice(&r->given.issues, &path, words, at, len);
		else
			set |= 1u << kind;
		if (!at[len])
			return set;
		at += len + 1;
	}
	return (1u << KINDS) - 1;
}

/* --- steps ---------------------------------------------------------------------------------------------- */

enum { LIMIT_USUAL = 20 };

static int search_limit(const struct req *r)
{
	const struct param_value *limit = req_param(r, "limit");

	return limit->given ? (int)limit->number : LIMIT_USUAL;
}

/* Each kind that takes longer than KIND_MS is asked for again with less effort. When all have taken ALL_MS, each has
 * the least effort. A kind that is too slow even then is left out. */
enum { KIND_MS = 1500, ALL_MS = 3000 };

struct search_work {
	struct filter_search *search;
	unsigned set; /* of kinds */
	int efforts[KINDS];
	bool left_out; /* a kind was */
	int64_t begun_us;
};

static enum step search_fewer(struct req *r);

static enum step search_ask_kinds(struct req *r)
{
	struct search_work *w = r->state.search;

	for (int i = 0; i < KINDS; i++) {
		struct filter_search *of_kind = arena_alloc(&r->arena, sizeof *of_kind);
		struct search_kind kind = kinds[i].sql;
		struct filter_sql to = {.viewer = NULL};
		if (!(w->set & 1u << i))
			continue;
		*of_kind = *w->search;
		of_kind->in = kinds[i].in;
		kind.ctx = r;
		kind.effort = w->efforts[i];
		to.s = req_sql(r, NULL, NULL);
		search_best_sql(&to, of_kind, &kind, search_limit(r));
	}
	r->db.most_ms = KIND_MS;
	r->db.timed_out = search_fewer;
	return req_ask(r, DB_LIST);
}

/* The kind of the statement with this index. */
static int kind_of_statement(unsigned set, int statement)
{
	int kind = 0, at = -1;

	for (int i = 0; i < KINDS && at < statement; i++)
		if (set & 1u << i) {
			kind = i;
			at++;
		}
	return kind;
}

static enum step search_fewer(struct req *r)
{
	struct search_work *w = r->state.search;
	int slow = kind_of_statement(w->set, r->db.last->failed);

	if (w->efforts[slow] < SEARCH_EFFORTS - 1) {
		w->efforts[slow]++;
	} else {
		w->set &= ~(1u << slow);
		w->left_out = true;
	}
	if (!w->set)
		return reply_unavailable(r, ERROR_UNAVAILABLE, "the search of a few records took longer than a second");
	for (int i = 0; i < KINDS && clock_mono_us() - w->begun_us > ALL_MS * INT64_C(1000); i++)
		w->efforts[i] = SEARCH_EFFORTS - 1;
	return search_ask_kinds(r);
}

enum step search_read(struct req *r)
{
	struct search_work *w = r->state.search = arena_alloc(&r->arena, sizeof *w);
	struct path at = PATH_NAME(NULL, "q");

	w->set = kinds_read(r);
	w->begun_us = clock_mono_us();
	w->search = listing_split(r, req_param(r, "q"), &at);
	return r->given.issues.count ? reply_issues(r, "Invalid query parameters") : PASS;
}

static enum step search_kinds_less(struct req *r)
{
	return search_know_less(r, r->state.search->search);
}

enum step search_kinds(struct req *r)
{
	struct search_work *w = r->state.search;
	unsigned named = 0;
	enum step known;

	for (int i = 0; i < KINDS; i++)
		if (w->set & 1u << i)
			named |= search_named_by(kinds[i].in);
	known = search_know(r, w->search, named, search_kinds_less);
	return known == PASS ? search_ask_kinds(r) : known;
}

struct hit {
	int kind, statement, row;
	int64_t rank;
	struct uuid id;
};

static int hit_compare(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank) : uuid_compare(&y->id, &x->id);
}

/* The matches of a kind that were ranked, if there may be more. *cut becomes true then. */
static int64_t hits_scanned(const struct req *r, int statement, bool *cut)
{
	if (db_null(r->db.last, statement, 0, SEARCH_SCANNED))
		return 0;
	*cut = true;
	return db_int(r->db.last, statement, 0, SEARCH_SCANNED);
}

/* Collects the hits of all kinds in order; returns their number. *scanned: the matches ranked if not all were, else
 * -1. */
static size_t hits_collect(struct req *r, struct hit *hits, int64_t *scanned)
{
	unsigned set = r->state.search->set;
	bool cut = r->state.search->left_out;
	size_t n = 0;

	*scanned = 0;
	for (int kind = 0, statement = 0; kind < KINDS; kind++) {
		if (!(set & 1u << kind))
			continue;
		*scanned += hits_scanned(r, statement, &cut);
		for (int row = 0; row < db_rows(r->db.last, statement); row++)
			if (!db_null(r->db.last, statement, row, SEARCH_ID))
				hits[n++] =
				    (struct hit){kind, statement, row, db_int(r->db.last, statement, row, SEARCH_RANK),
				        db_uuid(r->db.last, statement, row, SEARCH_ID)};
		statement++;
	}
	qsort(hits, n, sizeof *hits, hit_compare);
	*scanned = cut ? *scanned : -1;
	return n;
}

static void hit_write_text(struct req *r, const struct hit *h, const char *key, int column)
{
	size_t len;
	const char *text = db_text(r->db.last, h->statement, h->row, column, &len);

	json_key(&r->reply.json, key);
	json_string_len(&r->reply.json, text ? text : "", text ? len : 0);
}

static const char *type_name(const struct group *g, const struct uuid *type)
{
	for (size_t i = 0; g && i < g->n_types; i++)
		if (uuid_equal(&g->types[i].id, type))
			return g->types[i].name;
	return "";
}

static void hit_write_scope(struct req *r, const struct hit *h)
{
	struct uuid group, type;

	if (!db_uuid_read(r->db.last, h->statement, h->row, SEARCH_SCOPE, &group))
		return;
	type = db_uuid(r->db.last, h->statement, h->row, SEARCH_SCOPE + 1);
	json_add_id(&r->reply.json, "groupId", ID_GROUP, &group);
	json_add_string(
	    &r->reply.json, "objectType", type_name(visible_group(r->caller.ws, &group, &r->caller.viewer), &type));
}

static void hit_write(struct req *r, const struct hit *h)
{
	struct json_out *o = &r->reply.json;
	const char **matched;
	size_t *lens, n = db_text_array(r->db.last, h->statement, h->row, SEARCH_MATCHED, &r->arena, &matched, &lens);

	json_begin_object(o);
	json_add_id(o, "id", kinds[h->kind].id_kind, &h->id);
	json_add_string(o, "kind", kinds[h->kind].word);
	hit_write_text(r, h, "title", SEARCH_TITLE);
	hit_write_text(r, h, "subtitle", SEARCH_SUBTITLE);
	json_key(o, "matched");
	json_begin_array(o);
	for (size_t i = 0; i < n; i++)
		json_string(o, matched[i]);
	json_end_array(o);
	hit_write_scope(r, h);
	json_end_object(o);
}

enum step search_show(struct req *r)
{
	struct hit *hits = arena_alloc(&r->arena, (size_t)search_limit(r) * KINDS * sizeof *hits);
	struct json_out *o = page_begin(r);
	int64_t scanned;
	size_t n = hits_collect(r, hits, &scanned), most = (size_t)search_limit(r);

	for (size_t i = 0; i < n && i < most; i++)
		hit_write(r, &hits[i]);
	json_end_array(o);
	json_key(o, "pagination");
	json_begin_object(o);
	if (scanned >= 0)
		json_add_int(o, "scanned", scanned);
	json_end_object(o);
	json_end_object(o);
	return reply_end(r);
}
