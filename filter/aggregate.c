/* Statements of aggregates; see aggregate.h. */
#include "filter/aggregate.h"

#include <string.h>

#include "filter/condition.h"
#include "server/base/fault.h"

/* As in filter/compile.c: if a row costs more than COST, fewer rows are tested. */
enum { ROW_COST = 2, GROUPING_COST = 1, LIST_COST = 3, COST = 8, AGGREGATE_WORDS_MAX = 16 };
enum { SMALL_MOST = 40, SMALL_GROUPS = 30 }; /* for tests */

#define LAST_ID "'ffffffff-ffff-ffff-ffff-ffffffffffff'"

const char *const aggregate_buckets[] = {"", "day", "week", "month", "quarter", "year", NULL};

struct totals {
	struct filter_sql to;
	struct sql *s;
	const struct filter_base *base;
	const struct filter *filter;
	const struct aggregate *a;
	const struct aggregate_part *part;
};

/* --- fields ------------------------------------------------------------------------------- */

bool aggregate_is_time(const struct filter_field *f)
{
	return (f->type == FILTER_DAY || f->type == FILTER_INSTANT) && f->source != FILTER_MET_BY;
}

bool aggregate_is_day(const struct filter_field *f)
{
	return f->type == FILTER_DATE || aggregate_is_time(f);
}

bool aggregate_groups(const struct filter_field *f)
{
	switch (f->type) {
	case FILTER_TEXT:
		return f->grouped;
	case FILTER_TEXTS:
	case FILTER_EMAILS:
	case FILTER_PHONES:
	case FILTER_ENTITY:
		return false;
	default:
		return f->source != FILTER_MET_BY && f->source != FILTER_MONTH;
	}
}

unsigned aggregate_measures(const struct filter_field *f)
{
	if (f->source == FILTER_MONTH)
		return 0;
	return f->type == FILTER_NUMBER ? MEASURE_SUM | MEASURE_AVG | MEASURE_MIN | MEASURE_MAX
	       : aggregate_is_day(f)    ? MEASURE_MIN | MEASURE_MAX
	                                : 0;
}

/* True when a record may have several values. */
static bool field_is_list(const struct filter_field *f)
{
	return value_is_list(f->type) || f->type == FILTER_OPTIONS;
}

static bool grouping_is_list(const struct totals *t)
{
	for (int i = 0; i < t->a->n_groupings; i++)
		if (field_is_list(t->a->groupings[i].of.field))
			return true;
	return false;
}

/* True for references to records, whose names the database has. */
static bool grouping_is_named(const struct aggregate_grouping *g)
{
	return g->of.field->type == FILTER_REFS && g->of.field->kinds != 1u << ID_GROUP;
}

int aggregate_most(const struct filter *f, const struct aggregate *a)
{
	int cost = ROW_COST + (f ? row_cost(f) : 0);

	for (int i = 0; i < a->n_groupings; i++)
		cost += field_is_list(a->groupings[i].of.field) ? LIST_COST : GROUPING_COST;
	for (int i = 0; i < a->n_measures; i++)
		cost += a->measures[i].of.field->source == FILTER_CUSTOM;
	if (FAULT_ERROR(short_stages))
		return SMALL_MOST;
	return cost > COST ? AGGREGATE_TESTED_MAX / cost * COST : AGGREGATE_TESTED_MAX;
}

int aggregate_groups_most(void)
{
	return FAULT_ERROR(short_stages) ? SMALL_GROUPS : AGGREGATE_GROUPS_MAX;
}

/* --- rows ----------------------------------------------------------------------------------- */

/* The rows of the list from the beginning of the part on. */
static void totals_begin(const struct totals *t)
{
	sql_add(t->s, "t.workspace_id = $1");
	if (t->base->column) {
		sql_addf(t->s, " and t.%s = ", t->base->column);
		sql_uuid(t->s, &t->base->id);
	}
	if (t->part->after) {
		sql_add(t->s, " and t.id >= ");
		sql_uuid(t->s, &t->part->from);
	}
	filter_created_sql(t->s, t->filter, "t.id");
}

