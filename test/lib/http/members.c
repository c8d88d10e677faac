/* See members.h. */
#include "test/lib/http/members.h"

#include <string.h>

struct joint_member members[MEMBERS];

void members_order(const char *more)
{
	rig_write(rig.orders, TEXT("joint_hold 1 errors\n%s", more));
}

void member_send(void *ctx, int i)
{
	struct joint_member *m = &members[i];
	struct client_header headers[4] = {{NULL, NULL}};
	int n = 0;

	(void)ctx;
	if (m->once)
		headers[n++] = (struct client_header){"Idempotency-Key", m->once};
	if (m->trace)
		headers[n++] = (struct client_header){"traceparent", m->trace};
	if (m->via)
		headers[n++] = (struct client_header){"X-Kith-Via", m->via};
	headers[n] = (struct client_header){NULL, NULL};
	m->caller.if_match = m->if_match;
	m->answer = caller_send_with(&m->caller, m->method, m->target, m->body, headers);
}

void members_begin(void)
{
	for (int i = 0; i < MEMBERS; i++) {
		members[i] = (struct joint_member){.method = "POST", .target = "/v1/people"};
		caller_init(&members[i].caller, server->base, i % 2 ? rig.ada.key : rig.ben.key);
	}
}

void members_begin_people(const char *name)
{
	members_begin();
	for (int i = 0; i < MEMBERS; i++)
		members[i].body = TEXT("{\"firstName\":\"%d\",\"lastName\":\"%s\"}", i, name);
}

void members_give_keys(const char *name, int step)
{
	for (int i = 0; i < MEMBERS; i += step)
		members[i].once = TEXT("%s-%d", name, i);
}

void members_send(void)
{
	caller_crowd_run(MEMBERS, member_send, NULL);
}

void members_end(void)
{
	for (int i = 0; i < MEMBERS; i++)
		caller_free(&members[i].caller);
}

void members_expect_own_answers(void)
{
	for (int i = 0; i < MEMBERS; i++) {
		assert_int_equal(members[i].answer.status, 200);
		assert_non_null(strstr(members[i].answer.reply.body, TEXT("\"firstName\":\"%d\"", i)));
	}
}

void members_expect_outcomes(const char *name)
{
	for (int i = 0; i < MEMBERS; i++) {
		int64_t n =
		    rig_int(&rig, "select count(*) from people where %s and last_name = '%s' and first_name = '%d'",
		        rig.own, name, i);
		assert_true(members[i].answer.status == 200 || members[i].answer.status == 503);
		assert_int_equal(n, members[i].answer.status == 200);
	}
	assert_int_equal(members_events(name), members_people(name));
}

int64_t members_people(const char *name)
{
	return rig_int(&rig, "select count(*) from people where %s and last_name = '%s'", rig.own, name);
}

int64_t members_transactions(const char *name)
{
	return rig_int(
	    &rig, "select count(distinct xmin::text) from people where %s and last_name = '%s'", rig.own, name);
}

int64_t members_events(const char *name)
{
	return rig_int(&rig,
	    "select count(*) from events e join people p on p.workspace_id = e.workspace_id and p.id = e.record_id "
	    "where e.%s and last_name = '%s'",
	    rig.own, name);
}
