/* kith import --undo: deletes what the imports of a file made, unless it was changed since. One request follows the
 * other: most records are deleted a hundred at a time, and then the server's rate limit decides how long it takes. */
#include <stdio.h>
#include <stdlib.h>

#include "transfer/undo_private.h"

enum { LISTED_MAX = 100, UPDATES_EXPECTED = 1000, COMPANIES_EXPECTED = 1000 };

static const char *const undo_count_names[UNDO_COUNTS] = {
    "deleted", "absent", "left", "updated", "companies", "groups", "fields", "contacts"};

static void undo_tick(void *ctx)
{
	struct undo *u = ctx;

	if (u->bar.verb)
		bar_show(&u->bar);
}

void undo_say(struct undo *u, const char *id, const char *why)
{
	bar_hide(&u->bar);
	fprintf(stderr, "kith: %s: %s\n", id, why);
}

struct remote_call *undo_send(struct undo *u, struct remote_call *c)
{
	c = remote_run(u->remote, c);
	u->failed |= !c;
	return c;
}

/* --- records ------------------------------------------------------------------------------------- */

static struct remote_call *undo_ask(struct undo *u, const char *method, const char *etag)
{
	struct remote_call *c = remote_call_new(method, "%s/%s", u->path, u->records->id);

	snprintf(c->if_match, sizeof c->if_match, "%s", etag);
	return undo_send(u, c);
}

/* Record i of the batch is finished. */
static void undo_drop(struct undo *u, size_t i)
{
	memmove(u->records + i, u->records + i + 1, (u->n - i - 1) * sizeof *u->records);
	u->n--;
	u->bar.done++;
}

/* Notes the answer to the last request about the first record: to its deletion, or a reason for none. */
static void undo_answered(struct undo *u, struct remote_call *c)
{
	bool deleted = strcmp(c->method, "DELETE") == 0 && c->status == 200,
	     changed = c->status == 200 || c->status == 412;

	u->counts[deleted ? UNDO_DELETED : c->status == 404 ? UNDO_ABSENT : UNDO_LEFT]++;
	if (!deleted && c->status != 404 && u->counts[UNDO_LEFT] <= LISTED_MAX)
		undo_say(u, u->records->id, changed ? "has changed since its import and was kept" : remote_reason(c));
	undo_drop(u, 0);
}

/* Deletes all records of the batch that have the ETag. Removes them from the batch, and those that do not exist. False
 * when there are none. */
static bool undo_together(struct undo *u, const char *etag)
{
	struct remote_call *c = remote_call_new("POST", "%s/batch/delete", u->path);
	struct json_out o;
	size_t i = 0, n = u->n;

	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_key(&o, "records");
	json_begin_array(&o);
	for (size_t k = 0; k < n; k++) {
		json_begin_object(&o);
		json_add_string(&o, "id", u->records[k].id);
		json_add_string(&o, "ifMatch", etag);
		json_end_object(&o);
	}
	json_end_array(&o);
	json_end_object(&o);
	c = undo_send(u, c);
	json_each(r, c ? json_member(remote_data(c), "results") : NULL) {
		bool deleted = strcmp(json_text(r, "status"), "succeeded") == 0;
		if (i == u->n)
			break;
		if (!deleted && strcmp(json_text(json_member(r, "error"), "code"), "NOT_FOUND") != 0) {
			i++;
			continue;
		}
		u->counts[deleted ? UNDO_DELETED : UNDO_ABSENT]++;
		undo_drop(u, i);
	}
	remote_call_free(c);
	return u->n < n;
}

/* True when the answer shows the first record as the imports left it. */
static bool undo_left_so(const struct undo *u, const struct remote_call *c)
{
	const char *id = u->records->id;
	const struct undo_update *update = table_find(&u->updates, id, strlen(id));
	char state[PROGRESS_STATE_SIZE];

	if (c->status != 200)
		return false;
	progress_state(remote_data(c), state);
	return strcmp(state, update ? update->state : u->records->state) == 0;
}

