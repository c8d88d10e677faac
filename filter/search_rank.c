/* The best matches of one kind of records, for a search over all kinds; see search.h. */
#include "filter/search.h"

/* The efforts, the usual one first. How long a record takes depends on the length of its texts. */
static const struct {
	int ranked; /* this many candidates of an index are ranked, fewer when a row costs much. 0: no index */
	int newest; /* if there may be more matches, this many of the newest records are tested, too, */
	int older;  /* or this many if no match has been found before; fewer when a row costs more than that of one word
	             */
} efforts[SEARCH_EFFORTS] = {{2000, 500, 100000}, {300, 300, 10000}, {0, 300, 1000}, {0, 50, 50}};

/* The newest of plenty: a match among 50 records fills a usual answer. */
enum { RANKED_COST = 10, OLDER_COST = 2, NEWEST_OF_PLENTY = 2000 };

/* The number of rows that are tested in the time of so many that have this cost. */
static int rows_most(const struct filter_search *search, int usually, int usual_cost)
{
	int cost = search_cost(search);

	return cost > usual_cost ? usually / cost * usual_cost : usually;
}

/* Appends the rank of a row by its worst word; o.own is its folded text, which begins with the title. */
static void rank_sql(struct sql *s, const struct filter_search *search)
{
	const char *separator = "greatest(";

	for (size_t i = 0; i < search->n_terms; i++)
		for (size_t k = 0; k < search->terms[i].n_parts; k++) {
			const struct search_part *part = &search->terms[i].parts[k];
			sql_addf(s, "%scase when starts_with(o.own, ", separator);
			sql_textz(s, arena_printf(s->arena, "\n%s", part->folded));
			sql_add(s, ") then case when starts_with(o.own, ");
			sql_textz(s, arena_printf(s->arena, "\n%s\n", part->folded));
			sql_add(s, ") then 0 else 1 end when o.own ~ ");
			sql_textz(s, part->beginning);
			sql_add(s, " then 2 else 3 end");
			separator = ", ";
		}
	sql_add(s, ")");
}

/* Appends " or …" for each part of the search that the text has. */
static void any_part_sql(struct sql *s, const char *text, const struct filter_search *search)
{
	for (size_t i = 0; i < search->n_terms; i++) {
		for (size_t k = 0; k < search->terms[i].n_parts; k++) {
			sql_add(s, " or ");
			search_part_sql(s, text, &search->terms[i].parts[k]);
		}
		for (size_t k = 0; k < search->terms[i].n_ends; k++) {
			sql_add(s, " or ");
			search_end_sql(s, text, search->terms[i].ends[k]);
		}
	}
}

static void matched_sql(struct sql *s, const struct filter_search *search)
{
	const struct filter_searched *in = search->in;

	sql_add(s, "array_remove(array[");
	for (const struct search_field *f = in->fields; f->name; f++) {
		sql_addf(s, "%scase when false", f == in->fields ? "" : ", ");
		any_part_sql(s, f->text, search);
		sql_addf(s, " then '%s' end", f->name);
	}
	for (int k = 0; k < in->n_relations; k++) {
		const struct search_relation *rel = &in->relations[k];
		sql_addf(s,
		    ", case when exists (select from %s c where c.workspace_id = $1 and c.id = any (t.%s) and (false",
		    rel->table, rel->ids);
		any_part_sql(s, arena_printf(s->arena, "kith_search_line(c.%s)", rel->name), search);
		sql_addf(s, ")) then '%s' end", rel->field);
	}
	sql_add(s, "], null)");
}

static bool kind_plenty(const struct filter_search *search, const struct search_kind *kind)
{
	return kind->named < SEARCH_NAMED && search->plenty[kind->named];
}