/* Appends " and …": ids before the end of the part. */
static void totals_before_end(const struct totals *t, const char *id)
{
	sql_addf(t->s, " and %s < coalesce((select id from ending), " LAST_ID ")", id);
}

/* " left join …" of the values of a field that are not in a column of the row, as "k" of the alias. Values are read in
 * the order of their records, as an index has them, so half a million are merged without sorting or hashing them.
 * "offset 0" keeps PostgreSQL 15 from forgetting that order below an outer join. */
static void totals_join(const struct totals *t, const struct filter_condition *of, const char *alias, int n)
{
	const struct filter_field *f = of->field;
	struct value_ids absent = value_absent(t->base->viewer, of);

	if (f->source == FILTER_CUSTOM) {
		/* "distinct" says that a record has at most one value, so the merge does not look for further ones. */
		sql_addf(t->s,
		    "\n\tleft join (select %sv.owner_id, %s as k from field_values v where v.workspace_id = $1 and ",
		    field_is_list(f) ? "" : "distinct on (v.owner_id) ", value_custom_column(f->type));
		value_custom_sql(&t->to, of);
		if (t->part->after) {
			sql_add(t->s, " and v.owner_id >= ");
			sql_uuid(t->s, &t->part->from);
		}
		totals_before_end(t, "v.owner_id");
		sql_addf(t->s, " order by v.owner_id offset 0) %s%d on %s%d.owner_id = t.id", alias, n, alias, n);
	} else if (field_is_list(f)) {
		sql_addf(t->s, "\n\tleft join lateral (select distinct i as k from unnest(t.%s) i where i <> all (",
		    f->column);
		sql_uuid_array(t->s, absent.ids, absent.n);
		sql_addf(t->s, ")) %s%d on true", alias, n);
	}
}

/* Appends the value of a field, null when unset. */
static void totals_value(const struct totals *t, const struct filter_condition *of, const char *alias, int n)
{
	const struct filter_field *f = of->field;

	if (f->source == FILTER_CUSTOM || field_is_list(f))
		sql_addf(t->s, "%s%d.k", alias, n);
	else if (f->type == FILTER_TEXT)
		sql_addf(t->s, "nullif(t.%s, '')", f->column);
	else
		sql_addf(t->s, f->type == FILTER_NUMBER ? "t.%s::numeric" : "t.%s", f->column);
}

static void totals_key(const struct totals *t, int n)
{
	const struct aggregate_grouping *g = &t->a->groupings[n];

	if (g->bucket)
		sql_addf(t->s, "date_trunc('%s', ", aggregate_buckets[g->bucket]);
	totals_value(t, &g->of, "g", n);
	if (g->bucket)
		sql_add(t->s, "::timestamp)::date"); /* a time's in the transaction's zone */
}

/* " from …" of the records of the part. */
static void totals_rows(const struct totals *t, bool grouped)
{
	sql_addf(t->s, "\n\tfrom %s t", t->base->table->resource->table);
	for (int i = 0; i < t->a->n_groupings && grouped; i++)
		totals_join(t, &t->a->groupings[i].of, "g", i);
	for (int i = 0; i < t->a->n_measures; i++)
		totals_join(t, &t->a->measures[i].of, "m", i);
	sql_add(t->s, "\n\twhere ");
	totals_begin(t);
	totals_before_end(t, "t.id");
	if (t->base->more)
		t->base->more(t->base->ctx, t->s);
	if (t->filter)
		filter_test_sql(t->s, t->base, t->filter);
}

/* ", count(…) as v0, sum(…) as s0, min(…) as a0, max(…) as z0" for each measure. */
static void totals_measures(const struct totals *t)
{
	static const struct {
		const char *function, *name;
		unsigned when;
	} parts[] = {{"count", "v", ~0u}, {"sum", "s", MEASURE_SUM | MEASURE_AVG}, {"min", "a", MEASURE_MIN},
	    {"max", "z", MEASURE_MAX}};

	for (int i = 0; i < t->a->n_measures; i++)
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
			if (!(t->a->measures[i].wanted & parts[k].when))
				continue;
			sql_addf(t->s, ", %s(", parts[k].function);
			totals_value(t, &t->a->measures[i].of, "m", i);
			sql_addf(t->s, ") as %s%d", parts[k].name, i);
		}
}

