/* Cards that devices write and delete: what the record and what is kept are then, conditions, names and UIDs, and
 * several writers at once. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/json.h"
#include "test/lib/await.h"
#include "test/lib/http/card_device.h"
#include "test/lib/model/card_sample.h"
#include "test/lib/server/child.h"

RIG("carddav_put", .servers = 2, .faults = true);

enum { CROWD = 6 };

static struct caller phone, tablet, reader; /* tablet: on the other server, may delete; reader: may only read */
static const char *group;

BEFORE_ALL()
{
	phone = device_open(servers[0], "[\"contacts\"]");
	tablet = device_open(servers[1], "[\"contacts\", \"delete\"]");
	reader = device_open(servers[0], "[\"contacts\", \"read\"]");
	group = POST("{\"name\": \"Sales\", \"visibility\": \"public\"}", "/v1/groups");
}

AFTER_ALL()
{
	caller_free(&phone);
	caller_free(&tablet);
	caller_free(&reader);
}

/* --- requests ------------------------------------------------------------------------------------------- */

static const char *person_id(const struct client_reply *reply)
{
	const char *location = client_header(reply, "Location"), *id = location ? strstr(location, "per_") : NULL;

	if (!id)
		fail_msg("%d without the person's id: %s", reply->status, reply->body);
	return TEXT("%.40s", id);
}

/* Creates a person by a card of that name; returns the id. */
static const char *card_create(const char *name, const char *lines)
{
	struct client_reply reply = device_send(&phone, "PUT", card_path("people", TEXT("%s.vcf", name)),
	    card_text(name, name, lines), "If-None-Match", "*");

	EXPECT(reply, 201);
	return person_id(&reply);
}

static const char *card_read_back(struct caller *c, const char *path)
{
	struct client_reply reply = device_send(c, "GET", path, NULL, NULL, NULL);

	EXPECT(reply, 200);
	return reply.body;
}

static const char *card_tag(const char *path)
{
	struct client_reply reply = device_send(&phone, "GET", path, NULL, NULL, NULL);

	EXPECT(reply, 200);
	return client_header(&reply, "ETag");
}

static const struct json *person_read(const char *id)
{
	struct caller_answer a = caller_get(&ada, TEXT("/v1/people/%s", id));
	const char *error;

	return json_member(json_read(&ada.arena, a.reply.body, a.reply.body_len, &error), "data");
}

static const char *person_list(const char *id, const char *member)
{
	const char *text = "";

	json_each(item, json_member(person_read(id), member))
		text = TEXT(
		    "%s%s%s", text, *text ? "," : "", item->type == JSON_STRING ? item->text : json_text(item, "name"));
	return text;
}

/* --- one writer --------------------------------------------------------------------------------------------- */

TEST(a_new_card_makes_a_person)
{
	struct client_reply reply = device_send(&phone, "PUT", card_path("people", "new-1.vcf"),
	    card_text("new-1", "Neva",
	        "TEL;TYPE=CELL:+1 555\r\nORG:Acme;Sales\r\nNICKNAME:N\r\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n"),
	    "If-None-Match", "*");
	const char *id, *card;

	EXPECT(reply, 201);
	assert_null(client_header(&reply, "ETag"));
	id = person_id(&reply);
	assert_string_equal(json_text(person_read(id), "fullName"), "Neva");
	assert_string_equal(person_list(id, "phones"), "+1 555");
	assert_string_equal(person_list(id, "companies"), "Acme");
	card = card_read_back(&phone, card_path("people", "new-1.vcf"));
	assert_non_null(strstr(card, "UID:new-1\r\n"));
	assert_non_null(strstr(card, "ORG:Acme;Sales\r\n"));
	assert_non_null(strstr(card, "NICKNAME:N\r\n"));
	assert_non_null(strstr(card, "PHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n"));
	assert_string_equal(card, card_read_back(&tablet, card_path("people", TEXT("%s.vcf", id))));
	assert_int_equal(rig_int(&rig, "select count(*) from card_names where name = 'new-1.vcf'"), 1);
}

