/* GET and HEAD of a card. */
#include "server/dav/dav_work.h"

#include <string.h>

#include "server/base/accept.h"
#include "server/base/etag.h"
#include "server/http/http.h"
#include "server/request/reply.h"

struct getting {
	int at;
	struct dav_card card;
};

static enum step get_taken(struct req *outer, struct req *r, const struct json *answer)
{
	struct dav *d = dav_of(outer);
	struct getting *g = d->report;

	if (r->reply.status != 200 || !answer)
		return reply_inside_refused(outer, r);
	dav_card_write(outer, &outer->arena, &g->card, d->path.book.kind, json_member(answer, "data"));
	outer->reply.status = 200;
	reply_header(outer, "Content-Type", "text/vcard; charset=utf-8");
	reply_vary(outer, "Accept");
	buf_add(&outer->reply.out, g->card.text, g->card.len);
	return DONE;
}

static enum step get_found(struct req *r)
{
	struct dav *d = dav_of(r);
	struct getting *g = d->report;
	char tag[ETAG_SIZE];

	if (!dav_card_found(r, g->at, &g->card))
		return reply_not_found(r);
	if (reply_is_known(r, etag_format(g->card.stamp_us, tag)))
		return DONE;
	return dav_inside_record(r, HTTP_GET, d->path.book.kind, &g->card.id, NULL, NULL, get_taken);
}

/* The version in "text/vcard; version=4.0". */
static void get_version(struct req *r)
{
	struct dav *d = dav_of(r);
	const char *accept = req_header_list(r, "Accept"), *version = accept ? strstr(accept, "version=") : NULL;

	if (!version)
		return;
	version += strlen("version=");
	version += *version == '"';
	d->version = card_version_named(version, strspn(version, "0123456789."));
	d->version_given = d->version != CARD_UNKNOWN;
}

enum step dav_get(struct req *r)
{
	static step_fn *const steps[] = {get_found};
	struct dav *d = dav_of(r);
	struct getting *g = d->report = arena_alloc(&r->arena, sizeof *g);

	get_version(r);
	dav_card_ask(r, &g->at);
	r->next = steps;
	return req_ask(r, DB_POINT);
}
