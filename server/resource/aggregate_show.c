/* Aggregates: asks for a part of a list's figures, and shows them (docs/totals.md). */
#include <stdlib.h>
#include <string.h>

#include "server/base/civil.h"
#include "server/base/clock.h"
#include "server/request/aggregate_read.h"
#include "server/request/listing.h"
#include "server/request/page.h"
#include "server/request/route.h"
#include "server/request/slice.h"
#include "server/resource/merged.h"
#include "server/resource/steps.h"

/* A part that takes longer is asked for again with fewer records. */
enum { PART_MS = 1000, PART_FEWER = 4 };

struct aggregate_work {
	struct page page; /* its cursor says where the part begins */
	struct filter_base base;
	struct aggregate_part part;
	int at;          /* index of the result */
	int row, n_rows; /* rows shown, and all of them */
	bool begun;      /* the first row was shown */
	bool in_parts;   /* there is a part before or after this one */
};

/* --- asking ----------------------------------------------------------------------------------- */

static enum step aggregate_fewer(struct req *r);

static enum step aggregate_issues(struct req *r)
{
	return reply_issues(r, r->route->input == INPUT_SEARCH ? "Invalid input" : "Invalid query parameters");
}

/* Joins of half a million records spill to disk in the usual 4 MB. The memory is shared between the joins, so that many
 * measures do not take more of it than one. The zone is set, because "at time zone" reads CET and other names of zones
 * as abbreviations, which have no summer time. */
static void aggregate_settings(struct req *r)
{
	enum { MEGABYTES = 32, USUAL = 4 };
	int joins = r->given.aggregate->what.n_groupings + r->given.aggregate->what.n_measures;
	int each = joins ? MEGABYTES / joins : USUAL;
	struct sql *s = req_sql(r, NULL, NULL);

	sql_addf(
	    s, "select set_config('work_mem', '%dMB', true), set_config('TimeZone', ", each > USUAL ? each : USUAL);
	sql_textz(s, r->given.aggregate->zone_name);
	sql_add(s, ", true) from workspaces where workspace_id = $1");
}

/* The server has the zone, but PostgreSQL, whose zones may be older, does not. */
static enum step aggregate_zone_unknown(struct req *r)
{
	struct path at = PATH_NAME(NULL, "timeZone");

	issue_custom(&r->given.issues, &at, "The database does not have this time zone");
	issue_hint(&r->given.issues, "write an older name of the zone, or update the time zones of PostgreSQL");
	return aggregate_issues(r);
}

static enum step aggregate_ask(struct req *r)
{
	struct aggregate_work *w = r->state.aggregate;

	aggregate_settings(r);
	aggregate_sql(req_sql(r, NULL, &w->at), &w->base, r->given.listing ? r->given.listing->filter : NULL,
	    &r->given.aggregate->what, &w->part);
	r->db.most_ms = PART_MS;
	r->db.timed_out = aggregate_fewer;
	r->db.unknown_value = aggregate_zone_unknown;
	return req_ask(r, DB_LIST);
}

static enum step aggregate_fewer(struct req *r)
{
	struct aggregate_part *part = &r->state.aggregate->part;

	if (part->most == 1)
		return reply_unavailable(r, ERROR_UNAVAILABLE, "the figures of one record took longer than a second");
	part->most = part->most > PART_FEWER ? part->most / PART_FEWER : 1;
	return aggregate_ask(r);
}

enum step aggregate_open(struct req *r)
{
	struct aggregate_work *w = r->state.aggregate;
	const struct filter *f = r->given.listing ? r->given.listing->filter : NULL;
	enum step followed;

	if (!w) { /* before merged ids are replaced, because a cursor belongs to the query as it was sent */
		w = r->state.aggregate = arena_alloc(&r->arena, sizeof *w);
		if (!page_read(r, &w->page))
			return aggregate_issues(r);
		w->page.limit = r->given.aggregate->what.limit;
	}
	followed = listing_know(r);
	if (followed == PASS)
		followed = merged_follow_query(r);
	if (followed != PASS)
		return followed;
	w->base = *step_list_base(r);
	w->base.viewer = &r->given.aggregate->viewer;
	w->part = (struct aggregate_part){.after = w->page.after,
	    .from = w->page.cursor.id,
	    .most = aggregate_most(f, &r->given.aggregate->what),
	    .groups = aggregate_groups_most()};
	if (w->page.cursor.has_value && w->page.cursor.value < w->part.most)
		w->part.most = (int)w->page.cursor.value;
	return aggregate_ask(r);
}

