/* The program's routes without its types, whose names are others in tests. */
#ifndef KITH_TEST_ENDPOINTS_H
#define KITH_TEST_ENDPOINTS_H

#include <stdbool.h>

enum { ENDPOINTS_MAX = 256, ENDPOINT_PARAMS_MAX = 32, ENDPOINT_FIELDS_MAX = 32, FIELD_TYPES_MAX = 16 };

/* A route that needs a key, as the program's own table has it. */
struct endpoint {
	const char *method, *path;
	bool list, filtered, takes_body;             /* filtered: takes filter[…] in its query */
	bool batch;                                  /* its body holds records */
	const char *params[ENDPOINT_PARAMS_MAX + 1]; /* of the query; NULL terminated */
	const char *fields[ENDPOINT_FIELDS_MAX + 1]; /* of the body, or of its records; NULL terminated */
	bool needed[ENDPOINT_FIELDS_MAX + 1];        /* which of them a body must hold */
};
extern struct endpoint endpoints[ENDPOINTS_MAX];
extern int n_endpoints;
/* The types of custom fields, as they are written; NULL terminated. */
extern const char *field_types[FIELD_TYPES_MAX + 1];
/* Fills them. */
void endpoints_read(void);

#endif
