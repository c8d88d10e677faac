/* The table of routes. Constant segments come before parameters in the same place. */
#include "server/request/page.h"
#include "server/event/feed.h"
#include "server/event/stream.h"
#include "server/mcp/mcp.h"
#include "server/openapi/document.h"
#include "server/params.h"
#include "server/pages/page.h"
#include "server/request/admit.h"
#include "server/request/route.h"
#include "server/resource/steps.h"
#include "server/routes_about.h"

/* Both from 2026-09-29 to 2027-03-29. */
static const struct deprecation past_deprecated = {1790640000, 1806278400,
    "GET /v1/interactions/past is deprecated since 2026-09-29 and will be removed on 2027-03-29; use GET "
    "/v1/interactions"};
static const struct deprecation upcoming_deprecated = {1790640000, 1806278400,
    "GET /v1/interactions/upcoming is deprecated since 2026-09-29 and will be removed on 2027-03-29; use GET "
    "/v1/interactions"};

#define R(method_, path_, resource_, ...)                                                                              \
	{                                                                                                              \
		.method = HTTP_##method_, .path = path_, .resource = resource_,                                        \
		.near = "There is nothing at this path; did you mean " path_ "?", __VA_ARGS__                          \
	}
#define PAGE(path_, step_)                                                                                             \
	{                                                                                                              \
		.method = HTTP_GET, .path = path_, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, .steps = { step_ }     \
	}
#define PAGES(path_) PAGE(path_, step_page), PAGE(path_ "/", step_page_moved), PAGE(path_ "/{page}", step_page)
#define STEPS(...) .steps = {__VA_ARGS__}

