/* kith erase: a person whom every route has mentioned that can, on two servers, and then nothing of them remains, while
 * another workspace keeps the same values; what is left in any place is found; kills, concurrent writes, a plain delete
 * before. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/lib/flow.h"
#include "test/lib/http/endpoints.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/model/mention.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/child.h"
#include "test/lib/webhook/hooked.h"

enum { WAIT_MS = 60000 };

static struct receiver *receiver;
static const char *values_path, *small_path;
static char faults_path[256];
static const char *said; /* by the last command */

/* What is looked for, in several writings; none of it may be in what remains. */
static const char values[] = "Zo\xc3\xab Quist\xc3\xb8rpe\nzoe.quistorpe@example.org\nformer-quistorpe@example.org\n"
                             "+49 (30) 5550-1723\nhttps://quistorpe.example/~z?a=1\nLindenweg 12, \"Hinterhaus\"\n"
                             "Kundin \\ 4711-Q\nQuist\xc3\xb8rpe\n";

/* --- the command ------------------------------------------------------------------------------- */

static int run_kith(const char *const argv[])
{
	return command_run(rig.program, &rig.arena, argv, &said);
}

#define KITH(...) run_kith((const char *const[]){__VA_ARGS__, NULL})

static void expect_said(const char *text)
{
	if (!strstr(said, text))
		fail_msg("not said: %s\n%s", text, said);
}

static void expect_erased(const char *person)
{
	int status =
	    KITH("erase", "--person", person, "--reason", "ticket 4711", "--by", "dpo", "--values", values_path);

	if (status != 0)
		fail_msg("erase: %d\n%s", status, said);
	expect_said("\"remains\":0");
	assert_int_equal(KITH("erase", "--list"), 0);
	expect_said(TEXT(
	    "{\"id\":\"%s\",\"workspace\":\"%s\",\"reason\":\"ticket 4711\",\"by\":\"dpo\"", person, rig.workspace.id));
	assert_null(strstr(said, "null"));
}

static void expect_nothing(const char *person)
{
	if (KITH("erase", "--verify", "--person", person, "--values", values_path) != 0)
		fail_msg("something remains:\n%s", said);
	expect_said("\"remains\":0");
}

/* --- everything --------------------------------------------------------------------------------- */

/* A route that is not in the table could mention people unseen. Those that end a person, and reads, are not. */
TEST(test_routes)
{
	static const char *const other[] = {"DELETE /v1/people/{personId}", "POST /v1/people/batch/delete",
	    "POST /v1/groups/{groupId}/{objectType}/batch/delete"};
	static const char *const signs[] = {
	    "/v1/people", "{noteId}", "{taskId}", "{reminderId}", "{interactionId}", "{objectType}/", "{objectId}"};

	endpoints_read();
	for (int i = 0; i < n_endpoints; i++) {
		const char *name = TEXT("%s %s", endpoints[i].method, endpoints[i].path);
		bool may = false, known = false;
		for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
			may |= strstr(endpoints[i].path, signs[k]) != NULL;
		for (const char **f = endpoints[i].fields; *f; f++)
			may |= strcmp(*f, "entity") == 0 || strcmp(*f, "people") == 0;
		for (int k = 0; k < n_mentions; k++)
			known |= strcmp(name, mentions[k].route) == 0;
		for (size_t k = 0; k < sizeof other / sizeof *other; k++)
			known |= strcmp(name, other[k]) == 0;
		if (endpoints[i].writes && may && !known && !strstr(name, "object-types"))
			fail_msg("%s may mention a person: a case is missing", name);
	}
}

/* In none of the servers' logs. */
static void expect_log_clean(void)
{
	static char line[1 << 16];

	for (int i = 0; i < 2; i++) {
		FILE *f = fopen(servers[i]->log, "r");
		assert_non_null(f);
		while (fgets(line, sizeof line, f))
			if (strcasestr(line, "quist") || strcasestr(line, "lindenweg") || strstr(line, "5550-1723"))
				fail_msg("logged: %s", line);
		fclose(f);
	}
}

#define THEIRS "select count(*) from people where not (%s) and full_name like 'Zo%%'"

