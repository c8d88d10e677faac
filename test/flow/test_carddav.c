/* Address books: where clients find them, and what they list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/lib/http/client.h"
#include "test/lib/http/phone_ask.h"
#include "test/lib/http/raw.h"
#include "test/lib/rows.h"

enum { MANY = 1100 }; /* more than a page of a listing, and more than a piece of an answer */

RIG("carddav");

PHONE_OF_ADA();

static const char *person_make(const char *first_name)
{
	return POST(TEXT("{\"firstName\":\"%s\"}", first_name), "/v1/people");
}

static const char *card_of(const char *id)
{
	return phone_card(&phone, "people", TEXT("%s.vcf", id));
}

/* --- where things are ---------------------------------------------------------------------------- */

TEST(clients_find_the_books_from_the_address_only)
{
	static const char *const from[] = {
	    "/.well-known/carddav", "/.well-known/carddav/", "/", "/principals/", "/principals"};
	struct client_reply a;

	for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
		a = ASK("PROPFIND", "0", NULL, from[i]);
		assert_int_equal(a.status, 301);
		assert_string_equal(client_header(&a, "Location"), "/dav/");
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
	struct client_reply a = ASK("OPTIONS", NULL, NULL, "/dav/");

	assert_int_equal(a.status, 204);
	assert_string_equal(client_header(&a, "DAV"), "1, 3, access-control, addressbook");
	a = ASK("OPTIONS", NULL, NULL, "/v1/people");
	assert_null(client_header(&a, "DAV"));
	a = ASK("LOCK", NULL, NULL, phone_book(&phone, "people"));
	assert_int_equal(a.status, 405);
	assert_string_equal(client_header(&a, "Allow"), "OPTIONS, PROPFIND, PROPPATCH, REPORT");
}

TEST(the_home_lists_the_groups_of_the_user)
{
	const char *mine = POST("{\"name\":\"Mine & <more>\",\"visibility\":\"public\"}", "/v1/groups");
	const char *secret = caller_good(
	    caller_send(&ben, "POST", "/v1/groups", NULL, "{\"name\":\"Secret\",\"visibility\":\"private\"}"))
	                         .id;
	struct phone other = phone_open(&ben, rig.ben.id, "\"contacts\"");
	struct client_reply a = ASK("PROPFIND", "1", PROPFIND("<displayname/>"), TEXT("/dav/books/%s/", rig.ada.id));

	assert_true(phone_has(&a, "Mine &amp; &lt;more&gt;"));
	a = phone_ask(&other, "PROPFIND", "1", PROPFIND("<displayname/>"), TEXT("/dav/books/%s/", rig.ben.id));
	assert_true(phone_has(&a, "Secret"));
	assert_false(phone_has(&a, "Mine")); /* ben is not an explicit member */
	a = phone_ask(&other, "PROPFIND", "0", PROPFIND("<displayname/>"), phone_book(&other, mine));
	assert_int_equal(a.status, 207); /* but may see it */
	SQL("insert into address_books (workspace_id, user_id, book, shown) select workspace_id, id, 'companies', true "
	    "from "
	    "users where id = '%s'",
	    rig.ben.id + 4);
	a = phone_ask(&other, "PROPFIND", "1", PROPFIND("<displayname/>"), TEXT("/dav/books/%s/", rig.ben.id));
	assert_true(phone_has(&a, "Companies"));
	/* another user's paths, and groups that a user may not see, are not there */
	assert_int_equal(ASK("PROPFIND", "0", NULL, TEXT("/dav/books/%s/", rig.ben.id)).status, 404);
	assert_int_equal(phone_ask(&other, "PROPFIND", "0", NULL, phone_book(&phone, "people")).status, 404);
	(void)secret;
	phone_free(&other);
}

/* --- keys ---------------------------------------------------------------------------------------- */

TEST(only_a_password_of_a_device_opens_them)
{
	static const struct client_header wrong[] = {{"Authorization", "Basic YTpraXRoX2FhYQ=="}, {NULL, NULL}};
	struct caller nobody;
	struct caller_answer a;

	caller_init(&nobody, server->base, NULL);
	a = caller_send_with(&nobody, "PROPFIND", "/dav/", NULL, wrong);
	assert_int_equal(a.status, 401);
	assert_string_equal(client_header(&a.reply, "WWW-Authenticate"), "Basic realm=\"kith\", charset=\"UTF-8\"");
	assert_int_equal(caller_send(&nobody, "PROPFIND", "/dav/", NULL, NULL).status, 401);
	a = caller_send(&nobody, "GET", "/v1/people", NULL, NULL);
	assert_int_equal(a.status, 401);
	assert_memory_equal(client_header(&a.reply, "WWW-Authenticate"), "Bearer", 6);
	assert_int_equal(caller_send(&ada, "PROPFIND", "/dav/", NULL, NULL).status, 403);
	assert_int_equal(ASK("GET", NULL, NULL, "/v1/people").status, 401); /* the API takes no Basic */
	caller_free(&nobody);
}

