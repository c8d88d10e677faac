/* Calendars: what is in them and what must not be, who may read them, how they are answered, and large ones while
 * others are served. */
#include <stdatomic.h>
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/server/logged.h"

enum { TASKS = 10000, BIRTHDAYS = 5000, MORE = 100, READERS = 3, SHARE = 3 };

RIG("calendar", .settings = {"gzip=on"});

static struct caller guest; /* sends no key */
static const char *anna;    /* a person */

/* The path of a new calendar, without the query. */
static const char *calendar_of(struct caller *c)
{
	struct caller_answer a = caller_good(caller_send(c, "POST", "/v1/keys", NULL, "{\"scopes\":[\"calendar\"]}"));
	const char *url = strstr(a.reply.body, "\"url\":\"");

	assert_non_null(url);
	url = strstr(url, "/calendar/");
	return TEXT("%.*s", (int)strcspn(url, "\""), url);
}

static struct caller_answer calendar_ask(const char *target)
{
	return caller_send(&guest, "GET", target, NULL, NULL);
}

/* The calendar without folds. */
static const char *calendar_read(const char *target)
{
	struct caller_answer a = caller_good(calendar_ask(target));
	char *text = arena_dup(&ada.arena, a.reply.body, a.reply.body_len), *to = text;

	assert_string_equal(client_header(&a.reply, "Content-Type"), "text/calendar; charset=utf-8");
	for (const char *from = a.reply.body; *from;)
		if (from[0] == '\r' && from[1] == '\n' && from[2] == ' ')
			from += 3;
		else
			*to++ = *from++;
	*to = '\0';
	return text;
}

static int text_count(const char *text, const char *part)
{
	const char *end = text + strlen(text), *at;
	size_t len = strlen(part);
	int n = 0;

	/* strstr() of the sanitizer reads all of a text each time. */
	for (at = text; (at = memmem(at, (size_t)(end - at), part, len)); at += len)
		n++;
	return n;
}

/* The event of a record; NULL: there is none. */
static const char *calendar_event(const char *text, const char *id)
{
	const char *uid = strstr(text, TEXT("BEGIN:VEVENT\r\nUID:%s", id)), *end;

	if (!uid)
		return NULL;
	end = strstr(uid, "END:VEVENT\r\n");
	assert_non_null(end);
	return TEXT("%.*s", (int)(end - uid), uid);
}

static void expect_part(const char *event, const char *part)
{
	if (!event || !strstr(event, part))
		fail_msg("\"%s\" is not in:\n%s", part, event ? event : "nothing");
}

static void expect_no_part(const char *event, const char *part)
{
	assert_non_null(event);
	if (strstr(event, part))
		fail_msg("\"%s\" is in:\n%s", part, event);
}

BEFORE_ALL()
{
	caller_init(&guest, server->base, NULL);
	anna = POST("{\"firstName\":\"Anna\",\"lastName\":\"Lind\"}", "/v1/people");
	caller_good(SEND("PATCH", "{\"timeZone\":\"Europe/Berlin\"}", "/v1/users/%s", rig.ada.id));
}

AFTER_ALL()
{
	caller_free(&guest);
}

/* A record about Anna. */
static const char *make_record(struct caller *c, const char *path, const char *members)
{
	return caller_good(caller_send(c, "POST", path, NULL, TEXT("{\"entity\":{\"id\":\"%s\"},%s}", anna, members)))
	    .id;
}

/* --- content ----------------------------------------------------------------------------- */