TEST(a_card_that_is_sent_back_changes_nothing)
{
	const char *id = card_create("same", "item1.EMAIL;TYPE=WORK:a@b\r\nitem1.X-ABLabel:Büro\r\n");
	const char *path = card_path("people", "same.vcf"), *tag = card_tag(path);

	EXPECT(device_send(&phone, "PUT", path, card_read_back(&phone, path), "If-Match", tag), 204);
	assert_string_equal(card_tag(path), tag);
	assert_null(strstr(caller_get(&ada, TEXT("/v1/events?record=%s", id)).reply.body, "person.updated"));
}

TEST(a_change_of_what_is_kept_is_a_change)
{
	const char *id = card_create("kept", ""), *path = card_path("people", "kept.vcf"), *tag = card_tag(path);
	struct caller_answer events;

	EXPECT(device_send(&phone, "PUT", path, card_text("kept", "kept", "NICKNAME:K\r\n"), "If-Match", tag), 204);
	assert_string_not_equal(card_tag(path), tag);
	events = caller_get(&ada, TEXT("/v1/events?record=%s", id));
	assert_non_null(strstr(events.reply.body, "\"changes\":[{\"path\":[\"card\"],\"type\":\"set\"}]"));
	assert_non_null(strstr(events.reply.body, "\"via\":\"carddav\""));
}

TEST(conditions_are_kept)
{
	const char *path, *old, *now;

	card_create("cond", "TEL:1\r\n");
	path = card_path("people", "cond.vcf");
	old = card_tag(path);
	EXPECT(device_send(&phone, "PUT", path, card_text("cond", "cond", "TEL:2\r\n"), "If-Match", TEXT("W/%s", old)),
	    204);
	now = card_tag(path);
	EXPECT_ERROR(device_send(&tablet, "PUT", path, card_text("cond", "cond", "TEL:3\r\n"), "If-Match", old), 412,
	    "<d:error");
	EXPECT_ERROR(device_send(&tablet, "PUT", path, card_text("cond", "cond", "TEL:3\r\n"), "If-None-Match", "*"),
	    412, "If-None-Match");
	EXPECT_ERROR(
	    device_send(&tablet, "PUT", card_path("people", "no.vcf"), card_text("no", "no", ""), "If-Match", "*"), 412,
	    "If-Match");
	EXPECT_ERROR(device_send(&tablet, "DELETE", path, NULL, "If-Match", old), 412, "<d:error");
	EXPECT(device_send(&tablet, "DELETE", path, NULL, "If-Match", now), 204);
	EXPECT(device_send(&tablet, "DELETE", path, NULL, NULL, NULL), 404);
}

TEST(a_lost_answer)
{
	const char *id, *path, *old, *body = card_text("lost", "lost", "TEL:2\r\nX-A:1\r\n");

	card_create("lost", "TEL:1\r\n");
	path = card_path("people", "lost.vcf");
	old = card_tag(path);
	id = card_path("people", "lost2.vcf");
	for (int i = 0; i < 2; i++)
		EXPECT(device_send(&phone, "PUT", path, body, "If-Match", old), 204);
	EXPECT(device_send(&tablet, "PUT", path, card_text("lost", "lost", "TEL:2\r\nTEL:3\r\nX-A:1\r\n"), NULL, NULL),
	    204);
	EXPECT(device_send(&phone, "PUT", path, body, "If-Match", old), 412);
	EXPECT(device_send(&phone, "PUT", id, card_text("lost2", "lost2", "TEL:1\r\n"), "If-None-Match", "*"), 201);
	EXPECT(device_send(&phone, "PUT", id, card_text("lost2", "lost2", "TEL:1\r\n"), "If-None-Match", "*"), 204);
	assert_int_equal(rig_int(&rig, "select count(*) from people where full_name = 'lost2'"), 1);
}

