/* PUT of a card: an update of the record that the name leads to, or a create.
 *
 *	1. Look for the card of that name, and for the record that has the UID.
 *	2. Read the record by the API and compare the card with it (card.h).
 *	3. Write what differs by the API. Its condition is the tag that was read, so what another request writes
 *	   meanwhile is never overwritten; then it begins again. What is kept of the card and the name are saved in
 *	   the same transaction.
 *
 * A client that has lost the answer sends its request again, with the old tag. The record is then already what
 * the card makes of it, and the answer is that of the first time. */
#include "server/dav/dav_work.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/etag.h"
#include "server/base/log.h"
#include "server/http/http.h"
#include "server/request/reply.h"

enum { TRIES_MOST = 12, UID_BYTES_MAX = 1000 };

struct putting {
	struct carrier_beside beside;
	struct req *r;
	struct card card;
	struct card_before before;
	struct card_change change;
	struct dav_card found; /* the card that the name leads to, or the record that has the UID */
	bool exists;           /* the book has the card under this name */
	bool joins;            /* the record exists, and gets the name in this book */
	bool fails;            /* its condition does not hold */
	bool named;            /* it was asked whether the company in the card was renamed */
	int at_card, at_uid, at_named, tries;
	int at_names;        /* result: old names of groups; -1: the card has no CATEGORIES */
	const char **groups; /* names of groups, now and before */
	size_t n_groups;
	char tag[ETAG_SIZE];
};

static struct putting *putting_of(const struct req *r)
{
	return dav_of(r)->report;
}

static enum step put_look(struct req *r);

/* --- what is saved beside the record ------------------------------------------------------------ */

static void put_save_kept(struct putting *p, struct req *r, const struct uuid *id, int64_t stamp_us)
{
	const struct card_kept *kept = &p->change.kept;
	struct sql *s = req_sql(r, "contact_card_save", NULL);

	sql_uuid(s, id);
	sql_bool(s, p->before.kind == ID_COMPANY);
	sql_text(s, kept->text, kept->len);
	sql_textz(s, kept->uid);
	sql_int4(s, kept->version);
	sql_uuid(s, &r->caller.ticket.key);
	sql_time_us(s, stamp_us);
	sql_built_in(s, "dav save_card");
}

/* If another request has given the name to a card meanwhile, the insert fails, and so does the transaction. */
static void put_save_name(struct req *r, const struct dav_path *path, const struct uuid *id)
{
	struct sql *s = req_sql(r, "card_name_forget", NULL);

	sql_uuid(s, &r->caller.viewer.user);
	sql_textz(s, path->book.name);
	sql_uuid(s, path->book.group ? &path->book.group->id : NULL);
	sql_uuid(s, id);
	sql_textz(s, path->card);
	sql_built_in(s, "dav forget_name");
	s = req_sql(r, "card_name_save", NULL);
	sql_uuid(s, &r->caller.viewer.user);
	sql_textz(s, path->book.name);
	sql_uuid(s, id);
	sql_textz(s, path->card);
	sql_built_in(s, "dav save_name");
}

static void put_save(struct carrier_beside *b, struct req *r, const struct uuid *id, int64_t stamp_us)
{
	struct putting *p = (struct putting *)b;
	const struct dav_path *path = &dav_of(p->r)->path;

	put_save_kept(p, r, id, stamp_us);
	if (!p->exists && !uuid_equal(&path->id, id))
		put_save_name(r, path, id);
}

/* --- answers ----------------------------------------------------------------------------------------- */

static const char *put_href(struct req *r, const char *name)
{
	const char *text;
	struct buf href;

	buf_init(&href, DAV_NAME_MAX * 8);
	dav_path_write(&href, &r->caller.viewer.user, DAV_CARD, &dav_of(r)->path.book, name);
	text = arena_dup(&r->arena, href.data, href.len);
	buf_free(&href);
	return text;
}

static enum step put_done(struct req *r, const char *id)
{
	bool exists = putting_of(r)->exists;

	r->reply.status = exists ? 204 : 201;
	if (!exists)
		reply_header(r, "Location", put_href(r, arena_printf(&r->arena, "%s.vcf", id)));
	return DONE;
}

static enum step put_unmatched(struct req *r, const char *header)
{
	return dav_refuse(r, 412, "d:precondition-failed",
	    arena_printf(&r->arena, "The card was changed or made meanwhile: %s does not hold", header));
}