TEST(a_task_is_an_event)
{
	const char *timed = make_record(&ada, "/v1/tasks",
	               "\"title\":\"Call; then, \\\\ "
	               "write\",\"description\":\"One\\nTwo\",\"dueAt\":\"2026-12-01\",\"dueTime\":\"09:30\""),
	           *day = make_record(
	               &ada, "/v1/tasks", "\"title\":\"Whole day\",\"dueAt\":\"2027-02-28\",\"isPublic\":false"),
	           *done = make_record(&ada, "/v1/tasks", "\"title\":\"Done\",\"dueAt\":\"2026-12-01\""), *text, *event;

	caller_good(SEND("POST", "{\"completedAt\":\"2026-11-01T00:00:00.000Z\"}", "/v1/tasks/%s/mark-as-done", done));
	text = calendar_read(calendar_of(&ada));
	expect_part(text, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//kith//kith//EN\r\nCALSCALE:GREGORIAN\r\n");
	expect_part(text, "REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H\r\n");
	expect_part(text, "X-WR-TIMEZONE:Europe/Berlin\r\n");
	expect_part(text, "END:VEVENT\r\nEND:VCALENDAR\r\n");
	event = calendar_event(text, timed);
	expect_part(event, TEXT("UID:%s@kith\r\n", timed));
	expect_part(event, "DTSTART;TZID=Europe/Berlin:20261201T093000\r\nDURATION:PT15M\r\n");
	expect_part(event, "SUMMARY:Call\\; then\\, \\\\ write\r\nDESCRIPTION:Anna Lind\\n\\nOne\\nTwo\r\n");
	expect_part(event, "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Call\\; then\\, \\\\ "
	                   "write\r\nTRIGGER:PT0S\r\nEND:VALARM\r\n");
	expect_no_part(event, "CLASS:");
	event = calendar_event(text, day);
	expect_part(event, "DTSTART;VALUE=DATE:20270228\r\n");
	expect_part(event, "CLASS:PRIVATE\r\n");
	expect_no_part(event, "VALARM");
	assert_null(calendar_event(text, done));
}

TEST(a_reminder_is_an_event_with_its_rule)
{
	static const struct {
		const char *rule, *start, *rrule;
	} cases[] = {
	    {"DTSTART;TZID=Europe/Berlin:20270104T090000\\nRRULE:FREQ=WEEKLY;BYDAY=MO",
	        "DTSTART;TZID=Europe/Berlin:20270104T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO\r\n"},
	    /* Not on its own first day; small letters; a local UNTIL. */
	    {"dtstart;tzid=\\\"America/New_York\\\":20270105T090000\\nrrule:freq=weekly;byday=mo;until=20270301T080000",
	        "DTSTART;TZID=America/New_York:20270111T090000",
	        "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20270301T130000Z\r\n"},
	    {"DTSTART:20270104T090000Z\\nRRULE:FREQ=DAILY;UNTIL=20270110", "DTSTART:20270104T090000Z",
	        "RRULE:FREQ=DAILY;UNTIL=20270110T235959Z\r\n"},
	    {"DTSTART:20270104T090000Z\\nRRULE:COUNT=1", "DTSTART:20270104T090000Z", NULL},
	    /* Nothing that would stop a phone. */
	    {"DTSTART:20270104T090000Z\\nRRULE:FREQ=SECONDLY", "DTSTART:20270104T090000Z", NULL},
	    {"DTSTART:20270104T090000Z\\nRRULE:FREQ=DAILY;BYHOUR=9,10,11;BYMINUTE=0,1,2,3,4,5;BYSECOND=0,10,20,30,40,"
	     "50",
	        "DTSTART:20270104T090000Z", NULL},
	    {"DTSTART:20270104T090000Z\\nRRULE:FREQ=MINUTELY;COUNT=10", "DTSTART:20270104T090000Z",
	        "RRULE:FREQ=MINUTELY;COUNT=10\r\n"},
	};
	const char *calendar = calendar_of(&ada), *event, *text;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *id = make_record(&ada, "/v1/reminders",
		    TEXT("\"name\":\"Look\",\"visibility\":\"private\",\"recurrenceRule\":\"%s\"", cases[i].rule));
		text = calendar_read(calendar);
		event = calendar_event(text, id);
		expect_part(event, TEXT("%s\r\nDURATION:PT15M\r\n", cases[i].start));
		expect_part(event, "SUMMARY:Look\r\nDESCRIPTION:Anna Lind\r\n");
		expect_part(event, "CLASS:PRIVATE\r\n");
		if (cases[i].rrule)
			expect_part(event, cases[i].rrule);
		else
			expect_no_part(event, "RRULE");
	}
	assert_int_equal(text_count(text, "BEGIN:VTIMEZONE"), 2);
	expect_part(text, "TZID:America/New_York\r\n");
}

