/* Address books: where clients find them, what they list, and what hostile or careless clients get. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/lib/await.h"
#include "test/lib/dav/phone.h"
#include "test/lib/http/client.h"
#include "test/lib/http/raw.h"
#include "test/lib/rows.h"

enum { MANY = 1100 }; /* more than a page of a listing, and more than a piece of an answer */

static struct phone phone; /* Ada's */

RIG("carddav");

static void phone_begin(void)
{
	phone = phone_open(&ada, rig.ada.id, "\"contacts\"");
}

static void phone_end(void)
{
	phone_close(&phone);
}

TEST_AROUND(phone_around, TEST_BEFORE_ALL, phone_begin, TEST_AFTER_ALL, phone_end);

#define ASK(method, depth, body, target) phone_send(&phone, method, depth, NULL, body, target)
#define TAGS PROPFIND("<getetag/>")

static const char *person_make(const char *first_name)
{
	return POST(TEXT("{\"firstName\":\"%s\"}", first_name), "/v1/people");
}

static const char *card_of(const char *id)
{
	return phone_card(&phone, "people", arena_printf(&phone.caller.arena, "%s.vcf", id));
}

/* --- where things are ---------------------------------------------------------------------------- */

TEST(clients_find_the_books_from_the_address_only)
{
	static const char *const from[] = {
	    "/.well-known/carddav", "/.well-known/carddav/", "/", "/principals/", "/principals"};
	struct caller_answer a;

	for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
		a = ASK("PROPFIND", "0", NULL, from[i]);
		assert_int_equal(a.status, 301);
		assert_string_equal(client_header(&a.reply, "Location"), "/dav/");
	}
	assert_int_equal(ASK("GET", NULL, NULL, "/.well-known/carddav").status, 301);
	a = ASK("PROPFIND", "0", PROPFIND("<current-user-principal/><resourcetype/><getetag/>"), "/dav/");
	assert_int_equal(a.status, 207);
	assert_true(phone_has(&a, TEXT("<d:href>/dav/principals/%s/</d:href>", rig.ada.id)));
	assert_true(phone_has(&a, "<d:getetag></d:getetag></d:prop><d:status>HTTP/1.1 404 Not Found"));
	a = ASK("PROPFIND", "0", PROPFIND("<c:addressbook-home-set/>"), TEXT("/dav/principals/%s", rig.ada.id));
	assert_true(phone_has(&a, TEXT("<c:addressbook-home-set><d:href>/dav/books/%s/</d:href>", rig.ada.id)));
	a = ASK("PROPFIND", "1", PROPFIND("<resourcetype/><displayname/>"), TEXT("/dav/books/%s", rig.ada.id));
	assert_true(phone_has(&a, "<d:collection/><c:addressbook/>"));
	assert_true(phone_has(&a, "<d:displayname>People</d:displayname>"));
	assert_false(phone_has(&a, "Companies"));
}

TEST(options_says_what_there_is)
{
	struct caller_answer a = ASK("OPTIONS", NULL, NULL, "/dav/");

	assert_int_equal(a.status, 204);
	assert_string_equal(client_header(&a.reply, "DAV"), "1, 3, access-control, addressbook");
	a = ASK("OPTIONS", NULL, NULL, "/v1/people");
	assert_null(client_header(&a.reply, "DAV"));
	a = ASK("LOCK", NULL, NULL, phone_book(&phone, "people"));
	assert_int_equal(a.status, 405);
	assert_string_equal(client_header(&a.reply, "Allow"), "OPTIONS, PROPFIND, PROPPATCH, REPORT");
}

