/* The tool update_many: changes all records that a filter finds, at most 1,000, in four stages:
 *	1. It lists the matching records, page by page, and notes the tag of each.
 *	2. Unless it is a dry run, their number must be the one that the caller expects. Otherwise nothing is done.
 *	3. It updates them in batches of 100, or fewer if the fields are long, and tasks one by one. Each record has
 *	   the tag that was read as its ifMatch, so a record that somebody else has changed meanwhile is left as it
 *	   is. A dry run sends the same requests as dry runs.
 *	4. It tells how many were updated, which were not, and why.
 * Each page and each batch is a request inside the call (runner_inside()). If one fails, the call stops there. Batches
 * before it stay, and the result tells so. A repeated call does nothing twice: what it would find has changed, so the
 * number is another one, or the values are set already. */
#include "server/mcp/refer.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/etag.h"
#include "server/request/large.h"
#include "server/request/reply.h"
#include "server/request/server.h"

enum {
	MANY_MOST = 1000,
	BATCH = 100,
	PAGES_MOST = 400,           /* records may be large, and a page has at least one */
	LISTS_BYTES_MOST = 8 << 20, /* of lists that are kept, to append to them */
	FAILURES_SHOWN = 20,
	EXAMPLES = 5,
	TIME_MOST_MS = 60 * 1000,
	ADMITTED_MS = 1000 /* the key is checked again when its last check is older */
};

struct many_record {
	char id[ID_SIZE], tag[ETAG_SIZE];
	const char *name;   /* of the first ones */
	struct json *lists; /* the lists to append to, as they were read */
};

struct many {
	struct inside inside;
	struct req *r;
	const struct kind *kind;
	const char *path, *target; /* of the list; the target of the list of a kind without a search by a body */
	const struct json *fields, *add;
	bool dry;
	int64_t until_ms, admitted_ms;
	struct admission_ticket ticket; /* asks again whether the key is valid */
	struct many_record *records;
	size_t n, at;          /* the records; those that were sent */
	size_t batch;          /* records that are sent at once */
	size_t pages, bytes;   /* pages that were read; bytes of lists */
	struct json *cursor;   /* of the next page; NULL: there is none */
	size_t updated, moved; /* records that were updated, and those that somebody else had changed */
	struct json *failures; /* the first records that were refused, with the reason */
	size_t n_failures;
	const char *stopped; /* why it ended early; NULL: it did not */
};

/* --- trees of JSON ---------------------------------------------------------------------------- */

/* Copies a value that another arena has, and counts its bytes. */
static struct json *copy_value(struct arena *a, const struct json *value, size_t *bytes)
{
	size_t before = a->used;
	struct json *copy = json_copy(a, value);

	*bytes += a->used - before;
	return copy;
}

static void attach_text(struct arena *a, struct json *holder, const char *key, const char *text)
{
	json_attach(a, holder, key, json_make_text(a, text, strlen(text)));
}

/* True if both are the same text, or objects with the same id. */
static bool same_item(const struct json *a, const struct json *b)
{
	if (a->type == JSON_OBJECT)
		return *json_text(a, "id") && strcmp(json_text(a, "id"), json_text(b, "id")) == 0;
	return a->type == JSON_STRING && b->type == JSON_STRING && strcmp(a->text, b->text) == 0;
}

/* --- stage 1: the matching records -------------------------------------------------------------- */

static enum step many_page_taken(struct req *outer, struct req *r, const struct json *answer);
static enum step many_matched(struct many *m);

static enum step many_search(struct many *m)
{
	struct req *r = m->r;
	struct json *body = json_make(&r->arena, JSON_OBJECT), *limit = json_make(&r->arena, JSON_NUMBER);
	const struct json *text = call_given(r, "text");

