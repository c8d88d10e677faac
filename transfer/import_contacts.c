/* Contacts that records of another workspace refer to: found by name, as their ids mean nothing here. */
#include <stdio.h>
#include <stdlib.h>

#include "server/base/table.h"
#include "server/base/text.h"
#include "transfer/import_private.h"

enum { KNOWN_MAX = 10 * 1000 };

struct import_contacts {
	struct arena arena;
	struct table known; /* "people Ada Lovelace" to an id; "" for none, or several */
};

/* Asks the server; "" for none, or several; NULL when it stays away. */
static const char *contacts_ask(struct import *im, const char *list, const char *name)
{
	bool people = strcmp(list, "people") == 0;
	const struct json *items;
	struct remote_call *c;
	const char *id;
	struct buf path;

	buf_init(&path, 8192);
	buf_printf(&path, "/v1/%s?limit=2&filter[%s][eq]=", list, people ? "fullName" : "name");
	text_percent_encode(&path, name, strlen(name));
	c = remote_run(im->remote, remote_call_new("GET", "%s", path.data));
	buf_free(&path);
	if (!c)
		return NULL;
	items = remote_member(remote_data(c), "items");
	id = arena_dupz(&im->contacts->arena,
	    items && items->type == JSON_ARRAY && items->count == 1 ? remote_text(items->first, "id") : "");
	remote_call_free(c);
	return id;
}

static void contacts_reset(struct import_contacts *c)
{
	arena_free(&c->arena);
	arena_init(&c->arena);
	table_init(&c->known, &c->arena, 64);
}

const char *import_find_contact(void *ctx, const char *list, const char *name)
{
	struct import *im = ctx;
	struct import_contacts *c = im->contacts;
	const char *key;
	char *id;

	if (!c) {
		c = im->contacts = mem_zalloc(sizeof *c);
		contacts_reset(c);
	}
	if (c->known.count >= KNOWN_MAX)
		contacts_reset(c);
	key = arena_printf(&c->arena, "%s %s", list, name);
	id = table_find(&c->known, key, strlen(key));
	if (!id) {
		id = (char *)(uintptr_t)contacts_ask(im, list, name);
		im->failed |= !id;
		if (id)
			table_row(&c->known, key, strlen(key))->value = id;
	}
	return id && *id ? id : NULL;
}

void import_contacts_free(struct import *im)
{
	if (im->contacts)
		arena_free(&im->contacts->arena);
	free(im->contacts);
}
