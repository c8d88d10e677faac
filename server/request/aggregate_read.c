/* Groupings and measures of a request; see aggregate_read.h. */
#include "server/request/aggregate_read.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/request/listing.h"
#include "server/request/route.h"

enum { LIMIT_DEFAULT = 100 };

/* The functions of measures, with the sets that they are. */
static const struct {
	const char *word;
	unsigned measure;
} functions[] = {{"sum", MEASURE_SUM}, {"avg", MEASURE_AVG}, {"min", MEASURE_MIN}, {"max", MEASURE_MAX}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

struct aggregate_reading {
	struct req *r;
	const struct resource *resource;
	struct listing_reading listing;
	struct aggregate_request *out;
	const struct path *up; /* of the object that has the parameters */
	const char *parameter; /* that is being read */
	int n_items;           /* of it */
};

/* One item of a parameter. */
struct aggregate_item {
	const char *text;
	size_t len;
};

static struct issues *issues_of(const struct aggregate_reading *rd)
{
	return &rd->r->given.issues;
}

/* --- fields ----------------------------------------------------------------------------- */

/* As filter_look_up(), with the name. */
static const char *aggregate_look_up(
    struct aggregate_reading *rd, const char *name, size_t len, struct filter_condition *of)
{
	const char *why = filter_look_up(&rd->listing.reading, name, len, of);

	of->name = arena_dup(&rd->r->arena, name, len);
	return why;
}

/* ctx: the reading. Tries the names of the fields that the parameter takes. */
static void aggregate_fields_near(const void *ctx, struct near *n)
{
	const struct aggregate_reading *rd = ctx;
	bool groups = strcmp(rd->parameter, "groupBy") == 0;
	const struct filter_field *f;

	for (int i = 0; (f = filter_field_at(rd->listing.reading.table, i)); i++)
		if (groups ? aggregate_groups(f) : aggregate_measures(f) != 0)
			near_try(n, f->name, strlen(f->name));
}

static bool refuse_field(
    struct aggregate_reading *rd, const char *why, const char *name, size_t len, const struct path *at)
{
	issue_custom(issues_of(rd), at, "%s", *why ? why : "Unknown field");
	if (*why)
		filter_hint_custom(&rd->listing.reading, name, len);
	else
		issue_hint_near(issues_of(rd), name, len, aggregate_fields_near, rd, "fields");
	return false;
}

/* --- groupBy ------------------------------------------------------------------------------ */

/* The bucket that a text ends with; *len becomes the length of the field before it. */
static enum aggregate_bucket item_bucket(const char *text, size_t *len)
{
	for (enum aggregate_bucket b = BUCKET_DAY; aggregate_buckets[b]; b++) {
		size_t word = strlen(aggregate_buckets[b]);
		if (*len > word + 1 && text[*len - word - 1] == ':' &&
		    memcmp(text + *len - word, aggregate_buckets[b], word) == 0) {
			*len -= word + 1;
			return b;
		}
	}
	return BUCKET_NONE;
}

static int user_compare(const void *a, const void *b)
{
	const struct user *const *one = a, *const *other = b;
	int order = strcasecmp((*one)->full_name, (*other)->full_name);

	return order ? order : uuid_compare(&(*one)->id, &(*other)->id);
}

static int group_compare(const void *a, const void *b)
{
	const struct group *const *one = a, *const *other = b;
	int order = strcasecmp((*one)->name, (*other)->name);

	return order ? order : uuid_compare(&(*one)->id, &(*other)->id);
}

static void order_users(struct aggregate_reading *rd, struct aggregate_grouping *g)
{
	const struct workspace *ws = rd->r->caller.ws;
	const struct user **users = arena_alloc(&rd->r->arena, (ws->n_users + 1) * sizeof(const struct user *));
	struct uuid *ids = arena_alloc(&rd->r->arena, (ws->n_users + 1) * sizeof *ids);

	for (size_t i = 0; i < ws->n_users; i++)
		users[i] = &ws->users[i];
	qsort(users, ws->n_users, sizeof(const struct user *), user_compare);
	for (size_t i = 0; i < ws->n_users; i++)
		ids[i] = users[i]->id;
	g->ids = ids;
	g->n_ids = ws->n_users;
}

static void order_groups(struct aggregate_reading *rd, struct aggregate_grouping *g)
{
	const struct workspace *ws = rd->r->caller.ws;
	const struct group **groups = arena_alloc(&rd->r->arena, (ws->n_groups + 1) * sizeof(const struct group *));
	struct uuid *ids = arena_alloc(&rd->r->arena, (ws->n_groups + 1) * sizeof *ids);

	for (size_t i = 0; i < ws->n_groups; i++)
		groups[i] = &ws->groups[i];
	qsort(groups, ws->n_groups, sizeof(const struct group *), group_compare);
	for (size_t i = 0; i < ws->n_groups; i++)
		ids[i] = groups[i]->id;
	g->ids = ids;
	g->n_ids = ws->n_groups;
}

static void order_options(struct aggregate_reading *rd, struct aggregate_grouping *g, const struct custom_field *field)
{
	struct uuid *ids = arena_alloc(&rd->r->arena, (field->n_options + 1) * sizeof *ids);

	for (size_t i = 0; i < field->n_options; i++)
		ids[i] = field->options[i].id;
	g->ids = ids;
	g->n_ids = field->n_options;
}

/* Sets what the order of the groups follows, as far as the values and the names of records do not give it. */
static void grouping_order(struct aggregate_reading *rd, struct aggregate_grouping *g, const struct custom_field *field)
{
	const struct filter_field *f = g->of.field;
	const struct resource *res = rd->resource;
	int at = field ? -1 : field_find(res, f->name, strlen(f->name));

	if (f->type == FILTER_USER || f->type == FILTER_USERS)
		order_users(rd, g);
	else if (f->type == FILTER_REFS && f->kinds == 1u << ID_GROUP)
		order_groups(rd, g);
	else if (field && (f->type == FILTER_OPTION || f->type == FILTER_OPTIONS))
		order_options(rd, g, field);
	else if (at >= 0 && res->fields[at].type == FIELD_CHOICE)
		g->words = res->fields[at].choices;
}

static bool grouping_read(struct aggregate_reading *rd, const struct aggregate_item *item, const struct path *at)
{
	struct aggregate *a = &rd->out->what;
	struct aggregate_grouping *g = &a->groupings[a->n_groupings];
	const char *why = aggregate_look_up(rd, item->text, item->len, &g->of);
	const struct custom_field *field;
	size_t len = item->len;

	g->bucket = why ? item_bucket(item->text, &len) : BUCKET_NONE;
	if (g->bucket)
		why = aggregate_look_up(rd, item->text, len, &g->of);
	if (why)
		return refuse_field(rd, why, item->text, len, at);
	if (!aggregate_groups(g->of.field)) {
		issue_custom(issues_of(rd), at, "Records cannot be grouped by this field");
		issue_hint_near(issues_of(rd), "", 0, aggregate_fields_near, rd, "fields");
		return false;
	}
	if (g->bucket && !aggregate_is_day(g->of.field)) {
		issue_custom(issues_of(rd), at, "Only dates and times have a bucket");
		issue_hint(issues_of(rd), "leave out `:%s`", aggregate_buckets[g->bucket]);
		return false;
	}
	if (aggregate_is_day(g->of.field) && !g->bucket)
		g->bucket = BUCKET_DAY;
	field = g->of.field->source == FILTER_CUSTOM ? workspace_field(rd->r->caller.ws, &g->of.custom.id) : NULL;
	rd->out->fields[a->n_groupings] = field;
	grouping_order(rd, g, field);
	a->n_groupings++;
	return true;
}

/* --- measures ------------------------------------------------------------------------------- */

/* The function that a text begins with, as an index of functions, and the length before its field; -1: none. */
static int item_function(const char *text, size_t len, size_t *before)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		*before = strlen(functions[i].word) + 1;
		if (len > *before && memcmp(text, functions[i].word, *before - 1) == 0 && text[*before - 1] == ':')
			return i;
	}
	return -1;
}

