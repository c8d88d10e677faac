/* The events that each write leaves in the table: the cases are in events.cases. Also writes that leave none, and
 * duplicates that leave one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/json.h"
#include "test/lib/db/consistency.h"
#include "test/lib/db/event_rows.h"
#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { VARIABLES_MAX = 200, LINE_MAX_LEN = 1 << 16 };

static struct {
	const char *name, *value;
} variables[VARIABLES_MAX];
static int n_variables;

static struct {
	const char *name; /* of the case */
	int line, failed, cases;
	int64_t after;               /* events up to here have been checked */
	struct caller_answer answer; /* the last one */
} play;

static void set_variable(const char *name, const char *value)
{
	for (int i = 0; i < n_variables; i++)
		if (strcmp(variables[i].name, name) == 0) {
			variables[i].value = value;
			return;
		}
	assert_true(n_variables < VARIABLES_MAX);
	variables[n_variables].name = arena_dupz(&rig.arena, name);
	variables[n_variables++].value = value;
}

RIG("events");

BEFORE_ALL()
{
	set_variable("ada", rig.ada.id);
	set_variable("ben", rig.ben.id);
}

static void complain_of(const char *what, const char *text)
{
	fprintf(stderr, "events.cases:%d: %s: %s: %s\n", play.line, play.name, what, text);
	play.failed++;
}

/* --- a line ----------------------------------------------------------------------------- */

static const char *value_of(const char *name, size_t len)
{
	for (int i = 0; i < n_variables; i++)
		if (strlen(variables[i].name) == len && memcmp(variables[i].name, name, len) == 0)
			return variables[i].value;
	complain_of("unknown variable", name);
	return "";
}

static const char *expand_variables(const char *text)
{
	struct buf out;
	const char *open, *close, *made;

	buf_init(&out, LINE_MAX_LEN);
	while ((open = strstr(text, "{{")) && (close = strstr(open, "}}"))) {
		buf_add(&out, text, (size_t)(open - text));
		buf_addz(&out, value_of(open + 2, (size_t)(close - open - 2)));
		text = close + 2;
	}
	buf_addz(&out, text);
	made = arena_dup(&rig.arena, out.data ? out.data : "", out.len);
	buf_free(&out);
	return made;
}

/* [@ben] METHOD target [body] */
static void run_request(const char *line)
{
	struct caller *c = strncmp(line, "@ben ", 5) == 0 ? &ben : &ada;
	char *text = arena_dupz(&rig.arena, expand_variables(c == &ben ? line + 5 : line));
	char *target = strchr(text, ' '), *body;

	*target++ = '\0';
	body = strchr(target, ' ');
	if (body)
		*body++ = '\0';
	play.answer = caller_send(c, text, target, NULL, body);
}

/* Removes the word up to one of the ends from the text. */
static const char *take_word(const char **text, const char *ends)
{
	size_t len = strcspn(*text, ends);
	const char *taken = arena_dup(&rig.arena, *text, len);

	*text += len + ((*text)[len] != '\0');
	return taken;
}

static const struct json *step_into(const struct json *at, const char *name)
{
	long n = strtol(name, NULL, 10);

	if (at->type != JSON_ARRAY)
		return json_member(at, name);
	at = at->first;
	while (at && n--)
		at = at->next;
	return at;
}

/* name path.of.members: from the answer's body */
static void capture_member(const char *line)
{
	const char *error, *rest = line, *name = take_word(&rest, " ");
	const struct json *at = json_read(&rig.arena, play.answer.reply.body, play.answer.reply.body_len, &error);

	while (at && *rest)
		at = step_into(at, take_word(&rest, "."));
	if (at && at->type == JSON_STRING)
		set_variable(name, at->text);
	else
		complain_of("nothing there", line);
}

static void look_at_events(const char *expected)
{
	const char *found = event_rows_differ(rig.program, &rig.arena, play.after, expand_variables(expected));

	if (found)
		complain_of("other events", found);
	play.after = event_rows_last(rig.program);
}

static void expect_status(int status)
{
	if (play.answer.status != status)
		complain_of("answer", play.answer.reply.body ? play.answer.reply.body : play.answer.error);
}

