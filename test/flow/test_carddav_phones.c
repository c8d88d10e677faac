/* Requests as iOS, DAVx5, Thunderbird, Contacts of macOS and Evolution are publicly known to send them, from finding
 * the server to writing contacts: each gets what that program needs to go on (docs/phones.md). */
#include <stdio.h>
#include <string.h>

#include "test/lib/http/phone_ask.h"
#include "test/lib/patience.h"

enum { HAS_MAX = 5, TEXT_MAX = 8192, TOKEN_MAX = 1024, WAIT_MS = 60000 };

#define BOOKS "/dav/books/{user}/"
#define PEOPLE BOOKS "people/"
#define APPLE(names)                                                                                                   \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<A:propfind xmlns:A=\"DAV:\"><A:prop>" names                      \
	"</A:prop></A:propfind>"
#define MULTIGET_OF(data, names)                                                                                       \
	"<c:addressbook-multiget xmlns:d=\"DAV:\" "                                                                    \
	"xmlns:c=\"urn:ietf:params:xml:ns:carddav\"><d:prop><d:getetag/>" data "</d:prop>" names                       \
	"</c:addressbook-multiget>"
#define HREF(name) "<d:href>" PEOPLE name "</d:href>"
#define SYNC(token)                                                                                                    \
	"<sync-collection xmlns=\"DAV:\"><sync-token>" token                                                           \
	"</sync-token><sync-level>1</sync-level><prop><getetag/></prop>"                                               \
	"</sync-collection>"
#define CARD(version, uid, more)                                                                                       \
	"BEGIN:VCARD\r\nVERSION:" version "\r\nUID:" uid "\r\nFN:Ada Lovelace\r\nN:Lovelace;Ada;;;\r\n" more           \
	"END:VCARD\r\n"

/* {user} is the id of the user, {card} the name of a person's card, {token} the latest sync-token. */
struct exchange {
	const char *method, *target, *depth, *body;
	int status;
	const char *has[HAS_MAX];       /* what the answer has; "!text": what it has not */
	const char *condition, *expect; /* the header If-Match or If-None-Match; "{etag}": the latest one */
	bool open;                      /* without the password */
};

static const char *agent; /* User-Agent */
static struct phone phone;
static char person[64], token[TOKEN_MAX], etag[64];

RIG("phones");

BEFORE_ALL()
{
	snprintf(person, sizeof person, "%s.vcf",
	    POST("{\"firstName\": \"Grace\", \"lastName\": \"Hopper\", \"phones\": [\"+1 555 0100\"]}", "/v1/people"));
}

static const char *fill_names(const char *text)
{
	const char *const names[] = {"{user}", "{card}", "{token}"}, *const values[] = {rig.ada.id, person, token};
	char *out = arena_alloc(&phone.arena, TEXT_MAX);
	size_t n = 0;

	while (*text) {
		size_t i = 0;
		while (i < 3 && strncmp(text, names[i], strlen(names[i])) != 0)
			i++;
		assert_true(n < TEXT_MAX - TOKEN_MAX);
		if (i == 3)
			out[n++] = *text++;
		else
			n += (size_t)snprintf(out + n, TEXT_MAX - n, "%s", values[i]);
		text += i == 3 ? 0 : strlen(names[i]);
	}
	out[n] = '\0';
	return out;
}

static struct client_reply send_as_client(const struct exchange *e)
{
	struct client_request request = {.method = e->method, .target = fill_names(e->target), .n_headers = 2};
	struct client_reply reply;
	char error[256];

