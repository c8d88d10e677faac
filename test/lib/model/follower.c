/* See follower.h. */
#include "test/lib/model/follower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/id.h"
#include "server/base/json.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/patience.h"

struct follower_record {
	char id[ID_SIZE]; /* "": free */
	char *text;       /* NULL: deleted; the slot stays */
};

void follower_init(struct follower *f, const char *key, const char *(*base)(void *ctx), void *ctx)
{
	memset(f, 0, sizeof *f);
	f->base = base;
	f->ctx = ctx;
	f->cap = 1 << 16;
	f->records = mem_zalloc(f->cap * sizeof *f->records);
	caller_init(&f->caller, base(ctx), key);
}

void follower_free(struct follower *f)
{
	for (size_t i = 0; i < f->cap; i++)
		free(f->records[i].text);
	free(f->records);
	caller_free(&f->caller);
}

/* --- storage ------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *id)
{
	uint64_t h = 1469598103934665603u;

	for (; *id; id++)
		h = (h ^ (unsigned char)*id) * 1099511628211u;
	return h;
}

static struct follower_record *place_of(const struct follower *f, const char *id)
{
	size_t i = hash_of(id) % f->cap;

	while (f->records[i].id[0] && strcmp(f->records[i].id, id) != 0)
		i = (i + 1) % f->cap;
	return &f->records[i];
}

static void put_record(struct follower *f, const char *id, char *text)
{
	struct follower_record *r = place_of(f, id);

	if (!r->id[0] && ++f->count > f->cap / 2) {
		fprintf(stderr, "too many records for a follower\n");
		exit(1);
	}
	snprintf(r->id, sizeof r->id, "%s", id);
	free(r->text);
	r->text = text;
}

const char *follower_find(const struct follower *f, const char *id)
{
	return place_of(f, id)->text;
}

/* --- the normal form ------------------------------------------------------------------------ */

static const char *text_of(const struct json *object, const char *key)
{
	const struct json *v = object && object->type == JSON_OBJECT ? json_member(object, key) : NULL;

	return v && v->type == JSON_STRING ? v->text : NULL;
}

static void write_normal(struct json_out *o, const struct json *v, int depth)
{
	const char *id = depth ? text_of(v, "id") : NULL, *party = depth ? text_of(v, "value") : NULL;

	if (id || (party && text_of(v, "name"))) {
		json_string(o, id ? id : party);
	} else if (v->type == JSON_OBJECT) {
		json_begin_object(o);
		for (const struct json *m = v->first; m; m = m->next) {
			json_key_len(o, m->key, m->key_len);
			write_normal(o, m, depth + 1);
		}
		json_end_object(o);
	} else if (v->type == JSON_ARRAY) {
		json_begin_array(o);
		for (const struct json *m = v->first; m; m = m->next)
			write_normal(o, m, depth + 1);
		json_end_array(o);
	} else {
		json_value(o, v);
	}
}

static void keep_record(struct follower *f, const struct json *record)
{
	const char *id = text_of(record, "id");
	struct json_out o;
	struct buf text;

	if (!id)
		return;
	buf_init(&text, 16 << 20);
	json_out_init(&o, &text);
	write_normal(&o, record, 0);
	put_record(f, id, mem_dupz(text.data));
	buf_free(&text);
}

/* --- requests ---------------------------------------------------------------------------------- */

/* The answer to a GET: 200 or 404; anything else is retried, on another server. Status 0 when time is up. */
static struct caller_answer follower_get(struct follower *f, const char *target, int64_t until_us)
{
	struct caller_answer a;

	for (;;) {
		a = caller_send(&f->caller, "GET", target, NULL, NULL);
		if (a.status == 200 || a.status == 404 || a.status == 422)
			return a;
		f->failures++;
		if (!patience_pause(until_us))
			break;
		caller_turn(&f->caller, f->base(f->ctx));
	}
	a.status = 0;
	return a;
}

static const char *path_of(const char *url)
{
	const char *path = url ? strstr(url, "/v1/") : NULL;

	return path ? path : "";
}

