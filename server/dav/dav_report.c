/* REPORT: which report it is. */
#include "server/dav/dav_sync.h"

#include "server/request/reply.h"

/* The reports of a book. */
static const struct report {
	const char *space, *name;
	step_fn *step;
} reports[] = {
    {XML_CARDDAV, "addressbook-multiget", dav_multiget},
    {XML_CARDDAV, "addressbook-query", dav_query},
    {XML_DAV, "sync-collection", dav_sync},
};

enum step dav_report(struct req *r)
{
	struct dav *d = dav_of(r);

	if (!d->body)
		return reply_error_status(r, ERROR_INVALID_REQUEST, 400, "REPORT needs a body that names the report");
	for (size_t i = 0; i < sizeof reports / sizeof *reports && d->path.place == DAV_BOOK; i++)
		if (xml_node_is(d->body, reports[i].space, reports[i].name))
			return reports[i].step(r);
	return dav_refuse(r, 403, "d:supported-report", "There is no such report here");
}
