/* The table of routes. Constant segments stand before parameters in the same place. */
#include "server/route.h"
#include "server/steps.h"

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
static const struct param *const paged[] = {&param_limit, &param_cursor, NULL};
static const struct param *const listed[] = {
    &param_limit, &param_cursor, &param_sort, &param_count, &param_combinator, NULL};

#define R(method_, path_, resource_, ...)                                                                              \
	{                                                                                                              \
		.method = HTTP_##method_, .path = path_, .resource = resource_, __VA_ARGS__                            \
	}
#define STEPS(...) .steps = {__VA_ARGS__}

const struct route routes[] = {
    R(GET, "/livez", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_livez),
        .summary = "The process runs"),
    R(GET, "/readyz", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_readyz),
        .summary = "The process can serve"),
    R(GET, "/docs/errors", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_errors_page),
        .summary = "What each error means"),

    R(GET, "/v1/people", &person_resource, .answer = ANSWER_LIST, .params = listed,
        STEPS(step_list, step_names, step_list_show), .summary = "List people"),
    R(POST, "/v1/people", &person_resource, .input = INPUT_CREATE, STEPS(write_open, write_apply, write_save),
        .summary = "Create a person"),
    R(POST, "/v1/people/batch/create", &person_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .summary = "Create people in batch"),
    R(POST, "/v1/people/batch/update", &person_resource, .input = INPUT_BATCH_UPDATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .summary = "Update people in batch"),
    R(POST, "/v1/people/batch/delete", &person_resource, .input = INPUT_BATCH_DELETE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply), .summary = "Delete people in batch"),
    R(GET, "/v1/people/{personId}", &person_resource, STEPS(step_get, step_names, step_show),
        .summary = "Get a person"),
    R(PATCH, "/v1/people/{personId}", &person_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .summary = "Update a person"),
    R(DELETE, "/v1/people/{personId}", &person_resource, .answer = ANSWER_ID, STEPS(write_open, write_apply),
        .summary = "Delete a person"),

    R(GET, "/v1/companies", &company_resource, .answer = ANSWER_LIST, .params = listed,
        STEPS(step_list, step_names, step_list_show), .summary = "List companies"),
    R(POST, "/v1/companies", &company_resource, .input = INPUT_CREATE, STEPS(write_open, write_apply, write_save),
        .summary = "Create a company"),
    R(POST, "/v1/companies/batch/create", &company_resource, .input = INPUT_BATCH_CREATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .summary = "Create companies in batch"),
    R(POST, "/v1/companies/batch/update", &company_resource, .input = INPUT_BATCH_UPDATE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply, write_save), .summary = "Update companies in batch"),
    R(POST, "/v1/companies/batch/delete", &company_resource, .input = INPUT_BATCH_DELETE, .answer = ANSWER_BATCH,
        STEPS(write_open, write_apply), .summary = "Delete companies in batch"),
    R(GET, "/v1/companies/{companyId}", &company_resource, STEPS(step_get, step_names, step_show),
        .summary = "Get a company"),
    R(PATCH, "/v1/companies/{companyId}", &company_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .summary = "Update a company"),
    R(DELETE, "/v1/companies/{companyId}", &company_resource, .answer = ANSWER_ID, STEPS(write_open, write_apply),
        .summary = "Delete a company"),

    R(GET, "/v1/groups", &group_resource, .answer = ANSWER_LIST, .params = paged, STEPS(group_list),
        .summary = "List groups"),
    R(POST, "/v1/groups", &group_resource, .input = INPUT_CREATE, STEPS(step_config_open, config_opened, group_create),
        .summary = "Create a group"),
    R(GET, "/v1/groups/{groupId}", &group_resource, STEPS(group_get), .summary = "Get a group"),
    R(PATCH, "/v1/groups/{groupId}", &group_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, config_opened, group_update), .summary = "Update a group"),
    R(DELETE, "/v1/groups/{groupId}", &group_resource, .answer = ANSWER_ID,
        STEPS(step_config_open, config_opened, group_delete, group_delete_objects), .summary = "Delete a group"),

    R(GET, "/v1/groups/{groupId}/members", &member_resource, .answer = ANSWER_LIST, .params = paged, STEPS(member_list),
        .summary = "List the members of a group"),
    R(POST, "/v1/groups/{groupId}/members", &member_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, config_opened, member_add), .summary = "Add a member to a group"),
    R(PATCH, "/v1/groups/{groupId}/members/{userId}", &member_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, config_opened, member_update), .summary = "Change the role of a member"),
    R(DELETE, "/v1/groups/{groupId}/members/{userId}", &member_resource, .answer = ANSWER_ID,
        STEPS(step_config_open, config_opened, member_remove), .summary = "Remove a group member"),

    R(GET, "/v1/groups/{groupId}/object-types", &object_type_resource, .answer = ANSWER_LIST, .params = paged,
        STEPS(type_list), .summary = "List the object types of a group"),
    R(POST, "/v1/groups/{groupId}/object-types", &object_type_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, config_opened, type_create), .summary = "Create an object type"),
    R(PATCH, "/v1/groups/{groupId}/object-types/{objectType}", &object_type_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, config_opened, type_update), .summary = "Rename an object type"),
    R(DELETE, "/v1/groups/{groupId}/object-types/{objectType}", &object_type_resource, .answer = ANSWER_NAME,
        .params = forced, STEPS(step_config_open, config_opened, type_delete, type_delete_objects),
        .summary = "Delete an object type"),

    R(GET, "/v1/groups/{groupId}/custom-fields/{entityType}", &custom_field_resource, .answer = ANSWER_LIST,
        .params = paged, STEPS(field_list), .summary = "List group custom fields"),
    R(POST, "/v1/groups/{groupId}/custom-fields/{entityType}", &custom_field_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, config_opened, field_create), .summary = "Create a group custom field"),
    R(GET, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        STEPS(field_get), .summary = "Get a group custom field"),
    R(PATCH, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        .input = INPUT_UPDATE, STEPS(step_config_open, config_opened, field_update),
        .summary = "Update a group custom field"),
    R(DELETE, "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", &custom_field_resource,
        .answer = ANSWER_NAME, STEPS(step_config_open, config_opened, field_delete),
        .summary = "Delete a group custom field"),

    R(GET, "/v1/groups/{groupId}/{objectType}", &object_resource, .answer = ANSWER_LIST, .params = listed,
        STEPS(object_list, step_list, step_names, step_list_show), .summary = "List objects"),
    R(POST, "/v1/groups/{groupId}/{objectType}", &object_resource, .input = INPUT_CREATE,
        STEPS(write_open, write_apply, write_save), .summary = "Create an object"),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/create", &object_resource, .input = INPUT_BATCH_CREATE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply, write_save),
        .summary = "Create objects in batch"),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/update", &object_resource, .input = INPUT_BATCH_UPDATE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply, write_save),
        .summary = "Update objects in batch"),
    R(POST, "/v1/groups/{groupId}/{objectType}/batch/delete", &object_resource, .input = INPUT_BATCH_DELETE,
        .answer = ANSWER_BATCH, .flags = ROUTE_RECORD_RIGHTS, STEPS(write_open, write_apply),
        .summary = "Delete objects in batch"),
    R(GET, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, STEPS(object_get, step_names, step_show),
        .summary = "Get an object"),
    R(PATCH, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, .input = INPUT_UPDATE,
        STEPS(write_open, write_apply, write_save), .summary = "Update an object"),
    R(DELETE, "/v1/groups/{groupId}/{objectType}/{objectId}", &object_resource, .answer = ANSWER_ID,
        STEPS(write_open, write_apply), .summary = "Delete an object"),

    R(GET, "/v1/users", &user_resource, .answer = ANSWER_LIST, .params = paged, STEPS(user_list),
        .summary = "List users"),
    R(GET, "/v1/users/me", &user_resource, STEPS(user_me), .summary = "Get the user behind the key"),
    R(GET, "/v1/users/{userId}", &user_resource, STEPS(user_get), .summary = "Get a user"),
};

const int n_routes = sizeof routes / sizeof *routes;
