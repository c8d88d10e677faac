/* DELETE of a card. In a group's book the person leaves the group; in the others the record is deleted. */
#include "server/dav/dav_work.h"

#include <string.h>

#include "server/base/etag.h"
#include "server/request/reply.h"

enum { TRIES_MOST = 12 };

struct deleting {
	struct carrier_beside beside;
	struct req *r;
	struct dav_card found;
	char tag[ETAG_SIZE];
	int at, tries;
};

static enum step delete_look(struct req *r);

/* Deleted, or gone before. */
static enum step delete_done(struct req *outer, struct req *r, const struct json *answer)
{
	struct deleting *del = dav_of(outer)->report;

	if (r->reply.status == 412 && del->tries++ < TRIES_MOST)
		return delete_look(outer);
	if (r->reply.status != 200)
		return dav_inside_refused(outer, r, answer);
	outer->reply.status = 204;
	return DONE;
}

/* The name has no card any more. Clients that ask later are told of the removal under it. */
static void delete_name(struct carrier_beside *b, struct req *r, const struct uuid *id, int64_t stamp_us)
{
	const struct deleting *del = (const struct deleting *)b;
	struct sql *s = req_sql(r, "card_name_gone", NULL);

	sql_uuid(s, &r->caller.viewer.user);
	sql_textz(s, dav_of(del->r)->path.book.name);
	sql_uuid(s, id);
	sql_time_us(s, stamp_us);
	sql_built_in(s, "dav end_name");
}

/* The person leaves the group. */
static enum step delete_leave(struct req *outer, struct req *r, const struct json *answer)
{
	struct deleting *del = dav_of(outer)->report;
	struct arena *a = &outer->arena;
	struct json *body = json_make(a, JSON_OBJECT), *groups = json_make(a, JSON_ARRAY);
	const char *tag = reply_header_get(&r->reply, "ETag");
	char group[ID_SIZE];

	if (r->reply.status != 200 || !answer || !tag)
		return reply_inside_refused(outer, r);
	if (strcmp(tag, del->tag) != 0 && del->tries++ < TRIES_MOST)
		return delete_look(outer);
	id_format(ID_GROUP, &dav_of(outer)->path.book.group->id, group);
	json_each(item, json_member(json_member(answer, "data"), "groups"))
		if (strcmp(json_text(item, "id"), group) != 0)
			json_attach(a, groups, NULL, json_copy(a, item));
	json_attach(a, body, "groups", groups);
	del->beside = (struct carrier_beside){.save = delete_name};
	dav_of(outer)->inside.carrier.beside = &del->beside;
	return dav_inside_record(outer, HTTP_PATCH, ID_PERSON, &del->found.id, body, del->tag, delete_done);
}

static enum step delete_found(struct req *r)
{
	struct deleting *del = dav_of(r)->report;
	const struct dav_book *book = &dav_of(r)->path.book;
	const char *if_match = req_header_list(r, "If-Match");

	if (!dav_card_found(r, del->at, &del->found))
		return reply_not_found(r);
	etag_format(del->found.stamp_us, del->tag);
	if (if_match && !etag_list_names(if_match, strlen(if_match), del->tag))
		return dav_refuse(
		    r, 412, "d:precondition-failed", "The card was changed meanwhile: If-Match does not hold");
	if (book->group)
		return dav_inside_record(r, HTTP_GET, book->kind, &del->found.id, NULL, NULL, delete_leave);
	return dav_inside_record(
	    r, HTTP_DELETE, book->kind, &del->found.id, NULL, if_match ? del->tag : NULL, delete_done);
}

static enum step delete_look(struct req *r)
{
	static step_fn *const steps[] = {delete_found};
	struct deleting *del = dav_of(r)->report;

	dav_of(r)->inside.carrier.beside = NULL;
	dav_card_ask(r, &del->at);
	r->next = steps;
	return req_ask(r, DB_POINT);
}

enum step dav_delete(struct req *r)
{
	struct deleting *del = dav_of(r)->report = arena_alloc(&r->arena, sizeof *del);

	del->r = r;
	return delete_look(r);
}
