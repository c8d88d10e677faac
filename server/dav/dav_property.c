/* The table of properties, and how they are written. */
#include "server/dav/dav_property.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/etag.h"
#include "server/base/xml_text.h"
#include "server/dav/dav_filter.h"
#include "server/request/reply.h"

#define APPLE "http://apple.com/ns/ical/"
#define INFCLOUD "http://inf-it.com/ns/ab/"

static struct buf *property_out(const struct dav_shown *s)
{
	return &s->r->reply.out;
}

static bool property_text(const struct dav_shown *s, const char *text)
{
	xml_text_add(property_out(s), text, strlen(text));
	return true;
}

/* --- of every place ------------------------------------------------------------------------------ */

static bool property_type(const struct dav_shown *s)
{
	static const char *const types[DAV_PLACES] = {[DAV_ROOT] = "<d:collection/>",
	    [DAV_PRINCIPAL] = "<d:principal/>",
	    [DAV_HOME] = "<d:collection/>",
	    [DAV_BOOK] = "<d:collection/><c:addressbook/>",
	    [DAV_CARD] = ""};

	buf_addz(property_out(s), types[s->place]);
	return true;
}

static bool property_display_name(const struct dav_shown *s)
{
	const struct user *user = workspace_user(s->r->caller.ws, &s->r->caller.viewer.user);

	if (s->place != DAV_BOOK)
		return property_text(s, user ? user->full_name : "");
	if (s->setting && s->setting->display_name)
		return property_text(s, s->setting->display_name);
	return property_text(s, dav_book_title(s->book));
}

static bool property_principal(const struct dav_shown *s)
{
	dav_answer_href(s->r, DAV_PRINCIPAL, NULL, NULL);
	return true;
}

static bool property_principals(const struct dav_shown *s)
{
	buf_addz(property_out(s), "<d:href>/dav/principals/</d:href>");
	return true;
}

static bool property_home(const struct dav_shown *s)
{
	dav_answer_href(s->r, DAV_HOME, NULL, NULL);
	return true;
}

/* True when cards can be put into the book. */
static bool property_writable(const struct dav_shown *s)
{
	return s->place >= DAV_BOOK && s->r->caller.ticket.scopes & SCOPE_WRITE &&
	       (!s->book->group || group_role(s->book->group, &s->r->caller.viewer) >= ROLE_CONTRIBUTOR);
}

/* A caller who may not delete cards still has "write", because most programs take a book without it as one that cannot
 * be changed. Some take any privilege that begins with "write" as all of them, so one who may not put cards has none,
 * though they may name the book. */
static bool property_privileges(const struct dav_shown *s)
{
	struct buf *out = property_out(s);

	buf_addz(out, "<d:privilege><d:read/></d:privilege>"
	              "<d:privilege><d:read-current-user-privilege-set/></d:privilege>");
	if (!property_writable(s))
		return true;
	buf_addz(out, "<d:privilege><d:write/></d:privilege><d:privilege><d:write-properties/></d:privilege>"
	              "<d:privilege><d:write-content/></d:privilege><d:privilege><d:bind/></d:privilege>");
	if (s->book->group || s->r->caller.ticket.scopes & SCOPE_DELETE)
		buf_addz(out, "<d:privilege><d:unbind/></d:privilege>");
	return true;
}

static bool property_empty(const struct dav_shown *s)
{
	(void)s;
	return true;
}

/* --- of a book ----------------------------------------------------------------------------------- */

static bool property_reports(const struct dav_shown *s)
{
	static const char *const reports[] = {"c:addressbook-multiget", "c:addressbook-query", "d:sync-collection"};

	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
		buf_printf(
		    property_out(s), "<d:supported-report><d:report><%s/></d:report></d:supported-report>", reports[i]);
	return true;
}

static bool property_token(const struct dav_shown *s)
{
	return s->token && property_text(s, s->token);
}

static bool property_collations(const struct dav_shown *s)
{
	for (size_t i = 0; i < DAV_COLLATIONS; i++)
		buf_printf(property_out(s), "<c:supported-collation>%s</c:supported-collation>", dav_collations[i]);
	return true;
}

static bool property_formats(const struct dav_shown *s)
{
	buf_addz(property_out(s), "<c:address-data-type content-type=\"text/vcard\" version=\"3.0\"/>"
	                          "<c:address-data-type content-type=\"text/vcard\" version=\"4.0\"/>");
	return true;
}