static enum step put_uid_taken(struct req *r, const char *name)
{
	return dav_refuse(r, 409, "c:no-uid-conflict",
	    arena_printf(&r->arena, "Another card of this address book has this UID: %s", put_href(r, name)));
}

/* The issues of a 422 in one line. */
static const char *put_issues(struct arena *a, const struct json *answer)
{
	const struct json *error = json_member(answer, "error");
	const char *text = "";

	json_each(issue, json_member(json_member(error, "details"), "issues")) {
		text = arena_printf(a, "%s%s", text, *text ? "; " : "");
		json_each(part, json_member(issue, "path"))
			text = arena_printf(a, "%s%s ", text, part->text ? part->text : "");
		text = arena_printf(a, "%s%s", text, json_text(issue, "message"));
	}
	return *text ? text : arena_dupz(a, json_text(error, "message"));
}

/* The request inside was refused. */
static enum step put_refused(struct req *outer, const struct req *r, const struct json *answer)
{
	if (r->reply.status == 422)
		return dav_refuse(outer, 403, "c:valid-address-data", put_issues(&outer->arena, answer));
	return dav_inside_refused(outer, r, answer);
}

/* --- 3. the write ------------------------------------------------------------------------------------- */

static bool put_again(struct putting *p)
{
	return p->tries++ < TRIES_MOST;
}

static enum step put_written(struct req *outer, struct req *r, const struct json *answer)
{
	struct putting *p = putting_of(outer);
	int status = r->reply.status;
	const char *id;

	/* Another request was first: it changed or deleted the record, or took the UID or the name. */
	if ((status == 412 || status == 404 || (status == 503 && !p->exists && p->tries == 0)) && put_again(p))
		return put_look(outer);
	if (status == 412)
		return reply_unavailable(outer, ERROR_UNAVAILABLE, "other requests keep changing the card");
	if (status != 200 || !answer)
		return put_refused(outer, r, answer);
	id = arena_dupz(&outer->arena, json_text(json_member(answer, "data"), "id"));
	if (p->beside.saved)
		return put_done(outer, id);
	/* A company of this name existed, and the create has left it as it was. */
	if (!id_parse(ID_COMPANY, id, strlen(id), &p->found.id) || !put_again(p))
		return dav_refuse(outer, 409, "c:no-uid-conflict", "Another company has this name");
	p->joins = true;
	return put_look(outer);
}

static enum step put_write(struct req *r)
{
	struct putting *p = putting_of(r);
	const struct uuid *id = p->before.record ? &p->found.id : NULL;

	p->beside = (struct carrier_beside){.path = p->change.kept_differs ? "card" : NULL, .save = put_save};
	dav_of(r)->inside.carrier.beside = &p->beside;
	return dav_inside_record(
	    r, id ? HTTP_PATCH : HTTP_POST, p->before.kind, id, p->change.body, id ? p->tag : NULL, put_written);
}

/* --- 2. the record ------------------------------------------------------------------------------------- */

/* CATEGORIES may have the names of groups, also the old name of a renamed group. A user who has left a private group
 * still has its name on the device, because the tags of the cards stay. Kept as a word of the client's own, it would be
 * shown to everybody. */
static void put_ask_groups(struct req *r, struct putting *p)
{
	p->at_names = -1;
	for (size_t i = 0; i < p->card.n && p->at_names < 0; i++)
		if (strcasecmp(p->card.properties[i].name, "CATEGORIES") == 0)
			sql_built_in(req_sql(r, "group_old_names", &p->at_names), "dav old_group_names");
}

static void put_take_groups(struct req *r, struct putting *p)
{
	const struct workspace *ws = r->caller.ws;
	int rows = p->at_names < 0 ? 0 : db_rows(r->db.last, p->at_names);

	p->groups = arena_alloc(&r->arena, (ws->n_groups + (size_t)rows) * sizeof *p->groups);
	p->n_groups = 0;
	for (size_t i = 0; i < ws->n_groups; i++)
		p->groups[p->n_groups++] = ws->groups[i].name;
	for (int row = 0; row < rows; row++)
		p->groups[p->n_groups++] = arena_dupz(&r->arena, db_text(r->db.last, p->at_names, row, 0, NULL));
	if (p->n_groups)
		qsort(p->groups, p->n_groups, sizeof *p->groups, card_compare_groups);
}

static enum step put_compare(struct req *r, struct json *record);

/* The card may have the name that the company had when the client read it: a renamed company leaves the records that
 * show it as they are. */
