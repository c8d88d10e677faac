/* sync-collection: a device that follows an address book has what the book has, whatever happens between two of its
 * requests, and reads only what has changed. */
#include <libpq-fe.h>
#include <string.h>

#include "test/lib/http/phone_copy.h"
#include "test/lib/kith.h"
#include "test/lib/rows.h"

enum { SERVERS = 2 };

static struct phone phone; /* of Ben, who is a member */

RIG("carddav_sync", .servers = SERVERS);

static const char *phone_key(const char *user)
{
	return command_text(KITH_JSON("key", "create", "--user", user, "--scope", "contacts,delete"), "key");
}

BEFORE_ALL()
{
	phone_init(&phone, servers[0]->base, rig.ben.id, phone_key(rig.ben.id));
}

AFTER_ALL()
{
	phone_free(&phone);
}

/* --- records -------------------------------------------------------------------------------- */

static const char *make_person(const char *name)
{
	return POST(TEXT("{\"firstName\": \"%s\"}", name), "/v1/people");
}

static const char *make_member(const char *name, const char *group)
{
	return POST(TEXT("{\"firstName\": \"%s\", \"groups\": [{\"id\": \"%s\"}]}", name, group), "/v1/people");
}

static void patch_person(const char *id, const char *body)
{
	caller_good(SEND("PATCH", body, "/v1/people/%s", id));
}

static void delete_person(const char *id)
{
	caller_good(SEND("DELETE", NULL, "/v1/people/%s", id));
}

static const char *make_group(const char *visibility)
{
	return POST(TEXT("{\"name\": \"Book\", \"visibility\": \"%s\"}", visibility), "/v1/groups");
}

static void join_group(const char *group, const char *user)
{
	caller_good(
	    SEND("POST", TEXT("{\"id\": \"%s\", \"role\": \"contributor\"}", user), "/v1/groups/%s/members", group));
}

/* The property of the book, which clients ask before they sync. */
static const char *book_property(const char *book, const char *name, const char *space)
{
	static const struct client_header depth[] = {{"Depth", "0"}, {NULL, NULL}};
	const char *body =
	    TEXT("<d:propfind xmlns:d=\"DAV:\"><d:prop><x:%s xmlns:x=\"%s\"/></d:prop></d:propfind>", name, space);
	struct client_reply reply = phone_send(&phone, "PROPFIND", TEXT("%s/", book), body, depth);

	assert_int_equal(reply.status, 207);
	return phone_text(&phone, reply.body, name);
}

/* --- one device ----------------------------------------------------------------------------- */

TEST(every_change_is_told_once)
{
	struct phone_copy c = {.book = "people"};
	const char *kept = make_person("Kept"), *gone = make_person("Gone"), *made;

	phone_copy_sync(&phone, &c, 0);
	assert_true(phone_copy_has(&c, kept) && phone_copy_has(&c, gone));
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 0);
	patch_person(kept, "{\"jobTitle\": \"Baker\"}");
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	made = make_person("New");
	delete_person(gone);
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 2);
	assert_true(phone_copy_has(&c, made) && !phone_copy_has(&c, gone));
	phone_copy_expect_whole(&phone, &c);
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 0);
}

TEST(a_card_is_told_once_for_many_changes)
{
	struct phone_copy c = {.book = "people"};
	const char *id = make_person("Busy");

	phone_copy_sync(&phone, &c, 0);
	for (int i = 0; i < 5; i++)
		patch_person(id, TEXT("{\"jobTitle\": \"Job %d\"}", i));
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	phone_copy_expect_whole(&phone, &c);
}

/* Created and deleted meanwhile: the card is told as a removal. A device that does not know it ignores that. */
TEST(card_of_a_moment)
{
	const char *group = make_group("public"), *id;
	struct phone_copy c = {.book = group}, all = {.book = "people"};

	phone_copy_sync(&phone, &c, 0);
	phone_copy_sync(&phone, &all, 0);
	id = make_member("Mayfly", group);
	patch_person(id, "{\"groups\": []}");
	delete_person(id);
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	assert_int_equal(c.n, 0);
	assert_int_equal(phone_copy_sync(&phone, &all, 0), 1);
	assert_false(phone_copy_has(&all, id));
}

