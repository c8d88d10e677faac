/* Batches: makes them of the file's records, sends them, and records their results. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "transfer/import_private.h"

/* The result of a batch, which becomes a line of FILE.kith. */
struct batch_outcome {
	int64_t counts[PROGRESS_COUNTS];
	struct buf created, updated, companies; /* items of JSON lists */
};

/* A batch. Its records, and so its number and key, depend only on the file. */
struct import_batch {
	int64_t number;
	size_t n;
	struct entry entries[IMPORT_BATCH];
	const char *reasons[IMPORT_BATCH]; /* why a record is not imported; NULL: it is imported, or not known yet */
	size_t begins[IMPORT_BATCH], lens[IMPORT_BATCH]; /* where a record's body is in bodies */
	size_t sent[IMPORT_BATCH], n_sent;               /* the records of the request */
	struct buf bodies;
	struct arena arena;
	struct batch_outcome outcome;
	bool by_name; /* the second request, of refused records: it names companies, whose ids may be deleted */
	int tries;
	bool looks; /* the request only looks for duplicates, before the batch itself is sent */
};

/* --- reading ---------------------------------------------------------------------------------- */

static void batch_free(struct import_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		entry_free(&b->entries[i]);
	buf_free(&b->bodies);
	buf_free(&b->outcome.created);
	buf_free(&b->outcome.updated);
	buf_free(&b->outcome.companies);
	arena_free(&b->arena);
	free(b);
}

/* Refuses a record with a reason for the user. The API's reason may begin with the path of a member. */
static void batch_refuse(const struct import *im, struct import_batch *b, size_t i, const char *reason)
{
	b->reasons[i] = import_place(im, &b->arena, &b->entries[i], b->bodies.data + b->begins[i], b->lens[i], reason);
}

/* Reads the records of the next batch; NULL at the end, or with im->failed. */
static struct import_batch *batch_read(struct import *im)
{
	struct import_batch *b = mem_zalloc(sizeof *b);
	size_t size = 0;

	arena_init(&b->arena);
	buf_init(&b->bodies, SIZE_MAX);
	buf_init(&b->outcome.created, SIZE_MAX);
	buf_init(&b->outcome.updated, SIZE_MAX);
	buf_init(&b->outcome.companies, SIZE_MAX);
	b->number = im->next_batch++;
	while (b->n < IMPORT_BATCH && size < IMPORT_BATCH_BYTES) {
		struct entry *e = &b->entries[b->n];
		entry_init(e);
		if (!source_next(&im->source, e)) {
			entry_free(e);
			im->read_all = true;
			break;
		}
		/* The line has no values, only commas, or another import is about it. */
		if ((!e->refused && !e->object && !e->n_values) || !import_takes(im, e)) {
			entry_free(e);
			continue;
		}
		size += e->size;
		b->n++;
	}
	if (*source_error(&im->source)) {
		import_say(im, "%s: %s", im->name, source_error(&im->source));
		im->failed = true;
	}
	if (b->n && !im->failed)
		return b;
	batch_free(b);
	return NULL;
}

static void batch_compose(struct import *im, struct import_batch *b, size_t i)
{
	b->begins[i] = b->bodies.len;
	compose_entry(&im->compose, &b->entries[i], &b->bodies);
	b->lens[i] = b->bodies.len - b->begins[i];
	if (b->entries[i].refused)
		batch_refuse(im, b, i, b->entries[i].refused);
}

/* --- sending --------------------------------------------------------------------------------------- */

/* True when the record belongs to the next request. */
static bool batch_is_due(const struct import *im, const struct import_batch *b, size_t i)
{
	return !b->reasons[i] && b->entries[i].by_name == b->by_name &&
	       !(b->entries[i].assumed && im->kind > TRANSFER_OBJECTS);
}

static void batch_send(struct import *im, struct import_batch *b)
{
	bool upsert = im->match || b->looks;
	struct remote_call *c = remote_call_new("POST", "%s/batch/%s%s", im->path, upsert ? "upsert" : "create",
	    im->options->dry_run ? "?dryRun=true" : "");
	struct json_out o;

	c->ctx = b;
	if (!im->options->dry_run)
		import_key(im, c->key,
		    b->by_name ? "names"
		    : b->tries ? "again"
		               : "batch",
		    b->number * (IMPORT_TRIES + 1) + b->tries);
	json_out_init(&o, &c->body);
	json_begin_object(&o);
	if (upsert)
		json_add_string(&o, "match", b->looks ? "emails" : im->match);
	json_key(&o, "records");
	json_begin_array(&o);
	b->n_sent = 0;
	for (size_t i = 0; i < b->n; i++) {
		if (!batch_is_due(im, b, i))
			continue;
		b->sent[b->n_sent++] = i;
		json_raw(&o, b->bodies.data + b->begins[i], b->lens[i]);
	}
	json_end_array(&o);
	json_end_object(&o);
	remote_start(im->remote, c);
}

