/* The report addressbook-multiget (RFC 6352, section 8.7): up to 60,000 cards by their addresses, a hundred at a time.
 */
#include "server/dav/dav_work.h"

#include <string.h>
#include <strings.h>

#include "server/request/reply.h"
#include "server/request/slice.h"

struct multiget_card {
	const char *href; /* as it came */
	const char *name; /* in the path */
	struct uuid id;   /* zero: not known */
	bool shown;
};

struct multiget {
	const struct xml_node *next; /* the first href that is not in the chunk */
	struct table asked;          /* ids of the cards so far: each one is answered once */
	struct multiget_card cards[DAV_VISIT_MAX];
	size_t n;
	struct uuid ids[DAV_VISIT_MAX]; /* of the cards, as far as they are known */
	int at_names;
};

static enum step multiget_names(struct req *r);
static enum step multiget_named(struct req *r);
static enum step multiget_shown(struct req *r);
static step_fn *const chunk_steps[] = {multiget_names}, *const named_steps[] = {multiget_named},
                      *const shown_steps[] = {multiget_shown};

static struct multiget *multiget_of(const struct req *r)
{
	return dav_of(r)->report;
}

/* --- names --------------------------------------------------------------------------------------- */

static bool is_href(const struct xml_node *node)
{
	return xml_node_is(node, XML_DAV, "href");
}

/* Takes the next hundred hrefs. Those that lead to no card of the book are answered at once. */
static void multiget_fill(struct req *r)
{
	struct dav *d = dav_of(r);
	struct multiget *m = multiget_of(r);
	struct dav_path path;

	m->n = 0;
	for (int i = 0; m->next && i < DAV_VISIT_MAX; m->next = m->next->next, i++) {
		const char *href = m->next->text;
		if (!is_href(m->next))
			continue;
		if (dav_path_read(&r->arena, r->caller.ws, &r->caller.viewer, href, strlen(href), &path) &&
		    path.place == DAV_CARD && strcmp(path.book.name, d->path.book.name) == 0)
			m->cards[m->n++] = (struct multiget_card){.href = href, .name = path.card, .id = path.id};
		else
			dav_answer_status(r, href, 404);
	}
}

static void multiget_names_sql(struct req *r, struct multiget *m)
{
	const char **names = arena_alloc(&r->arena, m->n * sizeof *names);
	size_t *lens = arena_alloc(&r->arena, m->n * sizeof *lens);
	struct sql *s = req_sql(r, "dav_names", &m->at_names);

	for (size_t i = 0; i < m->n; i++) {
		names[i] = m->cards[i].name;
		lens[i] = strlen(names[i]);
	}
	sql_uuid(s, &r->caller.viewer.user);
	sql_textz(s, dav_of(r)->path.book.name);
	sql_text_array(s, names, lens, m->n);
	sql_built_in(s, "dav named");
}

static enum step multiget_names(struct req *r)
{
	struct multiget *m = multiget_of(r);
	enum step step;

	multiget_fill(r);
	if (m->n == 0 && !m->next)
		return dav_answer_end(r);
	if (m->n == 0) {
		step = dav_answer_send(r, chunk_steps);
		if (step != PASS || !slice_over(r))
			return step;
		r->next = chunk_steps + 1;
		return AGAIN;
	}
	multiget_names_sql(r, m);
	r->next = named_steps;
	return req_ask(r, DB_POINT);
}

/* --- cards --------------------------------------------------------------------------------------- */

/* The same card may have several addresses: "%41" is "A", and a client's name leads where the id does. */
static size_t multiget_take_ids(struct req *r, struct multiget *m)
{
	static const struct uuid none;
	const struct db_exchange *x = r->db.last;
	size_t n_ids = 0, n = 0;

	for (int row = 0; row < db_rows(x, m->at_names); row++)
		for (size_t i = 0; i < m->n; i++)
			if (strcmp(m->cards[i].name, db_text(x, m->at_names, row, 0, NULL)) == 0)
				m->cards[i].id = db_uuid(x, m->at_names, row, 1);
	for (size_t i = 0; i < m->n; i++) {
		const struct multiget_card card = m->cards[i];
		bool known = !uuid_equal(&card.id, &none);
		if (known && !dav_card_first(r, &m->asked, &card.id))
			continue;
		m->cards[n++] = card;
		if (known)
			m->ids[n_ids++] = card.id;
	}
	m->n = n;
	return n_ids;
}

static void multiget_show(struct req *r, const struct dav_card *card)
{
	struct multiget *m = multiget_of(r);
	struct multiget_card *c = m->cards;

	while (!uuid_equal(&c->id, &card->id))
		c++;
	c->shown = true;
	dav_properties_write(&(struct dav_shown){
	    .r = r, .place = DAV_CARD, .book = &dav_of(r)->path.book, .card = card, .href = c->href});
}

static enum step multiget_named(struct req *r)
{
	struct multiget *m = multiget_of(r);
	size_t n = multiget_take_ids(r, m);

	return n ? dav_cards_visit(r, m->ids, n, multiget_show, shown_steps) : multiget_shown(r);
}

/* Those that were not shown are not there. */
static enum step multiget_shown(struct req *r)
{
	struct multiget *m = multiget_of(r);

	for (size_t i = 0; i < m->n; i++)
		if (!m->cards[i].shown)
			dav_answer_status(r, m->cards[i].href, 404);
	return m->next ? dav_answer_send(r, chunk_steps) : dav_answer_end(r);
}

/* --- the report ---------------------------------------------------------------------------------- */

/* The version that address-data asks for. False: the answer is set. */
static bool multiget_version(struct req *r, const struct xml_node *data)
{
	struct dav *d = dav_of(r);
	const char *type = data ? xml_node_attribute(data, "content-type") : NULL;
	const char *version = data ? xml_node_attribute(data, "version") : NULL;

	if (version) {
		d->version = card_version_named(version, strlen(version));
		d->version_given = d->version != CARD_UNKNOWN;
	}
	if ((version && !d->version_given) || (type && strcasecmp(type, "text/vcard") != 0)) {
		dav_refuse(r, 403, "c:supported-address-data", "Cards are text/vcard of the versions 3.0 and 4.0");
		return false;
	}
	return true;
}

enum step dav_multiget(struct req *r)
{
	struct dav *d = dav_of(r);
	const struct xml_node *prop = xml_node_child(d->body, XML_DAV, "prop");
	struct multiget *m = d->report = arena_alloc(&r->arena, sizeof *m);
	size_t n = 0;

	xml_each(child, d->body) n += is_href(child);
	if (n > DAV_HREFS_MAX)
		return reply_error_status(r, ERROR_INVALID_REQUEST, 413,
		    arena_printf(&r->arena, "A multiget names at most %d cards", DAV_HREFS_MAX));
	if (!multiget_version(r, xml_node_child(prop, XML_CARDDAV, "address-data")) || !dav_properties_read(r, prop))
		return DONE;
	m->next = d->body->first;
	dav_answer_begin(r);
	table_init(&m->asked, &r->reply.kept, n);
	return multiget_names(r);
}