/* The same figures of several groups. */
static void totals_added(const struct totals *t)
{
	sql_add(t->s, "coalesce(sum(n), 0)::bigint as n");
	for (int i = 0; i < t->a->n_measures; i++) {
		unsigned wanted = t->a->measures[i].wanted;
		sql_addf(t->s, ", coalesce(sum(v%d), 0)::bigint as v%d", i, i);
		if (wanted & (MEASURE_SUM | MEASURE_AVG))
			sql_addf(t->s, ", sum(s%d) as s%d", i, i);
		if (wanted & MEASURE_MIN)
			sql_addf(t->s, ", min(a%d) as a%d", i, i);
		if (wanted & MEASURE_MAX)
			sql_addf(t->s, ", max(z%d) as z%d", i, i);
	}
}

/* --- the parts of the statement -------------------------------------------------------------- */

/* Where the part ends: one record is counted beyond its size, and if there is one the next part begins with it. */
static void totals_ending(const struct totals *t)
{
	const char *table = t->base->table->resource->table;

	sql_addf(t->s, "with size as materialized (select count(*) as n from (select from %s t where ", table);
	totals_begin(t);
	sql_addf(t->s,
	    " limit (select %d)) r),\n"
	    "ending as materialized (select case when n > %d then (select t.id from %s t where ",
	    t->part->most + 1, t->part->most, table);
	totals_begin(t);
	sql_addf(t->s, " order by t.id offset (select %d) limit 1) end as id from size),\n", t->part->most);
	/* Records that the viewer may not see are not counted. */
	if (!t->base->more) {
		sql_addf(t->s, "tested as (select least(n, %d) as n from size),\n", t->part->most);
		return;
	}
	sql_addf(t->s, "tested as materialized (select count(*) as n from %s t where ", table);
	totals_begin(t);
	totals_before_end(t, "t.id");
	t->base->more(t->base->ctx, t->s);
	sql_add(t->s, "),\n");
}

static void totals_grouped(const struct totals *t)
{
	sql_add(t->s, "grouped as materialized (select ");
	for (int i = 0; i < t->a->n_groupings; i++) {
		totals_key(t, i);
		sql_addf(t->s, " as k%d, ", i);
	}
	sql_add(t->s, "count(*) as n");
	totals_measures(t);
	totals_rows(t, true);
	if (t->a->n_groupings)
		sql_add(t->s, t->a->n_groupings > 1 ? "\n\tgroup by 1, 2" : "\n\tgroup by 1");
	sql_add(t->s, "),\n");
}

/* A record with several values counts once in the total. */
static void totals_whole(const struct totals *t)
{
	if (grouping_is_list(t)) {
		sql_add(t->s, "whole as (select count(*) as n");
		totals_measures(t);
		totals_rows(t, false);
	} else {
		sql_add(t->s, "whole as (select ");
		totals_added(t);
		sql_add(t->s, " from grouped");
	}
	sql_add(t->s, "),\n");
}

/* Appends the name of a record that a key refers to. */
static void totals_name(const struct totals *t, int n)
{
	static const struct {
		enum id_kind kind;
		const char *table, *name;
	} records[] = {
	    {ID_PERSON, "people", "full_name"}, {ID_COMPANY, "companies", "name"}, {ID_OBJECT, "objects", "name"}};
	const struct aggregate_grouping *g = &t->a->groupings[n];

	sql_add(t->s, "coalesce(null::text");
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		if (grouping_is_named(g) && g->of.field->kinds & 1u << records[i].kind)
			sql_addf(t->s, ", (select r.%s from %s r where r.workspace_id = $1 and r.id = g.k%d)",
			    records[i].name, records[i].table, n);
	sql_add(t->s, ")");
}

