/* Deletes companies, groups and custom fields that imports created, when nothing uses them. */
#include <stdio.h>
#include <stdlib.h>

#include "server/base/text.h"
#include "transfer/undo_private.h"

void undo_say(struct undo *u, const char *id, const char *why)
{
	bar_hide(&u->bar);
	fprintf(stderr, "kith: %s: %s\n", id, why);
}

/* True when a list is known to have no items. */
static bool undo_is_empty(struct undo *u, struct remote_call *c)
{
	const struct json *items;
	bool empty;

	c = remote_run(u->remote, c);
	u->failed |= !c;
	items = c ? json_member(remote_data(c), "items") : NULL;
	empty = items && items->type == JSON_ARRAY && !items->count && !remote_next(c);
	remote_call_free(c);
	return empty;
}

static bool undo_delete(struct undo *u, struct remote_call *c, enum undo_count count)
{
	c = remote_run(u->remote, c);
	u->failed |= !c;
	if (c && c->status == 200)
		u->counts[count]++;
	else if (c && c->status != 404)
		undo_say(u, c->path, remote_reason(c));
	remote_call_free(c);
	return !u->failed;
}

/* True for a company that has only a name, was created by the key's user, and never changed. */
static bool undo_company_is_bare(const struct undo *u, const struct json *data)
{
	static const char *const lists[] = {"groups", "addresses", "emails", "phones", "urls"};
	bool bare = data && strcmp(json_text(json_member(data, "createdBy"), "id"), u->roster.me) == 0 &&
	            strcmp(json_text(data, "updatedAt"), json_text(data, "createdAt")) == 0 &&
	            !*json_text(data, "description") && !*json_text(data, "industry");

	for (size_t i = 0; bare && i < sizeof lists / sizeof *lists; i++) {
		const struct json *list = json_member(data, lists[i]);
		bare = !list || !list->count;
	}
	return bare;
}

static void undo_company(struct undo *u, const char *id)
{
	static const char *const lists[] = {"/v1/people?limit=1&filter[companies][in][id]=%s",
	    "/v1/notes?limit=1&entity.id=%s", "/v1/tasks?limit=1&filter[entity][in]=%s",
	    "/v1/interactions?limit=1&entity.id=%s", "/v1/reminders?limit=1&entity.id=%s"};
	struct remote_call *get = remote_run(u->remote, remote_call_new("GET", "/v1/companies/%s", id)), *c;
	bool unused;

	u->failed |= !get;
	unused = get && undo_company_is_bare(u, remote_data(get));
	for (size_t i = 0; unused && i < sizeof lists / sizeof *lists; i++) {
		struct buf path;
		buf_init(&path, 256);
		buf_add(&path, lists[i], strlen(lists[i]) - 2);
		buf_addz(&path, id);
		unused = undo_is_empty(u, remote_call_new("GET", "%s", path.data));
		buf_free(&path);
	}
	if (unused) {
		c = remote_call_new("DELETE", "/v1/companies/%s", id);
		snprintf(c->if_match, sizeof c->if_match, "%s", get->etag);
		undo_delete(u, c, UNDO_COMPANIES);
	} else if (get && get->status == 200) {
		undo_say(u, id, "is in use and was kept");
	}
	remote_call_free(get);
}

static void undo_field(struct undo *u, const struct json *made)
{
	const char *name = json_text(made, "field"), *group = json_text(made, "in"), *of = json_text(made, "of");
	struct buf field, type;
	struct remote_call *c;

	buf_init(&field, 8192);
	buf_init(&type, 8192);
	text_percent_encode(&field, name, strlen(name));
	text_percent_encode(&type, of, strlen(of));
	if (strcmp(of, "person") == 0 || strcmp(of, "company") == 0)
		c = remote_call_new("GET", "/v1/%s?limit=1&filter[customFieldValues.%s.%s][not_empty]",
		    strcmp(of, "person") == 0 ? "people" : "companies", group, field.data);
	else
		c = remote_call_new("GET", "/v1/groups/%s/%s?limit=1&filter[customFieldValues.%s][not_empty]", group,
		    type.data, field.data);
	if (undo_is_empty(u, c))
		undo_delete(u,
		    remote_call_new("DELETE", "/v1/groups/%s/custom-fields/%s/%s", group, type.data, field.data),
		    UNDO_FIELDS);
	else
		undo_say(u, name, "has values and was kept");
	buf_free(&field);
	buf_free(&type);
}

static void undo_group(struct undo *u, const char *id)
{
	if (undo_is_empty(u, remote_call_new("GET", "/v1/people?limit=1&filter[groups][in][id]=%s", id)) &&
	    undo_is_empty(u, remote_call_new("GET", "/v1/companies?limit=1&filter[groups][in][id]=%s", id)) &&
	    undo_is_empty(u, remote_call_new("GET", "/v1/groups/%s/object-types?limit=1", id)))
		undo_delete(u, remote_call_new("DELETE", "/v1/groups/%s", id), UNDO_GROUPS);
	else
		undo_say(u, id, "is in use and was kept");
}

static void undo_note_company(struct undo *u, const char *text)
{
	struct uuid id;

	if (!id_parse(ID_COMPANY, text, strlen(text), &id))
		return;
	if ((u->n_companies & (u->n_companies - 1)) == 0)
		u->companies =
		    mem_realloc(u->companies, (u->n_companies ? u->n_companies * 2 : 1) * sizeof *u->companies);
	u->companies[u->n_companies++] = id;
}

static bool undo_on_made(void *ctx, const struct json *line)
{
	struct undo *u = ctx;
	const struct json *companies = json_member(line, "companies"), *made = json_member(line, "made");

	if (u->line++ < u->undone_line)
		return true;
	for (const struct json *i = companies && companies->type == JSON_ARRAY ? companies->first : NULL; i;
	     i = i->next)
		if (i->type == JSON_STRING)
			undo_note_company(u, i->text);
	if (*json_text(made, "field"))
		undo_field(u, made);
	if (*json_text(made, "group"))
		undo_group(u, json_text(made, "group"));
	return !u->failed;
}

static int undo_compare_ids(const void *a, const void *b)
{
	return uuid_compare(a, b);
}

bool undo_made(struct undo *u)
{
	char text[ID_SIZE];

	u->line = 0;
	if (!progress_read(u->progress.path, undo_on_made, u))
		return false;
	/* A company may be noted by several batches, because each notes all companies of its people. */
	if (u->n_companies)
		qsort(u->companies, u->n_companies, sizeof *u->companies, undo_compare_ids);
	bar_hide(&u->bar);
	bar_begin(&u->bar, "companies checked", 0);
	for (size_t i = 0; i < u->n_companies && !u->failed; i++)
		if ((i == 0 || !uuid_equal(&u->companies[i], &u->companies[i - 1])) && ++u->bar.done)
			undo_company(u, id_format(ID_COMPANY, &u->companies[i], text));
	return !u->failed;
}
