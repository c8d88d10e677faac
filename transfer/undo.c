/* kith import --undo: deletes what the imports of a file made, unless it was changed since. */
#include <stdio.h>
#include <stdlib.h>

#include "server/base/text.h"
#include "transfer/import_private.h"

enum { LISTED_MAX = 100 };

enum undo_count {
	UNDO_DELETED,
	UNDO_ABSENT,
	UNDO_LEFT,
	UNDO_UPDATED,
	UNDO_COMPANIES,
	UNDO_GROUPS,
	UNDO_FIELDS,
	UNDO_COUNTS
};

static const char *const undo_count_names[UNDO_COUNTS] = {
    "deleted", "absent", "left", "updated", "companies", "groups", "fields"};

/* A record that a later import of the file updated: it is as that left it. */
struct undo_update {
	struct uuid id;
	enum id_kind kind;
	char state[PROGRESS_STATE_SIZE];
	bool own; /* an import of the file made the record */
};

struct undo {
	struct remote *remote;
	struct roster roster;
	struct progress progress;
	char *path;                /* of the records of the run that is read */
	int64_t line, undone_line; /* what stands above was undone by an earlier call */
	bool read_only;            /* the first reading */
	struct undo_update *updates;
	size_t n_updates;
	int64_t counts[UNDO_COUNTS];
	bool failed;
	struct bar bar;
};

struct undo_record {
	char id[ID_SIZE], state[PROGRESS_STATE_SIZE];
	bool deletes; /* the request is the DELETE */
};

static void undo_tick(void *ctx)
{
	struct undo *u = ctx;

	if (u->bar.verb)
		bar_show(&u->bar);
}

static void undo_say(struct undo *u, const char *id, const char *why)
{
	bar_hide(&u->bar);
	fprintf(stderr, "kith: %s: %s\n", id, why);
}

/* --- records ------------------------------------------------------------------------------------- */

static int undo_compare(const void *a, const void *b)
{
	return uuid_compare(&((const struct undo_update *)a)->id, &((const struct undo_update *)b)->id);
}

static bool undo_read_id(const char *text, struct undo_update *update)
{
	return id_parse_any(text, strlen(text), &update->kind, &update->id);
}

/* The updates of a record, one after the other; NULL: none. */
static struct undo_update *undo_updates_of(const struct undo *u, const char *text, struct uuid *id)
{
	struct undo_update wanted, *first;

	if (!u->n_updates || !undo_read_id(text, &wanted))
		return NULL;
	*id = wanted.id;
	first = bsearch(&wanted, u->updates, u->n_updates, sizeof wanted, undo_compare);
	while (first && first > u->updates && uuid_equal(&first[-1].id, id))
		first--;
	return first;
}

/* Whether the record is as the imports left it. */
static bool undo_is_unchanged(const struct undo *u, const struct undo_record *r, const struct json *data)
{
	char state[PROGRESS_STATE_SIZE];
	struct uuid id;
	struct undo_update *update = undo_updates_of(u, r->id, &id);
	bool unchanged;

	progress_state(data, state);
	unchanged = strcmp(state, r->state) == 0;
	for (; update && update < u->updates + u->n_updates && uuid_equal(&update->id, &id); update++)
		unchanged |= strcmp(update->state, state) == 0;
	return unchanged;
}

/* Notes that the updates of a record are of one that the imports made. */
static void undo_note_own(const struct undo *u, const char *text)
{
	struct uuid id;
	struct undo_update *update = undo_updates_of(u, text, &id);

	for (; update && update < u->updates + u->n_updates && uuid_equal(&update->id, &id); update++)
		update->own = true;
}

static void undo_request(struct undo *u, struct undo_record *r, const char *etag)
{
	struct remote_call *c = remote_call_new(r->deletes ? "DELETE" : "GET", "%s/%s", u->path, r->id);

	snprintf(c->if_match, sizeof c->if_match, "%s", etag);
	c->ctx = r;
	remote_start(u->remote, c);
}

static void undo_leave(struct undo *u, const struct undo_record *r, const char *why)
{
	if (++u->counts[UNDO_LEFT] <= LISTED_MAX)
		undo_say(u, r->id, why);
}