/* --- answers ---------------------------------------------------------------------------------------- */

/* Notes companies that a person's record has created: their ids are not older than the change of the record. */
static void batch_put_companies(const struct import *im, struct batch_outcome *out, const struct json *data)
{
	const struct json *list = json_member(data, "companies"), *changed = json_member(data, "updatedAt");
	struct uuid uuid, least;
	int64_t ms;

	if (im->kind != TRANSFER_PEOPLE || !changed || !time_parse(changed->text, changed->len, &ms))
		return;
	least = id_least(ms);
	json_each(c, list) {
		const char *id = json_text(c, "id");
		if (!id_parse(ID_COMPANY, id, strlen(id), &uuid) || uuid_compare(&uuid, &least) < 0 ||
		    (out->companies.data && strstr(out->companies.data, id)))
			continue;
		buf_printf(&out->companies, "%s\"%s\"", out->companies.len ? "," : "", id);
	}
}

static void batch_show(struct import *im, const struct json *data)
{
	struct json_out o;
	struct buf text;

	if (!im->options->dry_run || im->shown == 5)
		return;
	im->shown++;
	buf_init(&text, 4 << 20);
	json_out_init(&o, &text);
	json_value(&o, data);
	bar_hide(&im->bar);
	fprintf(stderr, "%s\n", text.data);
	buf_free(&text);
}

static void batch_succeeded(struct import *im, struct import_batch *b, size_t i, const struct json *result)
{
	struct batch_outcome *out = &b->outcome;
	const struct json *data = json_member(result, "data");
	const char *operation = json_text(result, "operation");
	enum progress_count count = PROGRESS_CREATED;

	for (int k = 0; k < PROGRESS_COUNTS; k++)
		if (strcmp(operation, progress_count_names[k]) == 0)
			count = (enum progress_count)k;
	out->counts[count]++;
	out->counts[PROGRESS_LOST] +=
	    import_lose(im, &b->entries[i], b->bodies.data + b->begins[i], b->lens[i], result);
	if (count == PROGRESS_CREATED)
		import_note_made(im, &b->entries[i], result);
	if (count != PROGRESS_CREATED && count != PROGRESS_UPDATED)
		return;
	progress_put_record(count == PROGRESS_CREATED ? &out->created : &out->updated, data);
	batch_put_companies(im, out, data);
}

/* True when the record has names of companies beside their ids, so that it can be sent with the names. */
static bool batch_may_name(const struct import *im, const struct import_batch *b, size_t i)
{
	const struct json *list = json_member(b->entries[i].object, "companies");

	if (b->by_name || !im->compose.same_workspace || im->kind != TRANSFER_PEOPLE)
		return false;
	json_each(c, list)
		if (*json_text(c, "id") && *json_text(c, "name"))
			return true;
	return false;
}

/* A record that matches several is refused with their ids. */
static const char *batch_error(struct import_batch *b, const struct json *error)
{
	const struct json *list = json_member(json_member(error, "details"), "candidates");
	const char *text = error ? json_text(error, "message") : "the server sent no result for this record";

	json_each(c, list)
		if (c->type == JSON_STRING)
			text = arena_printf(&b->arena, "%s%s%s", text, c == list->first ? ": " : ", ", c->text);
	return text;
}

static void batch_read_results(struct import *im, struct import_batch *b, const struct json *results)
{
	const struct json *r = json_items(results);

	for (size_t k = 0; k < b->n_sent; k++, r = r ? r->next : NULL) {
		const struct json *error = json_member(r, "error");
		bool succeeded = r && strcmp(json_text(r, "status"), "succeeded") == 0;
		if (succeeded)
			batch_succeeded(im, b, b->sent[k], r);
		if (succeeded && b->number == 0)
			batch_show(im, json_member(r, "data"));
		if (succeeded)
			continue;
		if (batch_may_name(im, b, b->sent[k]))
			b->entries[b->sent[k]].by_name = true;
		else
			batch_refuse(im, b, b->sent[k], batch_error(b, error));
	}
}

static void batch_put_list(struct buf *line, const char *name, const struct buf *items)
{
	if (items->len)
		buf_printf(line, ",\"%s\":[%s]", name, items->data);
}