/* --- keys ------------------------------------------------------------------------------------- */

/* "2026-03-01", "2026-W10", "2026-03", "2026-Q1", "2026". A week belongs to the year of its Thursday. */
static const char *bucket_label(struct arena *a, enum aggregate_bucket bucket, int32_t day)
{
	int year, month, date;

	civil_from_days(bucket == BUCKET_WEEK ? day + 3 : day, &year, &month, &date);
	switch (bucket) {
	case BUCKET_WEEK:
		return arena_printf(a, "%04d-W%02d", year, (day + 3 - civil_days(year, 1, 1)) / 7 + 1);
	case BUCKET_MONTH:
		return arena_printf(a, "%04d-%02d", year, month);
	case BUCKET_QUARTER:
		return arena_printf(a, "%04d-Q%d", year, (month + 2) / 3);
	case BUCKET_YEAR:
		return arena_printf(a, "%04d", year);
	default:
		return arena_printf(a, "%04d-%02d-%02d", year, month, date);
	}
}

static int32_t bucket_end(enum aggregate_bucket bucket, int32_t day)
{
	switch (bucket) {
	case BUCKET_WEEK:
		return day + 7;
	case BUCKET_MONTH:
		return civil_add_months(day, 1);
	case BUCKET_QUARTER:
		return civil_add_months(day, 3);
	case BUCKET_YEAR:
		return civil_add_months(day, 12);
	default:
		return day + 1;
	}
}

static void show_instant(struct json_out *o, const char *name, const struct zone *zone, int32_t day)
{
	char text[TIME_TEXT_SIZE];

	json_add_string(o, name, time_format(zone_instant(zone, (int64_t)day * 86400) * 1000, text));
}

static void show_day(struct req *r, const struct aggregate_grouping *g, const char *key)
{
	struct json_out *o = &r->reply.json;
	int32_t day = 0;

	date_parse(key, strlen(key), &day);
	json_add_string(o, "value", key);
	json_add_string(o, "label", bucket_label(&r->arena, g->bucket, day));
	if (!aggregate_is_time(g->of.field))
		return;
	show_instant(o, "from", r->given.aggregate->zone, day);
	show_instant(o, "to", r->given.aggregate->zone, bucket_end(g->bucket, day));
}

/* The value and the label of a key that is an id. */
static void show_reference(struct req *r, enum id_kind kind, const char *key, const char *label)
{
	json_add_string(&r->reply.json, "value", arena_printf(&r->arena, "%s_%s", id_prefix(kind), key));
	json_add_string(&r->reply.json, "label", label);
}

static enum id_kind only_kind(unsigned kinds)
{
	enum id_kind kind = 0;

	while (kind < ID_KINDS && kinds != 1u << kind)
		kind++;
	return kind;
}

/* A key that is an id: of a user, an option, a group or another record. */
static void show_id(struct req *r, int grouping, const char *key, int row, int column)
{
	const struct aggregate_grouping *g = &r->given.aggregate->what.groupings[grouping];
	const struct db_exchange *x = r->db.last;
	const struct workspace *ws = r->caller.ws;
	int at = r->state.aggregate->at;
	enum id_kind kind = only_kind(g->of.field->kinds);
	const struct custom_option *option;
	const struct user *user;
	struct uuid id;

	uuid_parse(key, strlen(key), &id);
	switch (g->of.field->type) {
	case FILTER_USER:
	case FILTER_USERS:
		user = workspace_user(ws, &id);
		show_reference(r, ID_USER, key, user ? user->full_name : NULL);
		break;
	case FILTER_OPTION:
	case FILTER_OPTIONS:
		option = field_option_by_id(r->given.aggregate->fields[grouping], &id);
		json_add_string(&r->reply.json, "value", option ? option->label : NULL);
		json_add_string(&r->reply.json, "label", option ? option->label : NULL);
		break;
	default:
		if (kind == ID_GROUP) {
			const struct group *group = workspace_group(ws, &id);
			show_reference(r, kind, key, group ? group->name : NULL);
			break;
		}
		if (kind == ID_KINDS)
			kind = (enum id_kind)db_int(x, at, row, column + GROUPING_KIND);
		show_reference(r, kind, key,
		    db_null(x, at, row, column + GROUPING_NAME) ? NULL
		                                                : db_text(x, at, row, column + GROUPING_NAME, NULL));
	}
}

