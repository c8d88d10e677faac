/* addressbook-query: the cards that a filter takes, of a whole book or of a group's. */
#include <string.h>

#include "test/lib/http/phone_copy.h"
#include "test/lib/kith.h"

static struct phone phone; /* of Ben, who is a member */
static const char *group;

RIG("carddav_query");

static const char *make_person(const char *body)
{
	return POST(body, "/v1/people");
}

BEFORE_ALL()
{
	const struct json *key =
	    KITH_JSON("key", "create", "--user", rig.ben.id, "--scope", "contacts", "--name", "Phone");

	phone_init(&phone, servers[0]->base, rig.ben.id, command_text(key, "key"));
	group = POST("{\"name\": \"Bakers\", \"visibility\": \"public\"}", "/v1/groups");
	make_person("{\"firstName\": \"Zo\\u00eb\", \"lastName\": \"Apfel\", \"emails\": [\"zoe@example.com\"]}");
	make_person(TEXT("{\"firstName\": \"Ada\", \"emails\": [\"ada@example.com\", \"lovelace@work.example\"], "
	                 "\"groups\": [{\"id\": \"%s\"}]}",
	    group));
	make_person(
	    TEXT("{\"firstName\": \"Ben\", \"phones\": [\"+49 30 1234567\"], \"groups\": [{\"id\": \"%s\"}]}", group));
}

AFTER_ALL()
{
	phone_free(&phone);
}

static struct phone_cards query_book(const char *book, const char *props, const char *filter, const char *limit)
{
	static const struct client_header depth[] = {{"Depth", "1"}, {NULL, NULL}};
	const char *body = TEXT("<c:addressbook-query xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:carddav\">"
	                        "<d:prop>%s</d:prop>%s%s</c:addressbook-query>",
	    props, filter, limit);
	struct client_reply reply = phone_send(&phone, "REPORT", TEXT("%s/", book), body, depth);

	return phone_cards_read(&phone, &reply);
}

static const char *text_filter(const char *property, const char *text)
{
	return TEXT("<c:filter><c:prop-filter name=\"%s\"><c:text-match>%s</c:text-match></c:prop-filter></c:filter>",
	    property, text);
}

/* The names on the cards that match, in order. */
static const char *names_found(const char *book, const char *filter)
{
	struct phone_cards got = query_book(book, "<d:getetag/><c:address-data/>", filter, "");
	const char *out = "", *name;

	if (got.status != 207)
		fail_msg("%d %s", got.status, got.body);
	for (size_t i = 0; i < got.n; i++) {
		assert_true(*got.cards[i].tag);
		name = strstr(got.cards[i].text, "\nFN:");
		assert_non_null(name);
		out = TEXT("%s%s%.*s", out, *out ? "," : "", (int)strcspn(name + 4, "\r&"), name + 4);
	}
	return out;
}

TEST(filters_find_cards)
{
	assert_string_equal(names_found("people", text_filter("EMAIL", "EXAMPLE.com")), "Zo\xc3\xab Apfel,Ada");
	assert_string_equal(names_found("people", text_filter("FN", "ZO\xc3\x8b")), "Zo\xc3\xab Apfel");
	assert_string_equal(names_found("people", text_filter("TEL", "1234")), "Ben");
	assert_string_equal(names_found("people", text_filter("FN", "nobody")), "");
	assert_string_equal(
	    names_found(
	        "people", "<c:filter><c:prop-filter name=\"EMAIL\"><c:is-not-defined/></c:prop-filter></c:filter>"),
	    "Ben");
	assert_string_equal(names_found(group, text_filter("FN", "")), "Ada,Ben");
	assert_string_equal(names_found("companies", ""), "");
}

/* A filter that takes all cards needs no cards. */
TEST(names_and_tags_of_all)
{
	static const char all[] = "<c:filter><c:prop-filter name=\"FN\"/></c:filter>";
	struct phone_cards tags = query_book("people", "<d:getetag/>", all, ""),
	                   texts = query_book("people", "<d:getetag/><c:address-data/>", all, "");

	assert_int_equal(tags.status, 207);
	assert_int_equal(tags.n, 3);
	assert_int_equal(texts.n, 3);
	for (size_t i = 0; i < tags.n; i++) {
		assert_string_equal(tags.cards[i].name, texts.cards[i].name);
		assert_string_equal(tags.cards[i].tag, texts.cards[i].tag);
		assert_null(strstr(tags.cards[i].text, "VCARD"));
		assert_non_null(strstr(texts.cards[i].text, "BEGIN:VCARD"));
	}
	assert_int_equal(query_book("people", "<d:getetag/>", "", "").n, 3);
}