	limit->text = "100";
	limit->len = 3;
	json_attach(&r->arena, body, "limit", limit);
	if (call_given(r, "filter"))
		json_attach(&r->arena, body, "filter", call_given(r, "filter"));
	if (text)
		json_attach(&r->arena, body, "search", text);
	if (m->cursor)
		json_attach(&r->arena, body, "cursor", m->cursor);
	return call_inside(
	    r, &m->inside, HTTP_POST, arena_printf(&r->arena, "%s/search", m->path), body, many_page_taken);
}

static enum step many_list(struct many *m)
{
	struct req *r = m->r;
	const char *target = m->target;

	if (m->kind->searched)
		return many_search(m);
	target = arena_printf(&r->arena, "%s%climit=100", target, strchr(target, '?') ? '&' : '?');
	if (m->cursor)
		target =
		    arena_printf(&r->arena, "%s&cursor=%s", target, call_encoded(r, m->cursor->text, m->cursor->len));
	return call_inside(r, &m->inside, HTTP_GET, target, NULL, many_page_taken);
}

/* Notes a record as the page shows it, with the tag that its row has. */
static void many_note(struct many *m, const struct json *item, const struct record *rec)
{
	struct many_record *record = &m->records[m->n++];
	struct arena *a = &m->r->arena;
	static const char *const names[] = {"fullName", "name", "title"};
	const struct json *list;
	const char *name = "";

	id_format(rec->resource->id_kind, &rec->values[0].id, record->id);
	etag_format(rec->values[rec->resource->stamp].number, record->tag);
	for (size_t i = 0; i < sizeof names / sizeof *names && !*name; i++)
		name = json_text(item, names[i]);
	if (m->n <= EXAMPLES)
		record->name = arena_dupz(a, name);
	if (!m->add)
		return;
	record->lists = json_make(a, JSON_OBJECT);
	json_each_member(added, m->add) {
		list = json_typed(item, added->key, JSON_ARRAY);
		json_attach(
		    a, record->lists, added->key, list ? copy_value(a, list, &m->bytes) : json_make(a, JSON_ARRAY));
	}
}

static enum step many_page_taken(struct req *outer, struct req *r, const struct json *answer)
{
	struct many *m = (struct many *)r->inside;
	const struct json *data = json_member(answer, "data"), *cursor;
	size_t i = 0;

	if (r->reply.status != 200 || !answer)
		return reply_inside_refused(outer, r);
	json_each(item, json_member(data, "items")) {
		if (m->n == MANY_MOST || i == r->n_records || m->bytes > LISTS_BYTES_MOST)
			break;
		many_note(m, item, r->records[i++]);
	}
	cursor = json_member(json_member(data, "pagination"), "nextCursor");
	m->cursor = cursor ? copy_value(&outer->arena, cursor, &m->bytes) : NULL;
	if (m->bytes > LISTS_BYTES_MOST || ++m->pages == PAGES_MOST || clock_mono_ms() > m->until_ms)
		return reply_error(outer, ERROR_UNPROCESSABLE,
		    "The records are too large, or too many were tested; narrow the filter. Nothing was changed");
	if (json_member(data, "items")->count > i || (m->cursor && m->n == MANY_MOST))
		return reply_error(
		    outer, ERROR_UNPROCESSABLE, "More than 1000 records match; narrow the filter. Nothing was changed");
	return m->cursor ? many_list(m) : many_matched(m);
}

/* --- stage 2: their number ------------------------------------------------------------------------ */

static enum step many_write(struct many *m);

static enum step many_matched(struct many *m)
{
	const struct json *expect = call_argument(m->r, "expect");
	struct path at = PATH_NAME(NULL, "expect");
	struct issues *is = &m->r->given.issues;

	if (m->dry || (expect && (size_t)strtoul(expect->text, NULL, 10) == m->n))
		return many_write(m);
	if (expect)
		issue_custom(is, &at, "%zu records match now: nothing was changed", m->n);
	else
		issue_required(is, &at, "integer");
	issue_hint(is, "call with dryRun true, show the user what would change, and pass the number of matches");
	return result_bad_arguments(m->r);
}

/* --- stage 3: batches --------------------------------------------------------------------------------- */