static bool property_card_most(const struct dav_shown *s)
{
	buf_printf(property_out(s), "%d", CARD_MAX);
	return true;
}

static bool property_photo_most(const struct dav_shown *s)
{
	buf_printf(property_out(s), "%d", CARD_PHOTO_MAX);
	return true;
}

static bool property_colour(const struct dav_shown *s)
{
	return s->setting && s->setting->colour && property_text(s, s->setting->colour);
}

/* --- of a card ----------------------------------------------------------------------------------- */

static bool property_tag(const struct dav_shown *s)
{
	char tag[ETAG_SIZE];

	return property_text(s, etag_format(s->card->stamp_us, tag));
}

static bool property_content_type(const struct dav_shown *s)
{
	return property_text(s, "text/vcard; charset=utf-8");
}

static bool property_modified(const struct dav_shown *s)
{
	char date[HTTP_DATE_SIZE];

	return property_text(s, http_date_format(s->card->stamp_us / 1000000, date));
}

static bool property_length(const struct dav_shown *s)
{
	if (s->card->text)
		buf_printf(property_out(s), "%zu", s->card->len);
	return s->card->text;
}

static bool property_data(const struct dav_shown *s)
{
	if (s->card->text)
		xml_text_add(property_out(s), s->card->text, s->card->len);
	return s->card->text;
}

/* --- the table ----------------------------------------------------------------------------------- */

enum {
	ROOT = 1 << DAV_ROOT,
	PRINCIPAL = 1 << DAV_PRINCIPAL,
	HOME = 1 << DAV_HOME,
	BOOK = 1 << DAV_BOOK,
	CARD = 1 << DAV_CARD,
	ANYWHERE = ROOT | PRINCIPAL | HOME | BOOK | CARD
};

/* clang-format off */
static const struct dav_property properties[] = {
	{XML_DAV,     "resourcetype",                ANYWHERE,             .all = true, .write = property_type},
	{XML_DAV,     "displayname",                 PRINCIPAL | HOME | BOOK, .all = true, .write = property_display_name, .column = "display_name"},
	{XML_DAV,     "current-user-principal",      ANYWHERE,             .write = property_principal},
	{XML_DAV,     "principal-URL",               PRINCIPAL,            .write = property_principal},
	{XML_DAV,     "principal-collection-set",    ANYWHERE,             .write = property_principals},
	{XML_DAV,     "owner",                       HOME | BOOK | CARD,   .write = property_principal},
	{XML_DAV,     "current-user-privilege-set",  ANYWHERE,             .write = property_privileges},
	{XML_DAV,     "alternate-URI-set",           PRINCIPAL,            .write = property_empty},
	{XML_DAV,     "group-membership",            PRINCIPAL,            .write = property_empty},
	{XML_DAV,     "group-member-set",            PRINCIPAL,            .write = property_empty},
	{XML_DAV,     "supported-report-set",        BOOK,                 .write = property_reports},
	{XML_DAV,     "getetag",                     CARD,                 .all = true, .write = property_tag},
	{XML_DAV,     "getcontenttype",              CARD,                 .all = true, .write = property_content_type},
	{XML_DAV,     "getlastmodified",             CARD,                 .all = true, .write = property_modified},
	{XML_DAV,     "getcontentlength",            CARD,                 .write = property_length},
	{XML_CARDDAV, "addressbook-home-set",        ROOT | PRINCIPAL,     .write = property_home},
	{XML_CARDDAV, "supported-address-data",      BOOK,                 .write = property_formats},
	{XML_CARDDAV, "supported-collation-set",     BOOK,                 .write = property_collations},
	{XML_DAV,     "sync-token",                  BOOK,                 .write = property_token},
	{XML_CALENDARSERVER, "getctag",              BOOK,                 .write = property_token},
	{XML_CARDDAV, "max-resource-size",           BOOK,                 .write = property_card_most},
	{XML_CARDDAV, "max-image-size",              BOOK,                 .write = property_photo_most},
	{XML_CARDDAV, "address-data",                CARD,                 .write = property_data},
	{INFCLOUD,    "addressbook-color",           BOOK,                 .write = property_colour, .column = "colour"},
	{APPLE,       "calendar-color",              BOOK,                 .write = property_colour, .column = "colour"},
};
/* clang-format on */
enum {
	PROPERTIES = sizeof properties / sizeof *properties,
	UNKNOWN_MAX = 4096 /* bytes of names that kith does not know: each card of an answer repeats them */
};

