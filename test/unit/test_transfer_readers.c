/* The readers of CSV, vCard and NDJSON: what each text becomes, and what of hostile files. */
#include <string.h>
#include <zlib.h>

#include "test/lib/server/sourced.h"
#include "test/lib/test.h"
#include "transfer/entry.h"

struct reader_case {
	const char *name, *encoding, *in;
	size_t len; /* 0: of a text without NUL */
	const char *out;
};

#define BYTES(text) text, sizeof(text) - 1

static void check_reading(const struct reader_case *c)
{
	struct buf out;

	buf_init(&out, 64 << 20);
	sourced_dump(&out, c->in, c->len ? c->len : strlen(c->in), c->name, c->encoding);
	if (strcmp(out.data ? out.data : "", c->out) != 0)
		fail_msg("%s\nis read as\n%s\nnot\n%s", c->in, out.data ? out.data : "", c->out);
	buf_free(&out);
}

static void check_readings(const struct reader_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_reading(&cases[i]);
}

#define CHECK(cases) check_readings(cases, sizeof cases / sizeof *cases)

TEST(test_csv)
{
	static const struct reader_case cases[] = {
	    {"a.csv", NULL, "a,b\n1,2\n", 0, "2: a=1|b=2\n"},
	    {"a.csv", NULL, "a,b\r\n1,2\r\n3,4", 0, "2: a=1|b=2\n3: a=3|b=4\n"},
	    {"a.csv", NULL, "a,b\r1,2\r3,4\r", 0, "2: a=1|b=2\n3: a=3|b=4\n"},
	    /* mixed line ends, blank lines */
	    {"a.csv", NULL, "a,b\n\n1,2\r\n\r\n3,4\r5,6\n", 0, "3: a=1|b=2\n5: a=3|b=4\n6: a=5|b=6\n"},
	    {"a.csv", NULL, "a;b\n1,5;2\n", 0, "2: a=1,5|b=2\n"},
	    {"a.csv", NULL, "a\tb\n1,5\t2\n", 0, "2: a=1,5|b=2\n"},
	    {"a.csv", NULL, "\"a;x\",b\n1,2\n", 0, "2: a;x=1|b=2\n"},
	    {"a.csv", NULL, "sep=;\r\na;b\r\n1;2\r\n", 0, "3: a=1|b=2\n"},
	    {"a.csv", NULL, "a\nx y\n", 0, "2: a=x y\n"},
	    /* quotes: separators, quotes and line ends in them */
	    {"a.csv", NULL, "a,b\n\"x, \"\"y\"\"\",\"1\n2\r\n3\"\nz,\n", 0, "2: a=x, \"y\"|b=1\\n2\r\\n3\n5: a=z\n"},
	    {"a.csv", NULL, "a,b\nx\"y\",2\n", 0, "2: a=x\"y\"|b=2\n"},
	    {"a.csv", NULL, "a,b\n\"x\"y,2\n3,4\n", 0,
	        "2: refused: has text after a closing quotation mark\n3: a=3|b=4\n"},
	    {"a.csv", NULL, "a,b\n1,\"2\n3,4\n", 0,
	        "error: line 2: the quotation mark in this line has no closing one\n"},
	    {"a.csv", NULL, "a,b\n1\n1,2,\n1,2,3\n", 0,
	        "2: a=1\n3: a=1|b=2\n4: refused: has more values than the header has columns (2)\n"},
	    {"a.csv", NULL, "a,a\n1,2\n", 0, "2: a=1|a=2\n"},
	    {"a.csv", NULL, "a,b\n , \n", 0, "2: a= |b= \n"},
	    {"a.csv", NULL, BYTES("a,b\nx\0y,2\n3,4\n"), "2: refused: contains a NUL byte\n3: a=3|b=4\n"},
	    {"a.csv", NULL,
	        "\xef\xbb\xbf"
	        "a,b\n1,2\n",
	        0, "2: a=1|b=2\n"},
	    {"a.csv", NULL, "\"a, b, c\";d\n1;2\n", 0, "2: a, b, c=1|d=2\n"},
	    {"a.csv", NULL, "", 0, "error: line 1: the file has no header\n"},
	    {"a.csv", NULL, "a,b\n", 0, ""},
	    /* of kith itself: one ' is taken off */
	    {"a.csv", NULL, "id,fullName,createdAt\n1,'=cmd(),2\n2,''x,3\n", 0,
	        "2: id=1|fullName==cmd()|createdAt=2\n3: id=2|fullName='x|createdAt=3\n"},
	    {"a.csv", NULL, "fullName\n'=cmd()\n", 0, "2: fullName='=cmd()\n"},
	};

	CHECK(cases);
}