static void run_line(char *line)
{
	if (strncmp(line, "== ", 3) == 0) {
		play.name = arena_dupz(&rig.arena, line + 3);
		play.cases++;
		play.after = event_rows_last(rig.program);
	} else if (strncmp(line, "> ", 2) == 0) {
		capture_member(line + 2);
	} else if (strncmp(line, "= ", 2) == 0) {
		look_at_events(line + 2);
	} else if (strncmp(line, "sql ", 4) == 0) {
		database_int(rig.program, expand_variables(line + 4));
	} else if (strncmp(line, "! ", 2) == 0) { /* the next answer has another status */
		run_request(strchr(line + 2, ' ') + 1);
		expect_status((int)strtol(line + 2, NULL, 10));
	} else {
		run_request(line);
		expect_status(200);
	}
}

/* Lines that begin with a tab continue the line before. */
TEST(test_cases)
{
	static char next[LINE_MAX_LEN];
	FILE *f = fopen("test/flow/events.cases", "r");
	struct buf line;
	bool more = true;

	assert_non_null(f);
	buf_init(&line, LINE_MAX_LEN);
	for (int number = 1; more; number++) {
		more = fgets(next, sizeof next, f) != NULL;
		if (more)
			next[strcspn(next, "\n")] = '\0';
		if (!more || next[0] != '\t') {
			if (line.len && line.data[0] != '#')
				run_line(line.data);
			buf_clear(&line);
			play.line = number;
		}
		buf_addz(&line, more ? next + (next[0] == '\t') : "");
	}
	buf_free(&line);
	fclose(f);
	print_message("%d cases\n", play.cases);
	assert_int_equal(play.failed, 0);
}

/* --- none, and duplicates ------------------------------------------------------------------ */

enum { TWINS = 16 };
static struct caller twins[TWINS];

static void send_twin(void *ctx, int i)
{
	(void)ctx;
	caller_send(&twins[i], "POST", "/v1/people", "twin", "{\"firstName\":\"Twin\"}");
}

TEST(test_twins)
{
	for (int i = 0; i < TWINS; i++)
		caller_init(&twins[i], server->base, rig.ada.key);
	caller_crowd_run(TWINS, send_twin, NULL);
	assert_true(caller_send(&ada, "POST", "/v1/people", "twin", "{\"firstName\":\"Twin\"}").replayed);
	assert_rows(1, "people where first_name = 'Twin'");
	assert_rows(1, "events e join people p on p.id = e.record_id where p.first_name = 'Twin'");
	for (int i = 0; i < TWINS; i++)
		caller_free(&twins[i]);
}

/* --- the order of a record's events --------------------------------------------------------- */

enum { WRITERS = 12, WRITES = 25 };

struct event_race {
	struct caller callers[WRITERS];
	const char *person, *other;
};

/* Single and in batches, with and without a key, and an interaction of it. */
static void write_one(struct event_race *race, struct caller *c, int i, int n)
{
	const char *once = n % 3 == 0 ? arena_printf(&c->arena, "race-%d-%d", i, n) : NULL;
	struct caller_answer a;

	if (n % 4 == 0)
		a = caller_sendf(c, "POST", "/v1/people/batch/update", once,
		    "{\"records\":[{\"id\":\"%s\",\"jobTitle\":\"%d-%d\"},{\"id\":\"%s\",\"jobTitle\":\"%d-%d\"}]}",
		    race->person, i, n, race->other, i, n);
	else
		a = caller_sendf(c, "PATCH",
		    arena_printf(&c->arena, "/v1/people/%s", n % 2 ? race->person : race->other), once,
		    "{\"jobTitle\":\"%d-%d\"}", i, n);
	if (a.status != 200)
		fprintf(stderr, "%d %s\n", a.status, a.reply.body ? a.reply.body : a.error);
}

static void write_many(void *ctx, int i)
{
	struct event_race *race = ctx;

	for (int n = 0; n < WRITES; n++)
		write_one(race, &race->callers[i], i, n);
}

