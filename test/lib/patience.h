/* Waiting in tests: always for a condition, always with a limit; and reproducible randomness. */
#ifndef KITH_TEST_LIB_PATIENCE_H
#define KITH_TEST_LIB_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* The time ms from now, for patience_pause(). */
int64_t patience_ms(int64_t ms);

/* A short pause between two checks of a condition; false when the time is over. */
bool patience_pause(int64_t until_us);

/* Pauses between the requests of a writer, or between two checks that are too expensive for patience_pause(). The
 * caller of checks has a deadline. */
void patience_rest(int ms);

/* Waits for a random time, for faults at random times only. */
void patience_chance_us(unsigned below_us);

/* 0 … below-1; the same sequence for the same seed. For one thread. */
void patience_seed(uint64_t seed);
unsigned patience_chance(unsigned below);

#endif
