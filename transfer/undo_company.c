/* --undo of companies that an import made because its people name them. Up to a hundred are checked and deleted
 * together, because one by one they would take seven requests each. */
#include <stdlib.h>
#include <string.h>

#include "transfer/undo_private.h"

enum { LIST_PAGE = 100, LIST_SHARE = 4 };

struct undo_company {
	const char *id, *state; /* updatedAt, as the check has seen it */
	bool left;              /* it is to be deleted */
};

struct undo_check {
	struct undo *u;
	struct arena arena;
	struct undo_company all[IMPORT_BATCH];
	size_t n;
};

static size_t check_left(const struct undo_check *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		n += k->all[i].left;
	return n;
}

static void check_keep(struct undo_check *k, struct undo_company *c)
{
	c->left = false;
	undo_say(k->u, c->id, "is in use and was kept");
}

/* Keeps the company with that id. False if the check has none that is left. */
static bool check_keep_id(struct undo_check *k, const char *id)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->all[i].left && strcmp(k->all[i].id, id) == 0) {
			check_keep(k, &k->all[i]);
			return true;
		}
	return false;
}

static void check_keep_all(struct undo_check *k)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->all[i].left)
			check_keep(k, &k->all[i]);
}

/* --- the companies themselves ------------------------------------------------------------------- */

/* True for a company that has only a name, was created by the key's user, and never changed. */
static bool company_is_bare(const struct undo *u, const struct json *data)
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

/* Lists do not find records by their ids. A dry run that changes nothing shows them. */
static void check_read(struct undo_check *k, size_t from, size_t n)
{
	struct remote_call *c = remote_call_new("POST", "/v1/companies/batch/update?dryRun=true");
	struct json_out o;

	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_key(&o, "records");
	json_begin_array(&o);
	for (size_t i = from; i < from + n; i++) {
		json_begin_object(&o);
		json_add_string(&o, "id", k->u->companies.rows[i].key);
		json_end_object(&o);
	}
	json_end_array(&o);
	json_end_object(&o);
	c = undo_send(k->u, c);
	json_each(r, c ? json_member(remote_data(c), "results") : NULL) {
		const struct json *data = json_typed(r, "data", JSON_OBJECT);
		struct undo_company *to = &k->all[k->n];
		if (!data || k->n == IMPORT_BATCH)
			continue;
		*to = (struct undo_company){arena_dupz(&k->arena, json_text(data, "id")),
		    arena_dupz(&k->arena, json_text(data, "updatedAt")), true};
		k->n++;
		if (!company_is_bare(k->u, data))
			check_keep(k, to);
	}
	if (c && c->status != 200)
		undo_say(k->u, c->path, remote_reason(c));
	remote_call_free(c);
}

/* --- what refers to them ------------------------------------------------------------------------ */

/* Keeps the companies that the items refer to. Returns the number of companies. */
static size_t check_items(struct undo_check *k, const struct json *items)
{
	size_t n = 0;

	json_each(i, items) {
		n += check_keep_id(k, json_text(json_member(i, "entity"), "id"));
		json_each(r, json_member(i, "companies"))
			n += check_keep_id(k, json_text(r, "id"));
	}
	return n;
}

/* {"filter":{"companies":{"in":{"id":[…]}}},"limit":100,"cursor":…} */
static void search_body(const struct undo_check *k, const char *cursor, struct buf *body)
{
	struct json_out o;

	json_out_init(&o, body);
	json_begin_object(&o);
	json_key(&o, "filter");
	json_begin_object(&o);
	json_key(&o, "companies");
	json_begin_object(&o);
	json_key(&o, "in");
	json_begin_object(&o);
	json_key(&o, "id");
	json_begin_array(&o);
	for (size_t i = 0; i < k->n; i++)
		if (k->all[i].left)
			json_string(&o, k->all[i].id);
	json_end_array(&o);
	for (int i = 0; i < 3; i++)
		json_end_object(&o);
	json_add_int(&o, "limit", LIST_PAGE);
	if (*cursor)
		json_add_string(&o, "cursor", cursor);
	json_end_object(&o);
}

static struct remote_call *search_call(const struct undo_check *k, const char *path, const char *cursor)
{
	struct remote_call *c = remote_call_new("POST", "%s/search", path);

	search_body(k, cursor, &c->body);
	return c;
}

static struct remote_call *tasks_call(const struct undo_check *k, const char *cursor)
{
	struct remote_call *c;
	struct buf path;

	buf_init(&path, 64 << 10);
	buf_printf(&path, "/v1/tasks?limit=%d", LIST_PAGE);
	for (size_t i = 0; i < k->n; i++)
		if (k->all[i].left)
			buf_printf(&path, "&filter[entity][in]=%s", k->all[i].id);
	if (*cursor)
		buf_printf(&path, "&cursor=%s", cursor);
	c = remote_call_new("GET", "%s", path.data);
	buf_free(&path);
	return c;
}

/* Of a list or a search; "" after the last page. */
static const char *next_cursor(struct undo_check *k, struct remote_call *c)
{
	const char *own = json_text(json_member(remote_data(c), "pagination"), "nextCursor"), *link = remote_next(c),
	           *at = link ? strstr(link, "cursor=") : NULL;

	if (*own || !at)
		return arena_dupz(&k->arena, own);
	at += strlen("cursor=");
	return arena_printf(&k->arena, "%.*s", (int)strcspn(at, "&"), at);
}

