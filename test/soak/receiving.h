/* Receivers of webhooks: good ones, and some that fail, hang, come back. */
#ifndef KITH_TEST_SOAK_RECEIVING_H
#define KITH_TEST_SOAK_RECEIVING_H

void receiving_begin(void);
/* Closes the receivers for a moment. */
void receiving_restart(void);
/* What has to be done now and then. */
void receiving_turn(void);
/* All receivers accept everything from now on; waits until all was delivered. */
void receiving_end(void);
void receiving_free(void);
void receiving_print(void);

#endif