TEST(the_home_lists_the_groups_of_the_user)
{
	const char *mine = POST("{\"name\":\"Mine & <more>\",\"visibility\":\"public\"}", "/v1/groups");
	const char *secret = caller_good(
	    caller_send(&ben, "POST", "/v1/groups", NULL, "{\"name\":\"Secret\",\"visibility\":\"private\"}"))
	                         .id;
	struct phone other = phone_open(&ben, rig.ben.id, "\"contacts\"");
	struct caller_answer a = ASK("PROPFIND", "1", PROPFIND("<displayname/>"), TEXT("/dav/books/%s/", rig.ada.id));

	assert_true(phone_has(&a, "Mine &amp; &lt;more&gt;"));
	a = phone_send(&other, "PROPFIND", "1", NULL, PROPFIND("<displayname/>"), TEXT("/dav/books/%s/", rig.ben.id));
	assert_true(phone_has(&a, "Secret"));
	assert_false(phone_has(&a, "Mine")); /* ben is no explicit member */
	a = phone_send(&other, "PROPFIND", "0", NULL, PROPFIND("<displayname/>"), phone_book(&other, mine));
	assert_int_equal(a.status, 207); /* but may see it */
	SQL("insert into address_books (workspace_id, user_id, book, shown) select workspace_id, id, 'companies', true "
	    "from "
	    "users where id = '%s'",
	    rig.ben.id + 4);
	a = phone_send(&other, "PROPFIND", "1", NULL, PROPFIND("<displayname/>"), TEXT("/dav/books/%s/", rig.ben.id));
	assert_true(phone_has(&a, "Companies"));
	/* another user's paths, and groups that a user may not see, are not there */
	assert_int_equal(ASK("PROPFIND", "0", NULL, TEXT("/dav/books/%s/", rig.ben.id)).status, 404);
	assert_int_equal(phone_send(&other, "PROPFIND", "0", NULL, NULL, phone_book(&phone, "people")).status, 404);
	(void)secret;
	phone_close(&other);
}

/* --- keys ---------------------------------------------------------------------------------------- */

TEST(only_a_password_of_a_device_opens_them)
{
	struct client_header wrong[] = {{"Authorization", "Basic YTpraXRoX2FhYQ=="}, {NULL, NULL}};
	struct caller_answer a = caller_send_with(&phone.caller, "PROPFIND", "/dav/", NULL, wrong);

	assert_int_equal(a.status, 401);
	assert_string_equal(client_header(&a.reply, "WWW-Authenticate"), "Basic realm=\"kith\", charset=\"UTF-8\"");
	assert_int_equal(caller_send(&phone.caller, "PROPFIND", "/dav/", NULL, NULL).status, 401);
	a = caller_send(&phone.caller, "GET", "/v1/people", NULL, NULL);
	assert_int_equal(a.status, 401);
	assert_memory_equal(client_header(&a.reply, "WWW-Authenticate"), "Bearer", 6);
	assert_int_equal(caller_send(&ada, "PROPFIND", "/dav/", NULL, NULL).status, 403);
	assert_int_equal(ASK("GET", NULL, NULL, "/v1/people").status, 401); /* by Basic */
}

TEST(a_foreign_host_gets_no_password)
{
	struct client_header headers[] = {
	    {"Authorization", phone.authorization}, {"Host", "kith.example"}, {NULL, NULL}};

	assert_int_equal(caller_send_with(&phone.caller, "PROPFIND", "/dav/", NULL, headers).status, 403);
}

/* --- cards --------------------------------------------------------------------------------------- */

TEST(a_card_has_the_tag_of_its_record)
{
	const char *id = person_make("Grace"), *card = card_of(id);
	struct caller_answer record = caller_get(&ada, TEXT("/v1/people/%s", id)), a = ASK("GET", NULL, NULL, card);
	const char *tag = client_header(&record.reply, "ETag");
	struct client_header known[] = {{"Authorization", phone.authorization}, {"If-None-Match", tag}, {NULL, NULL}};
	struct client_header four[] = {
	    {"Authorization", phone.authorization}, {"Accept", "text/vcard; version=4.0"}, {NULL, NULL}};

	assert_int_equal(a.status, 200);
	assert_string_equal(client_header(&a.reply, "ETag"), tag);
	assert_string_equal(client_header(&a.reply, "Content-Type"), "text/vcard; charset=utf-8");
	assert_true(phone_has(&a, "VERSION:3.0\r\n") && phone_has(&a, "FN:Grace\r\n"));
	assert_int_equal(caller_send_with(&phone.caller, "GET", card, NULL, known).status, 304);
	a = caller_send_with(&phone.caller, "GET", card, NULL, four);
	assert_true(phone_has(&a, "VERSION:4.0\r\n"));
	a = ASK("HEAD", NULL, NULL, card);
	assert_int_equal(a.status, 200);
	a = ASK("PROPFIND", "0", TAGS, card);
	assert_true(phone_has(&a, "<d:getetag>&quot;"));
	assert_int_equal(ASK("GET", NULL, NULL, card_of(rig.ada.id)).status, 404);
	assert_int_equal(ASK("GET", NULL, NULL, phone_card(&phone, "companies", TEXT("%s.vcf", id))).status, 404);
}