/* Lines beside the table are no records: the header again with the name of a group above it, and a report's own text.
 */
TEST(test_csv_beside)
{
	static const struct reader_case cases[] = {
	    {"a.csv", NULL, "Board,,\n,,\nOne,,\na,b,c\n1,2,3\n,,\nTwo,,\na,b,c\n4,,\n", 0, "5: a=1|b=2|c=3\n9: a=4\n"},
	    {"a.csv", NULL, "a,b,c\n1,2,3\n\n\"A report\"\n\"Copyright (c)\"\n", 0, "2: a=1|b=2|c=3\n"},
	    {"a.csv", NULL, "a,b,c\r\n1,2,3\r\n\r\nA report\r\n,,\r\nBy Ada\r\n", 0, "2: a=1|b=2|c=3\n"},
	    {"a.csv", NULL, "a,b,c\n1,2,3\na,b,c\n4,5,6\n", 0, "2: a=1|b=2|c=3\n4: a=4|b=5|c=6\n"},
	    {"a.csv", NULL, "a,b,c\n1,2,3\na,b\n", 0, "2: a=1|b=2|c=3\n3: a=a|b=b\n"},
	    /* records that have only a name */
	    {"a.csv", NULL, "a,b,c\n1\n2\n", 0, "2: a=1\n3: a=2\n"},
	    {"a.csv", NULL, "a,b,c\n1,2,3\n\nx\ny\n4,5,6\n", 0, "2: a=1|b=2|c=3\n4: a=x\n5: a=y\n6: a=4|b=5|c=6\n"},
	    {"a.csv", NULL, "a,b,c\n1,2,3\n\n,x\n", 0, "2: a=1|b=2|c=3\n4: b=x\n"},
	    {"a.csv", NULL, "a,b\n1,2\n\nx\n", 0, "2: a=1|b=2\n4: a=x\n"},
	    {"a.csv", NULL, "a,b,c\n\nx\ny\n", 0, "3: a=x\n4: a=y\n"},
	    /* of many nobody waits for the last one */
	    {"a.csv", NULL, "a,b,c\n1,2\n\n1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n1\n2\n\n", 0,
	        "2: a=1|b=2\n4: a=1\n5: a=2\n6: a=3\n7: a=4\n8: a=5\n9: a=6\n10: a=7\n11: a=8\n12: a=9\n13: a=0\n14: "
	        "a=1\n15: a=2\n"},
	    {"a.csv", NULL, "a,b,c\n\n1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n1\n2\n\n", 0,
	        "3: a=1\n4: a=2\n5: a=3\n6: a=4\n7: a=5\n8: a=6\n9: a=7\n10: a=8\n11: a=9\n12: a=0\n13: a=1\n14: "
	        "a=2\n"},
	    {"a.csv", NULL, "id,fullName,createdAt\n1,x,2\n\n3\n", 0, "2: id=1|fullName=x|createdAt=2\n4: id=3\n"},
	    {"a.csv", NULL, "a,b,c\n1,2,3\n\nx\n\"y\n", 0,
	        "2: a=1|b=2|c=3\nerror: line 5: the quotation mark in this line has no closing one\n"},
	};

	CHECK(cases);
}

