/*
 * The API's description (OpenAPI 3.1), generated from the tables of routes,
 * fields, parameters and errors. The files:
 * document.c the document, operation.c and tag.c its operations, schema.c the
 * resources, field.c the types of fields, filter.c filters, recorded.c
 * examples, answer.c answers, error.c errors and headers, event.c events and
 * webhooks, part.c shared schemas, notation.c how all of them are written.
 */
#ifndef KITH_SERVER_OPENAPI_DOCUMENT_H
#define KITH_SERVER_OPENAPI_DOCUMENT_H

#include "server/base/buf.h"
#include "server/request/request.h"

/* The document, packed by zlib: before and after the server's address, which depends on the request. */
struct openapi {
	struct openapi_packed {
		void *data;
		size_t len, size; /* packed, unpacked */
	} head, tail;
};

/* Called once, at start. */
void openapi_make(struct openapi *api);
void openapi_free(struct openapi *api);

/* Writes the document with the server's address base. */
void openapi_write(const struct openapi *api, const char *base, struct buf *out);

/* GET /openapi.json */
step_fn step_openapi;

#endif
