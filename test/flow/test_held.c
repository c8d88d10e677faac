/* No request blocks the loop for long, however large its content or its workspace's: the largest of each kind are
 * sent, and the server's log shows the processor time of its longest turn. Quadratic algorithms stand out clearly on
 * any machine and build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/id.h"
#include "test/lib/flow.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/rows.h"
#include "test/lib/server/cost.h"

enum { BODY_MAX = 8 << 20, OPTIONS = 1000, SELECTS = 20, USERS = 5000, CONTACTS = 1000, VALUES = 6 };
enum { MOST_MS = 80 }; /* with the sanitizers; the optimised build takes a third of that */

static int64_t most_us;
static int refused, over; /* requests with a wrong answer; with too long a turn */
static char group[64], person[64];

/* --- turns ------------------------------------------------------------------------ */

/* Sends a request that must return that status; returns the answer. */
static struct caller_answer held_answer(
    const char *what, const char *method, const char *target, const char *body, int status)
{
	struct caller_answer a;
	struct cost cost;

	a = cost_send(&ada, method, target, NULL, body, &cost);
	print_message("%-44s %4d %8lld us of %8lld\n", what, a.status, (long long)cost.turn_us, (long long)a.took_us);
	refused += a.status != status;
	over += cost.turn_us > most_us;
	if (a.status != status)
		print_error("%s: %d %s %.600s\n", what, a.status, a.error, a.reply.body);
	return a;
}

static const char *held_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *held_text(const char *format, ...)
{
	va_list args;
	const char *out;

	va_start(args, format);
	out = arena_vprintf(&ada.arena, format, args);
	va_end(args);
	return out;
}

/* --- the workspace ------------------------------------------------------------------ */

static void make_fields(const char *type, const char *name, int n, int options)
{
	const char *one = arena_printf(&rig.arena,
	    "with w as (update workspaces set version = version + 1 returning workspace_id), f as (insert into "
	    "custom_fields (workspace_id, id, group_id, entity, name, type, options) select w.workspace_id, "
	    "gen_random_uuid(), '%s', 'person', '%s' || i, '%s', coalesce((select json_agg(json_build_object('id', "
	    "gen_random_uuid(), 'label', repeat('x', 494) || lpad(o::text, 6, '0'), 'color', '#000000')) from "
	    "generate_series(1, %d) o where i >= 0), '[]') from w, generate_series(0, %d) i returning 1) "
	    "select count(*) from f",
	    group + strlen("grp_"), name, type, options, n - 1);

	assert_int_equal(database_int(rig.program, one), n);
}

RIG("held", .settings = {"log_level=debug"});

BEFORE_ALL()
{
	cost_of(server);
	most_us = rig_setting("HELD_MS", MOST_MS) * 1000;
	snprintf(
	    group, sizeof group, "%s", SEND("POST", "{\"name\":\"G\",\"visibility\":\"private\"}", "/v1/groups").id);
	make_fields("multipleSelect", "m", SELECTS, OPTIONS);
	make_fields("userField", "u", VALUES, 0);
	make_fields("contactField", "c", VALUES, 0);
	make_fields("textField", "t", 150, 0);
	assert_number(USERS,
	    "with w as (update workspaces set version = version + 1 returning workspace_id), u as "
	    "(insert into users (workspace_id, id, email, full_name, role) select workspace_id, "
	    "gen_random_uuid(), 'somebody-' || lpad(i::text, 6, '0') || '@example.org', 'U' || i, "
	    "'member' from w, generate_series(0, %d) i returning 1) select count(*) from u",
	    USERS - 1);
	snprintf(person, sizeof person, "%s",
	    caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"groups\":[{\"id\":\"%s\"}]}", group).id);
}

/* --- one record ---------------------------------------------------------------------- */

static void begin_record(struct buf *body)
{
	buf_clear(body);
	buf_printf(body, "{\"records\":[{\"id\":\"%s\",\"customFieldValues\":{\"%s\":{", person, group);
}

static void update_one(const char *what, struct buf *body)
{
	buf_addz(body, "}}}]}");
	assert_false(body->overflow);
	assert_non_null(
	    strstr(held_answer(what, "POST", "/v1/people/batch/update", body->data, 200).reply.body, "succeeded"));
}