static enum step many_batch_taken(struct req *outer, struct req *r, const struct json *answer);
static enum step many_one_taken(struct req *outer, struct req *r, const struct json *answer);
static enum step many_end(struct many *m);

/* The list that the record has, followed by what it lacks. */
static void append_list(struct many *m, struct json *body, const struct json *list, const struct json *added)
{
	struct json *all = json_make(&m->r->arena, JSON_ARRAY);
	bool has;

	json_each(item, list)
		json_attach(&m->r->arena, all, NULL, item);
	json_each(item, added) {
		has = false;
		json_each(other, list)
			has = has || same_item(item, other);
		if (!has)
			json_attach(&m->r->arena, all, NULL, item);
	}
	json_attach(&m->r->arena, body, added->key, all);
}

static struct json *many_body(struct many *m, const struct many_record *record)
{
	struct arena *a = &m->r->arena;
	struct json *body = json_make(a, JSON_OBJECT);

	if (m->kind->searched) { /* it is one of a batch */
		attach_text(a, body, "id", record->id);
		attach_text(a, body, "ifMatch", record->tag);
	}
	json_each_member(field, m->fields)
		json_attach(a, body, field->key, field);
	json_each_member(added, m->add)
		append_list(m, body, json_member(record->lists, added->key), added);
	return body;
}

static enum step many_write_one(struct many *m)
{
	const struct many_record *record = &m->records[m->at];

	m->inside.carrier.if_match = record->tag;
	return call_inside(m->r, &m->inside, HTTP_PATCH,
	    arena_printf(&m->r->arena, "%s/%s%s", m->path, record->id, m->dry ? "?dryRun=true" : ""),
	    many_body(m, record), many_one_taken);
}

static void many_admitted(struct admission_ticket *t)
{
	struct many *m = t->owner;
	const struct admission_ticket *before = &m->r->caller.ticket;
	enum step step;

	if (t->status == ADMISSION_UNAVAILABLE || t->status == ADMISSION_BUSY)
		m->stopped = "The database does not answer";
	else if (t->status == ADMISSION_NO_KEY || t->scopes != before->scopes || t->is_admin != before->is_admin)
		m->stopped = "The key has ended, or has other rights now";
	m->admitted_ms = clock_mono_ms();
	step = many_write(m);
	if (step != WAIT)
		request_continue(m->r, step);
}

/* What the key may do was decided when the call began, and it may take a minute. */
static enum step many_admit(struct many *m)
{
	m->ticket = (struct admission_ticket){.owner = m, .done = many_admitted, .uncounted = true};
	memcpy(m->ticket.key_hash, m->r->caller.ticket.key_hash, sizeof m->ticket.key_hash);
	m->r->waits_for = "admission";
	admission_ask(m->r->server->admission, &m->ticket);
	return WAIT;
}

static enum step many_write(struct many *m)
{
	struct arena *a = &m->r->arena;
	struct json *body = json_make(a, JSON_OBJECT), *records = json_make(a, JSON_ARRAY);

	if (m->at < m->n && clock_mono_ms() > m->until_ms)
		m->stopped = "It took too long";
	if (m->at == m->n || m->stopped)
		return many_end(m);
	if (clock_mono_ms() - m->admitted_ms > ADMITTED_MS)
		return many_admit(m);
	if (!m->kind->searched)
		return many_write_one(m);
	for (size_t i = m->at; i < m->n && i < m->at + m->batch; i++)
		json_attach(a, records, NULL, many_body(m, &m->records[i]));
	json_attach(a, body, "records", records);
	return call_inside(m->r, &m->inside, HTTP_POST,
	    arena_printf(a, "%s/batch/update%s", m->path, m->dry ? "?dryRun=true" : ""), body, many_batch_taken);
}

