/* The parts of a view that are objects: query, board and chart. Their members are checked here; what depends on the
 * kind of records is checked in server/request/validate_view.c. */
#include <string.h>

#include "server/base/text.h"
#include "server/input/body_value.h"
#include "store/resources.h"

enum { PART_BYTES = 60 << 10, NAME_MAX = 500, GROUPINGS = 2, MEASURES = 8, LIMIT_MOST = 1000 };

static const char *const forms[] = {"bar", "line", "table", "number", NULL};

static void check_name(struct reading *rd, const struct json *value, const struct path *at)
{
	body_text(rd->shape, value, 1, NAME_MAX, at);
}

/* One name, or a list of them. */
static void check_names(struct reading *rd, const struct json *value, int most, const struct path *at)
{
	size_t index = 0;

	if (value->type == JSON_STRING)
		check_name(rd, value, at);
	else if (body_array(rd, value, most, at))
		json_each(item, value) {
			struct path here = PATH_INDEX(at, index++);
			check_name(rd, item, &here);
		}
}

static void check_groupings(struct reading *rd, const struct json *value, const struct path *at)
{
	check_names(rd, value, GROUPINGS, at);
}

static void check_measures(struct reading *rd, const struct json *value, const struct path *at)
{
	check_names(rd, value, MEASURES, at);
}

static void check_limit(struct reading *rd, const struct json *value, const struct path *at)
{
	uint64_t n = 0;
	bool number = value->type == JSON_NUMBER, whole = number && text_uint(value->text, value->len, &n);

	if (!number || (!whole && value->text[0] != '-'))
		issue_type(rd->shape, at, number ? "integer" : "number", value);
	else if (n < 1)
		issue_range(rd->shape, at, false, 1, "number", false);
	else if (n > LIMIT_MOST)
		issue_range(rd->shape, at, true, LIMIT_MOST, "number", false);
}

static bool is_form(const struct json *value)
{
	for (int i = 0; forms[i]; i++)
		if (strlen(forms[i]) == value->len && memcmp(forms[i], value->text, value->len) == 0)
			return true;
	return false;
}

static void check_form(struct reading *rd, const struct json *value, const struct path *at)
{
	if (value->type != JSON_STRING)
		issue_type(rd->shape, at, "string", value);
	else if (!is_form(value))
		issue_choice(rd->shape, at, forms, value->text, value->len);
}

/* The members of each part. A query has those of a search. */
static const struct part_member {
	int part;
	const char *name;
	bool required;
	void (*check)(struct reading *rd, const struct json *value, const struct path *at);
} part_members[] = {
    {VIEW_BOARD, "groupBy", true, check_name},
    {VIEW_BOARD, "sum", false, check_name},
    {VIEW_CHART, "form", true, check_form},
    {VIEW_CHART, "groupBy", false, check_groupings},
    {VIEW_CHART, "measures", false, check_measures},
    {VIEW_CHART, "sort", false, check_name},
    {VIEW_CHART, "limit", false, check_limit},
    {VIEW_CHART, "timeZone", false, check_name},
};

enum { PART_MEMBERS = sizeof part_members / sizeof *part_members };

static const struct part_member *part_member_find(int part, const struct json *member)
{
	for (int i = 0; i < PART_MEMBERS; i++)
		if (part_members[i].part == part && strlen(part_members[i].name) == member->key_len &&
		    memcmp(part_members[i].name, member->key, member->key_len) == 0)
			return &part_members[i];
	return NULL;
}

/* ctx: the part. */
static void part_members_near(const void *ctx, struct near *n)
{
	const int *part = ctx;

	for (int i = 0; i < PART_MEMBERS; i++)
		if (part_members[i].part == *part)
			near_try(n, part_members[i].name, strlen(part_members[i].name));
}

static void part_check_members(struct reading *rd, int part, const struct json *object, const struct path *at)
{
	struct issue_keys unknown;

	issue_keys_begin(&unknown, rd->shape, part_members_near, &part, "known here");
	json_each_member(m, object) {
		const struct part_member *member = part_member_find(part, m);
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		if (member)
			member->check(rd, m, &here);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	for (int i = 0; i < PART_MEMBERS; i++) {
		struct path here = PATH_NAME(at, part_members[i].name);
		if (part_members[i].part == part && part_members[i].required &&
		    !json_member(object, part_members[i].name))
			issue_required(rd->shape, &here, "string");
	}
	issue_keys_end(&unknown, at);
}

void view_part_read(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	int part = (int)(f - rd->input->resource->fields); /* of enum view_field */
	struct json_out o;
	struct buf text;

	if (!body_object(rd, json, at))
		return;
	if (part != VIEW_QUERY)
		part_check_members(rd, part, json, at);
	buf_init(&text, PART_BYTES);
	json_out_init(&o, &text);
	json_value(&o, json);
	if (text.overflow)
		issue_custom(rd->shape, at, "This is longer than %d bytes", PART_BYTES);
	else
		v->text = arena_dup(rd->arena, text.data, v->len = text.len);
	buf_free(&text);
}