TEST(test_options)
{
	static const struct {
		const char *what;
		int from, step, n;
	} rows[] = {{"options: all", 1, 1, OPTIONS}, {"options: the same again", 1, 1, OPTIONS},
	    {"options: in another order", OPTIONS, -1, OPTIONS}, {"options: every other", 1, 2, OPTIONS / 2}};
	struct buf body;
	char label[501];

	buf_init(&body, BODY_MAX);
	memset(label, 'x', 494);
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		begin_record(&body);
		for (int f = 0; f < VALUES; f++) {
			buf_printf(&body, "%s\"m%d\":[", f ? "," : "", f);
			for (int i = 0; i < rows[r].n; i++) {
				snprintf(label + 494, 7, "%06d", rows[r].from + i * rows[r].step);
				buf_printf(&body, "%s\"%s\"", i ? "," : "", label);
			}
			buf_addz(&body, "]");
		}
		update_one(rows[r].what, &body);
	}
	buf_free(&body);
	held_answer("options: one record", "GET", held_text("/v1/people/%s", person), NULL, 200);
	held_answer("options: a page", "GET", "/v1/people?limit=100", NULL, 200);
}

TEST(test_users)
{
	struct buf body;

	buf_init(&body, BODY_MAX);
	for (int again = 0; again < 2; again++) {
		begin_record(&body);
		for (int f = 0; f < VALUES; f++) {
			buf_printf(&body, "%s\"u%d\":[", f ? "," : "", f);
			for (int i = 0; i < 1000; i++)
				buf_printf(&body, "%s{\"email\":\"Somebody-%06d@example.org\"}", i ? "," : "",
				    again ? 4000 + i : 4999 - i);
			buf_addz(&body, "]");
		}
		for (int f = 0; f < VALUES; f++)
			buf_printf(&body, ",\"m%d\":[]", f);
		update_one("users by e-mail", &body);
	}
	buf_free(&body);
	held_answer("users: one record", "GET", held_text("/v1/people/%s", person), NULL, 200);
}

/* --- many companies and contacts -------------------------------------------------------- */

TEST(test_companies)
{
	struct buf body;

	buf_init(&body, BODY_MAX);
	for (int again = 0; again < 2; again++) {
		buf_clear(&body);
		buf_addz(&body, "{\"records\":[");
		for (int i = 0; i < 100; i++) {
			buf_printf(&body, "%s{\"firstName\":\"P\",\"companies\":[", i ? "," : "");
			for (int k = 0; k < 20; k++)
				buf_printf(&body, "%s{\"name\":\"%0200d\"}", k ? "," : "", i * 20 + k);
			buf_addz(&body, "]}");
		}
		buf_addz(&body, "]}");
		held_answer(again ? "companies by name: all there" : "companies by name: all new", "POST",
		    "/v1/people/batch/create", body.data, 200);
	}
	buf_free(&body);
}

TEST(test_contacts)
{
	struct buf body;
	const char **ids = malloc(CONTACTS * sizeof *ids);
	const char *all;

	buf_init(&body, BODY_MAX);
	all = database_text(rig.program, &rig.arena,
	    arena_printf(&rig.arena,
	        "select string_agg('com_' || id, ' ') from (select id from companies order by id limit %d) c",
	        CONTACTS));
	for (int i = 0; i < CONTACTS; i++)
		ids[i] = arena_dup(&rig.arena, all + i * (ID_LEN + 1), ID_LEN); /* one character between two */
	for (int again = 0; again < 2; again++) {
		begin_record(&body);
		for (int f = 0; f < VALUES; f++)
			buf_printf(&body, "%s\"u%d\":[]", f ? "," : "", f);
		for (int f = 0; f < VALUES - 1; f++) {
			buf_printf(&body, ",\"c%d\":[", f);
			for (int i = 0; i < CONTACTS; i++)
				buf_printf(&body, "%s{\"id\":\"%s\"}", i ? "," : "", ids[again ? CONTACTS - 1 - i : i]);
			buf_addz(&body, "]");
		}
		update_one(again ? "contacts: in another order" : "contacts: all", &body);
	}
	held_answer("contacts: one record", "GET", held_text("/v1/people/%s", person), NULL, 200);
	buf_clear(&body);
	buf_addz(&body, "{\"records\":[");
	for (int r = 0; r < 70; r++) {
		buf_printf(&body, "%s{\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"c0\":[",
		    r ? "," : "", group, group);
		for (int i = 0; i < CONTACTS; i++)
			buf_printf(&body, "%s{\"id\":\"%s\"}", i ? "," : "", ids[i]);
		buf_addz(&body, "]}}}");
	}
	buf_addz(&body, "]}");
	held_answer("contacts: seventy records", "POST", "/v1/people/batch/create", body.data, 200);
	held_answer("contacts: a page", "GET", "/v1/people?limit=100&sort=-createdAt", NULL, 200);
	buf_clear(&body);
	buf_addz(&body, "{\"records\":[");
	for (int r = 0; r < 95; r++) {
		buf_printf(&body, "%s{\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"c0\":[",
		    r ? "," : "", group, group);
		for (int i = 0; i < CONTACTS; i++)
			buf_printf(&body, "%s{\"id\":\"com_%08x-%04x-7000-8000-%012x\"}", i ? "," : "", r, i, i);
		buf_addz(&body, "]}}}");
	}
	buf_addz(&body, "]}");
	held_answer("contacts: a hundred records, unknown ones", "POST", "/v1/people/batch/create", body.data, 200);
	buf_free(&body);
	free(ids);
}