static struct aggregate_measure *measure_of(struct aggregate_reading *rd, const struct filter_condition *of)
{
	struct aggregate *a = &rd->out->what;
	const struct custom_field *field;

	for (int i = 0; i < a->n_measures; i++)
		if (strcmp(a->measures[i].of.name, of->name) == 0)
			return &a->measures[i];
	field = of->field->source == FILTER_CUSTOM ? workspace_field(rd->r->caller.ws, &of->custom.id) : NULL;
	if (field && field->type == CUSTOM_NUMBER && field->format && strcmp(field->format, "currency") == 0)
		rd->out->currencies[a->n_measures] = field->currency;
	a->measures[a->n_measures].of = *of;
	return &a->measures[a->n_measures++];
}

static bool measure_read(struct aggregate_reading *rd, const struct aggregate_item *item, const struct path *at)
{
	struct filter_condition of;
	size_t before;
	int function = item_function(item->text, item->len, &before);
	const char *why;

	if (function < 0) {
		issue_custom(issues_of(rd), at, "Unknown measure");
		issue_hint(issues_of(rd), "write `sum:`, `avg:`, `min:` or `max:` before the name of a field");
		return false;
	}
	why = aggregate_look_up(rd, item->text + before, item->len - before, &of);
	if (why)
		return refuse_field(rd, why, item->text + before, item->len - before, at);
	if (!(aggregate_measures(of.field) & functions[function].measure)) {
		bool day = aggregate_is_day(of.field);
		issue_custom(issues_of(rd), at, "This field has no %s", functions[function].word);
		if (day)
			issue_hint(issues_of(rd), "dates and times have `min` and `max`");
		else
			issue_hint_near(issues_of(rd), "", 0, aggregate_fields_near, rd, "fields");
		return false;
	}
	measure_of(rd, &of)->wanted |= functions[function].measure;
	return true;
}

