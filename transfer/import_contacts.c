/* Finds, makes and groups the contacts and objects that records refer to. What a batch of records will look for is
 * fetched together, one search for each list and kind of key. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/base/table.h"
#include "server/base/text.h"
#include "transfer/import_private.h"

/* TEXT_BYTES_MAX: no name, address or value that can be found is longer. */
enum { KNOWN_MAX = 10 * 1000, SAME_MAX = 100, ASKED_MAX = 100, TEXT_BYTES_MAX = 4 * 1000 };

/* A contact with a text. */
struct contact_id {
	struct contact_id *next;
	const char *id;
	bool outside; /* of the group of --group */
};

/* The contacts with one text, at most SAME_MAX. */
struct contacts_found {
	const char *text;
	size_t n;
	struct contact_id *first;
	bool asked;
	struct contacts_found *next; /* of those that are still to be asked for */
};

static const char *const lists[] = {"people", "companies", "objects"};

enum { LISTS = 3, KEYS = COMPOSE_BY_OTHER_ID + 1 };

struct import_contacts {
	struct arena arena;
	struct table known;                           /* "0 1 Ada Lovelace" to struct contacts_found */
	struct buf name;                              /* the key in known that is being composed */
	struct contacts_found *expected[LISTS][KEYS]; /* to be asked for */
	int64_t made, grouped;
};

static void contacts_reset(struct import_contacts *c)
{
	arena_free(&c->arena);
	arena_init(&c->arena);
	table_init(&c->known, &c->arena, 64);
	memset(c->expected, 0, sizeof c->expected);
}

static struct import_contacts *contacts_of(struct import *im)
{
	if (!im->contacts) {
		im->contacts = mem_zalloc(sizeof *im->contacts);
		buf_init(&im->contacts->name, SIZE_MAX);
		contacts_reset(im->contacts);
	}
	return im->contacts;
}

static int contacts_list(const char *list)
{
	int i = 0;

	while (i < LISTS - 1 && strcmp(lists[i], list) != 0)
		i++;
	return i;
}

/* The row of a text, made when it is new. Addresses are compared in any case. */
static struct contacts_found *contacts_row(struct import_contacts *c, int list, enum compose_key key, const char *text)
{
	struct contacts_found *found;
	char *name;

	buf_clear(&c->name);
	buf_printf(&c->name, "%d %d %s", list, key, text);
	for (char *p = c->name.data; key == COMPOSE_BY_EMAIL && *p; p++)
		*p = text_lower(*p);
	found = table_find(&c->known, c->name.data, c->name.len);
	if (found)
		return found;
	name = arena_dup(&c->arena, c->name.data, c->name.len);
	found = arena_alloc(&c->arena, sizeof *found);
	found->text = name + 4;
	table_row(&c->known, name, c->name.len)->value = found;
	return found;
}

/* --- asking ---------------------------------------------------------------------------------------- */

static const char *contacts_path(const struct import *im, struct arena *a, int list)
{
	struct buf path;
	const char *copy;

	if (list < 2)
		return arena_printf(a, "/v1/%s", lists[list]);
	buf_init(&path, 1 << 16);
	buf_printf(&path, "/v1/groups/%s/", im->group);
	text_percent_encode(&path, im->options->type, strlen(im->options->type));
	copy = arena_dup(a, path.data, path.len);
	buf_free(&path);
	return copy;
}

/* The name of the filter. */
static const char *contacts_field(const struct import *im, struct arena *a, int list, enum compose_key key)
{
	if (key == COMPOSE_BY_NAME)
		return list == 0 ? "fullName" : "name";
	if (key == COMPOSE_BY_EMAIL)
		return "emails";
	return list < 2 ? arena_printf(a, HEADER_CUSTOM "%s.%s", im->group, im->options->keep_ids)
	                : arena_printf(a, HEADER_CUSTOM "%s", im->options->keep_ids);
}

