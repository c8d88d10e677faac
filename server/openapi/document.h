/*
 * The API's description (OpenAPI 3.1), made out of the tables of routes, fields,
 * parameters and errors: nothing in it is said twice. The files:
 * document.c the document and its operations, schema.c the resources,
 * field.c the types of fields, example.c values for them,
 * answer.c answers, errors and headers, part.c what they share.
 */
#ifndef KITH_SERVER_OPENAPI_DOCUMENT_H
#define KITH_SERVER_OPENAPI_DOCUMENT_H

#include "server/base/buf.h"
#include "server/request/request.h"

/* All of it but the server's address, which each request tells. */
struct openapi {
	struct buf text;
	size_t address_at; /* where in the text the address belongs */
};

/* Once, at start. */
void openapi_make(struct openapi *api);
void openapi_free(struct openapi *api);

/* The document for clients that reach the server at base. */
void openapi_write(const struct openapi *api, const char *base, struct buf *out);

/* GET /openapi.json */
step_fn step_openapi;

#endif