static void name_card(const char *book, const char *id, const char *name)
{
	SQL("insert into card_names (workspace_id, user_id, book, name, record_id) values ('%s', '%s', '%s', '%s', "
	    "'%s')",
	    rig.workspace.id + 4, rig.ben.id + 4, book, name, id + 4);
}

/* A card has the name that a device of its user gave, also when it is told as removed. */
TEST(names_of_clients)
{
	const char *group = make_group("public"), *id = make_member("Named", group);
	struct phone_copy c = {.book = "people"}, of_group = {.book = group};

	name_card("people", id, "MY-OWN.vcf");
	phone_copy_sync(&phone, &c, 0);
	phone_copy_sync(&phone, &of_group, 0);
	assert_true(phone_copy_has(&c, "MY-OWN") && !phone_copy_has(&c, id));
	assert_true(phone_copy_has(&of_group, id) && !phone_copy_has(&of_group, "MY-OWN"));
	patch_person(id, "{\"jobTitle\": \"Baker\"}");
	phone_copy_sync(&phone, &c, 0);
	phone_copy_expect_whole(&phone, &c);
	delete_person(id);
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	assert_false(phone_copy_has(&c, "MY-OWN"));
	assert_rows(1, "card_names where name = 'MY-OWN.vcf' and gone_at is not null");
}

/* A device has removed the card from the group: the name that it gave to the card in that book is deleted. */
TEST(name_ends_with_the_membership)
{
	const char *group = make_group("public"), *id = make_member("Named", group);
	struct phone_copy c = {.book = group};

	name_card(group, id, "IN-GROUP.vcf");
	phone_copy_sync(&phone, &c, 0);
	assert_true(phone_copy_has(&c, "IN-GROUP"));
	patch_person(id, "{\"groups\": []}");
	assert_int_equal(rows_change("update card_names set gone_at = now() where name = 'IN-GROUP.vcf'"), 1);
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	assert_int_equal(c.n, 0);
	patch_person(id, TEXT("{\"groups\": [{\"id\": \"%s\"}]}", group));
	phone_copy_sync(&phone, &c, 0);
	assert_true(phone_copy_has(&c, id) && !phone_copy_has(&c, "IN-GROUP"));
	phone_copy_expect_whole(&phone, &c);
}

/* Names of removed cards go when the events of the removals have expired. The clock of the server that runs the jobs is
 * faster, and so are its 90 days. */
TEST(names_expire)
{
	const char *old = make_person("Old name"), *fresh = make_person("Fresh name");
	struct server_process *fast;

	name_card("people", old, "OLD.vcf");
	name_card("people", fresh, "FRESH.vcf");
	delete_person(old);
	delete_person(fresh);
	assert_int_equal(
	    rows_change("update card_names set gone_at = now() - interval '91 days' where name = 'OLD.vcf'"), 1);
	fast = rig_serve(&rig, false, (const char *const[]){"clock_scale=3600", NULL});
	await_rows(0, "card_names where name = 'OLD.vcf'");
	assert_rows(1, "card_names where name = 'FRESH.vcf'");
	assert_true(server_stop(fast));
}

TEST(merged_people)
{
	struct phone_copy c = {.book = "people"};
	const char *winner = make_person("Winner"), *loser = make_person("Loser");

	phone_copy_sync(&phone, &c, 0);
	caller_good(SEND("POST", TEXT("{\"id\": \"%s\"}", loser), "/v1/people/%s/merge", winner));
	phone_copy_sync(&phone, &c, 0);
	assert_true(phone_copy_has(&c, winner) && !phone_copy_has(&c, loser));
	phone_copy_expect_whole(&phone, &c);
}