TEST(a_foreign_host_gets_no_password)
{
	static const struct client_header headers[] = {{"Host", "kith.example"}, {NULL, NULL}};

	assert_int_equal(phone_send(&phone, "PROPFIND", "/dav/", NULL, headers).status, 403);
}

/* The setting public_url tells nothing about a request that did not come through the proxy with TLS, or that names
 * another host. */
TEST(a_public_address_makes_no_request_private)
{
	static const struct client_header foreign[] = {{"Host", "kith.example"}, {NULL, NULL}};
	static const char *const local[] = {"public_url=http://127.0.0.1:8080", NULL};
	static const struct client_header plain[] = {{"X-Forwarded-Proto", "http"}, {NULL, NULL}},
	                                  tls[] = {{"X-Forwarded-Proto", "https"}, {NULL, NULL}};
	static const char *const settings[] = {"public_url=https://crm.example", NULL},
	                         *const strangers[] = {
	                             "public_url=https://crm.example", "trusted_proxies=192.0.2.1", NULL};

	phone_turn(&phone, rig_serve(&rig, false, settings)->base);
	assert_int_equal(phone_send(&phone, "PROPFIND", "/dav/", NULL, NULL).status, 207);
	assert_int_equal(phone_send(&phone, "PROPFIND", "/dav/", NULL, tls).status, 207);
	assert_int_equal(phone_send(&phone, "PROPFIND", "/dav/", NULL, plain).status, 403);
	phone_turn(&phone, rig_serve(&rig, false, local)->base);
	assert_int_equal(phone_send(&phone, "PROPFIND", "/dav/", NULL, NULL).status, 207);
	assert_int_equal(phone_send(&phone, "PROPFIND", "/dav/", NULL, foreign).status, 403);
	phone_turn(&phone, rig_serve(&rig, false, strangers)->base);
	assert_int_equal(phone_send(&phone, "PROPFIND", "/dav/", NULL, NULL).status, 403);
	assert_int_equal(phone_send(&phone, "PROPFIND", "/dav/", NULL, tls).status, 403);
	phone_turn(&phone, server->base);
}

/* --- cards --------------------------------------------------------------------------------------- */

TEST(a_card_has_the_tag_of_its_record)
{
	const char *id = person_make("Grace"), *card = card_of(id);
	struct caller_answer record = caller_get(&ada, TEXT("/v1/people/%s", id));
	struct client_reply a = ASK("GET", NULL, NULL, card);
	const char *tag = client_header(&record.reply, "ETag");
	struct client_header known[] = {{"If-None-Match", tag}, {NULL, NULL}};
	struct client_header four[] = {{"Accept", "text/vcard; version=4.0"}, {NULL, NULL}};

	assert_int_equal(a.status, 200);
	assert_string_equal(client_header(&a, "ETag"), tag);
	assert_string_equal(client_header(&a, "Content-Type"), "text/vcard; charset=utf-8");
	assert_true(phone_has(&a, "VERSION:3.0\r\n") && phone_has(&a, "FN:Grace\r\n"));
	assert_int_equal(phone_send(&phone, "GET", card, NULL, known).status, 304);
	a = phone_send(&phone, "GET", card, NULL, four);
	assert_true(phone_has(&a, "VERSION:4.0\r\n"));
	a = ASK("HEAD", NULL, NULL, card);
	assert_int_equal(a.status, 200);
	a = ASK("PROPFIND", "0", TAGS, card);
	assert_true(phone_has(&a, "<d:getetag>&quot;"));
	assert_int_equal(ASK("GET", NULL, NULL, card_of(rig.ada.id)).status, 404);
	assert_int_equal(ASK("GET", NULL, NULL, phone_card(&phone, "companies", TEXT("%s.vcf", id))).status, 404);
}