static void contacts_add(struct import *im, struct contacts_found *found, const struct json *item)
{
	struct import_contacts *c = im->contacts;
	struct contact_id *one, **last = &found->first;

	if (found->n == SAME_MAX)
		return;
	while (*last)
		last = &(*last)->next;
	*last = one = arena_alloc(&c->arena, sizeof *one);
	one->id = arena_dupz(&c->arena, json_text(item, "id"));
	one->outside = *im->group;
	json_each(g, json_member(item, "groups"))
		if (strcmp(json_text(g, "id"), im->group) == 0)
			one->outside = false;
	found->n++;
}

/* Stores a found record under each of its texts of this kind of key: its e-mail addresses, its name or its kept id. */
static void contacts_sort(struct import *im, int list, enum compose_key key, const struct json *item)
{
	struct import_contacts *c = im->contacts;
	const struct json *custom = json_member(item, "customFieldValues");

	if (key == COMPOSE_BY_EMAIL) {
		json_each(email, json_member(item, "emails"))
			if (email->type == JSON_STRING)
				contacts_add(im, contacts_row(c, list, key, email->text), item);
	} else if (key == COMPOSE_BY_NAME) {
		contacts_add(im, contacts_row(c, list, key, json_text(item, list ? "name" : "fullName")), item);
	} else {
		custom = list < 2 ? json_member(custom, im->group) : custom;
		contacts_add(im, contacts_row(c, list, key, json_text(custom, im->options->keep_ids)), item);
	}
}

static void contacts_body(struct import *im, struct remote_call *c, int list, enum compose_key key,
    const struct contacts_found *texts, const char *cursor)
{
	struct json_out o;

	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_key(&o, "filter");
	json_begin_object(&o);
	json_key(&o, contacts_field(im, &c->arena, list, key));
	json_begin_object(&o);
	json_key(&o, "eq");
	json_begin_array(&o);
	for (int n = 0; texts && n < ASKED_MAX; texts = texts->next, n++)
		json_string(&o, texts->text);
	json_end_array(&o);
	json_end_object(&o);
	json_end_object(&o);
	json_add_int(&o, "limit", 100);
	if (*cursor)
		json_add_string(&o, "cursor", cursor);
	json_end_object(&o);
}

/* False with a message when the server has refused to search. Nothing is found in a field for ids that does not exist
 * yet. */
static bool contacts_searched(struct import *im, int list, enum compose_key key, struct remote_call *c)
{
	if (c->status == 200 || (c->status == 422 && key == COMPOSE_BY_OTHER_ID))
		return true;
	import_say(
	    im, "the server refused to search for the %s that records refer to: %s", lists[list], remote_reason(c));
	return false;
}

/* Asks for the first ASKED_MAX of the texts. A page may have fewer items than asked for, even none; only the last page
 * has no next one. */
static void contacts_search(struct import *im, int list, enum compose_key key, const struct contacts_found *texts)
{
	char *cursor = mem_dupz("");

	while (cursor && !im->failed) {
		struct remote_call *c =
		    remote_call_new("POST", "%s/search", contacts_path(im, &im->contacts->arena, list));
		contacts_body(im, c, list, key, texts, cursor);
		free(cursor);
		cursor = NULL;
		c = remote_run(im->remote, c);
		im->failed |= !c || !contacts_searched(im, list, key, c);
		if (!c)
			break;
		json_each(item, json_member(remote_data(c), "items"))
			contacts_sort(im, list, key, item);
		const char *next = json_text(json_member(remote_data(c), "pagination"), "nextCursor");
		if (*next)
			cursor = mem_dupz(next);
		remote_call_free(c);
	}
	free(cursor);
}

/* Reads a contact that is named by its id, to know its groups. */
static void contacts_get(struct import *im, int list, struct contacts_found *found)
{
	struct remote_call *c =
	    remote_call_new("GET", "%s/%s", contacts_path(im, &im->contacts->arena, list), found->text);

	c = remote_run(im->remote, c);
	im->failed |= !c;
	if (c && remote_data(c))
		contacts_add(im, found, remote_data(c));
	remote_call_free(c);
}