TEST(book_of_companies)
{
	struct phone_copy c = {.book = "companies"}, people = {.book = "people"};
	const char *id;

	phone_copy_sync(&phone, &c, 0);
	phone_copy_sync(&phone, &people, 0);
	id = POST("{\"name\": \"Looms\"}", "/v1/companies");
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	assert_true(phone_copy_has(&c, id));
	assert_int_equal(phone_copy_sync(&phone, &people, 0), 0);
	caller_good(SEND("DELETE", NULL, "/v1/companies/%s", id));
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	phone_copy_expect_whole(&phone, &c);
}

/* --- groups --------------------------------------------------------------------------------- */

TEST(book_of_a_group)
{
	const char *group = make_group("public"), *inside = make_member("Inside", group), *id = make_person("Guest");
	struct phone_copy c = {.book = group};

	phone_copy_sync(&phone, &c, 0);
	assert_int_equal(c.n, 1);
	patch_person(id, TEXT("{\"groups\": [{\"id\": \"%s\"}]}", group));
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	assert_true(phone_copy_has(&c, id));
	patch_person(id, "{\"jobTitle\": \"Baker\"}");
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	patch_person(id, "{\"groups\": []}");
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	assert_false(phone_copy_has(&c, id));
	patch_person(id, "{\"jobTitle\": \"Miller\"}");
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 0);
	delete_person(inside);
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 1);
	assert_int_equal(c.n, 0);
}

/* A book's token and getctag move only for its own events, and PROPFIND shows the token that sync-collection gives. */
TEST(token_moves_only_for_its_book)
{
	const char *group = make_group("public"), *id = make_member("Quiet", group), *before, *after;
	struct phone_copy c = {.book = group};

	phone_copy_sync(&phone, &c, 0);
	before = book_property(group, "sync-token", "DAV:");
	assert_true(*before);
	assert_string_equal(before, c.token);
	for (int i = 0; i < 5; i++)
		patch_person(make_person("Loud"), "{\"jobTitle\": \"Drummer\"}");
	MAKE(TEXT("{\"content\": \"A note\", \"visibility\": \"public\", \"entity\": {\"id\": \"%s\"}}", id),
	    "/v1/notes");
	assert_string_equal(book_property(group, "sync-token", "DAV:"), before);
	assert_string_equal(book_property(group, "getctag", "http://calendarserver.org/ns/"), before);
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 0);
	assert_string_equal(c.token, before);
	patch_person(id, "{\"jobTitle\": \"Mime\"}");
	phone_await_readable();
	after = book_property(group, "getctag", "http://calendarserver.org/ns/");
	assert_string_not_equal(after, before);
	phone_copy_sync(&phone, &c, 0);
	assert_string_equal(c.token, after);
}

/* --- parts ---------------------------------------------------------------------------------- */

TEST(first_listing_in_parts)
{
	const char *group = make_group("public"), *ids[10], *late;
	struct phone_copy c = {.book = group};
	struct phone_cards got;

	for (int i = 0; i < 10; i++)
		ids[i] = make_member("Part", group);
	phone_await_readable();
	got = phone_sync(&phone, group, "", 4);
	assert_true(got.cut && got.n == 4);
	c.token = got.token;
	for (size_t i = 0; i < got.n; i++)
		phone_copy_apply(&c, &got.cards[i]);
	delete_person(ids[0]); /* listed already */
	delete_person(ids[9]); /* not yet */
	patch_person(ids[1], "{\"jobTitle\": \"Changed\"}");
	late = make_member("Late", group);
	phone_copy_sync(&phone, &c, 4);
	phone_copy_sync(&phone, &c, 4);
	assert_int_equal(c.n, 9);
	assert_true(phone_copy_has(&c, late));
	phone_copy_expect_whole(&phone, &c);
}

