/* Writes numbers in decimal without allocating, so that fatal_abort() can use it. */
#include "server/base/digits.h"

#include <string.h>

char *digits_uint(char *to, uint64_t number)
{
	char digits[DIGITS_MAX];
	size_t at = sizeof digits;

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	memcpy(to, digits + at, sizeof digits - at);
	return to + sizeof digits - at;
}

char *digits_padded(char *to, unsigned number, int count)
{
	for (int i = count - 1; i >= 0; i--, number /= 10)
		to[i] = (char)('0' + number % 10);
	return to + count;
}