TEST(a_client_sees_its_own_name_of_a_card)
{
	const char *id = person_make("Named");
	struct caller_answer a;

	SQL("insert into card_names (workspace_id, user_id, book, name, record_id) select workspace_id, id, 'people', "
	    "'my card ü.vcf', '%s' from users where id = '%s'",
	    id + 4, rig.ada.id + 4);
	a = ASK("PROPFIND", "1", TAGS, phone_book(&phone, "people"));
	assert_int_equal(phone_count(&a, "my%20card%20%C3%BC.vcf"), 1);
	assert_int_equal(phone_count(&a, id), 0);
	assert_int_equal(ASK("GET", NULL, NULL, phone_card(&phone, "people", "my%20card%20%c3%bc.vcf")).status, 200);
	assert_int_equal(ASK("GET", NULL, NULL, card_of(id)).status, 200); /* the id's name is an alias */
	caller_good(SEND("DELETE", NULL, "/v1/people/%s", id));
	assert_int_equal(ASK("GET", NULL, NULL, phone_card(&phone, "people", "my%20card%20%c3%bc.vcf")).status, 404);
	assert_rows(1, "card_names where gone_at is not null and record_id = '%s'", id + 4);
}

TEST(a_group_has_its_people)
{
	const char *group = POST("{\"name\":\"Few\",\"visibility\":\"public\"}", "/v1/groups");
	const char *in = POST(TEXT("{\"firstName\":\"In\",\"groups\":[{\"id\":\"%s\"}]}", group), "/v1/people");
	const char *out = person_make("Out");
	struct caller_answer a = ASK("PROPFIND", "1", TAGS, phone_book(&phone, group));

	assert_int_equal(phone_count(&a, "<d:response>"), 2);
	assert_true(phone_has(&a, in));
	assert_int_equal(ASK("GET", NULL, NULL, phone_card(&phone, group, TEXT("%s.vcf", out))).status, 404);
}

/* --- many cards ---------------------------------------------------------------------------------- */

static void many_make(void)
{
	static bool made;
	struct buf body;

	if (made)
		return;
	made = true;
	for (int i = 0; i < MANY; i += 100) {
		buf_init(&body, 1 << 20);
		for (int k = i; k < i + 100; k++)
			buf_printf(&body, "%s{\"firstName\":\"Many%d\",\"description\":\"%0200d\"}",
			    k > i ? "," : "{\"records\":[", k, k);
		buf_addz(&body, "]}");
		caller_good(caller_send(&ada, "POST", "/v1/people/batch/create", NULL, body.data));
		buf_free(&body);
	}
}

TEST(a_long_listing_is_complete)
{
	struct caller_answer a;

	many_make();
	a = ASK("PROPFIND", "1", TAGS, phone_book(&phone, "people"));
	assert_int_equal(a.status, 207);
	assert_string_equal(client_header(&a.reply, "Transfer-Encoding"), "chunked");
	assert_int_equal(phone_count(&a, "<d:response>"), 1 + (int)rows_count("people"));
	assert_true(phone_has(&a, "</d:multistatus>"));
}

#define MULTIGET                                                                                                       \
	"<c:addressbook-multiget xmlns='DAV:' "                                                                        \
	"xmlns:c='urn:ietf:params:xml:ns:carddav'><prop><getetag/><c:address-data/></prop>"

