/* Reading subscriptions and matching events against them. */
#include "webhook/subscription.h"

#include <string.h>

#include "server/base/text.h"

/* --- reading ----------------------------------------------------------------------- */

static bool subscription_read_filter(struct subscription *s, const struct json *filter)
{
	const struct json *group = json_typed(filter, "groupId", JSON_STRING),
	                  *type = json_typed(filter, "objectType", JSON_STRING),
	                  *path = json_typed(filter, "path", JSON_ARRAY);

	s->by_group = group != NULL;
	if (group && !id_parse(ID_GROUP, group->text, group->len, &s->group))
		return false;
	s->object_type = type ? type->text : NULL;
	json_each(step, path) {
		if (step->type != JSON_STRING || s->n_path == SUBSCRIPTION_PATH_MAX)
			return false;
		s->path[s->n_path++] = step->text;
	}
	s->value = json_member(filter, "value");
	return true;
}

void subscriptions_read(struct subscriptions *out, struct arena *a, const char *json, size_t len)
{
	const char *error;
	const struct json *list = json_read(a, json, len, &error);

	memset(out, 0, sizeof *out);
	for (const struct json *item = json_items(list); item && out->count < SUBSCRIPTIONS_MAX; item = item->next) {
		const struct json *type = json_typed(item, "eventType", JSON_STRING);
		struct subscription *s = &out->items[out->count];
		memset(s, 0, sizeof *s);
		s->type = type ? event_type_parse(type->text, type->len) : EVENT_TYPES;
		if (s->type != EVENT_TYPES && subscription_read_filter(s, json_typed(item, "filter", JSON_OBJECT)))
			out->count++;
	}
}

/* --- matching ------------------------------------------------------------------------ */

/* A group hidden from the listener does not match. */
static bool in_group(const struct subscription *s, const struct event_row *e, const struct event_listener *l)
{
	if (!s->by_group)
		return true;
	if (event_hides(l, &s->group))
		return false;
	return uuid_in(e->groups, e->n_groups, &s->group) || (e->is_within && uuid_equal(&e->within, &s->group));
}

/* Custom values of people and companies have their group's id in the path. */
static bool path_hidden(const struct json *path, const struct event_listener *l)
{
	const struct json *second = path->first ? path->first->next : NULL;
	struct uuid group;

	return second && second->type == JSON_STRING && id_parse(ID_GROUP, second->text, second->len, &group) &&
	       event_hides(l, &group);
}

static bool same_path(const struct subscription *s, const struct json *path)
{
	int n = 0;

	for (const struct json *step = path->first; step; step = step->next, n++)
		if (n == s->n_path || step->type != JSON_STRING || strlen(s->path[n]) != step->len ||
		    memcmp(s->path[n], step->text, step->len) != 0)
			return false;
	return n == s->n_path;
}

/* The text to compare: a string itself, a number as plain decimal, a reference's id, null as "". */
static bool subscription_value_text(struct arena *a, const struct json *value, const char **text, size_t *len)
{
	const struct json *id = json_typed(value, "id", JSON_STRING);

	if (value->type == JSON_NUMBER) {
		*text = text_decimal(a, value->text, value->len);
		*len = *text ? strlen(*text) : 0;
		return *text != NULL;
	}
	if (id)
		value = id;
	*text = value->type == JSON_STRING ? value->text : "";
	*len = value->type == JSON_STRING ? value->len : 0;
	return value->type == JSON_STRING || value->type == JSON_NULL;
}

static bool subscription_same_value(struct arena *a, const struct json *wanted, const struct json *value)
{
	const char *x, *y;
	size_t x_len, y_len;

	if (!subscription_value_text(a, wanted, &x, &x_len) || !subscription_value_text(a, value, &y, &y_len))
		return false;
	/* Events have numbers as text. */
	if (wanted->type == JSON_NUMBER && value->type == JSON_STRING) {
		y = text_decimal(a, value->text, value->len);
		y_len = y ? strlen(y) : 0;
	}
	return y && x_len == y_len && memcmp(x, y, x_len) == 0;
}

/* True when any wanted value is among the change's. */
static bool change_brings(struct arena *a, const struct json *wanted, const struct json *value)
{
	if (wanted->type == JSON_ARRAY) {
		json_each(item, wanted)
			if (change_brings(a, item, value))
				return true;
		return false;
	}
	if (value->type != JSON_ARRAY)
		return subscription_same_value(a, wanted, value);
	json_each(item, value)
		if (subscription_same_value(a, wanted, item))
			return true;
	return false;
}

static bool change_matches(
    const struct subscription *s, const struct json *change, const struct event_listener *l, struct arena *a)
{
	const struct json *path = json_typed(change, "path", JSON_ARRAY),
	                  *type = json_typed(change, "type", JSON_STRING), *value;

	if (!path || !type || !same_path(s, path) || path_hidden(path, l))
		return false;
	if (!s->value)
		return true;
	value = json_member(change, "value");
	return value && strcmp(type->text, "remove") != 0 && change_brings(a, s->value, value);
}

/* The event's changes, parsed at most once, when a subscription has a path. */
struct event_changes {
	bool read;
	const struct json *first;
};

static void read_changes(struct event_changes *c, const struct event_row *e, struct arena *a)
{
	const char *error;
	const struct json *data, *list;

	if (c->read)
		return;
	c->read = true;
	data = e->data ? json_read(a, e->data, e->data_len, &error) : NULL;
	list = json_member(data, "changes");
	c->first = json_items(list);
}

static bool path_matches(const struct subscription *s, const struct event_row *e, const struct event_listener *l,
    struct event_changes *c, struct arena *a)
{
	if (s->n_path == 0)
		return true;
	read_changes(c, e, a);
	for (const struct json *change = c->first; change; change = change->next)
		if (change_matches(s, change, l, a))
			return true;
	return false;
}

bool subscriptions_match(
    const struct subscriptions *s, const struct event_row *e, const struct event_listener *l, struct arena *arena)
{
	struct event_changes changes = {0};

	for (int i = 0; i < s->count; i++) {
		const struct subscription *one = &s->items[i];
		if (one->type == e->type && in_group(one, e, l) &&
		    (!one->object_type || (e->object_type && strcmp(one->object_type, e->object_type) == 0)) &&
		    path_matches(one, e, l, &changes, arena))
			return true;
	}
	return false;
}
