/* Finds the route of a path, segment by segment; the table's order puts constant segments before parameters. */
#include "server/request/route.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/base/fatal.h"
#include "server/base/near.h"
#include "server/base/text.h"

enum { ROUTES_MAX = 256 };

const struct route *routes;
int n_routes, n_routes_all;

void route_table_use(const struct route *rows, int n_described, int n)
{
	if (n > ROUTES_MAX)
		fatal_abort("more routes than outlines");
	routes = rows;
	n_routes = n_described;
	n_routes_all = n;
}

static const struct path_param path_params[] = {
    {.name = "personId", .is_id = true, .kind = ID_PERSON, .about = "Id of the person."},
    {.name = "companyId", .is_id = true, .kind = ID_COMPANY, .about = "Id of the company."},
    {.name = "groupId", .is_id = true, .kind = ID_GROUP, .about = "Id of the group."},
    {.name = "userId", .is_id = true, .kind = ID_USER, .about = "Id of the user."},
    {.name = "noteId", .is_id = true, .kind = ID_NOTE, .about = "Id of the note."},
    {.name = "taskId", .is_id = true, .kind = ID_TASK, .about = "Id of the task."},
    {.name = "reminderId", .is_id = true, .kind = ID_REMINDER, .about = "Id of the reminder."},
    {.name = "interactionId", .is_id = true, .kind = ID_INTERACTION, .about = "Id of the interaction."},
    {.name = "objectId", .is_id = true, .kind = ID_OBJECT, .about = "Id of the object."},
    {.name = "webhookId", .is_id = true, .kind = ID_WEBHOOK, .about = "Id of the webhook."},
    {.name = "keyId", .is_id = true, .kind = ID_KEY, .about = "Id of the key."},
    {.name = "grantId", .is_id = true, .kind = ID_GRANT, .about = "Id of the grant."},
    {.name = "deliveryId", .is_id = true, .kind = ID_DELIVERY, .about = "Id of the delivery."},
    {.name = "viewId", .is_id = true, .kind = ID_VIEW, .about = "Id of the view."},
    {.name = "addressBook", .max = ID_LEN, .about = "`people`, `companies`, or the id of a group."},
    {.name = "objectType", .max = 500, .about = "Name of an object type of the group, such as `Deals`."},
    {.name = "entityType",
        .max = 500,
        .about = "What the fields belong to: `person`, `company`, or the name of an object type of the group."},
    {.name = "customFieldName", .max = 500, .about = "Name of the field."},
    {.name = "page", .max = 500},
    {.name = "calendarFile", .max = 500},
    {.name = "book", .max = 500},
    {.name = "card", .max = 500},
};

const struct path_param *route_param_find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof path_params / sizeof *path_params; i++)
		if (strlen(path_params[i].name) == len && memcmp(path_params[i].name, name, len) == 0)
			return &path_params[i];
	return NULL;
}

const struct param *route_query_param(const struct route *route, int i)
{
	int n = 0;

	while (route->params && n < i && route->params[n])
		n++;
	if (route->params && route->params[n])
		return route->params[n];
	return i == n && route_writes(route) ? &route_dry_run : NULL;
}

/* The segment at *p, up to the next slash. *p moves to the byte after that slash, or becomes NULL at the end. */
static size_t next_segment(const char **p, const char *end, const char **from)
{
	const char *slash = memchr(*p, '/', (size_t)(end - *p));
	const char *stop = slash ? slash : end;

	*from = *p;
	*p = slash ? slash + 1 : NULL;
	return (size_t)(stop - *from);
}

/* Compares without decoding; path parameters are only recorded. */
static bool pattern_matches(
    const char *pattern, const char *path, size_t len, struct path_value values[PATH_PARAMS_MAX])
{
	const char *end = path + len, *pattern_end = pattern + strlen(pattern), *a = pattern + 1, *b = path + 1,
	           *from_a, *from_b;
	int n = 0;

	memset(values, 0, PATH_PARAMS_MAX * sizeof *values);
	while (a && b) {
		size_t len_a = next_segment(&a, pattern_end, &from_a), len_b = next_segment(&b, end, &from_b);
		if (len_a && from_a[0] == '{') {
			if (len_b == 0)
				return false;
			values[n].text = from_b;
			values[n++].len = len_b;
		} else if (len_a != len_b || memcmp(from_a, from_b, len_a) != 0) {
			return false;
		}
	}
	return !a && !b;
}

/* Decodes the parameters by their kinds in the pattern. */
static void decode_values(struct arena *a, const char *pattern, struct path_value values[PATH_PARAMS_MAX])
{
	const char *open = strchr(pattern, '{');

	for (int n = 0; open; n++, open = strchr(open + 1, '{')) {
		const struct path_param *p = route_param_find(open + 1, strcspn(open + 1, "}"));
		struct path_value *v = &values[n];
		v->text = text_percent_decode(a, v->text, v->len, false, &v->len);
		if (p && p->is_id && !id_parse(p->kind, v->text, v->len, &v->id))
			memset(&v->id, 0, sizeof v->id);
	}
}

/* A path is first compared with this, which rules out nearly every row. Made once. */
struct outline {
	const char *literal; /* the pattern up to its first parameter */
	size_t len;
	bool whole; /* the pattern has no parameter */
	int first;  /* the first row with the same pattern */
};

static const struct outline *route_outlines(void)
{
	static struct outline all[ROUTES_MAX];

	if (all[0].literal)
		return all;
	for (int i = 0; i < n_routes_all; i++) {
		const char *pattern = routes[i].path;
		int first = 0;
		while (strcmp(routes[first].path, pattern) != 0)
			first++;
		all[i] = (struct outline){pattern, strcspn(pattern, "{"), !strchr(pattern, '{'), first};
	}
	return all;
}

