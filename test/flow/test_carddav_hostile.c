/* Address books: what hostile and careless clients get. */
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/http/card_device.h"
#include "test/lib/http/phone_ask.h"

RIG("hostile");

static struct phone phone; /* Ada's */

static void phone_begin(void)
{
	phone = phone_open(&ada, rig.ada.id, "\"contacts\"");
}

static void phone_end(void)
{
	phone_free(&phone);
}

TEST_AROUND(phone_around, TEST_BEFORE_ALL, phone_begin, TEST_AFTER_ALL, phone_end);

#define ASK(method, depth, body, target) phone_ask(&phone, method, depth, body, target)

static const char *text_repeated(const char *before, const char *item, int n, const char *after)
{
	struct buf out;
	const char *text;

	buf_init(&out, 8 << 20);
	buf_addz(&out, before);
	for (int i = 0; i < n; i++)
		buf_addz(&out, item);
	buf_addz(&out, after);
	text = arena_dup(&phone.arena, out.data, out.len);
	buf_free(&out);
	return text;
}

TEST(hostile_xml_is_refused)
{
	const struct {
		const char *body;
		int status;
	} cases[] = {
	    {"<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", 400},
	    {"<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", 400},
	    {"<a>&undefined;</a>", 400},
	    {"<a", 400},
	    {"<a></b>", 400},
	    {"<a/><b/>", 400},
	    {"not xml", 400},
	    {"\xff\xfe\xff", 400},
	    {"<a b='1' b='2'/>", 400},
	    {"<x:a/>", 400},
	    {"<a/>", 400},
	    {"<propfind xmlns='DAV:'/>", 400},
	    {text_repeated("", "<a>", 33, ""), 413},
	    {text_repeated("<propfind xmlns='DAV:'><prop>", "<a/>", 101, "</prop></propfind>"), 413},
	    {text_repeated("<propfind xmlns='DAV:'><prop>", "<a/>", 20000, "</prop></propfind>"), 413},
	    {text_repeated("<a ", "x", 60000, "='1'/>"), 400},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct client_reply a = ASK("PROPFIND", "0", cases[i].body, "/dav/");
		if (a.status != cases[i].status)
			fail_msg("%d, not %d: %.80s", a.status, cases[i].status, cases[i].body);
	}
	assert_int_equal(ASK("PROPFIND", "0", PROPFIND("<displayname/>"), "/dav/").status, 207);
}

TEST(hostile_reports_are_refused)
{
	const char *book = phone_book(&phone, "people");
	struct client_reply a;

	assert_int_equal(ASK("REPORT", NULL, NULL, book).status, 400);
	a = ASK("REPORT", NULL, "<expand-property xmlns='DAV:'/>", book);
	assert_int_equal(a.status, 403);
	assert_true(phone_has(&a, "<d:supported-report/>"));
	a = ASK("REPORT", NULL, text_repeated(MULTIGET, "<href>/a</href>", 60001, "</c:addressbook-multiget>"), book);
	assert_int_equal(a.status, 413);
	a = ASK("REPORT", NULL, text_repeated(MULTIGET, "<href>/a</href>", 60000, "</c:addressbook-multiget>"), book);
	assert_int_equal(a.status, 207);
	assert_int_equal(phone_times(&a, "HTTP/1.1 404"), 60000);
	a = ASK(
	    "REPORT", NULL, text_repeated(MULTIGET "<href>", "a", 200000, "</href></c:addressbook-multiget>"), book);
	assert_int_equal(a.status, 413);
	a = ASK("REPORT", NULL,
	    text_repeated("<c:addressbook-multiget xmlns='DAV:' xmlns:c='urn:ietf:params:xml:ns:carddav' ", "b", 400000,
	        "='1'/>"),
	    book);
	assert_int_equal(a.status, 413);
	a = ASK("REPORT", NULL, text_repeated("<a>", "<href>/a</href>", 9000, "</a>"), book);
	assert_int_equal(a.status, 413);
	a = ASK("REPORT", NULL,
	    "<c:addressbook-multiget xmlns='DAV:' xmlns:c='urn:ietf:params:xml:ns:carddav'><prop><c:address-data "
	    "version='2.1'/></prop></c:addressbook-multiget>",
	    book);
	assert_int_equal(a.status, 403);
	assert_true(phone_has(&a, "<c:supported-address-data/>"));
}

/* One card that makes the answer no XML would stop all devices of the workspace. */
TEST(what_xml_forbids_is_left_out_of_answers)
{
	struct caller device = device_open(server, "[\"contacts\"]");
	const char *path = card_path("people", "forbidden.vcf");
	struct client_reply a;

	EXPECT(device_send(&device, "PUT", path,
	           card_text("forbidden", "Fay",
	               "NOTE:a\xef\xbf\xbez\r\nX-A;X-P=p\xef\xbf\xbfq:a\xef\xbf\xbe\xef\xbf\xbfz\xef\xbf\xbd\x01\r\nX-"
	               "B:&<>\"\r\n"),
	           NULL, NULL),
	    201);
	a = ASK("REPORT", NULL, TEXT(MULTIGET "<href>%s</href></c:addressbook-multiget>", path),
	    phone_book(&phone, "people"));
	assert_int_equal(a.status, 207);
	assert_true(phone_has(&a, "X-A;X-P=pq:az\xef\xbf\xbd&#13;\nX-B:&amp;&lt;&gt;&quot;&#13;\n"));
	assert_true(phone_has(&a, "NOTE:az&#13;\n"));
	assert_false(phone_has(&a, "\xef\xbf\xbe") || phone_has(&a, "\xef\xbf\xbf"));
	caller_free(&device);
}

TEST(depth_must_be_finite)
{
	struct client_reply a = ASK("PROPFIND", "infinity", NULL, phone_book(&phone, "people"));

	assert_int_equal(a.status, 403);
	assert_true(phone_has(&a, "<d:propfind-finite-depth/>"));
	assert_int_equal(ASK("PROPFIND", NULL, NULL, phone_book(&phone, "people")).status, 403);
	assert_int_equal(ASK("PROPFIND", "2", NULL, phone_book(&phone, "people")).status, 400);
	assert_int_equal(ASK("PROPFIND", "infinity", NULL, "/dav/").status, 207);
}

TEST(odd_paths_are_not_there)
{
	static const char *const odd[] = {"nope/", "people/a/b", "people/%00", "people/%ff", "/people/"};

	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
		assert_int_equal(ASK("PROPFIND", "0", NULL, TEXT("/dav/books/%s/%s", rig.ada.id, odd[i])).status, 404);
	assert_int_equal(ASK("PROPFIND", "0", NULL, "/dav/x").status, 404);
}