TEST(birthdays_are_those_of_the_groups)
{
	const char *friends = POST("{\"name\":\"Friends\",\"visibility\":\"public\"}", "/v1/groups"),
	           *others = POST("{\"name\":\"Others\",\"visibility\":\"public\"}", "/v1/groups"),
	           *leap =
	               POST(TEXT("{\"firstName\":\"Leap\",\"birthday\":\"1996-02-29\",\"groups\":[{\"id\":\"%s\"}]}",
	                        friends),
	                   "/v1/people"),
	           *early =
	               POST(TEXT("{\"firstName\":\"Early\",\"birthday\":\"1604-02-29\",\"groups\":[{\"id\":\"%s\"}]}",
	                        friends),
	                   "/v1/people"),
	           *other =
	               POST(TEXT("{\"firstName\":\"Other\",\"birthday\":\"1980-07-01\",\"groups\":[{\"id\":\"%s\"}]}",
	                        others),
	                   "/v1/people"),
	           *calendar = calendar_of(&ada), *text, *event;

	text = calendar_read(TEXT("%s?include=birthdays&group=%s", calendar, friends));
	event = calendar_event(text, leap);
	expect_part(event, TEXT("UID:%s-birthday@kith\r\n", leap));
	expect_part(event, "DTSTART;VALUE=DATE:19960229\r\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1\r\n");
	expect_part(event, "SUMMARY:\xf0\x9f\x8e\x82 Leap (1996)\r\n");
	event = calendar_event(text, early);
	expect_part(event, "DTSTART;VALUE=DATE:19040229\r\n");
	expect_part(event, "SUMMARY:\xf0\x9f\x8e\x82 Early\r\n");
	assert_null(calendar_event(text, other));
	assert_int_equal(text_count(text, "BEGIN:VEVENT"), 2);
	assert_int_equal(text_count(text, "BEGIN:VTIMEZONE"), 1);
	text = calendar_read(TEXT("%s?include=birthdays&group=%s&group=%s", calendar, friends, others));
	expect_part(calendar_event(text, other), "RRULE:FREQ=YEARLY\r\n");
	assert_string_equal(text, calendar_read(TEXT("%s?include=birthdays&group=%s,%s", calendar, others, friends)));
	assert_int_equal(text_count(calendar_read(TEXT("%s?group=%s", calendar, friends)), "-birthday@kith"), 0);
	/* A group that is gone has no birthdays, and the calendar goes on. */
	caller_good(SEND("DELETE", NULL, "/v1/groups/%s", others));
	text = calendar_read(TEXT("%s?include=birthdays&group=%s&group=%s", calendar, friends, others));
	assert_int_equal(text_count(text, "BEGIN:VEVENT"), 2);
	assert_int_equal(
	    text_count(calendar_read(TEXT("%s?include=birthdays&group=%s", calendar, others)), "BEGIN:VEVENT"), 0);
}

/* --- who sees what ------------------------------------------------------------------------ */