TEST(without_a_condition_only_the_own_version_loses)
{
	const char *id = card_create("blind", "TEL:1\r\nEMAIL:a@b\r\n"), *path = card_path("people", "blind.vcf");

	EXPECT(device_send(&phone, "PUT", path, card_text("blind", "blind", "TEL:1\r\n"), NULL, NULL), 204);
	assert_string_equal(person_list(id, "emails"), "");
	EXPECT(device_send(&tablet, "PUT", path, card_text("blind", "blind", "TEL:2\r\nX-A:1\r\n"), NULL, NULL), 204);
	assert_string_equal(person_list(id, "phones"), "1,2");
	EXPECT(device_send(&phone, "PUT", path, card_text("blind", "blind", "TEL:3\r\n"), NULL, NULL), 204);
	assert_string_equal(person_list(id, "phones"), "1,2,3");
	assert_non_null(strstr(card_read_back(&phone, path), "X-A:1\r\n"));
}

TEST(a_uid_is_of_one_card)
{
	const char *id = card_create("uid", ""), *path = card_path("people", "uid.vcf");
	struct client_reply reply;

	EXPECT_ERROR(
	    device_send(&phone, "PUT", card_path("people", "uid-b.vcf"), card_text("uid", "uid", ""), NULL, NULL), 409,
	    "no-uid-conflict");
	EXPECT_ERROR(
	    device_send(&phone, "PUT", path, card_text("other", "uid", ""), NULL, NULL), 409, "no-uid-conflict");
	reply = device_send(
	    &phone, "PUT", card_path(group, "uid-c.vcf"), card_text("uid", "uid", "TEL:9\r\n"), "If-None-Match", "*");
	EXPECT(reply, 201);
	assert_string_equal(person_id(&reply), id);
	assert_string_equal(person_list(id, "groups"), "Sales");
	assert_string_equal(person_list(id, "phones"), "9");
	EXPECT_ERROR(device_send(&phone, "PUT", card_path(group, "uid-d.vcf"), card_text("uid", "uid", ""), NULL, NULL),
	    409, "uid-c.vcf");
	/* the UID that kith has made */
	id = POST("{\"firstName\": \"Made\"}", "/v1/people");
	EXPECT_ERROR(device_send(&phone, "PUT", card_path("people", "made.vcf"),
	                 card_text(TEXT("urn:uuid:%s", id + 4), "Made", ""), NULL, NULL),
	    409, id);
}

TEST(a_group_is_joined_and_left)
{
	struct client_reply reply = device_send(
	    &phone, "PUT", card_path(group, "g.vcf"), card_text("g", "g", "CATEGORIES:Friends\r\n"), NULL, NULL);
	const char *id = person_id(&reply);

	EXPECT(reply, 201);
	assert_non_null(strstr(card_read_back(&phone, card_path(group, "g.vcf")), "CATEGORIES:Sales,Friends\r\n"));
	EXPECT(device_send(&phone, "DELETE", card_path(group, "g.vcf"), NULL, NULL, NULL), 204);
	EXPECT(device_send(&phone, "GET", card_path(group, "g.vcf"), NULL, NULL, NULL), 404);
	assert_string_equal(person_list(id, "groups"), "");
	EXPECT_ERROR(device_send(&phone, "DELETE", card_path("people", TEXT("%s.vcf", id)), NULL, NULL, NULL), 403,
	    "need-privileges");
	EXPECT(device_send(&tablet, "DELETE", card_path("people", TEXT("%s.vcf", id)), NULL, NULL, NULL), 204);
}

TEST(a_name_can_be_used_again)
{
	const char *path = card_path("people", "again.vcf"), *first = card_create("again", ""), *second;

	EXPECT(device_send(&tablet, "DELETE", path, NULL, NULL, NULL), 204);
	second = card_create("again", "");
	assert_string_not_equal(first, second);
	EXPECT(device_send(&phone, "GET", path, NULL, NULL, NULL), 200);
}