/* In both workspaces; the person's id. */
static const char *mention_everywhere(struct caller *other, const struct test_user *stranger)
{
	char once[16];

	mention_world(&rig.arena, other, stranger->id);
	for (int i = 0; i < 8; i++)
		mention_send(&rig.arena, other, &mentions[i], i == 0 ? "theirs" : NULL);
	assert_number(1, THEIRS, rig.own);
	mention_world(&rig.arena, &ada, rig.ada.id);
	hooked_make(&ada, receiver_url(receiver, "/hook"),
	    "[{\"eventType\":\"person.updated\",\"filter\":{}},{\"eventType\":\"person.deleted\",\"filter\":{}}]");
	for (int i = 0; i < n_mentions; i++) {
		snprintf(once, sizeof once, "key-%d", i);
		mention_send(&rig.arena, i % 2 && i > 6 ? &ben : &ada, &mentions[i], once);
	}
	mention_send(&rig.arena, &ada, &mentions[7], NULL); /* a note that the deletion finds */
	assert_true(receiver_wait(receiver, 2, WAIT_MS));
	SQL("create schema aside; create table aside.events as select id, generation, xid, seq, created_at, type, "
	    "record_id from events");
	return mentioned['P'];
}

/* Followers and webhooks go on: every event is where it was, with no values in it. */
static void expect_followed(const char *cursor)
{
	int64_t until_us = patience_ms(WAIT_MS);
	struct feed_page page;

	for (int erased = 0; !erased;) {
		page = feed_get(&ben, cursor, 100, 0);
		assert_int_equal(page.answer.status, 200);
		assert_null(strstr(page.answer.reply.body, "uist"));
		erased = strstr(page.answer.reply.body, "\"erased\"") != NULL;
		assert_true(erased || page.more || patience_pause(until_us)); /* it may be held by what is older */
		cursor = arena_dupz(&rig.arena, page.cursor);
	}
	assert_rows(1,
	    "events where data -> 'details' ->> 'erased' = 'true' and type = 'person.deleted' and actor_via = 7 "
	    "and actor_id is null");
	assert_rows(0, "events where actor_via is null");
	assert_rows(0, "aside.events a where not exists (select from events e where e.id = a.id and "
	               "(e.generation, e.xid, e.seq, e.created_at, e.type, e.record_id) = (a.generation, a.xid, "
	               "a.seq, a.created_at, a.type, a.record_id))");
	assert_true(hooked_until(&rig, 0, WAIT_MS, "select count(*) from deliveries where state = 'pending'"));
	for (int i = 0; i < receiver_count(receiver); i++)
		assert_null(strstr(receiver_request(receiver, i)->body, "uist"));
	assert_true(receiver_count(receiver) > 0);
}

TEST(test_everything)
{
	struct test_user stranger = rig_stranger(&rig, "other");
	struct caller other;
	struct caller_answer again;
	struct feed_page page = feed_get(&ada, "", 1, 0);
	const char *cursor = arena_dupz(&rig.arena, page.cursor), *person;

	caller_init(&other, servers[0]->base, stranger.key);
	person = mention_everywhere(&other, &stranger);
	assert_int_equal(KITH("erase", "--verify", "--person", person, "--values", values_path), 1);
	expect_said("\"table\":\"people\",\"column\":\"full_name\"");
	expect_said("\"table\":\"idempotency_keys\",\"column\":\"body\"");
	expect_said("\"table\":\"notes\",\"column\":\"content\"");
	assert_null(strstr(said, "uist"));
	assert_int_equal(KITH("erase", "--person", mentioned['D'], "--reason", "r"), 1); /* merged */
	assert_int_equal(KITH("erase", "--person", person, "--reason", "zoe.QUISTORPE@example.org asked"), 1);
	assert_rows(0, "erasures");

	expect_erased(person);
	receiver_clear(receiver);
	receiver_behave(receiver, (struct receiver_behaviour){.status = 200});
	assert_rows(1,
	    "events where %s and type = 'person.deleted' and data #>> '{details,erased}' = 'true' "
	    "and record_id = '%s'",
	    rig.own, person + 4);
	expect_followed(cursor);
	/* A retry runs nothing twice. */
	again = caller_send(&ada, "POST", "/v1/people", "key-0", mention_expand(&rig.arena, mentions[0].body));
	assert_int_equal(again.status, 422);
	assert_string_equal(again.code, "IDEMPOTENCY_RESPONSE_NOT_STORED");
	assert_int_equal(caller_send(&ben, "GET", TEXT("/v1/people/%s", person), NULL, NULL).status, 404);
	assert_true(rows_count("idempotency_keys where %s and body is null", rig.own) > 20);
	/* The other workspace has what it had. */
	assert_number(1, THEIRS, rig.own);
	assert_rows(0, "idempotency_keys where not (%s) and body is null", rig.own);
	expect_log_clean();
	caller_free(&other);
}

