/* The table of properties, one row each: PROPFIND and PROPPATCH, and the description in docs/carddav.md, follow it. */
#ifndef KITH_SERVER_DAV_DAV_PROPERTY_H
#define KITH_SERVER_DAV_DAV_PROPERTY_H

#include "server/dav/dav_work.h"

/* Appends the content of the property. False: what is shown does not have it. */
typedef bool dav_property_fn(const struct dav_shown *shown);

struct dav_property {
	const char *space, *name;
	unsigned places; /* 1 << enum dav_place: where it is */
	bool all;        /* also for a client that asks for all properties */
	dav_property_fn *write;
	const char *column; /* of address_books, if the user may change it; NULL: they may not */
};

/* Appends the tag that begins, or ends, an element of that name. */
void dav_property_name(struct buf *out, const char *space, const char *name, bool end);

/* NULL: kith does not have it. */
const struct dav_property *dav_property_named(const char *space, const char *name);

#endif
