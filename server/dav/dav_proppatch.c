/* PROPPATCH: the name and the colour of a book, as this user's devices show it. All properties are set, or none. */
#include "server/dav/dav_property.h"

#include <string.h>

#include "server/base/text.h"
#include "server/request/reply.h"

enum { NAME_MOST = 200, COLOUR_MOST = 40 /* characters, bytes */ };

/* The new value of a column. */
struct proppatch_text {
	bool given;
	const char *text; /* NULL: removed */
};

struct proppatch {
	const struct xml_node *nodes[DAV_WANTED_MAX]; /* the properties */
	bool bad[DAV_WANTED_MAX];
	size_t n;
	bool never; /* nothing can be changed here */
	bool refused, too_many;
	struct proppatch_text name, colour;
};

/* What a property becomes; false: it cannot be that. text NULL: it is removed. */
static bool proppatch_set(struct proppatch *p, const struct dav_property *property, const char *text)
{
	bool name = strcmp(property->column, "display_name") == 0;
	size_t len = text ? strlen(text) : 0;

	if (name ? len && text_code_points(text, len) > NAME_MOST : len > COLOUR_MOST)
		return false;
	*(name ? &p->name : &p->colour) = (struct proppatch_text){true, len ? text : NULL};
	return true;
}

static void proppatch_read(struct proppatch *p, const struct xml_node *prop, bool set)
{
	xml_each(node, prop)
	{
		const struct dav_property *property = dav_property_named(node->space, node->name);
		p->too_many = p->n == DAV_WANTED_MAX;
		if (p->too_many)
			break;
		p->bad[p->n] = p->never || !property || !property->column || node->first ||
		               !proppatch_set(p, property, set ? node->text : NULL);
		p->refused |= p->bad[p->n];
		p->nodes[p->n++] = node;
	}
}

static void proppatch_props(struct req *r, const struct proppatch *p, bool bad, int status, const char *phrase)
{
	struct buf *out = &r->reply.out;

	buf_addz(out, "<d:propstat><d:prop>");
	for (size_t i = 0; i < p->n; i++)
		if (p->bad[i] == bad) {
			dav_property_name(out, p->nodes[i]->space, p->nodes[i]->name, false);
			dav_property_name(out, p->nodes[i]->space, p->nodes[i]->name, true);
		}
	buf_printf(out, "</d:prop><d:status>HTTP/1.1 %d %s</d:status></d:propstat>", status, phrase);
}

static enum step proppatch_answer(struct req *r)
{
	const struct dav *d = dav_of(r);
	const struct proppatch *p = d->report;
	size_t bad = 0;

	for (size_t i = 0; i < p->n; i++)
		bad += p->bad[i];
	dav_answer_begin(r);
	buf_addz(&r->reply.out, "<d:response>");
	dav_answer_href(r, d->path.place, &d->path.book, d->path.card);
	if (bad)
		proppatch_props(r, p, true, 403, "Forbidden");
	if (p->n > bad && p->refused)
		proppatch_props(r, p, false, 424, "Failed Dependency");
	else if (p->n > bad)
		proppatch_props(r, p, false, 200, "OK");
	buf_addz(&r->reply.out, "</d:response>\n");
	return dav_answer_end(r);
}

static void proppatch_save(struct req *r, const struct proppatch *p)
{
	struct sql *s = req_sql(r, "address_book_name", NULL);

	sql_uuid(s, &r->caller.viewer.user);
	sql_textz(s, dav_of(r)->path.book.name);
	sql_bool(s, p->name.given);
	sql_textz(s, p->name.text);
	sql_bool(s, p->colour.given);
	sql_textz(s, p->colour.text);
	sql_built_in(s, "dav name_book");
}

enum step dav_proppatch(struct req *r)
{
	static step_fn *const answer[] = {proppatch_answer};
	struct dav *d = dav_of(r);
	struct proppatch *p = d->report = arena_alloc(&r->arena, sizeof *p);

	if (!d->body || !xml_node_is(d->body, XML_DAV, "propertyupdate"))
		return reply_error_status(
		    r, ERROR_INVALID_REQUEST, 400, "The body of PROPPATCH is a propertyupdate of DAV:");
	p->never = d->path.place != DAV_BOOK || !(r->caller.ticket.scopes & SCOPE_WRITE);
	xml_each(change, d->body)
	{
		const struct xml_node *prop = xml_node_child(change, XML_DAV, "prop");
		if (prop && !p->too_many &&
		    (xml_node_is(change, XML_DAV, "set") || xml_node_is(change, XML_DAV, "remove")))
			proppatch_read(p, prop, xml_node_is(change, XML_DAV, "set"));
	}
	if (p->too_many)
		return reply_error_status(r, ERROR_INVALID_REQUEST, 413, "A request names at most 100 properties");
	r->next = answer;
	if (p->refused || p->n == 0)
		return PASS;
	proppatch_save(r, p);
	return req_ask(r, DB_WRITE);
}
