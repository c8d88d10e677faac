/* Users, groups and custom fields of the workspace. */
#include "transfer/roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/text.h"

enum { ITEMS_MAX = 20 * 1000 }; /* a workspace has at most 1,000 groups; the number of users has no limit */

static void roster_put(struct roster_names *names, const char *id, const char *name, const char *email)
{
	struct roster_name *n;

	if (names->count == ITEMS_MAX)
		return;
	if ((names->count & (names->count - 1)) == 0)
		names->items = mem_realloc(names->items, (names->count ? names->count * 2 : 1) * sizeof *names->items);
	n = &names->items[names->count++];
	snprintf(n->id, sizeof n->id, "%s", id);
	n->name = mem_dupz(name);
	n->email = mem_dupz(email);
}

void roster_add_group(struct roster *l, const char *id, const char *name)
{
	roster_put(&l->groups, id, name, "");
}

/* Calls each for every item of a list, page by page. */
static bool roster_pages(struct roster *l, const char *path, void (*each)(struct roster *l, const struct json *item))
{
	char *next = mem_dupz(path);

	while (next) {
		struct remote_call *c = remote_run(l->remote, remote_call_new("GET", "%s", next));
		free(next);
		if (!c)
			return false;
		if (c->status != 200) {
			fprintf(stderr, "kith: %s: %s\n", c->path, remote_reason(c));
			remote_call_free(c);
			return false;
		}
		const struct json *items = json_member(remote_data(c), "items");
		json_each(i, items)
			each(l, i);
		next = remote_next(c) ? mem_dupz(remote_next(c)) : NULL;
		remote_call_free(c);
	}
	return true;
}

static void roster_on_user(struct roster *l, const struct json *item)
{
	roster_put(&l->users, json_text(item, "id"), json_text(item, "fullName"), json_text(item, "email"));
}

static void roster_on_group(struct roster *l, const struct json *item)
{
	roster_add_group(l, json_text(item, "id"), json_text(item, "name"));
}

static const struct {
	const char *name;
	enum mapping_type type;
} types[] = {{"textField", MAPPING_TEXT}, {"numericField", MAPPING_NUMBER}, {"dateField", MAPPING_DATE},
    {"singleSelect", MAPPING_SELECT}, {"multipleSelect", MAPPING_SELECTS}, {"userField", MAPPING_USERS}};

const char *roster_type_name(enum mapping_type type)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].type == type)
			return types[i].name;
	return NULL;
}

static void roster_on_field(struct roster *l, const struct json *item)
{
	struct mapping_custom *c;

	l->custom = mem_realloc(l->custom, (l->n_custom + 1) * sizeof *l->custom);
	c = &l->custom[l->n_custom++];
	c->name = mem_dupz(json_text(item, "name"));
	c->type = MAPPING_OTHER;
	c->left_out = false;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i].name, json_text(item, "type")) == 0)
			c->type = types[i].type;
}

static void roster_free_fields(struct roster *l)
{
	for (size_t i = 0; i < l->n_custom; i++)
		free((char *)(uintptr_t)l->custom[i].name);
	free(l->custom);
	l->custom = NULL;
	l->n_custom = 0;
}

bool roster_load_fields(struct roster *l, const char *group, const char *entity_type)
{
	struct buf path;
	bool ok;

	roster_free_fields(l);
	buf_init(&path, 4096);
	buf_printf(&path, "/v1/groups/%s/custom-fields/", group);
	text_percent_encode(&path, entity_type, strlen(entity_type));
	buf_addz(&path, "?limit=100");
	ok = roster_pages(l, path.data, roster_on_field);
	buf_free(&path);
	return ok;
}

bool roster_load(struct roster *l, struct remote *remote)
{
	struct remote_call *c;
	bool ok;

	memset(l, 0, sizeof *l);
	l->remote = remote;
	c = remote_run(remote, remote_call_new("GET", "/v1/users/me"));
	if (!c)
		return false;
	snprintf(l->me, sizeof l->me, "%s", json_text(remote_data(c), "id"));
	l->server_ms = c->date_s * INT64_C(1000);
	ok = c->status == 200 && *l->me;
	if (!ok)
		fprintf(stderr, "kith: the server refused the key (--key or KITH_KEY): %s\n", remote_reason(c));
	remote_call_free(c);
	return ok && roster_pages(l, "/v1/users?limit=100", roster_on_user) &&
	       roster_pages(l, "/v1/groups?limit=100", roster_on_group);
}

static void roster_free_names(struct roster_names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		free(names->items[i].name);
		free(names->items[i].email);
	}
	free(names->items);
}

void roster_free(struct roster *l)
{
	roster_free_names(&l->users);
	roster_free_names(&l->groups);
	roster_free_fields(l);
}

const char *roster_group(const struct roster *l, const char *name, size_t len)
{
	const char *near = NULL;

	for (size_t i = 0; i < l->groups.count; i++) {
		const struct roster_name *g = &l->groups.items[i];
		if (strlen(g->id) == len && memcmp(g->id, name, len) == 0)
			return g->id;
	}
	for (size_t i = 0; i < l->groups.count; i++) {
		const struct roster_name *g = &l->groups.items[i];
		if (strlen(g->name) == len && memcmp(g->name, name, len) == 0)
			return g->id;
		if (!near && strlen(g->name) == len && strncasecmp(g->name, name, len) == 0)
			near = g->id;
	}
	return near;
}

const struct roster_name *roster_user(const struct roster *l, const char *text)
{
	const struct roster_name *named = NULL;
	int n = 0;

	for (size_t i = 0; i < l->users.count; i++) {
		const struct roster_name *u = &l->users.items[i];
		if (strcmp(u->id, text) == 0 || strcasecmp(u->email, text) == 0)
			return u;
		if (*text && strcasecmp(u->name, text) == 0) {
			named = u;
			n++;
		}
	}
	return n == 1 ? named : NULL;
}
