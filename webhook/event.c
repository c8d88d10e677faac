/* The table of event types. */
#include "webhook/event.h"

#include <string.h>

enum { ATTRIBUTES = EVENT_BY_GROUP | EVENT_BY_PATH, TYPED = EVENT_BY_GROUP | EVENT_BY_TYPE };

static const char people[] = "/v1/people/", companies[] = "/v1/companies/", notes[] = "/v1/notes/",
                  reminders[] = "/v1/reminders/", tasks[] = "/v1/tasks/", interactions[] = "/v1/interactions/",
                  webhooks[] = "/v1/webhooks/", users[] = "/v1/users/";

const struct event_kind event_kinds[EVENT_TYPES] = {
    [EVENT_PERSON_CREATED] = {"person.created", ID_PERSON, people, EVENT_BY_GROUP, true, false, DETAILS_NONE,
        "A person was created"},
    [EVENT_PERSON_UPDATED] = {"person.updated", ID_PERSON, people, ATTRIBUTES, true, true, DETAILS_NONE,
        "Attributes or custom values of a person changed"},
    [EVENT_PERSON_DELETED] = {"person.deleted", ID_PERSON, people, EVENT_BY_GROUP, true, false, DETAILS_CONTACT,
        "A person was deleted, or merged into another one"},
    [EVENT_PERSON_GROUPS_UPDATED] = {"person.groups_updated", ID_PERSON, people, EVENT_BY_GROUP, true, true,
        DETAILS_NONE, "A person joined or left groups"},
    [EVENT_PERSON_METADATA_UPDATED] = {"person.workspace_interaction_metadata_updated", ID_PERSON, people,
        EVENT_BY_GROUP, true, false, DETAILS_NONE,
        "An interaction with a person was counted: interactionMetadata or strongestConnection changed"},
    [EVENT_COMPANY_CREATED] = {"company.created", ID_COMPANY, companies, EVENT_BY_GROUP, true, false, DETAILS_NONE,
        "A company was created"},
    [EVENT_COMPANY_UPDATED] = {"company.updated", ID_COMPANY, companies, ATTRIBUTES, true, true, DETAILS_NONE,
        "Attributes or custom values of a company changed"},
    [EVENT_COMPANY_DELETED] = {"company.deleted", ID_COMPANY, companies, EVENT_BY_GROUP, true, false, DETAILS_CONTACT,
        "A company was deleted, or merged into another one"},
    [EVENT_COMPANY_GROUPS_UPDATED] = {"company.groups_updated", ID_COMPANY, companies, EVENT_BY_GROUP, true, true,
        DETAILS_NONE, "A company joined or left groups"},
    [EVENT_OBJECT_CREATED] = {"object.created", ID_OBJECT, NULL, TYPED, true, false, DETAILS_NONE,
        "An object was created"},
    [EVENT_OBJECT_UPDATED] = {"object.updated", ID_OBJECT, NULL, TYPED | EVENT_BY_PATH, true, true, DETAILS_NONE,
        "Attributes or custom values of an object changed"},
    [EVENT_OBJECT_DELETED] = {"object.deleted", ID_OBJECT, NULL, TYPED, true, false, DETAILS_NAME,
        "An object was deleted"},
    [EVENT_NOTE_CREATED] = {"note.created", ID_NOTE, notes, 0, true, false, DETAILS_ENTITY, "A note was created"},
    [EVENT_NOTE_UPDATED] = {"note.updated", ID_NOTE, notes, 0, true, true, DETAILS_ENTITY, "A note changed"},
    [EVENT_NOTE_DELETED] = {"note.deleted", ID_NOTE, notes, 0, true, false, DETAILS_ENTITY,
        "A note was deleted, perhaps with its record"},
    [EVENT_REMINDER_CREATED] = {"reminder.created", ID_REMINDER, reminders, 0, true, false, DETAILS_ENTITY,
        "A reminder was created"},
    [EVENT_REMINDER_UPDATED] = {"reminder.updated", ID_REMINDER, reminders, 0, true, true, DETAILS_ENTITY,
        "A reminder changed"},
    [EVENT_REMINDER_DELETED] = {"reminder.deleted", ID_REMINDER, reminders, 0, true, false, DETAILS_ENTITY,
        "A reminder was deleted, perhaps with its record"},
    [EVENT_REMINDER_TRIGGERED] = {"reminder.triggered", ID_REMINDER, reminders, 0, true, false, DETAILS_TRIGGER,
        "A reminder was due"},
    [EVENT_TASK_CREATED] = {"task.created", ID_TASK, tasks, 0, true, false, DETAILS_ENTITY, "A task was created"},
    [EVENT_TASK_UPDATED] = {"task.updated", ID_TASK, tasks, 0, true, true, DETAILS_ENTITY,
        "A task changed, or became open again"},
    [EVENT_TASK_COMPLETED] = {"task.completed", ID_TASK, tasks, 0, true, true, DETAILS_ENTITY, "A task was done"},
    [EVENT_TASK_DELETED] = {"task.deleted", ID_TASK, tasks, 0, true, false, DETAILS_ENTITY,
        "A task was deleted, perhaps with its record"},
    [EVENT_INTERACTION_CREATED] = {"interaction.created", ID_INTERACTION, interactions, 0, true, false, DETAILS_ENTITY,
        "An interaction was logged"},
    [EVENT_INTERACTION_UPDATED] = {"interaction.updated", ID_INTERACTION, interactions, 0, true, true, DETAILS_ENTITY,
        "An interaction changed"},
    [EVENT_INTERACTION_DELETED] = {"interaction.deleted", ID_INTERACTION, interactions, 0, true, false, DETAILS_ENTITY,
        "An interaction was deleted, perhaps with its record"},
    [EVENT_USER_CREATED] = {"user.created", ID_USER, users, 0, true, false, DETAILS_NONE, "A user was created"},
    [EVENT_USER_UPDATED] = {"user.updated", ID_USER, users, 0, true, true, DETAILS_NONE,
        "Name, role or time zone of a user changed"},
    [EVENT_USER_DISABLED] = {"user.disabled", ID_USER, users, 0, true, false, DETAILS_NONE,
        "A user was disabled: their sessions and applications ended"},
    [EVENT_USER_ENABLED] = {"user.enabled", ID_USER, users, 0, true, false, DETAILS_NONE,
        "A disabled user was enabled again"},
    [EVENT_USER_INVITED] = {"user.invited", ID_USER, users, 0, true, false, DETAILS_NONE,
        "A link was made with which a user sets a password"},
    [EVENT_USER_PASSWORD_CHANGED] = {"user.password_changed", ID_USER, users, 0, true, false, DETAILS_NONE,
        "A user set or changed their password"},
    [EVENT_USER_SIGN_IN_FAILED] = {"user.sign_in_failed", ID_USER, users, 0, true, false, DETAILS_ADDRESS,
        "Somebody tried to sign in as a user, and was refused"},
    [EVENT_WEBHOOK_DEACTIVATED] = {"webhook.deactivated", ID_WEBHOOK, webhooks, 0, true, false, DETAILS_REASON,
        "A webhook became inactive, as it failed for 5 days or its target answered 410"},
    [EVENT_WEBHOOK_TEST] = {"webhook.test", ID_WEBHOOK, webhooks, 0, false, false, DETAILS_NONE,
        "A test event was asked for. It goes only to its webhook"},
};

const char *const *event_type_names(void)
{
	static const char *names[EVENT_TYPES + 1];
	int n = 0;

	for (int i = 0; i < EVENT_TYPES; i++)
		if (event_kinds[i].can_subscribe)
			names[n++] = event_kinds[i].name;
	return names;
}

enum event_type event_type_parse(const char *name, size_t len)
{
	int i = 0;

	while (i < EVENT_TYPES && (strlen(event_kinds[i].name) != len || memcmp(event_kinds[i].name, name, len) != 0))
		i++;
	return (enum event_type)i;
}

void event_user_sql(struct sql *s, enum event_type type, const struct event_actor *actor)
{
	struct uuid id = id_new();

	sql_add(s, "insert into events (workspace_id, id, type, record_id, audience, data, " EVENT_ACTOR_COLUMNS
	           ") select u.workspace_id, ");
	sql_uuid(s, &id);
	sql_add_textz(s, ", ", event_kinds[type].name);
	sql_add(s, ", u.id, array[u.id], u.data, ");
	event_actor_sql(s, actor);
	sql_add(s, " from ");
}
