/* Filters of addressbook-query (RFC 6352, section 10.5). */
#ifndef KITH_SERVER_DAV_DAV_FILTER_H
#define KITH_SERVER_DAV_DAV_FILTER_H

#include <stdbool.h>

#include "server/base/arena.h"
#include "server/card/card.h"
#include "server/dav/dav_xml.h"

enum { DAV_CONDITIONS_MAX = 100, DAV_COLLATIONS = 3 };
extern const char *const dav_collations[DAV_COLLATIONS];

struct dav_condition;
struct dav_filter {
	const struct dav_condition *first; /* tests of properties; NULL: every card matches */
	bool all;                          /* all of them must be true, not only one */
};

enum dav_filter_error {
	DAV_FILTER_OK,
	DAV_FILTER_MALFORMED,
	DAV_FILTER_UNSUPPORTED, /* supported-filter */
	DAV_FILTER_COLLATION    /* supported-collation */
};

/* Reads the element "filter"; NULL: none was sent. */
enum dav_filter_error dav_filter_read(struct arena *a, const struct xml_node *filter, struct dav_filter *out);

/* True when every card that kith writes matches, so that no card need be read. */
bool dav_filter_takes_all(const struct dav_filter *f);

/* The arena is for values; it is empty, and the caller frees it. */
bool dav_filter_matches(const struct dav_filter *f, struct arena *a, const struct card *card);

#endif
