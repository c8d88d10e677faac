/* Judges a history (history.h) without looking at the program or its database.
 *
 * Each write has a value of its own, so what an answer shows tells which version of the record it is. Their order is
 * that of the events that follower f0 has read. Then a history is linearizable if and only if no answer shows a version
 * older than one that was shown before its request began, none shows one that was written after it, and each write
 * comes after what was shown before it. */
#ifndef KITH_TEST_LIB_HISTORY_HISTORY_CHECK_H
#define KITH_TEST_LIB_HISTORY_HISTORY_CHECK_H

#include "test/lib/history/history.h"

enum history_rule {
	RULE_TAKEN_BACK,  /* an answer shows an older version than an earlier answer */
	RULE_OVERTAKEN,   /* a write lies before what was shown before it began */
	RULE_FUTURE,      /* shown before it was written */
	RULE_NOBODYS,     /* shown or told, and nobody wrote it */
	RULE_LOST,        /* done or shown, and no event tells of it */
	RULE_TWICE,       /* done twice */
	RULE_REFUSED,     /* done, though the answer says that it was not */
	RULE_KEY_ANSWERS, /* one key, different answers */
	RULE_CONDITION,   /* If-Match is not the version before, or was refused though it is the current one */
	RULE_TAGS,        /* tags do not increase with the versions */
	RULE_FEED,        /* a follower misses an event, gets one twice or in another order */
	RULE_COPY,        /* a list, and the feed from its cursor, do not fit */
	RULE_HOOK_ORDER,  /* a delivery before an earlier one of its record */
	RULE_HOOK_LOST,   /* an event was not delivered */
	RULE_HOOK_TWICE,  /* delivered twice without a reason */
	RULES
};
extern const char *const history_rules[RULES];

struct history_verdict {
	int found[RULES], all;
	int versions, reads, hidden; /* versions; answers that were judged; answers whose version is unknown */
};

/* The first few of each rule are described in f, unless it is NULL. */
struct history_verdict history_check(const struct history_log *h, FILE *f);

#endif