/* --- settings ------------------------------------------------------------------------------ */

TEST(test_settings)
{
	const char *fields = held_text("/v1/groups/%s/custom-fields/company", group);
	struct buf body;
	struct caller_answer a;

	buf_init(&body, BODY_MAX);
	held_answer("settings: a small change", "PATCH", held_text("/v1/groups/%s", group), "{\"name\":\"H\"}", 200);
	held_answer("settings: read anew", "GET", "/v1/users/me", NULL, 200);
	assert_number(14, "with x as (update custom_fields set options = '[]' where name like 'm1_' or "
	                  "name in ('m6', 'm7', 'm8', 'm9') returning 1), w as (update workspaces set "
	                  "version = version + 1) select count(*) from x");
	held_answer("settings: read anew", "GET", "/v1/users/me", NULL, 200);
	buf_addz(&body, "{\"name\":\"o\",\"type\":\"multipleSelect\",\"options\":[");
	for (int i = 0; i < OPTIONS; i++)
		buf_printf(&body, "%s{\"label\":\"%0500d\"}", i ? "," : "", i);
	buf_addz(&body, "]}");
	a = held_answer("settings: a field of many options", "POST", fields, body.data, 200);
	held_answer("settings: its list", "GET", fields, NULL, 200);
	held_answer("settings: a list of many", "GET", held_text("/v1/groups/%s/custom-fields/person?limit=100", group),
	    NULL, 200);
	const struct json *data = feed_data(&ada, &a), *options = json_member(data, "options");
	const char *one = held_text("%s/o", fields);
	buf_clear(&body);
	buf_addz(&body, "{\"updateOptions\":[");
	for (const struct json *o = options->first; o; o = o->next)
		buf_printf(&body, "%s{\"id\":\"%s\",\"label\":\"%s.\"}", o == options->first ? "" : ",",
		    json_member(o, "id")->text, json_member(o, "label")->text + 1);
	buf_addz(&body, "]}");
	held_answer("settings: all labels change", "PATCH", one, body.data, 200);
	buf_clear(&body);
	buf_addz(&body, "{\"removeOptions\":[");
	for (const struct json *o = options->first; o; o = o->next)
		buf_printf(&body, "%s\"%s\"", o == options->first ? "" : ",", json_member(o, "id")->text);
	buf_addz(&body, "]}");
	held_answer("settings: all options go", "PATCH", one, body.data, 200);
	held_answer("settings: the field goes", "DELETE", one, NULL, 200);
	buf_free(&body);
}

/* --- filters --------------------------------------------------------------------------------- */

TEST(test_filters)
{
	struct buf body;
	char label[501];

	buf_init(&body, BODY_MAX);
	memset(label, 'x', 494);
	buf_addz(&body, "{\"filter\":{\"and\":[");
	for (int f = 0; f < 18; f++) {
		buf_printf(&body, "%s{\"customFieldValues.%s.m%d\":{\"in\":[", f ? "," : "", group, f % VALUES);
		for (int i = 0; i < 100; i++) {
			snprintf(label + 494, 7, "%06d", OPTIONS - i);
			buf_printf(&body, "%s\"%s\"", i ? "," : "", label);
		}
		buf_addz(&body, "]}}");
	}
	buf_addz(&body, "]}}");
	held_answer("filters: options", "POST", "/v1/people/search", body.data, 200);
	buf_clear(&body);
	buf_addz(&body, "/v1/people?x=1");
	for (int i = 0; i < 200; i++)
		buf_printf(&body, "&filter[%s][like]=abc%d", i % 2 ? "urls" : "emails", i);
	held_answer("filters: many values in the query", "GET", body.data, NULL, 200);
	buf_clear(&body);
	buf_addz(&body, "/v1/people?x=1");
	for (int i = 0; i < 250; i++)
		buf_printf(&body, "&filter[f%d][eq]=%d", i, i);
	held_answer("filters: many unknown fields", "GET", body.data, NULL, 422);
	buf_clear(&body);
	buf_addz(&body, "/v1/people?x=1");
	for (int i = 0; i < 490; i++)
		buf_printf(&body, "&u%d=%d", i, i);
	held_answer("many unknown parameters", "GET", body.data, NULL, 200);
	buf_free(&body);
	held_answer("the description", "GET", "/openapi.json", NULL, 200);
	held_answer("events", "GET", "/v1/events?limit=100&after=0", NULL, 422);
	held_answer("users", "GET", "/v1/users?limit=100", NULL, 200);
}

/* See the table of all cases above. */
TEST(test_all)
{
	assert_int_equal(refused, 0);
	assert_int_equal(over, 0);
}