/* --- places ------------------------------------------------------------------------------------- */

/* Each of these is put back where it was erased, or where somebody wrote it; the look names all of them. */
TEST(test_places)
{
	static const struct {
		const char *table, *column, *sql, *undo;
	} places[] = {
	    {"events_", "data",
	        "update events set data = '{\"changes\":[{\"value\":\"Lindenweg 12, \\\"Hinterhaus\\\"\"}]}' "
	        "where $W and type = 'person.created'",
	        "update events set data = null where $W and type = 'person.created'"},
	    {"idempotency_keys", "body",
	        "update idempotency_keys set body = convert_to('{\"x\":\"QUIST\xc3\x98RPE\"}', 'UTF8') where $W",
	        "update idempotency_keys set body = null where $W"},
	    {"idempotency_keys", "fingerprint",
	        "update idempotency_keys set fingerprint = '\\xff00fe' || convert_to('QUIST\xc3\x98RPE', 'UTF8') || "
	        "'\\x00ff41' where $W",
	        "update idempotency_keys set fingerprint = sha256('x') where $W"},
	    {"objects", "name", "update objects set name = normalize('Quist\xc3\xb8rpe Zo\xc3\xab', nfd) where $W",
	        "update objects set name = 'o' where $W"},
	    {"webhooks", "target_url",
	        "update webhooks set target_url = target_url || '?u=zoe.quistorpe%40example.org' where $W",
	        "update webhooks set target_url = split_part(target_url, '?', 1) where $W"},
	    {"deliveries_", "attempts",
	        "update deliveries set attempts = '[\"0049 30/5550 1723, 4930.5550.1723\"]' where $W",
	        "update deliveries set attempts = '[]' where $W"},
	    {"erasures", "reason", "update erasures set reason = 'Zo\xc3\xab QUIST\xc3\x98RPE asked' where $W",
	        "update erasures set reason = 'ticket' where $W"},
	    {"interaction_counts", "entity_id",
	        "insert into interaction_counts select workspace_id, id, id, 1, now() from erasures where $W",
	        "delete from interaction_counts where $W"},
	    {"later", "tags",
	        "create table later as select workspace_id, array['x', 'zoe.QUISTORPE@example.org'] as tags from "
	        "erasures where $W",
	        "drop table later"},
	};
	const char *person = mentioned['P'];

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		SQL("%s", mention_expand(&rig.arena, places[i].sql));
	assert_int_equal(KITH("erase", "--verify", "--person", person, "--values", values_path), 1);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const char *at = said, *name = TEXT("\"table\":\"%s", places[i].table);
		const char *column = TEXT("\"column\":\"%s\"", places[i].column);
		bool found = false;
		while (!found && (at = strstr(at, name)) != NULL) {
			const char *end = strchr(at, '\n'), *c = strstr(at, column);
			found = c && c < end;
			at++;
		}
		if (!found)
			fail_msg("not found: %s.%s in\n%s", places[i].table, places[i].column, said);
	}
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		SQL("%s", mention_expand(&rig.arena, places[i].undo));
	expect_nothing(person);
}

/* --- the end of a command, other writers, a plain delete ------------------------------------------- */

static const char *make_small(int i)
{
	const char *id = arena_dupz(&rig.arena,
	    caller_good(
	        caller_sendf(&ada, "POST", "/v1/people", TEXT("small-%d", i), "{\"fullName\":\"Ottokar Zwillinger\"}"))
	        .id);

	caller_good(caller_sendf(&ada, "PATCH", TEXT("/v1/people/%s", id), TEXT("change-%d", i),
	    "{\"emails\":[\"zwillinger%d@example.org\"]}", i));
	for (int n = 0; n < 2; n++)
		caller_good(caller_sendf(&ada, "POST", "/v1/reminders", NULL,
		    "{\"entity\":{\"id\":\"%s\"},\"name\":\"Zwillinger\",\"recurrenceRule\":\"DTSTART:"
		    "20300105T090000Z\\nRRULE:FREQ=WEEKLY\",\"visibility\":\"private\"}",
		    id));
	return id;
}