TEST(test_encodings)
{
	static const struct reader_case cases[] = {
	    {"a.csv", "windows-1252", "a\nM\xfcller \x80\n", 0, "2: a=Müller €\n"},
	    {"a.csv", NULL, "a\nok\nM\xfcller\n", 0,
	        "2: a=ok\nerror: line 3: is not UTF-8; if an older Windows program wrote the file, add --encoding "
	        "windows-1252\n"},
	    {"a.csv", NULL, "\xfc\n1\n", 0,
	        "error: line 1: the header is not UTF-8; if an older Windows program wrote the file, add --encoding "
	        "windows-1252\n"},
	    {"a.csv", NULL,
	        BYTES("\xff\xfe"
	              "a\0,\0b\0\n\0"
	              "1\0,\0\xfc\0\n\0"),
	        "2: a=1|b=ü\n"},
	    {"a.csv", NULL,
	        BYTES("\xfe\xff\0a\0,\0b\0\n\0"
	              "1\0,\0\xfc\0\n"),
	        "2: a=1|b=ü\n"},
	    {"a.csv", NULL,
	        BYTES("a\0,\0b\0\n\0"
	              "1\0,\0\xfc\0\n\0"),
	        "2: a=1|b=ü\n"},
	    /* half a pair, half a character */
	    {"a.csv", NULL,
	        BYTES("\xff\xfe"
	              "a\0\n\0"
	              "1\0\n\0\x3d\xd8x\0\n\0"),
	        "2: a=1\nerror: line 3: contains bytes that are not valid in UTF-16LE\n"},
	    {"a.csv", NULL,
	        BYTES("\xff\xfe"
	              "a\0\n\0"
	              "1\0\n\0x"),
	        "2: a=1\nerror: the file ends in the middle of a character\n"},
	    {"a.csv", "klingon", "a\n1\n", 0,
	        "error: the encoding \"klingon\" is unknown; iconv -l lists the encodings\n"},
	    {"a.csv", "UTF-8", "a\nü\n", 0, "2: a=ü\n"},
	};

	CHECK(cases);
}

#define CARD(version, lines) "BEGIN:VCARD\r\nVERSION:" version "\r\n" lines "END:VCARD\r\n"