	request.headers[0] = (struct client_header){"User-Agent", agent};
	request.headers[1] = (struct client_header){"Authorization", phone.account};
	request.n_headers -= e->open;
	if (strstr(agent, "dataaccessd") || strstr(agent, "AddressBook/")) {
		request.headers[request.n_headers++] = (struct client_header){"Brief", "t"};
		request.headers[request.n_headers++] = (struct client_header){"Prefer", "return=minimal"};
	}
	if (e->depth)
		request.headers[request.n_headers++] = (struct client_header){"Depth", e->depth};
	if (e->condition)
		request.headers[request.n_headers++] =
		    (struct client_header){e->condition, strcmp(e->expect, "{etag}") == 0 ? etag : e->expect};
	if (e->body) {
		request.body = fill_names(e->body);
		request.body_len = strlen(request.body);
		request.headers[request.n_headers++] = (struct client_header){
		    "Content-Type", strcmp(e->method, "PUT") == 0 ? "text/vcard; charset=utf-8" : "text/xml"};
	}
	if (!client_send(phone.client, &phone.arena, &request, &reply, error))
		fail_msg("%s %s: %s", e->method, request.target, error);
	return reply;
}

/* Keeps what the program would: the token and the tag. */
static void keep_latest(const struct client_reply *reply)
{
	const char *at = strstr(reply->body, "sync-token>"), *tag = client_header(reply, "ETag");

	if (at)
		snprintf(token, sizeof token, "%.*s", (int)strcspn(at + 11, "<"), at + 11);
	if (tag)
		snprintf(etag, sizeof etag, "%s", tag);
}

/* Thunderbird looks only at the first status of each response. */
static void expect_first_status(const struct client_reply *reply)
{
	for (const char *at = reply->body; (at = strstr(at, "<d:response>")) != NULL; at++) {
		const char *status = strstr(at, "<d:status>");
		if (status && strncmp(status, "<d:status>HTTP/1.1 200 OK<", 26) != 0)
			fail_msg("another status comes first: %s", at);
	}
}

/* NULL: the answer is as expected. */
static const char *exchange_fault(const struct exchange *e, const struct client_reply *reply)
{
	static const char *const headers[] = {"Location", "DAV", "ETag", "WWW-Authenticate"};
	const char *all = reply->body;

	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		if (client_header(reply, headers[i]))
			all =
			    arena_printf(&phone.arena, "%s: %s\n%s", headers[i], client_header(reply, headers[i]), all);
	if (reply->status != e->status)
		return arena_printf(&phone.arena, "%d, not %d: %s", reply->status, e->status, all);
	for (int i = 0; i < HAS_MAX && e->has[i]; i++) {
		bool absent = *e->has[i] == '!';
		const char *text = fill_names(e->has[i] + absent);
		if ((strstr(all, text) == NULL) != absent)
			return arena_printf(&phone.arena, "\"%s\" is %s: %s", text, absent ? "there" : "missing", all);
	}
	return NULL;
}

/* A sync shows a change only when all older transactions have ended, so an exchange with a token is repeated until
 * then. */
static void expect_exchange(const struct exchange *e)
{
	int64_t until_us = patience_ms(e->body && strstr(e->body, "{token}") ? WAIT_MS : 0);
	struct client_reply reply;
	const char *fault;

	do {
		reply = send_as_client(e);
		fault = exchange_fault(e, &reply);
	} while (fault && patience_pause(until_us));
	if (fault)
		fail_msg("%s %s: %s", e->method, fill_names(e->target), fault);
	if (reply.status == 207 && strstr(agent, "Thunderbird"))
		expect_first_status(&reply);
	keep_latest(&reply);
}

static void replay_list(const char *user_agent, const char *scopes, const struct exchange *list, size_t n)
{
	agent = user_agent;
	phone = phone_open(&ada, rig.ada.id, scopes);
	*token = *etag = '\0';
	for (size_t i = 0; i < n; i++)
		expect_exchange(&list[i]);
	phone_free(&phone);
}

#define REPLAY(user_agent, scopes, list) replay_list(user_agent, scopes, list, sizeof(list) / sizeof *(list))

/* --- iOS, macOS ------------------------------------------------------------------------------------ */