TEST(what_is_private_to_others_is_absent)
{
	const char *rule = "\"recurrenceRule\":\"DTSTART:20270104T090000Z\\nRRULE:COUNT=1\"",
	           *mine = make_record(&ada, "/v1/tasks", "\"title\":\"Mine\",\"dueAt\":\"2026-12-01\""),
	           *hers = make_record(&ben, "/v1/tasks",
	               TEXT("\"title\":\"For "
	                    "Ada\",\"dueAt\":\"2026-12-01\",\"isPublic\":false,\"assignedUsers\":[{\"id\":\"%s\"}]",
	                   rig.ada.id)),
	           *own =
	               make_record(&ben, "/v1/reminders", TEXT("\"name\":\"Own\",\"visibility\":\"private\",%s", rule)),
	           *shared = make_record(&ben, "/v1/reminders",
	               TEXT("\"name\":\"Shared\",\"visibility\":\"public\",\"assignedUsers\":[{\"id\":\"%s\"}],%s",
	                   rig.ada.id, rule)),
	           *of_ada = calendar_read(calendar_of(&ada)), *of_ben = calendar_read(calendar_of(&ben));

	assert_non_null(calendar_event(of_ada, mine));
	assert_non_null(calendar_event(of_ada, hers));
	assert_null(calendar_event(of_ada, own));
	assert_non_null(calendar_event(of_ada, shared));
	assert_null(calendar_event(of_ben, mine));
	assert_null(calendar_event(of_ben, hers)); /* Ben made it, and Ada is to do it */
	assert_non_null(calendar_event(of_ben, own));
	assert_non_null(calendar_event(of_ben, shared));
}

/* Ben leaves a private group: its objects, and what is about them, no longer exist for him. */
TEST(what_is_about_hidden_objects_is_absent)
{
	const char *group = POST("{\"name\":\"Board\",\"visibility\":\"private\"}", "/v1/groups"), *object, *task,
	           *calendar, *birthdays;

	MAKE("{\"name\":\"Deals\"}", "/v1/groups/%s/object-types", group);
	MAKE(TEXT("{\"id\":\"%s\",\"role\":\"contributor\"}", rig.ben.id), "/v1/groups/%s/members", group);
	MAKE(TEXT("{\"firstName\":\"Secret\",\"birthday\":\"1990-01-01\",\"groups\":[{\"id\":\"%s\"}]}", group),
	    "/v1/people");
	object = POST("{\"name\":\"Big deal\"}", "/v1/groups/%s/Deals", group);
	task = POST(TEXT("{\"title\":\"Sign\",\"dueAt\":\"2026-12-01\",\"entity\":{\"id\":\"%s\"},\"assignedUsers\":[{"
	                 "\"id\":\"%s\"}]}",
	                object, rig.ben.id),
	    "/v1/tasks");
	calendar = calendar_of(&ben);
	birthdays = TEXT("%s?include=birthdays&group=%s", calendar, group);
	expect_part(calendar_event(calendar_read(calendar), task), "DESCRIPTION:Big deal\r\n");
	expect_part(calendar_read(birthdays), "Secret (1990)");
	caller_good(SEND("DELETE", NULL, "/v1/groups/%s/members/%s", group, rig.ben.id));
	assert_null(calendar_event(calendar_read(calendar), task));
	expect_no_part(calendar_read(birthdays), "Secret");
}

/* --- the answer --------------------------------------------------------------------------- */

static struct caller_answer ask_with(const char *method, const char *target, const char *name, const char *value)
{
	struct client_header headers[] = {{name, value}, {NULL, NULL}};

	return caller_send_with(&guest, method, target, NULL, headers);
}

TEST(an_unchanged_calendar_is_not_sent_again)
{
	const char *calendar = calendar_of(&ben), *tag;
	struct caller_answer a = caller_good(calendar_ask(calendar)), b;

	tag = client_header(&a.reply, "ETag");
	assert_non_null(tag);
	assert_memory_equal(tag, "W/\"", 3);
	assert_string_equal(client_header(&a.reply, "Cache-Control"), "private, no-cache");
	patience_rest(1100); /* the tag does not have the time */
	b = ask_with("GET", calendar, "If-None-Match", tag);
	assert_int_equal(b.status, 304);
	assert_int_equal(b.reply.body_len, 0);
	assert_string_equal(client_header(&b.reply, "ETag"), tag);
	b = ask_with("HEAD", calendar, "Accept", "*/*");
	assert_int_equal(b.status, 200);
	assert_int_equal(b.reply.body_len, 0);
	assert_string_equal(client_header(&b.reply, "ETag"), tag);
	b = ask_with("GET", calendar, "Accept-Encoding", "gzip");
	assert_string_equal(client_header(&b.reply, "ETag"), tag);
	assert_string_equal(client_header(&b.reply, "Content-Encoding"), "gzip");
	assert_true(b.reply.body_len < a.reply.body_len);
	make_record(&ben, "/v1/tasks", "\"title\":\"New\",\"dueAt\":\"2026-12-01\"");
	b = ask_with("GET", calendar, "If-None-Match", tag);
	assert_int_equal(b.status, 200);
	assert_string_not_equal(client_header(&b.reply, "ETag"), tag);
}

