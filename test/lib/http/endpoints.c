/* The program's own tables of routes and fields, for suites derived from them. */
#include "server/request/route.h"
#include "server/routes.h"
#include "test/lib/http/endpoints.h"

struct endpoint endpoints[ENDPOINTS_MAX];
int n_endpoints;
const char *field_types[FIELD_TYPES_MAX + 1];

/* The fields of a resource that a body may have. */
static unsigned taken_fields(const struct route *route)
{
	switch (route->input) {
	case INPUT_CREATE:
	case INPUT_BATCH_CREATE:
	case INPUT_BATCH_UPSERT:
		return FIELD_IN_CREATE;
	case INPUT_UPDATE:
	case INPUT_BATCH_UPDATE:
		return FIELD_IN_UPDATE;
	default:
		return 0;
	}
}

static void read_fields(struct endpoint *e, const struct route *route)
{
	const struct resource *res = route->body ? route->body : route->resource;
	unsigned needed = taken_fields(route) == FIELD_IN_CREATE ? FIELD_REQUIRED : FIELD_REQUIRED_UPDATE;
	int n = 0;

	e->batch = route->answer == ANSWER_BATCH;
	for (int i = 0; res && i < res->n_fields; i++)
		if (res->fields[i].flags & taken_fields(route)) {
			e->needed[n] = res->fields[i].flags & needed;
			e->fields[n++] = res->fields[i].name;
		}
}

void endpoints_read(void)
{
	for (int i = 0; i < CUSTOM_TYPES; i++)
		field_types[i] = custom_type_name((enum custom_type)i);
	n_endpoints = 0;
	routes_use();
	for (int i = 0; i < n_routes && n_endpoints < ENDPOINTS_MAX; i++) {
		const struct route *route = &routes[i];
		if (route->flags & ROUTE_OPEN)
			continue;
		struct endpoint *e = &endpoints[n_endpoints++];
		*e = (struct endpoint){.method = http_method_name(route->method),
		    .path = route->path,
		    .list = route->answer == ANSWER_LIST,
		    .filtered = route->filters && route->input != INPUT_SEARCH,
		    .takes_body = route->input != INPUT_NONE,
		    .writes = route_writes(route),
		    .sends = route->flags & ROUTE_NOT_DRY,
		    .of_session =
		        route_writes(route) && strncmp(route->path, "/v1/session", strlen("/v1/session")) == 0,
		    .needs = route->needs,
		    .each = route->flags & ROUTE_RECORD_RIGHTS};
		for (int k = 0; route->params && route->params[k] && k < ENDPOINT_PARAMS_MAX; k++)
			e->params[k] = route->params[k]->name;
		read_fields(e, route);
	}
}