static void show_key(struct req *r, int grouping, int row)
{
	const struct aggregate_grouping *g = &r->given.aggregate->what.groupings[grouping];
	int at = r->state.aggregate->at, column = AGGREGATE_COLUMNS + grouping * GROUPING_COLUMNS;
	struct json_out *o = &r->reply.json;
	const char *key = db_null(r->db.last, at, row, column) ? NULL : db_text(r->db.last, at, row, column, NULL);

	json_begin_object(o);
	if (!key) {
		json_add_string(o, "value", NULL);
		json_add_string(o, "label", g->of.field->unset);
	} else if (aggregate_is_day(g->of.field)) {
		show_day(r, g, key);
	} else if (g->of.field->type >= FILTER_USER) {
		show_id(r, grouping, key, row, column);
	} else {
		json_add_string(o, "value", key);
		json_add_string(o, "label", key);
	}
	json_end_object(o);
}

/* --- figures ------------------------------------------------------------------------------------ */

/* min and max of times are milliseconds. */
static void show_figure(struct req *r, const struct aggregate_measure *m, int row, int column, bool edge)
{
	struct json_out *o = &r->reply.json;
	int at = r->state.aggregate->at;
	const char *text = db_null(r->db.last, at, row, column) ? NULL : db_text(r->db.last, at, row, column, NULL);
	char time[TIME_TEXT_SIZE];

	json_key(o, m->of.name);
	json_string(
	    o, text && edge && aggregate_is_time(m->of.field) ? time_format(strtoll(text, NULL, 10), time) : text);
}

/* "sum": {"F": "12.5"} and the like. A part has the sum with every average, from which the averages of several parts
 * are computed. */
static void show_measure(struct req *r, unsigned measure, int row)
{
	static const struct {
		const char *name;
		int column;
	} parts[] = {[MEASURE_SUM] = {"sum", MEASURED_SUM},
	    [MEASURE_AVG] = {"avg", MEASURED_AVG},
	    [MEASURE_MIN] = {"min", MEASURED_MIN},
	    [MEASURE_MAX] = {"max", MEASURED_MAX}};
	const struct aggregate *a = &r->given.aggregate->what;
	struct json_out *o = &r->reply.json;

	json_key(o, parts[measure].name);
	json_begin_object(o);
	for (int i = 0; i < a->n_measures; i++) {
		unsigned wanted = a->measures[i].wanted;
		int first = AGGREGATE_COLUMNS + a->n_groupings * GROUPING_COLUMNS + i * MEASURE_COLUMNS;
		if (wanted & MEASURE_AVG && r->state.aggregate->in_parts)
			wanted |= MEASURE_SUM;
		if (wanted & measure)
			show_figure(r, &a->measures[i], row, first + parts[measure].column,
			    measure == MEASURE_MIN || measure == MEASURE_MAX);
	}
	json_end_object(o);
}

/* "values": {"F": 3}: how many records have a value of the field, by which an average divides. */
static void show_values(struct req *r, int row)
{
	const struct aggregate *a = &r->given.aggregate->what;
	struct json_out *o = &r->reply.json;

	json_key(o, "values");
	json_begin_object(o);
	for (int i = 0; i < a->n_measures; i++)
		json_add_int(o, a->measures[i].of.name,
		    db_int(r->db.last, r->state.aggregate->at, row,
		        AGGREGATE_COLUMNS + a->n_groupings * GROUPING_COLUMNS + i * MEASURE_COLUMNS + MEASURED_VALUES));
	json_end_object(o);
}

