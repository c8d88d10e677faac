/* Sharing a joint transaction changes no answer (server/request/joint.h). Requests are sent one by one
 * and then together, and get the same answers: when rights and settings change between their admission and their
 * transaction, and when a statement of one of them fails in the database. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "test/lib/await.h"
#include "test/lib/http/members.h"
#include "test/lib/rows.h"
#include "test/lib/server/child.h"

RIG("joint_meanwhile", .servers = 2, .faults = true);

BEFORE_ALL()
{
	caller_turn(&ada, servers[1]->base); /* Ada changes the settings while the other server stands still */
}

static const char *name_once(const char *name)
{
	static int n;

	return TEXT("%s-%d", name, ++n);
}

static int times_in(const char *text, const char *part)
{
	int n = 0;

	for (text = strstr(text, part); text; text = strstr(text + 1, part))
		n++;
	return n;
}

/* --- rights and settings that change meanwhile --------------------------------------------------------- */

static const char *group; /* private, with Ben as a contributor, a type and a field; made anew for each round */

static void group_make(void)
{
	group = POST(TEXT("{\"name\":\"%s\",\"visibility\":\"private\"}", name_once("G")), "/v1/groups");
	MAKE(TEXT("{\"id\":\"%s\",\"role\":\"contributor\"}", rig.ben.id), "/v1/groups/%s/members", group);
	MAKE("{\"name\":\"Deals\"}", "/v1/groups/%s/object-types", group);
	MAKE("{\"name\":\"F\",\"type\":\"textField\"}", "/v1/groups/%s/custom-fields/person", group);
}

/* Ben's are the even ones. */
static void members_use_group(void)
{
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		members[i].body = TEXT("{\"lastName\":\"%s\",\"groups\":[{\"id\":\"%s\"}],"
		                       "\"customFieldValues\":{\"%s\":{\"F\":\"value\"}}}",
		    name_once("P"), group, group);
		if (i / 2 % 2) {
			members[i].target = TEXT("/v1/groups/%s/Deals", group);
			members[i].body = TEXT("{\"name\":\"%s\"}", name_once("D"));
		}
		if (i >= MEMBERS / 2)
			members[i].once = name_once("once");
	}
}

static const struct change {
	const char *method, *target, *body; /* the target begins with the group */
} changes[] = {
    {"DELETE", "/members/ben", NULL},
    {"PATCH", "/members/ben", "{\"role\":\"reader\"}"},
    {"PATCH", "", "{\"name\":\"Renamed\"}"},
    {"DELETE", "", NULL},
    {"DELETE", "/object-types/Deals", NULL},
    {"PATCH", "/object-types/Deals", "{\"name\":\"Other\"}"},
    {"DELETE", "/custom-fields/person/F", NULL},
    {"PATCH", "/custom-fields/person/F", "{\"name\":\"Other\"}"},
};

static void *send_these(void *only)
{
	if (only)
		member_send(NULL, (int)((struct joint_member *)only - members));
	else
		members_send();
	return NULL;
}

/* Sends them, or the only one; the change comes after their admission. */
static void send_meanwhile(const struct change *c, struct joint_member *only)
{
	const char *target = strstr(c->target, "ben") ? TEXT("/members/%s", rig.ben.id) : c->target;
	pthread_t thread;

	rig_write(rig.orders, only ? "open 1 stop\n" : TEXT("joint_hold 1 errors\nopen %d stop\n", MEMBERS));
	pthread_create(&thread, NULL, send_these, only);
	await_true(child_stopped(servers[0]->pid));
	rig_write(rig.orders, "");
	assert_int_equal(SEND(c->method, c->body, "/v1/groups/%s%s", group, target).status, 200);
	kill(servers[0]->pid, SIGCONT);
	pthread_join(thread, NULL);
}

struct member_outcome {
	int status, issues, warnings;
	char code[64];
};

static struct member_outcome outcome_of(const struct caller_answer *a)
{
	struct member_outcome o = {.status = a->status,
	    .issues = times_in(a->reply.body, "\"path\""),
	    .warnings = times_in(a->reply.body, "\"warnings\"")};

	snprintf(o.code, sizeof o.code, "%s", a->code);
	return o;
}

static void expect_outcome(int i, const char *what, const struct member_outcome *o)
{
	struct member_outcome now = outcome_of(&members[i].answer);

	if (memcmp(&now, o, sizeof now) != 0)
		fail_msg("%s: member %d got %d %s %s, by itself %d %s", what, i, now.status, now.code,
		    members[i].answer.reply.body, o->status, o->code);
}

/* What was stored under a key is sent again; what was not runs anew. */
static void expect_stored(int i)
{
	struct member_outcome first = outcome_of(&members[i].answer);

	member_send(NULL, i);
	assert_int_equal(members[i].answer.replayed, first.status != 422);
	if (first.status != 422)
		expect_outcome(i, "again", &first);
}

static void changed_meanwhile(const struct change *c)
{
	struct member_outcome single[MEMBERS] = {{0}};

	for (int i = 0; i < MEMBERS; i++) {
		group_make();
		members_use_group();
		send_meanwhile(c, &members[i]);
		single[i] = outcome_of(&members[i].answer);
		members_end();
	}
	group_make();
	members_use_group();
	send_meanwhile(c, NULL);
	for (int i = 0; i < MEMBERS; i++) {
		print_message("%s %s: %d: %d %s\n", c->method, c->target, i, single[i].status, single[i].code);
		expect_outcome(i, c->target, &single[i]);
		if (members[i].once)
			expect_stored(i);
	}
	members_end();
}

TEST(changes_of_rights_and_settings_are_seen_by_each)
{
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		changed_meanwhile(&changes[i]);
}

/* --- what only the database finds ------------------------------------------------------------------------ */

