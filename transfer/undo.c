/* kith import --undo: deletes what the imports of a file made, unless it was changed since. */
#include <stdio.h>
#include <stdlib.h>

#include "server/base/text.h"
#include "transfer/undo_private.h"

static const char *const undo_count_names[UNDO_COUNTS] = {
    "deleted", "absent", "left", "updated", "companies", "groups", "fields"};

/* A record that an import created, and its state at that time. */
struct undo_record {
	char id[ID_SIZE], state[PROGRESS_STATE_SIZE];
};

/* The records of one batch of the import. The first one is read; all records with the same ETag are deleted together.
 */
struct undo_batch {
	struct undo_record *records; /* that are left */
	size_t n, sent;              /* n: records that are left; sent: how many of the first ones UNDO_ALL deletes */
	enum { UNDO_READ, UNDO_ONE, UNDO_ALL, UNDO_LOOK } request;
	bool alone;  /* each is deleted by a request of its own */
	bool looked; /* UNDO_LOOK has shown which records are gone */
	/* For notes and tasks: the ETag of the previous record. Records that were created together and not changed
	 * since have the same one. "": none yet. */
	char tag[REMOTE_TAG_SIZE];
	bool guessed; /* UNDO_ONE was sent with this tag, without reading the record */
};

static void undo_tick(void *ctx)
{
	struct undo *u = ctx;

	if (u->bar.verb)
		bar_show(&u->bar);
}

/* --- records ------------------------------------------------------------------------------------- */

/* Notes, tasks and interactions are not deleted in batches. */
static bool undo_is_alone(const struct undo *u)
{
	return strcmp(u->path, "/v1/notes") == 0 || strcmp(u->path, "/v1/tasks") == 0 ||
	       strcmp(u->path, "/v1/interactions") == 0;
}

static int undo_compare(const void *a, const void *b)
{
	return uuid_compare(&((const struct undo_update *)a)->id, &((const struct undo_update *)b)->id);
}

static bool undo_read_id(const char *text, struct undo_update *update)
{
	return id_parse_any(text, strlen(text), &update->kind, &update->id);
}

/* Returns the first update of a record, NULL when there is none. The updates of a record are adjacent in the list. */
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

/* True when an import left the record in this state. */
static bool undo_left_so(const struct undo *u, const struct undo_record *r, const char *state)
{
	struct uuid id;
	struct undo_update *update = undo_updates_of(u, r->id, &id);
	bool known = strcmp(state, r->state) == 0;

	for (; update && update < u->updates + u->n_updates && uuid_equal(&update->id, &id); update++)
		known |= strcmp(update->state, state) == 0;
	return known;
}

/* Marks the updates of a record that the imports created themselves. */
static void undo_note_own(const struct undo *u, const char *text)
{
	struct uuid id;
	struct undo_update *update = undo_updates_of(u, text, &id);

	for (; update && update < u->updates + u->n_updates && uuid_equal(&update->id, &id); update++)
		update->own = true;
}

static void undo_request(struct undo *u, struct undo_batch *b, const char *etag)
{
	struct remote_call *c =
	    remote_call_new(b->request == UNDO_ONE ? "DELETE" : "GET", "%s/%s", u->path, b->records->id);

	snprintf(c->if_match, sizeof c->if_match, "%s", etag);
	c->ctx = b;
	remote_start(u->remote, c);
}

/* Requests the deletion of all records that the imports left in this state (NULL: all records), if they have the ETag.
 */
static void undo_request_all(struct undo *u, struct undo_batch *b, const char *state, const char *etag)
{
	struct remote_call *c = remote_call_new("POST", "%s/batch/delete", u->path);
	struct json_out o;

	b->request = state ? UNDO_ALL : UNDO_LOOK;
	b->sent = 0;
	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_key(&o, "records");
	json_begin_array(&o);
	for (size_t i = 0; i < b->n; i++) {
		struct undo_record r = b->records[i];
		if (state && !undo_left_so(u, &r, state))
			continue;
		b->records[i] = b->records[b->sent];
		b->records[b->sent++] = r;
		json_begin_object(&o);
		json_key(&o, "id");
		json_string(&o, r.id);
		json_key(&o, "ifMatch");
		json_string(&o, etag);
		json_end_object(&o);
	}
	json_end_array(&o);
	json_end_object(&o);
	c->ctx = b;
	remote_start(u->remote, c);
}

