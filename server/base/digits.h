/* Numbers in decimal. */
#ifndef KITH_SERVER_BASE_DIGITS_H
#define KITH_SERVER_BASE_DIGITS_H

#include <stdint.h>

/* Writes number in decimal, at most DIGITS_MAX characters, no NUL; returns the end. */
enum { DIGITS_MAX = 20 };
char *digits_uint(char *to, uint64_t number);
/* Writes the last count digits of number, zero-padded; returns the end. */
char *digits_padded(char *to, unsigned number, int count);

#endif