static enum step put_renamed(struct req *r)
{
	struct putting *p = putting_of(r);
	const struct json *company = json_items(json_member(p->before.record, "companies"));

	if (db_rows(r->db.last, p->at_named) > 0)
		card_set_company(&r->arena, &p->card, json_text(company, "name"));
	return put_compare(r, (struct json *)p->before.record);
}

static enum step put_ask_renamed(struct req *r, const char *company)
{
	static step_fn *const steps[] = {put_renamed};
	struct putting *p = putting_of(r);
	struct sql *s = req_sql(r, "card_company_renamed", &p->at_named);
	struct uuid id;

	p->named = true;
	id_parse(ID_COMPANY, company, strlen(company), &id);
	sql_uuid(s, &id);
	sql_time_us(s, p->found.stamp_us);
	sql_textz(s, p->change.company);
	sql_built_in(s, "dav company_renamed");
	r->next = steps;
	return req_ask(r, DB_POINT);
}

static enum step put_compare(struct req *r, struct json *record)
{
	struct putting *p = putting_of(r);
	const struct dav_book *book = &dav_of(r)->path.book;
	const char *if_match = req_header_list(r, "If-Match"), *company;
	char group[ID_SIZE], tag[ETAG_SIZE];

	p->before = (struct card_before){.kind = book->kind, .record = record};
	if (record && p->found.has_kept)
		p->before.kept = &p->found.kept;
	/* A tag proves what the client has seen, in its condition or in the card, and so does its own last write. */
	p->before.seen = !record || (p->exists && ((if_match && !strchr(if_match, '*')) || p->found.latest ||
	                                              strcmp(p->card.tag, etag_format(p->found.stamp_us, tag)) == 0));
	if (book->group)
		p->before.join = arena_dupz(&r->arena, id_format(ID_GROUP, &book->group->id, group));
	p->before.groups = p->groups;
	p->before.n_groups = p->n_groups;
	card_change(&r->arena, &p->card, &p->before, &p->change);
	company = json_text(json_items(json_member(record, "companies")), "id");
	if (p->change.company && *company && !p->named)
		return put_ask_renamed(r, company);
	if (p->exists && strcmp(p->change.kept.uid, p->found.has_kept ? p->found.kept.uid : "") != 0)
		return put_uid_taken(r, p->found.name);
	if (p->change.kept_too_much)
		return dav_refuse(r, 403, "c:max-resource-size", "The card has too many properties, or too long ones");
	if (p->exists && !json_members(p->change.body) && !p->change.kept_differs)
		return put_done(r, "");
	if (p->fails)
		return put_unmatched(r, if_match ? "If-Match" : "If-None-Match");
	return put_write(r);
}

static bool group_has(const struct req *r, const struct json *record)
{
	const struct group *group = dav_of(r)->path.book.group;
	char id[ID_SIZE];

	if (!group)
		return false;
	id_format(ID_GROUP, &group->id, id);
	json_each(item, json_member(record, "groups"))
		if (strcmp(json_text(item, "id"), id) == 0)
			return true;
	return false;
}

static enum step put_read(struct req *outer, struct req *r, const struct json *answer)
{
	struct putting *p = putting_of(outer);
	const char *tag = reply_header_get(&r->reply, "ETag");
	char found[ETAG_SIZE];

	if (r->reply.status == 404 && put_again(p)) {
		p->joins = false;
		return put_look(outer);
	}
	if (r->reply.status != 200 || !answer || !tag)
		return put_refused(outer, r, answer);
	etag_format(p->found.stamp_us, found);
	if (strcmp(tag, found) != 0) /* what was found is older */
		return put_again(p)
		           ? put_look(outer)
		           : reply_unavailable(outer, ERROR_UNAVAILABLE, "other requests keep changing the card");
	memcpy(p->tag, found, sizeof p->tag);
	if (p->joins && group_has(outer, json_member(answer, "data")))
		return put_uid_taken(outer, p->found.name);
	return put_compare(outer, json_copy(&outer->arena, json_member(answer, "data")));
}

/* --- 1. the card --------------------------------------------------------------------------------------- */