static void show_currencies(struct req *r)
{
	const struct aggregate_request *given = r->given.aggregate;
	struct json_out *o = &r->reply.json;
	bool any = false;

	for (int i = 0; i < given->what.n_measures; i++)
		any |= given->currencies[i] != NULL;
	if (!any)
		return;
	json_key(o, "currency");
	json_begin_object(o);
	for (int i = 0; i < given->what.n_measures; i++)
		if (given->currencies[i])
			json_add_string(o, given->what.measures[i].of.name, given->currencies[i]);
	json_end_object(o);
}

static void show_figures(struct req *r, int row)
{
	json_add_int(&r->reply.json, "count", db_int(r->db.last, r->state.aggregate->at, row, AGGREGATE_COUNT));
	for (unsigned measure = MEASURE_SUM; measure <= MEASURE_MAX; measure *= 2)
		show_measure(r, measure, row);
	show_values(r, row);
	show_currencies(r);
}

/* --- the answer ----------------------------------------------------------------------------------- */

static void show_item(struct req *r, int row, int64_t what)
{
	struct json_out *o = &r->reply.json;

	json_begin_object(o);
	json_key(o, "group");
	json_begin_array(o);
	for (int i = 0; i < r->given.aggregate->what.n_groupings && what == AGGREGATE_GROUP; i++)
		show_key(r, i, row);
	json_end_array(o);
	if (what == AGGREGATE_OTHER)
		json_add_bool(o, "other", true);
	show_figures(r, row);
	json_end_object(o);
}

static void show_pagination(struct req *r, int row)
{
	struct aggregate_work *w = r->state.aggregate;
	struct json_out *o = &r->reply.json;
	/* The next part is not larger than this one, which was fast enough. */
	struct cursor next = {.sort = (uint8_t)w->page.sort, .has_id = true, .has_value = true, .value = w->part.most};
	char cursor[CURSOR_SIZE];

	json_key(o, "pagination");
	json_begin_object(o);
	json_add_int(o, "tested", db_int(r->db.last, w->at, row, AGGREGATE_TESTED));
	if (db_uuid_read(r->db.last, w->at, row, AGGREGATE_NEXT, &next.id))
		page_next(r, "cursor", req_cursor_seal(r, cursor, w->page.context, &next), w->page.limit);
	json_end_object(o);
}

/* The part has too many groups, so a shorter one is asked for. */
static enum step show_fewer(struct req *r)
{
	struct aggregate_work *w = r->state.aggregate;
	struct path at = PATH_NAME(NULL, "groupBy");

	if (w->part.most == 1) {
		issue_custom(&r->given.issues, &at, "A single record has more than %d groups", w->part.groups);
		return aggregate_issues(r);
	}
	r->next--; /* runs the step again */
	return aggregate_fewer(r);
}

/* The rows are the groups, perhaps "other", and the total. */
enum step aggregate_show(struct req *r)
{
	enum { BETWEEN_LOOKS = 16 };
	struct aggregate_work *w = r->state.aggregate;
	struct json_out *o = &r->reply.json;

	if (!w->begun) {
		w->n_rows = db_rows(r->db.last, w->at);
		w->in_parts = w->page.after || !db_null(r->db.last, w->at, w->n_rows - 1, AGGREGATE_NEXT);
		if (w->in_parts && w->n_rows > w->part.groups + 1)
			return show_fewer(r);
		w->begun = true;
		page_begin(r);
	}
	for (; w->row < w->n_rows - 1; w->row++) {
		show_item(r, w->row, db_int(r->db.last, w->at, w->row, AGGREGATE_WHAT));
		if (w->row % BETWEEN_LOOKS == 0 && slice_over(r)) {
			w->row++;
			return AGAIN;
		}
	}
	json_end_array(o);
	json_key(o, "total");
	json_begin_object(o);
	show_figures(r, w->row);
	json_end_object(o);
	show_pagination(r, w->row);
	json_end_object(o);
	return reply_end(r);
}