static void expect_small_gone(const char *id)
{
	if (KITH("erase", "--person", id, "--reason", "r", "--values", small_path) != 0)
		fail_msg("%s", said);
}

TEST(test_kills)
{
	static const char *const points[] = {"erase_deleted", "erase_events", "erase_opened", "erase_finish"};

	for (int i = 0; i < rig_setting("ERASE_KILLS", 2) && i < 4; i++) {
		const char *id = make_small(i);
		rig_write(faults_path, TEXT("%s 1 kill\n", points[i]));
		setenv("FAULT_FILE", faults_path, 1);
		assert_int_equal(KITH("erase", "--person", id, "--reason", "r"), -1);
		unsetenv("FAULT_FILE");
		expect_small_gone(id);
		assert_rows(1, "events where %s and type = 'person.deleted' and record_id = '%s'", rig.own, id + 4);
	}
}

static struct {
	const char *id;
	atomic_bool stop;
	atomic_int written, wrong;
} race;

static void race_write(void *ctx, int i)
{
	struct caller c;

	(void)ctx;
	if (i == 0) {
		int64_t until_us = patience_ms(WAIT_MS);
		while (race.written < 12 && patience_pause(until_us))
			;
		expect_small_gone(race.id);
		race.stop = true;
		return;
	}
	caller_init(&c, servers[i % 2]->base, i % 2 ? rig.ada.key : rig.ben.key);
	for (int n = 0; !race.stop; n++) {
		const char *key = arena_printf(&c.arena, "race-%d-%d", i, n);
		struct caller_answer a =
		    n % 2 ? caller_sendf(&c, "PATCH", arena_printf(&c.arena, "/v1/people/%s", race.id), key,
		                "{\"emails\":[\"zwillinger-%d-%d@example.org\"]}", i, n)
		          : caller_sendf(&c, "POST", "/v1/notes", key,
		                "{\"entity\":{\"id\":\"%s\"},\"content\":\"Zwillinger %d\",\"visibility\":\"public\"}",
		                race.id, n);
		race.wrong += a.status != 200 && a.status != 404 && a.status != 422;
		race.written++;
	}
	caller_free(&c);
}

TEST(test_writers)
{
	race.id = make_small(20);
	caller_crowd_run(5, race_write, NULL);
	assert_int_equal(race.wrong, 0);
	expect_small_gone(race.id);
}

/* A delete leaves name and addresses in its event and in answers, and changes in earlier events, until their time is
 * over; the erasure finds them by the id. The statistics of a table that is empty now have no values either. */
TEST(test_deleted)
{
	const char *id = make_small(30);

	SQL("analyze reminders");
	caller_good(caller_send(&ben, "DELETE", TEXT("/v1/people/%s", id), "deleted", NULL));
	SQL("analyze events; delete from reminders");
	/* Statistics of bytes are hexadecimal. */
	SQL("update idempotency_keys set fingerprint = '\\xff' || convert_to('ZWILLINGER', 'UTF8') where %s; analyze "
	    "idempotency_keys; update idempotency_keys set fingerprint = sha256('x') where %s",
	    rig.own, rig.own);
	assert_int_equal(KITH("erase", "--verify", "--values", small_path), 1);
	expect_said("\"table\":\"events_");
	expect_said("\"table\":\"idempotency_keys\"");
	expect_said("\"table\":\"reminders\",\"column\":\"(statistics)\"");
	expect_said("\"table\":\"idempotency_keys\",\"column\":\"(statistics)\"");
	expect_small_gone(id);
	assert_rows(2, "events where %s and type = 'person.deleted' and record_id = '%s'", rig.own, id + 4);
}

/* The number of tables that the last command has looked through. */
static long looked_through(void)
{
	return strtol(strstr(said, "\"tables\":") + strlen("\"tables\":"), NULL, 10);
}

/* A look that waits for a table that somebody else holds ends when its time is over, and says how far it came. */
/* What devices have of a card: properties without a field, and names. A name that is a UUID stays, because by this name
 * the device learns that the card is gone. */
