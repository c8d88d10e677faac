/* The server's routes reached by the cases. */
#ifndef KITH_TEST_API_HITS_H
#define KITH_TEST_API_HITS_H

#include <stddef.h>

/* "GET", "/v1/people/{personId}" */
struct hits_route {
	const char *method, *pattern;
};

/* All routes of the program, into out; returns their number. Defined in hits_routes.c, which includes the program's
 * table. */
size_t hits_routes(struct hits_route *out, size_t cap);

/* Notes an answer. Only a success counts as a hit; of several patterns that fit, the most literal. */
void hits_note(const char *method, const char *target, int status);

/* Prints the routes without a successful answer; returns their number. */
int hits_report(void);

#endif
