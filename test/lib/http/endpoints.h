/* The program's routes, without its types, whose names clash with those of tests. */
#ifndef KITH_TEST_LIB_HTTP_ENDPOINTS_H
#define KITH_TEST_LIB_HTTP_ENDPOINTS_H

#include <stdbool.h>

enum { ENDPOINTS_MAX = 256, ENDPOINT_PARAMS_MAX = 32, ENDPOINT_FIELDS_MAX = 32, FIELD_TYPES_MAX = 16 };

/* A route that needs a key, from the program's own table. */
struct endpoint {
	const char *method, *path;
	bool list, filtered, takes_body;             /* filtered: accepts filter[…] in its query */
	bool batch;                                  /* its body has records */
	bool writes, sends;                          /* sends: a dry run is refused */
	bool of_session;                             /* changes the session of the request, which a key has not */
	unsigned needs;                              /* scopes */
	bool each;                                   /* lacking them each record fails, not the request */
	const char *params[ENDPOINT_PARAMS_MAX + 1]; /* of the query; NULL terminated */
	const char *fields[ENDPOINT_FIELDS_MAX + 1]; /* of the body, or of its records; NULL terminated */
	bool needed[ENDPOINT_FIELDS_MAX + 1];        /* which of them are required */
};
extern struct endpoint endpoints[ENDPOINTS_MAX];
extern int n_endpoints;
/* The types of custom fields in JSON; NULL terminated. */
extern const char *field_types[FIELD_TYPES_MAX + 1];
/* Fills in the above. */
void endpoints_read(void);

#endif