/* --- lists of names --------------------------------------------------------------------------- */

/* One item of a list: reads it, or with at NULL only tells whether it names a field. */
static bool item_names_field(struct aggregate_reading *rd, const struct aggregate_item *item)
{
	bool groups = strcmp(rd->parameter, "groupBy") == 0;
	struct filter_condition of;
	size_t len = item->len, before = 0;

	if (!groups)
		return item_function(item->text, item->len, &before) >= 0 &&
		       !aggregate_look_up(rd, item->text + before, item->len - before, &of);
	return !aggregate_look_up(rd, item->text, len, &of) ||
	       (item_bucket(item->text, &len) && !aggregate_look_up(rd, item->text, len, &of));
}

static void item_read(struct aggregate_reading *rd, const struct aggregate_item *item)
{
	bool groups = strcmp(rd->parameter, "groupBy") == 0;
	int most = groups ? AGGREGATE_GROUPINGS_MAX : AGGREGATE_MEASURES_MAX;
	struct path up = PATH_NAME(rd->up, rd->parameter), at = PATH_INDEX(&up, (size_t)rd->n_items);

	rd->n_items++;
	if (rd->n_items == most + 1)
		issue_range(issues_of(rd), &up, true, most, "array", false);
	if (rd->n_items > most)
		return;
	if (groups)
		grouping_read(rd, item, &at);
	else
		measure_read(rd, item, &at);
}

/* A value that as a whole names a field is one item. Others are split at commas. */
static void names_split(struct aggregate_reading *rd, const struct json *value)
{
	struct aggregate_item item = {value->text, value->len};
	const char *end = value->text + value->len, *comma;

	if (!memchr(item.text, ',', item.len) || item_names_field(rd, &item)) {
		item_read(rd, &item);
		return;
	}
	for (; item.text < end; item.text = comma + 1) {
		comma = memchr(item.text, ',', (size_t)(end - item.text));
		comma = comma ? comma : end;
		item.len = (size_t)(comma - item.text);
		if (item.len)
			item_read(rd, &item);
	}
}

static void names_read(struct aggregate_reading *rd, const char *parameter, const struct json *names)
{
	rd->parameter = parameter;
	rd->n_items = 0;
	if (names && names->type == JSON_STRING)
		names_split(rd, names);
	else
		json_each(value, names)
			names_split(rd, value);
}

/* --- the rest ----------------------------------------------------------------------------------- */

/* zone: its text is NULL when the request has none. */
static void aggregate_read_zone(struct aggregate_reading *rd, const struct aggregate_item *zone)
{
	struct path at = PATH_NAME(rd->up, "timeZone");

	rd->out->zone = zone->text ? zone_find(zone->text, zone->len) : zone_utc();
	rd->out->zone_name = zone->text ? zone->text : "UTC";
	if (rd->out->zone)
		return;
	issue_custom(issues_of(rd), &at, "Unknown time zone");
	issue_hint(issues_of(rd), "write an IANA name such as `Europe/Berlin`");
}