TEST(test_cards)
{
	const char *person = POST("{\"firstName\": \"Zo\u00eb\", \"lastName\": \"Quist\u00f8rpe\"}", "/v1/people");

	SQL("insert into contact_cards (workspace_id, record_id, company, kept, uid, version) values ('%s', '%s', "
	    "false, "
	    "'NICKNAME:former-quistorpe@example.org', 'zoe.quistorpe@example.org', 1)",
	    rig.workspace.id + 4, person + 4);
	SQL("insert into card_names (workspace_id, user_id, book, name, record_id) select workspace_id, id, b, n, "
	    "'%s' from users, (values ('people', 'zoe.quistorpe@example.org.vcf'), ('companies', "
	    "'5F2C1D0E-8A7B-4C6D-9E0F-112233445566.vcf')) v (b, n) where workspace_id = '%s' and id = '%s'",
	    person + 4, rig.workspace.id + 4, rig.ada.id + 4);
	expect_erased(person);
	expect_nothing(person);
	assert_rows(0, "contact_cards where record_id = '%s'", person + 4);
	assert_rows(1, "card_names where record_id = '%s' and gone_at is not null and name like '%%.vcf'", person + 4);
}

TEST(test_ends_in_time)
{
	pid_t holder = rig_hold(&rig, "notes");
	int status = KITH("erase", "--verify", "--values", small_path, "--max-seconds", "2");
	long some = looked_through();

	rig_release(&rig, holder);
	assert_int_equal(status, 1);
	assert_int_equal(KITH("erase", "--verify", "--values", small_path, "--max-seconds", "600"), 0);
	assert_true(some < looked_through());
}

/* A write that is under way could put values back: the erasure waits for its end. */
TEST(test_waits_for_writes)
{
	const char *id = make_small(35);
	pid_t holder = rig_hold_workspace(&rig), pid;

	pid = command_start(rig.program, (const char *const[]){"erase", "--person", id, "--reason", "w", NULL}, -1, -1);
	assert_true(hooked_until(&rig, 1, WAIT_MS,
	    "select count(*) from pg_locks where locktype = 'advisory' and not granted and mode = 'ExclusiveLock'"));
	rig_release(&rig, holder);
	assert_int_equal(child_wait(pid), 0);
	expect_small_gone(id);
}

/* --- webhooks ------------------------------------------------------------------------------------- */

/* Events of the past that the process that sends has read, and holds behind an attempt that is under way, are sent
 * without values. */
TEST(test_unsent)
{
	struct receiver *slow = receiver_start(&(struct receiver_config){.tls = RECEIVER_PLAIN});
	struct hooked hook = hooked_make(&ada, receiver_url(slow, "/slow"), NULL);
	const char *id, *webhook = TEXT("/v1/webhooks/%s", hook.id);

	receiver_hold(slow, true);
	id = make_small(40);
	assert_true(receiver_wait(slow, 1, WAIT_MS)); /* of the creation */
	/* Read all at once, when the webhook is active again. */
	caller_good(caller_send(&ada, "PATCH", webhook, NULL, "{\"status\":\"inactive\"}"));
	receiver_hold(slow, false);
	for (int i = 0; i < 3; i++)
		caller_good(caller_sendf(&ada, "PATCH", TEXT("/v1/people/%s", id), NULL,
		    "{\"emails\":[\"zwillinger-u%d@example.org\"]}", i));
	receiver_hold(slow, true);
	caller_good(caller_send(&ada, "PATCH", webhook, NULL, "{\"status\":\"active\"}"));
	assert_true(receiver_wait(slow, 2, WAIT_MS));
	expect_small_gone(id);
	receiver_hold(slow, false);
	assert_true(receiver_wait(slow, 4, WAIT_MS));
	assert_true(hooked_until(&rig, 0, WAIT_MS, "select count(*) from deliveries where state = 'pending'"));
	for (int i = 0, with = 0; i < receiver_count(slow); i++) {
		with += strstr(receiver_request(slow, i)->body, "zwillinger-u") != NULL;
		assert_true(with <= 1);
	}
	receiver_stop(slow);
}

/* --- the whole ------------------------------------------------------------------------------------ */

RIG("erase", .servers = 2, .settings = {"clock_scale=300"});

BEFORE_ALL()
{
	mentioned['W'] = rig.own;
	receiver = receiver_start(&(struct receiver_config){.behaviour = {.status = 500}});
	values_path = TEXT("%s/values", rig.program->data_dir);
	rig_write(values_path, values);
	small_path = TEXT("%s/small", rig.program->data_dir);
	rig_write(small_path, "Zwillinger\n");
	snprintf(faults_path, sizeof faults_path, "%s/faults", rig.program->data_dir);
}

AFTER_ALL()
{
	receiver_stop(receiver);
}