/* Keeps the companies that records of a list refer to, which can be filtered by them. Each page leaves fewer companies
 * to ask for. path: of people or objects; NULL: tasks. */
static void check_filtered(struct undo_check *k, const char *path)
{
	const char *cursor = "";

	while (check_left(k) && !k->u->failed) {
		struct remote_call *c = undo_send(k->u, path ? search_call(k, path, cursor) : tasks_call(k, cursor));
		const struct json *items = c ? json_typed(remote_data(c), "items", JSON_ARRAY) : NULL;
		bool empty = !items || !items->count;
		/* A page may end early, without an item. */
		cursor = items && empty ? next_cursor(k, c) : "";
		/* A refused request, or a reference that the answer does not show, could concern any of them. */
		if (!items || (items->count && !check_items(k, items)))
			check_keep_all(k);
		remote_call_free(c);
		if (empty && !*cursor)
			return;
	}
}

/* The same for lists that can be filtered by one company only. A short list is read as a whole. */
static void check_each(struct undo_check *k, const char *list)
{
	const char *path = arena_printf(&k->arena, "/v1/%s?limit=%d", list, LIST_PAGE);

	for (size_t pages = 1 + check_left(k) / LIST_SHARE; path && pages && check_left(k) && !k->u->failed; pages--) {
		struct remote_call *c = undo_send(k->u, remote_call_new("GET", "%s", path));
		const struct json *items = c ? json_typed(remote_data(c), "items", JSON_ARRAY) : NULL;
		if (!items)
			check_keep_all(k);
		else
			check_items(k, items);
		path = items && remote_next(c) ? arena_dupz(&k->arena, remote_next(c)) : NULL;
		remote_call_free(c);
	}
	for (size_t i = 0; path && i < k->n && !k->u->failed; i++)
		if (k->all[i].left &&
		    !undo_is_empty(k->u, remote_call_new("GET", "/v1/%s?entity.id=%s&limit=1", list, k->all[i].id)))
			check_keep(k, &k->all[i]);
}

/* --- deleting --------------------------------------------------------------------------------------- */

static bool is_with(const struct undo_company *c, const struct undo_company *first)
{
	return c->left && strcmp(c->state, first->state) == 0;
}

/* Deletes the companies of one time that have the ETag: those that were created together have the same one. The server
 * keeps those that somebody has begun to use since the check. */
static void delete_together(struct undo_check *k, struct undo_company *first, const char *etag)
{
	struct remote_call *c = remote_call_new("POST", "/v1/companies/batch/delete?unused=true");
	const struct json *result;
	struct json_out o;

	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_key(&o, "records");
	json_begin_array(&o);
	for (size_t i = 0; i < k->n; i++)
		if (is_with(&k->all[i], first)) {
			json_begin_object(&o);
			json_add_string(&o, "id", k->all[i].id);
			json_add_string(&o, "ifMatch", etag);
			json_end_object(&o);
		}
	json_end_array(&o);
	json_end_object(&o);
	c = undo_send(k->u, c);
	/* Those before the first one are not left. */
	result = c ? json_items(json_member(remote_data(c), "results")) : NULL;
	for (size_t i = (size_t)(first - k->all); result && i < k->n; i++) {
		if (!is_with(&k->all[i], first))
			continue;
		if (strcmp(json_text(result, "status"), "succeeded") == 0) {
			k->u->counts[UNDO_COMPANIES]++;
			k->all[i].left = false;
		}
		result = result->next;
	}
	remote_call_free(c);
}

static void check_delete(struct undo_check *k)
{
	for (size_t i = 0; i < k->n && !k->u->failed; i++) {
		struct undo_company *first = &k->all[i];
		struct remote_call *c;
		if (!first->left)
			continue;
		c = undo_send(k->u, remote_call_new("GET", "/v1/companies/%s", first->id));
		if (c && c->status == 200 && strcmp(json_text(remote_data(c), "updatedAt"), first->state) == 0)
			delete_together(k, first, c->etag);
		if (first->left && c && c->status != 404)
			check_keep(k, first);
		first->left = false;
		remote_call_free(c);
	}
}

void undo_companies(struct undo *u)
{
	static const char *const lists[] = {"notes", "interactions", "reminders"};
	bool objects = u->path && strncmp(u->path, "/v1/groups/", strlen("/v1/groups/")) == 0;
	struct undo_check *k = mem_zalloc(sizeof *k);

	for (size_t from = 0; from < u->companies.count && !u->failed; from += IMPORT_BATCH) {
		size_t n = u->companies.count - from < IMPORT_BATCH ? u->companies.count - from : IMPORT_BATCH;
		k->u = u;
		k->n = 0;
		arena_init(&k->arena);
		check_read(k, from, n);
		check_filtered(k, "/v1/people");
		if (objects)
			check_filtered(k, u->path);
		check_filtered(k, NULL);
		for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
			check_each(k, lists[i]);
		check_delete(k);
		u->bar.done += n;
		arena_free(&k->arena);
	}
	free(k);
}