/* Reads the first record, and deletes it if it is unchanged. With *together the other records that have its ETag are
 * deleted with it: those that were created together and not changed since. Clears *together if that deletes none. */
static void undo_first(struct undo *u, bool *together)
{
	struct remote_call *c = undo_ask(u, "GET", "");
	bool unchanged = c && undo_left_so(u, c), gone = c && c->status == 404;

	if (*together && u->n > 1 && (unchanged || gone)) {
		/* No record has the ETag "0". The request shows which ones an interrupted undo has deleted. */
		*together = undo_together(u, unchanged ? c->etag : "\"0\"");
		remote_call_free(c);
		return;
	}
	if (unchanged) {
		snprintf(u->tag, sizeof u->tag, "%s", c->etag);
		remote_call_free(c);
		c = undo_ask(u, "DELETE", u->tag);
	}
	if (c)
		undo_answered(u, c);
	remote_call_free(c);
}

/* Deletes the first record if it has the last ETag. False if it has another one, or there is none yet. */
static bool undo_like_last(struct undo *u)
{
	struct remote_call *c = *u->tag ? undo_ask(u, "DELETE", u->tag) : NULL;
	bool done = c && c->status != 412;

	if (done)
		undo_answered(u, c);
	remote_call_free(c);
	return done;
}

/* Notes, tasks and interactions are not deleted in batches. */
static void undo_batch(struct undo *u)
{
	bool batches = strcmp(u->path, "/v1/notes") != 0 && strcmp(u->path, "/v1/tasks") != 0 &&
	               strcmp(u->path, "/v1/interactions") != 0;
	bool together = batches;

	u->tag[0] = '\0';
	while (u->n && !u->failed)
		if (batches || !undo_like_last(u))
			undo_first(u, &together);
}

/* True for ["id","state"]. */
static bool undo_is_record(const struct json *pair)
{
	return pair->type == JSON_ARRAY && pair->count == 2 && pair->first->type == JSON_STRING &&
	       pair->first->next->type == JSON_STRING;
}

/* Deletes the records that a line of the file created. */
static void undo_records(struct undo *u, const struct json *list)
{
	json_each(i, list) {
		struct undo_update *update;

		if (u->failed || !undo_is_record(i))
			continue;
		update = table_find(&u->updates, i->first->text, i->first->len);
		if (update)
			update->own = true;
		u->records[u->n++] = (struct undo_record){i->first->text, i->first->next->text};
		if (u->n == IMPORT_BATCH)
			undo_batch(u);
	}
	undo_batch(u);
}

/* --- the file -------------------------------------------------------------------------------------- */

/* Notes when a run went to another workspace: its user is neither the key's nor a colleague. */
static void undo_note_run(struct undo *u, const struct json *line)
{
	struct progress_run run;

	progress_read_run(&u->arena, line, &run);
	if (strcmp(run.user, u->roster.me) != 0 && !roster_user(&u->roster, run.user))
		u->elsewhere = run.options;
}

static void undo_note_updates(struct undo *u, const struct json *list)
{
	json_each(i, list) {
		struct table_row *row;
		struct undo_update *update;

		if (!undo_is_record(i))
			continue;
		row = table_row(&u->updates, arena_dup(&u->arena, i->first->text, i->first->len), i->first->len);
		update = row->value = arena_alloc(&u->arena, sizeof *update);
		*update = (struct undo_update){.own = false};
		snprintf(update->state, sizeof update->state, "%s", i->first->next->text);
	}
}

/* The first reading: notes what was undone before, where the rest was imported, and which records imports updated. */
static bool undo_on_first(void *ctx, const struct json *line)
{
	struct undo *u = ctx;
	const struct json *run = json_member(line, "run");

	u->line++;
	if (json_member(line, "undone")) {
		u->undone_line = u->line;
		u->elsewhere = NULL;
		table_init(&u->updates, &u->arena, UPDATES_EXPECTED);
	}
	if (run)
		undo_note_run(u, run);
	undo_note_updates(u, json_member(line, "updated"));
	return true;
}

