/* What the other files of writes need of a target: its row as loaded, the values in its body, its failure and its
 * warnings. */
#include "server/request/admit.h"
#include "server/resource/write.h"

const char target_only_reading[] = "Your role in one of the groups only allows reading";
const char target_too_much[] = "The records of this batch are too large together: send this record in another batch";

struct record *target_old(struct req *r, const struct write *w, const struct uuid *id)
{
	int row = db_row_of(w->loads, w->at_old, id);

	return row < 0 ? NULL : record_load(w->loads, w->at_old, row, w->kind->res, &r->arena);
}

/* --- failures, issues and warnings ---------------------------------------------------- */

bool target_gives(const struct write_target *t, int field)
{
	return field >= 0 && t->input && (t->input->given & FIELD_BIT(field));
}

bool write_forbidden(const struct req *r, const struct write *w)
{
	return w->kind->entity == ENTITY_OBJECT && (w->role < ROLE_CONTRIBUTOR || admit_lacks(r));
}

struct uuid target_new_id(const struct write_target *t, const struct write_kind *k)
{
	return target_gives(t, k->created_at) ? id_at(t->input->values[k->created_at].number) : id_new();
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
		name = p->name ? p->name : name; /* ends with the member of the record */
	if (t->issues)
		issue_custom(t->issues, at, "%s", text);
	target_fail(t, ERROR_UNPROCESSABLE, arena_printf(&r->arena, "%s: %s", name, text));
}

void target_warn(struct req *r, struct write_target *t, enum warning_code code, const struct path *at, const char *what,
    const char *id)
{
	struct warning *w = arena_alloc(&r->arena, sizeof *w);
	struct buf json;

	buf_init(&json, 1 << 16);
	warning_write(&json, code, at, "%s%s%s", what, id ? ": " : "", id ? id : "");
	w->json = arena_dup(&r->arena, json.data, json.len);
	w->len = json.len;
	buf_free(&json);
	*t->last_warning = w;
	t->last_warning = &w->next;
}

int64_t write_told(struct req *r, int64_t size)
{
	struct uuid *hidden;

	return workspace_hidden(r->caller.ws, &r->caller.viewer, &r->arena, &hidden) ? -1 : size;
}
