/* The table of routes. Constant segments come before parameters in the same place. */
#include "server/request/page.h"
#include "server/event/feed.h"
#include "server/openapi/document.h"
#include "server/pages/page.h"
#include "server/request/route.h"
#include "server/resource/steps.h"

static const char *const sorts[] = {"createdAt", "-createdAt", "updatedAt", "-updatedAt", NULL};
static const char *const combinators[] = {"and", "or", NULL};
static const char *const counts[] = {"exact", "estimated", NULL};

static const struct param param_limit = {.name = "limit", .type = PARAM_INTEGER, .min = 1, .max = 100};
static const struct param param_cursor = {.name = "cursor", .type = PARAM_CURSOR, .max = 512};
static const struct param param_sort = {.name = "sort", .type = PARAM_CHOICE, .choices = sorts, .shapes = true};
static const struct param param_combinator = {
    .name = "combinator", .type = PARAM_CHOICE, .choices = combinators, .shapes = true};
static const struct param param_count = {.name = "count", .type = PARAM_CHOICE, .choices = counts};

static const char *const truths[] = {"true", "false", NULL};
static const struct param param_force = {.name = "force", .type = PARAM_CHOICE, .choices = truths};
static const struct param *const forced[] = {&param_force, NULL};
const struct param route_dry_run = {.name = "dryRun", .type = PARAM_CHOICE, .choices = truths};
static const struct param param_entity = {.name = "entity.id", .type = PARAM_ID, .filters = true, .shapes = true};
static const struct param param_query = {.name = "query", .type = PARAM_TEXT, .max = 1000, .shapes = true};
static const struct param param_created_after = {.name = "createdAfter", .type = PARAM_TIME, .shapes = true};
static const struct param param_created_before = {.name = "createdBefore", .type = PARAM_TIME, .shapes = true};
static const struct param param_mine = {
    .name = "onlyAssignedToMe", .type = PARAM_CHOICE, .choices = truths, .shapes = true};

static const struct param *const paged[] = {&param_limit, &param_cursor, NULL};
static const struct param *const listed[] = {
    &param_limit, &param_cursor, &param_sort, &param_count, &param_combinator, NULL};

static const struct param *const listed_notes[] = {
    &param_limit, &param_cursor, &param_entity, &param_query, &param_created_after, &param_created_before, NULL};
static const struct param *const listed_tasks[] = {
    &param_limit, &param_cursor, &param_sort, &param_count, &param_combinator, &param_mine, NULL};
static const struct param *const listed_reminders[] = {&param_limit, &param_cursor, &param_entity, NULL};
static const struct param param_entity_needed = {
    .name = "entity.id", .type = PARAM_ID, .required = true, .filters = true, .shapes = true};
static const struct param param_from = {.name = "from", .type = PARAM_TIME, .shapes = true};
static const struct param param_to = {.name = "to", .type = PARAM_TIME, .shapes = true};
static const struct param param_user = {.name = "userId", .type = PARAM_ID, .shapes = true};

static const struct param *const of_interactions[] = {
    &param_limit, &param_cursor, &param_entity, &param_from, &param_to, &param_user, NULL};
static const struct param *const of_entity_only[] = {&param_cursor, &param_entity_needed, NULL};
static const struct param *const checked_entity[] = {&param_entity, NULL};

/* Both from 2026-09-29 to 2027-03-29. */
static const struct deprecation past_deprecated = {1790640000, 1806278400,
    "GET /v1/interactions/past is deprecated since 2026-09-29 and will be removed on 2027-03-29; use GET "
    "/v1/interactions"};
static const struct deprecation upcoming_deprecated = {1790640000, 1806278400,
    "GET /v1/interactions/upcoming is deprecated since 2026-09-29 and will be removed on 2027-03-29; use GET "
    "/v1/interactions"};

static const struct param param_after = {.name = "after", .type = PARAM_CURSOR, .max = 512};
static const struct param param_wait = {.name = "wait", .type = PARAM_INTEGER, .min = 0, .max = 30};
static const struct param param_record = {.name = "record", .type = PARAM_ID, .shapes = true};
static const struct param *const followed[] = {&param_after, &param_limit, &param_wait, &param_record, NULL};