#define APPLE_HOME                                                                                                     \
	APPLE("<A:add-member/><E:bulk-requests xmlns:E=\"http://me.com/_namespace/\"/><A:current-user-privilege-set/>" \
	      "<A:displayname/><D:max-image-size xmlns:D=\"urn:ietf:params:xml:ns:carddav\"/><D:max-resource-size "    \
	      "xmlns:D=\"urn:ietf:params:xml:ns:carddav\"/><C:me-card "                                                \
	      "xmlns:C=\"http://calendarserver.org/ns/\"/><A:owner/>"                                                  \
	      "<C:push-transports xmlns:C=\"http://calendarserver.org/ns/\"/><C:pushkey "                              \
	      "xmlns:C=\"http://calendarserver.org/ns/\"/><A:quota-available-bytes/><A:quota-used-bytes/"              \
	      "><A:resource-id/>"                                                                                      \
	      "<A:resourcetype/><A:supported-report-set/><A:sync-token/>")
#define APPLE_CARD "8C1F2A57-0B0A-4D3E-9F57-5F0C0F0A7E11"

TEST(an_iphone_connects_reads_and_writes)
{
	static const struct exchange list[] = {
	    {"PROPFIND", "/.well-known/carddav", "0",
	        APPLE("<A:current-user-principal/><A:principal-URL/><A:resourcetype/>"), 301, {"Location: /dav/"}},
	    {"PROPFIND", "/dav/", "0", APPLE("<A:current-user-principal/><A:principal-URL/><A:resourcetype/>"), 401,
	        {"Basic realm"}, .open = true},
	    {"PROPFIND", "/dav/", "0", APPLE("<A:current-user-principal/><A:principal-URL/><A:resourcetype/>"), 207,
	        {"current-user-principal>", "/dav/principals/{user}/", "!404"}},
	    {"OPTIONS", "/dav/principals/{user}/", NULL, NULL, 204, {"addressbook"}},
	    {"PROPFIND", "/dav/principals/{user}/", "0",
	        APPLE("<D:addressbook-home-set xmlns:D=\"urn:ietf:params:xml:ns:carddav\"/><D:directory-gateway "
	              "xmlns:D=\"urn:ietf:params:xml:ns:carddav\"/><A:displayname/><C:email-address-set "
	              "xmlns:C=\"http://calendarserver.org/ns/\"/><A:principal-collection-set/><A:principal-URL/>"
	              "<A:resource-id/><A:supported-report-set/>"),
	        207, {"addressbook-home-set>", BOOKS}},
	    {"PROPFIND", BOOKS, "1", APPLE_HOME, 207, {PEOPLE, "addressbook/>", "People", "write", "sync-token>"}},
	    {"PROPFIND", PEOPLE, "0", APPLE("<C:getctag xmlns:C=\"http://calendarserver.org/ns/\"/><A:sync-token/>"),
	        207, {"getctag>", "sync-token>"}},
	    {"PROPFIND", PEOPLE, "1", APPLE("<A:getetag/><A:resourcetype/>"), 207, {PEOPLE "{card}", "getetag>"}},
	    {"REPORT", PEOPLE, "1", MULTIGET_OF("<c:address-data/>", HREF("{card}")), 207,
	        {"BEGIN:VCARD", "Hopper", "+1 555 0100", "VERSION:3.0"}},
	    {"PUT", PEOPLE APPLE_CARD ".vcf", NULL,
	        CARD("3.0", APPLE_CARD,
	            "item1.TEL;type=pref:+44 20 0100\r\nitem1.X-ABLabel:boat\r\nX-PHONETIC-FIRST-NAME:Eyda\r\n"),
	        201, {"!ETag"}, "If-None-Match", "*"},
	    {"REPORT", PEOPLE, "1", SYNC("{token}"), 207, {PEOPLE APPLE_CARD ".vcf", "!{card}"}},
	    {"REPORT", PEOPLE, "1", MULTIGET_OF("<c:address-data/>", HREF(APPLE_CARD ".vcf")), 207,
	        {"UID:" APPLE_CARD, "X-ABLabel:boat", "X-PHONETIC-FIRST-NAME:Eyda"}},
	    {"GET", PEOPLE APPLE_CARD ".vcf", NULL, NULL, 200, {"ETag"}},
	    {"PUT", PEOPLE APPLE_CARD ".vcf", NULL, CARD("3.0", APPLE_CARD, "NOTE:From the phone\r\n"), 204, {NULL},
	        "If-Match", "{etag}"},
	    {"PUT", PEOPLE APPLE_CARD ".vcf", NULL, CARD("3.0", APPLE_CARD, "NOTE:Too late\r\n"), 412, {NULL},
	        "If-Match", "{etag}"},
	    {"DELETE", PEOPLE APPLE_CARD ".vcf", NULL, NULL, 204, {NULL}},
	    {"REPORT", PEOPLE, "1", SYNC("{token}"), 207, {PEOPLE APPLE_CARD ".vcf", "404"}},
	};

	REPLAY("iOS/18.5 (22F76) dataaccessd/1.0", "\"contacts\", \"delete\"", list);
}

