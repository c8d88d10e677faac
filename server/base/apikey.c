/* Makes and checks the text of API keys. The database decides whether a key is valid. */
#include "server/base/apikey.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "server/base/id.h"
#include "server/base/text.h"

enum { PREFIX_LEN = 5, RANDOM_LEN = 30, CHECK_LEN = 6, BASE = 62 };

_Static_assert(PREFIX_LEN + RANDOM_LEN + CHECK_LEN == APIKEY_LEN, "the parts make the whole");

static const char prefix[] = "kith_";
static const char base62[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* The CRC-32 of zlib (reflected 0xedb88320), four bits at a time. */
static uint32_t crc32_of(const char *text, size_t len)
{
	static const uint32_t table[16] = {
	    0x00000000,
	    0x1db71064,
	    0x3b6e20c8,
	    0x26d930ac,
	    0x76dc4190,
	    0x6b6b51f4,
	    0x4db26158,
	    0x5005713c,
	    0xedb88320,
	    0xf00f9344,
	    0xd6d6a3e8,
	    0xcb61b38c,
	    0x9b64c2b0,
	    0x86d3d2d4,
	    0xa00ae278,
	    0xbdbdf21c,
	};
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < len; i++) {
		crc ^= (unsigned char)text[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

/* Six base62 digits, most significant first: 62^6 > 2^32. */
static void apikey_write_check(const char *random_part, char out[CHECK_LEN])
{
	uint32_t crc = crc32_of(random_part, RANDOM_LEN);

	for (int i = CHECK_LEN - 1; i >= 0; i--, crc /= BASE)
		out[i] = base62[crc % BASE];
}

void apikey_new(char out[APIKEY_SIZE])
{
	unsigned char bytes[64];
	size_t n = 0;

	memcpy(out, prefix, PREFIX_LEN);
	while (n < RANDOM_LEN) {
		random_bytes(bytes, sizeof bytes);
		/* 248 is 4 * 62: accepting larger bytes would favour some characters. */
		for (size_t i = 0; i < sizeof bytes && n < RANDOM_LEN; i++)
			if (bytes[i] < 4 * BASE)
				out[PREFIX_LEN + n++] = base62[bytes[i] % BASE];
	}
	explicit_bzero(bytes, sizeof bytes);
	apikey_write_check(out + PREFIX_LEN, out + PREFIX_LEN + RANDOM_LEN);
	out[APIKEY_LEN] = '\0';
}

bool apikey_well_formed(const char *text, size_t len)
{
	char check[CHECK_LEN];

	if (len != APIKEY_LEN || memcmp(text, prefix, PREFIX_LEN) != 0)
		return false;
	for (size_t i = PREFIX_LEN; i < APIKEY_LEN; i++)
		if (!text[i] || !strchr(base62, text[i]))
			return false;
	apikey_write_check(text + PREFIX_LEN, check);
	return memcmp(text + PREFIX_LEN + RANDOM_LEN, check, CHECK_LEN) == 0;
}

const char *apikey_of_bearer(const char *header)
{
	if (!header || strncasecmp(header, "Bearer", 6) != 0 || header[6] != ' ')
		return NULL;
	header += 6;
	while (*header == ' ')
		header++;
	return apikey_well_formed(header, strlen(header)) ? header : NULL;
}

bool apikey_of_basic(const char *header, char out[APIKEY_SIZE])
{
	enum { BASIC_MAX = 1024 };
	char text[BASIC_MAX];
	unsigned char plain[BASIC_MAX];
	const unsigned char *key;
	size_t len, n;

	if (!header || strncasecmp(header, "Basic ", 6) != 0)
		return false;
	header += 6 + strspn(header + 6, " ");
	len = strcspn(header, "= ");
	if (len >= BASIC_MAX)
		return false;
	/* base64url has other characters and no padding */
	for (size_t i = 0; i < len; i++)
		text[i] = header[i] == '+' ? '-' : header[i] == '/' ? '_' : header[i];
	if (!text_base64url_decode(text, len, plain, sizeof plain, &n))
		return false;
	key = memchr(plain, ':', n);
	if (!key || !apikey_well_formed((const char *)key + 1, n - (size_t)(key + 1 - plain)))
		return false;
	memcpy(out, key + 1, APIKEY_LEN);
	out[APIKEY_LEN] = '\0';
	return true;
}
