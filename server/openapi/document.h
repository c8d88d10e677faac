/*
 * The API's description (OpenAPI 3.1), generated from the tables of routes,
 * fields, parameters and errors. The files:
 * document.c the document, served.c its answer, operation.c and tag.c its
 * operations, schema.c the resources, schema_field.c the types of fields, schema_filter.c
 * filters, recorded.c examples, answer.c answers, error.c errors and headers, schema_event.c events and
 * webhooks, part.c shared schemas, notation.c how all of them are written.
 */
#ifndef KITH_SERVER_OPENAPI_DOCUMENT_H
#define KITH_SERVER_OPENAPI_DOCUMENT_H

#include "server/base/buf.h"
#include "server/base/gzip.h"
#include "server/http/http.h"
#include "server/request/request.h"

/* Makes the document without the server's address, which depends on the request. Returns the offset where the address
 * belongs. The caller frees the text. It is for the build (server/command/describe.c). */
size_t openapi_make(struct buf *out);

/* The text that openapi_make() made during the build, before and after the address. */
extern const struct openapi_half {
	struct http_part text, gzip;
	struct gzip_sum sum; /* of the text */
} openapi_head, openapi_tail;

/* Writes the document with base as the server's address. For tests. */
void openapi_write(const char *base, struct buf *out);

/* GET /openapi.json */
step_fn step_openapi;

#endif