/* Notes the path of a run's records. */
static void undo_take_path(struct undo *u, const struct json *line)
{
	const char *path = json_text(json_member(line, "run"), "path");

	if (*path)
		u->path = arena_dupz(&u->arena, path);
}

/* The second and third reading delete the records. */
static bool undo_on_record(void *ctx, const struct json *line)
{
	struct undo *u = ctx;

	undo_take_path(u, line);
	if (u->line++ >= u->undone_line && (u->path && strcmp(u->path, "/v1/companies") == 0) == u->companies_turn)
		undo_records(u, json_member(line, "created"));
	return !u->failed;
}

/* The last reading deletes the fields and groups, and collects the companies. A company occurs several times, because
 * each batch notes all companies of its people. */
static bool undo_on_made(void *ctx, const struct json *line)
{
	struct undo *u = ctx;
	const struct json *made = json_member(line, "made");

	undo_take_path(u, line);
	if (u->line++ < u->undone_line)
		return true;
	json_each(i, json_member(line, "companies"))
		if (i->type == JSON_STRING)
			table_add(&u->companies, arena_dup(&u->arena, i->text, i->len), i->len);
	if (made)
		undo_made(u, made);
	return !u->failed;
}

static bool undo_read(struct undo *u, bool (*each)(void *ctx, const struct json *line))
{
	u->line = 0;
	return progress_read(u->progress.path, each, u);
}

/* --- all ----------------------------------------------------------------------------------------------- */

/* Lists records that existed before and that the imports updated. They are kept as they are. */
static void undo_list_updated(struct undo *u)
{
	for (size_t i = 0; i < u->updates.count; i++) {
		const struct undo_update *update = u->updates.rows[i].value;
		if (!update->own && ++u->counts[UNDO_UPDATED] <= LISTED_MAX)
			undo_say(u, u->updates.rows[i].key,
			    "was updated by an import; --undo does not restore its old values");
	}
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
	for (int i = 0; i < UNDO_COUNTS; i++)
		json_add_int(&o, undo_count_names[i], u->counts[i]);
	json_add_bool(&o, "complete", ok);
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
	if (!progress_lock(&u->progress) || !roster_load(&u->roster, u->remote) || !undo_read(u, undo_on_first))
		return false;
	/* From another workspace all records would seem to be deleted. */
	if (u->elsewhere) {
		fprintf(stderr,
		    "kith: %s: this import went to another workspace, or its user has left the workspace:\n  %s\n",
		    file, u->elsewhere);
		return false;
	}
	bar_begin(&u->bar, "undone", 0);
	u->failed = !undo_read(u, undo_on_record);
	u->companies_turn = true;
	u->failed = u->failed || !undo_read(u, undo_on_record) || !undo_read(u, undo_on_made);
	bar_hide(&u->bar);
	bar_begin(&u->bar, "companies checked", 0);
	undo_companies(u);
	bar_hide(&u->bar);
	undo_list_updated(u);
	return undo_end(u);
}

int import_undo(const struct import_options *o)
{
	struct undo *u = mem_zalloc(sizeof *u);
	bool ok;

	arena_init(&u->arena);
	table_init(&u->updates, &u->arena, UPDATES_EXPECTED);
	table_init(&u->companies, &u->arena, COMPANIES_EXPECTED);
	u->remote = remote_new(o->url, o->key, o->no_proxy, undo_tick, u);
	ok = progress_open(&u->progress, arena_printf(&u->arena, "%s.kith", o->file)) && undo_go(u);
	ok = ok && !u->counts[UNDO_LEFT];
	remote_free(u->remote);
	roster_free(&u->roster);
	progress_close(&u->progress);
	arena_free(&u->arena);
	free(u);
	return ok ? 0 : 1;
}
