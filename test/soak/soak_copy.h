/* A copy of the database, dumped and restored: it can be made, so every key and reference holds, and it is not much
 * smaller, so tables and indexes are not bloated. */
#ifndef KITH_TEST_SOAK_SOAK_COPY_H
#define KITH_TEST_SOAK_SOAK_COPY_H

/* Notes how many rows the tables of days have; during the load. */
void copy_sample(void);

/* After it; adds what it finds (soak.h). */
void copy_compare(void);

#endif
