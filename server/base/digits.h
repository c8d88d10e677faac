/* Writes numbers in decimal. */
#ifndef KITH_BASE_DIGITS_H
#define KITH_BASE_DIGITS_H

#include <stdint.h>

/* Writes number in decimal, at most DIGITS_MAX characters and no NUL; answers where it ends. */
enum { DIGITS_MAX = 20 };
char *digits_uint(char *to, uint64_t number);
/* The last count digits of it, with leading zeros. */
char *digits_padded(char *to, unsigned number, int count);

#endif