/* Thunderbird asks so before it subscribes, and would else show the key as the name. */
TEST(the_name_of_a_calendar)
{
	const char *path = calendar_of(&ada);
	struct caller_answer a = caller_send(&guest, "PROPFIND", path, NULL, "<propfind xmlns='DAV:'/>");

	assert_int_equal(a.reply.status, 207);
	assert_non_null(strstr(a.reply.body, "<d:displayname>kith: Ada"));
	assert_non_null(strstr(a.reply.body, "<d:getcontenttype>text/calendar</d:getcontenttype>"));
	assert_null(strstr(a.reply.body, "<d:write"));
	a = caller_send(&guest, "PROPFIND", TEXT("/calendar/%s.ics", rig.ada.key), NULL, NULL);
	assert_int_equal(a.reply.status, 404);
}

TEST(the_key_of_a_disabled_user_is_unknown)
{
	struct test_user eve =
	    user_create(rig.program, &rig.arena, &rig.workspace, "eve", "Eve", "eve@example.com", "member");
	struct caller c;
	const char *calendar;

	caller_init(&c, server->base, eve.key);
	calendar = calendar_of(&c);
	assert_int_equal(calendar_ask(calendar).status, 200);
	caller_good(SEND("POST", "{}", "/v1/users/%s/disable", eve.id));
	assert_int_equal(calendar_ask(calendar).status, 404);
	caller_free(&c);
}

/* Neither an answer nor the log has the key, whatever is wrong with the request. */
TEST(the_key_is_nowhere_in_the_log)
{
	const char *calendar = calendar_of(&ada), *key = TEXT("%.41s", calendar + strlen("/calendar/"));
	const char *const targets[] = {calendar, TEXT("%s?include=x", calendar), TEXT("%s/", calendar),
	    TEXT("%sx", calendar), TEXT("/%s", calendar), TEXT("/Calendar/%s.ics", key),
	    TEXT("/v1/calendar/%s.ics", key), TEXT("/v1/people/%s", key), TEXT("/calendar/%s", key)};

	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		struct caller_answer a = calendar_ask(targets[i]);
		logged_of(&rig.arena, server, &a);
		assert_null(strstr(a.reply.body, key));
	}
	logged_of(&rig.arena, server, &(struct caller_answer[]){ask_with("PUT", calendar, "Accept", "*/*")}[0]);
	assert_false(server_log_has(server, key));
	assert_true(server_log_has(server, "/calendar/"));
}

/* --- large ones --------------------------------------------------------------------------- */

/* The times of all zones are written, for reminders since before clocks were changed. */
TEST(a_calendar_has_all_zones)
{
	struct test_user zoe =
	    user_create(rig.program, &rig.arena, &rig.workspace, "zoe", "Zoe", "zoe@example.com", "member");
	struct caller c;
	const char *text;
	int zones;

	caller_init(&c, server->base, zoe.key);
	SQL("insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, visibility, "
	    "next_trigger_at, created_by, created_at) select '%s', gen_random_uuid(), '%s', 'person', name, "
	    "format(e'DTSTART;TZID=%%s:18000101T090000\nRRULE:FREQ=YEARLY', name), 'private', now() + interval '1 "
	    "year', '%s', now() from pg_timezone_names where name !~ '^posix'",
	    rig.workspace.id + strlen("wsp_"), anna + strlen("per_"), zoe.id + strlen("usr_"));
	text = calendar_read(calendar_of(&c));
	zones = text_count(text, "BEGIN:VTIMEZONE\r\n");
	assert_true(zones > 300);
	assert_int_equal(text_count(text, "END:VTIMEZONE\r\n"), zones);
	assert_int_equal(text_count(text, "BEGIN:VEVENT\r\n"), text_count(text, "END:VEVENT\r\n"));
	expect_part(text, "END:VTIMEZONE\r\nBEGIN:VEVENT\r\n");
	caller_free(&c);
}