static bool batch_note(struct import *im, const struct import_batch *b)
{
	const struct batch_outcome *out = &b->outcome;
	struct buf line;
	bool ok;

	if (im->options->dry_run)
		return true;
	buf_init(&line, SIZE_MAX);
	buf_printf(&line, "{\"batch\":%" PRId64 ",\"counts\":{", b->number);
	for (int i = 0, any = 0; i < PROGRESS_COUNTS; i++)
		if (out->counts[i])
			buf_printf(
			    &line, "%s\"%s\":%" PRId64, any++ ? "," : "", progress_count_names[i], out->counts[i]);
	buf_printf(&line, "},\"refusedBytes\":%" PRId64, im->refusal.bytes);
	batch_put_list(&line, "created", &out->created);
	batch_put_list(&line, "updated", &out->updated);
	batch_put_list(&line, "companies", &out->companies);
	buf_addz(&line, "}\n");
	ok = progress_append(&im->progress, &line);
	buf_free(&line);
	return ok;
}

/* All results are known: writes the refused records, then the line that the batch is done. */
static bool batch_end(struct import *im, struct import_batch *b)
{
	int64_t *counts = b->outcome.counts, before = im->progress.counts[PROGRESS_REFUSED];
	bool ok = true;

	for (size_t i = 0; ok && i < b->n; i++) {
		/* What a dry run does not send, because it is about a contact that the import would make. */
		counts[PROGRESS_CREATED] += !b->reasons[i] && b->entries[i].assumed && im->kind > TRANSFER_OBJECTS;
		if (!b->reasons[i])
			continue;
		counts[PROGRESS_REFUSED]++;
		if (im->options->dry_run && before + counts[PROGRESS_REFUSED] <= IMPORT_NAMED)
			import_say(im, "refused: %s", b->reasons[i]);
		if (!im->options->dry_run)
			ok = refusal_add(
			    &im->refusal, &b->entries[i], b->reasons[i], b->bodies.data + b->begins[i], b->lens[i]);
	}
	ok = ok && batch_note(im, b);
	for (int i = 0; i < PROGRESS_COUNTS; i++)
		im->progress.counts[i] += counts[i];
	im->bar.done += (int64_t)b->n;
	batch_free(b);
	return ok;
}

/* True when some record is still to be sent. */
static bool batch_pending(const struct import *im, const struct import_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (batch_is_due(im, b, i))
			return true;
	return false;
}

/* Takes the results of an answer, NULL if nothing was left to send. Sends records again with names instead of ids, or
 * ends the batch. */
static bool batch_done(struct import *im, struct import_batch *b, struct remote_call *c)
{
	if (c)
		batch_read_results(im, b, json_member(remote_data(c), "results"));
	if (!b->by_name) {
		b->by_name = true;
		for (size_t i = 0; i < b->n; i++)
			if (b->entries[i].by_name)
				batch_compose(im, b, i);
		if (batch_pending(im, b)) {
			batch_send(im, b);
			return true;
		}
	}
	return batch_end(im, b);
}

/* --- duplicates, in a dry run ------------------------------------------------------------------------- */

/* Reports records that an upsert would find by e-mail address. */
static void batch_looked(struct import *im, const struct import_batch *b, struct remote_call *c)
{
	const struct json *r = json_items(json_member(remote_data(c), "results"));

	for (size_t k = 0; k < b->n_sent && r; k++, r = r->next) {
		const struct json *email = json_items(json_member(json_member(r, "data"), "emails"));
		bool several = strcmp(json_text(json_member(r, "error"), "code"), "AMBIGUOUS_MATCH") == 0;
		const char *operation = json_text(r, "operation");
		if (!several && strcmp(operation, "updated") != 0 && strcmp(operation, "unchanged") != 0)
			continue;
		if (++im->matches > IMPORT_NAMED)
			continue;
		import_say(im, "line %" PRId64 ": a record with %s exists already%s", b->entries[b->sent[k]].line,
		    email ? email->text : "its e-mail address", several ? " more than once" : "");
	}
}

/* --- failures ------------------------------------------------------------------------------------------ */

/* The server refuses the whole request because of the form of some records; these are left out. False when the reason
 * is not a record. */
static bool batch_leave_out(const struct import *im, struct import_batch *b, const struct remote_call *c)
{
	const struct json *details = json_member(json_member(c->json, "error"), "details"),
	                  *issues = json_member(details, "issues");
	bool any = false;

	json_each(i, issues) {
		const struct json *first = json_items(json_member(i, "path"));
		const struct json *index = first ? first->next : NULL;
		char at[1200] = "";
		unsigned long k;
		if (!index || index->type != JSON_NUMBER || strcmp(first->text, "records") != 0)
			continue;
		k = strtoul(index->text, NULL, 10);
		for (const struct json *p = index->next; p; p = p->next)
			snprintf(at + strlen(at), sizeof at - strlen(at), "%s%s", *at ? "." : "", p->text);
		if (k >= b->n_sent)
			continue;
		any = true;
		if (!b->reasons[b->sent[k]])
			batch_refuse(im, b, b->sent[k],
			    arena_printf(&b->arena, "%s%s%s%s%s", at, *at ? ": " : "", json_text(i, "message"),
			        *json_text(i, "hint") ? "; " : "", json_text(i, "hint")));
	}
	return any;
}