TEST(cards_of_companies)
{
	const char *path = card_path("companies", "c.vcf"),
	           *body = card_text("c", "Initech", "ORG:Initech\r\nX-A:1\r\n");
	struct client_reply reply = device_send(&phone, "PUT", path, body, "If-None-Match", "*");

	EXPECT(reply, 201);
	assert_non_null(strstr(card_read_back(&phone, path), "KIND:org\r\n"));
	EXPECT(device_send(&phone, "PUT", path, card_text("c", "Initrode", "ORG:Initech\r\n"), NULL, NULL), 204);
	assert_int_equal(rig_int(&rig, "select count(*) from companies where name = 'Initrode'"), 1);
	/* an existing name */
	MAKE("{\"name\": \"Hooli\", \"phones\": [\"1\"]}", "/v1/companies");
	path = card_path("companies", "h.vcf");
	EXPECT(device_send(&phone, "PUT", path, card_text("h", "Hooli", "TEL:2\r\n"), "If-None-Match", "*"), 201);
	assert_int_equal(rig_int(&rig, "select count(*) from companies where name = 'Hooli' and phones = '{1,2}'"), 1);
	EXPECT(device_send(
	           &phone, "PUT", card_path("companies", "h2.vcf"), card_text("h2", "Hooli", ""), "If-None-Match", "*"),
	    409);
	assert_int_equal(rig_int(&rig, "select count(*) from events e join companies c on c.id = e.record_id where "
	                               "c.name = 'Hooli' and e.type = 'company.updated'"),
	    1);
	EXPECT_ERROR(device_send(&phone, "PUT", path, card_text("h", "Initrode", ""), NULL, NULL), 403,
	    "name Another company has this name");
}

/* The first line of a text that the other one lacks. N is not looked at, because a card without names in it has those
 * that the API makes of FN. */
static const char *line_missing(const char *text, const char *in)
{
	for (size_t len; *text; text += len + 1) {
		len = strcspn(text, "\n");
		const char *line = TEXT("%.*s\n", (int)len, text);
		if (strncmp(line, "N:", 2) != 0 && !strstr(in, line))
			return line;
	}
	return NULL;
}

TEST(random_cards_come_back_from_the_api)
{
	int samples = rig_setting("CARD_SAMPLES", 80);

	for (int seed = 0; seed < samples; seed++) {
		struct card_sample s;
		struct buf lines;
		const char *path = card_path("people", TEXT("random-%d.vcf", seed)), *card, *lost, *more;
		card_sample_make(&s, (uint64_t)seed);
		EXPECT(device_send(&phone, "PUT", path, s.text.data, NULL, NULL), 201);
		card = card_read_back(&phone, path);
		buf_init(&lines, 4 << 20);
		card_lines(&lines, card, strlen(card), true);
		lost = line_missing(s.expected.data, lines.data);
		more = line_missing(lines.data, s.expected.data);
		if (lost || more)
			fail_msg("seed %d: lost %.300s, more %.300s", seed, lost ? lost : "nothing",
			    more ? more : "nothing");
		EXPECT(device_send(&phone, "PUT", path, card, "If-Match", card_tag(path)), 204);
		assert_string_equal(card_read_back(&phone, path), card);
		buf_free(&lines);
		card_sample_free(&s);
	}
}

TEST(each_key_gets_the_version_that_it_writes)
{
	const char *path = card_path("people", "v4.vcf"), *body;

	card_create("v3", "");
	body = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:v4\r\nFN:V\r\nTEL;PREF=1;VALUE=uri:tel:+1\r\n"
	       "PHOTO:data:image/png;base64,AAAA\r\nEND:VCARD\r\n";
	EXPECT(device_send(&phone, "PUT", path, body, NULL, NULL), 201);
	body = card_read_back(&phone, path);
	assert_non_null(strstr(body, "VERSION:4.0\r\n"));
	assert_non_null(strstr(body, "TEL;PREF=1;VALUE=uri:tel:+1\r\nPHOTO:data:image/png;base64,AAAA\r\n"));
	body = card_read_back(&tablet, path);
	assert_non_null(strstr(body, "VERSION:3.0\r\n"));
	assert_non_null(strstr(body, "TEL;TYPE=pref:+1\r\nPHOTO;ENCODING=b;TYPE=PNG:AAAA\r\n"));
	EXPECT(device_send(&tablet, "PUT", path, body, NULL, NULL), 204);
	assert_non_null(strstr(card_read_back(&tablet, path), "VERSION:3.0\r\n"));
}

