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
    R(GET, "/openapi.json", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_openapi),
        .summary = "Describe the API"),

    R(GET, "/v1/people", &person_resource, .answer = ANSWER_LIST, .params = listed, STEPS(step_list, step_list_show),
        .summary = "List people"),
    R(POST, "/v1/people", &person_resource, .input = INPUT_CREATE, STEPS(person_create_open, person_apply, person_save),
        .summary = "Create a person"),
    R(GET, "/v1/people/{personId}", &person_resource, STEPS(step_get, step_show), .summary = "Get a person"),
    R(PATCH, "/v1/people/{personId}", &person_resource, .input = INPUT_UPDATE,
        STEPS(person_update_open, person_apply, person_save), .summary = "Update a person"),
    R(DELETE, "/v1/people/{personId}", &person_resource, .answer = ANSWER_ID, STEPS(step_delete_open, person_delete),
        .summary = "Delete a person"),

    R(GET, "/v1/companies", &company_resource, .answer = ANSWER_LIST, .params = listed,
        STEPS(step_list, step_list_show), .summary = "List companies"),
    R(POST, "/v1/companies", &company_resource, .input = INPUT_CREATE, STEPS(company_create_open, company_create),
        .summary = "Create a company"),
    R(GET, "/v1/companies/{companyId}", &company_resource, STEPS(step_get, step_show), .summary = "Get a company"),
    R(PATCH, "/v1/companies/{companyId}", &company_resource, .input = INPUT_UPDATE,
        STEPS(company_update_open, company_update), .summary = "Update a company"),
    R(DELETE, "/v1/companies/{companyId}", &company_resource, .answer = ANSWER_ID,
        STEPS(step_delete_open, company_delete), .summary = "Delete a company"),

    R(GET, "/v1/groups", &group_resource, .answer = ANSWER_LIST, .params = paged, STEPS(group_list),
        .summary = "List groups"),
    R(POST, "/v1/groups", &group_resource, .input = INPUT_CREATE, STEPS(step_config_open, config_opened, group_create),
        .summary = "Create a group"),
    R(GET, "/v1/groups/{groupId}", &group_resource, STEPS(group_get), .summary = "Get a group"),
    R(PATCH, "/v1/groups/{groupId}", &group_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, config_opened, group_update), .summary = "Update a group"),
    R(DELETE, "/v1/groups/{groupId}", &group_resource, .answer = ANSWER_ID,
        STEPS(step_config_open, config_opened, group_delete), .summary = "Delete a group"),

    R(GET, "/v1/groups/{groupId}/members", &member_resource, .answer = ANSWER_LIST, .params = paged, STEPS(member_list),
        .summary = "List the members of a group"),
    R(POST, "/v1/groups/{groupId}/members", &member_resource, .input = INPUT_CREATE,
        STEPS(step_config_open, config_opened, member_add), .summary = "Add a member to a group"),
    R(PATCH, "/v1/groups/{groupId}/members/{userId}", &member_resource, .input = INPUT_UPDATE,
        STEPS(step_config_open, config_opened, member_update), .summary = "Change the role of a member"),
    R(DELETE, "/v1/groups/{groupId}/members/{userId}", &member_resource, .answer = ANSWER_ID,
        STEPS(step_config_open, config_opened, member_remove), .summary = "Remove a group member"),

    R(GET, "/v1/users", &user_resource, .answer = ANSWER_LIST, .params = paged, STEPS(user_list),
        .summary = "List users"),
    R(GET, "/v1/users/me", &user_resource, STEPS(user_me), .summary = "Get the user behind the key"),
    R(GET, "/v1/users/{userId}", &user_resource, STEPS(user_get), .summary = "Get a user"),
};

const int n_routes = sizeof routes / sizeof *routes;
