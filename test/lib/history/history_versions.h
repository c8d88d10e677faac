/* For the checker of histories: the versions of each record, from the events that f0 has read and what answers show. */
#ifndef KITH_TEST_LIB_HISTORY_HISTORY_VERSIONS_H
#define KITH_TEST_LIB_HISTORY_HISTORY_VERSIONS_H

#include "test/lib/history/history_check.h"

struct history_version {
	int value, event; /* -1: not known */
	int64_t tag;      /* -1: not known */
	int64_t written;  /* when the first request that may have written it began; HISTORY_NEVER: nobody did */
};

struct history_line { /* the versions of a record, in order */
	struct history_version *versions;
	int n, cap;
	bool deleted; /* by the last one */
};

struct history_value {
	int record, version; /* -1: no event tells of it */
	int64_t written;     /* HISTORY_NEVER: nobody wrote it */
	bool creates;
};

struct history_told { /* an event */
	int place;    /* in the feed of f0; -1: not there */
	int record, version;
};

struct history_checker {
	const struct history_log *h;
	FILE *f;
	struct history_verdict verdict;
	struct history_line *lines;
	struct history_value *values;
	struct history_told *told;
	int *order; /* the events of f0 */
	int n_order;
};

/* Counts an anomaly of the steps a and b (may be NULL). */
void history_anomaly(struct history_checker *c, enum history_rule rule, const struct history_step *a,
    const struct history_step *b, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The version that an answer shows by value or tag; -1: not known. */
int history_version_of(const struct history_checker *c, const struct history_step *s);

void history_versions_open(struct history_checker *c, const struct history_log *h, FILE *f);
void history_versions_close(struct history_checker *c);

#endif
