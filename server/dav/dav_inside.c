/* Requests of the API inside a request of a client. */
#include "server/dav/dav_work.h"

#include "server/request/reply.h"

/* Keeps the tree of an answer small. */
static bool inside_full(const struct req *r)
{
	enum { PAGE_MOST = 512 << 10 };

	return r->reply.out.len >= PAGE_MOST;
}

static enum step dav_inside(struct req *r, enum http_method method, const char *target, struct json *body,
    const char *if_match, dav_take_fn *take)
{
	struct inside *inside = &dav_of(r)->inside;

	inside->carrier.full = inside_full;
	inside->carrier.if_match = if_match;
	inside->take = take;
	runner_inside(r, inside, method, target, body);
	return WAIT;
}

enum step dav_inside_record(struct req *r, enum http_method method, enum id_kind kind, const struct uuid *id,
    struct json *body, const char *if_match, dav_take_fn *take)
{
	char text[ID_SIZE] = "";

	if (id)
		id_format(kind, id, text);
	return dav_inside(r, method,
	    arena_printf(&r->arena, "/v1/%s%s%s", kind == ID_PERSON ? "people" : "companies", id ? "/" : "", text),
	    body, if_match, take);
}

enum step dav_inside_refused(struct req *outer, const struct req *r, const struct json *answer)
{
	if (r->reply.status == 403)
		return dav_refuse(outer, 403, "d:need-privileges",
		    arena_dupz(&outer->arena, json_text(json_member(answer, "error"), "message")));
	return reply_inside_refused(outer, r);
}

enum step dav_inside_list(struct req *r, enum id_kind kind, const struct uuid *ids, size_t n, dav_take_fn *take)
{
	struct inside *inside = &dav_of(r)->inside;
	enum step step;

	inside->only = ids;
	inside->n_only = n;
	step = dav_inside(
	    r, HTTP_GET, kind == ID_PERSON ? "/v1/people?limit=100" : "/v1/companies?limit=100", NULL, NULL, take);
	inside->only = NULL;
	inside->n_only = 0;
	return step;
}
