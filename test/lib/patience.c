/* See patience.h. */
#include "test/lib/patience.h"

#include <unistd.h>

#include "server/base/clock.h"

enum { PAUSE_US = 2000 };

static uint64_t state = 1;

int64_t patience_ms(int64_t ms)
{
	return clock_mono_us() + ms * 1000;
}

bool patience_pause(int64_t until_us)
{
	usleep(PAUSE_US);
	return clock_mono_us() < until_us;
}

void patience_rest(int ms)
{
	usleep((useconds_t)ms * 1000);
}

void patience_chance_us(unsigned below_us)
{
	usleep(patience_chance(below_us));
}

void patience_seed(uint64_t seed)
{
	state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
}

unsigned patience_chance(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state >> 16) % below);
}
