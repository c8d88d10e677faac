/* gzip: what Accept-Encoding asks for, and texts packed in pieces. */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "server/base/gzip.h"
#include "server/openapi/document.h"
#include "test/lib/test.h"

enum { LONGEST = 3000000 };

static const char *const wanted[] = {"gzip", "GZIP", "x-gzip", "*", "gzip, deflate, br", "deflate,gzip",
    "br;q=1.0, gzip;q=0.8, *;q=0.1", "gzip;q=1", "gzip;q=1.0", "gzip;q=1.000", "gzip;q=0.001", "gzip ; q=0.5",
    "\tgzip\t;\tq=0.5\t", "gzip;Q=0.5", "identity;q=0.5, gzip", "identity, gzip", "gzip;q=0.5, identity;q=0.5",
    "*;q=0.5", "deflate;q=0, *", ",,gzip,,", "br;q=x, gzip", "identity;q=0, *;q=0.1", "gzip;x=1", "gzip;x=1;q=0.5",
    "gzip;q=0.5;x=1", "gzip;", "*;q=0, gzip", "x-gzip;q=0, gzip", "gzip, x-gzip;q=0", "gzip;q=0, gzip"};
static const char *const unwanted[] = {"", " ", ",", "identity", "deflate, br", "gzip;q=0", "gzip;q=0.0",
    "gzip;q=0.000", "gzip;q=0, *", "*, gzip;q=0", "*;q=0", "gzipped", "gzi", "gzip;q=2", "gzip;q=1.001",
    "gzip;q=0.1234", "gzip;q=", "gzip;q", "gzip;x=1;q=0, *", "gzip;q=0;x=1, *", "gzip; q = 0, *", "gzip;q=0.0000, *",
    "gzip;q=.5", "gzip;q=-1", "gzip q=1, *", "identity, gzip;q=0.9", "*;q=0.1, identity", "\"gzip\"", "gzip=1", "br"};

TEST(test_accepted)
{
	assert_false(gzip_accepted(NULL));
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (!gzip_accepted(wanted[i]))
			fail_msg("not accepted: %s", wanted[i]);
	for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
		if (gzip_accepted(unwanted[i]))
			fail_msg("accepted: %s", unwanted[i]);
}

static void check_unpacks(const struct buf *packed, const char *text, size_t len)
{
	char *out = malloc(len + 1);
	z_stream z = {.next_in = (unsigned char *)packed->data,
	    .avail_in = (unsigned)packed->len,
	    .next_out = (unsigned char *)out,
	    .avail_out = (unsigned)len + 1};

	assert_int_equal(inflateInit2(&z, 31), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	assert_int_equal(len + 1 - z.avail_out, len);
	assert_memory_equal(out, text, len);
	inflateEnd(&z);
	free(out);
}

/* One packer for text after text, whole, in pieces, and given up half-way. */
TEST(test_packs)
{
	static const size_t lens[] = {0, 1, 1025, 16384, 32768, 32769, 100000, LONGEST};
	static const size_t pieces[] = {1000, 32768, LONGEST + 1};
	char *text = malloc(LONGEST);
	struct gzip *g = gzip_new();
	uint32_t x = 1;

	for (size_t i = 0; i < LONGEST; i++) { /* half of it noise, which does not get shorter */
		x = x * 1664525 + 1013904223;
		text[i] = i / 5000 % 2 ? (char)(x >> 24) : "{\"firstName\":\"Ada\"}"[i % 19];
	}
	for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
		for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
			struct buf out;
			buf_init(&out, lens[i] + lens[i] / 8 + GZIP_ROOM);
			gzip_begin(g, text, lens[i]);
			gzip_some(g, pieces[k] / 2, &out);
			buf_clear(&out);
			gzip_begin(g, text, lens[i]);
			size_t rounds = 1;
			while (!gzip_some(g, pieces[k], &out))
				rounds++;
			assert_int_equal(rounds, lens[i] / pieces[k] + (lens[i] % pieces[k] != 0 || lens[i] == 0));
			check_unpacks(&out, text, lens[i]);
			buf_free(&out);
		}
	gzip_free(g);
	free(text);
}

/* Two texts packed by the build, and one between them. */
TEST(test_pieces)
{
	static const char *const between[] = {"", "\"http://a.example\"", "x"};

	for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
		size_t len = strlen(between[i]);
		struct gzip_sum sums[3] = {openapi_head.sum, {gzip_sum(between[i], len), len}, openapi_tail.sum};
		struct buf packed, text;
		char end[GZIP_END];

		buf_init(&packed, LONGEST);
		buf_init(&text, LONGEST);
		buf_add(&packed, openapi_head.gzip.data, openapi_head.gzip.len);
		gzip_between(between[i], len, &packed);
		buf_add(&packed, openapi_tail.gzip.data, openapi_tail.gzip.len);
		gzip_end(sums, end);
		buf_add(&packed, end, sizeof end);
		buf_add(&text, openapi_head.text.data, openapi_head.text.len);
		buf_add(&text, between[i], len);
		buf_add(&text, openapi_tail.text.data, openapi_tail.text.len);
		check_unpacks(&packed, text.data, text.len);
		assert_true(packed.len * 5 < text.len);
		buf_free(&packed);
		buf_free(&text);
	}
}
