/* Two devices of one user, on two servers: each learns what the other one writes, under the names that they gave, and
 * in each book that has the card. */
#include <string.h>

#include "test/lib/http/phone_ask.h"
#include "test/lib/http/phone_copy.h"

static struct phone phone, tablet;
static const char *group;

RIG("carddav_devices", .servers = 2);

BEFORE_ALL()
{
	phone = phone_open(&ada, rig.ada.id, "\"contacts\", \"delete\"");
	tablet = phone_open(&ada, rig.ada.id, "\"contacts\", \"delete\"");
	phone_turn(&tablet, servers[1]->base);
	group = POST("{\"name\": \"Sales\", \"visibility\": \"public\"}", "/v1/groups");
}

AFTER_ALL()
{
	phone_free(&phone);
	phone_free(&tablet);
}

static void put_card(const char *book, const char *name, const char *uid, const char *more, int status)
{
	static const struct client_header type[] = {{"Content-Type", "text/vcard; charset=utf-8"}, {NULL, NULL}};
	struct client_reply reply = phone_send(&phone, "PUT", TEXT("%s/%s", book, name),
	    TEXT("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:%s\r\nN:Card;%s;;;\r\nFN:%s Card\r\n%sEND:VCARD\r\n", uid, uid, uid,
	        more),
	    type);

	if (reply.status != status)
		fail_msg("%d %s", reply.status, reply.body);
}

static void delete_card(const char *book, const char *name)
{
	assert_int_equal(phone_send(&phone, "DELETE", TEXT("%s/%s", book, name), NULL, NULL).status, 204);
}

static void expect_told(struct phone_copy *c, size_t n)
{
	assert_int_equal(phone_copy_sync(&tablet, c, 0), n);
	phone_copy_expect_whole(&tablet, c);
}

TEST(cards_of_the_other_device)
{
	struct phone_copy c = {.book = "people"};

	phone_copy_sync(&tablet, &c, 0);
	put_card("people", "FIRST.vcf", "first", "", 201);
	expect_told(&c, 1);
	assert_true(phone_copy_has(&c, "FIRST.vcf"));
	put_card("people", "FIRST.vcf", "first", "TITLE:Baker\r\n", 204);
	expect_told(&c, 1);
	put_card("people", "FIRST.vcf", "first", "TITLE:Baker\r\nX-SHOE:43\r\n", 204); /* only what is kept */
	expect_told(&c, 1);
	delete_card("people", "FIRST.vcf");
	expect_told(&c, 1);
	assert_false(phone_copy_has(&c, "FIRST.vcf"));
}

/* The name is given to another card. */
TEST(name_is_used_again)
{
	struct phone_copy c = {.book = "people"};

	put_card("people", "AGAIN.vcf", "one", "", 201);
	phone_copy_sync(&tablet, &c, 0);
	delete_card("people", "AGAIN.vcf");
	put_card("people", "AGAIN.vcf", "two", "", 201);
	phone_copy_sync(&tablet, &c, 0);
	assert_true(phone_copy_has(&c, "AGAIN.vcf"));
	phone_copy_expect_whole(&tablet, &c);
	delete_card("people", "AGAIN.vcf");
	expect_told(&c, 1);
}

/* A card made in the group's book is in both. Removed there, it leaves only the group. */
TEST(card_of_a_group)
{
	struct phone_copy people = {.book = "people"}, of_group = {.book = group};

	phone_copy_sync(&tablet, &people, 0);
	phone_copy_sync(&tablet, &of_group, 0);
	put_card(group, "SALES.vcf", "sales", "", 201);
	expect_told(&people, 1);
	expect_told(&of_group, 1);
	assert_true(phone_copy_has(&of_group, "SALES.vcf") && !phone_copy_has(&people, "SALES.vcf"));
	put_card(group, "SALES.vcf", "sales", "X-SHOE:44\r\n", 204);
	expect_told(&people, 1);
	expect_told(&of_group, 1);
	delete_card(group, "SALES.vcf");
	expect_told(&of_group, 1);
	expect_told(&people, 1);
	assert_int_equal(of_group.n, 0);
	put_card(group, "SALES.vcf", "sales", "", 201); /* the same person joins again */
	expect_told(&of_group, 1);
	assert_true(phone_copy_has(&of_group, "SALES.vcf"));
}

/* A card of the one book joins the other one by its UID, under a name of its own there. */
TEST(same_card_in_two_books)
{
	struct phone_copy people = {.book = "people"}, of_group = {.book = group};
	size_t before;

	put_card("people", "BOTH.vcf", "both", "", 201);
	phone_copy_sync(&tablet, &people, 0);
	phone_copy_sync(&tablet, &of_group, 0);
	before = people.n;
	put_card(group, "IN-GROUP.vcf", "both", "", 201);
	expect_told(&people, 1);
	expect_told(&of_group, 1);
	assert_int_equal(people.n, before);
	assert_true(phone_copy_has(&people, "BOTH.vcf") && phone_copy_has(&of_group, "IN-GROUP.vcf"));
	delete_card("people", "BOTH.vcf");
	expect_told(&people, 1);
	expect_told(&of_group, 1);
	assert_false(phone_copy_has(&of_group, "IN-GROUP.vcf"));
}
