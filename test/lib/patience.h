/* Waiting in tests: always for a condition, always with an end; and chance that can be repeated. */
#ifndef KITH_TEST_PATIENCE_H
#define KITH_TEST_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* A moment from now, for patience_pause(). */
int64_t patience_ms(int64_t ms);

/* The short pause between two looks at a condition; false when the moment has passed. */
bool patience_pause(int64_t until_us);

/* Lets the moment come at which something is to be broken: for faults at random times only. */
void patience_chance_us(unsigned below_us);

/* 0 … below-1; the same again after the same seed. For one thread. */
void chance_seed(uint64_t seed);
unsigned chance(unsigned below);

#endif
