/* Finds contacts that records refer to by name, because they have no id or one of another workspace. */
#include <stddef.h>
#include <stdlib.h>

#include "server/base/table.h"
#include "server/base/text.h"
#include "transfer/import_private.h"

enum { KNOWN_MAX = 10 * 1000, SAME_MAX = 100 };

/* The contacts with one name, at most SAME_MAX. */
struct contacts_found {
	size_t n;
	const char *ids[SAME_MAX];
};

struct import_contacts {
	struct arena arena;
	struct table known; /* "people Ada Lovelace" to struct contacts_found */
};

static void contacts_take(struct arena *a, const struct json *items, struct contacts_found *found)
{
	json_each(i, items)
		if (found->n < SAME_MAX)
			found->ids[found->n++] = arena_dupz(a, json_text(i, "id"));
}

/* Asks the server; NULL when it does not respond. */
static struct contacts_found *contacts_ask(struct import *im, const char *list, const char *name)
{
	bool people = strcmp(list, "people") == 0;
	struct contacts_found found = {0}, *kept;
	struct arena *a = &im->contacts->arena;
	struct remote_call *c;
	struct buf path;

	buf_init(&path, 1 << 16);
	buf_printf(&path, "/v1/%s?limit=100&filter[%s][eq]=", list, people ? "fullName" : "name");
	text_percent_encode(&path, name, strlen(name));
	/* A page may have fewer items than asked for, even none. Only the last page has no next one. */
	while (path.len) {
		c = remote_run(im->remote, remote_call_new("GET", "%s", path.data));
		buf_clear(&path);
		if (!c) {
			buf_free(&path);
			return NULL;
		}
		contacts_take(a, json_member(remote_data(c), "items"), &found);
		if (remote_next(c) && found.n < SAME_MAX)
			buf_addz(&path, remote_next(c));
		remote_call_free(c);
	}
	buf_free(&path);
	kept = arena_alloc(a, offsetof(struct contacts_found, ids) + found.n * sizeof *found.ids);
	memcpy(kept, &found, offsetof(struct contacts_found, ids) + found.n * sizeof *found.ids);
	return kept;
}

static void contacts_reset(struct import_contacts *c)
{
	arena_free(&c->arena);
	arena_init(&c->arena);
	table_init(&c->known, &c->arena, 64);
}

const char *import_find_contact(void *ctx, const char *list, const char *name, const char *id, size_t *n)
{
	struct import *im = ctx;
	struct import_contacts *c = im->contacts;
	struct contacts_found *found;
	const char *key;

	*n = 0;
	if (!c) {
		c = im->contacts = mem_zalloc(sizeof *c);
		contacts_reset(c);
	}
	if (c->known.count >= KNOWN_MAX)
		contacts_reset(c);
	key = arena_printf(&c->arena, "%s %s", list, name);
	found = table_find(&c->known, key, strlen(key));
	if (!found) {
		found = contacts_ask(im, list, name);
		im->failed |= !found;
		if (!found)
			return NULL;
		table_row(&c->known, key, strlen(key))->value = found;
	}
	*n = found->n;
	for (size_t i = 0; i < found->n; i++)
		if (found->n == 1 || strcmp(found->ids[i], id) == 0) {
			*n = 1;
			return found->ids[i];
		}
	return NULL;
}

void import_contacts_free(struct import *im)
{
	if (im->contacts)
		arena_free(&im->contacts->arena);
	free(im->contacts);
}