static void contacts_ask(struct import *im, int list, enum compose_key key)
{
	struct contacts_found **next = &im->contacts->expected[list][key], *texts;

	while ((texts = *next) && !im->failed) {
		if (key == COMPOSE_BY_ID)
			contacts_get(im, list, texts);
		else
			contacts_search(im, list, key, texts);
		for (int n = 0; *next && n < (key == COMPOSE_BY_ID ? 1 : ASKED_MAX); n++) {
			(*next)->asked = true;
			*next = (*next)->next;
		}
	}
}

void import_expect_contact(void *ctx, const char *list, enum compose_key key, const char *text)
{
	struct import *im = ctx;
	struct import_contacts *c = contacts_of(im);
	int number = contacts_list(list);
	struct contacts_found *found, **last = &c->expected[number][key];

	if ((key == COMPOSE_BY_ID && (!im->options->group_contacts || number == 2)) || strlen(text) > TEXT_BYTES_MAX)
		return;
	found = contacts_row(c, number, key, text);
	if (found->asked)
		return;
	for (; *last; last = &(*last)->next)
		if (*last == found)
			return;
	*last = found;
}

void import_begin_contacts(struct import *im)
{
	if (im->contacts && im->contacts->known.count >= KNOWN_MAX)
		contacts_reset(im->contacts);
}

/* --- groups ------------------------------------------------------------------------------------------ */

/* Adds a contact to the group of --group; it stays in its other groups. False with a message on stderr. */
static bool contacts_put(struct import *im, const char *path)
{
	struct remote_call *get = remote_run(im->remote, remote_call_new("GET", "%s", path)), *c;
	struct json_out o;
	bool ok;

	im->failed |= !get;
	if (!get || !remote_data(get)) {
		if (get)
			import_say(im, "%s cannot be added to the group: %s", path, remote_reason(get));
		remote_call_free(get);
		return false;
	}
	c = remote_call_new("PATCH", "%s", path);
	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_key(&o, "groups");
	json_begin_array(&o);
	json_each(g, json_member(remote_data(get), "groups")) {
		json_begin_object(&o);
		json_add_string(&o, "id", json_text(g, "id"));
		json_end_object(&o);
	}
	json_begin_object(&o);
	json_add_string(&o, "id", im->group);
	json_end_object(&o);
	json_end_array(&o);
	json_end_object(&o);
	snprintf(c->if_match, sizeof c->if_match, "%s", get->etag);
	remote_call_free(get);
	c = remote_run(im->remote, c);
	im->failed |= !c;
	ok = c && c->status == 200;
	if (c && !ok)
		import_say(im, "%s cannot be added to the group: %s", path, remote_reason(c));
	remote_call_free(c);
	return ok;
}

/* Returns the contact's id; "" in a dry run that would add it to the group. */
static const char *contacts_group(struct import *im, int list, struct contact_id *one)
{
	struct import_contacts *c = im->contacts;

	if (!one->outside || list == 2 || !im->options->group_contacts)
		return one->id;
	one->outside = im->options->dry_run;
	c->grouped++;
	if (im->options->dry_run)
		return "";
	if (!contacts_put(im, arena_printf(&c->arena, "/v1/%s/%s", lists[list], one->id)))
		c->grouped--;
	return one->id;
}

const char *import_find_contact(
    void *ctx, const char *list, enum compose_key key, const char *text, const char *id, size_t *n)
{
	struct import *im = ctx;
	struct import_contacts *c = contacts_of(im);
	int number = contacts_list(list);
	struct contacts_found *found;

	*n = 1;
	if (key == COMPOSE_BY_ID && (!im->options->group_contacts || number == 2))
		return text;
	*n = 0;
	if (strlen(text) > TEXT_BYTES_MAX)
		return NULL;
	found = contacts_row(c, number, key, text);
	if (!found->asked && !im->failed) {
		import_expect_contact(ctx, list, key, text);
		contacts_ask(im, number, key);
	}
	*n = found->n;
	for (struct contact_id *one = found->first; one; one = one->next)
		if (found->n == 1 || strcmp(one->id, id) == 0) {
			*n = 1;
			return contacts_group(im, number, one);
		}
	/* An unknown id is sent as it is: the server's answer says what is wrong with it. */
	return key == COMPOSE_BY_ID ? text : NULL;
}