/* The choices depend on the measures: "-sum:F" needs "sum:F" among them. */
static void aggregate_read_sort(struct aggregate_reading *rd, const struct aggregate_item *sort)
{
	const char *choices[AGGREGATE_MEASURES_MAX + 3] = {"key", "-count"};
	int measures[AGGREGATE_MEASURES_MAX + 3] = {0}, n = 2;
	struct aggregate *a = &rd->out->what;
	struct path at = PATH_NAME(rd->up, "sort");

	for (int i = 0; i < a->n_measures; i++)
		if (a->measures[i].wanted & MEASURE_SUM) {
			measures[n] = i;
			choices[n++] = arena_printf(&rd->r->arena, "-sum:%s", a->measures[i].of.name);
		}
	for (int i = 0; i < n && sort->text; i++)
		if (strlen(choices[i]) == sort->len && memcmp(choices[i], sort->text, sort->len) == 0) {
			a->sort = i == 0 ? AGGREGATE_BY_KEY : i == 1 ? AGGREGATE_BY_COUNT : AGGREGATE_BY_SUM;
			a->by = measures[i];
			return;
		}
	if (sort->text)
		issue_choice(issues_of(rd), &at, choices, sort->text, sort->len);
}

static bool aggregate_prepare(struct aggregate_reading *rd, const struct aggregate_list *list)
{
	if (!listing_prepare_for(rd->r, list->filters, list->path, &rd->listing))
		return false;
	rd->resource = list->resource;
	rd->listing.reading.query = true;
	rd->out = arena_alloc(&rd->r->arena, sizeof *rd->out);
	return true;
}

static struct aggregate_item param_item(struct req *r, const char *name)
{
	const struct param_value *v = req_param(r, name);

	return v->given ? (struct aggregate_item){v->text, v->len} : (struct aggregate_item){NULL, 0};
}

void aggregate_read(struct req *r)
{
	const struct param_value *limit = req_param(r, "limit");
	const struct aggregate_item zone = param_item(r, "timeZone"), sort = param_item(r, "sort");
	struct aggregate_reading rd = {.r = r};

	if (!aggregate_prepare(&rd, &(struct aggregate_list){r->route->resource, r->route->filters, r->given.path}))
		return;
	rd.out->viewer = listing_viewer(r);
	rd.out->what.limit = limit->given ? (int)limit->number : LIMIT_DEFAULT;
	names_read(&rd, "groupBy", req_param(r, "groupBy")->names);
	names_read(&rd, "measures", req_param(r, "measures")->names);
	aggregate_read_zone(&rd, &zone);
	aggregate_read_sort(&rd, &sort);
	r->given.aggregate = rd.out;
}

/* --- of a view ------------------------------------------------------------------------------------ */

static struct aggregate_item member_item(const struct json *object, const char *name)
{
	const struct json *v = json_member(object, name);

	return v ? (struct aggregate_item){v->text, v->len} : (struct aggregate_item){NULL, 0};
}

void aggregate_check_chart(
    struct req *r, const struct aggregate_list *list, const struct json *chart, const struct path *at)
{
	const struct aggregate_item zone = member_item(chart, "timeZone"), sort = member_item(chart, "sort");
	struct aggregate_reading rd = {.r = r, .up = at};

	if (!aggregate_prepare(&rd, list))
		return;
	names_read(&rd, "groupBy", json_member(chart, "groupBy"));
	names_read(&rd, "measures", json_member(chart, "measures"));
	aggregate_read_zone(&rd, &zone);
	aggregate_read_sort(&rd, &sort);
}

void aggregate_check_board(
    struct req *r, const struct aggregate_list *list, const struct json *board, const struct path *at)
{
	struct aggregate_item groups = member_item(board, "groupBy"), sum = member_item(board, "sum");
	struct path groups_at = PATH_NAME(at, "groupBy"), sum_at = PATH_NAME(at, "sum");
	struct aggregate_reading rd = {.r = r, .up = at};

	if (!aggregate_prepare(&rd, list))
		return;
	rd.parameter = "groupBy";
	grouping_read(&rd, &groups, &groups_at);
	if (!sum.text)
		return;
	rd.parameter = "measures";
	sum.text = arena_printf(&r->arena, "sum:%s", sum.text);
	sum.len += strlen("sum:");
	measure_read(&rd, &sum, &sum_at);
}
