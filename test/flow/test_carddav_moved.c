/* A device's token outlives its installation: the workspace is exported and imported into another one, and the device
 * goes on with what happened since. */
#include <string.h>

#include "test/lib/http/phone.h"
#include "test/lib/kith.h"
#include "test/lib/server/cells.h"

static struct cell other;

RIG("carddav_moved");

BEFORE_ALL()
{
	cell_open(&other, &rig.arena, rig.program->path, NULL, "other");
}

AFTER_ALL()
{
	cell_close(&other);
}

static const char *make_person(const char *name)
{
	return POST(TEXT("{\"firstName\": \"%s\"}", name), "/v1/people");
}

static void move_workspace(void)
{
	const char *file = TEXT("%s/workspace.kith", rig.program->data_dir),
	           *key = TEXT("%s/key", rig.program->data_dir);

	rig_write(key, "0123456789abcdef0123456789abcdef\n");
	assert_true(server_stop(server));
	assert_int_equal(KITH("workspace", "export", rig.workspace.id, "-o", file, "--file-key", key), 0);
	assert_int_equal(KITH_OF(&other.program, "workspace", "import", file, "--file-key", key), 0);
	cell_serve(&other, NULL);
}

static const struct phone_card *card_of(const struct phone_cards *got, const char *id)
{
	return phone_card_named(got, TEXT("%s.vcf", id));
}

TEST(token_goes_on_after_a_move)
{
	const char *gone = make_person("Gone"), *stays = make_person("Stays"), *made, *later;
	struct phone phone;
	struct phone_cards first, part, second, third;

	phone_init(&phone, server->base, rig.ben.id,
	    command_text(KITH_JSON("key", "create", "--user", rig.ben.id, "--scope", "contacts"), "key"));
	first = phone_sync(&phone, "people", "", 0);
	part = phone_sync(&phone, "people", "", 1);
	assert_true(first.n == 2 && part.n == 1 && part.cut);
	made = make_person("New");
	caller_good(SEND("DELETE", NULL, "/v1/people/%s", gone));
	move_workspace();
	phone_turn(&phone, other.server->base);
	second = phone_sync(&phone, "people", first.token, 0);
	assert_int_equal(second.status, 207);
	assert_int_equal(second.n, 2);
	assert_int_equal(card_of(&second, made)->status, 200);
	assert_int_equal(card_of(&second, gone)->status, 404);
	part = phone_sync(&phone, "people", part.token, 0); /* the rest of a listing */
	assert_int_equal(part.n, 2);
	assert_int_equal(card_of(&part, stays)->status, 200);
	caller_turn(&ada, other.server->base);
	later = make_person("Later");
	third = phone_sync(&phone, "people", second.token, 0);
	assert_int_equal(third.n, 1);
	assert_non_null(card_of(&third, later));
	phone_free(&phone);
}
