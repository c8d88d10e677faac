/* The program's own table of routes, to report routes that no case has reached. */
#include "server/request/route.h"
#include "test/api/hits.h"

static const char *method_name(enum http_method method)
{
	switch (method) {
	case HTTP_GET:
		return "GET";
	case HTTP_HEAD:
		return "HEAD";
	case HTTP_POST:
		return "POST";
	case HTTP_PUT:
		return "PUT";
	case HTTP_PATCH:
		return "PATCH";
	case HTTP_DELETE:
		return "DELETE";
	case HTTP_OPTIONS:
		return "OPTIONS";
	}
	return "";
}

size_t hits_routes(struct hits_route *out, size_t cap)
{
	size_t n = 0;

	for (int i = 0; i < n_routes && n < cap; i++)
		out[n++] = (struct hits_route){method_name(routes[i].method), routes[i].path};
	return n;
}
