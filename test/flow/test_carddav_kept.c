/* What is kept of cards beside their records: where it goes, and who must not see it. */
#include <string.h>

#include "test/lib/http/card_device.h"

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
