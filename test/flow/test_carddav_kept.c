/* What is kept of cards beside their records: where it goes, and who must not see it. And what the names of cards lead
 * to. */
#include <string.h>

#include "test/lib/http/card_device.h"
#include "test/lib/rows.h"

RIG("carddav_kept");

static struct caller phone; /* Ada's */

BEFORE_ALL()
{
	phone = device_open(server, "[\"contacts\"]");
}

AFTER_ALL()
{
	caller_free(&phone);
}

/* Creates a person by a card of that name; returns the id. */
static const char *make_card(const char *name, const char *lines)
{
	struct client_reply reply = device_send(&phone, "PUT", card_path("people", TEXT("%s.vcf", name)),
	    card_text(name, name, lines), "If-None-Match", "*");

	EXPECT(reply, 201);
	return TEXT("%.40s", strstr(client_header(&reply, "Location"), "per_"));
}

static const char *read_card(struct caller *c, const char *path)
{
	struct client_reply reply = device_send(c, "GET", path, NULL, NULL, NULL);

	EXPECT(reply, 200);
	return reply.body;
}

/* The tag of the card stays, so Ben's device still has the name of the group. */
TEST(a_private_group_that_was_left_is_not_told)
{
	const char *secret = POST("{\"name\": \"Secret\", \"visibility\": \"private\"}", "/v1/groups"),
	           *id = POST(TEXT("{\"firstName\": \"P\", \"groups\": [{\"id\": \"%s\"}]}", secret), "/v1/people"),
	           *path = TEXT("/dav/books/%s/people/%s.vcf", rig.ben.id, id), *old, *tag;
	struct caller device = device_of(&ben, server, "[\"contacts\"]");
	struct client_reply reply;

	MAKE(TEXT("{\"id\": \"%s\", \"role\": \"reader\"}", rig.ben.id), "/v1/groups/%s/members", secret);
	reply = device_send(&device, "GET", path, NULL, NULL, NULL);
	EXPECT(reply, 200);
	old = reply.body;
	tag = client_header(&reply, "ETag");
	assert_non_null(strstr(old, "CATEGORIES:Secret\r\n"));
	caller_good(SEND("DELETE", NULL, "/v1/groups/%s/members/%s", secret, rig.ben.id));
	EXPECT(
	    device_send(&device, "PUT", path,
	        TEXT("%.*sNICKNAME:Pip\r\nEND:VCARD\r\n", (int)(strstr(old, "END:VCARD") - old), old), "If-Match", tag),
	    204);
	old = read_card(&device, path);
	assert_non_null(strstr(old, "NICKNAME:Pip\r\n"));
	assert_null(strstr(old, "Secret"));
	caller_free(&device);
}

/* The person has left the group by the API, so the device's name leads to nothing in its book. */
TEST(a_name_of_a_person_who_left_can_be_used_again)
{
	const char *path =
	               card_path(POST("{\"name\": \"Left\", \"visibility\": \"public\"}", "/v1/groups"), "left.vcf"),
	           *card = card_text("", "left", "");
	struct client_reply reply = device_send(&phone, "PUT", path, card, "If-None-Match", "*");

	EXPECT(reply, 201);
	caller_good(SEND("PATCH", "{\"groups\": []}", "/v1/people/%s",
	    TEXT("%.40s", strstr(client_header(&reply, "Location"), "per_"))));
	EXPECT(device_send(&phone, "PUT", path, card, "If-None-Match", "*"), 201);
	EXPECT(device_send(&phone, "PUT", path, card_text("", "other", ""), "If-None-Match", "*"), 412);
	assert_int_equal(rig_int(&rig, "select count(*) from people where full_name = 'left'"), 2);
}

/* A device that still has a group's old name tells nobody. */
TEST(an_old_name_of_a_group_is_not_kept)
{
	const char *group = POST("{\"name\": \"Lay-offs\", \"visibility\": \"private\"}", "/v1/groups"),
	           *id = make_card("renamed", ""), *path = card_path("people", TEXT("%s.vcf", id)), *card;

	caller_good(SEND("PATCH", "{\"name\": \"Plan B\"}", "/v1/groups/%s", group));
	EXPECT(device_send(&phone, "PUT", path,
	           card_text("renamed", "renamed", "CATEGORIES:Lay-offs,Friends,Plan B\r\n"), NULL, NULL),
	    204);
	card = read_card(&phone, path);
	assert_non_null(strstr(card, "CATEGORIES:Friends\r\n"));
	assert_null(strstr(card, "Lay-offs"));
}