/* The statement that fails for the person with the first name "bad"; new is its row. */
static const struct poison {
	const char *table, *when, *where;
} poisons[] = {
    {"people", "before", "new.first_name = 'bad'"},
    {"companies", "before", "new.name like '%bad%'"},
    {"events", "before", "exists (select from people p where p.id = new.record_id and p.first_name = 'bad')"},
    {"person_groups", "before", "exists (select from people p where p.id = new.person_id and p.first_name = 'bad')"},
    {"person_companies", "before", "exists (select from people p where p.id = new.person_id and p.first_name = 'bad')"},
    {"field_values", "before", "exists (select from people p where p.id = new.owner_id and p.first_name = 'bad')"},
    {"idempotency_keys", "before", "position('\"firstName\":\"bad\"' in convert_from(new.body, 'UTF8')) > 0"},
    {"people", "at commit", "new.first_name = 'bad'"},
};

static void poison_put(const struct poison *p, const char *sqlstate)
{
	bool late = strcmp(p->when, "before") != 0;

	SQL("create function poison() returns trigger language plpgsql as $$ begin if %s then "
	    "raise exception using errcode = '%s', message = 'poison'; end if; return new; end $$; "
	    "create %s poison %s insert on %s %s for each row execute function poison()",
	    p->where, sqlstate, late ? "constraint trigger" : "trigger", late ? "after" : "before", p->table,
	    late ? "deferrable initially deferred" : "");
}

static void members_with_everything(const char *name, int bad)
{
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		const char *first = i == bad ? "bad" : TEXT("%d", i);
		members[i].caller.key = rig.ada.key;
		members[i].body = TEXT("{\"firstName\":\"%s\",\"lastName\":\"%s\",\"companies\":[{\"name\":\"%s %s\"}],"
		                       "\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"F\":\"value\"}}}",
		    first, name, name, first, group, group);
	}
	members_give_keys(name, 2);
}

static void fails_for_one(const struct poison *p, const char *sqlstate, int bad)
{
	const char *name = name_once("Failing");
	struct member_outcome single;

	poison_put(p, sqlstate);
	members_with_everything(name_once("Single"), bad);
	member_send(NULL, bad);
	single = outcome_of(&members[bad].answer);
	members_end();
	members_order("");
	members_with_everything(name, bad);
	members_send();
	rig_write(rig.orders, "");
	SQL("drop function poison cascade");
	print_message("%s %s %s: %d %s\n", p->when, p->table, sqlstate, single.status, single.code);
	expect_outcome(bad, p->table, &single);
	for (int i = 0; i < MEMBERS; i++)
		if (i != bad) {
			assert_int_equal(members[i].answer.status, 200);
			assert_non_null(strstr(members[i].answer.reply.body, TEXT("\"firstName\":\"%d\"", i)));
		}
	assert_int_equal(members_people(name), MEMBERS - (single.status != 200));
	assert_int_equal(members_events(name), members_people(name));
	assert_rows(members_people(name), "companies where name like '%s %%'", name);
	if (members[bad].once) {
		member_send(NULL, bad);
		assert_int_equal(members[bad].answer.replayed, single.status != 503);
	}
	members_end();
}

TEST(a_statement_that_fails_is_charged_to_its_own_request)
{
	static const char *const sqlstates[] = {"P0001", "57014", "40001", "23505"};

	group_make();
	for (size_t i = 0; i < sizeof poisons / sizeof *poisons; i++)
		for (size_t k = 0; k < sizeof sqlstates / sizeof *sqlstates; k++) {
			bool keyed = poisons[i].table[0] == 'i' || (i + k) % 2;
			fails_for_one(&poisons[i], sqlstates[k], keyed ? 4 : 3);
		}
}

/* --- one key, and conditions --------------------------------------------------------------------------------- */

TEST(one_key_is_used_once_by_each_user)
{
	const char *ids[2] = {NULL, NULL};

	members_order("");
	members_begin_people("One key");
	for (int i = 0; i < MEMBERS; i++) {
		members[i].once = "the-same";
		members[i].body = i == MEMBERS - 1 ? "{\"lastName\":\"One key\",\"firstName\":\"other\"}"
		                                   : "{\"lastName\":\"One key\"}";
	}
	members_send();
	for (int i = 0; i < MEMBERS; i++)
		if (members[i].answer.status == 200) {
			assert_true(!ids[i % 2] || strcmp(ids[i % 2], members[i].answer.id) == 0);
			ids[i % 2] = members[i].answer.id;
		} else {
			assert_true(members[i].answer.status == 409 ||
			            strcmp(members[i].answer.code, "IDEMPOTENCY_KEY_REUSED") == 0);
		}
	assert_true(ids[0] && ids[1]);
	assert_int_equal(members_people("One key"), 2);
	assert_int_equal(members_events("One key"), 2);
	members_end();
}

TEST(a_condition_that_fails_leaves_the_others)
{
	members_order("");
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		struct caller_answer made = MAKE("{\"lastName\":\"Condition\"}", "/v1/people");
		members[i].method = "PATCH";
		members[i].target = TEXT("/v1/people/%s", made.id);
		members[i].body = TEXT("{\"firstName\":\"%d\"}", i);
		members[i].if_match = i % 3 ? client_header(&made.reply, "ETag") : "\"1\"";
	}
	members_give_keys("condition", 2);
	members_send();
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(members[i].answer.status, i % 3 ? 200 : 412);
	for (int i = 0; i < MEMBERS; i += 3) {
		members[i].if_match = NULL;
		member_send(NULL, i);
		assert_int_equal(members[i].answer.status, 200);
		assert_false(members[i].answer.replayed);
	}
	assert_rows(MEMBERS, "people where last_name = 'Condition' and first_name <> ''");
	members_end();
}