/* --- making --------------------------------------------------------------------------------------------- */

static void contacts_put_body(const struct import *im, struct buf *body, int list, const char *name, const char *email)
{
	struct json_out o;

	json_out_init(&o, body);
	json_begin_object(&o);
	if (*name && strcmp(name, email) != 0)
		json_add_string(&o, list ? "name" : "fullName", name);
	else if (list)
		json_add_string(&o, "name", email);
	if (*email) {
		json_key(&o, "emails");
		json_begin_array(&o);
		json_string(&o, email);
		json_end_array(&o);
	}
	if (*im->group) {
		json_key(&o, "groups");
		json_begin_array(&o);
		json_begin_object(&o);
		json_add_string(&o, "id", im->group);
		json_end_object(&o);
		json_end_array(&o);
	}
	json_end_object(&o);
}

/* Notes the contact under the texts by which it is found from now on. */
static void contacts_made(struct import *im, int list, const char *name, const char *email, const char *id)
{
	const char *const texts[] = {[COMPOSE_BY_NAME] = name, [COMPOSE_BY_EMAIL] = email};

	im->contacts->made++;
	for (int key = COMPOSE_BY_NAME; key <= COMPOSE_BY_EMAIL; key++) {
		struct contacts_found *found;
		if (!*texts[key])
			continue;
		found = contacts_row(im->contacts, list, (enum compose_key)key, texts[key]);
		found->asked = true;
		found->n = 1;
		found->first = arena_alloc(&im->contacts->arena, sizeof *found->first);
		found->first->id = arena_dupz(&im->contacts->arena, id);
	}
}

const char *import_make_contact(void *ctx, const char *list, const char *name, const char *email)
{
	struct import *im = ctx;
	int number = contacts_list(list);
	const char *shown = *name ? name : email, *id = NULL;
	struct remote_call *c;

	if (!im->options->make_contacts || number == 2 || im->failed)
		return NULL;
	if (im->options->dry_run) {
		contacts_made(im, number, name, email, "");
		if (im->contacts->made <= IMPORT_NAMED)
			import_say(im, "would create the %s \"%s\"", number ? "company" : "person", shown);
		return "";
	}
	c = remote_call_new("POST", "/v1/%s", lists[number]);
	contacts_put_body(im, &c->body, number, name, email);
	import_key(im, c->key, arena_printf(&c->arena, "contact %s %s", list, shown), 0);
	c = remote_run(im->remote, c);
	im->failed |= !c;
	if (c && remote_data(c)) {
		id = arena_dupz(&im->contacts->arena, json_text(remote_data(c), "id"));
		contacts_made(im, number, name, email, id);
		im->failed |= !import_note_contact(im, remote_data(c));
	} else if (c) {
		import_say(im, "%s cannot be created: %s", shown, remote_reason(c));
	}
	remote_call_free(c);
	return id;
}

/* --- the end --------------------------------------------------------------------------------------------- */

void import_tell_contacts(struct import *im)
{
	const struct import_contacts *c = im->contacts;
	const char *would = im->options->dry_run ? "would be" : "were";

	if (c && c->made)
		import_say(im, "%" PRId64 " contacts %s created because records refer to them", c->made, would);
	if (c && c->grouped)
		import_say(im, "%" PRId64 " contacts %s added to the group", c->grouped, would);
}

void import_contacts_free(struct import *im)
{
	if (im->contacts) {
		buf_free(&im->contacts->name);
		arena_free(&im->contacts->arena);
	}
	free(im->contacts);
}