/* Devices read the card again, though no field of the winner changes. */
TEST(a_merge_that_moves_a_card_is_told)
{
	const char *winner = POST("{\"firstName\": \"Same\"}", "/v1/people"), *loser = make_card("Same", "X-A:1\r\n"),
	           *path = card_path("people", TEXT("%s.vcf", winner));
	struct client_reply before = device_send(&phone, "GET", path, NULL, NULL, NULL), after;

	caller_good(SEND("POST", TEXT("{\"id\": \"%s\"}", loser), "/v1/people/%s/merge", winner));
	after = device_send(&phone, "GET", path, NULL, NULL, NULL);
	assert_non_null(strstr(after.body, "X-A:1\r\n"));
	assert_string_not_equal(client_header(&before, "ETag"), client_header(&after, "ETag"));
	assert_non_null(
	    strstr(caller_get(&ada, TEXT("/v1/events?record=%s", winner)).reply.body, "{\"path\":[\"card\"],"));
}

/* The winner's card has a UID, and properties or none. Equal ones are kept once, and labels stay with what they label.
 */
TEST(merged_cards_keep_their_properties)
{
	const char *winner = make_card("winner", "TEL:1\r\n"),
	           *loser = make_card("loser", "item1.TEL:2\r\nitem1.X-ABLabel:Boat\r\nX-A:1\r\nX-C:1\r\n"),
	           *rich = make_card("rich", "item1.TEL:3\r\nitem1.X-ABLabel:Car\r\nX-B:1\r\nX-C:1\r\n"),
	           *path = card_path("people", "winner.vcf"), *card;

	caller_good(SEND("POST", TEXT("{\"id\": \"%s\"}", loser), "/v1/people/%s/merge", winner));
	card = read_card(&phone, path);
	assert_non_null(strstr(card, "UID:winner\r\n"));
	assert_non_null(strstr(card, "item1.TEL:2\r\n"));
	assert_non_null(strstr(card, "X-A:1\r\n"));
	caller_good(SEND("POST", TEXT("{\"id\": \"%s\"}", winner), "/v1/people/%s/merge", rich));
	card = read_card(&phone, card_path("people", "rich.vcf"));
	assert_non_null(strstr(card, "UID:rich\r\n"));
	assert_non_null(strstr(card, "X-A:1\r\n"));
	assert_non_null(strstr(card, "X-B:1\r\n"));
	assert_null(strstr(strstr(card, "X-C:1\r\n") + 1, "X-C:1\r\n"));
	assert_non_null(strstr(card, "item1.TEL:3\r\n"));
	assert_non_null(strstr(card, "item1.X-ABLabel:Car\r\n"));
	assert_non_null(strstr(card, "item1x.TEL:2\r\n"));
	assert_non_null(strstr(card, "item1x.X-ABLabel:Boat\r\n"));
}

/* With a group, the users' choices for its book and the names of the book's cards are deleted. */
TEST(a_deleted_group_leaves_no_rows)
{
	const char *group = POST("{\"name\": \"Ends\", \"visibility\": \"public\"}", "/v1/groups");

	EXPECT(
	    device_send(&phone, "PUT", card_path(group, "ends.vcf"), card_text("ends", "Ends", ""), NULL, NULL), 201);
	caller_good(SEND("PATCH", "{\"shown\": true}", "/v1/address-books/%s", group));
	await_rows(1, "card_names where book = '%s'", group);
	await_rows(1, "address_books where book = '%s'", group);
	caller_good(SEND("DELETE", NULL, "/v1/groups/%s", group));
	await_rows(0, "card_names where book = '%s'", group);
	await_rows(0, "address_books where book = '%s'", group);
}

/* The number of a conference stays on the devices. */
TEST(a_number_that_no_field_takes)
{
	static const char number[] = "TEL;TYPE=WORK:+1 408 638 0968,,1234567890#,,,,*123456#\r\n";
	const char *id = make_card("long", TEXT("TEL:1\r\n%s", number)), *path = card_path("people", "long.vcf");

	assert_non_null(strstr(caller_get(&ada, TEXT("/v1/people/%s", id)).reply.body, "\"phones\":[\"1\"]"));
	caller_good(caller_send(&ada, "PATCH", TEXT("/v1/people/%s", id), NULL, "{\"phones\": [\"2\"]}"));
	assert_non_null(strstr(read_card(&phone, path), number));
	assert_non_null(strstr(read_card(&phone, path), "TEL:2\r\n"));
}
