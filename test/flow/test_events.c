/*
 * Which events each write leaves in the table: the cases are in events.cases. Also
 * those that leave none, and the one of two twins.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/json.h"
#include "test/lib/caller.h"
#include "test/lib/event_rows.h"
#include "test/lib/rig.h"

enum { VARIABLES_MAX = 200, LINE_MAX_LEN = 1 << 16 };

static struct rig rig;
static struct server *server;
static struct caller ada, ben;

static struct {
	const char *name, *value;
} variables[VARIABLES_MAX];
static int n_variables;

static struct {
	const char *name; /* of the case */
	int line, failed, cases;
	int64_t after;        /* events up to here were looked at */
	struct answer answer; /* the last one */
} play;

static void set(const char *name, const char *value)
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

static int open_rig(void **state)
{
	(void)state;
	rig_open(&rig, "events", false);
	server = rig_serve(&rig, false, NULL);
	caller_init(&ada, server->base, rig.ada.key);
	caller_init(&ben, server->base, rig.ben.key);
	set("ada", rig.ada.id);
	set("ben", rig.ben.id);
	return 0;
}

static int close_rig(void **state)
{
	bool clean = server_stop(server);

	(void)state;
	caller_free(&ada);
	caller_free(&ben);
	rig_close(&rig);
	return clean ? 0 : -1;
}

static void complain(const char *what, const char *text)
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
	complain("unknown variable", name);
	return "";
}

static const char *expand(const char *text)
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
static void request(const char *line)
{
	struct caller *c = strncmp(line, "@ben ", 5) == 0 ? &ben : &ada;
	char *text = arena_dupz(&rig.arena, expand(c == &ben ? line + 5 : line));
	char *target = strchr(text, ' '), *body;

	*target++ = '\0';
	body = strchr(target, ' ');
	if (body)
		*body++ = '\0';
	play.answer = caller_send(c, text, target, NULL, body);
}

/* name path.of.members: out of the answer's body */
static void capture(const char *line)
{
	const char *error;
	const struct json *at = json_read(&rig.arena, play.answer.reply.body, play.answer.reply.body_len, &error);
	char *text = arena_dupz(&rig.arena, line), *save, *name = strtok_r(text, " ", &save), *part;

	while (at && (part = strtok_r(NULL, ".", &save))) {
		if (at->type == JSON_ARRAY) {
			int n = atoi(part);
			at = at->first;
			while (at && n--)
				at = at->next;
		} else {
			at = json_member(at, part);
		}
	}
	if (at && at->type == JSON_STRING)
		set(name, at->text);
	else
		complain("nothing there", line);
}

static void look(const char *expected)
{
	const char *found = event_rows_differ(rig.program, &rig.arena, play.after, expand(expected));

	if (found)
		complain("other events", found);
	play.after = event_rows_last(rig.program);
}

static void good(int status)
{
	if (play.answer.status != status)
		complain("answer", play.answer.reply.body ? play.answer.reply.body : play.answer.error);
}

static void run_line(char *line)
{
	if (strncmp(line, "== ", 3) == 0) {
		play.name = arena_dupz(&rig.arena, line + 3);
		play.cases++;
		play.after = event_rows_last(rig.program);
	} else if (strncmp(line, "> ", 2) == 0) {
		capture(line + 2);
	} else if (strncmp(line, "= ", 2) == 0) {
		look(line + 2);
	} else if (strncmp(line, "sql ", 4) == 0) {
		database_int(rig.program, expand(line + 4));
	} else if (strncmp(line, "! ", 2) == 0) { /* the next answer's status is another */
		request(strchr(line + 2, ' ') + 1);
		good(atoi(line + 2));
	} else {
		request(line);
		good(200);
	}
}

/* Lines that begin with a tab go on with the line before. */
static void test_cases(void **state)
{
	static char line[LINE_MAX_LEN], next[LINE_MAX_LEN];
	FILE *f = fopen("test/flow/events.cases", "r");
	bool more = true;
	int number = 0;

	(void)state;
	assert_non_null(f);
	while (more) {
		more = fgets(next, sizeof next, f) != NULL;
		number++;
		if (more)
			next[strcspn(next, "\n")] = '\0';
		if (more && next[0] == '\t') {
			assert_true(strlen(line) + strlen(next) < sizeof line);
			strcat(line, next + 1);
			continue;
		}
		if (line[0] && line[0] != '#')
			run_line(line);
		play.line = number;
		strcpy(line, more ? next : "");
	}
	fclose(f);
	print_message("%d cases\n", play.cases);
	assert_int_equal(play.failed, 0);
}

/* --- none, and one ------------------------------------------------------------------------ */

enum { TWINS = 16 };
static struct caller twins[TWINS];

static void send_twin(void *ctx, int i)
{
	(void)ctx;
	caller_send(&twins[i], "POST", "/v1/people", "twin", "{\"firstName\":\"Twin\"}");
}

static void test_twins(void **state)
{
	(void)state;
	for (int i = 0; i < TWINS; i++)
		caller_init(&twins[i], server->base, rig.ada.key);
	crowd_run(TWINS, send_twin, NULL);
	assert_true(caller_send(&ada, "POST", "/v1/people", "twin", "{\"firstName\":\"Twin\"}").replayed);
	assert_int_equal(rig_int(&rig, "select count(*) from people where first_name = 'Twin'"), 1);
	assert_int_equal(rig_int(&rig, "select count(*) from events e join people p on p.id = e.record_id "
	                               "where p.first_name = 'Twin'"),
	    1);
	for (int i = 0; i < TWINS; i++)
		caller_free(&twins[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cases),
	    cmocka_unit_test(test_twins),
	};
	return cmocka_run_group_tests(tests, open_rig, close_rig);
}