static void totals_words(const struct totals *t, const char *const *words)
{
	size_t n = 0, lens[AGGREGATE_WORDS_MAX];

	while (words[n] && n < AGGREGATE_WORDS_MAX) {
		lens[n] = strlen(words[n]);
		n++;
	}
	sql_text_array(t->s, words, lens, n);
}

/* "n desc, " or the like, then the keys: unset values last. Parts are ordered by keys only. */
static void totals_order(const struct totals *t)
{
	const char *comma = "";

	if (t->a->sort != AGGREGATE_BY_KEY && !t->part->after) {
		sql_add(t->s, "case when (select id is null from ending) then ");
		if (t->a->sort == AGGREGATE_BY_COUNT)
			sql_add(t->s, "n");
		else
			sql_addf(t->s, "coalesce(s%d, 0)", t->a->by);
		sql_add(t->s, " end desc, ");
	}
	for (int i = 0; i < t->a->n_groupings; i++) {
		const struct aggregate_grouping *g = &t->a->groupings[i];
		const char *name = grouping_is_named(g) ? "e" : g->of.field->type == FILTER_TEXT ? "k" : NULL;
		sql_addf(t->s, "%sk%d is null", comma, i);
		if (g->ids) {
			sql_add(t->s, ", array_position(");
			sql_uuid_array(t->s, g->ids, g->n_ids);
			sql_addf(t->s, ", k%d)", i);
		} else if (name && !g->words) {
			sql_addf(t->s, ", kith_fold(%s%d)", name, i);
		} else if (g->words) {
			sql_add(t->s, ", array_position(");
			totals_words(t, g->words);
			sql_addf(t->s, ", k%d)", i);
		}
		sql_addf(t->s, ", k%d", i);
		if (g->of.field->type == FILTER_TEXT || g->of.field->type == FILTER_CHOICE)
			sql_add(t->s, " collate \"C\"");
		comma = ", ";
	}
	if (!t->a->n_groupings)
		sql_add(t->s, "n");
}

static void totals_ranked(const struct totals *t)
{
	sql_add(t->s, "ranked as materialized (select g.*, row_number() over (order by ");
	totals_order(t);
	sql_add(t->s, ") as place from (select g.*");
	for (int i = 0; i < t->a->n_groupings; i++) {
		sql_add(t->s, ", ");
		totals_name(t, i);
		sql_addf(t->s, " as e%d", i);
	}
	sql_add(t->s, " from grouped g) g),\n");
}

/* The number of groups to list: a part has all of them. */
static void totals_shown(const struct totals *t)
{
	if (t->part->after)
		sql_addf(t->s, "%d", t->part->groups + 1);
	else
		sql_addf(t->s, "(select case when id is null then %d else %d end from ending)", t->a->limit,
		    t->part->groups + 1);
}

/* ", v0, s0, …": the columns of the measures. */
static void totals_columns(const struct totals *t)
{
	for (int i = 0; i < t->a->n_measures; i++) {
		unsigned wanted = t->a->measures[i].wanted;
		sql_addf(t->s, ", v%d", i);
		if (wanted & (MEASURE_SUM | MEASURE_AVG))
			sql_addf(t->s, ", s%d", i);
		if (wanted & MEASURE_MIN)
			sql_addf(t->s, ", a%d", i);
		if (wanted & MEASURE_MAX)
			sql_addf(t->s, ", z%d", i);
	}
}

/* ", null, null": the columns of the groupings in rows that are not groups. */
static void totals_no_keys(const struct totals *t)
{
	for (int i = 0; i < t->a->n_groupings; i++)
		sql_addf(t->s, ", null, null");
}