TEST(test_vcard)
{
	static const struct reader_case cases[] = {
	    {"a.vcf", NULL, CARD("3.0", "N:Lovelace;Ada;Mary;Dr.;OBE\r\nFN:Ada Lovelace\r\n"), 0,
	        "1: Last Name=Lovelace|First Name=Ada|Middle Name=Mary|Name Prefix=Dr.|Name Suffix=OBE|FN=Ada "
	        "Lovelace\n"},
	    {"a.vcf", NULL, CARD("3.0", "ORG:Acme\\, Inc.;Research;Lab\r\nTITLE:a\\;b\\nc\\\\d\r\n"), 0,
	        "1: ORG=Acme, Inc.|ORG unit=Research, Lab|TITLE=a;b\\nc\\d\n"},
	    {"a.vcf", NULL, CARD("4.0", "ADR;TYPE=home:;;12 Elm St;Springfield;IL;94110;US\r\nCATEGORIES:a,b\\,c\r\n"),
	        0, "1: ADR=12 Elm St, Springfield, IL, 94110, US|CATEGORIES=a|CATEGORIES=b,c\n"},
	    /* folding, groups, types */
	    {"a.vcf", NULL,
	        CARD("3.0",
	            "NOTE:one \r\n two\r\n\tthree\r\nitem1.EMAIL;type=INTERNET:a@x.org\r\nitem1.X-ABLabel:Work\r\n"
	            "TEL;TYPE=CELL,PREF:+1\r\nTEL;PREF=1;VALUE=uri:tel:+2\r\nTEL;PREF=2:+3\r\nTEL:+4\r\n"),
	        0, "1: NOTE=one twothree|EMAIL=a@x.org|X-ABLABEL=Work|TEL!=+1|TEL!=tel:+2|TEL=+3|TEL=+4\n"},
	    /* 2.1: types without a name, quoted-printable with soft line ends, a character set */
	    {"a.vcf", NULL,
	        CARD("2.1",
	            "TEL;CELL;PREF:1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4D=C3=BC=6C=6C=\r\n=65=72;J=\r\n"
	            "=C3=BC;;;\r\nNOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab=3D\r\n"
	            "FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:M=FC\r\n"),
	        0, "1: TEL!=1|Last Name=Müller|First Name=Jü|NOTE=a\\nb=|FN=Mü\n"},
	    /* pictures are left out; a card in a card is, too */
	    {"a.vcf", NULL,
	        CARD("2.1", "PHOTO;ENCODING=BASE64;JPEG:AAAA\r\n  "
	                    "BBBB\r\n\r\nAGENT:\r\nBEGIN:VCARD\r\nFN:Inner\r\nEND:VCARD\r\n"
	                    "FN:Outer\r\n"),
	        0, "1: FN=Outer\n"},
	    {"a.vcf", NULL, CARD("3.0", "FN:A\r\n") "\r\n" CARD("3.0", "fn:B\r\n"), 0, "1: FN=A\n6: FN=B\n"},
	    {"a.vcf", NULL, "begin:vcard\nfn:A\nend:vcard\n", 0, "1: FN=A\n"},
	    {"a.vcf", NULL, CARD("3.0", "FN:\r\nTEL:  \r\nNOTHING\r\n"), 0, "1: \n"},
	    {"a.vcf", NULL, "BEGIN:VCARD\nFN:A\n", 0, "error: line 1: the card that begins here has no END:VCARD\n"},
	    {"a.vcf", NULL, "BEGIN:VCARD\nFN:A\nBEGIN:VCARD\nFN:B\nEND:VCARD\n", 0,
	        "error: line 3: a card begins before the previous one has ended with END:VCARD\n"},
	    {"a.vcf", NULL, "FN:A\n", 0, "error: line 1: a card must begin here with BEGIN:VCARD\n"},
	    {"a.vcf", NULL, CARD("3.0", "FN:A\r\nNOTE:\xfc\r\n"), 0,
	        "error: line 4: is not UTF-8; if an older program wrote the file, add --encoding windows-1252\n"},
	    {"a.vcf", "windows-1252", CARD("3.0", "FN:\xfc\r\n"), 0, "1: FN=ü\n"},
	    {"a.vcf", NULL, BYTES(CARD("3.0", "FN:a\0b\r\n")), "1: refused: contains a NUL byte\n"},
	    {"a.vcf", NULL, CARD("2.1", "FN;CHARSET=KLINGON:a\r\n"), 0,
	        "1: refused: has a FN with bytes that are not valid in its CHARSET\n"},
	};

	CHECK(cases);
}

TEST(test_ndjson)
{
	static const struct reader_case cases[] = {
	    {"a.ndjson", NULL, "{\"a\":1}\n\n{\"b\":[2]}\r\n{\"c\":\"x\"}", 0,
	        "1: {\"a\":1}\n3: {\"b\":[2]}\n4: {\"c\":\"x\"}\n"},
	    {"a.ndjson", NULL, "{\"a\":1}\r{\"b\":2}\r", 0, "1: {\"a\":1}\n2: {\"b\":2}\n"},
	    {"a.ndjson", NULL, "[1]\n{}\n", 0, "1: refused: is not a JSON object\n2: {}\n"},
	};
	struct buf out;

	CHECK(cases);
	buf_init(&out, 4096);
	sourced_dump(&out, "{\"a\":1\n{}\n", 10, "a.ndjson", NULL);
	assert_non_null(strstr(out.data, "1: refused: is not JSON: "));
	assert_non_null(strstr(out.data, "\n2: {}\n"));
	buf_free(&out);
}

/* Without a suffix that says it. */
TEST(test_formats)
{
	static const struct reader_case cases[] = {
	    {NULL, NULL, "{\"a\":1}\n", 0, "1: {\"a\":1}\n"},
	    {"x.txt", NULL, "\nbegin:vcard\nfn:A\nEND:VCARD\n", 0, "2: FN=A\n"},
	    {"x.txt", NULL, "a,b\n1,2\n", 0, "2: a=1|b=2\n"},
	    {"x.CSV", NULL, "{a\n1\n", 0, "2: {a=1\n"},
	    {"x.TSV", NULL, "a\tb\n1\t2\n", 0, "2: a=1|b=2\n"},
	};

	CHECK(cases);
}