/* File managers take a card without a length as one that is not there. */
TEST(a_listing_tells_lengths)
{
	const char *id = person_make("Length"),
	           *group = POST("{\"name\":\"Long\",\"visibility\":\"public\"}", "/v1/groups");
	struct client_reply a = ASK("GET", NULL, NULL, card_of(id));
	const char *length = TEXT("<d:getcontentlength>%zu</d:getcontentlength>", a.body_len);

	a = ASK("PROPFIND", "0", PROPFIND("<getcontentlength/><getetag/>"), card_of(id));
	assert_true(phone_has(&a, length));
	a = ASK("PROPFIND", "1", PROPFIND("<getcontentlength/><getetag/>"), phone_book(&phone, "people"));
	assert_true(phone_has(&a, length));
	assert_int_equal(phone_times(&a, "<d:getcontentlength>"), 1 + (int)rows_count("people"));
	assert_int_equal(phone_times(&a, "<d:response>"), 1 + (int)rows_count("people"));
	a = ASK("PROPFIND", "1", PROPFIND("<getcontentlength/>"), phone_book(&phone, group));
	assert_int_equal(phone_times(&a, "<d:response>"), 1);
}

TEST(a_client_sees_its_own_name_of_a_card)
{
	const char *id = person_make("Named");
	struct client_reply a;

	SQL("insert into card_names (workspace_id, user_id, book, name, record_id) select workspace_id, id, 'people', "
	    "'my card ü.vcf', '%s' from users where id = '%s'",
	    id + 4, rig.ada.id + 4);
	a = ASK("PROPFIND", "1", TAGS, phone_book(&phone, "people"));
	assert_int_equal(phone_times(&a, "my%20card%20%C3%BC.vcf"), 1);
	assert_int_equal(phone_times(&a, id), 0);
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
	struct client_reply a = ASK("PROPFIND", "1", TAGS, phone_book(&phone, group));

	assert_int_equal(phone_times(&a, "<d:response>"), 2);
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
	struct client_reply a;

	many_make();
	a = ASK("PROPFIND", "1", TAGS, phone_book(&phone, "people"));
	assert_int_equal(a.status, 207);
	assert_string_equal(client_header(&a, "Transfer-Encoding"), "chunked");
	assert_int_equal(phone_times(&a, "<d:response>"), 1 + (int)rows_count("people"));
	assert_true(phone_has(&a, "</d:multistatus>"));
}

/* A card is answered once, also if the client writes its address in several ways. An address that leads to no card is
 * always answered. */
TEST(a_multiget_answers_each_card_once)
{
	const char *ids, *at, *again;
	struct client_reply a;
	struct buf body;
	int n;

	many_make();
	n = (int)rows_count("people");
	at = ids = rows_text("select string_agg('per_' || id, ',' order by random()) from people");
	again = TEXT("%.40s", ids);
	buf_init(&body, 8 << 20);
	buf_addz(&body, MULTIGET "<href>/elsewhere</href>");
	for (int i = 0; i < n; i++, at += 41)
		buf_printf(&body, "<href>%s</href>", card_of(TEXT("%.40s", at)));
	buf_printf(&body, "<href>%s</href><href> http://kith.example%s </href><href>%s%%70%s.vcf</href>",
	    card_of(again), card_of(again), phone_book(&phone, "people"), again + 1);
	buf_printf(&body, "<href>%s</href><href>%s</href></c:addressbook-multiget>", card_of("per_nobody"),
	    phone_book(&phone, "people"));
	a = ASK("REPORT", "1", body.data, phone_book(&phone, "people"));
	buf_free(&body);
	assert_int_equal(a.status, 207);
	assert_int_equal(phone_times(&a, "<d:response>"), n + 3);
	assert_int_equal(phone_times(&a, "BEGIN:VCARD"), n);
	assert_int_equal(phone_times(&a, "HTTP/1.1 404"), 3);
}

/* Cards with much beside their records are read fewer at a time. */
TEST(large_cards_are_all_sent)
{
	struct client_reply a;
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
	assert_int_equal(phone_times(&a, "BEGIN:VCARD"), 100);
	assert_int_equal(phone_times(&a, "X-LARGE:"), 10);
	assert_true(a.body_len > 10 * 200000);
	SQL("delete from contact_cards");
}