/* A trigger records the true order of a record's changes: its events must have that order. */
TEST(test_order)
{
	static struct event_race race;

	database_int(rig.program,
	    "create table history (n bigserial, id uuid, title text); "
	    "create function remember() returns trigger language plpgsql security definer as $$ begin "
	    "insert into history (id, title) values (new.id, new.job_title); return new; end $$; "
	    "create trigger remember after update on people for each row execute function "
	    "remember(); select 1");
	race.person = SEND("POST", "{\"firstName\":\"Hot\"}", "/v1/people").id;
	race.other = SEND("POST", "{\"firstName\":\"Hot\"}", "/v1/people").id;
	for (int i = 0; i < WRITERS; i++)
		caller_init(&race.callers[i], server->base, i % 2 ? rig.ada.key : rig.ben.key);
	caller_crowd_run(WRITERS, write_many, &race);
	assert_true(rows_count("history") > WRITERS * WRITES);
	assert_number(0,
	    "with told as (select record_id as id, data -> 'changes' -> 0 ->> 'value' as title, row_number() "
	    "over (partition by record_id order by xid, seq) as n from events where type = 'person.updated' "
	    "and data -> 'changes' -> 0 -> 'path' ->> 0 = 'jobTitle' and record_id in (select id from history)), "
	    "was as (select id, title, row_number() over (partition by id order by n) as n from history) "
	    "select count(*) from told full join was using (id, n) where told.title is distinct from was.title");
	for (int i = 0; i < WRITERS; i++)
		caller_free(&race.callers[i]);
	assert_int_equal(consistency_untold(rig.program), 0);
	database_int(rig.program, "drop trigger remember on people; select 1");
}

/* --- a deleted private group ---------------------------------------------------------------- */

static const char *read_feed(struct caller *c, const char *cursor)
{
	struct caller_answer a =
	    caller_send(c, "GET", arena_printf(&c->arena, "/v1/events?limit=100&after=%s", cursor), NULL, NULL);

	assert_int_equal(a.status, 200);
	return a.reply.body;
}

/* Events of its content stay hidden from non-members. */
TEST(test_gone_group)
{
	int64_t until_us = patience_ms(60000);
	struct caller_answer a = caller_send(&ben, "GET", "/v1/people?limit=1", NULL, NULL);
	const char *cursor = arena_dupz(&rig.arena, client_header(&a.reply, "X-Events-Cursor")), *group, *theirs;

	group = SEND("POST", "{\"name\":\"Q\",\"visibility\":\"private\"}", "/v1/groups").id;
	SEND("POST", "{\"name\":\"hush\"}", "/v1/groups/%s/object-types", group);
	SEND("POST", "{\"name\":\"whisper\"}", "/v1/groups/%s/hush", group);
	caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Quiet\",\"groups\":[{\"id\":\"%s\"}]}", group);
	assert_int_equal(SEND("DELETE", NULL, "/v1/groups/%s", group).status, 200);
	SEND("POST", "{\"firstName\":\"Last\"}", "/v1/people");
	while (!strstr(read_feed(&ada, cursor), "object.deleted"))
		assert_true(patience_pause(until_us));
	theirs = read_feed(&ben, cursor);
	assert_non_null(strstr(theirs, "person.created"));
	assert_null(strstr(theirs, group));
	assert_null(strstr(theirs, "hush"));
	assert_null(strstr(theirs, "whisper"));
	assert_null(strstr(theirs, "object."));
}

/* --- retention ----------------------------------------------------------------------------------- */

static bool wait_sql(const char *sql, int64_t expected)
{
	int64_t until_us = patience_ms(60000);

	while (rig_int(&rig, "%s", sql) != expected)
		if (!patience_pause(until_us))
			return false;
	return true;
}

/* 90 days are about 90 s: days that have ended are dropped, other rows deleted one by one, recent ones stay. */
TEST(test_retention)
{
	struct server_process *fast = rig_serve(&rig, false, (const char *const[]){"clock_scale=86400", NULL});

	assert_rows(1, "pg_class where relname = 'events_' || to_char(now() at time zone 'UTC', 'YYYYMMDD')");
	rig_int(&rig, "select kith_partitions((now() - interval '20 days')::date)");
	rows_change(
	    "insert into events (workspace_id, id, type, record_id, created_at) select gen_random_uuid(), "
	    "gen_random_uuid(), 'old', gen_random_uuid(), now() - d * interval '1 day' from generate_series(0.01, 40, "
	    "0.01) d");
	assert_true(wait_sql("select count(*) from events where type = 'old'", 0));
	assert_true(wait_sql("select count(*) from pg_class where relname ~ '^(events|deliveries)_[0-9]{8}$' and "
	                     "to_date(right(relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - 2",
	    0));
	assert_true(rows_count("events") > 0);
	assert_true(server_stop(fast));
}