/* The photo, the address and the labels as an iPhone writes them. Another device reads them in 4.0. */
#define APPLE_PHOTO "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
#define APPLE_NEW "6C5A9D11-7E7B-4B0B-9B3B-5B0B7C0D1E2F"
#define APPLE_FULL                                                                                                     \
	"BEGIN:VCARD\r\nVERSION:3.0\r\nPRODID:-//Apple Inc.//iOS 18.5//EN\r\nN:Lovelace;Augusta;Ada;;\r\nFN:Augusta "  \
	"Ada "                                                                                                         \
	"Lovelace\r\nORG:Engines & Sons\\, "                                                                           \
	"Ltd.;Analysis\r\nEMAIL;type=INTERNET;type=HOME;type=pref:ada@home.example\r\n"                                \
	"EMAIL;type=INTERNET;type=WORK:ada@work.example\r\nTEL;type=CELL;type=VOICE;type=pref:+44 20 0100\r\n"         \
	"item1.TEL:+44 20 0200\r\nitem1.X-ABLabel:boat\r\nitem2.ADR;type=HOME;type=pref:;;12 St James's "              \
	"Sq\\nFlat 2;London;;SW1Y 4JH;United Kingdom\r\nitem2.X-ABADR:gb\r\n"                                          \
	"item3.X-ABDATE;type=pref:1835-07-08\r\nitem3.X-ABLabel:_$!<Anniversary>!$_\r\n"                               \
	"item4.X-ABRELATEDNAMES;type=pref:Byron\r\nitem4.X-ABLabel:_$!<Father>!$_\r\n"                                 \
	"BDAY;X-APPLE-OMIT-YEAR=1604;value=date:1604-12-10\r\nX-SOCIALPROFILE;type=mastodon;x-user=ada:"               \
	"https://social.example/@ada\r\nPHOTO;ENCODING=b;TYPE=JPEG;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&512&512&"       \
	"mSnLJXSO5sKFpyy2Y0T3Vw==:\r\n " APPLE_PHOTO                                                                   \
	"\r\nX-IMAGETYPE:PHOTO\r\nREV:2026-11-27T10:00:00Z\r\nUID:" APPLE_NEW "\r\nEND:VCARD\r\n"

TEST(a_full_card_of_an_iphone)
{
	static const struct exchange list[] = {
	    {"PUT", PEOPLE APPLE_NEW ".vcf", NULL, APPLE_FULL, 201, {"Location: " PEOPLE}, "If-None-Match", "*"},
	    /* the whole address, and a letter of it escaped */
	    {"REPORT", PEOPLE, "1",
	        MULTIGET_OF("<c:address-data/>",
	            "<d:href>https://crm.example.com" PEOPLE "%36C5A9D11-7E7B-4B0B-9B3B-5B0B7C0D1E2F.vcf</d:href>"),
	        207,
	        {"item1.X-ABLabel:boat", "item4.X-ABRELATEDNAMES;type=pref:Byron", "12 St James's Sq\\nFlat 2;London",
	            "X-ABCROP-RECTANGLE=ABClipRect_1", "BDAY;X-APPLE-OMIT-YEAR=1604;value=date:1604-12-10"}},
	    {"REPORT", PEOPLE, "1",
	        MULTIGET_OF("<c:address-data content-type=\"text/vcard\" version=\"4.0\"/>", HREF(APPLE_NEW ".vcf")),
	        207, {"VERSION:4.0", "BDAY;value=date:--1210", "data:image/jpeg;base64,", "item1.X-ABLabel:boat"}},
	    {"GET", PEOPLE APPLE_NEW ".vcf", NULL, NULL, 200, {"ORG:Engines &", "X-SOCIALPROFILE", "ETag"}},
	};

	REPLAY("iOS/18.5 (22F76) dataaccessd/1.0", "\"contacts\", \"delete\"", list);
}

