/* Address books: what hostile and careless clients get. */
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/lib/await.h"
#include "test/lib/http/card_device.h"
#include "test/lib/http/phone_ask.h"
#include "test/lib/http/raw.h"

RIG("hostile");

PHONE_OF_ADA();

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

/* A multiget of so many different addresses that lead to nothing. */
static const char *many_addresses(int n)
{
	const char *text = text_repeated(MULTIGET, "<href>/a000000</href>", n, "</c:addressbook-multiget>");
	char *at = strstr(text, "/a000000");

	for (int i = 0; i < n; i++, at += strlen("<href>/a000000</href>"))
		memcpy(at, TEXT("/a%06d", i), strlen("/a000000"));
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
	    {text_repeated("<propfind xmlns='DAV:'><prop xmlns='", "x", 300, "'><a/></prop></propfind>"), 413},
	    {text_repeated("<propfind xmlns='DAV:'><prop><", "x", 5000, "/></prop></propfind>"), 413},
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
	a = ASK("REPORT", NULL, many_addresses(60000), book);
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
	a = ASK("REPORT", NULL,
	    text_repeated(MULTIGET, "<href a='1' b='2' c='3'/>", 20000, "</c:addressbook-multiget>"), book);
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

/* An answer would be longer by a factor that the client chooses. */
TEST(property_is_shown_once)
{
	struct client_reply a =
	    ASK("PROPFIND", "0", PROPFIND("<displayname/><displayname/><displayname/>"), phone_book(&phone, "people"));

	assert_int_equal(a.status, 207);
	assert_int_equal(phone_times(&a, "<d:displayname>"), 1);
}

/* U+FFFE and U+FFFF are valid in JSON, and no XML can have them. */
TEST(characters_that_xml_forbids)
{
	const char *id = POST("{\"firstName\": \"Zo\\uffff\\ufffe\xef\xbf\xbdX\"}", "/v1/people");
	struct client_reply a = ASK("REPORT", NULL,
	    TEXT(MULTIGET "<href>%s</href></c:addressbook-multiget>", phone_card(&phone, "people", TEXT("%s.vcf", id))),
	    phone_book(&phone, "people"));

	assert_int_equal(a.status, 207);
	assert_true(phone_has(&a, "Zo\xef\xbf\xbdX"));
	assert_false(phone_has(&a, "\xef\xbf\xbe") || phone_has(&a, "\xef\xbf\xbf"));
}

/* --- clients that read slowly --------------------------------------------------------------------- */

/* Sends the request, and reads nothing. Returns the socket. */
static int ask_slowly(struct server_process *at, const char *method, const char *target, const char *body)
{
	const char *text = TEXT("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nDepth: 1\r\n"
	                        "Authorization: %s\r\nContent-Length: %zu\r\n\r\n%s",
	    method, target, phone.account, strlen(body), body);
	size_t len = strlen(text), sent = 0;
	int fd = raw_open(at->base);

	assert_true(fd >= 0);
	while (sent < len) {
		ssize_t n = send(fd, text + sent, len - sent, MSG_NOSIGNAL);
		assert_true(n > 0);
		sent += (size_t)n;
	}
	return fd;
}

/* Waits for the beginning of the answer. */
static int status_of(int fd)
{
	struct pollfd answer = {fd, POLLIN, 0};

	await_true(poll(&answer, 1, 0) > 0);
	return raw_status(fd);
}

/* Trees of long requests are counted, because slow clients keep them. */
TEST(slow_long_requests_are_few)
{
	enum { SLOW = 12 };
	const char *body = many_addresses(60000);
	int fds[SLOW], refused = 0;

	for (int i = 0; i < SLOW; i++)
		fds[i] = ask_slowly(server, "REPORT", phone_book(&phone, "people"), body);
	for (int i = 0; i < SLOW; i++)
		refused += status_of(fds[i]) == 503;
	for (int i = 0; i < SLOW; i++)
		close(fds[i]);
	assert_in_range(refused, 1, SLOW - 5);
}

/* Searches without hits send nothing for long, and are counted, too. */
TEST(few_searches_run)
{
	enum { SEARCHES = 30, RUN = 20 };
	const char *body = "<c:addressbook-query xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:carddav\"><d:prop>"
	                   "<d:getetag/></d:prop><c:filter><c:prop-filter name=\"FN\"><c:text-match>nobody"
	                   "</c:text-match></c:prop-filter></c:filter></c:addressbook-query>";
	pid_t holder = rig_hold(&rig, "card_names"); /* no search ends before all have begun */
	struct pollfd fds[SEARCHES];
	int refused = 0;

	for (int i = 0; i < SEARCHES; i++)
		fds[i] = (struct pollfd){ask_slowly(server, "REPORT", phone_book(&phone, "people"), body), POLLIN, 0};
	await_true(poll(fds, SEARCHES, 0) >= SEARCHES - RUN);
	for (int i = 0; i < SEARCHES; i++)
		refused += fds[i].revents && raw_status(fds[i].fd) == 503;
	assert_int_equal(refused, SEARCHES - RUN);
	rig_release(&rig, holder);
	for (int i = 0; i < SEARCHES; i++) {
		if (!fds[i].revents)
			assert_int_equal(status_of(fds[i].fd), 207);
		close(fds[i].fd);
	}
}

/* Requests that wait for the rate limit keep their connections, so a user has few of them. They hold no stop. */
TEST(few_requests_wait)
{
	enum { REQUESTS = 30, WAIT = 20 };
	struct server_process *limited =
	    rig_serve(&rig, false, (const char *const[]){"rate_default=1/8", "rate_burst=1/60", NULL});
	struct pollfd fds[REQUESTS];

	for (int i = 0; i < REQUESTS; i++)
		fds[i] = (struct pollfd){ask_slowly(limited, "PROPFIND", "/dav/", ""), POLLIN, 0};
	await_true(poll(fds, REQUESTS, 0) >= REQUESTS - WAIT);
	assert_int_equal(poll(fds, REQUESTS, 0), REQUESTS - WAIT);
	assert_true(server_stop(limited));
	for (int i = 0; i < REQUESTS; i++) {
		if (!fds[i].revents)
			assert_int_equal(status_of(fds[i].fd), 503); /* if it waited for its turn: 207 or 429 */
		close(fds[i].fd);
	}
}

/* An answer that has begun ends when the password does. */
TEST(password_ends_during_an_answer)
{
	static char answer[8 << 20];
	int64_t since_us;
	size_t len = 0;
	ssize_t n;
	int fd;

	SQL("insert into people (workspace_id, id, first_name, full_name, created_at, created_by, updated_at) select "
	    "'%s', gen_random_uuid(), 'Many', 'Many', now(), '%s', now() from generate_series(1, 3000)",
	    rig.workspace.id + 4, rig.ada.id + 4);
	fd = ask_slowly(server, "PROPFIND", phone_book(&phone, "people"),
	    PROPFIND("<getetag/><getcontentlength/><getcontenttype/><getlastmodified/><owner/><resourcetype/>"
	             "<current-user-privilege-set/><current-user-principal/>"));
	assert_int_equal(status_of(fd), 207);
	since_us = clock_mono_us();
	SQL("delete from api_keys where kind = 'contacts'");
	await_true(clock_mono_us() - since_us > 600 * 1000);
	while (len < sizeof answer - 1 && (n = recv(fd, answer + len, sizeof answer - 1 - len, 0)) > 0)
		len += (size_t)n;
	answer[len] = '\0';
	close(fd);
	phone_end();
	phone_begin();
	assert_in_range(len, 1000, sizeof answer - 2);
	assert_null(strstr(answer, "</d:multistatus>"));
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