/* The tag of the person stays, so the phone does not know of the new name. */
TEST(a_renamed_company_stays)
{
	const char *id = card_create("org", "ORG:Old Name;Research\r\nTEL:1\r\n"),
	           *path = card_path("people", "org.vcf");
	const char *tag = card_tag(path),
	           *company = json_text(json_items(json_member(person_read(id), "companies")), "id");

	caller_good(caller_send(&ada, "PATCH", TEXT("/v1/companies/%s", company), NULL, "{\"name\": \"New Name\"}"));
	assert_string_equal(card_tag(path), tag);
	assert_non_null(strstr(card_read_back(&phone, path), "ORG:New Name;Research\r\n"));
	EXPECT(device_send(
	           &phone, "PUT", path, card_text("org", "org", "ORG:Old Name;Research\r\nTEL:2\r\n"), "If-Match", tag),
	    204);
	assert_string_equal(person_list(id, "companies"), "New Name");
	assert_string_equal(person_list(id, "phones"), "2");
	EXPECT(device_send(&phone, "PUT", path, card_text("org", "org", "ORG:Third\r\nTEL:2\r\n"), NULL, NULL), 204);
	assert_string_equal(person_list(id, "companies"), "Third");
}

TEST(what_is_refused)
{
	const char *path = card_path("people", "bad.vcf");
	char *large = arena_alloc(&ada.arena, (1 << 20) + 100);

	EXPECT_ERROR(device_send(&phone, "PUT", path, "no card", NULL, NULL), 403, "valid-address-data");
	EXPECT_ERROR(
	    device_send(&phone, "PUT", path, "BEGIN:VCARD\r\nVERSION:3.0\r\nTEL:1\r\nEND:VCARD\r\n", NULL, NULL), 403,
	    "neither FN nor N");
	EXPECT_ERROR(device_send(&phone, "PUT", path, card_text("bad", "bad", TEXT("TITLE:%0501d\r\n", 0)), NULL, NULL),
	    403, "jobTitle ");
	EXPECT_ERROR(
	    device_send(&reader, "PUT", path, card_text("bad", "bad", ""), NULL, NULL), 403, "need-privileges");
	EXPECT_ERROR(device_send(&reader, "DELETE", card_path(group, "bad.vcf"), NULL, NULL, NULL), 404, "");
	EXPECT_ERROR(device_send(&phone, "PUT", path, card_text("bad", "bad", ""), "Content-Type", "text/calendar"),
	    415, "supported-address-data");
	memset(large, 'x', (1 << 20) + 1);
	EXPECT(device_send(&phone, "PUT", path, large, NULL, NULL), 413);
	EXPECT(device_send(&phone, "GET", path, NULL, NULL, NULL), 404);
}

/* --- several ------------------------------------------------------------------------------------------------------ */

struct card_crowd {
	struct caller callers[CROWD];
	char *paths[CROWD], *bodies[CROWD];
	int statuses[CROWD];
};

static void crowd_put(void *ctx, int i)
{
	struct card_crowd *c = ctx;

	c->statuses[i] = device_send(&c->callers[i], "PUT", c->paths[i], c->bodies[i], NULL, NULL).status;
}

static int crowd_count(const struct card_crowd *c, int status)
{
	int n = 0;

	for (int i = 0; i < CROWD; i++)
		n += c->statuses[i] == status;
	return n;
}

static void crowd_run(struct card_crowd *c)
{
	for (int i = 0; i < CROWD; i++)
		c->callers[i] = device_open(servers[i % 2], "[\"contacts\"]");
	caller_crowd_run(CROWD, crowd_put, c);
	for (int i = 0; i < CROWD; i++)
		caller_free(&c->callers[i]);
}

