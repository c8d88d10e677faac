/* The targets of a write: failures, issues and warnings. */
#include "server/resource/write.h"

#include <string.h>

bool target_gives(const struct write_target *t, int field)
{
	return field >= 0 && t->input && (t->input->given & FIELD_BIT(field));
}

void target_fail(struct write_target *t, enum error_code error, const char *message)
{
	if (t->failed)
		return;
	t->failed = true;
	t->error = error;
	t->message = message;
}

void target_issue(struct req *r, struct write_target *t, const struct path *at, const char *text)
{
	const char *name = at->name;

	for (const struct path *p = at; p; p = p->up)
		name = p->name ? p->name : name; /* the record's member */
	if (t->issues)
		issue_custom(t->issues, at, "%s", text);
	target_fail(t, ERROR_UNPROCESSABLE, arena_printf(&r->arena, "%s: %s", name, text));
}

void target_warn(struct req *r, struct write_target *t, const struct path *at, const char *what, const char *id)
{
	struct warning *w = arena_alloc(&r->arena, sizeof *w);
	struct buf json;

	buf_init(&json, 1 << 16);
	reply_write_warning(&json, at, "%s: %s", what, id);
	w->json = arena_dup(&r->arena, json.data, json.len);
	w->len = json.len;
	buf_free(&json);
	*t->last_warning = w;
	t->last_warning = &w->next;
}
