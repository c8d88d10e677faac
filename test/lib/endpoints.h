/* The program's routes without its types, whose names are others in tests. */
#ifndef KITH_TEST_ENDPOINTS_H
#define KITH_TEST_ENDPOINTS_H

#include <stdbool.h>

enum { ENDPOINTS_MAX = 256, ENDPOINT_PARAMS_MAX = 32 };

/* A route that needs a key, as the program's own table has it. */
struct endpoint {
	const char *method, *path;
	bool list, filtered, takes_body;             /* filtered: takes filter[…] in its query */
	const char *params[ENDPOINT_PARAMS_MAX + 1]; /* of the query; NULL terminated */
};
extern struct endpoint endpoints[ENDPOINTS_MAX];
extern int n_endpoints;
/* Fills them. */
void endpoints_read(void);

#endif
