/* Messages and keys of an import. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/base/text.h"
#include "transfer/import_private.h"

void import_say(struct import *im, const char *format, ...)
{
	va_list args;

	bar_hide(&im->bar);
	fputs("kith: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

void import_key(const struct import *im, char key[REMOTE_KEY_SIZE], const char *what, int64_t number)
{
	unsigned char sum[SHA256_SIZE];
	char numbers[64];
	struct sha256 h;

	snprintf(numbers, sizeof numbers, "%d %lld", im->progress.run.number, (long long)number);
	sha256_begin(&h);
	sha256_part(&h, im->sum, strlen(im->sum));
	sha256_part(&h, im->options_text, strlen(im->options_text));
	sha256_part(&h, what, strlen(what));
	sha256_part(&h, numbers, strlen(numbers));
	sha256_end(&h, sum);
	text_hex(key, sum, SHA256_SIZE);
}