/* Lists of iOS, groups of macOS, and groups of DAVx5 that are "separate vCards": the device keeps them to itself. */
#define A_GROUP(version, kind)                                                                                         \
	"BEGIN:VCARD\r\nVERSION:" version "\r\nUID:a-list\r\nFN:Friends\r\nN:Friends;;;;\r\n" kind "\r\nEND:VCARD\r\n"

TEST(a_list_that_was_made_on_the_device)
{
	static const struct exchange list[] = {
	    {"PUT", PEOPLE "a-list.vcf", NULL,
	        A_GROUP("3.0", "X-ADDRESSBOOKSERVER-KIND:group\r\nX-ADDRESSBOOKSERVER-MEMBER:urn:uuid:" APPLE_CARD),
	        403, {"<d:need-privileges/>", "!valid-address-data"}, "If-None-Match", "*"},
	    {"PUT", PEOPLE "a-list.vcf", NULL, A_GROUP("4.0", "KIND:GROUP\r\nMEMBER:urn:uuid:" APPLE_CARD), 403,
	        {"<d:need-privileges/>"}, "If-None-Match", "*"},
	    {"GET", PEOPLE "a-list.vcf", NULL, NULL, 404, {NULL}},
	};

	REPLAY("DAVx5/4.5.13-ose (at.bitfire.davdroid) Android/16 okhttp/5.3.2", "\"contacts\"", list);
}

/* Contacts of macOS asks for the tag of the book, and stops working if its own card is refused as a whole. */
TEST(a_mac_connects)
{
	static const struct exchange list[] = {
	    {"PROPFIND", "/.well-known/carddav/", "0", APPLE("<A:current-user-principal/>"), 301, {"Location: /dav/"}},
	    {"PROPFIND", BOOKS, "1", APPLE_HOME, 207, {PEOPLE}},
	    {"PROPFIND", PEOPLE, "0", APPLE("<C:getctag xmlns:C=\"http://calendarserver.org/ns/\"/>"), 207,
	        {"getctag>"}},
	    {"PROPPATCH", BOOKS, NULL,
	        "<A:propertyupdate xmlns:A=\"DAV:\"><A:set><A:prop><C:me-card "
	        "xmlns:C=\"http://calendarserver.org/ns/\"><A:href>" PEOPLE
	        "{card}</A:href></C:me-card></A:prop></A:set>"
	        "</A:propertyupdate>",
	        207, {"me-card"}},
	};

	REPLAY("AddressBook/2694.600.52 CardDAVPlugin/1.0 Mac_OS_X/15.5 (24F74)", "\"contacts\"", list);
}

/* --- DAVx5 ------------------------------------------------------------------------------------------ */

#define DAVX5(names)                                                                                                   \
	"<?xml version='1.0' encoding='UTF-8' ?><propfind xmlns=\"DAV:\" "                                             \
	"xmlns:CARD=\"urn:ietf:params:xml:ns:carddav\" "                                                               \
	"xmlns:CS=\"http://calendarserver.org/ns/\"><prop>" names "</prop></propfind>"
#define DAVX5_CARD "0c9f3f0e-95f0-4f08-9a61-2b4a3b6f1d22"