static bool outline_begins(const struct outline *o, const char *path, size_t len)
{
	return (o->whole ? len == o->len : len > o->len) && memcmp(path, o->literal, o->len) == 0;
}

/* --- unknown paths ---------------------------------------------------------------------- */

enum { SEGMENTS_MAX = 8 };

struct route_segments {
	const char *text[SEGMENTS_MAX];
	size_t len[SEGMENTS_MAX], count;
};

/* Words that other programs use in paths, and the path that kith has instead. */
static const struct {
	const char *word, *path;
} route_words[] = {
    {"person", "/people"},
    {"persons", "/people"},
    {"contact", "/people"},
    {"contacts", "/people"},
    {"leads", "/people"},
    {"organization", "/companies"},
    {"organizations", "/companies"},
    {"organisation", "/companies"},
    {"organisations", "/companies"},
    {"account", "/companies"},
    {"accounts", "/companies"},
    {"deal", "/groups/{groupId}/{objectType}"},
    {"deals", "/groups/{groupId}/{objectType}"},
    {"opportunity", "/groups/{groupId}/{objectType}"},
    {"opportunities", "/groups/{groupId}/{objectType}"},
    {"object", "/groups/{groupId}/{objectType}"},
    {"objects", "/groups/{groupId}/{objectType}"},
    {"activity", "/interactions"},
    {"activities", "/interactions"},
};

/* The path that kith has for the word; NULL: the word is unknown. */
static const char *route_meant(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof route_words / sizeof *route_words; i++)
		if (strlen(route_words[i].word) == len && strncasecmp(route_words[i].word, word, len) == 0)
			return route_words[i].path;
	return NULL;
}

/* Appends the segments that are not empty. Returns false when there are too many. meant: a first word that other
 * programs use is replaced by the path that kith has instead. */
static bool segments_add(struct route_segments *s, const char *path, size_t len, bool meant)
{
	const char *p = path, *end = path + len, *from;

	while (p) {
		size_t n = next_segment(&p, end, &from);
		const char *here = n && meant ? route_meant(from, n) : NULL;
		if (n == 0)
			continue;
		if (s->count == SEGMENTS_MAX)
			return false;
		if (here) {
			meant = false;
			if (!segments_add(s, here, strlen(here), false))
				return false;
			continue;
		}
		s->text[s->count] = from;
		s->len[s->count++] = n;
	}
	return true;
}

static bool segments_split(struct route_segments *s, const char *path, size_t len, bool meant)
{
	s->count = 0;
	return segments_add(s, path, len, meant);
}

/* How much the path differs from the pattern, without the first segments of each. SIZE_MAX: they are not similar. */
static size_t segments_score(
    const struct route_segments *pattern, size_t i, const struct route_segments *path, size_t j, int *budget)
{
	size_t score = i + j;

	if (pattern->count - i != path->count - j)
		return SIZE_MAX;
	for (; i < pattern->count; i++, j++) {
		struct near n;
		if (pattern->text[i][0] == '{')
			continue;
		near_begin(&n, path->text[j], path->len[j], budget);
		near_try(&n, pattern->text[i], pattern->len[i]);
		if (!n.best)
			return SIZE_MAX;
		score += n.score;
	}
	return score;
}

/* The first segment may be missing, superfluous ("/people", "/api/v1/people") or wrong ("/v2/people"). */
static const char *route_near(const char *path, size_t len)
{
	static const size_t skips[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
	const struct outline *all = route_outlines();
	struct route_segments asked, pattern;
	size_t least = SIZE_MAX;
	const char *found = NULL;
	int budget = HINTS_WORK / 4;

	if (!segments_split(&asked, path, len, true) || asked.count == 0)
		return NULL;
	for (int i = 0; i < n_routes; i++) {
		if (all[i].first != i || !segments_split(&pattern, routes[i].path, strlen(routes[i].path), false))
			continue;
		for (size_t k = 0; k < sizeof skips / sizeof *skips && pattern.count > 1; k++) {
			size_t score = segments_score(&pattern, skips[k][0], &asked, skips[k][1], &budget);
			if (score < least) {
				least = score;
				found = routes[i].near;
			}
		}
	}
	return found;
}

void route_find(struct arena *a, enum http_method method, const char *path, size_t len, struct route_match *out)
{
	enum http_method wanted = method == HTTP_HEAD ? HTTP_GET : method;
	const struct outline *all = route_outlines();
	int first = -1; /* the first row whose pattern matches: later ones are less specific */

	memset(out, 0, sizeof *out);
	if (len == 1 && path[0] == '*') {
		out->methods = HTTP_OPTIONS;
		return;
	}
	for (int i = 0; i < n_routes_all && len && path[0] == '/'; i++) {
		if (first >= 0 ? all[i].first != first
		               : !outline_begins(&all[i], path, len) ||
		                     !pattern_matches(routes[i].path, path, len, out->values))
			continue;
		first = all[i].first;
		out->methods |= routes[i].method | HTTP_OPTIONS | (routes[i].method == HTTP_GET ? HTTP_HEAD : 0);
		if (routes[i].method == wanted)
			out->route = &routes[i];
	}
	if (!out->methods && len && path[0] == '/')
		out->near = route_near(path, len);
	if (out->route)
		decode_values(a, out->route->path, out->values);
	else
		memset(out->values, 0, sizeof out->values);
}

void route_allow(unsigned methods, char out[ROUTE_ALLOW_SIZE])
{
	int len = 0;

	out[0] = '\0';
	for (int i = 0; i < HTTP_METHODS; i++)
		if (methods & 1U << i)
			len += snprintf(
			    out + len, (size_t)(ROUTE_ALLOW_SIZE - len), "%s%s", len ? ", " : "", http_method_names[i]);
}
