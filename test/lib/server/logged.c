/* See logged.h. */
#include "test/lib/server/logged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/patience.h"
#include "test/lib/test.h"

enum { WAIT_MS = 60000, LINE_SIZE = 16 << 10 };

bool logged_each(struct arena *a, const struct server_process *s, logged_fn *fn, void *ctx)
{
	static char text[LINE_SIZE];
	const char *error;
	FILE *f = fopen(s->log, "r");
	bool found = false;

	assert_non_null(f);
	while (!found && fgets(text, sizeof text, f)) {
		struct json *line = strchr(text, '\n') ? json_read(a, text, strlen(text), &error) : NULL;
		found = line && fn(ctx, line);
	}
	fclose(f);
	return found;
}

const char *logged_text(const struct json *line, const char *key)
{
	const struct json *value = json_member(line, key);

	return value && value->type == JSON_STRING ? value->text : NULL;
}

void logged_expect(const struct json *line, const char *key, const char *text)
{
	const char *is = logged_text(line, key);

	if ((is == NULL) != (text == NULL) || (is && strcmp(is, text) != 0))
		fail_msg("%s is %s, not %s", key, is ? is : "absent", text ? text : "absent");
}

struct logged_wanted {
	const char *key, *text;
	const struct json *line;
};

static bool logged_is_wanted(void *ctx, const struct json *line)
{
	struct logged_wanted *w = ctx;
	const char *text = logged_text(line, w->key);

	if (!text || strcmp(text, w->text) != 0)
		return false;
	w->line = line;
	return true;
}

const struct json *logged_find(struct arena *a, const struct server_process *s, const char *key, const char *text)
{
	struct logged_wanted w = {key, text, NULL};

	logged_each(a, s, logged_is_wanted, &w);
	return w.line;
}

const struct json *logged_with(struct arena *a, const struct server_process *s, const char *key, const char *text)
{
	int64_t until_us = patience_ms(WAIT_MS);
	const struct json *line;

	while ((line = logged_find(a, s, key, text)) == NULL)
		if (!patience_pause(until_us))
			fail_msg("no line with %s %s", key, text);
	return line;
}

const struct json *logged_of(struct arena *a, const struct server_process *s, const struct caller_answer *answer)
{
	const char *id = client_header(&answer->reply, "X-Request-Id");

	assert_non_null(id);
	return logged_with(a, s, "requestId", id);
}

struct logged_sum {
	const char *key, *text;
	long lines, more;
};

static bool logged_add(void *ctx, const struct json *line)
{
	struct logged_sum *c = ctx;
	const char *text = logged_text(line, c->key), *message = logged_text(line, "message");

	if (text && strncmp(text, c->text, strlen(c->text)) == 0) {
		if (message)
			c->more += strtol(message, NULL, 10);
		else
			c->lines++;
	}
	return false;
}

int logged_until(struct arena *a, const struct server_process *s, const char *key, const char *text, int all)
{
	int64_t until_us = patience_ms(WAIT_MS);
	struct logged_sum c;

	do {
		c = (struct logged_sum){.key = key, .text = text};
		logged_each(a, s, logged_add, &c);
	} while (c.lines + c.more < all && patience_pause(until_us));
	assert_int_equal(c.lines + c.more, all);
	return (int)c.lines;
}
