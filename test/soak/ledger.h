/* What clients were told, for the comparison with what is kept: lists in memory that become tables of schema soak. */
#ifndef KITH_TEST_SOAK_LEDGER_H
#define KITH_TEST_SOAK_LEDGER_H

#include <stdbool.h>

/* Makes the schema, with a copy of each event in soak.events, which nothing drops. */
void ledger_open(void);
/* Ends the copying. */
void ledger_close(void);

/* A change was acknowledged; its event has this mark among its changes, if any is given. */
void ledger_acked(const char *event, const char *record, const char *mark);
/* The event was heard, by that listener, as the next one. */
void ledger_heard(const char *listener, const char *event);
/* The event was delivered to that webhook, and accepted. False: for the second time. */
bool ledger_taken(const char *webhook, const char *event);

/* Stores them as soak.acked (event, record, mark), soak.heard (listener, n, event), soak.taken (webhook, n, event,
 * times). */
void ledger_store(void);
long long ledger_count(void);

#endif