/* A client that hangs up in the middle of an answer, or never reads it, leaves nothing behind: the server ends well. */
TEST(a_client_may_hang_up)
{
	struct server_process *other = rig_serve(&rig, false, NULL);
	const char *request = TEXT("PROPFIND %s HTTP/1.1\r\nHost: 127.0.0.1\r\nDepth: 1\r\nAuthorization: %s\r\n\r\n",
	    phone_book(&phone, "people"), phone.account);

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
	struct client_reply a;

	a = ASK("PROPPATCH", NULL,
	    SET("<displayname>Ours &amp; theirs</displayname><i:addressbook-color>#ff0000</i:addressbook-color>"),
	    book);
	assert_int_equal(a.status, 207);
	assert_true(phone_has(&a, "HTTP/1.1 200"));
	a = ASK("PROPFIND", "0", NAMES, book);
	assert_true(phone_has(&a, "Ours &amp; theirs") && phone_has(&a, ">#ff0000<"));
	a = phone_ask(&other, "PROPFIND", "0", NAMES, phone_book(&other, "people"));
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
	a = phone_ask(&reader, "PROPPATCH", NULL, SET("<displayname>No</displayname>"), book);
	assert_true(phone_has(&a, "HTTP/1.1 403"));
	a = ASK("PROPPATCH", NULL, SET("<displayname>No</displayname>"), TEXT("/dav/books/%s/", rig.ada.id));
	assert_true(phone_has(&a, "HTTP/1.1 403"));
	phone_free(&other);
	phone_free(&reader);
}

TEST(what_a_client_may_do_is_told)
{
	struct phone reader = phone_open(&ada, rig.ada.id, "\"contacts\",\"read\""),
	             deleter = phone_open(&ada, rig.ada.id, "\"contacts\",\"delete\""),
	             member = phone_open(&ben, rig.ben.id, "\"contacts\"");
	const char *book = phone_book(&phone, "people"), *readers;
	struct client_reply a = phone_ask(&reader, "PROPFIND", "0", PROPFIND("<current-user-privilege-set/>"), book);

	assert_true(phone_has(&a, "<d:read/>"));
	assert_false(phone_has(&a, "<d:write"));
	a = ASK("PROPFIND", "0", PROPFIND("<current-user-privilege-set/>"), book);
	assert_true(phone_has(&a, "<d:write-content/>") && !phone_has(&a, "<d:unbind/>"));
	a = phone_ask(&deleter, "PROPFIND", "0", PROPFIND("<current-user-privilege-set/>"), book);
	assert_true(phone_has(&a, "<d:unbind/>"));
	readers = POST("{\"name\":\"Readers\",\"visibility\":\"private\"}", "/v1/groups");
	MAKE(TEXT("{\"id\":\"%s\",\"role\":\"reader\"}", rig.ben.id), "/v1/groups/%s/members", readers);
	a = phone_ask(
	    &member, "PROPFIND", "0", PROPFIND("<current-user-privilege-set/>"), phone_book(&member, readers));
	assert_true(phone_has(&a, "<d:read/>") && !phone_has(&a, "<d:write"));
	phone_free(&member);
	phone_free(&reader);
	phone_free(&deleter);
}

TEST(all_properties_and_names)
{
	const char *book = phone_book(&phone, "people");
	struct client_header minimal[] = {{"Depth", "0"}, {"Prefer", "return=minimal"}, {NULL, NULL}};
	struct client_reply a = ASK("PROPFIND", "0", NULL, book);

	assert_true(phone_has(&a, "<d:displayname>") && phone_has(&a, "<d:resourcetype>") && !phone_has(&a, "404"));
	a = ASK("PROPFIND", "0", "<propfind xmlns='DAV:'><propname/></propfind>", book);
	assert_true(phone_has(&a, "<c:supported-address-data></c:supported-address-data>"));
	a = ASK("PROPFIND", "0", PROPFIND("<nothing/><x xmlns='urn:&quot;&lt;x'/>"), book);
	assert_true(phone_has(&a, "<d:nothing></d:nothing><x xmlns=\"urn:&quot;&lt;x\"></x>"));
	a = phone_send(&phone, "PROPFIND", book, PROPFIND("<nothing/>"), minimal);
	assert_false(phone_has(&a, "nothing"));
}

/* --- limits -------------------------------------------------------------------------------------- */

TEST(a_limited_request_waits)
{
	struct server_process *limited =
	    rig_serve(&rig, false, (const char *const[]){"rate_default=5/3", "rate_burst=1/60", NULL});
	int64_t since_us = clock_mono_us();

	phone_turn(&phone, limited->base);
	for (int i = 0; i < 6; i++)
		assert_int_equal(ASK("PROPFIND", "0", TAGS, "/dav/").status, 207);
	assert_true(clock_mono_us() - since_us > 1000 * 1000);
	phone_turn(&phone, server->base);
}