TEST(a_multiget_answers_each_address)
{
	const char *ids, *at;
	struct caller_answer a;
	struct buf body;
	int n;

	many_make();
	n = (int)rows_count("people");
	at = ids = rows_text("select string_agg('per_' || id, ',' order by random()) from people");
	buf_init(&body, 8 << 20);
	buf_addz(&body, MULTIGET "<href>/elsewhere</href>");
	for (int i = 0; i < n; i++, at += 41)
		buf_printf(&body, "<href>%s</href>", card_of(TEXT("%.40s", at)));
	buf_printf(&body, "<href>%s</href><href> http://kith.example%s </href>", card_of(TEXT("%.40s", ids)),
	    card_of(TEXT("%.40s", ids)));
	buf_printf(&body, "<href>%s</href><href>%s</href></c:addressbook-multiget>", card_of("per_nobody"),
	    phone_book(&phone, "people"));
	a = ASK("REPORT", "1", body.data, phone_book(&phone, "people"));
	buf_free(&body);
	assert_int_equal(a.status, 207);
	assert_int_equal(phone_count(&a, "<d:response>"), n + 5);
	assert_int_equal(phone_count(&a, "BEGIN:VCARD"), n + 2);
	assert_int_equal(phone_count(&a, "HTTP/1.1 404"), 3);
}

/* Cards with much beside their records are read fewer at a time. */
TEST(large_cards_are_all_sent)
{
	struct caller_answer a;
	struct buf body;

	many_make();
	SQL("insert into contact_cards (workspace_id, record_id, company, kept, version) select workspace_id, id, "
	    "false, 'X-LARGE:' || "
	    "repeat('x', 200000), 1 from people where first_name like 'Many%%7'");
	buf_init(&body, 1 << 20);
	buf_addz(&body, MULTIGET);
	for (int i = 7; i < 107; i++)
		buf_printf(&body, "<href>%s</href>",
		    card_of(TEXT("per_%s", rows_text("select id from people where first_name = 'Many%d'", i))));
	buf_addz(&body, "</c:addressbook-multiget>");
	a = ASK("REPORT", NULL, body.data, phone_book(&phone, "people"));
	buf_free(&body);
	assert_int_equal(phone_count(&a, "BEGIN:VCARD"), 100);
	assert_int_equal(phone_count(&a, "X-LARGE:"), 10);
	assert_true(a.reply.body_len > 10 * 200000);
	SQL("delete from contact_cards");
}

/* A client that hangs up in the middle of an answer, or never reads it, leaves nothing behind: the server ends well. */
TEST(a_client_may_hang_up)
{
	struct server_process *other = rig_serve(&rig, false, NULL);
	const char *request = TEXT("PROPFIND %s HTTP/1.1\r\nHost: 127.0.0.1\r\nDepth: 1\r\nAuthorization: %s\r\n\r\n",
	    phone_book(&phone, "people"), phone.authorization);

	many_make();
	for (int i = 0; i < 20; i++) {
		int fd = raw_open(other->base);
		assert_true(fd >= 0);
		assert_int_equal(write(fd, request, strlen(request)), strlen(request));
		for (int wait = 0; i % 4 && wait < 100 && raw_status(fd) == 0; wait++)
			;
		if (i % 2)
			raw_reset(fd);
		else
			close(fd);
	}
	assert_true(server_stop(other));
}

/* --- properties ---------------------------------------------------------------------------------- */

#define SET(names)                                                                                                     \
	"<propertyupdate xmlns='DAV:' xmlns:i='http://inf-it.com/ns/ab/'><set><prop>" names                            \
	"</prop></set></propertyupdate>"
#define NAMES PROPFIND("<displayname/><addressbook-color xmlns='http://inf-it.com/ns/ab/'/>")