/* An answer about a record; frees both. */
static void undo_answered(struct undo *u, struct remote_call *c)
{
	struct undo_record *r = c->ctx;

	if (c->status == 404) {
		u->counts[UNDO_ABSENT]++;
	} else if (c->status == 412) {
		undo_leave(u, r, "was changed since, and stays");
	} else if (c->status != 200) {
		undo_leave(u, r, remote_reason(c));
	} else if (r->deletes) {
		u->counts[UNDO_DELETED]++;
	} else if (!undo_is_unchanged(u, r, remote_data(c))) {
		undo_leave(u, r, "was changed since, and stays");
	} else {
		r->deletes = true;
		undo_request(u, r, c->etag);
		r = NULL;
	}
	u->bar.done += r != NULL;
	free(r);
	remote_call_free(c);
}

static bool undo_wait(struct undo *u, int most)
{
	while (!u->failed && remote_busy(u->remote) > most) {
		struct remote_call *c = remote_wait(u->remote);
		u->failed = !c;
		if (c)
			undo_answered(u, c);
	}
	return !u->failed;
}

static void undo_note_updates(struct undo *u, const struct json *list)
{
	for (const struct json *i = list && list->type == JSON_ARRAY ? list->first : NULL; i; i = i->next) {
		struct undo_update update = {.own = false};
		if (i->type != JSON_ARRAY || i->count != 2 || !undo_read_id(i->first->text, &update))
			continue;
		snprintf(update.state, sizeof update.state, "%s", i->first->next->text);
		if ((u->n_updates & (u->n_updates - 1)) == 0)
			u->updates =
			    mem_realloc(u->updates, (u->n_updates ? u->n_updates * 2 : 1) * sizeof *u->updates);
		u->updates[u->n_updates++] = update;
	}
}

static bool undo_records(struct undo *u, const struct json *list)
{
	for (const struct json *i = list && list->type == JSON_ARRAY ? list->first : NULL; i; i = i->next) {
		struct undo_record *r;
		if (i->type != JSON_ARRAY || i->count != 2 || i->first->type != JSON_STRING ||
		    i->first->next->type != JSON_STRING || !undo_wait(u, REMOTE_SLOTS - 1))
			continue;
		r = mem_zalloc(sizeof *r);
		snprintf(r->id, sizeof r->id, "%s", i->first->text);
		snprintf(r->state, sizeof r->state, "%s", i->first->next->text);
		undo_note_own(u, r->id);
		undo_request(u, r, "");
	}
	return !u->failed;
}

/* The first reading: what was undone before, and what later imports updated. */
static bool undo_on_first(void *ctx, const struct json *line)
{
	struct undo *u = ctx;

	u->line++;
	if (remote_member(line, "undone"))
		u->undone_line = u->line;
	undo_note_updates(u, remote_member(line, "updated"));
	return true;
}

static bool undo_on_record(void *ctx, const struct json *line)
{
	struct undo *u = ctx;
	const char *path = remote_text(remote_member(line, "run"), "path");

	/* Requests under way use the path. */
	if (*path && !undo_wait(u, 0))
		return false;
	if (*path) {
		free(u->path);
		u->path = mem_dupz(path);
	}
	return u->line++ < u->undone_line || undo_records(u, remote_member(line, "created"));
}

/* --- companies, groups and fields ------------------------------------------------------------------- */

/* Whether a list has no items; not when it is not known. */
static bool undo_is_empty(struct undo *u, struct remote_call *c)
{
	const struct json *items;
	bool empty;

	c = remote_run(u->remote, c);
	u->failed |= !c;
	items = c ? remote_member(remote_data(c), "items") : NULL;
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

/* A company that has nothing but its name, and was made by the key's user. */
static bool undo_company_is_bare(const struct undo *u, const struct json *data)
{
	static const char *const lists[] = {"groups", "addresses", "emails", "phones", "urls"};
	bool bare = data && strcmp(remote_text(remote_member(data, "createdBy"), "id"), u->roster.me) == 0 &&
	            !*remote_text(data, "description") && !*remote_text(data, "industry");

	for (size_t i = 0; bare && i < sizeof lists / sizeof *lists; i++) {
		const struct json *list = remote_member(data, lists[i]);
		bare = !list || !list->count;
	}
	return bare;
}

static bool undo_company(struct undo *u, const char *id)
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
		undo_say(u, id, "is used, and stays");
	}
	remote_call_free(get);
	return !u->failed;
}