TEST(limits_of_answers)
{
	static const char one[] = "<c:limit><c:nresults>1</c:nresults></c:limit>",
	                  two[] = "<c:limit><c:nresults>2</c:nresults></c:limit>",
	                  zero[] = "<c:limit><c:nresults>0</c:nresults></c:limit>",
	                  odd[] = "<c:limit><c:nresults>some</c:nresults></c:limit>";
	struct phone_cards got = query_book("people", "<d:getetag/>", "", two);

	assert_true(got.n == 2 && got.cut);
	assert_non_null(strstr(got.body, "number-of-matches-within-limits"));
	got = query_book("people", "<d:getetag/>", text_filter("EMAIL", "example.com"), one);
	assert_true(got.n == 1 && got.cut);
	got = query_book("people", "<d:getetag/>", text_filter("EMAIL", "example.com"), two);
	assert_true(got.n == 2 && !got.cut);
	assert_int_equal(query_book("people", "<d:getetag/>", "", zero).status, 507);
	assert_int_equal(query_book("people", "<d:getetag/>", "", odd).status, 400);
}

TEST(filters_that_are_wrong)
{
	struct phone_cards got = query_book("people", "<d:getetag/>",
	    "<c:filter><c:prop-filter name=\"FN\"><c:text-match "
	    "collation=\"i;none\">a</c:text-match></c:prop-filter></c:filter>",
	    "");

	assert_int_equal(got.status, 403);
	assert_non_null(strstr(got.body, "supported-collation"));
	got = query_book("people", "<d:getetag/>", "<c:filter><c:comp-filter name=\"VCARD\"/></c:filter>", "");
	assert_int_equal(got.status, 403);
	assert_non_null(strstr(got.body, "supported-filter"));
	got = query_book("people", "<d:getetag/>", "<c:filter><c:prop-filter/></c:filter>", "");
	assert_int_equal(got.status, 400);
}

/* There are more cards than are read together. The filter takes some of each page. */
TEST(several_pages)
{
	struct phone_cards got;

	for (int i = 0; i < 230; i++)
		make_person(TEXT("{\"firstName\": \"Page%d\", \"jobTitle\": \"%s\"}", i, i % 10 ? "Reader" : "Turner"));
	got = query_book("people", "<d:getetag/><c:address-data/>", text_filter("TITLE", "turner"), "");
	assert_true(got.n == 23 && !got.cut);
	got = query_book("people", "<d:getetag/>", text_filter("TITLE", "Reader"), "");
	assert_int_equal(got.n, 207);
}

/* sync-collection with the cards themselves, as some clients want it: the whole book, and what has changed. */
TEST(sync_with_cards)
{
	static const char body[] =
	    "<d:sync-collection xmlns:d=\"DAV:\" "
	    "xmlns:c=\"urn:ietf:params:xml:ns:carddav\"><d:sync-token>%s</d:sync-token>"
	    "<d:sync-level>1</d:sync-level><d:prop><d:getetag/><c:address-data/></d:prop></d:sync-collection>";
	struct client_reply reply = phone_send(&phone, "REPORT", "people/", TEXT(body, ""), NULL);
	struct phone_cards got = phone_cards_read(&phone, &reply);
	const char *gone;

	assert_int_equal(got.status, 207);
	assert_true(got.n > 200 && !got.cut);
	for (size_t i = 0; i < got.n; i++)
		assert_non_null(strstr(got.cards[i].text, "BEGIN:VCARD"));
	gone = make_person("{\"firstName\": \"Gone\"}");
	for (int i = 0; i < 130; i++)
		make_person("{\"firstName\": \"Late\"}");
	caller_good(SEND("DELETE", NULL, "/v1/people/%s", gone));
	phone_await_readable();
	reply = phone_send(&phone, "REPORT", "people/", TEXT(body, got.token), NULL);
	got = phone_cards_read(&phone, &reply);
	assert_true(got.n == 131 && !got.cut);
	for (size_t i = 0; i < got.n; i++)
		if (got.cards[i].status == 200)
			assert_non_null(strstr(got.cards[i].text, "FN:Late"));
	assert_int_equal(phone_card_named(&got, TEXT("%s.vcf", gone))->status, 404);
}