TEST(davx5_connects_reads_and_writes)
{
	static const struct exchange list[] = {
	    {"PROPFIND", "/dav/", "0",
	        DAVX5("<resourcetype/><displayname/><CARD:addressbook-description/><CARD:addressbook-home-set/>"
	              "<current-user-principal/>"),
	        207, {"/dav/principals/{user}/"}},
	    {"OPTIONS", "/dav/principals/{user}/", NULL, NULL, 204, {"addressbook"}},
	    {"PROPFIND", "/dav/", "0",
	        DAVX5("<resourcetype/><CAL:calendar-home-set xmlns:CAL=\"urn:ietf:params:xml:ns:caldav\"/>"
	              "<current-user-principal/>"),
	        207, {"/dav/principals/{user}/"}},
	    {"PROPFIND", "/.well-known/caldav", "0", DAVX5("<current-user-principal/>"), 404, {NULL}},
	    {"PROPFIND", "/dav/principals/{user}/", "0",
	        DAVX5("<displayname/><CARD:addressbook-home-set/><group-membership/>"), 207, {BOOKS}},
	    {"PROPFIND", BOOKS, "1",
	        DAVX5(
	            "<resourcetype/><current-user-privilege-set/><displayname/><owner/><CARD:addressbook-description/>"
	            "<CARD:supported-address-data/>"),
	        207, {PEOPLE, "addressbook/>", "write-content"}},
	    {"PROPFIND", PEOPLE, "0",
	        DAVX5("<CARD:max-resource-size/><CARD:supported-address-data/><supported-report-set/><CS:getctag/>"
	              "<sync-token/>"),
	        207, {"version=\"4.0\"", "sync-collection/>", "sync-token>"}},
	    {"REPORT", PEOPLE, "1", SYNC(""), 207, {PEOPLE "{card}", "sync-token>"}},
	    {"REPORT", PEOPLE, "1",
	        MULTIGET_OF("<c:address-data content-type=\"text/vcard\" version=\"4.0\"/>", HREF("{card}")), 207,
	        {"VERSION:4.0", "Hopper"}},
	    {"PUT", PEOPLE DAVX5_CARD ".vcf", NULL,
	        CARD("4.0", DAVX5_CARD,
	            "davdroid1.TEL:+44 20 0200\r\ndavdroid1.X-ABLABEL:boat\r\nCATEGORIES:Friends\r\n"),
	        201, {NULL}, "If-None-Match", "*"},
	    {"PUT", PEOPLE DAVX5_CARD ".vcf", NULL, CARD("4.0", DAVX5_CARD, ""), 412, {NULL}, "If-None-Match", "*"},
	    {"REPORT", PEOPLE, "1", SYNC("{token}"), 207, {PEOPLE DAVX5_CARD ".vcf"}},
	    {"REPORT", PEOPLE, "1",
	        MULTIGET_OF("<c:address-data content-type=\"text/vcard\" version=\"4.0\"/>", HREF(DAVX5_CARD ".vcf")),
	        207, {"UID:" DAVX5_CARD, "boat"}},
	    {"DELETE", PEOPLE DAVX5_CARD ".vcf", NULL, NULL, 403, {NULL}, "If-Match", "*"},
	    {"REPORT", PEOPLE, "1", SYNC("urn:never-given"), 403, {"valid-sync-token"}},
	};

	REPLAY("DAVx5/4.4.11-ose (dav4jvm; okhttp/4.12.0) Android/15", "\"contacts\"", list);
}

/* --- Thunderbird, Evolution -------------------------------------------------------------------------- */

#define THUNDERBIRD(names)                                                                                             \
	"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n      <propfind xmlns=\"DAV:\" "                                  \
	"xmlns:card=\"urn:ietf:params:xml:ns:carddav\" "                                                               \
	"xmlns:cs=\"http://calendarserver.org/ns/\"><prop>" names "</prop></propfind>"
#define THUNDERBIRD_CARD "f2f9f8f0-26a2-4a7c-8b3c-7d53d6a4a733"