/* "candidates as (…), choice as (…)": the ids that an index finds, and whether these are all matches. */
static void candidates_sql(
    const struct filter_sql *to, const struct filter_search *search, const struct search_kind *kind)
{
	int ranked = rows_most(search, efforts[kind->effort].ranked, RANKED_COST);
	struct lookup lookups[1 + SEARCH_RELATIONS_MAX];
	const struct filter *f = search_added(to->s->arena, search, NULL);
	int n = ranked && !kind_plenty(search, kind) ? search_lookups(to, kind->table, f->condition, lookups) : 0;

	sql_add(to->s, "with candidates as materialized (\n\tselect id from (");
	if (n == 0)
		sql_add(to->s, "select null::uuid as id where false");
	for (int i = 0; i < n; i++) {
		sql_add(to->s, i ? "\n\tunion all " : "");
		lookup_sql(&lookups[i], to);
	}
	if (n == 0 && ranked && !kind_plenty(search, kind))
		search_some_sql(to, kind->table, search);
	if (ranked)
		search_joint_sql(to, search);
	sql_addf(
	    to->s, ") c limit %d\n),\nchoice as materialized (\n\tselect %s and ", ranked + 1, n ? "true" : "false");
	sql_addf(to->s, "(select count(*) from candidates) <= %d as whole\n),\n", ranked);
}

/* Rows are tested by this. By the expression of the index, PostgreSQL might read the index once more. */
#define OWN_TEXT "o.own"

/* " from …": rows t with their texts. */
static void rows_from_sql(struct sql *s, const struct filter_search *search, const struct search_kind *kind)
{
	sql_addf(s, "\n\tfrom %s t cross join lateral (select %s as own offset 0) o where t.workspace_id = $1",
	    kind->table, search->in->text);
	if (kind->more)
		kind->more(kind->ctx, s);
}

/* "NAME as (…)": the newest records of a condition, " and …", with the ranks of those that match. */
static void newest_sql(const struct filter_sql *to, const struct filter_search *search, const struct search_kind *kind,
    const char *name, const char *condition, int most)
{
	sql_addf(to->s, "%s as materialized (\n\tselect t.id, case when ", name);
	search_row_sql(to, search, OWN_TEXT);
	sql_add(to->s, " then ");
	rank_sql(to->s, search);
	sql_add(to->s, " end as rank");
	rows_from_sql(to->s, search, kind);
	sql_addf(to->s, "%s order by t.id desc limit (select %d)\n),\n", condition, most);
}

void search_best_sql(
    const struct filter_sql *to, const struct filter_search *search, const struct search_kind *kind, int limit)
{
	int newest = kind_plenty(search, kind) && kind->effort == 0 ? NEWEST_OF_PLENTY : efforts[kind->effort].newest;
	struct sql *s = to->s;

	candidates_sql(to, search, kind);
	sql_add(s, "found as materialized (\n\tselect t.id, ");
	rank_sql(s, search);
	sql_add(s, " as rank");
	rows_from_sql(s, search, kind);
	sql_add(s, " and t.id = any (array(select id from candidates)) and ");
	search_row_sql(to, search, OWN_TEXT);
	sql_add(s, "\n),\n");
	newest_sql(to, search, kind, "newest", " and not (select whole from choice)", newest);
	/* Read on demand, and not at all unless nothing else was found. */
	newest_sql(to, search, kind, "older",
	    " and not exists (select from found) and not exists (select from newest where rank is not null)",
	    rows_most(search, efforts[kind->effort].older, OLDER_COST));
	sql_addf(s,
	    "hits as materialized (\n\tselect id, rank from found"
	    "\n\tunion select id, rank from newest where rank is not null"
	    "\n\tunion (select id, rank from older where rank is not null and "
	    "(select count(*) from newest) = %d limit %d)\n)\n",
	    newest, limit);
	/* All matches were found if the candidates are all, or if there are no older records. */
	sql_addf(s,
	    "select case when (select count(*) from newest) = %d then (select count(*) from hits) end, h.id, h.rank, ",
	    newest);
	sql_addf(s, "%s, %s, ", kind->title, kind->subtitle);
	matched_sql(s, search);
	sql_addf(s,
	    ", %s from (values (1)) one left join (select id, rank from hits order by rank, id desc limit %d) h on "
	    "true",
	    kind->scope, limit);
	sql_addf(s, " left join %s t on t.workspace_id = $1 and t.id = h.id order by h.rank, h.id desc", kind->table);
}