static void undo_free(struct undo_batch *b)
{
	free(b->records);
	free(b);
}

/* Record i is finished. */
static void undo_drop(struct undo *u, struct undo_batch *b, size_t i)
{
	memmove(b->records + i, b->records + i + 1, (b->n - i - 1) * sizeof *b->records);
	b->n--;
	u->bar.done++;
}

static void undo_leave(struct undo *u, struct undo_batch *b, const char *why)
{
	if (++u->counts[UNDO_LEFT] <= LISTED_MAX)
		undo_say(u, b->records->id, why);
	undo_drop(u, b, 0);
}

/* The answer to a common deletion. When no record was deleted, they are tried one by one. */
static void undo_answered_all(struct undo *u, struct undo_batch *b, const struct remote_call *c)
{
	const struct json *results = json_member(remote_data(c), "results");
	const struct json *r = results && results->type == JSON_ARRAY ? results->first : NULL;
	size_t i = 0, n = b->n;

	for (size_t k = 0; k < b->sent && r; k++, r = r->next) {
		bool deleted = strcmp(json_text(r, "status"), "succeeded") == 0;
		if (!deleted && strcmp(json_text(json_member(r, "error"), "code"), "NOT_FOUND") != 0) {
			i++;
			continue;
		}
		u->counts[deleted ? UNDO_DELETED : UNDO_ABSENT]++;
		undo_drop(u, b, i);
	}
	/* The remaining records may have another ETag in common, for example after an update by a later import. */
	b->alone = b->request == UNDO_ALL && b->n == n;
}

/* The answer about the first record; true when another request about it was sent. */
static bool undo_answered_one(struct undo *u, struct undo_batch *b, struct remote_call *c)
{
	char state[PROGRESS_STATE_SIZE] = "";
	bool guessed = b->guessed;

	b->guessed = false;
	if (c->status == 200)
		progress_state(remote_data(c), state);
	if (c->status == 404) {
		u->counts[UNDO_ABSENT]++;
		undo_drop(u, b, 0);
		/* An undo that was interrupted may have deleted some records. One request with an ETag that no record
		 * has shows which ones.
		 */
		if (b->n > 1 && !b->alone && !b->looked) {
			b->looked = true;
			undo_request_all(u, b, NULL, "\"0\"");
			return true;
		}
	} else if (c->status == 412 && guessed) {
		b->request = UNDO_READ;
		undo_request(u, b, "");
		return true;
	} else if (c->status == 412 ||
	           (c->status == 200 && b->request == UNDO_READ && !undo_left_so(u, b->records, state))) {
		undo_leave(u, b, "has changed since its import and was kept");
	} else if (c->status != 200) {
		undo_leave(u, b, remote_reason(c));
	} else if (b->request == UNDO_ONE) {
		u->counts[UNDO_DELETED]++;
		undo_drop(u, b, 0);
	} else if (b->n > 1 && !b->alone && *c->etag) {
		undo_request_all(u, b, state, c->etag);
		return true;
	} else {
		snprintf(b->tag, sizeof b->tag, "%s", c->etag);
		b->request = UNDO_ONE;
		undo_request(u, b, c->etag);
		return true;
	}
	return false;
}