static void many_failed(struct many *m, const char *id, const struct json *error)
{
	struct arena *a = &m->r->arena;
	struct json *failure = json_make(a, JSON_OBJECT);
	const struct json *issue = json_items(json_member(json_member(error, "details"), "issues"));

	if (m->n_failures++ >= FAILURES_SHOWN)
		return;
	attach_text(a, failure, "id", id);
	attach_text(a, failure, "code", arena_dupz(a, json_text(error, "code")));
	attach_text(a, failure, "message", arena_dupz(a, json_text(issue ? issue : error, "message")));
	json_attach(a, m->failures, NULL, failure);
}

/* The first request is refused because of its fields, which are the same in all records: shows the issues of the first
 * record, without the place of the record in their paths. */
static enum step many_refused(struct many *m, const struct json *issues)
{
	struct issues *is = &m->r->given.issues;
	const struct json *name;

	json_each(issue, issues) {
		struct path holder, at;
		name = json_items(json_member(issue, "path"));
		if (m->kind->searched && (!name || !name->next || strcmp(name->next->text, "0") != 0))
			continue;
		if (m->kind->searched)
			name = name->next->next;
		holder = PATH_NAME(NULL, name && json_member(m->add, name->text) ? "add" : "fields");
		at = PATH_NAME(&holder, name ? name->text : "");
		issue_custom(is, name ? &at : &holder, "%s", json_text(issue, "message"));
		if (*json_text(issue, "hint"))
			issue_hint(is, "%s", json_text(issue, "hint"));
	}
	return is->count ? result_bad_arguments(m->r) : PASS;
}

static enum step many_batch_taken(struct req *outer, struct req *r, const struct json *answer)
{
	struct many *m = (struct many *)r->inside;
	const struct json *error = json_member(answer, "error");
	size_t i = m->at;

	if (r->reply.status == 422 && m->at == 0 &&
	    many_refused(m, json_member(json_member(error, "details"), "issues")) == DONE)
		return DONE;
	if (r->reply.status != 200 && m->at == 0)
		return reply_inside_refused(outer, r);
	if (r->reply.status != 200)
		m->stopped =
		    arena_printf(&outer->arena, "%s (%s)", json_text(error, "message"), json_text(error, "code"));
	else
		m->at = m->at + m->batch < m->n ? m->at + m->batch : m->n;
	if (r->reply.status == 200 && !answer)
		m->stopped = "The last batch was done, but its answer could not be read";
	json_each(result, json_member(json_member(answer, "data"), "results")) {
		const struct json *why = json_member(result, "error");
		if (!why)
			m->updated++;
		else if (strcmp(json_text(why, "code"), "PRECONDITION_FAILED") == 0)
			m->moved++;
		else
			many_failed(m, m->records[i].id, why);
		i++;
	}
	return many_write(m);
}

/* The answer about one record. */
static enum step many_one_taken(struct req *outer, struct req *r, const struct json *answer)
{
	struct many *m = (struct many *)r->inside;
	const struct json *error = json_member(answer, "error");

	if (r->reply.status == 422 && m->at == 0 &&
	    many_refused(m, json_member(json_member(error, "details"), "issues")) == DONE)
		return DONE;
	if (r->reply.status >= 500) {
		m->stopped =
		    arena_printf(&outer->arena, "%s (%s)", json_text(error, "message"), json_text(error, "code"));
		return m->at ? many_write(m) : reply_inside_refused(outer, r);
	}
	if (r->reply.status == 200)
		m->updated++;
	else if (r->reply.status == 412)
		m->moved++;
	else
		many_failed(m, m->records[m->at].id, error);
	m->at++;
	return many_write(m);
}

/* --- stage 4: the result --------------------------------------------------------------------------------- */

static void write_examples(const struct many *m, struct json_out *o)
{
	json_key(o, "examples");
	json_begin_array(o);
	for (size_t i = 0; i < m->n && i < EXAMPLES; i++) {
		json_begin_object(o);
		json_add_string(o, "id", m->records[i].id);
		json_add_string(o, "name", m->records[i].name);
		json_end_object(o);
	}
	json_end_array(o);
}

static enum step many_end(struct many *m)
{
	struct json_out *o;