/* --- gzip --------------------------------------------------------------------------------- */

static size_t pack_text(const char *text, unsigned char *to, size_t size)
{
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)text,
	    .avail_in = (unsigned)strlen(text),
	    .next_out = to,
	    .avail_out = (unsigned)size};

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return size - z.avail_out;
}

TEST(test_gzip)
{
	unsigned char bytes[4096];
	size_t half = pack_text("a,b\n1,2\n", bytes, sizeof bytes);
	size_t len = half + pack_text("3,4\n", bytes + half, sizeof bytes - half);
	struct reader_case whole = {"a.csv.gz", NULL, (char *)bytes, len, "2: a=1|b=2\n3: a=3|b=4\n"};
	struct reader_case cut = {"a.csv.gz", NULL, (char *)bytes, len - 9,
	    "2: a=1|b=2\n3: a=3|b=4\nerror: the compressed file is incomplete\n"};
	struct reader_case damaged = {"a.csv.gz", NULL, (char *)bytes, half, "error: the compressed file is damaged\n"};

	check_reading(&whole);
	memcpy(bytes + len, "trailing", 8);
	whole.len += 8;
	check_reading(&whole);
	check_reading(&cut);
	memset(bytes + 10, 0xff, 8);
	check_reading(&damaged);
}

/* --- large ones ------------------------------------------------------------------------------ */

/* A text of that length between two others; the record that holds it is refused, the next one is read. */
static void check_long(const char *name, const char *before, size_t len, const char *after, const char *expected)
{
	struct buf in, out;
	char *room;

	buf_init(&in, len + 4096);
	buf_init(&out, 1 << 20);
	buf_addz(&in, before);
	room = buf_room(&in, len);
	memset(room, 'x', len);
	in.len += len;
	buf_addz(&in, after);
	sourced_dump(&out, in.data, in.len, name, NULL);
	assert_string_equal(out.data, expected);
	buf_free(&in);
	buf_free(&out);
}

TEST(test_long)
{
	static const char refused[] = "2: refused: is longer than 1048576 bytes\n3: a=1|b=2\n";
	enum { LONG = 50 << 20 };

	check_long("a.csv", "a,b\n", LONG, ",2\n1,2\n", refused);
	check_long("a.csv", "a,b\n\"", LONG, "\",2\n1,2\n", refused);
	check_long("a.csv", "a,b\n\"", LONG, ",2\n1,2\n",
	    "error: line 2: the quotation mark in this line has no closing one\n");
	check_long("a.ndjson", "{\"a\":\"", LONG, "\"}\n{}\n", "1: refused: is longer than 1048576 bytes\n2: {}\n");
	check_long("a.vcf", "BEGIN:VCARD\nNOTE:", LONG, "\nFN:A\nEND:VCARD\nBEGIN:VCARD\nFN:B\nEND:VCARD\n",
	    "1: refused: has a line that is longer than 1048576 bytes\n5: FN=B\n");
	check_long("a.vcf", "BEGIN:VCARD\nPHOTO:", LONG, "\nFN:A\nEND:VCARD\n", "1: FN=A\n");
}

TEST(test_columns)
{
	struct buf in, out;

	buf_init(&in, 1 << 20);
	buf_init(&out, 1 << 20);
	for (int i = 0; i < 5000; i++)
		buf_printf(&in, "%sc%d", i ? "," : "", i);
	buf_addz(&in, "\n1\n");
	sourced_dump(&out, in.data, in.len, "a.csv", NULL);
	assert_string_equal(out.data, "error: line 1: has more than 1,000 columns\n");
	buf_clear(&in);
	buf_clear(&out);
	buf_addz(&in, "BEGIN:VCARD\n");
	for (int i = 0; i < 5000; i++)
		buf_printf(&in, "X-%d:1\n", i);
	buf_addz(&in, "END:VCARD\n");
	sourced_dump(&out, in.data, in.len, "a.vcf", NULL);
	assert_string_equal(out.data, "1: refused: has more than 1000 kinds of properties\n");
	buf_free(&in);
	buf_free(&out);
}