/* Continues the batch, or frees it; frees the call. */
static void undo_answered(struct undo *u, struct remote_call *c)
{
	struct undo_batch *b = c->ctx;
	bool goes_on = false;

	if (b->request == UNDO_ALL || b->request == UNDO_LOOK)
		undo_answered_all(u, b, c);
	else
		goes_on = undo_answered_one(u, b, c);
	if (!goes_on && b->n) {
		b->guessed = *b->tag && undo_is_alone(u);
		b->request = b->guessed ? UNDO_ONE : UNDO_READ;
		undo_request(u, b, b->guessed ? b->tag : "");
	} else if (!goes_on) {
		undo_free(b);
	}
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
	struct undo_batch *b;

	if (!list || list->type != JSON_ARRAY || !list->count || !undo_wait(u, REMOTE_SLOTS - 1))
		return !u->failed;
	b = mem_zalloc(sizeof *b);
	b->records = mem_zalloc(list->count * sizeof *b->records);
	b->alone = undo_is_alone(u);
	for (const struct json *i = list->first; i; i = i->next) {
		struct undo_record *r = &b->records[b->n];
		if (i->type != JSON_ARRAY || i->count != 2 || i->first->type != JSON_STRING ||
		    i->first->next->type != JSON_STRING)
			continue;
		b->n++;
		snprintf(r->id, sizeof r->id, "%s", i->first->text);
		snprintf(r->state, sizeof r->state, "%s", i->first->next->text);
		undo_note_own(u, r->id);
	}
	if (b->n)
		undo_request(u, b, "");
	else
		undo_free(b);
	return !u->failed;
}

/* True when this user made the import, into this workspace. */
static bool undo_is_here(const struct undo *u, const char *options)
{
	const char *by = strstr(options, " by ");
	char user[ID_SIZE];

	snprintf(user, sizeof user, "%.*s", by ? (int)strcspn(by + 4, " ") : 0, by ? by + 4 : "");
	return strcmp(user, u->roster.me) == 0 || roster_user(&u->roster, user);
}

/* The first reading: notes what was undone before, where the rest was imported, and which records later imports
 * updated. */
static bool undo_on_first(void *ctx, const struct json *line)
{
	struct undo *u = ctx;
	const struct json *run = json_member(line, "run"), *undone = json_member(line, "undone");

	u->line++;
	if (undone)
		u->undone_line = u->line;
	if (undone || (run && !undo_is_here(u, json_text(run, "options")))) {
		free(u->elsewhere);
		u->elsewhere = undone ? NULL : mem_dupz(json_text(run, "options"));
	}
	undo_note_updates(u, json_member(line, "updated"));
	return true;
}

static bool undo_on_record(void *ctx, const struct json *line)
{
	struct undo *u = ctx;
	const char *path = json_text(json_member(line, "run"), "path");

	/* Batches in progress still use the path. */
	if (*path && !undo_wait(u, 0))
		return false;
	if (*path) {
		free(u->path);
		u->path = mem_dupz(path);
	}
	return u->line++ < u->undone_line || undo_records(u, json_member(line, "created"));
}

/* --- all ----------------------------------------------------------------------------------------------- */

/* Lists records that existed before and that the imports updated. They are kept as they are. */
static void undo_list_updated(struct undo *u)
{
	char text[ID_SIZE];

	for (size_t i = 0; i < u->n_updates; i++)
		if (!u->updates[i].own && (i == 0 || !uuid_equal(&u->updates[i].id, &u->updates[i - 1].id)) &&
		    ++u->counts[UNDO_UPDATED] <= LISTED_MAX)
			undo_say(u, id_format(u->updates[i].kind, &u->updates[i].id, text),
			    "was updated by an import; --undo does not restore its old values");
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
		    u->progress.any ? "this import was undone already"
		                    : "the file does not exist: nothing was imported, or the file was moved");
		return false;
	}
	if (!progress_lock(&u->progress) || !roster_load(&u->roster, u->remote) ||
	    !progress_read(file, undo_on_first, u))
		return false;
	/* From another workspace all records would seem to be deleted. */
	if (u->elsewhere) {
		fprintf(stderr,
		    "kith: %s: this import went to another workspace, or its user has left the workspace:\n  %s\n",
		    file, u->elsewhere);
		return false;
	}
	if (u->n_updates)
		qsort(u->updates, u->n_updates, sizeof *u->updates, undo_compare);
	bar_begin(&u->bar, "undone", 0);
	u->line = 0;
	u->failed |= !progress_read(file, undo_on_record, u);
	undo_wait(u, 0);
	for (struct remote_call *c; (c = remote_cancel(u->remote)) != NULL;) {
		undo_free(c->ctx);
		remote_call_free(c);
	}
	u->failed |= u->failed || !undo_made(u);
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
	free(u->elsewhere);
	free(u->updates);
	free(u->companies);
	free(u->path);
	free(u);
	return ok ? 0 : 1;
}