	m->r->given.dry = m->dry;
	o = reply_begin(m->r);
	json_begin_object(o);
	json_add_int(o, "matched", (int64_t)m->n);
	json_add_int(o, m->dry ? "wouldUpdate" : "updated", (int64_t)m->updated);
	if (m->moved)
		json_add_int(o, "changedByOthers", (int64_t)m->moved);
	if (m->n_failures) {
		json_add_int(o, "refused", (int64_t)m->n_failures);
		json_key(o, "failures");
		json_value(o, m->failures);
	}
	if (m->stopped) {
		json_add_string(o, "stopped", m->stopped);
		json_add_int(o, "notTried", (int64_t)(m->n - m->at));
	}
	write_examples(m, o);
	json_end_object(o);
	return reply_end(m->r);
}

/* --- the call ------------------------------------------------------------------------------------------------ */

/* Only lists can be appended to. */
static void check_added(struct req *r, const struct kind *kind, const struct json *add, const struct json *fields)
{
	struct path at = PATH_NAME(NULL, "add");

	json_each_member(m, add) {
		struct path here = PATH_NAME(&at, m->key);
		int i = field_find(kind->resource, m->key, m->key_len);
		enum field_type type = i < 0 ? FIELD_TYPES : kind->resource->fields[i].type;
		if (type != FIELD_TEXTS && type != FIELD_GROUPS && type != FIELD_COMPANIES && type != FIELD_PEOPLE &&
		    type != FIELD_USERS)
			issue_custom(&r->given.issues, &here, "This is not a list that can grow");
		else if (m->type != JSON_ARRAY)
			issue_type(&r->given.issues, &here, "array", m);
		else if (json_member(fields, m->key))
			issue_custom(&r->given.issues, &here, "This is in fields, too, which replaces the list");
	}
}

static void check_many(struct req *r, const struct many *m)
{
	static const char *const own[] = {"id", "ifMatch"};
	const struct json *filter = call_given(r, "filter");
	struct path at_filter = PATH_NAME(NULL, "filter"), at_fields = PATH_NAME(NULL, "fields");

	if (!(filter && filter->first) && !search_text(r))
		issue_custom(&r->given.issues, &at_filter, "Without a filter or a text it would change everything");
	if (!(m->fields && m->fields->first) && !(m->add && m->add->first))
		issue_required(&r->given.issues, &at_fields, "object");
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		struct path at = PATH_NAME(&at_fields, own[i]);
		if (json_member(m->fields, own[i]))
			issue_custom(&r->given.issues, &at, "update_many sets this itself");
	}
	check_added(r, m->kind, m->add, m->fields);
}

/* The fields stand in each record of a batch. It stays below those that take turns: see large.h. */
static size_t records_at_once(const struct req *r)
{
	size_t n = LARGE_BYTES / (r->in->body_len + 1);

	return n < 1 ? 1 : n > BATCH ? BATCH : n;
}

enum step call_update_many(struct req *r)
{
	const struct json *name = call_argument(r, "kind"), *dry = call_argument(r, "dryRun");
	struct many *m = arena_alloc(&r->arena, sizeof *m);
	const char *type;

	m->r = r;
	m->kind = kind_named(r, name->text, name->len, call_of(r)->tool->kinds, &type);
	m->path = call_path(r, m->kind, type);
	m->fields = call_argument(r, "fields");
	m->add = call_argument(r, "add");
	m->dry = !dry || dry->truth;
	m->batch = records_at_once(r);
	m->admitted_ms = clock_mono_ms();
	m->until_ms = m->admitted_ms + TIME_MOST_MS;
	m->failures = json_make(&r->arena, JSON_ARRAY);
	m->records = arena_alloc(&r->arena, MANY_MOST * sizeof *m->records);
	check_many(r, m);
	if (r->given.issues.count)
		return result_bad_arguments(r);
	if (!m->kind->searched)
		m->target = search_target(r, m->kind);
	return m->kind->searched || m->target ? many_list(m) : DONE;
}