TEST(exactly_full_part_is_not_cut)
{
	const char *group = make_group("public");
	struct phone_cards got;

	for (int i = 0; i < 4; i++)
		make_member("Four", group);
	got = phone_sync(&phone, group, "", 4);
	assert_true(!got.cut && got.n == 4);
}

TEST(changes_in_parts)
{
	const char *group = make_group("public"), *ids[10];
	struct phone_copy c = {.book = group};

	phone_copy_sync(&phone, &c, 0);
	for (int i = 0; i < 10; i++)
		ids[i] = make_member("Part", group);
	for (int i = 0; i < 5; i++)
		delete_person(ids[i]);
	phone_copy_sync(&phone, &c, 3);
	assert_true(c.requests > 1);
	assert_int_equal(c.n, 5);
	phone_copy_expect_whole(&phone, &c);
}

/* --- tokens that are not valid -------------------------------------------------------------- */

static void expect_refused(const char *book, const char *token)
{
	struct phone_cards got = phone_sync(&phone, book, token, 0);

	assert_int_equal(got.status, 403);
	assert_non_null(strstr(got.body, "valid-sync-token"));
}

TEST(tokens_of_others)
{
	const char *group = make_group("public");
	struct phone_copy people = {.book = "people"}, companies = {.book = "companies"};
	struct phone adas;
	struct phone_cards got;

	phone_copy_sync(&phone, &people, 0);
	phone_copy_sync(&phone, &companies, 0);
	expect_refused("people", companies.token);
	expect_refused(group, people.token);
	expect_refused("people", "urn:kith:sync:AAAA");
	expect_refused("people", "http://sabre.io/ns/sync/5");
	phone_init(&adas, servers[0]->base, rig.ada.id, phone_key(rig.ada.id));
	got = phone_sync(&adas, "people", people.token, 0);
	assert_int_equal(got.status, 403);
	phone_free(&adas);
}

/* Thunderbird begins anew only after a 400. */
TEST(thunderbird_begins_anew)
{
	static const struct client_header bird[] = {
	    {"User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.5.0"},
	    {NULL, NULL}};
	struct client_reply reply = phone_send(&phone, "REPORT", "people/",
	    "<d:sync-collection xmlns:d=\"DAV:\"><d:sync-token>urn:kith:sync:AAAA</d:sync-token><d:sync-level>1"
	    "</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>",
	    bird);

	assert_int_equal(reply.status, 400);
	assert_non_null(strstr(reply.body, "valid-sync-token"));
}

/* Ben loses a private group: its book is gone, and the tokens of his other books end with the rights that he had. */
TEST(rights_that_change)
{
	const char *group = make_group("private");
	struct phone_copy c = {.book = "people"}, private = {.book = group};

	phone_copy_sync(&phone, &c, 0);
	assert_int_equal(phone_sync(&phone, group, "", 0).status, 404);
	join_group(group, rig.ben.id);
	expect_refused("people", c.token);
	c = (struct phone_copy){.book = "people"};
	phone_copy_sync(&phone, &c, 0);
	make_member("Secret", group);
	phone_copy_sync(&phone, &private, 0);
	assert_int_equal(private.n, 1);
	caller_good(SEND("DELETE", NULL, "/v1/groups/%s/members/%s", group, rig.ben.id));
	assert_int_equal(phone_sync(&phone, group, private.token, 0).status, 404);
	expect_refused("people", c.token);
	join_group(group, rig.ben.id); /* he has the same rights as before, and the book goes on */
	make_member("Another", group);
	phone_copy_sync(&phone, &private, 0);
	assert_int_equal(private.n, 2);
}