/* Finds the record with the UID, or the one to join, in any book. */
static void put_ask_uid(struct req *r, struct putting *p)
{
	const struct dav_book all = {.name = dav_of(r)->path.book.name, .kind = dav_of(r)->path.book.kind};
	struct sql *s = req_sql(r, NULL, &p->at_uid);
	/* The UID of a card without one has the id in it. */
	const char *uid = card_uid_bare(p->card.uid);
	struct uuid id;

	dav_cards_sql(s, r, &all, true);
	sql_add(s,
	    " and t.id = (select coalesce((select u.record_id from contact_cards u where u.workspace_id = $1 and "
	    "u.uid <> '' and u.company = ");
	sql_bool(s, all.kind == ID_COMPANY);
	sql_add_textz(s, " and u.uid = ", p->joins ? "" : p->card.uid);
	sql_add_uuid(s, "), ", p->joins ? &p->found.id : uuid_parse(uid, strlen(uid), &id) ? &id : NULL);
	sql_add(s, ")) window w as (order by t.id)");
}

/* True when the user's client has given the card another name. */
static bool has_name(struct req *r, const struct dav_card *card, enum id_kind kind)
{
	return strcmp(card->name, dav_path_card(&r->arena, kind, &card->id)) != 0;
}

static enum step put_found(struct req *r)
{
	struct putting *p = putting_of(r);
	const struct dav_book *book = &dav_of(r)->path.book;
	const char *if_match = req_header_list(r, "If-Match"), *if_none = req_header_list(r, "If-None-Match");
	bool company = p->joins;
	char tag[ETAG_SIZE];

	put_take_groups(r, p);
	p->exists = dav_card_found(r, p->at_card, &p->found);
	p->joins = p->fails = false;
	if (p->exists) {
		etag_format(p->found.stamp_us, tag);
		p->fails = (if_match && !etag_list_names(if_match, strlen(if_match), tag)) ||
		           (if_none && etag_list_names(if_none, strlen(if_none), tag));
	} else if (if_match) {
		return put_unmatched(r, "If-Match");
	} else if (db_rows(r->db.last, p->at_uid) > 0) {
		dav_card_take(r, p->at_uid, 0, true, &p->found);
		p->joins = true;
		if (!book->group && (!company || has_name(r, &p->found, book->kind)))
			return put_uid_taken(r, p->found.name);
	} else {
		return put_compare(r, NULL);
	}
	return dav_inside_record(r, HTTP_GET, book->kind, &p->found.id, NULL, NULL, put_read);
}

static enum step put_look(struct req *r)
{
	static step_fn *const steps[] = {put_found};
	struct putting *p = putting_of(r);

	dav_of(r)->inside.carrier.beside = NULL;
	p->named = false;
	/* In this order, because each statement sees what has been committed before it: a new card that has the UID is
	 * then also found by its name. */
	put_ask_uid(r, p);
	dav_card_ask(r, &p->at_card);
	put_ask_groups(r, p);
	r->next = steps;
	return req_ask(r, DB_POINT);
}

/* Some programs say text/plain. */
static bool type_is_card(const char *type)
{
	static const char *const types[] = {"text/vcard", "text/x-vcard", "text/directory", "text/plain"};
	size_t len = type ? strcspn(type, "; \t") : 0;
	bool known = !type;

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		known = known || (strlen(types[i]) == len && strncasecmp(type, types[i], len) == 0);
	return known;
}

enum step dav_put(struct req *r)
{
	struct dav *d = dav_of(r);
	struct putting *p = d->report = arena_alloc(&r->arena, sizeof *p);
	const char *error;

	p->r = r;
	if (!(r->caller.ticket.scopes & SCOPE_WRITE))
		return dav_refuse(r, 403, "d:need-privileges", "This password only reads");
	if (!type_is_card(http_header(r->call, "Content-Type")))
		return dav_refuse(r, 415, "c:supported-address-data", "A card is text/vcard, of version 3.0 or 4.0");
	if (r->in->body_len > CARD_MAX)
		return dav_refuse(r, 413, "c:max-resource-size", "The card is larger than 1 MiB");
	error = card_read(&r->arena, r->in->body ? r->in->body : "", r->in->body_len, &p->card);
	/* A group that was made on the device cannot be kept. For any other reason than missing rights DAVx5 would
	 * stop to synchronize the whole book until the group is deleted (SyncManager.kt, uploadDirty()). */
	if (p->card.is_group)
		return dav_refuse(r, 403, "d:need-privileges", error);
	if (error || strlen(p->card.uid) > UID_BYTES_MAX)
		return dav_refuse(r, 403, "c:valid-address-data", error ? error : "The UID is longer than 1000 bytes");
	if (p->card.photo_cut)
		log_info("dav", "%s: a photo of more than 512 KiB was left out", r->request_id);
	return put_look(r);
}
