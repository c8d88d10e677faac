/* Address books with more cards, and more changes, than one statement reads. */
#include <string.h>

#include "test/lib/http/phone_copy.h"
#include "test/lib/kith.h"

enum { CARDS = 2600 };

static struct phone phone;

RIG("carddav_many");

BEFORE_ALL()
{
	phone_init(&phone, servers[0]->base, rig.ben.id,
	    command_text(KITH_JSON("key", "create", "--user", rig.ben.id, "--scope", "contacts"), "key"));
	SQL("insert into people (workspace_id, id, first_name, full_name, created_at, created_by, updated_at) select "
	    "'%s', gen_random_uuid(), 'Many', 'Many', now(), '%s', now() from generate_series(1, %d)",
	    rig.workspace.id + 4, rig.ada.id + 4, CARDS);
}

AFTER_ALL()
{
	phone_free(&phone);
}

/* Two events of each card. They come in different statements. */
static void touch_all(void)
{
	SQL("insert into events (workspace_id, id, type, record_id) select workspace_id, gen_random_uuid(), "
	    "'person.updated', id from people, generate_series(1, 2) i where %s order by i, id",
	    rig.own);
	phone_await_readable();
}

TEST(each_change_is_told_once)
{
	struct phone_cards first, second;

	phone_await_readable();
	first = phone_sync(&phone, "people", "", 0);
	assert_true(first.n == CARDS && !first.cut);
	touch_all();
	second = phone_sync(&phone, "people", first.token, 0);
	assert_true(second.n == CARDS && !second.cut);
	assert_int_equal(phone_sync(&phone, "people", second.token, 0).n, 0);
}

/* With a limit that no statement reaches, the parts go on until nothing is left. */
TEST(limits_above_a_page)
{
	struct phone_cards got = phone_sync(&phone, "people", "", 1500);
	size_t n = got.n;

	assert_true(got.n == 1500 && got.cut);
	got = phone_sync(&phone, "people", got.token, 1500);
	assert_true(got.n == CARDS - n && !got.cut);
	touch_all();
	for (n = 0; n < 100; n++) {
		got = phone_sync(&phone, "people", got.token, 1500);
		assert_true(got.n > 0 && got.n <= 1500);
		if (!got.cut)
			break;
	}
	assert_true(n > 0 && n < 100);
}

/* Many events of other records are not changes of the book, and no reason to list it again. */
TEST(events_of_others)
{
	struct phone_cards got = phone_sync(&phone, "people", "", 0);

	SQL("insert into events (workspace_id, id, type, record_id) select '%s', gen_random_uuid(), 'note.created', "
	    "gen_random_uuid() from generate_series(1, 45000)",
	    rig.workspace.id + 4);
	SQL("insert into events (workspace_id, id, type, record_id) select workspace_id, gen_random_uuid(), "
	    "'person.updated', id from people where %s limit 1",
	    rig.own);
	phone_await_readable();
	got = phone_sync(&phone, "people", got.token, 0);
	assert_true(got.n == 1 && !got.cut);
	SQL("insert into events (workspace_id, id, type, record_id) select '%s', gen_random_uuid(), 'note.created', "
	    "gen_random_uuid() from generate_series(1, 45000)",
	    rig.workspace.id + 4);
	phone_await_readable();
	got = phone_sync(&phone, "people", got.token, 0);
	assert_true(got.n == 0 && !got.cut);
	assert_int_equal(phone_sync(&phone, "people", got.token, 0).n, 0);
}

static void move_events_back(int days)
{
	SQL("update events set created_at = created_at - interval '%d days' where workspace_id = '%s' and created_at > "
	    "now() - interval '1 day'",
	    days, rig.workspace.id + 4);
}

/* A device comes back when nothing has happened for days, but something before that. */
TEST(changes_before_a_silence)
{
	struct phone_cards got;

	touch_all();
	move_events_back(10);
	got = phone_sync(&phone, "people", "", 0);
	touch_all();
	move_events_back(5);
	got = phone_sync(&phone, "people", got.token, 0);
	assert_int_equal(got.n, CARDS);
	assert_int_equal(phone_sync(&phone, "people", got.token, 0).n, 0);
}

/* A database that was restored lacks the event of the token, and so perhaps other changes that the device has seen. It
 * does not have it either when new events have later positions. The device begins anew. */
TEST(token_of_a_lost_event)
{
	struct phone_cards got, begun;

	touch_all();
	got = phone_sync(&phone, "people", "", 0);
	assert_int_equal(phone_sync(&phone, "people", got.token, 0).status, 207);
	SQL("delete from events where type = 'person.updated'");
	for (int i = 0; i < 2; i++) {
		begun = phone_sync(&phone, "people", got.token, 0);
		assert_int_equal(begun.status, 403);
		assert_non_null(strstr(begun.body, "valid-sync-token"));
		touch_all();
	}
	begun = phone_sync(&phone, "people", "", 0);
	assert_int_equal(begun.n, CARDS);
	assert_int_equal(phone_sync(&phone, "people", begun.token, 0).n, 0);
}