static void undo_field(struct undo *u, const struct json *made)
{
	const char *name = remote_text(made, "field"), *group = remote_text(made, "in"), *of = remote_text(made, "of");
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
		undo_say(u, name, "has values, and stays");
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
		undo_say(u, id, "is used, and stays");
}

/* The last reading, when the records are gone. */
static bool undo_on_made(void *ctx, const struct json *line)
{
	struct undo *u = ctx;
	const struct json *companies = remote_member(line, "companies"), *made = remote_member(line, "made");

	if (u->line++ < u->undone_line)
		return true;
	for (const struct json *i = companies && companies->type == JSON_ARRAY ? companies->first : NULL;
	     i && !u->failed; i = i->next)
		if (i->type == JSON_STRING)
			undo_company(u, i->text);
	if (*remote_text(made, "field"))
		undo_field(u, made);
	if (*remote_text(made, "group"))
		undo_group(u, remote_text(made, "group"));
	return !u->failed;
}

/* --- all ----------------------------------------------------------------------------------------------- */

/* Records that the imports found and updated stay as they are. */
static void undo_list_updated(struct undo *u)
{
	char text[ID_SIZE];

	for (size_t i = 0; i < u->n_updates; i++)
		if (!u->updates[i].own && (i == 0 || !uuid_equal(&u->updates[i].id, &u->updates[i - 1].id)) &&
		    ++u->counts[UNDO_UPDATED] <= LISTED_MAX)
			undo_say(u, id_format(u->updates[i].kind, &u->updates[i].id, text),
			    "was updated by an import, which is not turned back");
}

static bool undo_end(struct undo *u)
{
	struct json_out o;
	struct buf line;
	bool ok;

	buf_init(&line, 4096);
	buf_addz(&line, "{\"undone\":true}\n");
	ok = !u->failed && progress_append(&u->progress, &line);
	buf_clear(&line);
	json_out_init(&o, &line);
	json_begin_object(&o);
	for (int i = 0; i < UNDO_COUNTS; i++) {
		json_key(&o, undo_count_names[i]);
		json_int(&o, u->counts[i]);
	}
	json_key(&o, "complete");
	json_bool(&o, ok);
	json_end_object(&o);
	puts(line.data);
	buf_free(&line);
	return ok;
}

static bool undo_go(struct undo *u)
{
	const char *file = u->progress.path;

	if (!u->progress.any || u->progress.undone) {
		fprintf(stderr, "kith: %s: %s\n", file,
		    u->progress.any ? "was undone already"
		                    : "there is no such file: nothing was imported, or it was moved");
		return false;
	}
	if (!roster_load(&u->roster, u->remote) || !progress_read(file, undo_on_first, u))
		return false;
	if (u->n_updates)
		qsort(u->updates, u->n_updates, sizeof *u->updates, undo_compare);
	bar_begin(&u->bar, "undone", 0);
	u->line = 0;
	u->failed |= !progress_read(file, undo_on_record, u);
	undo_wait(u, 0);
	for (struct remote_call *c; (c = remote_cancel(u->remote)) != NULL;) {
		free(c->ctx);
		remote_call_free(c);
	}
	u->line = 0;
	u->failed |= u->failed || !progress_read(file, undo_on_made, u);
	bar_hide(&u->bar);
	undo_list_updated(u);
	return undo_end(u);
}

int import_undo(const struct import_options *o)
{
	struct undo *u = mem_zalloc(sizeof *u);
	struct buf path;
	bool ok;

	buf_init(&path, 8192);
	buf_printf(&path, "%s.kith", o->file);
	u->remote = remote_new(o->url, o->key, o->no_proxy, undo_tick, u);
	ok = progress_open(&u->progress, path.data) && undo_go(u);
	ok = ok && !u->counts[UNDO_LEFT];
	buf_free(&path);
	remote_free(u->remote);
	roster_free(&u->roster);
	progress_close(&u->progress);
	free(u->updates);
	free(u->path);
	free(u);
	return ok ? 0 : 1;
}