TEST(a_user_names_a_book)
{
	const char *book = phone_book(&phone, "people");
	struct phone other = phone_open(&ben, rig.ben.id, "\"contacts\""),
	             reader = phone_open(&ada, rig.ada.id, "\"contacts\",\"read\"");
	struct caller_answer a;

	a = ASK("PROPPATCH", NULL,
	    SET("<displayname>Ours &amp; theirs</displayname><i:addressbook-color>#ff0000</i:addressbook-color>"),
	    book);
	assert_int_equal(a.status, 207);
	assert_true(phone_has(&a, "HTTP/1.1 200"));
	a = ASK("PROPFIND", "0", NAMES, book);
	assert_true(phone_has(&a, "Ours &amp; theirs") && phone_has(&a, ">#ff0000<"));
	a = phone_send(&other, "PROPFIND", "0", NULL, NAMES, phone_book(&other, "people"));
	assert_false(phone_has(&a, "Ours"));
	/* all of it, or nothing */
	a = ASK("PROPPATCH", NULL, SET("<displayname>Other</displayname><getetag>x</getetag>"), book);
	assert_true(phone_has(&a, "HTTP/1.1 403") && phone_has(&a, "HTTP/1.1 424"));
	a = ASK("PROPFIND", "0", NAMES, book);
	assert_true(phone_has(&a, "Ours"));
	a = ASK("PROPPATCH", NULL,
	    "<propertyupdate xmlns='DAV:'><remove><prop><displayname/></prop></remove></propertyupdate>", book);
	assert_true(phone_has(&a, "HTTP/1.1 200"));
	a = ASK("PROPFIND", "0", NAMES, book);
	assert_true(phone_has(&a, ">People<") && phone_has(&a, ">#ff0000<"));
	a = phone_send(&reader, "PROPPATCH", NULL, NULL, SET("<displayname>No</displayname>"), book);
	assert_true(phone_has(&a, "HTTP/1.1 403"));
	a = ASK("PROPPATCH", NULL, SET("<displayname>No</displayname>"), TEXT("/dav/books/%s/", rig.ada.id));
	assert_true(phone_has(&a, "HTTP/1.1 403"));
	phone_close(&other);
	phone_close(&reader);
}

TEST(what_a_client_may_do_is_told)
{
	struct phone reader = phone_open(&ada, rig.ada.id, "\"contacts\",\"read\""),
	             deleter = phone_open(&ada, rig.ada.id, "\"contacts\",\"delete\"");
	const char *book = phone_book(&phone, "people");
	struct caller_answer a =
	    phone_send(&reader, "PROPFIND", "0", NULL, PROPFIND("<current-user-privilege-set/>"), book);

	assert_true(phone_has(&a, "<d:read/>"));
	assert_false(phone_has(&a, "<d:write"));
	a = ASK("PROPFIND", "0", PROPFIND("<current-user-privilege-set/>"), book);
	assert_true(phone_has(&a, "<d:write-content/>") && !phone_has(&a, "<d:unbind/>"));
	a = phone_send(&deleter, "PROPFIND", "0", NULL, PROPFIND("<current-user-privilege-set/>"), book);
	assert_true(phone_has(&a, "<d:unbind/>"));
	phone_close(&reader);
	phone_close(&deleter);
}

TEST(all_properties_and_names)
{
	const char *book = phone_book(&phone, "people");
	struct client_header minimal[] = {
	    {"Authorization", phone.authorization}, {"Depth", "0"}, {"Prefer", "return=minimal"}, {NULL, NULL}};
	struct caller_answer a = ASK("PROPFIND", "0", NULL, book);

	assert_true(phone_has(&a, "<d:displayname>") && phone_has(&a, "<d:resourcetype>") && !phone_has(&a, "404"));
	a = ASK("PROPFIND", "0", "<propfind xmlns='DAV:'><propname/></propfind>", book);
	assert_true(phone_has(&a, "<c:supported-address-data></c:supported-address-data>"));
	a = ASK("PROPFIND", "0", PROPFIND("<nothing/><x xmlns='urn:&quot;&lt;x'/>"), book);
	assert_true(phone_has(&a, "<d:nothing></d:nothing><x xmlns=\"urn:&quot;&lt;x\"></x>"));
	a = caller_send_with(&phone.caller, "PROPFIND", book, PROPFIND("<nothing/>"), minimal);
	assert_false(phone_has(&a, "nothing"));
}

