/* The program's own table of routes, to report routes that no case has reached. */
#include "server/request/route.h"
#include "server/routes.h"
#include "test/api/hits.h"

size_t hits_routes(struct hits_route *out, size_t cap)
{
	size_t n = 0;

	routes_use();
	for (int i = 0; i < n_routes && n < cap; i++)
		out[n++] = (struct hits_route){http_method_name(routes[i].method), routes[i].path};
	return n;
}