const struct route routes[] = {
    R(GET, "/livez", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_livez), .id = "livez",
        .summary = "Check that the process runs",
        .about = "Answers 200 as long as the process serves requests, whatever the state of the database. For "
                 "restarting a process that hangs."),
    R(GET, "/readyz", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_readyz), .id = "readyz",
        .summary = "Check that the process can serve",
        .about = "Answers 200 when the database can be reached and accepts writes, else 503, also while the process is "
                 "stopping. For load balancers."),
    R(GET, "/docs/errors", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_errors_page),
        .id = "getErrorsPage", .summary = "Read what each error means",
        .about = "A page for people: every error code with its status, its cause and what to do. `documentationUrl` of "
                 "an error leads to its place there."),
    R(GET, "/openapi.json", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_openapi),
        .id = "getDescription", .summary = "Get this description",
        .about = "This document, generated from the tables that the server itself works with. `servers` has the "
                 "address under which it was asked for."),

    R(GET, "/v1/people", &person_resource, .answer = ANSWER_LIST, .params = params_listed, .filters = &people_filters,
        STEPS(step_list, step_list_loaded, step_counted, step_names, step_list_show), .id = "listPeople",
        .summary = "List people",
        .about = "All people of the workspace, the oldest first, or those that match the filters. Custom values and "
                 "groups that the key's user may not see are left out."),
    R(POST, "/v1/people", &person_resource, .input = INPUT_CREATE, STEPS(write_open, write_apply, write_save),
        .id = "createPerson", .summary = "Create a person",
        .about = "Creates one person; every member may be absent. Companies are given by id or by name, and a name "
                 "that is new creates the company."),
    R(POST, "/v1/people/batch/create", &person_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .id = "batchCreatePeople", .summary = "Create up to 100 people",
        .about = ABOUT_BATCH_CREATE("people", "createPerson")),
    R(POST, "/v1/people/batch/update", &person_resource, .input = INPUT_BATCH_UPDATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .id = "batchUpdatePeople", .summary = "Update up to 100 people",
        .about = ABOUT_BATCH_UPDATE("people", "updatePerson")),
    R(POST, "/v1/people/batch/upsert", &person_resource, .input = INPUT_BATCH_UPSERT, .answer = ANSWER_BATCH,
        STEPS(upsert_open, upsert_match, write_apply, write_save), .id = "batchUpsertPeople",
        .summary = "Create or update up to 100 people", .about = ABOUT_BATCH_UPSERT("person")),
    R(POST, "/v1/people/batch/delete", &person_resource, .input = INPUT_BATCH_DELETE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply), .id = "batchDeletePeople", .summary = "Delete up to 100 people",
        .about = "Deletes many people in one request, each with its notes, tasks, reminders and interactions, as "
                 "`deletePerson` does."),
    R(POST, "/v1/people/search", &person_resource, .input = INPUT_SEARCH, .answer = ANSWER_LIST,
        .params = params_listed, .filters = &people_filters,
        STEPS(step_list, step_list_loaded, step_counted, step_names, step_list_show), .id = "searchPeople",
        .summary = "Search people", .about = ABOUT_SEARCH("companies of a person", "companies.industry")),
    R(GET, "/v1/people/{personId}", &person_resource, STEPS(step_get, step_names, step_show), .id = "getPerson",
        .summary = "Get a person",
        .about = "One person with all values that the key's user may see. Of a person who was merged into another one "
                 "the 404 says into which, in `details.mergedInto`."),
    R(PATCH, "/v1/people/{personId}", &person_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .id = "updatePerson", .summary = "Update a person",
        .about = ABOUT_UPDATE "What was read can be sent back: it changes nothing."),
    R(DELETE, "/v1/people/{personId}", &person_resource, .answer = ANSWER_ID, STEPS(write_open, write_apply),
        .id = "deletePerson", .summary = "Delete a person",
        .about = "Deletes the person with the notes, tasks, reminders and interactions that belong to it, and every "
                 "reference to it."),
    R(GET, "/v1/people/{personId}/duplicates", &person_duplicate_resource, .answer = ANSWER_LIST,
        STEPS(duplicate_ask, duplicate_show), .id = "listPersonDuplicates",
        .summary = "List people who may be the same",
        .about = "People who share an e-mail address, a telephone number, a URL, or the full name and a company with "
                 "this one, each with the reasons. At most 100 without pages, those with the most reasons first."),
    R(POST, "/v1/people/{personId}/merge", &person_resource, .body = &person_merge_resource, .input = INPUT_UPDATE,
        STEPS(merge_open, merge_apply, merge_show), .id = "mergePerson",
        .summary = "Merge another person into this one", .about = ABOUT_MERGE("person", "")),

    R(GET, "/v1/companies", &company_resource, .answer = ANSWER_LIST, .params = params_listed,
        .filters = &company_filters, STEPS(step_list, step_list_loaded, step_counted, step_names, step_list_show),
        .id = "listCompanies", .summary = "List companies",
        .about = "All companies of the workspace, the oldest first, or those that match the filters. Custom values and "
                 "groups that the key's user may not see are left out."),
    R(POST, "/v1/companies", &company_resource, .input = INPUT_CREATE, STEPS(write_open, write_apply, write_save),
        .id = "createCompany", .summary = "Create a company",
        .about = "Creates one company. Names are unique in a workspace: a create with a name that exists answers that "
                 "company, adds the given groups and changes nothing else, and `warnings` says so."),
    R(POST, "/v1/companies/batch/create", &company_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .id = "batchCreateCompanies",
        .summary = "Create up to 100 companies",
        .about = "Creates many companies in one request, each by the rules of `createCompany`. `operation` of each "
                 "result tells whether a company of that name existed."),
    R(POST, "/v1/companies/batch/update", &company_resource, .input = INPUT_BATCH_UPDATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .id = "batchUpdateCompanies",
        .summary = "Update up to 100 companies", .about = ABOUT_BATCH_UPDATE("companies", "updateCompany")),
    R(POST, "/v1/companies/batch/upsert", &company_resource, .input = INPUT_BATCH_UPSERT, .answer = ANSWER_BATCH,
        STEPS(upsert_open, upsert_match, write_apply, write_save), .id = "batchUpsertCompanies",
        .summary = "Create or update up to 100 companies", .about = ABOUT_BATCH_UPSERT("company")),
    R(POST, "/v1/companies/batch/delete", &company_resource, .input = INPUT_BATCH_DELETE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply), .id = "batchDeleteCompanies", .summary = "Delete up to 100 companies",
        .about = "Deletes many companies in one request, each with its notes, tasks, reminders and interactions, as "
                 "`deleteCompany` does. Their people stay."),
    R(POST, "/v1/companies/search", &company_resource, .input = INPUT_SEARCH, .answer = ANSWER_LIST,
        .params = params_listed, .filters = &company_filters,
        STEPS(step_list, step_list_loaded, step_counted, step_names, step_list_show), .id = "searchCompanies",
        .summary = "Search companies", .about = ABOUT_SEARCH("people of a company", "people.emails")),
    R(GET, "/v1/companies/{companyId}", &company_resource, STEPS(step_get, step_names, step_show), .id = "getCompany",
        .summary = "Get a company",
        .about = "One company with all values that the key's user may see. Of a company that was merged into another "
                 "one the 404 says into which, in `details.mergedInto`."),
    R(PATCH, "/v1/companies/{companyId}", &company_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .id = "updateCompany", .summary = "Update a company",
        .about = ABOUT_UPDATE "The name of another company is refused with 422."),
    R(DELETE, "/v1/companies/{companyId}", &company_resource, .answer = ANSWER_ID, STEPS(write_open, write_apply),
        .id = "deleteCompany", .summary = "Delete a company",
        .about = "Deletes the company with the notes, tasks, reminders and interactions that belong to it, and every "
                 "reference to it. Its people stay."),
    R(GET, "/v1/companies/{companyId}/duplicates", &company_duplicate_resource, .answer = ANSWER_LIST,
        STEPS(duplicate_ask, duplicate_show), .id = "listCompanyDuplicates",
        .summary = "List companies that may be the same",
        .about = "Companies that share an e-mail address, a telephone number or a URL with this one, each with the "
                 "reasons. At most 100 without pages, those with the most reasons first."),
    R(POST, "/v1/companies/{companyId}/merge", &company_resource, .body = &company_merge_resource,
        .input = INPUT_UPDATE, STEPS(merge_open, merge_apply, merge_show), .id = "mergeCompany",
        .summary = "Merge another company into this one", .about = ABOUT_MERGE("company", "people, ")),

    R(GET, "/v1/groups", &group_resource, .answer = ANSWER_LIST, .params = params_paged, STEPS(group_list),
        .id = "listGroups", .summary = "List groups",
        .about = "The groups that the key's user may see: the public ones, and the private ones of which the user is a "
                 "member (all for admins of the workspace). A group holds contacts, custom fields for them, and "
                 "objects such as deals."),
    R(POST, "/v1/groups", &group_resource, .input = INPUT_CREATE, STEPS(step_config_open, group_create),
        .id = "createGroup", .summary = "Create a group",
        .about = "Creates a group; the key's user becomes its admin. A private group exists only for its members and "
                 "the workspace's admins."),
    R(GET, "/v1/groups/{groupId}", &group_resource, STEPS(group_get), .id = "getGroup", .summary = "Get a group",
        .about = "One group: its name, and whether it is private."),
    R(PATCH, "/v1/groups/{groupId}", &group_resource, .input = INPUT_UPDATE, STEPS(step_config_open, group_update),
        .id = "updateGroup", .summary = "Update a group",
        .about = "Changes the name of the group, or who sees it. A group that becomes private vanishes for all but its "
                 "members and admins of the workspace." ABOUT_GROUP_ADMINS),
    R(DELETE, "/v1/groups/{groupId}", &group_resource, .answer = ANSWER_ID,
        STEPS(step_config_open, group_delete, group_delete_all), .id = "deleteGroup", .summary = "Delete a group",
        .about = "Deletes the group with its object types, custom fields, values and objects; people and companies "
                 "stay. Only for admins of the group. When very many records hold the group it vanishes at once, and "
                 "is removed from them in the background."),

    R(GET, "/v1/groups/{groupId}/members", &member_resource, .answer = ANSWER_LIST, .params = params_paged,
        STEPS(member_list), .id = "listGroupMembers", .summary = "List the members of a group",
        .about = "The users who were added to the group, with their roles. In a public group everybody else is a "
                 "contributor."),
    R(POST, "/v1/groups/{groupId}/members", &member_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, member_add), .id = "addGroupMember", .summary = "Add a member to a group",
        .about = "Adds a user with a role, or sets the role of a user who is a member already." ABOUT_GROUP_ADMINS),
    R(PATCH, "/v1/groups/{groupId}/members/{userId}", &member_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, member_update), .id = "updateGroupMember", .summary = "Change the role of a member",
        .about =
            "Sets the role of a member. Only for admins of the group; a private group keeps at least one admin (422)."),
    R(DELETE, "/v1/groups/{groupId}/members/{userId}", &member_resource, .answer = ANSWER_ID,
        STEPS(step_config_open, member_remove), .id = "removeGroupMember", .summary = "Remove a member from a group",
        .about = "Admins of the group may remove anybody, everybody may leave. A private group keeps at least one "
                 "admin (422)."),

    R(GET, "/v1/groups/{groupId}/object-types", &object_type_resource, .answer = ANSWER_LIST, .params = params_paged,
        STEPS(type_list), .id = "listObjectTypes", .summary = "List the object types of a group",
        .about = "The kinds of objects that the group has, such as Deals. Their names stand in the paths of their "
                 "objects: `/v1/groups/{groupId}/Deals`."),
    R(POST, "/v1/groups/{groupId}/object-types", &object_type_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, type_create), .id = "createObjectType", .summary = "Create an object type",
        .about = "Creates a kind of objects, whose name is part of the paths of its objects from then on. Only for "
                 "admins of the group; names are unique in it."),
    R(PATCH, "/v1/groups/{groupId}/object-types/{objectType}", &object_type_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, type_update), .id = "updateObjectType", .summary = "Rename an object type",
        .about = "Changes the name, and with it the paths of the type's objects." ABOUT_GROUP_ADMINS),
    R(DELETE, "/v1/groups/{groupId}/object-types/{objectType}", &object_type_resource, .answer = ANSWER_NAME,
        .params = params_forced, STEPS(step_config_open, type_delete, type_delete_all), .id = "deleteObjectType",
        .summary = "Delete an object type",
        .about = "Deletes the type with its custom fields and objects. While it has objects this is refused with 422 "
                 "and their number, unless `force` is true." ABOUT_GROUP_ADMINS),

    R(GET, "/v1/groups/{groupId}/custom-fields/{entityType}", &custom_field_resource, .answer = ANSWER_LIST,
        .params = params_paged, STEPS(field_list), .id = "listCustomFields", .summary = "List custom fields",
        .about = "The custom fields that the group has for people, for companies, or for the objects of a type."),
    R(POST, "/v1/groups/{groupId}/custom-fields/{entityType}", &custom_field_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, field_create), .id = "createCustomField", .summary = "Create a custom field",
        .about = "Adds a field to all people or companies of the group, or to its objects of a type. Only for admins "
                 "of the group; names are unique for a kind of record."),
    R(GET, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        STEPS(field_get), .id = "getCustomField", .summary = "Get a custom field",
        .about = "The definition of one custom field: its type, the options of a select, the format of numbers."),
    R(PATCH, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        .input = INPUT_UPDATE, STEPS(step_config_open, field_update, field_update_all), .id = "updateCustomField",
        .summary = "Update a custom field",
        .about = "Renames the field, changes how numbers are shown, or adds, changes and removes options. Values that "
                 "held a removed option lose it." ABOUT_GROUP_ADMINS),
    R(DELETE, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        .answer = ANSWER_NAME, STEPS(step_config_open, field_delete, field_delete_all), .id = "deleteCustomField",
        .summary = "Delete a custom field",
        .about = "Deletes the field, and the values that records have of it; when they are very many, in the "
                 "background." ABOUT_GROUP_ADMINS),

    R(GET, "/v1/groups/{groupId}/{objectType}", &object_resource, .answer = ANSWER_LIST, .params = params_listed,
        .filters = &object_filters,
        STEPS(object_list, step_list, step_list_loaded, step_counted, step_names, step_list_show), .id = "listObjects",
        .summary = "List objects",
        .about =
            "The objects of a type, such as the deals of a group, the oldest first, or those that match the filters."),
    R(POST, "/v1/groups/{groupId}/{objectType}", &object_resource, .input = INPUT_CREATE,
        STEPS(write_open, write_apply, write_save), .id = "createObject", .summary = "Create an object",
        .about = "Creates an object of the type; every member may be absent. People and companies that it refers to "
                 "have to be in the group. Readers of the group get 403."),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/create", &object_resource, .input = INPUT_BATCH_CREATE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply, write_save),
        .id = "batchCreateObjects", .summary = "Create up to 100 objects",
        .about = ABOUT_BATCH_CREATE("objects", "createObject")),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/update", &object_resource, .input = INPUT_BATCH_UPDATE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply, write_save),
        .id = "batchUpdateObjects", .summary = "Update up to 100 objects",
        .about = ABOUT_BATCH_UPDATE("objects", "updateObject")),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/upsert", &object_resource, .input = INPUT_BATCH_UPSERT,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(upsert_open, upsert_match, write_apply, write_save),
        .id = "batchUpsertObjects", .summary = "Create or update up to 100 objects",
        .about = ABOUT_BATCH_UPSERT("object")),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/delete", &object_resource, .input = INPUT_BATCH_DELETE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply),
        .id = "batchDeleteObjects", .summary = "Delete up to 100 objects",
        .about = "Deletes many objects of a type in one request, each with its notes, tasks and reminders, as "
                 "`deleteObject` does."),
    R(POST, "/v1/groups/{groupId}/{objectType}/search", &object_resource, .input = INPUT_SEARCH, .answer = ANSWER_LIST,
        .params = params_listed, .filters = &object_filters,
        STEPS(object_list, step_list, step_list_loaded, step_counted, step_names, step_list_show),
        .id = "searchObjects", .summary = "Search objects",
        .about = ABOUT_SEARCH("people and companies of an object", "companies.industry")),
    R(GET, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, STEPS(object_get, step_names, step_show),
        .id = "getObject", .summary = "Get an object",
        .about = "One object with its custom values, and the people and companies that it is about."),
    R(PATCH, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .id = "updateObject", .summary = "Update an object",
        .about = ABOUT_UPDATE "Readers of the group get 403."),
    R(DELETE, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, .answer = ANSWER_ID,
        STEPS(write_open, write_apply), .id = "deleteObject", .summary = "Delete an object",
        .about = "Deletes the object with its notes, tasks and reminders, and every reference to it. Readers of the "
                 "group get 403."),

    R(GET, "/v1/notes", &note_resource, .answer = ANSWER_LIST, .params = params_notes,
        STEPS(activity_list, step_list, step_list_loaded, note_parents, note_parents_loaded, step_list_show),
        .id = "listNotes", .summary = "List notes",
        .about = "The notes that the key's user may see, the oldest first: all public ones, and the user's own private "
                 "ones. `entity.id` asks for those of one record, `query` for those with certain words."),
    R(POST, "/v1/notes", &note_resource, .input = INPUT_CREATE, STEPS(activity_create_open, activity_create),
        .id = "createNote", .summary = "Create a note",
        .about = "Writes a note about a person, company or object; the key's user is its author. With `parentNote` it "
                 "answers another note of the same record."),
    R(POST, "/v1/notes/batch/create", &note_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(activity_create_open, activity_create), .id = "batchCreateNotes", .summary = "Create up to 100 notes",
        .about = ABOUT_BATCH_CREATE("notes", "createNote")),
    R(GET, "/v1/notes/{noteId}", &note_resource,
        STEPS(activity_get, step_loaded, note_parents, note_parents_loaded, step_show), .id = "getNote",
        .summary = "Get a note",
        .about = "One note with its author, and with the note that it answers. Another user's private note is a 404."),
    R(PATCH, "/v1/notes/{noteId}", &note_resource, .input = INPUT_UPDATE,
        STEPS(activity_open, note_update, note_parents, note_parents_loaded, step_show), .id = "updateNote",
        .summary = "Update a note",
        .about = "Changes content or visibility; the note stays with its record. Whoever sees a note may change it."),
    R(DELETE, "/v1/notes/{noteId}", &note_resource, .answer = ANSWER_ID,
        STEPS(activity_open, note_forget, activity_delete), .id = "deleteNote", .summary = "Delete a note",
        .about = "Deletes the note; answers to it stay. Whoever sees a note may delete it."),

    R(GET, "/v1/tasks", &task_resource, .answer = ANSWER_LIST, .params = params_tasks, .filters = &task_filters,
        STEPS(activity_list, step_list, step_list_loaded, step_counted, step_list_show), .id = "listTasks",
        .summary = "List tasks",
        .about = "The tasks that the key's user may see, the oldest first, or those that match the filters: all public "
                 "ones, and those that the user wrote or is assigned to."),
    R(POST, "/v1/tasks", &task_resource, .input = INPUT_CREATE, STEPS(activity_create_open, activity_create),
        .id = "createTask", .summary = "Create a task",
        .about = "Creates a task about a person, company or object. It is assigned to the key's user unless "
                 "`assignedUsers` says otherwise. With `recurrenceFrequency` its completion creates the next one."),
    R(POST, "/v1/tasks/batch/create", &task_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(activity_create_open, activity_create), .id = "batchCreateTasks", .summary = "Create up to 100 tasks",
        .about = ABOUT_BATCH_CREATE("tasks", "createTask")),
    R(GET, "/v1/tasks/{taskId}", &task_resource, STEPS(activity_get, step_show), .id = "getTask",
        .summary = "Get a task",
        .about =
            "One task with its assignees. A task that is not public is a 404 for all but its author and assignees."),
    R(PATCH, "/v1/tasks/{taskId}", &task_resource, .input = INPUT_UPDATE, STEPS(task_update_open, task_update),
        .id = "updateTask", .summary = "Update a task",
        .about = "Changes the members that are given. Whether it is done is changed by `markTaskAsDone` and "
                 "`markTaskAsTodo`."),
    R(DELETE, "/v1/tasks/{taskId}", &task_resource, .answer = ANSWER_ID, STEPS(activity_open, activity_delete),
        .id = "deleteTask", .summary = "Delete a task",
        .about = "Deletes the task. Of a recurring one no further task is created."),
    R(POST, "/v1/tasks/{taskId}/mark-as-done", &task_resource, .body = &completion_resource, .input = INPUT_UPDATE,
        STEPS(activity_open, task_done), .id = "markTaskAsDone", .summary = "Mark a task as done",
        .about = "Completes the task at the given time. Of a recurring task the next one is created with it."),
    R(POST, "/v1/tasks/{taskId}/mark-as-todo", &task_resource, STEPS(activity_open, task_todo), .id = "markTaskAsTodo",
        .summary = "Mark a task as open again",
        .about = "Makes a completed task open; `completedAt` becomes null. The next task of a recurring one that was "
                 "created on completion stays."),

    R(GET, "/v1/reminders", &reminder_resource, .answer = ANSWER_LIST, .params = params_reminders,
        STEPS(activity_list, step_list, step_list_loaded, step_list_show), .id = "listReminders",
        .summary = "List reminders",
        .about = "The reminders that the key's user may see, the oldest first: all public ones, and the user's own. "
                 "`entity.id` asks for those of one record."),
    R(POST, "/v1/reminders", &reminder_resource, .input = INPUT_CREATE, STEPS(reminder_create_open, reminder_create),
        .id = "createReminder", .summary = "Create a reminder",
        .about = "Creates a reminder about a person, company or object, once or again and again by a rule (RFC 5545). "
                 "When it is due the event `reminder.triggered` is sent, at most 2 s late."),
    R(GET, "/v1/reminders/{reminderId}", &reminder_resource, STEPS(activity_get, step_show), .id = "getReminder",
        .summary = "Get a reminder",
        .about = "One reminder with its last and its next time. Another user's private reminder is a 404."),
    R(PATCH, "/v1/reminders/{reminderId}", &reminder_resource, .input = INPUT_UPDATE,
        STEPS(reminder_update_open, reminder_update), .id = "updateReminder", .summary = "Update a reminder",
        .about = "Changes the members that are given; a new rule sets a new `nextTriggerTime`."),
    R(DELETE, "/v1/reminders/{reminderId}", &reminder_resource, .answer = ANSWER_ID,
        STEPS(activity_open, activity_delete), .id = "deleteReminder", .summary = "Delete a reminder",
        .about = "Deletes the reminder, which does not fire again. Whoever sees a reminder may delete it."),

    R(GET, "/v1/users", &user_resource, .answer = ANSWER_LIST, .params = params_paged, STEPS(user_list),
        .id = "listUsers", .summary = "List users",
        .about = "The users of the workspace, to whom records refer, such as the assignees of tasks. Users are created "
                 "on the command line of the server (`kith user create`)."),
    R(GET, "/v1/users/me", &user_resource, STEPS(user_me), .id = "getCurrentUser", .summary = "Get the current user",
        .about =
            "The user as whom the key of the request acts: id, name and e-mail address. A cheap way to try a key."),
    R(GET, "/v1/users/{userId}", &user_resource, STEPS(user_get), .id = "getUser", .summary = "Get a user",
        .about = "One user of the workspace: name and e-mail address."),

    R(GET, "/v1/keys", &api_key_resource, .answer = ANSWER_LIST, .flags = ROUTE_OWNED, .params = params_paged,
        STEPS(key_list_begin, step_list, step_list_loaded, key_roles, step_list_show), .id = "listKeys",
        .summary = "List API keys",
        .about = "The keys of the workspace that have not been deleted, expired ones included, without the keys "
                 "themselves." ABOUT_ADMINS),
    R(POST, "/v1/keys", &api_key_secret_resource, .body = &api_key_resource, .input = INPUT_CREATE,
        .flags = ROUTE_SECRET, STEPS(key_create_open, key_create_apply), .id = "createKey",
        .summary = "Create an API key",
        .about = "Creates a key for a user of the workspace, or for the caller. Only this answer shows `key`: the "
                 "server stores no more than a digest." ABOUT_ADMINS),
    R(DELETE, "/v1/keys/{keyId}", &api_key_resource, .answer = ANSWER_ID, STEPS(key_end_open, key_end_apply),
        .id = "deleteKey", .summary = "Delete an API key",
        .about = "Ends a key: from the next request on it is refused with 401. Also the key of the request can be "
                 "deleted." ABOUT_ADMINS),

    R(GET, "/v1/interactions", &interaction_resource, .answer = ANSWER_LIST, .params = params_interactions,
        STEPS(activity_list, step_list, step_list_loaded, step_list_show), .id = "listInteractions",
        .summary = "List interactions",
        .about = "Logged calls, meetings, messages and the like, the oldest first. `entity.id` asks for those with one "
                 "person or company, `from` and `to` for an interval of time."),
    R(POST, "/v1/interactions", &interaction_resource, .input = INPUT_CREATE,
        STEPS(activity_create_open, activity_create), .id = "createInteraction", .summary = "Create an interaction",
        .about = "Logs a call, meeting, message or the like of the key's user with a person or company. Once its time "
                 "has passed it counts in `interactionMetadata` and `strongestConnection` of the person."),
    R(POST, "/v1/interactions/batch/create", &interaction_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(activity_create_open, activity_create), .id = "batchCreateInteractions",
        .summary = "Create up to 100 interactions", .about = ABOUT_BATCH_CREATE("interactions", "createInteraction")),
    R(GET, "/v1/interactions/past", &interaction_resource, .answer = ANSWER_LIST, .params = params_of_entity,
        .deprecated = &past_deprecated, STEPS(interaction_past, step_list, step_list_loaded, step_list_show),
        .id = "listPastInteractions", .summary = "List past interactions",
        .about = "The interactions with one person or company that have been, the newest first."),
    R(GET, "/v1/interactions/upcoming", &interaction_resource, .answer = ANSWER_LIST, .params = params_of_entity,
        .deprecated = &upcoming_deprecated, STEPS(interaction_upcoming, step_list, step_list_loaded, step_list_show),
        .id = "listUpcomingInteractions", .summary = "List upcoming interactions",
        .about = "The interactions with one person or company that are to come, the earliest first."),
    R(GET, "/v1/interactions/{interactionId}", &interaction_resource, .params = params_entity,
        STEPS(step_get, interaction_show), .id = "getInteraction", .summary = "Get an interaction",
        .about = "One interaction: who had it with whom, when and of what kind. With `entity.id` it is a 404 unless it "
                 "is one with that person or company."),
    R(PATCH, "/v1/interactions/{interactionId}", &interaction_resource, .input = INPUT_UPDATE,
        STEPS(interaction_open, interaction_lock, interaction_update), .id = "updateInteraction",
        .summary = "Update an interaction",
        .about = "Changes the members that are given; `entity` is always needed and moves the interaction if it is "
                 "another one. Counters of both follow."),
    R(DELETE, "/v1/interactions/{interactionId}", &interaction_resource, .answer = ANSWER_ID, .params = params_entity,
        STEPS(interaction_open, interaction_lock, interaction_delete), .id = "deleteInteraction",
        .summary = "Delete an interaction",
        .about = "Deletes the interaction, and takes it out of the counters of its person. With `entity.id` only if it "
                 "is one with that person or company."),

    R(GET, "/v1/events", NULL, .answer = ANSWER_PLAIN, .params = params_events, STEPS(event_feed, event_feed_answer),
        .id = "listEvents", .summary = "Follow the events",
        .about = "The changes of the workspace that the key's user may see, in the order of their commits and without "
                 "gaps, from `after` or the oldest that is kept. Events name the record and what changed; fetch the "
                 "record to see the rest. Go on with `cursor` of the answer; with `wait` an empty answer comes only "
                 "after so many seconds. To hold a copy: read the lists, then follow from the `X-Events-Cursor` of the "
                 "first one. Too many waiting requests are a 503."),
    R(GET, "/v1/events/stream", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_STREAM, .params = params_stream,
        STEPS(event_stream, event_feed_answer), .id = "streamEvents", .summary = "Stream the events",
        .about = "The same events as they happen, as "
                 "[Server-Sent Events](https://html.spec.whatwg.org/multipage/server-sent-events.html): `event` is the "
                 "type, `data` the event as `listEvents` has it, `id` the cursor behind it. A client that comes again "
                 "with that in `Last-Event-ID` misses nothing. Every 15 s without an event there is a comment. Streams "
                 "count as waiting requests; too many are a 503."),

    R(GET, "/v1/webhooks", &webhook_resource, .answer = ANSWER_LIST, .params = params_paged,
        STEPS(step_list, step_list_loaded, webhook_secrets, step_list_show), .id = "listWebhooks",
        .summary = "List webhooks",
        .about = "The webhooks of the workspace, the oldest first. Subscriptions to private groups that the key's user "
                 "may not see are left out."),
    R(POST, "/v1/webhooks", &webhook_secret_resource, .body = &webhook_resource, .input = INPUT_CREATE,
        .flags = ROUTE_SECRET, STEPS(webhook_target, webhook_create_open, webhook_create), .id = "createWebhook",
        .summary = "Create a webhook",
        .about = "Subscribes an address to up to 20 kinds of events, which are posted there as far as the key's user "
                 "may see them, signed as in [Standard Webhooks](https://www.standardwebhooks.com). Only this answer, "
                 "and that of `rotateWebhookSecret`, shows `signingSecret`. The address has to be a public one."),
    R(GET, "/v1/webhooks/health", &webhook_health_resource, .answer = ANSWER_LIST, .params = params_paged,
        STEPS(health_list, step_list, step_list_loaded, health_ask, health_answered, step_list_show),
        .id = "listWebhookHealth", .summary = "List the health of webhooks",
        .about = "Whether each webhook gets through, how far it is behind, how much is pending, and when something "
                 "last arrived or failed. The caller's own webhooks; for admins of the workspace all."),
    R(GET, "/v1/webhooks/{webhookId}", &webhook_resource, STEPS(step_get, step_loaded, webhook_secrets, step_show),
        .id = "getWebhook", .summary = "Get a webhook",
        .about = "One webhook with its subscriptions and its status. Of its secret only the ends are shown."),
    R(PATCH, "/v1/webhooks/{webhookId}", &webhook_resource, .input = INPUT_UPDATE,
        STEPS(webhook_target, webhook_open, webhook_update), .id = "updateWebhook", .summary = "Update a webhook",
        .about = "Changes the members that are given. Activating an inactive webhook sends what it missed in the last "
                 "72 hours." ABOUT_HOOK_OWNERS),
    R(DELETE, "/v1/webhooks/{webhookId}", &webhook_resource, .answer = ANSWER_ID, STEPS(webhook_open, webhook_delete),
        .id = "deleteWebhook", .summary = "Delete a webhook",
        .about = "Deletes the webhook with its deliveries; nothing more is sent." ABOUT_HOOK_OWNERS),
    R(POST, "/v1/webhooks/{webhookId}/test", &delivery_resource, .flags = ROUTE_NOT_DRY,
        STEPS(webhook_open, webhook_test, webhook_tested), .id = "testWebhook", .summary = "Send a test event",
        .about = "Sends the event `webhook.test` to this webhook alone, and answers the delivery, whose outcome "
                 "`listWebhookDeliveries` shows." ABOUT_HOOK_ACTIVE),
    R(POST, "/v1/webhooks/{webhookId}/rotate-secret", &webhook_secret_resource, .flags = ROUTE_SECRET,
        STEPS(webhook_open, webhook_rotate), .id = "rotateWebhookSecret", .summary = "Make a new signing secret",
        .about = "Makes a new secret and shows it this once. For a day the former ones sign, too, so that receivers "
                 "can change over." ABOUT_HOOK_OWNERS),
    R(POST, "/v1/webhooks/{webhookId}/recover", &recovery_resource, .body = &recover_resource, .input = INPUT_UPDATE,
        .flags = ROUTE_NOT_DRY, STEPS(recover_open, recover_count, webhook_open, recover_apply), .id = "recoverWebhook",
        .summary = "Send events again since a time",
        .about =
            "Sends again what did not arrive since a time: deliveries that failed or were cancelled, and events that "
            "were never tried. Answers how many there are; they are sent in the background." ABOUT_HOOK_ACTIVE),
    R(GET, "/v1/webhooks/{webhookId}/deliveries", &delivery_resource, .answer = ANSWER_LIST, .flags = ROUTE_OWNED,
        .params = params_deliveries,
        STEPS(delivery_list, step_list, delivery_list_allowed, step_list_loaded, step_list_show),
        .id = "listWebhookDeliveries", .summary = "List the deliveries of a webhook",
        .about = "What was or is to be sent to the webhook, the oldest first, with the attempts and their "
                 "outcome." ABOUT_HOOK_OWNERS),
    R(GET, "/v1/webhooks/{webhookId}/deliveries/{deliveryId}", &delivery_request_resource, .flags = ROUTE_OWNED,
        STEPS(delivery_get, delivery_show), .id = "getWebhookDelivery", .summary = "Get a delivery with its body",
        .about = "One delivery with the body and signature that are posted, for finding out why a receiver refuses "
                 "them." ABOUT_HOOK_OWNERS),
    R(POST, "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/retry", &delivery_resource, .flags = ROUTE_NOT_DRY,
        STEPS(delivery_open, delivery_retry), .id = "retryWebhookDelivery", .summary = "Send a delivery again",
        .about = "Puts the delivery into the queue again, due at once and with all attempts before it, also if it "
                 "arrived." ABOUT_HOOK_ACTIVE),

    /* What the API's description does not have. */
    PAGE("/", step_front),
    PAGES("/docs"),
    PAGES("/console"),
    R(POST, "/mcp", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_CARRIER,
        STEPS(message_head, step_admit, step_admitted, step_snapshot, message_read, message_answer),
        .summary = "Model Context Protocol"),
};

enum { UNDESCRIBED = 8 };
const int n_routes_all = sizeof routes / sizeof *routes;
const int n_routes = sizeof routes / sizeof *routes - UNDESCRIBED;
