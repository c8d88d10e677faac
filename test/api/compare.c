#include "test/api/compare.h"

#include <stdio.h>
#include <string.h>

#include "test/api/placeholder.h"

enum { DIFFERENCES_MAX = 20, SHOWN_MAX = 200, PLACE_MAX = 512 };

struct compare {
	struct arena *arena;
	const struct json *templates;
	struct buf *out;
	int differences;
	char place[PLACE_MAX]; /* "data.items[0].id" */
};

static void compare_values(struct compare *c, const struct json *expected, const struct json *got);

static void add_value(struct buf *out, const struct json *value)
{
	struct json_out o;
	struct buf text;

	if (!value) {
		buf_addz(out, "nothing");
		return;
	}
	buf_init(&text, 1 << 20);
	json_out_init(&o, &text);
	json_value(&o, value);
	buf_add(out, text.data, text.len > SHOWN_MAX ? SHOWN_MAX : text.len);
	if (text.len > SHOWN_MAX)
		buf_printf(out, "… (%zu bytes)", text.len);
	buf_free(&text);
}

static void compare_differ(struct compare *c, const struct json *expected, const struct json *got)
{
	if (++c->differences > DIFFERENCES_MAX)
		return;
	buf_printf(c->out, "    at %s\n      expected ", *c->place ? c->place : "the top");
	add_value(c->out, expected);
	buf_addz(c->out, "\n      got      ");
	add_value(c->out, got);
	buf_addc(c->out, '\n');
}

/* Goes one level down; returns the length to go back to. */
static size_t compare_enter(struct compare *c, const char *key, size_t index)
{
	size_t len = strlen(c->place);

	if (key)
		snprintf(c->place + len, sizeof(c->place) - len, "%s%s", len ? "." : "", key);
	else
		snprintf(c->place + len, sizeof(c->place) - len, "[%zu]", index);
	return len;
}

static bool is_more(const struct json *value)
{
	return value->type == JSON_STRING && strcmp(value->text, "...") == 0;
}

static void compare_objects(struct compare *c, const struct json *expected, const struct json *got)
{
	bool open = json_member(expected, "...") != NULL;

	for (const struct json *e = expected->first; e; e = e->next) {
		if (strcmp(e->key, "...") == 0)
			continue;
		size_t back = compare_enter(c, e->key, 0);
		const struct json *g = json_member(got, e->key);
		if (g)
			compare_values(c, e, g);
		else
			compare_differ(c, e, NULL);
		c->place[back] = '\0';
	}
	for (const struct json *g = got->first; g && !open; g = g->next) {
		size_t back = compare_enter(c, g->key, 0);
		if (!json_member(expected, g->key))
			compare_differ(c, NULL, g);
		c->place[back] = '\0';
	}
}

static void compare_arrays(struct compare *c, const struct json *expected, const struct json *got)
{
	const struct json *e = expected->first, *g = got->first;

	for (size_t i = 0; e || g; i++) {
		if (e && is_more(e) && !e->next)
			return;
		size_t back = compare_enter(c, NULL, i);
		if (e && g)
			compare_values(c, e, g);
		else
			compare_differ(c, e, g);
		c->place[back] = '\0';
		e = e ? e->next : NULL;
		g = g ? g->next : NULL;
	}
}

/* A copy of the one node, to be attached to another parent. */
static struct json *copy_node(struct compare *c, const struct json *value)
{
	struct json *copy = arena_alloc(c->arena, sizeof(*copy));

	*copy = *value;
	copy->next = NULL;
	return copy;
}

/* The template with the given members replaced; NULL when there is no such template. */
static struct json *fill_template(struct compare *c, const struct json *use)
{
	const struct json *base = c->templates ? json_member(c->templates, use->key + 1) : NULL;
	struct json *filled = arena_alloc(c->arena, sizeof(*filled));
	struct json **end = &filled->first;

	if (!base)
		return NULL;
	filled->type = JSON_OBJECT;
	for (const struct json *m = base->first; m; m = m->next) {
		const struct json *given = json_member(use, m->key);
		*end = copy_node(c, given ? given : m);
		end = &(*end)->next;
	}
	for (const struct json *m = use->first; m; m = m->next) {
		if (json_member(base, m->key))
			continue;
		*end = copy_node(c, m);
		end = &(*end)->next;
	}
	return filled;
}

static bool is_template(const struct json *value)
{
	const struct json *only = value->type == JSON_OBJECT ? value->first : NULL;

	return only && !only->next && only->key[0] == '$' && only->type == JSON_OBJECT;
}

static void compare_scalars(struct compare *c, const struct json *expected, const struct json *got)
{
	bool same = expected->type == got->type;

	if (same && expected->type == JSON_BOOL)
		same = expected->truth == got->truth;
	else if (same && expected->type != JSON_NULL)
		same = expected->len == got->len && memcmp(expected->text, got->text, got->len) == 0;
	if (!same)
		compare_differ(c, expected, got);
}

static void compare_values(struct compare *c, const struct json *expected, const struct json *got)
{
	bool unknown;

	if (is_template(expected)) {
		struct json *filled = fill_template(c, expected->first);
		if (filled)
			compare_values(c, filled, got);
		else
			compare_differ(c, expected, got);
	} else if (expected->type == JSON_STRING && shape_is(expected->text, expected->len)) {
		if (!shape_match(expected->text, expected->len, got, &unknown))
			compare_differ(c, expected, got);
		if (unknown)
			buf_addz(c->out, "      (there is no such shape)\n");
	} else if (expected->type == JSON_OBJECT && got->type == JSON_OBJECT) {
		compare_objects(c, expected, got);
	} else if (expected->type == JSON_ARRAY && got->type == JSON_ARRAY) {
		compare_arrays(c, expected, got);
	} else {
		compare_scalars(c, expected, got);
	}
}

bool compare_json(
    struct arena *a, const struct json *templates, const struct json *expected, const struct json *got, struct buf *out)
{
	struct compare c = {.arena = a, .templates = templates, .out = out};

	compare_values(&c, expected, got);
	if (c.differences > DIFFERENCES_MAX)
		buf_printf(out, "    and %d more\n", c.differences - DIFFERENCES_MAX);
	return c.differences == 0;
}
