/* Generates contacts, always the same except for their ids; the statements are in demo_data.sql. */
#include "server/command/demo_data.h"

#include "server/base/clock.h"

enum { DEAL_TYPE_AND_FIELDS = 5 };
enum {
	USERS = 3,
	GROUPS = 2,
	COMPANIES = 40,
	PEOPLE = 300,
	DEALS = 60,
	STAGES = 3,
	TASKS = 16,
	EVENTS = 6,
	REMINDERS = 3
};

static const char *const names[] = {"demo_data workspace", "demo_data users", "demo_data groups", "demo_data members",
    "demo_data companies", "demo_data company groups", "demo_data people", "demo_data person groups",
    "demo_data person companies", "demo_data object types", "demo_data custom fields", "demo_data objects",
    "demo_data object companies", "demo_data field values", "demo_data tasks", "demo_data events",
    "demo_data reminders"};
enum { STATEMENTS = sizeof names / sizeof *names };

/* Adds a parameter of n new ids; returns the first. */
static struct uuid demo_new_ids(struct sql *s, size_t n)
{
	struct uuid ids[PEOPLE];

	for (size_t i = 0; i < n; i++)
		ids[i] = id_new();
	sql_uuid_array(s, ids, n);
	return ids[0];
}

static void demo_new_id(struct sql *s)
{
	struct uuid id = id_new();

	sql_uuid(s, &id);
}

int demo_statements(struct arena *a, struct sql ***out, struct uuid *workspace, struct uuid *admin)
{
	struct sql all, *list = arena_alloc(a, STATEMENTS * sizeof *list);

	*workspace = id_new();
	sql_begin(&all, a, NULL, workspace);
	sql_time(&all, clock_now_ms());
	*admin = demo_new_ids(&all, USERS);
	demo_new_ids(&all, GROUPS);
	demo_new_ids(&all, COMPANIES);
	demo_new_ids(&all, PEOPLE);
	demo_new_ids(&all, DEALS);
	for (int i = 0; i < DEAL_TYPE_AND_FIELDS; i++)
		demo_new_id(&all);
	demo_new_ids(&all, STAGES);
	demo_new_ids(&all, TASKS);
	demo_new_ids(&all, EVENTS);
	demo_new_ids(&all, REMINDERS);
	*out = arena_alloc(a, STATEMENTS * sizeof **out);
	for (int i = 0; i < STATEMENTS; i++) {
		list[i] = all; /* all parameters, but a text of its own */
		sql_built_in(&list[i], names[i]);
		(*out)[i] = &list[i];
	}
	return STATEMENTS;
}