/* --- hostile and careless clients ---------------------------------------------------------------- */

static const char *repeated(const char *before, const char *item, int n, const char *after)
{
	struct buf out;
	const char *text;

	buf_init(&out, 8 << 20);
	buf_addz(&out, before);
	for (int i = 0; i < n; i++)
		buf_addz(&out, item);
	buf_addz(&out, after);
	text = arena_dup(&phone.caller.arena, out.data, out.len);
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
	    {repeated("", "<a>", 33, ""), 413},
	    {repeated("<propfind xmlns='DAV:'><prop>", "<a/>", 101, "</prop></propfind>"), 413},
	    {repeated("<propfind xmlns='DAV:'><prop>", "<a/>", 20000, "</prop></propfind>"), 413},
	    {repeated("<a ", "x", 60000, "='1'/>"), 400},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct caller_answer a = ASK("PROPFIND", "0", cases[i].body, "/dav/");
		if (a.status != cases[i].status)
			fail_msg("%d, not %d: %.80s", a.status, cases[i].status, cases[i].body);
	}
	assert_int_equal(ASK("PROPFIND", "0", PROPFIND("<displayname/>"), "/dav/").status, 207);
}

TEST(hostile_reports_are_refused)
{
	const char *book = phone_book(&phone, "people");
	struct caller_answer a;

	assert_int_equal(ASK("REPORT", NULL, NULL, book).status, 400);
	a = ASK("REPORT", NULL, "<expand-property xmlns='DAV:'/>", book);
	assert_int_equal(a.status, 403);
	assert_true(phone_has(&a, "<d:supported-report/>"));
	a = ASK("REPORT", NULL, repeated(MULTIGET, "<href>/a</href>", 60001, "</c:addressbook-multiget>"), book);
	assert_int_equal(a.status, 413);
	a = ASK("REPORT", NULL, repeated(MULTIGET, "<href>/a</href>", 60000, "</c:addressbook-multiget>"), book);
	assert_int_equal(a.status, 207);
	assert_int_equal(phone_count(&a, "HTTP/1.1 404"), 60000);
	a = ASK("REPORT", NULL, repeated(MULTIGET "<href>", "a", 200000, "</href></c:addressbook-multiget>"), book);
	assert_int_equal(a.status, 413);
	a = ASK("REPORT", NULL,
	    repeated("<c:addressbook-multiget xmlns='DAV:' xmlns:c='urn:ietf:params:xml:ns:carddav' ", "b", 400000,
	        "='1'/>"),
	    book);
	assert_int_equal(a.status, 413);
	a = ASK("REPORT", NULL, repeated("<a>", "<href>/a</href>", 9000, "</a>"), book);
	assert_int_equal(a.status, 413);
	a = ASK("REPORT", NULL,
	    "<c:addressbook-multiget xmlns='DAV:' xmlns:c='urn:ietf:params:xml:ns:carddav'><prop><c:address-data "
	    "version='2.1'/></prop></c:addressbook-multiget>",
	    book);
	assert_int_equal(a.status, 403);
	assert_true(phone_has(&a, "<c:supported-address-data/>"));
}

TEST(depth_must_be_finite)
{
	struct caller_answer a = ASK("PROPFIND", "infinity", NULL, phone_book(&phone, "people"));

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

/* --- limits -------------------------------------------------------------------------------------- */

TEST(a_limited_request_waits)
{
	struct server_process *limited =
	    rig_serve(&rig, false, (const char *const[]){"rate_default=5/3", "rate_burst=1/60", NULL});
	int64_t since_us = clock_mono_us();

	caller_turn(&phone.caller, limited->base);
	for (int i = 0; i < 6; i++)
		assert_int_equal(ASK("PROPFIND", "0", TAGS, "/dav/").status, 207);
	assert_true(clock_mono_us() - since_us > 1000 * 1000);
	caller_turn(&phone.caller, server->base);
}