static void totals_listed(const struct totals *t)
{
	sql_addf(t->s, "listed as materialized (select %d as what, place", AGGREGATE_GROUP);
	for (int i = 0; i < t->a->n_groupings; i++)
		sql_addf(t->s, ", k%d, e%d", i, i);
	sql_add(t->s, ", n");
	totals_columns(t);
	sql_add(t->s, " from ranked where place <= ");
	totals_shown(t);
	sql_addf(t->s, "\n\tunion all select %d, 0", AGGREGATE_TOTAL);
	totals_no_keys(t);
	sql_add(t->s, ", n");
	totals_columns(t);
	sql_add(t->s, " from whole");
	if (!t->part->after) {
		sql_addf(t->s, "\n\tunion all select %d, 0", AGGREGATE_OTHER);
		totals_no_keys(t);
		sql_add(t->s, ", ");
		totals_added(t);
		sql_addf(t->s, " from ranked where place > %d and (select id is null from ending) having count(*) > 0",
		    t->a->limit);
	}
	sql_add(t->s, ")\n");
}

/* --- the result ------------------------------------------------------------------------------- */

static void result_key(const struct totals *t, int n)
{
	const struct aggregate_grouping *g = &t->a->groupings[n];
	const struct filter_field *f = g->of.field;
	unsigned contacts = 1u << ID_PERSON | 1u << ID_COMPANY;

	if (aggregate_is_day(f))
		sql_addf(t->s, ", to_char(k%d::timestamp, 'YYYY-MM-DD')", n);
	else
		sql_addf(t->s, f->type == FILTER_NUMBER ? ", trim_scale(k%d)::text" : ", k%d::text", n);
	sql_addf(t->s, ", e%d", n);
	if (f->type == FILTER_REFS && (f->kinds & contacts) == contacts)
		sql_addf(t->s,
		    ", case when exists (select from people r where r.workspace_id = $1 and r.id = k%d) then "
		    "%d else %d end",
		    n, ID_PERSON, ID_COMPANY);
	else
		sql_add(t->s, ", null::int");
}

/* min() and max() as text: of times the milliseconds since 1970. */
static void result_edge(const struct totals *t, const struct filter_field *f, const char *column, int n)
{
	if (f->type == FILTER_NUMBER)
		sql_addf(t->s, ", trim_scale(%s%d)::text", column, n);
	else if (f->type == FILTER_DATE)
		sql_addf(t->s, ", to_char(%s%d::timestamp, 'YYYY-MM-DD')", column, n);
	else
		sql_addf(t->s, ", floor(extract(epoch from %s%d) * 1000)::bigint::text", column, n);
}

/* The average is computed exactly and then rounded, because PostgreSQL's division rounds once already. */
static void result_measure(const struct totals *t, int n)
{
	const struct aggregate_measure *m = &t->a->measures[n];

	sql_addf(t->s, ", v%d", n);
	if (m->wanted & (MEASURE_SUM | MEASURE_AVG))
		sql_addf(t->s,
		    ", trim_scale(coalesce(s%d, 0))::text, trim_scale(sign(s%d) * div(2000000 * abs(s%d) + v%d, "
		    "nullif(2 * v%d, 0)) * 0.000001)::text",
		    n, n, n, n, n);
	else
		sql_add(t->s, ", null::text, null::text");
	if (m->wanted & MEASURE_MIN)
		result_edge(t, m->of.field, "a", n);
	else
		sql_add(t->s, ", null::text");
	if (m->wanted & MEASURE_MAX)
		result_edge(t, m->of.field, "z", n);
	else
		sql_add(t->s, ", null::text");
}

void aggregate_sql(struct sql *s, const struct filter_base *b, const struct filter *f, const struct aggregate *a,
    const struct aggregate_part *part)
{
	struct totals t = {{s, b->viewer}, s, b, f, a, part};

	totals_ending(&t);
	totals_grouped(&t);
	totals_whole(&t);
	totals_ranked(&t);
	totals_listed(&t);
	sql_add(s, "select what, (select n from tested), (select id from ending), n");
	for (int i = 0; i < a->n_groupings; i++)
		result_key(&t, i);
	for (int i = 0; i < a->n_measures; i++)
		result_measure(&t, i);
	sql_add(s, " from listed order by what, place");
}