/* It sends no conditions, and asks for the card at once under the name that it gave. */
TEST(thunderbird_connects_reads_and_writes)
{
	static const struct exchange list[] = {
	    {"PROPFIND", "/dav/", "0",
	        THUNDERBIRD("<resourcetype/><displayname/><current-user-principal/><current-user-privilege-set/>"), 207,
	        {"/dav/principals/{user}/"}},
	    {"PROPFIND", "/dav/principals/{user}/", "0", THUNDERBIRD("<card:addressbook-home-set/>"), 207, {BOOKS}},
	    {"PROPFIND", BOOKS, "1", THUNDERBIRD("<resourcetype/><displayname/><current-user-privilege-set/>"), 207,
	        {PEOPLE, "People", "read/>", "write/>"}},
	    {"PROPFIND", PEOPLE, "1", THUNDERBIRD("<resourcetype/><getetag/><cs:getctag/>"), 207, {PEOPLE "{card}"}},
	    {"REPORT", PEOPLE, "1", MULTIGET_OF("<c:address-data/>", HREF("{card}")), 207, {"Hopper"}},
	    {"PROPFIND", PEOPLE, "0", THUNDERBIRD("<displayname/><cs:getctag/><sync-token/>"), 207, {"sync-token>"}},
	    {"PUT", PEOPLE THUNDERBIRD_CARD ".vcf", NULL,
	        CARD("4.0", THUNDERBIRD_CARD, "EMAIL;PREF=1:ada@x.example\r\n"), 201, {NULL}},
	    {"REPORT", PEOPLE, "1", MULTIGET_OF("<c:address-data/>", HREF(THUNDERBIRD_CARD ".vcf")), 207,
	        {"UID:" THUNDERBIRD_CARD, "ada@x.example"}},
	    {"REPORT", PEOPLE, "1", SYNC("{token}"), 207, {PEOPLE THUNDERBIRD_CARD ".vcf"}},
	    {"DELETE", PEOPLE THUNDERBIRD_CARD ".vcf", NULL, NULL, 403, {NULL}},
	    {"REPORT", PEOPLE, "1", SYNC("urn:never-given"), 400, {"valid-sync-token"}},
	};

	REPLAY("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.1.0", "\"contacts\"", list);
}

TEST(evolution_finds_the_books)
{
	static const struct exchange list[] = {
	    {"PROPFIND", "/dav/", "0",
	        DAVX5(
	            "<displayname/><resourcetype/><current-user-principal/><principal-URL/><CARD:addressbook-home-set/>"
	            "<CARD:addressbook-description/>"),
	        207, {"/dav/principals/{user}/"}},
	    {"PROPFIND", "/dav/principals/{user}/", "0",
	        DAVX5("<displayname/><resourcetype/><current-user-principal/><principal-URL/"
	              "><CARD:addressbook-home-set/>"),
	        207, {BOOKS}},
	    {"PROPFIND", BOOKS, "1",
	        DAVX5("<displayname/><resourcetype/><CARD:addressbook-description/><CARD:supported-address-data/>"),
	        207, {PEOPLE, "addressbook/>"}},
	    {"OPTIONS", PEOPLE, NULL, NULL, 204, {"addressbook"}},
	    {"PROPFIND", PEOPLE, "0", DAVX5("<current-user-privilege-set/>"), 207, {"write"}},
	    {"PROPFIND", PEOPLE, "0", DAVX5("<CS:getctag/>"), 207, {"getctag>"}},
	    {"PROPFIND", PEOPLE, "1", DAVX5("<getetag/>"), 207, {PEOPLE "{card}"}},
	    {"GET", PEOPLE "{card}", NULL, NULL, 200, {"BEGIN:VCARD", "ETag"}},
	};

	REPLAY("Evolution/3.52.3", "\"contacts\"", list);
}

/* A device that only reads is told so, and a key for programs opens nothing. */
TEST(a_device_that_reads_is_told_so)
{
	static const struct exchange list[] = {
	    {"PROPFIND", PEOPLE, "0", DAVX5("<current-user-privilege-set/>"), 207, {"read", "!write"}},
	    {"PUT", PEOPLE "new.vcf", NULL, CARD("3.0", "new", ""), 403, {NULL}},
	};

	REPLAY("DAVx5/4.4.11-ose", "\"contacts\", \"read\"", list);
}