/* The status was not 200: sends the batch again, or gives up. */
static bool batch_failed(struct import *im, struct import_batch *b, struct remote_call *c)
{
	const char *code = json_text(json_member(c->json, "error"), "code");
	bool reused = strcmp(code, "IDEMPOTENCY_KEY_REUSED") == 0;

	/* The batch was imported, but its answer cannot be had. */
	if (reused || strcmp(code, "IDEMPOTENCY_RESPONSE_NOT_STORED") == 0) {
		import_say(im, "the server has imported the records of lines %" PRId64 " to %" PRId64 " before, but %s",
		    b->entries[b->sent[0]].line, b->entries[b->sent[b->n_sent - 1]].line,
		    reused ? "what they refer to has changed since; look whether all of them exist"
		           : "no longer has its answer");
		b->outcome.counts[PROGRESS_CREATED] += (int64_t)b->n_sent;
		return batch_done(im, b, NULL);
	}
	if (c->status == 500 && b->tries < IMPORT_TRIES) {
		b->tries++;
		batch_send(im, b);
		return true;
	}
	if (c->status == 422 && batch_leave_out(im, b, c)) {
		if (!batch_pending(im, b))
			return batch_done(im, b, NULL);
		batch_send(im, b);
		return true;
	}
	import_say(im, "the server refused the batch that begins in line %" PRId64 ": %s%s%s", b->entries[0].line,
	    remote_reason(c), c->status == 404 ? "; the server may be older than this program and have no POST " : "",
	    c->status == 404 ? c->path : "");
	batch_free(b);
	return false;
}

static bool batch_answered(struct import *im, struct remote_call *c)
{
	struct import_batch *b = c->ctx;
	bool ok = true;

	if (b->looks && (c->status == 200 || c->status == 404)) {
		batch_looked(im, b, c);
		b->looks = false;
		batch_send(im, b);
	} else {
		ok = c->status == 200 ? batch_done(im, b, c) : batch_failed(im, b, c);
	}
	remote_call_free(c);
	return ok;
}

/* --- all ---------------------------------------------------------------------------------------------------- */

/* Begins the next batch that is not done; false when there is none. */
static bool batch_next(struct import *im)
{
	struct import_batch *b;

	while ((b = batch_read(im))) {
		if (progress_has(&im->progress, b->number)) {
			im->bar.done += (int64_t)b->n;
			im->bar.skipped += (int64_t)b->n;
			batch_free(b);
			continue;
		}
		import_begin_contacts(im);
		for (size_t i = 0; i < b->n; i++)
			compose_expect(&im->compose, &b->entries[i]);
		for (size_t i = 0; i < b->n; i++)
			batch_compose(im, b, i);
		if (im->failed) {
			batch_free(b);
			return false;
		}
		b->looks = im->options->dry_run && !im->match && im->kind <= TRANSFER_COMPANIES;
		if (batch_pending(im, b)) {
			batch_send(im, b);
			return true;
		}
		im->failed = !batch_done(im, b, NULL) || im->failed;
		if (im->failed)
			return false;
	}
	return false;
}

/* After a failure: waits for batches in progress, unless the server does not respond. */
static void batch_drain(struct import *im)
{
	struct remote_call *c;

	while ((c = remote_wait(im->remote))) {
		struct import_batch *b = c->ctx;
		if (c->status == 200 && !b->looks)
			batch_done(im, b, c);
		else
			batch_free(b);
		remote_call_free(c);
	}
	while ((c = remote_cancel(im->remote))) {
		im->unknown = true;
		batch_free(c->ctx);
		remote_call_free(c);
	}
}

bool import_send(struct import *im)
{
	/* One batch at a time: two lines of the file may update one record, and then their order counts. Also
	 * contacts are looked up between batches. */
	bool looks = im->by_name || (!im->compose.same_workspace && im->kind > TRANSFER_COMPANIES);
	int window = im->match || looks ? 1 : REMOTE_SLOTS;

	while (!im->failed) {
		while (!im->failed && !im->read_all && remote_busy(im->remote) < window)
			if (!batch_next(im))
				break;
		if (im->failed || !remote_busy(im->remote))
			break;
		struct remote_call *c = remote_wait(im->remote);
		if (!c || !batch_answered(im, c))
			im->failed = true;
	}
	batch_drain(im);
	return !im->failed;
}
