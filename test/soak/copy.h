/* A copy of the database, dumped and restored: it can be made, so every key and reference holds, and it is not much
 * smaller, so tables and indexes are not bloated. */
#ifndef KITH_TEST_SOAK_COPY_H
#define KITH_TEST_SOAK_COPY_H

void copy_compare(void);

#endif