const struct dav_property *dav_property_named(const char *space, const char *name)
{
	for (int i = 0; i < PROPERTIES; i++)
		if (strcmp(properties[i].name, name) == 0 && strcmp(properties[i].space, space) == 0)
			return &properties[i];
	return NULL;
}

/* --- what is asked for --------------------------------------------------------------------------- */

bool dav_properties_read(struct req *r, const struct xml_node *prop)
{
	struct dav *d = dav_of(r);
	size_t unknown = 0;

	d->n_wanted = 0;
	for (int i = 0; i < PROPERTIES && !prop; i++)
		if (properties[i].all || d->names_only)
			d->wanted[d->n_wanted++] = (struct dav_wanted){&properties[i], NULL};
	if (!prop)
		return true;
	xml_each(child, prop)
	{
		const struct dav_property *property = dav_property_named(child->space, child->name);
		if (property && dav_property_wanted(d, child->space, child->name))
			continue;
		unknown += property ? 0 : strlen(child->space) + strlen(child->name);
		if (d->n_wanted == DAV_WANTED_MAX || unknown > UNKNOWN_MAX) {
			reply_error_status(r, ERROR_INVALID_REQUEST, 413,
			    "A request names at most 100 properties, and unknown ones in at most 4096 bytes");
			return false;
		}
		d->wanted[d->n_wanted++] = (struct dav_wanted){property, child};
	}
	return true;
}

bool dav_property_wanted(const struct dav *d, const char *space, const char *name)
{
	for (size_t i = 0; i < d->n_wanted; i++)
		if (d->wanted[i].property && strcmp(d->wanted[i].property->name, name) == 0 &&
		    strcmp(d->wanted[i].property->space, space) == 0)
			return true;
	return false;
}

/* --- writing ------------------------------------------------------------------------------------- */

void dav_property_name(struct buf *out, const char *space, const char *name, bool end)
{
	static const struct {
		const char *space, *prefix;
	} known[] = {{XML_DAV, "d:"}, {XML_CARDDAV, "c:"}, {XML_CALENDARSERVER, "s:"}};
	const char *prefix = "";

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].space, space) == 0)
			prefix = known[i].prefix;
	buf_printf(out, "<%s%s%s", end ? "/" : "", prefix, name);
	if (!*prefix && !end) {
		buf_addz(out, " xmlns=\"");
		xml_text_add(out, space, strlen(space));
		buf_addc(out, '"');
	}
	buf_addc(out, '>');
}

/* Appends the property. Returns false and appends nothing if there is none. */
static bool property_write(const struct dav_shown *s, const struct dav_property *p)
{
	struct buf *out = property_out(s);
	size_t before = out->len;

	if (!(p->places & 1U << s->place))
		return false;
	dav_property_name(out, p->space, p->name, false);
	if (!dav_of(s->r)->names_only && !p->write(s)) {
		out->len = before;
		return false;
	}
	dav_property_name(out, p->space, p->name, true);
	return true;
}

static void property_missing(const struct dav_shown *s, const struct dav_wanted *w)
{
	dav_property_name(property_out(s), w->node->space, w->node->name, false);
	dav_property_name(property_out(s), w->node->space, w->node->name, true);
}

void dav_properties_write(const struct dav_shown *s)
{
	const struct dav *d = dav_of(s->r);
	struct buf *out = property_out(s);
	bool missing[DAV_WANTED_MAX] = {false};
	size_t n_missing = 0;

	buf_addz(out, "<d:response>");
	if (s->href)
		dav_answer_href_as(s->r, s->href);
	else
		dav_answer_href(s->r, s->place, s->book, s->card ? s->card->name : NULL);
	buf_addz(out, "<d:propstat><d:prop>");
	for (size_t i = 0; i < d->n_wanted; i++) {
		missing[i] = (!d->wanted[i].property || !property_write(s, d->wanted[i].property)) && d->wanted[i].node;
		n_missing += missing[i];
	}
	buf_addz(out, "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>");
	if (n_missing && !d->minimal) {
		buf_addz(out, "<d:propstat><d:prop>");
		for (size_t i = 0; i < d->n_wanted; i++)
			if (missing[i])
				property_missing(s, &d->wanted[i]);
		buf_addz(out, "</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>");
	}
	buf_addz(out, "</d:response>\n");
}

void dav_card_shown(struct req *r, const struct dav_card *card)
{
	dav_properties_write(
	    &(struct dav_shown){.r = r, .place = DAV_CARD, .book = &dav_of(r)->path.book, .card = card});
}
