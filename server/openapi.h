/*
 * The API's description (OpenAPI 3.1), made out of the tables of routes, fields,
 * parameters and errors: nothing in it is said twice. The files:
 * openapi.c the document and its operations, openapi_schema.c the resources,
 * openapi_field.c the types of fields, openapi_example.c values for them,
 * openapi_answer.c answers, errors and headers, openapi_part.c what they share.
 */
#ifndef KITH_SERVER_OPENAPI_H
#define KITH_SERVER_OPENAPI_H

#include "server/base/buf.h"
#include "server/request.h"

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
