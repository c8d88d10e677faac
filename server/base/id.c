/* Makes, reads and writes identifiers. It is also the process's source of randomness. */
#include "server/base/id.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/fatal.h"

static const char *const prefixes[ID_KINDS] = {
    [ID_PERSON] = "per",
    [ID_COMPANY] = "com",
    [ID_GROUP] = "grp",
    [ID_USER] = "usr",
    [ID_OBJECT] = "obj",
    [ID_TASK] = "tsk",
    [ID_REMINDER] = "rmd",
    [ID_INTERACTION] = "lit",
    [ID_NOTE] = "nte",
    [ID_WEBHOOK] = "wbk",
    [ID_EVENT] = "evt",
    [ID_WORKSPACE] = "wsp",
    [ID_KEY] = "key",
    [ID_GRANT] = "gnt",
    [ID_DELIVERY] = "dlv",
    [ID_VIEW] = "vew",
    [ID_GROUP_OPTION] = "gcfo",
    [ID_OBJECT_OPTION] = "grpo",
};

enum { UUID_TEXT = 36, MS_BYTES = 6 };

const char *id_prefix(enum id_kind kind)
{
	return prefixes[kind];
}

void random_bytes(void *out, size_t len)
{
	unsigned char *at = out;

	while (len) {
		ssize_t got = getrandom(at, len, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			fatal_abort("the system has no random bytes");
		at += got;
		len -= (size_t)got;
	}
}

/* Random bytes for ids are fetched in bulk to save system calls. Each byte is used only once. */
static unsigned char random_pool[512];
static size_t random_left;

/* A forked child must not use the same bytes as its parent. */
static void random_forget(void)
{
	random_left = 0;
}

static void id_take_random(void *out, size_t len)
{
	static bool watched;

	if (!watched)
		watched = pthread_atfork(NULL, NULL, random_forget) == 0;
	if (random_left < len) {
		random_bytes(random_pool, sizeof random_pool);
		random_left = sizeof random_pool;
	}
	random_left -= len;
	memcpy(out, random_pool + random_left, len);
}

static void id_put_ms(struct uuid *id, uint64_t ms)
{
	for (int i = 0; i < MS_BYTES; i++)
		id->b[i] = (unsigned char)(ms >> (8 * (MS_BYTES - 1 - i)));
}

struct uuid id_least(int64_t ms)
{
	struct uuid id = {{0}};

	if (ms > 0)
		id_put_ms(&id, (uint64_t)ms);
	return id;
}

static struct uuid id_make(uint64_t ms, uint64_t counter, uint32_t tail)
{
	struct uuid id;

	id_put_ms(&id, ms);
	id.b[6] = (unsigned char)(0x70 | (counter >> 38 & 0xf));
	id.b[7] = (unsigned char)(counter >> 30);
	id.b[8] = (unsigned char)(0x80 | (counter >> 24 & 0x3f));
	id.b[9] = (unsigned char)(counter >> 16);
	id.b[10] = (unsigned char)(counter >> 8);
	id.b[11] = (unsigned char)counter;
	memcpy(id.b + 12, &tail, sizeof tail);
	return id;
}

/* 48 bits of milliseconds, a counter of 42 bits, 32 random bits (RFC 9562 section 6.2, methods 1 and 2). Each
 * millisecond the counter starts at a random value in its lower half, so that two processes do not collide and at
 * least 2^41 more ids fit. */
struct uuid id_new(void)
{
	static uint64_t last_ms, counter;
	uint64_t now_ms = (uint64_t)clock_now_ms();

	struct {
		uint64_t start;
		uint32_t tail;
	} fresh;
	id_take_random(&fresh, sizeof fresh);
	if (now_ms > last_ms) {
		last_ms = now_ms;
		counter = fresh.start >> 23;
	} else {
		counter++;
		if (counter >> 42) {
			last_ms++;
			counter = fresh.start >> 23;
		}
	}
	return id_make(last_ms, counter, fresh.tail);
}

/* The counter starts at a random value in its lower half once, and rises with every id, whatever its time. */
struct uuid id_at(int64_t ms)
{
	static uint64_t counter;

	struct {
		uint64_t start;
		uint32_t tail;
	} fresh;

	id_take_random(&fresh, sizeof fresh);
	counter = counter ? counter + 1 : fresh.start >> 23;
	return id_make((uint64_t)ms, counter, fresh.tail);
}

struct uuid id_random(void)
{
	struct uuid id;

	id_take_random(id.b, sizeof id.b);
	id.b[6] = (unsigned char)(0x40 | (id.b[6] & 0x0f));
	id.b[8] = (unsigned char)(0x80 | (id.b[8] & 0x3f));
	return id;
}

/* The value of each hexadecimal digit, plus 1; 0 for other characters. */
static const unsigned char digit_plus_one[256] = {['0'] = 1,
    ['1'] = 2,
    ['2'] = 3,
    ['3'] = 4,
    ['4'] = 5,
    ['5'] = 6,
    ['6'] = 7,
    ['7'] = 8,
    ['8'] = 9,
    ['9'] = 10,
    ['a'] = 11,
    ['b'] = 12,
    ['c'] = 13,
    ['d'] = 14,
    ['e'] = 15,
    ['f'] = 16};

bool uuid_parse(const char *text, size_t len, struct uuid *out)
{
	const unsigned char *at = (const unsigned char *)text;
	struct uuid id;

	if (len != UUID_TEXT)
		return false;
	for (int i = 0; i < 16; i++) {
		if ((i == 4 || i == 6 || i == 8 || i == 10) && *at++ != '-')
			return false;
		unsigned high = digit_plus_one[at[0]], low = digit_plus_one[at[1]];
		if (high == 0 || low == 0)
			return false;
		id.b[i] = (unsigned char)((high - 1) << 4 | (low - 1));
		at += 2;
	}
	*out = id;
	return true;
}

static inline char *uuid_put_hex(char *out, const unsigned char *bytes, int count)
{
	static const char hex[] = "0123456789abcdef";

	for (int i = 0; i < count; i++) {
		*out++ = hex[bytes[i] >> 4];
		*out++ = hex[bytes[i] & 15];
	}
	return out;
}

char *uuid_format(const struct uuid *id, char out[37])
{
	char *p = uuid_put_hex(out, id->b, 4);

	*p++ = '-';
	p = uuid_put_hex(p, id->b + 4, 2);
	*p++ = '-';
	p = uuid_put_hex(p, id->b + 6, 2);
	*p++ = '-';
	p = uuid_put_hex(p, id->b + 8, 2);
	*p++ = '-';
	*uuid_put_hex(p, id->b + 10, 6) = '\0';
	return out;
}

bool id_parse(enum id_kind kind, const char *text, size_t len, struct uuid *out)
{
	size_t prefix_len = strlen(prefixes[kind]);

	if (len != prefix_len + 1 + UUID_TEXT || memcmp(text, prefixes[kind], prefix_len) != 0 ||
	    text[prefix_len] != '_')
		return false;
	return uuid_parse(text + prefix_len + 1, UUID_TEXT, out);
}

bool id_parse_any(const char *text, size_t len, enum id_kind *kind, struct uuid *out)
{
	for (int i = 0; i < ID_KINDS; i++)
		if (id_parse((enum id_kind)i, text, len, out)) {
			*kind = (enum id_kind)i;
			return true;
		}
	return false;
}

char *id_format(enum id_kind kind, const struct uuid *id, char out[ID_SIZE])
{
	size_t prefix_len = strlen(prefixes[kind]);

	memcpy(out, prefixes[kind], prefix_len);
	out[prefix_len] = '_';
	uuid_format(id, out + prefix_len + 1);
	return out;
}

bool uuid_equal(const struct uuid *a, const struct uuid *b)
{
	return memcmp(a->b, b->b, sizeof a->b) == 0;
}

bool uuid_in(const struct uuid *ids, size_t n, const struct uuid *id)
{
	for (size_t i = 0; i < n; i++)
		if (uuid_equal(&ids[i], id))
			return true;
	return false;
}

int uuid_compare(const void *a, const void *b)
{
	return memcmp(((const struct uuid *)a)->b, ((const struct uuid *)b)->b, 16);
}