/* The first list gives the cursor to follow from. */
static bool copy_list(struct follower *f, const char *target, int64_t until_us)
{
	char next[2048];

	snprintf(next, sizeof next, "%s", target);
	while (*next) {
		struct caller_answer a = follower_get(f, next, until_us);
		const struct json *data = a.status == 200 ? feed_data(&f->caller, &a) : NULL;
		const char *cursor = feed_cursor_of(&a);
		if (!data || !cursor) {
			fprintf(stderr, "follower: %s: %d %s\n", next, a.status, a.reply.body ? a.reply.body : "");
			return false;
		}
		if (!*f->cursor)
			snprintf(f->cursor, sizeof f->cursor, "%s", cursor);
		for (const struct json *i = json_member(data, "items")->first; i; i = i->next)
			keep_record(f, i);
		snprintf(next, sizeof next, "%s", path_of(text_of(json_member(data, "pagination"), "nextLink")));
	}
	return true;
}

static bool copy_objects(struct follower *f, const char *group, int64_t until_us)
{
	struct arena *arena = &f->caller.arena;
	struct caller_answer a =
	    follower_get(f, arena_printf(arena, "/v1/groups/%s/object-types?limit=100", group), until_us);
	const struct json *data = a.status == 200 ? feed_data(&f->caller, &a) : NULL;

	if (!data)
		return false;
	for (const struct json *i = json_member(data, "items")->first; i; i = i->next)
		if (!copy_list(
		        f, arena_printf(arena, "/v1/groups/%s/%s?limit=50", group, text_of(i, "name")), until_us))
			return false;
	return true;
}

bool follower_copy(struct follower *f, int64_t until_us)
{
	static const char *const lists[] = {"/v1/people?limit=50", "/v1/companies?limit=50", "/v1/notes?limit=50",
	    "/v1/tasks?limit=50", "/v1/reminders?limit=50", "/v1/interactions?limit=50"};
	struct caller_answer a;
	const struct json *data;

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (!copy_list(f, lists[i], until_us))
			return false;
	a = follower_get(f, "/v1/groups?limit=100", until_us);
	data = a.status == 200 ? feed_data(&f->caller, &a) : NULL;
	if (!data)
		return false;
	for (const struct json *i = json_member(data, "items")->first; i; i = i->next)
		if (!copy_objects(f, text_of(i, "id"), until_us))
			return false;
	arena_free(&f->caller.arena);
	return true;
}

/* --- following -------------------------------------------------------------------------------------- */

static bool named_before(const struct feed_page *page, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(page->items[k].record, page->items[i].record) == 0)
			return true;
	return false;
}

/* Fetches before the cursor moves: after a failure the page is read again. */
static bool fetch_all(struct follower *f, const struct feed_page *page)
{
	for (size_t i = 0; i < page->n; i++) {
		const struct feed_event *e = &page->items[i];
		struct caller_answer a;
		if (named_before(page, i))
			continue;
		a = follower_get(f, path_of(text_of(e->data, "url")), patience_ms(60000));
		if (a.status != 200 && a.status != 404)
			return false;
		f->fetched++;
		if (a.status == 200)
			keep_record(f, feed_data(&f->caller, &a));
		else
			put_record(f, e->record, NULL);
	}
	return true;
}

int follower_step(struct follower *f, int wait_s)
{
	struct feed_page page = feed_get(&f->caller, f->cursor, 100, wait_s);
	int n = (int)page.n;

	if (page.answer.status != 200) {
		f->failures++;
		if (page.answer.status >= 400 && page.answer.status < 500)
			fprintf(stderr, "follower: %d %s\n", page.answer.status, page.answer.reply.body);
		caller_turn(&f->caller, f->base(f->ctx));
		patience_rest(20);
		return -1;
	}
	if (!fetch_all(f, &page))
		return -1;
	for (size_t i = 0; i < page.n; i++)
		f->seen += hash_of(page.items[i].id);
	f->events += n;
	f->empty_pages += n == 0;
	snprintf(f->cursor, sizeof f->cursor, "%s", page.cursor);
	arena_free(&f->caller.arena);
	return n;
}

/* --- comparing ----------------------------------------------------------------------------------------- */

static int missing_or_other(const struct follower *a, const struct follower *b, bool both, bool print, int n)
{
	for (size_t i = 0; i < a->cap; i++) {
		const struct follower_record *r = &a->records[i];
		const char *other = r->text ? follower_find(b, r->id) : NULL;
		if (!r->text || (other && (!both || strcmp(other, r->text) == 0)))
			continue;
		if (print && n < 5)
			fprintf(stderr, "%s\n  %s\n  %s\n", r->id, r->text, other ? other : "not there");
		n++;
	}
	return n;
}

int follower_differences(const struct follower *a, const struct follower *b, bool print)
{
	return missing_or_other(b, a, false, print, missing_or_other(a, b, true, print, 0));
}