static const char *const delivery_orders[] = {"createdAt", "-createdAt", NULL};
static const char *const delivery_states[] = {"pending", "delivered", "failed", "cancelled", NULL};
static const struct param param_order = {
    .name = "sort", .type = PARAM_CHOICE, .choices = delivery_orders, .shapes = true};
static const struct param param_state = {
    .name = "state", .type = PARAM_CHOICE, .choices = delivery_states, .shapes = true};
static const struct param *const listed_deliveries[] = {&param_limit, &param_cursor, &param_order, &param_state, NULL};

#define R(method_, path_, resource_, ...)                                                                              \
	{                                                                                                              \
		.method = HTTP_##method_, .path = path_, .resource = resource_,                                        \
		.near = "There is nothing at this path; did you mean " path_ "?", __VA_ARGS__                          \
	}
#define PAGE(path_, step_)                                                                                             \
	{                                                                                                              \
		.method = HTTP_GET, .path = path_, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, .steps = { step_ }     \
	}
#define STEPS(...) .steps = {__VA_ARGS__}

const struct route routes[] = {
    R(GET, "/livez", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_livez),
        .summary = "The process runs"),
    R(GET, "/readyz", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_readyz),
        .summary = "The process can serve"),
    R(GET, "/docs/errors", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_errors_page),
        .summary = "What each error means"),
    R(GET, "/openapi.json", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_openapi),
        .summary = "Describe the API"),

    R(GET, "/v1/people", &person_resource, .answer = ANSWER_LIST, .params = listed, .filters = &people_filters,
        STEPS(step_list, step_list_loaded, step_counted, step_names, step_list_show), .summary = "List people"),
    R(POST, "/v1/people", &person_resource, .input = INPUT_CREATE, STEPS(write_open, write_apply, write_save),
        .summary = "Create a person"),
    R(POST, "/v1/people/batch/create", &person_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .summary = "Create people in batch"),
    R(POST, "/v1/people/batch/update", &person_resource, .input = INPUT_BATCH_UPDATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .summary = "Update people in batch"),
    R(POST, "/v1/people/batch/upsert", &person_resource, .input = INPUT_BATCH_UPSERT, .answer = ANSWER_BATCH,
        STEPS(upsert_open, upsert_match, write_apply, write_save), .summary = "Create or update people in batch"),
    R(POST, "/v1/people/batch/delete", &person_resource, .input = INPUT_BATCH_DELETE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply), .summary = "Delete people in batch"),
    R(POST, "/v1/people/search", &person_resource, .input = INPUT_SEARCH, .answer = ANSWER_LIST, .params = listed,
        .filters = &people_filters, STEPS(step_list, step_list_loaded, step_counted, step_names, step_list_show),
        .summary = "Search people"),
    R(GET, "/v1/people/{personId}", &person_resource, STEPS(step_get, step_names, step_show),
        .summary = "Get a person"),
    R(PATCH, "/v1/people/{personId}", &person_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .summary = "Update a person"),
    R(DELETE, "/v1/people/{personId}", &person_resource, .answer = ANSWER_ID, STEPS(write_open, write_apply),
        .summary = "Delete a person"),
    R(GET, "/v1/people/{personId}/duplicates", &person_duplicate_resource, .answer = ANSWER_LIST,
        STEPS(duplicate_ask, duplicate_show), .summary = "List people who may be the same"),
    R(POST, "/v1/people/{personId}/merge", &person_resource, .body = &person_merge_resource, .input = INPUT_UPDATE,
        STEPS(merge_open, merge_apply, merge_show), .summary = "Merge another person into this one"),

    R(GET, "/v1/companies", &company_resource, .answer = ANSWER_LIST, .params = listed, .filters = &company_filters,
        STEPS(step_list, step_list_loaded, step_counted, step_names, step_list_show), .summary = "List companies"),
    R(POST, "/v1/companies", &company_resource, .input = INPUT_CREATE, STEPS(write_open, write_apply, write_save),
        .summary = "Create a company"),
    R(POST, "/v1/companies/batch/create", &company_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .summary = "Create companies in batch"),
    R(POST, "/v1/companies/batch/update", &company_resource, .input = INPUT_BATCH_UPDATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .summary = "Update companies in batch"),
    R(POST, "/v1/companies/batch/upsert", &company_resource, .input = INPUT_BATCH_UPSERT, .answer = ANSWER_BATCH,
        STEPS(upsert_open, upsert_match, write_apply, write_save), .summary = "Create or update companies in batch"),
    R(POST, "/v1/companies/batch/delete", &company_resource, .input = INPUT_BATCH_DELETE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply), .summary = "Delete companies in batch"),
    R(POST, "/v1/companies/search", &company_resource, .input = INPUT_SEARCH, .answer = ANSWER_LIST, .params = listed,
        .filters = &company_filters, STEPS(step_list, step_list_loaded, step_counted, step_names, step_list_show),
        .summary = "Search companies"),
    R(GET, "/v1/companies/{companyId}", &company_resource, STEPS(step_get, step_names, step_show),
        .summary = "Get a company"),
    R(PATCH, "/v1/companies/{companyId}", &company_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .summary = "Update a company"),
    R(DELETE, "/v1/companies/{companyId}", &company_resource, .answer = ANSWER_ID, STEPS(write_open, write_apply),
        .summary = "Delete a company"),
    R(GET, "/v1/companies/{companyId}/duplicates", &company_duplicate_resource, .answer = ANSWER_LIST,
        STEPS(duplicate_ask, duplicate_show), .summary = "List companies that may be the same"),
    R(POST, "/v1/companies/{companyId}/merge", &company_resource, .body = &company_merge_resource,
        .input = INPUT_UPDATE, STEPS(merge_open, merge_apply, merge_show),
        .summary = "Merge another company into this one"),

    R(GET, "/v1/groups", &group_resource, .answer = ANSWER_LIST, .params = paged, STEPS(group_list),
        .summary = "List groups"),
    R(POST, "/v1/groups", &group_resource, .input = INPUT_CREATE, STEPS(step_config_open, group_create),
        .summary = "Create a group"),
    R(GET, "/v1/groups/{groupId}", &group_resource, STEPS(group_get), .summary = "Get a group"),
    R(PATCH, "/v1/groups/{groupId}", &group_resource, .input = INPUT_UPDATE, STEPS(step_config_open, group_update),
        .summary = "Update a group"),
    R(DELETE, "/v1/groups/{groupId}", &group_resource, .answer = ANSWER_ID,
        STEPS(step_config_open, group_delete, group_delete_all), .summary = "Delete a group"),

    R(GET, "/v1/groups/{groupId}/members", &member_resource, .answer = ANSWER_LIST, .params = paged, STEPS(member_list),
        .summary = "List the members of a group"),
    R(POST, "/v1/groups/{groupId}/members", &member_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, member_add), .summary = "Add a member to a group"),
    R(PATCH, "/v1/groups/{groupId}/members/{userId}", &member_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, member_update), .summary = "Change the role of a member"),
    R(DELETE, "/v1/groups/{groupId}/members/{userId}", &member_resource, .answer = ANSWER_ID,
        STEPS(step_config_open, member_remove), .summary = "Remove a group member"),

    R(GET, "/v1/groups/{groupId}/object-types", &object_type_resource, .answer = ANSWER_LIST, .params = paged,
        STEPS(type_list), .summary = "List the object types of a group"),
    R(POST, "/v1/groups/{groupId}/object-types", &object_type_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, type_create), .summary = "Create an object type"),
    R(PATCH, "/v1/groups/{groupId}/object-types/{objectType}", &object_type_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, type_update), .summary = "Rename an object type"),
    R(DELETE, "/v1/groups/{groupId}/object-types/{objectType}", &object_type_resource, .answer = ANSWER_NAME,
        .params = forced, STEPS(step_config_open, type_delete, type_delete_all), .summary = "Delete an object type"),

    R(GET, "/v1/groups/{groupId}/custom-fields/{entityType}", &custom_field_resource, .answer = ANSWER_LIST,
        .params = paged, STEPS(field_list), .summary = "List group custom fields"),
    R(POST, "/v1/groups/{groupId}/custom-fields/{entityType}", &custom_field_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, field_create), .summary = "Create a group custom field"),
    R(GET, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        STEPS(field_get), .summary = "Get a group custom field"),
    R(PATCH, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        .input = INPUT_UPDATE, STEPS(step_config_open, field_update, field_update_all),
        .summary = "Update a group custom field"),
    R(DELETE, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        .answer = ANSWER_NAME, STEPS(step_config_open, field_delete, field_delete_all),
        .summary = "Delete a group custom field"),

    R(GET, "/v1/groups/{groupId}/{objectType}", &object_resource, .answer = ANSWER_LIST, .params = listed,
        .filters = &object_filters,
        STEPS(object_list, step_list, step_list_loaded, step_counted, step_names, step_list_show),
        .summary = "List objects"),
    R(POST, "/v1/groups/{groupId}/{objectType}", &object_resource, .input = INPUT_CREATE,
        STEPS(write_open, write_apply, write_save), .summary = "Create an object"),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/create", &object_resource, .input = INPUT_BATCH_CREATE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply, write_save),
        .summary = "Create objects in batch"),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/update", &object_resource, .input = INPUT_BATCH_UPDATE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply, write_save),
        .summary = "Update objects in batch"),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/upsert", &object_resource, .input = INPUT_BATCH_UPSERT,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(upsert_open, upsert_match, write_apply, write_save),
        .summary = "Create or update objects in batch"),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/delete", &object_resource, .input = INPUT_BATCH_DELETE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply),
        .summary = "Delete objects in batch"),
    R(POST, "/v1/groups/{groupId}/{objectType}/search", &object_resource, .input = INPUT_SEARCH, .answer = ANSWER_LIST,
        .params = listed, .filters = &object_filters,
        STEPS(object_list, step_list, step_list_loaded, step_counted, step_names, step_list_show),
        .summary = "Search objects"),
    R(GET, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, STEPS(object_get, step_names, step_show),
        .summary = "Get an object"),
    R(PATCH, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .summary = "Update an object"),
    R(DELETE, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, .answer = ANSWER_ID,
        STEPS(write_open, write_apply), .summary = "Delete an object"),

    R(GET, "/v1/notes", &note_resource, .answer = ANSWER_LIST, .params = listed_notes,
        STEPS(activity_list, step_list, step_list_loaded, note_parents, note_parents_loaded, step_list_show),
        .summary = "List notes"),
    R(POST, "/v1/notes", &note_resource, .input = INPUT_CREATE, STEPS(activity_create_open, activity_create),
        .summary = "Create a note"),
    R(POST, "/v1/notes/batch/create", &note_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(activity_create_open, activity_create), .summary = "Create notes in batch"),
    R(GET, "/v1/notes/{noteId}", &note_resource,
        STEPS(activity_get, step_loaded, note_parents, note_parents_loaded, step_show), .summary = "Get a note"),
    R(PATCH, "/v1/notes/{noteId}", &note_resource, .input = INPUT_UPDATE,
        STEPS(activity_open, note_update, note_parents, note_parents_loaded, step_show), .summary = "Update a note"),
    R(DELETE, "/v1/notes/{noteId}", &note_resource, .answer = ANSWER_ID,
        STEPS(activity_open, note_forget, activity_delete), .summary = "Delete a note"),

    R(GET, "/v1/tasks", &task_resource, .answer = ANSWER_LIST, .params = listed_tasks, .filters = &task_filters,
        STEPS(activity_list, step_list, step_list_loaded, step_counted, step_list_show), .summary = "List tasks"),
    R(POST, "/v1/tasks", &task_resource, .input = INPUT_CREATE, STEPS(activity_create_open, activity_create),
        .summary = "Create a task"),
    R(POST, "/v1/tasks/batch/create", &task_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(activity_create_open, activity_create), .summary = "Create tasks in batch"),
    R(GET, "/v1/tasks/{taskId}", &task_resource, STEPS(activity_get, step_show), .summary = "Get a task"),
    R(PATCH, "/v1/tasks/{taskId}", &task_resource, .input = INPUT_UPDATE, STEPS(task_update_open, task_update),
        .summary = "Update a task"),
    R(DELETE, "/v1/tasks/{taskId}", &task_resource, .answer = ANSWER_ID, STEPS(activity_open, activity_delete),
        .summary = "Delete a task"),
    R(POST, "/v1/tasks/{taskId}/mark-as-done", &task_resource, .body = &completion_resource, .input = INPUT_UPDATE,
        STEPS(activity_open, task_done), .summary = "Mark a task as done"),
    R(POST, "/v1/tasks/{taskId}/mark-as-todo", &task_resource, STEPS(activity_open, task_todo),
        .summary = "Mark a task as open again"),

    R(GET, "/v1/reminders", &reminder_resource, .answer = ANSWER_LIST, .params = listed_reminders,
        STEPS(activity_list, step_list, step_list_loaded, step_list_show), .summary = "List reminders"),
    R(POST, "/v1/reminders", &reminder_resource, .input = INPUT_CREATE, STEPS(reminder_create_open, reminder_create),
        .summary = "Create a reminder"),
    R(GET, "/v1/reminders/{reminderId}", &reminder_resource, STEPS(activity_get, step_show),
        .summary = "Get a reminder"),
    R(PATCH, "/v1/reminders/{reminderId}", &reminder_resource, .input = INPUT_UPDATE,
        STEPS(reminder_update_open, reminder_update), .summary = "Update a reminder"),
    R(DELETE, "/v1/reminders/{reminderId}", &reminder_resource, .answer = ANSWER_ID,
        STEPS(activity_open, activity_delete), .summary = "Delete a reminder"),

    R(GET, "/v1/users", &user_resource, .answer = ANSWER_LIST, .params = paged, STEPS(user_list),
        .summary = "List users"),
    R(GET, "/v1/users/me", &user_resource, STEPS(user_me), .summary = "Get the user behind the key"),
    R(GET, "/v1/users/{userId}", &user_resource, STEPS(user_get), .summary = "Get a user"),

    R(GET, "/v1/keys", &api_key_resource, .answer = ANSWER_LIST, .params = paged,
        STEPS(key_list_begin, step_list, step_list_loaded, key_roles, step_list_show), .summary = "List API keys"),
    R(POST, "/v1/keys", &api_key_secret_resource, .body = &api_key_resource, .input = INPUT_CREATE,
        .flags = ROUTE_SECRET, STEPS(key_create_open, key_create_apply), .summary = "Create an API key"),
    R(DELETE, "/v1/keys/{keyId}", &api_key_resource, .answer = ANSWER_ID, STEPS(key_end_open, key_end_apply),
        .summary = "Delete an API key"),

    R(GET, "/v1/interactions", &interaction_resource, .answer = ANSWER_LIST, .params = of_interactions,
        STEPS(activity_list, step_list, step_list_loaded, step_list_show), .summary = "List interactions"),
    R(POST, "/v1/interactions", &interaction_resource, .input = INPUT_CREATE,
        STEPS(activity_create_open, activity_create), .summary = "Create an interaction"),
    R(POST, "/v1/interactions/batch/create", &interaction_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(activity_create_open, activity_create), .summary = "Create interactions in batch"),
    R(GET, "/v1/interactions/past", &interaction_resource, .answer = ANSWER_LIST, .params = of_entity_only,
        .deprecated = &past_deprecated, STEPS(interaction_past, step_list, step_list_loaded, step_list_show),
        .summary = "List past interactions"),
    R(GET, "/v1/interactions/upcoming", &interaction_resource, .answer = ANSWER_LIST, .params = of_entity_only,
        .deprecated = &upcoming_deprecated, STEPS(interaction_upcoming, step_list, step_list_loaded, step_list_show),
        .summary = "List upcoming interactions"),
    R(GET, "/v1/interactions/{interactionId}", &interaction_resource, .params = checked_entity,
        STEPS(step_get, interaction_show), .summary = "Get an interaction"),
    R(PATCH, "/v1/interactions/{interactionId}", &interaction_resource, .input = INPUT_UPDATE,
        STEPS(interaction_open, interaction_lock, interaction_update), .summary = "Update an interaction"),
    R(DELETE, "/v1/interactions/{interactionId}", &interaction_resource, .answer = ANSWER_ID, .params = checked_entity,
        STEPS(interaction_open, interaction_lock, interaction_delete), .summary = "Delete an interaction"),

    R(GET, "/v1/events", NULL, .answer = ANSWER_PLAIN, .params = followed, STEPS(event_feed, event_feed_answer),
        .summary = "Follow the events"),

    R(GET, "/v1/webhooks", &webhook_resource, .answer = ANSWER_LIST, .params = paged,
        STEPS(step_list, step_list_loaded, webhook_secrets, step_list_show), .summary = "List webhooks"),
    R(POST, "/v1/webhooks", &webhook_secret_resource, .body = &webhook_resource, .input = INPUT_CREATE,
        .flags = ROUTE_SECRET, STEPS(webhook_target, webhook_create_open, webhook_create),
        .summary = "Create a webhook"),
    R(GET, "/v1/webhooks/health", &webhook_health_resource, .answer = ANSWER_LIST, .params = paged,
        STEPS(health_list, step_list, step_list_loaded, health_ask, health_answered, step_list_show),
        .summary = "List the health of webhooks"),
    R(GET, "/v1/webhooks/{webhookId}", &webhook_resource, STEPS(step_get, step_loaded, webhook_secrets, step_show),
        .summary = "Get a webhook"),
    R(PATCH, "/v1/webhooks/{webhookId}", &webhook_resource, .input = INPUT_UPDATE,
        STEPS(webhook_target, webhook_open, webhook_update), .summary = "Update a webhook"),
    R(DELETE, "/v1/webhooks/{webhookId}", &webhook_resource, .answer = ANSWER_ID, STEPS(webhook_open, webhook_delete),
        .summary = "Delete a webhook"),
    R(POST, "/v1/webhooks/{webhookId}/test", &delivery_resource, .flags = ROUTE_NOT_DRY,
        STEPS(webhook_open, webhook_test, webhook_tested), .summary = "Send a test event"),
    R(POST, "/v1/webhooks/{webhookId}/rotate-secret", &webhook_secret_resource, .flags = ROUTE_SECRET,
        STEPS(webhook_open, webhook_rotate), .summary = "Make a new signing secret"),
    R(POST, "/v1/webhooks/{webhookId}/recover", &recovery_resource, .body = &recover_resource, .input = INPUT_UPDATE,
        .flags = ROUTE_NOT_DRY, STEPS(recover_open, recover_count, webhook_open, recover_apply),
        .summary = "Send events again since a time"),
    R(GET, "/v1/webhooks/{webhookId}/deliveries", &delivery_resource, .answer = ANSWER_LIST,
        .params = listed_deliveries,
        STEPS(delivery_list, step_list, delivery_list_allowed, step_list_loaded, step_list_show),
        .summary = "List what was sent to a webhook"),
    R(GET, "/v1/webhooks/{webhookId}/deliveries/{deliveryId}", &delivery_request_resource,
        STEPS(delivery_get, delivery_show), .summary = "Get a delivery with its body"),
    R(POST, "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/retry", &delivery_resource, .flags = ROUTE_NOT_DRY,
        STEPS(delivery_open, delivery_retry), .summary = "Send a delivery again"),

    /* The pages, which the API's description does not have. */
    PAGE("/", step_front),
    PAGE("/docs", step_page),
    PAGE("/docs/{page}", step_page),
    PAGE("/console", step_page),
    PAGE("/console/{page}", step_page),
};

enum { PAGES = 5 };
const int n_routes_all = sizeof routes / sizeof *routes;
const int n_routes = sizeof routes / sizeof *routes - PAGES;