/* The second server keeps events for a shorter time. */
TEST(token_that_is_too_old)
{
	struct phone_copy c = {.book = "people"};
	struct server_process *short_lived;

	make_person("Old");
	SQL("update events set created_at = created_at - interval '2 days' where workspace_id = '%s'",
	    rig.workspace.id + 4);
	phone_copy_sync(&phone, &c, 0);
	short_lived = rig_serve(&rig, false, (const char *const[]){"event_retention=1", NULL});
	phone_turn(&phone, short_lived->base);
	expect_refused("people", c.token);
	c = (struct phone_copy){.book = "people"};
	phone_copy_sync(&phone, &c, 0);
	assert_int_equal(phone_copy_sync(&phone, &c, 0), 0);
	phone_turn(&phone, servers[0]->base);
	assert_true(server_stop(short_lived));
}

/* --- order of commits, processes ------------------------------------------------------------ */

static void execute_sql(PGconn *db, const char *sql)
{
	PGresult *r = PQexec(db, sql);

	if (PQresultStatus(r) != PGRES_COMMAND_OK && PQresultStatus(r) != PGRES_TUPLES_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(db));
	PQclear(r);
}

/* A transaction that began earlier commits later. The token that was given meanwhile misses neither. */
TEST(late_commit)
{
	struct phone_copy c = {.book = "people"};
	const char *early = make_person("Early"), *late = make_person("Late"), *young;
	PGconn *db = PQconnectdb(rig.program->database_url);

	phone_copy_sync(&phone, &c, 0);
	c.at_once = true;
	execute_sql(db, "begin");
	execute_sql(db, TEXT("insert into events (workspace_id, id, type, record_id) values ('%s', gen_random_uuid(), "
	                     "'person.updated', '%s')",
	                    rig.workspace.id + 4, early + 4));
	young = make_person("Young");
	patch_person(late, "{\"jobTitle\": \"Heir\"}");
	for (int i = 0; i < 2; i++)
		assert_int_equal(phone_copy_sync(&phone, &c, 0), 0); /* not readable yet */
	execute_sql(db, "commit");
	PQfinish(db);
	while (c.answered == 0)
		phone_copy_sync(&phone, &c, 0);
	assert_int_equal(c.answered, 3);
	assert_true(phone_copy_has(&c, young));
	phone_copy_expect_whole(&phone, &c);
}

/* Listed before the commit of a transaction that is older than the token. */
TEST(late_commit_after_first_listing)
{
	struct phone_copy c = {.book = "people"};
	const char *id = make_person("Deleted late");
	PGconn *db = PQconnectdb(rig.program->database_url);

	execute_sql(db, "begin");
	execute_sql(db, TEXT("insert into events (workspace_id, id, type, record_id) values ('%s', gen_random_uuid(), "
	                     "'person.deleted', '%s')",
	                    rig.workspace.id + 4, id + 4));
	execute_sql(
	    db, TEXT("delete from people where workspace_id = '%s' and id = '%s'", rig.workspace.id + 4, id + 4));
	make_person("Meanwhile");
	c.at_once = true;
	phone_copy_sync(&phone, &c, 0);
	assert_true(phone_copy_has(&c, id));
	execute_sql(db, "commit");
	PQfinish(db);
	do
		phone_copy_sync(&phone, &c, 0);
	while (c.answered == 0);
	assert_false(phone_copy_has(&c, id));
	phone_copy_expect_whole(&phone, &c);
}

TEST(two_processes)
{
	struct phone_copy c = {.book = "people"};
	const char *ids[20];

	phone_copy_sync(&phone, &c, 0);
	for (int i = 0; i < 20; i++) {
		caller_turn(&ada, servers[i % SERVERS]->base);
		phone_turn(&phone, servers[(i + 1) % SERVERS]->base);
		ids[i] = make_person("Twin");
		assert_int_equal(phone_copy_sync(&phone, &c, 0), i > 0 && i % 3 == 0 ? 2 : 1);
		if (i % 3 == 2)
			delete_person(ids[i - 1]);
	}
	phone_copy_sync(&phone, &c, 0);
	phone_copy_expect_whole(&phone, &c);
	caller_turn(&ada, servers[0]->base);
	phone_turn(&phone, servers[0]->base);
}
