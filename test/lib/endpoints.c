/* The program's own table of routes, for the isolation suite. */
#include "server/route.h"
#include "test/lib/endpoints.h"

struct endpoint endpoints[ENDPOINTS_MAX];
int n_endpoints;

static const char *method_name(enum http_method method)
{
	static const char *const names[] = {[HTTP_GET] = "GET",
	    [HTTP_HEAD] = "HEAD",
	    [HTTP_POST] = "POST",
	    [HTTP_PUT] = "PUT",
	    [HTTP_PATCH] = "PATCH",
	    [HTTP_DELETE] = "DELETE",
	    [HTTP_OPTIONS] = "OPTIONS"};
	return names[method];
}

void endpoints_read(void)
{
	n_endpoints = 0;
	for (int i = 0; i < n_routes && n_endpoints < ENDPOINTS_MAX; i++) {
		const struct route *route = &routes[i];
		if (route->flags & ROUTE_OPEN)
			continue;
		struct endpoint *e = &endpoints[n_endpoints++];
		*e = (struct endpoint){.method = method_name(route->method),
		    .path = route->path,
		    .list = route->answer == ANSWER_LIST,
		    .filtered = route->filters && route->input != INPUT_SEARCH,
		    .takes_body = route->input != INPUT_NONE};
		for (int k = 0; route->params && route->params[k] && k < ENDPOINT_PARAMS_MAX; k++)
			e->params[k] = route->params[k]->name;
	}
}
