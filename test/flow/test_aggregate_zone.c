/* An aggregate in a time zone that the server has and PostgreSQL, whose zones may be older, does not. */
#include <stdlib.h>
#include <unistd.h>

#include "test/lib/flow.h"

RIG("aggregate_zone");

#define USUAL "/usr/share/zoneinfo/"

/* A server whose zones are Berlin and a new name of it. */
static struct server_process *serve_with_zones(void)
{
	char zones[DIRECTORY_SIZE];
	struct server_process *s;

	assert_true(directory_make("zones", zones));
	assert_int_equal(symlink(USUAL "Europe", TEXT("%s/Europe", zones)), 0);
	assert_int_equal(symlink(USUAL "Europe/Berlin", TEXT("%s/Newtown", zones)), 0);
	setenv("TZDIR", zones, 1);
	s = rig_serve(&rig, false, NULL);
	unsetenv("TZDIR");
	return s;
}

TEST(a_zone_that_only_the_server_has_is_an_issue)
{
	struct caller_answer a;

	caller_turn(&ada, serve_with_zones()->base);
	MAKE("{}", "/v1/people");
	caller_get(&ada, "/v1/people/aggregate?groupBy=createdAt&timeZone=Europe/Berlin");
	a = SEND("GET", NULL, "/v1/people/aggregate?groupBy=createdAt&timeZone=Newtown");
	assert_int_equal(a.status, 422);
	assert_non_null(strstr(a.reply.body, "[\"timeZone\"]"));
	assert_int_equal(
	    SEND("POST", "{\"groupBy\":\"createdAt\",\"timeZone\":\"Newtown\"}", "/v1/people/aggregate").status, 422);
	caller_get(&ada, "/v1/people/aggregate?groupBy=createdAt");
}
