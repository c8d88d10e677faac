#include "server/openapi/recorded.h"

#include <string.h>

#include "server/openapi/document_private.h"

static const char *const methods[] = {[HTTP_GET] = "GET ",
    [HTTP_POST] = "POST ",
    [HTTP_PUT] = "PUT ",
    [HTTP_PATCH] = "PATCH ",
    [HTTP_DELETE] = "DELETE "};

const char *openapi_recorded(const struct route *r, const char *part)
{
	size_t len = strlen(methods[r->method]);

	for (const struct openapi_recorded *p = openapi_recorded_parts; p->operation; p++)
		if (strncmp(p->operation, methods[r->method], len) == 0 && strcmp(p->operation + len, r->path) == 0 &&
		    strcmp(p->part, part) == 0)
			return p->json;
	return NULL;
}

bool openapi_example_recorded(struct openapi_doc *d, const struct route *r, const char *part)
{
	const char *json = openapi_recorded(r, part);

	if (!json)
		return false;
	openapi_put(d, "'example':");
	buf_addz(&d->out, json);
	buf_addc(&d->out, ',');
	return true;
}