TEST(all_numbers_of_several_writers_are_there)
{
	const char *id = card_create("crowd", "");
	struct card_crowd c;

	for (int i = 0; i < CROWD; i++) {
		c.paths[i] = card_path("people", "crowd.vcf");
		c.bodies[i] = card_text("crowd", "crowd", TEXT("TEL:%d\r\nX-C%d:1\r\n", i, i));
	}
	crowd_run(&c);
	assert_int_equal(crowd_count(&c, 204), CROWD);
	assert_int_equal(strlen(person_list(id, "phones")), CROWD * 2 - 1);
	for (int i = 0; i < CROWD; i++)
		assert_non_null(strstr(card_read_back(&phone, c.paths[0]), TEXT("X-C%d:1\r\n", i)));
}

TEST(one_uid_makes_one_card)
{
	struct card_crowd c;

	for (int i = 0; i < CROWD; i++) {
		c.paths[i] = card_path("people", TEXT("one-%d.vcf", i));
		c.bodies[i] = card_text("one", "one", "");
	}
	crowd_run(&c);
	assert_int_equal(crowd_count(&c, 201), 1);
	assert_int_equal(crowd_count(&c, 409), CROWD - 1);
	assert_int_equal(rig_int(&rig, "select count(*) from people where full_name = 'one'"), 1);
}

static void crowd_of_name(const char *name, const char *uid)
{
	struct card_crowd c;

	for (int i = 0; i < CROWD; i++) {
		c.paths[i] = card_path("people", TEXT("%s.vcf", name));
		c.bodies[i] = card_text(uid, name, TEXT("TEL:%d\r\n", i));
	}
	crowd_run(&c);
	assert_int_equal(crowd_count(&c, 201), 1);
	assert_int_equal(crowd_count(&c, 204), CROWD - 1);
	assert_int_equal(rig_int(&rig, "select count(*) from people where full_name = '%s'", name), 1);
	assert_int_equal(rig_int(&rig, "select cardinality(phones) from people where full_name = '%s'", name), CROWD);
}

TEST(one_name_makes_one_card)
{
	crowd_of_name("name", "name");
	for (int i = 0; i < 3; i++)
		crowd_of_name(TEXT("bare-%d", i), "");
}

struct delayed_card {
	struct caller caller;
	const char *path, *body, *tag;
	struct client_reply reply;
};

static void *delayed_put(void *ctx)
{
	struct delayed_card *d = ctx;

	d->reply = device_send(&d->caller, "PUT", d->path, d->body, d->tag ? "If-Match" : NULL, d->tag);
	return NULL;
}

/* The process stands still between its look at the record and its transaction, while another one changes the record. */
static void put_meanwhile(const char *name, bool condition, int status, const char *phones)
{
	const char *id = card_create(name, "TEL:1\r\n"), *path = card_path("people", TEXT("%s.vcf", name));
	struct delayed_card d = {.caller = device_open(servers[0], "[\"contacts\"]"),
	    .path = path,
	    .body = card_text(name, name, "TEL:1\r\nTEL:2\r\n"),
	    .tag = condition ? card_tag(path) : NULL};
	pthread_t thread;

	rig_write(rig.orders, "open 1 stop\n");
	pthread_create(&thread, NULL, delayed_put, &d);
	await_true(child_stopped(servers[0]->pid));
	rig_write(rig.orders, "");
	EXPECT(device_send(&tablet, "PUT", path, card_text(name, name, "TEL:3\r\n"), NULL, NULL), 204);
	kill(servers[0]->pid, SIGCONT);
	pthread_join(thread, NULL);
	EXPECT(d.reply, status);
	assert_string_equal(person_list(id, "phones"), phones);
	caller_free(&d.caller);
}

TEST(another_write_between_look_and_transaction)
{
	put_meanwhile("meanwhile", false, 204, "1,3,2");
	put_meanwhile("meanwhile-2", true, 412, "1,3");
}