static void fill_calendar(const char *group)
{
	SQL("insert into tasks (workspace_id, id, entity_id, entity_type, title, description, due_at, due_time, "
	    "is_public, "
	    "assigned_user_ids, created_by, created_at, updated_at) select workspace_id, gen_random_uuid(), '%s', "
	    "'person', 'Task ' || n, "
	    "repeat('Text ', 100), date '2026-12-01' + n %% 1000, n %% 1440, true, array[id], id, now(), now() from "
	    "users, "
	    "generate_series(1, %d) n where %s and id = '%s'",
	    anna + strlen("per_"), TASKS + MORE, rig.own, rig.ben.id + strlen("usr_"));
	SQL("with p as (insert into people (workspace_id, id, full_name, birthday, group_ids, created_by, created_at, "
	    "updated_at) select "
	    "workspace_id, gen_random_uuid(), 'Person ' || n, date '1970-01-01' + n, array['%s'::uuid], id, now(), "
	    "now() from users, "
	    "generate_series(1, %d) n where %s and id = '%s' returning workspace_id, id) insert into person_groups "
	    "(workspace_id, group_id, "
	    "person_id) select workspace_id, '%s', id from p",
	    group + strlen("grp_"), BIRTHDAYS + MORE, rig.own, rig.ben.id + strlen("usr_"), group + strlen("grp_"));
}

static const char *large;

/* All but one ask for the calendar, and the other one sends short requests meanwhile. Large calendars take turns, and
 * on a busy machine one that has waited too long gets a 503, as it would be read again later. A calendar in one piece
 * would hold up the other one for most of its time. */
static void large_ask(void *ctx, int i)
{
	static atomic_int done;
	int64_t began_us = patience_ms(0), longest_us = 0, took_us;
	struct caller *c = &((struct caller *)ctx)[i];

	if (i) {
		int status = caller_send(c, "GET", large, NULL, NULL).status;
		while (status == 503)
			status = caller_send(c, "GET", large, NULL, NULL).status;
		done++;
		assert_int_equal(status, 200);
		return;
	}
	while (done < READERS) {
		struct caller_answer a = caller_send(c, "GET", "/v1/users/me", NULL, NULL);
		assert_int_equal(a.status, 200);
		longest_us = a.took_us > longest_us ? a.took_us : longest_us;
	}
	took_us = patience_ms(0) - began_us;
	print_message("a request took at most %lld us beside %d calendars, which took %lld us\n", (long long)longest_us,
	    READERS, (long long)took_us);
	assert_true(longest_us * READERS * SHARE < took_us);
}

TEST(a_large_calendar_delays_nobody)
{
	const char *group = POST("{\"name\":\"Large\",\"visibility\":\"public\"}", "/v1/groups"), *text;
	struct caller callers[READERS + 1];

	fill_calendar(group);
	large = TEXT("%s?include=tasks,birthdays&group=%s", calendar_of(&ben), group);
	text = calendar_read(large);
	assert_int_equal(text_count(text, "-birthday@kith\r\n"), BIRTHDAYS);
	assert_int_equal(text_count(text, "UID:tsk_"), TASKS);
	assert_int_equal(text_count(text, "END:VCALENDAR\r\n"), 1);
	for (int i = 0; i <= READERS; i++)
		caller_init(&callers[i], server->base, i ? NULL : rig.ada.key);
	caller_crowd_run(READERS + 1, large_ask, callers);
	for (int i = 0; i <= READERS; i++)
		caller_free(&callers[i]);
}
